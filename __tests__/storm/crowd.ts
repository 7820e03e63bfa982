/** Rounds in which many commands meet on one name, some of them killed, frozen or told to end: at every moment it must be clear who owns the name. */
import { join } from 'node:path'
import { type Heard, isOvertaken, judge, judgeEach } from './crowd-judge.ts'
import type { Ended } from './house.ts'
import { type Random, seeded } from './random.ts'
import type { Verdict } from './round.ts'

const NAME = 'storm'

export type BlowName = 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'

export interface Player {
  readonly ended: Promise<Ended>
  /** `false`: it had ended before, so nothing happened to it. */
  strike(name: BlowName): boolean
  /**
   * After it has written a key that contains this text, its next step takes this long (milliseconds of the plays), while its heartbeats go on.
   * Absent: this stage cannot see calls.
   */
  lingerAt?(call: string, milliseconds: number): void
}

/** Where the crowd plays: commands as processes, or controllers in memory in the time of their cloud. */
export interface Stage {
  /** Each command's results are in a folder of its own below it. */
  readonly root: string
  readonly diary: readonly string[]
  /** Options for how long a run, and its end, may take there. */
  readonly times: readonly string[]
  note(line: string): void
  start(words: readonly string[], env?: Readonly<Record<string, string>>): Player
  /** Milliseconds of the plays, which may be longer on this stage. */
  nap(milliseconds: number): Promise<void>
  /** Kills one of the processes or machines that keep the run going. */
  harm(random: Random): void
  /** Without a blow, its start was rightly undone: an overloaded host froze it for a whole TTL. */
  isStarved(command: Player): Promise<boolean>
  /** What is left although everything was removed and swept. */
  remains(secret: string): Promise<readonly string[]>
  /** `keep`: the folder stays, for debugging. */
  close(keep: boolean): Promise<void>
}

interface Scene {
  readonly stage: Stage
  readonly random: Random
  /** Exit code of the script. */
  readonly exitCode: number
  readonly faults: string[]
  /** Every command that was started; all must have ended in the end. */
  readonly given: Player[]
  /** The number of result folders so far. */
  folders: number
}

/** What hits a command, and when. */
interface Blow {
  readonly name: Exclude<BlowName, 'SIGCONT'>
  /** Milliseconds after its start; `still`: until it continues, if it was stopped. */
  readonly after: number
  readonly still: number
}

const blowOf = (random: Random, within: number): Blow => ({
  name: random.pick(['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGSTOP']),
  after: random.between(0, within),
  still: random.between(300, 5000),
})

/** Only seconds of work, because most commands should meet its end. */
function task({ random, exitCode, stage }: Pick<Scene, 'random' | 'exitCode' | 'stage'>): {
  readonly words: readonly string[]
  readonly script: string
} {
  const steps = Math.floor(random.between(1, 12))
  const script = `for i in $(seq ${steps}); do sleep 0.1; done; echo done > result; exit ${exitCode}`
  const many = ['--max-attempts', '50', ...stage.times]
  const words = ['task', '--name', NAME, '--workdir', 'none', '--output', 'result', '--secret', 'KEY', ...many, '--json']
  return { words, script }
}

async function give(scene: Scene, words: readonly string[], blow?: Blow, begun = (_command: Player): void => undefined): Promise<Heard> {
  const { stage } = scene
  const folder = join(stage.root, `results-${++scene.folders}`)
  const [verb] = words
  const to = verb === 'task' ? ['--output-dir', folder] : verb === 'collect' ? ['--to', folder] : []
  const [first, ...rest] = words
  const command = stage.start([first ?? '', ...to, ...rest], { KEY: canaryOf(scene) })
  scene.given.push(command)
  begun(command)
  const over = blow ? strike(stage, command, blow) : undefined
  const ended = await command.ended
  const heard = { ...ended, folder, hit: await over, isStarved: isOvertaken(ended) && (await stage.isStarved(command)) }
  await judge(scene, words, heard)
  return heard
}

async function strike(stage: Stage, command: Player, { name, after, still }: Blow): Promise<Blow['name'] | undefined> {
  await stage.nap(after)
  const hit = command.strike(name) ? name : undefined
  if (hit !== 'SIGSTOP') return hit
  await stage.nap(still)
  command.strike('SIGCONT')
  return hit
}

const canaryOf = ({ stage }: Scene): string => `canary-${stage.root.slice(-6)}`

type Play = (scene: Scene) => Promise<void>

