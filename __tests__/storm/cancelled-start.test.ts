/**
 * A workflow is cancelled, or its runner dies, at every call to store, cloud or forge of the step that starts runners. The post step that follows
 * removes machines, registrations and secrets, unless the start was complete: then the runner waits for jobs.
 */
import { expect, test } from '@jest/globals'
import { filesHolding } from '../lab/leaks.ts'
import { ways as registered, type Stage } from '../runner/stages.ts'
import { atEveryCall, type Cut, cutStep, FAST, left, mortalAction, SOUND } from './cut-step.ts'
import { sampled } from './random.ts'

const TOKEN = 'token-of-the-one-who-started-it'
const INPUTS = { mode: 'runner', name: 'made', labels: 'gpu', 'idle-timeout': '5m', timeout: '5m' }
/** Calls that must be covered, in addition to every numbered call. */
const KINDS = ['ensure', 'start']

const dist = mortalAction()

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const
/** When the request was sent, and when its answer is there. */
const WHENS = ['during', 'after'] as const
const ways = sampled(SIGNALS.flatMap((signal) => WHENS.map((when) => ({ signal, when }))))

async function judged(cut: Cut, { forge, online, secrets }: Stage): Promise<readonly string[]> {
  const there = online()
  // A cancellation during the last calls may find a complete start. In a cancelled workflow, both ends are right.
  const right = cut.main.code !== 0 ? there === 0 : there === 1 || cut.asked
  const faults = right ? [] : [`${there} runners online after ${cut.main.code}: ${cut.main.text}`]
  const end = there > 0 ? await cut.command({ command: 'destroy', name: 'made', discard: 'true' }) : undefined
  if (end && end.code !== 0) faults.push(`destroy ended with ${end.code}: ${end.text}`)
  faults.push(...(await left(cut, 'made')))
  if (forge.runners.size > 0) faults.push(`${forge.runners.size} registrations: ${cut.main.text}${cut.post.text}`)
  return [...faults, ...filesHolding(cut.home, [TOKEN, ...secrets()]), ...forge.breaches]
}

/** Calls to a forge are all its own. Where one forge has two ways of registration, these are the calls that only the second way makes. */
const EACH: Readonly<Record<string, RegExp>> = { 'github, without limit': /^forge .*\/(?:registration-token|runners)$/ }

/** Calls to store and cloud are the same at all forges, so each forge takes only every n-th of them, each with another start. */
const STRIDE = Number(process.env['TPI_CUT_STRIDE'] ?? Object.keys(registered).length)

test.each(sampled(Object.keys(registered).map((id, at) => [id, { from: (at % STRIDE) + 1, stride: STRIDE }] as const)))(
  '%s: a signal at any call, then the post step: a runner that waits for jobs, or nothing at all',
  async (id, steps) => {
    const tried = await atEveryCall(id, { ways, kinds: KINDS, each: EACH[id] ?? /^forge /, steps }, async (point) => {
      const stage = (await registered[id]?.()) as Stage
      try {
        stage.trust(TOKEN)
        const env = { ...FAST, ...stage.env, REPO_TOKEN: TOKEN, GITHUB_REPOSITORY: 'octo/hello', GITHUB_SERVER_URL: stage.forge.url }
        const step = { dist: dist(), inputs: { ...INPUTS, ...stage.inputs }, env }
        return await cutStep(step, point, async (cut) => judged(cut, stage))
      } finally {
        await stage.stop()
      }
    })
    expect(tried).toEqual(SOUND)
  },
  10 * 60_000,
)
