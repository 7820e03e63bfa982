export const id = 6184;
export const ids = [6184];
export const modules = {

/***/ 66184:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ dir_open)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/lib/error-code.js
var error_code = __webpack_require__(22516);
// EXTERNAL MODULE: ./build/js/lib/files.js
var files = __webpack_require__(59381);
// EXTERNAL MODULE: ./build/js/lib/side-by-side.js
var side_by_side = __webpack_require__(48241);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/keys.js
var stores_keys = __webpack_require__(56705);
;// CONCATENATED MODULE: ./build/js/stores/dir/durable.js
/** Files and folders that survive a power cut: written completely, synced, and only then given their name. */





/** Syncs folders. Calls that come while one is under way share the following one: many parallel writes cost few syncs. */
class FolderSync {
    #folders = new Map();
    sync(folder) {
        const syncs = this.#folders.get(folder) ?? {};
        this.#folders.set(folder, syncs);
        if (syncs.next)
            return syncs.next;
        if (!syncs.running)
            return this.#start(folder, syncs);
        // A running sync may have begun before this name existed; only one that begins later covers it.
        syncs.next = syncs.running.then(() => this.#start(folder, syncs), () => this.#start(folder, syncs));
        return syncs.next;
    }
    #start(folder, syncs) {
        delete syncs.next;
        const run = (0,files/* flush */.bX)(folder).finally(() => {
            if (syncs.running === run)
                delete syncs.running;
            if (!syncs.running && !syncs.next)
                this.#folders.delete(folder);
        });
        syncs.running = run;
        return run;
    }
}
/** Writes a new private file and syncs its bytes. If that fails, the file is removed. If it cannot be created, `parts` was not read. */
async function writeFileWhole(path, parts, signal) {
    const handle = await (0,promises_.open)(path, 'wx', 0o600);
    try {
        for await (const part of parts)
            await writeAll(handle, part, signal);
        await handle.datasync();
    }
    catch (error) {
        await (0,promises_.rm)(path, { force: true });
        throw error;
    }
    finally {
        await handle.close();
    }
}
const STEP = 8 * 1024 * 1024;
async function writeAll(handle, bytes, signal) {
    for (let done = 0; done < bytes.length;) {
        signal?.throwIfAborted();
        done += (await handle.write(bytes, done, Math.min(STEP, bytes.length - done))).bytesWritten;
    }
}
/**
 * Tries `put`, which gives the file `temp` its place, and makes missing folders for it, but never the incarnation's own: if that is missing, throws
 * kind `gone`.
 */
