/** The least rights that a caller needs, each with its purpose, and the rights of machines. The printed roles derive from these lists. */
import type { Env } from '../../lib/env.ts'
import { textOf } from '../../lib/record.ts'
import { projectOf } from '../../vendors/google/login.ts'
import { hostsOf } from '../vm/data.ts'
import { type RightWords, rightText } from '../vm/permissions.ts'
import { accountOf, MACHINE_ACCOUNT } from './names.ts'
import type { CallName } from './sdk.ts'
import { settingsOf } from './settings.ts'

export interface Right extends RightWords {
  /** Each with the calls of `sdk.ts` that need it (a test compares). If it has none, the vendor requires it in addition: `page` says so. */
  readonly permissions: Readonly<Record<string, readonly CallName[]>>
}

/** The rights with which machines use the store, and callers too. */
export const MACHINE_STORE = ['storage.objects.create', 'storage.objects.delete', 'storage.objects.get', 'storage.objects.list'] as const

/** https://cloud.google.com/compute/docs/access/iam-permissions · https://cloud.google.com/storage/docs/access-control/iam-json */
export const RIGHTS: readonly Right[] = [
  {
    why: 'to look at the project, its quotas, machine types, images and networks; this cannot be limited to what tpi made',
    permissions: {
      'compute.projects.get': ['compute:projects.get'],
      'compute.regions.get': ['compute:regions.get'],
      'compute.machineTypes.list': ['compute:machineTypes.aggregatedList'],
      'compute.images.get': ['compute:images.get'],
      'compute.images.getFromFamily': ['compute:images.getFromFamily'],
      'compute.subnetworks.list': ['compute:subnetworks.list'],
      'compute.routers.list': ['compute:routers.list'],
    },
  },
  {
    why: 'templates, from which machines are made',
    permissions: {
      'compute.instanceTemplates.create': ['compute:regionInstanceTemplates.insert'],
      'compute.instanceTemplates.delete': ['compute:regionInstanceTemplates.delete'],
      'compute.instanceTemplates.get': ['compute:regionInstanceTemplates.get'],
      'compute.instanceTemplates.list': ['compute:instanceTemplates.aggregatedList'],
      'compute.regionOperations.get': ['compute:regionOperations.wait'],
    },
  },
  {
    why: 'groups of machines and their size',
    permissions: {
      'compute.instanceGroupManagers.create': ['compute:regionInstanceGroupManagers.insert'],
      'compute.instanceGroupManagers.delete': ['compute:regionInstanceGroupManagers.delete'],
      'compute.instanceGroupManagers.get': [
        'compute:regionInstanceGroupManagers.get',
        'compute:regionInstanceGroupManagers.listErrors',
        'compute:regionInstanceGroupManagers.listManagedInstances',
      ],
      'compute.instanceGroupManagers.list': ['compute:instanceGroupManagers.aggregatedList'],
      'compute.instanceGroupManagers.update': ['compute:regionInstanceGroupManagers.resize'],
    },
  },
  {
    why: 'with "spot: prefer", an autoscaler that starts machines at full price if spot machines are missing for too long',
    page: 'https://cloud.google.com/compute/docs/reference/rest/v1/regionAutoscalers/insert#iam-permissions',
    permissions: {
      'compute.autoscalers.create': ['compute:regionAutoscalers.insert'],
      'compute.autoscalers.delete': ['compute:regionAutoscalers.delete'],
      'compute.autoscalers.get': ['compute:regionAutoscalers.get'],
      'compute.autoscalers.update': ['compute:regionAutoscalers.patch'],
      'compute.instanceGroupManagers.use': [],
    },
    without: 'only "spot: prefer" is not available',
  },
  {
    why: 'a firewall rule that lets the machines of one run reach each other',
    page: 'https://cloud.google.com/compute/docs/reference/rest/v1/firewalls/insert#iam-permissions',
    permissions: {
      'compute.firewalls.create': ['compute:firewalls.insert'],
      'compute.firewalls.delete': ['compute:firewalls.delete'],
      'compute.firewalls.get': ['compute:firewalls.get'],
      'compute.globalOperations.get': ['compute:globalOperations.wait'],
      'compute.networks.updatePolicy': [],
    },
    without: 'they reach each other only if a rule of your network lets them',
  },
  {
    why: 'which machines there are, and why others are gone',
    permissions: {
      'compute.instances.list': ['compute:instances.aggregatedList'],
      'compute.instances.getSerialPortOutput': ['compute:instances.getSerialPortOutput'],
      'compute.globalOperations.list': ['compute:globalOperations.aggregatedList'],
    },
  },
  {
    why: 'templates and groups: the vendor asks for the rights that making their machines would need',
    page: 'https://cloud.google.com/compute/docs/instance-templates/create-instance-templates#permissions',
    permissions: Object.fromEntries(
      [
        'compute.disks.create',
        'compute.disks.setLabels',
        'compute.images.useReadOnly',
        'compute.instanceTemplates.useReadOnly',
        'compute.instances.create',
        'compute.instances.delete',
        'compute.instances.setLabels',
        'compute.instances.setMetadata',
        'compute.instances.setServiceAccount',
        'compute.instances.setTags',
        'compute.subnetworks.use',
        'compute.subnetworks.useExternalIp',
      ].map((name) => [name, []]),
    ),
  },
  {
    why: 'whether the bucket is there, and of this project',
    permissions: { 'storage.buckets.get': ['storage:buckets.get'] },
  },
  {
    why: 'the bucket of the project and region, made once',
    permissions: { 'storage.buckets.create': ['storage:buckets.insert'] },
    without: 'an administrator makes it once, or you name another one: --storage gs://BUCKET/PREFIX',
  },
  {
    why: 'the buckets of other regions, to find what a killed start has left there before it made its group',
    permissions: { 'storage.buckets.list': ['storage:buckets.list'] },
    without: 'sweep looks only into the bucket of its own region',
  },
  {
    why: 'work directories, checkpoints, logs',
    page: 'https://cloud.google.com/storage/docs/access-control/iam-json',
    permissions: Object.fromEntries(MACHINE_STORE.map((name) => [name, []])),
  },
]

