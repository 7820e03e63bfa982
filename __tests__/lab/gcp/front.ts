/**
 * The front of the emulated project: one address for every service of Google. A request that the service's discovery document does not allow is
 * refused, and fails the test; an answer that it does not allow is an error of the lab.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { closed, listening } from '../../setup/listening.ts'
import { bytesOf, type Gate, refusal } from '../gs/gate.ts'
import { bodyFrom } from '../vm/asked.ts'
import { lose, type Passed, send } from '../vm/relay.ts'
import type { World } from '../vm/simulation/world.ts'
import { type Trouble, Troubles } from '../vm/troubles.ts'
import { Account, CALLER, TITLES, type Who } from './account.ts'
import { Autoscalers } from './autoscalers.ts'
import { isPublic, NUMBER, natRouter, PROJECT, ZONES } from './catalogue.ts'
import { computeMethods, type Method } from './compute.ts'
import { type Fields, type Matched, Service, textOf, Undescribed } from './discovery.ts'
import { disabled, forbidden, GcpFault, noActing, throttled } from './fault.ts'
import { Firewalls } from './firewalls.ts'
import { Groups } from './groups.ts'
import { Instances } from './instances.ts'
import { type OperationParams, Operations } from './operations.ts'
import { ACT_AS, accountsOf, needsOf, permissionOf, serviceAccount, storageNeeds } from './permissions.ts'
import { Templates } from './templates.ts'
import { accountIn } from './token.ts'
import type { Vendor } from './vendor.ts'

/** One call, before it is answered. */
export interface Call {
  /** `compute:regionInstanceTemplates.insert` */
  readonly name: string
  readonly request: Fields
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

const DOCUMENTS = [
  'compute.v1',
  'iam.v1',
  'iamcredentials.v1',
  'cloudresourcemanager.v3',
  'cloudresourcemanager.v1',
  'serviceusage.v1',
  'cloudbilling.v1',
  'sts.v1',
  'storage.v1',
]
const STORAGE = /^\/(?:storage\/v1|upload\/storage\/v1|download\/storage\/v1|resumable\/upload|batch\/storage)\b/

export class Front {
  readonly troubles = new Troubles()
  readonly account = new Account()
  readonly operations: Operations
  readonly templates: Templates
  readonly instances: Instances
  readonly groups: Groups
  readonly autoscalers: Autoscalers
  readonly firewalls = new Firewalls()
  /** Requests that no description allows: a test that ends with any fails. */
  readonly undescribed: string[] = []
  /** How many calls do not find a new template, group or autoscaler although its operation is done, as in recorded answers. */
  young = 0
  /** Regions that do not answer a request for the groups of all regions. */
  readonly away = new Set<string>()
  /** Whether regions have a router with NAT. */
  nat = false
  /** The output of a machine's first serial port, by its id. */
  console: (id: string) => Promise<string> = async () => ''
  storage: Gate | undefined
  readonly #world: World
  readonly #services: readonly Service[]
  readonly #methods: Readonly<Record<string, Method>>
  readonly #failures: { readonly calls: RegExp; readonly error: NonNullable<OperationParams['error']>; left: number }[] = []
  readonly #buckets = new Map<string, Fields>()
  readonly server: http.Server

  constructor(vendor: Vendor, makeWorld: (instances: Instances) => World) {
    this.#services = DOCUMENTS.map((name) => new Service(vendor.document(name)))
    this.instances = new Instances(
      () => this.#world,
      () => this.operations,
    )
    this.#world = makeWorld(this.instances)
    this.operations = new Operations(this.#world.clock)
    this.templates = new Templates(this.#world.clock)
    this.groups = new Groups(() => this.#world, this.instances, this.templates)
    this.autoscalers = new Autoscalers(() => this.#world, this.groups)
    const compute = computeMethods({
      world: () => this.#world,
      operations: this.operations,
      templates: this.templates,
      instances: this.instances,
      groups: this.groups,
      autoscalers: this.autoscalers,
      firewalls: this.firewalls,
      young: () => this.young,
      routers: (region) => (this.nat && ZONES[region] ? [natRouter(PROJECT, region)] : []),
      console: async (id) => this.console(id),
    })
    this.#methods = {
      ...Object.fromEntries(Object.entries(compute).map(([name, method]) => [`compute:${name}`, method])),
      ...this.account.methods,
    }
    this.server = http.createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.#world.broken(error)
        response.destroy()
      })
    })
    this.server.keepAliveTimeout = 120_000
  }