async function puttingInto(paths, temp, syncs, put) {
    return await making(paths, syncs, put, async () => {
        if (!(await exists(temp)))
            throw gone(paths);
    });
}
/** Tries `put`. If a folder is missing, makes it and tries again. `check` runs before the next try, and may throw. */
async function making(paths, syncs, put, check) {
    for (let round = 1;; round++) {
        try {
            return await put();
        }
        catch (error) {
            if ((0,error_code/* errorCode */.CA)(error) !== 'ENOENT' || round > ROUNDS)
                throw error;
            await makeFolders(paths, syncs);
            await check?.();
        }
    }
}
/** How often missing folders are made. Others may clear them again, but not so often in a row. */
const ROUNDS = 8;
/** Makes missing folders between the incarnation (or, above it, the root) and the object, but not these two: a disk that is away may come back. */
async function makeFolders(paths, syncs) {
    if (paths.incarnation !== undefined && !(await exists(paths.incarnation)))
        throw gone(paths);
    // If they could not all be made, the caller's next try fails, and it comes here again.
    await makeEach(paths.folders, syncs);
}
/** Makes each of them; the outermost comes first. `false`: its parent is missing, or one was cleared meanwhile. */
async function makeEach(folders, syncs) {
    for (const folder of folders) {
        try {
            await (0,promises_.mkdir)(folder, { mode: 0o700 });
            await syncs.sync((0,external_node_path_.dirname)(folder));
        }
        catch (error) {
            if ((0,error_code/* errorCode */.CA)(error) === 'ENOENT')
                return false;
            if ((0,error_code/* errorCode */.CA)(error) !== 'EEXIST')
                throw error;
        }
    }
    return true;
}
function gone(paths) {
    return new store/* StoreError */.AD('gone', `storage: could not write "${paths.key}": its run was never created here or has been removed`);
}
async function exists(path) {
    return await (0,promises_.lstat)(path).then(() => true, (0,error_code/* ifGone */.f1)(false));
}
async function removeIfEmpty(folder) {
    try {
        await (0,promises_.rmdir)(folder);
    }
    catch (error) {
        const code = (0,error_code/* errorCode */.CA)(error);
        // Another process was faster, or something is still (or again) in it: both are fine.
        if (!(0,error_code/* isGone */.ST)(error) && code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EBUSY')
            throw error;
    }
}

;// CONCATENATED MODULE: ./build/js/stores/dir/errors.js
/** Error codes of the operating system → kinds of the store contract. */


const KINDS = {
    ENOSPC: 'full',
    EDQUOT: 'full',
    EFBIG: 'full',
    EACCES: 'denied',
    EPERM: 'denied',
    EROFS: 'denied',
    ENAMETOOLONG: 'invalid',
    ENOTDIR: 'invalid',
    EISDIR: 'invalid',
    ELOOP: 'corrupt',
    ESPIPE: 'corrupt',
    ENXIO: 'corrupt',
};
const REASONS = {
    ENOSPC: 'no space left',
    EDQUOT: 'disk quota reached',
    EFBIG: 'file size limit reached',
    EACCES: 'permission denied',
    EPERM: 'operation not permitted',
    EROFS: 'the file system is read-only',
    ENAMETOOLONG: 'the name is too long',
    ENOTDIR: 'a part of the key is an object, not a folder',
    EISDIR: 'it is a folder, not an object',
    ELOOP: 'it is a link, which this program does not make: the storage folder must hold nothing else',
    ESPIPE: 'it is a pipe, which this program does not make: the storage folder must hold nothing else',
    ENXIO: 'it is a socket, which this program does not make: the storage folder must hold nothing else',
};
/** What is in the place of an object was not made by this program. */
function isForeign(error) {
    return (0,store/* isStoreError */.A1)(error, 'corrupt') || KINDS[(0,error_code/* errorCode */.CA)(error) ?? ''] === 'corrupt';
}
/** Any error → StoreError; an abort passes through as it is. */
function translate(error, action, path) {
    if ((0,store/* isStoreError */.A1)(error))
        return error;
    const code = (0,error_code/* errorCode */.CA)(error);
    if (code === undefined || code === 'ABORT_ERR')
        return error;
    const reason = REASONS[code] ?? code;
    return new store/* StoreError */.AD(KINDS[code] ?? 'unavailable', `storage: could not ${action} "${path}": ${reason}`, { cause: error });
}
/** Runs `body`; what it throws is translated. */
async function guarded(action, path, body) {
    try {
        return await body();
    }
    catch (error) {
        throw translate(error, action, path);
    }
}

;// CONCATENATED MODULE: ./build/js/stores/dir/names.js
/**
 * How keys become paths below the root of a folder store.
 *
 * Every segment is one name in which all bytes but `a-z 0-9 . _ -` are written `%XX`: no two keys meet on file systems that fold case or
 * normalise Unicode. Names in which `%` is followed by anything else are our own bookkeeping and never objects.
 */



/** Folder for incomplete files of one incarnation. */
const TEMP_FOLDER = '%tmp';
/** Folder for incomplete files of records above all incarnations. */
const TEMP_PREFIX = '%new-';
/** Folders that were cleared but not yet deleted. */
const TRASH_PREFIX = '%trash-';
/** Folder of the later states of the record `<name>`. */
const VERSIONS_SUFFIX = '%v';
/** Bytes that a file system allows in one name, minus space for the suffix. */
const MAX_NAME = 250;
function encodeName(segment) {
    let name = '';
    for (const byte of Buffer.from(segment)) {
        const char = String.fromCharCode(byte);
        name += /[a-z0-9._-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    }
    if (name.length > MAX_NAME)
        throw new store/* StoreError */.AD('invalid', `storage: key segment ${JSON.stringify(segment)} is too long for a file name`);
    return name;
}
/** The segment, or `undefined` if tpi did not make the name. */
function decodeName(name) {
    if (/^[a-z0-9._-]+$/.test(name))
        return name;
    if (!/^(?:[a-z0-9._-]|%[0-9A-F]{2})+$/.test(name))
        return undefined;
    const segment = Buffer.from(name.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))), 'latin1').toString();
    return encodeName(segment) === name ? segment : undefined;
}
function pathsOf(root, key) {
    (0,stores_keys/* checkKey */.yR)(key);
    const names = key.split('/').map(encodeName);
    const path = (0,external_node_path_.join)(root, ...names);
    const owned = names.length > 2;
    const folders = [];
    for (let depth = owned ? 3 : 1; depth < names.length; depth++)
        folders.push((0,external_node_path_.join)(root, ...names.slice(0, depth)));
    return {
        key,
        path,
        versions: path + VERSIONS_SUFFIX,
        incarnation: owned ? (0,external_node_path_.join)(root, ...names.slice(0, 2)) : undefined,
        folders,
        folder: (0,external_node_path_.join)(path, '..'),
    };
}
/** Path of a folder given as `a/b/`. */
function folderOf(root, prefix) {
    const names = prefix.split('/').filter(Boolean).map(encodeName);
    return (0,external_node_path_.join)(root, ...names);
}

