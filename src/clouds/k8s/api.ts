/** Calls to the API server: plain JSON, each with a time limit, repeated if that is safe. */
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { AuthError, isRetryable, RemoteError } from '../../core/errors.ts'
import { retry } from '../../lib/backoff.ts'
import { Refusals } from '../../lib/refusals.ts'
import { type ApiStatus, errorOf, expired, notYet, type Tried, unreachable } from './errors.ts'
import type { Thing } from './objects.ts'
import type { Login } from './sdk.ts'

/** The kinds of objects that tpi uses: their API version, and the name of the kind. */
const KINDS = {
  jobs: ['batch/v1', 'Job'],
  pods: ['v1', 'Pod'],
  events: ['v1', 'Event'],
  secrets: ['v1', 'Secret'],
  configmaps: ['v1', 'ConfigMap'],
  services: ['v1', 'Service'],
  persistentvolumeclaims: ['v1', 'PersistentVolumeClaim'],
} as const

export type Kind = keyof typeof KINDS

const DELETION = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' } as const

/** Milliseconds that one call may take. */
const PATIENCE = 30_000
/** Milliseconds: a watch may be silent for longer than a NAT keeps a connection, and nothing would ever tell. The vendor's client does the same. */
const KEEP_ALIVE = 30_000
const RETRY = { tries: 5, first: 200, longest: 3_000 }

interface Reply {
  readonly status: number
  readonly text: string
}

interface Sent extends Reply {
  /** How the call was logged in. */
  readonly by: RequestOptions
}

interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly type?: string
}

/** One change of a watched object; `BOOKMARK` and `ERROR` are about the watch itself. */
export interface ThingChange<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: T
}

/** `going`: the server has accepted the deletion, but something still keeps the object. `other`: the preconditions do not match the object. */
export type Deleted = 'gone' | 'going' | 'absent' | 'other'

export class Api {
  readonly #login: Login
  /** Uids of objects that were removed here. */
  readonly #gone = new Set<string>()
  /** Objects made here, by kind and name. */
  readonly #made = new Map<string, Thing>()
  #date = 0
  readonly #refusals = new Refusals()
  /** The server has accepted this login. */
  #wasKnown = false
  readonly #sleep: (milliseconds: number) => Promise<void>

  constructor(login: Login, sleep: (milliseconds: number) => Promise<void>) {
    this.#login = login
    this.#sleep = sleep
  }

  /** Milliseconds, by the API server's clock at its last answer. */
  get now(): number {
    return this.#date
  }

  get namespace(): string {
    return this.#login.namespace
  }

  async get<T extends Thing>(kind: Kind, name: string): Promise<T | undefined> {
    const reply = await this.#ask({ method: 'GET', path: this.#path(kind, name) }, { verb: 'get', resource: kind, name })
    return reply && (JSON.parse(reply.text) as T)
  }

  async list<T extends Thing>(kind: Kind, query: Readonly<Record<string, string>>): Promise<readonly T[]> {
    const found: T[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const search: string = new URLSearchParams({ ...query, limit: '500', ...(next !== '' && { continue: next }) }).toString()
      const reply = await this.#ask({ method: 'GET', path: `${this.#path(kind)}?${search}` }, { verb: 'list', resource: kind })
      if (!reply) throw new RemoteError(`k8s: the API server does not know ${kind}`)
      const page = JSON.parse(reply.text) as { items?: T[]; metadata?: { continue?: string } }
      found.push(...(page.items ?? []))
      next = page.metadata?.continue || undefined
    }
    return found
  }

  /** The object as it was when it was made here. */
  madeHere<T extends Thing>(kind: Kind, name: string): T | undefined {
    return this.#made.get(`${kind}/${name}`) as T | undefined
  }

  /** The object as it was when it was made here, else as it is now: for facts that do not change later. */
  async made<T extends Thing>(kind: Kind, name: string): Promise<T | undefined> {
    return this.madeHere<T>(kind, name) ?? (await this.get<T>(kind, name))
  }

  /**
   * `undefined`: the name exists already. `strict`: a field that the cluster does not know is an error; by default, it drops it without an error.
   * https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation
   */
  async create<T extends Thing>(
    kind: Kind,
    object: { readonly metadata: { readonly name: string } },
    { strict = false }: { readonly strict?: boolean } = {},
  ): Promise<T | undefined> {
    const [apiVersion, noun] = KINDS[kind]
    const body = { apiVersion, kind: noun, ...object }
    const tried = { verb: 'create', resource: kind, name: object.metadata.name }
    const path = `${this.#path(kind)}${strict ? '?fieldValidation=Strict' : ''}`
    const reply = await this.#ask({ method: 'POST', path, body }, tried, [409])
    if (!reply) throw new RemoteError(`k8s: there is no namespace "${this.namespace}"`)
    if (reply.status !== 409) {
      const made = JSON.parse(reply.text) as T
      this.#made.set(`${kind}/${object.metadata.name}`, made)
      return made
    }
    const { reason, message } = JSON.parse(reply.text) as { reason?: string; message?: string }
    // 409 also means two changes at once, for example of a quota:
    // https://github.com/kubernetes/community/blob/main/contributors/devel/sig-architecture/api-conventions.md
    if (reason === 'AlreadyExists') return undefined
    const text = `k8s: ${kind} "${object.metadata.name}" could not be created: ${message ?? reason}`
    throw new RemoteError(text, { retryable: reason === 'Conflict' })
  }

