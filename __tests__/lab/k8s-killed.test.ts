/**
 * Commands are killed (SIGKILL) at every change that a creation requests from a cluster, before and after it takes effect. Whatever is left behind is
 * removed by one `destroy`, by one sweep, or by the cluster alone if nobody ever comes back. The same for starts of runners, which are also told to
 * end there; and for every call of following, collecting and destroying: the next command gets everything there is, and leaves nothing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { open } from '../../src/clouds/k8s/index.ts'
import type { Engine } from '../../src/engine/deployment.ts'
import { destroy } from '../../src/engine/destroy/destroy.ts'
import { findAbandoned } from '../../src/engine/destroy/sweep.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openStore } from '../../src/stores/registry.ts'
import { never } from '../../src/verbs/shared/signals.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { sampledPart } from '../storm/random.ts'
import type { CommandLine } from './command-line.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { type DeadlyServer, deadlyServer } from './k8s/deadly-server.ts'
import { each, type Killed, killedAt, momentOf, upwards } from './k8s/killed.ts'
import { followedAndCollected } from './k8s/killed-collectors.ts'
import { endedStarts, killedStarts } from './k8s/killed-runners.ts'
import { needed } from './k8s/needed.ts'
import { createdOutside } from './k8s/outside.ts'
import { inRoom, type Room } from './k8s/room.ts'
import { until } from './shell.ts'

const cluster: Cluster | undefined = await startCluster()
const deadly: DeadlyServer | undefined = cluster && (await deadlyServer(cluster))
const WITHIN = 900_000
const DAY = 24 * 60 * 60_000

interface Unfinished extends Killed {
  readonly name: string
}

interface Remedy {
  /** The states of a creation that it is tried on: every `step`th, from this one. */
  readonly first: number
  readonly step: number
  /** Options for the lifetime of the deployments. */
  readonly lifetime: readonly string[]
  act(room: Room, killed: readonly Unfinished[]): Promise<void>
}

const remedies: Readonly<Record<string, Remedy>> = {
  'nobody ever comes back': {
    first: 0,
    step: 1,
    lifetime: ['--timeout', '30s', '--grace', '1s', '--retention', '1s'],
    act: async () => undefined,
  },
  'one destroy': {
    first: 1,
    step: 3,
    lifetime: ['--timeout', '10m'],
    act: async (room, killed) => each(killed, async (one) => goesBack(room.tpi, one)),
  },
  'one sweep': {
    first: 2,
    step: 3,
    lifetime: ['--timeout', '10m'],
    async act(room) {
      const host = memoryHost()
      const env = { KUBERNETES_CONFIGURATION: readFileSync(room.cluster.kubeconfig, 'utf8') }
      const values = { namespace: room.namespace }
      const agent = (): never => {
        throw new Error('nothing is made here')
      }
      const cloud = await open({ env, home: room.place, values, log: host, clock: systemClock, signal: never().first, agent })
      // For the sweep it is ten days later.
      const clock = { ...systemClock, date: () => new Date(Date.now() + 10 * DAY) }
      const engine: Engine = { host, clock, home: room.place, actor: 'test' }
      const found = await findAbandoned(engine, [{ id: 'k8s', cloud }], openStore, { ttl: 2000 })
      expect(found.length).toBeGreaterThan(3)
      await each(found, async ({ d }) => void (await destroy(engine, d, { why: 'discard' })))
    },
  },
}

/** No heartbeats in between, so that every run makes the same calls. */
const CALM = { TPI_LEASE_BEAT: '15s', TPI_LEASE_TTL: '60s' }

interface Case {
  readonly env?: Readonly<Record<string, string>>
  act(room: Room): Promise<void>
}

