/** A forge that is down for ten minutes, in virtual time: what waits for it, for how long, and what is left. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { drainIfDisowned } from '../../src/agent/runner/still-registered.ts'
import type { Clock } from '../../src/core/cloud.ts'
import { program } from '../../src/forges/gitlab/program.ts'
import { LISTED, removeRegistrations } from '../../src/runner/remove-registrations.ts'
import { runnerRequest } from '../forges/runner-request.ts'
import { type FakeClock, fakeClock } from '../lib/fake-clock.ts'
import { silent } from '../setup/silent-log.ts'
import { openOn, type Stage, stages } from './stages.ts'

const MINUTE = 60_000
const OUTAGE = 10 * MINUTE
/** A start that waits fifteen minutes for its runners. */
const PATIENCE = 15 * MINUTE
const COUNT = 3
const PREFIX = 'tpi-r-0123456789-'

const request = runnerRequest({ places: Array.from({ length: COUNT }, (_, slot) => ({ slot, k: 0, name: `${PREFIX}${slot}-0` })) })

describe.each(Object.keys(stages))('at %s', (id) => {
  let stage: Stage
  let clock: FakeClock
  /** When the forge is back. */
  let back: number
  beforeEach(async () => {
    back = Number.POSITIVE_INFINITY
    stage = (await stages[id]?.()) as Stage
    clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
    if ('limits' in stage.forge) stage.forge.now = () => clock.date().getTime()
  })
  afterEach(async () => stage.stop())

  function goesDown(): void {
    back = clock.now() + OUTAGE
    stage.forge.away = true
  }

  /** Sleeping ends the forge's outage when its time has come. */
  const passing: Clock = {
    now: () => clock.now(),
    date: () => clock.date(),
    async sleep(milliseconds, signal) {
      await clock.sleep(milliseconds, signal)
      if (clock.now() >= back) stage.forge.away = false
    },
  }

  async function open(until?: number) {
    const said: string[] = []
    const log = { ...silent, info: (line: string) => void said.push(line) }
    return { said, forge: await openOn(stage, { clock: passing, log, ...(until === undefined ? {} : { until }) }) }
  }
  const objects = (): number => stage.forge.runners.size

  test('a launch waits it out, visibly: identity, download and all registrations succeed in the end', async () => {
    goesDown()
    const { forge, said } = await open(clock.now() + PATIENCE)
    await forge.whoami()
    expect((await forge.download(request)).url).toContain(stage.forge.url)
    expect((await forge.enroll(request)).enrolled).toHaveLength(COUNT)
    expect(clock.now()).toBeGreaterThanOrEqual(OUTAGE)
    expect(clock.now()).toBeLessThan(OUTAGE + MINUTE)
    expect(said).toEqual(expect.arrayContaining([expect.stringMatching(/does not answer \(.+\): trying again in \d/)]))
    expect(objects()).toBe(id === 'gitlab' ? 1 : COUNT)
  })

  test('it goes down in the middle of the registration, whose answer is lost: none is made twice or left over', async () => {
    const { forge } = await open(clock.now() + PATIENCE)
    stage.forge.gate = async (call, act) => {
      const answer = await act()
      if (stage.registering.test(call) && back === Number.POSITIVE_INFINITY) goesDown()
      return answer
    }
    const { enrolled } = await forge.enroll(request)
    expect([enrolled.length, new Set(enrolled.map(({ name }) => name)).size]).toEqual([COUNT, COUNT])
    expect(clock.now()).toBeGreaterThanOrEqual(OUTAGE)
    expect([...stage.forge.runners.keys()].map(String).toSorted()).toEqual([...new Set(enrolled.map((one) => one.id))].toSorted())
  })

  test('a start waits for its runners through it; other commands fail after two minutes, and never report that they are gone', async () => {
    const patient = await open(clock.now() + PATIENCE)
    const { enrolled } = await patient.forge.enroll(request)
    for (const { name } of enrolled) stage.arrive(name)
    goesDown()
    const began = clock.now()
    const hasty = await open()
    for (const look of [hasty.forge.one(enrolled[0]?.id ?? ''), hasty.forge.equipped(['gpu']), hasty.forge.runners(PREFIX)])
      await expect(look).rejects.toMatchObject({ name: 'RemoteError', retryable: true })
    expect(clock.now() - began).toBeLessThan(OUTAGE)
    expect((await patient.forge.look(enrolled)).filter(({ online }) => online).length).toBeGreaterThan(0)
    expect(clock.now()).toBeGreaterThanOrEqual(back)
  })

  test('removing runners gives up after two minutes, and says so; a second try removes all of them', async () => {
    const { forge } = await open()
    const { enrolled } = await forge.enroll(request)
    goesDown()
    const began = clock.now()
    await expect(removeRegistrations(forge, PREFIX, enrolled)).rejects.toMatchObject({
      retryable: true,
      message: expect.stringContaining('no answer'),
    })
    expect(clock.now() - began).toBeLessThanOrEqual(2 * MINUTE)
    await passing.sleep(Math.max(OUTAGE, LISTED))
    expect((await removeRegistrations(forge, PREFIX, enrolled)).busy).toEqual([])
    expect(objects()).toBe(0)
  })
})

test('a machine that gets no answer from GitLab, however often, does not take its runner for removed', async () => {
  const stage = (await stages['gitlab']?.()) as Stage
  try {
    const url = stage.forge.url
    stage.forge.away = true
    const over = new AbortController()
    let asked = 0
    // A lease of a minute, and its requests, sped up to hundredths of a second.
    const machine = { ...program(url, `${url}/api/v4`, { env: {} }), archive: {} }
    const spec = { lease: { ttl: 10 }, runner: { machine } }
    const context = { spec, say: () => asked++ } as unknown as Parameters<typeof drainIfDisowned>[0]
    setTimeout(() => over.abort(), 500)
    expect(await drainIfDisowned(context, { id: { pid: 0, start: '' } }, { value: 'glrt-x', name: 'r' }, over.signal)).toBe(false)
    expect(asked).toBe(0)
  } finally {
    await stage.stop()
  }
})
