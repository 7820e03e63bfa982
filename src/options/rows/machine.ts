/** Options for machines and their storage, in every mode. Names that TPI or CML used for them are aliases. */
import type { Rows } from '../../core/option.ts'
import { NAMED, ON_MACHINES, TASKS } from '../../core/verb-groups.ts'
import { YEAR } from '../../lib/duration.ts'
import { listed } from '../../lib/text.ts'
import { bucketForms } from '../../stores/registry.ts'

/**
 * `sweep` also looks into a storage that is named. Verbs with a NAME use it to tell runs of that name apart, and to find one that no cloud
 * knows of.
 */
const STORED = [...ON_MACHINES, ...NAMED, 'sweep'] as const

/** Pattern of the address of a service. */
export const ADDRESS = { test: /^https?:\/\/\S+$/, says: 'an address that starts with http:// or https://' }

const PRICE_REMEDY = 'write "spot: false", "spot: true" or "spot: prefer", and a price limit as "max-price"'

function adviseSpot(text: string) {
  const price = Number(text)
  if (text.trim() === '' || Number.isNaN(price)) return undefined
  if (price > 0) return { message: `"${text}" is a price, not true, false or prefer`, hint: `write "spot: true" and "max-price: ${text}"` }
  const tpi = price === 0 ? 'a spot machine at the market price' : 'an on-demand machine'
  const other = price === 0 ? 'off, as YAML and shells read it' : 'a spot machine without a price limit, or a mistyped price'
  return { message: `"${text}" can be read in two ways: ${tpi} (as in TPI) or ${other}`, hint: PRICE_REMEDY }
}

