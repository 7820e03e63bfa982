/** Cloud aws passes the suite of all clouds, in an emulated account whose machines are records. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { AuthError } from '../../src/core/errors.ts'
import { create, describeCloud, destroy } from '../conformance/cloud.ts'
import { cloudLab } from './aws/cloud-lab.ts'
import { AwsFault } from './aws/fault.ts'
import type { Judge } from './aws/front.ts'
import { type AwsLab, startAwsLab } from './aws/lab.ts'
import { saysWhyNoneStarts } from './vm/record-lab.ts'

// Before the suite is described: without a lab there are no tests to describe.
const lab: AwsLab | undefined = await startAwsLab()

describe('an emulated account', () => {
  afterAll(async () => await lab?.stop())

  saysWhyNoneStarts(lab?.world, async () => cloudLab(lab!), 'AWS has no such machine available')

  test('a caller who may not make roles gets machines with the account’s shared role, or is told what to ask for', async () => {
    if (!lab) return expect(process.env['CI']).toBeUndefined()
    const { cloud, spec, reopen, close } = await cloudLab(lab)
    const refused: string[] = []
    const caller: Judge = ({ service, operation }) => {
      if (service !== 'iam' || operation.startsWith('Get')) return
      refused.push(operation)
      throw new AwsFault('AccessDenied', 'User is not authorized to perform this', 403)
    }
    const iam = async (Action: string, more: object): Promise<string> =>
      lab.front.ask('iam', 'us-east-1', { Action, Version: '2010-05-08', ...more })
    const [both, policy] = [
      { InstanceProfileName: 'tpi-machine', RoleName: 'tpi-machine' },
      { RoleName: 'tpi-machine', PolicyName: 'tpi' },
    ]
    try {
      lab.front.judge = caller
      await expect(create(cloud, spec())).rejects.toThrow(AuthError)
      expect(refused).toContain('CreateRole')
      lab.front.judge = undefined
      // An administrator makes the shared role, which IAM does not know everywhere at once; then a second time.
      lab.front.roleLag = 1500
      expect(await cloud.establish?.()).toMatch(/^role and instance profile \/tpi\/tpi-machine of account \d+: made$/)
      expect(await cloud.establish?.()).toMatch(/: there, and its rights are up to date$/)
      expect(decodeURIComponent(await iam('GetRolePolicy', policy))).toMatch(/arn:aws:s3:::tpi-\d{12}-\*\/tpi-\*/)
      lab.front.judge = caller
      expect(new Set(await create(await reopen(), spec()))).toEqual(new Set(['found', 'created']))
      await destroy(cloud, spec().tags)
      expect(await cloud.leftovers(spec().tags)).toEqual([])
    } finally {
      lab.front.judge = undefined
      lab.front.roleLag = 0
      await close()
      await iam('RemoveRoleFromInstanceProfile', both)
      await iam('DeleteRolePolicy', policy)
      await iam('DeleteRole', both)
      await iam('DeleteInstanceProfile', both)
    }
  }, 60_000)

  if (lab) describeCloud('aws', () => cloudLab(lab), { patience: 60_000, change: 20_000, whole: true, many: 50, forGood: true })
})
