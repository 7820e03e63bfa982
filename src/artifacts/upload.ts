/** Results and logs as artifacts of a workflow run. */
import { existsSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import type { ArtifactService } from '../core/ci.ts'
import { RemoteError } from '../core/errors.ts'
import type { Host } from '../core/host.ts'
import type { Delivery } from '../engine/deliver/collect.ts'
import type { KeptFiles } from '../engine/history.ts'
import { formatBytes } from '../lib/bytes.ts'
import { firstLineOf, plural } from '../lib/text.ts'
import type { Artifact } from '../report/run.ts'
import { holdable, rejections } from './holdable.ts'

export interface ArtifactParams {
  /** The name of the artifact; `true`: it is called after the run. */
  readonly artifact: string
  /** The log was asked for, not only uploaded by default. */
  readonly wantsLog: boolean
  readonly retentionDays: number | undefined
  readonly compression: number
  readonly ifNoFiles: 'warn' | 'error' | 'ignore'
}

export interface ArtifactParts {
  readonly host: Host
  readonly params: ArtifactParams
  /** `undefined`: this CI system has none that tpi can use. */
  readonly service: ArtifactService | undefined
  /** Anyone may read the repository, and so its artifacts. */
  readonly isPublic: boolean
  /** The address of an artifact's page, by its id. */
  readonly url: (id: string) => string | undefined
}

/**
 * Uploads the results that an artifact can have. `paths`: all results, as they are now below the folder of the delivery. `label`: tells this artifact
 * from others of the same command. Resolves to `undefined` if there is no artifact, after a warning. Throws if the upload fails, or if nothing
 * matched and that is to be an error: then the run does not count as collected, and its store keeps the results.
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
    host.warn(await withoutService(title, delivery.folder, files, params))
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

/** Uploads the log and the record of a run. Never throws: the outcome of the run does not depend on it. */
export async function uploadLog(
  { host, params, service, isPublic, url }: ArtifactParts,
  name: string,
  kept: KeptFiles,
  label?: string,
): Promise<Artifact | undefined> {
  // No artifact with results has the same name, because names of runs have no dot.
  const title = `${titleOf(params.artifact === 'false' ? { ...params, artifact: 'true' } : params, name, label)}.log`
  const files = kept.files.filter((file) => existsSync(file))
  if (!service && params.wantsLog)
    host.warn(
      `artifact "${title}": not uploaded, since this server has no artifact service that this step can use; \`tpi logs ${name}\` prints the log, as long as this machine is there`,
    )
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

/** The name of an artifact. The label is part of it, because an artifact replaces another one of the same name. */
function titleOf({ artifact }: ArtifactParams, name: string, label: string | undefined): string {
  if (artifact === 'true') return `tpi-${label ?? name}`
  return label === undefined ? artifact : `${artifact}-${label}`
}

/** What `if-no-files-found` asks for. */
function nothingFound({ host, params }: ArtifactParts, name: string, { unmatched }: Delivery): undefined {
  const message = `no file of ${name} matched "output": there is nothing to upload`
  if (params.ifNoFiles === 'error') throw new RemoteError(message, { hint: 'if-no-files-found: warn makes this a warning' })
  // The delivery itself has warned of each pattern that matches nothing (`unmatched`).
  if (params.ifNoFiles === 'warn' && unmatched.length === 0) host.warn(message)
  return undefined
}

/** Files that are listed one by one although the folder has nothing else. */
const MANY = 20
/** Files that are listed at most: an annotation is read by people. */
const LISTED = 200

/** What to say without a service: a step of the CI system's own, which knows its service, uploads the same files. */
async function withoutService(title: string, folder: string, files: readonly string[], params: ArtifactParams): Promise<string> {
  const days = params.retentionDays === undefined ? [] : [`    retention-days: ${params.retentionDays}`]
  const whole = files.length > MANY && (await hasNothingElse(folder, files.length))
  const listed = whole ? [folder] : files.slice(0, LISTED)
  const rest = whole ? 0 : files.length - listed.length
  return [
    `artifact "${title}": this server has no artifact service that this step can use. The outputs are in ${folder}; this step uploads them:`,
    '- uses: actions/upload-artifact@v3',
    '  if: always()',
    '  with:',
    `    name: ${title}`,
    '    path: |',
    ...listed.map((path) => `      ${path}`),
    ...days,
    ...(rest > 0 ? [`(and ${plural(rest, 'more file')}: name them by patterns, such as a folder that has only outputs)`] : []),
  ].join('\n')
}

/** The folder has no more files than these. Otherwise it has results that are left out, or is a work directory: nobody wants all of that uploaded. */
async function hasNothingElse(folder: string, files: number): Promise<boolean> {
  let found = 0
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      if (!entry.isDirectory()) found += 1
      if (found > files) return false
    }
    return true
  } catch {
    // What this user cannot read, or somebody has just removed, is no result.
    return false
  }
}
