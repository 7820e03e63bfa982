/**
 * `spot: prefer`: a run whose group of spot machines is emptied before one has come, and that no command follows, so that only its autoscaler can get
 * the work done. The other checks go on meanwhile.
 */
import { oneLine } from '../../../src/lib/text.ts'
import { type Check, howSoon } from '../check.ts'
import { PAGE } from '../cloud/checks.ts'
import type { Run } from '../cloud/run.ts'
import type { Runs } from '../cloud/runs.ts'
import type { GcpAccount, Pair } from './account.ts'

/** At worst, one machine of each group works at a time. */
export const MACHINES = 2

interface Alone {
  readonly run: Run
  readonly pair: Pair
  /** From the autoscaler's schedule. */
  readonly due: Date
}

interface Come {
  /** Seconds from the scheduled time until the second group wanted a machine; `undefined`: not in time. */
  readonly after: number | undefined
  /** How the machines of the second group were paid for. */
  readonly machines: readonly string[]
}

class Standby {
  readonly alone: Promise<Alone>
  readonly come: Promise<Come>
  readonly #runs: Runs
  readonly #account: GcpAccount

  constructor(runs: Runs) {
    this.#runs = runs
    this.#account = runs.account as GcpAccount
    this.alone = this.#start()
    this.come = this.#watch()
    // A rejection reaches the checks that wait for it; without them, it must not count as unhandled.
    for (const one of [this.alone, this.come]) one.catch(() => undefined)
  }

  async #start(): Promise<Alone> {
    const { times } = this.#runs
    const run = this.#runs.start('standby', times.pair, ['--spot', 'prefer', '--spot-wait', '2m', '--detach'], 'standby')
    const { code, err } = await run.command.ended
    if (code !== 0) throw new Error(`its start ended with ${code}: ${oneLine(err.slice(-600))}`)
    const pair = await this.#account.pair(run.name)
    if (!pair) throw new Error('it has not two groups')
    await this.#account.empty(pair.spot)
    const due = dateOf(pair)
    if (!due) throw new Error('its second group has no date')
    return { run, pair, due }
  }

  async #watch(): Promise<Come> {
    const { run, due: first } = await this.alone
    const { commands, times } = this.#runs
    let due = first
    const wants = async (): Promise<boolean> => {
      const pair = await this.#account.pair(run.name)
      // A spot machine that was up for a moment has put off the scheduled time.
      due = (pair && dateOf(pair)) ?? due
      return (pair?.twin.targetSize ?? 0) > 0
    }
    const until = Math.max(0, (first.getTime() - Date.now()) / 1000) + times.patience
    if ((await commands.within(until, wants)) === undefined) return { after: undefined, machines: [] }
    const after = Math.round((Date.now() - due.getTime()) / 1000)
    let machines: readonly string[] = []
    await commands.within(times.patience, async () => {
      const pair = await this.#account.pair(run.name)
      machines = pair?.machines ?? []
      return machines.length > 0 || !pair?.twin.targetSize
    })
    return { after, machines }
  }
}

const all = new WeakMap<Runs, Standby>()

function standbyOf(runs: Runs): Standby {
  const one = all.get(runs) ?? new Standby(runs)
  all.set(runs, one)
  return one
}

function dateOf({ autoscaler }: Pair): Date | undefined {
  const [schedule] = Object.values(autoscaler?.autoscalingPolicy?.scalingSchedules ?? {})
  const [minute, hour, day, month, , year] = (schedule?.schedule ?? '').split(' ').map(Number)
  if (year === undefined || schedule?.disabled) return undefined
  return new Date(Date.UTC(year, (month ?? 1) - 1, day, hour, minute))
}

export const standby: Check<Runs> = {
  id: 'standby',
  title: 'spot: prefer, a second group that an autoscaler is to start',
  settles: `${PAGE}: that an autoscaler takes our two signals, and that a group of several types may have one`,
  async run(runs, trial) {
    const { pair } = await standbyOf(runs).alone
    const { mode, cpuUtilization, scalingSchedules } = pair.autoscaler?.autoscalingPolicy ?? {}
    const [schedule] = Object.values(scalingSchedules ?? {})
    const load = cpuUtilization?.utilizationTarget
    const seen = `${mode}, at "${schedule?.schedule}" for ${schedule?.durationSec} s, and above a load of ${load}`
    trial.saw('it', seen, 'it adds machines only, by a date and a load', mode === 'ONLY_SCALE_OUT' && load === 1)
    const selections = Object.values(pair.twin.instanceFlexibilityPolicy?.instanceSelections ?? {})
    const types = selections.flatMap(({ machineTypes }) => machineTypes ?? [])
    trial.noted('types of its group', types.length === 0 ? 'that of its template alone' : types.join(', '))
  },
}

export const fullPrice: Check<Runs> = {
  id: 'full-price',
  title: 'spot: prefer, no spot machine and no command: one at full price comes, does the work, and both groups end',
  settles: `${PAGE}: how soon an autoscaler acts on its schedule`,
  async run(runs, trial) {
    const one = standbyOf(runs)
    const { run } = await one.alone
    const { after, machines } = await one.come
    trial.saw(
      'the second group wants a machine',
      after === undefined ? 'not in time' : `${after} s after its date`,
      'later',
      after !== undefined,
    )
    trial.saw('it is paid for as', machines.join(', ') || 'nothing', 'STANDARD', machines.join() === 'STANDARD')
    const { outcome, slots: [slot] = [] } = await runs.status(run, ({ outcome: is }) => is !== undefined && is !== 'running')
    trial.saw('tpi status', `${outcome}, by attempt ${slot?.attempt}`, 'success', outcome === 'success')
    const ended = async (): Promise<boolean> => {
      const pair = await (runs.account as GcpAccount).pair(run.name)
      return !pair || (!pair.autoscaler && [pair.spot, pair.twin].every(({ targetSize }) => targetSize === 0))
    }
    const gone = await runs.commands.within(runs.times.patience, ended)
    trial.saw('both groups want nothing, and nothing starts them', howSoon(gone), 'soon', gone !== undefined)
    const none = await runs.deserted(run, runs.times.patience)
    trial.saw('no machine is left', howSoon(none), 'soon', none !== undefined)
  },
}
