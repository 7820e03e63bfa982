/** Asks each question once, by its key, and shares the answer. A question that failed is asked again the next time. */
export class Once<T> {
  readonly #known = new Map<string, Promise<T>>()

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key) ?? ask()
    this.#known.set(key, known)
    known.catch(() => this.#known.delete(key))
    return known
  }
}
