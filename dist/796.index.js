export const id = 796;
export const ids = [796];
export const modules = {

/***/ 23796:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Y: () => (/* binding */ S3Client),
  X: () => (/* binding */ endpointOf)
});

// EXTERNAL MODULE: ./build/js/lib/retry.js
var retry = __webpack_require__(39088);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/transport-error.js
var transport_error = __webpack_require__(91415);
// EXTERNAL MODULE: ./build/js/stores/s3/errors.js
var errors = __webpack_require__(51241);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
;// CONCATENATED MODULE: ./build/js/stores/s3/signer.js
/**
 * AWS Signature Version 4 in headers, as its public specification describes it. Pure: time and credentials are arguments.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */

/** The headers to send: those given, and what the signature needs. */
function sign(request, credentials, scope) {
    const stamp = timestamp(scope.date);
    const headers = { ...request.headers, host: request.host, 'x-amz-date': stamp };
    if (scope.service === 's3')
        headers['x-amz-content-sha256'] = request.bodyHash;
    if (credentials.sessionToken)
        headers['x-amz-security-token'] = credentials.sessionToken;
    const names = Object.keys(headers).sort();
    const canonical = canonicalRequest({ ...request, headers }, names);
    const place = `${stamp.slice(0, 8)}/${scope.region}/${scope.service}/aws4_request`;
    const text = ['AWS4-HMAC-SHA256', stamp, place, sha256(canonical)].join('\n');
    const signature = hmac(signingKey(credentials.secretAccessKey, scope, stamp), text).toString('hex');
    const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${place}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
    return { ...headers, authorization };
}
function canonicalRequest(request, names) {
    const lines = names.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}`);
    return [request.method, request.path, queryString(request.query), ...lines, '', names.join(';'), request.bodyHash].join('\n');
}
/** Sorted and escaped: the same text is signed and sent. */
function queryString(query) {
    const pairs = Object.entries(query).map(([name, value]) => `${signer_escape(name)}=${signer_escape(value)}`);
    return pairs.sort().join('&');
}
/** Escapes everything but `A-Z a-z 0-9 - . _ ~`. */
function signer_escape(text) {
    return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
function sha256(data) {
    return (0,external_node_crypto_.createHash)('sha256').update(data).digest('hex');
}
/** The key of one day, region and service. */
function signingKey(secret, { region, service }, stamp) {
    return [stamp.slice(0, 8), region, service, 'aws4_request'].reduce((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
}
function hmac(key, text) {
    return (0,external_node_crypto_.createHmac)('sha256', key).update(text).digest();
}
/** `20130524T000000Z` */
function timestamp(date) {
    return date.toISOString().replace(/[-:]|\.\d{3}/g, '');
}

// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __webpack_require__(37067);
// EXTERNAL MODULE: external "node:https"
var external_node_https_ = __webpack_require__(44708);
// EXTERNAL MODULE: ./build/js/lib/frugal.js + 2 modules
var frugal = __webpack_require__(67896);
;// CONCATENATED MODULE: ./build/js/stores/s3/transport.js
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
        this.#agent = endpoint.protocol === 'https:' ? new external_node_https_.Agent(options) : new external_node_http_.Agent(options);
    }
    /** `host` as the server is to see it; the socket goes to the endpoint under that name. */
    async send(hostname, request) {
        request.signal?.throwIfAborted();
        let connected = false;
        try {
            return await new Promise((resolve, reject) => {
                const { request: open } = this.#endpoint.protocol === 'https:' ? external_node_https_ : external_node_http_;
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
            if (error instanceof transport_error/* TooLarge */.M)
                throw error;
            throw new transport_error/* TransportError */.w(connected, reasonOf(error), { cause: error });
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
    if (announced > store/* MAX_OBJECT_BYTES */.lu)
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
        if (length > store/* MAX_OBJECT_BYTES */.lu)
            throw refused(message);
        if (direct)
            (0,frugal/* free */.t9)(chunk);
    }
    return direct?.subarray(0, length) ?? Buffer.concat(chunks);
}
/** The socket is of no use any more: what comes next on it is the rest of this answer. */
function refused(message) {
    message.destroy();
    return new transport_error/* TooLarge */.M(store/* MAX_OBJECT_BYTES */.lu);
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

// EXTERNAL MODULE: ./build/js/stores/s3/xml.js
var xml = __webpack_require__(84193);
;// CONCATENATED MODULE: ./build/js/stores/s3/client.js
/** Calls S3: addresses, signs, sends, understands failures and makes calls again where that is safe. */







/** Milliseconds between tries. */
const PAUSES = { first: 100, longest: 5_000 };
/** Bytes: a thousand keys, each of a thousand characters that must be escaped. */
const LONGEST_XML = 8 << 20;
const EMPTY_HASH = sha256('');
class S3Client {
    settings;
    #transport;
    #region;
    /** Milliseconds to add to this machine's clock. */
    #skew = 0;
    constructor(settings) {
        this.settings = settings;
        this.#region = settings.region;
        this.#transport = new Transport(settings.endpoint ?? new URL('https://s3.amazonaws.com'));
    }
    /** The answer, if its status is 2xx. Otherwise throws S3Error, or the signal's reason. */
    async call(call) {
        const again = (error) => {
            if (!(error instanceof errors/* S3Error */.Dg) || call.final?.includes(error.status))
                return false;
            if (error.again === 'never' || (error.again === 'repeatable' && !call.repeatable))
                return false;
            return error.wait > 0 ? error.wait : true;
        };
        const bodyHash = call.bodyHash ?? (call.body ? sha256(call.body) : EMPTY_HASH);
        return await (0,retry/* retry */.L)(() => this.#once({ ...call, bodyHash }), { ...PAUSES, attempts: this.settings.attempts, again, signal: call.signal });
    }
    /** The answer's XML, whose root must have this name. Some operations answer 200 and then an error. */
    async callXml(call, root) {
        const reply = await this.call(call);
        return this.#xml(reply, root, this.#tried(call));
    }
    close() {
        this.#transport.close();
    }
    async #once(call) {
        const tried = this.#tried(call);
        const reply = await this.#send(call).catch((error) => {
            call.signal?.throwIfAborted();
            throw (0,errors/* lostOf */.iR)(error, tried);
        });
        if (reply.status >= 200 && reply.status < 300) {
            if (call.operation === 'CompleteMultipartUpload')
                this.#xml(reply, 'CompleteMultipartUploadResult', tried);
            return reply;
        }
        throw this.#learn((0,errors/* faultOf */.Kl)(reply, tried), reply);
    }
    async #send(call) {
        const { host, hostname, path } = this.#address(call.key);
        const query = call.query ?? {};
        const request = { method: call.method, host, path, query, headers: call.headers ?? {}, bodyHash: call.bodyHash };
        const scope = { region: this.#region, service: 's3', date: new Date(Date.now() + this.#skew) };
        const signed = sign(request, this.settings.credentials, scope);
        const headers = { ...signed, 'user-agent': 'tpi-action' };
        if (call.body)
            headers['content-length'] = String(call.body.length);
        const search = queryString(query);
        const wire = { method: call.method, path: search === '' ? path : `${path}?${search}`, headers, body: call.body, signal: call.signal };
        return await this.#transport.send(hostname, wire);
    }
    #address(key) {
        const { bucket, endpoint, pathStyle } = this.settings;
        const suffix = this.#region.startsWith('cn-') ? '.cn' : '';
        const base = endpoint ?? new URL(`https://s3.${this.#region}.amazonaws.com${suffix}`);
        const root = base.pathname.replace(/\/+$/, '') + (pathStyle ? `/${bucket}` : '');
        const path = `${root}/${(key ?? '').split('/').map(signer_escape).join('/')}`;
        const name = pathStyle ? '' : `${bucket}.`;
        // A bracketed IPv6 address is a host in the header, but not a name to connect to.
        return { host: name + base.host, hostname: (name + base.hostname).replace(/^\[(.*)\]$/, '$1'), path };
    }
    /** Takes from a failure what makes the next try succeed: the server's time, the bucket's region. */
    #learn(error, reply) {
        if (error.code === 'RequestTimeTooSkewed') {
            const server = Date.parse(reply.headers.date ?? '');
            if (!Number.isNaN(server))
                this.#skew = server - Date.now();
        }
        if (error.region === undefined || error.region === this.#region || error.kind !== 'invalid' || this.settings.endpoint)
            return error;
        if (!/^[a-z0-9-]{4,32}$/.test(error.region))
            return error;
        this.#region = error.region;
        const { code, status, region } = error;
        return new errors/* S3Error */.Dg('unavailable', error.message, { code, status, region, again: 'always' });
    }
    #xml(reply, root, tried) {
        if (reply.body.length > LONGEST_XML)
            throw (0,errors/* lostOf */.iR)(new transport_error/* TooLarge */.M(LONGEST_XML), tried);
        let found;
        try {
            found = (0,xml/* parseXml */.NO)(reply.body.toString('utf8').trim());
        }
        catch (error) {
            throw (0,errors/* oddOf */.Jh)('the answer is no XML of S3', tried, error);
        }
        if (found.name === 'Error')
            throw (0,errors/* faultOf */.Kl)({ ...reply, status: 500 }, tried);
        if (found.name !== root)
            throw (0,errors/* oddOf */.Jh)(`the answer is <${found.name}>, not <${root}>`, tried);
        return found;
    }
    #tried(call) {
        const { bucket, prefix, credentials } = this.settings;
        const secrets = [credentials.secretAccessKey, credentials.sessionToken ?? '', credentials.accessKeyId];
        return { operation: call.operation, bucket, prefix, key: call.key ?? call.about ?? '', secrets };
    }
}
/** Checks what travelled as text. Throws kind `invalid` or `denied`. */
function endpointOf(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const right = url && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '' && url.search === '';
    if (!right)
        throw new store/* StoreError */.AD('invalid', 'storage: the S3 endpoint must be http(s)://host[:port], without credentials');
    return url;
}


