/** Snapshots of the work directory: checkpoints while the script runs, and the last one. */
import { orAborted } from '../../lib/abort.ts'
import { bootNow, pause } from '../../lib/clock.ts'
import { globs } from '../../lib/glob.ts'
import { Mutex } from '../../lib/mutex.ts'
import { messageOf } from '../../lib/text.ts'
import { nameSome } from '../../snapshot/path.ts'
import { openSaver } from '../../snapshot/save/save.ts'
import type { Freeze, Restored, Saved, SaveParams, Saver } from '../../snapshot/types.ts'
import { snapAt } from '../../wire/layout.ts'
import { aboutAttempt, type SlotRecord, type SnapshotRef } from '../../wire/slot.ts'
import { isStoreError } from '../../wire/store.ts'
import type { TaskContext } from '../machine-context.ts'
import { mayPass } from '../outage.ts'
import { Fenced, type Holder } from '../slot/holder.ts'
import { recordTransfer } from './record-transfer.ts'

/** Milliseconds between two clean-ups of objects that no snapshot needs any more. */
const PRUNE_EVERY = 60_000
/** Milliseconds between two saves, at most, on a machine that its cloud may soon take away. */
const AT_RISK = 2000
/** Milliseconds of notice below which there may not be time to save everything. (So may twice the time of the last complete save.) */
const FEW = 12_000
/** Saving takes no more than about this share of the time, however large the tree is… */
const SAVE_SHARE = 1 / 5
/** …but milliseconds for which that delays a save, at most: an outage of the store also counts as the time of a save. */
const LONGEST_DELAY = 5 * 60_000

export class Checkpoints {
  readonly #context: TaskContext
  readonly #holder: Holder
  readonly #saver: Saver
  readonly #restored: SnapshotRef | undefined
  /** Which files checkpoints save: those that `checkpoint` or `output` name; absent: all. */
  readonly #only: ((path: string) => boolean) | undefined
  /** Which of these are saved first if there is little time: those that `checkpoint` names; absent if there are no others. */
  readonly #first: ((path: string) => boolean) | undefined
  /** Aborts to postpone the current save in favour of a more urgent one. */
  #calm = new AbortController()
  /** The saver does one thing at a time. */
  readonly #turn = new Mutex()
  #prunedAt = performance.now()
  /** Milliseconds that the last save took that saved everything and found something new. */
  #took = 0
  /** When the current save began, by `performance.now()`; absent: there is none. */
  #begun: number | undefined
  /** There may not be time to save everything. This stays true, because there is even less time later. */
  #pressed = false
  #said = ''
  /** The globs of `checkpoint` have matched some file. */
  #matched = false

