/** Waiting for another controller that makes or removes a deployment, as long as it is alive. */
import { RemoteError } from '../../core/errors.ts'
import { Awake } from '../../lib/staleness.ts'
import { writerIsDead } from '../../lib/temp-name.ts'
import { isStoreError } from '../../wire/store.ts'
import { type CurrentRead, type Engine, hasNoStore, type Place, readCurrent } from '../deployment.ts'

/**
 * The deployment's record. `undefined`: there is none, or no store yet. A store of its own that does not answer also counts as none: it is being
 * created or removed, and whoever creates it waits for it and finds out who was first.
 */
export async function currentOf(place: Pick<Place, 'cloud' | 'store' | 'id'>): Promise<CurrentRead | undefined> {
  return readCurrent(place.store, place.id).catch((error: unknown) => {
    if (hasNoStore(place, error) || isUnused(place, error)) return undefined
    throw error
  })
}

/** The error only says that the account's bucket does not exist yet, because no deployment has needed it. */
export function isUnused({ cloud }: Pick<Place, 'cloud'>, error: unknown): boolean {
  return cloud.storeSetup !== undefined && !cloud.isOwn && isStoreError(error, 'gone')
}

/**
 * Waits while another controller makes or removes the deployment of this record, as long as that controller gives signs of life (`heardOf`).
 * `undefined`: it has finished. Otherwise the last record: the controller is dead, or `most` milliseconds are over, and the caller undoes its work
 * if that is still the record.
 */
export async function abandoned(
  engine: Engine,
  place: Place,
  current: CurrentRead,
  patience: number,
  most = Number.POSITIVE_INFINITY,
): Promise<CurrentRead | undefined> {
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

/** Milliseconds that a look at the store may take: after more, this computer has slept. */
const SLOW_LOOK = 10_000

/**
 * Waits for the next sign of life of the controller that makes or removes this record's deployment. Resolves to the record as it has renewed it.
 * `done`: it has finished. `silent`: none came for `patience` milliseconds (or that controller's own TTL, if that is longer), or for `most`
 * milliseconds; or it was a process of this host that is dead.
 */
export async function heardOf(
  engine: Engine,
  place: Place,
  { value: { incarnation, nonce, process, ttl = 0 } }: CurrentRead,
  patience: number,
  most = Number.POSITIVE_INFINITY,
): Promise<CurrentRead | 'done' | 'silent'> {
  const limit = Math.max(patience, ttl)
  const began = engine.clock.now()
  const awake = new Awake(Math.max(limit / 2, SLOW_LOOK), began)
  for (let at = began; ; ) {
    if (at - began >= most || awake.heard(at - began, at) >= limit) return 'silent'
    if (process !== undefined && writerIsDead(process)) return 'silent'
    await engine.clock.sleep(Math.min(500, patience / 4))
    at = engine.clock.now()
    const now = await currentOf(place)
    if (now?.value.incarnation !== incarnation || now.value.state === 'open') return 'done'
    if (now.value.nonce !== nonce) return now
  }
}

/** How often another controller may be faster before this one gives up. */
const ROUNDS = 20

/** Finds or makes a deployment. A round that resolves to `undefined` says that another controller was faster: the next round looks again. */
export async function untilOurs<T>(name: string, round: () => Promise<T | undefined>): Promise<T> {
  for (let rounds = 0; rounds < ROUNDS; rounds += 1) {
    const outcome = await round()
    if (outcome !== undefined) return outcome
  }
  throw new RemoteError(`run "${name}" could be neither found nor created: other commands changed it ${ROUNDS} times in the meantime`, {
    hint: 'see whether some command creates and removes it again and again, or use another name',
  })
}
