/** Calls of Microsoft.Compute: https://learn.microsoft.com/rest/api/compute */
import type { World } from '../vm/simulation/world.ts'
import * as catalogue from './catalogue.ts'
import { ArmFault, notFound } from './fault.ts'
import { type Instance, type Instances, idOf, viewOf } from './instances.ts'
import { identitiesIn } from './linked.ts'
import { type Asked, type Method, type Methods, ok, paged, part, placeOf, type Reply } from './method.ts'
import type { Resources } from './resources.ts'
import { SUBSCRIPTION } from './resources.ts'
import type { ScaleSet, Sets } from './sets.ts'
import type { Fields } from './tables.ts'

export interface ComputeParts {
  readonly world: () => World
  readonly resources: Resources
  readonly instances: Instances
  readonly sets: Sets
  /** Items on a page. */
  readonly page: () => number
  /** How many milliseconds a change takes. */
  readonly busy: () => number
  /** Sizes that the subscription may not use. */
  readonly restricted: ReadonlySet<string>
  /** A machine's serial output, by its name. */
  readonly console: (name: string) => Promise<string>
}

export function computeMethods(parts: ComputeParts): Methods {
  return { ...setMethods(parts), ...memberMethods(parts), ...machineMethods(parts), ...placeMethods(parts) }
}

const setId = (asked: Asked): string =>
  idOf(
    part(asked, 'resourceGroupName'),
    `Microsoft.Compute/virtualMachineScaleSets/${part(asked, 'vmScaleSetName') || part(asked, 'virtualMachineScaleSetName')}`,
  )

function setOf({ resources, sets }: ComputeParts, asked: Asked): ScaleSet {
  return sets.of(resources.get(setId(asked)))
}

/** The change of a size ends when all machines are up, or cannot start. */
function resized({ sets }: ComputeParts, set: ScaleSet, status: number): Reply {
  const result = (): unknown => sets.fields(set)
  return {
    status,
    body: result(),
    goes: { place: placeOf('Microsoft.Compute', set.region), so: () => set.settled, why: () => set.failed, result },
  }
}

/** Whoever may hand on an identity (`linked.ts`) may still name one that does not exist. */
function identitiesExist({ resources }: ComputeParts, { body, url }: Asked): void {
  const missing = identitiesIn(body).find((id) => !resources.find(id))
  if (missing !== undefined)
    throw new ArmFault(
      400,
      'FailedIdentityOperation',
      `Identity operation for resource '${url}' failed with error 'Failed to perform resource identity operation. Status: 'BadRequest'. Response: '{"error":{"code":"BadRequest","message":"Resource '${missing}' was not found."}}''.`,
    )
}

function setMethods(parts: ComputeParts): Methods {
  const { resources, sets, instances, page, busy } = parts
  const listed = (asked: Asked, all: readonly ScaleSet[]): Reply =>
    paged(
      asked,
      all.map((one) => sets.fields(one)),
      page(),
    )
  return {
    'compute:virtualMachineScaleSets.createOrUpdate': (asked) => {
      const group = part(asked, 'resourceGroupName')
      resources.open(group)
      identitiesExist(parts, asked)
      const { set, made } = sets.put(setId(asked), group, asked.body, busy())
      return resized(parts, set, made ? 201 : 200)
    },
    'compute:virtualMachineScaleSets.update': (asked) => {
      const set = setOf(parts, asked)
      sets.change(set, asked.body)
      return resized(parts, set, 200)
    },
    'compute:virtualMachineScaleSets.get': (asked) => ok(sets.fields(setOf(parts, asked))),
    'compute:virtualMachineScaleSets.getInstanceView': (asked) => {
      const set = setOf(parts, asked)
      return ok({
        virtualMachine: { statusesSummary: [{ code: 'ProvisioningState/succeeded', count: instances.of(set).length }] },
        statuses: [
          {
            code: `ProvisioningState/${set.failed ? 'failed' : 'succeeded'}`,
            level: 'Info',
            displayStatus: 'Provisioning',
            time: new Date().toISOString(),
          },
        ],
      })
    },
    'compute:virtualMachineScaleSets.list': (asked) => {
      resources.group(part(asked, 'resourceGroupName'))
      return listed(
        asked,
        sets.all().filter(({ group }) => group === part(asked, 'resourceGroupName').toLowerCase()),
      )
    },
    'compute:virtualMachineScaleSets.listAll': (asked) => listed(asked, sets.all()),
    'compute:virtualMachineScaleSets.delete': (asked) => {
      resources.group(part(asked, 'resourceGroupName'))
      const kept = resources.find(setId(asked))
      if (!kept) return { status: 204 }
      const { region } = sets.of(kept)
      resources.remove(kept)
      return { status: 202, goes: { place: placeOf('Microsoft.Compute', region), so: () => resources.find(kept.id) !== kept } }
    },
    'compute:virtualMachineScaleSets.deleteInstances': (asked) => {
      const set = setOf(parts, asked)
      const names = (asked.body['instanceIds'] ?? []) as readonly string[]
      const stranger = names.find((name) => instances.named(set.group, name)?.set !== set)
      if (stranger !== undefined)
        throw new ArmFault(
          400,
          'InvalidParameter',
          `The provided instanceId ${stranger} is not an active Virtual Machine Scale Set VM instanceId.`,
          { target: 'instanceIds' },
        )
      sets.removeMembers(set, names)
      return {
        status: 202,
        goes: { place: placeOf('Microsoft.Compute', set.region), so: () => names.every((name) => !instances.named(set.group, name)) },
      }
    },
  }
}

