export const id = 4744;
export const ids = [4744];
export const modules = {

/***/ 37940:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EL: () => (/* binding */ bucketName),
/* harmony export */   HV: () => (/* binding */ last),
/* harmony export */   Oh: () => (/* binding */ MACHINE_ACCOUNT),
/* harmony export */   XP: () => (/* binding */ accountOf),
/* harmony export */   d_: () => (/* binding */ LABEL),
/* harmony export */   hv: () => (/* binding */ groupName),
/* harmony export */   qY: () => (/* binding */ FACTS),
/* harmony export */   u2: () => (/* binding */ twinName)
/* harmony export */ });
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(82260);

/** On machines and disks, and on the template, which stands for its group because groups have no labels. */
const LABEL = { id: 'tpi-id', incarnation: 'tpi-incarnation', name: 'tpi-name', mode: 'tpi-mode' };
/** All facts of a deployment, in the metadata of its template. */
const FACTS = 'tpi-facts';
/**
 * Name of the group and the template, and prefix of the machines' names: 58 characters, to which the vendor adds five.
 * https://cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers (baseInstanceName)
 */
const groupName = (of) => (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .shortName */ .EU)(of, MOST);
const MOST = 58;
/** The group at the full price beside a spot group (`spot: prefer`). Its template and its autoscaler have the same name. */
const twinName = (of) => `${(0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .shortName */ .EU)(of, MOST - TWIN.length)}${TWIN}`;
const TWIN = '-on-demand';
/** Made once for a project: the service account of machines unless the user names another. */
const MACHINE_ACCOUNT = 'tpi-machine';
const accountOf = (project) => {
    // A project of a domain has the form `example.com:name`.
    const [name = '', domain] = project.split(':').reverse();
    return `${MACHINE_ACCOUNT}@${name}.${domain === undefined ? '' : `${domain}.`}iam.gserviceaccount.com`;
};
/** One for each project and region. Names of buckets are global, so the owner is checked before the bucket is used. */
const bucketName = (project, region) => `tpi-${project.replace(/[^a-z0-9-]/g, '-')}-${region}`;
/** The last part of a URL: a zone, a machine, a type. */
const last = (url) => (url ?? '').split('/').at(-1) ?? '';


/***/ }),

/***/ 4744:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MACHINE_LEAVE: () => (/* binding */ MACHINE_LEAVE),
/* harmony export */   MACHINE_ROLES: () => (/* binding */ MACHINE_ROLES),
/* harmony export */   MACHINE_STORE: () => (/* binding */ MACHINE_STORE),
/* harmony export */   RIGHTS: () => (/* binding */ RIGHTS),
/* harmony export */   besidesLines: () => (/* binding */ besidesLines),
/* harmony export */   callerPermissions: () => (/* binding */ callerPermissions),
/* harmony export */   permissionsText: () => (/* binding */ permissionsText)
/* harmony export */ });
/* harmony import */ var _lib_google_login_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(84121);
/* harmony import */ var _vm_data_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(58527);
/* harmony import */ var _vm_permissions_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(36371);
/* harmony import */ var _vm_settings_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(64519);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(37940);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(51159);






