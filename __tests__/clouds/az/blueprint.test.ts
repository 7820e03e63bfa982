/** How a group is made, call by call, including Azure's rarer answers. */
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { SCRIPT_USER } from '../../../src/agent/vm/script-user.ts'
import type { Api } from '../../../src/clouds/az/api.ts'
import { settingInput } from '../../../src/clouds/az/autoscale.ts'
import { blueprintOf, leftoversOf } from '../../../src/clouds/az/blueprint.ts'
import { errorOf } from '../../../src/clouds/az/errors.ts'
import { groupName } from '../../../src/clouds/az/names.ts'
import { GroupSizes } from '../../../src/clouds/az/scale.ts'
import type { AutoscaleSetting } from '../../../src/clouds/az/sdk.ts'
import { kindsOf, networkInput, setInput, type TemplateParams, wallInput } from '../../../src/clouds/az/template.ts'
import { Refusal } from '../../../src/clouds/vm/refusal.ts'
import type { Answer } from '../../../src/clouds/vm/transport.ts'
import type { Resource } from '../../../src/core/resource.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { specOf } from '../../lab/vm/spec.ts'
import { silent } from '../../setup/silent-log.ts'

const GROUP = 'tpi-one-0123456789-aaaa000001'
const FOLLOWED = 'https://management.azure.com/operations/1'

function paramsOf(resourceGroup?: string): TemplateParams {
  return {
    spec: specOf(undefined, { url: 'az://tpi0123456789/tpi' }),
    settings: {
      region: 'westeurope',
      regions: ['westeurope'],
      named: false,
      sudo: true,
      oneZone: false,
      mounts: [],
      data: [],
      ...(resourceGroup !== undefined && { resourceGroup }),
    },
    group: resourceGroup ?? GROUP,
    placement: {
      subscription: '01234567-89ab-cdef-0123-456789abcdef',
      region: 'westeurope',
      zones: ['1'],
      choice: { types: ['Standard_D2s_v5'], arch: 'x86_64' },
      image: { name: 'ubuntu', reference: { id: 'ubuntu' }, trusted: true },
      identity: { id: '/identity', client: 'client' },
      trusted: true,
    } as unknown as TemplateParams['placement'],
  }
}

interface Said {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly code?: string
  readonly message?: string
  readonly value?: object
}

/** Gives the scripted answers, call by call, and 200 after them. */
function scripted(script: Readonly<Record<string, readonly Said[]>>): {
  readonly api: Api
  readonly asked: { name: string; body: unknown }[]
} {
  const left = new Map(Object.entries(script).map(([name, all]) => [name, [...all]]))
  const asked: { name: string; body: unknown }[] = []
  const answer = async (name: string, tried: string, ask: { body?: unknown } = {}): Promise<Answer> => {
    asked.push({ name, body: ask.body })
    const { status, headers = {}, code, message = code, value = {} } = left.get(name)?.shift() ?? { status: 200 }
    if (code !== undefined) throw errorOf(new Refusal(message ?? code, { status, code }), tried)
    return { status, header: (of) => headers[of], value }
  }
  const api = {
    answer,
    maybeAnswer: async (name: string, tried: string, ask?: object) =>
      answer(name, tried, ask).catch((error: unknown) => {
        if ((error as { cause?: Refusal }).cause?.status === 404) return undefined
        throw error
      }),
    follow: async () => answer('follow', 'follow'),
  }
  return { api: api as unknown as Api, asked }
}

function madeBy(api: Api, kind: string, resourceGroup?: string): Resource {
  const params = paramsOf(resourceGroup)
  const log = { ...silent, warn: (line: string) => void warned.push(line) }
  const context = { signal: new AbortController().signal, log, clock: systemClock }
  const stages = blueprintOf(api, params, new GroupSizes(api, params.spec.tags, params.group, context), context)
  const found = stages.flat().find((one) => one.kind === kind)
  if (!found) throw new Error(`no ${kind}`)
  return found
}

let warned: string[] = []
afterEach(() => {
  warned = []
  jest.restoreAllMocks()
})

test('the administrator that Azure requires is not the script’s user: cloud-init gives it all rights', () => {
  const params = paramsOf()
  expect(
    kindsOf(params.spec).map((kind) => setInput(params, kind).properties?.virtualMachineProfile?.osProfile?.adminUsername),
  ).not.toContain(SCRIPT_USER)
})

