/**
 * The proxy that the environment names (`HTTPS_PROXY`). Node's own agents use it if `NODE_USE_ENV_PROXY=1` was set at the start; an agent that is
 * made by hand does not, unless it is told. https://nodejs.org/api/http.html#built-in-proxy-support
 */
import http from 'node:http'
import https, { type AgentOptions } from 'node:https'
import type { Env } from './env.ts'

/** Where settings name a proxy: the one of the environment. */
export const OF_ENVIRONMENT = 'environment'

/** A proxy is named, and this process goes past it. */
export const passesProxy = (env: Env): boolean =>
  Boolean(env['HTTPS_PROXY'] || env['https_proxy']) && envProxy('https:').proxyEnv === undefined

/** Options of an agent that goes the way of Node's own. `protocol`: `http:` or `https:`. */
export function envProxy(protocol: string): Pick<AgentOptions, 'proxyEnv'> {
  const own: http.Agent & { readonly options?: AgentOptions } = protocol === 'https:' ? https.globalAgent : http.globalAgent
  return own.options?.proxyEnv === undefined ? {} : { proxyEnv: own.options.proxyEnv }
}
