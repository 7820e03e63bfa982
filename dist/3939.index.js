export const id = 3939;
export const ids = [3939];
export const modules = {

/***/ 71466:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   s: () => (/* binding */ refuseUnknownForge)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/** Whether a token may be sent to an address that a record names. */


/**
 * Throws InputError unless the address of a forge in a deployment's record is at the host that this command knows from its own options or
 * environment: whatever runs on the deployment's machines can write that record.
 */
function refuseUnknownForge(recorded, known) {
    const origin = originOf(recorded);
    if (origin !== undefined && origin === originOf(known))
        return;
    const at = (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .printable */ .g$)(recorded);
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`forge-url: according to their record, these runners are registered at "${at}", but this command knows only ${known} and sends no token elsewhere`, { hint: `if that is your forge, give \`forge-url: ${at}\`` });
}
const originOf = (address) => (URL.canParse(address) ? new URL(address).origin : undefined);


/***/ }),

/***/ 87228:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ reasonOf),
/* harmony export */   K: () => (/* binding */ faultOf)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_record_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(96645);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);
/** What is said when a forge refuses a call, or does not answer: whose fault it is, and what to do. A forge's own reasons are in its folder. */



/** `wait`: given if the call would have to wait longer than it may. */
function faultOf({ title, who }, { doing, needs }, answer, wait) {
    const failed = `${title}: could not ${doing}:`;
    if (!('status' in answer)) {
        if (answer.cause instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi)
            return answer.cause;
        const why = (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .messageOf */ .bD)(answer.cause);
        return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`${failed} no answer (${why})`, { cause: answer.cause, retryable: true });
    }
    const { status } = answer;
    const said = reasonOf(answer);
    if (wait?.announced)
        return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`${failed} ${wait.why}, for longer than tpi waits`, { retryable: true });
    if (status === 401)
        return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR(`${failed} the ${who} is not valid, or expired`);
    if (status === 403 || status === 404) {
        const lacks = needs === undefined ? '' : `; it needs ${needs}`;
        return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR(`${failed} the ${who} is not allowed to${lacks} (HTTP ${status}: ${said})`);
    }
    if (status < 400)
        return elsewhere(failed, answer);
    return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`${failed} HTTP ${status}: ${said}`, { retryable: status >= 500 });
}
/** Paths to which a sign-in page in front of a server redirects. */
const SIGN_IN = /\/(sign_in|login|saml|oauth2?|auth)\b/i;
/** The error of a redirect that was not followed, because a token is sent only to the given address. */
function elsewhere(failed, { status, headers: { location } }) {
    const to = typeof location === 'string' ? location : 'an address that it does not name';
    const message = `${failed} it redirects to ${to} (HTTP ${status}), and tpi sends no token there`;
    const server = URL.canParse(to) ? new URL(to).origin : undefined;
    const moved = server === undefined ? 'if it has moved, give its new path' : `if that is the server itself, give \`forge-url: ${server}\``;
    const hint = SIGN_IN.test(to) ? 'a sign-in page is in front of its API: configure it to let calls of the API through' : moved;
    return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz([{ option: 'forge-url', message, hint }]);
}
/** The reason in an answer, shortened, for people. */
function reasonOf({ data }) {
    const said = (0,_lib_record_js__WEBPACK_IMPORTED_MODULE_2__/* .fieldsIn */ .t5)(data);
    const reason = said['message'] ?? said['error_description'] ?? said['error'];
    const text = typeof reason === 'string' || reason === undefined ? reason : JSON.stringify(reason);
    return text?.slice(0, 200).replace(/\s+/g, ' ') ?? 'no reason given';
}


/***/ }),

/***/ 28630:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  jI: () => (/* binding */ Api),
  bV: () => (/* binding */ MANNERS),
  KL: () => (/* binding */ PAGE)
});

// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/lib/record.js
var record = __webpack_require__(96645);
// EXTERNAL MODULE: ./build/js/forges/outage.js
var outage = __webpack_require__(732);
// EXTERNAL MODULE: ./build/js/lib/duration.js
var duration = __webpack_require__(86388);
;// CONCATENATED MODULE: ./build/js/forges/github/pace.js
/** Limits calls that change something to as many as GitHub documents that it accepts. Those that only read are far from any limit. */



/**
 * GitHub limits "content-generating requests". A removal generates none, but costs 5 of the 900 points a minute, too, and never has to wait for long.
 * Source: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 */
const WINDOWS = [
    { span: 60_000, what: 'changes a minute', takes: 80, most: 75, counts: () => true },
    { span: 3_600_000, what: 'creations an hour', takes: 500, most: 475, counts: (method) => method !== 'DELETE' },
];
const LONGEST = Math.max(...WINDOWS.map(({ span }) => span));
/** Milliseconds: a shorter wait is not worth a message. */
const NEWS = 2000;
/** For one open forge: it does not know what others do with the same token. */
class Pace {
    #context;
    /** The latest changes, oldest first, at the time of their answers: by then GitHub has certainly counted them. */
    #made = [];
    #underWay = [];
    #saidAt = Number.NEGATIVE_INFINITY;
    constructor(context) {
        this.#context = context;
    }
    /** Resolves when one more call may be made, after which `over` must be called. Rejects at once if that is later than a call may wait. */
    async turn(method) {
        const { clock, log, signal, until } = this.#context;
        const begun = clock.now();
        for (;;) {
            const now = clock.now();
            this.#made = this.#made.filter(({ at }) => now - at < LONGEST);
            const full = this.#full(method, now);
            if (!full)
                return void this.#underWay.push(method);
            const { window, wait } = full;
            const had = `GitHub accepts ${window.takes} ${window.what}, and has had ${window.most}`;
            const when = (0,duration/* formatDuration */.a3)(Math.ceil(wait / 1000));
            if (now + wait > Math.max(begun + outage/* ANNOUNCED */.E4, until ?? 0))
                throw new errors/* RemoteError */.Hi(`${had}: the next may follow in ${when}, which is longer than tpi waits`, { hint: 'ask for fewer at a time' });
            if (wait > NEWS && now - this.#saidAt > NEWS) {
                log.info(`${had}: going on in ${when}`);
                this.#saidAt = now;
            }
            await clock.sleep(wait, signal);
        }
    }
    /** Of the limits that are used up, the one that stays so for longest. */
    #full(method, now) {
        return WINDOWS.flatMap((window) => {
            if (!window.counts(method))
                return [];
            const made = this.#made.filter((one) => window.counts(one.method) && now - one.at < window.span);
            const underWay = this.#underWay.filter((one) => window.counts(one)).length;
            return made.length + underWay < window.most ? [] : [{ window, wait: (made[0]?.at ?? now) + window.span - now }];
        }).toSorted((a, b) => b.wait - a.wait)[0];
    }
    over(method) {
        this.#underWay.splice(this.#underWay.indexOf(method), 1);
        this.#made.push({ method, at: this.#context.clock.now() });
    }
}

;// CONCATENATED MODULE: ./build/js/forges/github/api.js
/** Calls of GitHub. */




/**
 * Source: GitHub's documentation of its rate limits. A secondary limit may come without any header. GitHub's own client also recognizes it by these
 * words (plugin-throttling of Octokit).
 */
