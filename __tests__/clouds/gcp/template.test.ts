/** The template of machines, as far as it depends on the image, the network and the project; and how it is requested. */
import { describe, expect, test } from '@jest/globals'
import type { Api } from '../../../src/clouds/gcp/api.ts'
import { blueprintOf } from '../../../src/clouds/gcp/blueprint.ts'
import { settingsOf } from '../../../src/clouds/gcp/settings.ts'
import { kindsOf, type TemplateParams, templateInput } from '../../../src/clouds/gcp/template.ts'
import { InputError } from '../../../src/core/errors.ts'
import { specOf } from '../../lab/vm/spec.ts'
import { silent } from '../../setup/silent-log.ts'

interface Asked {
  readonly machine?: string
  readonly uefi?: boolean
  readonly nat?: boolean
  readonly publicAddress?: boolean
}

function paramsOf({ machine = 'n2-standard-2', uefi = true, nat = false, publicAddress }: Asked = {}): TemplateParams {
  return {
    spec: specOf(machine, { url: 'gs://tpi-lab' }),
    settings: {
      ...settingsOf({ values: { region: 'us-central1' }, env: {} }),
      ...(publicAddress !== undefined && { publicAddress }),
    },
    placement: {
      project: 'tpi-lab',
      region: 'us-central1',
      zones: ['us-central1-a'],
      choice: { types: [machine], arch: 'x86_64', disk: 'pd-balanced', ...(machine.startsWith('g2') && { gpu: { kind: 'l4', count: 1 } }) },
      image: { url: 'projects/p/global/images/i', gigabytes: 10, uefi },
      network: { subnetwork: 'projects/tpi-lab/regions/us-central1/subnetworks/default', nat },
      account: { email: 'tpi-machine@tpi-lab.iam.gserviceaccount.com', scopes: [] },
    },
    early: true,
  }
}

const inputOf = (asked: Asked): ReturnType<typeof templateInput> => {
  const params = paramsOf(asked)
  return templateInput(params, kindsOf(params.spec)[0])
}

describe('the template', () => {
  test.each([
    ['without a NAT', {}, 1],
    ['behind a NAT', { nat: true }, 0],
    ['behind a NAT, where it was asked for', { nat: true, publicAddress: true }, 1],
    ['where none was wanted', { publicAddress: false }, 0],
  ])('a public address %s', (_, asked, addresses) => {
    expect(inputOf(asked).properties?.networkInterfaces?.[0]?.accessConfigs ?? []).toHaveLength(addresses)
  })

  test('machines and disks have the labels of their incarnation', () => {
    const { id, incarnation } = paramsOf().spec.tags
    const { labels, disks } = inputOf({}).properties ?? {}
    const own = { 'tpi-id': id, 'tpi-incarnation': incarnation }
    expect([labels, disks?.[0]?.initializeParams?.labels]).toEqual([expect.objectContaining(own), expect.objectContaining(own)])
  })

  test('machines are shielded as far as their image allows; GPU drivers are not signed', () => {
    const shield = (asked: Asked): unknown => inputOf(asked).properties?.shieldedInstanceConfig
    const all = { enableSecureBoot: true, enableVtpm: true, enableIntegrityMonitoring: true }
    expect(shield({})).toEqual(all)
    for (const machine of ['g2-standard-4', 'a3-megagpu-8g']) expect(shield({ machine })).toEqual({ ...all, enableSecureBoot: false })
    expect(shield({ uefi: false })).toBeUndefined()
  })
})

/** https://docs.cloud.google.com/compute/docs/instances/setting-vm-host-options#limitations */
test.each([
  ['n2-standard-2', 'MIGRATE'],
  ['e2-standard-2', 'MIGRATE'],
  ['g1-small', 'MIGRATE'],
  ['g2-standard-4', 'TERMINATE'],
  ['a3-megagpu-8g', 'TERMINATE'],
  ['h4d-standard-192', 'TERMINATE'],
  ['c3-standard-192-metal', 'TERMINATE'],
])('when its host is maintained, a machine of %s at full price must %s', (machine, policy) => {
  const { properties } = templateInput(paramsOf({ machine }), { name: 'x', spot: false })
  expect(properties?.scheduling?.onHostMaintenance).toBe(policy)
})

describe('two minutes of notice', () => {
  interface Asking {
    readonly body: ReturnType<typeof templateInput>
    readonly query: { readonly requestId: string }
  }

  /** The notice that each template in turn requests, in a project that refuses the first one with this message: at once, or by its operation. */
  async function asked(refusal?: string, later?: 'later'): Promise<readonly unknown[]> {
    const notices: unknown[] = []
    const ids = new Set<unknown>()
    const unless = async (_: unknown, call: string, __: string, { body, query }: Asking): Promise<object> => {
      if (call !== 'compute:regionInstanceTemplates.insert') return {}
      const { scheduling, metadata } = body.properties ?? {}
      const noticed = /"notice":"120"/.test(JSON.stringify(metadata).replaceAll('\\', ''))
      notices.push([scheduling?.preemptionNoticeDuration?.seconds, noticed])
      ids.add(query.requestId)
      if (refusal === undefined || notices.length > 1) return { status: 'DONE' }
      if (!later) throw new InputError(refusal)
      return { status: 'DONE', httpErrorStatusCode: 400, error: { errors: [{ code: 'INVALID_FIELD_VALUE', message: refusal }] } }
    }
    const context = { signal: new AbortController().signal, log: silent }
    const stages = blueprintOf({ unless } as unknown as Api, paramsOf(), context)
    const template = stages.flat().find(({ kind }) => kind === 'template')
    while ((await template?.ensure()) === 'pending');
    // Google answers an id that it knows with the earlier operation.
    expect(ids.size).toBe(notices.length)
    return notices
  }

  test('are requested, and machines are told', async () => {
    expect(await asked()).toEqual([['120', true]])
  })

  test.each([undefined, 'later'] as const)('a project that does not have them gets machines without (%s)', async (later) => {
    expect(await asked('Invalid value for field scheduling.preemptionNoticeDuration', later)).toEqual([
      ['120', true],
      [undefined, false],
    ])
  })

  test.each([undefined, 'later'] as const)('any other refusal is not retried (%s)', async (later) => {
    await expect(asked('Invalid value for field properties.disks', later)).rejects.toThrow('properties.disks')
  })
})
