/** Our own lines about the machine: to its own log, and to the slot's while one is held. */
import { WARNING } from '../../wire/log.ts'
import type { LogShipper } from './logs.ts'

/** For lines that everybody who follows the run is to see, not only who asks for every detail. */
export function warner(say: (line: string) => void): (text: string) => void {
  return (text) => say(WARNING + text)
}

export class AgentLog {
  readonly #out: (line: string) => void
  #early: string[] = []
  #logs: LogShipper | undefined

  /** `out`: the machine's own log. */
  constructor(out: (line: string) => void) {
    this.#out = out
  }

  readonly say = (line: string): void => {
    this.#out(line)
    if (this.#logs) this.#logs.write('agent', Buffer.from(`${line}\n`))
    else this.#early.push(line)
  }

  /** From now on lines go to this attempt's log, those that were said before it too. */
  attach(logs: LogShipper): void {
    this.#logs = logs
    for (const line of this.#early.splice(0)) logs.write('agent', Buffer.from(`${line}\n`))
  }

  detach(): void {
    this.#logs = undefined
  }
}
