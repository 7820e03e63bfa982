export const id = 8001;
export const ids = [8001];
export const modules = {

/***/ 65407:
/***/ ((module, __unused_webpack_exports, __webpack_require__) => {

var map = {
	"./BurstyRateLimiter": [
		85860
	],
	"./BurstyRateLimiter.js": [
		85860
	],
	"./ExpressBruteFlexible": [
		83966,
		3966
	],
	"./ExpressBruteFlexible.js": [
		83966,
		3966
	],
	"./RLWrapperBlackAndWhite": [
		87383
	],
	"./RLWrapperBlackAndWhite.js": [
		87383
	],
	"./RLWrapperTimeouts": [
		24016
	],
	"./RLWrapperTimeouts.js": [
		24016
	],
	"./RateLimiterAbstract": [
		88569
	],
	"./RateLimiterAbstract.js": [
		88569
	],
	"./RateLimiterCluster": [
		10565
	],
	"./RateLimiterCluster.js": [
		10565
	],
	"./RateLimiterDrizzle": [
		50673
	],
	"./RateLimiterDrizzle.js": [
		50673
	],
	"./RateLimiterDrizzleNonAtomic": [
		75347
	],
	"./RateLimiterDrizzleNonAtomic.js": [
		75347
	],
	"./RateLimiterDynamo": [
		82309
	],
	"./RateLimiterDynamo.js": [
		82309
	],
	"./RateLimiterEtcd": [
		36481
	],
	"./RateLimiterEtcd.js": [
		36481
	],
	"./RateLimiterEtcdNonAtomic": [
		15299
	],
	"./RateLimiterEtcdNonAtomic.js": [
		15299
	],
	"./RateLimiterInsuredAbstract": [
		33847
	],
	"./RateLimiterInsuredAbstract.js": [
		33847
	],
	"./RateLimiterMemcache": [
		73250
	],
	"./RateLimiterMemcache.js": [
		73250
	],
	"./RateLimiterMemory": [
		24544
	],
	"./RateLimiterMemory.js": [
		24544
	],
	"./RateLimiterMongo": [
		28439
	],
	"./RateLimiterMongo.js": [
		28439
	],
	"./RateLimiterMySQL": [
		67793
	],
	"./RateLimiterMySQL.js": [
		67793
	],
	"./RateLimiterPostgres": [
		3740
	],
	"./RateLimiterPostgres.js": [
		3740
	],
	"./RateLimiterPrisma": [
		16323
	],
	"./RateLimiterPrisma.js": [
		16323
	],
	"./RateLimiterQueue": [
		52860
	],
	"./RateLimiterQueue.js": [
		52860
	],
	"./RateLimiterRedis": [
		54336
	],
	"./RateLimiterRedis.js": [
		54336
	],
	"./RateLimiterRes": [
		80449
	],
	"./RateLimiterRes.js": [
		80449
	],
	"./RateLimiterSQLite": [
		73283
	],
	"./RateLimiterSQLite.js": [
		73283
	],
	"./RateLimiterStoreAbstract": [
		65140
	],
	"./RateLimiterStoreAbstract.js": [
		65140
	],
	"./RateLimiterUnion": [
		10244
	],
	"./RateLimiterUnion.js": [
		10244
	],
	"./RateLimiterValkey": [
		32193
	],
	"./RateLimiterValkey.js": [
		32193
	],
	"./RateLimiterValkeyGlide": [
		53756
	],
	"./RateLimiterValkeyGlide.js": [
		53756
	],
	"./component/BlockedKeys": [
		38830
	],
	"./component/BlockedKeys/": [
		38830
	],
	"./component/BlockedKeys/BlockedKeys": [
		85202
	],
	"./component/BlockedKeys/BlockedKeys.js": [
		85202
	],
	"./component/BlockedKeys/index": [
		38830
	],
	"./component/BlockedKeys/index.js": [
		38830
	],
	"./component/MemoryStorage": [
		28178,
		8178
	],
	"./component/MemoryStorage/": [
		28178,
		8178
	],
	"./component/MemoryStorage/MemoryStorage": [
		81534
	],
	"./component/MemoryStorage/MemoryStorage.js": [
		81534
	],
	"./component/MemoryStorage/Record": [
		60749
	],
	"./component/MemoryStorage/Record.js": [
		60749
	],
	"./component/MemoryStorage/index": [
		28178,
		8178
	],
	"./component/MemoryStorage/index.js": [
		28178,
		8178
	],
	"./component/RateLimiterEtcdTransactionFailedError": [
		43184
	],
	"./component/RateLimiterEtcdTransactionFailedError.js": [
		43184
	],
	"./component/RateLimiterQueueError": [
		27948
	],
	"./component/RateLimiterQueueError.js": [
		27948
	],
	"./component/RateLimiterSetupError": [
		72922
	],
	"./component/RateLimiterSetupError.js": [
		72922
	],
	"./constants": [
		13880,
		3880
	],
	"./constants.js": [
		13880,
		3880
	]
};
function webpackAsyncContext(req) {
	if(!__webpack_require__.o(map, req)) {
		return Promise.resolve().then(() => {
			var e = new Error("Cannot find module '" + req + "'");
			e.code = 'MODULE_NOT_FOUND';
			throw e;
		});
	}

	var ids = map[req], id = ids[0];
	return Promise.all(ids.slice(1).map(__webpack_require__.e)).then(() => {
		return __webpack_require__.t(id, 7 | 16);
	});
}
webpackAsyncContext.keys = () => (Object.keys(map));
webpackAsyncContext.id = 65407;
module.exports = webpackAsyncContext;

/***/ }),

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

/***/ 44789:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ understood)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29611);
/** Checks the shape of an answer: a server that answers anything else is not a forge, or a proxy in front of one. */


