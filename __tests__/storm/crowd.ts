/** Rounds in which many commands meet on one name, some of them killed, frozen or told to end: whose it is must be clear at every moment. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesHolding } from '../lab/leaks.ts'
import { type Command, comesTrue, type Ended, House, nap } from './house.ts'
import { signal } from './processes.ts'
import type { Program } from './program.ts'
import { type Random, seeded } from './random.ts'
import type { Verdict } from './round.ts'

const NAME = 'storm'

interface Scene {
  readonly house: House
  readonly random: Random
  /** What the script ends with. */
  readonly exitCode: number
  readonly faults: string[]
  /** Every command that was given, for those who must be over at the end. */
  readonly given: Command[]
  /** Folders of results are numbered. */
  folders: number
}

/** What hits a command, and when. */
interface Blow {
  readonly name: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP'
  /** Milliseconds after its start; and until it goes on, where it was stopped. */
  readonly after: number
  readonly still: number
}

/** Of a command that was given alone, without a blow: what it must have come to. */
interface Heard extends Ended {
  readonly folder: string
  readonly blow: Blow | undefined
}

const blowOf = (random: Random, within: number): Blow => ({
  name: random.pick(['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGSTOP']),
  after: random.between(0, within),
  still: random.between(300, 5000),
})

/** Seconds of work are few: most commands are to meet its end. */
function task({ random, exitCode }: Pick<Scene, 'random' | 'exitCode'>): { readonly words: readonly string[]; readonly script: string } {
  const steps = Math.floor(random.between(1, 12))
  const script = `for i in $(seq ${steps}); do sleep 0.1; done; echo done > result; exit ${exitCode}`
  const times = ['--timeout', '600s', '--grace', '1s', '--checkpoint-interval', '300ms', '--max-attempts', '50']
  const words = ['task', '--name', NAME, '--workdir', 'none', '--output', 'result', '--secret', 'KEY', ...times, '--json']
  return { words, script }
}

async function give(scene: Scene, words: readonly string[], blow?: Blow): Promise<Heard> {
  const { house } = scene
  const folder = join(house.root, `results-${++scene.folders}`)
  const [verb] = words
  const to = verb === 'task' ? ['--output-dir', folder] : verb === 'collect' ? ['--to', folder] : []
  const [first, ...rest] = words
  const command = house.start([first ?? '', ...to, ...rest], { KEY: canaryOf(scene) })
  scene.given.push(command)
  const over = blow ? strike(house, command, blow) : undefined
  const ended = await command.ended
  await over
  const heard = { ...ended, folder, blow }
  await judge(scene, words, heard)
  return heard
}

async function strike(house: House, { child }: Command, { name, after, still }: Blow): Promise<void> {
  await nap(after)
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  house.note(`${name} ${child.pid}`)
  signal(child.pid, name)
  if (name !== 'SIGSTOP') return
  await nap(still)
  signal(child.pid, 'SIGCONT')
}

const canaryOf = ({ house }: Scene): string => `canary-${house.root.slice(-6)}`

/** What must hold of each command, whatever became of the others. */
async function judge(scene: Scene, words: readonly string[], { code, err, facts, folder, blow }: Heard): Promise<void> {
  const fault = (what: string): void => void scene.faults.push(`${words.slice(0, 3).join(' ')}: ${what}; ${err.trim().slice(-400)}`)
  if (code === 70) fault('calls itself a bug')
  if (typeof code === 'string' && !(blow && blow.name !== 'SIGSTOP')) fault(`ended by ${code}: past its bound`)
  const ends = ['task', 'collect'].includes(words[0] ?? '') && typeof code === 'number' && !words.includes('--detach')
  if (!ends || blow?.name === 'SIGTERM') return
  const outcome: unknown = facts?.outcome
  if (outcome === 'script-failed' && code !== scene.exitCode && code !== 76) fault(`ended with ${code}, the script with ${scene.exitCode}`)
  if (outcome === 'success' && code === 0 && (await readFile(join(folder, 'result'), 'utf8').catch(() => 'nothing')) !== 'done\n')
    fault('says 0, and has delivered nothing')
}

type Play = (scene: Scene) => Promise<void>

/** Verbs of a player, the likelier ones twice. */
const VERBS: readonly (readonly string[])[] = [
  ['task'],
  ['task'],
  ['task', '--detach'],
  ['task', '--if-exists', 'replace'],
  ['task', '--resume'],
  ['collect', NAME],
  ['collect', NAME],
  ['stop', NAME],
  ['destroy', NAME],
  ['destroy', NAME, '--discard'],
  ['status', NAME],
  ['list'],
  ['logs', NAME],
  ['interrupt', NAME],
  ['sweep', '--yes'],
]

const withTask = ([verb = '', ...rest]: readonly string[], { words, script }: ReturnType<typeof task>): readonly string[] =>
  verb === 'task' ? [...words, ...rest, '--script', script] : verb === 'collect' ? [verb, ...rest, '--json'] : [verb, ...rest]

/** Three controllers, each with some verbs in a row. */
const anything: Play = async (scene) => {
  const { random } = scene
  const same = task(scene)
  const player = async (own: Random): Promise<void> => {
    for (let left = 2 + Math.floor(own.next() * 3); left > 0; left -= 1) {
      await nap(own.between(0, 600))
      await give(scene, withTask(own.pick(VERBS), same), own.chance(0.35) ? blowOf(own, 2500) : undefined)
    }
  }
  await Promise.all([1, 2, 3].map(async () => player(seeded(Math.floor(random.next() * 2 ** 31)))))
}

