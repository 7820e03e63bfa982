/**
 * The emulated subscription as third-party clients see it: Microsoft's for Python. They accept it as Azure, so it is fit to test tpi's own client.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { run, until } from '../shell.ts'
import { startJudged } from './judged.ts'
import { type AzLab, startAzLab } from './lab.ts'
import { tokenFor } from './token.ts'

jest.setTimeout(300_000)

let lab: AzLab | undefined
beforeAll(async () => {
  lab = await startAzLab()
})
afterAll(() => lab?.stop())

async function judgement(program: string, { endpoint, subscription, authority, vendor }: AzLab, ...more: string[]): Promise<unknown> {
  const given = [join(import.meta.dirname, program), endpoint, subscription, tokenFor('https://management.azure.com'), authority, ...more]
  return JSON.parse(await run(vendor.python, given, { env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' } }))
}

test("Microsoft's clients for Python make, see, shrink, evict, keep and remove a scale set, are refused where Azure refuses, and leave the subscription as it was", async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const before = await lab.inventory()
  expect(await judgement('judge.py', lab)).toEqual({
    'no group': 'ResourceGroupNotFound',
    network: 'Succeeded',
    'unknown size': 'InvalidParameter',
    made: ['Succeeded', 0, false],
    scaled: 3,
    zones: ['1', '2', '3'],
    power: ['PowerState/running', 'ProvisioningState/succeeded'],
    names: true,
    parts: [3, 3],
    'in use': 'InUseNetworkSecurityGroupCannotBeDeleted',
    'one less': 2,
    evicted: null,
    'after eviction': 1,
    refilled: 2,
    log: ['Scaleup', 'evictSpotVM', 'virtualMachines'],
    'by tag': ['tpi-judge-python'],
    sizes: ['Standard_D2s_v5'],
    'spot quota': [350],
    gone: 'ResourceGroupNotFound',
  })
  await until('what ends has ended', 20, async () => isDeepStrictEqual(await lab?.inventory(), before) || undefined)
})

test('they read, scale and delete what a command has made; another command removes the rest', async () => {
  const judged = await startJudged()
  if (!judged) return expect(process.env['CI']).toBeUndefined()
  try {
    expect(await judgement('judge_made.py', judged.lab, judged.name)).toEqual({
      set: [2, 'Flexible', 'Spot', 'Delete', 'judged'],
      customData: false,
      power: ['PowerState/running', 'ProvisioningState/succeeded'],
      cards: [true, true],
      kept: [
        ['open', '2', '2', true],
        ['over', '0', '0', false],
      ],
      scaled: [3, 3],
      'one less': [2, 2],
      gone: 'ResourceGroupNotFound',
    })
    await judged.over()
  } finally {
    await judged.stop()
  }
})
