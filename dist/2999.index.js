export const id = 2999;
export const ids = [2999];
export const modules = {

/***/ 22999:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   discussion: () => (/* binding */ discussion)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _api_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(28630);
/* harmony import */ var _auth_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(68353);
/* harmony import */ var _place_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(26264);
/* harmony import */ var _rights_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(88880);
/* harmony import */ var _sdk_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(78405);
/** Comments on a pull request, as issue comments. Source: "REST API endpoints for issue comments" of GitHub's documentation. */






/** "Body is too long (maximum is 65536 characters)" is its answer to more. */
const MOST = 65_536;
const PAGE = 100;
/** `undefined`: this job is about no pull request. There is no place for pictures: none of its calls takes a file. */
async function discussion(context, given) {
    const number = given ?? numberIn(context.env['GITHUB_REF']);
    if (number === undefined)
        return undefined;
    const place = (0,_place_js__WEBPACK_IMPORTED_MODULE_3__/* .placeOf */ .$t)(context);
    if (place.kind !== 'repository')
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${place.kind}: a pull request belongs to a repository`);
    if (!context.token)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR('GitHub: no token was given to comment with', { hint: `give one that may: ${_rights_js__WEBPACK_IMPORTED_MODULE_4__/* .COMMENTING */ .KZ}` });
    const api = new _api_js__WEBPACK_IMPORTED_MODULE_1__/* .Api */ .j(context, (0,_sdk_js__WEBPACK_IMPORTED_MODULE_5__/* .client */ .S)(place.api), (0,_auth_js__WEBPACK_IMPORTED_MODULE_2__/* .tokenIdentity */ .sX)(context.token));
    const needs = _rights_js__WEBPACK_IMPORTED_MODULE_4__/* .COMMENTING */ .KZ;
    const find = async (mark) => {
        for (let page = 1;; page++) {
            const path = `${place.path}/issues/${number}/comments?per_page=${PAGE}&page=${page}`;
            const some = (await api.call({ method: 'GET', path, doing: `read the comments of pull request ${number}`, needs })).data;
            const mine = some.find((one) => one.body?.startsWith(mark) === true && mayBeOurs(one));
            if (mine || some.length < PAGE)
                return mine;
        }
    };
    return {
        title: `pull request ${number} of ${place.name}`,
        most: MOST,
        async put(mark, text) {
            const body = { body: `${mark}\n${text}` };
            const doing = `comment on pull request ${number}`;
            const there = await find(mark);
            if (there) {
                const path = `${place.path}/issues/comments/${there.id}`;
                // Removed meanwhile, or not ours after all.
                const answer = await api.call({ method: 'PATCH', path, body, doing, needs, accept: [403, 404] });
                if (answer.status < 300)
                    return { url: there.html_url, how: 'changed' };
            }
            const made = await api.call({ method: 'POST', path: `${place.path}/issues/${number}/comments`, body, doing, needs });
            return { url: made.data.html_url, how: 'made' };
        },
    };
}
/** Of a workflow for a pull request: `refs/pull/7/merge`. Source: "Default environment variables" of GitHub's documentation. */
function numberIn(ref) {
    const number = /^refs\/pull\/(\d+)\//.exec(ref ?? '')?.[1];
    return number === undefined ? undefined : Number(number);
}
const TRUSTED = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
/** Anybody can write a comment that begins like ours, and change it again after we have written into it. */
function mayBeOurs({ user, author_association: standing }) {
    return user?.type === 'Bot' || TRUSTED.has(standing ?? '');
}


/***/ })

};
