export const id = 4029;
export const ids = [4029];
export const modules = {

/***/ 64029:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  open: () => (/* binding */ az_open)
});

// EXTERNAL MODULE: ./build/js/lib/http.js
var http = __webpack_require__(78928);
// EXTERNAL MODULE: ./build/js/clouds/vm/cloud.js
var cloud = __webpack_require__(9178);
// EXTERNAL MODULE: ./build/js/clouds/vm/storage.js
var storage = __webpack_require__(50634);
// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/vendors/azure/login.js
var login = __webpack_require__(27551);
// EXTERNAL MODULE: ./build/js/clouds/vm/login.js
var vm_login = __webpack_require__(30);
// EXTERNAL MODULE: ./build/js/clouds/vm/once.js
var once = __webpack_require__(74698);
// EXTERNAL MODULE: ./build/js/clouds/vm/transport.js
var transport = __webpack_require__(1814);
// EXTERNAL MODULE: ./build/js/lib/record.js
var record = __webpack_require__(96645);
// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
// EXTERNAL MODULE: ./build/js/clouds/vm/refusal.js
var vm_refusal = __webpack_require__(42987);
// EXTERNAL MODULE: ./build/js/clouds/vm/messages.js
var messages = __webpack_require__(79659);
;// CONCATENATED MODULE: ./build/js/clouds/az/messages.js
/** Azure's messages about a call or a group → messages for people, by the vendor's codes. */

/**
 * The first match counts, against code and sentence. https://learn.microsoft.com/azure/virtual-machines/error-codes-spot ·
 * https://learn.microsoft.com/troubleshoot/azure/virtual-machines/linux/allocation-failure ·
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors
 */
const REASONS = [
    {
        test: /low-?priority ?cores|LowPriorityCores/i,
        kind: 'quota',
        text: "the subscription's quota for spot machines (lowPriorityCores) is used up in this region: ask for more (portal, Quotas)",
        hopeless: true,
        spotOnly: true,
    },
    {
        test: /Total Regional (?:v?CPUs|Cores)/i,
        kind: 'quota',
        text: "the subscription's quota for all sizes together (cores, Total Regional vCPUs) is used up in this region: ask for more (portal, Quotas), or take another region",
        hopeless: true,
    },
    {
        test: /QuotaExceeded|ResourceQuotaExceeded|exceeding (?:approved|quota)|exceed(?:s|ed|ing).{0,40}quota/i,
        kind: 'quota',
        text: "the subscription's quota for this family of sizes is used up in this region: ask for more (portal, Quotas), or take another size",
        hopeless: true,
    },
    {
        test: /SpotPriceGreaterThanProvidedMaxPrice/i,
        kind: 'capacity',
        text: 'the price of spot machines is above max-price; Azure does not try again when the price falls',
        option: 'max-price',
    },
    {
        test: /(?:Overconstrained(?:Zonal)?|Zonal)?Allocation(?:Failed|Request)|SkuNotAvailable|OverconstrainedAllocationRequest|Requested tier|insufficient.{0,40}capacity|CapacityNotAvailable/i,
        kind: 'capacity',
        text: 'Azure has no such machine available here; it keeps trying',
    },
    {
        test: /RequestDisallowedByPolicy|disallowed by (?:Azure )?policy/i,
        kind: 'denied',
        text: 'a policy of the organization forbids it',
        hopeless: true,
    },
    {
        test: /MissingSubscriptionRegistration|SubscriptionNotRegistered|not registered to use namespace/i,
        kind: 'denied',
        text: 'a resource provider is not registered in the subscription: `tpi doctor` says which',
        hopeless: true,
    },
    {
        test: /AzureSpotFeatureNotEnabled|AzureSpotIsNotSupported|Azure Spot Virtual Machine is not supported for this VM size|does not support Azure Spot/i,
        kind: 'denied',
        text: 'the subscription, or this size, has no spot machines',
        hopeless: true,
        spotOnly: true,
        option: 'spot',
    },
    {
        test: /LinkedAuthorizationFailed|AuthorizationFailed|does not have (?:authorization|permission)/i,
        kind: 'denied',
        text: 'a permission is missing: tpi permissions az says which are needed',
        hopeless: true,
    },
    {
        test: /ScopeLocked|cannot perform .{0,20} operation because/i,
        kind: 'denied',
        text: 'a lock keeps it from being changed or removed: az lock list shows it, and whoever made it has to remove it',
        hopeless: true,
    },
    {
        test: /MarketplacePurchaseEligibility|legal terms/i,
        kind: 'denied',
        text: "the image's terms have not been accepted: az vm image terms accept --urn PUBLISHER:OFFER:SKU:VERSION",
        hopeless: true,
        option: 'image',
    },
    {
        test: /PlatformImageNotFound|ImageNotFound|GalleryImageNotFound/i,
        kind: 'failure',
        text: 'the image does not exist',
        hopeless: true,
        option: 'image',
    },
    { test: /SubnetIsFull|IPAddressesExhausted/i, kind: 'failure', text: 'the subnet has no addresses left', option: 'azure-subnet' },
    {
        test: /PublicIPCountLimitReached/i,
        kind: 'quota',
        text: 'the quota of the subscription for public addresses is used up: ask for more (portal, Quotas)',
        hopeless: true,
    },
    {
        test: /TooManyRequests|OperationPreempted|AnotherOperationInProgress|ServerTimeout|InternalServerError|RetryableError|InternalExecutionError|OperationNotAllowed.{0,80}in progress|in progress.*\(OperationNotAllowed\)/i,
        kind: 'info',
        text: 'Azure is busy and tries again',
    },
    {
        test: /OSProvisioning(?:TimedOut|ClientError|InternalError)/i,
        kind: 'failure',
        text: 'the machine did not report in time that it was up',
    },
];
/** The reason why a machine could not be made. */
const reasonOf = (code, message) => (0,messages/* reasonIn */.Y)(REASONS, message, code);
/** What ends a machine, by names of operations in the activity log. https://learn.microsoft.com/azure/azure-monitor/essentials/activity-log-schema */
const ENDS = [
    [/evict|preempt/i, 'Azure took the spot machine back', 'notice'],
    [/virtualMachines\/delete$|delete\/action$/i, 'it was removed from its group', 'info'],
    [/deallocate|powerOff/i, 'it was stopped', 'failure'],
];
/** How a machine ended. `operations`: all operations on it in the activity log. */
function endOf(operations, spot) {
    for (const [operation, text, kind] of ENDS)
        if (operations.some((one) => operation.test(one)))
            return { text, kind };
    // The log may be minutes late. A machine that leaves by itself has also said so in its slot's record.
    return { text: spot ? 'Azure took it back, or it left its group' : 'it left its group', kind: 'info' };
}

;// CONCATENATED MODULE: ./build/js/clouds/az/errors.js
/** Azure's errors → tpi's errors, including whose fault it is. */






/**
 * The first of the details that says something is the cause: https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/find-error-code.
 * Some services answer without `error` around it.
 */
function refusalOf(status, body) {
    const { error } = (0,record/* fieldsIn */.t5)(body);
    const outer = (0,record/* isRecord */.u4)(error) ? error : (0,record/* fieldsIn */.t5)(body);
    const details = (Array.isArray(outer['details']) ? outer['details'] : []).filter(record/* isRecord */.u4);
    const inner = details.find(({ message }) => (0,record/* textIn */.r7)(message) !== '');
    const said = [(0,record/* textIn */.r7)(outer['message']), (0,record/* textIn */.r7)(inner?.['message'])].filter((one, at, all) => one !== '' && all.indexOf(one) === at);
    const code = (0,record/* textIn */.r7)(inner?.['code']) || (0,record/* textIn */.r7)(outer['code']);
    return new vm_refusal/* Refusal */.P_(said.join(' ') || `the answer is ${status}`, { status, code });
}
/** https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling */
const PASSING = /^(?:TooManyRequests|OperationNotAllowedOnVMWhileBusy|AnotherOperationInProgress|Conflict(?:ingConcurrentWriteNotAllowed)?|RetryableError|ServerTimeout|InternalServerError|ReferencedResourceNotProvisioned|SubscriptionRequestsThrottled|ResourceCollectionRequestsThrottled|OperationPreempted|ResourceGroupBeingDeleted|PrincipalNotFound|StorageAccountIsNotProvisioned|StorageAccountOperationInProgress)$/;
/** When a request is tried again. */
const manner = {
    refusalOf,
    passes: (error) => error instanceof vm_refusal/* Refusal */.P_ && (0,vm_refusal/* isPassing */.WG)(error.status),
};
/** What to do if a login is no longer accepted. */
const HOW_TO_LOG_IN_AGAIN = 'log in again: azure/login, az login, or AZURE_CLIENT_SECRET';
const LOGIN = /^(?:ExpiredAuthenticationToken|InvalidAuthenticationToken.*|AuthenticationFailed.*)$/;
/** `tried`: "create scale set tpi-x". */
function errorOf(error, tried) {
    if (error instanceof errors/* TpiError */.at)
        return error;
    const { status, code } = error instanceof vm_refusal/* Refusal */.P_ ? error : new vm_refusal/* Refusal */.P_('', {});
    const said = (0,vm_refusal/* saidWith */.ig)(code, (0,lib_text/* messageOf */.bD)(error));
    const message = `az: could not ${tried}: ${said}`;
    const options = { cause: error };
    if (LOGIN.test(code) || status === 401)
        return new errors/* AuthError */.lR(message, { ...options, hint: HOW_TO_LOG_IN_AGAIN });
    if (PASSING.test(code) || (0,vm_refusal/* isPassing */.WG)(status) || error instanceof http/* Unanswered */.XX)
        return new errors/* RemoteError */.Hi(message, { ...options, retryable: true });
    const namespace = /namespace '([^']+)'/.exec(said)?.[1];
    if (namespace !== undefined)
        return new errors/* AuthError */.lR(message, { ...options, hint: `register it: az provider register --namespace ${namespace}` });
    const reason = REASONS.find(({ test }) => test.test(said));
    if (reason?.kind === 'info')
        return new errors/* RemoteError */.Hi(message, { ...options, retryable: true });
    const advice = { ...options, ...(reason && { hint: reason.text }) };
    if (reason?.kind === 'quota')
        return new errors/* QuotaError */.ZP(message, advice);
    if (reason?.kind === 'capacity')
        return new errors/* CapacityError */.hG(message, reason.option === undefined ? { ...options, hint: (0,vm_refusal/* noRoom */.fj)('sizes') } : advice);
    if (reason?.kind === 'denied' || status === 403)
        return new errors/* AuthError */.lR(message, { hint: 'see which permissions are needed: tpi permissions az', ...advice });
    if (status >= 400 || reason?.kind === 'failure')
        return new errors/* InputError */.dz(message, advice);
    return new errors/* RemoteError */.Hi(message, advice);
}
/** The vendor's codes for "it does not exist" (nothing does, of a provider that nobody has registered), and for "something else needs it". */
const GONE = /^(?:MissingSubscriptionRegistration|ResourceNotFound|ResourceGroupNotFound|NotFound|ContainerNotFound|ParentResourceNotFound|PlatformImageNotFound|ImageNotFound)$/;
const USED = /^(?:InUse.*|.*InUse|NicReservedForAnotherVm|.*CannotBeDeleted.*|AnotherOperationInProgress|ResourceGroupBeingDeleted)$/;
/** Not if the caller cannot see the subscription: what is in it may still exist. */
function isGone(error) {
    const refusal = (0,vm_refusal/* refusalIn */.c3)(error);
    return refusal !== undefined && (GONE.test(refusal.code) || (refusal.status === 404 && !/subscription|tenant/i.test(refusal.code)));
}
/** For `catch`, of a list: empty if the resource group is gone. */
function noneThere(error) {
    if (isGone(error))
        return [];
    throw error;
}
/**
 * For calls about a resource group that was just made. One server of Resource Manager may not know yet what another one has done
 * (https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-not-found): the error becomes retryable.
 */
function notYetKnown(error) {
    const cause = (0,vm_refusal/* refusalIn */.c3)(error);
    if (!(error instanceof errors/* TpiError */.at && cause?.code === 'ResourceGroupNotFound'))
        return error;
    return new errors/* RemoteError */.Hi(error.message, { cause, retryable: true });
}
function isUsed(error) {
    return USED.test((0,vm_refusal/* refusalIn */.c3)(error)?.code ?? '');
}
/** It exists already, with another value of a property that cannot be changed. */
function isOtherwise(error) {
    return (0,vm_refusal/* refusalIn */.c3)(error)?.code === 'PropertyChangeNotAllowed';
}
/**
 * Azure does not accept a number of machines in an autoscale setting: "The minimum capacity value '6' that you specified in the autoscale setting
 * is …" (https://github.com/microsoft/onefuzz/issues/2249).
 */
function isOfCapacity(error) {
    const { status, message } = (0,vm_refusal/* refusalIn */.c3)(error) ?? {};
    return status === 400 && /capacity/i.test(message ?? '');
}

// EXTERNAL MODULE: ./build/js/clouds/az/sdk.js
var sdk = __webpack_require__(25561);
// EXTERNAL MODULE: ./build/js/clouds/az/settings.js
var settings = __webpack_require__(39664);
;// CONCATENATED MODULE: ./build/js/clouds/az/api.js








/** Variable with the address of another cloud than the public one, or of a test. */
const ELSEWHERE = 'AZURE_RESOURCE_MANAGER_URL';
const WORDS = {
    cloud: 'az',
    product: 'Azure',
    vendor: 'Azure',
    howToLogIn: 'use azure/login, az login, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET',
    howToLogInAgain: HOW_TO_LOG_IN_AGAIN,
};
class Api {
    region;
    #env;
    #named;
    #sources = new Map();
    #logins;
    #subscription = new once/* Once */.a();
    constructor({ env, clock }, { region, subscription }) {
        this.#env = env;
        this.#logins = new vm_login/* Logins */.n({ words: WORDS, find: async () => (0,login/* azureLogin */.xy)(env), errorOf: errorOf, clock });
        this.region = region;
        this.#named = subscription;
    }
    /** `tried`: for people, "create scale set tpi-x". */
    async call(name, tried, ask = {}) {
        return (await this.answer(name, tried, ask)).value;
    }
    /** The same, but resolves to `undefined` if the resource does not exist. */
    async maybe(name, tried, ask = {}) {
        return (await this.maybeAnswer(name, tried, ask))?.value;
    }
    /** The same, with everything that the answer tells about an operation. */
    async maybeAnswer(name, tried, ask = {}) {
        return this.answer(name, tried, ask).catch((error) => {
            if (isGone(error))
                return undefined;
            throw error;
        });
    }
    async answer(name, tried, ask = {}) {
        const [method, template, version] = sdk/* CALLS */.q[name];
        const path = {
            ...ask.path,
            ...(template.includes('{subscription}') && { subscription: ask.path?.['subscription'] ?? (await this.subscription()) }),
        };
        const url = new URL((0,transport/* filled */.Bq)(template, path), this.root);
        url.searchParams.set('api-version', version);
        for (const [key, value] of Object.entries(ask.query ?? {}))
            if (value !== undefined)
                url.searchParams.set(key, value);
        return this.#send(method, url, tried, ask);
    }
    /** The items of all pages of a list, or of as many as the caller wants. */
    async all(name, tried, ask = {}) {
        const found = [];
        let page = (await this.answer(name, tried, ask)).value;
        for (let read = 1;; read += 1) {
            found.push(...(page.value ?? []));
            if (!page.nextLink || read === ask.pages)
                return found;
            page = (await this.follow(page.nextLink, tried, ask.signal)).value;
        }
    }
    /** Asks at an address that an answer named. Throws if it is not on the vendor's own server, which alone may see the token. */
    async follow(address, tried, signal) {
        const url = URL.canParse(address) ? new URL(address) : undefined;
        if (url?.origin !== new URL(this.root).origin)
            throw new errors/* RemoteError */.Hi(`az: could not ${tried}: the answer names an address on another server, which must not see the token`);
        return this.#send('GET', url, tried, { ...(signal && { signal }) });
    }
    async login() {
        return this.#logins.login();
    }
    /** For people: the subscription, and who the caller is. */
    async names() {
        const [{ displayName }, id, login] = await Promise.all([
            this.call('subscription.get', 'look at the subscription'),
            this.subscription(),
            this.login(),
        ]);
        return { subscription: displayName ?? id, caller: login.who };
    }
    /** The subscription's id. */
    async subscription() {
        return this.#subscription.get('', async () => this.#which());
    }
    /** A source of tokens for Blob Storage. */
    storage() {
        return this.#source(login/* BLOBS */.df);
    }
    /** With a trailing slash. */
    get root() {
        return this.otherRoot() ?? `${login/* MANAGEMENT */.Mc}/`;
    }
    /** The same if it is not the vendor's usual address. */
    otherRoot() {
        return (0,transport/* rootAt */.sb)(this.#env[ELSEWHERE]);
    }
    async #which() {
        const known = this.#named ?? (await (0,settings/* knownSubscription */.pi)(this.#env));
        if (known !== undefined)
            return known;
        const { value = [] } = await this.call('subscriptions.list', 'look for your subscriptions');
        const usable = value.filter(({ state }) => state === undefined || state === 'Enabled');
        const [only] = usable;
        if (usable.length === 1 && only?.subscriptionId)
            return only.subscriptionId;
        const names = usable.slice(0, 8).map(({ subscriptionId, displayName }) => `${subscriptionId} (${displayName ?? ''})`);
        throw new errors/* InputError */.dz([
            {
                option: 'azure-subscription',
                message: names.length === 0 ? 'there is no Azure subscription that you may use' : `you may use several subscriptions: ${names.join(', ')}`,
                hint: 'give --azure-subscription, or set AZURE_SUBSCRIPTION_ID',
            },
        ]);
    }
    #source(resource) {
        const known = this.#sources.get(resource);
        if (known)
            return known;
        const source = this.#logins.source(async (login) => login.lend(resource));
        this.#sources.set(resource, source);
        return source;
    }
    async #send(method, url, tried, { body, signal }) {
        const source = this.#source(new URL(this.root).origin);
        try {
            return await (0,transport/* send */.tN)({ method, url, body }, { source, signal }, manner);
        }
        catch (error) {
            signal?.throwIfAborted();
            throw errorOf(error, tried);
        }
    }
}

// EXTERNAL MODULE: ./build/js/wire/lifetime.js
var wire_lifetime = __webpack_require__(56963);
// EXTERNAL MODULE: ./build/js/clouds/vm/deadline.js
var deadline = __webpack_require__(1235);
// EXTERNAL MODULE: ./build/js/clouds/vm/spot-standby.js
var spot_standby = __webpack_require__(12239);
;// CONCATENATED MODULE: ./build/js/clouds/az/profiles.js
/**
 * The profiles of an autoscale setting, as pure functions that run on machines and in commands. Of the profiles whose dates match, the first
 * counts; if none does, the one without dates counts. https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings
 */

/**
 * Names of profiles: while the group is open, while it waits as a twin (`spot: prefer`), and after the end. A setting without the first two
 * is ended.
 */
const OPEN = 'open';
const STANDBY = 'standby';
const OVER = 'over';
/** Milliseconds, a day less: a window has at most 365 days. */
const YEAR = 364 * 24 * 3600_000;
/** Milliseconds since 1970: longer ago than any run. */
const PAST = Date.UTC(2000, 0);
/**
 * The profile while the group is open. It keeps as few machines as possible until a number is set. A machine that leaves lowers only the minimum,
 * never the maximum: so if two leave at once, neither takes a third one along.
 */
