/** Whoever makes or removes a deployment shows that it lives, so that nobody takes its place; and changes nothing once somebody may have. */
import { RemoteError } from '../../core/errors.ts'
import { currentKey } from '../../wire/layout.ts'
import { CURRENT, type CurrentRecord } from '../../wire/records.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { changeRecord } from '../record.ts'

export interface Tenure {
  /** Before each change in a cloud: resolves while nobody can have taken us for dead. After half a silence it renews the mark first. */
  hold(): Promise<void>
  /** Resolves when no further beat is under way. */
  stop(): Promise<void>
}

export interface Rhythm {
  /** Milliseconds between two signs of life, and after which its silence is an end. */
  readonly beat: number
  readonly ttl: number
}

/** A fresh nonce in the record of the deployment at every beat, as long as it says that this is being done. */
export function keepTenure(engine: Engine, d: Deployment, state: 'making' | 'destroying', { beat, ttl }: Rhythm): Tenure {
  const done = new AbortController()
  let renewed = engine.clock.now()
  const renew = async (): Promise<boolean> => {
    const began = engine.clock.now()
    const isOurs = (now: CurrentRecord | undefined): boolean => now?.incarnation === d.incarnation && now.state === state
    const now = await changeRecord(CURRENT, d.store, currentKey(d.id), (current) => (isOurs(current) ? current : undefined))
    if (!isOurs(now)) return false
    renewed = began
    return true
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
    async hold() {
      if (engine.clock.now() - renewed < ttl / 2 || (await renew())) return
      throw new RemoteError(`run "${d.name}" was taken over while this command stood still`, {
        hint: `see what became of it: \`tpi status ${d.name}\``,
      })
    },
    async stop() {
      done.abort()
      await ended
    },
  }
}
