/** The first upload of a work directory, planned and reported before anything is created. */
import { access, constants, opendir, stat } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'
import { InputError } from '../../core/errors.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { resolved } from '../../lib/paths.ts'
import { plural } from '../../lib/text.ts'
import { readingTrouble } from '../../options/sources/assignment.ts'
import { holdsCredential } from '../../options/sources/environment.ts'
import { makeRoomAfter } from '../../snapshot/memory.ts'
import { describeTree } from '../../snapshot/save/describe.ts'
import { storeFolder } from '../../stores/registry.ts'
import type { TaskRequest } from '../../task/request.ts'
import { contentFingerprint, contentIdentity } from '../../task/workdir/content-identity.ts'
import { reportLines, type WorkdirReport, weightLine } from '../../task/workdir/report.ts'
import { linkConcern, unsure, workdirConcern } from '../../task/workdir/unlikely-folder.ts'
import { selectWorkdir, type UploadPlan } from '../../task/workdir/what-is-uploaded.ts'
import type { Store } from '../../wire/store.ts'
import type { VerbContext } from '../shared/context.ts'
import { withoutRepository } from '../shared/repository-here.ts'

/** Bytes that are uploaded at most if no work directory was named. */
const MOST_UNASKED = 500e6

export async function uploadPlan(context: VerbContext, request: TaskRequest, store: Store | undefined): Promise<UploadPlan | undefined> {
  const { workdir } = request
  if (workdir === undefined) {
    tellWhyNothing(context)
    return undefined
  }
  await needFolder(workdir)
  // The user may name a link to it.
  const folder = resolved(workdir)
  const { output, exclude, git, yes } = request
  const { cwd, env, signals } = context
  const away = yes ? undefined : linkConcern(workdir, folder, cwd)
  if (away !== undefined) throw unsure('workdir', away)
  const stays = ownPlaces(context, store)
  const chosen = await selectWorkdir({ folder, output, exclude, git, stays, env, yes, signal: signals.first })
  if (chosen.needsYes !== undefined) throw unsure('workdir', chosen.needsYes)
  const { report } = chosen
  makeRoomAfter(report.files)
  const unasked = context.values.workdir === undefined
  if (unasked && report.bytes > MOST_UNASKED) throw tooMuch(folder, report)
  for (const line of [...reportLines(report), ...report.notices.map((notice) => `  ${notice}`)]) context.host.info(line)
  if (unasked && report.files > 0)
    context.host.info('  this is the current folder: `workdir: DIR` uploads another one, `workdir: none` nothing')
  if (git !== false && !chosen.paths.includes('.git')) {
    const hint = await withoutRepository(context, folder)
    if (hint !== undefined) context.host.info(`  ${hint}`)
  }
  for (const warning of report.warnings) context.host.warn(warning)
  return {
    folder,
    size: { files: report.files, bytes: report.bytes },
    leftOut: report.leftOut,
    select: chosen.select,
    paths: chosen.paths,
    overlay: chosen.overlay,
    describe: async () => describeTree({ folder, select: chosen.select, overlay: chosen.overlay }, context.signals.first),
    identity: async (manifest) => (manifest ? contentIdentity(manifest) : contentFingerprint(folder, chosen, context.signals.first)),
  }
}

/** A user who did not ask for that should know why nothing is uploaded. */
function tellWhyNothing({ host, values, cwd, env }: VerbContext): void {
  const concern = values.workdir === undefined ? workdirConcern(cwd, env) : undefined
  if (concern !== undefined) host.info(`nothing is uploaded: ${concern}; \`workdir: DIR\` uploads another folder`)
}

/**
 * Places that are never uploaded, with what they are. Login tools leave credential files anywhere, even in the checked-out folder. And files that
 * this command writes must not make the same command look different the next time.
 */
function ownPlaces({ cwd, engine, env, values }: VerbContext, store: Store | undefined): ReadonlyMap<string, string> {
  const storage = store && storeFolder(store.url)
  const named = Object.entries(env).flatMap(([name, value]) => (value && holdsCredential(name) ? [[name, value] as const] : []))
  return new Map([
    ...(storage === undefined ? [] : [[storage, 'the storage of runs'] as const]),
    [engine.home, 'TPI_HOME, where runs are kept'],
    ...[values['outputs-file'], values.report].flatMap((path) => (path ? [[resolve(cwd, path), 'this command writes it'] as const] : [])),
    ...values['secrets-file'].map((path) => [resolve(cwd, path), 'it holds secrets, and the script gets them without it'] as const),
    ...named.flatMap(([name, value]) =>
      value.split(delimiter).flatMap((path) => (path ? [[resolve(cwd, path), `a credential, named by ${name}`] as const] : [])),
    ),
  ])
}

function tooMuch(folder: string, { files, bytes, largest }: WorkdirReport): InputError {
  const most = largest.filter((item) => item.bytes * 20 > bytes).map(weightLine)
  return new InputError(
    `workdir: not given, and "${folder}" would send ${formatBytes(bytes)} in ${plural(files, 'file')}${most.length === 0 ? '' : `; the largest: ${most.join(', ')}`}`,
    {
      hint: `\`exclude: PATH\` or a .tpiignore leaves things out, \`workdir: .\` sends all of it, \`workdir: none\` nothing; without workdir, at most ${formatBytes(MOST_UNASKED)} are sent`,
    },
  )
}

async function needFolder(folder: string): Promise<void> {
  const trouble = await folderTrouble(folder).catch(readingTrouble)
  if (trouble)
    throw new InputError(`workdir: "${folder}" ${trouble}`, { hint: 'give the folder to upload, which this user must be able to read' })
}

async function folderTrouble(folder: string): Promise<string | undefined> {
  if (!(await stat(folder)).isDirectory()) return 'is not a folder'
  await (await opendir(folder)).close()
  // Without it, nothing in the folder can be opened.
  await access(folder, constants.X_OK)
  return undefined
}
