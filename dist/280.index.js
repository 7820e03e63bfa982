export const id = 280;
export const ids = [280];
export const modules = {

/***/ 56280:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ gitlab_open)
});

// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/lib/retry.js
var retry = __webpack_require__(39088);
;// CONCATENATED MODULE: ./build/js/forges/gitlab/api.js
/** Calls of GitLab, with the reactions that its answers call for: by status code and header, never by text. */


/** Milliseconds that failures and limits of one call are waited for. */
const PATIENCE = 2 * 60_000;
/** Milliseconds for one answer. */
const ANSWER = 30_000;
class Api {
    #context;
    #base;
    #token;
    constructor(context, base, token) {
        this.#context = context;
        this.#base = base;
        this.#token = token;
    }
    /** Resolves to an answer of 2xx, or of a status that the call accepts. */
    async call(call) {
        const { clock, signal } = this.#context;
        const begun = clock.now();
        for (let attempt = 1;; attempt++) {
            signal.throwIfAborted();
            const tried = await this.#try(call);
            if ('status' in tried && (tried.status < 300 || call.accept?.includes(tried.status)))
                return tried;
            const passing = !('status' in tried) || tried.status >= 500 || tried.status === 429;
            const wait = (tried.after ?? 0) * 1000 + (0,retry/* backoff */.JN)(attempt, { first: 500, longest: 20_000 });
            if (!passing || clock.now() - begun + wait > PATIENCE)
                throw fault(call, tried);
            await clock.sleep(wait, signal);
            await call.again?.();
        }
    }
    /** All pages. */
    async list(call) {
        const all = [];
        for (let page = 1;; page++) {
            const path = `${call.path}${call.path.includes('?') ? '&' : '?'}per_page=100&page=${page}`;
            const some = (await this.call({ ...call, method: 'GET', path })).data;
            all.push(...some);
            if (some.length < 100)
                return all;
        }
    }
    async #try(call) {
        const { signal } = this.#context;
        const headers = { 'private-token': this.#token, 'content-type': 'application/json' };
        try {
            const answer = await fetch(`${this.#base}${call.path}`, {
                method: call.method,
                headers,
                signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER)]),
                ...(call.body ? { body: JSON.stringify(call.body) } : {}),
            });
            const text = await answer.text();
            const after = Number(answer.headers.get('retry-after') ?? Number.NaN);
            return { status: answer.status, data: parsed(text), ...(Number.isFinite(after) ? { after } : {}) };
        }
        catch (cause) {
            signal.throwIfAborted();
            return { cause };
        }
    }
}
function parsed(text) {
    try {
        return text === '' ? undefined : JSON.parse(text);
    }
    catch {
        // A proxy's page: the status says enough.
        return undefined;
    }
}
function fault({ doing, needs }, tried) {
    if (!('status' in tried)) {
        const why = tried.cause instanceof Error ? tried.cause.message : String(tried.cause);
        return new errors/* RemoteError */.Hi(`GitLab: could not ${doing}: no answer (${why})`, { cause: tried.cause, retryable: true });
    }
    const { status } = tried;
    const said = JSON.stringify(tried.data?.message ?? 'no reason given').slice(0, 200);
    if (status === 401)
        return new errors/* AuthError */.lR(`GitLab: could not ${doing}: the token is not valid, or expired`);
    if (status === 403 || status === 404)
        return new errors/* AuthError */.lR(`GitLab: could not ${doing}: the token may not${needs === undefined ? '' : `; it needs ${needs}`} (HTTP ${status}: ${said})`);
    return new errors/* RemoteError */.Hi(`GitLab: could not ${doing}: HTTP ${status}: ${said}`, { retryable: status >= 500 });
}

