export const id = 6885;
export const ids = [6885];
export const modules = {

/***/ 47174:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U$: () => (/* binding */ bytesUpTo),
/* harmony export */   Yf: () => (/* binding */ jsonIn),
/* harmony export */   qx: () => (/* binding */ textUpTo)
/* harmony export */ });
/** Reads the body of a server's answer, which may be anything. */
/** The body as text. `undefined`: it is longer than `most` bytes; the rest of it is not read. */
async function textUpTo(most, answer) {
    return (await bytesUpTo(most, answer))?.toString('utf8');
}
/** The same, as bytes. */
async function bytesUpTo(most, { body }) {
    const pieces = [];
    let length = 0;
    for await (const piece of body ?? []) {
        length += piece.length;
        if (length > most)
            return undefined;
        pieces.push(piece);
    }
    return Buffer.concat(pieces);
}
/** `undefined`: it is not JSON, but the page of a proxy for example. */
function jsonIn(text) {
    try {
        return JSON.parse(text ?? '');
    }
    catch {
        return undefined;
    }
}


/***/ }),

/***/ 78928:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A3: () => (/* binding */ reasonOf),
/* harmony export */   XX: () => (/* binding */ Unanswered),
/* harmony export */   kA: () => (/* binding */ ask)
/* harmony export */ });
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37067);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(44708);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(38522);
/* harmony import */ var _answer_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(47174);
/**
 * One HTTP request and its whole answer as text, from no other server than the one that was asked. By Node's own client: the first `fetch` of a
 * process costs it 70 ms of processor time, which a starting machine feels, and so does somebody who waits for a command.
 */




/**
 * Addresses of metadata services, which are for this machine only: a proxy would ask its own, and answer with that one's identity.
 * https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service#proxies
 */
