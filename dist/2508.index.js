export const id = 2508;
export const ids = [2508,8475];
export const modules = {

/***/ 58527:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DR: () => (/* binding */ warnOfFar),
/* harmony export */   PP: () => (/* binding */ hostsOf),
/* harmony export */   qu: () => (/* binding */ dataOf)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(40859);
/* harmony import */ var _wire_machine_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(65179);
/* harmony import */ var _folders_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(51998);




/** Throws InputError with everything that is wrong. `taken`: folders that are used for something else. */
function dataOf(vendor, names, written, taken) {
    const read = written.map((text) => sourceOf(vendor, names, text));
    const sources = read.filter((one) => 'url' in one);
    const faults = [...read.filter((one) => 'option' in one), ...(0,_folders_js__WEBPACK_IMPORTED_MODULE_2__/* .overlapFaults */ .vt)('data', [...sources.map(({ path }) => path), ...taken])];
    if (sources.length > _wire_machine_js__WEBPACK_IMPORTED_MODULE_1__/* .MOST_SOURCES */ .H8)
        faults.push({ option: 'data', message: `a machine fetches at most ${_wire_machine_js__WEBPACK_IMPORTED_MODULE_1__/* .MOST_SOURCES */ .H8} of them`, hint: 'give fewer' });
    if (faults.length > 0)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(faults);
    return sources;
}
function sourceOf(vendor, { url, such }, text) {
    const placed = (0,_folders_js__WEBPACK_IMPORTED_MODULE_2__/* .placedOf */ .hg)('data', text);
    if ('option' in placed)
        return placed;
    const { from, path } = placed;
    const segments = from.split('/').slice(3);
    if (url.test(from) && URL.canParse(from) && !segments.some((one) => one === '.' || one === '..'))
        return { url: from.replace(/\/+$/, ''), path };
    return {
        option: 'data',
        message: `"${from}" is not something that machines of ${vendor} can fetch with their identity`,
        hint: `write ${such}:/PATH`,
    };
}
/** Hosts of the buckets or storage accounts, each once. */
const hostsOf = (data) => [...new Set(data.map(({ url }) => new URL(url).host))];
/**
 * Warns of data in another region: each machine that starts pays for the traffic and takes longer. `locate`: the region of a bucket or
 * storage account, if the vendor tells it.
 */
async function warnOfFar({ data, region }, locate, log) {
    for (const host of hostsOf(data)) {
        const where = await locate(host).catch((error) => log.debug(`data: the region of ${host} is not known: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_3__/* .messageOf */ .bD)(error)}`));
        if (where && !isNear(where.toLowerCase(), region))
            log.warn(`data: ${host} is in ${where}, the machines are in ${region}: each machine that starts fetches it from there, and that traffic is charged`);
    }
}
/** Google also has buckets of a whole continent (`us`, `eu`, `asia`) or of two of its regions (`nam4`, `eur4`): they count as near all of its regions. */
function isNear(where, region) {
    if (where === region)
        return true;
    const continent = { us: 'us-', nam: 'us-', eu: 'europe-', eur: 'europe-', asia: 'asia-' }[where.replace(/\d+$/, '')];
    return continent !== undefined && region.startsWith(continent);
}


/***/ }),

/***/ 51998:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c$: () => (/* binding */ lengthFaults),
/* harmony export */   hg: () => (/* binding */ placedOf),
/* harmony export */   vt: () => (/* binding */ overlapFaults)
/* harmony export */ });
/**
 * Bytes of all texts together: they are part of the user-data, for which EC2, the strictest vendor, allows 16 KiB. So no single text is longer
 * than a machine accepts (4096).
 */
