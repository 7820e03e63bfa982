export const id = 960;
export const ids = [960];
export const modules = {

/***/ 79255:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  jg: () => (/* binding */ failureSummary),
  CH: () => (/* binding */ mendHome),
  ki: () => (/* binding */ runBody),
  b0: () => (/* binding */ runVerb)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/clouds/registry.js + 4 modules
var registry = __webpack_require__(16397);
// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/engine/locators.js
var locators = __webpack_require__(15098);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
;// CONCATENATED MODULE: ./build/js/at-hand.js
/** Which clouds a command looks at: the one it names; else those that need no credentials, and those that this home knows to be in use. */




const atHand = (manifest) => manifest.credentials.length === 0;
async function cloudsAtHand(parsed, context) {
    const { values, given, program } = parsed;
    if (program !== undefined || given.has('cloud'))
        return [{ id: values.cloud, cloud: await openCloud(values.cloud, context) }];
    const here = await Promise.all(registry/* clouds */.P.filter(atHand).map(async ({ id }) => ({ id, cloud: await openCloud(id, context) })));
    return [...here, ...(await remembered(values.name, context))];
}
/** A cloud that cannot be opened any more hides only its own deployments, and says so. */
async function remembered(name, context) {
    const known = (await (0,locators/* located */.t4)(context.home)).filter((locator) => name === undefined || name === locator.id || name === locator.name);
    const places = new Map(known.map((locator) => [placeOf(locator), locator]));
    const opened = await Promise.all([...places.values()].map(async ({ cloud, options }) => {
        try {
            return { id: cloud, cloud: await openCloud(cloud, { ...context, values: { ...context.values, ...options } }) };
        }
        catch (error) {
            if (name !== undefined)
                throw error;
            context.log.warn(`${cloud}: ${(0,lib_text/* messageOf */.bD)(error)}`);
            return undefined;
        }
    }));
    return opened.filter((open) => open !== undefined);
}
const placeOf = ({ cloud, options }) => `${cloud} ${JSON.stringify(options)}`;
/** What another command needs to find this deployment again; `undefined` where every command looks anyway. */
function locatorOf(table, parsed, place) {
    const manifest = (0,registry/* cloudById */.S)(place.cloud);
    if (!manifest || atHand(manifest))
        return undefined;
    const telling = [...parsed.given.keys()].filter((option) => option === 'region' || table.rows[option]?.clouds !== undefined);
    const values = parsed.values;
    return { ...place, options: Object.fromEntries(telling.map((option) => [option, values[option]])) };
}
async function openCloud(id, context) {
    const manifest = (0,registry/* cloudById */.S)(id);
    if (!manifest)
        throw new errors/* InputError */.dz(`cloud: "${id}" is not one of ${registry/* clouds */.P.map((cloud) => cloud.id).join(', ')}`);
    return (await manifest.load()).open(context);
}
/** What a crash of our own processes left on this host is put in order, whatever a command is about. Where that fails, the command goes on: it may be the remedy. */
async function recover(context) {
    for (const { id } of registry/* clouds */.P.filter(atHand)) {
        const cloud = await openCloud(id, context);
        try {
            for (const line of (await cloud.recover?.()) ?? [])
                context.log.info(line);
        }
        catch (error) {
            context.log.warn(`${id}: could not clean up after a crash: ${(0,lib_text/* messageOf */.bD)(error)}`);
        }
    }
}

// EXTERNAL MODULE: ./build/js/core/identity.js
var identity = __webpack_require__(82260);
// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/lib/files.js
var files = __webpack_require__(59381);
// EXTERNAL MODULE: ./build/js/options/rows/table.js + 5 modules
var table = __webpack_require__(38281);
// EXTERNAL MODULE: ./build/js/report/closing.js
var closing = __webpack_require__(52554);
// EXTERNAL MODULE: ./build/js/report/markdown.js
var markdown = __webpack_require__(57164);
// EXTERNAL MODULE: ./build/js/stores/registry.js + 1 modules
var stores_registry = __webpack_require__(96070);
// EXTERNAL MODULE: ./build/js/verbs/index.js + 100 modules
var verbs = __webpack_require__(5726);
// EXTERNAL MODULE: ./build/js/verbs/shared/error-exit.js
var error_exit = __webpack_require__(16092);
// EXTERNAL MODULE: ./build/js/verbs/shared/output.js
var output = __webpack_require__(29252);
;// CONCATENATED MODULE: ./build/js/app.js
/** The composition root: host + options + registries → a verb. The only place where rooms meet. */



















/** Runs one verb; resolves to the exit code. Every error has been told when it returns. */
async function runVerb(parts, verb, parsed) {
    return runBody(parts, parsed, verbs/* acting */.d[verb]);
}
/** The same for what is no verb of the command line. */
async function runBody(parts, written, body) {
    const { host } = parts;
    for (const warning of written.warnings)
        host.warn(warning);
    // It came with the folder, perhaps from somebody else.
    if (written.config)
        host.info(`${(0,lib_text/* quoted */.TL)(written.config.file)} sets ${(0,lib_text/* listed */.KE)(written.config.sets, 'and')}`);
    const parsed = withName(host, written);
    try {
        return await body(await contextOf(parts, parsed));
    }
    catch (error) {
        return await tell(parts, parsed, error);
    }
    finally {
        await host.close();
    }
}
/** Names are labels of cloud resources too, so every verb means the same one, however it was written. */
function withName(host, parsed) {
    const { name } = parsed.values;
    const called = name === undefined ? undefined : (0,identity/* calledName */.nk)(name);
    if (called === name)
        return parsed;
    host.info(`name: "${name}" was changed to "${called}": names have up to 40 lower-case letters, digits and dashes`);
    return { ...parsed, values: { ...parsed.values, name: called } };
}
/** For what only tells of the program itself: puts the home in order, if there is one, and never stands in the way. */
async function mendHome(parts, parsed) {
    try {
        if ((0,external_node_fs_.existsSync)(homeFolder(parts.surroundings.env, parts.user.home)))
            await contextOf(parts, parsed);
    }
    catch (error) {
        parts.host.warn((0,lib_text/* messageOf */.bD)(error));
    }
}
async function contextOf(parts, parsed) {
    const { host, surroundings, interrupts, user } = parts;
    const { env, cwd } = surroundings;
    const home = homeFolder(env, user.home);
    await makeHome(home);
    const owner = (0,identity/* ownerOf */.bf)(env, { user: user.name, host: user.host, ...matrixOf(env) });
    const engine = { host, clock: clock/* systemClock */.ml, home, actor: owner.origin.runUrl ?? owner.key };
    const agent = once(() => readAgent(parts.agentFile));
    const cloudContext = { env, home, values: parsed.values, log: host, clock: clock/* systemClock */.ml, signal: interrupts.first, agent };
    await recover(cloudContext);
    const { 'storage-region': region, 'storage-endpoint': endpoint, 'storage-insecure': insecure } = parsed.values;
    const settings = { region, endpoint, insecure, clock: clock/* systemClock */.ml };
    const withCredentials = (place) => (0,stores_registry/* storeAccess */.U3)(place, env, settings);
    return {
        values: parsed.values,
        parsed,
        engine,
        host,
        owner,
        cwd,
        userHome: user.home,
        env,
        interrupts,
        interactive: parts.interactive,
        ...(parts.aside ? { aside: parts.aside } : {}),
        ...(parts.ciJob ? { ciJob: parts.ciJob } : {}),
        manifests: registry/* clouds */.P,
        billed: (cloud) => registry/* clouds */.P.some((manifest) => manifest.id === cloud && manifest.billed),
        clouds: once(() => cloudsAtHand(parsed, cloudContext)),
        async note(place) {
            const locator = locatorOf((0,table/* optionTable */.sX)(registry/* clouds */.P), parsed, place);
            if (locator)
                await (0,locators/* locate */.x5)(home, locator);
        },
        access: async (place) => (0,stores_registry/* openStore */.Ch)(await withCredentials(place)),
        storage: once(async () => parsed.values.storage === undefined ? undefined : withCredentials({ url: (0,stores_registry/* parseStoreUrl */.qJ)(parsed.values.storage, cwd) })),
        agent,
    };
}
function homeFolder(env, userHome) {
    const home = env['TPI_HOME'] || (0,external_node_path_.join)(userHome, '.tpi');
    if (!(0,external_node_path_.isAbsolute)(home))
        throw new errors/* InputError */.dz(`TPI_HOME: "${home}" is not an absolute path`);
    return home;
}
async function makeHome(home) {
    try {
        await (0,promises_.mkdir)(home, { recursive: true, mode: 0o700 });
        await (0,promises_.access)(home, promises_.constants.R_OK | promises_.constants.W_OK | promises_.constants.X_OK);
    }
    catch (cause) {
        if (!(0,files/* hasCode */.up)(cause, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ELOOP'))
            throw cause;
        throw new errors/* InputError */.dz(`TPI_HOME: "${home}" cannot be used: ${(0,lib_text/* messageOf */.bD)(cause)}`, {
            cause,
            hint: 'set TPI_HOME to a folder that you can write to',
        });
    }
}
function matrixOf(env) {
    const matrix = env['INPUT_MATRIX']?.trim();
    // A job without a matrix: null on GitHub, an empty object elsewhere.
    return matrix && matrix !== 'null' && matrix !== '{}' ? { matrix } : {};
}
async function readAgent(file) {
    try {
        const bytes = await (0,promises_.readFile)(file);
        return { bytes, digest: (0,external_node_crypto_.createHash)('sha256').update(bytes).digest('hex') };
    }
    catch (cause) {
        throw new errors/* RemoteError */.Hi(`the agent is missing from this installation: ${file}`, { cause, hint: 'reinstall the package' });
    }
}
/** One line for people, with what to do next; with `--json`, an object as well. */
async function tell(parts, parsed, error) {
    const { host, interrupts } = parts;
    const told = interrupts.first.aborted && error === interrupts.first.reason ? interrupted(interrupts) : (0,error_exit/* exitOf */.s)(error);
    host.status('');
    host.annotate('error', told.message);
    (0,output/* output */.C)(host, { outcome: told.outcome, 'exit-code': String(told.exitCode) });
    await host.summary(failureSummary(told));
    if (told.outcome === 'bug' && error instanceof Error)
        host.error(error.stack ?? '');
    host.info((0,closing/* lastLine */.fM)(told.outcome, told.exitCode));
    if (parsed.values.json)
        host.facts({ outcome: told.outcome, exitCode: told.exitCode, error: told.message });
    return told.exitCode;
}
function interrupted(interrupts) {
    return {
        outcome: 'stopped',
        exitCode: interrupts.kind() === 'SIGTERM' ? errors/* EXIT */.dc.terminated : errors/* EXIT */.dc.stopped,
        message: 'interrupted',
    };
}
/** Where there was no run to report on, the page says why. */
function failureSummary({ outcome, exitCode, message }) {
    return `### ❌ tpi: ${outcome}\n\n${(0,markdown/* fenced */.OF)(message)}\n\nexit code ${exitCode}`;
}
/** The same promise for everybody who asks. */
function once(make) {
    let made;
    return () => (made ??= make());
}


/***/ }),

/***/ 60624:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   f: () => (/* binding */ options),
/* harmony export */   z: () => (/* binding */ DEFAULTS)
/* harmony export */ });
/** `retry` starts runners again. */
const CREATE = ['task', 'plan', 'runner', 'retry', 'doctor'];
const ALL = [
    ...CREATE,
    'permissions',
    'list',
    'status',
    'logs',
    'stop',
    'collect',
    'pull',
    'exec',
    'destroy',
    'sweep',
    'interrupt',
];
const DEFAULTS = { image: 'ubuntu:24.04', runtimeImage: 'ghcr.io/iterative/tpi-runtime:24' };
const options = {
    context: {
        kind: 'string',
        group: 'where',
        verbs: ALL,
        placeholder: 'NAME',
        defaultText: 'the current one',
        help: 'Context of the kubeconfig.',
    },
    namespace: {
        kind: 'string',
        group: 'where',
        verbs: ALL,
        placeholder: 'NAME',
        pattern: { test: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, says: 'lower-case letters, digits and dashes' },
        defaultText: 'that of the context, else "default"',
        help: 'Namespace in which everything is created.',
    },
    'node-selector': {
        kind: 'map',
        group: 'where',
        verbs: CREATE,
        aliases: ['kubernetes-node-selector', 'cloud-kubernetes-node-selector'],
        variables: ['CML_RUNNER_CLOUD_KUBERNETES_NODE_SELECTOR'],
        placeholder: 'LABEL=VALUE',
        help: 'Labels that a node must have, such as accelerator=nvidia-t4.',
    },
    'pod-template': {
        kind: 'path',
        group: 'where',
        verbs: CREATE,
        placeholder: 'FILE',
        help: 'A pod (YAML) that is merged into ours: tolerations, volumes, runtime class and anything else. Maps merge; containers, environment, volumes, mounts and tolerations merge by their key; everything else replaces. The container of the program is called "main".',
    },
    'runtime-image': {
        kind: 'string',
        group: 'where',
        verbs: CREATE,
        placeholder: 'IMAGE',
        default: DEFAULTS.runtimeImage,
        help: 'Image that brings our runtime into the pod. Mirror it where the cluster has no internet access.',
    },
    'image-pull-secret': {
        kind: 'list',
        group: 'where',
        verbs: CREATE,
        placeholder: 'NAME',
        help: 'Secrets for pulling images.',
    },
    'run-as-user': {
        kind: 'int',
        group: 'where',
        verbs: CREATE,
        min: 0,
        max: 2_147_483_647,
        placeholder: 'UID',
        defaultText: 'the user of the image; for runners 1001',
        help: 'User id of the program, 0 for root. Needed where the namespace has the restricted pod security standard and the image runs as root.',
    },
    'storage-class': {
        kind: 'string',
        group: 'data',
        verbs: CREATE,
        placeholder: 'NAME',
        defaultText: "the cluster's default",
        help: 'Storage class of the claim behind the store.',
    },
    'storage-size': {
        kind: 'size',
        group: 'data',
        verbs: CREATE,
        min: 1_000_000,
        placeholder: 'SIZE',
        defaultText: 'disk-size, and 10GB at least',
        help: 'Size of the claim behind the store: work directory, checkpoints of all slots, logs.',
    },
    'storage-claim': {
        kind: 'string',
        group: 'data',
        verbs: CREATE,
        placeholder: 'NAME',
        pattern: { test: /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, says: 'lower-case letters, digits, dashes and dots' },
        defaultText: 'a new one',
        help: 'Existing claim behind the store; it is never removed.',
    },
    'storage-path': {
        kind: 'string',
        group: 'data',
        verbs: CREATE,
        placeholder: 'FOLDER',
        pattern: { test: /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/, says: 'a relative folder without ".."' },
        default: 'tpi',
        help: 'Folder in the claim of storage-claim; each deployment has its own below it.',
    },
};


/***/ }),

/***/ 16397:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  S: () => (/* binding */ cloudById),
  P: () => (/* binding */ clouds)
});

;// CONCATENATED MODULE: ./build/js/clouds/aws/options.js
/** `retry` starts runners again. */
const CREATE = ['task', 'plan', 'runner', 'retry', 'doctor'];
const ALL = [
    ...CREATE,
    'permissions',
    'list',
    'status',
    'logs',
    'stop',
    'collect',
    'pull',
    'exec',
    'destroy',
    'sweep',
    'interrupt',
];
const options = {
    'aws-profile': {
        kind: 'string',
        group: 'where',
        verbs: ALL,
        placeholder: 'NAME',
        defaultText: 'AWS_PROFILE, or the credentials of the environment',
        help: 'Profile of ~/.aws whose credentials are used.',
    },
    vpc: {
        kind: 'string',
        group: 'where',
        verbs: CREATE,
        placeholder: 'VPC',
        pattern: { test: /^vpc-[0-9a-f]{8,17}$/, says: 'an id such as vpc-0123456789abcdef0' },
        defaultText: 'the default VPC of the region',
        help: 'Network in which machines start, in all of its subnets.',
    },
    subnet: {
        kind: 'list',
        group: 'where',
        verbs: CREATE,
        aliases: ['cloud-aws-subnet', 'aws-subnet-id'],
        variables: ['CML_RUNNER_CLOUD_AWS_SUBNET'],
        placeholder: 'SUBNET',
        pattern: { test: /^subnet-[0-9a-f]{8,17}$/, says: 'an id such as subnet-0123456789abcdef0' },
        defaultText: 'all of the network',
        help: 'Subnets in which machines start. Private ones will do if they have a way to S3 and to the Auto Scaling API.',
    },
    'security-group': {
        kind: 'list',
        group: 'where',
        verbs: CREATE,
        aliases: ['cloud-aws-security-group', 'aws-security-group'],
        variables: ['CML_RUNNER_CLOUD_AWS_SECURITY_GROUP'],
        placeholder: 'GROUP',
        pattern: { test: /^sg-[0-9a-f]{8,17}$/, says: 'an id such as sg-0123456789abcdef0' },
        defaultText: 'a new one that lets nothing in',
        help: 'Security groups of the machines, instead of one of their own.',
    },
    'public-address': {
        kind: 'choice',
        group: 'where',
        verbs: CREATE,
        oneOf: ['true', 'false'],
        defaultText: 'as the subnet says',
        help: 'Whether machines get a public address. Without one they need another way out, such as a NAT gateway.',
    },
    'customer-key': {
        kind: 'string',
        group: 'where',
        verbs: CREATE,
        placeholder: 'KEY',
        defaultText: "the account's own",
        help: 'Key (KMS) with which the disks of machines are encrypted.',
    },
    sudo: {
        kind: 'bool',
        group: 'what',
        verbs: CREATE,
        default: 'true',
        help: 'Whether the user of the program may become root on the machine (sudo). Root can do whatever the machine can.',
    },
    'permissions-boundary': {
        kind: 'string',
        group: 'where',
        verbs: [...CREATE, 'permissions'],
        placeholder: 'ARN',
        pattern: { test: /^arn:[a-z-]+:iam::\d{12}:policy\/\S+$/, says: 'the ARN of a policy' },
        help: 'Permissions boundary of the role that is created for the machines of a deployment. With it, `tpi permissions` prints a policy that allows no other roles.',
    },
};

;// CONCATENATED MODULE: ./build/js/clouds/aws/manifest.js

const aws = {
    id: 'aws',
    title: 'Amazon Web Services',
    billed: true,
    credentials: [
        { env: 'AWS_ACCESS_KEY_ID', help: 'Access key; profiles, SSO, OIDC and the role of an instance are found without it.', secret: false },
        { env: 'AWS_SECRET_ACCESS_KEY', help: 'Its secret.', secret: true },
        { env: 'AWS_SESSION_TOKEN', help: 'The token of temporary credentials.', secret: true },
    ],
    options: options,
    can: { spot: true, gpu: true, exec: false, rehearse: false, keep: false, numbered: false },
    permissions: async (values) => (await __webpack_require__.e(/* import() */ 139).then(__webpack_require__.bind(__webpack_require__, 72139))).permissionsText(values),
    load: () => __webpack_require__.e(/* import() */ 690).then(__webpack_require__.bind(__webpack_require__, 19690)),
};

// EXTERNAL MODULE: ./build/js/clouds/k8s/options.js
var k8s_options = __webpack_require__(60624);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/manifest.js

const k8s = {
    id: 'k8s',
    title: 'Kubernetes',
    aliases: ['kubernetes'],
    billed: true,
    credentials: [
        {
            env: 'KUBECONFIG',
            help: 'Path of a kubeconfig; ~/.kube/config and the service account of a pod are found without it.',
            secret: false,
        },
        { env: 'KUBERNETES_CONFIGURATION', help: 'A whole kubeconfig as text.', secret: true },
    ],
    options: k8s_options/* options */.f,
    can: { spot: false, gpu: true, exec: true, rehearse: false, keep: false, numbered: true },
    async permissions(values, env) {
        const [{ roleText }, { namespaceMeant }] = await Promise.all([__webpack_require__.e(/* import() */ 938).then(__webpack_require__.bind(__webpack_require__, 81938)), Promise.all(/* import() */[__webpack_require__.e(39), __webpack_require__.e(461), __webpack_require__.e(107)]).then(__webpack_require__.bind(__webpack_require__, 94107))]);
        return roleText(namespaceMeant(env, values));
    },
    load: () => Promise.all(/* import() */[__webpack_require__.e(39), __webpack_require__.e(461), __webpack_require__.e(83)]).then(__webpack_require__.bind(__webpack_require__, 66083)),
};

;// CONCATENATED MODULE: ./build/js/clouds/local/manifest.js
const local = {
    id: 'local',
    title: 'this host',
    billed: false,
    credentials: [],
    can: { spot: false, gpu: true, exec: true, rehearse: true, keep: true, numbered: true },
    permissions: async () => 'None: machines are processes of this host, with the rights of whoever starts them.',
    load: () => __webpack_require__.e(/* import() */ 581).then(__webpack_require__.bind(__webpack_require__, 65581)),
};

;// CONCATENATED MODULE: ./build/js/clouds/registry.js



const clouds = [local, k8s, aws];
function cloudById(id) {
    return clouds.find((cloud) => cloud.id === id);
}


/***/ }),

/***/ 53912:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ faultChecks),
/* harmony export */   n: () => (/* binding */ looked)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/** What is looked at before anything is made. */


/** One look; what it throws is the fault that it found. A text is good news. */
async function looked(what, look) {
    try {
        const found = await look();
        return typeof found === 'string' ? { what, state: 'ok', says: found } : found;
    }
    catch (error) {
        const says = (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .messageOf */ .bD)(error);
        const hint = error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .TpiError */ .at && error.hint !== undefined ? { hint: error.hint } : {};
        return { what, state: error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR ? 'denied' : 'fault', says, ...hint };
    }
}
/** Faults of options, as checks of them. */
function faultChecks(faults) {
    return faults.map(({ option, message, hint }) => ({
        what: option,
        state: 'fault',
        says: message,
        ...(hint === undefined ? {} : { hint }),
    }));
}


/***/ }),

/***/ 39429:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Hi: () => (/* binding */ RemoteError),
/* harmony export */   Uc: () => (/* binding */ describeError),
/* harmony export */   ZP: () => (/* binding */ QuotaError),
/* harmony export */   at: () => (/* binding */ TpiError),
/* harmony export */   dc: () => (/* binding */ EXIT),
/* harmony export */   dz: () => (/* binding */ InputError),
/* harmony export */   hG: () => (/* binding */ CapacityError),
/* harmony export */   im: () => (/* binding */ OUTCOMES),
/* harmony export */   j3: () => (/* binding */ DeadlineError),
/* harmony export */   lR: () => (/* binding */ AuthError)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(40859);

/** Errors by whose fault they are. Foreign errors are translated into these once, at the border of a room. */
const EXIT = {
    ok: 0,
    /** A look found something: `sweep` what is past its time, `doctor` a fault. */
    found: 1,
    invalid: 64,
    noCapacity: 69,
    bug: 70,
    running: 75,
    remote: 76,
    denied: 77,
    timedOut: 124,
    stopped: 130,
    terminated: 143,
};
/** What became of a run, in one word: the contract of `--json`, of the Action's outputs and of the last line. */
const OUTCOMES = [
    'success',
    'script-failed',
    'setup-failed',
    'timed-out',
    'stopped',
    'running',
    'invalid',
    'denied',
    'no-capacity',
    'remote-error',
    'bug',
];
class TpiError extends Error {
    hint;
    constructor(message, advice = {}) {
        super(message, advice);
        this.name = new.target.name;
        this.hint = advice.hint;
    }
}
/** An error in a line for people: what is wrong and, where it is known, what to do about it. */
function describeError(error) {
    const message = (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error);
    return error instanceof TpiError && error.hint !== undefined ? `${message} (${error.hint})` : message;
}
/** The user wrote something wrong. Carries every fault found, and nothing was created. */
class InputError extends TpiError {
    exitCode = EXIT.invalid;
    outcome = 'invalid';
    faults;
    constructor(faults, advice) {
        const list = typeof faults === 'string' ? [{ option: '', message: faults }] : faults;
        super(list.map((fault) => fault.message + (fault.hint ? ` (${fault.hint})` : '')).join('\n'), advice);
        this.faults = list;
    }
}
/** Credentials missing or refused; the message names the permission. */
class AuthError extends TpiError {
    exitCode = EXIT.denied;
    outcome = 'denied';
}
/** No machine to be had here and now: trying elsewhere or later may help. */
class CapacityError extends TpiError {
    exitCode = EXIT.noCapacity;
    outcome = 'no-capacity';
}
/** The account's limit: trying again does not help, asking for more does. */
class QuotaError extends TpiError {
    exitCode = EXIT.noCapacity;
    outcome = 'no-capacity';
}
/** A cloud, forge or store failed, or results could not be delivered. */
class RemoteError extends TpiError {
    exitCode = EXIT.remote;
    outcome = 'remote-error';
    retryable;
    constructor(message, advice = {}) {
        super(message, advice);
        this.retryable = advice.retryable ?? false;
    }
}
/** We waited for something until its deadline. */
class DeadlineError extends TpiError {
    exitCode = EXIT.timedOut;
    outcome = 'timed-out';
}


/***/ }),

/***/ 21520:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ isOutputName),
/* harmony export */   g: () => (/* binding */ OUTPUT_VARIABLES)
/* harmony export */ });
/** Where we talk: a workflow, a terminal, or a test's memory. */
/** Before the names of outputs where they become variables of later jobs: nothing of ours, and no option, is read from such a variable. */
const OUTPUT_VARIABLES = 'TPI_OUT_';
/** What is taken for the name of an output: in the file that a forge reads them from, another one could be the beginning of something else. */
function isOutputName(name) {
    return /^[A-Za-z_][\w.-]{0,127}$/.test(name);
}


/***/ }),

/***/ 82260:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   PI: () => (/* binding */ newIncarnation),
/* harmony export */   Pk: () => (/* binding */ isRunId),
/* harmony export */   Vz: () => (/* binding */ runId),
/* harmony export */   Yd: () => (/* binding */ newNonce),
/* harmony export */   bf: () => (/* binding */ ownerOf),
/* harmony export */   dP: () => (/* binding */ deploymentId),
/* harmony export */   eQ: () => (/* binding */ isId),
/* harmony export */   nk: () => (/* binding */ calledName),
/* harmony export */   t2: () => (/* binding */ petName),
/* harmony export */   xt: () => (/* binding */ NAME_LENGTH),
/* harmony export */   yR: () => (/* binding */ slug)
/* harmony export */ });
/* unused harmony export NAME_PATTERN */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/** Who owns a deployment and what it is called: the same command in the same place finds the same deployment, nobody else does. */

/** Names are labels of cloud resources too: lower case, digits, dashes. */
const NAME_PATTERN = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
const ID_PATTERN = /^tpi-[a-z0-9-]{1,40}-[0-9a-f]{10}$/;
/** Cloud resources and labels leave this much room for a name. */
const NAME_LENGTH = 40;
const RUN_PATTERN = /^(tpi-[a-z0-9-]{1,40}-[0-9a-f]{10})\.\d{14}$/;
/** What a deployment is called whose name a user wrote like this. An id stays. */
function calledName(text) {
    return isId(text) || isRunId(text) ? text : slug(text, NAME_LENGTH);
}
/** One run of several that had the same name: the id, and when it was created. */
function runId({ id, createdAt }) {
    return `${id}.${createdAt.replace(/\D/g, '').slice(0, 14)}`;
}
function isRunId(text) {
    return RUN_PATTERN.test(text);
}
function isId(text) {
    return ID_PATTERN.test(text);
}
function deploymentId(owner, name) {
    return `tpi-${name}-${short(`${owner.key}\n${name}`, 10)}`;
}
function ownerOf(env, around) {
    if (env['GITHUB_ACTIONS'] === 'true' && env['GITHUB_REPOSITORY'])
        return githubOwner(env, around);
    if (env['GITLAB_CI'] === 'true' && env['CI_PROJECT_PATH'])
        return gitlabOwner(env);
    const user = `${around.user}@${around.host}`;
    return { key: user, origin: { user } };
}
function githubOwner(env, around) {
    const server = env['GITHUB_SERVER_URL'] ?? 'https://github.com';
    const repository = `${hostOf(server)}/${env['GITHUB_REPOSITORY']}`;
    const leg = around.matrix && around.matrix !== 'null' ? `-${short(around.matrix, 6)}` : '';
    // Not the run attempt: "re-run" must find what the first attempt made.
    const step = slug(`${env['GITHUB_RUN_ID']}-${env['GITHUB_JOB']}-${env['GITHUB_ACTION'] ?? ''}`, 32 - leg.length) + leg;
    return {
        key: repository,
        step,
        origin: defined({
            repository,
            commit: env['GITHUB_SHA'],
            ref: env['GITHUB_REF'],
            runUrl: `${server}/${env['GITHUB_REPOSITORY']}/actions/runs/${env['GITHUB_RUN_ID']}`,
            run: env['GITHUB_RUN_ID'],
            step,
            attempt: env['GITHUB_RUN_ATTEMPT'],
        }),
    };
}
function gitlabOwner(env) {
    const repository = `${env['CI_SERVER_HOST'] ?? 'gitlab.com'}/${env['CI_PROJECT_PATH']}`;
    // CI_JOB_NAME holds the matrix leg; CI_JOB_ID changes when the job is retried, the pipeline's does not.
    const step = slug(`${env['CI_PIPELINE_ID']}-${env['CI_JOB_NAME']}`, 32);
    return {
        key: repository,
        step,
        origin: defined({
            repository,
            commit: env['CI_COMMIT_SHA'],
            ref: env['CI_COMMIT_REF_NAME'],
            runUrl: env['CI_JOB_URL'],
            run: env['CI_PIPELINE_ID'],
            step,
        }),
    };
}
function hostOf(url) {
    return URL.canParse(url) ? new URL(url).host : url;
}
/** A name-safe form of any text, kept distinct by a hash when something had to be changed or cut. */
function slug(text, length) {
    const plain = text
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '');
    if (plain.length <= length && plain === text)
        return plain;
    const head = plain.slice(0, Math.max(1, length - 7)).replace(/-+$/, '');
    return `${head === '' ? 'x' : head}-${short(text, 6)}`;
}
function short(text, length) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(text).digest('hex').slice(0, length);
}
function defined(record) {
    return Object.fromEntries(Object.entries(record).filter((pair) => pair[1] !== undefined));
}
const newIncarnation = () => (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomBytes)(5).toString('hex');
const newNonce = () => (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomBytes)(9).toString('base64url');
const ADJECTIVES = 'amber brave brisk calm clear coral crisp eager early fleet fresh gentle golden grand keen light lucid lunar merry mild nimble noble pale quick quiet rapid ruby sage sharp silver solar steady stout sunny swift tidy vivid warm wise';
const NOUNS = 'acorn alder badger beacon birch brook cedar cliff comet crane delta dune ember falcon fern finch fjord grove harbor hazel heron ibis juniper kestrel lagoon lark maple meadow otter pebble pine plover raven reef ridge robin sparrow spruce summit tern thistle valley willow wren';
/** A fresh readable name for a command on a laptop that gave none. */
function petName(random = Math.random) {
    const pick = (words) => {
        const list = words.split(' ');
        return list[Math.floor(random() * list.length)] ?? 'plain';
    };
    return `${pick(ADJECTIVES)}-${pick(NOUNS)}-${Math.floor(random() * 900 + 100)}`;
}


/***/ }),

/***/ 85818:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  cK: () => (/* binding */ deliver),
  Dk: () => (/* binding */ markCollected),
  ur: () => (/* binding */ notePath)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/core/identity.js
var identity = __webpack_require__(82260);
// EXTERNAL MODULE: ./build/js/lib/remove.js
var remove = __webpack_require__(19564);
// EXTERNAL MODULE: ./build/js/snapshot/pins.js
var pins = __webpack_require__(29843);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
// EXTERNAL MODULE: ./build/js/wire/slot.js
var wire_slot = __webpack_require__(48088);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/engine/deployment.js
var deployment = __webpack_require__(23922);
// EXTERNAL MODULE: ./build/js/engine/record.js + 1 modules
var record = __webpack_require__(9923);
// EXTERNAL MODULE: ./build/js/engine/deliver/destination.js
var deliver_destination = __webpack_require__(47319);
// EXTERNAL MODULE: ./build/js/engine/deliver/install.js + 2 modules
var install = __webpack_require__(75023);
// EXTERNAL MODULE: ./build/js/engine/deliver/ledger.js
var ledger = __webpack_require__(33386);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/snapshot/path.js
var snapshot_path = __webpack_require__(69916);
;// CONCATENATED MODULE: ./build/js/engine/deliver/remarks.js
/** What a delivery has to say beyond its files: what lies elsewhere than its name says, and what does not lie here at all. */



/** One line each. */
function* toldOf({ placed, conflicts, git, changed, trees }) {
    const why = changed ? 'changed here since the upload' : 'is already here and is not from this run';
    for (const [path, beside] of placed.folders)
        yield `${path} is already here and is not a folder: the folder of that name was put beside it as ${beside}`;
    for (const [path, beside] of placed.beside)
        if (!beside.along)
            yield `${path} ${why}: the run's version was put beside it as ${beside.path}`;
    for (const path of conflicts)
        yield `${path}: slots made different versions; each is under its slot number`;
    if (git > 0)
        yield `${(0,lib_text/* plural */.LS)(git, 'file')} below .git ${git === 1 ? 'is' : 'are'} not delivered: nothing of a run is put where git looks for programs and settings; bring commits back as a file (git bundle)`;
    if (placed.refused.size > 0)
        yield `not delivered, because ${placed.refused.size === 1 ? 'it is a link that leads' : 'they are links that lead'} out of the output folder: ${(0,snapshot_path/* nameSome */.Kf)([...placed.refused])}`;
    const missing = new Map(placed.dangling.flatMap((item) => missed(item, trees)));
    for (const [path, target] of [...missing].slice(0, MOST))
        yield `${(0,snapshot_path/* showPath */.P8)(path)} is a link to ${(0,snapshot_path/* showPath */.P8)(target)}, which no "output" matches: add ${(0,snapshot_path/* showPath */.P8)(target)} to bring it back`;
    if (missing.size > MOST)
        yield `${missing.size - MOST} more links lead to files that no "output" matches`;
}
const MOST = 5;
/** What a link that leads nowhere here leads to in its own tree. */
function missed({ path, entry }, trees) {
    if (entry.type !== 'link')
        return [];
    const target = external_node_path_.posix.join((0,snapshot_path/* parentPath */.yl)(entry.path), entry.target).replace(/\/+$/, '');
    return trees.some(({ manifest }) => holds(manifest.entries, target)) ? [[path, target]] : [];
}
/** Entries are in the order of their paths. */
function holds(entries, path) {
    let [from, to] = [0, entries.length];
    while (from < to) {
        const middle = Math.floor((from + to) / 2);
        const there = entries.at(middle);
        const order = there === undefined ? 1 : (0,snapshot_path/* comparePaths */.cD)(there.path, path);
        if (order === 0)
            return true;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return false;
}

// EXTERNAL MODULE: ./build/js/lib/glob.js
var glob = __webpack_require__(42766);
// EXTERNAL MODULE: ./build/js/snapshot/manifest.js + 1 modules
var manifest = __webpack_require__(11760);
// EXTERNAL MODULE: ./build/js/wire/layout.js
var layout = __webpack_require__(64046);
// EXTERNAL MODULE: ./build/js/lib/git-name.js
var git_name = __webpack_require__(13476);
;// CONCATENATED MODULE: ./build/js/engine/deliver/merge.js
/** Which files of which slot are results, and where each one goes. Pure. */


/**
 * Results are the entries that match the globs and differ from what was uploaded; never those below `.git`, which would decide what the
 * caller's next `git` command runs. All trees come in the order of manifests, so the upload
 * is gone through once and never held: with a hundred thousand files it would be as large as the results.
 */
class Merger {
    #wish;
    #slots;
    #git = 0;
    constructor(slots, wish) {
        this.#wish = wish;
        this.#slots = slots.map(({ index, manifest }) => ({ index, entries: manifest.entries, next: 0, changed: [] }));
    }
    /** The next entry of what was uploaded. */
    uploaded(old) {
        for (const slot of this.#slots) {
            for (;;) {
                const entry = slot.entries.at(slot.next);
                const order = entry === undefined ? 1 : entry.path === old.path ? 0 : (0,snapshot_path/* comparePaths */.cD)(entry.path, old.path);
                if (entry === undefined || order > 0)
                    break;
                this.#look(slot, slot.next, entry, order === 0 ? old : undefined);
                slot.next += 1;
                if (order === 0)
                    break;
            }
        }
    }
    /** There is no more of the upload. */
    end() {
        for (const slot of this.#slots) {
            for (let number = slot.next; number < slot.entries.length; number++)
                this.#look(slot, number, slot.entries.at(number), undefined);
        }
        const [only, ...others] = this.#slots;
        if (only && others.length === 0 && this.#wish.layout === 'merge')
            return { results: new Changed(only), conflicts: [], git: this.#git };
        return this.#combine();
    }
    #look(slot, number, entry, old) {
        if (entry === undefined || !this.#wish.matches(entry.path) || (old && equal(entry, old)))
            return;
        if (!(0,git_name/* isBelowGit */.S)(entry.path))
            slot.changed.push(number);
        // `git status` writes the index anew: nobody's work.
        else if (entry.type !== 'folder' && !/(^|\/)\.git\/index$/.test(entry.path))
            this.#git += 1;
    }
    #combine() {
        const { layout } = this.#wish;
        const byPath = new Map();
        for (const slot of this.#slots) {
            for (const result of new Changed(slot)) {
                const there = byPath.get(result.path);
                if (there)
                    there.push(result);
                else
                    byPath.set(result.path, [result]);
            }
        }
        const results = [];
        const conflicts = [];
        for (const [path, versions] of byPath) {
            const [first] = versions;
            if (!first)
                continue;
            const agreed = versions.every((version) => equal(version.entry, first.entry));
            if (layout === 'merge' && agreed)
                results.push(first);
            else
                for (const version of versions)
                    results.push({ ...version, path: `${version.index}/${path}` });
            if (layout === 'merge' && !agreed)
                conflicts.push(path);
        }
        return { results, conflicts, git: this.#git };
    }
}
/** What a slot changed, where it lies in its tree. */
class Changed {
    #slot;
    constructor(slot) {
        this.#slot = slot;
    }
    *[Symbol.iterator]() {
        const { index, entries, changed } = this.#slot;
        for (const number of changed) {
            const entry = entries.at(number);
            if (entry !== undefined)
                yield { index, number, entry, path: entry.path };
        }
    }
}
/** Equal as results: content, kind and link target; times do not count. */
function equal(a, b) {
    if (a.type !== b.type)
        return false;
    if (a.type === 'file' && b.type === 'file')
        return a.hash === b.hash && a.size === b.size;
    if (a.type === 'link' && b.type === 'link')
        return a.target === b.target;
    return true;
}

;// CONCATENATED MODULE: ./build/js/engine/deliver/results.js
/** What of the snapshots of a run is to be delivered, and what was uploaded in its places. */





/** Results, and for their own folder what was uploaded in their places. `own`: digest of that, by the receipt of the start. */
async function compare(d, spec, trees, patterns, own) {
    const merger = new Merger(trees, { matches: (0,glob/* globs */.g)(patterns), layout: spec.delivery.outputLayout });
    const base = spec.base === undefined ? undefined : { digest: spec.base, at: layout/* BASE */.Wm };
    if (base)
        await (0,manifest/* eachEntry */.sJ)(d.store, d.keys.root, base, (entry) => merger.uploaded(entry));
    const merged = merger.end();
    const before = new Map();
    if (own === undefined)
        return { ...merged, before };
    const paths = new Set(pathsOf(merged.results));
    await (0,manifest/* eachEntry */.sJ)(d.store, d.keys.root, { digest: own, at: layout/* BASE */.Wm }, (entry) => {
        if (paths.has(entry.path))
            before.set(entry.path, entry);
    });
    return { ...merged, before };
}
/** One after the other as they are asked for. */
function* placements(results, aside) {
    for (const { index, path, entry } of results)
        yield { from: (0,external_node_path_.join)(aside, String(index), entry.path), path, entry };
}
async function slotManifest(d, slot) {
    const ref = slot.head;
    return (0,manifest/* readManifest */.WI)(d.store, d.keys.root, ref);
}
function bytesOf(results) {
    let bytes = 0;
    for (const { entry } of results)
        if (entry.type === 'file')
            bytes += entry.size;
    return bytes;
}
/** Of files and links. */
function pathsOf(results, named = (path) => path) {
    const paths = [];
    for (const { entry, path } of results)
        if (entry.type !== 'folder')
            paths.push(named(path));
    return paths;
}
/** Those that lie there now: some links do not. */
function without(results, refused) {
    return refused.size === 0
        ? results
        : {
            *[Symbol.iterator]() {
                for (const result of results)
                    if (!refused.has(result.path))
                        yield result;
            },
        };
}

// EXTERNAL MODULE: ./build/js/engine/deliver/staging.js + 5 modules
var staging = __webpack_require__(52229);
// EXTERNAL MODULE: ./build/js/engine/deliver/undelivered.js
var undelivered = __webpack_require__(44146);
;// CONCATENATED MODULE: ./build/js/engine/deliver/unmatched.js
/** Output globs that fit no file: misspelled, or of files that were never written. */



/** Globs that ask for files, each with what it fits: one with "!" only leaves some out. */
function asking(patterns) {
    return new Map(patterns.filter((pattern) => !pattern.startsWith('!')).map((pattern) => [pattern, (0,glob/* globs */.g)([pattern])]));
}
/** Those that fit no file in any of the slots' heads, changed or not. */
function unmatchedIn(trees, patterns) {
    const open = asking(patterns);
    return [...open].filter(([, fits]) => !trees.some(({ manifest }) => hasFile(manifest, fits))).map(([pattern]) => pattern);
}
/** The same where no slot changed anything: what each of them holds is the upload. */
async function unmatchedInUpload(d, spec, patterns) {
    const open = asking(patterns);
    if (spec.base === undefined)
        return [...open.keys()];
    await (0,manifest/* eachEntry */.sJ)(d.store, d.keys.root, { digest: spec.base, at: layout/* BASE */.Wm }, (entry) => {
        if (entry.type === 'folder')
            return;
        for (const [pattern, fits] of open)
            if (fits(entry.path))
                open.delete(pattern);
    });
    return [...open.keys()];
}
function hasFile({ entries }, fits) {
    for (const entry of entries)
        if (entry.type !== 'folder' && fits(entry.path))
            return true;
    return false;
}

;// CONCATENATED MODULE: ./build/js/engine/deliver/unreturned.js
/** What the programs of a run made or changed though nobody asked for outputs: it goes with the machines, and whoever reads the end is told. */






const NAMES = 3;
/** As the last snapshots have it; of what still runs, nothing yet. */
async function leftBehind(d, spec) {
    const slots = (await (0,deployment/* readSlots */.wI)(d, spec.count)).map((slot) => slot.record);
    const trees = await Promise.all(slots.filter(isTold).map(async (slot) => treeOf(d, slot)));
    const merger = new Merger(trees, { matches: (0,glob/* globs */.g)(['**']), layout: 'merge' });
    if (spec.base !== undefined && trees.length > 0)
        await (0,manifest/* eachEntry */.sJ)(d.store, d.keys.root, { digest: spec.base, at: layout/* BASE */.Wm }, (entry) => merger.uploaded(entry));
    const { results } = merger.end();
    const environments = new Set(environmentsIn(results));
    let files = 0;
    const names = [];
    for (const { entry, path } of results) {
        if (entry.type === 'folder' || environments.has(path.split('/', 1)[0] ?? ''))
            continue;
        files += 1;
        if (names.length < NAMES)
            names.push(path);
    }
    return { files, names };
}
/** Folders at the top that Python's own tools made: no work of anybody's, and made again by the next run. */
function* environmentsIn(results) {
    for (const { path } of results)
        if (/^[^/]+\/pyvenv\.cfg$/.test(path))
            yield path.slice(0, path.indexOf('/'));
}
function isTold(slot) {
    return (0,wire_slot/* isTerminal */.Hd)(slot.state) && (0,wire_slot/* hasSaved */.ce)(slot);
}
async function treeOf(d, { index, head }) {
    return { index, manifest: await (0,manifest/* readManifest */.WI)(d.store, d.keys.root, head) };
}

;// CONCATENATED MODULE: ./build/js/engine/deliver/collect.js
/** Bringing results home: pin, check the disk, download aside, verify, place. Anything that fails leaves the store as it is. */




















/** Delivers the results of a deployment's heads, finished or running; stops nothing. */
async function deliver(engine, d, spec, wish = {}) {
    const begun = engine.clock.now();
    const destination = await (0,deliver_destination/* destinationOf */.My)(engine, d, spec, wish);
    const { delivery: brought, paths } = await bringAll(engine, d, spec, wish, destination);
    const delivery = { ...brought, took: Math.round(engine.clock.now() - begun) };
    if (destination.globs.length > 0)
        await wish.delivered?.(delivery, paths);
    return delivery;
}
async function bringAll(engine, d, spec, wish, destination) {
    const { folder, globs: patterns } = destination;
    const nothing = {
        delivery: { folder: folder ?? '', files: [], bytes: 0, same: 0, beside: [], conflicts: [], saved: false, unmatched: [] },
        paths: [],
    };
    // Nobody asked for it: what cannot be read is not told either.
    const left = () => leftBehind(d, spec).catch(() => ({ files: 0, names: [] }));
    if (patterns.length === 0)
        return { ...nothing, delivery: { ...nothing.delivery, left: await left() } };
    if (!folder)
        throw new errors/* InputError */.dz('it is not known where its outputs belong', {
            hint: 'give a folder: --to DIR',
        });
    const all = (await (0,deployment/* readSlots */.wI)(d, spec.count)).map((slot) => slot.record);
    const chosen = all.filter((slot) => (wish.slots?.includes(slot.index) ?? true) && (0,wire_slot/* hasSaved */.ce)(slot));
    if (chosen.length === 0) {
        // While it runs, files may still come.
        const unmatched = all.every((slot) => (0,wire_slot/* isTerminal */.Hd)(slot.state)) ? await unmatchedInUpload(d, spec, patterns) : [];
        return { ...nothing, delivery: { ...nothing.delivery, unmatched } };
    }
    const pinned = await Promise.all(chosen.map((slot) => pinHead(d, slot)));
    try {
        return await bring(engine, d, spec, pinned, { ...destination, folder });
    }
    catch (error) {
        throw await (0,undelivered/* undelivered */.o)(error, d, folder);
    }
    finally {
        await Promise.allSettled(pinned.map((slot) => slot.release()));
    }
}
/** Where it is written down what deliveries of this deployment left where. */
function notePath(engine, d) {
    return (0,deliver_destination/* ownPath */.O4)(engine.home, 'delivered', d);
}
async function pinHead(d, slot) {
    // A finished slot has no holder that could prune.
    if ((0,wire_slot/* isTerminal */.Hd)(slot.state))
        return { ...slot, release: async () => { } };
    const head = async () => {
        const read = await (0,record/* readRecord */.aE)(wire_slot/* SLOT */.rt, d.store, d.keys.slot(slot.index).record);
        return read?.value.head ? [read.value.head] : [];
    };
    const held = await (0,pins/* pin */.y)({ store: d.store, root: d.keys.root, slot: slot.index, reader: `collect-${(0,identity/* newNonce */.Yd)()}`, head });
    return { ...slot, ...(held.refs[0] ? { head: held.refs[0] } : {}), release: () => held.release() };
}
async function bring(engine, d, spec, slots, { folder, globs: patterns, base, own, olderThan, fresh }) {
    const trees = await Promise.all(slots.map(async (slot) => ({ slot, index: slot.index, manifest: await slotManifest(d, slot) })));
    const unmatched = unmatchedIn(trees, patterns);
    const { results, conflicts, before, git } = await compare(d, spec, trees, patterns, own ? base : undefined);
    const bytes = bytesOf(results);
    await (0,promises_.mkdir)(folder, { recursive: true });
    if (fresh) {
        await (0,deliver_destination/* writeReceipt */.Qz)(engine, d, { v: 1, ...(await (0,deliver_destination/* readReceipt */.b8)(engine, d)), folder, fresh });
        engine.host.info(`it is not known here where ${d.name} was to put its outputs: they go to ${folder}; use --to DIR for another folder`);
    }
    await (0,staging/* needSpace */.zD)(d, folder, bytes);
    const aside = await (0,staging/* openAside */.pV)(folder);
    try {
        await Promise.all(trees.map((tree) => (0,staging/* download */.RG)(engine, d, tree, results, (0,external_node_path_.join)(aside, String(tree.index)))));
        const note = notePath(engine, d);
        const delivered = await (0,ledger/* readNote */.V)(note);
        const placed = await (0,install/* place */.i)(placements(results, aside), {
            folder,
            before: (path) => before.get(path),
            delivered,
            ...(olderThan ? { olderThan } : {}),
        });
        const there = without(results, placed.refused);
        await (0,ledger/* writeNote */.I)(note, delivered, there, placed.beside);
        for (const warning of toldOf({ placed, conflicts, git, changed: own && base !== undefined, trees }))
            engine.host.warn(warning);
        const paths = pathsOf(there, (path) => placed.beside.get(path)?.path ?? path);
        const beside = [...placed.beside.keys()];
        const files = [...placed.written, ...beside];
        return { delivery: { folder, files, bytes, same: placed.same.length, beside, conflicts, saved: true, unmatched }, paths };
    }
    finally {
        await (0,remove/* removeTree */.d)(aside);
    }
}
/** Marks the delivery complete; the first controller to do so wins, and that is fine. */
async function markCollected(engine, d, slots, to) {
    const at = engine.clock.date().toISOString();
    const heads = Object.fromEntries(slots.filter((slot) => slot.head).map((slot) => [String(slot.index), slot.head?.digest ?? '']));
    const record = { v: parse/* VERSION */.xv, at, by: engine.actor, ...(to && { to }), heads };
    try {
        await d.store.write(d.keys.collected, Buffer.from(JSON.stringify(record)), { absent: true });
    }
    catch (error) {
        if (!(0,store/* isStoreError */.A1)(error, 'conflict'))
            throw error;
    }
}


/***/ }),

/***/ 47319:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   My: () => (/* binding */ destinationOf),
/* harmony export */   O4: () => (/* binding */ ownPath),
/* harmony export */   Qz: () => (/* binding */ writeReceipt),
/* harmony export */   b8: () => (/* binding */ readReceipt),
/* harmony export */   tH: () => (/* binding */ promiseOf)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(76760);
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(39429);
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(82260);
/* harmony import */ var _lib_files_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(59381);
/* harmony import */ var _lib_git_name_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(13476);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(29611);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(13453);
/**
 * Where results land, and which: as this side has said it, for what a store holds may be anybody's. First match: what this command says; the
 * receipt of the start here; what the group's tags vouch for, below the current folder; a new folder of its own.
 */









const PATH = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .text */ .Qq)(65_536);
const receiptShape = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .object */ .Ik)({
    v: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .oneOf */ .yL)(1),
    folder: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .maybe */ .no)(PATH),
    fresh: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .oneOf */ .yL)(true)),
    start: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .object */ .Ik)({
        at: _lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .time */ .kB,
        workdir: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .maybe */ .no)(PATH),
        named: _lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .flag */ .Jt,
        output: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .list */ .p_)(PATH, 100_000),
        base: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .maybe */ .no)(_wire_parse_js__WEBPACK_IMPORTED_MODULE_7__/* .word */ .Vm),
    })),
});
/** A name of a deployment, and the hash of its id. */
const LONGEST = 60;
function receiptPath({ home }, d) {
    return ownPath(home, 'started', d);
}
/** Of a file of this home about a deployment, whose names may come from a store. */
function ownPath(home, kind, { id, incarnation }) {
    for (const name of [id, incarnation])
        if (!/^[\w-]+$/.test(name))
            throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .RemoteError */ .Hi(`store: "${name.slice(0, 60)}" is not a valid name of a deployment`);
    return (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(home, kind, id, `${incarnation}.json`);
}
async function readReceipt(engine, d) {
    return (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_5__/* .readJson */ .Vh)(receiptPath(engine, d), receiptShape);
}
async function writeReceipt(engine, d, receipt) {
    const path = receiptPath(engine, d);
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path), { recursive: true, mode: 0o700 });
    await (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_5__/* .writeJson */ .GF)(path, receipt);
}
/** For the tags of a group, which its machines cannot write: fits the specification that the start wrote, and no other. */
function promiseOf({ delivery, output }) {
    const said = JSON.stringify([delivery.path ?? null, delivery.outputLayout, output]);
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(said).digest('hex').slice(0, 32);
}
async function destinationOf(engine, d, spec, wish) {
    const { to, below = '.', here } = wish;
    const receipt = await readReceipt(engine, d);
    const start = receipt?.start;
    const vouched = d.promise !== undefined && d.promise === promiseOf(spec);
    const known = {
        globs: wish.globs ?? start?.output ?? (vouched || !wish.asked?.length ? spec.output : wish.asked),
        base: start?.base,
        own: false,
        olderThan: undefined,
        fresh: false,
    };
    const named = to ?? (receipt?.fresh ? undefined : receipt?.folder);
    if (named !== undefined) {
        const folder = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.resolve)(named, below);
        const own = start !== undefined && folder === (wish.workdir ?? start.workdir);
        // A folder of the work directory that only happens to be called like the run is the user's.
        const gives = start !== undefined && !own && (wish.below === undefined || to !== undefined || start.named);
        return { ...known, folder, own, olderThan: gives ? new Date(start.at) : undefined };
    }
    if (receipt?.fresh)
        return { ...known, folder: receipt.folder };
    if (here === undefined)
        return { ...known, folder: undefined };
    const confined = vouched ? await confinedTo(here, spec.delivery.path) : undefined;
    if (confined !== undefined)
        return { ...known, folder: (0,node_path__WEBPACK_IMPORTED_MODULE_2__.resolve)(confined, below) };
    return { ...known, folder: await unusedFolder(here, (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_4__/* .slug */ .yR)(wish.below ?? d.name, LONGEST)), fresh: true };
}
/** `undefined`: it leads elsewhere, by its names or by a link. */
async function confinedTo(here, path) {
    if (path === undefined || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.isAbsolute)(path) || path.split('/').includes('..') || (0,_lib_git_name_js__WEBPACK_IMPORTED_MODULE_8__/* .isBelowGit */ .S)(path))
        return undefined;
    const root = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(here);
    const folder = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.resolve)(root, path);
    const way = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(root, await realOf(folder));
    return way === '..' || way.startsWith('../') || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.isAbsolute)(way) || (0,_lib_git_name_js__WEBPACK_IMPORTED_MODULE_8__/* .isBelowGit */ .S)(way) ? undefined : folder;
}
/** Real, as far as it is there. */
async function realOf(path) {
    try {
        return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(path);
    }
    catch (error) {
        if (!(0,_lib_files_js__WEBPACK_IMPORTED_MODULE_5__/* .isGone */ .ST)(error) || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path) === path)
            throw error;
        // A link to nothing could lead anywhere as soon as there is something.
        if ((await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(path).catch(() => undefined))?.isSymbolicLink())
            return '/';
        return (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(await realOf((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path)), path.slice((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path).length));
    }
}
/** `NAME`, `NAME-2`, …: the first that does not exist, or empty. */
async function unusedFolder(here, name) {
    for (let number = 1;; number++) {
        const folder = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(here, number === 1 ? name : `${name}-${number}`);
        try {
            if ((await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(folder)).isDirectory() && (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readdir)(folder)).length === 0)
                return folder;
        }
        catch (error) {
            if ((0,_lib_files_js__WEBPACK_IMPORTED_MODULE_5__/* .hasCode */ .up)(error, 'ENOENT'))
                return folder;
            throw error;
        }
    }
}


/***/ }),

/***/ 60132:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ finish),
/* harmony export */   r: () => (/* binding */ readStatus)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_10__ = __webpack_require__(40859);
/* harmony import */ var _wire_slot_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(48088);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);
/* harmony import */ var _deployment_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(23922);
/* harmony import */ var _destroy_destroy_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(81898);
/* harmony import */ var _destroy_removed_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(96660);
/* harmony import */ var _follow_status_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(189);
/* harmony import */ var _history_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(49885);
/* harmony import */ var _patience_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(5822);
/* harmony import */ var _collect_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(85818);
/* harmony import */ var _undelivered_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(44146);
/** The end of a deployment in the hands of the controller that saw it: compute to 0, deliver, remember, give back. */











/**
 * All slots are terminal. Whatever fails on the way leaves the store in place and is thrown. With other controllers around, everyone
 * delivers before anything is cleared; who comes too late for that ends with an error, for it has delivered nothing.
 */
async function finish(engine, d, spec, seen, presence, wish = {}) {
    await (0,_patience_js__WEBPACK_IMPORTED_MODULE_7__/* .patiently */ .d_)(engine, async () => d.cloud.scale(d, 0));
    const before = (0,_follow_status_js__WEBPACK_IMPORTED_MODULE_5__/* .statusOf */ .c2)({ cloud: d.cloudId, spec, store: d.store.url, slots: seen });
    await (0,_history_js__WEBPACK_IMPORTED_MODULE_6__/* .remember */ .kY)(engine.home, before);
    const delivery = await bringHome(engine, d, spec, wish);
    const keep = seen.some(_wire_slot_js__WEBPACK_IMPORTED_MODULE_0__/* .isWorthKeeping */ .om) && (before.outcome !== 'success' || (!wish.optional && missed(engine, delivery)));
    if (!keep && !wish.optional)
        warnOfLeft(engine, delivery);
    // Whoever closed the last slot may have died before that.
    if (keep && spec.mode === 'task')
        await d.store.remove([d.keys.secrets]).catch(() => undefined);
    // Others that give back at the same time wait for us.
    await presence.leave();
    if (!keep)
        await (0,_destroy_destroy_js__WEBPACK_IMPORTED_MODULE_3__/* .destroy */ .zr)(engine, d, { why: 'collected', alone: () => presence.alone() });
    // Another command may be giving back at this moment what we would have kept.
    const kept = keep && !(await (0,_destroy_removed_js__WEBPACK_IMPORTED_MODULE_4__/* .isRemoved */ .RX)(d));
    const status = { ...before, collected: true, destroyed: !kept, ...(delivery?.folder && { delivered: placeOf(engine, delivery) }) };
    await (0,_history_js__WEBPACK_IMPORTED_MODULE_6__/* .remember */ .kY)(engine.home, status);
    return { status, delivery, keptUntil: kept ? keptUntil(spec, engine.clock.date()) : undefined };
}
const placeOf = ({ actor, clock }, { folder }) => ({
    at: clock.date().toISOString(),
    by: actor,
    to: folder,
});
async function bringHome(engine, d, spec, wish) {
    try {
        const slots = (await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_2__/* .readSlots */ .wI)(d, spec.count)).map((slot) => slot.record);
        const delivery = spec.mode === 'task' ? await (0,_collect_js__WEBPACK_IMPORTED_MODULE_8__/* .deliver */ .cK)(engine, d, spec, wish) : undefined;
        await (0,_collect_js__WEBPACK_IMPORTED_MODULE_8__/* .markCollected */ .Dk)(engine, d, slots, delivery?.folder);
        return delivery;
    }
    catch (error) {
        throw (await isGone(d, error)) ? await (0,_destroy_removed_js__WEBPACK_IMPORTED_MODULE_4__/* .tooLate */ .Bg)(engine, d, error) : await (0,_undelivered_js__WEBPACK_IMPORTED_MODULE_9__/* .undelivered */ .o)(error, d);
    }
}
/**
 * Outputs were asked for and none of the globs fits anything, which is more often a mistyped glob than a program without results: what it
 * made, if it made anything, must not go before somebody has looked.
 */
function missed({ host }, delivery) {
    for (const pattern of delivery?.unmatched ?? [])
        host.warn(`output: no file matches "${pattern}"`);
    return delivery !== undefined && delivery.saved && delivery.unmatched.length > 0 && delivery.files.length + delivery.same === 0;
}
/**
 * Not kept, as what a mistyped glob missed is: nobody asked for files, most such runs only print or send their results elsewhere, and each
 * would keep a store for its `retention` (in a cluster: a pod and a disk). So it is told before the start, and with names at the end.
 */
function warnOfLeft({ host }, delivery) {
    const { files, names } = delivery?.left ?? { files: 0, names: [] };
    if (files === 0)
        return;
    const which = `${names.map(_lib_text_js__WEBPACK_IMPORTED_MODULE_10__/* .quoted */ .TL).join(', ')}${files > names.length ? ', …' : ''}`;
    host.warn(`output: none was asked for, so ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_10__/* .plural */ .LS)(files, 'file')} that the script made or changed ${files === 1 ? 'is' : 'are'} lost with its machine: ${which}`);
}
/** Not only on the way out, as when somebody waits for us: what we read is no longer there. */
async function isGone(d, error) {
    if ((0,_wire_store_js__WEBPACK_IMPORTED_MODULE_1__/* .isStoreError */ .A1)(error, 'gone'))
        return true;
    return (await d.store.read(d.keys.spec).catch(() => ({}))) === undefined;
}
function keptUntil(spec, now) {
    return new Date(now.getTime() + spec.lifetime.retention * 1000).toISOString();
}
/** The present status from the records alone. */
async function readStatus(d, spec) {
    const [slots, collected] = await Promise.all([(0,_deployment_js__WEBPACK_IMPORTED_MODULE_2__/* .readSlots */ .wI)(d, spec.count), (0,_deployment_js__WEBPACK_IMPORTED_MODULE_2__/* .readCollected */ .qu)(d)]);
    return (0,_follow_status_js__WEBPACK_IMPORTED_MODULE_5__/* .statusOf */ .c2)({ cloud: d.cloudId, spec, store: d.store.url, slots: slots.map((slot) => slot.record), collected });
}


/***/ }),

/***/ 75023:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  c: () => (/* binding */ identityOf),
  i: () => (/* binding */ place)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/snapshot/path.js
var snapshot_path = __webpack_require__(69916);
// EXTERNAL MODULE: ./build/js/snapshot/reader.js
var reader = __webpack_require__(21296);
// EXTERNAL MODULE: ./build/js/lib/files.js
var files = __webpack_require__(59381);
;// CONCATENATED MODULE: ./build/js/engine/deliver/folders.js




/**
 * The folders that results go to. A link or a file that has the name of one stays what it is, and the folder goes beside it with all that
 * is in it: nothing is ever made or moved through a link, whoever put it there.
 */
class Folders {
    #root;
    #real = new Map([['', '']]);
    moved = new Map();
    constructor(root) {
        this.#root = root;
    }
    /** Without waiting, where it was asked for before. */
    known(folder) {
        return this.#real.get(folder);
    }
    /** Where such a folder of the results is, relative to the root; made, if need be. */
    async real(folder) {
        const known = this.known(folder);
        if (known !== undefined)
            return known;
        const [parent, name] = split(folder);
        const own = below(await this.real(parent), name);
        let path = own;
        for (let number = 1; !(await this.#isFolder(path)); number++)
            path = nameBeside(own, number);
        if (path !== own)
            this.moved.set(folder, path);
        this.#real.set(folder, path);
        return path;
    }
    /** There, or made now; `false`: something else has the name. */
    async #isFolder(path) {
        const target = (0,external_node_path_.join)(this.#root, path);
        const there = await thereAt(target);
        if (there)
            return there.isDirectory();
        try {
            await (0,promises_.mkdir)((0,snapshot_path/* nativePath */.vb)(target));
            return true;
        }
        catch (error) {
            // Another command delivers here at the same time.
            if (!(0,files/* hasCode */.up)(error, 'EEXIST'))
                throw error;
            return (await thereAt(target))?.isDirectory() ?? false;
        }
    }
}
/** Bytes of a file's name, at most. */
const LONGEST_NAME = 255;
/** `<path>~`, `<path>~2`, …: of a name that would be too long, as much as there is room for. */
function nameBeside(path, number) {
    const [folder, name] = split(path);
    const end = `~${number === 1 ? '' : number}`;
    const chars = Array.from(name);
    while (chars.length > 1 && Buffer.from((0,snapshot_path/* nativePath */.vb)(chars.join(''))).length + end.length > LONGEST_NAME)
        chars.pop();
    return below(folder, `${chars.join('')}${end}`);
}
function split(path) {
    const slash = path.lastIndexOf('/');
    return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)];
}
const below = (folder, name) => (folder === '' ? name : `${folder}/${name}`);
/** What has the name, not what a link of that name points to. */
async function thereAt(path) {
    return (0,promises_.lstat)((0,snapshot_path/* nativePath */.vb)(path)).catch((error) => {
        if ((0,files/* hasCode */.up)(error, 'ENOENT'))
            return undefined;
        throw error;
    });
}

// EXTERNAL MODULE: ./build/js/lib/git-name.js
var git_name = __webpack_require__(13476);
;// CONCATENATED MODULE: ./build/js/engine/deliver/links.js
/** Links among results: where they lead once they lie in a folder. None may lead out of it, whatever other links are there. */






/** As many as a system follows. */
const MOST_LINKS = 40;
const namesOf = (path) => path.split('/').filter((name) => name !== '' && name !== '.');
/**
 * A result's link goes up first, as far as its tree does, and then only down: what else is there may change where `a/..` leads. `path`: of
 * the link in its tree.
 */
function staysBelow(path, target) {
    if (target === '' || target.startsWith('/') || target.includes('\0'))
        return false;
    const names = namesOf(target);
    const up = names.lastIndexOf('..') + 1;
    return names.slice(0, up).every((name) => name === '..') && up < path.split('/').length;
}
/**
 * Where such a link leads, relative to `root` (a real path), on the way through whatever links are there; what does not exist is no link.
 * `undefined`: out of it, or into a repository's own folder.
 */
async function leadsTo(root, path, target) {
    const todo = namesOf(target);
    const here = namesOf((0,snapshot_path/* parentPath */.yl)(path));
    for (let links = 0; todo.length > 0 && links <= MOST_LINKS;) {
        const name = todo.shift() ?? '';
        if (name === '..') {
            if (here.pop() === undefined)
                return undefined;
            continue;
        }
        const there = (0,external_node_path_.join)(root, ...here, name);
        if (!(await isLink(there))) {
            here.push(name);
            continue;
        }
        links += 1;
        const next = (0,reader/* linkTarget */.Cm)(there);
        const below = next.startsWith('/') ? relativeTo(root, next) : next;
        if (below === undefined)
            return undefined;
        if (next.startsWith('/'))
            here.length = 0;
        todo.unshift(...namesOf(below));
    }
    const end = here.join('/');
    return (0,git_name/* isBelowGit */.S)(end) ? undefined : end;
}
/** `undefined`: not below the folder, as the path is written. */
function relativeTo(root, path) {
    if (path === root)
        return '';
    return path.startsWith(root === '/' ? root : `${root}/`) ? path.slice(root.length) : undefined;
}
async function isLink(path) {
    try {
        return (await (0,promises_.lstat)((0,snapshot_path/* nativePath */.vb)(path))).isSymbolicLink();
    }
    catch (error) {
        if ((0,files/* hasCode */.up)(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG'))
            return false;
        throw error;
    }
}

// EXTERNAL MODULE: ./build/js/engine/deliver/put.js
var put = __webpack_require__(72074);
;// CONCATENATED MODULE: ./build/js/engine/deliver/install.js
/** Putting downloaded files where the user wants them, without ever writing over a file that changed since the upload. */







/** Files first: a link is judged by where it leads once everything else is there. */
async function place(items, options) {
    const placer = new Placer(options);
    const links = [];
    for (const item of items) {
        const { entry } = item;
        // Folders are made, but nobody counts them among results.
        if (entry.type === 'folder')
            await placer.folders.real(item.path);
        else if (entry.type === 'link')
            links.push({ ...item, entry });
        else
            await placer.add(item);
    }
    if (links.length > 0)
        await placer.link(links, await (0,promises_.realpath)(options.folder));
    const { lists, beside, folders, refused, dangling } = placer;
    return { written: lists.write, same: lists.same, beside, folders: folders.moved, refused, dangling };
}
class Placer {
    #options;
    folders;
    lists = { write: [], same: [] };
    beside = new Map();
    refused = new Set();
    dangling = [];
    /** Names that end as ours beside others do: a result may have such a name itself, and neither may take the other's place. */
    #taken = new Set();
    constructor(options) {
        this.#options = options;
        this.folders = new Folders(options.folder);
    }
    /** Where it lies now. `undefined`: `allowed` says that it may not lie there. */
    async add(item, allowed) {
        const { folder: root } = this.#options;
        const [folder, name] = split(item.path);
        const real = this.folders.known(folder) ?? (await this.folders.real(folder));
        // Of a hundred thousand files none needs a second path.
        const path = real === folder ? item.path : below(real, name);
        if (allowed && !(await allowed(path)))
            return undefined;
        const along = path !== item.path;
        // Only what lies at its own place can be what was uploaded.
        const judged = along ? withoutUpload(this.#options) : this.#options;
        const fate = this.#taken.has(path) ? 'beside' : await fateOf(item, path, judged);
        const beside = fate === 'beside' ? await besides(item, path, this.#taken, this.#options) : undefined;
        const lies = beside?.path ?? path;
        const written = beside?.written ?? fate === 'write';
        if (written && item.entry.type !== 'folder')
            await (0,put/* put */.y)(item.from, item.entry, (0,external_node_path_.join)(root, lies));
        if (LIKE_BESIDE.test(lies))
            this.#taken.add(lies);
        if (beside)
            this.beside.set(item.path, { ...beside, along: false });
        else if (along)
            this.beside.set(item.path, { path, written, along });
        else if (fate !== 'beside')
            this.lists[fate].push(item.path);
        return lies;
    }
    /** `root`: the folder's real path. */
    async link(links, root) {
        const put = [];
        for (const item of links) {
            const { path, target } = item.entry;
            const allowed = async (at) => (await leadsTo(root, at, target)) !== undefined;
            const lies = staysBelow(path, target) ? await this.add(item, allowed) : undefined;
            if (lies === undefined)
                this.refused.add(item.path);
            else
                put.push({ item, target, lies });
        }
        // A link may have got another way by one that came after it.
        for (const { item, target, lies } of put) {
            const end = await leadsTo(root, lies, target);
            if (end === undefined)
                await this.#takeBack(item.path, (0,external_node_path_.join)(root, lies));
            else if ((await thereAt((0,external_node_path_.join)(root, end))) === undefined)
                this.dangling.push(item);
        }
    }
    async #takeBack(path, lies) {
        this.refused.add(path);
        // What was there before is the user's own.
        if (this.lists.write.includes(path) || this.beside.get(path)?.written)
            await (0,promises_.unlink)((0,snapshot_path/* nativePath */.vb)(lies));
        this.beside.delete(path);
        this.lists = { write: without(this.lists.write, path), same: without(this.lists.same, path) };
    }
}
const without = (paths, path) => paths.filter((other) => other !== path);
const LIKE_BESIDE = /~\d*(\/|$)/;
/** Whatever else lies there is somebody's: the user's own, or the result of another run. */
const withoutUpload = ({ folder, delivered }) => ({ folder, delivered, before: () => undefined });
/** The first of `<path>~`, `<path>~2`, … that is free, holds the same already, or was left by this deployment and is untouched. */
async function besides(item, own, taken, options) {
    for (let number = 1;; number++) {
        const path = nameBeside(own, number);
        if (taken.has(path))
            continue;
        const fate = await fateOf(item, path, withoutUpload(options));
        if (fate !== 'beside')
            return { path, written: fate === 'write' };
    }
}
/** Of the item, if it went to `path`, whose folder is there. */
async function fateOf(item, path, options) {
    const target = (0,external_node_path_.join)(options.folder, path);
    const there = await thereAt(target);
    if (!there)
        return 'write';
    if (there.isDirectory())
        return 'beside';
    if (await holds(target, item.entry))
        return 'same';
    const before = options.before(path);
    if (before && (await holds(target, before)))
        return 'write';
    const ours = options.delivered[path];
    if (ours !== undefined && (await identityAt(target)) === ours)
        return 'write';
    if (options.olderThan && there.mtime < options.olderThan && there.ctime < options.olderThan)
        return 'write';
    return 'beside';
}
/** Does the path hold exactly this entry's content? */
async function holds(path, entry) {
    return (await identityAt(path)) === identityOf(entry);
}
/** What counts as content: bytes, or where a link points. */
function identityOf(entry) {
    if (entry.type === 'link')
        return `link ${entry.target}`;
    return entry.type === 'folder' ? 'folder' : `file ${entry.hash}`;
}
async function identityAt(path) {
    const there = await (0,promises_.lstat)((0,snapshot_path/* nativePath */.vb)(path));
    if (there.isSymbolicLink())
        return `link ${(0,reader/* linkTarget */.Cm)(path)}`;
    if (there.isDirectory())
        return 'folder';
    return there.isFile() ? `file ${await (0,reader/* fileHash */.Lg)(path)}` : 'special';
}


/***/ }),

/***/ 33386:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ writeNote),
/* harmony export */   V: () => (/* binding */ readNote)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(76760);
/* harmony import */ var node_stream__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(57075);
/* harmony import */ var node_stream_promises__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(46466);
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(82260);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(29611);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(13453);
/* harmony import */ var _install_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(75023);
/** What deliveries of a deployment left where: what of it nobody touched, the next delivery may replace. */









const TEXT = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .text */ .Qq)(65_536);
const NOTE = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_6__/* .dictionary */ .zz)(TEXT, TEXT, 10_000_000);
async function readNote(path) {
    const text = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(path, 'utf8').catch((error) => {
        if (error.code === 'ENOENT')
            return '{}';
        throw error;
    });
    return (0,_wire_parse_js__WEBPACK_IMPORTED_MODULE_7__/* .parseShape */ .Tr)(NOTE, text);
}
/** Adds what now lies in the folder by us; `beside`: paths whose file stayed the user's own, and where ours went. */
async function writeNote(path, former, placed, beside) {
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path), { recursive: true });
    // Its own: another command may deliver the same to another folder at this moment.
    const temporary = `${path}.${(0,_core_identity_js__WEBPACK_IMPORTED_MODULE_5__/* .newNonce */ .Yd)()}.part`;
    try {
        await (0,node_stream_promises__WEBPACK_IMPORTED_MODULE_4__.pipeline)(node_stream__WEBPACK_IMPORTED_MODULE_3__.Readable.from(inParts(noted(former, placed, beside))), (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.createWriteStream)(temporary));
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rename)(temporary, path);
    }
    catch (error) {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rm)(temporary, { force: true });
        throw error;
    }
}
function* noted(former, placed, beside) {
    const left = new Map(Object.entries(former));
    for (const { path, entry } of placed) {
        if (entry.type === 'folder')
            continue;
        const aside = beside.get(path);
        if (aside && !aside.written)
            continue;
        const at = aside?.path ?? path;
        left.delete(at);
        yield [at, (0,_install_js__WEBPACK_IMPORTED_MODULE_8__/* .identityOf */ .c)(entry)];
    }
    yield* left;
}
const LINES_AT_ONCE = 500;
/** JSON, some lines at a time: one text of many files would take more memory than all the rest. */
function* inParts(values) {
    let part = '{';
    let lines = 0;
    for (const [name, value] of values) {
        part += `${lines === 0 ? '' : ',\n'}${JSON.stringify(name)}:${JSON.stringify(value)}`;
        if (++lines % LINES_AT_ONCE !== 0)
            continue;
        yield part;
        part = '';
    }
    yield `${part}}`;
}


/***/ }),

/***/ 72074:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ PERMISSIONS),
/* harmony export */   y: () => (/* binding */ put)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(82260);
/* harmony import */ var _lib_files_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(59381);
/* harmony import */ var _snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(69916);
/** One result into its place, as a whole. */





/** Permissions alone: what a machine made runs with the rights of whoever starts it. */
const PERMISSIONS = 0o777;
/** `from`: downloaded and verified; its folder and that of `target` are there. */
async function put(from, entry, target) {
    if (entry.type === 'link')
        return shortly(target, async (temporary) => {
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.symlink)((0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(entry.target), (0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(temporary));
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.lutimes)((0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(temporary), secondsOf(entry), secondsOf(entry));
        });
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.rename)((0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(from), (0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(target));
    }
    catch (error) {
        if (!(0,_lib_files_js__WEBPACK_IMPORTED_MODULE_3__/* .hasCode */ .up)(error, 'EXDEV'))
            throw error;
        await shortly(target, async (temporary) => copy((0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(from), temporary, entry));
    }
}
/** Made under another name first: a short one, for the file's own may be as long as names can be. */
async function shortly(target, make) {
    const temporary = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(target), `.tpi-${(0,_core_identity_js__WEBPACK_IMPORTED_MODULE_2__/* .newNonce */ .Yd)()}.part`);
    try {
        await make(temporary);
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.rename)((0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(temporary), (0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(target));
    }
    catch (error) {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.rm)((0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(temporary), { force: true });
        throw error;
    }
}
/** To another file system; flushed before it gets its name. */
async function copy(from, to, entry) {
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.copyFile)(from, (0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(to));
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.open)((0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(to), 'r');
    await file.sync();
    await file.close();
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.chmod)((0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(to), entry.mode & PERMISSIONS);
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.utimes)((0,_snapshot_path_js__WEBPACK_IMPORTED_MODULE_4__/* .nativePath */ .vb)(to), secondsOf(entry), secondsOf(entry));
}
const secondsOf = ({ mtime }) => Number(BigInt(mtime) / 1000n) / 1e6;


/***/ }),

/***/ 52229:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  BG: () => (/* binding */ INCOMING),
  RG: () => (/* binding */ staging_download),
  zD: () => (/* binding */ needSpace),
  pV: () => (/* binding */ openAside)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/lib/bytes.js
var lib_bytes = __webpack_require__(18913);
// EXTERNAL MODULE: ./build/js/lib/remove.js
var remove = __webpack_require__(19564);
// EXTERNAL MODULE: ./build/js/lib/writer.js
var writer = __webpack_require__(25507);
// EXTERNAL MODULE: ./build/js/snapshot/path.js
var snapshot_path = __webpack_require__(69916);
;// CONCATENATED MODULE: ./build/js/snapshot/chosen.js
/** Some entries of a tree, by their numbers there: a hundred thousand of them are not made into objects to be remembered. */

class Chosen {
    #tree;
    #numbers;
    #seen;
    /** `numbers`: in the tree's order. `seen`: how each one is shown. */
    constructor(tree, numbers, seen = (entry) => entry) {
        this.#tree = tree;
        this.#numbers = numbers;
        this.#seen = seen;
    }
    get length() {
        return this.#numbers.length;
    }
    at(index) {
        const number = this.#numbers[index];
        const entry = number === undefined ? undefined : this.#tree.at(number);
        return entry && this.#seen(entry);
    }
    *[Symbol.iterator]() {
        for (let index = 0; index < this.length; index++) {
            const entry = this.at(index);
            if (entry !== undefined)
                yield entry;
        }
    }
}
/** Numbers of what fits, in order. */
function numbersOf(tree, fits) {
    const numbers = [];
    for (let number = 0; number < tree.length; number++) {
        const entry = tree.at(number);
        if (entry !== undefined && fits(entry))
            numbers.push(number);
    }
    return numbers;
}
/** What was chosen of a tree, and the folders that it lies in; both in the tree's order, as the numbers are. */
function withFolders(tree, numbers) {
    const folders = new Set();
    for (const { path: inside } of new Chosen(tree, numbers))
        for (let path = (0,snapshot_path/* parentPath */.yl)(inside); path !== '' && !folders.has(path); path = (0,snapshot_path/* parentPath */.yl)(path))
            folders.add(path);
    let next = 0;
    const found = [];
    for (let number = 0; number < tree.length; number++) {
        const isChosen = numbers[next] === number;
        if (isChosen)
            next += 1;
        const entry = isChosen ? undefined : tree.at(number);
        if (isChosen || (entry?.type === 'folder' && folders.has(entry.path)))
            found.push(number);
    }
    return found;
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(31421);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(57975);
// EXTERNAL MODULE: ./build/js/snapshot/errors.js
var snapshot_errors = __webpack_require__(45468);
// EXTERNAL MODULE: ./build/js/snapshot/scan.js
var scan = __webpack_require__(61866);
;// CONCATENATED MODULE: ./build/js/snapshot/disk.js
/** Whole folders on this machine's disk. */







const run = (0,external_node_util_.promisify)(external_node_child_process_.execFile);
/** So many flushes cost less than starting a program. */
const FEW = 32;
/** Removes a folder or file with all that is in it. Gone already is fine. */
async function disk_wipe(path) {
    try {
        await (0,remove/* removeTree */.d)(path);
    }
    catch (error) {
        throw (0,snapshot_errors/* localError */.go)(`remove "${path}"`, error);
    }
}
/**
 * Everything below `folder` is on disk when it resolves. `sync -f` flushes its whole file system in one go, where fifty thousand calls of
 * fsync take minutes; where that program does not know the option (macOS, small containers), or there are only few (`entries`), each file
 * and folder is flushed by itself.
 */
async function disk_syncTree(folder, entries) {
    if (entries <= FEW)
        return await syncEach(folder);
    try {
        await run('sync', ['-f', folder]);
    }
    catch {
        await syncEach(folder);
    }
}
async function syncEach(folder) {
    const { paths, kind } = await (0,scan/* scanTree */.wp)(folder);
    const waiting = [
        folder,
        ...paths.filter((_, number) => kind[number] === scan/* FILE */.PW || kind[number] === scan/* FOLDER */.L7).map((path) => `${folder}/${path}`),
    ];
    const worker = async () => {
        for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
            await syncOne(path);
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
}
async function syncOne(path) {
    try {
        const handle = await (0,promises_.open)((0,snapshot_path/* nativePath */.vb)(path), 'r');
        try {
            await handle.sync();
        }
        finally {
            await handle.close();
        }
    }
    catch (error) {
        // A file we may not open again (its mode says so) cannot be flushed by itself.
        if ((0,snapshot_errors/* errorCode */.CA)(error) !== 'EACCES')
            throw (0,snapshot_errors/* localError */.go)(`flush "${path}"`, error);
    }
}

// EXTERNAL MODULE: ./build/js/lib/heap.js + 2 modules
var heap = __webpack_require__(42273);
// EXTERNAL MODULE: ./build/js/snapshot/frames.js
var snapshot_frames = __webpack_require__(70741);
// EXTERNAL MODULE: ./build/js/snapshot/limits.js
var limits = __webpack_require__(83703);
// EXTERNAL MODULE: ./build/js/snapshot/pack.js
var pack = __webpack_require__(71098);
// EXTERNAL MODULE: ./build/js/snapshot/patience.js
var patience = __webpack_require__(61056);
// EXTERNAL MODULE: ./build/js/snapshot/pieces.js
var pieces = __webpack_require__(16832);
;// CONCATENATED MODULE: ./build/js/snapshot/place.js
/** Writes entries of a manifest to disk: confined to one folder that nobody else writes to, every byte verified before it is written. */





const CREATE = external_node_fs_.constants.O_WRONLY | external_node_fs_.constants.O_CREAT | external_node_fs_.constants.O_EXCL | external_node_fs_.constants.O_NOFOLLOW;
const REOPEN = external_node_fs_.constants.O_WRONLY | external_node_fs_.constants.O_NOFOLLOW;
/** Runs of zeros of this many bytes stay holes. */
const HOLE = 64 << 10;
const writeAsync = (0,external_node_util_.promisify)(external_node_fs_.write);
/** Seconds, as the file system calls of Node want them. */
function seconds(nanoseconds) {
    const time = BigInt(nanoseconds);
    return Number(time / 1000000000n) + Number(time % 1000000000n) / 1e9;
}
class Placer {
    #folder;
    /** Pieces still to come, of files that take more than one write. */
    #left = new Map();
    constructor(folder) {
        this.#folder = folder;
    }
    addFolder(entry) {
        this.#try(entry, (path) => (0,external_node_fs_.mkdirSync)(path, { mode: 0o700 }));
    }
    /** Empty and all-zero files are whole at once; `true`: its pieces are wanted. */
    begin(entry) {
        const stored = entry.pieces.filter((piece) => piece.key !== '').length;
        if (stored === 1 && entry.pieces.length === 1 && entry.size < pack/* SMALL */.o5)
            return true;
        this.#try(entry, (path) => {
            const fd = (0,external_node_fs_.openSync)(path, CREATE, 0o600);
            try {
                (0,external_node_fs_.ftruncateSync)(fd, entry.size);
                if (stored === 0)
                    finish(fd, entry);
            }
            finally {
                (0,external_node_fs_.closeSync)(fd);
            }
        });
        if (stored > 0)
            this.#left.set(entry, stored);
        return stored > 0;
    }
    /** Verified bytes of the piece that begins at `at`. */
    async put(entry, at, bytes) {
        if (this.#left.has(entry))
            await this.#putPart(entry, at, bytes);
        else
            this.#try(entry, (path) => putWhole(path, entry, bytes));
    }
    isWhole(entry) {
        return !this.#left.has(entry);
    }
    /** Links come after all files: nothing can have been written through them. */
    addLink(entry) {
        this.#try(entry, (path) => {
            (0,external_node_fs_.symlinkSync)((0,snapshot_path/* nativePath */.vb)(entry.target), path);
            (0,external_node_fs_.lutimesSync)(path, seconds(entry.mtime), seconds(entry.mtime));
        });
    }
    /** Modes and times of folders: last, and what is inside before what is around. */
    finishFolder(entry) {
        this.#try(entry, (path) => {
            (0,external_node_fs_.chmodSync)(path, entry.mode);
            (0,external_node_fs_.utimesSync)(path, seconds(entry.mtime), seconds(entry.mtime));
        });
    }
    async #putPart(entry, at, bytes) {
        try {
            const fd = (0,external_node_fs_.openSync)(this.#native(entry), REOPEN);
            try {
                for (const [from, to] of solid(bytes))
                    await writeFully(fd, bytes.subarray(from, to), at + from);
                const left = (this.#left.get(entry) ?? 1) - 1;
                if (left > 0)
                    this.#left.set(entry, left);
                else {
                    this.#left.delete(entry);
                    finish(fd, entry);
                }
            }
            finally {
                (0,external_node_fs_.closeSync)(fd);
            }
        }
        catch (error) {
            throw (0,snapshot_errors/* localError */.go)(`write ${(0,snapshot_path/* showPath */.P8)(entry.path)}`, error);
        }
    }
    #native(entry) {
        return (0,snapshot_path/* nativePath */.vb)(`${this.#folder}/${entry.path}`);
    }
    #try(entry, work) {
        try {
            work(this.#native(entry));
        }
        catch (error) {
            throw (0,snapshot_errors/* localError */.go)(`write ${(0,snapshot_path/* showPath */.P8)(entry.path)}`, error);
        }
    }
}
/** Writing clears set-id bits and moves times: both are set at the end. */
function finish(fd, entry) {
    (0,external_node_fs_.fchmodSync)(fd, entry.mode);
    (0,external_node_fs_.futimesSync)(fd, seconds(entry.mtime), seconds(entry.mtime));
}
function putWhole(path, entry, bytes) {
    const fd = (0,external_node_fs_.openSync)(path, CREATE, 0o600);
    try {
        for (let done = 0; done < bytes.length;)
            done += (0,external_node_fs_.writeSync)(fd, bytes, done);
        finish(fd, entry);
    }
    finally {
        (0,external_node_fs_.closeSync)(fd);
    }
}
async function writeFully(fd, bytes, at) {
    for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await writeAsync(fd, bytes, done, bytes.length - done, at + done);
        done += bytesWritten;
    }
}
/** The parts that are not holes. */
function* solid(bytes) {
    let begin = 0;
    for (let from = 0; from < bytes.length; from += HOLE) {
        const to = Math.min(from + HOLE, bytes.length);
        if (bytes[from] !== 0 || !(0,pack/* isZero */.be)(bytes.subarray(from, to)))
            continue;
        if (from > begin)
            yield [begin, from];
        begin = to;
    }
    if (bytes.length > begin)
        yield [begin, bytes.length];
}

// EXTERNAL MODULE: ./build/js/snapshot/zstd.js
var zstd = __webpack_require__(31508);
;// CONCATENATED MODULE: ./build/js/snapshot/fetch.js
/** Brings the pieces of a manifest from the store to the disk: runs of objects in parallel, within a bounded memory. */












/** Bytes of a gap that is read rather than skipped. */
const GAP = 256 << 10;
/** Bytes of all reads in flight: at most, less what is held of each entry, and at least. Each is half as long, so that two overlap. */
const IN_FLIGHT = 8 << 20;
const HELD_PER_ENTRY = 40;
const LEAST_IN_FLIGHT = 4 << 20;
const MOST_RUNS = 16;
/** Entries that are sorted out at a time. Neighbours mostly lie in the same objects. */
const AT_ONCE = 20_000;
const SLICE = 8;
/** Makes all selected entries below `folder`, which exists and is empty. Throws `corrupt`, `lost`, `disk-full`, `local`, and StoreError. */
async function fetchTree(source, manifest, folder, select) {
    await new Fetch(source, new Placer(folder)).run(select === undefined ? manifest.entries : selected(manifest.entries, select));
}
function selected(tree, select) {
    return new Chosen(tree, withFolders(tree, numbersOf(tree, select)));
}
class Fetch {
    #source;
    #placer;
    #done = { files: 0, bytes: 0, total: 0 };
    #sliceEnd = 0;
    /** Bytes of the reads that are under way, and that may be. */
    #inFlight = 0;
    #most = IN_FLIGHT;
    constructor(source, placer) {
        this.#source = source;
        this.#placer = placer;
    }
    async run(entries) {
        this.#most = Math.max(LEAST_IN_FLIGHT, IN_FLIGHT - entries.length * HELD_PER_ENTRY);
        for (const entry of entries)
            if (entry.type === 'file')
                this.#done.total += entry.size;
        await this.#runs(this.#prepare(entries));
        const folders = [];
        for (const entry of entries) {
            if (entry.type === 'link')
                this.#placer.addLink(entry);
            if (entry.type === 'folder')
                folders.push(entry);
        }
        for (const entry of folders.reverse())
            this.#placer.finishFolder(entry);
    }
    /** Makes folders and files that need several writes, and sorts out what to read: of some entries at a time, as it is asked for. */
    *#prepare(entries) {
        const wants = new Map();
        let sorted = 0;
        for (const entry of entries) {
            if (++sorted % AT_ONCE === 0) {
                yield* allRuns(wants, this.#most / 2);
                wants.clear();
            }
            if (entry.type === 'folder')
                this.#placer.addFolder(entry);
            if (entry.type !== 'file')
                continue;
            if (!this.#placer.begin(entry)) {
                this.#note(entry, entry.size);
                continue;
            }
            let at = 0;
            for (const piece of entry.pieces) {
                if (piece.key !== '')
                    listFor(wants, piece.key).push({ piece, entry, at });
                else
                    this.#done.bytes += piece.size;
                at += piece.size;
            }
        }
        yield* allRuns(wants, this.#most / 2);
    }
    async #runs(runs) {
        const running = new Set();
        let failure;
        const fail = (error) => {
            failure ??= { error };
        };
        try {
            for (const run of runs) {
                const size = run.to - run.from;
                while (this.#isBusy(running.size, size))
                    await Promise.race(running);
                if (failure !== undefined)
                    break;
                this.#inFlight += size;
                const task = this.#one(run)
                    .catch(fail)
                    .finally(() => {
                    this.#inFlight -= size;
                    running.delete(task);
                });
                running.add(task);
            }
        }
        catch (error) {
            // Also what makes the runs writes to the disk, and may find it full.
            fail(error);
        }
        // Nobody writes into the folder any more when the caller hears of the failure, and wipes it.
        await Promise.all(running);
        if (failure !== undefined)
            throw failure.error;
    }
    #isBusy(running, size) {
        return running >= MOST_RUNS || (running > 0 && this.#inFlight + size > this.#most);
    }
    async #one({ key, from, to, wants }) {
        const { store, root, signal } = this.#source;
        const object = await (0,patience/* patiently */.d)(() => store.read(root + key, { from, to }, signal), signal);
        if (object === undefined)
            throw new snapshot_errors/* SnapshotError */.JC('lost', `${key} is not in the store`);
        const bytes = Buffer.from(object.bytes.buffer, object.bytes.byteOffset, object.bytes.byteLength);
        let frame;
        for (const want of wants) {
            const { piece } = want;
            const stored = bytes.subarray(piece.from - from, piece.from - from + piece.length);
            if (stored.length !== piece.length)
                throw damaged(want);
            if (!piece.zstd)
                await this.#place(want, stored);
            else {
                if (frame?.from !== piece.from) {
                    frame?.plain.free();
                    frame = await unpacked(stored, want);
                }
                await this.#place(want, frame.plain.bytes.subarray(piece.offset, piece.offset + piece.size));
            }
        }
        frame?.plain.free();
        (0,heap/* free */.t9)(object.bytes); // a store hands out bytes of the reader's own
    }
    async #place(want, plain) {
        const { piece, entry, at } = want;
        if (plain.length !== piece.size)
            throw damaged(want);
        const sum = plain.length < pack/* SMALL */.o5 ? (0,pieces/* sumOf */.XN)(plain) : await (0,pack/* digest */.br)(plain);
        if (sum !== (0,pieces/* fromHex */.aD)(piece.sha256))
            throw damaged(want);
        await this.#placer.put(entry, at, plain);
        this.#note(this.#placer.isWhole(entry) ? entry : undefined, piece.size);
        if (performance.now() < this.#sliceEnd)
            return;
        await (0,scan/* nextTurn */.tJ)();
        this.#source.signal?.throwIfAborted();
        this.#sliceEnd = performance.now() + SLICE;
    }
    #note(whole, bytes) {
        this.#done.bytes += bytes;
        if (whole !== undefined)
            this.#done.files += 1;
        this.#source.progress?.({ ...this.#done });
    }
}
function listFor(lists, key) {
    const list = lists.get(key);
    if (list !== undefined)
        return list;
    const fresh = [];
    lists.set(key, fresh);
    return fresh;
}
function* allRuns(wants, most) {
    for (const [key, list] of wants)
        yield* cutRuns(key, list, most);
}
/** Of at most so many bytes, but for a piece that is longer. */
function cutRuns(key, wants, most) {
    const runs = [];
    let run;
    for (const want of wants.sort((a, b) => a.piece.from - b.piece.from || a.piece.offset - b.piece.offset)) {
        const end = want.piece.from + want.piece.length;
        if (run === undefined || want.piece.from > run.to + GAP || end > run.from + most) {
            run = { key, from: want.piece.from, to: end, wants: [] };
            runs.push(run);
        }
        run.to = Math.max(run.to, end);
        run.wants.push(want);
    }
    return runs;
}
async function unpacked(stored, want) {
    const { from, offset, size } = want.piece;
    try {
        return { from, plain: await (0,zstd/* unpack */.l1)(stored, Math.max(snapshot_frames/* SHARED_FRAME */.ab, offset + size), limits/* LARGEST_FRAME */.nP) };
    }
    catch (error) {
        throw damaged(want, { cause: error });
    }
}
function damaged({ piece, entry }, options) {
    return new snapshot_errors/* SnapshotError */.JC('corrupt', `${(0,snapshot_path/* showPath */.P8)(entry.path)} does not match its hash (in ${piece.key})`, options);
}

// EXTERNAL MODULE: ./build/js/snapshot/manifest.js + 1 modules
var snapshot_manifest = __webpack_require__(11760);
// EXTERNAL MODULE: ./build/js/snapshot/memory.js
var memory = __webpack_require__(40360);
;// CONCATENATED MODULE: ./build/js/snapshot/restore.js
/** Makes a folder of a snapshot. */






const NOTHING = { v: 1, entries: [], quiet: true, unquiet: [] };
const markerPath = (folder) => `${folder}.restored`;
/**
 * Replaces `folder` by the first snapshot of `refs` that is whole; with no refs, by an empty folder. Until the new tree is complete and on
 * disk it lies in `<folder>.part`. Throws SnapshotError (`corrupt` or `lost` when no ref was whole) and StoreError.
 */
async function restore(options) {
    const { folder, marker } = options;
    const part = `${folder}.part`;
    const old = `${folder}.old`;
    await wipe(part);
    await wipe(old);
    if (!exists(markerPath(folder)))
        await wipe(folder);
    const restored = await intoPart(options, part);
    try {
        rmSync(markerPath(folder), { force: true });
        if (exists(folder))
            renameSync(folder, old);
        renameSync(part, folder);
        if (marker !== undefined)
            writeMarker(folder, { ...marker, ...(restored.ref ? { digest: restored.ref.digest } : {}) });
        syncPath(folder.slice(0, Math.max(1, folder.lastIndexOf('/'))));
    }
    catch (error) {
        throw localError(`put "${folder}" in place`, error);
    }
    await wipe(old);
    return restored;
}
async function intoPart(options, part) {
    try {
        const restored = await firstWhole(options, part);
        await syncTree(part, restored.manifest.entries.length);
        return restored;
    }
    catch (error) {
        await wipe(part);
        throw error;
    }
}
/**
 * Fills `folder` (empty, or made now) with the selected entries of the first ref that is whole, and the folders they lie in. Throws as
 * `restore` does, and leaves the folder empty then.
 */
async function download(options) {
    const { folder } = options;
    if (exists(folder) && (0,external_node_fs_.readdirSync)(folder).length > 0)
        throw new Error(`the folder to download into is not empty: "${folder}"`);
    const restored = await firstWhole(options, folder);
    await disk_syncTree(folder, restored.manifest.entries.length);
    return restored;
}
async function firstWhole(options, target) {
    const { refs, store, root, select, warn, signal } = options;
    let last;
    for (const [number, ref] of refs.entries()) {
        try {
            await emptyFolder(target);
            const known = number === 0 ? options.manifest : undefined;
            const manifest = known ?? (await (0,snapshot_manifest/* readManifest */.WI)(store, root, ref, signal));
            (0,memory/* doneWith */.Z)(manifest.entries.length);
            await fetchTree(options, manifest, target, select);
            (0,memory/* doneWith */.Z)(manifest.entries.length);
            return { ref, manifest };
        }
        catch (error) {
            await emptyFolder(target);
            if (!(0,snapshot_errors/* isDamage */.e6)(error))
                throw error;
            last = error;
            warn(`snapshot ${restore_name(ref)} is damaged: ${error.message}${number + 1 < refs.length ? '; taking the one before' : ''}`);
        }
    }
    if (refs.length > 0)
        throw last;
    await emptyFolder(target);
    return { manifest: NOTHING };
}
const restore_name = (ref) => `${ref.digest.slice(0, 12)} of ${ref.savedAt}`;
async function emptyFolder(folder) {
    await disk_wipe(folder);
    try {
        (0,external_node_fs_.mkdirSync)(folder, { recursive: true, mode: 0o755 });
    }
    catch (error) {
        throw (0,snapshot_errors/* localError */.go)(`make "${folder}"`, error);
    }
}
function exists(path) {
    try {
        (0,external_node_fs_.lstatSync)(path);
        return true;
    }
    catch (error) {
        if ((0,snapshot_errors/* errorCode */.CA)(error) === 'ENOENT')
            return false;
        throw (0,snapshot_errors/* localError */.go)(`look at "${path}"`, error);
    }
}
function writeMarker(folder, marker) {
    const path = markerPath(folder);
    writeFileSync(`${path}.new`, `${JSON.stringify(marker)}\n`, { flush: true });
    renameSync(`${path}.new`, path);
}
function syncPath(path) {
    const fd = openSync(path, 'r');
    try {
        fsyncSync(fd);
    }
    finally {
        closeSync(fd);
    }
}

// EXTERNAL MODULE: ./build/js/engine/deliver/put.js
var put = __webpack_require__(72074);
;// CONCATENATED MODULE: ./build/js/engine/deliver/staging.js
/** Results on their way home: downloaded into a folder of their own beside the outputs, so that what is not complete replaces nothing. */









/** Beginning of the name of a folder beside the outputs, for downloads that are not complete. */
const INCOMING = '.tpi-incoming-';
/** A folder for the downloads of this command, below `folder`; those of commands that are dead are removed. */
async function openAside(folder) {
    await clearAside(folder);
    return (0,promises_.mkdtemp)((0,external_node_path_.join)(folder, `${INCOMING}${(0,writer/* writerMark */.j)()}-`));
}
/** Downloads of controllers that were killed in the middle. */
async function clearAside(folder) {
    for (const name of await (0,promises_.readdir)(folder))
        if (name.startsWith(INCOMING) && (0,writer/* writerIsDead */.Y)(name.slice(INCOMING.length)))
            await (0,remove/* removeTree */.d)((0,external_node_path_.join)(folder, name));
}
/** Before anything is downloaded: a disk that ran full in the middle would hurt others too. */
async function needSpace(d, folder, bytes) {
    const { bavail, bsize } = await (0,promises_.statfs)(folder);
    const free = bavail * bsize;
    if (bytes > free)
        throw new errors/* RemoteError */.Hi(`the results need ${(0,lib_bytes/* formatBytes */.z3)(bytes)}, but ${folder} has ${(0,lib_bytes/* formatBytes */.z3)(free)} free`, {
            hint: `nothing is lost: the store keeps them; free some space and run: tpi collect ${d.name}, or collect them elsewhere: --to DIR`,
        });
}
/** What of a slot's head belongs to the results, into `folder`. */
async function staging_download(engine, d, { slot, manifest }, results, folder) {
    const wanted = staging_numbersOf(results, slot.index);
    if (wanted.length === 0)
        return;
    await download({
        store: d.store,
        root: d.keys.root,
        // Exactly this snapshot: an older generation would be delivered as if it were the result.
        refs: [slot.head],
        manifest: { ...manifest, entries: new Chosen(manifest.entries, withFolders(manifest.entries, wanted), staging_open) },
        folder,
        warn: (message) => engine.host.warn(message),
    });
}
/** Of the slot's entries, in their order. Links are made where they belong: here they would lead somewhere else. */
function staging_numbersOf(results, slot) {
    const numbers = [];
    for (const { index, number, entry } of results)
        if (index === slot && entry.type !== 'link')
            numbers.push(number);
    return numbers.sort((a, b) => a - b);
}
/** As it may lie here: no set-id bits; and files cannot be moved out of a folder that may not be written to, nor can the folder be removed. */
function staging_open(entry) {
    const mode = entry.type === 'folder' ? entry.mode | 0o700 : entry.mode & put/* PERMISSIONS */.J;
    if (mode === entry.mode)
        return entry;
    // Of a file that is held in columns, everything else stays there.
    return entry.type === 'file' ? Object.create(entry, { mode: { value: mode } }) : { ...entry, mode };
}


/***/ }),

/***/ 44146:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o: () => (/* binding */ undelivered)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _snapshot_errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(45468);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(37231);
/* harmony import */ var _destroy_removed_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(96660);
/** What a delivery that failed says. */




/** Whatever went wrong on the way home: as long as the store has everything, this is how to come back for it. */
async function undelivered(error, d, folder = 'the output folder') {
    const { code, syscall } = error;
    const kept = !(await (0,_destroy_removed_js__WEBPACK_IMPORTED_MODULE_3__/* .isRemoved */ .RX)(d));
    if (kept && ((0,_snapshot_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .isDamage */ .e6)(error) || (0,_wire_store_js__WEBPACK_IMPORTED_MODULE_2__/* .isStoreError */ .A1)(error, 'corrupt')))
        return damaged(error, d);
    const hint = kept
        ? `nothing is lost: the store keeps it; run: tpi collect ${d.name}`
        : `another command has given ${d.name} back in the meantime, so there is nothing left to collect: its results are where that command put them`;
    const elsewhere = kept ? `${hint} --to DIR` : hint;
    if (code === 'ENOSPC' || code === 'EDQUOT')
        return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`no space left in ${folder}`, { cause: error, hint: elsewhere });
    if (syscall !== undefined && code !== undefined)
        return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`cannot write to ${folder}: ${code}`, { cause: error, hint: elsewhere });
    if ((0,_wire_store_js__WEBPACK_IMPORTED_MODULE_2__/* .isStoreError */ .A1)(error, 'gone') || error instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .TpiError */ .at)
        return error;
    const message = (0,_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error);
    if ((0,_wire_store_js__WEBPACK_IMPORTED_MODULE_2__/* .isStoreError */ .A1)(error, 'denied'))
        return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR(message, { cause: error, hint });
    return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`the results did not arrive: ${message}`, { cause: error, hint });
}
/** Asking again does not mend it, and what is lost nobody knows. */
function damaged(error, { name }) {
    return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`the results did not arrive: ${(0,_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error)}`, {
        cause: error,
        hint: `what the store holds of ${name} is damaged; files that are whole may still come one by one: tpi pull ${name} GLOB --to DIR; give the rest up with: tpi destroy ${name} --discard`,
    });
}


/***/ }),

/***/ 23922:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C$: () => (/* binding */ noteOnline),
/* harmony export */   DJ: () => (/* binding */ ownsStore),
/* harmony export */   Gt: () => (/* binding */ needSpec),
/* harmony export */   OJ: () => (/* binding */ readControl),
/* harmony export */   Ot: () => (/* binding */ readSpec),
/* harmony export */   PE: () => (/* binding */ deploymentOf),
/* harmony export */   VQ: () => (/* binding */ wishInterrupt),
/* harmony export */   VT: () => (/* binding */ machineOf),
/* harmony export */   fH: () => (/* binding */ hasNoStore),
/* harmony export */   q3: () => (/* binding */ wishStop),
/* harmony export */   qu: () => (/* binding */ readCollected),
/* harmony export */   uL: () => (/* binding */ taskOnly),
/* harmony export */   wI: () => (/* binding */ readSlots)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(82260);
/* harmony import */ var _wire_layout_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(64046);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(13453);
/* harmony import */ var _wire_records_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(70708);
/* harmony import */ var _wire_slot_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(48088);
/* harmony import */ var _wire_spec_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(62023);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(37231);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(9923);
/** A deployment in the hands of a controller, and the plain reads and writes of its records. */









function deploymentOf(parts) {
    return { ...parts, keys: (0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_8__/* .layout */ .Zp)(parts.id, parts.incarnation) };
}
/** The store is the deployment's own: it goes as a whole, and last. */
function ownsStore(d) {
    return d.cloud.ownStore?.holds({ url: d.store.url }) === true;
}
/** Such a store need not answer any more to be removed. */
function hasNoStore(d, error) {
    return ownsStore(d) && ((0,_wire_store_js__WEBPACK_IMPORTED_MODULE_6__/* .isStoreError */ .A1)(error, 'unavailable') || (0,_wire_store_js__WEBPACK_IMPORTED_MODULE_6__/* .isStoreError */ .A1)(error, 'gone'));
}
async function readSpec(d) {
    const spec = (await (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .readRecord */ .aE)(_wire_spec_js__WEBPACK_IMPORTED_MODULE_5__/* .SPEC */ .y7, d.store, d.keys.spec))?.value;
    if (spec && (spec.id !== d.id || spec.incarnation !== d.incarnation))
        throw ofAnother(d.keys.spec, `deployment ${spec.id}`);
    return spec;
}
/** What lies in another's place was put there: it must not speak for this one. */
const ofAnother = (key, whose) => new _wire_store_js__WEBPACK_IMPORTED_MODULE_6__/* .StoreError */ .AD('corrupt', `record "${key}" is of ${whose}: this program did not put it there`);
/** The spec of a deployment that is known to be complete. */
async function needSpec(d) {
    const spec = await readSpec(d);
    if (spec)
        return spec;
    const current = (await (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .readRecord */ .aE)(_wire_records_js__WEBPACK_IMPORTED_MODULE_3__/* .CURRENT */ .eN, d.store, (0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_8__/* .currentKey */ .Fo)(d.id)))?.value;
    if (current?.incarnation === d.incarnation && current.state === 'making')
        // What it takes the place of would go with it.
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`deployment "${d.name}" is being created, and not complete yet`, {
            hint: 'run the same command again in a minute; where whoever creates it was killed, tpi sweep --yes undoes that',
        });
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`deployment "${d.name}" has no specification: its creation was never finished`, {
        hint: `run: tpi destroy ${d.id} --discard`,
    });
}
/** For what only a task has: results, a work directory, an end that is attached to. */
function taskOnly(spec) {
    if (spec.mode === 'task')
        return spec;
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`name: "${spec.name}" is a deployment of mode "${spec.mode}", which has no results`, {
        hint: `see it with: tpi status ${spec.name}; or use another name`,
    });
}
/** All slots, by index. A slot that does not exist is an error: the controller makes them all before it scales up. */
async function readSlots(d, count) {
    return Promise.all(Array.from({ length: count }, async (_, index) => {
        const { record: key } = d.keys.slot(index);
        const read = await (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .readRecord */ .aE)(_wire_slot_js__WEBPACK_IMPORTED_MODULE_4__/* .SLOT */ .rt, d.store, key);
        if (!read)
            throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`deployment "${d.name}" is gone: another command removed it`);
        if (read.value.index !== index)
            throw ofAnother(key, `slot ${read.value.index}`);
        return { record: read.value, version: read.version };
    }));
}
/** Who has a slot in hand; in a numbered group also who is to take it. */
async function machineOf(d, { record: { index, holder } }) {
    const present = (await d.cloud.observe(d)).machines.filter(({ state }) => state !== 'gone');
    const found = present.find(({ id }) => id === holder) ?? present.find((machine) => machine.index === index);
    if (found)
        return found.id;
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`slot ${index} of ${d.name} has no machine`, { hint: `see: tpi status ${d.name}` });
}
/** Records the request to stop; durable when it resolves. The first wish stays, unless the new one leaves less time. */
async function wishStop(d, wish) {
    await (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .changeRecord */ .U9)(_wire_records_js__WEBPACK_IMPORTED_MODULE_3__/* .CONTROL */ .W3, d.store, d.keys.control, (now) => {
        if (now?.stop && (wish.grace === undefined || (now.stop.grace ?? Number.POSITIVE_INFINITY) <= wish.grace))
            return undefined;
        return { ...now, v: _wire_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .VERSION */ .xv, stop: wish };
    });
}
async function wishInterrupt(d, slot, at) {
    const wish = { id: (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_1__/* .newNonce */ .Yd)(), at, ...(slot === undefined ? {} : { slot }) };
    await (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .changeRecord */ .U9)(_wire_records_js__WEBPACK_IMPORTED_MODULE_3__/* .CONTROL */ .W3, d.store, d.keys.control, (now) => ({ ...now, v: _wire_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .VERSION */ .xv, interrupts: [...(now?.interrupts ?? []), wish] }));
}
/** For the machines, which do not ask the forge themselves. The first time stays. */
async function noteOnline(d, at) {
    await (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .changeRecord */ .U9)(_wire_records_js__WEBPACK_IMPORTED_MODULE_3__/* .CONTROL */ .W3, d.store, d.keys.control, (now) => now?.online === undefined ? { ...now, v: _wire_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .VERSION */ .xv, online: at } : undefined);
}
async function readControl(d) {
    return (await (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .readRecord */ .aE)(_wire_records_js__WEBPACK_IMPORTED_MODULE_3__/* .CONTROL */ .W3, d.store, d.keys.control))?.value;
}
async function readCollected(d) {
    return (await (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .readRecord */ .aE)(_wire_records_js__WEBPACK_IMPORTED_MODULE_3__/* .COLLECTED */ .GC, d.store, d.keys.collected))?.value;
}


/***/ }),

/***/ 81898:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   LX: () => (/* binding */ clearOthers),
/* harmony export */   M3: () => (/* binding */ LEFT),
/* harmony export */   Mq: () => (/* binding */ removeStages),
/* harmony export */   P: () => (/* binding */ clearFormer),
/* harmony export */   bQ: () => (/* binding */ refuseUnlessDiscard),
/* harmony export */   x1: () => (/* binding */ RemovalError),
/* harmony export */   zr: () => (/* binding */ destroy)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_14__ = __webpack_require__(40859);
/* harmony import */ var _lib_unchanged_js__WEBPACK_IMPORTED_MODULE_13__ = __webpack_require__(51935);
/* harmony import */ var _wire_slot_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(48088);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(37231);
/* harmony import */ var _deployment_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(23922);
/* harmony import */ var _find_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4782);
/* harmony import */ var _follow_status_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(189);
/* harmony import */ var _locators_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(15098);
/* harmony import */ var _owner_mark_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(44532);
/* harmony import */ var _owner_presence_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(70920);
/* harmony import */ var _owner_silence_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(83194);
/* harmony import */ var _owner_strays_js__WEBPACK_IMPORTED_MODULE_10__ = __webpack_require__(82767);
/* harmony import */ var _owner_tenure_js__WEBPACK_IMPORTED_MODULE_11__ = __webpack_require__(82562);
/* harmony import */ var _patience_js__WEBPACK_IMPORTED_MODULE_12__ = __webpack_require__(5822);
/** Giving everything back: idempotent, re-runnable, and what cannot be deleted is named. */















const PENDING_POLL = 250;
/** Between two signs of life, where no specification says so. */
const BEAT = 15_000;
/** How long a cloud may take to finish a removal before we call it stuck. */
const PENDING_LIMIT = 10 * 60_000;
/** How long a store that does not answer may be on its way out before it counts as one that only is away; and between two looks. */
const GOING_LIMIT = 60_000;
const GOING_POLL = 1000;
/** Something stays behind. The deployment counts as going, so a second try is welcome. */
class RemovalError extends _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi {
}
/**
 * Refuses while something of it is running or was never delivered; not where somebody has begun to remove it. Of what another command is making
 * it waits for the end: with `discard` no longer than `patience` (milliseconds), for a record can be forged, and renewed for ever.
 */
async function refuseUnlessDiscard(engine, d, discard, patience) {
    if (discard)
        return untilSettled(engine, d, patience, patience);
    await untilSettled(engine, d, patience);
    if ((await (0,_find_js__WEBPACK_IMPORTED_MODULE_4__/* .readCurrent */ .cA)(d.store, d.id))?.value.state === 'destroying')
        return;
    const spec = await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .readSpec */ .Ot)(d);
    if (!spec)
        return refuseWithoutRecords(d);
    const slots = (await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .readSlots */ .wI)(d, spec.count)).map((slot) => slot.record);
    const { outcome } = (0,_follow_status_js__WEBPACK_IMPORTED_MODULE_5__/* .verdict */ .WJ)(slots);
    const remedy = (what) => `${what}, or discard it: tpi destroy ${d.name} --discard`;
    if (outcome === 'running')
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`deployment "${d.name}" is still running`, { hint: remedy(`stop it first: tpi stop ${d.name}`) });
    const undelivered = spec.mode === 'task' && spec.output.length > 0 && slots.some(_wire_slot_js__WEBPACK_IMPORTED_MODULE_1__/* .hasSaved */ .ce);
    if (undelivered && !(await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .readCollected */ .qu)(d)))
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`deployment "${d.name}" has results that nobody collected`, {
            hint: remedy(`collect them first: tpi collect ${d.name}`),
        });
}
async function untilSettled(engine, d, patience, most) {
    const current = await (0,_find_js__WEBPACK_IMPORTED_MODULE_4__/* .readCurrent */ .cA)(d.store, d.id).catch((error) => {
        // Whoever gives it up need not be able to read it, nor to reach it.
        if (most !== undefined)
            return undefined;
        throw error;
    });
    if (current?.value.incarnation === d.incarnation && current.value.state === 'making')
        await (0,_owner_silence_js__WEBPACK_IMPORTED_MODULE_9__/* .abandoned */ .R$)(engine, d, current, patience, most);
}
/** A group whose store knows nothing of it: a disk that is not mounted looks like this, and would keep what it holds for ever. */
async function refuseWithoutRecords(d) {
    if ((await (0,_find_js__WEBPACK_IMPORTED_MODULE_4__/* .readCurrent */ .cA)(d.store, d.id)) || (await d.cloud.observe(d)).phase === 'absent')
        return;
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`deployment "${d.name}": nothing of it was found at ${d.store.url}`, {
        hint: `if that storage is unavailable, bring it back first; or remove only the machines: tpi destroy ${d.name} --discard`,
    });
}
/** For people. */
const LEFT = {
    nothing: 'everything is given back',
    former: 'what was begun is given back, and the run before it is there again',
    another: 'what was its own is given back; the name is that of another run by now, which was left alone',
    kept: 'left alone, for another command works with it; run the same command again',
};
/**
 * Removes everything: marks the deployment as going, compute to 0, waits until no machine is left, removes resources, clears the store, and
 * clears it once more after one TTL where a machine may still be alive that nobody saw die; the name goes last. What was only being made is
 * rolled back: the name is then that of the incarnation before it. All that is removed goes by its own incarnation, also by those who come late.
 */
async function destroy(engine, d, how = {}) {
    const spec = await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .readSpec */ .Ot)(d).catch((error) => (isNoMore(d, error) ? 'silent' : undefined));
    // Each question would wait in vain for an answer.
    const left = spec === 'silent' ? spec : await clearAll(engine, d, spec?.lease, how);
    if (typeof left === 'string' && left !== 'silent')
        return left;
    await removeStages(engine, left === 'silent' ? await removeWithoutStore(engine, d, how) : left, again(d));
    await (0,_locators_js__WEBPACK_IMPORTED_MODULE_6__/* .unlocate */ .Uv)(engine.home, d.id);
    return 'nothing';
}
/** To be asked for while the deployment still has its name: who comes to use that store from then on keeps it. */
async function ownStoreOf(engine, d) {
    return ((await (0,_patience_js__WEBPACK_IMPORTED_MODULE_12__/* .patiently */ .d_)(engine, async () => d.cloud.ownStore?.leftovers(d))) ?? []).reverse();
}
/** Compute, and what is in the store. Resolves to what remains to be removed, or to what is left where the store stays. `silent`: it takes no mark. */
async function clearAll(engine, d, lease, { why = 'discard', judged, leave = false, alone }) {
    const rhythm = { beat: lease?.beat ?? BEAT, ttl: lease?.ttl ?? 4 * BEAT };
    const grip = await orNever(d, marked(engine, d, { why, ttl: lease?.ttl, judged }), 'silent');
    if (grip === 'silent')
        return grip;
    if (grip.whose !== 'mine' && grip.whose !== 'unnamed')
        return passBy(engine, d, grip, rhythm.ttl);
    const tenure = (0,_owner_tenure_js__WEBPACK_IMPORTED_MODULE_11__/* .keepTenure */ .Z)(engine, d, 'destroying', rhythm);
    const rollback = grip.why === 'rollback' && (grip.former?.length ?? 0) > 0;
    try {
        if (grip.why === 'collected' && why !== 'discard')
            await orNever(d, alone?.() ?? (0,_owner_presence_js__WEBPACK_IMPORTED_MODULE_8__/* .untilUnread */ .gz)(engine, d, rhythm.ttl), undefined);
        await clearOne(engine, d, rhythm.ttl, leave || rollback || !(0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .ownsStore */ .DJ)(d));
        if (!rollback)
            for (const one of grip.former ?? [])
                await clearOne(engine, (0,_owner_mark_js__WEBPACK_IMPORTED_MODULE_7__/* .siblingOf */ .SS)(d, one), rhythm.ttl, true);
        if (!rollback && !leave)
            await clearOthers(engine, d, rhythm.ttl);
    }
    finally {
        await tenure.stop();
    }
    // What follows is on record there: the store stays, and the next incarnation uses it on.
    if (leave)
        return 'mark';
    const before = rollback ? await (0,_owner_mark_js__WEBPACK_IMPORTED_MODULE_7__/* .reopen */ .Ck)(d) : 'nothing';
    if (before === 'reopened')
        engine.host.info(`${d.name}: what was there before is there again`);
    if (before !== 'nothing')
        return before === 'another' ? before : 'former';
    const own = await ownStoreOf(engine, d);
    // Whoever joined this removal may be through with it, and the name somebody's since.
    return (await orNever(d, (0,_owner_mark_js__WEBPACK_IMPORTED_MODULE_7__/* .removeMark */ .i4)(d), true)) ? own : 'another';
}
/** Of the same deployment, but for those that its record names. */
async function clearOthers(engine, d, ttl) {
    await (0,_owner_strays_js__WEBPACK_IMPORTED_MODULE_10__/* .clearStrays */ .Yx)(engine, d, async (one) => clearOne(engine, (0,_owner_mark_js__WEBPACK_IMPORTED_MODULE_7__/* .siblingOf */ .SS)(d, one), ttl, true));
}
/** Of the incarnations before this one, whose place it has taken. Whoever still reads them is waited for. */
async function clearFormer(engine, d) {
    const current = await (0,_find_js__WEBPACK_IMPORTED_MODULE_4__/* .readCurrent */ .cA)(d.store, d.id);
    if (current?.value.incarnation !== d.incarnation || current.value.state !== 'open')
        return;
    const { former = [], ttl = 4 * BEAT } = current.value;
    for (const one of former) {
        const before = (0,_owner_mark_js__WEBPACK_IMPORTED_MODULE_7__/* .siblingOf */ .SS)(d, one);
        await (0,_owner_presence_js__WEBPACK_IMPORTED_MODULE_8__/* .untilUnread */ .gz)(engine, before, ttl);
        await clearOne(engine, before, ttl, true);
    }
    await (0,_owner_mark_js__WEBPACK_IMPORTED_MODULE_7__/* .forgetFormer */ .Zg)(d, former);
}
/** Late: only what bears this incarnation goes, and not even that where it may be needed. */
async function passBy(engine, d, { whose }, ttl) {
    if (whose === 'changed') {
        engine.host.info(`${d.name} has shown signs of life in the meantime: it is left alone`);
        return 'kept';
    }
    if (whose === 'another') {
        engine.host.info(`${d.name} was created again in the meantime: the new one is left alone`);
        await clearOne(engine, d, ttl, true);
        return 'another';
    }
    const current = (await (0,_find_js__WEBPACK_IMPORTED_MODULE_4__/* .readCurrent */ .cA)(d.store, d.id))?.value;
    if (current?.state !== 'open') {
        engine.host.info(`${d.name} is being created anew: what it starts from is left alone`);
        return 'kept';
    }
    await clearFormer(engine, (0,_owner_mark_js__WEBPACK_IMPORTED_MODULE_7__/* .siblingOf */ .SS)(d, current.incarnation));
    return 'another';
}
/** One incarnation, in its cloud and in the store. `lasting`: the store does not go with it. */
async function clearOne(engine, d, ttl, lasting) {
    const survivors = await removeCompute(engine, d);
    await orNever(d, d.store.clear(d.keys.root), undefined);
    if (!survivors || !lasting)
        return;
    await engine.clock.sleep(ttl);
    await d.store.clear(d.keys.root);
}
/** Where the store takes no mark: what costs money goes all the same. The group stays at 0, for its tags say where the store is. */
async function marked(engine, d, cause) {
    return (0,_owner_mark_js__WEBPACK_IMPORTED_MODULE_7__/* .markDestroying */ .Ox)(engine, d, cause).catch(async (error) => {
        await (0,_patience_js__WEBPACK_IMPORTED_MODULE_12__/* .patiently */ .d_)(engine, async () => d.cloud.scale(d, 0)).catch((trouble) => engine.host.debug((0,_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(trouble)));
        throw error;
    });
}
/** Compute to 0, and everything of the cloud but the store. `true`: a machine may live that nobody saw die. */
async function removeCompute(engine, d) {
    await (0,_patience_js__WEBPACK_IMPORTED_MODULE_12__/* .patiently */ .d_)(engine, async () => d.cloud.scale(d, 0));
    const survivors = await waitForNobody(engine, d);
    await removeStages(engine, (await (0,_patience_js__WEBPACK_IMPORTED_MODULE_12__/* .patiently */ .d_)(engine, async () => d.cloud.leftovers(d))).reverse(), again(d));
    return survivors;
}
const again = (d) => `run: tpi destroy ${d.id}`;
/**
 * Nothing can be removed from a bucket that is gone; where it only cannot be found from here, its user must know what stays. Resolves to what
 * remains to be removed. A store of its own that nobody can look into may hold what was there before: it goes only where that was given up.
 */
async function removeWithoutStore(engine, d, { why = 'discard' }) {
    if (!(0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .ownsStore */ .DJ)(d)) {
        engine.host.warn(`${d.name}: ${d.store.url} does not exist: if it comes back, remove "${d.id}/" in it by hand`);
        await removeCompute(engine, d);
        return [];
    }
    // What its machines try to save has nowhere to go: nobody waits until they give up.
    await (0,_patience_js__WEBPACK_IMPORTED_MODULE_12__/* .patiently */ .d_)(engine, async () => d.cloud.scale(d, 0));
    await removeStages(engine, (await (0,_patience_js__WEBPACK_IMPORTED_MODULE_12__/* .patiently */ .d_)(engine, async () => d.cloud.leftovers(d))).reverse(), again(d));
    const own = await ownStoreOf(engine, d);
    if (why === 'discard' || why === 'sweep' || (await isGoing(engine, d, own)))
        return own;
    throw new RemovalError(`${d.name}: its store does not answer, so it stays: ${own.flat().map(nameOf).join(', ')}`, {
        hint: `once it answers, run the same command again; or give up what is in it: tpi destroy ${d.id} --discard`,
    });
}
/** Another command may just be removing it. */
async function isGoing(engine, d, seen) {
    const limit = engine.clock.now() + GOING_LIMIT;
    for (let left = seen; left.flat().length > 0; left = await ownStoreOf(engine, d)) {
        if (engine.clock.now() >= limit)
            return false;
        await engine.clock.sleep(GOING_POLL);
    }
    return true;
}
const nameOf = ({ kind, name }) => `${kind} ${name}`;
function isNoMore(d, error) {
    return (0,_wire_store_js__WEBPACK_IMPORTED_MODULE_2__/* .isStoreError */ .A1)(error, 'gone') || (0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .hasNoStore */ .fH)(d, error);
}
async function orNever(d, doing, otherwise) {
    return doing.catch((error) => {
        if (isNoMore(d, error))
            return otherwise;
        throw error;
    });
}
/** Waits until the group shows no member. `true`: it did, but some machine went without anybody seeing its end. */
async function waitForNobody(engine, d) {
    const limit = engine.clock.now() + PENDING_LIMIT;
    const quiet = new _lib_unchanged_js__WEBPACK_IMPORTED_MODULE_13__/* .Unchanged */ ._();
    for (;;) {
        const asked = engine.clock.now();
        const seen = await (0,_patience_js__WEBPACK_IMPORTED_MODULE_12__/* .patiently */ .d_)(engine, async () => d.cloud.observe(d));
        // No single look is trusted where answers lag behind.
        const empty = quiet.for('group', seen.phase === 'up' ? `up ${asked}` : 'empty', asked) >= (d.cloud.settling ?? 0);
        if (seen.phase !== 'up' && empty)
            return seen.machines.some((machine) => machine.state !== 'gone');
        if (engine.clock.now() > limit)
            throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`deployment "${d.name}": its machines are still there after 10 minutes`, {
                hint: `run again: tpi destroy ${d.id} --discard`,
            });
        await engine.clock.sleep(PENDING_POLL);
    }
}
/** Removes stages in the order given, goes on after errors, and names everything that stayed. */
async function removeStages(engine, stages, hint = 'run the same command again') {
    const problems = [];
    for (const stage of stages) {
        await Promise.all(stage.map(async (resource) => {
            try {
                await removeOne(engine, resource);
            }
            catch (error) {
                problems.push(`${resource.kind} ${resource.name}: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_14__/* .messageOf */ .bD)(error)}`);
            }
        }));
    }
    if (problems.length > 0)
        throw new RemovalError(`could not remove: ${problems.join('; ')}`, { hint });
}
async function removeOne(engine, resource) {
    const limit = engine.clock.now() + PENDING_LIMIT;
    for (;;) {
        const outcome = await (0,_patience_js__WEBPACK_IMPORTED_MODULE_12__/* .patiently */ .d_)(engine, async () => resource.remove());
        if (outcome === 'going')
            engine.host.info(`${resource.kind} ${resource.name}: the cloud removes it in its own time`);
        if (outcome === 'used')
            engine.host.debug(`${resource.kind} ${resource.name}: stays, others use it`);
        if (outcome === 'removed')
            engine.host.debug(`${resource.kind} ${resource.name}: removed`);
        if (outcome !== 'pending')
            return;
        if (engine.clock.now() > limit)
            throw new Error('still there after 10 minutes');
        await engine.clock.sleep(resource.pace ?? PENDING_POLL);
    }
}


/***/ }),

/***/ 96660:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Bg: () => (/* binding */ tooLate),
/* harmony export */   RX: () => (/* binding */ isRemoved),
/* harmony export */   bx: () => (/* binding */ lastWord),
/* harmony export */   d6: () => (/* binding */ TooLate)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _wire_incarnation_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(40906);
/* harmony import */ var _deployment_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(23922);
/* harmony import */ var _find_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4782);
/* harmony import */ var _follow_status_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(189);
/** A deployment that another command removes while this one is at it: it ends with what is recorded of it. */





/** Gone, going, or replaced by another incarnation. What cannot be read is not taken for gone. */
async function isRemoved(d) {
    try {
        return (0,_wire_incarnation_js__WEBPACK_IMPORTED_MODULE_4__/* .removalOf */ .c)((await (0,_find_js__WEBPACK_IMPORTED_MODULE_2__/* .readCurrent */ .cA)(d.store, d.id))?.value, d.incarnation) !== undefined;
    }
    catch {
        return false;
    }
}
/** Whoever was to bring home what another command has given back meanwhile: nothing was delivered by this one. */
class TooLate extends _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi {
}
/** When and where it went, as far as that is known here. */
async function tooLate(engine, d, cause) {
    const known = (await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_1__/* .readCollected */ .qu)(d).catch(() => undefined)) ?? (await (0,_find_js__WEBPACK_IMPORTED_MODULE_2__/* .pickHistory */ .O8)(engine.home, d.id).catch(() => undefined))?.delivered;
    const where = known ? `: its results were delivered at ${known.at} by ${known.by}${known.to === undefined ? '' : `, to ${known.to}`}` : '';
    return new TooLate(`${d.name} was given back by another command before this one could deliver it${where}`, {
        cause,
        hint: known ? 'nothing is lost: they lie there' : `what became of it, where it is known: tpi status ${d.name}`,
    });
}
/** As the history of this home has it; where somebody else's home does, it was stopped under us. */
async function lastWord(engine, d, spec, slots) {
    const known = await (0,_find_js__WEBPACK_IMPORTED_MODULE_2__/* .pickHistory */ .O8)(engine.home, d.id);
    if (known?.createdAt === spec.createdAt && known.outcome !== 'running')
        return { ...known, destroyed: true };
    const seen = (0,_follow_status_js__WEBPACK_IMPORTED_MODULE_3__/* .statusOf */ .c2)({ cloud: d.cloudId, spec, store: d.store.url, slots, destroyed: true });
    return seen.outcome === 'running' || slots.length < spec.count
        ? { ...seen, state: 'stopped', outcome: 'stopped', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.stopped }
        : seen;
}


/***/ }),

/***/ 92202:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ stopAndWait),
/* harmony export */   E: () => (/* binding */ closing)
/* harmony export */ });
/* harmony import */ var _lib_clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29668);
/* harmony import */ var _wire_slot_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(48088);
/* harmony import */ var _wire_spec_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(62023);
/* harmony import */ var _deployment_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(23922);
/* harmony import */ var _follow_follow_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(87002);
/* harmony import */ var _follow_removal_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(48727);
/* harmony import */ var _removed_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(96660);
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
/** The orderly end of what runs, whoever asks for it: the wish on record, signal, last save, compute to 0. */







/** Resolves to the slots as they were last. */
async function stopAndWait(engine, d, spec, how = {}) {
    const { grace, patience = (0,_wire_spec_js__WEBPACK_IMPORTED_MODULE_2__/* .overtime */ .S9)(spec.lifetime) * 1000, signal, brief } = how;
    await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .wishStop */ .q3)(d, { at: engine.clock.date().toISOString(), by: engine.actor, ...(grace === undefined ? {} : { grace }) });
    // From now on a machine that takes a slot begins nothing in it.
    const before = (await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .readSlots */ .wI)(d, spec.count)).map(({ record }) => record);
    let slots = before;
    if (before.some(_wire_slot_js__WEBPACK_IMPORTED_MODULE_1__/* .isHeld */ .i7)) {
        engine.host.info(`asked ${d.name} to stop; waiting for the last snapshot`);
        slots = await followFor(engine, d, spec, patience, signal);
    }
    else if (!before.every(({ state }) => (0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_1__/* .isTerminal */ .Hd)(state)))
        engine.host.info(`asked ${d.name} to stop; no machine is working on it, so there is nothing to wait for`);
    if (signal?.aborted)
        return slots;
    await d.cloud.scale(d, 0);
    return brief || slots.every(({ state }) => (0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_1__/* .isTerminal */ .Hd)(state)) ? slots : closing(engine, d, spec, signal);
}
/** Machines that did not make it in time are gone now: their slots close as stopped. */
async function closing(engine, d, spec, signal) {
    return followFor(engine, d, spec, spec.lease.ttl * 2, signal);
}
async function followFor(engine, d, spec, milliseconds, signal) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const limit = __addDisposableResource(env_1, (0,_lib_clock_js__WEBPACK_IMPORTED_MODULE_0__/* .abortIn */ .QU)(engine.clock, milliseconds), false);
        try {
            return await (0,_follow_follow_js__WEBPACK_IMPORTED_MODULE_4__/* .follow */ .e)(engine, d, spec, _follow_follow_js__WEBPACK_IMPORTED_MODULE_4__/* .SILENT */ .q, { signal: signal ? AbortSignal.any([limit.signal, signal]) : limit.signal });
        }
        catch (error) {
            // Nobody closes them any more: what there is stands as it is.
            if (error instanceof _removed_js__WEBPACK_IMPORTED_MODULE_6__/* .TooLate */ .d6 || error instanceof _follow_removal_js__WEBPACK_IMPORTED_MODULE_5__/* .Unfinished */ .K)
                return (await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .readSlots */ .wI)(d, spec.count)).map(({ record }) => record);
            throw error;
        }
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        __disposeResources(env_1);
    }
}


/***/ }),

/***/ 4782:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O8: () => (/* binding */ pickHistory),
/* harmony export */   Up: () => (/* binding */ pick),
/* harmony export */   at: () => (/* binding */ openSighting),
/* harmony export */   cA: () => (/* binding */ readCurrent),
/* harmony export */   nI: () => (/* binding */ sightings),
/* harmony export */   xJ: () => (/* binding */ unopened)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(82260);
/* harmony import */ var _wire_layout_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(64046);
/* harmony import */ var _wire_records_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(70708);
/* harmony import */ var _deployment_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(23922);
/* harmony import */ var _history_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(49885);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9923);







/**
 * What these clouds hold, oldest first. `lost` hears of a cloud that cannot be looked at, or of one of its regions (`where`), which then hides only
 * what is its own; without it that ends the search.
 */
async function sightings(clouds, lost) {
    const look = async ({ id, cloud }) => {
        try {
            return (await cloud.list(lost && ((where, error) => lost(id, error, where)))).map((found) => ({ id, cloud, found }));
        }
        catch (error) {
            if (!lost)
                throw error;
            lost(id, error);
            return [];
        }
    };
    const lists = await Promise.all(clouds.map(look));
    return lists.flatMap(byId).sort((a, b) => (a.found.tags.createdAt < b.found.tags.createdAt ? -1 : 1));
}
/** One for each deployment of a cloud: which of several incarnations is the living one only its store knows. */
function byId(all) {
    const ids = new Map();
    for (const one of all)
        ids.set(one.found.tags.id, [...(ids.get(one.found.tags.id) ?? []), one]);
    return [...ids.values()].flatMap((group) => {
        const [first, ...rest] = group.sort((a, b) => (a.found.tags.createdAt > b.found.tags.createdAt ? -1 : 1));
        if (!first)
            return [];
        return rest.length === 0 ? [first] : [{ ...first, others: rest.map(({ found }) => found) }];
    });
}
/** `name` is an exact id, or the only deployment of that name. `undefined`: there is none alive. */
function pick(name, all) {
    const exact = all.filter(({ found }) => found.tags.id === name);
    const named = all.filter(({ found }) => found.tags.name === name);
    const matches = exact.length > 0 ? exact : named;
    const ids = new Set(matches.map(({ id, found }) => `${id} ${found.tags.id}`));
    if (ids.size > 1)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`"${name}" is the name of ${ids.size} deployments`, {
            hint: `use an id: ${matches.map(({ found }) => found.tags.id).join(', ')}`,
        });
    return matches.at(-1);
}
/** What is remembered of a run that is gone: the last one of that name or id, or the very one whose run id it is. */
async function pickHistory(home, name) {
    const all = await (0,_history_js__WEBPACK_IMPORTED_MODULE_4__/* .recall */ .I9)(home);
    const exact = all.find((past) => past.id === name || (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_1__/* .runId */ .Vz)(past) === name);
    if (exact)
        return exact;
    const named = all.filter((past) => past.name === name);
    const ids = [...new Set(named.map(({ id }) => id))];
    if (ids.length > 1)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`"${name}" is the name of ${ids.length} former deployments`, { hint: `use an id: ${ids.join(', ')}` });
    return named[0];
}
async function openSighting(sighting, access) {
    const { tags } = sighting.found;
    const store = await access(sighting.cloud.ownStore?.holds(tags.store) ? await sighting.cloud.store(tags.id) : tags.store);
    const { id, name, incarnation, promise } = await livingOf(sighting, store);
    return (0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .deploymentOf */ .PE)({ cloudId: sighting.id, cloud: sighting.cloud, store, id, name, incarnation, promise });
}
/** As its record has it, for what shows may be of another incarnation; where that cannot be read, the youngest that shows. */
async function livingOf({ found, others = [] }, store) {
    const current = (await readCurrent(store, found.tags.id).catch(() => undefined))?.value;
    if (!current)
        return found.tags;
    const { id, name } = found.tags;
    const { incarnation } = current;
    return [found, ...others].find(({ tags }) => tags.incarnation === incarnation)?.tags ?? { id, name, incarnation };
}
/** A deployment that cannot even be opened: what its group tells is known, and whatever is asked of its store fails as opening it did. */
function unopened({ id, cloud, found: { tags } }, why) {
    const fail = async () => {
        throw why;
    };
    const store = {
        url: tags.store.url,
        init: fail,
        read: fail,
        write: fail,
        remove: fail,
        clear: fail,
        list: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }),
    };
    return (0,_deployment_js__WEBPACK_IMPORTED_MODULE_3__/* .deploymentOf */ .PE)({ cloudId: id, cloud, store, id: tags.id, name: tags.name, incarnation: tags.incarnation });
}
async function readCurrent(store, id) {
    return (0,_record_js__WEBPACK_IMPORTED_MODULE_5__/* .readRecord */ .aE)(_wire_records_js__WEBPACK_IMPORTED_MODULE_2__/* .CURRENT */ .eN, store, (0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_6__/* .currentKey */ .Fo)(id));
}


/***/ }),

/***/ 35853:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Ah: () => (/* binding */ Silence),
  Nw: () => (/* binding */ closeAbandoned),
  bB: () => (/* binding */ closeLost),
  Jp: () => (/* binding */ closeSlot),
  nT: () => (/* binding */ isOpen),
  W: () => (/* binding */ withoutMachine)
});

// UNUSED EXPORTS: endingOf

// EXTERNAL MODULE: ./build/js/core/identity.js
var identity = __webpack_require__(82260);
// EXTERNAL MODULE: ./build/js/lib/duration.js
var duration = __webpack_require__(86388);
// EXTERNAL MODULE: ./build/js/lib/unchanged.js
var unchanged = __webpack_require__(51935);
// EXTERNAL MODULE: ./build/js/wire/ending.js
var wire_ending = __webpack_require__(18355);
// EXTERNAL MODULE: ./build/js/wire/layout.js
var layout = __webpack_require__(64046);
;// CONCATENATED MODULE: ./build/js/wire/log-end.js
/** How far the log of an attempt goes that was cut off: whoever ends it says so, so that nothing that comes later counts. */

/** Number of its last segment; `undefined` where no attempt is open. */
async function logEndOf(store, slot, record, signal) {
    const last = record.attempts.at(-1);
    if (last === undefined || last.end !== undefined)
        return undefined;
    let seq = 0;
    for await (const entry of store.list(slot.log, slot.segment(last.epoch, 0), signal)) {
        const found = (0,layout/* numbersOf */.cZ)(entry.key);
        if (found?.epoch === last.epoch)
            seq = Math.max(seq, found.seq);
    }
    return seq;
}

;// CONCATENATED MODULE: ./build/js/wire/registrations.js
/** What a slot has is good for whoever comes, for any number of jobs. */
function isLasting({ runner: { machine } }) {
    return machine.registration !== undefined || machine.reusable === true;
}
/** Keys of a closed slot. */
function leftRegistrations(spec, keys, { index, claimed = 0 }) {
    if (spec.mode !== 'runner')
        return [];
    const { supply, machine } = spec.runner;
    // One that is good for many is not gone by being taken, nor is the last one that was.
    const first = isLasting(spec) ? 0 : Math.max(0, claimed - 1);
    const left = Array.from({ length: Math.max(0, supply - first) }, (_, at) => keys.once(index, first + at));
    return machine.registration ? [...left, keys.registration(index)] : left;
}

// EXTERNAL MODULE: ./build/js/wire/slot.js
var wire_slot = __webpack_require__(48088);
// EXTERNAL MODULE: ./build/js/engine/deployment.js
var deployment = __webpack_require__(23922);
// EXTERNAL MODULE: ./build/js/engine/find.js
var find = __webpack_require__(4782);
// EXTERNAL MODULE: ./build/js/engine/record.js + 1 modules
var record = __webpack_require__(9923);
// EXTERNAL MODULE: ./build/js/engine/follow/status.js
var follow_status = __webpack_require__(189);
;// CONCATENATED MODULE: ./build/js/engine/follow/close.js











/** How an open slot without a machine ends: as it was asked to, past the deadline, or lost. `why`: as its group has it. */
function endingOf(spec, stop, now, why) {
    const { deadline } = spec.lifetime;
    const asked = (0,wire_ending/* closing */.ET)({ stop, pastDeadline: now >= new Date(deadline), deadline });
    const reason = `machine lost, and none left to replace it${why === undefined ? '' : `: ${why}`}`;
    return asked ?? { state: 'failed', cause: 'lost', reason };
}
/**
 * Takes the slot (epoch + 1) and closes it in one write. `false`: somebody else moved it meanwhile; or it is only being created, or nobody can tell
 * whether it is: then what looks like a group without machines is one that has none yet.
 */
async function closeSlot(d, spec, slot, ending, at) {
    if ((0,wire_slot/* isTerminal */.Hd)(slot.record.state) || !(await isOpen(d)))
        return false;
    const next = await closedRecord(d, spec, slot.record, ending, at);
    const closed = await (0,record/* swap */.wg)(wire_slot/* SLOT */.rt, d.store, d.keys.slot(slot.record.index).record, next, slot.version);
    // Nobody takes up what is secret any more. Where the store takes no order, it goes with the deployment.
    if (closed)
        await forget(d, spec, slot.record).catch(() => undefined);
    return closed;
}
/** A look at its group before this says nothing of the machines that it is to have: they are only ordered then. */
async function isOpen(d) {
    const current = (await (0,find/* readCurrent */.cA)(d.store, d.id))?.value;
    return current?.incarnation === d.incarnation && current.state === 'open';
}
async function closedRecord(d, spec, record, ending, at) {
    const { holder: _holder, phase: _phase, released: _released, ...rest } = record;
    const end = (0,wire_slot/* unseenEnd */.eb)(record, spec.lease.beat, at);
    const logEnd = await logEndOf(d.store, d.keys.slot(record.index), record);
    return {
        ...rest,
        ...ending,
        nonce: (0,identity/* newNonce */.Yd)(),
        epoch: record.epoch + 1,
        // The running attempt, if any, ends with the slot.
        attempts: (0,wire_ending/* cutOff */.qG)(record.attempts, () => ({ end, cause: ending.cause, reason: ending.reason, ...(logEnd !== undefined && { logEnd }) })),
        at,
    };
}
/** What is secret of a slot that was closed; with the last one, of all of them. */
async function forget(d, spec, record) {
    const left = leftRegistrations(spec, d.keys, record);
    if (left.length > 0)
        await d.store.remove(left);
    if (spec.mode !== 'task')
        return;
    const slots = await (0,deployment/* readSlots */.wI)(d, spec.count);
    if (slots.every(({ record }) => (0,wire_slot/* isTerminal */.Hd)(record.state)))
        await d.store.remove([d.keys.secrets]);
}
/** TTLs that a slot without a holder may be silent where its group is out of sight: another machine may have been long in coming. */
const UNHELD = 10;
/**
 * Watches open slots for silence by this process's own monotonic clock. A slot is abandoned when its group has no machine for it, or
 * wants none, and the record has not changed for one TTL (at once when the group knows the holder dead). A group that is not to be seen
 * from here knows nothing: another home, computer or cluster with the same store may have it.
 */
class Silence {
    #unchanged = new unchanged/* Unchanged */._();
    #group = new unchanged/* Unchanged */._();
    #settling;
    #wasUp = false;
    /** Milliseconds from the first of the last looks that all found no machine to the last one. */
    #empty = 0;
    /** `settling`: of the cloud. */
    constructor(settling = 0) {
        this.#settling = settling;
    }
    silentFor(slot, now) {
        return this.#unchanged.for(slot.index, slot.nonce, now);
    }
    /** What a look at the group has found that was begun at this time. */
    saw({ phase }, at) {
        this.#wasUp ||= phase === 'up';
        this.#empty = this.#group.for('group', phase === 'up' ? `up ${at}` : phase, at);
    }
    /** An answer of before the group grew looks like an empty group: agreeing looks are wanted, no sign of life meanwhile, and of a group that was never up a long time, unless its end was `asked` for. */
    #isEmpty(slot, spec, silent, asked) {
        return Math.min(this.#empty, silent) >= (this.#wasUp || asked ? this.#settling : UNHELD * spec.lease.ttl);
    }
    abandoned(slot, spec, seen, now, asked = false) {
        const silent = this.silentFor(slot, now);
        // Whatever took a slot was a machine of this group.
        this.#wasUp ||= slot.epoch > 0;
        if ((0,wire_slot/* isTerminal */.Hd)(slot.state))
            return false;
        if (seen.phase === 'stopped' && this.#settling > 0)
            return this.#isEmpty(slot, spec, silent, asked);
        const nobody = seen.phase !== 'up' || (seen.wanted === 0 && seen.machines.every((machine) => machine.state === 'gone'));
        if (!nobody)
            return false;
        const unheld = slot.holder === undefined || slot.released === true;
        const patience = seen.phase === 'absent' && unheld ? UNHELD * spec.lease.ttl : spec.lease.ttl;
        return (0,follow_status/* holderIsDead */.PP)(slot, seen) || silent >= patience;
    }
}
/** A slot that nobody ever took, in a group that said why there was no machine to be had. */
function withoutMachine(record, seen, ending) {
    const short = seen.events.findLast(({ kind }) => kind === 'capacity' || kind === 'quota');
    if (record.epoch > 0 || ending.state === 'stopped' || !short)
        return ending;
    return { state: 'failed', cause: 'no-capacity', reason: `no machine until the end: ${short.text}` };
}
/** Closes every slot that is abandoned now. Resolves to how many were closed. */
async function closeAbandoned(d, spec, slots, seen, silence, clock) {
    const now = clock.now();
    const open = seen.phase === 'stopped' && slots.some(({ record }) => !(0,wire_slot/* isTerminal */.Hd)(record.state));
    const control = open ? await (0,deployment/* readControl */.OJ)(d) : undefined;
    const lost = slots.filter((slot) => silence.abandoned(slot.record, spec, seen, now, control?.stop !== undefined));
    if (lost.length === 0)
        return 0;
    // Somebody whom we do not see keeps them: one beat speaks for all.
    if (seen.phase === 'absent' && slots.some(({ record }) => (0,wire_slot/* isHeld */.i7)(record) && silence.silentFor(record, now) < spec.lease.ttl))
        return 0;
    const { stop } = control ?? (await (0,deployment/* readControl */.OJ)(d)) ?? {};
    const ending = endingOf(spec, stop, clock.date(), seen.ended);
    const at = clock.date().toISOString();
    const closed = await Promise.all(lost.map((slot) => closeSlot(d, spec, slot, withoutMachine(slot.record, seen, ending), at)));
    return closed.filter(Boolean).length;
}
/** Milliseconds between two looks for a sign of life. */
const LISTEN = 500;
/** As above, for a command that only looks once: where the group is not to be seen, it listens until a beat comes, or one TTL is over. */
async function closeLost(engine, d, spec, signal) {
    const { clock } = engine;
    const settling = d.cloud.settling ?? 0;
    const silence = new Silence(settling);
    let read = await (0,deployment/* readSlots */.wI)(d, spec.count);
    let seen = await d.cloud.observe(d);
    const held = read.filter(({ record }) => (0,wire_slot/* isHeld */.i7)(record));
    if (seen.phase === 'absent' && held.length > 0) {
        const { name } = await d.cloud.whoami();
        engine.host.info(`${d.name}: its machines cannot be seen from here (${name}); listening for them for up to ${(0,duration/* formatDuration */.a3)(Math.ceil(spec.lease.ttl / 1000))}`);
        for (const { record } of read)
            silence.silentFor(record, clock.now());
        const alive = () => read.some(({ record }) => held.some((was) => was.record.index === record.index && was.record.nonce !== record.nonce));
        for (const until = clock.now() + spec.lease.ttl; clock.now() < until && !alive();) {
            await clock.sleep(Math.min(LISTEN, spec.lease.ttl / 4), signal);
            read = await (0,deployment/* readSlots */.wI)(d, spec.count);
        }
        seen = await d.cloud.observe(d);
    }
    // The first look only begins the time after which it counts.
    if (seen.phase === 'stopped' && settling > 0 && read.some(({ record }) => !(0,wire_slot/* isTerminal */.Hd)(record.state))) {
        for (const { record } of read)
            silence.silentFor(record, clock.now());
        silence.saw(seen, clock.now());
        await clock.sleep(settling, signal);
        read = await (0,deployment/* readSlots */.wI)(d, spec.count);
        const at = clock.now();
        seen = await d.cloud.observe(d);
        silence.saw(seen, at);
    }
    const closed = await closeAbandoned(d, spec, read, seen, silence, clock);
    return closed > 0 ? (0,deployment/* readSlots */.wI)(d, spec.count) : read;
}


/***/ }),

/***/ 87002:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  q: () => (/* binding */ SILENT),
  e: () => (/* binding */ follow)
});

// EXTERNAL MODULE: ./build/js/lib/duration.js
var duration = __webpack_require__(86388);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/wire/slot.js
var wire_slot = __webpack_require__(48088);
// EXTERNAL MODULE: ./build/js/engine/deployment.js
var deployment = __webpack_require__(23922);
// EXTERNAL MODULE: ./build/js/engine/patience.js
var patience = __webpack_require__(5822);
// EXTERNAL MODULE: ./build/js/engine/follow/close.js + 2 modules
var follow_close = __webpack_require__(35853);
// EXTERNAL MODULE: ./build/js/engine/follow/logs.js
var logs = __webpack_require__(50592);
;// CONCATENATED MODULE: ./build/js/engine/follow/mirror.js
/** Milliseconds before a line that was ended is opened again, and after one that broke. */
const REOPEN = 100;
const BROKEN = 5_000;
class Mirror {
    #store;
    #clock;
    #wishes;
    #records = new Map();
    /** By folder: what was pushed and not yet taken, in the order of keys. */
    #objects;
    /** By folder: how far the reader has come. */
    #taken = new Map();
    /** What we hold is what the store holds, give or take the time that a push takes. */
    #current = false;
    constructor(store, clock, wishes) {
        this.#store = store;
        this.#clock = clock;
        this.#wishes = wishes;
        this.#objects = new Map(wishes.map(({ folder }) => [folder, new Map()]));
    }
    get url() {
        return this.#store.url;
    }
    /** Keeps the line open until the signal. From a first look on: what has been read until then is not pushed again. */
    async keep(signal) {
        while (!signal.aborted && this.#store.watch) {
            const pause = await this.#listen(signal).then(() => REOPEN, () => {
                this.#forget();
                return BROKEN;
            });
            await this.#clock.sleep(pause, signal).catch(() => undefined);
        }
        this.#forget();
    }
    async #listen(signal) {
        const wishes = this.#wishes.map(({ record, folder }) => {
            const after = [...(this.#objects.get(folder)?.keys() ?? [])].at(-1) ?? this.#taken.get(folder);
            return { record, folder, ...(after !== undefined && { after }) };
        });
        for await (const told of this.#store.watch?.(wishes, signal) ?? []) {
            if (told === 'caught-up')
                this.#current = true;
            else
                this.#hear(told);
        }
    }
    #hear({ key, object }) {
        const folder = this.#folderOf(key);
        if (folder && object)
            folder.set(key, object);
        else if (object)
            this.#records.set(key, object);
        else
            this.#records.delete(key);
    }
    #forget() {
        this.#current = false;
        this.#records.clear();
        for (const folder of this.#objects.values())
            folder.clear();
    }
    #folderOf(key) {
        return this.#objects.get(key.slice(0, key.lastIndexOf('/') + 1));
    }
    async read(key, range, signal) {
        const folder = this.#folderOf(key);
        const known = range === undefined && this.#current ? (folder?.get(key) ?? this.#records.get(key)) : undefined;
        folder?.delete(key);
        return known ?? (await this.#store.read(key, range, signal));
    }
    async *list(prefix, after, signal) {
        const folder = this.#objects.get(prefix);
        if (folder && after !== undefined)
            this.#taken.set(prefix, after);
        if (!folder || !this.#current) {
            yield* this.#store.list(prefix, after, signal);
            return;
        }
        for (const [key, { bytes }] of folder) {
            if (after === undefined || key > after)
                yield { key, size: bytes.length };
            else
                folder.delete(key);
        }
    }
    async init(prefix) {
        await this.#store.init(prefix);
    }
    async write(key, body, condition, signal) {
        return await this.#store.write(key, body, condition, signal);
    }
    async remove(keys, condition) {
        await this.#store.remove(keys, condition);
    }
    async clear(prefix) {
        await this.#store.clear(prefix);
    }
}

// EXTERNAL MODULE: ./build/js/engine/follow/no-start.js
var no_start = __webpack_require__(96233);
// EXTERNAL MODULE: ./build/js/core/identity.js
var identity = __webpack_require__(82260);
// EXTERNAL MODULE: ./build/js/wire/spec.js
var wire_spec = __webpack_require__(62023);
// EXTERNAL MODULE: ./build/js/engine/record.js + 1 modules
var engine_record = __webpack_require__(9923);
;// CONCATENATED MODULE: ./build/js/engine/follow/release.js





/** As of a process that the kernel has killed. */
const KILLED = 137;
/** Resolves to how many slots were let go or closed. */
async function releaseDead(d, spec, slots, seen, silence, { now, at }) {
    let changed = 0;
    const others = contenders(slots, seen);
    for (const slot of slots) {
        const end = endOf(slot.record, spec, seen, silence.silentFor(slot.record, now), others);
        if (!end)
            continue;
        const done = 'state' in end ? await (0,follow_close/* closeSlot */.Jp)(d, spec, slot, end, at) : await release(d, slot, end.reason, end.used, at);
        if (done)
            changed += 1;
    }
    return changed;
}
/** Machines that are there and hold nothing. */
function contenders(slots, { machines }) {
    const holders = new Set(slots.map(({ record }) => record.holder));
    return machines.filter(({ id, state }) => state !== 'gone' && !holders.has(id));
}
function endOf(record, spec, seen, silent, others) {
    const { holder, released, retried = 0 } = record;
    if ((0,wire_slot/* isTerminal */.Hd)(record.state) || seen.phase !== 'up')
        return undefined;
    // It may have thought that it was only taken away.
    const outgrown = seen.machines.find(({ id, cause }) => id === record.attempts.at(-1)?.holder && cause === 'disk-full');
    if (outgrown)
        return deathOf(outgrown, spec, retried);
    if (holder === undefined || released)
        return undefined;
    const machine = seen.machines.find(({ id }) => id === holder);
    if (machine?.state === 'gone')
        return deathOf(machine, spec, retried);
    // The same rule as of a contender, only that we have watched for longer.
    const replaced = others.some(({ index }) => index === undefined || index === record.index);
    return replaced && silent >= spec.lease.ttl ? { reason: `machine ${holder} went silent`, used: retried } : undefined;
}
function deathOf({ id, cause, reason }, spec, used) {
    const text = `machine ${id} died${reason === undefined ? '' : `: ${reason}`}`;
    if (cause === undefined)
        return { reason: text, used };
    // The next one would have no more of it.
    if (cause === 'disk-full')
        return { state: 'failed', cause, reason: reason ?? 'disk full' };
    if ((0,wire_spec/* mayRetry */.KO)(spec.retry, used, KILLED, true))
        return { reason: text, used: used + 1 };
    return { state: 'failed', cause, reason: reason ?? 'out of memory', exitCode: KILLED };
}
async function release(d, { record, version }, reason, retried, at) {
    const attempts = record.attempts.map((attempt) => (attempt.end === undefined ? { ...attempt, reason } : attempt));
    const next = { ...record, nonce: (0,identity/* newNonce */.Yd)(), attempts, released: true, at, ...(retried > 0 && { retried }) };
    return (0,engine_record/* swap */.wg)(wire_slot/* SLOT */.rt, d.store, d.keys.slot(record.index).record, next, version);
}

// EXTERNAL MODULE: ./build/js/engine/follow/removal.js
var removal = __webpack_require__(48727);
;// CONCATENATED MODULE: ./build/js/engine/follow/unheard.js


/** Milliseconds in which a machine that runs takes its slot, however slow it is. */
const LATE = 30_000;
class Unheard {
    #d;
    /** Machines that run and hold nothing: since when. */
    #since = new Map();
    #told = new Set();
    constructor(d) {
        this.#d = d;
    }
    /** What is to be told now. `now`: milliseconds, monotonic. */
    async look(slots, { machines }, now) {
        const late = machines.filter((machine) => {
            if (machine.state !== 'running' || !isAwaited(machine, slots))
                return void this.#since.delete(machine.id);
            const since = this.#since.get(machine.id) ?? now;
            this.#since.set(machine.id, since);
            return now - since >= LATE && !this.#told.has(machine.id);
        });
        return Promise.all(late.map(async (machine) => this.#tell(machine)));
    }
    async #tell({ id, bootLog = '' }) {
        this.#told.add(id);
        const why = await this.#d.cloud.unheard?.(this.#d, id).catch(lib_text/* messageOf */.bD);
        const log = why === undefined && bootLog !== '' ? `; its log ends: ${bootLog.trimEnd()}` : '';
        return `machine ${id} has been running for ${LATE / 1000} s without a sign of life${why === undefined ? log : `: ${why}`}`;
    }
}
/** Some slot waits for a machine, this one has never had one in hand, and where machines are numbered it is of this slot. */
function isAwaited({ id, index }, slots) {
    if (slots.some(({ holder, attempts }) => holder === id || attempts.some((attempt) => attempt.holder === id)))
        return false;
    return slots.some((slot) => !(0,wire_slot/* isTerminal */.Hd)(slot.state) && !(0,wire_slot/* isHeld */.i7)(slot) && (index === undefined || index === slot.index));
}

;// CONCATENATED MODULE: ./build/js/engine/follow/follow.js












/** For whoever waits only for the end. */
const SILENT = { slot() { }, log() { }, event() { } };
/** Milliseconds between two looks at records and logs: well below the 3 s that a log line may take. */
const POLL = 700;
/** Right after something has changed: what follows is waited for. */
const EAGER = 100;
/** Between two looks at the cloud, where something is moving or looking costs nothing. */
const OBSERVE = 2000;
/** How much longer the next one waits when the last has seen nothing new. */
const CALMER = 1.6;
/** Beats without a sign after which it no longer waits. */
const follow_LATE = 1.5;
/** Longest time that store or cloud may be out of reach before following gives up; the deployment itself goes on. */
const PATIENCE = 15 * 60_000;
/**
 * Resolves with the slots as last seen. Closes slots that nobody holds any more; never leaves one open for ever. Throws `TooLate` when the
 * deployment was removed under it, or somebody has begun to and is silent: then nobody may close them. `Unfinished`: so it is with its maker.
 */
async function follow(engine, d, spec, watcher, options) {
    const over = new AbortController();
    const mirror = new Mirror(d.store, engine.clock, Array.from({ length: spec.count }, (_, index) => ({ record: d.keys.slot(index).record, folder: d.keys.slot(index).log })));
    try {
        return await followOn(engine, { ...d, store: mirror }, spec, watcher, options, () => void mirror.keep(over.signal));
    }
    finally {
        over.abort();
    }
}
/** `looked`: called once, after the first look. */
async function followOn(engine, d, spec, watcher, options, looked) {
    const looker = new Looker(engine, d, spec, watcher);
    let first = true;
    let failingSince;
    let rest = EAGER;
    for (;;) {
        const before = looker.slots;
        try {
            const slots = await looker.look(options.signal);
            if (slots.some((slot) => hasMoved(slot, before[slot.index])))
                rest = EAGER;
            if (failingSince !== undefined)
                watcher.event(backAfter(engine.clock.now() - failingSince), 'notice');
            failingSince = undefined;
            if (slots.every((slot) => (0,wire_slot/* isTerminal */.Hd)(slot.state)) || options.signal.aborted)
                return slots;
            if (first)
                looked();
            first = false;
        }
        catch (error) {
            if (options.signal.aborted)
                return looker.slots;
            if (!(0,patience/* mayPass */.bg)(error))
                throw error;
            // Once: it fails every few seconds, and mostly for the same reason.
            if (failingSince === undefined)
                watcher.event(`unreachable, trying again: ${(0,lib_text/* messageOf */.bD)(error)}`, 'notice');
            failingSince ??= engine.clock.now();
            if (engine.clock.now() - failingSince > PATIENCE)
                throw error;
        }
        await engine.clock.sleep(options.poll ?? rest, options.signal).catch(() => undefined);
        rest = Math.min(POLL, rest * 1.25);
        if (options.signal.aborted)
            return looker.slots;
    }
}
function hasMoved(now, before) {
    return now.state !== before?.state || now.phase !== before.phase;
}
const backAfter = (milliseconds) => `reachable again after ${(0,duration/* formatDuration */.a3)(Math.round(milliseconds / 1000))}`;
function isNews(before, now) {
    const gist = ({ phase, wanted, machines, events }) => JSON.stringify([phase, wanted, events.length, machines.map(({ id, state }) => [id, state])]);
    return gist(before) !== gist(now);
}
class Looker {
    slots = [];
    #engine;
    #d;
    #spec;
    #watcher;
    #readers;
    #silence;
    #unheard;
    #removal;
    /** On the clock that no jump moves. */
    #deadline;
    #seen = { phase: 'up', wanted: 0, machines: [], events: [] };
    #seenAt = Number.NEGATIVE_INFINITY;
    /** It was before the last look at its group. */
    #wasOpen = false;
    #rest = OBSERVE;
    #events = 0;
    constructor(engine, d, spec, watcher) {
        this.#engine = engine;
        this.#d = d;
        this.#spec = spec;
        this.#watcher = watcher;
        this.#unheard = new Unheard(d);
        this.#silence = new follow_close/* Silence */.Ah(d.cloud.settling);
        this.#removal = new removal/* Removal */.J(engine, d, spec, this.#silence);
        this.#deadline = engine.clock.now() + Date.parse(spec.lifetime.deadline) - engine.clock.date().getTime();
        this.#readers = Array.from({ length: spec.count }, (_, index) => new logs/* LogReader */.w(d, index));
    }
    async look(signal) {
        const read = await (0,deployment/* readSlots */.wI)(this.#d, this.#spec.count);
        const slots = read.map((slot) => slot.record);
        // A new attempt is announced before its lines, an end after them.
        const changed = slots.filter((slot) => this.slots[slot.index]?.nonce !== slot.nonce);
        if (changed.some((slot) => hasMoved(slot, this.slots[slot.index])))
            this.#rest = OBSERVE;
        const tell = (slot) => this.#watcher.slot(slot, this.slots[slot.index]);
        changed.filter((slot) => !(0,wire_slot/* isTerminal */.Hd)(slot.state)).forEach(tell);
        await this.#logs(slots, signal);
        changed.filter((slot) => (0,wire_slot/* isTerminal */.Hd)(slot.state)).forEach(tell);
        this.slots = slots;
        await this.#observe();
        for (const text of await this.#unheard.look(slots, this.#seen, this.#engine.clock.now()))
            this.#watcher.event(text, 'failure');
        this.#watcher.tick?.(slots, this.#seen);
        const closed = this.#wasOpen ? await this.#judge(read) : 0;
        await this.#failFast(slots);
        return closed > 0 ? this.look(signal) : slots;
    }
    /** Slots that nobody will go on with are closed, those of dead holders let go. Resolves to how many. */
    async #judge(read) {
        const { clock } = this.#engine;
        const at = clock.date().toISOString();
        return ((await (0,follow_close/* closeAbandoned */.Nw)(this.#d, this.#spec, read, this.#seen, this.#silence, clock)) +
            (await (0,no_start/* refuseToStart */.M)(this.#d, this.#spec, read, this.#seen, { at, late: clock.now() >= this.#deadline })) +
            (await releaseDead(this.#d, this.#spec, read, this.#seen, this.#silence, { now: clock.now(), at })));
    }
    async #logs(slots, signal) {
        for (const slot of slots) {
            const reader = this.#readers[slot.index];
            if (reader && slot.epoch > 0)
                for await (const piece of reader.next(slot, signal))
                    this.#watcher.log(piece);
        }
    }
    async #observe() {
        const now = this.#engine.clock.now();
        const rest = this.slots.some((slot) => this.#isLate(slot, now)) ? OBSERVE : this.#rest;
        if (now - this.#seenAt < rest)
            return;
        await this.#removal.look(this.slots, now);
        const before = this.#seen;
        // What cannot be read is told by whoever closes something.
        this.#wasOpen ||= await (0,follow_close/* isOpen */.nT)(this.#d).catch(() => false);
        this.#seen = await this.#d.cloud.observe(this.#d);
        this.#seenAt = now;
        if (this.#wasOpen)
            this.#silence.saw(this.#seen, now);
        this.#rest = isNews(before, this.#seen) ? OBSERVE : Math.max(OBSERVE, Math.min(this.#d.cloud.calm ?? 0, this.#rest * CALMER));
        for (const event of this.#seen.events.slice(this.#events))
            this.#watcher.event(event.text, event.kind);
        // An answer of before comes after a newer one where a cloud's answers lag.
        this.#events = Math.max(this.#events, this.#seen.events.length);
    }
    /** Its machine should have shown itself by now. */
    #isLate(slot, now) {
        const silent = this.#silence.silentFor(slot, now);
        return slot.holder !== undefined && !(0,wire_slot/* isTerminal */.Hd)(slot.state) && silent > this.#spec.lease.beat * follow_LATE;
    }
    /** The failing agent asks for it itself; this is for slots that a controller closed. */
    async #failFast(slots) {
        if (!this.#spec.failFast || !slots.some((slot) => slot.state === 'failed') || slots.every((slot) => (0,wire_slot/* isTerminal */.Hd)(slot.state)))
            return;
        await (0,deployment/* wishStop */.q3)(this.#d, { at: this.#engine.clock.date().toISOString(), by: 'fail-fast' });
    }
}


/***/ }),

/***/ 50592:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   w: () => (/* binding */ LogReader)
/* harmony export */ });
/* harmony import */ var _wire_layout_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(64046);
/* harmony import */ var _wire_log_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51812);
/** Reading a slot's log in order: no gap, no repetition, across attempts. */


/** Position of a reader: the last segment it has taken. */
class LogReader {
    #d;
    #slot;
    #after;
    constructor(d, slot) {
        this.#d = d;
        this.#slot = slot;
    }
    /**
     * Everything new. `record` must have been read *before* this call: a segment of an ended attempt counts only up to that attempt's
     * `logEnd`; of the running attempt, as far as it has come.
     */
    async *next(record, signal) {
        const folder = this.#d.keys.slot(this.#slot).log;
        for await (const entry of this.#d.store.list(folder, this.#after, signal)) {
            const found = (0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_1__/* .numbersOf */ .cZ)(entry.key);
            if (!found)
                continue;
            const { epoch, seq } = found;
            // A machine took the slot after we read its record: its lines come with the next look.
            if (epoch > record.epoch)
                return;
            this.#after = entry.key;
            if (!counts(record, epoch, seq))
                continue;
            const object = await this.#d.store.read(entry.key, undefined, signal);
            if (object)
                yield { slot: this.#slot, epoch, ...(0,_wire_log_js__WEBPACK_IMPORTED_MODULE_0__/* .decodeSegment */ .UR)(object.bytes, entry.key) };
        }
    }
}
function counts(record, epoch, seq) {
    const attempt = record.attempts.find((candidate) => candidate.epoch === epoch);
    return attempt?.logEnd === undefined || seq <= attempt.logEnd;
}


/***/ }),

/***/ 96233:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ refuseToStart)
/* harmony export */ });
/* harmony import */ var _wire_ending_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(18355);
/* harmony import */ var _wire_slot_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(48088);
/* harmony import */ var _deployment_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(23922);
/* harmony import */ var _close_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(35853);




const BOOTS = 3;
/** Boots in a row, however many slots wait. */
const ENOUGH = 30;
const LOG_TAIL = 2000;
/** Resolves to how many were closed. `late`: the deadline is over, and whoever took a slot now would begin nothing. */
async function refuseToStart(d, spec, slots, seen, { at, late }) {
    let closed = 0;
    const records = slots.map(({ record }) => record);
    const tooLate = late ? await lateEnd(d, spec) : undefined;
    for (const slot of slots) {
        if ((0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_0__/* .isTerminal */ .Hd)(slot.record.state))
            continue;
        const ending = failedBoots(slot.record, records, seen.machines) ??
            stuck(slot.record, records, seen.machines) ??
            refused(slot.record, seen) ??
            (tooLate && !(0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_0__/* .isHeld */ .i7)(slot.record) ? (0,_close_js__WEBPACK_IMPORTED_MODULE_2__/* .withoutMachine */ .W)(slot.record, seen, tooLate) : undefined);
        if (ending && (await (0,_close_js__WEBPACK_IMPORTED_MODULE_2__/* .closeSlot */ .Jp)(d, spec, slot, ending, at)))
            closed += 1;
    }
    return closed;
}
/** The last machines that were to take it went one after the other without taking anything. */
function failedBoots(slot, slots, machines) {
    const { idle, limit } = meantFor(slot, slots, machines);
    const gone = idle.filter(({ state }) => state === 'gone');
    const last = gone.length >= limit ? gone.at(-1) : undefined;
    if (!last)
        return undefined;
    const log = last.bootLog ? `; its boot log ends: ${last.bootLog.slice(-LOG_TAIL).trim()}` : '';
    return {
        state: 'failed',
        cause: 'no-start',
        reason: `machine does not start (${limit} in a row; ${last.reason ?? 'no reason given'})${log}`,
    };
}
function stuck(slot, slots, machines) {
    const here = meantFor(slot, slots, machines).idle.filter(({ state }) => state !== 'gone');
    const last = here.at(-1);
    // One of several that may still come would do.
    if (!last || !here.every((machine) => machine.state === 'starting' && machine.stuck !== undefined))
        return undefined;
    return { state: 'failed', cause: 'no-start', reason: `machine does not start: ${last.stuck}` };
}
/** The group may not make the first machine. Where it has others, one of them may make room by its end. */
function refused(slot, { phase, machines, events }) {
    if (phase !== 'up' || slot.epoch > 0 || machines.some(({ state }) => state !== 'gone'))
        return undefined;
    const last = events.findLast(({ kind }) => kind === 'quota' || kind === 'denied');
    if (!last || machines.some(({ startedAt = '' }) => Date.parse(startedAt) > Date.parse(last.at)))
        return undefined;
    return { state: 'failed', cause: causeOf(last), reason: `no machine can be created: ${last.text}` };
}
/** Of slots that no machine has in hand: what they had saved is on record, and nothing more is to come. */
async function lateEnd(d, { lifetime: { deadline } }) {
    const stop = (await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_1__/* .readControl */ .OJ)(d))?.stop;
    return (0,_wire_ending_js__WEBPACK_IMPORTED_MODULE_3__/* .closing */ .ET)({ stop, pastDeadline: true, deadline }) ?? (0,_wire_ending_js__WEBPACK_IMPORTED_MODULE_3__/* .timedOut */ .iU)(deadline);
}
function causeOf({ kind }) {
    return kind === 'denied' ? 'denied' : 'no-capacity';
}
/**
 * Machines that were to take this slot. Where they bear no numbers each was to take any slot that waits, and is of none that does not: a slot's
 * three boots are then so many for each that waits, up to a number that proves enough for all.
 */
function meantFor(slot, slots, machines) {
    const numbered = machines.some(({ index }) => index !== undefined);
    if (!numbered && (0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_0__/* .isHeld */ .i7)(slot))
        return { idle: [], limit: BOOTS };
    const holders = new Set(slots.flatMap(({ holder, attempts }) => [holder, ...attempts.map((attempt) => attempt.holder)]));
    const own = machines
        .filter(({ index }) => !numbered || index === slot.index)
        .sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1));
    const waiting = slots.filter((one) => !(0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_0__/* .isTerminal */ .Hd)(one.state) && !(0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_0__/* .isHeld */ .i7)(one)).length;
    const idle = own.slice(own.findLastIndex(({ id }) => holders.has(id)) + 1);
    return { idle, limit: numbered ? BOOTS : Math.min(BOOTS * Math.max(1, waiting), ENOUGH) };
}


/***/ }),

/***/ 48727:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ Removal),
/* harmony export */   K: () => (/* binding */ Unfinished)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_unchanged_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(51935);
/* harmony import */ var _wire_incarnation_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(40906);
/* harmony import */ var _wire_slot_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(48088);
/* harmony import */ var _destroy_removed_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(96660);
/* harmony import */ var _find_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4782);
/** A removal or a creation that nobody goes on with, as its followers see it: slots are open that nobody may close. */






/** Whoever was creating it has stopped before it was complete. */
class Unfinished extends _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi {
}
class Removal {
    #engine;
    #d;
    #spec;
    #silence;
    #unchanged = new _lib_unchanged_js__WEBPACK_IMPORTED_MODULE_4__/* .Unchanged */ ._();
    constructor(engine, d, spec, silence) {
        this.#engine = engine;
        this.#d = d;
        this.#spec = spec;
        this.#silence = silence;
    }
    /**
     * Throws `TooLate` or `Unfinished` where nothing came for one TTL from any machine, nor from whoever removes or makes it. The record is read
     * only when the machines are silent.
     */
    async look(slots, now) {
        const { ttl } = this.#spec.lease;
        const silent = slots.map((slot) => (0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_1__/* .isTerminal */ .Hd)(slot.state) || this.#silence.silentFor(slot, now) >= ttl);
        if (!silent.every(Boolean))
            return;
        const current = (await (0,_find_js__WEBPACK_IMPORTED_MODULE_3__/* .readCurrent */ .cA)(this.#d.store, this.#d.id))?.value;
        if (this.#unchanged.for(this.#d.id, current?.nonce, now) < Math.max(ttl, current?.ttl ?? 0))
            return;
        if ((0,_wire_incarnation_js__WEBPACK_IMPORTED_MODULE_5__/* .removalOf */ .c)(current, this.#d.incarnation) !== undefined)
            throw await (0,_destroy_removed_js__WEBPACK_IMPORTED_MODULE_2__/* .tooLate */ .Bg)(this.#engine, this.#d);
        if (current?.state !== 'making')
            return;
        throw new Unfinished(`deployment "${this.#d.name}": the command that was creating it has stopped before it was complete`, {
            hint: `start it again, or remove what is there: tpi destroy ${this.#d.name} --discard`,
        });
    }
}


/***/ }),

/***/ 189:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Bg: () => (/* binding */ resultOf),
/* harmony export */   PP: () => (/* binding */ holderIsDead),
/* harmony export */   WJ: () => (/* binding */ verdict),
/* harmony export */   c2: () => (/* binding */ statusOf)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _wire_cut_off_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(30510);
/* harmony import */ var _wire_ending_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(18355);
/* harmony import */ var _wire_slot_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(48088);




/** One verdict over all slots: open while any is open; else the lowest-index slot that did not succeed decides. */
function verdict(slots) {
    const open = slots.filter((slot) => !(0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_2__/* .isTerminal */ .Hd)(slot.state));
    if (open.length > 0) {
        const order = ['running', 'interrupted', 'booting', 'waiting'];
        const state = order.find((candidate) => open.some((slot) => slot.state === candidate)) ?? 'waiting';
        return { state, outcome: 'running', exitCode: null };
    }
    const bad = slots.filter((slot) => slot.state !== 'succeeded' && !(spent(slot) && servedAfterAll(slots)));
    // A slot that fail-fast stopped is not the reason for anything.
    const decisive = bad.find((slot) => slot.cause !== 'sibling') ?? bad[0];
    if (!decisive)
        return { state: 'succeeded', outcome: 'success', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.ok };
    return { state: decisive.state, ...judged(decisive) };
}
/** Runner: its last registration went with a machine that was taken away. */
const spent = ({ state, cause }) => state === 'failed' && cause === 'interrupted';
/** What was cut off on one of them has run since, on whichever. */
function servedAfterAll(slots) {
    const jobs = slots.flatMap((slot) => slot.jobs ?? []);
    return slots.some(({ served = 0 }) => served > 0) && (0,_wire_cut_off_js__WEBPACK_IMPORTED_MODULE_1__/* .madeGood */ .Pf)((0,_wire_cut_off_js__WEBPACK_IMPORTED_MODULE_1__/* .interruptedJobs */ .ff)(slots), jobs);
}
function judged(slot) {
    if (slot.state === 'timed-out')
        return { outcome: 'timed-out', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.timedOut };
    if (slot.state === 'stopped')
        return { outcome: 'stopped', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.stopped };
    if (slot.cause === 'setup')
        return { outcome: 'setup-failed', exitCode: slot.exitCode ?? 1 };
    if ((0,_wire_ending_js__WEBPACK_IMPORTED_MODULE_3__/* .isOwnEnd */ ._y)(slot.cause))
        return { outcome: 'script-failed', exitCode: slot.exitCode || 1 };
    if (slot.cause === 'no-capacity')
        return { outcome: 'no-capacity', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.noCapacity };
    if (slot.cause === 'denied')
        return { outcome: 'denied', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.denied };
    return { outcome: 'remote-error', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.remote };
}
function statusOf(parts) {
    const { spec, slots } = parts;
    const { state, outcome, exitCode } = verdict(slots);
    return {
        id: spec.id,
        name: spec.name,
        cloud: parts.cloud,
        mode: spec.mode,
        state,
        outcome,
        exitCode,
        createdAt: spec.createdAt,
        deadline: spec.lifetime.deadline,
        endedAt: outcome === 'running'
            ? null
            : (slots
                .map((slot) => slot.at)
                .sort()
                .at(-1) ?? null),
        collected: parts.collected !== undefined,
        destroyed: parts.destroyed ?? false,
        origin: spec.origin,
        store: parts.store,
        slots: slots.map(slotStatus),
    };
}
function slotStatus(slot) {
    const last = slot.attempts.at(-1);
    return {
        index: slot.index,
        state: slot.state,
        ...(slot.phase && !(0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_2__/* .isTerminal */ .Hd)(slot.state) ? { phase: slot.phase } : {}),
        ...(slot.jobs ? { jobs: slot.jobs } : {}),
        attempt: slot.epoch,
        exitCode: slot.exitCode ?? null,
        reason: slot.reason ?? last?.reason ?? null,
        machine: slot.holder ?? last?.holder ?? null,
        savedAt: (0,_wire_slot_js__WEBPACK_IMPORTED_MODULE_2__/* .hasSaved */ .ce)(slot) ? slot.head.savedAt : null,
        attempts: slot.attempts,
        outputs: slot.outputs ?? {},
        ...(slot.summary === undefined ? {} : { summary: slot.summary }),
    };
}
/** Values of the script by slot: one object for one slot, a list for many. */
function resultOf(slots) {
    return slots.length === 1 ? (slots[0]?.outputs ?? {}) : slots.map((slot) => slot.outputs);
}
/** Does the group know that nobody holds this slot any more? `false` means: it cannot tell. */
function holderIsDead(slot, seen) {
    if (seen.phase === 'stopped')
        return true;
    if (slot.holder === undefined)
        return false;
    const machine = seen.machines.find((candidate) => candidate.id === slot.holder);
    return machine?.state === 'gone';
}


/***/ }),

/***/ 49885:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gs: () => (/* binding */ logOf),
/* harmony export */   I9: () => (/* binding */ recall),
/* harmony export */   kY: () => (/* binding */ remember),
/* harmony export */   rn: () => (/* binding */ recallRun)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(39429);
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(82260);
/* harmony import */ var _lib_files_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(59381);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(29611);
/* harmony import */ var _lib_writer_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(25507);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(13453);
/* harmony import */ var _wire_records_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(70708);
/* harmony import */ var _wire_runner_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(56910);
/* harmony import */ var _wire_slot_js__WEBPACK_IMPORTED_MODULE_10__ = __webpack_require__(48088);
/**
 * What stays in `$TPI_HOME/history` of runs that are gone: of each its last status (`<run>.json`) and what it printed (`<run>.log.gz`, see
 * `kept-log.ts`), so that `status`, `logs` and `list --all` still answer. Bounded: the oldest go first.
 */











/** How much is remembered: runs, and the bytes that all of it may take. */
const MOST = { runs: 200, bytes: 500e6 };
const TEXT = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .text */ .Qq)(1 << 19);
const orNone = (shape) => (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .either */ .gP)(shape, (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .oneOf */ .yL)(null));
const exitCode = orNone((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .number */ .ai)(-1e9, 1e9));
const slot = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ik)({
    index: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .count */ .U9)(),
    state: _wire_slot_js__WEBPACK_IMPORTED_MODULE_10__/* .slotState */ .gi,
    phase: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .maybe */ .no)(TEXT),
    attempt: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .count */ .U9)(),
    exitCode,
    reason: orNone(TEXT),
    machine: orNone(TEXT),
    savedAt: orNone(_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .time */ .kB),
    attempts: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .list */ .p_)(_wire_slot_js__WEBPACK_IMPORTED_MODULE_10__/* .attempt */ .CD, 100_000),
    outputs: _wire_slot_js__WEBPACK_IMPORTED_MODULE_10__/* .outputs */ .V4,
    summary: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .maybe */ .no)(TEXT),
    jobs: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .list */ .p_)(_wire_runner_js__WEBPACK_IMPORTED_MODULE_9__/* .servedJob */ .b, 1000)),
});
const pastShape = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ik)({
    id: _wire_parse_js__WEBPACK_IMPORTED_MODULE_7__/* .label */ .Pf,
    name: _wire_parse_js__WEBPACK_IMPORTED_MODULE_7__/* .label */ .Pf,
    cloud: _wire_parse_js__WEBPACK_IMPORTED_MODULE_7__/* .word */ .Vm,
    mode: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .oneOf */ .yL)(..._wire_records_js__WEBPACK_IMPORTED_MODULE_8__/* .MODES */ .FN),
    state: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .either */ .gP)(_wire_slot_js__WEBPACK_IMPORTED_MODULE_10__/* .slotState */ .gi, (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .oneOf */ .yL)('creating', 'destroying')),
    outcome: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .oneOf */ .yL)(..._core_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .OUTCOMES */ .im),
    exitCode,
    createdAt: _lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .time */ .kB,
    deadline: _lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .time */ .kB,
    endedAt: orNone(_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .time */ .kB),
    collected: _lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .flag */ .Jt,
    destroyed: _lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .flag */ .Jt,
    delivered: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ik)({ at: _lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .time */ .kB, by: TEXT, to: TEXT })),
    origin: _wire_records_js__WEBPACK_IMPORTED_MODULE_8__/* .origin */ .TG,
    store: TEXT,
    slots: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .list */ .p_)(slot, 1_000_000),
    price: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .number */ .ai)(0, 1e9)),
    results: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .maybe */ .no)(TEXT),
});
const folderOf = (home) => (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(home, 'history');
const recordOf = (home, run) => (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folderOf(home), `${(0,_core_identity_js__WEBPACK_IMPORTED_MODULE_3__/* .runId */ .Vz)(run)}.json`);
const logOf = (home, run) => (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folderOf(home), `${(0,_core_identity_js__WEBPACK_IMPORTED_MODULE_3__/* .runId */ .Vz)(run)}.log.gz`);
/** What an earlier call knew of price and results stays. */
async function remember(home, past, most = MOST) {
    await (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_4__/* .makePrivate */ .ux)(folderOf(home));
    const known = await recallRun(home, past);
    const { price = known?.price, results = known?.results, ...status } = past;
    await (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_4__/* .writeWhole */ .f8)(recordOf(home, past), `${JSON.stringify({ ...status, price, results }, null, 1)}\n`);
    await forgetOldest(home, most);
}
async function recallRun(home, run) {
    return (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_4__/* .readJson */ .Vh)(recordOf(home, run), pastShape);
}
/** Youngest first. What is cut off, or goes meanwhile, hides none of the others. */
async function recall(home) {
    const names = (await (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_4__/* .namesIn */ .wX)(folderOf(home))).filter((name) => /^tpi-.*\.json$/.test(name));
    const read = await Promise.all(names.map((name) => (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_4__/* .readJson */ .Vh)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folderOf(home), name), pastShape)));
    return read.filter((past) => past !== undefined).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}
/** Also what a killed command left half made. */
async function forgetOldest(home, most) {
    const runs = new Map();
    for (const name of await (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_4__/* .namesIn */ .wX)(folderOf(home))) {
        const [, half] = /\.([^.]+\.[^.]+)\.part$/.exec(name) ?? [];
        if (half !== undefined && (0,_lib_writer_js__WEBPACK_IMPORTED_MODULE_6__/* .writerIsDead */ .Y)(half))
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.rm)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folderOf(home), name), { force: true });
        const [, run] = /^(tpi-.*?)(?:\.json|\.log\.gz)$/.exec(name) ?? [];
        const found = run && (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.stat)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folderOf(home), name)).catch(() => undefined));
        if (!run || !found)
            continue;
        const kept = runs.get(run) ?? { size: 0, at: 0, names: [] };
        runs.set(run, kept);
        kept.size += found.size;
        kept.at = Math.max(kept.at, found.mtimeMs);
        kept.names.push(name);
    }
    let room = most.bytes;
    for (const [index, { size, names }] of [...runs.values()].sort((a, b) => b.at - a.at).entries()) {
        room -= size;
        if (index > 0 && (index >= most.runs || room < 0))
            for (const name of names)
                await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.rm)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folderOf(home), name), { force: true });
    }
}


/***/ }),

/***/ 15098:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Uv: () => (/* binding */ unlocate),
/* harmony export */   t4: () => (/* binding */ located),
/* harmony export */   x5: () => (/* binding */ locate)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _lib_files_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(59381);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(29611);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(13453);
/** Where deployments of this home are that no cloud without credentials would show: `$TPI_HOME/deployments/<id>.json`. */





const LINE = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(4096);
const locator = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ id: _wire_parse_js__WEBPACK_IMPORTED_MODULE_4__/* .label */ .Pf, name: _wire_parse_js__WEBPACK_IMPORTED_MODULE_4__/* .label */ .Pf, cloud: _wire_parse_js__WEBPACK_IMPORTED_MODULE_4__/* .word */ .Vm, options: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .dictionary */ .zz)(LINE, (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .json */ .Pq)(), 1000) });
const folderOf = (home) => (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(home, 'deployments');
async function locate(home, place) {
    const folder = folderOf(home);
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdir)(folder, { recursive: true });
    await (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_2__/* .writeJson */ .GF)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, `${place.id}.json`), place, { durable: true });
}
/** Forgets a deployment that is gone; one that was never noted is fine. */
async function unlocate(home, id) {
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.rm)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folderOf(home), `${id}.json`), { force: true });
}
/** One that goes meanwhile, or was cut off by a power cut, hides none of the others. */
async function located(home) {
    const names = (await (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_2__/* .namesIn */ .wX)(folderOf(home))).filter((name) => name.startsWith('tpi-') && name.endsWith('.json'));
    const read = await Promise.all(names.map((name) => (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_2__/* .readJson */ .Vh)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folderOf(home), name), locator)));
    return read.filter((found) => found !== undefined);
}


/***/ }),

/***/ 44532:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ck: () => (/* binding */ reopen),
/* harmony export */   Ox: () => (/* binding */ markDestroying),
/* harmony export */   SS: () => (/* binding */ siblingOf),
/* harmony export */   Zg: () => (/* binding */ forgetFormer),
/* harmony export */   _E: () => (/* binding */ markOpen),
/* harmony export */   i4: () => (/* binding */ removeMark),
/* harmony export */   s: () => (/* binding */ take)
/* harmony export */ });
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(82260);
/* harmony import */ var _lib_writer_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(25507);
/* harmony import */ var _wire_layout_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(64046);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(13453);
/* harmony import */ var _wire_records_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(70708);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(37231);
/* harmony import */ var _deployment_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(23922);
/* harmony import */ var _find_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(4782);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(9923);
/**
 * The record that says which incarnation of a deployment lives, and who may act on it (docs/architecture.md has the table). Each change is
 * conditional on the version that was judged; whoever is too late judges again.
 */









const by = (engine) => ({ by: engine.actor, process: (0,_lib_writer_js__WEBPACK_IMPORTED_MODULE_1__/* .writerMark */ .j)() });
/** absent, gone or open(A) → making(B). `former`: what was judged to make room; `undefined`: there must be none. `false`: somebody else was faster. */
async function take(engine, d, facts, former) {
    const { id, name, incarnation } = d;
    const before = former ? incarnationsBefore(former.value) : [];
    const next = {
        v: _wire_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .VERSION */ .xv,
        nonce: (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .newNonce */ .Yd)(),
        id,
        name,
        incarnation,
        ...facts,
        state: 'making',
        ...by(engine),
        ...(before.length > 0 && { former: before }),
    };
    return (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .swap */ .wg)(_wire_records_js__WEBPACK_IMPORTED_MODULE_3__/* .CURRENT */ .eN, d.store, (0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_8__/* .currentKey */ .Fo)(id), next, former?.version);
}
/** What was removed to make room for the next one has left nothing but its record. */
function incarnationsBefore({ state, incarnation, former = [] }) {
    return state === 'destroying' ? former : [incarnation, ...former];
}
/** making → open, by its maker only. `false`: it is somebody else's by now. */
async function markOpen(d) {
    for (;;) {
        const judged = await (0,_find_js__WEBPACK_IMPORTED_MODULE_6__/* .readCurrent */ .cA)(d.store, d.id);
        if (judged?.value.incarnation !== d.incarnation || judged.value.state !== 'making')
            return false;
        const { relaunch: _relaunch, process: _process, ...rest } = judged.value;
        if (await swapped(d, judged, { ...rest, state: 'open' }))
            return true;
    }
}
/** → destroying. Of what is being made nobody but a `discard` takes what was there before. Whoever meets a removal joins it. */
async function markDestroying(engine, d, { why, ttl, judged: asJudged }) {
    for (;;) {
        const judged = await (0,_find_js__WEBPACK_IMPORTED_MODULE_6__/* .readCurrent */ .cA)(d.store, d.id).catch((error) => {
            // What nobody can read keeps nobody's incarnation: all that goes here goes by its own name.
            if ((0,_wire_store_js__WEBPACK_IMPORTED_MODULE_4__/* .isStoreError */ .A1)(error, 'corrupt'))
                return undefined;
            throw error;
        });
        const whose = whoseIs(judged?.value, d.incarnation);
        if (!judged || whose !== 'mine')
            return { whose };
        const { former } = judged.value;
        if (judged.value.state === 'destroying')
            return { whose, why: judged.value.why, former };
        if (asJudged && asJudged.value.nonce !== judged.value.nonce)
            return { whose: 'changed' };
        const reason = judged.value.state === 'making' && why !== 'discard' ? 'rollback' : why;
        const next = { ...judged.value, state: 'destroying', why: reason, ...by(engine), ...(ttl !== undefined && { ttl }) };
        if (await swapped(d, judged, next))
            return { whose, why: reason, former };
    }
}
function whoseIs(current, incarnation) {
    if (!current)
        return 'unnamed';
    if (current.incarnation === incarnation)
        return 'mine';
    return current.former?.includes(incarnation) ? 'kept' : 'another';
}
/** destroying → absent. Another one may be at the same removal, and renew the record. `false`: the name is somebody's. */
async function removeMark(d) {
    for (;;) {
        const judged = await (0,_find_js__WEBPACK_IMPORTED_MODULE_6__/* .readCurrent */ .cA)(d.store, d.id).catch((error) => {
            if ((0,_wire_store_js__WEBPACK_IMPORTED_MODULE_4__/* .isStoreError */ .A1)(error, 'corrupt'))
                return 'unreadable';
            throw error;
        });
        if (judged === undefined)
            return true;
        if (judged !== 'unreadable' && (judged.value.incarnation !== d.incarnation || judged.value.state !== 'destroying'))
            return false;
        try {
            await d.store.remove([(0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_8__/* .currentKey */ .Fo)(d.id)], judged === 'unreadable' ? undefined : { version: judged.version });
            return true;
        }
        catch (error) {
            if (!(0,_wire_store_js__WEBPACK_IMPORTED_MODULE_4__/* .isStoreError */ .A1)(error, 'conflict'))
                throw error;
        }
    }
}
/** destroying(B: rollback) → open(A). `nothing`: there is nothing to go back to. `another`: somebody else was faster, and the name is no longer B's. */
async function reopen(d) {
    for (;;) {
        const judged = await (0,_find_js__WEBPACK_IMPORTED_MODULE_6__/* .readCurrent */ .cA)(d.store, d.id);
        if (!judged)
            return 'nothing';
        if (judged.value.incarnation !== d.incarnation)
            return 'another';
        if (judged.value.why !== 'rollback')
            return 'nothing';
        const [incarnation, ...former] = judged.value.former ?? [];
        if (incarnation === undefined)
            return 'nothing';
        const spec = await (0,_deployment_js__WEBPACK_IMPORTED_MODULE_5__/* .readSpec */ .Ot)(siblingOf(d, incarnation)).catch((error) => {
            if ((0,_wire_store_js__WEBPACK_IMPORTED_MODULE_4__/* .isStoreError */ .A1)(error, 'corrupt'))
                return undefined;
            throw error;
        });
        // Nothing of it can be read any more, so nobody can have anything of it.
        if (!spec)
            return 'nothing';
        const { v, id, name } = judged.value;
        const { createdAt, origin, lease } = spec;
        const next = {
            v,
            id,
            name,
            incarnation,
            createdAt,
            origin,
            state: 'open',
            ttl: lease.ttl,
            ...(former.length > 0 && { former }),
        };
        if (await swapped(d, judged, next))
            return 'reopened';
    }
}
/** open(B) → open(B): of these former ones nothing is left. */
async function forgetFormer(d, gone) {
    for (;;) {
        const judged = await (0,_find_js__WEBPACK_IMPORTED_MODULE_6__/* .readCurrent */ .cA)(d.store, d.id);
        const left = judged?.value.former?.filter((one) => !gone.includes(one)) ?? [];
        if (judged?.value.incarnation !== d.incarnation || left.length === (judged.value.former?.length ?? 0))
            return;
        const { former: _former, ...rest } = judged.value;
        if (await swapped(d, judged, { ...rest, ...(left.length > 0 && { former: left }) }))
            return;
    }
}
function siblingOf(d, incarnation) {
    return (0,_deployment_js__WEBPACK_IMPORTED_MODULE_5__/* .deploymentOf */ .PE)({ ...d, incarnation, promise: undefined });
}
async function swapped(d, judged, next) {
    return (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .swap */ .wg)(_wire_records_js__WEBPACK_IMPORTED_MODULE_3__/* .CURRENT */ .eN, d.store, (0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_8__/* .currentKey */ .Fo)(d.id), { ...next, nonce: (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .newNonce */ .Yd)() }, judged.version);
}


/***/ }),

/***/ 70920:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ve: () => (/* binding */ enter),
/* harmony export */   gz: () => (/* binding */ untilUnread)
/* harmony export */ });
/* unused harmony export LOOKS_AFTER */
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(82260);
/* harmony import */ var _lib_unchanged_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(51935);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(13453);
/* harmony import */ var _destroy_removed_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(96660);
/* harmony import */ var _patience_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5822);
/**
 * Controllers that read one deployment at the same time. Each shows itself, so that the first to finish does not clear away what
 * another one is about to bring home.
 */





/** Milliseconds between two looks while others are still busy. */
const LOOK = 300;
/** Beats in one TTL, so that a lost one costs nothing; and beats between two looks at others, whose silence is then known at the end. */
const BEATS = 3;
const SELDOM = 6;
/** TTLs between two looks at others. */
const LOOKS_AFTER = SELDOM / BEATS;
/** Registers, and only then looks whether it is still there: who gives back marks that first and counts readers then, so that one of both sees the other. */
async function enter(engine, d, lease) {
    const own = `${d.keys.controllers}${(0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .newNonce */ .Yd)()}`;
    const done = new AbortController();
    const others = new Readers(engine, d, lease.ttl, own);
    const show = () => d.store.write(own, Buffer.from(JSON.stringify({ v: _wire_parse_js__WEBPACK_IMPORTED_MODULE_1__/* .VERSION */ .xv, nonce: (0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .newNonce */ .Yd)() })));
    const beat = async () => {
        for (let round = 1;; round += 1) {
            await engine.clock.sleep(lease.ttl / BEATS, done.signal);
            // A beat that fails costs nothing but a shorter wait of others.
            await Promise.all([show(), ...(round % SELDOM === 0 ? [others.living()] : [])]).catch(() => undefined);
        }
    };
    // Who comes just as the store is away for a moment waits as it would a moment later.
    await (0,_patience_js__WEBPACK_IMPORTED_MODULE_3__/* .patiently */ .d_)(engine, show);
    await (0,_patience_js__WEBPACK_IMPORTED_MODULE_3__/* .patiently */ .d_)(engine, async () => others.living());
    const leave = async () => {
        done.abort();
        await d.store.remove([own]);
    };
    if (await (0,_destroy_removed_js__WEBPACK_IMPORTED_MODULE_2__/* .isRemoved */ .RX)(d)) {
        await leave().catch(() => undefined);
        throw await (0,_destroy_removed_js__WEBPACK_IMPORTED_MODULE_2__/* .tooLate */ .Bg)(engine, d);
    }
    beat().catch(() => undefined);
    return { leave, alone: async () => others.gone() };
}
/** As `alone`, for whoever is no reader itself. */
async function untilUnread(engine, d, ttl) {
    await new Readers(engine, d, ttl).gone();
}
class Readers {
    #engine;
    #d;
    #ttl;
    #own;
    #unchanged = new _lib_unchanged_js__WEBPACK_IMPORTED_MODULE_4__/* .Unchanged */ ._();
    constructor(engine, d, ttl, own) {
        this.#engine = engine;
        this.#d = d;
        this.#ttl = ttl;
        this.#own = own;
    }
    async gone() {
        while ((await (0,_patience_js__WEBPACK_IMPORTED_MODULE_3__/* .patiently */ .d_)(this.#engine, async () => this.living())) > 0)
            await this.#engine.clock.sleep(LOOK);
    }
    async living() {
        let count = 0;
        for await (const { key } of this.#d.store.list(this.#d.keys.controllers)) {
            const at = this.#engine.clock.now();
            const object = key === this.#own ? undefined : await this.#d.store.read(key);
            if (object && this.#unchanged.for(key, object.version, at) < this.#ttl)
                count += 1;
        }
        return count;
    }
}


/***/ }),

/***/ 83194:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $c: () => (/* binding */ currentOf),
/* harmony export */   MT: () => (/* binding */ untilOurs),
/* harmony export */   R$: () => (/* binding */ abandoned),
/* harmony export */   _D: () => (/* binding */ heardOf),
/* harmony export */   j0: () => (/* binding */ isUnused)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_unchanged_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(51935);
/* harmony import */ var _lib_writer_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(25507);
/* harmony import */ var _wire_layout_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(64046);
/* harmony import */ var _wire_records_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(70708);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(37231);
/* harmony import */ var _deployment_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(23922);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9923);
/** Waiting while another controller makes or removes a deployment, for as long as it lives. */








/**
 * A store of its own that does not answer is only coming, or goes: making it waits for it, and finds out who was first. One that all share may not
 * have been needed yet.
 */
async function currentOf(place) {
    return (0,_record_js__WEBPACK_IMPORTED_MODULE_5__/* .readRecord */ .aE)(_wire_records_js__WEBPACK_IMPORTED_MODULE_2__/* .CURRENT */ .eN, place.store, (0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_6__/* .currentKey */ .Fo)(place.id)).catch((error) => {
        if ((0,_deployment_js__WEBPACK_IMPORTED_MODULE_4__/* .hasNoStore */ .fH)(place, error) || isUnused(place, error))
            return undefined;
        throw error;
    });
}
/** The account has had no deployment yet. */
function isUnused({ cloud }, error) {
    return cloud.shared !== undefined && (0,_wire_store_js__WEBPACK_IMPORTED_MODULE_3__/* .isStoreError */ .A1)(error, 'gone');
}
/**
 * Waits while somebody makes or removes what this record is of, as long as signs of life come within `patience` (milliseconds; see
 * `heardOf`). Resolves to the record as it was last where that controller is dead, or `most` milliseconds are over: its work is to be undone, as
 * long as the record is that one. `undefined`: it has come to its end.
 */
async function abandoned(engine, place, current, patience, most = Number.POSITIVE_INFINITY) {
    const until = engine.clock.now() + most;
    const what = current.value.state === 'making' ? 'being created' : 'being removed';
    engine.host.info(`${place.name} is ${what} by another controller: waiting for it`);
    for (let last = current;;) {
        const heard = await heardOf(engine, place, last, patience, until - engine.clock.now());
        if (heard === 'done')
            return undefined;
        if (heard === 'silent') {
            engine.host.info(`that controller is gone: removing what it left of ${place.name}`);
            return last;
        }
        last = heard;
    }
}
/**
 * The next sign of life of whoever makes or removes what this record is of: the record as renewed by it. `done`: it has come to its end.
 * `silent`: nothing came for `patience` (milliseconds), or for what that controller had for its own TTL, where that is longer; or its
 * process is known to be dead on this very host.
 */
async function heardOf(engine, place, { value: { incarnation, nonce, process, ttl = 0 } }, patience, most = Number.POSITIVE_INFINITY) {
    const unchanged = new _lib_unchanged_js__WEBPACK_IMPORTED_MODULE_7__/* .Unchanged */ ._();
    const limit = Math.min(Math.max(patience, ttl), most);
    for (let at = engine.clock.now(); unchanged.for(place.id, nonce, at) < limit;) {
        if (process !== undefined && (0,_lib_writer_js__WEBPACK_IMPORTED_MODULE_1__/* .writerIsDead */ .Y)(process))
            return 'silent';
        await engine.clock.sleep(Math.min(500, patience / 4));
        at = engine.clock.now();
        const now = await currentOf(place);
        if (now?.value.incarnation !== incarnation || now.value.state === 'open')
            return 'done';
        if (now.value.nonce !== nonce)
            return now;
    }
    return 'silent';
}
/** Rounds of "somebody else was faster" before we give up. */
const ROUNDS = 20;
/** Finds or makes a deployment: `undefined` from a round means that another controller was faster, and that it is time to look again. */
async function untilOurs(name, round) {
    for (let rounds = 0; rounds < ROUNDS; rounds += 1) {
        const outcome = await round();
        if (outcome !== undefined)
            return outcome;
    }
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`deployment "${name}" keeps changing hands`, { hint: 'is another command creating and removing it all the time?' });
}


/***/ }),

/***/ 82767:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U4: () => (/* binding */ straysOf),
/* harmony export */   Yx: () => (/* binding */ clearStrays),
/* harmony export */   jk: () => (/* binding */ foldersBelow)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _find_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4782);
/* harmony import */ var _patience_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5822);
/** What bears an incarnation of a deployment that its record does not name: left by controllers that were killed, frozen, or second. */



/**
 * Incarnations of which a group shows, or anything is stored. Looked for first, and then at the record: whatever is made bears a name that was on
 * record before. `undefined`: there is no record, and nobody can tell.
 */
async function straysOf(d) {
    const [groups, stored] = await Promise.all([d.cloud.list(undefined, d.id), foldersBelow(d.store, `${d.id}/`)]);
    const shown = groups.flatMap(({ tags, phase }) => (tags.id === d.id && phase !== 'absent' ? [tags.incarnation] : []));
    const current = (await (0,_find_js__WEBPACK_IMPORTED_MODULE_1__/* .readCurrent */ .cA)(d.store, d.id))?.value;
    if (!current)
        return undefined;
    const named = new Set([current.incarnation, ...(current.former ?? [])]);
    return { current, strays: [...new Set([...shown, ...stored])].filter((incarnation) => !named.has(incarnation)) };
}
/** As long as the name is that of `d`; `clear` takes away one of them. What stays is describeError, and found by the next sweep. */
async function clearStrays(engine, d, clear) {
    try {
        const seen = await (0,_patience_js__WEBPACK_IMPORTED_MODULE_2__/* .patiently */ .d_)(engine, async () => straysOf(d));
        for (const incarnation of seen?.current.incarnation === d.incarnation ? seen.strays : []) {
            engine.host.info(`${d.name}: removing what is left of a start that was cut off (${incarnation})`);
            await clear(incarnation);
        }
    }
    catch (error) {
        engine.host.warn(`${d.name}: what former starts may have left was not removed: ${(0,_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error)}; tpi sweep --yes does it`);
    }
}
/** Names of what has anything below it, in the order of keys. `start`: of the names that are meant. */
async function foldersBelow(store, base, start = '') {
    const names = [];
    for (let after;;) {
        // One key of each is enough: jump over everything below it.
        const next = await first(store.list(base + start, after));
        if (next === undefined)
            return names;
        const name = next.slice(base.length).split('/', 1)[0] ?? '';
        const isFolder = next !== base + name;
        if (isFolder)
            names.push(name);
        after = isFolder ? `${base}${name}/\u{10ffff}` : next;
    }
}
async function first(entries) {
    for await (const entry of entries)
        return entry.key;
    return undefined;
}


/***/ }),

/***/ 82562:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ keepTenure)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _wire_layout_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(64046);
/* harmony import */ var _wire_records_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(70708);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9923);
/** Whoever makes or removes a deployment shows that it lives, so that nobody takes its place; and changes nothing once somebody may have. */




/** A fresh nonce in the record of the deployment at every beat, as long as it says that this is being done. */
function keepTenure(engine, d, state, { beat, ttl }) {
    const done = new AbortController();
    let renewed = engine.clock.now();
    const renew = async () => {
        const began = engine.clock.now();
        const isOurs = (now) => now?.incarnation === d.incarnation && now.state === state;
        const now = await (0,_record_js__WEBPACK_IMPORTED_MODULE_2__/* .changeRecord */ .U9)(_wire_records_js__WEBPACK_IMPORTED_MODULE_1__/* .CURRENT */ .eN, d.store, (0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_3__/* .currentKey */ .Fo)(d.id), (current) => (isOurs(current) ? current : undefined));
        if (!isOurs(now))
            return false;
        renewed = began;
        return true;
    };
    const beats = async () => {
        for (;;) {
            await engine.clock.sleep(beat, done.signal);
            // A store that is away for good is what the work itself will complain about; one that comes back is to hear of us again.
            await renew().catch(() => undefined);
        }
    };
    // Ends by its own abort.
    const ended = beats().catch(() => undefined);
    return {
        async hold() {
            if (engine.clock.now() - renewed < ttl / 2 || (await renew()))
                return;
            throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`deployment "${d.name}" was taken over while this command stood still`, {
                hint: `see what became of it: tpi status ${d.name}`,
            });
        },
        async stop() {
            done.abort();
            await ended;
        },
    };
}


/***/ }),

/***/ 5822:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   bg: () => (/* binding */ mayPass),
/* harmony export */   d_: () => (/* binding */ patiently),
/* harmony export */   ve: () => (/* binding */ patientStore)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(40859);
/* harmony import */ var _wire_outage_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(90239);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);
/** Waiting out a cloud or store that does not answer for a while. */



/** Longest time, in milliseconds, that what makes and unmakes things tries again, and the longest pause between two tries. */
const PATIENCE = 3 * 60_000;
const PAUSE = { first: 1000, longest: 2000 };
/** Worth trying again: nothing was refused. */
function mayPass(error) {
    return (0,_wire_store_js__WEBPACK_IMPORTED_MODULE_1__/* .isStoreError */ .A1)(error, 'unavailable') || error.retryable === true;
}
/** For acts that may be done twice. Says once why it waits. Ends with the signal at once. */
async function patiently({ clock, host }, act, signal) {
    const onTrouble = (error, tries) => {
        if (tries === 1)
            host.info(`trying again for a while: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .bD)(error)}`);
    };
    return (0,_wire_outage_js__WEBPACK_IMPORTED_MODULE_0__/* .outlast */ .f)(act, { ...PAUSE, passes: mayPass, patience: PATIENCE, onTrouble, signal, clock });
}
/**
 * The same store for whoever makes something in it, one call after the other: each waits until the store answers, and one outage is told once.
 * A conditional write whose answer was lost fails as `conflict` when it is made again: who writes so looks whose state is there.
 */
function patientStore({ clock, host }, store, signal) {
    let told = false;
    const info = (text) => {
        if (!told)
            host.info(text);
        told = true;
    };
    const waits = async (act, own) => {
        const done = await patiently({ clock, host: { info } }, act, own ? AbortSignal.any([signal, own]) : signal);
        told = false;
        return done;
    };
    return {
        url: store.url,
        init: (prefix) => waits(async () => store.init(prefix)),
        read: (key, range, own) => waits(async () => store.read(key, range, own), own),
        write: (key, body, condition, own) => waits(async () => store.write(key, body, condition, own), own),
        list: (prefix, after, own) => store.list(prefix, after, own),
        remove: (keys, condition) => waits(async () => store.remove(keys, condition)),
        clear: (prefix) => waits(async () => store.clear(prefix)),
    };
}


/***/ }),

/***/ 9923:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  U9: () => (/* binding */ changeRecord),
  aE: () => (/* binding */ readRecord),
  wg: () => (/* binding */ swap)
});

// EXTERNAL MODULE: ./build/js/core/identity.js
var identity = __webpack_require__(82260);
// EXTERNAL MODULE: ./build/js/lib/retry.js
var retry = __webpack_require__(39088);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
// EXTERNAL MODULE: ./build/js/wire/store.js
var wire_store = __webpack_require__(37231);
;// CONCATENATED MODULE: ./build/js/wire/swap.js
/** Compare-and-swap of one record, the same for machines and controllers. */


/**
 * Stores `next`, whose nonce is fresh, where the store holds `version` (`undefined`: no record). Rejects where its outcome is unknown, and may
 * then be made again with the same `next`: if the first one has arrived after all, the conflict shows our own nonce in place.
 */
async function swapRecord(kind, store, key, next, version, signal) {
    try {
        const condition = version === undefined ? { absent: true } : { version };
        return { won: true, version: await store.write(key, (0,parse/* recordBytes */.$K)(kind, next), condition, signal) };
    }
    catch (error) {
        if (!(0,wire_store/* isStoreError */.A1)(error, 'conflict'))
            throw error;
        const there = await store.read(key, undefined, signal);
        return there && nonceOf(kind, there, key) === next.nonce ? { won: true, version: there.version } : { won: false, there };
    }
}
/** What is no record of ours has none. */
function nonceOf(kind, { bytes }, key) {
    try {
        return (0,parse/* parseRecord */.Hh)(kind, bytes, key).nonce;
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./build/js/engine/record.js
/** Compare-and-swap of small JSON records, for controllers. */





/** Throws StoreError `corrupt` for what is not such a record: a torn, forged or newer one is never an absence. */
async function readRecord(kind, store, key, signal) {
    const object = await store.read(key, undefined, signal);
    return object && { value: (0,parse/* parseRecord */.Hh)(kind, object.bytes, key), version: object.version };
}
/**
 * Changes a record by compare-and-swap until it sticks. `change` sees the present value (or `undefined`) and returns the next one without
 * its nonce, or `undefined` to leave it. Resolves to what is stored at the end.
 */
async function changeRecord(kind, store, key, change) {
    for (;;) {
        const now = await readRecord(kind, store, key);
        const wish = change(now?.value);
        if (!wish)
            return now?.value;
        const next = { ...wish, nonce: (0,identity/* newNonce */.Yd)() };
        if (await swap(kind, store, key, next, now?.version))
            return next;
    }
}
/** One attempt. `false`: somebody else was faster. A lost reply is settled by the same attempt once more. */
async function swap(kind, store, key, next, version) {
    const again = (error) => (0,wire_store/* isStoreError */.A1)(error, 'unavailable');
    const { won } = await (0,retry/* retry */.L)(async () => swapRecord(kind, store, key, next, version), { attempts: 2, first: 100, longest: 100, again });
    return won;
}


/***/ }),

/***/ 88880:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   KZ: () => (/* binding */ COMMENTING),
/* harmony export */   P: () => (/* binding */ permissions),
/* harmony export */   Wu: () => (/* binding */ registering),
/* harmony export */   h5: () => (/* binding */ RERUNNING)
/* harmony export */ });
const REGISTER = {
    repository: { fine: 'Administration: write', classic: 'repo' },
    organization: { fine: 'Self-hosted runners: write', classic: 'admin:org' },
    enterprise: { classic: 'manage_runners:enterprise' },
};
const RERUN = { fine: 'Actions: write', classic: 'repo' };
const ONLY_RETRY = ' (only for "tpi retry")';
const NEVER = '; GITHUB_TOKEN of a workflow can never do it';
/** For the end of a message: what it takes to register and remove runners there. */
function registering(scope) {
    const { fine, classic } = REGISTER[scope];
    return fine === undefined
        ? `the scope "${classic}" (classic token)`
        : `"${fine}" (fine-grained token or App) or the scope "${classic}" (classic token)${NEVER}`;
}
/** The same for running jobs again. */
const RERUNNING = `"${RERUN.fine}" (fine-grained token, App, or GITHUB_TOKEN with "actions: write") or the scope "${RERUN.classic}" (classic token)`;
/** The same for comments on a pull request. */
const COMMENTING = '"Pull requests: write" (fine-grained token, or GITHUB_TOKEN with "pull-requests: write") or the scope "repo" (classic token)';
const permissions = [
    'GitHub: any one of these tokens, or an App with the same permissions (app-id, app-key)',
    ...Object.keys(REGISTER).map(describe),
    'The token never reaches a machine. GITHUB_TOKEN of a workflow can never register a runner; with "actions: write" it can run jobs again.',
    `Comments on a pull request ("tpi comment", "comment: true") take ${COMMENTING}.`,
].join('\n\n');
function describe(scope) {
    const { fine, classic } = REGISTER[scope];
    const finely = fine === undefined ? [] : [`  fine-grained token, App   ${fine}, ${RERUN.fine}${ONLY_RETRY}, Metadata: read`];
    const both = classic === RERUN.classic ? classic : `${classic}, ${RERUN.classic}${ONLY_RETRY}`;
    return [`runners of ${scope === 'repository' ? 'a' : 'an'} ${scope}`, ...finely, `  classic token             ${both}`].join('\n');
}


/***/ }),

/***/ 58488:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G4: () => (/* binding */ NEEDS_MANAGE),
/* harmony export */   KZ: () => (/* binding */ COMMENTING),
/* harmony export */   P: () => (/* binding */ permissions),
/* harmony export */   Qo: () => (/* binding */ NEEDS),
/* harmony export */   ak: () => (/* binding */ NEEDS_LOOK),
/* harmony export */   gP: () => (/* binding */ lacking),
/* harmony export */   h5: () => (/* binding */ RERUNNING)
/* harmony export */ });
/**
 * What a token must be allowed to do, by what for. Messages and `tpi permissions gitlab` derive from here. Source: "Token overview" and the users API
 * of GitLab's documentation; lib/api/ci/runners.rb, by which "manage_runner" opens one runner by its number, and no list of them.
 */
const SCOPES = ['create_runner', 'manage_runner', 'read_api'];
/** Those that a token with these does not have. */
function lacking(scopes) {
    return scopes.includes('api') ? [] : SCOPES.filter((one) => !scopes.includes(one));
}
const ALL = `the scopes ${SCOPES.map((one) => `"${one}"`).join(', ')} (or "api" alone)`;
const NEEDS = `${ALL} and the role Maintainer of the project, or Owner of the group`;
const NEEDS_MANAGE = 'the scope "manage_runner" (or "api")';
const NEEDS_LOOK = 'the scope "read_api" (or "api")';
const RERUNNING = 'the scope "api"';
const COMMENTING = 'the scope "api" and the role Reporter of the project';
const permissions = `GitLab: a personal, project or group access token

register, list
and remove runners            ${ALL},
                              with the role Maintainer of the project, or Owner of the group
run jobs again ("tpi retry")  the scope "api"
comment on a merge request    ${COMMENTING}

CI_JOB_TOKEN can never do any of it.`;


/***/ }),

/***/ 12186:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  K: () => (/* binding */ forgeById),
  F: () => (/* binding */ forges)
});

// EXTERNAL MODULE: ./build/js/forges/github/rights.js
var rights = __webpack_require__(88880);
;// CONCATENATED MODULE: ./build/js/forges/github/manifest.js

const OS = { linux: 'Linux', darwin: 'macOS' };
const ARCH = { x64: 'X64', arm64: 'ARM64' };
const github = {
    id: 'github',
    title: 'GitHub',
    detect: (env) => env['GITHUB_ACTIONS'] === 'true',
    // Not pinned: only the programs beside the runner are used, and GitHub rebuilds it with each of its versions.
    image: 'ghcr.io/actions/actions-runner:latest',
    forgets: 'unused ones disappear by themselves within a day',
    defaultLabels: ({ os, arch }) => ['self-hosted', OS[os], ARCH[arch]],
    permissions: rights/* permissions */.P,
    can: { groups: true, containers: false },
    load: () => Promise.all(/* import() */[__webpack_require__.e(579), __webpack_require__.e(379)]).then(__webpack_require__.bind(__webpack_require__, 12379)),
    discussions: () => Promise.all(/* import() */[__webpack_require__.e(579), __webpack_require__.e(999)]).then(__webpack_require__.bind(__webpack_require__, 22999)),
};

// EXTERNAL MODULE: ./build/js/forges/gitlab/rights.js
var gitlab_rights = __webpack_require__(58488);
;// CONCATENATED MODULE: ./build/js/forges/gitlab/manifest.js

const gitlab = {
    id: 'gitlab',
    title: 'GitLab',
    detect: (env) => env['GITLAB_CI'] === 'true',
    keepsBelow: 'CI_PROJECT_DIR',
    image: 'gitlab/gitlab-runner:latest',
    forgets: 'the last machine that ends normally removes it, otherwise it stays until somebody removes it',
    // Jobs there name tags of the user's choice; its own set-up adds none.
    defaultLabels: () => [],
    permissions: gitlab_rights/* permissions */.P,
    can: { groups: false, containers: true },
    load: () => Promise.all(/* import() */[__webpack_require__.e(474), __webpack_require__.e(582), __webpack_require__.e(540)]).then(__webpack_require__.bind(__webpack_require__, 57978)),
    discussions: () => Promise.all(/* import() */[__webpack_require__.e(474), __webpack_require__.e(582), __webpack_require__.e(1)]).then(__webpack_require__.bind(__webpack_require__, 74047)),
};

;// CONCATENATED MODULE: ./build/js/forges/registry.js


const forges = [github, gitlab];
function forgeById(id) {
    return forges.find((forge) => forge.id === id);
}


/***/ }),

/***/ 8704:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U$: () => (/* binding */ jobTimeLeft)
/* harmony export */ });
/* unused harmony exports MARGIN, parseElapsed */
/** When the job around us is ended by its host, whatever we do. */
/** Milliseconds. A job on a machine of GitHub's ends after this. */
const HOSTED = 6 * 3_600_000;
/** Milliseconds before the end at which we must have left: enough to tell where to come back, and for the steps that follow. */
const MARGIN = 5 * 60_000;
/** Milliseconds until we have to leave; `undefined` where no limit is known. */
async function jobTimeLeft(env, now, parent) {
    const limit = env['CI_JOB_TIMEOUT']
        ? gitlab(env, now)
        : env['RUNNER_ENVIRONMENT'] === 'github-hosted'
            ? HOSTED - (await age(parent))
            : undefined;
    return limit === undefined ? undefined : Math.max(0, Math.floor(limit - margin(limit)));
}
/** Short limits, as in a test of the set-up, have a short margin. */
function margin(limit) {
    return Math.min(MARGIN, limit / 10);
}
function gitlab(env, now) {
    const started = Date.parse(env['CI_JOB_STARTED_AT'] ?? '');
    const timeout = Number(env['CI_JOB_TIMEOUT']);
    return Number.isNaN(started) || !(timeout > 0) ? undefined : started + timeout * 1000 - now.getTime();
}
/** Milliseconds that the job runs: our parent is the runner's worker, which was started for it. */
async function age(parent) {
    try {
        const { getExecOutput } = await __webpack_require__.e(/* import() */ 260).then(__webpack_require__.bind(__webpack_require__, 81260));
        const { stdout } = await getExecOutput('ps', ['-o', 'etime=', '-p', String(parent)], { silent: true, ignoreReturnCode: true });
        return parseElapsed(stdout) ?? 0;
    }
    catch {
        // Without ps(1) we count from our own start, and hope that the steps before were short.
        return 0;
    }
}
/** `[[dd-]hh:]mm:ss` of ps(1) in milliseconds. */
function parseElapsed(text) {
    const parts = /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s*$/.exec(text);
    if (!parts)
        return undefined;
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
    return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}


/***/ }),

/***/ 95544:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ Secrets)
/* harmony export */ });
/* harmony import */ var _lib_redact_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(10105);
/* harmony import */ var _lib_secret_forms_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(93838);
/** Values that must not be printed. */


class Secrets {
    #values = new Set();
    /** Texts come here when they are made up: as JSON, as Markdown, within a URL. */
    #needles = [];
    /** What has to be masked for it; nothing new the second time. */
    add(secret) {
        const fresh = (0,_lib_secret_forms_js__WEBPACK_IMPORTED_MODULE_1__/* .maskable */ .dm)(secret).filter((part) => !this.#values.has(part));
        for (const part of fresh)
            this.#values.add(part);
        if (fresh.length > 0)
            this.#needles = [...this.#needles, ...(0,_lib_redact_js__WEBPACK_IMPORTED_MODULE_0__/* .secretNeedles */ .h9)([secret])];
        return fresh;
    }
    clean(text) {
        return (0,_lib_redact_js__WEBPACK_IMPORTED_MODULE_0__/* .redactText */ .Rd)(text, this.#needles);
    }
}


/***/ }),

/***/ 57078:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   u: () => (/* binding */ within)
/* harmony export */ });
/** A section around a piece of work. */
async function within(close, body) {
    try {
        return await body();
    }
    finally {
        close();
    }
}


/***/ }),

/***/ 18913:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   NH: () => (/* binding */ writeBytes),
/* harmony export */   z3: () => (/* binding */ formatBytes),
/* harmony export */   z_: () => (/* binding */ parseBytes)
/* harmony export */ });
/** Amounts of bytes as people write and read them. */
const DECIMAL = ['', 'k', 'm', 'g', 't', 'p'];
/** Bytes in "16GB", "512 MiB", "1.5T", "2Gi", "100B" (upper or lower case); a bare "0" is zero. `undefined` for everything else. */
function parseBytes(text) {
    const match = /^(\d+(?:\.\d+)?)\s*([kmgtp]?)(i?)(b?)$/i.exec(text.trim());
    if (!match)
        return undefined;
    const [, amount = '', prefix = '', binary = '', b = ''] = match;
    if (prefix === '' && (binary !== '' || b === '') && Number(amount) !== 0)
        return undefined;
    if (prefix === '' && binary !== '')
        return undefined;
    const power = DECIMAL.indexOf(prefix.toLowerCase());
    const bytes = Math.round(Number(amount) * (binary === '' ? 1000 : 1024) ** power);
    return Number.isSafeInteger(bytes) ? bytes : undefined;
}
/** "0 B", "999 B", "1.5 MB", "12 GB": decimal units, two to three digits. */
function formatBytes(bytes) {
    let amount = bytes;
    let power = 0;
    while (Math.abs(amount) >= 999.5 && power < DECIMAL.length - 1) {
        amount /= 1000;
        power++;
    }
    const unit = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'][power] ?? '';
    const digits = power > 0 && Math.abs(amount) < 9.95 ? 1 : 0;
    return `${amount.toFixed(digits).replace(/\.0$/, '')} ${unit}`;
}
/** The shortest text that `parseBytes` reads back to the same number. */
function writeBytes(bytes) {
    for (let power = DECIMAL.length - 1; power > 0; power--) {
        for (const [base, suffix] of [
            [1024, 'iB'],
            [1000, 'B'],
        ]) {
            if (bytes > 0 && bytes % base ** power === 0)
                return `${bytes / base ** power}${(DECIMAL[power] ?? '').toUpperCase()}${suffix}`;
        }
    }
    return `${bytes}B`;
}


/***/ }),

/***/ 29668:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M_: () => (/* binding */ dueIn),
/* harmony export */   QU: () => (/* binding */ abortIn),
/* harmony export */   Xg: () => (/* binding */ bootNow),
/* harmony export */   aW: () => (/* binding */ bootId),
/* harmony export */   ml: () => (/* binding */ systemClock),
/* harmony export */   v7: () => (/* binding */ pause)
/* harmony export */ });
/* unused harmony export untilDue */
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(73024);
/** Time that wall-clock jumps cannot touch. */


/** Correction of the process clock to the boot clock, milliseconds. */
let offset;
/**
 * Milliseconds since the host booted, suspend included, never set back or forth by anybody. Comparable between processes of one host to
 * about 20 ms. On Linux Node's own clock stands still during suspend, so it is held against `/proc/uptime` (10 ms steps) at every call;
 * elsewhere it counts suspend by itself.
 */
function bootNow() {
    if (process.platform !== 'linux')
        return tickingNow();
    // In this order: a process that is held up between the two must not take the time that it stood still for a suspend, and be early ever after.
    const uptime = Number.parseFloat((0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readFileSync)('/proc/uptime', 'latin1')) * 1000;
    const ticking = tickingNow();
    if (offset === undefined || uptime - (ticking + offset) > 50)
        offset = uptime - ticking;
    return ticking + offset;
}
const tickingNow = () => Number(process.hrtime.bigint() / 1000n) / 1000;
let boot;
/** Name of the present boot of this host: a different one means that no process of then is alive. */
function bootId() {
    boot ??= readBootId();
    return boot;
}
function readBootId() {
    if (process.platform === 'linux')
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readFileSync)('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    if (process.platform === 'darwin')
        return (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFileSync)('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'latin1' }).trim();
    return 'unknown';
}
/** A wall-clock deadline (ISO) turned into a due time on the boot clock. Do it once, early: from then on clock jumps change nothing. */
function dueIn(iso, now = Date.now()) {
    const at = Date.parse(iso);
    if (Number.isNaN(at))
        throw new RangeError(`"${iso}" is not a time`);
    return bootNow() + (at - now);
}
/** Resolves when the boot clock has reached `due`, at most a second late after a suspend. Rejects with the signal's reason. */
async function untilDue(due, signal) {
    for (;;) {
        const left = due - bootNow();
        if (left <= 0)
            return;
        // Timers stand still during suspend and overflow at 24 days: sleep in short slices and look again.
        await pause(Math.min(left, 1000), signal);
    }
}
/** Sleeps; rejects with the signal's reason. */
async function pause(milliseconds, signal) {
    signal?.throwIfAborted();
    await new Promise((resolve, reject) => {
        const timer = setTimeout(done, milliseconds);
        signal?.addEventListener('abort', abort, { once: true });
        function done() {
            signal?.removeEventListener('abort', abort);
            resolve();
        }
        function abort() {
            clearTimeout(timer);
            reject(signal?.reason);
        }
    });
}
/** The real thing, in the shape that everything of ours takes its time from. */
const systemClock = {
    now: bootNow,
    date: () => new Date(),
    sleep: async (milliseconds, signal) => untilDue(bootNow() + milliseconds, signal),
};
/**
 * A limit of any length, weeks too: a timer of Node's, and so `AbortSignal.timeout`, ends a time of more than 24 days at once. Dispose of it
 * when it is of no use any more: until then it keeps the process alive.
 */
function abortIn(clock, milliseconds) {
    const over = new AbortController();
    const disposed = new AbortController();
    clock.sleep(milliseconds, disposed.signal).then(() => over.abort(new DOMException('the time is over', 'TimeoutError')), 
    // Disposed of.
    () => undefined);
    return { signal: over.signal, [Symbol.dispose]: () => disposed.abort() };
}


/***/ }),

/***/ 94694:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H2: () => (/* binding */ Controls),
/* harmony export */   RU: () => (/* binding */ plainJson),
/* harmony export */   wh: () => (/* binding */ plainText)
/* harmony export */ });
/** Text of others made fit to be shown: no control sequence of it reaches the place where it is printed. */
/** Longest colour, in characters. */
const LONGEST_COLOUR = 64;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/**
 * Reads as a terminal reads, over any cuts: controls within a sequence do not end it, an escape begins another one, strings go on to their
 * terminator. What comes out is text, tabs, line ends, and (`colours`) whole sequences of colour and emphasis. Every sequence ends with its
 * line at the latest: what a program leaves open hides nothing that follows.
 */
class Controls {
    #colours;
    #state = 'text';
    /** What has come of a sequence that may be a colour. */
    #colour;
    constructor(colours) {
        this.#colours = colours;
    }
    push(text) {
        let out = '';
        for (let at = 0; at < text.length;) {
            if (this.#state !== 'text') {
                out += this.#next(text[at] ?? '');
                at += 1;
                continue;
            }
            CONTROL.lastIndex = at;
            const end = CONTROL.exec(text)?.index ?? text.length;
            out += text.slice(at, end);
            if (text[end] === '\u001b')
                this.#state = 'escape';
            at = end + 1;
        }
        return out;
    }
    /** One character that is not in the text; resolves to what is shown of it. */
    #next(char) {
        const state = this.#state;
        if (char === '\u001b')
            return this.#enter('escape');
        if (char === '\n' || char === '\r' || char === '\t')
            return this.#enter('text', char);
        // Both cancel whatever is under way. So do eight-bit controls.
        if (char === '\u0018' || char === '\u001a' || (char >= '\u0080' && char <= '\u009f'))
            return this.#enter('text');
        if (state === 'string')
            return char === '\u0007' ? this.#enter('text') : '';
        if (char < ' ' || char === '\u007f')
            return '';
        return state === 'escape' ? this.#escape(char) : this.#sequence(char);
    }
    #enter(state, shown = '') {
        this.#state = state;
        return shown;
    }
    #escape(char) {
        if (char === '[') {
            this.#colour = '';
            return this.#enter('sequence');
        }
        if (']PX^_'.includes(char))
            return this.#enter('string');
        // Up to here come marks between the escape and its last character.
        if (char < '0')
            return '';
        return this.#enter('text', char > '~' ? char : '');
    }
    #sequence(char) {
        const colour = this.#colour;
        if (char < '@') {
            this.#colour = colour !== undefined && colour.length < LONGEST_COLOUR && /[\d;]/.test(char) ? colour + char : undefined;
            return '';
        }
        if (char > '~')
            return this.#enter('text', char);
        return this.#enter('text', char === 'm' && colour !== undefined && this.#colours ? `\u001b[${colour}m` : '');
    }
}
/** Marks that turn the direction of what follows: a name can look like another one by them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
/** A whole text of ours that may hold words of others (names of files, reasons, answers of servers): text, tabs and line feeds, nothing else. */
function plainText(text) {
    return new Controls(false).push(text).replaceAll('\r\n', '\n').replaceAll('\r', ' ').replace(TURNS, '');
}
/** JSON that does nothing to a terminal: it escapes some control characters by itself, but not all. */
function plainJson(value, indent = 2) {
    return JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}


/***/ }),

/***/ 86388:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E9: () => (/* binding */ parseDuration),
/* harmony export */   MP: () => (/* binding */ writeDuration),
/* harmony export */   a3: () => (/* binding */ formatDuration)
/* harmony export */ });
/** Durations as people write and read them. */
const SECONDS = [
    [/^w(?:eeks?)?$/, 604_800],
    [/^d(?:ays?)?$/, 86_400],
    [/^h(?:r|rs|ours?)?$/, 3600],
    [/^m(?:in|ins|inutes?)?$/, 60],
    [/^s(?:ec|secs|econds?)?$/, 1],
    [/^(?:ms|milliseconds?)$/, 0.001],
];
/**
 * Seconds in "90s", "1h30m", "2 days", "1.5 hours", "500ms", "PT1H30M" or "P1DT12H"; a bare "0" is zero. `undefined` for everything else:
 * other numbers without a unit, months and years, units out of order or repeated, negative amounts.
 */
function parseDuration(text) {
    const trimmed = text.trim();
    if (trimmed === '0')
        return 0;
    const iso = /^p(?=\d|t\d)(?:(\d+)w)?(?:(\d+)d)?(?:t(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?)?$/i.exec(trimmed);
    if (iso)
        return finite(iso.slice(1).reduce((sum, amount, index) => sum + Number(amount ?? 0) * (SECONDS[index]?.[1] ?? 0), 0));
    // A lone capital M could be months.
    if (trimmed === '' || /\dM$|\d\s+M$/.test(trimmed))
        return undefined;
    return sumOfParts(trimmed.toLowerCase());
}
function sumOfParts(text) {
    const part = /(\d+(?:\.\d+)?)\s*([a-z]+)\s*/y;
    let sum = 0;
    let last = -1;
    while (part.lastIndex < text.length) {
        const match = part.exec(text);
        if (!match)
            return undefined;
        const unit = SECONDS.findIndex(([names]) => names.test(match[2] ?? ''));
        if (unit <= last)
            return undefined;
        last = unit;
        sum += Number(match[1]) * (SECONDS[unit]?.[1] ?? 0);
    }
    return finite(sum);
}
/** Whole milliseconds, so that sums of decimals come out even. */
function finite(seconds) {
    const rounded = Math.round(seconds * 1000) / 1000;
    return Number.isSafeInteger(Math.round(seconds * 1000)) ? rounded : undefined;
}
/** "1d 2h", "5m 30s", "1.5s", "250ms": at most two units, rounded down to the smaller one. */
function formatDuration(seconds) {
    const sign = seconds < 0 ? '-' : '';
    const amount = Math.abs(seconds);
    if (amount === 0)
        return '0s';
    if (amount < 1)
        return `${sign}${Math.round(amount * 1000)}ms`;
    if (amount < 10)
        return `${sign}${Math.floor(amount * 10) / 10}s`;
    const units = [
        ['d', 86_400],
        ['h', 3600],
        ['m', 60],
        ['s', 1],
    ];
    const first = units.findIndex(([, size]) => amount >= size);
    const parts = [];
    let rest = Math.floor(amount);
    for (const [name, size] of units.slice(first, first + 2)) {
        const count = Math.floor(rest / size);
        rest -= count * size;
        if (count > 0)
            parts.push(`${count}${name}`);
    }
    return sign + parts.join(' ');
}
/** The shortest text that `parseDuration` reads back to the same number: "24h" stays "1d". */
function writeDuration(seconds) {
    let rest = Math.round(seconds * 1000);
    if (rest === 0)
        return '0s';
    let text = '';
    for (const [name, size] of [
        ['d', 86_400_000],
        ['h', 3_600_000],
        ['m', 60_000],
        ['s', 1000],
        ['ms', 1],
    ]) {
        const count = Math.floor(rest / size);
        rest -= count * size;
        if (count > 0)
            text += `${count}${name}`;
    }
    return text;
}


/***/ }),

/***/ 59381:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   GF: () => (/* binding */ writeJson),
/* harmony export */   RT: () => (/* binding */ tail),
/* harmony export */   Rl: () => (/* binding */ appendJson),
/* harmony export */   ST: () => (/* binding */ isGone),
/* harmony export */   Vh: () => (/* binding */ readJson),
/* harmony export */   f8: () => (/* binding */ writeWhole),
/* harmony export */   no: () => (/* binding */ createJson),
/* harmony export */   sS: () => (/* binding */ readJsonLines),
/* harmony export */   up: () => (/* binding */ hasCode),
/* harmony export */   ux: () => (/* binding */ makePrivate),
/* harmony export */   wX: () => (/* binding */ namesIn)
/* harmony export */ });
/* unused harmony export createWhole */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(76760);
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
/** Small files that readers see whole or not at all. */



/** Replaces a file as a whole. The folder must exist. */
async function writeWhole(path, body, options = {}) {
    const part = await writePart(path, body, options);
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rename)(part, path);
    }
    catch (error) {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rm)(part, { force: true });
        throw error;
    }
    if (options.durable)
        await syncFolder((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path));
}
/** Makes a file as a whole. `false`: there is one already, and it stays as it is. */
async function createWhole(path, body, options = {}) {
    const part = await writePart(path, body, options);
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.link)(part, path);
    }
    catch (error) {
        if (!hasCode(error, 'EEXIST'))
            throw error;
        return false;
    }
    finally {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.unlink)(part);
    }
    if (options.durable)
        await syncFolder((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path));
    return true;
}
async function writeJson(path, value, options = {}) {
    await writeWhole(path, `${JSON.stringify(value)}\n`, options);
}
async function createJson(path, value, options = {}) {
    return createWhole(path, `${JSON.stringify(value)}\n`, options);
}
/**
 * A record that one of the above has written, or `undefined` when there is none. What is no such record is left from a power cut in the middle
 * of the first write, or somebody else's, and means the same. Every other trouble throws: it never reads as "not there".
 */
async function readJson(path, shape) {
    let text;
    try {
        text = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(path, 'utf8');
    }
    catch (error) {
        if (isGone(error))
            return undefined;
        throw error;
    }
    try {
        return shape(JSON.parse(text));
    }
    catch {
        return undefined;
    }
}
/** Adds one line of JSON; lines of several writers do not mix. */
async function appendJson(path, value) {
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.appendFile)(path, `${JSON.stringify(value)}\n`, { mode: 0o600 });
}
/** Every whole line of such a file, oldest first. */
async function readJsonLines(path, shape) {
    let text;
    try {
        text = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(path, 'utf8');
    }
    catch (error) {
        if (isGone(error))
            return [];
        throw error;
    }
    const values = [];
    for (const line of text.split('\n')) {
        try {
            values.push(shape(JSON.parse(line)));
        }
        catch {
            // The empty end, a line cut off by a full disk, or somebody else's.
        }
    }
    return values;
}
/** Names in a folder, sorted; none when there is no such folder. */
async function namesIn(folder) {
    try {
        return (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readdir)(folder)).sort();
    }
    catch (error) {
        if (isGone(error))
            return [];
        throw error;
    }
}
/** The last bytes of a text file, from a line start where there is one; empty when there is no such file. */
async function tail(path, bytes) {
    try {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const file = __addDisposableResource(env_1, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(path, 'r'), true);
            const { size } = await file.stat();
            const from = Math.max(0, size - bytes);
            const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
            const text = buffer.subarray(0, bytesRead).toString('utf8');
            return from > 0 ? text.slice(text.indexOf('\n') + 1) : text;
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = __disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    }
    catch (error) {
        if (isGone(error))
            return '';
        throw error;
    }
}
function hasCode(error, ...codes) {
    return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}
/** The error says that the file, or a folder above it, does not exist. */
function isGone(error) {
    return hasCode(error, 'ENOENT', 'ENOTDIR');
}
async function writePart(path, body, options) {
    const part = `${path}.${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomBytes)(6).toString('hex')}.part`;
    try {
        const env_2 = { stack: [], error: void 0, hasError: false };
        try {
            const file = __addDisposableResource(env_2, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(part, 'wx', options.mode ?? 0o600), true);
            await file.writeFile(body);
            if (options.durable)
                await file.sync();
        }
        catch (e_2) {
            env_2.error = e_2;
            env_2.hasError = true;
        }
        finally {
            const result_2 = __disposeResources(env_2);
            if (result_2)
                await result_2;
        }
    }
    catch (error) {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rm)(part, { force: true });
        throw error;
    }
    return part;
}
async function syncFolder(folder) {
    const env_3 = { stack: [], error: void 0, hasError: false };
    try {
        const handle = __addDisposableResource(env_3, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(folder, 'r'), true);
        await handle.sync();
    }
    catch (e_3) {
        env_3.error = e_3;
        env_3.hasError = true;
    }
    finally {
        const result_3 = __disposeResources(env_3);
        if (result_3)
            await result_3;
    }
}
/** A folder for our eyes only, and its parents. */
async function makePrivate(folder) {
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)(folder, { recursive: true, mode: 0o700 });
}


/***/ }),

/***/ 13476:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ isBelowGit)
/* harmony export */ });
/* unused harmony export isGitName */
/** Names that a file system may take for `.git`: what lies below it decides what a repository's owner runs next. */
/** The path is a repository's own folder (or the file in its place), or lies in one. Written with slashes, or with the backslashes of another system. */
function isBelowGit(path) {
    // Of a hundred thousand paths hardly any has a dot or a tilde where it matters.
    return /git/i.test(path) || !isAscii(path) ? path.split(/[/\\]/).some(isGitName) : false;
}
/** As file systems see it that fold letters, drop what nobody sees, cut off dots, blanks and streams at the end, or give short names. */
function isGitName(name) {
    const seen = name
        .normalize('NFKD')
        .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        .toLowerCase()
        .replace(/:.*$/s, '')
        .replace(/[. ]+$/, '');
    return seen === '.git' || seen === 'git~1';
}
function isAscii(text) {
    return !/[^\0-\x7f]/.test(text);
}


/***/ }),

/***/ 42766:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   g: () => (/* binding */ globs)
/* harmony export */ });
/* harmony import */ var picomatch__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(14006);
/** Path globs as users write them in options. */

/**
 * A matcher for `/`-separated relative paths. `**` crosses folders, dot files match, a pattern that names a folder (`results`, `results/`)
 * matches everything below it, and `!pattern` takes away what earlier patterns gave.
 */
function globs(patterns) {
    const rules = patterns.map((pattern) => {
        const negated = pattern.startsWith('!');
        const plain = (negated ? pattern.slice(1) : pattern).replace(/^\.?\/+/, '').replace(/\/+$/, '');
        if (plain === '' || plain === '.')
            return { negated, match: () => true };
        const match = picomatch__WEBPACK_IMPORTED_MODULE_0__([plain, `${plain}/**`], { dot: true });
        return { negated, match: (path) => match(path) };
    });
    return (path) => {
        let matched = false;
        for (const rule of rules)
            if (rule.negated === matched && rule.match(path))
                matched = !rule.negated;
        return matched;
    };
}


/***/ }),

/***/ 38353:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ Mutex)
/* harmony export */ });
/** One after another, in the order of asking: the next begins when the one before is over, however that ended. */
class Mutex {
    #last = Promise.resolve();
    /** Settles as the work does. */
    async take(work) {
        const turn = this.#last.then(work);
        // Holds neither result nor error: only the caller has those.
        const over = () => undefined;
        this.#last = turn.then(over, over);
        return turn;
    }
}


/***/ }),

/***/ 58020:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   p: () => (/* binding */ nearest)
/* harmony export */ });
/* unused harmony export distance */
/** What somebody probably meant to write. */
/** Changes (insert, remove, replace, swap of neighbours) that make `b` of `a`. */
function distance(a, b) {
    let before = [];
    let last = Array.from({ length: b.length + 1 }, (_, column) => column);
    for (let row = 1; row <= a.length; row++) {
        const current = [row];
        for (let column = 1; column <= b.length; column++) {
            const same = a[row - 1] === b[column - 1];
            let best = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1));
            if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
                best = Math.min(best, (before[column - 2] ?? 0) + 1);
            }
            current.push(best);
        }
        before = last;
        last = current;
    }
    return last[b.length] ?? 0;
}
/** The candidate closest to `name`, if it is close enough to be a slip: at most a third of the letters, or a whole word of a longer name. */
function nearest(name, candidates) {
    const wanted = name.toLowerCase().slice(0, 64);
    let best;
    let bestScore = Number.POSITIVE_INFINITY;
    for (const candidate of candidates) {
        const other = candidate.toLowerCase();
        const allowed = Math.max(1, Math.floor(Math.max(wanted.length, other.length) / 3));
        const changes = distance(wanted, other);
        const score = changes <= allowed ? changes : isPartOf(wanted, other) ? allowed + 0.5 : Number.POSITIVE_INFINITY;
        if (score < bestScore) {
            best = candidate;
            bestScore = score;
        }
    }
    return best;
}
function isPartOf(name, other) {
    const words = other.split('-');
    return name.length > 2 && (words.includes(name) || name.split('-').some((word) => word === other));
}


/***/ }),

/***/ 36167:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Em: () => (/* binding */ findMarked),
/* harmony export */   _n: () => (/* binding */ isAlive),
/* harmony export */   a7: () => (/* binding */ signalProcess),
/* harmony export */   fR: () => (/* binding */ killMarked),
/* harmony export */   ls: () => (/* binding */ identify)
/* harmony export */ });
/* unused harmony exports signalGroup, findFamily, commandOf, busyTime */
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(73024);
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(29668);
/** Processes of this host, known by pid and start time: a pid alone may belong to somebody else by now. */



const linux = process.platform === 'linux';
/** The process that has this pid now; `undefined` when there is none or only its zombie. */
function identify(pid) {
    if (pid <= 0)
        return undefined;
    const entry = linux ? readStat(pid) : askPs(['-p', String(pid)])[0];
    return entry !== undefined && lives(entry) ? { pid, start: entry.start } : undefined;
}
/** Whether exactly this process still runs. Zombies do not. */
function isAlive(id) {
    return identify(id.pid)?.start === id.start;
}
/** Signals one process if it is still the same. False when it is gone (or not ours to signal). */
function signalProcess(id, signal) {
    return isAlive(id) && send(id.pid, signal);
}
/** Signals a whole process group. False when no member is left. */
function signalGroup(pgid, signal) {
    if (pgid <= 1)
        throw new RangeError(`${pgid} is not a process group of ours`);
    return send(-pgid, signal);
}
function send(target, signal) {
    try {
        process.kill(target, signal);
        return true;
    }
    catch (error) {
        const code = error.code;
        if (code === 'ESRCH' || code === 'EPERM')
            return false;
        throw error;
    }
}
/**
 * Every living process that was started with `NAME=value` in its environment. Processes of other users whose environment we may not read
 * are not seen.
 */
function findMarked(name, value) {
    return marked(table(), `${name}=${value}`).map(({ pid, start }) => ({ pid, start }));
}
/** A living process, its descendants, and the members of the session that it leads. */
function findFamily(id) {
    const all = table();
    const root = all.filter(({ pid, start }) => pid === id.pid && start === id.start);
    return kin(all, root).map(({ pid, start }) => ({ pid, start }));
}
/** Looks before it gives up, however long they take: on a host with thousands of processes that is busy, one can take seconds. */
const FEWEST_ROUNDS = 10;
/**
 * SIGKILLs everything that carries the mark, the descendants of it and the sessions it leads (so also children with an emptied environment),
 * in rounds, until two looks in a row find nothing. Resolves when all of it is gone.
 */
async function killMarked(name, value, options = {}) {
    const giveUp = (0,_clock_js__WEBPACK_IMPORTED_MODULE_2__/* .bootNow */ .Xg)() + (options.patience ?? 30_000);
    const doomed = new Map();
    let quiet = 0;
    for (let round = 1, wait = 2; quiet < 2; round += 1, wait = Math.min(wait * 2, 100)) {
        const all = table();
        const spared = sparedPids(all, options);
        const found = kin(all, marked(all, `${name}=${value}`)).filter((entry) => !spared.has(entry.pid));
        for (const { pid, start } of found)
            doomed.set(pid, { pid, start });
        for (const id of doomed.values())
            if (!signalProcess(id, 'SIGKILL') && !isAlive(id))
                doomed.delete(id.pid);
        quiet = doomed.size === 0 ? quiet + 1 : 0;
        if (round > FEWEST_ROUNDS && (0,_clock_js__WEBPACK_IMPORTED_MODULE_2__/* .bootNow */ .Xg)() > giveUp)
            throw new Error(`processes that could not be killed: ${[...doomed.keys()].join(', ')}`);
        await (0,_clock_js__WEBPACK_IMPORTED_MODULE_2__/* .pause */ .v7)(wait);
    }
}
function sparedPids(all, options) {
    const spared = new Set([process.pid, ...(options.spare ?? [])]);
    if (options.ancestors)
        return spared;
    const parents = new Map(all.map((entry) => [entry.pid, entry.parent]));
    for (let pid = process.ppid; pid > 0 && !spared.has(pid); pid = parents.get(pid) ?? 0)
        spared.add(pid);
    return spared;
}
/** `roots`, their descendants, and the members of sessions that a root leads. */
function kin(all, roots) {
    const family = new Set(roots.map((entry) => entry.pid));
    const leaders = new Set(family);
    for (let before = -1; before !== family.size;) {
        before = family.size;
        for (const entry of all)
            if (family.has(entry.parent) || leaders.has(entry.session))
                family.add(entry.pid);
    }
    return all.filter((entry) => family.has(entry.pid));
}
function lives(entry) {
    return !/^[ZX]/.test(entry.state);
}
function table() {
    if (!linux)
        return askPs(['-ax']).filter(lives);
    const entries = [];
    for (const name of (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readdirSync)('/proc')) {
        if (!/^\d+$/.test(name))
            continue;
        const entry = readStat(Number(name));
        if (entry !== undefined && lives(entry))
            entries.push(entry);
    }
    return entries;
}
/** proc_pid_stat(5): the command name is in parentheses and may hold anything, also parentheses. */
function readStat(pid) {
    const text = read(`/proc/${pid}/stat`);
    if (text === undefined)
        return undefined;
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state = 'X', parent, , session] = fields;
    return { pid, parent: Number(parent), session: Number(session), state, start: `${(0,_clock_js__WEBPACK_IMPORTED_MODULE_2__/* .bootId */ .aW)().slice(0, 8)}-${fields[19]}` };
}
function marked(all, mark) {
    if (!linux)
        return markedByPs(all, mark);
    return all.filter((entry) => `\0${read(`/proc/${entry.pid}/environ`) ?? ''}`.includes(`\0${mark}\0`));
}
/** Missing, not ours, or gone in the middle of the read all mean: nothing to see. */
function read(path) {
    try {
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readFileSync)(path, 'latin1');
    }
    catch {
        return undefined;
    }
}
/** ps(1) of macOS prints the environment behind the command, separated by spaces. Values of our marks hold none. */
function markedByPs(all, mark) {
    const pids = new Set();
    for (const line of ps(['-ax', '-E', '-ww', '-o', 'pid=,command=']).split('\n')) {
        if (`${line} `.includes(` ${mark} `))
            pids.add(Number.parseInt(line, 10));
    }
    return all.filter((entry) => pids.has(entry.pid));
}
function askPs(which) {
    const entries = [];
    for (const line of ps([...which, '-ww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']).split('\n')) {
        const [pid, parent, session, state, ...start] = line.trim().split(/\s+/);
        if (state === undefined)
            continue;
        entries.push({ pid: Number(pid), parent: Number(parent), session: Number(session), state, start: start.join(' ') });
    }
    return entries;
}
function ps(args) {
    try {
        return (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFileSync)('/bin/ps', args, {
            encoding: 'latin1',
            env: { LC_ALL: 'C' },
            maxBuffer: 64 * 1024 * 1024,
            stdio: ['ignore', 'pipe', 'ignore'],
        });
    }
    catch {
        // It also exits 1 when the pid is gone.
        return '';
    }
}
/** The words that a process was started with; empty when it is gone. */
function commandOf(pid) {
    if (linux)
        return (read(`/proc/${pid}/cmdline`) ?? '').split('\0').filter((word) => word !== '');
    return ps(['-ww', '-o', 'command=', '-p', String(pid)])
        .trim()
        .split(/\s+/);
}
/** Milliseconds of processor time of all threads of a process, to less than a millisecond; `undefined` where the system does not say. */
function busyTime(pid) {
    if (!linux)
        return undefined;
    let nanoseconds = 0;
    try {
        for (const task of readdirSync(`/proc/${pid}/task`))
            nanoseconds += Number((read(`/proc/${pid}/task/${task}/schedstat`) ?? '0').split(' ')[0]);
    }
    catch {
        // It is gone: it uses none any more.
        return 0;
    }
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : undefined;
}


/***/ }),

/***/ 10105:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Rd: () => (/* binding */ redactText),
/* harmony export */   h9: () => (/* binding */ secretNeedles)
/* harmony export */ });
/* unused harmony export Redactor */
/* harmony import */ var _secret_forms_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(93838);
/** Secret values taken out of byte streams and texts. */

const MASK = Buffer.from('***');
/** What to look for, as UTF-8: none is shorter than two bytes. */
function secretNeedles(values) {
    return [...new Set([...values].flatMap(_secret_forms_js__WEBPACK_IMPORTED_MODULE_0__/* .secretForms */ .eo))].map((text) => Buffer.from(text, 'utf8'));
}
const indexes = new WeakMap();
function indexOf(needles) {
    const known = indexes.get(needles);
    if (known)
        return known;
    const pairs = new Uint8Array(65_536);
    const byPair = new Map();
    for (const needle of needles) {
        const pair = ((needle[0] ?? 0) << 8) | (needle[1] ?? 0);
        pairs[pair] = 1;
        const others = byPair.get(pair);
        if (others)
            others.push(needle);
        else
            byPair.set(pair, [needle]);
    }
    const made = { pairs, byPair, firsts: new Set(needles.map((needle) => needle[0] ?? 0)) };
    indexes.set(needles, made);
    return made;
}
/** How many bytes at this place are those of the needle. */
function alike(data, at, needle) {
    const most = Math.min(needle.length, data.length - at);
    let count = 0;
    while (count < most && data[at + count] === needle[count])
        count += 1;
    return count;
}
/**
 * Masks secrets in a stream, however it is cut into chunks. Bytes that may be the beginning of a secret are held back until it is clear what
 * they are; overlapping secrets are masked as one. Everything else passes unchanged.
 */
class Redactor {
    #needles;
    #index;
    #held = Buffer.alloc(0);
    /** Leading bytes of `#held` that belong to a secret whose mask is out already. */
    #covered = 0;
    /** The needles stay as they are. */
    constructor(needles) {
        this.#needles = needles;
        this.#index = indexOf(needles);
    }
    push(chunk) {
        return this.#pass(chunk, false);
    }
    /** The end of the stream: what is still held back. */
    end() {
        return this.#pass(Buffer.alloc(0), true);
    }
    #pass(chunk, last) {
        const data = this.#held.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([this.#held, chunk]);
        if (this.#needles.length === 0)
            return data;
        const { secrets, unfinished } = this.#look(data);
        const tail = last ? data.length : unfinished;
        const out = [];
        let at = 0;
        let covered = 0;
        for (const [from, to] of secrets) {
            const masked = from === 0 && this.#covered > 0;
            if (from >= tail && !masked)
                break;
            if (!masked)
                out.push(data.subarray(at, from), MASK);
            at = Math.min(to, tail);
            covered = Math.max(0, to - tail);
        }
        out.push(data.subarray(at, tail));
        this.#held = Buffer.from(data.subarray(tail));
        this.#covered = covered;
        return Buffer.concat(out);
    }
    /** Half-open ranges of whole secrets, sorted, overlapping ones joined; and where the first possible, but unfinished one begins. */
    #look(data) {
        const { pairs, byPair, firsts } = this.#index;
        const secrets = this.#covered > 0 ? [[0, this.#covered]] : [];
        let unfinished = data.length;
        let next = data[0] ?? 0;
        for (let at = 0; at < data.length - 1; at += 1) {
            const first = next;
            next = data[at + 1] ?? 0;
            const pair = (first << 8) | next;
            if (pairs[pair] !== 1)
                continue;
            for (const needle of byPair.get(pair) ?? []) {
                const count = alike(data, at, needle);
                if (count === needle.length)
                    join(secrets, at, at + count);
                else if (at + count === data.length)
                    unfinished = Math.min(unfinished, at);
            }
        }
        if (data.length > 0 && firsts.has(data.at(-1) ?? 0))
            unfinished = Math.min(unfinished, data.length - 1);
        return { secrets, unfinished };
    }
}
/** They come in the order of their beginnings. */
function join(ranges, from, to) {
    const before = ranges.at(-1);
    if (before && from < before[1])
        before[1] = Math.max(before[1], to);
    else
        ranges.push([from, to]);
}
/** Masks secrets in a whole text. */
function redactText(text, needles) {
    if (needles.length === 0)
        return text;
    const redactor = new Redactor(needles);
    const bytes = Buffer.from(text, 'utf8');
    const masked = Buffer.concat([redactor.push(bytes), redactor.end()]);
    return masked.equals(bytes) ? text : masked.toString('utf8');
}


/***/ }),

/***/ 9283:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q6: () => (/* binding */ Redraw),
/* harmony export */   dy: () => (/* binding */ openColour)
/* harmony export */ });
/* unused harmony exports REDRAW_EVERY, LONGEST_LINE */
/* harmony import */ var _controls_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(94694);
/** Making bytes of a user's program fit to be shown, line by line or redrawn in place. */

/** A progress line that is redrawn (`\r`) is shown at most this often where there is nothing to redraw. */
const REDRAW_EVERY = 15_000;
/** Characters of a line without an end that are kept before they are shown as a line of their own: some programs never end one. */
const LONGEST_LINE = 64 * 1024;
/** Turns a stream of bytes into text that can be printed; keeps incomplete lines, characters and controls until they are whole. */
class Redraw {
    #display;
    #decoder = new TextDecoder();
    #controls = new _controls_js__WEBPACK_IMPORTED_MODULE_0__/* .Controls */ .H2(true);
    #label = '';
    #line = '';
    /** Latest state of a line that was redrawn and not yet shown. */
    #state;
    #shownAt = Number.NEGATIVE_INFINITY;
    /** The beginning of the line is shown already. */
    #torn = false;
    constructor(display) {
        this.#display = display;
    }
    /** `label` is put before every line that comes whole now. */
    push(bytes, label = '') {
        this.#label = label;
        this.#line += this.#controls.push(this.#decoder.decode(bytes, { stream: true }));
        return this.#display.redraws ? this.#inPlace() : this.#lines();
    }
    /** What is left at the end of the stream. */
    end() {
        this.#line = (this.#line + this.#controls.push(this.#decoder.decode())).replace(/\r$/, '');
        const rest = this.#line !== '' ? this.#line : (this.#state ?? '');
        this.#line = '';
        this.#state = undefined;
        return rest === '' && !this.#torn ? '' : `${this.#shown(rest)}\n`;
    }
    #inPlace() {
        // A trailing \r may be the first half of a line end.
        const whole = this.#line.replace(/\r$/, '');
        this.#line = this.#line.slice(whole.length);
        return whole.replace(/[^\r\n]+/g, (text) => this.#shown(text)).replace(/\r(?!\n)/g, '\r\u001b[K');
    }
    #lines() {
        let out = '';
        for (;;) {
            const at = this.#line.search(/[\r\n]/);
            // A trailing \r may be the first half of a line end.
            if (at < 0 || (this.#line[at] === '\r' && at === this.#line.length - 1))
                break;
            const text = this.#line.slice(0, at);
            const lineEnd = this.#line[at] === '\n' || this.#line[at + 1] === '\n';
            this.#line = this.#line.slice(at + (this.#line[at] === '\r' && lineEnd ? 2 : 1));
            if (lineEnd)
                out += this.#final(text);
            else if (text !== '')
                this.#state = text;
        }
        return out + this.#endless() + this.#due();
    }
    #endless() {
        if (this.#line.length <= LONGEST_LINE || this.#line.endsWith('\r'))
            return '';
        const text = this.#line;
        this.#line = '';
        if (!this.#display.joins)
            return this.#final(text);
        const shown = this.#shown(text);
        this.#torn = true;
        return shown;
    }
    #final(text) {
        const last = text === '' ? (this.#state ?? '') : text;
        this.#state = undefined;
        this.#shownAt = Number.NEGATIVE_INFINITY;
        return `${this.#shown(last)}\n`;
    }
    #due() {
        if (this.#state === undefined || this.#display.now() - this.#shownAt < REDRAW_EVERY)
            return '';
        const text = this.#state;
        this.#state = undefined;
        this.#shownAt = this.#display.now();
        return `${this.#shown(text)}\n`;
    }
    #shown(text) {
        const label = this.#torn ? '' : this.#label;
        this.#torn = false;
        return label + text;
    }
}
/** Whether a colour or emphasis goes on behind this text. `before`: whether one did ahead of it. */
function openColour(text, before) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
    const last = [...text.matchAll(/\u001b\[([\d;]*)m/g)].at(-1)?.[1];
    return last === undefined ? before : !/^0*$/.test(last);
}


/***/ }),

/***/ 19564:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ removeTree)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(73024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(51455);
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(58500);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(57975);
/* harmony import */ var _files_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(59381);
/** Removing what may be large. */






const run = (0,node_util__WEBPACK_IMPORTED_MODULE_4__.promisify)(node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFile);
/** Attempts at a tree that somebody else removes, moves or still fills at the same time. */
const ATTEMPTS = 5;
/** Removes a file or a whole tree, also one with folders that were made read-only. What is gone is fine. */
async function removeTree(path) {
    for (let attempt = 1;; attempt += 1) {
        try {
            if (await isFolder(path))
                return await removeFolder(path);
            return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rm)(path, { force: true });
        }
        catch (error) {
            if (attempt === ATTEMPTS || !(0,_files_js__WEBPACK_IMPORTED_MODULE_5__/* .hasCode */ .up)(error, 'EACCES', 'EPERM', 'ENOTEMPTY', 'ENOENT'))
                throw error;
        }
        if (attempt > 1)
            await (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_3__.setTimeout)(attempt * 50);
        unlock(Buffer.from(path));
    }
}
/**
 * By the system's own program, where there is one: Node.js takes 300 MB for a hundred thousand files, and does not find those whose names
 * are no UTF-8. Where that fails, Node.js says why.
 */
async function removeFolder(folder) {
    try {
        await run('rm', ['-rf', '--', folder]);
    }
    catch {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rm)(folder, { recursive: true, force: true });
    }
}
async function isFolder(path) {
    try {
        return (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.lstat)(path)).isDirectory();
    }
    catch (error) {
        if ((0,_files_js__WEBPACK_IMPORTED_MODULE_5__/* .isGone */ .ST)(error))
            return false;
        throw error;
    }
}
/** Anybody but root can remove nothing from a folder that may not be written to. */
function unlock(folder) {
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.chmodSync)(folder, 0o700);
        for (const entry of (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readdirSync)(folder, { withFileTypes: true, encoding: 'buffer' })) {
            if (entry.isDirectory())
                unlock(Buffer.concat([folder, Buffer.from('/'), entry.name]));
        }
    }
    catch {
        // Gone, or not ours to change: the next removal says what is wrong.
    }
}


/***/ }),

/***/ 39088:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ backoff),
/* harmony export */   L: () => (/* binding */ retry)
/* harmony export */ });
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29668);
/** Trying again: jittered, bounded, and obedient to a signal. */

/** Runs `body` until it resolves, its error is final, or the tries are used up; then throws its last error. */
async function retry(body, rule) {
    const sleep = rule.sleep ?? _clock_js__WEBPACK_IMPORTED_MODULE_0__/* .pause */ .v7;
    for (let attempt = 1;; attempt++) {
        rule.signal?.throwIfAborted();
        try {
            return await body(attempt);
        }
        catch (error) {
            if (attempt >= (rule.attempts ?? Number.POSITIVE_INFINITY) || rule.signal?.aborted)
                throw error;
            const again = rule.again(error, attempt);
            if (again === false)
                throw error;
            await sleep(backoff(attempt, rule) + (again === true ? 0 : again), rule.signal);
        }
    }
}
/** Milliseconds before the try after number `attempt` (from 1): "full jitter", so that many clients do not come back together. */
function backoff(attempt, rule) {
    const ceiling = Math.min(rule.longest, rule.first * 2 ** (attempt - 1));
    return ceiling * (1 - (rule.random ?? Math.random)());
}


/***/ }),

/***/ 93838:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c3: () => (/* binding */ SHORTEST_SECRET),
/* harmony export */   dm: () => (/* binding */ maskable),
/* harmony export */   eo: () => (/* binding */ secretForms)
/* harmony export */ });
/* harmony import */ var _text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(40859);
/** How programs write a secret value: the one list of what is masked, on machines and wherever we print. */

/** Shorter values, in bytes, are not looked for: they would black out ordinary words, and outputs that happen to contain them. */
const SHORTEST_SECRET = 4;
/** Lines of a secret of several lines are masked one by one, since logs go by lines; of short ones every file is full. */
const SHORTEST_LINE = 8;
/** Characters of Base64 that are the same wherever the value stands in the text that is encoded. Fewer come about by chance. */
const SHORTEST_BASE64 = 6;
/** Bytes that programs encode as one line of Base64: 76 and 64 characters. */
const BASE64_LINES = [57, 48];
/**
 * What to mask for one secret value as it stands: the value, the same without the white space around it (it may have come with a newline at
 * its end), and its lines (a key may be printed by a tool that indents it), each if long enough.
 */
function maskable(value) {
    const lines = value
        .trim()
        .split('\n')
        .map((line) => line.trim());
    const parts = lines.length > 1 ? lines.filter((line) => Buffer.byteLength(line) >= SHORTEST_LINE) : [];
    return [...new Set([...wholes(value), ...parts])].filter(isLongEnough);
}
/** The same in every form that JSON, URLs, Base64, shells, HTML and Markdown give it. */
function secretForms(value) {
    const written = maskable(value).flatMap((part) => [
        part,
        ...jsonForms(part),
        ...urlForms(part),
        ...shellForms(part),
        ...markupForms(part),
    ]);
    return [...new Set([...written, ...wholes(value).filter(isLongEnough).flatMap(base64Forms)])];
}
const wholes = (value) => [value, value.trim()];
const isLongEnough = (text) => Buffer.byteLength(text.trim()) >= SHORTEST_SECRET;
const inJson = (text) => JSON.stringify(text).slice(1, -1);
function escaped(text, which, upper = false) {
    return text.replace(which, (char) => {
        const code = char.charCodeAt(0).toString(16).padStart(4, '0');
        return `\\u${upper ? code.toUpperCase() : code}`;
    });
}
/** As JavaScript has it; with slashes escaped (PHP), in ASCII alone (Python), fit for HTML (Go, .NET); and each as a string in other JSON. */
function jsonForms(text) {
    const plain = inJson(text);
    const ascii = /[\u0080-\uffff]/g;
    const forms = [
        plain,
        plain.replaceAll('/', '\\/'),
        escaped(plain, ascii),
        escaped(plain, ascii).replaceAll('/', '\\/'),
        escaped(plain, ascii, true),
        escaped(plain, /[<>&\u2028\u2029]/g),
        escaped(plain.replaceAll('\\"', '"'), /["&'+<>`\u0080-\uffff]/g, true),
    ];
    return [...forms, ...forms.map(inJson)];
}
const percent = (char) => [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
/** By what languages leave as it is: JavaScript's two, RFC 3986, Python's `quote`, forms (a blank is `+`). */
function urlForms(text) {
    const left = [/[^\w\-.!~*'()]/gu, /[^\w\-.!~*'();,/?:@&=+$#]/gu, /[^\w\-.~]/gu, /[^\w\-.~/]/gu];
    const forms = left.map((others) => text.replace(others, percent));
    const form = text.replace(/[^\w\-.* ]/gu, percent).replaceAll(' ', '+');
    return [...forms, form].flatMap((url) => [url, url.replace(/%../g, (byte) => byte.toLowerCase())]);
}
/** Between quotes of either kind, with backslashes (`printf %q`, with a comma or without), and as `$'…'` has it. */
function shellForms(text) {
    const ansi = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r');
    return [
        text.replaceAll("'", "'\\''"),
        text.replaceAll("'", `'"'"'`),
        text.replace(/["$`\\]/g, '\\$&'),
        text.replace(/["$`\\!]/g, '\\$&'),
        text.replace(/[ \t'"\\|&;()<>!{}*[\]?^$`]|^[#~]/g, '\\$&'),
        text.replace(/[ \t'"\\|&;()<>!{}*[\]?^$`,]|^[#~]/g, '\\$&'),
        text.replace(/[^\w@%+=:,./-]/g, '\\$&'),
        ansi,
    ];
}
function markupForms(text) {
    const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const quotes = html.replaceAll('"', '&quot;');
    return [(0,_text_js__WEBPACK_IMPORTED_MODULE_0__/* .inline */ .mG)(text), html, quotes, quotes.replaceAll("'", '&#39;'), quotes.replaceAll("'", '&#x27;'), quotes.replaceAll("'", '&apos;')];
}
/** Alone, within a longer text (a user and a password), and cut into lines; in both alphabets. */
function base64Forms(text) {
    const bytes = Buffer.from(text);
    const within = [0, 1, 2].map((before) => steady(bytes, before));
    const lines = BASE64_LINES.flatMap((length) => bytes.length <= length
        ? []
        : Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) => steady(bytes.subarray(at * length, (at + 1) * length), 0)));
    return [bytes.toString('base64').replace(/=+$/, ''), ...within, ...lines]
        .filter((form) => form.length >= SHORTEST_BASE64)
        .flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
/** The characters of Base64 that nothing but these bytes decides, where `before` bytes (of every three) go ahead of them. */
function steady(bytes, before) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}


/***/ }),

/***/ 29611:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $C: () => (/* binding */ Misfit),
/* harmony export */   Ik: () => (/* binding */ object),
/* harmony export */   Jt: () => (/* binding */ flag),
/* harmony export */   Pq: () => (/* binding */ json),
/* harmony export */   Qq: () => (/* binding */ text),
/* harmony export */   U9: () => (/* binding */ count),
/* harmony export */   ai: () => (/* binding */ number),
/* harmony export */   gP: () => (/* binding */ either),
/* harmony export */   kB: () => (/* binding */ time),
/* harmony export */   n8: () => (/* binding */ line),
/* harmony export */   no: () => (/* binding */ maybe),
/* harmony export */   p_: () => (/* binding */ list),
/* harmony export */   yL: () => (/* binding */ oneOf),
/* harmony export */   zz: () => (/* binding */ dictionary)
/* harmony export */ });
/** What foreign data has to look like, declared field by field: whatever comes through a shape is what its type says, and nothing else of it comes along. */
/** The data does not fit: where in it, and what it should be. */
class Misfit extends Error {
    name = 'Misfit';
    #should;
    #path;
    constructor(should, path = '') {
        super(`${path === '' ? 'it' : JSON.stringify(path)} ${should}`);
        this.#should = should;
        this.#path = path;
    }
    /** The same, seen from outside. */
    inside(name) {
        const own = typeof name === 'number' ? `[${name}]` : name;
        const joint = this.#path === '' || this.#path.startsWith('[') ? '' : '.';
        return new Misfit(this.#should, own + joint + this.#path);
    }
}
const maybe = (shape) => ({ maybe: shape });
/** Fields that are not in the table are left behind. */
function object(fields) {
    const table = Object.entries(fields);
    return (value) => {
        const given = recordOf(value);
        const found = {};
        for (const [name, field] of table) {
            const one = Object.hasOwn(given, name) ? given[name] : undefined;
            if (typeof field === 'function')
                found[name] = within(name, field, one);
            else if (one !== undefined)
                found[name] = within(name, field.maybe, one);
        }
        // The table has every field of the type.
        return found;
    };
}
/** Names and values of one kind each. */
function dictionary(name, of, most) {
    return (value) => {
        const pairs = Object.entries(recordOf(value));
        if (pairs.length > most)
            throw new Misfit(`must have at most ${most} names`);
        return Object.fromEntries(pairs.map(([key, one]) => [name(key), within(key.slice(0, 40), of, one)]));
    };
}
function list(of, most) {
    return (value) => {
        if (!Array.isArray(value) || value.length > most)
            throw new Misfit(`must be a list of at most ${most}`);
        return value.map((one, index) => within(index, of, one));
    };
}
/** `like`: what all of it must match; `called`: that in words. */
function text(most, like, called = 'text') {
    return (value) => {
        if (typeof value !== 'string' || value.length > most || (like && !like.test(value)))
            throw new Misfit(`must be ${called} of at most ${most} characters`);
        return value;
    };
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is kept out
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f]*$/;
/** Without line ends and other control characters. */
const line = (most) => text(most, ONE_LINE, 'one line');
function number(least, most) {
    return (value) => {
        if (typeof value !== 'number' || !(value >= least && value <= most))
            throw new Misfit(`must be a number from ${least} to ${most}`);
        return value;
    };
}
/** A whole one. */
function count(most = Number.MAX_SAFE_INTEGER, least = 0) {
    return (value) => {
        if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most)
            throw new Misfit(`must be a whole number from ${least} to ${most}`);
        return value;
    };
}
const flag = (value) => {
    if (typeof value !== 'boolean')
        throw new Misfit('must be true or false');
    return value;
};
function oneOf(...words) {
    return (value) => {
        const found = words.find((word) => word === value);
        if (found === undefined)
            throw new Misfit(`must be ${words.map((word) => JSON.stringify(word)).join(' or ')}`);
        return found;
    };
}
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
/** ISO, UTC. */
const time = (value) => {
    if (typeof value !== 'string' || !ISO.test(value) || Number.isNaN(Date.parse(value)))
        throw new Misfit('must be a time like 2026-01-31T12:00:00.000Z');
    return value;
};
function either(one, other) {
    return (value) => {
        try {
            return one(value);
        }
        catch (error) {
            if (!(error instanceof Misfit))
                throw error;
            return other(value);
        }
    };
}
/** Whatever JSON can say, this deep: for data that is only handed on. */
function json(deep = 16) {
    return (value) => {
        if (typeof value !== 'object' || value === null)
            return value;
        if (deep === 0)
            throw new Misfit('is nested too deeply');
        for (const one of Object.values(value))
            json(deep - 1)(one);
        return value;
    };
}
function within(name, shape, value) {
    try {
        return shape(value);
    }
    catch (error) {
        throw error instanceof Misfit ? error.inside(name) : error;
    }
}
function recordOf(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new Misfit('must be an object');
    return value;
}


/***/ }),

/***/ 40859:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   KE: () => (/* binding */ listed),
/* harmony export */   LS: () => (/* binding */ plural),
/* harmony export */   LV: () => (/* binding */ wrap),
/* harmony export */   Qy: () => (/* binding */ firstLineOf),
/* harmony export */   TL: () => (/* binding */ quoted),
/* harmony export */   TN: () => (/* binding */ oneLine),
/* harmony export */   YB: () => (/* binding */ columns),
/* harmony export */   _Q: () => (/* binding */ fitting),
/* harmony export */   bD: () => (/* binding */ messageOf),
/* harmony export */   g$: () => (/* binding */ printable),
/* harmony export */   mG: () => (/* binding */ inline),
/* harmony export */   qi: () => (/* binding */ firstSentence)
/* harmony export */ });
/** Small typography for messages, help and tables. */
/** A value in double quotes as messages show it: control characters escaped, cut in the middle beyond 60 characters. */
function quoted(value) {
    const short = value.length > 60 ? `${value.slice(0, 40)}…${value.slice(-15)}` : value;
    return printable(JSON.stringify(short));
}
/** Control characters and line separators escaped: one line that does nothing to a terminal. */
function printable(text) {
    return text.replace(/[\p{Cc}\u2028\u2029]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
/** Text of others in a line or a table cell of Markdown, where it can do nothing but be read. */
function inline(text) {
    return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|~#@!&$]/g, (char) => `&#${char.charCodeAt(0)};`);
}
/** Words of others within one line of ours: they begin no line of their own, which could look like one of ours. */
function oneLine(text) {
    return text.replace(/\s*[\r\n\u0085\u2028\u2029]\s*/g, ' ');
}
/** "a", "a or b", "a, b or c". */
function listed(words, last = 'or') {
    if (words.length < 2)
        return words[0] ?? '';
    return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;
}
/** "1 file", "2 files", "0 entries" when `many` is given. */
function plural(count, one, many = `${one}s`) {
    return `${count} ${count === 1 ? one : many}`;
}
/** Breaks running text at blanks so that no line is longer than `width`, unless one word is. Line feeds stay. */
function wrap(text, width) {
    return text.split('\n').flatMap((paragraph) => {
        const indent = /^ */.exec(paragraph)?.[0] ?? '';
        const lines = [];
        let line = indent;
        for (const word of paragraph.trim().split(/ +/)) {
            if (line.trim() !== '' && line.length + 1 + word.length > width) {
                lines.push(line);
                line = indent;
            }
            line += (line.trim() === '' ? '' : ' ') + word;
        }
        return [...lines, line.trimEnd()];
    });
}
/** Lines of a table: cells padded to the widest of their column, two blanks between, nothing trailing. */
function columns(written) {
    const rows = written.map((row) => row.map(oneLine));
    const widths = [];
    for (const row of rows)
        for (const [index, cell] of row.entries())
            widths[index] = Math.max(widths[index] ?? 0, cell.length);
    return rows.map((row) => row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd());
}
/** The first sentence of a text, without its full stop. */
function firstSentence(text) {
    const end = /\.(?:\s|$)/.exec(text);
    return end ? text.slice(0, end.index) : text;
}
/** What was thrown, in words: its message, where it is an error. */
function messageOf(error) {
    return error instanceof Error ? error.message : String(error);
}
/** The same, where only its first line is for people. */
function firstLineOf(error) {
    return messageOf(error).split('\n', 1)[0] ?? '';
}
/** Two columns wide on a terminal: East Asian wide and full-width characters, and pictures. */
const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** None: they belong to the character before. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u;
const columnsOf = (char) => (NARROW.test(char) ? 0 : WIDE.test(char) ? 2 : 1);
/** As much of a line as fits into so many columns of a terminal, and how many it takes. */
function fitting(line, columns) {
    let text = '';
    let width = 0;
    for (const char of line) {
        const more = columnsOf(char);
        if (width + more > columns)
            break;
        text += char;
        width += more;
    }
    return { text, width };
}


/***/ }),

/***/ 51935:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ Unchanged)
/* harmony export */ });
/** For how long something has not changed, by the watcher's own monotonic clock: nobody compares clocks with anybody. */
class Unchanged {
    #seen = new Map();
    /**
     * Milliseconds for which this watcher has seen `what` bear this mark (a nonce, a version; `undefined`: it does not exist). `now`: the clock as
     * it was before the look, so that a slow answer makes nobody silent.
     */
    for(what, mark, now) {
        const before = this.#seen.get(what);
        if (before && before.mark === mark)
            return now - before.since;
        this.#seen.set(what, { mark, since: now, moved: before !== undefined });
        return 0;
    }
    /** It has shown life while it was watched. */
    hasMoved(what) {
        return this.#seen.get(what)?.moved === true;
    }
}


/***/ }),

/***/ 46631:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ ownUser),
/* harmony export */   j: () => (/* binding */ isRoot)
/* harmony export */ });
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(48161);
/** Who we are to the operating system. */

/** May do anything on this host. */
function isRoot() {
    return process.getuid?.() === 0;
}
/** A container may run as a user that its image has never heard of. */
function ownUser() {
    try {
        return (0,node_os__WEBPACK_IMPORTED_MODULE_0__.userInfo)();
    }
    catch {
        return { username: String(process.getuid?.() ?? 'nobody'), homedir: (0,node_os__WEBPACK_IMPORTED_MODULE_0__.tmpdir)() };
    }
}


/***/ }),

/***/ 25507:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Y: () => (/* binding */ writerIsDead),
/* harmony export */   j: () => (/* binding */ writerMark)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(73024);
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(48161);
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(29668);
/* harmony import */ var _process_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(36167);
/** Names of half-made files that say which process makes them: when it is killed, whoever comes next may clear them away. */





let own;
const digest = (text) => (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(text).digest('hex').slice(0, 12);
function self() {
    if (own)
        return own;
    // Where pids mean what they mean here.
    const place = digest(`${(0,node_os__WEBPACK_IMPORTED_MODULE_2__.hostname)()}\n${(0,_clock_js__WEBPACK_IMPORTED_MODULE_3__/* .bootId */ .aW)()}\n${processSpace()}`);
    own = { place, mark: `${place}-${process.pid}.${digest((0,_process_js__WEBPACK_IMPORTED_MODULE_4__/* .identify */ .ls)(process.pid)?.start ?? '')}` };
    return own;
}
function processSpace() {
    try {
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readlinkSync)('/proc/self/ns/pid');
    }
    catch {
        return '';
    }
}
/** Of this process: 12 hex digits, `-`, pid, `.`, 12 hex digits. */
function writerMark() {
    return self().mark;
}
/** Certainly: of a process of another host nobody here can tell. `text` begins with a mark. */
function writerIsDead(text) {
    const [, place, pid, start] = /^([0-9a-f]{12})-(\d+)\.([0-9a-f]{12})/.exec(text) ?? [];
    if (place !== self().place)
        return false;
    const living = (0,_process_js__WEBPACK_IMPORTED_MODULE_4__/* .identify */ .ls)(Number(pid));
    return living === undefined || digest(living.start) !== start;
}


/***/ }),

/***/ 4761:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  D: () => (/* binding */ parseCommandLine),
  T: () => (/* binding */ parseInputs)
});

// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/options/sources/claim.js
var sources_claim = __webpack_require__(90798);
// EXTERNAL MODULE: ./build/js/options/rows/verbs.js
var verbs = __webpack_require__(9999);
;// CONCATENATED MODULE: ./build/js/options/rows/checks.js



/** A weaker one of two that exclude each other gives way; equally strong ones are a fault. Changes `chosen`. */
function settleExclusions(table, chosen) {
    const faults = [];
    for (const [name, one] of chosen) {
        for (const otherName of table.rows[name]?.excludes ?? []) {
            const other = chosen.get(otherName);
            if (!other || !chosen.has(name) || one.value === false || other.value === false)
                continue;
            const difference = (0,sources_claim/* rankOf */.IQ)(one.claim) - (0,sources_claim/* rankOf */.IQ)(other.claim);
            if (difference > 0)
                chosen.delete(otherName);
            else if (difference < 0)
                chosen.delete(name);
            else if (!isSecondOfPair(table, name, otherName))
                faults.push((0,sources_claim/* fault */.DG)(one.claim.as, `cannot be given together with ${other.claim.as}`));
        }
    }
    return faults;
}
/** Pairs that name each other are reported once. */
function isSecondOfPair(table, name, other) {
    return (table.rows[other]?.excludes?.includes(name) ?? false) && name > other;
}
/** `wrong`: options whose own value is a fault already; nothing is concluded from them. */
function crossFaults(table, verb, chosen, wrong, values) {
    const faults = [];
    const cloud = wrong.has('cloud') ? undefined : table.clouds.find(({ id }) => id === values.cloud);
    for (const [name, { claim, value }] of chosen) {
        const row = table.rows[name];
        if (!row || value === false)
            continue;
        for (const needed of row.requires ?? [])
            if (!chosen.has(needed) && !wrong.has(needed))
                faults.push((0,sources_claim/* fault */.DG)(claim.as, `needs ${(0,lib_text/* quoted */.TL)(needed)} too`));
        if (cloud && row.clouds && !row.clouds.includes(values.cloud))
            faults.push((0,sources_claim/* fault */.DG)(claim.as, `is not for cloud ${(0,lib_text/* quoted */.TL)(values.cloud)}`, `it belongs to ${row.clouds.join(', ')}`));
        if (row.can && cloud && !cloud.can[row.can]) {
            faults.push((0,sources_claim/* fault */.DG)(claim.as, `cloud ${(0,lib_text/* quoted */.TL)(cloud.id)} cannot do that`, row.otherwise));
        }
    }
    faults.push(...endpointFaults(chosen.get('storage-endpoint')));
    return (0,verbs/* describes */.bd)(verb) ? [...faults, ...taskFaults(chosen, wrong, values)] : faults;
}
/** A configuration file may have come with the folder: it alone does not send credentials and data through a network in the clear. */
function endpointFaults(endpoint) {
    const address = String(endpoint?.value);
    if (endpoint?.claim.source !== 'file' || !address.startsWith('http:') || !URL.canParse(address))
        return [];
    if (/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname))
        return [];
    const hint = 'write https://, or if plain http is intended, give it as --storage-endpoint, TPI_STORAGE_ENDPOINT or an input of the action';
    return [(0,sources_claim/* fault */.DG)(endpoint.claim.as, `${(0,lib_text/* quoted */.TL)(address)} would expose credentials to the network`, hint)];
}
/** One line for each thing that the cloud cannot: it takes no notice of what asks for it. */
function ineffective(table, chosen, values) {
    const cloud = table.clouds.find(({ id }) => id === values.cloud);
    const can = (cloud?.can ?? {});
    const idle = new Map();
    for (const [name, { claim, value }] of chosen) {
        const wanted = table.rows[name]?.wants;
        if (wanted === undefined || can[wanted] !== false || value === 'false')
            continue;
        idle.set(wanted, [...(idle.get(wanted) ?? []), claim.as]);
    }
    return [...idle].map(([wanted, names]) => `${names.join(', ')}: no effect, cloud ${(0,lib_text/* quoted */.TL)(values.cloud)} has no ${wanted} machines to ask for`);
}
function taskFaults(chosen, wrong, values) {
    const faults = [];
    const as = (name) => chosen.get(name)?.claim.as ?? name;
    if (values['max-price'] !== undefined && values.spot === 'false' && !wrong.has('spot')) {
        faults.push((0,sources_claim/* fault */.DG)(as('max-price'), 'is only for spot machines', 'add "spot: true" or "spot: prefer"'));
    }
    if (values['retry-on'].length > 0 && values.retries === 0 && !wrong.has('retries'))
        faults.push((0,sources_claim/* fault */.DG)(as('retry-on'), 'needs "retries" of at least 1'));
    if (values['lease-ttl'] < 2 * values['lease-beat']) {
        faults.push((0,sources_claim/* fault */.DG)(as('lease-ttl'), 'must be at least twice TPI_LEASE_BEAT', 'one late beat would otherwise cost a machine its slot'));
    }
    return faults;
}

// EXTERNAL MODULE: ./build/js/options/rows/table.js + 5 modules
var rows_table = __webpack_require__(38281);
// EXTERNAL MODULE: ./build/js/lib/duration.js
var duration = __webpack_require__(86388);
// EXTERNAL MODULE: ./build/js/options/values/kinds.js + 1 modules
var kinds = __webpack_require__(38673);
;// CONCATENATED MODULE: ./build/js/options/sources/argv.js




function readArgv(table, argv) {
    const end = argv.indexOf('--');
    const tokens = end < 0 ? argv : argv.slice(0, end);
    const reader = new Reader(table, tokens);
    reader.read();
    return { ...reader.result(), ...(end < 0 ? {} : { command: argv.slice(end + 1) }) };
}
class Reader {
    #table;
    #tokens;
    #at = 0;
    #help = false;
    #version = false;
    #words = [];
    #unknown = [];
    #faults = [];
    #flags = new Map();
    constructor(table, tokens) {
        this.#table = table;
        this.#tokens = tokens;
    }
    result() {
        const claims = [...this.#flags.values()].map(({ option, spelled, as, values }) => ({ option, source: 'flag', as, spelled, raw: { flags: values } }));
        return { words: this.#words, claims, unknown: this.#unknown, help: this.#help, version: this.#version, faults: this.#faults };
    }
    read() {
        for (; this.#at < this.#tokens.length; this.#at++) {
            const token = this.#tokens[this.#at] ?? '';
            if (token === '--help' || token === '-h')
                this.#help = true;
            else if (token === '--version' || token === '-V')
                this.#version = true;
            else if (token.startsWith('--'))
                this.#long(token);
            else if (/^-[A-Za-z]/.test(token))
                this.#short(token);
            else
                this.#words.push(token);
        }
    }
    #long(token) {
        const equals = token.indexOf('=');
        const written = equals < 0 ? token : token.slice(0, equals);
        const found = this.#find(written);
        if (!found)
            this.#unknown.push(written);
        else if (equals >= 0)
            this.#add(found, found.negated ? undefined : token.slice(equals + 1));
        else
            this.#add(found, found.negated ? 'false' : this.#following(found));
    }
    /** `-f`, `-qf`, `-e NAME`, `-eNAME`. */
    #short(token) {
        for (let at = 1; at < token.length; at++) {
            const letter = token[at] ?? '';
            const entry = Object.entries(this.#table.rows).find(([, row]) => row.short === letter);
            if (!entry) {
                this.#unknown.push(`-${letter}`);
                return;
            }
            const [option, row] = entry;
            const found = { option, row, spelled: option, as: `-${letter}`, negated: false };
            const rest = token.slice(at + 1).replace(/^=/, '');
            if (row.kind === 'bool')
                this.#add(found, 'true');
            else {
                this.#add(found, rest === '' ? this.#following(found) : rest);
                return;
            }
        }
    }
    #find(written) {
        const name = (0,rows_table/* spelled */.uQ)(written.slice(2));
        const option = this.#table.names.get(name);
        const row = option === undefined ? undefined : this.#table.rows[option];
        if (option !== undefined && row && (0,rows_table/* takes */.ny)(row, 'flag'))
            return { option, row, spelled: name, as: written, negated: false };
        const positive = name.startsWith('no-') ? this.#table.names.get(name.slice(3)) : undefined;
        const negatable = positive === undefined ? undefined : this.#table.rows[positive];
        if (positive === undefined || !negatable || !(0,rows_table/* takes */.ny)(negatable, 'flag') || !(0,kinds/* canNegate */.Fl)(negatable))
            return undefined;
        return { option: positive, row: negatable, spelled: name.slice(3), as: written, negated: true };
    }
    /**
     * The value of a flag without `=`: the next token, or `true` where the flag may stand alone and the next is no value of its. A switch never
     * takes a word that could be an argument; the others that stand alone belong to verbs without arguments, so only the verb itself is spared.
     */
    #following({ row, spelled: name }) {
        const next = this.#tokens[this.#at + 1];
        const value = next !== undefined && (!next.startsWith('-') || next === '-' || /^-\d/.test(next)) ? next : undefined;
        const spared = row.kind === 'bool' || this.#words.length === 0 || row.aliases?.includes(name) === true;
        if (((0,kinds/* standsAlone */.pX)(row) || (0,kinds/* isSwitch */.Tb)(row, name)) && (value === undefined || (spared && !looksLikeValue(row, value))))
            return 'true';
        if (value !== undefined)
            this.#at++;
        return value;
    }
    #add(found, value) {
        if (value === undefined) {
            const message = found.negated ? 'takes no value' : 'needs a value';
            const dashed = !found.negated && this.#tokens[this.#at + 1] !== undefined;
            this.#faults.push((0,sources_claim/* fault */.DG)(found.as, message, dashed ? `write a value that starts with "-" as ${found.as}=-…` : undefined));
            return;
        }
        if (value === '' && !(0,kinds/* isListKind */.BB)(found.row.kind)) {
            this.#faults.push((0,sources_claim/* fault */.DG)(found.as, 'is empty'));
            return;
        }
        const known = this.#flags.get(found.option);
        // The same text means something else under the name of a switch.
        const differs = known !== undefined && known.as !== found.as && [known, found].some((one) => (0,kinds/* isSwitch */.Tb)(one.row, one.spelled));
        if (differs)
            this.#faults.push((0,sources_claim/* fault */.DG)(found.as, `is given twice, also as ${known.as}`));
        else if (known)
            known.values.push(value);
        else
            this.#flags.set(found.option, { ...found, values: [value] });
    }
}
function looksLikeValue(row, text) {
    if (/^(?:true|false)$/i.test(text))
        return true;
    if (row.kind === 'wait')
        return (0,duration/* parseDuration */.E9)(text) !== undefined || /^\d/.test(text);
    return row.kind === 'choice' && ((row.oneOf?.includes(text) ?? false) || /^-?\d/.test(text));
}

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/lib/nearest.js
var nearest = __webpack_require__(58020);
;// CONCATENATED MODULE: ./build/js/options/sources/config.js
/** `tpi.yaml`: options by their names, at the top level. */





const CONFIG_NAME = 'tpi.yaml';
/** The file named by `--config`, else the nearest one from here up to the root of the repository or the home folder. */
async function findConfig(named, surroundings) {
    if (named !== undefined)
        return (0,external_node_path_.resolve)(surroundings.cwd, named);
    for (let folder = surroundings.cwd;; folder = (0,external_node_path_.dirname)(folder)) {
        const file = (0,external_node_path_.join)(folder, CONFIG_NAME);
        if (await exists(file, surroundings))
            return file;
        if (folder === (0,external_node_path_.dirname)(folder) || folder === surroundings.env['HOME'] || (await exists((0,external_node_path_.join)(folder, '.git'), surroundings)))
            return undefined;
    }
}
async function exists(path, surroundings) {
    try {
        await surroundings.readFile(path);
        return true;
    }
    catch (error) {
        // A folder (`.git`) and an unreadable file are there; the latter is reported when it is read.
        return !(0,sources_claim/* readingTrouble */.sq)(error).startsWith('does not exist');
    }
}
/** As messages name it. */
function shownPath(file, { cwd }) {
    return (0,external_node_path_.relative)(cwd, file) || file;
}
/** Unknown names come apart from other faults: a verb that only acts on what exists is not held up by them. `unread`: nobody knows what it would have said. */
async function readConfig(table, file, surroundings) {
    const shown = shownPath(file, surroundings);
    let text;
    try {
        text = await surroundings.readFile(file);
    }
    catch (error) {
        return { claims: [], faults: [(0,sources_claim/* fault */.DG)('', `configuration file ${(0,lib_text/* quoted */.TL)(shown)} ${(0,sources_claim/* readingTrouble */.sq)(error)}`)], unknown: [], unread: true };
    }
    const yaml = await Promise.resolve(/* import() */).then(__webpack_require__.t.bind(__webpack_require__, 38815, 19));
    const lines = new yaml.LineCounter();
    const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const line = (at) => lines.linePos(at ?? 0).line;
    const broken = document.errors.map((error) => (0,sources_claim/* fault */.DG)(`${shown}:${line(error.pos[0])}`, `is not YAML: ${error.message}`));
    if (broken.length > 0)
        return { claims: [], faults: broken, unknown: [], unread: true };
    if (document.contents === null)
        return { claims: [], faults: [], unknown: [] };
    if (!yaml.isMap(document.contents))
        return { claims: [], faults: [(0,sources_claim/* fault */.DG)(shown, 'is not a map of options', 'write "option: value" lines')], unknown: [], unread: true };
    const reader = new ConfigReader(table, yaml, (key, node) => `${shown}:${line(node?.range?.[0])} ${key}`);
    reader.map(document.contents, '');
    return {
        claims: reader.claims.map((claim) => fromHere(table, claim, (0,external_node_path_.dirname)(file), surroundings.cwd)),
        faults: reader.faults,
        unknown: reader.unknown,
    };
}
class ConfigReader {
    claims = [];
    faults = [];
    unknown = [];
    #table;
    #yaml;
    #as;
    constructor(table, yaml, as) {
        this.#table = table;
        this.#yaml = yaml;
        this.#as = as;
    }
    map(map, prefix) {
        for (const pair of map.items)
            this.#pair(pair, prefix);
    }
    #pair({ key, value }, prefix) {
        const name = prefix + this.#text(key);
        const plain = (0,rows_table/* spelled */.uQ)(name);
        const as = this.#as(name, this.#yaml.isNode(key) ? key : undefined);
        const option = this.#table.names.get(plain);
        const row = option === undefined ? undefined : this.#table.rows[option];
        // TPI's nested form, `storage: {workdir: …}`.
        const nested = this.#yaml.isMap(value) && row?.kind !== 'map' && row?.kind !== 'env' && row?.kind !== 'secret-list';
        if (nested && [...this.#table.names.keys()].some((known) => known.startsWith(`${plain}.`)))
            this.map(value, `${name}.`);
        else if (option === undefined || !row)
            this.#unknownName(as, plain);
        else if (!(0,rows_table/* takes */.ny)(row, 'file'))
            this.faults.push((0,sources_claim/* fault */.DG)(as, 'cannot be set in a file'));
        else
            this.#claim(option, as, plain, value);
    }
    #unknownName(as, name) {
        const known = [...this.#table.names]
            .filter(([, option]) => this.#table.rows[option] && (0,rows_table/* takes */.ny)(this.#table.rows[option], 'file'))
            .map(([spelling]) => spelling);
        const meant = (0,nearest/* nearest */.p)(name, known);
        this.unknown.push((0,sources_claim/* fault */.DG)(as, 'there is no such option', meant === undefined ? 'see "tpi options"' : `did you mean ${(0,lib_text/* quoted */.TL)(meant)}?`));
    }
    #claim(option, as, plain, value) {
        const raw = this.#raw(value, plain);
        if (raw === undefined)
            return;
        if (typeof raw === 'string')
            this.faults.push((0,sources_claim/* fault */.DG)(as, raw));
        else
            this.claims.push({ option, source: 'file', as, spelled: plain, raw });
    }
    /** `undefined`: nothing was written. A string: what is wrong. */
    #raw(value, plain) {
        const { isAlias, isMap, isScalar, isSeq } = this.#yaml;
        if (isAlias(value))
            return 'aliases are not supported here';
        if (isSeq(value)) {
            return value.items.every((item) => isScalar(item))
                ? { items: value.items.map((item) => this.#text(item)) }
                : 'takes a list of plain values';
        }
        if (isMap(value))
            return this.#pairs(value, plain);
        const text = this.#text(value);
        return text === '' ? undefined : { text };
    }
    #pairs(map, plain) {
        const pairs = [];
        for (const { key, value } of map.items) {
            if (value !== null && !this.#yaml.isScalar(value))
                return `the value of ${(0,lib_text/* quoted */.TL)(this.#text(key))} must be a plain value`;
            const empty = this.#yaml.isScalar(value) && value.value === null;
            const text = this.#text(value);
            // In TPI's `environment` an empty value asks for the caller's own.
            pairs.push([this.#text(key), value === null || empty || (plain === 'environment' && text === '') ? null : text]);
        }
        return { pairs };
    }
    /** The text as written for plain scalars (`1e3`, `007`, `yes`), the meant text for quoted ones. */
    #text(node) {
        if (typeof node === 'string')
            return node;
        if (!this.#yaml.isScalar(node) || node.value === null)
            return '';
        return typeof node.value === 'string' ? node.value : (node.source ?? '');
    }
}
/** Paths in a file are meant relative to that file. */
function fromHere(table, claim, folder, cwd) {
    const { kind, words = [] } = table.rows[claim.option] ?? {};
    if (folder === cwd || (kind !== 'path' && kind !== 'paths'))
        return claim;
    const here = (path) => ((0,external_node_path_.isAbsolute)(path) || words.includes(path) ? path : (0,external_node_path_.relative)(cwd, (0,external_node_path_.resolve)(folder, path)) || '.');
    if ('items' in claim.raw)
        return { ...claim, raw: { items: claim.raw.items.map(here) } };
    return 'text' in claim.raw && kind === 'path' ? { ...claim, raw: { text: here(claim.raw.text) } } : claim;
}

// EXTERNAL MODULE: ./build/js/options/sources/environment.js + 1 modules
var environment = __webpack_require__(1470);
// EXTERNAL MODULE: ./build/js/options/sources/inputs.js
var inputs = __webpack_require__(95009);
;// CONCATENATED MODULE: ./build/js/options/sources/line.js
/** What the words and flags of a command line mean to its verb. */






/** `undefined`: none, and none is needed to answer. Throws `InputError` for a word that is no verb. */
function chooseVerb(line) {
    const [word] = line.words;
    if (word === undefined)
        return line.version ? 'version' : undefined;
    if ((0,verbs/* isVerb */.ek)(word))
        return word;
    const meant = (0,nearest/* nearest */.p)(word, Object.keys(verbs/* VERBS */.hU));
    const hint = meant === undefined ? 'see "tpi help"' : `did you mean ${(0,lib_text/* quoted */.TL)(meant)}?`;
    throw new errors/* InputError */.dz([(0,sources_claim/* fault */.DG)('', `${(0,lib_text/* quoted */.TL)(word)} is not a verb of tpi`, hint)]);
}
function claimsOfLine(table, verb, line) {
    const words = readWords(verb, line);
    const unknown = line.unknown.map((flag) => unknownFlag(table, verb, flag));
    const isOwn = ({ option }) => table.rows[option]?.verbs.includes(verb) ?? false;
    const strays = line.claims.filter((claim) => !isOwn(claim)).map(({ option, as }) => notForVerb(table, verb, option, as));
    // A word after an unknown flag may have been its value: nothing is said about words then.
    const faults = [...line.faults, ...unknown, ...strays, ...(unknown.length > 0 ? [] : words.faults)];
    return { claims: [...line.claims.filter(isOwn), ...words.claims], faults };
}
function unknownFlag(table, verb, flag) {
    const known = (0,rows_table/* rowsOf */.RO)(table, verb).filter(([, row]) => (0,rows_table/* takes */.ny)(row, 'flag'));
    const meant = (0,nearest/* nearest */.p)(flag.replace(/^-+/, ''), known.flatMap(([name, row]) => [name, ...(row.aliases ?? [])]));
    return (0,sources_claim/* fault */.DG)(flag, 'there is no such option', meant === undefined ? `see "tpi ${verb} --help"` : `did you mean --${meant}?`);
}
function notForVerb(table, verb, option, as) {
    const verbs = table.rows[option]?.verbs ?? [];
    return (0,sources_claim/* fault */.DG)(as, `"tpi ${verb}" does not take it`, `it belongs to ${verbs.join(', ')}`);
}
/** Words after the verb: its arguments. */
function readWords(verb, line) {
    const words = line.words.slice(1);
    const places = (0,verbs/* verbOf */.rl)(verb).arguments;
    const claims = words.slice(0, places.length).map((word, index) => {
        const option = places[index]?.option ?? '';
        return { option, source: 'argument', as: option.toUpperCase(), spelled: option, raw: { flags: [word] } };
    });
    const extra = words.slice(places.length);
    const takesProgram = (0,verbs/* verbOf */.rl)(verb).command !== undefined && line.command === undefined;
    const hint = takesProgram ? `a command follows "--": tpi ${verb} … -- ${extra.join(' ').slice(0, 60)}` : `see "tpi ${verb} --help"`;
    const faults = extra.length === 0
        ? []
        : [(0,sources_claim/* fault */.DG)('', `${extra.slice(0, 5).map(lib_text/* quoted */.TL).join(', ')} ${extra.length === 1 ? 'is' : 'are'} not expected here`, hint)];
    if (line.command !== undefined && (0,verbs/* verbOf */.rl)(verb).command === undefined)
        faults.push((0,sources_claim/* fault */.DG)('--', `"tpi ${verb}" runs no command`));
    return { claims, faults };
}

;// CONCATENATED MODULE: ./build/js/options/sources/program.js
/** The user's program: exactly one of `script`, `script-file` and what follows `--`. */



/** Changes `chosen`: what a command after `--` overrides goes. */
async function readProgram(chosen, command, inAction, surroundings) {
    if (command !== undefined) {
        const rivals = ['script', 'script-file'].flatMap((name) => chosen.get(name) ?? []);
        const equals = rivals.filter(({ claim }) => (0,sources_claim/* rankOf */.IQ)(claim) === 3);
        for (const { claim } of rivals)
            chosen.delete(claim.option);
        if (equals.length > 0)
            return { faults: [(0,sources_claim/* fault */.DG)(equals[0]?.claim.as ?? '', 'cannot be given together with a command after "--"')] };
        return command.length === 0 || command[0] === ''
            ? { faults: [(0,sources_claim/* fault */.DG)('--', 'a command must follow')] }
            : { program: { argv: command }, faults: [] };
    }
    const text = await readText(chosen, 'script', surroundings);
    if (text)
        return 'fault' in text ? { faults: [text.fault] } : { program: text, faults: [] };
    const ways = inAction ? ['"script"', '"script-file"'] : ['--script TEXT', '--script-file FILE', 'a command after "--"'];
    return { faults: [(0,sources_claim/* fault */.DG)('', 'there is nothing to run', `give ${(0,lib_text/* listed */.KE)(ways)}`)] };
}
/** The text of `<name>` or `<name>-file`, whichever was given. */
async function readText(chosen, name, surroundings) {
    const inline = chosen.get(name);
    const file = chosen.get(`${name}-file`);
    if (inline)
        return checked(String(inline.value), inline);
    if (!file)
        return undefined;
    try {
        return checked(await surroundings.readFile((0,external_node_path_.resolve)(surroundings.cwd, String(file.value))), file);
    }
    catch (error) {
        return { fault: (0,sources_claim/* fault */.DG)(file.claim.as, `${(0,lib_text/* quoted */.TL)(String(file.value))} ${(0,sources_claim/* readingTrouble */.sq)(error)}`) };
    }
}
function checked(text, { claim }) {
    return text.trim() === '' ? { fault: (0,sources_claim/* fault */.DG)(claim.as, 'is empty') } : { script: text };
}

// EXTERNAL MODULE: ./build/js/core/host.js
var host = __webpack_require__(21520);
;// CONCATENATED MODULE: ./build/js/wire/variables.js
/** What a program finds in its environment on a machine of ours, by the names that documents know. */
const OWN_VARIABLES = [
    'TPI_ID',
    'TPI_NAME',
    'TPI_MACHINE',
    'TPI_INDEX',
    'TPI_COUNT',
    'TPI_ATTEMPT',
    'TPI_PREVIOUS',
    'TPI_DEADLINE',
    'TPI_PEERS',
    'TPI_PEERS_FILE',
    'TPI_OUTPUT',
    'TPI_SUMMARY',
    'TPI_COMMIT',
    'TPI_REF',
    'TPI_REPOSITORY',
    'TPI_RUN_URL',
];

;// CONCATENATED MODULE: ./build/js/options/sources/variables.js
/** Options from environment variables: `TPI_<NAME>`, then the older names a row lists. */






/** Variables of ours that are no options. */
const OTHERS = ['TPI_HOME', ...OWN_VARIABLES];
/** An empty variable is not given. On a machine of ours `TPI_OUTPUT`, `TPI_MACHINE` and others tell the program where it is, so none is read. */
function readVariables(table, verb, env) {
    if (env['TPI_ATTEMPT'] !== undefined && env['TPI_INDEX'] !== undefined)
        return { claims: [], warnings: [] };
    const claims = [];
    for (const [option, row] of (0,rows_table/* rowsOf */.RO)(table, verb)) {
        if (!(0,rows_table/* takes */.ny)(row, 'variable'))
            continue;
        for (const name of [(0,rows_table/* variableOf */.Qn)(option), ...(row.variables ?? [])]) {
            const text = env[name];
            if (text !== undefined && text !== '')
                claims.push({ option, source: 'variable', as: name, spelled: spellingOf(name, option, row), raw: { text } });
        }
    }
    return { claims, warnings: (0,verbs/* describes */.bd)(verb) ? slips(table, env) : [] };
}
/** Which of an option's names a variable stands for: `CML_RUNNER_REUSE_IDLE` for `reuse-idle`. */
function spellingOf(variable, option, { aliases = [] }) {
    if (variable.startsWith('TPI_'))
        return option;
    const name = (0,rows_table/* spelled */.uQ)(variable.replace('CML_RUNNER_', ''));
    return [option, ...aliases].includes(name) ? name : (aliases[0] ?? option);
}
function slips(table, env) {
    const known = [...OTHERS, ...Object.keys(table.rows).map(rows_table/* variableOf */.Qn)];
    return Object.keys(env).flatMap((name) => {
        const meant = name.startsWith('TPI_') && !known.includes(name) && !name.startsWith(host/* OUTPUT_VARIABLES */.g)
            ? (0,nearest/* nearest */.p)(name.slice(4), known.map((other) => other.slice(4)))
            : undefined;
        return meant === undefined || meant.length < 4 ? [] : [`variable ${name} is not an option; did you mean ${(0,lib_text/* quoted */.TL)(`TPI_${meant}`)}?`];
    });
}

;// CONCATENATED MODULE: ./build/js/options/parse.js
/** Options from all their sources, first wins: flag or action input, `TPI_<NAME>`, `tpi.yaml`, default. All faults at once. */













/** `argv` without the program's own name. Throws `InputError` with every fault. */
async function parseCommandLine(table, argv, surroundings) {
    const line = readArgv(table, argv);
    const verb = chooseVerb(line);
    const help = line.help || (verb === 'help' && line.words.length < 2);
    if (help || verb === undefined || verb === 'version')
        return immediate(table, verb, line);
    return await assemble(table, verb, claimsOfLine(table, verb, line), line.command, surroundings);
}
/** The action's inputs, read from `INPUT_*` variables. Throws `InputError` with every fault. */
async function parseInputs(table, surroundings) {
    const { verb, claims, faults } = (0,inputs/* readInputs */.K)(table, surroundings.env);
    return await assemble(table, verb, { claims, faults }, undefined, surroundings, true);
}
/** Help and version answer whatever else is on the line. */
function immediate(table, verb, line) {
    const lost = verb === undefined && !line.help && (line.claims.length > 0 || line.unknown.length > 0 || line.command !== undefined);
    if (lost)
        throw new errors/* InputError */.dz([(0,sources_claim/* fault */.DG)('', 'no verb was given', 'start with a verb, like "tpi task"; see "tpi help"')]);
    const values = defaults(table);
    if (verb !== 'version' && verb !== undefined && verb !== 'help')
        values['verb'] = verb;
    if (verb === 'version')
        values['json'] = line.claims.some(({ option, raw }) => option === 'json' && 'flags' in raw && raw.flags.at(-1) === 'true');
    return {
        verb: verb === 'version' && !line.help ? 'version' : 'help',
        values: values,
        given: new Map(),
        environment: { env: {}, secrets: {} },
        warnings: [],
    };
}
function defaults(table) {
    return Object.fromEntries(Object.entries(table.rows).map(([name, row]) => [name, (0,kinds/* defaultOf */.HA)(name, row)]));
}
async function assemble(table, verb, front, command, surroundings, inAction = false) {
    const warnings = [];
    const variables = readVariables(table, verb, surroundings.env);
    const file = await fromFile(table, verb, [...front.claims, ...variables.claims], surroundings);
    const faults = [...front.faults, ...file.faults];
    warnings.push(...variables.warnings, ...file.warnings);
    const wrong = new Set();
    const chosen = choose(table, verb, [...front.claims, ...variables.claims, ...file.claims], faults, wrong);
    // What is to run may stand in the file that could not be read.
    if (file.unread && !['script', 'script-file'].some((name) => chosen.has(name)))
        wrong.add('script');
    placeIsCloud(table, chosen);
    faults.push(...settleExclusions(table, chosen));
    const parts = await programParts(verb, chosen, wrong, command, faults, surroundings, inAction);
    const values = valuesOf(table, chosen);
    faults.push(...crossFaults(table, verb, chosen, wrong, values), ...missing(verb, chosen, wrong, values, inAction));
    const environment = (0,verbs/* describes */.bd)(verb) ? await readEnvironment(table, values, chosen, surroundings) : undefined;
    faults.push(...(environment?.faults ?? []));
    warnings.push(...(environment?.warnings ?? []), ...deprecations(table, chosen), ...ineffective(table, chosen, values));
    if (faults.length > 0)
        throw new errors/* InputError */.dz(faults);
    const given = new Map([...chosen].map(([name, { claim }]) => [name, { source: claim.source, as: claim.as }]));
    const { env, secrets } = environment ?? { env: {}, secrets: {} };
    const sets = [...chosen].flatMap(([name, { claim }]) => (claim.source === 'file' ? [name] : []));
    const config = file.path === undefined || sets.length === 0 ? {} : { config: { file: file.path, sets } };
    return { verb, values, given, ...parts, environment: { env, secrets }, ...config, warnings };
}
/** `tpi doctor k8s` speaks of the cloud of that name, and may be given its options. */
function placeIsCloud(table, chosen) {
    const place = chosen.get('place');
    const named = String(place?.value);
    const id = table.rows['cloud']?.synonyms?.[named] ?? named;
    if (place && table.clouds.some((cloud) => cloud.id === id))
        chosen.set('cloud', { ...place, value: id });
}
/** Strongest first; a claim that means "not given" leaves room for the next. */
function choose(table, verb, claims, faults, wrong) {
    const chosen = new Map();
    const done = new Map();
    for (const claim of [...claims].sort((a, b) => (0,sources_claim/* rankOf */.IQ)(b) - (0,sources_claim/* rankOf */.IQ)(a))) {
        const row = table.rows[claim.option];
        const earlier = done.get(claim.option);
        if (!row?.verbs.includes(verb))
            continue;
        if (earlier && (0,sources_claim/* rankOf */.IQ)(earlier) === (0,sources_claim/* rankOf */.IQ)(claim) && earlier.source !== 'variable') {
            faults.push((0,sources_claim/* fault */.DG)(claim.as, `is given twice, also as ${earlier.as}`));
        }
        if (earlier)
            continue;
        const reading = (0,kinds/* readValue */.wK)(row, claim.raw, claim.spelled);
        if (reading === 'not given')
            continue;
        done.set(claim.option, claim);
        if ('problems' in reading) {
            wrong.add(claim.option);
            faults.push(...reading.problems.map(({ message, hint }) => (0,sources_claim/* fault */.DG)(claim.as, message, hint)));
        }
        else
            chosen.set(claim.option, { claim, value: reading.value });
    }
    return chosen;
}
async function fromFile(table, verb, claims, surroundings) {
    if (!table.rows['config']?.verbs.includes(verb))
        return { claims: [], faults: [], warnings: [] };
    const named = claims.find(({ option }) => option === 'config')?.raw;
    const path = named && 'text' in named ? named.text : named && 'flags' in named ? named.flags[0] : undefined;
    const file = await findConfig(path, surroundings);
    if (file === undefined)
        return { claims: [], faults: [], warnings: [] };
    const { claims: found, faults, unknown, unread = false } = await readConfig(table, file, surroundings);
    const read = { claims: found, unread, path: shownPath(file, surroundings) };
    if ((0,verbs/* describes */.bd)(verb))
        return { ...read, faults: [...faults, ...unknown], warnings: [] };
    return { ...read, faults, warnings: unknown.map(({ message, hint = '' }) => `${message} (${hint})`) };
}
async function programParts(verb, chosen, wrong, command, faults, surroundings, inAction) {
    if (!(0,verbs/* describes */.bd)(verb)) {
        const lacking = (0,verbs/* verbOf */.rl)(verb).command === 'required' && (command === undefined || command.length === 0);
        if (lacking)
            faults.push((0,sources_claim/* fault */.DG)('', 'the command is missing', `write it after "--": ${(0,verbs/* verbOf */.rl)(verb).examples[0]}`));
        return command === undefined ? {} : { command };
    }
    const scriptIsWrong = wrong.has('script') || wrong.has('script-file');
    const runsNone = (0,verbs/* verbOf */.rl)(verb).command !== 'program' || wrong.has('command');
    const { program, faults: found } = scriptIsWrong || runsNone ? { faults: [] } : await readProgram(chosen, command, inAction, surroundings);
    faults.push(...found);
    const read = async (name) => {
        const text = await readText(chosen, name, surroundings);
        if (text && 'fault' in text)
            faults.push(text.fault);
        return text && 'script' in text ? text : undefined;
    };
    const [setup, setupAfter] = [await read('setup'), await read('setup-after')];
    return {
        ...(program ? { program } : {}),
        ...(setup ? { setup } : {}),
        ...(setupAfter ? { setupAfter } : {}),
        ...(command ? { command } : {}),
    };
}
function valuesOf(table, chosen) {
    const values = defaults(table);
    for (const [name, { value }] of chosen)
        values[name] = value;
    if (values['detach'] === true)
        values['wait'] = false;
    return values;
}
function missing(verb, chosen, wrong, values, inAction) {
    const found = [];
    for (const { option, required, unless = [] } of (0,verbs/* verbOf */.rl)(verb).arguments) {
        const excused = unless.some((name) => values[name] === true);
        if (!required || chosen.has(option) || excused || wrong.has(option))
            continue;
        const alternatives = unless.map((name) => (inAction ? `"${name}: true"` : `--${name}`)).join(' or ');
        found.push((0,sources_claim/* fault */.DG)(inAction ? option : option.toUpperCase(), 'is missing', alternatives === '' ? `see "tpi ${verb} --help"` : `or say ${alternatives}`));
    }
    return found;
}
async function readEnvironment(table, values, chosen, surroundings) {
    const wish = {
        env: values.env,
        envFiles: values['env-file'],
        secrets: values.secrets,
        secretFiles: values['secrets-file'],
        stdin: values['secrets-stdin'],
        as: (option) => chosen.get(option)?.claim.as ?? option,
        secretsInArgv: chosen.get('secrets')?.claim.source === 'flag',
    };
    const guarded = new Set(table.clouds.flatMap(({ credentials }) => credentials.map(({ env }) => env)));
    return await (0,environment/* resolveEnvironment */.g)(wish, guarded, surroundings);
}
function deprecations(table, chosen) {
    return [...chosen].flatMap(([name, { claim }]) => {
        const advice = table.rows[name]?.deprecated;
        return advice === undefined ? [] : [`${claim.as} is deprecated: ${advice}`];
    });
}


/***/ }),

/***/ 38281:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  sX: () => (/* binding */ optionTable),
  RO: () => (/* binding */ rowsOf),
  uQ: () => (/* binding */ spelled),
  ny: () => (/* binding */ takes),
  Qn: () => (/* binding */ variableOf)
});

// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
;// CONCATENATED MODULE: ./build/js/runner/options.js
const RUNNER = ['runner'];
/** Verbs that talk to the forge about what exists. */
const FORGE = ['runner', 'stop', 'destroy', 'sweep', 'retry', 'doctor'];
/** What runners are to be. */
const PLANNED = [...RUNNER, 'doctor'];
/** Where runners are registered. */
const REGISTER = [...PLANNED, 'sweep'];
/** Verbs that may comment on a pull request. */
const COMMENT = ['task', 'plan', 'collect', 'comment'];
/** Said by the caller, never kept in a file of the project. */
const SECRET = ['flag', 'input', 'variable'];
const what = {
    labels: {
        kind: 'list',
        group: 'what',
        verbs: RUNNER,
        variables: ['CML_RUNNER_LABELS'],
        placeholder: 'LABEL',
        pattern: { test: /^[^,\s][^,]{0,99}$/, says: 'a label of up to 100 characters without a comma' },
        help: 'Labels of these runners, besides a unique one, which is the output "label". A job that names the unique one never gets somebody else\'s runner.',
    },
    'default-labels': {
        kind: 'bool',
        group: 'what',
        verbs: RUNNER,
        default: 'true',
        help: 'Also give the labels that the forge\'s own set-up gives: on GitHub "self-hosted", the system and the architecture.',
    },
    jobs: {
        kind: 'string',
        group: 'what',
        verbs: PLANNED,
        default: '1',
        aliases: ['single'],
        variables: ['CML_RUNNER_SINGLE'],
        switches: { single: '1' },
        placeholder: 'N',
        pattern: { test: /^(?:[1-9]\d{0,2}|single|unlimited)$/, says: 'a number of jobs from 1 to 999, single, or unlimited' },
        help: 'Jobs that each machine serves, one after the other, before it leaves: a number, "single" (1), or "unlimited". On GitHub a machine without limit registers itself, and its jobs can read that registration: for jobs that you trust.',
    },
    count: {
        kind: 'int',
        group: 'what',
        verbs: RUNNER,
        default: '1',
        min: 1,
        max: 500,
        placeholder: 'N',
        help: 'Machines, each with a runner of its own.',
    },
    'setup-after': {
        kind: 'string',
        group: 'what',
        verbs: RUNNER,
        placeholder: 'TEXT',
        excludes: ['setup-after-file'],
        aliases: ['cloud-startup-script'],
        variables: ['CML_RUNNER_CLOUD_STARTUP_SCRIPT'],
        base64: ['cloud-startup-script'],
        help: 'Commands that run once per machine when the forge\'s runner program is there, before it starts. Its folder is in TPI_RUNNER_FOLDER. "setup" runs before that.',
    },
    'setup-after-file': {
        kind: 'path',
        group: 'what',
        verbs: RUNNER,
        placeholder: 'FILE',
        excludes: ['setup-after'],
        help: 'A file with these commands.',
    },
    'docker-image': {
        kind: 'string',
        group: 'what',
        verbs: RUNNER,
        placeholder: 'IMAGE',
        help: 'GitLab: run jobs in containers, those that name no image in this one. The machine must have Docker. On GitHub a job names its own container.',
    },
    'docker-volumes': {
        kind: 'list',
        group: 'what',
        verbs: RUNNER,
        requires: ['docker-image'],
        variables: ['CML_RUNNER_DOCKER_VOLUMES'],
        placeholder: 'VOLUME',
        pattern: { test: /^[^\s,]+$/, says: 'a volume such as /cache or /data:/data:ro' },
        help: 'GitLab: volumes of the containers, such as /cache or /data:/data:ro.',
    },
    reuse: {
        kind: 'choice',
        group: 'what',
        verbs: RUNNER,
        oneOf: ['never', 'any', 'idle'],
        default: 'never',
        aliases: ['reuse-idle'],
        variables: ['CML_RUNNER_REUSE', 'CML_RUNNER_REUSE_IDLE'],
        switches: { reuse: 'any', 'reuse-idle': 'idle' },
        help: 'Start nothing when as many runners as "count" with all of "labels" are online already ("any"), and have no job at this moment ("idle"). Whoever started them: they may leave, or take another job first.',
    },
    'allow-public': {
        kind: 'bool',
        group: 'what',
        verbs: PLANNED,
        help: 'Let one machine serve several jobs of a public repository, one after the other. Everybody can propose what runs there, and so leave something behind for the job that follows.',
    },
    'runner-version': {
        kind: 'string',
        group: 'what',
        verbs: PLANNED,
        default: 'latest',
        placeholder: 'VERSION',
        pattern: { test: /^(?:latest|v?\d+\.\d+\.\d+)$/, says: 'a version such as 2.336.0, or latest' },
        help: 'Version of the forge\'s own runner program: the one that the forge offers ("latest"), or a fixed one. It never updates itself, except GitHub\'s with "jobs: unlimited" and no fixed version; GitHub accepts none that is older than about a month.',
    },
    architecture: {
        kind: 'choice',
        group: 'where',
        verbs: PLANNED,
        oneOf: ['x64', 'arm64'],
        defaultText: 'that of this host where the machines are processes of it, else x64',
        help: 'Processor architecture of the machines, for the right runner program.',
    },
};
const forge = {
    forge: {
        kind: 'string',
        group: 'where',
        verbs: [...REGISTER, ...COMMENT],
        aliases: ['driver'],
        variables: ['CML_DRIVER'],
        placeholder: 'FORGE',
        defaultText: 'that of the CI job',
        help: 'Whose jobs the runners serve: github or gitlab.',
    },
    'forge-url': {
        kind: 'string',
        group: 'where',
        verbs: [...FORGE, ...COMMENT],
        placeholder: 'URL',
        pattern: { test: /^https?:\/\/\S+$/, says: 'an address that starts with http:// or https://' },
        defaultText: 'that of the CI job, else the public one',
        help: 'Address of the forge, such as a GitHub Enterprise Server or a self-managed GitLab. A token is sent nowhere else, whatever the record of a deployment says.',
    },
    repository: {
        kind: 'string',
        group: 'where',
        verbs: [...REGISTER, ...COMMENT],
        aliases: ['repo', 'project'],
        variables: ['CML_REPO'],
        placeholder: 'OWNER/NAME',
        excludes: ['organization', 'enterprise'],
        defaultText: 'that of the CI job',
        help: 'Repository (GitLab: project) whose jobs the runners serve; its address will do.',
    },
    organization: {
        kind: 'string',
        group: 'where',
        verbs: REGISTER,
        aliases: ['org', 'group'],
        placeholder: 'NAME',
        excludes: ['enterprise'],
        help: 'Organization (GitLab: group) whose jobs the runners serve.',
    },
    enterprise: { kind: 'string', group: 'where', verbs: REGISTER, placeholder: 'NAME', help: 'Enterprise whose jobs the runners serve.' },
    'runner-group': {
        kind: 'string',
        group: 'where',
        verbs: PLANNED,
        placeholder: 'NAME',
        help: 'Group of runners that they join, by its name; organizations and enterprises of GitHub have such groups.',
    },
    token: {
        kind: 'string',
        group: 'environment',
        verbs: [...FORGE, ...COMMENT],
        sources: SECRET,
        aliases: ['driver-token', 'cml-token'],
        variables: ['REPO_TOKEN', 'CML_TOKEN'],
        placeholder: 'TOKEN',
        help: 'Token that may register and remove runners, or comment on a pull request. It stays here: machines get registrations only. Better given as a variable than as a flag, which others on this host can see.',
    },
    'app-id': {
        kind: 'string',
        group: 'environment',
        verbs: FORGE,
        sources: SECRET,
        excludes: ['token'],
        placeholder: 'ID',
        help: 'GitHub App in place of a token: its client id or app id. Its installation is found.',
    },
    'app-key': {
        kind: 'string',
        group: 'environment',
        verbs: FORGE,
        sources: ['input', 'variable'],
        placeholder: 'PEM',
        help: 'Private key of the App (PEM text).',
    },
};
const time = {
    'idle-timeout': {
        kind: 'string',
        group: 'time',
        verbs: RUNNER,
        default: '5m',
        variables: ['CML_RUNNER_IDLE_TIMEOUT'],
        placeholder: 'TIME',
        help: 'Time without a job after which a machine leaves: "5m", or "never" (also "0"). A machine with a job leaves only at the deadline.',
    },
    'online-timeout': {
        kind: 'duration',
        group: 'time',
        verbs: RUNNER,
        default: '15m',
        min: 1,
        max: 86_400,
        placeholder: 'TIME',
        help: 'Time to wait until the forge sees all runners online; then everything is given back.',
    },
    retry: {
        kind: 'int',
        group: 'failure',
        verbs: RUNNER,
        default: '2',
        min: 0,
        max: 50,
        aliases: ['no-retry'],
        variables: ['CML_RUNNER_NO_RETRY'],
        switches: { 'no-retry': '0' },
        placeholder: 'N',
        help: 'Times that "tpi retry" may run a job again whose machine was taken away. Jobs that failed by themselves are never run again.',
    },
};
const runnerOptions = { ...what, ...forge, ...time };

// EXTERNAL MODULE: ./build/js/wire/spec.js
var spec = __webpack_require__(62023);
;// CONCATENATED MODULE: ./build/js/task/options.js

/** Verbs that describe a task from the start. */
const CREATE = ['task', 'plan'];
/** And those that any other machine has, too. */
const START = [...CREATE, 'runner'];
/** Anything else could never match, and the results would be lost with the machine. */
const below = { test: /^!?(?!(?:.*\/)?\.\.(?:\/|$))./, says: 'a glob below the work directory: it must not contain ".."' };
const options_what = {
    script: {
        kind: 'string',
        group: 'what',
        verbs: CREATE,
        placeholder: 'TEXT',
        excludes: ['script-file'],
        help: 'The program, as text. It runs in the work directory of each machine with its own shebang, or with "bash -e -o pipefail" when it has none ("sh -e" where there is no bash). Its exit code becomes that of tpi.',
    },
    'script-file': {
        kind: 'path',
        group: 'what',
        verbs: CREATE,
        placeholder: 'FILE',
        excludes: ['script'],
        help: 'A file with the program. It is read on this host, so it need not be part of the work directory.',
    },
    setup: {
        kind: 'string',
        group: 'what',
        verbs: START,
        placeholder: 'TEXT',
        excludes: ['setup-file'],
        help: 'Commands that run once per machine before the program. They have their own log group; when they fail the outcome is "setup-failed" and the program is not started.',
    },
    'setup-file': {
        kind: 'path',
        group: 'what',
        verbs: START,
        placeholder: 'FILE',
        excludes: ['setup'],
        help: 'A file with the setup commands.',
    },
    parallelism: {
        kind: 'int',
        group: 'what',
        verbs: CREATE,
        default: '1',
        min: 1,
        max: spec/* MOST_SLOTS */.yO,
        placeholder: 'N',
        help: 'Machines that run the program side by side. Each has its number in TPI_INDEX (from 0) and the total in TPI_COUNT; outputs are merged at the end.',
    },
    gang: {
        kind: 'bool',
        group: 'what',
        verbs: CREATE,
        help: 'Start the programs only when all machines are there, so that TPI_PEERS has the address of each. Without it TPI_PEERS has an empty place for a machine that is not up yet; the file named by TPI_PEERS_FILE is kept current.',
    },
};
const data = {
    workdir: {
        kind: 'path',
        group: 'data',
        verbs: CREATE,
        aliases: ['storage.workdir'],
        placeholder: 'DIR',
        words: ['none'],
        defaultText: 'the current folder, up to 500 MB; nothing where that is / or the home folder',
        help: 'Folder that is uploaded and in which the program runs; none: nothing is uploaded. Files that .gitignore names stay here, except tracked files and outputs; if there is a .tpiignore, only it counts.',
    },
    'working-directory': {
        kind: 'string',
        group: 'data',
        verbs: CREATE,
        placeholder: 'DIR',
        pattern: {
            test: /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$/,
            says: 'a folder inside the work directory, without a leading "/" and without ".."',
        },
        default: '.',
        help: 'Folder inside the work directory in which the program starts.',
    },
    exclude: {
        kind: 'list',
        group: 'data',
        verbs: CREATE,
        aliases: ['storage.exclude'],
        placeholder: 'GLOB',
        pattern: below,
        help: 'Files of the work directory that are not uploaded, besides those that the ignore files name.',
    },
    git: {
        kind: 'choice',
        group: 'data',
        verbs: CREATE,
        oneOf: ['auto', 'true', 'false'],
        default: 'auto',
        help: 'Upload the .git folder too; auto: up to 200 MB. Credentials, hooks and helpers in it stay here.',
    },
    output: {
        kind: 'list',
        group: 'data',
        verbs: CREATE,
        aliases: ['storage.output', 'outputs'],
        placeholder: 'GLOB',
        pattern: below,
        help: 'Files to bring back, as globs below the work directory, such as "results/**". Only files that differ from what was uploaded come back, and nothing below .git.',
    },
    'output-dir': {
        kind: 'path',
        group: 'data',
        verbs: CREATE,
        placeholder: 'DIR',
        defaultText: 'workdir, or tpi-NAME when there is none',
        help: "Where the outputs are put on this host. A file that has changed here in the meantime, or that the run does not know, is never overwritten: the run's version is put beside it as FILE~ (FILE~2 and so on where that is taken).",
    },
    'output-layout': {
        kind: 'choice',
        group: 'data',
        verbs: CREATE,
        oneOf: ['merge', 'index'],
        default: 'merge',
        help: 'How outputs of several machines are laid out: merged, with only the paths they changed differently under INDEX/, or always under INDEX/.',
    },
};
const environment = {
    env: {
        kind: 'env',
        group: 'environment',
        verbs: START,
        aliases: ['environment', 'cloud-env'],
        short: 'e',
        placeholder: 'NAME[=VALUE]',
        help: 'Environment of the program. NAME=VALUE sets a value, NAME takes it from here and must exist, NAME? takes it if it exists, PREFIX_* takes every name that matches. One per line or flag; lists of bare names may use commas.',
    },
    'env-file': {
        kind: 'paths',
        group: 'environment',
        verbs: START,
        placeholder: 'FILE',
        help: 'Files with NAME=VALUE lines for the environment (dotenv). "env" wins over them.',
    },
    secrets: {
        kind: 'secret-list',
        group: 'environment',
        verbs: CREATE,
        aliases: ['secret'],
        placeholder: 'NAME',
        help: 'Names of secret variables that the program gets. Their values are taken from here, never from the command line, are masked in logs (from four bytes on), and are removed from the storage at the end.',
    },
    'secrets-file': {
        kind: 'paths',
        group: 'environment',
        verbs: CREATE,
        placeholder: 'FILE',
        help: 'Files with NAME=VALUE lines that are secret (dotenv). They are never uploaded with the work directory.',
    },
    'secrets-stdin': {
        kind: 'bool',
        group: 'environment',
        verbs: CREATE,
        sources: ['flag'],
        help: 'Read NAME=VALUE lines that are secret from standard input.',
    },
};
const options_time = {
    timeout: {
        kind: 'duration',
        group: 'time',
        verbs: START,
        default: '24h',
        min: 1,
        max: 31_536_000,
        placeholder: 'TIME',
        help: 'The deadline, counted from creation. Then the program gets SIGTERM and everything ends, whether or not anybody is watching; neither a replaced machine nor a second run of the same command moves it.',
    },
    grace: {
        kind: 'duration',
        group: 'time',
        verbs: START,
        default: '30s',
        min: 0,
        max: 3600,
        placeholder: 'TIME',
        help: 'Time between SIGTERM and SIGKILL.',
    },
    retention: {
        kind: 'duration',
        group: 'time',
        verbs: START,
        default: '7d',
        min: 0,
        max: 31_536_000,
        placeholder: 'TIME',
        help: 'How long logs and the last checkpoint stay when they were not collected.',
    },
    'checkpoint-interval': {
        kind: 'duration',
        group: 'time',
        verbs: CREATE,
        default: '10s',
        min: 0.1,
        max: 86_400,
        placeholder: 'TIME',
        help: 'Longest time between a change in the work directory and its checkpoint: what a machine that dies without notice can lose.',
    },
    checkpoint: {
        kind: 'list',
        group: 'time',
        verbs: CREATE,
        placeholder: 'GLOB',
        pattern: below,
        defaultText: 'the whole work directory',
        help: 'Files that are checkpointed while the program runs. Outputs always are.',
    },
    rehearse: {
        kind: 'duration',
        group: 'time',
        verbs: CREATE,
        can: 'rehearse',
        min: 0.1,
        max: 86_400,
        placeholder: 'TIME',
        help: 'Reclaim machines at random, this long apart on average, to rehearse spot interruptions.',
    },
    'rehearse-seed': {
        kind: 'int',
        group: 'time',
        verbs: CREATE,
        hidden: true,
        requires: ['rehearse'],
        min: 0,
        placeholder: 'N',
        help: 'Makes rehearsed reclaims repeatable.',
    },
};
const failure = {
    'max-attempts': {
        kind: 'int',
        group: 'failure',
        verbs: CREATE,
        default: '5',
        min: 1,
        max: 1000,
        placeholder: 'N',
        help: 'Machines that may die without notice under one program before it counts as failed. Announced reclaims do not count.',
    },
    retries: {
        kind: 'int',
        group: 'failure',
        verbs: CREATE,
        default: '0',
        min: 0,
        max: 1000,
        placeholder: 'N',
        help: 'Times the program is started again after it failed by itself.',
    },
    'retry-on': {
        kind: 'list',
        group: 'failure',
        verbs: CREATE,
        placeholder: 'CODE|oom',
        pattern: { test: /^(?:oom|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/, says: 'an exit code from 1 to 255, or oom' },
        defaultText: 'any failure',
        help: 'Failures after which it is started again: exit codes, or oom for out of memory. Needs "retries".',
    },
    'fail-fast': { kind: 'bool', group: 'failure', verbs: CREATE, help: 'Stop all machines when the program fails on one of them.' },
    'keep-on-failure': {
        kind: 'bool',
        group: 'failure',
        verbs: CREATE,
        can: 'keep',
        otherwise: 'leave it out: a failed run keeps its last checkpoint and log anyway (tpi pull, tpi logs); to look around on the machine, let the program wait where it fails ("… || sleep 1h") and use tpi exec',
        help: 'Leave the folder of a failed machine as the program left it, besides the last checkpoint and log that every failed run keeps.',
    },
    'if-exists': {
        kind: 'choice',
        group: 'failure',
        verbs: CREATE,
        oneOf: ['attach', 'replace', 'fail'],
        defaultText: 'attach when nothing differs, else fail and show the difference',
        help: 'What to do when the deployment already exists: attach to it as it is, stop and save it and start again, or fail.',
    },
    resume: {
        kind: 'bool',
        group: 'failure',
        verbs: CREATE,
        help: 'Start from the last checkpoint of a run that failed or was stopped, with what was edited here since.',
    },
};
const follow = {
    wait: {
        kind: 'wait',
        group: 'follow',
        verbs: CREATE,
        default: 'true',
        excludes: ['detach'],
        min: 0,
        max: 31_536_000,
        placeholder: 'TIME',
        help: 'Wait for the end: true, false, or no longer than a time. Whatever still runs or waits for a machine then goes on, and the exit code is 75.',
    },
    detach: {
        kind: 'bool',
        group: 'follow',
        verbs: CREATE,
        short: 'd',
        excludes: ['wait'],
        help: 'Return as soon as the machines are on their way: the same as "wait: false". Exit code 0.',
    },
    'on-cancel': {
        kind: 'choice',
        group: 'follow',
        verbs: START,
        oneOf: ['stop', 'detach'],
        default: 'stop',
        help: 'What a cancelled CI job does to the machines. On a terminal Ctrl-C detaches, and a second one within 5 s stops.',
    },
};
const taskOptions = { ...options_what, ...data, ...environment, ...options_time, ...failure, ...follow };

;// CONCATENATED MODULE: ./build/js/options/rows/ci.js
const ci_CREATE = ['task', 'plan'];
/** Verbs that end with results in hand. */
const RESULTS = [...ci_CREATE, 'collect'];
/** Where a run is described; a flag would do nothing, since a command line uploads no artifact. */
const WORKFLOW = ['input', 'variable', 'file'];
const files = {
    'outputs-file': {
        kind: 'path',
        group: 'results',
        sources: ['flag', 'variable'],
        verbs: [...RESULTS, 'runner'],
        placeholder: 'FILE',
        help: 'Write id, name, outcome, exit code and the other outputs to this file, as NAME=VALUE lines that GitLab takes as a dotenv report. Written before anything is created, and again at the end.',
    },
    report: {
        kind: 'path',
        group: 'results',
        sources: ['flag', 'variable'],
        verbs: RESULTS,
        placeholder: 'FILE',
        help: 'Write the report of the run to this file as Markdown: result, time line, charts, the end of the log, what the program wrote to TPI_SUMMARY, how to come back.',
    },
};
const comments = {
    comment: {
        kind: 'bool',
        group: 'results',
        verbs: RESULTS,
        help: 'Put the result and what the program wrote to TPI_SUMMARY on the pull request (GitLab: merge request), as one comment per name that is updated in place. Where that is not possible, a warning says why, and the run goes on.',
    },
    'pull-request': {
        kind: 'int',
        group: 'results',
        sources: ['flag', 'input', 'variable'],
        verbs: [...RESULTS, 'comment'],
        min: 1,
        max: 2_147_483_647,
        placeholder: 'N',
        defaultText: 'that of the CI job',
        help: 'Number of the pull request (GitLab: merge request) to comment on.',
    },
    file: {
        kind: 'path',
        group: 'results',
        sources: ['flag', 'variable'],
        verbs: ['comment'],
        placeholder: 'FILE',
        help: 'A file with Markdown.',
    },
};
const artifacts = {
    artifact: {
        kind: 'string',
        group: 'results',
        sources: WORKFLOW,
        verbs: RESULTS,
        default: 'true',
        placeholder: 'NAME',
        pattern: { test: /^[^":<>|*?\r\n\\/]{1,256}$/, says: 'true, false, or a name without any of " : < > | * ? \\ /' },
        help: 'Upload the outputs as an artifact of the workflow run: true names it tpi-NAME, anything else is its name, false uploads none. A re-run replaces it, and so does any other job of the workflow run with the same name: legs of a matrix need names of their own. With finished or mine, -NAME is appended to a name of yours.',
    },
    'artifact-retention-days': {
        kind: 'int',
        group: 'results',
        sources: WORKFLOW,
        verbs: RESULTS,
        min: 1,
        max: 400,
        placeholder: 'DAYS',
        defaultText: 'as set for the repository',
        help: 'How long the artifact is kept.',
    },
    'artifact-compression': {
        kind: 'int',
        group: 'results',
        sources: WORKFLOW,
        verbs: RESULTS,
        default: '6',
        min: 0,
        max: 9,
        placeholder: 'LEVEL',
        help: 'Compression of the artifact, 0 (none, fast) to 9.',
    },
    'if-no-files-found': {
        kind: 'choice',
        group: 'results',
        sources: WORKFLOW,
        verbs: RESULTS,
        oneOf: ['warn', 'error', 'ignore'],
        default: 'warn',
        help: 'What to do when outputs were asked for and no file matched. `ignore` also says nothing of files that a run without outputs made.',
    },
};
const workflow = {
    'log-commands': {
        kind: 'bool',
        group: 'follow',
        sources: WORKFLOW,
        verbs: [...RESULTS, 'logs'],
        help: 'Let the program print groups, errors, warnings and notices in the syntax of workflow commands. All other commands it prints stay plain text, always.',
    },
    'allow-untrusted': {
        kind: 'bool',
        group: 'general',
        sources: ['input'],
        verbs: [...RESULTS, 'runner', 'list', 'status', 'logs', 'stop', 'destroy', 'sweep', 'retry', 'doctor'],
        help: 'Run also when a stranger may have written what runs. Without it a workflow is refused that was started by "pull_request_target" or "workflow_run" of a fork, by a comment or review of somebody who is not an owner, member or collaborator, or by a comment on a pull request.',
    },
    'github-token': {
        kind: 'string',
        group: 'general',
        sources: ['input'],
        verbs: [...RESULTS, 'list', 'status', 'logs', 'stop', 'destroy', 'sweep'],
        placeholder: 'TOKEN',
        defaultText: 'that of the job',
        help: 'Token for the commit status "tpi/NAME", which needs "statuses: write" and is left out without it, and for "comment", which needs "pull-requests: write".',
    },
};
const ciOptions = { ...files, ...comments, ...artifacts, ...workflow };

// EXTERNAL MODULE: ./build/js/options/rows/verbs.js
var verbs = __webpack_require__(9999);
;// CONCATENATED MODULE: ./build/js/options/rows/common.js

/** Verbs that act on what exists, by NAME. */
const NAMED = ['status', 'logs', 'stop', 'collect', 'pull', 'exec', 'destroy', 'interrupt', 'retry'];
const common_CREATE = ['task', 'plan', 'runner'];
const CLOUDY = [...common_CREATE, 'doctor', 'permissions', 'list', ...NAMED, 'sweep'];
const TALKING = [...CLOUDY, 'comment'];
/** Said for one call, never for a project: a `discard` in a file would be a trap. */
const CALL = ['flag', 'input', 'variable'];
/** Filled in from the registry of clouds by `optionTable`. */
const CLOUDS = [];
const where = {
    cloud: {
        kind: 'choice',
        group: 'where',
        verbs: CLOUDY,
        oneOf: CLOUDS,
        placeholder: 'CLOUD',
        default: '',
        variables: ['CML_RUNNER_CLOUD'],
        help: 'Where the machines are.',
    },
    place: {
        kind: 'string',
        group: 'where',
        sources: CALL,
        verbs: ['doctor', 'permissions'],
        placeholder: 'PLACE',
        defaultText: 'the cloud',
        help: 'A cloud or a forge.',
    },
    region: {
        kind: 'string',
        group: 'where',
        verbs: CLOUDY,
        aliases: ['cloud-region', 'instance-region'],
        variables: ['CML_RUNNER_CLOUD_REGION'],
        placeholder: 'REGION',
        defaultText: 'that of the credentials',
        help: 'Region or zone, by the name the cloud has for it or a general one: us-east, us-west, eu-west, eu-north.',
    },
    name: {
        kind: 'string',
        group: 'what',
        verbs: [...common_CREATE, ...NAMED, 'comment'],
        placeholder: 'NAME',
        pattern: {
            test: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
            says: 'a name of up to 100 letters, digits, ".", "_" and "-" that starts with a letter or digit',
        },
        defaultText: 'in CI from run, job, matrix leg and step; else a fresh one, printed',
        help: 'Name of the deployment. The same name in the same repository is the same deployment. One with anything but lower-case letters, digits and dashes, or with more than 40 of them, is changed and a hash is appended; the command prints the resulting name.',
    },
};
const results = {
    to: {
        kind: 'path',
        group: 'results',
        sources: CALL,
        verbs: ['collect', 'pull'],
        placeholder: 'DIR',
        defaultText: 'where the task was told to put its outputs',
        help: 'Folder to put the files in. With finished or mine, each deployment has the folder NAME in it.',
    },
    glob: {
        kind: 'list',
        group: 'results',
        sources: CALL,
        verbs: ['pull'],
        placeholder: 'GLOB',
        defaultText: 'everything',
        help: 'Files to fetch, below the work directory.',
    },
    slot: {
        kind: 'int',
        group: 'results',
        sources: CALL,
        verbs: ['logs', 'pull', 'exec', 'interrupt'],
        min: 0,
        max: 999,
        placeholder: 'N',
        help: 'Only this machine of a parallel task, counted from 0.',
    },
    follow: { kind: 'bool', group: 'results', sources: CALL, verbs: ['logs'], short: 'f', help: 'Keep printing until the task ends.' },
    timestamps: { kind: 'bool', group: 'results', sources: CALL, verbs: ['logs'], help: 'Put the time before each line.' },
    tail: {
        kind: 'int',
        group: 'results',
        sources: CALL,
        verbs: ['logs'],
        min: 0,
        max: 1_000_000,
        placeholder: 'N',
        help: 'Only the last N lines of each machine, and with follow what comes after them.',
    },
    since: {
        kind: 'duration',
        group: 'results',
        sources: CALL,
        verbs: ['logs'],
        min: 0,
        placeholder: 'TIME',
        help: 'Only what was printed in the last TIME, such as 10m.',
    },
    raw: {
        kind: 'bool',
        group: 'results',
        sources: CALL,
        verbs: ['logs'],
        excludes: ['json'],
        help: 'Print the stored bytes as they are, terminal controls included.',
    },
    finished: {
        kind: 'bool',
        group: 'results',
        sources: CALL,
        verbs: ['list', 'collect'],
        excludes: ['name'],
        help: 'Every deployment that has ended and was not collected yet.',
    },
    all: {
        kind: 'bool',
        group: 'results',
        sources: CALL,
        verbs: ['list'],
        excludes: ['finished'],
        help: 'Also runs that are gone, as far as this TPI_HOME remembers them: the last 200.',
    },
    mine: {
        kind: 'bool',
        group: 'results',
        sources: CALL,
        verbs: ['list', 'stop', 'collect', 'destroy'],
        excludes: ['name'],
        help: 'Every deployment of this CI job, or outside CI of this user at this host.',
    },
    discard: {
        kind: 'bool',
        group: 'results',
        sources: CALL,
        verbs: ['destroy'],
        help: 'Also destroy what still runs or was never collected. Its results are lost.',
    },
};
const general = {
    yes: {
        kind: 'bool',
        group: 'general',
        sources: CALL,
        verbs: ['task', 'plan', 'sweep'],
        short: 'y',
        help: 'Do what would otherwise only be shown or asked: sweep for real, upload "/" or the home folder.',
    },
    json: {
        kind: 'bool',
        group: 'general',
        verbs: [
            ...common_CREATE,
            'doctor',
            'list',
            'status',
            'logs',
            'stop',
            'collect',
            'pull',
            'comment',
            'destroy',
            'sweep',
            'interrupt',
            'retry',
            'options',
            'version',
        ],
        sources: ['flag', 'variable'],
        help: 'Print facts as JSON on standard output, everything else on standard error.',
    },
    quiet: {
        kind: 'bool',
        group: 'general',
        verbs: TALKING,
        short: 'q',
        excludes: ['verbose'],
        help: 'Print only the output of the program, facts, warnings and errors.',
    },
    verbose: { kind: 'bool', group: 'general', verbs: TALKING, short: 'v', excludes: ['quiet'], help: 'Print every request and decision.' },
    config: {
        kind: 'path',
        group: 'general',
        verbs: TALKING,
        sources: ['flag', 'input', 'variable'],
        placeholder: 'FILE',
        defaultText: 'the nearest tpi.yaml, upwards to the root of the repository',
        help: 'File with options: the same names as here, at the top level.',
    },
    verb: {
        kind: 'choice',
        group: 'general',
        verbs: ['help', 'options'],
        sources: [],
        oneOf: Object.keys(verbs/* VERBS */.hU),
        placeholder: 'VERB',
        help: 'The verb to explain.',
    },
    shell: {
        kind: 'choice',
        group: 'general',
        verbs: ['completion'],
        sources: [],
        oneOf: ['bash', 'zsh'],
        help: 'The shell to complete for.',
    },
};
/** Settings of tests, by environment only. */
const test = {
    'lease-beat': setting('15s', 'Time between two signs of life of a machine.'),
    'lease-ttl': setting('60s', 'Silence after which a machine counts as dead.'),
    'store-grace': setting('10m', 'Time without the storage after which a machine gives up.'),
    'runner-rest': setting('20s', 'Time a runner must have been idle before its machine leaves for lack of a job.'),
    reserve: setting('5m', 'Time kept for the last save, after deadline and grace.', 1),
};
function setting(value, help, min = 0.01) {
    return { kind: 'duration', group: 'test', verbs: common_CREATE, sources: ['variable'], hidden: true, min, default: value, help };
}
const commonOptions = { ...where, ...results, ...general, ...test };
/** Inputs of the action that no command line has. */
const actionOptions = {
    mode: {
        kind: 'choice',
        group: 'what',
        verbs: common_CREATE,
        sources: ['input'],
        oneOf: ['task', 'runner'],
        default: 'task',
        help: 'What to do with the machines: run a program to its end (task), or serve later jobs of the workflow as self-hosted runners (runner).',
    },
    command: {
        kind: 'choice',
        group: 'what',
        verbs: CLOUDY,
        sources: ['input'],
        oneOf: ['run', 'collect', 'status', 'logs', 'stop', 'destroy', 'sweep', 'retry', 'list', 'plan', 'doctor'],
        default: 'run',
        help: 'What to do: run starts (or attaches to) what the other inputs describe; the others act on what exists, as on the command line.',
    },
    matrix: {
        kind: 'string',
        group: 'test',
        verbs: CLOUDY,
        sources: ['input'],
        hidden: true,
        help: 'Tells the legs of a matrix apart. Leave it as it is.',
    },
};

;// CONCATENATED MODULE: ./build/js/options/rows/machine.js
const machine_CREATE = ['task', 'plan', 'runner', 'doctor'];
/** `sweep` looks into a store that was named, besides those of the clouds; `destroy` where no cloud knows of what was begun there. */
const STORED = [...machine_CREATE, 'destroy', 'sweep', 'retry'];
const PRICE_REMEDY = 'write "spot: false", "spot: true" or "spot: prefer", and a price limit as "max-price"';
function adviseSpot(text) {
    const price = Number(text);
    if (text.trim() === '' || Number.isNaN(price))
        return undefined;
    if (price > 0)
        return { message: `"${text}" is a price, not true, false or prefer`, hint: `write "spot: true" and "max-price: ${text}"` };
    const tpi = price === 0 ? 'a spot machine at the market price' : 'an on-demand machine';
    const other = price === 0 ? 'off, as YAML and shells read it' : 'a spot machine without a price limit, or a mistyped price';
    return { message: `"${text}" can be read in two ways: ${tpi} (as in TPI) or ${other}`, hint: PRICE_REMEDY };
}
const machineOptions = {
    machine: {
        kind: 'string',
        group: 'where',
        verbs: machine_CREATE,
        aliases: ['cloud-type', 'instance-type', 'type'],
        variables: ['CML_RUNNER_CLOUD_TYPE'],
        placeholder: 'SIZE',
        help: 'Machine size: s, m, l, xl, one with a GPU such as m+t4, or a type of the cloud itself.',
    },
    cpu: {
        kind: 'number',
        group: 'where',
        verbs: machine_CREATE,
        min: 0.1,
        max: 4096,
        placeholder: 'N',
        help: 'Virtual CPUs per machine, at least.',
    },
    memory: { kind: 'size', group: 'where', verbs: machine_CREATE, min: 1, placeholder: 'SIZE', help: 'Memory per machine, at least, such as 16GB.' },
    gpu: {
        kind: 'gpu',
        group: 'where',
        verbs: machine_CREATE,
        aliases: ['cloud-gpu', 'instance-gpu'],
        variables: ['CML_RUNNER_CLOUD_GPU'],
        placeholder: 'KIND[:N]',
        help: 'GPUs per machine: a kind (l4), a kind and a count (a100:4) or a count alone (1). "none" asks for none.',
    },
    'disk-size': {
        kind: 'size',
        group: 'where',
        verbs: machine_CREATE,
        aliases: ['cloud-hdd-size', 'instance-hdd-size'],
        variables: ['CML_RUNNER_CLOUD_HDD_SIZE'],
        bare: { unit: 'GB', under: ['disk-size', 'cloud-hdd-size', 'instance-hdd-size'] },
        unset: ['-1'],
        min: 1,
        placeholder: 'SIZE',
        defaultText: 'the size of the image',
        help: 'Root disk of each machine, such as 100GB. A number without a unit is GB.',
    },
    spot: {
        kind: 'choice',
        group: 'where',
        verbs: machine_CREATE,
        oneOf: ['false', 'true', 'prefer'],
        default: 'false',
        wants: 'spot',
        aliases: ['cloud-spot', 'instance-spot'],
        variables: ['CML_RUNNER_CLOUD_SPOT'],
        advise: adviseSpot,
        help: 'Use spot machines: never (false), only (true), or whenever there are any (prefer). A reclaimed machine is replaced and the program resumes from its last checkpoint. Only warns where the cloud has none.',
    },
    'max-price': {
        kind: 'number',
        group: 'where',
        verbs: machine_CREATE,
        aliases: ['cloud-spot-price', 'spot-price', 'instance-spot-price'],
        variables: ['CML_RUNNER_CLOUD_SPOT_PRICE'],
        unset: ['-1'],
        wants: 'spot',
        min: 0.0001,
        placeholder: 'USD',
        help: 'Highest price of a spot machine, in USD per hour. Needs "spot: true" or "spot: prefer"; the market price is paid, never more than this.',
    },
    image: {
        kind: 'string',
        group: 'where',
        verbs: machine_CREATE,
        aliases: ['cloud-image'],
        variables: ['CML_RUNNER_CLOUD_IMAGE'],
        placeholder: 'IMAGE',
        help: 'Machine or container image, in the notation of the cloud. Without it, runners on Kubernetes use the image of their forge.',
    },
    'permission-set': {
        kind: 'string',
        group: 'where',
        verbs: machine_CREATE,
        aliases: ['cloud-permission-set', 'instance-permission-set'],
        variables: ['CML_RUNNER_CLOUD_PERMISSION_SET'],
        placeholder: 'IDENTITY',
        help: 'Cloud identity that your program gets: instance profile, service account, managed identity. Without it the program has no cloud credentials at all.',
    },
    tags: {
        kind: 'map',
        group: 'where',
        verbs: machine_CREATE,
        aliases: ['cloud-metadata', 'metadata', 'tag'],
        variables: ['CML_RUNNER_CLOUD_METADATA'],
        placeholder: 'KEY=VALUE',
        help: 'Your own tags on the machines and on everything else that costs money. On Kubernetes they are labels of Jobs, pods and claim.',
    },
    storage: {
        kind: 'string',
        group: 'where',
        verbs: STORED,
        placeholder: 'URL',
        pattern: { test: /^(?:[a-z][a-z0-9+]*:\/\/\S+|[./~].*)$/, says: 's3://BUCKET/PREFIX or a folder that starts with "/" or "."' },
        defaultText: 'where the cloud keeps it',
        help: 'Where work directory, checkpoints and logs are kept: s3://BUCKET/PREFIX for anything that speaks S3. Credentials come from the usual AWS variables.',
    },
    'storage-region': {
        kind: 'string',
        group: 'where',
        verbs: STORED,
        requires: ['storage'],
        placeholder: 'REGION',
        defaultText: 'AWS_REGION',
        help: 'Region of the storage.',
    },
    'storage-endpoint': {
        kind: 'string',
        group: 'where',
        verbs: STORED,
        requires: ['storage'],
        placeholder: 'URL',
        pattern: { test: /^https?:\/\/\S+$/, says: 'an address that starts with http:// or https://' },
        defaultText: 'AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL',
        help: 'Address of an S3-compatible service other than that of AWS. In tpi.yaml an address on another host must start with https://.',
    },
    'storage-insecure': {
        kind: 'bool',
        group: 'where',
        verbs: STORED,
        requires: ['storage'],
        default: 'false',
        // Not tpi.yaml, which may have come with the folder.
        sources: ['flag', 'input', 'variable'],
        help: 'Allows plain http to a storage on another host: anyone on the network path can read and change what is sent.',
    },
};

;// CONCATENATED MODULE: ./build/js/options/rows/table.js






/** Rows that every table has, with their types. */
const fixed = {
    ...actionOptions,
    ...commonOptions,
    ...machineOptions,
    ...taskOptions,
    ...runnerOptions,
    ...ciOptions,
};
/** The first cloud is the default one. Throws when two rows claim the same name: a mistake of ours, found by the tests. */
function optionTable(clouds) {
    const rows = { ...fixed };
    const known = clouds.map(({ id, title }) => (title === id ? id : `${id} (${title})`));
    const synonyms = Object.fromEntries(clouds.flatMap(({ id, aliases = [] }) => aliases.map((alias) => [alias, id])));
    rows['cloud'] = {
        ...fixed.cloud,
        help: `Where the machines are: ${(0,lib_text/* listed */.KE)(known)}.`,
        oneOf: clouds.map(({ id }) => id),
        synonyms,
        default: clouds[0]?.id ?? '',
        defaultText: `${clouds[0]?.id}; to find what there is, every cloud known to be in use`,
    };
    for (const cloud of clouds) {
        for (const [name, row] of Object.entries(cloud.options ?? {})) {
            const known = rows[name];
            if (known && !known.clouds)
                throw new Error(`option "${name}" of cloud "${cloud.id}" hides a common one`);
            rows[name] = { ...row, clouds: [...(known?.clouds ?? []), cloud.id] };
        }
    }
    return { rows, clouds, names: allNames(rows) };
}
function allNames(rows) {
    const names = new Map();
    for (const [name, row] of Object.entries(rows)) {
        for (const spelling of [name, ...(row.aliases ?? [])]) {
            const other = names.get(spelling);
            if (other)
                throw new Error(`options "${other}" and "${name}" are both called "${spelling}"`);
            names.set(spelling, name);
        }
    }
    return names;
}
/** `disk_size`, `DISK-SIZE` → `disk-size`. */
function spelled(name) {
    return name.trim().toLowerCase().replaceAll('_', '-');
}
function rowsOf(table, verb) {
    return Object.entries(table.rows).filter(([, row]) => row.verbs.includes(verb));
}
/** `disk-size` → `TPI_DISK_SIZE`. */
function variableOf(name) {
    return `TPI_${name.toUpperCase().replaceAll('-', '_')}`;
}
/** Whether it can be given by that source. */
function takes(row, source) {
    return row.sources?.includes(source) ?? true;
}


/***/ }),

/***/ 9999:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   bP: () => (/* binding */ SECTIONS),
/* harmony export */   bd: () => (/* binding */ describes),
/* harmony export */   ek: () => (/* binding */ isVerb),
/* harmony export */   hU: () => (/* binding */ VERBS),
/* harmony export */   qI: () => (/* binding */ ALWAYS),
/* harmony export */   rl: () => (/* binding */ verbOf)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/** The verbs of the command line: what each is called, says and takes. What they do is elsewhere. */

/** Where the overview lists a verb, in this order. */
const SECTIONS = ['Start', 'See', 'End', 'About'];
/** Of every verb. */
const ALWAYS = {
    [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.ok]: 'done',
    [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.invalid]: 'wrong input; nothing was created',
    [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.bug]: 'a bug in tpi',
};
const NAME = { option: 'name', required: true };
const NAME_TEXT = 'NAME is the exact id of a deployment, or a name that only one deployment has.';
const REMOTE = {
    [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.remote]: 'the cloud or the storage failed; try again',
    [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.denied]: 'credentials or a permission are missing',
};
const VERBS = {
    task: {
        section: 'Start',
        summary: 'Run a program on one or more machines and bring its results back',
        text: `Uploads the work directory, starts the machines, prints what the program prints, and checkpoints its work directory all the while: a machine that is reclaimed or dies is replaced, and the program starts again where the last checkpoint left it. At the end the outputs are here, the machines and everything else are gone, and the exit code is that of the program.

The program is a text (--script), a file (--script-file) or whatever follows "--". The same command given again finds the running task and attaches to it.

Ctrl-C leaves the machines running and says how to come back; a second Ctrl-C within 5 seconds stops them.`,
        arguments: [],
        command: 'program',
        examples: [
            `tpi task --name hello --script 'echo hi'`,
            `tpi task --name fit --workdir . --output 'results/**' --env SEED=7 --secrets WANDB_API_KEY \\\n    --script-file train.sh`,
            `tpi task --name many --parallelism 3 --detach -- python3 train.py --epochs 5`,
        ],
        exits: {
            n: 'the exit code of the program; 128+n when it was killed by signal n',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.noCapacity]: 'no machine is available, or a quota is used up',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.running]: 'still running: come back with the command that is printed',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.remote]: 'the cloud or the storage failed, or results could not be delivered',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.denied]: 'credentials or a permission are missing',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.timedOut]: 'the deadline passed',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.stopped]: 'stopped or interrupted',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.terminated]: 'terminated',
        },
    },
    runner: {
        section: 'Start',
        summary: 'Start machines that serve GitHub or GitLab jobs as self-hosted runners',
        text: `Registers the runners, starts the machines, and returns as soon as the forge says that all are online. Nothing has to be stopped by hand: a machine leaves after its jobs (--jobs), or after a time without one (--idle-timeout), and all of them at the deadline (--timeout). The token itself never reaches a machine; on GitHub every registration is good for one job only, except with --jobs unlimited.

Jobs ask for these runners with the label that is printed: no other runner has it. With --cloud local the runner is this very host, in a folder of its own.`,
        arguments: [],
        describes: true,
        examples: [
            'tpi runner --cloud local --repository octo/hello --labels gpu',
            'tpi runner --labels gpu --jobs 3 --count 2 --idle-timeout 10m --json | jq -r .label',
        ],
        exits: {
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.noCapacity]: 'no machine is available, or a quota is used up',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.remote]: 'the forge, the cloud or the storage failed; everything was given back',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.denied]: 'the token, or a permission of it, is missing',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.timedOut]: 'not every runner came online in time; everything was given back',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.stopped]: 'interrupted; everything was given back',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.terminated]: 'terminated; everything was given back',
        },
    },
    plan: {
        section: 'Start',
        summary: 'Show what "task" with the same options would do, and create nothing',
        text: 'Checks every option, the credentials and the machine type, and lists what would be uploaded and created. Exit code 0 means that "task" would start.',
        arguments: [],
        command: 'program',
        examples: ['tpi plan --workdir . --script-file train.sh'],
        exits: REMOTE,
    },
    doctor: {
        section: 'Start',
        summary: 'Look for anything that could keep machines or runners from starting, and create nothing',
        text: `PLACE is a cloud (local, k8s) or a forge (github, gitlab); without it the cloud of --cloud. Give the options of "task" or "runner" that say what machines to have, and they are looked at as well: credentials, each permission, versions, quotas, whether such a machine can be had at all. Every fault comes with what to do about it.`,
        arguments: [{ option: 'place', required: false }],
        examples: ['tpi doctor', 'tpi doctor k8s --cpu 4 --memory 16GB', 'tpi doctor github --repository octo/hello'],
        exits: { [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.found]: 'something is wrong', ...REMOTE },
    },
    permissions: {
        section: 'Start',
        summary: 'Print the minimum rights that a cloud or a forge must grant',
        text: 'PLACE is a cloud or a forge. The text can be applied, or handed to whoever grants the rights; nothing is contacted or created.',
        arguments: [{ option: 'place', required: true }],
        examples: ['tpi permissions k8s | kubectl apply -f -', 'tpi permissions github'],
        exits: { [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.denied]: 'the credentials that say which namespace is meant cannot be read' },
    },
    list: {
        section: 'See',
        summary: 'List deployments',
        text: 'One line per deployment: what runs comes first, then what nobody collected. With --all also runs that are gone, the youngest first; ID is what status and logs find each of them by.',
        arguments: [],
        examples: ['tpi list', 'tpi list --all', 'tpi list --finished --json'],
        exits: REMOTE,
    },
    status: {
        section: 'See',
        summary: 'Show the state of a deployment',
        text: `State, attempts, reasons, checkpoints and time left. For a deployment that was destroyed, the answer comes from the history in TPI_HOME. ${NAME_TEXT}

The exit code says whether there is an answer, not what it is: read "outcome" and "exitCode" of --json.`,
        arguments: [NAME],
        examples: ['tpi status fit', 'tpi status fit --json | jq -r .outcome'],
        exits: REMOTE,
    },
    logs: {
        section: 'See',
        summary: 'Print what the program printed',
        text: `The log of every attempt, in order; of a run that is gone, from the history of this TPI_HOME. With --follow it goes on until the task ends, and one line on standard error tells where another machine goes on. With --json each line is an object: slot, attempt, stream, at, text. ${NAME_TEXT}`,
        arguments: [NAME],
        examples: ['tpi logs fit --follow --tail 20', 'tpi logs many --slot 2 --since 10m --timestamps', 'tpi logs fit --json | jq -r .text'],
        exits: REMOTE,
    },
    stop: {
        section: 'End',
        summary: 'Stop a deployment, keeping its last checkpoint and log',
        text: `The program gets SIGTERM, after the grace SIGKILL; its work directory is saved, then the machines go. "collect" fetches the results, "task --resume" goes on from there. ${NAME_TEXT}`,
        arguments: [{ ...NAME, unless: ['mine'] }],
        examples: ['tpi stop fit', 'tpi stop --mine'],
        exits: { ...REMOTE, [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.stopped]: 'interrupted: the request to stop is recorded; what runs saves its work and ends by itself' },
    },
    collect: {
        section: 'End',
        summary: 'Bring the results of a deployment back',
        text: `When it has ended: downloads the outputs, checks them, puts them in place and destroys the rest, as an attached "task" does at its end. While it runs: fetches the outputs of the last checkpoint and stops nothing. ${NAME_TEXT}

With --finished or --mine each one gets a folder of its own name below the output folder, even if it is the only one.

The exit code of an ended task is that of its program.`,
        arguments: [{ ...NAME, unless: ['finished', 'mine'] }],
        examples: ['tpi collect fit', 'tpi collect fit --to results-of-today', 'tpi collect --finished'],
        exits: { n: 'the exit code of the program, when it has ended', ...REMOTE },
    },
    pull: {
        section: 'See',
        summary: 'Fetch files from the last checkpoint, changing nothing',
        text: `Unlike "collect" it takes any file that the program made or changed, and leaves the deployment as it is. ${NAME_TEXT}`,
        arguments: [NAME, { option: 'glob', required: false }],
        examples: ["tpi pull fit 'checkpoints/**' --to ./peek"],
        exits: REMOTE,
    },
    comment: {
        section: 'See',
        summary: 'Put a Markdown file on the pull or merge request, or update it there',
        text: `One comment per NAME (--name), changed in place by the next one of that name. In a CI job of a pull request (GitHub) or merge request (GitLab) nothing else has to be given; elsewhere --repository and --pull-request. The token comes from --token, REPO_TOKEN or GITHUB_TOKEN.

Pictures that the file names by relative paths are uploaded on GitLab. GitHub takes no pictures from programs: there they are named in words, and a warning tells.`,
        arguments: [{ option: 'file', required: true }],
        examples: ['tpi comment report.md', 'tpi comment report.md --name accuracy --pull-request 7 --repository octo/hello'],
        exits: { [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.remote]: 'the forge failed; try again', [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.denied]: 'the token, or a permission of it, is missing' },
    },
    exec: {
        section: 'See',
        summary: 'Run a command on a machine, beside the program',
        text: `The command runs in the work directory of the living machine, with this terminal attached. Its exit code becomes that of tpi. ${NAME_TEXT}`,
        arguments: [NAME],
        command: 'required',
        examples: ['tpi exec fit -- nvidia-smi', 'tpi exec many --slot 1 -- tail -n 3 train.log'],
        exits: { n: 'the exit code of the command', ...REMOTE },
    },
    destroy: {
        section: 'End',
        summary: 'Remove a deployment and everything that belongs to it',
        text: `Refuses what still runs or was not collected, unless --discard says that its results may be lost. What could not be removed is listed, and the same command tries again. ${NAME_TEXT}`,
        arguments: [{ ...NAME, unless: ['mine'] }],
        examples: ['tpi destroy fit', 'tpi destroy fit --discard'],
        exits: REMOTE,
    },
    sweep: {
        section: 'End',
        summary: 'Remove what is past its time',
        text: 'Finds deployments by their tags: compute past its deadline, stored results past their retention, parts that a crash left behind. Shows them; with --yes removes them. Meant for a scheduled job.',
        arguments: [],
        examples: ['tpi sweep', 'tpi sweep --yes'],
        exits: { [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.found]: 'something was found, and --yes was not given', ...REMOTE },
    },
    retry: {
        section: 'End',
        summary: 'Run jobs again whose runner was taken away, and start runners again that jobs wait for',
        text: `Looks at the named runners, or at all of this repository. A job that was cut off because its machine was reclaimed or died runs again, at most as often as "--retry" of "tpi runner" said; a job that failed by itself never does. A job that waits for runners which have left by now, as after "Re-run failed jobs", gets the same runners with the same labels again.

GitHub runs nothing again before the whole run has ended: run the command then, from a workflow on "workflow_run: completed" or from a schedule. It does nothing twice.`,
        arguments: [{ option: 'name', required: false }],
        examples: ['tpi retry', 'tpi retry gpu-runners --json'],
        exits: {
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.noCapacity]: 'for runners that jobs wait for: no machine is available, or a quota is used up',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.running]: 'a run has not ended yet: come back',
            [_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.timedOut]: 'not every runner that jobs wait for came online in time',
            ...REMOTE,
        },
    },
    interrupt: {
        section: 'End',
        summary: 'Rehearse a spot reclaim',
        text: `Gives a machine the notice that the cloud gives before it takes it back: the program is told, its work saved, the machine replaced. ${NAME_TEXT}`,
        arguments: [NAME],
        examples: ['tpi interrupt fit', 'tpi interrupt many --slot 0'],
        exits: REMOTE,
    },
    options: {
        section: 'About',
        summary: 'List all options with their meaning',
        text: 'Every option with its flag, action input, variable, default and help; of one verb when it is named. With --json the same as data.',
        arguments: [{ option: 'verb', required: false }],
        examples: ['tpi options', 'tpi options task --json'],
    },
    completion: {
        section: 'About',
        summary: 'Print completions for a shell',
        text: 'Completes verbs, options and their values.',
        arguments: [{ option: 'shell', required: true }],
        examples: ['source <(tpi completion bash)', 'source <(tpi completion zsh)'],
    },
    help: {
        section: 'About',
        summary: 'Explain a verb',
        text: 'The same as "tpi VERB --help".',
        arguments: [{ option: 'verb', required: false }],
        examples: ['tpi help task'],
    },
    version: {
        section: 'About',
        summary: 'Print the version',
        text: 'The version of this program and of the Node that runs it.',
        arguments: [],
        examples: ['tpi version --json'],
    },
};
function isVerb(name) {
    return Object.hasOwn(VERBS, name);
}
function verbOf(name) {
    return VERBS[name];
}
/** Verbs that describe a deployment from the start; a fault in a file of theirs is a fault, not a warning. */
function describes(verb) {
    const { command, describes: own } = verbOf(verb);
    return command === 'program' || own === true;
}


/***/ }),

/***/ 90798:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DG: () => (/* binding */ fault),
/* harmony export */   IQ: () => (/* binding */ rankOf),
/* harmony export */   sq: () => (/* binding */ readingTrouble)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(40859);

const RANKS = { argument: 3, flag: 3, input: 3, variable: 2, file: 1 };
function rankOf(claim) {
    return RANKS[claim.source];
}
function fault(as, message, hint) {
    const text = (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .printable */ .g$)(as === '' ? message : `${as}: ${message}`);
    return hint === undefined ? { option: as, message: text } : { option: as, message: text, hint: (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .printable */ .g$)(hint) };
}
/** Why a file could not be read, for people. */
function readingTrouble(error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const known = {
        ENOENT: 'does not exist',
        ENOTDIR: 'does not exist',
        EISDIR: 'is a folder',
        EACCES: 'may not be read by this user',
        EPERM: 'may not be read by this user',
    };
    return known[code] ?? `cannot be read: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error)}`;
}


/***/ }),

/***/ 1470:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  K: () => (/* binding */ holdsCredential),
  g: () => (/* binding */ resolveEnvironment)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/lib/secret-forms.js
var secret_forms = __webpack_require__(93838);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/options/sources/claim.js
var claim = __webpack_require__(90798);
;// CONCATENATED MODULE: ./build/js/options/sources/dotenv.js
/**
 * `NAME=value`, optionally after `export`; blank lines and `#` lines are skipped. Single quotes keep everything, double quotes know
 * `\n \r \t \" \\ \$`, both may run over several lines; a bare value ends at ` #` and loses blanks around it. A later line wins.
 * Nothing of the text appears in faults: it may be a secret.
 */
function parseDotenv(text) {
    const values = new Map();
    const faults = [];
    const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
    for (let at = 0; at < source.length;) {
        const end = lineEnd(source, at);
        const line = source.slice(at, end);
        const head = /^\s*(?:export\s+)?([^=\s#]+)[ \t]*=[ \t]*/.exec(line);
        if (/^\s*(?:#|$)/.test(line))
            at = end + 1;
        else if (!head || !/^[A-Za-z_]\w*$/.test(head[1] ?? '')) {
            faults.push({ line: lineNumber(source, at), message: 'is not a NAME=value line' });
            at = end + 1;
        }
        else {
            const value = readValue(source, at + head[0].length, end);
            if (typeof value === 'string')
                faults.push({ line: lineNumber(source, at), message: value });
            else
                values.set(head[1] ?? '', value.text);
            at = (typeof value === 'string' ? end : value.end) + 1;
        }
    }
    return { values, faults };
}
function lineEnd(source, at) {
    const end = source.indexOf('\n', at);
    return end < 0 ? source.length : end;
}
function lineNumber(source, at) {
    return source.slice(0, at).split('\n').length;
}
/** A string says what is wrong. */
function readValue(source, at, end) {
    const quote = source[at];
    if (at >= end || (quote !== '"' && quote !== "'"))
        return {
            text: source
                .slice(at, end)
                .replace(/(?:^|\s)#.*$/, '')
                .trim(),
            end,
        };
    const pattern = quote === '"' ? /"((?:[^"\\]|\\[^])*)"[ \t]*(?:#.*)?(?=\n|$)/y : /'([^']*)'[ \t]*(?:#.*)?(?=\n|$)/y;
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (!match)
        return 'has a quote that does not end';
    const text = match[1] ?? '';
    return { text: quote === '"' ? unescaped(text) : text, end: pattern.lastIndex };
}
function unescaped(text) {
    const meant = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };
    return text.replace(/\\([^])/g, (whole, char) => meant[char] ?? whole);
}

;// CONCATENATED MODULE: ./build/js/options/sources/environment.js
/** The environment of the user's program: what was asked for, and nothing else of the caller's. */





/** Names of variables that hold a credential, or the path of one. */
const CREDENTIALS = [
    /^(?:GITHUB_TOKEN|GH_TOKEN|GH_ENTERPRISE_TOKEN|GITHUB_ENTERPRISE_TOKEN|REPO_TOKEN|CML_TOKEN)$/,
    /^(?:GITLAB_TOKEN|CI_JOB_TOKEN|CI_JOB_JWT\w*|CI_REGISTRY_PASSWORD|CI_DEPLOY_PASSWORD|CI_DEPENDENCY_PROXY_PASSWORD)$/,
    /^(?:CI_REPOSITORY_URL|CI_RUNNER_SHORT_TOKEN|CI_SERVER_TLS_KEY_FILE|BITBUCKET_STEP_OIDC_TOKEN)$/,
    /^(?:NODE_AUTH_TOKEN|NPM_TOKEN|DOCKER_AUTH_CONFIG|KUBECONFIG|KUBE_\w*)$/,
    /^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|SECURITY_TOKEN|WEB_IDENTITY_TOKEN\w*|CONTAINER_\w+)$/,
    /^(?:AZURE|ARM)_(?:CLIENT_SECRET|CLIENT_CERTIFICATE\w*|PASSWORD|ACCESS_KEY|SAS_TOKEN|OIDC_\w*|FEDERATED_TOKEN\w*|STORAGE_\w*KEY|STORAGE_CONNECTION_STRING)$/,
    /^(?:GOOGLE_APPLICATION_CREDENTIALS\w*|GOOGLE_CREDENTIALS|GOOGLE_GHA_CREDS_PATH|CLOUDSDK_AUTH_\w+|GOOGLE_OAUTH_ACCESS_TOKEN)$/,
];
/** Names that a glob never matches, besides the credentials that the clouds declare: they need the full name. */
const GUARDED = [/^(?:ACTIONS|INPUT|RUNNER|TPI)_/, ...CREDENTIALS];
function holdsCredential(name) {
    return CREDENTIALS.some((names) => names.test(name));
}
const NAME = /^[A-Za-z_]\w*$/;
/** `constructor` is a name too, and no variable. */
function own(env, name) {
    return Object.hasOwn(env, name) ? env[name] : undefined;
}
/** All faults at once; values never appear in them. `guarded`: names of credentials that the clouds declare. */
async function resolveEnvironment(wish, guarded, surroundings) {
    const faults = [];
    const secrets = await readSecrets(wish, surroundings, faults);
    const env = await readPlain(wish, guarded, surroundings, secrets, faults);
    const warnings = [...secrets]
        .filter(([, value]) => (0,secret_forms/* maskable */.dm)(value).length === 0)
        .map(([name]) => `the value of secret ${(0,lib_text/* quoted */.TL)(name)} is shorter than ${secret_forms/* SHORTEST_SECRET */.c3} bytes and is not masked: whoever reads the log may see it`);
    return { env: Object.fromEntries(env), secrets: Object.fromEntries(secrets), faults, warnings };
}
async function readFiles(paths, as, surroundings, faults) {
    const values = new Map();
    for (const path of paths) {
        try {
            addFile(values, await surroundings.readFile((0,external_node_path_.resolve)(surroundings.cwd, path)), `${as}: ${path}`, faults);
        }
        catch (error) {
            faults.push((0,claim/* fault */.DG)(as, `${(0,lib_text/* quoted */.TL)(path)} ${(0,claim/* readingTrouble */.sq)(error)}`));
        }
    }
    return values;
}
function addFile(values, text, as, faults) {
    const file = parseDotenv(text);
    faults.push(...file.faults.map(({ line, message }) => (0,claim/* fault */.DG)(`${as}:${line}`, message)));
    for (const [name, value] of file.values) {
        if (name.startsWith('TPI_'))
            faults.push(reserved(as, name));
        else
            values.set(name, value);
    }
}
function reserved(as, name) {
    return (0,claim/* fault */.DG)(as, `${(0,lib_text/* quoted */.TL)(name)} cannot be set`, 'names that start with TPI_ are set by tpi itself');
}
async function readSecrets(wish, surroundings, faults) {
    const secrets = await readFiles(wish.secretFiles, wish.as('secrets-file'), surroundings, faults);
    if (wish.stdin)
        addFile(secrets, await surroundings.readStdin(), 'standard input', faults);
    for (const entry of wish.secrets) {
        const name = entry.trim().replace(/\?$/, '');
        const optional = entry.trim().endsWith('?');
        const trouble = secretTrouble(entry, name, wish);
        const value = own(surroundings.env, name);
        if (trouble)
            faults.push(trouble);
        else if (value !== undefined && value !== '')
            secrets.set(name, value);
        else if (!optional)
            faults.push(missingSecret(wish.as('secrets'), name, value));
    }
    return secrets;
}
function secretTrouble(entry, name, wish) {
    const as = wish.as('secrets');
    const equals = entry.indexOf('=');
    if (equals >= 0 && NAME.test(entry.slice(0, equals).trim())) {
        const public_ = wish.secretsInArgv
            ? 'on the command line, where every process of this machine can read it'
            : 'among the names, where it is not protected';
        const hint = `put the value into the environment and write only the name, or use ${wish.secretsInArgv ? '--secrets-stdin or --secrets-file' : 'secrets-file'}`;
        return (0,claim/* fault */.DG)(as, `the value of ${shownName(entry.slice(0, equals).trim())} is ${public_}`, hint);
    }
    if (name.includes('*'))
        return (0,claim/* fault */.DG)(as, 'a pattern cannot be used here', 'name each secret');
    if (name.startsWith('TPI_'))
        return reserved(as, name);
    return NAME.test(name)
        ? undefined
        : (0,claim/* fault */.DG)(as, 'an entry is not the name of a variable (it is not shown: it may be a value)', 'write names only, like WANDB_API_KEY');
}
function missingSecret(as, name, value) {
    const state = value === '' ? 'is empty' : 'is not set';
    return (0,claim/* fault */.DG)(as, `variable ${shownName(name)} ${state}`, 'in CI pass it with "env:" (runs for forks get no secrets); write NAME? when it may be absent');
}
/** Somebody may have written the secret itself where its name belongs. */
function shownName(name) {
    return /^[A-Z_][A-Z0-9_]*$/.test(name) || name.length < 16
        ? (0,lib_text/* quoted */.TL)(name)
        : `${(0,lib_text/* quoted */.TL)(`${name.slice(0, 3)}…`)} (shortened: it may be a value)`;
}
async function readPlain(wish, guarded, surroundings, secrets, faults) {
    const as = wish.as('env');
    const fromFiles = await readFiles(wish.envFiles, wish.as('env-file'), surroundings, faults);
    const named = new Map();
    const matched = new Map();
    for (const entry of wish.env) {
        if (entry.includes('*') && !entry.includes('='))
            expand(entry.trim(), { as, guarded, surroundings, matched, faults });
        else
            addEntry(entry, { as, surroundings, named, faults });
    }
    for (const name of [...fromFiles.keys(), ...named.keys()]) {
        if (secrets.has(name))
            faults.push((0,claim/* fault */.DG)(as, `${(0,lib_text/* quoted */.TL)(name)} is both a plain and a secret variable`, 'leave it out of one of them'));
    }
    const all = new Map([...matched, ...fromFiles, ...named]);
    for (const name of secrets.keys())
        all.delete(name);
    return all;
}
function addEntry(entry, { as, surroundings, named, faults }) {
    const equals = entry.indexOf('=');
    const optional = equals < 0 && entry.trim().endsWith('?');
    const name = equals >= 0 ? entry.slice(0, equals) : entry.trim().replace(/\?$/, '');
    const value = equals >= 0 ? entry.slice(equals + 1) : own(surroundings.env, name);
    if (!NAME.test(name)) {
        const hint = NAME.test(name.trim()) ? 'write NAME=value without blanks around "="' : 'write NAME=value, NAME, NAME? or PREFIX_*';
        faults.push((0,claim/* fault */.DG)(as, `${(0,lib_text/* quoted */.TL)(name)} is not the name of a variable`, hint));
    }
    else if (name.startsWith('TPI_'))
        faults.push(reserved(as, name));
    else if (value === undefined) {
        if (!optional)
            faults.push((0,claim/* fault */.DG)(as, `variable ${(0,lib_text/* quoted */.TL)(name)} is not set here`, `write ${name}=value, or ${name}? when it may be absent`));
    }
    else if (named.has(name) && named.get(name) !== value)
        faults.push((0,claim/* fault */.DG)(as, `${(0,lib_text/* quoted */.TL)(name)} is given twice`));
    else
        named.set(name, value);
}
function expand(glob, { as, guarded, surroundings, matched, faults }) {
    const plain = glob.replace(/\?$/, '');
    if (!/^[A-Za-z_][\w*]*$/.test(plain)) {
        faults.push((0,claim/* fault */.DG)(as, `${(0,lib_text/* quoted */.TL)(glob)} is not a pattern for names`, 'start it with a letter, like WANDB_*'));
        return;
    }
    const pattern = new RegExp(`^${plain.replaceAll('*', '\\w*')}$`);
    for (const [name, value] of Object.entries(surroundings.env)) {
        if (value === undefined || !NAME.test(name) || !pattern.test(name))
            continue;
        if (!guarded.has(name) && !GUARDED.some((names) => names.test(name)))
            matched.set(name, value);
    }
}


/***/ }),

/***/ 95009:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   K: () => (/* binding */ readInputs),
/* harmony export */   X: () => (/* binding */ isInput)
/* harmony export */ });
/* harmony import */ var _lib_nearest_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(58020);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(40859);
/* harmony import */ var _rows_table_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(38281);
/* harmony import */ var _rows_verbs_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9999);
/* harmony import */ var _values_kinds_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(38673);
/* harmony import */ var _claim_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(90798);






/** Undeclared inputs (of which the workflow runner only warns) are faults; an empty input is not given. */
function readInputs(table, env) {
    const claims = [];
    const faults = [];
    for (const [variable, text] of Object.entries(env)) {
        if (!variable.startsWith('INPUT_') || text === undefined || text === '')
            continue;
        const name = (0,_rows_table_js__WEBPACK_IMPORTED_MODULE_0__/* .spelled */ .uQ)(variable.slice('INPUT_'.length));
        const option = table.names.get(name);
        const row = option === undefined ? undefined : table.rows[option];
        if (option === undefined || !row || !isInput(table, option))
            faults.push(unknownInput(table, name));
        else
            claims.push({ option, source: 'input', as: name, spelled: name, raw: { text } });
    }
    const verb = verbFrom(table, claims);
    const strays = claims.filter(({ option }) => !table.rows[option]?.verbs.includes(verb) && !ALWAYS.includes(option));
    const hints = strays.map(({ option, as }) => (0,_claim_js__WEBPACK_IMPORTED_MODULE_3__/* .fault */ .DG)(as, `"${verb === 'runner' ? 'mode: runner' : `command: ${commandOf(verb)}`}" does not take it`, `it belongs to ${belongs(table, option)}`));
    return { verb, claims: claims.filter((claim) => !strays.includes(claim)), faults: [...faults, ...hints] };
}
/** Given in every call of the action, whatever the command. */
const ALWAYS = ['mode', 'command', 'matrix', 'github-token'];
/** Whether the action has such an input: some command of the action takes it. */
function isInput(table, option) {
    const row = table.rows[option];
    const commands = table.rows['command']?.oneOf ?? [];
    return row !== undefined && (0,_rows_table_js__WEBPACK_IMPORTED_MODULE_0__/* .takes */ .ny)(row, 'input') && row.verbs.some((verb) => commands.includes(commandOf(verb)));
}
function commandOf(verb) {
    return verb === 'task' || verb === 'runner' ? 'run' : verb;
}
function belongs(table, option) {
    const commands = table.rows['command']?.oneOf ?? [];
    return (table.rows[option]?.verbs ?? [])
        .filter((verb) => commands.includes(commandOf(verb)))
        .map((verb) => (verb === 'runner' ? 'run with mode: runner' : commandOf(verb)))
        .join(', ');
}
function unknownInput(table, name) {
    const known = [...table.names].filter(([, option]) => isInput(table, option)).map(([spelling]) => spelling);
    const meant = (0,_lib_nearest_js__WEBPACK_IMPORTED_MODULE_4__/* .nearest */ .p)(name, known);
    return (0,_claim_js__WEBPACK_IMPORTED_MODULE_3__/* .fault */ .DG)(name, 'there is no such input', meant === undefined ? 'see docs/options.md' : `did you mean ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_5__/* .quoted */ .TL)(meant)}?`);
}
/** A wrong `command` is reported with the other values; what goes with `run` is then taken as meant. */
function verbFrom(table, claims) {
    const claim = claims.find(({ option }) => option === 'command');
    const row = table.rows['command'];
    const reading = claim && row ? (0,_values_kinds_js__WEBPACK_IMPORTED_MODULE_2__/* .readValue */ .wK)(row, claim.raw, claim.spelled) : 'not given';
    const command = reading !== 'not given' && 'value' in reading ? String(reading.value) : 'run';
    if ((0,_rows_verbs_js__WEBPACK_IMPORTED_MODULE_1__/* .isVerb */ .ek)(command))
        return command;
    return claims.some(({ option, raw }) => option === 'mode' && 'text' in raw && raw.text.trim() === 'runner') ? 'runner' : 'task';
}


/***/ }),

/***/ 38673:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Fl: () => (/* binding */ canNegate),
  HA: () => (/* binding */ defaultOf),
  BB: () => (/* binding */ isListKind),
  Tb: () => (/* binding */ isSwitch),
  wK: () => (/* binding */ readValue),
  pX: () => (/* binding */ standsAlone)
});

// EXTERNAL MODULE: ./build/js/lib/bytes.js
var lib_bytes = __webpack_require__(18913);
// EXTERNAL MODULE: ./build/js/lib/duration.js
var duration = __webpack_require__(86388);
// EXTERNAL MODULE: ./build/js/lib/nearest.js
var nearest = __webpack_require__(58020);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
;// CONCATENATED MODULE: ./build/js/options/values/split.js
/** Lists as users write them: by comma and newline, CSV quotes, commas inside `{a,b}` left alone. */
/** Items without surrounding blanks; empty ones are dropped. `"a,b"` is one item, `""` inside quotes is a quote. */
function splitList(text) {
    return splitLines(text).flatMap((line) => splitLine(line));
}
function splitLines(text) {
    return text.split(/\r\n|\n|\r/);
}
function splitLine(line) {
    const items = [];
    let at = 0;
    while (at < line.length) {
        const item = quotedItem(line, at) ?? plainItem(line, at);
        if (item.text !== '')
            items.push(item.text);
        at = item.end + 1;
    }
    return items;
}
function quotedItem(line, at) {
    const match = /\s*"((?:[^"]|"")*)"\s*(?=,|$)/y;
    match.lastIndex = at;
    const found = match.exec(line);
    return found ? { text: (found[1] ?? '').replaceAll('""', '"'), end: match.lastIndex } : undefined;
}
function plainItem(line, at) {
    let depth = 0;
    for (let end = at; end < line.length; end++) {
        const char = line[end];
        // A brace counts only when its partner follows: "{" alone is a letter.
        if (char === '{' && line.includes('}', end))
            depth++;
        else if (char === '}' && depth > 0)
            depth--;
        else if (char === ',' && depth === 0)
            return { text: line.slice(at, end).trim(), end };
    }
    // Unbalanced after all (`{a,{b},c`): commas split as ever.
    const comma = depth > 0 ? line.indexOf(',', at) : -1;
    const end = comma < 0 ? line.length : comma;
    return { text: line.slice(at, end).trim(), end };
}
const BARE_NAMES = /^\s*[A-Za-z_][\w*]*\??(?:\s*,\s*[A-Za-z_][\w*]*\??)+\s*,?\s*$/;
/** Entries of an environment: one per line, since values may hold commas; a line of bare names is split at its commas. */
function splitEntries(text) {
    return splitLines(text).flatMap((line) => entriesOf(line));
}
/** One entry as it is (its value may hold line feeds), or a line of bare names. */
function entriesOf(entry) {
    if (entry.trim() === '')
        return [];
    return BARE_NAMES.test(entry) ? splitList(entry) : [entry.replace(/^[ \t]+/, '')];
}

;// CONCATENATED MODULE: ./build/js/options/values/kinds.js





/** `as`: the name (or alias) that was used, in its plain spelling. */
function readValue(row, raw, as) {
    const reader = LISTS[row.kind];
    if (reader)
        return reader(row, raw);
    const written = single(raw);
    if (typeof written !== 'string')
        return { problems: [written] };
    const text = translated(row, written, as);
    if (text === undefined)
        return 'not given';
    if (typeof text !== 'string')
        return { problems: [text] };
    if (row.unset?.includes(text.trim()))
        return 'not given';
    const value = SCALARS[row.kind](text, row, as);
    if (isProblem(value))
        return { problems: [row.advise?.(text) ?? value] };
    const wrong = outside(row, value) ?? mismatch(row, value);
    return wrong ? { problems: [wrong] } : { value };
}
/** The value a row has when nobody gave one. Throws on a default that its own reader refuses: a mistake of ours. */
function defaultOf(name, row) {
    if (row.default === undefined)
        return row.kind === 'bool' ? false : row.kind === 'map' ? {} : LISTS[row.kind] ? [] : undefined;
    const reading = readValue(row, { text: row.default }, name);
    if (reading === 'not given' || 'problems' in reading)
        throw new Error(`default of option "${name}" is not legal`);
    return reading.value;
}
function isListKind(kind) {
    return LISTS[kind] !== undefined;
}
/** Whether a flag may stand without a value. */
function standsAlone(row) {
    return row.kind === 'bool' || row.kind === 'wait' || (row.kind === 'choice' && (row.oneOf?.includes('true') ?? false));
}
/** Whether the option had no value under that name. */
function isSwitch(row, as) {
    return row.switches !== undefined && Object.hasOwn(row.switches, as);
}
/** What an older name's text means here; `undefined`: nothing. */
function translated(row, text, as) {
    if (row.base64?.includes(as))
        return decoded(text);
    if (!isSwitch(row, as))
        return text;
    const bool = toBool(text);
    if (bool !== undefined)
        return bool ? row.switches?.[as] : undefined;
    return row.aliases?.includes(as) ? { message: `${(0,lib_text/* quoted */.TL)(text)} is neither true nor false` } : text;
}
function decoded(text) {
    const plain = text.replace(/\s/g, '');
    if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(plain))
        return Buffer.from(plain, 'base64').toString();
    return { message: 'is not base64', hint: 'under its own name the option takes plain text, or a file' };
}
/** Whether `--no-NAME` says something. */
function canNegate(row) {
    return standsAlone(row) && (row.kind !== 'choice' || (row.oneOf?.includes('false') ?? false));
}
function isProblem(value) {
    return typeof value === 'object' && value !== null && 'message' in value;
}
function single(raw) {
    if ('text' in raw)
        return raw.text;
    if ('flags' in raw) {
        const differing = new Set(raw.flags);
        if (differing.size > 1)
            return { message: `given more than once: ${(0,lib_text/* listed */.KE)([...differing].map(lib_text/* quoted */.TL), 'and')}` };
        return raw.flags[0] ?? '';
    }
    return { message: `takes one value, not a ${'items' in raw ? 'list' : 'map'}` };
}
const SCALARS = {
    string: (text) => (text === '' ? { message: 'is empty' } : text),
    path: (text) => (text === '' ? { message: 'is empty' } : text.includes('\0') ? { message: `${(0,lib_text/* quoted */.TL)(text)} is not a path` } : text),
    int: (text) => (/^[+-]?\d{1,15}$/.test(text.trim()) ? Number(text) : { message: `${(0,lib_text/* quoted */.TL)(text)} is not a whole number` }),
    number: (text) => /^[+-]?\d{1,15}(?:\.\d+)?$/.test(text.trim())
        ? Number(text)
        : { message: `${(0,lib_text/* quoted */.TL)(text)} is not a number`, hint: 'write it like 8 or 0.5' },
    bool: (text) => toBool(text) ?? { message: `${(0,lib_text/* quoted */.TL)(text)} is neither true nor false` },
    duration: readDuration,
    size: readSize,
    choice: readChoice,
    wait: (text, row, as) => toBool(text) ?? readDuration(text, row, as),
    gpu: readGpu,
};
/** As YAML 1.2 has it: `yes`, `on` and `1` are not booleans. */
function toBool(text) {
    const plain = text.trim();
    if (/^(?:true|True|TRUE)$/.test(plain))
        return true;
    return /^(?:false|False|FALSE)$/.test(plain) ? false : undefined;
}
function withUnit(text, row, as) {
    return row.bare?.under.includes(as) && /^\d+(?:\.\d+)?$/.test(text.trim()) ? text.trim() + row.bare.unit : text;
}
function readDuration(text, row, as) {
    const seconds = (0,duration/* parseDuration */.E9)(withUnit(text, row, as));
    if (seconds !== undefined)
        return seconds;
    const wait = row.kind === 'wait' ? 'true, false or a time' : 'a time';
    if (/^\d+(?:\.\d+)?$/.test(text.trim())) {
        return { message: `${(0,lib_text/* quoted */.TL)(text)} has no unit`, hint: `write ${(0,lib_text/* quoted */.TL)(`${text.trim()}s`)} for seconds, or like "1h30m" or "2 days"` };
    }
    if (/^(?:never|none|infinity|unlimited)$/i.test(text.trim())) {
        const most = row.max === undefined ? '' : `; the longest is ${(0,lib_text/* quoted */.TL)((0,duration/* writeDuration */.MP)(row.max))}`;
        return { message: `${(0,lib_text/* quoted */.TL)(text)} is not possible`, hint: `write ${wait} like "90s" or "2 days"${most}` };
    }
    return { message: `${(0,lib_text/* quoted */.TL)(text)} is not ${wait}`, hint: 'write it like "90s", "1h30m" or "2 days"' };
}
function readSize(text, row, as) {
    const bytes = (0,lib_bytes/* parseBytes */.z_)(withUnit(text, row, as));
    if (bytes !== undefined)
        return bytes;
    if (/^\d+(?:\.\d+)?$/.test(text.trim()))
        return { message: `${(0,lib_text/* quoted */.TL)(text)} has no unit`, hint: `write it like ${(0,lib_text/* quoted */.TL)(`${text.trim()}GB`)}` };
    return { message: `${(0,lib_text/* quoted */.TL)(text)} is not a size`, hint: 'write it like "16GB" or "512MiB"' };
}
function readChoice(text, row) {
    const allowed = row.oneOf ?? [];
    const plain = text.trim();
    const bool = toBool(plain);
    if (allowed.includes(plain))
        return plain;
    const synonym = row.synonyms && Object.hasOwn(row.synonyms, plain) ? row.synonyms[plain] : undefined;
    if (synonym !== undefined)
        return synonym;
    if (bool !== undefined && allowed.includes(String(bool)))
        return String(bool);
    const meant = (0,nearest/* nearest */.p)(plain, allowed);
    const hint = meant === undefined ? {} : { hint: `did you mean ${(0,lib_text/* quoted */.TL)(meant)}?` };
    return { message: `${(0,lib_text/* quoted */.TL)(text)} is not ${(0,lib_text/* listed */.KE)(allowed.map(lib_text/* quoted */.TL))}`, ...hint };
}
function readGpu(text) {
    const plain = text.trim().toLowerCase();
    if (/^(?:none|nogpu|0)$/.test(plain))
        return { count: 0 };
    const match = /^(?:([a-z][a-z0-9-]*)(?::([1-9]\d{0,2}))?|([1-9]\d{0,2}))$/.exec(plain);
    if (!match)
        return { message: `${(0,lib_text/* quoted */.TL)(text)} is not a GPU`, hint: 'write a kind, a kind and a count, or a count: "l4", "a100:4", "1"' };
    const count = Number(match[2] ?? match[3] ?? 1);
    return match[1] === undefined ? { count } : { kind: match[1], count };
}
function outside(row, value) {
    if (typeof value !== 'number')
        return undefined;
    if (row.min !== undefined && value < row.min)
        return { message: `${written(row, value)} is too small`, hint: `the minimum is ${written(row, row.min)}` };
    if (row.max !== undefined && value > row.max)
        return { message: `${written(row, value)} is too large`, hint: `the maximum is ${written(row, row.max)}` };
    return undefined;
}
function written(row, value) {
    if (row.kind === 'duration' || row.kind === 'wait')
        return (0,lib_text/* quoted */.TL)((0,duration/* writeDuration */.MP)(value));
    return (0,lib_text/* quoted */.TL)(row.kind === 'size' ? (0,lib_bytes/* writeBytes */.NH)(value) : String(value));
}
function mismatch(row, value) {
    if (!row.pattern || typeof value !== 'string' || row.pattern.test.test(value))
        return undefined;
    return { message: `${(0,lib_text/* quoted */.TL)(value)} is not ${row.pattern.says}` };
}
const LISTS = {
    list: (row, raw) => readList(row, raw, splitList, splitList),
    paths: (row, raw) => readList(row, raw, splitList, splitList),
    env: (row, raw) => readList(row, raw, splitEntries, entriesOf),
    'secret-list': (row, raw) => readList(row, raw, splitEntries, splitEntries),
    map: readMap,
};
function readList(row, raw, ofText, ofFlag) {
    const items = 'pairs' in raw ? fromPairs(row, raw.pairs) : itemsOf(raw, ofText, ofFlag);
    if (!Array.isArray(items))
        return { problems: [items] };
    const problems = items.flatMap((item) => mismatch(row, item) ?? []);
    return problems.length > 0 ? { problems } : { value: items };
}
function itemsOf(raw, ofText, ofFlag) {
    if ('text' in raw)
        return ofText(raw.text);
    return 'flags' in raw ? raw.flags.flatMap(ofFlag) : [...raw.items];
}
/** `env: {SEED: 7, TOKEN: }` of a file: a name without a value is taken from the caller's environment. */
function fromPairs(row, pairs) {
    if (row.kind !== 'env')
        return { message: 'takes a list, not a map' };
    return pairs.map(([name, value]) => (value === null ? name : `${name}=${value}`));
}
function readMap(_row, raw) {
    const problems = [];
    const value = {};
    const pairs = 'pairs' in raw ? raw.pairs : itemsOf(raw, splitList, splitList).map((item) => halves(item));
    for (const [key, text] of pairs) {
        if (text === null || key === '')
            problems.push({ message: `${(0,lib_text/* quoted */.TL)(key)} has no value`, hint: 'write KEY=VALUE' });
        else if (Object.hasOwn(value, key) && value[key] !== text)
            problems.push({ message: `${(0,lib_text/* quoted */.TL)(key)} is given twice` });
        else
            Object.defineProperty(value, key, { value: text, enumerable: true, configurable: true, writable: true });
    }
    return problems.length > 0 ? { problems } : { value };
}
function halves(item) {
    const at = item.indexOf('=');
    return at < 0 ? [item, null] : [item.slice(0, at).trim(), item.slice(at + 1).trim()];
}


/***/ }),

/***/ 52554:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EM: () => (/* binding */ closingReport),
/* harmony export */   fM: () => (/* binding */ lastLine),
/* harmony export */   wQ: () => (/* binding */ timeLine),
/* harmony export */   yN: () => (/* binding */ lostWork),
/* harmony export */   zs: () => (/* binding */ outputsLine)
/* harmony export */ });
/* unused harmony export lostSeconds */
/* harmony import */ var _lib_bytes_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(18913);
/* harmony import */ var _lib_duration_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(86388);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(40859);
/* harmony import */ var _wire_ending_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(18355);




function closingReport({ status, delivery, keptUntil }) {
    const attempts = status.slots.flatMap((slot) => slot.attempts);
    const rows = [
        [
            'took',
            `${span(status.createdAt, status.endedAt ?? status.createdAt)} on ${status.cloud}, ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .plural */ .LS)(status.slots.length, 'slot')}, ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .plural */ .LS)(attempts.length, 'attempt')}`,
        ],
        ['lost work', lostWork(status.slots)],
        ['outputs', outputsLine(delivery, keptUntil !== undefined)],
    ];
    if (delivery && delivery.beside.length > 0)
        rows.push(['beside', `${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .plural */ .LS)(delivery.beside.length, 'file')} as <name>~: another file of that name was already here`]);
    for (const [name, value] of status.slots.flatMap((slot) => Object.entries(slot.outputs).map(([key, text]) => [label(status, slot, key), text])))
        rows.push([(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .printable */ .g$)(name), oneLine(value)]);
    if (keptUntil)
        rows.push([
            'kept',
            `last snapshots and logs until ${keptUntil.slice(0, 16).replace('T', ' ')} UTC; ${uses(status)}, tpi destroy ${status.name} removes them`,
        ]);
    return [
        `── ${status.name}: ${status.outcome}`,
        ...(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .columns */ .YB)(rows).map((line) => `  ${line}`),
        ...timeLine(status),
        lastLine(status.outcome, status.exitCode),
    ].join('\n');
}
/** The contract, for whoever reads only the end: an exit code can also be the program's own. */
function lastLine(outcome, exitCode) {
    return `outcome: ${outcome}, exit code ${exitCode ?? '-'}`;
}
/** A value of the program's: nothing in it may act on a terminal or break the table. */
function oneLine(value) {
    const text = (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .printable */ .g$)(value);
    return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
function uses({ name, outcome }) {
    return outcome === 'success' ? `tpi pull ${name} GLOB --to DIR fetches files of them` : '--resume starts from them';
}
function label(status, slot, key) {
    return status.slots.length > 1 ? `${key} [${slot.index}]` : key;
}
/** `kept`: what nobody asked for is still there. */
function outputsLine(delivery, kept) {
    if (!delivery)
        return 'none delivered by this command';
    if (delivery.left)
        return `none asked for${leftLine(delivery.left, kept)}`;
    const fresh = delivery.files.length;
    if (fresh + delivery.same === 0)
        return `${delivery.unmatched.length > 0 ? 'no file matched' : 'none that differ from the upload'}, nothing written to ${delivery.folder}`;
    if (fresh === 0)
        return `nothing new: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .plural */ .LS)(delivery.same, 'file')} already in ${delivery.folder}`;
    const same = delivery.same > 0 ? `, ${delivery.same} already there` : '';
    const took = Math.round((delivery.took ?? 0) / 1000);
    return `${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .plural */ .LS)(fresh, 'file')} (${(0,_lib_bytes_js__WEBPACK_IMPORTED_MODULE_1__/* .formatBytes */ .z3)(delivery.bytes)}) in ${delivery.folder}${same}${took > 0 ? `, fetched in ${(0,_lib_duration_js__WEBPACK_IMPORTED_MODULE_2__/* .formatDuration */ .a3)(took)}` : ''}`;
}
function leftLine(left, kept) {
    if (left.files === 0)
        return '';
    const one = left.files === 1;
    const fate = kept ? (one ? 'is kept' : 'are kept') : one ? 'went with its machine' : 'went with the machines';
    return `; ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .plural */ .LS)(left.files, 'file')} that the script made or changed ${fate}`;
}
/** Time between the last snapshot an attempt left and its end, for every attempt that another one followed. */
function lostSeconds(slots) {
    let total = 0;
    for (const slot of slots) {
        for (const attempt of slot.attempts.slice(0, -1)) {
            if (attempt.end === undefined)
                continue;
            total += Math.max(0, (Date.parse(attempt.end) - Date.parse(attempt.savedAt ?? attempt.start)) / 1000);
        }
    }
    return total;
}
function lostWork(slots) {
    const ended = slots.flatMap((slot) => slot.attempts.slice(0, -1));
    if (ended.length === 0)
        return 'no interruption';
    return `${(0,_lib_duration_js__WEBPACK_IMPORTED_MODULE_2__/* .formatDuration */ .a3)(Math.round(lostSeconds(slots) * 10) / 10)} between last snapshot and end, over ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .plural */ .LS)(ended.length, ended.some(({ cause }) => (0,_wire_ending_js__WEBPACK_IMPORTED_MODULE_3__/* .isOwnEnd */ ._y)(cause)) ? 'restart' : 'interruption')}`;
}
/** One line per attempt; `now` is the end of those that still run. */
function timeLine(status, now) {
    const rows = status.slots.flatMap((slot) => slot.attempts.map((attempt) => [
        status.slots.length > 1 ? `  slot ${slot.index}, attempt ${attempt.epoch}` : `  attempt ${attempt.epoch}`,
        attempt.start.slice(11, 19),
        span(attempt.start, attempt.end ?? status.endedAt ?? now?.toISOString() ?? attempt.start),
        attempt.holder,
        ending(attempt, slot),
    ]));
    return rows.length === 0 ? [] : (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .columns */ .YB)(rows);
}
function ending(attempt, slot) {
    if (attempt.end === undefined)
        return slot.state;
    const why = attempt.reason ?? attempt.cause ?? '';
    const code = attempt.exitCode === undefined || why.includes('exit code') ? '' : `exit code ${attempt.exitCode}`;
    return [why, code].filter(Boolean).join(', ');
}
function span(from, to) {
    return (0,_lib_duration_js__WEBPACK_IMPORTED_MODULE_2__/* .formatDuration */ .a3)(Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 100) / 10));
}


/***/ }),

/***/ 57164:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   OF: () => (/* binding */ fenced),
/* harmony export */   TM: () => (/* binding */ folded),
/* harmony export */   Uw: () => (/* binding */ cutBytes),
/* harmony export */   tp: () => (/* binding */ table)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(40859);
/** Small pieces of Markdown in which text of others can do nothing but be read. */

function table(head, rows) {
    const line = (cells) => `| ${cells.join(' | ')} |`;
    return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
/** A block of code that no text inside can end. */
function fenced(text, language = 'text') {
    const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
    const fence = '`'.repeat(longest + 1);
    return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
function folded(title, body, open = false) {
    return `<details${open ? ' open' : ''}><summary>${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .inline */ .mG)(title)}</summary>\n\n${body}\n\n</details>`;
}
/** At most so many bytes, whole characters. */
function cutBytes(text, most) {
    const bytes = Buffer.from(text);
    if (bytes.length <= most)
        return text;
    return new TextDecoder('utf-8').decode(bytes.subarray(0, Math.max(0, most)), { stream: true });
}


/***/ }),

/***/ 29901:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   h: () => (/* binding */ runnerFamily),
/* harmony export */   i: () => (/* binding */ runnerName)
/* harmony export */ });
/** What runners are called at their forge. */
/** GitHub takes 64 characters; incarnation, slot and number follow. */
const LONGEST_ID = 40;
/** All registrations of one launch share it; `undefined`: the name is none of ours. */
function runnerFamily(name) {
    return /^(tpi-.+-[0-9a-f]{10})-\d+-\d+(?:-r\d+)?$/.exec(name)?.[1];
}
/** Names of all runners of a deployment start with this; of one incarnation, when that is given. */
function runnerName(id, incarnation) {
    const short = id.length <= LONGEST_ID ? id : `tpi-${id.slice(-10)}`;
    return incarnation === undefined ? `${short}-` : `${short}-${incarnation}`;
}


/***/ }),

/***/ 30539:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CQ: () => (/* binding */ LISTED),
/* harmony export */   xZ: () => (/* binding */ takeBackIdle),
/* harmony export */   zH: () => (/* binding */ takeBack)
/* harmony export */ });
/* harmony import */ var _lib_retry_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39088);

/** Milliseconds after which whatever was registered is taken to be in the forge's list; what is not in it then is gone. */
const LISTED = 2 * 60_000;
/** Milliseconds for which a forge is asked again about jobs whose machines are gone: such that were told to end do so in seconds, others take it minutes. */
const ENDING = 10_000;
/** All whose names start with the prefix, and those that were made only just now. */
async function takeBack(forge, prefix, recent) {
    const listed = await forge.runners(prefix);
    const all = new Map([...recent, ...listed].flatMap(({ id, name }) => (id === undefined ? [] : [[id, { id, name }]])));
    return evictAll(forge, [...all.values()]);
}
/** Those that had a job, now that their machines are gone: what a forge takes for busy it keeps, and its word for that comes late. */
async function takeBackIdle(clock, forge, had, signal) {
    const until = clock.now() + ENDING;
    let removed = 0;
    let busy = had;
    for (let attempt = 1;; attempt++) {
        const now = await evictAll(forge, busy);
        removed += now.removed;
        busy = now.busy;
        const left = until - clock.now();
        if (busy.length === 0 || left <= 0)
            return { removed, busy };
        await clock.sleep(Math.min(left, (0,_lib_retry_js__WEBPACK_IMPORTED_MODULE_0__/* .backoff */ .J)(attempt, { first: 500, longest: 3000 })), signal);
    }
}
async function evictAll(forge, all) {
    const busy = [];
    let removed = 0;
    for (const one of all) {
        const outcome = await forge.evict(one.id);
        if (outcome === 'busy')
            busy.push(one);
        if (outcome === 'removed')
            removed++;
    }
    return { removed, busy };
}


/***/ }),

/***/ 82743:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ae: () => (/* binding */ contentHash),
/* harmony export */   KX: () => (/* binding */ HeldEntries),
/* harmony export */   Qn: () => (/* binding */ holdEntries),
/* harmony export */   lI: () => (/* binding */ Gatherer),
/* harmony export */   yn: () => (/* binding */ UNREAD)
/* harmony export */ });
/* unused harmony export BARE */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var _lib_heap_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(42273);
/* harmony import */ var _pieces_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(16832);
/* harmony import */ var _scan_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(61866);
/**
 * Entries in columns, beside the paths: what a hundred thousand files are must fit beside the script's own memory. An entry is an object only
 * while somebody looks at it.
 */




/** What is in a file of one piece is the number of that piece; else one of these. */
const UNREAD = -1;
/** A folder, or an empty file. */
const BARE = -2;
/** A link, or a file of several pieces. */
const MORE = -3;
class HeldEntries {
    columns;
    pieces;
    constructor(columns, pieces) {
        this.columns = columns;
        this.pieces = pieces;
    }
    get length() {
        return this.columns.paths.length;
    }
    isRead(number) {
        return (this.columns.content[number] ?? UNREAD) !== UNREAD;
    }
    /** `undefined`: not read yet, or not readable. */
    at(number) {
        const { paths, kind, mode, mtime, more } = this.columns;
        const path = paths[number];
        if (path === undefined || !this.isRead(number))
            return undefined;
        if (kind[number] === _scan_js__WEBPACK_IMPORTED_MODULE_3__/* .FILE */ .PW)
            return new HeldFile(this, number);
        const named = { path, mode: mode[number] ?? 0, mtime: String(mtime[number]) };
        return kind[number] === _scan_js__WEBPACK_IMPORTED_MODULE_3__/* .LINK */ .ps ? { type: 'link', ...named, target: String(more.get(number)) } : { type: 'folder', ...named };
    }
    *[Symbol.iterator]() {
        for (let number = 0; number < this.length; number++) {
            const entry = this.at(number);
            if (entry !== undefined)
                yield entry;
        }
    }
    /** Pieces of a file, by number. */
    piecesOf(number) {
        const content = this.columns.content[number] ?? UNREAD;
        if (content >= 0)
            return [content];
        const more = content === MORE ? this.columns.more.get(number) : undefined;
        return typeof more === 'object' ? more : [];
    }
    /** Bytes of a file. */
    sizeOf(number) {
        return this.piecesOf(number).reduce((total, piece) => total + this.pieces.size(piece), 0);
    }
    /** Whether a piece of the entry lies in one of the objects. */
    liesIn(number, keys) {
        return this.piecesOf(number).some((piece) => keys.has(this.pieces.stretch(piece).key));
    }
    /** A file of these pieces, a link that points there, or nothing more to say. */
    set(number, what) {
        const { content, more } = this.columns;
        const [first, second] = typeof what === 'string' ? [] : what;
        if (typeof what !== 'string' && second === undefined)
            content[number] = first ?? BARE;
        else {
            content[number] = MORE;
            more.set(number, what);
        }
    }
    /** What another one of the same pieces says of an equal path. */
    take(number, { columns: theirs }, other) {
        const { mtime, content, more } = this.columns;
        const what = theirs.more.get(other);
        mtime[number] = theirs.mtime[other] ?? 0n;
        content[number] = theirs.content[other] ?? UNREAD;
        if (what !== undefined)
            more.set(number, what);
    }
    /** Without what was not read. */
    whole() {
        const { paths, content } = this.columns;
        if (!content.subarray(0, paths.length).includes(UNREAD))
            return this;
        const gatherer = new Gatherer(this.pieces);
        for (const entry of this)
            gatherer.add(entry);
        return gatherer.end();
    }
    /** The same with files unread that have a piece in one of the objects. */
    without(keys) {
        const content = this.columns.content.slice();
        for (let number = 0; number < this.length; number++)
            if (this.liesIn(number, keys))
                content[number] = UNREAD;
        return new HeldEntries({ ...this.columns, content }, this.pieces);
    }
    /** The pieces that are named here are marked. */
    mark(marks) {
        for (let number = 0; number < this.length; number++)
            for (const piece of this.piecesOf(number))
                marks[piece] = 1;
    }
    /** The same with other pieces; `numbers`: which of them for each one of ours. */
    moved(pieces, numbers) {
        const { content, more } = this.columns;
        const to = (piece) => numbers[piece] ?? 0;
        const moved = [...more].map(([number, what]) => [number, typeof what === 'string' ? what : what.map(to)]);
        const columns = { ...this.columns, content: content.map((what) => (what < 0 ? what : to(what))), more: new Map(moved) };
        return new HeldEntries(columns, pieces);
    }
}
class HeldFile {
    held;
    number;
    constructor(held, number) {
        this.held = held;
        this.number = number;
    }
    get type() {
        return 'file';
    }
    get path() {
        return this.held.columns.paths[this.number] ?? '';
    }
    get mode() {
        return this.held.columns.mode[this.number] ?? 0;
    }
    get mtime() {
        return String(this.held.columns.mtime[this.number]);
    }
    get size() {
        return this.held.sizeOf(this.number);
    }
    get hash() {
        const { pieces } = this.held;
        return contentHash(this.held.piecesOf(this.number).map((piece) => pieces.hex(piece)));
    }
    get pieces() {
        const { pieces } = this.held;
        return this.held.piecesOf(this.number).map((piece) => pieces.at(piece));
    }
}
const KINDS = { file: _scan_js__WEBPACK_IMPORTED_MODULE_3__/* .FILE */ .PW, folder: _scan_js__WEBPACK_IMPORTED_MODULE_3__/* .FOLDER */ .L7, link: _scan_js__WEBPACK_IMPORTED_MODULE_3__/* .LINK */ .ps };
/** Takes entries one by one, in order. */
class Gatherer {
    #pieces;
    #paths = [];
    #kind = new Uint8Array(1024);
    #mode = new Uint16Array(1024);
    #mtime = new BigInt64Array(1024);
    #content = new Int32Array(1024);
    #more = new Map();
    #held;
    #last = _pieces_js__WEBPACK_IMPORTED_MODULE_2__/* .NOWHERE */ .JW;
    constructor(pieces) {
        this.#pieces = pieces;
        this.#held = this.#hold();
    }
    add(entry) {
        const number = this.#paths.push(entry.path) - 1;
        if (number === this.#kind.length)
            this.#grow();
        this.#kind[number] = KINDS[entry.type];
        this.#mode[number] = entry.mode;
        this.#mtime[number] = BigInt(entry.mtime);
        if (entry instanceof HeldFile && entry.held.pieces === this.#pieces)
            this.#held.take(number, entry.held, entry.number);
        else if (entry.type === 'file')
            this.#held.set(number, entry.pieces.map((piece) => this.#piece(piece)));
        else
            this.#held.set(number, entry.type === 'link' ? entry.target : []);
    }
    end() {
        return this.#held;
    }
    #hold() {
        const columns = { paths: this.#paths, kind: this.#kind, mode: this.#mode, mtime: this.#mtime, content: this.#content, more: this.#more };
        return new HeldEntries(columns, this.#pieces);
    }
    #piece({ sha256, key, from, length, offset, size, zstd }) {
        const last = this.#last;
        const near = last.key === key && last.zstd === zstd && (!zstd || (last.from === from && last.length === length));
        if (key === '')
            this.#last = _pieces_js__WEBPACK_IMPORTED_MODULE_2__/* .NOWHERE */ .JW;
        else if (!near)
            this.#last = { key, from: zstd ? from : 0, length: zstd ? length : 0, zstd };
        return this.#pieces.add((0,_pieces_js__WEBPACK_IMPORTED_MODULE_2__/* .fromHex */ .aD)(sha256), size, this.#last, zstd ? offset : from);
    }
    #grow() {
        const length = this.#kind.length * 2;
        this.#kind = (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .grown */ .gT)(this.#kind, length);
        this.#mode = (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .grown */ .gT)(this.#mode, length);
        this.#mtime = (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .grown */ .gT)(this.#mtime, length);
        this.#content = (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .grown */ .gT)(this.#content, length);
        this.#held = this.#hold();
    }
}
/** All of them in columns, with these pieces. */
function holdEntries(entries, pieces) {
    if (entries instanceof HeldEntries && entries.pieces === pieces)
        return entries;
    const gatherer = new Gatherer(pieces);
    for (const entry of entries)
        gatherer.add(entry);
    return gatherer.end();
}
const EMPTY = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)('sha256', '');
/** Identity of a file's content from the hashes (hex) of its pieces; see FileEntry. */
function contentHash(hashes) {
    const [first, second] = hashes;
    if (first === undefined)
        return EMPTY;
    return second === undefined ? first : (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)('sha256', hashes.join(''));
}


/***/ }),

/***/ 45468:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CA: () => (/* binding */ errorCode),
/* harmony export */   JC: () => (/* binding */ SnapshotError),
/* harmony export */   e6: () => (/* binding */ isDamage),
/* harmony export */   go: () => (/* binding */ localError)
/* harmony export */ });
/** What can be wrong with a snapshot or the disk it is made from; failures of the store itself stay `StoreError`. */
class SnapshotError extends Error {
    name = 'SnapshotError';
    kind;
    constructor(kind, message, options) {
        super(message, options);
        this.kind = kind;
    }
}
/** A damaged generation: another one may be whole. */
function isDamage(error) {
    return error instanceof SnapshotError && (error.kind === 'corrupt' || error.kind === 'lost');
}
/** The system's name of what went wrong (`ENOENT`, …). */
function errorCode(error) {
    if (typeof error !== 'object' || error === null || !('code' in error))
        return undefined;
    return typeof error.code === 'string' ? error.code : undefined;
}
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** Says what failed in one line; leaves alone what the file system did not throw. */
function localError(what, error) {
    const code = errorCode(error);
    if (code === undefined || typeof error !== 'object' || error === null || !('syscall' in error))
        return error;
    if (FULL.has(code))
        return new SnapshotError('disk-full', `could not ${what}: no space left on the disk`, { cause: error });
    const why = 'message' in error ? String(error.message) : code;
    return new SnapshotError('local', `could not ${what}: ${why}`, { cause: error });
}


/***/ }),

/***/ 70741:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ab: () => (/* binding */ SHARED_FRAME),
/* harmony export */   kA: () => (/* binding */ framesOf),
/* harmony export */   t0: () => (/* binding */ placeFrame)
/* harmony export */ });
/* harmony import */ var _zstd_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31508);

/** Uncompressed bytes of a shared frame: enough to compress well, little enough to be read for the sake of one file. */
const SHARED_FRAME = 512 << 10;
/** A frame is kept compressed when that saves at least this share. */
const WORTH = 0.93;
/** Small files that lie side by side share a frame; a chunk has one of its own. */
function framesOf(parts) {
    const frames = [];
    let shared;
    for (const { from, size, piece, take } of parts) {
        if (piece === undefined)
            throw new Error('a part was not hashed');
        const joins = shared !== undefined && take === undefined && shared.from + shared.size === from && shared.size + size <= SHARED_FRAME;
        if (shared !== undefined && joins) {
            shared.size += size;
            shared.parts.push(piece);
            shared.places.push(from);
            continue;
        }
        const frame = { from, size, parts: [piece], places: [from] };
        frames.push(frame);
        shared = take === undefined ? frame : undefined;
    }
    return frames;
}
/** Moves a frame of the object `key` to `to` (never behind where it is), compressed where it pays; returns its length there. */
async function placeFrame(pieces, key, buffer, frame, to) {
    const plain = buffer.subarray(frame.from, frame.from + frame.size);
    const packed = shrinks(plain) ? await (0,_zstd_js__WEBPACK_IMPORTED_MODULE_0__/* .pack */ .qq)(plain) : undefined;
    const zstd = packed !== undefined && packed.bytes.length < frame.size * WORTH;
    const length = zstd ? packed.bytes.length : frame.size;
    if (zstd)
        packed.bytes.copy(buffer, to);
    else
        buffer.copyWithin(to, frame.from, frame.from + frame.size);
    packed?.free();
    const stretch = { key, from: to, length, zstd };
    for (const [number, piece] of frame.parts.entries()) {
        pieces.place(piece, stretch, (frame.places[number] ?? frame.from) - frame.from);
    }
    return length;
}
/** Judges by a few samples: incompressible data would cost a second per gigabyte for nothing. */
function shrinks(plain) {
    if (plain.length < 512)
        return false;
    if (plain.length <= 32 << 10)
        return true;
    const size = 4 << 10;
    const samples = plain.length < 1 << 20 ? 4 : 8;
    const step = Math.floor((plain.length - size) / (samples - 1));
    const taken = Buffer.concat(Array.from({ length: samples }, (_, number) => plain.subarray(number * step, number * step + size)));
    return (0,_zstd_js__WEBPACK_IMPORTED_MODULE_0__/* .packedSize */ .K6)(taken) < taken.length * WORTH;
}


/***/ }),

/***/ 83703:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   V0: () => (/* binding */ MOST_ENTRIES),
/* harmony export */   fN: () => (/* binding */ LONGEST_PATH),
/* harmony export */   i2: () => (/* binding */ LONGEST_LINE),
/* harmony export */   kH: () => (/* binding */ LOG_OF_WINDOW),
/* harmony export */   nP: () => (/* binding */ LARGEST_FRAME),
/* harmony export */   y$: () => (/* binding */ mostManifestBytes)
/* harmony export */ });
/** How large a snapshot may be: nothing larger is written, and whoever reads one that claims to be larger refuses it before it costs memory. */
/** Uncompressed bytes of a piece, of the frame that it lies in, and of that frame as it is stored. */
const LARGEST_FRAME = 4 << 20;
/** Bytes of one line of a manifest: a file of half a terabyte, or the names of 370 000 objects. */
const LONGEST_LINE = 16 << 20;
/** Files, folders and links of a snapshot. */
const MOST_ENTRIES = 1_500_000;
/** Bytes of a path and of the target of a link, as Linux has it. */
const LONGEST_PATH = 4096;
/** Bytes of memory that a stream may ask for to look back (a power of two): what we write needs half a megabyte. */
const LOG_OF_WINDOW = 23;
/** Uncompressed bytes of a manifest that has so many stored bytes. Names in a row compress to a hundredth. */
function mostManifestBytes(stored) {
    return (64 << 20) + 128 * stored;
}


/***/ }),

/***/ 11760:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  sJ: () => (/* binding */ eachEntry),
  Gb: () => (/* binding */ encodeManifest),
  Rn: () => (/* binding */ manifestKey),
  uv: () => (/* binding */ objectKeys),
  WI: () => (/* binding */ readManifest)
});

// UNUSED EXPORTS: decodeManifest

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: external "node:stream/promises"
var promises_ = __webpack_require__(46466);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(38522);
// EXTERNAL MODULE: ./build/js/lib/heap.js + 2 modules
var heap = __webpack_require__(42273);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/snapshot/entries.js
var entries = __webpack_require__(82743);
// EXTERNAL MODULE: ./build/js/snapshot/errors.js
var errors = __webpack_require__(45468);
// EXTERNAL MODULE: ./build/js/snapshot/limits.js
var limits = __webpack_require__(83703);
// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(57075);
// EXTERNAL MODULE: ./build/js/snapshot/path.js
var snapshot_path = __webpack_require__(69916);
;// CONCATENATED MODULE: ./build/js/snapshot/manifest-reader.js
/** Reads a manifest (see manifest.ts) entry by entry, and believes nothing that it has not checked. */









const UNPACK = { chunkSize: 1 << 18, params: { [external_node_zlib_.constants.ZSTD_d_windowLogMax]: limits/* LOG_OF_WINDOW */.kH } };
async function readLines(bytes, take) {
    const reader = new LineReader(take, (0,limits/* mostManifestBytes */.y$)(bytes.length));
    try {
        await (0,promises_.pipeline)(external_node_stream_.Readable.from([bytes]), (0,external_node_zlib_.createZstdDecompress)(UNPACK), async (source) => {
            for await (const chunk of source) {
                reader.feed(chunk);
                (0,heap/* freeLast */.FZ)(chunk);
            }
        });
    }
    catch (error) {
        if (error instanceof errors/* SnapshotError */.JC)
            throw error;
        throw corrupt('the manifest cannot be read', { cause: error });
    }
    return reader.end();
}
const corrupt = (message, options) => new errors/* SnapshotError */.JC('corrupt', message, options);
class LineReader {
    #take;
    #header;
    #entries = 0;
    #last;
    #folders = new Set(['']);
    /** Parts of a line whose end has not come yet: each byte is copied once and searched once. */
    #rest = [];
    #held = 0;
    #total = 0;
    #most;
    /** `most`: uncompressed bytes in all. */
    constructor(take, most) {
        this.#take = take;
        this.#most = most;
    }
    feed(chunk) {
        this.#total += chunk.length;
        if (this.#total > this.#most)
            throw corrupt(`the manifest has more than ${this.#most} bytes for what is stored of it`);
        let from = 0;
        for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
            this.#held += end - from;
            if (this.#held > limits/* LONGEST_LINE */.i2)
                throw tooLong();
            this.#line(parseLine(this.#rest.length > 0 ? Buffer.concat([...this.#rest, chunk.subarray(from, end)]) : chunk.subarray(from, end)));
            this.#rest = [];
            this.#held = 0;
            from = end + 1;
        }
        if (from === chunk.length)
            return;
        this.#held += chunk.length - from;
        if (this.#held > limits/* LONGEST_LINE */.i2)
            throw tooLong();
        this.#rest.push(Buffer.from(chunk.subarray(from)));
    }
    end() {
        const header = this.#header;
        if (header === undefined || this.#held > 0 || this.#entries !== header.entries)
            throw corrupt('the manifest is cut off');
        return header;
    }
    #line(line) {
        if (this.#header === undefined) {
            this.#header = readHeader(line);
            return;
        }
        if (this.#entries === this.#header.entries)
            throw corrupt(`the manifest has more entries than the ${this.#entries} that it announces`);
        const entry = readEntry(line, this.#header.keys);
        if (!(0,snapshot_path/* isConfined */.TF)(entry.path))
            throw corrupt(`the manifest names a path outside: ${(0,snapshot_path/* showPath */.P8)(entry.path)}`);
        if (this.#last !== undefined && (0,snapshot_path/* comparePaths */.cD)(this.#last, entry.path) >= 0)
            throw corrupt(`the manifest is out of order at ${(0,snapshot_path/* showPath */.P8)(entry.path)}`);
        if (!this.#folders.has((0,snapshot_path/* parentPath */.yl)(entry.path)))
            throw corrupt(`the manifest puts ${(0,snapshot_path/* showPath */.P8)(entry.path)} into something that is not a folder`);
        if (entry.type === 'folder')
            this.#folders.add(entry.path);
        this.#last = entry.path;
        this.#entries += 1;
        this.#take(entry);
    }
}
const tooLong = () => corrupt(`the manifest has a line of more than ${limits/* LONGEST_LINE */.i2} bytes`);
/** Bytes of a line that open a list or an object become a hundred times as much memory: ours have one in every hundred bytes. */
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const FEW = 65_536;
function parseLine(bytes) {
    if (bytes.length > FEW) {
        let opened = 0;
        for (const byte of bytes)
            if (byte === OPEN_LIST || byte === OPEN_OBJECT)
                opened += 1;
        if (opened > FEW + bytes.length / 32)
            throw corrupt('the manifest has a line that is not an entry');
    }
    return JSON.parse(bytes.toString('utf8'));
}
function readHeader(line) {
    if (typeof line !== 'object' || line === null)
        throw corrupt('the manifest has no header');
    const { v, quiet, unquiet, keys, entries } = line;
    if (typeof v === 'number' && v !== 1)
        throw corrupt(`the manifest has version ${v}, this program reads 1`);
    if (v !== 1 || typeof quiet !== 'boolean' || typeof entries !== 'number')
        throw corrupt('the manifest has no header');
    if (!(entries <= limits/* MOST_ENTRIES */.V0))
        throw corrupt(`the manifest announces ${entries} entries: a snapshot has at most ${limits/* MOST_ENTRIES */.V0}`);
    const list = texts(keys);
    if (!list.every(snapshot_path/* isConfined */.TF))
        throw corrupt('the manifest names an object outside its deployment');
    return { quiet, unquiet: texts(unquiet), keys: list, entries };
}
function texts(value) {
    if (!Array.isArray(value))
        throw corrupt('the manifest has a list missing');
    return value.map(manifest_reader_text);
}
function manifest_reader_text(value) {
    if (typeof value !== 'string')
        throw corrupt('the manifest has a text missing');
    return value;
}
function pathText(value) {
    const path = manifest_reader_text(value);
    if (path.length > limits/* LONGEST_PATH */.fN)
        throw corrupt(`the manifest has a path of more than ${limits/* LONGEST_PATH */.fN} bytes`);
    return path;
}
function count(value) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
        throw corrupt('the manifest has a number missing');
    return value;
}
function readEntry(line, keys) {
    if (!Array.isArray(line))
        throw corrupt('the manifest has a line that is not an entry');
    const [type, path, mode, mtime, fifth, sixth] = line;
    const named = { path: pathText(path), mode: count(mode) & 0o7777, mtime: manifest_reader_text(mtime) };
    if (!/^-?\d{1,20}$/.test(named.mtime) || BigInt.asIntN(64, BigInt(named.mtime)) !== BigInt(named.mtime))
        throw corrupt(`the manifest has no time for ${(0,snapshot_path/* showPath */.P8)(named.path)}`);
    if (type === 'd')
        return { type: 'folder', ...named };
    if (type === 'l')
        return { type: 'link', ...named, target: pathText(fifth) };
    if (type !== 'f')
        throw corrupt(`the manifest has an entry of unknown type for ${(0,snapshot_path/* showPath */.P8)(named.path)}`);
    return readFile(named, count(fifth), manifest_reader_text(sixth), line.slice(6), keys);
}
function readFile(named, size, sum, list, keys) {
    const pieces = list.map((raw) => readPiece(raw, sum, keys));
    const total = pieces.reduce((bytes, piece) => bytes + piece.size, 0);
    if (total !== size || (0,entries/* contentHash */.Ae)(pieces.map(({ sha256 }) => sha256)) !== sum)
        throw corrupt(`the pieces of ${(0,snapshot_path/* showPath */.P8)(named.path)} do not add up`);
    return { type: 'file', ...named, size, hash: sum, pieces };
}
function readPiece(raw, sum, keys) {
    if (!Array.isArray(raw))
        throw corrupt('the manifest has a piece missing');
    const [number, sha256, from, length, offset, size, zstd] = raw;
    const key = number === -1 ? '' : keys[count(number)];
    if (key === undefined)
        throw corrupt('the manifest names an unknown object');
    const piece = {
        key,
        sha256: hashText(manifest_reader_text(sha256) || sum),
        from: count(from),
        length: count(length),
        offset: count(offset),
        size: count(size),
        zstd: zstd === 1,
    };
    if (Math.max(piece.length, piece.offset + piece.size) > limits/* LARGEST_FRAME */.nP || piece.from + piece.length > store/* MAX_OBJECT_BYTES */.lu)
        throw corrupt('the manifest has a piece that is larger than any object of ours');
    if (!piece.zstd && (piece.length !== (key === '' ? 0 : piece.size) || piece.offset !== 0))
        throw corrupt('the manifest has a piece that is longer or shorter than its bytes');
    return piece;
}
function hashText(value) {
    if (!/^[0-9a-f]{64}$/.test(value))
        throw corrupt('the manifest has a hash missing');
    return value;
}

// EXTERNAL MODULE: ./build/js/snapshot/patience.js
var patience = __webpack_require__(61056);
// EXTERNAL MODULE: ./build/js/snapshot/pieces.js
var pieces = __webpack_require__(16832);
// EXTERNAL MODULE: ./build/js/snapshot/scan.js
var scan = __webpack_require__(61866);
;// CONCATENATED MODULE: ./build/js/snapshot/manifest.js
/**
 * Manifests as objects of the store: `<at>m-<digest>`, zstd over lines of JSON; the digest is SHA-256 of the stored (compressed) bytes, so
 * nothing is unpacked that was not verified. The first line is the header, then one line per entry in order:
 *
 *     {"v":1,"quiet":true,"unquiet":[],"keys":["slots/0/snap/p-…"],"entries":2}
 *     ["d","src",493,"1700000000000000000"]
 *     ["f","src/a.py",420,"1700000000000000000",12,"<hash>",[0,"<sha256>",0,12,0,12,0]]
 *     ["l","latest",511,"1700000000000000000","src/a.py"]
 *
 * A piece is `[key number, sha256, from, length, offset, size, zstd]`; key number -1 is a run of zeros, and an empty hash or sha256 says
 * that it equals the other one.
 */













const LINES_AT_ONCE = 500;
const manifestKey = (ref) => `${ref.at}m-${ref.digest}`;
/** Keys (relative to the root) of every object the manifest's pieces lie in. */
function objectKeys(manifest) {
    const keys = new Set();
    for (const entry of manifest.entries) {
        if (entry.type === 'file')
            for (const piece of entry.pieces)
                if (piece.key !== '')
                    keys.add(piece.key);
    }
    return keys;
}
async function encodeManifest(manifest) {
    if (manifest.entries.length > limits/* MOST_ENTRIES */.V0)
        throw tooLarge(manifest, `a snapshot has at most ${limits/* MOST_ENTRIES */.V0}`);
    let plain = 0;
    const chunks = [];
    const zstd = (0,external_node_zlib_.createZstdCompress)({ params: { [external_node_zlib_.constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 1 << 18 });
    zstd.on('data', (chunk) => chunks.push(chunk));
    const ended = (0,promises_.finished)(zstd);
    for await (const lines of manifestLines(manifest)) {
        plain += lines.length;
        await Promise.race([ended, new Promise((resolve) => zstd.write(lines, () => resolve()))]);
        (0,heap/* free */.t9)(lines);
    }
    zstd.end();
    await ended;
    const bytes = Buffer.concat(chunks);
    for (const chunk of chunks)
        (0,heap/* freeLast */.FZ)(chunk);
    if (bytes.length > store/* MAX_OBJECT_BYTES */.lu || plain > (0,limits/* mostManifestBytes */.y$)(bytes.length))
        throw tooLarge(manifest, 'more than one manifest can name');
    return { bytes, digest: (0,external_node_crypto_.hash)('sha256', bytes) };
}
async function* manifestLines(manifest) {
    const { entries, quiet, unquiet } = manifest;
    const keys = new Map([...objectKeys(manifest)].map((key, number) => [key, number]));
    const header = Buffer.from(`${JSON.stringify({ v: 1, quiet, unquiet, keys: [...keys.keys()], entries: entries.length })}\n`);
    if (header.length > limits/* LONGEST_LINE */.i2)
        throw tooLarge(manifest, `they lie in ${keys.size} objects, more than one manifest can name`);
    yield header;
    for (let from = 0; from < entries.length; from += LINES_AT_ONCE) {
        let text = '';
        for (let number = from; number < Math.min(from + LINES_AT_ONCE, entries.length); number++) {
            const entry = entries.at(number);
            if (entry !== undefined)
                text += checkedLine(entry, keys);
        }
        yield Buffer.from(text);
        await (0,scan/* nextTurn */.tJ)();
    }
}
function tooLarge({ entries }, why) {
    return new errors/* SnapshotError */.JC('too-large', `could not save ${entries.length} files: ${why}`);
}
function checkedLine(entry, keys) {
    const line = JSON.stringify(entryLine(entry, keys));
    if (line.length > limits/* LONGEST_LINE */.i2)
        throw new errors/* SnapshotError */.JC('too-large', `could not save ${(0,snapshot_path/* showPath */.P8)(entry.path)}: it has too many pieces`);
    return `${line}\n`;
}
function entryLine(entry, keys) {
    const { path, mode, mtime } = entry;
    if (entry.type === 'folder')
        return ['d', path, mode, mtime];
    if (entry.type === 'link')
        return ['l', path, mode, mtime, entry.target];
    const line = ['f', path, mode, mtime, entry.size, entry.hash];
    for (const { key, sha256, from, length, offset, size, zstd } of entry.pieces) {
        line.push([keys.get(key) ?? -1, sha256 === entry.hash ? '' : sha256, from, length, offset, size, zstd ? 1 : 0]);
    }
    return line;
}
/** Reads and checks a manifest. Throws `lost` or `corrupt`, and StoreError; `unavailable` is retried until the signal. */
async function readManifest(store, root, ref, signal) {
    const bytes = await manifestBytes(store, root, ref, signal);
    const manifest = await decodeManifest(bytes);
    (0,heap/* free */.t9)(bytes); // a store hands out bytes of the reader's own
    return manifest;
}
/** The same entry by entry, in order, for who does not want to hold them all. */
async function eachEntry(store, root, ref, take, signal) {
    const bytes = await manifestBytes(store, root, ref, signal);
    await readLines(bytes, take);
    (0,heap/* free */.t9)(bytes);
}
async function manifestBytes(store, root, ref, signal) {
    const key = manifestKey(ref);
    const object = await (0,patience/* patiently */.d)(() => store.read(root + key, undefined, signal), signal);
    if (object === undefined)
        throw new errors/* SnapshotError */.JC('lost', `snapshot ${ref.digest.slice(0, 12)} is not in the store`);
    if ((0,external_node_crypto_.hash)('sha256', object.bytes) !== ref.digest)
        throw corrupt(`snapshot ${ref.digest.slice(0, 12)} does not match its digest`);
    return object.bytes;
}
async function decodeManifest(bytes) {
    const gatherer = new entries/* Gatherer */.lI(new pieces/* Pieces */.q5());
    const { quiet, unquiet } = await readLines(bytes, (entry) => gatherer.add(entry));
    return { v: 1, entries: gatherer.end(), quiet, unquiet };
}


/***/ }),

/***/ 40360:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ doneWith),
/* harmony export */   h: () => (/* binding */ digestElsewhere)
/* harmony export */ });
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(48161);
/* harmony import */ var _lib_heap_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(42273);
/** Keeps what we hold to what is in use. */


/** Below so many entries garbage is not worth a collection of its own. */
const MANY = 20_000;
/** At the end of what went through so many entries. */
function doneWith(entries) {
    if (entries >= MANY)
        (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .tidyUp */ .gN)();
}
/** Calls under way at once, of those that copy what they are given. */
const AT_ONCE = Math.min(4, Math.max(2, (0,node_os__WEBPACK_IMPORTED_MODULE_0__.availableParallelism)()));
const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
let next = 0;
/** SHA-256 on another thread. */
function digestElsewhere(bytes) {
    const lane = next++ % AT_ONCE;
    const digest = (lanes[lane] ?? Promise.resolve()).then(async () => Buffer.from(await crypto.subtle.digest('SHA-256', bytes)));
    lanes[lane] = digest.catch(() => undefined);
    return digest;
}


/***/ }),

/***/ 71098:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ND: () => (/* binding */ Packer),
/* harmony export */   be: () => (/* binding */ isZero),
/* harmony export */   br: () => (/* binding */ digest),
/* harmony export */   m$: () => (/* binding */ CHUNK),
/* harmony export */   o5: () => (/* binding */ SMALL)
/* harmony export */ });
/* harmony import */ var _lib_heap_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(42273);
/* harmony import */ var _frames_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(70741);
/* harmony import */ var _limits_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(83703);
/* harmony import */ var _memory_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(40360);
/* harmony import */ var _patience_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(61056);
/* harmony import */ var _pieces_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(16832);
/**
 * Turns bytes of files into objects of the store. A slab is a buffer that is filled by the reader, then, off the main thread, hashed,
 * compressed where it pays, squeezed together in place and uploaded as one object, while the reader fills the next one. The number of slabs
 * bounds both the memory and the uploads in flight.
 */






/** Bytes of an object, and of a piece of a longer file: what changed in it is found at that grain. */
const SLAB = _limits_js__WEBPACK_IMPORTED_MODULE_5__/* .LARGEST_FRAME */ .nP;
const CHUNK = SLAB;
/** Files below this share frames; hashing them costs less than handing them to another thread. */
const SMALL = 1 << 20;
/** Bytes that all slabs may take, less what is held of each file; and the fewest slabs with which uploads still overlap. */
const MEMORY = 32 << 20;
const HELD_PER_FILE = 400;
const FEWEST = 2;
const openSlab = (key, buffer) => ({ key, somewhere: { ..._pieces_js__WEBPACK_IMPORTED_MODULE_4__/* .NOWHERE */ .JW, key }, buffer, fill: 0, parts: [] });
const ZEROS = Buffer.alloc(CHUNK);
/** SHA-256 off the main thread where that is worth the way. */
async function digest(bytes) {
    if (bytes.length < SMALL)
        return (0,_pieces_js__WEBPACK_IMPORTED_MODULE_4__/* .sumOf */ .XN)(bytes);
    return (await (0,_memory_js__WEBPACK_IMPORTED_MODULE_2__/* .digestElsewhere */ .h)(bytes)).toString('latin1');
}
function isZero(bytes) {
    return bytes[0] === 0 && bytes.equals(ZEROS.subarray(0, bytes.length));
}
class Packer {
    #place;
    #known;
    #name;
    #signal;
    #stored;
    #free = [];
    #made = 0;
    #most = FEWEST;
    #slab;
    #running = new Set();
    #failure;
    /** `known` grows by what is stored; `name` gives the keys of new objects; `stored` hears of each. Without a place it only hashes. */
    constructor(place, known, name, stored, signal) {
        this.#place = place;
        this.#known = known;
        this.#name = name;
        this.#stored = stored;
        this.#signal = signal;
    }
    get pieces() {
        return this.#known.pieces;
    }
    /** How many files there are: the more of them, the less memory is left for slabs. */
    expect(files) {
        this.#most = Math.max(FEWEST, Math.floor((MEMORY - files * HELD_PER_FILE) / SLAB));
    }
    /** Where the next bytes go; `undefined`: ask `room` first. */
    fits(size) {
        const slab = this.#slab;
        return slab !== undefined && slab.fill + size <= SLAB ? { buffer: slab.buffer, at: slab.fill } : undefined;
    }
    /** Waits for space for `size` bytes (at most CHUNK); seals what is full. Throws what went wrong in the background. */
    async room(size) {
        if (this.#slab !== undefined && this.#slab.fill + size > SLAB)
            this.#seal();
        while (this.#slab === undefined) {
            if (this.#failure !== undefined)
                throw this.#failure.error;
            this.#signal?.throwIfAborted();
            const buffer = this.#free.pop() ?? (this.#made < this.#most ? this.#make() : undefined);
            if (buffer === undefined)
                await Promise.race(this.#running);
            else
                this.#slab = openSlab(this.#name(), buffer);
        }
        return { buffer: this.#slab.buffer, at: this.#slab.fill };
    }
    /** The last `room` now holds a whole small file. */
    addSmall(size) {
        const slab = this.#open();
        const bytes = slab.buffer.subarray(slab.fill, slab.fill + size);
        if (size >= 4096 && isZero(bytes))
            return this.#zeros(size);
        const sum = (0,_pieces_js__WEBPACK_IMPORTED_MODULE_4__/* .sumOf */ .XN)(bytes);
        const known = this.#known.get(sum);
        if (known !== undefined)
            return known;
        const piece = this.pieces.add(sum, size, slab.somewhere);
        this.#known.add(piece);
        slab.parts.push({ from: slab.fill, size, piece });
        slab.fill += size;
        return piece;
    }
    /** The last `room` now holds a chunk; `take` hears what became of it before `flush` resolves. */
    addChunk(size, take) {
        const slab = this.#open();
        slab.parts.push({ from: slab.fill, size, piece: undefined, take });
        slab.fill += size;
    }
    /** Everything added is in the store, or it throws. */
    async flush() {
        this.#seal();
        while (this.#running.size > 0)
            await Promise.race(this.#running);
        this.#release();
        if (this.#failure !== undefined)
            throw this.#failure.error;
    }
    /** Waits until nothing is under way, whatever became of it. */
    async drop() {
        if (this.#slab !== undefined)
            this.#forget(this.#slab);
        this.#slab = undefined;
        while (this.#running.size > 0)
            await Promise.race(this.#running);
        this.#release();
    }
    #release() {
        for (const buffer of this.#free.splice(0))
            (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_0__/* .free */ .t9)(buffer);
        this.#made = 0;
    }
    #make() {
        this.#made += 1;
        return Buffer.allocUnsafeSlow(SLAB);
    }
    #open() {
        if (this.#slab === undefined)
            throw new Error('no room was asked for');
        return this.#slab;
    }
    #seal() {
        const slab = this.#slab;
        this.#slab = undefined;
        if (slab === undefined)
            return;
        const task = this.#finish(slab).then(() => undefined, (error) => {
            this.#forget(slab);
            this.#failure ??= { error };
        });
        const tracked = task.finally(() => {
            this.#running.delete(tracked);
            this.#free.push(slab.buffer);
        });
        this.#running.add(tracked);
    }
    #forget(slab) {
        const lost = new Set(slab.parts.map(({ piece }) => piece));
        this.#known.keep((piece) => !lost.has(piece));
    }
    async #finish(slab) {
        const parts = await this.#hashChunks(slab);
        if (this.#place === undefined)
            return;
        const frames = (0,_frames_js__WEBPACK_IMPORTED_MODULE_1__/* .framesOf */ .kA)(parts);
        let total = 0;
        for (const frame of frames)
            total += await (0,_frames_js__WEBPACK_IMPORTED_MODULE_1__/* .placeFrame */ .t0)(this.pieces, slab.key, slab.buffer, frame, total);
        if (total === 0)
            return;
        const { store, root } = this.#place;
        const body = slab.buffer.subarray(0, total);
        await (0,_patience_js__WEBPACK_IMPORTED_MODULE_3__/* .patiently */ .d)(() => store.write(root + slab.key, body, undefined, this.#signal), this.#signal);
        this.#stored(slab.key, total);
    }
    #zeros(size) {
        return this.pieces.zeros(size, () => (0,_pieces_js__WEBPACK_IMPORTED_MODULE_4__/* .sumOf */ .XN)(ZEROS.subarray(0, size)));
    }
    /** Parts whose bytes must be stored. */
    async #hashChunks(slab) {
        const fresh = [];
        for (const part of slab.parts) {
            if (part.take === undefined) {
                fresh.push(part);
                continue;
            }
            const bytes = slab.buffer.subarray(part.from, part.from + part.size);
            if (isZero(bytes)) {
                part.take(this.#zeros(part.size));
                continue;
            }
            const sum = await digest(bytes);
            const known = this.#known.get(sum);
            const piece = known ?? this.pieces.add(sum, part.size, slab.somewhere);
            part.take(piece);
            if (known !== undefined)
                continue;
            part.piece = piece;
            this.#known.add(piece);
            fresh.push(part);
        }
        return fresh;
    }
}


/***/ }),

/***/ 69916:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ge: () => (/* binding */ isDoubtful),
/* harmony export */   Kf: () => (/* binding */ nameSome),
/* harmony export */   Nk: () => (/* binding */ relativeLink),
/* harmony export */   P8: () => (/* binding */ showPath),
/* harmony export */   TF: () => (/* binding */ isConfined),
/* harmony export */   cD: () => (/* binding */ comparePaths),
/* harmony export */   e4: () => (/* binding */ decodeName),
/* harmony export */   vb: () => (/* binding */ nativePath),
/* harmony export */   yl: () => (/* binding */ parentPath)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(76760);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);
/** Paths inside a snapshot: strings in which bytes that are not UTF-8 are kept as lone surrogates (U+DC80 … U+DCFF, one per byte). */


const REPLACEMENT = '\ufffd';
/** May stand for bytes that were lost in decoding: read the name again as bytes. */
function isDoubtful(name) {
    return name.includes(REPLACEMENT);
}
function decodeName(bytes) {
    const plain = bytes.toString('utf8');
    if (!plain.includes(REPLACEMENT) || Buffer.from(plain).equals(bytes))
        return plain;
    let name = '';
    for (let at = 0; at < bytes.length;) {
        const wanted = sequenceLength(bytes[at] ?? 0);
        const slice = bytes.subarray(at, at + wanted);
        const text = slice.toString('utf8');
        if (wanted > 0 && slice.length === wanted && Buffer.from(text).equals(slice)) {
            name += text;
            at += wanted;
        }
        else {
            name += String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
            at += 1;
        }
    }
    return name;
}
function sequenceLength(lead) {
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead < 0xe0)
        return 2;
    if (lead >= 0xe0 && lead < 0xf0)
        return 3;
    return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}
/** The path as the file system wants it. */
function nativePath(path) {
    if (path.isWellFormed())
        return path;
    const parts = [];
    for (const char of path) {
        const code = char.codePointAt(0) ?? 0;
        parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code - 0xdc00) : Buffer.from(char));
    }
    return Buffer.concat(parts);
}
/** The path for people: one line, nothing that a terminal would act on. */
function showPath(path) {
    return (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .printable */ .g$)(JSON.stringify(path));
}
const NAMED = 5;
/** A few of them for people, and how many more there are. */
function nameSome(paths) {
    const named = paths.slice(0, NAMED).map(showPath).join(', ');
    return paths.length > NAMED ? `${named} and ${paths.length - NAMED} more` : named;
}
/** Name by name: a folder comes right before what is in it. */
function comparePaths(a, b) {
    const length = Math.min(a.length, b.length);
    for (let at = 0; at < length; at++) {
        const left = a.charCodeAt(at);
        const right = b.charCodeAt(at);
        if (left === right)
            continue;
        if (left === 47)
            return -1;
        return right === 47 || left > right ? 1 : -1;
    }
    return a.length - b.length;
}
/** Stays inside whatever folder it is joined to. */
function isConfined(path) {
    if (path === '' || path.includes('\0'))
        return false;
    for (const name of path.split('/'))
        if (name === '' || name === '.' || name === '..')
            return false;
    return true;
}
/** What a link at `path` in the folder says for `target`, a path from the root; `undefined`: that is not below the folder, as it is written. */
function relativeLink(folder, path, target) {
    if (target !== folder && !target.startsWith(`${folder}/`))
        return undefined;
    const names = target
        .slice(folder.length)
        .split('/')
        .filter((name) => name !== '' && name !== '.');
    if (names.includes('..'))
        return undefined;
    return node_path__WEBPACK_IMPORTED_MODULE_0__.posix.relative(`/${parentPath(path)}`, `/${names.join('/')}`) || '.';
}
/** `a/b` of `a/b/c`; empty at the top. */
function parentPath(path) {
    return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}


/***/ }),

/***/ 61056:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ patiently)
/* harmony export */ });
/* harmony import */ var _wire_outage_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(90239);
/** Store calls that wait out an outage. */

/** Milliseconds: at most before the first repetition, and ever. */
const PAUSE = { first: 100, longest: 5000 };
/** Milliseconds after which a call without a signal of its own gives up. */
const UNATTENDED = 120_000;
/** Repeats `call` while the store is `unavailable`, until the signal; every other failure is thrown at once. */
async function patiently(call, signal) {
    return (0,_wire_outage_js__WEBPACK_IMPORTED_MODULE_0__/* .outlast */ .f)(call, { ...PAUSE, patience: signal ? undefined : UNATTENDED, signal });
}


/***/ }),

/***/ 16832:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   JW: () => (/* binding */ NOWHERE),
/* harmony export */   XN: () => (/* binding */ sumOf),
/* harmony export */   aD: () => (/* binding */ fromHex),
/* harmony export */   q5: () => (/* binding */ Pieces)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/**
 * Pieces in columns: a hundred thousand files must fit beside the script's own memory, and nearly all of them are one piece long. A piece is
 * a number here, and an object only while somebody looks at it.
 */

const sumOf = (bytes) => (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)('sha256', bytes, 'binary');
const fromHex = (hex) => Buffer.from(hex, 'hex').toString('latin1');
/** Where zeros lie. */
const NOWHERE = { key: '', from: 0, length: 0, zstd: false };
const SUM = 32;
/** Pieces of a page. More of the same is better for the heap than longer columns in place of shorter ones. */
const PAGE = 8192;
/** Lengths of runs of zeros that are remembered. */
const MOST_ZEROS = 1000;
function newPage() {
    const numbers = () => new Float64Array(PAGE);
    return { sums: Buffer.from(new ArrayBuffer(PAGE * SUM)), size: numbers(), within: numbers(), stretch: new Int32Array(PAGE) };
}
class Pieces {
    #count = 0;
    #pages = [];
    #stretches = [NOWHERE];
    #zeros = new Map();
    get count() {
        return this.#count;
    }
    /** Returns its number. Where it lies may have to be found out yet. */
    add(sum, size, stretch, within = 0) {
        const number = this.#count++;
        if (number % PAGE === 0)
            this.#pages.push(newPage());
        const page = this.#page(number);
        page.sums.write(sum, (number % PAGE) * SUM, SUM, 'latin1');
        page.size[number % PAGE] = size;
        this.place(number, stretch, within);
        return number;
    }
    /** A run of zeros, which lies nowhere: one for all of that length. */
    zeros(size, sum) {
        const number = this.#zeros.get(size) ?? this.add(sum(), size, NOWHERE);
        if (this.#zeros.size < MOST_ZEROS)
            this.#zeros.set(size, number);
        return number;
    }
    place(number, stretch, within) {
        if (stretch !== NOWHERE && this.#stretches.at(-1) !== stretch)
            this.#stretches.push(stretch);
        const page = this.#page(number);
        page.stretch[number % PAGE] = stretch === NOWHERE ? 0 : this.#stretches.length - 1;
        page.within[number % PAGE] = within;
    }
    has(number, sum) {
        const { sums } = this.#page(number);
        const from = (number % PAGE) * SUM;
        for (let at = 0; at < SUM; at++)
            if (sums[from + at] !== sum.charCodeAt(at))
                return false;
        return true;
    }
    sum(number) {
        return this.#text(number, 'latin1');
    }
    hex(number) {
        return this.#text(number, 'hex');
    }
    size(number) {
        return this.#page(number).size[number % PAGE] ?? 0;
    }
    within(number) {
        return this.#page(number).within[number % PAGE] ?? 0;
    }
    stretch(number) {
        return this.#stretches[this.#page(number).stretch[number % PAGE] ?? 0] ?? NOWHERE;
    }
    at(number) {
        return new HeldPiece(this, number);
    }
    /** Only those that are `marked`, and for each number here the one that it has there, or -1. */
    only(marked) {
        const numbers = new Int32Array(this.#count).fill(-1);
        const pieces = new Pieces();
        for (let number = 0; number < this.#count; number++) {
            if (marked[number] !== 1)
                continue;
            numbers[number] = pieces.add(this.sum(number), this.size(number), this.stretch(number), this.within(number));
        }
        return { pieces, numbers };
    }
    #text(number, encoding) {
        const from = (number % PAGE) * SUM;
        return this.#page(number).sums.toString(encoding, from, from + SUM);
    }
    #page(number) {
        const page = this.#pages[Math.floor(number / PAGE)];
        if (page === undefined)
            throw new Error(`there is no piece ${number}`);
        return page;
    }
}
class HeldPiece {
    #pieces;
    #number;
    constructor(pieces, number) {
        this.#pieces = pieces;
        this.#number = number;
    }
    get sha256() {
        return this.#pieces.hex(this.#number);
    }
    get size() {
        return this.#pieces.size(this.#number);
    }
    get key() {
        return this.#pieces.stretch(this.#number).key;
    }
    get zstd() {
        return this.#pieces.stretch(this.#number).zstd;
    }
    get from() {
        const { from, zstd } = this.#pieces.stretch(this.#number);
        return zstd ? from : from + this.#pieces.within(this.#number);
    }
    get length() {
        const { key, length, zstd } = this.#pieces.stretch(this.#number);
        if (zstd)
            return length;
        return key === '' ? 0 : this.size;
    }
    get offset() {
        return this.zstd ? this.#pieces.within(this.#number) : 0;
    }
}


/***/ }),

/***/ 29843:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ PinWatch),
/* harmony export */   y: () => (/* binding */ pin)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29611);
/* harmony import */ var _wire_layout_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(64046);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(13453);
/* harmony import */ var _wire_slot_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(48088);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(37231);
/* harmony import */ var _patience_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(61056);
/**
 * Readers that need a snapshot to stay: `slots/<n>/pins/<reader>` names the manifests. A pin that has not changed for ten minutes of the
 * holder's own clock is ignored, so a reader that was killed costs space for ten minutes only.
 */







/** Milliseconds between two renewals, and without a change until a pin counts no more. */
const RENEWED = 60_000;
const STALE = 600_000;
const TRIES = 20;
const PIN = {
    what: 'a pin of snapshots',
    most: 65_536,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ v: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .oneOf */ .yL)(_wire_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .VERSION */ .xv), nonce: _wire_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .nonce */ .KU, refs: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .list */ .p_)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ at: _wire_slot_js__WEBPACK_IMPORTED_MODULE_3__/* .snapshotsAt */ .Z3, digest: _wire_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .digest */ .br }), 100) }),
};
/**
 * Pins what `head` names, and reads it again afterwards: had it moved on in between, the holder may have pruned before it saw the pin.
 * Throws StoreError.
 */
async function pin(options) {
    const { store, root, slot, reader, head, signal } = options;
    const key = root + (0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_6__/* .pinsAt */ .MZ)((0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_6__/* .snapAt */ .cv)(slot)) + reader;
    let refs = await head();
    for (let tries = 0;; tries++) {
        await writePin(store, key, refs, signal);
        const now = await head();
        if (sameRefs(refs, now))
            break;
        if (tries === TRIES)
            throw new Error(`could not pin slot ${slot}: its head moves on faster than it can be read`);
        refs = now;
    }
    const stop = new AbortController();
    const timer = setInterval(() => {
        // A renewal that fails is followed by the next one; nine in a row may.
        writePin(store, key, refs, AbortSignal.any([stop.signal, AbortSignal.timeout(RENEWED)])).catch(() => undefined);
    }, RENEWED);
    timer.unref();
    return {
        refs,
        release: async () => {
            clearInterval(timer);
            stop.abort();
            await (0,_patience_js__WEBPACK_IMPORTED_MODULE_5__/* .patiently */ .d)(() => store.remove([key]), signal);
        },
    };
}
async function writePin(store, key, refs, signal) {
    const record = { v: _wire_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .VERSION */ .xv, nonce: (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomUUID)(), refs: refs.map(({ at, digest: sum }) => ({ at, digest: sum })) };
    await (0,_patience_js__WEBPACK_IMPORTED_MODULE_5__/* .patiently */ .d)(() => store.write(key, Buffer.from(JSON.stringify(record)), undefined, signal), signal);
}
function sameRefs(a, b) {
    return a.length === b.length && a.every((ref, number) => ref.digest === b[number]?.digest && ref.at === b[number]?.at);
}
/** The holder's view of the pins of its slot. */
class PinWatch {
    #place;
    #now;
    #seen = new Map();
    /** `now`: milliseconds on a clock that never jumps. */
    constructor(place, now = () => performance.now()) {
        this.#place = place;
        this.#now = now;
    }
    /** Snapshots that somebody reads. */
    async valid(signal) {
        const { store, root, at } = this.#place;
        const refs = [];
        const keys = await (0,_patience_js__WEBPACK_IMPORTED_MODULE_5__/* .patiently */ .d)(() => keysBelow(store, root + (0,_wire_layout_js__WEBPACK_IMPORTED_MODULE_6__/* .pinsAt */ .MZ)(at), signal), signal);
        for (const key of keys) {
            const object = await (0,_patience_js__WEBPACK_IMPORTED_MODULE_5__/* .patiently */ .d)(() => store.read(key, undefined, signal), signal);
            if (object === undefined)
                continue;
            const sum = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)('sha256', object.bytes);
            const before = this.#seen.get(key);
            const since = before?.sum === sum ? before.since : this.#now();
            this.#seen.set(key, { sum, since });
            if (this.#now() - since < STALE)
                refs.push(...readPin(object.bytes, key));
        }
        for (const key of this.#seen.keys())
            if (!keys.includes(key))
                this.#seen.delete(key);
        return refs;
    }
}
async function keysBelow(store, prefix, signal) {
    const keys = [];
    for await (const { key } of store.list(prefix, undefined, signal))
        keys.push(key);
    return keys;
}
/** A record that cannot be understood pins nothing. */
function readPin(bytes, key) {
    try {
        return (0,_wire_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .parseRecord */ .Hh)(PIN, bytes, key).refs;
    }
    catch (error) {
        if ((0,_wire_store_js__WEBPACK_IMPORTED_MODULE_4__/* .isStoreError */ .A1)(error, 'corrupt'))
            return [];
        throw error;
    }
}


/***/ }),

/***/ 21296:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cm: () => (/* binding */ linkTarget),
/* harmony export */   Lg: () => (/* binding */ fileHash),
/* harmony export */   TA: () => (/* binding */ readFile),
/* harmony export */   XF: () => (/* binding */ readLink),
/* harmony export */   Z4: () => (/* binding */ isStill),
/* harmony export */   o5: () => (/* binding */ readSmall),
/* harmony export */   tM: () => (/* binding */ takeBytes)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(73024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(51455);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(57975);
/* harmony import */ var _entries_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(82743);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(45468);
/* harmony import */ var _pack_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(71098);
/* harmony import */ var _path_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(69916);
/* harmony import */ var _pieces_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(16832);
/** Reads files of a tree into slabs. */









/** No link is followed, and a pipe put in a file's place does not hold us. */
const FLAGS = node_fs__WEBPACK_IMPORTED_MODULE_1__.constants.O_RDONLY | node_fs__WEBPACK_IMPORTED_MODULE_1__.constants.O_NOFOLLOW | node_fs__WEBPACK_IMPORTED_MODULE_1__.constants.O_NONBLOCK;
const readAsync = (0,node_util__WEBPACK_IMPORTED_MODULE_3__.promisify)(node_fs__WEBPACK_IMPORTED_MODULE_1__.read);
/** Files that fit into the open slab are read at once, into these pieces; `undefined`: use `readFile`. */
function readSmall(wanted, packer) {
    if (wanted.size === 0)
        return [];
    const room = wanted.size < _pack_js__WEBPACK_IMPORTED_MODULE_6__/* .SMALL */ .o5 ? packer.fits(wanted.size) : undefined;
    if (room === undefined)
        return undefined;
    const fd = openFile(wanted);
    if (typeof fd !== 'number')
        return fd;
    try {
        const size = readFully(fd, room.buffer, room.at, wanted.size);
        return size < wanted.size ? 'changed' : [packer.addSmall(size)];
    }
    catch (error) {
        throw (0,_errors_js__WEBPACK_IMPORTED_MODULE_5__/* .localError */ .go)(`read ${(0,_path_js__WEBPACK_IMPORTED_MODULE_7__/* .showPath */ .P8)(wanted.path)}`, error);
    }
    finally {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(fd);
    }
}
function readFully(fd, buffer, at, size) {
    let done = 0;
    while (done < size) {
        const got = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readSync)(fd, buffer, at + done, size - done, null);
        if (got === 0)
            break;
        done += got;
    }
    return done;
}
/** Reads a file of any size. A file that became shorter yields what is there, and `changed`. */
async function readFile(wanted, packer) {
    if (wanted.size < _pack_js__WEBPACK_IMPORTED_MODULE_6__/* .SMALL */ .o5) {
        await packer.room(wanted.size);
        return readSmall(wanted, packer) ?? 'changed';
    }
    const fd = openFile(wanted);
    if (typeof fd !== 'number')
        return fd;
    try {
        return await readChunks(fd, wanted, packer);
    }
    catch (error) {
        throw (0,_errors_js__WEBPACK_IMPORTED_MODULE_5__/* .localError */ .go)(`read ${(0,_path_js__WEBPACK_IMPORTED_MODULE_7__/* .showPath */ .P8)(wanted.path)}`, error);
    }
    finally {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(fd);
    }
}
async function readChunks(fd, wanted, packer) {
    const draft = { wanted, pieces: [], size: 0 };
    while (draft.size < wanted.size) {
        const size = Math.min(_pack_js__WEBPACK_IMPORTED_MODULE_6__/* .CHUNK */ .m$, wanted.size - draft.size);
        const { buffer, at } = await packer.room(size);
        const got = await readPart(fd, buffer.subarray(at, at + size), draft.size);
        if (got === 0)
            break;
        const number = Math.floor(draft.size / _pack_js__WEBPACK_IMPORTED_MODULE_6__/* .CHUNK */ .m$);
        packer.addChunk(got, (piece) => {
            draft.pieces[number] = piece;
        });
        draft.size += got;
        if (got < size)
            break;
    }
    return draft;
}
async function readPart(fd, into, from) {
    let done = 0;
    while (done < into.length) {
        const { bytesRead } = await readAsync(fd, into, done, into.length - done, from + done);
        if (bytesRead === 0)
            break;
        done += bytesRead;
    }
    return done;
}
function openFile(wanted) {
    try {
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.openSync)((0,_path_js__WEBPACK_IMPORTED_MODULE_7__/* .nativePath */ .vb)(wanted.source), FLAGS);
    }
    catch (error) {
        const code = (0,_errors_js__WEBPACK_IMPORTED_MODULE_5__/* .errorCode */ .CA)(error);
        if (code === 'EACCES' || code === 'EPERM')
            return 'unreadable';
        if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENXIO')
            return 'changed';
        throw (0,_errors_js__WEBPACK_IMPORTED_MODULE_5__/* .localError */ .go)(`read ${(0,_path_js__WEBPACK_IMPORTED_MODULE_7__/* .showPath */ .P8)(wanted.path)}`, error);
    }
}
/** Where a link points, whatever bytes that is made of. Throws what the file system says. */
function linkTarget(path) {
    const target = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readlinkSync)((0,_path_js__WEBPACK_IMPORTED_MODULE_7__/* .nativePath */ .vb)(path));
    return (0,_path_js__WEBPACK_IMPORTED_MODULE_7__/* .isDoubtful */ .Ge)(target) ? (0,_path_js__WEBPACK_IMPORTED_MODULE_7__/* .decodeName */ .e4)((0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readlinkSync)((0,_path_js__WEBPACK_IMPORTED_MODULE_7__/* .nativePath */ .vb)(path), { encoding: 'buffer' })) : target;
}
function readLink({ path, source }) {
    try {
        return { target: linkTarget(source) };
    }
    catch (error) {
        const code = (0,_errors_js__WEBPACK_IMPORTED_MODULE_5__/* .errorCode */ .CA)(error);
        if (code === 'ENOENT' || code === 'EINVAL' || code === 'ENOTDIR')
            return { trouble: 'changed' };
        if (code === 'EACCES' || code === 'EPERM')
            return { trouble: 'unreadable' };
        throw (0,_errors_js__WEBPACK_IMPORTED_MODULE_5__/* .localError */ .go)(`read the link ${(0,_path_js__WEBPACK_IMPORTED_MODULE_7__/* .showPath */ .P8)(path)}`, error);
    }
}
/** Whether the first bytes of a file (as long as the entry is) are still what the entry says. */
async function isStill(entry, source) {
    const fd = openFile({ path: entry.path, source, size: entry.size });
    if (typeof fd !== 'number')
        return false;
    const buffer = Buffer.allocUnsafeSlow(Math.min(_pack_js__WEBPACK_IMPORTED_MODULE_6__/* .CHUNK */ .m$, Math.max(entry.size, 1)));
    try {
        let from = 0;
        for (const piece of entry.pieces) {
            const bytes = buffer.subarray(0, piece.size);
            if ((await readPart(fd, bytes, from)) < piece.size || (0,_pieces_js__WEBPACK_IMPORTED_MODULE_8__/* .sumOf */ .XN)(bytes) !== (0,_pieces_js__WEBPACK_IMPORTED_MODULE_8__/* .fromHex */ .aD)(piece.sha256))
                return false;
            from += piece.size;
        }
        return true;
    }
    finally {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(fd);
    }
}
/** Identity of a file as it lies there now, as `FileEntry.hash` has it. Rejects as `open` does. */
async function fileHash(source) {
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.open)((0,_path_js__WEBPACK_IMPORTED_MODULE_7__/* .nativePath */ .vb)(source));
    const buffer = Buffer.allocUnsafeSlow(_pack_js__WEBPACK_IMPORTED_MODULE_6__/* .CHUNK */ .m$);
    const hashes = [];
    try {
        for (let from = 0;; from += _pack_js__WEBPACK_IMPORTED_MODULE_6__/* .CHUNK */ .m$) {
            const got = await readPart(file.fd, buffer, from);
            if (got > 0)
                hashes.push((0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)('sha256', buffer.subarray(0, got)));
            if (got < _pack_js__WEBPACK_IMPORTED_MODULE_6__/* .CHUNK */ .m$)
                return (0,_entries_js__WEBPACK_IMPORTED_MODULE_4__/* .contentHash */ .Ae)(hashes);
        }
    }
    finally {
        await file.close();
    }
}
/** Takes given bytes for a file's content. */
async function takeBytes(wanted, bytes, packer) {
    const draft = { wanted, pieces: [], size: bytes.length };
    for (let from = 0; from < bytes.length; from += _pack_js__WEBPACK_IMPORTED_MODULE_6__/* .CHUNK */ .m$) {
        const part = bytes.subarray(from, from + _pack_js__WEBPACK_IMPORTED_MODULE_6__/* .CHUNK */ .m$);
        const { buffer, at } = await packer.room(part.length);
        buffer.set(part, at);
        packer.addChunk(part.length, (piece) => {
            draft.pieces[from / _pack_js__WEBPACK_IMPORTED_MODULE_6__/* .CHUNK */ .m$] = piece;
        });
    }
    return draft;
}


/***/ }),

/***/ 61866:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L7: () => (/* binding */ FOLDER),
/* harmony export */   PW: () => (/* binding */ FILE),
/* harmony export */   hm: () => (/* binding */ releaseStats),
/* harmony export */   ps: () => (/* binding */ LINK),
/* harmony export */   tJ: () => (/* binding */ nextTurn),
/* harmony export */   wp: () => (/* binding */ scanTree)
/* harmony export */ });
/* unused harmony export wallClock */
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73024);
/* harmony import */ var _lib_heap_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(42273);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(45468);
/* harmony import */ var _path_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(69916);
/** Reads names and stat data of a tree, in columns: a hundred thousand files must fit beside the script's own memory. */




const FILE = 1;
const FOLDER = 2;
const LINK = 3;
const OTHER = 0;
/** For who needs only paths, kinds and modes from now on. */
function releaseStats({ size, ino, mtime, ctime }) {
    for (const { buffer } of [size, ino, mtime, ctime])
        (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .free */ .t9)(new Uint8Array(buffer));
}
/** Longest time the event loop is kept, milliseconds. */
const SLICE = 8;
/** `f_type` of file systems that hold no files of anybody (linux/magic.h): proc, sysfs, devpts, cgroup, cgroup2, debugfs, tracefs, securityfs, configfs, bpf. */
const KERNELS = new Set([0x9fa0, 0x62656572, 0x1cd1, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0x62656570, 0xcafe4a11]);
const wallClock = () => BigInt(Math.round(Date.now() * 1e3)) * 1000n;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
/**
 * Symbolic links are never followed. What vanishes meanwhile is left out. `former`: the paths of an earlier scan, whose texts serve for equal
 * ones. Throws `no-folder` when `folder` is not a folder, `local` when the system does not read what is in it.
 */
async function scanTree(folder, select, signal, former = []) {
    const startedAt = wallClock();
    const stack = [{ path: '', names: topNames(folder), next: 0 }];
    const columns = makeColumns(former.length + 1024, folder);
    const texts = new Texts(former);
    let sliceEnd = performance.now() + SLICE;
    for (let open = stack.at(-1); open !== undefined; open = stack.at(-1)) {
        const name = open.names[open.next++];
        if (name === undefined) {
            stack.pop();
            continue;
        }
        const path = texts.same(open.path === '' ? name : `${open.path}/${name}`);
        if (addEntry(columns, folder, path, select) === FOLDER) {
            const names = readNames(`${folder}/${path}`);
            if (names === undefined)
                columns.unreadable.push(path);
            else
                stack.push({ path, names, next: 0 });
        }
        if ((columns.paths.length & 127) === 0 && performance.now() > sliceEnd) {
            await nextTurn();
            signal?.throwIfAborted();
            sliceEnd = performance.now() + SLICE;
        }
    }
    const { kernels: _asked, ...scan } = columns;
    return { ...scan, startedAt, endedAt: wallClock() };
}
/** Gives for a text the equal one of an earlier scan, which went through its paths in the same order. */
class Texts {
    #former;
    #next = 0;
    constructor(former) {
        this.#former = former;
    }
    same(path) {
        for (;;) {
            const text = this.#former[this.#next];
            if (text === path)
                this.#next += 1;
            if (text === undefined || text === path)
                return text ?? path;
            if ((0,_path_js__WEBPACK_IMPORTED_MODULE_3__/* .comparePaths */ .cD)(text, path) > 0)
                return path;
            this.#next += 1;
        }
    }
}
function topNames(folder) {
    try {
        if ((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)(folder).isDirectory())
            return namesIn(folder);
    }
    catch (error) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .SnapshotError */ .JC('no-folder', `could not save "${folder}": ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errorCode */ .CA)(error) ?? 'it cannot be read'}`, { cause: error });
    }
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .SnapshotError */ .JC('no-folder', `could not save "${folder}": it is not a folder`);
}
/** `undefined`: not allowed to look. A folder that vanished is empty: the next scan sees it gone. */
function readNames(folder) {
    try {
        return namesIn(folder);
    }
    catch (error) {
        const code = (0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errorCode */ .CA)(error);
        if (code === 'ENOENT' || code === 'ENOTDIR')
            return [];
        if (code === 'EACCES' || code === 'EPERM' || code === 'ENAMETOOLONG')
            return undefined;
        throw (0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .localError */ .go)(`read the folder "${folder}"`, error);
    }
}
function namesIn(folder) {
    const names = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readdirSync)((0,_path_js__WEBPACK_IMPORTED_MODULE_3__/* .nativePath */ .vb)(folder));
    if (!names.some(_path_js__WEBPACK_IMPORTED_MODULE_3__/* .isDoubtful */ .Ge))
        return names.sort();
    return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readdirSync)((0,_path_js__WEBPACK_IMPORTED_MODULE_3__/* .nativePath */ .vb)(folder), { encoding: 'buffer' }).map(_path_js__WEBPACK_IMPORTED_MODULE_3__/* .decodeName */ .e4).sort();
}
function addEntry(columns, folder, path, select) {
    let stat;
    try {
        stat = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)((0,_path_js__WEBPACK_IMPORTED_MODULE_3__/* .nativePath */ .vb)(`${folder}/${path}`), { bigint: true, throwIfNoEntry: false });
    }
    catch (error) {
        const code = (0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .errorCode */ .CA)(error);
        if (code === 'ENOTDIR')
            return OTHER;
        if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENAMETOOLONG')
            throw (0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .localError */ .go)(`read "${folder}/${path}"`, error);
        columns.unreadable.push(path);
        return OTHER;
    }
    if (stat === undefined)
        return OTHER;
    const mode = Number(stat.mode);
    const kind = kindOf(mode);
    if (select !== undefined && !select(path, kind === FOLDER))
        return OTHER;
    if (kind === OTHER || (kind === FOLDER && isKernels(columns.kernels, stat.dev, `${folder}/${path}`))) {
        columns.special.push(path);
        return OTHER;
    }
    const at = columns.paths.push(path) - 1;
    if (at >= columns.kind.length)
        growColumns(columns);
    columns.kind[at] = kind;
    columns.mode[at] = mode & 0o7777;
    columns.size[at] = Number(stat.size);
    columns.ino[at] = Number(stat.ino);
    columns.mtime[at] = stat.mtimeNs;
    columns.ctime[at] = stat.ctimeNs;
    return kind;
}
function isKernels(known, device, folder) {
    const answer = known.get(device) ?? KERNELS.has(systemOf(folder));
    known.set(device, answer);
    return answer;
}
function systemOf(folder) {
    try {
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.statfsSync)((0,_path_js__WEBPACK_IMPORTED_MODULE_3__/* .nativePath */ .vb)(folder)).type;
    }
    catch {
        return 0; // it has just gone, or nobody may look: that is told where it is read
    }
}
function kindOf(mode) {
    const format = mode & 0o170000;
    if (format === 0o100000)
        return FILE;
    if (format === 0o040000)
        return FOLDER;
    return format === 0o120000 ? LINK : OTHER;
}
function makeColumns(length, folder) {
    const top = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)((0,_path_js__WEBPACK_IMPORTED_MODULE_3__/* .nativePath */ .vb)(folder), { bigint: true, throwIfNoEntry: false })?.dev;
    return { paths: [], ...numbers(length), special: [], unreadable: [], kernels: new Map(top === undefined ? [] : [[top, false]]) };
}
function numbers(length) {
    return {
        kind: new Uint8Array(length),
        mode: new Uint16Array(length),
        size: new Float64Array(length),
        ino: new Float64Array(length),
        mtime: new BigInt64Array(length),
        ctime: new BigInt64Array(length),
    };
}
function growColumns(columns) {
    const length = columns.kind.length * 2;
    columns.kind = (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .grown */ .gT)(columns.kind, length);
    columns.mode = (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .grown */ .gT)(columns.mode, length);
    columns.size = (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .grown */ .gT)(columns.size, length);
    columns.ino = (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .grown */ .gT)(columns.ino, length);
    columns.mtime = (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .grown */ .gT)(columns.mtime, length);
    columns.ctime = (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_1__/* .grown */ .gT)(columns.ctime, length);
}


/***/ }),

/***/ 31508:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   K6: () => (/* binding */ packedSize),
/* harmony export */   l1: () => (/* binding */ unpack),
/* harmony export */   qq: () => (/* binding */ pack)
/* harmony export */ });
/* harmony import */ var node_stream_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(46466);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(38522);
/* harmony import */ var _lib_heap_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(42273);
/* harmony import */ var _limits_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(83703);
/**
 * Frames of zstd, packed and unpacked on another thread. What comes out lies in one buffer that can be given back at once: the calls of
 * `node:zlib` that answer with a whole copy its parts into a second buffer, and leave both to a garbage collector that sees two small objects.
 */




const LEVEL = { [node_zlib__WEBPACK_IMPORTED_MODULE_1__.constants.ZSTD_c_compressionLevel]: 1 };
const WINDOW = { [node_zlib__WEBPACK_IMPORTED_MODULE_1__.constants.ZSTD_d_windowLogMax]: _limits_js__WEBPACK_IMPORTED_MODULE_3__/* .LOG_OF_WINDOW */ .kH };
/** Below that a buffer may be a part of a pool. */
const LEAST = 64 << 10;
/** Never fails. */
async function pack(plain) {
    return through((0,node_zlib__WEBPACK_IMPORTED_MODULE_1__.createZstdCompress)({ params: LEVEL, chunkSize: bound(plain.length) }), plain);
}
/** `size`: bytes that are expected. Rejects when these are no frame, or one of more than `most` bytes, for which no memory is taken. */
async function unpack(stored, size, most) {
    if (size > most)
        throw new RangeError(`more than ${most} bytes`);
    return through((0,node_zlib__WEBPACK_IMPORTED_MODULE_1__.createZstdDecompress)({ chunkSize: Math.max(LEAST, size), params: WINDOW }), stored, most);
}
/** Bytes of it packed, at once: for small samples. */
const packedSize = (plain) => (0,node_zlib__WEBPACK_IMPORTED_MODULE_1__.zstdCompressSync)(plain, { params: LEVEL }).length;
/** Incompressible bytes come out a little longer. */
const bound = (size) => Math.max(LEAST, size + (size >>> 7) + 1024);
async function through(stream, bytes, most = Number.POSITIVE_INFINITY) {
    const parts = [];
    let length = 0;
    stream.on('data', (part) => {
        parts.push(part);
        length += part.length;
        if (length > most)
            stream.destroy(new RangeError(`more than ${most} bytes`));
    });
    stream.end(bytes);
    await (0,node_stream_promises__WEBPACK_IMPORTED_MODULE_0__.finished)(stream);
    const { buffer, byteOffset } = parts[0] ?? Buffer.alloc(0);
    // One behind the other in one buffer, unless they found no room in it.
    const inOne = parts.every((part) => part.buffer === buffer);
    const joined = inOne ? Buffer.from(buffer, byteOffset, length) : Buffer.concat(parts);
    const held = new Set([...parts.map((part) => part.buffer), joined.buffer]);
    return { bytes: joined, free: () => held.forEach((one) => (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_2__/* .free */ .t9)(new Uint8Array(one))) };
}


/***/ }),

/***/ 95960:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Aj: () => (/* binding */ dirFault),
/* harmony export */   Jz: () => (/* binding */ dirPath),
/* harmony export */   hG: () => (/* binding */ dirUrl)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(76760);
/* harmony import */ var node_url__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(73136);
/** `dir:///absolute/folder` and the paths it stands for. */


function dirUrl(path) {
    return (0,node_url__WEBPACK_IMPORTED_MODULE_1__.pathToFileURL)(path).href.replace(/^file:/, 'dir:');
}
function dirPath(url) {
    return (0,node_url__WEBPACK_IMPORTED_MODULE_1__.fileURLToPath)(url.replace(/^dir:/, 'file:'));
}
/** What is wrong with the URL, for people; `undefined` when nothing is. */
function dirFault(url) {
    if (url.host !== '')
        return `names the host "${url.host}": a folder takes three slashes`;
    if (!(0,node_path__WEBPACK_IMPORTED_MODULE_0__.isAbsolute)(url.pathname))
        return 'is not absolute';
    if (/%2f|%00/i.test(url.pathname))
        return 'has an encoded slash or zero byte';
    if (/^\/*$/.test(url.pathname))
        return 'is the root folder';
    return undefined;
}


/***/ }),

/***/ 96070:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Ch: () => (/* binding */ openStore),
  qJ: () => (/* binding */ parseStoreUrl),
  U3: () => (/* binding */ storeAccess),
  IS: () => (/* binding */ storeFolder)
});

// UNUSED EXPORTS: serveStore

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/dir/url.js
var dir_url = __webpack_require__(95960);
;// CONCATENATED MODULE: ./build/js/stores/http/url.js
/** `http://host:port/path` or `https://…`: a store behind our own server. */
/** What is wrong with the URL, for people; `undefined` when nothing is. */
function httpFault(url) {
    return url.host === '' ? 'names no host' : undefined;
}

// EXTERNAL MODULE: ./build/js/stores/s3/url.js
var url = __webpack_require__(46025);
;// CONCATENATED MODULE: ./build/js/stores/registry.js
/** THE list of stores: one line per scheme. */





const SCHEMES = {
    dir: { fault: dir_url/* dirFault */.Aj, folder: dir_url/* dirPath */.Jz, load: () => __webpack_require__.e(/* import() */ 974).then(__webpack_require__.bind(__webpack_require__, 17974)) },
    http: { fault: httpFault, load: () => __webpack_require__.e(/* import() */ 885).then(__webpack_require__.bind(__webpack_require__, 26885)) },
    https: { fault: httpFault, load: () => __webpack_require__.e(/* import() */ 885).then(__webpack_require__.bind(__webpack_require__, 26885)) },
    s3: { fault: url/* bucketFault */.f, load: () => __webpack_require__.e(/* import() */ 434).then(__webpack_require__.bind(__webpack_require__, 26434)), credentials: s3Credentials },
};
async function s3Credentials(place, env, wish) {
    const { s3AccessFromEnv } = await __webpack_require__.e(/* import() */ 640).then(__webpack_require__.bind(__webpack_require__, 81640));
    const { region = place.settings?.['region'], endpoint = place.settings?.['endpoint'] } = wish;
    return s3AccessFromEnv(place.url, env, { region, endpoint, clock: wish.clock });
}
const ALLOWED = 'allowed: s3://bucket/prefix, dir:///folder or the path of a folder';
/** Opens the store of a URL or an absolute path; talks to nothing yet. Throws kind `invalid` with a sentence for the user. */
async function openStore(access) {
    const url = parseStoreUrl(access.url);
    const { open } = await schemeOf(url).load();
    return await open({ ...access, url });
}
/** Where on this computer a store keeps its files; `undefined` for one that is elsewhere. */
function storeFolder(url) {
    return schemeOf(url).folder?.(url);
}
/** The place with the credentials that this controller has for it, from options and environment. Throws kind `denied` without any. */
async function storeAccess(place, env, wish = {}) {
    const access = (await schemeOf(place.url).credentials?.(place, env, wish)) ?? place;
    if (!isReadable(access) || brought(place))
        return access;
    if (wish.insecure !== true && place.settings?.[PLAIN] !== 'true')
        throw plain(access);
    // Whoever comes back to what is made there needs not say it again.
    return { ...access, settings: { ...access.settings, [PLAIN]: 'true' } };
}
/** A setting: its user has said that plain http will do. */
const PLAIN = 'plain';
/** Whoever is on the way to it can read and change what is sent. */
function isReadable({ url, settings }) {
    const { protocol, hostname } = new URL(settings?.['endpoint'] ?? url);
    return protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
/** A cloud's own store comes with its credentials, and the way to it is the cloud's. */
const brought = (place) => place.credentials !== undefined || place.source !== undefined;
function plain({ url, settings }) {
    const address = settings?.['endpoint'] ?? url;
    const why = 'anyone on the network path could read and change all of it, and read the token of temporary credentials';
    return new store/* StoreError */.AD('invalid', `storage: "${address}" is plain http: ${why}; use https, or allow it with "storage-insecure"`);
}
/**
 * The URL that a user's `storage:` means, checked. A path becomes `dir:///…`; a relative one needs `base`, the folder that it starts from.
 * Throws kind `invalid` with a sentence for the user, which never shows a credential.
 */
function parseStoreUrl(text, base) {
    const wish = text.trim();
    if (wish === '')
        throw invalid(text, 'is empty');
    if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(wish))
        return parsePath(wish, base);
    if (!URL.canParse(wish))
        throw invalid(text, 'is not a URL');
    const url = new URL(wish);
    if (url.username !== '' || url.password !== '')
        throw invalid(withoutUser(url), 'carries credentials: give them by the environment');
    const fault = url.search !== '' || url.hash !== '' ? 'has a "?" or "#" part' : schemeOf(wish).fault(url);
    if (fault)
        throw invalid(text, fault);
    return url.href.replace(/\/+$/, '');
}
/** The program that puts a folder store behind HTTP; resolves to its exit code. */
async function serveStore(argv) {
    return await (await Promise.all(/* import() */[__webpack_require__.e(974), __webpack_require__.e(366)]).then(__webpack_require__.bind(__webpack_require__, 93366))).serveStore(argv);
}
function parsePath(path, base) {
    if (path.startsWith('~'))
        throw invalid(path, 'begins with "~", which no shell has replaced');
    if (base === undefined && !path.startsWith('/'))
        throw invalid(path, 'is neither a URL nor an absolute path');
    const url = (0,dir_url/* dirUrl */.hG)((0,external_node_path_.resolve)(base ?? '/', path));
    const fault = (0,dir_url/* dirFault */.Aj)(new URL(url));
    if (fault)
        throw invalid(path, fault);
    return url;
}
function schemeOf(url) {
    const name = url.slice(0, url.indexOf(':')).toLowerCase();
    const scheme = Object.hasOwn(SCHEMES, name) ? SCHEMES[name] : undefined;
    if (!scheme)
        throw invalid(url, `has the unknown scheme "${name}"`);
    return scheme;
}
function withoutUser(url) {
    return `${url.protocol}//***@${url.host}${url.pathname}`;
}
function invalid(text, fault) {
    return new store/* StoreError */.AD('invalid', `storage: "${text}" ${fault}; ${ALLOWED}`);
}


/***/ }),

/***/ 46025:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   f: () => (/* binding */ bucketFault),
/* harmony export */   q: () => (/* binding */ bucketPlace)
/* harmony export */ });
/** `s3://bucket/prefix`. */
/** What is wrong with the URL, for people; `undefined` when nothing is. */
function bucketFault(url) {
    if (url.host === '')
        return 'names no bucket';
    if (url.port !== '')
        return 'has a port: give the endpoint by AWS_ENDPOINT_URL_S3';
    if (!/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(url.host) || url.host.includes('..'))
        return `names "${url.host}", which is not a bucket name`;
    const segments = decode(url.pathname)?.split('/').filter(Boolean);
    if (!segments)
        return 'has a wrong %-escape';
    for (const segment of segments) {
        if (segment === '.' || segment === '..')
            return `has the segment "${segment}"`;
        for (const char of segment)
            if (char < ' ' || char === '\u007f')
                return 'has control characters';
    }
    return undefined;
}
/** Of a URL without fault. */
function bucketPlace(url) {
    const segments = (decode(url.pathname) ?? '').split('/').filter(Boolean);
    return { bucket: url.host, prefix: segments.map((segment) => `${segment}/`).join('') };
}
function decode(path) {
    try {
        return decodeURIComponent(path);
    }
    catch {
        // A lone or broken escape is a fault of the user, named by the caller.
        return undefined;
    }
}


/***/ }),

/***/ 5726:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  d: () => (/* binding */ acting),
  I: () => (/* binding */ acts)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/engine/deliver/collect.js + 5 modules
var collect = __webpack_require__(85818);
// EXTERNAL MODULE: ./build/js/engine/deliver/finish.js
var finish = __webpack_require__(60132);
// EXTERNAL MODULE: ./build/js/engine/deployment.js
var deployment = __webpack_require__(23922);
// EXTERNAL MODULE: ./build/js/engine/destroy/removed.js
var removed = __webpack_require__(96660);
// EXTERNAL MODULE: ./build/js/engine/follow/status.js
var follow_status = __webpack_require__(189);
// EXTERNAL MODULE: ./build/js/engine/owner/presence.js
var owner_presence = __webpack_require__(70920);
// EXTERNAL MODULE: ./build/js/lib/bytes.js
var lib_bytes = __webpack_require__(18913);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/report/closing.js
var closing = __webpack_require__(52554);
// EXTERNAL MODULE: ./build/js/core/identity.js
var identity = __webpack_require__(82260);
// EXTERNAL MODULE: ./build/js/engine/owner/silence.js
var silence = __webpack_require__(83194);
;// CONCATENATED MODULE: ./build/js/engine/destroy/unfinished.js


/** The first of these ids that is on record where a cloud keeps its stores, or at the place that was named. */
async function onlyStored(clouds, access, ids, named) {
    for (const { id: cloudId, cloud } of clouds) {
        // A store of the deployment's own shows by itself.
        const usual = cloud.ownStore ? [] : [await cloud.store('')];
        for (const place of [...usual, ...(named ? [named] : [])]) {
            const store = await access(place);
            for (const id of ids) {
                const current = await (0,silence/* currentOf */.$c)({ cloud, store, id });
                if (current)
                    return (0,deployment/* deploymentOf */.PE)({ cloudId, cloud, store, id, name: current.value.name, incarnation: current.value.incarnation });
            }
        }
    }
    return undefined;
}

// EXTERNAL MODULE: ./build/js/engine/find.js
var find = __webpack_require__(4782);
;// CONCATENATED MODULE: ./build/js/verbs/shared/context.js




/** The deployment called NAME: a living one, one that was never finished, or what the history knows of it. */
async function meant(context, name) {
    const past = (0,identity/* isRunId */.Pk)(name) ? await (0,find/* pickHistory */.O8)(context.engine.home, name) : undefined;
    if (past)
        return { gone: past };
    const sighting = (0,find/* pick */.Up)(name, await (0,find/* sightings */.nI)(await context.clouds()));
    if (sighting)
        return { alive: await (0,find/* openSighting */.at)(sighting, context.access) };
    const stored = await onlyStored(await context.clouds(), context.access, [(0,identity/* isId */.eQ)(name) ? name : (0,identity/* deploymentId */.dP)(context.owner, name)], await context.storage());
    if (stored)
        return { alive: stored };
    const gone = await (0,find/* pickHistory */.O8)(context.engine.home, name);
    if (gone)
        return { gone };
    throw new errors/* InputError */.dz(`name: there is no deployment "${name}"`, { hint: 'tpi list shows all deployments' });
}
/** The same, where only a living one will do. */
async function meantAlive(context) {
    const found = await meant(context, nameOf(context));
    if ('alive' in found)
        return found.alive;
    throw new errors/* InputError */.dz(`name: deployment "${found.gone.name}" is gone; it ended as ${found.gone.outcome} and everything was given back`, {
        hint: `tpi status ${found.gone.name} shows how it went`,
    });
}
function nameOf(context) {
    const { name } = context.values;
    if (!name)
        throw new errors/* InputError */.dz('name: no deployment was given; its name or id is needed');
    return name;
}
/** `tpi logs --slot 7` of a task with three slots. */
function checkedSlot(slot, count) {
    if (slot !== undefined && slot >= count)
        throw new errors/* InputError */.dz(`slot: ${slot} is not one of its ${count} slots`, {
            hint: count === 1 ? 'it has only slot 0' : `allowed: 0 to ${count - 1}`,
        });
    return slot;
}

// EXTERNAL MODULE: ./build/js/verbs/shared/error-exit.js
var error_exit = __webpack_require__(16092);
;// CONCATENATED MODULE: ./build/js/verbs/shared/losses.js
/** Several deployments at once: one that cannot be read or served is told, and hides none of the others. */



class Losses {
    #context;
    #several;
    #worst;
    /** `several`: more than the one deployment that was named; that one's error is the command's own. */
    constructor(context, several) {
        this.#context = context;
        this.#several = several;
    }
    /** Of what was lost, the worst exit code. */
    get code() {
        return this.#worst?.code ?? errors/* EXIT */.dc.ok;
    }
    /** Ends the command with the worst that was lost, if anything was. */
    throwWorst() {
        if (this.#worst)
            throw this.#worst.error;
    }
    count(error) {
        const code = (0,error_exit/* exitOf */.s)(error).exitCode;
        if (code > this.code)
            this.#worst = { code, error };
    }
    async heed(name, act) {
        try {
            return await act();
        }
        catch (error) {
            if (!this.#several || this.#context.interrupts.first.aborted)
                throw error;
            this.tell(name, error);
            return undefined;
        }
    }
    tell(name, error) {
        this.#context.host.error(`${name}: ${(0,errors/* describeError */.Uc)(error)}`);
        this.count(error);
    }
    /** What there is, in every cloud that can be looked at. */
    async seen() {
        return (0,find/* sightings */.nI)(await this.#context.clouds(), (cloud, error, where) => this.tell(where === undefined ? cloud : `${cloud}, ${where}`, error));
    }
    /** `read` of each of them, side by side; those of which it yields nothing are left out. */
    async read(all, read) {
        const found = await Promise.all(all.map((sighting) => this.heed(sighting.found.tags.name, async () => read(await (0,find/* openSighting */.at)(sighting, this.#context.access)))));
        return found.filter((one) => one !== undefined);
    }
}

;// CONCATENATED MODULE: ./build/js/verbs/shared/mine.js
/** In CI: made by this very job or step; elsewhere: by this user at this host. */
function ownedBy(owner, origin) {
    const { run, repository, user } = owner.origin;
    if (run !== undefined)
        return origin.run === run && origin.repository === repository && origin.step === owner.origin.step;
    return user !== undefined && origin.user === user;
}
/** In CI: made by any run of this repository; elsewhere everything that can be seen from here. */
function sameHouse(owner, origin) {
    return owner.origin.repository === undefined || origin.repository === owner.origin.repository;
}

// EXTERNAL MODULE: ./build/js/verbs/shared/output.js
var output = __webpack_require__(29252);
// EXTERNAL MODULE: ./build/js/engine/follow/close.js + 2 modules
var follow_close = __webpack_require__(35853);
// EXTERNAL MODULE: ./build/js/engine/follow/no-start.js
var no_start = __webpack_require__(96233);
;// CONCATENATED MODULE: ./build/js/engine/follow/overlay.js
/** For verbs that only look: what would be written stays in memory and is read back, so that they derive what acting verbs would record. */

function overlay(store) {
    const laid = new Map();
    return {
        url: store.url,
        init: async () => undefined,
        async read(key, range, signal) {
            if (!laid.has(key))
                return store.read(key, range, signal);
            const object = laid.get(key);
            return object && { ...object, bytes: object.bytes.slice(range?.from ?? 0, range?.to) };
        },
        async write(key, bytes) {
            const version = (0,identity/* newNonce */.Yd)();
            laid.set(key, { bytes, version });
            return version;
        },
        list: (prefix, after, signal) => store.list(prefix, after, signal),
        async remove(keys) {
            for (const key of keys)
                laid.set(key, undefined);
        },
        clear: async () => undefined,
    };
}

// EXTERNAL MODULE: ./build/js/engine/history.js
var engine_history = __webpack_require__(49885);
// EXTERNAL MODULE: ./build/js/lib/duration.js
var duration = __webpack_require__(86388);
;// CONCATENATED MODULE: ./build/js/report/run.js
/** Hours that machines held its slots, summed over all attempts: what they take to boot is not in it. */
function machineHours({ status, now }) {
    let milliseconds = 0;
    for (const attempt of status.slots.flatMap((slot) => slot.attempts)) {
        milliseconds += Math.max(0, Date.parse(attempt.end ?? status.endedAt ?? now.toISOString()) - Date.parse(attempt.start));
    }
    return milliseconds / 3_600_000;
}
/** USD; `undefined` where the price is not known. */
function costOf(run) {
    return run.price === undefined ? undefined : run.price * machineHours(run);
}
function costLine(run) {
    const cost = costOf(run);
    if (cost === undefined)
        return 'unknown: the cloud gives no price';
    if (run.price === 0)
        return 'none: the machines cost nothing';
    return `about ${shortNumber(cost)} USD, at ${shortNumber(run.price ?? 0)} USD per machine-hour; storage and traffic are not included`;
}
/** USD in a column of a table. */
function shortCost(cost) {
    if (cost === undefined)
        return '-';
    return cost === 0 ? 'none' : cost < 0.01 ? '<0.01 USD' : `${cost.toFixed(2)} USD`;
}
/** At most four decimals, and none that say nothing. */
function shortNumber(value) {
    return value.toFixed(4).replace(/\.?0+$/, '') || '0';
}

// EXTERNAL MODULE: ./build/js/wire/incarnation.js
var incarnation = __webpack_require__(40906);
;// CONCATENATED MODULE: ./build/js/verbs/shared/price.js
/** Milliseconds: nobody waits longer for a number in a report. */
const PATIENCE = 5000;
/** USD; `undefined` where it is not known. */
async function priceOf(context, d) {
    const free = freeOf(context, d.cloudId);
    if (free !== undefined || !d.cloud.price)
        return free;
    const asked = d.cloud.price(d).catch((error) => {
        context.host.debug(`the price of its machines is not known: ${String(error)}`);
        return undefined;
    });
    const patience = new AbortController();
    const late = context.engine.clock.sleep(PATIENCE, patience.signal).then(() => undefined, () => undefined);
    try {
        return await Promise.race([asked, late]);
    }
    finally {
        patience.abort();
    }
}
/** 0 where machines cost nothing at all. */
function freeOf(context, cloud) {
    return context.billed(cloud) ? undefined : 0;
}

// EXTERNAL MODULE: ./build/js/lib/shape.js
var shape = __webpack_require__(29611);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
;// CONCATENATED MODULE: ./build/js/wire/sample.js
/** Samples of what a machine is busy with: lines of JSON below `slots/<n>/metrics/`. Some may be missing. */


const BYTES = (0,shape/* number */.ai)(0, 1e18);
const sample = (0,shape/* object */.Ik)({
    at: shape/* time */.kB,
    cpu: (0,shape/* number */.ai)(0, 1e6),
    cores: (0,shape/* number */.ai)(0, 1e6),
    memory: BYTES,
    memoryTotal: BYTES,
    gpus: (0,shape/* maybe */.no)((0,shape/* list */.p_)((0,shape/* object */.Ik)({ busy: (0,shape/* number */.ai)(0, 1e6), memory: BYTES, memoryTotal: BYTES }), 1000)),
});
/** Bytes of one object of samples, and lines of it that are looked at. */
const MOST_BYTES = 4 << 20;
const MOST_LINES = 50_000;
/** Lines that are no samples are passed over: a chart is nothing that anything depends on. */
function decodeSamples(bytes) {
    if (bytes.length > MOST_BYTES)
        return [];
    const lines = Buffer.from(bytes).toString('utf8').split('\n', MOST_LINES);
    return lines.flatMap((text) => {
        try {
            return [(0,parse/* parseShape */.Tr)(sample, text)];
        }
        catch {
            return [];
        }
    });
}

;// CONCATENATED MODULE: ./build/js/engine/follow/samples.js
/** Reading what machines measured of themselves. */

/** Slots whose samples are read: more charts than these nobody looks at. */
const CHARTED = 4;
/** By slot, oldest first. Whatever cannot be read is missing: nothing depends on a chart. */
async function readSamples(d, count) {
    const found = new Map();
    for (let index = 0; index < Math.min(count, CHARTED); index += 1) {
        const samples = await samplesOf(d, index).catch(() => []);
        if (samples.length > 0)
            found.set(index, samples);
    }
    return found;
}
async function samplesOf(d, index) {
    const samples = [];
    for await (const { key } of d.store.list(d.keys.slot(index).metrics)) {
        const object = await d.store.read(key);
        if (object)
            samples.push(...decodeSamples(object.bytes));
    }
    return samples;
}

;// CONCATENATED MODULE: ./build/js/options/rows/outputs.js
/** Outputs of the action, declared once. */

const OUTPUTS = {
    id: { help: 'Id of the deployment. Set before anything is created, so that a later step can always clean up.' },
    name: { help: 'Its name.' },
    status: { help: 'State of the deployment: waiting, booting, running, interrupted, succeeded, failed, timed-out or stopped.' },
    outcome: {
        help: `What became of it, in one word: ${errors/* OUTCOMES */.im.slice(0, -1).join(', ')} or ${errors/* OUTCOMES */.im.at(-1)}.`,
    },
    'exit-code': { help: 'Exit code of the program; of a parallel task that of the first machine which did not succeed.' },
    'exit-codes': { help: 'Exit codes of all machines, as a JSON list by index.' },
    attempts: { help: 'Attempts of all machines, as a JSON list by index.' },
    attached: { help: 'true when the deployment existed already and this step attached to it.' },
    'started-at': { help: 'When it was created (ISO 8601).' },
    commit: { help: 'Commit it was created from.' },
    result: {
        help: 'What the program wrote to TPI_OUTPUT, as JSON; of a parallel task a list by index. Each value of a single machine is an output of its own too.',
    },
    label: { help: 'Runners: the label that only jobs meant for them name.' },
    labels: { help: 'Runners: all labels they have, as a JSON list.' },
    'runs-on': { help: 'Runners: what jobs of the same workflow say in "runs-on: ${{ fromJSON(…) }}", as a JSON list.' },
    runners: { help: 'Runners: their names at the forge, as a JSON list.' },
    'runner-ids': { help: 'Runners: their ids at the forge, as a JSON list in the order of "runners".' },
    'online-after': {
        help: 'Runners: seconds from the creation of the deployment ("started-at") until each machine\'s first runner was online, as a JSON list by slot. Measured by this step: of a deployment that was there already, the time until it was seen.',
    },
    reused: { help: 'Runners: true when some with these labels were there already and none was started.' },
    'output-dir': { help: 'Folder in which the outputs were put.' },
    'artifact-id': { help: 'Id of the uploaded artifact.' },
    'artifact-url': { help: 'Address of the uploaded artifact.' },
    cost: { help: 'Estimated cost of the machines in USD: 0 where they cost nothing, empty where the price is not known.' },
    'machine-hours': {
        help: 'Hours that machines held it, summed, from taking it to their end or last sign of life. The time to boot is not included.',
    },
};

// EXTERNAL MODULE: ./build/js/core/host.js
var host = __webpack_require__(21520);
;// CONCATENATED MODULE: ./build/js/report/outputs.js
/** The values that later steps and jobs get of a run. */


/** By output name of the action; what is not known has no entry. */
function outputsOf(run) {
    const { status, delivery, artifact } = run;
    const { slots, origin } = status;
    const cost = costOf(run);
    const found = {
        id: status.id,
        name: status.name,
        status: status.state,
        outcome: status.outcome,
        'exit-code': status.exitCode === null ? undefined : String(status.exitCode),
        'exit-codes': JSON.stringify(slots.map((slot) => slot.exitCode)),
        attempts: JSON.stringify(slots.map((slot) => slot.attempts.length)),
        attached: String(run.attached),
        'started-at': status.createdAt,
        commit: origin.commit,
        result: JSON.stringify(run.result),
        'output-dir': delivery && delivery.folder !== '' ? delivery.folder : undefined,
        'artifact-id': artifact?.id,
        'artifact-url': artifact?.url,
        cost: cost === undefined ? undefined : shortNumber(cost),
        'machine-hours': shortNumber(machineHours(run)),
    };
    return Object.fromEntries(Object.entries(found).filter((entry) => entry[1] !== undefined));
}
/** What a single machine's program handed over, each as an output of its own; names of ours stay ours, however they are spelled. */
function ownOutputs(run, taken) {
    const [only, ...others] = run.status.slots;
    const outputs = only && others.length === 0 ? Object.entries(only.outputs) : [];
    const refused = new Map();
    for (const [name] of outputs) {
        if (!(0,host/* isOutputName */.L)(name))
            refused.set(name, 'it has another name than letters, digits, "_", "-" and "." after a letter or "_"');
        else if (taken.includes(name.toLowerCase().replace(/[^a-z0-9]+/g, '-')))
            refused.set(name, 'it has the name of one of ours');
    }
    return { values: Object.fromEntries(outputs.filter(([name]) => !refused.has(name))), refused };
}

;// CONCATENATED MODULE: ./build/js/report/charts.js
/** Bars of a time line, points of a curve: more cannot be told apart, and the drawing has a limit of its own. */
const MOST_BARS = 60;
const MOST_POINTS = 60;
/** Milliseconds. */
const DAY = 86_400_000;
const SECONDS = 15_000;
/** Slots and their attempts over time. `undefined` where nothing ever ran. */
function timeChart(status, now) {
    const end = status.endedAt ?? now.toISOString();
    const all = status.slots.flatMap((slot) => slot.attempts.map((attempt) => ({ slot, attempt })));
    if (all.length === 0)
        return undefined;
    const length = Date.parse(end) - Date.parse(status.createdAt);
    const lines = ['gantt', '  dateFormat x', `  axisFormat ${length > DAY ? '%m-%d %H:%M' : '%H:%M:%S'}`];
    // Left alone, the axis of some seconds has several marks of the same second.
    if (length < SECONDS)
        lines.push('  tickInterval 1second');
    let section;
    for (const { slot, attempt } of all.slice(0, MOST_BARS)) {
        if (section !== slot.index)
            lines.push(`  section ${status.slots.length > 1 ? `slot ${slot.index}` : 'run'}`);
        section = slot.index;
        const last = attempt === slot.attempts.at(-1);
        const style = last && slot.state === 'succeeded' ? '' : last && slot.state === 'running' ? 'active, ' : attempt.announced ? 'done, ' : 'crit, ';
        const from = Date.parse(attempt.start);
        lines.push(`  attempt ${attempt.epoch} ${plain(endOf(attempt, slot))} :${style}${from}, ${Math.max(from + 1, Date.parse(attempt.end ?? end))}`);
    }
    const left = all.length > MOST_BARS ? `${all.length - MOST_BARS} of ${all.length} attempts in the time line` : undefined;
    return { text: lines.join('\n'), left };
}
function endOf(attempt, slot) {
    const last = attempt === slot.attempts.at(-1);
    if (attempt.end === undefined || (last && slot.state === 'succeeded'))
        return slot.state;
    return attempt.cause === 'exit' && attempt.exitCode !== undefined ? `exit code ${attempt.exitCode}` : (attempt.cause ?? 'ended');
}
/** Words of a chart must not be its grammar. */
function plain(text) {
    return text.replace(/[^\w ,.-]+/g, ' ').trim();
}
/** The chart has no legend of its own, and pale colours: these are named in its title. */
const COLOURS = '%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#0969da, #cf222e, #1a7f37"}}}}%%';
/** Percent of CPU, memory and (where there are any) graphics cards of one slot. `undefined` for less than two samples. */
function loadChart(title, samples) {
    if (samples.length < 2)
        return undefined;
    const points = buckets(samples);
    const seconds = (Date.parse(samples.at(-1)?.at ?? '') - Date.parse(samples[0]?.at ?? '')) / 1000;
    const [unit, length] = seconds < 120 ? ['seconds', seconds] : ['minutes', seconds / 60];
    const curve = (value) => `  line [${points.map((bucket) => Math.min(100, Math.round((100 * bucket.reduce((sum, sample) => sum + value(sample), 0)) / bucket.length))).join(', ')}]`;
    const gpus = samples.some((sample) => (sample.gpus?.length ?? 0) > 0);
    return [
        COLOURS,
        'xychart-beta',
        `  title "${plain(title)}"`,
        `  x-axis "${unit}" 0 --> ${Math.max(0.1, Number(length.toFixed(1)))}`,
        '  y-axis "percent" 0 --> 100',
        curve((sample) => sample.cpu),
        curve((sample) => (sample.memoryTotal > 0 ? sample.memory / sample.memoryTotal : 0)),
        ...(gpus ? [curve(gpuShare)] : []),
    ].join('\n');
}
function gpuShare({ gpus = [] }) {
    return gpus.length === 0 ? 0 : gpus.reduce((sum, gpu) => sum + gpu.busy, 0) / gpus.length;
}
/** Spans of equal length: points of the curve stand at equal distances, while samples of a young run lie closer. */
function buckets(samples) {
    const times = samples.map((sample) => Date.parse(sample.at));
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    const found = Array.from({ length: Math.min(MOST_POINTS, samples.length) }, () => []);
    for (const [at, sample] of samples.entries()) {
        const share = last > first ? ((times[at] ?? first) - first) / (last - first) : 0;
        found[Math.min(found.length - 1, Math.max(0, Math.floor(share * found.length)))]?.push(sample);
    }
    // Where nothing was measured it is as it was before.
    for (const [at, bucket] of found.entries())
        if (bucket.length === 0)
            bucket.push(...(found[at - 1]?.slice(-1) ?? []));
    return found;
}

// EXTERNAL MODULE: ./build/js/report/markdown.js
var markdown = __webpack_require__(57164);
;// CONCATENATED MODULE: ./build/js/report/summary.js







/** Bytes of the whole page: GitHub takes 1 MiB of a step and shows nothing of more. */
const MOST_PAGE = 900 * 1024;
const MOST_VALUES = 100;
const MOST_SHOWN = 300;
const MOST_TAILS = 8;
const FAILED = '❌';
const MARKS = {
    success: '✅',
    running: '⏳',
    stopped: '⏹️',
    'timed-out': '⌛',
    'script-failed': FAILED,
    'setup-failed': FAILED,
    invalid: FAILED,
    denied: FAILED,
    'no-capacity': FAILED,
    'remote-error': FAILED,
    bug: FAILED,
};
function summaryOf(run) {
    const left = [];
    const { status } = run;
    const parts = [
        `### ${MARKS[status.outcome]} ${(0,lib_text/* inline */.mG)(status.name)}: ${status.outcome}`,
        facts(run),
        values(status, left),
        timing(run, left),
        ...charts(run, left),
        ...tails(run, left),
        comeBack(run),
    ];
    const page = parts.filter((part) => part !== '').join('\n\n');
    // The program's own text comes last: whatever it opens and does not close, nothing of ours stands behind it but one line.
    const own = ownWords(status, MOST_PAGE - Buffer.byteLength(page), left);
    const rest = left.length === 0 ? '' : `*Left out here: ${left.join('; ')}.*`;
    return [page, rest, own].filter((part) => part !== '').join('\n\n');
}
/** What a pull request shows of it: the result in two lines, then the program's own words, with nothing behind that these could swallow. */
function commentOf(run, most) {
    const { status } = run;
    const left = [];
    const until = status.endedAt ?? run.now.toISOString();
    const took = (0,duration/* formatDuration */.a3)(Math.max(0, Math.round((Date.parse(until) - Date.parse(status.createdAt)) / 1000)));
    const { runUrl, commit } = status.origin;
    const lines = [
        `### ${MARKS[status.outcome]} ${(0,lib_text/* inline */.mG)(status.name)}: ${status.outcome}`,
        [
            ...(status.exitCode === null ? [] : [`exit code ${status.exitCode}`]),
            `${took} on ${(0,lib_text/* inline */.mG)(status.cloud)}`,
            `cost: ${costLine(run)}`,
            ...(commit === undefined ? [] : [`commit ${(0,lib_text/* inline */.mG)(commit.slice(0, 12))}`]),
            ...(runUrl !== undefined && URL.canParse(runUrl) ? [`[the whole run](${new URL(runUrl).href})`] : []),
        ].join(' · '),
    ];
    const failed = status.outcome !== 'success' && status.outcome !== 'running' ? tails(run, left) : [];
    const page = [...lines, ...failed].join('\n\n');
    const own = ownWords(status, most - Buffer.byteLength(page), left);
    const rest = left.length === 0 ? '' : `*Left out here: ${left.join('; ')}.*`;
    return [page, rest, own].filter((part) => part !== '').join('\n\n');
}
function facts(run) {
    const { status, delivery, artifact, keptUntil } = run;
    const attempts = status.slots.reduce((sum, slot) => sum + slot.attempts.length, 0);
    const bad = status.slots.find((slot) => slot.reason !== null && slot.exitCode === status.exitCode && slot.state !== 'succeeded');
    const reason = bad?.reason && `${status.slots.length > 1 ? `slot ${bad.index}: ` : ''}${bad.reason}`;
    const until = status.endedAt ?? run.now.toISOString();
    const took = (0,duration/* formatDuration */.a3)(Math.max(0, Math.round((Date.parse(until) - Date.parse(status.createdAt)) / 100) / 10));
    // A table has to have a head: the fact that everybody looks for first, instead of an empty row.
    const head = ['exit code', status.exitCode === null ? 'none yet' : String(status.exitCode)];
    const rows = [
        ...(reason ? [['why', (0,lib_text/* inline */.mG)(reason)]] : []),
        ['took', `${took} on ${(0,lib_text/* inline */.mG)(status.cloud)}, ${(0,lib_text/* plural */.LS)(status.slots.length, 'machine')}, ${(0,lib_text/* plural */.LS)(attempts, 'attempt')}`],
        ['machine hours', shortNumber(machineHours(run))],
        ['cost', costLine(run)],
        ['lost work', (0,closing/* lostWork */.yN)(status.slots)],
        ['outputs', (0,lib_text/* inline */.mG)((0,closing/* outputsLine */.zs)(delivery, keptUntil !== undefined))],
        ...(artifact ? [['artifact', artifact.url ? `[${(0,lib_text/* inline */.mG)(artifact.name)}](${artifact.url})` : (0,lib_text/* inline */.mG)(artifact.name)]] : []),
        ...(keptUntil ? [['kept until', `${keptUntil.slice(0, 16).replace('T', ' ')} UTC: last snapshots and log`]] : []),
        ['id', `\`${status.id}\``],
    ];
    return (0,markdown/* table */.tp)(head, rows.map(([name, value]) => [`**${name}**`, value]));
}
function values(status, left) {
    const all = status.slots.flatMap((slot) => Object.entries(slot.outputs).map(([name, value]) => ({ slot: slot.index, name, value })));
    if (all.length === 0)
        return '';
    const many = status.slots.length > 1;
    if (all.length > MOST_VALUES)
        left.push(`${all.length - MOST_VALUES} of ${all.length} values`);
    const rows = all.slice(0, MOST_VALUES).map(({ slot, name, value }) => {
        const shown = (0,lib_text/* inline */.mG)(value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value);
        return many ? [String(slot), (0,lib_text/* inline */.mG)(name), shown] : [(0,lib_text/* inline */.mG)(name), shown];
    });
    return (0,markdown/* table */.tp)(many ? ['slot', 'value of the program', ''] : ['value of the program', ''], rows);
}
function timing(run, left) {
    const chart = timeChart(run.status, run.now);
    if (!chart)
        return '';
    if (chart.left)
        left.push(chart.left);
    const lines = (0,closing/* timeLine */.wQ)(run.status, run.now).slice(0, 200);
    const text = lines.map((line) => line.trimStart()).join('\n');
    return `${(0,markdown/* fenced */.OF)(chart.text, 'mermaid')}\n\n${(0,markdown/* folded */.TM)('Attempts', (0,markdown/* fenced */.OF)(text))}`;
}
function charts(run, left) {
    const many = run.status.slots.length > 1;
    const drawn = [...run.samples].flatMap(([slot, samples]) => {
        const gpus = samples.some((sample) => sample.gpus?.length);
        const chart = loadChart(`${many ? `slot ${slot} - ` : ''}CPU blue, memory red${gpus ? ', GPU green' : ''}`, samples);
        return chart ? [(0,markdown/* fenced */.OF)(chart, 'mermaid')] : [];
    });
    if (drawn.length > 0 && run.status.slots.length > run.samples.size)
        left.push(`charts of ${run.status.slots.length - run.samples.size} slots`);
    return drawn.length === 0 ? [] : [(0,markdown/* folded */.TM)('CPU and memory', drawn.join('\n\n'))];
}
/** Slots that did not succeed come first: theirs is the log that somebody looks for. */
function tails(run, left) {
    const bad = new Set(run.status.slots.filter((slot) => slot.state !== 'succeeded').map((slot) => slot.index));
    const order = [...run.tails].sort(([a], [b]) => Number(bad.has(b)) - Number(bad.has(a)) || a - b);
    if (order.length > MOST_TAILS)
        left.push(`the log of ${order.length - MOST_TAILS} slots`);
    return order.slice(0, MOST_TAILS).map(([slot, tail]) => {
        const of = run.status.slots.length > 1 ? ` of slot ${slot}` : '';
        const note = tail.cut ? ` (the end of ${(0,lib_bytes/* formatBytes */.z3)(tail.bytes)})` : '';
        if (tail.cut)
            left.push(`the beginning of the log${of}`);
        return (0,markdown/* folded */.TM)(`Log${of}${note}`, (0,markdown/* fenced */.OF)(withoutControls(tail.text)), run.status.outcome !== 'success' && slot === order[0]?.[0]);
    });
}
/** Colours are for terminals. */
function withoutControls(text) {
    // oxlint-disable-next-line no-control-regex -- control characters are what this removes
    return text.replace(/\u001b\[[0-9;]*m|[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}
function comeBack({ status }) {
    if (status.destroyed)
        return '';
    const open = status.outcome === 'running';
    const lines = open
        ? [
            `follow   npx @iterative/tpi-action logs ${status.name} --follow`,
            `results  npx @iterative/tpi-action collect ${status.name}`,
            `stop     npx @iterative/tpi-action stop ${status.name}`,
        ]
        : [
            `resume   the same step with "resume: true"`,
            `files    npx @iterative/tpi-action pull ${status.name} --to DIR`,
            `remove   npx @iterative/tpi-action destroy ${status.name} --discard`,
        ];
    const step = `- uses: iterative/tpi-action@v1\n  with:\n    command: ${open ? 'collect' : 'destroy'}\n    cloud: ${status.cloud}\n    name: ${status.name}${open ? '' : '\n    discard: true'}`;
    const deadline = open ? `It ends by itself at ${status.deadline.slice(0, 16).replace('T', ' ')} UTC at the latest.` : '';
    return (0,markdown/* folded */.TM)(open ? 'How to come back' : 'What is kept, and how to use or remove it', [deadline, (0,markdown/* fenced */.OF)(lines.join('\n')), 'or in a workflow:', (0,markdown/* fenced */.OF)(step, 'yaml')].filter(Boolean).join('\n\n'));
}
function ownWords(status, room, left) {
    const texts = [];
    const cut = [];
    let free = room - 4096;
    const speaking = status.slots.filter((slot) => Boolean(slot.summary));
    for (const slot of speaking) {
        const title = status.slots.length > 1 ? `\n\n#### Slot ${slot.index}\n\n` : '\n\n';
        const text = (0,markdown/* cutBytes */.Uw)(slot.summary, Math.max(0, free - title.length));
        if (text.length < slot.summary.length)
            cut.push(slot.index);
        free -= Buffer.byteLength(text) + title.length;
        if (text !== '')
            texts.push(title + text);
    }
    if (cut.length > 0)
        left.push(`what ${cut.length === 1 ? `slot ${cut[0]}` : `${cut.length} slots`} wrote to TPI_SUMMARY, or the end of it`);
    return texts.join('').trim();
}

// EXTERNAL MODULE: ./build/js/wire/slot.js
var wire_slot = __webpack_require__(48088);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: ./build/js/lib/controls.js
var controls = __webpack_require__(94694);
// EXTERNAL MODULE: ./build/js/lib/git-name.js
var git_name = __webpack_require__(13476);
;// CONCATENATED MODULE: ./build/js/report/pictures.js
/** Pictures that a text in Markdown names by files beside it. */

/** Types that forges show in a comment. */
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp)$/i;
const NAMED = /!\[([^\]\n]*)\]\(<?([^\s()<>]+)>?(?:\s+"[^"\n]*")?\)/g;
/** The text with what `put` makes of each picture: a place that a comment can show it from; `undefined`: it is named in words instead. */
async function withPictures(text, put) {
    const places = new Map();
    for (const [, , file = ''] of text.matchAll(NAMED))
        if (isFile(file) && !places.has(file))
            places.set(file, await put(file));
    return text.replace(NAMED, (whole, words, file) => {
        if (!places.has(file))
            return whole;
        const place = places.get(file);
        return place === undefined ? `*(picture: ${(0,lib_text/* inline */.mG)(words || file)})*` : `![${words}](${place})`;
    });
}
/** Neither an address nor a path from the root. */
function isFile(target) {
    return PICTURE.test(target) && !/^(?:[a-z][a-z\d+.-]*:|\/|#)/i.test(target);
}

// EXTERNAL MODULE: ./build/js/verbs/runner/forge.js
var runner_forge = __webpack_require__(79913);
;// CONCATENATED MODULE: ./build/js/verbs/shared/discussion.js
/** Comments of ours on the pull or merge request that a command is about: one by each name, kept current. */







/** Bytes of a picture, and pictures of a comment. */
const LARGEST = 10e6;
const MOST_PICTURES = 20;
/** `undefined`: nothing is discussed here. */
async function openDiscussion(context) {
    const { values, host, engine, env, interrupts } = context;
    (0,runner_forge/* hideIdentity */.n6)(context);
    const token = values.token ?? values['github-token'] ?? env['GITHUB_TOKEN'];
    if (token !== undefined)
        host.mask(token);
    const forge = await (0,runner_forge/* chosenForge */.WP)(context).discussions();
    const { repository, 'forge-url': url } = values;
    return forge.discussion({
        env,
        log: host,
        clock: engine.clock,
        signal: interrupts.first,
        mask: (secret) => host.mask(secret),
        ...(token === undefined ? {} : { token }),
        ...(url === undefined ? {} : { url }),
        ...(repository === undefined ? {} : { target: { kind: 'repository', name: repository } }),
    }, values['pull-request']);
}
async function say({ host }, place, name, text, from) {
    let pictures = 0;
    const shown = await withPictures(text, async (file) => {
        const bytes = from === undefined || pictures >= MOST_PICTURES ? undefined : await pictureIn(from, file);
        if (bytes === undefined || !place.upload) {
            host.warn(`comment: picture ${(0,lib_text/* quoted */.TL)(file)} is not shown: ${bytes ? 'the forge takes no pictures from programs' : whyNot(pictures)}`);
            return undefined;
        }
        pictures += 1;
        return place.upload((0,external_node_path_.basename)(file), bytes);
    });
    const mark = `<!-- tpi: ${name} -->`;
    const clean = host.clean((0,controls/* plainText */.wh)(shown));
    const room = place.most - mark.length - 1;
    const end = '\n\n*(cut here: too long for a comment)*';
    return place.put(mark, clean.length <= room ? clean : clean.slice(0, room - end.length) + end);
}
const whyNot = (pictures) => pictures >= MOST_PICTURES
    ? `a comment has at most ${MOST_PICTURES}`
    : `it is no file of its own among the results or beside the text, or larger than ${LARGEST / 1e6} MB`;
/** A link may lead to anything that this job can read, and what is below the folder may be private all the same. */
async function pictureIn({ folder, of }, file) {
    try {
        const path = (0,external_node_path_.normalize)(decodeURIComponent(file));
        if ((0,git_name/* isBelowGit */.S)(path) || (of && !of.has(path)))
            return undefined;
        const root = await (0,promises_.realpath)(folder);
        const whole = (0,external_node_path_.join)(root, path);
        if (!whole.startsWith(root + external_node_path_.sep) || (await (0,promises_.realpath)(whole)) !== whole)
            return undefined;
        const { size } = await (0,promises_.stat)(whole);
        return size > LARGEST ? undefined : await (0,promises_.readFile)(whole);
    }
    catch {
        return undefined;
    }
}

// EXTERNAL MODULE: ./build/js/engine/follow/logs.js
var logs = __webpack_require__(50592);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(38522);
// EXTERNAL MODULE: ./build/js/lib/writer.js
var writer = __webpack_require__(25507);
// EXTERNAL MODULE: ./build/js/wire/log.js
var log = __webpack_require__(51812);
;// CONCATENATED MODULE: ./build/js/engine/kept-log.js
/**
 * What a run printed, kept in the history when its store is gone: members of gzip one after another, in them a line of JSON before the bytes
 * of each piece. Written without waiting: whoever follows a program that prints much has no time to wait, and memory must not grow with it.
 */









/** Bytes that are compressed at once. */
const BATCH = 256 * 1024;
/** Compressed bytes of one run: what it prints beyond that is not kept. */
const MOST_LOG = 100e6;
/** Bytes of the line before a piece. */
const MOST_HEADER = 1024;
const header = (0,shape/* object */.Ik)({ slot: (0,shape/* count */.U9)(), epoch: (0,shape/* count */.U9)(), stream: (0,shape/* oneOf */.yL)(...log/* STREAMS */.gO), at: shape/* time */.kB, size: (0,shape/* count */.U9)() });
let files = 0;
class LogKeeper {
    #path;
    #part;
    #most;
    #file;
    #batch = [];
    #waiting = 0;
    #written = 0;
    #last = '';
    /** Why nothing more is kept. */
    #trouble;
    constructor(home, run, most = MOST_LOG) {
        this.#most = most;
        this.#path = (0,engine_history/* logOf */.Gs)(home, run);
        this.#part = `${this.#path}.${(0,writer/* writerMark */.j)()}-${(files += 1)}.part`;
    }
    push({ slot, epoch, stream, at, bytes }) {
        this.#last = at;
        if (this.#trouble !== undefined || this.#written > this.#most)
            return;
        const head = Buffer.from(`${JSON.stringify({ slot, epoch, stream, at, size: bytes.length })}\n`);
        this.#batch.push(head, bytes);
        this.#waiting += head.length + bytes.length;
        if (this.#waiting >= BATCH)
            this.#flush();
    }
    /** Puts it in its place. Throws what kept it from being written. */
    async keep() {
        if (this.#written > this.#most) {
            const bytes = Buffer.from(`${log/* WARNING */.Nz}the rest of this log was not kept: it is too long\n`);
            this.#written = 0;
            this.push({ slot: 0, epoch: 0, stream: 'agent', at: this.#last, bytes });
        }
        this.#flush();
        if (this.#file === undefined && this.#trouble === undefined)
            return;
        this.#close();
        if (this.#trouble === undefined)
            return (0,promises_.rename)(this.#part, this.#path);
        await (0,promises_.rm)(this.#part, { force: true });
        throw this.#trouble;
    }
    async drop() {
        this.#trouble ??= 'dropped';
        this.#close();
        await (0,promises_.rm)(this.#part, { force: true });
    }
    #flush() {
        if (this.#waiting === 0)
            return;
        try {
            (0,external_node_fs_.mkdirSync)((0,external_node_path_.dirname)(this.#part), { recursive: true, mode: 0o700 });
            this.#file ??= (0,external_node_fs_.openSync)(this.#part, 'w', 0o600);
            const packed = (0,external_node_zlib_.gzipSync)(Buffer.concat(this.#batch), { level: 1 });
            for (let at = 0; at < packed.length;)
                at += (0,external_node_fs_.writeSync)(this.#file, packed, at);
            this.#written += packed.length;
        }
        catch (error) {
            this.#trouble = error;
        }
        this.#batch = [];
        this.#waiting = 0;
    }
    #close() {
        if (this.#file !== undefined)
            (0,external_node_fs_.closeSync)(this.#file);
        this.#file = undefined;
    }
}
async function hasLog(home, run) {
    return (await (0,promises_.stat)((0,engine_history/* logOf */.Gs)(home, run)).catch(() => undefined)) !== undefined;
}
/** In the order in which it was taken; of one slot, the order in which it was printed. */
async function* readKept(home, run) {
    let rest = Buffer.alloc(0);
    let head;
    for await (const chunk of (0,external_node_fs_.createReadStream)((0,engine_history/* logOf */.Gs)(home, run)).pipe((0,external_node_zlib_.createGunzip)())) {
        rest = Buffer.concat([rest, chunk]);
        for (;;) {
            const end = head ? head.size : rest.indexOf(10);
            if (head ? rest.length < end : end < 0 && rest.length <= MOST_HEADER)
                break;
            if (head) {
                const { size: _, ...piece } = head;
                yield { ...piece, bytes: rest.subarray(0, end) };
                rest = rest.subarray(end);
                head = undefined;
            }
            else {
                head = (0,parse/* parseShape */.Tr)(header, rest.subarray(0, Math.max(0, end)).toString('utf8'));
                rest = rest.subarray(end + 1);
            }
        }
    }
}

// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/lib/redraw.js
var lib_redraw = __webpack_require__(9283);
;// CONCATENATED MODULE: ./build/js/report/tail.js
/** The end of what each slot's program printed, for a report: the rest stays in the log. */

/** Characters and lines that are worth showing of one slot. */
const MOST_CHARACTERS = 24_000;
const tail_MOST_LINES = 150;
/** Bytes of a slot that are kept: redrawn lines and colours shrink to much less. */
const KEPT = 3 * MOST_CHARACTERS;
class Tails {
    #slots = new Map();
    /** Cheap: a program may print gigabytes. */
    push(slot, bytes) {
        const kept = this.#slots.get(slot) ?? { chunks: [], size: 0, all: 0 };
        this.#slots.set(slot, kept);
        kept.chunks.push(bytes);
        kept.size += bytes.length;
        kept.all += bytes.length;
        if (kept.size < 2 * KEPT)
            return;
        const rest = Buffer.concat(kept.chunks).subarray(-KEPT);
        kept.chunks = [Buffer.from(rest)];
        kept.size = rest.length;
    }
    /** By slot. */
    end() {
        return new Map([...this.#slots].sort(([a], [b]) => a - b).map(([slot, kept]) => [slot, tailOf(kept)]));
    }
}
function tailOf(kept) {
    // Nothing ever comes due: of a redrawn line only the final state is shown.
    const redraw = new lib_redraw/* Redraw */.Q6({ redraws: false, now: () => Number.NEGATIVE_INFINITY });
    const shown = redraw.push(Buffer.concat(kept.chunks)) + redraw.end();
    const whole = kept.all === kept.size ? shown : fromLine(shown);
    const short = whole.length <= MOST_CHARACTERS ? whole : fromLine(whole.slice(-MOST_CHARACTERS));
    // The text ends with a line feed.
    const lines = short.split('\n');
    const text = lines.length - 1 <= tail_MOST_LINES ? short : lines.slice(-tail_MOST_LINES - 1).join('\n');
    return { text, bytes: kept.all, cut: kept.all !== kept.size || text.length < shown.length };
}
/** Without the torn line at its beginning, unless there is only that. */
function fromLine(text) {
    const end = text.indexOf('\n');
    return end >= 0 && end < text.length - 1 ? text.slice(end + 1) : text;
}

;// CONCATENATED MODULE: ./build/js/verbs/shared/heard.js
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
/** What the programs of a run printed, as it is followed or read: the end of it for the report, all of it for the history. */





/** Many slots say little each: beyond these nobody reads on in a report. */
const MOST_READ = 8;
/** Milliseconds that nobody minds waiting for the log of something that is to go. */
const heard_PATIENCE = 30_000;
class Heard {
    tails = new Tails();
    #engine;
    #keeper;
    constructor(engine, run) {
        this.#engine = engine;
        this.#keeper = new LogKeeper(engine.home, run);
    }
    hear(piece) {
        this.#keeper.push(piece);
        if (piece.stream !== 'agent')
            this.tails.push(piece.slot, piece.bytes);
    }
    /** All that was heard goes to the history. Nothing depends on it. */
    async keep() {
        await this.#keeper
            .keep()
            .catch((error) => this.#engine.host.warn(`the log is not kept in the history: ${(0,errors/* describeError */.Uc)(error)}`));
    }
    /** It goes on without us: what we have heard of it is not the whole. */
    async drop() {
        await this.#keeper.drop().catch(() => undefined);
    }
}
/** Reads it all, or of a run that goes on what a report shows. */
async function hearAll(engine, d, run, slots, ended) {
    const heard = new Heard(engine, run);
    for (const slot of ended ? slots : slots.slice(0, MOST_READ)) {
        for await (const piece of new logs/* LogReader */.w(d, slot.index).next(slot))
            heard.hear(piece);
    }
    return heard;
}
/** Of what is about to be removed, unless its log was kept before. What cannot be read in time is not kept. */
async function keepLog(engine, d, run, slots) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        if (await hasLog(engine.home, run))
            return;
        const heard = new Heard(engine, run);
        const limit = __addDisposableResource(env_1, (0,clock/* abortIn */.QU)(engine.clock, heard_PATIENCE), false);
        try {
            for (const slot of slots)
                for await (const piece of new logs/* LogReader */.w(d, slot.index).next(slot, limit.signal))
                    heard.hear(piece);
        }
        catch (error) {
            engine.host.debug(`the log of ${d.name} could not be read to its end: ${(0,errors/* describeError */.Uc)(error)}`);
        }
        await heard.keep();
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        __disposeResources(env_1);
    }
}

;// CONCATENATED MODULE: ./build/js/verbs/task/publish.js
/** What later steps, jobs and people get of a run, besides lines and an exit code: outputs and a page. */













/** `heard`: what was followed anyway; else the log is read. `label`: part of the artifact's name, as one of several. */
async function gather(context, d, spec, slots, { heard, label } = {}) {
    const { host, ciJob, engine } = context;
    const price = await priceOf(context, d);
    const ended = slots.every((slot) => (0,wire_slot/* isTerminal */.Hd)(slot.state));
    const printed = heard ?? (await hearAll(engine, d, spec, slots, ended));
    // Before anything is given back: what is killed after that has its log.
    await (ended ? printed.keep() : printed.drop());
    const evidence = {
        price,
        tails: printed.tails.end(),
        samples: await readSamples(d, spec.count),
        artifact: undefined,
        results: [],
        async delivered(delivery, paths) {
            evidence.results = paths;
            if (!ciJob?.artifact)
                return;
            const close = host.section('Artifact');
            try {
                evidence.artifact = await ciJob.artifact(d.name, delivery, paths, label);
            }
            finally {
                close();
            }
        },
    };
    return evidence;
}
async function publish(context, ended, how) {
    const run = publishValues(context, ended);
    const { status, delivery, price } = run;
    if (how === 'ended' && delivery)
        await (0,engine_history/* remember */.kY)(context.engine.home, { ...status, price, results: (0,closing/* outputsLine */.zs)(delivery, run.keptUntil !== undefined) });
    await context.host.summary(summaryOf(run));
    await context.ciJob?.reported?.(run, how);
    if (context.values.comment)
        await discuss(context, run, ended.evidence?.results ?? []);
}
/** Where a comment cannot be made, the run and its report stand without it. */
async function discuss(context, run, results) {
    const { host } = context;
    try {
        const place = await openDiscussion(context);
        if (!place)
            return host.info('comment: none is made, since this is no job of a pull or merge request');
        const pictures = run.delivery && run.delivery.folder !== '' ? { folder: run.delivery.folder, of: new Set(results) } : undefined;
        const { url, how } = await say(context, place, run.status.name, commentOf(run, place.most), pictures);
        host.info(`${place.title}: comment ${how}: ${url}`);
    }
    catch (error) {
        if (context.interrupts.first.aborted)
            return;
        host.warn(`comment: none is made: ${(0,errors/* describeError */.Uc)(error)}`);
    }
}
/** Outputs alone. */
function publishValues(context, ended) {
    const { host, engine } = context;
    const run = {
        status: ended.status,
        attached: ended.attached,
        result: (0,follow_status/* resultOf */.Bg)(ended.status.slots),
        delivery: ended.delivery,
        keptUntil: ended.keptUntil,
        artifact: ended.evidence?.artifact,
        tails: ended.evidence?.tails ?? new Map(),
        samples: ended.evidence?.samples ?? new Map(),
        price: ended.evidence ? ended.evidence.price : (ended.price ?? freeOf(context, ended.status.cloud)),
        now: engine.clock.date(),
    };
    for (const [name, value] of Object.entries(outputsOf(run)))
        host.output(name, value);
    const own = ownOutputs(run, Object.keys(OUTPUTS));
    for (const [name, value] of Object.entries(own.values))
        host.output(name, value);
    for (const [name, why] of own.refused)
        host.warn(`value ${(0,lib_text/* quoted */.TL)(name)} of the program is not an output of its own, because ${why}; it is part of "result"`);
    return run;
}

;// CONCATENATED MODULE: ./build/js/verbs/status.js
/** `tpi status NAME`: how it stands, from the records; never "running" for ever. */
















async function status_status(context) {
    const found = await meant(context, nameOf(context));
    const now = 'gone' in found ? found.gone : await living(context, found.alive);
    const { price } = publishValues(context, { status: now, attached: true, price: now.price });
    const date = context.engine.clock.date();
    if (context.values.json)
        context.host.facts({ ...now, price, cost: costOf({ status: now, price, now: date }) });
    else
        context.host.print(status_text({ ...now, price }, date));
    return errors/* EXIT */.dc.ok;
}
async function living(context, d) {
    const now = await look(context, d);
    return { ...now, price: await priceOf(context, d), results: (await (0,engine_history/* recallRun */.rn)(context.engine.home, now))?.results };
}
/** One look that changes nothing: slots whose machines are gone are told as whoever acts would close them. */
async function look(context, d) {
    return present(context, { ...d, store: overlay(d.store) });
}
/** One look, which also closes slots whose machines are gone. */
async function present(context, d) {
    const [spec, read] = await Promise.all([(0,deployment/* readSpec */.Ot)(d), (0,find/* readCurrent */.cA)(d.store, d.id)]);
    const current = read?.value;
    if (!spec || (current?.incarnation === d.incarnation && current.state === 'making'))
        return unfinished(d, current);
    // Nobody may close its slots any more, and nobody is waited for.
    if ((0,incarnation/* removalOf */.c)(current, d.incarnation) !== undefined)
        return going(await (0,finish/* readStatus */.r)(d, spec));
    const { clock } = context.engine;
    const slots = await (0,follow_close/* closeLost */.bB)(context.engine, d, spec, context.interrupts.first);
    const now = clock.date();
    const late = now >= new Date(spec.lifetime.deadline);
    await (0,no_start/* refuseToStart */.M)(d, spec, slots, await d.cloud.observe(d), { at: now.toISOString(), late });
    return (0,finish/* readStatus */.r)(d, spec);
}
/** Somebody has begun to remove it, and what is still open ends with that. */
function going(status) {
    return status.outcome === 'running' ? { ...status, state: 'destroying' } : status;
}
/** Its controller has not finished creating it, or was killed before it could. */
function unfinished(d, current) {
    return {
        id: d.id,
        name: d.name,
        cloud: d.cloudId,
        // Only runners are on record at a forge.
        mode: current?.registry ? 'runner' : 'task',
        state: 'creating',
        outcome: 'running',
        exitCode: null,
        createdAt: current?.createdAt ?? '',
        deadline: '',
        endedAt: null,
        collected: false,
        destroyed: false,
        origin: current?.origin ?? {},
        store: d.store.url,
        slots: [],
    };
}
function status_text(now, date) {
    const ago = (iso) => `${(0,duration/* formatDuration */.a3)(Math.max(0, Math.round((date.getTime() - Date.parse(iso)) / 1000)))} ago`;
    const facts = [
        ['id', now.id],
        ['state', `${now.state}${now.exitCode === null ? '' : `, exit code ${now.exitCode}`} (outcome: ${now.outcome})`],
        ['cloud', `${now.cloud}, store ${now.store}`],
        ['created', now.createdAt === '' ? 'not finished' : `${now.createdAt} (${ago(now.createdAt)})`],
        ['deadline', now.deadline],
        ['cost', costLine({ status: now, price: now.price, now: date })],
        ...(now.mode === 'task' ? [['results', results(now)]] : []),
    ];
    const slots = [['SLOT', 'STATE', 'ATTEMPTS', 'EXIT', 'MACHINE', 'SAVED', 'REASON'], ...now.slots.map((slot) => slotRow(slot, ago))];
    return [
        `── ${now.name}`,
        ...(0,lib_text/* columns */.YB)(facts).map((line) => `  ${line}`),
        '',
        ...(0,lib_text/* columns */.YB)(slots).map((line) => `  ${line}`),
        ...withTitle((0,closing/* timeLine */.wQ)(now, date)),
    ].join('\n');
}
function results({ collected, destroyed, results: what }) {
    if (!collected)
        return destroyed ? 'not collected, everything given back' : 'not collected yet';
    return [`delivered${destroyed ? ', everything given back' : ''}`, ...(what === undefined ? [] : [what])].join(': ');
}
function slotRow(slot, ago) {
    const state = slot.phase && slot.phase !== 'script' ? `${slot.state} (${slot.phase})` : slot.state;
    return [
        String(slot.index),
        state,
        // Not the epoch: closing a slot counts as taking it.
        String(slot.attempts.length),
        slot.exitCode === null ? '-' : String(slot.exitCode),
        slot.machine ?? '-',
        slot.savedAt ? ago(slot.savedAt) : '-',
        slot.reason ?? '',
    ];
}
function withTitle(lines) {
    return lines.length === 0 ? [] : ['', ...lines];
}

// EXTERNAL MODULE: ./build/js/forges/registry.js + 2 modules
var forges_registry = __webpack_require__(12186);
// EXTERNAL MODULE: ./build/js/snapshot/path.js
var snapshot_path = __webpack_require__(69916);
;// CONCATENATED MODULE: ./build/js/task/workdir/stays.js
/** What never goes along, whatever the rules say: it belongs to whoever runs the command, and happens to lie in the work directory. */



/** Why a path below `folder` stays here; `undefined` for all others. `places`: absolute paths with what they are. */
function staysBelow(folder, places) {
    const real = resolved(folder);
    const below = new Map();
    for (const [place, what] of places) {
        const path = (0,external_node_path_.relative)(real, resolved(place));
        if (path !== '' && path !== '..' && !path.startsWith('../'))
            below.set(path, what);
    }
    if (below.size === 0)
        return () => undefined;
    return (path) => {
        for (let at = path; at !== ''; at = (0,snapshot_path/* parentPath */.yl)(at)) {
            const what = below.get(at);
            if (what !== undefined)
                return what;
        }
        return undefined;
    };
}
/** Also of what does not exist: nothing of that name is sent. */
function resolved(path) {
    try {
        return (0,external_node_fs_.realpathSync)(path);
    }
    catch {
        return path;
    }
}

;// CONCATENATED MODULE: ./build/js/verbs/task/output.js
/** What a task is to bring back, and where to: told to be wrong before the start, for afterwards it would be too late. */







/** The folder, if it is one, or can still become one. */
function needPlace(folder) {
    if ((0,external_node_fs_.statSync)(folder, { throwIfNoEntry: false })?.isDirectory() === false)
        throw new errors/* InputError */.dz(`output-dir: ${(0,lib_text/* quoted */.TL)(folder)} is not a folder`, { hint: 'choose another one, or remove the file' });
    return folder;
}
/** As globs below the work directory: whoever names a file there by its whole path means the same. */
function output_outputsOf(patterns, workdir) {
    const faults = [];
    const globs = patterns.map((pattern) => {
        const [, not = '', path = ''] = /^(!?)(.*)$/s.exec(pattern) ?? [];
        const glob = (0,external_node_path_.isAbsolute)(path) ? belowWorkdir(path, workdir) : path;
        if (glob === undefined)
            faults.push({
                option: 'output',
                message: `output: ${(0,lib_text/* quoted */.TL)(pattern)} is not below the work directory${workdir === undefined ? ', and there is none' : ` (${(0,lib_text/* quoted */.TL)(workdir)})`}`,
                hint: 'outputs are globs relative to it, such as "results/**"',
            });
        else if (not === '' && (0,git_name/* isBelowGit */.S)(glob))
            faults.push({
                option: 'output',
                message: `output: ${(0,lib_text/* quoted */.TL)(pattern)} is below .git, and nothing of a run is ever put there`,
                hint: 'let the script make a file of its commits, such as with "git bundle create commits.bundle HEAD", and name that',
            });
        return not + (glob ?? path);
    });
    if (faults.length > 0)
        throw new errors/* InputError */.dz(faults);
    return globs;
}
function belowWorkdir(path, workdir) {
    if (workdir === undefined)
        return undefined;
    for (const root of [workdir, resolved(workdir)]) {
        if (path.replace(/\/+$/, '') === root)
            return '.';
        if (path.startsWith(root === '/' ? root : `${root}/`))
            return path.slice(root.length).replace(/^\/+/, '') || '.';
    }
    return undefined;
}
/** What a later command, maybe on another computer, has in the same place: the CI system's, else the folder that a command was given in. */
function workspaceOf({ env, cwd }) {
    const variable = forges_registry/* forges */.F.find((forge) => forge.detect(env))?.keepsBelow;
    const root = variable && env[variable];
    return root && (0,external_node_fs_.existsSync)(root) ? root : cwd;
}
/** Of the folder for outputs there; `undefined`: it is elsewhere. */
function outputPath(context, folder) {
    const path = folder === undefined ? '..' : (0,external_node_path_.relative)(resolved(workspaceOf(context)), resolvedParent(folder));
    return path === '..' || path.startsWith('../') ? undefined : path || '.';
}
/** Of a folder that may still have to be made. */
function resolvedParent(folder) {
    return (0,external_node_fs_.existsSync)(folder) || (0,external_node_path_.dirname)(folder) === folder ? resolved(folder) : (0,external_node_path_.join)(resolvedParent((0,external_node_path_.dirname)(folder)), (0,external_node_path_.basename)(folder));
}

;// CONCATENATED MODULE: ./build/js/verbs/collect.js
/** `tpi collect` and `tpi pull`: results, finally or in between. */


















/** A finished deployment is delivered and given back; of a running one, what is there now, and it goes on. */
async function collect_collect(context) {
    const { values, host } = context;
    if (values.finished || values.mine)
        return collectMany(context);
    const { exitCode, fact } = await collectOne(context, await meantAlive(context));
    if (values.json)
        host.facts(fact);
    return exitCode;
}
/**
 * One that cannot be delivered does not hold up the others; it is the error at the end. Each has a folder of its own, also where there
 * is just one: the same command again, for what is left, delivers to the same places.
 */
async function collectMany(context) {
    const { values, host } = context;
    const losses = new Losses(context, true);
    const targets = await uncollected(context, losses);
    const done = [];
    if (targets.length > 0)
        host.info('each is delivered into a folder of its own: NAME, below the output folder');
    for (const [d, label] of labelled(targets)) {
        const collected = await losses.heed(d.name, () => collectOne(context, d, label));
        if (collected)
            done.push(collected);
    }
    if (values.json)
        host.facts(done.map(({ fact }) => fact));
    if (targets.length === 0 && losses.code === errors/* EXIT */.dc.ok && !values.json)
        host.print('nothing to collect');
    const worst = Math.max(errors/* EXIT */.dc.ok, ...done.map(({ exitCode }) => exitCode));
    (0,output/* output */.C)(host, { 'exit-code': String(worst), result: JSON.stringify(Object.fromEntries(done.map(({ name, result }) => [name, result]))) });
    losses.throwWorst();
    return worst;
}
/** Names, with the hash of the id where two owners of the repository chose the same. */
function labelled(targets) {
    return targets.map((d) => {
        const alone = targets.filter(({ name }) => name === d.name).length === 1;
        return [d, alone ? d.name : d.id.replace(/^tpi-/, '')];
    });
}
/** `label`: use one of several, and its folder and artifact are called so. */
async function collectOne(context, d, label) {
    const { engine } = context;
    const found = await (0,deployment/* readSpec */.Ot)(d);
    if (!found && (await (0,removed/* isRemoved */.RX)(d)))
        throw await (0,removed/* tooLate */.Bg)(engine, d);
    const spec = (0,deployment/* taskOnly */.uL)(found ?? (await (0,deployment/* needSpec */.Gt)(d)));
    const presence = await (0,owner_presence/* enter */.Ve)(engine, d, spec.lease);
    try {
        return await collectPresent(context, d, spec, presence, label);
    }
    finally {
        await presence.leave().catch(() => undefined);
    }
}
/** Whoever gives it back meanwhile waits for us. */
async function collectPresent(context, d, spec, presence, label) {
    const { values, host, engine } = context;
    const now = await present(context, d);
    const slots = (await (0,deployment/* readSlots */.wI)(d, spec.count)).map((slot) => slot.record);
    const evidence = await gather(context, d, spec, slots, { label });
    const optional = values['if-no-files-found'] === 'ignore';
    const wish = { to: folderOf(context), below: label, here: workspaceOf(context), optional, delivered: evidence.delivered };
    if (now.outcome === 'running') {
        const delivery = await (0,collect/* deliver */.cK)(engine, d, spec, wish);
        if (!values.json)
            host.print(`${d.name} is still running; ${summary(delivery)}`);
        await publish(context, { status: now, delivery, attached: true, evidence }, 'left');
        return { name: d.name, exitCode: errors/* EXIT */.dc.ok, result: (0,follow_status/* resultOf */.Bg)(now.slots), fact: { ...now, delivery } };
    }
    const end = await (0,finish/* finish */.O)(engine, d, spec, slots, presence, wish);
    if (!values.json)
        host.print((0,closing/* closingReport */.EM)(end));
    await publish(context, { ...end, attached: true, evidence }, 'ended');
    const result = (0,follow_status/* resultOf */.Bg)(end.status.slots);
    // A failed task was collected all right: its own verdict is in the report, and in the exit code as with an attached run.
    return { name: d.name, exitCode: end.status.exitCode ?? errors/* EXIT */.dc.ok, result, fact: { ...end.status, result, delivery: end.delivery } };
}
function folderOf({ values, cwd }) {
    return values.to === undefined ? undefined : (0,external_node_path_.resolve)(cwd, values.to);
}
async function uncollected(context, losses) {
    const { values, owner } = context;
    const own = (await losses.seen()).filter(({ found }) => values.mine ? ownedBy(owner, found.tags.origin) : sameHouse(owner, found.tags.origin));
    return losses.read(own, async (d) => {
        const spec = await (0,deployment/* readSpec */.Ot)(d);
        const wanted = spec?.mode === 'task' && (await (0,deployment/* readCollected */.qu)(d)) === undefined && (!values.finished || (await isOver(d, spec)));
        return wanted ? d : undefined;
    });
}
async function isOver(d, spec) {
    return (await (0,finish/* readStatus */.r)(d, spec)).outcome !== 'running';
}
/** `tpi pull NAME [GLOB]`: any files of the newest snapshots; stops and marks nothing. */
async function pull(context) {
    const { values, host, engine } = context;
    const d = await meantAlive(context);
    const spec = (0,deployment/* taskOnly */.uL)(await (0,deployment/* needSpec */.Gt)(d));
    const slot = checkedSlot(values.slot, spec.count);
    const delivery = await (0,collect/* deliver */.cK)(engine, d, spec, {
        to: folderOf(context),
        here: workspaceOf(context),
        globs: values.glob.length > 0 ? values.glob : ['**'],
        slots: slot === undefined ? undefined : [slot],
    });
    if (values.json)
        host.facts({ id: d.id, name: d.name, delivery });
    else
        host.print(summary(delivery));
    return errors/* EXIT */.dc.ok;
}
function summary(delivery) {
    if (delivery.left)
        return 'no outputs were asked for';
    const { files, same: there, saved, unmatched, folder } = delivery;
    if (files.length + there === 0) {
        if (!saved)
            return 'nothing has been saved yet that differs from what was uploaded';
        return unmatched.length > 0
            ? `of what has been saved, no file matches ${(0,lib_text/* listed */.KE)(unmatched.map(lib_text/* quoted */.TL))}`
            : 'every file that matches is as it was uploaded';
    }
    if (files.length === 0)
        return `nothing new: ${(0,lib_text/* plural */.LS)(there, 'file')} already in ${folder}`;
    const same = there > 0 ? `, ${there} already there` : '';
    return `${(0,lib_text/* plural */.LS)(files.length, 'file')} (${(0,lib_bytes/* formatBytes */.z3)(delivery.bytes)}) in ${folder}${same}`;
}

;// CONCATENATED MODULE: ./build/js/verbs/comment.js
/** `tpi comment FILE`: Markdown on the pull or merge request, changed in place by the next one of the same name. */





async function comment(context) {
    const { values, host, cwd } = context;
    if (values.file === undefined)
        throw new errors/* InputError */.dz('file: which one? A file with Markdown is needed');
    const path = (0,external_node_path_.resolve)(cwd, values.file);
    const text = await (0,promises_.readFile)(path, 'utf8').catch((error) => {
        throw new errors/* InputError */.dz(`file: "${values.file}" cannot be read: ${(0,lib_text/* messageOf */.bD)(error)}`);
    });
    const place = await openDiscussion(context);
    if (!place)
        throw new errors/* InputError */.dz('pull-request: this is no job of a pull or merge request', {
            hint: 'name its number: --pull-request N (and --repository OWNER/NAME outside CI)',
        });
    const { url, how } = await say(context, place, values.name ?? 'report', text, { folder: (0,external_node_path_.dirname)(path) });
    if (values.json)
        host.facts({ title: place.title, url, how });
    else
        host.print(`${place.title}: comment ${how}: ${url}`);
    return errors/* EXIT */.dc.ok;
}

// EXTERNAL MODULE: ./build/js/engine/destroy/destroy.js
var destroy = __webpack_require__(81898);
// EXTERNAL MODULE: ./build/js/engine/locators.js
var locators = __webpack_require__(15098);
// EXTERNAL MODULE: ./build/js/wire/records.js
var records = __webpack_require__(70708);
;// CONCATENATED MODULE: ./build/js/runner/kept.js



const kept = (0,shape/* object */.Ik)({
    v: (0,shape/* oneOf */.yL)(parse/* VERSION */.xv),
    registry: records/* registry */.u5,
    labels: (0,shape/* list */.p_)((0,shape/* line */.n8)(4096), 1000),
    // Its fields are those of options, which are judged again where it is used.
    wish: (0,shape/* dictionary */.zz)((0,shape/* line */.n8)(4096), (0,shape/* json */.Pq)(), 1000),
});
function keptText(facts) {
    return JSON.stringify({ v: parse/* VERSION */.xv, ...facts });
}
/** `undefined`: it is of something else, or of a version that is not known here. */
function keptRunners({ tags, text }) {
    if (tags.mode !== 'runner')
        return undefined;
    try {
        return (0,parse/* parseShape */.Tr)(kept, text);
    }
    catch {
        return undefined;
    }
}
/** As the forge names it: without its host. */
function repositoryOf({ repository }) {
    return repository?.split('/').slice(1).join('/');
}

// EXTERNAL MODULE: ./build/js/wire/layout.js
var layout = __webpack_require__(64046);
// EXTERNAL MODULE: ./build/js/wire/spec.js
var wire_spec = __webpack_require__(62023);
// EXTERNAL MODULE: ./build/js/engine/owner/mark.js
var mark = __webpack_require__(44532);
// EXTERNAL MODULE: ./build/js/engine/owner/strays.js
var strays = __webpack_require__(82767);
// EXTERNAL MODULE: ./build/js/engine/record.js + 1 modules
var record = __webpack_require__(9923);
;// CONCATENATED MODULE: ./build/js/engine/destroy/sweep.js
/** Finding what is past its time, and giving it back. Meant for a schedule: looks only, unless told to act. */












/** What a deployment that stays does not need: incarnations that it does not name, and those whose place it took long ago. */
async function sweep_strays(engine, d) {
    const seen = await (0,strays/* straysOf */.U4)(d);
    if (!seen)
        return [];
    const { current } = seen;
    const { id, name, cloudId: cloud } = d;
    const old = engine.clock.date().getTime() - Date.parse(current.createdAt) > UNFINISHED_AFTER;
    const former = current.state === 'open' && old ? (current.former ?? []) : [];
    const found = [...former, ...seen.strays];
    return found.map((one) => ({
        id,
        name,
        cloud,
        d: (0,mark/* siblingOf */.SS)(d, one),
        stray: true,
        reason: `left of a former start (${one}), whose place was taken`,
    }));
}
/** Time that a controller may take for creating before it counts as dead. */
const UNFINISHED_AFTER = 60 * 60_000;
/** Time that jobs wait for runners at most, wherever they are queued. */
const RELAUNCH_WITHIN = 24 * 60 * 60_000;
/** Everything in these clouds (and in a store that was named) that nobody should have to pay for or look at any more. */
async function leftovers(engine, clouds, access, { named, ttl, failed }) {
    const lost = (what, error) => {
        engine.host.warn(`${what}: ${(0,errors/* describeError */.Uc)(error)}: cannot tell what may be removed`);
        failed?.(error);
    };
    const hidden = new Set();
    const seen = await (0,find/* sightings */.nI)(clouds, (cloud, error, where) => {
        hidden.add(cloud);
        lost(where === undefined ? cloud : `${cloud}, ${where}`, error);
    });
    const suspects = [];
    for (const sighting of seen) {
        const d = await (0,find/* openSighting */.at)(sighting, access).catch((error) => (0,find/* unopened */.xJ)(sighting, error));
        const why = await overdue(engine, sighting, d).catch((error) => silent(engine, sighting, d, error, lost));
        if (why)
            suspects.push({ id: d.id, name: d.name, cloud: d.cloudId, d, ...why });
        else
            suspects.push(...(await sweep_strays(engine, d).catch(() => [])));
    }
    for (const open of clouds.filter(({ id }) => !hidden.has(id))) {
        // Where each deployment has a store of its own, the two are found together or not at all.
        const usual = open.cloud.ownStore ? [] : [async () => open.cloud.store('')];
        // What lies in a named store may belong to machines of the cloud that could not be looked at.
        for (const placed of [...usual, ...(named && hidden.size === 0 ? [async () => named] : [])])
            try {
                suspects.push(...(await orphans(engine, open, await access(await placed()), seen, lost)));
            }
            catch (error) {
                if (!(0,silence/* isUnused */.j0)(open, error))
                    lost(`storage of ${open.id}`, error);
            }
    }
    const alive = await Promise.all(suspects.map(async (suspect) => isAlive(engine, suspect, ttl).catch((error) => lost(suspect.name, error) ?? true)));
    return suspects.filter((_, at) => !alive[at]);
}
/** Whether somebody is at it, or has just come to the end. One sign of life is enough: nobody waits here until it is done. */
async function isAlive(engine, { d, reason, judged }, ttl) {
    if (!judged)
        return false;
    engine.host.info(`${d.name}: ${reason}, or another command is working on it: looking for signs of life`);
    return (await (0,silence/* heardOf */._D)(engine, d, judged, ttl)) !== 'silent';
}
/** Why this deployment is past its time, if it is. */
async function overdue(engine, sighting, d) {
    const { tags, phase } = sighting.found;
    const now = engine.clock.date().getTime();
    const { deadline } = tags.lifetime;
    // What shows may be of a former start, which is a stray by its own name.
    const shown = tags.incarnation === d.incarnation;
    if (shown && phase === 'up' && now > (0,wire_spec/* hardDeadline */.ay)(tags.lifetime))
        return { reason: `machines past their deadline ${deadline}` };
    const current = await (0,find/* readCurrent */.cA)(d.store, d.id);
    if (awaited(current?.value, now))
        return undefined;
    const begun = current && sweep_unfinished(current, now);
    if (begun)
        return begun;
    const spec = await (0,deployment/* readSpec */.Ot)(d);
    // Its controller may die before there is a record of it: nothing says that it still lives, only time tells.
    if (!spec)
        return now - Date.parse(current?.value.createdAt ?? tags.createdAt) > UNFINISHED_AFTER ? { reason: UNFINISHED } : undefined;
    const lifetime = shown ? tags.lifetime : spec.lifetime;
    const { retention } = lifetime;
    const slots = (await (0,deployment/* readSlots */.wI)(d, spec.count)).map((slot) => slot.record);
    const end = slots.every((slot) => (0,wire_slot/* isTerminal */.Hd)(slot.state)) ? Math.max(...slots.map((slot) => Date.parse(slot.at))) : (0,wire_spec/* hardDeadline */.ay)(lifetime);
    if (now > end + retention * 1000)
        return { reason: `kept until ${new Date(end + retention * 1000).toISOString()}` };
    return undefined;
}
const UNFINISHED = 'its creation was never finished';
/** Somebody began to make or to remove it, and may be at it: whoever finds that may finish it, unless there are signs of life. */
function sweep_unfinished(judged, now) {
    const { state, ttl, createdAt } = judged.value;
    if (state === 'destroying')
        return { reason: 'its removal was never finished', judged };
    if (state === 'open')
        return undefined;
    // How long it may be silent is on record, or it is not known.
    if (ttl === undefined && now - Date.parse(createdAt) <= UNFINISHED_AFTER)
        return undefined;
    return { reason: UNFINISHED, judged };
}
/** Whoever was starting it again was killed: what it is made of is on record for the next one. */
function awaited(current, now) {
    return current?.relaunch !== undefined && now - Date.parse(current.relaunch.since) < RELAUNCH_WITHIN;
}
/** One whose store does not answer must not hide the others: it may never have come up, or come back. Its tags say how long it may stay. */
function silent(engine, { found: { tags } }, d, error, lost) {
    const end = (0,wire_spec/* keptUntil */.Jf)(tags.lifetime);
    if (engine.clock.date().getTime() > end)
        return { reason: `kept until ${new Date(end).toISOString()}, and its store does not answer` };
    if (!(0,deployment/* hasNoStore */.fH)(d, error))
        return lost(tags.name, error);
    engine.host.warn(`${tags.name}: its store does not answer: cannot tell what may be removed`);
    return undefined;
}
/** Stored deployments without a group: their controller died before it had made one, or after it had removed it. */
async function orphans(engine, open, store, seen, lost) {
    const known = new Set(seen.map(({ found }) => found.tags.id));
    const suspects = [];
    for (const id of await storedIds(store)) {
        if (known.has(id))
            continue;
        suspects.push(...((await orphan(engine, open, store, id).catch((error) => lost(id, error))) ?? []));
    }
    return suspects;
}
async function orphan(engine, open, store, id) {
    const current = await (0,record/* readRecord */.aE)(records/* CURRENT */.eN, store, (0,layout/* currentKey */.Fo)(id));
    const now = engine.clock.date().getTime();
    if (!current || awaited(current.value, now))
        return [];
    const { name, incarnation, createdAt } = current.value;
    const d = (0,deployment/* deploymentOf */.PE)({ cloudId: open.id, cloud: open.cloud, store, id, name, incarnation });
    const late = now - Date.parse(createdAt) >= UNFINISHED_AFTER;
    const why = sweep_unfinished(current, now) ??
        (late && !(await withinRetention(engine, d)) ? { reason: 'stored, but no machines belong to it' } : undefined);
    return why ? [{ id, name, cloud: open.id, d, ...why }] : sweep_strays(engine, d);
}
async function withinRetention(engine, d) {
    const spec = await (0,deployment/* readSpec */.Ot)(d);
    if (!spec)
        return false;
    return engine.clock.date().getTime() < (0,wire_spec/* keptUntil */.Jf)(spec.lifetime);
}
/** Deployments that have anything in this store. */
async function storedIds(store) {
    // What is none of ours may have such a name, too.
    return (await (0,strays/* foldersBelow */.jk)(store, '', 'tpi-')).filter(identity/* isId */.eQ);
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
;// CONCATENATED MODULE: ./build/js/engine/create/fingerprint.js
/** What "the same command" means: keyed hashes of everything that decides what runs. Secrets and tokens are never part of it. */

function comparedParts(request, fields) {
    const parts = Object.keys(fields).map((name) => {
        const field = name;
        return fields[field]?.(request[field]) ?? {};
    });
    return Object.assign({}, ...parts);
}
function fingerprint(id, parts) {
    const hash = (value) => (0,external_node_crypto_.createHmac)('sha256', id)
        .update(JSON.stringify(value) ?? 'undefined')
        .digest('hex')
        .slice(0, 24);
    return Object.fromEntries(Object.entries(parts)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, hash(value)]));
}
/** Names of the parts that differ, sorted. */
function differences(there, here) {
    const names = new Set([...Object.keys(there), ...Object.keys(here)]);
    return [...names].filter((name) => there[name] !== here[name]).sort();
}

;// CONCATENATED MODULE: ./build/js/report/progress.js





const HEARTBEAT = 60_000;
function progress(host, options) {
    const started = options.clock.now();
    let spoke = started;
    /** What closes the group of a set-up, by slot. */
    const setups = new Map();
    const say = (text) => {
        spoke = options.clock.now();
        host.info((0,lib_text/* oneLine */.TN)(text));
    };
    const of = (index) => (options.count > 1 ? `slot ${index}: ` : '');
    // Set-ups of many slots run at the same time: groups would tear each other apart.
    const setUp = (index) => {
        if (options.count === 1)
            return host.section('Set-up');
        say(`${of(index)}setup`);
        return () => undefined;
    };
    const endSetUp = (index) => {
        setups.get(index)?.();
        setups.delete(index);
    };
    return {
        slot(record, before) {
            if ((0,wire_slot/* isTerminal */.Hd)(record.state) || record.epoch !== before?.epoch)
                endSetUp(record.index);
            for (const text of changes(record, before, options.clock.date()))
                say(of(record.index) + text);
        },
        log(piece) {
            if (piece.stream === 'agent') {
                const lines = Buffer.from(piece.bytes).toString('utf8').trimEnd().split('\n');
                for (const line of lines) {
                    if (line.startsWith(log/* WARNING */.Nz))
                        host.warn(of(piece.slot) + line.slice(log/* WARNING */.Nz.length));
                    else if (options.verbose)
                        host.debug(`${of(piece.slot)}machine: ${line}`);
                }
                return;
            }
            spoke = options.clock.now();
            if (piece.stream === 'setup' && !setups.has(piece.slot))
                setups.set(piece.slot, setUp(piece.slot));
            if (piece.stream === 'script')
                endSetUp(piece.slot);
            host.script(piece.bytes, { slot: piece.slot, label: options.count > 1 ? `[${piece.slot}] ` : '' });
        },
        event(text, kind) {
            if (kind === 'info')
                host.debug(text);
            else if (kind === 'notice' || kind === 'advice')
                say(text);
            else
                host.warn((0,lib_text/* oneLine */.TN)(text));
        },
        tick(slots, seen) {
            const line = waiting(slots, seen, options.count);
            const took = (0,duration/* formatDuration */.a3)(Math.round((options.clock.now() - started) / 1000));
            host.status(line ? `${line} (${took})` : options.run ? standing(options.run, slots, options.clock.date()) : '');
            if (options.clock.now() - spoke >= HEARTBEAT)
                say(`${line ?? 'running'} (${took})`);
        },
    };
}
/** Lines for what is worth telling, in the order it happened. */
function changes(slot, before, now) {
    const state = stateLine(slot, before, now);
    return [...ended(slot, before), ...(state === undefined ? [] : [state])];
}
/** Attempts that ended since the last look, but for the present one: several, where they took less time than a look. */
function ended(slot, before) {
    const known = before === undefined ? slot.epoch - 1 : before.epoch + (before.state === 'interrupted' ? 1 : 0);
    return slot.attempts
        .filter(({ epoch }) => epoch >= known && epoch < slot.epoch)
        .map(({ epoch, reason, cause }) => `attempt ${epoch} ended: ${reason ?? cause ?? 'its machine is gone'}`);
}
function stateLine(slot, before, now) {
    if (slot.state === 'waiting' || (before?.state === slot.state && before.epoch === slot.epoch))
        return undefined;
    if (slot.state === 'interrupted')
        return `interrupted: ${slot.attempts.at(-1)?.reason ?? 'machine reclaimed'}; ${saved(slot, now)}; waiting for a replacement`;
    if (!(0,wire_slot/* isTerminal */.Hd)(slot.state)) {
        if (before?.epoch === slot.epoch)
            return undefined;
        return `machine ${slot.holder ?? '?'} is up${slot.epoch > 1 ? ` (attempt ${slot.epoch})` : ''}${resumed(slot)}`;
    }
    if (slot.state === 'succeeded')
        return slot.state;
    const reason = slot.reason ?? `exit code ${slot.exitCode ?? '?'}`;
    return reason.startsWith(slot.state) ? reason : `${slot.state}: ${reason}`;
}
function resumed(slot) {
    if (slot.epoch < 2 || !(0,wire_slot/* hasSaved */.ce)(slot))
        return '';
    return `, resuming from the snapshot of ${slot.head.savedAt.slice(11, 19)}`;
}
function saved(slot, now) {
    if (!(0,wire_slot/* hasSaved */.ce)(slot))
        return 'nothing saved yet';
    return `last snapshot ${(0,duration/* formatDuration */.a3)(Math.max(0, Math.round((now.getTime() - Date.parse(slot.head.savedAt)) / 1000)))} ago`;
}
/** How it stands: time of the deadline, machine, what is saved, interruptions. Empty: it has ended. */
function standing(run, slots, now) {
    const open = slots.filter((slot) => !(0,wire_slot/* isTerminal */.Hd)(slot.state));
    if (open.length === 0)
        return '';
    const seconds = (from, to) => (0,duration/* formatDuration */.a3)(Math.max(0, Math.round((to - Date.parse(from)) / 1000)));
    const [only] = slots;
    const alone = slots.length === 1 && only !== undefined;
    const newest = open.filter(wire_slot/* hasSaved */.ce).sort((a, b) => (a.head.savedAt < b.head.savedAt ? 1 : -1))[0];
    const lost = slots.reduce((sum, { attempts }) => sum + attempts.filter(({ end, cause }) => end !== undefined && cause !== 'exit').length, 0);
    return [
        `${run.name}: ${alone ? (only.phase === 'script' || only.phase === undefined ? only.state : only.phase) : `${open.length} of ${slots.length} running`}`,
        `${seconds(run.createdAt, now.getTime())} of ${seconds(run.createdAt, Date.parse(run.deadline))}`,
        ...(alone && only.holder !== undefined ? [only.holder] : []),
        newest ? `saved ${seconds(newest.head.savedAt, now.getTime())} ago (${(0,lib_bytes/* formatBytes */.z3)(newest.head.bytes)})` : 'nothing saved yet',
        ...(lost > 0 ? [(0,lib_text/* plural */.LS)(lost, 'interruption')] : []),
    ].join(' · ');
}
/** What we are waiting for, unless the program simply runs. */
function waiting(slots, seen, count) {
    const open = slots.filter((slot) => !(0,wire_slot/* isTerminal */.Hd)(slot.state));
    const idle = open.filter((slot) => slot.state !== 'running');
    if (idle.length === 0)
        return undefined;
    const [first] = idle;
    const booting = first?.phase === 'restoring' ? 'fetching its files' : first?.state;
    const alone = count === 1
        ? `the machine is ${first?.state === 'booting' ? booting : 'on its way'}`
        : `slot ${first?.index ?? 0} is ${booting ?? 'waiting'}`;
    const what = idle.length === 1 ? alone : `${idle.length} slots are waiting`;
    const reason = seen.events.findLast(({ kind }) => kind !== 'info' && kind !== 'advice')?.text;
    return reason ? `${what}: ${reason}` : what;
}

// EXTERNAL MODULE: ./build/js/lib/files.js
var lib_files = __webpack_require__(59381);
// EXTERNAL MODULE: ./build/js/lib/retry.js
var retry = __webpack_require__(39088);
;// CONCATENATED MODULE: ./build/js/runner/archive.js
/** The forge's runner program: downloaded once, checked against the forge's own digest, kept here, and put into the deployment's store. */









/** Bytes: well below what a store takes as one object. */
const PART = 32 * 1024 * 1024;
/** Milliseconds: such downloads have been seen to take more than ten minutes. */
const LONGEST = 20 * 60_000;
/** From our own copy where that is whole, else from where the forge says. */
async function fetchArchive(engine, download, signal) {
    const folder = (0,external_node_path_.join)(engine.home, 'cache', 'runners');
    // Without the forge's own digest nothing would ever say that a copy is the right one.
    const file = download.digest === undefined ? undefined : (0,external_node_path_.join)(folder, download.digest);
    const kept = file === undefined ? undefined : await (0,promises_.readFile)(file).catch(() => undefined);
    if (kept && download.digest !== undefined && sha256(kept) === download.digest)
        return { bytes: kept, digest: download.digest, download };
    const begun = engine.clock.now();
    const bytes = await (0,retry/* retry */.L)(async () => get(download, signal), {
        attempts: 4,
        first: 1000,
        longest: 10_000,
        signal,
        again: (error) => error instanceof errors/* RemoteError */.Hi && error.retryable,
    });
    const digest = sha256(bytes);
    if (download.digest !== undefined && digest !== download.digest)
        throw new errors/* RemoteError */.Hi(`the runner program from ${new URL(download.url).host} does not have the digest that the forge gives: SHA-256 ${digest}, not ${download.digest}`);
    engine.host.info(`runner program ${download.version}: ${(0,lib_bytes/* formatBytes */.z3)(bytes.length)} in ${((engine.clock.now() - begun) / 1000).toFixed(1)} s${download.digest === undefined ? ' (the forge publishes no digest)' : ', digest checked'}`);
    if (file !== undefined)
        await keep(folder, file, bytes);
    return { bytes, digest, download };
}
async function get(download, signal) {
    const { host } = new URL(download.url);
    try {
        const answer = await fetch(download.url, { headers: download.headers, signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]) });
        if (!answer.ok)
            throw new errors/* RemoteError */.Hi(`no runner program from ${host}: HTTP ${answer.status}`, {
                retryable: answer.status >= 500 || answer.status === 429,
            });
        return Buffer.from(await answer.arrayBuffer());
    }
    catch (cause) {
        signal.throwIfAborted();
        if (cause instanceof errors/* RemoteError */.Hi)
            throw cause;
        throw new errors/* RemoteError */.Hi(`no runner program from ${host}: ${(0,lib_text/* messageOf */.bD)(cause)}`, {
            cause,
            retryable: true,
        });
    }
}
/** Copies that are kept, of a good hundred megabytes each: this version, and the one that others still start with. */
const archive_KEPT = 2;
/** A copy that cannot be kept costs only the next download. */
async function keep(folder, file, bytes) {
    try {
        await (0,promises_.mkdir)(folder, { recursive: true });
        await (0,lib_files/* writeWhole */.f8)(file, bytes);
        const copies = (await (0,lib_files/* namesIn */.wX)(folder)).filter((name) => !name.endsWith('.part')).map((name) => (0,external_node_path_.join)(folder, name));
        const ages = await Promise.all(copies.map(async (path) => ({ path, at: (await (0,promises_.stat)(path)).mtimeMs })));
        const old = ages.toSorted((one, other) => other.at - one.at).slice(archive_KEPT);
        await Promise.all(old.map(({ path }) => (0,promises_.rm)(path, { force: true })));
    }
    catch {
        // So be it.
    }
}
async function uploadArchive(d, { bytes, digest, download }, signal) {
    const parts = Math.max(1, Math.ceil(bytes.length / PART));
    for (let part = 0; part < parts; part++) {
        signal.throwIfAborted();
        await d.store.write((0,layout/* agentPart */.P_)(d.keys, digest, part), bytes.subarray(part * PART, (part + 1) * PART));
    }
    return { digest, bytes: bytes.length, parts, version: download.version, ...(download.file === undefined ? {} : { file: download.file }) };
}
function sha256(bytes) {
    return (0,external_node_crypto_.createHash)('sha256').update(bytes).digest('hex');
}

// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(78474);
// EXTERNAL MODULE: ./build/js/engine/owner/tenure.js
var owner_tenure = __webpack_require__(82562);
// EXTERNAL MODULE: ./build/js/engine/patience.js
var patience = __webpack_require__(5822);
;// CONCATENATED MODULE: ./build/js/engine/create/apply.js


/** Milliseconds before a resource is asked again whose turn has not come: it waits for another that is in the making. */
const TURN = 50;
/**
 * Ensures every resource of the blueprint: stages in order, members of a stage in parallel. Leaves the group at size 0, unless it is `ahead`.
 * `hold`: rejects where it is not ours to make any more.
 */
async function apply(engine, d, spec, signal, hold = async () => undefined) {
    const stages = await d.cloud.blueprint(spec);
    const total = stages.flat().length;
    const made = [];
    let count = 0;
    try {
        for (const stage of stages) {
            const mine = [];
            made.push(mine);
            const outcomes = await Promise.allSettled(stage.map(async (resource) => {
                const started = engine.clock.now();
                // Whatever happens from here on; but what was there before, or is others' too, is not taken back.
                if (!resource.shared)
                    mine.push(resource);
                const { outcome, clean } = await ensured(engine, resource, signal, hold);
                if (clean && outcome !== 'created')
                    mine.splice(mine.indexOf(resource), 1);
                count += 1;
                engine.host.info(`[${count}/${total}] ${resource.kind} ${resource.name}: ${outcome} (${((engine.clock.now() - started) / 1000).toFixed(1)}s)`);
            }));
            // Only now: what is removed below must not be in the making any more.
            const failed = outcomes.find((outcome) => outcome.status === 'rejected');
            if (failed)
                throw failed.reason;
        }
    }
    catch (error) {
        engine.host.info('creation failed: removing what was created');
        await (0,destroy/* removeStages */.Mq)(engine, made.reverse()).catch((problem) => engine.host.warn(String(problem)));
        throw error;
    }
}
/** `clean`: no try failed. One that did may have made it all the same, and the next then only found it. */
async function ensured(engine, resource, signal, hold) {
    let tries = 0;
    for (;;) {
        const outcome = await (0,patience/* patiently */.d_)(engine, async () => {
            await hold();
            tries += 1;
            return resource.ensure();
        });
        tries -= 1;
        if (outcome !== 'pending')
            return { outcome, clean: tries === 0 };
        await engine.clock.sleep(resource.pace ?? TURN, signal);
    }
}

// EXTERNAL MODULE: ./build/js/wire/store.js
var wire_store = __webpack_require__(37231);
;// CONCATENATED MODULE: ./build/js/engine/create/own-store.js





/** Milliseconds between two looks, and until a store that does not answer counts as failed. */
const LOOK = 100;
const EVENTS = 2_000;
const LIMIT = 10 * 60_000;
/**
 * Resolves when the store answers. What this call made is removed again when something goes wrong. `ahead` is for the time until then: it is
 * called where this call has made the store, so that nobody else can have anything of this deployment.
 */
async function furnishStore(engine, d, spec, parts, ahead) {
    const own = d.cloud.ownStore;
    if (!own?.holds(parts.storeAccess))
        return { async withdraw() { } };
    const made = [];
    const failed = new AbortController();
    let begun;
    const withdraw = async (why) => {
        failed.abort(why);
        if (begun)
            await clearBegun(engine, d, begun);
        // Nothing but that: what was there before belongs to somebody. The first one made owns the rest.
        await (0,destroy/* removeStages */.Mq)(engine, made.map((resource) => [resource])).catch((problem) => engine.host.warn(String(problem)));
    };
    try {
        const stages = await own.blueprint({ ...spec, agent: parts.agent.digest });
        for (const stage of stages) {
            const outcomes = await Promise.allSettled(stage.map(async (resource) => {
                const outcome = await (0,patience/* patiently */.d_)(engine, async () => resource.ensure());
                if (outcome === 'created')
                    made.push(resource);
                engine.host.info(`${resource.kind} ${resource.name}: ${outcome}`);
            }));
            // Only now: what is removed below must not be in the making any more.
            const refused = outcomes.find((outcome) => outcome.status === 'rejected');
            if (refused)
                throw refused.reason;
        }
        if (madeRoot(made, stages))
            begun = ahead?.(failed.signal);
        // Whoever waits for it hears of it.
        begun?.catch(() => undefined);
        await answering(engine, d, parts.signal);
        return { ...(begun ? { ahead: begun } : {}), withdraw };
    }
    catch (error) {
        await withdraw(error);
        throw error;
    }
}
/** The first of all, which owns the rest. */
function madeRoot(made, stages) {
    const root = stages[0]?.[0];
    return root !== undefined && made.includes(root);
}
/** What was begun ahead of a store that has not come up. */
async function clearBegun(engine, d, begun) {
    await begun.catch(() => undefined);
    await clearGroup(engine, d).catch((problem) => engine.host.warn(String(problem)));
}
/** The group that was begun ahead and may not be used. */
async function clearGroup(engine, d) {
    await (0,destroy/* removeStages */.Mq)(engine, (await (0,patience/* patiently */.d_)(engine, async () => d.cloud.leftovers(d))).reverse());
}
async function answering(engine, d, signal) {
    const end = engine.clock.now() + LIMIT;
    let told = 0;
    let looked = engine.clock.now();
    for (;;) {
        signal.throwIfAborted();
        if (await answers(d))
            return;
        if (engine.clock.now() - looked > EVENTS) {
            looked = engine.clock.now();
            const events = (await (0,patience/* patiently */.d_)(engine, async () => d.cloud.ownStore?.events(d))) ?? [];
            for (const { text } of events.slice(told))
                engine.host.info(`store: ${text}`);
            told = events.length;
            const hopeless = events.findLast(({ kind, hopeless: so }) => so || kind === 'denied' || kind === 'quota');
            if (hopeless)
                throw faultOf(d.name, hopeless);
            if (looked > end)
                throw faultOf(d.name, events.at(-1));
        }
        await engine.clock.sleep(LOOK, signal);
    }
}
async function answers({ store, id }) {
    try {
        await store.read((0,layout/* currentKey */.Fo)(id));
        return true;
    }
    catch (error) {
        // Also where what is asked for credentials does not answer.
        if ((0,patience/* mayPass */.bg)(error) || (0,wire_store/* isStoreError */.A1)(error, 'gone'))
            return false;
        throw error;
    }
}
function faultOf(name, event) {
    if (event?.option !== undefined) {
        const hint = 'tpi doctor shows what there is';
        return new errors/* InputError */.dz([{ option: event.option, message: `${event.option}: ${event.text}`, hint }]);
    }
    const message = `the store of "${name}" does not start: ${event?.text ?? 'no reason is given'}`;
    if (event?.kind === 'denied')
        return new errors/* AuthError */.lR(message);
    if (event?.kind === 'quota')
        return new errors/* QuotaError */.ZP(message);
    if (event?.kind === 'capacity')
        return new errors/* CapacityError */.hG(message);
    return new errors/* RemoteError */.Hi(message);
}

;// CONCATENATED MODULE: ./build/js/engine/create/create.js
/** Making a deployment, whatever its mode: name first, group at 0, everything into the store, then N machines. */












/** `undefined`: another controller was faster; it is its deployment now. */
async function create(engine, place, parts, making) {
    const d = (0,deployment/* deploymentOf */.PE)({ ...place, incarnation: (0,identity/* newIncarnation */.PI)() });
    // Giving back has a patience of its own, and no interrupt ends it.
    const steady = { ...d, store: (0,patience/* patientStore */.ve)(engine, d.store, parts.signal) };
    const draft = making.draft(d, engine.clock.date().toISOString());
    const machines = { ...making.machines(draft), agent: parts.agent.digest, store: parts.storeAccess };
    const begin = async (signal) => apply(engine, d, { ...machines, ahead: true }, signal);
    const keepsake = making.keepsake?.(draft);
    const kept = { ...making.machines(draft), ...(keepsake === undefined ? {} : { keepsake }) };
    await share(engine, d.cloud);
    const { ahead, withdraw } = await furnishStore(engine, d, kept, parts, making.ahead ? begin : undefined);
    const facts = { ...making.facts, createdAt: draft.createdAt, origin: parts.origin, ttl: draft.lease.ttl };
    const named = async () => (0,mark/* take */.s)(engine, steady, facts, await making.former(steady));
    const mine = await named().catch(async (error) => {
        // It has no name that anybody could call it by: what is there of it by us goes at once.
        await withdraw(error);
        throw error;
    });
    if (!mine) {
        await ahead?.catch(() => undefined);
        return undefined;
    }
    // One step of giving back that fails must not keep the others from being made.
    const trouble = (problem) => engine.host.warn(`${d.name}: ${(0,errors/* describeError */.Uc)(problem)}`);
    const tenure = (0,owner_tenure/* keepTenure */.Z)(engine, steady, 'making', draft.lease);
    // Beside all that is made: nobody waits for what somebody else has left, but whoever is at it until it is gone.
    const cleared = (0,destroy/* clearOthers */.LX)(engine, steady, draft.lease.ttl);
    const hold = async () => tenure.hold();
    try {
        const spec = await furnish(engine, steady, draft, parts, making, {
            group: async () => ahead ?? apply(engine, d, machines, parts.signal, hold),
            programs: async () => (await (0,patience/* patiently */.d_)(engine, async () => d.cloud.programs?.(machines), parts.signal)) ?? [],
        });
        parts.signal.throwIfAborted();
        // Who was asked meanwhile to stop it starts nothing: its slots close as stopped.
        if (!(await (0,deployment/* readControl */.OJ)(steady))?.stop) {
            await making.entrust?.(steady, spec);
            await hold();
            // Complete only with its machines on the way: a controller that dies before leaves something to undo, not a run that nobody starts.
            await (0,patience/* patiently */.d_)(engine, async () => d.cloud.scale(d, spec.count), parts.signal);
        }
        await create_open(steady);
        await cleared;
        return { d, spec };
    }
    catch (error) {
        engine.host.info(`could not create ${d.name}: giving everything back`);
        await making.revoke?.(d).catch(trouble);
        // A beat must not write into what is being cleared, and nothing more is to come.
        await Promise.allSettled([tenure.stop(), ahead, cleared]);
        await (0,destroy/* destroy */.zr)(engine, d, { why: 'rollback', leave: facts.relaunch !== undefined }).then((left) => engine.host.info(`${d.name}: ${destroy/* LEFT */.M3[left === 'mark' ? 'nothing' : left]}`), (problem) => engine.host.warn(`${(0,lib_text/* messageOf */.bD)(problem)}; run: tpi destroy ${d.id} --discard`));
        await making.restore?.(d).catch(trouble);
        throw error;
    }
    finally {
        await tenure.stop();
    }
}
/** What is there for everybody, from the first deployment of an account on. */
async function share(engine, cloud) {
    for (const resource of (await cloud.shared?.()) ?? []) {
        const outcome = await (0,patience/* patiently */.d_)(engine, async () => resource.ensure());
        if (outcome !== 'found')
            engine.host.info(`${resource.kind} ${resource.name}: ${outcome}`);
    }
}
/** Group and switch on one side, store and what the mode needs on the other. */
async function furnish(engine, d, draft, { agent, signal }, making, of) {
    await d.store.init(d.keys.root);
    const failed = new AbortController();
    const works = [
        making.supply(d, draft, AbortSignal.any([signal, failed.signal])),
        of.group(),
        d.store.write(d.keys.agent(agent.digest), agent.bytes),
        bring(d, of.programs),
    ];
    for (const work of works)
        work.catch((error) => failed.abort(error));
    // Nothing of it may still be under way when what was made is taken back.
    await Promise.allSettled(works);
    failed.signal.throwIfAborted();
    signal.throwIfAborted();
    const { spec, first } = await making.complete(d, draft, await works[0]);
    await Promise.all([
        put(d, d.keys.control, { v: parse/* VERSION */.xv, nonce: (0,identity/* newNonce */.Yd)() }),
        ...Array.from({ length: spec.count }, async (_, index) => put(d, d.keys.slot(index).record, { ...(0,wire_slot/* newSlot */.Lx)(index, (0,identity/* newNonce */.Yd)(), spec.createdAt), ...first?.(index) })),
    ]);
    await put(d, d.keys.spec, spec);
    return spec;
}
async function bring(d, programs) {
    for (const { digest, bytes } of await programs())
        await d.store.write(d.keys.agent(digest), bytes);
}
async function put(d, key, value) {
    await d.store.write(key, Buffer.from(JSON.stringify(value)));
}
/** Makes the deployment visible as complete. */
async function create_open(d) {
    if (!(await (0,mark/* markOpen */._E)(d)))
        throw new errors/* RemoteError */.Hi(`deployment "${d.name}" was removed while it was being created`);
}
/** What the specifications of all modes say alike. */
function commonSpec(mode, d, { wish, origin, agent }, createdAt) {
    const { timeout, grace, reserve, retention } = wish;
    const deadline = new Date(Date.parse(createdAt) + timeout * 1000).toISOString();
    return {
        v: parse/* VERSION */.xv,
        id: d.id,
        incarnation: d.incarnation,
        name: d.name,
        mode,
        createdAt,
        origin,
        count: wish.count,
        lifetime: { deadline, grace, reserve, retention },
        lease: wish.lease,
        ...(wish.setup ? { setup: wish.setup } : {}),
        env: wish.env,
        agent: agent.digest,
    };
}

;// CONCATENATED MODULE: ./build/js/engine/create/group-spec.js
/** Before anything is known of store credentials and agent: what `faults` and `plan` look at. */
function groupSpec({ id, name, incarnation, mode, createdAt, origin, count, lifetime }, wish, store) {
    const { credentials: _credentials, source: _source, until: _until, ...place } = store;
    const tags = { id, name, incarnation, mode, createdAt, origin, count, lifetime, store: place, user: wish.tags };
    return {
        tags,
        size: wish.size,
        ...(wish.diskBytes === undefined ? {} : { diskBytes: wish.diskBytes }),
        ...(wish.image === undefined ? {} : { image: wish.image }),
        ...(wish.region === undefined ? {} : { region: wish.region }),
        spot: wish.spot,
        ...(wish.permissionSet === undefined ? {} : { permissionSet: wish.permissionSet }),
    };
}

// EXTERNAL MODULE: ./build/js/runner/names.js
var names = __webpack_require__(29901);
// EXTERNAL MODULE: ./build/js/runner/registrations.js
var registrations = __webpack_require__(30539);
;// CONCATENATED MODULE: ./build/js/runner/wish.js
/** Runners as their user wishes them: option values resolved, nothing created yet. Plain data. */

/** What decides whether a deployment that is there is the one that is asked for, by option name. */
function comparable(wish, forge, scope) {
    return { ...comparedParts(wish, COMPARED), forge, scope };
}
const COMPARED = {
    name: null,
    count: (count) => ({ count }),
    size: (size) => ({ size }),
    diskBytes: (bytes) => ({ 'disk-size': bytes }),
    image: (image) => ({ image }),
    region: (region) => ({ region }),
    spot: (spot) => ({ spot }),
    permissionSet: (name) => ({ 'permission-set': name }),
    tags: (tags) => ({ tags }),
    setup: (setup) => ({ setup }),
    setupAfter: (setup) => ({ 'setup-after': setup }),
    containers: (containers) => ({ 'docker-image': containers }),
    env: (env) => ({ env }),
    labels: (labels) => ({ labels }),
    defaultLabels: (defaultLabels) => ({ 'default-labels': defaultLabels }),
    jobs: (jobs) => ({ jobs }),
    idle: (idle) => ({ 'idle-timeout': idle }),
    group: (group) => ({ 'runner-group': group }),
    version: (version) => ({ 'runner-version': version }),
    platform: (platform) => ({ platform }),
    // How long they live is each start's own: what is there serves the same jobs.
    timeout: null,
    grace: null,
    reserve: null,
    retention: null,
    lease: null,
    rest: null,
    retry: null,
    onlineTimeout: null,
    // The mode's own.
    usualImage: null,
    unprivileged: null,
};

;// CONCATENATED MODULE: ./build/js/runner/create.js
/** What runners contribute to their deployment: registrations at the forge, and its runner program. */











/** Seconds for which a machine has to have been registered so that its end, whenever it comes, says nothing against the next one. */
const LASTED = 10 * 60;
/** `undefined`: another controller was faster; it is its deployment now. */
async function create_create(engine, place, parts) {
    const { relaunch, forge, forgeId } = parts;
    const made = [];
    return create(engine, place, parts, {
        draft: (d, createdAt) => runnerDraft(d, parts, createdAt),
        machines: (draft) => machineWish(draft, parts.wish, parts.storeAccess, parts.usualImage),
        supply: async (d, draft, signal) => supply(engine, d, draft, { ...parts, signal }, made),
        complete: async (d, draft, supplies) => ({ spec: await complete(d, draft, supplies, parts) }),
        async former(d) {
            const there = relaunch && (await (0,find/* readCurrent */.cA)(d.store, d.id));
            return there?.value.state === 'destroying' ? there : undefined;
        },
        keepsake: () => keptText({ registry: { forge: forgeId, scope: forge.scope }, labels: parts.labels, wish: parts.wish }),
        facts: { registry: { forge: forgeId, scope: forge.scope }, ...(relaunch ? { relaunch } : {}) },
        revoke: async (d) => unregister(engine, parts, (0,names/* runnerName */.i)(d.id, d.incarnation), made),
        // What registers itself has done so last when nothing of it runs any more.
        restore: async (d) => {
            if (made.some(({ id }) => id === undefined))
                await unregister(engine, parts, (0,names/* runnerName */.i)(d.id, d.incarnation), []);
        },
    });
}
/** Registrations to their end, whatever becomes of the rest: what is under way cannot be taken back. `made` gets what was registered. */
async function supply({ clock }, d, { lifetime }, { wish, forge, labels, archive, signal }, made) {
    const places = Array.from({ length: wish.count }, (_, slot) => Array.from({ length: forge.supply(wish) }, (_none, k) => ({ slot, k, name: `${(0,names/* runnerName */.i)(d.id, d.incarnation)}-${slot}-${k}` }))).flat();
    const works = [
        forge
            .enroll({
            places,
            labels,
            jobs: wish.jobs,
            idle: wish.idle,
            platform: wish.platform,
            env: wish.env,
            ...(wish.containers === undefined ? {} : { containers: wish.containers }),
            deadline: lifetime.deadline,
            ...(wish.group === undefined ? {} : { group: wish.group }),
            ...(wish.version === undefined ? {} : { version: wish.version }),
        })
            .then((enrollment) => {
            made.push(...enrollment.enrolled);
            return { enrollment, registered: clock.date().toISOString() };
        }),
        Promise.race([archive, aborted(signal)]).then(async (one) => uploadArchive(d, one, signal)),
    ];
    await Promise.allSettled(works);
    const [enrolled, uploaded] = await Promise.all(works);
    return { ...enrolled, archive: uploaded };
}
/** Rejects when the signal says so: nobody waits for a download that nothing will come of. */
async function aborted(signal) {
    if (!signal.aborted)
        await (0,external_node_events_.once)(signal, 'abort');
    throw signal.reason;
}
async function complete(d, draft, { enrollment, registered, archive }, parts) {
    const { wish, forge, forgeId, labels } = parts;
    const { credentials, program, enrolled } = enrollment;
    await Promise.all(credentials.map(async ({ slot, k, value }) => d.store.write(d.keys.once(slot, k), Buffer.from(value))));
    return {
        ...draft,
        mode: 'runner',
        runner: {
            forge: forgeId,
            scope: forge.scope,
            labels,
            label: labels[0] ?? '',
            jobs: wish.jobs,
            idle: wish.idle,
            ...(wish.rest === undefined ? {} : { rest: wish.rest }),
            enrolled,
            ...(program.registration ? {} : { registered }),
            supply: forge.supply(wish),
            machine: { ...program, archive },
            ...(wish.setupAfter === undefined ? {} : { setup: wish.setupAfter }),
            relaunch: { ...wish },
        },
    };
}
/** Registrations, also those whose answer was lost, by the names that only this incarnation gave; those of this command by what it knows of them. */
async function unregister(engine, parts, prefix, made) {
    try {
        await (0,registrations/* takeBack */.zH)(await parts.afterwards(), prefix, made);
    }
    catch (error) {
        engine.host.warn(`registrations named ${prefix}* may be left: ${(0,lib_text/* messageOf */.bD)(error)}`);
    }
}
/** The specification before the registrations. */
function runnerDraft(d, parts, createdAt) {
    return {
        ...commonSpec('runner', d, parts, createdAt),
        secretNames: [],
        retry: { maxAttempts: 5, lasted: LASTED, retries: 0, retryOn: [] },
        failFast: false,
        gang: false,
        fingerprint: fingerprint(d.id, comparable(parts.wish, parts.forgeId, parts.forge.scope)),
    };
}
/** The cloud's part of the wish. */
function machineWish(spec, wish, store, usualImage) {
    return { ...groupSpec(spec, wish, store), unprivileged: true, usualImage };
}

// EXTERNAL MODULE: ./build/js/engine/follow/follow.js + 3 modules
var follow = __webpack_require__(87002);
;// CONCATENATED MODULE: ./build/js/runner/online.js
var online_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var online_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
/** Waiting until the forge sees every runner online: records of the machines and the forge's own list on one time line. */






/** Milliseconds between two looks at the forge: at first, and the longest. */
const FIRST = 500;
const online_LONGEST = 10_000;
/** Milliseconds for what a machine that does not come has said last. */
const LAST_WORDS = 1000;
/** Milliseconds after which the machines are heard before the forge is. */
const ANSWER = 3000;
/** Rejects when a runner cannot come any more, when the time is over, or with the signal's reason. */
async function untilOnline(engine, d, spec, forge, watcher, limits) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const over = new AbortController();
        const limit = online_addDisposableResource(env_1, (0,clock/* abortIn */.QU)(engine.clock, limits.seconds * 1000), false);
        const late = limit.signal;
        const signal = AbortSignal.any([over.signal, late, limits.signal]);
        const seen = new Seen(engine, spec);
        const asking = new Asking(engine, forge);
        const following = (0,follow/* follow */.e)(engine, d, spec, seen.watching(watcher), { signal, poll: 300 });
        let failed;
        // What it meets for good ends the waiting at once, also in the middle of a pause.
        following.catch((error) => {
            failed = { error };
            over.abort();
        });
        try {
            for (let wait = FIRST;; wait = Math.min(wait * 1.5, online_LONGEST)) {
                limits.signal.throwIfAborted();
                if (failed)
                    throw failed.error;
                if (late.aborted)
                    throw seen.tooLate(d.name, limits.seconds);
                const waiting = seen.waiting();
                for (const info of await asking.about(waiting))
                    if (info.online || info.busy)
                        seen.arrived(info);
                const lost = seen.served((await (0,deployment/* readSlots */.wI)(d, spec.count)).map(({ record }) => record));
                if (lost) {
                    // Its log is the explanation: whoever follows may be about to tell it.
                    await Promise.race([following, engine.clock.sleep(LAST_WORDS, signal)]).catch(() => undefined);
                    throw lost;
                }
                if (seen.complete) {
                    // Those that have served before the forge was asked: it is asked once, and one that is away costs no runner.
                    for (const { id, name } of await asking.about(seen.nameless()))
                        seen.ids.set(name, id);
                    return { after: seen.online, ids: seen.ids };
                }
                await engine.clock.sleep(seen.started ? wait : FIRST, signal).catch(() => undefined);
            }
        }
        finally {
            over.abort();
            await following.catch(() => undefined);
        }
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        online_disposeResources(env_1);
    }
}
/** A forge that is away for a while says nothing about its runners: they are waited for as long as was asked, and what the machines say is heard meanwhile. */
class Asking {
    #engine;
    #forge;
    #under;
    constructor(engine, forge) {
        this.#engine = engine;
        this.#forge = forge;
    }
    /** One question at a time; none of its answers is lost. */
    async about(waiting) {
        if (waiting.length === 0)
            return [];
        const under = (this.#under ??= this.#looked(waiting));
        // Whoever asks next hears of it; nobody does once all is over.
        under.catch(() => undefined);
        const over = new AbortController();
        const late = this.#engine.clock.sleep(ANSWER, over.signal).catch(() => undefined);
        try {
            const answer = await Promise.race([under, late]);
            if (answer)
                this.#under = undefined;
            return answer ?? [];
        }
        finally {
            over.abort();
        }
    }
    async #looked(waiting) {
        try {
            return await this.#forge.look(waiting);
        }
        catch (error) {
            if (!(error instanceof errors/* RemoteError */.Hi && error.retryable))
                throw error;
            this.#engine.host.info(`${error.message}; still waiting`);
            return [];
        }
    }
}
class Seen {
    online = new Map();
    ids;
    #engine;
    #spec;
    #slots = new Map();
    /** Why there is no machine to be had, as the cloud said last. */
    #short;
    constructor(engine, spec) {
        this.#engine = engine;
        this.#spec = spec;
        this.ids = new Map(spec.runner.enrolled.flatMap(({ id, name }) => (id === undefined ? [] : [[name, id]])));
    }
    /** Registered by machines, and not seen yet. */
    nameless() {
        return this.#spec.runner.enrolled.filter(({ name }) => !this.ids.has(name));
    }
    watching(watcher) {
        return {
            ...watcher,
            slot: (record, before) => {
                this.#slots.set(record.index, record);
                watcher.slot(record, before);
            },
            event: (text, kind) => {
                if (kind === 'capacity' || kind === 'quota')
                    this.#short = text;
                watcher.event(text, kind);
            },
        };
    }
    get complete() {
        return this.online.size === this.#spec.count;
    }
    /** Some machine has come as far as starting its runner. */
    get started() {
        return [...this.#slots.values()].some((slot) => slot.claimed !== undefined);
    }
    /** Registrations worth asking the forge about: those that a machine has taken. */
    waiting() {
        const { enrolled } = this.#spec.runner;
        return enrolled.filter(({ slot, k }) => !this.online.has(slot) && (this.#slots.get(slot)?.claimed ?? 0) === k + 1);
    }
    /** Also of one that is known to be there: a list of many tells of all. */
    arrived({ id, name }) {
        this.ids.set(name, id);
        const found = this.#spec.runner.enrolled.find((one) => one.name === name);
        if (found && !this.online.has(found.slot))
            this.#note(found.slot);
    }
    /** A job that was served is proof enough; a slot that ended without one is not coming: the result says why. */
    served(slots) {
        for (const slot of slots) {
            this.#slots.set(slot.index, slot);
            if (this.online.has(slot.index))
                continue;
            if ((slot.jobs?.length ?? 0) > 0 || slot.state === 'succeeded')
                this.#note(slot.index);
            else if ((0,wire_slot/* isTerminal */.Hd)(slot.state))
                return notComing(slot);
        }
        return undefined;
    }
    tooLate(name, seconds) {
        const late = `${name}: not every runner came online within ${(0,duration/* formatDuration */.a3)(seconds)}`;
        if (this.#short !== undefined && [...this.#slots.values()].every(({ epoch }) => epoch === 0))
            return new errors/* CapacityError */.hG(`${late}: ${this.#short}`, {
                hint: 'ask for less or for something else, or raise "online-timeout"',
            });
        return new errors/* DeadlineError */.j3(`${late}: ${this.#missing()}`, {
            hint: 'the lines above say how far the machines came; raise "online-timeout" to give them longer',
        });
    }
    #missing() {
        const open = [...this.#slots.values()].filter(({ index }) => !this.online.has(index));
        return open.map((slot) => `machine ${slot.index} is ${slot.phase ?? slot.state}`).join(', ');
    }
    #note(slot) {
        const seconds = (this.#engine.clock.date().getTime() - Date.parse(this.#spec.createdAt)) / 1000;
        this.online.set(slot, seconds);
        this.#engine.host.info(`runner ${slot + 1} of ${this.#spec.count} is online (${seconds.toFixed(1)} s)`);
    }
}
function notComing(slot) {
    const message = `runner ${slot.index} did not come online: ${slot.reason ?? slot.state}`;
    if (slot.cause === 'no-capacity')
        return new errors/* CapacityError */.hG(message, { hint: 'ask for less, or have the limit raised' });
    if (slot.cause === 'denied')
        return new errors/* AuthError */.lR(message);
    return new errors/* RemoteError */.Hi(message, { hint: 'the lines above are its log' });
}

;// CONCATENATED MODULE: ./build/js/runner/open.js
/** Whose jobs one machine may serve, one after the other. */

/** What has to be said about runners that everybody can propose jobs to. Throws when it must not be. */
function openWarning({ open }, { jobs, allowed }) {
    if (open === undefined)
        return undefined;
    const who = `${open}: anyone who proposes a change there may get it run on these machines`;
    if (jobs === 1)
        return `${who}; require an approval for jobs of strangers, and give the machines no access that strangers must not have`;
    if (allowed)
        return `${who}, and leave something behind for the jobs that follow on the same one (allow-public)`;
    throw new errors/* InputError */.dz(`jobs: ${open}, so each machine serves a single job: a stranger's could leave something behind for the next`, {
        hint: 'set "jobs: 1", with "count" for more machines; or "allow-public: true" when strangers cannot start jobs there',
    });
}

// EXTERNAL MODULE: ./build/js/lib/user.js
var user = __webpack_require__(46631);
;// CONCATENATED MODULE: ./build/js/verbs/runner/fit.js
/** What a wish for runners does not fit to: a forge that has no such thing, or a host that is gone before a job comes. */



function refuseWhatCannotBe(wish, { title, can }) {
    if (wish.containers !== undefined && !can.containers)
        throw new errors/* InputError */.dz(`docker-image: a job of ${title} names its own container`, { hint: 'use "container:" in the job' });
    if (wish.group !== undefined && !can.groups)
        throw new errors/* InputError */.dz(`runner-group: ${title} has none`);
}
/** Of machines that are processes of this host. */
function hostWarnings({ billed, env }, cloud) {
    if (billed(cloud))
        return [];
    const fleeting = fleetingHost(env);
    const goes = `this ${fleeting} ends with its CI job, and so do the runners on it; later jobs would wait: choose another cloud`;
    return [...(fleeting === undefined ? [] : [goes]), ...rootWarning((0,user/* isRoot */.j)(), env)].map((warning) => `cloud ${cloud}: ${warning}`);
}
/** Runners belong to whoever starts them: nothing here can give them to somebody else. */
function rootWarning(root, env) {
    if (!root)
        return [];
    const user = env['SUDO_USER'];
    const remedy = user === undefined || user === 'root' ? 'start them as a user without rights' : `start them without sudo, as ${user}`;
    return [`this is root, so the runners and every job on them are root too, and a job can change the whole host; ${remedy}`];
}
/** What the end of a CI job takes away, for people; `undefined`: this host stays. */
function fleetingHost(env, exists = external_node_fs_.existsSync) {
    if (env['RUNNER_ENVIRONMENT'] === 'github-hosted')
        return 'hosted machine';
    const job = env['GITHUB_ACTIONS'] === 'true' || env['GITLAB_CI'] === 'true';
    const container = env['KUBERNETES_SERVICE_HOST'] !== undefined || ['/.dockerenv', '/run/.containerenv'].some(exists);
    return job && container ? 'container' : undefined;
}

;// CONCATENATED MODULE: ./build/js/verbs/runner/launch-report.js
/** What a launch that came to its end says: outputs, the line at the end, the job summary. */






async function tellAll(context, d, spec, online, attached) {
    const { host, values } = context;
    const { label, labels, jobs, enrolled, idle } = spec.runner;
    const runsOn = labels.filter((one) => one === label || !isDefault(spec, one));
    const names = enrolled.map(({ name }) => name);
    const ids = names.flatMap((name) => online.ids.get(name) ?? []);
    const times = [...online.after].sort(([a], [b]) => a - b);
    (0,output/* output */.C)(host, {
        label: label,
        labels: JSON.stringify(labels),
        'runs-on': JSON.stringify(runsOn),
        runners: JSON.stringify(names),
        'runner-ids': JSON.stringify(ids),
        'online-after': JSON.stringify(times.map(([, seconds]) => Number(seconds.toFixed(1)))),
        attached: String(attached),
        reused: 'false',
        'started-at': spec.createdAt,
        outcome: 'running',
    });
    const serve = jobs === null ? 'jobs without limit' : (0,lib_text/* plural */.LS)(jobs * spec.count, 'job');
    const patience = idle === null ? 'They wait for ever.' : `A machine without a job for ${(0,duration/* formatDuration */.a3)(idle)} leaves.`;
    const { registration } = spec.runner.machine;
    const waiting = jobs === null ? '' : '; further jobs with this label wait';
    const promise = `serves ${serve}${waiting}. ${patience}`;
    const remains = registration && `${staying(registration.stays)}: tpi destroy ${d.name} --discard, or tpi sweep --yes.`;
    const status = await (0,finish/* readStatus */.r)(d, spec);
    if (values.json)
        host.facts({ ...status, attached, label, labels, runsOn, runners: names, runnerIds: ids, online: Object.fromEntries(times) });
    else
        host.info(`${d.name} ${promise}${remains === undefined ? '' : `\n  ${remains}`}\n  runs-on: ${JSON.stringify(runsOn)}\n  see it   tpi status ${d.name}\n  end it   tpi destroy ${d.name} --discard`);
    const rows = times.map(([slot, seconds]) => `| ${slot} | ${enrolled.find((one) => one.slot === slot)?.name ?? ''} | ${seconds.toFixed(1)} s |`);
    await host.summary([
        `### Runners ${d.name}`,
        '',
        `Label \`${label}\`: ${promise}${remains === undefined ? '' : ` ${remains}`}`,
        '',
        ...hostWarnings(context, d.cloudId).flatMap((warning) => [`> ${warning}`, '']),
        '| slot | runner | online after |',
        '| --- | --- | --- |',
        ...rows,
    ].join('\n'));
}
/** A machine has nothing that would remove its registration: whoever has the token does. */
function staying(stays) {
    return `The registration of a machine stays when it leaves (${stays}); what removes it`;
}
function isDefault(spec, label) {
    const asked = spec.runner.relaunch['labels'] ?? [];
    return !asked.includes(label);
}

;// CONCATENATED MODULE: ./build/js/verbs/runner/reuse.js
/** Runners that are there already, in place of new ones. */



/** Whether there are enough; then it was said, and nothing is to be started. */
async function reused(context, wish, forge) {
    const { values, host } = context;
    const { labels, count } = wish;
    if (values.reuse === 'never')
        return false;
    if (labels.length === 0)
        throw new errors/* InputError */.dz('reuse: no labels were given, and runners are found by their labels', { hint: 'give them as "labels"' });
    const online = await forge.equipped(labels);
    const fit = values.reuse === 'idle' ? online.filter(({ busy }) => !busy) : online;
    if (fit.length < count) {
        host.info(`${(0,lib_text/* plural */.LS)(fit.length, 'runner')} with ${labels.join(', ')} of the ${count} that are wanted: new ones are started`);
        return false;
    }
    const names = fit.map(({ name }) => name);
    const ids = fit.map(({ id }) => id);
    (0,output/* output */.C)(host, {
        labels: JSON.stringify(labels),
        'runs-on': JSON.stringify(labels),
        runners: JSON.stringify(names),
        'runner-ids': JSON.stringify(ids),
        attached: 'false',
        reused: 'true',
        outcome: 'running',
    });
    const busy = fit.filter((one) => one.busy).length;
    const says = `${(0,lib_text/* plural */.LS)(fit.length, 'runner')} with ${labels.join(', ')} ${fit.length === 1 ? 'is' : 'are'} online${busy > 0 ? `, ${busy} of them with a job` : ''}: nothing was started`;
    if (values.json)
        host.facts({
            name: wish.name,
            outcome: 'running',
            reused: true,
            attached: false,
            labels,
            runsOn: labels,
            runners: names,
            runnerIds: ids,
            busy,
        });
    else
        host.info(`${says}: ${names.join(', ')}`);
    await host.summary(`### Runners\n\n${says}.\n\n${names.map((name) => `- \`${name}\``).join('\n')}`);
    return true;
}

;// CONCATENATED MODULE: ./build/js/verbs/shared/machine-wish.js
/** What everybody wishes who starts machines, but for what is of one mode: name, number, set-up and environment. */
function wishedDeployment(values) {
    return {
        ...wishedMachine(values),
        tags: values.tags,
        timeout: values.timeout,
        grace: values.grace,
        reserve: values.reserve,
        retention: values.retention,
        lease: { beat: values['lease-beat'] * 1000, ttl: values['lease-ttl'] * 1000, storeGrace: values['store-grace'] * 1000 },
    };
}
function wishedMachine(values) {
    return {
        size: sizeWish(values),
        ...given('diskBytes', values['disk-size']),
        ...given('image', values.image),
        ...given('region', values.region),
        spot: spotWish(values),
        ...given('permissionSet', values['permission-set']),
    };
}
function sizeWish({ machine, cpu, memory, gpu }) {
    return { ...given('machine', machine), ...given('cpu', cpu), ...given('memoryBytes', memory), ...(gpu && gpu.count > 0 ? { gpu } : {}) };
}
function spotWish(values) {
    if (values.spot === 'false')
        return { want: 'never' };
    return { want: values.spot === 'prefer' ? 'prefer' : 'only', ...given('maxPrice', values['max-price']) };
}
/** A property only where there is a value for it. */
function given(key, value) {
    return value === undefined ? {} : { [key]: value };
}

// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(48161);
;// CONCATENATED MODULE: ./build/js/task/workdir/concern.js
/** Folders that hardly anybody means to upload. */


/** Why this work directory needs a `--yes`; `undefined` for an ordinary one. Looks at names only, so it may be asked first. */
function workdirConcern(folder, env) {
    const real = resolved(folder);
    if (real === '/')
        return 'the work directory is "/": the whole machine would be uploaded';
    const home = resolved(env['HOME'] ?? (0,external_node_os_.homedir)());
    if (real === home)
        return `the work directory is the home folder "${folder}": private files and keys would be uploaded`;
    if (home.startsWith(`${real}/`))
        return `the work directory "${folder}" contains the home folder: private files and keys would be uploaded`;
    return undefined;
}

;// CONCATENATED MODULE: ./build/js/verbs/task/wish.js
/** From option values to the wish of a task. */






function taskWish(context) {
    const { values, parsed } = context;
    const { program, setup, environment } = parsed;
    if (!program)
        throw new errors/* InputError */.dz('script: nothing to run', { hint: 'give --script, --script-file, or a command after "--"' });
    const name = taskName(context);
    const workdir = workdirOf(context);
    const folder = outputDir(context, name, workdir);
    return {
        name,
        count: values.parallelism,
        ...wishedDeployment(values),
        ...given('workdir', workdir),
        workingDirectory: values['working-directory'],
        output: output_outputsOf(values.output, workdir),
        ...given('outputDir', folder),
        ...given('outputPath', outputPath(context, folder ?? workdir)),
        outputLayout: values['output-layout'],
        exclude: values.exclude,
        git: values.git === 'auto' ? 'auto' : values.git === 'true',
        ...given('setup', setup),
        program,
        env: environment.env,
        secrets: environment.secrets,
        checkpoint: { interval: values['checkpoint-interval'], globs: values.checkpoint },
        retry: { maxAttempts: values['max-attempts'], retries: values.retries, retryOn: values['retry-on'] },
        failFast: values['fail-fast'],
        gang: values.gang,
        keepOnFailure: values['keep-on-failure'],
        ...(values.rehearse === undefined ? {} : { rehearse: { every: values.rehearse, seed: values['rehearse-seed'] ?? 1 } }),
        ...given('ifExists', values['if-exists']),
        resume: values.resume,
        wait: values.wait,
        onCancel: values['on-cancel'],
        yes: values.yes,
    };
}
/** As asked; else the current folder, unless that is one that hardly anybody means to send. */
function workdirOf({ values, cwd, env }) {
    if (values.workdir === 'none')
        return undefined;
    if (values.workdir !== undefined)
        return (0,external_node_path_.resolve)(cwd, values.workdir);
    return workdirConcern(cwd, env) === undefined ? cwd : undefined;
}
/** Outputs need a place even where nothing was uploaded from. */
function outputDir({ values, cwd }, name, workdir) {
    if (values['output-dir'] !== undefined)
        return needPlace((0,external_node_path_.resolve)(cwd, values['output-dir']));
    return workdir === undefined && values.output.length > 0 ? (0,external_node_path_.resolve)(cwd, `tpi-${name}`) : undefined;
}
/** As given; in CI from run, job, leg and step; else a fresh one. */
function taskName(context) {
    const { name } = context.values;
    // Even an id of something else is only a name here.
    if (name !== undefined)
        return (0,identity/* slug */.yR)(name, identity/* NAME_LENGTH */.xt);
    return context.owner.step ?? (0,identity/* petName */.t2)();
}

;// CONCATENATED MODULE: ./build/js/verbs/runner/wish.js
/** From option values to the wish of a group of runners. */




function runnerWish(context, platform) {
    const { values, parsed } = context;
    return {
        name: taskName(context),
        count: values.count,
        ...wishedDeployment(values),
        ...given('setup', parsed.setup),
        ...given('setupAfter', parsed.setupAfter),
        ...given('containers', containersOf(values)),
        env: parsed.environment.env,
        labels: [...new Set(values.labels)],
        defaultLabels: values['default-labels'],
        jobs: jobsOf(values.jobs),
        idle: idleOf(values['idle-timeout'], context.parsed.given.get('idle-timeout')?.as ?? ''),
        rest: values['runner-rest'],
        ...given('group', values['runner-group']),
        ...given('version', versionOf(values['runner-version'])),
        platform,
        retry: values.retry,
        onlineTimeout: values['online-timeout'],
    };
}
/** GPUs of the machine are those of its containers. */
function containersOf({ 'docker-image': image, 'docker-volumes': volumes, gpu, machine }) {
    if (image === undefined)
        return undefined;
    return { image, volumes, gpus: (gpu?.count ?? 0) > 0 || machine?.includes('+') === true };
}
/** `null` = without limit. */
function jobsOf(text) {
    if (text === 'unlimited')
        return null;
    return text === 'single' ? 1 : Number(text);
}
/** `undefined`: whatever the forge offers. */
function versionOf(text) {
    return text === 'latest' ? undefined : text.replace(/^v/, '');
}
/** CML took bare seconds, and everything that is not above 0 as "never". */
function idleOf(text, as) {
    const plain = text.trim();
    if (/^(?:never|0|0s|-\d+)$/.test(plain))
        return null;
    const legacy = as.startsWith('CML_') && /^\d+$/.test(plain);
    const seconds = (0,duration/* parseDuration */.E9)(legacy ? `${plain}s` : plain);
    if (seconds === undefined || seconds <= 0) {
        const hint = /^\d+$/.test(plain) ? `write "${plain}s" for seconds, or like "5m"` : 'write it like "90s" or "5m", or "never"';
        throw new errors/* InputError */.dz([{ option: 'idle-timeout', message: `${as || 'idle-timeout'}: "${text}" is not a time`, hint }]);
    }
    return seconds;
}
/** Of the machines: this very host where nothing is paid for it, else as asked. */
function platformOf({ values }, here) {
    const own = process.arch === 'arm64' ? 'arm64' : 'x64';
    return {
        os: here && process.platform === 'darwin' ? 'darwin' : 'linux',
        arch: values.architecture === undefined ? (here ? own : 'x64') : values.architecture,
    };
}

;// CONCATENATED MODULE: ./build/js/wire/probe.js
/** Whether a store keeps what everything rests on: a write, or a removal, whose condition does not hold must be refused. */



/** A second look, with an object of its own: somebody may have tidied up in the middle of the first. */
const LOOKS = 2;
/**
 * Four calls one after the other, with an object that is removed again. Throws StoreError `invalid`, with a sentence for the user, for a store
 * that ignores conditions; else what the calls throw.
 */
async function probe(store, signal) {
    let ignored;
    for (let look = 0; look < LOOKS; look++) {
        ignored = await ignoredBy(store, (0,layout/* probeKey */.Ss)((0,external_node_crypto_.randomUUID)()), signal);
        if (ignored === undefined)
            return;
    }
    const why = 'two machines could hold one slot, and one could write over the results of the other';
    throw new wire_store/* StoreError */.AD('invalid', `storage: ${store.url} cannot be used: it ${ignored}, so ${why}; use another storage, or a newer version of its server`);
}
/** What it does wrong; `undefined`: nothing. */
async function ignoredBy(store, key, signal) {
    // Versions may be hashes of the content.
    const body = () => Buffer.from((0,external_node_crypto_.randomUUID)());
    const refused = async (call) => {
        try {
            await call;
            return false;
        }
        catch (error) {
            if ((0,wire_store/* isStoreError */.A1)(error, 'conflict'))
                return true;
            throw error;
        }
    };
    const first = await store.write(key, body(), { absent: true }, signal);
    try {
        const [present, current] = await Promise.all([
            refused(store.write(key, body(), { absent: true }, signal)),
            refused(store.write(key, body(), { version: first }, signal)),
        ]);
        if (!present)
            return 'ignores If-None-Match';
        if (current)
            return 'refuses If-Match with the right version';
        const [stale, removal] = await Promise.all([
            refused(store.write(key, body(), { version: first }, signal)),
            refused(store.remove([key], { version: first })),
        ]);
        if (!stale)
            return 'ignores If-Match';
        return removal ? undefined : 'ignores If-Match when it removes';
    }
    finally {
        await store.remove([key]).catch(() => undefined);
    }
}

;// CONCATENATED MODULE: ./build/js/verbs/shared/probe-given.js
/** A storage that a user names is looked at before anything is made in it. */



/** Rejects for one that cannot be used. May be waited for later. */
function probeGiven({ values, engine, interrupts }, store) {
    if (values.storage === undefined)
        return Promise.resolve();
    const probed = (0,patience/* patiently */.d_)(engine, async () => probe(store, interrupts.first), interrupts.first);
    probed.catch(() => undefined);
    return probed;
}
/** Machines are given these to keep, and a run may outlive them: with both times. */
function warnOfExpiry({ engine, host }, { until }, timeout) {
    if (until === undefined)
        return;
    const end = new Date(engine.clock.date().getTime() + timeout * 1000).toISOString();
    if (Date.parse(until) >= Date.parse(end))
        return;
    host.warn(`storage: the credentials for it end at ${until}, and "timeout" at ${end}: what runs then saves nothing any more. Give keys that last, or set "timeout"`);
}
/** What looks left behind that were killed. One that is under way looks again. */
async function removeProbes(context) {
    const place = await context.storage();
    if (!place)
        return;
    const store = await context.access(place);
    const keys = [];
    for await (const { key } of store.list(layout/* PROBES */._v))
        keys.push(key);
    await store.remove(keys);
}

;// CONCATENATED MODULE: ./build/js/verbs/runner.js
/** `tpi runner`: check, register, provision, wait until the forge says online, and let them work. */



























async function runner(context) {
    const { host } = context;
    const manifest = (0,runner_forge/* chosenForge */.WP)(context);
    const [found] = await context.clouds();
    if (!found)
        throw new errors/* InputError */.dz('cloud: none is available');
    const wish = runnerWish(context, platformOf(context, !context.billed(found.id)));
    refuseWhatCannotBe(wish, manifest);
    for (const warning of hostWarnings(context, found.id))
        host.warn(warning);
    const id = (0,identity/* deploymentId */.dP)(context.owner, wish.name);
    (0,runner_forge/* hideIdentity */.n6)(context);
    // Before the first call that makes anything: whoever comes after a killed process finds what it may have made.
    (0,output/* output */.C)(host, { id: id, name: wish.name });
    host.state.set('id', id);
    const forge = await (0,runner_forge/* openForge */.ys)(context, manifest, { until: context.engine.clock.now() + wish.onlineTimeout * 1000 });
    const { place, access } = await host.group('Plan', async () => {
        const account = await forge.whoami(wish);
        for (const warning of account.warnings)
            host.warn(warning);
        const audience = openWarning(account, { jobs: wish.jobs, allowed: context.values['allow-public'] });
        if (audience !== undefined)
            host.warn(audience);
        if (account.advice !== undefined)
            host.info(account.advice);
        const storeAccess = (await context.storage()) ?? (await found.cloud.store(id));
        host.info(`${(0,lib_text/* plural */.LS)(wish.count, 'runner')} ${wish.name} (${id}) on ${found.id}, for ${forge.title}`);
        const where = { cloudId: found.id, cloud: found.cloud, store: await context.access(storeAccess), id, name: wish.name };
        warnOfExpiry(context, storeAccess, wish.timeout);
        await probeGiven(context, where.store);
        return { place: where, access: storeAccess };
    });
    return (0,silence/* untilOurs */.MT)(wish.name, async () => {
        const met = await there(context, place, wish, manifest, forge);
        if (!met && (await reused(context, wish, forge)))
            return errors/* EXIT */.dc.ok;
        const launched = met ?? (await launch(context, { place, access, wish, manifest, forge }));
        if (!launched)
            return undefined;
        host.state.set('begun', met ? 'attached' : 'created');
        return arrive(context, launched, forge, { attached: met !== undefined, seconds: wish.onlineTimeout, quiet: false });
    });
}
/** The same deployment, when it is there and works; what is left of one that has ended goes first. */
async function there(context, place, wish, manifest, forge) {
    const { engine, host } = context;
    const current = await (0,silence/* currentOf */.$c)(place);
    if (!current)
        return undefined;
    const { state } = current.value;
    if (state === 'making' && !(await (0,silence/* abandoned */.R$)(engine, place, current, wish.lease.ttl)))
        return there(context, place, wish, manifest, forge);
    const d = (0,deployment/* deploymentOf */.PE)({ ...place, incarnation: current.value.incarnation });
    const spec = await (0,deployment/* readSpec */.Ot)(d);
    if (spec && state === 'open') {
        if (spec.mode !== 'runner')
            throw new errors/* InputError */.dz(`name: "${wish.name}" is a ${spec.mode}`, { hint: 'use another name' });
        if ((await present(context, d)).outcome === 'running') {
            const different = differences(spec.fingerprint, fingerprint(d.id, comparable(wish, manifest.id, forge.scope)));
            if (different.length > 0)
                throw new errors/* InputError */.dz(`name: "${wish.name}" has existed since ${spec.createdAt} and differs in: ${different.join(', ')}`, {
                    hint: `use another name, or end it first: tpi destroy ${wish.name} --discard`,
                });
            host.annotate('notice', `${wish.name} has existed since ${spec.createdAt} and works: nothing new was started`);
            return { d, spec };
        }
        await (0,runner_forge/* unregister */.ht)(context, d, spec.runner);
    }
    host.info(`removing what is left of an earlier ${wish.name}`);
    if (!spec)
        await (0,registrations/* takeBack */.zH)(forge, (0,names/* runnerName */.i)(d.id), []);
    await (0,destroy/* destroy */.zr)(engine, d);
    return undefined;
}
/** `undefined`: another command was faster; it is its deployment now. */
async function launch(context, { place, access, wish, manifest, forge, relaunch }) {
    const { engine, host, interrupts, owner } = context;
    const agent = await context.agent();
    const unique = `tpi-${(0,external_node_crypto_.randomBytes)(8).toString('hex')}`;
    const all = relaunch?.labels ?? [
        ...new Set([unique, ...wish.labels, ...(wish.defaultLabels ? manifest.defaultLabels(wish.platform) : [])]),
    ];
    const drafted = { wish, origin: owner.origin, agent, forge, forgeId: manifest.id, usualImage: manifest.image };
    const draft = runnerDraft({ id: place.id, name: place.name, incarnation: '' }, drafted, engine.clock.date().toISOString());
    const faults = await place.cloud.faults(machineWish(draft, wish, access, manifest.image));
    if (faults.length > 0)
        throw new errors/* InputError */.dz(faults.map((fault) => ({ ...fault, message: `${fault.option}: ${fault.message}` })));
    const download = await forge.download(wish);
    if (download.warning !== undefined)
        host.warn(download.warning);
    const archive = fetchArchive(engine, download, interrupts.first);
    // Awaited where it is needed; a failure before that is nobody's surprise.
    archive.catch(() => undefined);
    const afterwards = async () => (0,runner_forge/* openForge */.ys)(undisturbed(context), manifest, { scope: forge.scope });
    const parts = {
        ...drafted,
        storeAccess: access,
        labels: all,
        archive,
        signal: interrupts.first,
        ...(relaunch ? { relaunch } : {}),
        afterwards,
    };
    return host.group(`Create (${place.cloudId})`, async () => create_create(engine, place, parts));
}
/** For what has to be given back after an interrupt. */
function undisturbed(context) {
    return { ...context, interrupts: { ...context.interrupts, first: new AbortController().signal } };
}
/** Waits until all are online; what cannot come is given back. */
async function arrive(context, { d, spec }, forge, { attached, seconds, quiet, relaunch }) {
    const { engine, host, interrupts, values } = context;
    const watcher = progress(host, { count: spec.count, clock: engine.clock, verbose: values.verbose });
    try {
        const limits = { seconds, signal: interrupts.first };
        const online = await host.group('Wait for runners', async () => untilOnline(engine, d, spec, forge, watcher, limits));
        host.status('');
        // Only for what the machines tell their jobs.
        await (0,deployment/* noteOnline */.C$)(d, engine.clock.date().toISOString()).catch((error) => host.debug((0,errors/* describeError */.Uc)(error)));
        if (!quiet)
            await tellAll(context, d, spec, online, attached);
        return errors/* EXIT */.dc.ok;
    }
    catch (error) {
        host.status('');
        if (attached)
            throw error;
        await host.group('Clean up', async () => {
            const warn = (problem) => host.warn(`${d.name}: ${(0,errors/* describeError */.Uc)(problem)}`);
            if (relaunch)
                await (0,record/* changeRecord */.U9)(records/* CURRENT */.eN, d.store, (0,layout/* currentKey */.Fo)(d.id), (now) => now && { ...now, relaunch }).catch(warn);
            const given = (0,runner_forge/* unregisterAround */.Kz)(undisturbed(context), d, spec.runner, async () => (0,destroy/* destroy */.zr)(engine, d, { leave: relaunch !== undefined }));
            await given.then(() => {
                host.info(`${d.name}: everything is given back`);
                host.state.set('ended', 'true');
            }, 
            // Why they did not come is what the command ends with.
            (problem) => host.warn(`${d.name}: ${(0,errors/* describeError */.Uc)(problem)}; run: tpi destroy ${d.id} --discard`));
        });
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/js/verbs/runner/relaunch.js
/** Runners that jobs wait for are started again, by what is on record of them: neither a kill nor a failure in between loses that. */













/** Times in a row that runners may fail to come: each of them costs machines, and jobs wait for a day. */
const MOST_TRIES = 3;
/**
 * The same again, with the same labels: those are what the waiting jobs name. What it is made of is on record from before the first removal
 * until the new machines are on their way, and again where they do not come: whoever looks next has it to go on with.
 */
async function relaunch(context, again) {
    const { d, facts, registry, waiting } = again;
    const { host, engine } = context;
    const manifest = (0,forges_registry/* forgeById */.K)(registry.forge);
    if (!manifest)
        return;
    host.info(`${d.name}: ${(0,lib_text/* plural */.LS)(waiting, 'job waits', 'jobs wait')} for runners that have left; starting them again`);
    const access = (await context.storage()) ?? (await d.cloud.store(d.id));
    await (0,record/* changeRecord */.U9)(records/* CURRENT */.eN, d.store, (0,layout/* currentKey */.Fo)(d.id), (now) => now?.incarnation === d.incarnation ? { ...now, registry, relaunch: facts } : undefined);
    await (0,runner_forge/* unregister */.ht)(context, d, registry);
    await (0,destroy/* destroy */.zr)(engine, d, { leave: true });
    await begin(context, again, { access, manifest });
}
/** With nothing of the former one in the way. */
async function begin(context, again, { access, manifest }) {
    const { d, facts, forge } = again;
    const wish = facts.wish;
    const { keys: _keys, incarnation: _incarnation, ...place } = d;
    try {
        const launched = await launch(context, { place, access, wish, manifest, forge, relaunch: facts });
        if (!launched)
            throw new errors/* InputError */.dz(`name: "${d.name}" was just created by another command`, {
                hint: 'run the same command again to see what it is',
            });
        await arrive(context, launched, forge, { attached: false, seconds: wish.onlineTimeout, quiet: true, relaunch: facts });
    }
    catch (error) {
        // Why they did not come is the better complaint.
        if (!context.interrupts.first.aborted)
            await tried(context, again).catch((problem) => context.host.debug(String(problem)));
        throw error;
    }
}
/** One try less: with the last one everything goes. */
async function tried(context, { d, facts, registry, waiting }) {
    const { host, engine } = context;
    const tries = (facts.tries ?? 0) + 1;
    const now = await (0,record/* changeRecord */.U9)(records/* CURRENT */.eN, d.store, (0,layout/* currentKey */.Fo)(d.id), (current) => current?.relaunch?.since === facts.since ? { ...current, relaunch: { ...current.relaunch, tries } } : undefined);
    // Somebody else has begun another one.
    if (now?.relaunch?.since !== facts.since)
        return;
    if (tries < MOST_TRIES)
        return host.warn(`${d.name}: its settings stay on record, and the next "tpi retry" starts it again (try ${tries} of ${MOST_TRIES})`);
    host.warn(`${d.name}: its runners did not come ${MOST_TRIES} times in a row, so this gives up: ${(0,lib_text/* plural */.LS)(waiting, 'job waits', 'jobs wait')} until the forge gives up too`);
    await (0,runner_forge/* unregister */.ht)(context, d, registry);
    await (0,destroy/* destroy */.zr)(engine, (0,deployment/* deploymentOf */.PE)({ ...d, incarnation: now.incarnation }));
}
/** Relaunches that were cut short: in stores of clouds and in the one that was named, and where each deployment has its own. */
async function relaunch_unfinished(context, losses) {
    const { values, owner } = context;
    const found = new Map();
    const consider = async (d) => {
        const current = (await (0,find/* readCurrent */.cA)(d.store, d.id))?.value;
        const meant = values.name === undefined ? current && sameHouse(owner, current.origin) : [d.id, current?.name].includes(values.name);
        if (current?.relaunch && meant && !found.has(d.id))
            found.set(d.id, { d: (0,deployment/* deploymentOf */.PE)({ ...d, name: current.name, incarnation: current.incarnation }), current });
    };
    const clouds = await context.clouds();
    const storage = await context.storage();
    for (const { id: cloudId, cloud } of clouds) {
        const places = [...(cloud.ownStore ? [] : [await cloud.store('')]), ...(storage ? [storage] : [])];
        for (const place of places)
            await losses.heed(`storage of ${cloudId}`, async () => {
                const store = await context.access(place);
                for (const id of await storedIds(store))
                    await losses.heed(id, () => consider({ cloudId, cloud, store, id }));
            });
    }
    for (const sighting of await (0,find/* sightings */.nI)(clouds.filter(({ cloud }) => cloud.ownStore))) {
        const { tags } = sighting.found;
        const meant = values.name === undefined ? sameHouse(owner, tags.origin) : [tags.id, tags.name].includes(values.name);
        if (meant && tags.mode === 'runner' && sighting.cloud.ownStore?.holds(tags.store))
            await losses.heed(tags.name, async () => consider(await (0,find/* openSighting */.at)(sighting, context.access)));
    }
    return [...found.values()];
}
/** Unless somebody is at it. */
async function relaunch_finish(context, d, { nonce, registry, relaunch: facts }) {
    const { engine, host } = context;
    if (!registry || !facts)
        return [];
    const { lease } = facts.wish;
    await engine.clock.sleep(lease.ttl, context.interrupts.first);
    const now = await (0,find/* readCurrent */.cA)(d.store, d.id);
    if (now?.value.nonce !== nonce) {
        host.info(`${d.name}: another command is starting it again`);
        return [];
    }
    const forge = await (0,runner_forge/* forgeOf */.$D)(context, registry);
    const waiting = await forge.waiting(facts.labels, facts.repositories);
    if (waiting > 0)
        await relaunch(context, { d, facts, registry, forge, waiting });
    else {
        await (0,runner_forge/* unregister */.ht)(context, d, registry);
        await (0,destroy/* destroy */.zr)(engine, d);
    }
    return [{ name: d.name, id: d.id, runs: [], waiting, alive: 0, relaunched: waiting > 0 }];
}

;// CONCATENATED MODULE: ./build/js/verbs/runner/left-runners.js
/** Runners that have left, and whose store has ended itself: jobs that are run again and wait for them get them back. */










/** The ones of a name or id, or all of this repository; not those that are still there. */
async function leftRunners(context) {
    const { values, owner } = context;
    const clouds = await context.clouds();
    const found = [];
    for (const { id: cloudId, cloud } of clouds) {
        const keepsakes = (await cloud.ownStore?.keepsakes()) ?? [];
        const alive = new Set(keepsakes.length === 0 ? [] : (await (0,find/* sightings */.nI)([{ id: cloudId, cloud }])).map((one) => one.found.tags.id));
        for (const keepsake of keepsakes) {
            const { tags } = keepsake;
            const kept = keptRunners(keepsake);
            const meant = values.name === undefined ? sameHouse(owner, tags.origin) : [tags.id, tags.name].includes(values.name);
            if (!kept || !meant || alive.has(tags.id))
                continue;
            const access = await cloud.store(tags.id);
            const place = { cloudId, cloud, store: await context.access(access), id: tags.id, name: tags.name };
            // Those of an organization may have served the repository that asks, too.
            const repositories = [...new Set([tags.origin, owner.origin].flatMap((origin) => repositoryOf(origin) ?? []))];
            found.push({ place, access, incarnation: tags.incarnation, kept, repositories });
        }
    }
    return found;
}
/** Where jobs wait for them. Until the new ones are on record, what is kept of the old ones stays. */
async function startLeft(context, { place, access, incarnation, kept, repositories }) {
    const { registry, labels, wish } = kept;
    const d = (0,deployment/* deploymentOf */.PE)({ ...place, incarnation });
    const forge = await (0,runner_forge/* forgeOf */.$D)(context, registry);
    const waiting = await forge.waiting(labels, repositories);
    const manifest = (0,forges_registry/* forgeById */.K)(registry.forge);
    if (waiting > 0 && manifest) {
        context.host.info(`${d.name}: ${(0,lib_text/* plural */.LS)(waiting, 'job waits', 'jobs wait')} for runners that have left; starting them again`);
        await (0,runner_forge/* unregister */.ht)(context, d, registry);
        const facts = { since: context.engine.clock.date().toISOString(), labels, wish: { ...wish }, repositories };
        await begin(context, { d, facts, registry, forge, waiting }, { access, manifest });
    }
    return { name: d.name, id: d.id, runs: [], waiting, alive: 0, relaunched: waiting > 0 };
}
/** They are given up. `false`: there are none of that name. */
async function forgetLeft(context) {
    const left = await leftRunners(context);
    for (const { place, incarnation, kept } of left) {
        const { cloud, id } = place;
        await (0,runner_forge/* unregisterOrWarn */.Em)(context, (0,deployment/* deploymentOf */.PE)({ ...place, incarnation }), kept.registry);
        await (0,destroy/* removeStages */.Mq)(context.engine, ((await cloud.ownStore?.leftovers({ id, incarnation })) ?? []).reverse(), `run again: tpi destroy ${id}`);
        await (0,locators/* unlocate */.Uv)(context.engine.home, id);
    }
    return left.length > 0;
}

// EXTERNAL MODULE: ./build/js/engine/destroy/stop.js
var stop = __webpack_require__(92202);
;// CONCATENATED MODULE: ./build/js/verbs/stop.js
/** `tpi stop NAME`: a durable wish, then the orderly end: signal, last save, compute to 0. */













async function stop_stop(context) {
    const { values, host } = context;
    const losses = new Losses(context, values.mine);
    const ended = [];
    for (const d of await chosen(context, losses)) {
        const end = await losses.heed(d.name, () => stopOne(context, d));
        if (end)
            ended.push(end);
    }
    const facts = ended.map(({ status }) => status);
    if (values.json)
        host.facts(values.mine ? facts : facts[0]);
    else
        for (const end of ended)
            host.print(told(end));
    return losses.code;
}
function told({ status, already }) {
    const { name, state } = status;
    if (already)
        return `${name} has ended already: ${state}; ${stop_kept(status)}`;
    if (status.outcome === 'running')
        return `${name}: asked to stop, but its machines did not confirm that they ended; tpi status ${name} shows whether they are gone, tpi destroy ${name} --discard removes them`;
    return `${name}: ${state}; ${stop_kept(status)}`;
}
function stop_kept({ name, mode, destroyed }) {
    if (destroyed)
        return 'no machine ever worked on it, and everything is given back';
    if (mode === 'runner')
        return `its logs are kept: tpi logs ${name} shows them, tpi destroy ${name} removes them`;
    return `its snapshots and logs are kept: tpi collect ${name} fetches outputs, tpi destroy ${name} removes them`;
}
/** The one that is named, or with `--mine` all of this job. */
async function chosen(context, losses) {
    const { values, owner } = context;
    if (values.name && values.mine)
        throw new errors/* InputError */.dz('mine: cannot be used together with a name');
    if (!values.mine)
        return [await meantAlive(context)];
    const own = (await losses.seen()).filter(({ found }) => ownedBy(owner, found.tags.origin));
    return losses.read(own, async (d) => d);
}
async function stopOne(context, d) {
    const { engine, interrupts } = context;
    const spec = await (0,deployment/* needSpec */.Gt)(d);
    const already = (await (0,finish/* readStatus */.r)(d, spec)).outcome !== 'running';
    const slots = await (0,stop/* stopAndWait */.D)(engine, d, spec, { signal: interrupts.first });
    if (interrupts.first.aborted)
        context.host.info(`${d.name}: the request to stop it is recorded: it saves its work and ends by itself`);
    interrupts.first.throwIfAborted();
    if (spec.mode === 'runner')
        await (0,runner_forge/* unregisterAround */.Kz)(context, d, spec.runner);
    const status = await (0,finish/* readStatus */.r)(d, spec);
    if (status.outcome === 'running' && (await undone(context, d)))
        return { status: { ...status, state: 'stopped', outcome: 'stopped', exitCode: errors/* EXIT */.dc.stopped, destroyed: true }, already };
    if (spec.mode !== 'task' || status.outcome === 'running' || slots.some(wire_slot/* isWorthKeeping */.om))
        return { status, already };
    const end = { ...status, destroyed: true };
    await (0,engine_history/* remember */.kY)(engine.home, end);
    await (0,destroy/* destroy */.zr)(engine, d);
    return { status: end, already };
}
/** What was never complete, and whose maker is gone, has nothing that is worth keeping, but secrets. `false`: it is more than that. */
async function undone({ engine, values }, d) {
    const current = await (0,find/* readCurrent */.cA)(d.store, d.id);
    if (current?.value.state !== 'making' || current.value.incarnation !== d.incarnation)
        return false;
    const judged = await (0,silence/* abandoned */.R$)(engine, d, current, values['lease-ttl'] * 1000);
    if (judged?.value.state !== 'making')
        return false;
    await (0,destroy/* destroy */.zr)(engine, d, { why: 'rollback', judged });
    return true;
}

;// CONCATENATED MODULE: ./build/js/verbs/destroy.js
/** `tpi destroy NAME`: everything given back. */












async function destroy_destroy(context) {
    const { values, host } = context;
    const losses = new Losses(context, values.mine);
    if (!values.mine && (await forgetLeft(context))) {
        if (values.json)
            host.facts({ name: nameOf(context), destroyed: true });
        else
            host.print(`${nameOf(context)}: its runners had left; what was kept of it is removed`);
        return errors/* EXIT */.dc.ok;
    }
    const found = values.mine ? undefined : await meant(context, nameOf(context));
    if (found && 'gone' in found) {
        if (values.json)
            host.facts({ ...found.gone, destroyed: true });
        else
            host.print(`${found.gone.name}: was already given back`);
        return errors/* EXIT */.dc.ok;
    }
    const facts = [];
    for (const d of found ? [found.alive] : await chosen(context, losses))
        await losses.heed(d.name, async () => {
            // What nobody runs any more is not "still running".
            if (!values.discard)
                await present(context, d);
            await (0,destroy/* refuseUnlessDiscard */.bQ)(context.engine, d, values.discard, values['lease-ttl'] * 1000);
            const { fact, left } = await destroyOne(context, d);
            if (left === 'kept')
                throw new errors/* RemoteError */.Hi(`${d.name}: ${destroy/* LEFT */.M3.kept}`);
            facts.push(fact);
            if (!values.json)
                host.print(`${d.name}: ${left === 'nothing' || left === 'mark' ? 'everything given back' : destroy/* LEFT */.M3[left]}`);
        });
    if (values.json)
        host.facts(values.mine ? facts : facts[0]);
    return losses.code;
}
/** Seconds for a runner to tell its forge that its job is cut off, which takes it one or two: else the job looks alive there for minutes. */
const TELLING = 5;
/** So that nobody takes its end for a loss. Where the store takes no wish, the machines go all the same. */
async function stopForGood({ engine }, d, { mode }) {
    const grace = mode === 'runner' ? TELLING : 0;
    await (0,deployment/* wishStop */.q3)(d, { at: engine.clock.date().toISOString(), by: engine.actor, grace }).catch((error) => engine.host.debug(String(error)));
}
/** By its group, where its store does not say: no forge knows it. */
async function isTask({ id, cloud }) {
    const found = await cloud.list().catch(() => []);
    return found.some(({ tags }) => tags.id === id && tags.mode === 'task');
}
/** Keeps the last status in the history, whatever can still be read of it. */
async function destroyOne(context, d, how = {}) {
    const after = { left: 'nothing' };
    const spec = await (0,deployment/* readSpec */.Ot)(d).catch(() => undefined);
    const last = spec && (await (0,finish/* readStatus */.r)(d, spec).catch(() => undefined));
    if (!spec && !(await isTask(d)))
        await (0,runner_forge/* unregisterUnfinished */.iT)(context, d);
    const status = last && {
        ...last,
        ...(last.outcome === 'running' ? { state: 'stopped', outcome: 'stopped', exitCode: errors/* EXIT */.dc.stopped } : {}),
    };
    const end = async () => {
        // First: whoever follows it ends with what is recorded.
        if (status)
            await (0,engine_history/* remember */.kY)(context.engine.home, status);
        // What was judged to be dead may live after all: only who marks it as going knows.
        if (spec && last?.outcome === 'running' && !how.judged)
            await stopForGood(context, d, spec);
        if (spec)
            await keepLog(context.engine, d, spec, (await (0,deployment/* readSlots */.wI)(d, spec.count).catch(() => [])).map(({ record }) => record));
        after.left = await (0,destroy/* destroy */.zr)(context.engine, d, how);
    };
    await (spec?.mode === 'runner' ? (0,runner_forge/* unregisterAround */.Kz)(context, d, spec.runner, end) : end());
    const { left } = after;
    const destroyed = left !== 'kept';
    if (!status)
        return { fact: { id: d.id, name: d.name, destroyed }, left };
    const fact = { ...(destroyed || !last ? status : last), destroyed };
    await (0,engine_history/* remember */.kY)(context.engine.home, fact);
    return { fact, left };
}

// EXTERNAL MODULE: ./build/js/core/check.js
var core_check = __webpack_require__(53912);
;// CONCATENATED MODULE: ./build/js/runner/doctor.js
/** What can be looked at in the same way at every forge before runners are registered. */


async function examine(forge, wish) {
    const more = [];
    const warn = (what, says) => void (says === undefined || more.push({ what, state: 'warning', says }));
    const proof = (0,core_check/* looked */.n)('token', async () => {
        const account = await forge.whoami(wish);
        for (const warning of account.warnings)
            warn('token', warning);
        const audience = await (0,core_check/* looked */.n)('audience', async () => {
            warn('audience', openWarning(account, wish));
            return 'of its own people';
        });
        if (audience.state === 'fault')
            more.push(audience);
        if (account.advice !== undefined)
            more.push({ what: 'retry', state: 'ok', says: account.advice });
        return `${account.name} may register runners for ${forge.title}`;
    });
    const program = (0,core_check/* looked */.n)('runner program', async () => {
        const { version, warning } = await forge.download(wish);
        warn('runner program', warning);
        return `${version} for ${wish.platform.os} ${wish.platform.arch}`;
    });
    return [...(await Promise.all([proof, program])), ...more];
}

;// CONCATENATED MODULE: ./build/js/verbs/shared/place.js



function namedPlace({ values, manifests }) {
    const { place, cloud: chosen } = values;
    const forge = place === undefined ? undefined : (0,forges_registry/* forgeById */.K)(place);
    if (forge)
        return { forge };
    // The parser made a place that is a cloud the cloud.
    const cloud = manifests.find(({ id, aliases }) => id === chosen && (place === undefined || place === id || aliases?.includes(place)));
    if (cloud)
        return { cloud };
    const known = [...manifests, ...forges_registry/* forges */.F].map(({ id }) => id);
    throw new errors/* InputError */.dz(`PLACE: "${place}" is neither a cloud nor a forge`, { hint: `use one of ${(0,lib_text/* listed */.KE)(known)}` });
}

;// CONCATENATED MODULE: ./build/js/verbs/doctor.js
/** `tpi doctor`: everything that could keep machines or runners from starting, looked at before anything is made. */










const MARK = { ok: 'ok', warning: 'warning', fault: 'FAULT', denied: 'DENIED' };
async function doctor(context) {
    const { host, values } = context;
    const place = namedPlace(context);
    const { id } = 'forge' in place ? place.forge : place.cloud;
    const checks = await doctor_examine(context, place);
    const bad = checks.filter(({ state }) => state === 'fault' || state === 'denied');
    const exitCode = bad.length === 0 ? errors/* EXIT */.dc.ok : bad.some(({ state }) => state === 'denied') ? errors/* EXIT */.dc.denied : errors/* EXIT */.dc.found;
    if (values.json)
        host.facts({ place: id, ok: bad.length === 0, exitCode, checks });
    else {
        const rows = checks.map(({ what, state, says, hint }) => [`  ${MARK[state]}`, what, hint === undefined ? says : `${says} (${hint})`]);
        const verdict = bad.length === 0 ? 'no faults found' : `${(0,lib_text/* plural */.LS)(bad.length, 'fault')} found`;
        host.print([`── ${id}: ${verdict}; nothing was created`, ...(0,lib_text/* columns */.YB)(rows)].join('\n'));
    }
    return exitCode;
}
async function doctor_examine(context, place) {
    const { values } = context;
    if ('forge' in place)
        return examine(await (0,runner_forge/* openForge */.ys)(context, place.forge), {
            platform: platformOf(context, false),
            jobs: jobsOf(values.jobs),
            allowed: values['allow-public'],
            ...given('version', versionOf(values['runner-version'])),
            ...given('group', values['runner-group']),
        });
    const open = (await context.clouds()).find(({ id }) => id === place.cloud.id);
    if (!open)
        throw new errors/* InputError */.dz(`cloud: ${place.cloud.id} cannot be opened`);
    const machine = open.cloud.doctor(wishedMachine(values), values.storage === undefined ? 'own' : 'given');
    const [checks, storage] = await Promise.all([machine, storageCheck(context)]);
    return [...checks, ...storage];
}
/** The storage that is named, as a command that creates would use it. */
async function storageCheck(context) {
    if (context.values.storage === undefined)
        return [];
    const check = await (0,core_check/* looked */.n)('storage', async () => {
        try {
            const place = await context.storage();
            const store = place && (await context.access(place));
            if (store)
                await probe(store);
            return `${store?.url} honours conditions on writes and removals`;
        }
        catch (error) {
            throw (0,wire_store/* isStoreError */.A1)(error, 'denied') ? new errors/* AuthError */.lR(error.message, { cause: error }) : error;
        }
    });
    return [check];
}

;// CONCATENATED MODULE: ./build/js/verbs/exec.js
/** `tpi exec NAME -- CMD`: beside the program, in its work folder. */



async function exec(context) {
    const d = await meantAlive(context);
    const spec = await (0,deployment/* needSpec */.Gt)(d);
    if (!d.cloud.exec)
        throw new errors/* InputError */.dz(`exec: cloud "${d.cloudId}" has no way to run a command beside the program`);
    if (!context.parsed.command?.length)
        throw new errors/* InputError */.dz('exec: no command given', { hint: `tpi exec ${d.name} -- ls -l` });
    const slot = (await (0,deployment/* readSlots */.wI)(d, spec.count))[checkedSlot(context.values.slot, spec.count) ?? 0];
    if (!slot)
        throw new errors/* InputError */.dz(`exec: "${d.name}" has no slot`);
    return d.cloud.exec(d, await (0,deployment/* machineOf */.VT)(d, slot), context.parsed.command);
}

;// CONCATENATED MODULE: ./build/js/verbs/interrupt.js
/** `tpi interrupt NAME`: rehearses a spot reclaim. */




async function interrupt(context) {
    const { values, host, engine } = context;
    const d = await meantAlive(context);
    const spec = await (0,deployment/* needSpec */.Gt)(d);
    const slot = checkedSlot(values.slot, spec.count);
    const open = (await (0,deployment/* readSlots */.wI)(d, spec.count)).filter(({ record }) => !(0,wire_slot/* isTerminal */.Hd)(record.state) && (slot === undefined || record.index === slot));
    if (open.length === 0)
        throw new errors/* InputError */.dz(`interrupt: nothing of "${d.name}" is running any more`);
    const [one] = open;
    if (d.cloud.interrupt)
        await d.cloud.interrupt(d, slot === undefined || !one ? undefined : await (0,deployment/* machineOf */.VT)(d, one));
    else
        await (0,deployment/* wishInterrupt */.VQ)(d, slot, engine.clock.date().toISOString());
    const slots = open.map(({ record }) => record.index);
    if (values.json)
        host.facts({ id: d.id, name: d.name, interrupted: slots });
    else
        host.print(`${d.name}: notice of a reclaim given to slot ${slots.join(', ')}; a replacement will resume from the last snapshot`);
    return errors/* EXIT */.dc.ok;
}

;// CONCATENATED MODULE: ./build/js/verbs/list.js
/** `tpi list`: what there is. */












async function list(context) {
    const { values, host, owner } = context;
    const losses = new Losses(context, true);
    const all = (await losses.seen()).filter((sighting) => !values.mine || ownedBy(owner, sighting.found.tags.origin));
    const living = (await Promise.all(all.map((sighting) => rowOf(context, sighting)))).filter((row) => !values.finished || (row.mode === 'task' && row.outcome !== 'running' && row.collected === false));
    const gone = values.all ? (await list_history(context, living)).filter((row) => !values.mine || ownedBy(owner, row.origin ?? {})) : [];
    const rows = [...living.sort((a, b) => urgency(a) - urgency(b) || younger(a, b)), ...gone];
    if (values.json)
        host.facts(rows);
    else if (rows.length > 0)
        host.print(table(rows, context.engine.clock.date()));
    else if (losses.code === errors/* EXIT */.dc.ok)
        host.print(values.all ? 'no runs' : 'no deployments; tpi list --all shows those that are gone');
    return losses.code;
}
async function rowOf(context, sighting) {
    const { tags } = sighting.found;
    const { id, name, mode, createdAt } = tags;
    const plain = { id, run: id, name, cloud: sighting.id, mode, createdAt, deadline: tags.lifetime.deadline };
    try {
        const d = await (0,find/* openSighting */.at)(sighting, context.access);
        if (!(await (0,deployment/* readSpec */.Ot)(d)))
            return { ...plain, state: 'creating' };
        const [status, price] = await Promise.all([look(context, d), priceOf(context, d)]);
        return { ...status, run: id, cost: costOf({ status, price, now: context.engine.clock.date() }) };
    }
    catch (error) {
        // One unreadable deployment must not hide the others.
        context.host.warn(`${name}: ${(0,errors/* describeError */.Uc)(error)}`);
        return { ...plain, state: 'unknown' };
    }
}
/** Runs that are gone, youngest first. */
async function list_history(context, living) {
    const there = new Set(living.map(identity/* runId */.Vz));
    const names = new Set(living.map(({ id }) => id));
    return (await (0,engine_history/* recall */.I9)(context.engine.home))
        .filter((past) => !there.has((0,identity/* runId */.Vz)(past)))
        .map((past) => {
        const run = names.has(past.id) ? (0,identity/* runId */.Vz)(past) : past.id;
        names.add(past.id);
        return {
            ...past,
            run,
            cost: costOf({ status: past, price: past.price ?? freeOf(context, past.cloud), now: context.engine.clock.date() }),
        };
    });
}
const younger = (a, b) => (a.createdAt < b.createdAt ? 1 : -1);
/** What runs comes first, then what nobody collected. */
function urgency({ outcome = 'running', mode, collected }) {
    if (outcome === 'running')
        return 0;
    return mode === 'task' && !collected ? 1 : 2;
}
function table(rows, now) {
    const seconds = (from, to) => Math.round((to.getTime() - from.getTime()) / 1000);
    const left = (row) => {
        if (row.outcome !== 'running')
            return '-';
        const rest = seconds(now, new Date(row.deadline));
        return rest > 0 ? (0,duration/* formatDuration */.a3)(rest) : 'past';
    };
    return (0,lib_text/* columns */.YB)([
        ['NAME', 'CLOUD', 'MACHINE', 'STATE', 'EXIT', 'AGE', 'DEADLINE IN', 'COST', 'RESULTS', 'ID'],
        ...rows.map((row) => [
            row.name,
            row.cloud,
            machines(row),
            row.state,
            row.exitCode === undefined || row.exitCode === null ? '-' : String(row.exitCode),
            (0,duration/* formatDuration */.a3)(seconds(new Date(row.createdAt), now)),
            left(row),
            shortCost(row.cost),
            list_results(row),
            row.run,
        ]),
    ]).join('\n');
}
function machines({ slots = [] }) {
    return slots.length === 1 ? (slots[0]?.machine ?? '-') : slots.length === 0 ? '-' : (0,lib_text/* plural */.LS)(slots.length, 'machine');
}
function list_results({ mode, collected, destroyed, outcome }) {
    if (mode !== 'task' || outcome === undefined || outcome === 'running')
        return '-';
    return collected ? 'collected' : destroyed ? 'given up' : 'not collected';
}

;// CONCATENATED MODULE: ./build/js/report/log-lines.js
const LINE_FEED = 10;
/** Keeps the last lines of every slot. A line without an end is one, too. */
class LastLines {
    #most;
    #slots = new Map();
    constructor(most) {
        this.#most = most;
    }
    push(piece) {
        const kept = this.#slots.get(piece.slot) ?? { pieces: [], ends: 0 };
        this.#slots.set(piece.slot, kept);
        kept.pieces.push(piece);
        kept.ends += ends(piece.bytes);
        // What is left without the first piece still has a line end before all that is wanted.
        for (let first = kept.pieces[0]; first; first = kept.pieces[0]) {
            const rest = kept.ends - ends(first.bytes);
            if (rest <= this.#most)
                break;
            kept.pieces.shift();
            kept.ends = rest;
        }
    }
    /** By slot; nothing is kept any more. */
    take() {
        const slots = [...this.#slots].sort(([a], [b]) => a - b);
        this.#slots.clear();
        return slots.flatMap(([, { pieces, ends: all }]) => {
            const open = pieces.at(-1)?.bytes.at(-1) !== LINE_FEED;
            return withoutLines(pieces, all + (open ? 1 : 0) - this.#most);
        });
    }
}
function ends(bytes) {
    let found = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1))
        found += 1;
    return found;
}
/** Without so many lines at their beginning. */
function withoutLines(pieces, lines) {
    let left = lines;
    return pieces.flatMap((piece) => {
        let from = 0;
        for (; left > 0; left -= 1) {
            const end = piece.bytes.indexOf(LINE_FEED, from);
            if (end < 0)
                return [];
            from = end + 1;
        }
        return from < piece.bytes.length ? [{ ...piece, bytes: piece.bytes.subarray(from) }] : [];
    });
}
/** Makes whole lines of pieces that end anywhere. */
class Lines {
    #open = new Map();
    push(piece) {
        const key = `${piece.slot} ${piece.stream}`;
        const lines = [];
        // A new attempt goes on with no line of the former one.
        if (this.#open.get(key) && this.#open.get(key)?.piece.epoch !== piece.epoch)
            lines.push(...this.#close(key));
        for (let from = 0; from < piece.bytes.length;) {
            const end = piece.bytes.indexOf(LINE_FEED, from);
            const open = this.#open.get(key) ?? { piece, chunks: [] };
            this.#open.set(key, open);
            open.chunks.push(Buffer.from(piece.bytes.subarray(from, end < 0 ? undefined : end)));
            if (end < 0)
                break;
            lines.push(...this.#close(key));
            from = end + 1;
        }
        return lines;
    }
    end() {
        return [...this.#open.keys()].flatMap((key) => this.#close(key));
    }
    #close(key) {
        const open = this.#open.get(key);
        this.#open.delete(key);
        if (!open)
            return [];
        const { slot, epoch, stream, at } = open.piece;
        return [{ slot, attempt: epoch, stream, at, text: Buffer.concat(open.chunks).toString('utf8').replace(/\r$/, '') }];
    }
}
/** Where the lines of an attempt are followed by those of another one. */
function machineChange(attempts, from, to) {
    const of = (epoch) => attempts.find((attempt) => attempt.epoch === epoch);
    const last = of(from);
    return `attempt ${from} ended: ${last?.reason ?? last?.cause ?? 'its machine is gone'}; attempt ${to} begins on machine ${of(to)?.holder ?? '?'}`;
}

;// CONCATENATED MODULE: ./build/js/verbs/logs.js
/** `tpi logs NAME`: what the program printed, across all attempts. */











async function logs_logs(context) {
    const { values } = context;
    const found = await meant(context, nameOf(context));
    if ('gone' in found)
        return past(context, found.gone);
    const d = found.alive;
    const spec = await (0,deployment/* needSpec */.Gt)(d);
    const only = checkedSlot(values.slot, spec.count);
    const printer = new Printer(context, spec.count, only);
    if (values.follow) {
        await goOn(context, d, spec, printer);
        return errors/* EXIT */.dc.ok;
    }
    const slots = await (0,deployment/* readSlots */.wI)(d, spec.count);
    for (const { record } of slots.filter((slot) => only === undefined || slot.record.index === only)) {
        printer.know(record);
        for await (const piece of new logs/* LogReader */.w(d, record.index).next(record))
            printer.push(piece);
    }
    printer.end();
    return errors/* EXIT */.dc.ok;
}
/** What the history has of it. */
async function past(context, gone) {
    const { home } = context.engine;
    if (!(await hasLog(home, gone)))
        throw new errors/* InputError */.dz(`name: deployment "${gone.name}" is gone, and no log of it was kept`, {
            hint: `tpi status ${gone.name} shows how it went`,
        });
    const printer = new Printer(context, gone.slots.length, checkedSlot(context.values.slot, gone.slots.length));
    gone.slots.forEach((slot) => printer.know(slot));
    for await (const piece of readKept(home, gone))
        printer.push(piece);
    printer.end();
    return errors/* EXIT */.dc.ok;
}
/** Until the task ends. Whoever ends it waits for us, so that the last lines are still there to be read. */
async function goOn({ engine, host, interrupts }, d, spec, printer) {
    let presence;
    const watcher = {
        slot: (record) => printer.know(record),
        log: (piece) => printer.push(piece),
        event: (text, kind) => (kind === 'info' ? host.debug(text) : host.info(text)),
        // After the first look, all that had been printed before is there.
        tick: () => printer.live(),
    };
    try {
        presence = await (0,owner_presence/* enter */.Ve)(engine, d, spec.lease);
        await (0,follow/* follow */.e)(engine, d, spec, watcher, { signal: interrupts.first });
    }
    catch (error) {
        if (!(await (0,removed/* isRemoved */.RX)(d)))
            throw error;
        host.info(`${d.name}: another command removed it`);
    }
    finally {
        printer.end();
        await presence?.leave().catch(() => undefined);
    }
}
/** Prints what was asked for: of one slot or all, since a time, the last lines, as text or as JSON. */
class Printer {
    #context;
    #labelled;
    #only;
    /** ISO. */
    #since;
    #last;
    #lines = new Lines();
    #attempts = new Map();
    #epochs = new Map();
    constructor(context, count, only) {
        const { tail, since } = context.values;
        this.#context = context;
        this.#only = only;
        this.#labelled = count > 1 && only === undefined;
        this.#since = since === undefined ? '' : new Date(context.engine.clock.date().getTime() - since * 1000).toISOString();
        this.#last = tail === undefined ? undefined : new LastLines(tail);
    }
    know({ index, attempts }) {
        this.#attempts.set(index, attempts);
    }
    push(piece) {
        if ((this.#only !== undefined && piece.slot !== this.#only) || piece.at < this.#since)
            return;
        // Our own lines are not among those that were asked for by number.
        if (this.#last && piece.stream !== 'agent')
            this.#last.push(piece);
        else if (!this.#last)
            this.#show(piece);
    }
    /** From now on everything is shown as it comes. */
    live() {
        const last = this.#last?.take() ?? [];
        this.#last = undefined;
        for (const piece of last)
            this.#show(piece);
    }
    end() {
        this.live();
        for (const line of this.#lines.end())
            this.#context.host.print((0,controls/* plainJson */.RU)(line, 0));
    }
    #show(piece) {
        const { values, host } = this.#context;
        const before = this.#epochs.get(piece.slot) ?? piece.epoch;
        this.#epochs.set(piece.slot, Math.max(before, piece.epoch));
        const label = this.#labelled ? `[${piece.slot}] ` : '';
        if (piece.epoch > before)
            host.info(`── ${label}${machineChange(this.#attempts.get(piece.slot) ?? [], before, piece.epoch)}`);
        if (piece.stream === 'agent') {
            const text = Buffer.from(piece.bytes).toString('utf8').trimEnd();
            if (text.startsWith(log/* WARNING */.Nz))
                host.warn(label + text.slice(log/* WARNING */.Nz.length));
            else if (values.verbose)
                host.debug(`${label}machine: ${text}`);
        }
        else if (values.json)
            for (const line of this.#lines.push(piece))
                host.print((0,controls/* plainJson */.RU)(line, 0));
        else if (values.raw)
            host.raw(piece.bytes);
        else
            host.script(piece.bytes, { slot: piece.slot, label: values.timestamps ? `${label}${piece.at.slice(0, 19)}Z ` : label });
    }
}

;// CONCATENATED MODULE: ./build/js/verbs/permissions.js
/** `tpi permissions`: the least rights, as text to apply or to hand on. */


async function permissions(context) {
    const place = namedPlace(context);
    const text = 'forge' in place ? place.forge.permissions : await place.cloud.permissions(context.values, context.env);
    context.host.print(text.trimEnd());
    return errors/* EXIT */.dc.ok;
}

// EXTERNAL MODULE: ./build/js/engine/deliver/destination.js
var destination = __webpack_require__(47319);
// EXTERNAL MODULE: ./build/js/snapshot/memory.js
var memory = __webpack_require__(40360);
// EXTERNAL MODULE: ./build/js/lib/mutex.js
var mutex = __webpack_require__(38353);
// EXTERNAL MODULE: ./build/js/snapshot/errors.js
var snapshot_errors = __webpack_require__(45468);
// EXTERNAL MODULE: ./build/js/snapshot/scan.js
var snapshot_scan = __webpack_require__(61866);
;// CONCATENATED MODULE: ./build/js/snapshot/mapped.js
/** Files that some process has mapped writable and shared: their bytes can change while size and times stay as they are. */


const mapped_MARK = 'rw-s';
const LINE = /^[\da-f]+-[\da-f]+ (\S{4}) [\da-f]+ [\da-f]+:[\da-f]+ (\d+)\s*(.*)$/;
/**
 * Numbers (in the scan) of files below `folder` that are mapped so, as far as this process may see: Linux only, and only processes of the
 * same user unless it is root. Compared by inode or by name: on layered file systems the two views of a device differ.
 */
async function mappedFiles(folder, scan) {
    if (process.platform !== 'linux')
        return new Set();
    const inodes = new Set();
    const names = new Set();
    for (const pid of numbered('/proc')) {
        for (const { inode, name } of sharedMappings(pid)) {
            inodes.add(inode);
            if (name.startsWith(`${folder}/`))
                names.add(name.slice(folder.length + 1));
        }
        if (Number(pid) % 64 === 0)
            await (0,snapshot_scan/* nextTurn */.tJ)();
    }
    const found = new Set();
    if (inodes.size === 0)
        return found;
    for (const [number, path] of scan.paths.entries()) {
        if (scan.kind[number] === snapshot_scan/* FILE */.PW && (inodes.has(scan.ino[number] ?? -1) || names.has(path)))
            found.add(number);
    }
    return found;
}
function numbered(folder) {
    try {
        return (0,external_node_fs_.readdirSync)(folder).filter((name) => /^\d+$/.test(name));
    }
    catch {
        return []; // no /proc here: nothing can be known
    }
}
function sharedMappings(pid) {
    let maps;
    try {
        maps = (0,external_node_fs_.readFileSync)(`/proc/${pid}/maps`, 'latin1');
    }
    catch {
        return []; // it ended, or belongs to somebody else
    }
    if (!maps.includes(mapped_MARK))
        return [];
    const found = [];
    for (const line of maps.split('\n')) {
        const [, flags, inode, name = ''] = LINE.exec(line) ?? [];
        if (flags === mapped_MARK && inode !== '0' && !name.startsWith('/dev/'))
            found.push({ inode: Number(inode), name: asText(name) });
    }
    return found;
}
const asText = (name) => Buffer.from(name, 'latin1').toString('utf8');

// EXTERNAL MODULE: ./build/js/snapshot/reader.js
var reader = __webpack_require__(21296);
// EXTERNAL MODULE: ./build/js/snapshot/entries.js
var snapshot_entries = __webpack_require__(82743);
;// CONCATENATED MODULE: ./build/js/snapshot/tree.js
/** What is known of a tree: a scan, and for each of its paths the entry that was made of it. */



function newTree(scan, pieces) {
    const { paths, kind, mode, mtime } = scan;
    const content = new Int32Array(paths.length).fill(snapshot_entries/* UNREAD */.yn);
    const entries = new snapshot_entries/* HeldEntries */.KX({ paths, kind, mode, mtime: mtime.slice(0, paths.length), content, more: new Map() }, pieces);
    return { scan, entries, trusted: new Uint8Array(paths.length) };
}
/** Two seconds, in nanoseconds: younger time stamps may hide a second write in the same tick (of the coarsest file systems). */
const SETTLED = 2000000000n;
/** Nanoseconds: the clock of time stamps lags behind the wall clock by up to a tick. */
const TICK = 10000000n;
/** Restoring sets times through a floating point number of seconds, exact to a quarter of a microsecond. */
const RESTORED_WITHIN = 1000n;
/** For each path its number among `others`, or -1. Both in the order of `comparePaths`. */
function align(paths, others) {
    const numbers = new Int32Array(paths.length).fill(-1);
    let at = 0;
    for (const [number, path] of paths.entries()) {
        let other = others[at];
        while (other !== undefined && other !== path && (0,snapshot_path/* comparePaths */.cD)(other, path) < 0)
            other = others[++at];
        if (other !== undefined && other === path)
            numbers[number] = at++;
    }
    return numbers;
}
function sameStat(a, i, b, j) {
    return (a.mtime[i] === b.mtime[j] &&
        a.ctime[i] === b.ctime[j] &&
        a.size[i] === b.size[j] &&
        a.ino[i] === b.ino[j] &&
        a.kind[i] === b.kind[j] &&
        a.mode[i] === b.mode[j]);
}
/** Time stamps are old enough for an equal stat to mean equal content. */
function isSettled(scan, number) {
    const limit = scan.startedAt - SETTLED;
    return (scan.mtime[number] ?? limit) < limit && (scan.ctime[number] ?? limit) < limit;
}
/** What happened to a tree between two scans that a snapshot of the first would not show as one moment. */
function compareScans(first, second) {
    const changed = [];
    const grown = [];
    const during = first.endedAt + TICK;
    const seen = new Uint8Array(second.paths.length);
    const numbers = align(first.paths, second.paths);
    for (const [i, j] of numbers.entries()) {
        if (j < 0)
            continue; // deleted after it was seen: the first scan's moment had it
        seen[j] = 1;
        if (sameStat(first, i, second, j))
            continue;
        if (first.kind[i] === snapshot_scan/* FOLDER */.L7 && second.kind[j] === snapshot_scan/* FOLDER */.L7 && first.mode[i] === second.mode[j]) {
            // Names that came or went while the scan ran belong to no single moment; later ones are after it.
            if ((second.ctime[j] ?? 0n) <= during)
                changed.push(first.paths[i] ?? '');
        }
        else if (hasGrown(first, i, second, j))
            grown.push(i);
        else
            changed.push(first.paths[i] ?? '');
    }
    for (const [j, path] of second.paths.entries()) {
        if (seen[j] === 0 && second.kind[j] === snapshot_scan/* FILE */.PW && (second.ctime[j] ?? 0n) <= during)
            changed.push(path);
    }
    return { changed, grown };
}
function hasGrown(first, i, second, j) {
    return (first.kind[i] === snapshot_scan/* FILE */.PW &&
        second.kind[j] === snapshot_scan/* FILE */.PW &&
        first.ino[i] === second.ino[j] &&
        first.mode[i] === second.mode[j] &&
        (second.size[j] ?? 0) > (first.size[i] ?? 0));
}
function isSameTime(a, b) {
    return a - b < RESTORED_WITHIN && b - a < RESTORED_WITHIN;
}
/** Equal in all that a restore would make of them. */
function isSame(a, i, b, j) {
    const { columns: one } = a;
    const { columns: two } = b;
    if (one.kind[i] !== two.kind[j] || one.mode[i] !== two.mode[j] || !isSameTime(one.mtime[i] ?? 0n, two.mtime[j] ?? 0n))
        return false;
    const content = one.content[i] ?? snapshot_entries/* UNREAD */.yn;
    if (content >= 0 && content === two.content[j] && a.pieces === b.pieces)
        return true;
    const [mine, theirs] = [a.at(i), b.at(j)];
    if (mine?.type === 'file')
        return theirs?.type === 'file' && mine.hash === theirs.hash && mine.size === theirs.size;
    return mine?.type !== 'link' || (theirs?.type === 'link' && mine.target === theirs.target);
}
/** Whether nothing differs from what was there before. What is equal takes the older time, which restoring may have rounded. */
function isSameTree(entries, older) {
    const numbers = align(entries.columns.paths, older.columns.paths);
    let same = entries.length === older.length;
    for (const [number, old] of numbers.entries()) {
        if (old >= 0 && isSame(entries, number, older, old))
            entries.columns.mtime[number] = older.columns.mtime[old] ?? 0n;
        else
            same = false;
    }
    return same;
}
/** Entries of `older` for which `keep` says so come in where `entries` has nothing of that path, with the folders they lie in. */
function keepEntries(entries, older, keep) {
    if (older === undefined)
        return entries;
    const merged = new Map(Array.from(entries, (entry) => [entry.path, entry]));
    const folders = new Map();
    for (const entry of older) {
        if (entry.type === 'folder')
            folders.set(entry.path, entry);
        if (!merged.has(entry.path) && keep(entry.path) && addParents(merged, folders, entry.path))
            merged.set(entry.path, entry);
    }
    if (merged.size === entries.length)
        return entries;
    const sorted = [...merged.values()].sort((a, b) => (0,snapshot_path/* comparePaths */.cD)(a.path, b.path));
    return (0,snapshot_entries/* holdEntries */.Qn)(sorted, entries.pieces);
}
/** `false`: something that is not a folder has taken the place of one. */
function addParents(merged, folders, path) {
    const parent = (0,snapshot_path/* parentPath */.yl)(path);
    if (parent === '')
        return true;
    const present = merged.get(parent);
    if (present !== undefined)
        return present.type === 'folder';
    const old = folders.get(parent);
    if (old === undefined || !addParents(merged, folders, parent))
        return false;
    merged.set(parent, old);
    return true;
}

;// CONCATENATED MODULE: ./build/js/snapshot/cycle.js
/** One look at a tree: scan, read what is not known, look again. */







/** Looks at changed files this often before it asks for a standstill. */
const ROUNDS = 3;
/** Milliseconds that the script may be held. */
const STANDSTILL = 2000;
/** Milliseconds between two turns of the event loop while small files are read. */
const SLICE = 8;
class Cycle {
    #options;
    #wish;
    #packer;
    /** Where to read a path instead of in the folder. */
    #copies = new Map();
    /** Paths whose last reading did not get what the scan had seen. */
    #torn = new Set();
    #unreadable = new Set();
    #mapped = new Set();
    /** Of the folder, once a link asks for it. */
    #real;
    #read = 0;
    #bytes = 0;
    #tell;
    /** `tell` hears how many files and bytes were read so far. */
    constructor(options, wish, packer, tell) {
        this.#options = options;
        this.#wish = wish;
        this.#packer = packer;
        this.#tell = tell;
    }
    /** `known`: what the last look left. */
    async look(known) {
        const scan = await this.#scan(known?.scan.paths ?? this.#options.paths);
        this.#packer.expect(scan.paths.length);
        const mapped = await mappedFiles(this.#options.folder, scan);
        this.#mapped = new Set([...mapped].map((number) => scan.paths[number] ?? ''));
        let tree = await this.#fill(scan, known, false);
        let unquiet = [];
        for (let round = 1; this.#read > 0; round++) {
            const next = await this.#scan(scan.paths);
            unquiet = await this.#differences(tree, next);
            const done = unquiet.length === 0 || round === ROUNDS;
            const old = done ? next : tree.scan;
            if (!done)
                tree = await this.#fill(next, tree, true);
            (0,snapshot_scan/* releaseStats */.hm)(old);
            if (done)
                break;
        }
        if (unquiet.length > 0 && this.#wish.freeze !== undefined) {
            const frozen = await this.#standstill(tree, this.#wish.freeze);
            if (frozen !== undefined) {
                (0,snapshot_scan/* releaseStats */.hm)(tree.scan);
                tree = frozen;
                unquiet = [];
            }
        }
        return { tree, unquiet: this.#wish.final === true ? [] : unquiet, unreadable: [...this.#unreadable, ...tree.scan.unreadable] };
    }
    /** `former`: the paths of another scan. */
    #scan(former = []) {
        const { select, folder } = this.#options;
        return (0,snapshot_scan/* scanTree */.wp)(folder, select, this.#wish.signal, former);
    }
    /** Entries for all of `scan`: known ones where the stat data says so, the others read. `sameLook`: young time stamps are no matter. */
    async #fill(scan, known, sameLook) {
        const tree = newTree(scan, this.#packer.pieces);
        const unread = adopt(tree, known, (path, number) => {
            if (this.#torn.has(path))
                return false;
            return sameLook || (known?.trusted[number] === 1 && !this.#mapped.has(path));
        });
        this.#torn = new Set();
        this.#unreadable = new Set();
        const drafts = [];
        let sliceEnd = performance.now() + SLICE;
        for (const number of unread) {
            if (performance.now() > sliceEnd) {
                this.#tell(this.#read, this.#bytes);
                await (0,snapshot_scan/* nextTurn */.tJ)();
                this.#wish.signal?.throwIfAborted();
                sliceEnd = performance.now() + SLICE;
            }
            const wanted = this.#wanted(scan, number);
            if (scan.kind[number] === snapshot_scan/* FILE */.PW) {
                const found = this.#readNow(wanted) ?? (await this.#readLater(wanted));
                if (typeof found === 'string')
                    this.#trouble(found, wanted.path);
                else if ('wanted' in found)
                    drafts.push({ number, draft: found });
                else
                    tree.entries.set(number, found);
                this.#read += 1;
                this.#bytes += wanted.size;
            }
            else if (scan.kind[number] === snapshot_scan/* FOLDER */.L7)
                tree.entries.set(number, []);
            else {
                const link = (0,reader/* readLink */.XF)(wanted);
                if ('target' in link)
                    tree.entries.set(number, this.#target(wanted.path, link.target));
                else
                    this.#trouble(link.trouble, wanted.path);
            }
            tree.trusted[number] = isSettled(scan, number) && !this.#mapped.has(wanted.path) ? 1 : 0;
        }
        await this.#packer.flush();
        this.#tell(this.#read, this.#bytes);
        for (const { number, draft } of drafts) {
            tree.entries.set(number, draft.pieces);
            if (draft.size !== draft.wanted.size && !this.#options.overlay?.has(draft.wanted.path))
                this.#torn.add(draft.wanted.path);
        }
        return tree;
    }
    #target(path, target) {
        const { folder, portable } = this.#options;
        if (!portable || !target.startsWith('/'))
            return target;
        this.#real ??= (0,external_node_fs_.realpathSync)(folder);
        return (0,snapshot_path/* relativeLink */.Nk)(folder, path, target) ?? (0,snapshot_path/* relativeLink */.Nk)(this.#real, path, target) ?? target;
    }
    #wanted(scan, number) {
        const path = scan.paths[number] ?? '';
        return {
            path,
            source: this.#copies.get(path) ?? `${this.#options.folder}/${path}`,
            size: scan.size[number] ?? 0,
        };
    }
    #readNow(wanted) {
        return this.#options.overlay?.has(wanted.path) ? undefined : (0,reader/* readSmall */.o5)(wanted, this.#packer);
    }
    #readLater(wanted) {
        const bytes = this.#options.overlay?.get(wanted.path);
        return bytes === undefined ? (0,reader/* readFile */.TA)(wanted, this.#packer) : (0,reader/* takeBytes */.tM)(wanted, bytes, this.#packer);
    }
    #trouble(trouble, path) {
        if (trouble === 'unreadable')
            this.#unreadable.add(path);
        else
            this.#torn.add(path);
    }
    /** Paths of `tree` that do not belong to the moment of its scan. */
    async #differences(tree, next) {
        const { changed, grown } = compareScans(tree.scan, next);
        const paths = new Set([...changed, ...this.#torn]);
        const doubtful = this.#mapped.size === 0 ? grown : [...grown, ...numbersOf(tree.scan, this.#mapped)];
        for (const number of doubtful) {
            const entry = tree.entries.at(number);
            const path = tree.scan.paths[number] ?? '';
            if (entry?.type !== 'file' || paths.has(path))
                continue;
            if (await (0,reader/* isStill */.Z4)(entry, `${this.#options.folder}/${path}`))
                continue;
            paths.add(path);
            this.#torn.add(path);
        }
        return [...paths];
    }
    /** Holds the script, copies what still differs beside the folder, lets it go on, and reads the copies. `undefined`: it took too long. */
    async #standstill(tree, freeze) {
        const beside = `${this.#options.folder}.frozen`;
        let held = true;
        const end = performance.now() + STANDSTILL;
        const timer = setTimeout(() => {
            held = false;
            void freeze.resume();
        }, STANDSTILL);
        let scan;
        try {
            await freeze.stop();
            scan = await this.#scan();
            if (!(await this.#copyUnread(scan, tree, beside, end)))
                scan = undefined;
        }
        finally {
            clearTimeout(timer);
            if (held)
                await freeze.resume();
        }
        try {
            return scan === undefined || !held ? undefined : await this.#fill(scan, tree, true);
        }
        finally {
            this.#copies.clear();
            (0,external_node_fs_.rmSync)(beside, { recursive: true, force: true });
        }
    }
    async #copyUnread(scan, known, beside, end) {
        const unread = adopt(newTree(scan, this.#packer.pieces), known, (path) => !this.#torn.has(path) && !this.#mapped.has(path));
        (0,external_node_fs_.rmSync)(beside, { recursive: true, force: true });
        (0,external_node_fs_.mkdirSync)(beside, { mode: 0o700 });
        for (const number of unread) {
            if (scan.kind[number] !== snapshot_scan/* FILE */.PW)
                continue;
            if (performance.now() > end)
                return false;
            const { path, source } = this.#wanted(scan, number);
            const copy = `${beside}/${number}`;
            try {
                (0,external_node_fs_.copyFileSync)((0,snapshot_path/* nativePath */.vb)(source), copy, external_node_fs_.constants.COPYFILE_FICLONE);
            }
            catch (error) {
                if ((0,snapshot_errors/* errorCode */.CA)(error) === undefined)
                    throw error;
                return false; // no space, not readable: published as unquiet instead
            }
            this.#copies.set(path, copy);
            await (0,snapshot_scan/* nextTurn */.tJ)();
        }
        return performance.now() <= end;
    }
}
function numbersOf(scan, paths) {
    return [...scan.paths.keys()].filter((number) => paths.has(scan.paths[number] ?? ''));
}
/** Takes over entries of `known` whose stat data is the same and for which `may` says so; returns the numbers of all others. */
function adopt(tree, known, may) {
    const { scan } = tree;
    const numbers = known === undefined ? undefined : align(scan.paths, known.scan.paths);
    const unread = [];
    for (const [number, path] of scan.paths.entries()) {
        const old = numbers?.[number] ?? -1;
        if (known?.entries.isRead(old) && sameStat(scan, number, known.scan, old) && may(path, old)) {
            tree.entries.take(number, known.entries, old);
            tree.trusted[number] = known.trusted[old] ?? 0;
        }
        else
            unread.push(number);
    }
    return unread;
}

// EXTERNAL MODULE: ./build/js/lib/heap.js + 2 modules
var heap = __webpack_require__(42273);
;// CONCATENATED MODULE: ./build/js/snapshot/known.js
/** Pieces that are in the store, found by what they hold. */

const known_FIRST = 1024;
/**
 * A table of numbers with open addressing: a fifth of a Map from hash to piece. A hash is as good a place in it as any, so its first bytes
 * are taken.
 */
class KnownPieces {
    pieces;
    /** Number of the piece + 1; 0 = free. Never more than half of it is taken. */
    #table = new Int32Array(known_FIRST * 2);
    #size = 0;
    constructor(pieces) {
        this.pieces = pieces;
    }
    get size() {
        return this.#size;
    }
    get(sum) {
        const found = this.#table[this.#find(sum)] ?? 0;
        return found === 0 ? undefined : found - 1;
    }
    /** In place of another one with the same content. */
    add(piece) {
        const at = this.#find(this.pieces.sum(piece));
        if (this.#table[at] === 0)
            this.#size += 1;
        this.#table[at] = piece + 1;
        if (this.#size * 2 > this.#table.length)
            this.keep(() => true);
    }
    /** Only these from now on. */
    keep(which) {
        const old = this.#table;
        const kept = old.reduce((sum, found) => (found > 0 && which(found - 1) ? sum + 1 : sum), 0);
        this.#table = new Int32Array(Math.max(known_FIRST, 2 ** Math.ceil(Math.log2(kept + 1))) * 4);
        this.#size = 0;
        for (const found of old)
            if (found > 0 && which(found - 1))
                this.add(found - 1);
        (0,heap/* free */.t9)(new Uint8Array(old.buffer));
    }
    mark(marks) {
        for (const found of this.#table)
            if (found > 0)
                marks[found - 1] = 1;
    }
    /** The same among other pieces; `numbers`: which of them for each one of ours, or -1. */
    moved(pieces, numbers) {
        const moved = new KnownPieces(pieces);
        for (const found of this.#table) {
            const number = found > 0 ? (numbers[found - 1] ?? -1) : -1;
            if (number >= 0)
                moved.add(number);
        }
        return moved;
    }
    /** Where it is, or where it would go. */
    #find(sum) {
        const mask = this.#table.length - 1;
        let at = (sum.charCodeAt(0) | (sum.charCodeAt(1) << 8) | (sum.charCodeAt(2) << 16) | (sum.charCodeAt(3) << 24)) & mask;
        for (;;) {
            const found = this.#table[at] ?? 0;
            if (found === 0 || this.pieces.has(found - 1, sum))
                return at;
            at = (at + 1) & mask;
        }
    }
}

// EXTERNAL MODULE: ./build/js/snapshot/manifest.js + 1 modules
var snapshot_manifest = __webpack_require__(11760);
// EXTERNAL MODULE: ./build/js/snapshot/pack.js
var pack = __webpack_require__(71098);
// EXTERNAL MODULE: ./build/js/snapshot/patience.js
var snapshot_patience = __webpack_require__(61056);
// EXTERNAL MODULE: ./build/js/snapshot/pieces.js
var snapshot_pieces = __webpack_require__(16832);
// EXTERNAL MODULE: ./build/js/snapshot/pins.js
var pins = __webpack_require__(29843);
;// CONCATENATED MODULE: ./build/js/snapshot/prune.js
/** Decides which objects of a slot's folder nobody needs any more, and removes them. */





const REMOVED_AT_ONCE = 500;
/** Bytes of mostly dead objects that are stored again after one pruning. */
const RENEWED_AT_ONCE = 16 << 20;
/**
 * Removes only what was there when it was opened and what its own saver stored: objects that a later holder put there are unknown to it, so
 * a former holder that wakes up in the middle of pruning takes nothing from its successor. `base/` is never touched.
 */
class Pruner {
    #place;
    #pins;
    /** Objects that may go one day, by key relative to the root, with their bytes. */
    #objects = new Map();
    #found;
    /** What the manifests that matter name, by manifest key. */
    #names = new Map();
    #restored;
    #kept;
    #pending;
    constructor(options) {
        const { store, root, at } = options;
        this.#place = { store, root, at };
        this.#pins = new pins/* PinWatch */.F(this.#place);
        this.#restored = options.restored === undefined ? [] : [options.restored.ref];
        if (options.restored !== undefined)
            this.#learn(options.restored.ref, options.restored.manifest);
        // A list that fails is not asked for again: later it could contain a successor's objects. The next holder tidies up instead.
        this.#found = this.#list().catch(() => undefined);
    }
    stored(key, bytes) {
        this.#objects.set(key, bytes);
    }
    /** Made, and perhaps about to be published. */
    pending({ ref, manifest }) {
        this.#pending = ref;
        this.#learn(ref, manifest);
    }
    published({ ref, manifest }, keep) {
        this.#learn(ref, manifest);
        this.#kept = [ref, ...keep];
    }
    /** Keys (relative to the root) that are gone now. `toHead`: also what is kept only to fall back on, for a store that is full. */
    async prune(signal, toHead = false) {
        const kept = this.#kept && (toHead ? headOf(this.#kept) : [...this.#kept, ...this.#restored]);
        // Before the first snapshot of our own: what we have restored is the head.
        const keep = kept ?? (toHead && this.#restored.length > 0 ? this.#restored : undefined);
        if (keep === undefined || this.#place.at === layout/* BASE */.Wm)
            return new Set();
        await this.#found;
        const needed = await this.#needed([...keep, ...(this.#pending ? [this.#pending] : [])], signal);
        const dead = [...this.#objects.keys()].filter((key) => !needed.has(key));
        const { store, root } = this.#place;
        for (let from = 0; from < dead.length; from += REMOVED_AT_ONCE) {
            const keys = dead.slice(from, from + REMOVED_AT_ONCE);
            await (0,snapshot_patience/* patiently */.d)(() => store.remove(keys.map((key) => root + key)), signal);
            for (const key of keys)
                this.#objects.delete(key);
        }
        return new Set(dead);
    }
    /** Own objects of which the manifest uses less than half; the emptiest first, within bounds. */
    tired(manifest) {
        const live = new Map();
        const counted = new Set();
        for (const entry of manifest?.entries ?? []) {
            for (const { key, from, length, size, zstd } of entry.type === 'file' ? entry.pieces : []) {
                // Pieces of a compressed frame share its bytes: it counts once, as if all of it were used.
                const place = zstd ? `${key} ${from}` : '';
                if (place !== '' && counted.has(place))
                    continue;
                if (place !== '')
                    counted.add(place);
                live.set(key, (live.get(key) ?? 0) + (zstd ? length : size));
            }
        }
        const tired = new Set();
        let renewed = 0;
        for (const [key, bytes] of [...live].sort(([, a], [, b]) => a - b)) {
            if (bytes * 2 >= (this.#objects.get(key) ?? 0) || renewed + bytes > RENEWED_AT_ONCE)
                continue;
            renewed += bytes;
            tired.add(key);
        }
        return tired;
    }
    async #list() {
        const { store, root, at } = this.#place;
        if (at === layout/* BASE */.Wm)
            return;
        for await (const { key, size } of store.list(root + at))
            this.#objects.set(key.slice(root.length), size);
    }
    async #needed(refs, signal) {
        const all = [...refs, ...(await this.#pins.valid(signal))];
        const needed = new Set();
        const current = new Set(all.map(snapshot_manifest/* manifestKey */.Rn));
        for (const key of this.#names.keys())
            if (!current.has(key))
                this.#names.delete(key);
        for (const ref of all)
            for (const key of await this.#namedBy(ref, signal))
                needed.add(key);
        return needed;
    }
    async #namedBy(ref, signal) {
        const known = this.#names.get((0,snapshot_manifest/* manifestKey */.Rn)(ref));
        if (known !== undefined)
            return known;
        try {
            return this.#learn(ref, await (0,snapshot_manifest/* readManifest */.WI)(this.#place.store, this.#place.root, ref, signal));
        }
        catch (error) {
            if ((0,snapshot_errors/* isDamage */.e6)(error))
                return new Set(); // nobody can restore it: there is nothing to keep for it
            throw error;
        }
    }
    #learn(ref, manifest) {
        const keys = new Set([(0,snapshot_manifest/* manifestKey */.Rn)(ref), ...(0,snapshot_manifest/* objectKeys */.uv)(manifest)]);
        this.#names.set((0,snapshot_manifest/* manifestKey */.Rn)(ref), keys);
        return keys;
    }
}
/** The newest, and where that is unquiet the last quiet one, from which a restore would start. */
function headOf([head, ...others]) {
    if (head === undefined || head.quiet)
        return head ? [head] : [];
    return [head, ...others.filter(({ quiet }) => quiet).slice(-1)];
}

// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(58500);
;// CONCATENATED MODULE: ./build/js/snapshot/seed.js
/** Spares the first save after a restore from reading everything again. */



/** Milliseconds: longer than a tick of any file system clock we know. */
const seed_TICK = 50;
/**
 * The tree as the restore left it, in which nobody has written since. Every time stamp of a later write then differs from the restored one,
 * which must itself be old, and its ctime lies in a later tick.
 */
async function seedTree(options, restored) {
    await (0,external_node_timers_promises_.setTimeout)(seed_TICK);
    const { paths } = restored.columns;
    const scan = await (0,snapshot_scan/* scanTree */.wp)(options.folder, options.select, undefined, paths);
    const tree = newTree(scan, restored.pieces);
    const numbers = align(scan.paths, paths);
    for (const [number, other] of numbers.entries()) {
        if (other < 0 || !isAsRestored(restored, other, scan, number))
            continue;
        tree.entries.take(number, restored, other);
        tree.trusted[number] = 1;
    }
    return tree;
}
function isAsRestored(restored, other, scan, number) {
    const { kind, mode, mtime } = restored.columns;
    const time = scan.mtime[number] ?? 0n;
    if (kind[other] !== snapshot_scan/* FILE */.PW || scan.kind[number] !== snapshot_scan/* FILE */.PW)
        return false;
    if (scan.size[number] !== restored.sizeOf(other) || scan.mode[number] !== mode[other])
        return false;
    return isSameTime(mtime[other] ?? 0n, time) && time < scan.startedAt - 2000000000n;
}

;// CONCATENATED MODULE: ./build/js/snapshot/save.js
/** Saves a folder into the store again and again; see `Saver`. */
















async function openSaver(options) {
    const restored = options.restored !== undefined && isOwn(options.restored.manifest, options.at) ? options.restored : undefined;
    // Pieces of its own: others may go on with those of the manifest.
    const published = restored && held(restored.manifest, new snapshot_pieces/* Pieces */.q5());
    const tree = published && restored?.untouched === true ? await seedTree(options, published.entries) : undefined;
    return new FolderSaver(options, published, tree);
}
function held(manifest, pieces) {
    return { ...manifest, entries: (0,snapshot_entries/* holdEntries */.Qn)(manifest.entries, pieces) };
}
/** A slot points only into its own folder and into `base/`: what lies elsewhere may be pruned by somebody else. */
function isOwn(manifest, at) {
    for (const key of (0,snapshot_manifest/* objectKeys */.uv)(manifest))
        if (!key.startsWith(at) && !key.startsWith(layout/* BASE */.Wm))
            return false;
    return true;
}
class FolderSaver {
    #options;
    /** Random: names of objects are never used twice, also not by a former holder that comes back to life. */
    #id = (0,external_node_crypto_.randomBytes)(6).toString('hex');
    #sequence = 0;
    #tree;
    #published;
    /** Pieces that are in the store, by SHA-256. */
    #known;
    /** It may hold what only older snapshots hold. */
    #stale = false;
    #pruner;
    #warned = new Set();
    #uploaded = 0;
    #turn = new mutex/* Mutex */.e();
    constructor(options, published, tree) {
        // Not what the tree was restored from: it would be held as long as the saver.
        const { restored: _restored, ...rest } = options;
        this.#options = rest;
        this.#tree = tree;
        this.#published = published;
        this.#pruner = new Pruner(options);
        this.#known = knownOf(published?.entries.pieces ?? new snapshot_pieces/* Pieces */.q5());
    }
    save(wish) {
        return this.#turn.take(() => this.#save(wish));
    }
    published(saved, keep) {
        this.#published = held(saved.manifest, this.#known.pieces);
        this.#stale = true;
        this.#pruner.published(saved, keep);
    }
    prune(signal, toHead) {
        return this.#turn.take(async () => {
            const gone = await this.#pruner.prune(signal, toHead);
            // What lives in objects that are mostly dead is read and stored again with the next save.
            const useless = new Set([...gone, ...this.#pruner.tired(this.#published)]);
            if (useless.size === 0)
                return { removed: 0 };
            this.#known.keep((piece) => !useless.has(this.#known.pieces.stretch(piece).key));
            if (this.#tree !== undefined)
                this.#tree = { ...this.#tree, entries: this.#tree.entries.without(useless) };
            return { removed: gone.size };
        });
    }
    async #save(wish) {
        this.#uploaded = 0;
        this.#forget();
        const name = () => `${this.#options.at}p-${this.#id}-${this.#sequence++}`;
        const packer = new pack/* Packer */.ND(this.#options, this.#known, name, (key, bytes) => this.#stored(key, bytes), wish.signal);
        try {
            const tell = (files, bytes) => this.#options.progress?.({ files, bytes, uploaded: this.#uploaded });
            const look = await new Cycle(this.#options, wish, packer, tell).look(this.#tree);
            const entries = this.#entries(look);
            const same = this.#published !== undefined && isSameTree(entries, this.#published.entries);
            if (this.#tree !== undefined)
                (0,snapshot_scan/* releaseStats */.hm)(this.#tree.scan);
            this.#tree = look.tree;
            this.#warn(look);
            const quiet = look.unquiet.length === 0;
            if (same && (this.#published?.quiet === true || !quiet))
                return undefined;
            return await this.#upload({ v: 1, entries, quiet, unquiet: look.unquiet }, wish.signal);
        }
        finally {
            await packer.drop();
            (0,memory/* doneWith */.Z)(this.#tree?.entries.length ?? 0);
        }
    }
    /** What only older snapshots or failed attempts hold is forgotten, before it is a quarter of what is there. */
    #forget() {
        const { pieces } = this.#known;
        const marks = new Uint8Array(pieces.count);
        this.#published?.entries.mark(marks);
        this.#tree?.entries.mark(marks);
        if (!this.#stale)
            this.#known.mark(marks);
        this.#stale = false;
        const needed = marks.reduce((sum, mark) => sum + mark, 0);
        if (pieces.count <= needed * 1.25)
            return;
        const kept = pieces.only(marks);
        const move = (entries) => entries.moved(kept.pieces, kept.numbers);
        if (this.#published !== undefined)
            this.#published = { ...this.#published, entries: move(this.#published.entries) };
        if (this.#tree !== undefined)
            this.#tree = { ...this.#tree, entries: move(this.#tree.entries) };
        this.#known = this.#known.moved(kept.pieces, kept.numbers);
        (0,memory/* doneWith */.Z)(pieces.count);
    }
    /** What the look found; where it was not allowed to look, what was there before stays. */
    #entries({ tree, unreadable }) {
        const read = tree.entries.whole();
        if (unreadable.length === 0)
            return read;
        const isBlind = (path) => unreadable.some((other) => path === other || path.startsWith(`${other}/`));
        return keepEntries(read, this.#published?.entries, isBlind);
    }
    async #upload(manifest, signal) {
        const { store, root, at } = this.#options;
        const { bytes, digest } = await (0,snapshot_manifest/* encodeManifest */.Gb)(manifest);
        const key = (0,snapshot_manifest/* manifestKey */.Rn)({ at, digest });
        await (0,snapshot_patience/* patiently */.d)(() => store.write(root + key, bytes, undefined, signal), signal);
        this.#stored(key, bytes.length);
        let files = 0;
        let total = 0;
        for (const entry of manifest.entries) {
            if (entry.type !== 'file')
                continue;
            files += 1;
            total += entry.size;
        }
        const ref = { digest, at, savedAt: new Date().toISOString(), quiet: manifest.quiet, files, bytes: total };
        const saved = { ref, manifest, unquiet: manifest.unquiet, uploadedBytes: this.#uploaded };
        this.#pruner.pending(saved);
        return saved;
    }
    #stored(key, bytes) {
        this.#uploaded += bytes;
        this.#pruner.stored(key, bytes);
    }
    #warn({ tree, unquiet, unreadable }) {
        this.#warnOnce('not saved, it is a socket, pipe, device or view of the kernel', tree.scan.special);
        this.#warnOnce('could not be read', unreadable);
        this.#warnOnce('kept changing while it was saved', unquiet);
    }
    #warnOnce(what, paths) {
        const fresh = paths.filter((path) => !this.#warned.has(path));
        for (const path of fresh)
            this.#warned.add(path);
        if (fresh.length > 0)
            this.#options.warn(`${what}: ${(0,snapshot_path/* nameSome */.Kf)(fresh)}`);
    }
}
/** All that lie somewhere. */
function knownOf(pieces) {
    const known = new KnownPieces(pieces);
    for (let piece = 0; piece < pieces.count; piece++)
        if (pieces.stretch(piece) !== snapshot_pieces/* NOWHERE */.JW)
            known.add(piece);
    return known;
}

;// CONCATENATED MODULE: ./build/js/task/wish.js
/** A task as its user wishes it: option values resolved, nothing created yet. Plain data. */

/** Everything that decides what runs, by option name. */
function wish_comparable(wish) {
    return comparedParts(wish, wish_COMPARED);
}
const wish_COMPARED = {
    name: null,
    count: (parallelism) => ({ parallelism }),
    size: ({ machine, cpu, memoryBytes: memory, gpu }) => ({ machine, cpu, memory, gpu }),
    diskBytes: (bytes) => ({ 'disk-size': bytes }),
    image: (image) => ({ image }),
    region: (region) => ({ region }),
    spot: (spot) => ({ spot }),
    permissionSet: (name) => ({ 'permission-set': name }),
    tags: (tags) => ({ tags }),
    workingDirectory: (folder) => ({ 'working-directory': folder }),
    output: (output) => ({ output }),
    setup: (setup) => ({ setup }),
    program: (script) => ({ script }),
    timeout: (timeout) => ({ timeout }),
    grace: (grace) => ({ grace }),
    checkpoint: ({ interval, globs }) => ({ 'checkpoint-interval': interval, checkpoint: globs }),
    retry: ({ maxAttempts, retries, retryOn }) => ({ 'max-attempts': maxAttempts, retries, 'retry-on': retryOn }),
    failFast: (failFast) => ({ 'fail-fast': failFast }),
    gang: (gang) => ({ gang }),
    env: (env) => Object.fromEntries(Object.entries(env).map(([name, value]) => [`env ${name}`, value])),
    // Never their values: they may be renewed.
    secrets: (secrets) => ({ secrets: Object.keys(secrets).sort() }),
    // By content, which the upload knows.
    workdir: null,
    exclude: null,
    git: null,
    outputDir: null,
    outputPath: null,
    outputLayout: null,
    keepOnFailure: null,
    rehearse: null,
    ifExists: null,
    resume: null,
    wait: null,
    onCancel: null,
    yes: null,
    // The mode's own.
    usualImage: null,
    unprivileged: null,
    reserve: null,
    retention: null,
    lease: null,
};

;// CONCATENATED MODULE: ./build/js/task/create.js
/** What a task contributes to its deployment: the work directory, secrets, and where each slot begins. */









/** Bytes that are uploaded before a machine has started. While more is, machines would only wait, and cost. */
const SOON = 32e6;
function beginsAhead(upload) {
    return (upload?.size.bytes ?? 0) <= SOON;
}
/** `undefined`: another controller was faster; it is its deployment now. */
async function task_create_create(engine, place, parts) {
    const { wish, storeAccess, seed, former } = parts;
    return create(engine, place, parts, {
        draft: (d, createdAt) => plannedSpec(d, parts, createdAt),
        machines: (draft) => create_machineWish(draft, wish, storeAccess),
        ahead: beginsAhead(parts.upload),
        supply: async (d, _, signal) => uploadBase(engine, d, parts.upload, signal),
        async complete(d, draft, base) {
            (0,memory/* doneWith */.Z)(parts.upload?.size.files ?? 0);
            const starts = await seed?.plant(d, base?.ref);
            await (0,destination/* writeReceipt */.Qz)(engine, d, receiptOf(wish, draft.createdAt, base));
            return {
                spec: {
                    ...draft,
                    ...(base ? { base: base.ref.digest } : {}),
                    fingerprint: fingerprint(d.id, { ...wish_comparable(wish), workdir: base?.content }),
                },
                first: (index) => ({ ...(base ? { head: base.ref } : {}), ...starts?.get(index) }),
            };
        },
        async entrust(d, { secretNames }) {
            if (secretNames.length > 0)
                await d.store.write(d.keys.secrets, Buffer.from(JSON.stringify({ v: parse/* VERSION */.xv, env: wish.secrets })));
        },
        former: async () => former,
    });
}
/** For whoever delivers on this side. */
function receiptOf({ workdir, outputDir, output }, at, base) {
    const folder = outputDir ?? workdir;
    const start = { at, ...(workdir === undefined ? {} : { workdir }), named: outputDir !== undefined, output };
    return { v: 1, ...(folder === undefined ? {} : { folder }), start: base ? { ...start, base: base.ref.digest } : start };
}
async function uploadBase(engine, d, upload, signal) {
    if (!upload)
        return undefined;
    const saver = await openSaver({
        store: d.store,
        root: d.keys.root,
        at: layout/* BASE */.Wm,
        folder: upload.folder,
        select: upload.select,
        paths: upload.paths,
        overlay: upload.overlay,
        warn: (message) => engine.host.warn(message),
        progress: ({ files, bytes }) => engine.host.status(`uploading the work directory: ${files} files, ${Math.round(bytes / 1e6)} MB`),
    });
    const saved = await saver.save({ signal });
    engine.host.status('');
    if (!saved)
        return undefined;
    for (const path of saved.unquiet)
        engine.host.warn(`${path} changed while it was uploaded`);
    return { ref: { ...saved.ref, epoch: 0 }, content: await upload.identity(saved.manifest) };
}
/** The specification before the upload: what `plan` shows, and what the group is made from. */
function plannedSpec(d, parts, createdAt) {
    const { wish } = parts;
    return {
        ...commonSpec('task', d, parts, createdAt),
        program: wish.program,
        secretNames: Object.keys(wish.secrets),
        workingDirectory: wish.workingDirectory,
        output: wish.output,
        checkpoint: wish.checkpoint,
        retry: wish.retry,
        failFast: wish.failFast,
        gang: wish.gang,
        fingerprint: {},
        ...(wish.rehearse ? { rehearse: wish.rehearse } : {}),
        delivery: {
            ...(wish.outputPath === undefined ? {} : { path: wish.outputPath }),
            outputLayout: wish.outputLayout,
            keepOnFailure: wish.keepOnFailure,
        },
    };
}
/** The cloud's part of the wish. */
function machineSpec(spec, parts) {
    const { wish, storeAccess } = parts;
    return { ...create_machineWish(spec, wish, storeAccess), agent: parts.agent.digest, store: storeAccess };
}
/** The same before anything is known of store credentials and agent. */
function create_machineWish(spec, wish, store) {
    const { delivery, output } = spec;
    const group = groupSpec(spec, wish, store);
    return {
        ...group,
        ...(delivery && output ? { tags: { ...group.tags, promise: (0,destination/* promiseOf */.tH)({ delivery, output }) } } : {}),
        ...(wish.keepOnFailure ? { keep: true } : {}),
        ...(wish.rehearse ? { rehearse: wish.rehearse } : {}),
    };
}

;// CONCATENATED MODULE: ./build/js/verbs/task/left-here.js
/** Files that a command names and that exist only here: without a work directory no machine would find them. */


async function warnOfFilesLeftHere({ host, parsed, cwd }, { workdir }) {
    if (workdir !== undefined || !parsed.program || !('argv' in parsed.program))
        return;
    const words = new Set(parsed.program.argv.filter((word) => word !== '' && !word.startsWith('-') && !(0,external_node_path_.isAbsolute)(word)));
    for (const word of words) {
        const file = await (0,promises_.stat)((0,external_node_path_.join)(cwd, (0,external_node_path_.normalize)(word))).catch(() => undefined);
        if (file?.isFile())
            host.warn(`"${word}" exists here, but no work directory is uploaded: give "--workdir ." to upload this folder`);
    }
}

;// CONCATENATED MODULE: ./build/js/verbs/task/out-of-reach.js
/** Outputs that would land where the CI job around us cannot keep them. */




/** Said before the start: afterwards the job is over, and the forge has looked in vain. */
function warnOfOutputsOutOfReach({ host, env }, wish) {
    const folder = wish.outputDir ?? wish.workdir;
    const variable = forges_registry/* forges */.F.find((forge) => forge.detect(env))?.keepsBelow;
    const root = variable && env[variable];
    if (!root || folder === undefined || wish.output.length === 0)
        return;
    // Programs that play a pipeline outside the forge may name the folder as it would be in a container.
    if (!(0,external_node_fs_.existsSync)(root))
        return;
    // One of the two may be told by way of a link.
    const ways = [root, resolved(root)].flatMap((above) => [folder, resolved(folder)].map((path) => (0,external_node_path_.relative)(above, path)));
    if (ways.some((way) => way !== '..' && !way.startsWith('../')))
        return;
    host.warn(`outputs go to "${folder}", which is not below ${variable} ("${root}"): the job's artifacts cannot include them; see "output-dir"`);
}

// EXTERNAL MODULE: ./build/js/options/sources/environment.js + 1 modules
var environment = __webpack_require__(1470);
;// CONCATENATED MODULE: ./build/js/snapshot/describe.js
/** What a snapshot of a folder would say, without a store. */




/** Reads and hashes everything that is selected; the pieces of the result lie nowhere. Throws SnapshotError. */
async function describeTree(options, signal) {
    const packer = new pack/* Packer */.ND(undefined, new KnownPieces(new snapshot_pieces/* Pieces */.q5()), () => 'nowhere', () => undefined, signal);
    try {
        const look = await new Cycle(options, signal === undefined ? {} : { signal }, packer, () => undefined).look(undefined);
        return { v: 1, entries: look.tree.entries.whole(), quiet: look.unquiet.length === 0, unquiet: look.unquiet };
    }
    finally {
        await packer.drop();
    }
}

// EXTERNAL MODULE: ./build/js/stores/registry.js + 1 modules
var registry = __webpack_require__(96070);
;// CONCATENATED MODULE: ./build/js/task/workdir/identity.js
/** Whether two work directories are the same one: what attach compares. */


/**
 * SHA-256 (hex) over paths, modes, link targets and contents, without times. Git's own folders do not count: looking at them (`git status`)
 * changes them, and what they say of the files is compared by the files.
 */
function contentIdentity(manifest) {
    const sum = (0,external_node_crypto_.createHash)('sha256');
    for (const entry of manifest.entries) {
        if (/(?:^|\/)\.git(?:\/|$)/.test(entry.path))
            continue;
        const what = entry.type === 'file' ? [entry.size, entry.hash] : entry.type === 'link' ? [entry.target] : [];
        sum.update(`${JSON.stringify([entry.type, entry.path, entry.type === 'link' ? 0 : entry.mode, ...what])}\n`);
    }
    return sum.digest('hex');
}
/** The identity of a folder as it is now: equal to that of the base manifest made of it, if nothing has changed. */
async function contentFingerprint(folder, { select, overlay }, signal) {
    return contentIdentity(await describeTree({ folder, select, overlay }, signal));
}

;// CONCATENATED MODULE: ./build/js/task/workdir/report.js
/** What an upload tells its user: how much goes up, what weighs most, what stays here and why. */



const SHOWN = 5;
const NOTHING = { files: 0, bytes: 0, largest: [], leftOut: [], notices: [], warnings: [] };
/** Sums up the files for which `wanted` says so, under the names that `group` gives them. */
function weigh(scan, wanted, group) {
    const sums = new Map();
    const folders = new Set();
    const total = { path: '', isFolder: true, files: 0, bytes: 0 };
    for (const [number, path] of scan.paths.entries()) {
        if (scan.kind[number] === snapshot_scan/* FOLDER */.L7)
            folders.add(path);
        if (scan.kind[number] !== snapshot_scan/* FILE */.PW || !wanted(path))
            continue;
        const bytes = scan.size[number] ?? 0;
        const name = group(path);
        const sum = sums.get(name) ?? { files: 0, bytes: 0 };
        sums.set(name, { files: sum.files + 1, bytes: sum.bytes + bytes });
        total.files += 1;
        total.bytes += bytes;
    }
    const weights = [...sums].map(([path, sum]) => ({ path, isFolder: folders.has(path), ...sum }));
    return { total, largest: weights.sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1)).slice(0, SHOWN) };
}
/** The report as lines for people. Warnings and notices are not among them. */
function reportLines({ files, bytes, largest, leftOut }) {
    const weight = ({ path, isFolder, bytes, files }) => `${(0,lib_text/* printable */.g$)(path)}${isFolder ? '/' : ''} ${(0,lib_bytes/* formatBytes */.z3)(bytes)}${isFolder ? ` in ${(0,lib_text/* plural */.LS)(files, 'file')}` : ''}`;
    const lines = [`work directory: ${(0,lib_text/* plural */.LS)(files, 'file')}, ${(0,lib_bytes/* formatBytes */.z3)(bytes)}`, ...largest.map((item) => `  ${weight(item)}`)];
    const [first] = leftOut;
    if (first !== undefined)
        lines.push(`  not sent: ${weight(first)} (${first.rule}); ${first.remedy}`);
    return lines;
}

// EXTERNAL MODULE: ./build/js/lib/glob.js
var glob = __webpack_require__(42766);
// EXTERNAL MODULE: ./node_modules/yaml/dist/index.js
var dist = __webpack_require__(38815);
;// CONCATENATED MODULE: ./build/js/task/workdir/dvc.js
/** Outputs that DVC keeps out of Git on purpose: without them the work directory would go up empty-handed. */




const dvc_LARGEST = 4 << 20;
/** Paths (files or folders) named as outputs by `*.dvc`, `dvc.yaml` and `dvc.lock` among `paths`. */
function dvcOutputs(folder, scan, isSent) {
    const outputs = new Set();
    for (const [number, path] of scan.paths.entries()) {
        const name = path.slice(path.lastIndexOf('/') + 1);
        if (scan.kind[number] !== snapshot_scan/* FILE */.PW || !(name.endsWith('.dvc') || name === 'dvc.yaml' || name === 'dvc.lock'))
            continue;
        if ((scan.size[number] ?? 0) > dvc_LARGEST || !isSent(path))
            continue;
        const at = path.slice(0, -name.length);
        for (const output of outputsIn(readYaml(`${folder}/${path}`))) {
            const joined = normalize(at + output);
            if (joined !== undefined)
                outputs.add(joined);
        }
    }
    return outputs;
}
function readYaml(path) {
    try {
        return (0,dist.parse)((0,external_node_fs_.readFileSync)((0,snapshot_path/* nativePath */.vb)(path), 'utf8'));
    }
    catch {
        return undefined; // DVC will complain about it better than we could
    }
}
function outputsIn(document) {
    const file = dvc_record(document);
    const stages = Object.values(dvc_record(file['stages'])).map(dvc_record);
    return [file, ...stages].flatMap((stage) => {
        const folder = typeof stage['wdir'] === 'string' ? `${stage['wdir']}/` : '';
        return ['outs', 'metrics', 'plots'].flatMap((key) => named(stage[key]).map((path) => folder + path));
    });
}
/** Items are paths, `{path: …}` of lock files, or `{<path>: {settings}}`. */
function named(list) {
    if (!Array.isArray(list))
        return [];
    return list.flatMap((item) => {
        if (typeof item === 'string')
            return [item];
        const fields = dvc_record(item);
        if (typeof fields['path'] === 'string')
            return [fields['path']];
        return Object.keys(fields).length === 1 ? Object.keys(fields) : [];
    });
}
function dvc_record(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
/** `undefined` for what is remote, templated, absolute, or outside. */
function normalize(path) {
    if (path.includes('${') || path.includes('://') || path.startsWith('/'))
        return undefined;
    const kept = [];
    for (const name of path.split('/')) {
        if (name === '' || name === '.')
            continue;
        if (name !== '..')
            kept.push(name);
        else if (kept.pop() === undefined)
            return undefined;
    }
    return kept.length === 0 ? undefined : kept.join('/');
}

;// CONCATENATED MODULE: ./build/js/task/workdir/urls.js
/** Credentials inside URLs. */
const USER_INFO = /\b([a-z][a-z\d+.-]*):\/\/([^/\s"'<>]*)@/gi;
const TOKEN_QUERY = /([?&](?:access_token|private_token|job_token|token|password|sig|signature|x-amz-[a-z-]+)=)[^&\s"'<>]+/gi;
/** The text with user names and passwords taken out of its URLs. The user of an SSH address stays: it is no secret, and part of the address. */
function scrubUrls(text) {
    if (!text.includes('://'))
        return text;
    return text
        .replaceAll(USER_INFO, (_, scheme, user) => {
        const name = user.split(':')[0] ?? '';
        return /ssh|^git\+ssh$/i.test(scheme) && name !== '' ? `${scheme}://${name}@` : `${scheme}://`;
    })
        .replaceAll(TOKEN_QUERY, '$1');
}

;// CONCATENATED MODULE: ./build/js/task/workdir/git-config.js
/** Git's configuration format, read and written back without anything that identifies or acts for its owner. */

/** Sections that lead to credentials or to files of this machine. */
const FOREIGN_SECTIONS = new Set(['credential', 'include', 'includeif', 'sendemail', 'gitcvs', 'imap']);
/** Keys (of any section) that hold secrets, name programs to run, or files of this machine. */
const FOREIGN_KEYS = new Set([
    'askpass',
    'cookiefile',
    'editor',
    'excludesfile',
    'attributesfile',
    'extraheader',
    'fsmonitor',
    'gitproxy',
    'hookspath',
    'pager',
    'proxyauthmethod',
    'signingkey',
    'sshcommand',
    'sslcainfo',
    'sslcapath',
    'sslcert',
    'sslkey',
    'uploadpack',
    'receivepack',
    'vcs',
]);
const SECRET_KEY = /pass|secret|token|apikey|oauth|cookie/i;
/** The configuration without credentials, helpers, headers, hooks and includes. Throws when it is not one. */
function scrubConfig(text) {
    const kept = parseConfig(text).filter(({ section, key }) => {
        const name = key.toLowerCase();
        return !FOREIGN_SECTIONS.has(section.toLowerCase()) && !FOREIGN_KEYS.has(name) && !SECRET_KEY.test(name);
    });
    let written = '';
    let last = '';
    for (const { section, subsection, key, value } of kept) {
        const heading = subsection === undefined ? `[${section}]` : `[${section} ${quote(scrubUrls(subsection), false)}]`;
        if (heading !== last)
            written += `${heading}\n`;
        last = heading;
        written += `\t${key} = ${quote(scrubUrls(value), true)}\n`;
    }
    return written;
}
function quote(text, inValue) {
    const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    return `"${inValue ? escaped.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b') : escaped}"`;
}
function parseConfig(text) {
    const reader = new ConfigReader(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'));
    return reader.read();
}
class ConfigReader {
    #text;
    #at = 0;
    #section;
    constructor(text) {
        this.#text = text;
    }
    read() {
        const items = [];
        for (;;) {
            this.#skip(/\s*/y);
            const char = this.#text[this.#at];
            if (char === undefined)
                return items;
            if (char === '#' || char === ';')
                this.#skip(/[^\n]*/y);
            else if (char === '[')
                this.#section = this.#heading();
            else
                items.push(this.#item());
        }
    }
    #heading() {
        const [, section = '', quoted] = this.#take(/\[([-.\w]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?[ \t]*\]/y);
        if (quoted !== undefined)
            return { section, subsection: quoted.replaceAll(/\\(.)/g, '$1') };
        const dot = section.indexOf('.');
        return dot < 0 ? { section } : { section: section.slice(0, dot), subsection: section.slice(dot + 1).toLowerCase() };
    }
    #item() {
        if (this.#section === undefined)
            throw new Error('a git configuration begins with a section');
        const [, key = '', equals] = this.#take(/([A-Za-z][-\w]*)[ \t]*(=)?[ \t]*/y);
        return { ...this.#section, key, value: equals === undefined ? 'true' : this.#value() };
    }
    /** Up to the end of the line: quotes protect blanks and comment signs, a backslash at the end goes on. */
    #value() {
        let value = '';
        let blanks = '';
        let quoted = false;
        for (; this.#at < this.#text.length; this.#at++) {
            const char = this.#text[this.#at] ?? '';
            if (char === '\n')
                break;
            if (char === '"')
                quoted = !quoted;
            else if (!quoted && (char === '#' || char === ';')) {
                this.#skip(/[^\n]*/y);
                break;
            }
            else if (!quoted && (char === ' ' || char === '\t')) {
                blanks += char;
                continue;
            }
            else {
                value += blanks + (char === '\\' ? this.#escape() : char);
                blanks = '';
            }
        }
        if (quoted)
            throw new Error('a git configuration has an open quote');
        return value;
    }
    #escape() {
        this.#at += 1;
        const char = this.#text[this.#at] ?? '';
        const meant = { '\n': '', n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' }[char];
        if (meant === undefined)
            throw new Error('a git configuration has an unknown escape');
        return meant;
    }
    #skip(pattern) {
        pattern.lastIndex = this.#at;
        this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
    }
    #take(pattern) {
        pattern.lastIndex = this.#at;
        const match = pattern.exec(this.#text);
        if (match === null)
            throw new Error('this is no git configuration');
        this.#at += match[0].length;
        return match;
    }
}

;// CONCATENATED MODULE: ./build/js/task/workdir/git-folder.js
/** The `.git` folder as it may be sent: no credentials, hooks, helpers, or pointers to this machine. */




/** Largest file beside the objects that is looked through for credentials; what is longer stays here. */
const LARGEST_TEXT = 16 << 20;
/** Parts of a git folder (or of one below `modules/`) that stay here: programs, locks, other work trees, stored credentials. */
const LEFT = /^(?:modules\/(?:.+\/)?)?(?:hooks|worktrees|fsmonitor--daemon)(?:\/|$)/;
const LEFT_NAMES = new Set(['.git-credentials', 'credentials', 'gc.pid', 'fsmonitor--daemon.ipc', 'credential-cache']);
/** Data that Git itself checks by hash, or that is no text. */
const DATA = /^(?:modules\/(?:.+\/)?)?(?:objects|lfs\/objects|annex\/objects)\//;
const REFERENCE = /^(?:ref: |[\da-f]{40}(?:[\da-f]{24})?\b)/;
/** `path` is relative to the git folder. */
function isLeft(path, size) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (DATA.test(path))
        return false;
    const inRefs = /(?:^|\/)(?:refs|logs)\//.test(path);
    return (!inRefs && (LEFT.test(path) || LEFT_NAMES.has(name))) || name.endsWith('.lock') || (size > LARGEST_TEXT && name !== 'index');
}
/** What to send in place of a file's content; `undefined`: the file as it is; `'left'`: not at all. */
function scrubbed(folder, path) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (DATA.test(path) || name === 'index')
        return undefined;
    const bytes = (0,external_node_fs_.readFileSync)((0,snapshot_path/* nativePath */.vb)(`${folder}/${path}`));
    const text = bytes.toString('latin1');
    if ((name === 'config' || name === 'config.worktree') && !REFERENCE.test(text))
        return scrubbedConfig(bytes);
    const clean = scrubUrls(text);
    return clean === text ? undefined : Buffer.from(clean, 'latin1');
}
function scrubbedConfig(bytes) {
    try {
        return Buffer.from(scrubConfig(bytes.toString('utf8')));
    }
    catch {
        return 'left'; // whatever it is, Git would not read it either
    }
}

;// CONCATENATED MODULE: ./build/js/task/workdir/git-plan.js
/** Which Git folders go up, and what of them. */






/** Bytes of all Git folders together that are sent without being asked for. */
const AUTO_LIMIT = 200e6;
/** `.git` of the path's repository, when the path is in or is one. */
function gitFolderOf(path) {
    const match = /^((?:.*\/)?\.git)(?:\/|$)/.exec(path);
    if (match === null)
        return undefined;
    const inner = path.indexOf('.git/');
    return inner >= 0 && (inner === 0 || path[inner - 1] === '/') ? path.slice(0, inner + 4) : match[1];
}
function planGit(folder, scan, { git, barred }) {
    const plan = {
        sent: new Set(),
        overlay: new Map(),
        notices: [],
        left: new Map(),
    };
    const pointers = [];
    const inside = new Map();
    for (const [number, path] of scan.paths.entries()) {
        const at = gitFolderOf(path);
        if (at === undefined)
            continue;
        if (at === path && scan.kind[number] === snapshot_scan/* FILE */.PW)
            pointers.push(path);
        else if (at === path && scan.kind[number] === snapshot_scan/* FOLDER */.L7)
            inside.set(at, [number]);
        else
            inside.get(at)?.push(number);
    }
    const kept = (number, at) => !isLeft((scan.paths[number] ?? '').slice(at.length + 1), scan.size[number] ?? 0);
    let total = 0;
    for (const [at, numbers] of inside) {
        const rule = git === false ? 'option git: false' : barred(at);
        if (rule !== undefined)
            plan.left.set(at, { rule, remedy: git === false ? 'set git to auto or true' : 'remove that rule' });
        else
            for (const number of numbers)
                if (scan.kind[number] === snapshot_scan/* FILE */.PW && kept(number, at))
                    total += scan.size[number] ?? 0;
    }
    const tooLarge = git === 'auto' && total > AUTO_LIMIT;
    for (const [at, numbers] of inside) {
        if (plan.left.has(at))
            continue;
        if (tooLarge)
            plan.left.set(at, { rule: `more than ${(0,lib_bytes/* formatBytes */.z3)(AUTO_LIMIT)} of Git folders`, remedy: 'set git to true to send it' });
        else
            for (const number of numbers)
                if (kept(number, at))
                    sendPart(folder, scan, number, at, plan);
    }
    for (const at of pointers)
        if (git !== false && barred(at) === undefined)
            sendPointer(folder, at, plan);
    return plan;
}
function sendPart(folder, scan, number, at, plan) {
    const path = scan.paths[number] ?? '';
    if (scan.kind[number] === snapshot_scan/* FILE */.PW) {
        const clean = scrubbed(`${folder}/${at}`, path.slice(at.length + 1));
        if (clean === 'left')
            return;
        if (clean !== undefined)
            plan.overlay.set(path, clean);
        if (path.endsWith('/objects/info/alternates'))
            plan.notices.push(`${(0,snapshot_path/* showPath */.P8)(at)} borrows objects from another repository: Git will not work with it on the machine`);
    }
    plan.sent.add(path);
}
/** A `.git` file names the real folder: useful on the machine only if that one is sent too. */
function sendPointer(folder, at, plan) {
    const [, target] = /^gitdir: (.+?)\n*$/.exec((0,external_node_fs_.readFileSync)((0,snapshot_path/* nativePath */.vb)(`${folder}/${at}`), 'utf8')) ?? [];
    const real = target === undefined || target.startsWith('/') ? undefined : external_node_path_.posix.normalize(external_node_path_.posix.join(external_node_path_.posix.dirname(at), target));
    if (real !== undefined && plan.sent.has(real))
        plan.sent.add(at);
    else
        plan.notices.push(`${(0,snapshot_path/* showPath */.P8)(at)} only points to a Git folder elsewhere and is not sent: there is no repository on the machine`);
}

;// CONCATENATED MODULE: ./build/js/task/workdir/lfs.js
/** Files that are only promises of Git LFS. */




const POINTER = 'version https://git-lfs.github.com/spec/v1\n';
/** Bytes: between the shortest and a generous longest pointer. */
const SHORTEST = 100;
const lfs_LONGEST = 1024;
/** Sent files that hold a pointer in place of content. Looked for only where a `.gitattributes` speaks of LFS. */
function lfsPointers(folder, scan, isSent) {
    const below = scan.paths.filter((path) => path === '.gitattributes' || path.endsWith('/.gitattributes'));
    if (![...below.map((path) => `${folder}/${path}`), ...above(folder)].some((path) => start(path).includes('filter=lfs')))
        return [];
    return scan.paths.filter((path, number) => {
        const size = scan.size[number] ?? 0;
        if (scan.kind[number] !== snapshot_scan/* FILE */.PW || size < SHORTEST || size > lfs_LONGEST || !isSent(path))
            return false;
        return start(`${folder}/${path}`).startsWith(POINTER);
    });
}
/** Attributes that the folder has from the repository around it. */
function above(folder) {
    const parents = [];
    for (let at = (0,external_node_path_.resolve)(folder); (0,external_node_path_.dirname)(at) !== at; at = (0,external_node_path_.dirname)(at))
        parents.push((0,external_node_path_.join)((0,external_node_path_.dirname)(at), '.gitattributes'));
    return parents;
}
function start(path) {
    try {
        return (0,external_node_fs_.readFileSync)((0,snapshot_path/* nativePath */.vb)(path), 'latin1');
    }
    catch {
        return ''; // unreadable: the upload itself names it
    }
}

// EXTERNAL MODULE: ./node_modules/ignore/index.js
var ignore = __webpack_require__(70298);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(31421);
;// CONCATENATED MODULE: ./build/js/task/workdir/git.js
/** What Git says of a folder. Its own program is asked: nobody else reads all its rules. */

/** Variables that would make Git look elsewhere than in the folder. */
const MISLEADING = [
    'GIT_DIR',
    'GIT_WORK_TREE',
    'GIT_INDEX_FILE',
    'GIT_PREFIX',
    'GIT_NAMESPACE',
    'GIT_OBJECT_DIRECTORY',
    'GIT_CEILING_DIRECTORIES',
];
/** The folder was named by its user, so its owner is no matter; and nothing that its configuration names is run. */
const SAFE = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];
/** Runs git in `folder`; `undefined` when there is no such program. */
function git(folder, args, env, input) {
    const clean = { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
    for (const name of MISLEADING)
        Reflect.deleteProperty(clean, name);
    return new Promise((resolve) => {
        const child = (0,external_node_child_process_.spawn)('git', [...SAFE, ...args], { cwd: folder, env: clean, stdio: ['pipe', 'pipe', 'ignore'] });
        const chunks = [];
        child.stdout.on('data', (chunk) => chunks.push(chunk));
        child.on('error', () => resolve(undefined));
        child.on('close', (code) => resolve({ code: code ?? 1, out: Buffer.concat(chunks) }));
        child.stdin.on('error', () => undefined); // it ended before it had read everything: its exit code says why
        child.stdin.end(input);
    });
}
/** NUL-separated names. */
function git_names(out) {
    const found = [];
    for (let from = 0; from < out.length;) {
        const end = out.indexOf(0, from);
        found.push(out.subarray(from, end < 0 ? out.length : end));
        from = end < 0 ? out.length : end + 1;
    }
    return found;
}

;// CONCATENATED MODULE: ./build/js/task/workdir/rules.js
/** Who decides which paths go up: each judge names, for a path, the rule that leaves it here. */





/** Rules of files called `name` in any folder, each for what is below it; `extra`: rules of the top. */
function readRules(folder, scan, name, extra = '') {
    const left = new Map();
    const rules = new Map();
    const present = new Set(scan.paths.filter((path) => path === name || path.endsWith(`/${name}`)));
    const read = (at) => {
        const file = at === '' ? name : `${at}/${name}`;
        const text = (at === '' ? `${extra}\n` : '') + (present.has(file) ? (0,external_node_fs_.readFileSync)((0,snapshot_path/* nativePath */.vb)(`${folder}/${file}`), 'utf8') : '');
        if (text.trim() !== '')
            rules.set(at, ignore({ ignorecase: false }).add(text));
    };
    read('');
    for (const [number, path] of scan.paths.entries()) {
        const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
        const isFolder = scan.kind[number] === snapshot_scan/* FOLDER */.L7;
        const rule = left.get(parent) ?? ruleFor(rules, path, isFolder, name);
        if (rule !== undefined)
            left.set(path, rule);
        else if (isFolder)
            read(path);
    }
    return { name, left };
}
/** The deepest file with an opinion decides. */
function ruleFor(rules, path, isFolder, name) {
    for (let at = path; at !== '';) {
        at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
        const local = at === '' ? path : path.slice(at.length + 1);
        const verdict = rules.get(at)?.test(isFolder ? `${local}/` : local);
        if (verdict?.unignored === true)
            return undefined;
        if (verdict?.ignored === true)
            return `${at === '' ? name : `${at}/${name}`}: ${verdict.rule?.pattern ?? ''}`;
    }
    return undefined;
}
/** Git's own view; `undefined` where there is no Git, no repository, or the whole folder is ignored by a repository around it. */
async function askGit(folder, scan, env) {
    const inside = await git(folder, ['rev-parse', '--is-inside-work-tree'], env);
    if (inside?.code !== 0 || inside.out.toString().trim() !== 'true')
        return undefined;
    if ((await git(folder, ['check-ignore', '-q', '.'], env))?.code === 0)
        return undefined;
    const wanted = await listed(folder, env);
    if (wanted === undefined)
        return undefined;
    const left = new Map();
    const full = new Set();
    for (const path of wanted)
        for (let at = rules_parent(path); at !== '' && !full.has(at); at = rules_parent(at))
            full.add(at);
    const idle = [];
    for (const [number, path] of scan.paths.entries()) {
        if (isGitPath(path))
            continue;
        if (scan.kind[number] !== snapshot_scan/* FOLDER */.L7) {
            if (!wanted.has(path))
                left.set(path, '');
        }
        else if (!full.has(path))
            idle.push(path);
    }
    for (const path of await ignoredOf(folder, idle, env))
        left.set(path, '');
    return { name: 'Git', left };
}
const rules_parent = (path) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const isGitPath = (path) => path === '.git' || path.startsWith('.git/') || path.includes('/.git/') || path.endsWith('/.git');
/** Tracked files and those that no rule names, of repositories inside this one too. */
async function listed(folder, env, prefix = '') {
    const at = prefix === '' ? folder : `${folder}/${prefix}`;
    const answer = await git(at, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], env);
    if (answer?.code !== 0)
        return undefined;
    const staged = await git(at, ['ls-files', '-z', '--stage'], env);
    const modules = git_names(staged?.out ?? Buffer.alloc(0)).flatMap((line) => line.toString('latin1').startsWith('160000 ') ? [(0,snapshot_path/* decodeName */.e4)(line).split('\t')[1] ?? ''] : []);
    const paths = new Set();
    const inner = new Set(modules);
    for (const name of git_names(answer.out)) {
        const path = (0,snapshot_path/* decodeName */.e4)(name);
        if (path.endsWith('/'))
            inner.add(path.slice(0, -1));
        else
            paths.add(prefix + path);
    }
    for (const path of inner) {
        // A submodule that was not checked out is an empty folder: Git would speak of the repository around it.
        if (!(0,external_node_fs_.existsSync)((0,snapshot_path/* nativePath */.vb)(`${at}/${path}/.git`)))
            continue;
        for (const found of (await listed(folder, env, `${prefix}${path}/`)) ?? [])
            paths.add(found);
    }
    return paths;
}
async function ignoredOf(folder, paths, env) {
    if (paths.length === 0)
        return [];
    const input = Buffer.concat(paths.flatMap((path) => [Buffer.from((0,snapshot_path/* nativePath */.vb)(path)), Buffer.from('/\0')]));
    const answer = await git(folder, ['check-ignore', '-z', '--stdin'], env, input);
    return git_names(answer?.out ?? Buffer.alloc(0)).map((name) => (0,snapshot_path/* decodeName */.e4)(name).replace(/\/$/, ''));
}
/** The rule that Git follows for a path, as `<file>: <pattern>`. */
async function gitRule(folder, path, env) {
    const answer = await git(folder, ['check-ignore', '-v', '-z', '--no-index', '--stdin'], env, Buffer.concat([Buffer.from((0,snapshot_path/* nativePath */.vb)(path)), Buffer.of(0)]));
    const [source, , pattern] = git_names(answer?.out ?? Buffer.alloc(0)).map((field) => field.toString('utf8'));
    return source === undefined || source === '' ? 'not known to Git' : `${source}: ${pattern}`;
}

;// CONCATENATED MODULE: ./build/js/task/workdir/select.js
/** What goes up first. Rules shape only this upload, never checkpoints or outputs. */












const OWN_RULES = '.tpiignore';
/**
 * `.tpiignore`, if the folder has one, decides alone (it and those in folders below, in the syntax of `.gitignore`); else Git itself is
 * asked, or where there is no Git or no repository, the `.gitignore` files are read as Git would. Throws SnapshotError `no-folder`.
 */
async function selectWorkdir(options) {
    const { folder, env, signal } = options;
    const needsYes = workdirConcern(folder, env);
    if (needsYes !== undefined && options.yes !== true)
        return { select: () => false, paths: [], overlay: new Map(), report: NOTHING, needsYes };
    const scan = await (0,snapshot_scan/* scanTree */.wp)(folder, undefined, signal);
    const judge = await findJudge(folder, scan, env);
    const stays = staysBelow(folder, options.stays ?? new Map());
    const unwanted = (0,glob/* globs */.g)(options.exclude);
    const excluded = (path) => stays(path) !== undefined || unwanted(path);
    const rule = (path) => {
        if (excluded(path))
            return 'option exclude';
        return judge.name === OWN_RULES ? judge.left.get(path) : undefined;
    };
    const git = planGit(folder, scan, { git: options.git, barred: rule });
    const sent = choose(scan, judge, { git, excluded, always: alwaysSent(options, scan, judge) });
    const report = await makeReport(options, scan, { judge, sent, git, excluded, stays });
    (0,snapshot_scan/* releaseStats */.hm)(scan);
    // Not the set: that is megabytes for a hundred thousand paths, and is asked in order.
    const paths = scan.paths.filter((path) => sent.has(path));
    return { select: among(paths), paths, overlay: git.overlay, report };
}
async function findJudge(folder, scan, env) {
    if (scan.paths.includes(OWN_RULES))
        return readRules(folder, scan, OWN_RULES);
    return (await askGit(folder, scan, env)) ?? readRules(folder, scan, '.gitignore', localExcludes(folder));
}
function localExcludes(folder) {
    try {
        return (0,external_node_fs_.readFileSync)(`${folder}/.git/info/exclude`, 'utf8');
    }
    catch {
        return ''; // most folders have none
    }
}
function alwaysSent({ folder, output }, scan, judge) {
    const wanted = (0,glob/* globs */.g)(output);
    const outputs = dvcOutputs(folder, scan, (path) => !judge.left.has(path));
    return (path) => {
        if (wanted(path))
            return true;
        for (let at = path; at !== ''; at = (0,snapshot_path/* parentPath */.yl)(at))
            if (outputs.has(at))
                return true;
        return false;
    };
}
/** Files and links that are sent, the folders they lie in, and empty folders that nothing keeps here. */
function choose(scan, judge, { git, excluded, always }) {
    const sent = new Set();
    for (const [number, path] of scan.paths.entries()) {
        const isSent = gitFolderOf(path) === undefined ? !excluded(path) && (!judge.left.has(path) || always(path)) : git.sent.has(path);
        if (!isSent)
            continue;
        if (scan.kind[number] === snapshot_scan/* FOLDER */.L7 && judge.left.has(path))
            continue; // comes along if something in it does
        sent.add(path);
        for (let at = (0,snapshot_path/* parentPath */.yl)(path); at !== '' && !sent.has(at); at = (0,snapshot_path/* parentPath */.yl)(at))
            sent.add(at);
    }
    return sent;
}
async function makeReport(options, scan, judgement) {
    const { sent, git, judge, excluded, stays } = judgement;
    const isSent = (path) => sent.has(path);
    const up = weigh(scan, isSent, (path) => path.split('/', 1)[0] ?? path);
    const here = weigh(scan, (path) => !sent.has(path) && select_isOwn(path, git), (path) => topmostLeft(path, sent));
    const leftOut = [];
    for (const weight of here.largest)
        leftOut.push({ ...weight, ...(await reason(options, weight.path, judgement)) });
    const pointers = lfsPointers(options.folder, scan, isSent);
    const warnings = pointers.length === 0 ? [] : [lfsWarning(pointers)];
    const special = scan.special.filter((path) => gitFolderOf(path) === undefined && !excluded(path));
    const own = scan.paths.filter((path) => stays(path) !== undefined && stays((0,snapshot_path/* parentPath */.yl)(path)) === undefined);
    const notices = [
        ...git.notices,
        ...own.map((path) => `${(0,snapshot_path/* showPath */.P8)(path)} stays here: ${stays(path) ?? ''}`),
        ...(special.length > 0 ? [`not sent because they are sockets, pipes, devices or views of the kernel: ${(0,snapshot_path/* nameSome */.Kf)(special)}`] : []),
        ...(judge.name === '.gitignore' && scan.paths.includes('.git') ? ['Git could not be run: .gitignore was read instead'] : []),
    ];
    return { files: up.total.files, bytes: up.total.bytes, largest: up.largest, leftOut, notices, warnings };
}
/** Scrubbed-away parts of a Git folder are no news to anybody. */
function select_isOwn(path, git) {
    const at = gitFolderOf(path);
    return at === undefined || git.left.has(at);
}
function topmostLeft(path, sent) {
    let top = path;
    for (let at = (0,snapshot_path/* parentPath */.yl)(path); at !== '' && !sent.has(at); at = (0,snapshot_path/* parentPath */.yl)(at))
        top = at;
    return top;
}
async function reason({ folder, env }, path, { judge, git, excluded, stays }) {
    const own = stays(path);
    if (own !== undefined)
        return { rule: own, remedy: 'it is never uploaded' };
    const left = git.left.get(gitFolderOf(path) ?? '');
    if (left !== undefined)
        return left;
    if (excluded(path))
        return { rule: 'option exclude', remedy: 'take it out of exclude to send it' };
    if (judge.name !== 'Git')
        return {
            rule: judge.left.get(path) ?? judge.name,
            remedy: `remove that line${judge.name === OWN_RULES ? '' : ', or write a .tpiignore'} to send it`,
        };
    return { rule: await gitRule(folder, path, env), remedy: 'write a .tpiignore, which replaces .gitignore here, to send it' };
}
function lfsWarning(pointers) {
    const what = pointers.length === 1 ? 'is a Git LFS pointer' : 'are Git LFS pointers';
    return `${(0,lib_text/* plural */.LS)(pointers.length, 'file')} ${what} without the content, like ${(0,snapshot_path/* showPath */.P8)(pointers[0] ?? '')}: run "git lfs pull" first`;
}
/** `paths` in the order of `comparePaths`. At its best for who asks in that order too, as a scan does, again and again. */
function among(paths) {
    let next = 0;
    return (path) => {
        if (paths[next] !== path)
            next = firstFrom(paths, path);
        if (paths[next] !== path)
            return false;
        next += 1;
        return true;
    };
}
/** Number of the first that does not come before it. */
function firstFrom(paths, path) {
    let [from, to] = [0, paths.length];
    while (from < to) {
        const middle = (from + to) >>> 1;
        if ((0,snapshot_path/* comparePaths */.cD)(paths[middle] ?? '', path) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

;// CONCATENATED MODULE: ./build/js/verbs/shared/repository-here.js
/** What the repository says that a work directory belongs to. */



/** Where a deployment comes from: in CI as that says, elsewhere as the repository does that the folder belongs to. */
async function originHere({ owner, env }, folder) {
    const { origin } = owner;
    if (folder === undefined || origin.run !== undefined)
        return origin;
    const ask = async (...words) => {
        const answer = await git(folder, words, env);
        return answer?.code === 0 ? answer.out.toString().trim() || undefined : undefined;
    };
    const [commit, ref, remote] = await Promise.all([
        ask('rev-parse', '--verify', '-q', 'HEAD'),
        ask('symbolic-ref', '-q', 'HEAD'),
        ask('config', '--get', 'remote.origin.url'),
    ]);
    if (commit === undefined)
        return origin;
    const repository = remote === undefined ? undefined : repository_here_repositoryOf(remote);
    return { ...origin, commit, ...(ref === undefined ? {} : { ref }), ...(repository === undefined ? {} : { repository }) };
}
/** `host/owner/name`, as in CI, without anything secret that the address may hold; `undefined` for a folder. */
function repository_here_repositoryOf(remote) {
    const address = URL.canParse(remote) && remote.includes('://') ? new URL(remote) : undefined;
    const [, host, path] = address ? ['', address.host, address.pathname] : (/^(?:[^/@\s]+@)?([\w.-]+):(?!\/\/)(\S+)$/.exec(remote) ?? []);
    if (!host || !path || address?.protocol === 'file:')
        return undefined;
    return `${host}/${path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')}`;
}
/** For who uploads a folder of a repository and may miss the repository there; `undefined` for all others. */
async function withoutRepository({ env }, folder) {
    const answer = await git(folder, ['rev-parse', '--show-toplevel'], env);
    if (answer?.code !== 0)
        return undefined;
    const top = answer.out.toString().trim();
    const here = resolved(folder);
    const inside = (0,external_node_path_.relative)(top, here);
    if (inside === '' || inside.startsWith('..'))
        return undefined;
    const [up, down] = [(0,external_node_path_.relative)(here, top), inside].map((path) => JSON.stringify(path));
    return `.git is not uploaded: this is the folder ${down} of a repository; set "workdir" to ${up} and "working-directory" to ${down} to upload all of it`;
}

;// CONCATENATED MODULE: ./build/js/verbs/task/upload.js
/** The first upload of a work directory, planned and told before anything is created. */













/** What goes up where nobody named a work directory, in bytes. */
const MOST_UNASKED = 500e6;
async function uploadPlan(context, wish, store) {
    const { workdir: folder } = wish;
    if (folder === undefined)
        return nothing(context);
    await needFolder(folder);
    const { output, exclude, git, yes } = wish;
    const { env, interrupts } = context;
    const stays = ownPlaces(context, store);
    const chosen = await selectWorkdir({ folder, output, exclude, git, stays, env, yes, signal: interrupts.first });
    if (chosen.needsYes !== undefined)
        throw new errors/* InputError */.dz(`workdir: ${chosen.needsYes}`, { hint: 'if you mean it, give --yes' });
    const { report } = chosen;
    const unasked = context.values.workdir === undefined;
    if (unasked && report.bytes > MOST_UNASKED)
        throw tooMuch(folder, report);
    for (const line of [...reportLines(report), ...report.notices])
        context.host.info(line);
    if (unasked && report.files > 0)
        context.host.info('  this is the current folder; set "workdir" to another one, or to "none"');
    if (git !== false && !chosen.paths.includes('.git')) {
        const hint = await withoutRepository(context, folder);
        if (hint !== undefined)
            context.host.info(`  ${hint}`);
    }
    for (const warning of report.warnings)
        context.host.warn(warning);
    return {
        folder,
        size: { files: report.files, bytes: report.bytes },
        select: chosen.select,
        paths: chosen.paths,
        overlay: chosen.overlay,
        describe: async () => describeTree({ folder, select: chosen.select, overlay: chosen.overlay }, context.interrupts.first),
        identity: async (manifest) => (manifest ? contentIdentity(manifest) : contentFingerprint(folder, chosen, context.interrupts.first)),
    };
}
/** Whoever did not ask for that should know why. */
function nothing({ host, values, cwd, env }) {
    const concern = values.workdir === undefined ? workdirConcern(cwd, env) : undefined;
    if (concern !== undefined)
        host.info(`nothing is uploaded: ${concern}; set "workdir" to upload another folder`);
}
/**
 * Logins leave files of credentials wherever they like, some in the very folder that was checked out. And what this command writes there
 * itself must not make the same command another one.
 */
function ownPlaces({ cwd, engine, env, values }, store) {
    const storage = (0,registry/* storeFolder */.IS)(store.url);
    const named = Object.entries(env).flatMap(([name, value]) => (value && (0,environment/* holdsCredential */.K)(name) ? [[name, value]] : []));
    return new Map([
        ...(storage === undefined ? [] : [[storage, 'the storage of runs']]),
        [engine.home, 'TPI_HOME, where runs are kept'],
        ...[values['outputs-file'], values.report].flatMap((path) => (path ? [[(0,external_node_path_.resolve)(cwd, path), 'this command writes it']] : [])),
        ...values['secrets-file'].map((path) => [(0,external_node_path_.resolve)(cwd, path), 'it holds secrets, and the script gets them without it']),
        ...named.flatMap(([name, value]) => value.split(external_node_path_.delimiter).flatMap((path) => (path ? [[(0,external_node_path_.resolve)(cwd, path), `a credential, named by ${name}`]] : []))),
    ]);
}
function tooMuch(folder, { files, bytes }) {
    return new errors/* InputError */.dz(`workdir: not given, and "${folder}" would send ${(0,lib_bytes/* formatBytes */.z3)(bytes)} in ${(0,lib_text/* plural */.LS)(files, 'file')}`, {
        hint: `"workdir: ." sends it, "workdir: none" sends nothing; without it, at most ${(0,lib_bytes/* formatBytes */.z3)(MOST_UNASKED)} go`,
    });
}
async function needFolder(folder) {
    const there = await (0,promises_.stat)(folder).catch((error) => error);
    const trouble = there instanceof Error
        ? there.code === 'ENOENT'
            ? 'does not exist'
            : `cannot be read (${there.code ?? there.message})`
        : there.isDirectory()
            ? undefined
            : 'is not a folder';
    if (trouble)
        throw new errors/* InputError */.dz(`workdir: "${folder}" ${trouble}`, { hint: 'give the folder to upload' });
}

// EXTERNAL MODULE: ./build/js/engine/deliver/install.js + 2 modules
var install = __webpack_require__(75023);
// EXTERNAL MODULE: ./build/js/engine/deliver/ledger.js
var ledger = __webpack_require__(33386);
// EXTERNAL MODULE: ./build/js/engine/deliver/staging.js + 5 modules
var staging = __webpack_require__(52229);
;// CONCATENATED MODULE: ./build/js/engine/deliver/without-deliveries.js
/** Results lie in the work directory they came from: what we put there ourselves is no change of it. */








/**
 * The work directory as it would be without what deliveries of this deployment left in it, also one that was cut off in the middle: files
 * that hold what the note says, or what a slot's head holds, are as they were uploaded.
 */
async function withoutDeliveries(engine, d, spec, slots, now) {
    const base = spec.base === undefined ? undefined : await (0,snapshot_manifest/* readManifest */.WI)(d.store, d.keys.root, { digest: spec.base, at: layout/* BASE */.Wm });
    const before = new Map(Array.from(base?.entries ?? [], (entry) => [entry.path, entry]));
    const ours = new Set(Object.entries(await (0,ledger/* readNote */.V)((0,collect/* notePath */.ur)(engine, d))).map(([path, identity]) => `${path}\n${identity}`));
    for (const { index, head } of slots.filter(wire_slot/* hasSaved */.ce)) {
        for (const entry of (await (0,snapshot_manifest/* readManifest */.WI)(d.store, d.keys.root, head)).entries) {
            for (const path of [entry.path, `${index}/${entry.path}`])
                for (const beside of ['', '~'])
                    ours.add(`${path}${beside}\n${(0,install/* identityOf */.c)(entry)}`);
        }
    }
    // Whatever the folder was that they were brought to (`--to`, `output-dir`).
    const places = (path) => (before.has(path) ? [path] : [path, ...without_deliveries_tails(path)]);
    const isOurs = (entry) => entry.path.startsWith(staging/* INCOMING */.BG) ||
        (entry.type !== 'folder' && places(entry.path).some((path) => ours.has(`${path}\n${(0,install/* identityOf */.c)(entry)}`)));
    const kept = [...now.entries].flatMap((entry) => isOurs(entry) ? [before.get(entry.path)].filter((former) => former !== undefined) : [entry]);
    // A folder that only deliveries needed is theirs too.
    const needed = new Set(kept.flatMap(({ type, path }) => (type === 'folder' ? [] : ancestors(path))));
    const entries = kept.filter((entry) => entry.type !== 'folder' || before.has(entry.path) || needed.has(entry.path));
    return { ...now, entries: entries.sort((a, b) => (0,snapshot_path/* comparePaths */.cD)(a.path, b.path)) };
}
/** `a/b/c` → `b/c`, `c` */
function without_deliveries_tails(path) {
    const parts = path.split('/');
    return parts.slice(1).map((_, depth) => parts.slice(depth + 1).join('/'));
}
/** `a/b/c` → `a`, `a/b` */
function ancestors(path) {
    const parts = path.split('/');
    return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join('/'));
}

;// CONCATENATED MODULE: ./build/js/task/meet.js
/** What to do when a deployment of this name is already there: the rules of attach, deliver, replace and start again. Pure. */



function meet(there, comer) {
    const { spec } = there;
    const { origin } = comer;
    const sameRun = origin.run !== undefined && origin.run === spec.origin.run;
    if (sameRun && origin.step !== spec.origin.step)
        throw new errors/* InputError */.dz(`name: "${spec.name}" is already used by another step or matrix leg of this run`, {
            hint: 'give each its own name, for example name: fit-${{ matrix.leg }}, or none at all',
        });
    const over = there.slots.every((slot) => (0,wire_slot/* isTerminal */.Hd)(slot.state));
    const failed = over && there.slots.some((slot) => slot.state !== 'succeeded');
    if (comer.resume && failed)
        return 'resume';
    if (comer.ifExists === 'replace')
        return 'replace';
    if (over && there.collected)
        return 'anew';
    if (sameRun && origin.attempt !== undefined && origin.attempt === spec.origin.attempt && comer.ifExists === undefined)
        throw twins(spec);
    const different = differences(spec.fingerprint, comer.fingerprint);
    if (comer.ifExists === 'fail')
        throw exists(spec, over, 'if-exists is "fail"');
    if (comer.ifExists === 'attach' || different.length === 0)
        return 'attach';
    // Whoever edits while a run goes on wants to see that run. A CI job of another commit wants its own.
    if (!over && isEditedOnly(different) && (origin.run === undefined || sameRun))
        return 'attach';
    throw exists(spec, over, `it differs in: ${different.join(', ')}`);
}
/** Nothing differs but the files of the work directory. */
const isEditedOnly = (different) => different.length === 1 && different[0] === 'workdir';
/** A re-run has another number: this is another job, at the same time, that looks like ours. */
function twins({ name }) {
    return new errors/* InputError */.dz(`name: "${name}" is already used by another job of this run that looks the same, such as a second call of one reusable workflow`, {
        hint: 'give each its own name, or if-exists: attach where they are to share one deployment',
    });
}
function exists(spec, over, why) {
    const what = over ? 'has ended and was not collected' : 'is still running';
    return new errors/* InputError */.dz(`name: "${spec.name}" (${spec.id}) has existed since ${spec.createdAt} and ${what}; ${why}`, {
        hint: 'use another name, or if-exists: attach to follow it as it is, or replace to stop it, save what is there and start again',
    });
}

;// CONCATENATED MODULE: ./build/js/task/laid-over.js
/** What was edited here since the last upload, laid over the snapshot that a run goes on from: new code on old checkpoints. Pure. */


/**
 * `before`: what was uploaded for the snapshot; `here`: the work directory now, without what deliveries left in it. What is not here any more
 * stays as the snapshot has it: nothing is removed there because it is missing here.
 */
function layOver(snapshot, before, here) {
    const [then, was, now] = [treeOf(snapshot), treeOf(before), treeOf(here)];
    const entries = new Map(then);
    const edited = [];
    const both = new Map();
    for (const unit of gitsOf(then, now)) {
        if (!differs(unit, now, was))
            continue;
        edited.push(unit);
        for (const path of then.keys())
            if (isIn(unit, path))
                entries.delete(path);
        for (const [path, entry] of now)
            if (isIn(unit, path))
                entries.set(path, entry);
    }
    for (const [path, entry] of now) {
        if (gitOf(path) !== undefined || laid_over_isSame(entry, was.get(path)))
            continue;
        const theirs = then.get(path);
        if (entry.type !== 'folder' && !laid_over_isSame(entry, theirs))
            edited.push(path);
        entries.set(path, entry);
        if (theirs === undefined || theirs.type === 'folder' || entry.type === 'folder')
            continue;
        if (laid_over_isSame(theirs, was.get(path)) || (0,install/* identityOf */.c)(theirs) === (0,install/* identityOf */.c)(entry))
            continue;
        const beside = freeName(path, then, now);
        entries.set(beside, laid_over_named(theirs, beside));
        both.set(path, beside);
    }
    return { entries: whole(entries, now), edited: edited.sort(snapshot_path/* comparePaths */.cD), both };
}
function treeOf(entries) {
    return new Map(Array.from(entries, (entry) => [entry.path, entry]));
}
function laid_over_isSame(one, other) {
    return (other !== undefined &&
        one.type === other.type &&
        (0,install/* identityOf */.c)(one) === (0,install/* identityOf */.c)(other) &&
        (one.type === 'link' || one.mode === other.mode));
}
const GIT = /^(?:.*\/)?\.git(?=\/|$)/;
/** The folder of Git that a path lies in: half of one and half of another is none. */
const gitOf = (path) => GIT.exec(path)?.[0];
const isIn = (unit, path) => path === unit || path.startsWith(`${unit}/`);
function gitsOf(...trees) {
    return new Set(trees.flatMap((tree) => [...tree.keys()].flatMap((path) => gitOf(path) ?? [])));
}
/** Looking at it (`git status`) writes the index, which says nothing that the files do not. */
function differs(unit, now, was) {
    const paths = [...now.keys()].filter((path) => isIn(unit, path) && path !== `${unit}/index`);
    return paths.some((path) => {
        const entry = now.get(path);
        return entry !== undefined && entry.type !== 'folder' && !laid_over_isSame(entry, was.get(path));
    });
}
/** Entries of a manifest are no plain objects. */
function laid_over_named(entry, path) {
    const { mode, mtime } = entry;
    if (entry.type === 'link')
        return { type: 'link', path, mode, mtime, target: entry.target };
    return { type: 'file', path, mode, mtime, size: entry.size, hash: entry.hash, pieces: entry.pieces };
}
function freeName(path, ...trees) {
    for (let number = 1;; number++) {
        const name = `${path}~${number === 1 ? '' : number}`;
        if (trees.every((tree) => !tree.has(name)))
            return name;
    }
}
/** Nothing lies in what is a file now, and every folder is there that something lies in. */
function whole(entries, here) {
    const all = new Map(entries);
    for (const path of entries.keys())
        for (const folder of foldersOf(path)) {
            const there = all.get(folder) ?? here.get(folder);
            if (there?.type === 'folder')
                all.set(folder, there);
            else if (there)
                all.delete(path);
        }
    return [...all.values()].sort((a, b) => (0,snapshot_path/* comparePaths */.cD)(a.path, b.path));
}
/** `a/b/c` → `a`, `a/b` */
function foldersOf(path) {
    const parts = path.split('/');
    return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join('/'));
}

;// CONCATENATED MODULE: ./build/js/task/resume.js
/** Starting from what a failed or stopped run left: its last snapshots become the heads of a new incarnation, under what was edited here since. */







/** Objects copied at a time. */
const PARALLEL = 8;
function seedFrom(engine, old, spec, slots) {
    const before = async () => spec.base === undefined ? [] : (await (0,snapshot_manifest/* readManifest */.WI)(old.store, old.keys.root, { digest: spec.base, at: layout/* BASE */.Wm })).entries;
    const saved = slots.flatMap((slot) => {
        const ref = refOf(slot);
        return ref ? [{ slot, ref }] : [];
    });
    return {
        async tell(here) {
            const { host } = engine;
            for (const { slot, ref } of saved)
                if (slot.state !== 'succeeded')
                    host.info(`${old.name}: slot ${slot.index} goes on from its snapshot of ${ref.savedAt}`);
            if (!here)
                return;
            const edits = { was: await before(), now: (await withoutDeliveries(engine, old, spec, slots, here)).entries };
            const laid = await Promise.all(saved.map(async ({ ref }) => layOver((await (0,snapshot_manifest/* readManifest */.WI)(old.store, old.keys.root, ref)).entries, edits.was, edits.now)));
            tellEdits(engine, laid);
        },
        async plant(d, base) {
            const starts = new Map();
            const here = base && (await withoutDeliveries(engine, old, spec, slots, await (0,snapshot_manifest/* readManifest */.WI)(d.store, d.keys.root, base))).entries;
            const was = await before();
            for (const { slot, ref } of saved) {
                const from = await (0,snapshot_manifest/* readManifest */.WI)(old.store, old.keys.root, ref);
                const head = here ? await plantOver(old, d, ref, from, layOver(from.entries, was, here)) : await plantAsItIs(old, d, ref, from);
                starts.set(slot.index, startOf(slot, { ...head, epoch: 0 }));
            }
            for (const slot of slots)
                if (slot.state === 'succeeded' && !starts.has(slot.index))
                    starts.set(slot.index, startOf(slot, base));
            return starts;
        },
    };
}
/** The results of a slot that has succeeded; of others the last that was read from a quiet tree. `undefined`: it had saved nothing. */
function refOf(slot) {
    if (!(0,wire_slot/* hasSaved */.ce)(slot))
        return undefined;
    return slot.state === 'succeeded' ? slot.head : (slot.lastQuiet ?? slot.head);
}
function tellEdits({ host }, laid) {
    const edited = [...new Set(laid.flatMap((one) => one.edited))];
    if (edited.length > 0)
        host.info(`changed here since the last upload, and used as it is here: ${(0,snapshot_path/* nameSome */.Kf)(edited)}; everything else comes from the snapshot`);
    const both = new Map(laid.flatMap((one) => [...one.both]));
    for (const [path, beside] of both)
        host.warn(`${path} was changed here and by the run: the local version is used, the run's lies beside it as ${beside}`);
}
/** A slot that had succeeded stays succeeded; the others go on from where they were. */
function startOf(slot, head) {
    const start = head ? { head } : {};
    if (slot.state !== 'succeeded')
        return start;
    return {
        ...start,
        state: 'succeeded',
        cause: 'exit',
        reason: 'succeeded in the run this one resumes',
        exitCode: 0,
        ...(slot.outputs ? { outputs: slot.outputs } : {}),
        ...(slot.summary === undefined ? {} : { summary: slot.summary }),
    };
}
/** Keys are relative to the incarnation, so a snapshot is copied by copying its objects. */
async function plantAsItIs(from, to, ref, manifest) {
    await copyObjects(from, to, [...(0,snapshot_manifest/* objectKeys */.uv)(manifest), (0,snapshot_manifest/* manifestKey */.Rn)(ref)]);
    return ref;
}
/** What was uploaded for the new incarnation lies there already; the rest is copied, under a manifest of its own. */
async function plantOver(from, to, ref, old, { entries }) {
    const manifest = { ...old, entries };
    const theirs = (0,snapshot_manifest/* objectKeys */.uv)(old);
    await copyObjects(from, to, [...(0,snapshot_manifest/* objectKeys */.uv)(manifest)].filter((key) => theirs.has(key)));
    const { bytes, digest } = await (0,snapshot_manifest/* encodeManifest */.Gb)(manifest);
    const head = { ...ref, digest, ...sizeOf(entries) };
    await to.store.write(to.keys.root + (0,snapshot_manifest/* manifestKey */.Rn)(head), bytes);
    return head;
}
function sizeOf(entries) {
    const files = entries.flatMap((entry) => (entry.type === 'file' ? [entry.size] : []));
    return { files: files.length, bytes: files.reduce((sum, size) => sum + size, 0) };
}
async function copyObjects(from, to, keys) {
    const next = keys[Symbol.iterator]();
    const copy = async () => {
        for (let item = next.next(); !item.done; item = next.next()) {
            const object = await from.store.read(from.keys.root + item.value);
            if (!object)
                throw new snapshot_errors/* SnapshotError */.JC('lost', `the snapshot to resume from is incomplete: ${item.value} is missing`);
            await to.store.write(to.keys.root + item.value, object.bytes);
        }
    };
    await Promise.all(Array.from({ length: PARALLEL }, copy));
}

;// CONCATENATED MODULE: ./build/js/task/secrets.js
/** Secrets and tokens are never compared, but an attach brings fresh ones. */


/** All of those that the machines need, or none: an attempt that lacks one cannot start. */
async function refreshSecrets({ host }, { name, store, keys }, { secretNames }, values) {
    if (secretNames.length === 0)
        return;
    const there = await store.read(keys.secrets);
    // They go with the last open slot.
    if (!there)
        return;
    const missing = secretNames.filter((secret) => !Object.hasOwn(values, secret));
    if (missing.length > 0) {
        host.info(`${name}: its secrets stay as they are: this command has no value for ${missing.join(', ')}`);
        return;
    }
    const env = Object.fromEntries(secretNames.map((secret) => [secret, values[secret] ?? '']));
    try {
        await store.write(keys.secrets, Buffer.from(JSON.stringify({ v: parse/* VERSION */.xv, env })), { version: there.version });
    }
    catch (error) {
        // Removed meanwhile, with the last open slot, or refreshed by somebody else: either is as well.
        if (!(0,wire_store/* isStoreError */.A1)(error, 'conflict') && !(0,wire_store/* isStoreError */.A1)(error, 'gone'))
            throw error;
    }
}

;// CONCATENATED MODULE: ./build/js/task/begin.js


















/** Finds or makes the deployment this command means. */
async function begin_begin(engine, place, parts) {
    return (0,silence/* untilOurs */.MT)(place.name, async () => {
        parts.signal.throwIfAborted();
        const current = await (0,silence/* currentOf */.$c)(place);
        if (!current)
            return make(engine, place, parts, undefined, undefined);
        const d = (0,deployment/* deploymentOf */.PE)({ ...place, incarnation: current.value.incarnation });
        if (current.value.state === 'open')
            return encounter(engine, d, parts, current);
        const judged = await (0,silence/* abandoned */.R$)(engine, d, current, parts.wish.lease.ttl);
        if (judged)
            await (0,destroy/* destroy */.zr)(engine, d, { why: 'rollback', judged });
        return undefined;
    });
}
/** `undefined`: look again. */
async function encounter(engine, d, parts, judged) {
    const { wish } = parts;
    const found = await (0,deployment/* readSpec */.Ot)(d);
    if (!found) {
        await (0,destroy/* destroy */.zr)(engine, d);
        return undefined;
    }
    const spec = (0,deployment/* taskOnly */.uL)(found);
    // An open slot whose machines are gone is over: close it before judging.
    const slots = await (0,follow_close/* closeLost */.bB)(engine, d, spec, parts.signal);
    const records = slots.map((slot) => slot.record);
    const here = await fingerprintHere(engine, d, spec, records, parts);
    const collected = (await (0,deployment/* readCollected */.qu)(d)) !== undefined;
    const meeting = meet({ spec, slots: records, collected }, { fingerprint: here, origin: parts.origin, ifExists: wish.ifExists, resume: wish.resume });
    if (meeting === 'attach') {
        const open = records.some(({ state }) => !(0,wire_slot/* isTerminal */.Hd)(state));
        if (open && differences(spec.fingerprint, here).includes('workdir'))
            engine.host.warn(edited(d, wish));
        return attach(engine, d, spec, wish);
    }
    const seed = meeting === 'resume' ? seedFrom(engine, d, spec, records) : undefined;
    await seed?.tell(await parts.upload?.describe());
    return supersede(engine, d, spec, meeting, parts, { seed, judged });
}
function edited({ name }, { workdir }) {
    const what = workdir === undefined ? 'this command sends no work directory' : `"${workdir}" has changed since its upload`;
    return `${name}: ${what}; the run continues with the files as they were then. To start over with the current ones: if-exists: replace, or another name`;
}
/** What this command means, in the words of the deployment that is there. */
async function fingerprintHere(engine, d, spec, slots, { wish, upload }) {
    const here = fingerprint(d.id, { ...wish_comparable(wish), workdir: await upload?.identity() });
    if (!upload || !differences(spec.fingerprint, here).includes('workdir'))
        return here;
    const workdir = await upload.identity(await withoutDeliveries(engine, d, spec, slots, await upload.describe()));
    return fingerprint(d.id, { ...wish_comparable(wish), workdir });
}
async function attach(engine, d, spec, wish) {
    await refreshSecrets(engine, d, spec, wish.secrets);
    engine.host.annotate('notice', `attached to ${d.name}, which has been running since ${spec.createdAt}${spec.origin.commit ? ` on commit ${spec.origin.commit.slice(0, 10)}` : ''}`);
    return { d, spec, attached: true };
}
/** Ends the former incarnation (saving what was there) and makes the next one, in whose favour it goes once that is there. */
async function supersede(engine, d, spec, meeting, parts, { seed, judged }) {
    if (meeting === 'replace')
        await replaceOld(engine, d, spec, parts);
    parts.signal.throwIfAborted();
    const made = await make(engine, d, parts, seed, judged);
    // The new one runs, whatever is left of the former one.
    if (made)
        await (0,destroy/* clearFormer */.P)(engine, made.d).catch((error) => engine.host.warn(`${d.name}: what its previous run has left (${d.incarnation}) was not removed: ${(0,errors/* describeError */.Uc)(error)}; tpi sweep --yes does it`));
    return made;
}
async function replaceOld(engine, d, spec, { wish, here, signal }) {
    engine.host.info(`replacing ${d.name}: stopping what runs there`);
    await (0,deployment/* wishStop */.q3)(d, { at: engine.clock.date().toISOString(), by: 'replace' });
    const slots = await (0,follow/* follow */.e)(engine, d, spec, follow/* SILENT */.q, { signal });
    // It may still be saving: its wish to stop is on record, so that it ends by itself and keeps what it has.
    signal.throwIfAborted();
    // Where it was started here, as that command said; else as this one does.
    const known = await (0,destination/* readReceipt */.b8)(engine, d);
    const to = known?.folder === undefined ? (wish.outputDir ?? wish.workdir) : undefined;
    const saved = await (0,collect/* deliver */.cK)(engine, d, spec, { to, here, workdir: wish.workdir });
    await (0,collect/* markCollected */.Dk)(engine, d, slots, saved.folder);
    await (0,engine_history/* remember */.kY)(engine.home, await (0,finish/* readStatus */.r)(d, spec));
    if (saved.files.length > 0)
        engine.host.info(`saved ${saved.files.length} files of the previous run to ${saved.folder}`);
}
async function make(engine, place, parts, seed, former) {
    const { wish, origin, storeAccess, agent, upload, signal } = parts;
    if (!former && wish.resume && !seed)
        engine.host.info('nothing to resume: starting from the beginning');
    const made = await task_create_create(engine, place, { wish, origin, storeAccess, agent, upload, seed, former, signal });
    return made && { ...made, attached: false };
}

;// CONCATENATED MODULE: ./build/js/verbs/task/leave.js
/** Leaving a run that goes on: on purpose, because the wait is over, or because somebody interrupted us. */











/** Milliseconds in which a second Ctrl-C stops the run. */
const SECOND_CHANCE = 5000;
/** Seconds the program gets when a CI job is cancelled: its host kills us about 10 s later. */
const CANCEL_GRACE = 5;
/** Milliseconds that we watch a cancelled run end by itself before compute goes to 0. */
const CANCEL_WATCH = 7000;
/** `want`: what it was waiting for, where no machine was there yet. */
async function leave(context, begun, why, want) {
    const code = await (why === 'interrupted' ? interrupted(context, begun) : leave_goOn(context, begun, why, want));
    context.host.info((0,closing/* lastLine */.fM)(code === errors/* EXIT */.dc.stopped || code === errors/* EXIT */.dc.terminated ? 'stopped' : 'running', code));
    return code;
}
async function interrupted(context, begun) {
    return isPersonal(context) ? detachOrStop(context, begun) : cancelled(context, begun);
}
async function leave_goOn(context, begun, why, want) {
    const { values, host, interrupts } = context;
    const still = want === undefined ? 'still runs' : `still has no machine (${want})`;
    const message = why === 'asked' ? `${begun.d.name} runs on its own now` : `${begun.d.name} ${still}, and the wait is over`;
    host.info(`${message}\n${leave_comeBack(begun.d, begun, context)}`);
    const status = await (0,finish/* readStatus */.r)(begun.d, begun.spec);
    if (values.json)
        host.facts({ ...status, attached: begun.attached });
    await publish(context, { status, attached: begun.attached, price: await priceOf(context, begun.d) }, 'left');
    return why === 'asked' && !interrupts.first.aborted ? errors/* EXIT */.dc.ok : errors/* EXIT */.dc.running;
}
/** By whoever sat or read there, not by a CI system. */
function isPersonal(context) {
    const kind = context.interrupts.kind();
    if (kind === 'unread')
        return true;
    if (context.owner.step !== undefined || context.env['CI'])
        return false;
    // Nobody sends a hangup on purpose: the terminal has closed, or the connection that the command was given over.
    return kind === 'SIGHUP' || (context.interactive && kind !== 'SIGTERM');
}
/** The first Ctrl-C detaches and says so; a second within 5 s stops. */
async function detachOrStop(context, begun) {
    const { host, engine, interrupts } = context;
    // The terminal is gone, or the reader of our output: nobody will press anything.
    const alone = interrupts.kind() === 'SIGHUP' || interrupts.kind() === 'unread';
    const again = alone ? '' : ' Ctrl-C again within 5 s stops it.';
    const words = `\n${begun.d.name} goes on without this terminal.${again}\n${leave_comeBack(begun.d, begun, context)}`;
    host.info(words);
    context.aside?.(words);
    if (alone)
        return errors/* EXIT */.dc.running;
    await engine.clock.sleep(SECOND_CHANCE, interrupts.second).catch(() => undefined);
    if (!interrupts.second.aborted)
        return errors/* EXIT */.dc.running;
    host.info(`stopping ${begun.d.name}`);
    await endNow(context, begun);
    return errors/* EXIT */.dc.stopped;
}
/** A cancelled CI job: the request to stop is durable first; everything after it may be cut short by the CI host. */
async function cancelled(context, begun) {
    const { values, host, interrupts } = context;
    const terminated = interrupts.kind() === 'SIGINT' ? errors/* EXIT */.dc.stopped : errors/* EXIT */.dc.terminated;
    if (values['on-cancel'] === 'detach') {
        host.info(`cancelled; ${begun.d.name} goes on\n${leave_comeBack(begun.d, begun, context)}`);
        const status = await (0,finish/* readStatus */.r)(begun.d, begun.spec);
        await publish(context, { status, attached: begun.attached, price: await priceOf(context, begun.d) }, 'left');
        return errors/* EXIT */.dc.running;
    }
    await endNow(context, begun, CANCEL_GRACE, CANCEL_WATCH);
    return terminated;
}
async function endNow(context, begun, grace, watch) {
    const { engine, host } = context;
    const { d, spec, attached } = begun;
    const slots = await (0,stop/* stopAndWait */.D)(engine, d, spec, { grace, patience: watch, brief: true });
    if (!slots.some(wire_slot/* isWorthKeeping */.om))
        return giveBack(context, begun, slots);
    const status = await (0,finish/* readStatus */.r)(d, spec);
    await (0,engine_history/* remember */.kY)(engine.home, status);
    host.info(`its machines are shutting down; the last snapshot and the log are kept for ${(0,duration/* formatDuration */.a3)(spec.lifetime.retention)}: the same command with --resume goes on from them, tpi collect ${d.name} fetches outputs, tpi destroy ${d.name} removes them`);
    await publish(context, { status, attached, price: await priceOf(context, d) }, 'left');
}
/** No machine was ever at work on it. What is cut short here by the CI host is done by the post step. */
async function giveBack(context, { d, spec, attached }, slots) {
    const { engine, host } = context;
    const status = await (0,removed/* lastWord */.bx)(engine, d, spec, slots);
    await (0,engine_history/* remember */.kY)(engine.home, status);
    host.info(`${d.name}: stopped before a machine worked on it; giving everything back`);
    await publish(context, { status, attached, price: await priceOf(context, d) }, 'left');
    await (0,destroy/* destroy */.zr)(engine, d);
}
function leave_comeBack(d, { spec }, context) {
    const left = Math.max(0, Math.round((Date.parse(spec.lifetime.deadline) - context.engine.clock.date().getTime()) / 1000));
    return [
        `  follow   tpi logs ${d.name} --follow`,
        `  results  tpi collect ${d.name}`,
        `  stop     tpi stop ${d.name}`,
        `  it ends by itself in ${(0,duration/* formatDuration */.a3)(left)} at the latest${context.billed(d.cloudId) ? ', and its machines cost money until then' : ''}`,
    ].join('\n');
}

;// CONCATENATED MODULE: ./build/js/verbs/task.js
var task_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var task_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
/** `tpi task`: create or attach, follow, deliver, give back. */


























async function task(context) {
    const { host, engine, interrupts } = context;
    const wish = taskWish(context);
    for (const secret of Object.values(wish.secrets))
        host.mask(secret);
    // Before the first call to any cloud: whoever comes after a killed process finds what it may have made.
    const id = (0,identity/* deploymentId */.dP)(context.owner, wish.name);
    (0,output/* output */.C)(host, { id: id, name: wish.name });
    host.state.set('id', id);
    const { place, upload } = await host.group('Plan', async () => {
        const found = await preflight(context, wish);
        // While the rest is looked at.
        const probed = probeGiven(context, found.store);
        warnOfExpiry(context, found.access, wish.timeout);
        const plan = await uploadPlan(context, wish, found.store);
        await warnOfFilesLeftHere(context, wish);
        warnOfOutputsOutOfReach(context, wish);
        if (plan && wish.output.length === 0)
            host.info('  no "output" is given: no files will be brought back');
        host.info(`task ${wish.name} (${id}) on ${found.cloudId}`);
        await probed;
        return { place: found, upload: plan };
    });
    const parts = {
        wish,
        origin: await originHere(context, wish.workdir),
        storeAccess: place.access,
        agent: await context.agent(),
        upload,
        here: workspaceOf(context),
        signal: interrupts.first,
    };
    await context.note({ id, name: wish.name, cloud: place.cloudId });
    const begun = await host.group(`Create (${place.cloudId})`, () => begin_begin(engine, place, parts));
    host.state.set('begun', begun.attached ? 'attached' : 'created');
    (0,output/* output */.C)(host, { attached: String(begun.attached), 'started-at': begun.spec.createdAt });
    return follows(context, wish, begun);
}
/** Everything that can be wrong is found here, before anything is created. */
async function preflight(context, wish) {
    const [found] = await context.clouds();
    if (!found)
        throw new errors/* InputError */.dz('cloud: none is available');
    const { id: cloudId, cloud } = found;
    const id = (0,identity/* deploymentId */.dP)(context.owner, wish.name);
    await cloud.whoami();
    const access = (await context.storage()) ?? (await cloud.store(id));
    const now = context.engine.clock.date();
    const draft = {
        id,
        name: wish.name,
        incarnation: '',
        mode: 'task',
        createdAt: now.toISOString(),
        origin: context.owner.origin,
        count: wish.count,
        lifetime: {
            deadline: new Date(now.getTime() + wish.timeout * 1000).toISOString(),
            grace: wish.grace,
            reserve: wish.reserve,
            retention: wish.retention,
        },
    };
    const faults = await cloud.faults(create_machineWish(draft, wish, access));
    if (faults.length > 0)
        throw new errors/* InputError */.dz(faults.map((fault) => ({ ...fault, message: `${fault.option}: ${fault.message}` })));
    return { cloudId, cloud, store: await context.access(access), id, name: wish.name, access };
}
/** Follows as long as asked, then ends the run or leaves it. */
async function follows(context, wish, begun) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { engine, host, interrupts } = context;
        const { d, spec } = begun;
        if (wish.wait === false)
            return leave(context, begun, 'asked');
        const patience = await patienceOf(context, wish.wait);
        const limit = task_addDisposableResource(env_1, patience === undefined ? undefined : (0,clock/* abortIn */.QU)(engine.clock, patience), false);
        const signal = limit ? AbortSignal.any([interrupts.first, limit.signal]) : interrupts.first;
        host.debug(`deadline in ${(0,duration/* formatDuration */.a3)(Math.round((Date.parse(spec.lifetime.deadline) - engine.clock.date().getTime()) / 1000))}`);
        const heard = new Heard(engine, spec);
        const seen = { slots: new Map(), trouble: undefined };
        const watcher = witness(progress(host, {
            count: spec.count,
            clock: engine.clock,
            verbose: context.values.verbose,
            run: { name: d.name, createdAt: spec.createdAt, deadline: spec.lifetime.deadline },
        }), heard, seen);
        let presence;
        try {
            presence = await (0,owner_presence/* enter */.Ve)(engine, d, spec.lease);
            const slots = await (0,follow/* follow */.e)(engine, d, spec, watcher, { signal });
            host.status('');
            if (slots.length > 0 && slots.every((slot) => (0,wire_slot/* isTerminal */.Hd)(slot.state)))
                return await conclude(context, wish, begun, slots, { presence, heard });
        }
        catch (error) {
            // Our own giving back is no other command's.
            if (error instanceof destroy/* RemovalError */.x1 || !(error instanceof removed/* TooLate */.d6 || (await (0,removed/* isRemoved */.RX)(d))))
                throw error;
            return await removedMeanwhile(context, begun, [...seen.slots.values()]);
        }
        finally {
            await presence?.leave().catch(() => undefined);
            await heard.drop();
        }
        return await leave(context, begun, interrupts.first.aborted ? 'interrupted' : 'waited', missing(seen));
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        task_disposeResources(env_1);
    }
}
async function removedMeanwhile(context, { d, spec, attached }, slots) {
    const { host, values } = context;
    const status = await (0,removed/* lastWord */.bx)(context.engine, d, spec, slots);
    host.status('');
    // What nobody has brought here is no success of this command.
    if (status.exitCode === errors/* EXIT */.dc.ok && spec.output.length > 0)
        throw await (0,removed/* tooLate */.Bg)(context.engine, d);
    host.info(`${d.name}: another command removed it; it ended as ${status.outcome}`);
    if (values.json)
        host.facts({ ...status, attached, result: (0,follow_status/* resultOf */.Bg)(status.slots) });
    await publish(context, { status, attached }, 'ended');
    return status.exitCode ?? errors/* EXIT */.dc.stopped;
}
/** Kinds of events of a cloud that keep nothing from running. */
const HARMLESS = new Set(['info', 'advice', 'notice']);
/** Why nothing runs yet; `undefined`: something does, or did. */
function missing({ slots, trouble }) {
    return [...slots.values()].some(({ epoch }) => epoch > 0) ? undefined : (trouble ?? 'it is on its way');
}
/** Also keeps what was last seen, and the log. */
function witness(watcher, heard, seen) {
    return {
        ...watcher,
        slot(record, before) {
            seen.slots.set(record.index, record);
            watcher.slot(record, before);
        },
        log(piece) {
            heard.hear(piece);
            watcher.log(piece);
        },
        event(text, kind) {
            if (!HARMLESS.has(kind))
                seen.trouble = text;
            watcher.event(text, kind);
        },
    };
}
/** Milliseconds to follow: as asked, but never into the end of the CI job around us. */
async function patienceOf({ ciJob, host }, wait) {
    const asked = wait === true ? undefined : Math.ceil(wait * 1000);
    const left = await ciJob?.left?.();
    if (left === undefined || (asked !== undefined && asked <= left))
        return asked;
    host.debug(`this job ends in ${(0,duration/* formatDuration */.a3)(Math.round(left / 1000))}: following no longer than that`);
    return left;
}
async function conclude(context, wish, { d, spec, attached }, slots, { presence, heard }) {
    const { host, values } = context;
    const evidence = await gather(context, d, spec, slots, { heard });
    // A second run of a job has a checkout of its own: results belong there, not where the first one had asked for them.
    const here = workspaceOf(context);
    const where = attached ? { to: wish.outputDir ?? wish.workdir, workdir: wish.workdir, asked: wish.output, here } : { here };
    const optional = values['if-no-files-found'] === 'ignore';
    const end = await host.group('Collect', () => (0,finish/* finish */.O)(context.engine, d, spec, slots, presence, { ...where, optional, delivered: evidence.delivered }));
    await host.close();
    const { status } = end;
    const result = (0,follow_status/* resultOf */.Bg)(status.slots);
    if (values.json)
        host.facts({ ...status, attached, result, delivery: end.delivery, keptUntil: end.keptUntil ?? null });
    else
        host.info((0,closing/* closingReport */.EM)(end));
    await publish(context, { ...end, attached, evidence }, 'ended');
    return status.exitCode ?? errors/* EXIT */.dc.bug;
}

;// CONCATENATED MODULE: ./build/js/verbs/plan.js
/** `tpi plan`: what a task would make, checked and named; nothing is created. */










async function plan(context) {
    const { host, values, engine, owner } = context;
    const wish = taskWish(context);
    const place = await preflight(context, wish);
    const upload = await uploadPlan(context, wish, place.store);
    await warnOfFilesLeftHere(context, wish);
    warnOfOutputsOutOfReach(context, wish);
    const agent = await context.agent();
    const parts = { wish, origin: owner.origin, storeAccess: place.access, agent };
    const spec = plannedSpec({ id: place.id, name: wish.name, incarnation: 'planned' }, parts, engine.clock.date().toISOString());
    const machines = machineSpec(spec, parts);
    const own = place.cloud.ownStore?.holds(place.access) ? place.cloud.ownStore : undefined;
    const stages = [
        ...((await own?.blueprint(machines)) ?? []),
        ...(await place.cloud.blueprint(own && beginsAhead(upload) ? { ...machines, ahead: true } : machines)),
    ];
    const resources = stages.flat().map(({ kind, name }) => `${kind} ${name}`);
    const there = await (0,silence/* currentOf */.$c)(place);
    const facts = {
        id: place.id,
        name: wish.name,
        cloud: place.cloudId,
        store: place.store.url,
        exists: there !== undefined,
        slots: wish.count,
        resources,
        upload: upload ? { folder: upload.folder, ...upload.size } : null,
        outputs: wish.output,
        timeoutSeconds: wish.timeout,
        environment: Object.keys(wish.env),
        secrets: Object.keys(wish.secrets),
    };
    if (values.json) {
        host.facts(facts);
        return errors/* EXIT */.dc.ok;
    }
    const rows = [
        ['id', facts.id],
        ['cloud', `${facts.cloud}, ${(0,lib_text/* plural */.LS)(facts.slots, 'slot')}`],
        ['store', facts.store],
        ['makes', resources.join(', ')],
        ['uploads', upload ? `${(0,lib_text/* plural */.LS)(upload.size.files, 'file')} of ${upload.folder}` : 'nothing'],
        ['outputs', wish.output.length > 0 ? wish.output.join(', ') : 'none'],
        ['ends', `${(0,duration/* formatDuration */.a3)(wish.timeout)} after its start at the latest`],
        ['environment', [...facts.environment, ...facts.secrets.map((name) => `${name} (secret)`)].join(', ') || 'none'],
        ['exists', facts.exists ? 'yes: the task would attach, or say what differs' : 'no: it would be created'],
    ];
    host.print([`── ${wish.name}: nothing was created`, ...(0,lib_text/* columns */.YB)(rows).map((line) => `  ${line}`)].join('\n'));
    return errors/* EXIT */.dc.ok;
}

// EXTERNAL MODULE: ./build/js/wire/cut-off.js
var cut_off = __webpack_require__(30510);
;// CONCATENATED MODULE: ./build/js/runner/unexplained.js
/** Machines that were taken away without a word of a job: their forge may know of one. */

function unexplained(runner, slots) {
    const { registration, reusable } = runner.machine;
    return registration || reusable ? untoldLives(runner, slots) : untoldNames(runner, slots);
}
/** Each name has one job: those that were used on machines which were taken away, and whose job, if there was one, no hook has told of. */
function untoldNames(runner, slots) {
    const known = new Set(slots.flatMap(({ jobs = [] }) => jobs).map(({ facts }) => facts['runner']));
    const used = new Map(slots.map((slot) => [slot.index, (0,cut_off/* livesTaken */.l5)([slot]).length > 0 ? usedUp(slot, runner) : 0]));
    const away = (0,cut_off/* livesTaken */.l5)(slots);
    return runner.enrolled
        .filter(({ slot, k, name }) => k < (used.get(slot) ?? 0) && !known.has(name))
        .map((enrolled) => ({ enrolled, away, as: enrolled.name }));
}
/** The last one is that of the machine which is there: where it has hooks, it will tell of its jobs itself. */
function usedUp({ claimed = 0, state }, { machine }) {
    return machine.hooks && (state === 'booting' || state === 'running') ? claimed - 1 : claimed;
}
/** Many machines have one name, one after the other, and each many jobs: lives that have cut off no job, as far as the hooks have told. */
function untoldLives({ enrolled }, slots) {
    return slots.flatMap((slot) => {
        const own = enrolled.find((one) => one.slot === slot.index);
        const told = new Set((slot.jobs ?? []).flatMap((job) => (job.interrupted || job.end === undefined ? [job.epoch] : [])));
        const lives = slot.attempts.filter(({ epoch }) => !told.has(epoch));
        return own
            ? lives.flatMap((life) => (0,cut_off/* livesTaken */.l5)([{ ...slot, attempts: [life] }]).map((one) => ({ enrolled: own, away: [one], as: `${own.name} ${life.epoch}` })))
            : [];
    });
}

;// CONCATENATED MODULE: ./build/js/verbs/runner/rerun-ledger.js
/** What `tpi retry` need not ask its forge again, kept beside the deployment: it runs every few minutes where it runs by a schedule. */



async function readSettled({ store, keys }) {
    const known = (await (0,record/* readRecord */.aE)(records/* SETTLED */._V, store, keys.settled))?.value;
    return {
        said(jobs) {
            const says = jobs.map((job) => known?.jobs[rerun_ledger_nameOf(job)]);
            const [first] = says;
            return first !== undefined && !says.includes(undefined) ? { how: 'refused', says: says.at(-1) ?? first, final: true } : undefined;
        },
        unharmed: (name) => known?.unharmed.includes(name) ?? false,
    };
}
/** Adds to it. */
async function settle({ store, keys }, more) {
    const { jobs = [], says = '', unharmed = [] } = more;
    if (jobs.length + unharmed.length === 0)
        return;
    await (0,record/* changeRecord */.U9)(records/* SETTLED */._V, store, keys.settled, (now) => ({
        v: parse/* VERSION */.xv,
        jobs: { ...now?.jobs, ...Object.fromEntries(jobs.map((job) => [rerun_ledger_nameOf(job), says])) },
        unharmed: [...new Set([...(now?.unharmed ?? []), ...unharmed])],
    }));
}
/** An execution of a job: each has a number, or a runner and the time at which that began with it. */
function rerun_ledger_nameOf({ facts, start }) {
    return [facts['repository'], facts['run'], facts['attempt'], facts['runner'] ?? facts['job'], start].filter(Boolean).join(' ');
}

;// CONCATENATED MODULE: ./build/js/verbs/shared/looked-at.js
async function lookedAt(context) {
    const seen = new Set((await context.clouds()).map(({ id }) => id));
    const rest = context.manifests.map(({ id }) => id).filter((id) => !seen.has(id));
    const where = ` on ${[...seen].join(', ')}`;
    if (context.parsed.given.has('cloud') || rest.length === 0)
        return where;
    return `${where}; not checked: ${rest.join(', ')} (choose one with --cloud)`;
}

;// CONCATENATED MODULE: ./build/js/verbs/retry.js
/** `tpi retry`: jobs whose machine was taken away run again, and jobs that wait for runners which have left get new ones. */




















async function retry_retry(context) {
    const { values, host, interrupts } = context;
    const done = [];
    // What cannot be looked at may be another than the one that is named.
    const losses = new Losses(context, true);
    /** One that fails is told, and the others are looked after all the same. */
    const heed = async ({ name, id }, act) => {
        try {
            done.push(...(await act()));
        }
        catch (error) {
            if (interrupts.first.aborted || values.name !== undefined)
                throw error;
            losses.tell(name, error);
            done.push({ name, id, runs: [], waiting: 0, alive: 0, relaunched: false, error: (0,errors/* describeError */.Uc)(error) });
        }
    };
    const open = await relaunch_unfinished(context, losses);
    for (const { d, current } of open)
        await heed(d, async () => relaunch_finish(context, d, current));
    const left = await leftRunners(context);
    const others = open.length > 0 && values.name !== undefined ? [] : await candidates(context, heed, left.length > 0);
    for (const { d, spec } of others)
        if (!open.some((one) => one.d.id === d.id))
            await heed(d, async () => [await retryOne(context, d, spec)]);
    const seen = [...open, ...others].map(({ d }) => d.id);
    for (const one of left)
        if (!seen.includes(one.place.id))
            await heed(one.place, async () => [await startLeft(context, one)]);
    if (values.json)
        host.facts(done);
    else if (done.length === 0)
        host.print(`there are no runners${await lookedAt(context)}`);
    else
        for (const one of done)
            host.print(lineOf(one));
    if (losses.code !== errors/* EXIT */.dc.ok)
        return losses.code;
    // Something has to be asked again later: GitHub allows nothing before the end of a run.
    return done.some(({ runs }) => runs.some(({ how }) => how === 'waiting')) ? errors/* EXIT */.dc.running : errors/* EXIT */.dc.ok;
}
/** The one that is named, or every group of runners of this repository. */
async function candidates(context, heed, left) {
    const { values, owner } = context;
    const all = await (0,find/* sightings */.nI)(await context.clouds());
    const named = values.name === undefined ? undefined : (0,find/* pick */.Up)(values.name, all);
    // Without a group it may still be on record; it, and nobody else, is meant.
    if (values.name !== undefined && !named)
        return left ? [] : runnersOnly(await meantAlive(context));
    const chosen = named ? [named] : all.filter(({ found }) => found.tags.mode === 'runner' && sameHouse(owner, found.tags.origin));
    const read = await Promise.all(chosen.map(async (sighting) => {
        let found = [];
        await heed(sighting.found.tags, async () => {
            found = await runnersOnly(await (0,find/* openSighting */.at)(sighting, context.access));
            return [];
        });
        return found;
    }));
    return read.flat();
}
async function runnersOnly(d) {
    const spec = await (0,deployment/* readSpec */.Ot)(d);
    return spec?.mode === 'runner' ? [{ d, spec }] : [];
}
async function retryOne(context, d, spec) {
    await present(context, d);
    const slots = (await (0,deployment/* readSlots */.wI)(d, spec.count)).map(({ record }) => record);
    const forge = await (0,runner_forge/* forgeOf */.$D)(context, spec.runner);
    const repositories = repositoriesOf(spec, slots);
    const { runs, owed } = await again(context, { d, spec, slots, forge, repositories });
    const alive = slots.filter((slot) => !(0,wire_slot/* isTerminal */.Hd)(slot.state)).length;
    const waiting = alive === 0 ? await forge.waiting(spec.runner.labels, repositories) : 0;
    if (waiting > 0) {
        const { forge: forgeId, scope, labels, relaunch: wish } = spec.runner;
        await relaunch(context, {
            d,
            facts: { since: context.engine.clock.date().toISOString(), labels, wish, repositories },
            registry: { forge: forgeId, scope },
            forge,
            waiting,
        });
    }
    else if (alive === 0 && !owed)
        await letGo(d);
    return { name: d.name, id: d.id, runs, waiting, alive, relaunched: waiting > 0 };
}
/** Nobody is owed anything any more: a store of its own need not be kept for that, and ends itself. */
async function letGo(d) {
    if (!d.cloud.ownStore?.holds({ url: d.store.url }))
        return;
    await (0,record/* changeRecord */.U9)(records/* CURRENT */.eN, d.store, (0,layout/* currentKey */.Fo)(d.id), (now) => now?.incarnation === d.incarnation && !now.settled ? { ...now, settled: true } : undefined);
}
/** Where its jobs can be: that of the launch, and those whose jobs it has served. */
function repositoriesOf({ origin }, slots) {
    const served = slots.flatMap((slot) => slot.jobs ?? []).flatMap(({ facts }) => facts['repository'] ?? []);
    const own = repositoryOf(origin);
    return [...new Set([...(own ? [own] : []), ...served])];
}
/** Jobs that were cut off, once more. What the forge has said of one for good it is not asked again. `owed`: there may be more to do. */
async function again(context, group) {
    const { d, spec, slots, forge } = group;
    const most = mostOf(spec);
    const settled = await readSettled(d);
    const jobs = [...(0,cut_off/* interruptedJobs */.ff)(slots), ...(most > 0 ? await untold(context, group, settled) : [])];
    const served = slots.flatMap((slot) => slot.jobs ?? []);
    const runs = [];
    let owed = most > 0 && unexplained(spec.runner, slots).some(({ as }) => !settled.unharmed(as));
    for (const [run, mine] of byRun(jobs)) {
        if (most === 0) {
            runs.push({ run, how: 'refused', says: `what was cut off in ${run} is not run again, because "retry" is 0` });
            continue;
        }
        const known = settled.said(mine);
        const { how, says, final } = known ?? (await forge.rerun(mine, most, served));
        runs.push({ run, how, says });
        owed ||= !final;
        if (final && !known)
            await settle(d, { jobs: mine, says });
    }
    return { runs, owed };
}
/** Milliseconds after which a forge knows how a job of a machine that went without a word has ended: GitHub takes a quarter of an hour, GitLab an hour. */
const NOTICED = 2 * 3_600_000;
/** Jobs that no hook has told of, as the forge knows them. */
async function untold({ engine }, { d, spec, slots, forge, repositories }, settled) {
    const open = unexplained(spec.runner, slots).filter(({ as }) => !settled.unharmed(as));
    if (open.length === 0)
        return [];
    const away = open.flatMap((one) => one.away);
    const enrolled = [...new Set(open.map((one) => one.enrolled))];
    const { labels, machine } = spec.runner;
    const lasting = machine.registration !== undefined;
    const found = await forge.cutOff({ enrolled, labels, away, repositories, lasting, runs: likelyRuns(spec, slots) });
    const names = found.map(({ facts }) => facts['runner']);
    const last = Math.max(...away.map(({ to }) => Date.parse(to)));
    // Not where the forge cannot say which registration a job had.
    if (engine.clock.date().getTime() - last > NOTICED && !names.includes(undefined))
        await settle(d, { unharmed: open.filter((one) => !names.includes(one.enrolled.name)).map(({ as }) => as) });
    return found;
}
/** Those of its other jobs, and the one that has launched it. */
function likelyRuns({ origin }, slots) {
    const facts = [{ repository: repositoryOf(origin), run: origin.run }, ...slots.flatMap(({ jobs = [] }) => jobs.map((job) => job.facts))];
    const runs = facts.flatMap(({ repository, run }) => (repository && run ? [{ repository, run }] : []));
    return [...new Map(runs.map((one) => [`${one.repository} ${one.run}`, one])).values()];
}
function mostOf(spec) {
    return Number(spec.runner.relaunch['retry'] ?? 0);
}
function byRun(jobs) {
    const runs = new Map();
    for (const job of jobs) {
        const run = `${job.facts['repository'] ?? ''} ${job.facts['run'] ?? ''}`.trim();
        runs.set(run, [...(runs.get(run) ?? []), job]);
    }
    return runs;
}
function lineOf({ name, runs, waiting, alive, relaunched, error }) {
    if (error !== undefined)
        return `${name}: not everything could be done: ${error}`;
    const lines = runs.map(({ says }) => `${name}: ${says}`);
    if (relaunched)
        lines.push(`${name}: started again for ${(0,lib_text/* plural */.LS)(waiting, 'waiting job')}`);
    const there = `${(0,lib_text/* plural */.LS)(alive, 'runner is', 'runners are')} there, at work or waiting for jobs`;
    const nothing = `nothing to do: no job of it was cut off, and ${alive > 0 ? there : 'none waits for it'}`;
    return lines.length > 0 ? lines.join('\n') : `${name}: ${nothing}`;
}

;// CONCATENATED MODULE: ./build/js/runner/orphans.js
/** Registrations of ours whose machine is gone, also those of deployments that nobody here knows: they are known by their names alone. */


/** Milliseconds between the first look and the one after which a registration goes: longer than a machine takes to come. */
const SECOND_LOOK = 60 * 60_000;
/** Milliseconds for which the first look counts: one sweep a week is enough. */
const FIRST_LOOK = 8 * 24 * 60 * 60_000;
/**
 * In two looks, an hour apart or more: nothing dies at first sight. What the first one saw is noted at the forge, so that the second may be
 * from anywhere; it is taken back once a machine is seen. A registration waits its turn while a sibling of the same launch serves: then all
 * of them stay.
 */
async function orphans_orphans(forge, living, now, remove) {
    const ours = (await forge.runners('tpi-')).filter(({ name }) => (0,names/* runnerFamily */.h)(name));
    const serving = new Set(ours.filter(alive).map(({ name }) => (0,names/* runnerFamily */.h)(name)));
    const takeBack = async ({ id, noticed }) => {
        if (remove && noticed !== undefined)
            await forge.notice(id, undefined);
    };
    const look = async (listed) => {
        const { id, name } = listed;
        if (serving.has((0,names/* runnerFamily */.h)(name)) || living.some((prefix) => name.startsWith(prefix))) {
            await takeBack(listed);
            return undefined;
        }
        // By its id, and just now: a list may be old.
        const one = await forge.one(id);
        if (!one)
            return undefined;
        const age = one.noticed === undefined ? undefined : now.getTime() - one.noticed;
        if (alive(one) || (age ?? 0) > FIRST_LOOK)
            await takeBack(one);
        if (alive(one))
            return undefined;
        const due = age !== undefined && age >= SECOND_LOOK && age <= FIRST_LOOK;
        if (remove && (age === undefined || age > FIRST_LOOK))
            await forge.notice(id, now);
        return { id, name, due, removed: remove && due && (await forge.evict(id)) !== 'busy' };
    };
    const found = [];
    for (const listed of ours) {
        const orphan = await look(listed).catch((error) => withFault(listed, error));
        if (orphan)
            found.push(orphan);
    }
    return found;
}
/** One that cannot be looked at, or stays for ever, keeps none of the others. */
function withFault({ id, name }, error) {
    if (!(error instanceof errors/* TpiError */.at))
        throw error;
    return { id, name, due: true, removed: false, fault: error };
}
function alive({ online, busy }) {
    return online || busy;
}

;// CONCATENATED MODULE: ./build/js/verbs/sweep.js
/** `tpi sweep`: what is past its time; with `--yes`, given back. */














async function sweep(context) {
    const { values, host, engine } = context;
    const losses = new Losses(context, true);
    const failed = (error) => losses.count(error);
    const limits = { named: await context.storage(), ttl: values['lease-ttl'] * 1000, failed };
    const found = await leftovers(engine, await context.clouds(), context.access, limits);
    const removed = [];
    for (const { id, d, stray, judged } of values.yes ? found : [])
        await losses.heed(`could not remove ${id}`, async () => {
            const left = stray ? await (0,destroy/* destroy */.zr)(engine, d, { why: 'sweep' }) : (await destroyOne(context, d, { why: 'sweep', judged })).left;
            if (left !== 'kept')
                removed.push(id);
        });
    if (values.yes)
        await losses.heed('storage', async () => removeProbes(context));
    // What costs money has gone by now, whatever a forge says.
    if (values.yes)
        await losses.heed('registrations of runners that ended', async () => sweep_registrations(context, losses));
    const lost = (await losses.heed('registrations without a machine', async () => verbs_sweep_strays(context, losses))) ?? [];
    const rows = [
        ...found.map(({ id, name, cloud, reason }) => ({ id, name, cloud, reason, removed: removed.includes(id) })),
        ...lost,
    ];
    if (values.json)
        host.facts(rows);
    else if (rows.length === 0)
        host.print(`nothing is past its time${await lookedAt(context)}`);
    else
        host.print((0,lib_text/* columns */.YB)([
            ['NAME', 'CLOUD', 'REASON', values.yes ? 'REMOVED' : '', 'ID'],
            ...rows.map((row) => [row.name, row.cloud, row.reason, values.yes ? (row.removed ? 'yes' : 'no') : '', row.id]),
        ]).join('\n'));
    if (losses.code !== errors/* EXIT */.dc.ok)
        return losses.code;
    if (rows.length > 0 && !values.yes) {
        host.info('nothing was removed: run tpi sweep --yes to remove it');
        return errors/* EXIT */.dc.found;
    }
    return errors/* EXIT */.dc.ok;
}
/** Registrations without a machine, at the forge that is named or around us. */
async function verbs_sweep_strays(context, losses) {
    const { values, host, engine, env } = context;
    const { token, 'app-id': app, repository, organization, enterprise } = values;
    const manifest = (0,runner_forge/* chosenForge */.WP)(context);
    if (token === undefined && app === undefined)
        return [];
    if ((repository ?? organization ?? enterprise) === undefined && !manifest.detect(env))
        return [];
    const living = (await (0,find/* sightings */.nI)(await context.clouds())).map(({ found }) => (0,names/* runnerName */.i)(found.tags.id));
    const found = await orphans_orphans(await (0,runner_forge/* openForge */.ys)(context, manifest), living, engine.clock.date(), values.yes);
    for (const { name, fault } of found)
        if (fault)
            losses.tell(name, fault);
    const fresh = found.filter(({ due }) => !due);
    if (values.yes && fresh.length > 0)
        host.info(`${(0,lib_text/* plural */.LS)(fresh.length, 'registration')} without a machine noted: a sweep an hour to a week from now removes what still has none`);
    return found
        .filter(({ due }) => due)
        .map(({ id, name, removed }) => ({ id, name, cloud: manifest.id, reason: 'registration without a machine', removed }));
}
/** Runners that ended leave no registration at their forge, also where their records are kept for a while. */
async function sweep_registrations(context, losses) {
    const { values } = context;
    if (values.token === undefined && values['app-id'] === undefined)
        return;
    const runners = (await (0,find/* sightings */.nI)(await context.clouds())).filter(({ found }) => found.tags.mode === 'runner');
    const ended = await losses.read(runners, async (d) => {
        const spec = await (0,deployment/* readSpec */.Ot)(d);
        if (spec?.mode !== 'runner')
            return undefined;
        const slots = await (0,deployment/* readSlots */.wI)(d, spec.count);
        return slots.every(({ record }) => (0,wire_slot/* isTerminal */.Hd)(record.state)) ? { d, spec } : undefined;
    });
    for (const { d, spec } of ended)
        await (0,runner_forge/* unregisterOrWarn */.Em)(context, d, spec.runner);
}

;// CONCATENATED MODULE: ./build/js/verbs/index.js
















const acting = {
    task: task,
    runner: runner,
    retry: retry_retry,
    plan: plan,
    doctor: doctor,
    permissions: permissions,
    list: list,
    status: status_status,
    logs: logs_logs,
    stop: stop_stop,
    collect: collect_collect,
    pull: pull,
    comment: comment,
    exec: exec,
    destroy: destroy_destroy,
    sweep: sweep,
    interrupt: interrupt,
};
function acts(verb) {
    return Object.hasOwn(acting, verb);
}


/***/ }),

/***/ 79913:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $D: () => (/* binding */ forgeOf),
/* harmony export */   Em: () => (/* binding */ unregisterOrWarn),
/* harmony export */   Kz: () => (/* binding */ unregisterAround),
/* harmony export */   WP: () => (/* binding */ chosenForge),
/* harmony export */   ht: () => (/* binding */ unregister),
/* harmony export */   iT: () => (/* binding */ unregisterUnfinished),
/* harmony export */   n6: () => (/* binding */ hideIdentity),
/* harmony export */   ys: () => (/* binding */ openForge)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _engine_deployment_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(23922);
/* harmony import */ var _engine_find_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4782);
/* harmony import */ var _forges_registry_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(12186);
/* harmony import */ var _runner_names_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(29901);
/* harmony import */ var _runner_registrations_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(30539);
/** The forge that a command means, opened with what the caller gave. */






/** Before anything is told: names and labels are the user's, and may hold what must not be printed. */
function hideIdentity({ values, host }) {
    for (const secret of [values.token, values['app-key']])
        if (secret !== undefined)
            host.mask(secret);
}
async function openForge(context, manifest, opening = {}) {
    const { values, host, engine, env, interrupts } = context;
    const { token, 'app-id': appId, 'app-key': appKey } = values;
    hideIdentity(context);
    if ((appId === undefined) !== (appKey === undefined))
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${appId === undefined ? 'app-id' : 'app-key'}: an App needs both its id and its private key`);
    const target = targetOf(context);
    return (await manifest.load()).open({
        env,
        log: host,
        clock: engine.clock,
        signal: interrupts.first,
        mask: (secret) => host.mask(secret),
        ...(token === undefined ? {} : { token }),
        ...(appId === undefined || appKey === undefined ? {} : { app: { id: appId, key: appKey } }),
        ...(values['forge-url'] === undefined ? {} : { url: values['forge-url'] }),
        ...(target === undefined ? {} : { target }),
        ...opening,
    });
}
function targetOf({ values }) {
    const { repository, organization, enterprise } = values;
    if (repository !== undefined)
        return { kind: 'repository', name: repository };
    if (organization !== undefined)
        return { kind: 'organization', name: organization };
    return enterprise === undefined ? undefined : { kind: 'enterprise', name: enterprise };
}
/** As named, else that of the CI job around us, else the one whose name is in an address that was given, else the first. */
function chosenForge({ values, env }) {
    const named = values.forge;
    const ids = _forges_registry_js__WEBPACK_IMPORTED_MODULE_3__/* .forges */ .F.map(({ id }) => id).join(', ');
    if (named !== undefined) {
        const found = (0,_forges_registry_js__WEBPACK_IMPORTED_MODULE_3__/* .forgeById */ .K)(named);
        if (!found)
            throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`forge: "${named}" is not one of ${ids}`);
        return found;
    }
    const address = values['forge-url'] ?? values.repository ?? '';
    const chosen = _forges_registry_js__WEBPACK_IMPORTED_MODULE_3__/* .forges */ .F.find((forge) => URL.canParse(address) && new URL(address).hostname.includes(forge.id)) ??
        _forges_registry_js__WEBPACK_IMPORTED_MODULE_3__/* .forges */ .F.find((forge) => forge.detect(env)) ??
        _forges_registry_js__WEBPACK_IMPORTED_MODULE_3__/* .forges */ .F[0];
    if (!chosen)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`forge: none was given; use one of ${ids}`);
    return chosen;
}
/** The forge that a deployment was registered at. */
async function forgeOf(context, { forge, scope }) {
    const manifest = (0,_forges_registry_js__WEBPACK_IMPORTED_MODULE_3__/* .forgeById */ .K)(forge);
    if (!manifest)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`forge: this version does not know "${forge}"`);
    return openForge(context, manifest, { scope });
}
/** Registrations of a deployment whose creation was cut short: there is no specification yet that says so. */
async function unregisterUnfinished(context, d) {
    const { host } = context;
    try {
        const registry = (await (0,_engine_find_js__WEBPACK_IMPORTED_MODULE_2__/* .readCurrent */ .cA)(d.store, d.id))?.value.registry;
        if (registry)
            await unregister(context, d, registry);
    }
    catch (error) {
        host.warn(`${d.name}: registrations may be left at the forge: ${(0,_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error)}`);
    }
}
/** Removes every registration of a deployment at its forge. Without a token it says what stays, and for how long. */
async function unregister(context, d, registry) {
    const { host, values } = context;
    const { token, 'app-id': app } = values;
    if (token === undefined && app === undefined) {
        host.warn(`${d.name}: its registrations at ${registry.forge} were not removed, because no token was given${forgetting(registry)}`);
        return NONE;
    }
    const forge = await forgeOf(context, registry);
    const { removed, busy } = await (0,_runner_registrations_js__WEBPACK_IMPORTED_MODULE_4__/* .takeBack */ .zH)(forge, (0,_runner_names_js__WEBPACK_IMPORTED_MODULE_5__/* .runnerName */ .i)(d.id), registry.machine?.registration ? [] : await recent(context, d));
    if (removed > 0)
        host.info(`${d.name}: ${removed} ${removed === 1 ? 'registration' : 'registrations'} removed`);
    return { removed, busy };
}
/** The same where machines are what matters: what stays at the forge costs nothing, so a forge that is away is told and stops nothing. */
async function unregisterOrWarn(context, d, registry) {
    const { busy } = await unregister(context, d, registry).catch(warned(context, d));
    tellBusy(context, registry, busy);
}
/**
 * The same around `end`, which takes the machines away; absent: they are gone. A forge removes no runner that has a job: those that had one are
 * asked for again, for some seconds, when it has ended with its machine.
 */
async function unregisterAround(context, d, registry, end) {
    const { host, engine, interrupts } = context;
    const remove = async () => unregister(context, d, registry).catch(warned(context, d));
    // Machines that register themselves may do so until the last of them is gone.
    const late = registry.machine?.registration !== undefined;
    const before = late ? undefined : await remove();
    const ending = end?.();
    if (late)
        await ending?.catch(() => undefined);
    const { busy } = before ?? (await remove());
    await ending;
    if (busy.length === 0)
        return;
    const again = async () => (0,_runner_registrations_js__WEBPACK_IMPORTED_MODULE_4__/* .takeBackIdle */ .xZ)(engine.clock, await forgeOf(context, registry), busy, interrupts.first);
    const last = await again().catch(warned(context, d));
    if (last.removed > 0)
        host.info(`${d.name}: ${last.removed} more removed, whose jobs have ended with their machines`);
    tellBusy(context, registry, last.busy);
}
const NONE = { removed: 0, busy: [] };
function warned({ host }, d) {
    return (error) => {
        host.warn(`${d.name}: its registrations were not removed: ${(0,_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error)}`);
        return NONE;
    };
}
function forgetting({ forge, machine }) {
    const says = machine?.registration?.stays ?? (0,_forges_registry_js__WEBPACK_IMPORTED_MODULE_3__/* .forgeById */ .K)(forge)?.forgets;
    return says === undefined ? '' : `; ${says}`;
}
function tellBusy({ host }, registry, busy) {
    const forgets = forgetting(registry);
    for (const { name } of busy)
        host.warn(`${name} has a job, as far as the forge knows, and stays registered${forgets}`);
}
/** Registrations that the forge may not list yet. */
async function recent({ engine }, d) {
    // A deployment whose storage is away still has its registrations removed.
    const spec = await (0,_engine_deployment_js__WEBPACK_IMPORTED_MODULE_1__/* .readSpec */ .Ot)(d).catch(() => undefined);
    const young = spec !== undefined && engine.clock.date().getTime() - Date.parse(spec.createdAt) < _runner_registrations_js__WEBPACK_IMPORTED_MODULE_4__/* .LISTED */ .CQ;
    return young && spec.mode === 'runner' ? spec.runner.enrolled : [];
}


/***/ }),

/***/ 16092:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   s: () => (/* binding */ exitOf)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(40859);
/* harmony import */ var _snapshot_errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(45468);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(37231);
/** Whose fault an error is, what a command says of it, and the code that it ends with. */




/** What a disk or a host may refuse, and nobody but their owner can change. */
const DISK = {
    ENOSPC: 'no space is left on a disk of this host',
    EDQUOT: 'a disk quota of this host is reached',
    EROFS: 'a file system of this host is read-only',
    EIO: 'a disk of this host is failing',
    EMFILE: 'too many files are open',
    ENFILE: 'too many files are open on this host',
};
const WRONG = { outcome: 'invalid', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.invalid };
const AWAY = { outcome: 'remote-error', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.remote };
/** What is wrong with a folder to save is the user's; disks fail, and objects are lost, without anybody's fault here. */
const SNAPSHOT = {
    'no-folder': WRONG,
    'too-large': WRONG,
    'disk-full': AWAY,
    local: AWAY,
    corrupt: AWAY,
    lost: AWAY,
};
function exitOf(error) {
    if (error instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .TpiError */ .at)
        return { outcome: error.outcome, exitCode: error.exitCode, message: (0,_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error) };
    if ((0,_wire_store_js__WEBPACK_IMPORTED_MODULE_2__/* .isStoreError */ .A1)(error)) {
        if (error.kind === 'invalid')
            return { outcome: 'invalid', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.invalid, message: error.message };
        if (error.kind === 'denied')
            return { outcome: 'denied', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.denied, message: error.message };
        return { outcome: 'remote-error', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.remote, message: error.message };
    }
    if (error instanceof _snapshot_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .SnapshotError */ .JC)
        return { ...SNAPSHOT[error.kind], message: error.message };
    const message = (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_3__/* .messageOf */ .bD)(error);
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (typeof code === 'string' && Object.hasOwn(DISK, code))
        return {
            outcome: 'remote-error',
            exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.remote,
            message: `${DISK[code]}: ${message} (nothing is lost: run the same command again)`,
        };
    return { outcome: 'bug', exitCode: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .EXIT */ .dc.bug, message: `this is a bug in tpi: ${message}; please report it with the lines below` };
}


/***/ }),

/***/ 26481:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ listenFor),
/* harmony export */   Z: () => (/* binding */ never)
/* harmony export */ });
/** Ctrl-C and termination, as a person or a CI system sends them, and the end of whoever read along. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const TWICE = 5000;
function listenFor(emitter, now, outputs = []) {
    const first = new AbortController();
    const second = new AbortController();
    let kind;
    let at = 0;
    const begin = (what) => {
        kind = what;
        at = now();
        first.abort(new Error(what));
    };
    for (const name of SIGNALS) {
        emitter.on(name, () => {
            if (!first.signal.aborted)
                begin(name);
            else if (now() - at <= TWICE)
                second.abort(new Error(name));
        });
    }
    // Each further line is an error again: it asks for nothing new.
    for (const output of outputs)
        output.on('error', () => first.signal.aborted || begin('unread'));
    return { first: first.signal, second: second.signal, kind: () => kind };
}
/** For verbs that are run by nobody who could interrupt them (tests). */
function never() {
    const none = new AbortController().signal;
    return { first: none, second: none, kind: () => undefined };
}


/***/ }),

/***/ 29252:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C: () => (/* binding */ output)
/* harmony export */ });
function output(host, values) {
    for (const [name, value] of Object.entries(values))
        host.output(name, value);
}


/***/ }),

/***/ 30510:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Pf: () => (/* binding */ madeGood),
/* harmony export */   ff: () => (/* binding */ interruptedJobs),
/* harmony export */   l5: () => (/* binding */ livesTaken)
/* harmony export */ });
/* harmony import */ var _slot_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(48088);

/** A job without an end whose attempt is over was cut off, too: its machine could not say so any more. */
function interruptedJobs(slots) {
    return slots.flatMap((slot) => (slot.jobs ?? []).filter((job) => {
        const living = job.epoch === slot.epoch && !(0,_slot_js__WEBPACK_IMPORTED_MODULE_0__/* .isTerminal */ .Hd)(slot.state);
        return job.interrupted || (job.end === undefined && !living);
    }));
}
/** Each of them has run again since, to its end: a forge counts the attempts of a run, and legs of a matrix have one name. */
function madeGood(cut, all) {
    const same = ({ facts: a }, { facts: b }) => ['repository', 'run', 'job'].every((name) => a[name] === b[name]);
    const attempt = ({ facts }) => Number(facts['attempt'] ?? 0);
    return cut.every((one) => {
        const later = all.filter((job) => same(job, one) && job.end !== undefined && !job.interrupted && attempt(job) > attempt(one));
        return later.length >= cut.filter((other) => same(other, one) && attempt(other) === attempt(one)).length;
    });
}
/** From start to end of each machine that was taken away: where a forge has no job hooks, it may have had a job then. */
function livesTaken(slots) {
    const taken = slots.flatMap(({ attempts }) => attempts).filter(({ cause }) => cause === 'interrupted' || cause === 'lost');
    return taken.flatMap(({ start, end }) => (end === undefined ? [] : [{ from: start, to: end }]));
}


/***/ }),

/***/ 18355:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ET: () => (/* binding */ closing),
/* harmony export */   _y: () => (/* binding */ isOwnEnd),
/* harmony export */   iU: () => (/* binding */ timedOut),
/* harmony export */   qG: () => (/* binding */ cutOff)
/* harmony export */ });
/* unused harmony export stoppedBy */
/** Somebody wished it, or a slot beside it failed (`fail-fast`). */
function stoppedBy(by) {
    if (by === 'fail-fast')
        return { state: 'stopped', cause: 'sibling', reason: 'stopped: another slot failed' };
    return { state: 'stopped', cause: 'stopped', reason: `stopped (${by})` };
}
function timedOut(deadline) {
    return { state: 'timed-out', cause: 'timed-out', reason: `deadline ${deadline}` };
}
/** How an open slot ends that nobody may go on with; a wish counts before the deadline. `undefined`: going on is allowed. */
function closing({ stop, pastDeadline, deadline }) {
    if (stop)
        return stoppedBy(stop.by);
    return pastDeadline ? timedOut(deadline) : undefined;
}
/** The attempts with the open one, if there is one, ended. */
function cutOff(attempts, end) {
    return attempts.map((attempt) => (attempt.end === undefined ? { ...attempt, ...end(attempt) } : attempt));
}
const OWN = ['exit', 'setup', 'out-of-memory', 'disk-full'];
/** A program of the user brought it about, the set-up as well as the script: no machine was lost, nobody took it away. */
function isOwnEnd(cause) {
    return OWN.includes(cause);
}


/***/ }),

/***/ 40906:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c: () => (/* binding */ removalOf)
/* harmony export */ });
/** Why this incarnation must not go on, for people; `undefined`: it is the living one. */
function removalOf(current, incarnation) {
    if (current === undefined)
        return 'the deployment was removed';
    if (current.incarnation !== incarnation)
        return 'the deployment was created again';
    return current.state === 'destroying' ? 'the deployment is being removed' : undefined;
}


/***/ }),

/***/ 64046:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fo: () => (/* binding */ currentKey),
/* harmony export */   MZ: () => (/* binding */ pinsAt),
/* harmony export */   P_: () => (/* binding */ agentPart),
/* harmony export */   Ss: () => (/* binding */ probeKey),
/* harmony export */   Wm: () => (/* binding */ BASE),
/* harmony export */   Zp: () => (/* binding */ layout),
/* harmony export */   _v: () => (/* binding */ PROBES),
/* harmony export */   cZ: () => (/* binding */ numbersOf),
/* harmony export */   cv: () => (/* binding */ snapAt)
/* harmony export */ });
/** Keys of everything a deployment keeps in its store. The one place that knows the layout. */
/** What a look at a store writes, and removes: beside all deployments. */
const PROBES = 'tpi-probe/';
const probeKey = (name) => PROBES + name;
const currentKey = (id) => `${id}/current.json`;
/** Where snapshots lie, relative to the root of an incarnation: the uploaded work directory, never pruned, and what a slot has saved. */
const BASE = 'base/';
const snapAt = (slot) => `slots/${slot}/snap/`;
/** Pins of those who read the snapshots that lie there. */
const pinsAt = (at) => at.replace(/snap\/$/, 'pins/');
const pad = (value, width) => String(value).padStart(width, '0');
/** In the order in which a slot made them. */
const numbered = (epoch, seq) => `${pad(epoch, 6)}-${pad(seq, 10)}`;
/** Attempt and number of a log segment or of samples; `undefined` for any other key. */
function numbersOf(key) {
    const found = /\/(\d{6})-(\d{10})$/.exec(key);
    return found ? { epoch: Number(found[1]), seq: Number(found[2]) } : undefined;
}
function layout(id, incarnation) {
    const root = `${id}/${incarnation}/`;
    return {
        root,
        spec: `${root}spec.json`,
        secrets: `${root}secrets/env.json`,
        once: (slot, k) => `${root}secrets/once/${slot}-${k}`,
        registration: (slot) => `${root}secrets/registration/${slot}`,
        agent: (digest) => `${root}agent/${digest}`,
        control: `${root}control.json`,
        base: root + BASE,
        slot: (index) => slotLayout(`${root}slots/${index}/`),
        controllers: `${root}controllers/`,
        collected: `${root}collected.json`,
        settled: `${root}settled.json`,
    };
}
/** Programs larger than one object: `<digest>.0`, `<digest>.1`, … */
const agentPart = (keys, digest, part) => `${keys.agent(digest)}.${part}`;
function slotLayout(folder) {
    return {
        record: `${folder}slot.json`,
        log: `${folder}log/`,
        segment: (epoch, seq) => `${folder}log/${numbered(epoch, seq)}`,
        metrics: `${folder}metrics/`,
        sample: (epoch, seq) => `${folder}metrics/${numbered(epoch, seq)}`,
    };
}


/***/ }),

/***/ 51812:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Nz: () => (/* binding */ WARNING),
/* harmony export */   UR: () => (/* binding */ decodeSegment),
/* harmony export */   gO: () => (/* binding */ STREAMS)
/* harmony export */ });
/* unused harmony export encodeSegment */
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/* harmony import */ var _parse_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(13453);
/**
 * A log segment: one header line of JSON, then raw bytes of one stream.
 * Segments are write-once, named `<epoch>-<seq>`, and count only up to the `logEnd` that slot.json names for their attempt (or, for the
 * running attempt, as far as they have come).
 */


/** `setup` and `script` are bytes of the user's programs (stdout and stderr in one order); `agent` are our own lines about the machine. */
const STREAMS = ['setup', 'script', 'agent'];
/** How a line of ours begins that everybody who follows is to see. */
const WARNING = 'warning: ';
function encodeSegment(segment) {
    const { bytes, ...header } = segment;
    return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytes]);
}
const HEADER = {
    what: 'the header of a log segment',
    most: 4096,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ v: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(_parse_js__WEBPACK_IMPORTED_MODULE_1__/* .VERSION */ .xv), stream: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(...STREAMS), at: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB }),
};
/** `where`: its key. Throws as `parseRecord` does. */
function decodeSegment(segment, where) {
    const end = segment.indexOf(10);
    const header = (0,_parse_js__WEBPACK_IMPORTED_MODULE_1__/* .parseRecord */ .Hh)(HEADER, end < 0 ? segment : segment.subarray(0, end), where);
    return { ...header, bytes: segment.subarray(end + 1) };
}


/***/ }),

/***/ 90239:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   f: () => (/* binding */ outlast)
/* harmony export */ });
/* harmony import */ var _lib_clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29668);
/* harmony import */ var _lib_retry_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(39088);
/* harmony import */ var _store_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(37231);
/** Waiting out what is away for a while, the same for machines and controllers: only their patience differs. */



/**
 * Runs `call` until it resolves, fails for good, or patience is over; rejects with the signal's reason once that aborts. A write that was tried
 * twice may have arrived both times: the caller makes it conditional or harmless.
 */
async function outlast(call, outage) {
    const { first, longest, passes = isAway, patience = Number.POSITIVE_INFINITY, callLimit, onTrouble, signal, clock = _lib_clock_js__WEBPACK_IMPORTED_MODULE_0__/* .systemClock */ .ml } = outage;
    const end = clock.now() + patience;
    const again = (error, tries) => {
        const worth = (error instanceof NoAnswer || passes(error)) && clock.now() <= end;
        if (worth)
            onTrouble?.(error, tries);
        return worth;
    };
    const act = async () => (callLimit === undefined ? call(signal) : limited(call, callLimit, signal));
    return await (0,_lib_retry_js__WEBPACK_IMPORTED_MODULE_1__/* .retry */ .L)(act, { first, longest, again, signal, sleep: async (time) => clock.sleep(time, signal) });
}
function isAway(error) {
    return (0,_store_js__WEBPACK_IMPORTED_MODULE_2__/* .isStoreError */ .A1)(error, 'unavailable');
}
class NoAnswer extends Error {
    name = 'NoAnswer';
}
/** A call that hangs must not hold up its caller, whether or not the store obeys the signal. */
async function limited(call, limit, signal) {
    const own = new AbortController();
    const abort = () => own.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => own.abort(new NoAnswer(`no answer within ${limit / 1000} s`)), limit);
    try {
        return await new Promise((resolve, reject) => {
            own.signal.addEventListener('abort', () => reject(own.signal.reason), { once: true });
            call(own.signal).then(resolve, (error) => reject(own.signal.aborted ? own.signal.reason : error));
        });
    }
    finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
    }
}


/***/ }),

/***/ 13453:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $K: () => (/* binding */ recordBytes),
/* harmony export */   Hh: () => (/* binding */ parseRecord),
/* harmony export */   KU: () => (/* binding */ nonce),
/* harmony export */   Pf: () => (/* binding */ label),
/* harmony export */   Tr: () => (/* binding */ parseShape),
/* harmony export */   Vm: () => (/* binding */ word),
/* harmony export */   br: () => (/* binding */ digest),
/* harmony export */   xv: () => (/* binding */ VERSION)
/* harmony export */ });
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/* harmony import */ var _store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);
/** The one way from bytes of a store or of a machine to a record, for controllers and agents alike: nothing of what it returns is unchecked. */


/** Of every record; it grows when an older program would misunderstand a newer record. */
const VERSION = 2;
/** `where`: its key. Throws StoreError `corrupt`, which names the record, what is wrong with it, and what to do. */
function parseRecord(kind, bytes, where) {
    const fault = (what, cause) => new _store_js__WEBPACK_IMPORTED_MODULE_1__/* .StoreError */ .AD('corrupt', `record "${where}" ${what}`, { cause });
    if (bytes.length > kind.most)
        throw fault(`has ${bytes.length} bytes, and ${kind.what} has at most ${kind.most}: this program did not write it`);
    let value;
    try {
        value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    }
    catch (error) {
        throw fault(`is cut off, or was not written by this program: it is not JSON, and should be ${kind.what}`, error);
    }
    const v = typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;
    if (typeof v === 'number' && v > VERSION)
        throw fault(`was written by a newer version of tpi (its version is ${v}, and this program reads ${VERSION}): update tpi`);
    if (typeof v === 'number' && v < VERSION)
        throw fault(`was written by an older version of tpi (its version is ${v}, and this program reads ${VERSION}): use the version that wrote it`);
    try {
        return kind.shape(value);
    }
    catch (error) {
        if (error instanceof _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .Misfit */ .$C)
            throw fault(`is not ${kind.what}: ${error.message}`, error);
        throw error;
    }
}
/** The same for what is told inside our own programs, by pipe or file, and has no version. Throws Misfit, or SyntaxError. */
function parseShape(shape, text) {
    return shape(JSON.parse(text));
}
/** The bytes of a record. Throws StoreError `invalid` for more than a reader would take. */
function recordBytes(kind, record) {
    const bytes = Buffer.from(JSON.stringify(record));
    if (bytes.length > kind.most)
        throw new _store_js__WEBPACK_IMPORTED_MODULE_1__/* .StoreError */ .AD('invalid', `storage: ${kind.what} of ${bytes.length} bytes cannot be written: the limit is ${kind.most}`);
    return bytes;
}
/** Ids, names and incarnations of deployments: what a key, a label and a folder may be called. */
const label = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(64, /^[a-z0-9][a-z0-9-]*$/, 'a name of lower-case letters, digits and dashes');
/** Machines, runners, forges and the like. */
const word = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(256, /^[A-Za-z0-9][\w.:@-]*$/, 'a name of letters, digits, dots and dashes');
const nonce = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(128, /^[\w.-]+$/, 'a nonce');
const digest = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(64, /^[0-9a-f]{64}$/, 'a SHA-256 in hex');


/***/ }),

/***/ 7426:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ program)
/* harmony export */ });
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/** A program that a machine runs for its user. */

const TEXT = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(8 << 20);
const program = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .either */ .gP)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ script: TEXT }), (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ argv: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)(TEXT, 100_000) }));


/***/ }),

/***/ 70708:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FN: () => (/* binding */ MODES),
/* harmony export */   GC: () => (/* binding */ COLLECTED),
/* harmony export */   TG: () => (/* binding */ origin),
/* harmony export */   W3: () => (/* binding */ CONTROL),
/* harmony export */   _V: () => (/* binding */ SETTLED),
/* harmony export */   eN: () => (/* binding */ CURRENT),
/* harmony export */   u5: () => (/* binding */ registry)
/* harmony export */ });
/* unused harmony exports REGISTRATION, SECRETS */
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/* harmony import */ var _parse_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(13453);
/** Small records of a deployment besides the slots. */


const MODES = ['task', 'runner', 'machine'];
const STATES = ['making', 'open', 'destroying'];
/** `rollback`: what was being made is undone, and what was there before comes back. `collected`: whoever still reads it is waited for. */
const WHYS = ['rollback', 'collected', 'discard', 'sweep'];
const LINE = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .line */ .n8)(4096);
const v = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(_parse_js__WEBPACK_IMPORTED_MODULE_1__/* .VERSION */ .xv);
const origin = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
    repository: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE),
    commit: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE),
    ref: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE),
    runUrl: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE),
    run: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE),
    step: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE),
    attempt: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE),
    user: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE),
});
const registry = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ forge: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .word */ .Vm, scope: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .dictionary */ .zz)(LINE, LINE, 100) });
const relaunch = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
    since: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB,
    labels: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)(LINE, 1000),
    wish: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .dictionary */ .zz)(LINE, (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .json */ .Pq)(), 1000),
    repositories: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)(LINE, 10_000),
    tries: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)()),
});
const CURRENT = {
    what: 'the record of a deployment',
    most: 4 << 20,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
        v,
        nonce: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .nonce */ .KU,
        id: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .label */ .Pf,
        name: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .label */ .Pf,
        incarnation: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .label */ .Pf,
        createdAt: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB,
        origin,
        registry: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(registry),
        state: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(...STATES),
        why: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(...WHYS)),
        by: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE),
        process: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE),
        ttl: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(0, 1e12)),
        former: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)(_parse_js__WEBPACK_IMPORTED_MODULE_1__/* .label */ .Pf, 1000)),
        relaunch: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(relaunch),
        settled: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .flag */ .Jt),
    }),
};
const CONTROL = {
    what: 'the record of requests',
    most: 4 << 20,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
        v,
        nonce: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .nonce */ .KU,
        stop: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ at: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB, by: LINE, grace: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(0, 1e9)) })),
        interrupts: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ id: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .nonce */ .KU, at: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB, slot: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)()) }), 100_000)),
        online: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB),
    }),
};
const COLLECTED = {
    what: 'the record of a delivery',
    most: 4 << 20,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ v, at: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB, by: LINE, to: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(LINE), heads: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .dictionary */ .zz)(LINE, LINE, 1_000_000) }),
};
const SETTLED = {
    what: 'the record of jobs that are settled',
    most: 16 << 20,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ v, nonce: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .nonce */ .KU, jobs: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .dictionary */ .zz)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(65_536), (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(65_536), 100_000), unharmed: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)(LINE, 100_000) }),
};
const REGISTRATION = {
    what: 'the registration of a runner',
    most: 16 << 20,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ v, files: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .dictionary */ .zz)(LINE, (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(8 << 20), 100) }),
};
const SECRETS = {
    what: 'the secret environment',
    most: 32 << 20,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ v, env: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .dictionary */ .zz)(LINE, (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(32 << 20), 100_000) }),
};


/***/ }),

/***/ 56910:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   b: () => (/* binding */ servedJob),
/* harmony export */   k: () => (/* binding */ runnerWork)
/* harmony export */ });
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(48161);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29611);
/* harmony import */ var _parse_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(13453);
/* harmony import */ var _program_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7426);
/** What a machine must know to serve a forge as a runner: plain data, made by the forge's room, acted on by an agent that knows no forge. */




const LINE = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .line */ .n8)(4096);
/** May be of several lines. */
const TEXT = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(1 << 20);
const FACTS = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .dictionary */ .zz)(LINE, TEXT, 1000);
const ARGV = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .list */ .p_)(TEXT, 10_000);
const signal = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .oneOf */ .yL)(...Object.keys(node_os__WEBPACK_IMPORTED_MODULE_0__.constants.signals));
const orNone = (shape) => (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .either */ .gP)(shape, (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .oneOf */ .yL)(null));
const call = { method: LINE, url: TEXT, headers: FACTS, body: TEXT };
const machine = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({
    archive: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ digest: _parse_js__WEBPACK_IMPORTED_MODULE_2__/* .digest */ .br, bytes: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)(), parts: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)(100_000), file: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(LINE), version: LINE }),
    argv: ARGV,
    env: FACTS,
    credential: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(LINE),
    reusable: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .oneOf */ .yL)(true)),
    registration: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({
        argv: ARGV,
        credential: LINE,
        files: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .list */ .p_)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ path: LINE, secret: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .oneOf */ .yL)(true)) }), 100),
        refused: TEXT,
        stays: TEXT,
    })),
    files: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .list */ .p_)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ path: LINE, text: TEXT, mode: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)(0o7777)), json: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .oneOf */ .yL)(true)) }), 1000),
    stale: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .list */ .p_)(LINE, 100)),
    updated: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(LINE),
    hooks: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ started: LINE, completed: LINE, facts: FACTS })),
    worker: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(LINE),
    idleClock: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .oneOf */ .yL)('agent', 'runner'),
    jobsPerStart: orNone((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)()),
    signals: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ abort: signal, drain: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(signal) }),
    exits: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .dictionary */ .zz)(LINE, (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ means: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .oneOf */ .yL)('done', 'again', 'next', 'failed'), says: TEXT, updates: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .oneOf */ .yL)(true)) }), 1000),
    standing: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ ...call, gone: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .list */ .p_)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)(999), 100) })),
    farewell: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)(call)),
});
const runnerWork = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({
    forge: _parse_js__WEBPACK_IMPORTED_MODULE_2__/* .word */ .Vm,
    scope: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .dictionary */ .zz)(LINE, LINE, 100),
    labels: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .list */ .p_)(LINE, 1000),
    label: LINE,
    jobs: orNone((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)()),
    idle: orNone((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .number */ .ai)(0, 1e12)),
    rest: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .number */ .ai)(0, 1e12)),
    enrolled: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .list */ .p_)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ slot: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)(), k: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)(), id: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(LINE), name: LINE }), 1_000_000),
    registered: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .time */ .kB),
    supply: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)(),
    machine,
    setup: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(_program_js__WEBPACK_IMPORTED_MODULE_3__/* .program */ .D),
    relaunch: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .dictionary */ .zz)(LINE, (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .json */ .Pq)(), 1000),
});
const servedJob = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({
    epoch: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)(),
    start: _lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .time */ .kB,
    end: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .time */ .kB),
    interrupted: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .flag */ .Jt),
    facts: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .dictionary */ .zz)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(1000), (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(1000), 100),
});


/***/ }),

/***/ 48088:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CD: () => (/* binding */ attempt),
/* harmony export */   Hd: () => (/* binding */ isTerminal),
/* harmony export */   Lx: () => (/* binding */ newSlot),
/* harmony export */   V4: () => (/* binding */ outputs),
/* harmony export */   Z3: () => (/* binding */ snapshotsAt),
/* harmony export */   ce: () => (/* binding */ hasSaved),
/* harmony export */   eb: () => (/* binding */ unseenEnd),
/* harmony export */   gi: () => (/* binding */ slotState),
/* harmony export */   i7: () => (/* binding */ isHeld),
/* harmony export */   om: () => (/* binding */ isWorthKeeping),
/* harmony export */   rt: () => (/* binding */ SLOT)
/* harmony export */ });
/* unused harmony exports OPEN_STATES, TERMINAL_STATES */
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/* harmony import */ var _layout_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(64046);
/* harmony import */ var _parse_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(13453);
/* harmony import */ var _runner_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(56910);
/**
 * The record of a slot: the only thing that decides. Every change is a compare-and-swap of the whole record, made by the holder or by a
 * takeover, and carries a fresh nonce. A terminal state is never written over.
 */




const OPEN_STATES = ['waiting', 'booting', 'running', 'interrupted'];
const TERMINAL_STATES = ['succeeded', 'failed', 'timed-out', 'stopped'];
/**
 * What the holder is busy with while the state is `booting` or `running`.
 * A runner: `enrolling` it gets its program and registers · `idle` it waits for a job · `job` it serves one · `draining` it takes no more
 */
const PHASES = ['restoring', 'gang', 'setup', 'script', 'saving', 'enrolling', 'idle', 'job', 'draining'];
/**
 * Why an attempt or a slot ended.
 * `exit` the script ended by itself · `setup` the set-up ended non-zero · `interrupted` announced reclaim · `stopped` somebody asked ·
 * `timed-out` the deadline · `lost` the holder went silent · `out-of-memory`, `disk-full` the machine's limit · `results-not-saved` the final
 * snapshot could not be stored · `store-full`, `store-lost` the store · `no-start` machines that never took the slot ·
 * `no-capacity` no machine was to be had, or the quota is used up · `denied` the group may not make one · `attempts` too many
 * attempts ended without notice · `no-progress` three announced interruptions in a row saved nothing new · `sibling` another slot failed (fail-fast)
 */
const CAUSES = [
    'exit',
    'setup',
    'interrupted',
    'stopped',
    'timed-out',
    'lost',
    'out-of-memory',
    'disk-full',
    'results-not-saved',
    'store-full',
    'store-lost',
    'no-start',
    'no-capacity',
    'denied',
    'attempts',
    'no-progress',
    'sibling',
];
/** Where a snapshot may lie, relative to its incarnation. */
const snapshotsAt = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(40, /^(base|slots\/\d{1,6}\/snap)\/$/, 'a folder of snapshots');
const REASON = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(65_536);
const snapshotRef = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
    digest: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .digest */ .br,
    at: snapshotsAt,
    epoch: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(),
    savedAt: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB,
    quiet: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .flag */ .Jt,
    files: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(),
    bytes: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(),
});
const attempt = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
    epoch: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(),
    holder: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .word */ .Vm,
    start: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB,
    end: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB),
    announced: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .flag */ .Jt),
    cause: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(...CAUSES)),
    reason: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(REASON),
    exitCode: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(65_535)),
    logEnd: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)()),
    from: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_parse_js__WEBPACK_IMPORTED_MODULE_1__/* .digest */ .br),
    saved: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .flag */ .Jt),
    savedAt: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB),
});
const slotState = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(...OPEN_STATES, ...TERMINAL_STATES);
const outputs = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .dictionary */ .zz)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(1 << 18), (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(1 << 18), 65_536);
const SLOT = {
    what: 'the record of a slot',
    most: 8 << 20,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
        v: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(_parse_js__WEBPACK_IMPORTED_MODULE_1__/* .VERSION */ .xv),
        nonce: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .nonce */ .KU,
        index: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(1_000_000),
        state: slotState,
        phase: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(...PHASES)),
        epoch: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(),
        holder: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_parse_js__WEBPACK_IMPORTED_MODULE_1__/* .word */ .Vm),
        released: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .flag */ .Jt),
        beat: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(),
        address: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .line */ .n8)(256)),
        head: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(snapshotRef),
        lastQuiet: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(snapshotRef),
        previous: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(snapshotRef),
        attempts: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)(attempt, 100_000),
        retried: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)()),
        cause: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(...CAUSES)),
        reason: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(REASON),
        exitCode: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(65_535)),
        outputs: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(outputs),
        summary: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(1 << 19)),
        claimed: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)()),
        jobs: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)(_runner_js__WEBPACK_IMPORTED_MODULE_2__/* .servedJob */ .b, 1000)),
        served: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)()),
        at: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB,
    }),
};
/** When an attempt ended whose end nobody saw: its next beat never came. `beat` in milliseconds; `at`: ISO, when it was found out. */
function unseenEnd(record, beat, at) {
    const last = new Date(Date.parse(record.at) + beat).toISOString();
    return last < at ? last : at;
}
/** It has a snapshot of its own: its head is not what was uploaded. */
function hasSaved(slot) {
    return slot.head !== undefined && slot.head.at !== _layout_js__WEBPACK_IMPORTED_MODULE_3__/* .BASE */ .Wm;
}
/** A machine was at work on it, or a former run left it a snapshot: there is something that somebody may want to see. */
function isWorthKeeping(slot) {
    return slot.attempts.length > 0 || hasSaved(slot);
}
function isTerminal(state) {
    return TERMINAL_STATES.includes(state);
}
/** Some machine has it in hand, and may have something to save. */
function isHeld({ state, holder, released }) {
    return !isTerminal(state) && holder !== undefined && released !== true;
}
function newSlot(index, nonce, at) {
    return { v: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .VERSION */ .xv, nonce, index, state: 'waiting', epoch: 0, beat: 0, attempts: [], at };
}


/***/ }),

/***/ 62023:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EQ: () => (/* binding */ lifetime),
/* harmony export */   Jf: () => (/* binding */ keptUntil),
/* harmony export */   KO: () => (/* binding */ mayRetry),
/* harmony export */   S9: () => (/* binding */ overtime),
/* harmony export */   ay: () => (/* binding */ hardDeadline),
/* harmony export */   y7: () => (/* binding */ SPEC),
/* harmony export */   yO: () => (/* binding */ MOST_SLOTS)
/* harmony export */ });
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/* harmony import */ var _parse_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(13453);
/* harmony import */ var _program_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7426);
/* harmony import */ var _records_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(70708);
/* harmony import */ var _runner_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(56910);
/** `spec.json`: what to run. Written once by the controller, read by every agent. Never holds a secret value. */





/** Machines of one deployment, at most. */
const MOST_SLOTS = 1000;
/** Seconds that a machine has left when the deadline has come. */
function overtime({ grace, reserve }) {
    return grace + reserve;
}
/** Milliseconds since 1970: nothing of any machine runs past it. */
function hardDeadline(lifetime) {
    return Date.parse(lifetime.deadline) + overtime(lifetime) * 1000;
}
/** Milliseconds since 1970: nothing is kept past it, whatever became of the machines. */
function keptUntil(lifetime) {
    return hardDeadline(lifetime) + lifetime.retention * 1000;
}
/** `used`: script retries so far. */
function mayRetry(rule, used, code, outOfMemory) {
    if (used >= rule.retries)
        return false;
    return rule.retryOn.length === 0 || rule.retryOn.includes(String(code)) || (outOfMemory && rule.retryOn.includes('oom'));
}
const LINE = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .line */ .n8)(4096);
const LONG = 1e12;
const PATTERNS = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(65_536), 100_000);
const lifetime = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
    deadline: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB,
    grace: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(0, LONG),
    reserve: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(0, LONG),
    retention: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(0, LONG),
});
const COMMON = {
    v: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(_parse_js__WEBPACK_IMPORTED_MODULE_1__/* .VERSION */ .xv),
    id: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .label */ .Pf,
    incarnation: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .label */ .Pf,
    name: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .label */ .Pf,
    createdAt: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .time */ .kB,
    origin: _records_js__WEBPACK_IMPORTED_MODULE_3__/* .origin */ .TG,
    count: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(MOST_SLOTS, 1),
    lifetime,
    lease: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ beat: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(1, LONG), ttl: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(1, LONG), storeGrace: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(0, LONG) }),
    setup: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_program_js__WEBPACK_IMPORTED_MODULE_2__/* .program */ .D),
    env: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .dictionary */ .zz)(LINE, (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(8 << 20), 100_000),
    secretNames: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)(LINE, 100_000),
    retry: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
        maxAttempts: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(),
        lasted: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(0, LONG)),
        retries: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(),
        retryOn: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)(LINE, 1000),
    }),
    failFast: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .flag */ .Jt,
    gang: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .flag */ .Jt,
    agent: _parse_js__WEBPACK_IMPORTED_MODULE_1__/* .word */ .Vm,
    fingerprint: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .dictionary */ .zz)(LINE, LINE, 1000),
    rehearse: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ every: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(0, LONG), seed: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(-LONG, LONG) })),
};
const task = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
    ...COMMON,
    mode: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)('task'),
    program: _program_js__WEBPACK_IMPORTED_MODULE_2__/* .program */ .D,
    base: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_parse_js__WEBPACK_IMPORTED_MODULE_1__/* .digest */ .br),
    workingDirectory: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(4096),
    output: PATTERNS,
    checkpoint: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ interval: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(0, LONG), globs: PATTERNS }),
    delivery: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
        path: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(4096)),
        outputLayout: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)('merge', 'index'),
        keepOnFailure: _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .flag */ .Jt,
    }),
});
const runner = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ ...COMMON, mode: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)('runner'), runner: _runner_js__WEBPACK_IMPORTED_MODULE_4__/* .runnerWork */ .k });
const isTask = (value) => typeof value === 'object' && value !== null && 'mode' in value && value.mode === 'task';
const SPEC = {
    what: 'the specification of a deployment',
    most: 32 << 20,
    shape: (value) => (isTask(value) ? task(value) : runner(value)),
};


/***/ }),

/***/ 37231:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A1: () => (/* binding */ isStoreError),
/* harmony export */   AD: () => (/* binding */ StoreError),
/* harmony export */   lu: () => (/* binding */ MAX_OBJECT_BYTES)
/* harmony export */ });
/** The largest body that `write` takes. Larger things are cut into chunks by whoever writes them. */
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;
class StoreError extends Error {
    name = 'StoreError';
    kind;
    constructor(kind, message, options) {
        super(message, options);
        this.kind = kind;
    }
}
function isStoreError(error, kind) {
    return error instanceof StoreError && (kind === undefined || error.kind === kind);
}


/***/ })

};
