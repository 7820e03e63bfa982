export const id = 6106;
export const ids = [6106];
export const modules = {

/***/ 47174:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U$: () => (/* binding */ bytesUpTo),
/* harmony export */   Yf: () => (/* binding */ jsonIn),
/* harmony export */   qx: () => (/* binding */ textUpTo)
/* harmony export */ });
/** The body of a foreign answer. */
/** `undefined`: it is longer than `most` bytes, and the rest of it is not read. */
async function textUpTo(most, answer) {
    return (await bytesUpTo(most, answer))?.toString('utf8');
}
/** The same as it is. */
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
/** `undefined`: it is not JSON, such as the page of a proxy, of which the status says enough. */
function jsonIn(text) {
    try {
        return JSON.parse(text ?? '');
    }
    catch {
        return undefined;
    }
}


/***/ }),

/***/ 74171:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D6: () => (/* binding */ loginOfSecret),
/* harmony export */   xy: () => (/* binding */ azureLogin)
/* harmony export */ });
/* unused harmony exports AzureFault, machineToken */
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(57975);
/* harmony import */ var _confidential_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(27346);
/* harmony import */ var _id_token_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(53409);
/* harmony import */ var _login_fault_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(20850);
/* harmony import */ var _metadata_service_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(65287);
/* harmony import */ var _shape_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(29611);
/* harmony import */ var _text_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(40859);
/**
 * The caller's identity for Azure, first match: the secret or federated token of an application · what `az login` keeps · the identity of the
 * machine. The order is that of Microsoft's clients
 * (https://learn.microsoft.com/azure/developer/javascript/sdk/authentication/credential-chains#defaultazurecredential-overview).
 */









class AzureFault extends _login_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .LoginFault */ .u {
    name = 'AzureFault';
}
const AUTHORITY = 'https://login.microsoftonline.com';
/** The audience of a forge's token. https://learn.microsoft.com/entra/workload-id/workload-identity-federation */
const AUDIENCE = 'api://AzureADTokenExchange';
/** Milliseconds for what `az` says. */
const PATIENCE = 20_000;
/** Bytes of it. */
const MOST = 1 << 20;
/** `undefined`: there is none here. Throws AzureFault if one was set up that cannot be used: no other one is tried instead. */
async function azureLogin(env) {
    return ofApplication(env) ?? (await ofCommand(env)) ?? (await ofMachine(env));
}
/** The login for a credential that was sent here. */
function loginOfSecret(secret) {
    const { client, clientSecret, tenant, authority } = secret;
    return {
        who: `the application ${client}`,
        secret,
        lend: async (resource) => await exchange({ tenant, client, authority }, resource, { client_secret: clientSecret }),
    };
}
function ofApplication(env) {
    const [tenant, client] = [env['AZURE_TENANT_ID'], env['AZURE_CLIENT_ID']];
    if (!tenant || !client)
        return undefined;
    const authority = env['AZURE_AUTHORITY_HOST'] || undefined;
    const clientSecret = env['AZURE_CLIENT_SECRET'];
    if (clientSecret)
        return loginOfSecret({ tenant, client, clientSecret, ...(authority && { authority }) });
    const file = env['AZURE_FEDERATED_TOKEN_FILE'];
    const url = env['ACTIONS_ID_TOKEN_REQUEST_URL'];
    if (!file && !url)
        return undefined;
    return {
        who: `the application ${client}, by a token ${file ? `in ${file}` : 'that GitHub gives the job'}`,
        async lend(resource) {
            const assertion = file ? await readToken(file) : await idToken(url ?? '', env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? '');
            const proof = { client_assertion: assertion, client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' };
            return await exchange({ tenant, client, authority }, resource, proof);
        },
    };
}
async function readToken(file) {
    const token = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(file, 'utf8').catch((cause) => {
        throw new AzureFault(true, `AZURE_FEDERATED_TOKEN_FILE names "${file}", which cannot be read`, { cause });
    });
    return token.trim();
}
async function idToken(url, bearer) {
    const [address, request] = (0,_id_token_js__WEBPACK_IMPORTED_MODULE_3__/* .idTokenRequest */ .E)(url, bearer, AUDIENCE);
    return shaped(_id_token_js__WEBPACK_IMPORTED_MODULE_3__/* .idTokenAnswer */ .d, await ask(address, request), address.host).value;
}
const answer = (0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ik)({ access_token: (0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .line */ .n8)(65_536), expires_in: (0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .either */ .gP)((0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .number */ .ai)(0, 1e9), (0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .line */ .n8)(12)) });
/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
async function exchange({ tenant, client, authority = AUTHORITY }, resource, proof) {
    const url = new URL(`${checkedAuthority(authority)}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`);
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: client, scope: `${resource}/.default`, ...proof });
    return lentIn(await ask(url, { method: 'POST', body }), url.host);
}
/** It knows the secret. */
function checkedAuthority(text) {
    if (URL.canParse(text) && (0,_confidential_js__WEBPACK_IMPORTED_MODULE_6__/* .isConfidential */ .F)(new URL(text)))
        return text.replace(/\/+$/, '');
    throw new AzureFault(true, `AZURE_AUTHORITY_HOST is "${(0,_text_js__WEBPACK_IMPORTED_MODULE_7__/* .oneLine */ .TN)(text).slice(0, 200)}", which is not an https address`);
}
function lentIn(body, host) {
    const { access_token: token, expires_in: seconds } = shaped(answer, body, host);
    return { credentials: { token }, until: new Date(Date.now() + (Number(seconds) || 0) * 1000).toISOString() };
}
const shown = (0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ik)({ accessToken: (0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .line */ .n8)(65_536), expires_on: (0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .maybe */ .no)((0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .number */ .ai)(0, 1e11)) });
/**
 * What `az` says if it was signed in with an assertion (as the action azure/login does with OIDC), which is accepted for minutes only: the
 * tokens that it has work on, for an hour or so, and it gets no other. https://github.com/Azure/azure-cli/issues/28708
 */
