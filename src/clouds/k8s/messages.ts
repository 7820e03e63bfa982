/** Messages of Kubernetes about pods → messages for people. */
import type { CloudEvent } from '../../core/cloud.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { AGENT_REPLACE } from '../../wire/machine.ts'
import { UNCOUNTED } from './errors.ts'
import { CONTAINER, isOfStore } from './names.ts'
import type { ContainerState, ContainerStatus, Happening, Pod } from './objects.ts'
import { BRIEF, OUR_NODES } from './own-containers.ts'
import { disruptionOf, programOf } from './pods.ts'

type Said = Pick<CloudEvent, 'kind' | 'text'>

/** Reasons of events that are not worth showing. */
const NOISE = new Set([
  'Scheduled',
  'Pulling',
  'Pulled',
  'Created',
  'Started',
  'Killing',
  'SuccessfulCreate',
  'SuccessfulDelete',
  'Completed',
  'Unhealthy',
  'SandboxChanged',
  'Provisioning',
  'ProvisioningSucceeded',
  'ExternalProvisioning',
  'WaitForFirstConsumer',
  'TaintManagerEviction',
  'JobStatusChanged',
  'Suspended',
  'Resumed',
  'NotTriggerScaleUp',
  'CgroupV1',
  'FailedToUpdateEndpointSlices',
])

/** `id`: of the deployment. `undefined`: not of interest to people. */
export function wordsOf(event: Happening, id: string): Said | undefined {
  const { reason = '', message = '' } = event
  if (NOISE.has(reason)) return undefined
  const said = lasting(message || reason)
  const isStore = isOfStore(id, event.involvedObject)
  if (reason === 'FailedScheduling') return CLAIMLESS.test(said) ? waitsForClaim(isStore, said) : unschedulableFor(isStore, said)
  if (reason === 'FailedCreate') return notCreated(said)
  if (reason === 'MissingClusterDNS') return isStore ? undefined : NAMELESS
  if (reason === 'FailedMount' || reason === 'FailedAttachVolume') return notMounted(said)
  if (reason === 'Failed' || reason === 'BackOff' || reason === 'ErrImageNeverPull' || reason === 'InspectFailed')
    return image(said, ofOurs(containerOf(event)))
  if (reason === 'Evicted') return { kind: 'notice', text: `the node evicts the pod: ${said}${unasked(said)}` }
  if (reason === 'Preempted' || reason === 'Preempting')
    return { kind: 'notice', text: `the pod gives way to one of higher priority: ${said}` }
  if (reason === 'TriggeredScaleUp') return { kind: 'info', text: `the cluster adds a node: ${said}` }
  if (reason === 'DeadlineExceeded') return { kind: 'notice', text: 'the deadline of the Job is reached' }
  if (reason === 'BackoffLimitExceeded' || reason === 'FailedIndexes') return { kind: 'failure', text: `no more replacements: ${said}` }
  if (reason === 'ProvisioningFailed') return { kind: 'failure', text: `no storage for the claim: ${said}` }
  if (reason === 'FailedBinding') return { kind: 'failure', text: `the claim of the store is not bound: ${said}` }
  if (event.type === 'Normal') return undefined
  return { kind: 'info', text: `${reason}: ${said}` }
}

/** The message without what differs in each try, so that it is shown only once: ids, and the prefix of events that the cluster has combined. */
function lasting(message: string): string {
  return message
    .replace(/\s+/g, ' ')
    .replace(/^\(combined from similar events\): /, '')
    .replace(/(?<!sha256:)\b[0-9a-f]{64}\b/g, '…')
    .trim()
}

/** What a node may run short of → the option that requests it. */
const ASKING: Readonly<Record<string, string>> = { memory: '--memory', 'ephemeral-storage': '--disk-size' }

/** Nodes first evict pods that use more than they requested, so those that requested nothing come first. */
function unasked(said: string): string {
  const [, what = ''] = /Container main was using \S+, request is 0, has larger consumption of ([\w-]+)/.exec(said) ?? []
  return ASKING[what] === undefined ? '' : ` (it requested none, and such pods are evicted first: give ${ASKING[what]})`
}

/** Kubernetes reports this for every pod. The words are always the same, so that it is shown only once; a store needs no DNS. */
const NAMELESS: Said = {
  kind: 'advice',
  text: 'the kubelet of the node is not configured with the DNS of the cluster (MissingClusterDNS): machines use that of the node, which does not know the names of Services',
}

