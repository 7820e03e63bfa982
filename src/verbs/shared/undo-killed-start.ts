/**
 * `exec`, `interrupt`, `collect`, `pull` and `retry` undo a start that was cut off: they remove its secrets, its registrations and what it
 * has in a cloud.
 */
import { describeError, InputError } from '../../core/errors.ts'
import type { Deployment } from '../../engine/deployment.ts'
import type { Remains } from '../../engine/destroy/destroy.ts'
import type { Sighting } from '../../engine/find.ts'
import { currentOf, heardOf } from '../../engine/owner/silence.ts'
import type { CurrentRecord } from '../../wire/records.ts'
import type { VerbContext } from './context.ts'
import { destroyOne } from './destroy-one.ts'
import { meantAlive } from './find-run.ts'
import { ownedBy } from './ownership.ts'

/** The run that a verb acts on. Does not wait until a living maker has completed it: the verb will notice that it is incomplete. */
export async function meantToAct(context: VerbContext): Promise<Deployment> {
  for (;;) {
    const d = await meantAlive(context)
    const remains = await undoCutOff(context, d)
    if (remains === undefined || remains === 'kept') return d
    // The previous run is back, or another one has the name by now.
    if (remains !== 'nothing') continue
    throw new InputError(
      `name: run "${d.name}" was never complete: the command that started it was cut off, and what it had made is removed`,
      {
        hint: 'start it again with the same command',
      },
    )
  }
}

/** For verbs that handle all runs: sets incomplete ones aside, because nothing can be done with them yet, and undoes those that were cut off. */
export class KilledStarts {
  readonly #context: VerbContext
  readonly #own: Deployment[] = []

  constructor(context: VerbContext) {
    this.#context = context
  }

  /** `true`: it is incomplete. Somebody is starting it, or was cut off. */
  async isStart(d: Deployment, { found }: Sighting): Promise<boolean> {
    const current = await currentOf(d)
    if (!current || !isMaking(current.value, d)) return false
    if (ownedBy(this.#context.owner, found.tags.origin)) this.#own.push(d)
    return true
  }

  /**
   * Undoes the starts of this owner that were cut off; called last, because a failure of this is not a failure of the verb. Starts of others are
   * left to them, or to a sweep.
   */
  async undo(): Promise<void> {
    const { host, signals } = this.#context
    await Promise.all(
      this.#own.map(async (d) =>
        undoCutOff(this.#context, d).catch((error: unknown) => {
          if (signals.first.aborted) throw error
          host.warn(`${d.name}: what an interrupted start has left could not be removed: ${describeError(error)}`)
        }),
      ),
    )
  }
}

/** Not for runners that are being started again: the next `tpi retry` goes on with those. */
const isMaking = ({ incarnation, state, relaunch }: CurrentRecord, d: Deployment): boolean =>
  incarnation === d.incarnation && state === 'making' && !relaunch

/** Undoes a start if its maker is silent. Resolves to what has the name then; `undefined`: nobody is starting it, or its maker is alive. */
export async function undoCutOff(context: VerbContext, d: Deployment): Promise<Remains | undefined> {
  const { engine, values } = context
  const current = await currentOf(d)
  if (!current || !isMaking(current.value, d)) return undefined
  engine.host.info(`${d.name} is being started by another command: looking for signs of life`)
  if ((await heardOf(engine, d, current, values['lease-ttl'] * 1000)) !== 'silent') return undefined
  engine.host.info(`that command is gone: removing what it left of ${d.name}`)
  return (await destroyOne(context, d, { why: 'rollback', judged: current })).remains
}
