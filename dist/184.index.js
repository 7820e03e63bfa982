export const id = 184;
export const ids = [184];
export const modules = {

/***/ 46184:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  s3AccessFromEnv: () => (/* binding */ s3AccessFromEnv)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/wire/store.js
var store = __webpack_require__(37231);
// EXTERNAL MODULE: ./build/js/stores/s3/client.js + 2 modules
var client = __webpack_require__(23796);
;// CONCATENATED MODULE: ./build/js/stores/s3/ini.js
/** The files of `~/.aws`: sections of `name = value`. */
/** Nested settings (indented below a name) are skipped: none of them matters here. Lines that are neither are skipped too. */
function parseIni(text) {
    const sections = new Map();
    let section;
    for (const line of text.split(/\r?\n/)) {
        if (/^\s*(?:[#;]|$)/.test(line))
            continue;
        const title = /^\[\s*(?:profile\s+)?"?([^\]"]+?)"?\s*\](?:\s*[#;].*)?$/.exec(line)?.[1];
        if (title !== undefined) {
            section = sections.get(title) ?? new Map();
            sections.set(title, section);
            continue;
        }
        const pair = /^([^\s=:][^=:]*?)\s*=\s*(.*?)(?:\s+[#;].*)?$/.exec(line);
        if (pair?.[1] !== undefined)
            section?.set(pair[1].toLowerCase(), pair[2] ?? '');
    }
    return sections;
}

;// CONCATENATED MODULE: ./build/js/stores/s3/access.js
/** Where the controller finds region, endpoint and credentials of a bucket: the variables and files that AWS tools use. */





/**
 * Looks at options, then the environment (`AWS_ACCESS_KEY_ID` …, `AWS_REGION`, `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3`,
 * `AWS_ENDPOINT_URL`), then the profile in `~/.aws`. A profile that was named by option wins over keys in the environment.
 * Throws StoreError `denied` when there are no credentials, `invalid` for a bad endpoint; messages never show a credential.
 */
async function s3AccessFromEnv(url, env, options = {}) {
    const profile = await readProfile(env, options.profile);
    const credentials = (options.profile === undefined ? fromEnv(env) : undefined) ?? fromProfile(profile);
    if (!credentials)
        throw missing(url, env, options);
    const region = options.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? profile.get('region');
    const endpoint = options.endpoint ?? env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'] ?? profile.get('endpoint_url');
    if (endpoint)
        (0,client/* endpointOf */.X)(endpoint);
    return { url, settings: { ...(region && { region }), ...(endpoint && { endpoint }) }, credentials };
}
function fromEnv(env) {
    return pack(env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY'], env['AWS_SESSION_TOKEN']);
}
function fromProfile(profile) {
    return pack(profile.get('aws_access_key_id'), profile.get('aws_secret_access_key'), profile.get('aws_session_token'));
}
function pack(accessKeyId, secretAccessKey, sessionToken) {
    if (!accessKeyId || !secretAccessKey)
        return undefined;
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
/** Settings of the profile in both files; the credentials file wins. */
async function readProfile(env, wish) {
    const name = wish ?? (env['AWS_PROFILE'] || 'default');
    const config = await readIni(env['AWS_CONFIG_FILE'] ?? atHome(env, 'config'));
    const secret = await readIni(env['AWS_SHARED_CREDENTIALS_FILE'] ?? atHome(env, 'credentials'));
    return new Map([...(config.get(name) ?? []), ...(secret.get(name) ?? [])]);
}
/** Without a home there is no such file: never one of the current folder, which may be somebody else's checkout. */
function atHome(env, name) {
    const home = env['HOME'] ?? '';
    return (0,external_node_path_.isAbsolute)(home) ? (0,external_node_path_.join)(home, '.aws', name) : undefined;
}
async function readIni(path) {
    if (path === undefined)
        return new Map();
    try {
        return parseIni(await (0,promises_.readFile)(path, 'utf8'));
    }
    catch (error) {
        if (isAbsent(error))
            return new Map();
        throw new store/* StoreError */.AD('denied', `storage: could not read "${path}"`, { cause: error });
    }
}
function isAbsent(error) {
    return typeof error === 'object' && error !== null && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
function missing(url, env, options) {
    const profile = options.profile ?? env['AWS_PROFILE'];
    const found = profile === undefined ? 'no credentials' : `no access key in the profile "${profile}"`;
    const remedy = 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), or AWS_PROFILE';
    const more = 'a profile that signs in or assumes a role: run "aws configure export-credentials --format env" first';
    return new store/* StoreError */.AD('denied', `storage: ${found} for "${url}"; ${remedy}; ${more}`);
}


/***/ })

};
