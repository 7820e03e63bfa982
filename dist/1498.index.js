export const id = 1498;
export const ids = [1498];
export const modules = {

/***/ 77541:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Dk: () => (/* binding */ TAG),
/* harmony export */   Ft: () => (/* binding */ isSame),
/* harmony export */   Kf: () => (/* binding */ identityId),
/* harmony export */   MR: () => (/* binding */ CONTAINER),
/* harmony export */   SG: () => (/* binding */ SHARED),
/* harmony export */   XH: () => (/* binding */ MACHINE_IDENTITY),
/* harmony export */   hv: () => (/* binding */ groupName),
/* harmony export */   u2: () => (/* binding */ twinName),
/* harmony export */   vi: () => (/* binding */ accountName)
/* harmony export */ });
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(82260);
/* harmony import */ var _lib_sha256_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(41923);
/* harmony import */ var _vm_names_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(70839);



/** https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations: some services do not allow `:` in names. */
const TAG = {
    id: 'tpi-id',
    incarnation: 'tpi-incarnation',
    name: 'tpi-name',
    mode: 'tpi-mode',
    /** ISO: when the deployment ends at the latest. */
    until: 'tpi-until',
    /** On a set that has a twin: the twin's name. */
    twin: 'tpi-twin',
    /** All facts of a deployment, in pieces (`tags.ts`). */
    facts: 'tpi-facts-',
};
/**
 * A machine's name is its set's name, `_` and eight more characters, and a host name has at most 64:
 * https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftcompute
 */
const MOST = 54;
/** Name of the resource group and of everything in it. */
const groupName = (of) => (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .shortName */ .EU)(of, MOST);
/** The set at full price beside a spot set (`spot: prefer`). */
const twinName = (of) => (0,_vm_names_js__WEBPACK_IMPORTED_MODULE_2__/* .shortTwinName */ .uE)(of, MOST);
/** The resource group of the storage accounts and of the machines' identity, unless the user names another one. Made once for a subscription. */
const SHARED = 'tpi-shared';
const MACHINE_IDENTITY = 'tpi-machine';
const identityId = (subscription) => `/subscriptions/${subscription}/resourceGroups/${SHARED}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${MACHINE_IDENTITY}`;
/** One for each subscription and region. Names are global, and have at most 24 letters and digits, so it is looked up only in `SHARED`. */
function accountName(subscription, region) {
    const hash = (0,_lib_sha256_js__WEBPACK_IMPORTED_MODULE_1__/* .sha256 */ .s)(`${subscription.toLowerCase()} ${region}`);
    return `tpi${hash.slice(0, 21)}`;
}
/** The container for all deployments in such an account. */
const CONTAINER = 'tpi';
/** Names and ids are equal whatever their case. https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules */
const isSame = (one, other) => one?.toLowerCase() === other?.toLowerCase();


/***/ }),

/***/ 11498:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  DATA: () => (/* binding */ DATA),
  MACHINE_ACTIONS: () => (/* binding */ MACHINE_ACTIONS),
  MACHINE_ROLE: () => (/* binding */ MACHINE_ROLE),
  PROVIDERS: () => (/* binding */ PROVIDERS),
  RIGHTS: () => (/* binding */ RIGHTS),
  actionOf: () => (/* binding */ actionOf),
  besidesLines: () => (/* binding */ besidesLines),
  callerActions: () => (/* binding */ callerActions),
  permissionsText: () => (/* binding */ permissionsText),
  rolesOf: () => (/* binding */ rolesOf)
});

// EXTERNAL MODULE: ./build/js/lib/record.js
var record = __webpack_require__(96645);
// EXTERNAL MODULE: ./build/js/clouds/vm/data.js
var data = __webpack_require__(58527);
// EXTERNAL MODULE: ./build/js/clouds/vm/permissions.js
var permissions = __webpack_require__(36371);
// EXTERNAL MODULE: ./build/js/lib/shape.js
var shape = __webpack_require__(29611);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
// EXTERNAL MODULE: ./build/js/clouds/vm/image-registry.js
var image_registry = __webpack_require__(61412);
;// CONCATENATED MODULE: ./build/js/clouds/az/image-registry.js
/** The registry of a subscription (ACR): how a machine logs in to it. */



/**
 * The user name of a login by token.
 * https://learn.microsoft.com/azure/container-registry/container-registry-authentication#az-acr-login-with---expose-token
 */
