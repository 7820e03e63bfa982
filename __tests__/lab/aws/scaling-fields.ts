/** The parts of Auto Scaling's requests and answers that do not depend on a group: tags, sizes, pages, filters, messages of refusals. */
import { type Activity, type Choice, type Machine, Refusal, type Sizes } from '../vm/simulation/types.ts'
import { AwsFault, invalid } from './fault.ts'
import type { TemplateRef } from './instances.ts'
import { type Fields, textOf } from './model.ts'

const MAX_TAGS = 50
/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_LaunchTemplateOverrides.html */
const MAX_OVERRIDES = 40

export interface GroupTag {
  readonly key: string
  readonly value: string
  readonly atLaunch: boolean
}

/** A refusal of the simulation in Auto Scaling's format. */
export async function reported(body: () => Fields | Promise<Fields>): Promise<Fields> {
  try {
    return await body()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const codes = {
      exists: 'AlreadyExists',
      absent: 'ValidationError',
      invalid: 'ValidationError',
      busy: 'ResourceInUse',
      limit: 'LimitExceeded',
    }
    throw new AwsFault(codes[error.kind], error.message)
  }
}

export function notFound(name: string): AwsFault {
  return invalid(`AutoScalingGroup name not found - AutoScalingGroup '${name}' not found`)
}

export const underWay = ({ state }: Activity): number => (state === 'under-way' ? 1 : 0)

export function constraints({ min, max, wanted }: Sizes): string {
  return `a user request update of AutoScalingGroup constraints to min: ${min}, max: ${max}, desired: ${wanted}`
}

export function sizesOf(request: Fields): Partial<Sizes> {
  const number = (name: string): number | undefined => (request[name] === undefined ? undefined : Number(request[name]))
  const [min, max, wanted] = [number('MinSize'), number('MaxSize'), number('DesiredCapacity')]
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }), ...(wanted !== undefined && { wanted }) }
}

export function tagsOf(given: unknown): GroupTag[] {
  const tags = ((given ?? []) as readonly Fields[]).map((tag) => ({
    key: textOf(tag, 'Key'),
    value: textOf(tag, 'Value'),
    atLaunch: tag['PropagateAtLaunch'] !== false,
  }))
  if (tags.length > MAX_TAGS) throw new AwsFault('LimitExceeded', `An Auto Scaling group has at most ${MAX_TAGS} tags`)
  const wrong = tags.find(({ key }) => /^aws:/i.test(key))
  if (wrong) throw invalid(`aws: prefixed tag key names are not allowed for external use: ${wrong.key}`)
  return tags
}

export const launchTags = (tags: readonly GroupTag[]): TemplateRef['tags'] => tags.filter(({ atLaunch }) => atLaunch)

export function choicesOf(policy: Fields | undefined, mixed: Fields | undefined, type: string | undefined): readonly Choice[] {
  const price = (policy?.['InstancesDistribution'] as Fields | undefined)?.['SpotMaxPrice'] as string | undefined
  const maxPrice = price === undefined || price === '' ? {} : { maxPrice: Number(price) }
  const overrides = (mixed?.['Overrides'] ?? []) as readonly Fields[]
  if (overrides.length > MAX_OVERRIDES) throw invalid(`at most ${MAX_OVERRIDES} overrides are allowed`)
  const types = overrides.map((override) => override['InstanceType'] as string | undefined).filter((one) => one !== undefined)
  const all = types.length > 0 ? types : type === undefined ? [] : [type]
  if (all.length === 0) throw invalid('You must use a valid fully-formed launch template. The InstanceType parameter is missing.')
  if (new Set(all).size < all.length) throw invalid('Duplicate instance types in the overrides')
  return all.map((one) => ({ type: one, ...maxPrice }))
}

export function memberFields(machine: Machine): Fields {
  const state = { starting: 'Pending', up: 'InService', ending: 'Terminating', gone: 'Terminated' }[machine.state]
  return {
    InstanceId: machine.id,
    InstanceType: machine.type,
    AvailabilityZone: machine.place.zone,
    LifecycleState: state,
    HealthStatus: machine.healthy ? 'Healthy' : 'Unhealthy',
    ProtectedFromScaleIn: machine.protected,
  }
}

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_Filter.html: `tag-key`, `tag-value`, `tag:KEY`. */
export function fits(filter: Fields, tags: readonly GroupTag[]): boolean {
  const name = textOf(filter, 'Name')
  const values = (filter['Values'] ?? []) as readonly string[]
  if (name === 'tag-key') return tags.some(({ key }) => values.includes(key))
  if (name === 'tag-value') return tags.some(({ value }) => values.includes(value))
  if (name.startsWith('tag:')) return tags.some(({ key, value }) => key === name.slice(4) && values.includes(value))
  throw invalid(`Invalid filter: ${name}`)
}

export function paged<T>(all: readonly T[], request: Fields, usual: number): { page: readonly T[]; next: string | undefined } {
  const begin = Number(request['NextToken'] ?? 0)
  if (!Number.isInteger(begin)) throw new AwsFault('InvalidNextToken', 'The NextToken value is not valid.')
  const end = begin + Math.min(Number(request['MaxRecords'] ?? usual), 100)
  return { page: all.slice(begin, end), next: end < all.length ? `${end}` : undefined }
}
