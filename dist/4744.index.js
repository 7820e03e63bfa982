export const id = 4744;
export const ids = [4744,8475];
export const modules = {

/***/ 37940:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EL: () => (/* binding */ bucketName),
/* harmony export */   Oh: () => (/* binding */ MACHINE_ACCOUNT),
/* harmony export */   XP: () => (/* binding */ accountOf),
/* harmony export */   d_: () => (/* binding */ LABEL),
/* harmony export */   hv: () => (/* binding */ groupName),
/* harmony export */   qY: () => (/* binding */ FACTS),
/* harmony export */   u2: () => (/* binding */ twinName)
/* harmony export */ });
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(82260);
/* harmony import */ var _vm_names_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(70839);


/** Labels of machines and disks, and of templates: groups have none, so the template has those of its group. */
const LABEL = { id: 'tpi-id', incarnation: 'tpi-incarnation', name: 'tpi-name', mode: 'tpi-mode' };
/** All facts of a deployment, in the metadata of its template. */
const FACTS = 'tpi-facts';
/**
 * Name of the group and the template, and prefix of the machines' names: 58 characters, to which the vendor adds five.
 * https://cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers (baseInstanceName)
 */
const groupName = (of) => (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .shortName */ .EU)(of, MOST);
const MOST = 58;
/** The group at full price beside a spot group (`spot: prefer`). Its template and its autoscaler have the same name. */
const twinName = (of) => (0,_vm_names_js__WEBPACK_IMPORTED_MODULE_1__/* .shortTwinName */ .uE)(of, MOST);
/** Made once for a project: the service account of machines unless the user names another. */
const MACHINE_ACCOUNT = 'tpi-machine';
const accountOf = (project) => {
    // A project of a domain has the form `example.com:name`.
    const [name = '', domain] = project.split(':').reverse();
    return `${MACHINE_ACCOUNT}@${name}.${domain === undefined ? '' : `${domain}.`}iam.gserviceaccount.com`;
};
/** One for each project and region. Names of buckets are global, so the owner is checked before the bucket is used. */
const bucketName = (project, region) => `tpi-${project.replace(/[^a-z0-9-]/g, '-')}-${region}`;


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
/* harmony import */ var _lib_record_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(96645);
/* harmony import */ var _vendors_google_login_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5741);
/* harmony import */ var _vm_data_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(58527);
/* harmony import */ var _vm_permissions_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(36371);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(37940);
/* harmony import */ var _settings_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(51159);