  get world(): World {
    return this.#world
  }

  /**
   * Accepts the next `times` changes whose names match, but their operations end with this error; nothing is changed. `{name}` in its message: the
   * name of what is changed.
   */
  failOperation(calls: RegExp, error: NonNullable<OperationParams['error']>, times = 1): void {
    this.#failures.push({ calls, error, left: times })
  }

  /** Failures that no operation has met yet: a test that expects all of them has named the wrong calls. */
  get unfailed(): readonly RegExp[] {
    return this.#failures.flatMap(({ calls, left }) => (left > 0 ? [calls] : []))
  }

  async listen(host: string): Promise<number> {
    return await listening(this.server, host)
  }

  async stop(): Promise<void> {
    await closed(this.server)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyFrom(request)
    if (!text) return
    const url = new URL(request.url ?? '/', 'http://lab')
    const storage = STORAGE.test(url.pathname)
    const found = storage ? undefined : this.#find(request.method ?? 'GET', url.pathname)
    const name = storage ? `storage:${request.method}` : (found?.name ?? `${request.method} ${url.pathname}`)
    const { seen, trouble, lost } = await this.troubles.meet(name, found?.path['region'] ?? '')
    if (lost) return void response.destroy()
    const refused = storage ? this.#refusedByStorage(request, url, text) : undefined
    if (storage && !refused && (!trouble || trouble.kind.startsWith('l'))) {
      const passed =
        (await this.#stored(request, url)) ?? this.#asBucket(request.method, url.pathname, text, await this.#pass(request, text))
      Object.assign(seen, { ended: performance.now(), status: passed.status })
      if (trouble?.kind === 'lost-reply') return lose(response, passed)
      response.writeHead(passed.status, passed.headers)
      return send(response, passed)
    }
    const answer = refused ?? (await this.#answer(found, { name, url, headers: request.headers, text }, trouble))
    Object.assign(seen, { ended: performance.now(), status: answer.status })
    if (trouble?.kind === 'lost-reply') return void response.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=UTF-8', server: 'ESF' })
    response.end(JSON.stringify(answer.body))
  }

  /** The server behind takes anything. Media have the same methods at other addresses: https://developers.google.com/discovery/v1/using#mediaupload */
  #refusedByStorage({ method = 'GET', headers }: IncomingMessage, { pathname, searchParams }: URL, text: Buffer): Answer | undefined {
    const api = 'storage.googleapis.com'
    const path = pathname.replace(/^\/(?:upload|download|resumable\/upload)(?=\/storage\/)/, '')
    try {
      if (this.account.disabled.has(api)) throw disabled(api, TITLES[api] ?? api, NUMBER)
      // An upload goes on at an address of its own, and a batch is no method.
      if (searchParams.has('upload_id') || path.startsWith('/batch/')) return undefined
      const found = this.#find(method, path)
      if (found) this.#described(found, searchParams, headers, path === pathname ? text : Buffer.alloc(0))
      else this.undescribed.push(`storage has no ${method} ${path}`)
      return undefined
    } catch (error) {
      if (error instanceof GcpFault) return { status: error.code, body: error.body(true) }
      throw error
    }
  }

  #find(verb: string, path: string): Matched | undefined {
    for (const service of this.#services) {
      const found = service.find(verb, path)
      if (found) return found
    }
    return undefined
  }

