/** A group as people and the engine see it: instances as machines, the vendor's activities in plain words. */
import { ABSENT, type Machine, type Observation } from '../../core/cloud.ts'
import { pagesOf } from '../vm/pages.ts'
import { isoOf, now, Sightings } from '../vm/sightings.ts'
import type { Api } from './api.ts'
import { describeGroups, ifThere } from './group.ts'
import { endOf, reasonOf, suspended } from './messages.ts'
import { type Activity, type AutoScalingGroup, DescribeInstancesCommand, DescribeScalingActivitiesCommand, type Instance } from './sdk.ts'

const GONE = /^InvalidInstanceID\.(?:NotFound|Malformed)$/
/** Values that the filters of one request may have: for more, AWS answers `FilterLimitExceeded`. */
const MOST_VALUES = 200

/** What one controller has seen of one incarnation. */
export class Watch {
  readonly #api: Api
  readonly #names: readonly [string, ...string[]]
  readonly #seen = new Sightings()
  #looked = false

  /** `names`: of its group, and of other groups that it may have. */
  constructor(api: Api, names: readonly [string, ...string[]]) {
    this.#api = api
    this.#names = names
  }

  async look(): Promise<Observation> {
    const [name, ...others] = this.#names
    // At the first look, no machine is known, so all are read at once.
    const all = this.#looked ? undefined : this.#members()
    const [groups, own, known] = await Promise.all([describeGroups(this.#api, this.#names), this.#activities(name), all])
    this.#looked = true
    if (groups.length === 0) return ABSENT
    // Most deployments have no other group.
    const there = others.filter((other) => groups.some(({ AutoScalingGroupName }) => AutoScalingGroupName === other))
    const more = await Promise.all(there.map(async (other) => this.#activities(other)))
    const activities = [own, ...more].flat()
    for (const activity of activities) this.#tell(activity)
    for (const group of groups) this.#tellSuspended(group, there.length > 0)
    const members = groups.flatMap(({ Instances = [] }) => Instances)
    const present = new Set(members.map(({ InstanceId = '' }) => InstanceId))
    const unclear = [...present].filter((id) => !this.#seen.get(id)?.startedAt)
    const lost = this.#seen.lost(present)
    const facts = known ?? (await this.#instances([...unclear, ...lost]))
    this.#see(members, facts)
    for (const id of lost) this.#lose(id, facts.get(id), activities)
    const wanted = groups.reduce((sum, { DesiredCapacity = 0 }) => sum + DesiredCapacity, 0)
    return this.#seen.observation(wanted, present.size, there.length > 0)
  }

  #see(members: NonNullable<AutoScalingGroup['Instances']>, facts: ReadonlyMap<string, Instance>): void {
    for (const { InstanceId: id = '', LifecycleState: life = '' } of members) {
      const fact = facts.get(id)
      this.#seen.see(id, stateOf(life), { startedAt: fact?.LaunchTime?.toISOString(), address: fact?.PrivateIpAddress })
    }
  }

  /** The group has no such machine any more. EC2 tells for about an hour how it ended. */
  #lose(id: string, fact: Instance | undefined, activities: readonly Activity[]): void {
    const cause = activities.find(({ Description = '' }) => Description.includes('Terminating') && Description.includes(id))?.Cause
    const at = /\((.+) GMT\)/.exec(fact?.StateTransitionReason ?? '')?.[1]
    this.#seen.lose(id, endOf(fact?.StateReason?.Code, cause), isoOf(at))
  }

  #tell({ ActivityId = '', StatusCode, StatusMessage = '', Description = '', StartTime, EndTime }: Activity): void {
    const at = isoOf(EndTime ?? StartTime) ?? now()
    // AWS calls a launch cancelled if its machine died before it was in service, and also if tpi's stop came in between.
    const died = StatusCode === 'Cancelled' && /Termination Reason: (?!Client\.(?:UserInitiated|InstanceInitiated))/.test(StatusMessage)
    if (StatusCode === 'Failed' || died) {
      this.#seen.fail(reasonOf(StatusMessage === '' ? Description : StatusMessage), at)
    } else if (Description.startsWith('Launching') && StatusCode !== 'Cancelled') {
      const [id] = /\bi-[0-9a-f]+\b/.exec(Description) ?? []
      if (id !== undefined)
        this.#seen.eventLog.say(`launch ${ActivityId}`, { at: isoOf(StartTime) ?? at, kind: 'info', text: `machine ${id} starts` })
    }
  }

  /**
   * The vendor suspends launches after a day without a successful one.
   * https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html
   */
  #tellSuspended({ SuspendedProcesses = [], AutoScalingGroupName: name }: AutoScalingGroup, others: boolean): void {
    const launch = SuspendedProcesses.find(({ ProcessName }) => ProcessName === 'Launch')
    if (!launch) return
    // Not hopeless if another group keeps trying.
    this.#seen.eventLog.say(`suspended ${name}`, {
      at: now(),
      kind: 'capacity',
      ...(!others && { hopeless: true }),
      text: suspended(launch.SuspensionReason),
    })
  }

  /** The latest hundred at most, oldest first. */
  async #activities(name: string): Promise<readonly Activity[]> {
    const command = new DescribeScalingActivitiesCommand({ AutoScalingGroupName: name, MaxRecords: 100 })
    const found = await this.#api.call(`look at what group ${name} did`, () => ifThere(this.#api.autoScaling.send(command)))
    return (found?.Activities ?? []).toReversed()
  }

  async #members(): Promise<ReadonlyMap<string, Instance>> {
    return byId(await this.#asked({ Name: 'tag:aws:autoscaling:groupName', Values: [...this.#names] }))
  }

  /** An instance that EC2 does not know yet, or no longer knows, does not hide the others. */
  async #instances(ids: readonly string[]): Promise<ReadonlyMap<string, Instance>> {
    const slices = Array.from({ length: Math.ceil(ids.length / MOST_VALUES) }, (_, at) =>
      ids.slice(at * MOST_VALUES, (at + 1) * MOST_VALUES),
    )
    const found = await Promise.all(slices.map(async (Values) => this.#asked({ Name: 'instance-id', Values })))
    return byId(found.flat())
  }

  async #asked(filter: { readonly Name: string; readonly Values: string[] }): Promise<readonly Instance[]> {
    const ask = async (NextToken: string | undefined) =>
      this.#api.unless(GONE, `look at machines of ${this.#names[0]}`, () =>
        this.#api.ec2.send(new DescribeInstancesCommand({ Filters: [filter], NextToken })),
      )
    const instances: Instance[] = []
    for await (const page of pagesOf(ask, (one) => one?.NextToken))
      instances.push(...(page?.Reservations ?? []).flatMap(({ Instances = [] }) => Instances))
    return instances
  }
}

const byId = (instances: readonly Instance[]): ReadonlyMap<string, Instance> =>
  new Map(instances.map((instance) => [instance.InstanceId ?? '', instance]))

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-lifecycle.html */
function stateOf(life: string): Machine['state'] {
  if (life === 'InService') return 'running'
  return /^(?:Terminating|Detaching|Terminated|Detached)/.test(life) ? 'leaving' : 'starting'
}
