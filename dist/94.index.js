export const id = 94;
export const ids = [94];
export const modules = {

/***/ 59763:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Hq: () => (/* binding */ rangeHeader),
/* harmony export */   cD: () => (/* binding */ BucketStore),
/* harmony export */   r4: () => (/* binding */ inRange),
/* harmony export */   zM: () => (/* binding */ isStatus)
/* harmony export */ });
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/* harmony import */ var _call_error_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(45086);
/* harmony import */ var _keys_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(56705);
/**
 * What a store in a bucket is, whatever service keeps it: objects by their full keys, lists in pages, removals one by one.
 *
 * A bucket has no folders: `init` has nothing to make, and a write below an incarnation that was cleared is not refused; whoever destroys lists
 * and clears once more after all writers are gone. A conditional write whose answer was lost throws `unavailable`; whether it took effect is
 * found out by reading back.
 */



/** Removals at once: there is no call that takes many keys. */
const LANES = 48;
/** Pages without an object, one after the other, after which the list counts as one without end. */
const MOST_EMPTY = 100;
class BucketStore {
    url;
    #service;
    constructor(url, service) {
        this.url = url;
        this.#service = service;
    }
    async init(prefix) {
        (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkFolder */ .p$)(prefix);
    }
    async read(key, range, signal) {
        (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkKey */ .yR)(key);
        const full = this.#full(key);
        if (range?.to !== undefined && range.to <= range.from)
            return await this.#service.state(full, signal);
        try {
            return await this.#service.read(full, range && (range.from > 0 || range.to !== undefined) ? range : undefined, signal);
        }
        catch (error) {
            if (isStatus(error, 416))
                return await this.#service.state(full, signal);
            throw error;
        }
    }
    async write(key, body, condition, signal) {
        (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkKey */ .yR)(key);
        if (body.length > _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_OBJECT_BYTES */ .lu)
            throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', `storage: "${key}" is larger than ${_wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_OBJECT_BYTES */ .lu} bytes`);
        return await this.#service.write(this.#full(key), body, condition, signal);
    }
    async *list(prefix, after, signal) {
        (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkPrefix */ .by)(prefix);
        const own = this.#service.prefix;
        for await (const entry of this.#entries(own + prefix, after === undefined ? undefined : own + after, signal)) {
            const key = entry.key.slice(own.length);
            // Tools make empty objects that stand for folders; they are none of ours.
            if (!key.endsWith('/') && key !== '')
                yield { key, size: entry.size };
        }
    }
    async remove(keys, condition) {
        for (const key of keys)
            (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkKey */ .yR)(key);
        if (condition)
            (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .onlyOne */ .jr)(keys);
        await this.#removeAll(keys.map((key) => this.#full(key)), condition);
    }
    async clear(prefix) {
        (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkFolder */ .p$)(prefix);
        let batch = [];
        for await (const entry of this.#entries(this.#full(prefix))) {
            batch.push(entry.key);
            if (batch.length < 1000)
                continue;
            await this.#removeAll(batch);
            batch = [];
        }
        await this.#removeAll(batch);
    }
    async close() {
        this.#service.close();
    }
    /** Full keys. */
    async *#entries(prefix, after, signal) {
        let last;
        let next;
        for (let empty = 0; empty < MOST_EMPTY;) {
            const { entries, next: following } = await this.#service.page(prefix, after, next, signal);
            last = (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkPage */ .I7)(prefix, last, entries);
            for (const entry of entries)
                if (after === undefined || (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .byteOrder */ .Tz)(entry.key) > (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .byteOrder */ .Tz)(after))
                    yield entry;
            if (following === undefined)
                return;
            next = following;
            empty = entries.length === 0 ? empty + 1 : 0;
        }
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('unavailable', `storage: the list of what lies below "${prefix}" has no end`);
    }
    async #removeAll(keys, condition) {
        const left = [...keys];
        const lane = async () => {
            for (let key = left.pop(); key !== undefined; key = left.pop())
                await this.#service.remove(key, condition);
        };
        await Promise.all(Array.from({ length: Math.min(LANES, keys.length) }, lane));
    }
    #full(key) {
        return this.#service.prefix + key;
    }
}
function isStatus(error, status) {
    return error instanceof _call_error_js__WEBPACK_IMPORTED_MODULE_1__/* .CallError */ .RA && error.status === status;
}
/** `bytes=0-99`, as a header; nothing for the whole. */
function rangeHeader(range) {
    return range === undefined ? {} : { range: `bytes=${range.from}-${range.to === undefined ? '' : range.to - 1}` };
}
/** A server may answer a range with the whole object. */
function inRange({ status, body }, range) {
    return range !== undefined && status !== 206 ? body.subarray(range.from, range.to) : body;
}


