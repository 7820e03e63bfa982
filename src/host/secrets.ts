/** Values that must not be printed. */

/** Shorter ones would black out ordinary words, and outputs that happen to contain them. */
const SHORTEST = 4
/** Lines of a secret of several lines are masked one by one, since logs go by lines; of short ones every file is full. */
const SHORTEST_LINE = 8

export class Secrets {
  readonly #values = new Set<string>()

  /** What has to be masked for it; nothing new the second time. */
  add(secret: string): string[] {
    const lines = secret.split(/\r?\n/)
    const parts = lines.length > 1 ? lines.filter((line) => line.trim().length >= SHORTEST_LINE) : []
    const fresh = [secret, ...parts].filter((part) => part.trim().length >= SHORTEST && !this.#values.has(part))
    for (const part of fresh) this.#values.add(part)
    return fresh
  }

  /** Longest first, so that no secret is torn by one that is part of it. */
  clean(text: string): string {
    let rest = text
    for (const value of [...this.#values].sort((a, b) => b.length - a.length))
      if (rest.includes(value)) rest = rest.replaceAll(value, '***')
    return rest
  }
}