;// CONCATENATED MODULE: ./build/js/stores/dir/state.js
/**
 * What a file of the store holds, and which state of a record is the current one.
 *
 * An object is one file: a header of 16 bytes (magic, random nonce), then the body. Its first state has the object's own name and is made
 * by `link` (wanted absent) or `rename` (no condition). State n > 0 of a record is `<name>%v/<nonce of the first>.<n>`, made by `link`: of
 * all writers that replace state n-1, exactly one gets the name; no lock is held, and a kill leaves nothing that blocks others. The nonce
 * makes versions of an object that was removed and written again differ from the old ones. To remove a record in a certain state, a process links an
 * empty file as the state after it, and then removes the files.
 */





const MAGIC = Buffer.from('TPI1');
const HEADER_BYTES = 16;
function newHeader() {
    const random = (0,external_node_crypto_.randomBytes)(HEADER_BYTES - MAGIC.length);
    return { bytes: Buffer.concat([MAGIC, random]), nonce: random.toString('hex') };
}
function versionOf(state) {
    return `${state.nonce}.${state.number}`;
}
function statePath(paths, state) {
    return state.number === 0 ? paths.path : (0,external_node_path_.join)(paths.versions, versionOf(state));
}
/** Opens the current state; the caller closes the handle. `undefined`: the object does not exist. */
async function openCurrent(paths) {
    // A round is in vain only if the object was removed, replaced or written many times during it.
    for (let round = 0; round < 100; round++) {
        const first = await openFile(paths.path);
        if (!first)
            return undefined;
        const found = await settle(paths, first);
        if (found !== 'moved')
            return found;
    }
    throw new store/* StoreError */.AD('unavailable', `storage: could not read "${paths.key}": it changes too fast`);
}
async function settle(paths, first) {
    const opened = [first];
    try {
        const nonce = await readNonce(paths, first);
        if (nonce === undefined)
            return undefined;
        const number = latest(await stateNumbers(paths, nonce));
        if (number > 0) {
            const later = await openFile(statePath(paths, { nonce, number }));
            if (!later)
                return 'moved';
            opened.push(later);
            if (await isEnd(later))
                return undefined;
        }
        // The first state is removed before later ones: if it still has its name, the list of states was complete.
        if (!(await isNamed(first, paths.path)))
            return 'moved';
        const handle = opened.pop() ?? first;
        return { nonce, number, handle };
    }
    finally {
        for (const handle of opened)
            await handle.close();
    }
}
/** An empty file is the last state of an object: from then on it counts as removed. */
async function isEnd(state) {
    return (await state.stat()).size === 0;
}
/** The current state without its bytes. */
async function currentState(paths) {
    const current = await openCurrent(paths);
    await current?.handle.close();
    return current;
}
/** The nonce of the first state, whatever came after it. */
async function firstNonce(paths) {
    const handle = await openFile(paths.path);
    try {
        return handle && (await readNonce(paths, handle));
    }
    finally {
        await handle?.close();
    }
}
/** Numbers of the states that are still there of one life of the object (which begins with its nonce), without the first one (0). */
async function stateNumbers(paths, nonce) {
    const names = await (0,promises_.readdir)(paths.versions).catch((0,error_code/* ifGone */.f1)([]));
    const ours = names.filter((name) => name.startsWith(`${nonce}.`)).map((name) => name.slice(nonce.length + 1));
    return ours.filter((number) => /^[1-9]\d{0,14}$/.test(number)).map(Number);
}
function latest(numbers) {
    return numbers.reduce((high, number) => Math.max(high, number), 0);
}
async function openFile(path) {
    // A pipe that somebody put there would never open.
    return await (0,promises_.open)(path, promises_.constants.O_RDONLY | promises_.constants.O_NOFOLLOW | promises_.constants.O_NONBLOCK).catch((0,error_code/* ifGone */.f1)(undefined));
}
/** `undefined` for a folder: a folder is not an object. */
async function readNonce(paths, handle) {
    const header = Buffer.alloc(HEADER_BYTES);
    try {
        const { bytesRead } = await handle.read(header, 0, HEADER_BYTES, 0);
        if (bytesRead === HEADER_BYTES && header.subarray(0, MAGIC.length).equals(MAGIC))
            return header.toString('hex', MAGIC.length);
    }
    catch (error) {
        if ((0,error_code/* errorCode */.CA)(error) === 'EISDIR')
            return undefined;
        throw error;
    }
    throw new store/* StoreError */.AD('corrupt', `storage: "${paths.path}" was not written by this program: the storage folder must hold nothing else`);
}
/** Whether the open file still has this name. An inode number is not reused while the file is open. */
async function isNamed(handle, path) {
    return await isSameFile(handle.stat({ bigint: true }), (0,promises_.lstat)(path, { bigint: true })).catch((0,error_code/* ifGone */.f1)(false));
}
async function isSameFile(...stats) {
    const [one, other] = await Promise.all(stats);
    return one.ino === other.ino && one.dev === other.dev;
}

;// CONCATENATED MODULE: ./build/js/stores/dir/list.js






