/** Go programs that tests need as servers: built once from their pinned module, kept by that pin. */
import { join } from 'node:path'
import { kept } from './cache.ts'
import { Missing, orMissing } from './missing.ts'
import { run } from './shell.ts'

export interface GoTool {
  /** Name of the binary. */
  readonly name: string
  /** Path of the package to install. */
  readonly package: string
  readonly version: string
}

/** Path of the binary; `undefined` (after one line that says why) when it cannot be built here. In CI that is an error instead. */
export async function goTool(tool: GoTool): Promise<string | undefined> {
  return await orMissing(`no ${tool.name}`, async () => {
    const folder = await kept(`${tool.name}-${tool.version}`, (into) => build(tool, into)).catch((error: unknown) => {
      throw new Missing(`it could not be built: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    })
    return join(folder, tool.name)
  })
}

async function build(tool: GoTool, folder: string): Promise<void> {
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-buildvcs=false' }
  await run('go', ['install', `${tool.package}@${tool.version}`], { env })
}