/** The members of a Flexible set are listed too, by the names of their machines and with few properties. */
function memberMethods(parts: ComputeParts): Methods {
  const { instances } = parts
  const fields = (one: Instance): Fields => ({
    id: `${one.set.id}/virtualMachines/${one.name}`,
    name: one.name,
    type: 'Microsoft.Compute/virtualMachineScaleSets/virtualMachines',
    instanceId: one.name,
    location: one.set.region,
    tags: one.set.tags,
    ...(one.machine && { sku: { name: one.machine.type, tier: 'Standard' } }),
  })
  return {
    'compute:virtualMachineScaleSetVMs.list': (asked) => paged(asked, instances.of(setOf(parts, asked)).map(fields), parts.page()),
    'compute:virtualMachineScaleSetVMs.get': (asked) => {
      const found = instances.named(setOf(parts, asked).group, part(asked, 'instanceId'))
      if (!found) throw notFound(asked.url)
      return ok(fields(found))
    },
  }
}

/** `'virtualMachineScaleSet/id' eq '…'` is the only filter: https://learn.microsoft.com/rest/api/compute/virtual-machines/list#uri-parameters */
function memberOf(filter: string | null): (one: Instance) => boolean {
  if (filter === null) return () => true
  const [, id] = /^\s*'?virtualMachineScaleSet\/id'?\s+eq\s+'?([^']+?)'?\s*$/i.exec(filter) ?? []
  if (id === undefined)
    throw new ArmFault(400, 'InvalidParameter', `The value of parameter $filter is invalid: ${filter}`, { target: '$filter' })
  return ({ set, machine }) => machine?.group !== undefined && set.id.toLowerCase() === id.toLowerCase()
}

function machineMethods(parts: ComputeParts): Methods {
  const { world, resources, instances, sets, page } = parts
  const named = (asked: Asked): Instance => {
    resources.group(part(asked, 'resourceGroupName'))
    const found = instances.named(part(asked, 'resourceGroupName'), part(asked, 'vmName'))
    if (!found) throw notFound(asked.url)
    return found
  }
  const listed = (asked: Asked, all: readonly Instance[]): Reply => {
    const filter = asked.query.get('$filter')
    const view = asked.query.get('$expand') === 'instanceView'
    if (view && filter === null)
      throw new ArmFault(
        400,
        'InvalidParameter',
        "$expand=instanceView is supported only together with the filter 'virtualMachineScaleSet/id'.",
        { target: '$expand' },
      )
    return paged(
      asked,
      all.filter(memberOf(filter)).map((one) => instances.fields(one, view || asked.query.get('statusOnly') === 'true')),
      page(),
    )
  }
  const gone: Method = (asked) => {
    resources.group(part(asked, 'resourceGroupName'))
    const one = instances.named(part(asked, 'resourceGroupName'), part(asked, 'vmName'))
    if (!one) return { status: 204 }
    sets.removeMembers(one.set, [one.name])
    return { status: 202, goes: { place: placeOf('Microsoft.Compute', one.set.region), so: () => one.machine?.state === 'gone' } }
  }
  return {
    'compute:virtualMachines.list': (asked) => {
      resources.group(part(asked, 'resourceGroupName'))
      return listed(
        asked,
        instances.all().filter(({ set }) => set.group === part(asked, 'resourceGroupName').toLowerCase()),
      )
    },
    'compute:virtualMachines.listAll': (asked) => listed(asked, instances.all()),
    'compute:virtualMachines.get': (asked) => ok(instances.fields(named(asked), asked.query.get('$expand') === 'instanceView')),
    'compute:virtualMachines.instanceView': (asked) => ok(viewOf(named(asked))),
    'compute:virtualMachines.delete': gone,
    'compute:virtualMachines.powerOff': (asked) => {
      const { machine, set } = named(asked)
      if (machine) world().lose(machine, 'powered-off')
      return { status: 202, goes: { place: placeOf('Microsoft.Compute', set.region) } }
    },
    /** https://learn.microsoft.com/rest/api/compute/virtual-machines/simulate-eviction : within 30 minutes. */
    'compute:virtualMachines.simulateEviction': (asked) => {
      const { machine } = named(asked)
      if (machine?.market !== 'spot')
        throw new ArmFault(409, 'OperationNotAllowed', 'Simulate Eviction is only supported for Azure Spot Virtual Machines.')
      world().reclaim(machine, 0)
      return { status: 204 }
    },
    'compute:virtualMachines.retrieveBootDiagnosticsData': (asked) => {
      const { name } = named(asked)
      return ok({
        consoleScreenshotBlobUri: `${asked.origin}/bootdiagnostics/${name}/screenshot.bmp`,
        serialConsoleLogBlobUri: `${asked.origin}/bootdiagnostics/${name}/serialconsole.log?sig=lab`,
      })
    },
  }
}

