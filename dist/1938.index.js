export const id = 1938;
export const ids = [1938];
export const modules = {

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


/***/ })

};
