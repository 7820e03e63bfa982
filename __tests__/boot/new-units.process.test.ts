/** Units that were only just written are started without reading all units again; where systemd is too old to find them, that is done first. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { settle } from '../../src/agent/vm/settle.ts'
import { userData } from '../../src/boot/user-data.ts'
import { birth } from './sample.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-units-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** A system whose units are found, or only after it was told to look. */
async function systemd(finds: boolean): Promise<void> {
  const notes = join(folder, 'notes')
  const file = join(folder, 'systemctl')
  await writeFile(file, `#!/bin/sh\necho "$1" >>${notes}\n[ "$1" != start ] || ${finds} || grep -q daemon-reload ${notes}\n`)
  await chmod(file, 0o755)
}
const asked = async (): Promise<readonly string[]> => (await readFile(join(folder, 'notes'), 'utf8')).trim().split('\n')

test.each([
  [true, ['start', 'daemon-reload']],
  [false, ['start', 'daemon-reload', 'start']],
])('the hook of user-data starts to fetch at once, and reads all units after that (found: %s)', async (finds, calls) => {
  await systemd(finds)
  const hook = userData(birth())
  execFileSync('sh', { input: hook.slice(hook.indexOf("s='systemctl start")), env: { PATH: `${folder}:${process.env['PATH']}` } })
  expect(await asked()).toEqual(calls)
})

test.each([
  [true, ['start']],
  [false, ['start', 'daemon-reload', 'start']],
])('so does what makes the agent a unit (found: %s)', async (finds, calls) => {
  await systemd(finds)
  await writeFile(join(folder, 'boot.json'), JSON.stringify({ machine: birth().machine }))
  expect(await settle([folder, 'i-1', '10.0.0.4'], folder, join(folder, 'systemctl'))).toBe(0)
  expect(await asked()).toEqual(calls)
})