/***/ }),

/***/ 45086:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DU: () => (/* binding */ lost),
/* harmony export */   GT: () => (/* binding */ PAUSES),
/* harmony export */   R: () => (/* binding */ hidden),
/* harmony export */   RA: () => (/* binding */ CallError),
/* harmony export */   ST: () => (/* binding */ odd),
/* harmony export */   pE: () => (/* binding */ waitOf),
/* harmony export */   xg: () => (/* binding */ mayRepeat)
/* harmony export */ });
/* harmony import */ var _lib_redact_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(10105);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);
/* harmony import */ var _transport_error_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(91415);
/** How a call to a bucket failed, and whether it may be made again: alike for all services that keep buckets. */



class CallError extends _wire_store_js__WEBPACK_IMPORTED_MODULE_1__/* .StoreError */ .AD {
    code;
    status;
    again;
    wait;
    constructor(kind, message, { code, status, again, wait = 0, ...rest }) {
        super(kind, message, rest.cause === undefined ? {} : { cause: rest.cause });
        this.code = code;
        this.status = status;
        this.again = again;
        this.wait = wait;
    }
}
/** Milliseconds between tries. */
const PAUSES = { first: 100, longest: 5_000 };
/** Milliseconds: a server that asks for more patience is asked again all the same. */
const LONGEST_WAIT = 30_000;
/** What `retry` asks of a failed call. `repeatable`: doing it twice is as good as once, also when only the answer was lost. */
function mayRepeat(error, repeatable) {
    if (!(error instanceof CallError))
        return false;
    if (error.again === 'never' || (error.again === 'repeatable' && !repeatable))
        return false;
    return error.wait > 0 ? error.wait : true;
}
/** Milliseconds, from the header `retry-after`. */
function waitOf(seconds) {
    return Math.min(Number(seconds ?? 0) * 1000 || 0, LONGEST_WAIT);
}
/** No answer at all, or none that is to be read. `what`: the call, for people. */
function lost(error, what, secrets) {
    const failed = `storage: ${what} failed`;
    const facts = { code: '', status: 0, cause: error };
    if (error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_2__/* .TooLarge */ .M)
        return new CallError('corrupt', `${failed}: ${error.message}`, { ...facts, again: 'never' });
    const sent = !(error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_2__/* .TransportError */ .w) || error.sent;
    const reason = hidden(error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_2__/* .TransportError */ .w ? error.message : String(error), secrets);
    const message = `${failed}: ${reason}${sent ? '' : ' (nothing was sent)'}`;
    return new CallError('unavailable', message, { ...facts, again: sent ? 'repeatable' : 'always' });
}
/** An answer that makes no sense: truncated, or not from such a server. */
function odd(why, what, cause) {
    return new CallError('unavailable', `storage: ${what} failed: ${why}`, { code: '', status: 200, again: 'repeatable', cause });
}
/** One line in which no secret is to be read. */
function hidden(text, secrets) {
    return (0,_lib_redact_js__WEBPACK_IMPORTED_MODULE_0__/* .redactText */ .Rd)(text.replace(/\s+/g, ' '), (0,_lib_redact_js__WEBPACK_IMPORTED_MODULE_0__/* .secretNeedles */ .h9)(secrets));
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
// EXTERNAL MODULE: ./build/js/stores/gs/address.js
var address = __webpack_require__(31284);
// EXTERNAL MODULE: ./build/js/lib/retry.js
var retry = __webpack_require__(39088);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
// EXTERNAL MODULE: ./build/js/stores/call-error.js
var call_error = __webpack_require__(45086);
// EXTERNAL MODULE: ./build/js/stores/transport.js
var transport = __webpack_require__(78940);
;// CONCATENATED MODULE: ./build/js/stores/gs/errors.js
/**
 * Answers of Cloud Storage → kinds of the store contract, with what the user can do about it.
 * https://docs.cloud.google.com/storage/docs/json_api/v1/status-codes
 */



const DENIED = ['denied', 'never'];
const BUSY = ['unavailable', 'always'];
const TRANSIENT = ['unavailable', 'repeatable'];
/** By the `reason` of the answer: it says more than its status. */
const REASONS = {
    conditionNotMet: ['conflict', 'never'],
    rateLimitExceeded: BUSY,
    userRateLimitExceeded: BUSY,
    slowDown: BUSY,
    quotaExceeded: ['full', 'never'],
    authError: ['denied', 'never', 'the credentials are not valid, or have expired'],
    required: ['denied', 'never', 'the server wants credentials'],
    accountDisabled: ['denied', 'never', 'the account of the bucket is disabled: is billing switched off?'],
    userProjectAccountProblem: ['denied', 'never', 'the account of the bucket is disabled: is billing switched off?'],
    userProjectMissing: ['denied', 'never', 'in this bucket the one who asks pays, which is not supported: choose another'],
    conditionalRequestConflict: BUSY,
};
const STATUSES = {
    401: ['denied', 'never', 'the credentials are not valid, or have expired'],
    403: DENIED,
    404: ['gone', 'never', 'create the bucket, or correct `storage`'],
    408: TRANSIENT,
    409: BUSY,
    412: ['conflict', 'never'],
    429: BUSY,
    507: ['full', 'never'],
};
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
    const { status } = reply;
    const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : STATUSES[status];
    const [kind, again, hint] = known ?? (status >= 500 ? TRANSIENT : ['invalid', 'never']);
    const said = (0,call_error/* hidden */.R)(`${status}${reason && ` ${reason}`}${message && `: ${message.slice(0, 300)}`}`, tried.secrets);
    const advice = hint ?? (kind === 'denied' ? `needs storage.${tried.operation} on the bucket ${tried.bucket}` : undefined);
    const wait = (0,call_error/* waitOf */.pE)(reply.headers['retry-after']);
    return new call_error/* CallError */.RA(kind, `storage: ${describe(tried)} failed: ${said}${advice ? ` (${advice})` : ''}`, {
        code: reason,
        status,
        again,
        wait,
    });
}
/** Downloads are refused in plain text. */
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
/** Calls Cloud Storage: with a token, understands failures and makes calls again where that is safe. */






