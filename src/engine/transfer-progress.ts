/** Reports how far a transfer has come. */
import { transferWords } from '../lib/transfer.ts'
import type { Engine } from './deployment.ts'

/** Milliseconds between two updates on a terminal, and between two lines in a log. */
const REDRAW = 200
const LINE = 60_000

/**
 * `tell` takes the bytes so far: they are shown on the terminal's last line, and once a minute in a line that stays, even if nothing is
 * transferred.
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
