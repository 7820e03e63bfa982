/**
 * The checks that all clouds have, in the order in which they are tried: each looks at one of the two runs, and the next one continues from there.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStore } from '../../../src/stores/registry.ts'
import { type Check, howSoon, type Trial } from '../check.ts'
import type { Vendor } from './account.ts'
import { MOST } from './price.ts'
import type { Runs } from './runs.ts'

/** The document that says what is unproven about each cloud. */
export const PAGE = 'docs/proven.md'

/** A cloud, and which open questions about it these checks settle. */
export interface Checked extends Vendor {
  /** What the document calls unproven, by the check that settles it. */
  readonly unproven: { readonly [C in (typeof ROWS)[number]['id']]?: string }
  /** Checks of this cloud alone: `checks` while both runs go on, `last` before the last check, which waits for a deadline. */
  readonly checks?: readonly Check<Runs>[]
  readonly last?: readonly Check<Runs>[]
}

interface Row extends Omit<Check<Runs>, 'lacks'> {
  readonly id: string
}

/** From the machine's own log (docs/security.md). */
const WEAKER = /as its own user only/

const ROWS = [
  {
    id: 'price',
    title: 'what it may cost',
    settles: 'that these checks stay below it',
    async run({ price, machine, cloud }, trial) {
      trial.noted('machines', `${machine}, spot, in ${cloud.region ?? 'the usual place'}`)
      if (price.hour !== undefined) trial.noted('each per hour', `${price.hour} USD`)
      trial.saw('all at most', `${price.worst} USD`, `${MOST} USD`, price.worst <= MOST)
    },
  },
  {
    id: 'switch',
    title: 'what ends a group that nobody looks after',
    settles: 'that the vendor takes it, before there is a machine',
    async run(runs, trial) {
      const { run, ends } = await runs.hung().ends
      const after = Math.round((ends.at.getTime() - run.timeout.getTime()) / 1000)
      const all = (ends.leaves ?? 0) === 0
      const assumed = 'some minutes after the timeout, all machines'
      trial.saw('it', `${ends.how}, ${after} s after the timeout`, assumed, all && after > 0 && after <= 600)
    },
  },
  {
    id: 'rights',
    title: 'tpi doctor, by these credentials',
    settles: 'that what "tpi permissions" prints is enough, where they have nothing else',
    async run({ commands, vendor, machine }, trial) {
      const { code, facts, err } = await commands.run(['doctor', '--cloud', vendor.id, '--machine', machine, '--spot', '--json'])
      const faults = (facts.checks ?? []).filter(({ state }) => state === 'fault' || state === 'denied')
      const says = code === 0 ? 'no fault' : [...faults.map(({ what, says: why }) => `${what}: ${why}`), err.slice(-300)].join('; ')
      trial.saw('tpi doctor', says, 'no fault', code === 0)
    },
  },
  {
    id: 'first-line',
    title: 'from the command to the first line of the program',
    settles: 'how long the vendor takes to start a machine',
    async run(runs, trial) {
      await runs.hanging?.settled
      const { at, words } = await runs.line(runs.pair(), /smoke: begins \d 1 ([\d.]+)/)
      trial.noted('first line', `after ${at} s, of which the machine was up ${words[0]} s`)
    },
  },
  {
    id: 'surroundings',
    title: 'names and the metadata service, as the program and by sudo',
    settles: 'that the program resolves names, and has no rights of its machine',
    async run(runs, trial) {
      const run = runs.pair()
      const [said = ''] = (await runs.line(run, /smoke: resolves 1 \S+ (\S+)/)).words
      trial.saw(`address of ${runs.vendor.name}`, said, 'an answer', said !== 'no-answer')
      for (const who of ['script', 'sudo'])
        for (const service of runs.vendor.closed) {
          const [state = ''] = (await runs.line(run, new RegExp(`smoke: reaches 1 ${who} ${service} (\\S+)`))).words
          // If the image has no better way, the machine itself says so.
          const weak = who === 'sudo' ? run.command.said(WEAKER)?.match[0] : undefined
          const seen = weak === undefined || state === 'closed' ? state : `${state}; the machine says: ${weak}`
          const holds = state === 'closed' || weak !== undefined
          trial.saw(`${service} by ${who === 'sudo' ? 'sudo' : 'the program'}`, seen, 'closed, or the machine says why not', holds)
        }
    },
  },
  {
    id: 'ranks',
    title: 'two machines of a run reach each other',
    settles: 'that they may, by what is made for them or by your network',
    async run(runs, trial) {
      for (const rank of [0, 1]) {
        const { words } = await runs.line(runs.pair(), new RegExp(`smoke: peer ${rank} (\\S+) (\\S+)`))
        trial.saw(`from machine ${rank} to the other`, words.join(', '), 'reached, and-heard', words.join() === 'reached,and-heard')
      }
    },
  },
  {
    id: 'missing-key',
    title: 'what the storage says of a key that is not there',
    settles: 'that a record that is missing is told from one that may not be read',
    async run({ cloud, nonce }, trial) {
      const store = await openStore(await cloud.store(nonce))
      trial.later('letting go of the storage', async () => store.close?.())
      const found = await store.read(`${nonce}/none`)
      trial.saw('it', found === undefined ? 'not there' : 'something', 'not there', found === undefined)
    },
  },
  {
    id: 'leaving',
    title: 'a machine whose work is done leaves its group, and takes all with it',
    settles: 'that no disk, interface or address stays, and no other machine goes or comes',
    async run(runs, trial) {
      const run = runs.pair()
      await runs.line(run, /smoke: peer 0 /)
      const alone = async (): Promise<boolean> => [...(await runs.parts(run)).values()].every((count) => count === 1)
      const seconds = await runs.commands.within(runs.times.patience, alone)
      const there = [...(await runs.parts(run))].map(([kind, count]) => `${count} ${kind}`).join(', ')
      trial.saw('of two', `${there}, ${howSoon(seconds)}`, 'one of each', seconds !== undefined)
    },
  },
  {
    id: 'refill',
    title: 'a machine is taken back, and another comes in its place',
    settles: 'how long that takes',
    async run(runs, trial) {
      const run = runs.pair()
      const begun = await runs.line(run, /smoke: begins 1 1 /)
      // What was not saved may be lost.
      const { slots = [] } = await runs.status(run, ({ slots: [, one] = [] }) => Boolean(one?.machine && one.savedAt))
      const machine = slots[1]?.machine
      if (!machine) throw new Error('no machine is on record')
      trial.noted('how it is taken back', runs.vendor.takesBack)
      const from = performance.now()
      await runs.account.takeBack(run.name, machine)
      const next = await runs.line(run, /smoke: begins 1 2 ([\d.]+)/)
      const took = Math.round((performance.now() - from) / 1000)
      trial.saw('the program began again', `after ${took} s, of which the machine was up ${next.words[0]} s`, 'later', next.at > begun.at)
    },
  },
  {
    id: 'stop',
    title: 'tpi stop',
    settles: 'how long it takes, and until no machine is billed',
    async run(runs, trial) {
      const run = runs.pair()
      await runs.line(run, /smoke: begins 1 \d/)
      const { seconds, code } = await timed(runs, ['stop', run.name])
      trial.saw('tpi stop', `exit code ${code}, after ${seconds} s`, 'exit code 0', code === 0)
      const gone = await runs.deserted(run, runs.times.patience)
      trial.saw('no machine is left', howSoon(gone), 'soon', gone !== undefined)
    },
  },
  {
    id: 'results',
    title: 'exit code and outputs, as the command that follows has them',
    settles: 'that a run ends as its programs did, with what they wrote',
    after: ['refill', 'stop'],
    async run(runs, trial) {
      const run = runs.pair()
      const ended = await runs.commands.within(runs.times.patience, async () => run.command.over)
      if (ended === undefined) throw new Error(`it has not ended: ${run.command.last}`)
      const { code } = await run.command.ended
      trial.saw('exit code', code, '3', code === 3)
      const files = await Promise.all([0, 1].map(async (rank) => readFile(join(runs.commands.home, `p/r-${rank}`), 'utf8').catch(() => '')))
      const lines = files.join('').trim().replaceAll('\n', ', ')
      trial.saw('what each attempt wrote', lines, '0 1, 1 1, 1 2', /^0 \d, 1 1, (?:1 \d, )*1 \d$/.test(lines))
    },
  },
  {
    id: 'deadline',
    title: 'a machine that hangs, and no command that follows',
    settles: 'that the group ends by itself, and stays so',
    run: pastDeadline,
  },
] as const satisfies readonly Row[]

