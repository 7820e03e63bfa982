/** `mode: runner` as a step of a workflow: what later jobs get from it, and what its post step does and does not remove. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { type ActionProcess, runMainStep, runPostStep } from '../../src/action.ts'
import type { WorkflowContext } from '../../src/host/workflow-event.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { below } from '../setup/below.ts'
import { until } from '../setup/wait.ts'
import { killAll, processesOf } from '../storm/processes.ts'

let forge: GithubDouble
let root: string
beforeEach(async () => {
  forge = await new GithubDouble().start()
  root = await mkdtemp(join(tmpdir(), 'tpi-step-'))
  await Promise.all(['output', 'state', 'summary'].map(async (name) => writeFile(join(root, name), '')))
  // The forge's own toolkit reads only these files.
  Object.assign(process.env, files())
})
afterEach(async () => {
  for (const name of Object.keys(files())) delete process.env[name]
  // A guard may die together with what it guards, so this repeats until no process is left.
  killAll(alive)
  await forge.stop()
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  expect([alive(), forge.breaches]).toEqual([[], []])
})

const printed: string[] = []
beforeEach(() => void (printed.length = 0))

const files = (): Record<string, string> => ({
  GITHUB_OUTPUT: join(root, 'output'),
  GITHUB_STATE: join(root, 'state'),
  GITHUB_STEP_SUMMARY: join(root, 'summary'),
})

function step(
  inputs: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
  event?: WorkflowContext,
): ActionProcess {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    TPI_HOME: join(root, 'home'),
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'octo/hello',
    GITHUB_API_URL: forge.url,
    GITHUB_SERVER_URL: forge.url,
    GITHUB_RUN_ID: '77',
    GITHUB_JOB: 'start',
    GITHUB_ACTION: 'runner',
    ...files(),
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    ...more,
  }
  return {
    env,
    cwd: root,
    ppid: process.ppid,
    platform: process.platform,
    stdout: { write: (text) => printed.push(text) },
    on: process.on.bind(process),
    agentFile: process.env['TPI_AGENT_BUNDLE'] ?? '',
    workflow: async () => event,
  }
}

/** All processes that belong to this home. */
const alive = (): ReturnType<typeof processesOf> => processesOf(root)

/** The values in a file of the workflow runner's format. */
async function values(file: string): Promise<Record<string, string>> {
  const text = await readFile(join(root, file), 'utf8')
  return Object.fromEntries([...text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name = '', , value = '']) => [name, value]))
}

const INPUTS = { mode: 'runner', cloud: 'local', labels: 'gpu', token: 'good', 'idle-timeout': '20s' }

