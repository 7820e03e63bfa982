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
/** What started the workflow, as far as it changes what tpi may do. */

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
/** `undefined`: of a run that nothing is known of. */
function eventOf(context) {
    const event = context?.payload;
    const untrusted = strangerIn(context?.eventName ?? '', event);
    const number = untrusted?.endsWith(MAY_BE_OF_FORK) ? at(event, 'issue', 'number') : undefined;
    return {
        isPublic: at(event, 'repository', 'private') === false,
        isPrivate: at(event, 'repository', 'private') === true,
        ...(untrusted === undefined ? {} : { untrusted }),
        ...(Number.isSafeInteger(number) ? { unlessOwn: Number(number) } : {}),
    };
}
const MAY_BE_OF_FORK = 'on a pull request, which may come from a fork,';
/** Events that run with the secrets of the repository on behalf of people without access to them. */
function strangerIn(name, event) {
    const own = at(event, 'repository', 'full_name');
    const ofFork = own === undefined ? undefined : `"${name}" of a fork`;
    if (name === 'pull_request_target')
        return at(event, 'pull_request', 'head', 'repo', 'full_name') === own ? undefined : ofFork;
    if (name === 'workflow_run')
        return at(event, 'workflow_run', 'head_repository', 'full_name') === own ? undefined : ofFork;
    const spoken = SPOKEN[name];
    if (spoken === undefined)
        return undefined;
    if (!MEMBERS.has(String(at(event, spoken, 'author_association'))))
        return `"${name}" by somebody who is not a member of the repository`;
    if (at(event, 'pull_request') !== undefined)
        return at(event, 'pull_request', 'head', 'repo', 'full_name') === own ? undefined : ofFork;
    return at(event, 'issue', 'pull_request') === undefined ? undefined : `"${name}" ${MAY_BE_OF_FORK}`;
}
/** Anyone may comment on a repository that they can read. Event → where its payload has the comment. */
const SPOKEN = {
    issue_comment: 'comment',
    commit_comment: 'comment',
    discussion_comment: 'comment',
    pull_request_review: 'review',
    pull_request_review_comment: 'comment',
};
const MEMBERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
function at(value, ...names) {
    return names.reduce((inner, name) => (typeof inner === 'object' && inner !== null ? inner[name] : undefined), value);
}


/***/ })

};
