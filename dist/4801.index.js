export const id = 4801;
export const ids = [4801];
export const modules = {

/***/ 94801:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ local_open)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(48161);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: external "node:url"
var external_node_url_ = __webpack_require__(73136);
// EXTERNAL MODULE: ./build/js/core/cloud.js
var cloud = __webpack_require__(7325);
// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/core/tags.js
var tags = __webpack_require__(42451);
// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/lib/duration.js
var duration = __webpack_require__(86388);
// EXTERNAL MODULE: ./build/js/lib/files.js
var lib_files = __webpack_require__(59381);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/lib/user.js
var user = __webpack_require__(46631);
;// CONCATENATED MODULE: ./build/js/clouds/local/deadline.js
/** The hard deadline of a group: setting the wall clock does not move it. */

/** Milliseconds by which two readings of one deadline may differ without a change of the clock. */
const SLACK = 2000;
/** The hard deadline, as a time of this host's boot clock. On another host than the one that made the group, it goes by the wall clock. */
function hardDue(record) {
    return record.due.boot === (0,clock/* bootId */.aW)() ? record.due.at : (0,clock/* dueIn */.M_)(record.hardDeadline);
}
/** The hard deadline by the wall clock as it is now (ISO), for a machine that starts after the clock was set. */
function deadline_hardDeadlineNow(record, now = Date.now()) {
    const at = now + hardDue(record) - bootNow();
    return Math.abs(at - Date.parse(record.hardDeadline)) < SLACK ? record.hardDeadline : new Date(at).toISOString();
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: ./build/js/core/check.js
var check = __webpack_require__(53912);
// EXTERNAL MODULE: ./build/js/lib/bytes.js
var bytes = __webpack_require__(18913);
;// CONCATENATED MODULE: ./build/js/lib/on-path.js
/** Where a program is. */



/** The file of a program on the path; `undefined`: there is none that this user may run. */
function onPath(name, path) {
    const files = (path ?? '').split(':').map((folder) => (0,external_node_path_.join)(folder || '.', name));
    return files.find((file) => (0,lib_files/* mayAccess */.Sg)(file, external_node_fs_.constants.X_OK));
}

// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(31421);
// EXTERNAL MODULE: ./build/js/core/size.js
var core_size = __webpack_require__(75367);
;// CONCATENATED MODULE: ./build/js/clouds/local/faults.js
/** Requests that this host cannot meet. */






/** Sizes that mean "about this large" on any cloud; every other name is a machine type of some cloud. */
const ANYWHERE = /^(xs|s|m|l|xl)(\+.*)?$/;
/** Region and spot are accepted: there is only one region, and nothing costs money. */
function faultsOf(request, home, platform = process.platform) {
    if (platform !== 'linux' && platform !== 'darwin')
        return [{ option: 'cloud', message: '"local" works only on Linux and macOS', hint: 'name another cloud' }];
    return [...sizeFaults(request), ...gpuFaults(request), ...diskFaults(request, home), ...foreignFaults(request)];
}
/** What to do if this host is too small. */
const LESS = 'ask for less, or name another cloud';
function sizeFaults({ size }) {
    const faults = [];
    const cpus = (0,external_node_os_.availableParallelism)();
    if (size.machine !== undefined && size.machine !== 'local' && !ANYWHERE.test(size.machine)) {
        faults.push({
            option: 'machine',
            message: `"${size.machine}" is not a machine type of cloud local`,
            hint: 'leave it out: the machine is this host',
        });
    }
    if (size.cpu !== undefined && size.cpu > cpus) {
        faults.push({ option: 'cpu', message: `${size.cpu} requested, but this host has ${cpus}`, hint: LESS });
    }
    if (size.memoryBytes !== undefined && size.memoryBytes > (0,external_node_os_.totalmem)()) {
        const has = (0,bytes/* formatBytes */.z3)((0,external_node_os_.totalmem)());
        faults.push({ option: 'memory', message: `${(0,bytes/* formatBytes */.z3)(size.memoryBytes)} requested, but this host has ${has}`, hint: LESS });
    }
    return faults;
}
/** The warning for a size such as "m", which is accepted, if this host is smaller. `undefined`: it is large enough. */
function shortfallOf({ size }, host = { cpus: (0,external_node_os_.availableParallelism)(), memoryBytes: (0,external_node_os_.totalmem)() }) {
    const [name = '', ...besides] = ((0,core_size/* namedSize */.J7)(size) ?? '').split('+');
    const { cpu = 0, memoryGiB = 0 } = core_size/* GENERIC */.a9[name] ?? {};
    if (besides.length === 0 && cpu <= host.cpus && memoryGiB * 2 ** 30 <= host.memoryBytes)
        return undefined;
    const what = [`${cpu} processors`, `${memoryGiB} GiB`, ...besides].join(', ');
    const has = `${host.cpus} processors, ${Math.floor(host.memoryBytes / 2 ** 30)} GiB`;
    return `machine: "${size.machine}" (${what}) has no effect: the machine is this host (${has})`;
}
function gpuFaults({ size }) {
    const wanted = size.gpu?.count ?? 0;
    if (wanted === 0)
        return [];
    const { stdout, status } = (0,external_node_child_process_.spawnSync)('nvidia-smi', ['-L'], { encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'pipe', 'ignore'] });
    if (status !== 0)
        return [{ option: 'gpu', message: 'this host has none (nvidia-smi does not work)', hint: LESS }];
    const there = stdout.split('\n').filter((line) => /^GPU \d/.test(line)).length;
    return there < wanted ? [{ option: 'gpu', message: `${wanted} requested, but this host has ${there}`, hint: LESS }] : [];
}
function diskFaults({ diskBytes }, home) {
    if (diskBytes === undefined)
        return [];
    const free = freeBytes(home);
    if (free >= diskBytes)
        return [];
    return [{ option: 'disk-size', message: `${(0,bytes/* formatBytes */.z3)(diskBytes)} requested, but ${(0,bytes/* formatBytes */.z3)(free)} are free at ${home}`, hint: LESS }];
}
/** Bytes. If the folder does not exist yet, those of the one above it. */
function freeBytes(path) {
    try {
        const { bavail, bsize } = (0,external_node_fs_.statfsSync)(path);
        return bavail * bsize;
    }
    catch (error) {
        if ((0,external_node_path_.dirname)(path) === path)
            throw error;
        return freeBytes((0,external_node_path_.dirname)(path));
    }
}
function foreignFaults({ image, permissionSet }) {
    const hint = 'leave it out with cloud local: scripts run on this host, as you';
    const faults = [];
    if (image !== undefined)
        faults.push({ option: 'image', message: `"${image}" cannot be booted here`, hint });
    if (permissionSet !== undefined)
        faults.push({ option: 'permission-set', message: `"${permissionSet}" has no meaning here`, hint });
    return faults;
}

;// CONCATENATED MODULE: ./build/js/clouds/local/doctor.js
/** Checks of this host before anything is made. */










/** Bytes. With less free space, a large checkpoint may fail. */
const LITTLE = 1e9;
async function examine(request, home, path) {
    const faults = (0,check/* faultChecks */.SH)(faultsOf(request, home));
    return [
        await (0,check/* looked */.ne)('host', async () => `${process.platform}, ${(0,lib_text/* plural */.LS)((0,external_node_os_.availableParallelism)(), 'CPU')}, ${(0,bytes/* formatBytes */.z3)((0,external_node_os_.totalmem)())} of memory`),
        await (0,check/* looked */.ne)('home', async () => homeOf(home)),
        await (0,check/* looked */.ne)('disk', async () => disk(home)),
        await (0,check/* looked */.ne)('shell', async () => shell(path)),
        ...faults,
    ];
}
async function homeOf(home) {
    try {
        await (0,lib_files/* makePrivate */.ux)(home);
        await (0,promises_.rmdir)(await (0,promises_.mkdtemp)((0,external_node_path_.join)(home, 'doctor-')));
        return home;
    }
    catch (cause) {
        throw new errors/* RemoteError */.Hi(`${home} cannot be written to: ${(0,lib_text/* messageOf */.bD)(cause)}`, {
            cause,
            hint: 'set TPI_HOME to a folder that you can write to',
        });
    }
}
async function disk(home) {
    const free = freeBytes(home);
    const says = `${(0,bytes/* formatBytes */.z3)(free)} are free at ${home}`;
    return free >= LITTLE ? says : { what: 'disk', state: 'warning', says, hint: 'checkpoints are kept there until the task is collected' };
}
/** Scripts whose first line does not name a program are run by bash. */
function shell(path) {
    return (onPath('bash', path) ?? {
        what: 'shell',
        state: 'warning',
        says: 'there is no bash',
        hint: 'start scripts with a line such as #!/bin/sh',
    });
}

