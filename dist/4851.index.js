export const id = 4851;
export const ids = [4851];
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

/***/ 64851:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   accessFromEnv: () => (/* binding */ accessFromEnv),
/* harmony export */   lending: () => (/* binding */ lending)
/* harmony export */ });
/* harmony import */ var _vendors_azure_login_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(27551);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);
/* harmony import */ var _login_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(47100);
/* harmony import */ var _address_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(35437);
/** Where the controller finds endpoint and credentials of a container of Azure: the variables and logins that Azure's tools use. */




const REMEDY = 'sign in with "az login", or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET (or AZURE_FEDERATED_TOKEN_FILE), or AZURE_STORAGE_KEY';
/**
 * Machines without an identity of their own get the credential itself if it works anywhere (an application's secret, the key of the account), so
 * that it can be renewed there; otherwise a token, which is valid for an hour. Throws StoreError `denied` if there are no credentials or
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
    const login = await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentBy */ .d)('Azure', async () => (0,_vendors_azure_login_js__WEBPACK_IMPORTED_MODULE_0__/* .azureLogin */ .xy)(env));
    if (!login)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_1__/* .StoreError */ .AD('denied', `storage: no credentials for "${url}"; ${REMEDY}`);
    return await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentAccess */ .G)(place, lending(login), { own: login.secret && { ...login.secret }, clock: options.clock });
}
/** The login as source of a store's credentials. */
function lending(login) {
    return async () => await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentBy */ .d)('Azure', async () => login.lend(_vendors_azure_login_js__WEBPACK_IMPORTED_MODULE_0__/* .BLOBS */ .df));
}


/***/ }),

/***/ 35437:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   PF: () => (/* binding */ blobName),
/* harmony export */   WU: () => (/* binding */ THEIRS),
/* harmony export */   ZU: () => (/* binding */ azPlace),
/* harmony export */   fO: () => (/* binding */ azEndpoint),
/* harmony export */   nD: () => (/* binding */ blobPath),
/* harmony export */   o6: () => (/* binding */ OURS)
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
 * The name of the blob for a key. Blobs are listed by name, and it is not documented how characters beyond ASCII compare. So their bytes are written
 * `~XX`, which sorts as the bytes do, and so is `~` itself, the last character of ASCII. Azure takes a backslash for a slash, so that becomes
 * `[~~`, which comes after everything that begins with `[`, and before `]`.
 */
function blobName(key) {
    return key.replace(/\\|[^ -}]+/g, (part) => part === '\\' ? BACKSLASH : [...Buffer.from(part)].map((byte) => `~${byte.toString(16).toUpperCase()}`).join(''));
}
function keyOf(name) {
    return name.replace(/\[~~|(?:~[0-9A-F]{2})+/g, (part) => part === BACKSLASH ? '\\' : Buffer.from(part.replaceAll('~', ''), 'hex').toString('utf8'));
}
const BACKSLASH = '[~~';
/** Of what tpi has written. */
const OURS = { nameOf: blobName, keyOf };
/** Of what others have written, which keeps its names. */
const THEIRS = { nameOf: (key) => key, keyOf: (name) => name };
/** Path of a blob, or of the container, below the endpoint. Slashes stay. */
function blobPath({ container }, name) {
    return `/${container}${name === undefined ? '' : `/${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_1__/* .uriEncodedPath */ .q)(name)}`}`;
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


/***/ }),

/***/ 27551:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D6: () => (/* binding */ loginOfSecret),
/* harmony export */   Mc: () => (/* binding */ MANAGEMENT),
/* harmony export */   df: () => (/* binding */ BLOBS),
/* harmony export */   xy: () => (/* binding */ azureLogin)
/* harmony export */ });
/* unused harmony export machineToken */
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(57975);
/* harmony import */ var _lib_answer_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(47174);
/* harmony import */ var _lib_confidential_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(27346);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(29611);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(40859);
/* harmony import */ var _id_token_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(72149);
/* harmony import */ var _login_fault_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(57366);
/* harmony import */ var _metadata_service_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(84803);
/**
 * The caller's identity for Azure, first match: the secret or federated token of an application · what `az login` keeps · the identity of the
 * machine. The order is that of Microsoft's clients
 * (https://learn.microsoft.com/azure/developer/javascript/sdk/authentication/credential-chains#defaultazurecredential-overview).
 */










