/** Options that all clouds of whole machines have. */
import { YEAR } from '../lib/duration.ts'
import type { CloudRows } from './option.ts'
import { ON_MACHINES } from './verb-groups.ts'

export const vmOptions = {
  'public-address': {
    kind: 'choice',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    oneOf: ['true', 'false'],
    defaultText: 'as the network needs it',
    help: 'Whether machines get a public address. Without one they need another way out, such as a NAT gateway.',
  },
  'region-wait': {
    kind: 'duration',
    group: 'where',
    about: 'command',
    verbs: ['task'],
    requires: ['region'],
    min: 60,
    max: YEAR,
    placeholder: 'DURATION',
    defaultText: '10m',
    help: 'How long a task with several regions waits for capacity in one of them before it moves to the next. It moves only if nothing has run yet. With "spot: prefer" it waits for --spot-wait first, so that each region is also tried at full price.',
  },
  'customer-key': {
    kind: 'string',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'KEY',
    defaultText: "the account's own",
    help: 'Key (KMS) with which the disks of machines are encrypted.',
  },
  reservation: {
    kind: 'string',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'NAME',
    help: 'Use only machines from your capacity reservation: cr-ID or capacity-block:cr-ID on AWS, NAME or PROJECT/NAME on Google Cloud, GROUP/NAME on Azure. Also give its machine type and, on AWS and Google Cloud, its zone. It cannot be combined with "spot".',
  },
  mount: {
    kind: 'list',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'SOURCE:/PATH',
    pattern: { test: /^\S+:\/\S*$/, says: 'SOURCE:/PATH, such as 10.0.0.2:/share:/data' },
    help: 'Network file systems to mount on each machine before the program starts: HOST:/EXPORT:/PATH (NFS) or HOST@tcp:/NAME:/PATH (Lustre); on AWS also fs-ID:/PATH (EFS), on Azure ACCOUNT/SHARE:/PATH (Azure Files). What is on them is neither saved nor brought back. If one cannot be mounted, the run ends as "setup-failed".',
  },
  data: {
    kind: 'list',
    group: 'data',
    about: 'machines',
    verbs: ['task', 'plan', 'permissions'],
    placeholder: 'URL:/PATH',
    pattern: { test: /^[a-z0-9]+:\/\/\S+:\/\S*$/, says: 'URL:/PATH, such as s3://BUCKET/PREFIX:/data' },
    help: 'Download everything below a prefix of a bucket into a folder of each machine before the program starts: s3://BUCKET/PREFIX:/PATH on AWS, gs:// on Google Cloud, az://ACCOUNT/CONTAINER/PREFIX:/PATH on Azure. Machines read it by their own identity. It is neither saved nor brought back, and the program cannot change it.',
  },
  apply: {
    kind: 'bool',
    group: 'where',
    about: 'command',
    verbs: ['permissions'],
    sources: ['flag'],
    help: 'Instead of printing, create the identity that machines use, with its rights, or update them. On AWS that is the role and instance profile tpi-machine, for callers that may make no roles; on Google Cloud the service account of that name; on Azure the identity. You need the right to give roles.',
  },
  sudo: {
    kind: 'bool',
    group: 'what',
    about: 'machines',
    verbs: ON_MACHINES,
    default: 'true',
    help: 'Whether the user of the program may become root on the machine (sudo). Root can do whatever the machine can.',
  },
} as const satisfies CloudRows