function placeMethods({ world, sets, resources, restricted, page }: ComputeParts): Methods {
  const image = (asked: Asked): NonNullable<ReturnType<typeof catalogue.image>> => {
    const names = ['publisherName', 'offer', 'skus'].map((name) => part(asked, name)) as [string, string, string]
    const found = catalogue.image(...names)
    if (!found) throw new ArmFault(404, 'NotFound', `Artifact: VMImage was not found.`)
    return found
  }
  const version = (asked: Asked, name: string): string => `${asked.url.replace(/\/versions.*$/i, '')}/Versions/${name}`
  return {
    'compute:resourceSkus.list': (asked) => {
      const region = /^location eq '([^']+)'$/.exec(asked.query.get('$filter') ?? '')?.[1]
      const regions = Object.keys(catalogue.REGIONS).filter((one) => region === undefined || one === region.toLowerCase())
      return paged(
        asked,
        regions.flatMap((one) => catalogue.skus(one, restricted)),
        1000,
      )
    },
    'compute:usageOperations.list': (asked) =>
      paged(asked, catalogue.usages(world(), part(asked, 'location').toLowerCase(), sets.families), 1000),
    'compute:virtualMachineImages.list': (asked) => {
      const { versions } = image(asked)
      const down = /desc/i.test(asked.query.get('$orderby') ?? '')
      const sorted = down ? versions.toSorted().toReversed() : versions.toSorted()
      const chosen = sorted.slice(0, Number(asked.query.get('$top') ?? sorted.length))
      const location = part(asked, 'location')
      const whole = asked.query.get('$expand') === 'properties'
      const fields = (name: string): Fields =>
        whole ? catalogue.imageFields(image(asked), version(asked, name), name, location) : { id: version(asked, name), name, location }
      return ok(chosen.map(fields))
    },
    'compute:virtualMachineImages.get': (asked) => {
      const found = image(asked)
      const name = part(asked, 'version')
      if (!found.versions.includes(name)) throw new ArmFault(404, 'NotFound', 'Artifact: VMImage was not found.')
      return ok(catalogue.imageFields(found, version(asked, name), name, part(asked, 'location')))
    },
    'compute:disks.list': (asked) => paged(asked, resources.in().filter(isDisk).map(diskFields), page()),
    'compute:disks.listByResourceGroup': (asked) =>
      paged(
        asked,
        resources
          .in(resources.group(part(asked, 'resourceGroupName')).name)
          .filter(isDisk)
          .map(diskFields),
        page(),
      ),
  }
}

const isDisk = ({ type }: { type: string }): boolean => type === 'Microsoft.Compute/disks'

function diskFields({ id, name, type, fields }: { id: string; name: string; type: string; fields: Fields }): Fields {
  return {
    id,
    name,
    type,
    location: fields['location'],
    tags: fields['tags'],
    sku: { name: 'StandardSSD_LRS', tier: 'Standard' },
    properties: {
      osType: 'Linux',
      creationData: {
        createOption: 'FromImage',
        imageReference: { id: `/Subscriptions/${SUBSCRIPTION}/Providers/Microsoft.Compute/Locations/any` },
      },
      provisioningState: 'Succeeded',
      diskState: 'Attached',
    },
  }
}
