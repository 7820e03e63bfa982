/** What a forge is to us: a place that hands jobs to runners, where runners are registered, seen and removed. It never hears of clouds. */
import type { EnrolledRunner, RunnerProgram, RunnerScope, ServedJob } from '../wire/runner.ts'
import type { ForgeCi } from './ci.ts'
import type { Clock, Log } from './cloud.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Who or what runners are registered for. `undefined` kind: as the forge's own CI job around us says. */
export interface RunnerTarget {
  readonly kind: 'repository' | 'organization' | 'enterprise' | 'group' | 'instance'
  readonly name: string
}

/** Everything a forge may know of its surroundings is handed to it. */
export interface ForgeContext {
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly signal: AbortSignal
  /** On the clock: until then a forge that is away is waited for, visibly; absent: two minutes at each call. */
  readonly until?: number
  /** From here on the value is never printed. */
  mask(secret: string): void
  readonly token?: string
  /** Identity of an application, in place of a token: its id and its private key (PEM). */
  readonly app?: { readonly id: string; readonly key: string }
  /** Address of the forge, or of its API. */
  readonly url?: string
  readonly target?: RunnerTarget
  /** Where an earlier deployment was registered, by its record: wins over url and target, at the host that these or the environment name. */
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
  /** Of the forge's runner program, which stays that; absent: the one that the forge offers. */
  readonly version?: string
  /** ISO: a registration need not outlive it. */
  readonly deadline: string
}

export interface ContainerRequest {
  /** For jobs that name none. */
  readonly image: string
  readonly volumes: readonly string[]
  readonly gpus: boolean
}

export interface Platform {
  readonly os: 'linux' | 'darwin'
  readonly arch: 'x64' | 'arm64'
}

/** Where the forge's runner program is to be had. */
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
  /** For people: what has to be written where for jobs that were cut off to run again. */
  readonly advice?: string
  /** For people: what everybody can propose jobs to that these runners would run, as `X is public`; absent: nothing that the forge tells of. */
  readonly open?: string
}

export interface RunnerInfo {
  readonly id: string
  readonly name: string
  readonly online: boolean
  readonly busy: boolean
  /** Milliseconds since 1970: when somebody looked in vain for its machine, as noted by `notice`; absent also where the forge knows that one came since. */
  readonly noticed?: number
}

/** `busy`: it runs a job, as far as the forge knows, and stays. */
export type Eviction = 'removed' | 'absent' | 'busy'

/** Jobs of which neither machines nor commands have a record, as their forge may know them. */
export interface CutOffRequest {
  /** Registrations that a machine which went away may have used, without any job of theirs on record. */
  readonly enrolled: readonly EnrolledRunner[]
  /** Each may have served any number of jobs, and the record tells of others. */
  readonly lasting?: boolean
  readonly labels: readonly string[]
  /** Lives of machines that were taken away, ISO. */
  readonly away: readonly { readonly from: string; readonly to: string }[]
  /** Where the scope has several: those that are known already. */
  readonly repositories: readonly string[]
  /** Runs in which its jobs are most likely. */
  readonly runs?: readonly { readonly repository: string; readonly run: string }[]
}

/** `waiting`: the forge does not allow it yet. */
export interface Rerun {
  readonly how: 'rerun' | 'waiting' | 'refused'
  /** For people: what was re-run, or why not. */
  readonly says: string
  /** Of these jobs nothing else will ever be said: nobody need ask again. */
  readonly final?: true
}

export interface Forge {
  readonly scope: RunnerScope
  /** For people: `repository octo/hello at github.com`. */
  readonly title: string
  /** Proves token and permission, and creates nothing. Without a request: of runners in the usual group. `timeout`: seconds for which they may be there. */
  whoami(request?: Partial<Pick<RunnerRequest, 'group' | 'jobs'>> & { readonly timeout?: number }): Promise<ForgeAccount>
  /** Which program these machines need. Creates nothing. */
  download(request: Pick<RunnerRequest, 'platform' | 'version' | 'containers'>): Promise<RunnerDownload>
  /** How many credentials each slot needs, so that all its jobs and replacements are served. */
  supply(request: Pick<RunnerRequest, 'jobs'>): number
  /** Registers. What was made before an error is removed again. */
  enroll(request: RunnerRequest): Promise<Enrollment>
  /** Those whose names start with this. */
  runners(prefix: string): Promise<readonly RunnerInfo[]>
  /** The same ones again, by what is cheapest; those without an id by their names. */
  look(enrolled: readonly EnrolledRunner[]): Promise<readonly RunnerInfo[]>
  /** One of them as it is now, with what was noted about it; `undefined`: it is gone. */
  one(id: string): Promise<RunnerInfo | undefined>
  /** Those that are online and have all of these labels, no matter who started them. */
  equipped(labels: readonly string[]): Promise<readonly RunnerInfo[]>
  /** Notes at the forge that its machine was looked for in vain; `undefined`: takes the note back. */
  notice(id: string, at: Date | undefined): Promise<void>
  evict(id: string): Promise<Eviction>
  /** Jobs that were cut off with their machines, beside those that its hooks have put on record. */
  cutOff(request: CutOffRequest): Promise<readonly ServedJob[]>
  /** Runs interrupted jobs of one run again, unless it was done `most` times already. Never a job that failed by itself; `served`: what the same runners had besides, in that order, which tells jobs apart. */
  rerun(jobs: readonly ServedJob[], most: number, served?: readonly ServedJob[]): Promise<Rerun>
  /** Jobs that wait for runners with these labels, the unique one first; where the scope has several repositories, in those that are named. */
  waiting(labels: readonly string[], repositories: readonly string[]): Promise<number>
}

/** A pull or merge request on which tpi keeps its comments current. */
export interface Discussion {
  /** For people: `pull request 7 of octo/hello`. */
  readonly title: string
  /** Characters that it takes of a comment. */
  readonly most: number
  /** Makes the comment that begins with this mark, or changes the one that there is. Resolves to its page. */
  put(mark: string, text: string): Promise<{ readonly url: string; readonly how: 'made' | 'changed' }>
  /** Resolves to what a comment can name it by; absent where the forge has no place for pictures. */
  upload?(file: string, bytes: Uint8Array): Promise<string>
}

/** Static facts of a forge: always loaded, costs nothing. */
export interface ForgeDescriptor {
  readonly id: string
  readonly title: string
  readonly ci: ForgeCi
  /** For people: what becomes of a registration that nobody removes, unless it says something else of itself. */
  readonly forgets: string
  /** The image that its own makers publish for runners as containers, with all that its runner and the first steps of jobs need. */
  readonly image: string
  /** Labels that its own set-up adds, by platform. */
  defaultLabels(platform: Platform): readonly string[]
  /** The least rights a token needs, as text to hand to the person who makes it. */
  readonly permissions: string
  /** `containers`: it is the runner that says in which containers jobs run. */
  /** `jobPods`: its runner program has each job in a pod that it makes itself. */
  readonly can: { readonly groups: boolean; readonly containers: boolean; readonly jobPods: boolean }
  load(): Promise<{ open(context: ForgeContext): Promise<Forge> }>
  /** What the commit is discussed in: by its number, or that of the CI job around us; `undefined`: there is none. */
  discussions(): Promise<{ discussion(context: ForgeContext, number?: number): Promise<Discussion | undefined> }>
}
