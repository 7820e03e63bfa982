/** What the script writes to `TPI_OUTPUT` and `TPI_SUMMARY`, in the formats that such files have in GitHub Actions. */
import { constants, open } from 'node:fs/promises'

/** Bytes. Both become part of slot.json. */
export const MOST_OUTPUT = 256 * 1024
export const MOST_SUMMARY = 256 * 1024

export interface Outputs {
  readonly values: Readonly<Record<string, string>>
  /** What could not be understood, for people. */
  readonly faults: readonly string[]
}

/**
 * Reads `name=value` lines, and `name<<DELIMITER` … `DELIMITER` for values of several lines. The last value of a name counts. A value
 * without its closing delimiter is a fault, and the rest of the text is not read.
 */
export function parseOutputs(text: string): Outputs {
  const values: Record<string, string> = {}
  const faults: string[] = []
  const lines = text.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const parts = /^([^=<]+?)(=|<<)(.*)$/.exec(line)
    const name = parts?.[1]
    const rest = parts?.[3] ?? ''
    if (name === undefined) {
      faults.push(`line ${at + 1}: should be "name=value" or "name<<DELIMITER"`)
    } else if (parts?.[2] === '=') {
      values[name] = rest
    } else {
      const end = rest === '' ? -1 : lines.indexOf(rest, at + 1)
      if (end < 0) {
        faults.push(`line ${at + 1}: "${name}" has no closing delimiter "${rest}"`)
        break
      }
      values[name] = lines.slice(at + 1, end).join('\n')
      at = end
    }
  }
  return { values, faults }
}

/** The text of a file up to `most` bytes, cut between characters; empty if there is no such file. */
export async function readCapped(path: string, most: number): Promise<{ text: string; cut: boolean }> {
  // Non-blocking: the script may have replaced it with a pipe.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
  if (!file) return { text: '', cut: false }
  try {
    const stats = await file.stat()
    const size = stats.isFile() ? stats.size : 0
    const bytes = Buffer.alloc(Math.min(size, most))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    const text = new TextDecoder('utf-8').decode(bytes.subarray(0, bytesRead), { stream: size > most })
    return { text, cut: size > most }
  } finally {
    await file.close()
  }
}
