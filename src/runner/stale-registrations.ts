/** tpi's registrations at a forge whose machine is gone: found by their names, so also those of deployments that are not known here. */
import { TpiError } from '../core/errors.ts'
import type { Forge, RunnerInfo } from '../core/forge.ts'
import { runnerFamily } from './names.ts'

/** Milliseconds from the first look until a second one may remove the registration: longer than any machine takes to start. */
const SECOND_LOOK = 60 * 60_000
/** Milliseconds for which the first look counts: long enough for one sweep a week. */
const FIRST_LOOK = 8 * 24 * 60 * 60_000

export interface StaleRegistration {
  readonly id: string
  readonly name: string
  /** It has been without a machine for long enough to be removed. */
  readonly due: boolean
  readonly removed: boolean
  /** Why it could not be removed. */
  readonly fault?: TpiError
}

/**
 * Finds such registrations, and with `remove` removes those that two looks have found, an hour or more apart. The first look is noted at
 * the forge, so that the second may come from another computer; the note is removed once a machine is seen. While one runner of a launch is
 * online, all registrations of that launch are kept; so are those whose names start with one of `living`.
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
    // Looked up again by its id, because the list may be outdated.
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

/** What is said of a registration that cannot be checked or removed: that must not keep the others from being removed. */
function withFault({ id, name }: RunnerInfo, error: unknown): StaleRegistration {
  if (!(error instanceof TpiError)) throw error
  return { id, name, due: true, removed: false, fault: error }
}

function alive({ online, busy }: RunnerInfo): boolean {
  return online || busy
}