const LINK_LOCAL = /^169\.254\.|^\[fd00:ec2:/;
const direct = new node_http__WEBPACK_IMPORTED_MODULE_0__.Agent();
/** There was no answer, or not all of it. The message says why, for people. */
class Unanswered extends Error {
    name = 'Unanswered';
}
/** Throws `Unanswered`, or the reason of the signal. */
async function ask(url, call) {
    const { signal, patience, most } = call;
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(patience);
    try {
        const answer = await responseTo(new URL(url), call, signal ? AbortSignal.any([signal, limit]) : limit);
        const { statusCode: status = 0, headers } = answer;
        // An answer that is not read to its end is ended, and its connection with it.
        const text = await (0,_answer_js__WEBPACK_IMPORTED_MODULE_3__/* .textUpTo */ .qx)(most, { body: plain(answer) });
        const header = (name) => headers[name]?.toString();
        return { ok: status >= 200 && status < 300, status, text, header };
    }
    catch (cause) {
        signal?.throwIfAborted();
        throw new Unanswered(limit.aborted ? `no answer within ${patience / 1000} s` : reasonOf(cause), { cause });
    }
}
async function responseTo(url, { method = 'GET', headers, body }, signal) {
    const bytes = body === undefined ? undefined : Buffer.from(body.toString());
    const sent = {
        'user-agent': 'tpi-action',
        'accept-encoding': 'gzip',
        ...(body instanceof URLSearchParams && { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
        ...headers,
        // Without it, the body of a DELETE would have no length at all.
        ...(bytes && { 'content-length': String(bytes.length) }),
    };
    return await new Promise((resolve, reject) => {
        const request = (url.protocol === 'https:' ? node_https__WEBPACK_IMPORTED_MODULE_1__ : node_http__WEBPACK_IMPORTED_MODULE_0__).request(url, {
            method,
            headers: sent,
            signal,
            ...(LINK_LOCAL.test(url.hostname) && { agent: direct }),
        });
        request.on('response', resolve).on('error', reject).end(bytes);
    });
}
function plain(answer) {
    if (answer.headers['content-encoding'] !== 'gzip')
        return answer;
    const unpacked = (0,node_zlib__WEBPACK_IMPORTED_MODULE_2__.createGunzip)();
    answer.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
    return unpacked.on('close', () => answer.destroy());
}
/** Why a request failed, for people. */
function reasonOf(error) {
    if (typeof error !== 'object' || error === null)
        return String(error);
    // Several addresses were tried: Node wraps what each of them said, and gives the wrapper no text.
    const [first] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
    if (first !== undefined)
        return reasonOf(first);
    return 'message' in error ? String(error.message) : 'unknown';
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

/***/ 42462:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ frameOf),
/* harmony export */   E: () => (/* binding */ framesIn)
/* harmony export */ });
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/** A long answer in pieces: a line of JSON that says what follows, then its bytes. An empty line is a sign of life. */

function frameOf(change) {
    if (change === 'caught-up')
        return lineOf([]);
    const { key, object } = change;
    return object ? Buffer.concat([lineOf([key, object.version, object.bytes.length]), object.bytes]) : lineOf([key]);
}
const lineOf = (head) => Buffer.from(`${JSON.stringify(head)}\n`);
/** Bytes of the line that says what follows: a key and a version. */
const LONGEST_HEAD = 8192;
/** Throws StoreError `corrupt` if it is not such an answer: nothing longer than an object is collected. */
async function* framesIn(chunks) {
    const held = new Gathered();
    let head;
    for await (const chunk of chunks) {
        held.add(chunk);
        for (;;) {
            if (!head) {
                const line = held.line();
                if (line === undefined)
                    break;
                if (line === '')
                    continue;
                head = headOf(line);
            }
            const [key, version, size = 0] = head;
            if (held.length < size)
                break;
            head = undefined;
            if (key === undefined)
                yield 'caught-up';
            else if (version === undefined)
                yield { key };
            else
                yield { key, object: { version, bytes: held.take(size) } };
        }
    }
}
/** Bytes that have not been parsed yet; a long body is joined once, when it is complete. */
class Gathered {
    #parts = [];
    length = 0;
    add(part) {
        this.#parts.push(part);
        this.length += part.length;
    }
    /** Belongs to the reader, who may keep it. */
    take(size) {
        const bytes = Buffer.from(this.#joined().subarray(0, size));
        this.#drop(size);
        return bytes;
    }
    line() {
        const all = this.#joined();
        const end = all.indexOf(10);
        if ((end < 0 ? all.length : end) > LONGEST_HEAD)
            throw foreign();
        if (end < 0)
            return undefined;
        const line = all.toString('utf8', 0, end);
        this.#drop(end + 1);
        return line;
    }
    #joined() {
        const [first = Buffer.alloc(0)] = this.#parts;
        if (this.#parts.length < 2)
            return first;
        const all = Buffer.concat(this.#parts);
        this.#parts = [all];
        return all;
    }
    #drop(size) {
        const rest = this.#joined().subarray(size);
        this.#parts = rest.length > 0 ? [rest] : [];
        this.length = rest.length;
    }
}
function headOf(line) {
    let head;
    try {
        head = JSON.parse(line);
    }
    catch (cause) {
        throw foreign({ cause });
    }
    if (!Array.isArray(head))
        throw foreign();
    const [key, version, size] = head;
    const isText = (value) => value === undefined || typeof value === 'string';
    const isSize = size === undefined || (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && size <= _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_OBJECT_BYTES */ .lu);
    if (!isText(key) || !isText(version) || !isSize)
        throw foreign();
    return head;
}
function foreign(options) {
    return new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('corrupt', 'storage: the list of objects that the server gave was not written by this program', options);
}


/***/ }),

/***/ 26885:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ http_open)
});

