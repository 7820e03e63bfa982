export const id = 2037;
export const ids = [2037];
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

/***/ 2037:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  accessFromEnv: () => (/* binding */ accessFromEnv),
  parseIni: () => (/* binding */ parseIni)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/lib/error-code.js
var error_code = __webpack_require__(22516);
// EXTERNAL MODULE: ./build/js/vendors/aws/service.js
var service = __webpack_require__(40335);
// EXTERNAL MODULE: ./build/js/wire/credentials.js
var credentials = __webpack_require__(47980);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/s3/address.js
var address = __webpack_require__(29216);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(57975);
// EXTERNAL MODULE: ./build/js/lib/confidential.js
var confidential = __webpack_require__(27346);
// EXTERNAL MODULE: ./build/js/lib/http.js
var http = __webpack_require__(78928);
// EXTERNAL MODULE: ./build/js/lib/run.js
var run = __webpack_require__(43227);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/lib/answer.js
var answer = __webpack_require__(47174);
// EXTERNAL MODULE: ./build/js/lib/server-time.js
var server_time = __webpack_require__(33097);
// EXTERNAL MODULE: ./build/js/lib/shape.js
var shape = __webpack_require__(29611);
// EXTERNAL MODULE: ./build/js/vendors/metadata-service.js
var metadata_service = __webpack_require__(84803);
;// CONCATENATED MODULE: ./build/js/vendors/aws/imds.js
/**
 * The metadata service of a machine of AWS (IMDS), version 2: a session first, then what is asked for. Light: machines use it too.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */





/** Seconds; the longest session that there is. */
const SESSION = 21_600;
/** Bytes of an answer. */
const MOST = 65_536;
const ROLES = 'meta-data/iam/security-credentials/';
/** IMDS and the agents of containers say `Token`; a `credential_process` says `SessionToken`, and may write the time with `+00:00`. */
const answered = (0,shape/* object */.Ik)({
    AccessKeyId: (0,shape/* line */.n8)(4096),
    SecretAccessKey: (0,shape/* line */.n8)(4096),
    Token: (0,shape/* maybe */.no)((0,shape/* text */.Qq)(65_536)),
    SessionToken: (0,shape/* maybe */.no)((0,shape/* text */.Qq)(65_536)),
    Expiration: (0,shape/* maybe */.no)(shape/* foreignTime */.Gv),
});
/** Keys in the JSON with which all sources of credentials of AWS answer. Throws if it is anything else, without quoting it. */
function keysIn(json) {
    const value = (0,answer/* jsonIn */.Yf)(json);
    if (value === undefined)
        throw new Error('the answer is not JSON');
    const { AccessKeyId, SecretAccessKey, Token, SessionToken = Token, Expiration } = answered(value);
    const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, ...(SessionToken && { sessionToken: SessionToken }) };
    return { credentials, ...(Expiration !== undefined && { until: Expiration }) };
}
class Imds {
    #endpoint;
    /** The service's time, which its notices use: it dates its answers (https://github.com/jtblin/aws-mock-metadata/issues/3). */
    time = new server_time/* ServerTime */.F();
    #session;
    constructor(endpoint = metadata_service/* METADATA */.MV) {
        this.#endpoint = endpoint.replace(/\/+$/, '');
    }
    /** What is at `/latest/<path>`; `undefined` if there is no such thing, perhaps not yet. Throws while nothing answers. */
    async get(path) {
        for (let renewed = false;; renewed = true) {
            this.#session ??= await this.#begin();
            const answer = await this.#ask(path, 'GET', { 'x-aws-ec2-metadata-token': this.#session });
            if (answer.status === 401 && !renewed)
                this.#session = undefined;
            else
                return bodyOf(answer, path);
        }
    }
    /** Credentials of the machine's role. Throws if it has none, perhaps not yet: a new role takes a while to be known here. */
    async roleCredentials() {
        const role = (await this.get(ROLES))?.split('\n')[0]?.trim();
        if (!role)
            throw new Error('metadata service: this machine has no role, or none yet');
        const json = await this.get(ROLES + encodeURIComponent(role));
        if (json === undefined)
            throw new Error(`metadata service: nothing yet for the role "${role}"`);
        return keysIn(json);
    }
    async #begin() {
        const answer = await this.#ask('api/token', 'PUT', { 'x-aws-ec2-metadata-token-ttl-seconds': String(SESSION) });
        const session = bodyOf(answer, 'api/token');
        if (!session)
            throw new Error('metadata service: it does not start a session');
        return session;
    }
    async #ask(path, method, headers) {
        const answer = await (0,http/* ask */.kA)(`${this.#endpoint}/latest/${path}`, { method, headers, patience: metadata_service/* METADATA_PATIENCE */.uj, most: MOST });
        this.time.learn(answer.header('date'));
        return answer;
    }
}
function bodyOf(answer, path) {
    return answer.status === 404 ? undefined : (0,metadata_service/* metadataIn */.xj)(answer, `/latest/${path}`, MOST);
}

