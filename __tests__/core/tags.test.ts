/** What another version of tpi has made is told once, to the list that leaves it out. */
import { expect, test } from '@jest/globals'
import { LeftOutError, leftOut } from '../../src/core/tags.ts'

test('each deployment that is left out is told once; a search for one tells nothing of the others', () => {
  const said: string[] = []
  const tell = leftOut({ warn: (text) => said.push(text) })
  tell(undefined, 'tpi-b')('tpi-a', 'why')
  for (const id of ['tpi-a', 'tpi-b', 'tpi-a']) tell()(id, 'why')
  expect(said).toEqual(['tpi-a is left out: why', 'tpi-b is left out: why'])
})

test('a list that counts what it lacks is told each time', () => {
  const lost: unknown[] = []
  const tell = leftOut({ warn: (text) => lost.push(text) })
  for (let lists = 0; lists < 2; lists += 1) {
    const left = tell((where, error) => lost.push(where, error))
    for (const id of ['tpi-a', 'tpi-a']) left(id, 'why')
  }
  expect(lost).toEqual(['tpi-a', new LeftOutError('why'), 'tpi-a', new LeftOutError('why')])
})
