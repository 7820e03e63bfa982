/**
 * The proxy that the environment names (`HTTPS_PROXY`). Node's own agents use it if `NODE_USE_ENV_PROXY=1` was set at the start; an agent that is
 * made by hand does not, unless it is told. https://nodejs.org/api/http.html#built-in-proxy-support
 */
import http from 'node:http'
import https, { type AgentOptions } from 'node:https'
import type { Env } from './env.ts'

/** As the `proxy` of a setting: the one that the environment names. */
export const OF_ENVIRONMENT = 'environment'

/** Whether the environment names a proxy that this process does not use. */
export const ignoresProxy = (env: Env): boolean =>
  Boolean(env['HTTPS_PROXY'] || env['https_proxy']) && envProxy('https:').proxyEnv === undefined

/** Options for an agent that uses the same proxy as Node's own. `protocol`: `http:` or `https:`. */
export function envProxy(protocol: string): Pick<AgentOptions, 'proxyEnv'> {
  const own: http.Agent & { readonly options?: AgentOptions } = protocol === 'https:' ? https.globalAgent : http.globalAgent
  return own.options?.proxyEnv === undefined ? {} : { proxyEnv: own.options.proxyEnv }
}