// EXTERNAL MODULE: ./build/js/lib/record.js
var record = __webpack_require__(96645);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/keys.js
var stores_keys = __webpack_require__(56705);
// EXTERNAL MODULE: ./build/js/lib/answer.js
var answer = __webpack_require__(47174);
// EXTERNAL MODULE: ./build/js/lib/backoff.js
var backoff = __webpack_require__(71874);
// EXTERNAL MODULE: ./build/js/lib/refusals.js
var refusals = __webpack_require__(55613);
// EXTERNAL MODULE: ./build/js/wire/credentials.js
var credentials = __webpack_require__(47980);
// EXTERNAL MODULE: ./build/js/stores/transport-error.js
var transport_error = __webpack_require__(91415);
// EXTERNAL MODULE: ./build/js/stores/http/protocol.js
var protocol = __webpack_require__(43096);
// EXTERNAL MODULE: ./build/js/lib/env-proxy.js
var env_proxy = __webpack_require__(93020);
// EXTERNAL MODULE: ./build/js/lib/http.js
var http = __webpack_require__(78928);
// EXTERNAL MODULE: ./build/js/stores/sockets.js
var sockets = __webpack_require__(28199);
;// CONCATENATED MODULE: ./build/js/stores/http/transport.js




const MAX_SOCKETS = 32;
/** Milliseconds without a byte after which a request is given up: more than a server takes to write 64 MiB to a slow disk. */
const SILENCE = 60_000;
/**
 * Milliseconds to wait for a connection: the first time, and at most; twice as long after each failure. Short, because the kernel repeats a lost
 * packet only after one and three seconds, and a node loses packets to a Service whose address it does not know yet.
 */