class AzureFault extends _login_fault_js__WEBPACK_IMPORTED_MODULE_5__/* .LoginFault */ .u5 {
    name = 'AzureFault';
}
/** The resources for which tpi needs tokens: the Resource Manager of the public cloud, and Blob Storage. */
const MANAGEMENT = 'https://management.azure.com';
const BLOBS = 'https://storage.azure.com';
const AUTHORITY = 'https://login.microsoftonline.com';
/** The audience of a forge's token. https://learn.microsoft.com/entra/workload-id/workload-identity-federation */
const AUDIENCE = 'api://AzureADTokenExchange';
/** Milliseconds that `az` may take. */
const PATIENCE = 20_000;
/** Bytes that it may print. */
const MOST = 1 << 20;
/** `undefined`: there is none here. Throws AzureFault if one was set up and cannot be used; no other one is tried instead. */
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
    const [address, request] = (0,_id_token_js__WEBPACK_IMPORTED_MODULE_4__/* .idTokenRequest */ .E)(url, bearer, AUDIENCE);
    return shaped(_id_token_js__WEBPACK_IMPORTED_MODULE_4__/* .idTokenAnswer */ .d, await ask(address, request), address.host).value;
}
const answer = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ access_token: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(65_536), expires_in: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .either */ .gP)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .number */ .ai)(0, 1e9), (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(12)) });
/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
async function exchange({ tenant, client, authority = AUTHORITY }, resource, proof) {
    const url = new URL(`${checkedAuthority(authority)}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`);
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: client, scope: `${resource}/.default`, ...proof });
    return lentIn(await ask(url, { method: 'POST', body }), url.host);
}
/** Refuses an address without https, because the secret is sent there. */
function checkedAuthority(text) {
    if (URL.canParse(text) && (0,_lib_confidential_js__WEBPACK_IMPORTED_MODULE_6__/* .isConfidential */ .F)(new URL(text)))
        return text.replace(/\/+$/, '');
    throw new AzureFault(true, `AZURE_AUTHORITY_HOST is "${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_7__/* .oneLine */ .TN)(text).slice(0, 200)}", which is not an https address`);
}
function lentIn(body, host) {
    const { access_token: token, expires_in: seconds } = shaped(answer, body, host);
    return { credentials: { token }, until: new Date(Date.now() + (Number(seconds) || 0) * 1000).toISOString() };
}
const shown = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ accessToken: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(65_536), expires_on: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .number */ .ai)(0, 1e11)) });
/**
 * What `az` says if it was signed in with an assertion, as the action azure/login does with OIDC. An assertion is accepted only for some
 * minutes: tokens that `az` already has stay valid for an hour or so, but it gets no new ones. https://github.com/Azure/azure-cli/issues/28708
 */
const OUTLIVED = /AADSTS700024/;
const INSTEAD = 'a login by azure/login with OIDC lasts some minutes, and az cannot renew it: give this command AZURE_TENANT_ID and AZURE_CLIENT_ID, in a job with "id-token: write"';
/** What `az` says if the network is down. */
const AWAY = /timed out|max retries exceeded|failed to establish|connection (aborted|refused|reset)|name resolution/i;
async function ofCommand(env) {
    const there = await az(env, ['account', 'show', '--output', 'none']).then(() => true, () => false);
    if (!there)
        return undefined;
    return {
        who: 'the account that is signed in with az',
        lend: async (resource) => {
            const args = ['account', 'get-access-token', '--resource', resource, '--output', 'json'];
            return lentByCommand(await az(env, args).catch((error) => {
                throw commandFault(error);
            }));
        },
    };
}
/** What the program prints. */
async function az(env, args) {
    return (await (0,node_util__WEBPACK_IMPORTED_MODULE_2__.promisify)(node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFile)('az', args, { env: { ...env }, timeout: PATIENCE, maxBuffer: MOST })).stdout;
}
/**
 * https://learn.microsoft.com/cli/azure/authenticate-azure-cli: `expires_on` is in seconds since 1970, and there from 2.54 on. The older
 * `expiresOn` is a local time without a zone.
 */
