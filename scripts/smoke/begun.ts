/** A command that runs beside others: what it has printed so far, and when. */
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'

/** Facts of `--json` that the checks use. */
export interface Facts {
  readonly outcome?: string
  readonly error?: string
  readonly runsOn?: readonly string[]
  readonly runners?: readonly string[]
  readonly runnerIds?: readonly string[]
  readonly slots?: readonly SlotFacts[]
  /** From `tpi doctor`. */
  readonly checks?: readonly { readonly what: string; readonly state: string; readonly says: string }[]
}

interface SlotFacts {
  readonly state: string
  readonly phase?: string
  readonly attempt: number
  readonly reason?: string
  readonly machine?: string | null
  readonly savedAt?: string | null
}

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly facts: Facts
}

interface Line {
  readonly text: string
  /** Seconds from the start of the command. */
  readonly at: number
}

export class Begun {
  readonly ended: Promise<Ran>
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  readonly #began = performance.now()
  readonly #lines: Line[] = []
  #over = false

  constructor(child: ChildProcessByStdio<null, Readable, Readable>) {
    this.#child = child
    this.ended = this.#end()
    // A rejection reaches those who wait for `ended`; without them, it must not count as unhandled.
    this.ended.catch(() => undefined)
  }

  /** The first line that matches. */
  said(what: RegExp): (Line & { readonly match: RegExpExecArray }) | undefined {
    for (const line of this.#lines) {
      const match = what.exec(line.text)
      if (match) return { ...line, match }
    }
    return undefined
  }

  /** For the user: the last lines that it printed. */
  get last(): string {
    return this.#lines
      .slice(-5)
      .map(({ text }) => text)
      .join('\n')
  }

  /** It prints no more. */
  get over(): boolean {
    return this.#over
  }

  /** As if its computer had disappeared. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async #end(): Promise<Ran> {
    const [out, err, code] = await Promise.all([
      this.#heard(this.#child.stdout),
      this.#heard(this.#child.stderr),
      new Promise<number>((resolve, reject) => {
        this.#child.once('error', reject)
        this.#child.once('close', (exit) => resolve(exit ?? 128))
      }),
    ])
    this.#over = true
    return { code, out, err, facts: factsIn(out) }
  }

  async #heard(stream: Readable): Promise<string> {
    let text = ''
    let rest = ''
    for await (const chunk of stream.setEncoding('utf8')) {
      text += chunk
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      const at = (performance.now() - this.#began) / 1000
      this.#lines.push(...lines.map((line) => ({ text: line, at })))
    }
    return text
  }
}

/** If several values were printed, the last one. */
function factsIn(out: string): Facts {
  for (const text of [out, ...out.trim().split('\n').toReversed()]) {
    try {
      return JSON.parse(text) as Facts
    } catch {
      // Tries the next one.
    }
  }
  return {}
}