const NOBODY = '00000000-0000-0000-0000-000000000000';
/**
 * The name of the registry, which is followed by a hash if the registry has a domain name label:
 * https://learn.microsoft.com/azure/container-registry/container-registry-get-started-portal#configure-domain-name-label-dnl-option
 */
const HOST = /^([a-z0-9]{5,50})(?:-[a-z0-9]{1,63})?\.azurecr\.(?:io|cn|us)$/;
const given = (0,shape/* object */.Ik)({ refresh_token: (0,shape/* text */.Qq)(image_registry/* MOST */._) });
const isAcr = (host) => HOST.test(host);
/** The name of the registry, as `az acr` takes it. */
const acrName = (host) => HOST.exec(host)?.[1] ?? host;
/** Exchanges a token of the identity for one of the registry. https://github.com/Azure/acr/blob/main/docs/AAD-OAuth.md */
async function acrLogin(host, token, endpoint = `https://${host}`) {
    if (!isAcr(host))
        return undefined;
    const { credentials } = await token();
    const body = new URLSearchParams({ grant_type: 'access_token', service: host, access_token: credentials['token'] ?? '' });
    const url = new URL('/oauth2/exchange', endpoint);
    const { ok, status, text: said } = await askRegistry(url, { body });
    if (!ok)
        throw new Error(`${url.host} answers ${status}; the identity of the machine needs the role AcrPull there`);
    return { user: NOBODY, password: parseShape(given, said).refresh_token };
}

// EXTERNAL MODULE: ./build/js/clouds/az/names.js
var names = __webpack_require__(77541);
// EXTERNAL MODULE: ./build/js/clouds/az/sdk.js
var sdk = __webpack_require__(25561);
// EXTERNAL MODULE: ./build/js/clouds/az/settings.js
var settings = __webpack_require__(39664);
;// CONCATENATED MODULE: ./build/js/clouds/az/permissions.js
/** The least rights that a caller needs, each with its purpose, and the rights of machines. The printed roles derive from these lists. */