const MANNERS = {
    title: 'GitHub',
    limits: [403],
    remaining: 'x-ratelimit-remaining',
    reset: 'x-ratelimit-reset',
    limit: 'hourly limit',
    isLimit(data) {
        const { message, documentation_url: about } = (0,record/* fieldsIn */.t5)(data);
        return /\bsecondary[- ]rate\b/i.test(`${String(message)} ${String(about)}`);
    },
    unannounced: 60_000,
};
/** Most entries of one answer. */
const PAGE = 100;
class Api {
    #patience;
    #send;
    #login;
    #pace;
    constructor(context, send, login) {
        this.#patience = new outage/* Patience */.i3(context, MANNERS, login.kind);
        this.#send = send;
        this.#login = login;
        this.#pace = new Pace(context);
    }
    /** Resolves to an answer of 2xx, or of a status that the call accepts. */
    async call(call) {
        let renewed = false;
        const attend = async (limit) => {
            for (;;) {
                const authorization = await this.#login.authorization();
                const answer = await this.#send(call.method, call.path, authorization, call.body, limit);
                if (answer.status !== 401 || renewed || !this.#login.renew(authorization))
                    return answer;
                renewed = true;
            }
        };
        if (call.method === 'GET')
            return this.#patience.call(call, attend);
        const before = async () => this.#pace.turn(call.method);
        return this.#patience.call({ ...call, before }, async (limit) => attend(limit).finally(() => this.#pace.over(call.method)));
    }
    /** A list, page by page. `entriesIn`: reads the entries of one answer. */
    async *pages(purpose, path, entriesIn) {
        for (let page = 1;; page++) {
            const address = `${path}${path.includes('?') ? '&' : '?'}per_page=${PAGE}&page=${page}`;
            const some = entriesIn((await this.call({ ...purpose, method: 'GET', path: address })).data);
            yield some;
            if (some.length < PAGE)
                return;
        }
    }
    /** The whole list; empty if the status is one that the call accepts. `field`: where an answer has its entries. */
    async list(purpose, path, field) {
        const all = [];
        const pages = this.pages(purpose, path, (data) => {
            const some = (0,record/* fieldsIn */.t5)(data)[field] ?? (purpose.accept && []);
            if (!Array.isArray(some))
                throw new errors/* RemoteError */.Hi(`GitHub: could not ${purpose.doing}: its answer has no "${field}"`);
            return some;
        });
        for await (const some of pages)
            all.push(...some);
        return all;
    }
}


/***/ }),

/***/ 68353:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   PF: () => (/* binding */ appLogin),
/* harmony export */   nu: () => (/* binding */ tokenLogin)
/* harmony export */ });
/* unused harmony export appToken */
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_signed_token_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(47192);
/* harmony import */ var _permissions_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(49699);
/** tpi's authorization at GitHub: a token as given, or one of an App's installation, renewed when it no longer works. */



