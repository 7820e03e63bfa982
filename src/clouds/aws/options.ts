/** Options of AWS only. */

import { vmOptions } from '../../core/cloud-options.ts'
import type { CloudRows } from '../../core/option.ts'
import { ON_CLOUDS, ON_MACHINES } from '../../core/verb-groups.ts'

export const options = {
  ...vmOptions,
  'aws-profile': {
    kind: 'string',
    group: 'where',
    about: 'place',
    verbs: ON_CLOUDS,
    placeholder: 'NAME',
    defaultText: 'AWS_PROFILE, or the credentials of the environment',
    help: 'Profile of ~/.aws to take credentials from, also for an S3 bucket given as `storage`.',
  },
  vpc: {
    kind: 'string',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'VPC',
    pattern: { test: /^vpc-[0-9a-f]{8,17}$/, says: 'an id such as vpc-0123456789abcdef0' },
    defaultText: 'the default VPC of the region',
    help: 'Network in which machines start, in all of its subnets.',
  },
  subnet: {
    kind: 'list',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    aliases: ['cloud-aws-subnet', 'aws-subnet-id'],
    variables: ['CML_RUNNER_CLOUD_AWS_SUBNET'],
    placeholder: 'SUBNET',
    pattern: { test: /^subnet-[0-9a-f]{8,17}$/, says: 'an id such as subnet-0123456789abcdef0' },
    defaultText: 'all of the network',
    help: 'Subnets in which machines start. Private subnets work too, if they have a route to S3 and to the Auto Scaling API.',
  },
  'security-group': {
    kind: 'list',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    aliases: ['cloud-aws-security-group', 'aws-security-group'],
    variables: ['CML_RUNNER_CLOUD_AWS_SECURITY_GROUP'],
    placeholder: 'GROUP',
    pattern: { test: /^sg-[0-9a-f]{8,17}$/, says: 'an id such as sg-0123456789abcdef0' },
    defaultText: 'a new one that lets nothing in',
    help: 'Security groups of the machines. If several machines are to reach each other, one of these groups must admit its own members.',
  },
  'permissions-boundary': {
    kind: 'string',
    group: 'where',
    about: 'machines',
    verbs: [...ON_MACHINES, 'permissions'],
    placeholder: 'ARN',
    pattern: { test: /^arn:[a-z-]+:iam::\d{12}:policy\/\S+$/, says: 'the ARN of a policy' },
    help: 'Permissions boundary of the role that is created for the machines of a run. With it, `tpi permissions` prints a policy that allows no other roles.',
  },
  policy: {
    kind: 'choice',
    group: 'where',
    about: 'command',
    sources: ['flag'],
    verbs: ['permissions'],
    oneOf: ['caller', 'machine'],
    placeholder: 'WHOSE',
    defaultText: 'both, with the reason of each statement',
    help: 'Print one policy and nothing else: a document for `aws iam create-policy --policy-document file://FILE`, for the account that runs tpi (caller), or for machines if the caller may not make roles (machine).',
  },
} as const satisfies CloudRows
