/** Which options of a single cloud make a command a different run. */
import { expect, test } from '@jest/globals'
import { clouds } from '../../src/clouds/registry.ts'
import { differences, fingerprint } from '../../src/engine/create/fingerprint.ts'
import { comparable, type TaskRequest } from '../../src/task/request.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { decided } from '../../src/verbs/shared/machine-request.ts'

const NONE = { mount: [], data: [], subnet: [], 'security-group': [], sudo: true }
const of = (values: object, cloud = 'aws'): ReturnType<typeof decided> =>
  decided({ values: { ...NONE, ...values }, descriptors: clouds } as unknown as VerbContext, cloud)
const print = (values: object, cloud?: string): Record<string, string> =>
  fingerprint(
    'tpi-x-0123456789',
    comparable({
      size: {},
      program: {},
      checkpoint: {},
      retry: {},
      env: {},
      secrets: {},
      ofCloud: of(values, cloud),
    } as unknown as TaskRequest),
  )

test.each([
  ['mount', ['fs-0123456789abcdef0:/data']],
  ['data', ['s3://bucket/set:/data']],
  ['reservation', 'cr-0123456789abcdef0'],
  ['customer-key', 'alias/mine'],
  ['public-address', 'false'],
  ['subnet', ['subnet-01234567']],
  ['sudo', false],
  ['vpc', 'vpc-01234567'],
  ['network', 'mine', 'gcp'],
  ['subnetwork', 'mine', 'gcp'],
  ['azure-subnet', 'group/network/subnet', 'az'],
  ['resource-group', 'mine', 'az'],
  ['node-selector', { accelerator: 'a100' }, 'k8s'],
  ['pod-template', 'spec: {}', 'k8s'],
  ['run-as-user', 0, 'k8s'],
  ['container-mode', 'dind', 'k8s'],
])('%s', (name, value, cloud = 'aws') => {
  expect(differences(print({}, cloud), print({ [name]: value }, cloud))).toEqual([name])
  expect(differences(print({ [name]: value }, cloud), print({ [name]: value }, cloud))).toEqual([])
})

test('the order of a map makes none', () => {
  const [one, other] = [
    { a: '1', b: '2' },
    { b: '2', a: '1' },
  ].map((labels) => print({ 'node-selector': labels }, 'k8s'))
  expect(one).toEqual(other)
})

test('the account, and options of other clouds, make no difference', () => {
  expect(of({ 'aws-profile': 'me', 'gcp-project': 'mine', namespace: 'ours' })).toEqual({})
})
