/**
 * Auto Scaling, answered from the simulation of groups. Each operation takes the fields of a request that fits the service's description, and returns
 * those of the answer. Rules: https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_Operations.html, the page of each operation.
 */
import type { Group, Process } from '../vm/simulation/group.ts'
import type { Machine } from '../vm/simulation/types.ts'
import type { World } from '../vm/simulation/world.ts'
import { AwsFault, invalid } from './fault.ts'
import { type Instances, requireTemplate, type TemplateRef } from './instances.ts'
import { type Fields, textOf } from './model.ts'
import { ACCOUNT } from './resources.ts'
import {
  choicesOf,
  constraints,
  fits,
  type GroupTag,
  launchTags,
  memberFields,
  notFound,
  paged,
  reported,
  sizesOf,
  tagsOf,
  underWay,
} from './scaling-fields.ts'
import { activityFields } from './words.ts'

interface Extra {
  readonly fields: Fields
  readonly template: TemplateRef
  tags: GroupTag[]
  readonly suspended: Set<string>
}

export type Operation = (region: string, request: Fields) => Fields | Promise<Fields>

/** What suspending a process of this name stops: https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html */
const PROCESSES: Readonly<Record<string, Process>> = {
  Launch: 'launch',
  Terminate: 'end',
  ReplaceUnhealthy: 'replace',
  AZRebalance: 'balance',
  ScheduledActions: 'schedule',
}
const OTHER_PROCESSES = ['HealthCheck', 'AddToLoadBalancer', 'AlarmNotification', 'InstanceRefresh']

export class Scaling {
  readonly operations: Readonly<Record<string, Operation>>
  readonly #world: World
  readonly #instances: Instances
  readonly #zoneOf: (region: string, subnet: string) => Promise<string | undefined>
  readonly #extra = new WeakMap<Group, Extra>()
  /**
   * Activities of deleted groups, which can be listed for another six weeks:
   * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeScalingActivities.html
   */
  readonly #past: { readonly region: string; readonly group: Group }[] = []

  constructor(world: World, instances: Instances, zoneOf: (region: string, subnet: string) => Promise<string | undefined>) {
    this.#world = world
    this.#instances = instances
    this.#zoneOf = zoneOf
    const answers: Readonly<Record<string, Operation>> = {
      CreateAutoScalingGroup: (region, request) => this.#create(region, request),
      UpdateAutoScalingGroup: (region, request) => this.#update(region, request),
      DeleteAutoScalingGroup: (region, request) => this.#remove(region, request),
      DescribeAutoScalingGroups: (region, request) => this.#groups(region, request),
      DescribeAutoScalingInstances: (region, request) => this.#members(region, request),
      DescribeScalingActivities: (region, request) => this.#activities(region, request),
      SetDesiredCapacity: (region, request) => this.#resize(region, request),
      PutScheduledUpdateGroupAction: (region, request) => this.#schedule(region, request),
      DescribeScheduledActions: (region, request) => this.#schedules(region, request),
      DeleteScheduledAction: (region, request) => this.#unschedule(region, request),
      BatchDeleteScheduledAction: (region, request) => this.#unscheduleAll(region, request),
      TerminateInstanceInAutoScalingGroup: (region, request) => this.#terminate(region, request),
      DetachInstances: (region, request) => this.#detach(region, request),
      SetInstanceHealth: (region, request) => this.#health(region, request),
      SetInstanceProtection: (region, request) => this.#protect(region, request),
      SuspendProcesses: (region, request) => this.#suspend(region, request),
      ResumeProcesses: (region, request) => this.#resume(region, request),
      CreateOrUpdateTags: (region, request) => this.#tag(region, request),
      DeleteTags: (region, request) => this.#untag(region, request),
      DescribeTags: (region, request) => this.#tags(region, request),
    }
    this.operations = Object.fromEntries(
      Object.entries(answers).map(([name, answer]) => [name, (region: string, request: Fields) => reported(() => answer(region, request))]),
    )
  }

  arnOf(region: string, name: string): string {
    return `arn:aws:autoscaling:${region}:${ACCOUNT}:autoScalingGroup:00000000-0000-4000-8000-000000000000:autoScalingGroupName/${name}`
  }

