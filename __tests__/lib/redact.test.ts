import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { Redactor, redactText, secretNeedles } from '../../src/lib/redact.ts'

function stream(chunks: readonly Uint8Array[], secrets: readonly string[]): Buffer {
  const redactor = new Redactor(secretNeedles(secrets))
  return Buffer.concat([...chunks.map((chunk) => redactor.push(chunk)), redactor.end()])
}

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8')

describe('masking', () => {
  test.each([
    ['a secret', 'x secret-1234 y', ['secret-1234'], 'x *** y'],
    ['nothing but it', 'secret-1234', ['secret-1234'], '***'],
    ['two, one beginning like the other', 'abcdefgh abcdefghijk', ['abcdefgh', 'abcdefghijk'], '*** ***'],
    ['overlapping ones as one', '<abcdefghijkl>', ['abcdefgh', 'efghijkl'], '<***>'],
    ['neighbours each', 'abcdefghabcdefgh', ['abcdefgh'], '******'],
    ['lines of a key', '  AAAAAAAAAA\n  BBBBBBBBBB\n', ['AAAAAAAAAA\nBBBBBBBBBB\n'], '  ***\n  ***\n'],
    ['what came with a newline at its end', 'x secret-1234, y', ['secret-1234\n'], 'x ***, y'],
    ['a short one', 'pin=1234.', ['1234'], 'pin=***.'],
    ['a short one that came with a newline', 'pin=1234.', ['1234\n'], 'pin=***.'],
    ['not what is too short', 'abc', ['abc'], 'abc'],
    ['of several lines not the short ones', '{\n "a": "longer-one"\n}', ['{\n"a": "longer-one"\n}'], '{\n ***\n}'],
    ['beyond ASCII', 'naïve-pässwörd!', ['pässwörd'], 'naïve-***!'],
  ])('takes out %s', (_, text, secrets, masked) => {
    expect(redactText(text, secretNeedles(secrets))).toBe(masked)
    for (let cut = 0; cut <= bytes(text).length; cut++) {
      expect(stream([bytes(text).subarray(0, cut), bytes(text).subarray(cut)], secrets).toString()).toBe(masked)
    }
  })

  test('does not depend on how the stream is cut, and leaves no secret', () => {
    // A tiny alphabet makes overlaps and half secrets common.
    const letters = fc.constantFrom('a', 'b')
    const secret = fc.string({ unit: letters, minLength: 8, maxLength: 11 })
    const chunks = fc.array(fc.string({ unit: letters, maxLength: 24 }), { maxLength: 12 })
    fc.assert(
      fc.property(chunks, fc.array(secret, { minLength: 1, maxLength: 3 }), (parts, secrets) => {
        const cut = stream(parts.map(bytes), secrets).toString()
        expect(cut).toBe(redactText(parts.join(''), secretNeedles(secrets)))
        for (const value of secrets) expect(cut).not.toContain(value)
      }),
      { numRuns: 500 },
    )
  })

  test('passes other bytes unchanged, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        expect(stream(chunks, ['secret-1234'])).toEqual(Buffer.concat(chunks))
      }),
    )
  })

  test('holds back only what may be the beginning of a secret', () => {
    const redactor = new Redactor(secretNeedles(['secret-1234']))
    expect(redactor.push(bytes('a line\nsec')).toString()).toBe('a line\n')
    expect(redactor.push(bytes('ond\n')).toString()).toBe('second\n')
  })
})