/** Sizes looked up in parallel. */
const BATCH = 64;
async function* listObjects(root, prefix, after, signal) {
    const scope = { root, prefix, after: (0,stores_keys/* byteOrder */.Tz)(after ?? ''), signal };
    const base = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    yield* walk(scope, folderOf(root, base), base);
}
async function* walk(scope, folder, base) {
    let batch = [];
    for (const item of await itemsOf(scope, folder, base)) {
        if (!item.folder)
            batch.push(item);
        if (batch.length >= BATCH || item.folder) {
            yield* entriesOf(scope, batch);
            batch = [];
        }
        if (item.folder)
            yield* walk(scope, item.path, item.key);
    }
    yield* entriesOf(scope, batch);
}
async function itemsOf(scope, folder, base) {
    scope.signal?.throwIfAborted();
    const found = await (0,promises_.readdir)(folder, { withFileTypes: true }).catch((0,error_code/* ifGone */.f1)([]));
    const records = new Set(found.filter((one) => one.name.endsWith(VERSIONS_SUFFIX)).map((one) => one.name));
    const items = [];
    // Each page of a list begins anew, so names that are not wanted must cost hardly anything.
    for (const one of found) {
        const segment = decodeName(one.name);
        if (segment === undefined)
            continue;
        const isFolder = one.isDirectory();
        if (!isFolder && !one.isFile())
            continue;
        const key = base + segment + (isFolder ? '/' : '');
        const order = (0,stores_keys/* byteOrder */.Tz)(key);
        if (!wanted({ key, order, folder: isFolder }, scope))
            continue;
        items.push({ key, order, path: (0,external_node_path_.join)(folder, one.name), folder: isFolder, record: records.has(one.name + VERSIONS_SUFFIX) });
    }
    return items.sort((a, b) => (a.order < b.order ? -1 : 1));
}
function wanted({ key, order, folder }, { prefix, after }) {
    if (!key.startsWith(prefix) && !(folder && prefix.startsWith(key)))
        return false;
    return order > after || (folder && after.startsWith(order));
}
async function* entriesOf(scope, items) {
    if (items.length === 0)
        return;
    scope.signal?.throwIfAborted();
    const sizes = await Promise.all(items.map((item) => sizeOf(scope, item)));
    for (const [index, item] of items.entries()) {
        const size = sizes[index];
        if (size !== undefined)
            yield { key: item.key, size };
    }
}
/** Bytes of the body; `undefined` if it was removed meanwhile, or is not an object that tpi wrote. */
async function sizeOf(scope, item) {
    if (!item.record) {
        const file = await (0,promises_.lstat)(item.path).catch((0,error_code/* ifGone */.f1)(undefined));
        return file && file.size >= HEADER_BYTES ? file.size - HEADER_BYTES : undefined;
    }
    const current = await openCurrent(pathsOf(scope.root, item.key));
    try {
        return current && (await current.handle.stat()).size - HEADER_BYTES;
    }
    finally {
        await current?.handle.close();
    }
}

;// CONCATENATED MODULE: ./build/js/stores/dir/read.js


const read_STEP = 8 * 1024 * 1024;
async function readObject(paths, range, signal, received) {
    const current = await openCurrent(paths);
    if (!current)
        return undefined;
    try {
        const size = (await current.handle.stat()).size - HEADER_BYTES;
        const from = Math.min(range?.from ?? 0, size);
        const to = Math.max(from, Math.min(range?.to ?? size, size));
        if (to - from > store/* MAX_OBJECT_BYTES */.lu)
            throw new store/* StoreError */.AD('corrupt', `storage: "${paths.path}" has more than ${store/* MAX_OBJECT_BYTES */.lu} bytes: it was not written by this program`);
        const bytes = await readAll(current.handle, { start: HEADER_BYTES + from, length: to - from }, signal, received);
        if (bytes.length !== to - from)
            throw new store/* StoreError */.AD('unavailable', `storage: "${paths.path}" is shorter than it was`);
        return { bytes, version: versionOf(current) };
    }
    finally {
        await current.handle.close();
    }
}
async function readAll(handle, { start, length }, signal, received) {
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    while (done < length) {
        signal?.throwIfAborted();
        const { bytesRead } = await handle.read(bytes, done, Math.min(read_STEP, length - done), start + done);
        if (bytesRead === 0)
            break;
        done += bytesRead;
        received?.(done);
    }
    return bytes.subarray(0, done);
}

// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/lib/temp-name.js
var temp_name = __webpack_require__(12392);
;// CONCATENATED MODULE: ./build/js/stores/dir/temp.js
/** Incomplete files above all incarnations: their names say who writes them, so that those of killed writers can be removed. */