const MOST_TEXT = 4000;
const PATH = /^(?:\/[\w.-]+)+$/;
/** Folders of the system and of tpi. */
const TAKEN = /^\/(?:bin|boot|dev|efi|etc|home|lib\w*|proc|root|run|sbin|sys|tmp|usr|var)(?:\/|$)/;
function placedOf(option, text) {
    const [, from = '', path = ''] = /^(.+):(\/.*)$/.exec(text) ?? [];
    if (!PATH.test(path) || path.split('/').some((part) => part === '.' || part === '..'))
        return { option, message: `"${path}" of "${text}" is not a folder of a machine`, hint: 'write one such as /data or /mnt/data' };
    if (TAKEN.test(path))
        return { option, message: `${path} is the system's own`, hint: 'choose another folder, such as /data or /mnt/data' };
    return { from, path };
}
/** No folder may be inside another one, or be named twice. */
function overlapFaults(option, paths) {
    const twice = paths.find((path, at) => paths.some((other, where) => where !== at && `${other}/`.startsWith(`${path}/`)));
    return twice === undefined ? [] : [{ option, message: `more than one thing would be in ${twice}`, hint: 'give each a folder of its own' }];
}
/** `texts`: the values of each option, as the user wrote them. */
function lengthFaults(texts) {
    const given = Object.entries(texts).filter(([, all]) => all.length > 0);
    const sizes = given.map(([option, all]) => ({ option, size: Buffer.byteLength(JSON.stringify(all)) }));
    const size = sizes.reduce((sum, one) => sum + one.size, 0);
    const [largest] = sizes.toSorted((one, other) => other.size - one.size);
    if (size <= MOST_TEXT || !largest)
        return [];
    const options = sizes.map(({ option }) => option).join(' and ');
    const are = sizes.length === 1 ? 'is' : 'are together';
    const message = `${options} ${are} ${size} bytes long, and a machine can be told at most ${MOST_TEXT}`;
    return [{ option: largest.option, message, hint: 'give fewer of them, or shorter folders' }];
}


/***/ }),

/***/ 70839:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   HV: () => (/* binding */ last),
/* harmony export */   Nl: () => (/* binding */ TWIN),
/* harmony export */   uE: () => (/* binding */ shortTwinName)
/* harmony export */ });
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(82260);

/** End of the name of a twin (`spot: prefer`). */
const TWIN = '-on-demand';
/** `most`: characters. */
const shortTwinName = (of, most) => `${(0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .shortName */ .EU)(of, most - TWIN.length)}${TWIN}`;
/** The last part of a URL or an id: a zone, a machine, a type. */
const last = (id) => (id ?? '').split('/').at(-1) ?? '';


/***/ }),

/***/ 36371:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C: () => (/* binding */ rightText),
/* harmony export */   q: () => (/* binding */ lackingCheck)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(40859);

function rightText({ why, page, without }) {
    return `${why}${page === undefined ? '' : ` (${page})`}${without === undefined ? '' : `; without it, ${without}`}`;
}
/** Missing rights that a run can do without are no fault: the check says what they mean. */
function lackingCheck({ cloud, missing, needed = missing, rights, namesOf }) {
    const spared = rights.filter((right) => right.without !== undefined && namesOf(right).some((name) => missing.includes(name)));
    const sparedNames = spared.flatMap(namesOf);
    const denied = needed.some((name) => !sparedNames.includes(name));
    const says = [`you lack ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .listed */ .KE)(missing, 'and')}`, ...spared.map(({ why, without }) => `${why}: without it, ${without}`)].join('; ');
    const hint = `tpi permissions ${cloud} prints what is needed, and why`;
    return { what: 'permissions', state: denied ? 'denied' : 'warning', says, hint };
}


/***/ }),