// EXTERNAL MODULE: ./build/js/lib/not-started.js
var not_started = __webpack_require__(84751);
// EXTERNAL MODULE: ./build/js/lib/process.js
var lib_process = __webpack_require__(36167);
;// CONCATENATED MODULE: ./build/js/clouds/exec.js
/** `tpi exec` on a machine that a cloud can enter (a process of this host, a pod): in its work directory, with its program's environment. */





/** Ends of a command that reach only this process; Ctrl-C reaches all programs of the terminal. */
const PASSED_ON = ['SIGTERM', 'SIGHUP'];
/**
 * Resolves to the exit code: 127 if there is no such command, 126 if it cannot be run (standard error says why), 128 + n after a signal.
 * `undefined`: there is no work directory yet; in another folder, the command would see and change unrelated files.
 */
async function runBeside({ machine, folder, env }, argv) {
    const [command, ...args] = argv;
    if (!(0,external_node_fs_.existsSync)(folder))
        return undefined;
    try {
        return await ended(command, args, { cwd: folder, env: programEnvironment(machine) ?? env });
    }
    catch (error) {
        const { code, why } = (0,not_started/* notStarted */.DY)(error, { name: command, cwd: folder });
        process.stderr.write(`tpi: ${why}\n`);
        return code;
    }
}
/** Resolves to the exit code of a command that has this terminal, or these pipes. Rejects if the system does not start it. */
async function ended(command, args, place) {
    // It throws most of the system's errors, and reports the rest by an event.
    const child = (0,external_node_child_process_.spawn)(command, args, { ...place, stdio: 'inherit' });
    let pass = () => undefined;
    return await new Promise((resolve, reject) => {
        pass = (signal) => {
            if (child.kill(signal) || child.exitCode !== null || child.signalCode !== null)
                return;
            process.stderr.write(`tpi: ${(0,lib_text/* printable */.g$)(command)}: this user cannot end it (it may be another user's, with sudo): it goes on\n`);
            resolve((0,lib_process/* exitCodeOf */.FO)(null, signal));
        };
        for (const signal of PASSED_ON)
            process.on(signal, pass);
        // For one that runs, this says that a signal could not be passed on.
        child.on('error', (error) => void (child.pid === undefined && reject(error)));
        child.once('exit', (code, signal) => resolve((0,lib_process/* exitCodeOf */.FO)(code, signal)));
    }).finally(() => {
        for (const signal of PASSED_ON)
            process.off(signal, pass);
    });
}
/** The environment of the machine's first process that has the variables of a slot. */
function programEnvironment(machine) {
    for (const { pid } of (0,lib_process/* findMarked */.Em)('TPI_MACHINE', machine)) {
        const env = environmentOf(pid);
        if (env?.['TPI_INDEX'] !== undefined)
            return env;
    }
    return undefined;
}
function environmentOf(pid) {
    try {
        const entries = (0,external_node_fs_.readFileSync)(`/proc/${pid}/environ`, 'utf8')
            .split('\0')
            .filter((entry) => entry.includes('='));
        return Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
    }
    catch {
        // The process has ended, or this system has no /proc.
        return undefined;
    }
}

;// CONCATENATED MODULE: ./build/js/clouds/local/exec.js
/** `tpi exec` on a machine of this computer. */


/** Resolves to the exit code. */
async function execBeside(machine, record, argv) {
    const [command, ...args] = argv;
    if (command === undefined)
        throw new errors/* InputError */.dz('no command to run');
    const beside = { machine: machine.name, folder: machine.path('work'), env: { ...record.base, TPI_MACHINE: machine.name } };
    const code = await runBeside(beside, [command, ...args]);
    if (code === undefined)
        throw new errors/* InputError */.dz(`machine ${machine.name} has no work directory yet: it is still starting`, { hint: 'try again in a moment' });
    return code;
}

// EXTERNAL MODULE: ./build/js/lib/error-code.js
var error_code = __webpack_require__(22516);
// EXTERNAL MODULE: ./build/js/lib/shape.js
var shape = __webpack_require__(29611);
// EXTERNAL MODULE: ./build/js/wire/machine.js
var wire_machine = __webpack_require__(65179);
// EXTERNAL MODULE: ./build/js/wire/machine-side.js
var machine_side = __webpack_require__(45855);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
;// CONCATENATED MODULE: ./build/js/clouds/local/host-identity.js
/** On which host, and in which process table, a recorded process runs: several hosts may share a home on a network disk. */




const placedShape = (0,shape/* object */.Ik)({
    process: (0,shape/* object */.Ik)({ pid: (0,shape/* count */.U9)(), start: (0,shape/* line */.n8)(256) }),
    place: (0,shape/* object */.Ik)({ host: (0,shape/* line */.n8)(1024), boot: (0,shape/* line */.n8)(256), space: (0,shape/* line */.n8)(256) }),
    at: shape/* time */.kB,
});
function host_identity_here() {
    return { host: (0,external_node_os_.hostname)(), boot: (0,clock/* bootId */.aW)(), space: (0,lib_process/* processSpace */.SW)() };
}
/** Whether this host can tell if such a process is alive; also if this host has rebooted since, because then the process is gone. */
function isHere(place) {
    const own = host_identity_here();
    return place.host === own.host || (place.boot === own.boot && place.space === own.space);
}
/**
 * Another container on this host, or this one before it was restarted or made anew: this process table does not show its processes, but their beats
 * come from the same clock.
 */
function isBeside(place) {
    const own = host_identity_here();
    return place.boot === own.boot && place.space !== own.space;
}
/** A process of another host counts as alive, because this host cannot tell. */
function mayLive(placed) {
    return !isHere(placed.place) || (0,lib_process/* isAlive */._n)(placed.process);
}

;// CONCATENATED MODULE: ./build/js/clouds/local/folder.js
/**
 * Everything the local cloud keeps, and where:
 *
 * ```
 * $TPI_HOME/store/                            the folder store of all deployments
 * $TPI_HOME/local/<id>/<incarnation>/
 *   group.json         tags, settings; written once, last: a folder without it was never finished
 *   agent.mjs          the agent, checked against its digest
 *   node               the Node that runs it: a hard link to the caller's own, which may be uninstalled during the run
 *   credentials.json   of the store, if it needs any (0600)
 *   wanted.json        wanted number of machines: controllers write it, the supervisor obeys
 *   claims/<n>.json    supervisors, one after the other: the highest number is the one in office
 *   reclaim-*.json     requested interruptions, removed once delivered
 *   events.jsonl       what happened
 *   supervisor.log
 *   machines/<machine>/
 *     machine.json     the configuration of the machine
 *     process.json     its agent
 *     beat             touched by the living agent about once a second
 *     notice.json      a reclaim, read by the agent
 *     departure.json   the agent's message when it leaves
 *     cgroup           where its control group is, if the host allowed making one
 *     exit.json        how it ended; written when all its processes are gone
 *     agent.log        its boot log
 *     work/ tmp/ run/  removed when it has ended, unless a failure is to be looked into
 * ```
 */










