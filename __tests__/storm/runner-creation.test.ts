/**
 * The start of runners is cut off at calls to forge, store and cloud: killed before or after the call took effect, or interrupted at the call. No
 * registration, machine or secret is left: after a kill `destroy` removes them, after an interrupt the command itself.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, jest, test } from '@jest/globals'
import { open as openLocal } from '../../src/clouds/local/index.ts'
import type { AgentBundle } from '../../src/core/cloud.ts'
import type { Forge, ForgeContext, ForgeDescriptor } from '../../src/core/forge.ts'
import { deploymentId } from '../../src/core/identity.ts'
import type { Engine } from '../../src/engine/deployment.ts'
import { github } from '../../src/forges/github/descriptor.ts'
import { gitlab } from '../../src/forges/gitlab/descriptor.ts'
import { ownerOf } from '../../src/forges/registry.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { fetchArchive } from '../../src/runner/archive.ts'
import { createRunners } from '../../src/runner/create.ts'
import type { RunnerModeRequest } from '../../src/runner/request.ts'
import { openStore } from '../../src/stores/registry.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { GitlabDouble } from '../lab/gitlab/double.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { until } from '../setup/wait.ts'
import { type World, world } from '../setup/world.ts'
import { DEAD, type Death, deathAt, dyingCloud, dyingStore } from './dying.ts'
import { sampledPart } from './random.ts'
import { upwards } from './side-by-side.ts'

const SIDE_BY_SIDE = 6
/** Calls between two cuts. Each row starts with a different call, so that together they cover all calls. 1 covers all with each row. */
const STRIDE = Number(process.env['TPI_CUT_STRIDE'] ?? 5)
jest.setTimeout(10 * 60_000)

const request: RunnerModeRequest = {
  name: 'r',
  count: 1,
  size: {},
  spot: { want: 'never' },
  tags: {},
  env: {},
  labels: ['gpu'],
  defaultLabels: true,
  jobs: 2,
  idle: null,
  platform: { os: 'linux', arch: 'x64' },
  retry: 2,
  timeout: 60,
  onlineTimeout: 30,
  grace: 1,
  reserve: 5,
  retention: 60,
  lease: { beat: 500, ttl: 2000, storeGrace: 20_000 },
}

let agent: AgentBundle
beforeAll(async () => {
  const bytes = await readFile(process.env['TPI_AGENT_BUNDLE'] ?? '')
  agent = { bytes, digest: createHash('sha256').update(bytes).digest('hex') }
})

interface Stage {
  readonly descriptor: ForgeDescriptor
  readonly double: GithubDouble | GitlabDouble
  readonly place: Pick<ForgeContext, 'env' | 'url'>
  readonly request?: Partial<RunnerModeRequest>
}

const stages: Readonly<Record<string, () => Promise<Stage>>> = {
  async github() {
    const double = await new GithubDouble().start()
    return { descriptor: github, double, place: { env: { GITHUB_API_URL: double.url } } }
  },
  async 'github, without limit'() {
    return { ...((await stages['github']?.()) ?? never()), request: { jobs: null } }
  },
  async gitlab() {
    const double = await new GitlabDouble().start()
    return { descriptor: gitlab, double, place: { env: { GITLAB_RUNNER_DOWNLOADS: `${double.url}/downloads` }, url: double.url } }
  },
}

/** Names that are still registered, and violations that the double noticed. */
function leftAt({ double }: Stage): readonly string[] {
  const names = [...double.runners.values()].map((runner) => ('name' in runner ? runner.name : runner.description))
  return [...names, ...('breaches' in double ? double.breaches : [])]
}

