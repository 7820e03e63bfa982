/**
 * Boots the machines of a simulated cloud: each is started, shut down and cut off as its record says, and its record follows when it powers
 * itself off.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cause, Machine } from '../simulation/types.ts'
import type { World } from '../simulation/world.ts'
import type { MachineHost } from './machine-host.ts'

/** The parts of a host of machines that are used here. */
export type Host = Pick<MachineHost, 'boot' | 'end' | 'running' | 'onExit'>

/** Milliseconds that a machine has to shut itself down: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/terminating-instances.html */
const SHUTDOWN = 5000

export interface Following {
  boot(machine: Machine, address: string): Promise<void>
  /** The cause that the cloud reports when a machine powers itself off. */
  off(machine: Machine): Exclude<Cause, 'requested'>
}

export function followMachines(world: World, host: Host, { boot, off }: Following): void {
  const booted = new Map<string, Promise<void>>()
  let number = 1
  world.listen((machine) => {
    const begun = booted.get(machine.id)
    if (machine.state === 'starting' && !begun) {
      number = (number % 240) + 1
      const broken = (error: unknown): void => world.broken(error)
      booted.set(machine.id, boot(machine, `10.20.0.${number + 1}`).catch(broken))
    }
    const isEnded = machine.off === true || (machine.state === 'ending' && machine.cause !== 'powered-off')
    if (begun && isEnded) end(host, machine, begun).catch((error: unknown) => world.broken(error))
  })
  host.onExit((id) => {
    const machine = world.machine(id)
    if (machine) world.lose(machine, off(machine))
  })
}

/** By the power button, then by pulling the plug; if a pool reclaims a machine, or it dies, the plug is pulled at once. */
async function end(host: Host, machine: Machine, begun: Promise<void>): Promise<void> {
  await begun
  const { id, cause } = machine
  if (cause === 'requested') await Promise.race([press(host, id, 'soft'), sleep(SHUTDOWN)])
  if (host.running().includes(id)) await press(host, id, 'hard')
}

/** The machine may be off already. */
export async function press(host: Host, id: string, how: 'soft' | 'hard'): Promise<void> {
  await host.end(id, how).catch((error: unknown) => {
    if (host.running().includes(id)) throw error
  })
}
