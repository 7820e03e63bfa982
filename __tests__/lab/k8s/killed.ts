/** Commands that are killed (SIGKILL) at one of their calls to the API server, side by side. */
import { expect } from '@jest/globals'
import type { CommandLine } from './command.ts'
import type { DeadlyServer, Doom } from './deadly-server.ts'

/** Commands at a time. */
const SIDE_BY_SIDE = 2

export interface Killed {
  /** What it had asked for, the last one included. */
  readonly asked: readonly string[]
  /** `false`: it came to its end before. */
  readonly reached: boolean
}

export interface Dying extends Omit<Doom, 'kill'> {
  readonly words: readonly string[]
  /** Exit code of one that is not killed. */
  readonly code?: number
}

/** Resolves when the command is dead, or at its end because it asked for less than that. */
export async function killedAt(deadly: DeadlyServer, tpi: CommandLine, { words, code = 0, ...doom }: Dying): Promise<Killed> {
  let kill: () => void = () => undefined
  const { kubeconfig, asked } = deadly.way({ ...doom, kill: () => kill() })
  const started = tpi.with({ KUBERNETES_CONFIGURATION: kubeconfig }).start(...words)
  kill = () => started.kill('SIGKILL')
  const ended = await started.ended
  const reached = asked.length >= doom.last
  // Killed, or at its end before; nothing else.
  expect([asked.at(-1), ended.code === (reached ? -1 : code) ? 'ended' : ended.err]).toEqual([asked.at(-1), 'ended'])
  return { asked, reached }
}

/** What one change leaves behind is what the next one finds: once a state is enough, met from either side. Numbers of changes are from 1. */
export function momentOf(state: number): { readonly last: number; readonly after: boolean } {
  const after = state > 0 && Math.floor(state / 3) % 2 === 1
  return { last: after ? state : state + 1, after }
}

/** Numbers from the first on, in steps, until one says that it was not reached. */
export async function upwards(first: number, step: number, act: (number: number) => Promise<Killed>): Promise<void> {
  let next = first
  const player = async (): Promise<void> => {
    for (let reached = true; reached; ) {
      const mine = next
      next += step
      reached = (await act(mine)).reached
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, player))
}

export async function each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all]
  const player = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await act(one)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, player))
}
