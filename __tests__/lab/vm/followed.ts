/** A task whose slot is held and that prints nothing, and a command that follows it on a faster clock. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beginning } from '../../../src/agent/slot/takeover-rules.ts'
import { cloudById } from '../../../src/clouds/registry.ts'
import type { Cloud } from '../../../src/core/cloud.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { openStore } from '../../../src/stores/registry.ts'
import { layout } from '../../../src/wire/layout.ts'
import { SLOT, type SlotRecord } from '../../../src/wire/slot.ts'
import { type Read, readRecord, swapRecord } from '../../../src/wire/swap.ts'
import { hurriedBy, hurriedClock } from '../../setup/hurried-clock.ts'
import { signalledBy } from '../../setup/signals.ts'
import { silent } from '../../setup/silent-log.ts'
import { answered, until } from '../../setup/wait.ts'
import { world } from '../../setup/world.ts'
import type { VmLab } from './labs.ts'
import type { RunningLab } from './running-lab.ts'
import { shareRuntime } from './runtime.ts'

/** How many seconds pass on that clock in one real second. */
const TIMES = 120
/** Seconds between two heartbeats of the slot's holder: what they are by default. */
const BEAT = 15

/** Calls to the cloud, without its store, of a command that follows for this many seconds. */
export async function callsOfFollowing(
  vm: VmLab,
  { front: { troubles }, env }: RunningLab,
  seconds: number,
  spot: 'true' | 'prefer' = 'true',
): Promise<number> {
  const w = await world()
  try {
    await shareRuntime(w.home)
    const enough = new AbortController()
    const signals = signalledBy(enough.signal)
    const clock = hurriedClock(TIMES)
    const words = `task --cloud ${vm.cloud} --machine ${vm.types} --spot ${spot} --name followed --timeout 8h --script true`.split(' ')
    // On that clock a holder's beat takes as long as a few reads and writes of the store: a beat that is a little late must not count as missed.
    const lease = { TPI_LEASE_BEAT: `${4 * BEAT}s`, TPI_LEASE_TTL: `${16 * BEAT}s` }
    const run = w.tpi(words, { env: { ...env, ...lease }, signals, given: hurriedBy(clock) })
    const failed = run.then(({ code, host }) => Promise.reject(new Error(`it ended with ${code}: ${host.lines.join(' | ')}`)))
    const slot = await Promise.race([onlySlot(vm.cloud, env), failed])
    failed.catch(() => undefined)
    const holding = hold(slot, enough.signal)
    await until('the slot is held', async () => (await slot.read())?.value.state === 'running')
    troubles.seen.length = 0
    await clock.sleep(seconds * 1000)
    const calls = troubles.seen.filter(({ call }) => vm.calls.waited.test(call)).length
    enough.abort()
    await Promise.all([run, holding])
    await w.tpi(`destroy followed --discard --cloud ${vm.cloud}`, { env })
    return calls
  } finally {
    await w.end()
  }
}

export interface OnlySlot {
  /** The first machine of the group. */
  readonly machine: string
  read(): Promise<Read<SlotRecord> | undefined>
  swap(next: SlotRecord, before: Read<SlotRecord>): Promise<void>
}

/** The slot of the account's only deployment, as soon as it has a machine. */
export async function onlySlot(id: string, env: Readonly<Record<string, string>>): Promise<OnlySlot> {
  const descriptor = await cloudById(id)?.load()
  const cloud = (await descriptor?.open({
    env,
    home: '/nonexistent',
    values: {},
    log: silent,
    clock: systemClock,
    signal: new AbortController().signal,
    agent: () => Promise.reject(new Error('nothing is made here')),
  })) as Cloud
  const { tags, machine } = await answered(
    async () => {
      const [found] = await cloud.list()
      const up = found && (await cloud.observe(found.tags)).machines.find(({ state }) => state === 'running')
      return up && { tags: found.tags, machine: up.id }
    },
    { limit: 600_000, every: 100 },
    () => new Error('no machine came'),
  )
  const { source, ...place } = await cloud.store(tags.id)
  const store = await openStore({ ...place, credentials: (await source?.get()) ?? place.credentials ?? {} })
  const key = layout(tags.id, tags.incarnation).slot(0).record
  return {
    machine,
    read: async () => readRecord(SLOT, store, key),
    swap: async (next, { version }) => void (await swapRecord(SLOT, store, key, next, version)),
  }
}

/** Acts like an agent at work: it takes the slot, and sends heartbeats. */
async function hold(slot: OnlySlot, over: AbortSignal): Promise<void> {
  for (let turn = 0; !over.aborted; turn += 1) {
    const read = await slot.read()
    if (read) {
      const { value: record } = read
      const at = new Date().toISOString()
      const taken = record.holder === slot.machine ? {} : { ...beginning({ ...record, epoch: 1 }, slot.machine, at), epoch: 1 }
      await slot.swap({ ...record, ...taken, state: 'running', phase: 'script', nonce: `held-${turn}`, beat: record.beat + 1, at }, read)
    }
    await sleep((BEAT * 1000) / TIMES)
  }
}
