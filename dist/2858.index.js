export const id = 2858;
export const ids = [2858,1938];
export const modules = {

/***/ 22858:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   JOB_ACCOUNT: () => (/* binding */ JOB_ACCOUNT),
/* harmony export */   jobPodsEnv: () => (/* binding */ jobPodsEnv),
/* harmony export */   jobRoleText: () => (/* binding */ jobRoleText)
/* harmony export */ });
/* harmony import */ var _job_rights_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(47937);
/* harmony import */ var _permissions_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(81938);
/* harmony import */ var _pods_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(26772);
/**
 * A pod for each job of a runner, made by GitHub's own container hooks (actions/runner-container-hooks, packages/k8s), instead of a Docker daemon.
 * The hooks need rights on all pods and secrets of a namespace, so jobs get a namespace of their own: with these rights in the namespace of the
 * runners, a job could read every store there.
 */



/**
 * Environment of the runner's container for the hooks. `image`: the runner's image, from which the hooks bring Node into each job. The pods of a
 * slot have the same name, whichever machine holds it: the hooks remove all pods of that name before each job, so nothing of a dead machine stays.
 */
function jobPodsEnv({ namespace }, incarnation, image) {
    const slot = { fieldRef: { fieldPath: `metadata.annotations['${_pods_js__WEBPACK_IMPORTED_MODULE_2__/* .INDEX */ .hx}']` } };
    return [
        { name: 'TPI_SLOT', valueFrom: slot },
        { name: 'ACTIONS_RUNNER_POD_NAME', value: `tpi-${incarnation}-$(TPI_SLOT)` },
        { name: 'ACTIONS_RUNNER_KUBERNETES_NAMESPACE', value: namespace },
        { name: 'ACTIONS_RUNNER_CONTAINER_HOOKS', value: _job_rights_js__WEBPACK_IMPORTED_MODULE_0__/* .CONTAINER_HOOKS */ .Bb },
        { name: 'ACTIONS_RUNNER_CONTAINER_HOOK_TEMPLATE', value: _job_rights_js__WEBPACK_IMPORTED_MODULE_0__/* .JOB_POD */ .wZ },
        { name: 'ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER', value: 'true' },
        { name: 'ACTIONS_RUNNER_IMAGE', value: image },
    ];
}
const JOB_ACCOUNT = 'tpi-jobs';
/** The service account of such runners, and its rights in the namespace of their jobs: ready for `kubectl apply`. */
function jobRoleText(namespace, jobs) {
    const rules = _job_rights_js__WEBPACK_IMPORTED_MODULE_0__/* .JOB_RIGHTS */ .al.flatMap((right) => (0,_permissions_js__WEBPACK_IMPORTED_MODULE_1__.ruleLines)({ group: '', ...right }));
    return `${[
        '---',
        '# For runners with container-mode: kubernetes, as their permission-set. Nothing of it is in their own namespace.',
        ...(0,_permissions_js__WEBPACK_IMPORTED_MODULE_1__.headLines)({ api: 'v1', kind: 'ServiceAccount', name: JOB_ACCOUNT, namespace }),
        '---',
        ...(0,_permissions_js__WEBPACK_IMPORTED_MODULE_1__.boundRole)({ name: JOB_ACCOUNT, namespace: jobs, rules, subject: { name: JOB_ACCOUNT, namespace } }),
    ].join('\n')}\n`;
}


/***/ }),

/***/ 47937:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Bb: () => (/* binding */ CONTAINER_HOOKS),
/* harmony export */   al: () => (/* binding */ JOB_RIGHTS),
/* harmony export */   wZ: () => (/* binding */ JOB_POD),
/* harmony export */   xJ: () => (/* binding */ accessReview)
/* harmony export */ });
/* unused harmony exports checkAccount, prepareJobPods */
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(44708);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(76760);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(29611);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(13453);
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(98806);
/**
 * The rights that GitHub's container hooks need, and those that their account must not have. The pod itself asks the API server about them
 * before its runner starts.
 */






