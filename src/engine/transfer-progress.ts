/** Tells how far a transfer of ours has come. */
import { transferWords } from '../lib/transfer.ts'
import type { Engine } from './deployment.ts'

/** Milliseconds between two looks of a person, and between two lines in a log. */
const REDRAW = 200
const LINE = 60_000

/** What is returned takes the bytes so far: the line of a terminal shows them, and each minute one that stays. */
export function telling({ host, clock }: Pick<Engine, 'host' | 'clock'>, what: string, total: number): (done: number) => void {
  const began = clock.now()
  let drawn = began
  let spoke = began
  return (done) => {
    const now = clock.now()
    if (now - drawn < REDRAW) return
    drawn = now
    const text = `${what}: ${transferWords({ done, total, seconds: (now - began) / 1000 })}`
    host.status(text)
    if (now - spoke < LINE) return
    spoke = now
    host.info(text)
  }
}
