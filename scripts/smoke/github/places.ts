/** Other places that runners can belong to, and other logins of their caller. */
import { appToken } from '../../../src/forges/github/auth.ts'
import type { Check, Trial } from '../check.ts'
import type { Api } from '../http.ts'
import type { Hub } from './hub.ts'

type Env = Hub['env']

interface Kind {
  readonly id: string
  readonly title: string
  /** What it decides, in addition to whether runners can be registered there. */
  readonly settles: string
  /** Variables that it needs. */
  readonly takes: readonly string[]
  readonly words: (env: Env, hub: Hub) => readonly string[]
  /** Environment variables of its commands. */
  readonly environment?: (env: Env) => Readonly<Record<string, string>>
  /** The owner of the runners, as a path of the API. */
  readonly path: (hub: Hub) => string
  readonly api: (hub: Hub, trial: Trial) => Promise<Api>
  readonly more?: (there: There, hub: Hub, trial: Trial) => Promise<void>
}

interface There {
  readonly api: Api
  readonly path: string
  readonly runner: Registered | undefined
}

interface Registered {
  readonly name: string
  readonly status: string
  readonly runner_group_id?: number
  readonly labels: readonly { readonly name: string }[]
}

const repositoryOf = (text: string | undefined): string => `/repos/${text ?? ''}`
const usual = async (hub: Hub): Promise<Api> => hub.apiAt(hub.api, hub.env['SMOKE_GITHUB_TOKEN'] ?? '')
const organization = (hub: Hub): string => `/orgs/${hub.env['SMOKE_GITHUB_ORGANIZATION'] ?? ''}`

const KINDS: readonly Kind[] = [
  {
    id: 'organization',
    title: 'runners of an organization',
    settles: 'the path and the rights',
    takes: ['SMOKE_GITHUB_ORGANIZATION'],
    words: (env) => ['--organization', env['SMOKE_GITHUB_ORGANIZATION'] ?? ''],
    path: organization,
    api: usual,
  },
  {
    id: 'group',
    title: 'runners of a group of an organization',
    settles: 'that names of groups are found, and what is said of one that is not there',
    takes: ['SMOKE_GITHUB_ORGANIZATION', 'SMOKE_GITHUB_GROUP'],
    words: (env) => ['--organization', env['SMOKE_GITHUB_ORGANIZATION'] ?? '', '--runner-group', env['SMOKE_GITHUB_GROUP'] ?? ''],
    path: organization,
    api: usual,
    more: inItsGroup,
  },
  {
    id: 'app',
    title: 'runners that an App registers',
    settles: 'what the token of an installation may do, and for how long',
    takes: ['SMOKE_GITHUB_APP_ID', 'SMOKE_GITHUB_APP_KEY'],
    words: (_, hub) => ['--repository', hub.repository],
    environment: (env) => ({
      REPO_TOKEN: '',
      TPI_APP_ID: env['SMOKE_GITHUB_APP_ID'] ?? '',
      TPI_APP_KEY: env['SMOKE_GITHUB_APP_KEY'] ?? '',
    }),
    path: (hub) => repositoryOf(hub.repository),
    api: asInstallation,
  },
  {
    id: 'server',
    title: 'runners of an Enterprise Server',
    settles: 'the address of its API, and that its downloads have a digest',
    takes: ['SMOKE_GITHUB_SERVER', 'SMOKE_GITHUB_SERVER_REPOSITORY', 'SMOKE_GITHUB_SERVER_TOKEN'],
    words: (env) => ['--repository', env['SMOKE_GITHUB_SERVER_REPOSITORY'] ?? ''],
    environment: (env) => ({
      GITHUB_API_URL: '',
      TPI_FORGE_URL: env['SMOKE_GITHUB_SERVER'] ?? '',
      REPO_TOKEN: env['SMOKE_GITHUB_SERVER_TOKEN'] ?? '',
    }),
    path: (hub) => repositoryOf(hub.env['SMOKE_GITHUB_SERVER_REPOSITORY']),
    api: async (hub) =>
      hub.apiAt(`${(hub.env['SMOKE_GITHUB_SERVER'] ?? '').replace(/\/+$/, '')}/api/v3`, hub.env['SMOKE_GITHUB_SERVER_TOKEN'] ?? ''),
  },
]

