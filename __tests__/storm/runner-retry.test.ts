/**
 * `tpi retry` is killed after a call to forge, store or cloud took effect, at one call after the other, while it runs a cut-off job again and
 * restarts its runners. The next `tpi retry` continues: the job runs once more and only once, and in the end nothing is left.
 */
import { expect, jest, test } from '@jest/globals'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { type DoubleJob, GithubDouble } from '../lab/github/double.ts'
import { until } from '../setup/wait.ts'
import { type World, world } from '../setup/world.ts'
import { type Death, deathAt, dyingCloud, dyingStore } from './dying.ts'
import { SEED } from './random.ts'
import { upwards } from './side-by-side.ts'

const SIDE_BY_SIDE = 4
/** The distance between the calls, from a first one that the seed chooses; 1 takes every call, which takes minutes. */
const STRIDE = Number(process.env['TPI_KILL_STRIDE'] ?? 8)
/** Commands are killed here, not machines: none may lose its slot because the processors are busy. */
const LEASE = { TPI_LEASE_BEAT: '1s', TPI_LEASE_TTL: '4s' }
const QUICK = '[ "$GITHUB_RUN_ATTEMPT" != 1 ] || sleep 60'
/** Cut off in the first attempt; in the second it takes longer than the next command waits for signs of life of the killed one. */
const LONG = '[ "$GITHUB_RUN_ATTEMPT" = 1 ] && sleep 60 || sleep 12'
jest.setTimeout(10 * 60_000)

/** Every store and cloud of the command goes through it. */
function mortal(death: Death): (context: VerbContext) => VerbContext {
  return (context) => ({
    ...context,
    access: async (place) => dyingStore(await context.access(place), death),
    clouds: async () => (await context.clouds()).map(({ id, cloud }) => ({ id, cloud: dyingCloud(cloud, death) })),
  })
}

const surroundings = ({ url }: GithubDouble): Record<string, string> => ({ ...LEASE, GITHUB_API_URL: url, REPO_TOKEN: 'good' })

/** A launch whose only job was cut off, and whose machine has left. */
async function cutOff(w: World, forge: GithubDouble, script = QUICK): Promise<{ attempts(): number; served(): boolean; state(): string }> {
  const env = surroundings(forge)
  const { facts } = await w.tpi('runner --name r --repository octo/hello --json', { env })
  const run = forge.push([{ labels: facts.runsOn, script }])
  const job = async () => (await w.tpi('status r --json')).facts.slots[0].jobs?.length === 1
  await until('the job is on record', job, 60_000)
  await w.tpi('interrupt r')
  await until('the machine has left', async () => (await w.alive()).length === 0, 60_000)
  const now = (): DoubleJob | undefined => run.jobs[0]
  return {
    attempts: () => run.attempt,
    served: () => now()?.conclusion === 'success',
    state: () => `${now()?.status}, ${now()?.conclusion}, on ${now()?.runnerName}`,
  }
}

test('killed after one call or another: nothing is lost, repeated or left over', async () => {
  const faults: string[] = []
  let seen = 0
  await upwards({ first: 1 + (SEED % STRIDE), step: STRIDE, players: SIDE_BY_SIDE }, async (last) => {
    const w = await world()
    const forge = await new GithubDouble().start()
    const said: string[] = []
    let reached = true
    let killedAt: string | undefined
    const fault = (text: string): void => void faults.push([`call ${last} (${killedAt}): ${text}`, ...said].join('\n'))
    try {
      forge.tokens.set('dying', ['runners', 'actions'])
      const env = surroundings(forge)
      const { attempts, served, state } = await cutOff(w, forge)
      const death = deathAt(last, true)
      let dead = false
      void death.died.then(() => (dead = true))
      forge.gate = async (name, act, token) => (token === 'dying' ? death.through(name, act) : act())
      const life = w.tpi('retry --json', { env: { ...env, REPO_TOKEN: 'dying' }, given: mortal(death) })
      await Promise.race([death.died, life])
      reached = dead
      if (reached) seen++
      killedAt = death.calls.at(-1)
      for (let round = 0; round < 5 && !served(); round++) {
        const { facts, code } = await w.tpi('retry --json', { env })
        said.push(`${code} ${JSON.stringify(facts)}`)
        await until('the machines have left', async () => (await w.alive()).length === 0, 60_000)
        said.push(state())
      }
      if (!served()) fault(`the job was not served (attempt ${attempts()})`)
      if (attempts() !== 2) fault(`the job was run ${attempts()} times`)
      const { code, host } = await w.tpi('destroy r --discard', { env })
      // If the job was served before the next retry looked, that one has removed everything.
      const gone = host.annotations.some(({ message }) => message.includes('there is no run'))
      if (code !== 0 && !gone) fault(`destroy ended with ${code}`)
      const left = (await w.remains()).filter((path) => !path.startsWith('cache'))
      for (const thing of [...left, ...[...forge.runners.values()].map(({ name }) => name), ...forge.breaches]) fault(thing)
    } catch (error) {
      reached = false
      fault(String(error))
    } finally {
      await w.end()
      await forge.stop()
    }
    return { reached }
  })
  expect(faults).toEqual([])
  expect(seen).toBeGreaterThan(30 / STRIDE)
})

test('killed before it could record that its machines are requested: no job begins on what the next one removes', async () => {
  const w = await world()
  const forge = await new GithubDouble().start()
  try {
    const env = surroundings(forge)
    const { attempts, served, state } = await cutOff(w, forge, LONG)
    const death = deathBeforeRecord()
    await Promise.race([death.died, w.tpi('retry --json', { env, given: mortal(death) })])
    await until('a machine has come', async () => (await w.alive()).some((line) => line.includes('agent.mjs run')), 60_000)
    const { code, facts } = await w.tpi('retry --json', { env })
    expect({ code, facts }).toMatchObject({ code: 0, facts: [{ name: 'r', waiting: 1, relaunched: true }] })
    await until('the job has ended', () => served() || state().startsWith('completed'), 60_000)
    expect([state(), attempts()]).toEqual([expect.stringContaining('success'), 2])
    await until('the machine has left', async () => (await w.alive()).length === 0, 60_000)
    expect((await w.tpi('destroy r --discard', { env })).code).toBe(0)
    expect((await w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
    expect([...forge.breaches, ...forge.runners.keys()]).toEqual([])
  } finally {
    await w.end()
    await forge.stop()
  }
})

/** Falls silent at the first write to the record after the machines were requested: at the one that says so, or at a heartbeat. */
function deathBeforeRecord(): Death {
  let requested = false
  return deathAt(1, false, (call) => {
    requested ||= call === 'start'
    return requested && /^write .*current\.json$/.test(call)
  })
}
