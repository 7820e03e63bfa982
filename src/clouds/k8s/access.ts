/** How controllers and machines reach the store in the cluster. */
import type { RequestOptions } from 'node:https'
import type { Clock } from '../../core/cloud.ts'
import { renewing } from '../../wire/credentials.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { Api } from './api.ts'
import { STORE_PORT } from './names.ts'
import { type Secret, type Service, secretText } from './objects.ts'
import type { Login } from './sdk.ts'

/** Through the API server's proxy. The token is read on first use, because the store may not exist yet. */
export async function controllerAccess(api: Api, login: Login, clock: Clock, id: string): Promise<StoreAccess> {
  const { ca, servername, rejectUnauthorized } = await login.options()
  const settings = {
    ...pem('ca', ca),
    ...(servername !== undefined && { serverName: servername }),
    ...(rejectUnauthorized === false && { insecure: 'true' }),
    ...(login.proxy !== undefined && { proxy: login.proxy }),
  }
  let lent: string | undefined
  return {
    url: `${login.server}/api/v1/namespaces/${login.namespace}/services/http:${id}:${STORE_PORT}/proxy`,
    ...(Object.keys(settings).length > 0 && { settings }),
    source: renewing({
      clock,
      lend: async () => {
        // In this order: if the server no longer accepts the login, this call renews it.
        const token = await tokenOf(api, id, lent)
        lent = token
        return { credentials: { ...credentialsOf(await login.options()), ...(token !== undefined && { token }) } }
      },
    }),
  }
}

function credentialsOf({ headers, cert, key, auth }: RequestOptions): Record<string, string> {
  const said = headers && !Array.isArray(headers) ? (headers as Record<string, unknown>)['Authorization'] : undefined
  const authorization = typeof said === 'string' ? said : auth ? `Basic ${Buffer.from(auth).toString('base64')}` : undefined
  return {
    ...(authorization !== undefined && { authorization }),
    ...pem('clientCertificate', cert),
    ...pem('clientKey', key),
  }
}

/** Certificates and keys from files are bytes; those written into a kubeconfig are text. */
function pem(name: string, value: unknown): Record<string, string> {
  return typeof value === 'string' || Buffer.isBuffer(value) ? { [name]: value.toString() } : {}
}

/** The process that made the store knows the token without a call. `refused`: a token that the store did not accept. */
async function tokenOf(api: Api, id: string, refused: string | undefined): Promise<string | undefined> {
  const made = secretText(api.madeHere<Secret>('secrets', id), 'token')
  return made === undefined || made === refused ? secretText(await api.get<Secret>('secrets', id), 'token') : made
}

/** From inside the cluster; by address, because not every cluster has a DNS. `undefined`: there is no such store. */
export async function machineAccess(api: Api, id: string): Promise<Omit<StoreAccess, 'credentials'> | undefined> {
  const address = (await api.made<Service>('services', id))?.spec.clusterIP
  if (address === undefined) return undefined
  return { url: `http://${address.includes(':') ? `[${address}]` : address}:${STORE_PORT}` }
}