/** Writing a record takes far less. If a writer on another host was suspended for longer, its write fails. */
const ABANDONED_MS = 10 * 60_000;
function tempName() {
    return `${TEMP_PREFIX}${(0,temp_name/* writerMark */.j)()}-${(0,external_node_crypto_.randomBytes)(8).toString('hex')}`;
}
/** Removes what killed writers of this host left in the folder, and what others left long ago. */
async function removeAbandoned(folder) {
    for (const name of await (0,promises_.readdir)(folder)) {
        if (!name.startsWith(TEMP_PREFIX))
            continue;
        const path = (0,external_node_path_.join)(folder, name);
        if ((0,temp_name/* writerIsDead */.Y)(name.slice(TEMP_PREFIX.length)) || Date.now() - (await (0,promises_.lstat)(path)).mtimeMs > ABANDONED_MS)
            await (0,promises_.rm)(path, { force: true });
    }
}

;// CONCATENATED MODULE: ./build/js/stores/dir/link.js
/** Links a file to the name of a state: exactly one of all contenders gets it. */









/**
 * States of a record that stay behind the current one. A writer that was stopped between looking and linking could otherwise make a
 * number that others had already used and removed; with this many left it sees, after linking, that the record has moved on.
 */
const KEPT_STATES = 32;
/** `link`, or kind `conflict` if another file has the name. */
async function linkOnce(temp, path, paths) {
    try {
        await (0,promises_.link)(temp, path);
    }
    catch (error) {
        const code = (0,error_code/* errorCode */.CA)(error);
        if (code === 'EEXIST') {
            // A network file system may repeat a request whose answer was lost, and then meet its own link.
            if (await isSameFile((0,promises_.lstat)(temp, { bigint: true }), (0,promises_.lstat)(path, { bigint: true })).catch((0,error_code/* ifGone */.f1)(false)))
                return;
            throw conflict(paths);
        }
        if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS')
            throw noLinks((0,external_node_path_.dirname)(path), error);
        throw error;
    }
}
function noLinks(folder, cause) {
    const message = `storage: the file system of "${folder}" does not support hard links, which a folder store needs: use another folder`;
    return new store/* StoreError */.AD('invalid', message, { cause });
}
function conflict(paths) {
    return new store/* StoreError */.AD('conflict', `storage: "${paths.key}" is no longer what it was`);
}
/** Makes the bytes at `temp` this state of an object, if nobody else has made it; kind `conflict` otherwise. */
async function linkState(paths, made, temp, syncs) {
    const here = { ...paths, folders: [...paths.folders, paths.versions], folder: paths.versions };
    await puttingInto(here, temp, syncs, () => linkOnce(temp, statePath(paths, made), paths));
    // If the object was removed meanwhile, with this folder, the check afterwards shows it.
    await syncs.sync(paths.versions).catch((0,error_code/* ifGone */.f1)(undefined));
    await link_confirm(paths, made);
}
/** Checks the link against what is there now, and removes states that nobody needs any more. */
async function link_confirm(paths, made) {
    const numbers = await stateNumbers(paths, made.nonce);
    const newest = latest(numbers);
    const stale = newest > made.number + KEPT_STATES || (await firstNonce(paths)) !== made.nonce;
    if (stale) {
        await (0,promises_.rm)(statePath(paths, made), { force: true });
        // If the object was removed meanwhile, with this folder, the link has created it again.
        await removeIfEmpty(paths.versions);
        throw conflict(paths);
    }
    for (const number of numbers) {
        if (number < newest - KEPT_STATES)
            await (0,promises_.rm)(statePath(paths, { nonce: made.nonce, number }), { force: true });
    }
}
/** A file that no list shows. */
function tempPath(paths) {
    if (paths.incarnation === undefined)
        return (0,external_node_path_.join)(paths.folder, tempName());
    return (0,external_node_path_.join)(paths.incarnation, TEMP_FOLDER, (0,external_node_crypto_.randomBytes)(8).toString('hex'));
}

;// CONCATENATED MODULE: ./build/js/stores/dir/tidy.js
/** Cleans up what killed processes have left in a folder above the incarnations: no list shows it, because it is not an object. */






/** Removes incomplete files and states of records that no longer exist, and the folder itself if it is empty. */
async function tidy(folder) {
    try {
        await removeAbandoned(folder);
        for (const name of await (0,promises_.readdir)(folder))
            if (name.endsWith(VERSIONS_SUFFIX))
                await dropStates(folder, name);
    }
    catch (error) {
        if (!(0,error_code/* isGone */.ST)(error))
            throw error;
    }
    await removeIfEmpty(folder);
}
/**
 * Removes the states of a record whose first file is gone: they are left from earlier lives of the record. If there is an incomplete file, they stay,
 * because somebody may be about to make the record again.
 */
async function dropStates(folder, name) {
    const states = await (0,promises_.readdir)((0,external_node_path_.join)(folder, name));
    const beside = await (0,promises_.readdir)(folder);
    if (beside.includes(name.slice(0, -VERSIONS_SUFFIX.length)) || beside.some((one) => one.startsWith(TEMP_PREFIX)))
        return;
    for (const state of states)
        await (0,promises_.rm)((0,external_node_path_.join)(folder, name, state), { force: true });
    await removeIfEmpty((0,external_node_path_.join)(folder, name));
}

