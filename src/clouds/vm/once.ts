/** A question that is asked once for each request, and again only if it failed. */
export class Once<T> {
  readonly #known = new Map<string, Promise<T>>()

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key) ?? ask()
    this.#known.set(key, known)
    known.catch(() => this.#known.delete(key))
    return known
  }
}
