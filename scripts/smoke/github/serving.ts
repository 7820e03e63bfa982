/** Complete sequences: jobs that are served, and runners without jobs. */
import { busyTime } from '../../../src/lib/process.ts'
import { type Check, sawIn, type Trial } from '../check.ts'
import { startProxy } from '../proxy.ts'
import { concluded } from './concluded.ts'
import type { Hub } from './hub.ts'

/** What a machine's watch allows a runner that waits for a job: milliseconds of processor time between three looks, 250 ms apart. */
const RESTING_CPU = 5

const gone = async (hub: Hub, trial: Trial): Promise<void> => {
  const seconds = await hub.commands.within(120, async () => (await hub.runners()).length === 0)
  trial.saw(
    'runners left at the forge',
    seconds === undefined ? (await hub.runners()).map(({ name }) => name) : 'none',
    'none',
    seconds !== undefined,
  )
}

export const oneJob: Check<Hub> = {
  id: 'one-job',
  title: 'one job is served, and nothing stays',
  settles: 'the whole path',
  async run(hub, trial) {
    const name = hub.name()
    const { labels, said } = await hub.launch(trial, name)
    const program = /runner program .*/.exec(said)?.[0] ?? said
    trial.saw('the runner program', program, 'its digest is checked', program.includes('digest checked'))
    const run = await hub.push(trial, [{ name: 'one', labels, run: 'echo from the job' }])
    const { id } = await concluded(hub, trial, { run, job: 'one' })
    sawIn(trial, 'the log of the job', await hub.log(id), 'asked for', 'has our time line')
    await gone(hub, trial)
  },
}

export const badSetUp: Check<Hub> = {
  id: 'bad-set-up',
  title: 'three jobs, the first of which uses an action that does not exist',
  settles: 'a job without hooks takes the next registration, not the machine',
  async run(hub, trial) {
    const name = hub.name()
    const { labels } = await hub.launch(trial, name, ['--jobs', '3'])
    const bad = await hub.push(trial, [{ name: 'bad', labels, uses: 'actions/tpi-there-is-no-such-action@v1' }])
    await concluded(hub, trial, { run: bad, job: 'bad' }, 'the job that cannot be set up', 'failure')
    const run = await hub.push(
      trial,
      ['second', 'third'].map((one) => ({ name: one, labels, run: 'true' })),
    )
    for (const one of ['second', 'third']) await concluded(hub, trial, { run, job: one })
    await gone(hub, trial)
  },
}

export const idle: Check<Hub> = {
  id: 'idle',
  title: 'a runner without a job leaves',
  settles: 'the threshold by which a runner is at rest; that its session ends with it',
  async run(hub, trial) {
    const name = hub.name()
    await hub.launch(trial, name, ['--idle-timeout', `${hub.times.idle}s`])
    const begun = performance.now()
    const used: number[] = []
    const seconds = await hub.commands.within(hub.times.idle * 3 + 30, async () => {
      const all = await hub.commands.processes('runner')
      if (all.length > 0) used.push(all.reduce((sum, { pid }) => sum + (busyTime(pid) ?? 0), 0))
      return all.length === 0
    })
    const took = (performance.now() - begun) / 1000
    // The first seconds are its start.
    const steps = used.slice(2).map((now, at) => now - (used[at] ?? now))
    const late = steps.slice(Math.floor(steps.length / 3))
    const most = Math.max(0, ...late)
    trial.noted('processor time between three looks', `${late.length} of them, at most ${most} ms`)
    const calm = late.filter((one) => one <= RESTING_CPU).length / Math.max(1, late.length)
    trial.saw('looks at which it rests', `${Math.round(calm * 100)} %`, `nearly all: at most ${RESTING_CPU} ms`, calm > 0.9)
    trial.saw(
      'it left after',
      seconds === undefined ? 'not at all' : `${Math.round(took)} s`,
      `${hub.times.idle} to ${hub.times.idle + 20} s`,
      seconds !== undefined && took < hub.times.idle + 25,
    )
    const offline = await hub.commands.within(30, async () => (await hub.runners()).every(({ status }) => status === 'offline'))
    trial.saw('GitHub shows it offline', offline === undefined ? 'not within 30 s' : `${offline} s later`, 'at once', (offline ?? 60) <= 10)
  },
}

export const outage: Check<Hub> = {
  id: 'outage',
  title: 'the network is cut while a runner has no job',
  settles: 'exit code 2, and a start by the same registration',
  async run(hub, trial) {
    const proxy = await startProxy()
    trial.later('stopping the proxy', async () => proxy.stop())
    const name = hub.name()
    const through = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].flatMap((one) => ['--env', `${one}=${proxy.url}`])
    const more = hub.env['SMOKE_RUNNER_ENV'] ? ['--env', hub.env['SMOKE_RUNNER_ENV']] : []
    const { runners, labels } = await hub.launch(trial, name, ['--idle-timeout', 'never', ...through, ...more])
    trial.saw('connections of the runner by our proxy', proxy.carried, 'some', proxy.carried > 0)
    proxy.cut = true
    await hub.commands.rest(hub.times.outage)
    const gaveUp = await hub.commands.wrote('a temporary failure')
    trial.saw(
      `after ${hub.times.outage} s without network`,
      gaveUp ? 'it gave up by exit code 2' : 'it still waits',
      'it gave up by exit code 2',
      gaveUp,
    )
    proxy.cut = false
    const run = await hub.push(trial, [{ name: 'after', labels, run: 'true' }])
    const { runner_name: had } = await concluded(hub, trial, { run, job: 'after' })
    trial.saw('the runner that had the job', had, runners.join(), had === runners[0])
  },
}
