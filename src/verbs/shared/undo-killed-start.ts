/** A start that was cut off is undone by whichever verb acts next: its secrets go, its registrations, and what it has in a cloud. */
import { describeError, InputError } from '../../core/errors.ts'
import type { Deployment } from '../../engine/deployment.ts'
import type { Remains } from '../../engine/destroy/destroy.ts'
import type { Sighting } from '../../engine/find.ts'
import { currentOf, heardOf } from '../../engine/owner/silence.ts'
import type { CurrentRecord } from '../../wire/records.ts'
import { destroyOne } from '../destroy.ts'
import { meantAlive, type VerbContext } from './context.ts'
import { ownedBy } from './ownership.ts'

/** The run that a verb acts on. A maker that lives is not waited for: what is not complete yet, the verb will find out. */
export async function meantToAct(context: VerbContext): Promise<Deployment> {
  for (;;) {
    const d = await meantAlive(context)
    const remains = await undoCutOff(context, d)
    if (remains === undefined || remains === 'kept') return d
    // The run before it is back, or somebody else has the name by now.
    if (remains !== 'nothing') continue
    throw new InputError(
      `name: run "${d.name}" was never complete: the command that started it was cut off, and what it had made is removed`,
      {
        hint: 'start it again with the same command',
      },
    )
  }
}

/** The deployments that a verb meets which was given no name: starts that are not complete are put aside, for there is nothing yet to do with them. */
export class Met {
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

  /** Once all else is done: one's own starts that were cut off are undone, and a failure of that is none of the verb. Those of others are theirs, or a sweep's. */
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

/** What is left of the name; `undefined`: nobody is starting it, or its maker shows a sign of life. */
export async function undoCutOff(context: VerbContext, d: Deployment): Promise<Remains | undefined> {
  const { engine, values } = context
  const current = await currentOf(d)
  if (!current || !isMaking(current.value, d)) return undefined
  engine.host.info(`${d.name} is being started by another command: looking for signs of life`)
  if ((await heardOf(engine, d, current, values['lease-ttl'] * 1000)) !== 'silent') return undefined
  engine.host.info(`that command is gone: removing what it left of ${d.name}`)
  return (await destroyOne(context, d, { why: 'rollback', judged: current })).remains
}
