export const id = 7414;
export const ids = [7414];
export const modules = {

/***/ 37414:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   serveGate: () => (/* binding */ serveGate)
/* harmony export */ });
/* harmony import */ var node_events__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(78474);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var _lib_abort_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(72220);
/* harmony import */ var _wire_machine_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(65179);
/* harmony import */ var _wire_parse_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(13453);
/* harmony import */ var _wire_serve_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(71777);
/* harmony import */ var _http_server_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(7626);
/**
 * `agent serve-gate CONFIG.json`: serves a store that is elsewhere to the machine beside it. Only this program has the credentials of the store. The
 * machine shows a pass, which lets it use its own slot and nothing else (`pass-rules.ts`).
 */







/** Bytes of an object that are read in one call: each call costs money and time, however small its answer. */
const PIECE = 8 * 1024 * 1024;
/** Serves until it is told to end, which is after the machine that it serves. */
async function serveGate(argv, openStore) {
    const toldToEnd = (0,_lib_abort_js__WEBPACK_IMPORTED_MODULE_2__/* .untilToldToEnd */ .eu)();
    const { store: place, credentialsFile, port, tokenFile } = (0,_wire_parse_js__WEBPACK_IMPORTED_MODULE_4__/* .parseRecord */ .Hh)(_wire_serve_js__WEBPACK_IMPORTED_MODULE_5__/* .GATE */ .k, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(argv[0] ?? ''), argv[0] ?? '');
    const token = (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(tokenFile, 'utf8')).trim();
    const store = await openStore({ ...place, credentials: (0,_wire_machine_js__WEBPACK_IMPORTED_MODULE_3__/* .credentialsOf */ .YN)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(credentialsFile, 'utf8')) });
    const server = (0,_http_server_js__WEBPACK_IMPORTED_MODULE_6__/* .storeServer */ .z)({ store, token, piece: PIECE });
    server.listen(port, '127.0.0.1');
    await (0,node_events__WEBPACK_IMPORTED_MODULE_0__.once)(server, 'listening');
    process.stdout.write(`serving ${place.url} on port ${port}\n`);
    if (!toldToEnd.aborted)
        await (0,node_events__WEBPACK_IMPORTED_MODULE_0__.once)(toldToEnd, 'abort');
    server.close();
    server.closeAllConnections();
    await store.close?.();
    return 0;
}


/***/ })

};