/** A player's verbs, likelier ones twice. */
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

/** Three controllers, each with several verbs in a row. */
const anything: Play = async (scene) => {
  const { random } = scene
  const same = task(scene)
  const player = async (own: Random): Promise<void> => {
    for (let left = 2 + Math.floor(own.next() * 3); left > 0; left -= 1) {
      await scene.stage.nap(own.between(0, 600))
      await give(scene, withTask(own.pick(VERBS), same), own.chance(0.35) ? blowOf(own, 2500) : undefined)
    }
  }
  await Promise.all([1, 2, 3].map(async () => player(seeded(Math.floor(random.next() * 2 ** 31)))))
}

/** A run that has ended, and whose results nobody has fetched. */
async function ended(scene: Scene): Promise<ReturnType<typeof task>> {
  const same = task(scene)
  await give(scene, [...same.words, '--detach', '--script', same.script])
  for (let look = 0; look < 300; look++) {
    const { facts } = await scene.stage.start(['status', NAME, '--json']).ended
    if (facts?.outcome !== undefined && facts.outcome !== 'running') break
    await scene.stage.nap(100)
  }
  return same
}

const collectors: Play = async (scene) => {
  const { random, stage } = scene
  await ended(scene)
  const all = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      await stage.nap(random.between(0, 300))
      return give(scene, ['collect', NAME, '--json'], random.chance(0.3) ? blowOf(random, 900) : undefined)
    }),
  )
  judgeEach(scene, all)
}

/** One command discards what others fetch: each of them has the results, or reports that it has not. */
const discarded: Play = async (scene) => {
  const { random, stage } = scene
  const same = await ended(scene)
  const readers = [1, 2, 3].map(async () => {
    await stage.nap(random.between(0, 300))
    return give(scene, random.chance(0.5) ? [...same.words, '--script', same.script] : ['collect', NAME, '--json'])
  })
  await stage.nap(random.between(0, 1500))
  await Promise.all([...readers, give(scene, ['destroy', NAME, '--discard'])])
}

/** Another run replaces one that is being fetched: nothing is removed while it is being read. */
const replaced: Play = async (scene) => {
  const { random, stage } = scene
  const same = await ended(scene)
  const readers = [1, 2].map(async () => {
    await stage.nap(random.between(0, 300))
    return give(scene, ['collect', NAME, '--json'])
  })
  await stage.nap(random.between(0, 600))
  const how = random.pick([['--if-exists', 'replace'], ['--if-exists', 'replace'], ['--resume']])
  await Promise.all([...readers, give(scene, [...same.words, ...how, '--script', same.script])])
}

/** A creation freezes for so long that others undo it, or wakes up just before they do. */
const overtaken: Play = async (scene) => {
  const { random, stage } = scene
  const { words, script } = task(scene)
  const blow = { name: 'SIGSTOP', after: random.between(0, 2500), still: random.between(300, 5000) } as const
  const first = give(scene, [...words, '--script', script], blow)
  const others = [1, 2].map(async () => {
    await stage.nap(random.between(500, 3000))
    return give(
      scene,
      random.pick([
        ['stop', NAME],
        ['destroy', NAME],
        ['sweep', '--yes'],
        [...words, '--script', script],
      ]),
    )
  })
  await Promise.all([first, ...others])
}

/** The same command three times, on a run that failed and was collected. */
const again: Play = async (scene) => {
  const { random, stage } = scene
  const same = task(scene)
  const words = [...same.words, ...(random.chance(0.5) ? ['--resume'] : []), '--script', same.script]
  await give(scene, words)
  const all = await Promise.all(
    [1, 2, 3].map(async () => {
      await stage.nap(random.between(0, 400))
      return give(scene, words, random.chance(0.25) ? blowOf(random, 2000) : undefined)
    }),
  )
  judgeEach(scene, all)
}

/** Commands that only look, in a loop during a creation, change nothing. */
const lookers: Play = async (scene) => {
  const { random, stage } = scene
  const { words, script } = task(scene)
  const over = new AbortController()
  const looker = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await give(scene, random.pick([['status', NAME], ['list'], ['logs', NAME, '--follow'], ['status', NAME, '--json']]))
      await stage.nap(random.between(0, 50))
    }
  }
  const looking = Promise.all([looker(), looker()])
  // By then everything is on record, and no machine is requested yet.
  const slow = (command: Player): void => command.lingerAt?.('spec.json', random.between(0, 4000))
  const { code } = await give(scene, [...words, '--script', script], undefined, slow)
  over.abort()
  await looking
  if (code !== scene.exitCode)
    scene.faults.push(`it ended with ${code}, the script with ${scene.exitCode}, and all that others did was to look`)
}