;// CONCATENATED MODULE: ./build/js/stores/dir/remove.js
/** Removing objects of a folder store, whatever state they are in, or in one state only. */








/** Removes an object; `true` if it was there. Its first state is removed before later ones: readers rely on that order. */
async function removeObject(paths) {
    const nonce = await nonceOrForeign(paths);
    if (nonce === undefined)
        return false;
    await (0,promises_.rm)(paths.path, { force: true });
    if (nonce !== 'foreign')
        await remove_dropStates(paths, nonce);
    if (paths.incarnation === undefined)
        await tidy(paths.folder);
    return true;
}
/** The nonce of an object, or `foreign` for a file that is not ours. That is removed like an object (of a link, not its target). */
async function nonceOrForeign(paths) {
    try {
        return await firstNonce(paths);
    }
    catch (error) {
        if (isForeign(error))
            return 'foreign';
        throw error;
    }
}
/**
 * Removes an object that is in this state; `true` if it was there. Of all processes that replace or remove that state, exactly one gets the
 * name of the next one; from then on the object no longer exists, whichever process removes its files.
 */
async function removeState(paths, version, syncs) {
    const current = await currentState(paths);
    if (!current)
        return false;
    if (versionOf(current) !== version)
        throw conflict(paths);
    const end = { nonce: current.nonce, number: current.number + 1 };
    const temp = tempPath(paths);
    await writeFileWhole(temp, nothing());
    try {
        await linkState(paths, end, temp, syncs);
    }
    finally {
        await (0,promises_.rm)(temp, { force: true });
    }
    await takeAway(paths, end.nonce);
    return true;
}
async function* nothing() {
    yield* [];
}
/** Milliseconds for the process that has ended an object to remove its files. */
const TAKING_AWAY = 2000;
/** Whether the object was removed. If so, its files are gone when this resolves. */
async function hasEnded(paths, nonce) {
    if (await currentState(paths))
        return false;
    // The process that ended it removes its files. Others leave it time for that, because two that do so at once could remove a new object.
    const until = performance.now() + TAKING_AWAY;
    while (performance.now() < until) {
        if ((await firstNonce(paths)) !== nonce)
            return true;
        await (0,clock/* pause */.v7)(20);
    }
    await takeAway(paths, nonce);
    return true;
}
/** Removes the files of one life of an object. If a new life has begun meanwhile, its first file is put back. */
async function takeAway(paths, nonce) {
    const moved = tempPath(paths);
    try {
        await (0,promises_.rename)(paths.path, moved);
        const taken = await firstNonce({ ...paths, path: moved });
        if (taken !== nonce)
            await (0,promises_.link)(moved, paths.path);
    }
    catch (error) {
        if (!(0,error_code/* isGone */.ST)(error) && (0,error_code/* errorCode */.CA)(error) !== 'EEXIST')
            throw error;
    }
    await (0,promises_.rm)(moved, { force: true });
    await remove_dropStates(paths, nonce);
    if (paths.incarnation === undefined)
        await tidy(paths.folder);
}
async function remove_dropStates(paths, nonce) {
    for (const number of await stateNumbers(paths, nonce))
        await (0,promises_.rm)(statePath(paths, { nonce, number }), { force: true });
    await removeIfEmpty(paths.versions);
}

;// CONCATENATED MODULE: ./build/js/stores/dir/root.js
/**
 * The folder that contains everything. If it is on a disk of its own, that may be away for a while. Then the folder is missing or empty, which must
 * never be taken for "nothing is stored here".
 */