const openFor = (window, least = 0) => profileOf(OPEN, window, least);
/** The profile for after the end, which counts by default. `most`: machines that may remain. */
const over = (most) => ({
    name: OVER,
    capacity: { minimum: '0', maximum: String(most), default: '0' },
    rules: [],
});
/** The same with dates: it leaves no machine for a year. */
const overFrom = (start) => profileOf(OVER, { start, end: start + YEAR, most: 0 }, 0);
/** One that never counts, because its dates are past, and has no 0: after the end, Azure neither keeps nor ends anything. */
const neverOver = () => profileOf(OVER, { start: PAST, end: PAST + YEAR, most: 1 }, 1);
/** The fewest machines that a profile of this setting may keep: the one for after the end shows it. */
const leastIn = (profiles) => (profiles.some(({ name, capacity }) => name === OVER && capacity.minimum !== '0') ? 1 : 0);
function profileOf(name, { start, end, most }, least) {
    return {
        name,
        capacity: { minimum: String(least), maximum: String(most), default: String(least) },
        rules: [],
        fixedDate: { timeZone: 'UTC', start: stamp(start), end: stamp(end) },
    };
}
/** In UTC, the `timeZone` beside it. */
const stamp = (time) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
const timeOf = (text = '') => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
const startOf = ({ fixedDate }) => timeOf(fixedDate?.start);
const openIn = (profiles) => profiles.find(({ name }) => name === OPEN);
const standbyIn = (profiles) => profiles.find(({ name }) => name === STANDBY);
const ended = (profiles) => profiles.filter(({ name }) => name !== OPEN && name !== STANDBY);
const profiles_isEnded = (profiles) => ended(profiles).length === profiles.length;
/** How many machines the group keeps at that time. */
function profiles_keptBy(profiles, now) {
    const holds = profiles.find((one) => startOf(one) <= now && now < timeOf(one.fixedDate?.end));
    return Number(holds?.capacity.minimum ?? 0);
}
/** How many machines it keeps while it is open; `undefined`: it is not open. */
function profiles_leastOf(profiles) {
    const open = openIn(profiles);
    return open && Number(open.capacity.minimum);
}
/** Keeps that many machines while the group is open, and raises the maximum if it is lower. If Azure accepts no 0, keeping none ends the set. */
function profiles_keeping(profiles, least) {
    if (least < leastIn(profiles))
        return ended(profiles);
    const minimum = String(least);
    return profiles.map((one) => {
        if (one.name !== OPEN)
            return one;
        const maximum = String(Math.max(Number(one.capacity.maximum), least));
        return { ...one, capacity: { minimum, maximum, default: minimum } };
    });
}
/** Milliseconds: a window as short as this starts no machines. A window that is to count at once began so long ago. */
const LAST = 60_000;
/** Milliseconds by which the vendor's clock and this one may differ. */
const SOON = 15_000;
/** Milliseconds since 1970: later than any deadline. */
const NEVER = Date.UTC(2099, 0);
/** The profile of a twin that starts no machines until a time is set for the first time. */
function asleep({ end, count }, least = 0) {
    const last = least === 0 ? end : NEVER;
    return profileOf(STANDBY, { start: last - LAST, end: last, most: count }, least);
}
/**
 * The twin's machines start `wait` milliseconds from now at the earliest, and not at all near the end. A window that has begun stays, because its
 * machines would end with it: the new one is put before it.
 */
function profiles_putOff(profiles, { end, count }, wait, now) {
    const start = (0,spot_standby/* standbyStart */.MU)(now, wait, end).getTime();
    const standby = start < end ? profileOf(STANDBY, { start, end, most: count }, count) : asleep({ end, count }, leastIn(profiles));
    const open = openIn(begun(profiles, now + SOON));
    return [standby, ...(open ? [open] : []), ...ended(profiles)];
}
/** The twin's machines start now. */
const profiles_roused = (profiles, { end, count }, now) => [
    profileOf(OPEN, { start: now - LAST, end, most: count }, count),
    ...ended(profiles),
];
/** If the twin's time has come, its profile becomes the open one. */
function begun(profiles, now) {
    const standby = standbyIn(profiles);
    return standby && startOf(standby) <= now ? [{ ...standby, name: OPEN }, ...ended(profiles)] : profiles;
}
/** Whether no machines start before `from`. */
function profiles_waits(profiles, from) {
    const standby = standbyIn(profiles);
    return standby !== undefined && (startOf(standby) >= from || standby.capacity.minimum === '0');
}

;// CONCATENATED MODULE: ./build/js/clouds/az/deadline.js



/** Milliseconds by which the window begins early, because the vendor's clocks may be behind this one. */
const BEFORE = 10 * 60_000;
const SWEEP = 'stays until `tpi sweep` removes it';
/**
 * The surest first; each is tried if Azure does not accept the one before. A minimum and a default of 0 have been accepted
 * (https://github.com/hashicorp/terraform-provider-azurerm/issues/2624), but no document says so, nor that a maximum may be 0. With the last
 * two, machines delete themselves at the deadline, and a sweep removes those that do not.
 */
const ENDINGS = [
    { over: () => over(0), least: 0 },
    { over: overFrom, least: 0, warning: 'machines are ended at the deadline, but by a profile that is over after a year' },
    { over: () => over(1), least: 0, warning: `of machines that hang at the deadline, one ${SWEEP}` },
    { over: neverOver, least: 1, warning: `a machine that hangs at the deadline ${SWEEP}` },
];
/** `isTwin`: its machines start only later (`spot: prefer`). `name`: of the set. */
function deadlineProfiles({ createdAt, lifetime, count }, { name, isTwin }, ending) {
    const end = (0,wire_lifetime/* hardDeadline */.ay)(lifetime);
    (0,deadline/* refusePast */.X)(`group ${name}`, end);
    const start = Date.parse(createdAt) - BEFORE;
    const { least } = ending;
    return [isTwin ? asleep({ end, count }, least) : openFor({ start, end, most: count }, least), ending.over(end)];
}

// EXTERNAL MODULE: ./build/js/clouds/az/names.js
var names = __webpack_require__(77541);
// EXTERNAL MODULE: ./build/js/core/tag-limits.js
var tag_limits = __webpack_require__(7021);
// EXTERNAL MODULE: ./build/js/clouds/vm/facts.js
var facts = __webpack_require__(11700);
;// CONCATENATED MODULE: ./build/js/clouds/az/tags.js



/**
 * Characters of a tag's name, and tags of one resource.
 * https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations
 */
const KEY = 512;
const MOST = 50;
function tagsFor(tags) {
    return { ...tags.user, ...(0,facts/* shownTags */.XQ)(tags, names/* TAG */.Dk), ...(0,facts/* factTags */.yL)(tags, names/* TAG */.Dk) };
}
/** Tags of what comes and goes with a machine: its deployment, and the user's tags, which a policy may require. */
const marksOf = ({ id, incarnation, user }) => ({
    ...user,
    [names/* TAG */.Dk.id]: id,
    [names/* TAG */.Dk.incarnation]: incarnation,
});
/** Azure may return names of tags in another case. */
function isMarked(pairs = {}, { id, incarnation }) {
    const known = new Map(Object.entries(pairs).map(([key, value]) => [key.toLowerCase(), value]));
    return known.get(names/* TAG */.Dk.id) === id && known.get(names/* TAG */.Dk.incarnation) === incarnation;
}
/** `undefined`: tpi did not make them, or they were edited. Azure may return names of tags in another case. */
function tagsOf(pairs = {}, tell) {
    return (0,facts/* factsInTags */._j)(Object.fromEntries(Object.entries(pairs).map(([key, value]) => [key.toLowerCase(), value])), names/* TAG */.Dk, tell);
}
function tagFaults(tags) {
    // A set that has a twin has one more.
    const ours = Object.keys(tagsFor(tags)).length - Object.keys(tags.user).length + 1;
    return (0,tag_limits/* limitFaults */.P)(tags.user, {
        title: 'Azure',
        reserved: /^(?:tpi-|hidden-|microsoft|azure|windows)/i,
        name: KEY,
        value: facts/* TAG_VALUE */.Dx,
        caseless: true,
        pattern: { name: /^[^<>%&\\?/]+$/, hint: 'leave out < > % & \\ ? and /' },
        most: Math.max(MOST - ours, 0),
    });
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
// EXTERNAL MODULE: ./build/js/clouds/vm/bootstrap.js + 3 modules
var bootstrap = __webpack_require__(49801);
// EXTERNAL MODULE: ./build/js/vendors/metadata-service.js
var metadata_service = __webpack_require__(84803);
;// CONCATENATED MODULE: ./build/js/clouds/az/boot.js

/**
 * How often a machine that gives up asks to be deleted, with some seconds in between. If it stays, switched off, it costs money until somebody
 * looks at its group or the deadline comes.
 */
const TRIES = 99;
/**
 * A machine's id is its name, which events and its own removal use. Azure announces events only some minutes after the first request for them
 * (https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events#enabling-and-disabling-scheduled-events), so that request goes out
 * at once, again while the network is not there yet, and its answer is not waited for.
 */
const AZURE = {
    python: `
S=B['machine']['side']
def meta(p,v):
 return json.load(http(B.get('metadata','http://169.254.169.254')+'/metadata/'+p+'?api-version='+v,{'Metadata':'true'}))
def early(n=9):
 try:meta('scheduledevents','2020-07-01')
 except Exception:time.sleep(1);n and early(n-1)
X(1).submit(early)
def who():
 i=meta('instance','2021-02-01')
 return i['compute']['name'],i['network']['interface'][0]['ipv4']['ipAddress'][0]['privateIpAddress']
def bearer(r):
 t=meta('identity/oauth2/token','2018-02-01&client_id='+S['clientId']+'&resource='+r)
 return {'Authorization':'Bearer '+t['access_token'],'x-ms-version':'2021-12-02'}
def get(key):return http(B['url']+parse.quote(key),bearer('https://storage.azure.com'))
def bye():
 a=S.get('endpoint','https://management.azure.com/')
 for w in range(${TRIES}):
  try:return http(a+'subscriptions/%(subscription)s/resourceGroups/%(resourceGroup)s/providers/Microsoft.Compute/virtualMachines/'%S+who()[0]+'?api-version=2025-04-01',bearer(a[:-1]),'DELETE')
  except Exception as e:print('tpi:',e);time.sleep(w%9)
`,
    // Seconds. A role that was just assigned may take this long to work: https://learn.microsoft.com/azure/role-based-access-control/troubleshooting
    patience: 1800,
    // A machine that is only switched off is still billed, and not replaced.
    bye: 'bye()',
};
/** Addresses that the script must not reach: the metadata service, and the service of the host, which also resolves names. */
const AZURE_CLOSED = [metadata_service/* METADATA_HOST */.XE, '168.63.129.16'];

// EXTERNAL MODULE: ./build/js/clouds/az/sizes.js
var sizes = __webpack_require__(19715);
;// CONCATENATED MODULE: ./build/js/clouds/az/template.js
/** A request → the scale set and the profile of its machines. */







/**
 * The administrator that the vendor requires on each machine. Nobody has its key. It is not the user of the script, because cloud-init lets it
 * become root without a password (DataSourceAzure makes it the default user).
 */
const USER = 'tpi-admin';
const idIn = ({ placement, group }, kind, name) => `/subscriptions/${placement.subscription}/resourceGroups/${group}/providers/${kind}/${name}`;
function bootText({ spec, settings, placement, group, endpoint, storage }) {
    const side = {
        subscription: placement.subscription,
        resourceGroup: group,
        group: (0,names/* groupName */.hv)(spec.tags),
        clientId: placement.identity.client,
        ...(0,spot_standby/* twinSide */.A1)(spec, (0,names/* twinName */.u2)(spec.tags)),
        ...(endpoint !== undefined && { endpoint }),
    };
    return (0,bootstrap/* vmUserData */.D)({
        cloud: 'az',
        spec,
        arch: placement.choice.arch,
        side,
        system: settings,
        ...(storage && { storage }),
        metadata: AZURE_CLOSED,
        dialect: AZURE,
    });
}
/** The sets of a deployment. */
const kindsOf = ({ tags, spot }) => (0,spot_standby/* groupKinds */.Rp)(spot, (0,names/* groupName */.hv)(tags), (0,names/* twinName */.u2)(tags));
/**
 * Empty at first. With one fault domain, Azure spreads machines as widely as possible.
 * https://learn.microsoft.com/rest/api/compute/virtual-machine-scale-sets/create-or-update
 */
function setInput(params, kind) {
    const { spec, placement } = params;
    const { types } = placement.choice;
    const mixed = (0,sizes.mixes)(types);
    return {
        location: placement.region,
        tags: { ...tagsFor(spec.tags), ...(spec.spot.want === 'prefer' && { [names/* TAG */.Dk.twin]: (0,names/* twinName */.u2)(spec.tags) }) },
        sku: { name: mixed ? 'Mix' : (types[0] ?? ''), ...(!mixed && { tier: 'Standard' }), capacity: 0 },
        identity: { type: 'UserAssigned', userAssignedIdentities: { [placement.identity.id]: {} } },
        ...(placement.zones.length > 0 && { zones: [...placement.zones] }),
        ...(placement.image.plan && { plan: placement.image.plan }),
        properties: {
            orchestrationMode: 'Flexible',
            singlePlacementGroup: false,
            platformFaultDomainCount: 1,
            ...(mixed && { skuProfile: { vmSizes: types.map((name) => ({ name })), allocationStrategy: 'CapacityOptimized' } }),
            virtualMachineProfile: template_profileOf(params, kind),
        },
    };
}
function template_profileOf(params, kind) {
    const { spec, settings, placement } = params;
    const { spot } = spec;
    return {
        ...(kind.spot && spot.want !== 'never'
            ? { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: spot.maxPrice ?? -1 } }
            : { priority: 'Regular' }),
        osProfile: {
            computerNamePrefix: kind.name,
            adminUsername: USER,
            customData: Buffer.from(bootText(params)).toString('base64'),
            linuxConfiguration: {
                disablePasswordAuthentication: true,
                ssh: { publicKeys: [{ path: `/home/${USER}/.ssh/authorized_keys`, keyData: nobodysKey() }] },
            },
        },
        storageProfile: {
            imageReference: placement.image.reference,
            osDisk: {
                createOption: 'FromImage',
                deleteOption: 'Delete',
                // By default the disk is as large as the image.
                ...(spec.diskBytes !== undefined && { diskSizeGB: (0,bootstrap/* diskGigabytes */.N)(spec, placement.image.gigabytes ?? 0) }),
                managedDisk: {
                    storageAccountType: 'StandardSSD_LRS',
                    ...(settings.customerKey !== undefined && { diskEncryptionSet: { id: settings.customerKey } }),
                },
            },
        },
        networkProfile: { networkApiVersion: '2020-11-01', networkInterfaceConfigurations: [nicOf(params)] },
        ...(settings.reservation !== undefined && {
            capacityReservation: { capacityReservationGroup: { id: reservationId(settings.reservation, placement.subscription) } },
        }),
        diagnosticsProfile: { bootDiagnostics: { enabled: true } },
        // Some images have unsigned GPU drivers, so machines with a GPU boot without secure boot.
        ...(placement.trusted &&
            placement.image.trusted && {
            securityProfile: {
                securityType: 'TrustedLaunch',
                uefiSettings: { secureBootEnabled: !(0,sizes.hasGpu)(placement.choice), vTpmEnabled: true },
            },
        }),
    };
}
/** https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-associate-virtual-machine-scale-set-flex */
function reservationId(reservation, subscription) {
    if (reservation.startsWith('/'))
        return reservation;
    const [group, name] = reservation.split('/');
    return `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Compute/capacityReservationGroups/${name}`;
}
/** It and its address are removed with the machine. */
function nicOf(params) {
    const { settings, placement, spec } = params;
    const name = (0,names/* groupName */.hv)(spec.tags);
    const subnet = placement.subnet?.id ?? `${idIn(params, 'Microsoft.Network/virtualNetworks', name)}/subnets/${SUBNET}`;
    return {
        name: 'machine',
        tags: marksOf(spec.tags),
        properties: {
            primary: true,
            deleteOption: 'Delete',
            networkSecurityGroup: { id: idIn(params, 'Microsoft.Network/networkSecurityGroups', name) },
            ipConfigurations: [
                {
                    name: 'machine',
                    properties: {
                        primary: true,
                        subnet: { id: subnet },
                        ...((settings.publicAddress ?? !placement.subnet?.nat) && {
                            publicIPAddressConfiguration: {
                                name: 'machine',
                                tags: marksOf(spec.tags),
                                sku: { name: 'Standard' },
                                properties: { deleteOption: 'Delete' },
                            },
                        }),
                    },
                },
            ],
        },
    };
}
const SUBNET = 'machines';
const RANGE = '10.66.0.0/16';
/** The network has no way out of its own: each machine has a public address. */
function networkInput({ spec, placement }) {
    return {
        location: placement.region,
        tags: tagsFor(spec.tags),
        properties: {
            addressSpace: { addressPrefixes: [RANGE] },
            subnets: [{ name: SUBNET, properties: { addressPrefix: RANGE, defaultOutboundAccess: false } }],
        },
    };
}
/**
 * The vendor's default rules are the right ones: machines of one network reach each other, nothing else comes in.
 * https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview#default-security-rules
 */
function wallInput({ spec, placement }) {
    return { location: placement.region, tags: tagsFor(spec.tags) };
}
/** A public key in the format of OpenSSH, which the vendor requires. Its private half is discarded at once. */
function nobodysKey() {
    const { publicKey } = (0,external_node_crypto_.generateKeyPairSync)('ed25519');
    const kind = Buffer.from('ssh-ed25519');
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    const sized = (bytes) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(bytes.length);
        return Buffer.concat([length, bytes]);
    };
    return `ssh-ed25519 ${Buffer.concat([sized(kind), sized(raw)]).toString('base64')}`;
}

;// CONCATENATED MODULE: ./build/js/clouds/az/autoscale.js
/**
 * The autoscale setting of a scale set replaces machines that were reclaimed, and ends all of them at the deadline (`deadline.ts`).
 * https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings
 */






/** `name`: the set's name. */
function settingInput(params, name, ending = ENDINGS[0]) {
    const { tags } = params.spec;
    return {
        location: params.placement.region,
        tags: tagsFor(tags),
        properties: {
            // A setting that keeps at least one machine would start it before anybody has asked for any.
            enabled: ending.least === 0,
            targetResourceUri: idIn(params, 'Microsoft.Compute/virtualMachineScaleSets', name),
            profiles: deadlineProfiles(tags, { name, isTwin: name === (0,names/* twinName */.u2)(tags) }, ending),
        },
    };
}
/**
 * How often a process that ends the group looks whether it stays ended: a machine that is leaving may write back what it read before. It also
 * looks with every look at the group.
 */
