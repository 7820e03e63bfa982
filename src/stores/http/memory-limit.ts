/** Limits what is in memory at once: first come, first served. */

interface Waiting {
  readonly amount: number
  readonly start: () => void
}

export class MemoryLimit {
  readonly #whole: number
  #free: number
  readonly #queue: Waiting[] = []

  constructor(whole: number) {
    this.#whole = whole
    this.#free = whole
  }

  /**
   * Waits until so much is free; resolves to the function that gives it back. Whoever asks for more than the limit gets all of it. Rejects with
   * the signal's reason.
   */
  async take(amount: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const part = Math.min(amount, this.#whole)
    if (this.#queue.length > 0 || part > this.#free) await this.#turn(part, signal)
    else this.#free -= part
    let given = false
    return () => {
      if (given) return
      given = true
      this.#free += part
      this.#next()
    }
  }

  async #turn(amount: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        amount,
        start: () => {
          signal.removeEventListener('abort', stop)
          resolve()
        },
      }
      const stop = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1)
        reject(signal.reason)
        this.#next()
      }
      signal.addEventListener('abort', stop, { once: true })
      this.#queue.push(waiting)
    })
  }

  #next(): void {
    for (let first = this.#queue[0]; first && first.amount <= this.#free; first = this.#queue[0]) {
      this.#queue.shift()
      this.#free -= first.amount
      first.start()
    }
  }
}

/** One limit for all, and a share of it for each client: nobody can use all of it. */
export class MemoryLimits {
  readonly whole: MemoryLimit
  readonly #share: number
  readonly #shares = new Map<string, MemoryLimit>()

  constructor(whole: number, share: number) {
    this.whole = new MemoryLimit(whole)
    this.#share = share
  }

  /** The share of the client of this name. */
  of(name: string): Pick<MemoryLimit, 'take'> {
    const share = this.#shares.get(name) ?? new MemoryLimit(this.#share)
    this.#shares.set(name, share)
    return {
      take: async (amount, signal) => {
        const own = await share.take(amount, signal)
        try {
          const common = await this.whole.take(amount, signal)
          return () => {
            common()
            own()
          }
        } catch (error) {
          own()
          throw error
        }
      },
    }
  }
}
