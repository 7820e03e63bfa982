export const id = 2724;
export const ids = [2724,5091];
export const modules = {

/***/ 42600:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   n: () => (/* binding */ uriEncoded),
/* harmony export */   q: () => (/* binding */ uriEncodedPath)
/* harmony export */ });
/** How names are escaped in the URLs of requests, as signatures need it too (RFC 3986: unreserved characters stay). */
/** For a path or a query: all but `A-Z a-z 0-9 - . _ ~` is escaped, slashes too. */
function uriEncoded(text) {
    return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
/** The same for each part of a path: its slashes stay. */
const uriEncodedPath = (path) => path.split('/').map(uriEncoded).join('/');


/***/ }),

/***/ 99499:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  C6: () => (/* binding */ BucketClient),
  UI: () => (/* binding */ travelled),
  p5: () => (/* binding */ triesOf)
});

// EXTERNAL MODULE: ./build/js/lib/backoff.js
var backoff = __webpack_require__(71874);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/call-error.js
var call_error = __webpack_require__(45086);
// EXTERNAL MODULE: ./build/js/lib/env-proxy.js
var env_proxy = __webpack_require__(93020);
// EXTERNAL MODULE: ./build/js/stores/sockets.js
var sockets = __webpack_require__(28199);
;// CONCATENATED MODULE: ./build/js/stores/transport.js


const MAX_SOCKETS = 64;
/** Milliseconds without a byte after which a request is given up. */
const SILENCE = 30_000;
class Transport {
    #endpoint;
    #agent;
    constructor(endpoint) {
        this.#endpoint = endpoint;
        this.#agent = (0,sockets/* keptSockets */.ZG)(endpoint, MAX_SOCKETS, (0,env_proxy/* envProxy */.qs)(endpoint.protocol));
    }
    /** `hostname`: as in a URL, of the endpoint or, with the bucket in front, of a name below it. */
    async send(hostname, { method, path, headers, body, signal, sent, received }) {
        const options = { agent: this.#agent, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), method, path, headers };
        return (0,sockets/* exchange */.cv)({ url: this.#endpoint, options, silence: SILENCE, body, signal, sent }, async (answer) => ({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: await (0,sockets/* bodyOf */.EN)(answer, method, received),
        }));
    }
    close() {
        this.#agent.destroy();
    }
}

;// CONCATENATED MODULE: ./build/js/stores/bucket-client.js
/** How any bucket service is called: with credentials that are renewed, again after a failure if that is safe, and without secrets in messages. */




/** Enough for about ten seconds of failures. A caller with more patience calls again. */
const DEFAULT_TRIES = '7';
/** The setting `tries` of a store. Throws StoreError. */
function triesOf({ settings }) {
    const { tries = DEFAULT_TRIES } = settings ?? {};
    if (!/^[1-9]\d?$/.test(tries))
        throw new store/* StoreError */.AD('invalid', `storage: "${tries}" is not a valid number of tries; use 1 to 99`);
    return Number(tries);
}
/** Credentials that came with the address of the store. Throws StoreError if there are none. */
function travelled({ url, credentials }) {
    if (!credentials)
        throw new store/* StoreError */.AD('denied', `storage: no credentials for "${url}"`);
    return credentials;
}
/** How many secrets of former credentials are remembered: answers to requests that were made with them may still come. */
const FORMER = 3;
class BucketClient {
    settings;
    transport;
    /** Secrets that answers may mention: no message shows them. */
    secrets = [];
    constructor(settings, endpoint) {
        this.settings = settings;
        this.transport = new Transport(endpoint);
    }
    /** The answer, if its status is 2xx or one that the call names. Otherwise throws CallError, or the signal's reason. */
    async call(call) {
        const again = (error) => {
            if (error instanceof call_error/* CallError */.RA && call.final?.includes(error.status))
                return false;
            return (0,call_error/* mayRepeat */.xg)(error, call.repeatable);
        };
        return await (0,backoff/* retry */.L)(() => this.#once(call), { ...call_error/* PAUSES */.GT, tries: this.settings.tries, again, signal: call.signal });
    }
    close() {
        this.transport.close();
    }
    /** Whether the failure says that the credentials are no longer accepted. */
    isStale({ status }, _call) {
        return status === 401;
    }
    /** Adds the secrets of the credentials in use. The first one tells sets of credentials apart. */
    remember(first, ...others) {
        if (!this.secrets.includes(first))
            this.secrets = [first, ...others, ...this.secrets.slice(0, FORMER)];
    }
    async #once(call) {
        const held = await this.settings.source.get();
        const reply = await this.send(call, held).catch((error) => {
            call.signal?.throwIfAborted();
            if (error instanceof store/* StoreError */.AD)
                throw error;
            throw (0,call_error/* lost */.DU)(error, this.describe(call), this.secrets);
        });
        if ((reply.status >= 200 && reply.status < 300) || call.fine?.includes(reply.status))
            return reply;
        const fault = this.faultOf(reply, call);
        if (!this.isStale(fault, call) || !this.settings.source.refused(held))
            throw fault;
        const { code, status, message } = fault;
        throw new call_error/* CallError */.RA('unavailable', message, { code, status, again: 'always' });
    }
}


