/**
 * The program that runs on machines, as exactly one file with one digest. Built with esbuild, not ncc: ncc cannot include dynamic imports in the
 * entry, and esbuild takes a tenth of a second, so the tests run exactly the bytes that are released.
 */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { writeWhole } from '../src/lib/files.ts'
import { sha256 } from '../src/lib/sha256.ts'

const ROOT = join(import.meta.dirname, '..')

export interface BuiltAgent {
  readonly bytes: number
  /** SHA-256, hex. */
  readonly digest: string
  /** Names of the packages inside, sorted. */
  readonly packages: readonly string[]
}

/** Bundles `src/agent/main.ts` into `outFile`: names are kept, the bytes are always the same, and the file is replaced as a whole. */
export async function buildAgent(outFile: string): Promise<BuiltAgent> {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/agent/main.ts'],
    bundle: true,
    splitting: false,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    charset: 'utf8',
    legalComments: 'none',
    // On Kubernetes it must fit into a ConfigMap (1 MiB in total, as Base64).
    minifyWhitespace: true,
    // So that a stack trace names a readable line.
    lineLimit: 160,
    metafile: true,
    write: false,
    logLevel: 'error',
    // CommonJS packages inside may load builtins with `require`, which does not exist in a module.
    banner: { js: "import { createRequire as __createRequire } from 'node:module'\nconst require = __createRequire(import.meta.url)" },
  })
  const [file, ...more] = result.outputFiles
  if (!file || more.length > 0) throw new Error(`the agent must be one file, esbuild made ${result.outputFiles.length}`)
  const bytes = Buffer.from(file.contents)
  await mkdir(dirname(outFile), { recursive: true })
  // Readers see the old file or the new one, since several test runs may build at once.
  await writeWhole(outFile, bytes, { mode: 0o644 })
  return {
    bytes: bytes.length,
    digest: sha256(bytes),
    packages: packages(Object.keys(result.metafile.inputs)),
  }
}

/** Names of the packages that these files belong to, sorted. */
export function packages(inputs: readonly string[]): readonly string[] {
  const names = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  return [...new Set(names)].sort()
}

if (import.meta.main) {
  const out = process.argv[2] ?? join(ROOT, 'build/agent/agent.mjs')
  const { bytes, digest } = await buildAgent(out)
  console.log(`${out}: ${bytes} bytes, sha256 ${digest}`)
}