async function pastDeadline(runs: Runs, trial: Trial): Promise<void> {
  const { run, before, after, back, wanted } = await runs.hung().past
  const { late, rest } = runs.times
  trial.saw('machines until then', before, '1', before === 1)
  trial.saw('no machine is left', after === undefined ? 'not in time' : `${after} s after it`, `within ${late} s`, after !== undefined)
  trial.saw(`machines ${rest} s later`, back, '0', back === 0)
  trial.noted('wanted size of the group then', wanted ?? 'there is no group')
  const { outcome } = await runs.status(run)
  trial.saw('tpi status', outcome, 'timed-out', outcome === 'timed-out')
  const { seconds, code } = await timed(runs, ['destroy', run.name, '--discard'])
  trial.saw('tpi destroy', `exit code ${code}, after ${seconds} s`, 'exit code 0', code === 0)
}

async function timed({ commands, vendor }: Runs, words: readonly string[]): Promise<{ readonly seconds: number; readonly code: number }> {
  const began = performance.now()
  const { code } = await commands.run([...words, '--cloud', vendor.id])
  return { seconds: Number(((performance.now() - began) / 1000).toFixed(1)), code }
}

/** The common checks, with what the document calls unproven about this cloud, and the checks of this cloud alone. */
export function checksOf({ unproven, checks = [], last = [] }: Checked): readonly Check<Runs>[] {
  const known: Readonly<Record<string, string | undefined>> = unproven
  const shared = ROWS.map((row): Check<Runs> => {
    const open = known[row.id]
    return { ...row, settles: `${row.settles}${open === undefined ? '' : `; ${PAGE}: ${open}`}` }
  })
  const at = shared.findIndex((check) => check.id === 'leaving')
  return [...shared.slice(0, at), ...checks, ...shared.slice(at, -1), ...last, ...shared.slice(-1)]
}
