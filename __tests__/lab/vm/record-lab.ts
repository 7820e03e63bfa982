/** A cloud in an emulated account whose machines are records that follow the test's instructions. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Cloud, CloudContext, MachineSpec } from '../../../src/core/cloud.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { CloudLab, Play } from '../../conformance/cloud.ts'
import { create, destroy, until } from '../../conformance/cloud.ts'
import { silent } from '../../setup/silent-log.ts'
import type { Machine } from './simulation/types.ts'
import type { World } from './simulation/world.ts'
import { specOf } from './spec.ts'

export interface RecordLab {
  readonly world: World
  readonly env: Readonly<Record<string, string>>
  readonly open: (context: CloudContext) => Promise<Cloud>
  readonly values: CloudContext['values']
  /** A machine type, and the store of such machines. */
  readonly machine: string
  readonly store: MachineSpec['store']
  /** Finds a machine by the cloud's id. */
  readonly machineOf: (id: string) => Machine | undefined
  /** The machine leaves, as if it had nothing left to do. */
  readonly leave: (machine: Machine) => void
  /** The machine asks to be replaced; absent: it dies. */
  readonly replace?: (machine: Machine) => void
}

export async function recordLab({ world, env, open, values, machine, store, machineOf, leave, replace }: RecordLab): Promise<CloudLab> {
  const home = mkdtempSync(join(tmpdir(), 'tpi-cloud-'))
  let play: Play = 'idle'
  let closed = false
  const agent = async () => ({ digest: 'a'.repeat(64), bytes: new Uint8Array() })
  const reopen = async (signal = new AbortController().signal): Promise<Cloud> =>
    open({ env, home, values, log: silent, clock: systemClock, signal, agent })
  const cloud = await reopen()
  // What an agent would do on a machine that has started.
  world.listen((one) => {
    if (closed || one.state !== 'up') return
    if (play === 'exit 75' && replace) replace(one)
    else if (play.startsWith('exit')) world.lose(one, replace ? 'powered-off' : 'died')
  })
  return {
    cloud,
    reopen,
    spec: (tags) => specOf(machine, store, tags),
    play: async (request) => {
      play = request
    },
    async finish(index) {
      const up = [...world.fleet.machines.values()].filter(({ state }) => state === 'up')
      const one = up[index] ?? up[0]
      if (one) leave(one)
    },
    async kill(id) {
      const one = machineOf(id)
      if (one) world.lose(one, 'died')
    },
    lives: async (id) => machineOf(id)?.state === 'up',
    async close() {
      closed = true
      for (const { tags } of await cloud.list()) await destroy(cloud, tags)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Machines of these worlds leave, or are replaced, through their group. */
export const byGroup = (world: World): Pick<RecordLab, 'leave' | 'replace'> => ({
  leave: (machine) => world.groupOf(machine)?.leave(machine, 'smaller', 'its work is done'),
  replace: (machine) => world.groupOf(machine)?.leave(machine, 'replace', 'the agent asks for it'),
})

/** Tests that CI has a lab, and that a cloud without room says so in its own words, and keeps trying. */
export function saysWhyNoneStarts(world: World | undefined, open: () => Promise<CloudLab>, words: string): void {
  test('can be had here', () => {
    expect(world !== undefined || !process.env['CI']).toBe(true)
  })

  test('what keeps machines from starting is said in plain words, and it goes on trying', async () => {
    if (!world) return expect(process.env['CI']).toBeUndefined()
    const { cloud, spec, close } = await open()
    const one = spec()
    world.supply.setRoom({}, 0)
    try {
      await create(cloud, one)
      await cloud.start(one)
      const seen = await until(cloud, one.tags, ({ events }) => events.some(({ kind }) => kind === 'capacity'))
      expect(seen.events.find(({ kind }) => kind === 'capacity')?.text).toContain(words)
      world.supply.setRoom({}, 100)
      await until(cloud, one.tags, ({ machines }) => machines.some(({ state }) => state === 'running'))
    } finally {
      await close()
    }
  }, 60_000)
}
