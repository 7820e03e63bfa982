export const id = 257;
export const ids = [257];
export const modules = {

/***/ 79306:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   By: () => (/* binding */ GPU_KINDS),
/* harmony export */   wk: () => (/* binding */ RETIRED),
/* harmony export */   yh: () => (/* binding */ CATALOGUE)
/* harmony export */ });
const COMMON = [2, 4, 8, 16, 32, 48, 64, 96];
const LARGE = [...COMMON, 192];
const MIDDLE = [2, 4, 8, 16, 32, 64];
const SEVENTH = [2, 4, 8, 16, 32, 48, 64, 96, 128, 192];
/** The oldest first. Those with local disks: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-store-volumes.html */
const FAMILIES = {
    m5d: { arch: 'x86_64', ratio: 4, cpus: COMMON, local: true },
    c5d: { arch: 'x86_64', ratio: 2, cpus: [2, 4, 8, 16, 36, 48, 72, 96], local: true },
    r5d: { arch: 'x86_64', ratio: 8, cpus: COMMON, local: true },
    m6id: { arch: 'x86_64', ratio: 4, cpus: [...COMMON, 128], local: true },
    c6id: { arch: 'x86_64', ratio: 2, cpus: [...COMMON, 128], local: true },
    r6id: { arch: 'x86_64', ratio: 8, cpus: [...COMMON, 128], local: true },
    m6gd: { arch: 'arm64', ratio: 4, cpus: MIDDLE, local: true },
    c6gd: { arch: 'arm64', ratio: 2, cpus: MIDDLE, local: true },
    r6gd: { arch: 'arm64', ratio: 8, cpus: MIDDLE, local: true },
    m7gd: { arch: 'arm64', ratio: 4, cpus: MIDDLE, local: true },
    c7gd: { arch: 'arm64', ratio: 2, cpus: MIDDLE, local: true },
    r7gd: { arch: 'arm64', ratio: 8, cpus: MIDDLE, local: true },
    m8gd: { arch: 'arm64', ratio: 4, cpus: LARGE, local: true },
    c8gd: { arch: 'arm64', ratio: 2, cpus: LARGE, local: true },
    r8gd: { arch: 'arm64', ratio: 8, cpus: LARGE, local: true },
    m5: { arch: 'x86_64', ratio: 4, cpus: COMMON },
    m5a: { arch: 'x86_64', ratio: 4, cpus: COMMON },
    c5: { arch: 'x86_64', ratio: 2, cpus: [2, 4, 8, 16, 36, 48, 72, 96] },
    c5a: { arch: 'x86_64', ratio: 2, cpus: COMMON },
    r5: { arch: 'x86_64', ratio: 8, cpus: COMMON },
    m6a: { arch: 'x86_64', ratio: 4, cpus: SEVENTH },
    m6i: { arch: 'x86_64', ratio: 4, cpus: [...COMMON, 128] },
    c6a: { arch: 'x86_64', ratio: 2, cpus: SEVENTH },
    c6i: { arch: 'x86_64', ratio: 2, cpus: [...COMMON, 128] },
    r6i: { arch: 'x86_64', ratio: 8, cpus: [...COMMON, 128] },
    m7a: { arch: 'x86_64', ratio: 4, cpus: SEVENTH },
    m7i: { arch: 'x86_64', ratio: 4, cpus: LARGE },
    c7a: { arch: 'x86_64', ratio: 2, cpus: SEVENTH },
    c7i: { arch: 'x86_64', ratio: 2, cpus: LARGE },
    r7a: { arch: 'x86_64', ratio: 8, cpus: SEVENTH },
    r7i: { arch: 'x86_64', ratio: 8, cpus: LARGE },
    m6g: { arch: 'arm64', ratio: 4, cpus: MIDDLE },
    c6g: { arch: 'arm64', ratio: 2, cpus: MIDDLE },
    r6g: { arch: 'arm64', ratio: 8, cpus: MIDDLE },
    m7g: { arch: 'arm64', ratio: 4, cpus: MIDDLE },
    c7g: { arch: 'arm64', ratio: 2, cpus: MIDDLE },
    r7g: { arch: 'arm64', ratio: 8, cpus: MIDDLE },
    m8g: { arch: 'arm64', ratio: 4, cpus: LARGE },
    c8g: { arch: 'arm64', ratio: 2, cpus: LARGE },
    r8g: { arch: 'arm64', ratio: 8, cpus: LARGE },
};
/** Name · vCPUs · memory in GiB. */
const SMALL = [
    ['t2.micro', 1, 1],
    ['t3a.micro', 2, 1],
    ['t3.micro', 2, 1],
    ['t3a.small', 2, 2],
    ['t3.small', 2, 2],
    ['t3a.medium', 2, 4],
    ['t3.medium', 2, 4],
    ['t4g.micro', 2, 1, 'arm64'],
    ['t4g.small', 2, 2, 'arm64'],
    ['t4g.medium', 2, 4, 'arm64'],
];
/** Name · vCPUs · memory in GiB · kind of GPU · number of GPUs. */
const GPUS = [
    ['p3.2xlarge', 8, 61, 'v100', 1],
    ['p3.8xlarge', 32, 244, 'v100', 4],
    ['p3.16xlarge', 64, 488, 'v100', 8],
    ['g4dn.xlarge', 4, 16, 't4', 1],
    ['g4dn.2xlarge', 8, 32, 't4', 1],
    ['g4dn.4xlarge', 16, 64, 't4', 1],
    ['g4dn.8xlarge', 32, 128, 't4', 1],
    ['g4dn.16xlarge', 64, 256, 't4', 1],
    ['g4dn.12xlarge', 48, 192, 't4', 4],
    ['g4dn.metal', 96, 384, 't4', 8],
    ['g5.xlarge', 4, 16, 'a10g', 1],
    ['g5.2xlarge', 8, 32, 'a10g', 1],
    ['g5.4xlarge', 16, 64, 'a10g', 1],
    ['g5.8xlarge', 32, 128, 'a10g', 1],
    ['g5.16xlarge', 64, 256, 'a10g', 1],
    ['g5.12xlarge', 48, 192, 'a10g', 4],
    ['g5.24xlarge', 96, 384, 'a10g', 4],
    ['g5.48xlarge', 192, 768, 'a10g', 8],
    ['g5g.xlarge', 4, 8, 't4g', 1, 'arm64'],
    ['g5g.2xlarge', 8, 16, 't4g', 1, 'arm64'],
    ['g5g.16xlarge', 64, 128, 't4g', 2, 'arm64'],
    ['g6.xlarge', 4, 16, 'l4', 1],
    ['g6.2xlarge', 8, 32, 'l4', 1],
    ['g6.4xlarge', 16, 64, 'l4', 1],
    ['g6.8xlarge', 32, 128, 'l4', 1],
    ['g6.16xlarge', 64, 256, 'l4', 1],
    ['g6.12xlarge', 48, 192, 'l4', 4],
    ['g6.24xlarge', 96, 384, 'l4', 4],
    ['g6.48xlarge', 192, 768, 'l4', 8],
    ['g6e.xlarge', 4, 32, 'l40s', 1],
    ['g6e.2xlarge', 8, 64, 'l40s', 1],
    ['g6e.4xlarge', 16, 128, 'l40s', 1],
    ['g6e.8xlarge', 32, 256, 'l40s', 1],
    ['g6e.16xlarge', 64, 512, 'l40s', 1],
    ['g6e.12xlarge', 48, 384, 'l40s', 4],
    ['g6e.24xlarge', 96, 768, 'l40s', 4],
    ['g6e.48xlarge', 192, 1536, 'l40s', 8],
    ['g7e.2xlarge', 8, 64, 'rtx-pro-6000', 1],
    ['g7e.4xlarge', 16, 128, 'rtx-pro-6000', 1],
    ['g7e.8xlarge', 32, 256, 'rtx-pro-6000', 1],
    ['g7e.12xlarge', 48, 512, 'rtx-pro-6000', 2],
    ['g7e.24xlarge', 96, 1024, 'rtx-pro-6000', 4],
    ['g7e.48xlarge', 192, 2048, 'rtx-pro-6000', 8],
    ['p4d.24xlarge', 96, 1152, 'a100', 8],
    ['p4de.24xlarge', 96, 1152, 'a100-80gb', 8],
    ['p5.4xlarge', 16, 256, 'h100', 1],
    ['p5.48xlarge', 192, 2048, 'h100', 8],
    ['p5e.48xlarge', 192, 2048, 'h200', 8],
    ['p5en.48xlarge', 192, 2048, 'h200', 8],
    ['p6-b200.48xlarge', 192, 2048, 'b200', 8],
    ['p6-b300.48xlarge', 192, 4096, 'b300', 8],
];
/** GPU types without instance storage; all others have some. */
const WITHOUT_DISKS = /^(?:p3|g5g)\./;
/** Kinds of GPU that AWS no longer has → the closest replacement. */
const RETIRED = { k80: 't4', m60: 't4' };
const sizeName = (cpu) => (cpu === 2 ? 'large' : cpu === 4 ? 'xlarge' : `${cpu / 4}xlarge`);
const CATALOGUE = [
    ...SMALL.map(([name, cpu, memoryGiB, arch = 'x86_64']) => ({ name, arch, cpu, memoryGiB, local: false })),
    ...Object.entries(FAMILIES).flatMap(([family, { arch, ratio, cpus, local = false }]) => cpus.map((cpu) => ({ name: `${family}.${sizeName(cpu)}`, arch, cpu, memoryGiB: cpu * ratio, local }))),
    ...GPUS.map(([name, cpu, memoryGiB, kind, count, arch = 'x86_64']) => ({
        name,
        arch,
        cpu,
        memoryGiB,
        gpu: { kind, count },
        local: !WITHOUT_DISKS.test(name),
    })),
].map((facts, rank) => ({ ...facts, rank }));
const GPU_KINDS = [...new Set(GPUS.map(([, , , kind]) => kind))];


