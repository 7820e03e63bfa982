/** Programs from the Python registry that tests run: native ones, for the folder they are installed in is moved; kept by their version. */
import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { labCache } from './go-tool.ts'

/** Path of the program; `undefined` (after one line that says why) when it cannot be had here. In CI that is an error instead. */
export function pythonTool(name: string, version: string): string | undefined {
  const folder = join(labCache(), `${name}-${version}`)
  const program = join(folder, 'bin', name)
  if (existsSync(program)) return program
  const part = `${folder}.part-${process.pid}`
  try {
    const run = (command: string, ...args: string[]): void => void execFileSync(command, args, { stdio: 'pipe' })
    run('python3', '-m', 'venv', part)
    run(join(part, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:', `${name}==${version}`)
    // Another process may have been first.
    if (!existsSync(folder)) renameSync(part, folder)
    return program
  } catch (error) {
    const line = `${name} ${version} could not be installed: ${error instanceof Error ? error.message : String(error)}`
    if (process.env['CI']) throw new Error(line, { cause: error })
    process.stderr.write(`skipped: ${line}\n`)
    return undefined
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}
