/** Options of AWS only. */
import type { Rows } from '../../core/option.ts'

/** `retry` starts runners again. */
const CREATE = ['task', 'plan', 'runner', 'retry', 'doctor'] as const
const ALL = [
  ...CREATE,
  'permissions',
  'list',
  'status',
  'logs',
  'stop',
  'collect',
  'pull',
  'exec',
  'destroy',
  'sweep',
  'interrupt',
] as const

export const options = {
  'aws-profile': {
    kind: 'string',
    group: 'where',
    verbs: ALL,
    placeholder: 'NAME',
    defaultText: 'AWS_PROFILE, or the credentials of the environment',
    help: 'Profile of ~/.aws whose credentials are used.',
  },
  vpc: {
    kind: 'string',
    group: 'where',
    verbs: CREATE,
    placeholder: 'VPC',
    pattern: { test: /^vpc-[0-9a-f]{8,17}$/, says: 'an id such as vpc-0123456789abcdef0' },
    defaultText: 'the default VPC of the region',
    help: 'Network in which machines start, in all of its subnets.',
  },
  subnet: {
    kind: 'list',
    group: 'where',
    verbs: CREATE,
    aliases: ['cloud-aws-subnet', 'aws-subnet-id'],
    variables: ['CML_RUNNER_CLOUD_AWS_SUBNET'],
    placeholder: 'SUBNET',
    pattern: { test: /^subnet-[0-9a-f]{8,17}$/, says: 'an id such as subnet-0123456789abcdef0' },
    defaultText: 'all of the network',
    help: 'Subnets in which machines start. Private ones will do if they have a way to S3 and to the Auto Scaling API.',
  },
  'security-group': {
    kind: 'list',
    group: 'where',
    verbs: CREATE,
    aliases: ['cloud-aws-security-group', 'aws-security-group'],
    variables: ['CML_RUNNER_CLOUD_AWS_SECURITY_GROUP'],
    placeholder: 'GROUP',
    pattern: { test: /^sg-[0-9a-f]{8,17}$/, says: 'an id such as sg-0123456789abcdef0' },
    defaultText: 'a new one that lets nothing in',
    help: 'Security groups of the machines, instead of one of their own.',
  },
  'public-address': {
    kind: 'choice',
    group: 'where',
    verbs: CREATE,
    oneOf: ['true', 'false'],
    defaultText: 'as the subnet says',
    help: 'Whether machines get a public address. Without one they need another way out, such as a NAT gateway.',
  },
  'customer-key': {
    kind: 'string',
    group: 'where',
    verbs: CREATE,
    placeholder: 'KEY',
    defaultText: "the account's own",
    help: 'Key (KMS) with which the disks of machines are encrypted.',
  },
  sudo: {
    kind: 'bool',
    group: 'what',
    verbs: CREATE,
    default: 'true',
    help: 'Whether the user of the program may become root on the machine (sudo). Root can do whatever the machine can.',
  },
  'permissions-boundary': {
    kind: 'string',
    group: 'where',
    verbs: [...CREATE, 'permissions'],
    placeholder: 'ARN',
    pattern: { test: /^arn:[a-z-]+:iam::\d{12}:policy\/\S+$/, says: 'the ARN of a policy' },
    help: 'Permissions boundary of the role that is created for the machines of a deployment. With it, `tpi permissions` prints a policy that allows no other roles.',
  },
} as const satisfies Rows
