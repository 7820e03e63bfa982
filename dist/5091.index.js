export const id = 5091;
export const ids = [5091];
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
