/**
 * What tpi uses of the vendor's client: its types, and no code (docs/decisions.md says why). Every call to Google Cloud is a row here:
 * a test compares the caller's permissions with this list.
 */
import type { google } from '@google-cloud/compute/build/protos/protos.js'

export type Autoscaler = google.cloud.compute.v1.IAutoscaler
export type Firewall = google.cloud.compute.v1.IFirewall
export type Image = google.cloud.compute.v1.IImage
export type Instance = google.cloud.compute.v1.IInstance
export type InstanceAggregatedList = google.cloud.compute.v1.IInstanceAggregatedList
export type InstanceGroupManager = google.cloud.compute.v1.IInstanceGroupManager
export type InstanceGroupManagerAggregatedList = google.cloud.compute.v1.IInstanceGroupManagerAggregatedList
export type InstanceProperties = google.cloud.compute.v1.IInstanceProperties
export type InstanceTemplate = google.cloud.compute.v1.IInstanceTemplate
export type InstanceTemplateAggregatedList = google.cloud.compute.v1.IInstanceTemplateAggregatedList
export type MachineTypeAggregatedList = google.cloud.compute.v1.IMachineTypeAggregatedList
export type ManagedInstance = google.cloud.compute.v1.IManagedInstance
export type ManagedInstances = google.cloud.compute.v1.IRegionInstanceGroupManagersListInstancesResponse
export type ManagedError = google.cloud.compute.v1.IInstanceManagedByIgmError
export type ManagedErrors = google.cloud.compute.v1.IRegionInstanceGroupManagersListErrorsResponse
export type Operation = google.cloud.compute.v1.IOperation
export type OperationAggregatedList = google.cloud.compute.v1.IOperationAggregatedList
export type Project = google.cloud.compute.v1.IProject
export type Quota = google.cloud.compute.v1.IQuota
export type Region = google.cloud.compute.v1.IRegion
export type Router = google.cloud.compute.v1.IRouter
export type Subnetwork = google.cloud.compute.v1.ISubnetwork
export type RouterList = google.cloud.compute.v1.IRouterList
export type SerialPortOutput = google.cloud.compute.v1.ISerialPortOutput
export type SubnetworkList = google.cloud.compute.v1.ISubnetworkList

/** The fields of a bucket that tpi uses. https://cloud.google.com/storage/docs/json_api/v1/buckets */
export interface Bucket {
  readonly name?: string
  readonly location?: string
  readonly projectNumber?: string
}

/** The fields of a line of the price catalogue that tpi uses. https://cloud.google.com/billing/docs/reference/rest/v1/services.skus */
export interface Sku {
  readonly description?: string
  readonly category?: { readonly usageType?: string }
  readonly serviceRegions?: readonly string[]
  readonly pricingInfo?: readonly {
    readonly pricingExpression?: {
      readonly tieredRates?: readonly { readonly unitPrice?: { readonly units?: string; readonly nanos?: number } }[]
    }
  }[]
}

export interface SkuList {
  readonly skus?: readonly Sku[]
  readonly nextPageToken?: string
}

export interface Tested {
  readonly permissions?: readonly string[]
}

export type Method = 'GET' | 'POST' | 'DELETE' | 'PATCH'
export type Service = 'compute' | 'storage' | 'iam' | 'cloudbilling' | 'cloudresourcemanager'

/** https://cloud.google.com/iam/docs/reference/rest/v1/Policy */
export interface Binding {
  readonly role: string
  readonly members: readonly string[]
  readonly condition?: { readonly title: string; readonly expression: string }
}

export interface IamPolicy {
  readonly version?: number
  readonly etag?: string
  readonly bindings?: readonly Binding[]
}

