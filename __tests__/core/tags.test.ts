/** Of what another version of tpi has made, a list tells once. */
import { expect, test } from '@jest/globals'
import { leftOut } from '../../src/core/tags.ts'

test('each deployment that is left out is told once; a search for one tells nothing of the others', () => {
  const said: string[] = []
  const tell = leftOut({ warn: (text) => said.push(text) })
  tell('tpi-b')('tpi-a', 'why')
  for (const id of ['tpi-a', 'tpi-b', 'tpi-a']) tell(undefined)(id, 'why')
  expect(said).toEqual(['tpi-a is left out: why', 'tpi-b is left out: why'])
})
