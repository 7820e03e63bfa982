/** Waiting while another controller makes or removes a deployment, as long as that controller is alive. */
import { RemoteError } from '../../core/errors.ts'
import { Staleness } from '../../lib/staleness.ts'
import { writerIsDead } from '../../lib/temp-name.ts'
import type { CurrentRecord } from '../../wire/records.ts'
import { isStoreError } from '../../wire/store.ts'
import type { Read } from '../../wire/swap.ts'
import { type Engine, hasNoStore, type Place } from '../deployment.ts'
import { readCurrent } from '../find.ts'

/**
 * A store of its own that does not answer is being created or removed: creating it waits for it, and finds out who was first. A shared one may not
 * exist yet, because nobody has needed it.
 */
export async function currentOf(place: Pick<Place, 'cloud' | 'store' | 'id'>): Promise<Read<CurrentRecord> | undefined> {
  return readCurrent(place.store, place.id).catch((error: unknown) => {
    if (hasNoStore(place, error) || isUnused(place, error)) return undefined
    throw error
  })
}

/** The account has had no deployment yet. */
export function isUnused({ cloud }: Pick<Place, 'cloud'>, error: unknown): boolean {
  return cloud.storeSetup !== undefined && !cloud.isOwn && isStoreError(error, 'gone')
}

/**
 * Waits while another controller makes or removes the deployment of this record, as long as signs of life come within `patience` (milliseconds; see
 * `heardOf`). Resolves to the last record if that controller is dead, or `most` milliseconds are over: its work must be undone, as
 * long as that is still the record. `undefined`: it has finished.
 */
export async function abandoned(
  engine: Engine,
  place: Place,
  current: Read<CurrentRecord>,
  patience: number,
  most = Number.POSITIVE_INFINITY,
): Promise<Read<CurrentRecord> | undefined> {
  const until = engine.clock.now() + most
  const what = current.value.state === 'making' ? 'being created' : 'being removed'
  engine.host.info(`${place.name} is ${what} by another command: waiting for it`)
  for (let last = current; ; ) {
    const heard = await heardOf(engine, place, last, patience, until - engine.clock.now())
    if (heard === 'done') return undefined
    if (heard === 'silent') {
      engine.host.info(`that command is gone: removing what it left of ${place.name}`)
      return last
    }
    last = heard
  }
}

/**
 * The next sign of life of the maker or remover of this record's deployment: the record as renewed by it. `done`: it has finished.
 * `silent`: nothing came for `patience` (milliseconds), or for that controller's own TTL, if that is longer; or its
 * process, on this host, is known to be dead.
 */
export async function heardOf(
  engine: Engine,
  place: Place,
  { value: { incarnation, nonce, process, ttl = 0 } }: Read<CurrentRecord>,
  patience: number,
  most = Number.POSITIVE_INFINITY,
): Promise<Read<CurrentRecord> | 'done' | 'silent'> {
  const unchanged = new Staleness()
  const limit = Math.min(Math.max(patience, ttl), most)
  for (let at = engine.clock.now(); unchanged.for(place.id, nonce, at) < limit; ) {
    if (process !== undefined && writerIsDead(process)) return 'silent'
    await engine.clock.sleep(Math.min(500, patience / 4))
    at = engine.clock.now()
    const now = await currentOf(place)
    if (now?.value.incarnation !== incarnation || now.value.state === 'open') return 'done'
    if (now.value.nonce !== nonce) return now
  }
  return 'silent'
}

/** Rounds of "somebody else was faster" before we give up. */
const ROUNDS = 20

/** Finds or makes a deployment. If a round returns `undefined`, another controller was faster, and the next round looks again. */
export async function untilOurs<T>(name: string, round: () => Promise<T | undefined>): Promise<T> {
  for (let rounds = 0; rounds < ROUNDS; rounds += 1) {
    const outcome = await round()
    if (outcome !== undefined) return outcome
  }
  throw new RemoteError(`run "${name}" keeps changing hands`, {
    hint: 'is another command creating and removing it again and again?',
  })
}