const group = (0,shape/* object */.Ik)({
    v: (0,shape/* oneOf */.yL)(parse/* VERSION */.xv),
    tags: tags/* deploymentTags */.pH,
    agent: (0,shape/* line */.n8)(256),
    hardDeadline: shape/* time */.kB,
    due: (0,shape/* object */.Ik)({ boot: (0,shape/* line */.n8)(256), at: (0,shape/* number */.ai)(-1e15, 1e15) }),
    settings: (0,shape/* object */.Ik)({ notice: (0,shape/* number */.ai)(0, 1e9), term: (0,shape/* number */.ai)(0, 1e9), silence: (0,shape/* number */.ai)(0, 1e9) }),
    base: (0,shape/* dictionary */.zz)((0,shape/* text */.Qq)(65_536), (0,shape/* text */.Qq)(1 << 24), 100_000),
    rehearse: (0,shape/* maybe */.no)((0,shape/* object */.Ik)({ every: (0,shape/* number */.ai)(0, 1e12), seed: (0,shape/* number */.ai)(-1e12, 1e12) })),
    keep: (0,shape/* maybe */.no)(shape/* flag */.Jt),
});
const REASON = (0,shape/* text */.Qq)(65_536);
const wanted = (0,shape/* object */.Ik)({ count: (0,shape/* count */.U9)(), why: (0,shape/* maybe */.no)(REASON) });
const exitShape = (0,shape/* object */.Ik)({
    at: shape/* time */.kB,
    kind: (0,shape/* oneOf */.yL)('info', 'notice', 'failure'),
    reason: REASON,
    finished: shape/* flag */.Jt,
    quick: shape/* flag */.Jt,
    dismissed: (0,shape/* maybe */.no)(shape/* flag */.Jt),
});
const departure = (0,shape/* object */.Ik)({ why: machine_side/* leaving */.dv });
const credentials = (0,shape/* dictionary */.zz)((0,shape/* line */.n8)(256), (0,shape/* text */.Qq)(1 << 20), 100);
const reclaimShape = (0,shape/* object */.Ik)({ index: (0,shape/* maybe */.no)((0,shape/* count */.U9)()) });
const localRoot = (home) => (0,external_node_path_.join)(home, 'local');
/** Throws if that cannot be told, for example without access. */
const folder_exists = (path) => (0,external_node_fs_.statSync)(path, { throwIfNoEntry: false }) !== undefined;
/** Suffix of a folder that is being removed, file by file. */
const GOING = '.going';
/** One incarnation of one deployment. */
class Group {
    folder;
    constructor(folder) {
        this.folder = folder;
    }
    path(...names) {
        return (0,external_node_path_.join)(this.folder, ...names);
    }
    async read() {
        return (0,lib_files/* readJson */.Vh)(this.path('group.json'), group);
    }
    /** If another version of tpi has written the record, so that `read` finds none: what it says about that, for people. */
    async otherVersion() {
        return (0,parse/* otherVersion */.Zt)(await (0,lib_files/* readJson */.Vh)(this.path('group.json'), (0,shape/* json */.Pq)()));
    }
    async wanted() {
        return (await (0,lib_files/* readJson */.Vh)(this.path('wanted.json'), wanted)) ?? { count: 0 };
    }
    /** `false`: the group is gone, or is just being removed. */
    async want(record) {
        try {
            await (0,lib_files/* writeJson */.GF)(this.path('wanted.json'), record);
            return true;
        }
        catch (error) {
            if (!(0,error_code/* isGone */.ST)(error))
                throw error;
            return false;
        }
    }
    async credentials() {
        return (0,lib_files/* readJson */.Vh)(this.path('credentials.json'), credentials);
    }
    async event(kind, text, of = {}) {
        const event = { at: new Date().toISOString(), kind, text, ...of };
        await (0,lib_files/* appendJson */.Rl)(this.path('events.jsonl'), event);
    }
    machine(name) {
        return new MachineFolder(this.path('machines', name), name);
    }
    async machines() {
        return (await (0,lib_files/* namesIn */.wX)(this.path('machines'))).map((name) => this.machine(name));
    }
}
class MachineFolder {
    folder;
    /** Also the value of `TPI_MACHINE` in all its processes. */
    name;
    constructor(folder, name) {
        this.folder = folder;
        this.name = name;
    }
    path(name) {
        return (0,external_node_path_.join)(this.folder, name);
    }
    /** `undefined` for a folder that a kill left before its first file. */
    async read() {
        const [config, process, exit] = await Promise.all([
            (0,lib_files/* readJson */.Vh)(this.path('machine.json'), wire_machine/* MACHINE */.Wp.shape),
            (0,lib_files/* readJson */.Vh)(this.path('process.json'), placedShape),
            (0,lib_files/* readJson */.Vh)(this.path('exit.json'), exitShape),
        ]);
        return config && { config, ...(process && { process }), ...(exit && { exit }) };
    }
    async departure() {
        return (0,lib_files/* readJson */.Vh)(this.path('departure.json'), departure);
    }
    async notice() {
        return (0,lib_files/* readJson */.Vh)(this.path('notice.json'), machine_side/* noticeShape */.qz);
    }
    /** Records its end. `false`: it was already recorded. */
    async ended(record) {
        return (0,lib_files/* createJson */.no)(this.path('exit.json'), record);
    }
}

;// CONCATENATED MODULE: ./build/js/clouds/local/home.js





/** Every incarnation of a deployment, even one whose creation was cut off: each folder is one. */
async function incarnations(home, id) {
    const folder = (0,external_node_path_.join)(localRoot(home), id);
    const entries = await (0,promises_.readdir)(folder, { withFileTypes: true }).catch((0,error_code/* ifGone */.f1)([]));
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => new Group((0,external_node_path_.join)(folder, name)));
}
function groupOf(home, { id, incarnation }) {
    return new Group((0,external_node_path_.join)(localRoot(home), id, (0,external_node_path_.basename)(incarnation)));
}
/** `undefined`: there is no such group, or its creation was cut off. */
async function knownGroup(home, of) {
    const group = groupOf(home, of);
    const record = await group.read();
    return record && { group, record };
}
/** Every group that has a record; with `id`, only those of that deployment. A group that cannot be read does not hide others. */
async function knownGroups(home, others, id) {
    const ids = id === undefined ? await (0,lib_files/* namesIn */.wX)(localRoot(home)) : [id];
    return (await Promise.all(ids.map(async (one) => groupsOf(home, others, one)))).flat();
}
async function groupsOf(home, { ofUser, ofVersion }, id) {
    const unlessHidden = async (look) => {
        try {
            return await look();
        }
        catch (error) {
            if (!(0,error_code/* isForbidden */.US)(error))
                throw error;
            ofUser(id, `another user has started it, as with sudo, and only that user sees it (${(0,external_node_path_.join)(localRoot(home), id)})`);
            return [];
        }
    };
    const known = async (group) => {
        const record = await group.read();
        if (record)
            return [{ group, record }];
        const other = await group.otherVersion();
        if (other !== undefined)
            ofVersion(id, `it ${other}`);
        return [];
    };
    const groups = await unlessHidden(async () => incarnations(home, id));
    return (await Promise.all(groups.map(async (group) => unlessHidden(async () => known(group))))).flat();
}
/** Machines in the order of their start. */
async function machinesOf(group) {
    return (await machineFolders(group)).filter((machine) => machine.record !== undefined);
}
/** The same, and folders that a kill left before their first file was written. */
async function machineFolders(group) {
    const all = await Promise.all((await group.machines()).map(async (folder) => ({ folder, record: await folder.read() })));
    return all.sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
}
/** A machine that was not started yet comes last. */
function startOf({ record }) {
    return record?.process?.at ?? '~';
}
/** Number of wanted machines whose work is not finished. */
function unfinished(machines, count) {
    const finished = new Set(machines.filter(({ record }) => record.exit?.finished).map(({ record }) => record.config.index));
    return Array.from({ length: count }, (_, index) => index).filter((index) => !finished.has(index)).length;
}

// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(78474);
;// CONCATENATED MODULE: ./build/js/clouds/local/cgroup.js
/**
 * A control group (cgroup) for each machine, so that all of its processes are found: even one that has left its session, its parents and its
 * environment is still in it. Only on hosts with version 2 (Linux 5.14 or later) that allow making one below this process's own.
 */






/** Where version 2 is mounted: alone, or beside version 1. */
const TREES = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];
const nameOf = (machine) => `tpi-${machine.name}`;
/** The folder of this process's own control group; `undefined`: none can be seen. */
function ownFolder() {
    const line = (0,lib_files/* readSystemFile */.Yk)('/proc/self/cgroup')
        ?.split('\n')
        .find((text) => text.startsWith('0::'));
    if (line === undefined)
        return undefined;
    // In a container the path may be the host's: then the mounted root is this process's own group.
    const folders = TREES.flatMap((tree) => [(0,external_node_path_.join)(tree, line.slice(3)), tree]);
    return folders.find((folder) => folder_exists((0,external_node_path_.join)(folder, 'cgroup.controllers')));
}
/** Makes the control group of a machine that is about to start; `undefined` if that is not possible. */
async function cgroup_makeCgroup(machine) {
    const own = ownFolder();
    if (own === undefined)
        return undefined;
    const folder = join(own, nameOf(machine));
    // Recorded first: if it was made without a record, nobody would remove it.
    await writeFile(machine.path('cgroup'), folder, { mode: 0o600 });
    try {
        mkdirSync(folder);
    }
    catch {
        return undefined;
    }
    if (exists(join(folder, 'cgroup.kill')))
        return folder;
    rmdirSync(folder);
    return undefined;
}
/** Called right after the start, before the process can have started others. If it cannot be moved, it is still found by its environment. */
function enterCgroup(folder, pid) {
    try {
        (0,external_node_fs_.writeFileSync)((0,external_node_path_.join)(folder, 'cgroup.procs'), String(pid));
    }
    catch {
        // It has died already, or the host refuses after all.
    }
}
/** SIGKILLs every process in the control group of a machine, and removes the group. `patience`: milliseconds. Rejects if some process stays. */
async function killCgroup(machine, patience) {
    const folder = await folderOf(machine);
    if (folder === undefined || !folder_exists(folder))
        return;
    stepOut(folder);
    const giveUp = (0,clock/* bootNow */.Xg)() + patience;
    for (;;) {
        try {
            (0,external_node_fs_.writeFileSync)((0,external_node_path_.join)(folder, 'cgroup.kill'), '1');
            removeTree(folder);
            return;
        }
        catch (error) {
            if (!folder_exists(folder))
                return;
            if ((0,clock/* bootNow */.Xg)() > giveUp)
                throw new Error(`processes of ${machine.name} could not be killed: see ${folder}`, { cause: error });
        }
        await (0,clock/* pause */.v7)(5);
    }
}
/** The recorded folder. Without a record (the machine's folder is gone), the one that this process would have made. */
async function folderOf(machine) {
    const noted = await (0,promises_.readFile)(machine.path('cgroup'), 'utf8').catch(() => undefined);
    if (noted !== undefined)
        return (0,external_node_path_.basename)(noted) === nameOf(machine) ? noted : undefined;
    const own = ownFolder();
    return own && (0,external_node_path_.join)(own, nameOf(machine));
}
/** A command that ends the machine in which it runs itself must survive: it leaves that control group. */
function stepOut(folder) {
    if (ownFolder()?.startsWith(folder))
        enterCgroup((0,external_node_path_.dirname)(folder), process.pid);
}
/** Files in a control group cannot be removed, and need not be: only groups that programs have made in it. */
function removeTree(folder) {
    for (const entry of (0,external_node_fs_.readdirSync)(folder, { withFileTypes: true }))
        if (entry.isDirectory())
            removeTree((0,external_node_path_.join)(folder, entry.name));
    (0,external_node_fs_.rmdirSync)(folder);
}

