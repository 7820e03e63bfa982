export const id = 5094;
export const ids = [5094];
export const modules = {

/***/ 41100:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   accessFromEnv: () => (/* binding */ accessFromEnv),
/* harmony export */   lending: () => (/* binding */ lending)
/* harmony export */ });
/* harmony import */ var _vendors_google_login_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5741);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);
/* harmony import */ var _login_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(47100);
/* harmony import */ var _address_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(31284);




const REMEDY = 'set GOOGLE_APPLICATION_CREDENTIALS to a credential file, or run "gcloud auth application-default login"';
/**
 * Machines without an identity of their own get the credential itself if it works anywhere (a key, a signed-in user), so that it can be renewed
 * there; otherwise a token, which is valid for an hour. Throws StoreError `denied` if there are no credentials or they are refused,
 * `unavailable` if no server could be reached, `invalid` for a bad endpoint; messages never show a credential.
 */
async function accessFromEnv(url, env, options = {}) {
    const endpoint = options.endpoint ?? (env['CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE'] || emulator(env));
    if (endpoint)
        (0,_address_js__WEBPACK_IMPORTED_MODULE_3__/* .gsEndpoint */ .ou)(endpoint);
    const login = await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentBy */ .d)('Google', async () => (0,_vendors_google_login_js__WEBPACK_IMPORTED_MODULE_0__/* .googleLogin */ .p3)(env));
    if (!login)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_1__/* .StoreError */ .AD('denied', `storage: no credentials for "${url}"; ${REMEDY}`);
    const place = { url, ...(endpoint && { settings: { endpoint } }) };
    const own = login.file === undefined ? undefined : { file: login.file };
    return await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentAccess */ .G)(place, lending(login), { own, clock: options.clock });
}
/** The address of an emulator, from the variable of Google's own clients. Some of them want it without a scheme. */
function emulator(env) {
    const host = env['STORAGE_EMULATOR_HOST'];
    return host && (host.includes('://') ? host : `http://${host}`);
}
/** The login as source of a store's credentials. */
function lending(login) {
    return async () => await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentBy */ .d)('Google', async () => login.lend());
}


/***/ }),

/***/ 31284:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   be: () => (/* binding */ copyPath),
/* harmony export */   du: () => (/* binding */ objectPath),
/* harmony export */   id: () => (/* binding */ gsPlace),
/* harmony export */   ou: () => (/* binding */ gsEndpoint)
/* harmony export */ });
/* harmony import */ var _lib_uri_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(42600);
/* harmony import */ var _bucket_url_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19267);
/** The address of a bucket of Google, also used by a new machine that has no client yet. */


const GOOGLE = 'https://storage.googleapis.com';
/** The part of an address that gcloud's own variable has at its end; uploads have another one. */
const API = /\/(storage\/v1\/?)?$/;
function gsPlace(place) {
    return { ...(0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_0__/* .bucketPlace */ .qR)(new URL(place.url)), endpoint: gsEndpoint(place.settings?.['endpoint'] ?? GOOGLE) };
}
/** Checks an address that came as text. Throws kind `invalid`. */
function gsEndpoint(text) {
    const url = (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_0__/* .checkedEndpoint */ .V7)(text, 'the endpoint of Cloud Storage');
    url.pathname = url.pathname.replace(API, '');
    return url;
}
/** Path of an object, or of all of them, below the endpoint. https://docs.cloud.google.com/storage/docs/request-endpoints#encoding */
function objectPath(bucket, key) {
    return `/storage/v1${objectIn(bucket, key)}`;
}
/** Path of a copy within the bucket. https://docs.cloud.google.com/storage/docs/json_api/v1/objects/rewrite */
function copyPath(bucket, from, to) {
    return `${objectPath(bucket, from)}/rewriteTo${objectIn(bucket, to)}`;
}
function objectIn(bucket, key) {
    return `/b/${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_1__/* .uriEncoded */ .n)(bucket)}/o${key === undefined ? '' : `/${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_1__/* .uriEncoded */ .n)(key)}`}`;
}


/***/ }),

/***/ 5094:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ gs_open)
});

// EXTERNAL MODULE: ./build/js/lib/shape.js
var shape = __webpack_require__(29611);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/bucket.js
var bucket = __webpack_require__(59763);
// EXTERNAL MODULE: ./build/js/stores/call-error.js
var call_error = __webpack_require__(45086);
// EXTERNAL MODULE: ./build/js/stores/gs/address.js
var address = __webpack_require__(31284);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
// EXTERNAL MODULE: ./build/js/stores/bucket-client.js + 1 modules
var bucket_client = __webpack_require__(99499);
;// CONCATENATED MODULE: ./build/js/stores/gs/errors.js
/**
 * Answers of Cloud Storage → kinds of the store contract, with what the user can do about it.
 * https://docs.cloud.google.com/storage/docs/json_api/v1/status-codes
 */



