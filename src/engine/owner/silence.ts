/** Waiting while another controller makes or removes a deployment, for as long as it lives. */
import { RemoteError } from '../../core/errors.ts'
import { Staleness } from '../../lib/staleness.ts'
import { writerIsDead } from '../../lib/temp-name.ts'
import { currentKey } from '../../wire/layout.ts'
import { CURRENT, type CurrentRecord } from '../../wire/records.ts'
import { isStoreError } from '../../wire/store.ts'
import { type Read, readRecord } from '../../wire/swap.ts'
import { type Engine, hasNoStore, type Place } from '../deployment.ts'

/**
 * A store of its own that does not answer is only coming, or goes: making it waits for it, and finds out who was first. One that all share may not
 * have been needed yet.
 */
export async function currentOf(place: Pick<Place, 'cloud' | 'store' | 'id'>): Promise<Read<CurrentRecord> | undefined> {
  return readRecord(CURRENT, place.store, currentKey(place.id)).catch((error: unknown) => {
    if (hasNoStore(place, error) || isUnused(place, error)) return undefined
    throw error
  })
}

/** The account has had no deployment yet. */
export function isUnused({ cloud }: Pick<Place, 'cloud'>, error: unknown): boolean {
  return cloud.storeSetup !== undefined && !cloud.isOwn && isStoreError(error, 'gone')
}

/**
 * Waits while somebody makes or removes what this record is of, as long as signs of life come within `patience` (milliseconds; see
 * `heardOf`). Resolves to the record as it was last where that controller is dead, or `most` milliseconds are over: its work is to be undone, as
 * long as the record is that one. `undefined`: it has come to its end.
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
 * The next sign of life of the maker or remover of what this record is of: the record as renewed by it. `done`: it has come to its end.
 * `silent`: nothing came for `patience` (milliseconds), or for what that controller had for its own TTL, where that is longer; or its
 * process is known to be dead on this very host.
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

/** Finds or makes a deployment: `undefined` from a round means that another controller was faster, and that it is time to look again. */
export async function untilOurs<T>(name: string, round: () => Promise<T | undefined>): Promise<T> {
  for (let rounds = 0; rounds < ROUNDS; rounds += 1) {
    const outcome = await round()
    if (outcome !== undefined) return outcome
  }
  throw new RemoteError(`run "${name}" keeps changing hands`, {
    hint: 'is another command creating and removing it again and again?',
  })
}