// EXTERNAL MODULE: ./build/js/vendors/id-token.js
var id_token = __webpack_require__(72149);
// EXTERNAL MODULE: ./build/js/vendors/login-fault.js
var login_fault = __webpack_require__(57366);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
// EXTERNAL MODULE: ./build/js/stores/xml.js
var xml = __webpack_require__(42020);
// EXTERNAL MODULE: ./build/js/stores/s3/errors.js
var errors = __webpack_require__(51241);
;// CONCATENATED MODULE: ./build/js/stores/s3/chain.js
/**
 * Where a controller's keys come from, and how it gets new ones when they expire. The first source that has keys counts, in the order of the `aws`
 * command: variables · a role that is assumed with the token of an identity provider (OIDC) · the profile · what AWS gives its containers and
 * machines.
 */















/** Milliseconds for one answer. */
const PATIENCE = 20_000;
/** Bytes at most of what a program prints or a server answers. */
const chain_MOST = 1 << 20;
/** The audience of a token that we ask for. */
const AUDIENCE = 'sts.amazonaws.com';
const CONTAINER = 'http://169.254.170.2';
/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html: plain http only to these hosts, and to this one. */
const PLAIN_HOSTS = ['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]'];
/** Keys of the first source that has any; `undefined`: none has. Throws StoreError if a source that was set up fails. */
async function chainOf({ env, profile, named, region }) {
    const own = named ? undefined : ofVariables(env);
    if (own)
        return { lent: own };
    const around = [async () => ofContainer(env), async (again) => ofMachine(env, again)];
    const said = named ? [] : [async () => ofToken(env, region)];
    const alone = named || meansAnother(await profile());
    for (const link of [...said, async () => ofProfile(await profile()), ...(alone ? [] : around)]) {
        const lent = await link(false);
        if (lent)
            return { lent, lend: renewed(lent, link) };
    }
    return undefined;
}
/** Gets new keys from the same source. Those without an expiry are renewed only after a refusal: if the source has no others, that is final. */
function renewed(first, link) {
    let last = first;
    return async () => {
        const lent = (await link(true)) ?? gone();
        if (lent.until === undefined && (0,external_node_util_.isDeepStrictEqual)(lent, last))
            throw new store/* StoreError */.AD('denied', 'storage: the credentials have expired, and their source has no new ones yet: sign in again');
        last = lent;
        return lent;
    };
}
function gone() {
    throw new store/* StoreError */.AD('denied', 'storage: the credentials are no longer where they were at the start');
}
function ofVariables(env) {
    const credentials = pack(env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY'], env['AWS_SESSION_TOKEN']);
    const until = env['AWS_CREDENTIAL_EXPIRATION'];
    return credentials && { credentials, ...(until && !Number.isNaN(Date.parse(until)) && { until: new Date(until).toISOString() }) };
}
/**
 * Whether the profile signs in or assumes a role, which only AWS's own tools can do. Then the keys of the machine are not used: they have other
 * rights, perhaps in another account, and the user has not asked for them.
 */
function meansAnother(profile) {
    return [...profile.keys()].some((name) => /^(?:sso_|role_arn$|source_profile$|credential_source$|login_session$)/.test(name));
}
/** Keys in the files, or those that the profile's `credential_process` prints (such as `aws configure export-credentials`). */
async function ofProfile(profile) {
    const credentials = pack(profile.get('aws_access_key_id'), profile.get('aws_secret_access_key'), profile.get('aws_session_token'));
    if (credentials)
        return { credentials };
    const command = profile.get('credential_process');
    if (!command)
        return undefined;
    return await trying('the credential_process of the profile', async () => {
        const { stdout } = await (0,run/* run */.e)('/bin/sh', ['-c', command], { timeout: PATIENCE, maxBuffer: chain_MOST }).catch(refusal);
        return keysIn(stdout);
    });
}
/** The failure is final if the command ended by itself. If it could not be started, or took too long, another try may succeed. */
function refusal(error) {
    if (typeof error.code !== 'number')
        throw error;
    const said = (0,lib_text/* oneLine */.TN)((error.stderr ?? '').trim()).slice(-300);
    throw new Refused(`it ends with ${error.code}${said === '' ? '' : `: ${said}`}`);
}
function pack(accessKeyId, secretAccessKey, sessionToken) {
    if (!accessKeyId || !secretAccessKey)
        return undefined;
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
/** A role, assumed with a token that is in a file or, in a job of GitHub, comes from GitHub. */
async function ofToken(env, region) {
    const role = env['AWS_ROLE_ARN'];
    const file = env['AWS_WEB_IDENTITY_TOKEN_FILE'];
    const url = env['ACTIONS_ID_TOKEN_REQUEST_URL'];
    if (!role || !(file || url))
        return undefined;
    const once = async () => {
        const token = file ? (await (0,promises_.readFile)(file, 'utf8')).trim() : await idToken(url ?? '', env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? '');
        return await assume(env, role, token, region ?? 'us-east-1');
    };
    return await trying(`the role ${role}`, async () => (0,login_fault/* askedAgain */.V6)(once, (error) => !(error instanceof Refused)));
}
async function idToken(url, bearer) {
    const [address, request] = (0,id_token/* idTokenRequest */.E)(url, bearer, AUDIENCE);
    return (0,parse/* parseShape */.Tr)(id_token/* idTokenAnswer */.d, await ask(address, request)).value;
}
/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html. The request is not signed: the token is the proof. */
async function assume(env, role, token, region) {
    const endpoint = (0,service/* endpointIn */.B)(env, 'STS') ?? `https://${(0,service/* serviceHost */.a)('sts', region)}`;
    const form = new URLSearchParams({
        Action: 'AssumeRoleWithWebIdentity',
        Version: '2011-06-15',
        RoleArn: role,
        RoleSessionName: env['AWS_ROLE_SESSION_NAME'] || 'tpi',
        WebIdentityToken: token,
    });
    const answer = await ask(new URL(endpoint), { method: 'POST', body: form });
    const [result] = (0,xml/* childrenOf */.LU)((0,xml/* parseXml */.NO)(answer.trim()), 'AssumeRoleWithWebIdentityResult');
    const [keys] = result ? (0,xml/* childrenOf */.LU)(result, 'Credentials') : [];
    const found = keys && pack((0,xml/* textOf */.b6)(keys, 'AccessKeyId'), (0,xml/* textOf */.b6)(keys, 'SecretAccessKey'), (0,xml/* textOf */.b6)(keys, 'SessionToken'));
    const until = keys && (0,xml/* textOf */.b6)(keys, 'Expiration');
    if (!found || !until)
        throw new Error('its answer has no credentials');
    return { credentials: found, until };
}
async function ofContainer(env) {
    const relative = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
    const full = relative ? CONTAINER + relative : env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
    if (!full)
        return undefined;
    return await trying('the container', async () => {
        const url = new URL(full);
        if (!(0,confidential/* isConfidential */.F)(url, PLAIN_HOSTS))
            throw new Error(`${url.origin} is plain http to another host`);
        const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
        const authorization = file ? (await (0,promises_.readFile)(file, 'utf8')).trim() : env['AWS_CONTAINER_AUTHORIZATION_TOKEN'];
        return keysIn(await ask(url, { headers: { ...(authorization && { authorization }) } }));
    });
}
/** Comes last. At first, a failure only means that this is not a machine of AWS: nothing answers at that address. */
async function ofMachine(env, again) {
    if (env['AWS_EC2_METADATA_DISABLED']?.toLowerCase() === 'true')
        return undefined;
    const imds = new Imds(env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || undefined);
    if (!again)
        return await imds.roleCredentials().catch(() => undefined);
    return await trying('the role of this machine', async () => imds.roleCredentials());
}
class Refused extends Error {
}
/** Codes that are worth another try, although their status is 400: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html#API_AssumeRoleWithWebIdentity_Errors */
const PASSING = new Set(['IDPCommunicationError', 'Throttling', 'ThrottlingException']);
async function ask(url, call) {
    const { ok, status, text = '' } = await (0,http/* ask */.kA)(url, { ...call, patience: PATIENCE, most: chain_MOST });
    if (ok)
        return text;
    const error = (0,errors/* errorElement */.xd)(Buffer.from(text));
    const code = (error && (0,xml/* textOf */.b6)(error, 'Code')) ?? '';
    const said = error ? `${code}: ${(0,xml/* textOf */.b6)(error, 'Message') ?? ''}` : '';
    const Fault = status >= 500 || status === 429 || PASSING.has(code) ? Error : Refused;
    throw new Fault(`answers ${status}${said === '' ? '' : ` ${said.replace(/\s+/g, ' ').slice(0, 300)}`}`);
}
/** Runs `body`; its failure becomes a StoreError that names the source (`who`). No other source is tried in its place. */
async function trying(who, body) {
    try {
        return await body();
    }
    catch (error) {
        throw (0,credentials/* notLent */.Z3)(error instanceof Refused ? 'denied' : 'unavailable', who, error);
    }
}

;// CONCATENATED MODULE: ./build/js/stores/s3/access.js
/** Where the controller finds region, endpoint and credentials of a bucket: the variables and files that AWS tools use. */









/**
 * Options win, then the environment (`AWS_REGION`, `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`), then the profile in
 * `~/.aws`. `chain.ts` finds the credentials, and new ones when they expire. A profile that was named by option wins over keys in the
 * environment. Throws StoreError `denied` if there are no credentials, `invalid` for a bad endpoint; messages never show a credential.
 */
async function accessFromEnv(url, env, options = {}) {
    const read = async () => readProfile(env, options.profile);
    const profile = await read();
    const region = options.region ?? (env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || profile.get('region'));
    const endpoint = options.endpoint ?? ((0,service/* endpointIn */.B)(env, 'S3') || profile.get('s3.endpoint_url') || profile.get('endpoint_url'));
    if (endpoint)
        (0,address/* endpointOf */.X5)(endpoint);
    const chain = await chainOf({ env, profile: read, named: options.profile !== undefined, region });
    if (!chain)
        throw missing(url, env, options);
    const { lent, lend } = chain;
    return {
        url,
        settings: { ...(region && { region }), ...(endpoint && { endpoint }) },
        credentials: lent.credentials,
        ...(lent.until !== undefined ? { until: lent.until } : lent.credentials['sessionToken'] && { temporary: true }),
        ...(lend && { source: (0,credentials/* renewing */.IU)({ lend, clock: options.clock ?? clock/* systemClock */.ml, first: lent }) }),
    };
}
/**
 * Settings of the profile in both files; the credentials file wins. Those for one service are in a section that the profile names:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
async function readProfile(env, profile) {
    const name = profile ?? (env['AWS_PROFILE'] || 'default');
    const config = await readIni(env['AWS_CONFIG_FILE'] || atHome(env, 'config'));
    const secret = await readIni(env['AWS_SHARED_CREDENTIALS_FILE'] || atHome(env, 'credentials'));
    const settings = [...(config.get(name) ?? []), ...(secret.get(name) ?? [])];
    const services = config.get(`services ${new Map(settings).get('services') ?? ''}`);
    return new Map([...(services ?? []), ...settings]);
}
/** `undefined` without a home folder: never a file in the current folder, which may be somebody else's checkout. */
function atHome(env, name) {
    const home = env['HOME'] ?? '';
    return (0,external_node_path_.isAbsolute)(home) ? (0,external_node_path_.join)(home, '.aws', name) : undefined;
}
async function readIni(path) {
    if (path === undefined)
        return new Map();
    try {
        return parseIni(await (0,promises_.readFile)(path, 'utf8'));
    }
    catch (error) {
        if ((0,error_code/* isGone */.ST)(error))
            return new Map();
        throw new store/* StoreError */.AD('denied', `storage: could not read "${path}"`, { cause: error });
    }
}
function missing(url, env, options) {
    const profile = options.profile ?? (env['AWS_PROFILE'] || undefined);
    const found = profile === undefined ? 'no credentials' : `no access key in the profile "${profile}"`;
    const remedy = 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), or AWS_PROFILE';
    const more = 'for a profile that signs in or assumes a role, put "credential_process = aws configure export-credentials --profile NAME" into another';
    return new store/* StoreError */.AD('denied', `storage: ${found} for "${url}"; ${remedy}; ${more}`);
}
/**
 * Sections with their settings. A nested setting (indented below a name) is called `NAME.SETTING`. Other lines are skipped. As in AWS's tools, a
 * whole section may be indented, and blanks at the end of a line mean nothing.
 */
function parseIni(text) {
    const sections = new Map();
    let section;
    let depth = Number.POSITIVE_INFINITY;
    let parent = '';
    for (const line of text.split(/\r?\n/)) {
        if (/^\s*(?:[#;]|$)/.test(line))
            continue;
        const title = /^\[\s*(?:profile\s+)?"?([^\]"]+?)"?\s*\](?:\s*[#;].*)?$/.exec(line.trimEnd())?.[1];
        if (title !== undefined) {
            section = sections.get(title) ?? new Map();
            sections.set(title, section);
            depth = Number.POSITIVE_INFINITY;
            continue;
        }
        const [, blanks = '', name, value = ''] = /^(\s*)([^\s=:][^=:]*?)\s*=\s*(.*?)(?:\s+[#;].*)?$/.exec(line.trimEnd()) ?? [];
        if (name === undefined)
            continue;
        const own = name.toLowerCase();
        const nested = blanks.length > depth;
        section?.set(nested ? `${parent}.${own}` : own, value);
        if (nested)
            continue;
        depth = blanks.length;
        parent = own;
    }
    return sections;
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

/***/ 72149:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ idTokenRequest),
/* harmony export */   d: () => (/* binding */ idTokenAnswer)
/* harmony export */ });
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/** A job of a forge asks for a token that says who it is: for whom, and what the answer is. */

/** `url`, `bearer`: what the job has for that in its environment. */
function idTokenRequest(url, bearer, audience) {
    const address = new URL(url);
    address.searchParams.set('audience', audience);
    return [address, { headers: { authorization: `Bearer ${bearer}` } }];
}
const idTokenAnswer = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ value: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .line */ .n8)(65_536) });


