/**
 * A workflow is cancelled, or its runner dies, at every call of the action's main step to store or cloud: the post step that follows leaves no
 * machine, and nothing at all but results that were saved, which `destroy` removes.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { leaks } from '../lab/leaks.ts'
import { startStep } from '../lab/step-runner.ts'
import { buildMortalAction } from './program.ts'

/** Steps at a time. */
const SIDE_BY_SIDE = 4
/** Numbers without a call after which there are no more calls. */
const BEYOND = 10
/** Kinds of calls of which none may be missed, however often a run looks in between. */
const KINDS = ['whoami', 'ensure', 'scale 1', 'scale 0', 'remove', 'clear']
const FAST = { TPI_LEASE_BEAT: '300ms', TPI_LEASE_TTL: '2s', TPI_RESERVE: '4s' }
const INPUTS = { mode: 'task', name: 'made', workdir: 'project', output: 'out', timeout: '60s', grace: '1s', script: 'echo 1 > out' }

let action: Awaited<ReturnType<typeof buildMortalAction>>
beforeAll(async () => {
  action = await buildMortalAction()
})
afterAll(() => action.remove())

interface Way {
  readonly signal: NodeJS.Signals
  readonly when: 'before' | 'after'
}

/** What a runner does to a step it cancels, and what becomes of one whose host dies. */
const WAYS: readonly Way[] = [
  { signal: 'SIGINT', when: 'before' },
  { signal: 'SIGTERM', when: 'after' },
  { signal: 'SIGKILL', when: 'after' },
]

interface Seen {
  readonly call: string | undefined
  readonly faults: readonly string[]
}

async function killedAt(at: number | string, { signal, when }: Way): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-cancelled-'))
  try {
    mkdirSync(join(folder, 'project'))
    writeFileSync(join(folder, 'project', 'in'), 'x')
    const home = join(folder, 'home')
    const mark = join(folder, 'mark')
    const env = { ...FAST, TEST_CALL: String(at), TEST_WHEN: when, TEST_SIGNAL: signal, TEST_MARK: mark }
    const how = { folder, inputs: INPUTS, env, dist: action.dist }
    const running = startStep('main', how)
    // The runner kills what does not go by itself.
    const killer = setTimeout(() => running.child.kill('SIGKILL'), 10_000)
    const main = await running.end
    clearTimeout(killer)
    const post = await startStep('post', how, main.state).end
    const faults: string[] = []
    if (post.code !== 0) faults.push(`post ended with ${post.code ?? post.signal}: ${post.text}`)
    const left = await leaks(home)
    faults.push(...left.filter((line) => line.startsWith('process')))
    if (left.length > 0) {
      // What stays is what was saved, and it is told.
      if (!/stay for/.test(main.text + post.text)) faults.push(`left without a word: ${left.join(', ')}: ${main.text}${post.text}`)
      const command = { command: 'destroy', name: 'made', discard: 'true' }
      await startStep('main', { ...how, inputs: command, env: { ...env, TEST_CALL: '0' } }).end
      faults.push(...(await leaks(home)))
    }
    const call = existsSync(mark) ? readFileSync(mark, 'utf8') : undefined
    return { call, faults: faults.map((fault) => `${signal} ${when} ${at} ${call}: ${fault}`) }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

test.each(WAYS)(
  '$signal $when any call, then the post step: nothing runs, nothing is left unsaid',
  async (way) => {
    const seen: Seen[] = []
    let next = 1
    let last = 0
    const player = async (): Promise<void> => {
      // How often a run looks depends on how long it takes: a short one does not say that there are no more calls.
      while (next <= last + BEYOND) {
        const number = next++
        const one = await killedAt(number, way)
        seen.push(one)
        if (one.call !== undefined) last = Math.max(last, number)
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, player))
    const missed = (): string[] => KINDS.filter((kind) => !seen.some(({ call }) => call?.startsWith(kind)))
    for (const kind of missed()) seen.push(await killedAt(kind, way))
    expect(seen.flatMap(({ faults }) => faults)).toEqual([])
    expect(missed()).toEqual([])
  },
  10 * 60_000,
)
