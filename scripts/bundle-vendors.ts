/**
 * Vendors' clients that consist of a thousand small modules: before ncc, esbuild takes what the `sdk.ts` of their room names out of the ES modules,
 * and drops the rest. ncc would need minutes for all of it, and keep everything.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { packages } from './build-agent.ts'

interface Vendor {
  /** The folder below `src/` whose `sdk.ts` names what is taken. */
  readonly room: string
  /** A package that is loaded but only used by code that we do not take. */
  readonly without?: string
}

const VENDORS: readonly Vendor[] = [
  { room: 'clouds/aws' },
  // The client for calls by `fetch`: our calls use `node:https`, and `exec` a socket of its own.
  { room: 'clouds/k8s', without: 'undici' },
]

/** Replaces the `sdk.js` files that tsc has emitted; resolves to the names of the packages inside. */
export async function bundleVendors(root: string, emitted: string): Promise<readonly string[]> {
  const found = await Promise.all(VENDORS.map(async ({ room, without }) => bundleVendor(root, join(emitted, room, 'sdk.js'), without)))
  return [...new Set(found.flat())].sort()
}

async function bundleVendor(root: string, file: string, without: string | undefined): Promise<readonly string[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: await readFile(file, 'utf8'), resolveDir: root, loader: 'js' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // The other form of these packages is CommonJS, from which nothing can be dropped.
    mainFields: ['module', 'main'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    plugins: [builtins, ours, ...(without === undefined ? [] : [leaveOut(without)])],
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  await writeFile(file, outputFiles[0]?.contents ?? '')
  return packages(Object.keys(metafile.inputs))
}

/** Our own files that the room imports are none of the vendor's: ncc bundles them with everything else. */
const ours: Plugin = {
  name: 'ours',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ importer, path }) => (importer === '<stdin>' ? { path, external: true } : undefined))
  },
}

/** A module has no `require`: the builtins that CommonJS code requires are imported, and passed on in the form that it expects. */
const builtins: Plugin = {
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /./, namespace: 'required' }, ({ kind, path }) =>
      kind === 'require-call' ? { path, namespace: 'imported' } : undefined,
    )
    build.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'required' } : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({ contents: `module.exports = require('${path}').default` }))
    build.onLoad({ filter: /./, namespace: 'imported' }, ({ path }) => ({ contents: `export { default } from '${path}'` }))
  },
}

/** Puts an empty module in place of the package. */
function leaveOut(name: string): Plugin {
  return {
    name: `leave out ${name}`,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: 'left-out' }))
      build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'module.exports = {}' }))
    },
  }
}
