/** Runners on the local cloud for a forge that answers at once: how much of the waiting is tpi's, and how many calls a runner needs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { GithubDouble, type Seen } from '../__tests__/lab/github/double.ts'
import { stepFiles } from '../__tests__/lab/step-files.ts'
import { type Bench, type Command, command, environment, type Ground, poll, tpi } from './ground.ts'
import { atMost, milliseconds, type Row, type Unit } from './measure.ts'
import { agentOf, watch } from './store.ts'

/** Seconds: longer than a runner must be at rest before it may leave, so that only the leaving itself is measured. */
const IDLE = 25
const TARGET = ['--cloud', 'local', '--repository', 'octo/hello'] as const
const calls: Unit = { show: (value) => `${value.toFixed(0)} calls` }
const points: Unit = { show: (value) => `${value.toFixed(0)} points` }
const MINUTE = 60_000

interface Stage {
  readonly ground: Ground
  readonly forge: GithubDouble
}

/** With a forge of its own, which is stopped in any case. */
async function withForge<T>(ground: Ground, body: (stage: Stage) => Promise<T>): Promise<T> {
  const forge = await new GithubDouble().start()
  try {
    return await body({ ground, forge })
  } finally {
    await forge.stop()
  }
}

function run({ ground, forge }: Stage, args: readonly string[]): Command {
  return tpi(ground, args, { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' })
}

/** Waits for an effect of the command; if the command fails, that ends the waiting. */
async function during<T>(launched: Command, what: string, look: () => T | undefined): Promise<T> {
  return Promise.race([poll(what, look), launched.ended.then(async () => poll(what, look, 5, 5000))])
}

interface Life {
  readonly online: number
  readonly leaving: number
  readonly calls: number
}

/** From the command to the end of everything, with one job. */
async function life(stage: Stage, number: number): Promise<Life> {
  const { ground, forge } = stage
  const name = `runner-${number}`
  const launched = run(stage, ['runner', ...TARGET, '--name', name, '--labels', 'gpu', '--jobs', '2', '--idle-timeout', `${IDLE}s`])
  const online = await during(launched, 'the runner', () => {
    const runner = [...forge.runners.values()].find((one) => one.online)
    return runner && { at: Date.now(), labels: runner.labels }
  })
  // Pushed at once: on a slow host, the machine might otherwise leave first, as idle.
  const [job] = forge.push([{ labels: online.labels, script: 'sleep 1' }]).jobs
  const agent = await agentOf(await watch(ground, name))
  const reported = await launched.ended
  const done = await poll('the job', () => (job?.status === 'completed' ? Date.now() : undefined))
  const gone = await poll('the end of the machine', () => (existsSync(`/proc/${agent.pid}`) ? undefined : Date.now()))
  await run(stage, ['destroy', name, '--discard']).ended
  return { online: Math.max(online.at, reported) - launched.began, leaving: gone - done - IDLE * 1000, calls: forge.seen.length }
}

interface Many {
  readonly took: number
  readonly calls: number
  readonly atOnce: number
  readonly points: number
  readonly changes: number
}

/** 100 registrations by one command: ten machines with ten jobs each. */
async function hundred(stage: Stage): Promise<Many> {
  const { ground, forge } = stage
  const each = ground.quick ? '2' : '10'
  const launched = run(stage, ['runner', ...TARGET, '--name', 'hundred', '--count', each, '--jobs', each, '--idle-timeout', 'never'])
  const took = (await launched.ended) - launched.began
  const seen = [...forge.seen]
  await run(stage, ['destroy', 'hundred', '--discard']).ended
  return { took, calls: seen.length, atOnce: forge.limits.mostAtOnce, points: busiest(seen, pointsOf), changes: busiest(seen, changesOf) }
}

/** The most in any minute. */
function busiest(seen: readonly Seen[], cost: (call: Seen) => number): number {
  const within = (from: Seen): readonly Seen[] => seen.filter(({ at }) => at >= from.at && at < from.at + MINUTE)
  return Math.max(...seen.map((from) => within(from).reduce((sum, one) => sum + cost(one), 0)))
}

/** GitHub's way of counting for its secondary limits. */
const pointsOf = ({ method }: Seen): number => (method === 'GET' ? 1 : 5)
const changesOf = ({ method }: Seen): number => (method === 'GET' ? 0 : 1)

/** The action's step, up to its first call. */
async function firstCall({ ground, forge }: Stage, number: number): Promise<number> {
  const folder = await ground.fresh(`step-${number}`)
  const paths = stepFiles(folder)
  const job = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'octo/hello', GITHUB_API_URL: forge.url, GITHUB_SERVER_URL: forge.url }
  // With a token that is refused at the first call, so there are no others.
  const inputs = { INPUT_MODE: 'runner', INPUT_CLOUD: 'local', INPUT_NAME: `step-${number}`, INPUT_TOKEN: 'reader' }
  const step = command([join(ground.dist, 'main.js')], environment(ground, { ...job, ...paths, ...inputs, RUNNER_TEMP: folder }), folder)
  await step.ended.catch(() => undefined)
  const [first] = forge.seen
  if (!first) throw new Error(`the step called nobody: ${step.lines.map(({ text }) => text).join('\n')}`)
  return first.at - step.began
}

export const runner: Bench = {
  name: 'runner',
  title: 'Runners',
  notes: [
    'A stand-in for GitHub on this host answers at once, and the runner program is one of the tests. Machines are processes, so these numbers contain hardly any boot. By its source, `machulav/ec2-github-runner` waits 30 s before it first asks whether its runner is online, and then asks every 10 s. How long its step takes until its first call is not published.',
    `Online: from the start of the command to its end, when the forge says so. The machine has left: from the end of its job, minus the ${IDLE} s of idle time that were requested. Calls for one runner: all calls of a launch with one job and one unused registration, including its removal.`,
    '100 registrations: one command starts ten machines for ten jobs each. GitHub documents a limit of 80 changes a minute, so this takes at least a minute. Points are what GitHub counts: 1 for a call that reads, 5 for one that writes.',
  ],
  async run(ground): Promise<readonly Row[]> {
    const rounds = Array.from({ length: ground.quick ? 1 : 5 }, (_, number) => number)
    const lives: Life[] = []
    const first: number[] = []
    for (const number of rounds) {
      lives.push(await withForge(ground, (stage) => life(stage, number)))
      first.push(await withForge(ground, (stage) => firstCall(stage, number)))
    }
    const many = await withForge(ground, hundred)
    const unit = milliseconds
    const slow = 'ec2-github-runner: 30 s at least'
    const asking = 'ec2-github-runner: 3, and a whole list each 10 s'
    return [
      atMost({ what: 'start of the command → runner online', samples: lives.map((one) => one.online), limit: 3000, unit, peer: slow }),
      atMost({
        what: 'end of the job, and idle time over → the machine has left',
        samples: lives.map((one) => one.leaving),
        limit: 5000,
        unit,
      }),
      atMost({
        what: 'calls for one runner, from start to removal',
        samples: lives.map((one) => one.calls),
        limit: 12,
        unit: calls,
        peer: asking,
      }),
      atMost({ what: '100 registrations by one command, until all machines are online', samples: [many.took], limit: 120_000, unit }),
      atMost({ what: 'calls for these registrations', samples: [many.calls], limit: 150, unit: calls }),
      atMost({ what: 'calls at the same time, at most', samples: [many.atOnce], limit: 100, unit: calls }),
      atMost({ what: 'GitHub’s points in the busiest minute', samples: [many.points], limit: 900, unit: points }),
      atMost({ what: 'calls that change something, in the busiest minute', samples: [many.changes], limit: 80, unit: calls }),
      atMost({ what: 'start of the step → first call to the forge', samples: first, limit: 250, unit }),
    ]
  },
}
