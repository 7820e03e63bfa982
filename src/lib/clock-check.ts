/** Whether this computer's clock agrees with the servers that answer it: it may be hours off after a sleep (WSL 2), or after another system ran. */
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'

/** Milliseconds: a clock that is off by less does no harm, and answers are some seconds old when they are read. */
const OFF = 2 * 60_000
/** A server on this computer has the same clock, or that of a test. */
const HERE = /^(?:::ffff:)?127\.|^::1$/

export interface ClockFault {
  /** Milliseconds by which this computer is ahead; negative: behind. */
  readonly ahead: number
  /** The server that says so. */
  readonly server: string
}

export class ClockCheck {
  #last: ClockFault | undefined
  #before: ClockFault | undefined

  /** `date`: the header of an answer that has just come. */
  hear(server: string, date: string | undefined, now: number): void {
    const ahead = now - Date.parse(date ?? '')
    if (Number.isNaN(ahead)) return
    this.#before = this.#last
    this.#last = { server, ahead }
  }

  /** Two answers in a row must say so: a computer may have slept while one was on its way. */
  get fault(): ClockFault | undefined {
    const [last, before] = [this.#last?.ahead ?? 0, this.#before?.ahead ?? 0]
    return Math.min(last, before) >= OFF || Math.max(last, before) <= -OFF ? this.#last : undefined
  }
}

let watching: ClockCheck | undefined

/** Of all answers to this process, whichever client gets them. */
export function checkedClock(): ClockCheck {
  if (watching) return watching
  const check = (watching = new ClockCheck())
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage }
    const { date, age } = response.headers
    // An answer with an age comes from a cache.
    if (age === undefined && !HERE.test(response.socket.remoteAddress ?? '')) check.hear(request.host, date, Date.now())
  })
  return watching
}