function understood(shape, data, title, { doing }) {
    try {
        return shape(data);
    }
    catch (cause) {
        if (!(cause instanceof _lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .Misfit */ .$C))
            throw cause;
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`${title}: could not ${doing}: the answer is not one that ${title} gives: ${cause.message}`, {
            cause,
            hint: 'something else may answer at that address: see forge-url',
        });
    }
}


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

/***/ 49543:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   j: () => (/* binding */ Api)
/* harmony export */ });
/* unused harmony export MANNERS */
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/* harmony import */ var _answer_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(44789);
/* harmony import */ var _http_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(98703);
/* harmony import */ var _outage_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(732);




/** Source: GitLab's documentation of its rate limits. */
const MANNERS = {
    title: 'GitLab',
    limits: [],
    remaining: 'ratelimit-remaining',
    reset: 'ratelimit-reset',
    limit: 'limit of requests',
    unannounced: 1000,
};
const PAGE = 100;
/** Most entries of a list. */
const MOST = 100_000;
/** Some servers give a whole list at once, longer than a page. */
const PAGES = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .list */ .p_)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .json */ .Pq)(), MOST);
class Api {
    #patience;
    #send;
    constructor(context, send) {
        this.#patience = new _outage_js__WEBPACK_IMPORTED_MODULE_3__/* .Patience */ .i3(context, MANNERS, 'token');
        this.#send = send;
    }
    /** Resolves to an answer of 2xx, or of a status that the call accepts. */
    async call(purpose, ask) {
        return this.#patience.call(purpose, async (signal) => this.#send(ask, signal));
    }
    /** Fetches a file from another server, without the token. */
    async file(url, purpose) {
        return this.#patience.call(purpose, async (signal) => (0,_http_js__WEBPACK_IMPORTED_MODULE_2__/* .fetched */ .s)(url, { signal }));
    }
    /**
     * All pages, until there are more than `most` entries; empty if the status is one that the call accepts. If a server answers every page with the
     * whole list, the second answer ends it.
     */
    async list(purpose, ask, most = MOST) {
        const all = [];
        for (let page = 1, before = '';; page++) {
            const answer = await this.call(purpose, async (gitlab) => ask(gitlab, { perPage: PAGE, page }));
            if (answer.status >= 300)
                return [];
            const some = (0,_answer_js__WEBPACK_IMPORTED_MODULE_1__/* .understood */ .S)(PAGES, answer.data, MANNERS.title, purpose);
            const same = JSON.stringify(some);
            if (same === before)
                return all;
            before = same;
            all.push(...some);
            if (some.length !== PAGE || all.length > most)
                return all;
        }
    }
}


/***/ }),

/***/ 74047:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   discussion: () => (/* binding */ discussion)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29611);
/* harmony import */ var _answer_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(44789);
/* harmony import */ var _api_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(49543);
/* harmony import */ var _permissions_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(35947);
/* harmony import */ var _sdk_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(70955);
/* harmony import */ var _target_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(30802);
/** Notes on a merge request. Source: "Notes API" and "Markdown uploads API" of GitLab's documentation. */







