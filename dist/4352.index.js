export const id = 4352;
export const ids = [4352];
export const modules = {

/***/ 42462:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ frameOf),
/* harmony export */   E: () => (/* binding */ framesIn)
/* harmony export */ });
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/** A long answer in pieces: a line of JSON that says what follows, then its bytes. An empty line is a sign of life. */

function frameOf(change) {
    if (change === 'caught-up')
        return lineOf([]);
    const { key, object } = change;
    return object ? Buffer.concat([lineOf([key, object.version, object.bytes.length]), object.bytes]) : lineOf([key]);
}
const lineOf = (head) => Buffer.from(`${JSON.stringify(head)}\n`);
/** Bytes of the line that says what follows: a key and a version. */
const LONGEST_HEAD = 8192;
/** Throws StoreError `corrupt` if it is not such an answer: nothing longer than an object is collected. */
async function* framesIn(chunks) {
    const held = new Gathered();
    let head;
    for await (const chunk of chunks) {
        held.add(chunk);
        for (;;) {
            if (!head) {
                const line = held.line();
                if (line === undefined)
                    break;
                if (line === '')
                    continue;
                head = headOf(line);
            }
            const [key, version, size = 0] = head;
            if (held.length < size)
                break;
            head = undefined;
            if (key === undefined)
                yield 'caught-up';
            else if (version === undefined)
                yield { key };
            else
                yield { key, object: { version, bytes: held.take(size) } };
        }
    }
}
/** Bytes that have not been parsed yet; a long body is joined once, when it is complete. */
class Gathered {
    #parts = [];
    length = 0;
    add(part) {
        this.#parts.push(part);
        this.length += part.length;
    }
    /** Belongs to the reader, who may keep it. */
    take(size) {
        const bytes = Buffer.from(this.#joined().subarray(0, size));
        this.#drop(size);
        return bytes;
    }
    line() {
        const all = this.#joined();
        const end = all.indexOf(10);
        if ((end < 0 ? all.length : end) > LONGEST_HEAD)
            throw foreign();
        if (end < 0)
            return undefined;
        const line = all.toString('utf8', 0, end);
        this.#drop(end + 1);
        return line;
    }
    #joined() {
        const [first = Buffer.alloc(0)] = this.#parts;
        if (this.#parts.length < 2)
            return first;
        const all = Buffer.concat(this.#parts);
        this.#parts = [all];
        return all;
    }
    #drop(size) {
        const rest = this.#joined().subarray(size);
        this.#parts = rest.length > 0 ? [rest] : [];
        this.length = rest.length;
    }
}
function headOf(line) {
    let head;
    try {
        head = JSON.parse(line);
    }
    catch (cause) {
        throw foreign({ cause });
    }
    if (!Array.isArray(head))
        throw foreign();
    const [key, version, size] = head;
    const isText = (value) => value === undefined || typeof value === 'string';
    const isSize = size === undefined || (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && size <= _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_OBJECT_BYTES */ .lu);
    if (!isText(key) || !isText(version) || !isSize)
        throw foreign();
    return head;
}
function foreign(options) {
    return new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('corrupt', 'storage: the list of objects that the server gave was not written by this program', options);
}


/***/ }),

/***/ 43096:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CV: () => (/* binding */ TOKEN),
/* harmony export */   E4: () => (/* binding */ versionOf),
/* harmony export */   EY: () => (/* binding */ versionHeader),
/* harmony export */   KL: () => (/* binding */ PAGE),
/* harmony export */   Kl: () => (/* binding */ faultOf),
/* harmony export */   Uk: () => (/* binding */ PULSE),
/* harmony export */   c2: () => (/* binding */ statusOf),
/* harmony export */   g2: () => (/* binding */ encodeKey),
/* harmony export */   rI: () => (/* binding */ conditionOf),
/* harmony export */   tp: () => (/* binding */ ANSWER),
/* harmony export */   xv: () => (/* binding */ VERSION),
/* harmony export */   y3: () => (/* binding */ decodeKey),
/* harmony export */   zE: () => (/* binding */ conditionHeader)
/* harmony export */ });
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/**
 * The protocol between client and server: plain HTTP, designed to pass unchanged through anything in between (the proxy of a Kubernetes API server).
 *
 * ```
 * GET  object?key=K[&from=N][&to=N]   bytes, version in a header; 404 when it does not exist
 * PUT  object?key=K                   body; condition in headers; answers with the version
 * GET  list?prefix=P[&after=K]        a page of lines [key, size], then {"more": true | false}
 * POST watch                          JSON array of requests; frames as they come (`frames.ts`), empty lines to show that the line is alive
 * POST remove                         JSON array of keys; of one, condition in headers
 * POST clear?prefix=P · POST init?prefix=P · GET health
 * ```
 *
 * Keys are sent as base64url in the query, because proxies may change paths. The token has a header of its own, because an API server does not
 * pass on `Authorization`. Every answer of this server has the header `ANSWER`; one without it comes from something in between.
 */

