export const id = 983;
export const ids = [983];
export const modules = {

/***/ 56705:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
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


/***/ }),

/***/ 76983:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ s3_open)
});

// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/keys.js
var stores_keys = __webpack_require__(56705);
// EXTERNAL MODULE: ./build/js/stores/s3/client.js + 2 modules
var client = __webpack_require__(23796);
// EXTERNAL MODULE: ./build/js/stores/s3/errors.js
var errors = __webpack_require__(51241);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: ./build/js/stores/s3/xml.js
var xml = __webpack_require__(84193);
;// CONCATENATED MODULE: ./build/js/stores/s3/list.js
/** Listing and mass removal. */




/** Keys and prefixes here are full ones, with the prefix of the URL. */
async function* listKeys(client, prefix, after, signal) {
    let token;
    do {
        const query = { 'list-type': '2', 'max-keys': '1000', prefix };
        if (token !== undefined)
            query['continuation-token'] = token;
        else if (after !== '')
            query['start-after'] = after;
        const call = { operation: 'ListObjectsV2', method: 'GET', about: prefix, query, repeatable: true, signal };
        const page = await client.callXml(call, 'ListBucketResult');
        for (const entry of (0,xml/* childrenOf */.LU)(page, 'Contents'))
            yield entryOf(entry);
        token = (0,xml/* textOf */.b6)(page, 'IsTruncated') === 'true' ? tokenOf(page, client, prefix) : undefined;
    } while (token !== undefined);
}
function entryOf(entry) {
    return { key: (0,xml/* textOf */.b6)(entry, 'Key') ?? '', size: Number((0,xml/* textOf */.b6)(entry, 'Size')) };
}
/** A page that is not the last and does not say how to go on must not read as the end. */
function tokenOf(page, { settings }, prefix) {
    const token = (0,xml/* textOf */.b6)(page, 'NextContinuationToken');
    if (token)
        return token;
    throw (0,errors/* oddOf */.Jh)('a page without continuation', { operation: 'ListObjectsV2', ...settings, key: prefix, secrets: [] });
}
/** Keys that one request takes. */
const BATCH = 1000;
/** Requests at once. */
const LANES = 4;
/** Rounds for keys that the server had trouble with. */
const ROUNDS = 5;
/** Removes objects by their full keys. */
async function removeKeys(client, keys) {
    const batches = [];
    for (let at = 0; at < keys.length; at += BATCH)
        batches.push(keys.slice(at, at + BATCH));
    const lane = async () => {
        for (let batch = batches.pop(); batch; batch = batches.pop())
            await removeBatch(client, batch);
    };
    await Promise.all(Array.from({ length: Math.min(LANES, batches.length) }, lane));
}
async function removeBatch(client, keys) {
    let left = keys;
    for (let round = 1; left.length > 0; round++) {
        const [only] = left;
        if (left.length === 1 && only !== undefined) {
            await client.call({ operation: 'DeleteObject', method: 'DELETE', key: only, repeatable: true });
            return;
        }
        const failed = await removeOnce(client, left);
        if (failed.length > 0 && round >= ROUNDS)
            throw failure(client, failed);
        left = failed.filter((one) => again(client, one)).map((one) => one.key);
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
/** Whether to ask again for this key; throws for what will not get better. */
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

;// CONCATENATED MODULE: ./build/js/stores/s3/multipart.js


/** Bodies up to this size go in one request. Bytes. */
const SINGLE_BYTES = 16 * 1024 * 1024;
/** Bytes of a part; S3 wants at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Whole uploads begun anew after one that the server has lost or refused for a race. */
const UPLOADS = 3;
async function uploadParts(upload) {
    for (let round = 1;; round++) {
        const id = await begin(upload);
        try {
            return await complete(upload, id, await sendParts(upload, id));
        }
        catch (error) {
            await abortUpload(upload.client, upload.key, id).catch(() => {
                // The first failure is what matters; parts that stay are removed by `clear` or by the bucket's life-cycle rule.
            });
            if (round >= UPLOADS || !beginAnew(error, upload))
                throw error;
        }
    }
}
/** A race with another writer is decided anew; an upload that is gone may have been completed by a try whose answer was lost. */
function beginAnew(error, { headers }) {
    if (!(error instanceof errors/* S3Error */.Dg))
        return false;
    return error.status === 409 || (error.code === 'NoSuchUpload' && Object.keys(headers).length === 0);
}
async function begin({ client, key, signal }) {
    const call = { operation: 'CreateMultipartUpload', method: 'POST', key, query: { uploads: '' }, repeatable: true, signal };
    const id = (0,xml/* textOf */.b6)(await client.callXml(call, 'InitiateMultipartUploadResult'), 'UploadId');
    if (!id)
        throw new Error('S3 began an upload without naming it');
    return id;
}
/** ETags of the parts. When one fails the others are stopped, and all have ended when this rejects. */
async function sendParts({ client, key, body, signal }, uploadId) {
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const count = Math.ceil(body.length / PART_BYTES);
    const sends = Array.from({ length: count }, async (_, index) => {
        const query = { partNumber: String(index + 1), uploadId };
        const part = body.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
        const call = { operation: 'UploadPart', method: 'PUT', key, query, body: part, repeatable: true, signal: either };
        const { headers } = await client.call(call);
        return headers.etag ?? '';
    });
    try {
        return await Promise.all(sends);
    }
    catch (error) {
        stop.abort(error);
        await Promise.allSettled(sends);
        throw error;
    }
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
    return (0,xml/* textOf */.b6)(result, 'ETag') ?? '';
}
async function abortUpload(client, key, uploadId) {
    try {
        await client.call({ operation: 'AbortMultipartUpload', method: 'DELETE', key, query: { uploadId }, repeatable: true });
    }
    catch (error) {
        if (!(error instanceof errors/* S3Error */.Dg && error.code === 'NoSuchUpload'))
            throw error;
    }
}
/** Aborts every upload that was begun below a prefix and neither completed nor aborted. */
async function abortUploads(client, prefix) {
    // What is aborted leaves the list, so the first page is asked for again until it is empty.
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

// EXTERNAL MODULE: ./build/js/stores/s3/url.js
var url = __webpack_require__(46025);
;// CONCATENATED MODULE: ./build/js/stores/s3/settings.js
/** What a StoreAccess says → what the client needs. */



const DEFAULT_REGION = 'us-east-1';
/** About ten seconds of trouble; a caller with more patience calls again. */
const DEFAULT_ATTEMPTS = '7';
function settingsOf(access) {
    const { bucket, prefix } = (0,url/* bucketPlace */.q)(new URL(access.url));
    const { region = DEFAULT_REGION, endpoint, pathStyle, attempts = DEFAULT_ATTEMPTS } = access.settings ?? {};
    const { accessKeyId, secretAccessKey, sessionToken } = access.credentials ?? {};
    if (!accessKeyId || !secretAccessKey)
        throw new store/* StoreError */.AD('denied', `storage: no credentials for "${access.url}"`);
    if (!/^[a-z0-9-]{2,64}$/.test(region))
        throw new store/* StoreError */.AD('invalid', `storage: "${region}" is no region`);
    if (!/^[1-9]\d?$/.test(attempts))
        throw new store/* StoreError */.AD('invalid', `storage: "${attempts}" is no number of attempts`);
    // The certificate of AWS covers one label before its own name, so a bucket with dots goes into the path.
    const inPath = pathStyle === undefined ? endpoint !== undefined || bucket.includes('.') : pathStyle === 'true';
    return {
        bucket,
        prefix,
        region,
        endpoint: endpoint === undefined ? undefined : (0,client/* endpointOf */.X)(endpoint),
        pathStyle: inPath,
        attempts: Number(attempts),
        credentials: { accessKeyId, secretAccessKey, sessionToken },
    };
}

;// CONCATENATED MODULE: ./build/js/stores/s3/index.js
/**
 * A store in a bucket of S3 or of a compatible server.
 *
 * Versions are ETags. S3 makes them of the content, so a record must carry a fresh nonce in every state (ours do): then no two states are
 * equal, and a stale condition never matches again. A bucket has no folders: `init` has nothing to make, and a write below an incarnation that
 * was cleared is not refused; whoever destroys lists and clears once more after all writers are gone.
 * A conditional write whose answer was lost throws `unavailable`; whether it took effect is found out by reading back.
 */







/** Settings: `region`, `endpoint`, `pathStyle` (`true`, `false`), `attempts`. Credentials: `accessKeyId`, `secretAccessKey`, `sessionToken`. */
const s3_open = async (access) => new S3Store(access.url, new client/* S3Client */.Y(settingsOf(access)));
class S3Store {
    url;
    #client;
    constructor(url, client) {
        this.url = url;
        this.#client = client;
    }
    async init(prefix) {
        (0,stores_keys/* checkFolder */.p$)(prefix);
    }
    async read(key, range, signal) {
        (0,stores_keys/* checkKey */.yR)(key);
        const from = range?.from ?? 0;
        if (range?.to !== undefined && range.to <= from)
            return await this.#head(key, signal);
        const headers = {};
        if (from > 0 || range?.to !== undefined)
            headers['range'] = `bytes=${from}-${range?.to === undefined ? '' : range.to - 1}`;
        try {
            const call = { operation: 'GetObject', method: 'GET', key: this.#full(key), headers, repeatable: true, signal };
            const reply = await this.#client.call(call);
            // A server may answer a range with the whole object.
            const bytes = 'range' in headers && reply.status !== 206 ? reply.body.subarray(from, range?.to) : reply.body;
            return { bytes, version: this.#version(reply, key) };
        }
        catch (error) {
            if (isMissing(error))
                return undefined;
            if (error instanceof errors/* S3Error */.Dg && error.status === 416)
                return await this.#head(key, signal);
            throw error;
        }
    }
    async write(key, body, condition, signal) {
        (0,stores_keys/* checkKey */.yR)(key);
        if (body.length > store/* MAX_OBJECT_BYTES */.lu)
            throw new store/* StoreError */.AD('invalid', `storage: "${key}" is larger than ${store/* MAX_OBJECT_BYTES */.lu} bytes`);
        const headers = conditionHeaders(condition);
        const full = this.#full(key);
        try {
            if (body.length > SINGLE_BYTES)
                return await uploadParts({ client: this.#client, key: full, body, headers, signal });
            const repeatable = condition === undefined;
            const call = { operation: 'PutObject', method: 'PUT', key: full, headers, body, repeatable, signal };
            return this.#version(await this.#client.call(call), key);
        }
        catch (error) {
            if (condition && isMissing(error))
                throw new store/* StoreError */.AD('conflict', `storage: "${key}" is not there any more`, { cause: error });
            throw error;
        }
    }
    async *list(prefix, after, signal) {
        (0,stores_keys/* checkPrefix */.by)(prefix);
        const own = this.#client.settings.prefix;
        for await (const entry of listKeys(this.#client, own + prefix, after === undefined ? '' : own + after, signal)) {
            const key = entry.key.slice(own.length);
            // Tools make empty objects that stand for folders; they are none of ours.
            if (!key.endsWith('/') && key !== '')
                yield { key, size: entry.size };
        }
    }
    async remove(keys, condition) {
        for (const key of keys)
            (0,stores_keys/* checkKey */.yR)(key);
        if (condition)
            return await this.#removeState((0,stores_keys/* onlyOne */.jr)(keys), condition);
        await removeKeys(this.#client, keys.map((key) => this.#full(key)));
    }
    async clear(prefix) {
        (0,stores_keys/* checkFolder */.p$)(prefix);
        const full = this.#full(prefix);
        await abortUploads(this.#client, full);
        let batch = [];
        for await (const entry of listKeys(this.#client, full, '')) {
            batch.push(entry.key);
            if (batch.length < 4000)
                continue;
            await removeKeys(this.#client, batch);
            batch = [];
        }
        await removeKeys(this.#client, batch);
    }
    async close() {
        this.#client.close();
    }
    /** Looked at before, for servers that do not know the condition of a removal, and remove in any case. */
    async #removeState(key, { version }) {
        const there = await this.#head(key, undefined);
        if (!there)
            return;
        if (there.version !== version)
            throw new store/* StoreError */.AD('conflict', `storage: "${key}" is no longer what it was`);
        const headers = { 'if-match': version };
        try {
            await this.#client.call({ operation: 'DeleteObject', method: 'DELETE', key: this.#full(key), headers, repeatable: true });
        }
        catch (error) {
            if (!isMissing(error))
                throw error;
        }
    }
    /** An object without its bytes: for ranges that hold none, which S3 refuses. */
    async #head(key, signal) {
        try {
            const call = { operation: 'HeadObject', method: 'HEAD', key: this.#full(key), repeatable: true, signal };
            return { bytes: new Uint8Array(0), version: this.#version(await this.#client.call(call), key) };
        }
        catch (error) {
            // HEAD has no body that could tell a missing key from a missing bucket.
            if (error instanceof errors/* S3Error */.Dg && error.status === 404)
                return undefined;
            throw error;
        }
    }
    #version(reply, key) {
        const version = reply.headers.etag;
        if (!version)
            throw new store/* StoreError */.AD('invalid', `storage: the server gave no ETag for "${key}": it cannot be used as a store`);
        return version;
    }
    #full(key) {
        return this.#client.settings.prefix + key;
    }
}
function isMissing(error) {
    return error instanceof errors/* S3Error */.Dg && error.code === 'NoSuchKey';
}
function conditionHeaders(condition) {
    if (condition === undefined)
        return {};
    return 'absent' in condition ? { 'if-none-match': '*' } : { 'if-match': condition.version };
}


/***/ })

};