function notMounted(said: string): Said | undefined {
  // No fault: the kubelet is removing the pod and has forgotten the object, or is busy and does not know the object yet.
  if (/object "[^"]*"\/"[^"]*" not registered$|failed to sync \w+ cache: timed out/.test(said)) return undefined
  return { kind: 'failure', text: `a volume cannot be mounted: ${said}` }
}

const CLAIMLESS = /persistentvolumeclaim "([^"]*)" not found|unbound immediate PersistentVolumeClaims/i

/** A store's claim is made at the same time as its pod, so that wait is normal. A claim in a pod template must exist. */
function waitsForClaim(isStore: boolean, said: string): Said | undefined {
  if (isStore) return undefined
  const claim = CLAIMLESS.exec(said)?.[1]
  const what =
    claim === undefined
      ? 'a claim of the pod template, which is not bound'
      : `the claim "${claim}" of the pod template, which does not exist`
  return { kind: 'capacity', text: `the pod waits for ${what}: ${said}` }
}

/**
 * Why no node may suit a store although some suit machines. A pod template does not apply to stores: a node for machines, such as one with a GPU,
 * should not be kept for a store. It selects nodes only by what tpi's own programs need.
 */
const OF_STORES: readonly { readonly words: RegExp; readonly says: string }[] = [
  { words: /untolerated taint/, says: 'the store needs a node without taints, whatever a pod template tolerates; or use --storage' },
  {
    words: /didn't match Pod's node affinity\/selector/,
    says: `tpi's own programs need nodes with ${Object.entries(OUR_NODES)
      .map((pair) => pair.join('='))
      .join(' and ')}`,
  },
]

function unschedulableFor(isStore: boolean, said: string): Said {
  const { kind, text } = unschedulable(said)
  const why = isStore ? OF_STORES.filter(({ words }) => words.test(said)).map(({ says }) => says) : []
  return { kind, text: why.length === 0 ? text : `${text} (${why.join('; ')})` }
}

/**
 * "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match …. preemption: …". What follows the reasons is about pods that could give way;
 * since Kubernetes 1.34, it begins with "no new claims to deallocate, ".
 */
function unschedulable(said: string): Said {
  const [, nodes, rest] = /^0\/(\d+) nodes are available: (.*?)(?:\. (?:[^.]*, )?preemption:.*|\.? *)$/i.exec(said) ?? []
  if (nodes === undefined || rest === undefined) return { kind: 'capacity', text: `no node can take the pod: ${said}` }
  const plain = rest.replace(
    /(\d+) Insufficient ([^, ]+?)(?=\.?(?:,| |$))/g,
    (_, count: string, what: string) => `${count} with too little ${resource(what)}`,
  )
  return { kind: 'capacity', text: `none of ${nodes} nodes can take the pod: ${plain}` }
}

function resource(name: string): string {
  if (name.endsWith('/gpu')) return `GPU (${name})`
  return name === 'ephemeral-storage' ? 'disk (ephemeral-storage)' : name
}

const NO_PRIVILEGES =
  "the namespace's pod security standard forbids privileged containers, and container-mode needs one: leave it out, or use a namespace whose pod-security.kubernetes.io/enforce is privileged"

/** OpenShift gives pods the users of its choice, unless their service account may use others. */
const CONSTRAINED = `OpenShift forbids the users of the pod: give --run-as-user 1000, and let the service account use other users than those of the namespace: oc adm policy add-scc-to-user nonroot-v2 -z default (or the account of --permission-set)`