/** The rights with which a machine leaves its own group. */
export const MACHINE_LEAVE = [
  // To postpone, start and end the twin (`spot: prefer`).
  'compute.autoscalers.delete',
  'compute.autoscalers.update',
  'compute.instanceGroupManagers.get',
  'compute.instanceGroupManagers.update',
  'compute.instanceGroupManagers.use',
  'compute.instances.delete',
  // To see whether a change was done: https://docs.cloud.google.com/compute/docs/api/how-tos/api-requests-responses#handling_api_responses
  'compute.regionOperations.get',
] as const

/** Only tpi's buckets. https://cloud.google.com/storage/docs/access-control/iam#conditions */
const STORE_CONDITION = 'resource.name.startsWith("projects/_/buckets/tpi-")'
/**
 * A condition cannot tell groups and autoscalers apart, but it can tell machines apart.
 * https://cloud.google.com/iam/docs/conditions-resource-attributes#resource-name
 */
const LEAVE_CONDITION =
  'resource.type != "compute.googleapis.com/Instance" || resource.name.extract("/instances/{name}").startsWith("tpi-")'

export interface MachineRole {
  readonly id: string
  readonly title: string
  readonly permissions: readonly string[]
  readonly condition: { readonly title: string; readonly expression: string }
}

export const MACHINE_ROLES: readonly MachineRole[] = [
  {
    id: 'tpiMachineStore',
    title: 'tpi: machines and their storage',
    permissions: MACHINE_STORE,
    condition: { title: 'tpi-buckets', expression: STORE_CONDITION },
  },
  {
    id: 'tpiMachineLeave',
    title: 'tpi: machines and their groups',
    permissions: MACHINE_LEAVE,
    condition: { title: 'tpi-machines', expression: LEAVE_CONDITION },
  },
]

/** The role for buckets that machines read by `data`: it allows listing and reading. */
const READER = 'roles/storage.objectViewer'
/** The role for the repository of the image that the program runs in. */
const IMAGE_READER = 'roles/artifactregistry.reader'

export const callerPermissions = (): readonly string[] => RIGHTS.flatMap(({ permissions }) => Object.keys(permissions)).sort()

const APIS = ['compute', 'iam', 'storage', 'cloudbilling', 'cloudresourcemanager'].map((name) => `${name}.googleapis.com`)

type Values = Readonly<Record<string, unknown>>