/** Source: "the note body is limited to 1,000,000 characters" in the Notes API. */
const MOST = 1_000_000;
/** Source: "Maximum number of comments on an issue, commit, or merge request: 5,000", in "GitLab application limits". */
const MOST_NOTES = 5000;
const numbered = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ id: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)() });
const note = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ id: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)(), body: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(2 * MOST), author: numbered });
const uploaded = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ url: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .line */ .n8)(4096) });
const read = (shape, data, purpose) => (0,_answer_js__WEBPACK_IMPORTED_MODULE_2__/* .understood */ .S)(shape, data, 'GitLab', purpose);
/** `undefined`: this job does not belong to a merge request. */
async function discussion(context, given) {
    const number = given ?? Number(context.env['CI_MERGE_REQUEST_IID'] || Number.NaN);
    if (Number.isNaN(number))
        return undefined;
    if (!context.token)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR('GitLab: no token was given to comment with', {
            hint: `give one that may: ${_permissions_js__WEBPACK_IMPORTED_MODULE_6__/* .COMMENTING */ .KZ} ${_permissions_js__WEBPACK_IMPORTED_MODULE_6__/* .HOW_GIVEN */ .P0}`,
        });
    const { server = '', name: project = '' } = (0,_target_js__WEBPACK_IMPORTED_MODULE_5__/* .scopeOf */ .O)(context);
    // The pipeline of a fork's merge request runs in the fork.
    const target = given === undefined && !context.target ? context.env['CI_MERGE_REQUEST_PROJECT_PATH'] : undefined;
    const name = target || project;
    const api = new _api_js__WEBPACK_IMPORTED_MODULE_3__/* .Api */ .j(context, (0,_sdk_js__WEBPACK_IMPORTED_MODULE_4__/* .client */ .S)(server, context.token));
    const base = `projects/${encodeURIComponent(name)}`;
    const notes = `${base}/merge_requests/${number}/notes`;
    const needs = _permissions_js__WEBPACK_IMPORTED_MODULE_6__/* .COMMENTING */ .KZ;
    const find = async (mark) => {
        const asking = { doing: 'see whose token it is', needs };
        const { id } = read(numbered, (await api.call(asking, async ({ users }) => users.showCurrentUser())).data, asking);
        const reading = { doing: `read the notes of merge request ${number}`, needs };
        const pages = async ({ raw }, { perPage, page }) => (await raw.get(notes, { searchParams: { per_page: perPage, page } })).body;
        const all = read((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .list */ .p_)(note, MOST_NOTES), await api.list(reading, pages, MOST_NOTES), reading);
        return all.find(({ body, author }) => author.id === id && body.startsWith(mark));
    };
    return {
        title: `merge request ${number} of ${name}`,
        most: MOST,
        async put(mark, text) {
            const body = { body: `${mark}\n${withoutActions(text)}` };
            const purpose = { doing: `comment on merge request ${number}`, needs };
            const page = (id) => `${server}/${name}/-/merge_requests/${number}#note_${id}`;
            const there = await find(mark);
            if (there) {
                // 404: it was removed meanwhile.
                const answer = await api.call({ ...purpose, accept: [404] }, async ({ raw }) => raw.put(`${notes}/${there.id}`, { body }));
                if (answer.status < 300)
                    return { url: page(there.id), how: 'changed' };
            }
            const made = await api.call(purpose, async ({ raw }) => (await raw.post(notes, { body })).body);
            return { url: page(read(numbered, made.data, purpose).id), how: 'made' };
        },
        async upload(file, bytes) {
            const body = new FormData();
            body.set('file', new Blob([Buffer.from(bytes)]), file);
            const purpose = { doing: `upload the picture "${file}"`, needs };
            const { data } = await api.call(purpose, async ({ raw }) => (await raw.post(`${base}/uploads`, { body })).body);
            return read(uploaded, data, purpose).url;
        },
    };
}
/**
 * GitLab carries out a line such as "/merge", with the rights of the token, and a program may have written it. After a backslash it is just text. A
 * path, with another slash, is not carried out. Sources: "GitLab quick actions"; `commands_regex` in lib/gitlab/quick_actions/extractor.rb.
 */
function withoutActions(text) {
    return text.replace(/^\/(?=[^\s/]+(?:\s|$))/gm, '\\/');
}


/***/ }),

/***/ 70955:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ client),
/* harmony export */   o: () => (/* binding */ joined)
/* harmony export */ });
/* harmony import */ var _gitbeaker_requester_utils__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(33888);
/* harmony import */ var _gitbeaker_rest__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37582);
/* harmony import */ var _http_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(98703);
/** The only file of the room that knows the vendor's client. */



/**
 * Resolves to the answer, whatever its status; rejects only if there is none. By itself, the client would repeat calls by its own rules, and hide the
 * status and headers of a list. So each request goes through tpi's own handler.
 */