function lentByCommand(stdout) {
    const { accessToken, expires_on: at } = shaped(shown, stdout, 'az');
    if (at === undefined)
        throw new AzureFault(true, 'az does not say when its token expires: update it to 2.54 or newer');
    return { credentials: { token: accessToken }, until: new Date(at * 1000).toISOString() };
}
function commandFault(cause) {
    const { stderr, signal } = cause;
    const whole = (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_7__/* .oneLine */ .TN)(stderr?.trim() || (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_7__/* .messageOf */ .bD)(cause));
    const end = whole.slice(-300);
    // An error number of Entra: it has answered, and what follows is only advice to log in.
    const answered = whole.indexOf('AADSTS');
    const said = answered < 0 ? end : whole.slice(answered, answered + 300);
    // A signal: the program was killed, possibly by us because it took too long.
    const isAway = Boolean(signal) || (answered < 0 && AWAY.test(end));
    return new AzureFault(!isAway, `"az account get-access-token": ${said}${OUTLIVED.test(said) ? ` (${INSTEAD})` : ''}`, { cause });
}
/** Tried last, and silently: on any other computer nothing answers there. `AZURE_CLIENT_ID` chooses one of several. */
async function ofMachine(env) {
    const lend = async (resource) => await machineToken(resource, env['AZURE_CLIENT_ID'], env['AZURE_POD_IDENTITY_AUTHORITY_HOST']);
    const there = await lend(MANAGEMENT).then(() => true, (error) => {
        if (hasSeveral(error))
            throw new AzureFault(true, 'this machine has several identities: set AZURE_CLIENT_ID to the client id of one', { cause: error });
        return false;
    });
    return there ? { who: 'the identity of this machine', lend } : undefined;
}
/** A machine with several identities has none by default. https://github.com/Azure/azure-sdk-for-rust/pull/748 quotes the answer. */
const hasSeveral = (error) => error instanceof AzureFault && /multiple user.assigned identities/i.test(error.message);
/** https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token. Throws AzureFault. */
async function machineToken(resource, client, endpoint = _metadata_service_js__WEBPACK_IMPORTED_MODULE_8__/* .METADATA */ .MV) {
    const url = new URL('/metadata/identity/oauth2/token', endpoint);
    url.search = new URLSearchParams({ 'api-version': '2018-02-01', resource, ...(client && { client_id: client }) }).toString();
    return lentIn(await ask(url, { headers: { metadata: 'true' }, patience: _metadata_service_js__WEBPACK_IMPORTED_MODULE_8__/* .METADATA_PATIENCE */ .uj, once: true }), url.host);
}
async function ask(url, call) {
    return await (0,_login_fault_js__WEBPACK_IMPORTED_MODULE_5__/* .loginAnswer */ .K0)(url, call, { Fault: AzureFault, words });
}
const refusal = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ error_description: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq)(65_536) });
/** The first line of what Entra says: the rest names times and traces. */
const words = (said) => refusal(said).error_description.split(/\r?\n/)[0] ?? '';
function shaped(shape, body, host) {
    return (0,_login_fault_js__WEBPACK_IMPORTED_MODULE_5__/* .readAnswer */ .JN)(host, AzureFault, () => shape((0,_lib_answer_js__WEBPACK_IMPORTED_MODULE_9__/* .jsonIn */ .Yf)(body)));
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


/***/ })

};
