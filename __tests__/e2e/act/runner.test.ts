/** The reusable workflows for runners, run by act with the built action: start, a job, and the retry of one that was cut off. */
import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type ActLab, actLab } from '../../lab/act.ts'
import { GithubDouble } from '../../lab/github/double.ts'
import { leaks } from '../../lab/leaks.ts'
import { DIST } from '../../lab/step-runner.ts'
import { until } from '../../setup/wait.ts'

const WORKFLOWS = join(import.meta.dirname, '../../../.github/workflows')

let lab: ActLab | undefined
let forge: GithubDouble

beforeEach(async () => {
  lab = await actLab()
  forge = await new GithubDouble().start()
  for (const name of ['runner.yml', 'runner-retry.yml'])
    if (lab) cpSync(join(WORKFLOWS, name), join(lab.repository, '.github/workflows', name), { recursive: true })
})
afterEach(async () => {
  lab?.remove()
  await forge.stop()
  expect(forge.breaches).toEqual([])
})

test('they start runners, which serve a job, and run a job again that was cut off', async () => {
  if (!lab) return
  const { home } = lab
  const call = (file: string, inputs: string): string =>
    `jobs:\n  gpu:\n    uses: ./.github/workflows/${file}\n    with: { ${inputs} }\n    secrets: { token: "\${{ secrets.T }}", environment: "FROM_SECRETS=1" }\n`
  const inputs = `name: r, cloud: local, labels: gpu, idle-timeout: 10m, forge-url: "${forge.url}", run: "echo ran on it"`
  lab.write('.github/workflows/use.yml', `on: push\n${call('runner.yml', inputs)}`)
  lab.write('.github/workflows/again.yml', `on: push\n${call('runner-retry.yml', `cloud: local, forge-url: "${forge.url}"`)}`)
  const secrets = { T: 'good' }
  const env = { GITHUB_REPOSITORY: 'octo/hello' }
  const used = await lab.run('use.yml', { env, secrets, label: 'gpu' })
  expect(used.text).toContain('ran on it')
  expect(used.code).toBe(0)
  const [runner] = [...forge.runners.values()]
  const run = forge.push([{ labels: [...(runner?.labels ?? [])], script: '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 600' }])
  // The forge answers in this same process, so nothing here may block.
  const tpi = async (...words: string[]): Promise<string> => {
    const env = { PATH: process.env['PATH'], HOME: home, TPI_HOME: home, REPO_TOKEN: 'good', TPI_FORGE_URL: forge.url }
    return (await promisify(execFile)(process.execPath, [join(DIST, 'cli.js'), ...words], { env })).stdout
  }
  const status = async (): Promise<string> => tpi('status', 'r', '--json')
  await until('the job is on record', async () => (await status()).includes('"jobs"'), 30_000)
  await tpi('interrupt', 'r')
  await until('the job has failed', () => run.jobs[0]?.status === 'completed', 30_000)
  await until('the machine has said so', async () => (await status()).includes('"failed"'), 30_000)
  const again = await lab.run('again.yml', { env, secrets, run: '2' })
  expect(again.code).toBe(0)
  await until('the job runs again, and succeeds', () => run.attempt === 2 && run.jobs[0]?.conclusion === 'success', 30_000)
  await tpi('destroy', 'r', '--discard')
  expect(await leaks(home)).toEqual([])
  expect(forge.runners.size).toBe(0)
})

test('for an organization, by an App, in a group that serves public repositories: each machine serves the number of jobs that was allowed for that', async () => {
  if (!lab) return
  const { home } = lab
  forge.groups.set(7, 'builders')
  forge.publicGroups.add(7)
  const key = forge.apps.create('Iv1.abc', ['/orgs/octo'], { organization_self_hosted_runners: 'write', metadata: 'read' })
  const here = `name: o, cloud: local, labels: gpu, jobs: 2, idle-timeout: 10m, forge-url: "${forge.url}"`
  const theirs = 'organization: octo, runner-group: builders, allow-public: true, app-id: Iv1.abc'
  const secrets = '{ app-key: "${{ secrets.KEY }}" }'
  const job = `  gpu:\n    uses: ./.github/workflows/runner.yml\n    with: { ${here}, ${theirs} }\n    secrets: ${secrets}\n`
  lab.write('.github/workflows/organization.yml', `on: push\njobs:\n${job}`)
  const { code, text } = await lab.run('organization.yml', { env: { GITHUB_REPOSITORY: 'octo/hello' }, secrets: { KEY: key } })
  expect([code, text]).toEqual([0, expect.stringContaining('serves 2 jobs')])
  expect([...forge.runners.values()].map(({ group }) => group)).toEqual([7, 7])
  expect(forge.apps.minted).toMatchObject([{ permissions: { organization_self_hosted_runners: 'write' } }])
  const env = { PATH: process.env['PATH'], HOME: home, TPI_HOME: home, TPI_APP_ID: 'Iv1.abc', TPI_APP_KEY: key, TPI_FORGE_URL: forge.url }
  await promisify(execFile)(process.execPath, [join(DIST, 'cli.js'), 'destroy', 'o', '--discard'], { env })
  expect([forge.runners.size, await leaks(home)]).toEqual([0, []])
})
