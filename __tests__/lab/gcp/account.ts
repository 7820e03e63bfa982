/**
 * Who may do what in a project: callers what a test says, machines what the project's policy gives their service account
 * (https://cloud.google.com/iam/docs/policies); and what surrounds Compute: enabled services (https://cloud.google.com/service-usage/docs/reference/rest/v1/services), the project itself
 * (https://cloud.google.com/resource-manager/reference/rest), service accounts
 * (https://cloud.google.com/iam/docs/reference/rest/v1/projects.serviceAccounts), tokens
 * (https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token) and list prices
 * (https://cloud.google.com/billing/docs/reference/rest/v1/services.skus).
 */
import { NUMBER, PROJECT } from './catalogue.ts'
import type { Method } from './compute.ts'
import { holds, type Resource } from './condition.ts'
import type { Fields } from './discovery.ts'
import { GcpFault } from './fault.ts'
import { type Need, serviceAccount } from './permissions.ts'
import { skus } from './prices.ts'

export const MACHINE_ACCOUNT = `tpi-machine@${PROJECT}.iam.gserviceaccount.com`

/** Who makes a call: a caller, or a machine by its service account. */
export interface Who {
  readonly kind: 'caller' | 'machine'
  readonly email: string
}

export const CALLER: Who = { kind: 'caller', email: `lab@${PROJECT}.iam.gserviceaccount.com` }

interface Binding {
  readonly role: string
  readonly members: readonly string[]
  readonly condition?: { readonly expression: string }
}

export class Account {
  /** Services that are not enabled. */
  readonly disabled = new Set<string>()
  readonly serviceAccounts = new Set([`${NUMBER}-compute@developer.gserviceaccount.com`, MACHINE_ACCOUNT])
  /** Permissions that the caller lacks, in a project or on a service account. */
  readonly missing = new Set<string>()
  /** If set, what the caller may do; nothing else. */
  only: ((need: Need) => boolean) | undefined
  /** Which permissions were needed, and by whom: `machine compute.autoscalers.update`. */
  readonly used = new Set<string>()
  /** The project's custom roles: id → role. */
  readonly roles = new Map<string, Fields>()
  /** How many requests with a new service account the project's policy refuses, as not known yet. */
  accountLag = 0
  policy: Fields = { version: 1, etag: 'BwX1', bindings: [{ role: 'roles/owner', members: ['user:ann@example.com'] }] }
  readonly methods: Readonly<Record<string, Method>>

