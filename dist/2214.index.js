export const id = 2214;
export const ids = [2214];
export const modules = {

/***/ 49361:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   By: () => (/* binding */ GPU_KINDS),
/* harmony export */   EV: () => (/* binding */ OLD_GPUS),
/* harmony export */   Gu: () => (/* binding */ disksOf),
/* harmony export */   lM: () => (/* binding */ acceleratorOf),
/* harmony export */   wk: () => (/* binding */ RETIRED),
/* harmony export */   yh: () => (/* binding */ CATALOGUE)
/* harmony export */ });
const HYPER = 'hyperdisk-balanced';
const COMMON = [2, 4, 8, 16, 32, 48, 64, 80];
/** The oldest first. */
const FAMILIES = {
    'n1-standard': { ratio: 3.75, cpus: [1, 2, 4, 8, 16, 32, 64, 96] },
    'n1-highmem': { ratio: 6.5, cpus: [2, 4, 8, 16, 32, 64, 96] },
    'e2-highcpu': { ratio: 1, cpus: [2, 4, 8, 16, 32] },
    'e2-standard': { ratio: 4, cpus: [2, 4, 8, 16, 32] },
    'e2-highmem': { ratio: 8, cpus: [2, 4, 8, 16] },
    'n2-standard': { ratio: 4, cpus: [...COMMON, 96, 128] },
    'n2-highmem': { ratio: 8, most: 864, cpus: [...COMMON, 96, 128] },
    'n2d-standard': { ratio: 4, cpus: [...COMMON, 96, 128, 224] },
    'n2d-highmem': { ratio: 8, cpus: [2, 4, 8, 16, 32, 48, 64, 80, 96] },
    'c2-standard': { ratio: 4, cpus: [4, 8, 16, 30, 60] },
    'c2d-standard': { ratio: 4, cpus: [2, 4, 8, 16, 32, 56, 112] },
    't2d-standard': { ratio: 4, cpus: [1, 2, 4, 8, 16, 32, 48, 60] },
    'c3-standard': { ratio: 4, cpus: [4, 8, 22, 44, 88, 176] },
    'c3d-standard': { ratio: 4, cpus: [4, 8, 16, 30, 60, 90, 180, 360] },
    'n4-standard': { ratio: 4, cpus: COMMON, disk: HYPER },
    'n4-highmem': { ratio: 8, cpus: COMMON, disk: HYPER },
    't2a-standard': { arch: 'arm64', ratio: 4, cpus: [1, 2, 4, 8, 16, 32, 48] },
    'c4a-standard': { arch: 'arm64', ratio: 4, cpus: [1, 2, 4, 8, 16, 32, 48, 64, 72], disk: HYPER },
    'c4a-highmem': { arch: 'arm64', ratio: 8, cpus: [1, 2, 4, 8, 16, 32, 48, 64, 72], disk: HYPER },
};
/** Name · vCPUs · memory in GiB. */
const SMALL = [
    ['e2-micro', 2, 1],
    ['e2-small', 2, 2],
    ['e2-medium', 2, 4],
];
/** Name · vCPUs · memory in GiB · kind of GPU · number of GPUs: GPUs that are a part of the type. */
const GPUS = [
    ['g2-standard-4', 4, 16, 'l4', 1],
    ['g2-standard-8', 8, 32, 'l4', 1],
    ['g2-standard-12', 12, 48, 'l4', 1],
    ['g2-standard-16', 16, 64, 'l4', 1],
    ['g2-standard-32', 32, 128, 'l4', 1],
    ['g2-standard-24', 24, 96, 'l4', 2],
    ['g2-standard-48', 48, 192, 'l4', 4],
    ['g2-standard-96', 96, 384, 'l4', 8],
    ['a2-highgpu-1g', 12, 85, 'a100', 1],
    ['a2-highgpu-2g', 24, 170, 'a100', 2],
    ['a2-highgpu-4g', 48, 340, 'a100', 4],
    ['a2-highgpu-8g', 96, 680, 'a100', 8],
    ['a2-megagpu-16g', 96, 1360, 'a100', 16],
    ['a2-ultragpu-1g', 12, 170, 'a100-80gb', 1],
    ['a2-ultragpu-2g', 24, 340, 'a100-80gb', 2],
    ['a2-ultragpu-4g', 48, 680, 'a100-80gb', 4],
    ['a2-ultragpu-8g', 96, 1360, 'a100-80gb', 8],
    ['a3-highgpu-1g', 26, 234, 'h100', 1],
    ['a3-highgpu-2g', 52, 468, 'h100', 2],
    ['a3-highgpu-4g', 104, 936, 'h100', 4],
    ['a3-highgpu-8g', 208, 1872, 'h100', 8],
    ['a3-ultragpu-8g', 224, 2952, 'h200', 8, HYPER],
    ['a4-highgpu-8g', 224, 3968, 'b200', 8, HYPER],
    ['g4-standard-48', 48, 180, 'rtx-pro-6000', 1, HYPER],
    ['g4-standard-96', 96, 360, 'rtx-pro-6000', 2, HYPER],
    ['g4-standard-192', 192, 720, 'rtx-pro-6000', 4, HYPER],
    ['g4-standard-384', 384, 1440, 'rtx-pro-6000', 8, HYPER],
];
/**
 * GPUs that are added to N1 machines · number · fewest and most vCPUs that suit them: the fewest are tpi's own choice, so that many GPUs do
 * not wait for few processors. https://cloud.google.com/compute/docs/gpus#general_comparison_chart
 */
