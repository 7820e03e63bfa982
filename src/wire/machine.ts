/** The configuration that a machine gets when it is created, as a file. The little that is secret comes by pipe. */
import { count, dictionary, flag, line, list, maybe, object, oneOf, text, time } from '../lib/shape.ts'
import { label, parseShape, type RecordKind, VERSION, word } from './parse.ts'
import type { StorePlace } from './store.ts'

/** Ends of the names of what lies beside a folder that is restored and saved, such as a work directory. */
export const BESIDE = {
  /** The tree that is being restored, until it is complete. */
  part: '.part',
  /** Copies of files, while they are read. */
  copies: '.frozen',
} as const

export interface MachineConfig {
  readonly v: typeof VERSION
  /** The cloud whose machine side handles notices and leaving. */
  readonly cloud: string
  readonly id: string
  readonly incarnation: string
  /** Name of this machine, unique for ever. Also `TPI_MACHINE` of everything it starts. */
  readonly machine: string
  /** In numbered groups, slot = index; in others, the machine looks for a free slot. */
  readonly index?: number
  readonly address?: string
  /** Absolute folder of this machine: work/, tmp/, log files. */
  readonly home: string
  /** Machines of this group that are known to be dead, including their scripts: their slots are taken over at once. */
  readonly dead?: readonly string[]
  /** The deployment may be incomplete when this machine starts. */
  readonly ahead?: boolean
  /** What else the machine side of its cloud needs to know: its group, endpoints. Never a secret. */
  readonly side?: Readonly<Record<string, string>>
  /** Present if the machine runs a whole operating system: as which user the script runs there, and what it must not reach. */
  readonly system?: OwnSystem
  /**
   * Its cloud cannot run commands on it, so it runs those that control.json asks for. On other clouds, writing to the store cannot make a
   * machine run anything.
   */
  readonly execs?: boolean
  /** ISO. Whatever else happens, nothing of this machine runs past it. */
  readonly hardDeadline: string
  /** Place of the store. Its credentials, if any, come as one JSON line on stdin or from `credentialsFile`, which is removed once read. */
  readonly store: StorePlace
  readonly credentialsFile?: string
  /** `stdin`: one JSON line with credentials (or `{}`) is waiting there. `machine`: its cloud lends them to it (`MachineSide.storeCredentials`). */
  readonly credentials: 'stdin' | 'file' | 'machine' | 'none'
}

export interface OwnSystem {
  /** The script's user may become root. */
  readonly sudo: boolean
  /** Addresses of services that the script must not reach, except to resolve names: `169.254.169.254`, `fd00:ec2::254`. */
  readonly closed?: readonly string[]
  /** The folder of the machine lies on its local disks. */
  readonly scratch?: boolean
  /** Network file systems that are mounted before the script starts. */
  readonly mounts?: readonly NetworkMount[]
  /** What is downloaded from elsewhere before the script starts. */
  readonly data?: readonly FetchedData[]
}

export interface NetworkMount {
  /** As mount(8) has it. */
  readonly source: string
  /** Absolute. */
  readonly path: string
  readonly type: 'nfs' | 'lustre'
  /** As `mount -o` has them. */
  readonly options: string
}

/** Everything below a place that the machine's identity may read. */
export interface FetchedData {
  readonly from: StorePlace
  /** Absolute. */
  readonly path: string
}

/** Of each kind, for one machine. */
export const MOST_SOURCES = 10

const PATH = text(4096)
const LINE = line(4096)

export const storePlace = object<StorePlace>({ url: LINE, settings: maybe(dictionary(LINE, text(1 << 20), 100)) })

const system = object<OwnSystem>({
  sudo: flag,
  closed: maybe(list(LINE, 100)),
  scratch: maybe(flag),
  mounts: maybe(list(object<NetworkMount>({ source: LINE, path: PATH, type: oneOf('nfs', 'lustre'), options: LINE }), MOST_SOURCES)),
  data: maybe(list(object<FetchedData>({ from: storePlace, path: PATH }), MOST_SOURCES)),
})

export const MACHINE: RecordKind<MachineConfig> = {
  what: 'the configuration of a machine',
  most: 4 << 20,
  shape: object<MachineConfig>({
    v: oneOf(VERSION),
    cloud: word,
    id: label,
    incarnation: label,
    machine: word,
    index: maybe(count(1_000_000)),
    address: maybe(LINE),
    home: PATH,
    dead: maybe(list(word, 1_000_000)),
    ahead: maybe(flag),
    side: maybe(dictionary(LINE, text(4096), 100)),
    system: maybe(system),
    execs: maybe(flag),
    hardDeadline: time,
    store: storePlace,
    credentialsFile: maybe(PATH),
    credentials: oneOf('stdin', 'file', 'machine', 'none'),
  }),
}

/** Credentials of a store, by pipe or file. */
export const credentialsOf = (json: string): Readonly<Record<string, string>> => parseShape(CREDENTIALS, json)
const CREDENTIALS = dictionary(LINE, text(1 << 20), 100)

/** As which the agent runs where the machine is a whole operating system. */
export const AGENT_UNIT = 'tpi-agent.service'

/** Exit codes of the agent: the group reads them. */
export const AGENT_DONE = 0
/** The slot is still open (or never taken): replace this machine. */
export const AGENT_REPLACE = 75
