/** From option values to what each machine should be like: the same for every mode. */
import { isDeepStrictEqual } from 'node:util'
import type { MachineRequest, SpotRequest } from '../../core/cloud.ts'
import { isAbout, type Row } from '../../core/option.ts'
import type { SizeRequest } from '../../core/size.ts'
import type { DeploymentRequest } from '../../engine/create/group-spec.ts'
import type { OptionValues } from '../../options/rows/table.ts'
import { defaultOf } from '../../options/values/read-value.ts'
import type { VerbContext } from './context.ts'

/** What every request for machines contains, except what belongs to one mode: name, number, set-up and environment. */
export function requestedDeployment(
  context: Pick<VerbContext, 'values' | 'descriptors'>,
): Omit<DeploymentRequest, 'name' | 'count' | 'setup' | 'env'> {
  const { values } = context
  return {
    ...requestedMachine(values),
    ofCloud: decided(context, values.cloud),
    tags: values.tags,
    timeout: values.timeout,
    grace: values.grace,
    reserve: values.reserve,
    retention: values.retention,
    lease: { beat: values['lease-beat'] * 1000, ttl: values['lease-ttl'] * 1000, storeGrace: values['store-grace'] * 1000 },
  }
}

/** The values of that cloud's options for machines, by name, without those that are at their defaults. */
export function decided(
  { values, descriptors }: Pick<VerbContext, 'values' | 'descriptors'>,
  cloud: string,
): NonNullable<DeploymentRequest['ofCloud']> {
  const given: Readonly<Record<string, unknown>> = values
  const rows = machineRows(descriptors, cloud).filter(([name, row]) => !isDeepStrictEqual(given[name], defaultOf(name, row)))
  return Object.fromEntries(rows.map(([name]) => [name, given[name]]))
}

/** The values of all these options, from a record of those that were decided. */
export function recordedOptions(
  { descriptors }: Pick<VerbContext, 'descriptors'>,
  cloud: string,
  ofCloud: DeploymentRequest['ofCloud'] = {},
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(machineRows(descriptors, cloud).map(([name, row]) => [name, ofCloud[name] ?? defaultOf(name, row)]))
}

function machineRows(descriptors: VerbContext['descriptors'], cloud: string): (readonly [string, Row])[] {
  const rows = Object.entries(descriptors.find(({ id }) => id === cloud)?.options ?? {})
  return rows.filter(([, row]) => isAbout(row, 'machines'))
}

export function requestedMachine(values: OptionValues): MachineRequest {
  return {
    size: sizeRequest(values),
    ...given('diskBytes', values['disk-size']),
    ...given('image', values.image),
    ...(values.region.length > 0 && { region: values.region.join(',') }),
    spot: spotRequest(values),
    ...given('permissionSet', values['permission-set']),
  }
}

function sizeRequest({ machine, cpu, memory, gpu, scratch }: OptionValues): SizeRequest {
  return {
    ...given('machine', machine),
    ...given('cpu', cpu),
    ...given('memoryBytes', memory),
    ...(gpu && gpu.count > 0 ? { gpu } : {}),
    ...(scratch && { scratch }),
  }
}

function spotRequest(values: OptionValues): SpotRequest {
  if (values.spot === 'false') return { want: 'never' }
  const maxPrice = given('maxPrice', values['max-price'])
  return values.spot === 'prefer' ? { want: 'prefer', ...maxPrice, ...given('wait', values['spot-wait']) } : { want: 'only', ...maxPrice }
}

/** Has the property only if there is a value for it. */
export function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V })
}
