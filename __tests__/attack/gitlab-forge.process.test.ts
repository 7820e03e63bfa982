/** The same for GitLab runners. No hook records their jobs, so what is run again depends on the server's answers. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type DoubleJob, GitlabDouble } from '../lab/gitlab/double.ts'
import { ABSURD, enrolled, type ForgedRunners, type Forgery, forgedRunners, job, PLAUSIBLE, scope } from './forged-runners.ts'

let forge: GitlabDouble
let runners: ForgedRunners
let stranger: number
let theirs: DoubleJob

beforeAll(async () => {
  forge = await new GitlabDouble().start()
  runners = await forgedRunners({
    forge,
    env: { CI_SERVER_URL: forge.url, GITLAB_RUNNER_DOWNLOADS: `${forge.url}/downloads`, REPO_TOKEN: 'api' },
    start: '--forge gitlab --repository octo/hello --labels gpu',
    serve() {
      const served = forge.push(['gpu'], 'echo served')
      return () => forge.end(served, 'failed', 'runner_system_failure')
    },
  })
  stranger = forge.foreign({ description: 'somebody-elses', tags: ['gpu'], projects: ['octo/hello'] }).id
  theirs = forge.push(['deploy'], 'exit 1')
  forge.end(theirs, 'failed', 'runner_system_failure')
})
afterAll(async () => {
  await runners?.end()
  await forge?.stop()
})

const LIES: readonly (readonly [string, Forgery])[] = [
  ...ABSURD,
  ['a registration that is a whole project', enrolled('../projects/7', '..', '%2e%2e', '1?x=', '#', '1/../../..')],
  ['a registration of somebody else', (r) => enrolled(String(stranger))(r)],
  ['a job of somebody else', (r) => job({ repository: 'octo/hello', run: String(theirs.pipeline), job: String(theirs.id) })(r)],
  ['a group that is none', scope({ kind: 'group', name: '..' })],
  ['another server', scope({ server: 'http://127.0.0.1:9' })],
  ['a server that is a file', scope({ server: 'file:///etc/passwd' })],
]
/** Requests about its own project, runners by number, and the token's user. */
const OWN =
  /^\w+ \/(projects\/octo%2Fhello(\/(runners|jobs|pipelines\/\d+\/jobs))?|runners(\/\d+(\/(jobs|managers))?)?|metadata|user|personal_access_tokens\/self)$/

test.each([...LIES, ...PLAUSIBLE])('%s', async (_name, lie) => {
  expect((await runners.attack(lie)).filter((call) => !OWN.test(call))).toEqual([])
  expect(forge.runners.get(stranger)).toBeDefined()
  expect(forge.latest(theirs)).toBe(theirs)
})

test.each([...PLAUSIBLE, ['a group', scope({ kind: 'group', name: 'octo' })] as const])(
  '%s, which exists: nothing confirms it, and nothing is requested',
  async (_name, lie) => runners.refused(lie),
)
