export const id = 4158;
export const ids = [4158];
export const modules = {

/***/ 28035:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ regionIn),
/* harmony export */   r: () => (/* binding */ faultsOfRegion)
/* harmony export */ });
/** `undefined`: no such name; `faultsOfRegion` says so. */
function regionIn({ generic, native }, text) {
    if (Object.hasOwn(generic, text))
        return { region: generic[text] ?? text };
    const [, region, zone] = native.exec(text) ?? [];
    if (region === undefined)
        return undefined;
    return zone === undefined ? { region } : { region, zone: text };
}
function faultsOfRegion(names, text) {
    if (text === undefined || regionIn(names, text))
        return [];
    const known = Object.keys(names.generic).join(', ');
    const message = `"${text}" is not a valid region of ${names.vendor}`;
    return [{ option: 'region', message, hint: `write ${known}, or a name such as ${names.such}` }];
}


/***/ }),

/***/ 74158:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CB: () => (/* binding */ textsOf),
/* harmony export */   Z: () => (/* binding */ vmSettings),
/* harmony export */   c3: () => (/* binding */ listOf)
/* harmony export */ });
/* unused harmony export textOf */
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _region_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(28035);


/** `usual`: the region where no option says which. */
function vmSettings(regions, values, usual) {
    const named = textOf(values['region']);
    const name = named ?? usual;
    const place = (0,_region_js__WEBPACK_IMPORTED_MODULE_1__/* .regionIn */ .U)(regions, name);
    const [fault] = (0,_region_js__WEBPACK_IMPORTED_MODULE_1__/* .faultsOfRegion */ .r)(regions, name);
    if (fault || !place)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz([{ option: 'region', ...fault, message: `region: ${fault?.message ?? 'not known'}` }]);
    const address = values['public-address'];
    return {
        ...place,
        named: named !== undefined,
        sudo: values['sudo'] !== false,
        ...((address === 'true' || address === 'false') && { publicAddress: address === 'true' }),
        ...textsOf(values, { customerKey: 'customer-key', storage: 'storage' }),
    };
}
function textOf(value) {
    return typeof value === 'string' && value !== '' ? value : undefined;
}
function listOf(value) {
    return Array.isArray(value) ? value : [];
}
/** Those of these options that were given. `names`: of a setting → of its option. */
function textsOf(values, names) {
    const given = Object.entries(names).flatMap(([setting, option]) => {
        const text = textOf(values[option]);
        return text === undefined ? [] : [[setting, text]];
    });
    return Object.fromEntries(given);
}


/***/ })

};
