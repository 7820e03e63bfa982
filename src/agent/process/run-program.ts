/** One program of the user, from its start until it ends or is ended. */
import { onAbort } from '../../lib/abort.ts'
import { bootNow, inTime, pause, systemClock } from '../../lib/clock.ts'
import type { Freeze } from '../../snapshot/types.ts'
import type { Checkpoints } from '../attempt/checkpoint.ts'
import type { Happened } from '../attempt/verdict.ts'
import type { SlotContext } from '../machine-context.ts'
import { type Ending, SHUT_DOWN } from '../slot/ending.ts'
import { countOom, describeMemory, diskIsFull, memoryFacts, programCgroup, ranOutOfMemory } from './memory-and-disk.ts'
import { type Exit, type Running, type ScriptOptions, startProgram } from './script.ts'
import { isGoingDown } from './systemd.ts'

export interface ProgramOptions extends Omit<ScriptOptions, 'run' | 'system' | 'say'> {
  readonly context: SlotContext
  readonly ending: Ending
  /** Saves while it runs. */
  readonly checkpoints?: Checkpoints
}

/** Milliseconds after which a program that was killed, but whose exit is not reported, counts as stuck in the kernel. */
const HEARD = 5000
/** What is recorded for such a program. */
const KILLED: Exit = { code: 137, signal: 'SIGKILL' }

/** Runs a program to its end, and kills what it leaves behind. Rejects if nothing may be written any more; the program is dead by then. */
export async function runProgram(options: ProgramOptions): Promise<Happened> {
  const { context, ending, name } = options
  const cgroup = programCgroup(context.config.system)
  const before = countOom(cgroup)
  const started = await startProgram({ ...options, run: context.folders.run, system: context.config.system, say: context.say })
  const outcome = 'exit' in started ? await follow(started, options) : { own: true, exit: started }
  ending.severed.throwIfAborted()
  const { imposed } = ending
  if (!outcome.own && imposed) return { kind: 'imposed', cause: imposed, exit: outcome.exit }
  const { exit } = outcome
  const oom = ranOutOfMemory(exit, before, countOom(cgroup))
  const diskFull = exit.code !== 0 && (await diskIsFull(context.folders.work))
  return { kind: 'own', program: name, exit, diskFull, ...(oom ? { outOfMemory: describeMemory(memoryFacts(cgroup)) } : {}) }
}

interface Outcome {
  /** It ended by itself, before the agent sent it any signal. */
  readonly own: boolean
  readonly exit: Exit
}

async function follow(running: Running, options: ProgramOptions): Promise<Outcome> {
  const { context, ending, guard, checkpoints, name } = options
  const over = new AbortController()
  // Settles as soon as the exit is known: a notice that comes a moment later does not turn this end into an interruption.
  const exit = running.exit.then(async (how): Promise<Outcome> => ({ own: ending.settle() && !(await endedBySystem(options)), exit: how }))
  const freeze = whileRunning(guard.freeze(running.id), over.signal)
  // Not awaited: if the store delays a save, that must not delay the end. The final save waits for its turn anyway.
  void checkpoints?.keep(freeze, over.signal, ending.severed)
  try {
    await Promise.race([exit, aborted(ending.begun), aborted(ending.severed)])
    if (ending.begun.aborted && !ending.severed.aborted)
      await terminate(running, exit, ending, () => void checkpoints?.hurry(ending.severed, freeze, ending.sureUntil))
  } finally {
    over.abort()
    await running.clear()
  }
  const known = await inTime(systemClock, HEARD, exit)
  if (known) return known
  // It is stuck in the kernel, on a disk or network that no longer answers. Waiting for it would hold the slot for ever.
  context.say(`the ${name} does not end, although it was killed: it is left behind, and what it has made so far is saved`)
  return { own: false, exit: KILLED }
}

/**
 * Whether the program ended because the system is shutting down: then it has not finished its work, even if it exits with 0. Usually the
 * agent hears of a shutdown before that, but something else that the program needs may be stopped first.
 */
async function endedBySystem({ context, ending }: ProgramOptions): Promise<boolean> {
  if (!context.config.system || !(await isGoingDown())) return false
  ending.unsettle()
  // If a notice has come meanwhile, it has just taken effect, and this changes nothing.
  ending.impose(SHUT_DOWN)
  return true
}

/** Sends SIGTERM, and waits for the end of the program or of its grace. `saveNow`: saves a checkpoint at once. */
async function terminate(running: Running, exit: Promise<Outcome>, ending: Ending, saveNow: () => void): Promise<void> {
  // Saved while the script is still ending: the machine may be taken away sooner than announced.
  if (ending.imposed?.kind === 'interrupted') saveNow()
  running.signal('SIGTERM')
  await graceOver(exit, ending)
}

/** Resolves when the program has ended, or its grace is over: by `Ending.killDue`, or earlier by `due` (boot clock). */
export async function graceOver(exit: Promise<unknown>, ending: Ending, due = Number.POSITIVE_INFINITY): Promise<void> {
  const done = new AbortController()
  void exit.then(() => done.abort())
  const over = AbortSignal.any([done.signal, ending.severed])
  while (!over.aborted) {
    const remaining = Math.min(ending.killDue, due) - bootNow()
    if (remaining <= 0) return
    // In short pauses, because a later cause may shorten the grace.
    await pause(Math.min(remaining, 200), over).catch(() => undefined)
  }
}

function whileRunning(freeze: Freeze, over: AbortSignal): Freeze {
  return { stop: async () => (over.aborted ? undefined : freeze.stop()), resume: async () => freeze.resume() }
}

async function aborted(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => onAbort(signal, resolve))
}
