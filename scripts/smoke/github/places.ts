/** Where else runners can belong, and how else their caller can prove who it is. */
import type { Check, Trial } from '../check.ts'
import type { Hub } from './hub.ts'

interface Kind {
  readonly id: string
  readonly title: string
  /** Variables that it takes. */
  readonly takes: readonly string[]
  readonly words: (env: Hub['env'], hub: Hub) => readonly string[]
  /** What its commands are told by their environment. */
  readonly environment?: (env: Hub['env']) => Readonly<Record<string, string>>
}

const KINDS: readonly Kind[] = [
  {
    id: 'organization',
    title: 'runners of an organization',
    takes: ['SMOKE_GITHUB_ORGANIZATION'],
    words: (env) => ['--organization', env['SMOKE_GITHUB_ORGANIZATION'] ?? ''],
  },
  {
    id: 'group',
    title: 'runners of a group of an organization',
    takes: ['SMOKE_GITHUB_ORGANIZATION', 'SMOKE_GITHUB_GROUP'],
    words: (env) => ['--organization', env['SMOKE_GITHUB_ORGANIZATION'] ?? '', '--runner-group', env['SMOKE_GITHUB_GROUP'] ?? ''],
  },
  {
    id: 'app',
    title: 'runners that an App registers',
    takes: ['SMOKE_GITHUB_APP_ID', 'SMOKE_GITHUB_APP_KEY'],
    words: (_, hub) => ['--repository', hub.repository],
    environment: (env) => ({
      REPO_TOKEN: '',
      TPI_APP_ID: env['SMOKE_GITHUB_APP_ID'] ?? '',
      TPI_APP_KEY: env['SMOKE_GITHUB_APP_KEY'] ?? '',
    }),
  },
  {
    id: 'server',
    title: 'runners of an Enterprise Server',
    takes: ['SMOKE_GITHUB_SERVER', 'SMOKE_GITHUB_SERVER_REPOSITORY', 'SMOKE_GITHUB_SERVER_TOKEN'],
    words: (env) => ['--repository', env['SMOKE_GITHUB_SERVER_REPOSITORY'] ?? ''],
    environment: (env) => ({
      GITHUB_API_URL: '',
      TPI_FORGE_URL: env['SMOKE_GITHUB_SERVER'] ?? '',
      REPO_TOKEN: env['SMOKE_GITHUB_SERVER_TOKEN'] ?? '',
    }),
  },
]

/** A runner comes online there, and goes again. */
export const places: readonly Check<Hub>[] = KINDS.map(({ id, title, takes, words, environment }) => ({
  id,
  title,
  settles: 'that runners can be registered there',
  lacks: ({ env }: Hub) => takes.find((name) => !env[name]) && `${takes.filter((name) => !env[name]).join(', ')} not set`,
  async run(hub: Hub, trial: Trial) {
    const name = hub.name()
    const own = environment?.(hub.env) ?? {}
    trial.later(`giving ${name} back`, async () => {
      const { code, err } = await hub.commands.run(['destroy', name, '--discard'], own)
      if (code !== 0) throw new Error(`tpi destroy ended with ${code}: ${err.slice(-300)}`)
    })
    const launch = [
      'runner',
      '--name',
      name,
      '--cloud',
      'local',
      '--forge',
      'github',
      '--labels',
      name,
      '--json',
      '--idle-timeout',
      'never',
    ]
    const { code, err, facts } = await hub.commands.run([...launch, ...words(hub.env, hub)], own)
    trial.saw(
      'a runner comes online',
      code === 0 ? (facts.runners ?? []).join() : `exit code ${code}: ${facts.error ?? err.slice(-300)}`,
      'it does',
      code === 0,
    )
  },
}))
