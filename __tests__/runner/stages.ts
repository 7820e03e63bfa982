/** The same runners at each forge: the forge's double, and the options that select it. */
import { afterEach, beforeEach, expect } from '@jest/globals'
import type { Forge, ForgeContext, ForgeDescriptor } from '../../src/core/forge.ts'
import { github } from '../../src/forges/github/descriptor.ts'
import { gitlab } from '../../src/forges/gitlab/descriptor.ts'
import { systemId } from '../../src/forges/gitlab/program.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { GitlabDouble } from '../lab/gitlab/double.ts'
import { silent } from '../setup/silent-log.ts'
import { until } from '../setup/wait.ts'
import { type Ran, type World, world } from '../setup/world.ts'

export interface Stage {
  readonly descriptor: ForgeDescriptor
  readonly forge: GithubDouble | GitlabDouble
  readonly env: Readonly<Record<string, string>>
  /** Inputs that name the forge and the repository; `options` has the same for a command line. */
  readonly inputs: Readonly<Record<string, string>>
  readonly options: string
  /** A version of the runner program that is not the newest. */
  readonly version: string
  /** The call that registers. */
  readonly registering: RegExp
  /** Calls `act` once, after a registration took effect and before anybody knows. */
  registered(act: () => void): void
  /** Options that launch runners for this many jobs each; for more, if such a launch cannot limit them. */
  jobs(count: number): string
  /** Secrets that the forge gave to runners and to the commands that start them. */
  secrets(): readonly string[]
  /** State of a waiting job. */
  readonly waits: string
  /** Pushes a job for these labels; resolves to a function that returns its conclusion so far. */
  push(labels: readonly string[], script: string): () => string | null
  /** Gives this token the same rights as the usual one. */
  trust(token: string): void
  /** Milliseconds since 1970 at which its machines came online, on average; called when the last one just has. */
  since(): number
  /** From now on, a machine with this registration is online. */
  arrive(name: string): void
  /** From now on, it never reports a runner as online. */
  blind(): void
  /** The number of online machines of existing runner objects. */
  online(): number
  /** Adds somebody else's runner, online. */
  foreign(labels: readonly string[]): void
  stop(): Promise<void>
}

function named(inputs: Stage['inputs']): Pick<Stage, 'inputs' | 'options'> {
  const words = Object.entries(inputs).flatMap(([name, value]) => [`--${name}`, value])
  return { inputs, options: words.join(' ') }
}

/** What is the same at every forge. */
function usual(forge: Stage['forge'], registering: RegExp): Pick<Stage, 'forge' | 'registering' | 'registered' | 'jobs' | 'secrets'> {
  return {
    forge,
    registering,
    registered(act) {
      forge.gate = async (name, call) => {
        const answer = await call()
        if (!registering.test(name)) return answer
        forge.gate = async (_, again) => again()
        act()
        return answer
      }
    },
    jobs: (count) => `--jobs ${count}`,
    secrets: () => forge.secrets,
  }
}

/** `expose`: resolves to the URL by which machines reach a port of this host, if they are not processes of this host. */
type Raise = (expose?: (port: number) => Promise<string>) => Promise<Stage>

