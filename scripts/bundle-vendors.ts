/**
 * Clients of vendors that are made of a thousand small modules: esbuild takes what `sdk.ts` of their room names out of the ES modules and leaves the rest,
 * before ncc, which would need minutes for all of it and keep it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { packages } from './build-agent.ts'

interface Vendor {
  /** The folder below `src/` whose `sdk.ts` says what is taken. */
  readonly room: string
  /** Packages that only what we do not take calls, though it is loaded with the rest. */
  readonly without?: string
}

const VENDORS: readonly Vendor[] = [
  { room: 'clouds/aws' },
  // Its client for calls by `fetch`: ours go over `node:https`, `exec` over a socket of its own.
  { room: 'clouds/k8s', without: 'undici' },
]

/** Replaces them in what tsc has emitted; resolves to the names of the packages inside. */
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
    // The other form of these packages is CommonJS, of which nothing can be left out.
    mainFields: ['module', 'main'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    plugins: [builtins, ...(without === undefined ? [] : [leaveOut(without)])],
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  await writeFile(file, outputFiles[0]?.contents ?? '')
  return packages(Object.keys(metafile.inputs))
}

/** A module has no `require`: what CommonJS asks of Node with it is imported, and handed on as it wants it. */
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

/** An empty module in its place. */
function leaveOut(name: string): Plugin {
  return {
    name: `leave out ${name}`,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: 'left-out' }))
      build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'module.exports = {}' }))
    },
  }
}
