/**
 * The clouds of whole machines, for tests that are the same on each: the lab, with machines that boot or that are records, and the options
 * of a command.
 */
import { startAwsLab } from '../aws/lab.ts'
import { startAzLab } from '../az/lab.ts'
import { startGcpLab } from '../gcp/lab.ts'
import type { MachineHost } from './host/machine-host.ts'
import type { RunningLab } from './running-lab.ts'
import { BRISK } from './simulation/world.ts'
import type { CallName, Trouble } from './troubles.ts'

export interface VmLab {
  readonly cloud: string
  /** Types that are equivalent, so any may come. */
  readonly types: string
  readonly region: string
  /** A zone of the region: the name that users write, and the name that its machines report. */
  readonly zone: { readonly name: string; readonly id: string }
  /** Seconds of notice before a spot machine is reclaimed: those of the vendor (Azure: at least 30), but enough for a machine of a busy host. */
  readonly notice: number
  readonly calls: VmCalls
  /** Its schedules are in minutes: a later start may be delayed by up to one. */
  readonly minutes?: true
  /** Without a host, machines are records. `ahead`: its time will go far ahead, so waits between looks are as long as the vendor's. */
  start(machines?: MachineHost, ahead?: 'ahead'): Promise<RunningLab | undefined>
}

export type Rough = readonly [calls: RegExp, kind: Exclude<Trouble['kind'], 'late'>, times?: number]

export interface VmCalls {
  /** Calls that a user waits for, without those of the store, which are counted separately. */
  readonly waited: RegExp
  /** Calls that make the account's storage in its first run. */
  readonly store: readonly CallName[]
  /** Calls of a creation: one or all of each stage, without the last stage, which starts machines. */
  readonly stages: readonly CallName[]
  /** The call that starts machines. */
  readonly up: CallName
  /** Calls that look, beside a creation, for leftovers under its name, after the same calls looked for them before anything was made. */
  readonly beside?: RegExp
  /** With `spot: prefer`: the calls that make the second group and postpone it, each with its number among the calls of its name. */
  readonly twin: readonly (readonly [call: CallName, time: number])[]
  /** With several machines: the calls that let them reach each other. */
  readonly several: readonly CallName[]
  /** The troubles that a start and an end must survive, and the calls that meet them. Absent: the cloud's own tests cover them. */
  readonly rough?: { readonly up: readonly Rough[]; readonly gone: readonly Rough[] }
  /**
   * The longest chains of calls: up to the call that starts machines, the same with a second group if that takes more, and up to the end of
   * a removal.
   */
  readonly rounds: { readonly up: number; readonly gone: number; readonly twin?: number }
}

const of = (machines?: MachineHost): object => (machines ? { machines, times: BRISK } : {})

export const LABS = {
  aws: {
    cloud: 'aws',
    types: 'm5.large,m6i.large',
    region: 'us-east-1',
    zone: { name: 'us-east-1a', id: 'us-east-1a' },
    notice: 120,
    calls: {
      waited: /^(?!s3:)/,
      store: ['s3:PUTBucket'],
      stages: [
        'iam:CreateRole',
        'iam:CreateInstanceProfile',
        'ec2:CreateSecurityGroup',
        'iam:AddRoleToInstanceProfile',
        'iam:PutRolePolicy',
        'ec2:CreateLaunchTemplate',
        'autoscaling:CreateAutoScalingGroup',
        'autoscaling:SuspendProcesses',
        'autoscaling:PutScheduledUpdateGroupAction',
      ],
      up: 'autoscaling:SetDesiredCapacity',
      twin: [
        ['autoscaling:CreateAutoScalingGroup', 2],
        ['autoscaling:SuspendProcesses', 2],
        ['autoscaling:PutScheduledUpdateGroupAction', 2],
        ['autoscaling:PutScheduledUpdateGroupAction', 3],
      ],
      several: ['ec2:AuthorizeSecurityGroupIngress'],
      rough: {
        up: [
          [/:(?:Describe|Get)/, 'throttle', 2],
          [/^iam:CreateRole$/, 'lost-reply'],
          [/^iam:PutRolePolicy$/, 'lost-request'],
          [/^ec2:CreateSecurityGroup$/, 'lost-reply'],
          [/^ec2:CreateLaunchTemplate$/, 'lost-reply'],
          [/^autoscaling:CreateAutoScalingGroup$/, 'lost-reply'],
          [/^autoscaling:PutScheduledUpdateGroupAction$/, 'broken'],
          [/^autoscaling:SetDesiredCapacity$/, 'lost-reply'],
        ],
        gone: [
          [/^autoscaling:DeleteAutoScalingGroup$/, 'lost-reply'],
          [/^ec2:DeleteLaunchTemplate$/, 'broken'],
          [/^iam:DeleteRole$/, 'throttle'],
        ],
      },
      rounds: { up: 6, gone: 5 },
    },
    start: async (machines?: MachineHost) => startAwsLab(of(machines)),
  },
  gcp: {
    cloud: 'gcp',
    types: 'n2-standard-2,n2d-standard-2',
    region: 'us-central1',
    zone: { name: 'us-central1-a', id: 'us-central1-a' },
    notice: 120,
    calls: {
      waited: /^compute:/,
      store: ['storage:POST'],
      stages: ['compute:regionInstanceTemplates.insert', 'compute:regionInstanceGroupManagers.insert', 'compute:regionOperations.wait'],
      up: 'compute:regionInstanceGroupManagers.resize',
      beside: /^compute:instance(?:Templates|GroupManagers)\.aggregatedList$/,
      twin: [
        ['compute:regionInstanceTemplates.insert', 2],
        ['compute:regionInstanceGroupManagers.insert', 2],
        ['compute:regionAutoscalers.insert', 1],
        ['compute:regionAutoscalers.patch', 1],
      ],
      several: ['compute:firewalls.insert'],
      // The schedule that starts the second group can be made only after the group.
      rounds: { up: 6, gone: 5, twin: 8 },
    },
    minutes: true,
    start: async (machines?: MachineHost) => startGcpLab(of(machines)),
  },
  az: {
    cloud: 'az',
    types: 'Standard_D2s_v5,Standard_D2as_v5',
    region: 'westeurope',
    zone: { name: 'westeurope-1', id: '1' },
    notice: 90,
    calls: {
      waited: /^(?:compute|network|resources|monitor|msi):/,
      store: ['storage:storageAccounts.create', 'storage:managementPolicies.createOrUpdate', 'storage:blobContainers.create'],
      stages: [
        'resources:resourceGroups.createOrUpdate',
        'network:networkSecurityGroups.createOrUpdate',
        'network:virtualNetworks.createOrUpdate',
        'compute:virtualMachineScaleSets.createOrUpdate',
        'monitor:autoscaleSettings.createOrUpdate',
      ],
      up: 'compute:virtualMachineScaleSets.update',
      twin: [
        ['compute:virtualMachineScaleSets.createOrUpdate', 2],
        ['monitor:autoscaleSettings.createOrUpdate', 2],
        ['monitor:autoscaleSettings.update', 1],
        ['monitor:autoscaleSettings.update', 2],
      ],
      several: [],
      rounds: { up: 6, gone: 5 },
    },
    start: async (machines?: MachineHost, ahead?: 'ahead') => startAzLab({ ...of(machines), ...(ahead && { pace: [30_000, 60_000] }) }),
  },
} as const satisfies Readonly<Record<string, VmLab>>