const DISABLED = (0,call_error/* denied */.wk)('the account of the bucket is disabled: is billing switched off?');
const KEPT = (0,call_error/* denied */.wk)('a retention policy or a hold keeps objects of the bucket from being changed: choose another');
/** By the `reason` of the answer, which says more than its status. */
const REASONS = {
    conditionNotMet: call_error/* CONFLICT */.p9,
    rateLimitExceeded: call_error/* BUSY */.yu,
    userRateLimitExceeded: call_error/* BUSY */.yu,
    slowDown: call_error/* BUSY */.yu,
    quotaExceeded: call_error/* FULL */.eW,
    authError: call_error/* STALE */.yR,
    required: call_error/* UNKNOWN_CALLER */.xs,
    accountDisabled: DISABLED,
    userProjectAccountProblem: DISABLED,
    userProjectMissing: (0,call_error/* denied */.wk)('the bucket is "requester pays", which is not supported: choose another'),
    conditionalRequestConflict: call_error/* BUSY */.yu,
    retentionPolicyNotMet: KEPT,
    objectUnderActiveHold: KEPT,
};
const STATUSES = {
    401: call_error/* STALE */.yR,
    404: ['gone', 'never', 'create the bucket, or correct `storage`'],
};
/** Matches messages in which Google itself says what is missing: perhaps the right to delete, to replace an object, or one of a key of KMS or a policy. */
const NAMED = /\b\w+\.\w+\.\w+ access\b|permission|policy/i;
const errors_shape = (0,shape/* object */.Ik)({
    error: (0,shape/* object */.Ik)({
        message: (0,shape/* maybe */.no)((0,shape/* text */.Qq)(16_384)),
        errors: (0,shape/* maybe */.no)((0,shape/* list */.p_)((0,shape/* object */.Ik)({ reason: (0,shape/* maybe */.no)((0,shape/* text */.Qq)(256)) }), 100)),
    }),
});
function describe({ operation, bucket, key }) {
    return `${operation} gs://${bucket}/${key}`;
}
function faultOf(reply, tried) {
    const { reason, message } = saidIn(reply.body);
    const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
    const meaning = known ?? (0,call_error/* meaningOf */.Pr)(reply.status, STATUSES);
    const advice = meaning[0] === 'denied' && !NAMED.test(message) ? `needs storage.${tried.operation} on the bucket ${tried.bucket}` : undefined;
    return (0,call_error/* refused */.J5)(reply, describe(tried), tried.secrets, { meaning, code: reason, message, advice });
}
/** Refusals of downloads are plain text, not JSON. */
function saidIn(body) {
    const content = body.subarray(0, 65_536).toString('utf8');
    try {
        const { error } = (0,parse/* parseShape */.Tr)(errors_shape, content);
        return { reason: error.errors?.[0]?.reason ?? '', message: error.message ?? '' };
    }
    catch {
        return { reason: '', message: content.trimStart().startsWith('<') ? '' : content };
    }
}

;// CONCATENATED MODULE: ./build/js/stores/gs/client.js





