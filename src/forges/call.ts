/** What a call of a forge is for, and what comes back. */

/** What a failure of a call says of it, and what its caller does then. */
export interface Purpose {
  /** For people: `register a runner`. */
  readonly doing: string
  /** What the token lacks when the answer is 403 or 404. */
  readonly needs?: string
  /** Statuses that the caller understands itself, unless the answer is a limit. */
  readonly accept?: readonly number[]
  /** What a refusal means, if more is known than that the token lacks a right. */
  explain?(status: number): Promise<Error | undefined>
  /** Before it is made, each time. */
  before?(): Promise<void>
  /** Before it is repeated: handles what a call with a lost answer has made. */
  again?(): Promise<void>
}

export interface Call extends Purpose {
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | undefined>>
  readonly data: unknown
}

export interface Unanswered {
  readonly cause: unknown
}
