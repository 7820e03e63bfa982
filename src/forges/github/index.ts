/** GitHub as a `Forge`: calls for one repository, organization or enterprise, and how they are authorized. */
import { AuthError, InputError, RemoteError } from '../../core/errors.ts'
import type { Forge, ForgeContext } from '../../core/forge.ts'
import { reasonOf } from '../errors.ts'
import { mayPass } from '../outage.ts'
import { Admission } from './admission.ts'
import { Api, MANNERS } from './api.ts'
import { type Ask, appLogin, type Login, tokenLogin } from './auth.ts'
import { ci } from './ci.ts'
import { cutOff } from './cut-off-jobs.ts'
import { findDownload } from './download.ts'
import { Runners } from './enroll.ts'
import { rerun, waiting } from './rerun.ts'
import { isRun } from './runs.ts'
import { client, type Send } from './sdk.ts'
import { scopeOf, serves, targetOf } from './target.ts'

export async function open(context: ForgeContext): Promise<Forge> {
  const target = targetOf(context)
  const send = client(target.api)
  const login = loginOf(context, target.path, send)
  const api = new Api(context, send, login)
  const admission = new Admission(api, target, (secret) => context.mask(secret))
  const runners = new Runners(api, target, admission, context.log)
  const name = `${target.kind} ${target.name}`
  const title = `${name} at ${new URL(target.api).host}`
  const repositoriesOf = (known: readonly string[]): readonly string[] =>
    target.kind === 'repository' ? [target.name] : known.filter((one) => serves(target, one))
  return {
    scope: scopeOf(target),
    title,
    async whoami({ group, jobs, timeout = 0 } = {}) {
      await admission.prove()
      const { GITHUB_REPOSITORY: repository, GITHUB_WORKFLOW_REF: workflow } = context.env
      const { warnings, ...audience } = await admission.audience(title, group, { repository, workflow })
      return { name: `${login.kind} for ${name}`, warnings: [...warnings, ...agedWarnings(jobs, timeout)], ...audience }
    },
    download: async (request) => findDownload(api, target.path, (secret) => context.mask(secret), request),
    supply: ({ jobs }) => jobs ?? 1,
    enroll: async (request) => runners.enroll(request),
    runners: async (prefix) => runners.list(prefix),
    async look(enrolled) {
      const [first] = enrolled
      // One call per runner is cheapest for a few; a list for many.
      if (enrolled.length > 5 && first) return runners.list(commonPrefix(enrolled.map((one) => one.name)))
      return (await Promise.all(enrolled.map(async (one) => runners.known(one)))).filter((one) => one !== undefined)
    },
    one: async (id) => runners.one(id),
    equipped: async (labels) => runners.equipped(labels),
    notice: async (id, at) => runners.notice(id, at),
    evict: async (id) => runners.evict(id),
    cutOff: async (request) =>
      cutOff(api, context.log, {
        ...request,
        repositories: repositoriesOf(request.repositories),
        runs: request.runs?.filter((one) => serves(target, one.repository) && isRun(one.run)) ?? [],
      }),
    rerun: async (jobs, most, served = []) => rerun(api, target, jobs, { most, served }),
    async waiting(labels, repositories) {
      let count = 0
      for (const repository of repositoriesOf(repositories)) count += await waiting(api, context.log, repository, labels)
      return count
    },
  }
}

function loginOf(context: ForgeContext, path: string, send: Send): Login {
  const { token, app } = context
  if (app) {
    if (path.startsWith('/enterprises/'))
      throw new InputError('app-id: an App cannot register runners of an enterprise', { hint: 'use a classic token' })
    return appLogin(
      app,
      path,
      askOf(context, send),
      () => context.clock.date(),
      (secret) => context.mask(secret),
    )
  }
  if (token) return tokenLogin(token)
  const secretless = ci.detect(context.env) ? '; workflows that a fork or Dependabot has triggered get no secrets of Actions' : ''
  throw new AuthError('GitHub: no token was given', {
    hint: `give a token that may register runners (\`token\`, or the variable REPO_TOKEN), or an App (app-id and app-key)${secretless}`,
  })
}

/** Calls that an App makes to get its token. */
function askOf({ signal }: ForgeContext, send: Send): Ask {
  return async (method, path, authorization, body) => {
    const answer = await send(method, path, authorization, body, AbortSignal.any([signal, AbortSignal.timeout(30_000)]))
    if (answer.status < 300) return answer.data
    if (mayPass(MANNERS, answer)) throw new RemoteError(`GitHub: no token for the App: HTTP ${answer.status}`, { retryable: true })
    const hint =
      answer.status === 404
        ? 'install the App for this repository or organization'
        : 'check app-id, the private key, the permissions of the App, and the clock of this host'
    throw new AuthError(`GitHub: no token for the App: HTTP ${answer.status}: ${reasonOf(answer)}`, { hint })
  }
}

function commonPrefix(names: readonly string[]): string {
  const [first = ''] = names
  let length = first.length
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

/** Seconds after which GitHub forgets a registration that was never used. */
const UNUSED = 24 * 3600

function agedWarnings(jobs: number | null | undefined, timeout: number): string[] {
  if (typeof jobs !== 'number' || jobs < 2 || timeout <= UNUSED) return []
  const says = `of the ${jobs} registrations of each machine GitHub forgets those that are not used within a day, so it may serve fewer jobs`
  return [`${says}; with \`jobs: unlimited\` it has one that stays`]
}
