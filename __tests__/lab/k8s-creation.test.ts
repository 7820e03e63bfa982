/**
 * The command is killed (SIGKILL) at every change that a creation asks a cluster for, before and after it has its effect. Whatever it leaves
 * behind goes: by one `destroy`, by one sweep, or by the cluster alone when nobody ever comes back.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { open } from '../../src/clouds/k8s/index.ts'
import type { Engine } from '../../src/engine/deployment.ts'
import { destroy } from '../../src/engine/destroy.ts'
import { leftovers } from '../../src/engine/sweep.ts'
import { memoryHost } from '../../src/host/memory.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openStore } from '../../src/stores/registry.ts'
import { never } from '../../src/verbs/interrupts.ts'
import { buildProgram, type Program } from '../storm/program.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { type DeadlyServer, deadlyServer } from './k8s/deadly-server.ts'
import { inRoom, type Room } from './k8s/room.ts'

const cluster: Cluster | undefined = await startCluster()
const deadly: DeadlyServer | undefined = cluster && (await deadlyServer(cluster))
const program: Program | undefined = cluster && (await buildProgram())
/** Commands of one remedy at a time. */
const SIDE_BY_SIDE = 2
const DAY = 24 * 60 * 60_000

interface Killed {
  readonly name: string
  /** What it had asked for, the last one included. */
  readonly changes: readonly string[]
}

interface Remedy {
  /** Of the deployments that are to be remedied. */
  readonly lifetime: readonly string[]
  act(room: Room, killed: readonly Killed[]): Promise<void>
}

const remedies: Readonly<Record<string, Remedy>> = {
  'nobody ever comes back': { lifetime: ['--timeout', '30s', '--grace', '1s', '--retention', '1s'], act: async () => undefined },
  'one destroy': {
    lifetime: ['--timeout', '10m'],
    act: async (room, killed) =>
      each(killed, async ({ name, changes }) => {
        const { code, err } = await room.tpi.run('destroy', name, '--discard')
        const nothing = /there is no deployment/.test(err)
        expect([changes.at(-1), code === 0 || nothing ? 'gone' : err]).toEqual([changes.at(-1), 'gone'])
      }),
  },
  'one sweep': {
    lifetime: ['--timeout', '10m'],
    async act(room) {
      const host = memoryHost()
      const env = { KUBERNETES_CONFIGURATION: readFileSync(room.cluster.kubeconfig, 'utf8') }
      const values = { namespace: room.namespace }
      const agent = (): never => {
        throw new Error('nothing is made here')
      }
      const cloud = await open({ env, home: room.place, values, log: host, clock: systemClock, signal: never().first, agent })
      // Ten days later, as far as the sweep can tell.
      const clock = { ...systemClock, date: () => new Date(Date.now() + 10 * DAY) }
      const engine: Engine = { host, clock, home: room.place, actor: 'test' }
      const found = await leftovers(engine, [{ id: 'k8s', cloud }], openStore, { ttl: 2000 })
      expect(found.length).toBeGreaterThan(3)
      await each(found, async ({ d }) => destroy(engine, d))
    },
  },
}

describe('a command killed at any change of a creation', () => {
  afterAll(async () => {
    await program?.remove()
    await deadly?.stop()
    await cluster?.stop()
  })

  test('can be had here', () => {
    expect(cluster !== undefined || !process.env['CI']).toBe(true)
  })

  // What a change leaves behind is what the next one finds: once a state is enough, met from either side. Each remedy takes every third.
  test.concurrent.each(Object.entries(remedies).map(([name, remedy], offset) => [name, remedy, offset] as const))(
    '%s: nothing is left',
    async (name, remedy, offset) => {
      if (!cluster) return
      await inRoom(cluster, name.replaceAll(' ', '-'), async (place) => {
        // No signs of life in between: the changes are to be the same in every run.
        const room = { ...place, tpi: place.tpi.by(program!.cli).with({ TPI_LEASE_BEAT: '15s', TPI_LEASE_TTL: '60s' }) }
        mkdirSync(join(room.place, 'work'))
        writeFileSync(join(room.place, 'work/in'), 'x')
        const killed: Killed[] = []
        let state = offset
        const player = async (): Promise<void> => {
          for (let reached = true; reached; ) {
            const after = state > 0 && Math.floor(state / 3) % 2 === 1
            const last = after ? state : state + 1
            state += Object.keys(remedies).length
            const one = await killedAt(room, last, after, remedy.lifetime)
            killed.push(one)
            reached = one.changes.length === last
          }
        }
        await Promise.all(Array.from({ length: SIDE_BY_SIDE }, player))
        expect(killed.length).toBeGreaterThan(5)
        await remedy.act(room, killed)
      })
    },
    400_000,
  )
})

async function killedAt(room: Room, last: number, after: boolean, lifetime: readonly string[]): Promise<Killed> {
  const name = `at-${last}-${after ? 'after' : 'before'}`
  let kill: () => void = () => undefined
  const { kubeconfig, changes } = deadly!.way({ last, after, kill: () => kill() })
  const words = ['--image', 'lab.test/bare:1', '--name', name, '--workdir', 'work', '--detach', ...lifetime]
  const started = room.tpi.with({ KUBERNETES_CONFIGURATION: kubeconfig }).start('task', ...words, '--script', 'sleep 1000')
  kill = () => started.kill('SIGKILL')
  const { code, err } = await started.ended
  // Killed, or at its end before the change was reached; nothing else.
  expect([changes.at(-1), code === -1 || (code === 0 && changes.length < last) ? 'ended' : err]).toEqual([changes.at(-1), 'ended'])
  return { name, changes }
}

async function each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all]
  const player = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await act(one)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, player))
}