/** https://learn.microsoft.com/azure/role-based-access-control/resource-provider-operations */
const RIGHTS = [
    {
        why: 'the subscription, its providers, quotas, sizes and images',
        calls: [
            'subscription.get',
            'providers.get',
            'permissions.list',
            'skus.list',
            'usages.list',
            'market.list',
            'market.get',
            'gallery.get',
            'images.get',
        ],
        besides: ['Microsoft.Compute/galleries/images/versions/read'],
    },
    {
        why: 'whether a lock would keep machines from being removed',
        calls: ['locks.list', 'locks.ofGroup'],
        without: 'a lock shows only when something cannot be removed',
    },
    {
        why: 'a resource group for each run',
        calls: ['groups.get', 'groups.list', 'groups.put', 'groups.delete', 'resources.list'],
        besides: ['Microsoft.Resources/subscriptions/operationresults/read'],
        without: 'name one that is there: --resource-group NAME',
    },
    {
        why: 'network and security group of its machines, or your own subnet',
        calls: [
            'networks.list',
            'networks.get',
            'networks.put',
            'networks.delete',
            'subnets.get',
            'walls.list',
            'walls.get',
            'walls.put',
            'walls.delete',
            'nics.list',
            'nics.delete',
            'addresses.list',
            'addresses.delete',
        ],
        besides: [
            'Microsoft.Network/locations/operations/read',
            'Microsoft.Network/networkInterfaces/write',
            'Microsoft.Network/networkInterfaces/join/action',
            'Microsoft.Network/networkSecurityGroups/join/action',
            'Microsoft.Network/publicIPAddresses/write',
            'Microsoft.Network/publicIPAddresses/join/action',
            'Microsoft.Network/virtualNetworks/subnets/join/action',
        ],
        page: 'https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-subnet#permissions',
    },
    {
        why: 'the set of machines, its size, and what became of them',
        calls: [
            'sets.get',
            'sets.list',
            'sets.put',
            'sets.patch',
            'sets.delete',
            'machines.list',
            'machines.delete',
            'machines.console',
            'disks.list',
            'disks.delete',
            'log.list',
        ],
        besides: ['Microsoft.Compute/locations/operations/read', 'Microsoft.Compute/virtualMachines/write'],
    },
    {
        why: 'disks under a key of yours',
        calls: [],
        besides: ['Microsoft.Compute/diskEncryptionSets/read'],
        page: 'https://learn.microsoft.com/azure/virtual-machines/disk-encryption',
        without: 'leave --customer-key out',
    },
    {
        why: 'machines of a capacity reservation',
        calls: [],
        besides: [
            'Microsoft.Compute/capacityReservationGroups/read',
            'Microsoft.Compute/capacityReservationGroups/deploy/action',
            'Microsoft.Compute/capacityReservationGroups/capacityReservations/read',
        ],
        page: 'https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-overview',
        without: 'leave --reservation out',
    },
    {
        why: 'what brings machines back, and ends all of them at the deadline',
        calls: ['settings.list', 'settings.get', 'settings.put', 'settings.patch', 'settings.delete'],
    },
    {
        why: 'the identity that machines have',
        calls: ['identities.get', 'assignments.list'],
        besides: ['Microsoft.ManagedIdentity/userAssignedIdentities/assign/action'],
        page: 'https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-configure-managed-identities-scale-sets',
    },
    {
        why: 'whether the storage account of the subscription and region is there',
        calls: ['containers.get'],
    },
    {
        why: 'that storage account, made once',
        calls: ['accounts.list', 'accounts.get', 'accounts.put', 'accounts.expiry', 'containers.put'],
        without: 'an administrator makes it once, or you name another one: --storage az://ACCOUNT/CONTAINER',
    },
];
/** Rights to work directories, checkpoints and logs: no management right includes the data itself. */
const DATA = ['read', 'write', 'delete', 'add/action'].map((verb) => `Microsoft.Storage/storageAccounts/blobServices/containers/blobs/${verb}`);
/** Description of the machines' role. */
const MACHINE_ROLE = 'machines of tpi: their storage, and leaving their group';
/** The rights of a machine: to use the store, and to leave its own group. */
const MACHINE_ACTIONS = [
    'Microsoft.Compute/virtualMachineScaleSets/read',
    'Microsoft.Compute/virtualMachines/delete',
    'Microsoft.Compute/virtualMachines/read',
    'Microsoft.Insights/autoscalesettings/read',
    'Microsoft.Insights/autoscalesettings/write',
];
const VERBS = { GET: '/read', PUT: '/write', PATCH: '/write', DELETE: '/delete', POST: '/action' };
/** The action of a call, by a rule that all providers follow: the types in its path, and a verb for its method. */
function actionOf(name) {
    const [method, template] = sdk/* CALLS */.q[name];
    const [before = '', after] = template.replace('subscriptions/{subscription}', '').split('/providers/');
    if (after === undefined || after.startsWith('{')) {
        const plain = { '': 'subscriptions', '/resources': 'subscriptions/resources' }[before] ?? 'subscriptions/resourceGroups';
        return `Microsoft.Resources/${after === undefined ? plain : 'subscriptions/providers'}${VERBS[method]}`;
    }
    const [namespace = '', ...parts] = after.split('/');
    const types = parts.filter((_, at) => at % 2 === 0);
    return `${[namespace, ...types].join('/')}${VERBS[method]}`;
}
function callerActions() {
    return [...new Set(RIGHTS.flatMap(({ calls, besides = [] }) => [...calls.map(actionOf), ...besides]))].sort();
}
/** Resource providers that the subscription must have registered. */
const PROVIDERS = [
    'Microsoft.Compute',
    'Microsoft.Network',
    'Microsoft.Insights',
    'Microsoft.ManagedIdentity',
    'Microsoft.Storage',
];
const SHARED_IDENTITY = [
    '# Machines of all runs have one identity. One for each would have every caller give roles (Microsoft.Authorization/roleAssignments/write),',
    '# and each start wait until Azure knows it everywhere, for up to half an hour:',
    '# https://learn.microsoft.com/azure/role-based-access-control/troubleshooting',
];
/** The reason for each right, lines for a shell that grant them, and the same as Terraform. */
function permissionsText(values, env) {
    const { subscription = env['AZURE_SUBSCRIPTION_ID'] || 'SUBSCRIPTION', region } = (0,settings/* settingsOf */.f5)({ values, env });
    const reasons = RIGHTS.map(({ calls, besides = [], ...reason }) => [`#   ${[...new Set([...calls.map(actionOf), ...besides])].sort().join(' ')}`, `#     ${(0,permissions/* rightText */.C)(reason)}`].join('\n'));
    return `${[
        `# Once for subscription ${subscription}. CALLER is the object id of the account that runs tpi: az ad sp show --id CLIENT --query id,`,
        '# or of a person: az ad user show --id NAME --query id',
        ...SHARED_IDENTITY,
        '# What the caller needs, and why:',
        ...reasons,
        `#   ${DATA.join(' ')}`,
        '#     work directories, checkpoints, logs (rights to data, which no right of management includes)',
        '',
        ...shellLines(subscription, region),
        ...besidesLines(subscription, values),
        '',
        '# The same as Terraform:',
        terraform(subscription, region),
    ].join('\n')}\n`;
}
/** Names of roles are unique in the tenant: https://learn.microsoft.com/azure/role-based-access-control/custom-roles#custom-role-properties */
function rolesOf(subscription) {
    const [short] = subscription.split('-');
    return { caller: `tpi caller ${short}`, machine: `tpi machine ${short}` };
}
/** The identity of machines, as arguments. Its type is given, because the directory may not know a new principal yet. */
const machineOf = (subscription) => `"$(az identity show --ids ${(0,names/* identityId */.Kf)(subscription)} --query principalId --output tsv)" --assignee-principal-type ServicePrincipal`;
function shellLines(subscription, region) {
    const scope = `/subscriptions/${subscription}`;
    const roles = rolesOf(subscription);
    const role = (name, description, actions) => {
        const said = { Name: name, Description: description, Actions: actions, DataActions: DATA, AssignableScopes: [scope] };
        return `az role definition create --role-definition '${JSON.stringify(said)}'`;
    };
    const assign = (who, name) => `az role assignment create --assignee-object-id ${who} --role "${name}" --scope ${scope}`;
    return [
        ...PROVIDERS.map((namespace) => `az provider register --subscription ${subscription} --namespace ${namespace}`),
        role(roles.caller, 'who runs tpi', callerActions()),
        assign('CALLER', roles.caller),
        `az group create --subscription ${subscription} --name ${names/* SHARED */.SG} --location ${region}`,
        `az identity create --subscription ${subscription} --resource-group ${names/* SHARED */.SG} --name ${names/* MACHINE_IDENTITY */.XH}`,
        role(roles.machine, MACHINE_ROLE, MACHINE_ACTIONS),
        assign(machineOf(subscription), roles.machine),
    ];
}
/** Lines that let machines read what the user named besides: accounts of `data`, and the registry of `container`. */
function besidesLines(subscription, values) {
    const [registry = ''] = ((0,record/* textOf */.b6)(values['container']) ?? '').split('/');
    const accounts = (0,data/* hostsOf */.PP)((0,settings/* settingsOf */.f5)({ values, env: {} }).data);
    return [
        ...accounts.flatMap((account) => readerLines(subscription, account)),
        ...(isAcr(registry) ? [pullLine(subscription, registry)] : []),
    ];
}
function readerLines(subscription, account) {
    return [
        `# The role of machines reads ${account} if that is in this subscription; else, with the id of the account:`,
        `# az role assignment create --assignee-object-id ${machineOf(subscription)} --role "Storage Blob Data Reader" --scope ID`,
    ];
}
function pullLine(subscription, registry) {
    const scope = `"$(az acr show --name ${acrName(registry)} --query id --output tsv)"`;
    return `az role assignment create --assignee-object-id ${machineOf(subscription)} --role AcrPull --scope ${scope}`;
}
function terraform(subscription, region) {
    const scope = `/subscriptions/${subscription}`;
    const roles = rolesOf(subscription);
    const role = (id, name, actions) => `resource "azurerm_role_definition" "${id}" {
  name  = "${name}"
  scope = "${scope}"
  permissions {
    actions      = ${JSON.stringify(actions)}
    data_actions = ${JSON.stringify(DATA)}
  }
  assignable_scopes = ["${scope}"]
}`;
    const assign = (id, who) => `resource "azurerm_role_assignment" "${id}" {
  scope              = "${scope}"
  role_definition_id = azurerm_role_definition.${id}.role_definition_resource_id
  principal_id       = ${who}
}`;
    return [
        'variable "caller" { type = string }',
        role('tpi_caller', roles.caller, callerActions()),
        assign('tpi_caller', 'var.caller'),
        `resource "azurerm_resource_group" "tpi_shared" {
  name     = "${names/* SHARED */.SG}"
  location = "${region}"
}`,
        `resource "azurerm_user_assigned_identity" "tpi_machine" {
  name                = "${names/* MACHINE_IDENTITY */.XH}"
  resource_group_name = azurerm_resource_group.tpi_shared.name
  location            = azurerm_resource_group.tpi_shared.location
}`,
        role('tpi_machine', roles.machine, MACHINE_ACTIONS),
        assign('tpi_machine', 'azurerm_user_assigned_identity.tpi_machine.principal_id'),
    ].join('\n');
}


