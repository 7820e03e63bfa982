/**
 * Actions that the vendor has: a custom role with one that it has not is refused as a whole (InvalidActionOrNotAction). Taken from its own lists:
 * https://github.com/MicrosoftDocs/azure-docs/tree/main/articles/role-based-access-control/permissions (compute, general, identity,
 * management-and-governance, monitor, networking, storage). Only those that some role of ours may name.
 */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  'Microsoft.Authorization': ['permissions/read'],
  'Microsoft.Compute': [
    'diskEncryptionSets/read',
    'galleries/images/read',
    'galleries/images/versions/read',
    'images/read',
    'locations/operations/read',
    'locations/publishers/artifacttypes/offers/skus/versions/read',
    'locations/usages/read',
    'skus/read',
    'virtualMachineScaleSets/delete',
    'virtualMachineScaleSets/read',
    'virtualMachineScaleSets/write',
    'virtualMachines/delete',
    'virtualMachines/read',
    'virtualMachines/retrieveBootDiagnosticsData/action',
    'virtualMachines/write',
  ],
  'Microsoft.Insights': ['AutoscaleSettings/Delete', 'AutoscaleSettings/Read', 'AutoscaleSettings/Write', 'eventtypes/values/Read'],
  'Microsoft.ManagedIdentity': ['userAssignedIdentities/assign/action', 'userAssignedIdentities/read'],
  'Microsoft.Network': [
    'locations/operations/read',
    'networkInterfaces/delete',
    'networkInterfaces/join/action',
    'networkInterfaces/read',
    'networkInterfaces/write',
    'networkSecurityGroups/delete',
    'networkSecurityGroups/join/action',
    'networkSecurityGroups/read',
    'networkSecurityGroups/write',
    'publicIPAddresses/delete',
    'publicIPAddresses/join/action',
    'publicIPAddresses/read',
    'publicIPAddresses/write',
    'virtualNetworks/delete',
    'virtualNetworks/read',
    'virtualNetworks/subnets/join/action',
    'virtualNetworks/subnets/read',
    'virtualNetworks/write',
  ],
  'Microsoft.Resources': [
    'subscriptions/operationresults/read',
    'subscriptions/providers/read',
    'subscriptions/read',
    'subscriptions/resourceGroups/delete',
    'subscriptions/resourceGroups/read',
    'subscriptions/resourceGroups/write',
    'subscriptions/resources/read',
  ],
  'Microsoft.Storage': [
    'storageAccounts/blobServices/containers/blobs/add/action',
    'storageAccounts/blobServices/containers/blobs/delete',
    'storageAccounts/blobServices/containers/blobs/read',
    'storageAccounts/blobServices/containers/blobs/write',
    'storageAccounts/blobServices/containers/read',
    'storageAccounts/blobServices/containers/write',
    'storageAccounts/managementPolicies/write',
    'storageAccounts/read',
    'storageAccounts/write',
  ],
}

/** In small letters: the vendor does not tell them apart. */
export const ACTIONS: ReadonlySet<string> = new Set(
  Object.entries(LISTED).flatMap(([namespace, names]) => names.map((name) => `${namespace}/${name}`.toLowerCase())),
)
