/** A command that is run beside the program: one that the system does not start says so, as a shell would. */
import { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { runBeside } from '../../src/clouds/exec.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-beside-'))
  for (const [name, text, mode] of [
    ['plain.sh', 'echo\n', 0o644],
    ['lost.py', '#!/usr/bin/python9\n', 0o755],
  ] as const) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), mode)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a command that takes no signal of this user is left, with a word, once this command is told to end', async () => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  const refused = jest.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(false)
  try {
    const running = runBeside({ machine: 'm-none', folder, env: process.env }, ['sleep', '0.5'])
    process.emit('SIGTERM', 'SIGTERM')
    expect(await running).toBe(143)
    expect(refused).toHaveBeenCalledWith('SIGTERM')
    expect(written.mock.calls).toEqual([[expect.stringMatching(/^tpi: sleep: this user cannot end it .*: it goes on\n$/)]])
  } finally {
    jest.restoreAllMocks()
  }
})

test.each([
  ['true', 0, []],
  ['false', 1, []],
  ['no-such-command', 127, ['tpi: no-such-command: not found\n']],
  ['ls | head', 127, ["tpi: ls | head: not found: a shell line needs a shell (sh -c '…')\n"]],
  ['./plain.sh', 126, ["tpi: ./plain.sh: not executable: make it so (chmod +x), or start its interpreter (bash './plain.sh')\n"]],
  ['./lost.py', 127, ['tpi: ./lost.py: its first line names "/usr/bin/python9", which is not on this machine\n']],
  ['./plain.sh/part', 126, ['tpi: ./plain.sh/part: what is in front of a / in it is not a folder\n']],
])('%s: exit code %d', async (command, code, said) => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  const listening = process.listenerCount('SIGTERM')
  try {
    expect(await runBeside({ machine: 'm-none', folder, env: process.env }, [command])).toBe(code)
    expect(written.mock.calls.map(([text]) => text)).toEqual(said)
    expect(process.listenerCount('SIGTERM')).toBe(listening)
  } finally {
    jest.restoreAllMocks()
  }
})
