/** Node.js of other versions, from the packages that the npm package `node` is made of; fetched once and kept. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { labCache } from './go-tool.ts'

/** Path of the program. */
export function nodeProgram(version: string): string {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(labCache(), `${name}-${version}`)
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(program)) return program
  const part = `${folder}.part-${process.pid}`
  mkdirSync(part, { recursive: true })
  try {
    const flags = ['--prefix', part, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--silent']
    execFileSync('npm', ['install', ...flags, `${name}@${version}`], { stdio: 'pipe' })
    // Another process may have been first.
    if (!existsSync(folder)) renameSync(part, folder)
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
  return program
}
