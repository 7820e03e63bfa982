export const id = 6508;
export const ids = [6508,1938,2858];
export const modules = {

/***/ 26508:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ k8s_open)
});

// EXTERNAL MODULE: ./build/js/core/cloud.js
var cloud = __webpack_require__(7325);
// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/core/tags.js
var core_tags = __webpack_require__(42451);
// EXTERNAL MODULE: ./build/js/wire/credentials.js
var credentials = __webpack_require__(47980);
// EXTERNAL MODULE: ./build/js/clouds/k8s/names.js
var names = __webpack_require__(98806);
// EXTERNAL MODULE: ./build/js/clouds/k8s/objects.js
var objects = __webpack_require__(63942);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/access.js



/** Through the API server's proxy. The token is read on first use, because the store may not exist yet. */
async function controllerAccess(api, login, clock, id) {
    const { ca, servername, rejectUnauthorized } = await login.options();
    const settings = {
        ...pem('ca', ca),
        ...(servername !== undefined && { serverName: servername }),
        ...(rejectUnauthorized === false && { insecure: 'true' }),
        ...(login.proxy !== undefined && { proxy: login.proxy }),
    };
    let lent;
    return {
        url: `${login.server}/api/v1/namespaces/${login.namespace}/services/http:${id}:${names/* STORE_PORT */.E5}/proxy`,
        ...(Object.keys(settings).length > 0 && { settings }),
        source: (0,credentials/* renewing */.IU)({
            clock,
            lend: async () => {
                // In this order: if the server no longer accepts the login, this call renews it.
                const token = await tokenOf(api, id, lent);
                lent = token;
                return { credentials: { ...credentialsOf(await login.options()), ...(token !== undefined && { token }) } };
            },
        }),
    };
}
function credentialsOf({ headers, cert, key, auth }) {
    const said = headers && !Array.isArray(headers) ? headers['Authorization'] : undefined;
    const authorization = typeof said === 'string' ? said : auth ? `Basic ${Buffer.from(auth).toString('base64')}` : undefined;
    return {
        ...(authorization !== undefined && { authorization }),
        ...pem('clientCertificate', cert),
        ...pem('clientKey', key),
    };
}
/** Certificates and keys from files are bytes; those written into a kubeconfig are text. */
function pem(name, value) {
    return typeof value === 'string' || Buffer.isBuffer(value) ? { [name]: value.toString() } : {};
}
/** The process that made the store knows the token without a call. `refused`: a token that the store did not accept. */
async function tokenOf(api, id, refused) {
    const made = (0,objects/* secretText */.y)(api.madeHere('secrets', id), 'token');
    return made === undefined || made === refused ? (0,objects/* secretText */.y)(await api.get('secrets', id), 'token') : made;
}
/** From inside the cluster; by address, because not every cluster has a DNS. `undefined`: there is no such store. */
async function machineAccess(api, id) {
    const address = (await api.made('services', id))?.spec.clusterIP;
    if (address === undefined)
        return undefined;
    return { url: `http://${address.includes(':') ? `[${address}]` : address}:${names/* STORE_PORT */.E5}` };
}

// EXTERNAL MODULE: external "node:https"
var external_node_https_ = __webpack_require__(44708);
// EXTERNAL MODULE: ./build/js/lib/backoff.js
var backoff = __webpack_require__(71874);
// EXTERNAL MODULE: ./build/js/lib/refusals.js
var refusals = __webpack_require__(55613);
// EXTERNAL MODULE: ./build/js/core/exit-codes.js
var exit_codes = __webpack_require__(49745);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/errors.js
/** Errors of an API server → tpi's errors, including whose fault it is. */



