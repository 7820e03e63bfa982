export const id = 4107;
export const ids = [4107];
export const modules = {

/***/ 94107:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   loginOf: () => (/* binding */ loginOf),
/* harmony export */   namespaceMeant: () => (/* binding */ namespaceMeant)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(76760);
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(39429);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(40859);
/* harmony import */ var _sdk_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(60338);
/** Which cluster and which namespace is meant, by options and by what a kubeconfig or the pod around us says. */




function loginOf(env, values) {
    const found = foundLogin(env, values);
    if (found)
        return found;
    const context = textOf(values['context']);
    const known = context === undefined ? 'no kubeconfig found' : `no context "${context}"`;
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .AuthError */ .lR(`k8s: ${known}`, { hint: "set KUBECONFIG or KUBERNETES_CONFIGURATION, or log in with your cloud's tool" });
}
/** The one that commands with these options work in; also for somebody who has no way to the cluster. */
function namespaceMeant(env, values) {
    const named = textOf(values['namespace']);
    if (named !== undefined)
        return named;
    if (values['context'] !== undefined)
        return loginOf(env, values).namespace;
    return foundLogin(env, values)?.namespace ?? 'default';
}
function foundLogin(env, values) {
    try {
        return (0,_sdk_js__WEBPACK_IMPORTED_MODULE_2__/* .login */ .i)({ env, context: textOf(values['context']), namespace: textOf(values['namespace']) });
    }
    catch (cause) {
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .AuthError */ .lR(`k8s: the kubeconfig (${sourceOf(env)}) cannot be used: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_3__/* .firstLineOf */ .Qy)(cause)}`, { cause });
    }
}
/** In the order in which they are looked for. */
function sourceOf(env) {
    if (env['KUBERNETES_CONFIGURATION'])
        return 'in KUBERNETES_CONFIGURATION';
    return env['KUBECONFIG'] || (0,node_path__WEBPACK_IMPORTED_MODULE_0__.join)(env['HOME'] ?? '~', '.kube/config');
}
function textOf(value) {
    return typeof value === 'string' ? value : undefined;
}


/***/ }),

/***/ 60338:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ login),
/* harmony export */   o: () => (/* binding */ yaml)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(73024);
/* harmony import */ var _kubernetes_client_node__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(24461);
/** Everything that we take of the vendor's library: credentials of every kind a kubeconfig knows, and streams of `exec`. */


/** From `KUBERNETES_CONFIGURATION` (text), `KUBECONFIG`, `~/.kube/config`, or the pod we run in. `undefined`: none of them is there. */
function login({ env, context, namespace }) {
    const config = new _kubernetes_client_node__WEBPACK_IMPORTED_MODULE_1__/* .KubeConfig */ .ypW();
    const text = env['KUBERNETES_CONFIGURATION'];
    if (text)
        config.loadFromString(text);
    else
        config.loadFromDefault();
    if (context !== undefined)
        config.setCurrentContext(context);
    const cluster = config.getCurrentCluster();
    // What the library makes up when it finds nothing.
    const invented = !text && config.getCurrentContext() === 'loaded-context' && cluster?.server === 'http://localhost:8080';
    if (!cluster || invented)
        return undefined;
    const own = config.getContextObject(config.getCurrentContext())?.namespace ?? podNamespace(config);
    // The library refuses it later, in words about its own settings.
    if (/^http:/i.test(cluster.server) && !cluster.skipTLSVerify)
        throw new Error(`its server "${cluster.server}" is plain http, over which anyone on the way could read the login`);
    const proxy = cluster.proxyUrl || undefined;
    if (proxy !== undefined && !/^https?:/.test(proxy))
        throw new Error(`proxy-url "${proxy}" is not an HTTP proxy, the only kind that is supported`);
    return {
        ...(proxy !== undefined && { proxy }),
        server: cluster.server.replace(/\/+$/, ''),
        context: config.getCurrentContext(),
        namespace: namespace ?? own ?? 'default',
        async options() {
            const options = {};
            await config.applyToHTTPSOptions(options);
            return options;
        },
        exec: (target, argv, streams) => run(config, target, argv, streams),
    };
}
function podNamespace(config) {
    if (config.getCurrentContext() !== 'inClusterContext')
        return undefined;
    return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readFileSync)('/var/run/secrets/kubernetes.io/serviceaccount/namespace', 'utf8').trim();
}
function yaml(text) {
    return (0,_kubernetes_client_node__WEBPACK_IMPORTED_MODULE_1__/* .loadYaml */ .yvg)(text);
}
/** Resolves to the exit code. */
async function run(config, target, argv, streams) {
    const { stdin, stdout, stderr } = streams;
    const { namespace, pod, container } = target;
    return await new Promise((resolve, reject) => {
        new _kubernetes_client_node__WEBPACK_IMPORTED_MODULE_1__/* .Exec */ .WoD(config)
            .exec(namespace, pod, container, [...argv], stdout, stderr, stdin, false, (status) => {
            const code = status.details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message;
            if (status.status === 'Success')
                resolve(0);
            else if (code !== undefined)
                resolve(Number(code));
            else
                reject(new Error(status.message ?? 'the command could not be run'));
        })
            .then((socket) => {
            socket.on('error', (error) => reject(plain(error)));
            socket.on('close', () => reject(new Error('the connection was closed before the command ended')));
        })
            .catch((error) => reject(plain(error)));
    });
}
/** A socket that is not opened complains with an event instead of an error. */
function plain(problem) {
    if (problem instanceof Error)
        return problem;
    const { message } = (problem ?? {});
    return new Error(typeof message === 'string' && message !== '' ? message : 'the connection could not be opened');
}


/***/ })

};
