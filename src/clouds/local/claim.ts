/**
 * Decides which process is the supervisor of a group. A claim is a numbered file: only one process can make each number, and none is ever removed, so
 * a kill at any moment leaves nothing to repair. The highest claim is in office while its process lives and has not resigned.
 */
import { statSync, utimesSync } from 'node:fs'
import { pause } from '../../lib/clock.ts'
import { isGone } from '../../lib/error-code.ts'
import { createJson, namesIn, readJson, writeWhole } from '../../lib/files.ts'
import { identify } from '../../lib/process.ts'
import type { Group } from './folder.ts'
import { type HostedProcess, here, isBeside, isHere, mayLive, placedShape } from './host-identity.ts'

/** Seconds without a beat after which a supervisor of this host may be hung: it beats once a second, as a machine's agent does. */
const HUNG = 30
/**
 * Milliseconds for which it is then watched: after a suspend, or a jump of the wall clock, a healthy supervisor's last beat looks old, too, until its
 * next one.
 */
const LOOK_AGAIN = 5000
const LOOK = 100

export interface SupervisorClaim {
  readonly number: number
  /** Absent if a power cut has damaged the file. */
  readonly placed?: HostedProcess
  /** It has resigned, or its process is gone. */
  readonly over: boolean
  /** It is alive, but has not moved for long. */
  readonly hung: boolean
}

const file = (group: Group, number: number, kind: 'json' | 'over' = 'json'): string => group.path('claims', `${number}.${kind}`)

/** The latest claim. */
export async function latestClaim(group: Group): Promise<SupervisorClaim | undefined> {
  const names = await namesIn(group.path('claims'))
  const numbers = names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
  if (numbers.length === 0) return undefined
  const number = Math.max(...numbers)
  const placed = await readJson(file(group, number), placedShape)
  if (!placed) return { number, over: true, hung: false }
  const lives = async (): Promise<boolean> => (isBeside(placed.place) ? beats(file(group, number)) : mayLive(placed))
  const over = names.includes(`${number}.over`) || !(await lives())
  return { number, placed, over, hung: !over && isHere(placed.place) && (await standsStill(file(group, number))) }
}

/** Takes office. `undefined`: another process is in office, or was faster. */
export async function claimSupervision(group: Group): Promise<SupervisorClaim | undefined> {
  const latest = await latestClaim(group)
  if (latest && !latest.over) return undefined
  const process_ = identify(process.pid)
  if (!process_) throw new Error('cannot find this process in the process table')
  const number = (latest?.number ?? 0) + 1
  const placed: HostedProcess = { process: process_, place: here(), at: new Date().toISOString() }
  return (await createJson(file(group, number), placed)) ? { number, placed, over: false, hung: false } : undefined
}

export async function resign(group: Group, { number }: SupervisorClaim): Promise<void> {
  await writeWhole(file(group, number, 'over'), '')
}

export function beatClaim(group: Group, { number }: SupervisorClaim): void {
  const now = new Date()
  try {
    utimesSync(file(group, number), now, now)
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** The last beat was not long ago, by the wall clock. */
export function hasBeat(path: string): boolean {
  const last = lastBeat(path)
  return last !== undefined && Math.abs(Date.now() - last) <= HUNG * 1000
}

/** It beats, perhaps after a pause. */
const beats = async (path: string): Promise<boolean> => lastBeat(path) !== undefined && !(await standsStill(path))

/** There was no beat for long, by the wall clock, and there is none while it is watched. */
async function standsStill(path: string): Promise<boolean> {
  const last = lastBeat(path)
  if (last === undefined || hasBeat(path)) return false
  // By looks, not by the clock: if the whole host stands still meanwhile, that is not the supervisor's silence.
  for (let looks = LOOK_AGAIN / LOOK; looks > 0 && lastBeat(path) === last; looks -= 1) await pause(LOOK)
  return lastBeat(path) === last
}

/** `undefined`: the file is gone. */
function lastBeat(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}
