import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { inline } from '../../src/lib/markdown.ts'
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
  ])('removes %s', (_, text, secrets, masked) => {
    expect(redactText(text, secretNeedles(secrets))).toBe(masked)
    for (let cut = 0; cut <= bytes(text).length; cut++) {
      expect(stream([bytes(text).subarray(0, cut), bytes(text).subarray(cut)], secrets).toString()).toBe(masked)
    }
  })

  test('does not depend on how the stream is cut, and leaves no secret', () => {
    // With a tiny alphabet, overlaps and partial secrets are common.
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

  test('holds back only text that may be the beginning of a secret', () => {
    const redactor = new Redactor(secretNeedles(['secret-1234']))
    expect(redactor.push(bytes('a line\nsec')).toString()).toBe('a line\n')
    expect(redactor.push(bytes('ond\n')).toString()).toBe('second\n')
  })
})

describe('every form in which programs print a secret', () => {
  const SECRET = String.raw`p"a$s'w/ö r+d\<&>`
  const base64 = (before: string, after = ''): string => Buffer.from(`${before}${SECRET}${after}`).toString('base64')

  // Forms of other languages were copied from their output.
  test.each<[string, string, string]>([
    ['JSON', JSON.stringify(SECRET), '"***"'],
    ['JSON in JSON', JSON.stringify({ log: JSON.stringify({ t: SECRET }) }), String.raw`{"log":"{\"t\":\"***\"}"}`],
    ['JSON of Python', String.raw`"p\"a$s'w/\u00f6 r+d\\<&>"`, '"***"'],
    ['JSON of PHP', String.raw`"p\"a$s'w\/\u00f6 r+d\\<&>"`, '"***"'],
    ['JSON of Go', String.raw`"p\"a$s'w/ö r+d\\\u003c\u0026\u003e"`, '"***"'],
    ['JSON of .NET', String.raw`"p\u0022a$s\u0027w/\u00F6 r\u002Bd\\\u003C\u0026\u003E"`, '"***"'],
    ['a part of a URL', `https://u:${encodeURIComponent(SECRET)}@host`, 'https://u:***@host'],
    ['a URL', encodeURI(`https://host/${SECRET}?`), 'https://host/***?'],
    ['a form', new URLSearchParams({ t: SECRET, x: '1' }).toString(), 't=***&x=1'],
    ['a path of Python', '<p%22a%24s%27w/%C3%B6%20r%2Bd%5C%3C%26%3E>', '<***>'],
    ['a form of Python', '<p%22a%24s%27w%2F%C3%B6+r%2Bd%5C%3C%26%3E>', '<***>'],
    ['a part of a URL of Python', '<p%22a%24s%27w%2F%C3%B6%20r%2Bd%5C%3C%26%3E>', '<***>'],
    ['a URL in small letters', '<p%22a%24s%27w%2f%c3%b6%20r%2bd%5c%3c%26%3e>', '<***>'],
    ['Base64', base64(''), '***'],
    ['Base64 for URLs', base64('').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''), '***'],
    ['Base64 with a newline', base64('', '\n'), '***Cg=='],
    ['Base64 after one byte', base64('u', ' and more'), 'dX***iBhbmQgbW9yZQ=='],
    ['Base64 after two bytes', base64('us', ' and more'), 'dXN***4gYW5kIG1vcmU='],
    ['Base64 of a login', base64('user:'), 'dXNlcjp***4='],
    ['printf %q', String.raw`p\"a\$s\'w/ö\ r+d\\\<\&\>`, '***'],
    ['a trace', String.raw`+ : 'p"a$s'\''w/ö r+d\<&>'`, "+ : '***'"],
    ['export', String.raw`declare -x S="p\"a\$s'w/ö r+d\\<&>"`, 'declare -x S="***"'],
    ['shlex', `'p"a$s'"'"'w/ö r+d\\<&>'`, "'***'"],
    ['repr', String.raw`'p"a$s\'w/ö r+d\\<&>'`, "'***'"],
    ['HTML', 'p&quot;a$s&#39;w/ö r+d\\&lt;&amp;&gt;', '***'],
    ['text in HTML', `p"a$s'w/ö r+d\\&lt;&amp;&gt;`, '***'],
    ['Markdown', inline(SECRET), '***'],
  ])('%s', (_, text, masked) => {
    expect(redactText(text, secretNeedles([SECRET]))).toBe(masked)
  })

  test('a newline in the middle, as JSON and as a quoted string', () => {
    const needles = secretNeedles(['ab\ncd'])
    expect(redactText(JSON.stringify({ key: 'ab\ncd' }), needles)).toBe('{"key":"***"}')
    expect(redactText(String.raw`+ login $'ab\ncd'`, needles)).toBe("+ login $'***'")
  })

  test('Base64 of a key, in lines of either length', () => {
    const key = Array.from({ length: 20 }, (_, at) => `line ${at} of a key that has many of them, ${at ** 5}`).join('\n')
    for (const width of [76, 64]) {
      const text = (
        Buffer.from(key)
          .toString('base64')
          .match(new RegExp(`.{1,${width}}`, 'g')) ?? []
      ).join('\n')
      const lines = redactText(text, secretNeedles([key])).split('\n')
      expect(lines.slice(0, -1)).toEqual(lines.slice(0, -1).map(() => '***'))
      expect(lines.at(-1)).toMatch(/^\*\*\*.{0,3}$/)
    }
  })
})
