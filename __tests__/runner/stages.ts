/** The same runners at each forge: its double, and how a command names it. */
import { afterEach, beforeEach, expect } from '@jest/globals'
import { GithubDouble } from '../lab/github/double.ts'
import { GitlabDouble } from '../lab/gitlab/double.ts'
import { type Ran, type World, world } from '../setup/world.ts'

export interface Stage {
  readonly forge: GithubDouble | GitlabDouble
  readonly env: Readonly<Record<string, string>>
  readonly options: string
  /** A version of the runner program that is not the newest. */
  readonly version: string
  /** The call that registers. */
  readonly registering: RegExp
  /** A job for the labels of a launch; resolves to what became of it so far. */
  push(labels: readonly string[], script: string): () => string | null
  /** A runner of somebody else, in contact. */
  foreign(labels: readonly string[]): void
  stop(): Promise<void>
}

export const stages: Readonly<Record<string, () => Promise<Stage>>> = {
  async github() {
    const forge = await new GithubDouble().start()
    return {
      forge,
      env: { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' },
      options: '--repository octo/hello',
      version: '2.330.0',
      registering: /generate-jitconfig$/,
      push(labels, script) {
        const [job] = forge.push([{ labels, script }]).jobs
        return () => (job?.status === 'completed' ? job.conclusion : (job?.status ?? null))
      },
      foreign: (labels) => void forge.runners.set(7, { id: 7, name: 'theirs', labels, key: '', used: true, online: true, job: undefined }),
      async stop() {
        await forge.stop()
        expect(forge.breaches).toEqual([])
      },
    }
  },
  async gitlab() {
    const forge = await new GitlabDouble().start()
    return {
      forge,
      env: { GITLAB_RUNNER_DOWNLOADS: `${forge.url}/downloads`, REPO_TOKEN: 'good', TPI_FORGE_URL: forge.url },
      options: '--forge gitlab --repository octo/hello',
      version: '19.1.0',
      registering: /\/user\/runners$/,
      push(tags, script) {
        const job = forge.push(tags, script)
        return () => job.status
      },
      foreign: (tags) => forge.runners.contact(forge.foreign({ description: 'theirs', tags }), 's_1'),
      async stop() {
        await forge.stop()
        expect(forge.breaches).toEqual([])
      },
    }
  },
}

/** GitHub's double and a world, both of their own for every test of the file that calls it. */
export function onGithub(): { readonly w: World; readonly forge: GithubDouble } {
  let w: World
  let forge: GithubDouble
  beforeEach(async () => {
    forge = await new GithubDouble().start()
    w = await world()
  })
  afterEach(async () => {
    await w.end()
    await forge.stop()
    expect(forge.breaches).toEqual([])
  })
  return {
    get w() {
      return w
    },
    get forge() {
      return forge
    },
  }
}

export interface OnStage {
  readonly w: World
  readonly stage: Stage
  tpi(words: string): Promise<Ran>
  /** Starts runners by the name `r`. */
  launch(more: string): Promise<Ran>
  /** Runner objects at the forge. */
  objects(): number
}

/** A stage and a world of its own for every test of the block that calls it. */
export function onStage(id: string): OnStage {
  let w: World
  let stage: Stage
  beforeEach(async () => {
    const open = stages[id]
    if (open === undefined) throw new Error(`no stage "${id}"`)
    stage = await open()
    w = await world()
  })
  afterEach(async () => {
    await w.end()
    await stage.stop()
  })
  const tpi = async (words: string): Promise<Ran> => w.tpi(words, { env: { ...stage.env } })
  return {
    get w() {
      return w
    },
    get stage() {
      return stage
    },
    tpi,
    launch: async (more) => tpi(`runner --name r ${stage.options} --json ${more}`),
    objects: () => stage.forge.runners.size,
  }
}
