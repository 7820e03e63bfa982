export const id = 2999;
export const ids = [2999];
export const modules = {

/***/ 44789:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ understood)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29611);
/** Checks the shape of an answer: a server that answers anything else is not a forge, or a proxy in front of one. */


function understood(shape, data, title, { doing }) {
    try {
        return shape(data);
    }
    catch (cause) {
        if (!(cause instanceof _lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .Misfit */ .$C))
            throw cause;
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`${title}: could not ${doing}: the answer is not one that ${title} gives: ${cause.message}`, {
            cause,
            hint: 'something else may answer at that address: see forge-url',
        });
    }
}


/***/ }),

/***/ 22999:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   discussion: () => (/* binding */ discussion)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29611);
/* harmony import */ var _answer_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(44789);
/* harmony import */ var _api_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(28630);
/* harmony import */ var _auth_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(68353);
/* harmony import */ var _permissions_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(49699);
/* harmony import */ var _sdk_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(78405);
/* harmony import */ var _target_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(3786);
/** Comments on a pull request, as issue comments. Source: "REST API endpoints for issue comments" of GitHub's documentation. */








/** Characters: GitHub answers "Body is too long (maximum is 65536 characters)" to more. */
const MOST = 65_536;
/** GitHub answers "Commenting is disabled on issues with more than 2500 comments" to one more. */
const MOST_PAGES = 26;
const LINE = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .line */ .n8)(4096);
const comment = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({
    id: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .count */ .U9)(),
    body: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .orNone */ .u9)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(1 << 20))),
    html_url: LINE,
    author_association: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)(LINE),
    user: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .orNone */ .u9)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({ type: LINE }))),
});
const comments = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_1__/* .list */ .p_)(comment, _api_js__WEBPACK_IMPORTED_MODULE_3__/* .PAGE */ .KL);
/** `undefined`: this job does not belong to a pull request. Pictures are not possible: none of its calls takes a file. */
async function discussion(context, given) {
    const number = given ?? numberIn(context.env['GITHUB_REF']);
    if (number === undefined)
        return undefined;
    const target = (0,_target_js__WEBPACK_IMPORTED_MODULE_7__/* .targetOf */ .$r)(context);
    if (target.kind !== 'repository')
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${target.kind}: a pull request belongs to a repository`);
    if (!context.token)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR('GitHub: no token was given to comment with', { hint: `give one that may: ${_permissions_js__WEBPACK_IMPORTED_MODULE_5__/* .COMMENTING */ .KZ}` });
    const api = new _api_js__WEBPACK_IMPORTED_MODULE_3__/* .Api */ .jI(context, (0,_sdk_js__WEBPACK_IMPORTED_MODULE_6__/* .client */ .S)(target.api), (0,_auth_js__WEBPACK_IMPORTED_MODULE_4__/* .tokenLogin */ .nu)(context.token));
    const needs = _permissions_js__WEBPACK_IMPORTED_MODULE_5__/* .COMMENTING */ .KZ;
    const find = async (mark) => {
        const reading = { doing: `read the comments of pull request ${number}`, needs };
        const path = `${target.path}/issues/${number}/comments`;
        let pages = 0;
        for await (const some of api.pages(reading, path, (data) => (0,_answer_js__WEBPACK_IMPORTED_MODULE_2__/* .understood */ .S)(comments, data, 'GitHub', reading))) {
            const mine = some.find((one) => one.body?.startsWith(mark) === true && mayBeOurs(one));
            if (mine)
                return mine;
            pages += 1;
            if (pages === MOST_PAGES)
                return undefined;
        }
        return undefined;
    };
    return {
        title: `pull request ${number} of ${target.name}`,
        most: MOST,
        async put(mark, text) {
            const body = { body: `${mark}\n${text}` };
            const doing = `comment on pull request ${number}`;
            const there = await find(mark);
            if (there) {
                const path = `${target.path}/issues/comments/${there.id}`;
                // Refused if it was removed meanwhile, or is not tpi's after all.
                const answer = await api.call({ method: 'PATCH', path, body, doing, needs, accept: [403, 404] });
                if (answer.status < 300)
                    return { url: there.html_url, how: 'changed' };
            }
            const made = await api.call({ method: 'POST', path: `${target.path}/issues/${number}/comments`, body, doing, needs });
            return { url: (0,_answer_js__WEBPACK_IMPORTED_MODULE_2__/* .understood */ .S)(comment, made.data, 'GitHub', { doing }).html_url, how: 'made' };
        },
    };
}
/** Of a workflow for a pull request: `refs/pull/7/merge`. Source: "Default environment variables" of GitHub's documentation. */
function numberIn(ref) {
    const number = /^refs\/pull\/(\d+)\//.exec(ref ?? '')?.[1];
    return number === undefined ? undefined : Number(number);
}
const TRUSTED = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
/** Anybody can write a comment that begins like tpi's, and change it again after tpi has written into it. */
function mayBeOurs({ user, author_association: standing }) {
    return user?.type === 'Bot' || TRUSTED.has(standing ?? '');
}


/***/ })

};
