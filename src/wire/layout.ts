/** Keys of everything a deployment keeps in its store. The one place that knows the layout. */

export const currentKey = (id: string): string => `${id}/current.json`

const pad = (value: number, width: number): string => String(value).padStart(width, '0')

export interface Layout {
  /** `<id>/<incarnation>/`, the folder of one incarnation. */
  readonly root: string
  readonly spec: string
  readonly secrets: string
  once(slot: number, k: number): string
  agent(digest: string): string
  readonly control: string
  /** The uploaded work directory: manifests and packs, never pruned. */
  readonly base: string
  slot(index: number): SlotLayout
  readonly collected: string
  readonly settled: string
}

export interface SlotLayout {
  readonly record: string
  /** Manifests and packs of this slot. */
  readonly snap: string
  /** Folder of log segments. */
  readonly log: string
  segment(epoch: number, seq: number): string
  readonly metrics: string
  readonly pins: string
}

export function layout(id: string, incarnation: string): Layout {
  const root = `${id}/${incarnation}/`
  return {
    root,
    spec: `${root}spec.json`,
    secrets: `${root}secrets/env.json`,
    once: (slot, k) => `${root}secrets/once/${slot}-${k}`,
    agent: (digest) => `${root}agent/${digest}`,
    control: `${root}control.json`,
    base: `${root}base/`,
    slot: (index) => slotLayout(`${root}slots/${index}/`),
    collected: `${root}collected.json`,
    settled: `${root}settled.json`,
  }
}

/** Programs larger than one object: `<digest>.0`, `<digest>.1`, … */
export const agentPart = (keys: Layout, digest: string, part: number): string => `${keys.agent(digest)}.${part}`

function slotLayout(folder: string): SlotLayout {
  return {
    record: `${folder}slot.json`,
    snap: `${folder}snap/`,
    log: `${folder}log/`,
    segment: (epoch, seq) => `${folder}log/${pad(epoch, 6)}-${pad(seq, 10)}`,
    metrics: `${folder}metrics/`,
    pins: `${folder}pins/`,
  }
}