function tokenLogin(token) {
    return { authorization: async () => `Bearer ${token}`, renew: () => false, kind: kindOf(token) };
}
/** For messages only: GitHub does not promise these prefixes. */
function kindOf(token) {
    if (token.startsWith('ghp_'))
        return 'classic token';
    if (token.startsWith('github_pat_'))
        return 'fine-grained token';
    if (token.startsWith('ghs_'))
        return 'token of an App or of the workflow (GITHUB_TOKEN)';
    return 'token';
}
/** `owner`: path of the repository or organization whose installation it is: `/repos/o/r`, `/orgs/o`. */
function appLogin(app, owner, ask, now, mask) {
    /** The latest token, shared by all calls. */
    let latest;
    return {
        kind: `App ${app.id}`,
        renew(refused) {
            if (latest?.authorization === refused)
                latest = undefined;
            return true;
        },
        async authorization() {
            if (latest && now().getTime() > latest.until - EARLY)
                latest = undefined;
            const mine = (latest ??= mint(installationToken(app, owner, ask, now())));
            try {
                const { token } = await mine.asked;
                mask(token);
                return `Bearer ${token}`;
            }
            catch (error) {
                if (latest === mine)
                    latest = undefined;
                throw error;
            }
        },
    };
}
function mint(asked) {
    const minting = { asked, until: Number.POSITIVE_INFINITY };
    asked.then(({ token, until }) => Object.assign(minting, { authorization: `Bearer ${token}`, until }), 
    // Its failure is reported to those that wait for it.
    () => undefined);
    return minting;
}
/** Milliseconds before its end at which a token is replaced. */
const EARLY = 60_000;
async function installationToken(app, owner, ask, now) {
    const jwt = `Bearer ${appToken(app, now)}`;
    const { id, permissions: granted = {} } = (await ask('GET', `${owner}/installation`, jwt));
    const repository = /^\/repos\/[^/]+\/(.+)$/.exec(owner)?.[1];
    const [register, scope] = repository === undefined ? ['organization_self_hosted_runners', 'organization'] : ['administration', 'repository'];
    if (granted[register] !== 'write')
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR(`GitHub: App ${app.id} may not register runners of this ${scope}`, {
            hint: `grant its installation ${(0,_permissions_js__WEBPACK_IMPORTED_MODULE_2__/* .registering */ .Wu)(scope)}`,
        });
    // Re-running jobs takes one more permission, which need not be granted by those who never do that.
    const permissions = { [register]: 'write', ...(granted['actions'] === 'write' ? { actions: 'write' } : {}) };
    const body = { permissions, ...(repository === undefined ? {} : { repositories: [repository] }) };
    const { token, expires_at: end } = (await ask('POST', `/app/installations/${id}/access_tokens`, jwt, body));
    return { token, until: Date.parse(end) };
}
/** A token that proves to be the App (RS256). Dated back a minute, because the clock of the forge may be behind. */
function appToken({ id, key }, now) {
    const seconds = Math.floor(now.getTime() / 1000);
    try {
        return (0,_lib_signed_token_js__WEBPACK_IMPORTED_MODULE_1__/* .signedToken */ .i)({ alg: 'RS256', typ: 'JWT' }, { iat: seconds - 60, exp: seconds + 540, iss: id }, key);
    }
    catch (cause) {
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR('GitHub: the private key of the App cannot be read', {
            cause,
            hint: 'give the whole PEM text, line breaks included',
        });
    }
}


/***/ }),

/***/ 78405:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  S: () => (/* binding */ client)
});

// EXTERNAL MODULE: ./node_modules/@octokit/core/dist-src/index.js + 12 modules
var dist_src = __webpack_require__(14730);
// EXTERNAL MODULE: ./node_modules/@octokit/plugin-request-log/dist-src/index.js + 1 modules
var plugin_request_log_dist_src = __webpack_require__(55077);
// EXTERNAL MODULE: ./node_modules/@octokit/plugin-paginate-rest/dist-bundle/index.js
var dist_bundle = __webpack_require__(93779);
// EXTERNAL MODULE: ./node_modules/@octokit/plugin-rest-endpoint-methods/dist-src/index.js + 3 modules
var plugin_rest_endpoint_methods_dist_src = __webpack_require__(49210);
;// CONCATENATED MODULE: ./node_modules/@octokit/rest/dist-src/version.js
const VERSION = "22.0.1";


;// CONCATENATED MODULE: ./node_modules/@octokit/rest/dist-src/index.js





const Octokit = dist_src/* Octokit */.E.plugin(plugin_request_log_dist_src/* requestLog */.M, plugin_rest_endpoint_methods_dist_src/* legacyRestEndpointMethods */.T, dist_bundle/* paginateRest */.ud).defaults(
  {
    userAgent: `octokit-rest.js/${VERSION}`
  }
);


// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/forges/http.js
var http = __webpack_require__(98703);
;// CONCATENATED MODULE: ./build/js/forges/github/sdk.js
/** The only file of the room that knows the vendor's client. */



