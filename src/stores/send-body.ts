/** The body of a request. */
import type { ClientRequest } from 'node:http'
import type { Sent } from '../wire/store.ts'

/** Bytes that are handed over at a time where somebody counts them. */
const STRIDE = 128 << 10

/** `sent` hears of what the system has taken, which holds back what a slow line has not carried yet. */
export function sendBody(call: ClientRequest, body: Uint8Array | undefined, sent: Sent | undefined): void {
  if (body === undefined || sent === undefined) return void call.end(body)
  const next = (from: number): void => {
    const to = from + STRIDE
    if (to >= body.length) return void call.end(body.subarray(from), () => sent(body.length))
    call.write(body.subarray(from, to), (error) => {
      if (error) return
      sent(to)
      next(to)
    })
  }
  next(0)
}
