/** What is said when a forge refuses a call, or does not answer: whose fault it is, and what to do. A forge's own reasons are in its folder. */
import { AuthError, InputError, RemoteError } from '../core/errors.ts'
import { fieldsIn } from '../lib/record.ts'
import { messageOf } from '../lib/text.ts'
import type { Answer, Purpose, Unanswered } from './call.ts'

/** For people. */
interface Parties {
  /** The forge. */
  readonly title: string
  /** Who calls: the kind of token, or the App. */
  readonly who: string
}

/** `wait`: given if the call would have to wait longer than it may. */
export function faultOf(
  { title, who }: Parties,
  { doing, needs }: Purpose,
  answer: Answer | Unanswered,
  wait?: { readonly announced: boolean; readonly why: string },
): Error {
  const failed = `${title}: could not ${doing}:`
  if (!('status' in answer)) {
    if (answer.cause instanceof RemoteError) return answer.cause
    const why = messageOf(answer.cause)
    return new RemoteError(`${failed} no answer (${why})`, { cause: answer.cause, retryable: true })
  }
  const { status } = answer
  const said = reasonOf(answer)
  if (wait?.announced) return new RemoteError(`${failed} ${wait.why}, for longer than tpi waits`, { retryable: true })
  if (status === 401) return new AuthError(`${failed} the ${who} is not valid, or expired`)
  if (status === 403 || status === 404) {
    const lacks = needs === undefined ? '' : `; it needs ${needs}`
    return new AuthError(`${failed} the ${who} is not allowed to${lacks} (HTTP ${status}: ${said})`)
  }
  if (status < 400) return elsewhere(failed, answer)
  return new RemoteError(`${failed} HTTP ${status}: ${said}`, { retryable: status >= 500 })
}

/** Paths to which a sign-in page in front of a server redirects. */
const SIGN_IN = /\/(sign_in|login|saml|oauth2?|auth)\b/i

/** The error of a redirect that was not followed, because a token is sent only to the given address. */
function elsewhere(failed: string, { status, headers: { location } }: Answer): Error {
  const to = typeof location === 'string' ? location : 'an address that it does not name'
  const message = `${failed} it redirects to ${to} (HTTP ${status}), and tpi sends no token there`
  const server = URL.canParse(to) ? new URL(to).origin : undefined
  const moved = server === undefined ? 'if it has moved, give its new path' : `if that is the server itself, give \`forge-url: ${server}\``
  const hint = SIGN_IN.test(to) ? 'a sign-in page is in front of its API: configure it to let calls of the API through' : moved
  return new InputError([{ option: 'forge-url', message, hint }])
}

/** The reason in an answer, shortened, for people. */
export function reasonOf({ data }: Pick<Answer, 'data'>): string {
  const said = fieldsIn(data)
  const reason = said['message'] ?? said['error_description'] ?? said['error']
  const text = typeof reason === 'string' || reason === undefined ? reason : JSON.stringify(reason)
  return text?.slice(0, 200).replace(/\s+/g, ' ') ?? 'no reason given'
}
