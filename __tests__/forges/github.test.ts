import { createVerify, generateKeyPairSync } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { appToken } from '../../src/forges/github/auth.ts'
import { github } from '../../src/forges/github/descriptor.ts'
import { describeForge } from '../conformance/forge.ts'
import type { LabJob } from '../conformance/forge-jobs.ts'
import { type DoubleJob, GithubDouble } from '../lab/github/double.ts'
import { openAt } from './github-at.ts'

const STEP = { name: 'Run script', status: 'completed' } as const
const STEPS = {
  success: { ...STEP, conclusion: 'success' },
  failure: { ...STEP, conclusion: 'failure' },
  'cut-off': { ...STEP, status: 'in_progress', conclusion: null },
} as const

function labJobs(double: GithubDouble, labels: readonly string[], many: number): LabJob[] {
  const run = double.push(Array.from({ length: many }, () => ({ labels, script: '' })))
  return run.jobs.map(({ name }, at) => {
    const last = (): DoubleJob => run.jobs[at] ?? run.jobs[0]!
    return {
      begin(by, started) {
        Object.assign(last(), { status: 'in_progress', started, runnerName: by === 'theirs' ? by : by.name })
      },
      end(how) {
        last().steps = [STEPS[how]]
        double.end(last(), how === 'success' ? how : 'failure')
      },
      executions: () => [...run.past, ...run.jobs].filter((job) => job.name === name).length,
      waits: () => last().status === 'queued',
    }
  })
}

describeForge(github, { kind: 'repository', name: 'octo/hello' }, async () => {
  const double = await new GithubDouble().start()
  const online = (name: string, is: boolean): void => {
    for (const runner of double.runners.values()) if (runner.name === name) runner.online = is
  }
  const contact = (name: string): void => online(name, true)
  return {
    env: { GITHUB_API_URL: double.url },
    good: 'good',
    poor: 'reader',
    objects: () => double.runners.size,
    fail: () => double.faults.push({ path: /./, status: 502, times: 1 }),
    publish: () => (double.open = true),
    contact,
    leave: (name) => online(name, false),
    arrive({ enrolled, credentials, program }, slot) {
      const { name = '' } = enrolled.find((one) => one.slot === slot) ?? {}
      const { value: token = '' } = credentials.find((one) => one.slot === slot) ?? {}
      const argv = program.registration?.argv ?? []
      const [url = '', labels = ''] = ['--url', '--labels'].map((flag) => argv[argv.indexOf(flag) + 1])
      const { status } = double.signUp({ token, url, name, labels: labels.split(','), replace: argv.includes('--replace') })
      expect(status).toBe(200)
      contact(name)
    },
    heed: (now) => (double.now = now),
    rerunner: 'good',
    push: (labels, jobs) => labJobs(double, labels, jobs),
    versions: { known: '2.330.0', never: '2.399.0' },
    async close() {
      await double.stop()
      expect(double.breaches).toEqual([])
      expect(double.limits.refused).toEqual([])
    },
  }
})

test('a version that is too old is refused, and there is a warning for one that may soon get no jobs', async () => {
  const double = await new GithubDouble().start()
  try {
    const forge = await openAt(double)
    const platform = { os: 'linux', arch: 'x64' } as const
    await expect(forge.download({ platform, version: '2.328.9' })).rejects.toThrow(/no runner older than 2\.329\.0/)
    expect((await forge.download({ platform, version: '2.330.0' })).warning).toMatch(/^runner 2\.330\.0 is \d+ days old/)
    expect((await forge.download({ platform, version: '2.336.0' })).warning).toBeUndefined()
  } finally {
    await double.stop()
    expect(double.breaches).toEqual([])
  }
})

test('the token of an App is dated back a minute and valid for less than ten', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const [head = '', body = '', signature = ''] = appToken({ id: 'Iv1.abc', key }, new Date(1_700_000_000_000)).split('.')
  expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toEqual({ iat: 1_699_999_940, exp: 1_700_000_540, iss: 'Iv1.abc' })
  expect(createVerify('RSA-SHA256').update(`${head}.${body}`).verify(publicKey, signature, 'base64url')).toBe(true)
  expect(() => appToken({ id: 'x', key: 'no key' }, new Date())).toThrow(/private key of the App cannot be read/)
})
