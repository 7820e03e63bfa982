/** Snapshots of the work directory while the script runs, and the last one. */
import { pause } from '../../lib/clock.ts'
import { globs } from '../../lib/glob.ts'
import { Mutex } from '../../lib/mutex.ts'
import { messageOf } from '../../lib/text.ts'
import { openSaver } from '../../snapshot/save.ts'
import type { Freeze, Restored, Saved, Saver } from '../../snapshot/types.ts'
import { snapAt } from '../../wire/layout.ts'
import type { SlotRecord, SnapshotRef } from '../../wire/slot.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import { isStoreError } from '../../wire/store.ts'
import type { SlotContext } from '../machine-context.ts'
import { mayPass } from '../retry.ts'
import { Fenced, type Holder } from '../slot/holder.ts'

/** Milliseconds between two clean-ups of what no snapshot needs any more. */
const PRUNE_EVERY = 60_000
/** Milliseconds between two saves, at most, on a machine that its cloud may soon take. */
const AT_RISK = 2000
/** A scan may take this share of the time, however large the tree is. */
const SCAN_SHARE = 1 / 5

export class Checkpoints {
  readonly #context: SlotContext<TaskSpec>
  readonly #holder: Holder
  readonly #saver: Saver
  readonly #restored: SnapshotRef | undefined
  /** What a checkpoint looks at; everything when absent. */
  readonly #only: ((path: string) => boolean) | undefined
  /** The saver does one thing at a time. */
  readonly #turn = new Mutex()
  #prunedAt = performance.now()
  #said = ''

  private constructor(context: SlotContext<TaskSpec>, holder: Holder, saver: Saver, restored: SnapshotRef | undefined) {
    this.#context = context
    this.#holder = holder
    this.#saver = saver
    this.#restored = restored
    const { checkpoint, output } = context.spec
    this.#only = checkpoint.globs.length === 0 ? undefined : globs([...checkpoint.globs, ...output])
  }

  /** Right after the restore, before anything runs in the folder. */
  static async open(context: SlotContext<TaskSpec>, holder: Holder, restored: Restored): Promise<Checkpoints> {
    const { store, keys, folders, warn } = context
    const { ref, manifest } = restored
    const saver = await openSaver({
      store,
      root: keys.root,
      at: snapAt(context.index),
      folder: folders.work,
      portable: true,
      warn,
      ...(ref ? { restored: { ref, manifest, untouched: true } } : {}),
    })
    return new Checkpoints(context, holder, saver, ref)
  }

  /** Saves what changed, at most one checkpoint interval late (less at risk), until the signal; a save under way then goes on until `severed`. */
  async keep(freeze: Freeze, signal: AbortSignal, severed: AbortSignal): Promise<void> {
    const { atRisk, spec } = this.#context
    const usual = Math.max(100, spec.checkpoint.interval * 1000)
    const sooner = AbortSignal.any([signal, atRisk])
    let took = 0
    while (!signal.aborted) {
      const interval = atRisk.aborted ? Math.min(usual, AT_RISK) : usual
      await pause(Math.max(interval, took / SCAN_SHARE), atRisk.aborted ? signal : sooner).catch(() => undefined)
      if (signal.aborted) break
      const begun = performance.now()
      await this.now(severed, freeze)
      took = performance.now() - begun
    }
  }

  /** Saves what changed, now. Its failure costs nothing but freshness: it is reported, and tried again at the next turn. */
  async now(signal: AbortSignal, freeze: Freeze): Promise<void> {
    await this.#turn.take(async () => {
      try {
        const saved = await this.#saver.save({ signal, freeze, ...this.#scope(false) })
        if (saved) await this.#publish(saved, signal)
        this.#said = ''
      } catch (error) {
        if (signal.aborted || error instanceof Fenced) return
        this.#trouble(error)
        if (isStoreError(error, 'full')) await this.#prune(signal, true)
      }
    })
  }

  /** The same trouble at every turn is news once. */
  #trouble(error: unknown): void {
    const text = `checkpoint: ${messageOf(error)}`
    if (text !== this.#said) this.#context.warn(text)
    this.#said = text
  }

  /**
   * The last snapshot, of everything or of what checkpoints look at: nobody writes any more. Tried until the signal; rejects when it cannot be stored. `undefined`: the head is current.
   * The caller names it in slot.json.
   */
  async final(whole: boolean, signal: AbortSignal): Promise<Saved | undefined> {
    const save = this.#turn.take(async () => {
      for (let failures = 0; ; ) {
        try {
          return await this.#saver.save({ final: true, signal, ...this.#scope(whole) })
        } catch (error) {
          signal.throwIfAborted()
          if (isStoreError(error, 'gone') || isStoreError(error, 'invalid')) throw error
          const full = isStoreError(error, 'full')
          if (full) await this.#prune(signal, true)
          // Only a store that cannot be reached is waited for to the end.
          if ((full || !mayPass(error)) && ++failures >= 3) throw error
          await pause(500, signal)
        }
      }
    })
    // A checkpoint that still waits for the store must not keep the end from coming.
    return await orAborted(save, signal)
  }

  #scope(whole: boolean): { only?: (path: string) => boolean } {
    return this.#only && !whole ? { only: this.#only } : {}
  }

  async #publish(saved: Saved, signal: AbortSignal): Promise<void> {
    const record = await this.#holder.update((now) => withHead(now, saved), signal)
    const keep = [record.previous, record.lastQuiet, this.#restored].filter((ref) => ref !== undefined)
    this.#saver.published(saved, keep)
    if (performance.now() - this.#prunedAt >= PRUNE_EVERY) await this.#prune(signal)
  }

  /** `toHead`: the store is full, and what is only there to fall back on goes too. */
  async #prune(signal: AbortSignal, toHead = false): Promise<void> {
    this.#prunedAt = performance.now()
    try {
      await this.#saver.prune(signal, toHead)
    } catch (error) {
      if (!signal.aborted) this.#context.say(`clean-up of old checkpoints: ${messageOf(error)}`)
    }
  }
}

/** The work has its listener first: what it rejects with after the signal is heard too, by nobody in particular, and must not end the agent. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
    if (signal.aborted) abort()
  })
}

/** The record with a new head; what it replaces stays as the fallback. */
export function withHead(record: SlotRecord, saved: Saved): SlotRecord {
  const { head, lastQuiet, previous, ...rest } = record
  const next: SnapshotRef = { ...saved.ref, epoch: record.epoch }
  const same = head?.digest === next.digest
  const fallback = same ? previous : head
  const quiet = next.quiet ? undefined : head?.quiet ? head : lastQuiet
  const attempts = record.attempts.map((attempt) =>
    attempt.epoch === record.epoch ? { ...attempt, saved: true, savedAt: saved.ref.savedAt } : attempt,
  )
  return { ...rest, head: next, attempts, ...(fallback ? { previous: fallback } : {}), ...(quiet ? { lastQuiet: quiet } : {}) }
}
