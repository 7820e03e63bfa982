/** The user's own job hooks: where they are named, and how they are run beside those of tpi. */
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { hasCode, isGone } from '../../lib/error-code.ts'
import { writeWhole } from '../../lib/files.ts'
import { shellQuoted, unmarked } from '../../lib/text.ts'
import type { OwnSystem } from '../../wire/machine.ts'
import { giveToScript, readAsScriptUser } from '../vm/script-user.ts'

/**
 * The file `.env` in the program's folder replaces variables of its environment (LoadAndSetEnv in Program.cs of GitHub's runner). An image or set-up
 * may name hooks in it. Then the last line for each of them names ours, and the user's lines stay as they are, so that the next start finds
 * them again. If it is a link, a copy of what it leads to takes its place. `ours`: variable → script. `system`: present if jobs have another user
 * than the agent. Resolves to the user's.
 */
export async function hooksOfEnvFile(
  folder: string,
  ours: Readonly<Record<string, string>>,
  system: OwnSystem | undefined,
): Promise<Record<string, string>> {
  const path = join(folder, '.env')
  const file = system ? ((await readPlain(path, constants.O_NOFOLLOW)) ?? (await readLinked(path))) : await readPlain(path)
  if (!file) return {}
  const lines = unmarked(file.bytes.toString('utf8')).split(/\r\n|\r|\n/)
  const theirs: Record<string, string> = {}
  const added: string[] = []
  for (const [name, script] of Object.entries(ours)) {
    const values = lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))
    if (values.length === 0) continue
    theirs[name] = values.findLast((value) => value !== script) ?? ''
    if (values.at(-1) !== script) added.push(`${name}=${script}\n`)
  }
  if (added.length > 0) await writeWhole(path, Buffer.concat([file.bytes, Buffer.from(`\n${added.join('')}`)]), { mode: file.mode })
  return theirs
}

interface EnvFile {
  readonly bytes: Buffer
  readonly mode: number
}

/** A link that is not followed or leads to itself, and a socket. */
const NO_FILE = ['ELOOP', 'ENXIO']

/** `undefined`: there is no such file. A job may own the folder: reading a pipe that it has put there would never end. */
async function readPlain(path: string, flags = 0): Promise<EnvFile | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags).catch((error: unknown) => {
    if (!isGone(error) && !hasCode(error, ...NO_FILE)) throw error
    return undefined
  })
  if (!handle) return undefined
  await using file = handle
  const facts = await file.stat()
  if (!facts.isFile()) return undefined
  return { bytes: await file.readFile(), mode: facts.mode & 0o777 }
}

/** What a link leads to, as the user of the jobs reads it: a job may own the folder, and lead the agent to a file that only root may read. */
async function readLinked(path: string): Promise<EnvFile | undefined> {
  if (!(await lstat(path).catch(() => undefined))?.isSymbolicLink()) return undefined
  const read = async (): Promise<Buffer> => {
    // As it is at every start of the program: in a folder that is still the agent's, that user could read nothing.
    await giveToScript([dirname(path)])
    return readAsScriptUser(path)
  }
  const bytes = await read().catch(() => undefined)
  return bytes && { bytes, mode: 0o600 }
}

/**
 * The line that runs a hook, as GitHub's runner would by the ending of its name (GetDefaultShellForScript in HostContext.cs; the arguments are in
 * ScriptHandlerHelpers.cs). `folder`: the program's.
 */
export function lineOf(path: string, folder: string): string {
  const ofEnding = ENDINGS[extname(path)] ?? bash
  return ofEnding(path, folder)
}

const bash = (path: string): string =>
  `$(command -v bash >/dev/null && echo bash --noprofile --norc -e -o pipefail || echo sh -e) ${shellQuoted(path)}`

const ENDINGS: Readonly<Record<string, (path: string, folder: string) => string>> = {
  '.ps1': (path) => `pwsh -command ${shellQuoted(`. '${path.replaceAll("'", "''")}'`)}`,
  // The newest Node of the program itself. Those whose folder has another ending are for containers.
  '.js': (path, folder) =>
    `"$(printf '%s\\n' ${shellQuoted(join(folder, 'externals'))}/node[0-9][0-9]/bin/node | tail -n 1)" ${shellQuoted(path)}`,
}