/***/ }),

/***/ 59763:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CO: () => (/* binding */ conditionHeaders),
/* harmony export */   Hq: () => (/* binding */ rangeHeader),
/* harmony export */   Jr: () => (/* binding */ BucketProtocol),
/* harmony export */   Nk: () => (/* binding */ etagOf),
/* harmony export */   cD: () => (/* binding */ BucketStore),
/* harmony export */   r4: () => (/* binding */ inRange),
/* harmony export */   zM: () => (/* binding */ isStatus)
/* harmony export */ });
/* harmony import */ var _lib_side_by_side_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(48241);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/* harmony import */ var _call_error_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(45086);
/* harmony import */ var _keys_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(56705);
/**
 * What all stores in buckets have in common: objects by their full keys, lists in pages, removals one by one.
 *
 * A bucket has no folders, so `init` has nothing to make, and a write below an incarnation that was cleared is not refused. That is why a controller
 * that destroys a run clears once more after all writers are gone. A conditional write whose answer was lost throws `unavailable`; the caller reads
 * the object to find out whether it took effect.
 */




/** Removals in parallel, if no call takes many keys. */
const LANES = 48;
/** Consecutive pages without an object after which a list counts as endless. */
const MOST_EMPTY = 100;
/** Keys that are held until they are removed. */
const BATCH = 4000;
/** A service with its own client. */
class BucketProtocol {
    client;
    constructor(client) {
        this.client = client;
    }
    get prefix() {
        return this.client.settings.prefix;
    }
    close() {
        this.client.close();
    }
}
class BucketStore {
    url;
    listsFromStart;
    #service;
    constructor(url, service) {
        this.url = url;
        this.listsFromStart = service.fromStart === true;
        this.#service = service;
    }
    async init(prefix) {
        (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkFolder */ .p$)(prefix);
    }
    async read(key, range, signal, received) {
        (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkKey */ .yR)(key);
        const full = this.#full(key);
        if (range?.to !== undefined && range.to <= range.from)
            return await this.#service.state(full, signal);
        try {
            return await this.#service.read(full, range && (range.from > 0 || range.to !== undefined) ? range : undefined, { signal, received });
        }
        catch (error) {
            if (isStatus(error, 416))
                return await this.#service.state(full, signal);
            throw error;
        }
    }
    async write(key, body, condition, signal, sent) {
        (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkKey */ .yR)(key);
        (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkSize */ .C1)(key, body.length);
        return await this.#service.write(this.#full(key), body, condition, { signal, sent });
    }
    async copy(from, to, signal) {
        for (const key of [from, to])
            (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkKey */ .yR)(key);
        return await this.#service.copy(this.#full(from), this.#full(to), signal);
    }
    async *list(prefix, after, signal) {
        (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkPrefix */ .by)(prefix);
        const own = this.#service.prefix;
        for await (const entry of this.#entries(own + prefix, after === undefined ? undefined : own + after, signal)) {
            const key = entry.key.slice(own.length);
            // Other tools make empty objects that stand for folders. They are not tpi's.
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
        const full = this.#full(prefix);
        await this.#service.abandon?.(full);
        let batch = [];
        for await (const entry of this.#entries(full)) {
            batch.push(entry.key);
            if (batch.length < BATCH)
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
            last = (0,_keys_js__WEBPACK_IMPORTED_MODULE_2__/* .checkPage */ .I7)(prefix, this.#service.unordered ? undefined : last, entries);
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
        if (!condition && this.#service.removeMany)
            return await this.#service.removeMany(keys);
        await (0,_lib_side_by_side_js__WEBPACK_IMPORTED_MODULE_3__/* .sideBySide */ .Q)(LANES, keys, async (key) => this.#service.remove(key, condition));
    }
    #full(key) {
        return this.#service.prefix + key;
    }
}
function isStatus(error, status) {
    return error instanceof _call_error_js__WEBPACK_IMPORTED_MODULE_1__/* .CallError */ .RA && error.status === status;
}
/** The version of an object: each write makes a new ETag, because of its bytes or the nonce in them. */
function etagOf({ headers }, key) {
    if (headers.etag)
        return headers.etag;
    throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', `storage: the server gave no ETag for "${key}": it cannot be used as a store`);
}
/**
 * The condition of a write or removal, for S3 and for Blob Storage. https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-requests.html,
 * https://learn.microsoft.com/rest/api/storageservices/specifying-conditional-headers-for-blob-service-operations
 */
function conditionHeaders(condition) {
    if (condition === undefined)
        return {};
    return 'absent' in condition ? { 'if-none-match': '*' } : { 'if-match': condition.version };
}
/** The header `range`; none for the whole object. */
function rangeHeader(range) {
    return range === undefined ? {} : { range: `bytes=${range.from}-${range.to === undefined ? '' : range.to - 1}` };
}
/** The bytes of the range, even if the server has answered with the whole object. */
function inRange({ status, body }, range) {
    return range !== undefined && status !== 206 ? body.subarray(range.from, range.to) : body;
}


/***/ }),

/***/ 45086:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DU: () => (/* binding */ lost),
/* harmony export */   GT: () => (/* binding */ PAUSES),
/* harmony export */   Iy: () => (/* binding */ DENIED),
/* harmony export */   J5: () => (/* binding */ refused),
/* harmony export */   Pr: () => (/* binding */ meaningOf),
/* harmony export */   RA: () => (/* binding */ CallError),
/* harmony export */   ST: () => (/* binding */ odd),
/* harmony export */   eW: () => (/* binding */ FULL),
/* harmony export */   p9: () => (/* binding */ CONFLICT),
/* harmony export */   vt: () => (/* binding */ TRANSIENT),
/* harmony export */   wk: () => (/* binding */ denied),
/* harmony export */   xg: () => (/* binding */ mayRepeat),
/* harmony export */   xs: () => (/* binding */ UNKNOWN_CALLER),
/* harmony export */   yR: () => (/* binding */ STALE),
/* harmony export */   yu: () => (/* binding */ BUSY)
/* harmony export */ });
/* harmony import */ var _lib_redact_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(10105);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);
/* harmony import */ var _transport_error_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(91415);
/** How a call to a bucket failed, and whether it may be repeated: the same for all services. */