  async #answer(
    found: Matched | undefined,
    asked: { name: string; url: URL; headers: http.IncomingHttpHeaders; text: Buffer },
    trouble: Trouble | undefined,
  ): Promise<Answer> {
    const { name, url, headers, text } = asked
    try {
      if (url.pathname === '/token') return { status: 200, body: { access_token: 'ya29.lab', token_type: 'Bearer', expires_in: 3599 } }
      if (!found) throw new GcpFault(404, `The requested URL ${url.pathname} was not found on this server.`, { reason: 'notFound' })
      const request = this.#described(found, url.searchParams, headers, text)
      if (trouble) refuse(trouble, name)
      if (name !== 'sts:token') authorized(headers.authorization)
      const who = this.#who(headers.authorization)
      this.#allowed(who, { name, request })
      return { status: 200, body: found.service.answer(found, await this.#done(who, name, request)) }
    } catch (error) {
      if (error instanceof GcpFault) return { status: error.code, body: error.body(/^(compute|storage):/.test(name)) }
      throw error
    }
  }

  #described(found: Matched, query: URLSearchParams, headers: http.IncomingHttpHeaders, text: Buffer): Fields {
    try {
      return found.service.request(found, query, bodyOf(headers['content-type'], text))
    } catch (error) {
      if (!(error instanceof Undescribed)) throw error
      this.undescribed.push(error.message)
      throw new GcpFault(400, `Invalid JSON payload received. ${error.message}`, { reason: 'badRequest' })
    }
  }

  #who(authorization: string | undefined): Who {
    const email = accountIn(authorization)
    if (email === undefined) return CALLER
    if (!this.account.serviceAccounts.has(email)) throw unauthenticated()
    return { kind: 'machine', email }
  }

  #allowed(who: Who, call: Call): void {
    const { name, request } = call
    const api = `${name.split(':')[0]}.googleapis.com`
    if (this.account.disabled.has(api)) throw disabled(api, TITLES[api] ?? api, NUMBER)
    const project = request['project']
    if (
      name.startsWith('compute:') &&
      project !== PROJECT &&
      project !== NUMBER &&
      !(name.startsWith('compute:images.') && isPublic(String(project)))
    )
      throw new GcpFault(404, `The resource 'projects/${String(project)}' was not found`, { reason: 'notFound' })
    const lacks = this.account.lacking(who, needsOf(call))
    if (lacks) throw forbidden(lacks.permission, lacks.resource.name || `projects/${PROJECT}`)
  }

  /** The server of objects accepts every token, so its calls are judged here. `undefined`: this one may be made. */
  async #stored(request: IncomingMessage, url: URL): Promise<Passed | undefined> {
    const who = this.#who(request.headers.authorization)
    const exists = async (bucket: string, object: string): Promise<boolean> => {
      const path = `/storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(object)}`
      const headers = { authorization: 'Bearer ya29.lab' }
      const found = await this.storage?.answer({ method: 'GET', url: new URL(path, url), headers, body: Buffer.alloc(0) })
      found?.long?.destroy()
      return found?.status === 200
    }
    const lacks = this.account.lacking(who, await storageNeeds({ method: request.method ?? 'GET', url, exists }))
    if (!lacks) return undefined
    const { permission, resource } = lacks
    const kind = resource.type.endsWith('/Object') ? 'object' : resource.type.endsWith('/Bucket') ? 'bucket' : 'project'
    const message = `${who.email} does not have ${permission} access to the Google Cloud Storage ${kind}. Permission '${permission}' denied on resource (or it may not exist).`
    const { status, body = '' } = refusal(403, 'forbidden', message)
    return { status, headers: { 'content-type': 'application/json; charset=UTF-8' }, body: Buffer.from(body) }
  }

  /** https://cloud.google.com/compute/docs/reference/rest/v1/instanceGroupManagers/aggregatedList : unreachables, which lists of templates lack */
  #reached(name: string, answer: unknown): unknown {
    if (this.away.size === 0 || !name.endsWith(':instanceGroupManagers.aggregatedList')) return answer
    const list = answer as { readonly items: Fields }
    const unreachables = [...this.away].map((region) => `regions/${region}`)
    return {
      ...list,
      unreachables,
      items: Object.fromEntries(Object.entries(list.items).filter(([scope]) => !unreachables.includes(scope))),
    }
  }

  async #done(who: Who, name: string, request: Fields): Promise<unknown> {
    const method = this.#methods[name]
    if (!method) throw new GcpFault(501, `The lab does not know ${name}`, { reason: 'notImplemented' })
    const failure = this.#failures.find(({ calls, left }) => left > 0 && calls.test(name))
    const error = this.#notActing(who, name, request) ?? failure?.error
    if (!error) return this.#reached(name, await method(request))
    if (failure) failure.left--
    const region = textOf(request, 'region')
    const scope = region === '' ? 'global' : `regions/${region}`
    const [resource = '', verb = ''] = name.replace(/^compute:/, '').split('.')
    const label =
      textOf(request['body'] as Fields, 'name') || textOf(request, 'instanceGroupManager') || textOf(request, 'instanceTemplate')
    const target = `projects/${PROJECT}/${scope}/${resource.replace(/^region(.)/, (_, letter: string) => letter.toLowerCase())}/${label}`
    const named = { ...error, message: error.message.replaceAll('{name}', label) }
    return this.operations.begin({ scope, type: verb, target, targetId: '1', error: named }, request['requestId'] as string | undefined)
  }

  /** Whoever makes a template of machines must be allowed to act as their service account; the operation says so. */
  #notActing(who: Who, name: string, request: Fields): ReturnType<typeof noActing> | undefined {
    if (!name.endsWith('nstanceTemplates.insert')) return undefined
    const { properties = {} } = (request['body'] ?? {}) as { readonly properties?: Fields }
    const isRefused = (email: string): boolean =>
      this.account.lacking(who, [{ permission: ACT_AS, resource: serviceAccount(email) }]) !== undefined
    const email = accountsOf(properties).find(isRefused)
    return email === undefined ? undefined : noActing(email, who.email)
  }

  /** A bucket with the fields that its creator requested, and this project's number: the server behind keeps neither. */
  #asBucket(method: string | undefined, path: string, asked: Buffer, answer: Passed): Passed {
    const makes = method === 'POST' && path === '/storage/v1/b'
    if (answer.status !== 200 || !(makes || (method === 'GET' && /^\/storage\/v1\/b\/[^/]+$/.test(path)))) return answer
    const fields = JSON.parse(answer.body.toString()) as Fields
    const name = textOf(fields, 'name')
    if (makes) this.#buckets.set(name, JSON.parse(asked.toString()) as Fields)
    const body = Buffer.from(JSON.stringify({ ...fields, ...this.#buckets.get(name), projectNumber: NUMBER }))
    const { 'content-length': _, ...headers } = answer.headers
    return { ...answer, headers, body }
  }

  async #pass(request: IncomingMessage, text: Buffer): Promise<Passed> {
    const { storage } = this
    if (!storage) return { status: 501, headers: {}, body: Buffer.from('the lab has no storage') }
    const { method = 'GET', headers } = request
    const reply = await storage.answer({ method, url: new URL(request.url ?? '/', `http://${headers.host}`), headers, body: text })
    const body = bytesOf(reply)
    const { status, long, digest } = reply
    return {
      status,
      headers: { ...(reply.headers as http.IncomingHttpHeaders), ...(!long && { 'content-length': String(body.length) }) },
      body,
      ...(long && { long }),
      ...(digest !== undefined && { digest }),
    }
  }
}