/***/ }),

/***/ 57366:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   JN: () => (/* binding */ readAnswer),
/* harmony export */   K0: () => (/* binding */ loginAnswer),
/* harmony export */   V6: () => (/* binding */ askedAgain),
/* harmony export */   u5: () => (/* binding */ LoginFault)
/* harmony export */ });
/* harmony import */ var _lib_answer_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(47174);
/* harmony import */ var _lib_backoff_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(71874);
/* harmony import */ var _lib_http_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(78928);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(40859);
/** Why a login of a vendor gives no token, and how its services are asked for one. */




/** `final`: refused or set up wrongly, so trying again does not help; otherwise out of reach for now. */
class LoginFault extends Error {
    final;
    constructor(final, message, options) {
        super(message, options);
        this.final = final;
    }
}
/** Milliseconds for one answer. */
const PATIENCE = 20_000;
/** Bytes of one: several times the longest token. */
const MOST = 1 << 20;
/** Tries of a call, and milliseconds of pauses. */
const RETRY = { tries: 3, first: 500, longest: 2000 };
/**
 * Asks a service again that is busy, or out of reach for a moment: the one that gives jobs of GitHub their tokens answers 503 every now and
 * then (https://github.com/Azure/login/issues/591). Once `PATIENCE` is over, there is no further try, because somebody is waiting.
 */
