/** Starts of runners that are cut short at any change that they request from the cluster or the forge: no object and no registration is left. */
import { expect } from '@jest/globals'
import { buildJumpingProgram } from '../../storm/program.ts'
import type { CommandLine } from '../command-line.ts'
import { GithubDouble } from '../github/double.ts'
import { until } from '../shell.ts'
import type { DeadlyServer, DoomedWay } from './deadly-server.ts'
import { type Dying, each, type Killed, killedAt, momentOf, upwards } from './killed.ts'
import type { Room } from './room.ts'

const HOUR = 60 * 60_000
const LONG = ['--timeout', '10m', '--retention', '60s'] as const
const BRIEF = ['--timeout', '60s', '--retention', '1s'] as const
/** Each handles every other leftover: the cluster alone, or a command. */
const REMEDIES = { nobody: BRIEF, destroy: LONG } as const
type Remedy = keyof typeof REMEDIES
/** How many registrations each start makes, after it has checked that it may. */
const JOBS = 2
const REGISTERS = 'generate-jitconfig'

interface Stage {
  readonly forge: GithubDouble
  /** Knows the forge's address, and has the rights that it needs there. */
  readonly tpi: CommandLine
  /** A start that ends at that moment. */
  begin(name: string, lifetime: readonly string[], moment: Omit<Dying, 'words'>): Promise<Killed>
}

async function onStage(room: Room, deadly: DeadlyServer, act: (stage: Stage) => Promise<void>): Promise<void> {
  const forge = await new GithubDouble().start(room.cluster.host)
  const ways = new Map<string, DoomedWay>()
  // The token tells whose call it is.
  forge.gate = async (call, effect, token) => {
    const way = call.startsWith('GET ') ? undefined : ways.get(token)
    return way ? way.through(call, effect) : effect()
  }
  const tpi = room.tpi.with({ GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' })
  try {
    await act({
      forge,
      tpi,
      async begin(name, lifetime, moment) {
        forge.tokens.set(name, ['runners', 'actions'])
        const request = [
          '--image',
          'lab.test/bare:1',
          '--repository',
          'octo/hello',
          '--labels',
          'gpu',
          '--jobs',
          String(JOBS),
          '--grace',
          '1s',
        ]
        const words = ['runner', '--name', name, ...request, ...lifetime]
        const taken = (way: DoomedWay): void => void ways.set(name, way)
        return killedAt(deadly, tpi.with({ REPO_TOKEN: name }), { ...moment, words, taken })
      },
    })
    expect([...forge.runners.values()].map(({ name }) => name)).toEqual([])
    expect(forge.breaches).toEqual([])
  } finally {
    await forge.stop()
  }
}

/** Resolves to the calls at which a start was killed. */
export async function killedStarts(room: Room, deadly: DeadlyServer): Promise<readonly string[]> {
  const left: Readonly<Record<Remedy, string[]>> = { nobody: [], destroy: [] }
  let most: readonly string[] = []
  await onStage(room, deadly, async ({ tpi, begin }) => {
    const start = async (at: string, remedy: Remedy, moment: Omit<Dying, 'words'>): Promise<Killed> => {
      const name = `${at}-${remedy}`
      left[remedy].push(name)
      return begin(name, REMEDIES[remedy], moment)
    }
    await upwards(0, 1, async (state) => {
      const { last, after } = momentOf(state)
      const remedy = state % 2 === 0 ? 'nobody' : 'destroy'
      const one = await start(`at-${last}-${after ? 'after' : 'before'}`, remedy, { counted: 'changes', last, after })
      if (one.reached && last > most.length) most = one.asked
      return one
    })
    // Which change it is differs between runs. It takes effect, but its answer is lost.
    for (const [at, remedy] of (['nobody', 'destroy'] as const).entries()) {
      const { asked } = await start('registering', remedy, { counted: 'others', last: 2 + at, after: true })
      expect(asked.at(-1)).toMatch(REGISTERS)
    }
    await each(left.destroy, async (name) => {
      const { code, err } = await tpi.run('destroy', name, '--discard')
      expect([name, code === 0 || /there is no run/.test(err) ? 'gone' : err]).toEqual([name, 'gone'])
    })
    // The cluster does not know the forge, so a sweep removes what is left there.
    await until('the cluster to be rid of them', 240, async () => {
      const there = await room.cluster.inventory(room.namespace)
      return left.nobody.every((name) => there.every((object) => !object.includes(`-${name}-`))) || undefined
    })
    await sweptTwice(tpi)
  })
  return most
}

/** Sweeps twice, the second time two hours later for the sweep, because it removes nothing at first sight. */
async function sweptTwice(tpi: CommandLine): Promise<void> {
  const program = await buildJumpingProgram()
  try {
    for (const hours of [0, 2]) {
      program.jump(hours * HOUR)
      // A sweep that could not check everything says so by its exit code; then the next scheduled one does the work.
      await until('a sweep that misses nothing', 120, async () => {
        const { code, err } = await tpi.by(program.cli).run('sweep', '--yes', '--repository', 'octo/hello')
        if (code === 0) return true
        throw new Error(`${code}: ${err}`)
      })
    }
  } finally {
    await program.remove()
  }
}

/** The command itself removes what it has made: nothing else does, and no deadline comes before the namespace is checked. */
export async function endedStarts(room: Room, deadly: DeadlyServer): Promise<readonly string[]> {
  const reported: string[] = []
  await onStage(room, deadly, async ({ tpi, begin }) => {
    await upwards(0, 1, async (state) => {
      const signal = Math.floor(state / 2) % 2 === 0 ? 'SIGINT' : 'SIGTERM'
      const name = `at-${state + 1}`
      const one = await begin(name, LONG, {
        counted: 'changes',
        last: state + 1,
        after: state % 2 === 1,
        signal,
      })
      if (one.code !== 0) reported.push(one.asked[state] ?? '')
      // Too late to end the start: its runner waits for jobs.
      else expect(await tpi.run('destroy', name, '--discard')).toMatchObject({ code: 0 })
      return one
    })
    for (const [at, signal] of (['SIGINT', 'SIGTERM'] as const).entries()) {
      const { asked, code } = await begin(`registering-${at}`, LONG, { counted: 'others', last: 2 + at, after: at === 1, signal })
      expect([asked[1 + at], code === 0]).toEqual([expect.stringMatching(REGISTERS), false])
    }
  })
  return reported
}
