/**
 * The controller dies at every call of a creation, before and after its effect: `destroy`, the same command again, or a sweep each find what
 * it left and remove it. That machines end alone when nobody comes is in the storm (its `abandon` rounds).
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { open as openLocal } from '../../src/clouds/local/index.ts'
import { clouds } from '../../src/clouds/registry.ts'
import type { Cloud } from '../../src/core/cloud.ts'
import { deploymentId, ownerOf } from '../../src/core/identity.ts'
import type { Engine } from '../../src/engine/deployment.ts'
import { destroy } from '../../src/engine/destroy.ts'
import { leftovers } from '../../src/engine/sweep.ts'
import { memoryHost } from '../../src/host/memory.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { parseCommandLine } from '../../src/options/parse.ts'
import { optionTable } from '../../src/options/table.ts'
import { openStore } from '../../src/stores/registry.ts'
import { begin } from '../../src/task/begin.ts'
import type { VerbContext } from '../../src/verbs/context.ts'
import { never } from '../../src/verbs/interrupts.ts'
import { uploadPlan } from '../../src/verbs/task-upload.ts'
import { taskWish } from '../../src/verbs/task-wish.ts'
import { type Death, deathAt, dyingCloud, dyingStore } from './dying.ts'
import { House } from './house.ts'
import { buildProgram, type Program } from './program.ts'

const HOUR = 60 * 60_000
/** Worlds at a time. */
const SIDE_BY_SIDE = 4
const words = [
  'task',
  '--name',
  'made',
  '--workdir',
  'project',
  '--output',
  'out',
  '--timeout',
  '60s',
  '--grace',
  '1s',
  '--',
  'sh',
  '-c',
  'echo 1 > out',
]

let program: Program
beforeAll(async () => {
  program = await buildProgram()
})
afterAll(() => program.remove())

/** As the command line makes it, up to the first call. Its calls are counted, and the last one is its end. */
async function dyingController(house: House, death: Death): Promise<unknown> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: house.root, TPI_LEASE_BEAT: '300ms', TPI_LEASE_TTL: '2s', TPI_RESERVE: '4s' }
  const surroundings = { env, cwd: house.work, readFile: (path: string) => readFile(path, 'utf8'), readStdin: async () => '' }
  const parsed = await parseCommandLine(optionTable(clouds), words, surroundings)
  const owner = ownerOf(env, await houseUser())
  const engine: Engine = { host: memoryHost(), clock: systemClock, home: house.home, actor: owner.key }
  const context = {
    values: parsed.values,
    parsed,
    cwd: house.work,
    owner,
    env,
    host: engine.host,
    interrupts: never(),
  } as unknown as VerbContext
  const wish = taskWish(context)
  const bytes = await readFile(program.agent)
  const agent = { bytes, digest: createHash('sha256').update(bytes).digest('hex') }
  const cloud = await localCloud(house, agent)
  const storeAccess = await cloud.store('')
  const place = {
    cloudId: 'local',
    cloud: dyingCloud(cloud, death),
    store: dyingStore(await openStore(storeAccess), death),
    id: deploymentId(owner, wish.name),
    name: wish.name,
  }
  const upload = await uploadPlan(context, wish)
  return Promise.race([death.died, begin(engine, place, { wish, origin: owner.origin, storeAccess, agent, upload, signal: never().first })])
}

async function localCloud(house: House, agent: { bytes: Uint8Array; digest: string }): Promise<Cloud> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: house.root }
  return openLocal({
    env,
    home: house.home,
    values: {},
    log: memoryHost(),
    clock: systemClock,
    signal: never().first,
    agent: async () => agent,
  })
}

/** Who the commands of a house are run by. */
async function houseUser(): Promise<{ user: string; host: string }> {
  const { hostname, userInfo } = await import('node:os')
  return { user: userInfo().username, host: hostname() }
}

type Remedy = (house: House) => Promise<string | undefined>

/** Each resolves to what went wrong. */
const remedies: Readonly<Record<string, Remedy>> = {
  async destroy(house) {
    const { code, err } = await house.tpi('destroy', 'made', '--discard')
    return code === 0 || /there is no deployment/.test(err) ? undefined : `destroy: ${code} ${err}`
  },
  async again(house) {
    const { code, err } = await house.tpi(...words)
    return code === 0 ? undefined : `again: ${code} ${err}`
  },
  async sweep(house) {
    // Two hours and a retention later, as far as the sweep can tell.
    const later = { ...systemClock, date: () => new Date(Date.now() + 10 * 24 * HOUR) }
    const engine: Engine = { host: memoryHost(), clock: later, home: house.home, actor: 'test' }
    const local = [{ id: 'local', cloud: await localCloud(house, { bytes: Buffer.of(), digest: '' }) }]
    for (const { d } of await leftovers(engine, local, openStore)) await destroy(engine, d)
    return undefined
  },
}

async function faultsOf(last: number, after: boolean, remedy: string): Promise<{ faults: string[]; reached: boolean; call: string }> {
  const house = await House.build(program, `creation-${last}`)
  try {
    await house.write('project/in', 'x')
    const death = deathAt(last, after)
    await dyingController(house, death)
    const wrong = await remedies[remedy]?.(house)
    const left = [...(await house.remains()), ...house.processes().map(({ command }) => command)]
    const call = `${last} ${after ? 'after' : 'before'} ${death.calls[last - 1]}, ${remedy}`
    return { faults: [...(wrong ? [wrong] : []), ...left].map((fault) => `${call}: ${fault}`), reached: death.calls.length >= last, call }
  } finally {
    house.clear()
    await house.leave(false)
  }
}

describe.each(Object.keys(remedies))('a controller killed at any call of a creation, then %s', (remedy) => {
  test(
    'nothing is left',
    async () => {
      const faults: string[] = []
      const seen: string[] = []
      let next = 1
      const player = async (): Promise<void> => {
        for (let reached = true; reached; ) {
          const last = next++
          for (const after of [false, true]) {
            const one = await faultsOf(last, after, remedy)
            faults.push(...one.faults)
            seen.push(one.call)
            reached &&= one.reached
          }
        }
      }
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, player))
      expect(faults).toEqual([])
      expect(seen.length).toBeGreaterThan(30)
    },
    10 * 60_000,
  )
})
