/** What attempts of tasks and of runners have in common. */
import { isFull } from '../../lib/error-code.ts'
import { messageOf } from '../../lib/text.ts'
import { SnapshotError } from '../../snapshot/errors.ts'
import type { Program } from '../../wire/program.ts'
import { runProgram } from '../process/run-program.ts'
import type { ProgramPlace } from '../process/script.ts'
import type { Ending, Imposed } from '../slot/ending.ts'
import type { LogShipper } from '../telemetry/log-shipper.ts'
import type { Work } from './context.ts'
import type { Happened } from './verdict.ts'

/**
 * Runs `stages`, and turns a failure into what happened. Their signal aborts what comes before the script or runner; these watch `ending`
 * themselves. `imposed`: what it means that a cause cut them short.
 */
export async function goThrough(
  ending: Ending,
  stages: (halt: AbortSignal) => Promise<Happened>,
  imposed: (cause: Imposed) => Happened,
): Promise<Happened> {
  try {
    return await stages(AbortSignal.any([ending.begun, ending.severed]))
  } catch (error) {
    ending.severed.throwIfAborted()
    if (ending.imposed) return imposed(ending.imposed)
    return { kind: 'broken', reason: messageOf(error), diskFull: isDiskFull(error) }
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof SnapshotError ? error.kind === 'disk-full' : isFull(error)
}

/** Runs set-up. Resolves to what happened if it did not succeed, or `undefined`. */
export async function setUp(work: Work, logs: LogShipper, program: Program, place: ProgramPlace): Promise<Happened | undefined> {
  const how = await runProgram({ ...work, ...place, name: 'setup', program, output: logs.sink('setup') })
  logs.finish('setup')
  if (how.kind !== 'own' || how.exit.code !== 0) return how
  work.ending.unsettle()
  return undefined
}