/** Resolves to the answer, whatever its status. Rejects only if there is none. */
function client(baseUrl) {
    const quiet = () => { };
    const octokit = new Octokit({ baseUrl, userAgent: 'tpi-action', log: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
    return async (method, path, authorization, body, signal) => {
        const headers = { authorization, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
        try {
            const { status, headers: got, data, } = await octokit.request({
                method: method,
                url: path,
                headers,
                request: { signal, fetch: send },
                ...(body ? { data: body } : {}),
            });
            return { status, headers: got, data };
        }
        catch (error) {
            const { response, cause } = error;
            if (response)
                return { status: response.status, headers: response.headers, data: response.data };
            // The error itself, not the one that the client has made of it.
            throw cause instanceof errors/* RemoteError */.Hi ? cause : error;
        }
    };
}
/**
 * Statuses of a redirect that is followed with the same method:
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
 */
const SAME = [307, 308];
async function send(url, how) {
    const { status, headers, text } = await (0,http/* fetchedThere */.S)(url, how, (_, code) => how.method === 'GET' || SAME.includes(code));
    return new Response(text === '' ? null : text, { status, headers: headers });
}


/***/ }),

/***/ 3786:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $r: () => (/* binding */ targetOf),
/* harmony export */   Od: () => (/* binding */ scopeOf),
/* harmony export */   ZZ: () => (/* binding */ pageOf),
/* harmony export */   xu: () => (/* binding */ serves)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _core_forge_address_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(71466);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(40859);
/** Where at GitHub: the address of its API, and the repository, organization or enterprise. */



function targetOf(context) {
    const { env, scope } = context;
    if (scope) {
        const api = scope['api'] ?? '';
        (0,_core_forge_address_js__WEBPACK_IMPORTED_MODULE_1__/* .refuseUnknownForge */ .s)(api, apiOf(context, context.target));
        return targetAt(api, { kind: scope['kind'] ?? '', name: scope['name'] ?? '' });
    }
    const repository = env['GITHUB_REPOSITORY'];
    const target = context.target ?? (repository ? { kind: 'repository', name: repository } : undefined);
    if (!target)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('repository: no repository is given for the runners to serve', {
            hint: 'write it like `repository: owner/name`, or name an organization',
        });
    return targetAt(apiOf(context, target), target);
}
/** The page of the repository, organization or enterprise, at which the runner program registers. */
function pageOf({ api, kind, name }) {
    const { protocol, host, pathname } = new URL(api);
    const path = kind === 'enterprise' ? `enterprises/${encodeURIComponent(name)}` : name;
    // An Enterprise Server has its API below /api/, whatever its host is called.
    return `${protocol}//${pathname.startsWith('/api/') ? host : host.replace(/^api\./, '')}/${path}`;
}
function scopeOf({ api, kind, name }) {
    return { api, kind, name };
}
/** Whether a text is one part of a path, and leads nowhere else in an address. */
const isName = (text) => /^(?!\.+$)[\w.-]+$/.test(text);
function isRepository(text) {
    const names = text.split('/');
    return names.length === 2 && names.every(isName);
}
/** Whether runners of this place can have served that repository. Asked because the record of a job may be forged. */
function serves({ kind, name }, repository) {
    if (!isRepository(repository))
        return false;
    const [own, there] = [name.toLowerCase(), repository.toLowerCase()];
    return kind === 'repository' ? there === own : kind === 'enterprise' || there.startsWith(`${own}/`);
}
/** `kind`: any text, because the record of a deployment may be forged. */
function targetAt(api, { kind, name: given }) {
    const name = given
        .replace(/^https?:\/\/[^/]+\//, '')
        .replace(/\/+$/, '')
        .replace(/\.git$/, '');
    if (kind === 'repository') {
        if (!isRepository(name))
            throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`repository: "${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .printable */ .g$)(given)}" does not have the form "owner/name"`);
        return { api, kind, name, path: `/repos/${name}` };
    }
    if (/^\.*$/.test(name))
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .printable */ .g$)(kind)}: "${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .printable */ .g$)(given)}" is not a valid name at GitHub`);
    if (kind === 'organization')
        return { api, kind, name, path: `/orgs/${encodeURIComponent(name)}` };
    if (kind === 'enterprise')
        return { api, kind, name, path: `/enterprises/${encodeURIComponent(name)}` };
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .printable */ .g$)(kind)}: GitHub has only repositories, organizations and enterprises`);
}
/** Address of the API: the first of the one that was given, that in the URL of the repository, that of the CI job, and github.com. */
function apiOf({ env, url }, target) {
    if (url)
        return fromAddress(url);
    if (target && /^https?:\/\//.test(target.name))
        return fromAddress(new URL(target.name).origin);
    if (env['GITHUB_API_URL'])
        return env['GITHUB_API_URL'].replace(/\/+$/, '');
    return fromAddress(env['GITHUB_SERVER_URL'] ?? 'https://github.com');
}
function fromAddress(url) {
    if (!URL.canParse(url))
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`forge-url: "${url}" is not an address`);
    const { hostname, origin, pathname } = new URL(url);
    if (pathname.replace(/\/+$/, '').endsWith('/api/v3') || hostname.startsWith('api.'))
        return `${origin}${pathname}`.replace(/\/+$/, '');
    if (hostname === 'github.com' || hostname.endsWith('.ghe.com'))
        return `https://api.${hostname}`;
    return `${origin}/api/v3`;
}


