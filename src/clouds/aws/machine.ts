/** What a machine does by itself: it notices its end, uses its own identity, and leaves its group. */
import { pause } from '../../lib/clock.ts'
import { object, text, time } from '../../lib/shape.ts'
import { Imds } from '../../vendors/aws/imds.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { MachineSide, Notice } from '../../wire/machine-side.ts'
import { parseShape } from '../../wire/parse.ts'
import { hasTwin } from '../vm/spot-standby.ts'
import { ecrLogin } from './image-registry.ts'
import { remove } from './leave.ts'
import { answers, type KeySource } from './machine-call.ts'
import { endAll, standbyOf } from './spot-standby.ts'

/** Milliseconds between two looks. AWS recommends at most five seconds, and there are only two minutes of notice. */
const LOOK = 1000

/** By endpoint: one client for the whole process starts only one session. */
const services = new Map<string | undefined, Imds>()

function imdsOf({ side = {} }: MachineConfig): Imds {
  const url = side['metadata']
  const known = services.get(url) ?? new Imds(url)
  services.set(url, known)
  return known
}

interface InstanceAction {
  readonly action: string
  readonly time: string
}

const instanceAction = object<InstanceAction>({ action: text(64), time })

/**
 * A reclaim that EC2 has announced: it stops, hibernates or terminates the instance at the given time.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
 */
async function reclaim(imds: Imds): Promise<Notice | undefined> {
  const said = await imds.get('meta-data/spot/instance-action')
  return said === undefined ? undefined : { kind: 'reclaim', at: imds.time.here(parseShape(instanceAction, said).time) }
}

/**
 * The group has decided to end this instance: scale-in, a scheduled action, its removal.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/retrieving-target-lifecycle-state-through-imds.html
 */
async function dismissal(imds: Imds): Promise<Notice | undefined> {
  const state = await imds.get('meta-data/autoscaling/target-lifecycle-state')
  return state?.trim() === 'Terminated' ? { kind: 'reclaim' } : undefined
}

/**
 * The instance has a higher risk of being reclaimed; work goes on. A reclaim may come with it, long after it, or never.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html
 */
async function risk(imds: Imds): Promise<Notice | undefined> {
  const said = await imds.get('meta-data/events/recommendations/rebalance')
  return said === undefined ? undefined : { kind: 'risk' }
}

async function* notices(config: MachineConfig, signal: AbortSignal): AsyncGenerator<Notice> {
  const imds = imdsOf(config)
  const sources = new Set([reclaim, dismissal, risk])
  while (!signal.aborted) {
    for (const source of sources) {
      // If the service does not answer for a moment, earlier notices still hold.
      const notice = await source(imds).catch(() => undefined)
      if (!notice) continue
      sources.delete(source)
      yield notice
    }
    await pause(LOOK, signal).catch(() => undefined)
  }
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-categories.html */
async function about(config: MachineConfig): Promise<string | undefined> {
  const imds = imdsOf(config)
  const paths = ['instance-type', 'instance-life-cycle', 'placement/availability-zone']
  const said = await Promise.all(paths.map(async (path) => imds.get(`meta-data/${path}`)))
  return said.flatMap((one) => one?.trim() || []).join(', ') || undefined
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-metadata.html (instance-life-cycle) */
const isOnDemand = async (imds: Imds): Promise<boolean> =>
  (await imds.get('meta-data/instance-life-cycle').catch(() => undefined))?.trim() === 'on-demand'

function keysOf(config: MachineConfig): KeySource {
  return async () => (await imdsOf(config).roleCredentials()).credentials
}

export const side: MachineSide = {
  notices,
  // The system is shutting down: the reason and the time are known if the end was announced.
  endAsked: async (config) => (await reclaim(imdsOf(config))) ?? (await dismissal(imdsOf(config))),
  storeCredentials: async (config) => imdsOf(config).roleCredentials(),
  registryLogin: async (config, host) => ecrLogin(config, host, keysOf(config)),
  async leave(config, why, open) {
    // The last one to leave ends both groups first, so that the other one starts no more machines. A sibling that is still saving its work
    // at a stop must not be cut off.
    if (why === 'done' && hasTwin(config) && (await open?.())?.open === 0) await endAll(config, keysOf(config))
    await remove(config, why, keysOf(config))
  },
  standby: (config) => standbyOf(config, keysOf(config), async () => isOnDemand(imdsOf(config))),
  mayLeave: answers,
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ssd-instance-store.html
  localDisks: /^by-id\/nvme-Amazon_EC2_NVMe_Instance_Storage_/,
  about,
}
