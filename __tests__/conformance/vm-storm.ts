/**
 * Rounds in an emulated account whose machines are records, the same tests for every cloud of whole machines: answers to commands are lost,
 * late, refused or broken, there may be no room, machines are reclaimed, and commands are cut off at any call. Whatever happened to a run,
 * one more command removes all of it (its user's `destroy`, or a `sweep` after its deadline): only the account's storage is left, without
 * objects. `TPI_STORM_ROUNDS` and `TPI_STORM_SEED` set the number of rounds and the first seed.
 */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { asRealUser, realCommand } from '../lab/vm/command.ts'
import type { VmLab } from '../lab/vm/labs.ts'
import type { RunningLab } from '../lab/vm/running-lab.ts'
import { shareRuntime } from '../lab/vm/runtime.ts'
import type { Trouble } from '../lab/vm/troubles.ts'
import { hurriedIn, monthsLater } from '../setup/hurried-clock.ts'
import { signalledBy } from '../setup/signals.ts'
import { until, untilSame } from '../setup/wait.ts'
import { type Ran, type World, world } from '../setup/world.ts'
import { type Random, roundsOr, SEED, seeded } from '../storm/random.ts'

const ROUNDS = roundsOr(3)

const TROUBLES: readonly Trouble[] = [
  { kind: 'throttle' },
  { kind: 'broken' },
  { kind: 'denied' },
  { kind: 'lost-reply' },
  { kind: 'lost-request' },
  { kind: 'late', milliseconds: 300 },
]
/** Approximate number of calls of a whole creation. */
const MOST_CALLS = 40

/** The expected end of a seed's round: how its run was started and removed, and what is left of it. */
type Left = readonly [how: string, end: unknown, inventory: readonly string[], stored: readonly string[], machines: readonly unknown[]]

interface Place<Lab> {
  readonly vm: Omit<VmLab, 'start'>
  readonly lab: Lab
  readonly w: World
  readonly tpi: World['tpi']
  /** Troubles that only this vendor has. */
  readonly besides: (lab: Lab, random: Random) => void
  /** Lets months pass in the lab. */
  readonly later: (lab: Lab) => void
}

/** Registers the test; called by a test file of each cloud. */
export function stormOf<Lab extends RunningLab>(
  vm: Omit<VmLab, 'start'> & { start(): Promise<Lab | undefined> },
  besides: (lab: Lab, random: Random) => void = () => undefined,
  later: (lab: Lab) => void = () => undefined,
): void {
  // Even a rare violation is a fault, so there is no second try.
  jest.retryTimes(0)
  jest.setTimeout(60 * 60_000)
  let place: Place<Lab> | undefined
  let w: World
  beforeAll(async () => {
    w = await world()
    await shareRuntime(w.home)
    await w.write('p/data', 'one\n')
    const lab = await vm.start()
    if (lab) place = { vm, lab, w, tpi: hurriedIn(w), besides, later }
  })
  afterAll(async () => {
    await w?.end()
    await place?.lab.stop()
  })

  test(`${ROUNDS} rounds from seed ${SEED}`, async () => {
    if (!place) return expect(process.env['CI']).toBeUndefined()
    const { lab, tpi } = place
    await tpi(words(vm, 'first'), { env: lab.env })
    await tpi('destroy first --discard --json', { env: lab.env })
    await untilSame('nothing of the first run is stored', async () => lab.stored(), [])
    // Disks and interfaces of its machines stay a moment longer.
    await until('nothing of its machines is left', () => [...lab.world.fleet.parts.values()].every(({ goesWithIt }) => !goesWithIt))
    const before = await lab.inventory()
    for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
      const [how, end] = await round(place, seed)
      const left = async (): Promise<Left> => [how, end, await lab.inventory(), await lab.stored(), lab.world.fleet.present(vm.region)]
      await untilSame(`seed ${seed}: only the account's storage is left, with no object in it`, left, [how, 'over', before, [], []])
    }
  })
}

const words = ({ cloud, types }: Omit<VmLab, 'start'>, name: string, spot = 'true'): string[] =>
  `task --cloud ${cloud} --machine ${types} --spot ${spot} --name ${name} --parallelism 2 --workdir p --timeout 2h --detach --json --script true`.split(
    ' ',
  )

/** The troubles that the next command meets. */
function weather<Lab extends RunningLab>({ vm, lab, besides }: Place<Lab>, random: Random): void {
  const { stages, twin, up, waited } = vm.calls
  const calls = [
    ...[...stages, ...twin.map(([call]) => call), up].map((call) => new RegExp(`^${call.replaceAll('.', String.raw`\.`)}$`)),
    /^(?!s3:|blobs:|storage:[A-Z]+$).*[:.](?:delete|remove|terminate)/i,
    /^(?!s3:|blobs:|storage:[A-Z]+$).*[:.](?:describe|get|list)/i,
    waited,
  ]
  for (let count = random.between(0, 4); count >= 1; count--)
    lab.front.troubles.on(random.pick(calls), random.pick(TROUBLES), Math.ceil(random.between(0, 2)))
  if (random.chance(0.3)) besides(lab, random)
  lab.world.supply.setRoom({}, random.pick([0, 1, Infinity]))
}

/** Starts a run, and may cut it off. Resolves to how. */
async function begun<Lab extends RunningLab>({ vm, lab, w, tpi }: Place<Lab>, name: string, random: Random): Promise<string> {
  const { env, front } = lab
  const how = random.pick(['whole', 'interrupted', 'killed'])
  // With one group, or with two.
  const run = words(vm, name, random.pick(['true', 'prefer']))
  const at = Math.ceil(random.between(0, MOST_CALLS))
  const atCall = (act: () => void): void => {
    let seen = 0
    front.troubles.onCall = (call) => void (vm.calls.waited.test(call) && (seen += 1) === at && act())
  }
  if (how === 'killed') await realCommand(w, run, env, (child) => atCall(() => void child.kill('SIGKILL')))
  else {
    const first = new AbortController()
    if (how === 'interrupted') atCall(() => first.abort())
    await tpi(run, { env, signals: signalledBy(first.signal), given: asRealUser })
  }
  return `${run.includes('prefer') ? 'of two groups, ' : ''}${how === 'whole' ? how : `${how} at call ${at}`}`
}

async function round<Lab extends RunningLab>(place: Place<Lab>, seed: number): Promise<readonly [how: string, end: unknown]> {
  const { vm, lab, tpi, later } = place
  const { env, front, world: cloud } = lab
  const random = seeded(seed)
  const name = `storm${seed}`
  const by = random.pick(['destroy', 'sweep'])
  const end = async (): Promise<Ran> =>
    by === 'sweep'
      ? tpi(`sweep --yes --json --cloud ${vm.cloud}`, { env, given: (context) => monthsLater(asRealUser(context)) })
      : tpi(`destroy ${name} --discard --json --cloud ${vm.cloud}`, { env, given: asRealUser })
  weather(place, random)
  const how = await begun(place, name, random)
  front.troubles.clear()
  for (const machine of cloud.fleet.present(vm.region)) if (random.chance(0.5)) cloud.reclaim(machine, random.pick([0, 200]))
  if (by === 'sweep') later(lab)
  weather(place, random)
  await end()
  front.troubles.clear()
  cloud.supply.setRoom({}, Infinity)
  const { code, host } = await end()
  // Nothing remembers a run whose creation was cut off early, or undone.
  const over = code === 0 || host.lines.some((line) => line.includes('there is no run'))
  return [`${how}, then ${by}`, over ? 'over' : host.lines]
}
