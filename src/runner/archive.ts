/** The forge's runner program: a command downloads it, checks its digest, keeps a copy, and puts it into the deployment's store. */
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRetryable, RemoteError } from '../core/errors.ts'
import type { RunnerDownload } from '../core/forge.ts'
import type { Deployment, Engine } from '../engine/deployment.ts'
import { retry } from '../lib/backoff.ts'
import { formatBytes } from '../lib/bytes.ts'
import { namesIn, writeWhole } from '../lib/files.ts'
import { sha256 } from '../lib/sha256.ts'
import { messageOf } from '../lib/text.ts'
import { agentPart } from '../wire/layout.ts'
import type { RunnerArchive } from '../wire/runner.ts'

/** Bytes of one object in the store: well below what any store takes. */
const PART = 32 * 1024 * 1024
/** Milliseconds for the download: some have taken more than ten minutes. */
const LONGEST = 20 * 60_000

export interface Archive {
  readonly bytes: Uint8Array
  readonly digest: string
  readonly download: RunnerDownload
}

/**
 * The program, from the copy that is kept if that is intact, otherwise downloaded from where the forge says. Rejects with a RemoteError.
 */
export async function fetchArchive(engine: Engine, download: RunnerDownload, signal: AbortSignal): Promise<Archive> {
  const folder = join(engine.home, 'cache', 'runners')
  // If the forge gives no digest, nobody can know whether a copy is the right one.
  const file = download.digest === undefined ? undefined : join(folder, download.digest)
  const kept = file === undefined ? undefined : await readFile(file).catch(() => undefined)
  if (kept && download.digest !== undefined && sha256(kept) === download.digest) return { bytes: kept, digest: download.digest, download }
  const begun = engine.clock.now()
  const bytes = await retry(async () => get(download, signal), {
    tries: 4,
    first: 1000,
    longest: 10_000,
    signal,
    again: isRetryable,
  })
  const digest = sha256(bytes)
  if (download.digest !== undefined && digest !== download.digest)
    throw new RemoteError(
      `the runner program from ${new URL(download.url).host} does not have the digest that the forge gives: SHA-256 ${digest}, not ${download.digest}`,
    )
  const seconds = ((engine.clock.now() - begun) / 1000).toFixed(1)
  const checked = download.digest === undefined ? ' (the forge publishes no digest)' : ', digest checked'
  engine.host.info(`runner program ${download.version}: ${formatBytes(bytes.length)} in ${seconds} s${checked}`)
  if (file !== undefined) await keep(folder, file, bytes)
  return { bytes, digest, download }
}

async function get(download: RunnerDownload, signal: AbortSignal): Promise<Buffer> {
  const failed = `the runner program could not be downloaded from ${new URL(download.url).host}`
  try {
    const answer = await fetch(download.url, { headers: download.headers, signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]) })
    if (!answer.ok) throw new RemoteError(`${failed}: HTTP ${answer.status}`, { retryable: answer.status >= 500 || answer.status === 429 })
    return Buffer.from(await answer.arrayBuffer())
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof RemoteError) throw cause
    throw new RemoteError(`${failed}: ${messageOf(cause)}`, { cause, retryable: true })
  }
}

/** Copies that are kept, each of more than a hundred megabytes: of this version, and of the one that other commands may still use. */
const KEPT = 2

/** Keeps a copy for the next time, if possible. */
async function keep(folder: string, file: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await writeWhole(file, bytes)
    const copies = (await namesIn(folder)).filter((name) => !name.endsWith('.part')).map((name) => join(folder, name))
    const ages = await Promise.all(copies.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })))
    const old = ages.toSorted((one, other) => other.at - one.at).slice(KEPT)
    await Promise.all(old.map(({ path }) => rm(path, { force: true })))
  } catch {
    // Without a copy, the program is only downloaded again.
  }
}

/**
 * What machines know about the program if it is not uploaded for them, because their image (the forge's own) has it. Only if the store is
 * the run's `own`: an upload to it would go through an API server. A machine whose image has another version downloads the right one
 * from the forge, so that must need no token. `undefined`: it must be uploaded.
 */
export function staysAtForge(
  download: RunnerDownload,
  { own, usual, image = usual }: { readonly own: boolean; readonly image: string | undefined; readonly usual: string },
): RunnerArchive | undefined {
  const { digest, url, version, file, headers } = download
  const repository = (name: string): string => name.replace(/(?:@.*|:[^/]*)$/, '')
  if (!own || repository(image) !== repository(usual) || digest === undefined || Object.keys(headers).length > 0) return undefined
  return { digest, bytes: 0, parts: 0, version, url, ...(file === undefined ? {} : { file }) }
}

/** Puts the program into the store, in parts. */
export async function uploadArchive(d: Deployment, { bytes, digest, download }: Archive, signal: AbortSignal): Promise<RunnerArchive> {
  const parts = Math.max(1, Math.ceil(bytes.length / PART))
  for (let part = 0; part < parts; part++) {
    signal.throwIfAborted()
    await d.store.write(agentPart(d.keys, digest, part), bytes.subarray(part * PART, (part + 1) * PART))
  }
  return { digest, bytes: bytes.length, parts, version: download.version, ...(download.file === undefined ? {} : { file: download.file }) }
}
