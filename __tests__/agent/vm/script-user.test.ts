/** Which groups the script's user belongs to, and how its programs are started. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { asScriptUser, giveToScript, groupsOf } from '../../../src/agent/vm/script-user.ts'

test.each([
  [true, ['docker', 'render', 'video']],
  [false, ['render', 'video']],
])('with sudo %s its groups are %j: docker makes root of whoever may use it', (sudo, groups) => {
  expect(groupsOf({ sudo })).toEqual(groups)
})

test('no library that a script may have written is loaded by what starts it as root', () => {
  const env = { LD_LIBRARY_PATH: './lib', LD_PRELOAD: 'x.so', GLIBC_TUNABLES: 'a=b', TOKEN: 'secret', LD_SDK_KEY: 'secret', PATH: '/bin' }
  const started = asScriptUser({ argv: ['bash', 'file'], env }, { sudo: false })
  const [before, after] = [started.argv.slice(0, -5), started.argv.slice(-5)]
  // On a command line, everybody could read it.
  expect(started.env).toEqual({ TOKEN: 'secret', LD_SDK_KEY: 'secret', PATH: '/bin' })
  expect(before.slice(-3)).toEqual(['--', '/usr/bin/env', '--unset=INVOCATION_ID'])
  expect(after).toEqual(['LD_LIBRARY_PATH=./lib', 'LD_PRELOAD=x.so', 'GLIBC_TUNABLES=a=b', 'bash', 'file'])
})

test('a file that is removed while its owner changes does no harm; any other failure does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-owner-'))
  const path = process.env['PATH'] ?? ''
  const [kept, gone, program] = ['kept', 'gone', 'chown'].map((name) => join(folder, name)) as [string, string, string]
  try {
    await Promise.all([kept, gone].map(async (file) => writeFile(file, '')))
    await writeFile(program, `#!/bin/sh\nrm -f '${gone}'\nPATH='${path}' exec chown "$@"\n`)
    await chmod(program, 0o755)
    process.env['PATH'] = `${folder}:${path}`
    const owner = `${process.getuid?.()}:${process.getgid?.()}`
    await giveToScript([kept, gone], owner)
    await writeFile(gone, '')
    await expect(giveToScript([kept, gone], 'no-such-user-here')).rejects.toThrow('no-such-user-here')
  } finally {
    process.env['PATH'] = path
    await rm(folder, { recursive: true })
  }
})
