import { expect, test } from '@jest/globals'
import { inFlags, inYaml } from '../../src/options/derive/spoken.ts'
import { table } from './world.ts'

test.each([
  [
    'use `if-exists: attach`, or `if-exists: replace`',
    'use --if-exists attach, or --if-exists replace',
    'use "if-exists: attach", or "if-exists: replace"',
  ],
  ['`resume: true` goes on', '--resume goes on', '"resume: true" goes on'],
  ['no `output` is given', 'no --output is given', 'no "output" is given'],
  // What is no option is somebody else's.
  [
    'run `make all`, with `no-such: thing` in `a`',
    'run `make all`, with `no-such: thing` in `a`',
    'run `make all`, with `no-such: thing` in `a`',
  ],
])('%s', (text, flags, yaml) => {
  expect([inFlags(table)(text), inYaml(table)(text)]).toEqual([flags, yaml])
})
