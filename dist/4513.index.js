export const id = 4513;
export const ids = [4513,4158];
export const modules = {

/***/ 77541:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Dk: () => (/* binding */ TAG),
/* harmony export */   Ft: () => (/* binding */ isSame),
/* harmony export */   HV: () => (/* binding */ last),
/* harmony export */   Kf: () => (/* binding */ identityId),
/* harmony export */   MR: () => (/* binding */ CONTAINER),
/* harmony export */   SG: () => (/* binding */ SHARED),
/* harmony export */   XH: () => (/* binding */ MACHINE_IDENTITY),
/* harmony export */   hv: () => (/* binding */ groupName),
/* harmony export */   vi: () => (/* binding */ accountName)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(82260);
/** What our things are called and how they are found again: each by id and incarnation, so that nobody can touch another's. */


/** https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations: names take no `:` everywhere. */
const TAG = {
    id: 'tpi-id',
    incarnation: 'tpi-incarnation',
    name: 'tpi-name',
    mode: 'tpi-mode',
    /** ISO: nothing of it runs past it. */
    until: 'tpi-until',
    /** All that is to be known of a deployment, in pieces (`tags.ts`). */
    facts: 'tpi-facts-',
};
/**
 * Of the resource group and of all in it. A machine is called by it, `_` and eight characters more, and its host name has at most 64:
 * https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftcompute
 */
const groupName = (of) => (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_1__/* .shortName */ .EU)(of, 54);
/** Made once for a subscription: the storage accounts, and the identity that machines have unless the user names another. */
const SHARED = 'tpi-shared';
const MACHINE_IDENTITY = 'tpi-machine';
const identityId = (subscription) => `/subscriptions/${subscription}/resourceGroups/${SHARED}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${MACHINE_IDENTITY}`;
/** One for each subscription and region. Their names are the world's and have 24 letters and digits: it is looked up in our own group alone. */
function accountName(subscription, region) {
    const hash = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(`${subscription.toLowerCase()} ${region}`).digest('hex');
    return `tpi${hash.slice(0, 21)}`;
}
/** Of the deployments in such an account. */
const CONTAINER = 'tpi';
/** The last part of an id of the vendor's: a machine, a set, a zone. */
const last = (id) => (id ?? '').split('/').at(-1) ?? '';
/** Ids are alike whatever their case. https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules */
const isSame = (one, other) => one?.toLowerCase() === other?.toLowerCase();


/***/ }),

/***/ 24513:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DATA: () => (/* binding */ DATA),
/* harmony export */   FREE: () => (/* binding */ FREE),
/* harmony export */   MACHINE_ACTIONS: () => (/* binding */ MACHINE_ACTIONS),
/* harmony export */   PROVIDERS: () => (/* binding */ PROVIDERS),
/* harmony export */   RIGHTS: () => (/* binding */ RIGHTS),
/* harmony export */   actionOf: () => (/* binding */ actionOf),
/* harmony export */   callerActions: () => (/* binding */ callerActions),
/* harmony export */   permissionsText: () => (/* binding */ permissionsText)
/* harmony export */ });
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77541);
/* harmony import */ var _sdk_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(25561);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(39664);
/** The least rights that a caller needs, each with what it is for; and those of machines. The roles that are printed derive from these lists. */



