export const id = 5777;
export const ids = [5777];
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

/***/ 27927:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ gitlab_open)
});

// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/lib/version.js
var lib_version = __webpack_require__(5070);
// EXTERNAL MODULE: ./build/js/forges/gitlab/api.js
var gitlab_api = __webpack_require__(49543);
// EXTERNAL MODULE: ./build/js/forges/machine-life.js
var machine_life = __webpack_require__(2997);
// EXTERNAL MODULE: ./build/js/forges/gitlab/permissions.js
var permissions = __webpack_require__(35947);
;// CONCATENATED MODULE: ./build/js/forges/gitlab/projects.js

/** Projects or jobs of one answer. If a group has more projects, those with the latest activity are looked at. */
const PAGE = { perPage: 100, page: 1 };
/** Statuses to accept: among several projects, one that has no pipelines, or is being deleted, must not be an error for all. */
function whereSomeHaveNone(repositories) {
    return repositories.length > 1 ? [403, 404] : [];
}
/** Projects whose jobs these runners have had, according to GitLab. If a runner is gone there, all that it can have served: see `projectsOf`. */
async function servedProjects(api, target, enrolled, named) {
    if (target.kind === 'project')
        return [target.name];
    const found = new Set(below(target, named));
    for (const id of new Set(enrolled.map((one) => one.id))) {
        const purpose = { doing: `list the jobs of runner ${id}`, needs: permissions/* NEEDS_MANAGE */.G4, accept: [404] };
        const last = { status: 'failed', orderBy: 'id', sort: 'desc', ...PAGE };
        const { status, data } = await api.call(purpose, async ({ runners }) => runners.allJobs(Number(id), last));
        if (status === 404)
            return projectsOf(api, target, named);
        for (const { project } of data)
            if (project?.path_with_namespace !== undefined)
                found.add(project.path_with_namespace);
    }
    return [...found];
}
/** All projects that runners of this place can serve, to find jobs that wait and never had a runner. */
async function projectsOf(api, target, named) {
    if (target.kind === 'project')
        return [target.name];
    const latest = { includeSubgroups: true, archived: false, simple: true, orderBy: 'last_activity_at', sort: 'desc', ...PAGE };
    const purpose = { doing: 'list the projects of the group', needs: permissions/* RERUNNING */.h5 };
    const { data } = await api.call(purpose, async ({ groups }) => groups.allProjects(target.name, latest));
    return [...new Set([...below(target, named), ...data.map((one) => one.path_with_namespace)])];
}
/** Whether runners of this place can have served that project. Asked because the record of a job may be forged. */
function serves({ kind, name }, project) {
    return kind === 'project' ? project === name : project.startsWith(`${name}/`);
}
/** Those below the group: the launch may come from a project outside. */
function below(target, projects) {
    return projects.filter((project) => serves(target, project));
}

;// CONCATENATED MODULE: ./build/js/forges/gitlab/reasons.js
/**
 * GitLab's names for failures that are not the job's own, which differ between its versions. Source: its documentation of `retry:when`, and its table of
 * failure reasons.
 */

const REASONS = [
    { name: 'runner_system_failure', retried: true },
    { name: 'runner_interrupted', since: '19.1', retried: true },
    // What a runner reports after an interruption to a server that has no name for that.
    { name: 'unknown_failure', until: '19.1', retried: true },
    // GitLab did not hear from its machine any more.
    { name: 'stuck_or_timeout_failure', until: '19.0', retried: true },
    { name: 'no_updates_running', since: '19.0', retried: true },
    // The server ended it long after its timeout: its runner, which should have done that, was gone.
    { name: 'job_execution_server_timeout', retried: false },
    { name: 'server_timeout_running', since: '19.0', retried: false },
];
/** Whether the reason is not the job's own. Names of all versions count: the job may be older than the server. */
function notItsOwn(reason) {
    return REASONS.some(({ name }) => name === (reason ?? ''));
}
/**
 * Names for `retry:when` in a pipeline of this server: one that it does not know is an error of the whole file. `undefined`: the version is not known;
 * then only names that every version understands.
 */
