/** Packages of npm that a test uses without depending on them: fetched once, unpacked, kept by their version. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { labCache } from './go-tool.ts'

/** The folder of the package; what it depends on is not there, and none of its scripts has run. */
export function npmPackage(name: string, version: string): string {
  const folder = join(labCache(), `${name}-${version}`)
  if (existsSync(folder)) return folder
  const part = `${folder}.part-${process.pid}`
  mkdirSync(part, { recursive: true })
  try {
    const file = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: part, encoding: 'utf8' }).trim()
    execFileSync('tar', ['-xzf', file, '--strip-components=1'], { cwd: part, stdio: 'pipe' })
    rmSync(join(part, file))
    // Another process may have been first.
    if (!existsSync(folder)) renameSync(part, folder)
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
  return folder
}

/** The program of another version of Node.js. */
export function nodeProgram(version: string): string {
  return join(npmPackage(`node-${process.platform}-${process.arch}`, version), 'bin/node')
}