/** Runs the creation like the command does, from its first call on. */
async function controller(w: World, stage: Stage, death: Death, signal: AbortSignal, dead = false): Promise<unknown> {
  const host = memoryHost()
  const owner = ownerOf({}, { user: 'ann', host: 'box' })
  const engine: Engine = { host, clock: systemClock, home: w.home, actor: owner.key, process: DEAD }
  const env = { PATH: process.env['PATH'] ?? '', HOME: w.home }
  const cloud = await openLocal({ env, home: w.home, values: {}, log: host, clock: systemClock, signal, agent: async () => agent })
  const openForge = async (until: AbortSignal): Promise<Forge> => {
    const { open } = await stage.descriptor.load()
    const target = { kind: 'repository', name: 'octo/hello' } as const
    return open({ ...stage.place, log: host, clock: systemClock, signal: until, mask() {}, token: 'good', target })
  }
  const storeAccess = await cloud.store('')
  const store = dyingStore(await openStore(storeAccess), death)
  const place = { cloudId: 'local', cloud: dyingCloud(cloud, death), store, id: deploymentId(owner, 'r'), name: 'r' }
  const opened = await openForge(signal)
  const own = { ...request, ...stage.request }
  const archive = fetchArchive(engine, await opened.download(own), signal)
  archive.catch(() => undefined)
  stage.double.gate = async (name, act) => death.through(name, act)
  return createRunners(engine, place, {
    request: own,
    origin: owner.origin,
    storeAccess,
    agent,
    forge: opened,
    forgeId: stage.descriptor.id,
    usualImage: stage.descriptor.image,
    labels: ['tpi-0123456789abcdef', 'gpu'],
    archive,
    signal,
    // Nothing follows a death.
    afterwards: async () => (dead ? new Promise(() => undefined) : openForge(new AbortController().signal)),
  })
}

/** Resolves to what was left or went wrong, and whether the creation reached that call. */
type Round = (w: World, stage: Stage, last: number) => Promise<{ readonly wrong: readonly string[]; readonly reached: boolean }>

/** Options for later commands, because no token is sent to an address that only the record of a deployment names. */
const knowing = ({ place: { env, url } }: Stage): Record<string, string> => ({
  REPO_TOKEN: 'good',
  ...(env as Record<string, string>),
  ...(url === undefined ? {} : { TPI_FORGE_URL: url }),
})

const rounds: Readonly<Record<string, Round>> = {
  async 'killed before it has its effect'(w, stage, last) {
    return killed(w, stage, deathAt(last, false), last)
  },
  async 'killed after it had its effect'(w, stage, last) {
    return killed(w, stage, deathAt(last, true), last)
  },
  async interrupted(w, stage, last) {
    const stop = new AbortController()
    const calls: string[] = []
    const death: Death = {
      calls,
      died: new Promise(() => undefined),
      settled: async () => undefined,
      async through(name, act) {
        calls.push(name)
        if (calls.length === last) stop.abort(new Error('SIGINT'))
        return act()
      },
    }
    const made = await controller(w, stage, death, stop.signal).then(
      (one) => one,
      () => undefined,
    )
    // It was too late for this creation to notice the interrupt. The command would go on to wait, and remove everything there.
    if (made !== undefined) await w.tpi('destroy r --discard', { env: knowing(stage) })
    return { wrong: [], reached: calls.length >= last && made === undefined }
  },
}

async function killed(w: World, stage: Stage, death: Death, last: number): ReturnType<Round> {
  const over = new AbortController()
  const life = controller(w, stage, death, over.signal, true)
  life.catch(() => undefined)
  await Promise.race([death.died, life])
  over.abort()
  await death.settled()
  stage.double.gate = async (_, act) => act()
  const { code, host } = await w.tpi('destroy r --discard', { env: knowing(stage) })
  const unknown = host.annotations.some(({ message }) => message.includes('there is no run'))
  return { wrong: code === 0 || unknown ? [] : [`destroy: ${code} ${host.lines.join(' ')}`], reached: death.calls.length >= last }
}

const all = Object.keys(stages).flatMap((id, row) => Object.keys(rounds).map((how) => ({ id, how, first: 1 + (row % STRIDE) })))

test.each(sampledPart(all, 2))('a start on $id that is $how: nothing is left', async ({ id, how, first }) => {
  const faults: string[] = []
  let seen = 0
  await upwards({ first, step: STRIDE, players: SIDE_BY_SIDE }, async (last) => {
    const w = await world()
    const stage = (await stages[id]?.()) ?? never()
    try {
      const outcome = (await rounds[how]?.(w, stage, last)) ?? never()
      await until('the machines have left', async () => (await w.alive()).length === 0).catch((error: unknown) =>
        faults.push(`${last}: ${String(error)}`),
      )
      const left = (await w.remains()).filter((path) => !path.startsWith('cache'))
      faults.push(...[...outcome.wrong, ...left, ...leftAt(stage)].map((fault) => `call ${last}: ${fault}`))
      if (outcome.reached) seen++
      return outcome
    } finally {
      await w.end()
      await stage.double.stop()
    }
  })
  expect(faults).toEqual([])
  expect(seen).toBeGreaterThan(12 / STRIDE)
})

function never(): never {
  throw new Error('there is none')
}
