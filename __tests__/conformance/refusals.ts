/** What vendors say of calls and machines, where it means the same on each. */
import { expect, test } from '@jest/globals'
import type { Said } from '../../src/clouds/vm/messages.ts'

/** `errorOf`: what a command reports of an error in a call. */
export function noAnswerOf(errorOf: (error: unknown, tried: string) => Error): void {
  test('no answer at all counts as temporary; an error in our code does not', () => {
    expect(errorOf(new TypeError('fetch failed'), 'x')).toMatchObject({ retryable: true })
    expect(errorOf(new RangeError('oops'), 'x')).toMatchObject({ retryable: false })
  })
}

/** `reasonOf`: what a status reports of a machine that does not start. */
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