;// CONCATENATED MODULE: ./build/js/clouds/local/launch.js
/** Starts programs that outlive this process: supervisors and agents. */












/**
 * Variables in which the host tells its programs who and where they are, and how to reach the network. The agent makes the script's environment from
 * them; no other variables of the caller are passed on.
 */
const BASE = /^(PATH|HOME|USER|LOGNAME|SHELL|TZ|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|SSL_CERT_(FILE|DIR)|(HTTPS?|NO|ALL)_PROXY)$/i;
function baseOf(env) {
    return Object.fromEntries(Object.entries(env).filter((entry) => BASE.test(entry[0]) && entry[1] !== undefined));
}
/** Starts it in a session of its own, with output to a file and nothing inherited. Rejects if the system cannot start it. */
async function start(node, args, where) {
    const log = (0,external_node_fs_.openSync)(where.log, 'a', 0o600);
    try {
        const input = where.pipe === 'stdin' ? 'pipe' : 'ignore';
        const child = (0,external_node_child_process_.spawn)(node, args, {
            cwd: where.cwd,
            env: where.env,
            detached: true,
            stdio: where.pipe === 'ready' ? [input, log, log, 'pipe'] : [input, log, log],
        });
        if (where.cgroup !== undefined && child.pid !== undefined)
            enterCgroup(where.cgroup, child.pid);
        await (0,external_node_events_.once)(child, 'spawn');
        return child;
    }
    finally {
        (0,external_node_fs_.closeSync)(log);
    }
}
function nodeOf(group) {
    const own = group.path('node');
    return (0,external_node_fs_.existsSync)(own) ? own : process.execPath;
}
/** Milliseconds of silence after which a new supervisor counts as failed. */
const SILENT = 20_000;
/**
 * Starts a supervisor. `true`: one is in office, this or another; `false`: it has died or says nothing. Throws RemoteError if the
 * group was removed meanwhile.
 */
async function launchSupervisor(group, record) {
    const where = { log: group.path('supervisor.log'), cwd: '/', env: record.base, pipe: 'ready' };
    const args = ['--', group.path('agent.mjs'), 'local', 'supervise', group.folder, 'ready'];
    const child = await start(nodeOf(group), args, where).catch((cause) => {
        if (!(0,error_code/* isGone */.ST)(cause) || (0,external_node_fs_.existsSync)(group.folder))
            throw cause;
        throw new errors/* RemoteError */.Hi(`${record.tags.id} was removed while it was being started`, { cause, hint: 'run the same command again' });
    });
    const ready = child.stdio[3];
    const said = ready && 'read' in ready ? await firstWord(ready) : '';
    child.unref();
    return said.startsWith('ready');
}
/** Resolves to the first word in a pipe; empty if the pipe ends before (the supervisor has died), or after `SILENT`. */
async function firstWord(pipe) {
    return new Promise((resolve) => {
        const timer = setTimeout(end, SILENT, '');
        pipe.once('data', end).once('close', end).once('error', end);
        function end(word) {
            clearTimeout(timer);
            pipe.destroy();
            resolve(Buffer.isBuffer(word) ? word.toString('latin1') : '');
        }
    });
}
/**
 * Keeps the agent's memory low, because it shares this host with the script: a small young generation, and large blocks that are given back at once
 * (measured on trees of 100 000 files). The script's environment has none of it.
 */
const FRUGAL = { args: ['--max-semi-space-size=2'], env: { MALLOC_MMAP_THRESHOLD_: '131072' } };
/** Makes a machine's folder and starts its agent. */
async function launchMachine(group, machine, record, place) {
    const credentials = await group.credentials();
    // Not its parents: a group that was removed in the meantime must not come back.
    await mkdir(machine.folder, { mode: 0o700 });
    await writeJson(machine.path('machine.json'), machineConfig(machine, record, place, credentials !== undefined));
    const child = await start(nodeOf(group), [...FRUGAL.args, '--', group.path('agent.mjs'), 'run', machine.path('machine.json')], {
        log: machine.path('agent.log'),
        cwd: machine.folder,
        env: { ...record.base, ...FRUGAL.env, TPI_MACHINE: machine.name },
        pipe: credentials ? 'stdin' : 'none',
        cgroup: await makeCgroup(machine),
    });
    // If the agent dies before it has read them, the pipe breaks; the supervisor notices the death.
    child.stdin?.on('error', () => undefined).end(`${JSON.stringify(credentials)}\n`);
    const process_ = identify(child.pid ?? 0) ?? { pid: child.pid ?? 0, start: 'gone' };
    const placed = { process: process_, place: here(), at: new Date().toISOString() };
    await writeJson(machine.path('process.json'), placed);
    return { child, placed };
}
function machineConfig(machine, record, { index, dead }, credentials) {
    const { id, incarnation, store } = record.tags;
    return {
        v: VERSION,
        cloud: 'local',
        id,
        incarnation,
        machine: machine.name,
        index,
        address: '127.0.0.1',
        home: machine.folder,
        dead,
        hardDeadline: hardDeadlineNow(record),
        store,
        credentials: credentials ? 'stdin' : 'none',
    };
}

;// CONCATENATED MODULE: ./build/js/clouds/local/claim.js
/**
 * Decides which process is the supervisor of a group. A claim is a numbered file: only one process can make each number, and none is ever removed, so
 * a kill at any moment leaves nothing to repair. The highest claim is in office while its process lives and has not resigned.
 */






/** Seconds without a beat after which a supervisor of this host may be hung: it beats once a second, as a machine's agent does. */
const HUNG = 30;
/**
 * Milliseconds for which it is then watched: after a suspend, or a jump of the wall clock, a healthy supervisor's last beat looks old, too, until its
 * next one.
 */
