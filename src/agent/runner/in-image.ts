/** The forge's runner program, if the machine's image has it: then nothing has to be downloaded. */
import { chmod, copyFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { run } from '../../lib/run.ts'
import { isOlder } from '../../lib/version.ts'
import type { RunnerArchive, RunnerInImage, RunnerProgram } from '../../wire/runner.ts'

/** Milliseconds for the program to print its version. */
const PATIENCE = 20_000

/**
 * Copies the image's program into the folder, if its version will do. (A copy, because the program writes beside itself, which the owner of
 * the image's folder may not allow, and because a Docker daemon beside it sees only this folder.) Resolves to its version, or to
 * `undefined`: then it must be downloaded.
 */
export async function broughtAlong(
  { inImage, archive, lacking }: Pick<RunnerProgram, 'inImage' | 'archive' | 'lacking'>,
  folder: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const version = inImage && (await versionOf(inImage.version, { ...process.env, ...lacking?.env }, signal))
  if (!inImage || version === undefined || !willDo(version, archive, inImage)) return undefined
  if ((await stat(inImage.path)).isDirectory()) await run('cp', ['-a', `${inImage.path}/.`, folder], { signal })
  else {
    const file = join(folder, archive.file ?? basename(inImage.path))
    await copyFile(inImage.path, file)
    await chmod(file, 0o755)
  }
  return version
}

/**
 * The version must be the one that was asked for. Only if the store does not have that one, and none was asked for, one not older than `from`
 * will do too.
 */
function willDo(version: string, archive: Pick<RunnerArchive, 'version' | 'url'>, { from }: RunnerInImage): boolean {
  return version === archive.version || (archive.url !== undefined && from !== undefined && !isOlder(version, from))
}

/** What the program says; `undefined`: it is not there, or does not say. */
async function versionOf(
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  const said = await run(command, args, { env, signal, timeout: PATIENCE }).catch(() => undefined)
  signal.throwIfAborted()
  return /\d+\.\d+\.\d+/.exec(said?.stdout ?? '')?.[0]
}