/***/ }),

/***/ 20257:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   sizeFaults: () => (/* binding */ sizeFaults),
/* harmony export */   typesOf: () => (/* binding */ typesOf)
/* harmony export */ });
/* harmony import */ var _core_size_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(75367);
/* harmony import */ var _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29945);
/* harmony import */ var _machine_types_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(79306);



const NATIVE = /^[a-z][a-z0-9-]*\.(?:nano|micro|small|medium|x?large|\d+xlarge|metal(?:-\d+xl)?)$/;
/** GPUs that nobody gets who asks for just any: the usual image has no driver for the first, the others cost far more. */
const SHY = ['v100', 'rtx-pro-6000', 'b200', 'b300'];
/** `undefined`: there is no such machine; `sizeFaults` says why. */
function typesOf(request) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named))
        return nativeTypes(named, request);
    // A type costs more than the same one without local disks.
    const types = request.scratch ? _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh : _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh.filter(({ gpu, local }) => gpu !== undefined || !local);
    const fit = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .fittingTypes */ .Nk)({ types, kindOf, shy: SHY }, request);
    const [least] = fit;
    return least && { types: fit.map(({ name }) => name), arch: least.arch };
}
function kindOf(kind) {
    const plain = (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .plainKind */ .dM)(kind);
    return plain === 'a10' ? 'a10g' : plain;
}
/** One or several types of the vendor's, separated by commas: they stay in the user's order. */
function nativeTypes(text, { scratch }) {
    const types = (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .typeNames */ .DK)(text);
    if (types.length === 0 || types.length > _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .MOST_TYPES */ .ac || !types.every((name) => NATIVE.test(name)))
        return undefined;
    const known = types.map((name) => _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh.find((type) => type.name === name));
    if (scratch && known.some((type) => type?.local === false))
        return undefined;
    const archs = new Set(known.map((type) => type?.arch));
    const [arch] = archs;
    if (archs.size > 1 && !archs.has(undefined))
        return undefined;
    return { types, ...(archs.size === 1 && arch !== undefined && { arch }) };
}
const WORDS = {
    vendor: 'AWS',
    native: NATIVE,
    mixed: 'mixes types of x86-64 and of arm64, and one image fits only one of them',
    how: 'write s, m, l or xl, with +arm or a GPU such as +t4, or types of EC2 between commas, such as m7i.2xlarge, m6i.2xlarge',
    largest: 'm7i.48xlarge',
    kindOf,
    kinds: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .GPU_KINDS */ .By,
    retired: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .RETIRED */ .wk,
};
const sizeFaults = (request) => (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .sizeFaultsBy */ .O0)(WORDS, _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh, request, (one) => typesOf(one) !== undefined);


