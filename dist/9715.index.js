export const id = 9715;
export const ids = [9715];
export const modules = {

/***/ 1924:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   By: () => (/* binding */ GPU_KINDS),
/* harmony export */   dy: () => (/* binding */ isBurstable),
/* harmony export */   vp: () => (/* binding */ NO_DRIVER),
/* harmony export */   wk: () => (/* binding */ RETIRED),
/* harmony export */   yh: () => (/* binding */ CATALOGUE)
/* harmony export */ });
const COMMON = [2, 4, 8, 16, 32, 48, 64];
const MEMORY = [2, 4, 8, 16, 20, 32, 48, 64];
/** The oldest first. */
const FAMILIES = [
    { name: ['F', 's_v2'], ratio: 2, cpus: [2, 4, 8, 16, 32, 48, 64, 72], local: true },
    { name: ['D', 's_v3'], ratio: 4, cpus: COMMON, local: true },
    { name: ['D', 's_v4'], ratio: 4, cpus: COMMON },
    { name: ['D', 'as_v5'], ratio: 4, cpus: [...COMMON, 96] },
    { name: ['D', 's_v5'], ratio: 4, cpus: [...COMMON, 96] },
    { name: ['D', 'ads_v5'], ratio: 4, cpus: [...COMMON, 96], local: true },
    { name: ['D', 'ds_v5'], ratio: 4, cpus: [...COMMON, 96], local: true },
    { name: ['E', 's_v4'], ratio: 8, most: 504, cpus: MEMORY },
    { name: ['E', 'as_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96] },
    { name: ['E', 's_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96] },
    { name: ['E', 'ads_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96], local: true },
    { name: ['E', 'ds_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96], local: true },
    { name: ['D', 'pls_v5'], arch: 'arm64', ratio: 2, cpus: COMMON },
    { name: ['D', 'ps_v5'], arch: 'arm64', ratio: 4, most: 208, cpus: COMMON },
    { name: ['D', 'pds_v5'], arch: 'arm64', ratio: 4, most: 208, cpus: COMMON, local: true },
    { name: ['E', 'ps_v5'], arch: 'arm64', ratio: 8, most: 208, cpus: [2, 4, 8, 16, 20, 32] },
    // Only the sizes that the earlier families of ARM do not have.
    { name: ['D', 'ps_v6'], arch: 'arm64', ratio: 4, cpus: [64, 96] },
];
/** Name · vCPUs · memory in GiB. They are never on the spot market. https://learn.microsoft.com/azure/virtual-machines/spot-vms#limitations */
const BURSTABLE = [
    ['B1s', 1, 1],
    ['B1ms', 1, 2],
    ['B2s', 2, 4],
];
/** Name · vCPUs · memory in GiB · kind of GPU · number of GPUs. https://learn.microsoft.com/azure/virtual-machines/sizes/overview#gpu-accelerated */
const GPUS = [
    ['ND40rs_v2', 40, 672, 'v100', 8],
    ['NC4as_T4_v3', 4, 28, 't4', 1],
    ['NC8as_T4_v3', 8, 56, 't4', 1],
    ['NC16as_T4_v3', 16, 110, 't4', 1],
    ['NC64as_T4_v3', 64, 440, 't4', 4],
    ['NV36ads_A10_v5', 36, 440, 'a10', 1],
    ['NV72ads_A10_v5', 72, 880, 'a10', 2],
    ['NC24ads_A100_v4', 24, 220, 'a100', 1],
    ['NC48ads_A100_v4', 48, 440, 'a100', 2],
    ['NC96ads_A100_v4', 96, 880, 'a100', 4],
    ['ND96amsr_A100_v4', 96, 1900, 'a100', 8],
    ['ND96asr_v4', 96, 900, 'a100-40gb', 8],
    ['NC40ads_H100_v5', 40, 320, 'h100', 1],
    ['NC80adis_H100_v5', 80, 640, 'h100', 2],
    ['ND96isr_H100_v5', 96, 1900, 'h100', 8],
    ['ND96isr_H200_v5', 96, 1850, 'h200', 8],
];
/**
 * Kinds of GPU that Azure no longer has → the closest replacement.
 * NVv3 (M60): https://learn.microsoft.com/azure/virtual-machines/sizes/lifecycle/retirements-and-capacity-restrictions ·
 * NC (K80), NCv2 (P100), ND (P40): https://learn.microsoft.com/azure/virtual-machines/sizes/lifecycle/retirement/n-series-migration
 */
const RETIRED = { k80: 't4', m60: 't4', p40: 't4', p100: 'a100' };
/**
 * Kinds of GPU for which the image "nvidia" has no driver, and what has one. Some need NVIDIA's GRID driver, even if a machine gets a whole one:
 * https://github.com/Azure/azhpc-images/issues/398 · https://learn.microsoft.com/azure/virtual-machines/linux/n-series-driver-setup
 * V100 needs NVIDIA's closed kernel modules: https://github.com/Azure/azhpc-images (README.md, components/install_nvidiagpudriver.sh)
 */
const NO_DRIVER = {
    a10: 'an image with the GRID driver for Azure',
    rtxpro6000bse: 'an image with the GRID driver for Azure',
    v100: 'microsoft-dsvm:ubuntu-hpc:2204-v100:latest',
};
const named = (name) => `Standard_${name}`;
const CATALOGUE = [
    ...BURSTABLE.map(([name, cpu, memoryGiB]) => ({ name: named(name), arch: 'x86_64', cpu, memoryGiB, local: true })),
    ...FAMILIES.flatMap(({ name: [before, after], arch = 'x86_64', ratio, most = Infinity, cpus, local = false }) => cpus.map((cpu) => ({ name: named(`${before}${cpu}${after}`), arch, cpu, memoryGiB: Math.min(cpu * ratio, most), local }))),
    ...GPUS.map(([name, cpu, memoryGiB, kind, count]) => ({
        name: named(name),
        arch: 'x86_64',
        cpu,
        memoryGiB,
        local: true,
        gpu: { kind, count },
    })),
].map((facts, rank) => ({ ...facts, rank }));
const GPU_KINDS = [...new Set(CATALOGUE.flatMap(({ gpu }) => gpu?.kind ?? []))];
const isBurstable = (name) => /^standard_b\d/i.test(name);


/***/ }),

/***/ 19715:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   hasGpu: () => (/* binding */ hasGpu),
/* harmony export */   mixes: () => (/* binding */ mixes),
/* harmony export */   sizeFaults: () => (/* binding */ sizeFaults),
/* harmony export */   typesOf: () => (/* binding */ typesOf)
/* harmony export */ });
/* harmony import */ var _core_size_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(75367);
/* harmony import */ var _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29945);
/* harmony import */ var _machine_types_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1924);



/** Most sizes of one set. https://learn.microsoft.com/azure/virtual-machine-scale-sets/instance-mix-overview */
const MOST_MIXED = 5;
const MIXED = /^standard_[abdef]\d/i;
const NATIVE = /^standard_[a-z]+\d[a-z0-9_-]*$/;
/**
 * A `p` among the letters after the number: https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions · GB200 and GB300 have processors
 * of ARM without it: https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/nd-gb200-v6-series
 */
const ARM = /^standard_[a-z]+\d+[a-z]*p|_gb\d00_/i;
/**
 * Sizes with a GPU of NVIDIA, even those that are not in the list: their family says so.
 * https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions
 */
const WITH_GPU = /^standard_n[cdv](?!.*_(?:mi300x|v710)_)/i;
/** Whether machines have a GPU of NVIDIA. */
const hasGpu = ({ types }) => types.some((type) => WITH_GPU.test(type));
/** Several sizes can share a set only if all are of these families. */
const mixes = (types) => types.length > 1 && types.every((name) => MIXED.test(name));
/** `undefined`: there is no such machine; `sizeFaults` says why. `spot`: on the spot market. */
function typesOf(request, spot) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named))
        return nativeTypes(named, request);
    // The local disk of burstable sizes is smaller than the image.
    const types = spot || request.scratch ? _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh.filter(({ name }) => !(0,_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .isBurstable */ .dy)(name)) : _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh;
    const fit = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .fittingTypes */ .Nk)({ types, kindOf, shy: Object.keys(_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .NO_DRIVER */ .vp) }, request);
    const [least] = fit;
    if (!least)
        return undefined;
    const { gpu } = least;
    if (gpu)
        return choiceOf(fit.filter((size) => size.gpu?.kind === gpu.kind), least);
    if ((0,_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .isBurstable */ .dy)(least.name))
        return choiceOf([least], least);
    // A size costs more than the same one without a temporary disk.
    const steady = fit.filter(({ name }) => !(0,_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .isBurstable */ .dy)(name));
    const plain = steady.filter(({ local }) => !local);
    return choiceOf(plain.length > 0 ? plain : steady, least);
}
function choiceOf(sizes, { arch }) {
    return { types: sizes.slice(0, MOST_MIXED).map(({ name }) => name), arch };
}
function kindOf(kind) {
    const plain = (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .plainKind */ .dM)(kind);
    return plain === 'a100-80gb' ? 'a100' : plain;
}
/** The vendor's sizes, separated by commas: all in one set, or one after the other if a set takes only one. */
function nativeTypes(text, { scratch }) {
    const types = (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .typeNames */ .DK)(text);
    if (types.length === 0 || types.length > MOST_MIXED || !types.every((name) => NATIVE.test(name)))
        return undefined;
    const known = types.map((name) => _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh.find((size) => size.name.toLowerCase() === name));
    if (scratch && known.some((size) => size?.local === false))
        return undefined;
    const archs = new Set(types.map((name, at) => known[at]?.arch ?? (ARM.test(name) ? 'arm64' : 'x86_64')));
    const [arch] = archs;
    const gpus = new Set(known.map((size) => size?.gpu?.kind));
    if (!arch || archs.size > 1 || gpus.size > 1)
        return undefined;
    return { types: types.map((name, at) => known[at]?.name ?? name), arch };
}
const WORDS = {
    vendor: 'Azure',
    native: NATIVE,
    mixed: 'mixes sizes of x86-64 and of arm64, or different GPUs, which cannot share an image',
    how: 'write s, m, l or xl, with +arm or a GPU such as +t4, or up to five sizes between commas, such as Standard_D8s_v5, Standard_D8as_v5',
    largest: 'Standard_D96s_v5',
    kindOf,
    kinds: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .GPU_KINDS */ .By,
    retired: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .RETIRED */ .wk,
};
function sizeFaults(request, spot) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named) && (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .typeNames */ .DK)(named).length > MOST_MIXED)
        return [
            { option: 'machine', message: `"${request.machine}" has more than the ${MOST_MIXED} sizes that a set takes`, hint: 'name fewer' },
        ];
    return (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .sizeFaultsBy */ .O0)(WORDS, _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh, request, (one) => typesOf(one, spot) !== undefined);
}


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