/** https://cloud.google.com/compute/docs/access/iam-permissions · https://cloud.google.com/storage/docs/access-control/iam-json */
const RIGHTS = [
    {
        why: 'the project and its quotas; types, images and networks: none of these can be limited to those of tpi',
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
        why: 'what machines are made from',
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
        why: 'with "spot: prefer", what starts machines at the full price once the work has waited for others',
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
        why: 'a rule by which machines of a run that has several reach each other',
        page: 'https://cloud.google.com/compute/docs/reference/rest/v1/firewalls/insert#iam-permissions',
        permissions: {
            'compute.firewalls.create': ['compute:firewalls.insert'],
            'compute.firewalls.delete': ['compute:firewalls.delete'],
            'compute.firewalls.get': ['compute:firewalls.get'],
            'compute.globalOperations.get': ['compute:globalOperations.wait'],
            'compute.networks.updatePolicy': [],
        },
        without: 'a rule of your network has to let them',
    },
    {
        why: 'machines, and why they went',
        permissions: {
            'compute.instances.list': ['compute:instances.aggregatedList'],
            'compute.instances.getSerialPortOutput': ['compute:instances.getSerialPortOutput'],
            'compute.globalOperations.list': ['compute:globalOperations.aggregatedList'],
        },
    },
    {
        why: 'a template and a group are checked as if the caller made their machines',
        page: 'https://cloud.google.com/compute/docs/instance-templates/create-instance-templates#permissions',
        permissions: Object.fromEntries([
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
        ].map((name) => [name, []])),
    },
    {
        why: 'the bucket of the project and region, made once',
        permissions: { 'storage.buckets.create': ['storage:buckets.insert'], 'storage.buckets.get': ['storage:buckets.get'] },
        without: 'an administrator makes it once, or you name another one: --storage gs://BUCKET/PREFIX',
    },
    {
        why: 'the buckets of other regions, for what a start has left there that was killed before its group was made',
        permissions: { 'storage.buckets.list': ['storage:buckets.list'] },
        without: 'sweep looks into the one of its region',
    },
    {
        why: 'work directories, checkpoints, logs',
        page: 'https://cloud.google.com/storage/docs/access-control/iam-json',
        permissions: Object.fromEntries(['storage.objects.create', 'storage.objects.delete', 'storage.objects.get', 'storage.objects.list'].map((name) => [name, []])),
    },
];
/** The rights of a machine: to use the store, and to leave its own group. */
const MACHINE_STORE = ['storage.objects.create', 'storage.objects.delete', 'storage.objects.get', 'storage.objects.list'];
const MACHINE_LEAVE = [
    // To postpone, start and end machines at the full price, which wait beside spot machines (`spot: prefer`).
    'compute.autoscalers.delete',
    'compute.autoscalers.update',
    'compute.instanceGroupManagers.get',
    'compute.instanceGroupManagers.update',
    'compute.instanceGroupManagers.use',
    'compute.instances.delete',
    // To see whether it was done: https://docs.cloud.google.com/compute/docs/api/how-tos/api-requests-responses#handling_api_responses
    'compute.regionOperations.get',
];
/** Only tpi's buckets. https://cloud.google.com/storage/docs/access-control/iam#conditions */
const STORE_CONDITION = 'resource.name.startsWith("projects/_/buckets/tpi-")';
/**
 * A condition cannot tell groups and autoscalers apart, but it can tell machines apart.
 * https://cloud.google.com/iam/docs/conditions-resource-attributes#resource-name
 */
