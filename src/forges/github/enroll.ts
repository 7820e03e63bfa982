/** Just-in-time registrations: one for each job. With `jobs: unlimited`, a registration token, with which each machine registers itself. */

import { InputError, RemoteError } from '../../core/errors.ts'
import type { Enrollment, Eviction, ForgeContext, RunnerInfo, RunnerRequest } from '../../core/forge.ts'
import { settleAll } from '../../lib/settle-all.ts'
import type { EnrolledRunner } from '../../wire/runner.ts'
import { reasonOf } from '../errors.ts'
import type { Admission } from './admission.ts'
import { type Api, PAGE } from './api.ts'
import { registering } from './permissions.ts'
import { lasting, program } from './program.ts'
import type { Target } from './target.ts'

/** Registrations under way at a time. */
const SIDE_BY_SIDE = 6
/** Registrations between two lines that say how many there are. */
const NEWS = 25
/** Names to try if one is taken. */
const NAMES = 5

interface Raw {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly busy: boolean
  readonly labels: readonly { readonly name: string }[]
}

/** A label that no job names. It holds the time, in minutes since 1970, at which the runner was found without a machine. */
const NOTICED = /^tpi-unseen-(\d+)$/
const MINUTE = 60_000

function infoOf({ id, name, status, busy, labels }: Raw): RunnerInfo {
  const minutes = labels.flatMap((label) => NOTICED.exec(label.name)?.[1] ?? [])[0]
  const noticed = minutes === undefined ? {} : { noticed: Number(minutes) * MINUTE }
  return { id: String(id), name, online: status === 'online', busy, ...noticed }
}

export class Runners {
  readonly #api: Api
  readonly #target: Target
  readonly #admission: Admission
  readonly #log: ForgeContext['log']

  constructor(api: Api, target: Target, admission: Admission, log: ForgeContext['log']) {
    this.#api = api
    this.#admission = admission
    this.#target = target
    this.#log = log
  }

  async enroll(request: RunnerRequest): Promise<Enrollment> {
    const group = await this.#admission.groupId(request.group)
    if (request.jobs === null) return this.#admit(request, group)
    const made: { slot: number; k: number; id: string; name: string; value: string }[] = []
    const todo = [...request.places]
    const worker = async (): Promise<void> => {
      for (let place = todo.shift(); place; place = todo.shift()) {
        const one = this.#register(place.name, request, group)
        // If one fails, all will be removed, so no more are begun.
        one.catch(() => todo.splice(0))
        made.push({ ...place, ...(await one) })
        if (made.length % NEWS === 0) this.#log.info(`${made.length} of ${request.places.length} runners are registered`)
      }
    }
    try {
      await settleAll(Array.from({ length: Math.min(SIDE_BY_SIDE, todo.length) }, worker))
    } catch (failure) {
      await Promise.allSettled(made.map(async ({ id }) => this.evict(id)))
      throw failure
    }
    return {
      enrolled: made.map(({ slot, k, id, name }) => ({ slot, k, id, name })).sort((a, b) => a.slot - b.slot || a.k - b.k),
      credentials: made.map(({ slot, k, value }) => ({ slot, k, value })),
      program,
    }
  }

  async #admit(request: RunnerRequest, group: number): Promise<Enrollment> {
    if (request.group !== undefined) await this.#try(request, group)
    const value = await this.#admission.registrationToken()
    return {
      enrolled: request.places.map(({ slot, k, name }) => ({ slot, k, name })),
      credentials: request.places.map(({ slot, k }) => ({ slot, k, value })),
      program: lasting(this.#target, request),
    }
  }

