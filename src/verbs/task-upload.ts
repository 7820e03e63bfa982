/** The first upload of a work directory, planned and told before anything is created. */
import { stat } from 'node:fs/promises'
import { InputError } from '../core/errors.ts'
import { describeTree } from '../snapshot/describe.ts'
import type { UploadPlan } from '../task/upload.ts'
import type { TaskWish } from '../task/wish.ts'
import { contentFingerprint, contentIdentity } from '../task/workdir/identity.ts'
import { reportLines } from '../task/workdir/report.ts'
import { selectWorkdir } from '../task/workdir/select.ts'
import type { VerbContext } from './context.ts'

export async function uploadPlan(context: VerbContext, wish: TaskWish): Promise<UploadPlan | undefined> {
  const { workdir: folder } = wish
  if (folder === undefined) return undefined
  await needFolder(folder)
  const { output, exclude, git, yes } = wish
  const chosen = await selectWorkdir({ folder, output, exclude, git, env: context.env, yes, signal: context.interrupts.first })
  if (chosen.needsYes !== undefined) throw new InputError(`workdir: ${chosen.needsYes}`, { hint: 'if that is meant: --yes' })
  const { report } = chosen
  for (const line of [...reportLines(report), ...report.notices]) context.host.info(line)
  for (const warning of report.warnings) context.host.warn(warning)
  return {
    folder,
    size: { files: report.files, bytes: report.bytes },
    select: chosen.select,
    overlay: chosen.overlay,
    describe: async () => describeTree({ folder, select: chosen.select, overlay: chosen.overlay }, context.interrupts.first),
    identity: async (manifest) => (manifest ? contentIdentity(manifest) : contentFingerprint(folder, chosen, context.interrupts.first)),
  }
}

async function needFolder(folder: string): Promise<void> {
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  const trouble =
    there instanceof Error
      ? there.code === 'ENOENT'
        ? 'does not exist'
        : `cannot be read (${there.code ?? there.message})`
      : there.isDirectory()
        ? undefined
        : 'is no folder'
  if (trouble) throw new InputError(`workdir: "${folder}" ${trouble}`, { hint: 'name the folder to upload' })
}