class GsClient extends bucket_client/* BucketClient */.C6 {
    constructor(settings) {
        super(settings, settings.endpoint);
    }
    /** What the answer says. */
    async callJson(call, shape) {
        return this.parse(await this.call(call), call, shape);
    }
    parse(reply, call, shape) {
        try {
            return (0,parse/* parseShape */.Tr)(shape, reply.body.toString('utf8'));
        }
        catch (error) {
            throw (0,call_error/* odd */.ST)('the answer is not that of Cloud Storage', this.describe(call), error);
        }
    }
    async send(call, { token }) {
        const { endpoint, bucket, prefix } = this.settings;
        if (!token)
            throw new store/* StoreError */.AD('denied', `storage: no credentials for "gs://${bucket}/${prefix}"`);
        this.remember(token);
        const search = new URLSearchParams(call.query).toString();
        const headers = {
            host: endpoint.host,
            'user-agent': 'tpi-action',
            authorization: `Bearer ${token}`,
            ...call.headers,
        };
        if (call.body || call.method !== 'GET')
            headers['content-length'] = String(call.body?.length ?? 0);
        const path = `${endpoint.pathname.replace(/\/$/, '')}${call.path}${search && `?${search}`}`;
        return await this.transport.send(endpoint.hostname, { ...call, path, headers });
    }
    describe(call) {
        return describe(this.#tried(call));
    }
    faultOf(reply, call) {
        return faultOf(reply, this.#tried(call));
    }
    #tried({ operation, about }) {
        return { operation, bucket: this.settings.bucket, key: about, secrets: this.secrets };
    }
}

// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/vendors/google/login.js + 2 modules
var login = __webpack_require__(5741);
// EXTERNAL MODULE: ./build/js/wire/credentials.js
var wire_credentials = __webpack_require__(47980);
// EXTERNAL MODULE: ./build/js/stores/gs/access.js
var gs_access = __webpack_require__(41100);
;// CONCATENATED MODULE: ./build/js/stores/gs/settings.js
/** What a StoreAccess says → what the client needs. */






function settingsOf(access) {
    return { ...(0,address/* gsPlace */.id)(access), tries: (0,bucket_client/* triesOf */.p5)(access), source: access.source ?? sourceOf(access) };
}
/** What was sent here: a whole credential, which is renewed here, or a token. */
function sourceOf(access) {
    const credentials = (0,bucket_client/* travelled */.UI)(access);
    const { file } = credentials;
    return file === undefined ? (0,wire_credentials/* fixed */.Zu)(credentials) : (0,wire_credentials/* renewing */.IU)({ lend: (0,gs_access.lending)((0,login/* loginOf */.DQ)(file)), clock: clock/* systemClock */.ml });
}

// EXTERNAL MODULE: ./build/js/lib/backoff.js
var backoff = __webpack_require__(71874);
// EXTERNAL MODULE: ./build/js/stores/upload.js
var upload = __webpack_require__(92292);
;// CONCATENATED MODULE: ./build/js/stores/gs/upload.js
/**
 * Bodies: small ones in one request, large ones piece by piece, each of which may be sent again from where the server stands.
 * https://docs.cloud.google.com/storage/docs/performing-resumable-uploads
 */





/** Bodies up to this size are sent in one request. Bytes. */
const SINGLE_BYTES = 8 * 1024 * 1024;
/** Bytes. Google keeps a multiple of them of each piece. */
const UNIT_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * UNIT_BYTES;
/** Answer to a piece that is not the last one, and to the question how much has arrived. */
const GO_ON = 308;
const DIGITS = /^\d{1,32}$/;
const digits = (0,shape/* text */.Qq)(32, DIGITS, 'digits');
const made = (0,shape/* object */.Ik)({ generation: digits });
async function upload_upload(params) {
    return await (params.body.length > SINGLE_BYTES ? uploadPieces(params) : uploadWhole(params));
}
function callOf({ client, key, query, signal }, uploadType) {
    return {
        operation: 'objects.create',
        method: 'POST',
        path: `/upload${(0,address/* objectPath */.du)(client.settings.bucket)}`,
        about: key,
        query: { uploadType, name: key, fields: 'generation', ...query },
        headers: { 'content-type': 'application/octet-stream' },
        signal,
    };
}
async function uploadWhole(params) {
    const repeatable = Object.keys(params.query).length === 0;
    const { generation } = await params.client.callJson({ ...callOf(params, 'media'), body: params.body, sent: params.sent, repeatable }, made);
    return generation;
}
async function uploadPieces(params) {
    return await (0,upload/* uploadAnew */.P)({
        begin: async () => begin(params),
        send: async (session) => sendPieces(params, session),
        abandon: async (session) => cancel(params.client, session),
        again: (error) => isLost(error, params),
    });
}
/** Whether to begin anew, because the server has forgotten the session. The object may be there already, so that is safe only without a condition. */
function isLost(error, { query }) {
    return error instanceof call_error/* CallError */.RA && (error.status === 404 || error.status === 410) && Object.keys(query).length === 0;
}
/** If it is called twice, the session that is not used is forgotten after a week. */
async function begin(params) {
    const { client, key, body } = params;
    const call = callOf(params, 'resumable');
    const headers = { 'x-upload-content-type': 'application/octet-stream', 'x-upload-content-length': String(body.length) };
    const { location } = (await client.call({ ...call, headers, repeatable: true })).headers;
    // Of the address that the server gives, only the query is used: the token is sent to the endpoint alone.
    const url = location !== undefined && URL.canParse(location) ? new URL(location) : undefined;
    const id = url?.searchParams.get('upload_id');
    if (!url || !id)
        throw (0,call_error/* odd */.ST)('the server began an upload without naming it', `objects.create gs://${client.settings.bucket}/${key}`);
    return { path: call.path, query: Object.fromEntries(url.searchParams), about: key };
}
/** After a failure, first asks how much has arrived: any part of the last piece may be there, or even the whole object. */
async function sendPieces(params, session) {
    const { body, signal } = params;
    let at = 0;
    let furthest = 0;
    let unsure = false;
    const step = async () => {
        const end = Math.min(at + PIECE_BYTES, body.length);
        const asks = unsure;
        unsure = true;
        const reply = await (asks
            ? put(params, session, `bytes */${body.length}`)
            : put(params, session, `bytes ${at}-${end - 1}/${body.length}`, body.subarray(at, end)));
        unsure = false;
        if (reply.status !== GO_ON)
            return params.client.parse(reply, callFor(session), made).generation;
        at = Number(/^bytes=0-(\d+)$/.exec(reply.headers.range ?? '')?.[1] ?? -1) + 1;
        return undefined;
    };
    const { tries } = params.client.settings;
    for (let idle = 0; idle < tries;) {
        const done = await (0,backoff/* retry */.L)(step, { ...call_error/* PAUSES */.GT, tries, signal, again });
        if (done !== undefined)
            return done;
        if (at >= body.length)
            break;
        // With a server that does not keep what it gets, this would go on for ever.
        idle = at >= furthest + UNIT_BYTES ? 0 : idle + 1;
        furthest = Math.max(furthest, at);
    }
    throw stuck(session);
}
/** Repeatable even with a condition: the session knows how far it is. */
const again = (error) => (0,call_error/* mayRepeat */.xg)(error, true);
function stuck({ about }) {
    return new call_error/* CallError */.RA('unavailable', `storage: the upload of "${about}" makes no progress`, { code: '', status: GO_ON, again: 'never' });
}
function callFor({ path, query, about }) {
    return { operation: 'objects.create', method: 'PUT', path, query, about, repeatable: false, fine: [GO_ON] };
}
async function put({ client, signal }, session, range, body) {
    return await client.call({ ...callFor(session), headers: { 'content-range': range }, ...(body && { body }), signal });
}
/** https://docs.cloud.google.com/storage/docs/performing-resumable-uploads#cancel-upload: 499 says that it is done. */
async function cancel(client, session) {
    const call = { ...callFor(session), method: 'DELETE', fine: [499] };
    // The first failure matters; a session that is left is forgotten after a week.
    await client.call(call).catch(() => undefined);
}

;// CONCATENATED MODULE: ./build/js/stores/gs/index.js
/** A store in a bucket of Google Cloud Storage, by its JSON API. Versions are generations: each write makes another one, whatever its bytes are. */








/** Settings: `endpoint`, `tries`. Credentials: `token`, or `file`, the content of a credential file. */
const gs_open = async (access) => new bucket/* BucketStore */.cD(access.url, new Gs(new GsClient(settingsOf(access))));
const rewritten = (0,shape/* object */.Ik)({ done: shape/* flag */.Jt });
const page = (0,shape/* object */.Ik)({
    items: (0,shape/* maybe */.no)((0,shape/* list */.p_)((0,shape/* object */.Ik)({ name: (0,shape/* text */.Qq)(4096), size: digits }), 1000)),
    nextPageToken: (0,shape/* maybe */.no)((0,shape/* text */.Qq)(8192)),
});
/**
 * Without it, the service unpacks an object that was uploaded with `Content-Encoding: gzip`, and ignores the range:
 * https://cloud.google.com/storage/docs/transcoding
 */
const AS_STORED = { 'accept-encoding': 'gzip' };
class Gs extends bucket/* BucketProtocol */.Jr {
    async read(key, range, how) {
        try {
            const headers = { ...(0,bucket/* rangeHeader */.Hq)(range), ...AS_STORED };
            const call = { ...this.#of(key), query: { alt: 'media' }, headers, repeatable: true, ...how };
            const reply = await this.client.call(call);
            return { bytes: (0,bucket/* inRange */.r4)(reply, range), version: generationOf(reply, key) };
        }
        catch (error) {
            return await this.#absent(error, how.signal);
        }
    }
    async state(key, signal) {
        const call = { ...this.#of(key), query: { fields: 'generation' }, repeatable: true, signal };
        try {
            const { generation } = await this.client.callJson(call, made);
            return { bytes: new Uint8Array(0), version: generation };
        }
        catch (error) {
            return await this.#absent(error, signal);
        }
    }
    async write(key, body, condition, how) {
        return await upload_upload({ client: this.client, key, body, query: conditionQuery(condition), ...how });
    }
    /** Within a bucket, one call is enough for any size; `done` says so: https://docs.cloud.google.com/storage/docs/json_api/v1/objects/rewrite */
    async copy(from, to, signal) {
        const { bucket } = this.client.settings;
        const query = { fields: 'done' };
        const path = (0,address/* copyPath */.be)(bucket, from, to);
        const call = { operation: 'objects.rewrite', method: 'POST', path, about: from, query, repeatable: true, signal };
        try {
            const { done } = await this.client.callJson(call, rewritten);
            if (!done)
                throw (0,call_error/* odd */.ST)('the server left a copy unfinished', `objects.rewrite gs://${bucket}/${from}`);
            return true;
        }
        catch (error) {
            await this.#absent(error, signal);
            return false;
        }
    }
    /** https://docs.cloud.google.com/storage/docs/json_api/v1/objects/list: `startOffset` is part of what is listed. */
    async page(prefix, after, next, signal, most = '1000') {
        const more = { ...(next ? { pageToken: next } : {}), ...(after ? { startOffset: after } : {}) };
        const query = { prefix, maxResults: most, fields: 'items(name,size),nextPageToken', ...more };
        const path = (0,address/* objectPath */.du)(this.client.settings.bucket);
        const call = { operation: 'objects.list', method: 'GET', path, about: prefix, query, repeatable: true, signal };
        const { items = [], nextPageToken } = await this.client.callJson(call, page);
        return { entries: items.map(({ name, size }) => ({ key: name, size: Number(size) })), next: nextPageToken || undefined };
    }
    /** A condition names one state for ever, so repeating the call removes nothing else. */
    async remove(key, condition) {
        const of = { ...this.#of(key), operation: 'objects.delete', method: 'DELETE' };
        try {
            await this.client.call({ ...of, query: conditionQuery(condition), repeatable: true });
        }
        catch (error) {
            // A missing object has no generation: the condition fails because there is no object.
            if (condition && (0,bucket/* isStatus */.zM)(error, 412) && !(await this.state(key)))
                return;
            await this.#absent(error, undefined);
        }
    }
    /** `undefined` if the error says that the object does not exist; throws all others. Lists the bucket if it may be the bucket that is missing. */
    async #absent(error, signal) {
        if (!(0,bucket/* isStatus */.zM)(error, 404))
            throw error;
        if (!/No such object/.test(error.message))
            await this.page(this.prefix, undefined, undefined, signal, '1');
        return undefined;
    }
    #of(key) {
        return { operation: 'objects.get', method: 'GET', path: (0,address/* objectPath */.du)(this.client.settings.bucket, key), about: key };
    }
}
function generationOf({ headers }, key) {
    const version = headers['x-goog-generation'];
    if (typeof version === 'string' && DIGITS.test(version))
        return version;
    throw new store/* StoreError */.AD('invalid', `storage: the server gave no generation for "${key}": it cannot be used as a store`);
}
/** https://docs.cloud.google.com/storage/docs/request-preconditions: the generation 0 is that of what does not exist. */
function conditionQuery(condition) {
    if (condition === undefined)
        return {};
    return { ifGenerationMatch: 'absent' in condition ? '0' : condition.version };
}


/***/ }),

