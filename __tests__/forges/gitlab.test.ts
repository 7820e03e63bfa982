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
    fail: () => (double.failing = 1),
    close: () => double.stop(),
  }
})
