/** Machines of a simulated cloud as machines that boot: each is started, shut down and cut off as its record says, and powers off for its record too. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cause, Machine } from '../simulation/types.ts'
import type { World } from '../simulation/world.ts'
import type { MachineHost } from './machine-host.ts'

/** What it takes of a host of machines. */
export type Host = Pick<MachineHost, 'boot' | 'end' | 'running' | 'onExit'>

/** Milliseconds that a machine has to shut itself down: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/terminating-instances.html */
const SHUTDOWN = 5000

export interface Following {
  boot(machine: Machine, address: string): Promise<void>
  /** What the cloud takes it for when a machine goes off by itself. */
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

/** By the power button, then by pulling the plug; a machine that a pool takes back, or that dies, has the plug pulled at once. */
async function end(host: Host, machine: Machine, begun: Promise<void>): Promise<void> {
  await begun
  const { id, cause } = machine
  if (cause === 'requested') await Promise.race([press(host, id, 'soft'), sleep(SHUTDOWN)])
  if (host.running().includes(id)) await press(host, id, 'hard')
}

/** Whichever way was first: the machine is off. */
export async function press(host: Host, id: string, how: 'soft' | 'hard'): Promise<void> {
  await host.end(id, how).catch((error: unknown) => {
    if (host.running().includes(id)) throw error
  })
}
