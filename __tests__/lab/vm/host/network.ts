/** The network of one machine: a namespace of its own, and another one as its gateway, with metadata service and DHCP, as in a cloud. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Daemon, run, until } from '../../shell.ts'
import type { Street } from './street.ts'

/** Link-local, as on AWS, GCP and Azure. */
export const METADATA = '169.254.169.254'
export const MAC = '00:0d:3a:00:00:01'

/** Connections to an address of the gateway go to a socket of this process. */
export type Way = readonly [address: string, port: number, socket: string]

interface NetworkParams {
  readonly address: string
  /** The file tree with the DHCP server. */
  readonly root: string
  readonly folder: string
  readonly ways: readonly Way[]
  readonly street: Street
  readonly among: string | undefined
  /** Additional options of the vendor's DHCP. */
  readonly dhcp: readonly string[]
}

export class Network {
  /** The machine's namespace, by name. */
  readonly machine: string
  readonly #gateway: string
  readonly #address: string
  readonly #street: Street
  #daemons: Daemon[] = []

  private constructor(name: string, { address, street }: Pick<NetworkParams, 'address' | 'street'>) {
    this.machine = name
    this.#street = street
    this.#gateway = `${name}-gw`
    this.#address = address
  }

  static async make(name: string, params: NetworkParams): Promise<Network> {
    const network = new Network(name, params)
    try {
      await network.#lay(params)
      await network.#serve(params)
      return network
    } catch (error) {
      await network.remove()
      throw error
    }
  }

  async #lay({ address, ways, street, among }: NetworkParams): Promise<void> {
    const [inside, outside] = [this.machine, this.#gateway]
    for (const space of [inside, outside]) {
      await run('ip', ['netns', 'add', space])
      await run('ip', ['-n', space, 'link', 'set', 'lo', 'up'])
    }
    for (const own of new Set(ways.map(([to]) => to))) await run('ip', ['-n', outside, 'addr', 'add', `${own}/32`, 'dev', 'lo'])
    await run('ip', ['-n', inside, 'link', 'add', 'eth0', 'address', MAC, 'type', 'veth', 'peer', 'name', 'gw0', 'netns', outside])
    await run('ip', ['-n', outside, 'addr', 'add', `${gatewayOf(address)}/24`, 'dev', 'gw0'])
    await this.wire('up')
    await street.join(outside, 'gw0', address, among)
  }

  async #serve({ address, root, folder, ways, dhcp: more }: NetworkParams): Promise<void> {
    const dhcp = [
      '--conf-file=/dev/null',
      '--keep-in-foreground',
      '--user=root',
      // It also answers for names: it knows none, and says so at once.
      '--no-resolv',
      '--no-hosts',
      '--address=/#/',
      '--interface=gw0',
      '--bind-interfaces',
      `--dhcp-range=${address},${address},1h`,
      // By the card, as in a cloud: the client of the early boot and that of the system call themselves by different names.
      `--dhcp-host=${MAC},id:*,${address}`,
      '--dhcp-authoritative',
      '--no-ping',
      `--dhcp-leasefile=${join(folder, 'leases')}`,
      // Otherwise all of this host have the same one, and two that begin at once fail.
      `--pid-file=${join(folder, 'dhcp.pid')}`,
      `--dhcp-option=3,${gatewayOf(address)}`,
      '--log-facility=-',
      ...more,
    ]
    const libraries = join(root, 'usr/lib/x86_64-linux-gnu')
    const loader = join(libraries, 'ld-linux-x86-64.so.2')
    await this.#run('dhcp', folder, [loader, '--library-path', libraries, join(root, 'usr/sbin/dnsmasq'), ...dhcp])
    const log = await this.#run('gateway', folder, [process.execPath, join(import.meta.dirname, 'gateway.mjs'), JSON.stringify(ways)])
    await until(
      'the gateway of a machine',
      20,
      async () => ((await readFile(log, 'utf8')).includes('ready') ? true : undefined),
      this.#daemons,
    )
  }

  async #run(name: string, folder: string, command: readonly string[]): Promise<string> {
    const log = join(folder, `${name}.log`)
    await writeFile(log, '')
    this.#daemons.push(new Daemon(name, log, ['ip', 'netns', 'exec', this.#gateway, ...command]))
    return log
  }

  /** Cuts the wire to the gateway, or joins it. */
  async wire(state: 'up' | 'down'): Promise<void> {
    await run('ip', ['-n', this.#gateway, 'link', 'set', 'gw0', state])
    // The route to its own machine, before the one to its neighbours; it disappears with the wire.
    if (state === 'up') await run('ip', ['-n', this.#gateway, 'route', 'add', `${this.#address}/32`, 'dev', 'gw0'])
  }

  async remove(): Promise<void> {
    await Promise.all(this.#daemons.map(async (daemon) => daemon.stop()))
    this.#daemons = []
    this.#street.leave(this.#gateway)
    for (const space of [this.machine, this.#gateway]) await run('ip', ['netns', 'del', space]).catch(() => undefined)
  }
}

export const gatewayOf = (address: string): string => address.replace(/\d+$/, '1')