/** In GitHub's image (images/Dockerfile of actions/runner): the hooks that copy the work directory, instead of sharing a claim with it. */
const CONTAINER_HOOKS = '/home/runner/k8s-novolume/index.js';
/** Additional fields for the pods that the hooks make. */
const JOB_POD = `${_names_js__WEBPACK_IMPORTED_MODULE_5__/* .PLACE */ .CC.home}/job-pod.json`;
const REVIEW = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ status: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ allowed: _lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .flag */ .Jt }) });
/** `requiredPermissions` in packages/k8s/src/k8s/index.ts of actions/runner-container-hooks, 0.8.1. */
const JOB_RIGHTS = [
    { resource: 'pods', verbs: ['get', 'list', 'create', 'delete'] },
    { resource: 'pods/exec', verbs: ['get', 'create'] },
    { resource: 'pods/log', verbs: ['get', 'list', 'watch'] },
    { resource: 'secrets', verbs: ['get', 'list', 'create', 'delete'] },
];
/** With any of these rights in the namespace of the runners, a job could get the key of their store, or of other stores. */
const OPENING = [
    { resource: 'secrets', verbs: ['get', 'list'] },
    { resource: 'pods', verbs: ['create'] },
    // Before Kubernetes 1.35, either of them is enough to open a stream.
    { resource: 'pods/exec', verbs: ['get', 'create'] },
];
/** Throws if a right is missing, or if the account has a right that it must not have. */
async function checkAccount({ own, jobs, may }) {
    const [lacks, opens] = await Promise.all([
        rightsThat(JOB_RIGHTS, async (verb, resource) => !(await may(jobs, verb, resource))),
        rightsThat(OPENING, async (verb, resource) => may(own, verb, resource)),
    ]);
    if (opens.length > 0)
        throw new Error(`container-mode: the account of permission-set may ${opens.join(', ')} in namespace "${own}", which opens the store of these runners to every job: bind its Role in "${jobs}" alone`);
    if (lacks.length > 0)
        throw new Error(`container-mode: the account of permission-set may not ${lacks.join(', ')} in namespace "${jobs}"; tpi permissions k8s --job-namespace ${jobs} prints what it needs`);
}
async function rightsThat(rights, holds) {
    const all = rights.flatMap(({ resource, verbs }) => verbs.map((verb) => [verb, resource]));
    const found = await Promise.all(all.map(async ([verb, resource]) => ((await holds(verb, resource)) ? [`${verb} ${resource}`] : [])));
    return found.flat();
}
/** Runs once per machine. `until`: ISO; then the cluster itself ends the pods of jobs that are still there. */
async function prepareJobPods(jobs, until, env) {
    const own = (await readFile(join(ACCOUNT, 'namespace'), 'utf8')).trim();
    await checkAccount({ own, jobs, may: async (namespace, verb, resource) => may(env, namespace, verb, resource) });
    const seconds = Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 1000));
    await writeFile(JOB_POD, JSON.stringify({ spec: { activeDeadlineSeconds: seconds, automountServiceAccountToken: false } }));
}
/** The request by which a caller asks whether it has a right itself. */
function accessReview({ resource: full, ...asked }) {
    const [resource, subresource] = full.split('/');
    const resourceAttributes = { ...asked, resource, ...(subresource !== undefined && { subresource }) };
    return {
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
    };
}
async function may(env, namespace, verb, resource) {
    const { path, body } = accessReview({ namespace, verb, group: '', resource });
    return parseShape(REVIEW, await post(path, JSON.stringify(body), env)).status.allowed;
}
async function post(path, body, env) {
    const [ca, token] = await Promise.all([readFile(join(ACCOUNT, 'ca.crt')), readFile(join(ACCOUNT, 'token'), 'utf8')]);
    const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
    const headers = { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json', 'user-agent': 'tpi-action' };
    return await new Promise((resolve, reject) => {
        const call = request({ host, port, path, method: 'POST', headers, ca, signal: AbortSignal.timeout(30_000) }, (message) => {
            let said = '';
            message.setEncoding('utf8');
            message.on('data', (chunk) => void (said += chunk));
            message.on('error', reject);
            message.on('end', () => message.statusCode === 201 ? resolve(said) : reject(new Error(`the API server answers ${message.statusCode}: ${said}`)));
        });
        call.on('error', reject);
        call.end(body);
    });
}


/***/ }),

/***/ 63942:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   r: () => (/* binding */ conditionOf),
/* harmony export */   y: () => (/* binding */ secretText)
/* harmony export */ });
/** The fields of Kubernetes' objects that tpi reads. All others pass through as plain data. */
/** `undefined`: it has no such data. */
function secretText(secret, key) {
    const data = secret?.data?.[key];
    return data === undefined ? undefined : Buffer.from(data, 'base64').toString('utf8');
}
/** The condition of this type, if it holds. */
function conditionOf({ status }, type) {
    return status?.conditions?.find((one) => one.type === type && one.status === 'True');
}


/***/ }),

