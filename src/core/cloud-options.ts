/** Options of clouds: the verbs that take them, and those that clouds of whole machines have alike, in one row each. */
import type { Rows } from './option.ts'

/** Verbs that create; `retry` starts runners again. */
export const CREATING = ['task', 'plan', 'runner', 'retry', 'doctor'] as const
/** Those that act on what exists besides. */
export const ON_CLOUDS = [
  ...CREATING,
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

export const vmOptions = {
  'public-address': {
    kind: 'choice',
    group: 'where',
    verbs: CREATING,
    oneOf: ['true', 'false'],
    defaultText: 'as the network needs it',
    help: 'Whether machines get a public address. Without one they need another way out, such as a NAT gateway.',
  },
  'customer-key': {
    kind: 'string',
    group: 'where',
    verbs: CREATING,
    placeholder: 'KEY',
    defaultText: "the account's own",
    help: 'Key (KMS) with which the disks of machines are encrypted.',
  },
  mount: {
    kind: 'list',
    group: 'where',
    verbs: CREATING,
    placeholder: 'SOURCE:/PATH',
    pattern: { test: /^\S+:\/\S*$/, says: 'SOURCE:/PATH, such as 10.0.0.2:/share:/data' },
    help: 'File systems of the network that are mounted on each machine before the program starts: HOST:/EXPORT:/PATH (NFS) or HOST@tcp:/NAME:/PATH (Lustre); on AWS also fs-ID:/PATH (EFS), on Azure ACCOUNT/SHARE:/PATH (Azure Files). What is on them is neither saved nor brought back. One that cannot be mounted ends the run as "setup-failed".',
  },
  sudo: {
    kind: 'bool',
    group: 'what',
    verbs: CREATING,
    default: 'true',
    help: 'Whether the user of the program may become root on the machine (sudo). Root can do whatever the machine can.',
  },
} as const satisfies Rows