const DENIED = ['denied', 'never'];
const CONFLICT = ['conflict', 'never'];
const BUSY = ['unavailable', 'always'];
const TRANSIENT = ['unavailable', 'repeatable'];
const FULL = ['full', 'never'];
/** With what the user can do about it. */
const denied = (hint) => ['denied', 'never', hint];
const STALE = denied('the credentials are not valid, or have expired');
const UNKNOWN_CALLER = denied('the server asks for credentials');
/** What a status means if the service gives no more specific code. */
function meaningOf(status, own) {
    return own[status] ?? STATUSES[status] ?? (status >= 500 ? TRANSIENT : ['invalid', 'never']);
}
const STATUSES = {
    401: DENIED,
    403: DENIED,
    408: TRANSIENT,
    409: BUSY,
    412: CONFLICT,
    429: BUSY,
    507: FULL,
};
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
/** Milliseconds: if a server asks us to wait longer, the call is repeated after this time anyway. */
const LONGEST_WAIT = 30_000;
/** What `retry` needs to know about a failed call. `repeatable`: doing it twice is as good as once, even if only the answer was lost. */
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
/** No answer at all, or none that can be read. `what`: the call, for people. */
function lost(error, what, secrets) {
    const failed = `storage: ${what} failed`;
    const facts = { code: '', status: 0, cause: error };
    if (error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_2__/* .TooLarge */ .M)
        return new CallError('corrupt', `${failed}: ${error.message}`, { ...facts, again: 'never' });
    const sent = !(error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_2__/* .TransportError */ .w) || error.sent;
    const reason = hidden(error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_2__/* .TransportError */ .w ? error.message : String(error), secrets);
    const message = `${failed}: ${reason}${sent ? hangUp(reason) : ' (nothing was sent)'}`;
    return new CallError('unavailable', message, { ...facts, again: sent ? 'repeatable' : 'always' });
}
/** A server that refuses a large body may hang up while that is still being sent, and its answer is lost with the connection. */
function hangUp(reason) {
    if (!/\b(?:ECONNRESET|EPIPE)\b|socket hang up/.test(reason))
        return '';
    return ' (the server hung up; if it always does, it may be refusing this: check the credentials, and what they are permitted in the storage)';
}
/** For an answer that makes no sense: it is truncated, or not from such a server. `why`, `what` (the call): for people. */
function odd(why, what, cause) {
    return new CallError('unavailable', `storage: ${what} failed: ${why}`, { code: '', status: 200, again: 'repeatable', cause });
}
/** The error for an answer that is a refusal. `what`: the call, for people. */
function refused(reply, what, secrets, { meaning, code, message, advice }) {
    const { status, headers } = reply;
    const [kind, again, hint = advice] = meaning;
    const said = hidden(`${status}${code && ` ${code}`}${message && `: ${message.slice(0, 300)}`}`, secrets);
    const facts = { code, status, again, wait: waitOf(headers['retry-after']) };
    return new CallError(kind, `storage: ${what} failed: ${said}${hint ? ` (${hint})` : ''}`, facts);
}
/** One line without any secret. */
function hidden(text, secrets) {
    return (0,_lib_redact_js__WEBPACK_IMPORTED_MODULE_0__/* .redactText */ .Rd)(text.replace(/\s+/g, ' '), (0,_lib_redact_js__WEBPACK_IMPORTED_MODULE_0__/* .secretNeedles */ .h9)(secrets));
}