describe('mode: runner', () => {
  test('later jobs get the label; the post step leaves a healthy runner alone', async () => {
    expect(await runMainStep(step(INPUTS))).toBe(0)
    const outputs = await values('output')
    expect(JSON.parse(outputs['runs-on'] ?? '')).toEqual([outputs['label'], 'gpu'])
    expect(outputs['outcome']).toBe('running')
    const names = JSON.parse(outputs['runners'] ?? '') as string[]
    const idOf = (name: string) => String([...forge.runners.values()].find((one) => one.name === name)?.id)
    expect(JSON.parse(outputs['runner-ids'] ?? '')).toEqual(names.map(idOf))
    const times = JSON.parse(outputs['online-after'] ?? '') as number[]
    expect(times).toHaveLength(1)
    expect(times[0]).toBeGreaterThan(0)
    expect(times[0]).toBeLessThanOrEqual((Date.now() - Date.parse(outputs['started-at'] ?? '')) / 1000 + 0.1)
    const state = Object.fromEntries(Object.entries(await values('state')).map(([name, value]) => [`STATE_${name}`, value]))
    expect(await runPostStep(step(INPUTS, state))).toBe(0)
    const run = forge.push([{ labels: JSON.parse(outputs['runs-on'] ?? '[]') as string[], script: 'echo served' }])
    await until('the job is served', () => run.jobs[0]?.conclusion === 'success')
    await until('the machine has left', () => alive().length === 0)
    expect(await readFile(join(root, 'summary'), 'utf8')).toContain('serves 1 job; further jobs with this label wait')
    expect(printed.join('')).not.toMatch(/(?<!add-mask::)good\b/)
  })

  test('on a machine that is removed after its job, says that the runners are removed, too', async () => {
    const toolkit = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    expect(await runMainStep(step(INPUTS, { RUNNER_ENVIRONMENT: 'github-hosted' }))).toBe(0)
    const reported = toolkit.mock.calls.map(([text]) => String(text)).join('')
    toolkit.mockRestore()
    expect(reported).toMatch(/::warning.*cloud local: this hosted machine ends with its CI job, and so do the runners on it/)
  })

  test('a start that was cut off is undone by the post step, including the registration', async () => {
    expect(await runMainStep(step(INPUTS))).toBe(0)
    const { ended: _ended, ...rest } = await values('state')
    const state = Object.fromEntries(Object.entries(rest).map(([name, value]) => [`STATE_${name}`, value]))
    expect(forge.runners.size).toBe(1)
    // A step in between has removed files that the inputs name.
    expect(await runPostStep(step({ ...INPUTS, 'env-file': 'gone.env', 'setup-file': 'gone.py' }, state))).toBe(0)
    expect(forge.runners.size).toBe(0)
    await until('no machine is left', () => alive().length === 0)
  })

  test('a start that had only found existing runners leaves them', async () => {
    const named = { ...INPUTS, name: 'shared' }
    expect(await runMainStep(step(named))).toBe(0)
    await writeFile(join(root, 'state'), '')
    expect(await runMainStep(step(named))).toBe(0)
    const { ended: _ended, ...rest } = await values('state')
    expect(rest).toMatchObject({ begun: 'attached' })
    const state = Object.fromEntries(Object.entries(rest).map(([name, value]) => [`STATE_${name}`, value]))
    const run = forge.push([{ labels: JSON.parse((await values('output'))['runs-on'] ?? '[]') as string[], script: 'sleep 2' }])
    await until('the job runs', () => run.jobs[0]?.status !== 'queued')
    expect(await runPostStep(step(named, state))).toBe(0)
    await until('the job is over', () => run.jobs[0]?.status === 'completed')
    expect(run.jobs[0]?.conclusion).toBe('success')
  })

  test('a start that was killed before it could say that its runners have a job leaves them', async () => {
    const named = { ...INPUTS, name: 'busy' }
    expect(await runMainStep(step(named))).toBe(0)
    const { ended: _ended, ...rest } = await values('state')
    const state = Object.fromEntries(Object.entries(rest).map(([name, value]) => [`STATE_${name}`, value]))
    const go = join(root, 'go')
    const labels = JSON.parse((await values('output'))['runs-on'] ?? '[]') as string[]
    const run = forge.push([{ labels, script: `until test -e ${go}; do sleep 0.1; done` }])
    const slots = async (): Promise<string[]> => {
      const found = (await below(root)).filter((entry) => entry.isFile() && join(entry.parentPath, entry.name).includes('slot.json'))
      return Promise.all(found.map(async ({ parentPath, name }) => readFile(join(parentPath, name), 'utf8').catch(() => '')))
    }
    await until('the job is on record', async () => (await slots()).some((slot) => slot.includes('"phase":"job"')))
    expect(await runPostStep(step(named, state))).toBe(0)
    expect(run.jobs[0]?.status).toBe('in_progress')
    await writeFile(go, '')
    await until('the job is over', () => run.jobs[0]?.status === 'completed')
    expect(run.jobs[0]?.conclusion).toBe('success')
  })

  test('another job that looks the same, as the second call of a reusable workflow, is told to take a name: these runners serve the first', async () => {
    const attempt = { GITHUB_RUN_ATTEMPT: '1' }
    expect(await runMainStep(step(INPUTS, attempt))).toBe(0)
    expect(await runMainStep(step(INPUTS, attempt))).toBe(64)
    expect(await runMainStep(step(INPUTS, { GITHUB_RUN_ATTEMPT: '2' }))).toBe(0)
    expect(forge.runners.size).toBe(1)
  })

  test('of a fork, with the rights of the repository: refused before the forge is asked; the repository’s own code is not', async () => {
    const event = (from: string): WorkflowContext => ({
      eventName: 'pull_request_target',
      payload: { repository: { full_name: 'octo/hello' }, pull_request: { head: { repo: { full_name: from } } } },
    })
    const toolkit = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    expect(await runMainStep(step(INPUTS, {}, event('evil/hello')))).toBe(64)
    expect(toolkit.mock.calls.map(([text]) => String(text)).join('')).toMatch(/::error.*allow-untrusted/)
    toolkit.mockRestore()
    expect([await values('output'), forge.seen]).toEqual([{ outcome: 'invalid', 'exit-code': '64' }, []])
    expect(await runMainStep(step(INPUTS, {}, event('octo/hello')))).toBe(0)
    expect(forge.runners.size).toBe(1)
  })

  test('after a run of a fork, retry and sweep do their work, which is none of the fork’s; not if a configuration file takes part', async () => {
    const repository = { full_name: 'octo/hello' }
    const event = { eventName: 'workflow_run', payload: { repository, workflow_run: { head_repository: { full_name: 'evil/hello' } } } }
    const toolkit = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    const tidy = { command: 'retry', cloud: 'local', token: 'good' }
    expect(await runMainStep(step(tidy, {}, event))).toBe(0)
    expect(await runMainStep(step({ ...tidy, command: 'sweep' }, {}, event))).toBe(0)
    expect(await runMainStep(step({ ...tidy, command: 'list' }, {}, event))).toBe(64)
    await writeFile(join(root, 'tpi.yaml'), 'cloud: local\n')
    expect(await runMainStep(step({ command: 'retry', token: 'good' }, {}, event))).toBe(64)
    toolkit.mockRestore()
  })

  test('for a member’s comment on a pull request whose owner the forge does not tell: refused', async () => {
    const payload = {
      repository: { full_name: 'octo/hello' },
      issue: { number: 7, pull_request: {} },
      comment: { author_association: 'OWNER' },
    }
    const toolkit = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    const answer = jest.spyOn(globalThis, 'fetch')
    const says = (status: number, from: string): Response => Response.json({ head: { repo: { full_name: from } } }, { status })
    const started = async (said: Response): Promise<number> => {
      answer.mockResolvedValueOnce(said)
      return runMainStep(step({ ...INPUTS, 'github-token': 'of-the-job' }, {}, { eventName: 'issue_comment', payload }))
    }
    expect([await started(says(404, 'octo/hello')), await started(says(200, 'evil/hello'))]).toEqual([64, 64])
    expect(await started(says(200, 'octo/hello'))).toBe(0)
    expect(answer.mock.calls[0]?.[0]).toBe(`${forge.url}/repos/octo/hello/pulls/7`)
    answer.mockRestore()
    toolkit.mockRestore()
    expect(forge.runners.size).toBe(1)
  })

  test('an output that would contain the token is withheld, be it a name or a label', async () => {
    const toolkit = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    expect(await runMainStep(step({ ...INPUTS, name: 'goods', labels: 'gpu,for-good' }))).toBe(0)
    const text = await readFile(join(root, 'output'), 'utf8')
    const outputs = await values('output')
    expect(text).not.toContain('good')
    expect(outputs['name']).toBe('***s')
    expect(JSON.parse(outputs['runs-on'] ?? '')).toEqual([outputs['label'], 'gpu', 'for-***'])
    // The first warnings are annotations, the others plain lines; a host that is removed with its job prints a warning about that itself.
    const reported = [...toolkit.mock.calls.map(([text]) => String(text)), ...printed]
    const warned = reported.flatMap((text) => /output "([^"]+)" would hold a secret/.exec(text)?.[1] ?? [])
    expect(warned).toEqual(['id', 'name', 'labels', 'runs-on', 'runners'])
    toolkit.mockRestore()
    expect(printed.join('') + (await readFile(join(root, 'summary'), 'utf8'))).not.toContain('good')
    // The post step still knows what the step made.
    const state = Object.fromEntries(Object.entries(await values('state')).map(([name, value]) => [`STATE_${name}`, value]))
    expect(state['STATE_id']).toContain('goods')
    expect(await runPostStep(step(INPUTS, { ...state, STATE_ended: '' }))).toBe(0)
    expect(forge.runners.size).toBe(0)
    await until('no machine is left', () => alive().length === 0)
  })
})