const CONNECT = 400;
const LONGEST_CONNECT = 10_000;
class Transport {
    #base;
    #agent;
    #security = '';
    #connect = CONNECT;
    constructor(base) {
        this.#base = new URL(base.endsWith('/') ? base : `${base}/`);
        this.#agent = this.#makeAgent({});
    }
    /** Takes effect for new requests. */
    secure(security) {
        const text = JSON.stringify(security);
        if (text === this.#security)
            return;
        this.#security = text;
        this.#agent = this.#makeAgent(security);
    }
    /** The path is relative to the store's URL. */
    async send({ method, path, headers, body, signal, sent, received }) {
        const url = new URL(path, this.#base);
        const onConnecting = (call, socket) => this.#limit(call, socket);
        const options = { agent: this.#agent, method, headers };
        return (0,sockets/* exchange */.cv)({ url, options, silence: SILENCE, body, signal, sent, onConnecting }, async (stream) => answerOf(stream, method, received));
    }
    close() {
        this.#agent.destroy();
    }
    #limit(call, socket) {
        const limit = this.#connect;
        const timer = setTimeout(() => {
            this.#connect = Math.min(2 * limit, LONGEST_CONNECT);
            call.destroy(new Error(`no connection within ${limit / 1000} s`));
        }, limit);
        const stop = () => clearTimeout(timer);
        socket.once('connect', stop);
        call.once('close', stop);
    }
    #makeAgent({ ca, cert, key, serverName, insecure, proxy }) {
        return (0,sockets/* keptSockets */.ZG)(this.#base, MAX_SOCKETS, {
            ...(proxy && (proxy === env_proxy/* OF_ENVIRONMENT */.Gf ? (0,env_proxy/* envProxy */.qs)(this.#base.protocol) : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } })),
            ...(ca && { ca }),
            ...(cert && { cert }),
            ...(key && { key }),
            ...(serverName && { servername: serverName }),
            ...(insecure && { rejectUnauthorized: false }),
        });
    }
}
function answerOf(stream, method, received) {
    const { statusCode = 0, headers } = stream;
    const bytes = async () => {
        try {
            return await (0,sockets/* bodyOf */.EN)(stream, method, received);
        }
        catch (error) {
            stream.destroy();
            if (error instanceof transport_error/* TooLarge */.M)
                throw error;
            throw new transport_error/* TransportError */.w(true, (0,http/* reasonOf */.A3)(error), { cause: error });
        }
    };
    return { status: statusCode, headers, bytes, stream };
}

;// CONCATENATED MODULE: ./build/js/stores/http/client.js
/** One call to the server of a store: credentials, failures, and repeating it if that is safe. */









/** It did not reach the server, or the server did nothing: any call may be repeated. */
class Untouched extends store/* StoreError */.AD {
}
/** There is no such store: the API server on the way to it says so. */
class NoStore extends store/* StoreError */.AD {
}
/** Short pauses: the store is a small server of one deployment, and starting machines are waiting for it. */
const RETRY = { tries: 18, first: 150, longest: 300 };
/** Milliseconds after which it is not tried again, however few tries there were: with a lost node, each takes half a minute. */
const LONGEST = 15_000;
/** The right that a server on the way to the store, such as an API server, may refuse. */
const WAY = 'the way to the store';
class Client {
    #access;
    #transport;
    #refusals = new refusals/* Refusals */.q();
    #source;
    constructor(access) {
        this.#access = access;
        this.#source = access.source ?? (0,credentials/* fixed */.Zu)(access.credentials ?? {});
        this.#transport = new Transport(access.url);
    }
    /** Throws StoreError, or the signal's reason. */
    async call(call) {
        const until = performance.now() + LONGEST;
        const again = (error) => performance.now() < until && (error instanceof Untouched || (call.repeatable && (0,store/* isStoreError */.A1)(error, 'unavailable')));
        return await (0,backoff/* retry */.L)(() => this.#whole(call), { ...RETRY, again, signal: call.signal });
    }
    /** The body as it comes, once. */
    async stream(call) {
        return (await this.#once(call)).stream;
    }
    close() {
        this.#transport.close();
    }
    async #whole(call) {
        const answer = await this.#once(call);
        try {
            return { status: answer.status, headers: answer.headers, body: await answer.bytes() };
        }
        catch (error) {
            throw this.#lost(call, error);
        }
    }
    async #once(call) {
        const held = await this.#source.get();
        // Without a token, the store did not exist yet when they were asked for: the next call asks again.
        if (held['token'] === undefined)
            this.#source.refused(held);
        const answer = await this.#send(call, held);
        // The credentials for the way to the store may have expired: get fresh ones, once.
        if ((answer.status !== 401 && answer.status !== 403) || !this.#source.refused(held))
            return await this.#judge(answer);
        answer.stream.resume();
        return await this.#judge(await this.#send(call, await this.#source.get()));
    }
    async #send(call, credentials) {
        const { token, authorization } = credentials;
        this.#transport.secure(this.#security(credentials));
        const headers = {
            'user-agent': 'tpi-action',
            ...call.headers,
            ...(token && { [protocol/* TOKEN */.CV]: token }),
            ...(authorization && { authorization }),
            ...(call.body && { 'content-length': String(call.body.length) }),
        };
        try {
            return await this.#transport.send({ ...call, headers });
        }
        catch (error) {
            throw this.#lost(call, error);
        }
    }
    #lost(call, error) {
        call.signal?.throwIfAborted();
        if (error instanceof transport_error/* TooLarge */.M)
            return new store/* StoreError */.AD('corrupt', `storage: ${this.#access.url}: ${error.message}`, { cause: error });
        if (!(error instanceof transport_error/* TransportError */.w))
            return error;
        this.#refusals.outOfReach();
        const Fault = error.sent ? store/* StoreError */.AD : Untouched;
        return new Fault('unavailable', `storage: ${this.#access.url} cannot be reached: ${error.message}`, { cause: error });
    }
    #security({ clientCertificate, clientKey }) {
        const { ca, serverName, insecure, proxy } = this.#access.settings ?? {};
        return { ca, serverName, insecure: insecure === 'true', proxy, cert: clientCertificate, key: clientKey };
    }
    async #judge(answer) {
        const ours = answer.headers[protocol/* ANSWER */.tp] !== undefined;
        if (ours)
            this.#refusals.granted(WAY);
        if (ours && (answer.status < 300 || answer.status === 404))
            return answer;
        const said = saidIn(await answer.bytes().catch(() => Buffer.alloc(0)));
        if (ours)
            throw new store/* StoreError */.AD((0,protocol/* faultOf */.Kl)(answer.status), said || `storage: the server answers ${answer.status}`);
        const where = `storage: ${this.#access.url}: ${said || `answers ${answer.status}`}`;
        const passes = answer.status === 401 ? this.#refusals.isSettling() : answer.status === 403 && this.#refusals.mayPass(WAY);
        if (passes)
            throw new Untouched('unavailable', where);
        if (answer.status === 401 || answer.status === 403)
            throw new store/* StoreError */.AD('denied', where);
        if (answer.status === 404)
            throw new NoStore('gone', where);
        // 502, 503: nobody received it. After anything else it may have been received, and the answer lost.
        if (answer.status >= 500)
            this.#refusals.outOfReach();
        const Fault = answer.status === 502 || answer.status === 503 || answer.status === 429 ? Untouched : store/* StoreError */.AD;
        throw new Fault('unavailable', where);
    }
}
/** Why it was refused. tpi's server and an API server both answer with JSON that has a `message`. */
function saidIn(body) {
    const text = body.toString('utf8').trim();
    const { message } = (0,record/* fieldsIn */.t5)((0,answer/* jsonIn */.Yf)(text));
    if (typeof message === 'string')
        return message;
    // Text from some other server.
    return text.split('\n')[0]?.slice(0, 300) ?? '';
}