;// CONCATENATED MODULE: ./build/js/forges/gitlab/program.js
function program(server, api, { containers, env }) {
    return {
        argv: [
            'gitlab-runner',
            'run-single',
            '--name',
            '{name}',
            '--wait-timeout',
            '{idle}',
            '--max-builds',
            '{jobs}',
            ...(containers ? containerFlags(containers, env) : ['--builds-dir', '{work}']),
        ],
        // What has a variable goes there: arguments show in the list of processes.
        env: { CI_SERVER_URL: server, RUNNER_EXECUTOR: containers ? 'docker' : 'shell', ...(containers ? {} : { RUNNER_SHELL: 'bash' }) },
        credential: 'CI_SERVER_TOKEN',
        files: [],
        idleClock: 'runner',
        jobsPerStart: null,
        signals: { abort: 'SIGTERM', drain: 'SIGQUIT' },
        exits: { 0: { means: 'done', says: 'it has served its jobs, or had none for too long' } },
        farewell: {
            method: 'DELETE',
            url: `${api}/runners`,
            headers: { 'content-type': 'application/json' },
            body: '{"token":"{credential}"}',
        },
    };
}
/** A container has nothing of the machine's environment but what it is given. */
function containerFlags({ image, volumes, gpus }, env) {
    return [
        '--docker-image',
        image,
        ...volumes.flatMap((volume) => ['--docker-volumes', volume]),
        ...(gpus ? ['--docker-gpus', 'all'] : []),
        ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ];
}

// EXTERNAL MODULE: ./build/js/forges/gitlab/rights.js
var rights = __webpack_require__(58488);
;// CONCATENATED MODULE: ./build/js/forges/gitlab/index.js




