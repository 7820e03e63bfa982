/** Cloud gcp passes the suite of all clouds, in a project that is emulated: its machines are records. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { create, describeCloud, until } from '../conformance/cloud.ts'
import { cloudLab } from './gcp/cloud-lab.ts'
import { type GcpLab, startGcpLab } from './gcp/lab.ts'

// Before the suite is described: where there is no lab, there is nothing to describe.
const lab: GcpLab | undefined = await startGcpLab()

describe('an emulated project', () => {
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
      expect(seen.events.find(({ kind }) => kind === 'capacity')?.text).toContain('Google Cloud has no such machine available')
      lab.world.supply.setRoom({}, 100)
      await until(cloud, one.tags, ({ machines }) => machines.some(({ state }) => state === 'running'))
    } finally {
      await close()
    }
  }, 60_000)

  test('a region that does not answer is told, and hides no other; without anybody to tell, nobody can say what there is', async () => {
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

  if (lab) describeCloud('gcp', () => cloudLab(lab), { patience: 60_000, change: 20_000, whole: true, many: 50 })
})
