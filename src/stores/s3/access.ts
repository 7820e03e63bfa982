/** Where the controller finds region, endpoint and credentials of a bucket: the variables and files that AWS tools use. */
import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { systemClock } from '../../lib/clock.ts'
import type { Env } from '../../lib/env.ts'
import { isGone } from '../../lib/error-code.ts'
import { endpointIn } from '../../vendors/aws/service.ts'
import { renewing } from '../../wire/credentials.ts'
import { type StoreAccess, StoreError } from '../../wire/store.ts'
import type { AccessOptions } from '../login.ts'
import { endpointOf } from './address.ts'
import { chainOf } from './chain.ts'

export interface S3Options extends AccessOptions {
  readonly region?: string | undefined
  readonly profile?: string | undefined
}

/**
 * Options win, then the environment (`AWS_REGION`, `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`), then the profile in
 * `~/.aws`. `chain.ts` finds the credentials, and new ones when they expire. A profile that was named by option wins over keys in the
 * environment. Throws StoreError `denied` if there are no credentials, `invalid` for a bad endpoint; messages never show a credential.
 */
export async function accessFromEnv(url: string, env: Env, options: S3Options = {}): Promise<StoreAccess> {
  const read = async () => readProfile(env, options.profile)
  const profile = await read()
  const region = options.region ?? (env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || profile.get('region'))
  const endpoint = options.endpoint ?? (endpointIn(env, 'S3') || profile.get('s3.endpoint_url') || profile.get('endpoint_url'))
  if (endpoint) endpointOf(endpoint)
  const chain = await chainOf({ env, profile: read, named: options.profile !== undefined, region })
  if (!chain) throw missing(url, env, options)
  const { lent, lend } = chain
  return {
    url,
    settings: { ...(region && { region }), ...(endpoint && { endpoint }) },
    credentials: lent.credentials,
    ...(lent.until !== undefined ? { until: lent.until } : lent.credentials['sessionToken'] && { temporary: true }),
    ...(lend && { source: renewing({ lend, clock: options.clock ?? systemClock, first: lent }) }),
  }
}

/**
 * Settings of the profile in both files; the credentials file wins. Those for one service are in a section that the profile names:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
async function readProfile(env: Env, profile: string | undefined): Promise<ReadonlyMap<string, string>> {
  const name = profile ?? (env['AWS_PROFILE'] || 'default')
  const config = await readIni(env['AWS_CONFIG_FILE'] || atHome(env, 'config'))
  const secret = await readIni(env['AWS_SHARED_CREDENTIALS_FILE'] || atHome(env, 'credentials'))
  const settings = [...(config.get(name) ?? []), ...(secret.get(name) ?? [])]
  const services = config.get(`services ${new Map(settings).get('services') ?? ''}`)
  return new Map([...(services ?? []), ...settings])
}

/** `undefined` without a home folder: never a file in the current folder, which may be somebody else's checkout. */
function atHome(env: Env, name: string): string | undefined {
  const home = env['HOME'] ?? ''
  return isAbsolute(home) ? join(home, '.aws', name) : undefined
}

async function readIni(path: string | undefined): Promise<Ini> {
  if (path === undefined) return new Map()
  try {
    return parseIni(await readFile(path, 'utf8'))
  } catch (error) {
    if (isGone(error)) return new Map()
    throw new StoreError('denied', `storage: could not read "${path}"`, { cause: error })
  }
}

function missing(url: string, env: Env, options: S3Options): StoreError {
  const profile = options.profile ?? (env['AWS_PROFILE'] || undefined)
  const found = profile === undefined ? 'no credentials' : `no access key in the profile "${profile}"`
  const remedy = 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), or AWS_PROFILE'
  const more =
    'for a profile that signs in or assumes a role, put "credential_process = aws configure export-credentials --profile NAME" into another'
  return new StoreError('denied', `storage: ${found} for "${url}"; ${remedy}; ${more}`)
}

export type Ini = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * Sections with their settings. A nested setting (indented below a name) is called `NAME.SETTING`. Other lines are skipped. As in AWS's tools, a
 * whole section may be indented, and blanks at the end of a line mean nothing.
 */
export function parseIni(text: string): Ini {
  const sections = new Map<string, Map<string, string>>()
  let section: Map<string, string> | undefined
  let depth = Number.POSITIVE_INFINITY
  let parent = ''
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue
    const title = /^\[\s*(?:profile\s+)?"?([^\]"]+?)"?\s*\](?:\s*[#;].*)?$/.exec(line.trimEnd())?.[1]
    if (title !== undefined) {
      section = sections.get(title) ?? new Map()
      sections.set(title, section)
      depth = Number.POSITIVE_INFINITY
      continue
    }
    const [, blanks = '', name, value = ''] = /^(\s*)([^\s=:][^=:]*?)\s*=\s*(.*?)(?:\s+[#;].*)?$/.exec(line.trimEnd()) ?? []
    if (name === undefined) continue
    const own = name.toLowerCase()
    const nested = blanks.length > depth
    section?.set(nested ? `${parent}.${own}` : own, value)
    if (nested) continue
    depth = blanks.length
    parent = own
  }
  return sections
}
