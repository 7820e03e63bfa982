/** What is said of the words of a command before any machine starts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { warnOfWords } from '../../src/verbs/task/command-words.ts'
import { memoryHost } from '../setup/memory-host.ts'

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tpi-words-'))
  for (const name of ['train.py', 'my program']) writeFileSync(join(cwd, name), '')
})
afterEach(() => rmSync(cwd, { recursive: true }))

const WORD = (word: string): string => `warn: "${word}" is one word, and probably no program has that name: give a shell line as \`script\``
const HERE = (file: string): string =>
  `warn: "${file}" exists here, but no work directory is uploaded: give "--workdir ." to upload this folder`

test.each<[string, readonly string[], boolean, readonly string[]]>([
  ['a shell line in one word', ['echo hi | cat'], true, [WORD('echo hi | cat')]],
  ['a variable', ['$HOME/run'], true, [WORD('$HOME/run')]],
  ['the same without a work directory', ['echo hi'], false, [WORD('echo hi')]],
  ['a program', ['true'], true, []],
  ['a program whose file has a blank in its name', ['./my program'], true, []],
  ['a shell that gets a line', ['sh', '-c', 'echo hi | cat'], true, []],
  ['a file that exists only here', ['python3', 'train.py', '--fast'], false, [HERE('train.py')]],
  ['a file that is uploaded', ['python3', 'train.py'], true, []],
])('%s', async (_, argv, uploads, lines) => {
  const host = memoryHost()
  const parsed = { program: { argv } } as unknown as VerbContext['parsed']
  await warnOfWords({ host, parsed, cwd }, uploads ? { workdir: cwd } : {})
  expect(host.lines).toEqual(lines)
})

test('of a script, nothing', async () => {
  const host = memoryHost()
  const parsed = { program: { script: 'echo hi | cat' } } as unknown as VerbContext['parsed']
  await warnOfWords({ host, parsed, cwd }, {})
  expect(host.lines).toEqual([])
})
