/**
 * The emulated project as a third-party client sees it: Google's whole client for Node.js. It accepts the project as Google's, so that is fit to test
 * tpi's own client.
 */
import { isDeepStrictEqual } from 'node:util'
import compute from '@google-cloud/compute'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until } from '../shell.ts'
import { clientOptions, over } from './judge-kit.ts'
import { type GcpLab, REGION, startGcpLab } from './lab.ts'

jest.setTimeout(300_000)

let lab: GcpLab | undefined
beforeAll(async () => {
  lab = await startGcpLab()
})
afterAll(() => lab?.stop())

const template = (name: string): object => ({
  name,
  properties: {
    machineType: 'e2-medium',
    labels: { 'tpi-id': name },
    disks: [{ boot: true, autoDelete: true, initializeParams: { sourceImage: 'projects/debian-cloud/global/images/family/debian-12' } }],
    networkInterfaces: [{ network: 'global/networks/default' }],
    scheduling: {
      provisioningModel: 'SPOT',
      instanceTerminationAction: 'DELETE',
      terminationTime: new Date(Date.now() + 3600_000).toISOString(),
    },
    metadata: { items: [{ key: 'user-data', value: '#cloud-config' }] },
  },
})

const group = (name: string): object => ({
  name,
  baseInstanceName: name,
  targetSize: 0,
  instanceTemplate: `regions/${REGION}/instanceTemplates/${name}`,
  distributionPolicy: { targetShape: 'ANY' },
  updatePolicy: { type: 'OPPORTUNISTIC', instanceRedistributionType: 'NONE' },
  instanceFlexibilityPolicy: { instanceSelections: { first: { machineTypes: ['e2-medium', 'e2-standard-2'], rank: 0 } } },
  instanceLifecyclePolicy: { forceUpdateOnRepair: 'YES', onRepair: { allowChangingZone: 'YES' } },
})

test("Google's client for Node.js makes, sees, shrinks and removes a group, is refused where Google refuses, and leaves the project as it was", async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { project } = lab
  const before = await lab.inventory()
  const given = clientOptions(lab)
  const templates = new compute.RegionInstanceTemplatesClient(given)
  const groups = new compute.RegionInstanceGroupManagersClient(given)
  const done = over(lab, REGION)
  const name = 'tpi-judge-node'
  const of = { project, region: REGION, instanceGroupManager: name }
  const [inserted] = await templates.insert({ project, region: REGION, instanceTemplateResource: template(name) })
  await done(inserted)
  await expect(templates.insert({ project, region: REGION, instanceTemplateResource: template(name) })).rejects.toThrow('already exists')
  const [made] = await groups.insert({ project, region: REGION, instanceGroupManagerResource: group(name) })
  await done(made)
  await expect(templates.delete({ project, region: REGION, instanceTemplate: name })).rejects.toThrow('already being used by')
  const [resized] = await groups.resize({ ...of, size: 3 })
  await done(resized)
  const members = async () => (await groups.listManagedInstances(of))[0]
  const running = await until('three run', 20, async () => {
    const all = await members()
    return all.length === 3 && all.every(({ instanceStatus, currentAction }) => instanceStatus === 'RUNNING' && currentAction === 'NONE')
      ? all
      : undefined
  })
  expect(running[0]).toMatchObject({
    name: expect.stringMatching(/^tpi-judge-node-....$/),
    propertiesFromFlexibilityPolicy: { machineType: 'e2-medium' },
  })
  const [left] = await groups.deleteInstances({
    ...of,
    regionInstanceGroupManagersDeleteInstancesRequestResource: { instances: [running[0]?.instance ?? ''] },
  })
  expect(await done(left)).toEqual([])
  const [again] = await groups.deleteInstances({
    ...of,
    regionInstanceGroupManagersDeleteInstancesRequestResource: { instances: [running[0]?.instance ?? ''] },
  })
  expect(await done(again)).toEqual(['INVALID_FIELD_VALUE'])
  expect((await groups.get(of))[0]).toMatchObject({ targetSize: 2, distributionPolicy: { targetShape: 'ANY' } })
  const scopes: string[] = []
  const found = new compute.InstancesClient(given).aggregatedListAsync({ project, filter: `labels.tpi-id = ${name}` })
  for await (const [scope, { instances = [] }] of found) if (instances?.length) scopes.push(scope)
  expect(scopes.length).toBeGreaterThan(0)
  const [gone] = await groups.delete(of)
  await done(gone)
  await expect(groups.get(of)).rejects.toThrow('was not found')
  const [removed] = await templates.delete({ project, region: REGION, instanceTemplate: name })
  await done(removed)
  await until('what ends has ended', 20, async () => isDeepStrictEqual(await lab?.inventory(), before) || undefined)
})
