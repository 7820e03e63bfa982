/** The heartbeat of a command that makes or removes a deployment: while it beats, no other command takes over; once one may have, it changes nothing more. */
import { RemoteError } from '../../core/errors.ts'
import { currentKey } from '../../wire/layout.ts'
import { CURRENT, type CurrentRecord } from '../../wire/records.ts'
import { isStoreError, type Store } from '../../wire/store.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { readCurrent } from '../find.ts'
import { patientStore } from '../outage.ts'
import { changeRecord } from '../record.ts'

export interface Heartbeat {
  /** Before each change in a cloud: resolves while nobody can have taken us for dead. After half a silence it renews the mark first, until the signal. */
  hold(signal?: AbortSignal): Promise<void>
  /** Of what has failed: where its place in the store is gone since another command has undone it, that. */
  reason(error: unknown): Promise<unknown>
  /** Resolves when no further beat is under way. */
  stop(): Promise<void>
}

export interface Rhythm {
  /** Milliseconds between two signs of life, and after which its silence is an end. */
  readonly beat: number
  readonly ttl: number
}

/** By another command, which has heard nothing of its maker for too long, or discards it. */
export const removedMeanwhile = (d: Pick<Deployment, 'name'>, cause?: unknown): RemoteError =>
  new RemoteError(`run "${d.name}" was removed while it was being created`, { cause, hint: whatBecame(d) })

const whatBecame = ({ name }: Pick<Deployment, 'name'>): string => `see what became of it: \`tpi status ${name}\``

/**
 * A fresh nonce in the record of the deployment at every beat, as long as it says that this is being done. A maker waits for a store
 * that is away, but not beyond the end: what costs money is then to be given back.
 */
export function startHeartbeat(engine: Engine, d: Deployment, state: 'making' | 'destroying', { beat, ttl }: Rhythm): Heartbeat {
  const done = new AbortController()
  const until = (signal: AbortSignal): Store => (state === 'making' ? patientStore(engine, d.store, signal) : d.store)
  const beating = until(done.signal)
  let renewed = engine.clock.now()
  const isOurs = (now: CurrentRecord | undefined): boolean => now?.incarnation === d.incarnation && now.state === state
  const renew = async (store = beating): Promise<boolean> => {
    const began = engine.clock.now()
    const now = await changeRecord(CURRENT, store, currentKey(d.id), (current) => (isOurs(current) ? current : undefined))
    if (!isOurs(now)) return false
    renewed = began
    return true
  }
  /** Who cannot tell takes it for its own. */
  const isStill = async (): Promise<boolean> => {
    try {
      return isOurs((await readCurrent(d.store, d.id))?.value)
    } catch {
      return true
    }
  }
  const beats = async (): Promise<void> => {
    for (;;) {
      await engine.clock.sleep(beat, done.signal)
      // A store that is away for good is what the work itself will complain about; one that comes back is to hear of us again.
      await renew().catch(() => undefined)
    }
  }
  // Ends by its own abort.
  const ended = beats().catch(() => undefined)
  return {
    async hold(signal) {
      if (engine.clock.now() - renewed < ttl / 2 || (await renew(signal && until(signal)))) return
      throw new RemoteError(`run "${d.name}" was taken over while this command stood still`, { hint: whatBecame(d) })
    },
    async reason(error) {
      if (!isStoreError(error, 'gone')) return error
      return (await isStill()) ? error : removedMeanwhile(d, error)
    },
    async stop() {
      done.abort()
      await ended
    },
  }
}
