/** Cloud gcp passes the suite of all clouds, in an emulated project whose machines are records. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { MACHINE_ROLES } from '../../src/clouds/gcp/permissions.ts'
import { create, describeCloud, until } from '../conformance/cloud.ts'
import { until as soon } from '../setup/wait.ts'
import { MACHINE_ACCOUNT } from './gcp/account.ts'
import { cloudLab } from './gcp/cloud-lab.ts'
import { type GcpLab, startGcpLab } from './gcp/lab.ts'
import { saysWhyNoneStarts } from './vm/record-lab.ts'

// Before the suite is described: without a lab there are no tests to describe.
const lab: GcpLab | undefined = await startGcpLab()

describe('an emulated project', () => {
  afterAll(async () => await lab?.stop())

  saysWhyNoneStarts(lab?.world, async () => cloudLab(lab!), 'Google Cloud has no such machine available')

  test('a machine reclaimed just before the group was emptied is reported as reclaimed, the others as removed', async () => {
    if (!lab) return
    const { cloud, spec, lives, close } = await cloudLab(lab)
    const one = spec({ count: 2 })
    try {
      await create(cloud, one)
      await cloud.start(one)
      const { machines } = await until(cloud, one.tags, (seen) => seen.machines.filter(({ state }) => state === 'running').length === 2)
      const [taken = '', kept = ''] = machines.map(({ id }) => id)
      const machine = lab.world.machine(taken)
      if (machine) lab.world.lose(machine, 'reclaimed')
      await soon('it is gone', async () => !(await lives(taken)))
      await cloud.end(one.tags)
      const seen = await until(cloud, one.tags, ({ phase }) => phase === 'stopped')
      const reason = (id: string): unknown => seen.machines.find((other) => other.id === id)?.reason
      expect([reason(taken), reason(kept)]).toEqual(['Google Cloud took the spot machine back', 'it was removed from its group'])
    } finally {
      await close()
    }
  }, 60_000)

  test('a machine that is made again with its old number counts as running again', async () => {
    if (!lab) return
    const { cloud, spec, kill, close } = await cloudLab(lab)
    const one = spec()
    lab.front.instances.repairKeepsNumber = true
    const running = async (): Promise<string> => {
      const { machines } = await until(cloud, one.tags, (seen) => seen.machines.some(({ state }) => state === 'running'))
      return machines.map(({ id }) => id).join()
    }
    try {
      await create(cloud, one)
      await cloud.start(one)
      const first = await running()
      const made = lab.world.fleet.machines.size
      await kill(first)
      const { fleet } = lab.world
      await soon('another one is up', () => fleet.machines.size > made && fleet.present('us-central1').some(({ state }) => state === 'up'))
      expect(await running()).toBe(first)
      await cloud.end(one.tags)
      await until(cloud, one.tags, ({ phase }) => phase === 'stopped')
    } finally {
      lab.front.instances.repairKeepsNumber = false
      await close()
    }
  }, 60_000)

  test('a region that does not answer is reported, and hides no other; if the caller cannot be told, listing fails', async () => {
    if (!lab) return
    const { cloud, reopen, spec, close } = await cloudLab(lab)
    const far = await cloudLab(lab, { region: 'europe-west4' })
    const [here, there] = [spec(), spec({ id: 'tpi-far-0123456789', name: 'far' })]
    await create(cloud, here)
    await create(far.cloud, there)
    const shown = async (lost?: string[]): Promise<readonly string[]> =>
      (await (await reopen()).list(lost && ((where) => void lost.push(where)))).map(({ tags }) => tags.name).toSorted()
    expect(await shown()).toEqual(['far', 'one'])
    lab.front.away.add('europe-west4')
    try {
      const lost: string[] = []
      expect([await shown(lost), lost]).toEqual([['one'], ['europe-west4']])
      await expect(shown()).rejects.toThrow('europe-west4 does not answer')
    } finally {
      lab.front.away.clear()
      await close()
    }
    await far.close()
    expect(await shown()).toEqual([])
  }, 60_000)

  test('the machines’ identity is set up once, by somebody who may assign roles; a second time updates only its own rights', async () => {
    if (!lab) return
    const { account } = lab.front
    const { cloud, close } = await cloudLab(lab, { data: ['gs://theirs/set:/data'] })
    const [set, roles] = [account.policy, [...account.roles]]
    account.serviceAccounts.delete(MACHINE_ACCOUNT)
    account.roles.clear()
    const before = { ...set, bindings: (set['bindings'] as readonly { readonly members: readonly string[] }[]).slice(0, -roles.length) }
    account.policy = before
    // Not known everywhere at once.
    account.accountLag = 2
    try {
      const said = await cloud.establish?.()
      expect(said).toMatch(/^service account tpi-machine@\S+\.iam\.gserviceaccount\.com: made$/m)
      expect(said).toContain('gcloud storage buckets add-iam-policy-binding gs://theirs')
      const member = `serviceAccount:${MACHINE_ACCOUNT}`
      expect(account.policy['bindings']).toEqual([
        ...before.bindings,
        ...MACHINE_ROLES.map(({ id, condition }) => ({ role: expect.stringContaining(`/roles/${id}`), members: [member], condition })),
      ])
      account.roles.set('tpiMachineLeave', { includedPermissions: [] })
      const { policy } = account
      expect(await cloud.establish?.()).toContain(': there, and its rights are up to date')
      expect(account.policy).toBe(policy)
      for (const { id, title, permissions } of MACHINE_ROLES)
        expect(account.roles.get(id)).toMatchObject({ title, includedPermissions: permissions })
    } finally {
      for (const [id, role] of roles) account.roles.set(id, role)
      account.policy = set
      account.serviceAccounts.add(MACHINE_ACCOUNT)
      await close()
    }
  }, 60_000)

  if (lab) describeCloud('gcp', () => cloudLab(lab), { patience: 60_000, change: 20_000, whole: true, many: 50 })
})
