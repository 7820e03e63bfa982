/** The runner program that GitHub offers, or another release that was requested by number. */
import { InputError } from '../../core/errors.ts'
import type { ForgeContext, Platform, RunnerDownload, RunnerRequest } from '../../core/forge.ts'
import { isOlder } from '../../lib/version.ts'
import type { Api } from './api.ts'

const OS = { linux: 'linux', darwin: 'osx' } as const
/** Older ones cannot register (GitHub's changelog, 2026). */
const MINIMUM = '2.329.0'
/**
 * Days for which GitHub gives jobs to a version after the next one is released.
 * https://docs.github.com/en/actions/reference/runners/self-hosted-runners#runner-software-updates-on-self-hosted-runners
 */
const LEAVE = 30
const DAY = 86_400_000

interface Download {
  readonly os: string
  readonly architecture: string
  readonly download_url: string
  readonly filename: string
  readonly temp_download_token?: string
  readonly sha256_checksum?: string
}

interface Release {
  readonly published_at: string | null
  readonly assets: readonly { readonly name: string; readonly browser_download_url: string; readonly digest?: string | null }[]
}

/** Uses the list of downloads that GitHub has for each place: it follows GitHub's roll-out, has digests, and is right on an Enterprise Server. */
export async function findDownload(
  api: Api,
  path: string,
  mask: ForgeContext['mask'],
  { platform, version }: Pick<RunnerRequest, 'platform' | 'version'>,
): Promise<RunnerDownload> {
  const { data } = await api.call({ doing: 'list runner downloads', method: 'GET', path: `${path}/actions/runners/downloads` })
  const all = data as Download[]
  const found = all.find((one) => one.os === OS[platform.os] && one.architecture === platform.arch)
  if (!found)
    throw new InputError(`architecture: GitHub has no runner for ${platform.os} ${platform.arch}`, {
      hint: `it has: ${all.map((one) => `${one.os} ${one.architecture}`).join(', ')}`,
    })
  const offered = /(\d+\.\d+\.\d+)/.exec(found.filename)?.[1] ?? 'unknown'
  if (version !== undefined && version !== offered) return pinned(api, platform, version, offered)
  const token = found.temp_download_token
  if (token) mask(token)
  return {
    version: offered,
    url: found.download_url,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(found.sha256_checksum ? { digest: found.sha256_checksum } : {}),
  }
}

async function pinned(api: Api, { os, arch }: Platform, version: string, offered: string): Promise<RunnerDownload> {
  if (isOlder(version, MINIMUM))
    throw new InputError(`runner-version: GitHub accepts no runner older than ${MINIMUM}, so not ${version}`, {
      hint: `it offers ${offered}; "latest" always takes what it offers`,
    })
  const path = `/repos/actions/runner/releases/tags/v${version}`
  const answer = await api.call({ doing: `look for runner ${version}`, method: 'GET', path, accept: [403, 404] })
  const release = answer.data as Release
  const name = `actions-runner-${OS[os]}-${arch}-${version}.tar.gz`
  const asset = answer.status === 200 ? release.assets.find((one) => one.name === name) : undefined
  const digest = /^sha256:([0-9a-f]{64})$/.exec(asset?.digest ?? '')?.[1]
  if (!asset || digest === undefined)
    throw new InputError(`runner-version: there is no ${name} with a digest here`, {
      hint: `this server offers ${offered}; "latest" always takes what it offers`,
    })
  const age = Math.floor((Date.now() - Date.parse(release.published_at ?? '')) / DAY)
  return {
    version,
    url: asset.browser_download_url,
    headers: {},
    digest,
    ...(age > LEAVE && isOlder(version, offered)
      ? {
          warning: `runner ${version} is ${age} days old: GitHub gives a runner no more jobs ${LEAVE} days after a newer one is released (it offers ${offered})`,
        }
      : {}),
  }
}
