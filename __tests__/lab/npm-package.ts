/** npm packages that a test uses without depending on them: downloaded once, unpacked, and cached by version. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { kept } from './cache.ts'
import { run } from './shell.ts'

/** The folder of the package, without its dependencies; none of its scripts has run. */
export async function npmPackage(name: string, version: string): Promise<string> {
  return await kept(`${name}-${version}`, async (folder) => {
    const file = (await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder })).trim()
    await run('tar', ['-xzf', file, '--strip-components=1'], { cwd: folder })
    await rm(join(folder, file))
  })
}

/** The program of another version of Node.js. */
export async function nodeProgram(version: string): Promise<string> {
  return join(await npmPackage(`node-${process.platform}-${process.arch}`, version), 'bin/node')
}
