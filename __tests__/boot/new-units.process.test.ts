/** Nothing waits for systemd to read all units again, but where it is too old to find those that were only just written. */
import { execFileSync } from 'node:child_process'
import { chmod, copyFile, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
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

test('the hook of user-data has a unit fetch that needs no file, stops what is to stay away, and has no units read', async () => {
  await systemd(true)
  await copyFile(join(folder, 'systemctl'), join(folder, 'systemd-run'))
  const hook = userData(birth())
  const [, quiet = ''] = /q='([^']+)'/.exec(hook) ?? []
  const end = `d=${folder} u=${folder} q='${quiet}'\n${hook.slice(hook.indexOf('systemd-run --no-block --unit=tpi-fetch'))}`
  execFileSync('sh', { input: end, env: { PATH: `${folder}:${process.env['PATH']}` } })
  expect(await asked()).toEqual(['--no-block', '--no-block'])
  const away = await Promise.all(quiet.split(' ').map(async (name) => readlink(join(folder, name))))
  expect(away).toEqual(['/dev/null', '/dev/null', '/dev/null'])
})

test.each([
  [true, ['start']],
  [false, ['start', 'daemon-reload', 'start']],
])('what makes the agent a unit starts it at once, and has all units read only where it is not found (found: %s)', async (finds, calls) => {
  await systemd(finds)
  await writeFile(join(folder, 'boot.json'), JSON.stringify({ machine: birth().machine }))
  expect(await settle([folder, 'i-1', '10.0.0.4'], folder, join(folder, 'systemctl'))).toBe(0)
  expect(await asked()).toEqual(calls)
})
