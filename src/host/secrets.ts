/** Values that must not be printed. */
import { redactText, secretNeedles } from '../lib/redact.ts'
import { maskable } from '../lib/secret-forms.ts'

export class Secrets {
  readonly #values = new Set<string>()
  /** In every form in which a text may have them: as JSON, as Markdown, in a URL. */
  #needles: readonly Buffer[] = []

  /** Adds a secret. Returns the texts to mask for it that are new; the second time, none. */
  add(secret: string): string[] {
    const fresh = maskable(secret).filter((part) => !this.#values.has(part))
    for (const part of fresh) this.#values.add(part)
    if (fresh.length > 0) this.#needles = [...this.#needles, ...secretNeedles([secret])]
    return fresh
  }

  clean(text: string): string {
    return redactText(text, this.#needles)
  }
}