  tagsOf(region: string, name: string): readonly GroupTag[] {
    const group = this.#world.find(region, name)
    return (group && this.#extra.get(group)?.tags) ?? []
  }

  async #create(region: string, request: Fields): Promise<Fields> {
    const name = textOf(request, 'AutoScalingGroupName')
    const policy = request['MixedInstancesPolicy'] as Fields | undefined
    const mixed = policy?.['LaunchTemplate'] as Fields | undefined
    const spec = (mixed?.['LaunchTemplateSpecification'] ?? request['LaunchTemplate']) as Fields | undefined
    if (!spec)
      throw invalid(
        'Valid requests must contain either LaunchTemplate, LaunchConfigurationName, InstanceId or MixedInstancesPolicy parameter.',
      )
    const template = requireTemplate(this.#instances, region, spec)
    const data = this.#instances.template(region, template)
    if (policy && data?.has('InstanceMarketOptions.MarketType'))
      throw invalid(
        'Incompatible launch template: You cannot use a launch template that is set to request Spot Instances (InstanceMarketOptions) when you configure an Auto Scaling group with a mixed instances policy. Add a different launch template to the group and try again.',
      )
    const choices = choicesOf(policy, mixed, data?.get('InstanceType') ?? undefined)
    const distribution = (policy?.['InstancesDistribution'] ?? {}) as Fields
    const onlyOnDemand = !policy && data?.get('InstanceMarketOptions.MarketType') !== 'spot'
    const onDemand = {
      base: Number(distribution['OnDemandBaseCapacity'] ?? 0),
      share: onlyOnDemand ? 1 : Number(distribution['OnDemandPercentageAboveBaseCapacity'] ?? (policy ? 100 : 0)) / 100,
    }
    const min = Number(request['MinSize'])
    const tags = tagsOf(request['Tags'])
    template.tags = launchTags(tags)
    const sizes = {
      name,
      min,
      max: Number(request['MaxSize']),
      wanted: Number(request['DesiredCapacity'] ?? min),
      places: await this.#places(region, request),
    }
    const protects = request['NewInstancesProtectedFromScaleIn'] === true
    // Nothing is created before everything has been checked; machines are ordered last.
    const group = this.#world.create(region, { ...sizes, choices, onDemand, onLoss: 'refill', template, protects }, constraints(sizes))
    this.#extra.set(group, { fields: request, template, tags, suspended: new Set() })
    return {}
  }

  async #places(region: string, request: Fields): Promise<readonly { zone: string; id: string }[]> {
    const ids = textOf(request, 'VPCZoneIdentifier').split(',').filter(Boolean)
    if (ids.length === 0) throw invalid('At least one Availability Zone or VPC Subnet is required.')
    const places = await Promise.all(ids.map(async (id) => ({ id, zone: await this.#zoneOf(region, id) })))
    const wrong = places.find(({ zone }) => zone === undefined)
    if (wrong) throw invalid(`The subnet ID '${wrong.id}' does not exist`)
    const found = places.map(({ id, zone = '' }) => ({ id, zone }))
    if (new Set(found.map(({ zone }) => zone)).size < found.length)
      return found.filter(({ zone }, at) => found.findIndex((other) => other.zone === zone) === at)
    return found
  }

  #update(region: string, request: Fields): Fields {
    const group = this.#named(region, request)
    const change = sizesOf(request)
    if (Object.keys(change).length > 0) group.resize(change, constraints({ ...group.sizes, ...change }))
    return {}
  }

  #resize(region: string, request: Fields): Fields {
    const group = this.#named(region, request)
    const wanted = Number(request['DesiredCapacity'])
    const { min, max } = group.sizes
    if (wanted > max) throw invalid(`New SetDesiredCapacity value ${wanted} is above max value ${max} for the AutoScalingGroup.`)
    if (wanted < min) throw invalid(`New SetDesiredCapacity value ${wanted} is below min value ${min} for the AutoScalingGroup.`)
    group.resize(
      { wanted },
      `a user request explicitly set group desired capacity changing the desired capacity from ${group.sizes.wanted} to ${wanted}`,
    )
    return {}
  }

  #remove(region: string, request: Fields): Fields {
    const group = this.#named(region, request)
    if (request['ForceDelete'] !== true && group.sizes.wanted + group.machines.length > 0)
      throw new AwsFault(
        'ResourceInUse',
        'You cannot delete an AutoScalingGroup while there are instances or pending Spot instance request(s) still in the group.',
      )
    this.#past.push({ region, group })
    this.#world.remove(group, true)
    return {}
  }

  #groups(region: string, request: Fields): Fields {
    const names = request['AutoScalingGroupNames'] as readonly string[] | undefined
    const filters = (request['Filters'] ?? []) as readonly Fields[]
    const found = this.#world
      .groups(region)
      .filter(
        (group) =>
          (!names || names.length === 0 || names.includes(group.name)) && filters.every((filter) => fits(filter, this.#own(group).tags)),
      )
    const { page, next } = paged(found, request, 50)
    return { AutoScalingGroups: page.map((group) => this.#groupFields(group)), NextToken: next }
  }

  #groupFields(group: Group): Fields {
    const { fields, tags, suspended } = this.#own(group)
    const { MixedInstancesPolicy, LaunchTemplate, VPCZoneIdentifier, CapacityRebalance, CapacityReservationSpecification } = fields
    const spec = (given: unknown): unknown => given && { ...(given as Fields) }
    return {
      AutoScalingGroupName: group.name,
      AutoScalingGroupARN: this.arnOf(group.region, group.name),
      LaunchTemplate: spec(LaunchTemplate),
      MixedInstancesPolicy: spec(MixedInstancesPolicy),
      CapacityReservationSpecification: spec(CapacityReservationSpecification),
      MinSize: group.sizes.min,
      MaxSize: group.sizes.max,
      DesiredCapacity: group.sizes.wanted,
      DefaultCooldown: 300,
      AvailabilityZones: group.request.places.map(({ zone }) => zone),
      HealthCheckType: 'EC2',
      HealthCheckGracePeriod: 0,
      Instances: group.machines.map((machine) => memberFields(machine)),
      CreatedTime: new Date(group.bornAt),
      SuspendedProcesses: [
        ...[...suspended].map((ProcessName) => ({ ProcessName, SuspensionReason: 'User suspended' })),
        // https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html (administrative suspension)
        ...(group.gaveUp === undefined
          ? []
          : [{ ProcessName: 'Launch', SuspensionReason: 'Administrative suspension: repeated launch failures' }]),
      ],
      VPCZoneIdentifier,
      EnabledMetrics: [],
      Status: group.leaving ? 'Delete in progress' : undefined,
      Tags: tags.map((tag) => this.#tagFields(group.name, tag)),
      TerminationPolicies: ['Default'],
      NewInstancesProtectedFromScaleIn: group.request.protects === true,
      ServiceLinkedRoleARN: `arn:aws:iam::${ACCOUNT}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling`,
      CapacityRebalance,
    }
  }

  #members(region: string, request: Fields): Fields {
    const ids = request['InstanceIds'] as readonly string[] | undefined
    const all = this.#world.groups(region).flatMap((group) => group.machines.map((machine) => ({ group, machine })))
    const { page, next } = paged(
      all.filter(({ machine }) => !ids || ids.length === 0 || ids.includes(machine.id)),
      request,
      50,
    )
    const AutoScalingInstances = page.map(({ group, machine }) => ({
      ...memberFields(machine),
      AutoScalingGroupName: group.name,
      HealthStatus: machine.healthy ? 'HEALTHY' : 'UNHEALTHY',
    }))
    return { AutoScalingInstances, NextToken: next }
  }

  #activities(region: string, request: Fields): Fields {
    const name = request['AutoScalingGroupName'] as string | undefined
    const alive = name === undefined ? this.#world.groups(region) : [this.#world.find(region, name)].filter((group) => group !== undefined)
    const past =
      request['IncludeDeletedGroups'] === true
        ? this.#past.filter((one) => one.region === region && !alive.includes(one.group)).map(({ group }) => group)
        : []
    if (name !== undefined && alive.length === 0 && request['IncludeDeletedGroups'] !== true) throw notFound(name)
    const found = [...alive.map((group) => [group, false] as const), ...past.map((group) => [group, true] as const)]
      .filter(([group]) => name === undefined || group.name === name)
      .flatMap(([group, gone]) => group.activities.map((activity) => ({ activity, gone })))
    const newest = found.toSorted((a, b) => underWay(b.activity) - underWay(a.activity) || b.activity.at - a.activity.at)
    const { page, next } = paged(newest, request, 100)
    return { Activities: page.map(({ activity, gone }) => activityFields(activity, gone)), NextToken: next }
  }

  #schedule(region: string, request: Fields): Fields {
    const group = this.#named(region, request)
    const start = (request['StartTime'] ?? request['Time']) as Date | undefined
    if (request['Recurrence'] !== undefined || !start) throw invalid('the lab knows schedules of one StartTime')
    const sizes = sizesOf(request)
    if (Object.keys(sizes).length === 0) throw invalid('At least one of MinSize, MaxSize, or DesiredCapacity must be specified')
    if (start.getTime() <= this.#world.clock.now()) throw invalid('Given start time is in the past')
    this.#world.schedule(group, { name: textOf(request, 'ScheduledActionName'), at: start.getTime(), sizes })
    return {}
  }

  #schedules(region: string, request: Fields): Fields {
    const name = request['AutoScalingGroupName']
    const names = request['ScheduledActionNames'] as readonly string[] | undefined
    const groups = this.#world.groups(region).filter((group) => name === undefined || group.name === name)
    const found = groups.flatMap((group) => [...group.schedules.values()].map((schedule) => ({ group, schedule })))
    const { page, next } = paged(
      found.filter(({ schedule }) => !names || names.length === 0 || names.includes(schedule.name)),
      request,
      50,
    )
    const ScheduledUpdateGroupActions = page.map(({ group, schedule: { name: action, at, sizes } }) => ({
      AutoScalingGroupName: group.name,
      ScheduledActionName: action,
      Time: new Date(at),
      StartTime: new Date(at),
      MinSize: sizes.min,
      MaxSize: sizes.max,
      DesiredCapacity: sizes.wanted,
    }))
    return { ScheduledUpdateGroupActions, NextToken: next }
  }

  #unschedule(region: string, request: Fields): Fields {
    const name = textOf(request, 'ScheduledActionName')
    if (!this.#named(region, request).schedules.delete(name))
      throw invalid(`Scheduled action name not found - no scheduled action named ${name}`)
    return {}
  }

  #unscheduleAll(region: string, request: Fields): Fields {
    const group = this.#named(region, request)
    const failed = (request['ScheduledActionNames'] as readonly string[]).filter((name) => !group.schedules.delete(name))
    return {
      FailedScheduledActions: failed.map((name) => ({
        ScheduledActionName: name,
        ErrorCode: 'ValidationError',
        ErrorMessage: 'Scheduled action name not found',
      })),
    }
  }

