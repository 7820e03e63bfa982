/** Values that must not be printed. */
import { inline } from '../lib/text.ts'

/** Shorter ones would black out ordinary words, and outputs that happen to contain them. */
const SHORTEST = 4
/** Lines of a secret of several lines are masked one by one, since logs go by lines; of short ones every file is full. */
const SHORTEST_LINE = 8

export class Secrets {
  readonly #values = new Set<string>()
  /** The same also as JSON and Markdown have them: texts come here when they are made up. */
  readonly #forms = new Set<string>()

  /** What has to be masked for it; nothing new the second time. */
  add(secret: string): string[] {
    const lines = secret.split(/\r?\n/)
    const parts = lines.length > 1 ? lines.filter((line) => line.trim().length >= SHORTEST_LINE) : []
    const fresh = [secret, ...parts].filter((part) => part.trim().length >= SHORTEST && !this.#values.has(part))
    for (const part of fresh) {
      this.#values.add(part)
      for (const form of [part, JSON.stringify(part).slice(1, -1), inline(part)]) this.#forms.add(form)
    }
    return fresh
  }

  /** Longest first, so that no secret is torn by one that is part of it. */
  clean(text: string): string {
    let rest = text
    for (const value of [...this.#forms].sort((a, b) => b.length - a.length)) if (rest.includes(value)) rest = rest.replaceAll(value, '***')
    return rest
  }
}