  constructor() {
    const tested = (request: Fields, resource: Resource): Fields => this.#tested(request, resource)
    this.methods = {
      'serviceusage:services.get': (request) => this.#service(String(request['name'])),
      'serviceusage:services.list': () => ({ services: SERVICES.map((name) => this.#service(`projects/${NUMBER}/services/${name}`)) }),
      'serviceusage:services.batchGet': (request) => ({
        services: ([request['names']].flat() as readonly string[]).map((name) => this.#service(name)),
      }),
      'cloudresourcemanager:projects.get': () => ({
        name: `projects/${NUMBER}`,
        projectId: PROJECT,
        state: 'ACTIVE',
        displayName: PROJECT,
        createTime: '2024-04-01T12:34:56Z',
      }),
      'cloudresourcemanager:projects.testIamPermissions': (request) => tested(request, { name: '', type: '' }),
      'iam:projects.serviceAccounts.testIamPermissions': (request) => {
        const { email } = this.#serviceAccount(String(request['resource']))
        return tested(request, serviceAccount(String(email)))
      },
      'iam:projects.serviceAccounts.get': (request) => this.#serviceAccount(String(request['name'])),
      'iam:projects.serviceAccounts.list': () => ({
        accounts: [...this.serviceAccounts].map((email) => this.#serviceAccount(`projects/${PROJECT}/serviceAccounts/${email}`)),
      }),
      'iam:projects.serviceAccounts.create': (request) => {
        const email = `${String(body(request)['accountId'])}@${PROJECT}.iam.gserviceaccount.com`
        if (this.serviceAccounts.has(email)) throw there(`Service account ${email} already exists within project projects/${PROJECT}.`)
        this.serviceAccounts.add(email)
        return this.#serviceAccount(`projects/${PROJECT}/serviceAccounts/${email}`)
      },
      'iam:projects.roles.create': (request) => {
        const { roleId, role } = body(request) as { readonly roleId: string; readonly role: Fields }
        if (this.roles.has(roleId)) throw there(`A role named ${roleId} in projects/${PROJECT} already exists.`)
        return this.#role(roleId, role)
      },
      'iam:projects.roles.patch': (request) => this.#role(String(request['name']).split('/').at(-1) ?? '', body(request)),
      'cloudresourcemanager:projects.getIamPolicy': () => this.policy,
      'cloudresourcemanager:projects.setIamPolicy': (request) => this.#setPolicy(body(request)['policy'] as Fields),
      'iamcredentials:projects.serviceAccounts.generateAccessToken': (request) => {
        this.#serviceAccount(String(request['name']))
        return { accessToken: 'ya29.lab-impersonated', expireTime: new Date(Date.now() + 3600_000).toISOString() }
      },
      'cloudbilling:services.skus.list': skus,
      'sts:token': () => ({
        access_token: 'ya29.lab-federated',
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 3600,
      }),
    }
  }

  /** The first permission that somebody lacks. */
  lacking(who: Who, needs: readonly Need[]): Need | undefined {
    for (const { permission } of needs) this.used.add(`${who.kind} ${permission}`)
    return needs.find((need) => (who.kind === 'caller' ? this.#lacks(need) : !this.#grants(who.email, need)))
  }

  #lacks(need: Need): boolean {
    return this.missing.has(need.permission) || this.only?.(need) === false
  }

  /** https://cloud.google.com/iam/docs/conditions-overview : a binding with a condition counts only if that is true. */
  #grants(email: string, { permission, resource }: Need): boolean {
    return ((this.policy['bindings'] ?? []) as readonly Binding[])
      .filter(({ members }) => members.includes(`serviceAccount:${email}`))
      .some(({ role, condition }) => {
        const found = this.roles.get(/^projects\/[^/]+\/roles\/(.+)$/.exec(role)?.[1] ?? '')
        if (!found) throw new Error(`the lab does not know what the role ${role} includes`)
        const included = (found['includedPermissions'] ?? []) as readonly string[]
        return included.includes(permission) && (!condition || holds(condition.expression, resource))
      })
  }

  inventory(): readonly string[] {
    return [...this.serviceAccounts].map((email) => `service account ${email}`)
  }

  #service(name: string): Fields {
    const api = name.split('/').at(-1) ?? ''
    return {
      name: `projects/${NUMBER}/services/${api}`,
      parent: `projects/${NUMBER}`,
      state: this.disabled.has(api) ? 'DISABLED' : 'ENABLED',
      config: { name: api, title: TITLES[api] ?? api },
    }
  }

  #serviceAccount(resource: string): Fields {
    const email = resource.split('/').at(-1) ?? ''
    if (!this.serviceAccounts.has(email)) throw new GcpFault(404, `Unknown service account`, { reason: 'notFound', status: 'NOT_FOUND' })
    return {
      name: `projects/${PROJECT}/serviceAccounts/${email}`,
      projectId: PROJECT,
      uniqueId: '100000000000000000001',
      email,
      etag: 'MDEwMjE5MjA=',
      oauth2ClientId: '100000000000000000001',
    }
  }

  #role(id: string, role: Fields): Fields {
    this.roles.set(id, { ...this.roles.get(id), ...role })
    return { name: `projects/${PROJECT}/roles/${id}`, ...this.roles.get(id), etag: 'BwXr' }
  }

  /** https://cloud.google.com/resource-manager/reference/rest/v1/projects/setIamPolicy · https://cloud.google.com/iam/docs/policies#etag */
  #setPolicy(policy: Fields): Fields {
    const bindings = (policy['bindings'] ?? []) as readonly { readonly members: readonly string[]; readonly condition?: Fields }[]
    if (policy['etag'] !== this.policy['etag'])
      throw new GcpFault(409, 'There were concurrent policy changes. Please retry the whole read-modify-write with exponential backoff.', {
        reason: 'aborted',
        status: 'ABORTED',
      })
    if (policy['version'] !== 3 && bindings.some(({ condition }) => condition))
      throw new GcpFault(400, 'Policies with conditions need version 3.', { reason: 'badRequest', status: 'INVALID_ARGUMENT' })
    const accounts = bindings.flatMap(({ members }) => members).flatMap((member) => /^serviceAccount:(.*)/.exec(member)?.[1] ?? [])
    const unknown = accounts.find((email) => !this.serviceAccounts.has(email)) ?? (this.accountLag-- > 0 ? accounts[0] : undefined)
    if (unknown !== undefined)
      throw new GcpFault(400, `Service account ${unknown} does not exist.`, { reason: 'badRequest', status: 'INVALID_ARGUMENT' })
    this.policy = { ...policy, etag: `${String(this.policy['etag'])}+` }
    return this.policy
  }

  #tested(request: Fields, resource: Resource): Fields {
    const { permissions = [] } = (request['body'] ?? {}) as { readonly permissions?: readonly string[] }
    return { permissions: permissions.filter((permission) => !this.#lacks({ permission, resource })) }
  }
}

const body = (request: Fields): Fields => (request['body'] ?? {}) as Fields
const there = (message: string): GcpFault => new GcpFault(409, message, { reason: 'alreadyExists', status: 'ALREADY_EXISTS' })

/** Titles as in error messages. */
export const TITLES: Readonly<Record<string, string>> = {
  'compute.googleapis.com': 'Compute Engine API',
  'storage.googleapis.com': 'Cloud Storage JSON API',
  'iam.googleapis.com': 'Identity and Access Management (IAM) API',
  'cloudresourcemanager.googleapis.com': 'Cloud Resource Manager API',
  'cloudbilling.googleapis.com': 'Cloud Billing API',
  'serviceusage.googleapis.com': 'Service Usage API',
  'iamcredentials.googleapis.com': 'IAM Service Account Credentials API',
}

const SERVICES = Object.keys(TITLES)