/***/ }),

/***/ 51241:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Dg: () => (/* binding */ S3Error),
/* harmony export */   Jh: () => (/* binding */ oddOf),
/* harmony export */   Kl: () => (/* binding */ faultOf),
/* harmony export */   iR: () => (/* binding */ lostOf)
/* harmony export */ });
/* unused harmony export errorElement */
/* harmony import */ var _lib_redact_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(10105);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);
/* harmony import */ var _transport_error_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(91415);
/* harmony import */ var _xml_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(84193);
/** Answers of S3 → kinds of the store contract, with what the user can do about it. */




class S3Error extends _wire_store_js__WEBPACK_IMPORTED_MODULE_1__/* .StoreError */ .AD {
    code;
    status;
    again;
    /** Region that the server says the bucket is in. */
    region;
    /** Milliseconds that the server asked us to wait. */
    wait;
    constructor(kind, message, facts) {
        super(kind, message, facts.cause === undefined ? {} : { cause: facts.cause });
        this.code = facts.code;
        this.status = facts.status;
        this.again = facts.again;
        this.region = facts.region;
        this.wait = facts.wait ?? 0;
    }
}
const DENIED = ['denied', 'never'];
const BUSY = ['unavailable', 'always'];
const TRANSIENT = ['unavailable', 'repeatable'];
const REGION = ['invalid', 'never', 'set AWS_REGION to the region of the bucket'];
const CODES = {
    PreconditionFailed: ['conflict', 'never'],
    ConditionalRequestConflict: BUSY,
    OperationAborted: BUSY,
    NoSuchBucket: ['gone', 'never', 'create the bucket, or correct `storage`, AWS_REGION or AWS_ENDPOINT_URL_S3'],
    NoSuchUpload: ['unavailable', 'never'],
    AccessDenied: DENIED,
    AllAccessDisabled: DENIED,
    AccountProblem: DENIED,
    InvalidAccessKeyId: ['denied', 'never', 'the server does not know this access key'],
    SignatureDoesNotMatch: ['denied', 'never', 'the secret access key does not belong to the access key id'],
    ExpiredToken: ['denied', 'never', 'the temporary credentials have expired'],
    InvalidToken: ['denied', 'never', 'the session token is not valid'],
    TokenRefreshRequired: ['denied', 'never', 'the temporary credentials have expired'],
    RequestTimeTooSkewed: BUSY,
    SlowDown: BUSY,
    Throttling: BUSY,
    ThrottlingException: BUSY,
    RequestLimitExceeded: BUSY,
    TooManyRequests: BUSY,
    InternalError: TRANSIENT,
    RequestTimeout: TRANSIENT,
    BadDigest: BUSY,
    IncompleteBody: BUSY,
    XAmzContentSHA256Mismatch: BUSY,
    QuotaExceeded: ['full', 'never'],
    InsufficientStorage: ['full', 'never'],
    XMinioStorageFull: ['full', 'never'],
    PermanentRedirect: REGION,
    TemporaryRedirect: REGION,
    AuthorizationHeaderMalformed: REGION,
    IllegalLocationConstraintException: REGION,
};
/** The permission that an operation needs, where it has another name. */
const PERMISSIONS = {
    HeadObject: 's3:GetObject',
    ListObjectsV2: 's3:ListBucket',
    ListMultipartUploads: 's3:ListBucketMultipartUploads',
    CreateMultipartUpload: 's3:PutObject',
    UploadPart: 's3:PutObject',
    CompleteMultipartUpload: 's3:PutObject',
    DeleteObjects: 's3:DeleteObject',
};
const OF_BUCKET = new Set(['ListObjectsV2', 'ListMultipartUploads']);
/** Code and message come from the body, if it is S3's; the region and the wish to wait from the headers. */
function faultOf(reply, tried) {
    const error = errorElement(reply.body);
    const code = (error && (0,_xml_js__WEBPACK_IMPORTED_MODULE_3__/* .textOf */ .b6)(error, 'Code')) || '';
    const [kind, again, hint] = meaning(code, reply.status);
    const server = (error && (0,_xml_js__WEBPACK_IMPORTED_MODULE_3__/* .textOf */ .b6)(error, 'Message')) || '';
    const said = redact(`${code || `HTTP ${reply.status}`}${server === '' ? '' : `: ${server.slice(0, 300)}`}`, tried.secrets);
    const advice = kind === 'denied' ? deniedHint(tried, hint) : hint;
    const message = `storage: ${describe(tried)} failed: ${said}${advice === undefined ? '' : ` (${advice})`}`;
    const region = header(reply, 'x-amz-bucket-region') ?? (error && (0,_xml_js__WEBPACK_IMPORTED_MODULE_3__/* .textOf */ .b6)(error, 'Region'));
    const wait = Math.min(Number(header(reply, 'retry-after') ?? 0) * 1000 || 0, 30_000);
    return new S3Error(kind, message, { code, status: reply.status, again, region, wait });
}
/** No answer at all, or none that is to be read. */
function lostOf(error, tried) {
    if (error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_2__/* .TooLarge */ .M)
        return new S3Error('corrupt', `storage: ${describe(tried)} failed: ${error.message}`, {
            code: '',
            status: 0,
            again: 'never',
            cause: error,
        });
    const sent = !(error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_2__/* .TransportError */ .w) || error.sent;
    const reason = redact(error instanceof _transport_error_js__WEBPACK_IMPORTED_MODULE_2__/* .TransportError */ .w ? error.message : String(error), tried.secrets);
    const message = `storage: ${describe(tried)} failed: ${reason}${sent ? '' : ' (nothing was sent)'}`;
    return new S3Error('unavailable', message, { code: '', status: 0, again: sent ? 'repeatable' : 'always', cause: error });
}
/** An answer that makes no sense: truncated, or not from an S3 server. */
function oddOf(why, tried, cause) {
    const message = `storage: ${describe(tried)} failed: ${why}`;
    return new S3Error('unavailable', message, { code: '', status: 200, again: 'repeatable', cause });
}
/** The `<Error>` of a body; `undefined` when there is none (HEAD, a proxy's page). */
function errorElement(body) {
    if (body.length === 0 || body.length > 65_536)
        return undefined;
    try {
        const root = (0,_xml_js__WEBPACK_IMPORTED_MODULE_3__/* .parseXml */ .NO)(Buffer.from(body).toString('utf8'));
        return root.name === 'Error' ? root : (0,_xml_js__WEBPACK_IMPORTED_MODULE_3__/* .childrenOf */ .LU)(root, 'Error')[0];
    }
    catch {
        // Not S3's: the status alone has to do.
        return undefined;
    }
}
function meaning(code, status) {
    const known = CODES[code];
    if (known && Object.hasOwn(CODES, code))
        return known;
    if (status === 412)
        return ['conflict', 'never'];
    if (status === 401 || status === 403)
        return DENIED;
    if (status === 429)
        return BUSY;
    if (status === 501)
        return ['invalid', 'never', 'the server does not offer this operation'];
    if (status === 507)
        return ['full', 'never'];
    if (status === 408 || status >= 500)
        return TRANSIENT;
    if (status === 409)
        return BUSY;
    if (status === 404)
        return ['gone', 'never', 'is this the address of an S3 server?'];
    if (status === 301 || status === 307 || status === 308)
        return REGION;
    return ['invalid', 'never'];
}
function deniedHint(tried, hint) {
    if (hint !== undefined)
        return hint;
    const permission = PERMISSIONS[tried.operation] ?? `s3:${tried.operation}`;
    const where = OF_BUCKET.has(tried.operation) ? tried.bucket : `${tried.bucket}/${tried.prefix}*`;
    const more = permission === 's3:GetObject' ? `, and s3:ListBucket on ${tried.bucket} to learn that a key is absent` : '';
    return `needs ${permission} on ${where}${more}`;
}
function describe({ operation, bucket, key }) {
    return `${operation} s3://${bucket}/${key}`;
}
function redact(text, secrets) {
    return (0,_lib_redact_js__WEBPACK_IMPORTED_MODULE_0__/* .redactText */ .Rd)(text.replace(/\s+/g, ' '), (0,_lib_redact_js__WEBPACK_IMPORTED_MODULE_0__/* .secretNeedles */ .h9)(secrets));
}
function header(reply, name) {
    const value = reply.headers[name];
    return typeof value === 'string' ? value : undefined;
}


