/** A controller that creates or removes a deployment shows that it lives, so that whoever waits for it does not take its place. */
import { currentKey } from '../../wire/layout.ts'
import { CURRENT } from '../../wire/records.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { changeRecord } from '../record.ts'

export interface Alive {
  /** Resolves when no further beat is under way. */
  stop(): Promise<void>
}

/** A fresh nonce in the record of the deployment at every beat (milliseconds), as long as it says that this is being done. */
export function keepAlive(engine: Engine, d: Deployment, doing: 'creating' | 'destroying', beat: number): Alive {
  const done = new AbortController()
  const beats = async (): Promise<void> => {
    for (;;) {
      await engine.clock.sleep(beat, done.signal)
      // A store that is away for good is what the work itself will complain about; one that comes back is to hear of us again.
      await changeRecord(CURRENT, d.store, currentKey(d.id), (now) =>
        now?.incarnation === d.incarnation && now[doing] ? now : undefined,
      ).catch(() => undefined)
    }
  }
  // Ends by its own abort.
  const ended = beats().catch(() => undefined)
  return {
    async stop() {
      done.abort()
      await ended
    },
  }
}