const OUTLIVED = /AADSTS700024/;
const INSTEAD = 'azure/login with OIDC is for minutes, and az cannot renew it: give this command AZURE_TENANT_ID and AZURE_CLIENT_ID, in a job with "id-token: write"';
/** What `az` says if the network is down. */
const AWAY = /timed out|max retries exceeded|failed to establish|connection (aborted|refused|reset)|name resolution/i;
/**
 * https://learn.microsoft.com/cli/azure/authenticate-azure-cli: `expires_on` is in seconds since 1970, and there from 2.54 on; `expiresOn` is a
 * local time of no zone.
 */
async function ofCommand(env) {
    const run = async (resource) => {
        const { stdout } = await (0,node_util__WEBPACK_IMPORTED_MODULE_2__.promisify)(node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFile)('az', ['account', 'get-access-token', '--resource', resource, '--output', 'json'], {
            env: { ...env },
            timeout: PATIENCE,
            maxBuffer: MOST,
        });
        const { accessToken, expires_on: at } = shaped(shown, stdout, 'az');
        if (at === undefined)
            throw new AzureFault(true, 'az does not say when its token expires: update it to 2.54 or newer');
        return { credentials: { token: accessToken }, until: new Date(at * 1000).toISOString() };
    };
    const there = await (0,node_util__WEBPACK_IMPORTED_MODULE_2__.promisify)(node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFile)('az', ['account', 'show', '--output', 'none'], { env: { ...env }, timeout: PATIENCE }).then(() => true, () => false);
    if (!there)
        return undefined;
    return {
        who: 'whom "az login" has signed in',
        lend: async (resource) => await run(resource).catch((cause) => {
            if (cause instanceof AzureFault)
                throw cause;
            const { stderr, signal } = cause;
            const whole = (0,_text_js__WEBPACK_IMPORTED_MODULE_7__/* .oneLine */ .TN)(stderr?.trim() || (0,_text_js__WEBPACK_IMPORTED_MODULE_7__/* .messageOf */ .bD)(cause));
            // Killed, possibly by us because it took too long. Text with an error number of Entra is an answer, which advice to log in follows.
            const answered = whole.indexOf('AADSTS');
            const away = signal || (AWAY.test(whole.slice(-300)) && answered < 0);
            const said = answered < 0 ? whole.slice(-300) : whole.slice(answered, answered + 300);
            throw new AzureFault(!away, `"az account get-access-token": ${said}${OUTLIVED.test(said) ? ` (${INSTEAD})` : ''}`, { cause });
        }),
    };
}
/** Tried last, and silently: on any other computer nothing answers there. `AZURE_CLIENT_ID` chooses one of several. */
async function ofMachine(env) {
    const lend = async (resource) => await machineToken(resource, env['AZURE_CLIENT_ID'], env['AZURE_POD_IDENTITY_AUTHORITY_HOST']);
    const there = await lend('https://management.azure.com').then(() => true, () => false);
    return there ? { who: 'the identity of this machine', lend } : undefined;
}
/** https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token. Throws AzureFault. */
async function machineToken(resource, client, endpoint = _metadata_service_js__WEBPACK_IMPORTED_MODULE_8__/* .METADATA */ .MV) {
    const url = new URL('/metadata/identity/oauth2/token', endpoint);
    url.search = new URLSearchParams({ 'api-version': '2018-02-01', resource, ...(client && { client_id: client }) }).toString();
    return lentIn(await ask(url, { headers: { metadata: 'true' }, patience: _metadata_service_js__WEBPACK_IMPORTED_MODULE_8__/* .METADATA_PATIENCE */ .uj }), url.host);
}
async function ask(url, call) {
    return await (0,_login_fault_js__WEBPACK_IMPORTED_MODULE_4__/* .loginAnswer */ .K)(url, call, { Fault: AzureFault, words });
}
const refusal = (0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .object */ .Ik)({ error_description: (0,_shape_js__WEBPACK_IMPORTED_MODULE_5__/* .text */ .Qq)(65_536) });
/** The first line of what Entra says: the rest names times and traces. */
const words = (said) => refusal(said).error_description.split(/\r?\n/)[0] ?? '';
function shaped(shape, body, host) {
    try {
        return shape(JSON.parse(body));
    }
    catch (cause) {
        throw new AzureFault(false, `the answer of ${host} is not valid`, { cause });
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
        const request = (url.protocol === 'https:' ? node_https__WEBPACK_IMPORTED_MODULE_1__ : node_http__WEBPACK_IMPORTED_MODULE_0__).request(url, { method, headers: sent, signal });
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

/***/ 53409:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ idTokenRequest),
/* harmony export */   d: () => (/* binding */ idTokenAnswer)
/* harmony export */ });
/* harmony import */ var _shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/** A job of a forge asks for a token that says who it is: for whom, and what the answer is. */

