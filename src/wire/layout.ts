/** Keys of everything that deployments keep in a store. No other file knows the layout. */

/** Where a check of a store (`probe`) writes and removes its object, outside all deployments. */
export const PROBES = 'tpi-probe/'
export const probeKey = (name: string): string => PROBES + name

/** Programs for machines of all deployments, by digest. No deployment removes them: the bucket's expiry does, and a user may at any time. */
export const SHARED_PROGRAMS = 'tpi-programs/'
export const sharedProgramKey = (digest: string): string => SHARED_PROGRAMS + digest

export const currentKey = (id: string): string => `${id}/current.json`

/** Where the uploaded work directory is, relative to the root of an incarnation. It is never pruned. */
export const BASE = 'base/'
/** Where the snapshots of a slot are, relative to the same root. */
export const snapAt = (slot: number): string => `slots/${slot}/snap/`
/** Where the pins of those are who read the snapshots at this place. */
export const pinsAt = (at: string): string => at.replace(/snap\/$/, 'pins/')

const pad = (value: number, width: number): string => String(value).padStart(width, '0')
/** Digits of the number of a log segment or of samples. */
export const DIGITS = 10
/** A name; in the order of keys, names are in the order in which the slot made the objects. */
const numbered = (epoch: number, seq: number): string => `${pad(epoch, 6)}-${pad(seq, DIGITS)}`

/** Attempt and number of a log segment or of samples; `undefined` for any other key. */
export function numbersOf(key: string): { readonly epoch: number; readonly seq: number } | undefined {
  const found = /\/(\d{6})-(\d{10})$/.exec(key)
  return found ? { epoch: Number(found[1]), seq: Number(found[2]) } : undefined
}

export interface Layout {
  /** `<id>/<incarnation>/`, the folder of one incarnation. */
  readonly root: string
  readonly spec: string
  /** Folder of everything secret. */
  readonly confidential: string
  /** The secret environment (`SecretsRecord`). */
  readonly secrets: string
  /** A credential with which a slot's machine registers as a runner, numbered from 0. */
  once(slot: number, k: number): string
  /** The files that make a slot's machine the runner, if they outlive the machine (`RegistrationRecord`). */
  registration(slot: number): string
  /** A program that machines fetch. */
  agent(digest: string): string
  readonly control: string
  /** The answer to a request to run a command (`ExecAnswer`). */
  answer(id: string): string
  /** The uploaded work directory: manifests and packs. */
  readonly base: string
  slot(index: number): SlotLayout
  /** Folder of the readers (`engine/owner/presence.ts`). */
  readonly controllers: string
  readonly collected: string
  readonly settled: string
}

export interface SlotLayout {
  /** The folder that has everything of the slot. */
  readonly folder: string
  readonly record: string
  /** Folder of log segments. */
  readonly log: string
  segment(epoch: number, seq: number): string
  /** Folder of samples of the machine. */
  readonly metrics: string
  sample(epoch: number, seq: number): string
}

export function layout(id: string, incarnation: string): Layout {
  const root = `${id}/${incarnation}/`
  const confidential = `${root}secrets/`
  return {
    root,
    spec: `${root}spec.json`,
    confidential,
    secrets: `${confidential}env.json`,
    once: (slot, k) => `${confidential}once/${slot}-${k}`,
    registration: (slot) => `${confidential}registration/${slot}`,
    agent: (digest) => `${root}agent/${digest}`,
    control: `${root}control.json`,
    answer: (id) => `${root}answers/${id}`,
    base: root + BASE,
    slot: (index) => slotLayout(`${root}slots/${index}/`),
    controllers: `${root}controllers/`,
    collected: `${root}collected.json`,
    settled: `${root}settled.json`,
  }
}

/** A part of a program that is too large for one object: `<digest>.0`, `<digest>.1`, … */
export const agentPart = (keys: Layout, digest: string, part: number): string => `${keys.agent(digest)}.${part}`

function slotLayout(folder: string): SlotLayout {
  return {
    folder,
    record: `${folder}slot.json`,
    log: `${folder}log/`,
    segment: (epoch, seq) => `${folder}log/${numbered(epoch, seq)}`,
    metrics: `${folder}metrics/`,
    sample: (epoch, seq) => `${folder}metrics/${numbered(epoch, seq)}`,
  }
}
