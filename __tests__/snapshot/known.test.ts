import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { HeldPiece, NOWHERE, sumOf } from '../../src/snapshot/entries.ts'
import { KnownPieces } from '../../src/snapshot/known.ts'

const pieceOf = (text: string, key = 'k'): HeldPiece => new HeldPiece(sumOf(Buffer.from(text)), text.length, { ...NOWHERE, key })

describe('pieces by what they hold', () => {
  test('behave as a map would, also when there are many of them', () => {
    const step = fc.oneof(
      fc.record({ add: fc.nat(300), key: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ without: fc.constantFrom('a', 'b', 'c') }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const known = new KnownPieces()
        const model = new Map<string, HeldPiece>()
        for (const one of steps) {
          if ('add' in one) {
            const piece = pieceOf(String(one.add), one.key)
            known.add(piece)
            model.set(piece.sum, piece)
          } else {
            known.keep((piece) => piece.key !== one.without)
            for (const [sum, piece] of model) if (piece.key === one.without) model.delete(sum)
          }
        }
        expect(known.size).toBe(model.size)
        for (let number = 0; number <= 300; number++) {
          const { sum } = pieceOf(String(number))
          expect(known.get(sum)).toBe(model.get(sum))
        }
      }),
      { numRuns: 50 },
    )
  })

  test('grow without losing any', () => {
    const known = new KnownPieces()
    const pieces = Array.from({ length: 20_000 }, (_, number) => pieceOf(`piece ${number}`))
    for (const piece of pieces) known.add(piece)
    expect(known.size).toBe(20_000)
    expect(pieces.every((piece) => known.get(piece.sum) === piece)).toBe(true)
    known.become(pieces.slice(0, 10))
    expect(known.get(pieces[11]!.sum)).toBeUndefined()
    expect(known.get(pieces[9]!.sum)).toBe(pieces[9])
  })
})