class Root {
    path;
    /** Identity of the folder as first seen, without the device number: a network disk may get another one when it comes back. */
    #inode;
    constructor(path) {
        this.path = path;
    }
    /**
     * Throws `unavailable` if the folder is not the one that was seen before. One that was never seen may be missing.
     *
     * It must have been there before and after a call that found nothing: after it alone, the folder may have just come back.
     */
    async mustBeThere() {
        const inode = await this.#look();
        if (this.#inode === undefined)
            this.#inode = inode;
        else if (inode !== this.#inode)
            throw new store/* StoreError */.AD('unavailable', `storage: the folder "${this.path}" is not the one that was there before`);
    }
    /** The same; a folder that was never seen is created. */
    async make(syncs) {
        await this.mustBeThere();
        if (this.#inode !== undefined)
            return;
        const first = await (0,promises_.mkdir)(this.path, { recursive: true, mode: 0o700 });
        await this.mustBeThere();
        if (first === undefined)
            return;
        for (let made = this.path; made.length >= first.length; made = (0,external_node_path_.dirname)(made))
            await syncs.sync((0,external_node_path_.dirname)(made));
    }
    async #look() {
        return (await (0,promises_.stat)(this.path, { bigint: true }).catch((0,error_code/* ifGone */.f1)(undefined)))?.ino;
    }
}

// EXTERNAL MODULE: ./build/js/stores/dir/url.js
var dir_url = __webpack_require__(95960);
;// CONCATENATED MODULE: ./build/js/stores/dir/write.js
/** Writing objects of a folder store. */







async function writeObject(write, condition) {
    try {
        if (condition === undefined)
            return await replace(write);
        return 'absent' in condition ? await create(write) : await succeed(write, condition.version);
    }
    catch (error) {
        const { incarnation } = write.paths;
        // If the incarnation was cleared meanwhile, that shows as a missing file or a lost race.
        const perhaps = (0,error_code/* errorCode */.CA)(error) === 'ENOENT' || (0,store/* isStoreError */.A1)(error, 'conflict');
        if (perhaps && incarnation !== undefined && !(await exists(incarnation)))
            throw gone(write.paths);
        throw error;
    }
}
/** No condition: the new file takes the name, whatever had it. */
async function replace(write) {
    const { paths, syncs } = write;
    return await withTemp(write, async (temp, header) => {
        const before = await firstNonce(paths);
        await puttingInto(paths, temp, syncs, () => (0,promises_.rename)(temp, paths.path));
        await syncs.sync(paths.folder);
        if (before !== undefined)
            await remove_dropStates(paths, before);
        return versionOf({ nonce: header.nonce, number: 0 });
    });
}
async function create(write) {
    const { paths, syncs } = write;
    // Checked first, because finding out after a large body was written would cost more.
    const there = await firstNonce(paths);
    if (there !== undefined && !(await hasEnded(paths, there)))
        throw conflict(paths);
    return await withTemp(write, async (temp, header) => {
        await puttingInto(paths, temp, syncs, () => linkOnce(temp, paths.path, paths));
        await syncs.sync(paths.folder);
        return versionOf({ nonce: header.nonce, number: 0 });
    });
}
/** The state after `version`, if that is the current one. */
async function succeed(write, version) {
    const { paths, syncs } = write;
    const current = await currentState(paths);
    if (!current || versionOf(current) !== version)
        throw conflict(paths);
    const next = { nonce: current.nonce, number: current.number + 1 };
    return await withTemp(write, async (temp) => {
        await linkState(paths, next, temp, syncs);
        return versionOf(next);
    });
}
/** Writes the bytes into a file that no list shows, on the same file system, runs `put`, and removes that file. */
async function withTemp(write, put) {
    const { paths, body, signal } = write;
    const header = newHeader();
    const temp = tempPath(paths);
    const writing = () => writeFileWhole(temp, afterHeader(header.bytes, body), signal);
    if (paths.incarnation === undefined)
        await making(paths, write.syncs, writing);
    else
        await writingBelow(paths, writing);
    try {
        signal?.throwIfAborted();
        return await put(temp, header);
    }
    catch (error) {
        await (0,promises_.rm)(temp, { force: true });
        // The object may have been removed meanwhile, and the folder too, except for this file.
        if (paths.incarnation === undefined)
            await removeIfEmpty(paths.folder);
        throw error;
    }
    finally {
        await (0,promises_.rm)(temp, { force: true });
    }
}
/** Bytes. A smaller body is joined with its header, so that one write is enough. */
const SMALL = 65_536;
async function* afterHeader(header, { size, pieces }) {
    if (size >= SMALL) {
        yield header;
        yield* pieces;
        return;
    }
    const parts = [header];
    for await (const piece of pieces)
        parts.push(piece);
    yield Buffer.concat(parts);
}
async function writingBelow(paths, writing) {
    try {
        await writing();
    }
    catch (error) {
        throw (0,error_code/* isGone */.ST)(error) ? gone(paths) : error;
    }
}

;// CONCATENATED MODULE: ./build/js/stores/dir/index.js
/**
 * A store in a folder: on this machine, or on a network file system with hard links and atomic renames.
 * Everything in it is private to the user who writes it (0700, 0600).
 */



















/** Removals at a time. */
const REMOVALS = 32;
/** Takes no settings and no credentials: rights are those of the process. The folder itself is made by the first write. */
const dir_open = async (access) => new DirStore(access.url);
class DirStore {
    url;
    #root;
    #folder;
    #syncs = new FolderSync();
    constructor(url) {
        this.url = url;
        this.#root = (0,dir_url/* dirPath */.Jz)(url);
        this.#folder = new Root(this.#root);
    }
    async init(prefix) {
        (0,stores_keys/* checkFolder */.p$)(prefix);
        if (prefix.split('/').length !== 3)
            throw new store/* StoreError */.AD('invalid', `storage: "${prefix}" is not <id>/<incarnation>/`);
        const folder = folderOf(this.#root, prefix);
        await guarded('create', folder, async () => {
            await this.#folder.make(this.#syncs);
            const folders = [(0,external_node_path_.dirname)(folder), folder, (0,external_node_path_.join)(folder, TEMP_FOLDER)];
            for (let round = 1; !(await makeEach(folders, this.#syncs)); round++) {
                await this.#folder.mustBeThere();
                if (round > ROUNDS)
                    throw new store/* StoreError */.AD('unavailable', `storage: the folder "${folder}" is removed as soon as it is made`);
            }
        });
    }
    async read(key, range, signal, received) {
        const paths = pathsOf(this.#root, key);
        signal?.throwIfAborted();
        return await guarded('read', paths.path, async () => {
            await this.#folder.mustBeThere();
            const object = await readObject(paths, range, signal, received);
            if (!object)
                await this.#folder.mustBeThere();
            return object;
        });
    }
    async write(key, body, condition, signal) {
        return await this.writeFrom(key, { size: body.length, pieces: [body] }, condition, signal);
    }
    async writeFrom(key, body, condition, signal) {
        const paths = pathsOf(this.#root, key);
        signal?.throwIfAborted();
        (0,stores_keys/* checkSize */.C1)(key, body.size);
        return await guarded('write', paths.path, async () => {
            // The first write above all incarnations makes the store's own folder.
            await (paths.incarnation === undefined ? this.#folder.make(this.#syncs) : this.#folder.mustBeThere());
            try {
                return await writeObject({ paths, body, syncs: this.#syncs, signal }, condition);
            }
            catch (error) {
                if ((0,error_code/* isGone */.ST)(error) || (0,store/* isStoreError */.A1)(error, 'gone') || (0,store/* isStoreError */.A1)(error, 'conflict'))
                    await this.#folder.mustBeThere();
                throw error;
            }
        });
    }
    async *list(prefix, after, signal) {
        (0,stores_keys/* checkPrefix */.by)(prefix);
        try {
            await this.#folder.mustBeThere();
            yield* listObjects(this.#root, prefix, after, signal);
            await this.#folder.mustBeThere();
        }
        catch (error) {
            throw translate(error, 'list', (0,external_node_path_.join)(this.#root, prefix));
        }
    }
    async remove(keys, condition) {
        const allPaths = keys.map((key) => pathsOf(this.#root, key));
        await guarded('remove', this.#root, () => this.#folder.mustBeThere());
        if (condition) {
            const paths = pathsOf(this.#root, (0,stores_keys/* onlyOne */.jr)(keys));
            return await guarded('remove', paths.path, async () => {
                if (await removeState(paths, condition.version, this.#syncs))
                    await this.#syncIfThere(paths.folder);
            });
        }
        await (0,side_by_side/* sideBySide */.Q)(REMOVALS, allPaths, async (paths) => guarded('remove', paths.path, async () => {
            if (await removeObject(paths))
                await this.#syncIfThere(paths.folder);
        }));
    }
    /** First renames the folder, so that all of it is gone at once, for writers in the middle of something, too. */
    async clear(prefix) {
        (0,stores_keys/* checkFolder */.p$)(prefix);
        const folder = folderOf(this.#root, prefix);
        const parent = (0,external_node_path_.dirname)(folder);
        await guarded('clear', folder, async () => {
            await this.#folder.mustBeThere();
            const mark = `${TRASH_PREFIX}${(0,external_node_path_.basename)(folder)}-`;
            await (0,promises_.rename)(folder, (0,external_node_path_.join)(parent, mark + (0,external_node_crypto_.randomBytes)(6).toString('hex'))).catch((0,error_code/* ifGone */.f1)(undefined));
            await this.#syncIfThere(parent);
            for (const name of await (0,files/* namesIn */.wX)(parent))
                if (name.startsWith(mark))
                    await (0,promises_.rm)((0,external_node_path_.join)(parent, name), { recursive: true, force: true });
            // The parent (an <id> whose last incarnation this was) is not left behind as an empty folder.
            if (prefix.split('/').length === 3)
                await tidy(parent);
        });
    }
    /** Removes folders that were cleared, records that have ended, what is left of either, and empty folders. */
    async tidy() {
        await guarded('tidy up', this.#root, async () => {
            await this.#folder.mustBeThere();
            for (const above of await (0,files/* namesIn */.wX)(this.#root)) {
                const id = decodeName(above);
                if (id === undefined)
                    continue;
                const folder = (0,external_node_path_.join)(this.#root, above);
                for (const name of await (0,files/* namesIn */.wX)(folder)) {
                    if (name.startsWith(TRASH_PREFIX))
                        await (0,promises_.rm)((0,external_node_path_.join)(folder, name), { recursive: true, force: true });
                    if (name.endsWith(VERSIONS_SUFFIX))
                        await takeEnded(this.#root, id, name.slice(0, -VERSIONS_SUFFIX.length));
                }
                await tidy(folder);
            }
        });
    }
    async #syncIfThere(folder) {
        await this.#syncs.sync(folder).catch((0,error_code/* ifGone */.f1)(undefined));
    }
}
async function takeEnded(root, id, name) {
    const segment = decodeName(name);
    if (segment === undefined)
        return;
    const paths = pathsOf(root, `${id}/${segment}`);
    const nonce = await firstNonce(paths);
    if (nonce !== undefined)
        await hasEnded(paths, nonce);
}


/***/ })

};