  /**
   * The list of groups does not say which of them refuse these runners, and a machine that is refused cannot say why. So an unused runner
   * is registered as a test, and removed.
   */
  async #try(request: RunnerRequest, group: number): Promise<void> {
    const { id } = await this.#register(`${request.places[0]?.name}-t`, request, group)
    await this.evict(id)
  }

  /** A name is mostly taken by a call of tpi whose answer was lost. That registration is useless: it is removed, and another name is tried. */
  async #register(
    name: string,
    request: Pick<RunnerRequest, 'labels' | 'group'>,
    group: number,
  ): Promise<{ id: string; name: string; value: string }> {
    const { path, kind } = this.#target
    const { labels } = request
    for (let round = 0; round < NAMES; round++) {
      const own = round === 0 ? name : `${name}-r${round}`
      const answer = await this.#api.call({
        doing: `register runner ${own}`,
        method: 'POST',
        path: `${path}/actions/runners/generate-jitconfig`,
        body: { name: own, runner_group_id: group, labels, work_folder: '_work' },
        needs: registering(kind),
        accept: [409, 422],
        explain: async (status) => this.#admission.refusal(status, request.group),
      })
      if (answer.status === 201) {
        const { runner, encoded_jit_config: value } = answer.data as { runner: Raw; encoded_jit_config: string }
        return { id: String(runner.id), name: own, value }
      }
      if (answer.status === 422)
        throw new InputError(`labels: GitHub refuses to register runner ${own} with ${labels.join(', ')}: ${reasonOf(answer)}`)
      const taken = (await this.#named(own)).filter((runner) => runner.name === own)
      for (const { id, online, busy } of taken) if (!online && !busy) await this.evict(id)
    }
    throw new RemoteError(`GitHub: could not register runner ${name}: its name is taken, and so are ${NAMES - 1} others`)
  }

  /** Finds a runner by its id or, if that is not known, by its name. */
  async known({ id, name }: Pick<EnrolledRunner, 'id' | 'name'>): Promise<RunnerInfo | undefined> {
    return id === undefined ? (await this.#named(name)).find((one) => one.name === name) : this.one(id)
  }

  async #named(name: string): Promise<RunnerInfo[]> {
    const { data } = await this.#api.call({
      doing: `look for runner ${name}`,
      method: 'GET',
      path: `${this.#target.path}/actions/runners?name=${encodeURIComponent(name)}&per_page=${PAGE}`,
      needs: registering(this.#target.kind),
    })
    return (data as { runners: Raw[] }).runners.map(infoOf)
  }

  async list(prefix: string): Promise<RunnerInfo[]> {
    return (await this.#all()).filter(({ name }) => name.startsWith(prefix)).map(infoOf)
  }

  /** Upper and lower case do not matter in labels. */
  async equipped(labels: readonly string[]): Promise<RunnerInfo[]> {
    const has = (runner: Raw, label: string): boolean => runner.labels.some(({ name }) => name.toLowerCase() === label.toLowerCase())
    return (await this.#all()).filter((runner) => runner.status === 'online' && labels.every((label) => has(runner, label))).map(infoOf)
  }

  async #all(): Promise<Raw[]> {
    const { kind, path } = this.#target
    return this.#api.list({ doing: 'list runners', needs: registering(kind) }, `${path}/actions/runners`, 'runners')
  }

  /** `undefined`: it is gone. */
  async one(id: string): Promise<RunnerInfo | undefined> {
    const answer = await this.#api.call({
      doing: `look at runner ${id}`,
      method: 'GET',
      path: `${this.#target.path}/actions/runners/${id}`,
      needs: registering(this.#target.kind),
      accept: [404],
    })
    return answer.status === 404 ? undefined : infoOf(answer.data as Raw)
  }

  async notice(id: string, at: Date | undefined): Promise<void> {
    const path = `${this.#target.path}/actions/runners/${id}/labels`
    const purpose = { doing: `label runner ${id}`, path, needs: registering(this.#target.kind), accept: [404] }
    if (at) {
      await this.#api.call({ ...purpose, method: 'POST', body: { labels: [`tpi-unseen-${Math.floor(at.getTime() / MINUTE)}`] } })
      return
    }
    const { status, data } = await this.#api.call({ ...purpose, method: 'GET' })
    const { labels } = status === 404 ? { labels: [] } : (data as Pick<Raw, 'labels'>)
    for (const { name } of labels) if (NOTICED.test(name)) await this.#api.call({ ...purpose, method: 'DELETE', path: `${path}/${name}` })
  }

  async evict(id: string): Promise<Eviction> {
    const { status } = await this.#api.call({
      doing: `remove runner ${id}`,
      method: 'DELETE',
      path: `${this.#target.path}/actions/runners/${id}`,
      needs: registering(this.#target.kind),
      accept: [404, 422],
    })
    if (status === 404) return 'absent'
    return status === 422 ? 'busy' : 'removed'
  }
}
