/** The registry of a subscription (ACR): how a machine logs in to it. */
import { object, text } from '../../lib/shape.ts'
import type { RegistryLogin } from '../../wire/machine-side.ts'
import { parseShape } from '../../wire/parse.ts'
import type { Credentials } from '../../wire/store.ts'
import { askRegistry, MOST } from '../vm/image-registry.ts'

/**
 * The user name of a login by token.
 * https://learn.microsoft.com/azure/container-registry/container-registry-authentication#az-acr-login-with---expose-token
 */
const NOBODY = '00000000-0000-0000-0000-000000000000'
/**
 * The name of the registry, which is followed by a hash if the registry has a domain name label:
 * https://learn.microsoft.com/azure/container-registry/container-registry-get-started-portal#configure-domain-name-label-dnl-option
 */
const HOST = /^([a-z0-9]{5,50})(?:-[a-z0-9]{1,63})?\.azurecr\.(?:io|cn|us)$/

const given = object({ refresh_token: text(MOST) })

export const isAcr = (host: string): boolean => HOST.test(host)

/** The name of the registry, as `az acr` takes it. */
export const acrName = (host: string): string => HOST.exec(host)?.[1] ?? host

/** Exchanges a token of the identity for one of the registry. https://github.com/Azure/acr/blob/main/docs/AAD-OAuth.md */
export async function acrLogin(
  host: string,
  token: () => Promise<{ readonly credentials: Credentials }>,
  endpoint = `https://${host}`,
): Promise<RegistryLogin | undefined> {
  if (!isAcr(host)) return undefined
  const { credentials } = await token()
  const body = new URLSearchParams({ grant_type: 'access_token', service: host, access_token: credentials['token'] ?? '' })
  const url = new URL('/oauth2/exchange', endpoint)
  const { ok, status, text: said } = await askRegistry(url, { body })
  if (!ok) throw new Error(`${url.host} answers ${status}; the identity of the machine needs the role AcrPull there`)
  return { user: NOBODY, password: parseShape(given, said).refresh_token }
}
