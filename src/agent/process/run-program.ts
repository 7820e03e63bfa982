/** One program of the user from start to end, whether it ends by itself or is ended. */
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

/** Milliseconds until the exit of a program that was killed is known. */
const HEARD = 5000
/** Of a program that does not end. */
const KILLED: Exit = { code: 137, signal: 'SIGKILL' }

/** Runs it to its end and removes what it leaves behind. Rejects if nothing may be written any more; the program is dead then too. */
export async function runProgram(options: ProgramOptions): Promise<Happened> {
  const { context, ending, name } = options
  const cgroup = programCgroup(context.config.system)
  const before = countOom(cgroup)
  const started = await startProgram({ ...options, run: context.folders.run, system: context.config.system, say: context.say })
  const running = 'exit' in started ? started : undefined
  const outcome = running ? await follow(running, options) : { own: true, exit: started as Exit }
  ending.severed.throwIfAborted()
  const { imposed } = ending
  if (!outcome.own && imposed) return { kind: 'imposed', cause: imposed, exit: outcome.exit }
  const { exit } = outcome
  const oom = ranOutOfMemory(exit, before, countOom(cgroup))
  const diskFull = exit.code !== 0 && (await diskIsFull(context.folders.work))
  return { kind: 'own', program: name, exit, diskFull, ...(oom ? { outOfMemory: describeMemory(memoryFacts(cgroup)) } : {}) }
}

interface Outcome {
  /** It ended before the agent sent it any signal. */
  readonly own: boolean
  readonly exit: Exit
}

async function follow(running: Running, options: ProgramOptions): Promise<Outcome> {
  const { context, ending, guard, checkpoints, name } = options
  const over = new AbortController()
  // Settled in the same tick in which its exit is known: a notice that comes a moment later finds a script that has ended.
  const exit = running.exit.then(async (how): Promise<Outcome> => ({ own: ending.settle() && !(await endedBySystem(options)), exit: how }))
  const freeze = whileRunning(guard.freeze(running.id), over.signal)
  // Not awaited: a save that the store delays must not delay the end. The last save comes after it in any case.
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
  // Stuck in the kernel, on a disk or network that no longer answers. Whoever waits for it saves nothing, and holds the slot for ever.
  context.say(`the ${name} does not end, although it was killed: it is left behind, and what it has made so far is saved`)
  return { own: false, exit: KILLED }
}

/**
 * A system that shuts down ends programs too, and a program that ends normally then has not finished its work. (The agent should have been
 * told before: but other things that the program needs may be stopped without waiting for that.)
 */
async function endedBySystem({ context, ending }: ProgramOptions): Promise<boolean> {
  if (!context.config.system || !(await isGoingDown())) return false
  ending.unsettle()
  // A notice that came meanwhile is more specific, and has just taken effect.
  ending.impose(SHUT_DOWN)
  return true
}

/** SIGTERM, then waiting. */
async function terminate(running: Running, exit: Promise<Outcome>, ending: Ending, saveNow: () => void): Promise<void> {
  // Save now, while the script is ending: the machine may be taken away sooner than announced.
  if (ending.imposed?.kind === 'interrupted') saveNow()
  running.signal('SIGTERM')
  await graceOver(exit, ending)
}

/** Resolves at its end, or when there is no more time. */
export async function graceOver(exit: Promise<unknown>, ending: Ending): Promise<void> {
  const done = new AbortController()
  void exit.then(() => done.abort())
  const over = AbortSignal.any([done.signal, ending.severed])
  while (!over.aborted) {
    const remaining = ending.killDue - bootNow()
    if (remaining <= 0) return
    // In slices: a later cause may shorten the grace.
    await pause(Math.min(remaining, 200), over).catch(() => undefined)
  }
}

function whileRunning(freeze: Freeze, over: AbortSignal): Freeze {
  return { stop: async () => (over.aborted ? undefined : freeze.stop()), resume: async () => freeze.resume() }
}

async function aborted(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => onAbort(signal, resolve))
}
