export const id = 6106;
export const ids = [6106];
export const modules = {

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
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/stores/bucket-client.js + 1 modules
var bucket_client = __webpack_require__(99499);
// EXTERNAL MODULE: ./build/js/stores/az/address.js
var address = __webpack_require__(35437);
;// CONCATENATED MODULE: ./build/js/stores/az/errors.js
/**
 * Answers of Blob Storage → kinds of the store contract, with what the user can do about it.
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes
 */



const ROLE = (0,call_error/* denied */.wk)('the role "Storage Blob Data Contributor" on the container is needed; one that was just given takes some minutes');
const HTTPS = (0,call_error/* denied */.wk)('the storage account takes https only');
const MISSING = ['gone', 'never', 'create the container, or correct `storage`'];
const IMMUTABLE = (0,call_error/* denied */.wk)('a policy of the container keeps objects from being changed: choose another');
/** By Azure's own code, which says more than the status. */
const CODES = {
    AccountIsDisabled: (0,call_error/* denied */.wk)('the storage account is disabled'),
    AuthenticationFailed: call_error/* STALE */.yR,
    AuthorizationFailure: (0,call_error/* denied */.wk)('a firewall of the storage account, or a missing role, keeps this caller out'),
    AuthorizationPermissionMismatch: ROLE,
    AuthorizationProtocolMismatch: HTTPS,
    AccountRequiresHttps: HTTPS,
    BlobAlreadyExists: call_error/* CONFLICT */.p9,
    BlobImmutableDueToLegalHold: IMMUTABLE,
    BlobImmutableDueToPolicy: IMMUTABLE,
    ConditionNotMet: call_error/* CONFLICT */.p9,
    ContainerBeingDeleted: ['gone', 'never', 'the container is being deleted'],
    ContainerNotFound: MISSING,
    InsufficientAccountPermissions: ROLE,
    InvalidAuthenticationInfo: call_error/* STALE */.yR,
    InternalError: call_error/* TRANSIENT */.vt,
    KeyBasedAuthenticationNotPermitted: (0,call_error/* denied */.wk)('the storage account takes no account keys: sign in with "az login"'),
    LeaseIdMissing: (0,call_error/* denied */.wk)('somebody holds a lease on it'),
    NoAuthenticationInformation: call_error/* UNKNOWN_CALLER */.xs,
    OperationTimedOut: call_error/* TRANSIENT */.vt,
    PendingCopyOperation: call_error/* BUSY */.yu,
    ServerBusy: call_error/* BUSY */.yu,
    TargetConditionNotMet: call_error/* CONFLICT */.p9,
    UnauthorizedBlobOverwrite: ROLE,
};
const STATUSES = {
    401: call_error/* STALE */.yR,
    403: ROLE,
    404: MISSING,
    409: call_error/* CONFLICT */.p9,
};
/** For an unknown conflict: not a race, but a state that something else gave the container or object. */
const STATE = (0,call_error/* denied */.wk)('something other than tpi uses this container or object: correct that, or choose another container');
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








/** Before version 2019-12-12, one request may carry only 256 MiB: https://learn.microsoft.com/azure/storage/blobs/scalability-targets */
const VERSION = '2021-12-02';
class AzClient extends bucket_client/* BucketClient */.C6 {
    naming;
    constructor(settings) {
        super(settings, settings.endpoint);
        this.naming = settings.onlyRead ? address/* THEIRS */.WU : address/* OURS */.o6;
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
        const name = key === undefined ? undefined : this.naming.nameOf(key);
        return `${this.settings.endpoint.pathname.replace(/\/$/, '')}${(0,address/* blobPath */.nD)(this.settings, name)}`;
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

// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/vendors/azure/login.js
var azure_login = __webpack_require__(27551);
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
 * `Latest` also finds blocks that are committed already, as they are when the list is put again because the answer was lost. Ids are this write's
 * own, so they name no other blocks.
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
    /**
     * Names beyond ASCII have no documented order, and an account with a hierarchical namespace lists what is in a folder right after its name:
     * https://github.com/Azure/azure-sdk-for-go/issues/24210
     */
    get unordered() {
        return this.client.settings.onlyRead;
    }
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
        const { naming, settings } = this.client;
        // Metadata may take kilobytes for each blob.
        const which = settings.onlyRead ? { maxresults: '500', include: 'metadata' } : { maxresults: '2000' };
        const query = { restype: 'container', comp: 'list', prefix: naming.nameOf(prefix), ...which, ...(next && { marker: next }) };
        const call = { operation: 'List Blobs', method: 'GET', about: prefix, query, repeatable: true, signal };
        const answer = await this.client.callXml(call, 'EnumerationResults');
        const blobs = (0,xml/* child */.jf)(answer, 'Blobs');
        const entries = (blobs ? (0,xml/* childrenOf */.LU)(blobs, 'Blob') : []).flatMap((blob) => {
            const properties = (0,xml/* child */.jf)(blob, 'Properties');
            const type = properties && (0,xml/* textOf */.b6)(properties, 'ResourceType');
            if (type !== undefined && !settings.onlyRead)
                throw hierarchical(settings);
            if (type === 'directory' || isFolder((0,xml/* child */.jf)(blob, 'Metadata')))
                return [];
            const size = Number((properties && (0,xml/* textOf */.b6)(properties, 'Content-Length')) ?? Number.NaN);
            return { key: naming.keyOf((0,xml/* textOf */.b6)(blob, 'Name') ?? ''), size };
        });
        return { entries, next: (0,xml/* textOf */.b6)(answer, 'NextMarker') || undefined };
    }
    /**
     * A condition names one state for ever, so repeating the call removes nothing else. Snapshots that somebody took of the blob are removed too,
     * because Azure would refuse the call otherwise.
     */
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
/** Blobfuse and Hadoop's driver make an empty blob for each folder: https://github.com/Azure/azure-storage-fuse/issues/223 */
const isFolder = (metadata) => metadata?.children.some(({ name, text }) => name.toLowerCase() === 'hdi_isfolder' && text === 'true') === true;
/**
 * In such an account, folders are objects of their own, and stay when everything in them is gone. It shows in lists, where only such an account names
 * the type of an entry; Get Account Information would say it too, but takes no tokens.
 * https://learn.microsoft.com/rest/api/storageservices/list-blobs#response-body
 */
function hierarchical({ account }) {
    const why = 'has a hierarchical namespace (Data Lake Storage), in which tpi could not remove what it has made';
    return new store/* StoreError */.AD('invalid', `storage: the account "${account}" ${why}: choose an account without one`);
}
/** `undefined` if the error says that the object does not exist; throws all others, also that of a missing container. */
function absent(error) {
    if (error instanceof call_error/* CallError */.RA && error.status === 404 && error.code === 'BlobNotFound')
        return undefined;
    throw error;
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


/***/ })

};
