export const id = 7840;
export const ids = [7840];
export const modules = {

/***/ 47840:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  serveStore: () => (/* binding */ serveStore)
});

// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(78474);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: ./build/js/lib/abort.js
var abort = __webpack_require__(72220);
// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/lib/files.js
var files = __webpack_require__(59381);
// EXTERNAL MODULE: ./build/js/wire/machine.js
var machine = __webpack_require__(65179);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
// EXTERNAL MODULE: ./build/js/wire/serve.js
var serve = __webpack_require__(71777);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/lib/mutex.js
var mutex = __webpack_require__(38353);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
;// CONCATENATED MODULE: ./build/js/stores/dir/disk-reserve.js
/**
 * A file that reserves space on the disk. When the disk is full, it is removed, so that records can still change: a slot can then end as failed, with
 * the full store as the reason. Everything else is refused until there is space for a new reserve.
 */





/** Not the name of an object, so no list shows it (`names.ts`). */
const NAME = '%ballast';
/** Bytes: records of a hundred slots. At most this part of the disk. */
const MOST = 8 * 1024 * 1024;
const PART = 1 / 16;
const PIECE = 64 * 1024;
/** The store, with a reserve in its folder from now on until `drop`. */
async function withReserve(store, folder) {
    const reserve = new DiskReserve((0,external_node_path_.join)(folder, NAME), await sizeFor(folder));
    await reserve.take();
    const writeFrom = store.writeFrom?.bind(store);
    const guarded = {
        url: store.url,
        init: async (prefix) => await reserve.guard(() => store.init(prefix)),
        read: async (...wanted) => await store.read(...wanted),
        list: (prefix, after, signal) => store.list(prefix, after, signal),
        remove: async (keys, condition) => await store.remove(keys, condition),
        clear: async (prefix) => await store.clear(prefix),
        async write(key, body, condition, signal) {
            const writing = async () => await store.write(key, body, condition, signal);
            return isRecord(key, condition) ? await reserve.guard(writing) : await reserve.spare(key, writing);
        },
        // Not for records: they are small, and come through `write`. A stream could not be written a second time.
        ...(writeFrom && {
            writeFrom: async (key, body, condition, signal) => await reserve.spare(key, async () => await writeFrom(key, body, condition, signal)),
        }),
    };
    return { store: guarded, drop: async () => await reserve.drop() };
}
/** Records, which are small: who holds a slot, how it ended, and who reads (`layout.ts`), so that results can be collected from a full disk. */
const isRecord = (key, condition) => key.endsWith('.json') || /\/(?:controllers|pins)\/[^/]+$/.test(key) || (condition !== undefined && 'version' in condition);
async function sizeFor(folder) {
    const { blocks, bsize } = await (0,promises_.statfs)(folder);
    return Math.min(MOST, Math.floor((blocks * bsize * PART) / PIECE) * PIECE);
}
class DiskReserve {
    #path;
    #size;
    #there = false;
    #turn = new mutex/* Mutex */.e();
    #taking;
    #drops = 0;
    constructor(path, size) {
        this.#path = path;
        this.#size = size;
    }
    /** `false`: there is no room for it. */
    async take() {
        if (this.#there)
            return true;
        this.#taking ??= this.#turn.take(() => this.#make()).finally(() => (this.#taking = undefined));
        return await this.#taking;
    }
    async #make() {
        const drops = this.#drops;
        try {
            const file = await (0,promises_.open)(this.#path, 'w', 0o600);
            try {
                for (let done = 0; done < this.#size; done += PIECE)
                    await (0,files/* writeAll */.f4)(file, Buffer.alloc(PIECE), done);
                await file.datasync();
            }
            finally {
                await file.close();
            }
            // If it was dropped meanwhile, it is removed as soon as this call has ended.
            this.#there = drops === this.#drops;
        }
        catch {
            await (0,promises_.rm)(this.#path, { force: true });
        }
        return this.#there;
    }
    /** Writes; if the disk is full, gives up the reserve and writes again. */
    async guard(write) {
        try {
            return await write();
        }
        catch (error) {
            if (!(0,store/* isStoreError */.A1)(error, 'full'))
                throw error;
            await this.drop();
            return await write();
        }
    }
    /** Writes if the reserve is there, or can be made again. */
    async spare(key, write) {
        if (!(await this.take()))
            throw new store/* StoreError */.AD('full', `storage: could not write "${key}": no space left`);
        return await write();
    }
    async drop() {
        this.#there = false;
        this.#drops++;
        await this.#turn.take(() => (0,promises_.rm)(this.#path, { force: true }));
    }
}

// EXTERNAL MODULE: ./build/js/stores/dir/index.js + 12 modules
var dir = __webpack_require__(66184);
// EXTERNAL MODULE: ./build/js/stores/dir/url.js
var url = __webpack_require__(95960);
// EXTERNAL MODULE: ./build/js/stores/http/server.js + 5 modules
var http_server = __webpack_require__(7626);
// EXTERNAL MODULE: ./build/js/wire/interrupted-jobs.js
var interrupted_jobs = __webpack_require__(86101);
// EXTERNAL MODULE: ./build/js/wire/layout.js
var layout = __webpack_require__(64046);
// EXTERNAL MODULE: ./build/js/wire/records.js
var records = __webpack_require__(70708);
// EXTERNAL MODULE: ./build/js/wire/slot.js
var wire_slot = __webpack_require__(48088);
// EXTERNAL MODULE: ./build/js/wire/spec.js
var wire_spec = __webpack_require__(62023);
// EXTERNAL MODULE: ./build/js/wire/swap.js
var swap = __webpack_require__(99111);
;// CONCATENATED MODULE: ./build/js/stores/idle-shutdown.js
/**
 * Finds out when the server of a deployment's own store is no longer needed. It then ends by itself, so nobody has to come back to remove it. One that
 * was told to end may be needed for a while.
 */






/** For so many lease TTLs (together about ten minutes, by default), questions about the run are still answered. */
const LENGTH = 10;
/**
 * Milliseconds for which the store must be kept from when this is first answered; `undefined`: it is still needed. A task's store is always needed:
 * there may be results, and the command that collects them removes it. That of runners is needed while a job that was cut off may have to be started
 * again, and if a slot has failed, for its log: until `tpi retry` records that no job needs it (`settled`).
 */
async function idleTime(store) {
    const run = await presentRun(store);
    if (run?.current.state !== 'open' || run.current.relaunch)
        return undefined;
    const { current, keys } = run;
    const spec = (await (0,swap/* readRecord */.a)(wire_spec/* SPEC */.y7, store, keys.spec))?.value;
    if (spec?.mode !== 'runner')
        return undefined;
    const slots = [];
    for (let index = 0; index < spec.count; index += 1) {
        const slot = (await (0,swap/* readRecord */.a)(wire_slot/* SLOT */.rt, store, keys.slot(index).record))?.value;
        // One is enough to know. This runs every few seconds, so the others are not read.
        if (!slot || !(0,wire_slot/* isTerminal */.Hd)(slot.state))
            return undefined;
        slots.push(slot);
    }
    const again = Number(spec.runner.relaunch['retry'] ?? 0) > 0;
    if (!current.settled && (slots.some(({ state }) => state === 'failed') || (again && isOwed(slots))))
        return undefined;
    return spec.lease.ttl * LENGTH;
}
/**
 * Whether machines that were told to end may still need the store: their programs have the time of `--grace`, and then they save what these have
 * left. The present run decides, which may have another `--grace` than the one for which the store was made. `time`: milliseconds that programs
 * have had.
 */
async function mayBeEnding(store, time) {
    const run = await presentRun(store);
    const spec = run && (await (0,swap/* readRecord */.a)(wire_spec/* SPEC */.y7, store, run.keys.spec))?.value;
    // Nothing runs yet.
    if (!run || !spec)
        return false;
    if (time < spec.lifetime.grace * 1000)
        return true;
    for (let index = 0; index < spec.count; index += 1) {
        const slot = (await (0,swap/* readRecord */.a)(wire_slot/* SLOT */.rt, store, run.keys.slot(index).record))?.value;
        if (slot?.phase === 'saving' && (0,wire_slot/* isHeld */.i7)(slot))
            return true;
    }
    return false;
}
const isOwed = (slots) => (0,interrupted_jobs/* interruptedJobs */.ff)(slots).length > 0 || (0,interrupted_jobs/* livesTaken */.l5)(slots).length > 0;
/** The incarnation that has the id of the deployment whose store this is, and where its records are. */
async function presentRun(store) {
    const id = await idIn(store);
    const current = id === undefined ? undefined : (await (0,swap/* readRecord */.a)(records/* CURRENT */.eN, store, (0,layout/* currentKey */.Fo)(id)))?.value;
    return id === undefined || !current ? undefined : { current, keys: (0,layout/* layout */.Zp)(id, current.incarnation) };
}
async function idIn(store) {
    for await (const { key } of store.list(''))
        return key.slice(0, key.indexOf('/'));
    return undefined;
}

;// CONCATENATED MODULE: ./build/js/stores/serve.js
/** `agent serve-store CONFIG.json`: the folder store behind HTTP, as a program of its own. */













/** Milliseconds between two checks whether this is still needed. */
const LOOK = 5_000;
/**
 * Serves until what is kept here is no longer needed, and resolves to 0. After it was told to end, it goes on for machines that were told the same
 * (`isAwaited`), and resolves to the exit code for a machine that must be replaced.
 */
async function serveStore(argv, toldToEnd = (0,abort/* untilToldToEnd */.eu)()) {
    const config = (0,parse/* parseRecord */.Hh)(serve/* SERVE */.I, await (0,promises_.readFile)(argv[0] ?? ''), argv[0] ?? '');
    const token = (await (0,promises_.readFile)(config.tokenFile, 'utf8')).trim();
    if (config.guest)
        await (0,files/* makePrivate */.ux)(config.folder);
    const { store, drop } = await withReserve(await (0,dir.open)({ url: (0,url/* dirUrl */.hG)(config.folder) }), config.folder);
    const server = (0,http_server/* storeServer */.z)({ store, token });
    // Not the wall clock, which may be set meanwhile.
    let asked = performance.now();
    server.on('request', (request) => {
        // A health check does not count as a client.
        if (!request.url?.endsWith('/health'))
            asked = performance.now();
    });
    server.listen(config.port);
    await (0,external_node_events_.once)(server, 'listening');
    process.stdout.write(`serving ${config.folder} on port ${config.port}\n`);
    if (await isOver(store, toldToEnd, () => performance.now() - asked > config.linger * 1000)) {
        await serve_close(server);
        if (config.guest)
            await clearAll(store);
        await leave(config, drop);
        process.stdout.write('no longer needed\n');
        return 0;
    }
    const told = performance.now();
    asked = told;
    while (await isAwaited(store, config, { told, asked: () => asked }))
        await (0,clock/* pause */.v7)(250);
    await serve_close(server);
    if (await isEmpty(store))
        await leave(config, drop);
    return machine/* AGENT_REPLACE */.Vi;
}
/**
 * Whether a server that was told to end must still go on. Machines that were told to end at the same time, because their node is drained, too, first
 * end their programs and then save. Those of other nodes work on: they find the store at its next place, which may have to wait for the disk until
 * this server ends.
 */
async function isAwaited(store, { linger }, { told, asked }) {
    const now = performance.now();
    if (now - asked() >= linger * 1000 || (await isEmpty(store)))
        return false;
    const late = now - told - linger * 1000;
    return late < 0 || (await mayBeEnding(store, late).catch(() => false));
}
/** `true`: what is kept here is no longer needed. `false`: it was told to end. */
async function isOver(store, shutdown, isQuiet) {
    let since;
    while (!shutdown.aborted) {
        // If it cannot be read now, try again later.
        const length = await idleTime(store).catch(() => undefined);
        since = length === undefined ? undefined : (since ?? performance.now());
        if (length !== undefined && since !== undefined && performance.now() - since >= length && isQuiet())
            return true;
        await (0,clock/* pause */.v7)(LOOK, shutdown).catch(() => undefined);
    }
    return false;
}
/** Removes everything that is kept here, from a disk that is somebody else's. */
async function clearAll(store) {
    const folders = new Set();
    for await (const { key } of store.list(''))
        folders.add(key.slice(0, key.indexOf('/') + 1));
    for (const folder of folders)
        await store.clear(folder);
}
/** Whether nothing is kept here: the deployment was destroyed. */
async function isEmpty(store) {
    for await (const _ of store.list(''))
        return false;
    return true;
}
async function leave({ folder, guest }, drop) {
    await drop();
    // It stays if it is not empty: then it has files that are not ours.
    if (guest)
        await (0,promises_.rmdir)(folder).catch(() => undefined);
}
async function serve_close(server) {
    server.close();
    server.closeAllConnections();
    await (0,external_node_events_.once)(server, 'close').catch(() => undefined);
}


/***/ })

};
