export const id = 216;
export const ids = [216];
export const modules = {

/***/ 16216:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   workflowContext: () => (/* binding */ workflowContext)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73024);
/** The workflow around us, as the forge's toolkit reads it from the environment of the process. */

/** `undefined` where nothing is known: runners that are not GitHub's may name no file, or one that is missing or broken. Prints nothing. */
async function workflowContext(eventFile) {
    // The toolkit would print about it.
    if (!eventFile || !(0,node_fs__WEBPACK_IMPORTED_MODULE_0__.existsSync)(eventFile))
        return undefined;
    try {
        const { context } = await __webpack_require__.e(/* import() */ 740).then(__webpack_require__.bind(__webpack_require__, 90740));
        return context;
    }
    catch {
        // It reads the file as it is loaded.
        return undefined;
    }
}


/***/ })

};
