/**
 * Clients of vendors that are made of a thousand small modules: esbuild takes what `sdk.ts` of their room names out of the ES modules and leaves the rest,
 * before ncc, which would need minutes for all of it and keep it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { packages } from './build-agent.ts'

const ROOMS = ['clouds/aws']

/** Replaces them in what tsc has emitted; resolves to the names of the packages inside. */
export async function bundleVendors(root: string, emitted: string): Promise<readonly string[]> {
  const found = await Promise.all(ROOMS.map(async (room) => bundleVendor(root, join(emitted, room, 'sdk.js'))))
  return [...new Set(found.flat())].sort()
}

async function bundleVendor(root: string, file: string): Promise<readonly string[]> {
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
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  await writeFile(file, outputFiles[0]?.contents ?? '')
  return packages(Object.keys(metafile.inputs))
}