export const machineOptions = {
  machine: {
    kind: 'string',
    group: 'where',
    verbs: ON_MACHINES,
    aliases: ['cloud-type', 'instance-type', 'type'],
    variables: ['CML_RUNNER_CLOUD_TYPE'],
    placeholder: 'SIZE',
    suggests: ['s', 'm', 'l', 'xl', 'm+t4', 'l+t4', 'm+v100', 'l+v100', 'xl+v100', 's+arm', 'm+arm', 'l+arm'],
    defaultText: 'm on AWS, Google Cloud and Azure, unless cpu, memory or gpu is given',
    help: 'Machine size: s, m, l, xl, one with a GPU such as m+t4, or a type of the cloud itself.',
  },
  cpu: {
    kind: 'number',
    group: 'where',
    verbs: ON_MACHINES,
    min: 0.1,
    max: 4096,
    placeholder: 'N',
    help: 'Minimum number of virtual CPUs per machine.',
  },
  memory: {
    kind: 'size',
    group: 'where',
    verbs: ON_MACHINES,
    min: 1,
    placeholder: 'SIZE',
    help: 'Minimum memory per machine, such as 16GB.',
  },
  gpu: {
    kind: 'gpu',
    group: 'where',
    verbs: ON_MACHINES,
    aliases: ['cloud-gpu', 'instance-gpu'],
    variables: ['CML_RUNNER_CLOUD_GPU'],
    placeholder: 'KIND[:N]',
    help: 'GPUs per machine: a kind (l4), a kind and a count (a100:4) or a count alone (1). "none" asks for none.',
  },
  'disk-size': {
    kind: 'size',
    group: 'where',
    verbs: ON_MACHINES,
    aliases: ['cloud-hdd-size', 'instance-hdd-size'],
    variables: ['CML_RUNNER_CLOUD_HDD_SIZE'],
    bare: { unit: 'GB', under: ['disk-size', 'cloud-hdd-size', 'instance-hdd-size'] },
    unset: ['-1'],
    min: 1,
    placeholder: 'SIZE',
    defaultText: 'the size of the image',
    help: 'Root disk of each machine, such as 100GB. A number without a unit is GB.',
  },
  scratch: {
    kind: 'bool',
    group: 'where',
    verbs: ON_MACHINES,
    can: 'wholeSystem',
    otherwise: 'the work directory is where the cluster or this computer puts it',
    help: 'Put the work directory and temporary files on the local disks of the machine (NVMe), and use only machine types that have such disks. Several disks are striped if the image has mdadm; otherwise the largest is used. What is on them is lost with the machine; checkpoints go to the storage as usual.',
  },
  spot: {
    kind: 'choice',
    group: 'where',
    verbs: ON_MACHINES,
    oneOf: ['false', 'true', 'prefer'],
    default: 'false',
    wants: 'spot',
    aliases: ['cloud-spot', 'instance-spot'],
    variables: ['CML_RUNNER_CLOUD_SPOT'],
    advise: adviseSpot,
    help: 'Use spot machines: never (false), only (true), or whenever there are any (prefer). A reclaimed machine is replaced and the program resumes from its last checkpoint. On a cloud without spot machines, this only prints a warning.',
  },
  'max-price': {
    kind: 'number',
    group: 'where',
    verbs: ON_MACHINES,
    aliases: ['cloud-spot-price', 'spot-price', 'instance-spot-price'],
    variables: ['CML_RUNNER_CLOUD_SPOT_PRICE'],
    unset: ['-1'],
    wants: 'spot',
    min: 0.0001,
    placeholder: 'USD',
    help: 'Highest price of a spot machine, in USD per hour. Needs "spot: true" or "spot: prefer"; you pay the market price, but never more than this.',
  },
  'max-cost': {
    kind: 'number',
    group: 'what',
    verbs: TASKS,
    min: 0.01,
    placeholder: 'USD',
    help: "Stop the run once its machines have cost this much: hours worked, at the cloud's price. Its last checkpoint is kept. Works only on clouds whose prices are known.",
  },
  'spot-wait': {
    kind: 'duration',
    group: 'where',
    verbs: ON_MACHINES,
    wants: 'spot',
    min: 120,
    max: YEAR,
    defaultText: '10m',
    placeholder: 'DURATION',
    help: 'With "spot: prefer": how long the work waits for spot machines before full-price machines start beside them.',
  },
  image: {
    kind: 'string',
    group: 'where',
    verbs: ON_MACHINES,
    aliases: ['cloud-image'],
    variables: ['CML_RUNNER_CLOUD_IMAGE'],
    placeholder: 'IMAGE',
    suggests: ['ubuntu', 'debian', 'nvidia', 'python:3.13'],
    help: 'Machine or container image, in the notation of the cloud. Without it, runners on Kubernetes use the image of their forge.',
  },
  'permission-set': {
    kind: 'string',
    group: 'where',
    verbs: ON_MACHINES,
    aliases: ['cloud-permission-set', 'instance-permission-set'],
    variables: ['CML_RUNNER_CLOUD_PERMISSION_SET'],
    placeholder: 'IDENTITY',
    help: 'Cloud identity that your program gets: instance profile, service account, managed identity. Without it the program has no cloud credentials at all.',
  },
  tags: {
    kind: 'map',
    group: 'where',
    verbs: ON_MACHINES,
    aliases: ['cloud-metadata', 'metadata', 'tag'],
    variables: ['CML_RUNNER_CLOUD_METADATA'],
    placeholder: 'KEY=VALUE',
    help: 'Your own tags on the machines and on everything else that costs money. On Kubernetes they are labels of Jobs, pods and claim.',
  },
  storage: {
    kind: 'string',
    group: 'where',
    verbs: STORED,
    placeholder: 'URL',
    pattern: {
      test: /^(?:[a-z][a-z0-9+]*:\/\/\S+|[./~].*)$/,
      says: `${bucketForms.map(({ like }) => like).join(', ')} or a folder that starts with "/" or "."`,
    },
    defaultText: 'where the cloud keeps it',
    help: `Where work directory, checkpoints and logs are kept: ${listed(bucketForms.map(({ like }) => like))}. They are for ${listed(
      bucketForms.map(({ bucket }) => bucket),
      'and',
    )}, in this order. Credentials come from the usual variables, files and logins of AWS, Google or Azure.`,
  },
  'storage-region': {
    kind: 'string',
    group: 'where',
    verbs: STORED,
    requires: ['storage'],
    placeholder: 'REGION',
    defaultText: 'AWS_REGION',
    help: 'Region of the storage.',
  },
  'storage-endpoint': {
    kind: 'string',
    group: 'where',
    verbs: STORED,
    requires: ['storage'],
    placeholder: 'URL',
    pattern: ADDRESS,
    defaultText: 'AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL; for Google CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE',
    help: 'Address of another service that speaks the protocol of S3, Google Cloud Storage or Azure Blob Storage. In tpi.yaml an address on another host must start with https://.',
  },
  'storage-insecure': {
    kind: 'bool',
    group: 'where',
    verbs: STORED,
    requires: ['storage'],
    default: 'false',
    // Not tpi.yaml, which may have come with the folder.
    sources: ['flag', 'input', 'variable'],
    help: 'Allows plain http to a storage on another host: anyone on the network path can read and change what is sent.',
  },
} as const satisfies Rows