/** A runner comes online there, with the digest that is published there, and is removed again. */
export const places: readonly Check<Hub>[] = KINDS.map((kind) => ({
  id: kind.id,
  title: kind.title,
  settles: `that runners can be registered there; ${kind.settles}`,
  lacks: ({ env }: Hub) => kind.takes.find((name) => !env[name]) && `${kind.takes.filter((name) => !env[name]).join(', ')} not set`,
  async run(hub: Hub, trial: Trial) {
    const [api, path] = [await kind.api(hub, trial), kind.path(hub)]
    await digests(api, path, trial)
    const name = hub.name()
    const own = kind.environment?.(hub.env) ?? {}
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
    const { code, err, facts } = await hub.commands.run([...launch, ...kind.words(hub.env, hub)], own)
    const [reported = ''] = facts.runners ?? []
    trial.saw(
      'a runner comes online',
      code === 0 ? reported : `exit code ${code}: ${facts.error ?? err.slice(-300)}`,
      'it does',
      code === 0,
    )
    trial.noted('the runner program', /runner program .*/.exec(err)?.[0] ?? 'is here from before, by that digest')
    const runner = await registered(api, path, reported)
    const shown = runner ? `${runner.status}, ${runner.labels.map((label) => label.name).join(' ')}` : 'not there'
    trial.saw(`it, among those of ${path}`, shown, `online, with the label ${name}`, /^online.*\b/.test(shown) && shown.includes(name))
    await kind.more?.({ api, path, runner }, hub, trial)
  },
}))

async function registered(api: Api, path: string, name: string): Promise<Registered | undefined> {
  const { data } = await api.call('GET', `${path}/actions/runners?name=${encodeURIComponent(name)}&per_page=100`)
  return (data as { runners: readonly Registered[] }).runners.find((one) => one.name === name)
}

async function digests(api: Api, path: string, trial: Trial): Promise<void> {
  const { data } = await api.call('GET', `${path}/actions/runners/downloads`)
  const all = data as readonly { readonly os: string; readonly architecture: string; readonly sha256_checksum?: string }[]
  const ours = all.filter(({ os, architecture }) => os === 'linux' && ['x64', 'arm64'].includes(architecture))
  const reported = ours.map(({ architecture, sha256_checksum: digest }) => `${architecture} ${digest ?? 'none'}`)
  const good = ours.length === 2 && ours.every(({ sha256_checksum: digest = '' }) => /^[0-9a-f]{64}$/.test(digest))
  trial.saw('digests of the downloads for Linux', reported.join(', '), 'a SHA-256 of each of x64 and arm64', good)
}

async function inItsGroup({ api, path, runner }: There, hub: Hub, trial: Trial): Promise<void> {
  const { data } = await api.call('GET', `${path}/actions/runner-groups?per_page=100`)
  const wanted = hub.env['SMOKE_GITHUB_GROUP']
  const group = (data as { runner_groups: readonly { id: number; name: string }[] }).runner_groups.find(({ name }) => name === wanted)
  const had = runner?.runner_group_id
  trial.saw('number of its group', had ?? 'none', `${group?.id}, which is that of "${wanted}"`, had !== undefined && had === group?.id)
  const nowhere = ['--organization', hub.env['SMOKE_GITHUB_ORGANIZATION'] ?? '', '--runner-group', `no-such-${hub.nonce}`]
  const { code, facts } = await hub.commands.run(['runner', '--cloud', 'local', '--forge', 'github', '--labels', 'x', '--json', ...nowhere])
  const said = `${code}: ${facts.error ?? ''}`
  trial.saw('a group that is not there', said, '64, and that there is none', said.startsWith('64: runner-group: there is no group'))
}

/** A token as a command of tpi would get it, only for this repository and these rights. */
async function asInstallation(hub: Hub, trial: Trial): Promise<Api> {
  const { SMOKE_GITHUB_APP_ID: id = '', SMOKE_GITHUB_APP_KEY: key = '' } = hub.env
  const app = hub.apiAt(hub.api, appToken({ id, key }, new Date()))
  const found = (await app.call('GET', `${repositoryOf(hub.repository)}/installation`)).data as { id: number }
  const body = { permissions: { administration: 'write' }, repositories: [hub.repository.split('/').at(-1)] }
  const { data } = await app.call('POST', `/app/installations/${found.id}/access_tokens`, { body })
  const { token, expires_at: end, permissions = {} } = data as { token: string; expires_at: string; permissions?: Record<string, string> }
  const minutes = Math.round((Date.parse(end) - Date.now()) / 60_000)
  trial.saw('a token of its installation is good for', `${minutes} min`, '60 min', minutes >= 55 && minutes <= 61)
  const rights = Object.entries(permissions).map(([name, level]) => `${name}: ${level}`)
  trial.saw(
    'rights of that token',
    rights.join(', '),
    'administration: write, and at most to read more',
    rights.includes('administration: write'),
  )
  trial.noted('length of that token', token.length)
  return hub.apiAt(hub.api, token)
}
