import { type Check, sawIn } from '../check.ts'
import type { Lab } from './lab.ts'

const FOREVER = ['--idle-timeout', 'never']

const oneJob: Check<Lab> = {
  id: 'one-job',
  title: 'one job is served, and nothing stays',
  settles: 'the whole path',
  async run(lab, trial) {
    const name = lab.name()
    const runner = await lab.launch(trial, name)
    const job = await lab.push(trial, name, 'echo from the job')
    const seconds = await lab.ended(job)
    const { status } = await lab.job(job)
    trial.saw('the job', `${status}, after ${seconds} s`, 'success', status === 'success')
    sawIn(trial, 'its log', await lab.trace(job), 'from the job', 'has what the job said')
    const gone = await lab.commands.within(120, async () => !(await lab.exists(runner)))
    trial.saw('runner object', gone === undefined ? 'is still there' : `gone ${gone} s after the job`, 'gone', gone !== undefined)
  },
}

const managers: Check<Lab> = {
  id: 'managers',
  title: 'two machines of one host',
  settles: 'machines are told apart by the names that we give them, and stay online',
  async run(lab, trial) {
    const name = lab.name()
    const runner = await lab.launch(trial, name, [...FOREVER, '--count', '2'])
    for (const when of ['at once', `${lab.times.managers} s later`]) {
      if (when !== 'at once') await lab.commands.rest(lab.times.managers)
      const all = await lab.managers(runner)
      const says = all.map(({ system_id: id, status, contacted_at: at }) => `${id} ${status} (${at})`).join(', ')
      const good = all.length === 2 && all.every(({ system_id: id, status }) => /^r_[0-9a-zA-Z]{12}$/.test(id) && status === 'online')
      trial.saw(`machines ${when}`, says, 'two with the names of this run, online', good)
    }
  },
}

const leastToken: Check<Lab> = {
  id: 'least-token',
  title: 'a token with the scopes that the documents name',
  settles: 'that it starts, lists and removes runners',
  lacks: ({ env }) => (env['SMOKE_GITLAB_LEAST_TOKEN'] ? undefined : 'SMOKE_GITLAB_LEAST_TOKEN not set'),
  async run(lab, trial) {
    const own = { REPO_TOKEN: lab.env['SMOKE_GITLAB_LEAST_TOKEN'] ?? '' }
    const name = lab.name()
    const runner = await lab.launch(trial, name, FOREVER, own)
    for (const words of [
      ['stop', name],
      ['sweep', '--yes'],
      ['destroy', name, '--discard'],
    ]) {
      const { code, err } = await lab.commands.run(words, own)
      trial.saw(`tpi ${words.join(' ')}`, code === 0 ? 'exit code 0' : `exit code ${code}: ${err.slice(-300)}`, 'exit code 0', code === 0)
    }
    const there = await lab.exists(runner)
    trial.saw('runner object', there ? 'is still there' : 'gone', 'gone', !there)
  },
}

const environment: Check<Lab> = {
  id: 'environment',
  title: 'what a job has in its environment',
  settles: 'that no token of the runner is there',
  async run(lab, trial) {
    const name = lab.name()
    await lab.launch(trial, name)
    const job = await lab.push(trial, name, 'env | sort | sed "s/glrt-[^ ]*/A-TOKEN-OF-THE-RUNNER/"')
    await lab.ended(job)
    const lines = (await lab.trace(job)).split('\n')
    const secret = lines.filter((line) => /A-TOKEN-OF-THE-RUNNER|^CI_SERVER_TOKEN=/.test(line)).map((line) => line.split('=')[0])
    trial.saw('variables with a token of the runner', secret.length === 0 ? 'none' : secret.join(), 'none', secret.length === 0)
    const own = lines.filter((line) => /^(HOME|LANG|TZ|PATH|RUNNER_\w+)=/.test(line))
    trial.noted('of the machine', own.join(' '))
  },
}

const interrupted: Check<Lab> = {
  id: 'interrupted',
  title: 'a machine is told to end in mid-job',
  settles: 'the reason by which this version runs a job again',
  async run(lab, trial) {
    const name = lab.name()
    await lab.launch(trial, name, FOREVER)
    const job = await lab.push(trial, name, 'sleep 3600')
    await lab.begun(job)
    await lab.commands.must(['interrupt', name])
    const seconds = await lab.ended(job)
    const [{ status, failure_reason: reason = 'none' }, version] = await Promise.all([lab.job(job), lab.version()])
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const expected = major > 19 || (major === 19 && minor >= 1) ? 'runner_interrupted' : 'unknown_failure'
    trial.saw('the job', `${status}, after ${seconds} s`, 'failed within 60 s', status === 'failed' && (seconds ?? 99) < 60)
    trial.saw(`its reason, at GitLab ${version}`, reason, expected, reason === expected)
  },
}

const removed: Check<Lab> = {
  id: 'removed-by-hand',
  title: 'somebody removes the runner at the forge',
  settles: 'its machines leave',
  async run(lab, trial) {
    const name = lab.name()
    const runner = await lab.launch(trial, name, FOREVER)
    await lab.remove(runner)
    const seconds = await lab.commands.within(lab.times.patience, async () => (await lab.commands.processes('runner')).length === 0)
    trial.saw('its machine left after', seconds === undefined ? 'not at all' : `${seconds} s`, 'some minutes', seconds !== undefined)
  },
}

export const checks: readonly Check<Lab>[] = [oneJob, managers, leastToken, environment, interrupted, removed]