/** Without the pod's name: that pod does not exist, and each try has another name, so each would be a new message. */
function notCreated(text: string): Said {
  const said = text.replace(/^(?:Error creating: )?pods "[^"]*" is forbidden: /, '')
  if (/exceeded quota/i.test(said)) return { kind: 'quota', text: `the namespace's quota is used up: ${said}` }
  if (UNCOUNTED.test(said)) return { kind: 'info', text: `a quota of the namespace is not ready: ${said}` }
  if (/failed quota: .* must specify/i.test(said))
    return { kind: 'quota', text: `the namespace's quota requires every pod to specify its size (${remedyFor(said)}): ${said}` }
  if (/(maximum|minimum) .* usage per (Container|Pod)/i.test(said))
    return { kind: 'quota', text: `the namespace's LimitRange does not allow the size${ownSize(said)}: ${said}` }
  if (/violates PodSecurity/i.test(said) && said.includes(`"${CONTAINER.docker}" must not set securityContext.privileged`))
    return { kind: 'denied', text: `${NO_PRIVILEGES}: ${said}` }
  if (/violates PodSecurity/i.test(said))
    return { kind: 'denied', text: `the namespace's pod security standard forbids the pod (try --run-as-user 1000): ${said}` }
  // The cluster makes this account a moment after the namespace.
  if (/serviceaccount "default" not found/i.test(said)) return { kind: 'info', text: `the namespace is not ready: ${said}` }
  if (/serviceaccount .* not found/i.test(said))
    return { kind: 'denied', text: `the service account of permission-set does not exist: ${said}` }
  // Webhooks, such as those of Kyverno and Gatekeeper: k8s.io/apiserver, pkg/admission/plugin/webhook/errors/statuserror.go
  if (/admission webhook .* denied the request/i.test(said))
    return { kind: 'denied', text: `a policy of the cluster forbids the pod: ${said.replace(/^Error creating: /, '')}` }
  if (/unable to validate against any security context constraint/i.test(said)) return { kind: 'denied', text: `${CONSTRAINED}: ${said}` }
  if (/forbidden/i.test(text)) return { kind: 'denied', text: `the pod is not allowed: ${said}` }
  return { kind: 'failure', text: `the pod could not be created: ${said}` }
}

/** Whose size it is, if it is that of tpi's own container, which no option changes. */
function ownSize(said: string): string {
  const { requests, limits } = BRIEF
  const sizes: readonly string[] = [requests.memory, requests.cpu, limits.memory]
  if (!sizes.includes(/but (?:request|limit) is (\w+)/.exec(said)?.[1] ?? '')) return ''
  return ` of the container "${CONTAINER.init}" of tpi (no option changes it: use a namespace whose LimitRange allows ${requests.memory} and ${requests.cpu})`
}

/** What to do about "must specify limits.cpu for: main,tpi; limits.memory for: main". No option sets the size of tpi's own containers. */
function remedyFor(said: string): string {
  const silent = [...said.matchAll(/ for: ([^;\s]+)/g)].flatMap(([, names = '']) => names.split(','))
  return silent.some(ofOurs) ? 'for the containers of tpi, make a LimitRange with defaults' : 'give --cpu and --memory'
}

/** The container that an event is about: its path is such as "spec.initContainers{tpi}". */
function containerOf({ involvedObject: { fieldPath = '' } }: Happening): string | undefined {
  return /\{(.+)\}$/.exec(fieldPath)?.[1]
}

function ofOurs(container: string | undefined): boolean {
  return container === CONTAINER.init || container === CONTAINER.store || container === CONTAINER.gate
}

const OURS = 'the runtime image of tpi (option runtime-image: a mirror of it that the nodes can reach)'

function image(said: string, ours: boolean): Said | undefined {
  const crashed = /^Back-off restarting failed container (\S+)/i.exec(said)?.[1]
  // The program itself is never started again in the same pod.
  if (crashed === CONTAINER.program) return undefined
  if (crashed !== undefined) return { kind: 'failure', text: `container "${crashed}" fails again and again` }
  if (/image/i.test(said)) return { kind: 'failure', text: `${ours ? OURS : 'the image'} cannot be pulled: ${said}` }
  return { kind: 'failure', text: `the container does not start: ${said}` }
}

/** Reasons why kubelets cannot pull an image (pkg/kubelet/images; the last two are words of CRI-O). They try again and again. */
const NO_IMAGE =
  /^(ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull|ImageInspectError|RegistryUnavailable|SignatureValidationFailed)$/
/** Other reasons why kubelets cannot start a container of a pod. They try again and again, too. */
const NO_CONTAINER = /^(CreateContainerConfigError|CreateContainerError|RunContainerError)$/

/**
 * Restarts after which a container that has failed once more counts as held up: whatever it needs may come a moment after it. Kubelets pause 10 s,
 * 20 s and 40 s in between, and 80 s after the next failure.
 */
const CRASHES = 3

/** A container that keeps its pod from starting. */
export interface HeldUp {
  readonly container: string
  /** For people. */
  readonly why: string
  /** It was started, but failed again and again: it may have a log. */
  readonly ran: boolean
}

