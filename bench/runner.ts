/** Runners on the local cloud for a forge that answers at once: what of the waiting is ours, and what a runner costs in calls. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GithubDouble } from '../__tests__/lab/github/double.ts'
import { type Bench, command, environment, type Ground, poll, tpi } from './ground.ts'
import { atMost, milliseconds, type Row, type Unit } from './measure.ts'
import { agentOf, watch } from './store.ts'

/** Seconds. */
const IDLE = 2
const TARGET = ['--cloud', 'local', '--repository', 'octo/hello'] as const
const calls: Unit = { show: (value) => `${value.toFixed(0)} calls` }

interface Life {
  readonly online: number
  readonly leaving: number
  readonly calls: number
}

/** From the command to the sweep after it, with one job between. */
async function life(ground: Ground, number: number): Promise<Life> {
  const forge = await new GithubDouble().start()
  try {
    const name = `runner-${number}`
    const env = { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' }
    const began = Date.now()
    const launched = tpi(ground, ['runner', ...TARGET, '--name', name, '--labels', 'gpu', '--jobs', '2', '--idle-timeout', `${IDLE}s`], env)
    const online = await poll('the runner', () => ([...forge.runners.values()].some((one) => one.online) ? Date.now() : undefined))
    const agent = await agentOf(await watch(ground, name))
    await launched.ended
    const labels = [...forge.runners.values()][0]?.labels ?? []
    const [job] = forge.push([{ labels, script: 'true' }]).jobs
    const done = await poll('the job', () => (job?.status === 'completed' ? Date.now() : undefined))
    const gone = await poll('the end of the machine', () => (existsSync(`/proc/${agent.pid}`) ? undefined : Date.now()))
    // The records first: what is open is not for a sweep.
    await tpi(ground, ['status', name]).ended
    await tpi(ground, ['destroy', name, '--discard'], env).ended
    return { online: online - began, leaving: gone - done - IDLE * 1000, calls: forge.seen.length }
  } finally {
    await forge.stop()
  }
}

/** 100 registrations by one command: four machines with 25 jobs each. */
async function hundred(ground: Ground): Promise<{ readonly took: number; readonly calls: number }> {
  const forge = await new GithubDouble().start()
  try {
    const jobs = ground.quick ? '2' : '25'
    const env = { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' }
    const launched = tpi(ground, ['runner', ...TARGET, '--name', 'hundred', '--count', '4', '--jobs', jobs], env)
    const took = (await launched.ended) - launched.began
    const made = forge.seen.length
    await tpi(ground, ['destroy', 'hundred', '--discard'], env).ended
    return { took, calls: made }
  } finally {
    await forge.stop()
  }
}

/** The action's step, up to its first call. */
async function firstCall(ground: Ground, number: number): Promise<number> {
  const forge = await new GithubDouble().start()
  try {
    const folder = await ground.fresh(`step-${number}`)
    const files = { GITHUB_OUTPUT: 'output', GITHUB_STATE: 'state', GITHUB_STEP_SUMMARY: 'summary', GITHUB_ENV: 'env' }
    const paths = Object.fromEntries(Object.entries(files).map(([key, file]) => [key, join(folder, file)]))
    for (const path of Object.values(paths)) await writeFile(path, '')
    const run = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'octo/hello', GITHUB_API_URL: forge.url, GITHUB_SERVER_URL: forge.url }
    // Refused there: the first call is the last one.
    const inputs = { INPUT_MODE: 'runner', INPUT_CLOUD: 'local', INPUT_NAME: `step-${number}`, INPUT_TOKEN: 'reader' }
    const step = command([join(ground.dist, 'main.js')], environment(ground, { ...run, ...paths, ...inputs, RUNNER_TEMP: folder }), folder)
    await step.ended.catch(() => undefined)
    return (forge.seen[0]?.at ?? Number.NaN) - step.began
  } finally {
    await forge.stop()
  }
}

export const runner: Bench = {
  name: 'runner',
  title: 'Runners',
  notes: [
    'Against a double of GitHub on this host that answers at once, with a runner program of the tests; machines are processes, so that hardly any boot is in it. `machulav/ec2-github-runner` waits 30 s by design before it first asks, then asks each 10 s (its documentation).',
    `Machine gone: from the end of its job, less the ${IDLE} s of idle time that were asked for. Calls: all that one launch with one job and one unused registration costs, its removal included.`,
    '100 registrations: four machines of 25 jobs by one command, up to online. GitHub takes 180 registrations a minute.',
  ],
  async run(ground): Promise<readonly Row[]> {
    const rounds = Array.from({ length: ground.quick ? 1 : 5 }, (_, number) => number)
    const lives: Life[] = []
    const first: number[] = []
    for (const number of rounds) {
      lives.push(await life(ground, number))
      first.push(await firstCall(ground, number))
    }
    const many = await hundred(ground)
    const unit = milliseconds
    const peer = 'ec2-github-runner: 30 s at least'
    return [
      atMost({ what: 'command → runner online', samples: lives.map((one) => one.online), limit: 3000, unit, peer }),
      atMost({ what: 'end of the job and idle time → machine gone', samples: lives.map((one) => one.leaving), limit: 5000, unit }),
      atMost({ what: 'calls of the forge in the life of a runner', samples: lives.map((one) => one.calls), limit: 12, unit: calls }),
      atMost({ what: '100 registrations in one command → all machines online', samples: [many.took], limit: 60_000, unit }),
      atMost({ what: 'calls for these', samples: [many.calls], limit: 150, unit: calls }),
      atMost({ what: 'start of the step → first call of the forge', samples: first, limit: 250, unit }),
    ]
  },
}