const STORED = ['read', 'write', 'delete', 'add/action'].map((verb) => `Microsoft.Storage/storageAccounts/blobServices/containers/blobs/${verb}`);
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
        why: 'a resource group for each deployment',
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
        ],
        besides: [
            'Microsoft.Network/locations/operations/read',
            'Microsoft.Network/networkInterfaces/read',
            'Microsoft.Network/networkInterfaces/write',
            'Microsoft.Network/networkInterfaces/join/action',
            'Microsoft.Network/networkSecurityGroups/join/action',
            'Microsoft.Network/publicIPAddresses/read',
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
        why: 'what brings machines back, and ends all of them at the deadline',
        calls: ['settings.list', 'settings.get', 'settings.put', 'settings.patch', 'settings.delete'],
    },
    {
        why: 'the identity that machines have',
        calls: ['identities.get'],
        besides: ['Microsoft.ManagedIdentity/userAssignedIdentities/assign/action'],
        page: 'https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-configure-managed-identities-scale-sets',
    },
    {
        why: 'the storage account of the subscription and region, made once',
        calls: ['accounts.list', 'accounts.get', 'accounts.put', 'accounts.expiry', 'containers.get', 'containers.put'],
        without: 'an administrator makes it once, or you name another one: --storage az://ACCOUNT/CONTAINER',
    },
];
/** Calls that need no right of the subscription. */
const FREE = { 'subscriptions.list': 'it shows those that one may see' };
/** Work directories, checkpoints, logs: of the data itself, which no right of management includes. */
const DATA = STORED;
/** What a machine may do: reach the store, and leave its own group. */
const MACHINE_ACTIONS = [
    'Microsoft.Compute/virtualMachineScaleSets/read',
    'Microsoft.Compute/virtualMachines/delete',
    'Microsoft.Compute/virtualMachines/read',
    'Microsoft.Insights/autoscalesettings/read',
    'Microsoft.Insights/autoscalesettings/write',
];
const VERBS = { GET: '/read', PUT: '/write', PATCH: '/write', DELETE: '/delete', POST: '/action' };
/** By the rule that all providers keep to: the types of the path, and what the method does. */
function actionOf(name) {
    const [method, template] = _sdk_js__WEBPACK_IMPORTED_MODULE_1__/* .CALLS */ .q[name];
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
const PROVIDERS = [
    'Microsoft.Compute',
    'Microsoft.Network',
    'Microsoft.Insights',
    'Microsoft.ManagedIdentity',
    'Microsoft.Storage',
];

/** Lines for a shell, the same as Terraform, and the reason of each right before them. */
function permissionsText(values, env) {
    const { subscription = env['AZURE_SUBSCRIPTION_ID'] ?? 'SUBSCRIPTION', region } = (0,_settings_js__WEBPACK_IMPORTED_MODULE_2__/* .settingsOf */ .f)({ values, env });
    const reasons = RIGHTS.map(({ why, calls, besides = [], page, without }) => [
        `#   ${[...new Set([...calls.map(actionOf), ...besides])].sort().join(' ')}`,
        `#     ${why}${page === undefined ? '' : ` (${page})`}${without === undefined ? '' : `; without it, ${without}`}`,
    ].join('\n'));
    return `${[
        `# Once for subscription ${subscription}. CALLER is the object id of whoever runs tpi: az ad sp show --id CLIENT --query id,`,
        '# or of a person: az ad user show --id NAME --query id',
        '# What the caller needs, and why:',
        ...reasons,
        `#   ${DATA.join(' ')}`,
        '#     work directories, checkpoints, logs (rights to data, which no right of management includes)',
        '',
        ...shellLines(subscription, region),
        '',
        '# The same as Terraform:',
        terraform(subscription, region),
    ].join('\n')}\n`;
}
/** Names of roles are those of the whole tenant: https://learn.microsoft.com/azure/role-based-access-control/custom-roles#custom-role-properties */
function rolesOf(subscription) {
    const [short] = subscription.split('-');
    return { caller: `tpi caller ${short}`, machine: `tpi machine ${short}` };
}
function shellLines(subscription, region) {
    const scope = `/subscriptions/${subscription}`;
    const roles = rolesOf(subscription);
    const role = (name, description, actions) => {
        const said = { Name: name, Description: description, Actions: actions, DataActions: DATA, AssignableScopes: [scope] };
        return `az role definition create --role-definition '${JSON.stringify(said)}'`;
    };
    const assign = (who, name) => `az role assignment create --assignee-object-id ${who} --role "${name}" --scope ${scope}`;
    // Its kind must be said of one that is so new that the directory may not have heard of it.
    const machine = `"$(az identity show --ids ${(0,_names_js__WEBPACK_IMPORTED_MODULE_0__/* .identityId */ .Kf)(subscription)} --query principalId --output tsv)" --assignee-principal-type ServicePrincipal`;
    return [
        ...PROVIDERS.map((namespace) => `az provider register --subscription ${subscription} --namespace ${namespace}`),
        role(roles.caller, 'who runs tpi', callerActions()),
        assign('CALLER', roles.caller),
        `az group create --subscription ${subscription} --name ${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .SHARED */ .SG} --location ${region}`,
        `az identity create --subscription ${subscription} --resource-group ${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .SHARED */ .SG} --name ${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .MACHINE_IDENTITY */ .XH}`,
        role(roles.machine, 'machines of tpi: their storage, and leaving their group', MACHINE_ACTIONS),
        assign(machine, roles.machine),
    ];
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
  name     = "${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .SHARED */ .SG}"
  location = "${region}"
}`,
        `resource "azurerm_user_assigned_identity" "tpi_machine" {
  name                = "${_names_js__WEBPACK_IMPORTED_MODULE_0__/* .MACHINE_IDENTITY */ .XH}"
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
const COMPUTE = '2024-11-01';
const SKUS = '2021-07-01';
const GALLERY = '2024-03-03';
const NETWORK = '2024-05-01';
const AUTOSCALE = '2022-10-01';
const LOG = '2015-04-01';
const RESOURCES = '2021-04-01';
const IDENTITY = '2023-01-31';
const STORAGE = '2023-05-01';
const RIGHTS = '2022-04-01';
const S = 'subscriptions/{subscription}';
const G = `${S}/resourceGroups/{group}`;
const IN = `${G}/providers`;
const SET = `${IN}/Microsoft.Compute/virtualMachineScaleSets/{name}`;
const SETTING = `${IN}/Microsoft.Insights/autoscalesettings/{name}`;
const ACCOUNT = `${IN}/Microsoft.Storage/storageAccounts/{account}`;
const MARKET = `${S}/providers/Microsoft.Compute/locations/{location}/publishers/{publisher}/artifacttypes/vmimage/offers/{offer}/skus/{sku}/versions`;
/** `noun.verb` → how it is asked: method, path, version of that part of the API. */
const CALLS = {
    'subscriptions.list': ['GET', 'subscriptions', RESOURCES],
    'subscription.get': ['GET', S, RESOURCES],
    'providers.get': ['GET', `${S}/providers/{namespace}`, RESOURCES],
    'permissions.list': ['GET', `${S}/providers/Microsoft.Authorization/permissions`, RIGHTS],
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
    'sets.put': ['PUT', SET, COMPUTE],
    'sets.get': ['GET', SET, COMPUTE],
    'sets.patch': ['PATCH', SET, COMPUTE],
    'sets.delete': ['DELETE', SET, COMPUTE],
    'sets.list': ['GET', `${S}/providers/Microsoft.Compute/virtualMachineScaleSets`, COMPUTE],
    'machines.list': ['GET', `${IN}/Microsoft.Compute/virtualMachines`, COMPUTE],
    'machines.delete': ['DELETE', `${IN}/Microsoft.Compute/virtualMachines/{machine}`, COMPUTE],
    'machines.console': ['POST', `${IN}/Microsoft.Compute/virtualMachines/{machine}/retrieveBootDiagnosticsData`, COMPUTE],
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
/* harmony export */   f: () => (/* binding */ settingsOf),
/* harmony export */   i: () => (/* binding */ REGIONS)
/* harmony export */ });
/* harmony import */ var _vm_settings_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(74158);

/** The second group is the number of a zone: `westeurope-2`. */
const REGIONS = {
    vendor: 'Azure',
    // As TPI translated them.
    generic: { 'us-east': 'eastus', 'us-west': 'westus2', 'eu-north': 'northeurope', 'eu-west': 'westeurope' },
    native: /^([a-z]+\d?)(-[123])?$/,
    such: 'westeurope or westeurope-2',
};
/** Where nothing says which: what the vendor's own tools take is used before. */
const USUAL = 'eastus';
function settingsOf({ values, env }) {
    return {
        ...(0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .vmSettings */ .Z)(REGIONS, values, env['AZURE_DEFAULTS_LOCATION'] || env['AZURE_LOCATION'] || USUAL),
        ...(0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .textsOf */ .CB)(values, { subscription: 'azure-subscription', resourceGroup: 'resource-group', subnet: 'azure-subnet' }),
    };
}


/***/ }),

/***/ 28035:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ regionIn),
/* harmony export */   r: () => (/* binding */ faultsOfRegion)
/* harmony export */ });
/** `undefined`: no such name; `faultsOfRegion` says so. */
function regionIn({ generic, native }, text) {
    if (Object.hasOwn(generic, text))
        return { region: generic[text] ?? text };
    const [, region, zone] = native.exec(text) ?? [];
    if (region === undefined)
        return undefined;
    return zone === undefined ? { region } : { region, zone: text };
}
function faultsOfRegion(names, text) {
    if (text === undefined || regionIn(names, text))
        return [];
    const known = Object.keys(names.generic).join(', ');
    const message = `"${text}" is not a valid region of ${names.vendor}`;
    return [{ option: 'region', message, hint: `write ${known}, or a name such as ${names.such}` }];
}


/***/ }),

/***/ 74158:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CB: () => (/* binding */ textsOf),
/* harmony export */   Z: () => (/* binding */ vmSettings),
/* harmony export */   c3: () => (/* binding */ listOf)
/* harmony export */ });
/* unused harmony export textOf */
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _region_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(28035);


/** `usual`: the region where no option says which. */
function vmSettings(regions, values, usual) {
    const named = textOf(values['region']);
    const name = named ?? usual;
    const place = (0,_region_js__WEBPACK_IMPORTED_MODULE_1__/* .regionIn */ .U)(regions, name);
    const [fault] = (0,_region_js__WEBPACK_IMPORTED_MODULE_1__/* .faultsOfRegion */ .r)(regions, name);
    if (fault || !place)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz([{ option: 'region', ...fault, message: `region: ${fault?.message ?? 'not known'}` }]);
    const address = values['public-address'];
    return {
        ...place,
        named: named !== undefined,
        sudo: values['sudo'] !== false,
        ...((address === 'true' || address === 'false') && { publicAddress: address === 'true' }),
        ...textsOf(values, { customerKey: 'customer-key', storage: 'storage' }),
    };
}
function textOf(value) {
    return typeof value === 'string' && value !== '' ? value : undefined;
}
function listOf(value) {
    return Array.isArray(value) ? value : [];
}
/** Those of these options that were given. `names`: of a setting → of its option. */
function textsOf(values, names) {
    const given = Object.entries(names).flatMap(([setting, option]) => {
        const text = textOf(values[option]);
        return text === undefined ? [] : [[setting, text]];
    });
    return Object.fromEntries(given);
}


/***/ })

};
