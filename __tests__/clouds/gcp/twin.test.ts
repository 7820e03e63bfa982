/** `spot: prefer`: the second group, and the order in which both are made and removed. With machines that boot: `lab/gcp/twin.test.ts`. */
import { describe, expect, test } from '@jest/globals'
import type { Api, Ask } from '../../../src/clouds/gcp/api.ts'
import { blueprintOf, leftoversOf, wholeGroup } from '../../../src/clouds/gcp/blueprint.ts'
import { groupName, twinName } from '../../../src/clouds/gcp/names.ts'
import { settingsOf } from '../../../src/clouds/gcp/settings.ts'
import { groupInput, kindsOf, type TemplateParams, templateInput } from '../../../src/clouds/gcp/template.ts'
import type { Resource } from '../../../src/core/resource.ts'
import { specOf } from '../../lab/vm/spec.ts'
import { silent } from '../../setup/silent-log.ts'

const base = specOf('n2-standard-2', { url: 'gs://tpi-lab' })
const spec = { ...base, spot: { want: 'prefer', wait: 120 } as const }
const params: TemplateParams = {
  spec,
  settings: settingsOf({ values: { region: 'us-central1' }, env: {} }),
  placement: {
    project: 'tpi-lab',
    region: 'us-central1',
    zones: ['us-central1-a', 'us-central1-b'],
    choice: { types: ['n2-standard-2', 'n2d-standard-2'], arch: 'x86_64', disk: 'pd-balanced' },
    image: { url: 'projects/p/global/images/i', gigabytes: 10, uefi: true },
    network: { subnetwork: 'projects/tpi-lab/regions/us-central1/subnetworks/default', nat: false },
    account: { email: 'tpi-machine@tpi-lab.iam.gserviceaccount.com', scopes: [] },
  },
  early: true,
}
const of = spec.tags
const [NAME, TWIN] = [groupName(of), twinName(of)]
const DONE = { name: 'op', status: 'DONE' }

/** A project that has everything except these. */
function project(gone: readonly string[] = []): { readonly api: Api; readonly did: readonly string[] } {
  const did: string[] = []
  const unless = async (_: RegExp, call: string, __: string, { path = {}, body }: Ask = {}): Promise<unknown> => {
    const name = path['instanceGroupManager'] ?? path['instanceTemplate'] ?? path['autoscaler'] ?? (body as { name?: string })?.name ?? ''
    const [resource = '', verb] = call.replace(/^compute:region/, '').split('.')
    const which = `${resource} ${name === TWIN ? 'twin' : name === NAME ? 'spot' : name}`
    if (verb === 'get') return gone.includes(which) ? undefined : { name }
    did.push(`${verb} ${which}`)
    return gone.includes(which) ? undefined : DONE
  }
  return { api: { unless } as unknown as Api, did }
}

test('the name of a twin fits the vendor’s limit, and is derived from that of the group', () => {
  expect(twinName({ id: `tpi-${'a'.repeat(40)}-0123456789`, incarnation: 'abcdef0123' })).toMatch(
    /^tpi-a+-0123456789-abcdef0123-on-demand$/,
  )
  expect(twinName({ id: `tpi-${'a'.repeat(40)}-0123456789`, incarnation: 'abcdef0123' })).toHaveLength(58)
})

describe('two groups', () => {
  const [first, second] = kindsOf(spec)

  test('have two markets and a template each; only spot machines can be reclaimed', () => {
    const market = (kind = first): unknown => templateInput(params, kind).properties?.scheduling
    const until = { terminationTime: expect.any(String), instanceTerminationAction: 'DELETE' }
    expect(market()).toMatchObject({ ...until, provisioningModel: 'SPOT', preemptionNoticeDuration: { seconds: '120' } })
    expect(market(second)).toMatchObject({ ...until, provisioningModel: 'STANDARD', onHostMaintenance: 'MIGRATE' })
    expect(market(second)).not.toHaveProperty('preemptionNoticeDuration')
    const facts = [first, second].map((kind) =>
      templateInput(params, kind ?? first).properties?.metadata?.items?.find(({ key }) => key === 'tpi-facts'),
    )
    expect(facts[0]).toEqual(facts[1])
  })

  test('take any zone with room; the second has the nearest shape that allows an autoscaler', () => {
    const shape = (kind = first): unknown => groupInput(params, kind)
    const both = { targetSize: 0, updatePolicy: { instanceRedistributionType: 'NONE' }, instanceFlexibilityPolicy: expect.anything() }
    expect(shape()).toMatchObject({ ...both, name: NAME, distributionPolicy: { targetShape: 'ANY' } })
    expect(shape(second)).toMatchObject({ ...both, name: TWIN, distributionPolicy: { targetShape: 'BALANCED' } })
  })

  test('are made at the same time, and then what starts the second one; without "prefer" there is one group', async () => {
    const { api, did } = project()
    const context = { signal: new AbortController().signal, log: silent }
    const names = (stages: Resource[][]): unknown =>
      stages.map((stage) => stage.map(({ kind, name }) => `${kind} ${name === TWIN ? 'twin' : 'spot'}`))
    const stages = blueprintOf(api, params, context)
    expect(names(stages)).toEqual([['template spot', 'template twin'], ['group spot', 'group twin'], ['autoscaler twin']])
    for (const stage of stages) await Promise.all(stage.map(async (one) => one.ensure()))
    expect(did.at(-1)).toBe('insert Autoscalers twin')
    expect(names(blueprintOf(api, { ...params, spec: base }, context))).toEqual([['template spot'], ['group spot']])
  })
})

describe('what is left of both', () => {
  const removed = async (stages: readonly Resource[]): Promise<unknown> => Promise.all(stages.map(async (one) => one.remove()))

  test('is removed in reverse: the vendor keeps a group that has an autoscaler, and a template that has a group', async () => {
    const { api, did } = project()
    for (const stage of (await leftoversOf(api, of)).toReversed()) await removed(stage)
    const order = (one: string): number => did.indexOf(`delete ${one}`)
    expect(order('Autoscalers twin')).toBeLessThan(order('InstanceGroupManagers twin'))
    expect(order('InstanceGroupManagers twin')).toBeLessThan(order('InstanceTemplates twin'))
    expect(order('InstanceGroupManagers spot')).toBeLessThan(order('InstanceTemplates spot'))
    expect(order('InstanceTemplates twin')).toBeLessThan(order('InstanceTemplates spot'))
  })

  test('is removed as one group; without a second one, no right to remove its parts is needed', async () => {
    const { api, did } = project()
    expect(await wholeGroup(api, of).remove()).toBe('removed')
    expect(did.toSorted()).toEqual(['delete Autoscalers twin', 'delete InstanceGroupManagers spot', 'delete InstanceGroupManagers twin'])
    const single = project(['InstanceGroupManagers twin', 'InstanceTemplates twin'])
    expect(await wholeGroup(single.api, of).remove()).toBe('removed')
    for (const stage of (await leftoversOf(single.api, of)).toReversed()) await removed(stage)
    expect(single.did.join('\n')).not.toMatch(/twin/)
    expect(await wholeGroup(project(['InstanceGroupManagers spot', 'InstanceGroupManagers twin']).api, of).remove()).toBe('absent')
  })
})
