/** What an instance does by itself: it notices its end, uses its own identity, and leaves its group. */
import { pause } from '../../lib/clock.ts'
import { GoogleMetadata } from '../../vendors/google/metadata.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { MachineSide, Notice } from '../../wire/machine-side.ts'
import { garLogin } from './image-registry.ts'
import { answers, remove } from './leave.ts'
import { standbyOf } from './spot-standby.ts'

/** Least milliseconds between two requests that were answered at once. */
const LEAST = 1000
/** Seconds between the power button and the end of power: https://docs.cloud.google.com/compute/docs/instances/spot#preemption-process */
const SHUTDOWN = 30

const metadataOf = ({ side = {} }: MachineConfig): GoogleMetadata => new GoogleMetadata(side['metadata'])

interface Source {
  readonly path: string
  readonly is: (text: string) => boolean
  readonly notice: (config: MachineConfig) => Notice
}

/**
 * A preemption. It is announced when the vendor presses the power button, or, if the template asks for that, as much earlier (setting `notice`). The
 * seconds between button and end are not counted in that.
 * https://docs.cloud.google.com/compute/docs/instances/create-use-spot#detect-preemption
 */
const PREEMPTION: Source = {
  path: 'instance/preempted',
  is: (text) => text.trim().toUpperCase() === 'TRUE',
  notice: ({ side }) => ({ kind: 'reclaim', seconds: Number(side?.['notice'] ?? SHUTDOWN) }),
}

/**
 * Maintenance of the host, which ends machines that cannot move to another one (those with a GPU). One page promises an hour; by the other, the value
 * may change only a minute before. A machine that can move has nothing to do.
 * https://docs.cloud.google.com/compute/docs/gpus/gpu-host-maintenance ·
 * https://docs.cloud.google.com/compute/docs/metadata/getting-live-migration-notice
 */
const MAINTENANCE: Source = {
  path: 'instance/maintenance-event',
  is: (text) => text.trim() === 'TERMINATE_ON_HOST_MAINTENANCE',
  notice: () => ({ kind: 'reclaim', seconds: 3600, atMost: true, sure: 60 }),
}

const SOURCES = [PREEMPTION, MAINTENANCE]

/** Resolves to the notice when it comes, or to `undefined` after the signal. */
async function comes(config: MachineConfig, { path, is, notice }: Source, signal: AbortSignal): Promise<Notice | undefined> {
  const metadata = metadataOf(config)
  // The service answers when its state differs from this one, so it answers the first request at once.
  let etag = '0'
  while (!signal.aborted) {
    const asked = performance.now()
    // If the service does not answer for a moment, it is asked again.
    const found = await metadata.changed(path, { etag }, signal).catch(() => undefined)
    if (found && is(found.text)) return notice(config)
    etag = found?.etag ?? etag
    if (performance.now() - asked < LEAST) await pause(LEAST, signal).catch(() => undefined)
  }
  return undefined
}

async function* notices(config: MachineConfig, signal: AbortSignal): AsyncGenerator<Notice> {
  const waiting = new Map(SOURCES.map((source) => [source, comes(config, source, signal).then((notice) => ({ source, notice }))]))
  while (waiting.size > 0) {
    const { source, notice } = await Promise.race(waiting.values())
    waiting.delete(source)
    if (notice) yield notice
  }
  while (!signal.aborted) await pause(60_000, signal).catch(() => undefined)
}

/**
 * The power button was pressed: only these seconds of the announced time are left. No page says how many they are at maintenance; as many as at a
 * preemption are assumed.
 */
async function endAsked(config: MachineConfig): Promise<Notice | undefined> {
  const metadata = metadataOf(config)
  const says = async ({ path, is }: Source): Promise<boolean> => is((await metadata.get(path)) ?? '')
  const ends = (await says(PREEMPTION)) || (await says(MAINTENANCE))
  return ends ? { kind: 'reclaim', seconds: SHUTDOWN } : undefined
}

/** Types and zones come with their whole paths. https://docs.cloud.google.com/compute/docs/metadata/predefined-metadata-keys */
async function about(config: MachineConfig): Promise<string | undefined> {
  const metadata = metadataOf(config)
  const says = async (path: string): Promise<string | undefined> => (await metadata.get(`instance/${path}`))?.trim().split('/').at(-1)
  const [type, preemptible, zone] = await Promise.all(['machine-type', 'scheduling/preemptible', 'zone'].map(says))
  // Spot machines also say that they are preemptible.
  const market = preemptible && (preemptible.toUpperCase() === 'TRUE' ? 'spot' : 'on-demand')
  return [type, market, zone].filter(Boolean).join(', ') || undefined
}

export const side: MachineSide = {
  notices,
  endAsked,
  about,
  storeCredentials: async (config) => metadataOf(config).token(),
  registryLogin: async (config, host) => garLogin(metadataOf(config), host),
  leave: async (config, why, open) => remove(config, why, open, metadataOf(config)),
  standby: (config) => standbyOf(config, metadataOf(config)),
  mayLeave: answers,
  // https://cloud.google.com/compute/docs/disks/disk-symlinks
  localDisks: /^by-id\/google-local-(?:nvme-)?ssd-\d+$/,
}
