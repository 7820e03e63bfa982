/**
 * The heartbeat of a command that makes or removes a deployment: while it beats, no other command takes over. Once another one may have,
 * this one changes nothing more.
 */
import { RemoteError } from '../../core/errors.ts'
import { currentKey } from '../../wire/layout.ts'
import { CURRENT, type CurrentRecord } from '../../wire/records.ts'
import { isStoreError, type Store } from '../../wire/store.ts'
import { changeRecord } from '../change-record.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { readCurrent } from '../find.ts'
import { patientStore } from '../outage.ts'

export interface Heartbeat {
  /**
   * Called before each change in a cloud: resolves only while no other command can have declared this one dead. After half a TTL of silence
   * it renews the mark first, until the signal.
   */
  hold(signal?: AbortSignal): Promise<void>
  /** The error to report for a failure: if its place in the store is gone because another command has undone it, that. */
  reason(error: unknown): Promise<unknown>
  /** Resolves when no further beat is under way. */
  stop(): Promise<void>
}

export interface Rhythm {
  /** Milliseconds between two signs of life, and of silence after which it counts as dead. */
  readonly beat: number
  readonly ttl: number
}

/** Taken over by another command, which has seen no sign of life of its maker for too long, or discards it. */
export const removedMeanwhile = (d: Pick<Deployment, 'name'>, cause?: unknown): RemoteError =>
  new RemoteError(`run "${d.name}" was removed while it was being created`, { cause, hint: whatBecame(d) })

const whatBecame = ({ name }: Pick<Deployment, 'name'>): string => `see what became of it: \`tpi status ${name}\``

/**
 * Writes a fresh nonce into the record of the deployment at every beat, as long as the record says that this work is going on. A maker
 * waits for a store that is out of reach, but not beyond its deadline: then everything that costs money must be removed.
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
  /** If it cannot be determined, assume that it is still ours. */
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
      // If the store is away for good, the work itself will report it; if it comes back, the next beat reaches it.
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