/** The address of each service, and gcloud's variable for another address. */
export const SERVICES: Readonly<Record<Service, { readonly url: string; readonly variable: string }>> = {
  compute: { url: 'https://compute.googleapis.com/compute/v1/', variable: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE' },
  storage: { url: 'https://storage.googleapis.com/storage/v1/', variable: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE' },
  iam: { url: 'https://iam.googleapis.com/', variable: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_IAM' },
  cloudbilling: { url: 'https://cloudbilling.googleapis.com/', variable: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDBILLING' },
  cloudresourcemanager: {
    url: 'https://cloudresourcemanager.googleapis.com/',
    variable: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDRESOURCEMANAGER',
  },
}

/** `service:resource.method`, as in the vendor's discovery documents → method and path. */
export const CALLS = {
  'compute:projects.get': ['GET', 'projects/{project}'],
  'compute:regions.get': ['GET', 'projects/{project}/regions/{region}'],
  'compute:machineTypes.aggregatedList': ['GET', 'projects/{project}/aggregated/machineTypes'],
  'compute:images.get': ['GET', 'projects/{project}/global/images/{image}'],
  'compute:images.getFromFamily': ['GET', 'projects/{project}/global/images/family/{family}'],
  'compute:subnetworks.list': ['GET', 'projects/{project}/regions/{region}/subnetworks'],
  'compute:routers.list': ['GET', 'projects/{project}/regions/{region}/routers'],
  'compute:regionInstanceTemplates.insert': ['POST', 'projects/{project}/regions/{region}/instanceTemplates'],
  'compute:regionInstanceTemplates.get': ['GET', 'projects/{project}/regions/{region}/instanceTemplates/{instanceTemplate}'],
  'compute:regionInstanceTemplates.delete': ['DELETE', 'projects/{project}/regions/{region}/instanceTemplates/{instanceTemplate}'],
  'compute:instanceTemplates.aggregatedList': ['GET', 'projects/{project}/aggregated/instanceTemplates'],
  'compute:regionInstanceGroupManagers.insert': ['POST', 'projects/{project}/regions/{region}/instanceGroupManagers'],
  'compute:regionInstanceGroupManagers.get': ['GET', 'projects/{project}/regions/{region}/instanceGroupManagers/{instanceGroupManager}'],
  'compute:regionInstanceGroupManagers.delete': [
    'DELETE',
    'projects/{project}/regions/{region}/instanceGroupManagers/{instanceGroupManager}',
  ],
  'compute:regionInstanceGroupManagers.resize': [
    'POST',
    'projects/{project}/regions/{region}/instanceGroupManagers/{instanceGroupManager}/resize',
  ],
  'compute:regionInstanceGroupManagers.listManagedInstances': [
    'POST',
    'projects/{project}/regions/{region}/instanceGroupManagers/{instanceGroupManager}/listManagedInstances',
  ],
  'compute:regionInstanceGroupManagers.listErrors': [
    'GET',
    'projects/{project}/regions/{region}/instanceGroupManagers/{instanceGroupManager}/listErrors',
  ],
  'compute:regionAutoscalers.insert': ['POST', 'projects/{project}/regions/{region}/autoscalers'],
  'compute:regionAutoscalers.get': ['GET', 'projects/{project}/regions/{region}/autoscalers/{autoscaler}'],
  // The query names the autoscaler.
  'compute:regionAutoscalers.patch': ['PATCH', 'projects/{project}/regions/{region}/autoscalers'],
  'compute:regionAutoscalers.delete': ['DELETE', 'projects/{project}/regions/{region}/autoscalers/{autoscaler}'],
  'compute:instanceGroupManagers.aggregatedList': ['GET', 'projects/{project}/aggregated/instanceGroupManagers'],
  'compute:instances.aggregatedList': ['GET', 'projects/{project}/aggregated/instances'],
  'compute:instances.getSerialPortOutput': ['GET', 'projects/{project}/zones/{zone}/instances/{instance}/serialPort'],
  'compute:firewalls.insert': ['POST', 'projects/{project}/global/firewalls'],
  'compute:firewalls.get': ['GET', 'projects/{project}/global/firewalls/{firewall}'],
  'compute:firewalls.delete': ['DELETE', 'projects/{project}/global/firewalls/{firewall}'],
  'compute:globalOperations.wait': ['POST', 'projects/{project}/global/operations/{operation}/wait'],
  'compute:regionOperations.wait': ['POST', 'projects/{project}/regions/{region}/operations/{operation}/wait'],
  'compute:globalOperations.aggregatedList': ['GET', 'projects/{project}/aggregated/operations'],
  'storage:buckets.get': ['GET', 'b/{bucket}'],
  'storage:buckets.insert': ['POST', 'b'],
  'storage:buckets.list': ['GET', 'b'],
  'iam:projects.serviceAccounts.testIamPermissions': ['POST', 'v1/projects/-/serviceAccounts/{account}:testIamPermissions'],
  'iam:projects.serviceAccounts.create': ['POST', 'v1/projects/{project}/serviceAccounts'],
  'iam:projects.roles.create': ['POST', 'v1/projects/{project}/roles'],
  'iam:projects.roles.patch': ['PATCH', 'v1/projects/{project}/roles/{role}'],
  'cloudresourcemanager:projects.getIamPolicy': ['POST', 'v1/projects/{project}:getIamPolicy'],
  'cloudresourcemanager:projects.setIamPolicy': ['POST', 'v1/projects/{project}:setIamPolicy'],
  'cloudresourcemanager:projects.testIamPermissions': ['POST', 'v1/projects/{project}:testIamPermissions'],
  // The id of Compute Engine in the catalogue.
  'cloudbilling:services.skus.list': ['GET', 'v1/services/6F81-5844-456A/skus'],
} as const satisfies Readonly<Record<string, readonly [Method, string]>>

export type CallName = keyof typeof CALLS

/** The answer of each call. */
export interface Answers extends Record<CallName, unknown> {
  'compute:projects.get': Project
  'compute:regions.get': Region
  'compute:machineTypes.aggregatedList': MachineTypeAggregatedList
  'compute:images.get': Image
  'compute:images.getFromFamily': Image
  'compute:subnetworks.list': SubnetworkList
  'compute:routers.list': RouterList
  'compute:regionInstanceTemplates.insert': Operation
  'compute:regionInstanceTemplates.get': InstanceTemplate
  'compute:regionInstanceTemplates.delete': Operation
  'compute:instanceTemplates.aggregatedList': InstanceTemplateAggregatedList
  'compute:regionInstanceGroupManagers.insert': Operation
  'compute:regionInstanceGroupManagers.get': InstanceGroupManager
  'compute:regionInstanceGroupManagers.delete': Operation
  'compute:regionInstanceGroupManagers.resize': Operation
  'compute:regionInstanceGroupManagers.listManagedInstances': ManagedInstances
  'compute:regionInstanceGroupManagers.listErrors': ManagedErrors
  'compute:regionAutoscalers.insert': Operation
  'compute:regionAutoscalers.get': Autoscaler
  'compute:regionAutoscalers.patch': Operation
  'compute:regionAutoscalers.delete': Operation
  'compute:instanceGroupManagers.aggregatedList': InstanceGroupManagerAggregatedList
  'compute:instances.aggregatedList': InstanceAggregatedList
  'compute:instances.getSerialPortOutput': SerialPortOutput
  'compute:firewalls.insert': Operation
  'compute:firewalls.get': Firewall
  'compute:firewalls.delete': Operation
  'compute:globalOperations.wait': Operation
  'compute:regionOperations.wait': Operation
  'compute:globalOperations.aggregatedList': OperationAggregatedList
  'storage:buckets.get': Bucket
  'storage:buckets.insert': Bucket
  'storage:buckets.list': { readonly items?: readonly Bucket[] }
  'iam:projects.serviceAccounts.testIamPermissions': Tested
  'cloudresourcemanager:projects.testIamPermissions': Tested
  'cloudresourcemanager:projects.getIamPolicy': IamPolicy
  'cloudbilling:services.skus.list': SkuList
}
