export const id = 8776;
export const ids = [8776,5361];
export const modules = {

/***/ 38776:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runMainStep: () => (/* binding */ runMainStep),
  runPostStep: () => (/* binding */ runPostStep)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/app.js + 2 modules
var app = __webpack_require__(97298);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/lib/bytes.js
var lib_bytes = __webpack_require__(18913);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/lib/error-code.js
var error_code = __webpack_require__(22516);
// EXTERNAL MODULE: ./build/js/snapshot/path.js
var path = __webpack_require__(69916);
;// CONCATENATED MODULE: ./build/js/artifacts/holdable.js
/**
 * Which of the results an artifact can hold. The program that packs it follows links, and may read whatever this job may: links that lead
 * elsewhere are left out.
 */




/** Characters that the service refuses, and the backslash, which its archives take for a slash. */
const REFUSED = /[":<>|*?\r\n\\]/;
/** `paths`: all results, as they are below the folder now. */
async function holdable(folder, paths) {
    const root = await (0,promises_.realpath)(folder);
    const files = [];
    const links = [];
    const delivered = new Set();
    const rejected = new Map();
    const leave = (why, path) => {
        const others = rejected.get(why);
        if (others)
            others.push(path);
        else
            rejected.set(why, [path]);
    };
    for (const path of paths) {
        const kind = await kindOf(root, path);
        if (kind === 'link')
            links.push(path);
        else if (kind === 'file') {
            files.push((0,external_node_path_.join)(folder, path));
            delivered.add((0,external_node_path_.join)(root, path));
        }
        else if (kind !== undefined)
            leave(kind, path);
    }
    for (const path of links) {
        const target = await (0,promises_.realpath)((0,external_node_path_.join)(root, path)).catch(() => undefined);
        if (target !== undefined && delivered.has(target))
            files.push((0,external_node_path_.join)(folder, path));
        else
            leave(target === undefined ? 'a broken link' : 'a link to something that is not a file of the artifact', path);
    }
    return { files, rejected };
}
/** `undefined`: a folder, which artifacts do not have. Any other text says why it is left out. */
async function kindOf(root, path) {
    if (!path.isWellFormed())
        return 'a name that is not UTF-8';
    if (REFUSED.test(path))
        return 'a name with a character that artifacts cannot have';
    try {
        const whole = (0,external_node_path_.join)(root, path);
        const there = await (0,promises_.lstat)(whole);
        if (there.isDirectory())
            return undefined;
        if (there.isSymbolicLink())
            return 'link';
        if (!there.isFile())
            return 'no file';
        // The path may lead through a foreign link.
        if ((await (0,promises_.realpath)(whole)) !== whole)
            return 'outside the output folder';
        await (0,promises_.access)(whole, promises_.constants.R_OK);
        return 'file';
    }
    catch (error) {
        if ((0,error_code/* hasCode */.up)(error, 'ENOENT'))
            return 'no longer there';
        if ((0,error_code/* hasCode */.up)(error, 'EACCES'))
            return 'not readable';
        throw error;
    }
}
/** One line for each reason. */
function rejections(title, rejected) {
    return [...rejected].map(([why, paths]) => `artifact "${title}" leaves out ${(0,path/* nameSome */.Kf)(paths)}: ${why}`);
}

;// CONCATENATED MODULE: ./build/js/artifacts/upload.js
/** Results kept with the workflow run they belong to. */





/**
 * `label`: distinguishes it from other artifacts of the same command. Throws if there should be an artifact and there is none: the results
 * then stay in the deployment's own store.
 */
async function uploadResults(parts, name, delivery, paths, label) {
    const { host, params, service } = parts;
    const title = titleOf(params, name, label);
    if (paths.length === 0)
        return nothingFound(parts, name, delivery);
    const { files, rejected } = await holdable(delivery.folder, paths);
    for (const line of rejections(title, rejected))
        host.warn(line);
    if (files.length === 0)
        return undefined;
    if (!service) {
        host.warn(withoutService(title, delivery.folder, files, rejected.size > 0, params));
        return undefined;
    }
    const { id, bytes } = await service.replace(title, files, delivery.folder, settings(params)).catch((cause) => {
        throw new errors/* RemoteError */.Hi(`artifact "${title}": could not be uploaded: ${(0,lib_text/* firstLineOf */.Qy)(cause)}`, {
            cause,
            hint: `the outputs are in ${delivery.folder}, and nothing is lost: run this job again, or: \`tpi collect ${name}\``,
        });
    });
    host.info(`artifact ${title}: ${(0,lib_text/* plural */.LS)(files.length, 'file')}, ${(0,lib_bytes/* formatBytes */.z3)(bytes)}`);
    if (parts.isPublic)
        tellPublic(host, title);
    return { name: title, id, url: parts.url(id) };
}
/** The log and the record of the run, beside its results; without a service, or if that fails, the run's result does not change. */
async function uploadLog({ host, params, service, isPublic, url }, name, kept, label) {
    // No name of a run has a dot.
    const title = `${titleOf(params.artifact === 'false' ? { ...params, artifact: 'true' } : params, name, label)}.log`;
    const files = kept.files.filter((file) => (0,external_node_fs_.existsSync)(file));
    if (!service || files.length === 0)
        return undefined;
    try {
        const { id } = await service.replace(title, files, kept.folder, settings(params));
        if (isPublic)
            tellPublic(host, title);
        return { name: title, id, url: url(id) };
    }
    catch (error) {
        host.warn(`artifact "${title}": could not be uploaded: ${(0,lib_text/* firstLineOf */.Qy)(error)}`);
        return undefined;
    }
}
function tellPublic(host, title) {
    host.annotate('notice', `the repository is public: anyone may download artifact "${title}"`);
}
function settings({ compression, retentionDays }) {
    return { compressionLevel: compression, ...(retentionDays === undefined ? {} : { retentionDays }) };
}
/** One name for several would leave the last one's alone. */
function titleOf({ artifact }, name, label) {
    if (artifact === 'true')
        return `tpi-${label ?? name}`;
    return label === undefined ? artifact : `${artifact}-${label}`;
}
function nothingFound({ host, params }, name, { unmatched }) {
    const message = `no file of ${name} matched "output": there is nothing to upload`;
    if (params.ifNoFiles === 'error')
        throw new errors/* RemoteError */.Hi(message, { hint: 'if-no-files-found: warn makes this a warning' });
    // The delivery warns of each pattern without a match, where there was anything to look through.
    if (params.ifNoFiles === 'warn' && unmatched.length === 0)
        host.warn(message);
    return undefined;
}
/** A step that uploads if the official client cannot: one that the CI system provides knows its own service. */
function withoutService(title, folder, files, some, params) {
    const days = params.retentionDays === undefined ? [] : [`    retention-days: ${params.retentionDays}`];
    // That step follows links too: the folder as a whole only where all of it may go.
    const most = (files.length > 20 && !some ? [folder] : files).map((path) => `      ${path}`);
    return [
        `artifact "${title}": this server has no artifact service that this step can use. The outputs are in ${folder}; this step uploads them:`,
        '- uses: actions/upload-artifact@v3',
        '  if: always()',
        '  with:',
        `    name: ${title}`,
        '    path: |',
        ...most,
        ...days,
    ].join('\n');
}

// EXTERNAL MODULE: ./build/js/clouds/registry.js + 9 modules
var registry = __webpack_require__(50270);
// EXTERNAL MODULE: ./build/js/core/exit-codes.js
var exit_codes = __webpack_require__(49745);
// EXTERNAL MODULE: ./build/js/forges/registry.js + 3 modules
var forges_registry = __webpack_require__(97456);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: ./build/node_modules/@actions/core/lib/core.js + 7 modules
var core = __webpack_require__(33540);
// EXTERNAL MODULE: ./build/js/core/host.js
var core_host = __webpack_require__(21520);
// EXTERNAL MODULE: ./build/js/lib/control-characters.js
var control_characters = __webpack_require__(68536);
// EXTERNAL MODULE: ./build/js/lib/redraw.js
var redraw = __webpack_require__(9283);
// EXTERNAL MODULE: ./build/js/host/secrets.js
var host_secrets = __webpack_require__(95544);
// EXTERNAL MODULE: ./build/js/host/section.js
var section = __webpack_require__(57078);
;// CONCATENATED MODULE: ./build/js/host/summary-file.js
/** The page that a workflow shows below a job. */

/** Bytes that GitHub takes from one step; more, and it shows nothing at all. */
const SUMMARY_LIMIT = 1024 * 1024;
const FULL = '\n\n*The rest is left out: the page is full.*\n';
/** If there is no such page (some runners have none), nothing happens. */
function summaryFile(env) {
    const path = env['GITHUB_STEP_SUMMARY'];
    let room = SUMMARY_LIMIT - Buffer.byteLength(FULL) - 1;
    return {
        async append(markdown) {
            if (!path || room <= 0)
                return;
            const bytes = Buffer.from(`${markdown}\n`);
            const fits = bytes.length <= room;
            room -= bytes.length;
            // A summary is worth less than the result it tells of: a full disk must not turn success into failure.
            await (0,promises_.appendFile)(path, fits ? bytes : FULL).catch(() => undefined);
        },
    };
}

;// CONCATENATED MODULE: ./build/js/host/actions.js
/**
 * A step of a GitHub workflow (and of what runs the same workflows: Gitea, Forgejo, act). Whatever a program prints is untrusted on a host
 * that executes lines of text: workflow commands are stopped, by a secret token, whenever such text is printed.
 */









/** Warnings beyond this number are plain lines: GitHub shows ten annotations of a step, and tpi's result must be among them. */
const MOST_WARNINGS = 5;
function actionsHost(options) {
    const { out } = options;
    const secrets = new host_secrets/* Secrets */.S();
    const summary = summaryFile(options.env);
    const redraws = new Map();
    const kept = new Map();
    let token;
    let depth = 0;
    let warned = 0;
    let failed = false;
    const suspend = () => {
        if (token !== undefined)
            return;
        token = (0,external_node_crypto_.randomUUID)();
        out.write(`::stop-commands::${token}\n`);
    };
    const resume = () => {
        if (token !== undefined)
            out.write(`::${token}::\n`);
        token = undefined;
    };
    const command = (give) => {
        resume();
        give();
    };
    /** Our own lines may contain foreign text: names, reasons, values. */
    const { says = (text) => text } = options;
    const own = (text) => secrets.clean((0,control_characters/* plainText */.wh)(says(text)));
    const say = (text) => {
        const clean = own(text);
        if (mayCommand(clean))
            suspend();
        out.write(`${clean}\n`);
    };
    const untrusted = (text) => {
        if (text === '')
            return;
        for (const line of secrets.clean(text).split(/(?<=\n)/)) {
            const admitted = options.logCommands ? commandOf(line) : undefined;
            if (admitted !== undefined)
                command(() => out.write(`${admitted}\n`));
            else {
                suspend();
                out.write(line);
            }
        }
    };
    const redrawOf = (slot) => {
        const known = redraws.get(slot) ?? new redraw/* Redraw */.Q6({ redraws: false, now: options.now });
        redraws.set(slot, known);
        return known;
    };
    const host = {
        kind: 'actions',
        failed: () => failed,
        admitCommands: resume,
        debug(message) {
            if (options.verbose)
                say(message);
            else if (core/* isDebug */._o())
                command(() => core/* debug */.Yz(own(message)));
        },
        info: say,
        warn(message) {
            warned += 1;
            if (warned > MOST_WARNINGS)
                say(`warning: ${message}`);
            else
                command(() => core/* warning */.$e(own(message)));
        },
        error: (message) => say(`error: ${message}`),
        openSection(title) {
            depth += 1;
            // Groups do not nest: one inside another is a plain headline.
            if (depth > 1)
                say(`── ${title}`);
            else
                command(() => core/* startGroup */.Oh(own(title)));
            let open = true;
            return () => {
                if (!open)
                    return;
                open = false;
                depth -= 1;
                if (depth === 0)
                    command(() => core/* endGroup */.N4());
            };
        },
        section: async (title, body) => (0,section/* within */.u)(host.openSection(title), body),
        annotate(level, message) {
            const clean = own(message);
            if (level === 'notice')
                command(() => core/* notice */.lm(clean));
            else if (level === 'warning')
                command(() => core/* warning */.$e(clean));
            else if (failed)
                host.error(clean);
            else
                command(() => core/* error */.z3(clean));
            failed ||= level === 'error';
        },
        script(bytes, speaker = { slot: 0, label: '' }) {
            untrusted(redrawOf(speaker.slot).push(bytes, speaker.label));
        },
        raw: (bytes) => untrusted(redrawOf(-1).push(bytes)),
        command: (stream, bytes) => untrusted(redrawOf(stream === 'out' ? -2 : -3).push(bytes)),
        // A log has no line to redraw.
        status() { },
        words: own,
        facts: (value) => say((0,control_characters/* plainJson */.RU)(value)),
        print: say,
        summary: (markdown) => summary.append(own(markdown)),
        output(name, value) {
            if (!(0,core_host/* isOutputName */.L)(name))
                return host.warn(`${(0,lib_text/* quoted */.TL)(name)} cannot be the name of an output: it is left out`);
            // A later step may print it.
            const plain = (0,control_characters/* plainText */.wh)(value);
            const clean = secrets.clean(plain);
            if (clean !== plain)
                host.warn(`output "${name}" would hold a secret: it is replaced by ***`);
            if (options.env['GITHUB_OUTPUT'])
                core/* setOutput */.uH(name, clean);
            else
                command(() => core/* setOutput */.uH(name, clean));
        },
        clean: (text) => secrets.clean(text),
        mask(secret) {
            for (const part of secrets.add(secret))
                command(() => core/* setSecret */.Pq(part));
        },
        state: {
            get: (name) => kept.get(name) ?? (core/* getState */.Gu(name) || undefined),
            set(name, value) {
                kept.set(name, value);
                if (options.env['GITHUB_STATE'])
                    core/* saveState */.LZ(name, value);
                else
                    command(() => core/* saveState */.LZ(name, value));
            },
        },
        async close() {
            for (const redraw of redraws.values())
                untrusted(redraw.end());
            redraws.clear();
            resume();
            if (depth > 0)
                core/* endGroup */.N4();
            depth = 0;
        },
    };
    return host;
}
/** Wider than any runner's own reading: `::name …::` at the start of a line, the older `##[name]` anywhere in it. */
function mayCommand(text) {
    return text.includes('::') || text.includes('##[');
}
const ADMITTED = /^\s*(::(?:group|endgroup|error|warning|notice)(?: [^\r\n]*?)?::[^\r\n]*)[\r\n]*$/;
/** The command that a program gave in this line, if it is one that only shows something. */
function commandOf(line) {
    return ADMITTED.exec(line)?.[1];
}

;// CONCATENATED MODULE: ./build/js/host/artifact-service.js
/** `undefined` where there is no such service: GitHub Enterprise Server, Gitea, Forgejo, runners that offer none. */
function resultsService(env) {
    if (!env['ACTIONS_RUNTIME_TOKEN'] || !env['ACTIONS_RESULTS_URL'] || !isGitHub(env['GITHUB_SERVER_URL']))
        return undefined;
    return {
        async replace(name, files, root, options) {
            // Megabytes that only an upload needs.
            const { ArtifactNotFoundError, DefaultArtifactClient } = await Promise.all(/* import() */[__webpack_require__.e(1579), __webpack_require__.e(4474), __webpack_require__.e(4942), __webpack_require__.e(4130)]).then(__webpack_require__.bind(__webpack_require__, 64130));
            const client = new DefaultArtifactClient();
            // Artifacts cannot be written twice: what an earlier attempt uploaded has to go first.
            await client.deleteArtifact(name).catch((error) => {
                if (!(error instanceof ArtifactNotFoundError))
                    throw error;
            });
            const { id, size } = await client.uploadArtifact(name, [...files], root, options);
            return { id: String(id ?? ''), bytes: size ?? 0 };
        },
    };
}
function isGitHub(server = 'https://github.com') {
    if (!URL.canParse(server))
        return false;
    const { hostname } = new URL(server);
    return hostname === 'github.com' || hostname.endsWith('.ghe.com') || hostname.endsWith('.localhost');
}

// EXTERNAL MODULE: ./build/js/lib/shape.js
var shape = __webpack_require__(29611);
// EXTERNAL MODULE: ./build/js/lib/answer.js
var lib_answer = __webpack_require__(47174);
;// CONCATENATED MODULE: ./build/js/host/workflow-api.js
/** Calls to the forge whose workflow this step belongs to: small ones that are not worth a long wait. */


/** Milliseconds. */
const PATIENCE = 10_000;
/** Bytes: a pull request is a twentieth of it. */
const LARGEST = 1 << 20;
/** `path`: below that of the repository. `undefined`: there is no such API, or no token. Throws if there is no answer. */
async function askWorkflow({ GITHUB_API_URL: api, GITHUB_REPOSITORY: repository }, token, path, body) {
    if (!token || !api || !repository)
        return undefined;
    const answer = await fetch(`${api}/repos/${repository}/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/vnd.github+json',
            'x-github-api-version': '2022-11-28',
            'content-type': 'application/json',
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE),
    });
    return { status: answer.status, data: (0,lib_answer/* jsonIn */.Yf)(await (0,lib_answer/* textUpTo */.qx)(LARGEST, answer)) };
}
const NAMED = (0,shape/* object */.Ik)({ full_name: (0,shape/* line */.n8)(1024) });
/** Source: "Get a pull request" of GitHub's documentation. A fork may be gone. */
const PULL = (0,shape/* object */.Ik)({ head: (0,shape/* object */.Ik)({ repo: (0,shape/* either */.gP)(NAMED, (0,shape/* oneOf */.yL)(null)) }) });
/** Whether the code of this pull request is in the repository itself, according to the forge; without an answer: no. */
async function isOwnPull(env, token, number) {
    try {
        const answer = await askWorkflow(env, token, `pulls/${number}`);
        return answer?.status === 200 && PULL(answer.data).head.repo?.full_name === env['GITHUB_REPOSITORY'];
    }
    catch {
        return false;
    }
}

;// CONCATENATED MODULE: ./build/js/host/commit-status.js
/** The mark beside a commit. */



/** The commit status for each outcome: "failure" is the program's, "error" is anything that kept it from its result. */
const STATES = {
    running: 'pending',
    success: 'success',
    'script-failed': 'failure',
    'setup-failed': 'failure',
    'timed-out': 'error',
    stopped: 'error',
    invalid: 'error',
    denied: 'error',
    'no-capacity': 'error',
    'remote-error': 'error',
    bug: 'error',
};
/** Characters that GitHub takes of a description. */
const MOST = 140;
/** The trial merge of a pull request, which its workflows check out. */
const TRIAL = /^refs\/pull\/\d+\/merge$/;
/** Source: "Get a commit object" of GitHub's documentation. */
const COMMIT = (0,shape/* object */.Ik)({ parents: (0,shape/* list */.p_)((0,shape/* object */.Ik)({ sha: (0,shape/* line */.n8)(64) }), 16) });
/**
 * GitHub merges anew whenever the base changes, and the page of the pull request no longer shows what is on the old merge: what counts there is
 * the commit that was merged, its second parent.
 */
async function shownCommit(env, token, { sha, ref = '' }) {
    const answer = TRIAL.test(ref) ? await askWorkflow(env, token, `git/commits/${sha}`) : undefined;
    return (answer?.status === 200 ? COMMIT(answer.data).parents[1]?.sha : undefined) ?? sha;
}
/** Sets it if the token may; a token that may not is ordinary, and only causes a debug line. Never throws. */
async function setCommitStatus(host, env, token, status) {
    const { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run } = env;
    try {
        const answer = await askWorkflow(env, token, `statuses/${await shownCommit(env, token, status)}`, {
            state: STATES[status.outcome],
            context: `tpi/${status.name}`,
            description: status.description.slice(0, MOST),
            target_url: `${server ?? 'https://github.com'}/${repository}/actions/runs/${run}`,
        });
        if (!answer || answer.status < 300)
            return;
        if ([401, 403, 404].includes(answer.status))
            host.debug(`no commit status: the token lacks "statuses: write" (HTTP ${answer.status})`);
        else
            host.info(`no commit status: ${api} answered ${answer.status}`);
    }
    catch (error) {
        host.info(`no commit status: ${(0,lib_text/* messageOf */.bD)(error)}`);
    }
}

// EXTERNAL MODULE: ./build/js/host/job-limit.js
var job_limit = __webpack_require__(8704);
// EXTERNAL MODULE: ./build/js/host/workflow-event.js
var workflow_event = __webpack_require__(95361);
// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/lib/user.js
var user = __webpack_require__(46631);
// EXTERNAL MODULE: ./build/js/options/derive/option-mentions.js
var option_mentions = __webpack_require__(32584);
// EXTERNAL MODULE: ./build/js/options/parse.js + 8 modules
var parse = __webpack_require__(66669);
// EXTERNAL MODULE: ./build/js/options/rows/table.js + 5 modules
var rows_table = __webpack_require__(36818);
// EXTERNAL MODULE: ./build/js/options/rows/verbs.js
var verbs = __webpack_require__(9999);
// EXTERNAL MODULE: ./build/js/options/sources/config.js
var config = __webpack_require__(12482);
// EXTERNAL MODULE: ./build/js/report/run.js
var run = __webpack_require__(22544);
// EXTERNAL MODULE: ./build/js/verbs/index.js + 162 modules
var js_verbs = __webpack_require__(45568);
// EXTERNAL MODULE: ./build/js/engine/deployment.js
var deployment = __webpack_require__(23922);
// EXTERNAL MODULE: ./build/js/engine/destroy/destroy.js
var destroy = __webpack_require__(81898);
// EXTERNAL MODULE: ./build/js/engine/destroy/stop.js
var stop = __webpack_require__(92202);
// EXTERNAL MODULE: ./build/js/engine/find.js
var find = __webpack_require__(4782);
// EXTERNAL MODULE: ./build/js/engine/follow/moved-run.js
var moved_run = __webpack_require__(19760);
// EXTERNAL MODULE: ./build/js/engine/follow/read-status.js
var read_status = __webpack_require__(57238);
// EXTERNAL MODULE: ./build/js/engine/history.js
var engine_history = __webpack_require__(49885);
// EXTERNAL MODULE: ./build/js/wire/slot.js
var wire_slot = __webpack_require__(48088);
// EXTERNAL MODULE: ./build/js/verbs/runner/unregister.js
var unregister = __webpack_require__(78610);
// EXTERNAL MODULE: ./build/js/verbs/shared/fleeting-host.js
var fleeting_host = __webpack_require__(90928);
// EXTERNAL MODULE: ./build/js/verbs/shared/storage.js
var storage = __webpack_require__(90192);
;// CONCATENATED MODULE: ./build/js/verbs/post-step.js
/** What is left to do if the command itself was killed: the post step of a workflow. */












/** Seconds the program gets: the CI host forces the end of everything some minutes after a cancellation. */
const GRACE = 10;
/** Milliseconds to wait for its last snapshot. */
const WATCH = 60_000;
/** Milliseconds to wait for its machines to end. */
const GOING = 60_000;
/** Idempotent. Removes what the command created, records a stop where it had only attached, and leaves alone what others made. */
async function after(context, traces) {
    const { host } = context;
    const d = await remains(context, traces.id);
    if (!d)
        return exit_codes/* EXIT */.dc.ok;
    const judged = await (0,find/* readCurrent */.cA)(d.store, d.id);
    const current = judged?.value;
    const spec = await (0,deployment/* readSpec */.Ot)(d);
    if (traces.begun === undefined && !madeHere(context, current, traces))
        return exit_codes/* EXIT */.dc.ok;
    const moving = await (0,moved_run/* beforeMove */.hh)(d);
    if (moving)
        return (await hasSettled(context, moving)) ? after(context, traces) : exit_codes/* EXIT */.dc.ok;
    if (traces.begun === 'attached')
        return attachedTo(context, d, spec);
    if (spec?.mode === 'runner')
        return give(context, d, spec);
    if (!spec || (current && current.state !== 'open')) {
        if (context.parsed.verb === 'runner')
            await (0,unregister/* unregisterUnfinished */.iT)(context, d);
        const remains = await host.section('Clean up', () => (0,destroy/* destroy */.zr)(context.engine, d, { why: 'rollback', judged }));
        host.info(`${d.name}: its creation was cut short; ${destroy/* REMAINS */.w0[remains === 'mark' ? 'nothing' : remains]}`);
        return exit_codes/* EXIT */.dc.ok;
    }
    if (context.values['on-cancel'] === 'detach') {
        host.info(`${d.name} goes on: \`tpi collect ${d.name}\` fetches its results, \`tpi stop ${d.name}\` ends it`);
        return exit_codes/* EXIT */.dc.ok;
    }
    return host.section('Clean up', () => wind(context, d, spec));
}
/** What can be found: a group by its tags, or only the name in the store, if it was killed before there was a group. */
async function remains(context, id) {
    const open = await context.clouds();
    const sighting = await (0,find/* pick */.Up)(id, await (0,find/* sightings */.nI)(open), async () => context.storage());
    if (sighting)
        return (0,find/* openSighting */.at)(sighting, context.access);
    const [chosen] = open;
    if (!chosen)
        return undefined;
    const store = await context.access(await (0,storage/* storageFor */.N)(context, chosen.cloud, id));
    const current = await (0,find/* readCurrent */.cA)(store, id);
    return current && (0,deployment/* recorded */.t2)({ cloudId: chosen.id, cloud: chosen.cloud, store, id, name: current.value.name }, current.value);
}
/** It was killed, or others are working on it (moving the run to another region): whether anything of it exists then. */
async function hasSettled({ engine, values }, d) {
    if (values['on-cancel'] !== 'detach')
        await (0,deployment/* requestStop */.Y6)(d, stopRequest(engine));
    return (await (0,moved_run/* resolveMove */.Is)(engine, d, { ttl: values['lease-ttl'] * 1000, undo: true })) !== undefined;
}
const stopRequest = (engine) => ({ at: engine.clock.date().toISOString(), by: engine.actor, grace: GRACE });
/** Runners that were never announced: nobody waits for them. */
async function give(context, d, spec) {
    const { host, engine } = context;
    await host.section('Clean up', async () => (0,unregister/* unregisterAround */.Kz)(context, d, spec.runner, async () => (0,destroy/* destroy */.zr)(engine, d)));
    host.info(`${d.name}: its start was cut short; everything is given back`);
    return exit_codes/* EXIT */.dc.ok;
}
/** Whether it was made by the same step of the same run, since the killed command began: no other controller can have made that. */
function madeHere({ owner }, current, { since }) {
    const { run, step } = owner.origin;
    return current !== undefined && current.createdAt >= since && current.origin.run === run && current.origin.step === step;
}
async function attachedTo(context, d, spec) {
    // Runners that were there before serve jobs of others.
    if (!spec || spec.mode === 'runner' || context.values['on-cancel'] === 'detach')
        return exit_codes/* EXIT */.dc.ok;
    if ((await (0,read_status/* readStatus */.r)(d, spec)).outcome !== 'running')
        return exit_codes/* EXIT */.dc.ok;
    await (0,deployment/* requestStop */.Y6)(d, stopRequest(context.engine));
    context.host.info(`${d.name} existed before this step: the request to stop it is recorded, and it ends on its own`);
    return exit_codes/* EXIT */.dc.ok;
}
/** Stops it, saves what there is, removes compute. What it has saved is kept until its retention is over. */
async function wind(context, found, known) {
    const { engine, host } = context;
    const { d, spec, slots } = await ended(engine, found, known);
    const status = await (0,read_status/* readStatus */.r)(d, spec);
    const saved = slots.some(wire_slot/* hasSaved */.ce);
    await (0,engine_history/* remember */.kY)(engine.home, { ...status, destroyed: !saved });
    if (!slots.every((slot) => (0,wire_slot/* isTerminal */.Hd)(slot.state)))
        host.warn(`${d.name}: some machines did not confirm that they ended`);
    if (!saved) {
        await (0,destroy/* destroy */.zr)(engine, d);
        host.info(`${d.name}: stopped before anything was saved; everything is given back`);
        return exit_codes/* EXIT */.dc.ok;
    }
    await untilNobody(context, d);
    host.info(`${d.name}: ${status.state}; its machines are gone, ${(0,fleeting_host/* keptWords */.Gx)(context, status, spec.lifetime.retention)}`);
    return exit_codes/* EXIT */.dc.ok;
}
async function ended(engine, d, spec) {
    if ((await (0,read_status/* readStatus */.r)(d, spec)).outcome === 'running')
        return (0,stop/* stopAndWait */.D)(engine, d, spec, { grace: GRACE, patience: WATCH });
    await Promise.all([d.cloud.scale(d, 0), (0,moved_run/* endBehind */.wA)(engine, d)]);
    return { d, spec, slots: await (0,stop/* untilClosed */.P)(engine, d, spec) };
}
/** A group that is being removed may need a moment; if there are still machines afterwards, a warning says so. */
async function untilNobody({ engine, host }, d) {
    const until = engine.clock.now() + GOING;
    for (;;) {
        const { phase } = await d.cloud.observe(d);
        if (phase !== 'up')
            return;
        if (engine.clock.now() >= until)
            return host.warn(`${d.name}: its machines are still shutting down; run \`tpi sweep\` later to see whether they are gone`);
        await engine.clock.sleep(500);
    }
}

// EXTERNAL MODULE: ./build/js/verbs/shared/error-exit.js
var error_exit = __webpack_require__(16092);
// EXTERNAL MODULE: ./build/js/verbs/shared/signals.js
var shared_signals = __webpack_require__(99572);
;// CONCATENATED MODULE: ./build/js/action.js
/** The action: inputs → a verb; before anything exists its name is on record, so that the post step can remove what a kill left behind. */



























/** Resolves to the exit code of the step. */
async function runMainStep(process) {
    const signals = (0,shared_signals/* listenFor */.Pf)({ on: (event, listener) => process.on(event, listener) }, clock/* systemClock */.ml.now);
    const entered = await enter(process);
    if ('exitCode' in entered)
        return entered.exitCode;
    const { host, parsed } = entered;
    host.state.set('since', clock/* systemClock */.ml.date().toISOString());
    const event = (0,workflow_event.eventOf)(await process.workflow());
    const { env } = process;
    const { 'allow-untrusted': allowed, 'github-token': token = env['GITHUB_TOKEN'] } = parsed.values;
    const { verb, config } = parsed;
    // A configuration file may be the stranger's.
    const { untrusted, unlessOwn } = allowed || ((0,verbs/* verbOf */.rl)(verb).codeless && !config) ? {} : event;
    if (untrusted && !(unlessOwn !== undefined && (await isOwnPull(env, token, unlessOwn))))
        return refuse(host, stranger(untrusted));
    const last = {};
    const ciJob = ciJobOf(process, host, parsed, event, last);
    if (!(0,js_verbs/* acts */.I)(verb))
        throw new Error(`the verb "${verb}" is not one that the action knows`);
    const code = await (0,app/* runVerb */.b0)(partsOf(process, entered, signals, ciJob), verb, parsed);
    // A cancelled step may be killed any moment: the post step looks after it, unless going on was what was wanted.
    if (!signals.first.aborted || parsed.values['on-cancel'] === 'detach')
        host.state.set('ended', 'true');
    if (code !== exit_codes/* EXIT */.dc.ok && !host.failed())
        host.annotate('error', outcomeLine(verb, code, last.run));
    await host.close();
    return code;
}
/** Silent when the main step came to its end; else removes what it left. */
async function runPostStep(process) {
    const { env } = process;
    const [id, since, begun] = ['id', 'since', 'begun'].map((name) => env[`STATE_${name}`]);
    if (!id || !since || env['STATE_ended'])
        return exit_codes/* EXIT */.dc.ok;
    const entered = await enterAfterwards(process);
    if ('exitCode' in entered)
        return entered.exitCode;
    const { host, parsed } = entered;
    host.info(`the main step did not finish: taking care of ${id}`);
    const traces = { id, since, begun: begun === 'created' || begun === 'attached' ? begun : undefined };
    return (0,app/* runBody */.ki)(partsOf(process, entered, (0,shared_signals/* never */.Zm)(), {}), parsed, (context) => after(context, traces));
}
/** A later step may have removed files that the inputs name: what is left must be given back all the same, and none of them is used for that. */
async function enterAfterwards(process) {
    return enter(process, async (path) => (0,promises_.readFile)(path, 'utf8').catch((error) => {
        if (!(0,error_code/* hasCode */.up)(error, 'ENOENT') || (0,external_node_path_.basename)(path) === config/* CONFIG_NAME */.fA || (0,external_node_path_.basename)(path) === '.git')
            throw error;
        // A comment in all of these files; of a program, also the line that names its interpreter.
        return '#! removed meanwhile';
    }));
}
/** Inputs and host; every fault of the inputs is reported at once. */
async function enter(process, read = async (path) => (0,promises_.readFile)(path, 'utf8')) {
    const { env, cwd } = process;
    const surroundings = { env, cwd, readFile: read, ownersOf: user/* ownersOf */.K2, user: (0,user/* ownNumber */.Kz)(), readStdin: async () => '' };
    const table = (0,rows_table/* optionTable */.sX)(registry/* clouds */.P);
    const plain = { out: process.stdout, env, now: () => clock/* systemClock */.ml.now(), says: (0,option_mentions/* inYaml */.$)(table) };
    try {
        const parsed = await (0,parse/* parseInputs */.T)(table, surroundings);
        const { verbose, 'log-commands': logCommands } = parsed.values;
        return { host: actionsHost({ ...plain, verbose, logCommands }), parsed, surroundings };
    }
    catch (error) {
        return { exitCode: await refuse(actionsHost({ ...plain, verbose: false, logCommands: false }), error) };
    }
}
async function refuse(host, error) {
    const exit = (0,error_exit/* exitOf */.s)(error);
    await (0,app/* publishError */.Aq)(host, exit);
    await host.close();
    return exit.exitCode;
}
function stranger(what) {
    return new errors/* InputError */.dz(`allow-untrusted: ${what} would run a stranger's code with the rights of this repository`, {
        hint: 'check out and run only code that you trust, then set allow-untrusted: true; or use the event "pull_request"',
    });
}
function partsOf(process, { host, surroundings }, signals, ciJob) {
    return {
        host,
        surroundings,
        signals,
        interactive: false,
        user: (0,app/* userHere */.oD)(surroundings.env),
        agentFile: process.agentFile,
        platform: process.platform,
        ciJob,
    };
}
function ciJobOf(process, host, parsed, { isPublic, isPrivate }, last) {
    const { env, ppid } = process;
    const { values } = parsed;
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
    const params = {
        artifact: values.artifact,
        retentionDays: values['artifact-retention-days'],
        compression: values['artifact-compression'],
        ifNoFiles: values['if-no-files-found'],
    };
    const url = (id) => server && repository && run && id ? `${server}/${repository}/actions/runs/${run}/artifacts/${id}` : undefined;
    const parts = { host, params, service: resultsService(env), isPublic, url };
    const artifact = (name, delivery, paths, label) => {
        host.admitCommands();
        return uploadResults(parts, name, delivery, paths, label);
    };
    // A command that only collects does not know what the run was given.
    const keepsLog = values['artifact-log'] === 'true' || (values['artifact-log'] === 'auto' && isPrivate && parsed.verb === 'task');
    return {
        ...(params.artifact === 'false' ? {} : { artifact }),
        ...(keepsLog ? { log: (...of) => uploadLog(parts, ...of) } : {}),
        timeLeft: () => (0,job_limit/* jobTimeLeft */.U)(forges_registry/* forges */.FI.map(({ ci }) => ci), env, clock/* systemClock */.ml.date(), ppid),
        async reported(report, how) {
            last.run = report;
            // A run that was followed to its end in one step is seen at the step; the mark is for runs that outlive one.
            if (how === 'detached' || report.attached)
                await mark(host, env, values['github-token'], report);
        },
    };
}
function outcomeLine(verb, code, run) {
    if (!run)
        return `${verb} ended with exit code ${code}`;
    const { name, outcome, slots } = run.status;
    const reason = slots.find((slot) => slot.reason !== null && slot.state !== 'succeeded')?.reason;
    if (outcome === 'running')
        return `${name} is still running: "command: collect" with "name: ${name}" fetches its results, and running the same step again follows it`;
    const suffix = reason?.includes('exit code') ? '' : ` (exit code ${code})`;
    return `${name}: ${outcome}${reason ? `: ${reason}` : ''}${suffix}`;
}
async function mark(host, env, token, { status }) {
    const { name, outcome, origin, exitCode } = status;
    // What another repository made has its commit there.
    if (!origin.commit || !origin.repository?.endsWith(`/${env['GITHUB_REPOSITORY']}`))
        return;
    const description = outcome === 'running'
        ? `runs on ${status.cloud} until ${(0,run/* minute */.Vc)(status.deadline)} at the latest`
        : `${outcome}, exit code ${exitCode ?? '-'}`;
    await setCommitStatus(host, env, token, { sha: origin.commit, ref: origin.ref, name, outcome, description });
}


/***/ }),

