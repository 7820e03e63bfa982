/** The cost of a look at a run with two sets: the second one waits, and is read as a whole only once it has come up. */
import { expect, test } from '@jest/globals'
import type { Api } from '../../../src/clouds/az/api.ts'
import { groupName, TAG, twinName } from '../../../src/clouds/az/names.ts'
import { Watch } from '../../../src/clouds/az/observe.ts'
import { asleep, openFor, over } from '../../../src/clouds/az/profiles.ts'
import { GroupSizes } from '../../../src/clouds/az/scale.ts'
import type { CloudContext } from '../../../src/core/cloud.ts'
import { RemoteError } from '../../../src/core/errors.ts'

const of = { id: 'tpi-x-0123456789', incarnation: 'abcdef0123' }
const [FIRST, TWIN] = [groupName(of), twinName(of)]
const HOUR = 3_600_000

test('the second set is read once in each look, also when it comes up', async () => {
  let came = false
  const asked: string[] = []
  const end = Date.now() + HOUR
  const there = (name: string): boolean => name === FIRST || came
  const answers: Readonly<Record<string, (name: string) => object>> = {
    'sets.get': (name) => ({ name, sku: { capacity: there(name) ? 1 : 0 }, tags: { [TAG.twin]: TWIN } }),
    'settings.get': (name) => {
      const window = { start: Date.now() - HOUR, end, most: 1 }
      const open =
        name === FIRST ? { ...openFor(window), capacity: { minimum: '1', maximum: '1', default: '1' } } : asleep({ end, count: 1 })
      return { name, properties: { enabled: true, targetResourceUri: '', profiles: [open, over(0)] } }
    },
  }
  const api = {
    region: 'westeurope',
    subscription: async () => 'one',
    maybe: async (call: string, _tried: string, { path }: { readonly path: { readonly name: string } }) => {
      asked.push(`${call} ${path.name}`)
      return answers[call]?.(path.name)
    },
    all: async (call: string, _tried: string, { query }: { readonly query: { readonly $filter: string } }) => {
      const [, name = ''] = /virtualMachineScaleSets\/([^']+)'/.exec(query.$filter) ?? []
      if (call !== 'machines.list' || !there(name)) return []
      const statuses = [{ code: 'PowerState/running' }]
      return [{ name: `${name}_0a1b2c3d`, properties: { provisioningState: 'Succeeded', instanceView: { statuses } } }]
    },
  } as unknown as Api
  const watch = new Watch(api, of, 'group', new GroupSizes(api, of, 'group', {} as CloudContext))
  const look = async (): Promise<readonly [machines: number, reads: number]> => {
    asked.length = 0
    const { machines } = await watch.look()
    return [machines.length, asked.filter((call) => call === `sets.get ${TWIN}`).length]
  }
  expect(await look()).toEqual([1, 1])
  came = true
  const looks: (readonly [number, number])[] = []
  while (looks.at(-1)?.[0] !== 2 && looks.length < 10) looks.push(await look())
  expect(looks.at(-1)).toEqual([2, 1])
})

test('a change of size that fails is reported, even if Azure did not answer in between', async () => {
  const answers: (() => object)[] = [
    () => {
      throw new RemoteError('az: no answer', { retryable: true })
    },
    () => ({ status: 'InProgress' }),
    () => ({ status: 'Failed', error: { code: 'AllocationFailed', message: 'Allocation failed.' } }),
  ]
  const api = {
    region: 'westeurope',
    subscription: async () => 'one',
    maybe: async (call: string) => (call === 'sets.get' ? { name: FIRST, sku: { capacity: 0 } } : undefined),
    all: async () => [],
    follow: async () => ({ status: 200, value: answers.shift()?.() }),
  } as unknown as Api
  const watch = new Watch(api, of, 'group', new GroupSizes(api, of, 'group', {} as CloudContext))
  watch.expects({ address: 'https://management.azure.com/operation', bare: false })
  const told: number[] = []
  for (let look = 0; look < 4; look += 1) told.push((await watch.look()).events.length)
  expect([told, answers]).toEqual([[0, 0, 1, 1], []])
})
