/**
 * What a caller needs for each method: "IAM Permissions" on the methods' pages (https://cloud.google.com/compute/docs/reference/rest/v1), and for a
 * group that will have machines, the permissions to make them
 * (https://cloud.google.com/compute/docs/instance-groups/creating-groups-of-managed-instances).
 */
import { callerPermissions, MACHINE_LEAVE } from '../../../src/clouds/gcp/permissions.ts'
import { PROJECT } from './catalogue.ts'
import { forbidden } from './fault.ts'

const VERBS: Readonly<Record<string, string>> = {
  insert: 'create',
  aggregatedList: 'list',
  getFromFamily: 'getFromFamily',
  resize: 'update',
  deleteInstances: 'update',
  recreateInstances: 'update',
  listManagedInstances: 'get',
  listErrors: 'get',
  wait: 'get',
  patch: 'update',
}

const MAKES_MACHINES = [
  'compute.instances.create',
  'compute.disks.create',
  'compute.subnetworks.use',
  'compute.instances.setMetadata',
  'compute.instances.setLabels',
]

/** For methods that need more than their own permission, or another one. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  'regionInstanceGroupManagers.insert': ['compute.instanceTemplates.useReadOnly', ...MAKES_MACHINES],
  'regionInstanceGroupManagers.resize': [],
  'regionInstanceTemplates.insert': ['compute.images.useReadOnly'],
  'regionAutoscalers.insert': ['compute.instanceGroupManagers.use'],
  'regionAutoscalers.patch': ['compute.instanceGroupManagers.use'],
  'firewalls.insert': ['compute.networks.updatePolicy'],
  'firewalls.delete': ['compute.networks.updatePolicy'],
}

export function permissionOf(name: string): readonly string[] {
  const [service, rest = ''] = name.split(':')
  if (service !== 'compute') return []
  const [resource = '', verb = ''] = rest.split('.')
  const plain = resource.replace(/^region([A-Z])/, (_, letter: string) => letter.toLowerCase())
  const kind = /^(global|region|zone)Operations$/.test(resource) ? resource : plain
  return [`compute.${kind}.${VERBS[verb] ?? verb}`, ...(FURTHER[rest] ?? [])]
}

interface Named {
  readonly name: string
}

/** Callers have the printed role, and nothing else. */
export const byRole = ({ name }: Named): void => allows(callerPermissions(), name)

/** Machines always have only their own permissions. */
export const byMachine = ({ name }: Named): void => allows(MACHINE_LEAVE, name)

function allows(permissions: readonly string[], name: string): void {
  const role = new Set(permissions)
  const lacks = permissionOf(name).find((permission) => !role.has(permission))
  if (lacks !== undefined) throw forbidden(lacks, `projects/${PROJECT}`)
}
