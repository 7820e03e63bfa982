/** Nothing waits until systemd has read all units again, unless systemd is too old to find units that were just written. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startNew, unsettled } from '../../src/agent/vm/prepare.ts'
import { userData } from '../../src/boot/user-data.ts'
import { ec2Params } from './sample.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-units-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** A systemd that finds new units by itself, or only after a daemon-reload. */
async function systemd(finds: boolean): Promise<void> {
  const notes = join(folder, 'notes')
  const file = join(folder, 'systemctl')
  await writeFile(
    file,
    `#!/bin/sh\n[ "$1" != --no-block ] || shift\necho "$1" >>${notes}\n[ "$1" != start ] || ${finds} || grep -q daemon-reload ${notes}\n`,
  )
  await chmod(file, 0o755)
}
const asked = async (): Promise<readonly string[]> => (await readFile(join(folder, 'notes'), 'utf8')).trim().split('\n')

describe.each([
  [true, ['start']],
  [false, ['start', 'daemon-reload', 'start']],
])('where systemd finds a new unit by itself: %s', (finds, calls) => {
  test('the hook of user-data starts the agent, and stops the services that must not run', async () => {
    await systemd(finds)
    const hook = userData(ec2Params())
    const place = `${folder}/place`
    const here = hook
      .replaceAll('/run/systemd/system', place)
      .replaceAll('/run/tpi', `${folder}/once`)
      .replaceAll('/var/lib/tpi', `${folder}/own`)
    for (const _twice of [1, 2]) execFileSync('sh', { input: here, env: { PATH: `${folder}:${process.env['PATH']}` } })
    expect(await asked()).toEqual([...calls, 'stop'])
    const [, quiet = ''] = /q='([^']+)'/.exec(hook) ?? []
    const away = await Promise.all(quiet.split(' ').map(async (name) => readlink(join(place, name))))
    expect(away).toEqual(['/dev/null', '/dev/null', '/dev/null'])
    expect(await readFile(join(place, 'tpi-agent.service'), 'utf8')).toContain(`exec $$p ${folder}/own/fetch.py'\n`)
  })

  test('the agent starts a unit of its own', async () => {
    await systemd(finds)
    await startNew(['tpi-script.slice'], join(folder, 'systemctl'))
    expect(await asked()).toEqual(calls)
  })
})

/** By release: Ubuntu 24.04 has the first name, Debian 13 and later releases of Ubuntu have the second; all have the third. */
test.each(['cloud-init.service', 'cloud-init-network.service', 'cloud-config.service'])(
  'no script starts while %s is still to come',
  async (stage) => {
    const file = join(folder, 'systemctl')
    const show = `[ "$name" = ${stage} ] && job=7 || job=0; printf 'Id=%s\\nActiveState=inactive\\nJob=%s\\n\\n' "$name" $job`
    await writeFile(file, `#!/bin/sh\nshift 2\nfor name; do ${show}; done\n`)
    await chmod(file, 0o755)
    expect(await unsettled(file)).toEqual([stage])
  },
)

test.each([
  ['the usual Python', ['python3', 'platform-python']],
  ['the one of the system’s own programs, on an image that has no other (Red Hat’s release 8)', ['platform-python']],
])('the fetcher runs with %s', async (_, there) => {
  for (const name of there) {
    await writeFile(join(folder, name), `#!/bin/sh\necho ${name} "$@"\n`)
    await chmod(join(folder, name), 0o755)
  }
  const [, program = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(userData(ec2Params())) ?? []
  const here = program.replaceAll('$$', '$').replace('/usr/bin/', `${folder}/`).replace('/usr/libexec/', `${folder}/`)
  expect(execFileSync('sh', ['-c', here], { encoding: 'utf8' })).toBe(`${there[0]} /var/lib/tpi/fetch.py\n`)
})