/** Paths are not about the namespace, or name it themselves. */
const placeOf = ({ resource, namespace }) => (resource.startsWith('/') ? '' : ` in namespace "${namespace}"`);
const say = (tried) => {
    const { verb, resource, name } = tried;
    return `could not ${verb} ${resource}${name === undefined ? '' : ` ${name}`}${placeOf(tried)}`;
};
function errorOf(status, tried) {
    const message = `k8s: ${say(tried)}: ${status.message ?? status.reason ?? `status ${status.code}`}`;
    if (status.code === 401) {
        return new errors/* AuthError */.lR(`k8s: ${say(tried)}: the API server does not accept these credentials`, {
            hint: 'log in again, or check the context',
        });
    }
    if (status.code === 403)
        return refused(status, tried, message);
    if (status.code === 422 || status.code === 400)
        return new errors/* InputError */.dz(message);
    const passing = status.code === 429 || status.code >= 500;
    return new errors/* RemoteError */.Hi(message, { retryable: passing });
}
/** How an API server says that a right is missing, whatever decides about rights (k8s.io/apiserver, responsewriters/errors.go). */
const UNAUTHORIZED = /\bUser ".*" (?:groups .* )?cannot \w/;
/** A rule of admission, or a webhook. Anything else may come from a proxy or a login gateway before the API server. */
const FORBIDDEN = /\bis forbidden: |\bdenied the request\b/;
/** Only such requests pass through admission. */
const CHANGES = /^(create|patch|delete|deletecollection)$/;
/** A quota is new, and the cluster has not counted yet what is used of it: that takes seconds. */
const UNCOUNTED = /status unknown for quota/i;
/** 403 means a missing right, a quota or an admission rule. */
function refused(status, tried, message) {
    const said = status.message ?? '';
    if (/exceeded quota/i.test(said))
        return new errors/* QuotaError */.ZP(message, { hint: 'ask for less, or for a larger ResourceQuota' });
    if (UNCOUNTED.test(said))
        return new errors/* RemoteError */.Hi(message, { retryable: true });
    if (/violates PodSecurity/i.test(said))
        return new errors/* InputError */.dz(message, { hint: 'give --run-as-user, or use another namespace' });
    if (/is being terminated/i.test(said))
        return new errors/* RemoteError */.Hi(message);
    const { verb, resource } = tried;
    if (/usage per PersistentVolumeClaim/.test(said))
        return new errors/* QuotaError */.ZP(message, { hint: "give a --storage-size that the namespace's LimitRange allows" });
    if (CHANGES.test(verb) && FORBIDDEN.test(said) && !UNAUTHORIZED.test(said))
        return new errors/* InputError */.dz(message, { hint: 'a policy of the cluster forbids it (no right is missing): ask those who run the cluster' });
    return new errors/* AuthError */.lR(message, {
        hint: `the right to ${verb} ${resource}${placeOf(tried)} is missing: see tpi permissions k8s`,
    });
}
/** For a refusal that may pass: the server was away and may not have loaded all rights yet, or has granted this one before. */
function notYet(refusal) {
    return new errors/* RemoteError */.Hi(`${refusal.message} (it may not have loaded all rights yet: it was away, or had granted this before)`, {
        cause: refusal,
        retryable: true,
    });
}
/** For a refusal of credentials that were accepted before: whoever waits goes on once the user has logged in again. */
function expired(refusal) {
    const message = `${refusal.message} any more: log in again, and this goes on with the new login`;
    return new ExpiredLogin(message, { cause: refusal, retryable: true });
}
/** If nobody logs in again in time, the command ends as for any other refusal. */
class ExpiredLogin extends errors/* RemoteError */.Hi {
    exitCode = exit_codes/* EXIT */.dc.denied;
    outcome = 'denied';
}
/** A former run has left something under the name that is needed, and the cluster is removing it. */
function stillThere(what) {
    return new errors/* RemoteError */.Hi(`k8s: ${what} of a former run is still being removed`, { retryable: true });
}
/** There was no answer at all. */
function unreachable(server, error) {
    const reason = (0,lib_text/* messageOf */.bD)(error);
    return new errors/* RemoteError */.Hi(`k8s: the API server ${server} cannot be reached: ${reason}`, { cause: error, retryable: true });
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/api.js





/** The kinds of objects that tpi uses: their API version, and the name of the kind. */
const KINDS = {
    jobs: ['batch/v1', 'Job'],
    pods: ['v1', 'Pod'],
    events: ['v1', 'Event'],
    secrets: ['v1', 'Secret'],
    configmaps: ['v1', 'ConfigMap'],
    services: ['v1', 'Service'],
    persistentvolumeclaims: ['v1', 'PersistentVolumeClaim'],
};
const DELETION = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
/** Milliseconds that one call may take. */
const PATIENCE = 30_000;
/** Milliseconds: a watch may be silent for longer than a NAT keeps a connection, and nothing would ever tell. The vendor's client does the same. */
const KEEP_ALIVE = 30_000;
const RETRY = { tries: 5, first: 200, longest: 3_000 };
class Api {
    #login;
    /** Uids of objects that were removed here. */
    #gone = new Set();
    /** Objects made here, by kind and name. */
    #made = new Map();
    #date = 0;
    #refusals = new refusals/* Refusals */.q();
    /** The server has accepted this login. */
    #wasKnown = false;
    #sleep;
    constructor(login, sleep) {
        this.#login = login;
        this.#sleep = sleep;
    }
    /** Milliseconds, by the API server's clock at its last answer. */
    get now() {
        return this.#date;
    }
    get namespace() {
        return this.#login.namespace;
    }
    async get(kind, name) {
        const reply = await this.#ask({ method: 'GET', path: this.#path(kind, name) }, { verb: 'get', resource: kind, name });
        return reply && JSON.parse(reply.text);
    }
    async list(kind, query) {
        const found = [];
        for (let next = ''; next !== undefined;) {
            const search = new URLSearchParams({ ...query, limit: '500', ...(next !== '' && { continue: next }) }).toString();
            const reply = await this.#ask({ method: 'GET', path: `${this.#path(kind)}?${search}` }, { verb: 'list', resource: kind });
            if (!reply)
                throw new errors/* RemoteError */.Hi(`k8s: the API server does not know ${kind}`);
            const page = JSON.parse(reply.text);
            found.push(...(page.items ?? []));
            next = page.metadata?.continue || undefined;
        }
        return found;
    }
    /** The object as it was when it was made here. */
    madeHere(kind, name) {
        return this.#made.get(`${kind}/${name}`);
    }
    /** The object as it was when it was made here, else as it is now: for facts that do not change later. */
    async made(kind, name) {
        return this.madeHere(kind, name) ?? (await this.get(kind, name));
    }
    /**
     * `undefined`: the name exists already. `strict`: a field that the cluster does not know is an error; by default, it drops it without an error.
     * https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation
     */
    async create(kind, object, { strict = false } = {}) {
        const [apiVersion, noun] = KINDS[kind];
        const body = { apiVersion, kind: noun, ...object };
        const tried = { verb: 'create', resource: kind, name: object.metadata.name };
        const path = `${this.#path(kind)}${strict ? '?fieldValidation=Strict' : ''}`;
        const reply = await this.#ask({ method: 'POST', path, body }, tried, [409]);
        if (!reply)
            throw new errors/* RemoteError */.Hi(`k8s: there is no namespace "${this.namespace}"`);
        if (reply.status !== 409) {
            const made = JSON.parse(reply.text);
            this.#made.set(`${kind}/${object.metadata.name}`, made);
            return made;
        }
        const { reason, message } = JSON.parse(reply.text);
        // 409 also means two changes at once, for example of a quota:
        // https://github.com/kubernetes/community/blob/main/contributors/devel/sig-architecture/api-conventions.md
        if (reason === 'AlreadyExists')
            return undefined;
        const text = `k8s: ${kind} "${object.metadata.name}" could not be created: ${message ?? reason}`;
        throw new errors/* RemoteError */.Hi(text, { retryable: reason === 'Conflict' });
    }
    /** JSON merge patch. `undefined`: it does not exist. */
    async patch(kind, name, body) {
        const ask = { method: 'PATCH', path: this.#path(kind, name), body, type: 'application/merge-patch+json' };
        const reply = await this.#ask(ask, { verb: 'patch', resource: kind, name });
        return reply && JSON.parse(reply.text);
    }
    /** `preconditions`: the object is removed only if they match it. */
    async remove(kind, name, preconditions = {}) {
        const ask = { method: 'DELETE', path: this.#path(kind, name), body: { ...DELETION, preconditions } };
        const reply = await this.#ask(ask, { verb: 'delete', resource: kind, name }, [409]);
        this.#made.delete(`${kind}/${name}`);
        if (!reply)
            return 'absent';
        if (reply.status === 409)
            return 'other';
        // Some kinds answer with the removed object, others with a status.
        const { metadata } = JSON.parse(reply.text);
        if (metadata?.deletionTimestamp !== undefined)
            return 'going';
        if (preconditions.uid !== undefined)
            this.#gone.add(preconditions.uid);
        return 'gone';
    }
    /** The object was removed here; a uid is never used again. */
    hasRemoved({ uid = '' }) {
        return this.#gone.has(uid);
    }
    /** First the existing objects, then each change as it happens. Ends when the server closes the watch; rejects if the connection breaks. */
    async *changes(kind, query, signal) {
        const path = `${this.#path(kind)}?${new URLSearchParams({ ...query, watch: '1' }).toString()}`;
        const message = await this.#call({ method: 'GET', path }, await this.#login.options(), signal);
        const status = message.statusCode ?? 0;
        if (status !== 200)
            throw this.#refusal({ status, text: await textOf(message) }, { verb: 'watch', resource: kind });
        // This connection alone must not keep the process alive.
        message.socket.unref();
        message.socket.setKeepAlive(true, KEEP_ALIVE);
        let rest = '';
        for await (const chunk of message.setEncoding('utf8')) {
            const lines = `${rest}${String(chunk)}`.split('\n');
            rest = lines.pop() ?? '';
            for (const line of lines)
                yield JSON.parse(line);
        }
    }
    /** Removes the objects that a query finds; resolves to them as they were. `grace`: seconds. */
    async removeAll(kind, query, grace) {
        const path = `${this.#path(kind)}?${new URLSearchParams(query).toString()}`;
        const ask = { method: 'DELETE', path, body: { ...DELETION, gracePeriodSeconds: grace } };
        const reply = await this.#ask(ask, { verb: 'deletecollection', resource: kind });
        return JSON.parse(reply?.text ?? '{}').items ?? [];
    }
    /** The end of a container's log; empty if there is none (yet, or any more). */
    async log(pod, container, lines) {
        const search = new URLSearchParams({ container, tailLines: String(lines), limitBytes: '16384' }).toString();
        const path = `${this.#path('pods', pod)}/log?${search}`;
        const reply = await this.#ask({ method: 'GET', path }, { verb: 'get', resource: 'pods/log', name: pod }, [400, 500]);
        return reply?.status === 200 ? reply.text : '';
    }
    /** `gone`: there is no such pod. A refusal is returned as the server gave it. */
    async evict(pod) {
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: this.namespace } };
        const ask = { method: 'POST', path: `${this.#path('pods', pod)}/eviction`, body };
        const reply = await this.#ask(ask, { verb: 'create', resource: 'pods/eviction', name: pod }, [429]);
        if (!reply)
            return 'gone';
        return reply.status === 429 ? statusOf(reply) : 'evicted';
    }
    /** Any other path below the root, for questions that are not about a namespace. `undefined`: it does not exist. */
    async ask(method, path, body) {
        const ask = body === undefined ? { method, path } : { method, path, body };
        const reply = await this.#ask(ask, { verb: method === 'GET' ? 'get' : 'create', resource: path });
        return reply && JSON.parse(reply.text);
    }
    #path(kind, name) {
        const [version] = KINDS[kind];
        // The core group has a root of its own.
        const root = version === 'v1' ? '/api/v1' : `/apis/${version}`;
        return `${root}/namespaces/${this.namespace}/${kind}${name === undefined ? '' : `/${name}`}`;
    }
    /** `undefined` for 404. `fine`: other statuses that are not errors for the caller. */
    async #ask(ask, tried, fine = []) {
        const right = rightOf(tried);
        const once = async () => {
            const reply = await this.#accepted(ask);
            if (reply.status >= 500 && !fine.includes(reply.status))
                this.#refusals.outOfReach();
            else if (reply.status !== 403 && reply.status !== 401)
                this.#refusals.granted(right);
            // Some paths, such as its version, are open to everybody.
            if (reply.status < 500 && reply.status !== 401 && !tried.resource.startsWith('/'))
                this.#wasKnown = true;
            if (reply.status === 404)
                return undefined;
            if (reply.status < 300 || fine.includes(reply.status))
                return reply;
            throw this.#refusal(reply, tried);
        };
        // Every call may be repeated: a second create answers "exists", a second delete "not found".
        return await (0,backoff/* retry */.L)(once, { ...RETRY, again: errors/* isRetryable */.r3, sleep: this.#sleep });
    }
    #refusal(reply, tried) {
        const error = errorOf(statusOf(reply), { ...tried, namespace: this.namespace });
        if (!(error instanceof errors/* AuthError */.lR))
            return error;
        if (reply.status !== 401)
            return this.#refusals.mayPass(rightOf(tried)) ? notYet(error) : error;
        if (this.#refusals.isSettling())
            return notYet(error);
        return this.#wasKnown ? expired(error) : error;
    }
    /** A login may have expired sooner than it said, or without saying when: `kubectl` gets a new one too. */
    async #accepted(ask) {
        const reply = await this.#send(ask);
        if (reply.status !== 401)
            return reply;
        this.#login.renew(reply.by);
        return await this.#send(ask);
    }
    async #send(ask) {
        return this.#exchange(ask).catch((error) => {
            this.#refusals.outOfReach();
            throw error;
        });
    }
    async #exchange(ask) {
        const options = await this.#login.options();
        try {
            const message = await this.#call(ask, options, AbortSignal.timeout(PATIENCE));
            return { status: message.statusCode ?? 0, text: await textOf(message), by: options };
        }
        catch (error) {
            throw unreachable(this.#login.server, error);
        }
    }
    /** Resolves to the answer, whose body is still to be read. */
    async #call(ask, options, signal) {
        const { method, path, body, type = 'application/json' } = ask;
        const text = body === undefined ? undefined : JSON.stringify(body);
        const headers = {
            ...options.headers,
            accept: 'application/json',
            'user-agent': 'tpi-action',
            ...(text !== undefined && { 'content-type': type, 'content-length': String(Buffer.byteLength(text)) }),
        };
        return await new Promise((resolve, reject) => {
            const call = (0,external_node_https_.request)(new URL(this.#login.server + path), { ...options, method, headers, signal }, (message) => {
                this.#date = Date.parse(message.headers.date ?? '') || Date.now();
                resolve(message);
            });
            call.on('error', reject);
            call.end(text);
        });
    }
}
const rightOf = ({ verb, resource }) => `${verb} ${resource}`;
async function textOf(message) {
    let said = '';
    for await (const chunk of message.setEncoding('utf8'))
        said += String(chunk);
    return said;
}
function statusOf({ status, text }) {
    try {
        const { message, reason, details } = JSON.parse(text);
        const causes = details?.causes?.flatMap((cause) => cause.message ?? []) ?? [];
        return { code: status, causes, ...(message !== undefined && { message }), ...(reason !== undefined && { reason }) };
    }
    catch {
        // A proxy in between, which answers in plain text.
        return { code: status, message: text.slice(0, 300) };
    }
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/unreachable.js
/** Milliseconds that a kubelet may be late. */
const LATE = 15_000;
/**
 * `deletionTimestamp` is the time at which the grace of an object ends. `now`: by the clock of the API server, which wrote that time. Whether
 * such a pod still runs on its node does not matter: another machine takes its slot with the next epoch.
 */
function isUnreachable({ metadata }, now) {
    return metadata.deletionTimestamp !== undefined && now > Date.parse(metadata.deletionTimestamp) + LATE;
}
/** It has not ended, and is not on a lost node. */
function isPresent(pod, now) {
    return pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed' && !isUnreachable(pod, now);
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/await-empty.js


/** Milliseconds without another report before a group counts as empty: the server reports existing pods one by one. */
const QUIET = 50;
/**
 * Resolves when none of the reported pods is at work any more, or when the server closes the watch, so the caller has to look once more.
 * Rejects if the connection breaks, or with the signal.
 */
async function untilEmpty(api, of, signal) {
    const present = new Map();
    const done = new AbortController();
    let timer;
    try {
        const query = { labelSelector: (0,names/* groupSelector */.fX)(of) };
        for await (const { type, object } of api.changes('pods', query, AbortSignal.any([signal, done.signal]))) {
            clearTimeout(timer);
            if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED')
                present.set(object.metadata.name, type !== 'DELETED' && isPresent(object, api.now));
            if (![...present.values()].some(Boolean))
                timer = setTimeout(() => done.abort(), QUIET);
        }
    }
    catch (error) {
        if (!done.signal.aborted)
            throw error;
    }
    finally {
        clearTimeout(timer);
    }
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/await-store.js
/** Watches the pod of a store that was just created, at the API server: one call from before the pod is made until it runs. */


/** Seconds after which the server ends the watch. Stores start sooner; a command that still waits then asks the store itself. */
const LONGEST = '600';
class StorePodWatch {
    #stage = 'begun';
    #refused;
    constructor(api, id, signal) {
        void this.#follow(api, id, signal);
    }
    /** Makes no call. Throws if the API server refused the watch. */
    get stage() {
        if (this.#refused)
            throw this.#refused;
        return this.#stage;
    }
    /** `undefined`: the watch is over; ask the store. */
    get runs() {
        return this.stage === 'unknown' ? undefined : this.stage === 'runs';
    }
    async #follow(api, id, signal) {
        const query = { labelSelector: (0,names/* selectorOf */.Bk)(id, 'store'), timeoutSeconds: LONGEST };
        try {
            for await (const { type, object } of api.changes('pods', query, signal)) {
                if (type === 'ADDED' || type === 'MODIFIED')
                    this.#stage = isUp(object) ? 'runs' : 'made';
                if (this.#stage === 'runs')
                    return;
            }
            this.#stage = 'unknown';
        }
        catch (error) {
            if (error instanceof errors/* AuthError */.lR)
                this.#refused = error;
            this.#stage = 'unknown';
        }
    }
}
function isUp({ metadata, status }) {
    return metadata.deletionTimestamp === undefined && status?.containerStatuses?.some(({ state }) => state?.running) === true;
}

// EXTERNAL MODULE: ./build/js/wire/lifetime.js
var wire_lifetime = __webpack_require__(56963);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/deadline.js
/**
 * The dead-man's switch of a Job: `activeDeadlineSeconds`, which the cluster counts from the creation of the Job. A group's Job ends at the
 * hard deadline, with its machines, even if no controller is left; a store's Job ends when its results need not be kept any longer.
 */

const untilTime = (at) => () => Math.round((at - Date.now()) / 1000);
const untilDeadline = (lifetime) => untilTime((0,wire_lifetime/* hardDeadline */.ay)(lifetime));
const untilForgotten = (lifetime) => untilTime((0,wire_lifetime/* keptUntil */.Jf)(lifetime));
/** In the form of a Job, which does not allow 0. */
const activeDeadline = (deadline) => ({
    activeDeadlineSeconds: Math.max(1, Math.round(deadline())),
});

// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
// EXTERNAL MODULE: ./build/js/core/size.js
var size = __webpack_require__(75367);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/sizes.js

const GB = 1_000_000_000;
/** The sizes that every cloud has. A GB here is 10^9 bytes, not 2^30, because a node keeps some of its memory for itself. */
const generic = Object.fromEntries(Object.entries(size/* GENERIC */.a9).map(([name, { cpu, memoryGiB }]) => [name, { cpu, memoryBytes: memoryGiB * GB }]));
/** These, and the names that TPI had for this cloud. */
const SIZES = {
    ...generic,
    xs: { cpu: 0.5, memoryBytes: GB / 2 },
    'm+t4': { cpu: 4, memoryBytes: 16 * GB, gpus: 1, accelerator: 'nvidia-tesla-t4' },
    'l+t4': { cpu: 32, memoryBytes: 128 * GB, gpus: 4, accelerator: 'nvidia-tesla-t4' },
    'xl+t4': { cpu: 64, memoryBytes: 256 * GB, gpus: 8, accelerator: 'nvidia-tesla-t4' },
    'm+v100': { cpu: 8, memoryBytes: 64 * GB, gpus: 1, accelerator: 'nvidia-tesla-v100' },
    'l+v100': { cpu: 32, memoryBytes: 256 * GB, gpus: 4, accelerator: 'nvidia-tesla-v100' },
    'xl+v100': { cpu: 64, memoryBytes: 512 * GB, gpus: 8, accelerator: 'nvidia-tesla-v100' },
};
/** `cpu-memoryMB`, `cpu-memoryMB+accelerator`, `cpu-memoryMB+accelerator*count` */
const NATIVE = /^(\d+(?:\.\d+)?)-(\d+)(?:\+([a-z0-9][a-z0-9._-]*)(?:\*(\d+))?)?$/i;
/** The resources that a machine type means; `undefined`: there is no such type. */
function machineOf(name) {
    if (Object.hasOwn(SIZES, name))
        return SIZES[name];
    const match = NATIVE.exec(name);
    if (!match)
        return undefined;
    const [, cpu, memory, accelerator, count] = match;
    return { cpu: Number(cpu), memoryBytes: Number(memory) * 1_000_000, ...(accelerator && { accelerator, gpus: Number(count ?? 1) }) };
}
/** The resources of the named machine type, except for those that were requested separately. */
function resourcesOf(request) {
    const machine = request.machine === undefined ? {} : (machineOf(request.machine) ?? {});
    return {
        ...machine,
        ...(request.cpu !== undefined && { cpu: request.cpu }),
        ...(request.memoryBytes !== undefined && { memoryBytes: request.memoryBytes }),
        ...(request.gpu && { gpus: request.gpu.count, ...(request.gpu.kind !== undefined && { accelerator: request.gpu.kind }) }),
    };
}
function sizeFaults(request) {
    if (request.machine === undefined || machineOf(request.machine))
        return [];
    const known = Object.keys(SIZES).join(', ');
    return [
        {
            option: 'machine',
            message: `"${request.machine}" is not a machine type of cloud k8s`,
            hint: `write ${known}, or CPU-MEMORYMB[+ACCELERATOR*COUNT]`,
        },
    ];
}
/** Bytes of tpi's runtime on the pod's disk: they count, too, when a kubelet measures the pod. */
const OUR_DISK = 300_000_000;
/** To be used as requests and as limits: a pod then gets what it was promised, and is not evicted for using more than it requested. */
function quantities(resources, diskBytes) {
    const { cpu, memoryBytes, gpus } = resources;
    return {
        ...(cpu !== undefined && { cpu: `${Math.round(cpu * 1000)}m` }),
        ...(memoryBytes !== undefined && { memory: String(memoryBytes) }),
        ...(diskBytes !== undefined && { 'ephemeral-storage': String(diskBytes + OUR_DISK) }),
        ...(gpus !== undefined && gpus > 0 && { 'nvidia.com/gpu': String(gpus) }),
    };
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/own-containers.js
/** The security context of tpi's own containers, the nodes that they need, and the resources that they request. */


/** What the restricted standard requires of tpi's own containers. */
const LOCKED = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    runAsUser: names/* OUR_UID */.iS,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
};
/**
 * Gives the files of a pod's volumes to its user. On a disk, the cluster then changes group and mode of every file. It does so only while the root
 * of the volume is not the user's yet: for each pod, it would take minutes, and undo what others have changed since.
 * https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#configure-volume-permission-and-ownership-change-policy-for-pods
 */
const volumesOf = (user) => ({ fsGroup: user, fsGroupChangePolicy: 'OnRootMismatch' });
/** Nodes for which the runtime image is made (scripts/runtime-image.ts). A cluster may also have others. */
const OUR_NODES = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
/** For a container that runs all the time. It requests something, because pods without requests are evicted first. */
const SMALL = { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } };
/** For a container that only copies before the program starts. With larger requests, fewer pods would fit on a node. */
const BRIEF = { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } };
/** Cores and bytes that are enough for each of tpi's containers: with them, a copy is as fast as without a limit. */
const ENOUGH = { cpu: 0.5, memoryBytes: 256 * 2 ** 20 };
/**
 * The user's program requests at least that much of both. Then tpi's containers have requests = limits, too: if all containers of a pod have,
 * a node evicts it last, and gives it whole cores if it is configured to. https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/
 */
const hasEnough = ({ cpu = 0, memoryBytes = 0 }) => cpu >= ENOUGH.cpu && memoryBytes >= ENOUGH.memoryBytes;
/** For a container that copies before the program starts: the program's own amounts, which the pod has anyway. */
const before = (program) => (hasEnough(program) ? exactly(program) : BRIEF);
/** For a container that runs beside the program. */
const beside = (program) => (hasEnough(program) ? exactly(ENOUGH) : SMALL);
function exactly({ cpu, memoryBytes }) {
    const amounts = quantities({ ...(cpu !== undefined && { cpu }), ...(memoryBytes !== undefined && { memoryBytes }) }, undefined);
    return { requests: amounts, limits: amounts };
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/gate.js




/** The gate's address: only its own pod can reach it. */
const GATE_PLACE = { url: `http://127.0.0.1:${names/* STORE_PORT */.E5}` };
function gateConfig({ url, settings }) {
    return {
        v: parse/* VERSION */.xv,
        store: { url, ...(settings && { settings }) },
        credentialsFile: `${names/* PLACE */.CC.secret}/credentials.json`,
        port: names/* STORE_PORT */.E5,
        tokenFile: `${names/* PLACE */.CC.secret}/token`,
    };
}
/**
 * It starts before the program and ends after it.
 * https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/
 */
function gateContainer({ size }, image) {
    return {
        name: names/* CONTAINER */.MR.gate,
        image,
        restartPolicy: 'Always',
        command: [names/* PLACE */.CC.node, `${names/* PLACE */.CC.config}/agent.mjs`, 'serve-gate', `${names/* PLACE */.CC.config}/gate.json`],
        resources: beside(resourcesOf(size)),
        securityContext: LOCKED,
        volumeMounts: [
            { name: 'tpi-config', mountPath: names/* PLACE */.CC.config, readOnly: true },
            { name: 'tpi-secret', mountPath: names/* PLACE */.CC.secret, readOnly: true },
        ],
    };
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/resources/object.js



function ownedBy({ uid, name }) {
    return [{ apiVersion: 'batch/v1', kind: 'Job', uid, name, controller: false }];
}
function objectResource(api, kind, noun, name, params) {
    return {
        kind: noun,
        name,
        ...paced(kind),
        ensure: async () => (params ? ensureObject(api, kind, noun, name, params) : 'found'),
        // With `params`, it stays as long as its owner does; without, it is removed in any case.
        remove: async () => removeObject(api, kind, name, params !== undefined),
    };
}
/** An object that stays as long as its owner does. */
function lentObject(api, kind, noun, name) {
    return { kind: noun, name, ...paced(kind), ensure: async () => 'found', remove: async () => removeObject(api, kind, name, true) };
}
/** A claim stays until the pod that uses it is gone. */
const paced = (kind) => (kind === 'persistentvolumeclaims' ? { pace: 1000 } : {});
async function ensureObject(api, kind, noun, name, params) {
    params.signal.throwIfAborted();
    const owner = await params.owner();
    const object = await params.make();
    const metadata = {
        ...object.metadata,
        labels: { ...object.metadata.labels, ...(0,names/* labelsOf */.PC)(params.of, params.role) },
        ownerReferences: ownedBy(owner),
    };
    if (await api.create(kind, { ...object, metadata }))
        return 'created';
    const there = await api.get(kind, name);
    // One that another root owns is left from a former run, and the cluster removes it.
    if (!there || there.metadata.deletionTimestamp || !there.metadata.ownerReferences?.some(({ uid }) => uid === owner.uid)) {
        throw stillThere(`${noun} ${name}`);
    }
    return 'found';
}
/**
 * The cluster also removes an object with its owner, but in its own time: after an outage of the API server, it may be busy for minutes. A claim
 * stays until the cluster has seen that no pod uses it, which is not worth waiting for. `lent`: it stays as long as its owner does.
 */
async function removeObject(api, kind, name, lent) {
    const end = await removeOurs(api, kind, name);
    if (end !== 'other')
        return REMOVED[end];
    const there = await api.get(kind, name);
    if (!there)
        return 'absent';
    const { deletionTimestamp, ownerReferences: owners = [] } = there.metadata;
    for (const owner of lent ? owners.filter((one) => !api.hasRemoved(one)) : []) {
        const job = await api.get('jobs', owner.name);
        // The cluster removes it with its owner, which will be removed after this, or by those who still use it.
        if (job?.metadata.uid === owner.uid && !job.metadata.deletionTimestamp)
            return 'removed';
    }
    if (deletionTimestamp === undefined && (await api.remove(kind, name, uidOf(there))) !== 'going')
        return 'removed';
    return isUnreachable(there, api.now) ? 'going' : 'pending';
}
/** Saves a call: if this process has made the object and removed its owners, the object need not be read. `other`: it has not. */
async function removeOurs(api, kind, name) {
    const made = api.madeHere(kind, name);
    const owners = made?.metadata.ownerReferences ?? [];
    if (!made || owners.length === 0 || !owners.every((owner) => api.hasRemoved(owner)))
        return 'other';
    return api.remove(kind, name, uidOf(made));
}
const REMOVED = { gone: 'removed', going: 'pending', absent: 'absent' };
const uidOf = ({ metadata: { uid } }) => (uid === undefined ? {} : { uid });

;// CONCATENATED MODULE: ./build/js/clouds/k8s/resources/job.js






/** Failures of an index. The limit is never reached: the record of a slot counts the attempts. */
const RETRIES = 1000;
/** Seconds that a finished root stays before the cluster removes it with everything that it owns. */
const TTL = 10;
/** `pods`: selects its pods. */
function jobResource(api, noun, name, pods, params) {
    const clear = podsRemoval(api, pods);
    return {
        kind: noun,
        name,
        ensure: async () => (params ? ensureJob(api, noun, params) : 'found'),
        // With `params`, it is removed only if no other incarnation uses it.
        remove: async () => (params?.shared && (await isUsedByAnother(api, params)) ? 'absent' : removeJob(api, name, clear)),
    };
}
async function isUsedByAnother(api, { name, of }) {
    const there = await api.get('jobs', name);
    return there !== undefined && userOf(there) !== of.incarnation;
}
const userOf = ({ metadata }) => metadata.annotations?.[names/* ANNOTATION */.YX.user];
async function ensureJob(api, noun, params) {
    params.signal.throwIfAborted();
    if (params.ready && !params.ready())
        return 'pending';
    const { name } = params;
    const annotations = { ...params.annotations, ...(params.shared && { [names/* ANNOTATION */.YX.user]: params.of.incarnation }) };
    const owners = params.owner ? { ownerReferences: ownedBy(await params.owner()) } : {};
    const metadata = { name, labels: { ...params.labels, ...(0,names/* labelsOf */.PC)(params.of, params.role) }, annotations, ...owners };
    const job = { metadata, spec: await jobSpec(params) };
    if (await api.create('jobs', job, { strict: params.strict === true }))
        return 'created';
    const there = await api.get('jobs', name);
    if (!there || there.metadata.deletionTimestamp) {
        throw stillThere(`${noun} ${name}`);
    }
    // A root that has ended by itself, or is past its deadline: no pod of it can start any more, and the cluster removes what it owns.
    if (!params.owner && isOver(there)) {
        await api.remove('jobs', name, uidOf(there));
        throw stillThere(`${noun} ${name}`);
    }
    return params.owner ? 'found' : usedOn(api, noun, { ...params, annotations }, there);
}
/**
 * Takes over a root that another incarnation made: extends its deadline to what this incarnation needs, and notes on it who uses it now, so that no
 * other controller removes it.
 */
async function usedOn(api, noun, { name, annotations, shared, of, deadline }, there) {
    // A Job's deadline counts from its creation. A minute less is not worth a change.
    const needed = deadline() + ageOf(there);
    const lasts = (there.spec.activeDeadlineSeconds ?? 0) >= needed - 60;
    const { uid } = there.metadata;
    if (lasts && (!shared || userOf(there) === of.incarnation))
        return 'found';
    const user = { [names/* ANNOTATION */.YX.user]: of.incarnation };
    const change = lasts
        ? { metadata: { uid, annotations: user } }
        : { metadata: { uid, annotations }, spec: { activeDeadlineSeconds: needed } };
    const changed = await api.patch('jobs', name, change);
    if (!changed || changed.metadata.deletionTimestamp)
        throw stillThere(`${noun} ${name}`);
    return 'updated';
}
/** `SuccessCriteriaMet`: it will be complete once its pods are gone (Kubernetes 1.31 and later). */
const isOver = (job) => isComplete(job) || (0,objects/* conditionOf */.r)(job, 'SuccessCriteriaMet') !== undefined || failureOf(job) !== undefined;
/** Present if the Job has failed. `FailureTarget`: it will have once its pods are gone (Kubernetes 1.31 and later). */
function failureOf(job) {
    return (0,objects/* conditionOf */.r)(job, 'FailureTarget') ?? (0,objects/* conditionOf */.r)(job, 'Failed');
}
/** All of its work is done. */
const isComplete = (job) => (0,objects/* conditionOf */.r)(job, 'Complete') !== undefined;
/** Seconds. */
function ageOf(job) {
    return Math.max(0, Math.round((Date.now() - Date.parse(job.metadata.creationTimestamp ?? '')) / 1000)) || 0;
}
async function jobSpec(params) {
    return {
        completionMode: 'Indexed',
        completions: params.completions,
        parallelism: params.parallelism,
        // Without `podFailurePolicy`: with it, the cluster would wait for pods on dead nodes.
        backoffLimitPerIndex: RETRIES,
        maxFailedIndexes: params.completions,
        podReplacementPolicy: 'TerminatingOrFailed',
        ...activeDeadline(params.deadline),
        // On a Job other than the root, a TTL would remove results that were not collected yet.
        ...(params.owner ? {} : { ttlSecondsAfterFinished: Math.max(TTL, params.kept ?? 0) }),
        template: await params.template(),
    };
}
async function removeJob(api, name, clear) {
    const job = await removeJobAlone(api, name);
    const remains = await clear();
    if (job === 'pending' || remains === 'pending')
        return 'pending';
    return job === 'removed' || remains === 'removed' ? 'removed' : 'absent';
}
/** A Job that a caller has just read: it is removed only if it is still the same. */
function seenJob(api, noun, seen) {
    return { kind: noun, name: seen.metadata.name, ensure: async () => 'found', remove: async () => removeAsSeen(api, seen) };
}
/**
 * Removes the Job if no incarnation has started to use it since it was seen. The cluster then removes what it owns, in its own time. A Job that
 * has changed is read again, because its status changes, too.
 */
async function removeAsSeen(api, seen) {
    const { name } = seen.metadata;
    const end = await endAsItIs(api, seen);
    if (end !== 'other')
        return REMOVED[end];
    const there = await api.get('jobs', name);
    if (!there || there.metadata.uid !== seen.metadata.uid || userOf(there) !== userOf(seen))
        return 'absent';
    const again = await endAsItIs(api, there);
    return again === 'other' ? 'pending' : REMOVED[again];
}
async function endAsItIs(api, job) {
    const { name, deletionTimestamp, resourceVersion } = job.metadata;
    if (deletionTimestamp !== undefined)
        return (await api.get('jobs', name))?.metadata.uid === job.metadata.uid ? 'going' : 'absent';
    return api.remove('jobs', name, { ...uidOf(job), ...(resourceVersion !== undefined && { resourceVersion }) });
}
/** Removes only the Job: the cluster then removes what it owns, in its own time. */
async function removeJobAlone(api, name) {
    const end = await api.remove('jobs', name);
    return end === 'other' ? 'pending' : REMOVED[end];
}
/** Seconds of grace for pods whose work is no longer wanted: it is already saved, or given up. */
const LAST = 30;
/**
 * Removes the pods of a Job; the cluster would, too, but may be busy with other things for minutes. Pods that have ended are not waited for. Others
 * may already have been told to end with a longer grace, which they would use up if their node or store is lost: it is shortened.
 */
function podsRemoval(api, labelSelector) {
    const ask = async () => api.removeAll('pods', { labelSelector }, LAST);
    let asked = false;
    return async () => {
        const there = asked ? await api.list('pods', { labelSelector }) : await ask();
        const soon = api.now + (LAST + 1) * 1000;
        const fresh = there.some(({ metadata: { deletionTimestamp: at } }) => at === undefined || Date.parse(at) > soon);
        if (asked && fresh)
            await ask();
        asked = true;
        if (there.some((pod) => isPresent(pod, api.now)))
            return 'pending';
        return fresh ? 'removed' : 'absent';
    };
}
/** Sets the wanted number of pods. `undefined`: the Job does not exist any more. */
async function scaleJob(api, job, count) {
    if (count === job.spec.parallelism)
        return job;
    // Only this Job, not another one that has replaced it meanwhile.
    return api.patch('jobs', job.metadata.name, { metadata: { uid: job.metadata.uid }, spec: { parallelism: count } });
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/resources/store-server.js
/** The server of a store: its Job grows from 0 to 1 when everything that the pod needs exists, so the pod never waits for a volume. */



/** Milliseconds between two looks at a pod that is being removed. */
const PACE = 500;
function startResource(api, name, signal) {
    return {
        kind: 'store server',
        name,
        async ensure() {
            signal.throwIfAborted();
            const job = await api.made('jobs', name);
            if (job?.spec.parallelism === 1)
                return 'found';
            if (!job || !(await scaleJob(api, job, 1)))
                throw new errors/* RemoteError */.Hi(`k8s: job ${name} is gone`);
            return 'created';
        },
        // It is removed with its Job.
        remove: async () => 'absent',
    };
}
/** The store's pods, to be removed after their Job. `seen`: that Job. */
function started(api, name, pods, seen) {
    const maker = seen?.metadata.labels?.[names/* LABEL */.d_.incarnation];
    const own = maker === undefined ? pods : `${pods},${names/* LABEL */.d_.incarnation}=${maker}`;
    const clear = podsRemoval(api, own);
    return {
        kind: 'store server',
        name,
        ensure: async () => 'found',
        pace: PACE,
        async remove() {
            const there = seen && api.hasRemoved(seen.metadata) ? undefined : await api.get('jobs', name);
            // The store is still in use.
            if (there && !there.metadata.deletionTimestamp && (seen === undefined || there.metadata.uid === seen.metadata.uid))
                return 'absent';
            return clear();
        },
    };
}

// EXTERNAL MODULE: ./build/js/core/tag-limits.js
var tag_limits = __webpack_require__(7021);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/tags.js



/** `undefined`: it has no tags of tpi, or they were edited. */
function tagsOf({ metadata }, tell) {
    const text = metadata.annotations?.[names/* ANNOTATION */.YX.tags];
    if (text === undefined)
        return undefined;
    return (0,core_tags/* tagsIn */.bk)(() => text, (why) => tell?.(metadata.labels?.[names/* LABEL */.d_.id], why));
}
/**
 * Kubernetes' rules for keys (a name of at most 63 characters, with or without a domain before it), and for values of labels.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
 */
const KEY = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;
/** Keys of Kubernetes and of tpi. */
const TAKEN = /^(?:[a-z0-9.-]+\.)?(?:kubernetes\.io|k8s\.io|tpi\.iterative\.ai)\//;
/** A tag becomes a label (for searches and cost reports) if its value is allowed there; otherwise an annotation, which takes any text. */
function worn(user) {
    const pairs = Object.entries(user);
    const isLabel = ([, value]) => LABEL_VALUE.test(value);
    return {
        labels: Object.fromEntries(pairs.filter(isLabel)),
        annotations: Object.fromEntries(pairs.filter((pair) => !isLabel(pair))),
    };
}
/** Labels and annotations of a Job: tpi's annotation has all facts of the deployment. */
function jobTags(tags) {
    const { labels, annotations } = worn(tags.user);
    return { labels, annotations: { ...annotations, [names/* ANNOTATION */.YX.tags]: (0,core_tags/* tagsText */.XE)(tags) } };
}
/**
 * Most bytes of all annotations of one object together: https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/,
 * `ValidateAnnotationsSize`.
 */
const ANNOTATIONS_MOST = 256 * 1024;
function tagFaults(tags) {
    const hint = 'letters, digits, "-", "_" and ".", at most 63';
    const faults = (0,tag_limits/* limitFaults */.P)(tags.user, { title: 'Kubernetes', reserved: TAKEN, pattern: { name: KEY, hint } });
    const { annotations } = jobTags(tags);
    const bytes = Object.entries(annotations).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
    if (bytes <= ANNOTATIONS_MOST)
        return faults;
    return [...faults, { option: 'tags', message: 'together they are longer than Kubernetes allows', hint: 'give fewer, or shorter ones' }];
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/docker.js
/**
 * Docker for the jobs of runners: a daemon in the pod, beside the runner, like that of Actions Runner Controller
 * (charts/gha-runner-scale-set of actions/actions-runner-controller, container mode dind). It starts before the runner, and ends after it.
 */

/** Both modes need a privileged container, which has full access to the node even if its user is not root (docs of the image `docker`). */
const CONTAINER_MODES = {
    dind: { image: 'docker:dind', folder: '/var/run', data: '/var/lib/docker', user: 0 },
    'dind-rootless': {
        image: 'docker:dind-rootless',
        folder: '/run/user/1000',
        data: '/home/rootless/.local/share/docker',
        user: 1000,
        runner: 1000,
    },
};
const VOLUME = { socket: 'tpi-docker', data: 'tpi-docker-data' };
const modeOf = ({ mode }) => CONTAINER_MODES[mode];
const socketOf = (docker) => `unix://${modeOf(docker).folder}/docker.sock`;
/** The user as which the runner beside it has to run; `undefined`: any. */
const userBeside = (docker) => docker && modeOf(docker).runner;
/**
 * Starts a daemon whose containers send no larger packets than the pod's network takes (its MTU). Docker assumes 1500 bytes, but many pod
 * networks take less (1460 on GKE, 1450 in overlays): larger packets are lost, so downloads hang. `--mtu` is for containers without a network of
 * their own; since Docker 24 there is another option, for the networks that jobs get. If the image configures an MTU itself, that one is used.
 * https://github.com/actions/actions-runner-controller/issues/1046
 */
const startScript = (mtuFile, configFile) => `
size=$(cat ${mtuFile} 2>/dev/null)
if [ "\${size:-1500}" -lt 1500 ] && ! grep -qs mtu ${configFile}; then
  set -- "$@" "--mtu=$size"
  if dockerd --help 2>&1 | grep -q default-network-opt; then
    set -- "$@" "--default-network-opt=bridge=com.docker.network.driver.mtu=$size"
  fi
fi
if command -v dockerd-entrypoint.sh >/dev/null; then set -- dockerd-entrypoint.sh "$@"; fi
exec "$@"
`;
/** Only for a daemon that runs as root: in rootless mode, a program in between ends connections and opens its own to the network. */
const WITH_MTU = ['sh', '-c', startScript('/sys/class/net/eth0/mtu', '/etc/docker/daemon.json'), 'sh'];
/**
 * `group`: the runner's group, which must reach a daemon that runs as root. Work directory and program have the same paths in both
 * containers, because jobs mount them.
 */
function dockerContainer(docker, group) {
    const { image, folder, data, user } = modeOf(docker);
    const host = socketOf(docker);
    const reached = user === 0 && group ? [`--group=${group}`] : [];
    return {
        name: names/* CONTAINER */.MR.docker,
        image: docker.image ?? image,
        restartPolicy: 'Always',
        ...(user === 0 && { command: WITH_MTU }),
        args: ['dockerd', `--host=${host}`, ...reached],
        securityContext: { privileged: true, runAsUser: user, runAsGroup: user, runAsNonRoot: user !== 0 },
        // The runner starts when the daemon answers.
        startupProbe: { exec: { command: ['docker', `--host=${host}`, 'info'] }, periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 120 },
        volumeMounts: [
            { name: VOLUME.socket, mountPath: folder },
            { name: VOLUME.data, mountPath: data },
            { name: 'tpi-home', mountPath: names/* PLACE */.CC.home },
        ],
    };
}
function dockerVolumes() {
    return [VOLUME.socket, VOLUME.data].map((name) => ({ name, emptyDir: {} }));
}
/** What the runner's container needs to reach the daemon. */
function dockerAccess(docker) {
    if (!docker)
        return { env: [], mounts: [] };
    return {
        env: [{ name: 'DOCKER_HOST', value: socketOf(docker) }],
        mounts: [{ name: VOLUME.socket, mountPath: modeOf(docker).folder }],
    };
}

// EXTERNAL MODULE: ./build/js/clouds/k8s/job-pods.js
var job_pods = __webpack_require__(22858);
// EXTERNAL MODULE: ./build/js/clouds/k8s/options.js
var options = __webpack_require__(60624);
// EXTERNAL MODULE: ./build/js/lib/record.js
var record = __webpack_require__(96645);
// EXTERNAL MODULE: ./build/js/clouds/k8s/sdk.js + 1 modules
var sdk = __webpack_require__(28207);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/user-pod.js
/** Merges a user's pod into tpi's: maps are merged, lists with a key are merged by it, and everything else is replaced. */



/** Lists that are merged by a key, and the field with the key. */
const KEYS = {
    containers: 'name',
    initContainers: 'name',
    volumes: 'name',
    env: 'name',
    volumeMounts: 'mountPath',
    imagePullSecrets: 'name',
    hostAliases: 'ip',
    ports: 'containerPort',
};
/** The user's values over tpi's. */
function merge(ours, theirs, field = '') {
    if (field === 'tolerations' && Array.isArray(ours) && Array.isArray(theirs))
        return mergeTolerations(ours, theirs);
    const key = KEYS[field];
    if (key !== undefined && Array.isArray(ours) && Array.isArray(theirs))
        return mergeLists(ours, theirs, key);
    if (!(0,record/* isRecord */.u4)(ours) || !(0,record/* isRecord */.u4)(theirs))
        return theirs;
    const merged = { ...ours };
    for (const [name, value] of Object.entries(theirs)) {
        if (value === undefined)
            continue;
        merged[name] = Object.hasOwn(ours, name) ? merge(ours[name], value, name) : value;
    }
    return merged;
}
/** A toleration of the user's replaces tpi's for the same taint. Merged field by field, they could become one that Kubernetes refuses. */
function mergeTolerations(ours, theirs) {
    const isOver = (mine) => theirs.some((item) => {
        if (!(0,record/* isRecord */.u4)(item) || !(0,record/* isRecord */.u4)(mine) || item['key'] !== mine['key'])
            return false;
        return item['effect'] === mine['effect'] || item['effect'] === undefined || mine['effect'] === undefined;
    });
    return [...ours.filter((mine) => !isOver(mine)), ...theirs];
}
/** The user's items are not merged with each other: a list may have one port with two protocols. */
function mergeLists(ours, theirs, key) {
    const merged = [...ours];
    for (const item of theirs) {
        const name = (0,record/* isRecord */.u4)(item) ? item[key] : undefined;
        const at = name === undefined ? -1 : ours.findIndex((mine) => (0,record/* isRecord */.u4)(mine) && mine[key] === name);
        // If two of the user's items match, the second is added beside the first.
        if (at >= 0 && merged[at] === ours[at])
            merged[at] = merge(ours[at], item);
        else
            merged.push(item);
    }
    return merged;
}
/** The pod that a template's text describes; or, as text, what is wrong with it. */
function userPodIn(text) {
    try {
        return podOf((0,sdk/* yaml */.o)(text)) ?? 'the file is not a pod: it needs the "spec" of a pod';
    }
    catch (error) {
        return `the file is not valid YAML: ${(0,lib_text/* firstLineOf */.Qy)(error)}`;
    }
}
/** A file may hold a whole Pod, a pod template (`metadata`, `spec`), or the spec alone. `undefined`: none of them, such as a Job. */
function podOf(parsed) {
    if (!(0,record/* isRecord */.u4)(parsed))
        return undefined;
    const { spec, metadata } = parsed;
    if ((0,record/* isRecord */.u4)(spec))
        return 'template' in spec ? undefined : { metadata: (0,record/* fieldsIn */.t5)(metadata), spec };
    return 'spec' in parsed || 'kind' in parsed ? undefined : { metadata: {}, spec: parsed };
}
/** Fields that tpi depends on, each with what to use instead. */
const OURS = [
    { field: 'spec.restartPolicy', instead: 'the Job replaces pods itself' },
    { field: 'spec.terminationGracePeriodSeconds', instead: 'give --grace' },
    { field: 'spec.serviceAccountName', instead: 'give --permission-set' },
    { field: 'spec.serviceAccount', instead: 'give --permission-set' },
    { field: 'spec.automountServiceAccountToken', instead: 'give --permission-set' },
    { field: 'spec.hostname', instead: 'the Job gives each pod its own' },
    { field: 'spec.initContainers[tpi]', instead: 'use another name for yours' },
    { field: 'spec.initContainers[tpi-gate]', instead: 'use another name for yours' },
    { field: 'spec.initContainers[tpi-docker]', instead: 'give --container-mode and --dind-image' },
    { field: 'spec.containers[main].command', instead: 'give the command after "--", or --script' },
    { field: 'spec.containers[main].args', instead: 'give the command after "--", or --script' },
    { field: 'spec.containers[main].workingDir', instead: 'give --working-directory' },
];
/**
 * Fields by which a program that runs as root could reach the gate in front of a store outside the cluster: its memory and files, or its port on
 * the node.
 * https://kubernetes.io/docs/tasks/configure-pod-container/share-process-namespace/
 */
const OPENING = ['hostNetwork', 'hostPID', 'shareProcessNamespace'];
const OUR_PREFIX = /^tpi(-|$)/;
const OUR_PLACE = /^\/tpi(-|\/|$)/;
const OUR_LABEL = /^(tpi\.iterative\.ai\/|batch\.kubernetes\.io\/|app\.kubernetes\.io\/managed-by$)/;
/** A fault for each field that a user's pod must not set: which one, and what to do instead. `gated`: the store is outside the cluster. */
function templateFaults(pod, gated = false) {
    const fixed = OURS.filter(({ field }) => valueAt(pod, field) !== undefined).map(({ field, instead }) => `${field} is set by tpi: ${instead}`);
    const opening = OPENING.filter((field) => gated && pod.spec[field] === true).map((field) => `spec.${field} would let the program read the credentials of the store: leave it out, or leave out --storage`);
    const volumes = itemsOf(pod.spec['volumes']).flatMap(({ name }) => OUR_PREFIX.test(String(name)) ? [`spec.volumes[${String(name)}]`] : []);
    const mounts = ['containers', 'initContainers'].flatMap((list) => itemsOf(pod.spec[list]).flatMap((container) => itemsOf(container['volumeMounts'])
        .filter(({ name, mountPath }) => OUR_PLACE.test(String(mountPath)) || OUR_PREFIX.test(String(name)))
        .map(({ mountPath }) => `spec.${list}[${String(container['name'])}].volumeMounts[${String(mountPath)}]`)));
    const labels = ['labels', 'annotations'].flatMap((kind) => Object.keys((0,record/* fieldsIn */.t5)(pod.metadata[kind])).flatMap((key) => (OUR_LABEL.test(key) ? [`metadata.${kind}[${key}]`] : [])));
    return [...fixed, ...opening, ...[...volumes, ...mounts, ...labels].map((field) => `${field} is set by tpi: use another name for yours`)];
}
/** `a.b[name].c` */
function valueAt(from, field) {
    let at = from;
    for (const part of field.split('.')) {
        const [, name = '', , item] = /^([^[]+)(\[(.+)\])?$/.exec(part) ?? [];
        at = (0,record/* fieldsIn */.t5)(at)[name];
        if (item !== undefined)
            at = itemsOf(at).find((one) => one['name'] === item);
    }
    return at;
}
function itemsOf(list) {
    return Array.isArray(list) ? list.filter(record/* isRecord */.u4) : [];
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/template.js










/** Seconds of notice that tpi requests at most; a node may give less. */
const LONGEST_NOTICE = 600;
const SHORTEST_NOTICE = 30;
function noticeOf({ tags }) {
    return Math.max(SHORTEST_NOTICE, Math.min(LONGEST_NOTICE, (0,wire_lifetime/* overtime */.S9)(tags.lifetime)));
}
/** Pods leave a lost node after half a minute; by default, it would be five minutes. */
const BRIEFLY = ['not-ready', 'unreachable'].map((what) => ({
    key: `node.kubernetes.io/${what}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 30,
}));
function podTemplate(params) {
    const { spec, settings } = params;
    const labels = (0,names/* labelsOf */.PC)(spec.tags, 'task');
    // What is wrong with a template is reported by `faultsOf`.
    const read = settings.template === undefined ? undefined : userPodIn(settings.template);
    const theirs = typeof read === 'string' ? undefined : read;
    const pod = theirs ? merge(podSpec(params), theirs.spec) : podSpec(params);
    const metadata = merge(worn(spec.tags.user), theirs?.metadata ?? {});
    return { metadata: { ...metadata, labels: { ...metadata.labels, ...labels } }, spec: { ...pod, ...guarded(params) } };
}
/** Fields that tpi depends on: no template may change them. */
function guarded({ spec }) {
    return { restartPolicy: 'Never', terminationGracePeriodSeconds: noticeOf(spec) };
}
function podSpec(params) {
    const { spec, settings } = params;
    const { accelerator } = resourcesOf(spec.size);
    const nodeSelector = {
        ...OUR_NODES,
        ...(accelerator !== undefined && { accelerator }),
        ...regionSelector(spec.region),
        ...settings.nodeSelector,
    };
    return {
        automountServiceAccountToken: spec.permissionSet !== undefined,
        ...(spec.permissionSet !== undefined && { serviceAccountName: spec.permissionSet }),
        enableServiceLinks: false,
        securityContext: podSecurity(template_userOf(params)),
        nodeSelector,
        ...(settings.pullSecrets.length > 0 && { imagePullSecrets: settings.pullSecrets.map((name) => ({ name })) }),
        tolerations: BRIEFLY,
        initContainers: [
            initContainer(params),
            ...(params.gate ? [gateContainer(spec, settings.runtimeImage)] : []),
            ...(settings.docker ? [dockerContainer(settings.docker, template_userOf(params))] : []),
        ],
        containers: [mainContainer(params)],
        volumes: [
            { name: 'tpi-runtime', emptyDir: {} },
            { name: 'tpi-handover', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
            { name: 'tpi-home', emptyDir: spec.diskBytes === undefined ? {} : { sizeLimit: String(spec.diskBytes) } },
            { name: 'tpi-shm', emptyDir: { medium: 'Memory' } },
            { name: 'tpi-config', configMap: { name: params.program } },
            { name: 'tpi-secret', secret: { secretName: params.secret } },
            ...(settings.docker ? dockerVolumes() : []),
        ],
    };
}
/** TPI took a list of node labels as `region`. Words without "=" are regions of other clouds and have no effect here. */
function regionSelector(region) {
    const pairs = (region ?? '').split(',').flatMap((part) => {
        const [, key, value] = /^\s*([^=\s]+)=(\S*)\s*$/.exec(part) ?? [];
        return key === undefined || value === undefined ? [] : [[key, value]];
    });
    return Object.fromEntries(pairs);
}
/** The user of a pod that must not run as root, whatever its image says. */
const UNPRIVILEGED_UID = 1001;
/** `undefined`: the image decides. */
function template_userOf({ settings, spec }) {
    return settings.runAsUser ?? userBeside(settings.docker) ?? (spec.unprivileged === true ? UNPRIVILEGED_UID : undefined);
}
function podSecurity(user) {
    const seccompProfile = { type: 'RuntimeDefault' };
    if (user === undefined)
        return { seccompProfile };
    return { seccompProfile, runAsUser: user, ...(user > 0 && { runAsNonRoot: true, ...volumesOf(user) }) };
}
function initContainer({ spec, settings, store }) {
    const { id, incarnation, lifetime } = spec.tags;
    const init = {
        id,
        incarnation,
        agent: spec.agent,
        store,
        ...(spec.ahead && { ahead: true }),
        ...(settings.jobPods && { jobs: settings.jobPods.namespace }),
        notice: noticeOf(spec),
        ...(spec.diskBytes !== undefined && { disk: spec.diskBytes }),
        hardDeadline: new Date((0,wire_lifetime/* hardDeadline */.ay)(lifetime)).toISOString(),
    };
    return {
        name: names/* CONTAINER */.MR.init,
        image: settings.runtimeImage,
        command: [names/* PLACE */.CC.node, `${names/* PLACE */.CC.config}/agent.mjs`, 'k8s', 'pod-init', JSON.stringify(init)],
        env: [
            { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'POD_ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
        ],
        resources: before(resourcesOf(spec.size)),
        securityContext: LOCKED,
        volumeMounts: [
            { name: 'tpi-runtime', mountPath: '/into' },
            { name: 'tpi-handover', mountPath: names/* PLACE */.CC.handover },
            { name: 'tpi-home', mountPath: names/* PLACE */.CC.home },
            { name: 'tpi-config', mountPath: names/* PLACE */.CC.config, readOnly: true },
            { name: 'tpi-secret', mountPath: names/* PLACE */.CC.secret, readOnly: true },
        ],
    };
}
function mainContainer({ spec, settings }) {
    const amounts = quantities(resourcesOf(spec.size), spec.diskBytes);
    const docker = dockerAccess(settings.docker);
    const image = spec.image ?? spec.usualImage ?? options/* DEFAULTS */.zY.image;
    const env = [...docker.env, ...(settings.jobPods ? (0,job_pods.jobPodsEnv)(settings.jobPods, spec.tags.incarnation, image) : [])];
    return {
        name: names/* CONTAINER */.MR.program,
        image,
        command: [names/* PLACE */.CC.node, names/* PLACE */.CC.agent, 'run', `${names/* PLACE */.CC.home}/machine.json`],
        workingDir: names/* PLACE */.CC.home,
        ...(env.length > 0 && { env }),
        resources: { requests: amounts, limits: amounts },
        securityContext: { allowPrivilegeEscalation: false, ...((template_userOf({ settings, spec }) ?? 0) > 0 && { capabilities: { drop: ['ALL'] } }) },
        volumeMounts: [
            { name: 'tpi-runtime', mountPath: names/* PLACE */.CC.runtime, readOnly: true },
            { name: 'tpi-handover', mountPath: names/* PLACE */.CC.handover },
            { name: 'tpi-home', mountPath: names/* PLACE */.CC.home },
            // Limited only by memory: by default, a container has 64 MB, too little for PyTorch's data loaders and for several GPUs (NCCL).
            { name: 'tpi-shm', mountPath: '/dev/shm' },
            ...docker.mounts,
        ],
    };
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/store-pod.js





/** Seconds without a request after which a store that was told to end does so. */
const LINGER = 45;
/** Seconds until the cluster kills the store's pod. */
const GRACE = 600;
function serveConfig({ id }, { storageClaim }) {
    const folder = storageClaim ? `${names/* PLACE */.CC.store}/${storageClaim.folder}/${id}` : names/* PLACE */.CC.store;
    return {
        v: parse/* VERSION */.xv,
        folder,
        // A user's own claim may hold other data, so only what tpi has put there is removed.
        ...(storageClaim && { guest: true }),
        port: names/* STORE_PORT */.E5,
        tokenFile: `${names/* PLACE */.CC.secret}/token`,
        linger: LINGER,
    };
}
/**
 * Keeps the proxy of a service mesh out of the pod. In some modes, the API server could not reach the store through it. And if the proxy did not
 * end with the store, the pod would never count as done, so everything that the store owns would stay.
 * https://istio.io/latest/docs/setup/additional-setup/sidecar-injection/#controlling-the-injection-policy
 * https://linkerd.io/2-edge/reference/proxy-configuration/
 */
const UNMESHED = { labels: { 'sidecar.istio.io/inject': 'false' }, annotations: { 'linkerd.io/inject': 'disabled' } };
function storePodTemplate(spec, settings) {
    const { id, user } = spec.tags;
    const { labels, annotations } = worn(user);
    return {
        metadata: {
            labels: { ...UNMESHED.labels, ...labels, ...(0,names/* labelsOf */.PC)(spec.tags, 'store') },
            annotations: { ...UNMESHED.annotations, ...annotations },
        },
        spec: {
            // If the server crashes, it is restarted in place at once.
            restartPolicy: 'OnFailure',
            terminationGracePeriodSeconds: GRACE,
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            securityContext: { runAsNonRoot: true, runAsUser: names/* OUR_UID */.iS, ...volumesOf(names/* OUR_UID */.iS), seccompProfile: { type: 'RuntimeDefault' } },
            ...(settings.pullSecrets.length > 0 && { imagePullSecrets: settings.pullSecrets.map((name) => ({ name })) }),
            nodeSelector: storeNodes(settings),
            tolerations: BRIEFLY,
            containers: [
                {
                    name: names/* CONTAINER */.MR.store,
                    image: settings.runtimeImage,
                    command: [names/* PLACE */.CC.node, `${names/* PLACE */.CC.config}/agent.mjs`, 'serve-store', `${names/* PLACE */.CC.config}/serve.json`],
                    ports: [{ containerPort: names/* STORE_PORT */.E5 }],
                    resources: SMALL,
                    securityContext: LOCKED,
                    volumeMounts: [
                        { name: 'store', mountPath: names/* PLACE */.CC.store },
                        { name: 'config', mountPath: names/* PLACE */.CC.config, readOnly: true },
                        { name: 'secret', mountPath: names/* PLACE */.CC.secret, readOnly: true },
                    ],
                },
            ],
            volumes: [
                { name: 'store', persistentVolumeClaim: { claimName: settings.storageClaim?.name ?? id } },
                { name: 'config', configMap: { name: (0,names/* agentName */.Lp)((0,names/* storeName */.Hz)(id), spec.agent) } },
                { name: 'secret', secret: { secretName: id } },
            ],
        },
    };
}
/** A store needs no GPU and no special node: of the user's selector, it takes only the labels that decide whether tpi's programs run there. */
function storeNodes({ nodeSelector }) {
    return Object.fromEntries(Object.entries(OUR_NODES).map(([label, usual]) => [label, nodeSelector[label] ?? usual]));
}
/** Bytes. */
const LEAST_CLAIM = 10_000_000_000;
/** Bytes: by default, as much as the disk of a machine. */
function claimBytes({ storageBytes }, { diskBytes = 0 }) {
    return storageBytes ?? Math.max(LEAST_CLAIM, diskBytes);
}
function volumeClaim({ id, user }, { storageClass }, bytes) {
    return {
        metadata: { name: id, ...worn(user) },
        spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: String(bytes) } },
            ...(storageClass !== undefined && { storageClassName: storageClass }),
        },
    };
}
function service(id) {
    const selector = Object.fromEntries((0,names/* selectorOf */.Bk)(id, 'store')
        .split(',')
        .map((pair) => pair.split('=')));
    return { metadata: { name: id }, spec: { selector, ports: [{ name: 'store', port: names/* STORE_PORT */.E5, targetPort: names/* STORE_PORT */.E5 }] } };
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/store.js
/** The store of a deployment in the cluster: its resources, in order. */









/** The root comes first: once it exists, the cluster itself ends everything in time. */
function storeBlueprint(means, spec) {
    const { api, settings, signal } = means;
    const { id, incarnation } = spec.tags;
    const name = (0,names/* storeName */.Hz)(id);
    const of = { id, incarnation };
    const root = {
        of,
        role: 'store',
        name,
        shared: true,
        ...jobTags(spec.tags),
        completions: 1,
        // Its pod starts only when everything that it needs exists, so it never waits for a volume.
        parallelism: 0,
        deadline: untilForgotten(spec.tags.lifetime),
        template: async () => storePodTemplate(spec, settings),
        signal,
    };
    const params = { of, role: 'store', signal, owner: () => rootOf(api, name) };
    return [
        [jobResource(api, 'store', name, (0,names/* selectorOf */.Bk)(id, 'store'), root)],
        [
            objectResource(api, 'secrets', 'store token', id, { ...params, make: async () => tokenSecret(id) }),
            settings.storageClaim
                ? givenClaim(api, settings.storageClaim.name)
                : objectResource(api, 'persistentvolumeclaims', 'claim', id, {
                    ...params,
                    make: async () => volumeClaim(spec.tags, settings, claimBytes(settings, spec)),
                }),
            objectResource(api, 'services', 'service', id, { ...params, make: async () => service(id) }),
            agentResource(means, (0,names/* agentName */.Lp)(name, spec.agent), spec.agent, params, {
                'serve.json': JSON.stringify(serveConfig(spec.tags, settings)),
            }),
        ],
        [startResource(api, name, signal)],
    ];
}
/** The user's own claim: it is looked for, but never made or removed. */
function givenClaim(api, name) {
    return {
        kind: 'claim',
        name,
        async ensure() {
            if (await api.get('persistentvolumeclaims', name))
                return 'found';
            throw new errors/* InputError */.dz([{ option: 'storage-claim', message: `there is no claim "${name}" in namespace "${api.namespace}"` }]);
        },
        remove: async () => 'absent',
    };
}
/**
 * The last stage is removed first, and that is the root: even if this process then dies, the cluster removes the rest. The rest is removed all
 * at once, so that the removal of the claim need not wait for the end of the pod.
 */
function storeLeftovers(api, id, root) {
    const name = (0,names/* storeName */.Hz)(id);
    const resources = [
        started(api, name, (0,names/* selectorOf */.Bk)(id, 'store'), root),
        lentObject(api, 'secrets', 'store token', id),
        lentObject(api, 'persistentvolumeclaims', 'claim', id),
        lentObject(api, 'services', 'service', id),
        ...(root ? programsOf(api, name, root) : []),
    ];
    return [resources, root ? [seenJob(api, 'store', root)] : []];
}
/** The ConfigMaps that were made for the pods of a Job (`base`: its name). */
function programsOf(api, base, { spec }) {
    const mounted = (spec.template?.spec?.volumes ?? []).flatMap(({ configMap }) => configMap?.name ?? []);
    return mounted.filter((name) => name.startsWith(`${base}-`)).map((name) => lentObject(api, 'configmaps', 'agent', name));
}
/** Throws if the root is gone or being removed: objects that it owns would be removed, too. */
async function rootOf(api, name) {
    const job = await api.made('jobs', name);
    if (!job?.metadata.uid || job.metadata.deletionTimestamp)
        throw new errors/* RemoteError */.Hi(`k8s: job ${name} is gone`);
    return { uid: job.metadata.uid, name };
}
/** A ConfigMap with the agent (digest `wanted`), and other data that is not secret. */
function agentResource({ api, agent }, name, wanted, params, data = {}) {
    const make = async () => {
        const { digest, bytes } = await agent();
        if (digest !== wanted)
            throw new errors/* RemoteError */.Hi(`the agent has the digest ${digest}, not ${wanted}`);
        if (bytes.length > names/* MAX_AGENT_BYTES */.pV)
            throw new errors/* RemoteError */.Hi(`the agent has ${bytes.length} bytes, which is more than a ConfigMap holds`);
        return { metadata: { name }, immutable: true, data, binaryData: { 'agent.mjs': Buffer.from(bytes).toString('base64') } };
    };
    return objectResource(api, 'configmaps', 'agent', name, { ...params, make });
}
/** A key for a whole store; the passes of its machines are made from it. */
const newToken = () => (0,external_node_crypto_.randomBytes)(32).toString('hex');
function tokenSecret(id) {
    const token = newToken();
    return { metadata: { name: id }, stringData: { token } };
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/blueprint.js









/** Name of the Secret with the credentials for a store outside the cluster, and the key of its gates. */
const secretName = (of) => (0,names/* taskName */.p5)(of);
/** The Job at size 0, owned by the store if there is one; then the objects that its pods mount. */
function taskBlueprint(means, spec, store) {
    const { api, settings, signal } = means;
    const { id, incarnation, count, lifetime } = spec.tags;
    const of = { id, incarnation };
    const name = (0,names/* taskName */.p5)(of);
    const secret = store.own ? id : secretName(of);
    // With `ahead`, machines use the ConfigMap that was just made for the store: it exists before any pod.
    const shared = store.own && spec.ahead === true;
    const program = (0,names/* agentName */.Lp)(shared ? (0,names/* storeName */.Hz)(id) : name, spec.agent);
    const job = {
        of,
        role: 'task',
        name,
        ...jobTags(spec.tags),
        completions: count,
        parallelism: spec.ahead ? count : 0,
        deadline: untilDeadline(lifetime),
        ...(store.own ? { owner: () => rootOf(api, (0,names/* storeName */.Hz)(id)) } : { kept: lifetime.retention }),
        // If there is little room in a quota or on the nodes, the store must get it first.
        ...(shared && { ready: () => means.storePodIsMade(id) }),
        template: async () => podTemplate({ spec, settings, program, secret, store: await blueprint_placeOf(store), gate: !store.own }),
        strict: settings.template !== undefined,
        signal,
    };
    const params = { of, role: 'task', signal, owner: () => rootOf(api, name) };
    const { credentials = {} } = spec.store;
    const outside = objectResource(api, 'secrets', 'credentials', secret, {
        ...params,
        make: async () => ({ metadata: { name: secret }, stringData: { token: newToken(), 'credentials.json': JSON.stringify(credentials) } }),
    });
    const data = store.own ? {} : { 'gate.json': JSON.stringify(gateConfig(spec.store)) };
    const mounted = [...(shared ? [] : [agentResource(means, program, spec.agent, params, data)]), ...(store.own ? [] : [outside])];
    return [[jobResource(api, 'job', name, (0,names/* groupSelector */.fX)(of), job)], mounted];
}
async function blueprint_placeOf(store) {
    const place = await store.place();
    if (!place)
        throw new errors/* RemoteError */.Hi('k8s: the service of the store is gone');
    return { url: place.url, ...(place.settings && { settings: place.settings }) };
}
/** `known`: its Job, if the caller has just read it. */
async function taskLeftovers(api, of, known) {
    const name = (0,names/* taskName */.p5)(of);
    const job = known ?? (await api.get('jobs', name));
    const secret = secretName(of);
    // The Job says whether its pods mount such a Secret. If it is gone, the cluster is asked for the Secret.
    const mounts = job
        ? job.spec.template?.spec?.volumes?.some((one) => one.secret?.secretName === secret)
        : (await api.get('secrets', secret)) !== undefined;
    const mounted = mounts ? [objectResource(api, 'secrets', 'credentials', secret)] : [];
    const machines = job ? [jobResource(api, 'job', name, (0,names/* groupSelector */.fX)(of)), ...programsOf(api, name, job)] : [];
    return [[...mounted, ...machines]].filter((stage) => stage.length > 0);
}

// EXTERNAL MODULE: ./build/js/core/check.js
var check = __webpack_require__(53912);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/checks/look.js
/** Checks that need more rights than a run does: a caller without them gets a warning, because the run may work all the same. */


async function glimpse(what, whyNot, look) {
    return (0,check/* looked */.ne)(what, async () => look().catch((0,errors/* ifDenied */.F4)({ what, state: 'warning', says: `cannot be checked: ${whyNot}` })));
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/checks/named.js
/** Objects that a pod names and that must exist before it can be made or started: its classes, and what its containers mount or read. */


const NOUNS = { secrets: 'secret', configmaps: 'config map', persistentvolumeclaims: 'claim' };
/** One check for all objects that exist, and one for each that does not. */
async function named(api, pod) {
    const classes = [
        clusterWide(api, 'runtime class', '/apis/node.k8s.io/v1/runtimeclasses', pod.runtimeClassName),
        clusterWide(api, 'priority class', '/apis/scheduling.k8s.io/v1/priorityclasses', pod.priorityClassName),
    ];
    const checks = (await Promise.all([...classes, ...wantedOf(pod).map(async (wanted) => object(api, wanted))])).flat();
    // Several containers may read the same object.
    const distinct = [...new Map(checks.map((check) => [`${check.what} ${check.says}`, check])).values()];
    const there = distinct.filter(({ state }) => state === 'ok').map(({ what, says }) => `${what} ${says}`);
    const rest = distinct.filter(({ state }) => state !== 'ok');
    if (there.length === 0)
        return rest;
    return [...rest, { what: 'pod-template', state: 'ok', says: `everything it names exists: ${there.join(', ')}` }];
}
async function clusterWide(api, what, path, name) {
    if (name === undefined)
        return [];
    const look = async () => {
        if (await api.ask('GET', `${path}/${name}`))
            return { what, state: 'ok', says: `"${name}"` };
        return { what, state: 'fault', says: `the cluster has no ${what} "${name}"`, hint: 'the pod template names it' };
    };
    return [await glimpse(what, `whether "${name}" exists will show when the pod is created`, look)];
}
async function object(api, { kind, name, key }) {
    const what = NOUNS[kind];
    return (0,check/* looked */.ne)(what, async () => {
        const found = await api.get(kind, name);
        const where = `in namespace "${api.namespace}"`;
        const hint = 'the pod template names it: a machine waits until it exists';
        if (!found)
            return { what, state: 'fault', says: `there is no ${what} "${name}" ${where}`, hint };
        const keys = { ...found.data, ...found.binaryData };
        if (key !== undefined && !Object.hasOwn(keys, key))
            return { what, state: 'fault', says: `${what} "${name}" ${where} has no "${key}"`, hint };
        if (found.status?.phase === 'Lost')
            return { what, state: 'fault', says: `${what} "${name}" ${where} has lost its volume` };
        return { what, state: 'ok', says: `"${name}"` };
    });
}
/** Names of tpi's own volumes: their objects are made with the pod. */
const named_OURS = /^tpi-/;
function wantedOf({ volumes = [], containers = [], initContainers = [] }) {
    const theirs = volumes.filter(({ name }) => !named_OURS.test(name));
    const mounted = theirs.flatMap(({ projected, ...own }) => [own, ...(projected?.sources ?? [])].flatMap(ofSource));
    const read = [...containers, ...initContainers].flatMap(({ env = [], envFrom = [] }) => [
        ...envFrom.flatMap(({ secretRef, configMapRef }) => [...refer('secrets', secretRef), ...refer('configmaps', configMapRef)]),
        ...env.flatMap(({ valueFrom }) => [...refer('secrets', valueFrom?.secretKeyRef), ...refer('configmaps', valueFrom?.configMapKeyRef)]),
    ]);
    return [...mounted, ...read];
}
function ofSource({ secret, configMap, persistentVolumeClaim }) {
    return [
        ...refer('secrets', secret && { ...secret, ...(secret.secretName !== undefined && { name: secret.secretName }) }),
        ...refer('configmaps', configMap),
        ...refer('persistentvolumeclaims', persistentVolumeClaim && { name: persistentVolumeClaim.claimName }),
    ];
}
function refer(kind, reference) {
    if (reference?.name === undefined || reference.optional === true)
        return [];
    const { name, key } = reference;
    return [{ kind, name, ...(key !== undefined && { key }) }];
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/checks/namespace.js
/** The cluster and the namespace, and objects that must exist by name. */


/** Of Kubernetes 1: the first that has sidecars by default. https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/ */
const OLDEST_MINOR = 29;
async function version(api) {
    const { minor, name } = await release(api);
    const says = `Kubernetes ${name ?? 'of unknown version'}`;
    if (minor >= OLDEST_MINOR)
        return { what: 'version', state: 'ok', says };
    return { what: 'version', state: 'fault', says, hint: `use a cluster of version 1.${OLDEST_MINOR} or later` };
}
/** `minor`: the minor version of Kubernetes 1; NaN if the server does not tell it, infinite for a later major version. */
async function release(api) {
    const said = await api.ask('GET', '/version');
    const minor = Number(said?.major) > 1 ? Number.POSITIVE_INFINITY : Number.parseInt(said?.minor ?? '', 10);
    return { minor, ...(said?.gitVersion !== undefined && { name: said.gitVersion }) };
}
const STANDARD = 'pod-security.kubernetes.io/enforce';
async function namespace(api, { runAsUser, docker }) {
    const what = 'namespace';
    return glimpse(what, 'whether it exists will show when the first object is created', async () => {
        const found = await api.ask('GET', `/api/v1/namespaces/${api.namespace}`);
        if (!found)
            return { what, state: 'fault', says: `"${api.namespace}" does not exist`, hint: `kubectl create namespace ${api.namespace}` };
        const standard = found.metadata.labels?.[STANDARD];
        const says = standard === undefined ? api.namespace : `${api.namespace}, pod security standard "${standard}"`;
        if (docker && standard !== undefined && standard !== 'privileged')
            return {
                what,
                state: 'fault',
                says,
                hint: 'leave out --container-mode, or use another namespace: this standard allows no privileged container',
            };
        if (standard !== 'restricted' || runAsUser !== undefined)
            return { what, state: 'ok', says };
        return { what, state: 'fault', says, hint: 'give --run-as-user: this standard allows no pod that may run as root' };
    });
}
/** Clusters still accept the older name, too: kubernetes, pkg/volume/util/storageclass.go */
const DEFAULT_CLASS = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
async function storage(api, { storageClass, storageClaim }) {
    if (storageClaim)
        return await claim(api, storageClaim.name);
    const what = 'storage class';
    return glimpse(what, 'whether there is one will show when the claim is created', async () => {
        const found = await api.ask('GET', '/apis/storage.k8s.io/v1/storageclasses');
        const all = (found?.items ?? []).map(({ metadata }) => metadata);
        const usual = all.find(({ annotations }) => DEFAULT_CLASS.some((name) => annotations?.[name] === 'true'));
        const wanted = storageClass ?? usual?.name;
        if (wanted !== undefined && all.some(({ name }) => name === wanted))
            return { what, state: 'ok', says: wanted };
        const says = storageClass === undefined ? 'the cluster has no default' : `"${storageClass}" does not exist`;
        const names = all.map(({ name }) => name).join(', ');
        return { what, state: 'fault', says, hint: `give --storage-class: ${names || 'there is none'}; or --storage` };
    });
}
async function claim(api, name) {
    const what = 'storage-claim';
    return await glimpse(what, 'whether the claim exists will show when the store is created', async () => {
        if (await api.get('persistentvolumeclaims', name))
            return { what, state: 'ok', says: name };
        return { what, state: 'fault', says: `there is no claim "${name}" in namespace "${api.namespace}"` };
    });
}
/** The script's service account. */
async function account(api, name) {
    if (name === undefined)
        return [];
    const what = 'permission-set';
    const look = async () => {
        const found = await api.ask('GET', `/api/v1/namespaces/${api.namespace}/serviceaccounts/${name}`);
        if (found)
            return { what, state: 'ok', says: name };
        const says = `there is no service account "${name}" in namespace "${api.namespace}"`;
        return { what, state: 'fault', says, hint: `kubectl -n ${api.namespace} create serviceaccount ${name}` };
    };
    return [await glimpse(what, 'whether the service account exists will show when the first pod is created', look)];
}
/** The secrets for pulling images. */
async function pullSecrets(api, names) {
    return Promise.all(names.map(async (name) => (0,check/* looked */.ne)('image-pull-secret', async () => pullSecret(api, name))));
}
async function pullSecret(api, name) {
    const what = 'image-pull-secret';
    const found = await api.get('secrets', name);
    const where = `in namespace "${api.namespace}"`;
    const hint = `kubectl -n ${api.namespace} create secret docker-registry ${name} …`;
    if (!found)
        return { what, state: 'fault', says: `there is no secret "${name}" ${where}`, hint };
    if (found.type === 'kubernetes.io/dockerconfigjson' || found.type === 'kubernetes.io/dockercfg')
        return { what, state: 'ok', says: name };
    return { what, state: 'fault', says: `secret "${name}" ${where} is of type ${found.type}, which is not a registry login`, hint };
}

// EXTERNAL MODULE: ./build/js/clouds/k8s/job-rights.js
var job_rights = __webpack_require__(47937);
// EXTERNAL MODULE: ./build/js/clouds/k8s/permissions.js
var permissions = __webpack_require__(81938);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/checks/permissions.js
/** Whether the caller has the rights that a run needs. */





/** One check for all rights that are granted, and one for each that is not. Rights that only later versions of Kubernetes require are left out. */
async function rights(api) {
    const { minor } = await release(api);
    const wanted = permissions.RIGHTS.filter(({ since }) => since === undefined || !(minor < since));
    const checks = await Promise.all(wanted.map(async (right) => (0,check/* looked */.ne)('permission', async () => allowed(api, right))));
    const bad = checks.filter(({ state }) => state !== 'ok');
    if (bad.length === wanted.length)
        return bad;
    const says = `${wanted.length - bad.length} of ${(0,lib_text/* plural */.LS)(wanted.length, 'right')} as needed`;
    return [...bad, { what: 'permissions', state: 'ok', says }];
}
async function allowed(api, { group, resource, verbs, why }) {
    const missing = [];
    for (const verb of verbs) {
        const { path, body } = (0,job_rights/* accessReview */.xJ)({ namespace: api.namespace, verb, group, resource });
        const review = await api.ask('POST', path, body);
        if (review?.status?.allowed !== true)
            missing.push(verb);
    }
    if (missing.length === 0)
        return { what: 'permission', state: 'ok', says: `${resource}: ${verbs.join(', ')}` };
    const says = `may not ${missing.join(', ')} ${resource} in namespace "${api.namespace}" (${why})`;
    return { what: 'permission', state: 'denied', says, hint: 'ask for the rights that tpi permissions k8s prints' };
}

// EXTERNAL MODULE: ./build/js/lib/bytes.js
var bytes = __webpack_require__(18913);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/quantity.js
/** Amounts as Kubernetes writes them: "500m", "16Gi", "1e9". */
const POWER = {
    n: 1e-9,
    u: 1e-6,
    m: 1e-3,
    '': 1,
    k: 1e3,
    M: 1e6,
    G: 1e9,
    T: 1e12,
    P: 1e15,
    E: 1e18,
    Ki: 2 ** 10,
    Mi: 2 ** 20,
    Gi: 2 ** 30,
    Ti: 2 ** 40,
    Pi: 2 ** 50,
    Ei: 2 ** 60,
};
/** NaN if it is not an amount. */
function amountOf(text) {
    const [, digits, unit = ''] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]{0,2})$/.exec(String(text).trim()) ?? [];
    return digits === undefined ? Number.NaN : Number(digits) * (POWER[unit] ?? Number.NaN);
}
/** The amounts of one container, as `requests.cpu`, `limits.memory` …; a limit without a request counts as both. */
function sizesOf({ requests = {}, limits = {} }) {
    const asked = { ...limits, ...requests };
    return {
        ...Object.fromEntries(Object.entries(asked).map(([name, text]) => [`requests.${name}`, amountOf(text)])),
        ...Object.fromEntries(Object.entries(limits).map(([name, text]) => [`limits.${name}`, amountOf(text)])),
    };
}
/**
 * The amounts of a whole pod: its containers and sidecars together, or, if that is more, an init container and the sidecars that start before it.
 * https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
function podSizes({ containers = [], initContainers = [] }) {
    let sidecars = {};
    let most = {};
    for (const { restartPolicy, resources = {} } of initContainers) {
        const running = sum([sidecars, sizesOf(resources)]);
        if (restartPolicy === 'Always')
            sidecars = running;
        most = larger(most, running);
    }
    return larger(most, sum([sidecars, ...containers.map(({ resources = {} }) => sizesOf(resources))]));
}
function sum(all) {
    const total = {};
    for (const amounts of all)
        for (const [name, amount] of Object.entries(amounts))
            total[name] = (total[name] ?? 0) + amount;
    return total;
}
function larger(a, b) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return Object.fromEntries([...names].map((name) => [name, Math.max(a[name] ?? 0, b[name] ?? 0)]));
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/checks/quota.js



async function room(api, asked) {
    const what = 'quota';
    return glimpse(what, 'whether there is room will show when the pods are created', async () => {
        const at = (kind) => `/api/v1/namespaces/${api.namespace}/${kind}`;
        const [quotas, ranges] = await Promise.all([
            api.ask('GET', at('resourcequotas')),
            api.ask('GET', at('limitranges')),
        ]);
        const rules = (ranges?.items ?? []).flatMap(({ metadata, spec }) => (spec?.limits ?? []).map((rule) => ({ ...rule, name: metadata.name })));
        const bill = { ...asked, pods: asked.pods.map((pod) => defaulted(pod, rules)) };
        // Quotas with a scope may count only other pods, which cannot be judged from here.
        const counted = (quotas?.items ?? []).filter(({ spec }) => !spec?.scopes && !spec?.scopeSelector);
        const faults = [...counted.flatMap((quota) => quotaFaults(quota, bill)), ...rules.flatMap((rule) => ruleFaults(rule, bill))];
        if (faults.length > 0)
            return { what, state: 'fault', says: faults.join('; '), hint: 'ask for less, or for more in this namespace' };
        const says = counted.length + rules.length === 0 ? 'the namespace has no limits' : 'the namespace has room for one machine';
        return { what, state: 'ok', says };
    });
}
function quotaFaults({ metadata, status }, bill) {
    const needs = needsOf(bill);
    return Object.entries(status?.hard ?? {}).flatMap(([name, hard]) => {
        const unsaid = SIZED.test(name) ? containersWithout(name, bill) : [];
        if (unsaid.length > 0)
            return [`quota "${metadata.name}" requires every container to specify ${name}, and ${unsaid.join(', ')} would not`];
        const need = needs[normal(name)];
        const free = amountOf(hard) - amountOf(status?.used?.[name] ?? '0');
        if (need === undefined || need <= free)
            return [];
        return [`quota "${metadata.name}" has ${said(name, free)} of ${name} left, and ${said(name, need)} are needed`];
    });
}
const SIZED = /^(?:(?:requests|limits)\.)?(?:cpu|memory)$/;
const COUNTED = new Set(['pods', 'services', 'secrets', 'configmaps', 'persistentvolumeclaims', 'jobs']);
/** `cpu` is short for `requests.cpu`, and `count/pods` means the same as `pods`. */
function normal(name) {
    const plain = name.replace(/^count\//, '').replace(/\.batch$/, '');
    return plain.includes('.') || COUNTED.has(plain) ? plain : `requests.${plain}`;
}
function needsOf({ pods, claimBytes }) {
    const each = pods.length;
    // Only a store has a Service.
    const objects = { pods: each, jobs: each, configmaps: each, secrets: 1, services: each - 1 };
    const claim = claimBytes === undefined ? {} : { persistentvolumeclaims: 1, 'requests.storage': claimBytes };
    return sum([objects, claim, ...pods.map(podSizes)]);
}
/** A pod with the sizes that the cluster adds where its containers leave them out: for a request, the limit, or else the LimitRange's default. */
function defaulted({ containers = [], initContainers = [] }, rules) {
    const own = rules.filter(({ type }) => type === 'Container');
    const fill = (container) => {
        const { requests, limits } = container.resources ?? {};
        const resources = {
            limits: Object.assign({}, ...own.map((rule) => rule.default ?? {}), limits),
            requests: Object.assign({}, ...own.map((rule) => rule.defaultRequest ?? {}), limits, requests),
        };
        return { ...container, resources };
    };
    return { containers: containers.map(fill), initContainers: initContainers.map(fill) };
}
const allOf = ({ containers = [], initContainers = [] }) => [...initContainers, ...containers];
function containersWithout(name, { pods }) {
    const without = pods.flatMap(allOf).filter(({ resources = {} }) => sizesOf(resources)[normal(name)] === undefined);
    return without.map((container) => `"${container.name}"`);
}
function ruleFaults(rule, bill) {
    return sizesUnder(rule, bill).flatMap(([who, sizes]) => [
        ...Object.entries(rule.max ?? {}).flatMap(([name, most]) => {
            const size = sizes[`limits.${name}`] ?? sizes[`requests.${name}`];
            return size !== undefined && size > amountOf(most)
                ? [`${who} asks for ${said(name, size)} of ${name}, and LimitRange "${rule.name}" allows at most ${most}`]
                : [];
        }),
        ...Object.entries(rule.min ?? {}).flatMap(([name, least]) => {
            const size = sizes[`requests.${name}`];
            return size !== undefined && size < amountOf(least)
                ? [`${who} asks for ${said(name, size)} of ${name}, and LimitRange "${rule.name}" requires at least ${least}`]
                : [];
        }),
    ]);
}
/** What a rule measures, for people, and its sizes. */
function sizesUnder({ type }, { pods, claimBytes }) {
    if (type === 'PersistentVolumeClaim')
        return claimBytes === undefined ? [] : [['the claim of the store', { 'requests.storage': claimBytes }]];
    if (type === 'Pod')
        return pods.map((pod) => ['a pod', podSizes(pod)]);
    if (type !== 'Container')
        return [];
    return pods.flatMap(allOf).map((one) => [`container "${one.name}"`, sizesOf(one.resources ?? {})]);
}
function said(name, amount) {
    return /memory|storage/.test(name) ? (0,bytes/* formatBytes */.z3)(amount) : String(Math.round(amount * 1000) / 1000);
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/image-name.js
/** Names of images: `[HOST[:PORT]/]PATH[:TAG][@DIGEST]` (https://pkg.go.dev/github.com/distribution/reference). */
const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[\da-fA-F:]+\])(?::\d+)?$/;
const PART = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
function read(image) {
    const at = image.indexOf('@');
    const named = at < 0 ? image : image.slice(0, at);
    const colon = named.lastIndexOf(':');
    const tagged = colon > named.lastIndexOf('/');
    const parts = (tagged ? named.slice(0, colon) : named).split('/');
    const [first = ''] = parts;
    const hosted = parts.length > 1 && (/[.:[]/.test(first) || first === 'localhost');
    return {
        ...(hosted && { host: first }),
        path: hosted ? parts.slice(1) : parts,
        ...(tagged && { tag: named.slice(colon + 1) }),
        ...(at >= 0 && { digest: image.slice(at + 1) }),
    };
}
/** Why no node could pull an image of this name, whatever its registry says; `undefined`: the name is fine. */
function imageFault(image) {
    const { host, path, tag, digest } = read(image);
    if (digest !== undefined && !DIGEST.test(digest))
        return `its digest "${digest}" is not valid`;
    if (tag !== undefined && !TAG.test(tag))
        return `its tag "${tag}" is not valid`;
    if (host !== undefined && !HOST.test(host))
        return `"${host}" is not a registry`;
    const bad = path.find((part) => !PART.test(part));
    if (bad === undefined)
        return undefined;
    return PART.test(bad.toLowerCase()) ? `"${bad}" must be written in lower case` : `"${bad}" is not a valid part of a name`;
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/faults.js




/** `gated`: the store is outside the cluster. */
function faultsOf(spec, settings, namespace, gated = false) {
    const faults = sizeFaults(spec.size);
    const { permissionSet } = spec;
    if (permissionSet !== undefined && !options/* OBJECT */.qv.test.test(permissionSet)) {
        faults.push({ option: 'permission-set', message: `"${permissionSet}" is not a valid name of a service account` });
    }
    if (settings.template !== undefined)
        faults.push(...podFaults(settings.template, gated));
    if (settings.docker && gated)
        faults.push({
            option: 'container-mode',
            message: 'from its privileged container, jobs could read the credentials of the storage',
            hint: 'leave out --storage: the store in the cluster has none',
        });
    if (settings.jobPods)
        faults.push(...jobPodFaults(settings.jobPods, namespace, permissionSet));
    for (const [option, image] of [
        ['image', spec.image],
        ['runtime-image', settings.runtimeImage],
        ['dind-image', settings.docker?.image],
    ]) {
        const wrong = image === undefined ? undefined : imageFault(image);
        if (wrong !== undefined)
            faults.push({ option, message: `"${image}" is not a valid image name: ${wrong}`, hint: 'write [HOST[:PORT]/]PATH[:TAG]' });
    }
    return faults;
}
function podFaults(template, gated) {
    const pod = userPodIn(template);
    const wrong = typeof pod === 'string' ? [pod] : templateFaults(pod, gated);
    return wrong.map((message) => ({ option: 'pod-template', message }));
}
function jobPodFaults({ namespace: jobs }, namespace, account) {
    const isShared = jobs === namespace;
    const hint = `tpi permissions k8s --job-namespace ${isShared ? 'NAME' : jobs} prints the account and the rights that it needs`;
    const faults = [];
    if (isShared) {
        const message = `"${jobs}" is the namespace of the runners: every job could read and change their store`;
        faults.push({ option: 'job-namespace', message, hint });
    }
    if (account === undefined)
        faults.push({ option: 'permission-set', message: 'container-mode "kubernetes" needs a service account that may make pods', hint });
    return faults;
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/doctor.js
/**
 * What can be checked reliably and cheaply before anything is created: the cluster, the caller's rights, quotas and limits, and whether named
 * objects exist. Whether a node takes the pod, and whether its image can be pulled, only a real pod shows: `--probe` makes one.
 */











/** Every check is independent: one that cannot be made says why. If the API server does not answer, nothing else is checked. */
async function examine(api, settings, request, store) {
    const cluster = await (0,check/* looked */.ne)('cluster', async () => version(api));
    // An answer is a check of the version; only an error is one of the cluster.
    if (cluster.what === 'cluster')
        return [cluster];
    const { task, server } = planned(settings, request, store);
    const own = store === 'own';
    const bill = {
        pods: own ? [server, task] : [task],
        ...(own && !settings.storageClaim ? { claimBytes: claimBytes(settings, request) } : {}),
    };
    const checks = await Promise.all([
        rights(api),
        namespace(api, settings),
        own ? storage(api, settings) : [],
        room(api, bill),
        pullSecrets(api, (task.imagePullSecrets ?? []).map(({ name }) => name)),
        named(api, task),
        account(api, request.permissionSet),
    ]);
    return [cluster, ...doctor_size(task), ...checks.flat(), ...(0,check/* faultChecks */.SH)(faultsOf(request, settings, api.namespace, !own))];
}
/** Warns of a machine that requests nothing. A LimitRange may add defaults; `room` takes them into account. */
function doctor_size({ containers = [] }) {
    const asked = sizesOf(containers.find(({ name }) => name === names/* CONTAINER */.MR.program)?.resources ?? {});
    const without = ['cpu', 'memory'].filter((name) => asked[`requests.${name}`] === undefined);
    if (without.length === 0)
        return [];
    const says = `no ${without.join(' and no ')} is requested: any node accepts such a machine, no node is added for it, and it is evicted first when a node runs short`;
    return [{ what: 'size', state: 'warning', says, hint: `give ${without.map((name) => `--${name}`).join(' and ')}, or --machine` }];
}
/** The pods as they would be made, template and all. */
function planned(settings, request, store) {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const tags = {
        id: 'tpi-doctor-0000000000',
        name: 'doctor',
        incarnation: '0',
        mode: 'task',
        createdAt: soon,
        origin: {},
        count: 1,
        lifetime: (0,wire_lifetime/* lifetimeOf */.XA)(soon, { timeout: 0, grace: 0, reserve: 0, retention: 0 }),
        store: { url: '' },
        user: {},
    };
    const spec = { ...request, tags, agent: '', store: { url: '' } };
    const specOf = (template) => template.spec;
    return {
        task: specOf(podTemplate({ spec, settings, program: '', secret: '', store: { url: '' }, gate: store === 'given' })),
        server: specOf(storePodTemplate(spec, settings)),
    };
}

// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(57075);
// EXTERNAL MODULE: ./build/js/lib/abort.js
var abort = __webpack_require__(72220);
// EXTERNAL MODULE: ./build/js/clouds/k8s/pods.js
var k8s_pods = __webpack_require__(26772);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/exec.js
/** Runs a command beside the script in a living pod, through the API server. */






async function podExec(api, login, { of, machine, argv, output, signal }) {
    const pods = await api.list('pods', { labelSelector: (0,names/* groupSelector */.fX)(of) });
    const pod = pods.find((one) => (0,k8s_pods/* isLiving */.O)(one) && one.metadata.name === machine && one.status?.phase === 'Running');
    if (!pod)
        throw new errors/* InputError */.dz(`${of.id} has no machine ${machine} that runs`);
    const target = { namespace: api.namespace, pod: pod.metadata.name, container: names/* CONTAINER */.MR.program };
    const { stdin } = process;
    const into = (stream) => new external_node_stream_.Writable({
        write(bytes, _, done) {
            output(stream, bytes);
            done();
        },
    });
    try {
        // A terminal without input would keep the command waiting.
        const streams = { stdin: stdin.isTTY ? null : stdin, stdout: into('out'), stderr: into('err') };
        return await (0,abort/* orAborted */.H6)(login.exec(target, [names/* PLACE */.CC.node, names/* PLACE */.CC.agent, 'k8s', 'pod-exec', ...argv], streams), signal);
    }
    catch (cause) {
        // The API server does not tell the command in the pod that its caller is gone.
        if (signal.aborted)
            throw new errors/* Interruption */._n(`interrupted; the command may go on in pod ${target.pod}`, { cause });
        const said = (0,lib_text/* messageOf */.bD)(cause);
        const message = `k8s: could not run a command in pod ${target.pod}`;
        // If the API server refuses to open a stream, it gives only the status.
        if (/\b(401|403)\b/.test(said))
            throw new errors/* AuthError */.lR(`${message}: the right to get and create pods/exec in namespace "${api.namespace}" is missing`, {
                cause,
                hint: 'see tpi permissions k8s',
            });
        throw new errors/* RemoteError */.Hi(`${message}: ${said}`, { cause });
    }
    finally {
        // Input that will not be read any more must not keep the process alive.
        stdin.destroy();
    }
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/interrupt.js



/** Tries while a disruption budget forbids the eviction, and milliseconds between them. */
const TRIES = 10;
const PAUSE = 3_000;
async function interrupt(api, of, machine, sleep) {
    const pods = await api.list('pods', { labelSelector: (0,names/* groupSelector */.fX)(of) });
    const living = pods.filter((pod) => (0,k8s_pods/* isLiving */.O)(pod) && (machine === undefined || pod.metadata.name === machine));
    if (living.length === 0)
        throw new errors/* InputError */.dz(machine === undefined ? `${of.id} has no machine` : `${of.id} has no machine ${machine} any more`);
    for (const { metadata } of living)
        await evict(api, metadata.name, sleep);
}
async function evict(api, pod, sleep) {
    for (let round = 1;; round += 1) {
        const said = await api.evict(pod);
        if (said === 'evicted' || said === 'gone')
            return;
        const why = [said.message ?? 'a PodDisruptionBudget forbids it for now', ...(said.causes ?? [])].join(' ');
        if (round >= TRIES)
            throw new errors/* RemoteError */.Hi(`k8s: pod ${pod} could not be evicted: ${why}`, { hint: 'see: kubectl get poddisruptionbudgets' });
        await sleep(PAUSE);
    }
}

// EXTERNAL MODULE: ./build/js/clouds/k8s/login.js
var k8s_login = __webpack_require__(94107);
// EXTERNAL MODULE: ./build/js/core/event-log.js
var event_log = __webpack_require__(5175);
// EXTERNAL MODULE: ./build/js/wire/machine.js
var machine = __webpack_require__(65179);
;// CONCATENATED MODULE: ./build/js/clouds/k8s/messages.js






/** Reasons of events that are not worth showing. */
const NOISE = new Set([
    'Scheduled',
    'Pulling',
    'Pulled',
    'Created',
    'Started',
    'Killing',
    'SuccessfulCreate',
    'SuccessfulDelete',
    'Completed',
    'Unhealthy',
    'SandboxChanged',
    'Provisioning',
    'ProvisioningSucceeded',
    'ExternalProvisioning',
    'WaitForFirstConsumer',
    'TaintManagerEviction',
    'JobStatusChanged',
    'Suspended',
    'Resumed',
    'NotTriggerScaleUp',
    'CgroupV1',
    'FailedToUpdateEndpointSlices',
]);
/** `id`: of the deployment. `undefined`: not of interest to people. */
function wordsOf(event, id) {
    const { reason = '', message = '' } = event;
    if (NOISE.has(reason))
        return undefined;
    const said = lasting(message || reason);
    const isStore = (0,names/* isOfStore */.te)(id, event.involvedObject);
    if (reason === 'FailedScheduling')
        return CLAIMLESS.test(said) ? waitsForClaim(isStore, said) : unschedulableFor(isStore, said);
    if (reason === 'FailedCreate')
        return notCreated(said);
    if (reason === 'MissingClusterDNS')
        return isStore ? undefined : NAMELESS;
    if (reason === 'FailedMount' || reason === 'FailedAttachVolume')
        return notMounted(said);
    if (reason === 'Failed' || reason === 'BackOff' || reason === 'ErrImageNeverPull' || reason === 'InspectFailed')
        return messages_image(said, ofOurs(containerOf(event)));
    if (reason === 'Evicted')
        return { kind: 'notice', text: `the node evicts the pod: ${said}${unasked(said)}` };
    if (reason === 'Preempted' || reason === 'Preempting')
        return { kind: 'notice', text: `the pod gives way to one of higher priority: ${said}` };
    if (reason === 'TriggeredScaleUp')
        return { kind: 'info', text: `the cluster adds a node: ${said}` };
    if (reason === 'DeadlineExceeded')
        return { kind: 'notice', text: 'the deadline of the Job is reached' };
    if (reason === 'BackoffLimitExceeded' || reason === 'FailedIndexes')
        return { kind: 'failure', text: `no more replacements: ${said}` };
    if (reason === 'ProvisioningFailed')
        return { kind: 'failure', text: `no storage for the claim: ${said}` };
    if (reason === 'FailedBinding')
        return { kind: 'failure', text: `the claim of the store is not bound: ${said}` };
    if (event.type === 'Normal')
        return undefined;
    return { kind: 'info', text: `${reason}: ${said}` };
}
/** The message without what differs in each try, so that it is shown only once: ids, and the prefix of events that the cluster has combined. */
function lasting(message) {
    return message
        .replace(/\s+/g, ' ')
        .replace(/^\(combined from similar events\): /, '')
        .replace(/(?<!sha256:)\b[0-9a-f]{64}\b/g, '…')
        .trim();
}
/** What a node may run short of → the option that requests it. */
const ASKING = { memory: '--memory', 'ephemeral-storage': '--disk-size' };
/** Nodes first evict pods that use more than they requested, so those that requested nothing come first. */
function unasked(said) {
    const [, what = ''] = /Container main was using \S+, request is 0, has larger consumption of ([\w-]+)/.exec(said) ?? [];
    return ASKING[what] === undefined ? '' : ` (it requested none, and such pods are evicted first: give ${ASKING[what]})`;
}
/** Kubernetes reports this for every pod. The words are always the same, so that it is shown only once; a store needs no DNS. */
const NAMELESS = {
    kind: 'advice',
    text: 'the kubelet of the node is not configured with the DNS of the cluster (MissingClusterDNS): machines use that of the node, which does not know the names of Services',
};
function notMounted(said) {
    // No fault: the kubelet is removing the pod and has forgotten the object, or is busy and does not know the object yet.
    if (/object "[^"]*"\/"[^"]*" not registered$|failed to sync \w+ cache: timed out/.test(said))
        return undefined;
    return { kind: 'failure', text: `a volume cannot be mounted: ${said}` };
}
const CLAIMLESS = /persistentvolumeclaim "([^"]*)" not found|unbound immediate PersistentVolumeClaims/i;
/** A store's claim is made at the same time as its pod, so that wait is normal. A claim in a pod template must exist. */
function waitsForClaim(isStore, said) {
    if (isStore)
        return undefined;
    const claim = CLAIMLESS.exec(said)?.[1];
    const what = claim === undefined
        ? 'a claim of the pod template, which is not bound'
        : `the claim "${claim}" of the pod template, which does not exist`;
    return { kind: 'capacity', text: `the pod waits for ${what}: ${said}` };
}
/**
 * Why no node may suit a store although some suit machines. A pod template does not apply to stores: a node for machines, such as one with a GPU,
 * should not be kept for a store. It selects nodes only by what tpi's own programs need.
 */
const OF_STORES = [
    { words: /untolerated taint/, says: 'the store needs a node without taints, whatever a pod template tolerates; or use --storage' },
    {
        words: /didn't match Pod's node affinity\/selector/,
        says: `tpi's own programs need nodes with ${Object.entries(OUR_NODES)
            .map((pair) => pair.join('='))
            .join(' and ')}`,
    },
];
function unschedulableFor(isStore, said) {
    const { kind, text } = unschedulable(said);
    const why = isStore ? OF_STORES.filter(({ words }) => words.test(said)).map(({ says }) => says) : [];
    return { kind, text: why.length === 0 ? text : `${text} (${why.join('; ')})` };
}
/**
 * "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match …. preemption: …". What follows the reasons is about pods that could give way;
 * since Kubernetes 1.34, it begins with "no new claims to deallocate, ".
 */
function unschedulable(said) {
    const [, nodes, rest] = /^0\/(\d+) nodes are available: (.*?)(?:\. (?:[^.]*, )?preemption:.*|\.? *)$/i.exec(said) ?? [];
    if (nodes === undefined || rest === undefined)
        return { kind: 'capacity', text: `no node can take the pod: ${said}` };
    const plain = rest.replace(/(\d+) Insufficient ([^, ]+?)(?=\.?(?:,| |$))/g, (_, count, what) => `${count} with too little ${resource(what)}`);
    return { kind: 'capacity', text: `none of ${nodes} nodes can take the pod: ${plain}` };
}
function resource(name) {
    if (name.endsWith('/gpu'))
        return `GPU (${name})`;
    return name === 'ephemeral-storage' ? 'disk (ephemeral-storage)' : name;
}
const NO_PRIVILEGES = "the namespace's pod security standard forbids privileged containers, and container-mode needs one: leave it out, or use a namespace whose pod-security.kubernetes.io/enforce is privileged";
/** OpenShift gives pods the users of its choice, unless their service account may use others. */
const CONSTRAINED = `OpenShift forbids the users of the pod: give --run-as-user 1000, and let the service account use other users than those of the namespace: oc adm policy add-scc-to-user nonroot-v2 -z default (or the account of --permission-set)`;
/** Without the pod's name: that pod does not exist, and each try has another name, so each would be a new message. */
function notCreated(text) {
    const said = text.replace(/^(?:Error creating: )?pods "[^"]*" is forbidden: /, '');
    if (/exceeded quota/i.test(said))
        return { kind: 'quota', text: `the namespace's quota is used up: ${said}` };
    if (UNCOUNTED.test(said))
        return { kind: 'info', text: `a quota of the namespace is not ready: ${said}` };
    if (/failed quota: .* must specify/i.test(said))
        return { kind: 'quota', text: `the namespace's quota requires every pod to specify its size (${remedyFor(said)}): ${said}` };
    if (/(maximum|minimum) .* usage per (Container|Pod)/i.test(said))
        return { kind: 'quota', text: `the namespace's LimitRange does not allow the size${ownSize(said)}: ${said}` };
    if (/violates PodSecurity/i.test(said) && said.includes(`"${names/* CONTAINER */.MR.docker}" must not set securityContext.privileged`))
        return { kind: 'denied', text: `${NO_PRIVILEGES}: ${said}` };
    if (/violates PodSecurity/i.test(said))
        return { kind: 'denied', text: `the namespace's pod security standard forbids the pod (try --run-as-user 1000): ${said}` };
    // The cluster makes this account a moment after the namespace.
    if (/serviceaccount "default" not found/i.test(said))
        return { kind: 'info', text: `the namespace is not ready: ${said}` };
    if (/serviceaccount .* not found/i.test(said))
        return { kind: 'denied', text: `the service account of permission-set does not exist: ${said}` };
    // Webhooks, such as those of Kyverno and Gatekeeper: k8s.io/apiserver, pkg/admission/plugin/webhook/errors/statuserror.go
    if (/admission webhook .* denied the request/i.test(said))
        return { kind: 'denied', text: `a policy of the cluster forbids the pod: ${said.replace(/^Error creating: /, '')}` };
    if (/unable to validate against any security context constraint/i.test(said))
        return { kind: 'denied', text: `${CONSTRAINED}: ${said}` };
    if (/forbidden/i.test(text))
        return { kind: 'denied', text: `the pod is not allowed: ${said}` };
    return { kind: 'failure', text: `the pod could not be created: ${said}` };
}
/** Whose size it is, if it is that of tpi's own container, which no option changes. */
function ownSize(said) {
    const { requests, limits } = BRIEF;
    const sizes = [requests.memory, requests.cpu, limits.memory];
    if (!sizes.includes(/but (?:request|limit) is (\w+)/.exec(said)?.[1] ?? ''))
        return '';
    return ` of the container "${names/* CONTAINER */.MR.init}" of tpi (no option changes it: use a namespace whose LimitRange allows ${requests.memory} and ${requests.cpu})`;
}
/** What to do about "must specify limits.cpu for: main,tpi; limits.memory for: main". No option sets the size of tpi's own containers. */
function remedyFor(said) {
    const silent = [...said.matchAll(/ for: ([^;\s]+)/g)].flatMap(([, names = '']) => names.split(','));
    return silent.some(ofOurs) ? 'for the containers of tpi, make a LimitRange with defaults' : 'give --cpu and --memory';
}
/** The container that an event is about: its path is such as "spec.initContainers{tpi}". */
function containerOf({ involvedObject: { fieldPath = '' } }) {
    return /\{(.+)\}$/.exec(fieldPath)?.[1];
}
function ofOurs(container) {
    return container === names/* CONTAINER */.MR.init || container === names/* CONTAINER */.MR.store || container === names/* CONTAINER */.MR.gate;
}
const messages_OURS = 'the runtime image of tpi (option runtime-image: a mirror of it that the nodes can reach)';
function messages_image(said, ours) {
    const crashed = /^Back-off restarting failed container (\S+)/i.exec(said)?.[1];
    // The program itself is never started again in the same pod.
    if (crashed === names/* CONTAINER */.MR.program)
        return undefined;
    if (crashed !== undefined)
        return { kind: 'failure', text: `container "${crashed}" fails again and again` };
    if (/image/i.test(said))
        return { kind: 'failure', text: `${ours ? messages_OURS : 'the image'} cannot be pulled: ${said}` };
    return { kind: 'failure', text: `the container does not start: ${said}` };
}
/** Reasons why kubelets cannot pull an image (pkg/kubelet/images; the last two are words of CRI-O). They try again and again. */
const NO_IMAGE = /^(ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull|ImageInspectError|RegistryUnavailable|SignatureValidationFailed)$/;
/** Other reasons why kubelets cannot start a container of a pod. They try again and again, too. */
const NO_CONTAINER = /^(CreateContainerConfigError|CreateContainerError|RunContainerError)$/;
/**
 * Restarts after which a container that has failed once more counts as held up: whatever it needs may come a moment after it. Kubelets pause 10 s,
 * 20 s and 40 s in between, and 80 s after the next failure.
 */
const CRASHES = 3;
/** `undefined`: nothing is wrong so far. */
function heldUp(pod) {
    for (const one of containersOf(pod)) {
        const { name, state, lastState, restartCount = 0 } = one;
        const { reason = '', message = '' } = state?.waiting ?? {};
        const its = ofOurs(name) ? messages_OURS : `the image of container "${name}"`;
        if (NO_IMAGE.test(reason))
            return { container: name, why: `${its} cannot be pulled (${reason}): ${plain(message)}`, ran: false };
        if (NO_CONTAINER.test(reason))
            return { container: name, why: `container "${name}" cannot be created (${reason}): ${plain(message)}`, ran: false };
        if (reason === 'CrashLoopBackOff' && restartCount >= CRASHES)
            return { container: name, why: `container "${name}" fails again and again${lastEnd(lastState)}`, ran: true };
    }
    return undefined;
}
/**
 * A container that has failed again and again is just being tried once more, or has ended again: between two of its pauses, nothing says that it is
 * held up.
 */
function isTriedAgain(pod) {
    return containersOf(pod).some(({ state, started, restartCount = 0 }) => restartCount >= CRASHES && !state?.waiting && started !== true);
}
/** In the order in which they start. */
const containersOf = ({ status }) => [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
];
const plain = (message) => message.replace(/\s+/g, ' ').trim();
function lastEnd(state) {
    const { exitCode, reason, message = '' } = state?.terminated ?? {};
    if (exitCode === undefined)
        return '';
    return ` (exit code ${exitCode}${reason === undefined ? '' : `, ${reason}`})${message === '' ? '' : `: ${plain(message)}`}`;
}
/** How a finished pod failed; `undefined`: it succeeded. */
function endOf(pod) {
    const { status } = pod;
    const ended = failedContainer(pod);
    const state = ended?.state?.terminated;
    const who = ended === undefined || ended.name === names/* CONTAINER */.MR.program ? '' : `container "${ended.name}" `;
    if (state?.reason === 'OOMKilled')
        return `${who === '' ? '' : `${who}ran `}out of memory${limitOf(pod, ended?.name)}`;
    if (outgrewDisk(pod))
        return `it has used up its disk: ${status?.message?.trim()}`;
    if (status?.reason === 'Evicted')
        return `evicted: ${status.message ?? 'the node was short of something'}`;
    if (status?.reason === 'DeadlineExceeded')
        return 'the deadline of the Job was reached';
    const disruption = (0,k8s_pods/* disruptionOf */.jX)(pod);
    if (disruption)
        return `reclaimed (${disruption.reason ?? 'disruption'}): ${disruption.message ?? ''}`;
    if (state && who === '' && state.exitCode === machine/* AGENT_REPLACE */.Vi)
        return `asked to be replaced (exit ${machine/* AGENT_REPLACE */.Vi})`;
    if (state)
        return `${who}ended with exit code ${state.exitCode}${state.message ? `: ${state.message}` : ''}`;
    return status?.phase === 'Failed' ? `${status.reason ?? 'failed'}: ${status.message ?? 'no reason given'}` : undefined;
}
/** The program's whole container ran out of memory, so nothing inside could report it. */
function diedOfMemory(pod) {
    const ended = (0,k8s_pods/* programOf */.oQ)(pod)?.terminated;
    return ended?.reason === 'OOMKilled' && ended.exitCode === 137;
}
/** The memory limit of a container, for people: tpi writes "64000000", a template may say "64Mi". */
function limitOf({ spec: { containers = [], initContainers = [] } }, container) {
    const limit = [...containers, ...initContainers].find(({ name }) => name === container)?.resources?.limits?.['memory'];
    return limit === undefined ? '' : ` (limit ${/^\d+$/.test(limit) ? (0,bytes/* formatBytes */.z3)(Number(limit)) : limit})`;
}
/** What kubelets say if the pod itself has written too much; if only the node is short of room, they use other words. */
const OUTGREW = /^(Usage of EmptyDir volume|Pod ephemeral local storage usage exceeds|Container \S+ exceeded its local ephemeral storage limit)/;
/** Whether the pod used too much disk: it would do so again wherever it runs next. */
function outgrewDisk({ status }) {
    return status?.reason === 'Evicted' && OUTGREW.test(status.message ?? '');
}
/** The container that made a pod fail: the program's, or else the first one that failed beside or before it. */
function failedContainer({ status }) {
    const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
    const failed = all.filter(({ state }) => state?.terminated !== undefined && state.terminated.exitCode !== 0);
    return failed.find(({ name }) => name === names/* CONTAINER */.MR.program) ?? failed[0];
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/next-pod.js
/** Milliseconds after the first failure; twice as many after each further one, up to `LONGEST`. Source: job_controller.go of Kubernetes. */
const FIRST = 10_000;
const next_pod_LONGEST = 600_000;
const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
/**
 * Milliseconds from `now` (by the API server's clock) until a pod replaces this one; `undefined`: this one is not over yet, the next one is
 * due, or its work is done.
 */
function replacedIn(pod, now) {
    const end = failedAt(pod);
    if (end === undefined)
        return undefined;
    const before = Number(pod.metadata.annotations?.[FAILURES] ?? 0);
    const remaining = end + Math.min(FIRST * 2 ** before, next_pod_LONGEST) - now;
    return remaining > 0 ? remaining : undefined;
}
/** When a pod failed, or was told to end, in milliseconds since 1970. */
function failedAt({ metadata, status }) {
    const containers = status?.containerStatuses ?? [];
    // A success. The phase of the pod says so only a moment later.
    if (containers.length > 0 && containers.every(({ state }) => state?.terminated?.exitCode === 0))
        return undefined;
    const ends = containers.map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
    if (ends.length > 0 && ends.every((end) => end > 0))
        return Math.max(...ends);
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    if (status?.phase === 'Failed' && ready?.status === 'False')
        return Date.parse(ready.lastTransitionTime ?? '') || undefined;
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
    return deletionTimestamp === undefined ? undefined : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/stuck-pods.js

/** Milliseconds. In this time, a kubelet tries three times: it pauses 10 s after the first try and 20 s after the second. */
const HOPELESS = 40_000;
/** Lines of a container's log that are shown. */
const LOG_LINES = 12;
/** The time counts from when a pod was first seen stuck, not from its start: it may have waited long for a node. */
class StuckPods {
    #since = new Map();
    /**
     * Why a pod is stuck; `undefined`: it is not, or not for long enough. An image that cannot be pulled at first may be available in a minute: the
     * registry is busy, a secret is being made, or the node is new.
     */
    hopeless(pod, now = performance.now()) {
        const { name } = pod.metadata;
        const held = heldUp(pod);
        if (!held) {
            if (!isTriedAgain(pod))
                this.#since.delete(name);
            return undefined;
        }
        const since = this.#since.get(name) ?? now;
        this.#since.set(name, since);
        return now - since >= HOPELESS ? { ...held, time: now - since } : undefined;
    }
}
/** For people; with the end of its log, if a container was started, but fails. */
async function whyStuck(api, { metadata }, { container, why, ran }) {
    const log = ran ? (await api.log(metadata.name, container, LOG_LINES)).trimEnd() : '';
    return log === '' ? why : `${why}; its log ends: ${log}`;
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/observe.js
/** A group as people and the engine see it: pods as machines, Kubernetes' events in plain words. */










const observe_LOG_LINES = 40;
/** What one controller has seen of one incarnation. The cluster forgets an evicted pod at once; this does not. */
class Watch {
    #api;
    #of;
    #machines = new Map();
    #eventLog = new event_log/* EventLog */.v();
    /** Messages about each pod, by its name. */
    #heard = new Map();
    #stuck = new StuckPods();
    #last;
    /** Pods that, as of the last look, only keep the cluster from making others. */
    #inTheWay = [];
    constructor(api, of) {
        this.#api = api;
        this.#of = of;
    }
    /** `idle`: its Job, if it is known to want no machines any more. */
    async look(idle) {
        const pods = await this.#api.list('pods', { labelSelector: (0,names/* groupSelector */.fX)(this.#of) });
        if (this.#last?.phase === 'up' && this.#isAsBefore(pods))
            return this.#last;
        this.#last = await this.#lookClosely(pods, idle);
        return this.#last;
    }
    async clear() {
        const selectors = this.#inTheWay.map(({ metadata }) => ({
            labelSelector: (0,names/* groupSelector */.fX)(this.#of),
            fieldSelector: `metadata.name=${metadata.name}`,
        }));
        await Promise.all(selectors.map(async (one) => this.#api.removeAll('pods', one, LAST)));
    }
    async #lookClosely(pods, idle) {
        const job = idle ?? (await this.#api.get('jobs', (0,names/* taskName */.p5)(this.#of)));
        if (!job)
            return cloud/* ABSENT */.sj;
        // Problems of machines that are no longer wanted are not worth a message.
        if (job.spec.parallelism !== 0)
            await this.#tell(await happenings(this.#api, (one) => (0,names/* isOfGroup */.lj)(this.#of, one) || (0,names/* isOfStore */.te)(this.#of.id, one), job));
        const ended = this.#ended(job);
        await Promise.all(pods.map((pod) => this.#see(pod)));
        const wanted = observe_wantedOf(job);
        this.#inTheWay = wanted > 0 ? pods.filter(isInTheWay) : [];
        for (const pod of pods)
            this.#foretell(pod, job);
        const present = new Set(pods.map(({ metadata }) => metadata.name));
        for (const machine of this.#machines.values())
            if (!present.has(machine.id))
                this.#lose(machine);
        const machines = [...this.#machines.values()].sort(cloud/* byStart */.oV);
        const stopped = wanted === 0 && machines.every(({ state }) => state === 'gone');
        const phase = stopped ? 'stopped' : 'up';
        return { phase, wanted, machines, events: this.#eventLog.events, ...(ended !== undefined && { ended }) };
    }
    /** Pods and states are those of the last look, and either all wanted pods are at work or all pods are leaving: nothing else has to be read. */
    #isAsBefore(pods) {
        const known = [...this.#machines.values()].filter(({ state }) => state !== 'gone');
        const states = pods.map((pod) => stateOf(pod, this.#api.now));
        const settled = states.every((state) => state === (this.#last?.wanted === 0 ? 'leaving' : 'running'));
        return (settled &&
            pods.length > 0 &&
            known.length === pods.length &&
            (this.#last?.wanted === 0 || known.length === this.#last?.wanted) &&
            pods.every((pod, at) => this.#machines.get(pod.metadata.name)?.state === states[at]));
    }
    async #tell(found) {
        for (const event of found) {
            const said = wordsOf(event, this.#of.id);
            if (!said)
                continue;
            this.#eventLog.say(`event ${said.text}`, { at: timeOf(event), ...said });
            const { name = '' } = event.involvedObject;
            this.#heard.set(name, new Set([...(this.#heard.get(name) ?? []), said.text]));
        }
    }
    /** Why the cluster has ended the Job. An event says the same, but only once the pods are gone: the Job's condition is earlier. */
    #ended(job) {
        const { name } = job.metadata;
        const end = failureOf(job);
        const said = end && wordsOf({ ...end, metadata: { name }, involvedObject: { name }, type: 'Warning' }, this.#of.id);
        if (said)
            this.#eventLog.say(`event ${said.text}`, { at: end.lastTransitionTime ?? now(), ...said });
        return said?.text;
    }
    async #see(pod) {
        const id = pod.metadata.name;
        const before = this.#machines.get(id);
        const state = stateOf(pod, this.#api.now);
        const index = (0,k8s_pods/* indexOf */.qh)(pod);
        const { startTime, podIP } = pod.status ?? {};
        const gone = state === 'gone';
        const failure = gone ? endOf(pod) : undefined;
        const otherwise = isUnreachable(pod, this.#api.now) ? 'its node does not answer' : 'its work is done';
        const reason = gone ? (failure ?? otherwise) : undefined;
        const hasLog = failure !== undefined && !pod.metadata.deletionTimestamp;
        const bootLog = hasLog ? (before?.bootLog ?? (await this.#bootLog(pod))) : undefined;
        const stuck = state === 'starting' ? this.#stuck.hopeless(pod) : undefined;
        this.#machines.set(id, {
            id,
            ...(index !== undefined && { index }),
            state,
            startedAt: startTime ?? pod.metadata.creationTimestamp ?? '',
            ...(podIP !== undefined && { address: podIP }),
            ...(reason !== undefined && { reason }),
            ...(stuck && { stuck: await this.#whyStuck(pod, stuck, before), stuckFor: stuck.time }),
            ...(gone && diedOfMemory(pod) && { cause: 'out-of-memory' }),
            ...(outgrewDisk(pod) && { cause: 'disk-full' }),
            ...(bootLog !== undefined && { bootLog }),
        });
        this.#announce(pod, index, failure);
    }
    /** A log is read once in each pause between two tries: until the next one, it does not change. `before`: the machine as of the last look. */
    async #whyStuck(pod, stuck, before) {
        return before?.stuck?.startsWith(stuck.why) ? before.stuck : whyStuck(this.#api, pod, stuck);
    }
    /** The log of the container that failed, then the cluster's messages about the pod. */
    async #bootLog(pod) {
        const { name } = pod.metadata;
        const log = await this.#api.log(name, failedContainer(pod)?.name ?? names/* CONTAINER */.MR.program, observe_LOG_LINES);
        return [...(log === '' ? [] : [log.trimEnd()]), ...(this.#heard.get(name) ?? [])].join('\n');
    }
    /** Tells when the next pod comes; a machine that is no longer wanted is not replaced. */
    #foretell(pod, job) {
        const wait = replacedIn(pod, this.#api.now);
        const index = (0,k8s_pods/* indexOf */.qh)(pod);
        if (wait === undefined || observe_wantedOf(job) === 0 || (index ?? 0) >= (job.spec.parallelism ?? 0))
            return;
        if (stateOf(pod, this.#api.now) === 'gone' && endOf(pod) === undefined)
            return;
        const { name } = pod.metadata;
        const text = `pod ${name}: replacement in ${Math.ceil(wait / 1000)} s`;
        this.#eventLog.say(`next ${name}`, { at: now(), kind: 'notice', text, machine: name, ...(index !== undefined && { index }) });
    }
    /** Reports a pod that the cluster takes away, or that has failed (`end`). */
    #announce(pod, index, end) {
        const { name, deletionTimestamp } = pod.metadata;
        const place = { machine: name, ...(index !== undefined && { index }) };
        const target = (0,k8s_pods/* disruptionOf */.jX)(pod);
        if (target) {
            const text = `pod ${name} is taken away (${target.reason ?? 'disruption'})`;
            this.#eventLog.say(`target ${name}`, { at: target.lastTransitionTime ?? now(), kind: 'notice', text, ...place });
        }
        if (end !== undefined && !deletionTimestamp)
            this.#eventLog.say(`end ${name}`, { at: now(), kind: 'failure', text: `pod ${name}: ${end}`, ...place });
    }
    /** Its pod does not exist any more: it was deleted or evicted, or its node is gone. */
    #lose(machine) {
        if (machine.state === 'gone')
            return;
        this.#machines.set(machine.id, { ...machine, state: 'gone', reason: 'its pod was removed' });
        const place = { machine: machine.id, ...(machine.index !== undefined && { index: machine.index }) };
        if (machine.state !== 'leaving')
            this.#eventLog.say(`end ${machine.id}`, { at: now(), kind: 'failure', text: `pod ${machine.id} was removed`, ...place });
    }
}
/** Number of machines that should exist: one for each index that is not done. */
function observe_wantedOf(job) {
    if (isComplete(job) || failureOf(job) || job.metadata.deletionTimestamp)
        return 0;
    const { parallelism = 0, completions = 1 } = job.spec;
    return Math.min(parallelism, Math.max(0, completions - (job.status?.succeeded ?? 0)));
}
/** While this pod counts as running, the cluster makes no other one. One that has succeeded is left: it needs no successor. */
function isInTheWay(pod) {
    return (0,k8s_pods/* isHeldOpen */.Wp)(pod) && (0,k8s_pods/* isLiving */.O)(pod) && (0,k8s_pods/* programOf */.oQ)(pod)?.terminated?.exitCode !== 0;
}
function stateOf(pod, now) {
    if (!isPresent(pod, now) || (0,k8s_pods/* isHeldOpen */.Wp)(pod))
        return 'gone';
    if (pod.metadata.deletionTimestamp)
        return 'leaving';
    return (0,k8s_pods/* programOf */.oQ)(pod)?.running ? 'running' : 'starting';
}
/** Events about these objects, oldest first. Events about earlier objects of the same names, which the cluster keeps for an hour, are left out. */
async function happenings(api, mine, since) {
    const { creationTimestamp: made = '' } = since.metadata;
    const found = await api.list('events', {});
    return found
        .filter(({ involvedObject }) => mine(involvedObject))
        .filter(({ metadata: { creationTimestamp = made } }) => creationTimestamp >= made)
        .sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
}
/** When it happened. */
function timeOf({ firstTimestamp, eventTime, lastTimestamp, metadata }) {
    return firstTimestamp ?? eventTime ?? lastTimestamp ?? metadata.creationTimestamp ?? now();
}
const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

;// CONCATENATED MODULE: ./build/js/clouds/k8s/settings.js




function settingsOf({ values }) {
    const claim = (0,record/* textOf */.b6)(values['storage-claim']);
    return {
        runtimeImage: (0,record/* textOf */.b6)(values['runtime-image']) ?? options/* DEFAULTS */.zY.runtimeImage,
        nodeSelector: values['node-selector'] ?? {},
        pullSecrets: values['image-pull-secret'] ?? [],
        runAsUser: values['run-as-user'],
        storageClass: (0,record/* textOf */.b6)(values['storage-class']),
        storageBytes: values['storage-size'],
        storageClaim: claim === undefined ? undefined : { name: claim, folder: (0,record/* textOf */.b6)(values['storage-path']) ?? 'tpi' },
        template: (0,record/* textOf */.b6)(values['pod-template']),
        docker: dockerOf(values),
        jobPods: jobPodsOf(values),
    };
}
function dockerOf(values) {
    const mode = (0,record/* textOf */.b6)(values['container-mode']);
    if (mode === undefined || !Object.hasOwn(CONTAINER_MODES, mode))
        return undefined;
    return { mode: mode, image: (0,record/* textOf */.b6)(values['dind-image']) };
}
function jobPodsOf(values) {
    const namespace = (0,record/* textOf */.b6)(values['job-namespace']);
    if ((0,record/* textOf */.b6)(values['container-mode']) !== 'kubernetes')
        return undefined;
    if (namespace === undefined)
        throw new errors/* InputError */.dz([
            {
                option: 'job-namespace',
                message: 'container-mode: "kubernetes" makes a pod for each job, and needs a namespace for them: job-namespace',
                hint: 'tpi permissions k8s --job-namespace NAME prints the account and the rights that it needs',
            },
        ]);
    return { namespace };
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/store-events.js




/** `stuck`: the same object at each call. */
async function storeEvents(api, id, stuck) {
    const root = await api.get('jobs', (0,names/* storeName */.Hz)(id));
    if (!root)
        return [{ ...store_events_REMOVED, at: new Date(api.now).toISOString() }];
    const [events, pods] = await Promise.all([
        happenings(api, (one) => (0,names/* isOfStore */.te)(id, one), root),
        api.list('pods', { labelSelector: (0,names/* selectorOf */.Bk)(id, 'store') }),
    ]);
    const shown = events.flatMap((event) => {
        const said = wordsOf(event, id);
        return said ? [{ at: timeOf(event), ...said }] : [];
    });
    const late = unprovided(events);
    if (late)
        shown.push({ at: new Date(api.now).toISOString(), kind: 'failure', text: late });
    const hopeless = (await classless(api, id, events)) ?? (await neverStarts(api, pods, stuck));
    return hopeless ? [...shown, { at: new Date(api.now).toISOString(), kind: 'failure', hopeless: true, ...hopeless }] : shown;
}
/** Its root was made before anybody waits for it. */
const store_events_REMOVED = { kind: 'failure', hopeless: true, text: 'another command has removed it; run this command again' };
async function neverStarts(api, pods, stuckPods) {
    for (const pod of pods) {
        const stuck = stuckPods.hopeless(pod);
        if (stuck)
            return { text: await whyStuck(api, pod, stuck) };
    }
    return undefined;
}
/** Milliseconds after which a claim without a volume is worth a message. */
const SLOW = 60_000;
/** The cluster says from the start that it waits for a driver. If it goes on for long, the driver may be missing: on EKS, it is an add-on. */
function unprovided(events) {
    const waits = events.find(({ reason }) => reason === 'ExternalProvisioning');
    const { firstTimestamp = '', lastTimestamp = '', message = '' } = waits ?? {};
    if (!(Date.parse(lastTimestamp) - Date.parse(firstTimestamp) > SLOW))
        return undefined;
    return `no storage for the claim yet; is the driver of its storage class installed? ${message}`;
}
/**
 * A missing storage class, in the words of the cluster's volume controller: a caller with rights in one namespace cannot read storage classes, but
 * can read these events. A class that does not exist is no mistake if there is a volume for such claims: then the claim is bound.
 */
const CLASSLESS = {
    ProvisioningFailed: {
        words: /^storageclass\S* "(.+)" not found$/i,
        says: (name) => `the cluster has no storage class "${name}", nor a volume of that class that fits`,
    },
    FailedBinding: { words: /no storage class is set/i, says: () => 'none is given, and the cluster has no default, nor a volume that fits' },
};
/** What is wrong with the storage class, if the claim has no volume. */
async function classless(api, id, events) {
    const [text] = events.flatMap(({ reason = '', message = '' }) => {
        const rule = CLASSLESS[reason];
        const match = rule?.words.exec(message);
        return rule && match ? rule.says(match[1] ?? '') : [];
    });
    if (text === undefined)
        return undefined;
    const claim = await api.get('persistentvolumeclaims', id);
    if (claim?.status?.phase !== 'Pending')
        return undefined;
    return { text, option: 'storage-class' };
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/tombstone.js









const ROLE = 'record';
const tombstone_KEY = 'tombstone';
/** Adds the tombstone to the stages of a store. The store does not own it, so it stays when the store ends. */
function withTombstone(means, spec, [root = [], parts = [], start = []]) {
    const { tags, tombstone } = spec;
    if (tombstone === undefined)
        return [root, parts, start];
    const { id } = tags;
    const { api, signal } = means;
    const name = (0,names/* recordName */.xD)(id);
    return [
        root,
        [...parts, jobResource(api, 'record', name, (0,names/* selectorOf */.Bk)(id, ROLE), recordJob(means, tags))],
        [...start, textResource(api, tags, tombstone, signal)],
    ];
}
function recordJob({ settings, signal }, tags) {
    const { id, incarnation } = tags;
    return {
        of: { id, incarnation },
        role: ROLE,
        name: (0,names/* recordName */.xD)(id),
        shared: true,
        ...jobTags(tags),
        completions: 1,
        // It never runs anything.
        parallelism: 0,
        deadline: untilForgotten(tags.lifetime),
        template: async () => ({
            metadata: { labels: (0,names/* labelsOf */.PC)(tags, ROLE) },
            spec: { restartPolicy: 'Never', containers: [{ name: names/* CONTAINER */.MR.store, image: settings.runtimeImage, securityContext: LOCKED }] },
        }),
        signal,
    };
}
function textResource(api, of, text, signal) {
    const name = (0,names/* recordName */.xD)(of.id);
    return {
        kind: 'record text',
        name,
        async ensure() {
            signal.throwIfAborted();
            const owner = await rootOf(api, name);
            const object = { metadata: { name, labels: (0,names/* labelsOf */.PC)(of, ROLE), ownerReferences: ownedBy(owner) }, stringData: { [tombstone_KEY]: text } };
            if (await api.create('secrets', object))
                return 'created';
            const there = await api.get('secrets', name);
            if (there && (0,objects/* secretText */.y)(there, tombstone_KEY) === text && !there.metadata.deletionTimestamp)
                return 'found';
            // It belongs to an earlier deployment of this name.
            if (there)
                await api.remove('secrets', name, uidOf(there));
            throw stillThere(`secret ${name}`);
        },
        remove: async () => lentObject(api, 'secrets', 'record text', name).remove(),
    };
}
/** The last stage is removed first. Each part may be gone already. */
function tombstoneLeftovers(api, id, job) {
    const name = (0,names/* recordName */.xD)(id);
    // Without the Job, the cluster has removed the Secret, too.
    if (!job)
        return [];
    return [[lentObject(api, 'secrets', 'record text', name)], [seenJob(api, 'record', job)]];
}
async function tombstones(api, tell) {
    const jobs = await api.list('jobs', { labelSelector: `${names/* LABEL */.d_.managed}=${names/* MANAGED */.u9},${names/* LABEL */.d_.role}=${ROLE}` });
    const found = await Promise.all(jobs.map(async (job) => {
        const tags = tagsOf(job, tell);
        if (!tags || job.metadata.deletionTimestamp)
            return [];
        const text = (0,objects/* secretText */.y)(await api.get('secrets', job.metadata.name), tombstone_KEY);
        return text === undefined ? [] : [{ tags, text }];
    }));
    return found.flat();
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/why-silent.js

const LINES = 12;
/** By words in the log: the first match counts. */
const REASONS = [
    {
        words: /not yet valid|certificate has expired|RequestTimeTooSkewed|clock/i,
        says: 'the clock of its node seems to be wrong, or a certificate is out of date',
    },
    {
        words: /ENOTFOUND|EAI_AGAIN/,
        says: 'it cannot resolve the name of its storage: check the DNS of the cluster, or dnsPolicy in the pod template',
    },
    { words: /\b407\b|proxy/i, says: 'a proxy stands between it and its storage: see HTTPS_PROXY and NO_PROXY in the pod template' },
];
const USUALLY = `usually a NetworkPolicy forbids it. Pods with ${names/* LABEL */.d_.role}=task need a way out to TCP port ${names/* STORE_PORT */.E5} of those with ${names/* LABEL */.d_.role}=store (with --storage: to the storage and to DNS), and those a way in from them and from the API server`;
/** The usual reason if a store runs and the API server cannot reach it. */
const NO_WAY_IN = `usually a NetworkPolicy, or a firewall or security group between the API server and the nodes: let the API server reach TCP port ${names/* STORE_PORT */.E5} of pods with ${names/* LABEL */.d_.role}=store, or use --storage`;
function likelyReason(log) {
    return REASONS.find(({ words }) => words.test(log))?.says ?? USUALLY;
}
async function whySilent(api, pod) {
    const log = (await api.log(pod, names/* CONTAINER */.MR.program, LINES)).trimEnd();
    const said = log === '' ? 'its log is empty' : `its log ends: ${log}`;
    return `it does not reach its storage, or not in time; ${likelyReason(log)}; ${said}`;
}

;// CONCATENATED MODULE: ./build/js/clouds/k8s/index.js



























async function k8s_open(context) {
    const login = (0,k8s_login.loginOf)(context.env, context.values, (text) => context.log.info(text));
    return new Kubernetes(context, login, settingsOf(context));
}
/** Milliseconds between two looks: following for a quiet hour should cost a few hundred requests. */
const CALM = 45_000;
class Kubernetes {
    calm = CALM;
    #context;
    #login;
    #settings;
    #api;
    #watches = new Map();
    /** Jobs of groups that this process has set to size 0, as they were then. No other process makes such a group grow again. */
    #idle = new Map();
    /** Stores that this controller waits for. */
    #storeWatches = new Map();
    #stuck = new StuckPods();
    #leftOut;
    constructor(context, login, settings) {
        this.#context = context;
        this.#login = login;
        this.#settings = settings;
        this.#leftOut = (0,core_tags/* leftOut */.ig)(context.log);
        this.#api = new Api(login, (milliseconds) => context.clock.sleep(milliseconds));
    }
    withOptions(options) {
        const context = (0,cloud/* withValues */.tV)(this.#context, options);
        return new Kubernetes(context, this.#login, settingsOf(context));
    }
    async whoami() {
        const { server, context, namespace } = this.#login;
        const version = await this.#api.ask('GET', '/version');
        if (!version)
            throw unreachable(server, 'it does not say its version');
        return { name: `${context} (${server}, namespace ${namespace}, ${version.gitVersion ?? 'version unknown'})` };
    }
    async faults(spec) {
        return [...faultsOf(spec, this.#settings, this.#login.namespace, !this.isOwn(spec.tags.store)), ...tagFaults(spec.tags)];
    }
    async store(id) {
        return controllerAccess(this.#api, this.#login, this.#context.clock, id);
    }
    /** Users cannot name a store by such a URL. */
    isOwn({ url }) {
        return /^https?:/.test(url);
    }
    async storeSetup(spec) {
        if (!this.isOwn(spec.store))
            return { stages: [] };
        const means = this.#means();
        const { id } = spec.tags;
        return {
            stages: withTombstone(means, spec, storeBlueprint(means, spec)),
            starting: {
                events: async () => storeEvents(this.#api, id, this.#stuck),
                runs: () => this.#storeWatch(id).runs,
                unreached: NO_WAY_IN,
            },
            ...(spec.ahead && { ahead: async () => this.#group(spec) }),
        };
    }
    async remainingStore({ id }) {
        const jobs = await this.#api.list('jobs', { labelSelector: `${names/* LABEL */.d_.id}=${id}` });
        const named = (name) => jobs.find(({ metadata }) => metadata.name === name);
        return [...tombstoneLeftovers(this.#api, id, named((0,names/* recordName */.xD)(id))), ...storeLeftovers(this.#api, id, named((0,names/* storeName */.Hz)(id)))];
    }
    async tombstones() {
        return tombstones(this.#api, this.#leftOut());
    }
    async blueprint(spec) {
        return this.#group({ ...spec, ahead: false });
    }
    async leftovers(of) {
        const idle = this.#idle.get((0,names/* taskName */.p5)(of));
        this.#idle.delete((0,names/* taskName */.p5)(of));
        return taskLeftovers(this.#api, of, idle);
    }
    async start({ tags }) {
        const name = (0,names/* taskName */.p5)(tags);
        this.#idle.delete(name);
        this.#context.signal.throwIfAborted();
        const job = await this.#api.get('jobs', name);
        if (!job || job.metadata.deletionTimestamp)
            throw new errors/* RemoteError */.Hi(`k8s: job ${name} does not exist`);
        if ((0,objects/* conditionOf */.r)(job, 'Failed')?.reason === 'DeadlineExceeded')
            throw new errors/* DeadlineError */.j3(`k8s: job ${name} is past its deadline`, { hint: errors/* LONGER */.Mh });
        if (!(await scaleJob(this.#api, job, tags.count)))
            throw new errors/* RemoteError */.Hi(`k8s: job ${name} does not exist`);
    }
    /** By one call. */
    async end(of) {
        const name = (0,names/* taskName */.p5)(of);
        const job = await this.#api.patch('jobs', name, { spec: { parallelism: 0 } });
        if (job)
            this.#idle.set(name, job);
        else
            this.#idle.delete(name);
    }
    async observe(of) {
        const name = (0,names/* taskName */.p5)(of);
        const watch = this.#watches.get(name) ?? new Watch(this.#api, of);
        this.#watches.set(name, watch);
        return watch.look(this.#idle.get(name));
    }
    async clearDead(of) {
        await this.#watches.get((0,names/* taskName */.p5)(of))?.clear();
    }
    /** Groups, and stores of deployments that have no group (yet). */
    async list(lost, id) {
        const ours = `${names/* LABEL */.d_.managed}=${names/* MANAGED */.u9}`;
        const all = await this.#api.list('jobs', { labelSelector: id === undefined ? ours : `${ours},${names/* LABEL */.d_.id}=${id}` });
        // A store that has ended itself will soon be removed with its task; what remains of it is not a deployment.
        const over = new Set(all.filter((job) => roleOf(job) === 'store' && isComplete(job)).map(idOf));
        const jobs = all.filter((job) => roleOf(job) !== 'record' && !over.has(idOf(job)));
        const found = [];
        const grouped = new Set();
        const tell = this.#leftOut(lost, id);
        // Groups before stores: what a group says about its deployment is newer.
        for (const job of [...jobs.filter(isGroup), ...jobs.filter((one) => !isGroup(one))]) {
            const tags = tagsOf(job, tell);
            if (!tags || job.metadata.deletionTimestamp || (!isGroup(job) && grouped.has(tags.id)))
                continue;
            grouped.add(tags.id);
            found.push({ tags, phase: await this.#phaseOf(job, tags) });
        }
        return found;
    }
    async interrupt(of, machine) {
        await interrupt(this.#api, of, machine, (milliseconds) => this.#context.clock.sleep(milliseconds, this.#context.signal));
    }
    async exec(of, machine, argv, output) {
        return podExec(this.#api, this.#login, { of, machine, argv, output, signal: this.#context.signal });
    }
    async emptied(of, signal) {
        await untilEmpty(this.#api, of, signal);
    }
    async whySilent(_of, machine) {
        return whySilent(this.#api, machine);
    }
    async doctor(request, store) {
        return examine(this.#api, this.#settings, request, store);
    }
    #group(spec) {
        const own = this.isOwn(spec.store);
        return taskBlueprint(this.#means(), spec, {
            own,
            place: async () => (own ? await machineAccess(this.#api, spec.tags.id) : GATE_PLACE),
        });
    }
    async #phaseOf(job, of) {
        if (!isGroup(job))
            return 'absent';
        if (observe_wantedOf(job) > 0)
            return 'up';
        const pods = await this.#api.list('pods', { labelSelector: (0,names/* groupSelector */.fX)(of) });
        return pods.some((pod) => isPresent(pod, this.#api.now)) ? 'up' : 'stopped';
    }
    #storeWatch(id) {
        const watch = this.#storeWatches.get(id) ?? new StorePodWatch(this.#api, id, this.#context.signal);
        this.#storeWatches.set(id, watch);
        return watch;
    }
    #means() {
        return {
            api: this.#api,
            settings: this.#settings,
            storePodIsMade: (id) => this.#storeWatch(id).stage !== 'begun',
            agent: () => this.#context.agent(),
            signal: this.#context.signal,
        };
    }
}
const roleOf = ({ metadata }) => metadata.labels?.[names/* LABEL */.d_.role];
const isGroup = (job) => roleOf(job) === 'task';
const idOf = ({ metadata }) => metadata.labels?.[names/* LABEL */.d_.id];


/***/ }),

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


/***/ }),

/***/ 5175:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   v: () => (/* binding */ EventLog)
/* harmony export */ });
/**
 * Has each event once, in the order in which they were said first; none has an older time than the one before it. An event that is said again keeps
 * its place, and gets the later time.
 */
class EventLog {
    /** Key → where its event is in the list. */
    #said = new Map();
    #events = [];
    get events() {
        return [...this.#events];
    }
    /** Adds an event, unless one with this key is there already. */
    say(key, event) {
        const known = this.#said.get(key);
        const before = known === undefined ? undefined : this.#events[known];
        if (known !== undefined && before) {
            if (event.at > before.at)
                this.#events[known] = { ...before, at: event.at };
            return;
        }
        const last = this.#events.at(-1)?.at ?? '';
        this.#said.set(key, this.#events.push(event.at < last ? { ...event, at: last } : event) - 1);
    }
}


/***/ }),

/***/ 75367:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J7: () => (/* binding */ namedSize),
/* harmony export */   Nk: () => (/* binding */ fittingTypes),
/* harmony export */   a9: () => (/* binding */ GENERIC),
/* harmony export */   ib: () => (/* binding */ isNative),
/* harmony export */   l8: () => (/* binding */ unfitting)
/* harmony export */ });
/** From the machine that a user asks for to the types in a vendor's list that fit about equally well, the best first. */
/** Types that are offered to the cloud, at most. */
const ENOUGH = 12;
/** How many times larger than the smallest type that fits a type may be: if the cloud has nothing else, it takes the largest, which costs most. */
const REACH = 2;
/** Sizes that every cloud has; the same as those of TPI. */
const GENERIC = {
    s: { cpu: 1, memoryGiB: 1 },
    m: { cpu: 8, memoryGiB: 32 },
    l: { cpu: 32, memoryGiB: 128 },
    xl: { cpu: 64, memoryGiB: 256 },
};
/** How many GPUs a generic size with a GPU has. If the vendor does not sell this number, the next larger one counts. */
const GENERIC_GPUS = { m: 1, l: 4, xl: 8 };
const SUFFIX = /^(s|m|l|xl)((?:\+[a-z0-9-]+)*)$/;
/** The size or type that the user names. */
const namedSize = (request) => request.machine?.trim().toLowerCase() || undefined;
/** It names a type of the vendor, and not a size that every cloud has. */
const isNative = (named) => named !== undefined && !SUFFIX.test(named);
/** The types that fit the request, the best first: with as few GPUs as possible, and not much larger than the smallest. Empty: none fits. */
function fittingTypes({ types, kindOf, shy }, request) {
    const { floor, arm, gpu } = demandOf(namedSize(request), request);
    const kind = gpu?.kind === undefined ? undefined : kindOf(gpu.kind);
    const alike = types.filter((type) => kind !== undefined && type.gpu?.kind === kind);
    // Some GPUs are sold only with ARM processors.
    const arch = arm || (alike.length > 0 && alike.every((type) => type.arch === 'arm64')) ? 'arm64' : 'x86_64';
    const fits = (type) => {
        if (type.arch !== arch || type.cpu < floor.cpu || type.memoryGiB < floor.memoryGiB)
            return false;
        if (request.scratch && !type.local)
            return false;
        if (!gpu)
            return type.gpu === undefined;
        if (type.gpu === undefined || type.gpu.count < gpu.count)
            return false;
        return kind === undefined ? !shy.includes(type.gpu.kind) : type.gpu.kind === kind;
    };
    const fit = types.filter(fits).sort(better);
    const [least] = fit;
    if (!least)
        return [];
    return fit.filter((type) => type.gpu?.count === least.gpu?.count && weight(type) <= weight(least) * REACH).slice(0, ENOUGH);
}
function demandOf(named, request) {
    const [, size, suffixes = ''] = SUFFIX.exec(named ?? '') ?? [];
    const words = suffixes.split('+').filter((word) => word !== '');
    const kind = words.find((word) => word !== 'arm');
    const gpu = request.gpu ?? (kind === undefined ? undefined : { kind, count: GENERIC_GPUS[size ?? 'm'] ?? 1 });
    // With a GPU, the generic size only says how many: its processors and memory are those of machines without.
    const floor = gpu || size === undefined ? { cpu: 1, memoryGiB: 1 } : (GENERIC[size] ?? { cpu: 1, memoryGiB: 1 });
    const asked = {
        cpu: request.cpu ?? floor.cpu,
        memoryGiB: request.memoryBytes === undefined ? floor.memoryGiB : request.memoryBytes / 2 ** 30,
    };
    const usual = named === undefined && !request.gpu && request.cpu === undefined && request.memoryBytes === undefined;
    return {
        floor: usual ? (GENERIC['m'] ?? floor) : asked,
        arm: words.includes('arm'),
        ...(gpu && { gpu }),
    };
}
/** Fewest GPUs first, then the smallest, then the newest. */
function better(a, b) {
    return (a.gpu?.count ?? 0) - (b.gpu?.count ?? 0) || weight(a) - weight(b) || b.rank - a.rank;
}
/** A vCPU costs about as much as four GiB. */
const weight = ({ cpu, memoryGiB }) => cpu + memoryGiB / 4;
/** For a request that no type fits: the option that asks for too much, and the kind of GPU as the user has written it. */
function unfitting(request) {
    const kind = request.gpu?.kind ?? /\+(?!arm\b)([a-z0-9-]+)/.exec(namedSize(request) ?? '')?.[1];
    if (kind !== undefined)
        return { option: request.gpu?.kind === kind ? 'gpu' : 'machine', kind };
    if (request.gpu)
        return { option: 'gpu' };
    if (request.cpu !== undefined)
        return { option: 'cpu' };
    return { option: request.memoryBytes === undefined ? 'machine' : 'memory' };
}


/***/ }),

/***/ 7021:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ limitFaults)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);
/* harmony import */ var _tags_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(42451);
/** Which of the user's own tags a cloud accepts: each cloud states its limits, and all are refused in the same words. */


/** The faults of these tags: one for each name, and one if there are too many. */
function limitFaults(user, limits) {
    const { title, most = _tags_js__WEBPACK_IMPORTED_MODULE_0__/* .USER_TAGS */ .GL.most } = limits;
    const fault = (message, hint) => ({ option: 'tags', message, hint });
    const names = Object.keys(user);
    const faults = Object.entries(user).flatMap(([name, value], at) => {
        const twin = limits.caseless && names.slice(0, at).find((other) => other.toLowerCase() === name.toLowerCase());
        if (twin)
            return [fault(`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(twin)} and ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} are the same name on ${title}`, 'give one of them')];
        const wrong = wrongWith(name, value, limits);
        return wrong ? [fault(...wrong)] : [];
    });
    const count = names.length;
    if (count <= most)
        return faults;
    return [...faults, fault(`${count} are more than ${title} takes in addition to those of tpi`, `give at most ${most}`)];
}
function wrongWith(name, value, limits) {
    const { title, reserved, pattern } = limits;
    if (reserved?.test(name))
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} is reserved for ${title} or for tpi`, 'use another name'];
    if (name === '')
        return [`the value ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(value)} has no name`, 'write NAME=VALUE'];
    if (/\p{Cc}/u.test(name))
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} is not one line of text`, 'leave out line ends and control characters'];
    const most = { ..._tags_js__WEBPACK_IMPORTED_MODULE_0__/* .USER_TAGS */ .GL, ...limits };
    if (name.length > most.name || value.length > most.value) {
        const ofName = pattern && limits.name === undefined ? [] : [`a name has at most ${most.name} characters`];
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} or its value is longer than ${title} allows`, (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .listed */ .KE)([...ofName, `a value has at most ${most.value}`], 'and')];
    }
    if (pattern && !pattern.name.test(name))
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} is not a valid name of a tag on ${title}`, pattern.hint];
    return undefined;
}


/***/ }),

/***/ 55613:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ Refusals)
/* harmony export */ });
/** Whether a refusal is final: a server that has just started may refuse what it will allow in a moment, before it has read accounts and rights. */
/** Milliseconds that such a server may take. */
const SETTLING = 60_000;
class Refusals {
    #now;
    /** Rights that were granted before, and since when they have been refused. */
    #rights = new Map();
    #away = Number.NEGATIVE_INFINITY;
    /** The first and the last refusal since it came back. */
    #refused;
    /** `now`: milliseconds of a clock that nobody sets. */
    constructor(now = () => performance.now()) {
        this.#now = now;
    }
    /** The server did not answer, or said that it cannot. */
    outOfReach() {
        this.#away = this.#now();
        // It has been away for long, so earlier refusals do not count.
        if (this.#refused && this.#away - this.#refused.last >= SETTLING)
            this.#refused = undefined;
    }
    granted(right) {
        this.#rights.set(right, undefined);
        this.#refused = undefined;
    }
    /**
     * For a refusal: the server was away a moment ago. Until it has read its accounts, it does not know whose credentials it gets
     * either; that takes a minute from its first refusal on, however often it fails meanwhile.
     */
    isSettling() {
        const now = this.#now();
        if (now - this.#away >= SETTLING)
            return false;
        this.#refused = { since: this.#refused?.since ?? now, last: now };
        return now - this.#refused.since < SETTLING;
    }
    /** A refusal may be temporary if the server was away a moment ago, or had granted the same before: for a minute, not for ever. */
    mayPass(right) {
        if (this.isSettling())
            return true;
        const now = this.#now();
        if (!this.#rights.has(right))
            return false;
        const since = this.#rights.get(right) ?? now;
        this.#rights.set(right, since);
        return now - since < SETTLING;
    }
}


/***/ }),

/***/ 47980:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   IU: () => (/* binding */ renewing),
/* harmony export */   Z3: () => (/* binding */ notLent),
/* harmony export */   Zu: () => (/* binding */ fixed)
/* harmony export */ });
/* unused harmony export passing */
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);
/* harmony import */ var _store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/** Credentials that expire: whoever uses them asks a source before each call, and the source gets new ones in time. */


/** A source that always has the same credentials. */
function fixed(credentials) {
    return { get: async () => credentials, refused: () => false };
}
/**
 * So many milliseconds before they expire, or a quarter of their lifetime if that is less, new ones are requested. (Metadata services have new ones
 * five minutes before.)
 */
const EARLY = 10 * 60_000;
/** So many milliseconds before they expire, a call waits for new ones: its request would arrive too late with the old ones. */
const LAST = 10_000;
/** Milliseconds between two tries while the old ones are valid, or a tenth of the time left if that is less. */
const PACE = 30_000;
/** Milliseconds for which credentials are used that are already expired when they arrive: some clock is wrong, and only the server knows whose. */
const DOUBTFUL = 60_000;
/** A source that asks the lender when credentials are needed first, before they expire, and after a refusal: once for all callers. */
function renewing({ lend, clock, first, trouble }) {
    let held = first && heldOf(first, clock);
    let asking;
    let next = 0;
    const ask = async () => {
        asking ??= (async () => {
            try {
                held = heldOf(await lend(), clock);
                return held;
            }
            finally {
                asking = undefined;
                next = clock.now() + Math.min(PACE, Math.max(0, (held?.due ?? 0) - clock.now()) / 10);
            }
        })();
        return await asking;
    };
    return {
        async get() {
            const had = held;
            const remaining = had ? had.due - clock.now() : 0;
            if (!had || remaining <= 0)
                return (await ask()).credentials;
            if (remaining > had.early)
                return had.credentials;
            if (remaining > LAST && clock.now() < next)
                return had.credentials;
            const renewed = ask().catch((error) => {
                trouble?.(error);
                if (had.due <= clock.now())
                    throw error;
                return had;
            });
            if (remaining <= LAST)
                return (await renewed).credentials;
            renewed.catch(() => undefined);
            return had.credentials;
        },
        refused(credentials) {
            if (held?.credentials === credentials)
                held = undefined;
            return true;
        },
    };
}
function heldOf({ credentials, until }, clock) {
    if (until === undefined)
        return { credentials, due: Number.POSITIVE_INFINITY, early: 0 };
    const remaining = Date.parse(until) - clock.date().getTime();
    if (Number.isNaN(remaining))
        throw new _store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('unavailable', `storage: the credentials are good until "${until}", which is not a time`);
    const life = remaining > 0 ? remaining : DOUBTFUL;
    return { credentials, due: clock.now() + life, early: Math.min(EARLY, life / 4) };
}
/** The same lender, whose failures count as an outage of the store: callers wait it out. `who` lends, for people. */
function passing(lend, who) {
    return async () => {
        try {
            return await lend();
        }
        catch (error) {
            if (isStoreError(error))
                throw error;
            throw notLent('unavailable', who, error);
        }
    };
}
/** The error of a store whose credentials `who` does not lend. */
function notLent(kind, who, cause) {
    return new _store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD(kind, `storage: no credentials from ${who}: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .messageOf */ .bD)(cause)}`, { cause });
}


/***/ })

};
