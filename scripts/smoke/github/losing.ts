/** Runners that are held, killed or reclaimed, with and without a job. */
import type { Check, Trial } from '../check.ts'
import { concluded } from './concluded.ts'
import type { Hub } from './hub.ts'

const FOREVER = ['--idle-timeout', 'never']
/** Ends by itself only in a later attempt. */
const FIRST_LONG = 'if [ "$GITHUB_RUN_ATTEMPT" = 1 ]; then sleep 3600; fi'

export const held: Check<Hub> = {
  id: 'held',
  title: 'a runner is held while a job comes, once let go on, once killed',
  settles: 'a job that was offered and not picked up is queued again; none is lost',
  async run(hub, trial) {
    for (const how of ['let go on', 'killed'] as const) {
      const name = hub.name()
      await hub.launch(trial, name, FOREVER)
      await hub.commands.signal('runner', 'SIGSTOP')
      const run = await hub.push(trial, [{ name: 'job', labels: [name], run: 'true' }])
      await hub.commands.rest(hub.times.hold)
      trial.noted(`the job while its runner is held for ${hub.times.hold} s`, (await hub.job(run, 'job')).status)
      const met = await hub.commands.signal('runner', how === 'killed' ? 'SIGKILL' : 'SIGCONT')
      trial.saw(`processes of the runner, ${how}`, met, 'at least 1', met > 0)
      // The registration of the dead runner still exists while another runner waits for the same job.
      if (how === 'killed') await hub.launch(trial, hub.name(), [...FOREVER, '--labels', name])
      await concluded(hub, trial, { run, job: 'job' }, `the job, ${how}`)
    }
  },
}

export const replaced: Check<Hub> = {
  id: 'replaced',
  title: 'runner and agent are killed while they have no job',
  settles: 'the registration is good for the next machine; how long a session is in its way',
  async run(hub, trial) {
    const name = hub.name()
    const { runners, labels } = await hub.launch(trial, name, FOREVER)
    const agents = await hub.commands.signal('agent', 'SIGKILL')
    const rest = await hub.commands.signal('runner', 'SIGKILL')
    trial.noted('processes that were killed', agents + rest)
    const run = await hub.push(trial, [{ name: 'next', labels, run: 'true' }])
    const { runner_name: had } = await concluded(hub, trial, { run, job: 'next' }, 'a job for the next machine')
    trial.saw('the runner that had it', had, runners.join(), had === runners[0])
  },
}

export const interrupted: Check<Hub> = {
  id: 'interrupted',
  title: 'a machine is told to end in mid-job',
  settles: 'the job fails in seconds and says why; it runs again once its run has ended',
  async run(hub, trial) {
    const { name, run } = await atLongJob(hub, trial, 'cut', ['--count', '2'])
    const { runner_name: mine } = await hub.job(run, 'cut')
    const slot = /-(\d+)-\d+$/.exec(mine ?? '')?.[1] ?? '0'
    await hub.commands.must(['interrupt', name, '--slot', slot])
    const seconds = await hub.ended(run, 'cut')
    const { conclusion, id } = await hub.job(run, 'cut')
    trial.saw('the job', `${conclusion}, after ${seconds} s`, 'failure within 60 s', conclusion === 'failure' && (seconds ?? 99) < 60)
    const said = (await hub.annotations(id)).join(' | ')
    trial.saw('what is said beside it', said, 'a shutdown signal', said.includes('shutdown signal'))
    await retried(hub, trial, name, run, 'cut')
  },
}

export const tooEarly: Check<Hub> = {
  id: 'too-early',
  title: 'tpi retry before the run has ended',
  settles: 'exit code 75 until then, and 0 from then on',
  async run(hub, trial) {
    const name = hub.name()
    const other = hub.name()
    const { labels } = await hub.launch(trial, name, FOREVER)
    const { labels: others } = await hub.launch(trial, other, FOREVER)
    const run = await hub.push(trial, [
      { name: 'cut', labels, run: FIRST_LONG },
      { name: 'long', labels: others, run: FIRST_LONG },
    ])
    await atWork(hub, name, run, 'cut')
    await atWork(hub, other, run, 'long')
    await hub.commands.must(['interrupt', name])
    await hub.ended(run, 'cut')
    // The machine may note a moment later than the forge that the job was cut off.
    let code: Awaited<ReturnType<typeof hub.commands.run>>['code'] = 0
    await hub.commands.within(hub.times.patience, async () => {
      code = (await hub.commands.run(['retry', name])).code
      return code !== 0
    })
    trial.saw('tpi retry while a job of the run goes on', `exit code ${code}`, 'exit code 75', code === 75)
    await hub.commands.must(['interrupt', other])
    await hub.commands.within(hub.times.patience, async () => (await hub.run(run)).status === 'completed')
    await retried(hub, trial, name, run, 'cut')
  },
}