/***/ 81938:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   RIGHTS: () => (/* binding */ RIGHTS),
/* harmony export */   boundRole: () => (/* binding */ boundRole),
/* harmony export */   headLines: () => (/* binding */ headLines),
/* harmony export */   roleText: () => (/* binding */ roleText),
/* harmony export */   ruleLines: () => (/* binding */ ruleLines)
/* harmony export */ });
/** The least rights that a caller needs in its namespace, each with its purpose. The printed Role derives from this list. */
const RIGHTS = [
    { group: 'batch', resource: 'jobs', verbs: ['create', 'get', 'list', 'patch', 'delete'], why: 'groups of machines and their store' },
    { group: '', resource: 'pods', verbs: ['list', 'watch', 'deletecollection'], why: 'the state of machines, and their end' },
    { group: '', resource: 'pods/log', verbs: ['get'], why: 'why a machine did not start' },
    // tpi opens the stream by GET. From 1.35 on, the API server requires `create` for that, as it always has for POST
    // (feature gate AuthorizePodWebsocketUpgradeCreatePermission).
    { group: '', resource: 'pods/exec', verbs: ['get'], why: 'tpi exec' },
    { group: '', resource: 'pods/exec', verbs: ['create'], why: 'tpi exec', since: 35 },
    { group: '', resource: 'pods/eviction', verbs: ['create'], why: 'tpi interrupt' },
    { group: '', resource: 'events', verbs: ['list'], why: 'reasons in plain words' },
    { group: '', resource: 'secrets', verbs: ['create', 'get', 'delete'], why: 'the token of the store' },
    { group: '', resource: 'configmaps', verbs: ['create', 'get', 'delete'], why: 'the program of machines' },
    { group: '', resource: 'services', verbs: ['create', 'get', 'delete'], why: 'the address of the store' },
    { group: '', resource: 'services/proxy', verbs: ['create', 'get', 'update'], why: 'the way to the store' },
    { group: '', resource: 'persistentvolumeclaims', verbs: ['create', 'get', 'delete'], why: 'the disk of the store' },
];
/** Role and binding as YAML, ready for `kubectl apply`. `subject`: who gets the Role. */
function roleText(namespace, subject = 'tpi') {
    const rules = RIGHTS.flatMap(({ why, since, ...right }) => [
        `  # ${why}${since === undefined ? '' : ` (Kubernetes 1.${since} and later; older ones do not ask for it)`}`,
        ...ruleLines(right),
    ]);
    return `${boundRole({ name: 'tpi', namespace, rules, subject: { name: subject, namespace } }).join('\n')}\n`;
}
/** One rule of a Role, in lines of YAML. */
const ruleLines = ({ group, resource, verbs }) => [
    `  - apiGroups: ["${group}"]`,
    `    resources: ["${resource}"]`,
    `    verbs: [${verbs.map((verb) => `"${verb}"`).join(', ')}]`,
];
/** A Role and its binding, in lines of YAML. */
function boundRole({ name, namespace, rules, subject }) {
    const head = (kind) => headLines({ api: 'rbac.authorization.k8s.io/v1', kind, name, namespace });
    return [
        ...head('Role'),
        'rules:',
        ...rules,
        '---',
        ...head('RoleBinding'),
        'roleRef:',
        '  apiGroup: rbac.authorization.k8s.io',
        '  kind: Role',
        `  name: ${name}`,
        'subjects:',
        '  - kind: ServiceAccount',
        `    name: ${subject.name}`,
        `    namespace: ${subject.namespace}`,
    ];
}
/** The first lines of an object in YAML. */
const headLines = ({ api, kind, name, namespace, }) => [
    `apiVersion: ${api}`,
    `kind: ${kind}`,
    'metadata:',
    `  name: ${name}`,
    `  namespace: ${namespace}`,
];


/***/ }),

/***/ 26772:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ isLiving),
/* harmony export */   Wp: () => (/* binding */ isHeldOpen),
/* harmony export */   hx: () => (/* binding */ INDEX),
/* harmony export */   jX: () => (/* binding */ disruptionOf),
/* harmony export */   oQ: () => (/* binding */ programOf),
/* harmony export */   qh: () => (/* binding */ indexOf)
/* harmony export */ });
/* harmony import */ var _names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(98806);
/* harmony import */ var _objects_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(63942);
/** What the status and the metadata of a pod say. */


/** The annotation with the index of a pod; newer clusters also set it as a label. */
const INDEX = 'batch.kubernetes.io/job-completion-index';
/** It has not ended, and was not told to. */
function isLiving({ metadata, status }) {
    return !metadata.deletionTimestamp && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}
/** The index of its slot. */
function indexOf({ metadata }) {
    const text = metadata.annotations?.[INDEX] ?? metadata.labels?.[INDEX];
    return text === undefined ? undefined : Number(text);
}
/** The state of the program's container. */
function programOf({ status }) {
    return status?.containerStatuses?.find(({ name }) => name === _names_js__WEBPACK_IMPORTED_MODULE_0__/* .CONTAINER */ .MR.program)?.state;
}
/**
 * The program has ended, but another container, such as that of a service mesh, keeps the pod alive: the cluster counts the pod as running and
 * never replaces it. Sidecars do not matter here, because Kubernetes ends them after the program; the status has them in `initContainerStatuses`.
 */
function isHeldOpen(pod) {
    const all = pod.status?.containerStatuses ?? [];
    return programOf(pod)?.terminated !== undefined && all.some(({ state }) => state?.running !== undefined);
}
/** Present if the cluster removes the pod for a reason of its own: https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions */
const disruptionOf = (pod) => (0,_objects_js__WEBPACK_IMPORTED_MODULE_1__/* .conditionOf */ .r)(pod, 'DisruptionTarget');


/***/ })

};