/***/ }),

/***/ 25561:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ CALLS)
/* harmony export */ });
/** The first version in which network cards and addresses of a set have tags. */
const COMPUTE = '2025-04-01';
const SKUS = '2021-07-01';
const DISKS = '2024-03-02';
const GALLERY = '2024-03-03';
const NETWORK = '2024-05-01';
const AUTOSCALE = '2022-10-01';
const LOG = '2015-04-01';
const RESOURCES = '2021-04-01';
const IDENTITY = '2023-01-31';
const STORAGE = '2023-05-01';
const RIGHTS = '2022-04-01';
const LOCKS = '2020-05-01';
const S = 'subscriptions/{subscription}';
const G = `${S}/resourceGroups/{group}`;
const IN = `${G}/providers`;
const SET = `${IN}/Microsoft.Compute/virtualMachineScaleSets/{name}`;
const SETTING = `${IN}/Microsoft.Insights/autoscalesettings/{name}`;
const ACCOUNT = `${IN}/Microsoft.Storage/storageAccounts/{account}`;
const MARKET = `${S}/providers/Microsoft.Compute/locations/{location}/publishers/{publisher}/artifacttypes/vmimage/offers/{offer}/skus/{sku}/versions`;
/** `noun.verb` → method, path, and version of that part of the API. */
const CALLS = {
    'subscriptions.list': ['GET', 'subscriptions', RESOURCES],
    'subscription.get': ['GET', S, RESOURCES],
    'providers.get': ['GET', `${S}/providers/{namespace}`, RESOURCES],
    'permissions.list': ['GET', `${S}/providers/Microsoft.Authorization/permissions`, RIGHTS],
    'locks.list': ['GET', `${S}/providers/Microsoft.Authorization/locks`, LOCKS],
    'locks.ofGroup': ['GET', `${IN}/Microsoft.Authorization/locks`, LOCKS],
    'groups.list': ['GET', `${S}/resourceGroups`, RESOURCES],
    'groups.get': ['GET', G, RESOURCES],
    'groups.put': ['PUT', G, RESOURCES],
    'groups.delete': ['DELETE', G, RESOURCES],
    'resources.list': ['GET', `${S}/resources`, RESOURCES],
    'networks.list': ['GET', `${S}/providers/Microsoft.Network/virtualNetworks`, NETWORK],
    'networks.put': ['PUT', `${IN}/Microsoft.Network/virtualNetworks/{name}`, NETWORK],
    'networks.get': ['GET', `${IN}/Microsoft.Network/virtualNetworks/{name}`, NETWORK],
    'networks.delete': ['DELETE', `${IN}/Microsoft.Network/virtualNetworks/{name}`, NETWORK],
    'subnets.get': ['GET', `${IN}/Microsoft.Network/virtualNetworks/{network}/subnets/{subnet}`, NETWORK],
    'walls.list': ['GET', `${S}/providers/Microsoft.Network/networkSecurityGroups`, NETWORK],
    'walls.put': ['PUT', `${IN}/Microsoft.Network/networkSecurityGroups/{name}`, NETWORK],
    'walls.get': ['GET', `${IN}/Microsoft.Network/networkSecurityGroups/{name}`, NETWORK],
    'walls.delete': ['DELETE', `${IN}/Microsoft.Network/networkSecurityGroups/{name}`, NETWORK],
    'nics.list': ['GET', `${IN}/Microsoft.Network/networkInterfaces`, NETWORK],
    'nics.delete': ['DELETE', `${IN}/Microsoft.Network/networkInterfaces/{name}`, NETWORK],
    'addresses.list': ['GET', `${IN}/Microsoft.Network/publicIPAddresses`, NETWORK],
    'addresses.delete': ['DELETE', `${IN}/Microsoft.Network/publicIPAddresses/{name}`, NETWORK],
    'sets.put': ['PUT', SET, COMPUTE],
    'sets.get': ['GET', SET, COMPUTE],
    'sets.patch': ['PATCH', SET, COMPUTE],
    'sets.delete': ['DELETE', SET, COMPUTE],
    'sets.list': ['GET', `${S}/providers/Microsoft.Compute/virtualMachineScaleSets`, COMPUTE],
    'machines.list': ['GET', `${IN}/Microsoft.Compute/virtualMachines`, COMPUTE],
    'machines.delete': ['DELETE', `${IN}/Microsoft.Compute/virtualMachines/{machine}`, COMPUTE],
    'machines.console': ['POST', `${IN}/Microsoft.Compute/virtualMachines/{machine}/retrieveBootDiagnosticsData`, COMPUTE],
    'disks.list': ['GET', `${IN}/Microsoft.Compute/disks`, DISKS],
    'disks.delete': ['DELETE', `${IN}/Microsoft.Compute/disks/{name}`, DISKS],
    'settings.list': ['GET', `${S}/providers/Microsoft.Insights/autoscalesettings`, AUTOSCALE],
    'settings.put': ['PUT', SETTING, AUTOSCALE],
    'settings.get': ['GET', SETTING, AUTOSCALE],
    'settings.patch': ['PATCH', SETTING, AUTOSCALE],
    'settings.delete': ['DELETE', SETTING, AUTOSCALE],
    'log.list': ['GET', `${S}/providers/Microsoft.Insights/eventtypes/management/values`, LOG],
    'skus.list': ['GET', `${S}/providers/Microsoft.Compute/skus`, SKUS],
    'usages.list': ['GET', `${S}/providers/Microsoft.Compute/locations/{location}/usages`, COMPUTE],
    'market.list': ['GET', MARKET, COMPUTE],
    'market.get': ['GET', `${MARKET}/{version}`, COMPUTE],
    'gallery.get': ['GET', `${IN}/Microsoft.Compute/galleries/{gallery}/images/{image}`, GALLERY],
    'images.get': ['GET', `${IN}/Microsoft.Compute/images/{image}`, COMPUTE],
    'identities.get': ['GET', `${IN}/Microsoft.ManagedIdentity/userAssignedIdentities/{identity}`, IDENTITY],
    'identities.put': ['PUT', `${IN}/Microsoft.ManagedIdentity/userAssignedIdentities/{identity}`, IDENTITY],
    'roles.list': ['GET', `${S}/providers/Microsoft.Authorization/roleDefinitions`, RIGHTS],
    'roles.put': ['PUT', `${S}/providers/Microsoft.Authorization/roleDefinitions/{role}`, RIGHTS],
    'assignments.list': ['GET', `${S}/providers/Microsoft.Authorization/roleAssignments`, RIGHTS],
    'assignments.put': ['PUT', `${S}/providers/Microsoft.Authorization/roleAssignments/{assignment}`, RIGHTS],
    'accounts.list': ['GET', `${IN}/Microsoft.Storage/storageAccounts`, STORAGE],
    'accounts.get': ['GET', ACCOUNT, STORAGE],
    'accounts.put': ['PUT', ACCOUNT, STORAGE],
    'accounts.expiry': ['PUT', `${ACCOUNT}/managementPolicies/default`, STORAGE],
    'containers.get': ['GET', `${ACCOUNT}/blobServices/default/containers/{container}`, STORAGE],
    'containers.put': ['PUT', `${ACCOUNT}/blobServices/default/containers/{container}`, STORAGE],
};


