/**
 * What joins the gateways of one host's machines, so that those reach each other by their addresses, as machines of one subnet do. All have the same
 * MAC address, so nothing of a machine's own wire is joined: each gateway answers for the others (proxy ARP) and forwards.
 */
import { run } from '../../shell.ts'

const BRIDGE = 'street0'
const WAY = 'street'

export class Street {
  readonly #space: string
  #houses = 0

  private constructor(space: string) {
    this.#space = space
  }

  static async lay(name: string): Promise<Street> {
    await run('ip', ['netns', 'add', name])
    await run('ip', ['-n', name, 'link', 'add', BRIDGE, 'type', 'bridge'])
    await run('ip', ['-n', name, 'link', 'set', BRIDGE, 'up'])
    return new Street(name)
  }

  /** `wire`: of the gateway, to its machine, which has this address. */
  async join(gateway: string, wire: string, address: string): Promise<void> {
    const ip = async (...words: readonly string[]): Promise<unknown> => run('ip', ['-n', gateway, ...words])
    const house = `house${(this.#houses += 1)}`
    await run('ip', ['-n', this.#space, 'link', 'add', house, 'type', 'veth', 'peer', 'name', WAY, 'netns', gateway])
    await run('ip', ['-n', this.#space, 'link', 'set', house, 'master', BRIDGE, 'up'])
    const settings = [`ipv4/ip_forward`, `ipv4/conf/${wire}/proxy_arp`, `ipv4/conf/${WAY}/proxy_arp`]
    await run('ip', ['netns', 'exec', gateway, 'sh', '-c', settings.map((one) => `echo 1 > /proc/sys/net/${one}`).join('; ')])
    // An address that no machine has: it asks by it.
    await ip('addr', 'add', `${address.replace(/^\d+/, '11')}/32`, 'dev', WAY)
    await ip('link', 'set', WAY, 'up')
    const subnet = address.replace(/\d+$/, '')
    for (const half of [`${subnet}0/25`, `${subnet}128/25`]) await ip('route', 'add', half, 'dev', WAY)
  }

  async remove(): Promise<void> {
    await run('ip', ['netns', 'del', this.#space]).catch(() => undefined)
  }
}