/** `url`, `bearer`: what the job has for that in its environment. */
function idTokenRequest(url, bearer, audience) {
    const address = new URL(url);
    address.searchParams.set('audience', audience);
    return [address, { headers: { authorization: `Bearer ${bearer}` } }];
}
const idTokenAnswer = (0,_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ value: (0,_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .line */ .n8)(65_536) });


/***/ }),

/***/ 20850:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   K: () => (/* binding */ loginAnswer),
/* harmony export */   u: () => (/* binding */ LoginFault)
/* harmony export */ });
/* harmony import */ var _http_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(78928);
/* harmony import */ var _text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);
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
/** What a service of logins answers. Throws its `Fault`. */
async function loginAnswer(url, call, { Fault, words }) {
    const { ok, status, text } = await (0,_http_js__WEBPACK_IMPORTED_MODULE_0__/* .ask */ .kA)(url, { patience: PATIENCE, ...call, most: MOST }).catch((cause) => {
        if (!(cause instanceof _http_js__WEBPACK_IMPORTED_MODULE_0__/* .Unanswered */ .XX))
            throw cause;
        throw new Fault(false, `${url.host} cannot be reached: ${cause.message}`, { cause });
    });
    if (text === undefined)
        throw new Fault(false, `${url.host} answers with more than ${MOST} bytes, which is not a token`);
    if (ok)
        return text;
    throw new Fault(status < 500 && status !== 429 && status !== 408, (0,_text_js__WEBPACK_IMPORTED_MODULE_1__/* .oneLine */ .TN)(`${url.host} answers ${status}${said(text, words)}`));
}
function said(body, words) {
    try {
        return `: ${words(JSON.parse(body)).slice(0, 300)}`;
    }
    catch {
        return '';
    }
}


/***/ }),

/***/ 65287:
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

/***/ 64851:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   accessFromEnv: () => (/* binding */ accessFromEnv),
/* harmony export */   lending: () => (/* binding */ lending)
/* harmony export */ });
/* harmony import */ var _lib_azure_login_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(74171);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);
/* harmony import */ var _login_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(47100);
/* harmony import */ var _address_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(35437);
/** Where the controller finds endpoint and credentials of a container of Azure: the variables and logins that Azure's tools use. */




const RESOURCE = 'https://storage.azure.com';
const REMEDY = 'sign in with "az login", or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET (or AZURE_FEDERATED_TOKEN_FILE), or AZURE_STORAGE_KEY';
/**
 * Machines without an identity of their own get the credential itself if it needs nothing else (an application's secret,
 * the key of the account), so that it goes on working there; otherwise a token of an hour. Throws StoreError `denied` if there are no credentials or
 * they are refused, `unavailable` if no server could be reached, `invalid` for a bad endpoint; messages never show a credential.
 */