  #terminate(region: string, request: Fields): Fields {
    const { machine, group } = this.#member(region, textOf(request, 'InstanceId'))
    const smaller = request['ShouldDecrementDesiredCapacity'] === true
    if (smaller && machine.state !== 'ending' && group.sizes.wanted <= group.sizes.min)
      throw invalid(
        `Currently, desiredSize equals minSize (${group.sizes.min}). Terminating instance without replacement will violate group's min size constraint. Either set shouldDecrementDesiredCapacity flag to false or lower group's min size.`,
      )
    const because = `instance ${machine.id} was taken out of service in response to a user request${smaller ? `, shrinking the capacity from ${group.sizes.wanted} to ${group.sizes.wanted - 1}` : ''}`
    return { Activity: activityFields(group.leave(machine, smaller ? 'smaller' : 'replace', because), false) }
  }

  #detach(region: string, request: Fields): Fields {
    const group = this.#named(region, request)
    const ids = (request['InstanceIds'] ?? []) as readonly string[]
    for (const id of ids) {
      const { machine } = this.#member(region, id)
      if (machine.group !== group.name) throw invalid(`The instance ${id} is not part of Auto Scaling group ${group.name}.`)
      this.#world.detach(machine, request['ShouldDecrementDesiredCapacity'] === true)
    }
    return { Activities: [] }
  }

  #health(region: string, request: Fields): Fields {
    const { machine, group } = this.#member(region, textOf(request, 'InstanceId'))
    if (request['HealthStatus'] === 'Unhealthy')
      group.unhealthy(machine, 'an instance was taken out of service in response to a user health-check')
    return {}
  }

  #protect(region: string, request: Fields): Fields {
    const group = this.#named(region, request)
    for (const id of request['InstanceIds'] as readonly string[])
      group.protect(this.#member(region, id).machine, request['ProtectedFromScaleIn'] === true)
    return {}
  }

  #suspend(region: string, request: Fields): Fields {
    return this.#processes(region, request, 'add')
  }

  #resume(region: string, request: Fields): Fields {
    return this.#processes(region, request, 'delete')
  }

  /** Adds processes to those that are suspended, or deletes them; all, unless the request names some. */
  #processes(region: string, request: Fields, change: 'add' | 'delete'): Fields {
    const group = this.#named(region, request)
    const names = (request['ScalingProcesses'] ?? [...Object.keys(PROCESSES), ...OTHER_PROCESSES]) as readonly string[]
    for (const name of names) {
      const process = PROCESSES[name]
      if (!process && !OTHER_PROCESSES.includes(name)) throw invalid(`${name} is not a valid process type`)
      this.#own(group).suspended[change](name)
      if (process) group.suspended[change](process)
    }
    group.settle()
    return {}
  }

  #tag(region: string, request: Fields): Fields {
    for (const given of request['Tags'] as readonly Fields[]) {
      const own = this.#own(this.#named(region, { AutoScalingGroupName: given['ResourceId'] }))
      own.tags = [...own.tags.filter(({ key }) => key !== given['Key']), ...tagsOf([given])]
      own.template.tags = launchTags(own.tags)
    }
    return {}
  }

  #untag(region: string, request: Fields): Fields {
    for (const given of request['Tags'] as readonly Fields[]) {
      const own = this.#own(this.#named(region, { AutoScalingGroupName: given['ResourceId'] }))
      own.tags = own.tags.filter(({ key }) => key !== given['Key'])
      own.template.tags = launchTags(own.tags)
    }
    return {}
  }

  #tags(region: string, request: Fields): Fields {
    const filters = (request['Filters'] ?? []) as readonly Fields[]
    const all = this.#world.groups(region).flatMap((group) => this.#own(group).tags.map((tag) => ({ group: group.name, tag })))
    const by: Readonly<Record<string, (one: (typeof all)[number]) => string>> = {
      'auto-scaling-group': ({ group }) => group,
      key: ({ tag }) => tag.key,
      value: ({ tag }) => tag.value,
      'propagate-at-launch': ({ tag }) => `${tag.atLaunch}`,
    }
    const found = all.filter((one) =>
      filters.every((filter) => (filter['Values'] as readonly string[]).includes(by[textOf(filter, 'Name')]?.(one) ?? '')),
    )
    const { page, next } = paged(found, request, 50)
    return { Tags: page.map(({ group, tag }) => this.#tagFields(group, tag)), NextToken: next }
  }

  #tagFields(group: string, { key, value, atLaunch }: GroupTag): Fields {
    return { ResourceId: group, ResourceType: 'auto-scaling-group', Key: key, Value: value, PropagateAtLaunch: atLaunch }
  }

  #own(group: Group): Extra {
    const extra = this.#extra.get(group)
    if (!extra) throw new Error(`${group.name} was not made by this front`)
    return extra
  }

  #named(region: string, request: Fields): Group {
    const name = textOf(request, 'AutoScalingGroupName')
    const group = this.#world.find(region, name, true)
    if (!group || group.leaving) throw notFound(name)
    return group
  }

  #member(region: string, id: string): { machine: Machine; group: Group } {
    const machine = this.#world.machine(id)
    const group = machine && machine.region === region && machine.state !== 'gone' ? this.#world.groupOf(machine) : undefined
    if (!machine || !group) throw invalid(`Instance Id not found - No managed instance found for instance ID: ${id}`)
    return { machine, group }
  }
}
