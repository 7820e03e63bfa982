export const id = 5741;
export const ids = [5741];
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

/***/ 47192:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ signedToken)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(77598);
/** A JSON Web Token that a private RSA key signs (https://www.rfc-editor.org/rfc/rfc7518#section-3.1). */

const PADDINGS = {
    RS256: { padding: node_crypto__WEBPACK_IMPORTED_MODULE_0__.constants.RSA_PKCS1_PADDING },
    PS256: { padding: node_crypto__WEBPACK_IMPORTED_MODULE_0__.constants.RSA_PKCS1_PSS_PADDING, saltLength: node_crypto__WEBPACK_IMPORTED_MODULE_0__.constants.RSA_PSS_SALTLEN_DIGEST },
};
/** `key`: as text, it is in PEM format. Throws if it is no key. */
function signedToken(head, claims, key) {
    const unsigned = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signer = { key: typeof key === 'string' ? (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createPrivateKey)(key) : key, ...PADDINGS[head.alg] };
    return `${unsigned}.${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.sign)('sha256', Buffer.from(unsigned), signer).toString('base64url')}`;
}


/***/ }),

/***/ 5741:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  p3: () => (/* binding */ googleLogin),
  DQ: () => (/* binding */ loginOf),
  v8: () => (/* binding */ projectOf)
});

// UNUSED EXPORTS: GoogleFault

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/lib/error-code.js
var error_code = __webpack_require__(22516);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/lib/answer.js
var answer = __webpack_require__(47174);
// EXTERNAL MODULE: ./build/js/lib/confidential.js
var confidential = __webpack_require__(27346);
// EXTERNAL MODULE: ./build/js/lib/record.js
var record = __webpack_require__(96645);
// EXTERNAL MODULE: ./build/js/lib/shape.js
var lib_shape = __webpack_require__(29611);
// EXTERNAL MODULE: ./build/js/lib/signed-token.js
var signed_token = __webpack_require__(47192);
// EXTERNAL MODULE: ./build/js/vendors/login-fault.js
var login_fault = __webpack_require__(57366);
// EXTERNAL MODULE: ./build/js/vendors/metadata-service.js
var metadata_service = __webpack_require__(84803);
// EXTERNAL MODULE: ./build/js/lib/http.js
var http = __webpack_require__(78928);
;// CONCATENATED MODULE: ./build/js/vendors/google/metadata.js
/**
 * The metadata service of a machine of Google Cloud. Light: machines use it too.
 * https://docs.cloud.google.com/compute/docs/metadata/querying-metadata
 */




/** Seconds after which the service answers even if what it was asked to watch has not changed. */
const WAIT = 60;
/** Milliseconds until it counts as silent during such a wait. */
const WAITING = 65_000;
/** Bytes of an answer. */
const MOST = 1 << 20;
const lentToken = (0,lib_shape/* object */.Ik)({ access_token: (0,lib_shape/* line */.n8)(65_536), expires_in: (0,lib_shape/* count */.U9)(1e6) });
/** The token in an answer, which says for how many seconds it is valid. Throws Misfit if there is none; the message does not quote the answer. */
function tokenIn(json) {
    const { access_token: token, expires_in: seconds } = lentToken((0,answer/* jsonIn */.Yf)(json));
    return { credentials: { token }, until: new Date(Date.now() + seconds * 1000).toISOString() };
}
class GoogleMetadata {
    #endpoint;
    /** `endpoint`: the variable `GCE_METADATA_HOST` of Google's own clients has no scheme. */
    constructor(endpoint = metadata_service/* METADATA */.MV) {
        this.#endpoint = (endpoint.includes('://') ? endpoint : `http://${endpoint}`).replace(/\/+$/, '');
    }
    /** What is at `/computeMetadata/v1/<path>`; `undefined` if there is no such thing, perhaps not yet. Throws while nothing answers. */
    async get(path) {
        return (await this.#ask(path, {}, metadata_service/* METADATA_PATIENCE */.uj))?.text;
    }
    /** The same, as soon as it differs from the known state, or after a minute. */
    async changed(path, { etag }, signal) {
        const query = { wait_for_change: 'true', timeout_sec: String(WAIT), last_etag: etag };
        return await this.#ask(path, query, WAITING, signal);
    }
    /** A token of the machine's service account. Throws if it has none. */
    async token() {
        const json = await this.get('instance/service-accounts/default/token');
        if (json === undefined)
            throw new Error('metadata service: this machine has no service account');
        return tokenIn(json);
    }
    async #ask(path, query, patience, signal) {
        const search = new URLSearchParams(query).toString();
        const url = `${this.#endpoint}/computeMetadata/v1/${path}${search && `?${search}`}`;
        const answer = await (0,http/* ask */.kA)(url, { headers: { 'metadata-flavor': 'Google' }, signal, patience, most: MOST });
        // Another server at that address does not send this header.
        if (answer.header('metadata-flavor') !== 'Google')
            throw new Error('metadata service: the answer is not from Google');
        if (answer.status === 404)
            return undefined;
        return { text: (0,metadata_service/* metadataIn */.xj)(answer, path, MOST), etag: answer.header('etag') ?? '0' };
    }
}

