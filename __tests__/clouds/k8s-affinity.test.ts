/** Node affinity of a pod template, judged as the scheduler does. */
import { expect, test } from '@jest/globals'
import { accepts, type Term } from '../../src/clouds/k8s/checks/affinity.ts'

const node = { name: 'node-0', labels: { zone: 'a', cores: '8' } }
const fits = (...nodeSelectorTerms: readonly Term[]): boolean =>
  accepts({ requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } }, node)
const expression = (key: string, operator: string, ...values: readonly string[]): Term => ({
  matchExpressions: [{ key, operator, values }],
})

test.each([
  ['zone', 'In', ['a', 'b'], true],
  ['zone', 'In', ['b'], false],
  ['disk', 'In', ['fast'], false],
  ['zone', 'NotIn', ['a'], false],
  ['disk', 'NotIn', ['fast'], true],
  ['zone', 'Exists', [], true],
  ['disk', 'Exists', [], false],
  ['disk', 'DoesNotExist', [], true],
  ['cores', 'Gt', ['4'], true],
  ['cores', 'Lt', ['8'], false],
  ['disk', 'Gt', ['0'], false],
])('%s %s %j: %s', (key, operator, values, so) => {
  expect(fits(expression(key, operator, ...values))).toBe(so)
})

test('one term is enough, in a term all must hold, and a term without any fits no node', () => {
  expect(accepts(undefined, node)).toBe(true)
  expect(accepts({}, node)).toBe(true)
  expect(fits(expression('zone', 'In', 'b'), expression('zone', 'In', 'a'))).toBe(true)
  const [a, b] = [expression('zone', 'In', 'a'), expression('zone', 'In', 'b')].map(({ matchExpressions = [] }) => matchExpressions)
  expect(fits({ matchExpressions: [...a!, ...b!] })).toBe(false)
  expect(fits({})).toBe(false)
  expect(fits()).toBe(false)
})

test('a node can be meant by its name', () => {
  expect(fits({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-0'] }] })).toBe(true)
  expect(fits({ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['node-0'] }] })).toBe(false)
})
