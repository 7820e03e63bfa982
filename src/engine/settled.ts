/** Whose a name is: what the record of a deployment says, and waiting while another controller makes or removes it. */
import { RemoteError } from '../core/errors.ts'
import { currentKey } from '../wire/layout.ts'
import type { CurrentRecord } from '../wire/records.ts'
import type { Engine, Place } from './deployment.ts'
import { hasNoStore } from './destroy.ts'
import { type Read, readRecord } from './record.ts'

/** A store of its own that does not answer is only coming, or goes: making it waits for it, and finds out who was first. */
export async function currentOf(place: Place): Promise<Read<CurrentRecord> | undefined> {
  return readRecord<CurrentRecord>(place.store, currentKey(place.id)).catch((error: unknown) => {
    if (hasNoStore(place, error)) return undefined
    throw error
  })
}

/**
 * Waits while somebody makes or removes what this record is of, as long as signs of life come within `ttl` (milliseconds).
 * `false`: that controller is dead, and its work is to be undone.
 */
export async function settled(engine: Engine, place: Place, current: Read<CurrentRecord>, ttl: number): Promise<boolean> {
  const { incarnation, creating } = current.value
  const what = creating ? 'being created' : 'being removed'
  engine.host.info(`${place.name} is ${what} by another controller: waiting for it`)
  let { nonce } = current.value
  for (let until = engine.clock.now() + ttl; engine.clock.now() < until; ) {
    await engine.clock.sleep(Math.min(500, ttl / 4))
    const now = (await currentOf(place))?.value
    if (now?.incarnation !== incarnation || !(now.creating || now.destroying)) return true
    if (now.nonce !== nonce) until = engine.clock.now() + ttl
    nonce = now.nonce
  }
  engine.host.info(`that controller is gone: what it left of ${place.name} has to go`)
  return false
}

/** Rounds of "somebody else was faster" before we give up. */
const ROUNDS = 20

/** Finds or makes a deployment: `undefined` from a round means that another controller was faster, and that it is time to look again. */
export async function untilOurs<T>(name: string, round: () => Promise<T | undefined>): Promise<T> {
  for (let rounds = 0; rounds < ROUNDS; rounds += 1) {
    const outcome = await round()
    if (outcome !== undefined) return outcome
  }
  throw new RemoteError(`deployment "${name}" keeps changing hands`, { hint: 'is another command creating and removing it all the time?' })
}
