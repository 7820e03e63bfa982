/** Outputs that would go where this CI job cannot keep them. */
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { forgeAround } from '../../forges/registry.ts'
import type { TaskRequest } from '../../task/request.ts'
import { resolved } from '../../task/workdir/never-uploaded.ts'
import type { VerbContext } from '../shared/context.ts'

/** Reported before the start: afterwards the job is over, and the forge has not found them. */
export function warnOfOutputsOutOfReach({ host, env }: VerbContext, request: TaskRequest): void {
  const folder = request.outputDir ?? request.workdir
  const variable = forgeAround(env)?.ci.keepsBelow
  const root = variable && env[variable]
  if (!root || folder === undefined || request.output.length === 0) return
  // Programs that play a pipeline outside the forge may name the folder as it would be in a container.
  if (!existsSync(root)) return
  // Either path may contain a link.
  const ways = [root, resolved(root)].flatMap((above) => [folder, resolved(folder)].map((path) => relative(above, path)))
  if (ways.some((way) => way !== '..' && !way.startsWith('../'))) return
  host.warn(
    `outputs go to "${folder}", which is not below ${variable} ("${root}"): the job's artifacts cannot include them; see "output-dir"`,
  )
}
