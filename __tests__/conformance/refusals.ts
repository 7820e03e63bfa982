/** What clouds of whole machines promise about errors of calls, and about reasons why a machine does not start. */
import { expect, test } from '@jest/globals'
import type { Said } from '../../src/clouds/vm/messages.ts'
import { Unanswered } from '../../src/lib/http.ts'

/** `errorOf` turns an error of a call into the one that a command reports. */
export function noAnswerOf(errorOf: (error: unknown, tried: string) => Error): void {
  test('no answer at all counts as temporary; an error in our code does not', () => {
    expect(errorOf(new Unanswered('no answer within 30 s'), 'x')).toMatchObject({ retryable: true })
    expect(errorOf(new RangeError('oops'), 'x')).toMatchObject({ retryable: false })
  })
}

/** `reasonOf` turns a vendor's code and message into the reason that `tpi status` shows for a machine that does not start. */
export function reasonsOf(
  reasonOf: (code: string, message: string) => Said,
  rows: readonly (readonly [code: string, message: string, kind: string, hopeless: true | undefined])[],
): void {
  test.each(rows)('%s: %s', (code, message, kind, hopeless) => {
    const said = reasonOf(code, message)
    expect(said.kind).toBe(kind)
    expect(said.hopeless).toBe(hopeless)
    expect(said.text).toContain(message)
    expect(said).not.toHaveProperty('test')
  })
}
