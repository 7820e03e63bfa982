/**
 * The heartbeat of a command that makes or removes a deployment. While it beats, no other command takes over; once another one may have taken over,
 * this one changes nothing more in a cloud.
 */
import { RemoteError } from '../../core/errors.ts'
import { currentKey } from '../../wire/layout.ts'
import { CURRENT, type CurrentRecord } from '../../wire/records.ts'
import { isStoreError, type Store } from '../../wire/store.ts'
import { changeRecord } from '../change-record.ts'
import { type Deployment, type Engine, readCurrent } from '../deployment.ts'
import { patientStore } from '../outage.ts'

export interface Heartbeat {
  /**
   * To be called before each change in a cloud. Throws if another command has taken over. If the last sign of life is half a TTL old, it gives one
   * first; `signal` ends the waiting for a store that does not answer.
   */
  hold(signal?: AbortSignal): Promise<void>
  /** The error to report for a failure: if another command has removed the deployment meanwhile, that; otherwise the failure itself. */
  reason(error: unknown): Promise<unknown>
  /** Ends the heartbeat. Resolves when no beat is under way any more. */
  stop(): Promise<void>
}

export interface Rhythm {
  /** Milliseconds between two signs of life. */
  readonly beat: number
  /** Milliseconds of silence after which this command counts as dead. */
  readonly ttl: number
}

/** Another command has undone the creation, because its maker seemed to be dead, or because the user discards it. */
export const removedMeanwhile = (d: Pick<Deployment, 'name'>, cause?: unknown): RemoteError =>
  new RemoteError(`run "${d.name}" was removed while it was being created`, { cause, hint: whatBecame(d) })

const whatBecame = ({ name }: Pick<Deployment, 'name'>): string => `see what became of it: \`tpi status ${name}\``

/**
 * Writes a fresh nonce into the deployment's record at every beat, as long as the record says that this incarnation is in this state. A maker waits
 * for a store that is out of reach, but not after an interrupt, nor after the end of the heartbeat: then it must give back what costs money.
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
  let holding: Promise<boolean> | undefined
  /** One sign of life for all changes that begin at the same time: their writes would conflict, and each would wait for those before it. */
  const renewOnce = async (signal: AbortSignal | undefined): Promise<boolean> => {
    holding ??= renew(signal && until(signal)).finally(() => (holding = undefined))
    return holding
  }
  /** Whether the name is still ours; `true` if the record cannot be read. */
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
      if (engine.clock.now() - renewed < ttl / 2 || (await renewOnce(signal))) return
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
