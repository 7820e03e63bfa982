/** Whether runners may be registered at a place, in which group, and what it means if they are refused. */
import { InputError } from '../../core/errors.ts'
import type { ForgeContext } from '../../core/forge.ts'
import type { Call } from '../call.ts'
import { type Api, PAGE } from './api.ts'
import { registering } from './permissions.ts'
import type { Target } from './target.ts'

/** Id of the default group. */
const USUAL = 1

interface Group {
  readonly id: number
  readonly name: string
  /** Its runners also take jobs of public repositories of the organization. */
  readonly allows_public_repositories: boolean
  /** `all`, or some of the repositories. */
  readonly visibility: string
  readonly restricted_to_workflows?: boolean
  readonly selected_workflows?: readonly string[]
}

/** The CI job that runs this command. */
interface Here {
  readonly repository: string | undefined
  /** Its workflow's file and branch, as groups list them. */
  readonly workflow: string | undefined
}

/** Whose jobs runners can get. */
interface Audience {
  /** What lets anybody propose jobs for them. */
  readonly open?: string
  /** Jobs that they are probably meant for, and cannot get. */
  readonly warnings: readonly string[]
}

export class Admission {
  readonly #api: Api
  readonly #target: Target
  readonly #mask: ForgeContext['mask']

  constructor(api: Api, target: Target, mask: ForgeContext['mask']) {
    this.#api = api
    this.#target = target
    this.#mask = mask
  }

  /** Rejects if the token may not register runners. Mints a registration token to find out, which is not used, but valid for an hour. */
  async prove(): Promise<void> {
    await this.registrationToken('register')
  }

  /** Good for an hour, and for any number of machines. `doing`: what it is for, for the message if it is refused. */
  async registrationToken(doing = 'get a registration token for'): Promise<string> {
    const { kind, name } = this.#target
    const purpose = { doing: `${doing} runners of ${kind} ${name}`, needs: registering(kind) }
    return (await this.#mint({ ...purpose, explain: async (status) => this.refusal(status) })) ?? ''
  }

  /** `undefined`: the call accepts a refusal, and was refused. */
  async #mint(call: Omit<Call, 'method' | 'path'>): Promise<string | undefined> {
    const path = `${this.#target.path}/actions/runners/registration-token`
    const { status, data } = await this.#api.call({ ...call, method: 'POST', path })
    if (status !== 201) return undefined
    const { token } = data as { token: string }
    this.#mask(token)
    return token
  }

  /** Whose jobs the runners can get. For an organization or enterprise, their group decides. */
  async audience(title: string, group: string | undefined, here: Here): Promise<Audience> {
    const { kind, path } = this.#target
    const id = await this.groupId(group)
    if (kind !== 'repository') return this.#ofGroup(title, id, here)
    const { status, data } = await this.#api.call({ doing: 'look at the repository', method: 'GET', path, accept: [403, 404] })
    const isPublic = status === 200 && (data as { private?: boolean }).private === false
    return { ...(isPublic ? { open: `${title} is public` } : {}), warnings: [] }
  }

