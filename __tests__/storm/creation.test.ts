/**
 * The controller dies at calls of a creation, before and after their effect: `destroy`, the same command again, and a sweep each find what it left,
 * and remove it. The storm's `abandon` rounds test that machines end by themselves if nobody comes.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { open as openLocal } from '../../src/clouds/local/index.ts'
import type { AgentBundle, Cloud } from '../../src/core/cloud.ts'
import type { Engine } from '../../src/engine/deployment.ts'
import { destroy } from '../../src/engine/destroy/destroy.ts'
import { findAbandoned } from '../../src/engine/destroy/sweep.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openStore } from '../../src/stores/registry.ts'
import { never } from '../../src/verbs/shared/signals.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { shell } from '../setup/world.ts'
import { type Death, deathAt } from './dying.ts'
import { dyingController } from './dying-controller.ts'
import { House } from './house.ts'
import { buildProgram, type Program } from './program.ts'
import { sampled } from './random.ts'
import { upwards } from './side-by-side.ts'

const HOUR = 60 * 60_000
/** Worlds at a time: they mostly wait for signs of life. */
const SIDE_BY_SIDE = 6
/** Calls between two deaths. Each remedy starts with a different call, so that together they cover all calls. 1 covers all with each remedy. */
const STRIDE = Number(process.env['TPI_CUT_STRIDE'] ?? 3)
const words = shell('task --name made --workdir project --output out --timeout 60s --grace 1s', 'echo 1 > out')

let program: Program
beforeAll(async () => {
  program = await buildProgram()
})
afterAll(() => program.remove())

async function killedAt(house: House, death: Death): Promise<unknown> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: house.root, TPI_LEASE_BEAT: '300ms', TPI_LEASE_TTL: '2s', TPI_RESERVE: '4s' }
  const open = (agent: AgentBundle): Promise<Cloud> => localCloud(house, agent)
  return dyingController({ words, env, home: house.home, cwd: house.work, agent: program.agent, cloudId: 'local', open }, death)
}

async function localCloud(house: House, agent: AgentBundle): Promise<Cloud> {
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

type Remedy = (house: House) => Promise<string | undefined>

/** Each resolves to what went wrong. */
const remedies: Readonly<Record<string, Remedy>> = {
  async destroy(house) {
    const { code, err } = await house.tpi('destroy', 'made', '--discard')
    return code === 0 || /there is no run/.test(err) ? undefined : `destroy: ${code} ${err}`
  },
  async again(house) {
    const { code, err } = await house.tpi(...words)
    return code === 0 ? undefined : `again: ${code} ${err}`
  },
  async sweep(house) {
    // By this clock, two hours and the retention have passed.
    const later = { ...systemClock, date: () => new Date(Date.now() + 10 * 24 * HOUR) }
    const engine: Engine = { host: memoryHost(), clock: later, home: house.home, actor: 'test' }
    const local = [{ id: 'local', cloud: await localCloud(house, { bytes: Buffer.of(), digest: '' }) }]
    for (const { d } of await findAbandoned(engine, local, openStore, { ttl: 2000 })) await destroy(engine, d, { why: 'sweep' })
    return undefined
  },
}

async function faultsOf(last: number, after: boolean, remedy: string): Promise<{ faults: string[]; reached: boolean; call: string }> {
  const house = await House.build(program, `creation-${last}`)
  try {
    await house.write('project/in', 'x')
    const death = deathAt(last, after)
    await killedAt(house, death)
    await death.settled()
    const wrong = await remedies[remedy]?.(house)
    const left = [...(await house.remains()), ...house.processes().map(({ command }) => command)]
    const call = `${last} ${after ? 'after' : 'before'} ${death.calls[last - 1]}, ${remedy}`
    return { faults: [...(wrong ? [wrong] : []), ...left].map((fault) => `${call}: ${fault}`), reached: death.calls.length >= last, call }
  } finally {
    house.clear()
    await house.leave(false)
  }
}

describe.each(sampled(Object.keys(remedies)))('a controller killed at calls of a creation, then %s', (remedy) => {
  test(
    'nothing is left',
    async () => {
      const faults: string[] = []
      const seen: string[] = []
      const first = 1 + (Object.keys(remedies).indexOf(remedy) % STRIDE)
      await upwards({ first, step: STRIDE, players: SIDE_BY_SIDE }, async (last) => {
        let reached = true
        for (const after of [false, true]) {
          const one = await faultsOf(last, after, remedy)
          faults.push(...one.faults)
          seen.push(one.call)
          reached &&= one.reached
        }
        return { reached }
      })
      expect(faults).toEqual([])
      expect(seen.length).toBeGreaterThan(30 / STRIDE)
    },
    10 * 60_000,
  )
})
