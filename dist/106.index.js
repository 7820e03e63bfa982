export const id = 106;
export const ids = [106,851];
export const modules = {

/***/ 74171:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D6: () => (/* binding */ loginOfSecret),
/* harmony export */   I$: () => (/* binding */ AzureFault),
/* harmony export */   xy: () => (/* binding */ azureLogin)
/* harmony export */ });
/* unused harmony export machineToken */
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(57975);
/* harmony import */ var _shape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(29611);
/* harmony import */ var _text_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(40859);
/**
 * Who a caller is for Azure, first match: the secret or the vouched-for token of an application · what `az login` keeps · the identity of the
 * machine. The order is that of Microsoft's clients
 * (https://learn.microsoft.com/azure/developer/javascript/sdk/authentication/credential-chains#defaultazurecredential-overview).
 */





/** Why there is no token. `final`: refused, or set up wrongly; else out of reach for now. */
class AzureFault extends Error {
    name = 'AzureFault';
    final;
    constructor(final, message, options) {
        super(message, options);
        this.final = final;
    }
}
const AUTHORITY = 'https://login.microsoftonline.com';
/** Whom a forge's token is for. https://learn.microsoft.com/entra/workload-id/workload-identity-federation */
const AUDIENCE = 'api://AzureADTokenExchange';
const METADATA = 'http://169.254.169.254';
/** Milliseconds for one answer. */
const PATIENCE = 20_000;
/** Milliseconds: the service is on the same host, and where there is none nothing answers. */
const METADATA_PATIENCE = 2_000;
const MOST = 1 << 20;
/** `undefined`: there is none here. Throws AzureFault where one was set up that cannot be used: no other one is tried in its place. */
async function azureLogin(env) {
    return ofApplication(env) ?? (await ofCommand(env)) ?? (await ofMachine(env));
}
/** Of a credential that has travelled. */
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
const handedOut = (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ value: (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(65_536) });
async function idToken(url, bearer) {
    const address = new URL(url);
    address.searchParams.set('audience', AUDIENCE);
    return shaped(handedOut, await ask(address, { headers: { authorization: `Bearer ${bearer}` } }), address.host).value;
}
const answer = (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ access_token: (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(65_536), expires_in: (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .either */ .gP)((0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .number */ .ai)(0, 1e9), (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(12)) });
/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
async function exchange({ tenant, client, authority = AUTHORITY }, resource, proof) {
    const url = new URL(`${checkedAuthority(authority)}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`);
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: client, scope: `${resource}/.default`, ...proof });
    return lentIn(await ask(url, { method: 'POST', body }), url.host);
}
/** It is told the secret. */
function checkedAuthority(text) {
    const found = URL.canParse(text) ? new URL(text) : undefined;
    const near = found && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(found.hostname);
    if (found?.protocol === 'https:' || (near && found?.protocol === 'http:'))
        return text.replace(/\/+$/, '');
    throw new AzureFault(true, `AZURE_AUTHORITY_HOST is "${(0,_text_js__WEBPACK_IMPORTED_MODULE_4__/* .oneLine */ .TN)(text).slice(0, 200)}", which is no https address`);
}
function lentIn(body, host) {
    const { access_token: token, expires_in: seconds } = shaped(answer, body, host);
    return { credentials: { token }, until: new Date(Date.now() + (Number(seconds) || 0) * 1000).toISOString() };
}
const shown = (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ accessToken: (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(65_536), expires_on: (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .maybe */ .no)((0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .number */ .ai)(0, 1e11)) });
/** What `az` says of a network that is away for now. */
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
            throw new AzureFault(true, 'az does not say until when its token is good: update it to 2.54 or newer');
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
            const said = (0,_text_js__WEBPACK_IMPORTED_MODULE_4__/* .oneLine */ .TN)(stderr?.trim() || (0,_text_js__WEBPACK_IMPORTED_MODULE_4__/* .messageOf */ .bD)(cause)).slice(-300);
            // Killed, by us too when it takes too long. What has a number of Entra's is an answer.
            const away = signal || (AWAY.test(said) && !said.includes('AADSTS'));
            throw new AzureFault(!away, `"az account get-access-token": ${said}`, { cause });
        }),
    };
}
/** The last of all, and quiet: on any other computer nothing answers there. `AZURE_CLIENT_ID` chooses one of several. */
async function ofMachine(env) {
    const lend = async (resource) => await machineToken(resource, env['AZURE_CLIENT_ID'], env['AZURE_POD_IDENTITY_AUTHORITY_HOST']);
    const there = await lend('https://management.azure.com').then(() => true, () => false);
    return there ? { who: 'the identity of this machine', lend } : undefined;
}
/** https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token. Throws AzureFault. */
async function machineToken(resource, client, endpoint = METADATA) {
    const url = new URL('/metadata/identity/oauth2/token', endpoint);
    url.search = new URLSearchParams({ 'api-version': '2018-02-01', resource, ...(client && { client_id: client }) }).toString();
    return lentIn(await ask(url, { headers: { metadata: 'true' }, signal: AbortSignal.timeout(METADATA_PATIENCE) }), url.host);
}
async function ask(url, how) {
    const reply = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), ...how, redirect: 'error' }).catch((cause) => {
        const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message || cause.message : (0,_text_js__WEBPACK_IMPORTED_MODULE_4__/* .messageOf */ .bD)(cause);
        throw new AzureFault(false, `${url.host} cannot be reached: ${reason}`, { cause });
    });
    const body = await reply.text().catch((cause) => {
        throw new AzureFault(false, `the answer of ${url.host} was cut short`, { cause });
    });
    if (reply.ok)
        return body;
    const final = reply.status < 500 && reply.status !== 429 && reply.status !== 408;
    throw new AzureFault(final, (0,_text_js__WEBPACK_IMPORTED_MODULE_4__/* .oneLine */ .TN)(`${url.host} answers ${reply.status}${said(body)}`));
}
const refusal = (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ error_description: (0,_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq)(65_536) });
/** The first line of what Entra says: the rest names times and traces. */
function said(body) {
    try {
        const [first = ''] = refusal(JSON.parse(body)).error_description.split(/\r?\n/);
        return `: ${first.slice(0, 300)}`;
    }
    catch {
        // A page of something on the way: its status has to do.
        return '';
    }
}
function shaped(shape, body, host) {
    try {
        return shape(JSON.parse(body.slice(0, MOST)));
    }
    catch (cause) {
        throw new AzureFault(false, `the answer of ${host} makes no sense`, { cause });
    }
}