/***/ }),

/***/ 39664:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   f5: () => (/* binding */ settingsOf),
/* harmony export */   ij: () => (/* binding */ REGIONS),
/* harmony export */   pi: () => (/* binding */ knownSubscription)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(48161);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(76760);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(29611);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(40859);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(13453);
/* harmony import */ var _vm_settings_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(64519);
/** Option values of Azure and names of its regions, checked as far as possible without an account. */







/** A zone is written behind its region: `westeurope-2`. */
const REGIONS = {
    vendor: 'Azure',
    // The regions that TPI used for these names.
    generic: { 'us-east': 'eastus', 'us-west': 'westus2', 'eu-north': 'northeurope', 'eu-west': 'westeurope' },
    native: /^([a-z]+\d?)(-[123])?$/,
    such: 'westeurope or westeurope-2',
};
/** https://learn.microsoft.com/azure/storage/files/storage-files-how-to-mount-nfs-shares */
const MOUNTS = {
    such: 'ACCOUNT/SHARE:/data (NFS share of Azure Files)',
    own: /^([a-z0-9]{3,24})\/([a-z0-9](?:-?[a-z0-9]){2,62})$/,
    source: ([, account, share]) => `${account}.file.core.windows.net:/${account}/${share}`,
    options: 'nfsvers=4.1,sec=sys',
};
const DATA = {
    url: /^az:\/\/[a-z0-9]{3,24}\/[a-z0-9](?:-?[a-z0-9]){2,62}(?:\/[^\s?#%]*)?$/,
    such: 'az://ACCOUNT/CONTAINER/PREFIX',
};
/** The region if neither an option nor a variable of the vendor's tools names one. */
const USUAL = 'eastus';
/** `at`: which of several regions. */
function settingsOf({ values, env }, at) {
    return {
        ...(0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_5__/* .vmSettings */ .Z)({ regions: REGIONS, mounts: MOUNTS, data: DATA, usual: env['AZURE_DEFAULTS_LOCATION'] || env['AZURE_LOCATION'] || USUAL }, values, at),
        ...(0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_5__/* .textsOf */ .CB)(values, { subscription: 'azure-subscription', resourceGroup: 'resource-group', subnet: 'azure-subnet' }),
        oneZone: values['gang'] === true,
    };
}
/**
 * What is read of azureProfile.json, which `az login` writes beside its tokens.
 * https://learn.microsoft.com/cli/azure/azure-cli-configuration (AZURE_CONFIG_DIR)
 */
const profile = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({
    subscriptions: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .list */ .p_)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ id: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(256), isDefault: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .flag */ .Jt) }), 10_000)),
});
/** The subscription if no option names one: the one that Azure's own tools use. */
async function knownSubscription(env) {
    const said = env['AZURE_SUBSCRIPTION_ID'] || env['ARM_SUBSCRIPTION_ID'];
    if (said)
        return said;
    const folder = env['AZURE_CONFIG_DIR'] || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(env['HOME'] || (0,node_os__WEBPACK_IMPORTED_MODULE_1__.homedir)(), '.azure');
    try {
        const text = (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_6__/* .unmarked */ .u7)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(folder, 'azureProfile.json'), 'utf8'));
        return (0,_wire_parse_js__WEBPACK_IMPORTED_MODULE_4__/* .parseShape */ .Tr)(profile, text).subscriptions?.find(({ isDefault }) => isDefault)?.id;
    }
    catch {
        // Nobody has logged in there, or the format is another one. Whoever has only one subscription need not name it.
        return undefined;
    }
}


