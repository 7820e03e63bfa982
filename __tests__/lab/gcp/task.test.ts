/**
 * Tasks on machines that boot like Google Cloud's, by the real command line, in an emulated project: to the exit code, through preemptions, past a
 * deadline, without a trace.
 */
import { expect, jest, test } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { COUNTED, COUNTING, goesOn } from '../vm/counting.ts'
import type { MachineHost } from '../vm/host/machine-host.ts'
import { onMachines } from '../vm/on-lab.ts'
import { BRISK } from '../vm/simulation/world.ts'
import { type GcpLab, REGION, startGcpLab } from './lab.ts'

jest.setTimeout(400_000)

let host: MachineHost | undefined
let lab: GcpLab | undefined
let w: World
onMachines(
  async (machines) => startGcpLab({ machines, times: BRISK }),
  (ground) => {
    ;({ host, lab, w } = ground)
  },
)

/** Milliseconds for a machine to boot on a busy host. */
const PATIENCE = 150_000

const task = (name: string, script: string, ...more: string[]): string[] =>
  `task --cloud gcp --machine n2-standard-2,n2d-standard-2 --spot --name ${name} --json`.split(' ').concat('--script', script, ...more)

const project = async (): Promise<readonly string[]> => (await lab?.inventory()) ?? []
const asBefore = async (before: readonly string[]): Promise<void> => untilSame('the project is as before', async () => project(), before)

const SCRIPT = `cat data > r; ${COUNTING}; cat n >> r; exit 3`

// What tpi requests, and Google's default: https://docs.cloud.google.com/compute/docs/instances/spot#preemption-process
const NOTICES = [120, 30]

test('tasks preempted with a notice of two minutes or half a minute go on to their exit code and outputs, and nothing stays', async () => {
  if (!lab || !host) return expect(process.env['CI']).toBeUndefined()
  const before = await project()
  await Promise.all(NOTICES.map(async (seconds) => preempted(lab!, seconds)))
  await asBefore(before)
  await until('no machine runs', () => host?.running().length === 0)
})

/** In a project where others run too. */
async function preempted({ env, world: cloud }: GcpLab, seconds: number): Promise<void> {
  const name = `after-${seconds}`
  await w.write(`${name}/data`, 'one\n')
  const words = task(name, SCRIPT, '--workdir', name, '--output', 'r', '--checkpoint-interval', '1s')
  await goesOn(w, { name, words, env, patience: PATIENCE }, () => {
    const machine = cloud.fleet.present(REGION).find(({ group }) => group?.startsWith(`tpi-${name}-`))
    cloud.reclaim(machine!, seconds * 1000)
  })
  expect(await w.read(`${name}/r`)).toBe(`one\n${COUNTED}`)
  expect(await w.tpi(`destroy ${name} --discard --json`, { env })).toMatchObject({ code: 0 })
}

test('a machine that hangs is ended at its deadline without any command, and none comes after it', async () => {
  if (!lab || !host) return expect(process.env['CI']).toBeUndefined()
  const { env, world: cloud } = lab
  const before = await project()
  expect(
    await w.tpi(task('hangs', 'sleep 1000', '--workdir', 'none', '--detach', '--timeout', '40s', '--grace', '1s'), { env }),
  ).toMatchObject({ code: 0 })
  await until('its machine is up', () => host?.running().length === 1, PATIENCE)
  await host.fault(host.running()[0]!, 'freeze')
  await until('nothing runs', () => cloud.fleet.present(REGION).length === 0 && host?.running().length === 0, PATIENCE)
  expect(cloud.groups(REGION)).toMatchObject([{ sizes: { wanted: 0 } }])
  expect(await w.tpi('destroy hangs --discard --json', { env })).toMatchObject({ code: 0 })
  await asBefore(before)
})