/***/ }),

/***/ 98703:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ fetchedThere),
/* harmony export */   s: () => (/* binding */ fetched)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_answer_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(47174);
/* harmony import */ var _lib_bytes_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(18913);
/** One request to a forge. Limits the size of its answer, and follows no redirect to another server. */



/** Redirects that are followed one after the other, for what was renamed several times. */
const MOST = 5;
/** Bytes of an answer: a page of a hundred long comments is a fraction of this. */
const LARGEST = 16 << 20;
async function fetched(url, how) {
    const answer = await fetch(url, how);
    const text = await (0,_lib_answer_js__WEBPACK_IMPORTED_MODULE_1__/* .textUpTo */ .qx)(LARGEST, answer);
    if (text === undefined)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`an answer of the forge is larger than ${(0,_lib_bytes_js__WEBPACK_IMPORTED_MODULE_2__/* .formatBytes */ .z3)(LARGEST)}: no forge gives such answers`);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text, data: (0,_lib_answer_js__WEBPACK_IMPORTED_MODULE_1__/* .jsonIn */ .Yf)(text) };
}
/**
 * The same for a request with a token, which is sent to no other server: a redirect to another path of the same server is followed if `follows`
 * says so; any other redirect is the answer.
 */
async function fetchedThere(url, how, follows) {
    let at = new URL(url);
    for (let redirects = MOST;; redirects -= 1) {
        const answer = await fetched(at.href, { ...how, redirect: 'manual' });
        const next = redirects > 0 ? redirected(answer, at) : undefined;
        if (next === undefined || !follows(next, answer.status))
            return answer;
        at = next;
    }
}
function redirected({ status, headers: { location } }, from) {
    if (status < 300 || status >= 400 || typeof location !== 'string' || !URL.canParse(location, from.href))
        return undefined;
    const next = new URL(location, from.href);
    return next.origin === from.origin ? next : undefined;
}


/***/ }),

/***/ 732:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E4: () => (/* binding */ ANNOUNCED),
/* harmony export */   bg: () => (/* binding */ mayPass),
/* harmony export */   i3: () => (/* binding */ Patience)
/* harmony export */ });
/* unused harmony export limitOf */
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_backoff_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(71874);
/* harmony import */ var _lib_duration_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(86388);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(40859);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(87228);
/** How long a call of a forge waits and is repeated. Statuses and headers of the answers decide it, for every forge in the same way. */





