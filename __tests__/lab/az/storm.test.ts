/**
 * Rounds in an emulated subscription whose machines are records: commands meet answers that are lost, late, refused or broken, operations that fail
 * late, no room and evictions, and are cut off at any call. Whatever came of a run, one more command gives all of it back: nothing is left but the
 * storage account, and no whole blob in that. `TPI_STORM_ROUNDS` and `TPI_STORM_SEED` change how many and which.
 */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { hurriedIn } from '../../setup/hurried-clock.ts'
import { signalledBy } from '../../setup/signals.ts'
import { untilSame } from '../../setup/wait.ts'
import { type Ran, type World, world } from '../../setup/world.ts'
import { type Random, seeded } from '../../storm/random.ts'
import { asRealUser, realCommand } from '../vm/command.ts'
import { LABS } from '../vm/labs.ts'
import { shareRuntime } from '../vm/runtime.ts'
import type { Trouble } from '../vm/troubles.ts'
import { ArmFault } from './fault.ts'
import { type AzLab, REGION, startAzLab } from './lab.ts'

// A violation is a fault, however rare: no second try.
jest.retryTimes(0)
jest.setTimeout(60 * 60_000)

const ROUNDS = Number(process.env['TPI_STORM_ROUNDS'] ?? 8)
const SEED = Number(process.env['TPI_STORM_SEED'] ?? 1)

const TROUBLES: readonly Trouble[] = [
  { kind: 'throttle' },
  { kind: 'broken' },
  { kind: 'denied' },
  { kind: 'lost-reply' },
  { kind: 'lost-request' },
  { kind: 'late', milliseconds: 300 },
]
const { stages, up, waited } = LABS.az.calls
const CALLS: readonly RegExp[] = [
  ...[...stages, up].map((call) => new RegExp(`^${call.replaceAll('.', String.raw`\.`)}$`)),
  /\.delete$/,
  /\.(?:get|list\w*)$/,
  /^monitor:/,
]
/** Calls of a whole creation, more or less. */
const MOST_CALLS = 40

let lab: AzLab | undefined
let w: World
let tpi: World['tpi']
beforeAll(async () => {
  lab = await startAzLab()
  w = await world()
  tpi = hurriedIn(w)
  await shareRuntime(w.home)
  await w.write('p/data', 'one\n')
})
afterAll(async () => {
  await w?.end()
  await lab?.stop()
})

const words = (name: string): string[] =>
  `task --cloud az --machine Standard_D2s_v5,Standard_D2as_v5 --spot --name ${name} --parallelism 2 --workdir p --timeout 2h --detach --json --script true`.split(
    ' ',
  )

/** What the next command meets. */
function weather({ front, world: cloud }: AzLab, random: Random): void {
  for (let count = random.between(0, 4); count >= 1; count--)
    front.troubles.on(random.pick(CALLS), random.pick(TROUBLES), Math.ceil(random.between(0, 2)))
  if (random.chance(0.3))
    front.failOperation(
      random.pick([/virtualNetworks\.createOrUpdate/, /virtualMachineScaleSets\.createOrUpdate/, /resourceGroups\.delete/]),
      new ArmFault(409, 'OperationPreempted', 'A newer operation took its place.'),
    )
  cloud.supply.setRoom({}, random.pick([0, 1, Infinity]))
}

/** Calls `act` as that call of the cloud arrives. */
function atCall({ front: { troubles } }: AzLab, number: number, act: () => void): void {
  let seen = 0
  troubles.onCall = (call) => void (waited.test(call) && (seen += 1) === number && act())
}

/** Begun, and maybe cut off. Resolves to how. */
async function begun(own: AzLab, name: string, random: Random): Promise<string> {
  const { env } = own
  const how = random.pick(['whole', 'interrupted', 'killed'])
  const at = Math.ceil(random.between(0, MOST_CALLS))
  if (how === 'killed') await realCommand(w, words(name), env, (child) => atCall(own, at, () => void child.kill('SIGKILL')))
  else {
    const first = new AbortController()
    if (how === 'interrupted') atCall(own, at, () => first.abort())
    await tpi(words(name), { env, signals: signalledBy(first.signal), given: asRealUser })
  }
  return how === 'whole' ? how : `${how} at call ${at}`
}

async function round(own: AzLab, seed: number): Promise<readonly [how: string, end: unknown]> {
  const random = seeded(seed)
  const name = `storm${seed}`
  const { env, front, world: cloud } = own
  const end = async (): Promise<Ran> => tpi(`destroy ${name} --discard --json --cloud az`, { env, given: asRealUser })
  weather(own, random)
  const how = await begun(own, name, random)
  front.troubles.clear()
  for (const machine of cloud.fleet.present(REGION)) if (random.chance(0.5)) cloud.reclaim(machine, random.pick([0, 200]))
  weather(own, random)
  await end()
  front.troubles.clear()
  cloud.supply.setRoom({}, Infinity)
  const { code, host } = await end()
  // Of what was cut off early, or undone, nobody remembers anything.
  const over = code === 0 || host.lines.some((line) => line.includes('there is no run'))
  return [how, over ? 'over' : host.lines]
}

test(`${ROUNDS} rounds from seed ${SEED}`, async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const own = lab
  await tpi(words('first'), { env: own.env })
  await tpi('destroy first --discard --json', { env: own.env })
  const before = await own.inventory()
  expect(await own.stored()).toEqual([])
  for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
    const [how, end] = await round(own, seed)
    const left = async (): Promise<unknown> => [seed, how, end, await own.inventory(), await own.stored(), own.world.fleet.present(REGION)]
    await untilSame('only the storage account is left, with no whole blob in it', left, [seed, how, 'over', before, [], []])
  }
})
