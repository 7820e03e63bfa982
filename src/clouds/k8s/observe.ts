/** A group as people and the engine see it: pods as machines, Kubernetes' events in plain words. */
import { ABSENT, byStart, type Machine, type Observation, type Reference } from '../../core/cloud.ts'
import { EventLog } from '../../core/event-log.ts'
import type { Api } from './api.ts'
import { diedOfMemory, endOf, failedContainer, outgrewDisk, wordsOf } from './messages.ts'
import { CONTAINER, groupSelector, isOfGroup, isOfStore, taskName } from './names.ts'
import { replacedIn } from './next-pod.ts'
import { type Happening, type Job, type Pod } from './objects.ts'
import { disruptionOf, indexOf, isHeldOpen, isLiving, programOf } from './pods.ts'
import { failureOf, isComplete, LAST } from './resources/job.ts'
import { type Stuck, StuckPods, whyStuck } from './stuck-pods.ts'
import { isPresent, isUnreachable } from './unreachable.ts'

const LOG_LINES = 40

/** What one controller has seen of one incarnation. The cluster forgets an evicted pod at once; this does not. */
export class Watch {
  readonly #api: Api
  readonly #of: Reference
  readonly #machines = new Map<string, Machine>()
  readonly #eventLog = new EventLog()
  /** Messages about each pod, by its name. */
  readonly #heard = new Map<string, Set<string>>()
  readonly #stuck = new StuckPods()
  #last: Observation | undefined
  /** Pods that, as of the last look, only keep the cluster from making others. */
  #inTheWay: readonly Pod[] = []

  constructor(api: Api, of: Reference) {
    this.#api = api
    this.#of = of
  }