const ADDED = [
    ['t4', 1, 4, 32],
    ['t4', 2, 8, 32],
    ['t4', 4, 16, 96],
    ['v100', 1, 4, 8],
    ['v100', 2, 8, 16],
    ['v100', 4, 16, 32],
    ['v100', 8, 32, 96],
    ['p100', 1, 4, 16],
    ['p100', 2, 8, 32],
    ['p100', 4, 16, 64],
    ['p4', 1, 4, 16],
    ['p4', 2, 8, 32],
    ['p4', 4, 16, 96],
];
/** Kinds of GPU that Google no longer has → the closest replacement. */
const RETIRED = { k80: 't4' };
/** NVIDIA's open kernel modules and the latest drivers do not support these. */
const OLD_GPUS = ['v100', 'p100', 'p4'];
/** The vendor's name for a GPU that is added. */
const acceleratorOf = (kind) => `nvidia-tesla-${kind}`;
/**
 * The fewest local disks that a type takes, by series and from this number of vCPUs on.
 * https://cloud.google.com/compute/docs/disks/local-ssd#choose_number_local_ssds
 */
const SSDS = {
    n1: [[1, 1]],
    n2: [
        [2, 1],
        [12, 2],
        [22, 4],
        [42, 8],
        [82, 16],
    ],
    n2d: [
        [2, 1],
        [32, 2],
        [64, 4],
        [96, 8],
    ],
    c2: [
        [4, 1],
        [16, 2],
        [30, 4],
        [60, 8],
    ],
    c2d: [
        [2, 1],
        [32, 2],
        [56, 4],
        [112, 8],
    ],
    g4: [
        [12, 1],
        [24, 2],
        [48, 4],
        [96, 8],
        [192, 16],
        [384, 32],
    ],
    m3: [
        [32, 4],
        [128, 8],
    ],
};
/** These types get one local disk for each GPU, up to the number below. */
const SSD_PER_GPU = /^(?:g2-standard|a2-highgpu|a2-megagpu)-/;
const MOST_PER_GPU = 8;
/**
 * Types that always have local disks: all of these series, and of some others those that say so. (A4X Max is `a4x-maxgpu-4g-metal`.)
 * https://docs.cloud.google.com/compute/docs/disks/add-local-ssd · https://docs.cloud.google.com/compute/docs/disks/local-ssd#lssd_disks_fixed
 * Types with GPUs are also sold without: https://github.com/GoogleCloudPlatform/guest-test-infra (a3-ultragpu-8g-nolssd)
 */