describe('the set', () => {
  const profile = (placement: object, settings: object = {}) => {
    const params = paramsOf()
    const changed = { ...params, settings: { ...params.settings, ...settings }, placement: { ...params.placement, ...placement } }
    return kindsOf(params.spec).map((kind) => setInput(changed, kind).properties?.virtualMachineProfile)[0]
  }

  test.each([
    ['in the network that is made', {}, {}, true],
    ['in a subnet without a way out', { subnet: { id: '/subnet', nat: false } }, {}, true],
    ['in a subnet that has a way out', { subnet: { id: '/subnet', nat: true } }, {}, false],
    ['in such a subnet, where it was asked for', { subnet: { id: '/subnet', nat: true } }, { publicAddress: true }, true],
    ['where none was wanted', {}, { publicAddress: false }, false],
  ])('a public address %s', (_, placement, settings, has) => {
    const [nic] = profile(placement, settings)?.networkProfile?.networkInterfaceConfigurations ?? []
    const [ip] = nic?.properties?.ipConfigurations ?? []
    expect(ip?.properties?.publicIPAddressConfiguration !== undefined).toBe(has)
    if ('subnet' in placement) expect(ip?.properties?.subnet).toEqual({ id: '/subnet' })
  })

  test('and everything made with it have the tags of their incarnation, and the user’s, which a policy may require', () => {
    const { spec, ...rest } = paramsOf()
    const params = { ...rest, spec: { ...spec, tags: { ...spec.tags, user: { team: 'blue' } } } }
    const { id, incarnation } = spec.tags
    const set = setInput(params, kindsOf(params.spec)[0]!)
    const [nic] = set.properties?.virtualMachineProfile?.networkProfile?.networkInterfaceConfigurations ?? []
    const address = nic?.properties?.ipConfigurations?.[0]?.properties?.publicIPAddressConfiguration
    for (const { tags } of [set, networkInput(params), wallInput(params), settingInput(params, GROUP), nic, address] as readonly {
      tags?: object
    }[])
      expect(tags).toMatchObject({ team: 'blue', 'tpi-id': id, 'tpi-incarnation': incarnation })
  })

  test('trusted launch as far as size and image support it; GPU drivers are not signed', () => {
    const trusted = { securityType: 'TrustedLaunch', uefiSettings: { secureBootEnabled: true, vTpmEnabled: true } }
    expect(profile({})?.securityProfile).toEqual(trusted)
    const gpu = { types: ['Standard_NC4as_T4_v3'], arch: 'x86_64' }
    expect(profile({ choice: gpu })?.securityProfile).toEqual({ ...trusted, uefiSettings: { secureBootEnabled: false, vTpmEnabled: true } })
    expect(profile({ trusted: false })?.securityProfile).toBeUndefined()
    expect(profile({ image: { name: 'old', reference: { id: 'old' }, trusted: false } })?.securityProfile).toBeUndefined()
  })
})