/***/ }),

/***/ 28199:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EN: () => (/* binding */ bodyOf),
/* harmony export */   ZG: () => (/* binding */ keptSockets),
/* harmony export */   cv: () => (/* binding */ exchange)
/* harmony export */ });
/* unused harmony export sendBody */
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37067);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(44708);
/* harmony import */ var _lib_heap_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2470);
/* harmony import */ var _lib_http_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(78928);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(37231);
/* harmony import */ var _transport_error_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(91415);
/** One HTTP request over sockets that stay open, and the body of its answer. */






/** Milliseconds that an idle socket is kept: shorter than servers keep theirs, so that few requests meet a closing one. */
const IDLE = 4_000;
function keptSockets({ protocol }, most, options = {}) {
    const kept = { keepAlive: true, maxSockets: most, maxFreeSockets: most, timeout: IDLE, scheduling: 'lifo', ...options };
    return protocol === 'https:' ? new node_https__WEBPACK_IMPORTED_MODULE_1__.Agent(kept) : new node_http__WEBPACK_IMPORTED_MODULE_0__.Agent(kept);
}
/** Sends a request; resolves to what `take` makes of the answer. Rejects with the signal's reason, TooLarge, or a TransportError. */
async function exchange(outgoing, take) {
    const { url, options, silence, body, signal, sent, onConnecting } = outgoing;
    const secure = url.protocol === 'https:';
    signal?.throwIfAborted();
    let connected = false;
    try {
        return await new Promise((resolve, reject) => {
            const call = (secure ? node_https__WEBPACK_IMPORTED_MODULE_1__ : node_http__WEBPACK_IMPORTED_MODULE_0__).request(url, { ...options, timeout: silence, ...(signal && { signal }) });
            call.on('socket', (socket) => {
                if (socket.connecting) {
                    onConnecting?.(call, socket);
                    socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true));
                }
                else
                    connected = true;
            });
            call.on('timeout', () => call.destroy(new Error(`no byte for ${silence / 1000} s`)));
            call.on('error', reject);
            call.on('response', (answer) => void take(answer).then(resolve, reject));
            sendBody(call, body, sent);
        });
    }
    catch (error) {
        signal?.throwIfAborted();
        if (error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_5__/* .TooLarge */ .M)
            throw error;
        throw new _transport_error_js__WEBPACK_IMPORTED_MODULE_5__/* .TransportError */ .w(connected, (0,_lib_http_js__WEBPACK_IMPORTED_MODULE_3__/* .reasonOf */ .A3)(error), { cause: error });
    }
}
/** Bytes that are handed to the socket at a time if somebody hears how many were sent. */
const STRIDE = 128 << 10;
/** `sent` hears how many bytes the system has taken. It takes no more than a little ahead of what the line carries. */
function sendBody(call, body, sent) {
    if (body === undefined || sent === undefined)
        return void call.end(body);
    const next = (from) => {
        const to = from + STRIDE;
        if (to >= body.length)
            return void call.end(body.subarray(from), () => sent(body.length));
        call.write(body.subarray(from, to), (error) => {
            if (error)
                return;
            sent(to);
            next(to);
        });
    };
    next(0);
}
/** Bytes: a longer body of announced length is read into one buffer; the parts of any other are joined at its end. */
const DIRECT = 65_536;
/**
 * The whole body of an answer. Throws TooLarge if it is longer than the largest object of a store (it never takes more memory than that), or an Error
 * if it is cut short.
 */
