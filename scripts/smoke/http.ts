/** Calls of a service's API, one at a time: these are checks, and no client. */
export interface Answer {
  readonly status: number
  readonly data: unknown
  readonly text: string
}

export interface Ask {
  readonly body?: unknown
  /** Answers that are no failure beside those of success. */
  readonly accept?: readonly number[]
}

export class Api {
  readonly #base: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(base: string, headers: Readonly<Record<string, string>>) {
    this.#base = base.replace(/\/+$/, '')
    this.#headers = headers
  }

  async call(method: string, path: string, { body, accept = [] }: Ask = {}): Promise<Answer> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const answer = await fetch(this.#base + path, { method, headers, ...json, signal: AbortSignal.timeout(60_000) })
    const text = await answer.text()
    if (!answer.ok && !accept.includes(answer.status)) throw new Error(`${method} ${path}: HTTP ${answer.status}: ${text.slice(0, 300)}`)
    return { status: answer.status, text, data: parsed(text) }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