/** Lines for a shell, the same as Terraform, and the reason before each right. */
export function permissionsText(values: Values, env: Env): string {
  const { project = projectOf(env) ?? 'PROJECT' } = settingsOf({ values, env })
  const reasons = RIGHTS.map(({ permissions, ...reason }) =>
    [`#   ${Object.keys(permissions).join(' ')}`, `#     ${rightText(reason)}`].join('\n'),
  )
  return `${[
    `# Once for project ${project}. CALLER is the account that runs tpi: user:…, serviceAccount:… or principalSet:…`,
    '# What the caller needs, and why:',
    ...reasons,
    `#   iam.serviceAccounts.actAs on ${MACHINE_ACCOUNT} alone`,
    '#     machines are that service account',
    '',
    ...shellLines(project),
    ...besidesLines(project, values),
    '',
    '# The same as Terraform:',
    terraform(project, values),
  ].join('\n')}\n`
}

function shellLines(project: string): readonly string[] {
  const account = accountOf(project)
  const role = (id: string, title: string, permissions: readonly string[]): string =>
    `gcloud iam roles create ${id} --project=${project} --title="${title}" --permissions=${permissions.join(',')}`
  const bind = (member: string, id: string, condition: string): string =>
    `gcloud projects add-iam-policy-binding ${project} --member=${member} --role=projects/${project}/roles/${id} --condition=${condition}`
  const where = (title: string, expression: string): string => `'^;^title=${title};expression=${expression}'`
  return [
    `gcloud services enable ${APIS.join(' ')} --project=${project}`,
    role('tpiCaller', 'tpi: who runs it', callerPermissions()),
    bind('CALLER', 'tpiCaller', 'None'),
    `gcloud iam service-accounts create ${MACHINE_ACCOUNT} --project=${project} --display-name="machines of tpi"`,
    ...MACHINE_ROLES.flatMap(({ id, title, permissions, condition }) => [
      role(id, title, permissions),
      bind(`serviceAccount:${account}`, id, where(condition.title, condition.expression)),
    ]),
    `gcloud iam service-accounts add-iam-policy-binding ${account} --project=${project} --member=CALLER --role=roles/iam.serviceAccountUser`,
  ]
}

/** Lines for buckets and repositories that only this run's machines read: each gets its own permission. */
export function besidesLines(project: string, values: Values): readonly string[] {
  const repository = repositoryOf(values)
  return [
    ...bucketsOf(values).map(
      (bucket) =>
        `gcloud storage buckets add-iam-policy-binding gs://${bucket} --member=serviceAccount:${accountOf(project)} --role=${READER}`,
    ),
    ...(repository
      ? [
          `gcloud artifacts repositories add-iam-policy-binding ${repository.name} --location=${repository.location} --project=${repository.project} --member=serviceAccount:${accountOf(project)} --role=${IMAGE_READER}`,
        ]
      : []),
  ]
}

const bucketsOf = (values: Values): readonly string[] => hostsOf(settingsOf({ values, env: {} }).data)

interface Repository {
  readonly location: string
  readonly project: string
  readonly name: string
}

/** `LOCATION-docker.pkg.dev/PROJECT/REPOSITORY/IMAGE`: the repository of the user's image. */
function repositoryOf(values: Values): Repository | undefined {
  const image = textOf(values['container']) ?? ''
  const [, location, project, name] = /^([a-z0-9-]+)-docker\.pkg\.dev\/([^/]+)\/([^/]+)\/./.exec(image) ?? []
  return location && project && name ? { location, project, name } : undefined
}

/** For what needs the API of IAM, which the first resource switches on. */
const AFTER = '\n  depends_on = [google_project_service.tpi]'

const terraformRole = (project: string, id: string, title: string, permissions: readonly string[]): string =>
  `resource "google_project_iam_custom_role" "${id}" {
  project     = "${project}"
  role_id     = "${id}"
  title       = "${title}"
  permissions = ${JSON.stringify(permissions)}
${AFTER}
}`

const terraformBinding = (project: string, name: string, id: string, member: string, condition?: MachineRole['condition']): string =>
  `resource "google_project_iam_member" "${name}" {
  project = "${project}"
  role    = google_project_iam_custom_role.${id}.id
  member  = ${member}${
    condition === undefined
      ? ''
      : `
  condition {
    title      = "${condition.title}"
    expression = ${JSON.stringify(condition.expression)}
  }`
  }
}`

function terraform(project: string, values: Values): string {
  const repository = repositoryOf(values)
  const machine = 'google_service_account.tpi_machine.member'
  return [
    'variable "caller" { type = string }',
    `resource "google_project_service" "tpi" {
  for_each           = toset(${JSON.stringify(APIS)})
  project            = "${project}"
  service            = each.value
  disable_on_destroy = false
}`,
    terraformRole(project, 'tpiCaller', 'tpi: who runs it', callerPermissions()),
    terraformBinding(project, 'tpi_caller', 'tpiCaller', 'var.caller'),
    `resource "google_service_account" "tpi_machine" {
  project    = "${project}"
  account_id = "${MACHINE_ACCOUNT}"
${AFTER}
}`,
    ...MACHINE_ROLES.flatMap(({ id, title, permissions, condition }) => [
      terraformRole(project, id, title, permissions),
      terraformBinding(
        project,
        id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        id,
        machine,
        condition,
      ),
    ]),
    `resource "google_service_account_iam_member" "tpi_caller" {
  service_account_id = google_service_account.tpi_machine.name
  role               = "roles/iam.serviceAccountUser"
  member             = var.caller
}`,
    ...bucketsOf(values).map(
      (bucket, at) => `resource "google_storage_bucket_iam_member" "tpi_data_${at}" {
  bucket = "${bucket}"
  role   = "${READER}"
  member = ${machine}
}`,
    ),
    ...(repository
      ? [
          `resource "google_artifact_registry_repository_iam_member" "tpi_images" {
  project    = "${repository.project}"
  location   = "${repository.location}"
  repository = "${repository.name}"
  role       = "${IMAGE_READER}"
  member     = ${machine}
}`,
        ]
      : []),
  ].join('\n')
}
