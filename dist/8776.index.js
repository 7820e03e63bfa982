export const id = 8776;
export const ids = [8776];
export const modules = {

/***/ 38776:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runMainStep: () => (/* binding */ runMainStep),
  runPostStep: () => (/* binding */ runPostStep)
});

// UNUSED EXPORTS: outcomeLine

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
 * Which results an artifact can have. The program that packs it follows links, and may read whatever this job may read, so links that lead to
 * anything but results are left out.
 */




/** Characters that the service refuses, and the backslash, which its archives take for a slash. */
const REFUSED = /[":<>|*?\r\n\\]/;
/** `paths`: all results, as they are now below the folder. */
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
/** `file`, `link`, or why it is left out. `undefined`: a folder; artifacts have none. */
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
            return 'not a regular file';
        // A folder of its path may be a link that was there before.
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
/** What to say about results that are left out: a line for each reason. */
function rejections(title, rejected) {
    return [...rejected].map(([why, paths]) => `artifact "${title}" leaves out ${(0,path/* nameSome */.Kf)(paths)}: ${why}`);
}

;// CONCATENATED MODULE: ./build/js/artifacts/upload.js
/** Results and logs as artifacts of a workflow run. */






/**
 * Uploads the results that an artifact can have. `paths`: all results, as they are now below the folder of the delivery. `label`: tells this artifact
 * from others of the same command. Resolves to `undefined` if there is no artifact, after a warning. Throws if the upload fails, or if nothing
 * matched and that is to be an error: then the run does not count as collected, and its store keeps the results.
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
        host.warn(await withoutService(title, delivery.folder, files, params));
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
/** Uploads the log and the record of a run. Never throws: the outcome of the run does not depend on it. */
async function uploadLog({ host, params, service, isPublic, url }, name, kept, label) {
    // No artifact with results has the same name, because names of runs have no dot.
    const title = `${titleOf(params.artifact === 'false' ? { ...params, artifact: 'true' } : params, name, label)}.log`;
    const files = kept.files.filter((file) => (0,external_node_fs_.existsSync)(file));
    if (!service && params.wantsLog)
        host.warn(`artifact "${title}": not uploaded, since this server has no artifact service that this step can use; \`tpi logs ${name}\` prints the log, as long as this machine is there`);
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
/** The name of an artifact. The label is part of it, because an artifact replaces another one of the same name. */
function titleOf({ artifact }, name, label) {
    if (artifact === 'true')
        return `tpi-${label ?? name}`;
    return label === undefined ? artifact : `${artifact}-${label}`;
}
/** What `if-no-files-found` asks for. */
function nothingFound({ host, params }, name, { unmatched }) {
    const message = `no file of ${name} matched "output": there is nothing to upload`;
    if (params.ifNoFiles === 'error')
        throw new errors/* RemoteError */.Hi(message, { hint: 'if-no-files-found: warn makes this a warning' });
    // The delivery itself has warned of each pattern that matches nothing (`unmatched`).
    if (params.ifNoFiles === 'warn' && unmatched.length === 0)
        host.warn(message);
    return undefined;
}
/** Files that are listed one by one although the folder has nothing else. */
const MANY = 20;
/** Files that are listed at most: an annotation is read by people. */
const LISTED = 200;
/** What to say without a service: a step of the CI system's own, which knows its service, uploads the same files. */
async function withoutService(title, folder, files, params) {
    const days = params.retentionDays === undefined ? [] : [`    retention-days: ${params.retentionDays}`];
    const whole = files.length > MANY && (await hasNothingElse(folder, files.length));
    const listed = whole ? [folder] : files.slice(0, LISTED);
    const rest = whole ? 0 : files.length - listed.length;
    return [
        `artifact "${title}": this server has no artifact service that this step can use. The outputs are in ${folder}; this step uploads them:`,
        '- uses: actions/upload-artifact@v3',
        '  if: always()',
        '  with:',
        `    name: ${title}`,
        '    path: |',
        ...listed.map((path) => `      ${path}`),
        ...days,
        ...(rest > 0 ? [`(and ${(0,lib_text/* plural */.LS)(rest, 'more file')}: name them by patterns, such as a folder that has only outputs)`] : []),
    ].join('\n');
}
/** The folder has no more files than these. Otherwise it has results that are left out, or is a work directory: nobody wants all of that uploaded. */
async function hasNothingElse(folder, files) {
    let found = 0;
    try {
        for await (const entry of await (0,promises_.opendir)(folder, { recursive: true })) {
            if (!entry.isDirectory())
                found += 1;
            if (found > files)
                return false;
        }
        return true;
    }
    catch {
        // What this user cannot read, or somebody has just removed, is no result.
        return false;
    }
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
/** The job summary: a page that a workflow shows below a job. */

/**
 * Bytes that GitHub takes from one step. If there are more, it shows nothing at all.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
 */
const SUMMARY_LIMIT = 1024 * 1024;
const FULL = '\n\n*The rest is left out: the page is full.*\n';
/** If there is no such page (some runners have none), this writes nothing. */
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
            // The result matters more than its summary: a full disk must not turn a success into a failure.
            await (0,promises_.appendFile)(path, fits ? bytes : FULL).catch(() => undefined);
        },
    };
}