/** The longest first. */
const cases: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(
    Object.entries({ killed: killedStarts, 'told to end': endedStarts }).map(([how, cut]) => [
      `starting runners, ${how} at any change in the cluster or at the forge: nothing is left in either`,
      {
        env: CALM,
        async act(room) {
          const asked = await cut(room, deadly!)
          process.stdout.write(`starts of runners were ${how} at all ${asked.length} changes\n`)
          expect(asked.length).toBeGreaterThan(20)
        },
      } satisfies Case,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(remedies).map(([name, remedy]) => [
      `creating, at any change: ${name}, and nothing is left`,
      { env: CALM, act: async (room) => created(room, remedy) } satisfies Case,
    ]),
  ),
  'creating over an object store, at any change: nothing is left in the cluster, or in the bucket': {
    env: CALM,
    async act(room) {
      const asked = await createdOutside(room)
      process.stdout.write(`killed at all ${asked.length} changes of creating over an object store\n`)
      expect(asked.length).toBeGreaterThan(10)
      expect(asked).toContain('start')
    },
  },
  'following its own task, by any signal: nothing is left': { act: signalled },
  'following and collecting, at any call: the next command misses nothing': { act: async (room) => followedAndCollected(room, deadly!) },
  'destroying, at any change: the next command finishes it': { env: CALM, act: givenBack },
}

describe('a command killed', () => {
  afterAll(async () => deadly?.stop())
  needed(cluster)

  test.concurrent.each(sampledPart(Object.entries(cases)).map(([title, one], at) => [title, at, one] as const))(
    '%s',
    async (_title, at, { env = {}, act }) => {
      if (!cluster) return
      await inRoom(cluster, `killed-${at}`, async (room) => {
        mkdirSync(join(room.place, 'work'))
        writeFileSync(join(room.place, 'work/in'), 'x')
        await act({ ...room, tpi: room.tpi.with(env) })
      })
    },
    WITHIN,
  )
})

async function created(room: Room, { first, step, lifetime, act }: Remedy): Promise<void> {
  const killed: Unfinished[] = []
  await upwards(first, step, async (state) => {
    const { last, after } = momentOf(state)
    const at = `at-${last}-${after ? 'after' : 'before'}`
    const words = ['task', '--image', 'lab.test/bare:1', '--name', at, '--workdir', 'work', '--detach', ...lifetime]
    const dying = { counted: 'changes', last, after, words: [...words, '--script', 'sleep 1000'] } as const
    const one = await killedAt(deadly!, room.tpi, dying)
    killed.push({ name: at, ...one })
    return one
  })
  expect(killed.length).toBeGreaterThan(5)
  await act(room, killed)
}

/** Exit code and outcome: a command that may still act stops its task, a killed one leaves it to the deadline. */
const SIGNALS = { SIGKILL: [-1, 'running'], SIGINT: [130, 'stopped'], SIGTERM: [143, 'stopped'] } as const

async function signalled({ tpi, kubectl }: Room): Promise<void> {
  await each(Object.entries(SIGNALS), async ([signal, [code, outcome]]) => {
    const name = signal.toLowerCase()
    const request = ['--image', 'lab.test/bare:1', '--name', name, '--timeout', '120s', '--grace', '1s', '--retention', '1s']
    const following = tpi.start('task', ...request, '--script', '#!/bin/sh\necho begun; sleep 1000')
    await following.says(/^begun$/m, 50)
    following.kill(signal as NodeJS.Signals)
    expect([signal, await following.ended]).toEqual([signal, expect.objectContaining({ code })])
    expect([signal, JSON.parse((await tpi.run('status', name, '--json')).out)]).toEqual([signal, expect.objectContaining({ outcome })])
  })
  // A store that is told to end still waits for machines; and finished Jobs stay for a moment.
  await until('the deadlines', 240, async () => (await kubectl('get', 'jobs', '-o', 'name')) === '' || undefined)
}

async function givenBack(room: Room): Promise<void> {
  const killed: Unfinished[] = []
  await upwards(1, 1, async (last) => {
    const name = `going-${last}`
    const request = ['--image', 'lab.test/bare:1', '--name', name, '--timeout', '10m', '--grace', '1s']
    expect(await room.tpi.run('task', ...request, '--detach', '--script', 'sleep 1000')).toMatchObject({ code: 0 })
    const words = ['destroy', name, '--discard']
    const one = await killedAt(deadly!, room.tpi, { counted: 'changes', last, after: false, words })
    if (one.reached) killed.push({ name, ...one })
    return one
  })
  process.stdout.write(`killed at all ${killed.length} changes of giving back\n`)
  expect(killed.length).toBeGreaterThan(5)
  // From another home, because nothing that the killed command knew is needed.
  await each(killed, async (one) => goesBack(room.tpi.with({ TPI_HOME: join(room.place, 'elsewhere') }), one))
}

/** One more command removes whatever the killed one left. */
async function goesBack(tpi: CommandLine, { name, asked }: Unfinished): Promise<void> {
  const { code, err } = await tpi.run('destroy', name, '--discard')
  const nothing = /there is no run/.test(err)
  expect([asked.at(-1), code === 0 || nothing ? 'gone' : err]).toEqual([asked.at(-1), 'gone'])
}
