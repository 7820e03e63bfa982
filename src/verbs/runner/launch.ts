/** Starts runners, and waits until they are online; those that do not come are given back. */
import { describeError, refuse } from '../../core/errors.ts'
import { EXIT } from '../../core/exit-codes.ts'
import type { Forge, ForgeDescriptor } from '../../core/forge.ts'
import { changeRecord } from '../../engine/change-record.ts'
import { type Deployment, isOwn, noteOnline, type Place } from '../../engine/deployment.ts'
import { again } from '../../engine/destroy/compute.ts'
import { destroy } from '../../engine/destroy/destroy.ts'
import { orLate } from '../../lib/abort.ts'
import { messageOf } from '../../lib/text.ts'
import { progress } from '../../report/progress.ts'
import { fetchArchive, staysAtForge } from '../../runner/archive.ts'
import { type CreateParts, createRunners, machineRequest, runnerDraft } from '../../runner/create.ts'
import { untilOnline } from '../../runner/online.ts'
import { labelsFor, type RunnerModeRequest } from '../../runner/request.ts'
import { currentKey } from '../../wire/layout.ts'
import { CURRENT, type Relaunch } from '../../wire/records.ts'
import type { RunnerSpec } from '../../wire/spec.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { undisturbed, type VerbContext } from '../shared/context.ts'
import { priceIn } from '../shared/price.ts'
import { isAtWork, stayWords } from './at-work.ts'
import { openForge } from './forge.ts'
import { tellAll } from './launch-report.ts'
import { HURRIED, unregisterAround } from './unregister.ts'

export interface Launch {
  readonly place: Place
  readonly access: StoreAccess
  readonly request: RunnerModeRequest
  readonly descriptor: ForgeDescriptor
  readonly forge: Forge
  /** Settings of runners that are started again, with the labels that waiting jobs name. */
  readonly relaunch?: Relaunch
  readonly earlier?: CreateParts['earlier']
  /** That of the earlier launch: its jobs name it when they run again. */
  readonly label?: string | undefined
  /** See `CreateParts`. */
  readonly shown?: CreateParts['shown']
}

/** Throws InputError for what no machine of the cloud can be. */
export async function refuseUnfit(
  context: VerbContext,
  {
    place,
    access,
    request,
    descriptor,
    forge,
    relaunch,
  }: Pick<Launch, 'place' | 'access' | 'request' | 'descriptor' | 'forge' | 'relaunch'>,
): Promise<void> {
  const { engine, owner } = context
  const drafted = {
    request,
    origin: owner.origin,
    agent: await context.agent(),
    forge,
    forgeId: descriptor.id,
    usualImage: descriptor.image,
  }
  const draft = runnerDraft({ id: place.id, name: place.name, incarnation: '' }, drafted, engine.clock.date().toISOString())
  const labels = relaunch?.labels ?? labelsFor(request, descriptor)
  refuse(await place.cloud.faults(machineRequest(draft, { ...drafted, storeAccess: access, labels })))
}

/** `undefined`: another command was faster; it is its deployment now. */
export async function launch(
  context: VerbContext,
  { place, access, request, descriptor, forge, relaunch, earlier, label, shown }: Launch,
): Promise<{ d: Deployment; spec: RunnerSpec } | undefined> {
  const { engine, host, signals, owner } = context
  const agent = await context.agent()
  const download = await forge.download(request)
  if (download.warning !== undefined) host.warn(download.warning)
  const own = isOwn(place.cloud, access)
  const there = staysAtForge(download, { own, image: request.image, usual: descriptor.image })
  const archive = there ? Promise.resolve(there) : fetchArchive(engine, download, signals.first)
  // Awaited where it is needed; a failure before that must not be reported as unhandled.
  archive.catch(() => undefined)
  const afterwards = async (): Promise<Forge> => openForge(undisturbed(context), descriptor, { scope: forge.scope })
  const parts: CreateParts = {
    request,
    origin: owner.origin,
    agent,
    forge,
    forgeId: descriptor.id,
    usualImage: descriptor.image,
    storeAccess: access,
    labels: relaunch?.labels ?? labelsFor(request, descriptor, label),
    archive,
    signal: signals.first,
    ...(relaunch ? { relaunch } : {}),
    earlier,
    ...(shown && { shown }),
    afterwards,
  }
  return host.section(`Create (${place.cloudId})`, async () => createRunners(engine, place, parts))
}

/** Milliseconds after an interrupt for asking whether a runner has a job. A CI host kills this process about 10 s after it has cancelled its job. */
const ASKING = 3000

interface Arrival {
  readonly attached: boolean
  /** Seconds to wait. */
  readonly seconds: number
  /** The caller reports the result. */
  readonly quiet: boolean
  /** For runners that jobs wait for: their settings stay on record if they do not come. */
  readonly relaunch?: Relaunch
}

/** Waits until all are online; if they cannot come, everything is given back, unless one of them has a job already. */
export async function arrive(
  context: VerbContext,
  { d, spec }: { readonly d: Deployment; readonly spec: RunnerSpec },
  forge: Forge,
  { attached, seconds, quiet, relaunch }: Arrival,
): Promise<number> {
  const { engine, host, signals, values } = context
  const watcher = progress(host, { count: spec.count, clock: engine.clock, verbose: values.verbose })
  try {
    const price = priceIn(context, d)
    // If runners are started again because jobs wait for them, some are better than none.
    const limits = { seconds, signal: signals.first, some: relaunch !== undefined }
    const online = await host.section('Wait for runners', async () => untilOnline(engine, d, spec, forge, watcher, limits))
    host.status('')
    if (online.missing) host.warn(`${describeError(online.missing)}; the others stay, and serve the jobs that wait`)
    else {
      // Says that the launch is complete, which machines show to their jobs. If one is missing, it is not.
      await noteOnline(d, engine.clock.date().toISOString(), await price()).catch((error: unknown) => host.debug(describeError(error)))
    }
    if (!quiet) await tellAll(context, d, spec, online, attached)
    return EXIT.ok
  } catch (error) {
    host.status('')
    if (attached) throw error
    if (await orLate(isAtWork(context, d, spec), signals.first, ASKING).catch(() => false)) {
      host.warn(stayWords(d, spec))
      host.state.set('ended', 'true')
      throw error
    }
    await host.section('Clean up', async () => {
      const warn = (problem: unknown): void => host.warn(`${d.name}: ${describeError(problem)}`)
      if (relaunch) await changeRecord(CURRENT, d.store, currentKey(d.id), (now) => now && { ...now, relaunch }).catch(warn)
      const end = async (): Promise<unknown> => destroy(engine, d, { why: 'unneeded', leave: relaunch !== undefined })
      const given = unregisterAround(undisturbed(context), d, spec.runner, end, HURRIED)
      await given.then(
        () => {
          host.info(`${d.name}: everything is given back`)
          host.state.set('ended', 'true')
        },
        // Only a warning, because the command ends with the reason why the runners did not come.
        (problem: unknown) => {
          const rest = relaunch ? again(d, true) : `run: \`tpi destroy ${d.id} --discard\``
          host.warn(`${d.name}: ${messageOf(problem)}; ${rest}`)
        },
      )
    })
    throw error
  }
}
