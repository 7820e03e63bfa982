/** One round: a plan from its seed, played in a home of its own, and judged at the end. */
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { restore } from '../../src/snapshot/restore/restore.ts'
import { openStore } from '../../src/stores/registry.ts'
import { isTerminal, type SlotRecord } from '../../src/wire/slot.ts'
import { atWork, diskFull, type Fault, type Hit, interrupt, kill, look, pauseOf, type Stage, second, storeAway } from './faults.ts'
import { comesTrue, type Ended, House, nap } from './house.ts'
import { signal } from './processes.ts'
import type { Program } from './program.ts'
import { type Random, seeded } from './random.ts'
import { faultsOf, Witness } from './witness.ts'
import { faultsOfTree, resultsOf, scriptOf, sha256, type Work } from './work.ts'

/**
 * `finish`: whatever happens, the command (given again if its controller died) delivers the result · `stop`, `destroy`: another command ends the run
 * in the middle · `abandon`: nobody comes back before the deadline · `cancel`: the CI system kills the controller
 */
const ENDS = ['finish', 'finish', 'finish', 'stop', 'destroy', 'abandon', 'cancel'] as const
type End = (typeof ENDS)[number]

const KILLS: readonly Fault[] = [
  kill('controller'),
  kill('supervisor'),
  kill('agent'),
  kill('guard'),
  kill('script'),
  kill('supervisor', 'agent'),
  kill('supervisor', 'guard'),
  kill('agent', 'guard'),
  kill('controller', 'supervisor'),
  kill('controller', 'agent'),
  kill('agent', 'script'),
  kill('supervisor', 'agent', 'guard'),
  kill('controller', 'supervisor', 'agent', 'guard'),
]
const PAUSES: readonly Fault[] = [
  pauseOf('agent', 2500, 4500),
  pauseOf('agent', 5500, 8000),
  pauseOf('agent', 2500, 8000, 'supervisor'),
  pauseOf('supervisor', 500, 5000),
  pauseOf('supervisor', 500, 3000, 'agent'),
  pauseOf('guard', 500, 3000),
  pauseOf('script', 500, 3000),
]

interface Plan {
  readonly end: End
  readonly work: Work
  readonly faults: readonly { readonly at: number; readonly fault: Fault; readonly settled: boolean }[]
  /** Milliseconds until the run is ended. */
  readonly endAt: number
  readonly detached: boolean
  readonly tmpfs: boolean
  /** Seconds. */
  readonly timeout: number
}

function planOf(seed: number, random: Random, mayMount: boolean): Plan {
  const end = random.pick(ENDS)
  const kind = random.next()
  const tmpfs = mayMount && kind > 0.9
  const count = 1 + Math.floor(random.next() * 3)
  const faults = tmpfs
    ? [{ at: random.between(0, 1500), fault: diskFull, settled: true }]
    : kind > 0.8
      ? [{ at: random.between(0, 1500), fault: storeAway, settled: true }]
      : Array.from({ length: count }, () => ({ at: random.between(0, 3000), fault: faultOf(random), settled: random.chance(0.7) }))
  const work: Work = { seed, steps: Math.floor(random.between(8, 25)), traps: random.chance(0.3) }
  return {
    end,
    work,
    faults,
    tmpfs,
    endAt: random.between(100, 3500),
    detached: random.chance(0.2),
    timeout: end === 'abandon' ? Math.floor(random.between(3, 8)) : 600,
  }
}

function faultOf(random: Random): Fault {
  const kind = random.next()
  if (kind < 0.55) return random.pick(KILLS)
  return kind < 0.8 ? random.pick(PAUSES) : random.pick([interrupt, interrupt, second, look])
}

export interface Verdict {
  readonly seed: number
  /** How it ended, or what kind of round it was. */
  readonly end: string
  readonly faults: readonly string[]
  readonly folder: string
  readonly diary: readonly string[]
}

