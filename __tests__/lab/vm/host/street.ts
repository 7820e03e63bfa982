/**
 * Joins the gateways of one host's machines, so that machines reach each other by their addresses, as in a subnet. All machines have the same
 * MAC address, so their own wires are not joined: each gateway answers for the others (proxy ARP) and forwards.
 * A gateway that admits only some machines has routing rules by the source of a packet. It does not track connections like a vendor's firewall, and
 * need not, because machines admit each other.
 */
import { run } from '../../shell.ts'

const BRIDGE = 'street0'
const WAY = 'street'

/** Priorities of rules: the first rule that matches counts. The last rule uses the table with all routes. */
const [FRIEND, STRANGER] = ['100', '200']

interface House {
  readonly gateway: string
  readonly address: string
  readonly among: string
}

export class Street {
  readonly #space: string
  #number = 0
  readonly #closed = new Map<string, House>()

  private constructor(space: string) {
    this.#space = space
  }

  static async lay(name: string): Promise<Street> {
    await run('ip', ['netns', 'add', name])
    await run('ip', ['-n', name, 'link', 'add', BRIDGE, 'type', 'bridge'])
    await run('ip', ['-n', name, 'link', 'set', BRIDGE, 'up'])
    return new Street(name)
  }

  /** `wire`: the gateway's interface to its machine, which has this address. `among`: only machines with the same value are admitted. */
  async join(gateway: string, wire: string, address: string, among: string | undefined): Promise<void> {
    const ip = async (...words: readonly string[]): Promise<unknown> => run('ip', ['-n', gateway, ...words])
    const house = `house${(this.#number += 1)}`
    await run('ip', ['-n', this.#space, 'link', 'add', house, 'type', 'veth', 'peer', 'name', WAY, 'netns', gateway])
    await run('ip', ['-n', this.#space, 'link', 'set', house, 'master', BRIDGE, 'up'])
    const settings = [`ipv4/ip_forward`, `ipv4/conf/${wire}/proxy_arp`, `ipv4/conf/${WAY}/proxy_arp`]
    await run('ip', ['netns', 'exec', gateway, 'sh', '-c', settings.map((one) => `echo 1 > /proc/sys/net/${one}`).join('; ')])
    await ip('addr', 'add', `${asking(address)}/32`, 'dev', WAY)
    await ip('link', 'set', WAY, 'up')
    const subnet = address.replace(/\d+$/, '')
    for (const half of [`${subnet}0/25`, `${subnet}128/25`]) await ip('route', 'add', half, 'dev', WAY)
    if (among !== undefined) await this.#close({ gateway, address, among })
  }

  async #close(house: House): Promise<void> {
    const { gateway, address, among } = house
    await run('ip', ['-n', gateway, 'rule', 'add', 'iif', WAY, 'priority', STRANGER, 'unreachable'])
    const friends = [...this.#closed.values()].filter((one) => one.among === among)
    this.#closed.set(gateway, house)
    const admit = async (to: string, from: string): Promise<unknown> =>
      run('ip', ['-n', to, 'rule', 'add', 'from', from, 'iif', WAY, 'priority', FRIEND, 'lookup', 'main'])
    const both = async (to: string, from: string): Promise<unknown> => Promise.all([from, asking(from)].map(async (one) => admit(to, one)))
    await Promise.all(friends.flatMap((one) => [both(gateway, one.address), both(one.gateway, address)]))
  }

  leave(gateway: string): void {
    this.#closed.delete(gateway)
  }

  async remove(): Promise<void> {
    await run('ip', ['netns', 'del', this.#space]).catch(() => undefined)
  }
}

/** An address that no machine has: a gateway uses it to ask where another machine is. */
const asking = (address: string): string => address.replace(/^\d+/, '11')
