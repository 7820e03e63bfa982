import { gitlab } from '../../src/forges/gitlab/descriptor.ts'
import { systemId } from '../../src/forges/gitlab/program.ts'
import { describeForge } from '../conformance/forge.ts'
import type { LabJob } from '../conformance/forge-jobs.ts'
import { GitlabDouble } from '../lab/gitlab/double.ts'

const REASONS = { success: undefined, failure: 'script_failure', 'cut-off': 'runner_system_failure' } as const

const THEIRS = { id: 1, description: 'theirs', tags: [] }

function labJobs(double: GitlabDouble, tags: readonly string[], many: number): LabJob[] {
  const first = double.push(tags, '')
  const jobs = [first, ...Array.from({ length: many - 1 }, () => double.push(tags, '', { pipeline: first.pipeline }))]
  return jobs.map((job) => ({
    begin(by, started) {
      if (by === 'theirs') double.runners.make(THEIRS)
      Object.assign(double.latest(job), {
        status: 'running',
        runner: by === 'theirs' ? THEIRS.id : Number(by.id),
        started: started.toISOString(),
      })
      // Otherwise it counts as silent since 1970, and GitLab's next look fails it.
      double.queue.heard(double.latest(job))
    },
    end: (how) => double.end(double.latest(job), how === 'success' ? how : 'failed', REASONS[how]),
    executions: () => double.jobs.filter(({ name, pipeline }) => name === job.name && pipeline === job.pipeline).length,
    waits: () => double.latest(job).status === 'pending',
  }))
}

describeForge(gitlab, { kind: 'repository', name: 'octo/hello' }, async () => {
  const double = await new GitlabDouble().start()
  return {
    env: { CI_SERVER_URL: double.url, GITLAB_RUNNER_DOWNLOADS: `${double.url}/downloads` },
    good: 'good',
    poor: 'reader',
    objects: () => double.runners.size,
    fail: () => double.faults.push({ path: /./, status: 502, times: 1 }),
    publish: () => (double.open = true),
    contact(name) {
      for (const runner of double.runners.values()) if (runner.description === name) double.runners.contact(runner, 's_1')
    },
    leave: () => void (double.ahead += 3 * 3_600_000),
    arrive({ enrolled }, slot) {
      const one = enrolled.find((each) => each.slot === slot)
      for (const runner of double.runners.values()) if (String(runner.id) === one?.id) double.runners.contact(runner, systemId(one.name))
    },
    rerunner: 'api',
    push: (tags, jobs) => labJobs(double, tags, jobs),
    versions: { known: '19.1.0', never: '19.99.0' },
    close: () => double.stop(),
  }
})
