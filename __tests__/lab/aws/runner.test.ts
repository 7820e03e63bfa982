/** Runners of both forges on machines that boot as AWS boots them: who their jobs are, through a reclaim under a job, until nothing is left at forge and cloud. */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { type Stage, ways } from '../../runner/stages.ts'
import { until, type World, world } from '../../setup/world.ts'
import { orMissing } from '../missing.ts'
import { MachineHost } from '../vm/host/machine-host.ts'
import { shareRuntime } from '../vm/runtime.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

jest.setTimeout(400_000)

let host: MachineHost | undefined
let lab: AwsLab | undefined
beforeAll(async () => {
  host = await orMissing('no machines of a cloud', async () => MachineHost.start())
  if (host) lab = await startAwsLab({ machines: host, times: { end: 1000, health: 500, parts: 500 } })
})
afterAll(async () => {
  await host?.stop()
  await lab?.stop()
})

/** Milliseconds: a machine that boots, on a host that is busy. */
const PATIENCE = 150_000

interface Scene {
  readonly lab: AwsLab
  readonly stage: Stage
  readonly w: World
  tpi(words: string): ReturnType<World['tpi']>
}

/** A forge and a home of their own; afterwards forge and account are as they were before. */
async function scene(way: string, play: (scene: Scene) => Promise<void>): Promise<void> {
  if (!lab || !host) return expect(process.env['CI']).toBeUndefined()
  const [account, machines] = [lab, host]
  const stage = (await ways[way]?.(async (port) => machines.expose(port))) as Stage
  const w = await world()
  await shareRuntime(w.home)
  const before = await account.inventory()
  const env = { ...stage.env, ...account.env }
  const tpi: Scene['tpi'] = async (words) => w.tpi(words.trim().split(/ +/), { env })
  try {
    await play({ lab, stage, w, tpi })
    const destroyed = await tpi('destroy r --discard')
    expect([destroyed.code, destroyed.host.lines.join('\n')]).toEqual([0, expect.anything()])
    expect(stage.forge.runners.size).toBe(0)
    await until('the account is as before', async () => isDeepStrictEqual(await account.inventory(), before), 30_000)
    expect(machines.running()).toEqual([])
  } catch (error) {
    const consoles = await Promise.all(account.world.fleet.present('us-east-1').map(async ({ id }) => machines.console(id)))
    throw new Error(`${String(error)}\n${(await tpi('logs r')).host.lines.join('\n').slice(-3000)}\n${consoles.join('\n').slice(-4000)}`, {
      cause: error,
    })
  } finally {
    await tpi('destroy r --discard')
    await w.end()
    await stage.stop()
  }
}

const launch = (stage: Stage, more: string): string =>
  `runner --cloud aws --machine m5.large,m6i.large --spot --name r ${stage.options} --labels gpu --json ${more}`

async function launched(tpi: Scene['tpi'], stage: Stage, more: string): ReturnType<World['tpi']> {
  const ran = await tpi(launch(stage, more))
  if (ran.code !== 0) throw new Error(`${ran.code}: ${ran.host.lines.join('\n')}\n${JSON.stringify(ran.facts)}`)
  return ran
}

/** Jobs write to nobody but their log. */
const WHO = 'echo "who=$(id -un) root=$(sudo -n id -un) in=$(id -Gn | tr " " ,)"; cat /proc/self/cgroup; env'

const gone = async ({ lab: { world: cloud } }: Scene): Promise<void> =>
  until('its machine has left', () => cloud.fleet.present('us-east-1').length === 0, PATIENCE)

test('GitHub, one job each: as a user with sudo, in sight of what its machine is; then the machine leaves for good', async () => {
  await scene('github', async (on) => {
    const { facts } = await launched(on.tpi, on.stage, '')
    const [machine] = on.lab.world.fleet.present('us-east-1')
    const outcome = on.stage.push(facts.runsOn, WHO)
    await until('it is served', () => outcome() === 'success', PATIENCE)
    await gone(on)
    const log = (await on.tpi('logs r')).host.scriptText()
    expect(log).toMatch(/^who=tpi root=root in=tpi/m)
    expect(log).toContain('tpi-script.slice')
    expect(log).not.toMatch(/^(?:AWS_|NOTIFY_SOCKET|WATCHDOG_|INVOCATION_ID)/m)
    // "Set up job": what it is, how long it lives, and what it costs where that is known before the job comes.
    expect(log).toContain(`runner ${facts.runners[0]}, machine ${machine?.id}, slot 0, attempt 1`)
    expect(log).toMatch(/^m[56]i?\.large, spot, us-east-1[a-f](?:; about [\d.]+ USD per hour)?; no longer than until 20\S+Z$/m)
    expect((await on.tpi('status r --json')).facts).toMatchObject({ outcome: 'success', slots: [{ state: 'succeeded' }] })
  })
})

test.each([
  ['github, without limit', ''],
  ['gitlab', '--jobs unlimited'],
])(
  '%s: reclaimed under a job, which fails at once; another machine serves the next one, and leaves when there is none',
  async (way, jobs) => {
    await scene(way, async (on) => {
      const { lab: account, stage, tpi } = on
      const { facts } = await launched(tpi, stage, `${jobs} --idle-timeout 15s`)
      const labels = facts.runsOn
      const cut = stage.push(labels, 'sleep 200')
      await until('it is at work', () => /^(?:in_progress|running)$/.test(cut() ?? ''), PATIENCE)
      const [machine] = account.world.fleet.present('us-east-1')
      account.world.reclaim(machine!, 10_000)
      await until('it has failed', () => cut()?.startsWith('fail') ?? false, 30_000)
      const next = stage.push(labels, 'id -un')
      await until('the next one is served', () => next() === 'success', PATIENCE)
      await gone(on)
      const { slots, outcome } = (await tpi('status r --json')).facts
      expect({ outcome, slots }).toMatchObject({ outcome: 'success', slots: [{ attempts: [{ cause: 'interrupted' }, {}] }] })
    })
  },
)