async function accessFromEnv(url, env, options = {}) {
    const endpoint = options.endpoint ?? (env['AZURE_STORAGE_SERVICE_ENDPOINT'] || undefined);
    if (endpoint)
        (0,_address_js__WEBPACK_IMPORTED_MODULE_3__/* .azEndpoint */ .fO)(endpoint);
    const place = { url, ...(endpoint && { settings: { endpoint } }) };
    const key = env['AZURE_STORAGE_KEY'] || undefined;
    if (key !== undefined)
        return { ...place, credentials: { key } };
    const login = await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentBy */ .d)('Azure', async () => (0,_lib_azure_login_js__WEBPACK_IMPORTED_MODULE_0__/* .azureLogin */ .xy)(env));
    if (!login)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_1__/* .StoreError */ .AD('denied', `storage: no credentials for "${url}"; ${REMEDY}`);
    return await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentAccess */ .G)(place, lending(login), { own: login.secret && { ...login.secret }, clock: options.clock });
}
/** The login as source of a store's credentials. */
function lending(login) {
    return async () => await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentBy */ .d)('Azure', async () => login.lend(RESOURCE));
}


/***/ }),

/***/ 35437:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   PF: () => (/* binding */ blobName),
/* harmony export */   TN: () => (/* binding */ keyOf),
/* harmony export */   ZU: () => (/* binding */ azPlace),
/* harmony export */   fO: () => (/* binding */ azEndpoint),
/* harmony export */   nD: () => (/* binding */ blobPath)
/* harmony export */ });
/* harmony import */ var _lib_uri_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(42600);
/* harmony import */ var _bucket_url_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19267);
/** The address of a container of Azure, also used by a new machine that has no client yet. */


/** `az://account/container/prefix`. */
function azPlace(place) {
    const { bucket: account, prefix: path } = (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_0__/* .bucketPlace */ .qR)(new URL(place.url));
    const [container = '', ...rest] = path.split('/');
    const endpoint = azEndpoint(place.settings?.['endpoint'] ?? `https://${account}.blob.core.windows.net`);
    return { account, container, prefix: rest.join('/'), endpoint };
}
/** Checks an address that came as text. Throws kind `invalid`. */
function azEndpoint(text) {
    return (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_0__/* .checkedEndpoint */ .V7)(text, 'the endpoint of Blob Storage', 'http(s)://host[:port][/account]');
}
/**
 * Blobs are listed by their names, and nobody says how names beyond ASCII compare: their bytes are written `~XX`, which sorts as the bytes do; so is
 * `~` itself, the last of ASCII. A backslash, which Azure takes for a slash, becomes `[~~`: behind everything that begins with `[`, before `]`.
 */
function blobName(key) {
    return key.replace(/\\|[^ -}]+/g, (part) => part === '\\' ? BACKSLASH : [...Buffer.from(part)].map((byte) => `~${byte.toString(16).toUpperCase()}`).join(''));
}
function keyOf(name) {
    return name.replace(/\[~~|(?:~[0-9A-F]{2})+/g, (part) => part === BACKSLASH ? '\\' : Buffer.from(part.replaceAll('~', ''), 'hex').toString('utf8'));
}
const BACKSLASH = '[~~';
/** Path of an object, or of the container, below the endpoint. Slashes stay. */
function blobPath({ container }, key) {
    return `/${container}${key === undefined ? '' : `/${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_1__/* .uriEncodedPath */ .q)(blobName(key))}`}`;
}


/***/ }),

/***/ 6106:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ az_open)
});

// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/bucket.js
var bucket = __webpack_require__(59763);
// EXTERNAL MODULE: ./build/js/stores/call-error.js
var call_error = __webpack_require__(45086);
// EXTERNAL MODULE: ./build/js/stores/xml.js
var xml = __webpack_require__(42020);
// EXTERNAL MODULE: ./build/js/stores/az/address.js
var address = __webpack_require__(35437);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/stores/bucket-client.js + 1 modules
var bucket_client = __webpack_require__(99499);
;// CONCATENATED MODULE: ./build/js/stores/az/errors.js
/**
 * Answers of Blob Storage → kinds of the store contract, with what the user can do about it.
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes
 */



