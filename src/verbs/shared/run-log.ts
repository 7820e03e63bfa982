/** What the programs of a run printed, while it is followed or read: the end of it for the report, all of it for the history. */
import { describeError } from '../../core/errors.ts'
import type { Deployment, Engine } from '../../engine/deployment.ts'
import type { Run } from '../../engine/history.ts'
import { hasLog, LogKeeper } from '../../engine/kept-log.ts'
import { type LogPiece, LogReader } from '../../engine/log-reader.ts'
import { abortIn } from '../../lib/clock.ts'
import { Tails } from '../../report/last-output.ts'
import { isOfAgent } from '../../wire/log.ts'
import type { SlotRecord } from '../../wire/slot.ts'

/** How many slots' logs a report shows: nobody reads more. */
const MOST_READ = 8
/** Milliseconds to wait for the log of something that will be removed. */
const PATIENCE = 30_000

export class RunLog {
  readonly tails = new Tails()
  readonly #engine: Engine
  readonly #keeper: LogKeeper

  constructor(engine: Engine, run: Run) {
    this.#engine = engine
    this.#keeper = new LogKeeper(engine.home, run)
  }

  /** Takes a piece of the log as it is read. */
  hear(piece: LogPiece): void {
    this.#keeper.push(piece)
    if (!isOfAgent(piece.stream)) this.tails.push(piece.slot, piece.bytes)
  }

  /** Reads the logs of these slots to their ends. */
  async read(d: Deployment, slots: readonly SlotRecord[], signal?: AbortSignal): Promise<void> {
    for (const slot of slots) for await (const piece of new LogReader(d, slot.index).next(slot, signal)) this.hear(piece)
  }

  /** Puts everything that was read into the history. A failure is only a warning. */
  async keep(): Promise<void> {
    await this.#keeper
      .keep()
      .catch((error: unknown) => this.#engine.host.warn(`the log is not kept in the history: ${describeError(error)}`))
  }

  /** Puts nothing into the history: the run goes on without this command, which does not have all of its log. */
  async drop(): Promise<void> {
    await this.#keeper.drop().catch(() => undefined)
  }
}

/** Reads all of the log or, if the run goes on, only what a report shows. */
export async function readLog(engine: Engine, d: Deployment, run: Run, slots: readonly SlotRecord[], ended: boolean): Promise<RunLog> {
  const heard = new RunLog(engine, run)
  try {
    await heard.read(d, ended ? slots : slots.slice(0, MOST_READ))
    return heard
  } catch (error) {
    await heard.drop()
    throw error
  }
}

/** Keeps the log of a run that is about to be removed, unless it was kept before. What cannot be read in time is not kept. */
export async function keepLog(engine: Engine, d: Deployment, run: Run, slots: readonly SlotRecord[]): Promise<void> {
  if (await hasLog(engine.home, run)) return
  const heard = new RunLog(engine, run)
  using limit = abortIn(engine.clock, PATIENCE)
  try {
    await heard.read(d, slots, limit.signal)
  } catch (error) {
    engine.host.debug(`the log of ${d.name} could not be read to its end: ${describeError(error)}`)
  }
  await heard.keep()
}
