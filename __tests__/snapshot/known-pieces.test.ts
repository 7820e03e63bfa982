import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { KnownPieces } from '../../src/snapshot/format/known-pieces.ts'
import { NOWHERE, Pieces, type Sum, sumOf } from '../../src/snapshot/format/pieces.ts'

const sumOfText = (text: string): Sum => sumOf(Buffer.from(text))

const addTo = (pieces: Pieces, text: string, key = 'k'): number => pieces.add(sumOfText(text), text.length, { ...NOWHERE, key })

describe('pieces by their content', () => {
  test('behave as a map would, also when there are many of them, and when some of them move', () => {
    const step = fc.oneof(
      fc.record({ add: fc.nat(300), key: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ without: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ moved: fc.constant(true) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        let known = new KnownPieces(new Pieces())
        const model = new Map<string, string>()
        for (const one of steps) {
          if ('add' in one) {
            known.add(addTo(known.pieces, String(one.add), one.key))
            model.set(String(one.add), one.key)
          } else if ('without' in one) {
            known.keep((piece) => known.pieces.at(piece).key !== one.without)
            for (const [text, key] of model) if (key === one.without) model.delete(text)
          } else {
            const marks = new Uint8Array(known.pieces.count)
            known.mark(marks)
            const { pieces, numbers } = known.pieces.only(marks)
            known = known.moved(pieces, numbers)
            expect(pieces.count).toBe(model.size)
          }
        }
        expect(known.size).toBe(model.size)
        for (let number = 0; number <= 300; number++) {
          const found = known.get(sumOfText(String(number)))
          expect(found === undefined ? undefined : known.pieces.at(found).key).toBe(model.get(String(number)))
        }
      }),
      { numRuns: 50 },
    )
  })

  test('grow without losing any', () => {
    const known = new KnownPieces(new Pieces())
    const texts = Array.from({ length: 20_000 }, (_, number) => `piece ${number}`)
    const numbers = texts.map((text) => addTo(known.pieces, text))
    for (const number of numbers) known.add(number)
    expect(known.size).toBe(20_000)
    expect(texts.map((text) => known.get(sumOfText(text)))).toEqual(numbers)
    known.keep((number) => number < 10)
    expect(known.get(sumOfText('piece 11'))).toBeUndefined()
    expect(known.get(sumOfText('piece 9'))).toBe(9)
  })
})