export const killed: Check<Hub> = {
  id: 'killed',
  title: 'all that is ours is killed in mid-job',
  settles: 'how long the forge takes to notice; the job runs again once',
  async run(hub, trial) {
    const { name, run } = await atLongJob(hub, trial, 'lost')
    await hub.commands.signal(undefined, 'SIGKILL')
    const seconds = await hub.ended(run, 'lost')
    const { notice } = hub.times
    trial.saw(
      'the forge noticed after',
      seconds === undefined ? 'never' : `${seconds} s`,
      `at most ${notice} s`,
      (seconds ?? notice + 1) <= notice,
    )
    await retried(hub, trial, name, run, 'lost')
  },
}

export const unlimited: Check<Hub> = {
  id: 'unlimited',
  title: 'jobs without limit: a dead worker, a machine that is replaced, an idle leave',
  settles: 'the same runner comes back, and leaves when it has no job',
  async run(hub, trial) {
    const name = hub.name()
    const { labels } = await hub.launch(trial, name, ['--jobs', 'unlimited', '--idle-timeout', `${hub.times.idle}s`])
    const before = (await hub.runners()).map(({ id }) => id)
    const first = await hub.push(trial, [{ name: 'dies', labels, run: 'kill -9 $PPID; sleep 60' }])
    await concluded(hub, trial, { run: first, job: 'dies' }, 'a job whose worker was killed', 'failure')
    for (const kind of ['agent', 'runner'] as const) await hub.commands.signal(kind, 'SIGKILL')
    const next = await hub.push(trial, [{ name: 'next', labels, run: 'true' }])
    await hub.ended(next, 'next')
    const after = (await hub.runners()).map(({ id }) => id)
    trial.saw('number of the runner', `${before.join()} → ${after.join()}`, 'the same', before.length === 1 && before[0] === after[0])
    const left = await hub.deserted(hub.times.idle * 3 + 60)
    trial.saw('it left after', left === undefined ? 'not at all' : `${left} s`, `about ${hub.times.idle} s`, left !== undefined)
  },
}

/** Starts a runner, and a job on it that ends by itself only when it is run again; waits until the runner works on it. */
async function atLongJob(
  hub: Hub,
  trial: Trial,
  job: string,
  more: readonly string[] = [],
): Promise<{ readonly name: string; readonly run: number }> {
  const name = hub.name()
  const { labels } = await hub.launch(trial, name, [...FOREVER, ...more])
  const run = await hub.push(trial, [{ name: job, labels, run: FIRST_LONG }])
  await atWork(hub, name, run, job)
  return { name, run }
}

/** Waits for tpi's record of the job, which comes some moments after the forge shows it. */
async function atWork(hub: Hub, name: string, run: number, job: string): Promise<void> {
  await hub.begun(run, job)
  const known = async (): Promise<boolean> => (await hub.commands.status(name)).slots?.some(({ phase }) => phase === 'job') === true
  if ((await hub.commands.within(60, known)) === undefined) throw new Error(`tpi status ${name} does not tell of job ${job}`)
}

/** Checks that the job is run again once, and only once. `tpi retry` also starts runners for waiting jobs. */
async function retried(hub: Hub, trial: Trial, name: string, run: number, job: string): Promise<void> {
  const { run_attempt: before } = await hub.run(run)
  const first = await hub.commands.run(['retry', name])
  trial.saw('tpi retry after the end of the run', `exit code ${first.code}`, 'exit code 0', first.code === 0)
  let asked = performance.now()
  const seconds = await hub.commands.within(hub.times.patience, async () => {
    if ((performance.now() - asked) / 1000 > hub.times.again) {
      await hub.commands.run(['retry', name])
      asked = performance.now()
    }
    const { run_attempt: now, status } = await hub.run(run)
    return now > before && status === 'completed'
  })
  const [{ run_attempt: after }, { conclusion }] = await Promise.all([hub.run(run), hub.job(run, job)])
  trial.saw('the job, run again', `${conclusion}, after ${seconds} s`, 'success', conclusion === 'success')
  const second = await hub.commands.run(['retry', name])
  const { run_attempt: last } = await hub.run(run)
  const once = after === before + 1 && last === after
  trial.saw('once', `attempts ${before}, ${after}, ${last}; exit code ${second.code}`, 'one more, and no further one', once)
}
