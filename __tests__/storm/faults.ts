/** Faults that are really injected into a round. Each resolves when it is over, or when there is nothing left that it could hit. */
import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command, comesTrue, type House, nap } from './house.ts'
import { GUARDIANS, type Role, type Seen, signal } from './processes.ts'
import type { Random } from './random.ts'
import type { Witness } from './witness.ts'

export interface Stage {
  readonly house: House
  readonly witness: Witness
  readonly random: Random
  /** Arguments of the round's main command. */
  readonly words: readonly string[]
  /** Every controller that was started. */
  readonly controllers: Command[]
}

/** What the rest of the round must allow for. */
export interface Hit {
  /** The script itself was killed, so its exit may be the result. */
  readonly script?: boolean
  /** No process of tpi was left that could end the machine. */
  readonly unwatched?: boolean
  /** The disk was full for a while, so a named failure is as good as a success. */
  readonly full?: boolean
}

export type Fault = (stage: Stage) => Promise<Hit>

function choose({ house, random }: Stage, role: Role): Seen | undefined {
  const found = house.processes().filter((one) => one.role === role && (role !== 'script' || one.leads))
  return found.length === 0 ? undefined : random.pick(found)
}

function strike(stage: Stage, role: Role, name: NodeJS.Signals): Seen | undefined {
  const victim = choose(stage, role)
  stage.house.note(`${name} ${role} ${victim?.pid ?? '(none)'}`)
  if (victim) signal(victim.pid, name)
  return victim
}

export function kill(...roles: readonly Role[]): Fault {
  return async (stage) => {
    // All are chosen first and then killed at once, so that none notices another's death.
    const victims = roles.map((role) => choose(stage, role))
    stage.house.note(`SIGKILL ${roles.map((role, at) => `${role} ${victims[at]?.pid ?? '(none)'}`).join(', ')}`)
    for (const victim of victims) if (victim) signal(victim.pid, 'SIGKILL')
    return { script: roles.includes('script'), unwatched: GUARDIANS.every((role) => roles.includes(role)) }
  }
}

/** A process that is frozen for a while, and then continues as if nothing had happened. */
export function pauseOf(role: Role, from: number, to: number, ...with_: readonly Role[]): Fault {
  return async (stage) => {
    const victim = strike(stage, role, 'SIGSTOP')
    for (const other of with_) strike(stage, other, 'SIGKILL')
    await nap(stage.random.between(from, to))
    stage.house.note(`SIGCONT ${role} ${victim?.pid ?? '(none)'}`)
    if (victim) signal(victim.pid, 'SIGCONT')
    return {}
  }
}

/** The rehearsed reclaim, as a user requests it. */
export const interrupt: Fault = async ({ house }) => {
  await house.tpi('interrupt', 'storm')
  return {}
}

/** Another command for the same run: it attaches, creates, or finds it over. */
export const second: Fault = async ({ house, words, controllers }) => {
  controllers.push(house.start(words))
  return {}
}

/** A command that looks at the run, which also repairs it. */
export const look: Fault = async ({ house, random }) => {
  await house.tpi(random.pick(['list', 'status', 'logs']), 'storm')
  return {}
}

/** The store cannot be reached, and then comes back, like a network disk. */
export const storeAway: Fault = async ({ house, random }) => {
  const [here, away] = [join(house.home, 'store'), join(house.home, 'store-away')]
  if (!existsSync(here)) return {}
  house.note('the store goes')
  await rename(here, away)
  await nap(random.between(300, 5000))
  await rename(away, here)
  house.note('the store is back')
  return {}
}

/** Nothing can be written to the home's disk. */
export const diskFull: Fault = async ({ house, random }) => {
  const ballast = join(house.home, 'ballast')
  house.note('the disk is full')
  await writeFile(ballast, Buffer.alloc(256 * 2 ** 20)).catch(() => undefined)
  await nap(random.between(200, 4000))
  await rm(ballast, { force: true })
  house.note('the disk has room again')
  return { full: true }
}

/** Waits until the program has been at work, if it ever is. */
export async function atWork({ witness }: Stage): Promise<boolean> {
  return comesTrue(() => witness.latest?.record.state === 'running', 10_000)
}