  private constructor(context: TaskContext, holder: Holder, saver: Saver, restored: SnapshotRef | undefined) {
    this.#context = context
    this.#holder = holder
    this.#saver = saver
    this.#restored = restored
    const { checkpoint, output } = context.spec
    if (checkpoint.globs.length === 0) return
    const [isNamed, isOutput] = [globs(checkpoint.globs), globs(output)]
    this.#only = (path) => {
      const named = isNamed(path)
      this.#matched ||= named
      return named || isOutput(path)
    }
    if (output.length > 0) this.#first = isNamed
  }

  /** Call it right after the restore, before anything runs in the folder. */
  static async open(context: TaskContext, holder: Holder, restored: Restored): Promise<Checkpoints> {
    const { store, keys, folders, warn, config } = context
    const { ref, manifest } = restored
    const saver = await openSaver({
      store,
      root: keys.root,
      at: snapAt(context.index),
      folder: folders.work,
      portable: true,
      guarded: config.system?.sudo === false,
      warn,
      head: holder.record.head,
      ...(ref ? { restored: { ref, manifest, untouched: true } } : {}),
    })
    return new Checkpoints(context, holder, saver, ref)
  }

  /**
   * Saves what has changed at every checkpoint interval (more often on a machine at risk), until the signal. A save that is in progress
   * then goes on until `severed`.
   */
  async keep(freeze: Freeze, signal: AbortSignal, severed: AbortSignal): Promise<void> {
    const { atRisk, spec } = this.#context
    const usual = Math.max(100, spec.checkpoint.interval * 1000)
    const sooner = AbortSignal.any([signal, atRisk])
    let took = 0
    while (!signal.aborted) {
      const interval = atRisk.aborted ? Math.min(usual, AT_RISK) : usual
      await pause(Math.max(interval, Math.min(took / SAVE_SHARE, LONGEST_DELAY)), atRisk.aborted ? signal : sooner).catch(() => undefined)
      if (signal.aborted) break
      const begun = performance.now()
      await this.now(severed, freeze)
      took = performance.now() - begun
    }
  }

  /** Saves what has changed, now. A failure is only reported: the next save tries again, and until then the checkpoint is older. */
  async now(signal: AbortSignal, freeze: Freeze): Promise<void> {
    const calm = AbortSignal.any([signal, this.#calm.signal])
    await this.#turn.take(async () => {
      this.#begun = performance.now()
      if (await this.#save({ signal: calm, freeze, ...this.#scope(false) }, signal)) this.#took = performance.now() - this.#begun
      this.#begun = undefined
    })
  }

  /** The same on a machine that is about to be taken away. `due`: boot clock, until when it certainly exists. */
  async hurry(signal: AbortSignal, freeze: Freeze, due: number): Promise<void> {
    await this.#saveFirst({ freeze }, signal, due)
    await this.now(signal, freeze)
  }

  /**
   * If there are only seconds left, saves the files of `checkpoint` before outputs, and postpones a save that is in progress. With more
   * time it does nothing: then all is saved together, so that outputs are never older than the checkpoint.
   */
  async #saveFirst(how: SaveParams, signal: AbortSignal, due: number): Promise<void> {
    const underWay = this.#begun === undefined ? 0 : performance.now() - this.#begun
    this.#pressed ||= due - bootNow() < Math.max(FEW, 2 * this.#took, 2 * underWay)
    const only = this.#first
    if (!only || !this.#pressed) return
    this.#calm.abort()
    this.#calm = new AbortController()
    await this.#turn.take(async () => this.#save({ ...how, signal, only }, signal))
  }

  /**
   * Saves and publishes. `severed`: nothing may be written any more. A save that was postponed when all of it was stored is still
   * published. Resolves to whether something new was published.
   */
  async #save(params: SaveParams & { readonly signal: AbortSignal }, severed: AbortSignal): Promise<boolean> {
    try {
      const saved = await this.#saver.save(params)
      if (saved) await this.#publish(saved, severed)
      this.#said = ''
      return saved !== undefined
    } catch (error) {
      if (params.signal.aborted || error instanceof Fenced) return false
      this.#trouble(error)
      if (isStoreError(error, 'full')) await this.#prune(severed, true)
      return false
    }
  }

  /** Reports a problem, but not the same one at every save. */
  #trouble(error: unknown): void {
    const text = `checkpoint: ${messageOf(error)}`
    if (text !== this.#said) this.#context.warn(text)
    this.#said = text
  }

  /**
   * The last snapshot, once nothing writes to the folder any more: of everything (`whole`), or of what checkpoints save. Tries until the
   * signal, and rejects if it cannot be stored. Resolves to `undefined` if there is nothing new; otherwise the caller writes the result
   * into slot.json. `due`: see `hurry`.
   */
  async final(whole: boolean, signal: AbortSignal, due: number): Promise<Saved | undefined> {
    const first = whole ? Promise.resolve() : this.#saveFirst({ final: true }, signal, due)
    // A checkpoint that still waits for the store must not delay the end beyond the signal.
    const saved = await orAborted(
      first.then(async () => this.#last(whole, signal)),
      signal,
    )
    if (!whole && this.#only && !this.#matched) this.#context.warn(unmatched(this.#context.spec.checkpoint.globs))
    return saved
  }

  /** Paths that the last snapshot does not have, or only in an earlier state, because they could not be read. */
  get unreadable(): readonly string[] {
    return this.#saver.unreadable
  }

  async #last(whole: boolean, signal: AbortSignal): Promise<Saved | undefined> {
    return await this.#turn.take(async () => {
      for (let failures = 0; ; ) {
        try {
          return await this.#saver.save({ final: true, signal, progress: recordTransfer(this.#holder), ...this.#scope(whole) })
        } catch (error) {
          signal.throwIfAborted()
          if (isStoreError(error, 'gone') || isStoreError(error, 'invalid')) throw error
          const full = isStoreError(error, 'full')
          if (full) await this.#prune(signal, true)
          // Only if the store cannot be reached, trying goes on until the signal.
          if ((full || !mayPass(error)) && ++failures >= 3) throw error
          await pause(500, signal)
        }
      }
    })
  }

  #scope(whole: boolean): { only?: (path: string) => boolean } {
    return this.#only && !whole ? { only: this.#only } : {}
  }

  async #publish(saved: Saved, signal: AbortSignal): Promise<void> {
    const record = await this.#holder.update((now) => withHead(now, saved), signal)
    // The last quiet one comes first: beside a head that is not quiet, a full store keeps only the first of these.
    const keep = [record.lastQuiet, record.previous, this.#restored].filter((ref) => ref !== undefined)
    this.#saver.published(saved, keep)
    if (performance.now() - this.#prunedAt >= PRUNE_EVERY) await this.#prune(signal)
  }

  /** Removes what no snapshot needs. `toHead`: the store is full, so it also removes older snapshots that are only a fallback. */
  async #prune(signal: AbortSignal, toHead = false): Promise<void> {
    this.#prunedAt = performance.now()
    try {
      await this.#saver.prune(signal, toHead)
    } catch (error) {
      if (!signal.aborted) this.#context.say(`clean-up of old checkpoints: ${messageOf(error)}`)
    }
  }
}

/** Perhaps the script has only not come that far. But if a glob is mistyped, each attempt would lose all of its work. */
const unmatched = (patterns: readonly string[]): string =>
  `checkpoint: no file matches ${nameSome(patterns)} so far, so the next attempt finds nothing of this one except outputs`

/** The record with a new head. The old head stays as the fallback. */
export function withHead(record: SlotRecord, saved: Saved): SlotRecord {
  const { head, lastQuiet, previous, ...rest } = record
  const next: SnapshotRef = { ...saved.ref, epoch: record.epoch }
  const same = head?.digest === next.digest
  const fallback = same ? previous : head
  const earlierQuiet = head?.quiet ? head : lastQuiet
  const quiet = next.quiet ? undefined : earlierQuiet
  const attempts = aboutAttempt(record, { saved: true, savedAt: saved.ref.savedAt })
  return { ...rest, head: next, attempts, ...(fallback ? { previous: fallback } : {}), ...(quiet ? { lastQuiet: quiet } : {}) }
}
