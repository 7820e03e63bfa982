import { expect, test } from '@jest/globals'
import { inFlags, inYaml } from '../../src/options/derive/option-mentions.ts'
import { table } from './world.ts'

test.each([
  [
    'use `if-exists: attach`, or `if-exists: replace`',
    'use --if-exists attach, or --if-exists replace',
    'use "if-exists: attach", or "if-exists: replace"',
  ],
  ['`resume: true` goes on', '--resume goes on', '"resume: true" goes on'],
  ['no `output` is given', 'no --output is given', 'no "output" is given'],
  // Whole commands.
  [
    'give it up: `tpi destroy tpi-a-0123456789 --discard`',
    'give it up: tpi destroy tpi-a-0123456789 --discard',
    'give it up: a step with { command: destroy, name: tpi-a-0123456789, discard: true }',
  ],
  ['`tpi sweep --yes` does it', 'tpi sweep --yes does it', 'a step with { command: sweep, yes: true } does it'],
  [
    'stop it: `tpi stop a --storage s3://b/c?d`',
    'stop it: tpi stop a --storage s3://b/c?d',
    'stop it: a step with { command: stop, name: a, storage: "s3://b/c?d" }',
  ],
  // The action has no such command or option.
  ['`tpi pull a GLOB --to DIR` fetches files', 'tpi pull a GLOB --to DIR fetches files', 'tpi pull a GLOB --to DIR fetches files'],
  ['`tpi status a --nothing`', 'tpi status a --nothing', 'tpi status a --nothing'],
  // Text in backticks that is not an option of tpi stays as it is.
  [
    'run `make all`, with `no-such: thing` in `a`',
    'run `make all`, with `no-such: thing` in `a`',
    'run `make all`, with `no-such: thing` in `a`',
  ],
])('%s', (text, flags, yaml) => {
  expect([inFlags(table)(text), inYaml(table)(text)]).toEqual([flags, yaml])
})
