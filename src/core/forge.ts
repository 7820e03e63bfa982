/**
 * What the rest of tpi needs from a forge, which hands jobs to runners: registering runners there, looking at them, removing them. No cloud in it.
 */
import type { Env } from '../lib/env.ts'
import type { EnrolledRunner, RunnerProgram, RunnerScope, ServedJob } from '../wire/runner.ts'
import type { ForgeCi } from './ci.ts'
import type { Clock, Log } from './cloud.ts'

/** Whom runners serve. */
export interface RunnerTarget {
  readonly kind: 'repository' | 'organization' | 'enterprise'
  readonly name: string
}

/** Everything that a forge may know about its surroundings is passed in. */
export interface ForgeContext {
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Until when (`Clock.now`) a forge that is out of reach is waited for; absent: two minutes at each call. */
  readonly until?: number
  /** From then on the value is never printed. */
  mask(secret: string): void
  readonly token?: string
  /** Identity of an application, in place of a token: its id and its private key (PEM). */
  readonly app?: { readonly id: string; readonly key: string }
  /** Address of the forge, or of its API. */
  readonly url?: string
  /** Absent: as the CI job that runs this command says. */
  readonly target?: RunnerTarget
  /**
   * Where the runners of an earlier deployment are registered, according to its record. It counts instead of `url` and `target`, but only if it is
   * at the host that these or the environment name.
   */
  readonly scope?: RunnerScope
}

