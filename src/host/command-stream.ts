/** Prints the output of a command that runs beside the program (`tpi exec`). */
import { Redraw } from '../lib/redraw.ts'

interface Target {
  readonly isTTY?: boolean
  write(text: string | Uint8Array): unknown
}

export interface Shown {
  /** It ends up in the log of a CI job. */
  readonly log: boolean
  readonly now: () => number
  /** Applied to each text before it is written. */
  readonly finish: (text: string) => string
}

/**
 * One stream, in parts of any size. It is filtered if people read it, at a terminal or in the log of a job. A file or another program gets
 * the bytes as they are.
 */
export class CommandStream {
  readonly #to: Target
  readonly #shown: Shown
  readonly #redraw: Redraw | undefined

  constructor(to: Target, shown: Shown) {
    this.#to = to
    this.#shown = shown
    const isRead = to.isTTY === true || shown.log
    this.#redraw = isRead ? new Redraw({ redraws: to.isTTY === true, joins: !shown.log, now: shown.now }) : undefined
  }

  push(bytes: Uint8Array): void {
    if (this.#redraw) this.#write(this.#redraw.push(bytes))
    else this.#to.write(bytes)
  }

  end(): void {
    if (this.#redraw) this.#write(this.#redraw.end())
  }

  #write(text: string): void {
    if (text !== '') this.#to.write(this.#shown.finish(text))
  }
}