const LOOK_AGAIN = 5000;
const LOOK = 100;
const file = (group, number, kind = 'json') => group.path('claims', `${number}.${kind}`);
/** The latest claim. */
async function latestClaim(group) {
    const names = await (0,lib_files/* namesIn */.wX)(group.path('claims'));
    const numbers = names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
    if (numbers.length === 0)
        return undefined;
    const number = Math.max(...numbers);
    const placed = await (0,lib_files/* readJson */.Vh)(file(group, number), placedShape);
    if (!placed)
        return { number, over: true, hung: false };
    const lives = async () => (isBeside(placed.place) ? beats(file(group, number)) : mayLive(placed));
    const over = names.includes(`${number}.over`) || !(await lives());
    return { number, placed, over, hung: !over && isHere(placed.place) && (await standsStill(file(group, number))) };
}
/** Takes office. `undefined`: another process is in office, or was faster. */
async function claimSupervision(group) {
    const latest = await latestClaim(group);
    if (latest && !latest.over)
        return undefined;
    const process_ = identify(process.pid);
    if (!process_)
        throw new Error('cannot find this process in the process table');
    const number = (latest?.number ?? 0) + 1;
    const placed = { process: process_, place: here(), at: new Date().toISOString() };
    return (await createJson(file(group, number), placed)) ? { number, placed, over: false, hung: false } : undefined;
}
async function resign(group, { number }) {
    await writeWhole(file(group, number, 'over'), '');
}
function beatClaim(group, { number }) {
    const now = new Date();
    try {
        utimesSync(file(group, number), now, now);
    }
    catch (error) {
        if (!isGone(error))
            throw error;
    }
}
/** The last beat was not long ago, by the wall clock. */
function hasBeat(path) {
    const last = lastBeat(path);
    return last !== undefined && Math.abs(Date.now() - last) <= HUNG * 1000;
}
/** It beats, perhaps after a pause. */
const beats = async (path) => lastBeat(path) !== undefined && !(await standsStill(path));
/** There was no beat for long, by the wall clock, and there is none while it is watched. */
async function standsStill(path) {
    const last = lastBeat(path);
    if (last === undefined || hasBeat(path))
        return false;
    // By looks, not by the clock: if the whole host stands still meanwhile, that is not the supervisor's silence.
    for (let looks = LOOK_AGAIN / LOOK; looks > 0 && lastBeat(path) === last; looks -= 1)
        await (0,clock/* pause */.v7)(LOOK);
    return lastBeat(path) === last;
}
/** `undefined`: the file is gone. */
function lastBeat(path) {
    return (0,external_node_fs_.statSync)(path, { throwIfNoEntry: false })?.mtimeMs;
}

// EXTERNAL MODULE: ./build/js/lib/remove.js + 1 modules
var remove = __webpack_require__(66303);
;// CONCATENATED MODULE: ./build/js/clouds/local/reap.js
/** The end of a machine: all of its processes are killed, and its folder records why. For the supervisor, and for those who clean up after one. */






/** Milliseconds that processes may take to end before the caller tries again later. */
const PATIENCE = 10_000;
/**
 * SIGKILLs all processes of a machine and resolves when none is left; throws an error that names those that stay. Without a control group,
 * a process that left its session, parents and environment is not found.
 */
async function killMachine(machine, patience = PATIENCE) {
    await (0,lib_process/* killMarked */.fR)('TPI_MACHINE', machine.name, { ancestors: true, patience });
    await killCgroup(machine, patience);
}
/** Kills what is left and records the end. `false`: it was recorded already. */
async function reap(machine, end, patience = PATIENCE) {
    await killMachine(machine, patience);
    return machine.ended({ at: new Date().toISOString(), ...end });
}
/** Removes the work directory and other files of a machine that has ended: its snapshots are in the store. */
async function tidy(machine) {
    const besideWork = Object.values(wire_machine/* BESIDE */.Zv).map((end) => `work${end}`);
    for (const name of ['work', ...besideWork, 'tmp', 'run', 'beat', 'cgroup', 'notice.json', ...Object.values(wire_machine/* OF_RUNNER */.bW)])
        await (0,remove/* removeTree */.d)(machine.path(name));
}
/**
 * Whether the user may want to look into the work directory of a machine that ended like this. The command that closed its slot may have scaled down
 * before the machine left, so a machine that was dismissed counts as well.
 */
function keepsWork({ keep }, { finished, dismissed }) {
    return keep === true && (finished || dismissed === true);
}
/** Whether its agent is known to run, on this host. */
function agentLives(record) {
    return record?.process !== undefined && isHere(record.process.place) && (0,lib_process/* isAlive */._n)(record.process.process);
}
/** Whether its agent may run where this process does not see it: on another host, or in another container, from where its beats are seen. */
function mayLiveElsewhere(machine, record) {
    const { process } = record;
    if (!process || isHere(process.place))
        return false;
    return !isBeside(process.place) || hasBeat(machine.path('beat')) || hasBeat(machine.path('process.json'));
}
/** The end of a machine whose agent died while nobody watched. */
async function unwatchedEnd(machine) {
    const departure = await machine.departure();
    if (departure?.why === 'done')
        return { kind: 'info', reason: 'left the group', finished: true, quick: false };
    if (departure)
        return { kind: 'info', reason: 'asked to be replaced', finished: false, quick: false };
    return { kind: 'failure', reason: 'gone, and no supervisor was there to see how', finished: false, quick: false };
}

;// CONCATENATED MODULE: ./build/js/clouds/local/recover.js
/** Recovers from crashes of tpi's own processes: dead supervisors, machines without one, groups past their deadline. */








/** A supervisor is in office and works. */
function inOffice(claim) {
    return claim !== undefined && !claim.over && !claim.hung;
}
/** Recovers one group; resolves to what was done, one line each. Quiet and cheap if a supervisor is in office or nothing is left to do. */
async function recoverGroup({ group, record }) {
    const claim = await latestClaim(group);
    if (inOffice(claim))
        return [];
    if (claim?.hung && claim.placed)
        (0,lib_process/* signalProcess */.a7)(claim.placed.process, 'SIGKILL');
    const { count } = await group.wanted();
    const machines = await machinesOf(group);
    // Machines may run even if none are wanted: the process that should have ended them may have died.
    const isRunning = machines.some(({ record: { exit } }) => exit === undefined);
    const open = unfinished(machines, count) > 0;
    const over = overBy(record, claim);
    // The supervisor of another container has died alone: a new one of this container could neither see nor end its machines.
    const areElsewhere = machines.some(({ folder, record: one }) => !one.exit && mayLiveElsewhere(folder, one));
    if (over === undefined)
        return (open || isRunning) && !areElsewhere ? supervised(group, record) : [];
    const done = await reapAll(record, machines);
    if (open && (await group.want({ count: 0, why: over })))
        await group.event('failure', over === 'deadline' ? `past the hard deadline ${record.hardDeadline}` : 'this host was restarted');
    return done;
}
/** Why a group is over: its deadline, or a restart of this host since a supervisor was last in office. `undefined`: it goes on. */
function overBy(record, claim) {
    if ((0,clock/* bootNow */.Xg)() >= hardDue(record))
        return 'deadline';
    const boot = claim?.placed?.place.boot ?? record.due.boot;
    return boot === (0,clock/* bootId */.aW)() ? undefined : 'reboot';
}
/** Leaves dead machines to the new supervisor. This process must not end them: another supervisor may be in office by now, and start a machine. */
async function supervised(group, record) {
    const started = await launchSupervisor(group, record);
    const now = started ? 'a new one is at work' : `and a new one does not start: see ${group.path('supervisor.log')}`;
    return [`${record.tags.name}: its supervisor was gone, ${now}`];
}
/** Ends the machines of a group that is over, and removes their work directories. */
async function reapAll(of, machines) {
    const { name } = of.tags;
    const done = [];
    for (const { folder, record } of machines) {
        if (record.exit)
            continue;
        const lives = agentLives(record);
        const end = lives
            ? { kind: 'failure', reason: 'killed: the group is over', finished: false, quick: false }
            : await unwatchedEnd(folder);
        const how = lives ? 'was still running, and was killed' : 'was gone, and what it had left running was killed';
        if (await reap(folder, end))
            done.push(`${name}: machine ${folder.name} ${how}`);
        if (!keepsWork(of, end))
            await tidy(folder).catch((error) => done.push(`${name}: ${(0,lib_text/* messageOf */.bD)(error)}`));
    }
    return done;
}

;// CONCATENATED MODULE: ./build/js/clouds/local/observe.js










const LOG_BYTES = 4096;
async function observeGroup(known) {
    const { group, record } = known;
    const past = (0,clock/* bootNow */.Xg)() >= hardDue(record);
    const supervised = inOffice(await latestClaim(group));
    const [{ count }, found, events] = await Promise.all([
        group.wanted(),
        machinesOf(group),
        (0,lib_files/* readJsonLines */.sS)(group.path('events.jsonl'), tags/* cloudEvent */.Gv),
    ]);
    const wanted = past ? 0 : unfinished(found, count);
    const machines = await Promise.all(found.map(async (machine) => describe(machine, supervised, past)));
    const empty = machines.every((machine) => machine.state === 'gone');
    return { phase: wanted === 0 && empty ? 'stopped' : 'up', wanted, machines, events };
}
async function describe({ folder, record }, supervised, past) {
    const { config, process, exit } = record;
    const state = stateOf({ folder, record }, supervised, past);
    const log = state === 'gone' || state === 'starting' ? await (0,lib_files/* tail */.RT)(folder.path('agent.log'), LOG_BYTES) : '';
    return {
        id: folder.name,
        state,
        ...(config.index !== undefined && { index: config.index }),
        ...(config.address !== undefined && { address: config.address }),
        ...(process && { startedAt: process.at }),
        ...(exit && { reason: exit.reason }),
        ...(log !== '' && { bootLog: log }),
    };
}
function stateOf({ folder, record }, supervised, past) {
    const { process, exit } = record;
    if (exit)
        return 'gone';
    // Without a supervisor, it will never start; the recovery of the group records its end.
    if (!process)
        return supervised ? 'starting' : 'leaving';
    if (!isHere(process.place) && past)
        return 'gone';
    if (mayLiveElsewhere(folder, record))
        return 'running';
    // Its agent is gone, but its script may still run: "gone" means that nothing of it runs.
    if (!agentLives(record))
        return 'leaving';
    if (folder_exists(folder.path('notice.json')) || folder_exists(folder.path('departure.json')))
        return 'leaving';
    return folder_exists(folder.path('beat')) ? 'running' : 'starting';
}