async function askedAgain(act, passes) {
    const end = performance.now() + PATIENCE;
    return await (0,_lib_backoff_js__WEBPACK_IMPORTED_MODULE_0__/* .retry */ .L)(act, { ...RETRY, again: (error) => passes(error) && performance.now() < end });
}
/** The text that a service of logins answers. Throws its `Fault`. */
async function loginAnswer(url, { once = false, ...call }, service) {
    if (once)
        return await answerOf(url, call, service);
    return await askedAgain(async () => answerOf(url, call, service), (error) => error instanceof LoginFault && !error.final);
}
async function answerOf(url, call, { Fault, words }) {
    const { ok, status, text } = await (0,_lib_http_js__WEBPACK_IMPORTED_MODULE_1__/* .ask */ .kA)(url, { patience: PATIENCE, ...call, most: MOST }).catch((cause) => {
        if (!(cause instanceof _lib_http_js__WEBPACK_IMPORTED_MODULE_1__/* .Unanswered */ .XX))
            throw cause;
        throw new Fault(false, `${url.host} cannot be reached: ${cause.message}`, { cause });
    });
    if (text === undefined)
        throw new Fault(false, `${url.host} answers with more than ${MOST} bytes, which is not a token`);
    if (ok)
        return text;
    throw new Fault(status < 500 && status !== 429 && status !== 408, (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLine */ .TN)(`${url.host} answers ${status}${said(text, words)}`));
}
/** What `read` finds in an answer. If it throws, something else has answered in the service's place, so the `Fault` is not final. */
function readAnswer(host, Fault, read) {
    try {
        return read();
    }
    catch (cause) {
        throw new Fault(false, `the answer of ${host} is not valid`, { cause });
    }
}
function said(body, words) {
    try {
        return `: ${words((0,_lib_answer_js__WEBPACK_IMPORTED_MODULE_3__/* .jsonIn */ .Yf)(body)).slice(0, 300)}`;
    }
    catch {
        return '';
    }
}


/***/ }),

/***/ 84803:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MV: () => (/* binding */ METADATA),
/* harmony export */   XE: () => (/* binding */ METADATA_HOST),
/* harmony export */   uj: () => (/* binding */ METADATA_PATIENCE),
/* harmony export */   xj: () => (/* binding */ metadataIn)
/* harmony export */ });
const METADATA_HOST = '169.254.169.254';
const METADATA = `http://${METADATA_HOST}`;
/** Milliseconds: it is on the same host; without one, nothing answers. */
const METADATA_PATIENCE = 2_000;
/** Throws if the answer is a refusal. `what`: what was asked for, as people know it. `most`: bytes. */
function metadataIn({ ok, status, text }, what, most) {
    if (!ok)
        throw new Error(`metadata service: ${what} answers ${status}`);
    if (text === undefined)
        throw new Error(`metadata service: ${what} has more than ${most} bytes`);
    return text;
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
