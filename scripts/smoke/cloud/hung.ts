/**
 * A run whose machine hangs, without any command that looks after it, from its start past its deadline. It takes the longest and needs no attention,
 * so the other checks go on meanwhile.
 */
import type { GroupSeen } from './account.ts'
import type { Run, Stage } from './run.ts'

interface Alone {
  readonly run: Run
  readonly ends: NonNullable<GroupSeen['ends']>
}

export interface Past {
  readonly run: Run
  /** Machines shortly before the deadline; without any, something else has ended them. */
  readonly before: number
  /** Seconds from the deadline until there was no machine; `undefined`: not in time. */
  readonly after: number | undefined
  /** Machines some time later. */
  readonly back: number
  readonly wanted: number | undefined
}

/** Factor for the timeout of a second run, if a machine came too late to hang before its deadline. */
const AGAIN = 3
const ALONE = /smoke: alone /
/** Milliseconds, because the machine reports that it hangs some seconds before it does (`machine.py`). */
const MARGIN = 10_000
/** Seconds that a look may take. */
const BEFORE = 5

export class Hung {
  /** Resolves before there is a machine. */
  readonly ends: Promise<Alone>
  /** The machine has no agent any more, and nothing that would end it from within; the run's command is dead. */
  readonly alone: Promise<Alone>
  readonly past: Promise<Past>
  /** It hangs, or has failed: other runs can boot without slowing it, or being slowed by it. */
  readonly settled: Promise<unknown>
  readonly #stage: Stage

  constructor(stage: Stage) {
    this.#stage = stage
    this.ends = this.#start('hung', stage.times.hung)
    this.alone = this.#leave()
    this.past = this.#pass()
    this.settled = Promise.race([this.alone, this.ends.then(async ({ run }) => run.command.ended)]).catch(() => undefined)
    // A rejection reaches the checks that wait for it; without them, it must not count as unhandled.
    for (const one of [this.ends, this.alone, this.past]) one.catch(() => undefined)
  }

  async #start(what: string, seconds: number): Promise<Alone> {
    const { account, commands, times } = this.#stage
    const run = this.#stage.start(what, seconds, ['--grace', '5s'], 'hung')
    let ends: GroupSeen['ends']
    await commands.within(times.patience, async () => {
      ends = (await account.group(run.name))?.ends
      return ends !== undefined || run.command.over
    })
    if (!ends) throw new Error(`nothing ends it: ${run.command.last}`)
    return { run, ends }
  }

  async #leave(): Promise<Alone> {
    const first = await this.ends
    const found = (await this.#hangs(first)) ? first : await this.#start('hung-again', this.#stage.times.hung * AGAIN)
    if (found !== first && !(await this.#hangs(found))) throw new Error(`its machine came too late: ${found.run.command.last}`)
    found.run.command.kill()
    return found
  }

  /** Whether it hangs in time: before the agent, now gone, would have told the program to end. */
  async #hangs({ run }: Alone): Promise<boolean> {
    await this.#stage.commands.within(this.#stage.times.patience, async () => run.command.over || run.command.said(ALONE) !== undefined)
    return run.command.said(ALONE) !== undefined && run.timeout.getTime() - Date.now() > MARGIN
  }

  async #pass(): Promise<Past> {
    const { run, ends } = await this.alone
    const { account, commands, times } = this.#stage
    const due = ends.at.getTime()
    const machines = async (): Promise<number> => (await this.#stage.parts(run)).get('machine') ?? 0
    await commands.rest(Math.max(0, (due - Date.now()) / 1000 - BEFORE))
    const before = await machines()
    const gone = await this.#stage.deserted(run, times.late)
    const after = gone === undefined ? undefined : Math.round((Date.now() - due) / 1000)
    await commands.rest(times.rest)
    return { run, before, after, back: await machines(), wanted: (await account.group(run.name))?.wanted }
  }
}
