/**
 * What makes cloud-init take a machine of the lab for one of a vendor's: what firmware says, and what the metadata service has of every machine.
 * Ec2 asks for the network of each interface and retries for 40 s without it (cloudinit/sources/DataSourceEc2.py, convert_ec2_metadata_network_config).
 */
import { createHash } from 'node:crypto'
import type { BootWish, MetadataView } from './machine-host.ts'
import { MAC } from './network.ts'

export interface Vendor {
  /** Name of cloud-init's data source. */
  readonly source: string
  /** Files of the firmware: text by name. */
  readonly firmware: Readonly<Record<string, string>>
  /** Behind what the simulation says. */
  view(machine: BootWish): MetadataView
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/identify_ec2_instances.html : the UUID of the system begins with ec2. */
const aws: Vendor = {
  source: 'Ec2',
  firmware: {
    product_uuid: 'ec2a0000-0000-4000-8000-000000000001',
    product_serial: 'ec2a0000-0000-4000-8000-000000000001',
    sys_vendor: 'Amazon EC2',
  },
  view(machine) {
    const tree = ec2Tree(machine)
    return { get: (path) => machine.metadata.get(path) ?? listed(tree, path) }
  },
}

function ec2Tree({ id, address, region, zone, userData }: BootWish): ReadonlyMap<string, string> {
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
    // Without one it is an instance of EC2-Classic, whose network cloud-init sets up again in the middle of the boot.
    [`${mac}vpc-id`, 'vpc-0123456789abcdef0'],
    ['dynamic/instance-identity/document', JSON.stringify({ instanceId: id, region, availabilityZone: zone, privateIp: address })],
  ])
}

/** A folder answers with what is in it, folders with a slash at their end. */
function listed(tree: ReadonlyMap<string, string>, path: string): string | undefined {
  const text = tree.get(path)
  if (text !== undefined) return text
  const folder = path.endsWith('/') ? path : `${path}/`
  const below = [...tree.keys()].flatMap((key) => (key.startsWith(folder) ? [key.slice(folder.length)] : []))
  const names = new Set(below.map((key) => (key.includes('/') ? key.slice(0, key.indexOf('/') + 1) : key)))
  return names.size === 0 ? undefined : [...names].toSorted().join('\n')
}

/** The vendors whose machines this host boots so far. */
export const VENDORS: Partial<Readonly<Record<BootWish['vendor'], Vendor>>> = { aws }
