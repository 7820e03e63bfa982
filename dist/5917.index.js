export const id = 5917;
export const ids = [5917];
export const modules = {

/***/ 35917:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ gcp_open)
});

// EXTERNAL MODULE: ./build/js/clouds/vm/cloud.js
var cloud = __webpack_require__(9178);
// EXTERNAL MODULE: ./build/js/clouds/vm/once.js
var once = __webpack_require__(74698);
// EXTERNAL MODULE: ./build/js/clouds/vm/storage.js
var storage = __webpack_require__(50634);
// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/vendors/google/login.js + 2 modules
var login = __webpack_require__(5741);
// EXTERNAL MODULE: ./build/js/clouds/vm/login.js
var vm_login = __webpack_require__(30);
// EXTERNAL MODULE: ./build/js/clouds/vm/transport.js
var transport = __webpack_require__(1814);
// EXTERNAL MODULE: ./build/js/lib/http.js
var http = __webpack_require__(78928);
// EXTERNAL MODULE: ./build/js/lib/record.js
var record = __webpack_require__(96645);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/clouds/vm/refusal.js
var vm_refusal = __webpack_require__(42987);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/passing.js
/**
 * The vendor's codes for errors that pass by themselves, of answers and of operations. A file of its own, because machines need it, too.
 * https://cloud.google.com/compute/docs/troubleshooting/api-errors
 */
const PASSING = /^(?:rateLimitExceeded|userRateLimitExceeded|RATE_LIMIT_EXCEEDED|operationRateLimitExceeded|concurrentOperationQuotaExceeded|backendError|internalError|INTERNAL_ERROR|INTERNAL|UNAVAILABLE|resourceNotReady|RESOURCE_NOT_READY|RESOURCE_OPERATION_RATE_EXCEEDED|SERVICE_UNAVAILABLE|OPERATION_CANCELED_BY_USER)$/;

;// CONCATENATED MODULE: ./build/js/clouds/gcp/errors.js
/** Google's errors → tpi's errors, including whose fault it is. */






/** An operation that ended with an error. The request can be repeated, but with another id: the same id would only return this operation. */
class FailedOperation extends vm_refusal/* Refusal */.P_ {
}
/** https://cloud.google.com/compute/docs/troubleshooting/api-errors · https://cloud.google.com/storage/docs/json_api/v1/status-codes */
const DISABLED = /^(?:accessNotConfigured|SERVICE_DISABLED)$/;
const LOGIN = /^(?:authError|required|invalid_grant|UNAUTHENTICATED|ACCESS_TOKEN_EXPIRED|ACCESS_TOKEN_TYPE_UNSUPPORTED)$/;
const DENIED = /^(?:forbidden|insufficientPermissions|IAM_PERMISSION_DENIED|PERMISSION_DENIED|PERMISSIONS_ERROR|SERVICE_ACCOUNT_ACCESS_DENIED|ACCESS_TOKEN_SCOPE_INSUFFICIENT)$/;
const QUOTA = /^(?:quotaExceeded|QUOTA_EXCEEDED|limitExceeded|LIMIT_EXCEEDED|RESOURCE_EXHAUSTED)$/;
const CAPACITY = /^(?:(?:ZONE_|REGION_)?RESOURCE_POOL_EXHAUSTED(?:_WITH_DETAILS)?|GPU_STOCKOUT|insufficientCapacity|UNSUPPORTED_OPERATION)$/;
/** `tried`: for people, such as "create template tpi-x". */
function errorOf(error, tried) {
    if (error instanceof errors/* TpiError */.at)
        return error;
    const { status, code, activation } = error instanceof vm_refusal/* Refusal */.P_ ? error : new vm_refusal/* Refusal */.P_('', {});
    const message = `gcp: could not ${tried}: ${(0,vm_refusal/* saidWith */.ig)(code, (0,lib_text/* messageOf */.bD)(error))}`;
    const options = { cause: error };
    if (DISABLED.test(code))
        return new errors/* AuthError */.lR(message, {
            ...options,
            hint: `switch that API on${activation === undefined ? '' : ` at ${activation}`}, and wait a few minutes`,
        });
    if (LOGIN.test(code) || status === 401)
        return new errors/* AuthError */.lR(message, {
            ...options,
            hint: 'log in again: google-github-actions/auth, gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS',
        });
    if (PASSING.test(code) || (0,vm_refusal/* isPassing */.WG)(status) || error instanceof http/* Unanswered */.XX)
        return new errors/* RemoteError */.Hi(message, { ...options, retryable: true });
    if (QUOTA.test(code))
        return new errors/* QuotaError */.ZP(message, { ...options, hint: 'ask Google for more: console, IAM & Admin, Quotas' });
    if (CAPACITY.test(code))
        return new errors/* CapacityError */.hG(message, { ...options, hint: (0,vm_refusal/* noRoom */.fj)('types') });
    if (DENIED.test(code) || status === 403)
        return new errors/* AuthError */.lR(message, { ...options, hint: 'see which permissions are needed: tpi permissions gcp' });
    if (status >= 400)
        return new errors/* InputError */.dz(message, options);
    return new errors/* RemoteError */.Hi(message, options);
}
/** The vendor's codes for "it does not exist", "it exists already", and "something else needs it". */
const GONE = /^(?:notFound|RESOURCE_NOT_FOUND)$/;
const THERE = /^(?:alreadyExists|conflict|RESOURCE_ALREADY_EXISTS)$/;
const USED = /^(?:resourceInUseByAnotherResource|RESOURCE_IN_USE_BY_ANOTHER_RESOURCE)$/;
const isOneOf = (error, codes) => error instanceof vm_refusal/* Refusal */.P_ && codes.test(error.code);
/** https://cloud.google.com/apis/design/errors#error_model, and its older form, which these services also use. */
function refusalOf(status, body) {
    const { message, errors, details, status: word } = (0,record/* fieldsIn */.t5)((0,record/* fieldsIn */.t5)(body)['error']);
    const [first] = Array.isArray(errors) ? errors.filter(record/* isRecord */.u4) : [];
    const info = (Array.isArray(details) ? details : []).filter(record/* isRecord */.u4);
    const named = info.find(({ reason }) => typeof reason === 'string');
    const link = (0,record/* fieldsIn */.t5)(named?.['metadata'])['activationUrl'] ?? /https:\/\/console\S+?(?=[\s,]|$)/.exec((0,record/* textIn */.r7)(message))?.[0];
    return new vm_refusal/* Refusal */.P_((0,record/* textIn */.r7)(message) || `the answer is ${status}`, {
        status,
        code: (0,record/* textIn */.r7)(first?.['reason']) || (0,record/* textIn */.r7)(named?.['reason']) || (0,record/* textIn */.r7)(word),
        activation: (0,record/* textIn */.r7)(link) || undefined,
    });
}
/** Requests that have a request id or change nothing may be repeated: https://cloud.google.com/storage/docs/retry-strategy */
const manner = {
    refusalOf,
    passes: (error) => error instanceof vm_refusal/* Refusal */.P_ && ((0,vm_refusal/* isPassing */.WG)(error.status) || (error.status === 403 && /^(?:user)?rateLimitExceeded$/i.test(error.code))),
};

