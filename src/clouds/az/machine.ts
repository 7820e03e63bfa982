/** What a machine does by itself: it notices its end, uses its own identity, and leaves its group. */

import { pause } from '../../lib/clock.ts'
import { BLOBS, machineToken } from '../../vendors/azure/login.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { MachineSide, Notice } from '../../wire/machine-side.ts'
import { acrLogin } from './image-registry.ts'
import { computeOf, eventsOf, isOf, metadataOf, type ScheduledEvent } from './imds.ts'
import { answers, remove } from './leave.ts'
import { standbyOf } from './spot-standby.ts'

/** Milliseconds between two looks: there may be only some seconds of notice. */
const LOOK = 1000
/**
 * Milliseconds that the first request may take, because Azure announces events only after it:
 * https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events#enabling-and-disabling-scheduled-events
 */
const FIRST = 125_000
const LATER = 5000
/** Seconds that are assumed to remain once an event has begun: then it has no time any more. */
const BEGUN = 5
/**
 * Seconds that are assumed to remain at an eviction, whatever time it names: notice is "best effort", up to half a minute
 * (https://learn.microsoft.com/azure/virtual-machines/spot-vms), and often less than ten seconds
 * (https://github.com/Azure/karpenter-provider-azure/issues/1769).
 */
const SURE = 5
/**
 * Milliseconds before an event at which the agent hears of it. Azure announces moves and restarts a quarter of an hour ahead, and failing
 * hardware days ahead: until then, work goes on.
 */
const AHEAD = 120_000

/** Events that take away the machine or its memory; a `Freeze` ends within seconds and loses nothing. */
const ENDS = new Set(['Preempt', 'Terminate', 'Redeploy', 'Reboot'])

/** `undefined`: the event does not end the machine, or not soon. */
function noticeOf({ EventType, NotBefore }: ScheduledEvent): Notice | undefined {
  if (!ENDS.has(EventType)) return undefined
  const at = Date.parse(NotBefore ?? '')
  if (Number.isNaN(at)) return { kind: 'reclaim', seconds: BEGUN }
  if (at - Date.now() > AHEAD) return undefined
  return { kind: 'reclaim', at: new Date(at).toISOString(), ...(EventType === 'Preempt' && { atMost: true, sure: SURE }) }
}

async function* notices(config: MachineConfig, signal: AbortSignal): AsyncGenerator<Notice> {
  const heard = new Set<string>()
  let first = true
  while (!signal.aborted) {
    // If the service does not answer for a moment, earlier notices still hold.
    const events: readonly ScheduledEvent[] = await eventsOf(config, { patience: first ? FIRST : LATER, signal }).then(
      (found) => {
        first = false
        return found
      },
      () => [],
    )
    for (const event of events) {
      const notice = isOf(config, event) && !heard.has(event.EventId) ? noticeOf(event) : undefined
      if (!notice) continue
      heard.add(event.EventId)
      yield notice
    }
    await pause(LOOK, signal).catch(() => undefined)
  }
}

/** The system is shutting down: the reason and the time are known if the end was announced. */
async function endAsked(config: MachineConfig): Promise<Notice | undefined> {
  const events = await eventsOf(config)
  const [notice] = events.filter((event) => isOf(config, event)).flatMap((event) => noticeOf(event) ?? [])
  return notice
}

/** https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service#instance-metadata */
async function about(config: MachineConfig): Promise<string> {
  const { vmSize, priority, location, zone } = await computeOf(config)
  return [vmSize, priority === 'Spot' ? 'spot' : 'on-demand', zone ? `${location}-${zone}` : location].join(', ')
}

const tokenFor = async (resource: string, config: MachineConfig): ReturnType<typeof machineToken> =>
  machineToken(resource, config.side?.['clientId'], metadataOf(config))

export const side: MachineSide = {
  notices,
  endAsked,
  about,
  storeCredentials: async (config) => tokenFor(BLOBS, config),
  registryLogin: async (config, host) => acrLogin(host, async () => tokenFor('https://containerregistry.azure.net', config)),
  leave: remove,
  standby: standbyOf,
  mayLeave: answers,
  // https://learn.microsoft.com/azure/virtual-machines/enable-nvme-temp-faqs, and the resource disk of older sizes, which the image mounts
  localDisks: /^(?:by-id\/nvme-Microsoft_NVMe_Direct_Disk|azure\/local\/|azure\/resource$|cloud\/azure_resource$)/,
}
