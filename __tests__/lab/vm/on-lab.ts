/** Set-up for a test file in a cloud's lab: the lab, and a home for commands that contains `p/data`. All of it is removed after the file. */
import { afterAll, beforeAll } from '@jest/globals'
import { type World, world } from '../../setup/world.ts'
import { orMissing } from '../missing.ts'
import { MachineHost } from './host/machine-host.ts'
import { shareRuntime } from './runtime.ts'

interface Lab {
  stop(): Promise<void>
}

export interface Ground<L extends Lab> {
  /** Absent if its programs are not available. */
  readonly lab: L | undefined
  readonly w: World
}

/** Registers the set-up. `begin` gets it before the first test. */
export function onLab<L extends Lab>(start: () => Promise<L | undefined>, begin: (ground: Ground<L>) => Promise<void> | void): void {
  let lab: L | undefined
  let w: World | undefined
  beforeAll(async () => {
    lab = await start()
    w = await world()
    await shareRuntime(w.home)
    await w.write('p/data', 'one\n')
    await begin({ lab, w })
  })
  afterAll(async () => {
    await w?.end()
    await lab?.stop()
  })
}

/** The same, with machines that boot. The host is absent if this computer cannot run one, and then so is the lab. */
export function onMachines<L extends Lab>(
  start: (host: MachineHost) => Promise<L | undefined>,
  begin: (ground: Ground<L> & { readonly host: MachineHost | undefined }) => void,
): void {
  let host: MachineHost | undefined
  afterAll(async () => host?.stop())
  onLab(
    async () => {
      host = await orMissing('no machines of a cloud', async () => MachineHost.start())
      return host && start(host)
    },
    (ground) => begin({ ...ground, host }),
  )
}
