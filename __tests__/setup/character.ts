/** Characters for random texts. */
import * as fc from 'fast-check'

const SURROGATES = { from: 0xd800, many: 0x800 }

/**
 * Any character, as the unit `binary` of fast-check gives them, and as likely. For that one, each file of tests first builds a table of all
 * characters, which takes two seconds and 100 MB.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - SURROGATES.many }).map(
  (number) => String.fromCodePoint(number < SURROGATES.from ? number : number + SURROGATES.many),
  (text) => {
    const code = typeof text === 'string' && text !== '' ? (text.codePointAt(0) ?? 0) : undefined
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('it is not a character')
    return code < SURROGATES.from ? code : code - SURROGATES.many
  },
)