;// CONCATENATED MODULE: ./build/js/clouds/gcp/sdk.js
/** The address of each service, and gcloud's variable for another address. */
const SERVICES = {
    compute: { url: 'https://compute.googleapis.com/compute/v1/', variable: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE' },
    storage: { url: 'https://storage.googleapis.com/storage/v1/', variable: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE' },
    iam: { url: 'https://iam.googleapis.com/', variable: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_IAM' },
    cloudbilling: { url: 'https://cloudbilling.googleapis.com/', variable: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDBILLING' },
    cloudresourcemanager: {
        url: 'https://cloudresourcemanager.googleapis.com/',
        variable: 'CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDRESOURCEMANAGER',
    },
};
/** `service:resource.method`, as in the vendor's discovery documents → method and path. */
const CALLS = {
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
};

;// CONCATENATED MODULE: ./build/js/clouds/gcp/api.js







const WORDS = {
    cloud: 'gcp',
    product: 'Google Cloud',
    vendor: 'Google',
    howToLogIn: 'use google-github-actions/auth, gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS',
    howToLogInAgain: 'log in again: google-github-actions/auth, gcloud auth application-default login',
};
class Api {
    region;
    #env;
    #named;
    #logins;
    #project = new once/* Once */.a();
    #source;
    constructor({ env, clock }, { region, project }) {
        this.#env = env;
        this.#logins = new vm_login/* Logins */.n({ words: WORDS, find: async () => (0,login/* googleLogin */.p3)(env), errorOf: errorOf, clock });
        this.region = region;
        this.#named = project;
    }
    /** `tried`: for people, such as "create group tpi-x". */
    async call(name, tried, ask = {}) {
        try {
            return await this.#send(name, ask);
        }
        catch (error) {
            ask.signal?.throwIfAborted();
            throw errorOf(error, tried);
        }
    }
    /** The same, but resolves to `undefined` if the vendor answers with one of these reasons. */
    async unless(reasons, name, tried, ask = {}) {
        try {
            return await this.#send(name, ask);
        }
        catch (error) {
            ask.signal?.throwIfAborted();
            if (isOneOf(error, reasons))
                return undefined;
            throw errorOf(error, tried);
        }
    }
    async login() {
        return this.#logins.login();
    }
    /** The project's id. */
    async project() {
        const project = this.#named ?? (0,login/* projectOf */.v8)(this.#env, await this.login());
        if (project !== undefined)
            return project;
        throw new errors/* InputError */.dz([
            {
                option: 'gcp-project',
                message: 'no project of Google Cloud is given',
                hint: 'give --gcp-project, or set GOOGLE_CLOUD_PROJECT',
            },
        ]);
    }
    /** The vendor's description of the project, read once. */
    async about() {
        return this.#project.get('', async () => this.call('compute:projects.get', `look at project ${await this.project()}`));
    }
    /** A source of tokens that are renewed in time; the store uses it too. */
    source() {
        this.#source ??= this.#logins.source(async (login) => login.lend());
        return this.#source;
    }
    /** The address of a service, with a trailing slash, if it is not the vendor's usual one. */
    elsewhere(service) {
        return (0,transport/* rootAt */.sb)(this.#env[SERVICES[service].variable]);
    }
    async #send(name, { path = {}, query = {}, body, signal }) {
        const [method, template] = CALLS[name];
        const service = name.slice(0, name.indexOf(':'));
        const known = { project: await this.project(), region: this.region, ...path };
        // In paths, the vendor expects the `:` of methods and the `@` of service accounts as they are.
        const below = (0,transport/* filled */.Bq)(template, known).replaceAll('%3A', ':').replaceAll('%40', '@');
        const url = new URL(below, this.elsewhere(service) ?? SERVICES[service].url);
        for (const [key, value] of Object.entries(query))
            if (value !== undefined)
                url.searchParams.set(key, String(value));
        // Otherwise one zone or region that does not answer fails the list for all of them:
        // https://cloud.google.com/compute/docs/reference/rest/v1/instances/aggregatedList. Version 2026-09-01 does that without being asked, but calls
        // that name no version get an older one: https://docs.cloud.google.com/compute/docs/api/how-tos/api-versioning-guide
        if (name.endsWith('.aggregatedList'))
            url.searchParams.set('returnPartialSuccess', 'true');
        const answer = await (0,transport/* send */.tN)({ method, url, body, held: template.endsWith('/wait') }, { source: this.source(), signal }, manner);
        return answer.value;
    }
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: ./build/js/wire/lifetime.js
var wire_lifetime = __webpack_require__(56963);
// EXTERNAL MODULE: ./build/js/clouds/vm/deadline.js
var deadline = __webpack_require__(1235);
// EXTERNAL MODULE: ./build/js/clouds/vm/operation.js
var operation = __webpack_require__(99786);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/operation.js
/** Resources of Google Cloud, which are made and removed by operations. */





/** Waits until the operation is over, or until the vendor has held the call for two minutes (`false`). Throws a `FailedOperation`. */
async function isOver(api, tried, operation, signal) {
    const call = operation.region ? 'compute:regionOperations.wait' : 'compute:globalOperations.wait';
    const ask = { path: { operation: operation.name ?? '' }, ...(signal && { signal }) };
    const done = operation.status === 'DONE' ? operation : await api.call(call, `see whether it was done: ${tried}`, ask);
    if (done.status !== 'DONE')
        return false;
    const failure = failureIn(done);
    if (failure)
        throw failure;
    return true;
}
/** Waits until an operation has succeeded. Throws if it fails, or takes longer than the vendor holds a call. */
async function through(api, tried, operation, signal) {
    const over = await isOver(api, tried, operation, signal).catch((error) => {
        throw errorOf(error, tried);
    });
    if (!over)
        throw new errors/* RemoteError */.Hi(`gcp: could not ${tried}: it is taking too long`, { retryable: true });
}
/** An operation that is DONE has succeeded only if it has no error. */
function failureIn({ error, httpErrorStatusCode }) {
    const [first] = error?.errors ?? [];
    if (!first)
        return undefined;
    return new FailedOperation(first.message || first.code || 'it failed', { status: httpErrorStatusCode ?? 0, code: first.code ?? '' });
}
function operated(api, { kind, name, signal, insert, followsNamesake, otherwise, find, erase }) {
    // A request that is repeated because its answer was lost has the same id, so that the vendor does it only once.
    let requestId = (0,external_node_crypto_.randomUUID)();
    const there = async () => {
        if ((await find()) !== undefined)
            return 'found';
        throw new errors/* RemoteError */.Hi(`gcp: could not create ${kind} ${name}: one of that name is still being made or removed`, { retryable: true });
    };
    const young = (error, tried) => retriedIfYoung(name, errorOf(error, tried));
    return (0,operation/* operated */.F)({ ...operations(api), ...(followsNamesake && { errorOf: young }) }, {
        kind,
        name,
        signal,
        put: async () => {
            const operation = await insert(requestId);
            return operation ? { operation, outcome: 'created' } : there();
        },
        ensuredBy: async (error) => {
            if (!(error instanceof FailedOperation))
                return undefined;
            requestId = (0,external_node_crypto_.randomUUID)();
            if (isOneOf(error, THERE))
                return there();
            return otherwise?.(error) ? 'pending' : undefined;
        },
        erase: erasing(erase),
    });
}
/** A resource that was found: it can only be removed. */
function leftover(api, { kind, name, erase }) {
    return (0,operation/* leftover */.w)(operations(api), { kind, name, erase: erasing(erase) });
}
const operations = (api) => ({
    isOver: async (operation, tried, signal) => isOver(api, tried, operation, signal),
    errorOf: errorOf,
    removedBy: (error) => {
        const cause = (0,vm_refusal/* refusalIn */.c3)(error);
        if (isOneOf(cause, GONE))
            return 'absent';
        return isOneOf(cause, USED) ? 'pending' : undefined;
    },
});
const erasing = (erase) => async () => (await erase()) ?? 'absent';
/** Makes the error retryable if it says that something of this name is missing: it was just made, and is not known everywhere yet. */
function retriedIfYoung(name, error) {
    const young = isOneOf((0,vm_refusal/* refusalIn */.c3)(error), GONE) && error.message.includes(name);
    return young ? new errors/* RemoteError */.Hi(error.message, { cause: error.cause, retryable: true }) : error;
}

;// CONCATENATED MODULE: ./build/js/clouds/gcp/firewall.js
/** The firewall rule that lets the machines of a deployment with several reach each other: by default, Google's networks admit nothing. */




const KIND = 'firewall rule';
/** The rights to make and remove a rule. */
const RIGHTS = ['compute.firewalls.create', 'compute.firewalls.delete', 'compute.networks.updatePolicy'];
/**
 * Whether the caller has these rights; `false`, too, if the project does not answer: then the attempt to make a rule shows it.
 * https://cloud.google.com/resource-manager/reference/rest/v1/projects/testIamPermissions
 */
async function mayMakeRules(api) {
    const asked = { body: { permissions: RIGHTS } };
    return api.call('cloudresourcemanager:projects.testIamPermissions', 'look at your permissions', asked).then(({ permissions }) => RIGHTS.every((right) => permissions?.includes(right)), () => false);
}
/**
 * Failures to make the rule that do not fail the deployment: the caller may not make one, has no quota left for one, or its organization forbids
 * it (a constraint: 412).
 */
const TOLERATED = [errors/* AuthError */.lR, errors/* QuotaError */.ZP, errors/* InputError */.dz];
/** Without a rule, the machines start anyway: most need not reach each other, or a rule of the network allows it. */
function firewall(api, { name, network, signal, warn, made }) {
    // https://cloud.google.com/compute/docs/reference/rest/v1/firewalls
    const body = {
        name,
        network,
        description: 'tpi-action: machines of one run',
        direction: 'INGRESS',
        sourceTags: [name],
        targetTags: [name],
        allowed: [{ IPProtocol: 'all' }],
    };
    const rule = operated(api, {
        kind: KIND,
        name,
        signal,
        insert: async (requestId) => api.unless(THERE, 'compute:firewalls.insert', `create ${KIND} ${name}`, { query: { requestId }, body }),
        find: async () => findFirewall(api, name),
        erase: eraseFirewall(api, name),
    });
    let without = false;
    return {
        ...rule,
        async ensure() {
            try {
                const ensured = await rule.ensure();
                made();
                return ensured;
            }
            catch (error) {
                if (!(error instanceof Error) || !TOLERATED.some((kind) => error instanceof kind))
                    throw error;
                without = true;
                warn(`${error.message}; machines of this run reach each other only if a rule of your network lets them`);
                return 'found';
            }
        },
        remove: async () => (without ? 'absent' : rule.remove()),
    };
}
async function findFirewall(api, name) {
    return api.unless(GONE, 'compute:firewalls.get', `look for ${KIND} ${name}`, { path: { firewall: name } });
}
/** `noted`: whether the template says that a rule was made. A caller who may not look for rules knows it only from there. */
async function leftoverFirewall(api, name, noted) {
    // A caller who may not look relies on the template. That is wrong only if a start was cut off between the rule and the template.
    const looked = async () => (await findFirewall(api, name).catch((0,errors/* ifDenied */.F4)(undefined))) !== undefined;
    if (!(await Promise.all([noted, looked()])).includes(true))
        return undefined;
    return leftover(api, { kind: KIND, name, erase: eraseFirewall(api, name) });
}
const eraseFirewall = (api, name) => async () => api.unless(GONE, 'compute:firewalls.delete', `remove ${KIND} ${name}`, { path: { firewall: name }, query: { requestId: (0,external_node_crypto_.randomUUID)() } });

// EXTERNAL MODULE: ./build/js/clouds/gcp/names.js
var names = __webpack_require__(37940);
// EXTERNAL MODULE: ./build/js/clouds/vm/spot-standby.js
var spot_standby = __webpack_require__(12239);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/standby-schedule.js
/**
 * What starts the twin of a spot group (`spot: prefer`): an autoscaler whose schedule has one date. It raises the wanted size of its group and never
 * lowers it, so from then on the group behaves like any other. Pure functions, for machines and commands.
 * https://cloud.google.com/compute/docs/autoscaler/scaling-schedules · https://cloud.google.com/compute/docs/reference/rest/v1/regionAutoscalers
 */

const SCHEDULE = 'tpi-standby';
const UPWARDS = 'ONLY_SCALE_OUT';
const MINUTE = 60_000;
/** Milliseconds by which a date must be in the future: the request takes some seconds, and clocks differ by some. */
const AHEAD = 15_000;
/** Seconds for which the schedule wants machines: the vendor looks at schedules only now and then, and refuses less than five minutes. */
const LASTS = 600;
/**
 * The policy at creation: off. Google refuses a policy that has only a schedule, so it also has a load target, which machines cannot exceed. Those
 * with shared cores can, because they burst: a busy one may then start the others of its group, `count` at most.
 * https://cloud.google.com/compute/docs/autoscaler/scaling-schedules#limitations · .../scaling-cpu
 * https://cloud.google.com/monitoring/api/metrics_gcp_c (`instance/cpu/utilization`)
 */
const offPolicy = (count) => ({
    mode: 'OFF',
    minNumReplicas: 0,
    maxNumReplicas: count,
    cpuUtilization: { utilizationTarget: 1 },
});
/** A change of the policy: its machines start on the first full minute after `wait` milliseconds, and not at all near the end. */
function startsIn(wait, { count, end }, now) {
    const at = new Date(Math.ceil((0,spot_standby/* standbyStart */.MU)(now, wait, end).getTime() / MINUTE) * MINUTE);
    const disabled = at.getTime() >= end;
    const schedule = `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} * ${at.getUTCFullYear()}`;
    return {
        autoscalingPolicy: {
            mode: UPWARDS,
            scalingSchedules: { [SCHEDULE]: { schedule, timeZone: 'UTC', durationSec: LASTS, minRequiredReplicas: count, disabled } },
        },
    };
}
/**
 * A change of the policy: its machines start on the next full minute, by the date alone. The schedule is not switched off afterwards: a
 * process that died before setting the group's size would leave it off. `undefined`: it is too late for machines.
 */
function startsSoon(twin, now) {
    const change = startsIn(AHEAD, twin, now);
    return isDisabled(change) ? undefined : change;
}
const scheduleOf = ({ autoscalingPolicy }) => autoscalingPolicy?.scalingSchedules?.[SCHEDULE] ?? {};
const isDisabled = (autoscaler) => scheduleOf(autoscaler).disabled === true;
/**
 * Whether its machines have begun to start, or it never had a date. `false`: the start is still to come, or is switched off because the end
 * is near.
 */
function isDue(autoscaler, now) {
    if (isDisabled(autoscaler))
        return false;
    const [minute, hour, day, month, , year] = (scheduleOf(autoscaler).schedule ?? '').split(' ').map(Number);
    const at = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute);
    return autoscaler.autoscalingPolicy?.mode !== UPWARDS || !(at > now);
}

// EXTERNAL MODULE: ./build/js/core/tags.js
var core_tags = __webpack_require__(42451);
// EXTERNAL MODULE: ./build/js/vendors/metadata-service.js
var metadata_service = __webpack_require__(84803);
// EXTERNAL MODULE: ./build/js/clouds/vm/bootstrap.js + 3 modules
var bootstrap = __webpack_require__(49801);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/boot.js
/** A machine's id is its number: if the group makes a machine again, the new one has the same name. */
const GCE = {
    python: `
def meta(p):
 u=B.get('metadata','http://169.254.169.254')+'/computeMetadata/v1/instance/'
 return http(u+p,{'Metadata-Flavor':'Google'}).read().decode()
def who():return meta('id'),meta('network-interfaces/0/ip')
def get(key):
 t=json.loads(meta('service-accounts/default/token'))['access_token']
 return http(B['url']+parse.quote(key,safe='')+'?alt=media',{'Authorization':'Bearer '+t})
`,
};

;// CONCATENATED MODULE: ./build/js/clouds/gcp/deadline.js

function untilDeadline({ lifetime }) {
    return { terminationTime: new Date((0,wire_lifetime/* hardDeadline */.ay)(lifetime)).toISOString(), instanceTerminationAction: 'DELETE' };
}

// EXTERNAL MODULE: ./build/js/clouds/gcp/sizes.js
var sizes = __webpack_require__(82214);
// EXTERNAL MODULE: ./build/js/core/tag-limits.js
var tag_limits = __webpack_require__(7021);
// EXTERNAL MODULE: ./build/js/clouds/vm/facts.js
var facts = __webpack_require__(11700);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/tags.js




/** Most labels of one resource, and most characters of a key or a value: https://cloud.google.com/compute/docs/labeling-resources#requirements */
const MOST = 64;
const LENGTH = 63;
const OURS = Object.keys(names/* LABEL */.d_).length;
/**
 * Most characters of all facts. A metadata value may have 262,144 bytes, and a character may take several of them:
 * https://cloud.google.com/compute/docs/metadata/setting-custom-metadata#limitations
 */
const FACTS_MOST = 200_000;
/** On machines and disks. The vendor allows only lower case, digits, dashes and underscores; the facts have the user's exact text. */
function labels({ id, incarnation, name, mode, user }) {
    const theirs = Object.entries(user).flatMap(([key, value]) => {
        const plain = labelText(key).replace(/^[^a-z]+/, '');
        return plain === '' || plain.startsWith('tpi-') ? [] : [[plain, labelText(value)]];
    });
    return {
        ...Object.fromEntries(theirs),
        [names/* LABEL */.d_.id]: id,
        [names/* LABEL */.d_.incarnation]: incarnation,
        [names/* LABEL */.d_.name]: labelText(name),
        [names/* LABEL */.d_.mode]: mode,
    };
}
const labelText = (text) => text
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '-')
    .slice(0, LENGTH);
/** `undefined`: tpi did not make it, or it was edited. */
function tagsOf({ properties }, tell) {
    const said = properties?.metadata?.items?.find(({ key }) => key === names/* FACTS */.qY)?.value;
    if (!said || said.length > FACTS_MOST)
        return undefined;
    const label = properties?.labels ?? {};
    return (0,facts/* factsIn */.PC)(() => said, { id: label[names/* LABEL */.d_.id], incarnation: label[names/* LABEL */.d_.incarnation] }, tell);
}
/** Faults of tags that Google Cloud cannot keep. Labels are shortened if necessary, so only their number and the length of all facts matter. */
function tagFaults(tags) {
    const faults = (0,tag_limits/* limitFaults */.P)(tags.user, { title: 'Google Cloud', reserved: /^tpi[-:_]/i, most: MOST - OURS });
    if ((0,core_tags/* tagsText */.XE)(tags).length <= FACTS_MOST)
        return faults;
    return [...faults, { option: 'tags', message: 'together they are longer than Google Cloud allows', hint: 'give fewer, or shorter ones' }];
}

;// CONCATENATED MODULE: ./build/js/clouds/gcp/template.js









/** The groups of a deployment: each has a template of the same name. */
const kindsOf = ({ tags, spot }) => (0,spot_standby/* groupKinds */.Rp)(spot, (0,names/* groupName */.hv)(tags), (0,names/* twinName */.u2)(tags));
const METADATA = [metadata_service/* METADATA_HOST */.XE, 'fd20:ce::254'];
/** Seconds of notice before a spot machine goes. https://cloud.google.com/compute/docs/instances/spot#preemption-process */
const NOTICE = 120;
function bootText(params, kind) {
    const first = (0,names/* groupName */.hv)(params.spec.tags);
    const { spec, settings, placement, endpoint, storage } = params;
    return (0,bootstrap/* vmUserData */.D)({
        cloud: 'gcp',
        spec,
        arch: placement.choice.arch,
        system: settings,
        ...(storage && { storage }),
        metadata: METADATA,
        dialect: GCE,
        side: {
            group: kind.name,
            project: placement.project,
            region: placement.region,
            ...(isEarly(params, kind) && { notice: String(NOTICE) }),
            ...(0,spot_standby/* twinSide */.A1)(spec, (0,names/* twinName */.u2)(spec.tags)),
            ...(kind.name !== first && { first }),
            ...(endpoint !== undefined && { endpoint }),
        },
    });
}
function templateInput(params, kind) {
    return { name: kind.name, description: `tpi-action: ${params.spec.tags.name}`, properties: propertiesOf(params, kind) };
}
function propertiesOf(params, kind) {
    const { spec, settings, placement } = params;
    const [machineType = ''] = placement.choice.types;
    const boot = bootText(params, kind);
    return {
        machineType,
        labels: labels(spec.tags),
        // The same text twice, for images that support only startup scripts. It runs only once, whichever way it starts.
        metadata: {
            items: [
                { key: 'user-data', value: boot },
                { key: 'startup-script', value: boot.replace(/^#cloud-boothook\n/, '') },
                { key: 'block-project-ssh-keys', value: 'true' },
                { key: names/* FACTS */.qY, value: (0,core_tags/* tagsText */.XE)(spec.tags) },
            ],
        },
        disks: [diskOf(params), ...Array.from({ length: placement.choice.ssds ?? 0 }, localDisk)],
        networkInterfaces: [
            {
                subnetwork: placement.network.subnetwork,
                ...(placement.network.network !== undefined && { network: placement.network.network }),
                ...((settings.publicAddress ?? !placement.network.nat) && { accessConfigs: [{ type: 'ONE_TO_ONE_NAT', name: 'external' }] }),
            },
        ],
        serviceAccounts: [{ email: placement.account.email, scopes: [...placement.account.scopes] }],
        // The firewall rule applies to this tag, and it tells a removal that there is a rule.
        ...(params.rule && { tags: { items: [(0,names/* groupName */.hv)(spec.tags)] } }),
        scheduling: schedulingOf(params, kind),
        ...(settings.reservation !== undefined && { reservationAffinity: affinityTo(settings.reservation) }),
        ...(placement.choice.added && {
            guestAccelerators: [{ acceleratorType: placement.choice.added.type, acceleratorCount: placement.choice.added.count }],
        }),
        // Some images have unsigned GPU drivers, so machines with a GPU boot without secure boot.
        ...(placement.image.uefi && {
            shieldedInstanceConfig: { enableSecureBoot: !(0,sizes.hasGpu)(placement.choice), enableVtpm: true, enableIntegrityMonitoring: true },
        }),
    };
}
/**
 * A reservation of this project, or one that another project shares.
 * https://docs.cloud.google.com/compute/docs/instances/reservations-consume#consuming_instances_from_a_specific_reservation
 */
function affinityTo(reservation) {
    const [name = '', project] = reservation.split('/').reverse();
    return {
        consumeReservationType: 'SPECIFIC_RESERVATION',
        key: 'compute.googleapis.com/reservation-name',
        values: [project === undefined ? name : `projects/${project}/reservations/${name}`],
    };
}
function diskOf({ spec, settings, placement }) {
    return {
        boot: true,
        autoDelete: true,
        initializeParams: {
            sourceImage: placement.image.url,
            diskType: placement.choice.disk,
            diskSizeGb: String((0,bootstrap/* diskGigabytes */.N)(spec, placement.image.gigabytes)),
            labels: labels(spec.tags),
        },
        ...(settings.customerKey !== undefined && { diskEncryptionKey: { kmsKeyName: settings.customerKey } }),
    };
}
/** https://cloud.google.com/compute/docs/disks/add-local-ssd */
const localDisk = () => ({
    type: 'SCRATCH',
    interface: 'NVME',
    autoDelete: true,
    initializeParams: { diskType: 'local-ssd' },
});
const isEarly = ({ early }, { spot }) => early && spot;
function schedulingOf(params, kind) {
    const { spec, placement } = params;
    const { spot } = kind;
    return {
        ...untilDeadline(spec.tags),
        automaticRestart: false,
        provisioningModel: spot ? 'SPOT' : 'STANDARD',
        onHostMaintenance: spot || !(0,sizes.canMove)(placement.choice) ? 'TERMINATE' : 'MIGRATE',
        ...(isEarly(params, kind) && { preemptionNoticeDuration: { seconds: String(NOTICE) } }),
    };
}
/**
 * Machines start in any zone that has room; broken machines are replaced in any zone that has room; machines are never moved to balance the zones.
 * https://cloud.google.com/compute/docs/instance-groups/about-instance-flexibility · .../regional-mig-distribution-shape
 *
 * A twin has the closest other shape: a group with `ANY` cannot have an autoscaler, which is what starts it.
 * https://cloud.google.com/compute/docs/instance-groups/regional-migs#autoscaling_a_regional_mig
 */
function groupInput({ spec, placement }, { name }) {
    const { types } = placement.choice;
    return {
        name,
        baseInstanceName: name,
        description: `tpi-action: ${spec.tags.name}`,
        targetSize: 0,
        instanceTemplate: `projects/${placement.project}/regions/${placement.region}/instanceTemplates/${name}`,
        distributionPolicy: {
            targetShape: name === (0,names/* twinName */.u2)(spec.tags) ? 'BALANCED' : 'ANY',
            zones: placement.zones.map((zone) => ({ zone: `projects/${placement.project}/zones/${zone}` })),
        },
        ...(types.length > 1 && { instanceFlexibilityPolicy: { instanceSelections: selectionsOf(types) } }),
        updatePolicy: { type: 'OPPORTUNISTIC', instanceRedistributionType: 'NONE' },
        // A repair may change the zone only if it also applies the newest template (`forceUpdateOnRepair`), which never changes here:
        // https://cloud.google.com/compute/docs/instance-groups/repair-vm-in-alternate-zone#limitations
        instanceLifecyclePolicy: { defaultActionOnFailure: 'REPAIR', forceUpdateOnRepair: 'YES', onRepair: { allowChangingZone: 'YES' } },
    };
}
/** The better half of the types comes first: within a half, the vendor takes the type that is least likely to be reclaimed. */
function selectionsOf(types) {
    const half = Math.ceil(types.length / 2);
    return {
        first: { machineTypes: types.slice(0, half), rank: 1 },
        second: { machineTypes: types.slice(half), rank: 2 },
    };
}

;// CONCATENATED MODULE: ./build/js/clouds/gcp/blueprint.js
/**
 * The stages in which a group is created, all named for one incarnation: its template, which has the dead-man's switch, and the group at size 0.
 * With `spot: prefer`, there are two of each, and the twin's autoscaler.
 */










const GROUP = 'group';
const AUTOSCALER = 'autoscaler';
/** Milliseconds for which something that was just made may not be known everywhere yet, though its operation is done. */
const YOUNG = 20_000;
function blueprintOf(api, params, { signal, log }) {
    const name = (0,names/* groupName */.hv)(params.spec.tags);
    const kinds = kindsOf(params.spec);
    const { mayRule = false } = params;
    let rule = false;
    const { network = '' } = params.placement.network;
    // The firewall rules of another project's network (shared VPC) belong to that project.
    const ours = network.includes(`/${params.placement.project}/`) && params.spec.tags.count > 1;
    const made = () => {
        rule = true;
    };
    const rules = ours ? [firewall(api, { name, network, signal, warn: log.warn, made })] : [];
    const templates = kinds.map((kind) => templateOf(api, kind, () => ({ ...params, rule: rule || (ours && mayRule) }), signal));
    const [, twin] = kinds;
    return [
        // A template says whether there is a rule, so it waits for the rule, unless the caller may make one: then the template says so in advance. If
        // that turns out wrong (no quota for the rule), the removal only makes one useless call.
        ...(mayRule ? [[...rules, ...templates]] : [rules, templates]),
        kinds.map((kind) => groupOf(api, kind, params, signal)),
        // Before any machine starts: if the caller may not make it, everything can still be undone.
        twin ? [autoscalerOf(api, twin, params, signal)] : [],
    ].filter((stage) => stage.length > 0);
}
function templateOf(api, kind, planned, signal) {
    const { name } = kind;
    // Whether to ask for an early notice: some projects and types do not support it.
    let early = true;
    const withoutNotice = (error) => {
        const refused = early && isNoticeRefused(error);
        if (refused)
            early = false;
        return refused;
    };
    return operated(api, {
        kind: 'template',
        name,
        signal,
        insert: async (requestId) => {
            const params = planned();
            (0,deadline/* refusePast */.X)(`template ${name}`, (0,wire_lifetime/* hardDeadline */.ay)(params.spec.tags.lifetime));
            const insert = async (id) => api.unless(THERE, 'compute:regionInstanceTemplates.insert', `create template ${name}`, {
                query: { requestId: id },
                body: templateInput({ ...params, early }, kind),
            });
            return insert(requestId).catch(async (error) => {
                if (!withoutNotice(error))
                    throw error;
                return insert((0,external_node_crypto_.randomUUID)());
            });
        },
        otherwise: withoutNotice,
        find: async () => findTemplate(api, name),
        erase: eraseTemplate(api, name),
    });
}
/** The refusal may be an answer, or a failed operation. */
function isNoticeRefused(error) {
    return (error instanceof errors/* InputError */.dz || error instanceof FailedOperation) && /preemptionNotice/i.test(error.message);
}
function groupOf(api, kind, params, signal) {
    const { name } = kind;
    const body = groupInput(params, kind);
    return operated(api, {
        kind: GROUP,
        name,
        signal,
        insert: async (requestId) => api.unless(THERE, 'compute:regionInstanceGroupManagers.insert', `create group ${name}`, { query: { requestId }, body }),
        followsNamesake: true,
        find: async () => findGroup(api, name),
        erase: eraseGroup(api, name),
    });
}
/** The twin's autoscaler: it does nothing until it gets a date (`standby-schedule.ts`). */
function autoscalerOf(api, { name }, { spec: { tags }, placement }, signal) {
    const target = `projects/${placement.project}/regions/${placement.region}/instanceGroupManagers/${name}`;
    const body = { name, target, autoscalingPolicy: offPolicy(tags.count) };
    return operated(api, {
        kind: AUTOSCALER,
        name,
        signal,
        insert: async (requestId) => api.unless(THERE, 'compute:regionAutoscalers.insert', `create ${AUTOSCALER} ${name}`, { query: { requestId }, body }),
        followsNamesake: true,
        find: async () => findAutoscaler(api, name),
        erase: eraseAutoscaler(api, name),
    });
}
async function findAutoscaler(api, name) {
    return api.unless(GONE, 'compute:regionAutoscalers.get', `look for the ${AUTOSCALER} ${name}`, { path: { autoscaler: name } });
}
async function findGroup(api, name) {
    return api.unless(GONE, 'compute:regionInstanceGroupManagers.get', `look for group ${name}`, { path: { instanceGroupManager: name } });
}
async function findTemplate(api, name) {
    return api.unless(GONE, 'compute:regionInstanceTemplates.get', `look for template ${name}`, { path: { instanceTemplate: name } });
}
const eraseGroup = (api, name) => async () => api.unless(GONE, 'compute:regionInstanceGroupManagers.delete', `remove group ${name}`, {
    path: { instanceGroupManager: name },
    query: { requestId: (0,external_node_crypto_.randomUUID)() },
});
const eraseAutoscaler = (api, name) => async () => api.unless(GONE, 'compute:regionAutoscalers.delete', `remove ${AUTOSCALER} ${name}`, {
    path: { autoscaler: name },
    query: { requestId: (0,external_node_crypto_.randomUUID)() },
});
const eraseTemplate = (api, name) => async () => api.unless(GONE, 'compute:regionInstanceTemplates.delete', `remove template ${name}`, {
    path: { instanceTemplate: name },
    query: { requestId: (0,external_node_crypto_.randomUUID)() },
});
/** Removes the twin's autoscaler, so that nothing can start the twin any more: only the maker could make another one. */
async function silence(api, name) {
    const operation = await eraseAutoscaler(api, name)();
    if (operation)
        await through(api, `remove ${AUTOSCALER} ${name}`, operation);
}
/**
 * Removes the group with its machines. The vendor deletes them first, and the operation lasts until they are gone (that of a resize does not).
 * https://cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers/delete · .../regionInstanceGroupManagers/resize
 */
function wholeGroup(api, of) {
    const twin = wholeTwin(api, of);
    return together(leftGroup(api, (0,names/* groupName */.hv)(of)), {
        ...twin,
        // A caller without the rights for a twin can remove a deployment that has none.
        remove: async () => ((await findGroup(api, twin.name)) ? twin.remove() : 'absent'),
    });
}
const leftGroup = (api, name) => leftover(api, { kind: GROUP, name, erase: eraseGroup(api, name) });
function wholeTwin(api, of) {
    const name = (0,names/* twinName */.u2)(of);
    return afterwards(leftover(api, { kind: AUTOSCALER, name, erase: eraseAutoscaler(api, name) }), leftGroup(api, name));
}
/**
 * The last stage is removed first: the groups, because a template can be removed only when no group uses it. The first group's template goes last,
 * because only it says that there is a rule.
 */
async function leftoversOf(api, of) {
    const [name, other] = [(0,names/* groupName */.hv)(of), (0,names/* twinName */.u2)(of)];
    const sought = findTemplate(api, name);
    const noted = sought.then((found) => found?.properties?.tags?.items?.includes(name) === true);
    const [first, second, group, twin, rule] = await Promise.all([
        sought,
        findTemplate(api, other),
        findGroup(api, name),
        findGroup(api, other),
        leftoverFirewall(api, name, noted),
    ]);
    const last = first && leftTemplate(api, name);
    const [stays, goes] = last && rule ? inOrder(last, rule) : [last, rule];
    const groups = [group && leftGroup(api, name), twin && wholeTwin(api, of)];
    return [[stays], [goes, second && leftTemplate(api, other)], groups]
        .map((stage) => stage.filter((one) => one !== undefined))
        .filter((stage) => stage.length > 0);
}
const leftTemplate = (api, name) => leftover(api, { kind: 'template', name, erase: eraseTemplate(api, name) });
/** Removes the first, then the second, as one resource with the second's name. */
function afterwards(first, second) {
    let gone = false;
    return {
        ...second,
        remove: async () => {
            gone ||= (await first.remove()) !== 'pending';
            return gone ? second.remove() : 'pending';
        },
    };
}
/** Removes both at the same time, under the name of the first. */
function together(first, second) {
    const gone = new Map();
    const remove = async (one) => {
        const removed = gone.get(one) ?? (await one.remove());
        if (removed !== 'pending')
            gone.set(one, removed);
        return removed;
    };
    return {
        ...first,
        remove: async () => {
            const all = await Promise.all([first, second].map(remove));
            return ['pending', 'removed'].find((one) => all.includes(one)) ?? 'absent';
        },
    };
}
/** Makes the first refuse its removal until the second is gone. */
function inOrder(first, second) {
    let gone = false;
    const stays = {
        ...first,
        remove: async () => {
            if (!gone)
                throw new errors/* RemoteError */.Hi(`it is removed after ${second.kind} ${second.name}, which is still there`);
            return first.remove();
        },
    };
    const goes = {
        ...second,
        remove: async () => {
            const removed = await second.remove();
            gone = removed !== 'pending';
            return removed;
        },
    };
    return [stays, goes];
}

// EXTERNAL MODULE: ./build/js/clouds/vm/doctor.js
var doctor = __webpack_require__(47168);
// EXTERNAL MODULE: ./build/js/clouds/vm/names.js
var vm_names = __webpack_require__(70839);
// EXTERNAL MODULE: ./build/js/clouds/vm/container-engine.js
var container_engine = __webpack_require__(99427);
// EXTERNAL MODULE: ./build/js/clouds/vm/faults.js
var faults = __webpack_require__(10510);
// EXTERNAL MODULE: ./build/js/clouds/vm/image-name.js
var image_name = __webpack_require__(53336);
// EXTERNAL MODULE: ./build/js/clouds/vm/region.js
var region = __webpack_require__(28035);
// EXTERNAL MODULE: ./build/js/clouds/vm/reservation.js
var vm_reservation = __webpack_require__(44465);
// EXTERNAL MODULE: ./build/js/clouds/gcp/machine-types.js
var machine_types = __webpack_require__(49361);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/image-name.js



const family = (project, x86, arm) => (arch) => ({ project, family: true, name: arch === 'arm64' ? arm : x86 });
/**
 * https://documentation.ubuntu.com/gcp/google-how-to/gce/find-ubuntu-images/ · https://cloud.google.com/compute/docs/images/os-details ·
 * https://cloud.google.com/deep-learning-vm/docs/images. Images with a driver of branch 570 are deprecated since 13 April 2026, and a family never
 * means a deprecated one: https://cloud.google.com/deep-learning-vm/docs/release-notes · https://cloud.google.com/compute/docs/images/image-families-best-practices
 */
const NAMED = {
    ubuntu: family('ubuntu-os-cloud', 'ubuntu-2404-lts-amd64', 'ubuntu-2404-lts-arm64'),
    'ubuntu-24.04': family('ubuntu-os-cloud', 'ubuntu-2404-lts-amd64', 'ubuntu-2404-lts-arm64'),
    'ubuntu-22.04': family('ubuntu-os-cloud', 'ubuntu-2204-lts', 'ubuntu-2204-lts-arm64'),
    debian: family('debian-cloud', 'debian-13', 'debian-13-arm64'),
    nvidia: () => ({ project: 'deeplearning-platform-release', family: true, name: 'common-cu129-ubuntu-2404-nvidia-580' }),
};
const FULL = /^(?:https:\/\/\S+\/compute\/v1\/)?projects\/([^/\s]+)\/global\/images\/(family\/)?([a-z][a-z0-9-]*)$/;
/** TPI wrote `user@project/name`, with the user for ssh, which is no longer needed. */
const SHORT = /^(?:[^@/\s]+@)?((?:[a-z0-9.-]+:)?[a-z][a-z0-9-]+)\/([a-z][a-z0-9-]*)$/;
/** `undefined`: this is not a name of an image; `imageFaults` says so. */
function imageQuery(text, arch) {
    const named = Object.hasOwn(NAMED, text) ? NAMED[text] : undefined;
    if (named)
        return named(arch);
    const [, project, part, name] = FULL.exec(text) ?? [];
    if (project !== undefined && name !== undefined)
        return { project, family: part !== undefined, name };
    const [, owner, short] = SHORT.exec(text) ?? [];
    return owner === undefined || short === undefined ? undefined : { project: owner, family: undefined, name: short };
}
const image_name_WORDS = {
    vendor: 'Google Cloud',
    named: Object.keys(NAMED),
    others: 'PROJECT/NAME, projects/PROJECT/global/images/NAME or projects/PROJECT/global/images/family/NAME',
};
/**
 * The image has NVIDIA's open kernel modules, which the newest GPUs require, and which do not support the oldest ones.
 * https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/kernel-modules.html ·
 * https://developer.nvidia.com/blog/nvidia-transitions-fully-towards-open-source-gpu-kernel-modules/
 */
function driverFaults(image, choice) {
    const [type = ''] = choice.types;
    const kind = choice.gpu?.kind ?? '';
    if ((image ?? (0,image_name/* usualImage */.Y8)((0,sizes.hasGpu)(choice))) !== 'nvidia' || !machine_types/* OLD_GPUS */.EV.includes(kind))
        return [];
    return [
        (0,image_name/* noDriver */.cN)(type, kind.toUpperCase(), 'name an image with closed kernel modules of NVIDIA, of branch 580 or older (PROJECT/NAME), or take another GPU, such as t4 or l4'),
    ];
}
function imageFaults(text, arch) {
    return text === undefined ? [] : (0,image_name/* imageNameFaults */.W)(image_name_WORDS, text, imageQuery(text, arch) !== undefined, arch);
}

// EXTERNAL MODULE: ./build/js/clouds/gcp/settings.js
var settings = __webpack_require__(51159);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/faults.js









/** https://cloud.google.com/compute/docs/instances/limit-vm-runtime */
const LIFE = { days: 120, limit: 'Google Cloud ends machines after' };
const STORAGE = { vendor: 'Google Cloud', noun: 'a bucket of Cloud Storage', such: 'gs://BUCKET/PREFIX' };
const IDENTITY = {
    right: /^[^\s,@]+@[^\s,@]+(?:,scopes=[^\s,]+(?:,[^\s,]+)*)?$/,
    noun: 'a service account',
    hint: 'write its e-mail address: NAME@PROJECT.iam.gserviceaccount.com',
};
const RESERVATION = {
    right: /^(?:[a-z][a-z0-9-]{4,28}[a-z0-9]\/)?[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    such: 'its name, or PROJECT/NAME of one that is shared',
    place: '--region us-central1-b',
};
function reservedFaults({ reservation, zone }, { size, spot }) {
    return (0,vm_reservation/* reservationFaults */.E)(RESERVATION, { reservation, size, spot, placed: zone !== undefined }, sizes.typesOf);
}
/** `storage`: as the user gave it. */
function faultsOf(spec, storage) {
    return [...requestFaults(spec), ...tagFaults(spec.tags), ...(0,faults/* storageFaults */.D)(spec.tags, storage, STORAGE, LIFE)];
}
function requestFaults(request) {
    const choice = (0,sizes.typesOf)(request.size);
    return [
        ...(0,region/* faultsOfRegion */.rX)(settings/* REGIONS */.i, request.region),
        ...(0,sizes.sizeFaults)(request.size),
        ...(choice ? [...imageFaults(request.image, choice.arch), ...driverFaults(request.image, choice)] : []),
        ...(0,container_engine/* engineFaults */.E)(request, (0,image_name/* usualImage */.Y8)(choice !== undefined && (0,sizes.hasGpu)(choice))),
        ...spotFaults(request),
        ...(0,faults/* permissionFaults */.$)(request, IDENTITY),
    ];
}
function spotFaults({ spot }) {
    if (spot.want === 'never' || spot.maxPrice === undefined)
        return [];
    return [
        {
            option: 'max-price',
            message: 'Google Cloud has no price limits: spot machines of a type cost the same for everybody',
            hint: 'leave it out',
        },
    ];
}

// EXTERNAL MODULE: ./build/js/clouds/vm/permissions.js
var permissions = __webpack_require__(36371);
// EXTERNAL MODULE: ./build/js/clouds/gcp/permissions.js
var gcp_permissions = __webpack_require__(4744);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/permission-check.js



/** Asks for all permissions of the printed role. */
async function callerCheck(api) {
    const wanted = (0,gcp_permissions.callerPermissions)();
    const asked = { body: { permissions: wanted } };
    const tested = await api
        .call('cloudresourcemanager:projects.testIamPermissions', 'look at your permissions', asked)
        .catch((error) => (0,doctor/* unchecked */.VJ)('permissions', error));
    if ('says' in tested)
        return tested;
    const missing = wanted.filter((name) => !tested.permissions?.includes(name));
    return missing.length === 0 ? `you have all ${wanted.length} that tpi uses` : permissionCheck(missing);
}
/** Permissions for storage may be granted on a single bucket, which this question does not show, so a lack of them is only a warning. */
function permissionCheck(missing) {
    const needed = missing.filter((name) => !name.startsWith('storage.'));
    return (0,permissions/* lackingCheck */.q)({ cloud: 'gcp', missing, needed, rights: gcp_permissions.RIGHTS, namesOf: ({ permissions }) => Object.keys(permissions) });
}

// EXTERNAL MODULE: ./build/js/clouds/vm/pages.js
var pages = __webpack_require__(63767);
// EXTERNAL MODULE: ./build/js/clouds/vm/identity.js
var identity = __webpack_require__(11541);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/identity.js
/**
 * The service account of machines: the one that the user names, or tpi's own for all deployments. An administrator who may grant roles makes tpi's
 * own once for a project, with its rights.
 * https://cloud.google.com/iam/docs/creating-custom-roles ; https://cloud.google.com/iam/docs/granting-changing-revoking-access
 */





const identity_THERE = /^ALREADY_EXISTS$/;
/** The version of policies with conditions: https://cloud.google.com/iam/docs/policies#versions */
const VERSION = 3;
async function makeShared(api) {
    const project = await api.project();
    const member = `serviceAccount:${(0,names/* accountOf */.XP)(project)}`;
    // The policy below names account and roles, so they must exist before.
    const [made] = await Promise.all([makeAccount(api), ...gcp_permissions.MACHINE_ROLES.map(async (role) => setRole(api, role))]);
    const bindings = gcp_permissions.MACHINE_ROLES.map(({ id, condition }) => ({ role: `projects/${project}/roles/${id}`, members: [member], condition }));
    await (0,identity/* onceKnown */.t)(async () => grant(api, bindings), passes);
    return made;
}
async function makeAccount(api) {
    const body = { accountId: names/* MACHINE_ACCOUNT */.Oh, serviceAccount: { displayName: 'machines of tpi' } };
    const tried = `create service account ${names/* MACHINE_ACCOUNT */.Oh}`;
    return (await api.unless(identity_THERE, 'iam:projects.serviceAccounts.create', tried, { body })) ? 'created' : 'found';
}
async function setRole(api, { id, title, permissions }) {
    const role = { title, includedPermissions: permissions, stage: 'GA' };
    const tried = `set what role ${id} may do`;
    if (await api.unless(identity_THERE, 'iam:projects.roles.create', tried, { body: { roleId: id, role } }))
        return;
    await api.call('iam:projects.roles.patch', tried, { path: { role: id }, query: { updateMask: 'title,includedPermissions' }, body: role });
}
/** Everything else in the project's policy stays as it is. */
async function grant(api, wanted) {
    const options = { requestedPolicyVersion: VERSION };
    const tried = `give ${names/* MACHINE_ACCOUNT */.Oh} its roles`;
    const policy = await api.call('cloudresourcemanager:projects.getIamPolicy', tried, { body: { options } });
    const missing = wanted.filter((one) => !(policy.bindings ?? []).some((other) => isGiven(one, other)));
    if (missing.length === 0)
        return;
    const bindings = [...(policy.bindings ?? []), ...missing];
    await api.call('cloudresourcemanager:projects.setIamPolicy', tried, { body: { policy: { ...policy, version: VERSION, bindings } } });
}
const isGiven = (one, by) => one.role === by.role &&
    one.condition?.expression === by.condition?.expression &&
    one.members.every((member) => by.members.includes(member));
/**
 * The account is not known there yet, or the policy has changed since it was read (its `etag`):
 * https://cloud.google.com/iam/docs/access-change-propagation
 */
function passes(error) {
    if ((0,errors/* isRetryable */.r3)(error))
        return true;
    const refusal = (0,vm_refusal/* refusalIn */.c3)(error);
    if (refusal?.code === 'ABORTED' || refusal?.status === 409)
        return true;
    return error instanceof errors/* InputError */.dz && refusal?.status === 400 && /does not exist/i.test(refusal.message);
}
const GONE_ACCOUNT = /^(?:notFound|NOT_FOUND|RESOURCE_NOT_FOUND)$/;
/** The account of a run's machines. Throws if the caller may not use it. TPI wrote `EMAIL,scopes=a,b`. */
async function chosenAccount(api, project, permissionSet) {
    const [email = '', ...rest] = (permissionSet ?? (0,names/* accountOf */.XP)(project)).split(',');
    const scopes = (rest.join(',').replace(/^scopes=/, '') || 'cloud-platform').split(',');
    const account = { email, scopes: scopes.map((scope) => (scope.includes('/') ? scope : `https://www.googleapis.com/auth/${scope}`)) };
    const right = 'iam.serviceAccounts.actAs';
    const tried = `look at service account ${email}`;
    const tested = await api
        .unless(GONE_ACCOUNT, 'iam:projects.serviceAccounts.testIamPermissions', tried, {
        path: { account: email },
        body: { permissions: [right] },
    })
        .catch((error) => {
        // The API is off, or IAM does not answer.
        if (error instanceof errors/* AuthError */.lR || error instanceof errors/* RemoteError */.Hi)
            return error;
        throw error;
    });
    if (tested instanceof errors/* TpiError */.at)
        return { ...account, unseen: tested };
    if (tested?.permissions?.includes(right))
        return account;
    const hint = permissionSet === undefined
        ? 'make it with what "tpi permissions gcp" prints, or name another service account'
        : 'check its e-mail address, and that you have roles/iam.serviceAccountUser on it';
    const message = tested ? `you may not use the service account ${email} (${right})` : `there is no service account ${email}`;
    throw new errors/* InputError */.dz([{ option: 'permission-set', message, hint }]);
}

;// CONCATENATED MODULE: ./build/js/clouds/gcp/scopes.js
/** Lists of a whole project, which Google gives by scope: a region, a zone, or what is global. */

/**
 * All pages of a list that the vendor may give in part (`returnPartialSuccess`). Which scopes are missing is said in `unreachables` by some lists, and
 * by a warning in place of their items by others.
 */
async function byScope(ask) {
    const lists = [];
    const away = new Set();
    for await (const { items, unreachables } of (0,pages/* pagesOf */.E)(ask, ({ nextPageToken }) => nextPageToken)) {
        for (const scope of unreachables ?? [])
            away.add(scopes_short(scope));
        for (const [scope, list] of Object.entries(items ?? {})) {
            if (list.warning?.code === 'UNREACHABLE')
                away.add(scopes_short(scope));
            else
                lists.push([scopes_short(scope), list]);
        }
    }
    return { lists, away: [...away] };
}
/** Some answers name a scope by its URL. */
const scopes_short = (scope) => /(?:regions|zones)\/[^/]+$/.exec(scope)?.[0] ?? scope;

;// CONCATENATED MODULE: ./build/js/clouds/gcp/placement.js











/** Throws with everything that is wrong at once. */
async function placementOf(api, settings, request) {
    const choice = (0,sizes.typesOf)(request.size);
    if (!choice)
        throw new errors/* InputError */.dz('machine: not a machine type of Google Cloud');
    const project = await api.project();
    const [sold, image, network, account] = await (0,cloud/* allFaults */.$z)([
        soldIn(api, settings, choice),
        imageOf(api, request.image ?? (0,image_name/* usualImage */.Y8)((0,sizes.hasGpu)(choice)), choice.arch),
        networkOf(api, settings),
        chosenAccount(api, project, request.permissionSet),
    ]);
    return { project, region: settings.region, ...sold, image, network, account };
}
async function soldIn(api, { region, zone }, choice) {
    const filter = choice.types.map((type) => `(name = "${type}")`).join(' OR ');
    const found = new Map();
    const { lists, away } = await byScope(async (pageToken) => api.call('compute:machineTypes.aggregatedList', 'look for machine types', { query: { filter, maxResults: 500, pageToken } }));
    for (const [scope, { machineTypes }] of lists)
        for (const { name } of machineTypes ?? [])
            found.set(name ?? '', (found.get(name ?? '') ?? new Set()).add((0,vm_names/* last */.HV)(scope)));
    const isHere = (name) => (zone === undefined ? name.startsWith(`${region}-`) : name === zone);
    const types = choice.types.filter((type) => [...(found.get(type) ?? [])].some(isHere));
    const zones = [...new Set(types.flatMap((type) => [...(found.get(type) ?? [])].filter(isHere)))].sort();
    if (types.length > 0)
        return { zones, choice: { ...choice, types } };
    // Perhaps they have it: that is no mistake of the user.
    const silent = away.map(vm_names/* last */.HV).filter(isHere).sort();
    if (silent.length > 0)
        throw new errors/* RemoteError */.Hi(`gcp: ${(0,lib_text/* listed */.KE)(silent)} does not answer`, { retryable: true });
    const elsewhere = [...new Set([...found.values()].flatMap((names) => [...names].map((name) => name.replace(/-[a-z]$/, ''))))].sort();
    const message = `${(0,lib_text/* listed */.KE)(choice.types.slice(0, 4))} is not available in ${zone ?? region}`;
    const hint = elsewhere.length > 0 ? `give other types, or a region that has them: ${(0,lib_text/* listed */.KE)(elsewhere.slice(0, 8))}` : 'check the spelling';
    throw new errors/* InputError */.dz([{ option: 'machine', message, hint }]);
}
async function imageOf(api, text, arch) {
    const query = imageQuery(text, arch);
    if (!query)
        throw new errors/* InputError */.dz(`image: "${text}" is not an image of Google Cloud`);
    const { project, name, family } = query;
    const tried = `look for the image ${text}`;
    const byName = async () => api.unless(GONE, 'compute:images.get', tried, { path: { project, image: name } });
    const byFamily = async () => api.unless(GONE, 'compute:images.getFromFamily', tried, { path: { project, family: name } });
    const image = (family === true ? undefined : await byName()) ?? (family === false ? undefined : await byFamily());
    if (!image)
        throw new errors/* InputError */.dz([{ option: 'image', message: `"${text}" does not exist, or you may not use it`, hint: 'name another one' }]);
    const own = image.architecture;
    if (own && own !== 'ARCHITECTURE_UNSPECIFIED' && own.toLowerCase() !== arch)
        throw (0,image_name/* ofOtherArch */.EC)(`"${text}"`, own.toLowerCase(), arch);
    return {
        url: `projects/${project}/global/images/${image.name ?? name}`,
        gigabytes: Number(image.diskSizeGb ?? 10),
        uefi: (image.guestOsFeatures ?? []).some(({ type }) => type === 'UEFI_COMPATIBLE'),
    };
}
/**
 * Whether machines can be in a subnetwork: others are reserved for load balancers, NAT and the like.
 * https://cloud.google.com/compute/docs/reference/rest/v1/subnetworks (purpose)
 */
function isForMachines({ purpose }) {
    return !purpose || purpose === 'PRIVATE' || purpose === 'PRIVATE_RFC_1918';
}
/** The interface that a template asks for has IPv4. https://cloud.google.com/compute/docs/reference/rest/v1/subnetworks (stackType) */
const isWithoutIpv4 = ({ stackType }) => stackType === 'IPV6_ONLY';
async function networkOf(api, { region, network = 'default', subnetwork }) {
    // A network of another project (shared VPC) is looked up there.
    const host = /^projects\/([^/]+)\//.exec(subnetwork ?? network)?.[1];
    const page = (pageToken) => ({
        path: host === undefined ? {} : { project: host },
        query: { maxResults: 500, pageToken },
    });
    const [subnets, routers] = await Promise.all([
        itemsOf(async (token) => api.call('compute:subnetworks.list', `look for subnetworks in ${region}`, page(token))),
        // A caller who may not read routers is treated as if there were none.
        itemsOf(async (token) => api.call('compute:routers.list', `look for routers in ${region}`, page(token))).catch((0,errors/* ifDenied */.F4)([])),
    ]);
    const fits = (subnet) => subnetwork === undefined ? (0,vm_names/* last */.HV)(subnet.network) === (0,vm_names/* last */.HV)(network) : subnet.name === (0,vm_names/* last */.HV)(subnetwork);
    const fitting = subnets.filter(fits);
    const found = fitting.find((subnet) => isForMachines(subnet) && !isWithoutIpv4(subnet));
    if (!found?.selfLink && subnetwork !== undefined && fitting[0])
        throw unusable(region, subnetwork, fitting[0]);
    if (!found?.selfLink)
        throw noNetwork(region, network, subnetwork);
    const nat = routers.some((router) => (0,vm_names/* last */.HV)(router.network) === (0,vm_names/* last */.HV)(found.network) && translates(router, found.selfLink));
    return { subnetwork: found.selfLink, ...(found.network && { network: found.network }), nat };
}
async function itemsOf(ask) {
    const all = [];
    for await (const { items } of (0,pages/* pagesOf */.E)(ask, ({ nextPageToken }) => nextPageToken))
        all.push(...(items ?? []));
    return all;
}
/**
 * Whether a router translates the addresses of a subnetwork's machines to public ones.
 * https://cloud.google.com/compute/docs/reference/rest/v1/routers (nats[])
 */
function translates({ nats }, subnetwork) {
    return (nats ?? []).some(({ type, sourceSubnetworkIpRangesToNat: which, subnetworks }) => {
        // It leads only to other private networks.
        if (type === 'PRIVATE')
            return false;
        if (which !== 'LIST_OF_SUBNETWORKS')
            return String(which).startsWith('ALL_SUBNETWORKS_');
        const own = (subnetworks ?? []).find(({ name }) => (0,vm_names/* last */.HV)(name) === (0,vm_names/* last */.HV)(subnetwork));
        // Machines have addresses of the primary range.
        return (own?.sourceIpRangesToNat ?? []).some((range) => range === 'ALL_IP_RANGES' || range === 'PRIMARY_IP_RANGE');
    });
}
function unusable(region, subnetwork, found) {
    const why = isForMachines(found)
        ? 'has only IPv6, and machines need IPv4'
        : 'is reserved for load balancers or NAT, and takes no machines';
    return new errors/* InputError */.dz([{ option: 'subnetwork', message: `${subnetwork} in ${region} ${why}`, hint: 'name another one' }]);
}
function noNetwork(region, network, subnetwork) {
    if (subnetwork !== undefined)
        return new errors/* InputError */.dz([{ option: 'subnetwork', message: `there is no ${subnetwork} in ${region}`, hint: 'name another one' }]);
    const hint = network === 'default'
        ? 'name one (--network), or make it: gcloud compute networks create default --subnet-mode=auto'
        : 'name another one, or give it a subnetwork there';
    return new errors/* InputError */.dz([{ option: 'network', message: `the network "${network}" has no subnetwork in ${region}`, hint }]);
}

// EXTERNAL MODULE: ./build/js/core/bucket-expiry.js
var bucket_expiry = __webpack_require__(1514);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/store.js
/** The bucket of a project and region: all deployments share it, each below its own prefix. */







async function storeAccess(api, env) {
    const bucket = (0,names/* bucketName */.EL)(await api.project(), api.region);
    return accessTo(bucket, api, env, forOwn(bucket, api));
}
/**
 * Credentials for tpi's own bucket, but not for one of another project: names of buckets are global, so somebody else may have made one of this
 * name first, to get at our data. Requests for objects cannot say whose bucket they mean, so its owner is checked before.
 */
function forOwn(bucket, api) {
    const source = api.source();
    const known = new once/* Once */.a();
    return {
        async get() {
            await known.get(bucket, async () => isOurs(api, bucket));
            return source.get();
        },
        refused: (held) => source.refused(held),
    };
}
/** Stores of all other regions that have one. https://cloud.google.com/storage/docs/json_api/v1/buckets/list */
async function otherStores(api, env) {
    const project = await api.project();
    const query = { project, prefix: (0,names/* bucketName */.EL)(project, ''), maxResults: 1000 };
    const { items = [] } = await api.call('storage:buckets.list', 'look for buckets of other regions', { query });
    const ours = items.filter(({ name, location = '' }) => name === (0,names/* bucketName */.EL)(project, location.toLowerCase()));
    const own = (0,names/* bucketName */.EL)(project, api.region);
    return ours.flatMap(({ name = '' }) => (name === own ? [] : [accessTo(name, api, env)]));
}
function accessTo(bucket, api, env, source = api.source()) {
    const endpoint = (api.elsewhere('storage') ?? env['STORAGE_EMULATOR_HOST'])?.replace(/\/(?:storage\/v1\/?)?$/, '');
    return {
        url: `gs://${bucket}`,
        settings: (0,storage/* addressSettings */.C1)(endpoint),
        source: (0,storage/* forStore */.n5)(source),
    };
}
function bucketResource(api, name, signal) {
    return (0,storage/* sharedStorage */.lA)({ kind: 'bucket', name, signal, isOurs: async () => isOurs(api, name), make: async () => make(api, name) });
}
/** `false`: there is none. The project's number is compared: a bucket of that name may belong to another project. */
async function isOurs(api, name) {
    const [bucket, number] = await Promise.all([
        api.unless(GONE, 'storage:buckets.get', `look at bucket ${name}`, { path: { bucket: name } }),
        projectNumber(api),
    ]);
    if (!bucket)
        return false;
    if (number !== undefined && bucket.projectNumber !== undefined && bucket.projectNumber !== number)
        throw foreign(name);
    return true;
}
async function locationOf(api, bucket) {
    return (await api.unless(GONE, 'storage:buckets.get', `look at bucket ${bucket}`, { path: { bucket } }))?.location;
}
/**
 * The project's number, with which the name of the default service account begins.
 * https://cloud.google.com/compute/docs/access/service-accounts#default_service_account
 */
async function projectNumber(api) {
    const { defaultServiceAccount } = await api.about();
    return /^(\d+)-compute@/.exec(defaultServiceAccount ?? '')?.[1];
}
function foreign(name) {
    return new errors/* InputError */.dz(`storage: the bucket ${name} is of another project`, { hint: 'name another one: --storage gs://BUCKET/PREFIX' });
}
/** One call sets everything, so a kill cannot leave a bucket half configured. */
async function make(api, name) {
    const body = {
        name,
        location: api.region.toUpperCase(),
        iamConfiguration: { uniformBucketLevelAccess: { enabled: true }, publicAccessPrevention: 'enforced' },
        // No soft deletion: removed objects are gone, and cost nothing any more.
        softDeletePolicy: { retentionDurationSeconds: '0' },
        lifecycle: {
            rule: [
                { action: { type: 'Delete' }, condition: { age: bucket_expiry/* EXPIRY */.G, matchesPrefix: ['tpi-'] } },
                { action: { type: 'AbortIncompleteMultipartUpload' }, condition: { age: storage/* CUT_OFF */.Vk } },
            ],
        },
    };
    const made = await api.unless(/^conflict$/, 'storage:buckets.insert', `create bucket ${name}`, {
        query: { project: await api.project() },
        body,
    });
    if (made)
        return 'created';
    // Another command of this project has made it, or it belongs to another project.
    const there = await isOurs(api, name).catch((error) => {
        throw isOneOf((0,vm_refusal/* refusalIn */.c3)(error), /^forbidden$/) ? foreign(name) : errorOf(error, `look at bucket ${name}`);
    });
    if (!there)
        throw new errors/* RemoteError */.Hi(`gcp: bucket ${name} does not exist yet`, { retryable: true });
    return 'found';
}

;// CONCATENATED MODULE: ./build/js/clouds/gcp/doctor.js










async function examine({ api, settings, prices }, request, store) {
    return (0,doctor/* examined */.uC)({
        // This also shows whether the API of Compute Engine is switched on.
        who: [
            'project',
            async () => {
                const [{ name }, login] = await Promise.all([api.about(), api.login()]);
                return `${name ?? ''} in ${settings.region}, as ${login.email ?? login.who}`;
            },
        ],
        faults: [...requestFaults(request), ...reservedFaults(settings, request)],
        placement: async () => placementOf(api, settings, request),
        choice: ({ choice, zones }) => ({ types: choice.types, zones: zones.length }),
        local: request.size.scratch,
        of: (found) => ({
            image: async () => `${(0,vm_names/* last */.HV)(found.image.url)}, ${found.image.gigabytes} GB`,
            identity: async () => machinesAre(found),
            'way out': async () => wayOut(settings, found),
            quota: async () => quota(api, found, request),
            price: async () => price(prices, found, request),
        }),
        besides: { permissions: async () => callerCheck(api), ...(store === 'own' && { bucket: async () => bucketCheck(api) }) },
    });
}
async function bucketCheck(api) {
    const name = (0,names/* bucketName */.EL)(await api.project(), api.region);
    return (0,storage/* storageCheck */.ke)({ name, isOurs: async () => isOurs(api, name) });
}
/** A service account that may not be used is reported with the faults of the machines. */
function machinesAre({ account: { email, unseen } }) {
    if (!unseen)
        return `machines are ${email}, which you may use`;
    const { says, ...check } = (0,doctor/* unchecked */.VJ)('identity', unseen);
    return { ...check, says: `machines are ${email}; whether you may use it cannot be seen: ${says}` };
}
/** Only max-cost depends on it. */
async function price(prices, placement, { spot }) {
    try {
        const quote = await prices.quote(placement, spot);
        return quote ? `${Number(quote.hour.toPrecision(3))} USD per hour, without disk and traffic` : 'not known for these types';
    }
    catch (error) {
        return (0,doctor/* unchecked */.VJ)('price', error);
    }
}
/** Machines download their program from Cloud Storage and leave the group by the API of Compute Engine, so they need a way out. */
function wayOut({ publicAddress }, { network }) {
    const where = (0,vm_names/* last */.HV)(network.subnetwork);
    if (network.nat)
        return `a NAT in ${where}: machines need no public address`;
    if (publicAddress !== false)
        return `a public address for each machine in ${where}`;
    return {
        what: 'way out',
        state: 'warning',
        says: `machines in ${where} have no public address, and no router there has a NAT`,
        hint: 'they reach only Google, and only with Private Google Access: make a Cloud NAT, or give --public-address true',
    };
}
/**
 * A project without a quota for spot machines (its limit is 0) needs the quota for ordinary ones instead.
 * https://cloud.google.com/compute/docs/instances/spot#quotas
 */
const isWithout = ({ metric, limit }) => (metric ?? '').startsWith('PREEMPTIBLE_') && (limit ?? 0) === 0;
/** https://cloud.google.com/compute/resource-usage#gpu_quota · https://cloud.google.com/compute/resource-usage#cpu_quota */
function metricsOf({ choice }, spot, known) {
    const [type = ''] = choice.types;
    if (choice.gpu) {
        const ordinary = `NVIDIA_${choice.gpu.kind.toUpperCase().replaceAll('-', '_')}_GPUS`;
        const ofSpot = `PREEMPTIBLE_${ordinary}`;
        if (!spot)
            return [ordinary, 'GPUS_ALL_REGIONS'];
        return [ofSpot, ...(known.some((one) => one.metric === ofSpot && isWithout(one)) ? [ordinary] : []), 'GPUS_ALL_REGIONS'];
    }
    const series = type.split('-')[0]?.toUpperCase() ?? '';
    // No page says that spot machines count against the quota of all regions.
    return [spot ? 'PREEMPTIBLE_CPUS' : 'CPUS_ALL_REGIONS', /^(?:E2|N1)$/.test(series) ? 'CPUS' : `${series}_CPUS`];
}
async function quota(api, placement, { spot, count }) {
    const [region, project] = await Promise.all([
        api.call('compute:regions.get', `look at quotas of ${api.region}`),
        api.about(),
    ]);
    const known = [...(region.quotas ?? []), ...(project.quotas ?? [])];
    return (0,doctor/* quotasOf */.hw)(spot.want, async (market) => quotaSays(known, placement, market, count));
}
function quotaSays(known, placement, spot, count) {
    const [type = ''] = placement.choice.types;
    const facts = machine_types/* CATALOGUE */.yh.find(({ name }) => name === type);
    const seen = metricsOf(placement, spot, known).flatMap((metric) => known.filter((one) => one.metric === metric));
    const each = ({ metric }) => (/GPUS/.test(metric ?? '') ? (placement.choice.gpu?.count ?? 1) : (facts?.cpu ?? 1));
    const room = (one) => (one.limit ?? 0) - (one.usage ?? 0);
    const says = (0,lib_text/* listed */.KE)(seen.map((one) => `${one.metric} ${one.usage ?? 0} of ${one.limit ?? 0}`), 'and');
    const short = seen.find((one) => room(one) < each(one) * count && !isWithout(one));
    if (seen.length === 0)
        return `not known for ${type}`;
    if (!short)
        return says;
    return {
        what: 'quota',
        state: 'fault',
        says: `${says}: ${(0,doctor/* needs */.eN)(type, each(short), count)} of ${short.metric}`,
        hint: `ask for more: console, IAM & Admin, Quotas, ${short.metric}`,
    };
}

// EXTERNAL MODULE: ./build/js/core/cloud.js
var core_cloud = __webpack_require__(7325);
// EXTERNAL MODULE: ./build/js/clouds/vm/sightings.js
var sightings = __webpack_require__(88627);
// EXTERNAL MODULE: ./build/js/clouds/vm/twin-looks.js
var twin_looks = __webpack_require__(28724);
// EXTERNAL MODULE: ./build/js/clouds/vm/messages.js
var messages = __webpack_require__(79659);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/messages.js
/** The vendor's messages about a group → messages for people, by the vendor's codes. */

const BUSY = 'Google Cloud is busy and tries again';
/**
 * The first match counts, against code and sentence. https://cloud.google.com/compute/docs/troubleshooting/troubleshooting-vm-creation ·
 * https://cloud.google.com/compute/docs/resource-error ·
 * https://cloud.google.com/compute/docs/instance-groups/troubleshooting-managed-instance-groups
 */
const REASONS = [
    // Limits for requests have names like those of quotas.
    { test: /RATE_?LIMIT|RATE_EXCEEDED|concurrent_?operations?_?quota/i, kind: 'info', text: BUSY },
    {
        test: /RESOURCE_POOL_EXHAUSTED|GPU_STOCKOUT|does not have enough resources|insufficientCapacity|currently unavailable/i,
        kind: 'capacity',
        text: 'Google Cloud has no such machine available; it keeps trying all zones and types that were given',
    },
    {
        test: /GPUS_ALL_REGIONS/i,
        kind: 'quota',
        text: 'the quota of the project for GPUs in all regions is used up: ask for more of GPUS_ALL_REGIONS (console, Quotas)',
        hopeless: true,
    },
    {
        test: /Quota 'PREEMPTIBLE_\w+' exceeded/i,
        kind: 'quota',
        text: 'the quota of the project for spot machines is used up: ask for more (console, IAM & Admin, Quotas), or use spot: false',
        hopeless: true,
        spotOnly: true,
    },
    {
        test: /QUOTA_EXCEEDED|quotaExceeded|LIMIT_EXCEEDED|Quota '.+' exceeded/i,
        kind: 'quota',
        text: 'a quota of the project is used up: ask for more (console, IAM & Admin, Quotas), or take another type or region',
        hopeless: true,
    },
    {
        test: /SERVICE_DISABLED|accessNotConfigured|API has not been used/i,
        kind: 'denied',
        text: 'an API of the project is switched off: switch it on at the address that follows',
        hopeless: true,
    },
    {
        test: /cloudkms\.\S+' denied/i,
        kind: 'denied',
        text: 'the disk of the machine could not be encrypted: the service agent of Compute Engine needs roles/cloudkms.cryptoKeyEncrypterDecrypter on the customer key',
        hopeless: true,
        option: 'customer-key',
    },
    {
        test: /SERVICE_ACCOUNT|service account/i,
        kind: 'denied',
        text: 'the service account of the machines is gone, or may not be used: tpi permissions gcp says what is needed',
        hopeless: true,
        option: 'permission-set',
    },
    {
        test: /PERMISSION|forbidden|Required '.+' permission|Access Not Configured/i,
        kind: 'denied',
        text: 'a permission is missing: tpi permissions gcp says which are needed',
        hopeless: true,
    },
    {
        test: /kms|cryptoKey/i,
        kind: 'denied',
        text: 'the disk of the machine could not be encrypted by the customer key: see that it is enabled, and in the region of the machines',
        hopeless: true,
        option: 'customer-key',
    },
    {
        test: /CONDITION_NOT_MET|orgpolicy|constraints\//i,
        kind: 'denied',
        text: 'a policy of the organization forbids such machines',
        hopeless: true,
    },
    {
        test: /preemptionNotice/i,
        kind: 'failure',
        text: 'Google Cloud does not give spot machines of this type two minutes of notice: take another type',
        hopeless: true,
        option: 'machine',
    },
    { test: /\/images\/|image resource/i, kind: 'failure', text: 'the image is not available', hopeless: true, option: 'image' },
    { test: /IP_SPACE_EXHAUSTED|ipSpaceExhausted/i, kind: 'failure', text: 'the subnetwork has no addresses left', option: 'subnetwork' },
    { test: /terminationTime|termination time/i, kind: 'info', text: 'the group is past its deadline and starts no more machines' },
    {
        test: /machineTypes|machine type|UNSUPPORTED_OPERATION/i,
        kind: 'capacity',
        text: 'this zone does not have this type; Google Cloud tries the others',
    },
    { test: /INTERNAL|SERVICE_UNAVAILABLE|RESOURCE_NOT_READY/i, kind: 'info', text: BUSY },
];
/** The reason why a machine could not be made. */
const reasonOf = (code, message) => (0,messages/* reasonIn */.Y)(REASONS, message, code);
/** The end of a machine whose removal was requested. */
const REMOVED = { text: 'it was removed from its group', kind: 'info' };
/**
 * By the type of an operation on the machine, the most telling first:
 * https://cloud.google.com/compute/docs/instances/monitor-migration-event · .../audit-logging (system events)
 */
const ENDS = [
    [/preempted$/, 'Google Cloud took the spot machine back', 'notice'],
    [/terminateOnHostMaintenance$/, 'Google Cloud took its host out of service', 'notice'],
    [/hostError$/, 'its host broke down', 'failure'],
    [/guestTerminate$/, 'it powered off by itself', 'failure'],
    [/repair\.recreateInstance$/, 'it was found unhealthy, and was recreated', 'failure'],
    [/stop$/, 'it was stopped', 'failure'],
    [/delete$/, REMOVED.text, REMOVED.kind],
];
/** How a machine ended, by the operations on it. The most telling one counts: that it was deleted does not say why. */
function endOf(types) {
    for (const [type, text, kind] of ENDS)
        if (types.some((one) => type.test(one)))
            return { text, kind };
    return { text: 'the reason was not given', kind: 'failure' };
}

;// CONCATENATED MODULE: ./build/js/clouds/gcp/observe.js
/** A group as people and the engine see it: managed instances as machines, what went wrong in plain words. */









/**
 * Machines in one question about operations: their ids are in its URL, and Google refuses one of more than 8192 characters.
 * https://github.com/googleapis/google-api-nodejs-client/issues/972
 */
const ASKED = 100;
/** What one controller has seen of one incarnation. The vendor's group forgets machines that are gone at once; this does not. */
class Watch {
    #api;
    #clock;
    #name;
    /** Name of the twin at full price (`spot: prefer`). */
    #twin;
    /** `undefined`: not known yet. If it is not found, it may just be too new. */
    #hasTwin;
    /** When the group was first seen. */
    #since;
    #incarnation;
    #seen = new sightings/* Sightings */.lL();
    #places = new Map();
    #twinLooks = new twin_looks/* TwinLooks */.b();
    /**
     * After this process has scaled to 0: machines that were seen alive since. Why they end is known, so the vendor need not be asked. `undefined`: it
     * still wants machines.
     */
    #unwanted;
    constructor(api, [name, twin], incarnation, clock) {
        this.#api = api;
        this.#clock = clock;
        this.#name = name;
        this.#twin = twin;
        this.#incarnation = incarnation;
    }
    /** The group that this process starts has a twin: a look need not find it to know that. */
    expectsTwin() {
        this.#hasTwin = true;
    }
    /** `expected`: this process has scaled to 0. */
    expectsNone(expected) {
        this.#unwanted = expected ? (this.#unwanted ?? new Set()) : undefined;
    }
    placeOf(machine) {
        return this.#places.get(machine);
    }
    async look() {
        const instances = async () => instancesOf(this.#api, this.#name, this.#incarnation);
        const unwanted = this.#unwanted;
        // At the first look all machines are new, so their details are requested at the same time.
        const [parts, first] = await Promise.all([this.#parts(), this.#since === undefined ? instances() : undefined]);
        if (parts.length === 0)
            return core_cloud/* ABSENT */.sj;
        this.#since ??= this.#clock.now();
        const managed = parts.flatMap((part) => part.managed);
        for (const error of byTime(parts.flatMap(({ errors }) => errors)))
            this.#tell(error);
        for (const instance of managed)
            this.#tellTry(instance);
        const present = new Map();
        for (const instance of managed) {
            const id = idOf(instance);
            if (id !== undefined)
                present.set(id, instance);
        }
        const unclear = [...present.keys()].some((id) => !this.#seen.get(id)?.startedAt);
        for (const [id, instance] of present)
            if (isAlive(instance))
                unwanted?.add(id);
        const lost = this.#seen.lost(new Set(present.keys()));
        const unexplained = lost.filter((id) => !unwanted?.has(id));
        const [facts, ends] = await Promise.all([first ?? (unclear ? instances() : new Map()), this.#operations(unexplained)]);
        for (const [id, instance] of present)
            this.#see(id, instance, facts.get(id));
        for (const id of lost)
            this.#lose(id, ends.get(id) ?? [], unwanted !== undefined);
        const wanted = parts.reduce((sum, { group: { targetSize } }) => sum + (targetSize ?? 0), 0);
        return this.#seen.observation(wanted, managed.length, this.#hasTwin === true);
    }
    /** Most deployments have no twin: once that is known, it is not read again. */
    async #parts() {
        const parts = await this.#twinLooks.look({
            first: async () => this.#part(this.#name),
            twin: async () => (this.#hasTwin === false ? undefined : this.#partOfTwin()),
            isFull,
            isUp: ({ group }) => isUp(group),
        });
        return parts.filter((part) => part !== undefined);
    }
    async #part(name) {
        const [group, managed, errors] = await Promise.all([findGroup(this.#api, name), this.#managed(name), this.#errors(name)]);
        return group && { group, managed, errors };
    }
    /** As long as the twin is empty, nothing else of it is read. */
    async #partOfTwin() {
        const group = await findGroup(this.#api, this.#twin);
        const isOld = this.#since !== undefined && this.#clock.now() - this.#since >= YOUNG;
        if (group || isOld)
            this.#hasTwin ??= group !== undefined;
        if (!group)
            return undefined;
        return isUp(group) ? this.#part(this.#twin) : { group, managed: [], errors: [] };
    }
    #see(id, instance, fact) {
        const before = this.#seen.get(id);
        const place = placeIn(instance.instance);
        const { zone, name } = place;
        this.#places.set(id, place);
        const startedAt = before?.startedAt ?? (0,sightings/* isoOf */.dF)(fact?.creationTimestamp);
        if (!before)
            this.#seen.eventLog.say(`start ${id}`, { at: startedAt ?? (0,sightings/* now */.tB)(), kind: 'info', text: `machine ${name} starts in ${zone}` });
        this.#seen.see(id, stateOf(instance, before), { startedAt, address: fact?.networkInterfaces?.[0]?.networkIP ?? undefined });
    }
    #lose(id, ends, unwanted) {
        const end = unwanted && ends.length === 0 ? REMOVED : endOf(ends.map(({ operationType }) => operationType ?? ''));
        this.#seen.lose(id, end, (0,sightings/* isoOf */.dF)(ends[0]?.insertTime), this.#places.get(id)?.name);
    }
    #tell({ error, timestamp }) {
        this.#seen.fail(reasonOf(error?.code ?? '', error?.message ?? ''), (0,sightings/* isoOf */.dF)(timestamp));
    }
    /** The errors of a machine's last attempt are there sooner than the group's list of errors. */
    #tellTry({ lastAttempt }) {
        for (const { code, message } of lastAttempt?.errors?.errors ?? [])
            this.#tell({ error: { code: code ?? '', message: message ?? '' } });
    }
    async #managed(name) {
        const ask = async (pageToken) => this.#api.unless(GONE, 'compute:regionInstanceGroupManagers.listManagedInstances', `look at machines of ${name}`, {
            path: { instanceGroupManager: name },
            query: { maxResults: 500, pageToken },
        });
        const found = [];
        for await (const page of (0,pages/* pagesOf */.E)(ask, (one) => one?.nextPageToken))
            found.push(...(page?.managedInstances ?? []));
        return found;
    }
    /** The errors of the group: a hundred at most. */
    async #errors(name) {
        const found = await this.#api.unless(GONE, 'compute:regionInstanceGroupManagers.listErrors', `look at what group ${name} did`, {
            path: { instanceGroupManager: name },
            query: { maxResults: 100 },
        });
        return found?.items ?? [];
    }
    /** The operations on these machines, newest first: only they tell why machines are gone. */
    async #operations(ids) {
        const all = [];
        for (let from = 0; from < ids.length; from += ASKED) {
            const filter = ids
                .slice(from, from + ASKED)
                .map((id) => `(targetId = ${id})`)
                .join(' OR ');
            const ask = async (pageToken) => this.#api.call('compute:globalOperations.aggregatedList', `find out why machines of ${this.#name} went away`, {
                query: { filter, maxResults: 500, pageToken },
            });
            for await (const { items } of (0,pages/* pagesOf */.E)(ask, ({ nextPageToken }) => nextPageToken))
                all.push(...Object.values(items ?? {}).flatMap(({ operations }) => operations ?? []));
        }
        const sorted = all.toSorted((a, b) => ((a.insertTime ?? '') < (b.insertTime ?? '') ? 1 : -1));
        return new Map(ids.map((id) => [id, sorted.filter(({ targetId }) => String(targetId) === id)]));
    }
}
/** Oldest first. */
const byTime = (errors) => errors.toSorted((a, b) => ((a.timestamp ?? '') < (b.timestamp ?? '') ? -1 : 1));
/** Instances of one incarnation, by number. */
async function instancesOf(api, name, incarnation) {
    const filter = `labels.${names/* LABEL */.d_.incarnation} = "${incarnation}"`;
    const ask = async (pageToken) => api.call('compute:instances.aggregatedList', `look at machines of ${name}`, { query: { filter, maxResults: 500, pageToken } });
    const all = [];
    for await (const { items } of (0,pages/* pagesOf */.E)(ask, ({ nextPageToken }) => nextPageToken))
        all.push(...Object.values(items ?? {}).flatMap(({ instances }) => instances ?? []));
    return new Map(all.map((instance) => [String(instance.id ?? ''), instance]));
}
/** The group wants machines, or has some, including those that are just being made and have no number yet. */
function isUp({ targetSize, currentActions = {} }) {
    const present = Object.values(currentActions ?? {}).reduce((sum, count) => sum + Number(count ?? 0), 0);
    return (targetSize ?? 0) > 0 || present > 0;
}
function idOf({ id }) {
    const text = String(id ?? '0');
    return text === '0' ? undefined : text;
}
const isFull = ({ group: { targetSize }, managed }) => managed.length > 0 && managed.length === targetSize && managed.every((instance) => stateOf(instance, undefined) === 'running');
/** Zone and name in the URL of a machine. */
function placeIn(url) {
    return { zone: /\/zones\/([^/]+)\//.exec(url ?? '')?.[1] ?? '', name: (0,vm_names/* last */.HV)(url) };
}
const isAlive = ({ instanceStatus }) => !/^(?:STOPPING|PENDING_STOP|STOPPED|SUSPENDING|SUSPENDED|TERMINATED|DEPROVISIONING)$/.test(String(instanceStatus));
/** https://cloud.google.com/compute/docs/instance-groups/getting-info-about-migs#verifying_that_managed_instances_are_running */
function stateOf({ currentAction, instanceStatus }, before) {
    if (/^(?:DELETING|ABANDONING|STOPPING|SUSPENDING)$/.test(currentAction ?? ''))
        return 'leaving';
    if (!isAlive({ instanceStatus }))
        return 'leaving';
    if (currentAction === 'RECREATING')
        return before?.state === 'running' || before?.state === 'leaving' ? 'leaving' : 'starting';
    return instanceStatus === 'RUNNING' && /^(?:NONE|VERIFYING|REFRESHING|RESTARTING)$/.test(currentAction ?? 'NONE') ? 'running' : 'starting';
}

;// CONCATENATED MODULE: ./build/js/clouds/gcp/list.js





/** https://cloud.google.com/compute/docs/reference/rest/v1/instanceTemplates/aggregatedList (filter: a regular expression for the whole name) */
const list_OURS = 'name eq "tpi-.*"';
async function foundGroups(api, leftOut, lost, id) {
    const query = { filter: list_OURS, maxResults: 500 };
    const [templates, groups] = await Promise.all([
        byRegion(async (pageToken) => api.call('compute:instanceTemplates.aggregatedList', 'look for templates', { query: { ...query, pageToken } })),
        byRegion(async (pageToken) => api.call('compute:instanceGroupManagers.aggregatedList', 'look for groups', { query: { ...query, pageToken } })),
    ]);
    const away = new Set([...templates.away, ...groups.away]);
    for (const where of away) {
        const error = new errors/* RemoteError */.Hi(`gcp: ${where} does not answer`, { retryable: true });
        if (!lost)
            throw error;
        lost(where, error);
    }
    const up = new Set(groups.lists.flatMap(([region, { instanceGroupManagers }]) => (instanceGroupManagers ?? []).filter(isUp).map(({ name }) => `${region} ${name}`)));
    const known = templates.lists
        .filter(([region]) => !away.has(region))
        .flatMap(([region, { instanceTemplates }]) => (instanceTemplates ?? []).map((template) => ({ template, region })));
    return deploymentsOf(known, up, leftOut).filter(({ tags }) => id === undefined || tags.id === id);
}
/** Each deployment once, though it may have two groups. `up`: groups of which something runs. */
function deploymentsOf(known, up, leftOut) {
    const all = new Map();
    for (const { template, region } of known) {
        const tags = tagsOf(template, leftOut);
        if (!tags || !isOf(tags, template.name))
            continue;
        const key = `${region} ${(0,names/* groupName */.hv)(tags)}`;
        const runs = all.get(key)?.phase === 'up' || up.has(`${region} ${template.name}`);
        all.set(key, { tags, region, phase: runs ? 'up' : 'stopped' });
    }
    return [...all.values()];
}
/** The template's name must say the same as its facts: only the maker of a deployment can have given it that name. */
const isOf = (tags, name) => name === (0,names/* groupName */.hv)(tags) || name === (0,names/* twinName */.u2)(tags);
const REGION = /^regions\//;
/** The lists of each region, and the regions that did not answer: templates and groups of tpi are in no other scope. */
async function byRegion(ask) {
    const { lists, away } = await byScope(ask);
    const regionOf = (scope) => (REGION.test(scope) ? [scope.replace(REGION, '')] : []);
    return {
        lists: lists.flatMap(([scope, list]) => regionOf(scope).map((region) => [region, list])),
        away: away.flatMap(regionOf),
    };
}

// EXTERNAL MODULE: ./build/js/clouds/vm/price.js
var vm_price = __webpack_require__(83158);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/lib/files.js
var files = __webpack_require__(59381);
// EXTERNAL MODULE: ./build/js/lib/shape.js
var shape = __webpack_require__(29611);
;// CONCATENATED MODULE: ./build/js/clouds/gcp/price-list.js
/**
 * What Compute Engine costs in a region, from the vendor's public catalogue, which prices the parts of machine types (cores, memory, GPUs). It has
 * tens of thousands of lines and no filter, so the prices that matter are kept in a file for half a day.
 * https://cloud.google.com/billing/docs/reference/rest/v1/services.skus/list
 */




/** Milliseconds. The catalogue itself may be twelve hours old. */
const AGE = 12 * 3600_000;
/** Lines in one answer, at most. */
const PAGE = 5000;
/** The fields that tpi reads of a line: https://cloud.google.com/apis/docs/system-parameters (fields) */
const FIELDS = 'nextPageToken,skus(description,category(usageType),serviceRegions,pricingInfo(pricingExpression(tieredRates(unitPrice(units,nanos)))))';
const LINE = (0,shape/* line */.n8)(256);
const kept = (0,shape/* object */.Ik)({ at: shape/* time */.kB, prices: (0,shape/* dictionary */.zz)(LINE, (0,shape/* number */.ai)(0, 1e6), 10_000) });
/** Throws if the catalogue does not answer. */
async function priceList(api, { home, clock }) {
    const folder = (0,external_node_path_.join)(home, 'prices');
    const file = (0,external_node_path_.join)(folder, `gcp-${api.region}.json`);
    const had = await (0,files/* readJson */.Vh)(file, kept).catch(() => undefined);
    const now = clock.date();
    if (had && Math.abs(now.getTime() - Date.parse(had.at)) < AGE)
        return had.prices;
    const prices = await asked(api);
    // If this command cannot store the list, the next one asks again.
    await (0,files/* makePrivate */.ux)(folder)
        .then(async () => (0,files/* writeJson */.GF)(file, { at: now.toISOString(), prices }))
        .catch(() => undefined);
    return prices;
}
async function asked(api) {
    const prices = {};
    const ask = async (pageToken) => api.call('cloudbilling:services.skus.list', 'look for prices', {
        query: { currencyCode: 'USD', pageSize: PAGE, fields: FIELDS, pageToken },
    });
    for await (const page of (0,pages/* pagesOf */.E)(ask, ({ nextPageToken }) => nextPageToken))
        for (const sku of page.skus ?? []) {
            const key = sku.serviceRegions?.includes(api.region) ? keyOf(sku) : undefined;
            const price = key === undefined ? 0 : usdOf(sku);
            if (key !== undefined && price > 0)
                prices[key] = Math.max(prices[key] ?? 0, price);
        }
    return prices;
}
/** Such as `N2D AMD Instance Core running in Americas`. Names of the oldest series have one more word, and C2 is called by its purpose. */
const PART = /^(?:Spot Preemptible )?(?:(Compute optimized)|([A-Z]\d+[A-Z]?)(?: AMD| Arm)?(?: Predefined)?)(?: Instance)? (Core|Ram) running in /;
/** Such as `Nvidia Tesla A100 80GB GPU attached to Spot Preemptible VMs running in Americas`. The newest names lack the maker. */
const GPU = /^(?:Nvidia )?(?:Tesla )?([A-Z]\d+(?: \d+GB)?) GPU (?:attached to Spot Preemptible VMs )?running in /;
/** The key of a line's price; `undefined`: tpi's machines do not use it (custom sizes, commitments, licences, single tenants …). */
function keyOf({ description = '', category }) {
    const spot = description.includes('Spot Preemptible');
    if (category?.usageType !== (spot ? 'Preemptible' : 'OnDemand'))
        return undefined;
    const [, optimized, series, part] = PART.exec(description) ?? [];
    const [, gpu] = GPU.exec(description) ?? [];
    const what = part === undefined ? gpu && `${gpu} gpu` : `${optimized === undefined ? series : 'c2'} ${part}`;
    return what === undefined ? undefined : `${spot ? 'spot' : 'full'} ${what}`.toLowerCase();
}
/** The price of the dearest tier: the first one may be free. */
function usdOf({ pricingInfo = [] }) {
    const rates = pricingInfo.at(-1)?.pricingExpression?.tieredRates ?? [];
    return Math.max(0, ...rates.map(({ unitPrice }) => Number(unitPrice?.units ?? 0) + (unitPrice?.nanos ?? 0) / 1e9));
}

;// CONCATENATED MODULE: ./build/js/clouds/gcp/price.js








/** vCPUs that are charged for types with shared cores. https://cloud.google.com/compute/docs/general-purpose-machines#e2-shared-core */
const CHARGED = { 'e2-micro': 0.25, 'e2-small': 0.5, 'e2-medium': 1 };
/** The catalogue's names of GPUs, if they differ from tpi's. */
const GPU_NAMES = { 'a100-80gb': 'a100 80gb', h100: 'h100 80gb', h200: 'h200 141gb' };
class Prices {
    #api;
    #context;
    #list = new once/* Once */.a();
    constructor(api, context) {
        this.#api = api;
        this.#context = context;
    }
    async quote({ choice }, spot) {
        const list = await this.#known();
        const types = choice.types.map((name) => typeOf(name, choice.added));
        const market = types.flatMap((type) => priceIn(list, type, 'spot') ?? []);
        const full = (0,vm_price/* fullOf */.Dx)(types.map((type) => priceIn(list, type, 'full')));
        return (0,vm_price/* quoteFor */.i1)(spot, full, market.length === 0 ? undefined : Math.min(...market));
    }
    /**
     * USD per hour of the dearest machine that exists. Without any: of the cheapest spot machine that may come, or of the preferred type at full price.
     * `undefined`: unknown.
     */
    async now(of) {
        const name = (0,names/* groupName */.hv)(of);
        const [list, template, group, present] = await Promise.all([
            this.#known(),
            findTemplate(this.#api, name),
            findGroup(this.#api, name),
            instancesOf(this.#api, name, of.incarnation),
        ]);
        if (!template || !group)
            return undefined;
        const { machineType, scheduling, guestAccelerators } = template.properties ?? {};
        const selections = Object.values(group.instanceFlexibilityPolicy?.instanceSelections ?? {});
        const wanted = selections.length > 0 ? selections.flatMap(({ machineTypes }) => machineTypes ?? []) : [machineType ?? ''];
        const [gpu] = guestAccelerators ?? [];
        const added = gpu ? { type: (0,vm_names/* last */.HV)(gpu.acceleratorType), count: gpu.acceleratorCount ?? 0 } : undefined;
        const priced = (type, model) => priceIn(list, typeOf(type, added), marketOf(model));
        const there = [...present.values()].map((instance) => priced((0,vm_names/* last */.HV)(instance.machineType), instance.scheduling?.provisioningModel));
        const model = scheduling?.provisioningModel;
        const prices = there.length > 0 ? there : wanted.map((type) => priced(type, model));
        const known = prices.filter((price) => price !== undefined);
        if (known.length === 0 || known.length < prices.length)
            return undefined;
        if (there.length > 0)
            return Math.max(...known);
        return marketOf(model) === 'spot' ? Math.min(...known) : known[0];
    }
    async #known() {
        return this.#list.get('', async () => priceList(this.#api, this.#context));
    }
}
const marketOf = (model) => (model === 'SPOT' ? 'spot' : 'full');
/** `undefined`: the type is not in the list, so its parts are unknown. */
function typeOf(name, added) {
    const known = machine_types/* CATALOGUE */.yh.find((type) => type.name === name && type.added === undefined);
    const kind = added && machine_types/* CATALOGUE */.yh.find((type) => (0,machine_types/* acceleratorOf */.lM)(type.gpu?.kind ?? '') === added.type)?.gpu?.kind;
    if (!known || !added)
        return known;
    return kind === undefined ? undefined : { ...known, added, gpu: { kind, count: added.count } };
}
/** USD per hour, without the disk. */
function priceIn(list, type, market) {
    if (!type)
        return undefined;
    const { name, cpu, memoryGiB, gpu } = type;
    const series = name.split('-')[0] ?? '';
    const parts = [
        [`${series} core`, CHARGED[name] ?? cpu],
        [`${series} ram`, memoryGiB],
        ...(gpu ? [[`${GPU_NAMES[gpu.kind] ?? gpu.kind} gpu`, gpu.count]] : []),
    ];
    const prices = parts.map(([what, count]) => (list[`${market} ${what}`] ?? Number.NaN) * count);
    const sum = prices.reduce((all, price) => all + price, 0);
    return Number.isNaN(sum) ? undefined : sum;
}

;// CONCATENATED MODULE: ./build/js/clouds/gcp/scale.js
/** Sets the size of a deployment's groups (one, or two): to 0, or from 0 to all machines. */










class GroupSizes {
    #api;
    #context;
    #name;
    #twin;
    /** By group: its last one. If another size was asked for since, it is not continued: the vendor would do nothing, because it has seen the id. */
    #changes = new Map();
    /** Parts of a start that has not fully succeeded yet. A part that is done is not repeated, because machines may have left since. */
    #starting = new once/* Once */.a();
    /** When something that this process had just made was first missing. */
    #missingSince;
    constructor(api, of, context) {
        this.#api = api;
        this.#context = context;
        this.#name = (0,names/* groupName */.hv)(of);
        this.#twin = (0,names/* twinName */.u2)(of);
    }
    /** Ends everything. The twin's autoscaler is removed first, for good, so that a late command cannot start it again. */
    async end() {
        this.#starting = new once/* Once */.a();
        await Promise.all([this.#resize(this.#name, 0), this.#endTwin()]);
    }
    async #endTwin() {
        if (!(await findGroup(this.#api, this.#twin)))
            return;
        await silence(this.#api, this.#twin);
        await this.#resize(this.#twin, 0);
    }
    /** The twin gets its date only now: machines that start before everything is ready would find nothing to do. */
    async start(spec) {
        this.#context.signal.throwIfAborted();
        const { count } = spec.tags;
        const plan = (0,spot_standby/* standbyPlan */.Lp)(spec);
        await Promise.all([
            this.#starting.get(`group ${count}`, async () => this.#grow(count, 'new')),
            plan && this.#starting.get(`standby ${count}`, async () => this.#schedule(count, plan)),
        ]);
        this.#starting = new once/* Once */.a();
    }
    /** Grows both groups, even if another command made them. If the twin's start is still to come, it stays as it is. */
    async resume(count) {
        await Promise.all([this.#grow(count), this.#growTwin(count)]);
    }
    async #grow(count, age) {
        if (await this.#resize(this.#name, count, age && this.#context.signal))
            return;
        throw new errors/* RemoteError */.Hi(`gcp: group ${this.#name} does not exist`, { retryable: age === 'new' && this.#isYoung() });
    }
    async #growTwin(count) {
        if (!(await findGroup(this.#api, this.#twin)))
            return;
        const schedule = await findAutoscaler(this.#api, this.#twin);
        const now = this.#context.clock.date().getTime();
        if (!schedule || !isDue(schedule, now))
            return;
        // The end of the group is unknown here; near the end, the schedule is not due.
        const change = startsSoon({ count, end: Infinity }, now);
        if (change)
            await this.#change(change);
    }
    async #schedule(count, { wait, end }) {
        const now = this.#context.clock.date().getTime();
        if (await this.#change(startsIn(wait * 1000, { count, end }, now)))
            return (0,spot_standby/* tellStandby */.lB)(this.#context.log, (0,spot_standby/* standbyStart */.MU)(now, wait * 1000, end), end);
        if (this.#isYoung())
            throw new errors/* RemoteError */.Hi(`gcp: autoscaler ${this.#twin} does not exist yet`, { retryable: true });
        this.#context.log.warn(`no machines at full price will start: autoscaler ${this.#twin} does not exist any more`);
    }
    /** Whether something that is missing may just be too new to be found. If not, somebody has ended both groups. */
    #isYoung() {
        const now = this.#context.clock.now();
        this.#missingSince ??= now;
        return now - this.#missingSince < YOUNG;
    }
    /** `false`: there is no autoscaler. */
    async #change(body) {
        const tried = `set when group ${this.#twin} starts`;
        const query = { autoscaler: this.#twin, requestId: (0,external_node_crypto_.randomUUID)() };
        const operation = await this.#api.unless(GONE, 'compute:regionAutoscalers.patch', tried, { query, body });
        if (operation)
            await through(this.#api, tried, operation);
        return operation !== undefined;
    }
    /** Waits until the change is planned, because it may fail only then. Only a start obeys a signal. `false`: there is no such group. */
    async #resize(name, size, signal) {
        const last = this.#changes.get(name);
        const change = last?.size === size ? last : { size, requestId: (0,external_node_crypto_.randomUUID)() };
        this.#changes.set(name, change);
        const forget = () => {
            if (this.#changes.get(name) === change)
                this.#changes.delete(name);
        };
        const there = await this.#through(change, name, signal).catch((error) => {
            const cause = (0,vm_refusal/* refusalIn */.c3)(error);
            if (cause instanceof FailedOperation)
                forget();
            if (isOneOf(cause, GONE))
                return false;
            throw error;
        });
        forget();
        return there;
    }
    async #through(change, name, signal) {
        const { size, requestId } = change;
        const tried = `scale group ${name} to ${size}`;
        const ask = { path: { instanceGroupManager: name }, query: { size, requestId } };
        const operation = change.operation ?? (await this.#api.unless(GONE, 'compute:regionInstanceGroupManagers.resize', tried, ask));
        if (!operation)
            return false;
        change.operation = operation;
        await through(this.#api, tried, operation, signal);
        return true;
    }
}

;// CONCATENATED MODULE: ./build/js/clouds/gcp/index.js



















async function gcp_open(context) {
    return new Google(context, (0,settings/* settingsOf */.f)(context));
}
/** Milliseconds: the vendor does not promise how soon an answer shows a change; usually it takes seconds. */
const SETTLING = 5000;
const VENDOR = {
    place: placementOf,
    archOf: ({ choice }) => choice.arch,
    faultsOf: faultsOf,
    requestFaults: requestFaults,
    reservedFaults: reservedFaults,
    regionOf: locationOf,
    bucket: bucketResource,
    access: async (keeper, { env }) => storeAccess(keeper, env),
};
class Google extends cloud/* MachineCloud */.zS {
    settling = SETTLING;
    /** The region in which `list` has found a group, by the group's name. */
    #regions = new Map();
    #apis = new Map();
    /** By region and group: a group's region may become known only after the first look. */
    #watches = new Map();
    /** By region. */
    #prices = new Map();
    #rights = new once/* Once */.a();
    /** By region and group, like the watches. */
    #sizes = new Map();
    constructor(context, settings) {
        super(context, settings, VENDOR, (0,cloud/* apisOf */.nF)(context, settings, Api));
        for (const one of [this.keeper, this.api])
            this.#apis.set(one.region, one);
    }
    reopened(context, region) {
        return new Google(context, (0,settings/* settingsOf */.f)(context, region));
    }
    async whoami() {
        const [{ name }, login] = await Promise.all([this.api.about(), this.api.login()]);
        return { name: `project ${name ?? (await this.api.project())} (${login.email ?? login.who}, ${this.settings.region})` };
    }
    async otherStores() {
        return this.settings.named ? [] : otherStores(this.keeper, this.context.env).catch((0,storage/* ownAlone */.Wf)(this.context.log));
    }
    async faults(spec) {
        // In parallel with all other questions; `blueprint` needs the answer.
        void this.#mayRule(spec);
        return super.faults(spec);
    }
    async blueprint(spec) {
        const endpoint = this.api.elsewhere('compute');
        const [placement, { settings: storage }, mayRule] = await Promise.all([this.placement(spec), this.store(''), this.#mayRule(spec)]);
        const params = {
            early: true,
            spec,
            settings: this.settings,
            placement,
            mayRule,
            ...(storage && { storage }),
            ...(endpoint && { endpoint }),
        };
        return blueprintOf(this.api, params, this.context);
    }
    async leftovers(of) {
        return leftoversOf(this.#apiOf(of), of);
    }
    steadyLeftovers = () => true;
    wholeGroup(of) {
        return wholeGroup(this.#apiOf(of), of);
    }
    async start(spec) {
        const watch = this.#watch(spec.tags);
        if (spec.spot.want === 'prefer')
            watch.expectsTwin();
        await this.#sizesOf(spec.tags).start(spec);
        watch.expectsNone(false);
    }
    async resume(of, count) {
        await this.#sizesOf(of).resume(count);
        this.#watch(of).expectsNone(false);
    }
    async end(of) {
        await this.#sizesOf(of).end();
        this.#watch(of).expectsNone(true);
    }
    async observe(of) {
        return this.#watch(of).look();
    }
    /** Lists all regions at once: a project has one list for all of them. */
    async list(lost, id) {
        const all = await foundGroups(this.api, this.leftOut(lost, id), lost, id);
        for (const { tags, region } of all)
            this.#regions.set((0,names/* groupName */.hv)(tags), region);
        return all.map(({ tags, phase }) => ({ tags, phase }));
    }
    async price(of) {
        return this.#pricesAt(this.#apiOf(of)).now(of);
    }
    async quote(request) {
        const placement = await this.placement(request);
        const quote = await this.#pricesAt(this.api).quote(placement, request.spot);
        return quote && { ...quote, reach: { addressed: this.settings.publicAddress ?? !placement.network.nat, zones: placement.zones.length } };
    }
    async whySilent(of, machine) {
        const place = this.#watch(of).placeOf(machine);
        if (!place)
            return 'its console cannot be read: it is not among the machines of its group';
        const { zone, name } = place;
        const tried = `read the console of ${name}`;
        const said = await this.#apiOf(of).unless(GONE, 'compute:instances.getSerialPortOutput', tried, { path: { zone, instance: name } });
        return (0,cloud/* consoleSays */.aP)(said?.contents ?? '');
    }
    async establish() {
        const made = await makeShared(this.api);
        const project = await this.api.project();
        const said = (0,cloud/* established */.b5)(`service account ${(0,names/* accountOf */.XP)(project)}`, made);
        return [said, ...(0,gcp_permissions.besidesLines)(project, this.context.values)].join('\n');
    }
    async doctor(request, store) {
        return examine({ api: this.api, settings: this.settings, prices: this.#pricesAt(this.api) }, request, store);
    }
    /** A single machine needs no rule. */
    async #mayRule({ tags }) {
        return tags.count > 1 && this.#rights.get('', async () => mayMakeRules(this.api));
    }
    #pricesAt(api) {
        const prices = this.#prices.get(api.region) ?? new Prices(api, this.context);
        this.#prices.set(api.region, prices);
        return prices;
    }
    #apiOf(of) {
        const region = of.region ?? this.#regions.get((0,names/* groupName */.hv)(of)) ?? this.region;
        const api = this.#apis.get(region) ?? new Api(this.context, { ...this.settings, region });
        this.#apis.set(region, api);
        return api;
    }
    #watch(of) {
        return this.#known(this.#watches, of, (api) => new Watch(api, [(0,names/* groupName */.hv)(of), (0,names/* twinName */.u2)(of)], of.incarnation, this.context.clock));
    }
    #sizesOf(of) {
        return this.#known(this.#sizes, of, (api) => new GroupSizes(api, of, this.context));
    }
    #known(all, of, make) {
        const api = this.#apiOf(of);
        const key = `${api.region} ${(0,names/* groupName */.hv)(of)}`;
        const one = all.get(key) ?? make(api);
        all.set(key, one);
        return one;
    }
}


/***/ }),

/***/ 49361:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   By: () => (/* binding */ GPU_KINDS),
/* harmony export */   EV: () => (/* binding */ OLD_GPUS),
/* harmony export */   Gu: () => (/* binding */ disksOf),
/* harmony export */   lM: () => (/* binding */ acceleratorOf),
/* harmony export */   wk: () => (/* binding */ RETIRED),
/* harmony export */   yh: () => (/* binding */ CATALOGUE)
/* harmony export */ });
const HYPER = 'hyperdisk-balanced';
const COMMON = [2, 4, 8, 16, 32, 48, 64, 80];
/** The oldest first. */
const FAMILIES = {
    'n1-standard': { ratio: 3.75, cpus: [1, 2, 4, 8, 16, 32, 64, 96] },
    'n1-highmem': { ratio: 6.5, cpus: [2, 4, 8, 16, 32, 64, 96] },
    'e2-highcpu': { ratio: 1, cpus: [2, 4, 8, 16, 32] },
    'e2-standard': { ratio: 4, cpus: [2, 4, 8, 16, 32] },
    'e2-highmem': { ratio: 8, cpus: [2, 4, 8, 16] },
    'n2-standard': { ratio: 4, cpus: [...COMMON, 96, 128] },
    'n2-highmem': { ratio: 8, most: 864, cpus: [...COMMON, 96, 128] },
    'n2d-standard': { ratio: 4, cpus: [...COMMON, 96, 128, 224] },
    'n2d-highmem': { ratio: 8, cpus: [2, 4, 8, 16, 32, 48, 64, 80, 96] },
    'c2-standard': { ratio: 4, cpus: [4, 8, 16, 30, 60] },
    'c2d-standard': { ratio: 4, cpus: [2, 4, 8, 16, 32, 56, 112] },
    't2d-standard': { ratio: 4, cpus: [1, 2, 4, 8, 16, 32, 48, 60] },
    'c3-standard': { ratio: 4, cpus: [4, 8, 22, 44, 88, 176] },
    'c3d-standard': { ratio: 4, cpus: [4, 8, 16, 30, 60, 90, 180, 360] },
    'n4-standard': { ratio: 4, cpus: COMMON, disk: HYPER },
    'n4-highmem': { ratio: 8, cpus: COMMON, disk: HYPER },
    't2a-standard': { arch: 'arm64', ratio: 4, cpus: [1, 2, 4, 8, 16, 32, 48] },
    'c4a-standard': { arch: 'arm64', ratio: 4, cpus: [1, 2, 4, 8, 16, 32, 48, 64, 72], disk: HYPER },
    'c4a-highmem': { arch: 'arm64', ratio: 8, cpus: [1, 2, 4, 8, 16, 32, 48, 64, 72], disk: HYPER },
};
/** Name · vCPUs · memory in GiB. */
const SMALL = [
    ['e2-micro', 2, 1],
    ['e2-small', 2, 2],
    ['e2-medium', 2, 4],
];
/** Name · vCPUs · memory in GiB · kind of GPU · number of GPUs: GPUs that are a part of the type. */
const GPUS = [
    ['g2-standard-4', 4, 16, 'l4', 1],
    ['g2-standard-8', 8, 32, 'l4', 1],
    ['g2-standard-12', 12, 48, 'l4', 1],
    ['g2-standard-16', 16, 64, 'l4', 1],
    ['g2-standard-32', 32, 128, 'l4', 1],
    ['g2-standard-24', 24, 96, 'l4', 2],
    ['g2-standard-48', 48, 192, 'l4', 4],
    ['g2-standard-96', 96, 384, 'l4', 8],
    ['a2-highgpu-1g', 12, 85, 'a100', 1],
    ['a2-highgpu-2g', 24, 170, 'a100', 2],
    ['a2-highgpu-4g', 48, 340, 'a100', 4],
    ['a2-highgpu-8g', 96, 680, 'a100', 8],
    ['a2-megagpu-16g', 96, 1360, 'a100', 16],
    ['a2-ultragpu-1g', 12, 170, 'a100-80gb', 1],
    ['a2-ultragpu-2g', 24, 340, 'a100-80gb', 2],
    ['a2-ultragpu-4g', 48, 680, 'a100-80gb', 4],
    ['a2-ultragpu-8g', 96, 1360, 'a100-80gb', 8],
    ['a3-highgpu-1g', 26, 234, 'h100', 1],
    ['a3-highgpu-2g', 52, 468, 'h100', 2],
    ['a3-highgpu-4g', 104, 936, 'h100', 4],
    ['a3-highgpu-8g', 208, 1872, 'h100', 8],
    ['a3-ultragpu-8g', 224, 2952, 'h200', 8, HYPER],
    ['a4-highgpu-8g', 224, 3968, 'b200', 8, HYPER],
    ['g4-standard-48', 48, 180, 'rtx-pro-6000', 1, HYPER],
    ['g4-standard-96', 96, 360, 'rtx-pro-6000', 2, HYPER],
    ['g4-standard-192', 192, 720, 'rtx-pro-6000', 4, HYPER],
    ['g4-standard-384', 384, 1440, 'rtx-pro-6000', 8, HYPER],
];
/**
 * GPUs that are added to N1 machines · number · fewest and most vCPUs that suit them: the fewest are tpi's own choice, so that many GPUs do
 * not wait for few processors. https://cloud.google.com/compute/docs/gpus#general_comparison_chart
 */
const ADDED = [
    ['t4', 1, 4, 32],
    ['t4', 2, 8, 32],
    ['t4', 4, 16, 96],
    ['v100', 1, 4, 8],
    ['v100', 2, 8, 16],
    ['v100', 4, 16, 32],
    ['v100', 8, 32, 96],
    ['p100', 1, 4, 16],
    ['p100', 2, 8, 32],
    ['p100', 4, 16, 64],
    ['p4', 1, 4, 16],
    ['p4', 2, 8, 32],
    ['p4', 4, 16, 96],
];
/** Kinds of GPU that Google no longer has → the closest replacement. */
const RETIRED = { k80: 't4' };
/** NVIDIA's open kernel modules and the latest drivers do not support these. */
const OLD_GPUS = ['v100', 'p100', 'p4'];
/** The vendor's name for a GPU that is added. */
const acceleratorOf = (kind) => `nvidia-tesla-${kind}`;
/**
 * The fewest local disks that a type takes, by series and from this number of vCPUs on.
 * https://cloud.google.com/compute/docs/disks/local-ssd#choose_number_local_ssds
 */
const SSDS = {
    n1: [[1, 1]],
    n2: [
        [2, 1],
        [12, 2],
        [22, 4],
        [42, 8],
        [82, 16],
    ],
    n2d: [
        [2, 1],
        [32, 2],
        [64, 4],
        [96, 8],
    ],
    c2: [
        [4, 1],
        [16, 2],
        [30, 4],
        [60, 8],
    ],
    c2d: [
        [2, 1],
        [32, 2],
        [56, 4],
        [112, 8],
    ],
    g4: [
        [12, 1],
        [24, 2],
        [48, 4],
        [96, 8],
        [192, 16],
        [384, 32],
    ],
    m3: [
        [32, 4],
        [128, 8],
    ],
};
/** These types get one local disk for each GPU, up to the number below. */
const SSD_PER_GPU = /^(?:g2-standard|a2-highgpu|a2-megagpu)-/;
const MOST_PER_GPU = 8;
/**
 * Types that always have local disks: all of these series, and of some others those that say so. (A4X Max is `a4x-maxgpu-4g-metal`.)
 * https://docs.cloud.google.com/compute/docs/disks/add-local-ssd · https://docs.cloud.google.com/compute/docs/disks/local-ssd#lssd_disks_fixed
 * Types with GPUs are also sold without: https://github.com/GoogleCloudPlatform/guest-test-infra (a3-ultragpu-8g-nolssd)
 */
const WITH_SSDS = /^(?:a2-ultragpu|a3|a4|a4x|a5x|z3|z4d|z4m)-(?!.*-nolssd$)|-lssd(?:-metal)?$/;
/** Goes by the type's name, so it works for types that are not in the list, too. */
function disksOf(name, cpu, gpus = 0) {
    if (WITH_SSDS.test(name))
        return { local: true };
    if (SSD_PER_GPU.test(name))
        return { local: true, ssds: Math.min(gpus, MOST_PER_GPU) };
    const ssds = SSDS[name.split('-')[0] ?? '']?.findLast(([from]) => cpu >= from)?.[1];
    return ssds === undefined ? { local: false } : { local: true, ssds };
}
const N1 = [1, 2, 4, 8, 16, 32, 64, 96];
const TYPES = [
    ...SMALL.map(([name, cpu, memoryGiB]) => ({ name, arch: 'x86_64', cpu, memoryGiB, disk: 'pd-balanced' })),
    ...Object.entries(FAMILIES).flatMap(([family, { arch = 'x86_64', ratio, most = Infinity, cpus, disk = 'pd-balanced' }]) => cpus.map((cpu) => ({ name: `${family}-${cpu}`, arch, cpu, memoryGiB: Math.min(cpu * ratio, most), disk }))),
    ...ADDED.flatMap(([kind, count, least, most]) => N1.filter((cpu) => cpu >= least && cpu <= most).map((cpu) => ({
        name: `n1-standard-${cpu}`,
        arch: 'x86_64',
        cpu,
        memoryGiB: cpu * 3.75,
        disk: 'pd-balanced',
        gpu: { kind, count },
        added: { type: acceleratorOf(kind), count },
    }))),
    ...GPUS.map(([name, cpu, memoryGiB, kind, count, disk = 'pd-balanced']) => ({
        name,
        arch: 'x86_64',
        cpu,
        memoryGiB,
        disk,
        gpu: { kind, count },
    })),
];
const CATALOGUE = TYPES.map((facts, rank) => ({
    ...facts,
    ...disksOf(facts.name, facts.cpu, facts.gpu?.count),
    rank,
}));
const GPU_KINDS = [...new Set(CATALOGUE.flatMap(({ gpu }) => gpu?.kind ?? []))];


/***/ }),

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

/***/ 82214:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   canMove: () => (/* binding */ canMove),
/* harmony export */   hasGpu: () => (/* binding */ hasGpu),
/* harmony export */   sizeFaults: () => (/* binding */ sizeFaults),
/* harmony export */   typesOf: () => (/* binding */ typesOf)
/* harmony export */ });
/* harmony import */ var _core_size_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(75367);
/* harmony import */ var _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29945);
/* harmony import */ var _machine_types_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(49361);



const NATIVE = /^[a-z][a-z0-9]*-[a-z0-9]+(?:-[a-z0-9]+)*(?:\+([a-z0-9-]+)\*(\d+))?$/;
/** Series with ARM processors, for types that are not in the list. (A5X has NVIDIA's Vera.) */
const ARM = /^(?:t2a|c4a|n4a|a4x|a5x)-/;
/**
 * Types with the newer kind of disks, for types that are not in the list: all series from the fourth generation on, a few of the third, and
 * whole machines. https://cloud.google.com/compute/docs/reference/rest/v1/instances (initializeParams.diskType) ·
 * https://docs.cloud.google.com/compute/docs/disks/hyperdisks#machine-type-support
 */
const NEWER = /^(?:[a-z][4-9]|z3-|a3-ultragpu-)|-metal$/;
/** Types with a GPU of their own, by their series, for types that are not in the list. (g1-small, of an old series, has none.) */
const WITH_GPU = /^(?:a|g(?!1-))\d/;
/** Types that stop when their host is maintained. https://docs.cloud.google.com/compute/docs/instances/setting-vm-host-options#limitations */
const FIXED = /^h4d-|-metal$/;
/** Whether machines have a GPU, even of a type that is not in the list. */
const hasGpu = ({ types, gpu }) => gpu !== undefined || types.some((type) => WITH_GPU.test(type));
/** Whether a machine can move to another host while it works. */
const canMove = (choice) => !hasGpu(choice) && !choice.types.some((type) => FIXED.test(type));
/** `undefined`: there is no such machine; `sizeFaults` says why. */
function typesOf(request) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named))
        return nativeTypes(named, request);
    const fit = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .fittingTypes */ .Nk)({ types: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh, kindOf: _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .plainKind */ .dM, shy: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .OLD_GPUS */ .EV }, request);
    const [least] = fit;
    if (!least)
        return undefined;
    const disks = (one) => (request.scratch ? one.ssds : 0);
    // All types share one template, so they must have the same kind of disk, the same number of local disks, and the same GPU. Without a GPU, the
    // largest set of such types is taken.
    const alike = (one) => fit.filter((other) => other.disk === one.disk && disks(other) === disks(one) && other.gpu?.kind === one.gpu?.kind);
    // A GPU that is added belongs to the type in the template: the group has no other.
    if (least.added)
        return choiceOf(least, [least], request);
    const chosen = least.gpu ? alike(least) : fit.map(alike).reduce((most, next) => (next.length > most.length ? next : most));
    return choiceOf(chosen[0] ?? least, chosen, request);
}
function choiceOf({ arch, disk, added, gpu, ssds }, types, { scratch }) {
    const names = types.map(({ name }) => name);
    return { types: names, arch, disk, ...(added && { added }), ...(gpu && { gpu }), ...(scratch && ssds !== undefined && { ssds }) };
}
/** One or several types of the vendor's, separated by commas, or one with a GPU that is added, as TPI wrote it: `n1-standard-4+nvidia-tesla-t4*1`. */
function nativeTypes(text, request) {
    const names = (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .typeNames */ .DK)(text);
    if (names.length === 0 || names.length > _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .MOST_TYPES */ .ac || !names.every((name) => NATIVE.test(name)))
        return undefined;
    const facts = names.map(factsOf);
    const [least] = facts;
    if (!least || facts.some(({ arch, disk }) => arch !== least.arch || disk !== least.disk))
        return undefined;
    if (facts.length > 1 && facts.some(({ added }) => added))
        return undefined;
    if (request.scratch && facts.some(({ local, ssds }) => !local || ssds !== least.ssds))
        return undefined;
    return choiceOf(least, facts, request);
}
function factsOf(text) {
    const [name = text, accelerator] = text.split('+');
    const [written, count] = (accelerator ?? '').split('*');
    const known = _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh.find((type) => type.name === name && type.added === undefined);
    const kind = (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .plainKind */ .dM)(written ?? '');
    const cpu = Number(/-(\d+)(?:-lssd)?$/.exec(name)?.[1] ?? 1);
    const plain = known ?? {
        name,
        arch: ARM.test(name) ? 'arm64' : 'x86_64',
        disk: NEWER.test(name) ? 'hyperdisk-balanced' : 'pd-balanced',
        ...(0,_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .disksOf */ .Gu)(name, cpu),
        cpu,
        memoryGiB: 0,
        rank: 0,
    };
    if (accelerator === undefined)
        return plain;
    return { ...plain, gpu: { kind, count: Number(count) }, added: { type: (0,_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .acceleratorOf */ .lM)(kind), count: Number(count) } };
}
const WORDS = {
    vendor: 'Google Cloud',
    native: NATIVE,
    mixed: 'mixes types that cannot share an image and a disk: of x86-64 and of arm64, or of older and newer series',
    how: 'write s, m, l or xl, with +arm or a GPU such as +t4, or types of Compute Engine between commas, such as n2-standard-8, n2d-standard-8, or n1-standard-4+nvidia-tesla-t4*1',
    largest: 'c3d-standard-360',
    kindOf: _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .plainKind */ .dM,
    kinds: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .GPU_KINDS */ .By,
    retired: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .RETIRED */ .wk,
};
function sizeFaults(request) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named) && named.includes('+') && (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .typeNames */ .DK)(named).length > 1)
        return [
            {
                option: 'machine',
                message: `"${request.machine}" has several types, but a type with an added GPU is used alone`,
                hint: 'name one',
            },
        ];
    return (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .sizeFaultsBy */ .O0)(WORDS, _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh, request, (one) => typesOf(one) !== undefined);
}


