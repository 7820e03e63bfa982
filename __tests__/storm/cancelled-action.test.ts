/**
 * A workflow is cancelled, or its runner dies, at every call of the action's main step to store or cloud, each in one of several ways. The post step
 * that follows leaves no machine, and nothing else except saved results, which `destroy` removes.
 */
import { expect, test } from '@jest/globals'
import { atEveryCall, type Cut, cutStep, FAST, left, mortalAction, type Point, SOUND, type Way } from './cut-step.ts'
import { sampled } from './random.ts'

const KINDS = ['whoami', 'ensure', 'start', 'end', 'remove', 'clear']
const INPUTS = { mode: 'task', name: 'made', workdir: 'project', output: 'out', timeout: '60s', grace: '1s', script: 'echo 1 > out' }

const dist = mortalAction()

/** What a runner does to a step that it cancels, and what happens if its host dies. */
const WAYS: readonly Way[] = [
  { signal: 'SIGINT', when: 'before' },
  { signal: 'SIGTERM', when: 'after' },
  { signal: 'SIGKILL', when: 'after' },
]

test.each(sampled(WAYS.map((way, at) => ({ ...way, at }))))(
  '$signal $when every third call, then the post step: nothing runs, nothing is left unsaid',
  async ({ at, ...way }) => {
    const step = { dist: dist(), inputs: INPUTS, env: FAST }
    const cut = async (point: Point): ReturnType<typeof cutStep> => cutStep(step, point, async (one) => left(one, 'made'))
    expect(
      await atEveryCall(`${way.signal} ${way.when}`, { ways: [way], kinds: KINDS, steps: { from: 1 + at, stride: WAYS.length } }, cut),
    ).toEqual(SOUND)
  },
  10 * 60_000,
)

test('what later steps and the post step need is written before the first call', async () => {
  const cuts: Cut[] = []
  const seen = await cutStep({ dist: dist(), inputs: INPUTS, env: FAST }, { at: 1, signal: 'SIGKILL', when: 'before' }, async (cut) => {
    cuts.push(cut)
    return left(cut, 'made')
  })
  expect(seen).toMatchObject({ call: expect.any(String), faults: [] })
  expect(cuts[0]?.main).toMatchObject({
    signal: 'SIGKILL',
    outputs: { id: expect.stringMatching(/^tpi-made-[0-9a-f]{10}$/), name: 'made' },
    state: { id: cuts[0]?.main.outputs['id'], since: expect.stringMatching(/^20\d\d-/) },
  })
})