;// CONCATENATED MODULE: ./build/js/vendors/google/exchange.js
/** Tokens by a credential file of Google: each type of file has its own way to get them (https://google.aip.dev/auth). */










class GoogleFault extends login_fault/* LoginFault */.u5 {
    name = 'GoogleFault';
}
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const TOKEN_URI = 'https://oauth2.googleapis.com/token';
/** Seconds: the longest that Google lends for without being asked to. */
const HOUR = 3600;
const exchange_long = (0,lib_shape/* line */.n8)(8192);
/** By the `type` of the file. */
const TYPES = {
    service_account: serviceAccount,
    authorized_user: authorizedUser,
    external_account: externalAccount,
    impersonated_service_account: impersonated,
};
/** Throws GoogleFault if it is not such a file. Makes no call yet. */
function loginOfFile(content) {
    const file = (0,answer/* jsonIn */.Yf)(content);
    if (file === undefined)
        throw new GoogleFault(true, 'it is not JSON');
    const { type = '' } = shaped((0,lib_shape/* object */.Ik)({ type: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(64)) }), file);
    const make = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (!make)
        throw new GoogleFault(true, `its type is "${type}"; allowed: ${Object.keys(TYPES).join(', ')}`);
    return make(file);
}
const serviceAccountShape = (0,lib_shape/* object */.Ik)({
    client_email: (0,lib_shape/* line */.n8)(512),
    private_key: (0,lib_shape/* text */.Qq)(65_536),
    private_key_id: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(512)),
    token_uri: (0,lib_shape/* maybe */.no)(exchange_long),
    project_id: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(256)),
});
/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest: an assertion that the key signs. */
function serviceAccount(value) {
    const file = shaped(serviceAccountShape, value);
    const uri = address(file.token_uri ?? TOKEN_URI);
    return {
        who: `the service account ${file.client_email}`,
        email: file.client_email,
        ...(file.project_id && { project: file.project_id }),
        portable: true,
        lend: async () => {
            const assertion = signed(file, uri.href);
            return await post(uri, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
        },
    };
}
function signed({ client_email: iss, private_key: key, private_key_id: kid }, aud) {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss, scope: SCOPE, aud, iat: now, exp: now + HOUR };
    try {
        return (0,signed_token/* signedToken */.i)({ alg: 'RS256', typ: 'JWT', ...(kid && { kid }) }, claims, key);
    }
    catch (cause) {
        throw new GoogleFault(true, 'its "private_key" is not an RSA key in PEM format', { cause });
    }
}
const authorizedUserShape = (0,lib_shape/* object */.Ik)({
    client_id: exchange_long,
    client_secret: exchange_long,
    refresh_token: exchange_long,
    token_uri: (0,lib_shape/* maybe */.no)(exchange_long),
    quota_project_id: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(256)),
});
/** https://developers.google.com/identity/protocols/oauth2/web-server#offline: what `gcloud auth application-default login` leaves. */
function authorizedUser(value) {
    const { token_uri: uri = TOKEN_URI, quota_project_id: project, ...fields } = shaped(authorizedUserShape, value);
    const url = address(uri);
    return {
        who: 'the user who has signed in with gcloud',
        ...(project && { project }),
        portable: true,
        lend: async () => await post(url, { ...fields, grant_type: 'refresh_token' }),
    };
}
const externalAccountShape = (0,lib_shape/* object */.Ik)({
    audience: exchange_long,
    subject_token_type: exchange_long,
    token_url: exchange_long,
    service_account_impersonation_url: (0,lib_shape/* maybe */.no)(exchange_long),
    credential_source: (0,lib_shape/* object */.Ik)({
        file: (0,lib_shape/* maybe */.no)(exchange_long),
        url: (0,lib_shape/* maybe */.no)(exchange_long),
        headers: (0,lib_shape/* maybe */.no)((0,lib_shape/* dictionary */.zz)((0,lib_shape/* line */.n8)(256), exchange_long, 32)),
        format: (0,lib_shape/* maybe */.no)((0,lib_shape/* object */.Ik)({ type: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(16)), subject_token_field_name: (0,lib_shape/* maybe */.no)((0,lib_shape/* line */.n8)(256)) })),
    }),
});
/**
 * Workload identity federation (https://google.aip.dev/auth/4117): exchanges a token of an issuer whom Google trusts for one of Google's,
 * and that for one of a service account, if the file names one.
 */