/***/ }),

/***/ 30:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   n: () => (/* binding */ Logins)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _vendors_login_fault_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(57366);
/* harmony import */ var _wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(47980);
/* harmony import */ var _once_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(74698);




class Logins {
    #params;
    #login = new _once_js__WEBPACK_IMPORTED_MODULE_3__/* .Once */ .a();
    constructor(params) {
        this.#params = params;
    }
    async login() {
        return this.#login.get('', async () => {
            const { find, words } = this.#params;
            const login = await find().catch((error) => {
                throw this.#faultOf(error, words.vendor);
            });
            if (login)
                return login;
            throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR(`${words.cloud}: there are no credentials for ${words.product}`, { hint: words.howToLogIn });
        });
    }
    /** A source for credentials that `lend` gets from the login. */
    source(lend) {
        return (0,_wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__/* .renewing */ .IU)({
            clock: this.#params.clock,
            lend: async () => {
                const login = await this.login();
                return lend(login).catch((error) => {
                    throw this.#faultOf(error, login.who);
                });
            },
        });
    }
    #faultOf(error, who) {
        const { words, errorOf } = this.#params;
        if (!(error instanceof _vendors_login_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .LoginFault */ .u5))
            return errorOf(error, 'find credentials');
        const message = `${words.cloud}: no token from ${who}: ${error.message}`;
        if (!error.final)
            return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(message, { cause: error, retryable: true });
        return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR(message, { cause: error, hint: words.howToLogInAgain });
    }
}


