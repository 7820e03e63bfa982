/** Results kept with the workflow run they belong to. */
import { existsSync } from 'node:fs'
import { RemoteError } from '../core/errors.ts'
import type { Host } from '../core/host.ts'
import type { Delivery } from '../engine/deliver/collect.ts'
import type { KeptFiles } from '../engine/history.ts'
import { formatBytes } from '../lib/bytes.ts'
import { firstLineOf, plural } from '../lib/text.ts'
import type { Artifact } from '../report/run.ts'
import { holdable, rejections } from './holdable.ts'

/** The results service of the CI system. */
export interface ArtifactService {
  /** Replaces an artifact of the same name from an earlier attempt of this run. */
  replace(
    name: string,
    files: readonly string[],
    root: string,
    options: { retentionDays?: number; compressionLevel: number },
  ): Promise<{ id: string; bytes: number }>
}

export interface ArtifactParams {
  /** `true`: named after the deployment; else the name. */
  readonly artifact: string
  readonly retentionDays: number | undefined
  readonly compression: number
  readonly ifNoFiles: 'warn' | 'error' | 'ignore'
}

export interface ArtifactParts {
  readonly host: Host
  readonly params: ArtifactParams
  /** `undefined`: this CI system has none. */
  readonly service: ArtifactService | undefined
  /** Anyone may read the repository, and so its artifacts. */
  readonly isPublic: boolean
  /** Page of an artifact, by id. */
  readonly url: (id: string) => string | undefined
}

/**
 * `label`: distinguishes it from other artifacts of the same command. Throws if there should be an artifact and there is none: the results
 * then stay in the deployment's own store.
 */
export async function uploadResults(
  parts: ArtifactParts,
  name: string,
  delivery: Delivery,
  paths: readonly string[],
  label?: string,
): Promise<Artifact | undefined> {
  const { host, params, service } = parts
  const title = titleOf(params, name, label)
  if (paths.length === 0) return nothingFound(parts, name, delivery)
  const { files, rejected } = await holdable(delivery.folder, paths)
  for (const line of rejections(title, rejected)) host.warn(line)
  if (files.length === 0) return undefined
  if (!service) {
    host.warn(withoutService(title, delivery.folder, files, rejected.size > 0, params))
    return undefined
  }
  const { id, bytes } = await service.replace(title, files, delivery.folder, settings(params)).catch((cause: unknown) => {
    throw new RemoteError(`artifact "${title}": could not be uploaded: ${firstLineOf(cause)}`, {
      cause,
      hint: `the outputs are in ${delivery.folder}, and nothing is lost: run this job again, or: \`tpi collect ${name}\``,
    })
  })
  host.info(`artifact ${title}: ${plural(files.length, 'file')}, ${formatBytes(bytes)}`)
  if (parts.isPublic) tellPublic(host, title)
  return { name: title, id, url: parts.url(id) }
}

/** The log and the record of the run, beside its results; without a service, or if that fails, the run's result does not change. */
export async function uploadLog(
  { host, params, service, isPublic, url }: ArtifactParts,
  name: string,
  kept: KeptFiles,
  label?: string,
): Promise<Artifact | undefined> {
  // No name of a run has a dot.
  const title = `${titleOf(params.artifact === 'false' ? { ...params, artifact: 'true' } : params, name, label)}.log`
  const files = kept.files.filter((file) => existsSync(file))
  if (!service || files.length === 0) return undefined
  try {
    const { id } = await service.replace(title, files, kept.folder, settings(params))
    if (isPublic) tellPublic(host, title)
    return { name: title, id, url: url(id) }
  } catch (error) {
    host.warn(`artifact "${title}": could not be uploaded: ${firstLineOf(error)}`)
    return undefined
  }
}

function tellPublic(host: Host, title: string): void {
  host.annotate('notice', `the repository is public: anyone may download artifact "${title}"`)
}

function settings({ compression, retentionDays }: ArtifactParams): Parameters<ArtifactService['replace']>[3] {
  return { compressionLevel: compression, ...(retentionDays === undefined ? {} : { retentionDays }) }
}

/** One name for several would leave the last one's alone. */
function titleOf({ artifact }: ArtifactParams, name: string, label: string | undefined): string {
  if (artifact === 'true') return `tpi-${label ?? name}`
  return label === undefined ? artifact : `${artifact}-${label}`
}

function nothingFound({ host, params }: ArtifactParts, name: string, { unmatched }: Delivery): undefined {
  const message = `no file of ${name} matched "output": there is nothing to upload`
  if (params.ifNoFiles === 'error') throw new RemoteError(message, { hint: 'if-no-files-found: warn makes this a warning' })
  // The delivery warns of each pattern without a match, where there was anything to look through.
  if (params.ifNoFiles === 'warn' && unmatched.length === 0) host.warn(message)
  return undefined
}

/** A step that uploads if the official client cannot: one that the CI system provides knows its own service. */
function withoutService(title: string, folder: string, files: readonly string[], some: boolean, params: ArtifactParams): string {
  const days = params.retentionDays === undefined ? [] : [`    retention-days: ${params.retentionDays}`]
  // That step follows links too: the folder as a whole only where all of it may go.
  const most = (files.length > 20 && !some ? [folder] : files).map((path) => `      ${path}`)
  return [
    `artifact "${title}": this server has no artifact service that this step can use. The outputs are in ${folder}; this step uploads them:`,
    '- uses: actions/upload-artifact@v3',
    '  if: always()',
    '  with:',
    `    name: ${title}`,
    '    path: |',
    ...most,
    ...days,
  ].join('\n')
}