class GsClient {
    settings;
    #transport;
    /** Tokens that answers may still speak of: no message shows them. */
    #secrets = [];
    constructor(settings) {
        this.settings = settings;
        this.#transport = new transport/* Transport */.o(settings.endpoint);
    }
    /** The answer, if its status is 2xx or one that the call names. Otherwise throws CallError, or the signal's reason. */
    async call(call) {
        const again = (error) => (0,call_error/* mayRepeat */.xg)(error, call.repeatable);
        return await (0,retry/* retry */.L)(() => this.#once(call), { ...call_error/* PAUSES */.GT, attempts: this.settings.attempts, again, signal: call.signal });
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
            throw (0,call_error/* odd */.ST)('the answer is not that of Cloud Storage', describe(this.#tried(call)), error);
        }
    }
    close() {
        this.#transport.close();
    }
    async #once(call) {
        const held = await this.settings.source.get();
        const reply = await this.#send(call, this.#checked(held)).catch((error) => {
            call.signal?.throwIfAborted();
            if (error instanceof store/* StoreError */.AD)
                throw error;
            throw (0,call_error/* lost */.DU)(error, describe(this.#tried(call)), this.#secrets);
        });
        if ((reply.status >= 200 && reply.status < 300) || call.fine?.includes(reply.status))
            return reply;
        const fault = faultOf(reply, this.#tried(call));
        if (reply.status !== 401 || !this.settings.source.refused(held))
            throw fault;
        const { code, status, message } = fault;
        throw new call_error/* CallError */.RA('unavailable', message, { code, status, again: 'always' });
    }
    async #send(call, token) {
        const { endpoint } = this.settings;
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
        return await this.#transport.send(endpoint.hostname.replace(/^\[(.*)\]$/, '$1'), { ...call, path, headers, body: call.body });
    }
    #checked({ token }) {
        const { bucket, prefix } = this.settings;
        if (!token)
            throw new store/* StoreError */.AD('denied', `storage: no credentials for "gs://${bucket}/${prefix}"`);
        // Those of before too: what they were sent with may be on its way.
        if (!this.#secrets.includes(token))
            this.#secrets = [token, ...this.#secrets.slice(0, 2)];
        return token;
    }
    #tried({ operation, about }) {
        return { operation, bucket: this.settings.bucket, key: about, secrets: this.#secrets };
    }
}

// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/lib/google/login.js + 2 modules
var login = __webpack_require__(84121);
// EXTERNAL MODULE: ./build/js/wire/credentials.js
var wire_credentials = __webpack_require__(47980);
// EXTERNAL MODULE: ./build/js/stores/gs/access.js
var access = __webpack_require__(41100);
;// CONCATENATED MODULE: ./build/js/stores/gs/settings.js
/** What a StoreAccess says → what the client needs. */






/** About ten seconds of trouble; a caller with more patience calls again. */
const DEFAULT_ATTEMPTS = '7';
function settingsOf(access) {
    const { attempts = DEFAULT_ATTEMPTS } = access.settings ?? {};
    if (!/^[1-9]\d?$/.test(attempts))
        throw new store/* StoreError */.AD('invalid', `storage: "${attempts}" is not a valid number of attempts`);
    return { ...(0,address/* gsPlace */.id)(access), attempts: Number(attempts), source: access.source ?? sourceOf(access) };
}
/** What has travelled: a whole credential, which is renewed where it is now, or a token. */
function sourceOf({ url, credentials }) {
    if (!credentials)
        throw new store/* StoreError */.AD('denied', `storage: no credentials for "${url}"`);
    const { file } = credentials;
    return file === undefined ? (0,wire_credentials/* fixed */.Zu)(credentials) : (0,wire_credentials/* renewing */.IU)({ lend: (0,access/* lending */.u)((0,login/* loginOf */.DQ)(file)), clock: clock/* systemClock */.ml });
}

;// CONCATENATED MODULE: ./build/js/stores/gs/upload.js
/**
 * Bodies: small ones in one request, large ones piece by piece, each of which may be sent again from where the server stands.
 * https://docs.cloud.google.com/storage/docs/performing-resumable-uploads
 */




/** Bodies up to this size go in one request. Bytes. */
const SINGLE_BYTES = 8 * 1024 * 1024;
/** What Google keeps of a piece is a multiple of it. Bytes. */
const UNIT_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * UNIT_BYTES;
/** Answer to a piece that is not the last one, and to the question how far it is. */
const GO_ON = 308;
/** Whole uploads begun again after one that the server has lost. */
const UPLOADS = 3;
const made = (0,shape/* object */.Ik)({ generation: (0,shape/* text */.Qq)(32, /^\d+$/, 'digits') });
async function upload(wish) {
    return await (wish.body.length > SINGLE_BYTES ? uploadPieces(wish) : uploadWhole(wish));
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
async function uploadWhole(wish) {
    const repeatable = Object.keys(wish.query).length === 0;
    const { generation } = await wish.client.callJson({ ...callOf(wish, 'media'), body: wish.body, repeatable }, made);
    return generation;
}
async function uploadPieces(wish) {
    for (let round = 1;; round++) {
        const session = await begin(wish);
        try {
            return await sendPieces(wish, session);
        }
        catch (error) {
            await cancel(wish.client, session);
            if (round >= UPLOADS || !isLost(error, wish))
                throw error;
        }
    }
}
/** A session that the server has forgotten may have been completed: only without a condition is it all the same. */
function isLost(error, { query }) {
    return error instanceof call_error/* CallError */.RA && (error.status === 404 || error.status === 410) && Object.keys(query).length === 0;
}
/** Twice begun is once for nothing: the other one is forgotten after a week. */
async function begin(wish) {
    const { client, key, body } = wish;
    const call = callOf(wish, 'resumable');
    const headers = { 'x-upload-content-type': 'application/octet-stream', 'x-upload-content-length': String(body.length) };
    const { location } = (await client.call({ ...call, headers, repeatable: true })).headers;
    // Below the endpoint, wherever the server believes to be: the token goes nowhere else.
    const url = location !== undefined && URL.canParse(location) ? new URL(location) : undefined;
    const id = url?.searchParams.get('upload_id');
    if (!url || !id)
        throw (0,call_error/* odd */.ST)('the server began an upload without naming it', `objects.create gs://${client.settings.bucket}/${key}`);
    return { path: call.path, query: Object.fromEntries(url.searchParams), about: key };
}
/** What has arrived is only asked after a failure, and then first: of a piece that was sent any part may be there, and the whole object too. */
async function sendPieces(wish, session) {
    const { body, signal } = wish;
    let at = 0;
    let furthest = 0;
    let unsure = false;
    const step = async () => {
        const end = Math.min(at + PIECE_BYTES, body.length);
        const asks = unsure;
        unsure = true;
        const reply = await (asks
            ? put(wish, session, `bytes */${body.length}`)
            : put(wish, session, `bytes ${at}-${end - 1}/${body.length}`, body.subarray(at, end)));
        unsure = false;
        if (reply.status !== GO_ON)
            return wish.client.parse(reply, callFor(session), made).generation;
        at = Number(/^bytes=0-(\d+)$/.exec(reply.headers.range ?? '')?.[1] ?? -1) + 1;
        return undefined;
    };
    const { attempts } = wish.client.settings;
    for (let idle = 0; idle < attempts;) {
        const done = await (0,retry/* retry */.L)(step, { ...call_error/* PAUSES */.GT, attempts, signal, again });
        if (done !== undefined)
            return done;
        if (at >= body.length)
            break;
        // A server that keeps less than it says it keeps would go on for ever.
        idle = at >= furthest + UNIT_BYTES ? 0 : idle + 1;
        furthest = Math.max(furthest, at);
    }
    throw stuck(session);
}
/** Also with a condition: the session knows what of it has been done. */
const again = (error) => error instanceof call_error/* CallError */.RA && error.again !== 'never' && (error.wait || true);
function stuck({ about }) {
    return new call_error/* CallError */.RA('unavailable', `storage: the upload of "${about}" does not get on`, { code: '', status: GO_ON, again: 'never' });
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
    // The first failure is what matters; a session that stays is forgotten after a week.
    await client.call(call).catch(() => undefined);
}

;// CONCATENATED MODULE: ./build/js/stores/gs/index.js
/** A store in a bucket of Google Cloud Storage, by its JSON API. Versions are generations: each write makes another one, whatever its bytes are. */







/** Settings: `endpoint`, `attempts`. Credentials: `token`, or `file`, the content of a credential file. */
const gs_open = async (access) => new bucket/* BucketStore */.cD(access.url, new Gs(new GsClient(settingsOf(access))));
const DIGITS = /^\d{1,32}$/;
const digits = (0,shape/* text */.Qq)(32, DIGITS, 'digits');
const page = (0,shape/* object */.Ik)({
    items: (0,shape/* maybe */.no)((0,shape/* list */.p_)((0,shape/* object */.Ik)({ name: (0,shape/* text */.Qq)(4096), size: digits }), 1000)),
    nextPageToken: (0,shape/* maybe */.no)((0,shape/* text */.Qq)(8192)),
});
const state = (0,shape/* object */.Ik)({ generation: digits });
class Gs {
    prefix;
    #client;
    constructor(client) {
        this.prefix = client.settings.prefix;
        this.#client = client;
    }
    async read(key, range, signal) {
        try {
            const call = { ...this.#of(key), query: { alt: 'media' }, headers: (0,bucket/* rangeHeader */.Hq)(range), repeatable: true, signal };
            const reply = await this.#client.call(call);
            return { bytes: (0,bucket/* inRange */.r4)(reply, range), version: generationOf(reply, key) };
        }
        catch (error) {
            return await this.#absent(error, signal);
        }
    }
    async state(key, signal) {
        const call = { ...this.#of(key), query: { fields: 'generation' }, repeatable: true, signal };
        try {
            const { generation } = await this.#client.callJson(call, state);
            return { bytes: new Uint8Array(0), version: generation };
        }
        catch (error) {
            return await this.#absent(error, signal);
        }
    }
    async write(key, body, condition, signal) {
        return await upload({ client: this.#client, key, body, query: conditionQuery(condition), signal });
    }
    /** https://docs.cloud.google.com/storage/docs/json_api/v1/objects/list: `startOffset` is part of what is listed. */
    async page(prefix, after, next, signal, most = '1000') {
        const more = { ...(next ? { pageToken: next } : {}), ...(after ? { startOffset: after } : {}) };
        const query = { prefix, maxResults: most, fields: 'items(name,size),nextPageToken', ...more };
        const path = (0,address/* objectPath */.du)(this.#client.settings.bucket);
        const call = { operation: 'objects.list', method: 'GET', path, about: prefix, query, repeatable: true, signal };
        const { items = [], nextPageToken } = await this.#client.callJson(call, page);
        return { entries: items.map(({ name, size }) => ({ key: name, size: Number(size) })), next: nextPageToken || undefined };
    }
    /** A condition names one state for ever, so that the same call again removes nothing else. */
    async remove(key, condition) {
        const of = { ...this.#of(key), operation: 'objects.delete', method: 'DELETE' };
        try {
            await this.#client.call({ ...of, query: conditionQuery(condition), repeatable: true });
        }
        catch (error) {
            // What is not there has no generation: the condition fails for want of the object.
            if (condition && (0,bucket/* isStatus */.zM)(error, 412) && !(await this.state(key)))
                return;
            await this.#absent(error, undefined);
        }
    }
    close() {
        this.#client.close();
    }
    /** Of an object that is not there; anything else is thrown. A missing bucket has the same status: whether it is one, its list tells. */
    async #absent(error, signal) {
        if (!(0,bucket/* isStatus */.zM)(error, 404))
            throw error;
        if (!/No such object/.test(error.message))
            await this.page(this.prefix, undefined, undefined, signal, '1');
        return undefined;
    }
    #of(key) {
        return { operation: 'objects.get', method: 'GET', path: (0,address/* objectPath */.du)(this.#client.settings.bucket, key), about: key };
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

/***/ 56705:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I7: () => (/* binding */ checkPage),
/* harmony export */   Tz: () => (/* binding */ byteOrder),
/* harmony export */   by: () => (/* binding */ checkPrefix),
/* harmony export */   jr: () => (/* binding */ onlyOne),
/* harmony export */   p$: () => (/* binding */ checkFolder),
/* harmony export */   yR: () => (/* binding */ checkKey)
/* harmony export */ });
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/** Rules for keys that hold in every store, so that what works in one works in the others. */

/** Bytes of UTF-8; S3 takes 1024 with the prefix of the URL. */
const MAX_KEY_BYTES = 800;
/** Throws kind `invalid` unless every backend can hold the key. */
function checkKey(key) {
    const fault = keyFault(key);
    if (fault)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', `storage: key ${JSON.stringify(key)} ${fault}`);
}
/** A folder: ends in `/`, names at least one segment. */
function checkFolder(prefix) {
    if (!prefix.endsWith('/'))
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', `storage: folder ${JSON.stringify(prefix)} does not end in "/"`);
    checkKey(prefix.slice(0, -1));
}
/** What `list` takes: any beginning of a key. */
function checkPrefix(prefix) {
    const folder = prefix.slice(0, Math.max(0, prefix.lastIndexOf('/')));
    if (prefix.startsWith('/'))
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', `storage: prefix ${JSON.stringify(prefix)} begins with "/"`);
    if (folder !== '')
        checkKey(folder);
}
/** What a condition of a removal is about. */
function onlyOne(keys) {
    const [key] = keys;
    if (key === undefined || keys.length > 1)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', 'storage: a removal on a condition is of one object');
    return key;
}
function keyFault(key) {
    if (key === '')
        return 'is empty';
    if (!key.isWellFormed())
        return 'is not well-formed Unicode';
    if (Buffer.byteLength(key) > MAX_KEY_BYTES)
        return `is longer than ${MAX_KEY_BYTES} bytes`;
    for (const char of key)
        if (char < ' ' || char === '\u007f')
            return 'has control characters';
    for (const segment of key.split('/')) {
        if (segment === '')
            return 'has an empty segment';
        if (segment === '.' || segment === '..')
            return `has the segment "${segment}"`;
    }
    return undefined;
}
/** A string that compares by `<` as the UTF-8 bytes of the key do (JavaScript compares UTF-16 units, which differs above U+D7FF). */
function byteOrder(key) {
    return Buffer.from(key).toString('latin1');
}
/**
 * A page of a list as a server gives it: objects below the prefix, behind `last`. One that names others would have us read, and remove, what we
 * did not ask for, and one that goes back would never end. Returns the last key. Throws `corrupt`.
 */
function checkPage(prefix, last, page) {
    const stray = page.find(({ key, size }) => !key.startsWith(prefix) || !Number.isSafeInteger(size) || size < 0);
    if (stray)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('corrupt', `storage: asked for what lies below "${prefix}", the server lists ${JSON.stringify(stray.key)}`);
    const [first] = page;
    if (first && last !== undefined && byteOrder(first.key) <= byteOrder(last))
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('corrupt', `storage: the list of what lies below "${prefix}" begins again in its middle`);
    return page.at(-1)?.key ?? last;
}


/***/ }),

/***/ 91415:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ TooLarge),
/* harmony export */   w: () => (/* binding */ TransportError)
/* harmony export */ });
/** What transports say when a request failed on the way. */
/** The request brought no answer. */
class TransportError extends Error {
    name = 'TransportError';
    /** `false`: not a byte of it went out, so it had no effect. */
    sent;
    constructor(sent, message, options) {
        super(message, options);
        this.sent = sent;
    }
}
/** The server sends more than an answer of ours can have: it was not read to its end, and asking again would bring the same. */
class TooLarge extends Error {
    name = 'TooLarge';
    constructor(most) {
        super(`the answer has more than ${most} bytes: it was not written by this program`);
    }
}


/***/ }),

/***/ 78940:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o: () => (/* binding */ Transport)
/* harmony export */ });
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37067);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(44708);
/* harmony import */ var _lib_heap_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(42273);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(37231);
/* harmony import */ var _transport_error_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(91415);
/** One HTTP request and its whole answer, over sockets that stay open. */





