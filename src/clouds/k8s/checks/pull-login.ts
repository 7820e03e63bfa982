/** Logins of registries, as pull secrets hold them. */
import type { Api } from '../api.ts'
import { USUAL_REGISTRY } from '../image-name.ts'
import type { Thing } from '../objects.ts'

export interface Login {
  readonly username: string
  readonly password: string
}

interface Secret extends Thing {
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>
}

/** The first that one of these secrets has for a registry. Secrets that are missing, or hold none, have a check of their own. */
export async function loginFor(api: Api, registry: string, secrets: readonly { readonly name: string }[] = []): Promise<Login | undefined> {
  const logins = await Promise.all(secrets.map(async ({ name }) => loginIn(await api.get<Secret>('secrets', name), registry)))
  return logins.find((login) => login !== undefined)
}

interface Entry {
  readonly auth?: string
  readonly username?: string
  readonly password?: string
}

function loginIn(secret: Secret | undefined, registry: string): Login | undefined {
  const text = (key: string): string => Buffer.from(secret?.data?.[key] ?? '', 'base64').toString() || '{}'
  let entries: Record<string, Entry>
  try {
    entries = { ...(JSON.parse(text('.dockercfg')) as object), ...(JSON.parse(text('.dockerconfigjson')) as { auths?: object }).auths }
  } catch {
    return undefined
  }
  const entry = Object.entries(entries).find(([key]) => hostOf(key) === registry)?.[1]
  if (!entry) return undefined
  const [username, ...password] = Buffer.from(entry.auth ?? '', 'base64')
    .toString()
    .split(':')
  return { username: entry.username ?? username ?? '', password: entry.password ?? password.join(':') }
}

/** Logins are written down by host, or by URL as Docker does: `https://index.docker.io/v1/`. */
function hostOf(key: string): string {
  const host = key.replace(/^https?:\/\//, '').replace(/\/.*$/, '')
  return host === 'index.docker.io' || host === 'registry-1.docker.io' ? USUAL_REGISTRY : host
}
