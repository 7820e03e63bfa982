/** What `tpi doctor` finds on Kubernetes without a cluster: quotas, limits, and objects that a pod template names. */
import { expect, test } from '@jest/globals'
import type { Api } from '../../src/clouds/k8s/api.ts'
import { named } from '../../src/clouds/k8s/checks/named.ts'
import { room } from '../../src/clouds/k8s/checks/quota.ts'

interface Limits {
  readonly quotas?: readonly Readonly<Record<string, string>>[]
  readonly rules?: readonly object[]
}

/** A namespace with these quotas, of which nothing is used, and these rules in one LimitRange. */
function withLimits({ quotas = [], rules = [] }: Limits): Api {
  const items = {
    resourcequotas: quotas.map((hard) => ({ metadata: { name: 'team' }, status: { hard } })),
    limitranges: [{ metadata: { name: 'sizes' }, spec: { limits: rules } }],
  }
  const ask = async (_: string, path: string): Promise<unknown> => ({ items: items[path.split('/').at(-1) as keyof typeof items] })
  return { namespace: 'ci', ask } as unknown as Api
}

const main = (resources: object): object => ({ name: 'main', resources })
const found = async (limits: Limits, ...pods: object[]): Promise<string> => (await room(withLimits(limits), { pods })).says

test('room: quotas count each container with the defaults of the LimitRange, and a limit alone as a request, too', async () => {
  const defaults = { type: 'Container', defaultRequest: { cpu: '500m' }, default: { cpu: '2' } }
  const quotas = [{ 'requests.cpu': '1500m' }]
  const pod = { containers: [main({ requests: { cpu: '1' } }), { name: 'side' }] }
  expect(await found({ quotas, rules: [defaults] }, pod)).toBe('the namespace has room for one machine')
  expect(await found({ quotas, rules: [defaults] }, pod, { containers: [main({})] })).toContain(
    'has 1.5 of requests.cpu left, and 2 are needed',
  )
  expect(await found({ quotas, rules: [defaults] }, { containers: [main({ limits: { cpu: '2' } })] })).toContain('and 2 are needed')
  expect(await found({ quotas: [{ cpu: '1' }] }, pod)).toBe('quota "team" requires every container to specify cpu, and "side" would not')
})

test('room: a limit for whole pods counts the defaults of their containers, too', async () => {
  const rules = [
    { type: 'Container', defaultRequest: { cpu: '500m' }, default: { cpu: '500m' } },
    { type: 'Pod', max: { cpu: '1' } },
  ]
  expect(await found({ rules }, { containers: [main({ requests: { cpu: '600m' }, limits: { cpu: '600m' } }), { name: 'side' }] })).toBe(
    'a pod asks for 1.1 of cpu, and LimitRange "sizes" allows at most 1',
  )
})

test('an object that several containers read is reported once', async () => {
  const ref = (key: string) => ({ name: key, valueFrom: { secretKeyRef: { name: 'keys', key } } })
  const read = { containers: [{ env: [ref('a'), ref('b')] }, { env: [ref('a')] }] }
  const apiWith = (secret: object | undefined): Api => ({ namespace: 'ci', get: async () => secret }) as unknown as Api
  const missing = await named(apiWith(undefined), read)
  expect(missing.map(({ says }) => says)).toEqual(['there is no secret "keys" in namespace "ci"'])
  const half = await named(apiWith({ metadata: { name: 'keys' }, data: { a: '' } }), read)
  expect(half.map(({ says }) => says)).toEqual(['secret "keys" in namespace "ci" has no "b"', 'everything it names exists: secret "keys"'])
})
