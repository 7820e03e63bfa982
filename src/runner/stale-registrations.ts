/** tpi's registrations whose machine is gone, recognized by their names, so also those of deployments that are unknown here. */
import { TpiError } from '../core/errors.ts'
import type { Forge, RunnerInfo } from '../core/forge.ts'
import { runnerFamily } from './names.ts'

/** Milliseconds between the first look and the one after which a registration goes: longer than a machine takes to come. */
const SECOND_LOOK = 60 * 60_000
/** Milliseconds for which the first look counts: one sweep a week is enough. */
const FIRST_LOOK = 8 * 24 * 60 * 60_000

export interface StaleRegistration {
  readonly id: string
  readonly name: string
  /** The second look is due: it goes. */
  readonly due: boolean
  readonly removed: boolean
  /** Why it could not go. */
  readonly fault?: TpiError
}

/**
 * In two looks, an hour apart or more: nothing dies at first sight. What the first one saw is noted at the forge, so that the second may be
 * from anywhere; it is taken back once a machine is seen. A registration waits its turn while a sibling of the same launch serves: then all
 * of them stay.
 */
export async function staleRegistrations(
  forge: Forge,
  living: readonly string[],
  now: Date,
  remove: boolean,
): Promise<readonly StaleRegistration[]> {
  const ours = (await forge.runners('tpi-')).filter(({ name }) => runnerFamily(name))
  const serving = new Set(ours.filter(alive).map(({ name }) => runnerFamily(name)))
  const takeBack = async ({ id, noticed }: RunnerInfo): Promise<void> => {
    if (remove && noticed !== undefined) await forge.notice(id, undefined)
  }
  const look = async (listed: RunnerInfo): Promise<StaleRegistration | undefined> => {
    const { id, name } = listed
    if (serving.has(runnerFamily(name)) || living.some((prefix) => name.startsWith(prefix))) {
      await takeBack(listed)
      return undefined
    }
    // By its id, and just now: a list may be old.
    const one = await forge.one(id)
    if (!one) return undefined
    const age = one.noticed === undefined ? undefined : now.getTime() - one.noticed
    if (alive(one) || (age ?? 0) > FIRST_LOOK) await takeBack(one)
    if (alive(one)) return undefined
    const due = age !== undefined && age >= SECOND_LOOK && age <= FIRST_LOOK
    if (remove && (age === undefined || age > FIRST_LOOK)) await forge.notice(id, now)
    return { id, name, due, removed: remove && due && (await forge.evict(id)) !== 'busy' }
  }
  const found: StaleRegistration[] = []
  for (const listed of ours) {
    const stale = await look(listed).catch((error: unknown) => withFault(listed, error))
    if (stale) found.push(stale)
  }
  return found
}

/** One that cannot be looked at, or stays for ever, keeps none of the others. */
function withFault({ id, name }: RunnerInfo, error: unknown): StaleRegistration {
  if (!(error instanceof TpiError)) throw error
  return { id, name, due: true, removed: false, fault: error }
}

function alive({ online, busy }: RunnerInfo): boolean {
  return online || busy
}
