/** Cloud az passes the suite of all clouds, in a subscription that is emulated: its machines are records. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { create, describeCloud, until } from '../conformance/cloud.ts'
import { cloudLab } from './az/cloud-lab.ts'
import { type AzLab, startAzLab } from './az/lab.ts'

// Before the suite is described: where there is no lab, there is nothing to describe.
const lab: AzLab | undefined = await startAzLab()

describe('an emulated subscription', () => {
  afterAll(async () => await lab?.stop())

  test('can be had here', () => {
    expect(lab !== undefined || !process.env['CI']).toBe(true)
  })

  test('what keeps machines from starting is told in plain words, and what keeps their number goes on trying', async () => {
    if (!lab) return expect(process.env['CI']).toBeUndefined()
    const { cloud, spec, close } = await cloudLab(lab)
    const one = spec()
    lab.world.supply.setRoom({}, 0)
    try {
      await create(cloud, one)
      await cloud.scale(one.tags, 1)
      const seen = await until(cloud, one.tags, ({ events }) => events.some(({ kind }) => kind === 'capacity'))
      expect(seen.events.find(({ kind }) => kind === 'capacity')?.text).toContain('Azure has no such machine available')
      lab.world.supply.setRoom({}, 100)
      await until(cloud, one.tags, ({ machines }) => machines.some(({ state }) => state === 'running'))
    } finally {
      await close()
    }
  }, 60_000)

  test('where Azure takes no setting that ends all machines, a group is refilled and ended for good all the same', async () => {
    if (!lab) return
    const { cloud, spec, kill, close } = await cloudLab(lab)
    const one = spec()
    const running = async (other = ''): Promise<string> => {
      const { machines } = await until(cloud, one.tags, (seen) =>
        seen.machines.some(({ id, state }) => state === 'running' && id !== other),
      )
      return machines.find(({ id, state }) => state === 'running' && id !== other)?.id ?? ''
    }
    lab.front.autoscale.refusesZero = true
    try {
      await create(cloud, one)
      await cloud.scale(one.tags, 1)
      const first = await running()
      await kill(first)
      await running(first)
      await cloud.scale(one.tags, 0)
      await until(cloud, one.tags, ({ phase }) => phase === 'stopped')
      await expect(cloud.scale(one.tags, 1)).rejects.toThrow('has been ended')
    } finally {
      lab.front.autoscale.refusesZero = false
      await close()
    }
  }, 60_000)

  if (lab) describeCloud('az', () => cloudLab(lab), { patience: 60_000, change: 20_000, whole: true, many: 50, forGood: true })
})
