/** Words of a command that no machine can use: a shell line in one word, and files that exist only here. */
import { stat } from 'node:fs/promises'
import { isAbsolute, join, normalize, resolve } from 'node:path'
import { looksLikeShellLine } from '../../lib/not-started.ts'
import { quoted } from '../../lib/text.ts'
import type { TaskRequest } from '../../task/request.ts'
import type { VerbContext } from '../shared/context.ts'

type Where = Pick<TaskRequest, 'workdir'>

export async function warnOfWords(context: Pick<VerbContext, 'host' | 'parsed' | 'cwd'>, where: Where): Promise<void> {
  const { program } = context.parsed
  if (!program || !('argv' in program)) return
  const { argv } = program
  const [only = ''] = argv
  if (argv.length === 1 && looksLikeShellLine(only) && !(await isFile(resolve(where.workdir ?? context.cwd, only))))
    context.host.warn(`${quoted(only)} is one word, and probably no program has that name: give a shell line as \`script\``)
  if (where.workdir === undefined) await warnOfLocalFiles(context, argv)
}

/** Without a work directory, no machine would find them. */
async function warnOfLocalFiles({ host, cwd }: Pick<VerbContext, 'host' | 'cwd'>, argv: readonly string[]): Promise<void> {
  const words = new Set(argv.filter((word) => word !== '' && !word.startsWith('-') && !isAbsolute(word)))
  for (const word of words)
    if (await isFile(join(cwd, normalize(word))))
      host.warn(`"${word}" exists here, but no work directory is uploaded: give "--workdir ." to upload this folder`)
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() ?? false
}