/***/ }),

/***/ 61412:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ MOST)
/* harmony export */ });
/* unused harmony export askRegistry */
/* harmony import */ var _machine_call_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(76255);

/** Bytes: any token is much shorter. */
const MOST = 65_536;
async function askRegistry(url, proof) {
    const { ok, status, header, text } = await asked(url, { ...proof, method: 'POST', most: MOST });
    if (text === undefined)
        throw new Error(`${url.host} answers with more than ${MOST} bytes, which is not a login`);
    return { ok, status, text, date: header('date') };
}


/***/ }),

/***/ 76255:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* unused harmony exports asked, patiently */
/* harmony import */ var _lib_backoff_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(71874);
/* harmony import */ var _lib_http_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(78928);
/** Requests that a machine makes to its vendor by itself. */


const TIMEOUT = 15_000;
/** One request. */
async function asked(url, call) {
    return await ask(url, { ...call, patience: TIMEOUT });
}
const PAUSES = { first: 500, longest: 8000 };
/**
 * Tries again until `end` (by `performance.now()`), because the rights of a new identity take a while to work. `again`: as for `retry`. Throws
 * the last error.
 */
async function patiently(end, body, again) {
    const untilEnd = (error, tries) => {
        const answer = again(error);
        const pause = Math.min(PAUSES.first * 2 ** (tries - 1), PAUSES.longest);
        return performance.now() + pause + Number(answer) <= end && answer;
    };
    // At least half of the longest pause each time, because each try costs a call.
    return await retry(body, { ...PAUSES, random: () => Math.random() / 2, again: untilEnd });
}