const ROLE = 'the role "Storage Blob Data Contributor" on the container is needed; one that was just given takes some minutes';
const STALE = 'the credentials are not valid, or have expired';
const IMMUTABLE = ['denied', 'never', 'a policy of the container keeps objects from being changed: choose another'];
/** By Azure's own code, which says more than the status. */
const CODES = {
    AccountIsDisabled: ['denied', 'never', 'the storage account is disabled'],
    AuthenticationFailed: ['denied', 'never', STALE],
    AuthorizationFailure: ['denied', 'never', 'a firewall of the storage account, or a missing role, keeps this caller out'],
    AuthorizationPermissionMismatch: ['denied', 'never', ROLE],
    AuthorizationProtocolMismatch: ['denied', 'never', 'the storage account takes https only'],
    AccountRequiresHttps: ['denied', 'never', 'the storage account takes https only'],
    BlobAlreadyExists: call_error/* CONFLICT */.p9,
    BlobImmutableDueToLegalHold: IMMUTABLE,
    BlobImmutableDueToPolicy: IMMUTABLE,
    ConditionNotMet: call_error/* CONFLICT */.p9,
    ContainerBeingDeleted: ['gone', 'never', 'the container is being deleted'],
    ContainerNotFound: ['gone', 'never', 'create the container, or correct `storage`'],
    InsufficientAccountPermissions: ['denied', 'never', ROLE],
    InvalidAuthenticationInfo: ['denied', 'never', STALE],
    InternalError: call_error/* TRANSIENT */.vt,
    KeyBasedAuthenticationNotPermitted: ['denied', 'never', 'the storage account takes no account keys: sign in with "az login"'],
    LeaseIdMissing: ['denied', 'never', 'somebody holds a lease on it'],
    NoAuthenticationInformation: ['denied', 'never', 'the server asks for credentials'],
    OperationTimedOut: call_error/* TRANSIENT */.vt,
    PendingCopyOperation: call_error/* BUSY */.yu,
    ServerBusy: call_error/* BUSY */.yu,
    TargetConditionNotMet: call_error/* CONFLICT */.p9,
    UnauthorizedBlobOverwrite: ['denied', 'never', ROLE],
};
const STATUSES = {
    401: ['denied', 'never', STALE],
    403: ['denied', 'never', ROLE],
    404: ['gone', 'never', 'create the container, or correct `storage`'],
    409: call_error/* CONFLICT */.p9,
};
/** The object is in a state that somebody else gave it (which one, we cannot foresee). It was not a race. */
const STATE = [
    'denied',
    'never',
    'something other than tpi uses this container or object: correct that, or choose another container',
];
function describe({ operation, account, container, key }) {
    return `${operation} az://${account}/${container}/${key}`;
}
function faultOf(reply, tried) {
    const { code, message } = saidIn(reply);
    const { status } = reply;
    const known = Object.hasOwn(CODES, code) ? CODES[code] : status === 409 && code !== '' ? STATE : undefined;
    return (0,call_error/* refused */.J5)(reply, describe(tried), tried.secrets, { meaning: known ?? (0,call_error/* meaningOf */.Pr)(status, STATUSES), code, message });
}
/** The code is also in a header, for answers without a body. The rest of the message names a request and a time. */
function saidIn({ headers, body }) {
    const header = headers['x-ms-error-code'];
    const code = typeof header === 'string' ? header : '';
    try {
        const error = (0,xml/* parseXml */.NO)((0,lib_text/* unmarked */.u7)(body.subarray(0, 65_536).toString('utf8')).trim());
        return { code: code || ((0,xml/* textOf */.b6)(error, 'Code') ?? ''), message: ((0,xml/* textOf */.b6)(error, 'Message') ?? '').split(/\r?\n/)[0] ?? '' };
    }
    catch {
        return { code, message: '' };
    }
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
;// CONCATENATED MODULE: ./build/js/stores/az/shared-key.js
/** Signs a call with the key of a storage account. https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key */

/** Headers whose values are signed without their names, in this order. */
const STANDARD = [
    'content-encoding',
    'content-language',
    'content-length',
    'content-md5',
    'content-type',
    'date',
    'if-modified-since',
    'if-match',
    'if-none-match',
    'if-unmodified-since',
    'range',
];
/** The value of `authorization`. `key` in Base64, as Azure shows it. */
function sharedKey(account, key, { method, path, query, headers }) {
    const standard = STANDARD.map((name) => (name === 'content-length' && headers[name] === '0' ? '' : (headers[name] ?? '')));
    const own = Object.keys(headers)
        .filter((name) => name.startsWith('x-ms-'))
        .sort()
        .map((name) => `${name}:${(headers[name] ?? '').trim()}`);
    const params = Object.keys(query)
        .sort()
        .map((name) => `${name.toLowerCase()}:${query[name]}`);
    const text = [method, ...standard, ...own, `/${account}${path}`, ...params].join('\n');
    return `SharedKey ${account}:${(0,external_node_crypto_.createHmac)('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')}`;
}

;// CONCATENATED MODULE: ./build/js/stores/az/client.js
/** Calls Blob Storage with a token or signed with the account's key; translates failures, and repeats calls if that is safe. */








/** https://learn.microsoft.com/rest/api/storageservices/versioning-for-the-azure-storage-services: since it one request may carry 5000 MiB. */
const VERSION = '2021-12-02';
class AzClient extends bucket_client/* BucketClient */.C6 {
    constructor(settings) {
        super(settings, settings.endpoint);
    }
    async callXml(call, root) {
        const { body } = await this.call(call);
        try {
            const element = (0,xml/* parseXml */.NO)((0,lib_text/* unmarked */.u7)(body.toString('utf8')).trim());
            if (element.name === root)
                return element;
        }
        catch (error) {
            throw (0,call_error/* odd */.ST)('the answer is not that of Blob Storage', this.describe(call), error);
        }
        throw (0,call_error/* odd */.ST)('the answer is not that of Blob Storage', this.describe(call));
    }
    async send(call, held) {
        const { endpoint } = this.settings;
        const { method, query = {}, body } = call;
        const headers = {
            host: endpoint.host,
            'user-agent': 'tpi-action',
            'x-ms-version': VERSION,
            'x-ms-date': new Date().toUTCString(),
            ...this.#copied(call.source, held),
            ...call.headers,
        };
        if (body || method === 'PUT')
            headers['content-length'] = String(body?.length ?? 0);
        const path = this.#path(call.key);
        headers['authorization'] = this.#proof(held, { method, path, query, headers });
        // The signature is over decoded text: %20 is the only form of a blank that all servers read in the same way.
        const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
        return await this.transport.send(endpoint.hostname, { ...call, path: `${path}${search && `?${search}`}`, headers });
    }
    describe(call) {
        return describe(this.#tried(call));
    }
    faultOf(reply, call) {
        return faultOf(reply, this.#tried(call));
    }
    /** With that of the endpoint. */
    #path(key) {
        return `${this.settings.endpoint.pathname.replace(/\/$/, '')}${(0,address/* blobPath */.nD)(this.settings, key)}`;
    }
    /** The right to read the source is proved on its own: https://learn.microsoft.com/rest/api/storageservices/copy-blob-from-url#request-headers */
    #copied(source, { token }) {
        if (source === undefined)
            return {};
        return {
            'x-ms-copy-source': `${this.settings.endpoint.origin}${this.#path(source)}`,
            'x-ms-requires-sync': 'true',
            ...(token && { 'x-ms-copy-source-authorization': `Bearer ${token}` }),
        };
    }
    #proof({ token, key }, signed) {
        const { account, container, prefix } = this.settings;
        const secret = token || key;
        if (!secret)
            throw new store/* StoreError */.AD('denied', `storage: no credentials for "az://${account}/${container}/${prefix}"`);
        this.remember(secret);
        return token ? `Bearer ${token}` : sharedKey(account, secret, signed);
    }
    #tried({ operation, key, about = '' }) {
        const { account, container } = this.settings;
        return { operation, account, container, key: key ?? about, secrets: this.secrets };
    }
}