/***/ 28035:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ug: () => (/* binding */ regionIn),
/* harmony export */   rX: () => (/* binding */ faultsOfRegion),
/* harmony export */   th: () => (/* binding */ regionTexts)
/* harmony export */ });
/** `undefined`: there is no such region; `faultsOfRegion` says so. */
function regionIn({ generic, native }, text) {
    if (Object.hasOwn(generic, text))
        return { region: generic[text] ?? text };
    const [, region, zone] = native.exec(text) ?? [];
    if (region === undefined)
        return undefined;
    return zone === undefined ? { region } : { region, zone: text };
}
/** The regions that were named: as the option's list, or as a request has them, separated by commas (`MachineRequest.region`). */
function regionTexts(value) {
    const texts = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : [];
    return texts.map((text) => text.trim()).filter((text) => text !== '');
}
/** `value`: the option's value. */
function faultsOfRegion(names, value) {
    if (value === '')
        return [unknownRegion(names, value)];
    const before = new Map();
    return regionTexts(value).flatMap((text) => {
        const region = regionIn(names, text)?.region;
        if (region === undefined)
            return [unknownRegion(names, text)];
        const other = before.get(region);
        before.set(region, text);
        if (other === undefined)
            return [];
        return [{ option: 'region', message: `"${other}" and "${text}" are both in ${region}`, hint: 'name each region once' }];
    });
}
function unknownRegion({ generic, vendor, such }, text) {
    const known = Object.keys(generic).join(', ');
    return { option: 'region', message: `"${text}" is not a valid region of ${vendor}`, hint: `write ${known}, or a name such as ${such}` };
}


/***/ }),

/***/ 64519:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  c3: () => (/* binding */ listOf),
  CB: () => (/* binding */ textsOf),
  Z: () => (/* binding */ vmSettings)
});

// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/lib/record.js
var record = __webpack_require__(96645);
// EXTERNAL MODULE: ./build/js/clouds/vm/data.js
var vm_data = __webpack_require__(58527);
// EXTERNAL MODULE: ./build/js/clouds/vm/folders.js
var folders = __webpack_require__(51998);
// EXTERNAL MODULE: ./build/js/wire/machine.js
var machine = __webpack_require__(65179);
;// CONCATENATED MODULE: ./build/js/clouds/vm/mounts.js
/** `mount`: the user's text → network file systems, in the form in which a machine mounts them. */



const NFS = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][\w.-]*):\/\S*$/;
/** https://doc.lustre.org/lustre_manual.xhtml#mount.lustre.8 : several servers are separated by colons. */
const LUSTRE = /^[A-Za-z0-9][\w.-]*@(?:tcp|o2ib)\d*(?::[A-Za-z0-9][\w.-]*@(?:tcp|o2ib)\d*)*:\/[\w.-]+$/;
/** Throws InputError with everything that is wrong. `region`: where the machines are. */
function mountsOf(vendor, names, written, region) {
    const read = written.map((text) => mountOf(vendor, names, text, region));
    const mounts = read.filter((one) => 'source' in one);
    const faults = [
        ...read.filter((one) => 'option' in one),
        ...(0,folders/* overlapFaults */.vt)('mount', mounts.map(({ path }) => path)),
    ];
    if (mounts.length > machine/* MOST_SOURCES */.H8)
        faults.push({ option: 'mount', message: `a machine mounts at most ${machine/* MOST_SOURCES */.H8} file systems`, hint: 'give fewer' });
    if (faults.length > 0)
        throw new errors/* InputError */.dz(faults);
    return mounts;
}
function mountOf(vendor, { such, own, source, options }, text, region) {
    const placed = (0,folders/* placedOf */.hg)('mount', text);
    if ('option' in placed)
        return placed;
    const { from, path } = placed;
    const found = own?.exec(from);
    if (found && source)
        return { source: source(found, region), path, type: 'nfs', options: ['hard', options].filter(Boolean).join(',') };
    if (LUSTRE.test(from))
        return { source: from, path, type: 'lustre', options: 'relatime,flock' };
    if (NFS.test(from))
        return { source: from, path, type: 'nfs', options: 'hard' };
    return {
        option: 'mount',
        message: `"${from}" is not a file system that machines of ${vendor} can mount`,
        hint: `write HOST:/EXPORT:/PATH, HOST@tcp:/NAME:/PATH, or ${such}`,
    };
}

