/** The configuration that a machine gets as a file when it is created. It has no secrets: credentials come by pipe, or in a file of their own. */
import { count, dictionary, flag, line, list, maybe, object, oneOf, text, time } from '../lib/shape.ts'
import { label, parseShape, type RecordKind, VERSION, word } from './parse.ts'
import type { StorePlace } from './store.ts'

/** What is beside a folder that is restored and saved, such as a work directory: how these names end. */
export const BESIDE = {
  /** The tree that is being restored, until it is complete. */
  part: '.part',
  /** Copies of files, while they are read. */
  copies: '.frozen',
} as const

/** What a runner has in its machine's home. */
export const OF_RUNNER = {
  /** Its program, with its settings, which are credentials. */
  program: 'runner',
  /** The same, while it is unpacked. */
  unpacking: 'runner.part',
  /** Tools that its jobs have installed. */
  tools: 'tools',
} as const

export interface MachineConfig {
  readonly v: typeof VERSION
  /** The cloud whose machine side handles notices and leaving. */
  readonly cloud: string
  readonly id: string
  readonly incarnation: string
  /** Name of this machine, which no other machine ever has. Also in `TPI_MACHINE` of everything that it starts. */
  readonly machine: string
  /** Its slot, in a numbered group; absent: the machine looks for a free slot. */
  readonly index?: number
  readonly address?: string
  /** Absolute folder of this machine: work/, tmp/, log files. */
  readonly home: string
  /** Machines of this group that are known to be dead, with their scripts: their slots are taken over at once. */
  readonly dead?: readonly string[]
  /** The deployment may be incomplete when this machine starts: the machine waits for it. */
  readonly ahead?: boolean
  /** What else the machine side of its cloud needs to know, such as its group. Never a secret. */
  readonly side?: Readonly<Record<string, string>>
  /** Present if the machine runs a whole operating system: as which user the script runs there, and what it must not reach. */
  readonly system?: OwnSystem
  /**
   * It runs the commands that control.json asks for (`tpi exec`), because its cloud cannot run any on it. On other clouds, whoever can write to the
   * store still cannot make a machine run anything.
   */
  readonly execs?: boolean
  /** ISO. Nothing of this machine runs past it, whatever happens. */
  readonly hardDeadline: string
  readonly store: StorePlace
  /** The file that has the store's credentials, for `file`: removed once it is read. */
  readonly credentialsFile?: string
  /**
   * Where the store's credentials come from. `stdin` one line of JSON · `file` `credentialsFile` · `machine` its cloud lends them
   * (`MachineSide.storeCredentials`) · `none` it needs none
   */
  readonly credentials: 'stdin' | 'file' | 'machine' | 'none'
}

export interface OwnSystem {
  /** The script's user may become root. */
  readonly sudo: boolean
  /** Addresses of services that the script must not reach, except to resolve names: `169.254.169.254`, `fd00:ec2::254`. */
  readonly closed?: readonly string[]
  /** The folder of the machine is put on its local disks. */
  readonly scratch?: boolean
  /** Network file systems that are mounted before the script starts (`mount`). */
  readonly mounts?: readonly NetworkMount[]
  /** What is downloaded before the script starts (`data`). */
  readonly data?: readonly FetchedData[]
}

export interface NetworkMount {
  /** As mount(8) takes it. */
  readonly source: string
  /** Absolute. */
  readonly path: string
  readonly type: 'nfs' | 'lustre'
  /** As `mount -o` takes them. */
  readonly options: string
}

/** Everything below a place of a store, which the machine reads by its own identity. */
export interface FetchedData {
  readonly from: StorePlace
  /** Absolute. */
  readonly path: string
}

/** Mounts, and downloads, of one machine. */
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

/** A store's credentials, from the text that comes by pipe or file. Throws Misfit or SyntaxError. */
export const credentialsOf = (json: string): Readonly<Record<string, string>> => parseShape(CREDENTIALS, json)
const CREDENTIALS = dictionary(LINE, text(1 << 20), 100)

/** The systemd unit of the agent, on machines that are whole operating systems. */
export const AGENT_UNIT = 'tpi-agent.service'

/** Exit code of an agent whose machine need not be replaced. */
export const AGENT_DONE = 0
/** Exit code of an agent whose slot is still open, or that never took one: the group replaces its machine. */
export const AGENT_REPLACE = 75