const LEAVE_CONDITION = 'resource.type != "compute.googleapis.com/Instance" || resource.name.extract("/instances/{name}").startsWith("tpi-")';
const MACHINE_ROLES = [
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
];
/** The role for buckets that machines read by `data`: it allows listing and reading. */
const READER = 'roles/storage.objectViewer';
/** The role for the repository of the image that the program runs in. */
const IMAGE_READER = 'roles/artifactregistry.reader';
const callerPermissions = () => RIGHTS.flatMap(({ permissions }) => Object.keys(permissions)).sort();
const APIS = ['compute', 'iam', 'storage', 'cloudbilling', 'cloudresourcemanager'].map((name) => `${name}.googleapis.com`);
/** Lines for a shell, the same as Terraform, and the reason before each right. */
function permissionsText(values, env) {
    const { project = (0,_lib_google_login_js__WEBPACK_IMPORTED_MODULE_0__/* .projectOf */ .v8)(env) ?? 'PROJECT' } = (0,_settings_js__WEBPACK_IMPORTED_MODULE_4__/* .settingsOf */ .f)({ values, env });
    const reasons = RIGHTS.map(({ permissions, ...reason }) => [`#   ${Object.keys(permissions).join(' ')}`, `#     ${(0,_vm_permissions_js__WEBPACK_IMPORTED_MODULE_5__/* .rightText */ .C)(reason)}`].join('\n'));
    return `${[
        `# Once for project ${project}. CALLER is the account that runs tpi: user:…, serviceAccount:… or principalSet:…`,
        '# What the caller needs, and why:',
        ...reasons,
        `#   iam.serviceAccounts.actAs on ${_names_js__WEBPACK_IMPORTED_MODULE_3__/* .MACHINE_ACCOUNT */ .Oh} alone`,
        '#     machines are that service account',
        '',
        ...shellLines(project),
        ...besidesLines(project, values),
        '',
        '# The same as Terraform:',
        terraform(project, values),
    ].join('\n')}\n`;
}
function shellLines(project) {
    const account = (0,_names_js__WEBPACK_IMPORTED_MODULE_3__/* .accountOf */ .XP)(project);
    const role = (id, title, permissions) => `gcloud iam roles create ${id} --project=${project} --title="${title}" --permissions=${permissions.join(',')}`;
    const bind = (member, id, condition) => `gcloud projects add-iam-policy-binding ${project} --member=${member} --role=projects/${project}/roles/${id} --condition=${condition}`;
    const where = (title, expression) => `'^;^title=${title};expression=${expression}'`;
    return [
        `gcloud services enable ${APIS.join(' ')} --project=${project}`,
        role('tpiCaller', 'tpi: who runs it', callerPermissions()),
        bind('CALLER', 'tpiCaller', 'None'),
        `gcloud iam service-accounts create ${_names_js__WEBPACK_IMPORTED_MODULE_3__/* .MACHINE_ACCOUNT */ .Oh} --project=${project} --display-name="machines of tpi"`,
        ...MACHINE_ROLES.flatMap(({ id, title, permissions, condition }) => [
            role(id, title, permissions),
            bind(`serviceAccount:${account}`, id, where(condition.title, condition.expression)),
        ]),
        `gcloud iam service-accounts add-iam-policy-binding ${account} --project=${project} --member=CALLER --role=roles/iam.serviceAccountUser`,
    ];
}
/** Lines for the other places that machines read, each in its own scope. */
function besidesLines(project, values) {
    const repository = repositoryOf(values);
    return [
        ...bucketsOf(values).map((bucket) => `gcloud storage buckets add-iam-policy-binding gs://${bucket} --member=serviceAccount:${(0,_names_js__WEBPACK_IMPORTED_MODULE_3__/* .accountOf */ .XP)(project)} --role=${READER}`),
        ...(repository
            ? [
                `gcloud artifacts repositories add-iam-policy-binding ${repository.name} --location=${repository.location} --project=${repository.project} --member=serviceAccount:${(0,_names_js__WEBPACK_IMPORTED_MODULE_3__/* .accountOf */ .XP)(project)} --role=${IMAGE_READER}`,
            ]
            : []),
    ];
}
const bucketsOf = (values) => (0,_vm_data_js__WEBPACK_IMPORTED_MODULE_1__/* .hostsOf */ .PP)((0,_settings_js__WEBPACK_IMPORTED_MODULE_4__/* .settingsOf */ .f)({ values, env: {} }).data);
/** `LOCATION-docker.pkg.dev/PROJECT/REPOSITORY/IMAGE`: the repository of the user's image. */
function repositoryOf(values) {
    const image = (0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_2__/* .textOf */ .b6)(values['container']) ?? '';
    const [, location, project, name] = /^([a-z0-9-]+)-docker\.pkg\.dev\/([^/]+)\/([^/]+)\/./.exec(image) ?? [];
    return location && project && name ? { location, project, name } : undefined;
}
function terraform(project, values) {
    const repository = repositoryOf(values);
    // They need the API of IAM.
    const after = '\n  depends_on = [google_project_service.tpi]';
    const role = (id, title, permissions) => `resource "google_project_iam_custom_role" "${id}" {
  project     = "${project}"
  role_id     = "${id}"
  title       = "${title}"
  permissions = ${JSON.stringify(permissions)}
${after}
}`;
    const bind = (name, id, member, condition) => `resource "google_project_iam_member" "${name}" {
  project = "${project}"
  role    = google_project_iam_custom_role.${id}.id
  member  = ${member}${condition === undefined
        ? ''
        : `
  condition {
    title      = "${condition.title}"
    expression = ${JSON.stringify(condition.expression)}
  }`}
}`;
    const machine = 'google_service_account.tpi_machine.member';
    return [
        'variable "caller" { type = string }',
        `resource "google_project_service" "tpi" {
  for_each           = toset(${JSON.stringify(APIS)})
  project            = "${project}"
  service            = each.value
  disable_on_destroy = false
}`,
        role('tpiCaller', 'tpi: who runs it', callerPermissions()),
        bind('tpi_caller', 'tpiCaller', 'var.caller'),
        `resource "google_service_account" "tpi_machine" {
  project    = "${project}"
  account_id = "${_names_js__WEBPACK_IMPORTED_MODULE_3__/* .MACHINE_ACCOUNT */ .Oh}"
${after}
}`,
        ...MACHINE_ROLES.flatMap(({ id, title, permissions, condition }) => [
            role(id, title, permissions),
            bind(id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), id, machine, condition),
        ]),
        `resource "google_service_account_iam_member" "tpi_caller" {
  service_account_id = google_service_account.tpi_machine.name
  role               = "roles/iam.serviceAccountUser"
  member             = var.caller
}`,
        ...bucketsOf(values).map((bucket, at) => `resource "google_storage_bucket_iam_member" "tpi_data_${at}" {
  bucket = "${bucket}"
  role   = "${READER}"
  member = ${machine}
}`),
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
    ].join('\n');
}


