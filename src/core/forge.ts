/**
 * What the rest of tpi needs from a forge: it hands jobs to runners, and runners are registered, seen and removed there. It knows nothing
 * of clouds.
 */
import type { Env } from '../lib/env.ts'
import type { EnrolledRunner, RunnerProgram, RunnerScope, ServedJob } from '../wire/runner.ts'
import type { ForgeCi } from './ci.ts'
import type { Clock, Log } from './cloud.ts'

/** For whom or what runners are registered. `undefined` kind: as the CI job that runs this command says. */
export interface RunnerTarget {
  readonly kind: 'repository' | 'organization' | 'enterprise' | 'group' | 'instance'
  readonly name: string
}

/** Everything that a forge may know about its surroundings is passed in. */
export interface ForgeContext {
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly signal: AbortSignal
  /** On the clock: how long to wait, visibly, for a forge that is out of reach; absent: two minutes at each call. */
  readonly until?: number
  /** From here on the value is never printed. */
  mask(secret: string): void
  readonly token?: string
  /** Identity of an application, in place of a token: its id and its private key (PEM). */
  readonly app?: { readonly id: string; readonly key: string }
  /** Address of the forge, or of its API. */
  readonly url?: string
  readonly target?: RunnerTarget
  /**
   * Where an earlier deployment was registered, according to its record: wins over url and target, but only at the host that these or the
   * environment name.
   */
  readonly scope?: RunnerScope
}

export interface RunnerRequest {
  /** Names that no runner has yet, one per registration. */
  readonly places: readonly { readonly slot: number; readonly k: number; readonly name: string }[]
  readonly labels: readonly string[]
  /** Group of runners at the forge, by its name. */
  readonly group?: string
  /** Jobs per slot; `null` = without limit. */
  readonly jobs: number | null
  /** Seconds; `null` = never. */
  readonly idle: number | null
  readonly platform: Platform
  /** Plain environment of the jobs. */
  readonly env: Readonly<Record<string, string>>
  /** Jobs run in containers that the runner starts. */
  readonly containers?: ContainerRequest
  /** Version of the forge's runner program, which then does not update itself; absent: the one that the forge offers. */
  readonly version?: string
  /** ISO: a registration does not have to outlive it. */
  readonly deadline: string
}

export interface ContainerRequest {
  /** For jobs without an image of their own. */
  readonly image: string
  readonly volumes: readonly string[]
  readonly gpus: boolean
}

export interface Platform {
  readonly os: 'linux' | 'darwin'
  readonly arch: 'x64' | 'arm64'
}

/** Where to get the forge's runner program. */
export interface RunnerDownload {
  readonly version: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256, hex; absent where the forge publishes none. */
  readonly digest?: string
  /** It is one program of this name, not an archive. */
  readonly file?: string
  /** What the caller should know about this version. */
  readonly warning?: string
}

/** What a forge contributes to a deployment: data only. */
export interface Enrollment {
  readonly enrolled: readonly EnrolledRunner[]
  /** One per registration, and per machine that may need one, or one that a machine registers with. */
  readonly credentials: readonly { readonly slot: number; readonly k: number; readonly value: string }[]
  readonly program: Omit<RunnerProgram, 'archive'>
}

export interface ForgeAccount {
  readonly name: string
  readonly warnings: readonly string[]
  /** For people: what to write where, so that jobs that were cut off are re-run. */
  readonly advice?: string
  /** For people: where anybody can propose jobs that these runners would run, as `X is public`; absent: nowhere, as far as the forge says. */
  readonly open?: string
}

export interface RunnerInfo {
  readonly id: string
  readonly name: string
  readonly online: boolean
  readonly busy: boolean
  /** Milliseconds since 1970: when its machine could not be found, as noted by `notice`; also absent if the forge knows that one has come since. */
  readonly noticed?: number
}

/** `busy`: it is running a job, as far as the forge knows, and was not removed. */
export type Eviction = 'removed' | 'absent' | 'busy'

/** Jobs of which neither machines nor commands have a record, as their forge may know them. */
export interface CutOffRequest {
  /** Registrations that a machine which went away may have used, without any job of theirs on record. */
  readonly enrolled: readonly EnrolledRunner[]
  /** Each may have served any number of jobs, and the record names others. */
  readonly lasting?: boolean
  readonly labels: readonly string[]
  /** Lives of machines that were taken away, ISO. */
  readonly away: readonly { readonly from: string; readonly to: string }[]
  /** If the scope has several repositories: those that are known already. */
  readonly repositories: readonly string[]
  /** Runs in which its jobs are most likely. */
  readonly runs?: readonly { readonly repository: string; readonly run: string }[]
}

