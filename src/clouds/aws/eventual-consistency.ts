/**
 * New resources are not known everywhere at once.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency ·
 * https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html
 */
import { RemoteError } from '../../core/errors.ts'
import type { Removed } from '../../core/resource.ts'
import { messageOf } from '../../lib/text.ts'
import { codeOf } from './errors.ts'

/** Milliseconds for which a resource counts as new; both pages speak of seconds. */
const YOUNG_FOR = 10_000

/** For `catch`, of a call about something that was just made: an error with one of these codes becomes retryable. */
export function youngIf(codes: RegExp): (error: unknown) => never {
  return (error) => {
    const { cause } = error as { readonly cause?: unknown }
    throw codes.test(codeOf(cause)) ? new RemoteError(messageOf(error), { cause, retryable: true }) : error
  }
}

/** For a resource that a run may have to remove just after it has made it: "absent" is not believed of what is new. */
export class Youth {
  #since = -Infinity
  readonly #removed = new Set<string>()

  /** Runs `make`. Unless AWS clearly refuses, something may have been made, even if there was no answer. */
  async making<T>(make: () => Promise<T>): Promise<T> {
    this.#since = performance.now()
    try {
      return await make()
    } catch (error) {
      if (!(error instanceof RemoteError)) this.#since = -Infinity
      throw error
    }
  }

  /** Whether it may have been made just now. */
  get isNew(): boolean {
    return performance.now() - this.#since <= YOUNG_FOR
  }

  /** The outcome of removing one part of it; `pending` instead of an "absent" that cannot be believed yet. */
  readonly doubt = (part: string, outcome: Removed): Removed => {
    if (outcome === 'removed') this.#removed.add(part)
    const known = outcome !== 'absent' || this.#removed.has(part) || !this.isNew
    return known ? outcome : 'pending'
  }
}
