/** Commands that are killed (SIGKILL), or told to end, at one of their calls to the API server, several in parallel. */
import { expect } from '@jest/globals'
import { upwards as climb, eachOf } from '../../storm/side-by-side.ts'
import type { CommandLine } from '../command-line.ts'
import type { DeadlyServer, Doom, DoomedWay } from './deadly-server.ts'

/** Commands at a time. */
const SIDE_BY_SIDE = 2

export interface Killed {
  /** What it had requested, including the last call. */
  readonly asked: readonly string[]
  /** `false`: it ended before that call. */
  readonly reached: boolean
  /** Its exit code; -1: it was killed. */
  readonly code: number
}

export interface Dying extends Omit<Doom, 'kill' | 'lives'> {
  readonly words: readonly string[]
  /** Exit code of a command that is not killed. */
  readonly code?: number
  /** SIGKILL by default. */
  readonly signal?: keyof typeof CODES
  /** Gets the way that the command takes, before it starts. */
  readonly taken?: (way: DoomedWay) => void
}

/** Exit codes of commands that got a signal. */
const CODES = { SIGKILL: -1, SIGINT: 130, SIGTERM: 143 } as const

/** Resolves when the command is dead, or has ended because it made fewer calls, or because the signal came too late. */
export async function killedAt(
  deadly: DeadlyServer,
  tpi: CommandLine,
  { words, code = 0, signal = 'SIGKILL', taken, ...doom }: Dying,
): Promise<Killed> {
  let kill: () => void = () => undefined
  const lives = signal !== 'SIGKILL'
  const way = deadly.way({ ...doom, lives, kill: () => kill() })
  const { kubeconfig, asked } = way
  taken?.(way)
  const started = tpi.with({ KUBERNETES_CONFIGURATION: kubeconfig }).start(...words)
  kill = () => started.kill(signal)
  const ended = await started.ended
  const reached = asked.length >= doom.last
  const at = `${signal} at ${asked[doom.last - 1]}`
  // Either that code, or a normal end before it; nothing else.
  const right = !reached || (lives && ended.code === code) ? code : CODES[signal]
  expect([at, ended.code === right ? 'ended' : ended.err]).toEqual([at, 'ended'])
  return { asked, reached, code: ended.code }
}

/** What one change leaves behind is what the next one finds, so each state is tried only once, from either side. Changes are numbered from 1. */
export function momentOf(state: number): { readonly last: number; readonly after: boolean } {
  const after = state > 0 && Math.floor(state / 3) % 2 === 1
  return { last: after ? state : state + 1, after }
}

/** Numbers from the first one upwards, until one was not reached. */
export async function upwards(first: number, step: number, act: (number: number) => Promise<Pick<Killed, 'reached'>>): Promise<void> {
  await climb({ first, step, players: SIDE_BY_SIDE }, act)
}

export async function each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  await eachOf(all, SIDE_BY_SIDE, act)
}