async function bodyOf(answer, method, received) {
    // The answer to HEAD announces the length of a body that it does not have.
    const announced = method === 'HEAD' ? 0 : Number(answer.headers['content-length'] ?? Number.NaN);
    const body = await collected(answer, announced, received);
    if (!answer.complete || (!Number.isNaN(announced) && body.length !== announced))
        throw new Error('the answer was cut short');
    return body;
}
/** With one buffer of the announced size, there is no second copy of the body, and the socket's buffers are freed at once. */
async function collected(answer, announced, received) {
    if (announced > _wire_store_js__WEBPACK_IMPORTED_MODULE_4__/* .MAX_OBJECT_BYTES */ .lu)
        throw refused(answer);
    const chunks = [];
    const direct = announced > DIRECT ? Buffer.allocUnsafeSlow(announced) : undefined;
    let length = 0;
    for await (const chunk of answer) {
        if (!direct)
            chunks.push(chunk);
        else if (length + chunk.length > announced)
            throw new Error('the answer is longer than announced');
        else
            direct.set(chunk, length);
        length += chunk.length;
        if (length > _wire_store_js__WEBPACK_IMPORTED_MODULE_4__/* .MAX_OBJECT_BYTES */ .lu)
            throw refused(answer);
        if (direct)
            (0,_lib_heap_js__WEBPACK_IMPORTED_MODULE_2__/* .free */ .t9)(chunk);
        received?.(length);
    }
    return direct?.subarray(0, length) ?? Buffer.concat(chunks);
}
/** The socket cannot be used again, because the rest of this answer would come on it. */
function refused(answer) {
    answer.destroy();
    return new _transport_error_js__WEBPACK_IMPORTED_MODULE_5__/* .TooLarge */ .M(_wire_store_js__WEBPACK_IMPORTED_MODULE_4__/* .MAX_OBJECT_BYTES */ .lu);
}


/***/ }),

/***/ 91415:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ TooLarge),
/* harmony export */   w: () => (/* binding */ TransportError)
/* harmony export */ });
/** Errors of transports, for requests that failed on the way. */
/** The request got no answer. */
class TransportError extends Error {
    name = 'TransportError';
    /** `false`: not a byte of it was sent, so it had no effect. */
    sent;
    constructor(sent, message, options) {
        super(message, options);
        this.sent = sent;
    }
}
/** The server sent more than any answer to tpi can be. The rest was not read, and asking again would bring the same. */
class TooLarge extends Error {
    name = 'TooLarge';
    constructor(most) {
        super(`the answer has more than ${most} bytes: it was not written by this program`);
    }
}


/***/ }),

/***/ 92292:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ uploadAnew),
/* harmony export */   h: () => (/* binding */ sendParts)
/* harmony export */ });
/** All parts in parallel. If one fails, the others are stopped, and all have ended when this rejects. */
async function sendParts({ body, signal }, size, send) {
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const sends = Array.from({ length: Math.ceil(body.length / size) }, async (_, index) => send(body.subarray(index * size, (index + 1) * size), index, either));
    try {
        return await Promise.all(sends);
    }
    catch (error) {
        stop.abort(error);
        await Promise.allSettled(sends);
        throw error;
    }
}
/** How often an upload is started, if the server has lost it, or refused it because of a race. */
const UPLOADS = 3;
async function uploadAnew(steps) {
    for (let round = 1;; round++) {
        const begun = await steps.begin();
        try {
            return await steps.send(begun);
        }
        catch (error) {
            await steps.abandon(begun);
            if (round >= UPLOADS || !steps.again(error))
                throw error;
        }
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