/***/ }),

/***/ 47174:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U$: () => (/* binding */ bytesUpTo),
/* harmony export */   Yf: () => (/* binding */ jsonIn),
/* harmony export */   qx: () => (/* binding */ textUpTo)
/* harmony export */ });
/** Reads the body of a server's answer, which may be anything. */
/** The body as text. `undefined`: it is longer than `most` bytes; the rest of it is not read. */
async function textUpTo(most, answer) {
    return (await bytesUpTo(most, answer))?.toString('utf8');
}
/** The same, as bytes. */
async function bytesUpTo(most, { body }) {
    const pieces = [];
    let length = 0;
    for await (const piece of body ?? []) {
        length += piece.length;
        if (length > most)
            return undefined;
        pieces.push(piece);
    }
    return Buffer.concat(pieces);
}
/** `undefined`: it is not JSON, but the page of a proxy for example. */
function jsonIn(text) {
    try {
        return JSON.parse(text ?? '');
    }
    catch {
        return undefined;
    }
}


/***/ }),

/***/ 78928:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A3: () => (/* binding */ reasonOf),
/* harmony export */   XX: () => (/* binding */ Unanswered),
/* harmony export */   kA: () => (/* binding */ ask)
/* harmony export */ });
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37067);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(44708);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(38522);
/* harmony import */ var _answer_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(47174);
/**
 * One HTTP request and its whole answer as text, from no other server than the one that was asked. By Node's own client: the first `fetch` of a
 * process costs it 70 ms of processor time, which a starting machine feels, and so does somebody who waits for a command.
 */