const MAX_SOCKETS = 64;
/** Milliseconds without a byte after which a request is given up. */
const SILENCE_MS = 30_000;
/** Milliseconds that an idle socket is kept: shorter than servers keep theirs, so that few requests meet a closing one. */
const IDLE_MS = 4_000;
/** Bytes that an answer starts with when its length is announced: below that its parts are joined. */
const DIRECT = 65_536;
class Transport {
    #endpoint;
    #agent;
    constructor(endpoint) {
        const options = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: MAX_SOCKETS, timeout: IDLE_MS, scheduling: 'lifo' };
        this.#endpoint = endpoint;
        this.#agent = endpoint.protocol === 'https:' ? new node_https__WEBPACK_IMPORTED_MODULE_1__.Agent(options) : new node_http__WEBPACK_IMPORTED_MODULE_0__.Agent(options);
    }
    /** `host` as the server is to see it; the socket goes to the endpoint under that name. */
    async send(hostname, request) {
        request.signal?.throwIfAborted();
        let connected = false;
        try {
            return await new Promise((resolve, reject) => {
                const { request: open } = this.#endpoint.protocol === 'https:' ? node_https__WEBPACK_IMPORTED_MODULE_1__ : node_http__WEBPACK_IMPORTED_MODULE_0__;
                const { method, path, headers, signal } = request;
                const port = this.#endpoint.port;
                const call = open({ agent: this.#agent, hostname, port, method, path, headers, timeout: SILENCE_MS, ...(signal && { signal }) });
                call.on('socket', (socket) => {
                    if (!socket.connecting)
                        connected = true;
                    else
                        socket.once(this.#endpoint.protocol === 'https:' ? 'secureConnect' : 'connect', () => (connected = true));
                });
                call.on('timeout', () => call.destroy(new Error(`no byte for ${SILENCE_MS / 1000} s`)));
                call.on('error', reject);
                call.on('response', (message) => void collect(message, method).then(resolve, reject));
                call.end(request.body);
            });
        }
        catch (error) {
            request.signal?.throwIfAborted();
            if (error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_4__/* .TooLarge */ .M)
                throw error;
            throw new _transport_error_js__WEBPACK_IMPORTED_MODULE_4__/* .TransportError */ .w(connected, reasonOf(error), { cause: error });
        }
    }
    close() {
        this.#agent.destroy();
    }
}
async function collect(message, method) {
    const announced = Number(message.headers['content-length'] ?? Number.NaN);
    const body = await bodyOf(message, method === 'HEAD' ? 0 : announced);
    const whole = message.complete && (Number.isNaN(announced) || body.length === announced || method === 'HEAD');
    if (!whole)
        throw new Error('the answer was cut short');
    return { status: message.statusCode ?? 0, headers: message.headers, body };
}
/**
 * A large body goes straight into one buffer of the announced size: no second copy of it, and what the socket read is given back at once.
 * No answer of a store is longer than its largest object; one that is costs no more than that.
 */
async function bodyOf(message, announced) {
    if (announced > _wire_store_js__WEBPACK_IMPORTED_MODULE_3__/* .MAX_OBJECT_BYTES */ .lu)
        throw refused(message);
    const chunks = [];
    const direct = announced > DIRECT ? Buffer.allocUnsafeSlow(announced) : undefined;
    let length = 0;
    for await (const chunk of message) {
        if (!direct)
            chunks.push(chunk);
        else if (length + chunk.length > announced)
            throw new Error('the answer is longer than announced');
        else
            direct.set(chunk, length);
        length += chunk.length;
        if (length > _wire_store_js__WEBPACK_IMPORTED_MODULE_3__/* .MAX_OBJECT_BYTES */ .lu)
            throw refused(message);
        if (direct)
            (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_2__/* .free */ .t9)(chunk);
    }
    return direct?.subarray(0, length) ?? Buffer.concat(chunks);
}
/** The socket is of no use any more: what comes next on it is the rest of this answer. */
function refused(message) {
    message.destroy();
    return new _transport_error_js__WEBPACK_IMPORTED_MODULE_4__/* .TooLarge */ .M(_wire_store_js__WEBPACK_IMPORTED_MODULE_3__/* .MAX_OBJECT_BYTES */ .lu);
}
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
