/**
 * Builds `dist/`: tsc checks and strips types, ncc makes one bundle with a lazy chunk per room; foreign chunks are minified, ours stay readable. The
 * same sources give the same bytes, in any folder and on any host: `.ci/run` compares them.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { buildAgent } from './build-agent.ts'
import { bundleVendors } from './bundle-vendors.ts'
import { licences } from './licences.ts'
import { lightToolkit } from './light-toolkit.ts'
import { STUBS } from './stubs.ts'

interface Bundle {
  readonly code: string
  readonly assets: Readonly<Record<string, { readonly source: string | Buffer }>>
}

type Ncc = (entry: string, options: Readonly<Record<string, unknown>>) => Promise<Bundle>

const ROOT = join(import.meta.dirname, '..')
/** Plain JavaScript: ncc cannot read TypeScript 7. */
const EMITTED = join(ROOT, 'build/js')
/** Files that come with packages, and that our code never opens. */
const USELESS = /\.(proto|node)$|(^|\/)xdg-open$/

async function emit(): Promise<void> {
  await rm(EMITTED, { recursive: true, force: true })
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', EMITTED], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error('tsc found errors: nothing was built')
}

async function bundle(): Promise<Map<string, string>> {
  const ncc = createRequire(import.meta.url)('@vercel/ncc') as Ncc
  const options = { cache: false, quiet: true, license: 'licenses.txt', target: 'es2022', filterAssetBase: ROOT }
  const { code, assets } = await ncc(join(EMITTED, 'entry.js'), options)
  const files = new Map([['index.js', code]])
  for (const [name, { source }] of Object.entries(assets)) if (!USELESS.test(name)) files.set(name, String(source))
  const odd = [...files.keys()].filter((name) => !/^(\d+\.)?index\.js$|^licenses\.txt$|^package\.json$/.test(name))
  if (odd.length > 0)
    throw new Error(
      `unexpected files in the bundle: ${odd.join(', ')} (new URL(…, import.meta.url) makes such: join import.meta.dirname instead)`,
    )
  return files
}

/** Lines of our own doc comments: a chunk that contains one is ours. */
async function ownLines(folder: string): Promise<ReadonlySet<string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return new Set(texts.flatMap((text) => text.split('\n').filter(isComment)).map((line) => line.trim()))
}

const isComment = (line: string): boolean => /^\s*(\/\*\*|\*|\/\/) \S.{30,}/.test(line)

async function minifyForeign(files: Map<string, string>): Promise<void> {
  const own = await ownLines(EMITTED)
  const chunks = [...files].filter(([name]) => /^\d+\.index\.js$/.test(name))
  for (const [name, text] of chunks) {
    if (text.split('\n').some((line) => own.has(line.trim()))) continue
    const { code } = await transform(text, { minify: true, keepNames: true, format: 'esm', target: 'node22', legalComments: 'none' })
    files.set(name, code)
  }
}

/** The bundler makes a separate chunk for each importer of the same modules: all but the first get the modules from the first one. */
function shareModules(files: Map<string, string>): void {
  const first = new Map<string, string>()
  for (const [name, text] of files) {
    const at = text.indexOf('export const modules = ')
    if (!/^\d+\.index\.js$/.test(name) || at < 0) continue
    const modules = text.slice(at)
    const twin = first.get(modules)
    if (twin === undefined) first.set(modules, name)
    else files.set(name, `${text.slice(0, at)}export { modules } from './${twin}';\n`)
  }
}

async function write(files: ReadonlyMap<string, string>, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of files) await writeFile(join(folder, name), text.replaceAll('\r\n', '\n'))
  // A stub whose function is missing would fail only when it is used.
  const entry = await readFile(join(EMITTED, 'entry.js'), 'utf8')
  for (const [name, { text, calls, executable }] of Object.entries(STUBS)) {
    if (!entry.includes(`function ${calls}(`)) continue
    await writeFile(join(folder, name), text)
    if (executable) await chmod(join(folder, name), 0o755)
  }
}

async function build(): Promise<void> {
  const part = join(ROOT, 'build/dist')
  await rm(part, { recursive: true, force: true })
  await emit()
  await lightToolkit(ROOT, join(ROOT, 'build'))
  const vendors = await bundleVendors(ROOT, EMITTED)
  const files = await bundle()
  shareModules(files)
  await minifyForeign(files)
  const agent = await buildAgent(join(part, 'agent/agent.mjs'))
  files.set('licenses.txt', await licences(ROOT, files.get('licenses.txt') ?? '', [...new Set([...vendors, ...agent.packages])].sort()))
  await write(files, part)
  await rm(join(ROOT, 'dist'), { recursive: true, force: true })
  await rename(part, join(ROOT, 'dist'))
  const total = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), agent.bytes)
  console.log(
    `dist: ${files.size + Object.keys(STUBS).length + 1} files, ${(total / 1e6).toFixed(2)} MB; agent ${(agent.bytes / 1e3).toFixed(0)} kB`,
  )
}

await build()
