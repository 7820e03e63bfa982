/**
 * The front of the emulated subscription: one address for everything of Azure that a client calls. A request that the tables of Microsoft's clients
 * do not allow is refused, and fails the test; an answer that they do not allow is an error of the lab.
 */
import { randomUUID } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { closed, listening } from '../../setup/listening.ts'
import { bodyFrom } from '../vm/asked.ts'
import { lose, relay, send } from '../vm/relay.ts'
import type { World } from '../vm/simulation/world.ts'
import { type Trouble, Troubles } from '../vm/troubles.ts'
import { Account, actionOf, type Who } from './account.ts'
import { Activity } from './activity.ts'
import { aroundMethods, SUBSCRIPTION_PERMISSIONS } from './around.ts'
import { Autoscale } from './autoscale.ts'
import { blobRefusal } from './blobs.ts'
import { prices } from './catalogue.ts'
import { computeMethods } from './compute.ts'
import { ArmFault, forbidden, linkedForbidden, throttled } from './fault.ts'
import { Instances } from './instances.ts'
import { linksIn } from './linked.ts'
import { type Asked, type Methods, ok, type Reply, record, textOf } from './method.ts'
import { networkMethods } from './network.ts'
import { Operations } from './operations.ts'
import { Resources, SUBSCRIPTION, TENANT } from './resources.ts'
import { Sets } from './sets.ts'
import { type Fields, type Matched, Tables, Undescribed } from './tables.ts'
import { CALLER, claimsIn, tokenFor } from './token.ts'

/** A server of blobs on this host. */
export interface Blobs {
  readonly port: number
  readonly account: string
  container(name: string): Promise<void>
}

export interface FrontSettings {
  readonly tables: string
  readonly blobs: Blobs
  /** Milliseconds between two looks of the autoscale engine. */
  readonly pace: readonly [number, number]
  readonly certificate: { readonly cert: string; readonly key: string }
  readonly makeWorld: (instances: Instances) => World
}

const VERSION = /^\d{4}-\d{2}-\d{2}(?:-(?:preview|privatepreview))?$/

export class Front {
  readonly troubles = new Troubles()
  readonly account: Account
  readonly activity: Activity
  readonly operations: Operations
  readonly resources: Resources
  readonly instances: Instances
  readonly sets: Sets
  readonly autoscale: Autoscale
  /** Requests that no table allows: a test that ends with any fails. */
  readonly undescribed: string[] = []
  /** Machine sizes that the subscription may not use. */
  readonly restricted = new Set<string>()
  /** Items on a page of a list. */
  page = 50
  /**
   * Whether answers have names of resource groups in upper case, as some of the vendor's do. Case does not count:
   * https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
   */
  shouts = false
  /** May throw an `ArmFault`: for a policy, or a right that the lab does not know. */
  judge: ((asked: Asked) => void | Promise<void>) | undefined
  /** Bytes per second of each upload to the storage, as from a machine that is small or far away. */
  uplink = Infinity
  /** What machines have asked their metadata service, in order (times in milliseconds). */
  readonly looks: { readonly machine: string; readonly what: string; readonly at: number }[] = []
  /** Machines that confirmed a notice, so their end begins early. */
  readonly agreed: string[] = []
  /** The serial output of a machine, by its name. */
  console: (name: string) => Promise<string> = async () => ''
  readonly world: World
  readonly #blobs: Blobs
  readonly #tables: Tables
  readonly #methods: Methods
  readonly #failures: { readonly calls: RegExp; readonly error: ArmFault; left: number }[] = []
  readonly #secure: https.Server
  readonly plain: http.Server