/** Milliseconds that one call may wait for a time that the forge itself has announced. */
const ANNOUNCED = 10 * 60_000;
/** Milliseconds that a call goes on if failures have no announced end. */
const FAILING = 2 * 60_000;
/** The same, at least, even if the command has no time left to wait for the forge. */
const STUMBLE = 5000;
/** Milliseconds that one answer may take. */
const ANSWER = 30_000;
class Patience {
    #context;
    #manners;
    /** Who calls, for people. */
    #who;
    constructor(context, manners, who) {
        this.#context = context;
        this.#manners = manners;
        this.#who = who;
    }
    /** Resolves to an answer of 2xx, or of a status that the call accepts. */
    async call(purpose, attend) {
        const { clock, log, signal, until } = this.#context;
        const { title } = this.#manners;
        const parties = { title, who: this.#who };
        const begun = clock.now();
        for (let tries = 1;; tries++) {
            signal.throwIfAborted();
            await purpose.before?.();
            const answer = await this.#try(attend);
            if ('status' in answer && answer.status < 300)
                return answer;
            const wait = waitAfter(this.#manners, answer, tries, clock.date());
            if ('status' in answer && !wait) {
                if (purpose.accept?.includes(answer.status))
                    return answer;
                throw (await purpose.explain?.(answer.status)) ?? (0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .faultOf */ .K)(parties, purpose, answer);
            }
            const end = wait?.announced ? Math.max(begun + ANNOUNCED, until ?? 0) : Math.max(begun + STUMBLE, until ?? begun + FAILING);
            const remaining = end - clock.now();
            if (wait === undefined || remaining <= 0 || (wait.announced && wait.milliseconds > remaining))
                throw (0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .faultOf */ .K)(parties, purpose, answer, wait);
            const pause = Math.min(wait.milliseconds, remaining);
            // A single failure is not worth a message.
            if (tries > 1 || pause > 5000)
                log.info(`${title} ${wait.why}: trying again in ${(0,_lib_duration_js__WEBPACK_IMPORTED_MODULE_3__/* .formatDuration */ .a3)(Math.ceil(pause / 1000))}`);
            await clock.sleep(pause, signal);
            await purpose.again?.();
        }
    }
    async #try(attend) {
        const { signal } = this.#context;
        try {
            return await attend(AbortSignal.any([signal, AbortSignal.timeout(ANSWER)]));
        }
        catch (cause) {
            signal.throwIfAborted();
            if (cause instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR || (cause instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi && !cause.retryable))
                throw cause;
            return { cause };
        }
    }
}
/** `undefined`: waiting would change nothing. */
function waitAfter(manners, answer, tries, now) {
    const jitter = (0,_lib_backoff_js__WEBPACK_IMPORTED_MODULE_1__/* .backoff */ .J)(tries, { first: 1000, longest: 30_000 });
    if (!('status' in answer))
        return { milliseconds: jitter, announced: false, why: `does not answer (${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_4__/* .messageOf */ .bD)(answer.cause)})` };
    const { status, headers } = answer;
    const after = retryAfter(headers);
    if (status >= 500)
        return { milliseconds: (after || 0) + jitter, announced: false, why: `answers HTTP ${status}` };
    return limitOf(manners, answer, tries, now);
}
/** How long to send no requests; `undefined`: the answer is not a rate limit. */
function limitOf(manners, { status, headers, data }, tries, now) {
    const after = retryAfter(headers);
    if (status !== 429 && !manners.limits.includes(status))
        return undefined;
    if (Number.isFinite(after))
        return { milliseconds: after + Math.random() * 500, announced: true, why: 'limits requests' };
    if (String(headers[manners.remaining]) === '0') {
        const reset = Number(headers[manners.reset]) * 1000 - now.getTime();
        return { milliseconds: Math.max(1000, reset), announced: true, why: `limits requests (${manners.limit})` };
    }
    return status === 429 || manners.isLimit?.(data)
        ? { milliseconds: manners.unannounced + (0,_lib_backoff_js__WEBPACK_IMPORTED_MODULE_1__/* .backoff */ .J)(tries, { first: 1000, longest: 60_000 }), announced: true, why: 'limits requests' }
        : undefined;
}
/** Milliseconds; not a number if the header is absent or has another form. */
const retryAfter = ({ 'retry-after': seconds }) => (seconds === undefined ? Number.NaN : Number(seconds) * 1000);
/** Whether the same call may succeed later: the answer is an outage or a rate limit. */
function mayPass(manners, answer) {
    return waitAfter(manners, answer, 1, new Date(0)) !== undefined;
}


/***/ }),

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


/***/ })

};
