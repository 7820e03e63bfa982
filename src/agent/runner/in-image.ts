/** The forge's runner program in the forge's own image: then nothing has to be downloaded. */
import { chmod, copyFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { run } from '../../lib/run.ts'
import { isOlder } from '../../lib/version.ts'
import type { RunnerArchive, RunnerInImage, RunnerProgram } from '../../wire/runner.ts'

/** Milliseconds for the answer about its version. */
const PATIENCE = 20_000

/**
 * Copied to the folder if it exists in a version that will do: what it writes beside itself must not depend on who owns the image's folder,
 * and a Docker daemon beside it sees only the copy. Resolves to that version; `undefined`: it must be downloaded.
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

/** A program that is in the store has been checked against the forge's digest. */
function willDo(version: string, archive: Pick<RunnerArchive, 'version' | 'url'>, { from }: RunnerInImage): boolean {
  return version === archive.version || (archive.url !== undefined && from !== undefined && !isOlder(version, from))
}

/** `undefined`: it is not there, or does not say. */
async function versionOf(
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  const said = await run(command, args, { env, signal, timeout: PATIENCE }).catch(() => undefined)
  signal.throwIfAborted()
  return /\d+\.\d+\.\d+/.exec(said?.stdout ?? '')?.[0]
}