// EXTERNAL MODULE: ./build/js/lib/azure/login.js
var azure_login = __webpack_require__(74171);
// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/wire/credentials.js
var wire_credentials = __webpack_require__(47980);
// EXTERNAL MODULE: ./build/js/stores/az/access.js
var az_access = __webpack_require__(64851);
;// CONCATENATED MODULE: ./build/js/stores/az/settings.js
/** What a StoreAccess says → what the client needs. */







function settingsOf(access) {
    return {
        ...(0,address/* azPlace */.ZU)(access),
        onlyRead: access.settings?.[store/* ONLY_READ */.CK] === 'true',
        tries: (0,bucket_client/* triesOf */.p5)(access),
        source: access.source ?? sourceOf(access),
    };
}
/** What was sent here: an application's credential, which is renewed here, or a token or a key. */
function sourceOf(access) {
    const credentials = (0,bucket_client/* travelled */.UI)(access);
    const { tenant, client, clientSecret, authority } = credentials;
    if (!tenant || !client || !clientSecret)
        return (0,wire_credentials/* fixed */.Zu)(credentials);
    const login = (0,azure_login/* loginOfSecret */.D6)({ tenant, client, clientSecret, ...(authority !== undefined && { authority }) });
    return (0,wire_credentials/* renewing */.IU)({ lend: (0,az_access.lending)(login), clock: clock/* systemClock */.ml });
}