const LOOKS = 3;
class Keeper {
    #api;
    #path;
    #name;
    /** As this process has made it, until it ends the group. */
    #made;
    /** As it was in a list, perhaps a while ago. */
    #seen;
    /** This process wants no machines any more. */
    #ended = false;
    /** `name`: of the set and of its setting. `group`: resource group. */
    constructor(api, name, group) {
        this.#api = api;
        this.#name = name;
        this.#path = { group, name };
    }
    knows(setting) {
        this.#made = setting;
    }
    /** What a list says is good enough to end the group. */
    saw(setting) {
        this.#seen = setting;
    }
    /** The current setting. If this process has ended the group, and a machine has written since, it is ended again. */
    async look() {
        const setting = await this.#find();
        if (!this.#ended || !setting || profiles_isEnded(setting.properties.profiles))
            return setting;
        await this.end();
        return this.#find();
    }
    async #find() {
        return this.#api.maybe('settings.get', `look for the autoscale setting ${this.#name}`, { path: this.#path });
    }
    /**
     * Keeps that many machines. `false`: the setting does not exist any more, or it is ended, which is final. A setting is changed, never made
     * anew, so that a removal stays a removal.
     */
    async keep(count) {
        this.#ended = false;
        const setting = this.#made ?? (await this.#find());
        if (setting === undefined || profiles_isEnded(setting.properties.profiles))
            return false;
        return this.#write(setting, `keep ${count}`, (profiles) => profiles_keeping(profiles, count));
    }
    /** Ends the group as it was last seen in a list: one call instead of the two of `end`, which may have to correct it. */
    async endAsSeen() {
        this.#ended = true;
        this.#made = undefined;
        const setting = this.#seen ?? (await this.#find());
        if (setting)
            await this.#write(setting, 'keep none', ended);
    }
    /** The twin's machines start after `wait`, unless that is postponed again. `now`: milliseconds since 1970. */
    async postpone({ wait, end }, count, now) {
        const setting = this.#made ?? (await this.#find());
        if (!setting || profiles_isEnded(setting.properties.profiles))
            return;
        await this.#write(setting, `wait for ${count}`, (profiles) => profiles_putOff(profiles, { end, count }, wait * 1000, now));
    }
    /** Keeps that many machines of a twin that has started, even if some have left since. One that has not started stays as it is. */
    async resume(count, now) {
        const setting = await this.#find();
        if (!setting || profiles_isEnded(setting.properties.profiles))
            return;
        await this.#write(setting, `keep ${count}`, (profiles) => profiles_keeping(begun(profiles, now), count));
    }
    /** Ends the group for good: afterwards nothing raises its size any more, not even a machine that is just leaving. */
    async end() {
        for (let look = 1; look <= LOOKS; look += 1) {
            const setting = await this.#find();
            if (!setting || profiles_isEnded(setting.properties.profiles))
                return;
            if (!(await this.#write(setting, 'keep none', ended)))
                return;
        }
        throw new errors/* RemoteError */.Hi(`az: the autoscale setting ${this.#name} keeps being changed by others`, { retryable: true });
    }
    /**
     * `AutoscaleSettings_Update` accepts all of `properties` (`AutoscaleSettingResourcePatch` in the vendor's specification), though its page
     * speaks only of tags. Creating would bring back what another command has removed. The vendor promises no `ETag`.
     */
    async #write({ properties: { targetResourceUri, profiles } }, what, change) {
        const tried = `have the autoscale setting ${this.#name} ${what}`;
        const body = { properties: { enabled: true, targetResourceUri, profiles: change(profiles) } };
        return (await this.#api.maybeAnswer('settings.patch', tried, { path: this.#path, body })) !== undefined;
    }
}

// EXTERNAL MODULE: ./build/js/clouds/vm/operation.js
var operation = __webpack_require__(99786);
;// CONCATENATED MODULE: ./build/js/clouds/az/operation.js


/**
 * Milliseconds for which "it does not exist" is not believed of something that was just made: the vendor's servers learn of it one after
 * the other.
 */
const YOUNG = 30_000;
/** `undefined`: the operation was over with the answer. */
function goingOn({ status, header }) {
    const named = header('azure-asyncoperation');
    if (named)
        return { address: named, bare: false };
    const location = header('location');
    return status === 202 && location ? { address: location, bare: true } : undefined;
}
/** Whether it is over. Throws a `Refusal` if the operation failed. */
async function isOver(api, { address, bare }, tried, signal) {
    const answer = await api.follow(address, `see whether it is done to ${tried}`, signal);
    if (bare)
        return answer.status !== 202;
    const { status = '', error } = answer.value;
    if (/^(?:Failed|Canceled)$/i.test(status))
        throw refusalOf(0, { error: error ?? { code: status, message: `it was ${status.toLowerCase()}` } });
    return /^Succeeded$/i.test(status);
}
function operated(api, { kind, name, signal, put, erase }) {
    let madeAt = Number.NEGATIVE_INFINITY;
    return (0,operation/* operated */.F)(operations(api), {
        kind,
        name,
        signal,
        put: async () => {
            const answer = await put();
            madeAt = performance.now();
            const outcome = answer.status === 200 ? 'found' : 'created';
            // Even if it exists already: another command may be making it right now.
            const operation = goingOn(answer);
            return operation ? { operation, outcome } : outcome;
        },
        // Another process has made it with another SSH key, of which nobody has the private half either.
        ensuredBy: async (error) => (isOtherwise(error) ? 'found' : undefined),
        erase: erasing(erase, () => performance.now() - madeAt < YOUNG),
    });
}
/** A resource that was found: it can only be removed. */
function leftover(api, { kind, name, erase }) {
    return (0,operation/* leftover */.w)(operations(api), { kind, name, erase: erasing(erase) });
}
const operations = (api) => ({
    isOver: async (going, tried, signal) => isOver(api, going, tried, signal),
    errorOf: errorOf,
    removedBy: (error) => (isGone(error) ? 'removed' : isUsed(error) ? 'pending' : undefined),
});
/** `isYoung`: whether it was just made, so that "it does not exist" may be wrong. */
function erasing(erase, isYoung = () => false) {
    // Azure has known it at least once.
    let isKnown = false;
    return async () => {
        const answer = await erase();
        if (!answer || answer.status === 204)
            return !isKnown && isYoung() ? 'pending' : 'absent';
        isKnown = true;
        return goingOn(answer) ?? 'removed';
    };
}

// EXTERNAL MODULE: ./build/js/lib/answer.js
var answer = __webpack_require__(47174);
// EXTERNAL MODULE: ./build/js/lib/reachable.js
var lib_reachable = __webpack_require__(92153);
// EXTERNAL MODULE: ./build/js/lib/shape.js
var shape = __webpack_require__(29611);
// EXTERNAL MODULE: ./build/js/wire/parse.js
var parse = __webpack_require__(13453);
// EXTERNAL MODULE: ./build/js/clouds/vm/machine-call.js
var machine_call = __webpack_require__(76255);
// EXTERNAL MODULE: ./build/js/lib/server-time.js
var server_time = __webpack_require__(33097);
;// CONCATENATED MODULE: ./build/js/clouds/az/imds.js
/**
 * What the metadata service of Azure tells about this machine, except for the tokens of `vendors/azure/login.ts`.
 * https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service
 */





const EVENTS = 'scheduledevents?api-version=2020-07-01';
/** Milliseconds: the service is on the same host. */
const imds_PATIENCE = 5_000;
/** Bytes of an answer. */
const imds_MOST = (/* unused pure expression or super */ null && (1 << 20));
const scheduled = (0,shape/* object */.Ik)({
    Events: (0,shape/* list */.p_)((0,shape/* object */.Ik)({
        EventId: (0,shape/* line */.n8)(256),
        EventType: (0,shape/* line */.n8)(64),
        Resources: (0,shape/* list */.p_)((0,shape/* line */.n8)(256), 10_000),
        EventStatus: (0,shape/* line */.n8)(64),
        NotBefore: (0,shape/* maybe */.no)((0,shape/* either */.gP)((0,shape/* line */.n8)(64), (0,shape/* oneOf */.yL)(null))),
    }), 1000),
});
/** Whether it concerns this machine. */
const isOf = ({ machine }, { Resources }) => Resources.some((name) => name.toLowerCase() === machine.toLowerCase());
/** The service's time, which events use, if its answers are dated. */
const time = new server_time/* ServerTime */.F();
/** All events of the group. Throws while there is no answer. `limits`: the very first request may take minutes. */
async function eventsOf(config, limits) {
    const { Events } = parseShape(scheduled, await askService(config, EVENTS, limits));
    return Events.map((event) => (event.NotBefore ? { ...event, NotBefore: time.here(event.NotBefore) } : event));
}
/** Tells Azure that these events may begin: it need not wait for this machine any longer. */
async function startEvents(config, ids) {
    const body = JSON.stringify({ StartRequests: ids.map((EventId) => ({ EventId })) });
    await askService(config, EVENTS, { body });
}
const instance = (0,shape/* object */.Ik)({
    compute: (0,shape/* object */.Ik)({ location: (0,shape/* line */.n8)(64), vmSize: (0,shape/* line */.n8)(64), priority: (0,shape/* maybe */.no)((0,shape/* line */.n8)(64)), zone: (0,shape/* maybe */.no)((0,shape/* line */.n8)(64)) }),
});
async function computeOf(config) {
    return parseShape(instance, await askService(config, 'instance?api-version=2021-02-01')).compute;
}
/** `undefined`: the vendor's usual address. */
const imds_metadataOf = ({ side = {} }) => side['metadata'];
async function askService(config, path, { body, ...limits } = {}) {
    const url = new URL(`/metadata/${path}`, imds_metadataOf(config) ?? METADATA);
    const headers = { metadata: 'true', 'content-type': 'application/json' };
    const how = body === undefined ? { headers } : { method: 'POST', headers, body };
    const answer = await ask(url, { ...how, patience: imds_PATIENCE, ...limits, most: imds_MOST });
    time.learn(answer.header('date'));
    return metadataIn(answer, url.pathname, imds_MOST);
}

;// CONCATENATED MODULE: ./build/js/clouds/az/machine-call.js
/** Calls of Resource Manager that a machine makes by itself, with its own identity. No SDK. */












/** Bytes of an answer. */
const LONGEST_ANSWER = (/* unused pure expression or super */ null && (4 << 20));
/** Other machines write at the same time. After so many tries the setting stays as it is, and the next machine that writes corrects it. */
const machine_call_LOOKS = 8;
const VERBS = { GET: 'read', DELETE: 'delete', PATCH: 'write' };
const fields = (0,shape/* dictionary */.zz)((0,shape/* line */.n8)(256), (value) => value, 100);
const resource = (0,shape/* object */.Ik)({ properties: fields });
const profiles = (0,shape/* object */.Ik)({ profiles: (0,shape/* list */.p_)(fields, 20) });
/** The fields of a profile that tpi reads; Azure writes numbers as text. */
const profile = (0,shape/* object */.Ik)({
    name: (0,shape/* line */.n8)(128),
    capacity: (0,shape/* object */.Ik)({ minimum: (0,shape/* line */.n8)(16), maximum: (0,shape/* line */.n8)(16), default: (0,shape/* line */.n8)(16) }),
    fixedDate: (0,shape/* maybe */.no)((0,shape/* object */.Ik)({ start: (0,shape/* line */.n8)(64), end: (0,shape/* line */.n8)(64) })),
});
class machine_call_Manager {
    #config;
    #end;
    #failure;
    /** The vendor's time, which its profiles use: this machine's own clock may be minutes off. */
    #time = new ServerTime();
    constructor(config, { patience, failure }) {
        this.#config = config;
        this.#end = performance.now() + patience;
        this.#failure = failure;
    }
    /** When patience is over, by `performance.now()`. */
    get end() {
        return this.#end;
    }
    get machine() {
        return this.#path(`Microsoft.Compute/virtualMachines/${this.#config.machine}`, '2025-04-01');
    }
    /** `set`: the name of the scale set. */
    setting(set) {
        return this.#path(`Microsoft.Insights/autoscalesettings/${set}`, '2022-10-01');
    }
    /**
     * Reads the setting, decides and writes, until nothing has to change: so the last one to write also looked last. `false`: there is no such
     * setting.
     */
    async change(set, how) {
        for (let look = 0; look < machine_call_LOOKS && (look === 0 || performance.now() < this.#end); look++) {
            const found = await this.call('GET', this.setting(set));
            if (!found)
                return false;
            const { properties } = parseShape(resource, found.text);
            const changed = await how(profilesIn(properties), this.#time.now().getTime());
            if (!changed)
                return true;
            await this.call('PATCH', this.setting(set), { body: { properties: { ...properties, profiles: changed } }, etag: found.etag });
        }
        return true;
    }
    #path(what, version) {
        const { subscription, resourceGroup } = this.#config.side ?? {};
        if (!subscription || !resourceGroup)
            throw new Error('config: subscription and resource group are missing');
        return `subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/${what}?api-version=${version}`;
    }
    /**
     * The answer. `undefined`: the resource does not exist, or has changed since it was read. Tries again while a new role does not work yet, or
     * another operation is going on.
     */
    async call(method, path, { body, etag } = {}) {
        const tryOnce = async () => {
            const headers = { ...(await this.#proof()), 'content-type': 'application/json', ...(etag && { 'if-match': etag }) };
            const how = { method, headers, ...(body && { body: JSON.stringify(body) }), most: LONGEST_ANSWER };
            const reply = await asked(rootOf(this.#config) + path, how);
            const { text } = reply;
            this.#time.learn(reply.header('date'));
            if (reply.status === 404 || reply.status === 204 || (etag && reply.status === 412))
                return undefined;
            if (text === undefined)
                throw new Error(`${reply.status} with an answer of more than ${LONGEST_ANSWER} bytes`);
            if (reply.ok)
                return { text, etag: reply.header('etag') };
            throw new Refused(reply.status, text, Number(reply.header('retry-after') ?? 0) * 1000);
        };
        const again = (error) => !(error instanceof Refused) || (error.status !== 400 && error.after);
        return await patiently(this.#end, tryOnce, again).catch((cause) => {
            const action = cause instanceof Refused && cause.status === 403 ? ` (it may not do ${actionOf(method, path)}; see: tpi permissions az)` : '';
            throw new Error(`${this.#failure}: ${messageOf(cause)}${action}`, { cause });
        });
    }
    async #proof() {
        const resource = rootOf(this.#config).replace(/\/$/, '');
        const { credentials } = await machineToken(resource, this.#config.side?.['clientId'], metadataOf(this.#config));
        return { authorization: `Bearer ${credentials.token}` };
    }
}
/** Proves that the API can be reached at all. */
async function answersAtAll(config) {
    await reachable(rootOf(config), 'the Azure Resource Manager', 'a subnet without a way out needs a NAT gateway or a public address');
}
/** Checks the profiles, and returns them with everything else that the vendor has added. */
function profilesIn(properties) {
    const all = profiles(properties).profiles;
    for (const one of all)
        profile(one);
    return all;
}
class Refused extends vm_refusal/* Refusal */.P_ {
    /** Milliseconds that the answer asks to wait. */
    after;
    constructor(status, text, after) {
        const { code, message } = refusalOf(status, (0,answer/* jsonIn */.Yf)(text));
        super((0,lib_text/* oneLine */.TN)(`${status} ${code}: ${message}`), { status, code });
        this.after = Number.isFinite(after) ? after : 0;
    }
}
/**
 * The action of a call, by a rule that all providers follow.
 * https://learn.microsoft.com/azure/role-based-access-control/resource-provider-operations
 */
function actionOf(method, path) {
    const [, provider = '', type = ''] = /\/providers\/([^/]+)\/([^/]+)/.exec(path) ?? [];
    return `${provider}/${type}/${VERBS[method] ?? method}`;
}
function rootOf({ side }) {
    return rootAt(side?.['endpoint']) ?? `${MANAGEMENT}/`;
}

;// CONCATENATED MODULE: ./build/js/clouds/az/spot-standby.js



/** Whether a machine belongs to the set: its name is the set's name, `_` and eight more characters. */
const isMember = (set, machine) => machine.toLowerCase().startsWith(`${set.toLowerCase()}_`);
/** Names of sets: this machine's own set, and the other one if there are two. */
function setsOf({ machine, side }) {
    const { group = '', twin } = side ?? {};
    if (twin === undefined)
        return { own: group };
    return isMember(twin, machine) ? { own: twin, other: group } : { own: group, other: twin };
}
/** Milliseconds by which two equal start times may differ: the vendor's have whole seconds. */
const SAME = 1000;
function standbyOf(config) {
    const twin = twinOf(config);
    if (!twin)
        return undefined;
    const { name, count, wait } = twin;
    const { own } = setsOf(config);
    const change = async (set, tried, how) => {
        const manager = new Manager(config, { patience: PATIENCE, failure: `could not ${tried}` });
        if (!(await manager.change(set, how)))
            throw new Error(`could not ${tried}: they are gone`);
    };
    return {
        wait,
        isOne: async () => own === name,
        async hold() {
            await change(name, 'put off the on-demand machines', async (profiles, now) => isEnded(profiles) || waits(profiles, now + wait - SAME) ? undefined : putOff(profiles, twin, wait, now));
        },
        async rouse() {
            if (own === name)
                return false;
            await change(name, 'start on-demand machines', async (profiles, now) => {
                if (isEnded(profiles))
                    throw new Error('could not start on-demand machines: the group has been ended');
                return keptBy(profiles, now) >= count ? undefined : roused(profiles, twin, now);
            });
            // So that no spot machine replaces this one. If it fails, one starts and finds nothing to do.
            await change(own, 'have no spot machine follow', oneLess()).catch(() => undefined);
            return true;
        },
    };
}
/** Lowers the minimum by one, and only once, however often the setting is read and written. */
function oneLess() {
    let wanted;
    return async (profiles) => {
        const least = leastOf(profiles);
        if (least === undefined)
            return undefined;
        wanted ??= Math.max(0, least - 1);
        return least <= wanted ? undefined : keeping(profiles, wanted);
    };
}

;// CONCATENATED MODULE: ./build/js/clouds/az/blueprint.js








/** What is in the resource group, for people, in the order in which it is made. */
const NOUNS = {
    walls: 'security group',
    networks: 'network',
    sets: 'scale set',
    settings: 'autoscale setting',
};
function blueprintOf(api, params, sizes, { signal, log }) {
    const { spec, group, settings, placement } = params;
    const isOwn = settings.resourceGroup === undefined;
    const inside = (noun, name, ways) => inGroup(api, { noun, name, group, isOwn, ways, signal });
    const name = (0,names/* groupName */.hv)(spec.tags);
    const kinds = kindsOf(spec);
    return [
        ...(isOwn ? [[ownGroup(api, params, signal)]] : []),
        [
            inside('walls', name, [{ body: () => wallInput(params) }]),
            ...(placement.subnet ? [] : [inside('networks', name, [{ body: () => networkInput(params) }])]),
        ],
        kinds.map((kind) => inside('sets', kind.name, [setFor(kind, params, sizes)])),
        kinds.map((kind) => inside('settings', kind.name, endingsFor(kind.name, params, sizes, log))),
    ];
}
function setFor(kind, params, sizes) {
    return {
        body: () => {
            const made = setInput(params, kind);
            sizes.knows(kind.name, { sku: made.sku });
            return made;
        },
    };
}
/** `set`: the name of the set. */
function endingsFor(set, params, sizes, log) {
    return ENDINGS.map((ending) => ({
        body: () => {
            const made = settingInput(params, set, ending);
            sizes.knows(set, { setting: made });
            return made;
        },
        accepted: () => {
            // With two sets, the user is warned only once.
            if (ending.warning !== undefined && set === (0,names/* groupName */.hv)(params.spec.tags))
                log.warn(`az: Azure did not accept the autoscale setting that ends all machines: ${ending.warning}`);
        },
    }));
}
function inGroup(api, { noun, name, group, isOwn, ways, signal }) {
    let at = 0;
    let body;
    const put = async () => {
        const way = ways[at];
        // Another try must send the same body: Azure refuses a set with another key (PropertyChangeNotAllowed).
        body ??= way?.body();
        try {
            const answer = await api.answer(`${noun}.put`, `create ${NOUNS[noun]} ${name}`, { path: { group, name }, body, signal });
            way?.accepted?.();
            return answer;
        }
        catch (error) {
            if (at + 1 === ways.length || !isOfCapacity(error))
                throw isOwn ? notYetKnown(error) : error;
            at += 1;
            body = undefined;
            return put();
        }
    };
    const made = operated(api, { kind: NOUNS[noun], name, signal, put, erase: eraser(api, noun, group, name) });
    // The one call that removes the resource group removes everything in it.
    return isOwn ? { ...made, remove: async () => 'absent' } : made;
}
function ownGroup(api, { spec, group, placement }, signal) {
    return operated(api, {
        kind: 'resource group',
        name: group,
        signal,
        put: async () => {
            const body = { location: placement.region, tags: tagsFor(spec.tags) };
            return api.answer('groups.put', `create resource group ${group}`, { path: { group }, body, signal });
        },
        erase: groupEraser(api, group),
    });
}
function eraser(api, noun, group, name) {
    const call = `${noun}.delete`;
    const query = noun === 'sets' ? { forceDeletion: 'true' } : {};
    return async () => api.maybeAnswer(call, `remove ${NOUNS[noun]} ${name}`, { path: { group, name }, query });
}
/**
 * One call removes the group with everything in it; machines are not notified.
 * https://learn.microsoft.com/rest/api/resources/resource-groups/delete
 */
function groupEraser(api, group) {
    const query = { forceDeletionTypes: 'Microsoft.Compute/virtualMachines,Microsoft.Compute/virtualMachineScaleSets' };
    return async () => api.maybeAnswer('groups.delete', `remove resource group ${group}`, { path: { group }, query });
}
/**
 * Everything of this incarnation that exists. `group`: the resource group. If it is the deployment's own, it is removed as a whole. In the user's
 * group, a machine that was removed by force may have left parts (https://github.com/MicrosoftDocs/azure-docs/issues/117342). They are found by
 * their tags, or by their names, which begin with that of their machine: a disk has no tags of its own
 * (https://github.com/hashicorp/terraform-provider-azurerm/issues/8162).
 */
async function leftoversOf(api, of, group) {
    const name = (0,names/* groupName */.hv)(of);
    if ((0,names/* isSame */.Ft)(group, name)) {
        const found = await api.maybe('groups.get', `look for resource group ${group}`, { path: { group } });
        return found ? [[leftover(api, { kind: 'resource group', name: group, erase: groupEraser(api, group) })]] : [];
    }
    const look = async (noun, ...names) => {
        const all = await Promise.all(names.map(async (one) => {
            const found = await api.maybe(`${noun}.get`, `look for ${NOUNS[noun]} ${one}`, { path: { group, name: one } });
            return found ? [leftover(api, { kind: NOUNS[noun], name: one, erase: eraser(api, noun, group, one) })] : [];
        }));
        return all.flat();
    };
    const parts = async (noun, kind) => {
        const all = await api.all(`${noun}.list`, `look for each ${kind}`, { path: { group } }).catch(noneThere);
        return all
            .filter(({ name: part = '', tags }) => isMarked(tags, of) || isMember(name, part) || isMember((0,names/* twinName */.u2)(of), part))
            .map(({ name: part = '' }) => {
            const erase = async () => api.maybeAnswer(`${noun}.delete`, `remove ${kind} ${part}`, { path: { group, name: part } });
            return leftover(api, { kind, name: part, erase });
        });
    };
    const [walls, networks, addresses, nics, disks, sets, settings] = await Promise.all([
        look('walls', name),
        look('networks', name),
        parts('addresses', 'address'),
        parts('nics', 'network interface'),
        parts('disks', 'disk'),
        look('sets', name, (0,names/* twinName */.u2)(of)),
        look('settings', name, (0,names/* twinName */.u2)(of)),
    ]);
    return [[...walls, ...networks], addresses, [...nics, ...disks], sets, settings].filter((stage) => stage.length > 0);
}

// EXTERNAL MODULE: ./build/js/clouds/vm/doctor.js
var doctor = __webpack_require__(47168);
// EXTERNAL MODULE: ./build/js/clouds/vm/names.js
var vm_names = __webpack_require__(70839);
// EXTERNAL MODULE: ./build/js/clouds/vm/container-engine.js
var container_engine = __webpack_require__(99427);
// EXTERNAL MODULE: ./build/js/clouds/vm/faults.js
var vm_faults = __webpack_require__(10510);
// EXTERNAL MODULE: ./build/js/clouds/vm/image-name.js
var image_name = __webpack_require__(53336);
// EXTERNAL MODULE: ./build/js/clouds/vm/region.js
var region = __webpack_require__(28035);
// EXTERNAL MODULE: ./build/js/clouds/vm/reservation.js
var vm_reservation = __webpack_require__(44465);
// EXTERNAL MODULE: ./build/js/lib/sha256.js
var sha256 = __webpack_require__(41923);
// EXTERNAL MODULE: ./build/js/clouds/vm/identity.js
var vm_identity = __webpack_require__(11541);
// EXTERNAL MODULE: ./build/js/clouds/az/permissions.js + 1 modules
var permissions = __webpack_require__(11498);
// EXTERNAL MODULE: ./build/js/core/bucket-expiry.js
var bucket_expiry = __webpack_require__(1514);
;// CONCATENATED MODULE: ./build/js/clouds/az/store.js
/** The storage account of a subscription and region: all deployments share it, each below its own prefix. */






async function storeAccess(api, env) {
    return accessTo((0,names/* accountName */.vi)(await api.subscription(), api.region), api, env);
}
/** The stores of other regions. https://learn.microsoft.com/rest/api/storagerp/storage-accounts/list-by-resource-group */
async function otherStores(api, env) {
    const subscription = await api.subscription();
    const tried = 'look for storage accounts of other regions';
    const found = await api.all('accounts.list', tried, { path: { group: names/* SHARED */.SG } }).catch(noneThere);
    const own = (0,names/* accountName */.vi)(subscription, api.region);
    const ours = found.filter(({ name, location = '' }) => name === (0,names/* accountName */.vi)(subscription, location));
    return ours.flatMap(({ name = '' }) => (name === own ? [] : [accessTo(name, api, env)]));
}
/** The region of an account of the subscription, in whichever resource group it is. */
async function locationOf(api, account) {
    const query = { $filter: "resourceType eq 'Microsoft.Storage/storageAccounts'" };
    const all = await api.all('resources.list', `look for storage account ${account}`, { query });
    return all.find(({ name }) => name === account)?.location;
}
function accessTo(account, api, env) {
    return {
        url: `az://${account}/${names/* CONTAINER */.MR}`,
        settings: (0,storage/* addressSettings */.C1)(env['AZURE_STORAGE_SERVICE_ENDPOINT'] || undefined),
        source: (0,storage/* forStore */.n5)(api.storage()),
    };
}
/** It is made once and never removed with a deployment. */
function storageResource(api, account, signal) {
    return { ...(0,storage/* sharedStorage */.lA)({ ...ours(api, account), make: async () => make(api, account), signal }), pace: 1000 };
}
/** The container is made last: if it exists, everything does. */
function ours(api, account) {
    const path = { group: names/* SHARED */.SG, account, container: names/* CONTAINER */.MR };
    return {
        kind: 'storage account',
        name: account,
        isOurs: async () => (await api.maybe('containers.get', `look for storage account ${account}`, { path })) !== undefined,
    };
}
/** Repeating a step changes nothing: if a command is killed between two steps, the next one does the rest. */
async function make(api, account) {
    const path = { group: names/* SHARED */.SG, account, container: names/* CONTAINER */.MR };
    const found = await api.maybe('accounts.get', `look for storage account ${account}`, { path });
    if (!found) {
        await ensureSharedGroup(api);
        const body = accountInput(api.region);
        try {
            const answer = await api.answer('accounts.put', `create storage account ${account}`, { path, body });
            if (goingOn(answer))
                return 'pending';
        }
        catch (error) {
            if (await isBeingMade(api, account, error))
                return 'pending';
            throw TAKEN.test(String(error)) ? foreign(account, error) : notYetKnown(error);
        }
    }
    else if (found.properties?.provisioningState !== undefined && found.properties.provisioningState !== 'Succeeded')
        return 'pending';
    await api.call('accounts.expiry', `set the expiry of storage account ${account}`, { path, body: EXPIRES });
    await api.call('containers.put', `create container ${names/* CONTAINER */.MR} of ${account}`, { path, body: { properties: { publicAccess: 'None' } } });
    return 'created';
}
/** Codes: https://learn.microsoft.com/rest/api/storagerp/srp_error_codes_common */
const TAKEN = /AlreadyTaken|AlreadyExists/;
/** The first run of somebody else in this subscription has just begun to make it. */
async function isBeingMade(api, account, error) {
    if (/StorageAccountOperationInProgress|exclusive access/i.test(String(error)))
        return true;
    if (!TAKEN.test(String(error)))
        return false;
    return (await api.maybe('accounts.get', `look for storage account ${account}`, { path: { group: names/* SHARED */.SG, account } })) !== undefined;
}
/** The resource group of everything that deployments share. It may be in any region: its contents can be elsewhere. */
async function ensureSharedGroup(api) {
    const path = { group: names/* SHARED */.SG };
    if (await api.maybe('groups.get', `look for resource group ${names/* SHARED */.SG}`, { path }))
        return;
    await api
        .call('groups.put', `create resource group ${names/* SHARED */.SG}`, { path, body: { location: api.region } })
        .catch(async (error) => {
        // Another command has just made it, in another region.
        if (!(await api.maybe('groups.get', `look for resource group ${names/* SHARED */.SG}`, { path })))
            throw error;
    });
}
/** Only tokens, only https, no public access. https://learn.microsoft.com/rest/api/storagerp/storage-accounts/create */
const accountInput = (location) => ({
    location,
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    properties: {
        accessTier: 'Hot',
        allowBlobPublicAccess: false,
        allowSharedKeyAccess: false,
        defaultToOAuthAuthentication: true,
        minimumTlsVersion: 'TLS1_2',
        supportsHttpsTrafficOnly: true,
    },
});
/** https://learn.microsoft.com/azure/storage/blobs/lifecycle-management-policy-structure: parts of an interrupted upload expire after a week. */
const EXPIRES = {
    properties: {
        policy: {
            rules: [
                {
                    name: 'tpi',
                    enabled: true,
                    type: 'Lifecycle',
                    definition: {
                        filters: { blobTypes: ['blockBlob'], prefixMatch: [`${names/* CONTAINER */.MR}/tpi-`] },
                        actions: { baseBlob: { delete: { daysAfterModificationGreaterThan: bucket_expiry/* EXPIRY */.G } } },
                    },
                },
            ],
        },
    },
};
function foreign(account, cause) {
    if (cause instanceof errors/* RemoteError */.Hi)
        return cause;
    return new errors/* InputError */.dz(`storage: the account ${account} belongs to somebody else`, {
        cause,
        hint: 'name another one: --storage az://ACCOUNT/CONTAINER',
    });
}

;// CONCATENATED MODULE: ./build/js/clouds/az/identity.js
/**
 * The identity of machines: the one that the user named, or tpi's own for all deployments. Somebody who may assign roles makes that one once for a
 * subscription, with its rights.
 * https://learn.microsoft.com/azure/role-based-access-control/custom-roles ;
 * https://learn.microsoft.com/rest/api/authorization/role-assignments/create
 */







async function makeShared(api) {
    const subscription = await api.subscription();
    // The assignment names both, so both must exist.
    const [identity, role] = await Promise.all([identityOf(api), roleOf(api, subscription)]);
    const scope = `/subscriptions/${subscription}`;
    const properties = {
        roleDefinitionId: `${scope}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
        principalId: identity.properties?.principalId ?? '',
        principalType: 'ServicePrincipal',
    };
    const ask = { path: { assignment: guid(`${scope} ${properties.principalId} ${role}`) }, body: { properties } };
    const give = async () => api.call('assignments.put', `give ${names/* MACHINE_IDENTITY */.XH} its role`, ask).then(() => 'created', (error) => {
        // The same assignment exists, perhaps under another name.
        if ((0,vm_refusal/* refusalIn */.c3)(error)?.code !== 'RoleAssignmentExists')
            throw error;
        return 'found';
    });
    // The directory does not know a new identity everywhere at once: https://learn.microsoft.com/azure/role-based-access-control/troubleshooting
    return (0,vm_identity/* onceKnown */.t)(give);
}
async function identityOf(api) {
    const path = { group: names/* SHARED */.SG, identity: names/* MACHINE_IDENTITY */.XH };
    const found = await api.maybe('identities.get', `look for the identity ${names/* MACHINE_IDENTITY */.XH}`, { path });
    if (found)
        return found;
    await ensureSharedGroup(api);
    return api.call('identities.put', `create the identity ${names/* MACHINE_IDENTITY */.XH}`, { path, body: { location: api.region } });
}
/** Makes or updates the role of machines; its id. Names of roles are unique in the tenant, so one of that name is tpi's. */
async function roleOf(api, subscription) {
    const { machine: roleName } = (0,permissions.rolesOf)(subscription);
    const query = { $filter: `roleName eq '${roleName}'` };
    const [found] = await api.all('roles.list', `look for the role ${roleName}`, { query });
    const role = found?.name ?? guid(roleName);
    const properties = {
        roleName,
        description: permissions.MACHINE_ROLE,
        type: 'CustomRole',
        permissions: [{ actions: permissions.MACHINE_ACTIONS, notActions: [], dataActions: permissions.DATA, notDataActions: [] }],
        assignableScopes: [`/subscriptions/${subscription}`],
    };
    await api.call('roles.put', `set what the role ${roleName} may do`, { path: { role }, body: { properties } });
    return role;
}
/** A GUID derived from the text: the same text gives the same GUID. */
function guid(text) {
    const hash = (0,sha256/* sha256 */.s)(text.toLowerCase());
    return [hash.slice(0, 8), hash.slice(8, 12), `5${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-');
}
const IDENTITY = /^\/subscriptions\/([^/\s]+)\/resourceGroups\/([^/\s]+)\/providers\/Microsoft\.ManagedIdentity\/userAssignedIdentities\/([^/\s]+)$/i;
/** The identity of a run's machines. Throws if there is none. */
async function chosenIdentity(api, own, permissionSet) {
    const id = permissionSet ?? (0,names/* identityId */.Kf)(own);
    const [, subscription = own, group = '', identity = ''] = IDENTITY.exec(id) ?? [];
    const found = await api.maybe('identities.get', `look for the identity ${identity}`, { path: { subscription, group, identity } });
    const { clientId: client, principalId: principal = '' } = found?.properties ?? {};
    if (found?.id && client)
        return { id: found.id, client, principal };
    const hint = permissionSet === undefined
        ? 'make it with what "tpi permissions az" prints, or name another one'
        : 'check its id: az identity show --query id';
    throw new errors/* InputError */.dz([{ option: 'permission-set', message: `there is no identity ${identity} in the group ${group}`, hint }]);
}

// EXTERNAL MODULE: ./build/js/clouds/az/machine-types.js
var machine_types = __webpack_require__(1924);
;// CONCATENATED MODULE: ./build/js/clouds/az/image-name.js


const market = (publisher, offer, x86, arm) => (arch) => ({ publisher, offer, sku: arch === 'arm64' ? arm : x86, version: 'latest' });
/**
 * https://documentation.ubuntu.com/azure/azure-how-to/instances/find-ubuntu-images/ · https://wiki.debian.org/Cloud/MicrosoftAzure ·
 * https://learn.microsoft.com/azure/virtual-machines/azure-hpc-vm-images (with the driver, CUDA and docker)
 */
const NAMED = {
    ubuntu: market('Canonical', 'ubuntu-24_04-lts', 'server', 'server-arm64'),
    'ubuntu-24.04': market('Canonical', 'ubuntu-24_04-lts', 'server', 'server-arm64'),
    'ubuntu-22.04': market('Canonical', '0001-com-ubuntu-server-jammy', '22_04-lts-gen2', '22_04-lts-arm64'),
    debian: market('Debian', 'debian-13', '13-gen2', '13-arm64'),
    nvidia: market('microsoft-dsvm', 'ubuntu-hpc', '2204', '2204'),
};
function driverFaults(image, types) {
    const [kind, instead] = Object.entries(machine_types/* NO_DRIVER */.vp).find(([one]) => types.some((type) => hasKind(type, one))) ?? [];
    if (kind === undefined || (image ?? 'nvidia') !== 'nvidia')
        return [];
    return [(0,image_name/* noDriver */.cN)(types[0] ?? '', kind.toUpperCase(), `name ${instead}, or take another GPU, such as t4 or a100`)];
}
/** Names of newer sizes have their GPU in them. */
const hasKind = (type, kind) => type.toLowerCase().split('_').includes(kind) || machine_types/* CATALOGUE */.yh.some(({ name, gpu }) => name === type && gpu?.kind === kind);
/** TPI had `user@` before it and `#plan` behind it. Nobody logs in any more, and the plan is looked up: both are ignored. */
const URN = /^(?:[^@/\s]+@)?([^:/\s]+):([^:/\s]+):([^:/\s]+):([^:/\s#]+)(?:#plan)?$/;
const OWN = /^\/subscriptions\/([^/\s]+)\/resourceGroups\/([^/\s]+)\/providers\/Microsoft\.Compute\/(?:galleries\/([^/\s]+)\/)?images\/([^/\s]+)(?:\/versions\/[^/\s]+)?$/i;
/** `undefined`: this is not a name of an image; `imageFaults` says so. */
function imageQuery(text, arch) {
    const named = Object.hasOwn(NAMED, text) ? NAMED[text] : undefined;
    if (named)
        return named(arch);
    const [, publisher, offer, sku, version] = URN.exec(text) ?? [];
    if (publisher !== undefined && offer !== undefined && sku !== undefined && version !== undefined)
        return { publisher, offer, sku, version };
    const [, subscription, group, gallery, image] = OWN.exec(text) ?? [];
    if (subscription === undefined || group === undefined || image === undefined)
        return undefined;
    return { id: text, path: { subscription, group, image, ...(gallery !== undefined && { gallery }) }, gallery: gallery !== undefined };
}
const image_name_WORDS = {
    vendor: 'Azure',
    named: Object.keys(NAMED),
    others: 'PUBLISHER:OFFER:SKU:VERSION, or the id of an image or of one in a gallery (/subscriptions/…)',
};
function imageFaults(text, arch) {
    return text === undefined ? [] : (0,image_name/* imageNameFaults */.W)(image_name_WORDS, text, imageQuery(text, arch) !== undefined, arch);
}

;// CONCATENATED MODULE: ./build/js/clouds/az/faults.js










/** A profile with dates has at most 365 days, and begins some minutes before the run. https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings */
const LIFE = { days: 364, limit: "Azure's autoscale looks ahead at most" };
/**
 * Most machines of a set that has more than one placement group.
 * https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-orchestration-modes
 */
const faults_MOST = 1000;
const STORAGE = { vendor: 'Azure', noun: 'a container of Blob Storage', such: 'az://ACCOUNT/CONTAINER/PREFIX' };
/** No zone has to be named: the group of the reservation says in which ones it is. */
const RESERVATION = {
    right: /^(?:\/subscriptions\/[^/\s]+\/resourceGroups\/[^/\s]+\/providers\/Microsoft\.Compute\/capacityReservationGroups\/[^/\s]+|[^/\s]+\/[^/\s]+)$/i,
    such: 'GROUP/NAME, or the whole id of a capacity reservation group',
};
function reservedFaults({ reservation }, { size, spot }) {
    return (0,vm_reservation/* reservationFaults */.E)(RESERVATION, { reservation, size, spot, placed: true }, (one) => (0,sizes.typesOf)(one, false));
}
/** `storage`: as the user gave it. */
function faultsOf(spec, storage) {
    return [...requestFaults(spec), ...tagFaults(spec.tags), ...countFaults(spec), ...(0,vm_faults/* storageFaults */.D)(spec.tags, storage, STORAGE, LIFE)];
}
function requestFaults(request) {
    const spot = request.spot.want !== 'never';
    const { arch, types = [] } = (0,sizes.typesOf)(request.size, spot) ?? {};
    return [
        ...(0,region/* faultsOfRegion */.rX)(settings/* REGIONS */.ij, request.region),
        ...(0,sizes.sizeFaults)(request.size, spot),
        ...(arch === undefined ? [] : imageFaults(request.image, arch)),
        ...(0,container_engine/* engineFaults */.E)(request, (0,image_name/* usualImage */.Y8)((0,sizes.hasGpu)({ types }))),
        ...driverFaults(request.image, types),
        ...identityFaults(request),
    ];
}
function identityFaults(request) {
    const hint = 'write its id: az identity show --name NAME --resource-group GROUP --query id';
    const faults = (0,vm_faults/* permissionFaults */.$)(request, { right: IDENTITY, noun: 'a user-assigned identity', hint });
    if (!request.permissionSet?.includes(','))
        return faults;
    return faults.map((fault) => ({ ...fault, message: 'machines get one identity, and several were given' }));
}
function countFaults({ tags: { count } }) {
    if (count <= faults_MOST)
        return [];
    return [{ option: 'parallelism', message: `a scale set has at most ${faults_MOST} machines`, hint: 'ask for fewer' }];
}

;// CONCATENATED MODULE: ./build/js/clouds/az/permission-check.js


async function callerCheck(api) {
    const what = 'permissions';
    const all = await api.all('permissions.list', 'look at your permissions').catch((0,errors/* ifDenied */.F4)(undefined));
    // Not everything is missing: the caller may only not ask.
    if (!all)
        return {
            what,
            state: 'warning',
            says: 'which permissions you have cannot be seen',
            hint: 'tpi permissions az prints what is needed, and why',
        };
    const may = (action, allowed, denied) => all.some((one) => (one[allowed] ?? []).some((like) => fits(like, action)) && !(one[denied] ?? []).some((like) => fits(like, action)));
    const wanted = (0,permissions.callerActions)();
    const missing = [
        ...wanted.filter((action) => !may(action, 'actions', 'notActions')),
        ...permissions.DATA.filter((action) => !may(action, 'dataActions', 'notDataActions')),
    ];
    if (missing.length === 0)
        return `you have all ${wanted.length + permissions.DATA.length} that tpi uses, in the whole subscription`;
    const more = missing.length > 4 ? ` and ${missing.length - 4} more` : '';
    return {
        what,
        // They may have been granted only in a resource group.
        state: 'warning',
        says: `in the subscription as a whole, you lack ${missing.slice(0, 4).join(', ')}${more}`,
        hint: 'give what "tpi permissions az" prints, or name the resource group in which you have them: --resource-group NAME',
    };
}
/** `*` matches anything. https://learn.microsoft.com/azure/role-based-access-control/role-definitions#actions-format */
function fits(like, action) {
    const parts = like.split('*').map((part) => part.replace(/[.\\/^$+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`, 'i').test(action);
}

// EXTERNAL MODULE: ./build/js/clouds/vm/sizes.js
var vm_sizes = __webpack_require__(29945);
;// CONCATENATED MODULE: ./build/js/clouds/az/availability.js
/** The sizes that the subscription may use in the region, and their capabilities. */





const can = ({ capabilities = [] }, name) => capabilities.find((one) => one.name === name)?.value;
const isTrue = (sku, name) => /^true$/i.test(can(sku, name) ?? '');
/** Its local disks: whether it has a resource disk, and whether it has NVMe disks. */
const localOf = (sku) => ['MaxResourceVolumeMB', 'NvmeDiskSizeInMiB'].map((name) => Number(can(sku, name) ?? 0) > 0);
/**
 * What all sizes of one set must have in common: local disks, the disk interface, and whether premium disks are allowed.
 * https://learn.microsoft.com/azure/virtual-machine-scale-sets/instance-mix-overview
 */
function disksOf(sku) {
    const local = localOf(sku);
    const interfaces = (can(sku, 'DiskControllerTypes') ?? 'SCSI').split(/\s*,\s*/).sort();
    return JSON.stringify([local, interfaces, isTrue(sku, 'PremiumIO')]);
}
/** https://learn.microsoft.com/rest/api/compute/resource-skus/list */
async function soldIn(api, { region, zone, oneZone }, asked, { spot, scratch }) {
    const all = await api.all('skus.list', `look for sizes in ${region}`, { query: { $filter: `location eq '${region}'` } });
    const skus = new Map(all.flatMap((sku) => (sku.resourceType === 'virtualMachines' && sku.name ? [[sku.name.toLowerCase(), sku]] : [])));
    const wanted = zone?.split('-').at(-1);
    const sold = asked.types
        .flatMap((type) => skus.get(type.toLowerCase()) ?? [])
        .filter((sku) => wanted === undefined || isBarred(sku) || allZonesOf(sku).includes(wanted));
    const isFree = (sku) => !isBarred(sku) && (wanted === undefined || zonesOf(sku).includes(wanted));
    const free = sold.filter(isFree);
    const fit = free.filter((sku) => !spot || isTrue(sku, 'LowPriorityCapable'));
    const [first] = fit;
    if (!first)
        throw notSold({ asked, place: zone ?? region, isSold: sold.length > 0, isFree: free.length > 0 });
    const plain = scratch ? fit.filter((sku) => !localOf(sku).includes(true)).flatMap(({ name }) => name ?? []) : [];
    if (plain.length > 0)
        throw new errors/* InputError */.dz([(0,vm_sizes/* noLocalDisk */.oN)('Azure', plain, 'name other sizes')]);
    const types = fit.flatMap(({ name }) => name ?? []);
    const used = (0,sizes.mixes)(types) ? fit.filter((sku) => disksOf(sku) === disksOf(first)) : [first];
    const shared = zonesOf(first).filter((one) => used.every((sku) => zonesOf(sku).includes(one)));
    const open = oneZone ? anyOf(shared) : [...shared].sort();
    return {
        choice: { ...asked, types: used.flatMap(({ name }) => name ?? []) },
        zones: wanted === undefined ? open : [wanted],
        sizes: used.map((sku) => ({ name: sku.name ?? '', family: sku.family ?? '', cpu: Number(can(sku, 'vCPUs') ?? 1) })),
        trusted: used.every((sku) => /V2/.test(can(sku, 'HyperVGenerations') ?? '') && !isTrue(sku, 'TrustedLaunchDisabled')),
    };
}
/** A random zone: a start that is repeated because there was no room will usually try another one. */
const anyOf = (zones) => (zones.length > 0 ? [zones[(0,external_node_crypto_.randomInt)(zones.length)] ?? ''] : []);
const allZonesOf = ({ locationInfo = [] }) => locationInfo.flatMap(({ zones = [] }) => zones);
/** Zones in which the subscription may use it. */
function zonesOf(sku) {
    const closed = (sku.restrictions ?? []).flatMap(({ type, restrictionInfo }) => (type === 'Zone' ? (restrictionInfo?.zones ?? []) : []));
    return allZonesOf(sku).filter((one) => !closed.includes(one));
}
/** The subscription may not use it in the whole region. */
const isBarred = ({ restrictions = [] }) => restrictions.some(({ type }) => type === 'Location');
function notSold({ asked, place, isSold, isFree }) {
    const names = (0,lib_text/* listed */.KE)(asked.types.slice(0, 4));
    if (isFree)
        return new errors/* InputError */.dz([
            { option: 'spot', message: `${names} is not offered as a spot machine`, hint: 'name another size, or write "spot: false"' },
        ]);
    if (isSold)
        return new errors/* InputError */.dz([
            {
                option: 'machine',
                message: `your subscription is not allowed to use ${names} in ${place}`,
                hint: 'ask Azure for access (portal, Quotas), or give another size or region',
            },
        ]);
    return new errors/* InputError */.dz([
        {
            option: 'machine',
            message: `${names} is not available in ${place}`,
            hint: 'give other sizes or another region, or check the spelling',
        },
    ]);
}

;// CONCATENATED MODULE: ./build/js/clouds/az/image.js
/** The image that machines start from, and its properties. */



async function imageOf(api, text, arch) {
    const query = imageQuery(text, arch);
    if (!query)
        throw new errors/* InputError */.dz(`image: "${text}" is not an image of Azure`);
    return 'id' in query ? ownImage(api, text, arch, query) : marketImage(api, text, arch, query);
}
async function marketImage(api, text, arch, { publisher, offer, sku, version }) {
    const tried = `look for the image ${text}`;
    const path = { publisher, offer, sku, location: api.region };
    // All machines of a group use the same version, including those that start later.
    const newest = version === 'latest' ? (await api.maybe('market.list', tried, { path, query: NEWEST }))?.[0] : undefined;
    const chosen = version === 'latest' ? newest?.name : version;
    if (chosen === undefined)
        throw missing(text, api.region);
    const image = isWhole(newest) ? newest : await api.maybe('market.get', tried, { path: { ...path, version: chosen } });
    if (!image)
        throw missing(text, api.region);
    const { architecture, hyperVGeneration, osDiskImage, plan, features = [] } = image.properties ?? {};
    const { sizeInGb: size } = (osDiskImage ?? {});
    image_fits(text, architecture, arch);
    return {
        reference: { publisher, offer, sku, version: chosen },
        name: `${publisher}:${offer}:${sku}:${chosen}`,
        ...(size !== undefined && { gigabytes: size }),
        trusted: hyperVGeneration === 'V2' && isTrusted(features),
        ...(plan && { plan: { name: plan.name, product: plan.product, publisher: plan.publisher } }),
    };
}
/** https://learn.microsoft.com/powershell/module/az.compute/get-azvmimage#-expand */
const NEWEST = { $top: '1', $orderby: 'name desc', $expand: 'properties' };
/** Whether a list has included all that is needed of an image: the vendor does not promise it. */
function isWhole(image) {
    const { architecture, hyperVGeneration, features } = image?.properties ?? {};
    return architecture !== undefined && hyperVGeneration !== undefined && features !== undefined;
}
async function ownImage(api, text, arch, { id, path, gallery }) {
    const image = await api.maybe(gallery ? 'gallery.get' : 'images.get', `look for the image ${text}`, { path });
    if (!image)
        throw missing(text, api.region);
    const { architecture, hyperVGeneration, features = [], storageProfile } = image.properties ?? {};
    image_fits(text, architecture, arch);
    return {
        reference: { id },
        name: id,
        ...(storageProfile?.osDisk?.diskSizeGB !== undefined && { gigabytes: storageProfile.osDisk.diskSizeGB }),
        // An image that was made from a machine does not say it.
        trusted: gallery && hyperVGeneration === 'V2' && isTrusted(features),
    };
}
/** https://learn.microsoft.com/azure/virtual-machines/trusted-launch-faq */
const isTrusted = (features) => features.some(({ name, value = '' }) => name === 'SecurityType' && value.startsWith('TrustedLaunch'));
function image_fits(text, architecture, arch) {
    const own = architecture === undefined ? arch : /arm/i.test(architecture) ? 'arm64' : 'x86_64';
    if (own !== arch)
        throw (0,image_name/* ofOtherArch */.EC)(`"${text}"`, own, arch);
}
const missing = (text, region) => new errors/* InputError */.dz([{ option: 'image', message: `"${text}" does not exist in ${region}, or you may not use it`, hint: 'name another one' }]);

;// CONCATENATED MODULE: ./build/js/clouds/az/locks.js
/**
 * Locks: under one, nobody can remove a machine, not even Azure's autoscale at the deadline.
 * https://learn.microsoft.com/azure/azure-resource-manager/management/lock-resources
 */


/** Throws if there is a lock where machines would be: in the user's resource group, or in the subscription. */
async function refuseLocked(api, { resourceGroup: group }) {
    // Without the filter, the answer also has the locks of every resource below.
    const query = { $filter: 'atScope()' };
    const asked = group === undefined
        ? api.all('locks.list', 'look for locks of the subscription', { query })
        : api.all('locks.ofGroup', `look for locks of ${group}`, { path: { group }, query });
    const [lock] = await asked.catch((0,errors/* ifDenied */.F4)([])).catch(noneThere);
    if (!lock)
        return;
    const { name = '', properties } = lock;
    const inherited = !/\/resourceGroups\//i.test(lock.id ?? '');
    throw new errors/* InputError */.dz([
        {
            option: inherited ? 'azure-subscription' : 'resource-group',
            message: `${inherited ? 'the subscription' : group} has the lock "${name}" (${properties?.level ?? 'ReadOnly'}): machines could not be removed, and would cost money even after their deadline`,
            hint: `name another one, or have the lock removed: az lock list${group === undefined ? '' : ` --resource-group ${group}`}`,
        },
    ]);
}

;// CONCATENATED MODULE: ./build/js/clouds/az/placement.js








/** Throws with everything that is wrong at once. */
async function placementOf(api, settings, request) {
    const spot = request.spot.want !== 'never';
    const asked = (0,sizes.typesOf)(request.size, spot);
    if (!asked)
        throw new errors/* InputError */.dz('machine: not a size of Azure');
    const subscription = await api.subscription();
    const [sold, image, subnet, identity] = await (0,cloud/* allFaults */.$z)([
        soldIn(api, settings, asked, { spot, scratch: request.size.scratch === true }),
        imageOf(api, request.image ?? (0,image_name/* usualImage */.Y8)((0,sizes.hasGpu)(asked)), asked.arch),
        subnetOf(api, settings),
        chosenIdentity(api, subscription, request.permissionSet),
        refuseLocked(api, settings),
    ]);
    return { subscription, region: settings.region, ...sold, image, identity, ...(subnet && { subnet }) };
}
const placement_SUBNET = /^(?:\/subscriptions\/([^/]+)\/resourceGroups\/)?([^/]+)\/(?:providers\/Microsoft\.Network\/virtualNetworks\/)?([^/]+)\/(?:subnets\/)?([^/]+)$/i;
async function subnetOf(api, { subnet: text }) {
    if (text === undefined)
        return undefined;
    const [, subscription, group = '', network = '', subnet = ''] = placement_SUBNET.exec(text) ?? [];
    const path = { group, network, subnet, ...(subscription !== undefined && { subscription }) };
    const found = await api.maybe('subnets.get', `look for subnet ${text}`, { path });
    if (!found?.id)
        throw new errors/* InputError */.dz([{ option: 'azure-subnet', message: `there is no subnet "${text}"`, hint: 'write GROUP/NETWORK/SUBNET' }]);
    // A route table of the user's own is assumed to lead out, by an appliance.
    return { id: found.id, nat: found.properties?.natGateway?.id !== undefined || found.properties?.routeTable?.id !== undefined };
}

;// CONCATENATED MODULE: ./build/js/clouds/az/doctor.js











async function examine(api, settings, request, store) {
    return (0,doctor/* examined */.uC)({
        who: [
            'subscription',
            async () => {
                const { subscription, caller } = await api.names();
                return `${subscription} in ${settings.region}, as ${caller}`;
            },
        ],
        faults: [...requestFaults(request), ...reservedFaults(settings, request)],
        placement: async () => placementOf(api, settings, request),
        choice: ({ choice, zones }) => ({ types: choice.types, zones: Math.max(zones.length, 1) }),
        local: request.size.scratch,
        of: (placement) => ({
            image: async () => `${(0,vm_names/* last */.HV)(placement.image.name)}${placement.trusted && placement.image.trusted ? ', by trusted launch' : ''}`,
            identity: async () => identityCheck(api, placement),
            'way out': async () => wayOut(settings, placement),
            quota: async () => quota(api, placement, request),
        }),
        besides: {
            providers: async () => providers(api),
            permissions: async () => callerCheck(api),
            ...(settings.resourceGroup !== undefined && { 'resource group': async () => groupCheck(api, settings.resourceGroup ?? '') }),
            ...(store === 'own' && {
                'storage account': async () => (0,storage/* storageCheck */.ke)(ours(api, (0,names/* accountName */.vi)(await api.subscription(), api.region))),
            }),
        },
    });
}
async function providers(api) {
    const asked = await Promise.all(permissions.PROVIDERS.map(async (namespace) => ({
        namespace,
        state: (await api.maybe('providers.get', `look at ${namespace}`, { path: { namespace } }))?.registrationState ?? 'NotRegistered',
    })));
    const missing = asked.filter(({ state }) => state !== 'Registered').map(({ namespace }) => namespace);
    if (missing.length === 0)
        return `all ${permissions.PROVIDERS.length} that are needed are registered`;
    return {
        what: 'providers',
        state: 'fault',
        says: `${(0,lib_text/* listed */.KE)(missing, 'and')} ${missing.length === 1 ? 'is' : 'are'} not registered`,
        hint: missing.map((namespace) => `az provider register --namespace ${namespace}`).join(' && '),
    };
}
/**
 * Whether the machines' identity has a role in the subscription or below it.
 * https://learn.microsoft.com/rest/api/authorization/role-assignments/list-for-subscription
 */
async function identityCheck(api, { identity: { id, principal } }) {
    const name = (0,vm_names/* last */.HV)(id);
    const query = { $filter: `principalId eq '${principal}'` };
    const given = await api.all('assignments.list', `look for roles of ${name}`, { query }).catch((0,errors/* ifDenied */.F4)(undefined));
    if (!given)
        return `machines are ${name}; whether it has a role cannot be seen`;
    if (given.length > 0)
        return `machines are ${name}, which has a role`;
    return {
        what: 'identity',
        // The identity may get its role through a group of the directory.
        state: 'warning',
        says: `machines are ${name}, which has no role of its own: they could not use their storage, nor leave their group`,
        hint: 'give it what "tpi permissions az" prints, or have it made: tpi permissions az --apply',
    };
}
async function groupCheck(api, group) {
    if (await api.maybe('groups.get', `look for resource group ${group}`, { path: { group } }))
        return `${group} is there`;
    return {
        what: 'resource group',
        state: 'fault',
        says: `there is no ${group}`,
        hint: `az group create --name ${group} --location ${api.region}`,
    };
}
/** Machines download their program from Blob Storage and leave the group by Resource Manager, so they need a way out. */
function wayOut({ publicAddress }, { subnet }) {
    if (subnet?.nat)
        return `a NAT gateway or a route of your own in ${(0,vm_names/* last */.HV)(subnet.id)}: machines need no public address`;
    if (publicAddress !== false)
        return 'a public address for each machine';
    return {
        what: 'way out',
        state: 'warning',
        says: 'machines have no public address, and no NAT gateway was found',
        hint: 'give --azure-subnet one that has a NAT gateway, or leave --public-address out',
    };
}
async function quota(api, placement, { spot, count }) {
    const all = await api.all('usages.list', `look at quotas of ${api.region}`, { path: { location: api.region } });
    return (0,doctor/* quotasOf */.hw)(spot.want, async (market) => quotaSays(all, placement, market, count));
}
/** Every size of a set needs its own quota: https://learn.microsoft.com/azure/virtual-machines/quotas */
function quotaSays(all, { sizes }, spot, count) {
    const shared = spot ? 'lowPriorityCores' : 'cores';
    const families = spot ? [] : sizes.map(({ family }) => family);
    const usageOf = (name) => all.find((one) => one.name?.value?.toLowerCase() === name.toLowerCase());
    const seen = [...new Set([...families, shared])].flatMap((name) => usageOf(name) ?? []);
    if (seen.length === 0)
        return `not known for ${(0,lib_text/* listed */.KE)(sizes.map(({ name }) => name))}`;
    const says = (0,lib_text/* listed */.KE)(seen.map((one) => `${one.name?.value ?? ''} ${one.currentValue ?? 0} of ${one.limit ?? 0}`), 'and');
    const short = sizes
        .flatMap(({ name, family, cpu }) => [...(spot ? [] : [family]), shared].map((of) => ({ name, cpu, usage: usageOf(of) })))
        .find(({ cpu, usage }) => usage && (usage.limit ?? 0) - (usage.currentValue ?? 0) < cpu * count);
    if (!short)
        return says;
    const of = short.usage?.name?.value ?? '';
    return {
        what: 'quota',
        state: 'fault',
        says: `${says}: ${(0,doctor/* needs */.eN)(short.name, short.cpu, count)} of ${of}`,
        hint: `ask for more: portal, Quotas, Compute, ${of}`,
    };
}

;// CONCATENATED MODULE: ./build/js/clouds/az/list.js


const groupIn = (id) => /\/resourceGroups\/([^/]+)/i.exec(id ?? '')?.[1] ?? '';
/**
 * Lists every kind of resource that tpi makes: a command that was killed halfway may have left only a resource group, or a network in the
 * user's group. Each service is asked for its own resources, because a list of all resources by tag lacks their tags, and is some time behind
 * (https://learn.microsoft.com/rest/api/resources/resources/list#uri-parameters).
 */
async function foundGroups(api, tell, id) {
    const tagged = { $filter: `tagName eq '${names/* TAG */.Dk.incarnation}'` };
    const [groups, walls, networks, settings, sets] = await Promise.all([
        api.all('groups.list', 'look for resource groups', { query: tagged }),
        api.all('walls.list', 'look for security groups'),
        api.all('networks.list', 'look for networks'),
        api.all('settings.list', 'look for autoscale settings'),
        api.all('sets.list', 'look for scale sets'),
    ]);
    const all = new Map();
    const add = (thing, own = {}) => {
        const tags = tagsOf(thing.tags, tell);
        // Anybody can write tags. The name says the same, and only the maker can have given it.
        if (!tags || !list_isOf(tags, thing.name) || (id !== undefined && tags.id !== id))
            return;
        const name = (0,names/* groupName */.hv)(tags);
        const before = all.get(name);
        const up = before?.phase === 'up' || own.sets?.some(({ sku }) => (sku?.capacity ?? 0) > 0) === true;
        all.set(name, {
            tags,
            group: groupIn(thing.id),
            phase: up ? 'up' : 'stopped',
            settings: [...(before?.settings ?? []), ...(own.settings ?? [])],
            sets: [...(before?.sets ?? []), ...(own.sets ?? [])],
        });
    };
    for (const thing of [...groups, ...walls, ...networks])
        add(thing);
    for (const setting of settings)
        add(setting, { settings: [setting] });
    for (const set of sets)
        add(set, { sets: [set] });
    return [...all.values()];
}
const list_isOf = (tags, name) => (0,names/* isSame */.Ft)(name, (0,names/* groupName */.hv)(tags)) || (0,names/* isSame */.Ft)(name, (0,names/* twinName */.u2)(tags));
/** The resource group in which something bears the tag of this incarnation. */
async function groupOf(api, incarnation) {
    const query = { $filter: `tagName eq '${names/* TAG */.Dk.incarnation}' and tagValue eq '${incarnation}'` };
    const [first] = await api.all('resources.list', 'look for what is tagged', { query });
    return first && groupIn(first.id);
}

// EXTERNAL MODULE: ./build/js/core/cloud.js
var core_cloud = __webpack_require__(7325);
// EXTERNAL MODULE: ./build/js/clouds/vm/sightings.js
var sightings = __webpack_require__(88627);
// EXTERNAL MODULE: ./build/js/clouds/vm/twin-looks.js
var twin_looks = __webpack_require__(28724);
;// CONCATENATED MODULE: ./build/js/clouds/az/observe.js
/** A group as people and the engine see it: the machines of its sets, what the vendor did in plain words. */















/** Milliseconds before the first look from which failures are told. */
const BACK = 60 * 60_000;
/** Milliseconds by which an entry of the vendor's log may be late: what is older than the newest entry by more than this has been read. */
const LATE = 15 * 60_000;
/** Pages of the log that one look reads, newest first: in a shared resource group, others fill it too. */
const PAGES = 5;
/** Milliseconds until the removal of the same machine is requested again. */
const AGAIN = 60_000;
/** What one controller has seen of one incarnation. */
class Watch {
    #api;
    #of;
    #name;
    #group;
    #sizes;
    /** The name of the twin, once it is known that there is one: before that, it is not read. */
    #twin;
    #seen = new sightings/* Sightings */.lL();
    #twinLooks = new twin_looks/* TwinLooks */.b();
    #since = new Date(Date.now() - BACK);
    /** At the last look, all wanted machines were there: the vendor's log has nothing to explain. */
    #calm = false;
    /** Machines that will never work again. */
    #useless = new Map();
    /** The change of size that is still going on. */
    #going;
    constructor(api, of, group, sizes) {
        this.#api = api;
        this.#of = of;
        this.#name = (0,names/* groupName */.hv)(of);
        this.#group = group;
        this.#sizes = sizes;
    }
    /** `going`: a change of size. If it fails, that becomes an event. */
    expects(going) {
        this.#going = going;
    }
    tell(code, message, at) {
        this.#seen.fail(reasonOf(code, message), at);
    }
    /** The current sets and machines, without reporting or changing anything. */
    async present() {
        return this.#all(async (name) => this.#part(name), async (looks) => Promise.all([looks.first(), looks.twin(false)]));
    }
    async look() {
        const [parts, said] = await Promise.all([
            this.#all(async (name, briefly) => this.#kept(name, briefly), async (looks) => this.#twinLooks.look({ ...looks, isFull, isUp })),
            this.#calm ? [] : this.#log(),
            this.#follow(),
        ]);
        if (parts.length === 0)
            return core_cloud/* ABSENT */.sj;
        const machines = parts.flatMap((part) => part.machines);
        const lost = this.#seen.lost(new Set(machines.map(({ name }) => name ?? '')));
        const [wanted, places] = [sum(parts.map(wantedOf)), sum(parts.map(placesOf))];
        const calm = lost.length === 0 && machines.length >= wanted;
        const log = this.#calm && !calm ? await this.#log() : said;
        this.#calm = calm;
        for (const happening of log)
            this.#tellTry(happening);
        for (const machine of machines)
            this.#see(machine);
        await Promise.all(machines.map(async (machine) => this.#clear(machine)));
        const isSpot = (id) => parts.some(({ set }) => isMember(set.name ?? '', id) && isOfSpot(set));
        for (const id of lost)
            this.#lose(id, log, isSpot(id));
        return this.#seen.observation(wanted, places, this.#twin !== undefined);
    }
    /** Looks at the sets of the deployment. The first tells whether it has a twin; if it is gone, the twin is looked for by name. */
    async #all(look, both) {
        const known = this.#twin;
        const [first, second] = await both({
            first: async () => look(this.#name, false),
            twin: async (briefly) => (known === undefined ? undefined : look(known, briefly)),
        });
        const name = known ?? (first ? first.set.tags?.[names/* TAG */.Dk.twin] : (0,names/* twinName */.u2)(this.#of));
        const twin = known === undefined && name !== undefined ? await look(name, false) : second;
        if (first || twin)
            this.#twin = name;
        return [first, twin].filter((part) => part !== undefined);
    }
    /** A set with its setting. `briefly`: if its size is 0, nothing else is read. */
    async #kept(name, briefly) {
        const set = briefly ? await this.#set(name) : undefined;
        if (briefly && (set?.sku?.capacity ?? 0) === 0)
            return set && { set, machines: [], setting: undefined };
        const [part, setting] = await Promise.all([this.#part(name, set), this.#sizes.keeper(name).look()]);
        return part && { ...part, setting };
    }
    /** `known`: the set, if it was just read. */
    async #part(name, known) {
        const [set, machines] = await Promise.all([known ?? this.#set(name), this.#machines(name)]);
        return set && { set, machines };
    }
    #see(machine) {
        const { name = '', zones = [], properties: { timeCreated, instanceView, provisioningState = '' } = {} } = machine;
        const before = this.#seen.get(name);
        const startedAt = (0,sightings/* isoOf */.dF)(timeCreated);
        const statuses = instanceView?.statuses ?? [];
        if (!before) {
            const where = zones.length > 0 ? `zone ${zones.join(', ')}` : this.#api.region;
            this.#seen.eventLog.say(`start ${name}`, { at: startedAt ?? (0,sightings/* now */.tB)(), kind: 'info', text: `machine ${name} starts in ${where}` });
        }
        for (const { code = '', message } of statuses) {
            const failed = /^ProvisioningState\/failed\/(.+)$/i.exec(code)?.[1];
            if (failed !== undefined)
                this.tell(failed, message ?? '');
        }
        this.#seen.see(name, stateOf(provisioningState, statuses, before), { startedAt });
    }
    /**
     * Removes a machine that will never work again, because the set replaces it only then. If that is refused, the reason becomes an
     * event.
     */
    async #clear({ name = '', properties: { instanceView, provisioningState = '' } = {} }) {
        const why = uselessBy(provisioningState, instanceView?.statuses ?? []);
        const before = this.#useless.get(name);
        if (why === undefined || (before !== undefined && Date.now() - before.askedAt < AGAIN))
            return;
        this.#useless.set(name, { why, askedAt: Date.now() });
        this.#seen.eventLog.say(`clear ${name}`, {
            at: (0,sightings/* now */.tB)(),
            kind: 'info',
            text: `machine ${name} ${why}: it is removed, and its place is free`,
        });
        const ask = { path: { group: this.#group, machine: name }, query: { forceDeletion: before === undefined ? undefined : 'true' } };
        await this.#api.maybeAnswer('machines.delete', `remove machine ${name}`, ask).catch((error) => this.tell('', (0,lib_text/* messageOf */.bD)(error)));
    }
    #lose(id, log, spot) {
        const of = log.filter(({ resourceId }) => (0,vm_names/* last */.HV)(resourceId).toLowerCase() === id.toLowerCase());
        const useless = this.#useless.get(id);
        // If this process removed it, the vendor's log says no more than that. The reason is what was seen here.
        const end = useless
            ? { text: `it ${useless.why}`, kind: 'failure' }
            : endOf(of.map(({ operationName }) => operationName?.value ?? ''), spot);
        this.#seen.lose(id, end, (0,sightings/* isoOf */.dF)(of[0]?.eventTimestamp));
    }
    #tellTry({ status, properties, resourceId, eventTimestamp }) {
        const names = [this.#name, this.#twin].filter((name) => name !== undefined);
        if (status?.value !== 'Failed' || !names.some((name) => resourceId?.toLowerCase().includes(name)))
            return;
        const [code, message] = saidIn(properties?.statusMessage ?? '');
        if (code !== '' || message !== '')
            this.tell(code, message, (0,sightings/* isoOf */.dF)(eventTimestamp));
    }
    async #set(name) {
        return this.#api.maybe('sets.get', `look for scale set ${name}`, { path: { group: this.#group, name } });
    }
    /** https://learn.microsoft.com/rest/api/compute/virtual-machines/list: machines of a Flexible set are ordinary virtual machines. */
    async #machines(name) {
        const set = `/subscriptions/${await this.#api.subscription()}/resourceGroups/${this.#group}/providers/Microsoft.Compute/virtualMachineScaleSets/${name}`;
        return this.#api
            .all('machines.list', `look at machines of ${name}`, {
            path: { group: this.#group },
            query: { $filter: `'virtualMachineScaleSet/id' eq '${set}'`, $expand: 'instanceView' },
        })
            .catch(noneThere);
    }
    /** The vendor's log, newest first, and some minutes late. It only explains: if it cannot be read, the look goes on without it. */
    async #log() {
        const found = await this.#api
            .all('log.list', `look at what group ${this.#name} did`, {
            pages: PAGES,
            query: {
                $filter: `eventTimestamp ge '${this.#since.toISOString()}' and resourceGroupName eq '${this.#group}'`,
                $select: 'eventTimestamp,operationName,status,resourceId,properties',
            },
        })
            .catch(() => []);
        const newest = Math.max(...found.map(({ eventTimestamp }) => Date.parse((0,sightings/* isoOf */.dF)(eventTimestamp) ?? '') || 0));
        this.#since = new Date(Math.max(this.#since.getTime(), newest - LATE));
        return found;
    }
    /** Tells why the change of size failed, if it did. An operation that Azure no longer knows tells nothing. */
    async #follow() {
        const going = this.#going;
        if (!going)
            return;
        const isDone = await isOver(this.#api, going, `change the size of ${this.#name}`).catch((error) => {
            // Azure does not answer for the moment: the next look asks again.
            if ((0,errors/* isRetryable */.r3)(error))
                return false;
            if (error instanceof vm_refusal/* Refusal */.P_)
                this.tell(error.code, error.message);
            return true;
        });
        if (isDone && this.#going === going)
            this.#going = undefined;
    }
}
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
const isOfSpot = ({ properties }) => properties?.virtualMachineProfile?.priority === 'Spot';
const wantedOf = ({ set, setting }) => (setting ? profiles_keptBy(setting.properties.profiles, Date.now()) : (set.sku?.capacity ?? 0));
const isUp = (kept) => wantedOf(kept) > 0 || placesOf(kept) > 0 || (kept.set.sku?.capacity ?? 0) > 0;
function isFull(kept) {
    const isAtWork = ({ properties: { instanceView, provisioningState = '' } = {} }) => stateOf(provisioningState, instanceView?.statuses ?? [], undefined) === 'running';
    return kept.machines.length > 0 && placesOf(kept) === wantedOf(kept) && kept.machines.every(isAtWork);
}
/** Places in the set that are taken: while it is being changed, machines may be on their way that cannot be seen yet. */
function placesOf({ set, machines }) {
    const changing = set.properties?.provisioningState === 'Updating';
    return changing ? Math.max(machines.length, set.sku?.capacity ?? 0) : machines.length;
}
const why = { code: (0,shape/* maybe */.no)((0,shape/* line */.n8)(256)), message: (0,shape/* maybe */.no)((0,shape/* text */.Qq)(65_536)) };
const observe_answer = (0,shape/* object */.Ik)({
    error: (0,shape/* object */.Ik)({ ...why, details: (0,shape/* maybe */.no)((0,shape/* list */.p_)((0,shape/* object */.Ik)(why), 100)) }),
});
/** An entry of the vendor's log holds an answer as text. The cause is the first of its details; what is around it only says that something failed. */
function saidIn(said) {
    try {
        const { error } = (0,parse/* parseShape */.Tr)(observe_answer, said);
        const { code = '', message = '' } = error.details?.find((one) => one.message !== undefined) ?? error;
        return [code, message];
    }
    catch {
        return ['', said.slice(0, 1000)];
    }
}
/** https://learn.microsoft.com/azure/virtual-machines/states-billing */
function powerOf(statuses) {
    return statuses.map(({ code = '' }) => /^PowerState\/(\w+)$/i.exec(code)?.[1]?.toLowerCase()).find((one) => one !== undefined);
}
/**
 * Why a machine will never work again, for people; `undefined`: it may. One that is off still has its place in the set, and is billed; one
 * that could not be made has its place, too (https://gitlab.com/gitlab-org/fleeting/plugins/azure/-/issues/12). A machine that is on works,
 * even if the last operation on it failed.
 */
function uselessBy(provisioning, statuses) {
    const power = powerOf(statuses);
    if (/^Deleting$/i.test(provisioning))
        return undefined;
    if (power === 'stopped' || power === 'deallocated')
        return 'was found switched off';
    return /^Failed$/i.test(provisioning) && statuses.length > 0 && power === undefined ? 'could not be made' : undefined;
}
function stateOf(provisioning, statuses, before) {
    const power = powerOf(statuses);
    if (/^Deleting$/i.test(provisioning))
        return 'leaving';
    if (power === 'running')
        return 'running';
    if (power !== undefined && /^(?:stopp|dealloc)/.test(power))
        return 'leaving';
    return before?.state === 'running' ? 'running' : 'starting';
}

// EXTERNAL MODULE: ./build/js/clouds/vm/price.js
var price = __webpack_require__(83158);
;// CONCATENATED MODULE: ./build/js/clouds/az/price.js





const LIST = 'https://prices.azure.com/api/retail/prices';
/** Variable with another address of the list, for tests. */
const price_ELSEWHERE = 'AZURE_RETAIL_PRICES_URL';
const LINE = (0,shape/* line */.n8)(4096);
const price_answer = (0,shape/* object */.Ik)({
    Items: (0,shape/* list */.p_)((0,shape/* object */.Ik)({ retailPrice: (0,shape/* number */.ai)(0, 1e6), unitOfMeasure: LINE, skuName: LINE, productName: LINE, currencyCode: LINE }), 1000),
});
class Prices {
    #context;
    #known = new once/* Once */.a();
    constructor(context) {
        this.#context = context;
    }
    /** Throws if the price is unknown because the list could not be asked. */
    async quote(offer, spot) {
        const trouble = [];
        const [full, market] = await Promise.all([this.#all(offer, 'full', trouble), this.#all(offer, 'spot', trouble)]);
        return (0,price/* quoteDespite */.j5)(trouble[0], spot, full, market?.first);
    }
    /** USD per hour of the dearest machine that exists, else of the first that may come. `undefined`: unknown. */
    async now(parts) {
        const inUse = parts.filter(({ machines }) => machines.length > 0);
        const asked = inUse.length > 0 ? inUse : parts.slice(0, 1);
        return (0,price/* fullOf */.Dx)(await Promise.all(asked.map(async (part) => this.#ofSet(part))))?.most;
    }
    async #ofSet({ set: { location: region = '', sku, properties }, machines }) {
        const there = machines.flatMap((machine) => machine.properties?.hardwareProfile?.vmSize ?? []);
        const wanted = properties?.skuProfile?.vmSizes?.flatMap(({ name }) => name ?? []) ?? (sku?.name === undefined ? [] : [sku.name]);
        const types = [...new Set(there.length > 0 ? there : wanted)];
        const prices = await this.#all({ region, types }, properties?.virtualMachineProfile?.priority === 'Spot' ? 'spot' : 'full');
        return there.length > 0 ? prices?.most : prices?.first;
    }
    /** `trouble` gets the error if a price could not be asked for. */
    async #all({ region, types }, market, trouble = []) {
        const prices = await Promise.all(types.map(async (type) => this.#of(region, type, trouble)));
        return (0,price/* fullOf */.Dx)(prices.map((price) => price?.[market]));
    }
    async #of(region, type, trouble) {
        return this.#known
            .get(`${region} ${type}`, async () => this.#ask(region, type))
            .catch((error) => {
            this.#context.log.debug(`the price of ${type} is not known: ${(0,lib_text/* messageOf */.bD)(error)}`);
            trouble.push(error);
            return undefined;
        });
    }
    async #ask(region, type) {
        const url = new URL(this.#context.env[price_ELSEWHERE] || LIST);
        const facts = { serviceName: 'Virtual Machines', armRegionName: region, armSkuName: type, priceType: 'Consumption' };
        const filter = Object.entries(facts).map(([name, value]) => `${name} eq '${value}'`);
        url.searchParams.set('$filter', filter.join(' and '));
        const hourly = (0,parse/* parseShape */.Tr)(price_answer, await (0,price/* askPriceList */.pd)(url)).Items.filter(({ unitOfMeasure, productName, currencyCode }) => unitOfMeasure === '1 Hour' && currencyCode === 'USD' && !/Windows/.test(productName));
        const least = (of) => {
            const prices = hourly.filter(({ skuName, retailPrice }) => of(skuName) && retailPrice > 0).map(({ retailPrice }) => retailPrice);
            return prices.length === 0 ? undefined : Math.min(...prices);
        };
        return { full: least((sku) => !/ (?:Spot|Low Priority)$/.test(sku)), spot: least((sku) => sku.endsWith(' Spot')) };
    }
}

;// CONCATENATED MODULE: ./build/js/clouds/az/scale.js







class GroupSizes {
    #api;
    #context;
    #name;
    #twin;
    /** Resource group. */
    #group;
    #keepers;
    #skus = new Map();
    #seen = new Map();
    constructor(api, of, group, context) {
        this.#api = api;
        this.#context = context;
        this.#name = (0,names/* groupName */.hv)(of);
        this.#twin = (0,names/* twinName */.u2)(of);
        this.#group = group;
        this.#keepers = new Map([this.#name, this.#twin].map((name) => [name, new Keeper(api, name, group)]));
    }
    keeper(set) {
        const found = this.#keepers.get(set);
        if (!found)
            throw new Error(`az: ${this.#name} has no scale set ${set}`);
        return found;
    }
    /** Remembers what this process has just made, so that it need not be read. */
    knows(set, { setting, sku }) {
        if (setting)
            this.keeper(set).knows(setting);
        if (sku)
            this.#skus.set(set, sku);
    }
    /** Remembers what a list says: that is enough to end the sets, whatever has happened to them since. */
    saw(settings, sets) {
        for (const setting of settings)
            this.#keepers.get(setting.name?.toLowerCase() ?? '')?.saw(setting);
        for (const { name = '', sku } of sets)
            if (sku)
                this.#seen.set(name.toLowerCase(), sku);
    }
    /** Scales both sets to 0. The setting comes first: whatever happens to a set afterwards, its setting brings it to 0. */
    async end() {
        this.#skus.clear();
        await Promise.all([...this.#keepers].map(async ([set, keeper]) => {
            const [, sku] = await Promise.all([keeper.endAsSeen(), this.#seen.get(set) ?? this.#sku(set)]);
            // Also ends it again if somebody has written meanwhile.
            await Promise.all([sku && this.#resize(set, 0, sku), keeper.end()]);
        }));
    }
    /** The twin gets its date only now: machines that start before everything is ready would find nothing to do. */
    async start(spec, follower) {
        this.#context.signal.throwIfAborted();
        const { count } = spec.tags;
        const plan = (0,spot_standby/* standbyPlan */.Lp)(spec);
        await Promise.all([this.#grow(count, follower, plan), plan && this.#wake(count, plan)]);
    }
    /** Grows both sets, even if another command made them. A twin that has started grows by its setting, which goes on trying while there is no room. */
    async resume(count, follower) {
        const now = this.#context.clock.date().getTime();
        await Promise.all([this.#grow(count, follower), this.keeper(this.#twin).resume(count, now)]);
    }
    async #grow(count, follower, plan) {
        const set = this.#name;
        const keep = async () => {
            if (!(await this.keeper(set).keep(count)))
                throw new errors/* RemoteError */.Hi(`az: group ${set} does not exist, or has been ended`);
        };
        const raise = async (sku) => {
            const answer = await this.#resize(set, count, sku).catch(async (error) => {
                // The setting goes on trying while there is no room.
                if (!(error instanceof errors/* CapacityError */.hG || (await this.#isOnlyOfSpot(error, plan))))
                    throw error;
                follower.tell('', (0,lib_text/* messageOf */.bD)(error));
                return undefined;
            });
            follower.expects(answer && goingOn(answer));
        };
        const made = this.#skus.get(set);
        this.#skus.delete(set);
        // This process has just made both, so neither has to be read. Otherwise the setting first tells whether the group was ended.
        if (made)
            await Promise.all([keep(), raise(made)]);
        else
            await raise((await Promise.all([this.#sku(set), keep()]))[0]);
    }
    /** Whether Azure refuses only spot machines, and those at full price may still come. It refuses a set above its quota at once. */
    async #isOnlyOfSpot(error, plan) {
        if (!(error instanceof errors/* TpiError */.at && reasonOf('', (0,lib_text/* messageOf */.bD)(error)).spotOnly))
            return false;
        return plan !== undefined || (await this.#sku(this.#twin)) !== undefined;
    }
    async #wake(count, plan) {
        const now = this.#context.clock.date().getTime();
        await this.keeper(this.#twin).postpone(plan, count, now);
        (0,spot_standby/* tellStandby */.lB)(this.#context.log, (0,spot_standby/* standbyStart */.MU)(now, plan.wait * 1000, plan.end), plan.end);
    }
    async #sku(set) {
        const path = { group: this.#group, name: set };
        return (await this.#api.maybe('sets.get', `look for scale set ${set}`, { path }))?.sku;
    }
    /** Sends the whole SKU with the new number, as the vendor's own clients do. */
    async #resize(set, count, sku) {
        const ask = { path: { group: this.#group, name: set }, body: { sku: { ...sku, capacity: count } } };
        return this.#api.maybeAnswer('sets.patch', `scale group ${set} to ${count}`, ask);
    }
}

;// CONCATENATED MODULE: ./build/js/clouds/az/index.js

















async function az_open(context) {
    return new Azure(context, (0,settings/* settingsOf */.f5)(context));
}
/** The vendor does not promise how soon a look shows a change; seconds are usual. */
const SETTLING = 5000;
/** Milliseconds to read a console. */
const CONSOLE = 30_000;
/** Bytes of a console: the script may write to it as much as it likes. */
const LONGEST_CONSOLE = 4 << 20;
const UNREADABLE = 'its console cannot be read yet';
const VENDOR = {
    place: placementOf,
    archOf: ({ choice }) => choice.arch,
    faultsOf: faultsOf,
    requestFaults: requestFaults,
    reservedFaults: reservedFaults,
    regionOf: locationOf,
    bucket: storageResource,
    access: async (keeper, { env }) => storeAccess(keeper, env),
};
class Azure extends cloud/* MachineCloud */.zS {
    settling = SETTLING;
    #prices;
    #groups = new Map();
    constructor(context, settings) {
        super(context, settings, VENDOR, (0,cloud/* apisOf */.nF)(context, settings, Api));
        this.#prices = new Prices(context);
    }
    reopened(context, region) {
        return new Azure(context, (0,settings/* settingsOf */.f5)(context, region));
    }
    async whoami() {
        const { subscription, caller } = await this.api.names();
        return { name: `subscription ${subscription} (${caller}, ${this.settings.region})` };
    }
    async otherStores() {
        return this.settings.named ? [] : otherStores(this.keeper, this.context.env).catch((0,storage/* ownAlone */.Wf)(this.context.log));
    }
    async blueprint(spec) {
        const endpoint = this.api.otherRoot();
        const { resourceGroup: group, sizes } = this.#group(spec.tags);
        const [placement, { settings: storage }] = await Promise.all([this.placement(spec), this.store('')]);
        this.#tellZone(placement);
        const params = { spec, settings: this.settings, placement, group, ...(storage && { storage }), ...(endpoint && { endpoint }) };
        return blueprintOf(this.api, params, sizes, this.context);
    }
    /** Logs the chosen zone, because Azure does not name the zone that has no room. */
    #tellZone({ region, zones: [zone] }) {
        const { oneZone, zone: named } = this.settings;
        if (!oneZone || named !== undefined || zone === undefined)
            return;
        this.context.log.info(`all machines of the gang start in one zone, ${region}-${zone}: if it has no room for them, start again for any other, or name one as region`);
    }
    /**
     * Looks in the resource group that this command takes for the run's. If nothing is there, it looks in the run's own one, or if that was it,
     * where something has the run's tag.
     */
    async leftovers(of) {
        const { resourceGroup } = this.#group(of);
        const here = await leftoversOf(this.api, of, resourceGroup);
        if (here.length > 0)
            return here;
        const other = (0,names/* isSame */.Ft)(resourceGroup, (0,names/* groupName */.hv)(of)) ? await groupOf(this.api, of.incarnation) : (0,names/* groupName */.hv)(of);
        return other === undefined ? [] : leftoversOf(this.api, of, other);
    }
    /** In a resource group of its own, nothing else can appear later. In a shared one, machines may still leave parts behind. */
    steadyLeftovers(of) {
        return (0,names/* isSame */.Ft)(this.#group(of).resourceGroup, (0,names/* groupName */.hv)(of));
    }
    async start(spec) {
        const { sizes, watch } = this.#group(spec.tags);
        return sizes.start(spec, watch);
    }
    async resume(of, count) {
        const { sizes, watch } = this.#group(of);
        return sizes.resume(count, watch);
    }
    async end(of) {
        return this.#group(of).sizes.end();
    }
    async observe(of) {
        return this.#group(of).watch.look();
    }
    /** Lists all regions at once: a subscription has one list for all of them. */
    async list(lost, id) {
        const all = await foundGroups(this.api, this.leftOut(lost, id), id);
        for (const { tags, group, settings, sets } of all)
            this.#place(tags, group).sizes.saw(settings, sets);
        return all.map(({ tags, phase }) => ({ tags, phase }));
    }
    async whySilent(of, machine) {
        const { resourceGroup: group } = this.#group(of);
        const said = await this.api.maybe('machines.console', `read the console of ${machine}`, { path: { group, machine } });
        if (!said?.serialConsoleLogBlobUri)
            return UNREADABLE;
        const { ok, text } = await (0,http/* ask */.kA)(said.serialConsoleLogBlobUri, { signal: this.context.signal, patience: CONSOLE, most: LONGEST_CONSOLE });
        if (!ok)
            return UNREADABLE;
        return text === undefined ? 'its console is too long to be read' : (0,cloud/* consoleSays */.aP)(text);
    }
    async price(of) {
        return this.#prices.now(await this.#group(of).watch.present());
    }
    async quote(request) {
        const { choice, region, subnet, zones } = await this.placement(request);
        const quote = await this.#prices.quote({ region, types: choice.types }, request.spot);
        return quote && { ...quote, reach: { addressed: this.settings.publicAddress ?? !subnet?.nat, zones: zones.length } };
    }
    async establish() {
        const made = await makeShared(this.api);
        const subscription = await this.api.subscription();
        const said = (0,cloud/* established */.b5)(`identity ${names/* MACHINE_IDENTITY */.XH} of subscription ${subscription}`, made);
        return [said, ...(0,permissions.besidesLines)(subscription, this.context.values)].join('\n');
    }
    async doctor(request, store) {
        return examine(this.api, this.settings, request, store);
    }
    #group(of) {
        return this.#groups.get((0,names/* groupName */.hv)(of)) ?? this.#place(of, this.settings.resourceGroup ?? (0,names/* groupName */.hv)(of));
    }
    #place(of, resourceGroup) {
        const known = this.#groups.get((0,names/* groupName */.hv)(of));
        if (known && (0,names/* isSame */.Ft)(known.resourceGroup, resourceGroup))
            return known;
        const sizes = new GroupSizes(this.api, of, resourceGroup, this.context);
        const group = { resourceGroup, sizes, watch: new Watch(this.api, of, resourceGroup, sizes) };
        this.#groups.set((0,names/* groupName */.hv)(of), group);
        return group;
    }
}


/***/ }),

/***/ 1924:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   By: () => (/* binding */ GPU_KINDS),
/* harmony export */   dy: () => (/* binding */ isBurstable),
/* harmony export */   vp: () => (/* binding */ NO_DRIVER),
/* harmony export */   wk: () => (/* binding */ RETIRED),
/* harmony export */   yh: () => (/* binding */ CATALOGUE)
/* harmony export */ });
const COMMON = [2, 4, 8, 16, 32, 48, 64];
const MEMORY = [2, 4, 8, 16, 20, 32, 48, 64];
/** The oldest first. */
const FAMILIES = [
    { name: ['F', 's_v2'], ratio: 2, cpus: [2, 4, 8, 16, 32, 48, 64, 72], local: true },
    { name: ['D', 's_v3'], ratio: 4, cpus: COMMON, local: true },
    { name: ['D', 's_v4'], ratio: 4, cpus: COMMON },
    { name: ['D', 'as_v5'], ratio: 4, cpus: [...COMMON, 96] },
    { name: ['D', 's_v5'], ratio: 4, cpus: [...COMMON, 96] },
    { name: ['D', 'ads_v5'], ratio: 4, cpus: [...COMMON, 96], local: true },
    { name: ['D', 'ds_v5'], ratio: 4, cpus: [...COMMON, 96], local: true },
    { name: ['E', 's_v4'], ratio: 8, most: 504, cpus: MEMORY },
    { name: ['E', 'as_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96] },
    { name: ['E', 's_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96] },
    { name: ['E', 'ads_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96], local: true },
    { name: ['E', 'ds_v5'], ratio: 8, most: 672, cpus: [...MEMORY, 96], local: true },
    { name: ['D', 'pls_v5'], arch: 'arm64', ratio: 2, cpus: COMMON },
    { name: ['D', 'ps_v5'], arch: 'arm64', ratio: 4, most: 208, cpus: COMMON },
    { name: ['D', 'pds_v5'], arch: 'arm64', ratio: 4, most: 208, cpus: COMMON, local: true },
    { name: ['E', 'ps_v5'], arch: 'arm64', ratio: 8, most: 208, cpus: [2, 4, 8, 16, 20, 32] },
    // Only the sizes that the earlier families of ARM do not have.
    { name: ['D', 'ps_v6'], arch: 'arm64', ratio: 4, cpus: [64, 96] },
];
/** Name · vCPUs · memory in GiB. They are never on the spot market. https://learn.microsoft.com/azure/virtual-machines/spot-vms#limitations */
const BURSTABLE = [
    ['B1s', 1, 1],
    ['B1ms', 1, 2],
    ['B2s', 2, 4],
];
/** Name · vCPUs · memory in GiB · kind of GPU · number of GPUs. https://learn.microsoft.com/azure/virtual-machines/sizes/overview#gpu-accelerated */
const GPUS = [
    ['ND40rs_v2', 40, 672, 'v100', 8],
    ['NC4as_T4_v3', 4, 28, 't4', 1],
    ['NC8as_T4_v3', 8, 56, 't4', 1],
    ['NC16as_T4_v3', 16, 110, 't4', 1],
    ['NC64as_T4_v3', 64, 440, 't4', 4],
    ['NV36ads_A10_v5', 36, 440, 'a10', 1],
    ['NV72ads_A10_v5', 72, 880, 'a10', 2],
    ['NC24ads_A100_v4', 24, 220, 'a100', 1],
    ['NC48ads_A100_v4', 48, 440, 'a100', 2],
    ['NC96ads_A100_v4', 96, 880, 'a100', 4],
    ['ND96amsr_A100_v4', 96, 1900, 'a100', 8],
    ['ND96asr_v4', 96, 900, 'a100-40gb', 8],
    ['NC40ads_H100_v5', 40, 320, 'h100', 1],
    ['NC80adis_H100_v5', 80, 640, 'h100', 2],
    ['ND96isr_H100_v5', 96, 1900, 'h100', 8],
    ['ND96isr_H200_v5', 96, 1850, 'h200', 8],
];
/**
 * Kinds of GPU that Azure no longer has → the closest replacement.
 * NVv3 (M60): https://learn.microsoft.com/azure/virtual-machines/sizes/lifecycle/retirements-and-capacity-restrictions ·
 * NC (K80), NCv2 (P100), ND (P40): https://learn.microsoft.com/azure/virtual-machines/sizes/lifecycle/retirement/n-series-migration
 */
const RETIRED = { k80: 't4', m60: 't4', p40: 't4', p100: 'a100' };
/**
 * Kinds of GPU for which the image "nvidia" has no driver, and what has one. Some need NVIDIA's GRID driver, even if a machine gets a whole one:
 * https://github.com/Azure/azhpc-images/issues/398 · https://learn.microsoft.com/azure/virtual-machines/linux/n-series-driver-setup
 * V100 needs NVIDIA's closed kernel modules: https://github.com/Azure/azhpc-images (README.md, components/install_nvidiagpudriver.sh)
 */
const NO_DRIVER = {
    a10: 'an image with the GRID driver for Azure',
    rtxpro6000bse: 'an image with the GRID driver for Azure',
    v100: 'microsoft-dsvm:ubuntu-hpc:2204-v100:latest',
};
const named = (name) => `Standard_${name}`;
const CATALOGUE = [
    ...BURSTABLE.map(([name, cpu, memoryGiB]) => ({ name: named(name), arch: 'x86_64', cpu, memoryGiB, local: true })),
    ...FAMILIES.flatMap(({ name: [before, after], arch = 'x86_64', ratio, most = Infinity, cpus, local = false }) => cpus.map((cpu) => ({ name: named(`${before}${cpu}${after}`), arch, cpu, memoryGiB: Math.min(cpu * ratio, most), local }))),
    ...GPUS.map(([name, cpu, memoryGiB, kind, count]) => ({
        name: named(name),
        arch: 'x86_64',
        cpu,
        memoryGiB,
        local: true,
        gpu: { kind, count },
    })),
].map((facts, rank) => ({ ...facts, rank }));
const GPU_KINDS = [...new Set(CATALOGUE.flatMap(({ gpu }) => gpu?.kind ?? []))];
const isBurstable = (name) => /^standard_b\d/i.test(name);


/***/ }),

/***/ 19715:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   hasGpu: () => (/* binding */ hasGpu),
/* harmony export */   mixes: () => (/* binding */ mixes),
/* harmony export */   sizeFaults: () => (/* binding */ sizeFaults),
/* harmony export */   typesOf: () => (/* binding */ typesOf)
/* harmony export */ });
/* harmony import */ var _core_size_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(75367);
/* harmony import */ var _vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(29945);
/* harmony import */ var _machine_types_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1924);



/** Most sizes of one set. https://learn.microsoft.com/azure/virtual-machine-scale-sets/instance-mix-overview */
const MOST_MIXED = 5;
const MIXED = /^standard_[abdef]\d/i;
const NATIVE = /^standard_[a-z]+\d[a-z0-9_-]*$/;
/**
 * A `p` among the letters after the number: https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions · GB200 and GB300 have processors
 * of ARM without it: https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/nd-gb200-v6-series
 */
const ARM = /^standard_[a-z]+\d+[a-z]*p|_gb\d00_/i;
/**
 * Sizes with a GPU of NVIDIA, even those that are not in the list: their family says so.
 * https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions
 */
const WITH_GPU = /^standard_n[cdv](?!.*_(?:mi300x|v710)_)/i;
/** Whether machines have a GPU of NVIDIA. */
const hasGpu = ({ types }) => types.some((type) => WITH_GPU.test(type));
/** Several sizes can share a set only if all are of these families. */
const mixes = (types) => types.length > 1 && types.every((name) => MIXED.test(name));
/** `undefined`: there is no such machine; `sizeFaults` says why. `spot`: on the spot market. */
function typesOf(request, spot) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named))
        return nativeTypes(named, request);
    // The local disk of burstable sizes is smaller than the image.
    const types = spot || request.scratch ? _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh.filter(({ name }) => !(0,_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .isBurstable */ .dy)(name)) : _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh;
    const fit = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .fittingTypes */ .Nk)({ types, kindOf, shy: Object.keys(_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .NO_DRIVER */ .vp) }, request);
    const [least] = fit;
    if (!least)
        return undefined;
    const { gpu } = least;
    if (gpu)
        return choiceOf(fit.filter((size) => size.gpu?.kind === gpu.kind), least);
    if ((0,_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .isBurstable */ .dy)(least.name))
        return choiceOf([least], least);
    // A size costs more than the same one without a temporary disk.
    const steady = fit.filter(({ name }) => !(0,_machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .isBurstable */ .dy)(name));
    const plain = steady.filter(({ local }) => !local);
    return choiceOf(plain.length > 0 ? plain : steady, least);
}
function choiceOf(sizes, { arch }) {
    return { types: sizes.slice(0, MOST_MIXED).map(({ name }) => name), arch };
}
function kindOf(kind) {
    const plain = (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .plainKind */ .dM)(kind);
    return plain === 'a100-80gb' ? 'a100' : plain;
}
/** The vendor's sizes, separated by commas: all in one set, or one after the other if a set takes only one. */
function nativeTypes(text, { scratch }) {
    const types = (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .typeNames */ .DK)(text);
    if (types.length === 0 || types.length > MOST_MIXED || !types.every((name) => NATIVE.test(name)))
        return undefined;
    const known = types.map((name) => _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh.find((size) => size.name.toLowerCase() === name));
    if (scratch && known.some((size) => size?.local === false))
        return undefined;
    const archs = new Set(types.map((name, at) => known[at]?.arch ?? (ARM.test(name) ? 'arm64' : 'x86_64')));
    const [arch] = archs;
    const gpus = new Set(known.map((size) => size?.gpu?.kind));
    if (!arch || archs.size > 1 || gpus.size > 1)
        return undefined;
    return { types: types.map((name, at) => known[at]?.name ?? name), arch };
}
const WORDS = {
    vendor: 'Azure',
    native: NATIVE,
    mixed: 'mixes sizes of x86-64 and of arm64, or different GPUs, which cannot share an image',
    how: 'write s, m, l or xl, with +arm or a GPU such as +t4, or up to five sizes between commas, such as Standard_D8s_v5, Standard_D8as_v5',
    largest: 'Standard_D96s_v5',
    kindOf,
    kinds: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .GPU_KINDS */ .By,
    retired: _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .RETIRED */ .wk,
};
function sizeFaults(request, spot) {
    const named = (0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .namedSize */ .J7)(request);
    if ((0,_core_size_js__WEBPACK_IMPORTED_MODULE_0__/* .isNative */ .ib)(named) && (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .typeNames */ .DK)(named).length > MOST_MIXED)
        return [
            { option: 'machine', message: `"${request.machine}" has more than the ${MOST_MIXED} sizes that a set takes`, hint: 'name fewer' },
        ];
    return (0,_vm_sizes_js__WEBPACK_IMPORTED_MODULE_1__/* .sizeFaultsBy */ .O0)(WORDS, _machine_types_js__WEBPACK_IMPORTED_MODULE_2__/* .CATALOGUE */ .yh, request, (one) => typesOf(one, spot) !== undefined);
}


/***/ }),

/***/ 30:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   n: () => (/* binding */ Logins)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(39429);
/* harmony import */ var _vendors_login_fault_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(57366);
/* harmony import */ var _wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(47980);
/* harmony import */ var _once_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(74698);




class Logins {
    #params;
    #login = new _once_js__WEBPACK_IMPORTED_MODULE_3__/* .Once */ .a();
    constructor(params) {
        this.#params = params;
    }
    async login() {
        return this.#login.get('', async () => {
            const { find, words } = this.#params;
            const login = await find().catch((error) => {
                throw this.#faultOf(error, words.vendor);
            });
            if (login)
                return login;
            throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR(`${words.cloud}: there are no credentials for ${words.product}`, { hint: words.howToLogIn });
        });
    }
    /** A source for credentials that `lend` gets from the login. */
    source(lend) {
        return (0,_wire_credentials_js__WEBPACK_IMPORTED_MODULE_2__/* .renewing */ .IU)({
            clock: this.#params.clock,
            lend: async () => {
                const login = await this.login();
                return lend(login).catch((error) => {
                    throw this.#faultOf(error, login.who);
                });
            },
        });
    }
    #faultOf(error, who) {
        const { words, errorOf } = this.#params;
        if (!(error instanceof _vendors_login_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .LoginFault */ .u5))
            return errorOf(error, 'find credentials');
        const message = `${words.cloud}: no token from ${who}: ${error.message}`;
        if (!error.final)
            return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .RemoteError */ .Hi(message, { cause: error, retryable: true });
        return new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .AuthError */ .lR(message, { cause: error, hint: words.howToLogInAgain });
    }
}


/***/ }),

/***/ 99786:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ operated),
/* harmony export */   w: () => (/* binding */ leftover)
/* harmony export */ });
/** Milliseconds between two looks at something slow. */
const PACE = 1000;
/** A resource that a vendor makes and removes by operations. */
function operated(vendor, making) {
    const { kind, name, signal, put, ensuredBy } = making;
    const tried = `create ${kind} ${name}`;
    let begun;
    return {
        kind,
        name,
        pace: PACE,
        async ensure() {
            signal.throwIfAborted();
            try {
                if (!begun) {
                    const answer = await put();
                    if (typeof answer === 'string')
                        return answer;
                    begun = answer;
                }
                return (await vendor.isOver(begun.operation, tried, signal)) ? begun.outcome : 'pending';
            }
            catch (error) {
                signal.throwIfAborted();
                begun = undefined;
                const ensured = await ensuredBy(error);
                if (ensured)
                    return ensured;
                throw vendor.errorOf(error, tried);
            }
        },
        remove: removal(vendor, making),
    };
}
/** A resource that was found: it can only be removed. */
function leftover(vendor, removing) {
    const { kind, name } = removing;
    return { kind, name, pace: PACE, ensure: async () => 'found', remove: removal(vendor, removing) };
}
function removal(vendor, { kind, name, erase }) {
    const tried = `remove ${kind} ${name}`;
    let begun;
    return async () => {
        try {
            if (!begun) {
                const answer = await erase();
                if (typeof answer === 'string')
                    return answer;
                begun = answer;
            }
            if (!(await vendor.isOver(begun, tried)))
                return 'pending';
            begun = undefined;
            return 'removed';
        }
        catch (error) {
            begun = undefined;
            const removed = vendor.removedBy(error);
            if (removed)
                return removed;
            throw vendor.errorOf(error, tried);
        }
    };
}


/***/ }),

/***/ 28724:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   b: () => (/* binding */ TwinLooks)
/* harmony export */ });
/**
 * How often a command that follows looks at the twin of a spot group: each time, unless spot machines do all the work and the twin was still empty
 * the last time. Then the twin does not matter, and two groups should not cost many more calls than one: a few hundred for a quiet hour.
 */
/** Then only one of so many looks includes the twin. If it starts because a machine hangs, that is noticed some minutes later. */
const EACH = 5;
class TwinLooks {
    #quiet = false;
    #looks = 0;
    async look({ first, twin, isFull, isUp }) {
        const quiet = this.#quiet;
        this.#looks = quiet ? this.#looks + 1 : 0;
        const due = this.#looks % EACH === 0;
        const [one, brief] = await Promise.all([first(), due ? twin(quiet) : undefined]);
        const full = one !== undefined && isFull(one);
        // The first group may have shrunk because the twin has the work now.
        const two = quiet && !full ? await twin(false) : brief;
        this.#quiet = full && !(two && isUp(two));
        return [one, two];
    }
}


/***/ }),

/***/ 92153:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* unused harmony export reachable */
/* harmony import */ var _http_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(78928);
/** Whether a server answers at all. */


/** Milliseconds. */
const PATIENCE = 15_000;
/** Any answer will do. Throws an Error for people: `who` cannot be reached, and `remedy`. */
async function reachable(url, who, remedy) {
    return await ask(url, { patience: PATIENCE, most: 0 }).catch((cause) => {
        throw new Error(`${who} at ${new URL(url).host} cannot be reached (${messageOf(cause)}): ${remedy}`, { cause });
    });
}


/***/ }),

/***/ 33097:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ ServerTime)
/* harmony export */ });
/** The time according to the server that answers, because this machine's own clock may be minutes off. */
/** Milliseconds: the date of an answer is in whole seconds, and the answer takes time to arrive. */
const SLIGHT = 5_000;
class ServerTime {
    /** Milliseconds to add to this machine's clock. */
    #ahead = 0;
    /** `date`: the header of an answer that has just come. `true`: the time differs from what was known. */
    learn(date) {
        const before = this.#ahead;
        const ahead = Date.parse(date ?? '') - Date.now();
        if (!Number.isNaN(ahead))
            this.#ahead = Math.abs(ahead) < SLIGHT ? 0 : ahead;
        return Math.abs(this.#ahead - before) >= SLIGHT;
    }
    now() {
        return new Date(Date.now() + this.#ahead);
    }
    /** What this machine's clock shows at a given server time. */
    here(time) {
        const at = Date.parse(time);
        return this.#ahead === 0 || Number.isNaN(at) ? time : new Date(at - this.#ahead).toISOString();
    }
}


/***/ }),

/***/ 27551:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D6: () => (/* binding */ loginOfSecret),
/* harmony export */   Mc: () => (/* binding */ MANAGEMENT),
/* harmony export */   df: () => (/* binding */ BLOBS),
/* harmony export */   xy: () => (/* binding */ azureLogin)
/* harmony export */ });
/* unused harmony export machineToken */
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(31421);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(57975);
/* harmony import */ var _lib_answer_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(47174);
/* harmony import */ var _lib_confidential_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(27346);
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(29611);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(40859);
/* harmony import */ var _id_token_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(72149);
/* harmony import */ var _login_fault_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(57366);
/* harmony import */ var _metadata_service_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(84803);
/**
 * The caller's identity for Azure, first match: the secret or federated token of an application · what `az login` keeps · the identity of the
 * machine. The order is that of Microsoft's clients
 * (https://learn.microsoft.com/azure/developer/javascript/sdk/authentication/credential-chains#defaultazurecredential-overview).
 */