function retriedBy(version) {
    const known = REASONS.filter(({ retried, since, until }) => {
        if (!retried)
            return false;
        if (version === undefined)
            return since === undefined;
        return !(since !== undefined && (0,lib_version/* isOlder */.t)(version, since)) && !(until !== undefined && !(0,lib_version/* isOlder */.t)(version, until));
    });
    return known.map(({ name }) => name);
}

;// CONCATENATED MODULE: ./build/js/forges/gitlab/cut-off-jobs.js




/** Failed jobs of a project after which no further page is asked for; the newest come first. */
const ENOUGH = 999;
/** Failed jobs with the tags of these runners that ran on a machine when it was taken away, and failed because of that. */
async function cutOff(api, { enrolled, labels, away, repositories }) {
    const ours = new Set(enrolled.map(({ id }) => id));
    const found = [];
    for (const repository of repositories) {
        for (const job of await failed(api, repository, whereSomeHaveNone(repositories))) {
            const { started_at: start, finished_at: end, tag_list: tags = [], runner, failure_reason: reason } = job;
            const foreign = runner ? !ours.has(String(runner.id)) : false;
            if (!start || !end || foreign || tags.length === 0 || !tags.every((tag) => labels.includes(tag)))
                continue;
            if (!(0,machine_life/* wentAway */.$)(away, start, end) || !notItsOwn(reason))
                continue;
            const facts = { repository, run: String(job.pipeline.id), job: String(job.id), name: job.name };
            found.push({ epoch: 0, start, end, interrupted: true, facts });
        }
    }
    return found;
}
/** `accept`: statuses that mean a project whose jobs this token cannot see. */
async function failed(api, repository, accept) {
    const purpose = { doing: 'list failed jobs', needs: permissions/* RERUNNING */.h5, accept };
    const jobs = await api.list(purpose, async (gitlab, page) => gitlab.jobs.all(repository, { scope: 'failed', ...page }), ENOUGH);
    return jobs;
}

// EXTERNAL MODULE: ./build/js/lib/sha256.js
var sha256 = __webpack_require__(41923);
;// CONCATENATED MODULE: ./build/js/wire/runner-mark.js
/** A short mark of a runner by its name, which a machine and a controller make alike. */

/** Twelve hex digits, because GitLab takes no more for the name of a machine. */
function markOf(name) {
    return (0,sha256/* sha256 */.s)(name).slice(0, 12);
}

;// CONCATENATED MODULE: ./build/js/forges/gitlab/program.js

const spoken = { headers: { 'content-type': 'application/json' } };
/** The first version whose `run-single` reads a file of settings (gitlab-runner!4789). */
const READS_FILE = '17.1';
/**
 * Seconds that an aborted job has, as in a container (docker stop). The shell executor would wait ten minutes for it, which no setting changes
 * (helpers/process/killer.go, common/config.go), but its program reports nothing after half a minute (commands/single.go).
 */
const JOB_ENDS = 10;
const SETTINGS = 'config.toml';
/**
 * Read from beside the settings; without it all runners of one host, image or clone have one name
 * (commands/internal/configfile/system_id_state.go of gitlab-runner).
 */
