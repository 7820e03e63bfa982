/**
 * Runners of both forges on machines that boot like a cloud's, side by side in one account: the user and the messages of their jobs, a reclaim during
 * a job, and the end, when nothing is left in the forge and the cloud.
 */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { orMissing } from '../lab/missing.ts'
import { MachineHost } from '../lab/vm/host/machine-host.ts'
import type { VmLab } from '../lab/vm/labs.ts'
import type { RunningLab } from '../lab/vm/running-lab.ts'
import { shareRuntime } from '../lab/vm/runtime.ts'
import type { Machine } from '../lab/vm/simulation/types.ts'
import { type Stage, ways as stagesOf } from '../runner/stages.ts'
import { until, untilSame } from '../setup/wait.ts'
import { type World, world } from '../setup/world.ts'

/** Milliseconds for a machine to boot on a busy host. */
const PATIENCE = 150_000

/** The option of each forge that allows more jobs than there will be. */
const JOBS: Readonly<Record<string, string>> = { github: '--jobs 3', gitlab: '--jobs unlimited', 'github, without limit': '' }

/** A job that fails unless it runs as the right user, and cannot reach anything of its machine. */
const WHO = [
  'test "$(id -un) $(sudo -n id -un)" = "tpi root"',
  'grep -q tpi-script.slice /proc/self/cgroup',
  '! env | grep -E "^(AWS_|AZURE_|GOOGLE_|GCE_|NOTIFY_SOCKET|WATCHDOG_|INVOCATION_ID)"',
  '! python3 -c "import socket; socket.create_connection((\'169.254.169.254\', 80), 3)" 2>/dev/null',
].join(' && ')

/** Registers the test; called by a test file of each cloud. */
export function runnersOn(vm: VmLab, ways: readonly (keyof typeof JOBS)[] = ['github', 'gitlab']): void {
  jest.setTimeout(2 * PATIENCE)
  let host: MachineHost | undefined
  let lab: RunningLab | undefined
  beforeAll(async () => {
    host = await orMissing('no machines of a cloud', async () => MachineHost.start())
    if (host) lab = await vm.start(host)
  })
  afterAll(async () => {
    await host?.stop()
    await lab?.stop()
  })

  test('jobs of both forges run as a user with sudo, fail with the notice that their machine is reclaimed, go on elsewhere, and nothing is left', async () => {
    if (!lab || !host) return expect(process.env['CI']).toBeUndefined()
    const [account, machines] = [lab, host]
    const before = await account.inventory()
    const ended = await Promise.allSettled(ways.map(async (way) => scene(vm, account, machines, way)))
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    await untilSame('the account is as before', async () => account.inventory(), before)
    await until('no machine runs', () => machines.running().length === 0)
  })
}

interface Scene {
  readonly vm: VmLab
  readonly stage: Stage
  tpi(words: string): ReturnType<World['tpi']>
  /** The machines of its launch. */
  present(): readonly Machine[]
  reclaim(machine: Machine): void
}

/** A forge and a home of its own; afterwards the forge is as it was before. */
async function scene(vm: VmLab, lab: RunningLab, host: MachineHost, way: string): Promise<void> {
  const stage = (await stagesOf[way]?.(async (port) => host.expose(port))) as Stage
  const w = await world()
  await shareRuntime(w.home)
  const tpi: Scene['tpi'] = async (words) => w.tpi(words.split(' '), { env: { ...stage.env, ...lab.env } })
  const name = way.replaceAll(/\W+/g, '-')
  const ours = new RegExp(`tpi-${name}-[0-9a-f]{10}-`)
  const present = (): readonly Machine[] => lab.world.fleet.present(vm.region).filter(({ group }) => ours.test(group ?? ''))
  const reclaim = (machine: Machine): void => lab.world.reclaim(machine, vm.notice * 1000)
  try {
    await play({ vm, stage, tpi, present, reclaim }, name, JOBS[way] ?? '')
    expect(await tpi(`destroy ${name} --discard`)).toMatchObject({ code: 0 })
    expect(stage.forge.runners.size).toBe(0)
  } catch (error) {
    const consoles = await Promise.all(present().map(async ({ id }) => host.console(id)))
    const logs = (await tpi(`logs ${name}`)).host.lines.join('\n')
    throw new Error(`${way}: ${String(error)}\n${logs.slice(-3000)}\n${consoles.join('\n').slice(-4000)}`, { cause: error })
  } finally {
    await tpi(`destroy ${name} --discard`)
    await w.end()
    await stage.stop()
  }
}

async function play({ vm, stage, tpi, present, reclaim }: Scene, name: string, jobs: string): Promise<void> {
  const words = `runner --cloud ${vm.cloud} --machine ${vm.types} --spot --name ${name} ${stage.options} --labels gpu --json --idle-timeout 45s ${jobs}`
  const launched = await tpi(words.trim())
  if (launched.code !== 0) throw new Error(`${launched.code}: ${launched.host.lines.join('\n')}\n${JSON.stringify(launched.facts)}`)
  const labels = launched.facts.runsOn
  const cut = stage.push(labels, 'sleep 200')
  await until('it is at work', () => /^(?:in_progress|running)$/.test(cut() ?? ''), PATIENCE)
  const [machine] = present()
  reclaim(machine!)
  await until('it has failed', () => cut()?.startsWith('fail') ?? false, PATIENCE)
  const next = stage.push(labels, WHO)
  await until('the next one has ended', () => /^(?:success|fail)/.test(next() ?? ''), PATIENCE)
  expect(next()).toBe('success')
  expect(present().some(({ id }) => id !== machine?.id)).toBe(true)
  await until('its machine has left', () => present().length === 0, PATIENCE)

  // "Set up job", if the forge has that: the machine's type, its price, and how long it lives.
  if (stage.descriptor.id === 'github') expect((await tpi(`logs ${name}`)).host.scriptText()).toMatch(setUp(vm))
  const { slots, outcome } = (await tpi(`status ${name} --json`)).facts
  // The notice has ended the first one, not the end of its machine.
  const cutOff = { cause: 'interrupted', announced: true }
  expect({ outcome, slots }).toMatchObject({ outcome: 'success', slots: [{ attempts: [cutOff, {}] }] })
}

/** For the second machine, because its price is recorded by then. */
const setUp = ({ types, region }: VmLab): RegExp =>
  new RegExp(
    `runner .+, machine .+, slot 0, attempt 2\\n(?:${types.replaceAll(',', '|')}), spot, ${region}-?[a-f\\d]; about [\\d.]+ USD per hour; no longer than until 20\\S+Z$`,
    'm',
  )
