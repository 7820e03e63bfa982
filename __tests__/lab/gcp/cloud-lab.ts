/** Cloud gcp in an emulated project, whose machines are records that do what a test says. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from '../../../src/clouds/gcp/index.ts'
import type { Cloud } from '../../../src/core/cloud.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { CloudLab, Play } from '../../conformance/cloud.ts'
import { destroy } from '../../conformance/cloud.ts'
import type { Machine } from '../vm/simulation/types.ts'
import { specOf } from '../vm/spec.ts'
import type { GcpLab } from './lab.ts'

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

export async function cloudLab({ world, env, endpoint }: GcpLab, values: Readonly<Record<string, unknown>> = {}): Promise<CloudLab> {
  const home = mkdtempSync(join(tmpdir(), 'tpi-gcp-'))
  let play: Play = 'idle'
  let open_ = true
  const reopen = async (signal = new AbortController().signal): Promise<Cloud> =>
    open({ env, home, values, log, clock: systemClock, signal, agent: async () => ({ digest: 'a'.repeat(64), bytes: new Uint8Array() }) })
  const cloud = await reopen()
  // What an agent would do on a machine that has come up.
  const act = (machine: Machine): void => {
    if (!open_ || machine.state !== 'up') return
    const group = world.groupOf(machine)
    if (play === 'exit 75') group?.leave(machine, 'replace', 'the agent asks for it')
    else if (play.startsWith('exit')) world.lose(machine, 'powered-off')
  }
  world.listen(act)
  const machines = (): Machine[] => [...world.fleet.machines.values()].filter(({ state }) => state === 'up')
  return {
    cloud,
    reopen,
    spec: (tags) => specOf('n2-standard-2,n2d-standard-2', { url: 'gs://tpi-tpi-lab-us-central1', settings: { endpoint } }, tags),
    play: async (request) => {
      play = request
    },
    async finish(index) {
      const machine = machines()[index] ?? machines()[0]
      if (machine) world.groupOf(machine)?.leave(machine, 'smaller', 'its work is done')
    },
    async kill(id) {
      const machine = world.machine(id)
      if (machine) world.lose(machine, 'died')
    },
    lives: async (id) => world.machine(id)?.state === 'up',
    async close() {
      open_ = false
      for (const { tags } of await cloud.list()) await destroy(cloud, tags)
      rmSync(home, { recursive: true, force: true })
    },
  }
}