  constructor({ tables, blobs, pace, certificate, makeWorld }: FrontSettings) {
    this.#tables = new Tables(tables)
    this.#blobs = blobs
    const world = (): World => this.world
    const activity = (): Activity => this.activity
    this.instances = new Instances(world, activity)
    this.world = makeWorld(this.instances)
    const { clock } = this.world
    this.account = new Account(clock)
    this.activity = new Activity(clock)
    this.operations = new Operations(clock)
    this.resources = new Resources(clock, () => ({
      leaves: (kept) => void (kept.type.endsWith('/virtualMachineScaleSets') && this.sets.leaves(kept)),
      gone: (kept) => !kept.type.endsWith('/virtualMachineScaleSets') || this.sets.gone(kept),
      others: () => this.instances.parts(),
      sweep: (group) => this.instances.sweep(group),
    }))
    this.sets = new Sets(world, this.resources, this.instances, activity)
    this.autoscale = new Autoscale(world, this.resources, this.sets, activity, pace)
    const shared = {
      resources: this.resources,
      instances: this.instances,
      account: this.account,
      page: () => this.page,
      busy: () => this.operations.time,
    }
    this.#methods = {
      ...computeMethods({ ...shared, world, sets: this.sets, restricted: this.restricted, console: async (name) => this.console(name) }),
      ...networkMethods(shared),
      ...aroundMethods({
        ...shared,
        autoscale: this.autoscale,
        activity: this.activity,
        container: async (name) => blobs.container(name),
        blobs: (name) => `https://${name}.blob.core.windows.net/`,
      }),
    }
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      this.#serve(request, response).catch((error: unknown) => {
        this.world.broken(error)
        response.destroy()
      })
    }
    this.#secure = https.createServer(certificate, serve)
    this.plain = http.createServer(serve)
    for (const server of [this.#secure, this.plain]) server.keepAliveTimeout = 120_000
  }

  /** Accepts the next `times` changes whose names match, but their operations end with this error; nothing is changed. */
  failOperation(calls: RegExp, error: ArmFault, times = 1): void {
    this.#failures.push({ calls, error, left: times })
  }

  /** Resolves to the ports of https and http. */
  async listen(host: string): Promise<readonly [number, number]> {
    return await Promise.all([listening(this.#secure, host), listening(this.plain, host)])
  }

  async stop(): Promise<void> {
    for (const server of [this.#secure, this.plain]) await closed(server)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyFrom(request)
    if (!text) return
    const origin = `${'encrypted' in request.socket ? 'https' : 'http'}://${request.headers.host}`
    const url = new URL(request.url ?? '/', origin)
    const verb = request.method ?? 'GET'
    const blobs = url.pathname.startsWith(`/${this.#blobs.account}/`)
    const found = blobs ? undefined : this.#tables.find(verb, url.pathname)
    const name = blobs ? `blobs:${verb}` : (found?.name ?? `${verb} ${url.pathname}`)
    const { seen, trouble, lost } = await this.troubles.meet(name, '')
    if (lost) return void response.destroy()
    if (blobs) await sleep((text.length / this.uplink) * 1000)
    // The client has gone meanwhile, and has sent only a part.
    if (request.socket.destroyed) return
    if (blobs && (!trouble || trouble.kind.startsWith('l'))) {
      const claims = claimsIn(request.headers.authorization)
      const { account, resources } = this
      const { 'x-ms-copy-source': source, 'x-ms-copy-source-authorization': proof } = request.headers
      const reader = claimsIn(typeof proof === 'string' ? proof : undefined)
      const copied = source === undefined ? {} : { copied: { by: reader && this.#who(reader) } }
      const passed =
        (claims && blobRefusal({ verb, url, who: this.#who(claims), account, resources, ...copied })) ??
        (await relay(request, text, { port: this.#blobs.port, secure: true }))
      Object.assign(seen, { ended: performance.now(), status: passed.status })
      if (trouble?.kind === 'lost-reply') return lose(response, passed)
      response.writeHead(passed.status, passed.headers)
      return send(response, passed)
    }
    const reply = await this.#reply({ verb, url, origin, text, authorization: request.headers.authorization }, found, name, trouble)
    Object.assign(seen, { ended: performance.now(), status: reply.status })
    if (trouble?.kind === 'lost-reply') return void response.destroy()
    const plain = typeof reply.body === 'string'
    response.writeHead(reply.status, {
      'content-type': plain ? 'text/plain' : 'application/json; charset=utf-8',
      'x-ms-request-id': randomUUID(),
      'x-ms-correlation-request-id': randomUUID(),
      'x-ms-ratelimit-remaining-subscription-reads': '11999',
      ...reply.headers,
    })
    response.end(plain ? reply.body : reply.body === undefined ? undefined : JSON.stringify(reply.body))
  }

  async #reply(
    sent: { verb: string; url: URL; origin: string; text: Buffer; authorization: string | undefined },
    found: Matched | undefined,
    name: string,
    trouble: Trouble | undefined,
  ): Promise<Reply> {
    const { verb, url, origin, text, authorization } = sent
    try {
      this.resources.settle()
      const open = await this.#open(url, text, origin)
      if (open) return open
      if (trouble) refuse(trouble, name, verb, url.pathname)
      const who = this.#who(authorized(authorization, origin))
      const version = versionOf(url)
      const operation = this.operations.ask(url.pathname)
      if (operation)
        return { ...operation, headers: { ...operation.headers, ...('location' in (operation.headers ?? {}) && { location: url.href }) } }
      if (url.pathname.toLowerCase() === SUBSCRIPTION_PERMISSIONS.toLowerCase()) return ok(this.account.permissions())
      if (!found) throw new ArmFault(404, 'InvalidResourceType', `The lab knows no ${verb} ${url.pathname}.`)
      const { path } = found
      const asked: Asked = { name, path, query: url.searchParams, body: this.#body(found, url, text), url: url.pathname, origin }
      mine(path['subscriptionId'])
      this.account.allow(who, verb, url.pathname)
      this.#link(who, verb, asked)
      await this.judge?.(asked)
      return this.#framed(found, asked, await this.#done(asked, found), version)
    } catch (error) {
      if (!(error instanceof ArmFault)) throw error
      return { status: error.status, headers: { 'x-ms-failure-cause': 'gateway', ...error.headers }, body: { error: error.error } }
    }
  }

  /** Tokens of all clients but one are those of machines. */
  #who(claims: Fields): Who {
    const client = textOf(claims['appid'])
    if (client === CALLER) return { kind: 'caller', client }
    const properties = this.resources
      .ofType('Microsoft.ManagedIdentity/userAssignedIdentities')
      .map(({ fields }) => record(fields['properties']))
    const principal = properties.find(({ clientId }) => clientId === client)?.['principalId']
    return { kind: 'machine', client, principal: textOf(principal) }
  }

  /** A change that names other resources needs rights to those, too. */
  #link(who: Who, verb: string, asked: Asked): void {
    for (const { action, id } of linksIn(asked)) {
      if (this.account.may(who, action, id)) continue
      throw linkedForbidden({ client: who.client, action: actionOf(verb, asked.url) ?? asked.name, scope: asked.url }, action, id)
    }
  }

  /** Answers that need no login, or do not come from ARM. */
  async #open(url: URL, text: Buffer, origin: string): Promise<Reply | undefined> {
    // https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc#find-your-apps-openid-configuration-document-uri
    const [, tenant] = /^\/([^/]+)\/v2\.0\/\.well-known\/openid-configuration$/.exec(url.pathname) ?? []
    if (tenant !== undefined) {
      const at = `${origin}/${tenant}/oauth2/v2.0`
      return ok({ issuer: `${origin}/${tenant}/v2.0`, token_endpoint: `${at}/token`, authorization_endpoint: `${at}/authorize` })
    }
    if (/^\/[^/]+\/oauth2\/v2\.0\/token$/.test(url.pathname)) {
      const form = new URLSearchParams(text.toString())
      const audience = (form.get('scope') ?? '').replace(/\/\.default$/, '')
      const token = tokenFor(audience, form.get('client_id') ?? CALLER)
      return ok({ token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: token })
    }
    if (url.pathname === '/api/retail/prices') return ok(prices(this.world, url.searchParams.get('$filter') ?? ''))
    const [, machine] = /^\/bootdiagnostics\/([^/]+)\/serialconsole\.log$/.exec(url.pathname) ?? []
    return machine === undefined ? undefined : { status: 200, body: await this.console(machine) }
  }

  #body(found: Matched, url: URL, text: Buffer): Fields {
    let body: unknown
    try {
      body = text.length === 0 ? undefined : JSON.parse(text.toString())
    } catch {
      throw new ArmFault(400, 'InvalidRequestContent', 'The request content was invalid and could not be deserialized.')
    }
    try {
      this.#tables.request(found, url.searchParams, body)
    } catch (error) {
      if (!(error instanceof Undescribed)) throw error
      this.undescribed.push(error.message)
      throw new ArmFault(400, 'InvalidRequestContent', `The request content was invalid and could not be deserialized: '${error.message}'.`)
    }
    return (body ?? {}) as Fields
  }

  async #done(asked: Asked, { name }: Matched): Promise<Reply> {
    const method = this.#methods[name]
    if (!method) throw new ArmFault(501, 'NotImplemented', `The lab does not know ${name}`)
    const failure = this.#failures.find(({ calls, left }) => left > 0 && calls.test(name))
    if (!failure) return await method(asked)
    failure.left--
    this.activity.note({ operation: actionOf('PUT', asked.url) ?? name, id: asked.url, status: 'Failed', error: failure.error.error })
    return {
      status: 202,
      goes: { place: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Compute/locations/lab`, why: () => failure.error },
    }
  }

  #framed(found: Matched, asked: Asked, reply: Reply, version: string): Reply {
    const plain: unknown = reply.body === undefined ? undefined : JSON.parse(JSON.stringify(reply.body))
    this.#tables.answer(found, reply.status, plain)
    const headers = reply.goes ? this.operations.begin(reply.goes, asked.origin, version) : {}
    return { status: reply.status, headers: { ...headers, ...reply.headers }, body: this.shouts ? shouted(plain) : plain }
  }
}

function shouted(body: unknown): unknown {
  if (body === undefined) return undefined
  const text = JSON.stringify(body).replace(
    /(\/resourceGroups\/)([^/"]+)/gi,
    (_, before: string, name: string) => before + name.toUpperCase(),
  )
  return JSON.parse(text)
}

/**
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors (MissingApiVersionParameter,
 * InvalidApiVersionParameter)
 */
function versionOf({ searchParams }: URL): string {
  const version = searchParams.get('api-version')
  if (version === null)
    throw new ArmFault(400, 'MissingApiVersionParameter', 'The api-version query parameter (?api-version=) is required for all requests.')
  if (!VERSION.test(version)) throw new ArmFault(400, 'InvalidApiVersionParameter', `The api-version '${version}' is invalid.`)
  return version
}

function mine(subscription: string | undefined): void {
  if (subscription === undefined || subscription.toLowerCase() === SUBSCRIPTION) return
  throw new ArmFault(404, 'SubscriptionNotFound', `The subscription '${subscription}' could not be found.`)
}

/** What its token says. One for another audience is refused. */
function authorized(header: string | undefined, origin: string): Fields {
  if (!/^Bearer \S+$/.test(header ?? ''))
    throw new ArmFault(401, 'AuthenticationFailed', "Authentication failed. The 'Authorization' header is missing.")
  const claims = claimsIn(header)
  if (!claims) throw new ArmFault(401, 'InvalidAuthenticationToken', 'The access token is invalid.')
  const audience = textOf(claims['aud']).replace(/\/+$/, '')
  if (
    ![origin, 'https://management.azure.com', 'https://management.core.windows.net'].includes(audience) &&
    !/^https?:\/\/[\d.]+(:\d+)?$/.test(audience)
  )
    throw new ArmFault(
      401,
      'InvalidAuthenticationTokenAudience',
      `The access token has been obtained for wrong audience or resource '${audience}'. It should exactly match with one of the allowed audiences 'https://management.core.windows.net/','https://management.azure.com/'.`,
    )
  if (Number(claims['exp']) * 1000 < Date.now())
    throw new ArmFault(401, 'ExpiredAuthenticationToken', 'The access token expiry UTC time is earlier than current UTC time.')
  return claims
}

function refuse({ kind }: Trouble, name: string, verb: string, path: string): void {
  if (kind === 'throttle') throw throttled(name.startsWith('compute:'))
  if (kind === 'broken') throw new ArmFault(503, 'ServiceUnavailable', `The server is currently unavailable. (tenant ${TENANT})`)
  if (kind === 'denied') throw forbidden(actionOf(verb, path) ?? name, path)
}
