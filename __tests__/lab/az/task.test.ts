/**
 * Tasks on machines that boot like Azure's, by the real command line, in an emulated subscription: to the exit code, through evictions, and without a
 * trace.
 */
import { expect, jest, test } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { COUNTED, COUNTING, goesOn } from '../vm/counting.ts'
import type { MachineHost } from '../vm/host/machine-host.ts'
import { onMachines } from '../vm/on-lab.ts'
import { BRISK } from '../vm/simulation/world.ts'
import { type AzLab, REGION, startAzLab } from './lab.ts'

jest.setTimeout(500_000)

let host: MachineHost | undefined
let lab: AzLab | undefined
let w: World
onMachines(
  async (machines) => {
    // The system of a run that names no image.
    machines.system = 'ubuntu'
    return await startAzLab({ machines, times: BRISK })
  },
  (ground) => {
    ;({ host, lab, w } = ground)
  },
)

/** Milliseconds for a machine to boot on a busy host. */
const PATIENCE = 240_000

/** What a script can reach of the machine's own services: nothing but name resolution. */
const PROBE = `import socket as s
def t(h,p):
 try:s.create_connection((h,p),3)
 except ConnectionRefusedError:return 'refused'
 return 'open'
d=s.socket(2,2);d.settimeout(5);d.connect(('168.63.129.16',53));d.send(bytes([9,9,1,0,0,1,0,0,0,0,0,0,1,120,0,0,1,0,1]))
print(t('169.254.169.254',80),t('168.63.129.16',80),t('168.63.129.16',32526),'answered' if d.recv(99) else '')`

const TASK = 'task --cloud az --machine Standard_D2s_v5 --spot --name real --workdir p --output r --checkpoint-interval 1s --json'

test('a task cut off by an eviction of a few seconds goes on from its checkpoint, delivers its outputs, and leaves nothing', async () => {
  if (!lab || !host) return expect(process.env['CI']).toBeUndefined()
  await w.write('p/data', 'one\n')
  const script = `python3 -c "${PROBE}" > r; cat data >> r; ${COUNTING}; cat n >> r; exit 3`
  const { env, world: cloud } = lab
  const before = await lab.inventory()
  const words = [...TASK.split(' '), '--script', script]
  await goesOn(w, { name: 'real', words, env, patience: PATIENCE }, () => {
    const [machine] = cloud.fleet.present(REGION)
    cloud.reclaim(machine!, 5000)
  })
  expect(await w.read('p/r')).toBe(`refused refused refused answered\none\n${COUNTED}`)
  expect((await w.tpi('destroy real --discard --json', { env })).code).toBe(0)
  await untilSame('the subscription is as before', async () => lab?.inventory(), before)
  await until('no machine runs', () => host?.running().length === 0)
})