/** It has ended, and nobody has fetched anything. */
async function ended(scene: Scene): Promise<void> {
  const { words, script } = task(scene)
  await give(scene, [...words, '--detach', '--script', script])
  await comesTrue(async () => {
    const { facts } = await scene.house.tpi('status', NAME, '--json')
    return facts?.outcome !== undefined && facts.outcome !== 'running'
  }, 30_000)
}

const collectors: Play = async (scene) => {
  const { random } = scene
  await ended(scene)
  const all = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      await nap(random.between(0, 300))
      return give(scene, ['collect', NAME, '--json'], random.chance(0.3) ? blowOf(random, 900) : undefined)
    }),
  )
  // Whoever was killed may have been through: with one that was not there is at least one that has it.
  if (all.some(({ blow }) => !blow) && !all.some(({ blow, code }) => blow || code === scene.exitCode))
    scene.faults.push(`nobody has the results: ${all.map(({ code }) => code).join(', ')}`)
}

/** The same command three times, on a run that failed and was collected. */
const again: Play = async (scene) => {
  const { random } = scene
  const same = task(scene)
  const words = [...same.words, ...(random.chance(0.5) ? ['--resume'] : []), '--script', same.script]
  await give(scene, words)
  const all = await Promise.all(
    [1, 2, 3].map(async () => {
      await nap(random.between(0, 400))
      return give(scene, words, random.chance(0.25) ? blowOf(random, 2000) : undefined)
    }),
  )
  if (all.some(({ blow }) => blow)) return
  const codes = all.map(({ code }) => code)
  // Who comes as the others' run is given back is told where its results went.
  if (codes.some((code) => code !== scene.exitCode && code !== 76) || !codes.includes(scene.exitCode))
    scene.faults.push(`three at once ended with ${codes.join(', ')}, the script with ${scene.exitCode}`)
}

/** Looks in a loop beside a creation change nothing of it. */
const lookers: Play = async (scene) => {
  const { random } = scene
  const { words, script } = task(scene)
  const over = new AbortController()
  const looker = async (): Promise<void> => {
    while (!over.signal.aborted)
      await give(scene, random.pick([['status', NAME], ['list'], ['logs', NAME, '--follow'], ['status', NAME, '--json']]))
  }
  const looking = Promise.all([looker(), looker()])
  const { code } = await give(scene, [...words, '--script', script])
  over.abort()
  await looking
  if (code !== scene.exitCode)
    scene.faults.push(`it ended with ${code}, the script with ${scene.exitCode}, and all that others did was to look`)
}

/** Several follow one run while the processes that keep it go. */
const followers: Play = async (scene) => {
  const { random, house } = scene
  const { words, script } = task(scene)
  const kills = async (): Promise<void> => {
    for (let left = 1 + Math.floor(random.next() * 3); left > 0; left -= 1) {
      await nap(random.between(200, 1800))
      const role = random.pick(['supervisor', 'agent', 'guard'])
      const victim = house.processes().find((one) => one.role === role)
      house.note(`SIGKILL ${role} ${victim?.pid ?? '(none)'}`)
      if (victim) signal(victim.pid, 'SIGKILL')
    }
  }
  const command = [...words, '--script', script]
  const first = give(scene, command)
  const more = [1, 2].map(async () => {
    await nap(random.between(300, 1200))
    return give(scene, random.chance(0.5) ? command : ['logs', NAME, '--follow'])
  })
  const [{ code, err }, ...others] = await Promise.all([first, ...more, kills()])
  // The same command given twice delivers once: the other one is told where to.
  const delivered = code === 76 && err.includes('nothing is lost') && others.some((other) => other?.code === scene.exitCode)
  if (code !== scene.exitCode && !delivered) scene.faults.push(`it ended with ${code}, the script with ${scene.exitCode}`)
}

export const PLAYS: Readonly<Record<string, Play>> = { anything, collectors, again, lookers, followers }

/** Never rejects: whatever goes wrong is a fault of the round. */
export async function playCrowd(program: Program, kind: string, seed: number): Promise<Verdict> {
  const random = seeded(seed)
  const house = await House.build(program, `${kind}-${seed}`)
  const failing = kind === 'again' || random.chance(0.3)
  const scene: Scene = { house, random, exitCode: failing ? 3 : 0, faults: [], given: [], folders: 0 }
  house.note(`seed ${seed}: ${kind}, the script ends with ${scene.exitCode}`)
  try {
    await PLAYS[kind]?.(scene)
    await nothingLeft(scene)
  } catch (error) {
    scene.faults.push(`the round itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
  house.clear()
  await house.leave(scene.faults.length > 0)
  return { seed, end: kind, faults: scene.faults, folder: house.root, diary: house.diary }
}

/** After one removal and one sweep: no process, no group, no store, no secret. */
async function nothingLeft(scene: Scene): Promise<void> {
  const { house, faults } = scene
  await Promise.all(scene.given.map(async ({ ended: end }) => end))
  const { code, err } = await house.tpi('destroy', NAME, '--discard')
  if (code !== 0 && !/there is no deployment/.test(err)) faults.push(`destroy: ${code} ${err.slice(-400)}`)
  const swept = await house.tpi('sweep', '--yes')
  if (swept.code !== 0) faults.push(`sweep: ${swept.code} ${swept.err.slice(-400)}`)
  await comesTrue(() => house.processes().length === 0, 5000)
  const running = house.processes().map(({ role, pid }) => `${role} ${pid}`)
  if (running.length > 0) faults.push(`still running: ${running.join(', ')}`)
  const remains = await house.remains()
  if (remains.length > 0) faults.push(`left behind: ${remains.slice(0, 8).join(', ')}`)
  faults.push(...filesHolding(house.home, [canaryOf(scene)]))
}