const WITH_SSDS = /^(?:a2-ultragpu|a3|a4|a4x|a5x|z3|z4d|z4m)-(?!.*-nolssd$)|-lssd(?:-metal)?$/;
/** Goes by the type's name, so it works for types that are not in the list, too. */
function disksOf(name, cpu, gpus = 0) {
    if (WITH_SSDS.test(name))
        return { local: true };
    if (SSD_PER_GPU.test(name))
        return { local: true, ssds: Math.min(gpus, MOST_PER_GPU) };
    const ssds = SSDS[name.split('-')[0] ?? '']?.findLast(([from]) => cpu >= from)?.[1];
    return ssds === undefined ? { local: false } : { local: true, ssds };
}
const N1 = [1, 2, 4, 8, 16, 32, 64, 96];
const TYPES = [
    ...SMALL.map(([name, cpu, memoryGiB]) => ({ name, arch: 'x86_64', cpu, memoryGiB, disk: 'pd-balanced' })),
    ...Object.entries(FAMILIES).flatMap(([family, { arch = 'x86_64', ratio, most = Infinity, cpus, disk = 'pd-balanced' }]) => cpus.map((cpu) => ({ name: `${family}-${cpu}`, arch, cpu, memoryGiB: Math.min(cpu * ratio, most), disk }))),
    ...ADDED.flatMap(([kind, count, least, most]) => N1.filter((cpu) => cpu >= least && cpu <= most).map((cpu) => ({
        name: `n1-standard-${cpu}`,
        arch: 'x86_64',
        cpu,
        memoryGiB: cpu * 3.75,
        disk: 'pd-balanced',
        gpu: { kind, count },
        added: { type: acceleratorOf(kind), count },
    }))),
    ...GPUS.map(([name, cpu, memoryGiB, kind, count, disk = 'pd-balanced']) => ({
        name,
        arch: 'x86_64',
        cpu,
        memoryGiB,
        disk,
        gpu: { kind, count },
    })),
];
const CATALOGUE = TYPES.map((facts, rank) => ({
    ...facts,
    ...disksOf(facts.name, facts.cpu, facts.gpu?.count),
    rank,
}));
const GPU_KINDS = [...new Set(CATALOGUE.flatMap(({ gpu }) => gpu?.kind ?? []))];


/***/ }),

/***/ 82214:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   canMove: () => (/* binding */ canMove),
/* harmony export */   hasGpu: () => (/* binding */ hasGpu),
/* harmony export */   sizeFaults: () => (/* binding */ sizeFaults),
/* harmony export */   typesOf: () => (/* binding */ typesOf)
/* harmony export */ });
/* harmony import */ var _core_size_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(75367);
/* harmony import */ var _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29945);
/* harmony import */ var _machine_types_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(49361);



const NATIVE = /^[a-z][a-z0-9]*-[a-z0-9]+(?:-[a-z0-9]+)*(?:\+([a-z0-9-]+)\*(\d+))?$/;
/** Series with ARM processors, for types that are not in the list. (A5X has NVIDIA's Vera.) */
const ARM = /^(?:t2a|c4a|n4a|a4x|a5x)-/;
/**
 * Types with the newer kind of disks, for types that are not in the list: all series from the fourth generation on, a few of the third, and
 * whole machines. https://cloud.google.com/compute/docs/reference/rest/v1/instances (initializeParams.diskType) ·
 * https://docs.cloud.google.com/compute/docs/disks/hyperdisks#machine-type-support
 */
