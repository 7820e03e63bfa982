/** Everything that tpi uses of the vendor's library: credentials of every kind that a kubeconfig may have, and streams of `exec`. */
import { readFileSync } from 'node:fs'
import { Agent, type RequestOptions } from 'node:https'
import { join, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { Exec, KubeConfig, loadYaml, type User } from '@kubernetes/client-node'
import { AuthError, RemoteError } from '../../core/errors.ts'
import { isThisHost } from '../../lib/confidential.ts'
import type { Env } from '../../lib/env.ts'
import { envProxy, OF_ENVIRONMENT } from '../../lib/env-proxy.ts'
import { hasCode } from '../../lib/error-code.ts'
import { fieldsIn, isRecord, textOf } from '../../lib/record.ts'
import { messageOf, oneLine } from '../../lib/text.ts'
import { type Kubeconfig, sourceOf } from './kubeconfig.ts'
import { loginProgram } from './login-program.ts'
import { ACCOUNT } from './names.ts'

export interface Login {
  /** URL of the API server, without a trailing slash. */
  readonly server: string
  /** URL of an HTTP proxy on the way to it (`proxy-url` of the kubeconfig), or `OF_ENVIRONMENT`. */
  readonly proxy?: string
  readonly context: string
  readonly namespace: string
  /** To be asked for before each call: tokens of cloud logins expire, and the library renews them. */
  options(): Promise<RequestOptions>
  /**
   * After the server has refused these options: reads the kubeconfig again, so its login programs run again. Does nothing if that has happened since
   * they were asked for: calls that run at the same time are refused together.
   */
  renew(refused: RequestOptions): void
  exec(pod: ExecTarget, argv: readonly string[], streams: Streams): Promise<number>
}

export interface ExecTarget {
  readonly namespace: string
  readonly pod: string
  readonly container: string
}

export interface Streams {
  readonly stdin: Readable | null
  readonly stdout: Writable
  readonly stderr: Writable
}

export interface LoginParams {
  readonly env: Env
  readonly context: string | undefined
  readonly namespace: string | undefined
  /** Shows the user what a login program says while it waits for them. */
  readonly tell: (text: string) => void
}

/**
 * Of several files, the first to name a cluster, a user, a context or the current context wins, as in `kubectl`. In the library, the last file wins
 * for the current context, so tpi would use another cluster than `kubectl`.
 * https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/#merging-kubeconfig-files
 */
function kubeConfig({ env, tell }: Pick<LoginParams, 'env' | 'tell'>): KubeConfig {
  const found = sourceOf(env).read().map(parsed)
  const config = new KubeConfig()
  showLogin(config, tell)
  // The library then looks for the account of a pod, and for a home under other names.
  if (found.length === 0) config.loadFromDefault()
  else
    config.loadFromOptions({
      clusters: firsts(found.flatMap(({ clusters }) => clusters)),
      users: firsts(found.flatMap(({ users }) => users)),
      contexts: firsts(found.flatMap(({ contexts }) => contexts)),
      currentContext: found.map(({ currentContext }) => currentContext).find(Boolean),
    })
  return config
}

/** The library starts login programs by a private field, and shows nothing of what they say. */
function showLogin(config: KubeConfig, tell: LoginParams['tell']): void {
  const authenticators: unknown = Reflect.get(config, 'authenticators')
  const starter = Array.isArray(authenticators) && authenticators.find((one) => isRecord(one) && 'execFn' in one)
  const mayAsk = (): boolean => fieldsIn(config.getCurrentUser()?.exec)['interactiveMode'] !== 'Never'
  if (isRecord(starter)) Object.assign(starter, { execFn: loginProgram(tell, mayAsk) })
}

/** The library knows nothing of the environment's proxy, so its agents are replaced. It uses each agent again, and so are those that replace them. */
function withEnvProxy(config: KubeConfig): KubeConfig {
  if (proxyOf(config) !== OF_ENVIRONMENT) return config
  const agents = new WeakMap<object, Agent>()
  const apply = config.applyToHTTPSOptions.bind(config)
  config.applyToHTTPSOptions = async (options: RequestOptions) => {
    await apply(options)
    const { agent: direct } = options
    if (typeof direct !== 'object') return
    const agent = agents.get(direct) ?? new Agent({ ...(direct as Agent).options, ...envProxy('https:') })
    agents.set(direct, agent)
    options.agent = agent
  }
  return config
}

/**
 * The proxy to the API server, if any. A pod reaches that of its own cluster directly, and so does every program one on its own host
 * (https://pkg.go.dev/net/http#ProxyFromEnvironment).
 */
function proxyOf(config: KubeConfig): string | undefined {
  const { proxyUrl, server = '' } = config.getCurrentCluster() ?? {}
  if (proxyUrl) return proxyUrl
  const near = isInPod(config) || (URL.canParse(server) && isThisHost(new URL(server).hostname))
  return near || envProxy('https:').proxyEnv === undefined ? undefined : OF_ENVIRONMENT
}

const isInPod = (config: KubeConfig): boolean => config.getCurrentContext() === 'inClusterContext'

/** Of several with one name, the first. */
const firsts = <T extends { readonly name: string }>(all: readonly T[]): T[] =>
  all.filter((one, at) => all.findIndex(({ name }) => name === one.name) === at)

function parsed({ text: written, folder }: Kubeconfig): KubeConfig {
  const text = written.trim() === '' ? '{}' : written
  const config = new KubeConfig()
  config.loadFromString(text)
  if (folder !== undefined) config.makePathsAbsolute(folder)
  const said = fieldsIn(loadYaml(text))['users']
  const users = Array.isArray(said) ? said.filter(isRecord) : []
  config.users = config.users.map((user) => {
    const file = textOf(fieldsIn(users.find(({ name }) => name === user.name)?.['user'])['tokenFile'])
    return file === undefined ? user : withTokenFile(user, resolve(folder ?? '', file))
  })
  return config
}

/** The library reads the token again and again, as it must, only for a pod's own account: so this user looks like one to it. */
function withTokenFile(user: User, tokenFile: string): User {
  return { ...user, token: '', authProvider: { name: 'tokenFile', config: { tokenFile } } }
}

/** `undefined`: there is no kubeconfig, and this does not run in a pod. */
export function login({ env, context, namespace, tell }: LoginParams): Login | undefined {
  const config = kubeConfig({ env, tell })
  if (context !== undefined) config.setCurrentContext(context)
  const cluster = config.getCurrentCluster()
  // What the library makes up if it finds no configuration.
  const invented = config.getCurrentContext() === 'loaded-context' && cluster?.server === 'http://localhost:8080'
  if (!cluster || invented) return undefined
  const current = config.getCurrentContext()
  const own = config.getContextObject(current)?.namespace ?? podNamespace(config)
  // The library would refuse it later, with a message about its own settings.
  if (/^http:/i.test(cluster.server) && !cluster.skipTLSVerify)
    throw new Error(`its server "${cluster.server}" is plain http, over which anyone on the way could read the login`)
  const proxy = proxyOf(config)
  if (proxy !== undefined && proxy !== OF_ENVIRONMENT && !/^https?:/.test(proxy))
    throw new Error(`proxy-url "${proxy}" is not an HTTP proxy, the only kind that is supported`)
  let reading = readingOf(config)
  let worked = false
  return {
    ...(proxy !== undefined && { proxy }),
    server: cluster.server.replace(/\/+$/, ''),
    context: current,
    namespace: namespace ?? own ?? 'default',
    async options() {
      const asked = reading
      try {
        const options = await asked.options()
        worked = true
        return options
      } catch (error) {
        throw notLoggedIn(asked.config, error, worked)
      }
    },
    renew(refused) {
      if (!reading.gave(refused)) return
      const again = sameAgain({ env, tell }, reading.config)
      if (again) reading = readingOf(again)
    },
    exec: (target, argv, streams) => run(reading.config, target, argv, streams),
  }
}

/** A kubeconfig as it was read once. */
interface Reading {
  readonly config: KubeConfig
  options(): Promise<RequestOptions>
  /** These options are from here. */
  gave(options: RequestOptions): boolean
}

function readingOf(read: KubeConfig): Reading {
  const config = withEnvProxy(read)
  const given = new WeakSet<RequestOptions>()
  let asking: Promise<RequestOptions> | undefined
  const ask = async (): Promise<RequestOptions> => {
    const options = await optionsOf(config)
    given.add(options)
    return options
  }
  return {
    config,
    // The library would run a login program once for each caller, and a user who has to confirm a login would be asked as often.
    options: async () => (asking ??= ask().finally(() => (asking = undefined))),
    gave: (options) => given.has(options),
  }
}

async function optionsOf(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  const { agent, headers, cert, key, ca } = options
  // The library's agent has the certificate that it had first, and an agent's values win over those of a request.
  if (typeof agent === 'object') Object.assign((agent as Agent).options, { cert, key, ca })
  const all = (headers ?? {}) as Readonly<Record<string, string>>
  const said = all['Authorization']
  // A token from a file may end with the end of a line.
  return said === undefined ? options : { ...options, headers: { ...all, Authorization: said.trim() } }
}

/** `worked`: the login has worked before, so its program may only be without network for a while. */
function notLoggedIn(config: KubeConfig, cause: unknown, worked: boolean): Error {
  const { command, installHint } = fieldsIn(config.getCurrentUser()?.exec)
  const said = oneLine(messageOf(cause).trim())
  if (worked) return new RemoteError(`k8s: the login could not be renewed: ${said}`, { cause, retryable: true })
  const absent = hasCode(cause, 'ENOENT') && textOf(command) !== undefined
  const message = absent ? `its login program "${textOf(command)}" is not installed here` : `the login failed: ${said}`
  const install = oneLine(textOf(installHint)?.trim() ?? 'install it, or use a kubeconfig with a token')
  const hint = absent ? install : "log in again with your cloud's tool"
  return new AuthError(`k8s: context "${config.getCurrentContext()}": ${message}`, { cause, hint })
}

/** The same context, read again: somebody may have logged in since. `undefined`: it now means another server, or cannot be read. */
function sameAgain(source: Parameters<typeof kubeConfig>[0], before: KubeConfig): KubeConfig | undefined {
  try {
    const config = kubeConfig(source)
    config.setCurrentContext(before.getCurrentContext())
    return config.getCurrentCluster()?.server === before.getCurrentCluster()?.server ? config : undefined
  } catch {
    // Another program is just writing it.
    return undefined
  }
}

function podNamespace(config: KubeConfig): string | undefined {
  if (!isInPod(config)) return undefined
  return readFileSync(join(ACCOUNT, 'namespace'), 'utf8').trim()
}

export function yaml(text: string): unknown {
  return loadYaml(text)
}

/**
 * Milliseconds between two pings. A command may be silent for longer than a load balancer or NAT keeps an idle connection (350 s at AWS), and its
 * end would never come. `kubectl` sends them too: `pingPeriod` in client-go, tools/remotecommand/websocket.go.
 */
const PING = 30_000

/** Resolves to the exit code. */
async function run(config: KubeConfig, target: ExecTarget, argv: readonly string[], streams: Streams): Promise<number> {
  const { stdin, stdout, stderr } = streams
  const { namespace, pod, container } = target
  return await new Promise((resolve, reject) => {
    new Exec(config)
      .exec(namespace, pod, container, [...argv], stdout, stderr, stdin, false, (status) => {
        const code = status.details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message
        if (status.status === 'Success') resolve(0)
        else if (code !== undefined) resolve(Number(code))
        else reject(new Error(status.message ?? 'the command could not be run'))
      })
      .then((socket) => {
        const pings = setInterval(() => socket.ping(), PING)
        socket.on('error', (error: unknown) => reject(asError(error)))
        socket.on('close', () => {
          clearInterval(pings)
          reject(new Error('the connection was closed before the command ended'))
        })
      })
      .catch((error: unknown) => reject(asError(error)))
  })
}

/** A socket that cannot be opened reports an event instead of an error. */
function asError(problem: unknown): Error {
  if (problem instanceof Error) return problem
  const { message } = (problem ?? {}) as { message?: unknown }
  return new Error(typeof message === 'string' && message !== '' ? message : 'the connection could not be opened')
}
