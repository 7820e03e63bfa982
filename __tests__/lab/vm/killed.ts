/** Kills commands in an account that had no run before, one at each call of a creation, and looks at what is left of them after their deadline. */
import type { ChildProcess } from 'node:child_process'
import { until } from '../../setup/wait.ts'
import type { VmLab } from './labs.ts'
import type { RunningLab } from './running-lab.ts'

/**
 * Starts a run of eight hours by a command of its own, and tells what happened to it. `ofKind`: picks, of words with `--spot`, those for
 * the kind of run in question.
 */
type Start = (
  name: string,
  ofKind: (words: readonly string[]) => string[],
  begun: (child: ChildProcess) => void,
) => Promise<{ readonly signal: NodeJS.Signals | null; readonly err: string }>

/** Milliseconds: longer than a run may last. */
const OVER = 10 * 3600_000

/** Resolves to the number of killed commands, once nothing of them runs: until the first sweep, everything else that they made exists. */
export async function killedAtEachCall({ calls, region }: VmLab, { front, world: cloud }: RunningLab, start: Start): Promise<number> {
  const plain = [...calls.store, ...calls.stages, calls.up].map((call) => ['true', call, 1] as const)
  const several = calls.several.map((call) => ['several', call, 1] as const)
  const all = [...plain, ...several, ...calls.twin.map(([call, time]) => ['prefer', call, time] as const)]
  for (const [at, [spot, call, time]] of all.entries()) {
    const ofKind = (words: readonly string[]): string[] =>
      words.flatMap((word) => (word !== '--spot' ? word : spot === 'several' ? [word, '--parallelism=2'] : `--spot=${spot}`))
    const { signal, err } = await start(`left${at}`, ofKind, (child) => {
      let seen = 0
      front.troubles.onCall = (name) => void (name === call && (seen += 1) === time && child.kill('SIGKILL'))
    })
    front.troubles.clear()
    if (signal !== 'SIGKILL') throw new Error(`nobody called ${call} for the ${time}. time: ${err}`)
  }
  // At least one of them had already set the group's size.
  await until('a machine has come', () => cloud.fleet.present(region).length > 0)
  await cloud.clock.skip(OVER)
  await until('nothing runs', () => cloud.fleet.present(region).length === 0)
  return all.length
}
