/** Values that must not be printed. */
import { redactText, secretNeedles } from '../lib/redact.ts'
import { maskable } from '../lib/secret-forms.ts'

export class Secrets {
  readonly #values = new Set<string>()
  /** Texts come here when they are made up: as JSON, as Markdown, within a URL. */
  #needles: readonly Buffer[] = []

  /** What has to be masked for it; nothing new the second time. */
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