/** `waiting`: the forge does not allow it yet. */
export interface Rerun {
  readonly how: 'rerun' | 'waiting' | 'refused'
  /** For people: what was re-run, or why not. */
  readonly says: string
  /** For these jobs the answer is final: there is no need to ask again. */
  readonly final?: true
}

export interface Forge {
  readonly scope: RunnerScope
  /** For people: `repository octo/hello at github.com`. */
  readonly title: string
  /**
   * Checks token and permission; creates nothing. Without a request: for runners in the default group. `timeout`: seconds for which they
   * may exist.
   */
  whoami(request?: Partial<Pick<RunnerRequest, 'group' | 'jobs'>> & { readonly timeout?: number }): Promise<ForgeAccount>
  /** Which program these machines need. Creates nothing. */
  download(request: Pick<RunnerRequest, 'platform' | 'version' | 'containers'>): Promise<RunnerDownload>
  /** How many credentials each slot needs, so that all its jobs and replacements are served. */
  supply(request: Pick<RunnerRequest, 'jobs'>): number
  /** Registers. What was made before an error is removed again. */
  enroll(request: RunnerRequest): Promise<Enrollment>
  /** Those whose names start with this. */
  runners(prefix: string): Promise<readonly RunnerInfo[]>
  /** Looks for the same ones again, with the cheapest calls; those without an id by their names. */
  look(enrolled: readonly EnrolledRunner[]): Promise<readonly RunnerInfo[]>
  /** One of them as it is now, with what was noted about it; `undefined`: it is gone. */
  one(id: string): Promise<RunnerInfo | undefined>
  /** All that are online and have all of these labels, no matter who started them. */
  equipped(labels: readonly string[]): Promise<readonly RunnerInfo[]>
  /** Notes at the forge that its machine could not be found; `undefined`: removes the note. */
  notice(id: string, at: Date | undefined): Promise<void>
  evict(id: string): Promise<Eviction>
  /** Jobs that were cut off with their machines, other than those that its hooks have recorded. */
  cutOff(request: CutOffRequest): Promise<readonly ServedJob[]>
  /**
   * Re-runs interrupted jobs of one run, unless that was done `most` times already. Never a job that failed by itself. `served`: the other
   * jobs of the same runners, in their order, to tell jobs apart.
   */
  rerun(jobs: readonly ServedJob[], most: number, served?: readonly ServedJob[]): Promise<Rerun>
  /** Jobs that are waiting for runners with these labels, the unique one first; if the scope has several repositories, only in those named. */
  waiting(labels: readonly string[], repositories: readonly string[]): Promise<number>
}

/** A pull or merge request on which tpi keeps its comments current. */
export interface Discussion {
  /** For people: `pull request 7 of octo/hello`. */
  readonly title: string
  /** The most characters that a comment may have. */
  readonly most: number
  /** Makes the comment that begins with this mark, or changes the existing one. Resolves to its page. */
  put(mark: string, text: string): Promise<{ readonly url: string; readonly how: 'made' | 'changed' }>
  /** Resolves to the address for use in a comment; absent if the forge does not take pictures. */
  upload?(file: string, bytes: Uint8Array): Promise<string>
}

/** Static facts of a forge: always loaded, costs nothing. */
export interface ForgeDescriptor {
  readonly id: string
  readonly title: string
  readonly ci: ForgeCi
  /** Of the public one; the first is what people call it. */
  readonly publicHosts: readonly [string, ...string[]]
  /** For people: what becomes of a registration that nobody removes, unless the registration itself has another text. */
  readonly forgets: string
  /** The forge's own container image for runners, with everything that its runner and the first steps of jobs need. */
  readonly image: string
  /** Labels that its own set-up adds, by platform. */
  defaultLabels(platform: Platform): readonly string[]
  /** The smallest set of rights that a token needs, as text to hand to the person who makes it. */
  readonly permissions: string
  /** `containers`: the runner decides in which containers jobs run. */
  /** `jobPods`: its runner program can make a pod for each job. */
  readonly can: { readonly groups: boolean; readonly containers: boolean; readonly jobPods: boolean }
  load(): Promise<{ open(context: ForgeContext): Promise<Forge> }>
  /** The pull or merge request with this number, or that of this CI job; `undefined`: there is none. */
  discussions(): Promise<{ discussion(context: ForgeContext, number?: number): Promise<Discussion | undefined> }>
}
