/** What tpi has left behind: processes that belong to a `$TPI_HOME`, and groups and stores in it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEMP_PREFIX } from '../../src/stores/dir/names.ts'
import { PATIENCE } from '../setup/patience.ts'
import { processesOf } from '../storm/processes.ts'

/** How many milliseconds ends may take after the command that requested them. */
const ENDING = 5000 * PATIENCE

/** Readable lines; empty if nothing is left. */
export async function leaks(home: string): Promise<string[]> {
  const until = Date.now() + ENDING
  for (;;) {
    const found = [...processes(home), ...things(home)]
    if (!found.some((line) => line.startsWith('process')) || Date.now() > until) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function processes(home: string): string[] {
  return processesOf(home).map(({ pid, command }) => `process ${pid}: ${command.slice(0, 120)}`)
}

/** Also true if a process died while writing the first record: a partial file of a few bytes, which the next deployment of that name removes. */
function isEmpty(path: string): boolean {
  try {
    return readdirSync(path).every((name) => name.startsWith(TEMP_PREFIX))
  } catch {
    return false
  }
}

function things(home: string): string[] {
  return ['local', 'store'].flatMap((room) => {
    try {
      return readdirSync(join(home, room))
        .filter((name) => name.startsWith('tpi-') && !isEmpty(join(home, room, name)))
        .map((name) => `${room}/${name}`)
    } catch {
      return []
    }
  })
}

/** Files below the folder that contain any of these texts, each with the number of the text. */
export function filesHolding(folder: string, texts: readonly string[]): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    return texts.flatMap((text, at) => (bytes.includes(text) ? [`secret ${at} is in ${path}`] : []))
  })
}