// EXTERNAL MODULE: ./build/js/stores/http/frames.js
var http_frames = __webpack_require__(42462);
;// CONCATENATED MODULE: ./build/js/stores/http/index.js
/**
 * A store behind tpi's own server (`serve.ts`), for clouds without object storage. The same client in controllers, which come through the proxy
 * of an API server, and in machines, which come directly.
 *
 * Settings: `ca` (PEM), `serverName`, `insecure` (`true`), `proxy` (URL, or that of the environment). Credentials: `token`,
 * `authorization` (for a proxy), `clientCertificate`, `clientKey`.
 * A conditional write whose answer was lost throws `unavailable`; the caller reads the object to find out whether it took effect.
 */






const http_open = async (access) => new HttpStore(access);
/** Keys that are removed in one call. */
const REMOVED_AT_ONCE = 500;
class HttpStore {
    url;
    #client;
    constructor(access) {
        this.url = access.url;
        this.#client = new Client(access);
    }
    async init(prefix) {
        (0,stores_keys/* checkFolder */.p$)(prefix);
        await this.#post(query('init', { prefix }));
    }
    async reach() {
        await this.#client.call({ method: 'GET', path: 'health', repeatable: true });
    }
    async read(key, range, signal, received) {
        (0,stores_keys/* checkKey */.yR)(key);
        const { from, to } = range ?? {};
        const path = query('object', { key }, { ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
        try {
            const reply = await this.#client.call({ method: 'GET', path, repeatable: true, signal, received });
            return reply.status === 404 ? undefined : { bytes: reply.body, version: versionIn(reply) };
        }
        catch (error) {
            // No store, no object: before a deployment is made, and after it is gone.
            if (error instanceof NoStore)
                return undefined;
            throw error;
        }
    }
    async write(key, body, condition, signal, sent) {
        (0,stores_keys/* checkKey */.yR)(key);
        (0,stores_keys/* checkSize */.C1)(key, body.length);
        const headers = (0,protocol/* conditionHeader */.zE)(condition);
        const repeatable = condition === undefined;
        const path = query('object', { key });
        return versionIn(await this.#client.call({ method: 'PUT', path, headers, body, repeatable, signal, sent }));
    }
    async *list(prefix, after, signal) {
        (0,stores_keys/* checkPrefix */.by)(prefix);
        for (let last = after, more = true; more;) {
            const page = await this.#page(prefix, last, signal);
            if (page.more && page.entries.length === 0)
                throw noList();
            last = (0,stores_keys/* checkPage */.I7)(prefix, last, page.entries);
            yield* page.entries;
            more = page.more;
        }
    }
    async remove(keys, condition) {
        for (const key of keys)
            (0,stores_keys/* checkKey */.yR)(key);
        for (let at = 0; at < keys.length; at += REMOVED_AT_ONCE)
            await this.#post('remove', Buffer.from(JSON.stringify(keys.slice(at, at + REMOVED_AT_ONCE))), (0,protocol/* conditionHeader */.zE)(condition));
    }
    async clear(prefix) {
        (0,stores_keys/* checkFolder */.p$)(prefix);
        await this.#post(query('clear', { prefix }));
    }
    async *watch(requests, signal) {
        for (const { record, folder } of requests) {
            (0,stores_keys/* checkKey */.yR)(record);
            (0,stores_keys/* checkFolder */.p$)(folder);
        }
        try {
            yield* (0,http_frames/* framesIn */.E)(this.#chunks(Buffer.from(JSON.stringify(requests)), signal));
        }
        catch (error) {
            if (signal.aborted)
                return;
            throw (0,store/* isStoreError */.A1)(error) ? error : new store/* StoreError */.AD('unavailable', `storage: ${this.url}: ${String(error)}`, { cause: error });
        }
    }
    async close() {
        this.#client.close();
    }
    async #post(path, body = new Uint8Array(0), headers = {}) {
        try {
            await this.#client.call({ method: 'POST', path, headers, body, repeatable: true });
        }
        catch (error) {
            // If it no longer exists, there is nothing to remove.
            if (!(error instanceof NoStore) || path.startsWith('init'))
                throw error;
        }
    }
    async #page(prefix, after, signal) {
        const path = query('list', { prefix, ...(after !== undefined && { after }) });
        try {
            const { body } = await this.#client.call({ method: 'GET', path, repeatable: true, signal });
            return pageOf(body.toString('utf8'));
        }
        catch (error) {
            if (error instanceof NoStore)
                return { entries: [], more: false };
            throw error;
        }
    }
    /** Ends when the server ends it. Throws if something on the way ends it, or nothing comes for too long. */
    async *#chunks(body, signal) {
        const stream = await this.#client.stream({ method: 'POST', path: 'watch', body, repeatable: true, signal });
        const silence = setTimeout(() => stream.destroy(new Error(`silent for ${(3 * protocol/* PULSE */.Uk) / 1000} s`)), 3 * protocol/* PULSE */.Uk);
        try {
            for await (const chunk of stream) {
                silence.refresh();
                yield chunk;
            }
            if (!stream.complete)
                throw new Error('cut short');
        }
        finally {
            clearTimeout(silence);
            stream.destroy();
        }
    }
}
function query(path, keys, numbers = {}) {
    const pairs = [
        ...Object.entries(keys).map(([name, key]) => `${name}=${(0,protocol/* encodeKey */.g2)(key)}`),
        ...Object.entries(numbers).map((pair) => pair.join('=')),
    ];
    return `${path}?${pairs.join('&')}`;
}
function versionIn({ headers }) {
    const text = headers[protocol/* VERSION */.xv];
    if (typeof text !== 'string')
        throw new store/* StoreError */.AD('unavailable', 'storage: the answer has no version');
    try {
        return (0,protocol/* versionOf */.E4)(text);
    }
    catch (error) {
        throw new store/* StoreError */.AD('corrupt', 'storage: the answer names a version that is not valid', { cause: error });
    }
}
/** Lines `[key, size]`, then `{"more": …}`. */
function pageOf(text) {
    try {
        const lines = text.trimEnd().split('\n');
        const { more } = (0,record/* fieldsIn */.t5)(JSON.parse(lines.pop() ?? ''));
        const entries = lines.map((line) => entryOf(JSON.parse(line)));
        if (typeof more === 'boolean')
            return { entries, more };
    }
    catch (error) {
        if (!(error instanceof SyntaxError))
            throw error;
    }
    throw noList();
}
function entryOf(line) {
    const [key, size] = Array.isArray(line) ? line : [];
    if (typeof key !== 'string' || typeof size !== 'number')
        throw noList();
    return { key, size };
}
const noList = () => new store/* StoreError */.AD('corrupt', 'storage: the answer of the server is not a list of objects');


/***/ }),

