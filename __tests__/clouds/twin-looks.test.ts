import { expect, test } from '@jest/globals'
import { TwinLooks } from '../../src/clouds/vm/twin-looks.ts'

interface Seen {
  readonly wanted: number
  readonly at: number
}

/** Looks at these groups in turn; resolves to how much each look reads of the twin: all of it, a summary, or nothing. */
async function asked(looks: readonly (readonly [first: Seen, twin: Seen])[]): Promise<readonly string[]> {
  const all = new TwinLooks()
  const said: string[] = []
  for (const [first, twin] of looks) {
    const asks: string[] = []
    await all.look<Seen>({
      first: async () => first,
      twin: async (briefly) => {
        asks.push(briefly ? 'briefly' : 'all')
        return twin
      },
      isFull: ({ wanted, at }) => wanted === at && at > 0,
      isUp: ({ wanted }) => wanted > 0,
    })
    said.push(asks.join(' ') || 'nothing')
  }
  return said
}

const FULL = { wanted: 2, at: 2 }
const WAITS = { wanted: 0, at: 0 }

test('while spot machines do all the work, the waiting twin is looked at now and then', async () => {
  const said = await asked(Array.from({ length: 11 }, () => [FULL, WAITS] as const))
  expect(said).toEqual(['all', ...Array(4).fill('nothing'), 'briefly', ...Array(4).fill('nothing'), 'briefly'])
})

test.each([
  { wanted: 2, at: 1 },
  { wanted: 1, at: 2 },
  { wanted: 0, at: 0 },
])('once the spot group is not as it should be (%p), the twin is read in the same look, and in each one after it', async (less) => {
  const said = await asked([
    [FULL, WAITS],
    [FULL, WAITS],
    [less, WAITS],
    [less, WAITS],
    [FULL, WAITS],
    [FULL, WAITS],
  ])
  expect(said).toEqual(['all', 'nothing', 'all', 'all', 'all', 'nothing'])
})

test('a twin that has started is looked at each time', async () => {
  const up = { wanted: 2, at: 1 }
  expect(await asked(Array.from({ length: 6 }, () => [FULL, up] as const))).toEqual(Array(6).fill('all'))
})
