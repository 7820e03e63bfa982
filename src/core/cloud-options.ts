/** Options that clouds of whole machines have alike. */
import type { Rows } from './option.ts'
import { CREATING } from './verb-groups.ts'

export const vmOptions = {
  'public-address': {
    kind: 'choice',
    group: 'where',
    decides: true,
    verbs: CREATING,
    oneOf: ['true', 'false'],
    defaultText: 'as the network needs it',
    help: 'Whether machines get a public address. Without one they need another way out, such as a NAT gateway.',
  },
  'customer-key': {
    kind: 'string',
    group: 'where',
    decides: true,
    verbs: CREATING,
    placeholder: 'KEY',
    defaultText: "the account's own",
    help: 'Key (KMS) with which the disks of machines are encrypted.',
  },
  reservation: {
    kind: 'string',
    group: 'where',
    decides: true,
    verbs: CREATING,
    placeholder: 'NAME',
    help: 'Machines of this capacity reservation of yours, and no others: cr-ID or capacity-block:cr-ID on AWS, NAME or PROJECT/NAME on Google Cloud, GROUP/NAME on Azure. It takes one machine type, named, and on AWS and Google Cloud a zone; never spot.',
  },
  mount: {
    kind: 'list',
    group: 'where',
    decides: true,
    verbs: CREATING,
    placeholder: 'SOURCE:/PATH',
    pattern: { test: /^\S+:\/\S*$/, says: 'SOURCE:/PATH, such as 10.0.0.2:/share:/data' },
    help: 'Network file systems to mount on each machine before the program starts: HOST:/EXPORT:/PATH (NFS) or HOST@tcp:/NAME:/PATH (Lustre); on AWS also fs-ID:/PATH (EFS), on Azure ACCOUNT/SHARE:/PATH (Azure Files). What is on them is neither saved nor brought back. One that cannot be mounted ends the run as "setup-failed".',
  },
  data: {
    kind: 'list',
    group: 'data',
    decides: true,
    verbs: ['task', 'plan', 'permissions'],
    placeholder: 'URL:/PATH',
    pattern: { test: /^[a-z0-9]+:\/\/\S+:\/\S*$/, says: 'URL:/PATH, such as s3://BUCKET/PREFIX:/data' },
    help: 'Download everything below a prefix of a bucket into a folder of each machine before the program starts: s3://BUCKET/PREFIX:/PATH on AWS, gs:// on Google Cloud, az://ACCOUNT/CONTAINER/PREFIX:/PATH on Azure. Machines read it by their own identity. It is neither saved nor brought back, and the program cannot change it.',
  },
  apply: {
    kind: 'bool',
    group: 'where',
    verbs: ['permissions'],
    sources: ['flag'],
    help: 'Instead of printing, make what machines are, with its rights, or bring those up to date: on AWS the role and instance profile tpi-machine, which they have where their caller may make no roles; on Google Cloud the service account, on Azure the identity of that name. You need the right to give roles.',
  },
  sudo: {
    kind: 'bool',
    group: 'what',
    decides: true,
    verbs: CREATING,
    default: 'true',
    help: 'Whether the user of the program may become root on the machine (sudo). Root can do whatever the machine can.',
  },
} as const satisfies Rows