/***/ }),

/***/ 51159:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   f: () => (/* binding */ settingsOf),
/* harmony export */   i: () => (/* binding */ REGIONS)
/* harmony export */ });
/* harmony import */ var _vm_settings_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(64519);

const REGIONS = {
    vendor: 'Google Cloud',
    // The regions that TPI used for these names, without its zones: a group uses all zones of a region.
    generic: { 'us-east': 'us-east1', 'us-west': 'us-west1', 'eu-north': 'europe-north1', 'eu-west': 'europe-west1' },
    native: /^([a-z]+-[a-z]+\d+)(-[a-z])?$/,
    such: 'us-central1 or us-central1-b',
};
/** File systems of Filestore are named by address. https://docs.cloud.google.com/filestore/docs/mounting-fileshares */
const MOUNTS = { such: '10.0.0.2:/share1:/data (Filestore)' };
const DATA = { url: /^gs:\/\/[a-z0-9][a-z0-9._-]{1,220}[a-z0-9](?:\/[^\s?#%]*)?$/, such: 'gs://BUCKET/PREFIX' };
/** The region if nothing names one, not even a setting that the vendor's own tools read. */
const USUAL = 'us-central1';
/** `at`: which of several regions. */
function settingsOf({ values, env }, at) {
    const surroundings = env['GOOGLE_CLOUD_REGION'] || env['CLOUDSDK_COMPUTE_REGION'] || env['CLOUDSDK_COMPUTE_ZONE'];
    return {
        ...(0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .vmSettings */ .Z)({ regions: REGIONS, mounts: MOUNTS, data: DATA, usual: surroundings || USUAL }, values, at),
        ...(0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .textsOf */ .CB)(values, { project: 'gcp-project', network: 'network', subnetwork: 'subnetwork' }),
    };
}


/***/ }),

/***/ 84121:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  p3: () => (/* binding */ googleLogin),
  DQ: () => (/* binding */ loginOf),
  v8: () => (/* binding */ projectOf)
});

// UNUSED EXPORTS: GoogleFault

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: ./build/js/lib/login-fault.js
var login_fault = __webpack_require__(20850);
// EXTERNAL MODULE: ./build/js/lib/shape.js
var lib_shape = __webpack_require__(29611);
;// CONCATENATED MODULE: ./build/js/lib/google/metadata.js
/**
 * The metadata service of a machine of Google Cloud. Light: machines use it too.
 * https://docs.cloud.google.com/compute/docs/metadata/querying-metadata
 */

