/**
 * Makes cloud-init recognize a machine of the lab as one of a vendor: what the firmware says, and what the metadata service answers to every machine.
 * The data source Ec2 reads the network of each interface, and retries for 40 s without it (cloudinit/sources/DataSourceEc2.py,
 * convert_ec2_metadata_network_config).
 */
import { createHash } from 'node:crypto'
import { startGceMetadata } from '../../../boot/gce-metadata.ts'
import { type MetadataService, startMetadata } from '../../../boot/metadata.ts'
import { azure } from './azure.ts'
import type { BootParams } from './machine-host.ts'
import { MAC } from './network.ts'

export interface Vendor {
  /** Name of cloud-init's data source. */
  readonly source: string
  /** Files of the firmware: text by name. */
  readonly firmware: Readonly<Record<string, string>>
  /** Additional files of its images: text by path. */
  files(machine: BootParams): Readonly<Record<string, string>>
  /** What its network has besides the metadata service: addresses whose ports lead to that too, and additional DHCP options. */
  network?(machine: BootParams): {
    readonly further: readonly (readonly [address: string, port: number])[]
    readonly dhcp: readonly string[]
  }
  /** Answers at a socket what the simulation does not answer. */
  serve(machine: BootParams, socket: string): Promise<MetadataService>
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/identify_ec2_instances.html : the system's UUID begins with ec2. */
const aws: Vendor = {
  source: 'Ec2',
  firmware: {
    product_uuid: 'ec2a0000-0000-4000-8000-000000000001',
    product_serial: 'ec2a0000-0000-4000-8000-000000000001',
    sys_vendor: 'Amazon EC2',
  },
  files: () => ({}),
  async serve(machine, socket) {
    const tree = ec2Tree(machine)
    return await startMetadata((path) => machine.metadata.get(path) ?? listed(tree, path), socket)
  },
}

function ec2Tree({ id, address, region, zone, userData }: BootParams): ReadonlyMap<string, string> {
  const name = `ip-${address.replaceAll('.', '-')}`
  const mac = `meta-data/network/interfaces/macs/${MAC}/`
  return new Map([
    ['user-data', Buffer.from(userData).toString('utf8')],
    ['meta-data/ami-id', 'ami-0123456789abcdef0'],
    ['meta-data/hostname', name],
    ['meta-data/instance-id', id],
    ['meta-data/instance-type', 'm6i.large'],
    ['meta-data/local-hostname', name],
    ['meta-data/local-ipv4', address],
    ['meta-data/placement/availability-zone', zone],
    ['meta-data/placement/region', region],
    [`${mac}device-number`, '0'],
    [`${mac}interface-id`, `eni-${createHash('sha256').update(id).digest('hex').slice(0, 17)}`],
    [`${mac}local-ipv4s`, address],
    [`${mac}mac`, MAC],
    [`${mac}subnet-ipv4-cidr-block`, address.replace(/\d+$/, '0/24')],
    // Without it, cloud-init takes the machine for an instance of EC2-Classic, and sets up the network again in the middle of the boot.
    [`${mac}vpc-id`, 'vpc-0123456789abcdef0'],
    ['dynamic/instance-identity/document', JSON.stringify({ instanceId: id, region, availabilityZone: zone, privateIp: address })],
  ])
}

/** The answer for a folder is a list of its entries, in which folders end in a slash. */
function listed(tree: ReadonlyMap<string, string>, path: string): string | undefined {
  const text = tree.get(path)
  if (text !== undefined) return text
  const folder = path.endsWith('/') ? path : `${path}/`
  const below = [...tree.keys()].flatMap((key) => (key.startsWith(folder) ? [key.slice(folder.length)] : []))
  const names = new Set(below.map((key) => (key.includes('/') ? key.slice(0, key.indexOf('/') + 1) : key)))
  return names.size === 0 ? undefined : [...names].toSorted().join('\n')
}

/**
 * How the vendor's images run a startup script, and cloud-init too if they have it: once per boot, from a file, after the network
 * (https://github.com/GoogleCloudPlatform/guest-agent/tree/main/google_metadata_script_runner, google-startup-scripts.service of its package).
 */
const RUNNER = `import os,subprocess,tempfile
from urllib import error,request
q=request.Request('http://metadata.google.internal/computeMetadata/v1/instance/attributes/startup-script',headers={'Metadata-Flavor':'Google'})
try:text=request.urlopen(q,timeout=20).read()
except error.HTTPError as e:raise SystemExit(0 if e.code==404 else 1)
path=tempfile.mkdtemp()+'/startup-script'
open(path,'wb').write(text);os.chmod(path,0o755)
raise SystemExit(subprocess.run([path]).returncode)`
const RUNNER_UNIT = `[Unit]
After=network-online.target
Wants=network-online.target
[Service]
Type=oneshot
RemainAfterExit=yes
KillMode=process
ExecStart=/usr/bin/python3 /usr/lib/lab/startup-script.py
StandardOutput=journal+console`

/** cloudinit/sources/DataSourceGCE.py, platform_reports_gce: the product's name, or a serial number that begins with GoogleCloud-. */
const gce: Vendor = {
  source: 'GCE',
  firmware: { product_name: 'Google Compute Engine', product_serial: 'GoogleCloud-0123456789ABCDEF0123456789ABCDEF' },
  files: () => ({
    // https://docs.cloud.google.com/compute/docs/internal-dns#hosts : its images know the service's name without a DNS.
    'etc/hosts': '127.0.0.1 localhost\n169.254.169.254 metadata.google.internal metadata',
    'usr/lib/lab/startup-script.py': RUNNER,
    'etc/systemd/system/google-startup-scripts.service': RUNNER_UNIT,
    'etc/systemd/system/multi-user.target.d/lab.conf': '[Unit]\nWants=google-startup-scripts.service',
  }),
  async serve(machine, socket) {
    const tree = gceTree(machine)
    return await startGceMetadata(() => new Map(entriesNow(tree, machine)), socket)
  },
}

/** https://docs.cloud.google.com/compute/docs/metadata/predefined-metadata-keys . `undefined`: exists only if the simulation has it. */
function gceTree({ id, address, zone, userData, spot }: BootParams): ReadonlyMap<string, string | undefined> {
  const [name, project] = [`vm-${id}`, 'projects/123456789012']
  const account = 'instance/service-accounts/default/'
  return new Map([
    ['instance/attributes/created-by', undefined],
    ['instance/attributes/startup-script', undefined],
    ['instance/attributes/user-data', userData.length === 0 ? undefined : Buffer.from(userData).toString('utf8')],
    ['instance/hostname', `${name}.${zone}.c.lab.internal`],
    ['instance/id', id],
    ['instance/machine-type', `${project}/machineTypes/e2-standard-2`],
    ['instance/maintenance-event', 'NONE'],
    ['instance/name', name],
    ['instance/network-interfaces/0/ip', address],
    ['instance/network-interfaces/0/mac', MAC],
    ['instance/preempted', 'FALSE'],
    ['instance/scheduling/preemptible', spot ? 'TRUE' : 'FALSE'],
    [`${account}email`, undefined],
    [`${account}scopes`, 'https://www.googleapis.com/auth/cloud-platform'],
    [`${account}token`, undefined],
    ['instance/zone', `${project}/zones/${zone}`],
    ['project/numeric-project-id', '123456789012'],
    ['project/project-id', 'lab'],
  ])
}

function* entriesNow(tree: ReadonlyMap<string, string | undefined>, { metadata }: BootParams): Generator<[string, string]> {
  for (const [path, still] of tree) {
    const now = metadata.get(path) ?? still
    if (now !== undefined) yield [path, now]
  }
}

/** The vendors whose machines this host boots. */
export const VENDORS: Readonly<Record<BootParams['vendor'], Vendor>> = { aws, azure, gce }