/***/ 43096:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CV: () => (/* binding */ TOKEN),
/* harmony export */   E4: () => (/* binding */ versionOf),
/* harmony export */   EY: () => (/* binding */ versionHeader),
/* harmony export */   KL: () => (/* binding */ PAGE),
/* harmony export */   Kl: () => (/* binding */ faultOf),
/* harmony export */   Uk: () => (/* binding */ PULSE),
/* harmony export */   c2: () => (/* binding */ statusOf),
/* harmony export */   g2: () => (/* binding */ encodeKey),
/* harmony export */   rI: () => (/* binding */ conditionOf),
/* harmony export */   tp: () => (/* binding */ ANSWER),
/* harmony export */   xv: () => (/* binding */ VERSION),
/* harmony export */   y3: () => (/* binding */ decodeKey),
/* harmony export */   zE: () => (/* binding */ conditionHeader)
/* harmony export */ });
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/**
 * The protocol between client and server: plain HTTP, designed to pass unchanged through anything in between (the proxy of a Kubernetes API server).
 *
 * ```
 * GET  object?key=K[&from=N][&to=N]   bytes, version in a header; 404 when it does not exist
 * PUT  object?key=K                   body; condition in headers; answers with the version
 * GET  list?prefix=P[&after=K]        a page of lines [key, size], then {"more": true | false}
 * POST watch                          JSON array of requests; frames as they come (`frames.ts`), empty lines to show that the line is alive
 * POST remove                         JSON array of keys; of one, condition in headers
 * POST clear?prefix=P · POST init?prefix=P · GET health
 * ```
 *
 * Keys are sent as base64url in the query, because proxies may change paths. The token has a header of its own, because an API server does not
 * pass on `Authorization`. Every answer of this server has the header `ANSWER`; one without it comes from something in between.
 */