;// CONCATENATED MODULE: ./build/js/host/actions.js
/**
 * Prints in a step of a workflow, on GitHub and on others that run the same workflows (Gitea, Forgejo, act). They carry out certain lines
 * of the log as commands. So, before text is printed that is not our own, commands are switched off until a secret token is printed.
 */









/**
 * Further warnings are plain lines: GitHub shows only ten warnings and ten errors of a step, and tpi's result must be among them.
 * https://docs.github.com/en/rest/checks/runs (annotations)
 */
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
    const { says = (text) => text } = options;
    /** A text of ours, which may contain text of others: names, reasons, values. */
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
    const redrawOf = (source) => {
        const known = redraws.get(source) ?? new redraw/* Redraw */.Q6({ redraws: false, now: options.now });
        redraws.set(source, known);
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
        section: async (title, body) => (0,section/* inSection */.Z)(host.openSection(title), body),
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
        raw: (bytes) => untrusted(redrawOf('raw').push(bytes)),
        command: (stream, bytes) => untrusted(redrawOf(stream).push(bytes)),
        // In a log, no line can be redrawn.
        status() { },
        words: own,
        facts: (value) => say((0,control_characters/* plainJson */.RU)(value)),
        print: say,
        // Not `own`: the program has written parts of it, and what it has in backticks is no mention of an option.
        summary: (markdown) => summary.append(secrets.clean((0,control_characters/* plainText */.wh)(markdown))),
        output(name, value) {
            if (!(0,core_host/* isOutputName */.L)(name))
                return host.warn(`${(0,lib_text/* quoted */.TL)(name)} cannot be the name of an output: it is left out`);
            // A later step may print the value.
            const plain = (0,control_characters/* plainText */.wh)(value);
            const clean = secrets.clean(plain);
            if (clean !== plain)
                host.warn(`output "${name}" would hold a secret: it is replaced by ***`);
            try {
                if (options.env['GITHUB_OUTPUT'])
                    core/* setOutput */.uH(name, clean);
                else
                    command(() => core/* setOutput */.uH(name, clean));
            }
            catch (error) {
                // A full disk must not turn a success into a failure.
                host.warn(`output "${name}" is missing: ${(0,lib_text/* messageOf */.bD)(error)}`);
            }
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
/** Whether a runner might take it for a command: `::name …::` at the start of a line, the older `##[name]` anywhere. If in doubt, yes. */
function mayCommand(text) {
    return text.includes('::') || text.includes('##[');
}
const ADMITTED = /^\s*(::(?:group|endgroup|error|warning|notice)(?: [^\r\n]*?)?::[^\r\n]*)[\r\n]*$/;
/** The command in a program's line, if it is one that only shows something. */
function commandOf(line) {
    return ADMITTED.exec(line)?.[1];
}

;// CONCATENATED MODULE: ./build/js/host/artifact-service.js
/** `undefined` where there is no such service: GitHub Enterprise Server, Gitea, Forgejo, runners that offer none. */
function artifactService(env) {
    if (!env['ACTIONS_RUNTIME_TOKEN'] || !env['ACTIONS_RESULTS_URL'] || !isGitHub(env['GITHUB_SERVER_URL']))
        return undefined;
    return {
        async replace(name, files, root, options) {
            // Loaded only now: it has megabytes that nothing else needs.
            const { ArtifactNotFoundError, DefaultArtifactClient } = await Promise.all(/* import() */[__webpack_require__.e(1579), __webpack_require__.e(4474), __webpack_require__.e(4942), __webpack_require__.e(4130)]).then(__webpack_require__.bind(__webpack_require__, 64130));
            const client = new DefaultArtifactClient();
            // An artifact cannot be overwritten, so the one of an earlier attempt is removed first.
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
/** Small calls to the forge whose workflow this step belongs to. None of them is worth a long wait. */


/** Milliseconds for an answer. */
const PATIENCE = 10_000;
/** Bytes of an answer: a pull request has a twentieth of that. */
const LARGEST = 1 << 20;
/** `path`: below the repository's. Resolves to `undefined` if there is no such API, or no token. Rejects if there is no answer. */
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
/** Source: "Get a pull request" of GitHub's documentation. `null`: the fork is gone. */
const PULL = (0,shape/* object */.Ik)({ head: (0,shape/* object */.Ik)({ repo: (0,shape/* either */.gP)(NAMED, (0,shape/* oneOf */.yL)(null)) }) });
/** Whether the code of this pull request is in the repository itself, according to the forge. False if it does not answer. */
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
/** Ref of the trial merge of a pull request, which its workflows check out. */
const TRIAL = /^refs\/pull\/\d+\/merge$/;
/** Source: "Get a commit object" of GitHub's documentation. */
const COMMIT = (0,shape/* object */.Ik)({ parents: (0,shape/* list */.p_)((0,shape/* object */.Ik)({ sha: (0,shape/* line */.n8)(64) }), 16) });
/**
 * The commit whose status the forge shows. GitHub makes a new trial merge whenever the base changes, and no longer shows the status of the
 * old one. So for a trial merge it is the commit that was merged: the second parent.
 */
async function shownCommit(env, token, { sha, ref = '' }) {
    const answer = TRIAL.test(ref) ? await askWorkflow(env, token, `git/commits/${sha}`) : undefined;
    return (answer?.status === 200 ? COMMIT(answer.data).parents[1]?.sha : undefined) ?? sha;
}
/** Most statuses of an answer: GitHub has one for each context, and gives so many at once. */
const PAGE = 100;
/** Source: "Get the combined status for a specific reference" of GitHub's documentation. */
const LATEST = (0,shape/* object */.Ik)({ statuses: (0,shape/* list */.p_)((0,shape/* object */.Ik)({ state: (0,shape/* line */.n8)(32), context: (0,shape/* line */.n8)(1024) }), PAGE) });
/** Sets the status if the token may do that. If it may not, that is common, and only a debug line says so. Never rejects. */
async function setCommitStatus(host, env, token, status) {
    try {
        await post(host, env, token, await shownCommit(env, token, status), status);
    }
    catch (error) {
        host.info(`no commit status: ${(0,lib_text/* messageOf */.bD)(error)}`);
    }
}
/** The same, but only in place of one of this name that says something else: a commit without one stays so. Never rejects. */
async function correctCommitStatus(host, env, token, status) {
    try {
        const sha = await shownCommit(env, token, status);
        const answer = await askWorkflow(env, token, `commits/${sha}/status?per_page=${PAGE}`);
        if (!answer)
            return;
        if (answer.status !== 200)
            return host.debug(`an earlier commit status, if any, stays: the forge does not show it (HTTP ${answer.status})`);
        const there = LATEST(answer.data).statuses.find(({ context }) => context === contextOf(status));
        if (there && there.state !== STATES[status.outcome])
            await post(host, env, token, sha, status);
    }
    catch (error) {
        host.debug(`an earlier commit status, if any, stays: ${(0,lib_text/* messageOf */.bD)(error)}`);
    }
}
const contextOf = ({ name }) => `tpi/${name}`;
async function post(host, env, token, sha, status) {
    const { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run } = env;
    const answer = await askWorkflow(env, token, `statuses/${sha}`, {
        state: STATES[status.outcome],
        context: contextOf(status),
        description: (0,lib_text/* cutAt */.og)(status.description, MOST),
        target_url: `${server ?? 'https://github.com'}/${repository}/actions/runs/${run}`,
    });
    if (!answer || answer.status < 300)
        return;
    if ([401, 403, 404].includes(answer.status))
        host.debug(`no commit status: the token lacks "statuses: write" (HTTP ${answer.status})`);
    else
        host.info(`no commit status: ${api} answered ${answer.status}`);
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
// EXTERNAL MODULE: ./build/js/verbs/index.js + 165 modules
var js_verbs = __webpack_require__(79267);
// EXTERNAL MODULE: ./build/js/engine/deployment.js
var deployment = __webpack_require__(23922);
// EXTERNAL MODULE: ./build/js/engine/destroy/destroy.js + 1 modules
var destroy = __webpack_require__(71402);
// EXTERNAL MODULE: ./build/js/engine/destroy/stop.js
var stop = __webpack_require__(92202);
// EXTERNAL MODULE: ./build/js/engine/find.js
var find = __webpack_require__(4782);
// EXTERNAL MODULE: ./build/js/engine/follow/close.js + 2 modules
var follow_close = __webpack_require__(35853);
// EXTERNAL MODULE: ./build/js/engine/follow/moved-run.js
var moved_run = __webpack_require__(19760);
// EXTERNAL MODULE: ./build/js/engine/follow/read-status.js
var read_status = __webpack_require__(57238);
// EXTERNAL MODULE: ./build/js/engine/follow/status.js
var follow_status = __webpack_require__(189);
// EXTERNAL MODULE: ./build/js/engine/history.js
var engine_history = __webpack_require__(49885);
// EXTERNAL MODULE: ./build/js/wire/slot.js
var wire_slot = __webpack_require__(48088);
// EXTERNAL MODULE: ./build/js/verbs/runner/at-work.js
var at_work = __webpack_require__(46119);
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
/**
 * Removes what the killed command had created. If the command had only attached to a run, records a request to stop that. Leaves alone what others
 * made. May be run again.
 */
async function after(context, traces) {
    const { host } = context;
    const d = await whatIsThere(context, traces.id);
    if (!d)
        return exit_codes/* EXIT */.dc.ok;
    const judged = await (0,deployment/* readCurrent */.cA)(d.store, d.id);
    const current = judged?.value;
    const spec = await (0,deployment/* readSpec */.Ot)(d);
    if (traces.begun === undefined && !madeHere(context, current, traces))
        return exit_codes/* EXIT */.dc.ok;
    // Later steps of the job may take so long that somebody has started the run anew since.
    if (traces.made !== undefined && current !== undefined && current.createdAt !== traces.made)
        return exit_codes/* EXIT */.dc.ok;
    const moving = await (0,moved_run/* beforeMove */.hh)(d);
    if (moving)
        return (await hasSettled(context, moving)) ? after(context, traces) : exit_codes/* EXIT */.dc.ok;
    if (traces.begun === 'attached')
        return attachedTo(context, d, spec);
    if (spec?.mode === 'runner')
        return giveRunnersBack(context, d, spec);
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
    return host.section('Clean up', () => endTask(context, d, spec));
}
/** The deployment, found by the tags of its group or, if the command was killed before there was one, by its record in the store. */
async function whatIsThere(context, id) {
    const open = await context.clouds();
    const sighting = await (0,find/* pick */.Up)(id, await (0,find/* sightings */.nI)(open), async () => context.storage());
    if (sighting)
        return (0,find/* openSighting */.at)(sighting, context.access);
    const [chosen] = open;
    if (!chosen)
        return undefined;
    const store = await context.access(await (0,storage/* storageFor */.N)(context, chosen.cloud, id));
    const current = await (0,deployment/* readCurrent */.cA)(store, id);
    return current && (0,deployment/* recorded */.t2)({ cloudId: chosen.id, cloud: chosen.cloud, store, id, name: current.value.name }, current.value);
}
/** Waits until a move to another region, which may have been cut off, has ended or is undone. `false`: nothing of the run exists then. */
async function hasSettled({ engine, values }, d) {
    if (values['on-cancel'] !== 'detach')
        await (0,deployment/* requestStop */.Y6)(d, stopRequest(engine));
    return (await (0,moved_run/* resolveMove */.Is)(engine, d, { ttl: values['lease-ttl'] * 1000, undo: true })) !== undefined;
}
const stopRequest = (engine) => ({ at: engine.clock.date().toISOString(), by: engine.actor, grace: GRACE });
/** Runners that were never announced: nobody waits for them. */
async function giveRunnersBack(context, d, spec) {
    const { host, engine } = context;
    if (await (0,at_work/* isAtWork */.p)(context, d, spec).catch(() => false)) {
        host.warn((0,at_work/* stayWords */.Z)(d, spec));
        return exit_codes/* EXIT */.dc.ok;
    }
    await host.section('Clean up', async () => (0,unregister/* unregisterAround */.Kz)(context, d, spec.runner, async () => (0,destroy/* destroy */.zr)(engine, d, { why: 'unneeded' }), unregister/* HURRIED */.M3));
    host.info(`${d.name}: its start was cut short; everything is given back`);
    return exit_codes/* EXIT */.dc.ok;
}
/** Whether the same step of the same CI run has made it since the killed command began: then only that command can have made it. */
function madeHere({ owner }, current, { since }) {
    const { run, step } = owner.origin;
    return current !== undefined && current.createdAt >= since && current.origin.run === run && current.origin.step === step;
}
async function attachedTo(context, d, spec) {
    // Runners that existed before may be serving jobs of others.
    if (!spec || spec.mode === 'runner' || context.values['on-cancel'] === 'detach')
        return exit_codes/* EXIT */.dc.ok;
    if ((await (0,read_status/* readStatus */.r)(d, spec)).outcome !== 'running')
        return exit_codes/* EXIT */.dc.ok;
    await (0,deployment/* requestStop */.Y6)(d, stopRequest(context.engine));
    await endWaiting(context, d, spec);
    context.host.info(`${d.name} existed before this step: the request to stop it is recorded, and it ends on its own`);
    return exit_codes/* EXIT */.dc.ok;
}
/** If no machine works on it, there is nothing to wait for, and perhaps nobody is left to close its slots. */
async function endWaiting({ engine, host }, d, spec) {
    try {
        if (await (0,follow_close/* endUnheld */.oy)(d, spec))
            await (0,stop/* untilClosed */.P)(engine, d, spec);
    }
    catch (error) {
        host.warn(`${d.name}: ${(0,errors/* describeError */.Uc)(error)}`);
    }
}
/** Stops a task, has it save its work, and removes its machines. What it has saved is kept until its retention is over. */
async function endTask(context, found, known) {
    const { engine, host } = context;
    const { d, spec, slots } = await ended(engine, found, known);
    const status = await (0,read_status/* readStatus */.r)(d, spec);
    const saved = slots.some(wire_slot/* hasSaved */.ce);
    const end = !saved && status.outcome === 'running' ? (0,follow_status/* asRemoved */.JX)(status, engine.clock.date(), spec) : status;
    await (0,engine_history/* tryToRemember */.O6)(engine, { ...end, destroyed: !saved });
    if (!slots.every((slot) => (0,wire_slot/* isTerminal */.Hd)(slot.state)))
        host.warn(`${d.name}: some machines did not confirm that they ended`);
    if (!saved) {
        await (0,destroy/* destroy */.zr)(engine, d, { why: 'unneeded' });
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
    await Promise.all([d.cloud.end(d), (0,moved_run/* endBehind */.wA)(engine, d)]);
    return { d, spec, slots: await (0,stop/* untilClosed */.P)(engine, d, spec) };
}
/** Waits until the machines are gone. If that takes too long, a warning says so. */
async function untilNobody({ engine, host }, d) {
    const until = engine.clock.now() + GOING;
    for (;;) {
        const { phase } = await d.cloud.observe(d);
        if (phase !== 'up')
            return;
        if (engine.clock.now() >= until)
            return host.warn(`${d.name}: its machines are still shutting down; the cloud ends them at the deadline at the latest, and \`tpi sweep --yes\` then removes what is left`);
        await engine.clock.sleep(500);
    }
}

// EXTERNAL MODULE: ./build/js/verbs/shared/error-exit.js
var error_exit = __webpack_require__(16092);
// EXTERNAL MODULE: ./build/js/verbs/shared/signals.js
var shared_signals = __webpack_require__(99572);
;// CONCATENATED MODULE: ./build/js/action.js
/**
 * The action: from inputs to a verb. The id of the run is saved before anything exists, so that the post step can remove what a killed step
 * has left.
 */



























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
    const { untrusted, unlessOwn } = event;
    // A verb that runs nothing of a stranger's may still read a configuration file that is the stranger's.
    const isHarmless = allowed || ((0,verbs/* verbOf */.rl)(verb).codeless && !config);
    if (untrusted !== undefined && !isHarmless && !(unlessOwn !== undefined && (await isOwnPull(env, token, unlessOwn))))
        return refuse(host, stranger(untrusted));
    const reports = [];
    const ciJob = ciJobOf(process, host, parsed, event, reports);
    if (!(0,js_verbs/* acts */.Ij)(verb))
        throw new Error(`the verb "${verb}" is not one that the action knows`);
    const code = await (0,app/* runVerb */.b0)(partsOf(process, entered, signals, ciJob), verb, parsed);
    // A cancelled step may be killed at any moment. Then the post step cleans up, unless the run was to go on.
    if (!signals.first.aborted || parsed.values['on-cancel'] === 'detach')
        host.state.set('ended', 'true');
    if (code !== exit_codes/* EXIT */.dc.ok && !host.failed())
        host.annotate('error', outcomeLine(verb, code, reports));
    await host.close();
    return code;
}
/** Does nothing if the main step came to its end; otherwise removes what it has left. */
async function runPostStep(process) {
    const { env } = process;
    const [id, since, begun, made] = ['id', 'since', 'begun', 'made'].map((name) => env[`STATE_${name}`]);
    if (!id || !since || env['STATE_ended'])
        return exit_codes/* EXIT */.dc.ok;
    const entered = await enterAfterwards(process);
    if ('exitCode' in entered)
        return entered.exitCode;
    const { host, parsed } = entered;
    host.info(`the main step did not finish: taking care of ${id}`);
    const traces = { id, since, begun: begun === 'created' || begun === 'attached' ? begun : undefined, made };
    return (0,app/* runBody */.ki)(partsOf(process, entered, (0,shared_signals/* never */.Zm)(), {}), parsed, (context) => after(context, traces));
}
/**
 * `enter` for the post step: a later step may have removed files that the inputs name. Cleaning up needs none of them, so they may be
 * missing.
 */
async function enterAfterwards(process) {
    return enter(process, async (path) => (0,promises_.readFile)(path, 'utf8').catch((error) => {
        if (!(0,error_code/* hasCode */.up)(error, 'ENOENT') || (0,external_node_path_.basename)(path) === config/* CONFIG_NAME */.fA || (0,external_node_path_.basename)(path) === '.git')
            throw error;
        // In all of these files this is a comment. In a program it is also the line that names the interpreter, without which some are refused.
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
        const parsed = await (0,parse/* parseInputs */.TL)(table, surroundings);
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
function ciJobOf(process, host, parsed, { isPublic, isPrivate }, reports) {
    const { env, ppid } = process;
    const { values } = parsed;
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
    const params = {
        artifact: values.artifact,
        wantsLog: values['artifact-log'] === 'true',
        retentionDays: values['artifact-retention-days'],
        compression: values['artifact-compression'],
        ifNoFiles: values['if-no-files-found'],
    };
    const url = (id) => server && repository && run && id ? `${server}/${repository}/actions/runs/${run}/artifacts/${id}` : undefined;
    const parts = { host, params, service: artifactService(env), isPublic, url };
    const artifact = (name, delivery, paths, label) => {
        host.admitCommands();
        return uploadResults(parts, name, delivery, paths, label);
    };
    // By default only for `task`: `collect` does not know the secrets that the run was given, and could not mask them.
    const keepsLog = params.wantsLog || (values['artifact-log'] === 'auto' && isPrivate && parsed.verb === 'task');
    return {
        ...(params.artifact === 'false' ? {} : { artifact }),
        ...(keepsLog ? { log: (...of) => uploadLog(parts, ...of) } : {}),
        timeLeft: () => (0,job_limit/* jobTimeLeft */.U)(forges_registry/* forges */.FI.map(({ ci }) => ci), env, clock/* systemClock */.ml.date(), ppid),
        async reported(report, how) {
            reports.push(report);
            // The outcome of a run that starts and ends in one step is seen at that step; the commit status is for runs that outlive a step. But one that
            // an earlier step has left on this commit (it was cancelled, for example) must not stay.
            const set = how === 'detached' || report.attached ? setCommitStatus : correctCommitStatus;
            await mark(set, host, env, values['github-token'], report);
        },
    };
}
/** Why the step fails. If it has collected several runs, this is about the one whose exit code it has. */
function outcomeLine(verb, code, reports) {
    const run = reports.find(({ status }) => (status.exitCode ?? exit_codes/* EXIT */.dc.running) === code) ?? reports.at(-1);
    if (!run)
        return `${verb} ended with exit code ${code}`;
    const { name, outcome, slots } = run.status;
    const failed = slots.filter(({ state }) => (outcome === 'stopped' ? state === 'stopped' : state !== 'succeeded'));
    const reason = failed.find((slot) => slot.reason !== null)?.reason;
    if (outcome === 'running')
        return verb === 'collect'
            ? `${name} is still running: these results are from its last checkpoint; run this step again when it has ended`
            : `${name} is still running: run this step again to follow it; \`tpi collect ${name}\` fetches its results`;
    const suffix = reason?.includes('exit code') ? '' : ` (exit code ${code})`;
    return `${name}: ${outcome}${reason ? `: ${reason}` : ''}${suffix}`;
}
async function mark(set, host, env, token, { status }) {
    const { name, outcome, origin, exitCode } = status;
    // A run of another repository was made from a commit there.
    if (!origin.commit || !origin.repository?.endsWith(`/${env['GITHUB_REPOSITORY']}`))
        return;
    const description = outcome === 'running'
        ? `runs on ${status.cloud} until ${(0,run/* minute */.Vc)(status.deadline)} at the latest`
        : `${outcome}, exit code ${exitCode ?? '-'}`;
    await set(host, env, token, { sha: origin.commit, ref: origin.ref, name, outcome, description });
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
/* harmony import */ var _lib_record_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(96645);
/** What started the workflow, as far as it changes what tpi may do. */


/** `undefined`: nothing is known. Runners that are not GitHub's may name no file, or one that is missing or broken. Prints nothing. */
async function workflowContext(eventFile) {
    // Without a file, the toolkit would print a message.
    if (!eventFile || !(0,node_fs__WEBPACK_IMPORTED_MODULE_0__.existsSync)(eventFile))
        return undefined;
    try {
        const { context } = await __webpack_require__.e(/* import() */ 740).then(__webpack_require__.bind(__webpack_require__, 90740));
        return context;
    }
    catch {
        // The toolkit reads the file as it is loaded, and throws if it is broken.
        return undefined;
    }
}
/** `context`: as `workflowContext` found it. */
function eventOf(context) {
    const event = context?.payload;
    return {
        isPublic: at(event, 'repository', 'private') === false,
        isPrivate: at(event, 'repository', 'private') === true,
        ...strangerIn(context?.eventName ?? '', event),
    };
}
/** Whether an event runs with the secrets of the repository on behalf of people without access to them; empty: it does not. */
function strangerIn(name, event) {
    const own = at(event, 'repository', 'full_name');
    const unlessFrom = (...head) => own === undefined || at(event, ...head, 'full_name') === own ? {} : { untrusted: `"${name}" of a fork` };
    if (name === 'pull_request_target')
        return unlessFrom('pull_request', 'head', 'repo');
    if (name === 'workflow_run')
        return unlessFrom('workflow_run', 'head_repository');
    const spoken = SPOKEN[name];
    if (spoken === undefined)
        return {};
    if (!MEMBERS.has(String(at(event, spoken, 'author_association'))))
        return { untrusted: `"${name}" by somebody who is not a member of the repository` };
    if (at(event, 'pull_request') !== undefined)
        return unlessFrom('pull_request', 'head', 'repo');
    if (at(event, 'issue', 'pull_request') === undefined)
        return {};
    const number = at(event, 'issue', 'number');
    return {
        untrusted: `"${name}" on a pull request, which may come from a fork,`,
        ...(Number.isSafeInteger(number) ? { unlessOwn: Number(number) } : {}),
    };
}
/** Events that anyone can cause who can read the repository, by a comment, and where their payload has that. */
const SPOKEN = {
    issue_comment: 'comment',
    commit_comment: 'comment',
    discussion_comment: 'comment',
    pull_request_review: 'review',
    pull_request_review_comment: 'comment',
};
const MEMBERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
function at(value, ...names) {
    let inner = value;
    for (const name of names)
        inner = (0,_lib_record_js__WEBPACK_IMPORTED_MODULE_1__/* .fieldsIn */ .t5)(inner)[name];
    return inner;
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