/** Milliseconds: the service is on the same host; without one, nothing answers. */
const PATIENCE = 2_000;
/** Seconds after which a service that was asked to wait for a change answers in any case, and milliseconds until it counts as silent then. */
const WAIT = 60;
const WAITING = 65_000;
/** Characters of an answer. */
const MOST = 1 << 20;
const OURS = 'http://169.254.169.254';
const lentToken = (0,lib_shape/* object */.Ik)({ access_token: (0,lib_shape/* line */.n8)(65_536), expires_in: (0,lib_shape/* count */.U9)(1e6) });
/** A token as its lender gives it: valid for some seconds from now. */
function tokenIn(json) {
    const { access_token: token, expires_in: seconds } = lentToken(JSON.parse(json));
    return { credentials: { token }, until: new Date(Date.now() + seconds * 1000).toISOString() };
}
class GoogleMetadata {
    #endpoint;
    /** `endpoint`: the variable `GCE_METADATA_HOST` of Google's own clients has no scheme. */
    constructor(endpoint = OURS) {
        this.#endpoint = (endpoint.includes('://') ? endpoint : `http://${endpoint}`).replace(/\/+$/, '');
    }
    /** What is at `/computeMetadata/v1/<path>`; `undefined` if there is no such thing, perhaps not yet. Throws while nothing answers. */
    async get(path, signal) {
        return (await this.#ask(path, {}, AbortSignal.timeout(PATIENCE), signal))?.text;
    }
    /** The same, as soon as it differs from the known state, or after a minute. */
    async changed(path, { etag }, signal) {
        const query = { wait_for_change: 'true', timeout_sec: String(WAIT), last_etag: etag };
        return await this.#ask(path, query, AbortSignal.timeout(WAITING), signal);
    }
    /** A token of the machine's service account. Throws if it has none. */
    async token(signal) {
        const json = await this.get('instance/service-accounts/default/token', signal);
        if (json === undefined)
            throw new Error('metadata service: this machine has no service account');
        return tokenIn(json);
    }
    async #ask(path, query, limit, signal) {
        const either = signal ? AbortSignal.any([signal, limit]) : limit;
        const search = new URLSearchParams(query).toString();
        const url = `${this.#endpoint}/computeMetadata/v1/${path}${search && `?${search}`}`;
        const answer = await fetch(url, { headers: { 'metadata-flavor': 'Google' }, redirect: 'error', signal: either });
        const text = await answer.text();
        // Another server at that address does not send this header.
        if (answer.headers.get('metadata-flavor') !== 'Google')
            throw new Error(`metadata service: the answer is not from Google`);
        if (answer.status === 404)
            return undefined;
        if (!answer.ok)
            throw new Error(`metadata service: ${path} answers ${answer.status}`);
        if (text.length > MOST)
            throw new Error(`metadata service: ${path} has more than ${MOST} characters`);
        return { text, etag: answer.headers.get('etag') ?? '0' };
    }
}

;// CONCATENATED MODULE: ./build/js/lib/google/exchange.js
/** Tokens for what a credential file of Google says, one way for each type of file (https://google.aip.dev/auth). */






class GoogleFault extends login_fault/* LoginFault */.u {
    name = 'GoogleFault';
}
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const TOKEN_URI = 'https://oauth2.googleapis.com/token';
/** Milliseconds for one answer. */
const exchange_PATIENCE = 20_000;
/** Seconds: the longest that Google lends for without being asked to. */
const HOUR = 3600;
const exchange_long = (0,lib_shape/* line */.n8)(8192);
/** By the `type` of the file. */
const TYPES = {
    service_account: serviceAccount,
    authorized_user: authorizedUser,
    external_account: externalAccount,
    impersonated_service_account: impersonated,
};
/** Throws GoogleFault if it is not such a file. Makes no call yet. */
function loginOfFile(content) {
    const file = parsed(content);
    const { type = '' } = shaped((0,lib_shape/* object */.Ik)({ type: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(64)) }), file);
    const make = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (!make)
        throw new GoogleFault(true, `its type is "${type}"; allowed: ${Object.keys(TYPES).join(', ')}`);
    return make(file);
}
const serviceAccountShape = (0,lib_shape/* object */.Ik)({
    client_email: (0,lib_shape/* line */.n8)(512),
    private_key: (0,lib_shape/* text */.Qq)(65_536),
    private_key_id: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(512)),
    token_uri: (0,lib_shape/* maybe */.no)(exchange_long),
    project_id: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(256)),
});
/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest: an assertion that the key signs. */
function serviceAccount(value) {
    const file = shaped(serviceAccountShape, value);
    const uri = address(file.token_uri ?? TOKEN_URI);
    return {
        who: `the service account ${file.client_email}`,
        email: file.client_email,
        ...(file.project_id && { project: file.project_id }),
        portable: true,
        lend: async () => {
            const assertion = signed(file, uri.href);
            return tokenOf(await post(uri, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }));
        },
    };
}
function signed({ client_email: iss, private_key: key, private_key_id: kid }, aud) {
    const now = Math.floor(Date.now() / 1000);
    const part = (what) => Buffer.from(JSON.stringify(what)).toString('base64url');
    const head = part({ alg: 'RS256', typ: 'JWT', ...(kid && { kid }) });
    const body = `${head}.${part({ iss, scope: SCOPE, aud, iat: now, exp: now + HOUR })}`;
    try {
        return `${body}.${(0,external_node_crypto_.createSign)('RSA-SHA256').update(body).sign(key, 'base64url')}`;
    }
    catch (cause) {
        throw new GoogleFault(true, 'its "private_key" is not an RSA key in PEM format', { cause });
    }
}
const authorizedUserShape = (0,lib_shape/* object */.Ik)({
    client_id: exchange_long,
    client_secret: exchange_long,
    refresh_token: exchange_long,
    token_uri: (0,lib_shape/* maybe */.no)(exchange_long),
    quota_project_id: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(256)),
});
/** https://developers.google.com/identity/protocols/oauth2/web-server#offline: what `gcloud auth application-default login` leaves. */
function authorizedUser(value) {
    const { token_uri: uri = TOKEN_URI, quota_project_id: project, ...fields } = shaped(authorizedUserShape, value);
    const url = address(uri);
    return {
        who: 'the user who has signed in with gcloud',
        ...(project && { project }),
        portable: true,
        lend: async () => tokenOf(await post(url, { ...fields, grant_type: 'refresh_token' })),
    };
}
const externalAccountShape = (0,lib_shape/* object */.Ik)({
    audience: exchange_long,
    subject_token_type: exchange_long,
    token_url: exchange_long,
    service_account_impersonation_url: (0,lib_shape/* maybe */.no)(exchange_long),
    credential_source: (0,lib_shape/* object */.Ik)({
        file: (0,lib_shape/* maybe */.no)(exchange_long),
        url: (0,lib_shape/* maybe */.no)(exchange_long),
        headers: (0,lib_shape/* maybe */.no)((0,lib_shape/* dictionary */.zz)((0,lib_shape/* line */.n8)(256), exchange_long, 32)),
        format: (0,lib_shape/* maybe */.no)((0,lib_shape/* object */.Ik)({ type: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(16)), subject_token_field_name: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(256)) })),
    }),
});
/**
 * Workload identity federation (https://google.aip.dev/auth/4117): exchanges a token of an issuer whom Google trusts for one of Google's,
 * and that for one of a service account, if the file names one.
 */