class AzureFault extends _login_fault_js__WEBPACK_IMPORTED_MODULE_5__/* .LoginFault */ .u5 {
    name = 'AzureFault';
}
/** The resources for which tpi needs tokens: the Resource Manager of the public cloud, and Blob Storage. */
const MANAGEMENT = 'https://management.azure.com';
const BLOBS = 'https://storage.azure.com';
const AUTHORITY = 'https://login.microsoftonline.com';
/** The audience of a forge's token. https://learn.microsoft.com/entra/workload-id/workload-identity-federation */
const AUDIENCE = 'api://AzureADTokenExchange';
/** Milliseconds that `az` may take. */
const PATIENCE = 20_000;
/** Bytes that it may print. */
const MOST = 1 << 20;
/** `undefined`: there is none here. Throws AzureFault if one was set up and cannot be used; no other one is tried instead. */
async function azureLogin(env) {
    return ofApplication(env) ?? (await ofCommand(env)) ?? (await ofMachine(env));
}
/** The login for a credential that was sent here. */
function loginOfSecret(secret) {
    const { client, clientSecret, tenant, authority } = secret;
    return {
        who: `the application ${client}`,
        secret,
        lend: async (resource) => await exchange({ tenant, client, authority }, resource, { client_secret: clientSecret }),
    };
}
function ofApplication(env) {
    const [tenant, client] = [env['AZURE_TENANT_ID'], env['AZURE_CLIENT_ID']];
    if (!tenant || !client)
        return undefined;
    const authority = env['AZURE_AUTHORITY_HOST'] || undefined;
    const clientSecret = env['AZURE_CLIENT_SECRET'];
    if (clientSecret)
        return loginOfSecret({ tenant, client, clientSecret, ...(authority && { authority }) });
    const file = env['AZURE_FEDERATED_TOKEN_FILE'];
    const url = env['ACTIONS_ID_TOKEN_REQUEST_URL'];
    if (!file && !url)
        return undefined;
    return {
        who: `the application ${client}, by a token ${file ? `in ${file}` : 'that GitHub gives the job'}`,
        async lend(resource) {
            const assertion = file ? await readToken(file) : await idToken(url ?? '', env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? '');
            const proof = { client_assertion: assertion, client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' };
            return await exchange({ tenant, client, authority }, resource, proof);
        },
    };
}
async function readToken(file) {
    const token = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(file, 'utf8').catch((cause) => {
        throw new AzureFault(true, `AZURE_FEDERATED_TOKEN_FILE names "${file}", which cannot be read`, { cause });
    });
    return token.trim();
}
async function idToken(url, bearer) {
    const [address, request] = (0,_id_token_js__WEBPACK_IMPORTED_MODULE_4__/* .idTokenRequest */ .E)(url, bearer, AUDIENCE);
    return shaped(_id_token_js__WEBPACK_IMPORTED_MODULE_4__/* .idTokenAnswer */ .d, await ask(address, request), address.host).value;
}
const answer = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ access_token: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(65_536), expires_in: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .either */ .gP)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .number */ .ai)(0, 1e9), (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(12)) });
/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
async function exchange({ tenant, client, authority = AUTHORITY }, resource, proof) {
    const url = new URL(`${checkedAuthority(authority)}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`);
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: client, scope: `${resource}/.default`, ...proof });
    return lentIn(await ask(url, { method: 'POST', body }), url.host);
}
/** Refuses an address without https, because the secret is sent there. */
function checkedAuthority(text) {
    if (URL.canParse(text) && (0,_lib_confidential_js__WEBPACK_IMPORTED_MODULE_6__/* .isConfidential */ .F)(new URL(text)))
        return text.replace(/\/+$/, '');
    throw new AzureFault(true, `AZURE_AUTHORITY_HOST is "${(0,_lib_text_js__WEBPACK_IMPORTED_MODULE_7__/* .oneLine */ .TN)(text).slice(0, 200)}", which is not an https address`);
}
function lentIn(body, host) {
    const { access_token: token, expires_in: seconds } = shaped(answer, body, host);
    return { credentials: { token }, until: new Date(Date.now() + (Number(seconds) || 0) * 1000).toISOString() };
}
const shown = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ accessToken: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .line */ .n8)(65_536), expires_on: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .maybe */ .no)((0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .number */ .ai)(0, 1e11)) });
/**
 * What `az` says if it was signed in with an assertion, as the action azure/login does with OIDC. An assertion is accepted only for some
 * minutes: tokens that `az` already has stay valid for an hour or so, but it gets no new ones. https://github.com/Azure/azure-cli/issues/28708
 */