const TOKEN = 'x-tpi-token';
const ANSWER = 'x-tpi-store';
const VERSION = 'x-tpi-version';
const CONDITION = 'x-tpi-if';
/** Milliseconds between two signs of life on an open `watch`. */
const PULSE = 10_000;
/** Entries of a page of `list`. */
const PAGE = 1000;
const STATUS = {
    conflict: 412,
    corrupt: 422,
    gone: 410,
    denied: 403,
    full: 507,
    unavailable: 503,
    invalid: 400,
};
const statusOf = (kind) => STATUS[kind];
function faultOf(status) {
    const [kind] = Object.entries(STATUS).find(([, own]) => own === status) ?? [];
    return kind ?? 'unavailable';
}
const encodeKey = (key) => Buffer.from(key).toString('base64url');
const decodeKey = (text) => Buffer.from(text, 'base64url').toString();
function conditionHeader(condition) {
    if (condition === undefined)
        return {};
    return { [CONDITION]: 'absent' in condition ? 'absent' : `version ${encodeURIComponent(condition.version)}` };
}
function conditionOf(headers) {
    const text = headers[CONDITION];
    if (text === undefined)
        return undefined;
    if (text === 'absent')
        return { absent: true };
    if (typeof text === 'string' && text.startsWith('version '))
        return { version: decodeURIComponent(text.slice(8)) };
    throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', 'storage: this server does not know that condition');
}
const versionHeader = (version) => ({ [VERSION]: encodeURIComponent(version) });
const versionOf = (text) => decodeURIComponent(text);


/***/ }),

/***/ 7626:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  z: () => (/* binding */ storeServer)
});

// UNUSED EXPORTS: WATCH_FOR

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(78474);
// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __webpack_require__(37067);
// EXTERNAL MODULE: external "node:stream/promises"
var promises_ = __webpack_require__(46466);
// EXTERNAL MODULE: ./build/js/lib/shape.js
var shape = __webpack_require__(29611);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
;// CONCATENATED MODULE: ./build/js/wire/pass.js
/**
 * Passes: with one, a machine has access to a store that has rules (`stores/pass-rules.ts`), for one slot of one incarnation. A pass is made with a
 * key that no machine has.
 */

/** The text of a pass. It says for what it is valid, because the server that checks it knows nothing but the key. */
function passFor(key, { id, incarnation, slot }) {
    const words = `${id}/${incarnation}/${slot}`;
    return `${words}/${(0,external_node_crypto_.createHmac)('sha256', key).update(words).digest('hex')}`;
}
const FORM = /^([a-z0-9-]{1,64})\/([a-z0-9-]{1,64})\/(\d{1,7})\/[0-9a-f]{64}$/;
/** The pass in a text; `undefined`: it was not made with this key. */
function passIn(key, text) {
    const [, id = '', incarnation = '', slot] = FORM.exec(text) ?? [];
    if (slot === undefined)
        return undefined;
    const pass = { id, incarnation, slot: Number(slot) };
    const [good, given] = [Buffer.from(passFor(key, pass)), Buffer.from(text)];
    return good.length === given.length && (0,external_node_crypto_.timingSafeEqual)(good, given) ? pass : undefined;
}

// EXTERNAL MODULE: ./build/js/wire/store.js
var wire_store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/keys.js
var keys = __webpack_require__(56705);
// EXTERNAL MODULE: ./build/js/wire/after-close.js
var after_close = __webpack_require__(91685);
// EXTERNAL MODULE: ./build/js/wire/layout.js
var layout = __webpack_require__(64046);
// EXTERNAL MODULE: ./build/js/wire/outage.js
var outage = __webpack_require__(90239);
// EXTERNAL MODULE: ./build/js/wire/slot.js
var slot = __webpack_require__(48088);
// EXTERNAL MODULE: ./build/js/wire/spec.js
var spec = __webpack_require__(62023);
// EXTERNAL MODULE: ./build/js/wire/swap.js
var swap = __webpack_require__(99111);
;// CONCATENATED MODULE: ./build/js/stores/pass-rules.js
/**
 * A store as one machine may use it. Its script may be malicious, and can read everything that the agent has. So the agent's pass opens only
 * the slot of this machine, and what all machines must know.
 *
 * It may read what the deployment is (`current`, `spec`, `control`, programs, the uploaded work directory), the secrets of the environment until
 * the last slot is closed, the record of every slot (for peers, for gangs, and to know whether it is the last), everything in its own slot, and those
 * of its slot's credentials that the record has claimed. It may write its own slot. When a slot is closed, what has to be done then is done here,
 * because the machine may be gone.
 */








