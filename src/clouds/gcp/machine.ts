/** What an instance does by itself: hears of its end, has an identity of its own, leaves its group. */
import { pause } from '../../lib/clock.ts'
import { GoogleMetadata } from '../../lib/google/metadata.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { MachineSide, Notice } from '../../wire/machine-side.ts'
import { garLogin } from './image-registry.ts'
import { answers, remove } from './leave.ts'
import { standbyOf } from './spot-standby.ts'

/** Milliseconds between two questions that were answered at once. */
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
 * A preemption, which says so as the power button is pressed, or as long before as the template asks for, and then there are those seconds too:
 * https://docs.cloud.google.com/compute/docs/instances/create-use-spot#detect-preemption
 */
const PREEMPTION: Source = {
  path: 'instance/preempted',
  is: (text) => text.trim().toUpperCase() === 'TRUE',
  notice: ({ side }) => ({ kind: 'reclaim', seconds: Number(side?.['notice'] ?? SHUTDOWN) }),
}

/**
 * Maintenance of the host for which a machine that cannot move (one with a GPU) is ended; one that can moves, and nothing has to be done:
 * https://docs.cloud.google.com/compute/docs/metadata/getting-live-migration-notice
 */
const MAINTENANCE: Source = {
  path: 'instance/maintenance-event',
  is: (text) => text.trim() === 'TERMINATE_ON_HOST_MAINTENANCE',
  notice: () => ({ kind: 'reclaim' }),
}

const SOURCES = [PREEMPTION, MAINTENANCE]

/** Resolves to the notice once there is one; after the signal, to nothing. */
async function comes(config: MachineConfig, { path, is, notice }: Source, signal: AbortSignal): Promise<Notice | undefined> {
  const metadata = metadataOf(config)
  // The state that no answer has: the first one comes at once.
  let etag = '0'
  while (!signal.aborted) {
    const asked = performance.now()
    // A service that is silent for a moment has taken nothing back.
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

/** The power button has been pressed: of what was announced before, these seconds are left. */
async function endAsked(config: MachineConfig): Promise<Notice | undefined> {
  const metadata = metadataOf(config)
  const says = async ({ path, is }: Source): Promise<boolean> => is((await metadata.get(path)) ?? '')
  if (await says(PREEMPTION)) return { kind: 'reclaim', seconds: SHUTDOWN }
  return (await says(MAINTENANCE)) ? MAINTENANCE.notice(config) : undefined
}

/** Types and zones are said with all that they are in. https://docs.cloud.google.com/compute/docs/metadata/predefined-metadata-keys */
async function about(config: MachineConfig): Promise<string | undefined> {
  const metadata = metadataOf(config)
  const says = async (path: string): Promise<string | undefined> => (await metadata.get(`instance/${path}`))?.trim().split('/').at(-1)
  const [type, preemptible, zone] = await Promise.all(['machine-type', 'scheduling/preemptible', 'zone'].map(says))
  // Spot machines say that they are, too.
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
