export const id = 3729;
export const ids = [3729];
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

/***/ 33097:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ ServerTime)
/* harmony export */ });
/** The time according to the server that answers, because this machine's own clock may be minutes off. */
/** Milliseconds: the date of an answer is in whole seconds, and the answer takes time to arrive. */
const SLIGHT = 5_000;
class ServerTime {
    /** Milliseconds to add to this machine's clock. */
    #ahead = 0;
    /** `date`: the header of an answer that has just come. `true`: the time differs from what was known. */
    learn(date) {
        const before = this.#ahead;
        const ahead = Date.parse(date ?? '') - Date.now();
        if (!Number.isNaN(ahead))
            this.#ahead = Math.abs(ahead) < SLIGHT ? 0 : ahead;
        return Math.abs(this.#ahead - before) >= SLIGHT;
    }
    now() {
        return new Date(Date.now() + this.#ahead);
    }
    /** What this machine's clock shows at a given server time. */
    here(time) {
        const at = Date.parse(time);
        return this.#ahead === 0 || Number.isNaN(at) ? time : new Date(at - this.#ahead).toISOString();
    }
}


/***/ }),

/***/ 29216:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   LV: () => (/* binding */ bucketAddress),
/* harmony export */   X5: () => (/* binding */ endpointOf),
/* harmony export */   ci: () => (/* binding */ addressOf)
/* harmony export */ });
/* harmony import */ var _vendors_aws_service_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(40335);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/* harmony import */ var _bucket_url_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(19267);
/** Where a bucket is on the network. A new machine, which has no client yet, uses this too. */



const DEFAULT_REGION = 'us-east-1';
function bucketAddress(place) {
    const { bucket, prefix } = (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_1__/* .bucketPlace */ .qR)(new URL(place.url));
    const { region = DEFAULT_REGION, endpoint, owner } = place.settings ?? {};
    if (!/^[a-z0-9-]{2,64}$/.test(region))
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', `storage: "${region}" is not a valid region; use one such as us-east-1`);
    return { bucket, prefix, region, endpoint: endpoint === undefined ? undefined : endpointOf(endpoint), owner };
}
/** Checks an address that came as text. Throws kind `invalid`. */
function endpointOf(text) {
    return (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_1__/* .checkedEndpoint */ .V7)(text, 'the S3 endpoint');
}
/**
 * `https://BUCKET.s3.REGION.amazonaws.com`. Other servers have the bucket in the path. So has AWS if its name has dots, because the certificate
 * covers only one label before its own name.
 */
function addressOf({ bucket, region, endpoint }) {
    const base = endpoint ?? new URL(`https://${(0,_vendors_aws_service_js__WEBPACK_IMPORTED_MODULE_2__/* .serviceHost */ .a)('s3', region)}`);
    const inPath = endpoint !== undefined || bucket.includes('.');
    const name = inPath ? '' : `${bucket}.`;
    return {
        protocol: base.protocol,
        host: name + base.host,
        hostname: name + base.hostname,
        path: base.pathname.replace(/\/+$/, '') + (inPath ? `/${bucket}` : ''),
    };
}


/***/ }),

/***/ 51241:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Kl: () => (/* binding */ faultOf),
/* harmony export */   Ug: () => (/* binding */ regionIn),
/* harmony export */   q0: () => (/* binding */ describe),
/* harmony export */   xd: () => (/* binding */ errorElement)
/* harmony export */ });
/* harmony import */ var _call_error_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(45086);
/* harmony import */ var _xml_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(42020);
/** Answers of S3 → kinds of the store contract, with what the user can do about it. */