export const stages: Readonly<Record<string, Raise>> = {
  async github(expose) {
    const forge = await new GithubDouble().start('127.0.0.1', expose)
    return {
      ...usual(forge, /generate-jitconfig$/),
      descriptor: github,
      forge,
      env: { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' },
      ...named({ repository: 'octo/hello' }),
      version: '2.330.0',
      waits: 'queued',
      push(labels, script) {
        const [job] = forge.push([{ labels, script }]).jobs
        return () => (job?.status === 'completed' ? job.conclusion : (job?.status ?? null))
      },
      trust: (token) => void forge.tokens.set(token, forge.tokens.get('good') ?? []),
      since: () => Date.now(),
      arrive(name) {
        for (const runner of forge.runners.values())
          if (runner.name === name) Object.assign(runner, { online: true, seen: Number.POSITIVE_INFINITY })
      },
      blind: () => void forge.faults.push({ path: /runners\/\d+$/, method: 'GET', status: 404, times: 1000 }),
      online: () => [...forge.runners.values()].filter(({ online }) => online).length,
      foreign: (labels) =>
        void forge.runners.set(7, {
          id: 7,
          name: 'theirs',
          labels,
          key: '',
          client: '',
          online: true,
          job: undefined,
          seen: Number.POSITIVE_INFINITY,
        }),
      async stop() {
        await forge.stop()
        expect(forge.breaches).toEqual([])
      },
    }
  },
  async gitlab(expose) {
    const forge = await new GitlabDouble().start('127.0.0.1', expose)
    return {
      ...usual(forge, /\/user\/runners$/),
      descriptor: gitlab,
      forge,
      env: { GITLAB_RUNNER_DOWNLOADS: `${forge.url}/downloads`, REPO_TOKEN: 'good', TPI_FORGE_URL: forge.url },
      ...named({ forge: 'gitlab', repository: 'octo/hello' }),
      version: '19.1.0',
      waits: 'pending',
      push(tags, script) {
        const job = forge.push(tags, script)
        return () => job.status
      },
      trust: (token) => void forge.tokens.set(token, forge.tokens.get('good') ?? []),
      since() {
        const times = [...forge.runners.values()].flatMap(({ managers }) => [...managers.values()].map(({ contacted }) => contacted))
        return times.reduce((sum, time) => sum + time, 0) / times.length
      },
      arrive(name) {
        for (const runner of forge.runners.values()) forge.runners.contact(runner, systemId(name))
      },
      blind: () => void forge.faults.push({ path: /\/managers$/, method: 'GET', status: 200, data: [], times: 1000 }),
      online: () => [...forge.runners.values()].reduce((sum, { managers }) => sum + managers.size, 0),
      foreign: (tags) => forge.runners.contact(forge.foreign({ description: 'theirs', tags }), 's_1'),
      async stop() {
        await forge.stop()
        expect(forge.breaches).toEqual([])
      },
    }
  },
}

/** GitHub, with machines that register themselves for any number of jobs. */
async function lasting(expose?: Parameters<Raise>[0]): Promise<Stage> {
  const stage = (await stages['github']?.(expose)) as Stage
  const forge = stage.forge as GithubDouble
  return {
    ...stage,
    ...named({ ...stage.inputs, jobs: 'unlimited' }),
    registering: /registration-token$/,
    registered(act) {
      forge.registrations.done = () => {
        forge.registrations.done = () => {}
        act()
      }
    },
    jobs: () => '',
    secrets: () => [...forge.secrets, ...forge.registrations.tokens],
  }
}

/** Every way in which runners can be registered. */
export const ways: typeof stages = { ...stages, 'github, without limit': lasting }

/** The forge, opened as a command would open it. */
export async function openOn(
  { descriptor, env, forge, inputs }: Stage,
  more: Pick<ForgeContext, 'clock'> & Partial<ForgeContext>,
): Promise<Forge> {
  const target = { kind: 'repository', name: inputs['repository'] ?? '' } as const
  const signal = new AbortController().signal
  return (await descriptor.load()).open({ env, url: forge.url, log: silent, signal, mask() {}, token: 'good', target, ...more })
}

/** Runners named `r`. */
interface Runners {
  readonly w: World
  /** Facts about them from `tpi status`. */
  // biome-ignore lint/suspicious/noExplicitAny: facts are read by the tests that know them
  status(): Promise<any>
  /** Waits until they have ended and their machines have left. */
  over(): Promise<void>
  /** Paths below the home that they left. */
  left(): Promise<string[]>
}

function runnersIn(w: () => World): Omit<Runners, 'w'> {
  const status: Runners['status'] = async () => (await w().tpi('status r --json')).facts
  return {
    status,
    async over() {
      await until('the runners have ended', async () => (await status()).outcome !== 'running', 30_000)
      await until('the machines have left', async () => (await w().alive()).length === 0)
    },
    left: async () => (await w().remains()).filter((path) => !path.startsWith('cache')),
  }
}

/** Throws the output if they did not come online. */
function launched(ran: Ran): Ran {
  if (ran.code !== 0) throw new Error(`${ran.host.lines.join('\n')}\n${JSON.stringify(ran.facts)}\n${ran.host.scriptText()}`)
  return ran
}

export interface OnGithub extends Runners {
  readonly forge: GithubDouble
  /** Environment of each command. */
  env(): Record<string, string>
  tpi(words: string): Promise<Ran>
  /** Starts runners named `r`. */
  launch(more?: string): Promise<Ran>
  /** The same; rejects with the output if they do not come online. */
  online(more?: string): Promise<Ran>
}

/** GitHub's double and a world, new for every test of the file that calls it. */
export function onGithub(): OnGithub {
  const on = onStage('github')
  return {
    get w() {
      return on.w
    },
    get forge() {
      return on.stage.forge as GithubDouble
    },
    env: () => ({ ...on.stage.env }),
    tpi: on.tpi,
    launch: on.launch,
    online: async (more) => launched(await on.launch(more)),
    ...runnersIn(() => on.w),
  }
}

export interface OnGitlab extends Runners {
  readonly forge: GitlabDouble
  /** Runs `tpi …` with this token, or with the file's default. */
  tpi(words: string | readonly string[], token?: string): Promise<Ran>
  /** Starts runners named `r` for the tag `gpu`; rejects with the output if they do not come online. */
  launch(more?: string): Promise<Ran>
}

/** GitLab's double and a world, new for every test of the file that calls it. */
export function onGitlab(token = 'good'): OnGitlab {
  const on = onStage('gitlab')
  const env = (own: string): Record<string, string> => ({ ...on.stage.env, REPO_TOKEN: own })
  const tpi: OnGitlab['tpi'] = async (words, own = token) => on.w.tpi(words, { env: env(own) })
  return {
    get w() {
      return on.w
    },
    get forge() {
      return on.stage.forge as GitlabDouble
    },
    tpi,
    launch: async (more = '') => launched(await tpi(`runner --name r ${on.stage.options} --labels gpu --json ${more}`.trim())),
    ...runnersIn(() => on.w),
  }
}

export interface OnStage {
  readonly w: World
  readonly stage: Stage
  tpi(words: string, how?: Parameters<World['tpi']>[1]): Promise<Ran>
  /** Starts runners named `r`. */
  launch(more?: string, how?: Parameters<World['tpi']>[1]): Promise<Ran>
  /** The number of runner objects at the forge. */
  objects(): number
}

/** A stage and a world, new for every test of the block that calls it. */
export function onStage(id: string): OnStage {
  let w: World
  let stage: Stage
  beforeEach(async () => {
    const open = ways[id]
    if (open === undefined) throw new Error(`no stage "${id}"`)
    stage = await open()
    w = await world()
  })
  afterEach(async () => {
    await w.end()
    await stage.stop()
  })
  const tpi = async (words: string, how: Parameters<World['tpi']>[1] = {}): Promise<Ran> => w.tpi(words, { env: { ...stage.env }, ...how })
  return {
    get w() {
      return w
    },
    get stage() {
      return stage
    },
    tpi,
    launch: async (more = '', how = {}) => tpi(`runner --name r ${stage.options} --json ${more}`.trim().replace(/ +/g, ' '), how),
    objects: () => stage.forge.runners.size,
  }
}
