/** Go programs that tests use as servers: built once from their pinned module, and cached by version. */
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

export const GO_TOOLS = {
  act: { name: 'act', package: 'github.com/nektos/act', version: 'v0.2.87' },
  actionlint: { name: 'actionlint', package: 'github.com/rhysd/actionlint/cmd/actionlint', version: 'v1.7.12' },
  fakeGcs: { name: 'fake-gcs-server', package: 'github.com/fsouza/fake-gcs-server', version: 'v1.55.1' },
  kwok: { name: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok', version: 'v0.8.0' },
  versitygw: { name: 'versitygw', package: 'github.com/versity/versitygw/cmd/versitygw', version: 'v1.7.0' },
} as const satisfies Readonly<Record<string, GoTool>>

/** Path of the binary; `undefined` (after one line that says why) if it cannot be built here. In CI that is an error instead. */
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
