/** A group is looked at in its region, whenever that became known. */
import { afterEach, expect, jest, test } from '@jest/globals'
import { Api } from '../../../src/clouds/gcp/api.ts'
import { open } from '../../../src/clouds/gcp/index.ts'
import type { CloudContext } from '../../../src/core/cloud.ts'

afterEach(() => void jest.restoreAllMocks())

test('what was looked for before anybody knew where it is, is looked at there once that is known', async () => {
  const asked = new Set<string>()
  async function answer(this: Api): Promise<object> {
    asked.add(this.region)
    return {}
  }
  async function none(this: Api): Promise<undefined> {
    asked.add(this.region)
  }
  jest.spyOn(Api.prototype, 'call').mockImplementation(answer)
  jest.spyOn(Api.prototype, 'unless').mockImplementation(none)
  const cloud = await open({ env: {}, values: { region: 'us-central1' } } as unknown as CloudContext)
  const of = { id: 'tpi-fit-0123456789', incarnation: 'abcdef0123' }
  expect((await cloud.observe(of)).phase).toBe('absent')
  expect([...asked]).toEqual(['us-central1'])
  asked.clear()
  await cloud.observe({ ...of, region: 'europe-west4' })
  expect([...asked]).toEqual(['europe-west4'])
})