/** Never rejects: any error is a fault of the round. */
export async function playRound(program: Program, seed: number, mayMount: boolean): Promise<Verdict> {
  const random = seeded(seed)
  const plan = planOf(seed, random, mayMount)
  const house = await House.build(program, String(seed))
  if (plan.tmpfs) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'storm', house.home])
  const witness = new Witness(join(house.home, 'store'))
  const faults: string[] = []
  try {
    faults.push(...(await new Round(house, witness, plan, random).play()))
  } catch (error) {
    faults.push(`the round itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
  for (const history of await witness.close()) faults.push(...faultsOf(history))
  const keep = faults.length > 0
  house.clear()
  if (plan.tmpfs) {
    if (keep) execFileSync('cp', ['-a', house.home, `${house.home}-kept`])
    execFileSync('umount', ['-l', house.home])
  }
  await house.leave(keep)
  return { seed, end: plan.end, faults, folder: house.root, diary: house.diary }
}

class Round {
  readonly #house: House
  readonly #plan: Plan
  readonly #stage: Stage
  readonly #witness: Witness
  readonly #faults: string[] = []
  #hit: Hit = {}

  constructor(house: House, witness: Witness, plan: Plan, random: Random) {
    this.#house = house
    this.#witness = witness
    this.#plan = plan
    const { seed } = plan.work
    const times = `--timeout ${plan.timeout}s --grace 1s --retention 1s --checkpoint-interval 300ms --max-attempts 50`
    const words = `task --name storm --workdir project --output log --output result --json ${times} --env SEED=${seed} -- sh work.sh`.split(
      ' ',
    )
    this.#stage = { house, witness, random, words, controllers: [] }
  }

  async play(): Promise<readonly string[]> {
    const { house, plan, stage } = { house: this.#house, plan: this.#plan, stage: this.#stage }
    await house.write('project/work.sh', scriptOf(plan.work))
    await house.write('project/data/input', 'given\n')
    house.note(`seed ${plan.work.seed}: ${plan.end}, ${plan.work.steps} steps`)
    stage.controllers.push(house.start(plan.detached ? [...stage.words.slice(0, 1), '--detach', ...stage.words.slice(1)] : stage.words))
    const trouble = Promise.all(plan.faults.map(async (one) => this.#strike(one)))
    await this.#end(trouble)
    return this.#faults
  }

  async #strike({ at, fault, settled }: Plan['faults'][number]): Promise<void> {
    if (settled) await atWork(this.#stage)
    await nap(at)
    const hit = await fault(this.#stage)
    this.#hit = { ...this.#hit, ...Object.fromEntries(Object.entries(hit).filter(([, value]) => value)) }
  }

  async #end(trouble: Promise<unknown>): Promise<void> {
    const { end, endAt } = this.#plan
    if (end === 'finish') {
      await trouble
      await this.#finish()
    } else if (end === 'abandon') {
      await this.#abandon(trouble)
    } else {
      await atWork(this.#stage)
      await nap(endAt)
      if (end === 'cancel') for (const { child } of this.#stage.controllers) child.kill(this.#stage.random.pick(['SIGTERM', 'SIGINT']))
      const ended =
        end === 'cancel' ? undefined : this.#house.tpi(...(end === 'stop' ? ['stop', 'storm'] : ['destroy', 'storm', '--discard']))
      await trouble
      await ended
      await this.#quiet()
      if (end !== 'destroy') await this.#examineHead()
      await this.#giveBack()
    }
    await this.#nothingLeft()
  }

  /** Repeats the same command, as often as its controllers die, until the run is over. */
  async #finish(): Promise<void> {
    let last = await this.#quiet()
    for (let round = 0; round < 4 && !settledCode(last); round += 1) last = await this.#house.start(this.#stage.words).ended
    const status = await this.#house.tpi('status', 'storm', '--json')
    const outcome = String(status.facts?.outcome)
    const excused =
      (this.#hit.script && outcome === 'script-failed') || (this.#hit.full && ['script-failed', 'remote-error'].includes(outcome))
    const seen = this.#witness.latest?.record
    if (seen && isTerminal(seen.state) && seen.state !== status.facts?.state)
      this.#fault(`recorded was ${seen.state}, shown is ${status.facts?.state}`)
    if (outcome === 'success') await this.#results()
    else if (!excused)
      this.#fault(`the run ended with ${outcome} (${status.err.slice(-300)} ${JSON.stringify(status.facts?.slots?.[0]?.reason)})`)
    if (outcome !== 'success') {
      await this.#examineHead()
      await this.#giveBack()
    }
  }

  async #results(): Promise<void> {
    for (const [name, content] of Object.entries(resultsOf(this.#plan.work))) {
      const found = await readFile(join(this.#house.work, 'project', name)).catch(() => Buffer.from('missing'))
      if (sha256(found) !== sha256(content)) this.#fault(`${name} was not delivered as it must be`)
    }
  }

  /** Waits for every controller; resolves to the result of one that ended by itself, otherwise of the last one. */
  async #quiet(): Promise<Ended | undefined> {
    const all = await Promise.all(this.#stage.controllers.map(({ ended }) => ended))
    return all.find((one) => settledCode(one)) ?? all.at(-1)
  }

  async #abandon(trouble: Promise<unknown>): Promise<void> {
    const gone = (async () => {
      await nap(this.#plan.endAt)
      for (const { child } of this.#stage.controllers) if (child.exitCode === null && child.pid) signal(child.pid, 'SIGKILL')
    })()
    await Promise.all([trouble, gone])
    for (const { child } of this.#stage.controllers) if (child.exitCode === null && child.pid) signal(child.pid, 'SIGKILL')
    // A command that was killed before it had created anything is given again. So the creation may be as late as now, and its deadline counts from
    // here.
    const created = performance.now()
    await this.#quiet()
    // Deadline, grace and reserve, as the house sets them, and a margin; a busy host gets more of it.
    await nap(Math.max(0, created + (this.#plan.timeout + 1 + 4 + 4) * 1000 - performance.now()))
    if (!this.#hit.unwatched) await comesTrue(() => this.#house.processes().length === 0, 15_000)
    const left = this.#house.processes()
    if (left.length > 0 && !this.#hit.unwatched)
      this.#fault(`after the deadline: ${left.map(({ role, pid }) => `${role} ${pid}`).join(', ')}`)
    const listed = await this.#house.tpi('list')
    if (listed.code !== 0) this.#fault(`list: ${listed.err}`)
    if (this.#house.processes().length > 0)
      this.#fault(
        `after the next command: ${this.#house
          .processes()
          .map(({ command }) => command)
          .join(' · ')}`,
      )
    await nap(1200)
    await this.#examineHead()
    await this.#house.tpi('sweep', '--yes')
    if ((await this.#house.remains()).length > 0) {
      // A sweep may leave, for an hour, only what was killed before it had a record.
      if (this.#witness.latest?.record.epoch) this.#fault(`a sweep left ${(await this.#house.remains()).slice(0, 5).join(', ')}`)
      await this.#giveBack()
    }
  }

  /** The head in the record is whole, and contains only what the program really wrote. */
  async #examineHead(): Promise<void> {
    await this.#witness.look()
    const last = this.#witness.latest
    if (!last?.record.head || last.record.head.at === 'base/') return
    const [id, incarnation] = last.key.split('/')
    const store = await openStore({ url: `dir://${join(this.#house.home, 'store')}` })
    if (!(await store.read(`${id}/${incarnation}/spec.json`))) return
    const folder = join(this.#house.root, 'head')
    const fresh = await store.read(`${last.key}/slot.json`)
    const record = JSON.parse(Buffer.from(fresh!.bytes).toString()) as SlotRecord
    try {
      const { manifest } = await restore({ store, root: `${id}/${incarnation}/`, refs: [record.head!], folder, warn: () => undefined })
      const files: Record<string, string> = {}
      for (const entry of manifest.entries) if (entry.type === 'file') files[entry.path] = await readFile(join(folder, entry.path), 'utf8')
      for (const fault of faultsOfTree(this.#plan.work, files)) this.#fault(`head: ${fault}`)
      if (record.state === 'succeeded' && files['result'] !== resultsOf(this.#plan.work)['result'])
        this.#fault('succeeded without its result')
    } catch (error) {
      this.#fault(`head cannot be restored: ${String(error)}`)
    }
  }

  async #giveBack(): Promise<void> {
    const ended = await this.#house.tpi('destroy', 'storm', '--discard')
    if (ended.code !== 0 && !/there is no run/.test(ended.err)) this.#fault(`destroy: ${ended.code} ${ended.err}`)
  }

  async #nothingLeft(): Promise<void> {
    // The supervisor exits a moment after its machines.
    await comesTrue(() => this.#house.processes().length === 0, 3000)
    const left = this.#house.processes()
    if (left.length > 0) this.#fault(`still running: ${left.map(({ role, pid }) => `${role} ${pid}`).join(', ')}`)
    const remains = await this.#house.remains()
    if (remains.length > 0) this.#fault(`left behind: ${remains.slice(0, 8).join(', ')}`)
  }

  #fault(what: string): void {
    this.#house.note(`FAULT ${what}`)
    this.#faults.push(what)
  }
}

/** It ended by itself: not killed, and without advice to attach again. */
function settledCode(ended: Ended | undefined): boolean {
  return (
    typeof ended?.code === 'number' &&
    ![75, 76].includes(ended.code) &&
    ended.facts?.outcome !== undefined &&
    ended.facts.outcome !== 'running'
  )
}