function client(server, token) {
    return async (ask, signal) => {
        let answer;
        const requesterFn = (0,_gitbeaker_requester_utils__WEBPACK_IMPORTED_MODULE_0__/* .createRequesterFn */ .PD)(async (_, options) => options, async (endpoint, options) => {
            const [url, how] = requestOf(endpoint, options, signal);
            answer = await (0,_http_js__WEBPACK_IMPORTED_MODULE_2__/* .fetchedThere */ .S)(url, how, (next) => how.method === 'GET' && isApi(next));
            const headers = answer.headers;
            return { status: answer.status, headers, body: answer.data };
        });
        const data = await ask(resources({ host: server, token, requesterFn, queryTimeout: null, rateLimits: {} }));
        if (answer === undefined)
            throw new Error('no call was made');
        return { ...answer, data };
    };
}
/**
 * A redirect within the API means a project or group that has moved: https://docs.gitlab.com/api/rest/#redirects. Any other may lead to a sign-in
 * page, which must not be taken for the answer.
 */
const isApi = ({ pathname }) => pathname.includes('/api/');
function resources(options) {
    const runners = new _gitbeaker_rest__WEBPACK_IMPORTED_MODULE_1__/* .Runners */ .QLG(options);
    return {
        groups: new _gitbeaker_rest__WEBPACK_IMPORTED_MODULE_1__/* .Groups */ .ZEm(options),
        jobs: new _gitbeaker_rest__WEBPACK_IMPORTED_MODULE_1__/* .Jobs */ .XPB(options),
        metadata: new _gitbeaker_rest__WEBPACK_IMPORTED_MODULE_1__/* .Metadata */ .OS9(options),
        pipelines: new _gitbeaker_rest__WEBPACK_IMPORTED_MODULE_1__/* .Pipelines */ .Cwc(options),
        projects: new _gitbeaker_rest__WEBPACK_IMPORTED_MODULE_1__/* .Projects */ .JtL(options),
        runners,
        tokens: new _gitbeaker_rest__WEBPACK_IMPORTED_MODULE_1__/* .PersonalAccessTokens */ .lqn(options),
        users: new _gitbeaker_rest__WEBPACK_IMPORTED_MODULE_1__/* .Users */ .zWC(options),
        raw: runners.requester,
    };
}
function requestOf(endpoint, options, signal) {
    const { prefixUrl = '', searchParams, method = 'GET', headers = {}, body } = options;
    const query = searchParams ? `?${searchParams}` : '';
    // The client sends "{}" for an empty body, even with DELETE, whose bodies some proxies refuse.
    return [`${prefixUrl}${endpoint}${query}`, { method, headers, signal, ...(body && body !== '{}' ? { body } : {}) }];
}
/** Tags as GitLab documents them: one text, with commas. The client has another type for them, and would send a list in a form of its own. */
function joined(tags) {
    return tags.join(',');
}


/***/ }),

/***/ 30802:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ scopeOf)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _core_forge_address_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(71466);
/** Where at GitLab: its address, and the project or group. */


function scopeOf({ env, url, target, scope }) {
    const address = target && URL.canParse(target.name) ? new URL(target.name) : undefined;
    const known = [url, env['CI_SERVER_URL']].flatMap((one) => (one ? [rootOf(one)] : []));
    // A server may be below a path. The address of a project alone does not tell where that path ends.
    const root = known.find((one) => target?.name.startsWith(`${one}/`));
    const server = rootOf(url ?? root ?? address?.origin ?? env['CI_SERVER_URL'] ?? 'https://gitlab.com');
    if (scope) {
        (0,_core_forge_address_js__WEBPACK_IMPORTED_MODULE_1__/* .refuseUnknownForge */ .s)(scope['server'] ?? '', server);
        return scope;
    }
    const name = address ? address.pathname.slice(root === undefined ? 0 : pathOf(root).length) : (target?.name ?? env['CI_PROJECT_PATH']);
    if (!name)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('repository: no project is given for the runners to serve', {
            hint: 'write it like `repository: group/project`, or name a group with `organization`',
        });
    if (target?.kind === 'enterprise')
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('enterprise: GitLab has only projects and groups');
    return { server, kind: target?.kind === 'organization' ? 'group' : 'project', name: name.replace(/^\/+|(?:\.git)?\/*$/g, '') };
}
const pathOf = (root) => new URL(root).pathname.replace(/\/$/, '');
function rootOf(url) {
    return url.replace(/\/(?:api\/v4)?\/*$/, '');
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


/***/ })

};
