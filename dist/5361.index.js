export const id = 5361;
export const ids = [5361];
export const modules = {

/***/ 95361:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   eventOf: () => (/* binding */ eventOf),
/* harmony export */   workflowContext: () => (/* binding */ workflowContext)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73024);
/* harmony import */ var _lib_record_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(96645);
/** What started the workflow, as far as it changes what tpi may do. */


/** `undefined`: nothing is known. Runners that are not GitHub's may name no file, or one that is missing or broken. Prints nothing. */
async function workflowContext(eventFile) {
    // Without a file, the toolkit would print a message.
    if (!eventFile || !(0,node_fs__WEBPACK_IMPORTED_MODULE_0__.existsSync)(eventFile))
        return undefined;
    try {
        const { context } = await __webpack_require__.e(/* import() */ 740).then(__webpack_require__.bind(__webpack_require__, 90740));
        return context;
    }
    catch {
        // The toolkit reads the file as it is loaded, and throws if it is broken.
        return undefined;
    }
}
/** `context`: as `workflowContext` found it. */
function eventOf(context) {
    const event = context?.payload;
    return {
        isPublic: at(event, 'repository', 'private') === false,
        isPrivate: at(event, 'repository', 'private') === true,
        ...strangerIn(context?.eventName ?? '', event),
    };
}
/** Whether an event runs with the secrets of the repository on behalf of people without access to them; empty: it does not. */
function strangerIn(name, event) {
    const own = at(event, 'repository', 'full_name');
    const unlessFrom = (...head) => own === undefined || at(event, ...head, 'full_name') === own ? {} : { untrusted: `"${name}" of a fork` };
    if (name === 'pull_request_target')
        return unlessFrom('pull_request', 'head', 'repo');
    if (name === 'workflow_run')
        return unlessFrom('workflow_run', 'head_repository');
    const spoken = SPOKEN[name];
    if (spoken === undefined)
        return {};
    if (!MEMBERS.has(String(at(event, spoken, 'author_association'))))
        return { untrusted: `"${name}" by somebody who is not a member of the repository` };
    if (at(event, 'pull_request') !== undefined)
        return unlessFrom('pull_request', 'head', 'repo');
    if (at(event, 'issue', 'pull_request') === undefined)
        return {};
    const number = at(event, 'issue', 'number');
    return {
        untrusted: `"${name}" on a pull request, which may come from a fork,`,
        ...(Number.isSafeInteger(number) ? { unlessOwn: Number(number) } : {}),
    };
}
/** Events that anyone can cause who can read the repository, by a comment, and where their payload has that. */
const SPOKEN = {
    issue_comment: 'comment',
    commit_comment: 'comment',
    discussion_comment: 'comment',
    pull_request_review: 'review',
    pull_request_review_comment: 'comment',
};
const MEMBERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
function at(value, ...names) {
    let inner = value;
    for (const name of names)
        inner = (0,_lib_record_js__WEBPACK_IMPORTED_MODULE_1__/* .fieldsIn */ .t5)(inner)[name];
    return inner;
}


/***/ }),

/***/ 96645:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   IP: () => (/* binding */ sorted),
/* harmony export */   b6: () => (/* binding */ textOf),
/* harmony export */   r7: () => (/* binding */ textIn),
/* harmony export */   t5: () => (/* binding */ fieldsIn),
/* harmony export */   u4: () => (/* binding */ isRecord)
/* harmony export */ });
/** Values of JSON or of options whose shape nobody promises: what is not as expected counts as absent. */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** No fields if it is not an object. */
const fieldsIn = (value) => (isRecord(value) ? value : {});
/** Empty if it is not a text. */
const textIn = (value) => (typeof value === 'string' ? value : '');
/** `undefined` if it is not a text, or empty. */
const textOf = (value) => textIn(value) || undefined;
/** The same value with the fields of its objects in alphabetical order, so that equal values have the same JSON. */
function sorted(value) {
    if (Array.isArray(value))
        return value.map(sorted);
    if (!isRecord(value))
        return value;
    return Object.fromEntries(Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, field]) => [name, sorted(field)]));
}


/***/ })

};