export interface RunnerRequest {
  /** One for each registration; no runner has any of these names yet. */
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
  /** Present if jobs run in containers that the runner starts. */
  readonly containers?: ContainerRequest
  /** Version of the runner program, which then does not update itself; absent: the one that the forge offers. */
  readonly version?: string
  /** ISO: registrations may expire then. */
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

/** What a forge contributes to a deployment, as plain data. */
export interface Enrollment {
  readonly enrolled: readonly EnrolledRunner[]
  /** What machines register with, or are registered by: as many for each slot as `Forge.supply` says. */
  readonly credentials: readonly { readonly slot: number; readonly k: number; readonly value: string }[]
  readonly program: Omit<RunnerProgram, 'archive'>
}

export interface ForgeAccount {
  readonly name: string
  readonly warnings: readonly string[]
  /** For people: what to set up so that jobs that were cut off are re-run. */
  readonly advice?: string
  /**
   * For people: why strangers can propose jobs that these runners would run, such as `X is public`; absent: they cannot, as far as the forge says.
   */
  readonly open?: string
}

export interface RunnerInfo {
  readonly id: string
  readonly name: string
  readonly online: boolean
  readonly busy: boolean
  /** Milliseconds since 1970 when `notice` noted that its machine could not be found. Absent if it was not noted, or a machine has come since. */
  readonly noticed?: number
}

/** `busy`: as far as the forge knows, it is running a job, so it was not removed. */
export type Eviction = 'removed' | 'absent' | 'busy'

/** A question for jobs that were cut off, and of which neither machines nor commands have a record. */
export interface CutOffRequest {
  /** Registrations of which no job is on record, and whose machines were taken away. */
  readonly enrolled: readonly EnrolledRunner[]
  /** Each of them may have served any number of jobs; some of these may be on record. */
  readonly lasting?: boolean
  readonly labels: readonly string[]
  /** When the machines lived that were taken away, ISO. */
  readonly away: readonly { readonly from: string; readonly to: string }[]
  /** If the scope has several repositories: those in which there were jobs. */
  readonly repositories: readonly string[]
  /** Runs in which these jobs are most likely. */
  readonly runs?: readonly { readonly repository: string; readonly run: string }[]
}

export interface Rerun {
  /** `waiting`: the forge does not allow it yet. */
  readonly how: 'rerun' | 'waiting' | 'refused'
  /** For people: what was re-run, or why not. */
  readonly says: string
  /** The answer is final: nobody needs to ask again about these jobs. */
  readonly final?: true
}

export interface Forge {
  readonly scope: RunnerScope
  /** For people: `repository octo/hello at github.com`. */
  readonly title: string
  /**
   * Checks the token and its rights; creates nothing. Without a request: for runners in the default group. `timeout`: seconds that they may exist.
   */
  whoami(request?: Partial<Pick<RunnerRequest, 'group' | 'jobs'>> & { readonly timeout?: number }): Promise<ForgeAccount>
  /** Which runner program these machines need. Downloads nothing. */
  download(request: Pick<RunnerRequest, 'platform' | 'version' | 'containers'>): Promise<RunnerDownload>
  /** How many credentials each slot needs, so that all its jobs and replacements are served. */
  supply(request: Pick<RunnerRequest, 'jobs'>): number
  /** Registers runners. After an error, what was registered is removed again. */
  enroll(request: RunnerRequest): Promise<Enrollment>
  /** Runners whose names start with this. */
  runners(prefix: string): Promise<readonly RunnerInfo[]>
  /** Looks for these runners with the cheapest calls; for those without an id by their names. */
  look(enrolled: readonly EnrolledRunner[]): Promise<readonly RunnerInfo[]>
  /** A runner as it is now, with what was noted about it; `undefined`: it is gone. */
  one(id: string): Promise<RunnerInfo | undefined>
  /** All runners that are online and have all of these labels, no matter who started them. */
  equipped(labels: readonly string[]): Promise<readonly RunnerInfo[]>
  /** Notes at the forge that a runner's machine could not be found; `undefined`: removes the note. */
  notice(id: string, at: Date | undefined): Promise<void>
  /** Removes a runner, unless it is running a job. */
  evict(id: string): Promise<Eviction>
  /** Jobs that were cut off with their machines, and that no hook has recorded. */
  cutOff(request: CutOffRequest): Promise<readonly ServedJob[]>
  /**
   * Re-runs jobs of one run that were cut off, unless that was done `most` times already. Never a job that failed by itself. `served`: the other
   * jobs of the same runners, in their order, to tell jobs apart that look the same.
   */
  rerun(jobs: readonly ServedJob[], most: number, served?: readonly ServedJob[]): Promise<Rerun>
  /**
   * How many jobs are waiting for runners with these labels. (The first label is the one that only these runners have.) If the scope has several
   * repositories: in these.
   */
  waiting(labels: readonly string[], repositories: readonly string[]): Promise<number>
}

/** A pull or merge request on which tpi keeps its comments current. */
export interface Discussion {
  /** For people: `pull request 7 of octo/hello`. */
  readonly title: string
  /** The most characters that a comment may have. */
  readonly most: number
  /** Makes the comment that begins with this mark, or changes it if it exists. Resolves to the address of its page. */
  put(mark: string, text: string): Promise<{ readonly url: string; readonly how: 'made' | 'changed' }>
  /** Uploads a picture; resolves to its address for use in a comment. Absent: the forge takes no pictures. */
  upload?(file: string, bytes: Uint8Array): Promise<string>
}

/** Static facts of a forge: always loaded, costs nothing. */
export interface ForgeDescriptor {
  readonly id: string
  readonly title: string
  readonly ci: ForgeCi
  /** Hosts of the public forge; the first one is what people call it. */
  readonly publicHosts: readonly [string, ...string[]]
  /** For people: what becomes of a registration that nobody removes, unless `RunnerRegistration.stays` says something else. */
  readonly forgets: string
  /** The forge's own container image for runners, with everything that its runner and the first steps of jobs need. */
  readonly image: string
  /** Labels that the forge itself adds on such a platform. */
  defaultLabels(platform: Platform): readonly string[]
  /** The smallest set of rights that a token needs, as text to hand to the person who makes it. */
  readonly permissions: string
  readonly can: {
    /** It has groups of runners. */
    readonly groups: boolean
    /** The runner decides in which containers jobs run. */
    readonly containers: boolean
    /** Its runner program can make a pod for each job. */
    readonly jobPods: boolean
  }
  load(): Promise<{ open(context: ForgeContext): Promise<Forge> }>
  /** The pull or merge request with this number, or that of this CI job; `undefined`: there is none. */
  discussions(): Promise<{ discussion(context: ForgeContext, number?: number): Promise<Discussion | undefined> }>
}
