/** A call of a forge, and its answer. */

/** What a call is for, for the message if it fails, and what its caller does then. */
export interface Purpose {
  /** For people: `register a runner`. */
  readonly doing: string
  /** What the token must be allowed to do: said if the answer is 403 or 404. */
  readonly needs?: string
  /** Statuses that the caller handles itself, unless the answer is a rate limit. */
  readonly accept?: readonly number[]
  /** The error that a refusal means; `undefined`: no more is known than that the token lacks a right. */
  explain?(status: number): Promise<Error | undefined>
  /** Called before each try. */
  before?(): Promise<void>
  /** Called before a repetition: removes what a call whose answer was lost may have made. */
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
