/** Pushes changes to waiting clients: at once after a write by this server; those of another server of the same folder every few seconds. */
import { untilWoken } from '../../lib/abort.ts'
import type { Change, Store, Version, WatchRequest } from '../../wire/store.ts'

/** Milliseconds between two looks if the bell does not ring. */
const BLIND = 5_000

/** Notifies listeners of every key that this server has written or removed. */
export class Bell {
  readonly #ears = new Set<(key: string) => void>()

  ring(key: string): void {
    for (const hear of this.#ears) hear(key)
  }

  /** Returns the function that unsubscribes. */
  hear(ear: (key: string) => void): () => void {
    this.#ears.add(ear)
    return () => this.#ears.delete(ear)
  }
}

export interface Push {
  readonly store: Store
  readonly requests: readonly WatchRequest[]
  readonly bell: Bell
  readonly signal: AbortSignal
  /** Resolves when the client can take more. */
  readonly tell: (change: Change | 'caught-up') => Promise<void>
}

/** Tells the client the present state of what it asked for, then `caught-up`, then every change, until the signal. */
export async function push({ store, requests, bell, signal, tell }: Push): Promise<void> {
  const subjects = requests.map((request) => new Subject(request, store, tell))
  const byPlace = new Map(subjects.flatMap((subject) => subject.places.map((place) => [place, subject] as const)))
  const touched = new Set(subjects)
  let wake: () => void = () => undefined
  const unhear = bell.hear((key) => {
    const subject = byPlace.get(key) ?? byPlace.get(key.slice(0, key.lastIndexOf('/') + 1))
    if (subject) touched.add(subject)
    if (subject) wake()
  })
  try {
    for (let first = true; !signal.aborted; first = false) {
      const now = [...touched]
      touched.clear()
      for (const subject of now) await subject.look(signal)
      if (first) await tell('caught-up')
      if (touched.size === 0) await untilWoken(BLIND, signal, (waking) => (wake = waking))
      if (touched.size === 0) for (const subject of subjects) touched.add(subject)
    }
  } finally {
    unhear()
  }
}

class Subject {
  readonly #request: WatchRequest
  readonly #store: Store
  readonly #tell: Push['tell']
  #after: string | undefined
  #version: Version | undefined

  constructor(request: WatchRequest, store: Store, tell: Push['tell']) {
    this.#request = request
    this.#store = store
    this.#tell = tell
    this.#after = request.after
  }

  get places(): readonly string[] {
    return [this.#request.record, this.#request.folder]
  }

  /** The record is read first and sent last: by then everything that it refers to has been sent. */
  async look(signal: AbortSignal): Promise<void> {
    const { record, folder } = this.#request
    const object = await this.#store.read(record, undefined, signal)
    for await (const { key } of this.#store.list(folder, this.#after, signal)) {
      const found = await this.#store.read(key, undefined, signal)
      if (found) await this.#tell({ key, object: found })
      this.#after = key
    }
    if (object?.version === this.#version) return
    this.#version = object?.version
    await this.#tell({ key: record, ...(object && { object }) })
  }
}
