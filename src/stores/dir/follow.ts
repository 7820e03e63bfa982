/** Entries as they appear: woken by the file system where it tells, and looking by itself where it does not. */
import { type FSWatcher, watch } from 'node:fs'
import type { Store, StoreEntry } from '../../wire/store.ts'

/** Milliseconds between looks when nothing woke us: network file systems tell only about this host's own changes. */
const IDLE_MS = 500
/** Milliseconds between a wake and the look: one look for a burst of events. */
const SETTLE_MS = 20

export interface Following {
  readonly prefix: string
  readonly after: string | undefined
  readonly signal: AbortSignal
}

/** Keys only ever grow: one that appears below what was already yielded is not seen. */
export async function* followObjects(store: Store, folder: string, { prefix, after, signal }: Following): AsyncGenerator<StoreEntry> {
  const bell = new Bell(folder)
  let last = after
  try {
    while (!signal.aborted) {
      bell.watch()
      for await (const entry of store.list(prefix, last)) {
        yield entry
        last = entry.key
        if (signal.aborted) return
      }
      await bell.wait(signal)
    }
  } finally {
    bell.close()
  }
}

class Bell {
  readonly #folder: string
  #watcher: FSWatcher | undefined
  #rung = false
  #wake: (() => void) | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The folder may not be there yet, or watching may not be possible: then `wait` just takes longer. */
  watch(): void {
    if (this.#watcher) return
    try {
      const watcher = watch(this.#folder, { persistent: false }, () => this.#ring())
      watcher.on('error', () => this.close())
      this.#watcher = watcher
    } catch {
      this.#watcher = undefined
    }
  }

  #ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  async wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const timers: NodeJS.Timeout[] = []
      const done = () => {
        for (const timer of timers) clearTimeout(timer)
        signal.removeEventListener('abort', done)
        this.#wake = undefined
        this.#rung = false
        resolve()
      }
      this.#wake = () => timers.push(setTimeout(done, SETTLE_MS))
      timers.push(setTimeout(done, IDLE_MS))
      signal.addEventListener('abort', done, { once: true })
      if (this.#rung) this.#wake()
    })
  }

  close(): void {
    this.#watcher?.close()
    this.#watcher = undefined
  }
}
