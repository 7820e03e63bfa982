export const id = 5226;
export const ids = [5226];
export const modules = {

/***/ 37414:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   serveGate: () => (/* binding */ serveGate)
/* harmony export */ });
/* harmony import */ var node_events__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(78474);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var _wire_machine_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(65179);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(13453);
/* harmony import */ var _wire_serve_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(71777);
/* harmony import */ var _http_server_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(7626);
/**
 * `agent serve-gate CONFIG.json`: serves a store that is elsewhere to the machine beside it. Only this program has the credentials of the store. The
 * machine shows a pass, which lets it use its own slot and nothing else (`pass-rules.ts`).
 */






/** Bytes of an object that are read in one call: each call costs money and time, however small its answer. */
const PIECE = 8 * 1024 * 1024;
/** Serves until it is told to end, which is after the machine that it serves. */
async function serveGate(argv, openStore) {
    const shutdown = new AbortController();
    for (const name of ['SIGTERM', 'SIGINT'])
        process.once(name, () => shutdown.abort());
    const { store: place, credentialsFile, port, tokenFile } = (0,_wire_parse_js__WEBPACK_IMPORTED_MODULE_3__/* .parseRecord */ .Hh)(_wire_serve_js__WEBPACK_IMPORTED_MODULE_4__/* .GATE */ .k, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(argv[0] ?? ''), argv[0] ?? '');
    const token = (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(tokenFile, 'utf8')).trim();
    const store = await openStore({ ...place, credentials: (0,_wire_machine_js__WEBPACK_IMPORTED_MODULE_2__/* .credentialsOf */ .YN)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(credentialsFile, 'utf8')) });
    const server = (0,_http_server_js__WEBPACK_IMPORTED_MODULE_5__/* .storeServer */ .z)({ store, token, piece: PIECE });
    server.listen(port, '127.0.0.1');
    await (0,node_events__WEBPACK_IMPORTED_MODULE_0__.once)(server, 'listening');
    process.stdout.write(`serving ${place.url} on port ${port}\n`);
    if (!shutdown.signal.aborted)
        await (0,node_events__WEBPACK_IMPORTED_MODULE_0__.once)(shutdown.signal, 'abort');
    server.close();
    server.closeAllConnections();
    await store.close?.();
    return 0;
}


/***/ }),

/***/ 56705:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C1: () => (/* binding */ checkSize),
/* harmony export */   I7: () => (/* binding */ checkPage),
/* harmony export */   Tz: () => (/* binding */ byteOrder),
/* harmony export */   by: () => (/* binding */ checkPrefix),
/* harmony export */   jr: () => (/* binding */ onlyOne),
/* harmony export */   p$: () => (/* binding */ checkFolder),
/* harmony export */   yR: () => (/* binding */ checkKey)
/* harmony export */ });
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/** Rules for keys and objects that hold in every store, so that what works in one works in the others. */

/** Bytes of UTF-8; S3 allows 1024 with the prefix of the URL. */
const MAX_KEY_BYTES = 800;
/** Throws kind `invalid` unless every backend can hold the key. */
function checkKey(key) {
    const fault = keyFault(key);
    if (fault)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', `storage: key ${JSON.stringify(key)} ${fault}`);
}
/** Throws kind `invalid` unless every backend can hold an object of so many bytes. */
function checkSize(key, bytes) {
    if (bytes > _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_OBJECT_BYTES */ .lu)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', `storage: "${key}" is larger than ${_wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_OBJECT_BYTES */ .lu} bytes`);
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
/** The key that a conditional removal is about. */
function onlyOne(keys) {
    const [key] = keys;
    if (key === undefined || keys.length > 1)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', 'storage: only one object at a time can be removed on a condition');
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
/** Nearly every key. Such a key compares as its bytes do. */
const ASCII = /^[ -~]*$/;
/** A string that compares by `<` as the UTF-8 bytes of the key do (JavaScript compares UTF-16 units, which differs above U+D7FF). */
function byteOrder(key) {
    return ASCII.test(key) ? key : Buffer.from(key).toString('latin1');
}
/**
 * Checks a page of a list from a server: all its objects must be below the prefix and come after `last`. Otherwise tpi would read or remove what it
 * did not ask for, or a list that goes back would never end. Returns the last key. Throws `corrupt`.
 */
function checkPage(prefix, last, page) {
    const foreign = page.find(({ key, size }) => !key.startsWith(prefix) || !Number.isSafeInteger(size) || size < 0);
    if (foreign)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('corrupt', `storage: asked what lies below "${prefix}", the server lists ${JSON.stringify(foreign.key)}`);
    const [first] = page;
    if (first && last !== undefined && byteOrder(first.key) <= byteOrder(last))
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('corrupt', `storage: the list of what lies below "${prefix}" repeats itself`);
    return page.at(-1)?.key ?? last;
}


/***/ })

};
