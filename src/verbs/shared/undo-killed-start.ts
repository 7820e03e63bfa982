/** `exec`, `interrupt`, `collect`, `pull` and `retry` undo an interrupted start: its secrets, registrations, and what it has in a cloud are removed. */
import { describeError, InputError } from '../../core/errors.ts'
import type { Deployment } from '../../engine/deployment.ts'
import type { Remains } from '../../engine/destroy/destroy.ts'
import type { Sighting } from '../../engine/find.ts'
import { currentOf, heardOf } from '../../engine/owner/silence.ts'
import type { CurrentRecord } from '../../wire/records.ts'
import { destroyOne } from '../destroy.ts'
import type { VerbContext } from './context.ts'
import { meantAlive } from './find-run.ts'
import { ownedBy } from './ownership.ts'

/** The run that a verb acts on. Does not wait for a maker that is alive: the verb will find out that the run is incomplete. */
export async function meantToAct(context: VerbContext): Promise<Deployment> {
  for (;;) {
    const d = await meantAlive(context)
    const remains = await undoCutOff(context, d)
    if (remains === undefined || remains === 'kept') return d
    // The previous run is restored, or another one has the name by now.
    if (remains !== 'nothing') continue
    throw new InputError(
      `name: run "${d.name}" was never complete: the command that started it was cut off, and what it had made is removed`,
      {
        hint: 'start it again with the same command',
      },
    )
  }
}

/** The deployments for a verb without a name: incomplete starts are set aside, because there is nothing to do with them yet. */
export class KilledStarts {
  readonly #context: VerbContext
  readonly #own: Deployment[] = []

  constructor(context: VerbContext) {
    this.#context = context
  }

  /** `true`: somebody is starting it, or was. */
  async isStart(d: Deployment, { found }: Sighting): Promise<boolean> {
    const current = await currentOf(d)
    if (!current || !isMaking(current.value, d)) return false
    if (ownedBy(this.#context.owner, found.tags.origin)) this.#own.push(d)
    return true
  }

  /**
   * Once everything else is done: undoes your own interrupted starts; a failure of that is not a failure of the verb. Starts of others are
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

/** Runners that are started again are on record for the next retry. */
const isMaking = ({ incarnation, state, relaunch }: CurrentRecord, d: Deployment): boolean =>
  incarnation === d.incarnation && state === 'making' && !relaunch

/** What exists under the name afterwards; `undefined`: nobody is starting it, or its maker shows a sign of life. */
export async function undoCutOff(context: VerbContext, d: Deployment): Promise<Remains | undefined> {
  const { engine, values } = context
  const current = await currentOf(d)
  if (!current || !isMaking(current.value, d)) return undefined
  engine.host.info(`${d.name} is being started by another command: looking for signs of life`)
  if ((await heardOf(engine, d, current, values['lease-ttl'] * 1000)) !== 'silent') return undefined
  engine.host.info(`that command is gone: removing what it left of ${d.name}`)
  return (await destroyOne(context, d, { why: 'rollback', judged: current })).remains
}