/** `undefined`: nothing is wrong so far. */
export function heldUp(pod: Pod): HeldUp | undefined {
  for (const one of containersOf(pod)) {
    const { name, state, lastState, restartCount = 0 } = one
    const { reason = '', message = '' } = state?.waiting ?? {}
    const its = ofOurs(name) ? OURS : `the image of container "${name}"`
    if (NO_IMAGE.test(reason)) return { container: name, why: `${its} cannot be pulled (${reason}): ${plain(message)}`, ran: false }
    if (NO_CONTAINER.test(reason))
      return { container: name, why: `container "${name}" cannot be created (${reason}): ${plain(message)}`, ran: false }
    if (reason === 'CrashLoopBackOff' && restartCount >= CRASHES)
      return { container: name, why: `container "${name}" fails again and again${lastEnd(lastState)}`, ran: true }
  }
  return undefined
}

/**
 * A container that has failed again and again is just being tried once more, or has ended again: between two of its pauses, nothing says that it is
 * held up.
 */
export function isTriedAgain(pod: Pod): boolean {
  return containersOf(pod).some(({ state, started, restartCount = 0 }) => restartCount >= CRASHES && !state?.waiting && started !== true)
}

/** In the order in which they start. */
const containersOf = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
]

const plain = (message: string): string => message.replace(/\s+/g, ' ').trim()

function lastEnd(state: ContainerState | undefined): string {
  const { exitCode, reason, message = '' } = state?.terminated ?? {}
  if (exitCode === undefined) return ''
  return ` (exit code ${exitCode}${reason === undefined ? '' : `, ${reason}`})${message === '' ? '' : `: ${plain(message)}`}`
}

/** How a finished pod failed; `undefined`: it succeeded. */
export function endOf(pod: Pod): string | undefined {
  const { status } = pod
  const ended = failedContainer(pod)
  const state = ended?.state?.terminated
  const who = ended === undefined || ended.name === CONTAINER.program ? '' : `container "${ended.name}" `
  if (state?.reason === 'OOMKilled') return `${who === '' ? '' : `${who}ran `}out of memory${limitOf(pod, ended?.name)}`
  if (outgrewDisk(pod)) return `it has used up its disk: ${status?.message?.trim()}`
  if (status?.reason === 'Evicted') return `evicted: ${status.message ?? 'the node was short of something'}`
  if (status?.reason === 'DeadlineExceeded') return 'the deadline of the Job was reached'
  const disruption = disruptionOf(pod)
  if (disruption) return `reclaimed (${disruption.reason ?? 'disruption'}): ${disruption.message ?? ''}`
  if (state && who === '' && state.exitCode === AGENT_REPLACE) return `asked to be replaced (exit ${AGENT_REPLACE})`
  if (state) return `${who}ended with exit code ${state.exitCode}${state.message ? `: ${state.message}` : ''}`
  return status?.phase === 'Failed' ? `${status.reason ?? 'failed'}: ${status.message ?? 'no reason given'}` : undefined
}

/** The program's whole container ran out of memory, so nothing inside could report it. */
export function diedOfMemory(pod: Pod): boolean {
  const ended = programOf(pod)?.terminated
  return ended?.reason === 'OOMKilled' && ended.exitCode === 137
}

/** The memory limit of a container, for people: tpi writes "64000000", a template may say "64Mi". */
function limitOf({ spec: { containers = [], initContainers = [] } }: Pod, container: string | undefined): string {
  const limit = [...containers, ...initContainers].find(({ name }) => name === container)?.resources?.limits?.['memory']
  return limit === undefined ? '' : ` (limit ${/^\d+$/.test(limit) ? formatBytes(Number(limit)) : limit})`
}

/** What kubelets say if the pod itself has written too much; if only the node is short of room, they use other words. */
const OUTGREW =
  /^(Usage of EmptyDir volume|Pod ephemeral local storage usage exceeds|Container \S+ exceeded its local ephemeral storage limit)/

/** Whether the pod used too much disk: it would do so again wherever it runs next. */
export function outgrewDisk({ status }: Pod): boolean {
  return status?.reason === 'Evicted' && OUTGREW.test(status.message ?? '')
}

/** The container that made a pod fail: the program's, or else the first one that failed beside or before it. */
export function failedContainer({ status }: Pod): ContainerStatus | undefined {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  const failed = all.filter(({ state }) => state?.terminated !== undefined && state.terminated.exitCode !== 0)
  return failed.find(({ name }) => name === CONTAINER.program) ?? failed[0]
}