  /** `idle`: its Job, if it is known to want no machines any more. */
  async look(idle?: Job): Promise<Observation> {
    const pods = await this.#api.list<Pod>('pods', { labelSelector: groupSelector(this.#of) })
    if (this.#last?.phase === 'up' && this.#isAsBefore(pods)) return this.#last
    this.#last = await this.#lookClosely(pods, idle)
    return this.#last
  }

  async clear(): Promise<void> {
    const selectors = this.#inTheWay.map(({ metadata }) => ({
      labelSelector: groupSelector(this.#of),
      fieldSelector: `metadata.name=${metadata.name}`,
    }))
    await Promise.all(selectors.map(async (one) => this.#api.removeAll('pods', one, LAST)))
  }

  async #lookClosely(pods: readonly Pod[], idle: Job | undefined): Promise<Observation> {
    const job = idle ?? (await this.#api.get<Job>('jobs', taskName(this.#of)))
    if (!job) return ABSENT
    // Problems of machines that are no longer wanted are not worth a message.
    if (job.spec.parallelism !== 0)
      await this.#tell(await happenings(this.#api, (one) => isOfGroup(this.#of, one) || isOfStore(this.#of.id, one), job))
    const ended = this.#ended(job)
    await Promise.all(pods.map((pod) => this.#see(pod)))
    const wanted = wantedOf(job)
    this.#inTheWay = wanted > 0 ? pods.filter(isInTheWay) : []
    for (const pod of pods) this.#foretell(pod, job)
    const present = new Set(pods.map(({ metadata }) => metadata.name))
    for (const machine of this.#machines.values()) if (!present.has(machine.id)) this.#lose(machine)
    const machines = [...this.#machines.values()].sort(byStart)
    const stopped = wanted === 0 && machines.every(({ state }) => state === 'gone')
    const phase = stopped ? 'stopped' : 'up'
    return { phase, wanted, machines, events: this.#eventLog.events, ...(ended !== undefined && { ended }) }
  }

  /** Pods and states are those of the last look, and either all wanted pods are at work or all pods are leaving: nothing else has to be read. */
  #isAsBefore(pods: readonly Pod[]): boolean {
    const known = [...this.#machines.values()].filter(({ state }) => state !== 'gone')
    const states = pods.map((pod) => stateOf(pod, this.#api.now))
    const settled = states.every((state) => state === (this.#last?.wanted === 0 ? 'leaving' : 'running'))
    return (
      settled &&
      pods.length > 0 &&
      known.length === pods.length &&
      (this.#last?.wanted === 0 || known.length === this.#last?.wanted) &&
      pods.every((pod, at) => this.#machines.get(pod.metadata.name)?.state === states[at])
    )
  }

  async #tell(found: readonly Happening[]): Promise<void> {
    for (const event of found) {
      const said = wordsOf(event, this.#of.id)
      if (!said) continue
      this.#eventLog.say(`event ${said.text}`, { at: timeOf(event), ...said })
      const { name = '' } = event.involvedObject
      this.#heard.set(name, new Set([...(this.#heard.get(name) ?? []), said.text]))
    }
  }

  /** Why the cluster has ended the Job. An event says the same, but only once the pods are gone: the Job's condition is earlier. */
  #ended(job: Job): string | undefined {
    const { name } = job.metadata
    const end = failureOf(job)
    const said = end && wordsOf({ ...end, metadata: { name }, involvedObject: { name }, type: 'Warning' }, this.#of.id)
    if (said) this.#eventLog.say(`event ${said.text}`, { at: end.lastTransitionTime ?? now(), ...said })
    return said?.text
  }

  async #see(pod: Pod): Promise<void> {
    const id = pod.metadata.name
    const before = this.#machines.get(id)
    const state = stateOf(pod, this.#api.now)
    const index = indexOf(pod)
    const { startTime, podIP } = pod.status ?? {}
    const gone = state === 'gone'
    const failure = gone ? endOf(pod) : undefined
    const otherwise = isUnreachable(pod, this.#api.now) ? 'its node does not answer' : 'its work is done'
    const reason = gone ? (failure ?? otherwise) : undefined
    const hasLog = failure !== undefined && !pod.metadata.deletionTimestamp
    const bootLog = hasLog ? (before?.bootLog ?? (await this.#bootLog(pod))) : undefined
    const stuck = state === 'starting' ? this.#stuck.hopeless(pod) : undefined
    this.#machines.set(id, {
      id,
      ...(index !== undefined && { index }),
      state,
      startedAt: startTime ?? pod.metadata.creationTimestamp ?? '',
      ...(podIP !== undefined && { address: podIP }),
      ...(reason !== undefined && { reason }),
      ...(stuck && { stuck: await this.#whyStuck(pod, stuck, before), stuckFor: stuck.time }),
      ...(gone && diedOfMemory(pod) && { cause: 'out-of-memory' as const }),
      ...(outgrewDisk(pod) && { cause: 'disk-full' as const }),
      ...(bootLog !== undefined && { bootLog }),
    })
    this.#announce(pod, index, failure)
  }

  /** A log is read once in each pause between two tries: until the next one, it does not change. `before`: the machine as of the last look. */
  async #whyStuck(pod: Pod, stuck: Stuck, before: Machine | undefined): Promise<string> {
    return before?.stuck?.startsWith(stuck.why) ? before.stuck : whyStuck(this.#api, pod, stuck)
  }

  /** The log of the container that failed, then the cluster's messages about the pod. */
  async #bootLog(pod: Pod): Promise<string> {
    const { name } = pod.metadata
    const log = await this.#api.log(name, failedContainer(pod)?.name ?? CONTAINER.program, LOG_LINES)
    return [...(log === '' ? [] : [log.trimEnd()]), ...(this.#heard.get(name) ?? [])].join('\n')
  }

  /** Tells when the next pod comes; a machine that is no longer wanted is not replaced. */
  #foretell(pod: Pod, job: Job): void {
    const wait = replacedIn(pod, this.#api.now)
    const index = indexOf(pod)
    if (wait === undefined || wantedOf(job) === 0 || (index ?? 0) >= (job.spec.parallelism ?? 0)) return
    if (stateOf(pod, this.#api.now) === 'gone' && endOf(pod) === undefined) return
    const { name } = pod.metadata
    const text = `pod ${name}: replacement in ${Math.ceil(wait / 1000)} s`
    this.#eventLog.say(`next ${name}`, { at: now(), kind: 'notice', text, machine: name, ...(index !== undefined && { index }) })
  }

  /** Reports a pod that the cluster takes away, or that has failed (`end`). */
  #announce(pod: Pod, index: number | undefined, end: string | undefined): void {
    const { name, deletionTimestamp } = pod.metadata
    const place = { machine: name, ...(index !== undefined && { index }) }
    const target = disruptionOf(pod)
    if (target) {
      const text = `pod ${name} is taken away (${target.reason ?? 'disruption'})`
      this.#eventLog.say(`target ${name}`, { at: target.lastTransitionTime ?? now(), kind: 'notice', text, ...place })
    }
    if (end !== undefined && !deletionTimestamp)
      this.#eventLog.say(`end ${name}`, { at: now(), kind: 'failure', text: `pod ${name}: ${end}`, ...place })
  }

  /** Its pod does not exist any more: it was deleted or evicted, or its node is gone. */
  #lose(machine: Machine): void {
    if (machine.state === 'gone') return
    this.#machines.set(machine.id, { ...machine, state: 'gone', reason: 'its pod was removed' })
    const place = { machine: machine.id, ...(machine.index !== undefined && { index: machine.index }) }
    if (machine.state !== 'leaving')
      this.#eventLog.say(`end ${machine.id}`, { at: now(), kind: 'failure', text: `pod ${machine.id} was removed`, ...place })
  }
}

/** Number of machines that should exist: one for each index that is not done. */
export function wantedOf(job: Job): number {
  if (isComplete(job) || failureOf(job) || job.metadata.deletionTimestamp) return 0
  const { parallelism = 0, completions = 1 } = job.spec
  return Math.min(parallelism, Math.max(0, completions - (job.status?.succeeded ?? 0)))
}

/** While this pod counts as running, the cluster makes no other one. One that has succeeded is left: it needs no successor. */
function isInTheWay(pod: Pod): boolean {
  return isHeldOpen(pod) && isLiving(pod) && programOf(pod)?.terminated?.exitCode !== 0
}

function stateOf(pod: Pod, now: number): Machine['state'] {
  if (!isPresent(pod, now) || isHeldOpen(pod)) return 'gone'
  if (pod.metadata.deletionTimestamp) return 'leaving'
  return programOf(pod)?.running ? 'running' : 'starting'
}

/** Events about these objects, oldest first. Events about earlier objects of the same names, which the cluster keeps for an hour, are left out. */
export async function happenings(api: Api, mine: (one: { readonly name?: string }) => boolean, since: Job): Promise<Happening[]> {
  const { creationTimestamp: made = '' } = since.metadata
  const found = await api.list<Happening>('events', {})
  return found
    .filter(({ involvedObject }) => mine(involvedObject))
    .filter(({ metadata: { creationTimestamp = made } }) => creationTimestamp >= made)
    .sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
}

/** When it happened. */
export function timeOf({ firstTimestamp, eventTime, lastTimestamp, metadata }: Happening): string {
  return firstTimestamp ?? eventTime ?? lastTimestamp ?? metadata.creationTimestamp ?? now()
}

const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
