/** The step of the built action that starts runners, in cases in which it must fail: at each forge, followed by the post step. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { filesHolding, leaks } from '../../lab/leaks.ts'
import { type StepEnd, startStep } from '../../lab/step-runner.ts'
import { type Stage, stages } from '../../runner/stages.ts'

const FAST = { TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '2s', TPI_RESERVE: '5s' }

describe.each(Object.keys(stages))('at %s', (id) => {
  let folder: string
  let home: string
  let stage: Stage
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tpi-start-'))
    home = join(folder, 'home')
    mkdirSync(home)
    stage = (await stages[id]?.()) as Stage
  })
  afterEach(async () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    await stage.stop()
  })

  /** Runs the main and the post step. */
  async function step(inputs: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}): Promise<StepEnd[]> {
    const how = { folder, inputs, env: { ...FAST, GITHUB_REPOSITORY: 'octo/hello', ...stage.env, ...more } }
    const main = await startStep('main', how).end
    return [main, await startStep('post', how, main.state).end]
  }
  const start = async (...[inputs, more]: Parameters<typeof step>): ReturnType<typeof step> =>
    step({ mode: 'runner', labels: 'gpu', 'idle-timeout': 'never', ...stage.inputs, ...inputs }, more)
  const errors = (end: StepEnd | undefined): unknown => end?.annotations.filter(({ level }) => level === 'error')

  async function nothingIsLeft(): Promise<void> {
    expect(await leaks(home)).toEqual([])
    expect(filesHolding(home, stage.forge.secrets)).toEqual([])
    expect(stage.forge.runners.size).toBe(0)
  }

  test('runners that never come online: a failed step that says so, and nothing is left', async () => {
    stage.blind()
    const [main, post] = await start({ 'online-timeout': '4s' })
    expect([main?.code, main?.outputs['outcome'], post?.code]).toEqual([124, 'timed-out', 0])
    expect(errors(main)).toMatchObject([{ level: 'error', message: expect.stringContaining('not every runner came online within 4s') }])
    expect(main?.outputs['runs-on']).toBeUndefined()
    expect(stage.forge.secrets).toHaveLength(1)
    await nothingIsLeft()
  })

  test('for code of a fork, with the rights of the repository: refused before the forge is asked, unless that is wanted', async () => {
    const event = join(folder, 'event.json')
    const head = { repo: { full_name: 'evil/hello' } }
    writeFileSync(event, JSON.stringify({ repository: { full_name: 'octo/hello', private: false }, pull_request: { head } }))
    const env = { GITHUB_EVENT_NAME: 'pull_request_target', GITHUB_EVENT_PATH: event }
    const [main, post] = await start({}, env)
    expect([main?.code, main?.outputs, post?.code]).toEqual([64, { outcome: 'invalid', 'exit-code': '64' }, 0])
    expect(errors(main)).toMatchObject([
      { level: 'error', message: expect.stringMatching(/^allow-untrusted: "pull_request_target" of a fork would run a stranger's code/) },
    ])
    expect(stage.forge.seen).toEqual([])
    const [wanted] = await start({ 'allow-untrusted': 'true', name: 'wanted' }, env)
    expect([wanted?.code, wanted?.outputs['outcome'], stage.online()]).toEqual([0, 'running', 1])
    expect((await step({ command: 'destroy', name: 'wanted', discard: 'true' }))[0]?.code).toBe(0)
    await nothingIsLeft()
  })
})