  async #ofGroup(title: string, id: number, { repository, workflow = '' }: Here): Promise<Audience> {
    // An organization that does not show its groups can have runners all the same.
    const group = (await this.#groups([403, 404])).find((one) => one.id === id)
    if (!group) return { warnings: [] }
    const words = `runner group "${group.name}" of ${title}`
    const { restricted_to_workflows: restricted, selected_workflows: workflows = [] } = group
    return {
      ...(group.allows_public_repositories ? { open: `${words} serves public repositories` } : {}),
      warnings: [
        // No warning in a workflow of the list: whoever has put it there knows.
        ...(restricted && !workflows.includes(workflow)
          ? [`${words} serves only jobs of some workflows: ${workflows.join(', ')}; other jobs wait`]
          : []),
        ...(repository !== undefined && (await this.#isBarred(group, repository))
          ? [`${words} does not serve ${repository}: jobs of this repository wait until the group's settings include it`]
          : []),
      ],
    }
  }

  /** Whether the group does not serve this repository. Only if GitHub says so: not for enterprises, nor if the list is cut short. */
  async #isBarred({ id, visibility }: Group, here: string): Promise<boolean> {
    const { kind, name, path } = this.#target
    const [owner = '', repository = ''] = here.split('/')
    if (visibility === 'all' || kind !== 'organization' || owner.toLowerCase() !== name.toLowerCase()) return false
    const query = `visible_to_repository=${encodeURIComponent(repository)}&per_page=${PAGE}`
    const purpose = { doing: `list runner groups for ${here}`, method: 'GET', accept: [403, 404] }
    const { status, data } = await this.#api.call({ ...purpose, path: `${path}/actions/runner-groups?${query}` })
    const groups = status === 200 ? (data as { readonly runner_groups: readonly Group[] }).runner_groups : undefined
    return groups !== undefined && groups.length < PAGE && !groups.some((one) => one.id === id)
  }

  /** The error that a refused registration means; `undefined`: the token is not allowed to register. */
  async refusal(status: number, group?: string): Promise<Error | undefined> {
    if (status !== 403) return undefined
    const owner = this.#target.name.split('/')[0] ?? ''
    if (this.#target.kind === 'repository')
      return (await this.#forbidden(owner))
        ? new InputError(`repository: organization "${owner}" does not allow self-hosted runners of ${this.#target.name}`, {
            hint: `register for the organization: \`organization: ${owner}\``,
          })
        : undefined
    // If the token cannot register at all, the group is not the reason.
    if (group === undefined || (await this.#mint({ doing: 'verify the token', accept: [403, 404] })) === undefined) return undefined
    return new InputError(`runner-group: GitHub accepts no self-hosted runner in the group "${group}" (HTTP 403)`, {
      hint: `a group for GitHub-hosted machines accepts none; choose another: ${namesOf((await this.#groups()).filter(({ name }) => name !== group))}`,
    })
  }

  /** Whether the policy of the organization forbids runners of this repository, if the token may read it. */
  async #forbidden(owner: string): Promise<boolean> {
    const path = `/orgs/${owner}/actions/permissions/self-hosted-runners`
    const { status, data } = await this.#api.call({ doing: 'read the policy of the organization', method: 'GET', path, accept: [403, 404] })
    const { enabled_repositories: enabled } = (status === 200 ? data : {}) as { enabled_repositories?: string }
    return enabled === 'none' || (enabled === 'selected' && !(await this.#selected(path)))
  }

  async #selected(policy: string): Promise<boolean> {
    const { kind, name } = this.#target
    const purpose = { doing: 'list the repositories that the organization allows', needs: registering(kind) }
    const selected = await this.#api.list<{ readonly full_name: string }>(purpose, `${policy}/repositories`, 'repositories')
    return selected.some((one) => one.full_name.toLowerCase() === name.toLowerCase())
  }

  async groupId(name: string | undefined): Promise<number> {
    if (name === undefined) return USUAL
    if (this.#target.kind === 'repository') throw new InputError('runner-group: only organizations and enterprises have groups')
    const groups = await this.#groups()
    const found = groups.find((group) => group.name === name)
    if (found) return found.id
    throw new InputError(`runner-group: there is no group "${name}"`, { hint: `there are: ${namesOf(groups)}` })
  }

  /** Empty if the answer has one of these statuses. */
  async #groups(accept: readonly number[] = []): Promise<readonly Group[]> {
    const { kind, path } = this.#target
    const purpose = { doing: 'list runner groups', needs: registering(kind), accept }
    return this.#api.list(purpose, `${path}/actions/runner-groups`, 'runner_groups')
  }
}

function namesOf(groups: readonly Group[]): string {
  return groups.map(({ name }) => name).join(', ')
}