/***/ 47100:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ lentAccess),
/* harmony export */   d: () => (/* binding */ lentBy)
/* harmony export */ });
/* harmony import */ var _lib_clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29668);
/* harmony import */ var _vendors_login_fault_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(57366);
/* harmony import */ var _wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(47980);
/** Uses a vendor's login for a store: if there is no token, that is an error of the store. */



/** Runs `body`, which uses the vendor's login. Throws StoreError `denied` or `unavailable` instead of LoginFault. */
async function lentBy(vendor, body) {
    try {
        return await body();
    }
    catch (error) {
        if (!(error instanceof _vendors_login_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .LoginFault */ .u5))
            throw error;
        throw (0,_wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__/* .notLent */ .Z3)(error.final ? 'denied' : 'unavailable', vendor, error);
    }
}
/**
 * The place with its credentials. Machines get `own`, the credential itself, if it works anywhere, so that it can be renewed there. Without
 * it, they get a token, which is valid for an hour.
 */
async function lentAccess(place, lend, { own, clock = _lib_clock_js__WEBPACK_IMPORTED_MODULE_0__/* .systemClock */ .ml }) {
    const first = await lend();
    const travels = own ? { credentials: own } : { ...first, ...(first.until === undefined && { temporary: true }) };
    return { ...place, ...travels, source: (0,_wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__/* .renewing */ .IU)({ lend, clock, first }) };
}


/***/ })

};
