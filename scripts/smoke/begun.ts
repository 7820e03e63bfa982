/** A command that goes on beside others: what it has said so far, and when. */
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Facts, Ran } from './commands.ts'

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
    // Whoever waits for it is told.
    this.ended.catch(() => undefined)
  }

  /** The first line that fits. */
  said(what: RegExp): (Line & { readonly match: RegExpExecArray }) | undefined {
    for (const line of this.#lines) {
      const match = what.exec(line.text)
      if (match) return { ...line, match }
    }
    return undefined
  }

  /** For people: the last of what it said. */
  get last(): string {
    return this.#lines
      .slice(-5)
      .map(({ text }) => text)
      .join('\n')
  }

  /** It says no more. */
  get over(): boolean {
    return this.#over
  }

  /** As if its computer had gone. */
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

/** Of a command that printed several, the last one. */
function factsIn(out: string): Facts {
  for (const text of [out, ...out.trim().split('\n').toReversed()]) {
    try {
      return JSON.parse(text) as Facts
    } catch {
      // The next one.
    }
  }
  return {}
}
