export const id = 3410;
export const ids = [3410];
export const modules = {

/***/ 3410:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ github_open)
});

// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/forges/errors.js
var forges_errors = __webpack_require__(87228);
// EXTERNAL MODULE: ./build/js/forges/outage.js
var outage = __webpack_require__(732);
// EXTERNAL MODULE: ./build/js/forges/github/api.js + 1 modules
var github_api = __webpack_require__(28630);
// EXTERNAL MODULE: ./build/js/forges/github/permissions.js
var permissions = __webpack_require__(49699);
;// CONCATENATED MODULE: ./build/js/forges/github/admission.js
/** Whether runners may be registered at a place, in which group, and what it means if they are refused. */



/** Id of the default group. */
const USUAL = 1;
class Admission {
    #api;
    #target;
    #mask;
    constructor(api, target, mask) {
        this.#api = api;
        this.#target = target;
        this.#mask = mask;
    }
    /** Rejects if the token may not register runners. Mints a registration token to find out, which is not used, but valid for an hour. */
    async prove() {
        await this.registrationToken('register');
    }
    /** Good for an hour, and for any number of machines. `doing`: what it is for, for the message if it is refused. */
    async registrationToken(doing = 'get a registration token for') {
        const { kind, name } = this.#target;
        const purpose = { doing: `${doing} runners of ${kind} ${name}`, needs: (0,permissions/* registering */.Wu)(kind) };
        return (await this.#mint({ ...purpose, explain: async (status) => this.refusal(status) })) ?? '';
    }
    /** `undefined`: the call accepts a refusal, and was refused. */
    async #mint(call) {
        const path = `${this.#target.path}/actions/runners/registration-token`;
        const { status, data } = await this.#api.call({ ...call, method: 'POST', path });
        if (status !== 201)
            return undefined;
        const { token } = data;
        this.#mask(token);
        return token;
    }
    /** Whose jobs the runners can get. For an organization or enterprise, their group decides. */
    async audience(title, group, here) {
        const { kind, path } = this.#target;
        const id = await this.groupId(group);
        if (kind !== 'repository')
            return this.#ofGroup(title, id, here);
        const { status, data } = await this.#api.call({ doing: 'look at the repository', method: 'GET', path, accept: [403, 404] });
        const isPublic = status === 200 && data.private === false;
        return { ...(isPublic ? { open: `${title} is public` } : {}), warnings: [] };
    }
    async #ofGroup(title, id, { repository, workflow = '' }) {
        // An organization that does not show its groups can have runners all the same.
        const group = (await this.#groups([403, 404])).find((one) => one.id === id);
        if (!group)
            return { warnings: [] };
        const words = `runner group "${group.name}" of ${title}`;
        const { restricted_to_workflows: restricted, selected_workflows: workflows = [] } = group;
        return {
            ...(group.allows_public_repositories ? { open: `${words} serves public repositories` } : {}),
            warnings: [
                // No warning in a workflow of the list: whoever has put it there knows.
                ...(restricted && !workflows.includes(workflow)
                    ? [`${words} serves only jobs of some workflows: ${workflows.join(', ')}; other jobs wait`]
                    : []),
                ...(repository !== undefined && (await this.#isBarred(group, repository))
                    ? [`${words} does not serve ${repository}: jobs of this repository wait until the group's settings include it`]
                    : []),
            ],
        };
    }
    /** Whether the group does not serve this repository. Only if GitHub says so: not for enterprises, nor if the list is cut short. */
    async #isBarred({ id, visibility }, here) {
        const { kind, name, path } = this.#target;
        const [owner = '', repository = ''] = here.split('/');
        if (visibility === 'all' || kind !== 'organization' || owner.toLowerCase() !== name.toLowerCase())
            return false;
        const query = `visible_to_repository=${encodeURIComponent(repository)}&per_page=${github_api/* PAGE */.KL}`;
        const purpose = { doing: `list runner groups for ${here}`, method: 'GET', accept: [403, 404] };
        const { status, data } = await this.#api.call({ ...purpose, path: `${path}/actions/runner-groups?${query}` });
        const groups = status === 200 ? data.runner_groups : undefined;
        return groups !== undefined && groups.length < github_api/* PAGE */.KL && !groups.some((one) => one.id === id);
    }
    /** The error that a refused registration means; `undefined`: the token is not allowed to register. */
    async refusal(status, group) {
        if (status !== 403)
            return undefined;
        const owner = this.#target.name.split('/')[0] ?? '';
        if (this.#target.kind === 'repository')
            return (await this.#forbidden(owner))
                ? new errors/* InputError */.dz(`repository: organization "${owner}" does not allow self-hosted runners of ${this.#target.name}`, {
                    hint: `register for the organization: \`organization: ${owner}\``,
                })
                : undefined;
        // If the token cannot register at all, the group is not the reason.
        if (group === undefined || (await this.#mint({ doing: 'verify the token', accept: [403, 404] })) === undefined)
            return undefined;
        return new errors/* InputError */.dz(`runner-group: GitHub accepts no self-hosted runner in the group "${group}" (HTTP 403)`, {
            hint: `a group for GitHub-hosted machines accepts none; choose another: ${namesOf((await this.#groups()).filter(({ name }) => name !== group))}`,
        });
    }
    /** Whether the policy of the organization forbids runners of this repository, if the token may read it. */
    async #forbidden(owner) {
        const path = `/orgs/${owner}/actions/permissions/self-hosted-runners`;
        const { status, data } = await this.#api.call({ doing: 'read the policy of the organization', method: 'GET', path, accept: [403, 404] });
        const { enabled_repositories: enabled } = (status === 200 ? data : {});
        return enabled === 'none' || (enabled === 'selected' && !(await this.#selected(path)));
    }
    async #selected(policy) {
        const { kind, name } = this.#target;
        const purpose = { doing: 'list the repositories that the organization allows', needs: (0,permissions/* registering */.Wu)(kind) };
        const selected = await this.#api.list(purpose, `${policy}/repositories`, 'repositories');
        return selected.some((one) => one.full_name.toLowerCase() === name.toLowerCase());
    }
    async groupId(name) {
        if (name === undefined)
            return USUAL;
        if (this.#target.kind === 'repository')
            throw new errors/* InputError */.dz('runner-group: only organizations and enterprises have groups');
        const groups = await this.#groups();
        const found = groups.find((group) => group.name === name);
        if (found)
            return found.id;
        throw new errors/* InputError */.dz(`runner-group: there is no group "${name}"`, { hint: `there are: ${namesOf(groups)}` });
    }
    /** Empty if the answer has one of these statuses. */
    async #groups(accept = []) {
        const { kind, path } = this.#target;
        const purpose = { doing: 'list runner groups', needs: (0,permissions/* registering */.Wu)(kind), accept };
        return this.#api.list(purpose, `${path}/actions/runner-groups`, 'runner_groups');
    }
}
function namesOf(groups) {
    return groups.map(({ name }) => name).join(', ');
}

// EXTERNAL MODULE: ./build/js/forges/github/auth.js
var auth = __webpack_require__(68353);
// EXTERNAL MODULE: ./build/js/forges/github/ci.js
var ci = __webpack_require__(70023);
// EXTERNAL MODULE: ./build/js/forges/machine-life.js
var machine_life = __webpack_require__(2997);
;// CONCATENATED MODULE: ./build/js/forges/github/runs.js

/** How many runs are looked at, newest first: each costs a call. GitHub itself lists a thousand at most. */
const MOST_RUNS = 300;
const isRun = (run) => /^\d+$/.test(run);
const pathOfRun = (repository, run) => `/repos/${repository}/actions/runs/${run}`;
/** `only`: a query of GitHub's API. */
async function runsOf(api, log, repository, only) {
    const runs = [];
    let total = 0;
    const pages = api.pages({ doing: 'list runs', needs: permissions/* RERUNNING */.h5 }, `/repos/${repository}/actions/runs?${only}`, (data) => {
        const { workflow_runs: some, total_count: count } = data;
        total = count;
        return some;
    });
    for await (const some of pages) {
        runs.push(...some);
        if (runs.length >= total)
            break;
        if (runs.length < MOST_RUNS)
            continue;
        log.warn(`repository ${repository} has more runs than are checked (${only}): only the ${MOST_RUNS} newest are`);
        break;
    }
    return runs;
}
/** `latest`: the last execution of each job; `all`: executions in earlier attempts, too. */
async function jobsOf(api, path, which) {
    return api.list({ doing: 'list the jobs of a run', needs: permissions/* RERUNNING */.h5 }, `${path}/jobs?filter=${which}`, 'jobs');
}

;// CONCATENATED MODULE: ./build/js/forges/github/cut-off-jobs.js


/** Milliseconds that a job may wait for a runner: https://docs.github.com/en/actions/reference/limits (self-hosted, job queue time). */
const QUEUED = 24 * 3_600_000;
/** The only conclusions of a run in which a job was cut off. */
const ENDS = ['failure', 'cancelled'];
/** Looks at likely runs first. Others of that time are looked at only as long as some runner has no job. */
async function cutOff(api, log, request) {
    const open = new Set(request.enrolled.map(({ name }) => name));
    const found = [];
    const seen = new Set();
    const look = async (repository, run) => {
        const path = pathOfRun(repository, run);
        if (open.size === 0 || seen.has(path))
            return;
        seen.add(path);
        const jobs = await jobsOf(api, path, 'all');
        const cut = jobs.filter((job) => open.has(job.runner_name ?? '') && wasCutOff(job, jobs, request));
        found.push(...cut.map((job) => recordOf(job, repository, run)));
        if (!request.lasting)
            for (const { runner_name: name } of jobs)
                if (name !== null)
                    open.delete(name);
    };
    for (const { repository, run } of request.runs ?? [])
        await look(repository, run);
    for (const repository of request.repositories) {
        if (open.size === 0)
            break;
        for (const { id } of await runsThen(api, log, repository, request))
            await look(repository, id);
    }
    return found;
}
/** Runs that can have had a job on one of the machines. */
async function runsThen(api, log, repository, { away }) {
    const from = Math.min(...away.map((life) => Date.parse(life.from)));
    const to = Math.max(...away.map((life) => Date.parse(life.to))) + machine_life/* SLACK */.z;
    const created = `${new Date(from - QUEUED).toISOString()}..${new Date(to).toISOString()}`;
    const runs = await runsOf(api, log, repository, `created=${encodeURIComponent(created)}`);
    const begun = ({ status, run_attempt: attempt }) => status === 'in_progress' || attempt > 1;
    return runs.filter((run) => run.status === 'completed' ? ENDS.includes(run.conclusion) && Date.parse(run.updated_at) >= from : begun(run));
}
/**
 * A job was cut off if it ended with its machine, or has not ended yet, and none of its steps failed: in a job that fails by itself, a step does. If
 * other jobs were cancelled, too, somebody has cancelled it, or its matrix has.
 */
function wasCutOff(job, all, { enrolled, away }) {
    const { conclusion, status, started_at: start, completed_at: end, steps = [] } = job;
    if (!(0,machine_life/* wentAway */.$)(away, start, end ?? undefined))
        return false;
    if (steps.some((step) => step.conclusion === 'failure' || step.conclusion === 'timed_out'))
        return false;
    if (status !== 'completed')
        return true;
    const names = new Set(enrolled.map(({ name }) => name));
    const others = all.filter((one) => one.run_attempt === job.run_attempt && !names.has(one.runner_name ?? ''));
    return conclusion === 'failure' || (conclusion === 'cancelled' && !others.some((one) => one.conclusion === 'cancelled'));
}
function recordOf({ name, run_attempt: attempt = 1, runner_name: runner, ...job }, repository, run) {
    const end = job.completed_at === null ? {} : { end: job.completed_at };
    const facts = { repository, run: String(run), attempt: String(attempt), job: name, runner: runner ?? '' };
    return { epoch: 0, start: job.started_at, ...end, interrupted: true, facts };
}

// EXTERNAL MODULE: ./build/js/lib/version.js
var lib_version = __webpack_require__(5070);
;// CONCATENATED MODULE: ./build/js/forges/github/download.js
/** The runner program that GitHub offers, or another release that was requested by number. */


const OS = { linux: 'linux', darwin: 'osx' };
/** Older ones cannot register (GitHub's changelog, 2026). */
const MINIMUM = '2.329.0';
/**
 * Days for which GitHub gives jobs to a version after the next one is released.
 * https://docs.github.com/en/actions/reference/runners/self-hosted-runners#runner-software-updates-on-self-hosted-runners
 */
const LEAVE = 30;
const DAY = 86_400_000;
/** Uses the list of downloads that GitHub has for each place: it follows GitHub's roll-out, has digests, and is right on an Enterprise Server. */
async function findDownload(api, path, mask, { platform, version }) {
    const { data } = await api.call({ doing: 'list runner downloads', method: 'GET', path: `${path}/actions/runners/downloads` });
    const all = data;
    const found = all.find((one) => one.os === OS[platform.os] && one.architecture === platform.arch);
    if (!found)
        throw new errors/* InputError */.dz(`architecture: GitHub has no runner for ${platform.os} ${platform.arch}`, {
            hint: `it has: ${all.map((one) => `${one.os} ${one.architecture}`).join(', ')}`,
        });
    const offered = /(\d+\.\d+\.\d+)/.exec(found.filename)?.[1] ?? 'unknown';
    if (version !== undefined && version !== offered)
        return pinned(api, platform, version, offered);
    const token = found.temp_download_token;
    if (token)
        mask(token);
    return {
        version: offered,
        url: found.download_url,
        headers: token ? { authorization: `Bearer ${token}` } : {},
        ...(found.sha256_checksum ? { digest: found.sha256_checksum } : {}),
    };
}
async function pinned(api, { os, arch }, version, offered) {
    if ((0,lib_version/* isOlder */.t)(version, MINIMUM))
        throw new errors/* InputError */.dz(`runner-version: GitHub accepts no runner older than ${MINIMUM}, so not ${version}`, {
            hint: `it offers ${offered}; "latest" always takes what it offers`,
        });
    const path = `/repos/actions/runner/releases/tags/v${version}`;
    const answer = await api.call({ doing: `look for runner ${version}`, method: 'GET', path, accept: [403, 404] });
    const release = answer.data;
    const name = `actions-runner-${OS[os]}-${arch}-${version}.tar.gz`;
    const asset = answer.status === 200 ? release.assets.find((one) => one.name === name) : undefined;
    const digest = /^sha256:([0-9a-f]{64})$/.exec(asset?.digest ?? '')?.[1];
    if (!asset || digest === undefined)
        throw new errors/* InputError */.dz(`runner-version: there is no ${name} with a digest here`, {
            hint: `this server offers ${offered}; "latest" always takes what it offers`,
        });
    const age = Math.floor((Date.now() - Date.parse(release.published_at ?? '')) / DAY);
    return {
        version,
        url: asset.browser_download_url,
        headers: {},
        digest,
        ...(age > LEAVE && (0,lib_version/* isOlder */.t)(version, offered)
            ? {
                warning: `runner ${version} is ${age} days old: GitHub gives a runner no more jobs ${LEAVE} days after a newer one is released (it offers ${offered})`,
            }
            : {}),
    };
}

// EXTERNAL MODULE: ./build/js/lib/settle-all.js
var settle_all = __webpack_require__(58881);
// EXTERNAL MODULE: ./build/js/forges/github/target.js
var github_target = __webpack_require__(3786);
;// CONCATENATED MODULE: ./build/js/forges/github/program.js

/** What each job shows in "Set up job": a list of groups of lines. */
const PROVISIONED = [{ group: 'tpi', detail: 'runner {name}, machine {machine}, slot {slot}, attempt {attempt}\n{timeline}' }];
const GAVE_UP = 'the runner gave up (exit code 1): its log says why; its registration may have been removed';
/**
 * Exit codes: 100 plus the result of its one job. Source: src/Runner.Listener/Runner.cs, src/Runner.Common/Util/TaskResultUtil.cs of
 * actions/runner.
 */
const RESULTS = {
    100: { means: 'done', says: 'it exited normally' },
    102: { means: 'done', says: 'its job failed', failed: true },
    103: { means: 'done', says: 'its job was cancelled' },
    104: { means: 'done', says: 'its job was skipped' },
    105: { means: 'done', says: 'its job was given up' },
};
const UPDATES = { means: 'again', says: 'it wants to update itself' };
const program = {
    // images/Dockerfile of actions/runner.
    inImage: { path: '/home/runner', version: ['/home/runner/bin/Runner.Listener', '--version'] },
    // Not by its run.sh, which makes 0 of nearly every exit code (src/Misc/layoutroot/run-helper.sh.template of actions/runner).
    argv: ['bin/Runner.Listener', 'run'],
    // It refuses to run as root unless allowed to; a machine may have no other user.
    env: {
        RUNNER_ALLOW_RUNASROOT: '1',
        ACTIONS_RUNNER_RETURN_VERSION_DEPRECATED_EXIT_CODE: '1',
        // Its exit code then tells the result of the job. Older versions ignore this, and exit with 0.
        ACTIONS_RUNNER_RETURN_JOB_RESULT_FOR_HOSTED: '1',
        // GitHub's own image switches this on (images/Dockerfile): everything that a job receives would be in tpi's logs.
        ACTIONS_RUNNER_PRINT_LOG_TO_STDOUT: '0',
    },
    // Without this library .NET ends at once, unless this variable is set (docs/core/runtime-config/globalization of .NET).
    lacking: { library: 'libicuuc', env: { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' } },
    credential: 'ACTIONS_RUNNER_INPUT_JITCONFIG',
    files: [{ path: '.setup_info', text: JSON.stringify(PROVISIONED), mode: 0o644, json: true }],
    // Files that GitHub has renewed, which the runner prefers to those of a new registration (src/Runner.Listener/Configuration/CredentialManager.cs).
    stale: ['.credentials_migrated', '.runner_migrated'],
    hooks: {
        started: 'ACTIONS_RUNNER_HOOK_JOB_STARTED',
        completed: 'ACTIONS_RUNNER_HOOK_JOB_COMPLETED',
        facts: {
            run: 'GITHUB_RUN_ID',
            attempt: 'GITHUB_RUN_ATTEMPT',
            job: 'GITHUB_JOB',
            repository: 'GITHUB_REPOSITORY',
            runner: 'RUNNER_NAME',
        },
    },
    worker: 'Runner.Worker',
    idleClock: 'agent',
    jobsPerStart: 1,
    signals: { abort: 'SIGINT' },
    // If it were told to end, it would fail a job that comes at that moment. If it is killed while it waits, its session stays at GitHub, and tpi ends
    // that: it needs no id (src/Sdk/WebApi/WebApi/BrokerHttpClient.cs, src/Runner.Listener/Configuration/OAuthCredential.cs), except in an older flow.
    session: {
        method: 'DELETE',
        path: 'session',
        where: ['.runner', 'UseV2Flow'],
        server: ['.runner', 'ServerUrlV2'],
        client: ['.credentials', 'Data', 'ClientId'],
        audience: ['.credentials', 'Data', 'AuthorizationUrl'],
        endpoint: ['.credentials', 'Data', 'OAuthEndpointUrl'],
        pss: ['.credentials', 'Data', 'RequireFipsCryptography'],
        key: '.credentials_rsaparams',
    },
    exits: {
        ...RESULTS,
        0: { means: 'done', says: 'it exited normally' },
        1: { means: 'next', says: GAVE_UP },
        2: { means: 'again', says: 'a temporary failure' },
        3: UPDATES,
        4: UPDATES,
        5: { means: 'next', says: 'another runner has its registration' },
        6: { means: 'again', says: 'its settings were renewed' },
        // Of .NET's runtime.
        134: {
            means: 'failed',
            says: 'the runner crashed (exit code 134): its log says why; if it cannot start at all, it may lack ICU (the package libicu)',
        },
        7: { means: 'failed', says: 'GitHub no longer accepts this version of the runner: the next launch fetches a newer one' },
    },
};
/**
 * The same for any number of jobs: it is registered by its own set-up. Unless its version is fixed, it updates itself, because 30 days after the next
 * version GitHub gives it no more jobs.
 */
function lasting(target, { labels, group, version }) {
    const { credential: _single, stale: _others, ...same } = program;
    // With this variable it would serve one job only.
    const { ACTIONS_RUNNER_RETURN_JOB_RESULT_FOR_HOSTED: _result, ...env } = same.env;
    return {
        ...same,
        env,
        // By this file, as in run.sh, the program that installs a newer version says that it is done.
        updated: 'update.finished',
        jobsPerStart: null,
        exits: {
            ...program.exits,
            1: { means: 'failed', says: GAVE_UP },
            3: { ...UPDATES, updates: true },
            4: { ...UPDATES, updates: true },
            5: { means: 'again', says: 'GitHub still has a session of the previous machine' },
        },
        registration: {
            // Any option of `config.sh` can be given like this, and is then not visible in the list of processes.
            credential: 'ACTIONS_RUNNER_INPUT_TOKEN',
            argv: [
                'config.sh',
                '--unattended',
                // A machine that died during this may have left a registration of this name.
                '--replace',
                '--url',
                (0,github_target/* pageOf */.ZZ)(target),
                '--name',
                '{name}',
                '--labels',
                labels.join(','),
                '--no-default-labels',
                '--work',
                '_work',
                ...(group === undefined ? [] : ['--runnergroup', group]),
                ...(version === undefined ? [] : ['--disableupdate']),
            ],
            files: [{ path: '.runner' }, { path: '.credentials' }, { path: '.credentials_rsaparams', secret: true }],
            refused: 'its log says why. A registration token of GitHub is good for an hour: a machine that starts later than that needs a new launch',
            stays: 'GitHub forgets one after 14 days without its machine',
        },
    };
}

;// CONCATENATED MODULE: ./build/js/forges/github/enroll.js
/** Just-in-time registrations: one for each job. With `jobs: unlimited`, a registration token, with which each machine registers itself. */






/** Registrations under way at a time. */
const SIDE_BY_SIDE = 6;
/** Registrations between two lines that say how many there are. */
const NEWS = 25;
/** Names to try if one is taken. */
const NAMES = 5;
/** A label that no job names. It holds the time, in minutes since 1970, at which the runner was found without a machine. */
const NOTICED = /^tpi-unseen-(\d+)$/;
const MINUTE = 60_000;
function infoOf({ id, name, status, busy, labels }) {
    const minutes = labels.flatMap((label) => NOTICED.exec(label.name)?.[1] ?? [])[0];
    const noticed = minutes === undefined ? {} : { noticed: Number(minutes) * MINUTE };
    return { id: String(id), name, online: status === 'online', busy, ...noticed };
}
class Runners {
    #api;
    #target;
    #admission;
    #log;
    constructor(api, target, admission, log) {
        this.#api = api;
        this.#admission = admission;
        this.#target = target;
        this.#log = log;
    }
    async enroll(request) {
        const group = await this.#admission.groupId(request.group);
        if (request.jobs === null)
            return this.#admit(request, group);
        const made = [];
        const todo = [...request.places];
        const worker = async () => {
            for (let place = todo.shift(); place; place = todo.shift()) {
                const one = this.#register(place.name, request, group);
                // If one fails, all will be removed, so no more are begun.
                one.catch(() => todo.splice(0));
                made.push({ ...place, ...(await one) });
                if (made.length % NEWS === 0)
                    this.#log.info(`${made.length} of ${request.places.length} runners are registered`);
            }
        };
        try {
            await (0,settle_all/* settleAll */.j)(Array.from({ length: Math.min(SIDE_BY_SIDE, todo.length) }, worker));
        }
        catch (failure) {
            await Promise.allSettled(made.map(async ({ id }) => this.evict(id)));
            throw failure;
        }
        return {
            enrolled: made.map(({ slot, k, id, name }) => ({ slot, k, id, name })).sort((a, b) => a.slot - b.slot || a.k - b.k),
            credentials: made.map(({ slot, k, value }) => ({ slot, k, value })),
            program: program,
        };
    }
    async #admit(request, group) {
        if (request.group !== undefined)
            await this.#try(request, group);
        const value = await this.#admission.registrationToken();
        return {
            enrolled: request.places.map(({ slot, k, name }) => ({ slot, k, name })),
            credentials: request.places.map(({ slot, k }) => ({ slot, k, value })),
            program: lasting(this.#target, request),
        };
    }
    /**
     * The list of groups does not say which of them refuse these runners, and a machine that is refused cannot say why. So an unused runner
     * is registered as a test, and removed.
     */
    async #try(request, group) {
        const { id } = await this.#register(`${request.places[0]?.name}-t`, request, group);
        await this.evict(id);
    }
    /** A name is mostly taken by a call of tpi whose answer was lost. That registration is useless: it is removed, and another name is tried. */
    async #register(name, request, group) {
        const { path, kind } = this.#target;
        const { labels } = request;
        for (let round = 0; round < NAMES; round++) {
            const own = round === 0 ? name : `${name}-r${round}`;
            const answer = await this.#api.call({
                doing: `register runner ${own}`,
                method: 'POST',
                path: `${path}/actions/runners/generate-jitconfig`,
                body: { name: own, runner_group_id: group, labels, work_folder: '_work' },
                needs: (0,permissions/* registering */.Wu)(kind),
                accept: [409, 422],
                explain: async (status) => this.#admission.refusal(status, request.group),
            });
            if (answer.status === 201) {
                const { runner, encoded_jit_config: value } = answer.data;
                return { id: String(runner.id), name: own, value };
            }
            if (answer.status === 422)
                throw new errors/* InputError */.dz(`labels: GitHub refuses to register runner ${own} with ${labels.join(', ')}: ${(0,forges_errors/* reasonOf */.A)(answer)}`);
            const taken = (await this.#named(own)).filter((runner) => runner.name === own);
            for (const { id, online, busy } of taken)
                if (!online && !busy)
                    await this.evict(id);
        }
        throw new errors/* RemoteError */.Hi(`GitHub: could not register runner ${name}: its name is taken, and so are ${NAMES - 1} others`);
    }
    /** Finds a runner by its id or, if that is not known, by its name. */
    async known({ id, name }) {
        return id === undefined ? (await this.#named(name)).find((one) => one.name === name) : this.one(id);
    }
    async #named(name) {
        const { data } = await this.#api.call({
            doing: `look for runner ${name}`,
            method: 'GET',
            path: `${this.#target.path}/actions/runners?name=${encodeURIComponent(name)}&per_page=${github_api/* PAGE */.KL}`,
            needs: (0,permissions/* registering */.Wu)(this.#target.kind),
        });
        return data.runners.map(infoOf);
    }
    async list(prefix) {
        return (await this.#all()).filter(({ name }) => name.startsWith(prefix)).map(infoOf);
    }
    /** Upper and lower case do not matter in labels. */
    async equipped(labels) {
        const has = (runner, label) => runner.labels.some(({ name }) => name.toLowerCase() === label.toLowerCase());
        return (await this.#all()).filter((runner) => runner.status === 'online' && labels.every((label) => has(runner, label))).map(infoOf);
    }
    async #all() {
        const { kind, path } = this.#target;
        return this.#api.list({ doing: 'list runners', needs: (0,permissions/* registering */.Wu)(kind) }, `${path}/actions/runners`, 'runners');
    }
    /** `undefined`: it is gone. */
    async one(id) {
        const answer = await this.#api.call({
            doing: `look at runner ${id}`,
            method: 'GET',
            path: `${this.#target.path}/actions/runners/${id}`,
            needs: (0,permissions/* registering */.Wu)(this.#target.kind),
            accept: [404],
        });
        return answer.status === 404 ? undefined : infoOf(answer.data);
    }
    async notice(id, at) {
        const path = `${this.#target.path}/actions/runners/${id}/labels`;
        const purpose = { doing: `label runner ${id}`, path, needs: (0,permissions/* registering */.Wu)(this.#target.kind), accept: [404] };
        if (at) {
            await this.#api.call({ ...purpose, method: 'POST', body: { labels: [`tpi-unseen-${Math.floor(at.getTime() / MINUTE)}`] } });
            return;
        }
        const { status, data } = await this.#api.call({ ...purpose, method: 'GET' });
        const { labels } = status === 404 ? { labels: [] } : data;
        for (const { name } of labels)
            if (NOTICED.test(name))
                await this.#api.call({ ...purpose, method: 'DELETE', path: `${path}/${name}` });
    }
    async evict(id) {
        const { status } = await this.#api.call({
            doing: `remove runner ${id}`,
            method: 'DELETE',
            path: `${this.#target.path}/actions/runners/${id}`,
            needs: (0,permissions/* registering */.Wu)(this.#target.kind),
            accept: [404, 422],
        });
        if (status === 404)
            return 'absent';
        return status === 422 ? 'busy' : 'removed';
    }
}

// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
;// CONCATENATED MODULE: ./build/js/forges/github/executions.js
/** Milliseconds by which the clocks of a machine and of GitHub may differ, if only time tells the jobs of a runner apart. */
const SKEW = 60_000;
/**
 * Whether a job is one of `jobs`. `all`: every execution of their run. `served`: other jobs on record for their runners, in the order in which they
 * were served.
 */
function among(all, jobs, served) {
    const known = [...new Set([...served, ...jobs])];
    const ours = new Set(jobs.flatMap((job) => {
        const one = executionOf(job, all, known);
        return one ? [keyOf(one)] : [];
    }));
    return (job) => ours.has(keyOf(job));
}
function executionOf(job, all, known) {
    const own = distinct(all.filter(({ runner_name: name }) => name !== null && name === job.facts['runner']));
    // The runner has had one job only, so clocks do not matter.
    if (own.length === 1)
        return own[0];
    const then = own.filter(({ run_attempt: attempt }) => attempt === undefined || String(attempt) === job.facts['attempt']);
    const same = then.find((one) => one.started_at === job.start);
    if (same)
        return same;
    const peers = known.filter((one) => ['repository', 'run', 'attempt', 'runner'].every((fact) => one.facts[fact] === job.facts[fact]));
    // A runner has one job after the other. If all are on record, their order tells which is which, whatever the clocks say.
    const rest = then.filter((one) => !peers.some(({ start }) => start === one.started_at));
    const hooked = peers.filter(({ start }) => !then.some((one) => start === one.started_at));
    return rest.length === hooked.length ? rest[hooked.indexOf(job)] : byTime(rest, Date.parse(job.start));
}
/** The job that ran at that time; `undefined` if it may be two: better not to re-run a job than to re-run one that failed by itself. */
function byTime(jobs, at) {
    const within = (slack) => jobs.filter(({ started_at: from, completed_at: to }) => {
        const end = to === null ? Number.POSITIVE_INFINITY : Date.parse(to);
        return at >= Date.parse(from) - slack && at <= end + slack;
    });
    const near = within(SKEW);
    // GitHub may still count a job whose machine has gone when the next machine of that name already has another.
    return within(0).at(-1) ?? (near.length === 1 ? near[0] : undefined);
}
/** Each execution once, by its beginning. Later attempts list it again, as it was; it counts as one of its own attempt. */
function distinct(jobs) {
    const latestFirst = jobs.toSorted((a, b) => (b.run_attempt ?? 0) - (a.run_attempt ?? 0));
    return [...new Map(latestFirst.map((job) => [keyOf(job), job])).values()].toSorted((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
}
function keyOf({ name, runner_name: runner, started_at: start }) {
    return [name, runner, start].join('\n');
}

;// CONCATENATED MODULE: ./build/js/forges/github/rerun.js






/** How often GitHub re-runs a run. */
const MOST_ATTEMPTS = 50;
/**
 * Milliseconds after its first attempt for which GitHub can re-run a run.
 * https://docs.github.com/en/actions/how-tos/manage-workflow-runs/re-run-workflows-and-jobs
 */
const LONGEST = 30 * 24 * 3_600_000;
/**
 * `jobs`: of one run, in any of its attempts. A job is re-run only if its last execution is one of them, so nothing is done twice: a job that runs
 * again is another execution. `served`: other jobs on record for their runners.
 */
async function rerun(api, target, jobs, { most, served }) {
    const [first] = jobs;
    const { repository, run } = first?.facts ?? {};
    if (!repository || !run || !isRun(run))
        return { how: 'refused', says: 'the run that it belonged to is not known' };
    if (!(0,github_target/* serves */.xu)(target, repository))
        return never(`according to their record, run ${run} belongs to "${(0,lib_text/* printable */.g$)(repository)}", which runners of ${target.kind} ${target.name} do not serve`);
    const path = pathOfRun(repository, run);
    const { data, status } = await api.call({ doing: `look at run ${run}`, method: 'GET', path, accept: [404], needs: permissions/* RERUNNING */.h5 });
    if (status === 404)
        return { how: 'refused', says: `run ${run} of ${repository} is gone, or not visible to this token` };
    const now = data;
    const anew = now.run_attempt > Math.max(...jobs.map(({ facts }) => Number(facts['attempt'] ?? Infinity)));
    // Checked before the limits, so that a job that was re-run already is not reported as one that may not be re-run.
    const begun = anew ? await stillFailed(api, path, jobs, served) : undefined;
    if (begun?.listed === 0)
        return early(run);
    if (begun?.ours.length === 0)
        return never(`run ${run} was already re-run (attempt ${now.run_attempt})`);
    const no = notNow(run, now, most);
    if (no)
        return no;
    const { failed, ours, listed } = begun ?? (await stillFailed(api, path, jobs, served));
    if (listed === 0)
        return early(run);
    if (ours.length === 0)
        return never(`the interruption did not make the job fail: run ${run} has nothing to re-run`);
    const all = failed.every((job) => ours.includes(job) || cancelledFor(ours, job, now));
    return send(api, path, run, all ? undefined : ours);
}
/**
 * Whether a job was cancelled because one of `ours` failed: by default, that cancels the other jobs of its matrix. If somebody had cancelled the run,
 * that would be the conclusion of the run, too.
 */
function cancelledFor(ours, { conclusion, completed_at: end }, run) {
    if (conclusion !== 'cancelled' || run.conclusion !== 'failure')
        return false;
    return ours.some((one) => one.conclusion === 'failure' && Date.parse(one.completed_at ?? '') <= Date.parse(end ?? ''));
}
function notNow(run, { run_attempt: attempt, status }, most) {
    if (attempt > most)
        return never(`run ${run} was re-run ${(0,lib_text/* plural */.LS)(attempt - 1, 'time')}, as often as "retry" allows`);
    if (attempt > MOST_ATTEMPTS)
        return never(`run ${run} was re-run ${MOST_ATTEMPTS} times, as often as GitHub allows`);
    return status === 'completed' ? undefined : early(run);
}
function early(run) {
    return {
        how: 'waiting',
        says: `run ${run} has not ended yet, and GitHub re-runs nothing before it ends: run "tpi retry" after that`,
    };
}
function never(says) {
    return { how: 'refused', says, final: true };
}
/**
 * Jobs whose last execution failed (`failed`), and those of them that are in `jobs` (`ours`). `listed`: the number of all jobs; if it is 0, GitHub
 * has begun a re-run, but made no job yet.
 */
async function stillFailed(api, path, jobs, served) {
    const names = new Set(jobs.map((job) => job.facts['runner']));
    const latest = await jobsOf(api, path, 'latest');
    const failed = latest.filter(({ conclusion }) => conclusion === 'failure' || conclusion === 'cancelled' || conclusion === 'timed_out');
    if (!failed.some(({ runner_name: name }) => name !== null && names.has(name)))
        return { failed, ours: [], listed: latest.length };
    return { failed, ours: failed.filter(among(await jobsOf(api, path, 'all'), jobs, served)), listed: latest.length };
}
/** `only`: the jobs to re-run, if others failed by themselves; absent: all that failed. */
async function send(api, path, run, only) {
    const [one] = only ?? [];
    const url = one ? `${path.replace(/\/runs\/.*/, '')}/jobs/${one.id}/rerun` : `${path}/rerun-failed-jobs`;
    const answer = await api.call({ doing: `run jobs of run ${run} again`, method: 'POST', path: url, needs: permissions/* RERUNNING */.h5, accept: [403] });
    if (answer.status === 403)
        return refused(api, path, run, { what: one ? `job ${one.id}` : 'the failed jobs', alone: one !== undefined, said: (0,forges_errors/* reasonOf */.A)(answer) });
    const others = (only?.length ?? 1) - 1;
    return {
        how: 'rerun',
        says: `run ${run}: ${one ? `job ${one.id} runs` : 'its failed jobs run'} again${others > 0 ? `; ${others} more have to wait for its end` : ''}`,
    };
}
/** Status 403 means a run that is running again, one that GitHub never re-runs, or a token without the right: the run tells which. */
async function refused(api, path, run, { what, alone, said }) {
    const { data, headers } = await api.call({ doing: `look at run ${run}`, method: 'GET', path, needs: permissions/* RERUNNING */.h5 });
    const { status, created_at: created, referenced_workflows: reused = [] } = data;
    if (status !== 'completed')
        return early(run);
    const refuses = `GitHub refuses to run ${what} of run ${run} again`;
    const now = Date.parse(String(headers['date']));
    if (now - Date.parse(created) > LONGEST)
        return never(`${refuses}: it is older than 30 days`);
    if (alone && (reused?.length ?? 0) > 0)
        return never(`${refuses}: it cannot run a single job of a reusable workflow; "Re-run failed jobs" there runs all that failed`);
    return { how: 'refused', says: `${refuses} (${said}); the token needs ${permissions/* RERUNNING */.h5}` };
}
/** Number of waiting jobs that name the unique label of these runners, and no label that they do not have. */
async function waiting(api, log, repository, labels) {
    const [unique = ''] = labels;
    const ours = new Set(labels.map((label) => label.toLowerCase()));
    const ids = new Set();
    for (const status of ['queued', 'in_progress'])
        for (const { id } of await runsOf(api, log, repository, `status=${status}`))
            ids.add(id);
    let count = 0;
    for (const id of ids) {
        const jobs = await jobsOf(api, pathOfRun(repository, id), 'latest');
        count += jobs.filter((job) => job.status === 'queued' && job.labels.includes(unique) && job.labels.every((label) => ours.has(label.toLowerCase()))).length;
    }
    return count;
}

// EXTERNAL MODULE: ./build/js/forges/github/sdk.js + 2 modules
var sdk = __webpack_require__(78405);
;// CONCATENATED MODULE: ./build/js/forges/github/index.js
/** GitHub as a `Forge`: calls for one repository, organization or enterprise, and how they are authorized. */














async function github_open(context) {
    const target = (0,github_target/* targetOf */.$r)(context);
    const send = (0,sdk/* client */.S)(target.api);
    const login = loginOf(context, target.path, send);
    const api = new github_api/* Api */.jI(context, send, login);
    const admission = new Admission(api, target, (secret) => context.mask(secret));
    const runners = new Runners(api, target, admission, context.log);
    const name = `${target.kind} ${target.name}`;
    const title = `${name} at ${new URL(target.api).host}`;
    const repositoriesOf = (known) => target.kind === 'repository' ? [target.name] : known.filter((one) => (0,github_target/* serves */.xu)(target, one));
    return {
        scope: (0,github_target/* scopeOf */.Od)(target),
        title,
        async whoami({ group, jobs, timeout = 0 } = {}) {
            await admission.prove();
            const { GITHUB_REPOSITORY: repository, GITHUB_WORKFLOW_REF: workflow } = context.env;
            const { warnings, ...audience } = await admission.audience(title, group, { repository, workflow });
            return { name: `${login.kind} for ${name}`, warnings: [...warnings, ...agedWarnings(jobs, timeout)], ...audience };
        },
        download: async (request) => findDownload(api, target.path, (secret) => context.mask(secret), request),
        supply: ({ jobs }) => jobs ?? 1,
        enroll: async (request) => runners.enroll(request),
        runners: async (prefix) => runners.list(prefix),
        async look(enrolled) {
            const [first] = enrolled;
            // One call per runner is cheapest for a few; a list for many.
            if (enrolled.length > 5 && first)
                return runners.list(commonPrefix(enrolled.map((one) => one.name)));
            return (await Promise.all(enrolled.map(async (one) => runners.known(one)))).filter((one) => one !== undefined);
        },
        one: async (id) => runners.one(id),
        equipped: async (labels) => runners.equipped(labels),
        notice: async (id, at) => runners.notice(id, at),
        evict: async (id) => runners.evict(id),
        cutOff: async (request) => cutOff(api, context.log, {
            ...request,
            repositories: repositoriesOf(request.repositories),
            runs: request.runs?.filter((one) => (0,github_target/* serves */.xu)(target, one.repository) && isRun(one.run)) ?? [],
        }),
        rerun: async (jobs, most, served = []) => rerun(api, target, jobs, { most, served }),
        async waiting(labels, repositories) {
            let count = 0;
            for (const repository of repositoriesOf(repositories))
                count += await waiting(api, context.log, repository, labels);
            return count;
        },
    };
}
function loginOf(context, path, send) {
    const { token, app } = context;
    if (app) {
        if (path.startsWith('/enterprises/'))
            throw new errors/* InputError */.dz('app-id: an App cannot register runners of an enterprise', { hint: 'use a classic token' });
        return (0,auth/* appLogin */.PF)(app, path, askOf(context, send), () => context.clock.date(), (secret) => context.mask(secret));
    }
    if (token)
        return (0,auth/* tokenLogin */.nu)(token);
    const secretless = ci.ci.detect(context.env) ? '; workflows that a fork or Dependabot has triggered get no secrets of Actions' : '';
    throw new errors/* AuthError */.lR('GitHub: no token was given', {
        hint: `give a token that may register runners (\`token\`, or the variable REPO_TOKEN), or an App (app-id and app-key)${secretless}`,
    });
}
/** Calls that an App makes to get its token. */
function askOf({ signal }, send) {
    return async (method, path, authorization, body) => {
        const answer = await send(method, path, authorization, body, AbortSignal.any([signal, AbortSignal.timeout(30_000)]));
        if (answer.status < 300)
            return answer.data;
        if ((0,outage/* mayPass */.bg)(github_api/* MANNERS */.bV, answer))
            throw new errors/* RemoteError */.Hi(`GitHub: no token for the App: HTTP ${answer.status}`, { retryable: true });
        const hint = answer.status === 404
            ? 'install the App for this repository or organization'
            : 'check app-id, the private key, the permissions of the App, and the clock of this host';
        throw new errors/* AuthError */.lR(`GitHub: no token for the App: HTTP ${answer.status}: ${(0,forges_errors/* reasonOf */.A)(answer)}`, { hint });
    };
}
function commonPrefix(names) {
    const [first = ''] = names;
    let length = first.length;
    for (const name of names)
        while (!name.startsWith(first.slice(0, length)))
            length--;
    return first.slice(0, length);
}
/** Seconds after which GitHub forgets a registration that was never used. */
const UNUSED = 24 * 3600;
function agedWarnings(jobs, timeout) {
    if (typeof jobs !== 'number' || jobs < 2 || timeout <= UNUSED)
        return [];
    const says = `of the ${jobs} registrations of each machine GitHub forgets those that are not used within a day, so it may serve fewer jobs`;
    return [`${says}; with \`jobs: unlimited\` it has one that stays`];
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