/***/ }),

/***/ 84193:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   LU: () => (/* binding */ childrenOf),
/* harmony export */   NO: () => (/* binding */ parseXml),
/* harmony export */   b6: () => (/* binding */ textOf),
/* harmony export */   xK: () => (/* binding */ xmlText)
/* harmony export */ });
/* unused harmony export child */
/** Reads the XML that S3 answers with: elements and text. Whatever else XML may hold (document types, CDATA, mixed content) is refused. */
const TOKEN = /<(\?xml\b[^>]*\?|\/?[A-Za-z_][\w.:-]*(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?)>|([^<]+)/y;
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Throws when the text is not one whole element. */
function parseXml(source) {
    const document = { name: '', children: [], text: '' };
    const stack = [document];
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < source.length) {
        const at = TOKEN.lastIndex;
        const token = TOKEN.exec(source);
        const top = stack.at(-1);
        if (!token || !top)
            throw new Error(`malformed XML at character ${at}`);
        const [, tag, text] = token;
        if (text !== undefined)
            top.text += decode(text);
        else if (tag !== undefined)
            step(tag, top, stack);
    }
    const [root] = document.children;
    if (stack.length !== 1 || !root || document.children.length !== 1 || document.text.trim() !== '')
        throw new Error('malformed XML: no single root');
    return root;
}
function step(tag, top, stack) {
    if (tag.startsWith('?'))
        return;
    if (tag.startsWith('/')) {
        if (stack.length < 2 || tag.slice(1).trim() !== top.name)
            throw new Error(`malformed XML: unexpected <${tag}>`);
        stack.pop();
        return;
    }
    const element = { name: tag.split(/[\s/]/, 1)[0] ?? '', children: [], text: '' };
    top.children.push(element);
    if (!tag.endsWith('/'))
        stack.push(element);
}
function decode(text) {
    return text.replace(/&([^;]*);?/g, (whole, name) => {
        const value = name.startsWith('#') ? fromNumber(name) : ENTITIES[name];
        if (value === undefined || !whole.endsWith(';'))
            throw new Error(`malformed XML: unknown entity ${whole.slice(0, 20)}`);
        return value;
    });
}
function fromNumber(name) {
    const hex = /^#x([0-9a-f]{1,6})$/i.exec(name)?.[1];
    const decimal = /^#(\d{1,7})$/.exec(name)?.[1];
    const point = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16);
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : undefined;
}
function child(element, name) {
    return element.children.find((one) => one.name === name);
}
function textOf(element, name) {
    return child(element, name)?.text;
}
function childrenOf(element, name) {
    return element.children.filter((one) => one.name === name);
}
/** Text for inside an element. Characters that a parser would change come as numbers. */
function xmlText(text) {
    return text.replace(/[&<>"'\r\n\t]/g, (char) => `&#${char.charCodeAt(0)};`);
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


/***/ })

};
