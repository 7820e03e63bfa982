/** Files that a command names and that exist only here: without a work directory, no machine would find them. */
import { stat } from 'node:fs/promises'
import { isAbsolute, join, normalize } from 'node:path'
import type { TaskRequest } from '../../task/request.ts'
import type { VerbContext } from '../shared/context.ts'

export async function warnOfLocalFiles({ host, parsed, cwd }: VerbContext, { workdir }: TaskRequest): Promise<void> {
  if (workdir !== undefined || !parsed.program || !('argv' in parsed.program)) return
  const words = new Set(parsed.program.argv.filter((word) => word !== '' && !word.startsWith('-') && !isAbsolute(word)))
  for (const word of words) {
    const file = await stat(join(cwd, normalize(word))).catch(() => undefined)
    if (file?.isFile()) host.warn(`"${word}" exists here, but no work directory is uploaded: give "--workdir ." to upload this folder`)
  }
}
