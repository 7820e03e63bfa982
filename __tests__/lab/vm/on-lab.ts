/** What a file of tests in the lab of a cloud stands on: the lab, and a home for commands in which `p/data` lies. All of it goes with the file. */
import { afterAll, beforeAll } from '@jest/globals'
import { type World, world } from '../../setup/world.ts'
import { orMissing } from '../missing.ts'
import { MachineHost } from './host/machine-host.ts'
import { shareRuntime } from './runtime.ts'

interface Lab {
  stop(): Promise<void>
}

export interface Ground<L extends Lab> {
  /** Absent where its programs cannot be had. */
  readonly lab: L | undefined
  readonly w: World
}

/** Registers it. `begin` gets it before the first test. */
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

/** The same, with machines that boot. The host is absent where there can be none, and then so is the lab. */
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

/** Milliseconds in which machines and what belongs to them change in such a lab. */
export const BRISK = { end: 1000, health: 500, parts: 500 }
