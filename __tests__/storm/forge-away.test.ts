/** A forge that nobody reaches for a while: before a start has made anything, in its middle, and while jobs run. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { type Stage, stages } from '../runner/stages.ts'
import { type Ran, until, type World, world } from '../setup/world.ts'

jest.setTimeout(120_000)

let w: World
let stage: Stage

describe.each(Object.keys(stages))('runners of %s', (id) => {
  beforeEach(async () => {
    stage = (await stages[id]?.()) ?? never()
    w = await world()
  })
  afterEach(async () => {
    await w.end()
    await stage.stop()
  })

  const tpi = async (words: string): Promise<Ran> => w.tpi(words, { env: { ...stage.env } })
  const launch = async (more: string): Promise<Ran> => tpi(`runner --name r ${stage.options} --json ${more}`)
  const objects = (): number => stage.forge.runners.size

  test('a forge that is away before anything is made is waited for, with its reason', async () => {
    stage.forge.away = true
    setTimeout(() => (stage.forge.away = false), 4000)
    const ran = await launch('--labels gpu --idle-timeout never')
    expect(ran.code).toBe(0)
    expect(ran.host.lines.join('\n')).toMatch(/does not answer: trying again in \d/)
    expect((await tpi('destroy r --discard')).code).toBe(0)
    expect(objects()).toBe(0)
  })

  test('... but for no longer than runners are waited for: nothing is left, and nothing was made', async () => {
    stage.forge.away = true
    expect(await launch('--labels gpu --online-timeout 2s')).toMatchObject({
      code: 76,
      facts: { error: expect.stringContaining('no answer') },
    })
    expect(await w.alive()).toEqual([])
    expect((await w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
    stage.forge.away = false
    expect(objects()).toBe(0)
  })

  test('a forge that goes away in the middle of a start, for longer than runners are waited for: everything is given back', async () => {
    stage.forge.gate = async (name, act) => {
      const answer = await act()
      if (stage.registering.test(name)) {
        stage.forge.away = true
        stage.forge.gate = async (_, again) => again()
        setTimeout(() => (stage.forge.away = false), 12_000)
      }
      return answer
    }
    const ran = await launch('--labels gpu --online-timeout 3s')
    expect(ran.code).toBe(76)
    expect(await w.alive()).toEqual([])
    expect((await w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
    expect(objects()).toBe(0)
  })

  test('a forge that is away while a job runs: nothing is killed, the job ends, and the next one is served', async () => {
    const { facts } = await launch('--labels gpu --jobs 2 --idle-timeout 4s')
    const first = stage.push(facts.runsOn, 'sleep 2')
    await until('the job runs', () => ['in_progress', 'running'].includes(first() ?? ''))
    stage.forge.away = true
    await new Promise((resolve) => setTimeout(resolve, 5000))
    const [machine] = await w.alive()
    expect(machine).toBeDefined()
    stage.forge.away = false
    const second = stage.push(facts.runsOn, 'echo again')
    await until('both jobs are served', () => first() === 'success' && second() === 'success', 30_000)
    await until('the machine has left', async () => (await w.alive()).length === 0, 30_000)
    expect((await tpi('status r --json')).facts).toMatchObject({ outcome: 'success', slots: [{ state: 'succeeded', attempt: 1 }] })
    await tpi('destroy r --discard')
    expect(objects()).toBe(0)
  })
})

function never(): never {
  throw new Error('there is none')
}
