/**
 * Everything the local cloud keeps, and where:
 *
 * ```
 * $TPI_HOME/store/                            the folder store of all deployments
 * $TPI_HOME/local/<id>/<incarnation>/
 *   group.json         tags, settings; written once, last: a folder without it was never finished
 *   agent.mjs          the agent, checked against its digest
 *   node               the Node that runs it: a hard link to the caller's own, which may be uninstalled during the run
 *   credentials.json   of the store, if it needs any (0600)
 *   wanted.json        wanted number of machines: controllers write it, the supervisor obeys
 *   claims/<n>.json    supervisors, one after the other: the highest number is the one in office
 *   reclaim-*.json     requested interruptions, removed once delivered
 *   events.jsonl       what happened
 *   supervisor.log
 *   machines/<machine>/
 *     machine.json     the configuration of the machine
 *     process.json     its agent
 *     beat             touched by the living agent about once a second
 *     notice.json      a reclaim, read by the agent
 *     departure.json   the agent's message when it leaves
 *     cgroup           where its control group is, if the host allowed making one
 *     exit.json        how it ended; written when all its processes are gone
 *     agent.log        its boot log
 *     work/ tmp/ run/  removed when it has ended, unless a failure is to be looked into
 * ```
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { CloudEvent, DeploymentTags } from '../../core/cloud.ts'
import { deploymentTags } from '../../core/tags.ts'
import { isGone } from '../../lib/error-code.ts'
import { appendJson, createJson, namesIn, readJson, writeJson } from '../../lib/files.ts'
import { count, dictionary, flag, json, line, maybe, number, object, oneOf, text, time } from '../../lib/shape.ts'
import { MACHINE, type MachineConfig } from '../../wire/machine.ts'
import { type Leaving, leaving, type Notice, noticeShape } from '../../wire/machine-side.ts'
import { otherVersion, VERSION } from '../../wire/parse.ts'
import { type HostedProcess, placedShape } from './host-identity.ts'

export interface GroupRecord {
  readonly v: typeof VERSION
  readonly tags: DeploymentTags
  /** Digest of `agent.mjs`. */
  readonly agent: string
  /** ISO. The group ends then at the latest. */
  readonly hardDeadline: string
  /** The same on the boot clock of the host that made the group. */
  readonly due: { readonly boot: string; readonly at: number }
  readonly settings: Settings
  /** The machines' own base environment. */
  readonly base: Readonly<Record<string, string>>
  readonly rehearse?: { readonly every: number; readonly seed: number }
  /** The work directory of a machine that has left the group is kept. */
  readonly keep?: boolean
}

/** Seconds. */
export interface Settings {
  /** Between a reclaim's notice and the end of the machine. */
  readonly notice: number
  /** Between SIGTERM and SIGKILL when the group shrinks. */
  readonly term: number
  /** Without a sign of life after which a machine counts as hung. */
  readonly silence: number
}

export interface WantedRecord {
  readonly count: number
  /** Why it is 0, if no command has set it to 0. */
  readonly why?: string
}

/** How a machine ended. */
export interface ExitRecord {
  readonly at: string
  /** `info`: as intended; `notice`: reclaimed; `failure`: anything else. */
  readonly kind: 'info' | 'notice' | 'failure'
  readonly reason: string
  /** The slot is done: the index gets no further machine. */
  readonly finished: boolean
  /** It ended soon after its start, without being told to. */
  readonly quick: boolean
  /** The group has shrunk, so nothing replaces this machine. */
  readonly dismissed?: boolean
}

export interface ReclaimRecord {
  readonly index?: number
}

export interface DepartureRecord {
  readonly why: Leaving
}

export interface MachineRecord {
  readonly config: MachineConfig
  readonly process?: HostedProcess
  readonly exit?: ExitRecord
}

const group = object<GroupRecord>({
  v: oneOf(VERSION),
  tags: deploymentTags,
  agent: line(256),
  hardDeadline: time,
  due: object<GroupRecord['due']>({ boot: line(256), at: number(-1e15, 1e15) }),
  settings: object<Settings>({ notice: number(0, 1e9), term: number(0, 1e9), silence: number(0, 1e9) }),
  base: dictionary(text(65_536), text(1 << 24), 100_000),
  rehearse: maybe(object<NonNullable<GroupRecord['rehearse']>>({ every: number(0, 1e12), seed: number(-1e12, 1e12) })),
  keep: maybe(flag),
})
const REASON = text(65_536)
const wanted = object<WantedRecord>({ count: count(), why: maybe(REASON) })
const exitShape = object<ExitRecord>({
  at: time,
  kind: oneOf('info', 'notice', 'failure'),
  reason: REASON,
  finished: flag,
  quick: flag,
  dismissed: maybe(flag),
})
const departure = object<DepartureRecord>({ why: leaving })
const credentials = dictionary(line(256), text(1 << 20), 100)
export const reclaimShape = object<ReclaimRecord>({ index: maybe(count()) })

export const localRoot = (home: string): string => join(home, 'local')
/** Throws if that cannot be told, for example without access. */
export const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
/** Suffix of a folder that is being removed, file by file. */
export const GOING = '.going'

/** One incarnation of one deployment. */
export class Group {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names)
  }

  async read(): Promise<GroupRecord | undefined> {
    return readJson(this.path('group.json'), group)
  }

  /** If another version of tpi has written the record, so that `read` finds none: what it says about that, for people. */
  async otherVersion(): Promise<string | undefined> {
    return otherVersion(await readJson(this.path('group.json'), json()))
  }

  async wanted(): Promise<WantedRecord> {
    return (await readJson(this.path('wanted.json'), wanted)) ?? { count: 0 }
  }

  /** `false`: the group is gone, or is just being removed. */
  async want(record: WantedRecord): Promise<boolean> {
    try {
      await writeJson(this.path('wanted.json'), record)
      return true
    } catch (error) {
      if (!isGone(error)) throw error
      return false
    }
  }

  async credentials(): Promise<Readonly<Record<string, string>> | undefined> {
    return readJson(this.path('credentials.json'), credentials)
  }

  async event(kind: CloudEvent['kind'], text: string, of: Pick<CloudEvent, 'index' | 'machine'> = {}): Promise<void> {
    const event: CloudEvent = { at: new Date().toISOString(), kind, text, ...of }
    await appendJson(this.path('events.jsonl'), event)
  }

  machine(name: string): MachineFolder {
    return new MachineFolder(this.path('machines', name), name)
  }

  async machines(): Promise<MachineFolder[]> {
    return (await namesIn(this.path('machines'))).map((name) => this.machine(name))
  }
}

export class MachineFolder {
  readonly folder: string
  /** Also the value of `TPI_MACHINE` in all its processes. */
  readonly name: string

  constructor(folder: string, name: string) {
    this.folder = folder
    this.name = name
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  /** `undefined` for a folder that a kill left before its first file. */
  async read(): Promise<MachineRecord | undefined> {
    const [config, process, exit] = await Promise.all([
      readJson(this.path('machine.json'), MACHINE.shape),
      readJson(this.path('process.json'), placedShape),
      readJson(this.path('exit.json'), exitShape),
    ])
    return config && { config, ...(process && { process }), ...(exit && { exit }) }
  }

  async departure(): Promise<DepartureRecord | undefined> {
    return readJson(this.path('departure.json'), departure)
  }

  async notice(): Promise<Notice | undefined> {
    return readJson(this.path('notice.json'), noticeShape)
  }

  /** Records its end. `false`: it was already recorded. */
  async ended(record: ExitRecord): Promise<boolean> {
    return createJson(this.path('exit.json'), record)
  }
}