const TOKEN = 'x-tpi-token';
const ANSWER = 'x-tpi-store';
const VERSION = 'x-tpi-version';
const CONDITION = 'x-tpi-if';
/** Milliseconds between two signs of life on an open `watch`. */
const PULSE = 10_000;
/** Entries of a page of `list`. */
const PAGE = 1000;
const STATUS = {
    conflict: 412,
    corrupt: 422,
    gone: 410,
    denied: 403,
    full: 507,
    unavailable: 503,
    invalid: 400,
};
const statusOf = (kind) => STATUS[kind];
function faultOf(status) {
    const [kind] = Object.entries(STATUS).find(([, own]) => own === status) ?? [];
    return kind ?? 'unavailable';
}
const encodeKey = (key) => Buffer.from(key).toString('base64url');
const decodeKey = (text) => Buffer.from(text, 'base64url').toString();
function conditionHeader(condition) {
    if (condition === undefined)
        return {};
    return { [CONDITION]: 'absent' in condition ? 'absent' : `version ${encodeURIComponent(condition.version)}` };
}
function conditionOf(headers) {
    const text = headers[CONDITION];
    if (text === undefined)
        return undefined;
    if (text === 'absent')
        return { absent: true };
    if (typeof text === 'string' && text.startsWith('version '))
        return { version: decodeURIComponent(text.slice(8)) };
    throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', 'storage: this server does not know that condition');
}
const versionHeader = (version) => ({ [VERSION]: encodeURIComponent(version) });
const versionOf = (text) => decodeURIComponent(text);


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
