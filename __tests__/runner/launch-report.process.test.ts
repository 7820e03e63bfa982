/** The storage fails just when all runners are online. */
import { expect, test } from '@jest/globals'
import { StoreError } from '../../src/wire/store.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { dyingStore } from '../storm/dying.ts'
import { onStage } from './stages.ts'

const on = onStage('github')

test.each([['--json'], ['']])('for a moment: the start reports them nevertheless %s, and they stay', async (json) => {
  const host = memoryHost()
  let fails = 2
  const through = async <T>(call: string, act: () => Promise<T>): Promise<T> => {
    if (host.outputs['runner-ids'] === undefined || !call.startsWith('read ') || fails === 0) return act()
    fails -= 1
    throw new StoreError('unavailable', 'storage: no answer')
  }
  const ran = await on.tpi(`runner --name r ${on.stage.options} --labels gpu --idle-timeout never ${json}`.trim(), {
    host,
    given: (context) => ({ ...context, access: async (place) => dyingStore(await context.access(place), { through }) }),
  })
  expect(ran.code).toBe(0)
  expect(ran.facts?.outcome).toBe(json === '' ? undefined : 'running')
  expect(on.objects()).toBe(1)
  await on.tpi('destroy r --discard')
})
