/**
 * A run that stays in a region after all is given machines as before, including machines at full price if it may have them, and also by a command that is
 * told to end.
 */
import { expect, test } from '@jest/globals'
import type { Api } from '../../../src/clouds/aws/api.ts'
import { GroupSizes } from '../../../src/clouds/aws/scale.ts'
import type { CloudContext } from '../../../src/core/cloud.ts'

const of = { id: 'tpi-x-0123456789', incarnation: 'abcdef0123' }
const GROUP = 'tpi-x-0123456789-abcdef0123'

test.each([
  ['both groups grow', [GROUP, `${GROUP}-on-demand`]],
  ['one that is alone grows', [GROUP]],
])('%s, by whatever process', async (_, there) => {
  const sizes = new Map<string, unknown>()
  const send = async ({ input }: { readonly input: { readonly AutoScalingGroupName: string; readonly DesiredCapacity: number } }) => {
    const { AutoScalingGroupName: name, DesiredCapacity: size } = input
    if (!there.includes(name)) throw Object.assign(new Error('AutoScalingGroup name not found'), { name: 'ValidationError' })
    sizes.set(name, size)
  }
  const api = { autoScaling: { send }, call: async <T>(_what: string, act: () => Promise<T>) => act() } as unknown as Api
  const context = { signal: AbortSignal.abort() } as CloudContext
  await new GroupSizes(api, context).resume(of, 3)
  expect(Object.fromEntries(sizes)).toEqual(Object.fromEntries(there.map((name) => [name, 3])))
})