const OUTLIVED = /AADSTS700024/;
const INSTEAD = 'a login by azure/login with OIDC lasts some minutes, and az cannot renew it: give this command AZURE_TENANT_ID and AZURE_CLIENT_ID, in a job with "id-token: write"';
/** What `az` says if the network is down. */
const AWAY = /timed out|max retries exceeded|failed to establish|connection (aborted|refused|reset)|name resolution/i;
async function ofCommand(env) {
    const there = await az(env, ['account', 'show', '--output', 'none']).then(() => true, () => false);
    if (!there)
        return undefined;
    return {
        who: 'the account that is signed in with az',
        lend: async (resource) => {
            const args = ['account', 'get-access-token', '--resource', resource, '--output', 'json'];
            return lentByCommand(await az(env, args).catch((error) => {
                throw commandFault(error);
            }));
        },
    };
}
/** What the program prints. */
async function az(env, args) {
    return (await (0,node_util__WEBPACK_IMPORTED_MODULE_2__.promisify)(node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFile)('az', args, { env: { ...env }, timeout: PATIENCE, maxBuffer: MOST })).stdout;
}
/**
 * https://learn.microsoft.com/cli/azure/authenticate-azure-cli: `expires_on` is in seconds since 1970, and there from 2.54 on. The older
 * `expiresOn` is a local time without a zone.
 */