function externalAccount(value) {
    const file = shaped(externalAccountShape, value);
    const { file: path, url } = file.credential_source;
    if (!path && !url)
        throw new GoogleFault(true, 'its "credential_source" names neither "file" nor "url": tokens of programs and of AWS are not supported');
    const sts = address(file.token_url);
    const onward = file.service_account_impersonation_url;
    const email = onward && accountIn(onward);
    return {
        who: `workload identity federation${email ? ` as ${email}` : ''}`,
        ...(email && { email }),
        portable: false,
        lend: async () => {
            const form = {
                grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
                audience: file.audience,
                scope: SCOPE,
                requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
                subject_token: await subjectToken(file.credential_source),
                subject_token_type: file.subject_token_type,
            };
            const lent = await post(sts, form);
            return onward ? await impersonate(address(onward), lent.credentials.token) : lent;
        },
    };
}
async function subjectToken({ file, url, headers, format }) {
    const said = file
        ? await (0,promises_.readFile)(file, 'utf8').catch((cause) => {
            throw new GoogleFault(true, `the token file "${file}" cannot be read`, { cause });
        })
        : await ask(address(url ?? ''), { headers: headers ?? {} });
    if (format?.type !== 'json')
        return said.trim();
    const name = format.subject_token_field_name ?? '';
    const token = (0,record/* fieldsIn */.t5)((0,answer/* jsonIn */.Yf)(said))[name];
    if (typeof token === 'string' && token !== '')
        return token;
    throw new GoogleFault(true, `there is no token under "${name}" where its "credential_source" says`);
}
const impersonatedShape = (0,lib_shape/* object */.Ik)({
    service_account_impersonation_url: exchange_long,
    delegates: (0,lib_shape/* maybe */.no)((0,lib_shape/* list */.p_)((0,lib_shape/* line */.n8)(512), 32)),
    source_credentials: (0,lib_shape/* json */.Pq)(),
});
/** `gcloud auth application-default login --impersonate-service-account`: one login that may speak for another. */
function impersonated(value) {
    const { service_account_impersonation_url: url, source_credentials: source, delegates } = shaped(impersonatedShape, value);
    const own = loginOfFile(JSON.stringify(source));
    const onward = address(url);
    const email = accountIn(url);
    return {
        ...own,
        who: `${email ?? 'a service account'}, impersonated by ${own.who}`,
        ...(email && { email }),
        lend: async () => await impersonate(onward, (await own.lend()).credentials.token, delegates),
    };
}
const accountIn = (url) => /\/serviceAccounts\/([^/:]+):generateAccessToken$/.exec(url)?.[1];
const generated = (0,lib_shape/* object */.Ik)({ accessToken: (0,lib_shape/* line */.n8)(65_536), expireTime: lib_shape/* time */.kB });
/** https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
async function impersonate(url, token, delegates) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ ...(delegates && { delegates }), scope: [SCOPE], lifetime: `${HOUR}s` });
    const said = await ask(url, { method: 'POST', headers, body });
    const { accessToken, expireTime } = (0,login_fault/* readAnswer */.JN)(url.host, GoogleFault, () => generated((0,answer/* jsonIn */.Yf)(said)));
    return { credentials: { token: accessToken }, until: expireTime };
}
function address(url) {
    const found = URL.canParse(url) ? new URL(url) : undefined;
    if (found && (0,confidential/* isConfidential */.F)(found, [metadata_service/* METADATA_HOST */.XE]))
        return found;
    throw new GoogleFault(true, `it names "${(0,lib_text/* oneLine */.TN)(url).slice(0, 200)}", which is not an https address`);
}
/** The token that a service of OAuth gives for a form. */
async function post(url, form) {
    const said = await ask(url, { method: 'POST', body: new URLSearchParams(form) });
    return (0,login_fault/* readAnswer */.JN)(url.host, GoogleFault, () => tokenIn(said));
}
const refusal = (0,lib_shape/* object */.Ik)({ error: (0,lib_shape/* maybe */.no)((0,lib_shape/* json */.Pq)()), error_description: (0,lib_shape/* maybe */.no)((0,lib_shape/* text */.Qq)(4096)) });
const detail = (0,lib_shape/* object */.Ik)({ message: (0,lib_shape/* maybe */.no)((0,lib_shape/* text */.Qq)(4096)) });
async function ask(url, call) {
    return await (0,login_fault/* loginAnswer */.K0)(url, call, { Fault: GoogleFault, words });
}
/** OAuth answers with a word and a sentence; Google's other services have a message in an object. */
function words(said) {
    const { error, error_description: more } = refusal(said);
    return (typeof error === 'string' ? [error, more] : [detail(error).message]).filter(Boolean).join(': ');
}
/** The fields of a file. */
function shaped(shape, file) {
    try {
        return shape(file);
    }
    catch (error) {
        if (error instanceof lib_shape/* Misfit */.$C)
            throw new GoogleFault(true, error.message);
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/js/vendors/google/login.js
/**
 * The caller's identity for Google, first match: a token in a variable · a credential in a variable · the file that a variable names · what
 * gcloud has stored · the machine's own service account. The last three are the order of Google's clients
 * (https://docs.cloud.google.com/docs/authentication/application-default-credentials); the first two win in `gcloud`, in other tools and in TPI.
 */







const INLINE = ['GOOGLE_APPLICATION_CREDENTIALS_DATA', 'GOOGLE_CREDENTIALS'];
const TOKENS = ['CLOUDSDK_AUTH_ACCESS_TOKEN', 'GOOGLE_OAUTH_ACCESS_TOKEN'];
const PROJECTS = ['GOOGLE_CLOUD_PROJECT', 'CLOUDSDK_CORE_PROJECT', 'GCLOUD_PROJECT', 'GOOGLE_PROJECT'];
/** `undefined`: there is none here. Throws GoogleFault if one was set up and cannot be used; no other one is tried instead. */
async function googleLogin(env) {
    return ofToken(env) ?? ofVariable(env) ?? (await ofFile(env)) ?? (await ofGcloud(env)) ?? (await ofMachine(env));
}
/** The project to use: from the usual variables, otherwise the credential's own. */
function projectOf(env, login) {
    return first(env, PROJECTS)?.value ?? login?.project;
}
function ofVariable(env) {
    const found = first(env, INLINE);
    // Some tools take a path in GOOGLE_CREDENTIALS.
    if (!found?.value.trimStart().startsWith('{'))
        return undefined;
    return ofContent(found.value, found.name);
}
async function ofFile(env) {
    const path = env['GOOGLE_APPLICATION_CREDENTIALS'];
    if (!path)
        return undefined;
    const content = await (0,promises_.readFile)(path, 'utf8').catch((cause) => {
        throw new GoogleFault(true, `GOOGLE_APPLICATION_CREDENTIALS names "${path}", which cannot be read`, { cause });
    });
    return ofContent(content, 'GOOGLE_APPLICATION_CREDENTIALS');
}
function ofToken(env) {
    const found = first(env, TOKENS);
    if (!found)
        return undefined;
    return { who: `the token in ${found.name}`, lend: async () => ({ credentials: { token: found.value.trim() } }) };
}
async function ofGcloud(env) {
    const home = env['HOME'] ?? '';
    const folder = env['CLOUDSDK_CONFIG'] || ((0,external_node_path_.isAbsolute)(home) ? (0,external_node_path_.join)(home, '.config', 'gcloud') : undefined);
    if (folder === undefined)
        return undefined;
    const path = (0,external_node_path_.join)(folder, 'application_default_credentials.json');
    const content = await (0,promises_.readFile)(path, 'utf8').catch((cause) => {
        if ((0,error_code/* isGone */.ST)(cause))
            return undefined;
        throw new GoogleFault(true, `"${path}" cannot be read`, { cause });
    });
    return content === undefined ? undefined : ofContent(content, `"${path}"`);
}
/** Tried last, and silently: on any other computer nothing answers there. */
async function ofMachine(env) {
    if (env['NO_GCE_CHECK'] === 'true' || env['METADATA_SERVER_DETECTION'] === 'none')
        return undefined;
    const metadata = new GoogleMetadata(env['GCE_METADATA_HOST'] || undefined);
    const there = await metadata.token().then(() => true, () => false);
    if (!there)
        return undefined;
    const [email, project] = await Promise.all(['instance/service-accounts/default/email', 'project/project-id'].map((path) => metadata.get(path).catch(() => undefined)));
    return {
        who: email === undefined ? 'the service account of this machine' : `the service account ${email} of this machine`,
        ...(email && { email }),
        ...(project && { project }),
        lend: async () => await metadata.token().catch((cause) => {
            throw new GoogleFault(false, (0,lib_text/* messageOf */.bD)(cause), { cause });
        }),
    };
}
/** The login for a credential that was sent here. */
function loginOf(content) {
    return ofContent(content, 'the storage');
}
function ofContent(content, where) {
    const named = (error) => error instanceof GoogleFault ? new GoogleFault(error.final, `the credential of ${where}: ${error.message}`, { cause: error }) : error;
    let login;
    try {
        login = loginOfFile(content);
    }
    catch (error) {
        throw named(error);
    }
    const { portable, ...rest } = login;
    return {
        ...rest,
        who: `${login.who} (${where})`,
        ...(portable && { file: content }),
        lend: async () => await login.lend().catch((error) => {
            throw named(error);
        }),
    };
}
function first(env, names) {
    for (const name of names) {
        const value = env[name];
        if (value)
            return { name, value };
    }
    return undefined;
}


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


/***/ })

};