const EXPIRED = (0,_call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .denied */ .wk)('the temporary credentials have expired');
const REGION = ['invalid', 'never', 'set AWS_REGION to the region of the bucket'];
const CODES = {
    PreconditionFailed: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .CONFLICT */ .p9,
    ConditionalRequestConflict: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    OperationAborted: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    NoSuchBucket: ['gone', 'never', 'create the bucket, or correct `storage`, AWS_REGION or AWS_ENDPOINT_URL_S3'],
    NoSuchUpload: ['unavailable', 'never'],
    InvalidObjectState: (0,_call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .denied */ .wk)('a life-cycle rule has archived the object: let no rule do that below `storage`'),
    AccessDenied: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .DENIED */ .Iy,
    AllAccessDisabled: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .DENIED */ .Iy,
    AccountProblem: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .DENIED */ .Iy,
    InvalidAccessKeyId: (0,_call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .denied */ .wk)('the server does not know this access key'),
    SignatureDoesNotMatch: (0,_call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .denied */ .wk)('the secret access key does not belong to the access key id'),
    ExpiredToken: EXPIRED,
    InvalidToken: (0,_call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .denied */ .wk)('the session token is not valid'),
    TokenRefreshRequired: EXPIRED,
    RequestTimeTooSkewed: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    SlowDown: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    Throttling: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    ThrottlingException: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    RequestLimitExceeded: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    TooManyRequests: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    InternalError: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .TRANSIENT */ .vt,
    RequestTimeout: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .TRANSIENT */ .vt,
    BadDigest: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    IncompleteBody: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    XAmzContentSHA256Mismatch: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .BUSY */ .yu,
    QuotaExceeded: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .FULL */ .eW,
    InsufficientStorage: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .FULL */ .eW,
    XMinioStorageFull: _call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .FULL */ .eW,
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
/** Matches messages in which S3 itself says what is missing: perhaps another right (of a key of KMS), or a policy that forbids the call. */
const NAMED = /not authorized to perform: \w+:\w+/;
const OF_BUCKET = new Set(['ListObjectsV2', 'ListMultipartUploads']);
/** An error may follow an answer that had begun well, with status 200: it means what it would mean with status 500. */
function faultOf(reply, tried) {
    const code = saidIn(reply, 'Code') ?? '';
    const message = saidIn(reply, 'Message') ?? '';
    const known = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
    const meaning = known ?? (0,_call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .meaningOf */ .Pr)(reply.status < 300 ? 500 : reply.status, STATUSES);
    const advice = meaning[0] === 'denied' && !NAMED.test(message) ? neededFor(tried) : undefined;
    return (0,_call_error_js__WEBPACK_IMPORTED_MODULE_0__/* .refused */ .J5)(reply, describe(tried), tried.secrets, { meaning, code, message, advice });
}
/** The region that the server says the bucket is in. */
function regionIn(reply) {
    const said = reply.headers['x-amz-bucket-region'] ?? saidIn(reply, 'Region');
    return typeof said === 'string' && /^[a-z0-9-]{4,32}$/.test(said) ? said : undefined;
}
function saidIn({ body }, name) {
    const error = errorElement(body);
    return error && (0,_xml_js__WEBPACK_IMPORTED_MODULE_1__/* .textOf */ .b6)(error, name);
}
/** The `<Error>` of a body; `undefined` when there is none (HEAD, a proxy's page). */
function errorElement(body) {
    if (body.length === 0 || body.length > 65_536)
        return undefined;
    try {
        const root = (0,_xml_js__WEBPACK_IMPORTED_MODULE_1__/* .parseXml */ .NO)(Buffer.from(body).toString('utf8'));
        return root.name === 'Error' ? root : (0,_xml_js__WEBPACK_IMPORTED_MODULE_1__/* .childrenOf */ .LU)(root, 'Error')[0];
    }
    catch {
        // Not S3's: the status alone has to do.
        return undefined;
    }
}
const STATUSES = {
    301: REGION,
    307: REGION,
    308: REGION,
    404: ['gone', 'never', 'is this the address of an S3 server?'],
    501: ['invalid', 'never', 'the server does not offer this operation'],
};
function neededFor({ operation, bucket, prefix }) {
    const permission = PERMISSIONS[operation] ?? `s3:${operation}`;
    const where = OF_BUCKET.has(operation) ? bucket : `${bucket}/${prefix}*`;
    const more = permission === 's3:GetObject' ? `, and s3:ListBucket on ${bucket} to learn that a key is absent` : '';
    return `needs ${permission} on ${where}${more}`;
}
function describe({ operation, bucket, key }) {
    return `${operation} s3://${bucket}/${key}`;
}


/***/ }),

