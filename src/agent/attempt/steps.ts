/** What attempts of tasks and of runners have in common. */
import { isFull } from '../../lib/error-code.ts'
import { messageOf } from '../../lib/text.ts'
import { SnapshotError } from '../../snapshot/errors.ts'
import type { Program } from '../../wire/program.ts'
import { isStoreError } from '../../wire/store.ts'
import { runProgram } from '../process/run-program.ts'
import type { ProgramPlace } from '../process/script.ts'
import type { Ending, Imposed } from '../slot/ending.ts'
import type { LogShipper } from '../telemetry/log-shipper.ts'
import type { Work } from './context.ts'
import type { Happened } from './verdict.ts'

interface Stages {
  readonly ending: Ending
  /** Its signal aborts what comes before the script or runner; these watch `ending` themselves. */
  readonly run: (halt: AbortSignal) => Promise<Happened>
  /** What it means that a cause cut them short. */
  readonly imposed: (cause: Imposed) => Happened
  /** Whether the machine's disk is full. A program that fails for that reason (`tar`, `cp`) only says so in words. */
  readonly full: () => Promise<boolean>
}

/** Runs the stages, and turns a failure into what happened. */
export async function goThrough({ ending, run, imposed, full }: Stages): Promise<Happened> {
  try {
    return await run(AbortSignal.any([ending.begun, ending.severed]))
  } catch (error) {
    ending.severed.throwIfAborted()
    if (ending.imposed) return imposed(ending.imposed)
    const diskFull = isDiskFull(error) || (!isStoreError(error) && (await full().catch(() => false)))
    return { kind: 'broken', reason: messageOf(error), diskFull }
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof SnapshotError ? error.kind === 'disk-full' : isFull(error)
}

/** Runs set-up, unless the machine must leave already. Resolves to what happened if it did not succeed, or `undefined`. */
export async function setUp(work: Work, logs: LogShipper, program: Program, place: ProgramPlace): Promise<Happened | undefined> {
  const { imposed } = work.ending
  if (imposed) return { kind: 'imposed', cause: imposed }
  const how = await runProgram({ ...work, ...place, name: 'setup', program, output: logs.sink('setup') })
  logs.finish('setup')
  if (how.kind !== 'own' || how.exit.code !== 0) return how
  work.ending.unsettle()
  return undefined
}
