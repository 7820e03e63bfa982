/** Runners whose forge never says that they are online. */
import { describe, expect, test } from '@jest/globals'
import { filesHolding } from '../lab/leaks.ts'
import { onStage, stages } from './stages.ts'

describe.each(Object.keys(stages))('at %s', (id) => {
  const on = onStage(id)

  test('when the time is over, the state of the machine is reported, and everything is removed', async () => {
    on.stage.blind()
    const ran = await on.launch('--labels gpu --online-timeout 40s')
    expect(ran).toMatchObject({
      code: 124,
      facts: { error: expect.stringMatching(/^r: not every runner came online within 40s: machine 0 is idle/) },
    })
    expect(on.stage.forge.secrets).toHaveLength(1)
    expect(filesHolding(on.w.home, on.stage.forge.secrets)).toEqual([])
    expect([on.objects(), await on.w.alive()]).toEqual([0, []])
    expect((await on.w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
  })
})