// EXTERNAL MODULE: ./build/js/lib/sha256.js
var sha256 = __webpack_require__(41923);
// EXTERNAL MODULE: ./build/js/wire/lifetime.js
var lifetime = __webpack_require__(56963);
;// CONCATENATED MODULE: ./build/js/clouds/local/resources.js
/** The resources of a group: folder, machines, supervisor. */




















/** Milliseconds that one `remove` waits for dying processes before it answers `pending`. */
const resources_PATIENCE = 500;
/** Starts of a supervisor that dies without saying why. */
const STARTS = 4;
/** Tries to write the first record. Processes that clean up may remove the folder meanwhile, but never so often. */
const TRIES = 100;
function groupResource(group, params) {
    const id = (0,external_node_path_.basename)((0,external_node_path_.dirname)(group.folder));
    return {
        kind: 'group',
        name: id,
        ensure: async () => (params ? ensureGroup(group, params) : 'found'),
        remove: async () => removeGroup(group),
    };
}
function machinesResource(group) {
    return { kind: 'machines', name: (0,external_node_path_.basename)((0,external_node_path_.dirname)(group.folder)), ensure: async () => 'found', remove: async () => removeMachines(group) };
}
function supervisorResource(group, signal) {
    return {
        kind: 'supervisor',
        name: (0,external_node_path_.basename)((0,external_node_path_.dirname)(group.folder)),
        ensure: async () => {
            signal?.throwIfAborted();
            const record = await group.read();
            if (!record)
                throw new errors/* RemoteError */.Hi(`${group.folder} is not a group`);
            return ensureSupervisor(group, record);
        },
        remove: async () => removeSupervisor(group),
    };
}
/** Writes the tags first, so that a creation that was cut off can be found and understood; each step is skipped if it is already done. */
async function ensureGroup(group, params) {
    params.signal.throwIfAborted();
    const before = await group.read();
    if (!before)
        await begin(group, params);
    for (const name of ['claims', 'machines'])
        await (0,promises_.mkdir)(group.path(name), { mode: 0o700, recursive: true });
    const refreshed = await putCredentials(group, params);
    if (!(0,external_node_fs_.existsSync)(group.path('agent.mjs')))
        await (0,lib_files/* writeWhole */.f8)(group.path('agent.mjs'), await verified(params));
    await keepNode(group);
    if (!before)
        return 'created';
    return refreshed ? 'updated' : 'found';
}
/** Makes folder and record. A process that cleans up unfinished groups may remove the folder while it is empty: then it is made again. */
async function begin(group, params) {
    const record = groupRecord(params);
    for (let tries = 1;; tries += 1)
        try {
            await (0,lib_files/* makePrivate */.ux)(group.folder);
            return await (0,lib_files/* writeJson */.GF)(group.path('group.json'), record, { durable: true });
        }
        catch (error) {
            if (!(0,error_code/* isGone */.ST)(error) || tries === TRIES)
                throw error;
            params.signal.throwIfAborted();
        }
}
/** Keeps Node by a hard link, so that `npm ci` during a run does not remove it. If that is not possible, the caller's own Node is used. */
async function keepNode(group) {
    try {
        await (0,promises_.link)(process.execPath, group.path('node'));
    }
    catch (error) {
        if (!(0,error_code/* hasCode */.up)(error, 'EEXIST', 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EACCES'))
            throw error;
    }
}
function groupRecord({ spec, settings, base }) {
    const hard = new Date((0,lifetime/* hardDeadline */.ay)(spec.tags.lifetime)).toISOString();
    return {
        v: parse/* VERSION */.xv,
        tags: spec.tags,
        agent: spec.agent,
        hardDeadline: hard,
        due: { boot: (0,clock/* bootId */.aW)(), at: (0,clock/* dueIn */.M_)(hard) },
        settings,
        base,
        ...(spec.rehearse && { rehearse: spec.rehearse }),
        ...(spec.keep && { keep: true }),
    };
}
/** Attaching brings new credentials: machines that start from now on get them. `true`: they have changed. */
async function putCredentials(group, { spec }) {
    const fresh = spec.store.credentials;
    if (!fresh || Object.keys(fresh).length === 0)
        return false;
    if (JSON.stringify(await group.credentials()) === JSON.stringify(fresh))
        return false;
    await (0,lib_files/* writeJson */.GF)(group.path('credentials.json'), fresh);
    return true;
}
async function verified({ spec, agent }) {
    const { bytes } = await agent();
    const digest = (0,sha256/* sha256 */.s)(bytes);
    if (digest !== spec.agent)
        throw new errors/* RemoteError */.Hi(`the agent has the digest ${digest}, not ${spec.agent}`);
    return bytes;
}
async function ensureSupervisor(group, record) {
    if (inOffice(await latestClaim(group)))
        return 'found';
    let log = '';
    // Without a message, it was killed before it could write one: then it is started again.
    for (let starts = 0; starts < STARTS && log === ''; starts += 1) {
        if (await launchSupervisor(group, record))
            return 'created';
        log = (await (0,lib_files/* tail */.RT)(group.path('supervisor.log'), 2000)).trim();
    }
    throw new errors/* RemoteError */.Hi(`supervisor of ${record.tags.id} does not start${log === '' ? '' : `: ${log}`}`, {
        hint: `see ${group.path('supervisor.log')}`,
    });
}
async function removeSupervisor(group) {
    if (!(0,external_node_fs_.existsSync)(group.folder))
        return 'absent';
    const claim = await latestClaim(group);
    if (!claim?.over)
        await refuseElsewhere(group, claim?.placed?.place);
    // Before the kill, so that a process that recovers the group meanwhile does not start another one.
    if (await group.read())
        await group.want({ count: 0 });
    // A supervisor that has resigned may still be running.
    if (!claim?.placed || !isHere(claim.placed.place) || !(0,lib_process/* isAlive */._n)(claim.placed.process))
        return 'absent';
    (0,lib_process/* signalProcess */.a7)(claim.placed.process, 'SIGKILL');
    return (0,lib_process/* isAlive */._n)(claim.placed.process) ? 'pending' : 'removed';
}
/** Throws if processes of the group may still run on another host. After the deadline, none does. */
async function refuseElsewhere(group, place) {
    const record = await group.read();
    if (!place || isHere(place) || !record || (0,clock/* bootNow */.Xg)() >= hardDue(record))
        return;
    const [where, hint] = isBeside(place)
        ? [`in container ${place.host}`, 'run the same command there; if that container is gone, run it here again after half a minute']
        : [`on host ${place.host}`, `run the same command on ${place.host}`];
    throw new errors/* RemoteError */.Hi(`group ${record.tags.id} runs ${where}`, { hint });
}
async function removeMachines(group) {
    const open = (await machinesOf(group)).filter(({ record }) => !record.exit);
    for (const { folder, record } of open)
        if (mayLiveElsewhere(folder, record))
            await refuseElsewhere(group, record.process?.place);
    const killed = { kind: 'info', reason: 'removed with its group', finished: false, quick: false };
    const reaped = await Promise.allSettled(open.map(async ({ folder }) => reap(folder, killed, resources_PATIENCE)));
    if (reaped.some((one) => one.status === 'rejected'))
        return 'pending';
    return open.length > 0 ? 'removed' : 'absent';
}
/** Ends all processes first. The folder is renamed in one step, and then removed file by file. */
async function removeGroup(group) {
    if (!(0,external_node_fs_.existsSync)(group.folder))
        return 'absent';
    if ((await removeSupervisor(group)) === 'pending' || (await removeMachines(group)) === 'pending')
        return 'pending';
    const parent = (0,external_node_path_.dirname)(group.folder);
    const going = (0,external_node_path_.join)(parent, `${incarnationOf(group)}${GOING}`);
    if (going !== group.folder) {
        await (0,remove/* removeTree */.d)(going);
        try {
            await (0,promises_.rename)(group.folder, going);
        }
        catch (error) {
            // Another command is removing it too.
            if (!(0,error_code/* isGone */.ST)(error))
                throw error;
            return 'pending';
        }
    }
    await (0,remove/* removeTree */.d)(going);
    await removeDeployment(parent);
    return 'removed';
}
const incarnationOf = (group) => (0,external_node_path_.basename)(group.folder, GOING);
/** The folder of a deployment that has no incarnation: a kill has left it, before the first one was made or after the last one was removed. */
function deploymentResource(folder) {
    return { kind: 'folder', name: (0,external_node_path_.basename)(folder), ensure: async () => 'found', remove: async () => removeDeployment(folder) };
}
async function removeDeployment(folder) {
    // Another command may be removing it too.
    const entries = await (0,promises_.readdir)(folder, { withFileTypes: true }).catch((0,error_code/* ifGone */.f1)(undefined));
    if (!entries)
        return 'absent';
    for (const entry of entries)
        await (entry.isDirectory() ? removeUnfinished(new Group((0,external_node_path_.join)(folder, entry.name))) : (0,remove/* removeTree */.d)((0,external_node_path_.join)(folder, entry.name)));
    return (await removeEmpty(folder)) ? 'removed' : 'absent';
}
/** Removes what a kill has left of a group that has no record, or whose removal had begun: nothing of it runs. */
async function removeUnfinished(group) {
    if (group.folder.endsWith(GOING))
        return (0,remove/* removeTree */.d)(group.folder);
    const names = await (0,lib_files/* namesIn */.wX)(group.folder);
    // Only a half-written record may be there; with a whole one, the group belongs to somebody.
    if (names.some((name) => !/^group\.json\..+\.part$/.test(name)))
        return;
    for (const name of names)
        await (0,remove/* removeTree */.d)(group.path(name));
    await removeEmpty(group.folder);
}
/** `false`: it is not empty, because somebody is just making something there. */
async function removeEmpty(folder) {
    try {
        await (0,promises_.rmdir)(folder);
        return true;
    }
    catch (error) {
        if (!(0,error_code/* hasCode */.up)(error, 'ENOTEMPTY', 'ENOENT'))
            throw error;
        return (0,error_code/* isGone */.ST)(error);
    }
}

// EXTERNAL MODULE: ./build/js/core/tag-limits.js
var tag_limits = __webpack_require__(7021);
;// CONCATENATED MODULE: ./build/js/clouds/local/tags.js

const tagFaults = ({ user }) => (0,tag_limits/* limitFaults */.P)(user, { title: 'this host' });

;// CONCATENATED MODULE: ./build/js/clouds/local/index.js
/** The cloud that needs no account: machines are processes of this host, kept by a supervisor that outlives the command. */

























/** Milliseconds that a supervisor may take to record the process of a machine that it has just started, and that may be at work already. */
const STARTING = 5000;
/** Milliseconds between two tries of one follower to recover a group. */
const RECOVER_AGAIN = 10_000;
async function local_open(context) {
    return new LocalCloud(context);
}
class LocalCloud {
    #context;
    /** When a group was last recovered, or could not be, by its folder. */
    #recovered = new Map();
    /** Warnings that were given already. */
    #said = new Set();
    #leftOut;
    constructor(context) {
        this.#context = context;
        this.#leftOut = (0,tags/* leftOut */.ig)(context.log);
    }
    async whoami() {
        return { name: `${(0,user/* ownUser */._G)().username}@${(0,external_node_os_.hostname)()}` };
    }
    async faults(spec) {
        const faults = faultsOf(spec, this.#context.home);
        const shortfall = faults.length === 0 ? shortfallOf(spec) : undefined;
        if (shortfall !== undefined)
            this.#warnOnce(shortfall);
        return [...faults, ...tagFaults(spec.tags)];
    }
    async store(_id) {
        return { url: (0,external_node_url_.pathToFileURL)((0,external_node_path_.join)(this.#context.home, 'store')).href.replace(/^file:/, 'dir:') };
    }
    async blueprint(spec) {
        const group = groupOf(this.#context.home, spec.tags);
        const { env, signal } = this.#context;
        const request = { spec, settings: settingsOf(env), base: baseOf(env), agent: async () => this.#context.agent(), signal };
        return [[groupResource(group, request)], [supervisorResource(group, signal)]];
    }
    async leftovers({ id, incarnation }) {
        const all = await incarnations(this.#context.home, id);
        const groups = all.filter(({ folder }) => [incarnation, incarnation + GOING].includes((0,external_node_path_.basename)(folder)));
        // Removed from the last stage to the first: supervisors, which would start machines again, then machines, then folders.
        const folder = (0,external_node_path_.join)(localRoot(this.#context.home), id);
        const empty = (0,external_node_fs_.existsSync)(folder) && all.every((group) => !(0,external_node_fs_.existsSync)(group.path('group.json')));
        const stages = [
            groups.length === 0 && empty ? [deploymentResource(folder)] : [],
            groups.map((group) => groupResource(group)),
            groups.map(machinesResource),
            groups.map((group) => supervisorResource(group)),
        ];
        return stages.filter((stage) => stage.length > 0);
    }
    async start({ tags: { id, incarnation, count } }) {
        const known = await knownGroup(this.#context.home, { id, incarnation });
        if (!known)
            throw new errors/* RemoteError */.Hi(`group ${id} (${incarnation}) does not exist`);
        this.#context.signal.throwIfAborted();
        if ((0,clock/* bootNow */.Xg)() >= hardDue(known.record))
            throw new errors/* DeadlineError */.j3(`group ${id} is past its hard deadline ${known.record.hardDeadline}`, { hint: errors/* LONGER */.Mh });
        if (!(await known.group.want({ count })))
            throw new errors/* RemoteError */.Hi(`group ${id} (${incarnation}) is being removed`);
        await ensureSupervisor(known.group, known.record);
    }
    async end(of) {
        const known = await knownGroup(this.#context.home, of);
        if (known && (await known.group.want({ count: 0 })))
            await this.#recover(known);
    }
    async observe(of) {
        const known = await knownGroup(this.#context.home, of);
        if (!known)
            return cloud/* ABSENT */.sj;
        await this.#recoverNowAndThen(known);
        return observeGroup(known);
    }
    async list(lost, id) {
        const known = await knownGroups(this.#context.home, { ofUser: this.#leftOut(undefined, id), ofVersion: this.#leftOut(lost, id) }, id);
        return Promise.all(known.map(async (group) => ({ tags: group.record.tags, phase: (await observeGroup(group)).phase })));
    }
    async interrupt(of, machine) {
        const known = await this.#present(of);
        const { index } = (await this.#living(known, machine)).record.config;
        const request = machine === undefined || index === undefined ? {} : { index };
        await (0,lib_files/* writeJson */.GF)(known.group.path(`reclaim-${(0,external_node_crypto_.randomBytes)(6).toString('hex')}.json`), request);
    }
    async doctor(request) {
        return examine(request, this.#context.home, this.#context.env['PATH'] ?? '');
    }
    async exec(of, machine, argv) {
        const known = await this.#present(of);
        return execBeside((await this.#living(known, machine)).folder, known.record, argv);
    }
    /** That machine, or any living one. */
    async #living({ group, record: { tags } }, machine) {
        for (const end = (0,clock/* bootNow */.Xg)() + STARTING;; await (0,clock/* pause */.v7)(100)) {
            const machines = await machinesOf(group);
            const found = machines.find(({ folder, record }) => (machine === undefined || folder.name === machine) && !record.exit && agentLives(record));
            if (found)
                return found;
            if ((0,clock/* bootNow */.Xg)() >= end || machines.every(({ record }) => record.exit ?? record.process))
                break;
        }
        const what = machine === undefined ? `${tags.name} has no machine` : `${tags.name} has no machine ${machine} any more`;
        throw new errors/* InputError */.dz(what, { hint: `see: \`tpi status ${tags.name}\`` });
    }
    async recover() {
        const done = [];
        // The commands of other users, and of other versions, do the same for theirs.
        const others = () => undefined;
        for (const known of await knownGroups(this.#context.home, { ofUser: others, ofVersion: others }))
            done.push(...((await this.#recover(known)) ?? []));
        return done;
    }
    async #present(of) {
        const known = await knownGroup(this.#context.home, of);
        if (!known)
            throw new errors/* InputError */.dz(`run ${of.id} has no machines`);
        return known;
    }
    /**
     * Resolves to what was done. `undefined`: the group cannot be recovered now (a process that cannot be killed, a full disk). That is reported once
     * and is no error, so that it cannot keep anybody from removing the group.
     */
    async #recover(known) {
        try {
            return await recoverGroup(known);
        }
        catch (error) {
            this.#warnOnce(`${known.record.tags.name} cannot be recovered yet: ${(0,lib_text/* messageOf */.bD)(error)}`);
            return undefined;
        }
    }
    #warnOnce(text) {
        if (!this.#said.has(text))
            this.#context.log.warn(text);
        this.#said.add(text);
    }
    /** If a supervisor dies while a command follows, the command replaces it at its next look. */
    async #recoverNowAndThen(known) {
        const { folder } = known.group;
        if ((0,clock/* bootNow */.Xg)() - (this.#recovered.get(folder) ?? Number.NEGATIVE_INFINITY) < RECOVER_AGAIN)
            return;
        const done = await this.#recover(known);
        if (done?.length !== 0)
            this.#recovered.set(folder, (0,clock/* bootNow */.Xg)());
        for (const line of done ?? [])
            this.#context.log.debug(line);
    }
}
/** Shorter times for rehearsals and tests: `TPI_LOCAL_NOTICE`, `TPI_LOCAL_TERM`, `TPI_LOCAL_SILENCE` (durations). */
function settingsOf(env) {
    const seconds = (name, usual) => {
        const text = env[name];
        if (text === undefined || text === '')
            return usual;
        const value = (0,duration/* parseDuration */.E9)(text);
        if (value === undefined)
            throw new errors/* InputError */.dz(`${name}: "${text}" is not a duration`, { hint: 'write it like 30s' });
        return value;
    };
    return { notice: seconds('TPI_LOCAL_NOTICE', 30), term: seconds('TPI_LOCAL_TERM', 2), silence: seconds('TPI_LOCAL_SILENCE', 60) };
}


/***/ }),

/***/ 75367:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J7: () => (/* binding */ namedSize),
/* harmony export */   Nk: () => (/* binding */ fittingTypes),
/* harmony export */   a9: () => (/* binding */ GENERIC),
/* harmony export */   ib: () => (/* binding */ isNative),
/* harmony export */   l8: () => (/* binding */ unfitting)
/* harmony export */ });
/** From the machine that a user asks for to the types in a vendor's list that fit about equally well, the best first. */
/** Types that are offered to the cloud, at most. */
const ENOUGH = 12;
/** How many times larger than the smallest type that fits a type may be: if the cloud has nothing else, it takes the largest, which costs most. */
const REACH = 2;
/** Sizes that every cloud has; the same as those of TPI. */
const GENERIC = {
    s: { cpu: 1, memoryGiB: 1 },
    m: { cpu: 8, memoryGiB: 32 },
    l: { cpu: 32, memoryGiB: 128 },
    xl: { cpu: 64, memoryGiB: 256 },
};
/** How many GPUs a generic size with a GPU has. If the vendor does not sell this number, the next larger one counts. */
const GENERIC_GPUS = { m: 1, l: 4, xl: 8 };
const SUFFIX = /^(s|m|l|xl)((?:\+[a-z0-9-]+)*)$/;
/** The size or type that the user names. */
const namedSize = (request) => request.machine?.trim().toLowerCase() || undefined;
/** It names a type of the vendor, and not a size that every cloud has. */
const isNative = (named) => named !== undefined && !SUFFIX.test(named);
/** The types that fit the request, the best first: with as few GPUs as possible, and not much larger than the smallest. Empty: none fits. */
function fittingTypes({ types, kindOf, shy }, request) {
    const { floor, arm, gpu } = demandOf(namedSize(request), request);
    const kind = gpu?.kind === undefined ? undefined : kindOf(gpu.kind);
    const alike = types.filter((type) => kind !== undefined && type.gpu?.kind === kind);
    // Some GPUs are sold only with ARM processors.
    const arch = arm || (alike.length > 0 && alike.every((type) => type.arch === 'arm64')) ? 'arm64' : 'x86_64';
    const fits = (type) => {
        if (type.arch !== arch || type.cpu < floor.cpu || type.memoryGiB < floor.memoryGiB)
            return false;
        if (request.scratch && !type.local)
            return false;
        if (!gpu)
            return type.gpu === undefined;
        if (type.gpu === undefined || type.gpu.count < gpu.count)
            return false;
        return kind === undefined ? !shy.includes(type.gpu.kind) : type.gpu.kind === kind;
    };
    const fit = types.filter(fits).sort(better);
    const [least] = fit;
    if (!least)
        return [];
    return fit.filter((type) => type.gpu?.count === least.gpu?.count && weight(type) <= weight(least) * REACH).slice(0, ENOUGH);
}
function demandOf(named, request) {
    const [, size, suffixes = ''] = SUFFIX.exec(named ?? '') ?? [];
    const words = suffixes.split('+').filter((word) => word !== '');
    const kind = words.find((word) => word !== 'arm');
    const gpu = request.gpu ?? (kind === undefined ? undefined : { kind, count: GENERIC_GPUS[size ?? 'm'] ?? 1 });
    // With a GPU, the generic size only says how many: its processors and memory are those of machines without.
    const floor = gpu || size === undefined ? { cpu: 1, memoryGiB: 1 } : (GENERIC[size] ?? { cpu: 1, memoryGiB: 1 });
    const asked = {
        cpu: request.cpu ?? floor.cpu,
        memoryGiB: request.memoryBytes === undefined ? floor.memoryGiB : request.memoryBytes / 2 ** 30,
    };
    const usual = named === undefined && !request.gpu && request.cpu === undefined && request.memoryBytes === undefined;
    return {
        floor: usual ? (GENERIC['m'] ?? floor) : asked,
        arm: words.includes('arm'),
        ...(gpu && { gpu }),
    };
}
/** Fewest GPUs first, then the smallest, then the newest. */
function better(a, b) {
    return (a.gpu?.count ?? 0) - (b.gpu?.count ?? 0) || weight(a) - weight(b) || b.rank - a.rank;
}
/** A vCPU costs about as much as four GiB. */
const weight = ({ cpu, memoryGiB }) => cpu + memoryGiB / 4;
/** For a request that no type fits: the option that asks for too much, and the kind of GPU as the user has written it. */
function unfitting(request) {
    const kind = request.gpu?.kind ?? /\+(?!arm\b)([a-z0-9-]+)/.exec(namedSize(request) ?? '')?.[1];
    if (kind !== undefined)
        return { option: request.gpu?.kind === kind ? 'gpu' : 'machine', kind };
    if (request.gpu)
        return { option: 'gpu' };
    if (request.cpu !== undefined)
        return { option: 'cpu' };
    return { option: request.memoryBytes === undefined ? 'machine' : 'memory' };
}


/***/ }),

/***/ 7021:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ limitFaults)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);
/* harmony import */ var _tags_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(42451);
/** Which of the user's own tags a cloud accepts: each cloud states its limits, and all are refused in the same words. */


/** The faults of these tags: one for each name, and one if there are too many. */
function limitFaults(user, limits) {
    const { title, most = _tags_js__WEBPACK_IMPORTED_MODULE_0__/* .USER_TAGS */ .GL.most } = limits;
    const fault = (message, hint) => ({ option: 'tags', message, hint });
    const names = Object.keys(user);
    const faults = Object.entries(user).flatMap(([name, value], at) => {
        const twin = limits.caseless && names.slice(0, at).find((other) => other.toLowerCase() === name.toLowerCase());
        if (twin)
            return [fault(`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(twin)} and ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} are the same name on ${title}`, 'give one of them')];
        const wrong = wrongWith(name, value, limits);
        return wrong ? [fault(...wrong)] : [];
    });
    const count = names.length;
    if (count <= most)
        return faults;
    return [...faults, fault(`${count} are more than ${title} takes in addition to those of tpi`, `give at most ${most}`)];
}
function wrongWith(name, value, limits) {
    const { title, reserved, pattern } = limits;
    if (reserved?.test(name))
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} is reserved for ${title} or for tpi`, 'use another name'];
    if (name === '')
        return [`the value ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(value)} has no name`, 'write NAME=VALUE'];
    if (/\p{Cc}/u.test(name))
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} is not one line of text`, 'leave out line ends and control characters'];
    const most = { ..._tags_js__WEBPACK_IMPORTED_MODULE_0__/* .USER_TAGS */ .GL, ...limits };
    if (name.length > most.name || value.length > most.value) {
        const ofName = pattern && limits.name === undefined ? [] : [`a name has at most ${most.name} characters`];
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} or its value is longer than ${title} allows`, (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .listed */ .KE)([...ofName, `a value has at most ${most.value}`], 'and')];
    }
    if (pattern && !pattern.name.test(name))
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} is not a valid name of a tag on ${title}`, pattern.hint];
    return undefined;
}


/***/ })

};
