/** Telling the user how far a transfer has come. */
import { transferWords } from '../lib/transfer.ts'
import type { Engine } from './deployment.ts'

/** Milliseconds between two updates of the status line. */
const REDRAW = 200
/** Milliseconds between two lines in the log. */
const LINE = 60_000

/**
 * Runs a transfer and shows how far it has come: in the status line of a terminal, and once a minute in a line of the log, even if nothing moves.
 * `what` is done, with `total` bytes; the transfer calls `tell` with the bytes that are done so far.
 */
export async function telling<T>(
  { host, clock }: Pick<Engine, 'host' | 'clock'>,
  what: string,
  total: number,
  transfer: (tell: (done: number) => void) => Promise<T>,
): Promise<T> {
  const began = clock.now()
  let done = 0
  let drawn = began
  let spoke = began
  const look = (): void => {
    const now = clock.now()
    if (now - drawn < REDRAW) return
    drawn = now
    const text = `${what}: ${transferWords({ done, total, seconds: (now - began) / 1000 })}`
    host.status(text)
    if (now - spoke < LINE) return
    spoke = now
    host.info(text)
  }
  const timer = setInterval(look, REDRAW).unref()
  try {
    return await transfer((bytes) => {
      done = bytes
      look()
    })
  } finally {
    clearInterval(timer)
    host.status('')
  }
}
