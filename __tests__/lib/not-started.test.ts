import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { notStarted } from '../../src/lib/not-started.ts'

let folder = ''
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tpi-not-started-'))))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['no-such-program', undefined, 0o755, 'ENOENT', 'not found$'],
  ['echo hi | cat', undefined, 0o755, 'ENOENT', "not found: a shell line needs a shell \\(sh -c '…'\\)$"],
  ['cat ./data.csv', undefined, 0o755, 'ENOENT', 'not found: a shell line needs a shell'],
  ['here.py', 'print()\n', 0o755, 'ENOENT', 'not found in PATH .* ./here.py'],
  ['./gone.sh', undefined, 0o755, 'ENOENT', 'not found$'],
  ['./bare.sh', 'echo\n', 0o755, 'ENOENT', 'not found$'],
  ['./bare.sh/part', undefined, 0o755, 'ENOTDIR', 'what is in front of a / in it is not a folder$'],
  ['./dos.sh', '#!/bin/bash\r\necho\r\n', 0o755, 'ENOENT', 'its lines end as on Windows, .*sed -i "s/\\\\r\\$//"'],
  ['./python.py', '#! /usr/bin/python9 -u\n', 0o755, 'ENOENT', 'its first line names "/usr/bin/python9 -u", which is not on this machine'],
  ['./tab.py', '#!\t/usr/bin/python9\n', 0o755, 'ENOENT', 'its first line names "/usr/bin/python9"'],
  ['./plain.sh', 'echo\n', 0o644, 'EACCES', "not executable: .*bash './plain.sh'"],
  ['./a plain one.sh', 'echo\n', 0o644, 'EACCES', "not executable: .*bash './a plain one.sh'"],
  ['./barred.sh', '#!/tmp\n', 0o755, 'EACCES', 'said by the system'],
])('why %s could not be started', (name, text, mode, code, says) => {
  if (text !== undefined) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), mode)
  }
  const error = Object.assign(new Error('said by the system'), { code })
  const { code: exit, why } = notStarted(error, { name, cwd: folder })
  expect(why).toMatch(new RegExp(`^${name}: ${says}`.replace('|', '\\|')))
  expect(exit).toBe(code === 'ENOENT' ? 127 : 126)
})