/***/ }),

/***/ 29945:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DK: () => (/* binding */ typeNames),
/* harmony export */   O0: () => (/* binding */ sizeFaultsBy),
/* harmony export */   ac: () => (/* binding */ MOST_TYPES),
/* harmony export */   dM: () => (/* binding */ plainKind),
/* harmony export */   oN: () => (/* binding */ noLocalDisk)
/* harmony export */ });
/* harmony import */ var _core_size_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(75367);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);


/**
 * The largest number of types in a group of AWS: https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_LaunchTemplateOverrides.html
 * (InstanceType); for the other vendors it is more than anybody lists by hand.
 */
const MOST_TYPES = 40;
/** The names of types in the user's text, which separates them by commas. */
const typeNames = (text) => text.split(/[\s,]+/).filter((name) => name !== '');
/** A kind of GPU without the maker's name and the brand, which people may write before it. */
const plainKind = (written) => written.toLowerCase().replace(/^(?:nvidia-)?(?:tesla-)?/, '');
/** `fits`: the vendor has a type for the request. */
function sizeFaultsBy(words, all, request, fits) {
    if (fits(request))
        return [];
    return fits({ ...request, scratch: false }) ? faultsOfScratch(words, all, request) : faultsOfSize(words, request);
}
/** Faults of a request that no type satisfies. */
function faultsOfSize({ vendor, native, mixed, how, largest, kindOf, kinds, retired }, request) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    const { option, kind } = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .unfitting */ .l8)(request);
    const instead = kind === undefined ? undefined : retired[kindOf(kind)];
    if (instead !== undefined)
        return [{ option, message: `${vendor} no longer has machines with the GPU "${kind}"`, hint: `write ${instead} instead` }];
    if (kind !== undefined && !kinds.includes(kindOf(kind)))
        return [{ option, message: `${vendor} has no machines with the GPU "${kind}"`, hint: `allowed: ${kinds.join(', ')}` }];
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named)) {
        const types = typeNames(named);
        const many = types.length > MOST_TYPES ? `has ${types.length} types, but a group takes at most ${MOST_TYPES}` : undefined;
        const odd = types.every((name) => native.test(name)) ? mixed : `is not a machine type of ${vendor}`;
        return [{ option: 'machine', message: `"${request.machine}" ${many ?? odd}`, hint: how }];
    }
    return [
        {
            option,
            message: `no machine type of ${vendor} has that many processors, that much memory and such GPUs at once`,
            hint: `ask for less, or name types: machine: ${largest}`,
        },
    ];
}
/** Number of types that a hint names. */
const NAMED = 4;
/** Faults of a request that could be satisfied without `scratch`. */
function faultsOfScratch({ vendor, kindOf }, all, request) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    const written = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named) ? typeNames(named).map((text) => text.split('+')[0] ?? '') : [];
    const lacking = all.filter(({ name, local }) => !local && written.includes(name.toLowerCase()));
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named) && lacking.length === 0)
        return [];
    const [like] = lacking;
    const instead = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .fittingTypes */ .Nk)({ types: all.filter(({ local }) => local), kindOf, shy: [] }, { ...similarRequest(like, request), scratch: true });
    const hint = `these have: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .listed */ .KE)(instead.slice(0, NAMED).map(({ name }) => name))}`;
    if (!like)
        return [{ option: 'scratch', message: `no such machine type of ${vendor} has local disks`, hint }];
    return [noLocalDisk(vendor, [...new Set(lacking.map(({ name }) => name))], hint)];
}
/** `types`: those that the user named although machines should have local disks. */
function noLocalDisk(vendor, types, hint) {
    const message = `${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .listed */ .KE)(types, 'and')} of ${vendor} ${types.length === 1 ? 'has' : 'have'} no local disk`;
    return { option: 'scratch', message, hint };
}
/** A request for which types can be suggested: as large as `like`, the named type, if there is one; with a GPU of any kind if one is wanted. */
function similarRequest(like, request) {
    if (!like) {
        const { option, kind } = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .unfitting */ .l8)(request);
        const wantsGpu = option === 'gpu' || kind !== undefined;
        return wantsGpu ? { gpu: { count: request.gpu?.count ?? 1 } } : {};
    }
    const { arch, cpu, memoryGiB, gpu } = like;
    return { machine: arch === 'arm64' ? 's+arm' : 's', cpu, memoryBytes: memoryGiB * 2 ** 30, ...(gpu && { gpu: { count: gpu.count } }) };
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


/***/ })

};
