/** A forge that cannot be reached for a while: before a start has made anything, during it, and while jobs run. */
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { filesHolding } from '../lab/leaks.ts'
import { onStage, ways } from '../runner/stages.ts'
import { until } from '../setup/wait.ts'

describe.each(Object.keys(ways))('runners of %s', (id) => {
  const on = onStage(id)
  const { tpi, launch, objects } = on
  /** The forge is away for this time in milliseconds. */
  const goesAway = (time: number): void => {
    on.stage.forge.away = true
    setTimeout(() => (on.stage.forge.away = false), time)
  }

  test('a forge that is away before anything is made is waited for, with its reason', async () => {
    const { forge } = on.stage
    forge.away = true
    const launched = launch('--labels gpu --idle-timeout never')
    // A single failure is not worth a message.
    await until('it has asked several times', () => forge.unanswered >= 3)
    forge.away = false
    const ran = await launched
    expect(ran.code).toBe(0)
    expect(ran.host.lines.join('\n')).toMatch(/does not answer \(.+\): trying again in \d/)
    expect((await tpi('destroy r --discard')).code).toBe(0)
    expect(objects()).toBe(0)
  })

  test('... but no longer than the start waits for runners: nothing is left, and nothing was made', async () => {
    on.stage.forge.away = true
    expect(await launch('--labels gpu --online-timeout 2s')).toMatchObject({
      code: 76,
      facts: { error: expect.stringContaining('no answer') },
    })
    await on.w.deserted()
    expect((await on.w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
    on.stage.forge.away = false
    expect(objects()).toBe(0)
  })

  test('a forge that goes away in the middle of a start, for longer than the start waits for runners: everything is removed', async () => {
    on.stage.registered(() => goesAway(12_000))
    const ran = await launch('--labels gpu --online-timeout 3s')
    // Either the forge does not answer the command, or not the machines, which then do not come online.
    expect([76, 124]).toContain(ran.code)
    await on.w.deserted()
    expect((await on.w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
    expect(objects()).toBe(0)
  })

  test('the network is cut for seconds in mid-launch and again in mid-leave: both wait it out, and nothing is left', async () => {
    on.stage.registered(() => goesAway(3000))
    const { code, facts } = await launch(`--labels gpu --count 2 ${on.stage.jobs(1)} --idle-timeout never`)
    expect([code, facts.outcome, new Set(facts.runnerIds).size]).toEqual([0, 'running', objects()])
    on.stage.forge.gate = async (name, act) => {
      const answer = await act()
      if (!name.startsWith('DELETE ')) return answer
      on.stage.forge.gate = async (_, again) => again()
      goesAway(3000)
      return answer
    }
    const ended = await tpi('destroy r --discard')
    expect([ended.code, ended.host.annotations]).toEqual([0, []])
    expect([objects(), await on.w.alive()]).toEqual([0, []])
    expect((await on.w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
    expect(filesHolding(on.w.home, on.stage.secrets())).toEqual([])
  })

  test('a forge that is away while a job runs: nothing is killed, the job ends, and the next one is served', async () => {
    const first = on.stage.push(['gpu'], `until test -e ${join(on.w.work, 'go')}; do sleep 0.1; done; sleep 2`)
    const { facts } = await launch(`--labels gpu ${on.stage.jobs(2)} --idle-timeout 8s`)
    await until('the job runs', () => ['in_progress', 'running'].includes(first() ?? ''))
    const second = on.stage.push(facts.runsOn, 'echo again')
    on.stage.forge.away = true
    await on.w.write('go', '')
    await new Promise((resolve) => setTimeout(resolve, 5000))
    const [machine] = await on.w.alive()
    expect(machine).toBeDefined()
    on.stage.forge.away = false
    await until('both jobs are served', () => first() === 'success' && second() === 'success', 30_000)
    await until('the machine has left', async () => (await on.w.alive()).length === 0, 30_000)
    expect((await tpi('status r --json')).facts).toMatchObject({ outcome: 'success', slots: [{ state: 'succeeded', attempt: 1 }] })
    await tpi('destroy r --discard')
    expect(objects()).toBe(0)
  })
})