/** The rights with which machines use the store, and callers too. */
const MACHINE_STORE = ['storage.objects.create', 'storage.objects.delete', 'storage.objects.get', 'storage.objects.list'];
/** https://cloud.google.com/compute/docs/access/iam-permissions · https://cloud.google.com/storage/docs/access-control/iam-json */
const RIGHTS = [
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
];
/** The rights with which a machine leaves its own group. */
const MACHINE_LEAVE = [
    // To postpone, start and end the twin (`spot: prefer`).
    'compute.autoscalers.delete',
    'compute.autoscalers.update',
    'compute.instanceGroupManagers.get',
    'compute.instanceGroupManagers.update',
    'compute.instanceGroupManagers.use',
    'compute.instances.delete',
    // To see whether a change was done: https://docs.cloud.google.com/compute/docs/api/how-tos/api-requests-responses#handling_api_responses
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
    const { project = (0,_vendors_google_login_js__WEBPACK_IMPORTED_MODULE_0__/* .projectOf */ .v8)(env) ?? 'PROJECT' } = (0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .settingsOf */ .f)({ values, env });
    const reasons = RIGHTS.map(({ permissions, ...reason }) => [`#   ${Object.keys(permissions).join(' ')}`, `#     ${(0,_vm_permissions_js__WEBPACK_IMPORTED_MODULE_4__/* .rightText */ .C)(reason)}`].join('\n'));
    return `${[
        `# Once for project ${project}. CALLER is the account that runs tpi: user:…, serviceAccount:… or principalSet:…`,
        '# What the caller needs, and why:',
        ...reasons,
        `#   iam.serviceAccounts.actAs on ${_names_js__WEBPACK_IMPORTED_MODULE_2__/* .MACHINE_ACCOUNT */ .Oh} alone`,
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
    const account = (0,_names_js__WEBPACK_IMPORTED_MODULE_2__/* .accountOf */ .XP)(project);
    const role = (id, title, permissions) => `gcloud iam roles create ${id} --project=${project} --title="${title}" --permissions=${permissions.join(',')}`;
    const bind = (member, id, condition) => `gcloud projects add-iam-policy-binding ${project} --member=${member} --role=projects/${project}/roles/${id} --condition=${condition}`;
    const where = (title, expression) => `'^;^title=${title};expression=${expression}'`;
    return [
        `gcloud services enable ${APIS.join(' ')} --project=${project}`,
        role('tpiCaller', 'tpi: who runs it', callerPermissions()),
        bind('CALLER', 'tpiCaller', 'None'),
        `gcloud iam service-accounts create ${_names_js__WEBPACK_IMPORTED_MODULE_2__/* .MACHINE_ACCOUNT */ .Oh} --project=${project} --display-name="machines of tpi"`,
        ...MACHINE_ROLES.flatMap(({ id, title, permissions, condition }) => [
            role(id, title, permissions),
            bind(`serviceAccount:${account}`, id, where(condition.title, condition.expression)),
        ]),
        `gcloud iam service-accounts add-iam-policy-binding ${account} --project=${project} --member=CALLER --role=roles/iam.serviceAccountUser`,
    ];
}
/** Lines for buckets and repositories that only this run's machines read: each gets its own permission. */
function besidesLines(project, values) {
    const repository = repositoryOf(values);
    return [
        ...bucketsOf(values).map((bucket) => `gcloud storage buckets add-iam-policy-binding gs://${bucket} --member=serviceAccount:${(0,_names_js__WEBPACK_IMPORTED_MODULE_2__/* .accountOf */ .XP)(project)} --role=${READER}`),
        ...(repository
            ? [
                `gcloud artifacts repositories add-iam-policy-binding ${repository.name} --location=${repository.location} --project=${repository.project} --member=serviceAccount:${(0,_names_js__WEBPACK_IMPORTED_MODULE_2__/* .accountOf */ .XP)(project)} --role=${IMAGE_READER}`,
            ]
            : []),
    ];
}
const bucketsOf = (values) => (0,_vm_data_js__WEBPACK_IMPORTED_MODULE_1__/* .hostsOf */ .PP)((0,_settings_js__WEBPACK_IMPORTED_MODULE_3__/* .settingsOf */ .f)({ values, env: {} }).data);
/** `LOCATION-docker.pkg.dev/PROJECT/REPOSITORY/IMAGE`: the repository of the user's image. */
function repositoryOf(values) {
    const image = (0,_lib_record_js__WEBPACK_IMPORTED_MODULE_5__/* .textOf */ .b6)(values['container']) ?? '';
    const [, location, project, name] = /^([a-z0-9-]+)-docker\.pkg\.dev\/([^/]+)\/([^/]+)\/./.exec(image) ?? [];
    return location && project && name ? { location, project, name } : undefined;
}
/** For what needs the API of IAM, which the first resource switches on. */
const AFTER = '\n  depends_on = [google_project_service.tpi]';
const terraformRole = (project, id, title, permissions) => `resource "google_project_iam_custom_role" "${id}" {
  project     = "${project}"
  role_id     = "${id}"
  title       = "${title}"
  permissions = ${JSON.stringify(permissions)}
${AFTER}
}`;
const terraformBinding = (project, name, id, member, condition) => `resource "google_project_iam_member" "${name}" {
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
function terraform(project, values) {
    const repository = repositoryOf(values);
    const machine = 'google_service_account.tpi_machine.member';
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
  account_id = "${_names_js__WEBPACK_IMPORTED_MODULE_2__/* .MACHINE_ACCOUNT */ .Oh}"
${AFTER}
}`,
        ...MACHINE_ROLES.flatMap(({ id, title, permissions, condition }) => [
            terraformRole(project, id, title, permissions),
            terraformBinding(project, id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), id, machine, condition),
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
/** The region if neither an option nor a variable of the vendor's own tools names one. */
const USUAL = 'us-central1';
/** `at`: which of several regions. */
function settingsOf({ values, env }, at) {
    const ofEnvironment = env['GOOGLE_CLOUD_REGION'] || env['CLOUDSDK_COMPUTE_REGION'] || env['CLOUDSDK_COMPUTE_ZONE'];
    return {
        ...(0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .vmSettings */ .Z)({ regions: REGIONS, mounts: MOUNTS, data: DATA, usual: ofEnvironment || USUAL }, values, at),
        ...(0,_vm_settings_js__WEBPACK_IMPORTED_MODULE_0__/* .textsOf */ .CB)(values, { project: 'gcp-project', network: 'network', subnetwork: 'subnetwork' }),
    };
}


/***/ }),