const NEWER = /^(?:[a-z][4-9]|z3-|a3-ultragpu-)|-metal$/;
/** Types with a GPU of their own, by their series, for types that are not in the list. (g1-small, of an old series, has none.) */
const WITH_GPU = /^(?:a|g(?!1-))\d/;
/** Types that stop when their host is maintained. https://docs.cloud.google.com/compute/docs/instances/setting-vm-host-options#limitations */
const FIXED = /^h4d-|-metal$/;
/** Whether machines have a GPU, even of a type that is not in the list. */
const hasGpu = ({ types, gpu }) => gpu !== undefined || types.some((type) => WITH_GPU.test(type));
/** Whether a machine can move to another host while it works. */
const canMove = (choice) => !hasGpu(choice) && !choice.types.some((type) => FIXED.test(type));
/** `undefined`: there is no such machine; `sizeFaults` says why. */
function typesOf(request) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named))
        return nativeTypes(named, request);
    const fit = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .fittingTypes */ .Nk)({ types: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh, kindOf: _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .plainKind */ .dM, shy: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .OLD_GPUS */ .EV }, request);
    const [least] = fit;
    if (!least)
        return undefined;
    const disks = (one) => (request.scratch ? one.ssds : 0);
    // All types share one template, so they must have the same kind of disk, the same number of local disks, and the same GPU. Without a GPU, the
    // largest set of such types is taken.
    const alike = (one) => fit.filter((other) => other.disk === one.disk && disks(other) === disks(one) && other.gpu?.kind === one.gpu?.kind);
    // A GPU that is added belongs to the type in the template: the group has no other.
    if (least.added)
        return choiceOf(least, [least], request);
    const chosen = least.gpu ? alike(least) : fit.map(alike).reduce((most, next) => (next.length > most.length ? next : most));
    return choiceOf(chosen[0] ?? least, chosen, request);
}
function choiceOf({ arch, disk, added, gpu, ssds }, types, { scratch }) {
    const names = types.map(({ name }) => name);
    return { types: names, arch, disk, ...(added && { added }), ...(gpu && { gpu }), ...(scratch && ssds !== undefined && { ssds }) };
}
/** One or several types of the vendor's, separated by commas, or one with a GPU that is added, as TPI wrote it: `n1-standard-4+nvidia-tesla-t4*1`. */
function nativeTypes(text, request) {
    const names = (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .typeNames */ .DK)(text);
    if (names.length === 0 || names.length > _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .MOST_TYPES */ .ac || !names.every((name) => NATIVE.test(name)))
        return undefined;
    const facts = names.map(factsOf);
    const [least] = facts;
    if (!least || facts.some(({ arch, disk }) => arch !== least.arch || disk !== least.disk))
        return undefined;
    if (facts.length > 1 && facts.some(({ added }) => added))
        return undefined;
    if (request.scratch && facts.some(({ local, ssds }) => !local || ssds !== least.ssds))
        return undefined;
    return choiceOf(least, facts, request);
}
function factsOf(text) {
    const [name = text, accelerator] = text.split('+');
    const [written, count] = (accelerator ?? '').split('*');
    const known = _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh.find((type) => type.name === name && type.added === undefined);
    const kind = (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .plainKind */ .dM)(written ?? '');
    const cpu = Number(/-(\d+)(?:-lssd)?$/.exec(name)?.[1] ?? 1);
    const plain = known ?? {
        name,
        arch: ARM.test(name) ? 'arm64' : 'x86_64',
        disk: NEWER.test(name) ? 'hyperdisk-balanced' : 'pd-balanced',
        ...(0,_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .disksOf */ .Gu)(name, cpu),
        cpu,
        memoryGiB: 0,
        rank: 0,
    };
    if (accelerator === undefined)
        return plain;
    return { ...plain, gpu: { kind, count: Number(count) }, added: { type: (0,_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .acceleratorOf */ .lM)(kind), count: Number(count) } };
}
const WORDS = {
    vendor: 'Google Cloud',
    native: NATIVE,
    mixed: 'mixes types that cannot share an image and a disk: of x86-64 and of arm64, or of older and newer series',
    how: 'write s, m, l or xl, with +arm or a GPU such as +t4, or types of Compute Engine between commas, such as n2-standard-8, n2d-standard-8, or n1-standard-4+nvidia-tesla-t4*1',
    largest: 'c3d-standard-360',
    kindOf: _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .plainKind */ .dM,
    kinds: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .GPU_KINDS */ .By,
    retired: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .RETIRED */ .wk,
};
function sizeFaults(request) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named) && named.includes('+') && (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .typeNames */ .DK)(named).length > 1)
        return [
            {
                option: 'machine',
                message: `"${request.machine}" has several types, but a type with an added GPU is used alone`,
                hint: 'name one',
            },
        ];
    return (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .sizeFaultsBy */ .O0)(WORDS, _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh, request, (one) => typesOf(one) !== undefined);
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
