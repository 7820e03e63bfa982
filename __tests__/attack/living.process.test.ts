/** A run whose records are forged repeatedly while it is destroyed: it is removed, and nothing of another run is. */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, jest, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import type { Signals } from '../../src/verbs/shared/signals.ts'
import { layout } from '../../src/wire/layout.ts'
import type { Store } from '../../src/wire/store.ts'
import { signalledBy } from '../setup/signals.ts'
import { until } from '../setup/wait.ts'
import { type World, world } from '../setup/world.ts'

jest.setTimeout(300_000)

type Made = Record<string, unknown>
interface Lived {
  readonly id: string
  readonly incarnation: string
  readonly records: Readonly<Record<'current' | 'spec' | 'control' | 'slot', string>>
}

async function started(w: World, store: Store, name: string): Promise<Lived> {
  const words = ['task', '--name', name, '--workdir', 'none', '--detach', '--json', '--output', 'r', '--script']
  const { facts } = await w.tpi([...words, 'echo up > r; sleep 600'])
  const current = `${facts.id}/current.json`
  const { incarnation } = JSON.parse(Buffer.from((await store.read(current))?.bytes ?? '').toString()) as { incarnation: string }
  const keys = layout(facts.id, incarnation)
  const lives = async (): Promise<boolean> => (await w.tpi(`status ${name} --json`)).facts.slots[0].phase === 'script'
  await until(`${name} is at work`, lives, 60_000)
  return { id: facts.id, incarnation, records: { current, spec: keys.spec, control: keys.control, slot: keys.slot(0).record } }
}

type Forgery = (records: Readonly<Record<string, Made>>, neighbour: Lived & { readonly slot: Made }) => Readonly<Record<string, unknown>>
const AT = '2020-01-01T00:00:00.000Z'

const FORGERIES: readonly (readonly [string, Forgery])[] = [
  ['it is an incarnation of the neighbour', ({ current }, { incarnation }) => ({ current: { ...current, incarnation } })],
  [
    'it is the neighbour',
    ({ current, spec }, { id, incarnation }) => ({
      current: { ...current, id, incarnation, name: 'neighbour' },
      spec: { ...spec, id, incarnation, name: 'neighbour' },
    }),
  ],
  [
    "the neighbour's machine has its slot",
    ({ slot }, { slot: other }) => ({ slot: { ...slot, holder: other['holder'], address: other['address'] } }),
  ],
  [
    'it has ended long ago, and was collected',
    ({ slot, spec }) => ({
      slot: { ...slot, state: 'succeeded', exitCode: 0 },
      spec: { ...spec, createdAt: AT, lifetime: { ...(spec?.['lifetime'] as Made), deadline: AT, retention: 0 } },
    }),
  ],
  ['it is being made by somebody else', ({ current }) => ({ current: { ...current, creating: true, ttl: 1000, nonce: 'n' } })],
  ['records are none', () => ({ current: '{', spec: '[]', slot: '', control: 'null' })],
]

// Concurrently: each has a world of its own, and mostly waits, because the forger keeps every command from finishing.
test('whatever its records claim, it is removed, and nothing else', async () => {
  const ended = await Promise.allSettled(FORGERIES.map(async ([, forgery]) => play(forgery)))
  expect(ended.flatMap((one, at) => (one.status === 'rejected' ? [`${FORGERIES[at]?.[0]}: ${String(one.reason)}`] : []))).toEqual([])
})

async function play(forgery: Forgery): Promise<void> {
  const w = await world()
  try {
    const store = await openStore({ url: `dir://${join(w.home, 'store')}` })
    const neighbour = await started(w, store, 'neighbour')
    const prey = await started(w, store, 'prey')
    const read = async (key: string): Promise<Made> => {
      const object = await store.read(key)
      return object ? (JSON.parse(Buffer.from(object.bytes).toString()) as Made) : {}
    }
    const records = Object.fromEntries(
      await Promise.all(Object.entries(prey.records).map(async ([what, key]) => [what, await read(key)] as const)),
    )
    const lies = forgery(records, { ...neighbour, slot: await read(neighbour.records.slot) })
    const over = new AbortController()
    const forging = (async () => {
      for (; !over.signal.aborted; await sleep(5))
        for (const [what, lie] of Object.entries(lies)) {
          const key = prey.records[what as keyof typeof prey.records]
          await store.write(key, Buffer.from(typeof lie === 'string' ? lie : JSON.stringify(lie))).catch(() => undefined)
        }
    })()
    const said: string[] = []
    for (const words of ['stop prey', 'sweep', 'destroy prey --discard']) {
      const ran = await w.tpi(words, { signals: within(15_000) })
      said.push(`${words}: ${ran.code}`)
    }
    over.abort()
    await forging
    // The forging is over. A record that was forged after the run was removed may remain, and is no fault.
    const last = await w.tpi('destroy prey --discard')
    expect([...said, `destroy: ${last.code}`].filter((line) => line.endsWith(': 70'))).toEqual([])
    await until('its machine is gone', async () => !(await w.alive()).some((line) => line.includes(prey.id)))
    // If the record names another incarnation, that one counts as the current one. What is left of this one is then reported, until a sweep.
    const reported = last.host.lines.some((line) => line.includes('the new one is left alone'))
    const record = new RegExp(`^store/${prey.id}(/current[.]json.*)?$`)
    const left = (await w.remains()).filter((path) => path.includes(prey.id) && !record.test(path))
    expect(reported ? [] : left).toEqual([])
    // The other run is unaffected.
    const { facts } = await w.tpi('status neighbour --json')
    expect([facts.outcome, facts.slots[0].phase, facts.slots[0].attempts.length]).toEqual(['running', 'script', 1])
    expect((await w.alive()).some((line) => line.includes(neighbour.id))).toBe(true)
  } finally {
    await w.end()
  }
}

/** Like Ctrl-C, twice, for commands that wait for something that the forger never lets happen. */
const within = (milliseconds: number): Signals =>
  signalledBy(AbortSignal.timeout(milliseconds), 'SIGINT', AbortSignal.timeout(2 * milliseconds))
