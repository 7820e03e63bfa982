/** The agent as a systemd unit, on machines that boot a whole operating system. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { agentUnit } from '../../src/boot/user-data.ts'
import { AGENT_UNIT } from '../../src/wire/machine.ts'
import { Deployment, type Params } from '../agent/kit.ts'
import { Machine } from './machine/host.ts'
import { orMissing } from './missing.ts'
import { until } from './shell.ts'

const AGENT = process.env['TPI_AGENT_BUNDLE'] ?? join(import.meta.dirname, '../../build/agent/agent.mjs')
const HOUR = new Date(Date.now() + 3_600_000).toISOString()

let deployment: Deployment | undefined
let machine: Machine | undefined

afterEach(async () => {
  await machine?.remove()
  await deployment?.[Symbol.asyncDispose]()
  machine = deployment = undefined
})

/** A machine whose agent serves slot 0, with the unit of all cloud machines; `changed`: replacements for lines of it. */
async function boot(request: Params, changed: Readonly<Record<string, string>> = {}): Promise<{ d: Deployment; m: Machine } | undefined> {
  const d = (deployment = await Deployment.make({ ...request, lifetime: { deadline: HOUR } }))
  const config = d.config()
  await mkdir(config.home, { recursive: true })
  await writeFile(join(config.home, 'machine.json'), JSON.stringify(config))
  await symlink(process.execPath, join(config.home, 'node'))
  await symlink(AGENT, join(config.home, 'agent.mjs'))
  const { home } = config
  let unit = agentUnit(`${home}/node ${home}/agent.mjs run ${home}/machine.json`).replace(
    '[Service]',
    '[Service]\nEnvironment=OF_THE_UNIT=1',
  )
  for (const [line, other] of Object.entries(changed)) {
    if (!unit.includes(line)) throw new Error(`no unit says ${line}`)
    unit = unit.replace(line, other)
  }
  machine = await orMissing('machine', async () =>
    Machine.boot({ binds: [d.root, process.execPath, AGENT], units: { [AGENT_UNIT]: unit } }),
  )
  return machine && { d, m: machine }
}

describe('an agent that is a unit', () => {
  test('serves its slot, hides systemd from the script, is restarted by no package manager, and the machine powers off', async () => {
    const script =
      'env | cut -d= -f1 | sort > names; systemctl is-active "$0" > state || true; cat /proc/self/cgroup > group; systemctl restart "$0" 2> refused || true'
    const room = await boot({ script: script.replaceAll('$0', AGENT_UNIT) })
    if (!room) return
    const { d, m } = room
    expect(await d.until(({ state }) => state === 'succeeded')).toMatchObject({ epoch: 1, exitCode: 0, cause: 'exit' })
    const files = await d.head()
    expect(files['state']).toBe('active\n')
    expect(files['group']).toContain(AGENT_UNIT)
    expect(files['refused']).toContain('Operation refused')
    expect(files['names']).not.toMatch(/NOTIFY|WATCHDOG|INVOCATION|JOURNAL|SYSTEMD|OF_THE_UNIT/)
    expect(files['names']).toContain('TPI_INDEX')
    await until('the machine is off', 30, async () => m.ended || undefined)
  })

  test('takes the stop of its unit as a notice: snapshot, script, snapshot, and the slot is free', async () => {
    const script = 'trap "echo last > last; exit 0" TERM; echo first > first; while :; do sleep 0.05; done'
    // It stays on, so that the test can see what is left.
    const room = await boot({ script }, { 'exec systemctl --no-block poweroff': 'true', 'RefuseManualStop=yes\n': '' })
    if (!room) return
    const { d, m } = room
    await d.until(({ phase, head }) => phase === 'script' && head !== undefined && head.at !== 'base/')
    await m.run('systemctl', 'stop', AGENT_UNIT)
    const slot = await d.slot()
    expect(slot).toMatchObject({ state: 'interrupted', attempts: [{ cause: 'interrupted', announced: true, saved: true }] })
    expect(await d.head()).toMatchObject({ first: 'first\n', last: 'last\n' })
    expect(await m.run('systemctl', 'show', AGENT_UNIT, '--property=ExecMainStatus', '--value')).toBe('75\n')
    expect(await m.run('sh', '-c', 'pgrep -f "sleep 0.05" || echo none')).toBe('none\n')
  })

  test('is killed with its script when it hangs, and resumes when it is restarted', async () => {
    const script = 'echo $TPI_ATTEMPT >> attempts; [ $TPI_ATTEMPT = 2 ] || exec sleep 1000'
    const room = await boot({ script }, { 'WatchdogSec=60': 'WatchdogSec=30' })
    if (!room) return
    const { d, m } = room
    await d.until(({ phase, head }) => phase === 'script' && head !== undefined && head.at !== 'base/')
    // It runs for longer than the watchdog's limit, so its keep-alives arrive.
    await new Promise((resolve) => setTimeout(resolve, 32_000))
    expect((await d.slot()).epoch).toBe(1)
    await m.run('systemctl', 'kill', '--kill-who=main', '--signal=STOP', AGENT_UNIT)
    const slot = await d.until(({ state }) => state === 'succeeded')
    // The same machine: a power-off in between would cost a boot, and on a cloud a replacement.
    expect(slot).toMatchObject({ epoch: 2, attempts: [{ cause: 'lost' }, { cause: 'exit' }] })
    expect((await d.head())['attempts']).toBe('1\n2\n')
    await until('the machine is off', 30, async () => m.ended || undefined)
  })
})