/***/ }),

/***/ 64851:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   azAccessFromEnv: () => (/* binding */ azAccessFromEnv),
/* harmony export */   u: () => (/* binding */ lending)
/* harmony export */ });
/* harmony import */ var _lib_azure_login_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(74171);
/* harmony import */ var _lib_clock_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29668);
/* harmony import */ var _wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(47980);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(37231);
/* harmony import */ var _address_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(35437);
/** Where the controller finds endpoint and credentials of a container of Azure: the variables and logins that Azure's tools use. */





const RESOURCE = 'https://storage.azure.com';
const REMEDY = 'sign in with "az login", or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET (or AZURE_FEDERATED_TOKEN_FILE), or AZURE_STORAGE_KEY';
/**
 * What travels to machines without an identity of their own is the credential itself where nothing else is needed for it (an application's secret,
 * the key of the account), so that it goes on working there; else a token of an hour. Throws StoreError `denied` when there are no credentials or
 * they are refused, `unavailable` where nobody could be asked, `invalid` for a bad endpoint; messages never show a credential.
 */
async function azAccessFromEnv(url, env, options = {}) {
    const endpoint = options.endpoint ?? (env['AZURE_STORAGE_SERVICE_ENDPOINT'] || undefined);
    if (endpoint)
        (0,_address_js__WEBPACK_IMPORTED_MODULE_4__/* .azEndpoint */ .fO)(endpoint);
    const place = { url, ...(endpoint && { settings: { endpoint } }) };
    const key = env['AZURE_STORAGE_KEY'] || undefined;
    if (key !== undefined)
        return { ...place, credentials: { key } };
    const login = await told(async () => (0,_lib_azure_login_js__WEBPACK_IMPORTED_MODULE_0__/* .azureLogin */ .xy)(env));
    if (!login)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_3__/* .StoreError */ .AD('denied', `storage: no credentials for "${url}"; ${REMEDY}`);
    const lend = lending(login);
    const first = await lend();
    return {
        ...place,
        credentials: login.secret ? { ...login.secret } : first.credentials,
        ...(!login.secret && first.until !== undefined && { until: first.until }),
        source: (0,_wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__/* .renewing */ .IU)({ lend, clock: options.clock ?? _lib_clock_js__WEBPACK_IMPORTED_MODULE_1__/* .systemClock */ .ml, first }),
    };
}
/** The login as lender of a store. */
function lending(login) {
    return async () => await told(async () => login.lend(RESOURCE));
}
async function told(body) {
    try {
        return await body();
    }
    catch (error) {
        if (!(error instanceof _lib_azure_login_js__WEBPACK_IMPORTED_MODULE_0__/* .AzureFault */ .I$))
            throw error;
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_3__/* .StoreError */ .AD(error.final ? 'denied' : 'unavailable', `storage: no credentials from Azure: ${error.message}`, { cause: error });
    }
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
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/* harmony import */ var _bucket_url_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(19267);
/** Where a container of Azure is on the network: whoever has no client of ours (a machine that has just been born) finds it there too. */


/** `az://account/container/prefix`. */
function azPlace(place) {
    const { bucket: account, prefix: path } = (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_1__/* .bucketPlace */ .qR)(new URL(place.url));
    const [container = '', ...rest] = path.split('/');
    const endpoint = azEndpoint(place.settings?.['endpoint'] ?? `https://${account}.blob.core.windows.net`);
    return { account, container, prefix: rest.join('/'), endpoint };
}
/** Checks what travelled as text. Throws kind `invalid`. */
function azEndpoint(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const right = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '';
    if (!right)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', 'storage: the endpoint of Blob Storage must be http(s)://host[:port][/account], without credentials');
    return url;
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
    return `/${container}${key === undefined ? '' : `/${blobName(key).split('/').map(escaped).join('/')}`}`;
}
function escaped(name) {
    return encodeURIComponent(name).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
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

// EXTERNAL MODULE: ./build/js/stores/bucket.js
var bucket = __webpack_require__(59763);
// EXTERNAL MODULE: ./build/js/stores/call-error.js
var call_error = __webpack_require__(45086);
// EXTERNAL MODULE: ./build/js/stores/xml.js
var xml = __webpack_require__(42020);
// EXTERNAL MODULE: ./build/js/stores/az/address.js
var address = __webpack_require__(35437);
// EXTERNAL MODULE: ./build/js/lib/retry.js
var retry = __webpack_require__(39088);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/transport.js
var transport = __webpack_require__(78940);
;// CONCATENATED MODULE: ./build/js/stores/az/errors.js
/**
 * Answers of Blob Storage → kinds of the store contract, with what the user can do about it.
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes
 */


const BUSY = ['unavailable', 'always'];
const TRANSIENT = ['unavailable', 'repeatable'];
const CONFLICT = ['conflict', 'never'];
const ROLE = 'the role "Storage Blob Data Contributor" on the container is needed; one that was just given takes some minutes';
const STALE = 'the credentials are not valid, or have expired';
const IMMUTABLE = ['denied', 'never', 'a policy of the container keeps objects from being changed: choose another'];
/** By Azure's own word, which says more than the status. */
const CODES = {
    AccountIsDisabled: ['denied', 'never', 'the storage account is disabled'],
    AuthenticationFailed: ['denied', 'never', STALE],
    AuthorizationFailure: ['denied', 'never', 'a firewall of the storage account, or a missing role, keeps this caller out'],
    AuthorizationPermissionMismatch: ['denied', 'never', ROLE],
    AuthorizationProtocolMismatch: ['denied', 'never', 'the storage account takes https only'],
    AccountRequiresHttps: ['denied', 'never', 'the storage account takes https only'],
    BlobAlreadyExists: CONFLICT,
    BlobImmutableDueToLegalHold: IMMUTABLE,
    BlobImmutableDueToPolicy: IMMUTABLE,
    ConditionNotMet: CONFLICT,
    ContainerBeingDeleted: ['gone', 'never', 'the container is being deleted'],
    ContainerNotFound: ['gone', 'never', 'create the container, or correct `storage`'],
    InsufficientAccountPermissions: ['denied', 'never', ROLE],
    InvalidAuthenticationInfo: ['denied', 'never', STALE],
    InternalError: TRANSIENT,
    KeyBasedAuthenticationNotPermitted: ['denied', 'never', 'the storage account takes no account keys: sign in with "az login"'],
    LeaseIdMissing: ['denied', 'never', 'somebody holds a lease on it'],
    NoAuthenticationInformation: ['denied', 'never', 'the server wants credentials'],
    OperationTimedOut: TRANSIENT,
    PendingCopyOperation: BUSY,
    ServerBusy: BUSY,
    TargetConditionNotMet: CONFLICT,
    UnauthorizedBlobOverwrite: ['denied', 'never', ROLE],
};
const STATUSES = {
    401: ['denied', 'never', STALE],
    403: ['denied', 'never', ROLE],
    404: ['gone', 'never', 'create the container, or correct `storage`'],
    408: TRANSIENT,
    409: ['conflict', 'never'],
    412: CONFLICT,
    429: BUSY,
    507: ['full', 'never'],
};
/** By a word that is none of ours to foresee: what lies there is in a state that somebody else gave it. It was no race. */
const STATE = ['denied', 'never', 'something other than tpi uses this container or object: mend that, or choose another container'];
function describe({ operation, account, container, key }) {
    return `${operation} az://${account}/${container}/${key}`;
}
function faultOf(reply, tried) {
    const { code, message } = saidIn(reply);
    const { status } = reply;
    const known = Object.hasOwn(CODES, code) ? CODES[code] : status === 409 && code !== '' ? STATE : STATUSES[status];
    const [kind, again, hint] = known ?? (status >= 500 ? TRANSIENT : ['invalid', 'never']);
    const said = (0,call_error/* hidden */.R)(`${status}${code && ` ${code}`}${message && `: ${message.slice(0, 300)}`}`, tried.secrets);
    const wait = (0,call_error/* waitOf */.pE)(reply.headers['retry-after']);
    return new call_error/* CallError */.RA(kind, `storage: ${describe(tried)} failed: ${said}${hint ? ` (${hint})` : ''}`, { code, status, again, wait });
}
/** The word also stands in a header, which is all that there is without a body. The rest of the message names a request and a time. */
function saidIn({ headers, body }) {
    const header = headers['x-ms-error-code'];
    const code = typeof header === 'string' ? header : '';
    try {
        const error = (0,xml/* parseXml */.NO)(withoutMark(body.subarray(0, 65_536).toString('utf8')));
        return { code: code || ((0,xml/* textOf */.b6)(error, 'Code') ?? ''), message: ((0,xml/* textOf */.b6)(error, 'Message') ?? '').split(/\r?\n/)[0] ?? '' };
    }
    catch {
        return { code, message: '' };
    }
}
/** Azure begins XML with a byte order mark. */
function withoutMark(text) {
    return text.replace(/^\ufeff/, '').trim();
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
    const wishes = Object.keys(query)
        .sort()
        .map((name) => `${name.toLowerCase()}:${query[name]}`);
    const text = [method, ...standard, ...own, `/${account}${path}`, ...wishes].join('\n');
    return `SharedKey ${account}:${(0,external_node_crypto_.createHmac)('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')}`;
}

;// CONCATENATED MODULE: ./build/js/stores/az/client.js
/** Calls Blob Storage: with a token or signed by the account's key, understands failures and makes calls again where that is safe. */








/** https://learn.microsoft.com/rest/api/storageservices/versioning-for-the-azure-storage-services: since it one request may carry 5000 MiB. */
const VERSION = '2021-12-02';
class AzClient {
    settings;
    #transport;
    /** Tokens and keys that answers may still speak of: no message shows them. */
    #secrets = [];
    constructor(settings) {
        this.settings = settings;
        this.#transport = new transport/* Transport */.o(settings.endpoint);
    }
    /** The answer, if its status is 2xx. Otherwise throws CallError, or the signal's reason. */
    async call(call) {
        const again = (error) => (0,call_error/* mayRepeat */.xg)(error, call.repeatable);
        return await (0,retry/* retry */.L)(() => this.#once(call), { ...call_error/* PAUSES */.GT, attempts: this.settings.attempts, again, signal: call.signal });
    }
    async callXml(call, root) {
        const { body } = await this.call(call);
        try {
            const element = (0,xml/* parseXml */.NO)(withoutMark(body.toString('utf8')));
            if (element.name === root)
                return element;
        }
        catch (error) {
            throw (0,call_error/* odd */.ST)('the answer is not that of Blob Storage', describe(this.#tried(call)), error);
        }
        throw (0,call_error/* odd */.ST)('the answer is not that of Blob Storage', describe(this.#tried(call)));
    }
    close() {
        this.#transport.close();
    }
    async #once(call) {
        const held = await this.settings.source.get();
        const tried = this.#tried(call);
        const reply = await this.#send(call, held).catch((error) => {
            call.signal?.throwIfAborted();
            if (error instanceof store/* StoreError */.AD)
                throw error;
            throw (0,call_error/* lost */.DU)(error, describe(tried), this.#secrets);
        });
        if (reply.status >= 200 && reply.status < 300)
            return reply;
        const fault = faultOf(reply, this.#tried(call));
        if (reply.status !== 401 || !this.settings.source.refused(held))
            throw fault;
        const { code, status, message } = fault;
        throw new call_error/* CallError */.RA('unavailable', message, { code, status, again: 'always' });
    }
    async #send(call, held) {
        const { endpoint } = this.settings;
        const { method, query = {}, body } = call;
        const headers = {
            host: endpoint.host,
            'user-agent': 'tpi-action',
            'x-ms-version': VERSION,
            'x-ms-date': new Date().toUTCString(),
            ...call.headers,
        };
        if (body || method === 'PUT')
            headers['content-length'] = String(body?.length ?? 0);
        const path = `${endpoint.pathname.replace(/\/$/, '')}${(0,address/* blobPath */.nD)(this.settings, call.key)}`;
        headers['authorization'] = this.#proof(held, { method, path, query, headers });
        // What is signed is decoded: a blank is %20 in the one way that all servers read alike.
        const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
        const hostname = endpoint.hostname.replace(/^\[(.*)\]$/, '$1');
        return await this.#transport.send(hostname, { method, path: `${path}${search && `?${search}`}`, headers, body, signal: call.signal });
    }
    #proof({ token, key }, signed) {
        const { account, container, prefix } = this.settings;
        const secret = token || key;
        if (!secret)
            throw new store/* StoreError */.AD('denied', `storage: no credentials for "az://${account}/${container}/${prefix}"`);
        // Those of before too: what they were sent with may be on its way.
        if (!this.#secrets.includes(secret))
            this.#secrets = [secret, ...this.#secrets.slice(0, 2)];
        return token ? `Bearer ${token}` : sharedKey(account, secret, signed);
    }
    #tried({ operation, key, about = '' }) {
        const { account, container } = this.settings;
        return { operation, account, container, key: key ?? about, secrets: this.#secrets };
    }
}

// EXTERNAL MODULE: ./build/js/lib/azure/login.js
var azure_login = __webpack_require__(74171);
// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/wire/credentials.js
var wire_credentials = __webpack_require__(47980);
// EXTERNAL MODULE: ./build/js/stores/az/access.js
var access = __webpack_require__(64851);
;// CONCATENATED MODULE: ./build/js/stores/az/settings.js
/** What a StoreAccess says → what the client needs. */






/** About ten seconds of trouble; a caller with more patience calls again. */
const DEFAULT_ATTEMPTS = '7';
function settingsOf(access) {
    const { attempts = DEFAULT_ATTEMPTS } = access.settings ?? {};
    if (!/^[1-9]\d?$/.test(attempts))
        throw new store/* StoreError */.AD('invalid', `storage: "${attempts}" is not a valid number of attempts`);
    return { ...(0,address/* azPlace */.ZU)(access), attempts: Number(attempts), source: access.source ?? sourceOf(access) };
}
/** What has travelled: an application's credential, which is renewed where it is now, or a token or a key. */
function sourceOf({ url, credentials }) {
    if (!credentials)
        throw new store/* StoreError */.AD('denied', `storage: no credentials for "${url}"`);
    const { tenant, client, clientSecret, authority } = credentials;
    if (!tenant || !client || !clientSecret)
        return (0,wire_credentials/* fixed */.Zu)(credentials);
    const login = (0,azure_login/* loginOfSecret */.D6)({ tenant, client, clientSecret, ...(authority !== undefined && { authority }) });
    return (0,wire_credentials/* renewing */.IU)({ lend: (0,access/* lending */.u)(login), clock: clock/* systemClock */.ml });
}

;// CONCATENATED MODULE: ./build/js/stores/az/upload.js


/** Bodies up to this size go in one request; larger ones in blocks of it. Bytes. */
const BLOCK_BYTES = 8 * 1024 * 1024;
const TYPE = { 'content-type': 'application/octet-stream' };
async function upload(wish) {
    const { client, key, body, headers, signal } = wish;
    const repeatable = Object.keys(headers).length === 0;
    const call = { method: 'PUT', key, repeatable, signal };
    if (body.length <= BLOCK_BYTES) {
        // https://learn.microsoft.com/rest/api/storageservices/put-blob
        const own = { ...TYPE, 'x-ms-blob-type': 'BlockBlob', ...headers };
        return versionOf(await client.call({ ...call, operation: 'Put Blob', headers: own, body }), key);
    }
    try {
        return await putBlocks(wish, call);
    }
    catch (error) {
        // Another writer of the object was faster: what was not listed by then is gone.
        if (!repeatable || !(error instanceof call_error/* CallError */.RA) || error.code !== 'InvalidBlockList')
            throw error;
        return await putBlocks(wish, call);
    }
}
/**
 * `Latest`: a list that is put again, because the answer was lost, finds its blocks committed. Ids are this write's own, so that nothing else is meant.
 * https://learn.microsoft.com/rest/api/storageservices/put-block-list
 */
async function putBlocks(wish, call) {
    const { client, key, headers } = wish;
    const blocks = await sendBlocks(wish);
    const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${blocks.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`;
    const put = {
        ...call,
        operation: 'Put Block List',
        query: { comp: 'blocklist' },
        headers: { 'content-type': 'application/xml', ...headers },
        body: Buffer.from(list),
    };
    return versionOf(await client.call(put), key);
}
/**
 * Ids of the blocks. Those of two writers differ, so that neither puts a list with blocks of the other. What is never listed is forgotten after a
 * week. When one fails the others are stopped, and all have ended when this rejects.
 * https://learn.microsoft.com/rest/api/storageservices/put-block
 */
async function sendBlocks({ client, key, body, signal }) {
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const own = crypto.randomUUID();
    const ids = Array.from({ length: Math.ceil(body.length / BLOCK_BYTES) }, (_, index) => Buffer.from(`${own}-${String(index).padStart(4, '0')}`).toString('base64'));
    const sends = ids.map(async (blockid, index) => {
        const block = body.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES);
        const query = { comp: 'block', blockid };
        await client.call({ operation: 'Put Block', method: 'PUT', key, query, headers: TYPE, body: block, repeatable: true, signal: either });
    });
    try {
        await Promise.all(sends);
        return ids;
    }
    catch (error) {
        stop.abort(error);
        await Promise.allSettled(sends);
        throw error;
    }
}
/** Each write makes another one, whatever its bytes are. */
function versionOf({ headers }, key) {
    if (headers.etag)
        return headers.etag;
    throw new store/* StoreError */.AD('invalid', `storage: the server gave no ETag for "${key}": it cannot be used as a store`);
}

;// CONCATENATED MODULE: ./build/js/stores/az/index.js







/** Settings: `endpoint`, `attempts`. Credentials: `token`, `key` of the account, or those of an application: `tenant`, `client`, `clientSecret`. */
const az_open = async (access) => new bucket/* BucketStore */.cD(access.url, new Az(new AzClient(settingsOf(access))));
class Az {
    prefix;
    #client;
    constructor(client) {
        this.prefix = client.settings.prefix;
        this.#client = client;
    }
    async read(key, range, signal) {
        const call = { operation: 'Get Blob', method: 'GET', key, headers: (0,bucket/* rangeHeader */.Hq)(range), repeatable: true, signal };
        try {
            const reply = await this.#client.call(call);
            return { bytes: (0,bucket/* inRange */.r4)(reply, range), version: versionOf(reply, key) };
        }
        catch (error) {
            return absent(error);
        }
    }
    /** A HEAD has no body: the word for what is wrong is in a header. */
    async state(key, signal) {
        const call = { operation: 'Get Blob Properties', method: 'HEAD', key, repeatable: true, signal };
        try {
            return { bytes: new Uint8Array(0), version: versionOf(await this.#client.call(call), key) };
        }
        catch (error) {
            return absent(error);
        }
    }
    async write(key, body, condition, signal) {
        return await upload({ client: this.#client, key, body, headers: conditionHeaders(condition), signal });
    }
    /** https://learn.microsoft.com/rest/api/storageservices/list-blobs: there is no way to begin behind a name. */
    async page(prefix, _after, next, signal) {
        const query = { restype: 'container', comp: 'list', prefix: (0,address/* blobName */.PF)(prefix), maxresults: '2000', ...(next ? { marker: next } : {}) };
        const call = { operation: 'List Blobs', method: 'GET', about: prefix, query, repeatable: true, signal };
        const answer = await this.#client.callXml(call, 'EnumerationResults');
        const blobs = (0,xml/* child */.jf)(answer, 'Blobs');
        const entries = (blobs ? (0,xml/* childrenOf */.LU)(blobs, 'Blob') : []).map((blob) => {
            const properties = (0,xml/* child */.jf)(blob, 'Properties');
            return { key: (0,address/* keyOf */.TN)((0,xml/* textOf */.b6)(blob, 'Name') ?? ''), size: Number((properties && (0,xml/* textOf */.b6)(properties, 'Content-Length')) ?? Number.NaN) };
        });
        return { entries, next: (0,xml/* textOf */.b6)(answer, 'NextMarker') || undefined };
    }
    /** A condition names one state for ever, so that the same call again removes nothing else. Snapshots that somebody took of it would keep it. */
    async remove(key, condition) {
        const headers = { 'x-ms-delete-snapshots': 'include', ...conditionHeaders(condition) };
        const call = { operation: 'Delete Blob', method: 'DELETE', key, headers, repeatable: true };
        try {
            await this.#client.call(call);
        }
        catch (error) {
            if (condition && (0,bucket/* isStatus */.zM)(error, 412) && !(await this.state(key)))
                return;
            absent(error);
        }
    }
    close() {
        this.#client.close();
    }
}
/** Of an object that is not there; anything else, a container that is not there too, is thrown. */
function absent(error) {
    if (error instanceof call_error/* CallError */.RA && error.status === 404 && error.code === 'BlobNotFound')
        return undefined;
    throw error;
}
/** https://learn.microsoft.com/rest/api/storageservices/specifying-conditional-headers-for-blob-service-operations */
function conditionHeaders(condition) {
    if (condition === undefined)
        return {};
    return 'absent' in condition ? { 'if-none-match': '*' } : { 'if-match': condition.version };
}


/***/ }),

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
/** Characters: a page of two thousand objects has fewer. Each costs a dozen bytes until it is read. */
const LONGEST = 4 * 1024 * 1024;
/** Throws when the text is not one whole element, or longer than any answer that was asked for. */
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

/***/ 47980:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   IU: () => (/* binding */ renewing),
/* harmony export */   Zu: () => (/* binding */ fixed)
/* harmony export */ });
/* unused harmony export passing */
/* harmony import */ var _store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/** Credentials that run out: who has them asks a source before each call, and the source gets others in time. */

/** The same for ever. */
function fixed(credentials) {
    return { get: async () => credentials, refused: () => false };
}
/** Milliseconds before their end from which others are asked for, or a quarter of their time where that is less: metadata services have new ones five minutes before. */
const EARLY = 10 * 60_000;
/** Milliseconds before their end from which a call waits for others: a request takes a moment to arrive. */
const LAST = 10_000;
/** Milliseconds between two tries while the old ones are good, or a tenth of the time left where that is less. */
const PACE = 30_000;
/** Milliseconds for which ones are used that are lent as expired: then it is a clock that is wrong, and the other side says what it thinks of them. */
const DOUBTFUL = 60_000;
/** Asks the lender when the first ones are needed, in time before they end, and when they were refused; for all callers at once. */
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
            const left = had ? had.due - clock.now() : 0;
            if (!had || left <= 0)
                return (await ask()).credentials;
            if (left > had.early)
                return had.credentials;
            if (left > LAST && clock.now() < next)
                return had.credentials;
            const renewed = ask().catch((error) => {
                trouble?.(error);
                if (had.due <= clock.now())
                    throw error;
                return had;
            });
            if (left <= LAST)
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
    const left = Date.parse(until) - clock.date().getTime();
    if (Number.isNaN(left))
        throw new _store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('unavailable', `storage: the credentials are good until "${until}", which is not a time`);
    const life = left > 0 ? left : DOUBTFUL;
    return { credentials, due: clock.now() + life, early: Math.min(EARLY, life / 4) };
}
/** A lender whose every failure may pass: a store then counts as out of reach, which callers wait out. */
function passing(lend, who) {
    return async () => {
        try {
            return await lend();
        }
        catch (error) {
            if (isStoreError(error))
                throw error;
            const said = error instanceof Error ? error.message : String(error);
            throw new StoreError('unavailable', `storage: no credentials from ${who}: ${said}`, { cause: error });
        }
    };
}


/***/ })

};