const SYSTEM = '.runner_system_id';
/** The id by which GitLab tells the machines of one runner apart: "r_" and twelve characters, made from the name of the slot's runner. */
function systemId(name) {
    return `r_${markOf(name)}`;
}
function program(server, api, { containers, env, version }) {
    return {
        // dockerfiles/runner of gitlab-runner.
        inImage: {
            path: '/usr/bin/gitlab-runner',
            version: ['/usr/bin/gitlab-runner', '--version'],
            ...(version === undefined ? { from: READS_FILE } : {}),
        },
        argv: [
            'gitlab-runner',
            'run-single',
            '--config',
            `{folder}/${SETTINGS}`,
            '--runner',
            '{name}',
            '--wait-timeout',
            '{idle}',
            '--max-builds',
            '{jobs}',
        ],
        // Jobs run in a login shell. One of the first level runs .bash_logout at its end, which on Debian and Ubuntu tries to clear the console: without
        // a console that fails, and so does the job (docs/shells of gitlab-runner).
        env: containers ? {} : { SHLVL: '1' },
        files: [
            { path: SETTINGS, text: settings(server, containers, env), mode: 0o600, json: true },
            { path: SYSTEM, text: 'r_{mark}' },
        ],
        idleClock: 'runner',
        jobsPerStart: null,
        reusable: true,
        signals: { abort: 'SIGTERM', jobEnds: JOB_ENDS, drain: 'SIGQUIT' },
        exits: { 0: { means: 'done', says: 'it has served its jobs, or had none for too long' } },
        // If its token is refused, it goes on asking for as long as it may be idle. So the machine asks whether the token still counts.
        standing: {
            method: 'POST',
            url: `${api}/runners/verify`,
            ...spoken,
            // Without its own name the machine would be another one, called "<legacy>" (lib/api/ci/helpers/runner.rb of GitLab).
            body: '{"token":"{credential}","system_id":"r_{mark}"}',
            gone: [403],
        },
        farewell: { method: 'DELETE', url: `${api}/runners`, ...spoken, body: '{"token":"{credential}"}' },
    };
}
/**
 * The settings, in a file that only the runner's user can read: arguments are visible in the list of processes, and a job of the shell executor gets
 * the whole environment of the runner (executors/shell/shell.go of gitlab-runner). A job in a container gets only the variables that are named here.
 * With a file, the runner takes all of its settings from there.
 */
