/** Cloud aws passes the suite of all clouds, in an account that is emulated: its machines are records. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { AuthError } from '../../src/core/errors.ts'
import { create, describeCloud, destroy, until } from '../conformance/cloud.ts'
import { cloudLab } from './aws/cloud-lab.ts'
import { AwsFault } from './aws/fault.ts'
import { type AwsLab, startAwsLab } from './aws/lab.ts'

// Before the suite is described: where there is no lab, there is nothing to describe.
const lab: AwsLab | undefined = await startAwsLab()

describe('an emulated account', () => {
  afterAll(async () => await lab?.stop())

  test('can be had here', () => {
    expect(lab !== undefined || !process.env['CI']).toBe(true)
  })

  test('what keeps machines from starting is told in plain words, and whether waiting helps', async () => {
    if (!lab) return expect(process.env['CI']).toBeUndefined()
    const { cloud, spec, close } = await cloudLab(lab)
    const one = spec()
    lab.world.supply.setRoom({}, 0)
    try {
      await create(cloud, one)
      await cloud.scale(one.tags, 1)
      const seen = await until(cloud, one.tags, ({ events }) => events.some(({ kind }) => kind === 'capacity'))
      expect(seen.events.find(({ kind }) => kind === 'capacity')?.text).toContain('AWS has no such machine available')
      lab.world.supply.setRoom({}, 100)
      await until(cloud, one.tags, ({ machines }) => machines.some(({ state }) => state === 'running'))
    } finally {
      await close()
    }
  }, 60_000)

  test('who may make no roles has machines with the shared one of the account, or is told what to ask for', async () => {
    if (!lab) return expect(process.env['CI']).toBeUndefined()
    const { cloud, spec, reopen, close } = await cloudLab(lab)
    const refused: string[] = []
    lab.front.judge = ({ service, operation }) => {
      if (service !== 'iam' || operation.startsWith('Get')) return
      refused.push(operation)
      throw new AwsFault('AccessDenied', 'User is not authorized to perform this', 403)
    }
    const profile = { Action: 'CreateInstanceProfile', Version: '2010-05-08', InstanceProfileName: 'tpi-machine', Path: '/tpi/' }
    try {
      await expect(create(cloud, spec())).rejects.toThrow(AuthError)
      expect(refused).toContain('CreateRole')
      await lab.front.ask('iam', 'us-east-1', profile)
      expect(new Set(await create(await reopen(), spec()))).toEqual(new Set(['found', 'created']))
      await destroy(cloud, spec().tags)
      expect(await cloud.leftovers(spec().tags)).toEqual([])
    } finally {
      lab.front.judge = undefined
      await close()
      await lab.front.ask('iam', 'us-east-1', { ...profile, Action: 'DeleteInstanceProfile' })
    }
  }, 60_000)

  if (lab) describeCloud('aws', () => cloudLab(lab), { patience: 60_000, change: 20_000, whole: true, many: 50, forGood: true })
})