/***/ }),

/***/ 99786:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ operated),
/* harmony export */   w: () => (/* binding */ leftover)
/* harmony export */ });
/** Milliseconds between two looks at something slow. */
const PACE = 1000;
/** A resource that a vendor makes and removes by operations. */
function operated(vendor, making) {
    const { kind, name, signal, put, ensuredBy } = making;
    const tried = `create ${kind} ${name}`;
    let begun;
    return {
        kind,
        name,
        pace: PACE,
        async ensure() {
            signal.throwIfAborted();
            try {
                if (!begun) {
                    const answer = await put();
                    if (typeof answer === 'string')
                        return answer;
                    begun = answer;
                }
                return (await vendor.isOver(begun.operation, tried, signal)) ? begun.outcome : 'pending';
            }
            catch (error) {
                signal.throwIfAborted();
                begun = undefined;
                const ensured = await ensuredBy(error);
                if (ensured)
                    return ensured;
                throw vendor.errorOf(error, tried);
            }
        },
        remove: removal(vendor, making),
    };
}
/** A resource that was found: it can only be removed. */
function leftover(vendor, removing) {
    const { kind, name } = removing;
    return { kind, name, pace: PACE, ensure: async () => 'found', remove: removal(vendor, removing) };
}
function removal(vendor, { kind, name, erase }) {
    const tried = `remove ${kind} ${name}`;
    let begun;
    return async () => {
        try {
            if (!begun) {
                const answer = await erase();
                if (typeof answer === 'string')
                    return answer;
                begun = answer;
            }
            if (!(await vendor.isOver(begun, tried)))
                return 'pending';
            begun = undefined;
            return 'removed';
        }
        catch (error) {
            begun = undefined;
            const removed = vendor.removedBy(error);
            if (removed)
                return removed;
            throw vendor.errorOf(error, tried);
        }
    };
}


