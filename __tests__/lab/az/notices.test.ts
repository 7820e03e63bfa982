/** How machines of Azure react to notices, which leave them seconds: machines that boot in an emulated subscription, started by a command. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, jest, test } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { COUNTING, expectResumed } from '../vm/counting.ts'
import type { MachineHost } from '../vm/host/machine-host.ts'
import { onMachines } from '../vm/on-lab.ts'
import { BRISK } from '../vm/simulation/world.ts'
import { type AzLab, REGION, startAzLab } from './lab.ts'

jest.setTimeout(500_000)

let host: MachineHost | undefined
let lab: AzLab | undefined
let w: World
onMachines(
  async (machines) => startAzLab({ machines, times: BRISK }),
  (ground) => {
    ;({ host, lab, w } = ground)
  },
)
// A second try finds nothing of the first.
afterEach(async () => {
  if (!lab) return
  lab.front.uplink = Infinity
  for (const name of ['two', 'slow']) await w.tpi(`destroy ${name} --discard --json`, { env: lab.env })
  await rm(join(w.home, 'history'), { recursive: true, force: true })
})

/** Milliseconds for a machine to boot on a busy host. */
const PATIENCE = 240_000

const task = (name: string, script: string, ...more: string[]): string[] =>
  `task --cloud az --machine Standard_D2s_v5 --spot --workdir p --json --name ${name}`.split(' ').concat('--script', script, ...more)
const printed = async (name: string, env: Record<string, string>): Promise<string> =>
  (await w.tpi(`logs ${name}`, { env })).host.scriptText()
const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0

test('of two machines that poll every second, the one named in a notice saves and confirms at once, and the other works on', async () => {
  if (!lab || !host) return expect(process.env['CI']).toBeUndefined()
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  const script = 'n=$(cat n 2>/dev/null || echo 0); echo from $n; while :; do n=$((n+1)); echo $n > n; echo at $n; sleep 0.5; done'
  // So nothing is saved except because of a notice.
  const given = task('two', script, '--parallelism', '2', '--checkpoint-interval', '1h', '--detach')
  expect(await w.tpi(given, { env })).toMatchObject({ code: 0 })
  await until('both scripts run', async () => count(await printed('two', env), /at 9$/gm) === 2, PATIENCE)
  const machines = cloud.fleet.present(REGION)
  const askedBy = (id: string): typeof front.looks => front.looks.filter(({ machine }) => machine === id)
  const eventsOf = (id: string): readonly number[] => askedBy(id).flatMap(({ what, at }) => (what === 'events' ? [at] : []))
  await until('both have asked several times', () => machines.every(({ id }) => eventsOf(id).length >= 6))
  for (const { id } of machines) {
    const asked = askedBy(id)
    const events = eventsOf(id)
    const login = asked.find(({ what }) => what === 'token')?.at ?? 0
    // A new machine asks once while it downloads its programs, and again when the agent runs. The first time does not wait for the download.
    const [first = 0, second = 0] = events
    expect(first - login).toBeLessThan((second - login) / 2)
    expect(events.at(-1)! - events.at(-5)!).toBeLessThan(30_000)
  }
  const [first] = machines
  cloud.reclaim(first!, 120_000)
  const begun = performance.now()
  await until('it has let its end begin', () => front.agreed.length > 0, 60_000)
  expect(performance.now() - begun).toBeLessThan(100_000)
  expect(front.agreed).toEqual([first?.id])
  await until('another goes on', async () => count(await printed('two', env), /from [1-9]\d*$/gm) === 1, PATIENCE)
  // From at least where it was when the notice came.
  const from = /from ([1-9]\d*)$/m.exec(await printed('two', env))?.[1]
  expect(Number(from)).toBeGreaterThanOrEqual(9)
  expect(front.agreed).toEqual([first?.id])
  const { slots } = (await w.tpi('status two --json', { env })).facts as { readonly slots: readonly { readonly attempts: object[] }[] }
  expect(slots.map(({ attempts }) => attempts.length).toSorted()).toEqual([1, 2])
  expect((await w.tpi('destroy two --discard --json', { env })).code).toBe(0)
  await untilSame('the subscription is as before', async () => lab?.inventory(), before)
})

test('evicted early with a slow storage, a machine has saved its checkpoint files, but not a larger file that was being uploaded', async () => {
  if (!lab || !host) return
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  const script = `echo large $(ls large 2>/dev/null); { sleep 6; [ -e large ] || { head -c 20000000 /dev/urandom > part; mv part large; }; } & ${COUNTING}; exit 3`
  const given = ['--checkpoint', 'n', '--output', 'large', '--checkpoint-interval', '1s']
  const run = w.tpi(task('slow', script, ...given), { env })
  await until('its machine is up', () => cloud.fleet.present(REGION).some(({ state }) => state === 'up'), PATIENCE)
  // At this rate a pack of four megabytes takes minutes.
  front.uplink = 20_000
  // Its log uses the same line, and waits while the large file is uploaded, so it arrives a little later.
  await until('its script runs', async () => (await printed('slow', env)).includes('at 3'), PATIENCE)
  await sleep(5000)
  const [machine] = cloud.fleet.present(REGION)
  const savedAt = async (): Promise<string> => (await w.tpi('status slow --json', { env })).facts.slots[0].savedAt
  const earlier = await savedAt()
  cloud.reclaim(machine!, 60_000)
  await until('it has saved once more', async () => (await savedAt()) !== earlier, PATIENCE)
  cloud.lose(machine!, 'reclaimed')
  await until('it is gone', () => !cloud.fleet.present(REGION).some(({ id }) => id === machine?.id), 60_000)
  front.uplink = Infinity
  const ran = await run
  expect(ran).toMatchObject({ code: 3, facts: { slots: [{ attempt: 2 }] } })
  const text = ran.host.scriptText()
  expect(count(text, /^large$/gm)).toBe(2)
  expectResumed(text)
  expect((await w.tpi('destroy slow --discard --json', { env })).code).toBe(0)
  await untilSame('the subscription is as before', async () => lab?.inventory(), before)
})
