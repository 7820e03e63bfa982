/**
 * What is needed for each method: "IAM Permissions" on the methods' pages (https://cloud.google.com/compute/docs/reference/rest/v1,
 * https://cloud.google.com/storage/docs/access-control/iam-json), and for templates and groups that will have machines, the permissions to make them
 * (https://cloud.google.com/compute/docs/instance-templates/create-instance-templates#permissions,
 * https://cloud.google.com/compute/docs/access/create-enable-service-accounts-for-instances#required-roles).
 */
import { PROJECT } from './catalogue.ts'
import type { Resource } from './condition.ts'
import type { Fields } from './discovery.ts'

export interface Need {
  readonly permission: string
  readonly resource: Resource
}

interface Call {
  readonly name: string
  readonly request: Fields
}

const VERBS: Readonly<Record<string, string>> = {
  insert: 'create',
  aggregatedList: 'list',
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

/** Of services around Compute: https://cloud.google.com/iam/docs/roles-permissions. Methods that are not here need no permission. */
const OTHERS: Readonly<Record<string, string>> = {
  'cloudresourcemanager:projects.getIamPolicy': 'resourcemanager.projects.getIamPolicy',
  'cloudresourcemanager:projects.setIamPolicy': 'resourcemanager.projects.setIamPolicy',
  'iam:projects.roles.create': 'iam.roles.create',
  'iam:projects.roles.patch': 'iam.roles.update',
  'iam:projects.serviceAccounts.create': 'iam.serviceAccounts.create',
}

export function permissionOf(name: string): readonly string[] {
  const [service, rest = ''] = name.split(':')
  if (service !== 'compute') return [OTHERS[name] ?? []].flat()
  const [resource = '', verb = ''] = rest.split('.')
  const plain = resource.replace(/^region([A-Z])/, (_, letter: string) => letter.toLowerCase())
  const kind = /^(global|region|zone)Operations$/.test(resource) ? resource : plain
  return [`compute.${kind}.${VERBS[verb] ?? verb}`, ...(FURTHER[rest] ?? [])]
}

/** Groups, autoscalers and operations are none of the types that conditions can tell apart. */
const UNLISTED: Resource = { name: '', type: '' }
const project: Resource = { name: `projects/${PROJECT}`, type: 'cloudresourcemanager.googleapis.com/Project' }

export const ACT_AS = 'iam.serviceAccounts.actAs'
export const serviceAccount = (email: string): Resource => ({
  name: `projects/-/serviceAccounts/${email}`,
  type: 'iam.googleapis.com/ServiceAccount',
})

export function needsOf({ name, request }: Call): readonly Need[] {
  const body = (request['body'] ?? {}) as Fields
  return [
    ...permissionOf(name).map((permission) => ({ permission, resource: UNLISTED })),
    ...(name.endsWith('nstanceTemplates.insert') ? asIfMade((body['properties'] ?? {}) as Fields) : []),
    // The page of this method names only the group's permission. The stricter reading: whoever ends a member ends an instance.
    ...(name === 'compute:regionInstanceGroupManagers.deleteInstances' ? membersOf(body).map(deletes) : []),
    ...(name === 'compute:instances.delete' ? [deletes(`zones/${String(request['zone'])}/instances/${String(request['instance'])}`)] : []),
  ]
}

/** A template is checked as if its machines were made. */
function asIfMade(properties: Fields): readonly Need[] {
  const interfaces = (properties['networkInterfaces'] ?? []) as readonly Fields[]
  const tags = ((properties['tags'] ?? {}) as Fields)['items'] as readonly string[] | undefined
  const disks = (properties['disks'] ?? []) as readonly { readonly initializeParams?: Fields }[]
  const has: readonly (readonly [boolean, string])[] = [
    [accountsOf(properties).length > 0, 'compute.instances.setServiceAccount'],
    [interfaces.some(({ accessConfigs }) => accessConfigs !== undefined), 'compute.subnetworks.useExternalIp'],
    [disks.some(({ initializeParams }) => initializeParams?.['labels'] !== undefined), 'compute.disks.setLabels'],
    [(tags ?? []).length > 0, 'compute.instances.setTags'],
  ]
  return has.flatMap(([there, permission]) => (there ? [{ permission, resource: UNLISTED }] : []))
}

/** Who makes a template of machines acts as their service account: https://cloud.google.com/iam/docs/attach-service-accounts#attaching-to-resources */
export const accountsOf = (properties: Fields): readonly string[] =>
  ((properties['serviceAccounts'] ?? []) as readonly { readonly email: string }[]).map(({ email }) => email)

const membersOf = ({ instances }: Fields): readonly string[] => (instances ?? []) as readonly string[]
const deletes = (link: string): Need => {
  const path = /zones\/[^/]+\/instances\/[^/]+$/.exec(link)?.[0] ?? link
  return {
    permission: 'compute.instances.delete',
    resource: { name: `projects/${PROJECT}/${path}`, type: 'compute.googleapis.com/Instance' },
  }
}

interface StorageCall {
  readonly method: string
  readonly url: URL
  /** Whether there is such an object. */
  readonly exists: (bucket: string, object: string) => Promise<boolean>
}

/** https://cloud.google.com/storage/docs/access-control/iam-json : overwriting an object deletes the one before. */
export async function storageNeeds({ method, url, exists }: StorageCall): Promise<readonly Need[]> {
  const [, upload, encodedBucket, list, encodedObject] =
    /^(?:\/(upload|download))?\/storage\/v1\/b(?:\/([^/]+)(?:\/(o)(?:\/(.+))?)?)?$/.exec(url.pathname) ?? []
  const bucket = decodeURIComponent(encodedBucket ?? '')
  const named = decodeURIComponent(encodedObject ?? url.searchParams.get('name') ?? '')
  const inBucket: Resource = { name: `projects/_/buckets/${bucket}`, type: 'storage.googleapis.com/Bucket' }
  const objectOf = (name: string): Resource => ({ name: `${inBucket.name}/objects/${name}`, type: 'storage.googleapis.com/Object' })
  const object = objectOf(named)
  const need = (permission: string, resource: Resource): Need => ({ permission: `storage.${permission}`, resource })
  const writes = async (name: string): Promise<readonly Need[]> => [
    need('objects.create', objectOf(name)),
    ...((await exists(bucket, name)) ? [need('objects.delete', objectOf(name))] : []),
  ]
  // https://docs.cloud.google.com/storage/docs/json_api/v1/objects/rewrite#permissions
  const [, source, target] = /^([^/]+)\/rewriteTo\/b\/[^/]+\/o\/([^/]+)$/.exec(encodedObject ?? '') ?? []
  if (source !== undefined && target !== undefined)
    return [need('objects.get', objectOf(decodeURIComponent(source))), ...(await writes(decodeURIComponent(target)))]
  if (upload === 'upload') {
    // The address of a resumable upload is its own proof: https://cloud.google.com/storage/docs/resumable-uploads#session-uris
    if (url.searchParams.has('upload_id')) return []
    return await writes(named)
  }
  const kind = encodedObject ? 'object' : list ? 'objects' : encodedBucket ? 'bucket' : 'buckets'
  const found: Readonly<Record<string, Need>> = {
    'GET object': need('objects.get', object),
    'DELETE object': need('objects.delete', object),
    'GET objects': need('objects.list', inBucket),
    'GET bucket': need('buckets.get', inBucket),
    'PATCH bucket': need('buckets.update', inBucket),
    'DELETE bucket': need('buckets.delete', inBucket),
    'GET buckets': need('buckets.list', project),
    'POST buckets': need('buckets.create', project),
  }
  const one = found[`${method} ${kind}`]
  if (!one) throw new Error(`the lab does not know what ${method} ${url.pathname} of Cloud Storage needs`)
  return [one]
}
