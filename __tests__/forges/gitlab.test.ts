import { gitlab } from '../../src/forges/gitlab/manifest.ts'
import { describeForge } from '../conformance/forge.ts'
import { GitlabDouble } from '../lab/gitlab/double.ts'

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
    versions: { known: '19.1.0', never: '19.99.0' },
    close: () => double.stop(),
  }
})
