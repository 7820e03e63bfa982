/** What every turn at a slot is made of, whatever the machine is for. */

import { isFull } from '../../lib/error-code.ts'
import { messageOf } from '../../lib/text.ts'
import { SnapshotError } from '../../snapshot/errors.ts'
import type { Program } from '../../wire/program.ts'
import type { ScriptContext } from '../process/exec.ts'
import { runProgram } from '../process/run-program.ts'
import type { Ending, Imposed } from '../slot/ending.ts'
import type { LogShipper } from '../telemetry/log-shipper.ts'
import type { Work } from './context.ts'
import type { Happened } from './verdict.ts'

/** The signal for `stages` ends whatever comes before the main program, which is ended in its own way. */
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

/** `undefined`: it succeeded. */
export async function setUp(work: Work, logs: LogShipper, program: Program, place: ScriptContext): Promise<Happened | undefined> {
  const how = await runProgram({ ...work, ...place, name: 'setup', program, output: logs.sink('setup') })
  logs.finish('setup')
  if (how.kind !== 'own' || how.exit.code !== 0) return how
  work.ending.unsettle()
  return undefined
}