/***/ 58527:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DR: () => (/* binding */ warnOfFar),
/* harmony export */   PP: () => (/* binding */ hostsOf),
/* harmony export */   qu: () => (/* binding */ dataOf)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(40859);
/* harmony import */ var _wire_machine_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(65179);
/* harmony import */ var _folders_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(51998);




/** Throws InputError with everything that is wrong. `taken`: folders that are used for something else. */
function dataOf(vendor, names, written, taken) {
    const read = written.map((text) => sourceOf(vendor, names, text));
    const sources = read.filter((one) => 'url' in one);
    const faults = [...read.filter((one) => 'option' in one), ...(0,_folders_js__WEBPACK_IMPORTED_MODULE_2__/* .overlapFaults */ .vt)('data', [...sources.map(({ path }) => path), ...taken])];
    if (sources.length > _wire_machine_js__WEBPACK_IMPORTED_MODULE_1__/* .MOST_SOURCES */ .H8)
        faults.push({ option: 'data', message: `a machine fetches at most ${_wire_machine_js__WEBPACK_IMPORTED_MODULE_1__/* .MOST_SOURCES */ .H8} of them`, hint: 'give fewer' });
    if (faults.length > 0)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(faults);
    return sources;
}
function sourceOf(vendor, { url, such }, text) {
    const placed = (0,_folders_js__WEBPACK_IMPORTED_MODULE_2__/* .placedOf */ .hg)('data', text);
    if ('option' in placed)
        return placed;
    const { from, path } = placed;
    const segments = from.split('/').slice(3);
    if (url.test(from) && URL.canParse(from) && !segments.some((one) => one === '.' || one === '..'))
        return { url: from.replace(/\/+$/, ''), path };
    return {
        option: 'data',
        message: `"${from}" is not something that machines of ${vendor} can fetch with their identity`,
        hint: `write ${such}:/PATH`,
    };
}
/** Hosts of the buckets or storage accounts, each once. */
const hostsOf = (data) => [...new Set(data.map(({ url }) => new URL(url).host))];
/**
 * Warns of data in another region: each machine that starts pays for the traffic and takes longer. `locate`: the region of a bucket or
 * storage account, if the vendor tells it.
 */
async function warnOfFar({ data, region }, locate, log) {
    for (const host of hostsOf(data)) {
        const where = await locate(host).catch((error) => log.debug(`data: the region of ${host} is not known: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_3__/* .messageOf */ .bD)(error)}`));
        if (where && !isNear(where.toLowerCase(), region))
            log.warn(`data: ${host} is in ${where}, the machines are in ${region}: each machine that starts fetches it from there, and that traffic is charged`);
    }
}
/** Google also has buckets of a whole continent (`us`, `eu`, `asia`) or of two of its regions (`nam4`, `eur4`): they count as near all of its regions. */
function isNear(where, region) {
    if (where === region)
        return true;
    const continent = { us: 'us-', nam: 'us-', eu: 'europe-', eur: 'europe-', asia: 'asia-' }[where.replace(/\d+$/, '')];
    return continent !== undefined && region.startsWith(continent);
}


/***/ }),

/***/ 51998:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c$: () => (/* binding */ lengthFaults),
/* harmony export */   hg: () => (/* binding */ placedOf),
/* harmony export */   vt: () => (/* binding */ overlapFaults)
/* harmony export */ });
/**
 * Bytes of all texts together: they are part of the user-data, for which EC2, the strictest vendor, allows 16 KiB. So no single text is longer
 * than a machine accepts (4096).
 */
const MOST_TEXT = 4000;
const PATH = /^(?:\/[\w.-]+)+$/;
/** Folders of the system and of tpi. */
const TAKEN = /^\/(?:bin|boot|dev|efi|etc|home|lib\w*|proc|root|run|sbin|sys|tmp|usr|var)(?:\/|$)/;
function placedOf(option, text) {
    const [, from = '', path = ''] = /^(.+):(\/.*)$/.exec(text) ?? [];
    if (!PATH.test(path) || path.split('/').some((part) => part === '.' || part === '..'))
        return { option, message: `"${path}" of "${text}" is not a folder of a machine`, hint: 'write one such as /data or /mnt/data' };
    if (TAKEN.test(path))
        return { option, message: `${path} is the system's own`, hint: 'choose another folder, such as /data or /mnt/data' };
    return { from, path };
}
/** No folder may be inside another one, or be named twice. */
function overlapFaults(option, paths) {
    const twice = paths.find((path, at) => paths.some((other, where) => where !== at && `${other}/`.startsWith(`${path}/`)));
    return twice === undefined ? [] : [{ option, message: `more than one thing would be in ${twice}`, hint: 'give each a folder of its own' }];
}
/** `texts`: the values of each option, as the user wrote them. */
function lengthFaults(texts) {
    const given = Object.entries(texts).filter(([, all]) => all.length > 0);
    const sizes = given.map(([option, all]) => ({ option, size: Buffer.byteLength(JSON.stringify(all)) }));
    const size = sizes.reduce((sum, one) => sum + one.size, 0);
    const [largest] = sizes.toSorted((one, other) => other.size - one.size);
    if (size <= MOST_TEXT || !largest)
        return [];
    const options = sizes.map(({ option }) => option).join(' and ');
    const are = sizes.length === 1 ? 'is' : 'are together';
    const message = `${options} ${are} ${size} bytes long, and a machine can be told at most ${MOST_TEXT}`;
    return [{ option: largest.option, message, hint: 'give fewer of them, or shorter folders' }];
}