function lentByCommand(stdout) {
    const { accessToken, expires_on: at } = shaped(shown, stdout, 'az');
    if (at === undefined)
        throw new AzureFault(true, 'az does not say when its token expires: update it to 2.54 or newer');
    return { credentials: { token: accessToken }, until: new Date(at * 1000).toISOString() };
}
function commandFault(cause) {
    const { stderr, signal } = cause;
    const whole = (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_7__/* .oneLine */ .TN)(stderr?.trim() || (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_7__/* .messageOf */ .bD)(cause));
    const end = whole.slice(-300);
    // An error number of Entra: it has answered, and what follows is only advice to log in.
    const answered = whole.indexOf('AADSTS');
    const said = answered < 0 ? end : whole.slice(answered, answered + 300);
    // A signal: the program was killed, possibly by us because it took too long.
    const isAway = Boolean(signal) || (answered < 0 && AWAY.test(end));
    return new AzureFault(!isAway, `"az account get-access-token": ${said}${OUTLIVED.test(said) ? ` (${INSTEAD})` : ''}`, { cause });
}
/** Tried last, and silently: on any other computer nothing answers there. `AZURE_CLIENT_ID` chooses one of several. */
async function ofMachine(env) {
    const lend = async (resource) => await machineToken(resource, env['AZURE_CLIENT_ID'], env['AZURE_POD_IDENTITY_AUTHORITY_HOST']);
    const there = await lend(MANAGEMENT).then(() => true, (error) => {
        if (hasSeveral(error))
            throw new AzureFault(true, 'this machine has several identities: set AZURE_CLIENT_ID to the client id of one', { cause: error });
        return false;
    });
    return there ? { who: 'the identity of this machine', lend } : undefined;
}
/** A machine with several identities has none by default. https://github.com/Azure/azure-sdk-for-rust/pull/748 quotes the answer. */
const hasSeveral = (error) => error instanceof AzureFault && /multiple user.assigned identities/i.test(error.message);
/** https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token. Throws AzureFault. */
async function machineToken(resource, client, endpoint = _metadata_service_js__WEBPACK_IMPORTED_MODULE_8__/* .METADATA */ .MV) {
    const url = new URL('/metadata/identity/oauth2/token', endpoint);
    url.search = new URLSearchParams({ 'api-version': '2018-02-01', resource, ...(client && { client_id: client }) }).toString();
    return lentIn(await ask(url, { headers: { metadata: 'true' }, patience: _metadata_service_js__WEBPACK_IMPORTED_MODULE_8__/* .METADATA_PATIENCE */ .uj, once: true }), url.host);
}
async function ask(url, call) {
    return await (0,_login_fault_js__WEBPACK_IMPORTED_MODULE_5__/* .loginAnswer */ .K0)(url, call, { Fault: AzureFault, words });
}
const refusal = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ik)({ error_description: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq)(65_536) });
/** The first line of what Entra says: the rest names times and traces. */
const words = (said) => refusal(said).error_description.split(/\r?\n/)[0] ?? '';
function shaped(shape, body, host) {
    return (0,_login_fault_js__WEBPACK_IMPORTED_MODULE_5__/* .readAnswer */ .JN)(host, AzureFault, () => shape((0,_lib_answer_js__WEBPACK_IMPORTED_MODULE_9__/* .jsonIn */ .Yf)(body)));
}


