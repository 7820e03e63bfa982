export const id = 1100;
export const ids = [1100,5091];
export const modules = {

/***/ 42600:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   n: () => (/* binding */ uriEncoded),
/* harmony export */   q: () => (/* binding */ uriEncodedPath)
/* harmony export */ });
/** How names are escaped in the URLs of requests, as signatures need it too (RFC 3986: unreserved characters stay). */
/** For a path or a query: all but `A-Z a-z 0-9 - . _ ~` is escaped, slashes too. */
function uriEncoded(text) {
    return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
/** The same for each part of a path: its slashes stay. */
const uriEncodedPath = (path) => path.split('/').map(uriEncoded).join('/');


/***/ }),

/***/ 41100:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   accessFromEnv: () => (/* binding */ accessFromEnv),
/* harmony export */   lending: () => (/* binding */ lending)
/* harmony export */ });
/* harmony import */ var _vendors_google_login_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5741);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);
/* harmony import */ var _login_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(47100);
/* harmony import */ var _address_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(31284);




const REMEDY = 'set GOOGLE_APPLICATION_CREDENTIALS to a credential file, or run "gcloud auth application-default login"';
/**
 * Machines without an identity of their own get the credential itself if it works anywhere (a key, a signed-in user), so that it can be renewed
 * there; otherwise a token, which is valid for an hour. Throws StoreError `denied` if there are no credentials or they are refused,
 * `unavailable` if no server could be reached, `invalid` for a bad endpoint; messages never show a credential.
 */
async function accessFromEnv(url, env, options = {}) {
    const endpoint = options.endpoint ?? (env['CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE'] || emulator(env));
    if (endpoint)
        (0,_address_js__WEBPACK_IMPORTED_MODULE_3__/* .gsEndpoint */ .ou)(endpoint);
    const login = await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentBy */ .d)('Google', async () => (0,_vendors_google_login_js__WEBPACK_IMPORTED_MODULE_0__/* .googleLogin */ .p3)(env));
    if (!login)
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_1__/* .StoreError */ .AD('denied', `storage: no credentials for "${url}"; ${REMEDY}`);
    const place = { url, ...(endpoint && { settings: { endpoint } }) };
    const own = login.file === undefined ? undefined : { file: login.file };
    return await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentAccess */ .G)(place, lending(login), { own, clock: options.clock });
}
/** The address of an emulator, from the variable of Google's own clients. Some of them want it without a scheme. */
function emulator(env) {
    const host = env['STORAGE_EMULATOR_HOST'];
    return host && (host.includes('://') ? host : `http://${host}`);
}
/** The login as source of a store's credentials. */
function lending(login) {
    return async () => await (0,_login_js__WEBPACK_IMPORTED_MODULE_2__/* .lentBy */ .d)('Google', async () => login.lend());
}


/***/ }),

/***/ 31284:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   be: () => (/* binding */ copyPath),
/* harmony export */   du: () => (/* binding */ objectPath),
/* harmony export */   id: () => (/* binding */ gsPlace),
/* harmony export */   ou: () => (/* binding */ gsEndpoint)
/* harmony export */ });
/* harmony import */ var _lib_uri_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(42600);
/* harmony import */ var _bucket_url_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19267);
/** The address of a bucket of Google, also used by a new machine that has no client yet. */


const GOOGLE = 'https://storage.googleapis.com';
/** The part of an address that gcloud's own variable has at its end; uploads have another one. */
const API = /\/(storage\/v1\/?)?$/;
function gsPlace(place) {
    return { ...(0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_0__/* .bucketPlace */ .qR)(new URL(place.url)), endpoint: gsEndpoint(place.settings?.['endpoint'] ?? GOOGLE) };
}
/** Checks an address that came as text. Throws kind `invalid`. */
function gsEndpoint(text) {
    const url = (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_0__/* .checkedEndpoint */ .V7)(text, 'the endpoint of Cloud Storage');
    url.pathname = url.pathname.replace(API, '');
    return url;
}
/** Path of an object, or of all of them, below the endpoint. https://docs.cloud.google.com/storage/docs/request-endpoints#encoding */
function objectPath(bucket, key) {
    return `/storage/v1${objectIn(bucket, key)}`;
}
/** Path of a copy within the bucket. https://docs.cloud.google.com/storage/docs/json_api/v1/objects/rewrite */
function copyPath(bucket, from, to) {
    return `${objectPath(bucket, from)}/rewriteTo${objectIn(bucket, to)}`;
}
function objectIn(bucket, key) {
    return `/b/${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_1__/* .uriEncoded */ .n)(bucket)}/o${key === undefined ? '' : `/${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_1__/* .uriEncoded */ .n)(key)}`}`;
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
