/**
 * Out of the group, by the call that takes the wanted size down with the machine:
 * https://docs.cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers/deleteInstances
 *
 * One that wants a successor then has the size set to what is open, and only upwards: never to `recreateInstances`, which keeps a zone that may
 * have no room, and never by adding one, which two that go at the same moment would get wrong.
 */
import { randomUUID } from 'node:crypto'
import { textUpTo } from '../../lib/answer.ts'
import type { GoogleMetadata } from '../../lib/google/metadata.ts'
import { reachable } from '../../lib/reachable.ts'
import { count, line, list, maybe, object } from '../../lib/shape.ts'
import { messageOf, oneLine } from '../../lib/text.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { Leaving, OpenSlots, OpenWork } from '../../wire/machine-side.ts'
import { parseShape } from '../../wire/parse.ts'
import { patiently } from '../vm/patiently.ts'

/** Milliseconds: a machine that cannot leave is switched off, and its group makes it again. */
const PATIENCE = 90_000
/** Bytes of an answer. */
const LONGEST_ANSWER = 4 << 20
const TIMEOUT = 15_000
const COMPUTE = 'https://compute.googleapis.com/compute/v1/'

interface Operation {
  readonly name: string
  readonly status: string
  readonly error?: { readonly errors?: readonly { readonly code?: string; readonly message?: string }[] }
}

const operation = object<Operation>({
  name: line(512),
  status: line(64),
  error: maybe(
    object<NonNullable<Operation['error']>>({
      errors: maybe(list(object<{ code?: string; message?: string }>({ code: maybe(line(256)), message: maybe(line(4096)) }), 100)),
    }),
  ),
})
const manager = object<{ targetSize: number }>({ targetSize: count(100_000) })

/** Idempotent: an instance or a group that is not there, and a group that wants none, are fine. Throws when it could not be done. */
export async function remove(config: MachineConfig, why: Leaving, open: OpenSlots | undefined, metadata: GoogleMetadata): Promise<void> {
  const group = new Group(config, metadata)
  const before = why === 'replace' ? await group.size() : undefined
  if (!(await group.deleteSelf()) || !before) return
  const work = await open?.()
  const [after, wanted] = [await group.size(), work ? wantedBy(work) : before]
  // From more than one to none is not our doing: somebody has ended the group meanwhile.
  if (after === undefined || (after === 0 && before > 1) || after >= wanted) return
  await group.resize(wanted)
  const now = await open?.()
  if (now === undefined || wantedBy(now) > 0) return
  // A stop has come in between: what was raised goes back, and no further, since siblings may still save for as long as their grace lasts.
  const size = await group.size()
  if (size) await group.resize(Math.max(0, size - (wanted - after)))
}

const wantedBy = ({ open, stopped }: OpenWork): number => (stopped ? 0 : open)

/** Proves that the API by which this machine leaves can be reached: where it cannot, its work would never end. */
export async function answers(config: MachineConfig): Promise<void> {
  await reachable(rootOf(config), 'the Compute API', 'a network without a way out needs Private Google Access or a Cloud NAT')
}

class Group {
  readonly #config: MachineConfig
  readonly #metadata: GoogleMetadata
  readonly #end = performance.now() + PATIENCE

  constructor(config: MachineConfig, metadata: GoogleMetadata) {
    this.#config = config
    this.#metadata = metadata
  }

  /** What it wants; `undefined`: there is no such group. */
  async size(): Promise<number | undefined> {
    const text = await this.#call('GET', this.#path())
    return text === undefined ? undefined : parseShape(manager, text).targetSize
  }

  /** `false`: there is no such group. Its name and zone, which only the machine itself knows for sure, come from its metadata. */
  async deleteSelf(): Promise<boolean> {
    const [name, zone] = await this.#patiently(async () => await Promise.all(['name', 'zone'].map((path) => this.#own(path))))
    const instances = [`zones/${zone?.split('/').at(-1)}/instances/${name}`]
    // One that is being deleted already is skipped.
    const body = { instances, skipInstancesOnValidationError: true }
    return await this.#change('deleteInstances', {}, body)
  }

  async resize(size: number): Promise<void> {
    await this.#change('resize', { size: String(size) })
  }

  /** Until it is done: only then does the size that is read show it. */
  async #change(verb: string, params: Readonly<Record<string, string>>, body?: object): Promise<boolean> {
    // The same in each try: one whose answer was lost counts once.
    const query = new URLSearchParams({ ...params, requestId: randomUUID() })
    const text = await this.#call('POST', this.#path(`/${verb}?${query.toString()}`), body)
    for (let said = text; said !== undefined; ) {
      const { name, status, error } = parseShape(operation, said)
      const [first] = error?.errors ?? []
      if (first) throw new Error(`could not leave the group: ${oneLine(`${first.code ?? ''}: ${first.message ?? ''}`)}`)
      if (status === 'DONE') return true
      said = await this.#call('POST', this.#region(`operations/${name}/wait`))
    }
    return false
  }

  async #own(path: string): Promise<string> {
    const text = await this.#metadata.get(`instance/${path}`)
    if (text === undefined) throw new Error(`metadata service: this machine has no ${path}`)
    return text.trim()
  }

  #region(path: string): string {
    const { project, region } = this.#config.side ?? {}
    if (!project || !region) throw new Error('config: project and region of the group are missing')
    return `${rootOf(this.#config)}projects/${project}/regions/${region}/${path}`
  }

  #path(more = ''): string {
    return this.#region(`instanceGroupManagers/${this.#config.side?.['group'] ?? ''}${more}`)
  }

  /** What it answers; `undefined`: there is no such thing. Rights of a new account take a while to be known, and so may anything else. */
  async #call(method: string, url: string, body?: object): Promise<string | undefined> {
    return await this.#patiently(async () => {
      const { credentials } = await this.#metadata.token()
      const headers = { authorization: `Bearer ${credentials.token}`, 'content-type': 'application/json' }
      const signal = AbortSignal.timeout(TIMEOUT)
      const reply = await fetch(url, { method, headers, signal, redirect: 'error', ...(body && { body: JSON.stringify(body) }) })
      const text = await textUpTo(LONGEST_ANSWER, reply)
      if (reply.status === 404) return undefined
      const final = reply.status === 400 || reply.status === 412
      if (!reply.ok) throw new Refused(`${reply.status} ${oneLine(/"message":\s*"([^"]*)"/.exec(text ?? '')?.[1] ?? '')}`, final)
      if (text === undefined) throw new Error(`the answer is longer than ${LONGEST_ANSWER} bytes`)
      return text
    })
  }

  async #patiently<T>(body: () => Promise<T>): Promise<T> {
    const again = (error: unknown): boolean => !(error instanceof Refused && error.final)
    return await patiently(this.#end, body, again).catch((error: unknown) => {
      throw new Error(`could not leave the group: ${messageOf(error)}`, { cause: error })
    })
  }
}

class Refused extends Error {
  readonly final: boolean
  constructor(message: string, final: boolean) {
    super(message)
    this.final = final
  }
}

function rootOf({ side }: MachineConfig): string {
  return (side?.['endpoint'] ?? COMPUTE).replace(/\/*$/, '/')
}