/***/ }),

/***/ 72149:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ idTokenRequest),
/* harmony export */   d: () => (/* binding */ idTokenAnswer)
/* harmony export */ });
/* harmony import */ var _lib_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(29611);
/** A job of a forge asks for a token that says who it is: for whom, and what the answer is. */

/** `url`, `bearer`: what the job has for that in its environment. */
function idTokenRequest(url, bearer, audience) {
    const address = new URL(url);
    address.searchParams.set('audience', audience);
    return [address, { headers: { authorization: `Bearer ${bearer}` } }];
}
const idTokenAnswer = (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ik)({ value: (0,_lib_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .line */ .n8)(65_536) });


/***/ }),

/***/ 57366:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   JN: () => (/* binding */ readAnswer),
/* harmony export */   K0: () => (/* binding */ loginAnswer),
/* harmony export */   V6: () => (/* binding */ askedAgain),
/* harmony export */   u5: () => (/* binding */ LoginFault)
/* harmony export */ });
/* harmony import */ var _lib_answer_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(47174);
/* harmony import */ var _lib_backoff_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(71874);
/* harmony import */ var _lib_http_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(78928);
/* harmony import */ var _lib_text_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(40859);
/** Why a login of a vendor gives no token, and how its services are asked for one. */




/** `final`: refused or set up wrongly, so trying again does not help; otherwise out of reach for now. */
class LoginFault extends Error {
    final;
    constructor(final, message, options) {
        super(message, options);
        this.final = final;
    }
}
/** Milliseconds for one answer. */
const PATIENCE = 20_000;
/** Bytes of one: several times the longest token. */
const MOST = 1 << 20;
/** Tries of a call, and milliseconds of pauses. */
const RETRY = { tries: 3, first: 500, longest: 2000 };
/**
 * Asks a service again that is busy, or out of reach for a moment: the one that gives jobs of GitHub their tokens answers 503 every now and
 * then (https://github.com/Azure/login/issues/591). Once `PATIENCE` is over, there is no further try, because somebody is waiting.
 */