/***/ }),

/***/ 70839:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   HV: () => (/* binding */ last),
/* harmony export */   Nl: () => (/* binding */ TWIN),
/* harmony export */   uE: () => (/* binding */ shortTwinName)
/* harmony export */ });
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(82260);

/** End of the name of a twin (`spot: prefer`). */
const TWIN = '-on-demand';
/** `most`: characters. */
const shortTwinName = (of, most) => `${(0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .shortName */ .EU)(of, most - TWIN.length)}${TWIN}`;
/** The last part of a URL or an id: a zone, a machine, a type. */
const last = (id) => (id ?? '').split('/').at(-1) ?? '';


/***/ }),

/***/ 36371:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C: () => (/* binding */ rightText),
/* harmony export */   q: () => (/* binding */ lackingCheck)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(40859);

function rightText({ why, page, without }) {
    return `${why}${page === undefined ? '' : ` (${page})`}${without === undefined ? '' : `; without it, ${without}`}`;
}
/** Missing rights that a run can do without are no fault: the check says what they mean. */
function lackingCheck({ cloud, missing, needed = missing, rights, namesOf }) {
    const spared = rights.filter((right) => right.without !== undefined && namesOf(right).some((name) => missing.includes(name)));
    const sparedNames = spared.flatMap(namesOf);
    const denied = needed.some((name) => !sparedNames.includes(name));
    const says = [`you lack ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .listed */ .KE)(missing, 'and')}`, ...spared.map(({ why, without }) => `${why}: without it, ${without}`)].join('; ');
    const hint = `tpi permissions ${cloud} prints what is needed, and why`;
    return { what: 'permissions', state: denied ? 'denied' : 'warning', says, hint };
}


/***/ }),

/***/ 28035:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ug: () => (/* binding */ regionIn),
/* harmony export */   rX: () => (/* binding */ faultsOfRegion),
/* harmony export */   th: () => (/* binding */ regionTexts)
/* harmony export */ });
/** `undefined`: there is no such region; `faultsOfRegion` says so. */
function regionIn({ generic, native }, text) {
    if (Object.hasOwn(generic, text))
        return { region: generic[text] ?? text };
    const [, region, zone] = native.exec(text) ?? [];
    if (region === undefined)
        return undefined;
    return zone === undefined ? { region } : { region, zone: text };
}
/** The regions that were named: as the option's list, or as a request has them, separated by commas (`MachineRequest.region`). */
function regionTexts(value) {
    const texts = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : [];
    return texts.map((text) => text.trim()).filter((text) => text !== '');
}
/** `value`: the option's value. */
function faultsOfRegion(names, value) {
    if (value === '')
        return [unknownRegion(names, value)];
    const before = new Map();
    return regionTexts(value).flatMap((text) => {
        const region = regionIn(names, text)?.region;
        if (region === undefined)
            return [unknownRegion(names, text)];
        const other = before.get(region);
        before.set(region, text);
        if (other === undefined)
            return [];
        return [{ option: 'region', message: `"${other}" and "${text}" are both in ${region}`, hint: 'name each region once' }];
    });
}
function unknownRegion({ generic, vendor, such }, text) {
    const known = Object.keys(generic).join(', ');
    return { option: 'region', message: `"${text}" is not a valid region of ${vendor}`, hint: `write ${known}, or a name such as ${such}` };
}


/***/ }),

/***/ 64519:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  c3: () => (/* binding */ listOf),
  CB: () => (/* binding */ textsOf),
  Z: () => (/* binding */ vmSettings)
});

// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/lib/record.js
var record = __webpack_require__(96645);
// EXTERNAL MODULE: ./build/js/clouds/vm/data.js
var vm_data = __webpack_require__(58527);
// EXTERNAL MODULE: ./build/js/clouds/vm/folders.js
var folders = __webpack_require__(51998);
// EXTERNAL MODULE: ./build/js/wire/machine.js
var machine = __webpack_require__(65179);
;// CONCATENATED MODULE: ./build/js/clouds/vm/mounts.js
/** `mount`: the user's text → network file systems, in the form in which a machine mounts them. */



const NFS = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][\w.-]*):\/\S*$/;
/** https://doc.lustre.org/lustre_manual.xhtml#mount.lustre.8 : several servers are separated by colons. */
const LUSTRE = /^[A-Za-z0-9][\w.-]*@(?:tcp|o2ib)\d*(?::[A-Za-z0-9][\w.-]*@(?:tcp|o2ib)\d*)*:\/[\w.-]+$/;
/** Throws InputError with everything that is wrong. `region`: where the machines are. */
function mountsOf(vendor, names, written, region) {
    const read = written.map((text) => mountOf(vendor, names, text, region));
    const mounts = read.filter((one) => 'source' in one);
    const faults = [
        ...read.filter((one) => 'option' in one),
        ...(0,folders/* overlapFaults */.vt)('mount', mounts.map(({ path }) => path)),
    ];
    if (mounts.length > machine/* MOST_SOURCES */.H8)
        faults.push({ option: 'mount', message: `a machine mounts at most ${machine/* MOST_SOURCES */.H8} file systems`, hint: 'give fewer' });
    if (faults.length > 0)
        throw new errors/* InputError */.dz(faults);
    return mounts;
}
function mountOf(vendor, { such, own, source, options }, text, region) {
    const placed = (0,folders/* placedOf */.hg)('mount', text);
    if ('option' in placed)
        return placed;
    const { from, path } = placed;
    const found = own?.exec(from);
    if (found && source)
        return { source: source(found, region), path, type: 'nfs', options: ['hard', options].filter(Boolean).join(',') };
    if (LUSTRE.test(from))
        return { source: from, path, type: 'lustre', options: 'relatime,flock' };
    if (NFS.test(from))
        return { source: from, path, type: 'nfs', options: 'hard' };
    return {
        option: 'mount',
        message: `"${from}" is not a file system that machines of ${vendor} can mount`,
        hint: `write HOST:/EXPORT:/PATH, HOST@tcp:/NAME:/PATH, or ${such}`,
    };
}

// EXTERNAL MODULE: ./build/js/clouds/vm/region.js
var region = __webpack_require__(28035);
;// CONCATENATED MODULE: ./build/js/clouds/vm/settings.js






/** `at`: which of several regions; absent: the first. */
function vmSettings({ regions, usual, ...names }, values, at) {
    const named = (0,region/* regionTexts */.th)(values['region']);
    const texts = named.length > 0 ? named : [usual];
    const faults = (0,region/* faultsOfRegion */.rX)(regions, texts);
    const places = texts.flatMap((text) => (0,region/* regionIn */.Ug)(regions, text) ?? []);
    const [first] = places;
    if (faults.length > 0 || !first)
        throw new errors/* InputError */.dz(faults.map((fault) => ({ ...fault, message: `region: ${fault.message}` })));
    const place = places.find(({ region }) => region === at) ?? first;
    const written = { mount: listOf(values['mount']), data: listOf(values['data']) };
    const mounts = mountsOf(regions.vendor, names.mounts, written.mount, place.region);
    const taken = mounts.map(({ path }) => path);
    const data = (0,vm_data/* dataOf */.qu)(regions.vendor, names.data, written.data, taken);
    const tooLong = (0,folders/* lengthFaults */.c$)(written);
    if (tooLong.length > 0)
        throw new errors/* InputError */.dz(tooLong);
    const address = values['public-address'];
    return {
        ...place,
        named: named.length > 0,
        regions: [first.region, ...places.slice(1).map(({ region }) => region)],
        sudo: values['sudo'] !== false,
        mounts,
        data,
        ...((address === 'true' || address === 'false') && { publicAddress: address === 'true' }),
        ...textsOf(values, { customerKey: 'customer-key', reservation: 'reservation', storage: 'storage' }),
    };
}
function listOf(value) {
    return Array.isArray(value) ? value : [];
}
/** Those of these options that the user gave. `names`: setting → option. */
function textsOf(values, names) {
    const given = Object.entries(names).flatMap(([setting, option]) => {
        const text = (0,record/* textOf */.b6)(values[option]);
        return text === undefined ? [] : [[setting, text]];
    });
    return Object.fromEntries(given);
}


/***/ })

};
