/** Values that must not be printed. */
import { maskable } from '../lib/redact.ts'
import { inline } from '../lib/text.ts'

export class Secrets {
  readonly #values = new Set<string>()
  /** The same also as JSON and Markdown have them: texts come here when they are made up. */
  readonly #forms = new Set<string>()

  /** What has to be masked for it; nothing new the second time. */
  add(secret: string): string[] {
    const fresh = maskable(secret).filter((part) => !this.#values.has(part))
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
