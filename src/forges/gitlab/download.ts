/** Where GitLab's runner program is, and its digest. */
import { InputError } from '../../core/errors.ts'
import type { ForgeContext, RunnerDownload, RunnerRequest } from '../../core/forge.ts'
import { isOlder } from '../../lib/version.ts'
import type { Api } from './api.ts'
import { READS_FILE } from './program.ts'

const ARCH = { x64: 'amd64', arm64: 'arm64' } as const
/** One folder per version, and one called "latest". */
const DOWNLOADS = 'https://gitlab-runner-downloads.s3.amazonaws.com'

/** The vendor's list of digests has the name of the file. GITLAB_RUNNER_DOWNLOADS may name a mirror. */
export async function findDownload(
  api: Api,
  { env }: ForgeContext,
  { platform, version }: Pick<RunnerRequest, 'platform' | 'version'>,
): Promise<RunnerDownload> {
  if (version !== undefined && isOlder(version, READS_FILE))
    throw new InputError(
      `runner-version: ${version} cannot read its settings from a file, only from where every job or process can see them`,
      { hint: `use ${READS_FILE} or later` },
    )
  const name = `gitlab-runner-${platform.os}-${ARCH[platform.arch]}`
  const mirror = (env['GITLAB_RUNNER_DOWNLOADS'] ?? DOWNLOADS).replace(/\/+$/, '')
  const base = `${mirror}/${version === undefined ? 'latest' : `v${version}`}`
  const { host } = new URL(base)
  const absent = version === undefined ? [] : [403, 404]
  const { status, text } = await api.file(`${base}/release.sha256`, {
    doing: `get the list of runner programs from ${host}`,
    accept: absent,
  })
  if (absent.includes(status))
    throw new InputError(`runner-version: ${host} has no version ${version}`, { hint: 'a version is written like 19.1.0' })
  const line = text.split('\n').find((one) => one.trim().endsWith(`binaries/${name}`))
  const digest = line === undefined ? undefined : /^[0-9a-f]{64}/.exec(line.trim())?.[0]
  if (digest === undefined) throw new InputError(`architecture: GitLab publishes no ${name}`)
  return { version: version ?? 'latest', url: `${base}/binaries/${name}`, headers: {}, digest, file: 'gitlab-runner' }
}