async function askedAgain(act, passes) {
    const end = performance.now() + PATIENCE;
    return await (0,_lib_backoff_js__WEBPACK_IMPORTED_MODULE_0__/* .retry */ .L)(act, { ...RETRY, again: (error) => passes(error) && performance.now() < end });
}
/** The text that a service of logins answers. Throws its `Fault`. */
async function loginAnswer(url, { once = false, ...call }, service) {
    if (once)
        return await answerOf(url, call, service);
    return await askedAgain(async () => answerOf(url, call, service), (error) => error instanceof LoginFault && !error.final);
}
async function answerOf(url, call, { Fault, words }) {
    const { ok, status, text } = await (0,_lib_http_js__WEBPACK_IMPORTED_MODULE_1__/* .ask */ .kA)(url, { patience: PATIENCE, ...call, most: MOST }).catch((cause) => {
        if (!(cause instanceof _lib_http_js__WEBPACK_IMPORTED_MODULE_1__/* .Unanswered */ .XX))
            throw cause;
        throw new Fault(false, `${url.host} cannot be reached: ${cause.message}`, { cause });
    });
    if (text === undefined)
        throw new Fault(false, `${url.host} answers with more than ${MOST} bytes, which is not a token`);
    if (ok)
        return text;
    throw new Fault(status < 500 && status !== 429 && status !== 408, (0,_lib_text_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLine */ .TN)(`${url.host} answers ${status}${said(text, words)}`));
}
/** What `read` finds in an answer. If it throws, something else has answered in the service's place, so the `Fault` is not final. */
function readAnswer(host, Fault, read) {
    try {
        return read();
    }
    catch (cause) {
        throw new Fault(false, `the answer of ${host} is not valid`, { cause });
    }
}
function said(body, words) {
    try {
        return `: ${words((0,_lib_answer_js__WEBPACK_IMPORTED_MODULE_3__/* .jsonIn */ .Yf)(body)).slice(0, 300)}`;
    }
    catch {
        return '';
    }
}


/***/ }),

/***/ 84803:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MV: () => (/* binding */ METADATA),
/* harmony export */   XE: () => (/* binding */ METADATA_HOST),
/* harmony export */   uj: () => (/* binding */ METADATA_PATIENCE),
/* harmony export */   xj: () => (/* binding */ metadataIn)
/* harmony export */ });
const METADATA_HOST = '169.254.169.254';
const METADATA = `http://${METADATA_HOST}`;
/** Milliseconds: it is on the same host; without one, nothing answers. */
const METADATA_PATIENCE = 2_000;
/** Throws if the answer is a refusal. `what`: what was asked for, as people know it. `most`: bytes. */
function metadataIn({ ok, status, text }, what, most) {
    if (!ok)
        throw new Error(`metadata service: ${what} answers ${status}`);
    if (text === undefined)
        throw new Error(`metadata service: ${what} has more than ${most} bytes`);
    return text;
}


/***/ })

};
