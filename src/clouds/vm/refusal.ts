/** How vendors refuse requests that are made without their own client. */
import { TpiError } from '../../core/errors.ts'

/** A refusal, or an operation that failed. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** 0 for an operation without a status. */
  readonly status: number
  /** The vendor's: `quotaExceeded`, `AuthorizationFailed`. */
  readonly code: string
  /** Page on which an API that is switched off can be switched on. */
  readonly activation: string | undefined
  constructor(
    message: string,
    { status = 0, code = '', activation }: { readonly status?: number; readonly code?: string; readonly activation?: string | undefined },
  ) {
    super(message)
    this.status = status
    this.code = code
    this.activation = activation
  }
}

/** The vendor's refusal in an error, also if that is tpi's own error with the refusal as its cause. */
export function refusalIn(error: unknown): Refusal | undefined {
  const cause = error instanceof TpiError ? error.cause : error
  return cause instanceof Refusal ? cause : undefined
}

/** Hint if a call is refused for lack of machines: unlike a group, nothing goes on trying. `types`: as the vendor calls them. */
export const noRoom = (types: string): string => `name other ${types} or another region (several may be given), or start it again later`

/** The service has too much to do, or is out of order. */
export const isPassing = (status: number): boolean => status >= 500 || status === 429

/** The vendor's words in one line, with its code if they do not contain it. */
export function saidWith(code: string, words: string): string {
  const said = words.replace(/\s+/g, ' ').trim()
  return code === '' || said.includes(code) ? said : `${said} (${code})`
}
