import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { whyNotStarted } from '../../src/agent/process/not-started.ts'

let folder = ''
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tpi-not-started-'))))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['no-such-program', undefined, 0o755, 'ENOENT', 'not found'],
  ['here.py', 'print()\n', 0o755, 'ENOENT', 'not found in PATH .* ./here.py'],
  ['./gone.sh', undefined, 0o755, 'ENOENT', 'not found'],
  ['./bare.sh', 'echo\n', 0o755, 'ENOENT', 'not found'],
  ['./dos.sh', '#!/bin/bash\r\necho\r\n', 0o755, 'ENOENT', 'its lines end as on Windows, .*sed -i "s/\\\\r\\$//"'],
  ['./python.py', '#! /usr/bin/python9 -u\n', 0o755, 'ENOENT', 'its first line names "/usr/bin/python9 -u", which is not on this machine'],
  ['./tab.py', '#!\t/usr/bin/python9\n', 0o755, 'ENOENT', 'its first line names "/usr/bin/python9"'],
  ['./plain.sh', 'echo\n', 0o644, 'EACCES', 'not executable: .*bash ./plain.sh'],
  ['./barred.sh', '#!/tmp\n', 0o755, 'EACCES', 'said by the system'],
])('why %s could not be started', (name, text, mode, code, says) => {
  if (text !== undefined) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), mode)
  }
  expect(whyNotStarted(Object.assign(new Error('said by the system'), { code }), name, name, folder)).toMatch(new RegExp(`^${says}`))
})