/** Several commands follow one run while the processes that keep it going are killed. */
const followers: Play = async (scene) => {
  const { random, stage } = scene
  const { words, script } = task(scene)
  const kills = async (): Promise<void> => {
    for (let left = 1 + Math.floor(random.next() * 3); left > 0; left -= 1) {
      await stage.nap(random.between(200, 1800))
      stage.harm(random)
    }
  }
  const command = [...words, '--script', script]
  const first = give(scene, command)
  const more = [1, 2].map(async () => {
    await stage.nap(random.between(300, 1200))
    return give(scene, random.chance(0.5) ? command : ['logs', NAME, '--follow'])
  })
  const [{ code, err, isStarved }, ...others] = await Promise.all([first, ...more, kills()])
  // The same command given twice delivers once; the other one is told where the results are. One that stood still while it made the run is overtaken.
  const isExcused = isStarved || (code === 76 && err.includes('nothing is lost'))
  const delivered = isExcused && others.some((other) => other?.code === scene.exitCode)
  if (code !== scene.exitCode && !delivered) scene.faults.push(`it ended with ${code}, the script with ${scene.exitCode}`)
}

/** Plays that only work in virtual time, where hours cost nothing. */
const LONG_PLAYS = { discarded, replaced, overtaken }
export const PLAYS: Readonly<Record<string, Play>> = { anything, collectors, again, lookers, followers }
export const ALL_PLAYS: Readonly<Record<string, Play>> = { ...PLAYS, ...LONG_PLAYS }

export interface Rounds {
  readonly kinds: readonly string[]
  readonly rounds: number
  readonly seed: number
  /** Rounds at a time: they mostly wait. */
  readonly sideBySide: number
}

/** Resolves to the rounds that failed; each has printed its seed and kept its folder. */
export async function playRounds(build: (name: string) => Promise<Stage>, { kinds, rounds, seed, sideBySide }: Rounds): Promise<Verdict[]> {
  const failed: Verdict[] = []
  const left = kinds.flatMap((kind) => Array.from({ length: rounds }, (_, at) => ({ kind, seed: seed + at })))
  const player = async (): Promise<void> => {
    for (let round = left.shift(); round; round = left.shift()) {
      const verdict = await playCrowd(build, round.kind, round.seed)
      if (verdict.faults.length === 0) continue
      failed.push(verdict)
      const say = `TPI_STORM_SEED=${verdict.seed} TPI_STORM_ROUNDS=1 TPI_CROWD_KINDS=${verdict.end}, kept in ${verdict.folder}`
      process.stderr.write([`crowd: ${say}`, ...verdict.diary, ...verdict.faults].map((line) => `  ${line}\n`).join(''))
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, player))
  return failed
}

/** Never rejects: any error is a fault of the round. */
async function playCrowd(build: (name: string) => Promise<Stage>, kind: string, seed: number): Promise<Verdict> {
  const random = seeded(seed)
  const stage = await build(`${kind}-${seed}`)
  const failing = kind === 'again' || random.chance(0.3)
  const scene: Scene = { stage, random, exitCode: failing ? 3 : 0, faults: [], given: [], folders: 0 }
  stage.note(`seed ${seed}: ${kind}, the script ends with ${scene.exitCode}`)
  try {
    await ALL_PLAYS[kind]?.(scene)
    await nothingLeft(scene)
  } catch (error) {
    scene.faults.push(`the round itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
  await stage.close(scene.faults.length > 0)
  return { seed, end: kind, faults: scene.faults, folder: stage.root, diary: stage.diary }
}

/** After one removal and one sweep: no process, no group, no store, no secret. */
async function nothingLeft(scene: Scene): Promise<void> {
  const { stage, faults } = scene
  await Promise.all(scene.given.map(async ({ ended: end }) => end))
  const { code, err } = await stage.start(['destroy', NAME, '--discard']).ended
  if (code !== 0 && !/there is no run/.test(err)) faults.push(`destroy: ${code} ${err.slice(-400)}`)
  const swept = await stage.start(['sweep', '--yes']).ended
  if (swept.code !== 0) faults.push(`sweep: ${swept.code} ${swept.err.slice(-400)}`)
  faults.push(...(await stage.remains(canaryOf(scene))))
}