/***/ 1454:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ s3_open)
});

// EXTERNAL MODULE: ./build/js/lib/uri.js
var uri = __webpack_require__(42600);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/bucket.js
var bucket = __webpack_require__(59763);
// EXTERNAL MODULE: ./build/js/stores/call-error.js
var call_error = __webpack_require__(45086);
// EXTERNAL MODULE: ./build/js/lib/server-time.js
var server_time = __webpack_require__(33097);
// EXTERNAL MODULE: ./build/js/lib/sha256.js
var sha256 = __webpack_require__(41923);
// EXTERNAL MODULE: ./build/js/vendors/aws/sigv4.js
var sigv4 = __webpack_require__(4491);
// EXTERNAL MODULE: ./build/js/stores/bucket-client.js + 1 modules
var bucket_client = __webpack_require__(99499);
// EXTERNAL MODULE: ./build/js/stores/transport-error.js
var transport_error = __webpack_require__(91415);
// EXTERNAL MODULE: ./build/js/stores/xml.js
var xml = __webpack_require__(42020);
// EXTERNAL MODULE: ./build/js/stores/s3/address.js
var s3_address = __webpack_require__(29216);
// EXTERNAL MODULE: ./build/js/stores/s3/errors.js
var errors = __webpack_require__(51241);
;// CONCATENATED MODULE: ./build/js/stores/s3/client.js
/** Calls S3: finds the address, signs, sends, and translates failures. `bucket-client.ts` repeats calls. */











