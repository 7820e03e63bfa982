/**
 * A workflow is cancelled, or its runner dies, at every call to store or cloud of the step that starts runners: the post step that follows gives
 * back machines and registrations, unless the start had come to its end: then the runner waits for jobs.
 */
import { expect, test } from '@jest/globals'
import { GithubDouble } from '../lab/github/double.ts'
import { atEveryCall, type Cut, cutStep, FAST, left, mortalAction, SOUND, type Way } from './cut-step.ts'

const KINDS = ['ensure', 'scale 1']
const INPUTS = { mode: 'runner', name: 'made', labels: 'gpu', 'idle-timeout': '5m', timeout: '5m', repository: 'octo/hello', token: 'good' }

const dist = mortalAction()

const WAYS: readonly Way[] = [
  { signal: 'SIGINT', when: 'before' },
  { signal: 'SIGTERM', when: 'after' },
  { signal: 'SIGKILL', when: 'after' },
]

async function judged(cut: Cut, forge: GithubDouble): Promise<readonly string[]> {
  const online = [...forge.runners.values()].filter((runner) => runner.online).length
  // A cancellation that comes with the last calls finds a start that has come to its end: of a cancelled workflow both are right.
  const right = cut.main.code !== 0 ? online === 0 : online === 1 || cut.call !== undefined
  const faults = right ? [] : [`${online} runners online after ${cut.main.code}: ${cut.main.text}`]
  if (online > 0) await cut.command({ command: 'destroy', name: 'made', discard: 'true', token: 'good' })
  faults.push(...(await left(cut, 'made')))
  if (forge.runners.size > 0) faults.push(`${forge.runners.size} registrations: ${cut.main.text}${cut.post.text}`)
  return [...faults, ...forge.breaches]
}

test.each(WAYS)(
  '$signal $when any call, then the post step: a runner that waits for jobs, or nothing at all',
  async (way) => {
    const tried = await atEveryCall(KINDS, async (at) => {
      const forge = await new GithubDouble().start()
      try {
        const env = { ...FAST, GITHUB_REPOSITORY: 'octo/hello', GITHUB_API_URL: forge.url, GITHUB_SERVER_URL: forge.url }
        return await cutStep({ dist: dist(), inputs: INPUTS, env }, at, way, async (cut) => judged(cut, forge))
      } finally {
        await forge.stop()
      }
    })
    expect(tried).toEqual(SOUND)
  },
  10 * 60_000,
)
