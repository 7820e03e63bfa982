/** Cloud az passes the suite of all clouds, in an emulated subscription whose machines are records. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { DATA, MACHINE_ACTIONS } from '../../src/clouds/az/permissions.ts'
import { create, describeCloud, until } from '../conformance/cloud.ts'
import { until as soon } from '../setup/wait.ts'
import { cloudLab } from './az/cloud-lab.ts'
import { type AzLab, startAzLab } from './az/lab.ts'
import { record } from './az/method.ts'
import { saysWhyNoneStarts } from './vm/record-lab.ts'

// Before the suite is described: without a lab there are no tests to describe.
const lab: AzLab | undefined = await startAzLab()

describe('an emulated subscription', () => {
  afterAll(async () => await lab?.stop())

  saysWhyNoneStarts(lab?.world, async () => cloudLab(lab!), 'Azure has no such machine available')

  test('if Azure accepts no setting that ends all machines, a group is still refilled, and still ended for good', async () => {
    if (!lab) return
    const { cloud, spec, kill, close } = await cloudLab(lab)
    const one = spec()
    const running = async (other = ''): Promise<string> => {
      const { machines } = await until(cloud, one.tags, (seen) =>
        seen.machines.some(({ id, state }) => state === 'running' && id !== other),
      )
      return machines.find(({ id, state }) => state === 'running' && id !== other)?.id ?? ''
    }
    lab.front.autoscale.refusesZero = 'maximum'
    try {
      await create(cloud, one)
      await cloud.start(one)
      const first = await running()
      await kill(first)
      await running(first)
      await cloud.end(one.tags)
      await until(cloud, one.tags, ({ phase }) => phase === 'stopped')
      await expect(cloud.start(one)).rejects.toThrow('has been ended')
    } finally {
      lab.front.autoscale.refusesZero = undefined
      await close()
    }
  }, 60_000)

  test('the machines’ identity is set up once, by somebody who may assign roles; doing it again brings its rights up to date', async () => {
    if (!lab) return
    const { account, resources } = lab.front
    const { cloud, spec, close } = await cloudLab(lab)
    const [identity] = resources.ofType('Microsoft.ManagedIdentity/userAssignedIdentities')
    const before = new Map(account.assignments)
    if (identity) resources.remove(identity)
    try {
      await soon('it is gone', () => {
        resources.settle()
        return resources.find(identity?.id ?? '') === undefined
      })
      await expect(create(cloud, spec())).rejects.toThrow('there is no identity tpi-machine')
      expect(await cloud.establish?.()).toMatch(/^identity tpi-machine of subscription \S+: made$/)
      const [role] = account.roles.values()
      expect(role?.properties).toMatchObject({ permissions: [{ actions: MACHINE_ACTIONS, dataActions: DATA }] })
      const given = [...account.assignments.values()].filter(({ name }) => !before.has(name.toLowerCase()))
      const [made] = resources.ofType('Microsoft.ManagedIdentity/userAssignedIdentities')
      const { principalId } = record(made?.fields['properties'])
      expect(given).toMatchObject([{ properties: { principalId, roleDefinitionId: role?.id, principalType: 'ServicePrincipal' } }])
      account.roles.set(role?.name ?? '', { ...role!, properties: { ...role!.properties, permissions: [] } })
      expect(await cloud.establish?.()).toMatch(/: there, and its rights are up to date$/)
      expect([account.roles.size, account.assignments.size]).toEqual([1, before.size + 1])
      expect(account.roles.get(role?.name ?? '')?.properties).toEqual(role?.properties)
      expect(new Set(await create(await (await cloudLab(lab)).reopen(), spec()))).toEqual(new Set(['created']))
    } finally {
      await cloud.establish?.()
      await close()
    }
  }, 60_000)

  if (lab) describeCloud('az', () => cloudLab(lab), { patience: 60_000, change: 20_000, whole: true, many: 50, forGood: true })
})