/***/ }),

/***/ 63767:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ pagesOf)
/* harmony export */ });
/** Lists that a vendor gives page by page, each with a token for the one after it. */
/** `next`: the token; empty or absent: it was the last page. */
async function* pagesOf(ask, next) {
    let token;
    do {
        const page = await ask(token);
        yield page;
        token = next(page) || undefined;
    } while (token !== undefined);
}


/***/ }),

/***/ 28724:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   b: () => (/* binding */ TwinLooks)
/* harmony export */ });
/**
 * How often a command that follows looks at the twin of a spot group: each time, unless spot machines do all the work and the twin was still empty
 * the last time. Then the twin does not matter, and two groups should not cost many more calls than one: a few hundred for a quiet hour.
 */
/** Then only one of so many looks includes the twin. If it starts because a machine hangs, that is noticed some minutes later. */
const EACH = 5;
class TwinLooks {
    #quiet = false;
    #looks = 0;
    async look({ first, twin, isFull, isUp }) {
        const quiet = this.#quiet;
        this.#looks = quiet ? this.#looks + 1 : 0;
        const due = this.#looks % EACH === 0;
        const [one, brief] = await Promise.all([first(), due ? twin(quiet) : undefined]);
        const full = one !== undefined && isFull(one);
        // The first group may have shrunk because the twin has the work now.
        const two = quiet && !full ? await twin(false) : brief;
        this.#quiet = full && !(two && isUp(two));
        return [one, two];
    }
}


/***/ })

};
