/** Go programs that tests need as servers: built once from their pinned module, kept by that pin. */
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface GoTool {
  /** Name of the binary. */
  readonly name: string
  /** Path of the package to install. */
  readonly package: string
  readonly version: string
}

/** Absolute folder of built tools: `$TPI_LAB_CACHE`, else `.cache/lab` in the repository. */
export function labCache(): string {
  return process.env['TPI_LAB_CACHE'] ?? join(import.meta.dirname, '..', '..', '.cache', 'lab')
}

/** Path of the binary; `undefined` (after one line that says why) when it cannot be built here. In CI that is an error instead. */
export async function goTool(tool: GoTool): Promise<string | undefined> {
  const folder = join(labCache(), `${tool.name}-${tool.version}`)
  const binary = join(folder, tool.name)
  if (await isThere(binary)) return binary
  try {
    await build(tool, folder, binary)
    return binary
  } catch (error) {
    const line = `${tool.name} ${tool.version} could not be built: ${reasonOf(error)}`
    if (process.env['CI']) throw new Error(line, { cause: error })
    process.stderr.write(`skipped: ${line}\n`)
    return undefined
  }
}

/** Built beside its place and moved there whole, so that a killed or parallel build leaves no half binary. */
async function build(tool: GoTool, folder: string, binary: string): Promise<void> {
  const part = `${folder}.part-${process.pid}`
  await mkdir(part, { recursive: true })
  try {
    const env = { ...process.env, GOBIN: part, GOFLAGS: '-buildvcs=false' }
    await run('go', ['install', `${tool.package}@${tool.version}`], { env, maxBuffer: 16 * 1024 * 1024 })
    await rename(part, folder).catch(async (error: unknown) => {
      // Another process was first.
      if (!(await isThere(binary))) throw error
    })
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}

async function isThere(binary: string): Promise<boolean> {
  return await access(binary, constants.X_OK).then(
    () => true,
    () => false,
  )
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return 'there is no Go toolchain (`go`) on PATH'
  const stderr = 'stderr' in error ? String(error.stderr).trim() : ''
  return stderr.split('\n').at(-1) || error.message.split('\n')[0] || 'unknown'
}
