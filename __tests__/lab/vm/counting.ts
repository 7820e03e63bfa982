/** Work whose loss can be measured: a script that resumes from its checkpoint, and prints its progress. */
import { expect } from '@jest/globals'
import { until } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'

/** Number of steps, and seconds of each. */
const [STEPS, EACH] = [40, 0.5]
/** The first attempt goes no further: it is to be cut off, however late a busy host comes to that. */
const HELD = 30

export const COUNTING = `n=$(cat n 2>/dev/null || echo 0); echo from $n; while [ $n -lt ${STEPS} ]; do if [ $TPI_ATTEMPT = 1 ] && [ $n -ge ${HELD} ]; then sleep ${EACH}; continue; fi; n=$((n+1)); echo $n > n; echo at $n; sleep ${EACH}; done`
/** The final content of its file `n`. */
export const COUNTED = `${STEPS}\n`

interface Resumed {
  /** The step from which it resumed; 0: from the beginning. */
  readonly from: number
  /** Seconds of work that had to be repeated. */
  readonly lost: number
}

/** Reads it from the output of a run that was cut off once. */
function resumed(printed: string): Resumed {
  const [, first = '', second = ''] = printed.split(/^from /m)
  const from = Number.parseInt(second, 10)
  const reached = Number([...first.matchAll(/^at (\d+)$/gm)].at(-1)?.[1])
  return { from, lost: (reached - from) * EACH }
}

/** Something was kept, and at most ten seconds were lost. */
export function expectResumed(printed: string): void {
  const { from, lost } = resumed(printed)
  expect([from > 0, lost <= 10]).toEqual([true, true])
}

interface CutOff {
  readonly name: string
  /** The command of a task whose script counts and ends with exit code 3. */
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds to wait for its script to run. */
  readonly patience: number
}

/** Runs a task whose machine `reclaim` takes away once the script has counted to 5; it must go on from its checkpoint. Resolves to its output. */
export async function goesOn(w: World, { name, words, env, patience }: CutOff, reclaim: () => void): Promise<string> {
  const run = w.tpi(words, { env })
  const early = run.then(({ host }) => Promise.reject(new Error(`it ended before its script ran: ${host.lines.join(' | ')}`)))
  const counted = async (): Promise<boolean> => (await w.tpi(`logs ${name}`, { env })).host.scriptText().includes('at 5')
  await Promise.race([early, until('its script runs', counted, patience)])
  early.catch(() => undefined)
  const isSaved = async (): Promise<boolean> => (await w.tpi(`status ${name} --json`, { env })).facts.slots[0].savedAt !== null
  await until('something is saved', isSaved, patience)
  reclaim()
  const ran = await run
  expect(ran).toMatchObject({ code: 3, facts: { outcome: 'script-failed', slots: [{ attempt: 2 }] } })
  const printed = ran.host.scriptText()
  expectResumed(printed)
  return printed
}