/** Milliseconds, for the actions after a slot was closed. */
const PATIENCE = { first: 500, longest: 10_000, patience: 120_000 };
function walled(store, pass) {
    return new Walled(store, pass);
}
const isWalled = (store) => store instanceof Walled;
class Walled {
    url;
    /** Absent if the store has no such method. */
    writeFrom;
    #store;
    #id;
    #slot;
    #keys;
    #own;
    constructor(store, { id, incarnation, slot }) {
        this.url = store.url;
        this.#store = store;
        this.#id = id;
        this.#slot = slot;
        this.#keys = (0,layout/* layout */.Zp)(id, incarnation);
        this.#own = this.#keys.slot(slot);
        const writeFrom = store.writeFrom?.bind(store);
        if (writeFrom)
            this.writeFrom = async (...body) => this.#writeFrom(writeFrom, ...body);
    }
    async init(prefix) {
        throw this.#refused('make', prefix);
    }
    async clear(prefix) {
        throw this.#refused('clear', prefix);
    }
    async read(key, range, signal, received) {
        if (!(await this.#mayRead(key, signal)))
            throw this.#refused('read', key);
        return await this.#store.read(key, range, signal, received);
    }
    async write(key, body, condition, signal) {
        if (!this.#mayWrite(key))
            throw this.#refused('write', key);
        if (key !== this.#own.record)
            return await this.#store.write(key, body, condition, signal);
        // Checked, because a record that cannot be read would block controllers, which handle all slots.
        const record = (0,parse/* parseRecord */.Hh)(slot/* SLOT */.rt, body, key);
        if (record.index !== this.#slot)
            throw this.#refused('write the record of another slot to', key);
        for (const ref of [record.head, record.lastQuiet, record.previous])
            if (ref && ref.at !== layout/* BASE */.Wm && ref.at !== (0,layout/* snapAt */.cv)(this.#slot))
                throw this.#refused(`name a snapshot in ${ref.at} in`, key);
        const version = await this.#store.write(key, body, condition, signal);
        if ((0,slot/* isTerminal */.Hd)(record.state))
            await this.#follow(record);
        return version;
    }
    list(prefix, after, signal) {
        if (!prefix.startsWith(this.#own.folder))
            throw this.#refused('list', prefix);
        return this.#store.list(prefix, after, signal);
    }
    async remove(keys, condition) {
        const denied = await this.#keptFrom(keys);
        if (denied !== undefined)
            throw this.#refused('remove', denied);
        await this.#store.remove(keys, condition);
    }
    async #writeFrom(writeFrom, key, body, condition, signal) {
        if (!this.#mayWrite(key))
            throw this.#refused('write', key);
        if (key !== this.#own.record)
            return await writeFrom(key, body, condition, signal);
        if (body.size > slot/* SLOT */.rt.most)
            throw this.#refused(`write ${body.size} bytes to`, key);
        const pieces = [];
        for await (const piece of body.pieces)
            pieces.push(Buffer.from(piece));
        return await this.write(key, Buffer.concat(pieces), condition, signal);
    }
    async #mayRead(key, signal) {
        const keys = this.#keys;
        if ([(0,layout/* currentKey */.Fo)(this.#id), keys.spec, keys.control, keys.secrets, keys.registration(this.#slot)].includes(key))
            return true;
        if ([keys.agent(''), keys.base, this.#own.folder].some((folder) => key.startsWith(folder)) || this.#isRecord(key))
            return true;
        const k = this.#credential(key);
        return k !== undefined && isClaimed(k, await this.#record(signal));
    }
    #mayWrite(key) {
        return key.startsWith(this.#own.folder) || key === this.#keys.registration(this.#slot);
    }
    /**
     * The first of the keys that it may not remove. What slots share may be removed once all are closed; a credential, once it is claimed or the slot
     * is closed. Names are checked first, and the records are read at most once, because calls cost money and time.
     */
    async #keptFrom(keys) {
        const own = this.#keys;
        const others = keys.filter((key) => !key.startsWith(this.#own.folder) || key === this.#own.record);
        const isShared = (key) => key === own.secrets || key.startsWith(own.agent(''));
        const once = others.filter((key) => !isShared(key));
        const stranger = once.find((key) => this.#credential(key) === undefined && key !== own.registration(this.#slot));
        if (stranger !== undefined)
            return stranger;
        const shared = others.find(isShared);
        if (shared !== undefined && !(await (0,after_close/* allClosed */.I$)(await this.#slots())))
            return shared;
        if (once.length === 0)
            return undefined;
        const record = await this.#record();
        return record && (0,slot/* isTerminal */.Hd)(record.state) ? undefined : once.find((key) => !isClaimed(this.#credential(key), record));
    }
    /** The record of any slot. */
    #isRecord(key) {
        const [, slot] = /\/slots\/(\d{1,7})\/slot\.json$/.exec(key) ?? [];
        return slot !== undefined && key === this.#keys.slot(Number(slot)).record;
    }
    /** Number of a credential of this slot. */
    #credential(key) {
        const k = Number(/-(\d{1,9})$/.exec(key)?.[1] ?? Number.NaN);
        return key === this.#keys.once(this.#slot, k) ? k : undefined;
    }
    async #record(signal) {
        return (await (0,swap/* readRecord */.a)(slot/* SLOT */.rt, this.#store, this.#own.record, signal))?.value;
    }
    async #slots() {
        const read = await (0,swap/* readRecord */.a)(spec/* SPEC */.y7, this.#store, this.#keys.spec);
        if (!read)
            throw new wire_store/* StoreError */.AD('gone', `storage: there is no ${this.#keys.spec}`);
        return { store: this.#store, keys: this.#keys, spec: read.value };
    }
    /**
     * Does what has to be done after a slot was closed. A failure changes nothing about the record: controllers do all of this, too. But there may
     * be no controller, so an outage of the store is waited out. The machine waits only for the first try.
     */
    async #follow(closed) {
        await new Promise((resolve) => {
            const step = async () => {
                const slots = await this.#slots();
                const steps = await Promise.allSettled([(0,after_close/* removeSecrets */.cu)(slots), (0,after_close/* stopSiblings */.m9)(slots, closed)]);
                for (const done of steps)
                    if (done.status === 'rejected')
                        throw done.reason;
            };
            // Final: no specification, or an unreadable one, so it is unknown what to do.
            (0,outage/* outlast */.f)(step, { ...PATIENCE, onTrouble: () => resolve() }).then(resolve, () => resolve());
        });
    }
    #refused(what, key) {
        return new wire_store/* StoreError */.AD('denied', `storage: a machine of slot ${this.#slot} may not ${what} "${key}"`);
    }
}
const isClaimed = (k, record) => k !== undefined && (record?.claimed ?? 0) > k;

// EXTERNAL MODULE: ./build/js/lib/heap.js
var heap = __webpack_require__(2470);
;// CONCATENATED MODULE: ./build/js/stores/http/body.js


/** Bytes that pass before garbage is collected. Collecting takes ten milliseconds; a good disk needs a hundred to write as much. */
const WASTE = 16 * 1024 * 1024;
/** The whole body of a request; it is in memory only once. */
async function body(request) {
    const size = Number(request.headers['content-length'] ?? Number.NaN);
    if (!(size <= wire_store/* MAX_OBJECT_BYTES */.lu))
        throw new wire_store/* StoreError */.AD('invalid', 'storage: the body is too long, or of unknown length');
    const whole = Buffer.allocUnsafeSlow(size);
    let length = 0;
    for await (const piece of pieces(request, size))
        length += piece.copy(whole, length);
    return whole;
}
/** Exactly `size` bytes, or it rejects. A caller that does not want all of it can leave the rest unread. */
async function* pieces(request, size) {
    let length = 0;
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
        length += piece.length;
        if (length > size)
            throw new wire_store/* StoreError */.AD('invalid', 'storage: the body is longer than announced');
        yield piece;
        passed(piece.length);
    }
    if (!request.complete || length !== size)
        throw new wire_store/* StoreError */.AD('invalid', 'storage: the body was cut short');
}
let waste = 0;
/** The garbage collector sees only small objects, and would let a hundred megabytes of these pile up. */
function passed(bytes) {
    waste += bytes;
    if (waste < WASTE)
        return;
    waste = 0;
    (0,heap/* tidyUp */.gN)();
}
/** Resolves once they are sent; rejects with the signal's reason. The caller must not use them again. */
async function sent(response, bytes, gone) {
    gone.throwIfAborted();
    await new Promise((resolve, reject) => {
        const stop = () => reject(gone.reason);
        gone.addEventListener('abort', stop, { once: true });
        response.write(bytes, (error) => {
            gone.removeEventListener('abort', stop);
            // After a failure, a part may still be on its way.
            if (!error)
                (0,heap/* free */.t9)(bytes);
            resolve();
        });
    });
}

// EXTERNAL MODULE: ./build/js/stores/http/frames.js
var http_frames = __webpack_require__(42462);
;// CONCATENATED MODULE: ./build/js/stores/http/memory-limit.js
/** Limits what is in memory at once: first come, first served. */
class MemoryLimit {
    #whole;
    #free;
    #queue = [];
    constructor(whole) {
        this.#whole = whole;
        this.#free = whole;
    }
    /**
     * Waits until so much is free; resolves to the function that gives it back. Whoever asks for more than the limit gets all of it. Rejects with
     * the signal's reason.
     */
    async take(amount, signal) {
        signal.throwIfAborted();
        const part = Math.min(amount, this.#whole);
        if (this.#queue.length > 0 || part > this.#free)
            await this.#turn(part, signal);
        else
            this.#free -= part;
        let given = false;
        return () => {
            if (given)
                return;
            given = true;
            this.#free += part;
            this.#next();
        };
    }
    async #turn(amount, signal) {
        await new Promise((resolve, reject) => {
            const waiting = {
                amount,
                start: () => {
                    signal.removeEventListener('abort', stop);
                    resolve();
                },
            };
            const stop = () => {
                this.#queue.splice(this.#queue.indexOf(waiting), 1);
                reject(signal.reason);
                this.#next();
            };
            signal.addEventListener('abort', stop, { once: true });
            this.#queue.push(waiting);
        });
    }
    #next() {
        for (let first = this.#queue[0]; first && first.amount <= this.#free; first = this.#queue[0]) {
            this.#queue.shift();
            this.#free -= first.amount;
            first.start();
        }
    }
}
/** One limit for all, and a share of it for each client: nobody can use all of it. */
class MemoryLimits {
    whole;
    #share;
    #shares = new Map();
    constructor(whole, share) {
        this.whole = new MemoryLimit(whole);
        this.#share = share;
    }
    /** The share of the client of this name. */
    of(name) {
        const share = this.#shares.get(name) ?? new MemoryLimit(this.#share);
        this.#shares.set(name, share);
        return {
            take: async (amount, signal) => {
                const own = await share.take(amount, signal);
                try {
                    const common = await this.whole.take(amount, signal);
                    return () => {
                        common();
                        own();
                    };
                }
                catch (error) {
                    own();
                    throw error;
                }
            },
        };
    }
}

// EXTERNAL MODULE: ./build/js/stores/http/protocol.js
var protocol = __webpack_require__(43096);
// EXTERNAL MODULE: ./build/js/lib/abort.js
var abort = __webpack_require__(72220);
;// CONCATENATED MODULE: ./build/js/stores/http/push.js
/** Pushes changes to waiting clients: at once after a write by this server; those of another server of the same folder every few seconds. */

/** Milliseconds between two looks if the bell does not ring. */
const BLIND = 5_000;
/** Notifies listeners of every key that this server has written or removed. */
class Bell {
    #ears = new Set();
    ring(key) {
        for (const hear of this.#ears)
            hear(key);
    }
    /** Returns the function that unsubscribes. */
    hear(ear) {
        this.#ears.add(ear);
        return () => this.#ears.delete(ear);
    }
}
/** Tells the client the present state of what it asked for, then `caught-up`, then every change, until the signal. */
async function push({ store, requests, bell, signal, tell }) {
    const subjects = requests.map((request) => new Subject(request, store, tell));
    const byPlace = new Map(subjects.flatMap((subject) => subject.places.map((place) => [place, subject])));
    const touched = new Set(subjects);
    let wake = () => undefined;
    const unhear = bell.hear((key) => {
        const subject = byPlace.get(key) ?? byPlace.get(key.slice(0, key.lastIndexOf('/') + 1));
        if (subject)
            touched.add(subject);
        if (subject)
            wake();
    });
    try {
        for (let first = true; !signal.aborted; first = false) {
            const now = [...touched];
            touched.clear();
            for (const subject of now)
                await subject.look(signal);
            if (first)
                await tell('caught-up');
            if (touched.size === 0)
                await (0,abort/* untilWoken */.VI)(BLIND, signal, (waking) => (wake = waking));
            if (touched.size === 0)
                for (const subject of subjects)
                    touched.add(subject);
        }
    }
    finally {
        unhear();
    }
}
class Subject {
    #request;
    #store;
    #tell;
    #after;
    #version;
    constructor(request, store, tell) {
        this.#request = request;
        this.#store = store;
        this.#tell = tell;
        this.#after = request.after;
    }
    get places() {
        return [this.#request.record, this.#request.folder];
    }
    /** The record is read first and sent last: by then everything that it refers to has been sent. */
    async look(signal) {
        const { record, folder } = this.#request;
        const object = await this.#store.read(record, undefined, signal);
        for await (const { key } of this.#store.list(folder, this.#after, signal)) {
            const found = await this.#store.read(key, undefined, signal);
            if (found)
                await this.#tell({ key, object: found });
            this.#after = key;
        }
        if (object?.version === this.#version)
            return;
        this.#version = object?.version;
        await this.#tell({ key: record, ...(object && { object }) });
    }
}

;// CONCATENATED MODULE: ./build/js/stores/http/server.js
/** Serves any store over HTTP, for the client in `index.ts`. */
















/** Bytes of bodies that are in memory at once. As many again may wait for the garbage collector. */
const BODIES = 24 * 1024 * 1024;
/** Of these, those for one machine: it reads up to 16 objects at once, and also its slot's records. */
const SHARE = (BODIES / 4) * 3;
/** Milliseconds without a byte, as clients have it. */
const SILENCE = 60_000;
/** Bytes of an object that are read and sent at a time. */
const PIECE = 1024 * 1024;
/** Bytes. A longer body is streamed to the store, if the store can do that; `FLOWING` of its bytes are then in memory. */
const GATHERED = 1024 * 1024;
const FLOWING = 256 * 1024;
/** The default of `ServerOptions.watchFor`. */
const WATCH_FOR = 10 * 60_000;
function storeServer(options) {
    const { piece = PIECE } = options;
    const limits = new MemoryLimits(BODIES, Math.max(SHARE, 3 * piece));
    const bell = new Bell();
    const server = (0,external_node_http_.createServer)((request, response) => {
        const gone = new AbortController();
        response.on('close', () => gone.abort());
        void answer({ ...options, piece, request, response, limits, bell, gone: gone.signal }).catch((error) => fail(response, error));
    });
    // Longer than clients and proxies keep an idle socket; a body of 64 MiB may take its time.
    server.keepAliveTimeout = 75_000;
    server.requestTimeout = 10 * 60_000;
    server.timeout = options.silence ?? SILENCE;
    return server;
}
const KEY = (0,shape/* text */.Qq)(4096);
const KEYS = (0,shape/* list */.p_)(KEY, 10_000);
const WATCHES = (0,shape/* list */.p_)((0,shape/* object */.Ik)({ record: KEY, folder: KEY, after: (0,shape/* maybe */.no)(KEY) }), 100_000);
/** Bytes: tpi's clients send at most 500 keys. */
const MOST_KEYS = 8 * 1024 * 1024;
/** The body of a request, as JSON of this shape. Throws kind `invalid`. */
async function bodyAs({ request, memory, gone }, shape, most) {
    const size = Number(request.headers['content-length'] ?? Number.NaN);
    if (!(size <= most))
        throw new wire_store/* StoreError */.AD('invalid', `storage: the request has more than ${most} bytes, or an unknown length`);
    const release = await memory.take(size, gone);
    try {
        return (0,parse/* parseShape */.Tr)(shape, (await body(request)).toString('utf8'));
    }
    catch (cause) {
        if (cause instanceof wire_store/* StoreError */.AD)
            throw cause;
        throw new wire_store/* StoreError */.AD('invalid', 'storage: the request is not from this program', { cause });
    }
    finally {
        release();
    }
}
const HANDLERS = {
    'GET health': async ({ response }) => end(response, 200),
    'GET object': readObject,
    'PUT object': writeObject,
    'GET list': listPage,
    'POST watch': watch,
    'POST remove': async (turn) => {
        const keys = await bodyAs(turn, KEYS, MOST_KEYS);
        const condition = (0,protocol/* conditionOf */.rI)(turn.request.headers);
        if (condition && !('version' in condition))
            throw new wire_store/* StoreError */.AD('invalid', 'storage: nothing is removed on condition that it is absent');
        await turn.store.remove(keys, condition);
        for (const key of keys)
            turn.bell.ring(key);
        end(turn.response, 200);
    },
    'POST clear': async ({ store, response }, search) => {
        await store.clear(keyIn(search, 'prefix'));
        end(response, 200);
    },
    'POST init': async ({ store, response }, search) => {
        await store.init(keyIn(search, 'prefix'));
        end(response, 200);
    },
};
async function answer(asked) {
    const { request, limits } = asked;
    const url = new URL(request.url ?? '/', 'http://store');
    const name = `${request.method} ${url.pathname.slice(url.pathname.lastIndexOf('/') + 1)}`;
    const whole = { store: asked.store, memory: limits.whole };
    const allowed = name === 'GET health' ? whole : admitted(asked, whole);
    const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
    if (!handler)
        throw new wire_store/* StoreError */.AD('invalid', `storage: "${name}" is not an operation of this server`);
    await handler({ ...asked, ...allowed }, url.searchParams);
}
/** The store and memory that the caller may use: everything with the token, with a pass that of its slot. Throws kind `denied`. */
function admitted({ request, token, store, limits }, whole) {
    const given = request.headers[protocol/* TOKEN */.CV];
    if (equal(given, token))
        return whole;
    const pass = typeof given === 'string' ? passIn(token, given) : undefined;
    if (!pass)
        throw new wire_store/* StoreError */.AD('denied', 'storage: this is not the token of this store');
    return { store: walled(store, pass), memory: limits.of(`${pass.id}/${pass.incarnation}/${pass.slot}`) };
}
function equal(given, token) {
    const digest = (text) => (0,external_node_crypto_.createHash)('sha256').update(text).digest();
    return typeof given === 'string' && (0,external_node_crypto_.timingSafeEqual)(digest(given), digest(token));
}
async function readObject({ store, piece: size, response, memory, gone }, search) {
    const key = keyIn(search, 'key');
    const range = { from: numberIn(search, 'from') ?? 0, ...(search.has('to') && { to: numberIn(search, 'to') ?? 0 }) };
    const release = await memory.take(size, gone);
    try {
        let first;
        for (let from = range.from;; from += size) {
            const to = Math.min(from + size, range.to ?? Number.POSITIVE_INFINITY);
            const piece = await store.read(key, { from, to }, gone);
            if (!piece && first === undefined)
                return end(response, 404);
            // It was replaced in the middle: the client sees that the body is incomplete, and asks again.
            if (!piece || (first !== undefined && piece.version !== first))
                return void response.destroy();
            if (first === undefined)
                response.writeHead(200, { [protocol/* ANSWER */.tp]: '1', ...(0,protocol/* versionHeader */.EY)(piece.version), 'content-type': 'application/octet-stream' });
            first = piece.version;
            const { length } = piece.bytes;
            await sent(response, piece.bytes, gone);
            if (length < size || to === range.to)
                return void response.end();
        }
    }
    finally {
        release();
    }
}
async function writeObject(turn, search) {
    const { store, request, response, memory, bell, gone } = turn;
    const key = keyIn(search, 'key');
    const condition = (0,protocol/* conditionOf */.rI)(request.headers);
    const size = Number(request.headers['content-length'] ?? Number.NaN);
    if (!(size <= wire_store/* MAX_OBJECT_BYTES */.lu))
        throw new wire_store/* StoreError */.AD('invalid', `storage: "${key}" is larger than ${wire_store/* MAX_OBJECT_BYTES */.lu} bytes, or of unknown length`);
    const from = size > GATHERED ? store.writeFrom?.bind(store) : undefined;
    const release = await memory.take(from ? FLOWING : size, gone);
    try {
        const version = from
            ? await from(key, { size, pieces: pieces(request, size) }, condition, gone)
            : await store.write(key, await body(request), condition, gone);
        bell.ring(key);
        end(response, 200, (0,protocol/* versionHeader */.EY)(version));
    }
    catch (error) {
        // The rest of the body is read, because a client that is still sending would not get the answer.
        await (0,promises_.finished)(request.resume(), { signal: gone, writable: false }).catch(() => undefined);
        throw error;
    }
    finally {
        release();
    }
}
async function listPage({ store, response, gone }, search) {
    const lines = [];
    for await (const { key, size } of store.list(keyIn(search, 'prefix'), afterIn(search), gone)) {
        if (lines.length === protocol/* PAGE */.KL) {
            lines.push('{"more":true}');
            break;
        }
        lines.push(JSON.stringify([key, size]));
    }
    if (lines.length <= protocol/* PAGE */.KL)
        lines.push('{"more":false}');
    end(response, 200, {}, `${lines.join('\n')}\n`);
}
async function watch(turn) {
    const { store, response, bell, gone, watchFor = WATCH_FOR } = turn;
    // Machines do not need it, and each `watch` costs reads every few seconds, for minutes.
    if (isWalled(store))
        throw new wire_store/* StoreError */.AD('denied', 'storage: a machine may not watch');
    const requests = await bodyAs(turn, WATCHES, wire_store/* MAX_OBJECT_BYTES */.lu);
    for (const { record, folder } of requests) {
        (0,keys/* checkKey */.yR)(record);
        (0,keys/* checkFolder */.p$)(folder);
    }
    const signal = AbortSignal.any([gone, AbortSignal.timeout(watchFor)]);
    response.writeHead(200, { [protocol/* ANSWER */.tp]: '1', 'content-type': 'application/octet-stream', 'cache-control': 'no-transform' });
    response.write('\n');
    const pulse = setInterval(() => response.write('\n'), protocol/* PULSE */.Uk);
    try {
        await push({
            store,
            requests,
            bell,
            signal,
            async tell(change) {
                if (!response.write((0,http_frames/* frameOf */.D)(change)))
                    await drained(response, gone);
            },
        });
    }
    catch (error) {
        // If its time was over in the middle of a look, what was sent is complete, and the next call gets the rest.
        if (!signal.aborted)
            throw error;
    }
    finally {
        clearInterval(pulse);
    }
    response.end();
}
async function drained(response, gone) {
    gone.throwIfAborted();
    await (0,external_node_events_.once)(response, 'drain', { signal: gone }).catch(() => undefined);
}
function keyIn(search, name) {
    return (0,protocol/* decodeKey */.y3)(search.get(name) ?? '');
}
function afterIn(search) {
    const after = search.get('after');
    return after === null ? undefined : (0,protocol/* decodeKey */.y3)(after);
}
function numberIn(search, name) {
    const text = search.get(name);
    if (text === null)
        return undefined;
    if (!/^\d{1,15}$/.test(text))
        throw new wire_store/* StoreError */.AD('invalid', `storage: "${text}" is not an offset`);
    return Number(text);
}
function end(response, status, headers = {}, text = '') {
    response.writeHead(status, { [protocol/* ANSWER */.tp]: '1', 'content-length': String(Buffer.byteLength(text)), ...headers });
    response.end(text);
}
/** Tells the client what went wrong, unless the answer has begun already: then the client sees that it is incomplete. */
function fail(response, error) {
    if (response.destroyed)
        return;
    if (response.headersSent)
        return void response.destroy();
    const kind = (0,wire_store/* isStoreError */.A1)(error) ? error.kind : 'unavailable';
    const message = (0,lib_text/* messageOf */.bD)(error);
    // The body was not read to its end, so this connection cannot be reused.
    end(response, (0,protocol/* statusOf */.c2)(kind), { 'content-type': 'application/json', connection: 'close' }, JSON.stringify({ message }));
}


/***/ }),

/***/ 71777:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ SERVE),
/* harmony export */   k: () => (/* binding */ GATE)
/* harmony export */ });
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/* harmony import */ var _machine_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(65179);
/* harmony import */ var _parse_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(13453);
/** The configurations of the programs `agent serve-store CONFIG.json` and `agent serve-gate CONFIG.json`. */



const SERVE = {
    what: 'the configuration of the server of a store',
    most: 65_536,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
        v: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .VERSION */ .xv),
        folder: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(4096),
        guest: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .maybe */ .no)(_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .flag */ .Jt),
        port: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(65_535),
        tokenFile: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(4096),
        linger: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .number */ .ai)(0, 1e9),
    }),
};
const GATE = {
    what: 'the configuration of the gate of a store',
    most: 4 << 20,
    shape: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({
        v: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .oneOf */ .yL)(_parse_js__WEBPACK_IMPORTED_MODULE_2__/* .VERSION */ .xv),
        store: _machine_js__WEBPACK_IMPORTED_MODULE_1__/* .storePlace */ .Fo,
        credentialsFile: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(4096),
        port: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .count */ .U9)(65_535),
        tokenFile: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .text */ .Qq)(4096),
    }),
};


/***/ })

};
