/** Everything that tpi uses of the vendor's library: credentials of every kind that a kubeconfig may have, and streams of `exec`. */
import { readFileSync } from 'node:fs'
import type { RequestOptions } from 'node:https'
import { isAbsolute, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { Exec, KubeConfig, loadYaml } from '@kubernetes/client-node'
import type { Env } from '../../lib/env.ts'
import { ACCOUNT } from './names.ts'

export interface Login {
  /** URL of the API server, without a trailing slash. */
  readonly server: string
  /** URL of an HTTP proxy on the way to it: `proxy-url` of the kubeconfig. */
  readonly proxy?: string
  readonly context: string
  readonly namespace: string
  /** New for every call: tokens of cloud logins expire, and the library renews them. */
  options(): Promise<RequestOptions>
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
}

/**
 * From `KUBERNETES_CONFIGURATION` (text, or a path: GitLab puts variables of the type "File" into files), `KUBECONFIG`, `~/.kube/config`, or
 * the pod that this runs in. `undefined`: none of them exists.
 */
export function login({ env, context, namespace }: LoginParams): Login | undefined {
  const config = new KubeConfig()
  const text = env['KUBERNETES_CONFIGURATION']
  if (text && isAbsolute(text)) config.loadFromFile(text.trimEnd())
  else if (text) config.loadFromString(text)
  else config.loadFromDefault()
  if (context !== undefined) config.setCurrentContext(context)
  const cluster = config.getCurrentCluster()
  // The library's default if it finds no configuration.
  const invented = !text && config.getCurrentContext() === 'loaded-context' && cluster?.server === 'http://localhost:8080'
  if (!cluster || invented) return undefined
  const own = config.getContextObject(config.getCurrentContext())?.namespace ?? podNamespace(config)
  // The library would refuse it later, with a message about its own settings.
  if (/^http:/i.test(cluster.server) && !cluster.skipTLSVerify)
    throw new Error(`its server "${cluster.server}" is plain http, over which anyone on the way could read the login`)
  const proxy = cluster.proxyUrl || undefined
  if (proxy !== undefined && !/^https?:/.test(proxy))
    throw new Error(`proxy-url "${proxy}" is not an HTTP proxy, the only kind that is supported`)
  return {
    ...(proxy !== undefined && { proxy }),
    server: cluster.server.replace(/\/+$/, ''),
    context: config.getCurrentContext(),
    namespace: namespace ?? own ?? 'default',
    async options() {
      const options: RequestOptions = {}
      await config.applyToHTTPSOptions(options)
      return options
    },
    exec: (target, argv, streams) => run(config, target, argv, streams),
  }
}

function podNamespace(config: KubeConfig): string | undefined {
  if (config.getCurrentContext() !== 'inClusterContext') return undefined
  return readFileSync(join(ACCOUNT, 'namespace'), 'utf8').trim()
}

export function yaml(text: string): unknown {
  return loadYaml(text)
}

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
        socket.on('error', (error: unknown) => reject(plain(error)))
        socket.on('close', () => reject(new Error('the connection was closed before the command ended')))
      })
      .catch((error: unknown) => reject(plain(error)))
  })
}

/** A socket that cannot be opened reports an event instead of an error. */
function plain(problem: unknown): Error {
  if (problem instanceof Error) return problem
  const { message } = (problem ?? {}) as { message?: unknown }
  return new Error(typeof message === 'string' && message !== '' ? message : 'the connection could not be opened')
}
