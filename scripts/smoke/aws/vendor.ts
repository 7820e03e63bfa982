/** AWS, with the usual credentials of the user who runs the checks. */
import { DescribeScheduledActionsCommand } from '@aws-sdk/client-auto-scaling'
import {
  DescribeAddressesCommand,
  DescribeNetworkInterfacesCommand,
  DescribeVolumesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2'
import { Api } from '../../../src/clouds/aws/api.ts'
import { roleName, SWITCH, TAG } from '../../../src/clouds/aws/names.ts'
import {
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeScalingActivitiesCommand,
  DescribeSecurityGroupsCommand,
  GetRoleCommand,
  type Instance,
} from '../../../src/clouds/aws/sdk.ts'
import { settingsOf } from '../../../src/clouds/aws/settings.ts'
import type { Check } from '../check.ts'
import type { Account, GroupSeen, Thing } from '../cloud/account.ts'
import type { Checked } from '../cloud/checks.ts'
import type { Runs } from '../cloud/runs.ts'

/** A filter for lists. */
const named = (run: string): { Filters: { Name: string; Values: string[] }[] } => ({
  Filters: [{ Name: `tag:${TAG.name}`, Values: [run] }],
})

class AwsAccount implements Account {
  readonly #api: Api
  /** Roles of runs whose groups were seen, because roles cannot be listed by tag. */
  readonly #roles = new Map<string, string>()

  constructor(api: Api) {
    this.#api = api
  }

  async things(run: string): Promise<readonly Thing[]> {
    const { ec2 } = this.#api
    const [machines, disks, addresses, walls, templates, { group, role }] = await Promise.all([
      this.machines(run),
      ec2.send(new DescribeVolumesCommand(named(run))),
      ec2.send(new DescribeAddressesCommand(named(run))),
      ec2.send(new DescribeSecurityGroupsCommand(named(run))),
      ec2.send(new DescribeLaunchTemplatesCommand(named(run))),
      this.find(run).then(async (group) => ({ group, role: await this.role(run) })),
    ])
    const own = (walls.SecurityGroups ?? []).map(({ GroupId = '' }) => GroupId)
    const interfaces = await ec2.send(
      new DescribeNetworkInterfacesCommand(own.length > 0 ? { Filters: [{ Name: 'group-id', Values: own }] } : named(run)),
    )
    return [
      ...listed('machine', machines, ({ InstanceId }) => InstanceId),
      ...listed('disk', disks.Volumes, ({ VolumeId }) => VolumeId),
      ...listed('interface', interfaces.NetworkInterfaces, ({ NetworkInterfaceId }) => NetworkInterfaceId),
      ...listed('address', addresses.Addresses, ({ AllocationId }) => AllocationId),
      ...listed('security group', walls.SecurityGroups, ({ GroupId }) => GroupId),
      ...listed('launch template', templates.LaunchTemplates, ({ LaunchTemplateName }) => LaunchTemplateName),
      ...listed('group', group && [group], ({ AutoScalingGroupName }) => AutoScalingGroupName),
      ...listed('role', role && [role], ({ name }) => name),
    ]
  }

  async group(run: string): Promise<GroupSeen | undefined> {
    const found = await this.find(run)
    if (!found) return undefined
    const asked = { AutoScalingGroupName: found.AutoScalingGroupName, ScheduledActionNames: [SWITCH] }
    const { ScheduledUpdateGroupActions: actions = [] } = await this.#api.autoScaling.send(new DescribeScheduledActionsCommand(asked))
    const action = actions.find(({ MaxSize }) => MaxSize === 0)
    return {
      wanted: found.DesiredCapacity ?? 0,
      ends: action?.StartTime && { at: action.StartTime, how: `the scheduled action ${SWITCH} sets its size to 0` },
    }
  }

  async takeBack(_run: string, machine: string): Promise<void> {
    await this.#api.ec2.send(new TerminateInstancesCommand({ InstanceIds: [machine] }))
  }

  async machines(run: string): Promise<readonly Instance[]> {
    const { Reservations = [] } = await this.#api.ec2.send(new DescribeInstancesCommand(named(run)))
    return Reservations.flatMap(({ Instances = [] }) => Instances).filter(({ State }) => State?.Name !== 'terminated')
  }

  async find(run: string): Promise<AutoScalingGroup | undefined> {
    const { AutoScalingGroups: [group] = [] } = await this.#api.autoScaling.send(new DescribeAutoScalingGroupsCommand(named(run)))
    const tag = (key: string): string => group?.Tags?.find(({ Key }) => Key === key)?.Value ?? ''
    if (group) this.#roles.set(run, roleName({ id: tag(TAG.id), incarnation: tag(TAG.incarnation) }))
    return group
  }

  /** The machines' own role, if the caller may create one. */
  async role(run: string): Promise<{ readonly name: string; readonly madeAt: Date } | undefined> {
    const name = this.#roles.get(run)
    if (name === undefined) return undefined
    const found = await this.#api.unless(/^NoSuchEntity/, `look for role ${name}`, () =>
      this.#api.iam.send(new GetRoleCommand({ RoleName: name })),
    )
    return found?.Role?.CreateDate && { name, madeAt: found.Role.CreateDate }
  }

  /** Why launches of the run's group failed. */
  async failures(run: string): Promise<readonly string[]> {
    const asked = { AutoScalingGroupName: (await this.find(run))?.AutoScalingGroupName, MaxRecords: 100 }
    const { Activities = [] } = await this.#api.autoScaling.send(new DescribeScalingActivitiesCommand(asked))
    return Activities.flatMap(({ StatusCode, StatusMessage = '' }) => (StatusCode === 'Failed' ? [StatusMessage] : []))
  }
}

function listed<T>(kind: string, found: readonly T[] | undefined, nameOf: (one: T) => string | undefined): readonly Thing[] {
  return (found ?? []).map((one) => ({ kind, name: nameOf(one) ?? 'without a name' }))
}

const newRole: Check<Runs> = {
  id: 'new-role',
  title: 'machines whose role was made moments before them',
  settles: 'that a launch with a young role is tried again, and its machine waits until the role is heard of',
  async run(runs, trial) {
    const account = runs.account as AwsAccount
    const run = runs.pair()
    await runs.line(run, /smoke: begins 1 1 /)
    const [role, [machine], failures] = await Promise.all([account.role(run.name), account.machines(run.name), account.failures(run.name)])
    if (!role) return trial.noted('its role', 'is one that was there before: these credentials may make none')
    const seconds = ((machine?.LaunchTime?.getTime() ?? 0) - role.madeAt.getTime()) / 1000
    trial.saw('the machine started', `${seconds} s after its role was made, and works`, 'within a minute', seconds >= 0 && seconds < 60)
    trial.noted('launches that failed before', failures.length === 0 ? 'none' : failures.join('; '))
  },
}

export const aws: Checked = {
  id: 'aws',
  variables: /^AWS_/,
  name: 'autoscaling.amazonaws.com',
  closed: ['169.254.169.254:80'],
  takesBack: 'TerminateInstances',
  rights:
    'ec2:TerminateInstances, ec2:DescribeVolumes, ec2:DescribeNetworkInterfaces, ec2:DescribeAddresses, autoscaling:DescribeScheduledActions',
  unproven: {
    'first-line': 'how long the vendor takes for each step',
    refill: 'how long the vendor takes for each step',
    stop: 'how long the vendor takes for each step',
    ranks: 'real networks and their firewalls',
    surroundings: 'images other than Debian’s',
  },
  checks: [newRole],
  open: async (context) => new AwsAccount(new Api(context, settingsOf(context))),
}