/**
 * Addresses of metadata services, which are for this machine only: a proxy would ask its own, and answer with that one's identity.
 * https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service#proxies
 */
const LINK_LOCAL = /^169\.254\.|^\[fd00:ec2:/;
const direct = new node_http__WEBPACK_IMPORTED_MODULE_0__.Agent();
/** There was no answer, or not all of it. The message says why, for people. */
class Unanswered extends Error {
    name = 'Unanswered';
}
/** Throws `Unanswered`, or the reason of the signal. */
async function ask(url, call) {
    const { signal, patience, most } = call;
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(patience);
    try {
        const answer = await responseTo(new URL(url), call, signal ? AbortSignal.any([signal, limit]) : limit);
        const { statusCode: status = 0, headers } = answer;
        // An answer that is not read to its end is ended, and its connection with it.
        const text = await (0,_answer_js__WEBPACK_IMPORTED_MODULE_3__/* .textUpTo */ .qx)(most, { body: plain(answer) });
        const header = (name) => headers[name]?.toString();
        return { ok: status >= 200 && status < 300, status, text, header };
    }
    catch (cause) {
        signal?.throwIfAborted();
        throw new Unanswered(limit.aborted ? `no answer within ${patience / 1000} s` : reasonOf(cause), { cause });
    }
}
async function responseTo(url, { method = 'GET', headers, body }, signal) {
    const bytes = body === undefined ? undefined : Buffer.from(body.toString());
    const sent = {
        'user-agent': 'tpi-action',
        'accept-encoding': 'gzip',
        ...(body instanceof URLSearchParams && { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
        ...headers,
        // Without it, the body of a DELETE would have no length at all.
        ...(bytes && { 'content-length': String(bytes.length) }),
    };
    return await new Promise((resolve, reject) => {
        const request = (url.protocol === 'https:' ? node_https__WEBPACK_IMPORTED_MODULE_1__ : node_http__WEBPACK_IMPORTED_MODULE_0__).request(url, {
            method,
            headers: sent,
            signal,
            ...(LINK_LOCAL.test(url.hostname) && { agent: direct }),
        });
        request.on('response', resolve).on('error', reject).end(bytes);
    });
}
function plain(answer) {
    if (answer.headers['content-encoding'] !== 'gzip')
        return answer;
    const unpacked = (0,node_zlib__WEBPACK_IMPORTED_MODULE_2__.createGunzip)();
    answer.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
    return unpacked.on('close', () => answer.destroy());
}
/** Why a request failed, for people. */
function reasonOf(error) {
    if (typeof error !== 'object' || error === null)
        return String(error);
    // Several addresses were tried: Node wraps what each of them said, and gives the wrapper no text.
    const [first] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
    if (first !== undefined)
        return reasonOf(first);
    return 'message' in error ? String(error.message) : 'unknown';
}


/***/ })

};
