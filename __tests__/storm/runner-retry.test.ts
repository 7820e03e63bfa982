/**
 * `tpi retry` is killed after a call to forge, store or cloud took effect, at one call after the other, while it runs a cut-off job again and
 * restarts its runners. The next `tpi retry` continues: the job runs once more and only once, and in the end nothing is left.
 */
import { readdir } from 'node:fs/promises'
import { expect, jest, test } from '@jest/globals'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { until } from '../setup/wait.ts'
import { type World, world } from '../setup/world.ts'
import { type Death, deathAt, dyingCloud, dyingStore } from './dying.ts'
import { SEED } from './random.ts'
import { upwards } from './side-by-side.ts'

const SIDE_BY_SIDE = 4
/** The distance between the calls, from a first one that the seed chooses; 1 takes every call, which takes minutes. */
const STRIDE = Number(process.env['TPI_KILL_STRIDE'] ?? 8)
jest.setTimeout(10 * 60_000)

/** Every store and cloud of the command goes through it. */
function mortal(death: Death): (context: VerbContext) => VerbContext {
  return (context) => ({
    ...context,
    access: async (place) => dyingStore(await context.access(place), death),
    clouds: async () => (await context.clouds()).map(({ id, cloud }) => ({ id, cloud: dyingCloud(cloud, death) })),
  })
}

/** A launch whose only job was cut off, and whose machine has left. */
async function cutOff(w: World, forge: GithubDouble): Promise<{ attempts(): number; served(): boolean }> {
  const env = { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' }
  const { facts } = await w.tpi('runner --name r --repository octo/hello --json', { env })
  const run = forge.push([{ labels: facts.runsOn, script: '[ "$GITHUB_RUN_ATTEMPT" != 1 ] || sleep 60' }])
  const job = async () => (await w.tpi('status r --json')).facts.slots[0].jobs?.length === 1
  await until('the job is on record', job, 60_000)
  await w.tpi('interrupt r')
  await until('the machine has left', async () => (await w.alive()).length === 0, 60_000)
  return { attempts: () => run.attempt, served: () => run.jobs[0]?.conclusion === 'success' }
}

test('killed after one call or another: nothing is lost, repeated or left over', async () => {
  const faults: string[] = []
  let seen = 0
  await upwards({ first: 1 + (SEED % STRIDE), step: STRIDE, players: SIDE_BY_SIDE }, async (last) => {
    const w = await world()
    const forge = await new GithubDouble().start()
    const fault = (text: string): void => void faults.push(`call ${last}: ${text}`)
    let reached = true
    try {
      forge.tokens.set('dying', ['runners', 'actions'])
      const env = { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' }
      const { attempts, served } = await cutOff(w, forge)
      const death = deathAt(last, true)
      let dead = false
      void death.died.then(() => (dead = true))
      forge.gate = async (name, act, token) => (token === 'dying' ? death.through(name, act) : act())
      const life = w.tpi('retry --json', { env: { ...env, REPO_TOKEN: 'dying' }, given: mortal(death) })
      await Promise.race([death.died, life])
      reached = dead
      if (reached) seen++
      for (let round = 0; round < 5 && !served(); round++) {
        await w.tpi('retry --json', { env })
        await until('the machines have left', async () => (await w.alive()).length === 0, 60_000)
      }
      if (!served())
        fault(
          `the job was not served (attempt ${attempts()}, ${(await readdir(w.home, { recursive: true })).length} files): ${death.calls.at(-1)}`,
        )
      if (attempts() !== 2) fault(`the job was run ${attempts()} times: ${death.calls.at(-1)}`)
      const { code, host } = await w.tpi('destroy r --discard', { env })
      // If the job was served before the next retry looked, that one has removed everything.
      const gone = host.annotations.some(({ message }) => message.includes('there is no run'))
      if (code !== 0 && !gone) fault(`destroy ended with ${code}`)
      const left = (await w.remains()).filter((path) => !path.startsWith('cache'))
      for (const thing of [...left, ...[...forge.runners.values()].map(({ name }) => name), ...forge.breaches]) fault(thing)
    } catch (error) {
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