  /** JSON merge patch. `undefined`: it does not exist. */
  async patch<T extends Thing>(kind: Kind, name: string, body: unknown): Promise<T | undefined> {
    const ask = { method: 'PATCH', path: this.#path(kind, name), body, type: 'application/merge-patch+json' } as const
    const reply = await this.#ask(ask, { verb: 'patch', resource: kind, name })
    return reply && (JSON.parse(reply.text) as T)
  }

  /** `preconditions`: the object is removed only if they match it. */
  async remove(
    kind: Kind,
    name: string,
    preconditions: { readonly uid?: string; readonly resourceVersion?: string } = {},
  ): Promise<Deleted> {
    const ask = { method: 'DELETE', path: this.#path(kind, name), body: { ...DELETION, preconditions } } as const
    const reply = await this.#ask(ask, { verb: 'delete', resource: kind, name }, [409])
    this.#made.delete(`${kind}/${name}`)
    if (!reply) return 'absent'
    if (reply.status === 409) return 'other'
    // Some kinds answer with the removed object, others with a status.
    const { metadata } = JSON.parse(reply.text) as Partial<Thing>
    if (metadata?.deletionTimestamp !== undefined) return 'going'
    if (preconditions.uid !== undefined) this.#gone.add(preconditions.uid)
    return 'gone'
  }

  /** The object was removed here; a uid is never used again. */
  hasRemoved({ uid = '' }: Pick<Thing['metadata'], 'uid'>): boolean {
    return this.#gone.has(uid)
  }

  /** First the existing objects, then each change as it happens. Ends when the server closes the watch; rejects if the connection breaks. */
  async *changes<T extends Thing>(
    kind: Kind,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): AsyncGenerator<ThingChange<T>> {
    const path = `${this.#path(kind)}?${new URLSearchParams({ ...query, watch: '1' }).toString()}`
    const message = await this.#call({ method: 'GET', path }, await this.#login.options(), signal)
    const status = message.statusCode ?? 0
    if (status !== 200) throw this.#refusal({ status, text: await textOf(message) }, { verb: 'watch', resource: kind })
    // This connection alone must not keep the process alive.
    message.socket.unref()
    message.socket.setKeepAlive(true, KEEP_ALIVE)
    let rest = ''
    for await (const chunk of message.setEncoding('utf8')) {
      const lines = `${rest}${String(chunk)}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as ThingChange<T>
    }
  }

  /** Removes the objects that a query finds; resolves to them as they were. `grace`: seconds. */
  async removeAll<T extends Thing>(kind: Kind, query: Readonly<Record<string, string>>, grace: number): Promise<readonly T[]> {
    const path = `${this.#path(kind)}?${new URLSearchParams(query).toString()}`
    const ask = { method: 'DELETE', path, body: { ...DELETION, gracePeriodSeconds: grace } } as const
    const reply = await this.#ask(ask, { verb: 'deletecollection', resource: kind })
    return (JSON.parse(reply?.text ?? '{}') as { items?: T[] }).items ?? []
  }

  /** The end of a container's log; empty if there is none (yet, or any more). */
  async log(pod: string, container: string, lines: number): Promise<string> {
    const search = new URLSearchParams({ container, tailLines: String(lines), limitBytes: '16384' }).toString()
    const path = `${this.#path('pods', pod)}/log?${search}`
    const reply = await this.#ask({ method: 'GET', path }, { verb: 'get', resource: 'pods/log', name: pod }, [400, 500])
    return reply?.status === 200 ? reply.text : ''
  }

  /** `gone`: there is no such pod. A refusal is returned as the server gave it. */
  async evict(pod: string): Promise<ApiStatus | 'evicted' | 'gone'> {
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: this.namespace } }
    const ask = { method: 'POST', path: `${this.#path('pods', pod)}/eviction`, body } as const
    const reply = await this.#ask(ask, { verb: 'create', resource: 'pods/eviction', name: pod }, [429])
    if (!reply) return 'gone'
    return reply.status === 429 ? statusOf(reply) : 'evicted'
  }

  /** Any other path below the root, for questions that are not about a namespace. `undefined`: it does not exist. */
  async ask<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T | undefined> {
    const ask = body === undefined ? { method, path } : { method, path, body }
    const reply = await this.#ask(ask, { verb: method === 'GET' ? 'get' : 'create', resource: path })
    return reply && (JSON.parse(reply.text) as T)
  }

  #path(kind: Kind, name?: string): string {
    const [version] = KINDS[kind]
    // The core group has a root of its own.
    const root = version === 'v1' ? '/api/v1' : `/apis/${version}`
    return `${root}/namespaces/${this.namespace}/${kind}${name === undefined ? '' : `/${name}`}`
  }

  /** `undefined` for 404. `fine`: other statuses that are not errors for the caller. */
  async #ask(ask: Ask, tried: Omit<Tried, 'namespace'>, fine: readonly number[] = []): Promise<Reply | undefined> {
    const right = rightOf(tried)
    const once = async (): Promise<Reply | undefined> => {
      const reply = await this.#accepted(ask)
      if (reply.status >= 500 && !fine.includes(reply.status)) this.#refusals.outOfReach()
      else if (reply.status !== 403 && reply.status !== 401) this.#refusals.granted(right)
      // Some paths, such as its version, are open to everybody.
      if (reply.status < 500 && reply.status !== 401 && !tried.resource.startsWith('/')) this.#wasKnown = true
      if (reply.status === 404) return undefined
      if (reply.status < 300 || fine.includes(reply.status)) return reply
      throw this.#refusal(reply, tried)
    }
    // Every call may be repeated: a second create answers "exists", a second delete "not found".
    return await retry(once, { ...RETRY, again: isRetryable, sleep: this.#sleep })
  }

  #refusal(reply: Reply, tried: Omit<Tried, 'namespace'>): Error {
    const error = errorOf(statusOf(reply), { ...tried, namespace: this.namespace })
    if (!(error instanceof AuthError)) return error
    if (reply.status !== 401) return this.#refusals.mayPass(rightOf(tried)) ? notYet(error) : error
    if (this.#refusals.isSettling()) return notYet(error)
    return this.#wasKnown ? expired(error) : error
  }

  /** A login may have expired sooner than it said, or without saying when: `kubectl` gets a new one too. */
  async #accepted(ask: Ask): Promise<Reply> {
    const reply = await this.#send(ask)
    if (reply.status !== 401) return reply
    this.#login.renew(reply.by)
    return await this.#send(ask)
  }

  async #send(ask: Ask): Promise<Sent> {
    return this.#exchange(ask).catch((error: unknown) => {
      this.#refusals.outOfReach()
      throw error
    })
  }

  async #exchange(ask: Ask): Promise<Sent> {
    const options = await this.#login.options()
    try {
      const message = await this.#call(ask, options, AbortSignal.timeout(PATIENCE))
      return { status: message.statusCode ?? 0, text: await textOf(message), by: options }
    } catch (error) {
      throw unreachable(this.#login.server, error)
    }
  }

  /** Resolves to the answer, whose body is still to be read. */
  async #call(ask: Ask, options: RequestOptions, signal: AbortSignal): Promise<IncomingMessage> {
    const { method, path, body, type = 'application/json' } = ask
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...(options.headers as Readonly<Record<string, string>> | undefined),
      accept: 'application/json',
      'user-agent': 'tpi-action',
      ...(text !== undefined && { 'content-type': type, 'content-length': String(Buffer.byteLength(text)) }),
    }
    return await new Promise((resolve, reject) => {
      const call = request(new URL(this.#login.server + path), { ...options, method, headers, signal }, (message) => {
        this.#date = Date.parse(message.headers.date ?? '') || Date.now()
        resolve(message)
      })
      call.on('error', reject)
      call.end(text)
    })
  }
}

const rightOf = ({ verb, resource }: Pick<Tried, 'verb' | 'resource'>): string => `${verb} ${resource}`

async function textOf(message: IncomingMessage): Promise<string> {
  let said = ''
  for await (const chunk of message.setEncoding('utf8')) said += String(chunk)
  return said
}

interface Said {
  readonly message?: string
  readonly reason?: string
  readonly details?: { readonly causes?: readonly { readonly message?: string }[] }
}

function statusOf({ status, text }: Reply): ApiStatus {
  try {
    const { message, reason, details } = JSON.parse(text) as Said
    const causes = details?.causes?.flatMap((cause) => cause.message ?? []) ?? []
    return { code: status, causes, ...(message !== undefined && { message }), ...(reason !== undefined && { reason }) }
  } catch {
    // A proxy in between, which answers in plain text.
    return { code: status, message: text.slice(0, 300) }
  }
}