function externalAccount(value) {
    const file = shaped(externalAccountShape, value);
    const { file: path, url } = file.credential_source;
    if (!path && !url)
        throw new GoogleFault(true, 'its "credential_source" names neither "file" nor "url": tokens of programs and of AWS are not supported');
    const sts = address(file.token_url);
    const onward = file.service_account_impersonation_url;
    const email = onward && accountIn(onward);
    return {
        who: `workload identity federation${email ? ` as ${email}` : ''}`,
        ...(email && { email }),
        portable: false,
        lend: async () => {
            const form = {
                grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
                audience: file.audience,
                scope: SCOPE,
                requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
                subject_token: await subjectToken(file.credential_source),
                subject_token_type: file.subject_token_type,
            };
            const lent = tokenOf(await post(sts, form));
            return onward ? await impersonate(address(onward), lent.credentials.token) : lent;
        },
    };
}
async function subjectToken({ file, url, headers, format }) {
    const said = file
        ? await (0,promises_.readFile)(file, 'utf8').catch((cause) => {
            throw new GoogleFault(true, `the token file "${file}" cannot be read`, { cause });
        })
        : await ask(address(url ?? ''), { headers: headers ?? {} });
    if (format?.type !== 'json')
        return said.trim();
    const name = format.subject_token_field_name ?? '';
    const token = shaped((0,lib_shape/* dictionary */.zz)((0,lib_shape/* line */.n8)(1024), (0,lib_shape/* json */.Pq)(), 256), parsed(said))[name];
    if (typeof token === 'string' && token !== '')
        return token;
    throw new GoogleFault(true, `there is no token under "${name}" where its "credential_source" says`);
}
const impersonatedShape = (0,lib_shape/* object */.Ik)({ service_account_impersonation_url: exchange_long, source_credentials: (0,lib_shape/* json */.Pq)() });
/** `gcloud auth application-default login --impersonate-service-account`: one login that may speak for another. */
function impersonated(value) {
    const { service_account_impersonation_url: url, source_credentials: source } = shaped(impersonatedShape, value);
    const own = loginOfFile(JSON.stringify(source));
    const onward = address(url);
    const email = accountIn(url);
    return {
        ...own,
        who: `${email ?? 'a service account'}, impersonated by ${own.who}`,
        ...(email && { email }),
        lend: async () => await impersonate(onward, (await own.lend()).credentials.token),
    };
}
const accountIn = (url) => /\/serviceAccounts\/([^/:]+):generateAccessToken$/.exec(url)?.[1];
const generated = (0,lib_shape/* object */.Ik)({ accessToken: (0,lib_shape/* line */.n8)(65_536), expireTime: lib_shape/* time */.kB });
/** https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
async function impersonate(url, token) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ scope: [SCOPE], lifetime: `${HOUR}s` });
    const { accessToken, expireTime } = shaped(generated, parsed(await ask(url, { method: 'POST', headers, body })));
    return { credentials: { token: accessToken }, until: expireTime };
}
function tokenOf(answer) {
    return shaped(tokenIn, answer);
}
/** Plain http only if nobody can listen: on this host, and to the metadata address of a cloud. */
function address(url) {
    const found = URL.canParse(url) ? new URL(url) : undefined;
    const near = found && /^(localhost|127(\.\d+){3}|\[::1\]|169\.254\.169\.254)$/.test(found.hostname);
    if (found?.protocol === 'https:' || (near && found?.protocol === 'http:'))
        return found;
    throw new GoogleFault(true, `it names "${(0,lib_text/* oneLine */.TN)(url).slice(0, 200)}", which is not an https address`);
}
async function post(url, form) {
    return await ask(url, { method: 'POST', body: new URLSearchParams(form) });
}
const refusal = (0,lib_shape/* object */.Ik)({ error: (0,lib_shape/* maybe */.no)((0,lib_shape/* json */.Pq)()), error_description: (0,lib_shape/* maybe */.no)((0,lib_shape/* text */.Qq)(4096)) });
const detail = (0,lib_shape/* object */.Ik)({ message: (0,lib_shape/* maybe */.no)((0,lib_shape/* text */.Qq)(4096)) });
async function ask(url, how) {
    const answer = await fetch(url, { ...how, redirect: 'error', signal: AbortSignal.timeout(exchange_PATIENCE) }).catch((cause) => {
        throw new GoogleFault(false, `${url.host} cannot be reached: ${reason(cause)}`, { cause });
    });
    const body = await answer.text().catch((cause) => {
        throw new GoogleFault(false, `the answer of ${url.host} was cut short`, { cause });
    });
    if (answer.ok)
        return body;
    const final = answer.status < 500 && answer.status !== 429 && answer.status !== 408;
    throw new GoogleFault(final, (0,lib_text/* oneLine */.TN)(`${url.host} answers ${answer.status}${said(body)}`));
}
/** OAuth says a word and a sentence, Google's other services a status with a message. */
function said(body) {
    try {
        const { error, error_description: more } = refusal(JSON.parse(body));
        const words = typeof error === 'string' ? [error, more] : [detail(error).message];
        return `: ${words.filter(Boolean).join(': ').slice(0, 300)}`;
    }
    catch {
        // A page from something in between: only its status is used.
        return '';
    }
}
function reason(error) {
    if (!(error instanceof Error))
        return String(error);
    return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
function parsed(content) {
    try {
        return JSON.parse(content);
    }
    catch {
        // The parser's own message would show a piece of it.
        throw new GoogleFault(true, 'it is not JSON');
    }
}
function shaped(shape, value) {
    try {
        return shape(value);
    }
    catch (error) {
        throw new GoogleFault(true, error instanceof lib_shape/* Misfit */.$C ? `of it, ${error.message}` : 'it is not JSON');
    }
}

;// CONCATENATED MODULE: ./build/js/lib/google/login.js
/**
 * The caller's identity for Google, first match: a token · what a variable contains · the file that one names · what gcloud has stored ·
 * the machine's own service account. The order is that of Google's clients
 * (https://docs.cloud.google.com/docs/authentication/application-default-credentials); before it what wins in `gcloud` and in other tools,
 * and in the predecessor of this program.
 */






const INLINE = ['GOOGLE_APPLICATION_CREDENTIALS_DATA', 'GOOGLE_CREDENTIALS'];
const TOKENS = ['CLOUDSDK_AUTH_ACCESS_TOKEN', 'GOOGLE_OAUTH_ACCESS_TOKEN'];
const PROJECTS = ['GOOGLE_CLOUD_PROJECT', 'CLOUDSDK_CORE_PROJECT', 'GCLOUD_PROJECT', 'GOOGLE_PROJECT'];
/** `undefined`: there is none here. Throws GoogleFault if one was set up that cannot be used: no other one is tried instead. */
async function googleLogin(env) {
    return ofToken(env) ?? ofVariable(env) ?? (await ofFile(env)) ?? (await ofGcloud(env)) ?? (await ofMachine(env));
}
/** The project to use: from the usual variables, otherwise the credential's own. */
function projectOf(env, login) {
    return first(env, PROJECTS)?.value ?? login?.project;
}
function ofVariable(env) {
    const found = first(env, INLINE);
    // Some tools take a path in the second one.
    if (!found?.value.trimStart().startsWith('{'))
        return undefined;
    return ofContent(found.value, found.name);
}
async function ofFile(env) {
    const path = env['GOOGLE_APPLICATION_CREDENTIALS'];
    if (!path)
        return undefined;
    const content = await (0,promises_.readFile)(path, 'utf8').catch((cause) => {
        throw new GoogleFault(true, `GOOGLE_APPLICATION_CREDENTIALS names "${path}", which cannot be read`, { cause });
    });
    return ofContent(content, 'GOOGLE_APPLICATION_CREDENTIALS');
}
function ofToken(env) {
    const found = first(env, TOKENS);
    if (!found)
        return undefined;
    return { who: `the token in ${found.name}`, lend: async () => ({ credentials: { token: found.value.trim() } }) };
}
async function ofGcloud(env) {
    const home = env['HOME'] ?? '';
    const folder = env['CLOUDSDK_CONFIG'] ?? ((0,external_node_path_.isAbsolute)(home) ? (0,external_node_path_.join)(home, '.config', 'gcloud') : undefined);
    if (folder === undefined)
        return undefined;
    const path = (0,external_node_path_.join)(folder, 'application_default_credentials.json');
    const content = await (0,promises_.readFile)(path, 'utf8').catch((error) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
            return undefined;
        throw new GoogleFault(true, `"${path}" cannot be read`, { cause: error });
    });
    return content === undefined ? undefined : ofContent(content, `"${path}"`);
}
/** Tried last, and silently: on any other computer nothing answers there. */
async function ofMachine(env) {
    if (env['NO_GCE_CHECK'] === 'true' || env['METADATA_SERVER_DETECTION'] === 'none')
        return undefined;
    const metadata = new GoogleMetadata(env['GCE_METADATA_HOST'] || undefined);
    const there = await metadata.token().then(() => true, () => false);
    if (!there)
        return undefined;
    const [email, project] = await Promise.all(['instance/service-accounts/default/email', 'project/project-id'].map((path) => metadata.get(path).catch(() => undefined)));
    return {
        who: `the service account ${email ?? ''} of this machine`.replace('  ', ' '),
        ...(email && { email }),
        ...(project && { project }),
        lend: async () => await metadata.token().catch((cause) => {
            throw new GoogleFault(false, (0,lib_text/* messageOf */.bD)(cause), { cause });
        }),
    };
}
/** The login for a credential that was sent here. */
function loginOf(content) {
    return ofContent(content, 'the storage');
}
function ofContent(content, where) {
    const named = (error) => {
        if (!(error instanceof GoogleFault))
            throw error;
        throw new GoogleFault(error.final, `the credential of ${where}: ${error.message}`, { cause: error });
    };
    const login = (() => {
        try {
            return loginOfFile(content);
        }
        catch (error) {
            return named(error);
        }
    })();
    const { portable, ...rest } = login;
    return {
        ...rest,
        who: `${login.who} (${where})`,
        ...(portable && { file: content }),
        lend: async () => await login.lend().catch((error) => named(error)),
    };
}
function first(env, names) {
    for (const name of names) {
        const value = env[name];
        if (value)
            return { name, value };
    }
    return undefined;
}


/***/ }),

/***/ 20850:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   u: () => (/* binding */ LoginFault)
/* harmony export */ });
/** Why a login of a vendor gives no token. `final`: refused or set up wrongly, so trying again does not help; otherwise out of reach for now. */
class LoginFault extends Error {
    final;
    constructor(final, message, options) {
        super(message, options);
        this.final = final;
    }
}


/***/ })

};