// EXTERNAL MODULE: ./build/js/stores/upload.js
var upload = __webpack_require__(92292);
;// CONCATENATED MODULE: ./build/js/stores/az/upload.js



/** Bodies up to this size go in one request; larger ones in blocks of it. Bytes. */
const BLOCK_BYTES = 8 * 1024 * 1024;
const TYPE = { 'content-type': 'application/octet-stream' };
async function upload_upload(params) {
    const { client, key, body, headers, signal, sent } = params;
    const repeatable = Object.keys(headers).length === 0;
    const call = { method: 'PUT', key, repeatable, signal };
    if (body.length <= BLOCK_BYTES) {
        // https://learn.microsoft.com/rest/api/storageservices/put-blob
        const own = { ...TYPE, 'x-ms-blob-type': 'BlockBlob', ...headers };
        return (0,bucket/* etagOf */.Nk)(await client.call({ ...call, operation: 'Put Blob', headers: own, body, sent }), key);
    }
    try {
        return await putBlocks(params, call);
    }
    catch (error) {
        // Another writer of the object was faster: blocks that were not listed by then are gone.
        if (!repeatable || !(error instanceof call_error/* CallError */.RA) || error.code !== 'InvalidBlockList')
            throw error;
        return await putBlocks(params, call);
    }
}
/**
 * `Latest`: a list that is put again, because the answer was lost, finds its blocks committed. Ids are this write's own, so that nothing
 * else is meant.
 * https://learn.microsoft.com/rest/api/storageservices/put-block-list
 */