// EXTERNAL MODULE: ./build/js/clouds/vm/region.js
var region = __webpack_require__(28035);
;// CONCATENATED MODULE: ./build/js/clouds/vm/settings.js






/** `at`: which of several regions; absent: the first. */
function vmSettings({ regions, usual, ...names }, values, at) {
    const named = (0,region/* regionTexts */.th)(values['region']);
    const texts = named.length > 0 ? named : [usual];
    const faults = (0,region/* faultsOfRegion */.rX)(regions, texts);
    const places = texts.flatMap((text) => (0,region/* regionIn */.Ug)(regions, text) ?? []);
    const [first] = places;
    if (faults.length > 0 || !first)
        throw new errors/* InputError */.dz(faults.map((fault) => ({ ...fault, message: `region: ${fault.message}` })));
    const place = places.find(({ region }) => region === at) ?? first;
    const written = { mount: listOf(values['mount']), data: listOf(values['data']) };
    const mounts = mountsOf(regions.vendor, names.mounts, written.mount, place.region);
    const taken = mounts.map(({ path }) => path);
    const data = (0,vm_data/* dataOf */.qu)(regions.vendor, names.data, written.data, taken);
    const tooLong = (0,folders/* lengthFaults */.c$)(written);
    if (tooLong.length > 0)
        throw new errors/* InputError */.dz(tooLong);
    const address = values['public-address'];
    return {
        ...place,
        named: named.length > 0,
        regions: [first.region, ...places.slice(1).map(({ region }) => region)],
        sudo: values['sudo'] !== false,
        mounts,
        data,
        ...((address === 'true' || address === 'false') && { publicAddress: address === 'true' }),
        ...textsOf(values, { customerKey: 'customer-key', reservation: 'reservation', storage: 'storage' }),
    };
}
function listOf(value) {
    return Array.isArray(value) ? value : [];
}
/** Those of these options that the user gave. `names`: setting → option. */
function textsOf(values, names) {
    const given = Object.entries(names).flatMap(([setting, option]) => {
        const text = (0,record/* textOf */.b6)(values[option]);
        return text === undefined ? [] : [[setting, text]];
    });
    return Object.fromEntries(given);
}


/***/ }),

/***/ 42600:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   n: () => (/* binding */ uriEncoded),
/* harmony export */   q: () => (/* binding */ uriEncodedPath)
/* harmony export */ });
/** How names are escaped in the URLs of requests, as signatures need it too (RFC 3986: unreserved characters stay). */
/** For a path or a query: all but `A-Z a-z 0-9 - . _ ~` is escaped, slashes too. */
function uriEncoded(text) {
    return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
/** The same for each part of a path: its slashes stay. */
const uriEncodedPath = (path) => path.split('/').map(uriEncoded).join('/');


/***/ }),

/***/ 40335:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B: () => (/* binding */ endpointIn),
/* harmony export */   a: () => (/* binding */ serviceHost)
/* harmony export */ });
/** Domains of China and of the European Sovereign Cloud, by the beginning of their regions: `partitions.json` of AWS's own libraries. */
const DOMAINS = [
    ['cn-', 'amazonaws.com.cn'],
    ['eusc-', 'amazonaws.eu'],
];
/** `name`: as in addresses: `sts`, `api.ecr`. */
function serviceHost(name, region) {
    const [, domain] = DOMAINS.find(([regions]) => region.startsWith(regions)) ?? ['', 'amazonaws.com'];
    return `${name}.${region}.${domain}`;
}
/**
 * Another address of one service (`STS`, `AUTO_SCALING`), or of all of them, by the variables of AWS's own tools:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
function endpointIn(env, service) {
    return env[`AWS_ENDPOINT_URL_${service}`] || env['AWS_ENDPOINT_URL'] || undefined;
}


/***/ })

};
