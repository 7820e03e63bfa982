/** The agent's own lines: they go to the machine's log, and to the log of the attempt while there is one. */
import type { LogShipper } from './log-shipper.ts'

type Level = 'agent' | 'warning'

export class AgentLog {
  readonly #out: (line: string) => void
  #early: (readonly [Level, string])[] = []
  #logs: LogShipper | undefined

  /** `out`: the machine's own log. */
  constructor(out: (line: string) => void) {
    this.#out = out
  }

  readonly say = (line: string): void => {
    this.#out(line)
    this.#write('agent', line)
  }

  /** For lines that everybody who follows the run should see, not only those who ask for every detail. */
  readonly warn = (line: string): void => {
    this.#out(`warning: ${line}`)
    this.#write('warning', line)
  }

  /** From now on, lines also go to this attempt's log, first those that came while there was none. */
  attach(logs: LogShipper): void {
    this.#logs = logs
    for (const [level, line] of this.#early.splice(0)) this.#write(level, line)
  }

  detach(): void {
    this.#logs = undefined
  }

  #write(level: Level, line: string): void {
    if (this.#logs) this.#logs.write(level, Buffer.from(`${line}\n`))
    else this.#early.push([level, line])
  }
}