function settings(server, containers, env) {
    const lines = ['[[runners]]', 'name = "{name}"', `url = ${toml(server)}`, 'token = "{credential}"'];
    const own = containers ? inContainers(containers, env) : ['executor = "shell"', 'shell = "bash"', 'builds_dir = "{work}"'];
    return `${[...lines, ...own].join('\n')}\n`;
}
function inContainers({ image, volumes, gpus }, env) {
    const environment = Object.entries(env).map(([name, value]) => toml(`${name}=${value}`));
    return [
        'executor = "docker"',
        `environment = [${environment.join(', ')}]`,
        '[runners.docker]',
        `image = ${toml(image)}`,
        `volumes = [${volumes.map(toml).join(', ')}]`,
        ...(gpus ? ['gpus = "all"'] : []),
    ];
}
/** A basic string of TOML (https://toml.io/en/v1.0.0#string): that of JSON, except DEL. Nothing in it is treated as a placeholder. */
function toml(text) {
    return JSON.stringify(text).replace(/[{\u007f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

;// CONCATENATED MODULE: ./build/js/forges/gitlab/download.js
/** Where GitLab's runner program is, and its digest. */



const ARCH = { x64: 'amd64', arm64: 'arm64' };
/** One folder per version, and one called "latest". */
const DOWNLOADS = 'https://gitlab-runner-downloads.s3.amazonaws.com';
/** The vendor's list of digests has the name of the file. GITLAB_RUNNER_DOWNLOADS may name a mirror. */
async function findDownload(api, { env }, { platform, version }) {
    if (version !== undefined && (0,lib_version/* isOlder */.t)(version, READS_FILE))
        throw new errors/* InputError */.dz(`runner-version: ${version} cannot read its settings from a file, only from where every job or process can see them`, { hint: `use ${READS_FILE} or later` });
    const name = `gitlab-runner-${platform.os}-${ARCH[platform.arch]}`;
    const mirror = (env['GITLAB_RUNNER_DOWNLOADS'] ?? DOWNLOADS).replace(/\/+$/, '');
    const base = `${mirror}/${version === undefined ? 'latest' : `v${version}`}`;
    const { host } = new URL(base);
    const absent = version === undefined ? [] : [403, 404];
    const { status, text } = await api.file(`${base}/release.sha256`, {
        doing: `get the list of runner programs from ${host}`,
        accept: absent,
    });
    if (absent.includes(status))
        throw new errors/* InputError */.dz(`runner-version: ${host} has no version ${version}`, { hint: 'a version is written like 19.1.0' });
    const line = text.split('\n').find((one) => one.trim().endsWith(`binaries/${name}`));
    const digest = line === undefined ? undefined : /^[0-9a-f]{64}/.exec(line.trim())?.[0];
    if (digest === undefined)
        throw new errors/* InputError */.dz(`architecture: GitLab publishes no ${name}`);
    return { version: version ?? 'latest', url: `${base}/binaries/${name}`, headers: {}, digest, file: 'gitlab-runner' };
}

// EXTERNAL MODULE: ./build/js/lib/shape.js
var shape = __webpack_require__(29611);
// EXTERNAL MODULE: ./build/js/forges/answer.js
var answer = __webpack_require__(44789);
// EXTERNAL MODULE: ./build/js/forges/errors.js
var forges_errors = __webpack_require__(87228);
;// CONCATENATED MODULE: ./build/js/forges/gitlab/remove-runner.js
/** Removing a runner object, and what GitLab answers to that. */


/**
 * Whether any of its machines has a job; a runner that is gone has none. `ifHidden`: the answer if the token may not see its jobs; without it, that is
 * an error.
 */
async function busy(api, id, hidden) {
    const purpose = { doing: `look at runner ${id}`, needs: permissions/* NEEDS_MANAGE */.G4, accept: hidden ? [403, 404] : [404] };
    const one = { status: 'running', perPage: 1, page: 1 };
    const { data, status } = await api.call(purpose, async ({ runners }) => runners.allJobs(Number(id), one));
    if (status === 403 && hidden)
        return hidden.ifHidden;
    return status !== 404 && data.length > 0;
}
/** If the runner changed meanwhile, it is looked at once more, because it may have taken a job. */
async function evict(api, id) {
    const purpose = { doing: `remove runner ${id}`, needs: permissions/* NEEDS_MANAGE */.G4, accept: [403, 404, 412] };
    for (let changed = 0; changed < 2; changed++) {
        if (await busy(api, id))
            return 'busy';
        const { status } = await api.call(purpose, async ({ runners }) => runners.remove({ runnerId: Number(id) }));
        if (status === 404)
            return 'absent';
        if (status === 403)
            throw await refusal(api, id);
        if (status !== 412)
            return 'removed';
    }
    throw new errors/* RemoteError */.Hi(`GitLab: runner ${id} changed while it was being removed`, { retryable: true, hint: 'run the same command again' });
}
/** Status 403 has two meanings. The projects of the runner tell which. */
async function refusal(api, id) {
    const purpose = { doing: `look at runner ${id}`, needs: permissions/* NEEDS_MANAGE */.G4, accept: [403, 404] };
    const { data, status } = await api.call(purpose, async ({ runners }) => runners.show(Number(id)));
    const { projects = [] } = (status === 200 ? data : {});
    const failed = `GitLab: could not remove runner ${id}`;
    if (projects.length < 2)
        return new errors/* AuthError */.lR(`${failed}: the token is not allowed to; it needs ${permissions/* NEEDS_MANAGE */.G4}, and the role to administer the runner`);
    const names = projects.map(({ path_with_namespace: path }) => path).join(', ');
    return new errors/* RemoteError */.Hi(`${failed}: it was given to several projects (${names}); take it out of all but one, or let an administrator remove it`);
}

// EXTERNAL MODULE: ./build/js/forges/gitlab/sdk.js
var sdk = __webpack_require__(70955);
;// CONCATENATED MODULE: ./build/js/forges/gitlab/enroll.js
/** Runners as GitLab registers, lists and describes them. */







/** Start of the note for administrators of a runner; after it comes the time at which it was found without a machine. */
const NOTICED = 'tpi saw no machine of it at ';
/** https://docs.gitlab.com/api/users/#create-a-runner-linked-to-a-user: `token_expires_at` is null unless an administrator has set a limit. */
const CREATED = (0,shape/* object */.Ik)({
    id: (0,shape/* count */.U9)(),
    token: (0,shape/* line */.n8)(1024),
    token_expires_at: (0,shape/* maybe */.no)((0,shape/* orNone */.u9)((0,shape/* line */.n8)(64))),
});
const noteOf = (at) => `${NOTICED}${at.toISOString()}`;
/** The note does not count if a machine was in contact after it was made. */
function infoOf({ id, description, status, maintenance_note: note, contacted_at: contact }) {
    const at = note?.startsWith(NOTICED) ? Date.parse(note.slice(NOTICED.length)) : Number.NaN;
    const noticed = Number.isNaN(at) || (contact && Date.parse(contact) > at) ? {} : { noticed: at };
    return { id: String(id), name: description, online: status === 'online', busy: false, ...noticed };
}
async function runnersOf(api, { kind, name }, fit = {}) {
    const where = kind === 'group' ? { groupId: name } : { projectId: name };
    const purpose = { doing: 'list runners', needs: permissions/* NEEDS_LOOK */.ak };
    return (await api.list(purpose, async ({ runners }, page) => runners.all({ ...fit, ...where, ...page })));
}
function showing({ kind, name }) {
    return async ({ groups, projects }) => (kind === 'group' ? groups.show(name) : projects.show(name));
}
async function named(api, target, prefix) {
    const all = await runnersOf(api, target);
    return all.filter(({ description }) => description?.startsWith(prefix)).map(infoOf);
}
/** Id of the project, if its CI job runs this command: then it does not have to be looked up. */
function ownId({ env }, scope) {
    const own = scope['kind'] === 'project' && scope['name'] === env['CI_PROJECT_PATH'] && scope['server'] === env['CI_SERVER_URL'];
    return own && env['CI_PROJECT_ID'] ? Number(env['CI_PROJECT_ID']) : undefined;
}
/** Makes one runner object for the whole launch. If the answer is lost, it is found by its name and removed before the next try. */
async function createRunner(api, target, request, own) {
    const { kind } = target;
    const find = { doing: `find the ${kind}`, needs: permissions/* NEEDS_LOOK */.ak };
    const owner = own ?? (await api.call(find, showing(target))).data.id;
    const description = request.places[0]?.name ?? '';
    const whose = kind === 'group' ? { groupId: owner } : { projectId: owner };
    const purpose = {
        doing: 'create the runner',
        needs: permissions/* NEEDS */.Qo,
        accept: [400],
        async again() {
            for (const one of await named(api, target, description))
                await evict(api, one.id);
        },
    };
    const { status, data } = await api.call(purpose, async ({ users }) => users.createCIRunner(`${kind}_type`, { ...whose, description, tagList: (0,sdk/* joined */.o)(request.labels), runUntagged: false, locked: true }));
    if (status === 400)
        throw new errors/* InputError */.dz(`labels: GitLab refuses this runner: ${(0,forges_errors/* reasonOf */.A)({ data })}`);
    const { id, token, token_expires_at: until } = (0,answer/* understood */.S)(CREATED, data, 'GitLab', purpose);
    return { id: String(id), token, ...(until && { until }) };
}

;// CONCATENATED MODULE: ./build/js/forges/gitlab/rerun.js



/** `jobs`: of one pipeline. Nothing is done twice: a job that was re-run has a successor of the same name, and is not the latest any more. */
async function rerun(api, jobs, most) {
    const { repository = '', run = '' } = jobs[0]?.facts ?? {};
    const request = { pipelineId: Number(run), includeRetried: true };
    const purpose = { doing: 'list the jobs of a pipeline', needs: permissions/* RERUNNING */.h5 };
    const all = (await api.list(purpose, async (gitlab, page) => gitlab.jobs.all(repository, { ...request, ...page })));
    const latest = new Map();
    for (const job of all)
        if (job.id > (latest.get(job.name)?.id ?? 0))
            latest.set(job.name, job);
    const last = ({ facts }) => latest.get(facts['name'] ?? '');
    const open = jobs.filter((job) => String(last(job)?.id) === job.facts['job']);
    if (open.length === 0)
        return never(`what was cut off in pipeline ${run} was already run again`);
    const broken = [...latest.values()].filter(({ status }) => status === 'failed' || status === 'canceled');
    // Whatever its record says: a job that has succeeded does not run again.
    const failed = open.filter((job) => broken.some(({ id }) => id === last(job)?.id));
    if (failed.length === 0)
        return never(`pipeline ${run}: the job did not fail`);
    const young = failed.filter((job) => last(job)?.archived !== true);
    if (young.length === 0)
        return never(`pipeline ${run}: GitLab has archived its jobs, and never runs them again`);
    const times = (name) => all.filter((job) => job.name === name).length - 1;
    const due = young.filter(({ facts }) => times(facts['name']) < most);
    if (due.length === 0)
        return never(`pipeline ${run}: its jobs were run again as often as "retry" allows`);
    return send(api, { repository, run }, due, due.length > 1 && due.length === broken.length);
}
/** A refusal for good: each execution of a job has its own id, so the answer stays the same. */
function never(says) {
    return { how: 'refused', says, final: true };
}
/** `whole`: nothing else of the pipeline failed, so one call re-runs all. */
async function send(api, { repository, run }, due, whole) {
    const one = (job) => async (gitlab) => gitlab.jobs.retry(repository, Number(job));
    const calls = whole
        ? [[run, async (gitlab) => gitlab.pipelines.retry(repository, Number(run))]]
        : due.map(({ facts: { job = '' } }) => [job, one(job)]);
    const says = [];
    for (const [id, ask] of calls) {
        const { status } = await api.call({ doing: `run jobs of pipeline ${run} again`, accept: [403] }, ask);
        if (status === 403 && says.length > 0)
            break;
        if (status === 403)
            return { how: 'refused', says: `GitLab refuses to run jobs of pipeline ${run} again; it takes ${permissions/* RERUNNING */.h5}` };
        says.push(id);
    }
    const which = says.length === 1 ? `job ${says.join()} runs` : `jobs ${(0,lib_text/* listed */.KE)(says, 'and')} run`;
    return { how: 'rerun', says: `pipeline ${run}: ${whole ? 'its failed jobs run' : which} again` };
}
/** Number of pending jobs that name the unique tag of these runners, or only other tags of theirs that no other runner has. */
async function waiting(api, labels, repositories, served) {
    let count = 0;
    for (const repository of repositories) {
        const purpose = { doing: 'list waiting jobs', needs: permissions/* RERUNNING */.h5, accept: whereSomeHaveNone(repositories) };
        const pending = await api.list(purpose, async (gitlab, page) => gitlab.jobs.all(repository, { scope: 'pending', ...page }));
        for (const { tag_list: tags = [] } of pending) {
            if (tags.length === 0 || !tags.every((tag) => labels.includes(tag)))
                continue;
            if (tags.includes(labels[0] ?? '') || !(await served(tags)))
                count++;
        }
    }
    return count;
}

// EXTERNAL MODULE: ./build/js/forges/gitlab/target.js
var gitlab_target = __webpack_require__(30802);
;// CONCATENATED MODULE: ./build/js/forges/gitlab/index.js
/** GitLab as a `Forge`: calls for one project or group. */















/** The first version that says which machines a runner has (gitlab!153715), and that has the scope "manage_runner" (gitlab!153285). */
const TELLS_MACHINES = '17.1';
async function gitlab_open(context) {
    const { token } = context;
    if (!token)
        throw new errors/* AuthError */.lR('GitLab: no token was given', {
            hint: `give one with ${permissions/* NEEDS */.Qo} ${permissions/* HOW_GIVEN */.P0}`,
        });
    const scope = (0,gitlab_target/* scopeOf */.O)(context);
    const server = scope['server'] ?? '';
    const api = new gitlab_api/* Api */.j(context, (0,sdk/* client */.S)(server, token));
    const kind = scope['kind'] === 'group' ? 'group' : 'project';
    const target = { kind, name: scope['name'] ?? '' };
    const inContact = async (labels) => runnersOf(api, target, { tagList: (0,sdk/* joined */.o)(labels), status: 'online', paused: false });
    /** Projects that GitLab itself has named as served: a project that was moved may be outside the group by now. */
    const ownProjects = new Set();
    const title = `${kind} ${scope['name']} at ${new URL(server).host}`;
    return {
        scope,
        title,
        whoami: async () => accountOf(api, target, server, title),
        download: async (request) => findDownload(api, context, request),
        // One runner object serves all machines, and those that replace others.
        supply: () => 1,
        async enroll(request) {
            const { id, token: secret, until } = await createRunner(api, target, request, ownId(context, scope));
            context.mask(secret);
            warnOfExpiry(context, until, request.deadline);
            return {
                enrolled: request.places.map(({ slot, k, name }) => ({ slot, k, id, name })),
                credentials: request.places.map(({ slot, k }) => ({ slot, k, value: secret })),
                program: program(server, `${server}/api/v4`, request),
            };
        },
        runners: async (prefix) => named(api, target, prefix),
        one: async (id) => oneRunner(api, id),
        async equipped(labels) {
            const found = await inContact(labels);
            // Runners of the server or of a group are among them. They show their jobs only to their administrators, and count as busy for others.
            return Promise.all(found.map(async (raw) => ({ ...infoOf(raw), busy: await busy(api, String(raw.id), { ifHidden: true }) })));
        },
        notice: async (id, at) => setNote(api, id, at),
        look: async (enrolled) => onlineMachines(api, enrolled),
        evict: async (id) => evict(api, id),
        async cutOff(request) {
            const repositories = await servedProjects(api, target, request.enrolled, request.repositories);
            const found = await cutOff(api, { ...request, repositories });
            for (const { facts } of found)
                ownProjects.add(facts['repository'] ?? '');
            return found;
        },
        async rerun(jobs, most) {
            const project = jobs[0]?.facts['repository'] ?? '';
            if (ownProjects.has(project) || serves(target, project))
                return rerun(api, jobs, most);
            const says = `according to their record, pipeline ${jobs[0]?.facts['run']} belongs to "${(0,lib_text/* printable */.g$)(project)}", which runners of ${title} do not serve`;
            return { how: 'refused', says, final: true };
        },
        async waiting(labels, repositories) {
            // Runners of this launch have left, even if GitLab still calls them online.
            const ours = new Set((await inContact(labels.slice(0, 1))).map(({ id }) => id));
            const served = async (tags) => (await inContact(tags)).some(({ id }) => !ours.has(id));
            return waiting(api, labels, await projectsOf(api, target, repositories), served);
        },
    };
}
async function accountOf(api, target, server, title) {
    const { data } = await api.call({ doing: 'look at the token', needs: permissions/* NEEDS */.Qo }, async ({ tokens }) => tokens.show());
    const { scopes = [], name = 'token' } = data;
    // Without all of them, tpi would make something that it cannot find or remove again.
    const lacks = (0,permissions/* lacking */.gP)(scopes);
    if (lacks.length > 0)
        throw new errors/* AuthError */.lR(`GitLab: the token "${name}" lacks ${lacks.map((one) => `"${one}"`).join(', ')}; it needs ${permissions/* NEEDS */.Qo}`);
    const version = await versionOf(api);
    if (version !== undefined && (0,lib_version/* isOlder */.t)(version, TELLS_MACHINES))
        throw new errors/* InputError */.dz(`forge-url: ${new URL(server).host} is GitLab ${version}, and runners need ${TELLS_MACHINES} or later`);
    const seen = await api.call({ doing: `look at the ${target.kind}`, accept: [401, 403, 404] }, showing(target));
    return {
        name: `token "${name}"`,
        warnings: [],
        advice: retries(version),
        ...(seen.status === 200 && seen.data.visibility === 'public' ? { open: `${title} is public` } : {}),
    };
}
/**
 * Nothing renews this token: the runner program does that only as a service (commands/multi.go of gitlab-runner), and each machine would
 * get another.
 */
function warnOfExpiry({ log }, until, deadline) {
    if (until !== undefined && Date.parse(until) < Date.parse(deadline))
        log.warn(`GitLab: by the settings of the server or the group, the token of these runners expires at ${until}, and from then on they take no jobs: give a shorter "timeout"`);
}
async function oneRunner(api, id) {
    const purpose = { doing: `look at runner ${id}`, needs: permissions/* NEEDS_MANAGE */.G4, accept: [404] };
    const answer = await api.call(purpose, async ({ runners }) => runners.show(Number(id)));
    return answer.status === 404 ? undefined : { ...infoOf(answer.data), busy: await busy(api, id) };
}
async function setNote(api, id, at) {
    const body = { maintenance_note: at ? noteOf(at) : '' };
    const purpose = { doing: `set the maintenance note of runner ${id}`, needs: permissions/* NEEDS_MANAGE */.G4, accept: [404] };
    await api.call(purpose, async ({ raw }) => raw.put(`runners/${id}`, { body }));
}
async function onlineMachines(api, enrolled) {
    const id = enrolled[0]?.id;
    if (id === undefined)
        return [];
    // 404: the object is gone, because its machines have served and left. One answer has all machines (lib/api/ci/runners.rb of GitLab).
    const purpose = { doing: 'look at the runner', needs: permissions/* NEEDS_MANAGE */.G4, accept: [404] };
    const { status, data } = await api.call(purpose, async ({ raw }) => (await raw.get(`runners/${id}/managers`)).body);
    const managers = status === 404 ? [] : data;
    const there = new Set(managers.filter((one) => one.status === 'online').map((one) => one.system_id));
    return enrolled.filter(({ name }) => there.has(systemId(name))).map(({ name }) => ({ id, name, online: true, busy: false }));
}
/** `undefined`: it does not say. */
async function versionOf(api) {
    const purpose = { doing: 'ask for the version', accept: [401, 403, 404] };
    const { status, data } = await api.call(purpose, async ({ metadata }) => metadata.show());
    return status === 200 ? /^\d+\.\d+/.exec(data.version ?? '')?.[0] : undefined;
}
/** Names only reasons that this version knows: any other would be an error of the whole pipeline file. */
function retries(version) {
    return `GitLab re-runs interrupted jobs itself if the job says "retry: {max: 2, when: [${retriedBy(version).join(', ')}]}"`;
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

/***/ 2997:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ wentAway),
/* harmony export */   z: () => (/* binding */ SLACK)
/* harmony export */ });
const MINUTE = 60_000;
/** Milliseconds by which the clocks of machine and forge may differ, and that a job may take to end. */
const SLACK = 5 * MINUTE;
/** Whether a job ended with one of these machines. `ended`: ISO; absent: the forge believes that it still runs. */
function wentAway(away, began, ended) {
    const start = Date.parse(began);
    const end = ended === undefined ? Number.POSITIVE_INFINITY : Date.parse(ended);
    return away.some(({ from, to }) => start >= Date.parse(from) - MINUTE && start <= Date.parse(to) + MINUTE && end >= Date.parse(to) - SLACK);
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

/***/ 5070:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   t: () => (/* binding */ isOlder)
/* harmony export */ });
/** Versions, compared by their numbers: 2.99 is older than 2.100. A number that is missing counts as 0. */
function isOlder(version, other) {
    const [mine = [], theirs = []] = [version, other].map((text) => text.split('.').map(Number));
    for (let at = 0; at < Math.max(mine.length, theirs.length); at++) {
        const more = (mine[at] ?? 0) - (theirs[at] ?? 0);
        if (more !== 0)
            return more < 0;
    }
    return false;
}


/***/ })

};