async function putBlocks(params, call) {
    const { client, key, headers } = params;
    const blocks = await sendBlocks(params);
    const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${blocks.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`;
    const put = {
        ...call,
        operation: 'Put Block List',
        query: { comp: 'blocklist' },
        headers: { 'content-type': 'application/xml', ...headers },
        body: Buffer.from(list),
    };
    return (0,bucket/* etagOf */.Nk)(await client.call(put), key);
}
/**
 * Ids of the blocks. Those of two writers differ, so that neither puts a list with blocks of the other. What is never listed is forgotten
 * after a week.
 * https://learn.microsoft.com/rest/api/storageservices/put-block
 */
async function sendBlocks(params) {
    const { client, key } = params;
    const own = crypto.randomUUID();
    return (0,upload/* sendParts */.h)(params, BLOCK_BYTES, async (body, index, signal) => {
        const blockid = Buffer.from(`${own}-${String(index).padStart(4, '0')}`).toString('base64');
        const query = { comp: 'block', blockid };
        await client.call({ operation: 'Put Block', method: 'PUT', key, query, headers: TYPE, body, repeatable: true, signal });
        return blockid;
    });
}

;// CONCATENATED MODULE: ./build/js/stores/az/index.js
/** A store in a container of Azure Blob Storage: block blobs. Versions are ETags: each write makes another one, whatever its bytes are. */








/** Settings: `endpoint`, `tries`. Credentials: `token`, `key` of the account, or those of an application: `tenant`, `client`, `clientSecret`. */
const az_open = async (access) => new bucket/* BucketStore */.cD(access.url, new Az(new AzClient(settingsOf(access))));
/** Azure does not say whether the source of a copy is missing, or may not be read. */
const MISSING_SOURCE = new Set(['BlobNotFound', 'CannotVerifyCopySource']);
class Az extends bucket/* BucketProtocol */.Jr {
    fromStart = true;
    async read(key, range, how) {
        const call = { operation: 'Get Blob', method: 'GET', key, headers: (0,bucket/* rangeHeader */.Hq)(range), repeatable: true, ...how };
        try {
            const reply = await this.client.call(call);
            return { bytes: (0,bucket/* inRange */.r4)(reply, range), version: (0,bucket/* etagOf */.Nk)(reply, key) };
        }
        catch (error) {
            return absent(error);
        }
    }
    /** A HEAD has no body: the error code is in a header. */
    async state(key, signal) {
        const call = { operation: 'Get Blob Properties', method: 'HEAD', key, repeatable: true, signal };
        try {
            return { bytes: new Uint8Array(0), version: (0,bucket/* etagOf */.Nk)(await this.client.call(call), key) };
        }
        catch (error) {
            return absent(error);
        }
    }
    async write(key, body, condition, how) {
        return await upload_upload({ client: this.client, key, body, headers: (0,bucket/* conditionHeaders */.CO)(condition), ...how });
    }
    /** Done when it is answered: https://learn.microsoft.com/rest/api/storageservices/copy-blob-from-url */
    async copy(from, to, signal) {
        try {
            await this.client.call({ operation: 'Copy Blob From URL', method: 'PUT', key: to, source: from, repeatable: true, signal });
            return true;
        }
        catch (error) {
            if (error instanceof call_error/* CallError */.RA && error.status === 404 && MISSING_SOURCE.has(error.code))
                return false;
            throw error;
        }
    }
    /** https://learn.microsoft.com/rest/api/storageservices/list-blobs: there is no way to begin behind a name. */
    async page(prefix, _after, next, signal) {
        const query = { restype: 'container', comp: 'list', prefix: (0,address/* blobName */.PF)(prefix), maxresults: '2000', ...(next ? { marker: next } : {}) };
        const call = { operation: 'List Blobs', method: 'GET', about: prefix, query, repeatable: true, signal };
        const answer = await this.client.callXml(call, 'EnumerationResults');
        const blobs = (0,xml/* child */.jf)(answer, 'Blobs');
        const entries = (blobs ? (0,xml/* childrenOf */.LU)(blobs, 'Blob') : []).flatMap((blob) => {
            const properties = (0,xml/* child */.jf)(blob, 'Properties');
            const type = properties && (0,xml/* textOf */.b6)(properties, 'ResourceType');
            if (type !== undefined && !this.client.settings.onlyRead)
                throw hierarchical(this.client.settings);
            if (type === 'directory')
                return [];
            return { key: (0,address/* keyOf */.TN)((0,xml/* textOf */.b6)(blob, 'Name') ?? ''), size: Number((properties && (0,xml/* textOf */.b6)(properties, 'Content-Length')) ?? Number.NaN) };
        });
        return { entries, next: (0,xml/* textOf */.b6)(answer, 'NextMarker') || undefined };
    }
    /** A condition names one state for ever, so that the same call again removes nothing else. Snapshots that somebody took of it would keep it. */
    async remove(key, condition) {
        const headers = { 'x-ms-delete-snapshots': 'include', ...(0,bucket/* conditionHeaders */.CO)(condition) };
        const call = { operation: 'Delete Blob', method: 'DELETE', key, headers, repeatable: true };
        try {
            await this.client.call(call);
        }
        catch (error) {
            if (condition && (0,bucket/* isStatus */.zM)(error, 412) && !(await this.state(key)))
                return;
            absent(error);
        }
    }
}
/**
 * Folders are listed there, and stay when all in them is gone. Only such an account tells every caller of which type an entry is; what else
 * would tell,
 * Get Account Information, takes no tokens. https://learn.microsoft.com/rest/api/storageservices/list-blobs#response-body
 */
function hierarchical({ account }) {
    const why = 'has a hierarchical namespace (Data Lake Storage), in which tpi could not remove what it has made';
    return new store/* StoreError */.AD('invalid', `storage: the account "${account}" ${why}: choose an account without one`);
}
/** For an object that does not exist; anything else is thrown, also for a missing container. */
function absent(error) {
    if (error instanceof call_error/* CallError */.RA && error.status === 404 && error.code === 'BlobNotFound')
        return undefined;
    throw error;
}


/***/ }),

/***/ 47100:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ lentAccess),
/* harmony export */   d: () => (/* binding */ lentBy)
/* harmony export */ });
/* harmony import */ var _lib_clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29668);
/* harmony import */ var _lib_login_fault_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(20850);
/* harmony import */ var _wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(47980);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(37231);
/** Logins of vendors as stores know them: why there is no token is an error of the store. */




/** Throws StoreError `denied` or `unavailable`. */
async function lentBy(vendor, body) {
    try {
        return await body();
    }
    catch (error) {
        if (!(error instanceof _lib_login_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .LoginFault */ .u))
            throw error;
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_3__/* .StoreError */ .AD(error.final ? 'denied' : 'unavailable', `storage: no credentials from ${vendor}: ${error.message}`, {
            cause: error,
        });
    }
}
/**
 * `own`: the credential itself, which travels where nothing else is needed for it, so that it goes on working there; else a token of an
 * hour does.
 */
async function lentAccess(place, lend, { own, clock = _lib_clock_js__WEBPACK_IMPORTED_MODULE_0__/* .systemClock */ .ml }) {
    const first = await lend();
    const travels = own ? { credentials: own } : first;
    return { ...place, ...travels, source: (0,_wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__/* .renewing */ .IU)({ lend, clock, first }) };
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
/** Characters: a page of two thousand objects has fewer. Parsing costs a dozen bytes for each. */
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


/***/ })

};
