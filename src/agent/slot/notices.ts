/** Notices that this machine will be taken away, from its cloud or by a signal to the agent. */
import { onAbort } from '../../lib/abort.ts'
import { bootNow, dueIn, pause } from '../../lib/clock.ts'
import { messageOf } from '../../lib/text.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { MachineSide, Notice } from '../../wire/machine-side.ts'
import { tellOnce } from '../outage.ts'
import { type Interruption, SHUT_DOWN } from './ending.ts'

/** Milliseconds for the cloud to say how much time there is: it is more important that the work begins to end. */
const MOMENT = 1000
/** Milliseconds before notices are asked for again. */
const AGAIN = 1000

export interface NoticeSources {
  readonly side: MachineSide
  readonly config: MachineConfig
  /** Aborts when a signal asks the agent to end. */
  readonly reclaimed: AbortSignal
  readonly say: (line: string) => void
  readonly over: AbortSignal
}

/** Collects notices from the start of the agent. Each new listener replaces the one before, and first gets all earlier notices. */
export class Notices {
  readonly #causes: Interruption[] = []
  readonly #first = new AbortController()
  readonly #atRisk = new AbortController()
  #listener: ((cause: Interruption) => void) | undefined

  constructor(sources: NoticeSources) {
    onAbort(sources.reclaimed, () => void this.#endAsked(sources))
    void this.#watch(sources)
  }

  /** Aborts when the cloud may soon take this machine away, but perhaps never does. */
  get atRisk(): AbortSignal {
    return this.#atRisk.signal
  }

  /** Aborts at the first notice that the machine will be taken away. */
  get first(): AbortSignal {
    return this.#first.signal
  }

  listen(listener: (cause: Interruption) => void): void {
    this.#listener = listener
    for (const cause of this.#causes) listener(cause)
  }

  #hear(cause: Interruption, { say }: NoticeSources): void {
    say(`notice: ${cause.reason}`)
    this.#causes.push(cause)
    this.#listener?.(cause)
    this.#first.abort(new Error(cause.reason))
  }

  #beware({ say }: NoticeSources): void {
    if (!this.atRisk.aborted) say('notice: the cloud may soon take this machine away; checkpoints are saved more often')
    this.#atRisk.abort()
  }

  async #endAsked(sources: NoticeSources): Promise<void> {
    const { side, config, say } = sources
    if (!side.endAsked) return this.#hear(reclaimOf({ kind: 'reclaim' }), sources)
    const asked = side.endAsked(config).catch((error: unknown) => say(`notices of the cloud: ${messageOf(error)}`))
    const notice = await Promise.race([asked, pause(MOMENT).then(() => undefined)])
    this.#hear(notice ? reclaimOf(notice) : SHUT_DOWN, sources)
  }

  async #watch(sources: NoticeSources): Promise<void> {
    const { side, config, say, over } = sources
    const trouble = tellOnce(say, 'notices of the cloud')
    while (!over.aborted) {
      try {
        for await (const notice of side.notices(config, over)) {
          if (notice.kind === 'risk') this.#beware(sources)
          else this.#hear(reclaimOf(notice), sources)
        }
      } catch (error) {
        if (!over.aborted) trouble(error)
      }
      await pause(AGAIN, over).catch(() => undefined)
    }
  }
}

export function reclaimOf(notice: Notice): Interruption {
  const due = dueOf(notice)
  if (notice.diskFull !== undefined)
    return { kind: 'interrupted', diskFull: true, reason: `disk full: ${notice.diskFull}`, ...(due !== undefined && { due }) }
  if (due === undefined) return { kind: 'interrupted', reason: 'machine reclaimed' }
  const sureUntil = notice.sure === undefined ? due : Math.min(due, bootNow() + notice.sure * 1000)
  const left = `${Math.max(0, Math.round((due - bootNow()) / 1000))} s`
  return { kind: 'interrupted', reason: `machine reclaimed, with ${notice.atMost ? 'at most ' : ''}${left} of notice`, due, sureUntil }
}

/** Boot clock: when the machine will be gone; `undefined`: the cloud does not say. */
function dueOf({ seconds, at }: Notice): number | undefined {
  if (seconds !== undefined) return bootNow() + seconds * 1000
  return at === undefined ? undefined : dueIn(at)
}