describe('making', () => {
  test('a set that is requested once more is the same: another key is refused (PropertyChangeNotAllowed)', async () => {
    const { api, asked } = scripted({ 'sets.put': [{ status: 503, code: 'ServiceUnavailable' }] })
    const set = madeBy(api, 'scale set')
    await expect(set.ensure()).rejects.toMatchObject({ retryable: true })
    expect(await set.ensure()).toBe('found')
    const [first, second] = asked.map(({ body }) => /ssh-ed25519 [^"]+/.exec(JSON.stringify(body))?.[0])
    expect(first).toBeDefined()
    expect(second).toBe(first)
  })

  test('an autoscale setting that ends all machines; each that Azure does not accept is followed by the next surest, and only what is accepted is told', async () => {
    const refused = {
      status: 400,
      code: 'BadRequest',
      message: "The default capacity value '0' that you specified in the autoscale setting is not valid.",
    }
    /** Minimum, maximum and default of each profile, and its days if it has dates. */
    const shown = (body: unknown): string => {
      const { enabled, profiles } = (body as AutoscaleSetting).properties
      const all = profiles.map(({ name, capacity: { minimum, maximum, default: usual }, fixedDate }) => {
        const days = fixedDate && (Date.parse(fixedDate.end) - Date.parse(fixedDate.start)) / 86_400_000
        return `${name} ${minimum}/${maximum}/${usual}${name === 'over' && days !== undefined ? ` for ${days} days` : ''}`
      })
      return `${all.join(', ')}${enabled ? '' : ', off'}`
    }
    const all = [
      'open 0/1/0, over 0/0/0',
      'open 0/1/0, over 0/0/0 for 364 days',
      'open 0/1/0, over 0/1/0',
      'open 1/1/1, over 1/1/1 for 364 days, off',
    ]
    const told = [
      [],
      ['by a profile that is over after a year'],
      ['one stays until `tpi sweep`'],
      ['a machine that hangs at the deadline stays until'],
    ]
    for (const [times, warnings] of told.entries()) {
      warned = []
      const { api, asked } = scripted({ 'settings.put': Array.from({ length: times }, () => refused) })
      expect(await madeBy(api, 'autoscale setting').ensure()).toBe('found')
      expect(asked.map(({ body }) => shown(body))).toEqual(all.slice(0, times + 1))
      expect(warned).toEqual(warnings.map((words) => expect.stringContaining(words)))
    }
    warned = []
    const never = scripted({ 'settings.put': all.map(() => refused) })
    await expect(madeBy(never.api, 'autoscale setting').ensure()).rejects.toThrow(refused.message)
    expect(warned).toEqual([])
  })

  test('a setting that Azure refuses for another reason is asked for once, and the reason is reported', async () => {
    const { api, asked } = scripted({
      'settings.put': [{ status: 400, code: 'InvalidTargetResource', message: 'The target is in another region.' }],
    })
    await expect(madeBy(api, 'autoscale setting').ensure()).rejects.toThrow('The target is in another region.')
    expect(asked).toHaveLength(1)
    expect(warned).toEqual([])
  })

  test('a 200 with an operation means that it is still being made', async () => {
    const { api } = scripted({
      'networks.put': [{ status: 200, headers: { 'azure-asyncoperation': FOLLOWED } }],
      follow: [
        { status: 200, value: { status: 'InProgress' } },
        { status: 200, value: { status: 'Succeeded' } },
      ],
    })
    const network = madeBy(api, 'network')
    expect([await network.ensure(), await network.ensure()]).toEqual(['pending', 'found'])
  })

  test('waits for our own resource group if part of Azure does not know it yet; one of the user is missing', async () => {
    const unheard = { status: 404, code: 'ResourceGroupNotFound' }
    await expect(madeBy(scripted({ 'walls.put': [unheard] }).api, 'security group').ensure()).rejects.toMatchObject({ retryable: true })
    const theirs = madeBy(scripted({ 'walls.put': [unheard] }).api, 'security group', 'mine')
    await expect(theirs.ensure()).rejects.toMatchObject({ name: 'InputError' })
  })
})

describe('removing', () => {
  const gone = { status: 404, code: 'ResourceGroupNotFound' }

  test('what was just made is not taken for absent if part of Azure does not know it yet', async () => {
    const { api, asked } = scripted({ 'groups.put': [{ status: 201 }], 'groups.delete': [gone, { status: 202 }] })
    const group = madeBy(api, 'resource group')
    expect(await group.ensure()).toBe('created')
    expect(asked[0]?.body).toMatchObject({ tags: { 'tpi-incarnation': paramsOf().spec.tags.incarnation } })
    expect([await group.remove(), await group.remove()]).toEqual(['pending', 'removed'])
  })

  test('after a while it counts as gone; what was removed counts so at once', async () => {
    const { api } = scripted({ 'groups.put': [{ status: 201 }], 'groups.delete': [gone, gone] })
    const group = madeBy(api, 'resource group')
    await group.ensure()
    expect(await group.remove()).toBe('pending')
    const now = performance.now()
    jest.spyOn(performance, 'now').mockReturnValue(now + 60_000)
    expect(await group.remove()).toBe('absent')
    const other = scripted({ 'groups.put': [{ status: 201 }], 'groups.delete': [{ status: 200 }, gone] })
    const removed = madeBy(other.api, 'resource group')
    await removed.ensure()
    expect([await removed.remove(), await removed.remove()]).toEqual(['removed', 'absent'])
  })

  test('a resource group of its own is removed with everything in one call; in one of the user, each by itself', async () => {
    for (const [resourceGroup, deletes] of [
      [undefined, []],
      ['mine', ['walls.delete', 'sets.delete']],
    ] as const) {
      const { api, asked } = scripted({})
      for (const kind of ['security group', 'scale set']) await madeBy(api, kind, resourceGroup).remove()
      expect(asked.map(({ name }) => name)).toEqual(deletes)
    }
  })

  test('in a resource group of the user, parts are found by their tags, or by the name of their machine; no other deployment’s', async () => {
    const { tags } = paramsOf().spec
    const name = groupName(tags)
    const marks = { 'TPI-id': tags.id, 'tpi-incarnation': tags.incarnation }
    const listed: Readonly<Record<string, readonly object[]>> = {
      'disks.list': [{ name: `${name}_0a1b2c3d_OsDisk_1_ffff` }, { name: 'theirs' }, { name: `${name}2_0a1b2c3d_OsDisk_1` }],
      'nics.list': [
        { name: 'nic', tags: marks },
        { name: 'other', tags: { ...marks, 'tpi-incarnation': 'another' } },
      ],
    }
    const api = { all: async (call: string) => listed[call] ?? [], maybe: async () => undefined }
    const found = await leftoversOf(api as unknown as Api, tags, 'mine')
    expect(found.flat().map((one) => `${one.kind} ${one.name}`)).toEqual(['network interface nic', `disk ${name}_0a1b2c3d_OsDisk_1_ffff`])
  })

  test('what was never made is absent', async () => {
    const { api } = scripted({ 'groups.delete': [gone] })
    expect(await madeBy(api, 'resource group').remove()).toBe('absent')
  })
})