const ARCH = { x64: 'amd64', arm64: 'arm64' };
/** One folder per version, and one called "latest". */
const DOWNLOADS = 'https://gitlab-runner-downloads.s3.amazonaws.com';
/** Before the time at which its machine was looked for in vain, in the note that a runner's administrators see. */
const NOTICED = 'tpi saw no machine of it at ';
/** One runner object serves many machines; each slot has its token this often, for those that replace others. */
const REPLACEMENTS = 10;
async function gitlab_open(context) {
    const { token } = context;
    if (!token)
        throw new errors/* AuthError */.lR('GitLab: there is no token', {
            hint: `give one with ${rights/* NEEDS */.Qo} (--token, or the variable REPO_TOKEN); CI_JOB_TOKEN can never do it`,
        });
    const scope = scopeOf(context);
    const server = scope['server'] ?? '';
    const base = `${server}/api/v4`;
    const api = new Api(context, base, token);
    const kind = scope['kind'] === 'group' ? 'group' : 'project';
    const path = `/${kind}s/${encodeURIComponent(scope['name'] ?? '')}`;
    const online = new Set();
    return {
        scope,
        title: `${kind} ${scope['name']} at ${new URL(server).host}`,
        async whoami() {
            const { data } = await api.call({ doing: 'look at the token', method: 'GET', path: '/personal_access_tokens/self', needs: rights/* NEEDS */.Qo });
            const { scopes = [], name = 'token' } = data;
            if (!scopes.some((one) => one === 'api' || one === 'create_runner'))
                throw new errors/* AuthError */.lR(`GitLab: the token "${name}" may not create runners; it needs ${rights/* NEEDS */.Qo} (it has: ${scopes.join(', ')})`);
            const warnings = scopes.some((one) => one === 'api' || one === 'manage_runner')
                ? []
                : [`the token "${name}" cannot remove runners; for that it needs ${rights/* NEEDS_MANAGE */.G4}`];
            const seen = await api.call({ doing: `look at the ${kind}`, method: 'GET', path, accept: [401, 403, 404] });
            return {
                name: `token "${name}"`,
                warnings,
                advice: await retries(api),
                open: seen.status === 200 && seen.data.visibility === 'public',
            };
        },
        download: async ({ platform, version }) => findDownload(context, `gitlab-runner-${platform.os}-${ARCH[platform.arch]}`, version),
        supply: () => REPLACEMENTS,
        async enroll(wish) {
            const { id, token: secret } = await create(api, kind, path, wish, ownId(context, scope));
            context.mask(secret);
            return {
                enrolled: wish.places.map(({ slot, k, name }) => ({ slot, k, id, name })),
                credentials: wish.places.map(({ slot, k }) => ({ slot, k, value: secret })),
                program: program(server, base, wish),
            };
        },
        runners: async (prefix) => named(api, path, prefix),
        async one(id) {
            const answer = await api.call({
                doing: `look at runner ${id}`,
                method: 'GET',
                path: `/runners/${id}`,
                needs: rights/* NEEDS_MANAGE */.G4,
                accept: [404],
            });
            return answer.status === 404 ? undefined : { ...infoOf(answer.data), busy: await busy(api, id) };
        },
        async equipped(labels) {
            const tags = encodeURIComponent(labels.join(','));
            const found = (await api.list({
                doing: 'list runners',
                path: `${path}/runners?tag_list=${tags}&status=online&paused=false`,
                needs: rights/* NEEDS_MANAGE */.G4,
            }));
            return Promise.all(found.map(async (raw) => ({ ...infoOf(raw), busy: await busy(api, String(raw.id)) })));
        },
        async notice(id, at) {
            const body = { maintenance_note: `${NOTICED}${at.toISOString()}` };
            await api.call({
                doing: `note something at runner ${id}`,
                method: 'PUT',
                path: `/runners/${id}`,
                body,
                needs: rights/* NEEDS_MANAGE */.G4,
                accept: [404],
            });
        },
        /** Machines say which runner they are, not which slot: as many of ours are there as there are machines in contact. */
        async look(enrolled) {
            const [first] = enrolled;
            if (!first)
                return [];
            const managers = (await api.list({ doing: 'look at the runner', path: `/runners/${first.id}/managers`, needs: rights/* NEEDS_MANAGE */.G4 }));
            const fresh = enrolled
                .filter(({ name }) => !online.has(name))
                .slice(0, Math.max(0, managers.filter(({ status }) => status === 'online').length - online.size));
            for (const { name } of fresh)
                online.add(name);
            return fresh.map(({ id, name }) => ({ id, name, online: true, busy: false }));
        },
        evict: async (id) => evict(api, id),
        rerun: async () => ({
            how: 'refused',
            says: await retries(api),
        }),
        async waiting(label, repositories) {
            let count = 0;
            for (const one of kind === 'group' ? repositories.map((name) => `/projects/${encodeURIComponent(name)}`) : [path]) {
                const jobs = (await api.list({ doing: 'list waiting jobs', path: `${one}/jobs?scope[]=pending` }));
                count += jobs.filter(({ tag_list: tags }) => tags?.includes(label)).length;
            }
            return count;
        },
    };
}
/** A reason that a server does not know is an error of the whole pipeline file. */
async function retries(api) {
    const { status, data } = await api.call({ doing: 'ask for the version', method: 'GET', path: '/version', accept: [401, 403, 404] });
    const [, major, minor] = (status === 200 && /^(\d+)\.(\d+)/.exec(data.version ?? '')) || [];
    const knows = Number(major) > 19 || (Number(major) === 19 && Number(minor) >= 1);
    const reasons = ['runner_system_failure', ...(knows ? ['runner_interrupted'] : []), 'stuck_or_timeout_failure'];
    return `GitLab runs interrupted jobs again by itself where the job says "retry: {max: 2, when: [${reasons.join(', ')}]}"`;
}
function infoOf({ id, description, status, maintenance_note: note }) {
    const at = note?.startsWith(NOTICED) ? Date.parse(note.slice(NOTICED.length)) : Number.NaN;
    const noticed = Number.isNaN(at) ? {} : { noticed: at };
    return { id: String(id), name: description, online: status === 'online', busy: false, ...noticed };
}
async function named(api, path, prefix) {
    const all = (await api.list({ doing: 'list runners', path: `${path}/runners`, needs: rights/* NEEDS_MANAGE */.G4 }));
    return all.filter(({ description }) => description?.startsWith(prefix)).map(infoOf);
}
/** Number of the project of the job around us: a token for runners alone may not look it up. */
function ownId({ env }, scope) {
    const own = scope['kind'] === 'project' && scope['name'] === env['CI_PROJECT_PATH'] && scope['server'] === env['CI_SERVER_URL'];
    return own && env['CI_PROJECT_ID'] ? Number(env['CI_PROJECT_ID']) : undefined;
}
function scopeOf({ env, url, target, scope }) {
    if (scope)
        return scope;
    const address = target && URL.canParse(target.name) ? new URL(target.name) : undefined;
    const server = (url ?? address?.origin ?? env['CI_SERVER_URL'] ?? 'https://gitlab.com').replace(/\/(?:api\/v4)?\/*$/, '');
    const name = address ? address.pathname : (target?.name ?? env['CI_PROJECT_PATH']);
    if (!name)
        throw new errors/* InputError */.dz('repository: for which project are the runners?', {
            hint: 'write it like --repository group/project, or name a group',
        });
    if (target?.kind === 'enterprise')
        throw new errors/* InputError */.dz('enterprise: GitLab has projects and groups');
    return { server, kind: target?.kind === 'organization' ? 'group' : 'project', name: name.replace(/^\/+|\/+$|\.git$/g, '') };
}
/** One runner object per launch. Its answer lost, it would be left: it is looked for by its name, and goes. */
async function create(api, kind, path, wish, own) {
    const find = {
        doing: `find the ${kind}`,
        method: 'GET',
        path,
        needs: `the scope "read_api" to look up its number outside of its own jobs`,
    };
    const owner = own ?? (await api.call(find)).data.id;
    const description = wish.places[0]?.name ?? '';
    const body = {
        runner_type: `${kind}_type`,
        [`${kind}_id`]: owner,
        description,
        tag_list: wish.labels.join(','),
        run_untagged: false,
        locked: true,
    };
    const { status, data } = await api.call({
        doing: 'create the runner',
        method: 'POST',
        path: '/user/runners',
        body,
        needs: rights/* NEEDS */.Qo,
        accept: [400],
        async again() {
            for (const one of await named(api, path, description))
                await evict(api, one.id);
        },
    });
    if (status === 400)
        throw new errors/* InputError */.dz(`labels: GitLab refuses this runner: ${JSON.stringify(data.message ?? '').slice(0, 200)}`);
    const { id, token } = data;
    return { id: String(id), token };
}
/** Whether any machine of it has a job; one that is gone has none. */
async function busy(api, id) {
    const { data, status } = await api.call({
        doing: `look at runner ${id}`,
        method: 'GET',
        path: `/runners/${id}/jobs?status=running&per_page=1`,
        needs: rights/* NEEDS_MANAGE */.G4,
        accept: [404],
    });
    return status !== 404 && data.length > 0;
}
async function evict(api, id) {
    if (await busy(api, id))
        return 'busy';
    const gone = await api.call({
        doing: `remove runner ${id}`,
        method: 'DELETE',
        path: `/runners/${id}`,
        needs: rights/* NEEDS_MANAGE */.G4,
        accept: [404, 412],
    });
    if (gone.status === 412)
        throw new errors/* RemoteError */.Hi(`GitLab: runner ${id} changed while it was removed`, { retryable: true, hint: 'run the same command again' });
    return gone.status === 404 ? 'absent' : 'removed';
}
/** The vendor's own list of digests names the file; a mirror may stand in for the vendor. */
async function findDownload({ env, signal }, name, version) {
    const mirror = (env['GITLAB_RUNNER_DOWNLOADS'] ?? DOWNLOADS).replace(/\/+$/, '');
    const base = `${mirror}/${version === undefined ? 'latest' : `v${version}`}`;
    const answer = await fetch(`${base}/release.sha256`, { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) }).catch((cause) => {
        throw new errors/* RemoteError */.Hi(`GitLab: no list of runner programs from ${new URL(base).host}`, { cause, retryable: true });
    });
    if (version !== undefined && (answer.status === 404 || answer.status === 403))
        throw new errors/* InputError */.dz(`runner-version: ${new URL(base).host} has no version ${version}`, { hint: 'a version is written like 19.1.0' });
    if (!answer.ok)
        throw new errors/* RemoteError */.Hi(`GitLab: no list of runner programs from ${new URL(base).host}: HTTP ${answer.status}`, { retryable: true });
    const line = (await answer.text()).split('\n').find((one) => one.trim().endsWith(`binaries/${name}`));
    const digest = line === undefined ? undefined : /^[0-9a-f]{64}/.exec(line.trim())?.[0];
    if (digest === undefined)
        throw new errors/* InputError */.dz(`architecture: GitLab publishes no ${name}`);
    return { version: version ?? 'latest', url: `${base}/binaries/${name}`, headers: {}, digest, file: 'gitlab-runner' };
}


/***/ })

};