/***/ 95361:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   eventOf: () => (/* binding */ eventOf),
/* harmony export */   workflowContext: () => (/* binding */ workflowContext)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73024);
/** What started the workflow, as far as it changes what tpi may do. */

/** `undefined` where nothing is known: runners that are not GitHub's may name no file, or one that is missing or broken. Prints nothing. */
async function workflowContext(eventFile) {
    // The toolkit would print about it.
    if (!eventFile || !(0,node_fs__WEBPACK_IMPORTED_MODULE_0__.existsSync)(eventFile))
        return undefined;
    try {
        const { context } = await __webpack_require__.e(/* import() */ 740).then(__webpack_require__.bind(__webpack_require__, 90740));
        return context;
    }
    catch {
        // It reads the file as it is loaded.
        return undefined;
    }
}
/** `undefined`: of a run that nothing is known of. */
function eventOf(context) {
    const event = context?.payload;
    const untrusted = strangerIn(context?.eventName ?? '', event);
    const number = untrusted?.endsWith(MAY_BE_OF_FORK) ? at(event, 'issue', 'number') : undefined;
    return {
        isPublic: at(event, 'repository', 'private') === false,
        isPrivate: at(event, 'repository', 'private') === true,
        ...(untrusted === undefined ? {} : { untrusted }),
        ...(Number.isSafeInteger(number) ? { unlessOwn: Number(number) } : {}),
    };
}
const MAY_BE_OF_FORK = 'on a pull request, which may come from a fork,';
/** Events that run with the secrets of the repository on behalf of people without access to them. */
function strangerIn(name, event) {
    const own = at(event, 'repository', 'full_name');
    const ofFork = own === undefined ? undefined : `"${name}" of a fork`;
    if (name === 'pull_request_target')
        return at(event, 'pull_request', 'head', 'repo', 'full_name') === own ? undefined : ofFork;
    if (name === 'workflow_run')
        return at(event, 'workflow_run', 'head_repository', 'full_name') === own ? undefined : ofFork;
    const spoken = SPOKEN[name];
    if (spoken === undefined)
        return undefined;
    if (!MEMBERS.has(String(at(event, spoken, 'author_association'))))
        return `"${name}" by somebody who is not a member of the repository`;
    if (at(event, 'pull_request') !== undefined)
        return at(event, 'pull_request', 'head', 'repo', 'full_name') === own ? undefined : ofFork;
    return at(event, 'issue', 'pull_request') === undefined ? undefined : `"${name}" ${MAY_BE_OF_FORK}`;
}
/** Anyone may comment on a repository that they can read. Event → where its payload has the comment. */
const SPOKEN = {
    issue_comment: 'comment',
    commit_comment: 'comment',
    discussion_comment: 'comment',
    pull_request_review: 'review',
    pull_request_review_comment: 'comment',
};
const MEMBERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
function at(value, ...names) {
    return names.reduce((inner, name) => (typeof inner === 'object' && inner !== null ? inner[name] : undefined), value);
}


/***/ }),

/***/ 47174:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U$: () => (/* binding */ bytesUpTo),
/* harmony export */   Yf: () => (/* binding */ jsonIn),
/* harmony export */   qx: () => (/* binding */ textUpTo)
/* harmony export */ });
/** The body of a foreign answer. */
/** `undefined`: it is longer than `most` bytes, and the rest of it is not read. */
async function textUpTo(most, answer) {
    return (await bytesUpTo(most, answer))?.toString('utf8');
}
/** The same as it is. */
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
/** `undefined`: it is not JSON, such as the page of a proxy, of which the status says enough. */
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