/** Codes for temporary credentials that have expired. */
const EXPIRED = new Set(['ExpiredToken', 'TokenRefreshRequired']);
/** Bytes: a thousand keys, each of a thousand characters that must be escaped. */
const LONGEST_XML = 8 << 20;
const EMPTY_HASH = (0,sha256/* sha256 */.s)('');
class S3Client extends bucket_client/* BucketClient */.C6 {
    #region;
    #time = new server_time/* ServerTime */.F();
    /** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-owner-condition.html */
    #owner;
    constructor(settings) {
        super(settings, settings.endpoint ?? new URL('https://s3.amazonaws.com'));
        this.#region = settings.region;
        this.#owner = settings.owner === undefined ? {} : { 'x-amz-expected-bucket-owner': settings.owner };
    }
    async call(call) {
        return super.call({ ...call, bodyHash: call.bodyHash ?? (call.body ? (0,sha256/* sha256 */.s)(call.body) : EMPTY_HASH) });
    }
    /** The answer's XML, whose root must have this name. Some operations answer 200 and then an error. */
    async callXml(call, root) {
        const reply = await this.call(call);
        return this.#xml(reply, root, call);
    }
    async send(call, held) {
        const keys = this.#checked(held);
        const { host, hostname, path } = this.#address(call.key);
        const query = call.query ?? {};
        const headed = { ...this.#owner, ...call.headers };
        const request = { method: call.method, host, path, query, headers: headed, bodyHash: call.bodyHash ?? EMPTY_HASH };
        const scope = { region: this.#region, service: 's3', date: this.#time.now() };
        const signed = (0,sigv4/* sign */._S)(request, keys, scope);
        const headers = { ...signed, 'user-agent': 'tpi-action' };
        if (call.body)
            headers['content-length'] = String(call.body.length);
        const search = (0,sigv4/* queryString */._L)(query);
        const reply = await this.transport.send(hostname, { ...call, path: `${path}${search && `?${search}`}`, headers });
        const isDone = call.operation === 'CompleteMultipartUpload' && reply.status >= 200 && reply.status < 300;
        if (isDone)
            this.#xml(reply, 'CompleteMultipartUploadResult', call);
        return reply;
    }
    describe(call) {
        return (0,errors/* describe */.q0)(this.#tried(call));
    }
    faultOf(reply, call) {
        return this.#learn((0,errors/* faultOf */.Kl)(reply, this.#tried(call)), reply);
    }
    /** The answer to a HEAD has no code: https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html. Any other without one is not S3's. */
    isStale({ code, status }, { method }) {
        return EXPIRED.has(code) || (method === 'HEAD' && code === '' && status === 400);
    }
    #checked({ accessKeyId, secretAccessKey, sessionToken }) {
        const { bucket, prefix } = this.settings;
        if (!accessKeyId || !secretAccessKey)
            throw new store/* StoreError */.AD('denied', `storage: no credentials for "s3://${bucket}/${prefix}"`);
        this.remember(secretAccessKey, sessionToken ?? '', accessKeyId);
        return { accessKeyId, secretAccessKey, sessionToken };
    }
    #address(key) {
        const { path: root, ...address } = (0,s3_address/* addressOf */.ci)({ ...this.settings, region: this.#region });
        return { ...address, path: `${root}/${(0,uri/* uriEncodedPath */.q)(key ?? '')}` };
    }
    /** Takes from a failure what makes the next try succeed: the server's time, the bucket's region. */
    #learn(error, reply) {
        const { kind, code, status, message } = error;
        if (code === 'RequestTimeTooSkewed')
            this.#time.learn(reply.headers.date);
        const region = kind === 'invalid' && !this.settings.endpoint ? (0,errors/* regionIn */.Ug)(reply) : undefined;
        if (region === undefined || region === this.#region)
            return error;
        this.#region = region;
        return new call_error/* CallError */.RA('unavailable', message, { code, status, again: 'always' });
    }
    #xml(reply, root, call) {
        const what = this.describe(call);
        if (reply.body.length > LONGEST_XML)
            throw (0,call_error/* lost */.DU)(new transport_error/* TooLarge */.M(LONGEST_XML), what, this.secrets);
        let found;
        try {
            found = (0,xml/* parseXml */.NO)(reply.body.toString('utf8').trim());
        }
        catch (error) {
            throw (0,call_error/* odd */.ST)('the answer is not the XML of S3', what, error);
        }
        if (found.name === 'Error')
            throw (0,errors/* faultOf */.Kl)(reply, this.#tried(call));
        if (found.name !== root)
            throw (0,call_error/* odd */.ST)(`the answer is <${found.name}>, not <${root}>`, what);
        return found;
    }
    #tried(call) {
        const { bucket, prefix } = this.settings;
        return { operation: call.operation, bucket, prefix, key: call.key ?? call.about ?? '', secrets: this.secrets };
    }
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: ./build/js/lib/side-by-side.js
var side_by_side = __webpack_require__(48241);
// EXTERNAL MODULE: ./build/js/stores/keys.js
var keys = __webpack_require__(56705);
;// CONCATENATED MODULE: ./build/js/stores/s3/list.js
/** Listing and mass removal. */






/** Keys and prefixes here are full ones, with the prefix of the URL. */
async function pageOf(client, { prefix, after, next, signal }) {
    const more = next === undefined ? after !== undefined && { 'start-after': after } : { 'continuation-token': next };
    const query = { 'list-type': '2', 'max-keys': '1000', prefix, ...more };
    const call = { operation: 'ListObjectsV2', method: 'GET', about: prefix, query, repeatable: true, signal };
    const page = await client.callXml(call, 'ListBucketResult');
    const entries = (0,xml/* childrenOf */.LU)(page, 'Contents').map(entryOf);
    // S3 starts after the given key.
    (0,keys/* checkPage */.I7)(prefix, next === undefined ? after : undefined, entries);
    if ((0,xml/* textOf */.b6)(page, 'IsTruncated') !== 'true')
        return { entries };
    const token = (0,xml/* textOf */.b6)(page, 'NextContinuationToken');
    // A page that is not the last and has no token for the next one must not count as the end.
    if (!token)
        throw (0,call_error/* odd */.ST)('a page without continuation', `ListObjectsV2 s3://${client.settings.bucket}/${prefix}`);
    return { entries, next: token };
}
function entryOf(entry) {
    return { key: (0,xml/* textOf */.b6)(entry, 'Key') ?? '', size: Number((0,xml/* textOf */.b6)(entry, 'Size')) };
}
/** Keys that one request takes: https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
const BATCH = 1000;
/** Requests at once. */
const LANES = 4;
/** How often the removal of a key is tried if the server fails. */
const ROUNDS = 5;
/** Removes objects by their full keys. */
async function removeKeys(client, keys) {
    const batches = [];
    for (let at = 0; at < keys.length; at += BATCH)
        batches.push(keys.slice(at, at + BATCH));
    await (0,side_by_side/* sideBySide */.Q)(LANES, batches, async (batch) => removeBatch(client, batch));
}
async function removeBatch(client, keys) {
    let remaining = keys;
    for (let round = 1; remaining.length > 0; round++) {
        const [only] = remaining;
        if (remaining.length === 1 && only !== undefined) {
            await client.call({ operation: 'DeleteObject', method: 'DELETE', key: only, repeatable: true });
            return;
        }
        const failed = await removeOnce(client, remaining);
        if (failed.length > 0 && round >= ROUNDS)
            throw failure(client, failed);
        remaining = failed.filter((one) => again(client, one)).map((one) => one.key);
    }
}
async function removeOnce(client, keys) {
    const objects = keys.map((key) => `<Object><Key>${(0,xml/* xmlText */.xK)(key)}</Key></Object>`);
    const text = `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${objects.join('')}</Delete>`;
    const body = Buffer.from(text);
    const headers = { 'content-md5': (0,external_node_crypto_.createHash)('md5').update(body).digest('base64') };
    const call = {
        operation: 'DeleteObjects',
        method: 'POST',
        about: keys[0] ?? '',
        query: { delete: '' },
        headers,
        body,
        repeatable: true,
    };
    const result = await client.callXml(call, 'DeleteResult');
    const failed = (0,xml/* childrenOf */.LU)(result, 'Error').map((one) => ({ key: (0,xml/* textOf */.b6)(one, 'Key') ?? '', code: (0,xml/* textOf */.b6)(one, 'Code') ?? '' }));
    return failed.filter((one) => one.code !== 'NoSuchKey');
}
/** Whether to try this key again; throws if the failure is final. */
function again(client, failed) {
    if (failed.code === 'InternalError' || failed.code === 'SlowDown' || failed.code === 'ServiceUnavailable')
        return true;
    throw failure(client, [failed]);
}
function failure({ settings }, failed) {
    const [first] = failed;
    const denied = first?.code === 'AccessDenied';
    const hint = denied ? ` (needs s3:DeleteObject on ${settings.bucket}/${settings.prefix}*)` : '';
    const message = `storage: DeleteObjects s3://${settings.bucket}/${first?.key ?? ''} failed: ${first?.code ?? 'unknown'}${hint}`;
    return new store/* StoreError */.AD(denied ? 'denied' : 'unavailable', message);
}

// EXTERNAL MODULE: ./build/js/wire/credentials.js
var credentials = __webpack_require__(47980);
;// CONCATENATED MODULE: ./build/js/stores/s3/settings.js
/** What a StoreAccess says → what the client needs. */



function settingsOf(access) {
    return { ...(0,s3_address/* bucketAddress */.LV)(access), tries: (0,bucket_client/* triesOf */.p5)(access), source: access.source ?? (0,credentials/* fixed */.Zu)((0,bucket_client/* travelled */.UI)(access)) };
}

// EXTERNAL MODULE: ./build/js/stores/upload.js
var stores_upload = __webpack_require__(92292);
;// CONCATENATED MODULE: ./build/js/stores/s3/upload.js




/** Bodies up to this size are sent in one request. Bytes. */
const SINGLE_BYTES = 16 * 1024 * 1024;
/** Bytes of a part; S3 wants at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
async function uploadParts(upload) {
    return await (0,stores_upload/* uploadAnew */.P)({
        begin: async () => begin(upload),
        send: async (id) => complete(upload, id, await send(upload, id)),
        // Parts that stay are removed by `clear` or by the bucket's life-cycle rule.
        abandon: async (id) => abortUpload(upload.client, upload.key, id).catch(() => undefined),
        again: (error) => beginAnew(error, upload),
    });
}
/**
 * Whether to upload anew: after a race with another writer, or if the upload is gone. In that case the object may be there already, so it is safe
 * only without a condition.
 */
function beginAnew(error, { headers }) {
    if (!(error instanceof call_error/* CallError */.RA))
        return false;
    return error.status === 409 || (error.code === 'NoSuchUpload' && Object.keys(headers).length === 0);
}
async function begin({ client, key, signal }) {
    const call = { operation: 'CreateMultipartUpload', method: 'POST', key, query: { uploads: '' }, repeatable: true, signal };
    const id = (0,xml/* textOf */.b6)(await client.callXml(call, 'InitiateMultipartUploadResult'), 'UploadId');
    if (!id)
        throw (0,call_error/* odd */.ST)('the server began an upload without naming it', `CreateMultipartUpload s3://${client.settings.bucket}/${key}`);
    return id;
}
/** ETags of the parts. */
async function send(upload, uploadId) {
    const { client, key } = upload;
    return (0,stores_upload/* sendParts */.h)(upload, PART_BYTES, async (body, index, signal) => {
        const query = { partNumber: String(index + 1), uploadId };
        const { headers } = await client.call({ operation: 'UploadPart', method: 'PUT', key, query, body, repeatable: true, signal });
        return headers.etag ?? '';
    });
}
async function complete({ client, key, headers, signal }, uploadId, etags) {
    const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${(0,xml/* xmlText */.xK)(etag)}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`);
    const repeatable = Object.keys(headers).length === 0;
    const call = {
        operation: 'CompleteMultipartUpload',
        method: 'POST',
        key,
        query: { uploadId },
        headers,
        body,
        repeatable,
        signal,
    };
    const result = await client.callXml({ ...call, final: [409] }, 'CompleteMultipartUploadResult');
    return (0,bucket/* etagOf */.Nk)({ headers: { etag: (0,xml/* textOf */.b6)(result, 'ETag') } }, key);
}
async function abortUpload(client, key, uploadId) {
    try {
        await client.call({ operation: 'AbortMultipartUpload', method: 'DELETE', key, query: { uploadId }, repeatable: true });
    }
    catch (error) {
        if (!(error instanceof call_error/* CallError */.RA && error.code === 'NoSuchUpload'))
            throw error;
    }
}
/** Aborts every upload that was begun below a prefix and neither completed nor aborted. */
async function abortUploads(client, prefix) {
    // Aborted uploads leave the list, so the first page is read again until it is empty.
    for (let page = 0; page < 1000; page++) {
        const call = {
            operation: 'ListMultipartUploads',
            method: 'GET',
            about: prefix,
            query: { uploads: '', prefix },
            repeatable: true,
        };
        const uploads = (0,xml/* childrenOf */.LU)(await client.callXml(call, 'ListMultipartUploadsResult'), 'Upload');
        const mine = uploads.filter((one) => ((0,xml/* textOf */.b6)(one, 'Key') ?? '').startsWith(prefix));
        if (mine.length === 0)
            return;
        await Promise.all(mine.map((one) => abortUpload(client, (0,xml/* textOf */.b6)(one, 'Key') ?? '', (0,xml/* textOf */.b6)(one, 'UploadId') ?? '')));
    }
}

;// CONCATENATED MODULE: ./build/js/stores/s3/index.js
/**
 * A store in a bucket of S3 or of a compatible server. Versions are ETags. S3 makes them of the content, so a record must carry a fresh nonce in
 * every state (ours do): then no two states are equal, and a stale condition never matches again.
 */








/** Settings: `region`, `endpoint`, `owner`, `tries`. Credentials: `accessKeyId`, `secretAccessKey`, `sessionToken`. */
const s3_open = async (access) => new bucket/* BucketStore */.cD(access.url, new S3(new S3Client(settingsOf(access))));
class S3 extends bucket/* BucketProtocol */.Jr {
    async read(key, range, how) {
        try {
            const call = { operation: 'GetObject', method: 'GET', key, headers: (0,bucket/* rangeHeader */.Hq)(range), repeatable: true, ...how };
            const reply = await this.client.call(call);
            return { bytes: (0,bucket/* inRange */.r4)(reply, range), version: (0,bucket/* etagOf */.Nk)(reply, key) };
        }
        catch (error) {
            if (isMissing(error))
                return undefined;
            throw error;
        }
    }
    async state(key, signal) {
        try {
            const reply = await this.client.call({ operation: 'HeadObject', method: 'HEAD', key, repeatable: true, signal });
            return { bytes: new Uint8Array(0), version: (0,bucket/* etagOf */.Nk)(reply, key) };
        }
        catch (error) {
            // HEAD has no body to tell a missing key from a missing bucket.
            if ((0,bucket/* isStatus */.zM)(error, 404))
                return undefined;
            throw error;
        }
    }
    async write(key, body, condition, how) {
        const headers = (0,bucket/* conditionHeaders */.CO)(condition);
        try {
            if (body.length > SINGLE_BYTES)
                return await uploadParts({ client: this.client, key, body, headers, signal: how.signal });
            const repeatable = condition === undefined;
            return (0,bucket/* etagOf */.Nk)(await this.client.call({ operation: 'PutObject', method: 'PUT', key, headers, body, repeatable, ...how }), key);
        }
        catch (error) {
            if (condition && isMissing(error))
                throw new store/* StoreError */.AD('conflict', `storage: "${key}" is no longer there`, { cause: error });
            throw error;
        }
    }
    /** The answer may be 200 and then an error: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
    async copy(from, to, signal) {
        const headers = { 'x-amz-copy-source': `/${this.client.settings.bucket}/${(0,uri/* uriEncodedPath */.q)(from)}` };
        try {
            await this.client.callXml({ operation: 'CopyObject', method: 'PUT', key: to, headers, repeatable: true, signal }, 'CopyObjectResult');
            return true;
        }
        catch (error) {
            if (isMissing(error))
                return false;
            throw error;
        }
    }
    async page(prefix, after, next, signal) {
        return await pageOf(this.client, { prefix, after, next, signal });
    }
    /** The state is also compared here, because some servers do not know conditions on removals, and remove in any case. */
    async remove(key, condition) {
        const there = condition && (await this.state(key));
        if (condition && !there)
            return;
        if (there && there.version !== condition?.version)
            throw new store/* StoreError */.AD('conflict', `storage: "${key}" is no longer what it was`);
        try {
            await this.client.call({ operation: 'DeleteObject', method: 'DELETE', key, headers: (0,bucket/* conditionHeaders */.CO)(condition), repeatable: true });
        }
        catch (error) {
            if (!isMissing(error))
                throw error;
        }
    }
    async removeMany(keys) {
        await removeKeys(this.client, keys);
    }
    async abandon(prefix) {
        await abortUploads(this.client, prefix);
    }
}
function isMissing(error) {
    return error instanceof call_error/* CallError */.RA && error.code === 'NoSuchKey';
}


/***/ }),

/***/ 42020:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   LU: () => (/* binding */ childrenOf),
/* harmony export */   NO: () => (/* binding */ parseXml),
/* harmony export */   b6: () => (/* binding */ textOf),
/* harmony export */   jf: () => (/* binding */ child),
/* harmony export */   xK: () => (/* binding */ xmlText)
/* harmony export */ });
/** Reads the XML that S3 and Azure answer with: elements and text. Whatever else XML may hold (document types, CDATA, mixed content) is refused. */
const TOKEN = /<(\?xml\b[^>]*\?|\/?[A-Za-z_][\w.:-]*(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?)>|([^<]+)/y;
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Characters. A page of two thousand objects has fewer; parsing takes a dozen bytes of memory for each. */
const LONGEST = 4 * 1024 * 1024;
/** Throws if the text is not one complete element, or longer than any expected answer. */
function parseXml(source) {
    if (source.length > LONGEST)
        throw new Error(`XML of ${source.length} characters, more than ${LONGEST}`);
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

/***/ 40335:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B: () => (/* binding */ endpointIn),
/* harmony export */   a: () => (/* binding */ serviceHost)
/* harmony export */ });
/** Domains of China and of the European Sovereign Cloud, by the beginning of their regions: `partitions.json` of AWS's own libraries. */
const DOMAINS = [
    ['cn-', 'amazonaws.com.cn'],
    ['eusc-', 'amazonaws.eu'],
];
/** `name`: as in addresses: `sts`, `api.ecr`. */
function serviceHost(name, region) {
    const [, domain] = DOMAINS.find(([regions]) => region.startsWith(regions)) ?? ['', 'amazonaws.com'];
    return `${name}.${region}.${domain}`;
}
/**
 * Another address of one service (`STS`, `AUTO_SCALING`), or of all of them, by the variables of AWS's own tools:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
function endpointIn(env, service) {
    return env[`AWS_ENDPOINT_URL_${service}`] || env['AWS_ENDPOINT_URL'] || undefined;
}


/***/ }),

/***/ 4491:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _L: () => (/* binding */ queryString),
/* harmony export */   _S: () => (/* binding */ sign)
/* harmony export */ });
/* unused harmony export signingKey */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/* harmony import */ var _lib_sha256_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(41923);
/* harmony import */ var _lib_uri_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(42600);
/**
 * AWS Signature Version 4 in headers, as its public specification describes it. Time and credentials are arguments.
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
    const text = ['AWS4-HMAC-SHA256', stamp, place, (0,_lib_sha256_js__WEBPACK_IMPORTED_MODULE_1__/* .sha256 */ .s)(canonical)].join('\n');
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
    const pairs = Object.entries(query).map(([name, value]) => `${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_2__/* .uriEncoded */ .n)(name)}=${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_2__/* .uriEncoded */ .n)(value)}`);
    return pairs.sort().join('&');
}
/** At most this many keys are kept for later requests of the same day. */
const KEPT = 16;
const kept = new Map();
/** The key of one day, region and service. */
function signingKey(secret, { region, service }, stamp) {
    const parts = [stamp.slice(0, 8), region, service, 'aws4_request'];
    const of = JSON.stringify([secret, ...parts]);
    const there = kept.get(of);
    if (there)
        return there;
    const made = parts.reduce((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
    if (kept.size >= KEPT)
        kept.clear();
    kept.set(of, made);
    return made;
}
function hmac(key, text) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHmac)('sha256', key).update(text).digest();
}
/** `20130524T000000Z` */
function timestamp(date) {
    return date.toISOString().replace(/[-:]|\.\d{3}/g, '');
}


/***/ })

};