/** Tokens are requested with forms, everything else with JSON. */
function bodyOf(type: string | undefined, text: Buffer): unknown {
  if (text.length === 0) return undefined
  if (type?.startsWith('application/x-www-form-urlencoded')) {
    const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    return Object.fromEntries([...new URLSearchParams(text.toString())].map(([name, value]) => [camel(name), value]))
  }
  try {
    return JSON.parse(text.toString())
  } catch {
    throw new GcpFault(400, 'Parse Error', { reason: 'parseError' })
  }
}

function authorized(header: string | undefined): void {
  if (!/^Bearer \S+$/.test(header ?? '')) throw unauthenticated()
}

const unauthenticated = (): GcpFault =>
  new GcpFault(
    401,
    'Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
    { reason: 'required', status: 'UNAUTHENTICATED' },
  )

function refuse(trouble: Trouble, name: string): void {
  if (trouble.kind === 'throttle')
    throw name.startsWith('compute:') ? throttled(NUMBER) : new GcpFault(429, 'Quota exceeded.', { reason: 'rateLimitExceeded' })
  if (trouble.kind === 'broken')
    throw new GcpFault(503, 'The service is currently unavailable.', { reason: 'backendError', status: 'UNAVAILABLE' })
  if (trouble.kind === 'denied') throw forbidden(permissionOf(name)[0] ?? name, `projects/${PROJECT}`)
}
