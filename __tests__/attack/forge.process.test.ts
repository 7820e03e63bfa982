/**
 * GitHub runners with forged records: retrying, stopping or removing them touches only their own things at the forge, whatever else the token may do.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { GithubDouble } from '../lab/github/double.ts'
import { ABSURD, enrolled, type ForgedRunners, type Forgery, forgedRunners, job, PLAUSIBLE, scope } from './forged-runners.ts'

const STRANGER = 4711
let forge: GithubDouble
let runners: ForgedRunners

beforeAll(async () => {
  forge = await new GithubDouble().start()
  runners = await forgedRunners({
    forge,
    env: { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' },
    start: '--repository octo/hello',
    serve(labels) {
      const run = forge.push([{ labels, script: 'echo served' }])
      return () => run.jobs.forEach((one) => forge.end(one, 'failure'))
    },
  })
  const [one] = forge.runners.values()
  forge.runners.set(STRANGER, { ...one, id: STRANGER, name: 'somebody-elses', labels: ['gpu'] } as never)
})
afterAll(async () => {
  await runners?.end()
  await forge?.stop()
})

const LIES: readonly (readonly [string, Forgery])[] = [
  ...ABSURD,
  ['a registration that is a whole repository', enrolled('../../../../repos/octo/hello', '..', '%2e%2e/%2e%2e', '1?x=', '#', '1/../../..')],
  ['a registration of somebody else', enrolled(String(STRANGER))],
  ['an organization that is none', scope({ kind: 'organization', name: '..' })],
  ['another server', scope({ api: 'http://127.0.0.1:9/api/v3' })],
  ['a server that is a file', scope({ api: 'file:///etc/passwd' })],
  ['a run that is approved', job({ repository: 'octo/hello', run: '1/approve?x=', attempt: '1', runner: 'tpi-r-0' })],
]
/** Requests about its own repository, runners and the runs of its jobs; no other request is allowed. */
const OWN = /^\w+ \/repos\/octo\/hello\/actions\/(runners(\/\d+)?|runs(\/\d+)?(\/jobs)?|runs\/\d+\/rerun-failed-jobs|jobs\/\d+\/rerun)$/

test.each([...LIES, ...PLAUSIBLE])('%s', async (_name, lie) => {
  expect((await runners.attack(lie)).filter((call) => !OWN.test(call))).toEqual([])
  expect(forge.runners.has(STRANGER)).toBe(true)
})

test.each([...PLAUSIBLE, ['an organization', scope({ kind: 'organization', name: 'octo' })] as const])(
  '%s, which exists: nothing confirms it, and nothing is requested',
  async (_name, lie) => runners.refused(lie),
)
