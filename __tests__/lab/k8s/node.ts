/**
 * One node: containerd, kubelet and kube-proxy in their own namespaces (processes, mounts, network), so that several run on one host at the same
 * time, a power cut is one signal, and nothing is left on the host.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Daemon, run, until } from '../shell.ts'
import { makeCgroups, removeCgroups } from './cgroups.ts'
import { SERVICES } from './control-plane.ts'
import type { Network } from './network.ts'
import { clusterConfigs, containerdConfig } from './node-config.ts'
import type { Packages } from './packages.ts'
import { FEWER_COLLECTIONS } from './programs.ts'

export interface NodeOptions {
  readonly name: string
  readonly index: number
  /** The node's folder, which is made here. */
  readonly folder: string
  readonly programs: string
  readonly packages: Packages
  readonly network: Network
  /** Archives of images that the node has from the start. */
  readonly images: readonly string[]
  /** Writes a kubeconfig for a user of the control plane, once there is one. */
  readonly kubeconfig: (user: string, file: string) => Promise<string>
}

const SOCKET = '/run/containerd/containerd.sock'

export class LabNode {
  readonly name: string
  readonly address: string
  readonly pods: string
  readonly #options: NodeOptions
  #space: Daemon | undefined
  #init = 0
  /** Whether its cable is connected, so that others can set routes to it. */
  #connected = false
  #servers: Daemon[] = []

  constructor(options: NodeOptions) {
    this.#options = options
    this.name = options.name
    this.address = options.network.node(options.index).address
    this.pods = options.network.node(options.index).pods
  }

  /** Starts it, or restarts it after `kill`; of nodes that start at the same time, the later one sets the routes between them. */
  async start(others: readonly LabNode[]): Promise<void> {
    const { folder, network, name } = this.#options
    for (const part of ['lib', 'log', 'plugins']) await mkdir(join(folder, part), { recursive: true })
    await rm(join(folder, 'up'), { force: true })
    const cgroups = await makeCgroups(network.bridge, name)
    await this.#enter()
    await this.#connect(others)
    const { packages, programs, images } = this.#options
    this.#serve('containerd', [join(packages.bin, 'containerd'), '--config', await containerdConfig(this.#options)])
    await until('containerd', 60, async () => (existsSync(`/proc/${this.#init}/root${SOCKET}`) ? true : undefined), this.#servers)
    // Nothing up to here needs the control plane, which starts meanwhile.
    for (const image of images) await this.load(image)
    const proxy = await clusterConfigs(this.#options, cgroups)
    this.startKubelet()
    this.#serve('kube-proxy', [join(programs, 'kube-proxy'), `--config=${proxy}`, `--hostname-override=${name}`])
  }

  /** Whether services can be reached from the node and its pods. */
  async proxies(): Promise<true | undefined> {
    const reply = await fetch(`http://${this.address}:10256/healthz`, { signal: AbortSignal.timeout(2000) })
    return reply.ok || undefined
  }

  startKubelet(): void {
    const { folder, programs, name } = this.#options
    this.#serve('kubelet', [
      join(programs, 'kubelet'),
      `--config=${join(folder, 'kubelet.json')}`,
      `--kubeconfig=${join(folder, 'kubelet.kubeconfig')}`,
      `--root-dir=/var/lib/kubelet`,
      `--cert-dir=/var/lib/kubelet/pki`,
      `--node-ip=${this.address}`,
      `--hostname-override=${name}`,
    ])
  }

  /** Containers continue, but nobody watches them. */
  async stopKubelet(): Promise<void> {
    for (const pid of await this.#pids('/kubelet\0')) process.kill(pid, 'SIGKILL')
  }

  /** Restarts the kubelet with other settings, for example with eviction thresholds that make its node short of something. */
  async configure(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.stopKubelet()
    const file = join(this.#options.folder, 'kubelet.json')
    const config = JSON.parse(await readFile(file, 'utf8')) as object
    await writeFile(file, JSON.stringify({ ...config, ...settings }))
    this.startKubelet()
  }

  /** Imports an image archive; an error contains containerd's output. */
  async load(archive: string): Promise<void> {
    await this.#inside([join(this.#options.packages.bin, 'ctr'), '-a', SOCKET, '-n', 'k8s.io', 'images', 'import', archive])
  }

  /** Unplugs the network cable; `rejoin` plugs it in again. */
  async cut(): Promise<void> {
    await run('ip', ['link', 'set', this.#cable, 'down'])
  }

  async rejoin(): Promise<void> {
    await run('ip', ['link', 'set', this.#cable, 'up'])
    const { network } = this.#options
    await run('ip', ['route', 'replace', this.pods, 'via', this.address, 'dev', network.bridge])
  }

  /** Like a network plugin that enforces a NetworkPolicy denying by default: no pod of this node reaches another one at this port any more. */
  async deny(port: number): Promise<void> {
    await this.#inside(['iptables', '-I', 'FORWARD', ...this.#walled(port)])
  }

  async allow(port: number): Promise<void> {
    await this.#inside(['iptables', '-D', 'FORWARD', ...this.#walled(port)])
  }

  #walled(port: number): readonly string[] {
    return ['-s', this.pods, '-p', 'tcp', '--dport', String(port), '-j', 'DROP']
  }

  /** Cuts the power: everything on the node is dead at once. */
  async kill(): Promise<void> {
    const space = this.#space
    this.#space = undefined
    this.#connected = false
    if (space && !space.ended) {
      if (this.#init > 0) process.kill(this.#init, 'SIGKILL')
      await space.stop()
    }
    this.#servers = []
    // The kernel takes its time to remove the cable with the namespace; it may be gone already.
    await run('ip', ['link', 'del', this.#cable]).catch(() => undefined)
    await removeCgroups(this.#options.network.bridge, this.name)
  }

  /** Last lines of its servers' logs, for error messages. */
  complaints(): string {
    return this.#servers.map((server) => `${server.name}: ${server.tail()}`).join('\n')
  }

  get servers(): readonly Daemon[] {
    return this.#servers
  }

  /** Mounts a small disk at a folder of the host, only for this node. */
  async mountSmall(folder: string, bytes: number): Promise<void> {
    await this.#inside(['mount', '-t', 'tmpfs', '-o', `size=${bytes},mode=0755`, 'tmpfs', folder])
  }

  get #cable(): string {
    return `${this.#options.network.bridge}-${this.#options.index}`
  }

  /** Enters new namespaces. Folders that programs use at fixed places of a host (`/run`, `/var/lib`, `/var/log`) are the node's own there. */
  async #enter(): Promise<void> {
    const { folder, name } = this.#options
    const script = `set -e
mount --make-rshared /
mount -t tmpfs tmpfs /run
mount --bind '${folder}/lib' /var/lib
mount --bind '${folder}/log' /var/log
echo 1 > /proc/sys/net/ipv4/ip_forward
: > '${folder}/up'
while :; do sleep 1000 & wait; done`
    const spaces = ['--mount', '--net', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL']
    const space = new Daemon(name, join(folder, 'namespace.log'), ['unshare', ...spaces, 'sh', '-c', script])
    this.#space = space
    this.#init = await until(
      'the namespaces of a node',
      30,
      async () => {
        if (!existsSync(join(folder, 'up'))) return undefined
        const [child] = (await readFile(`/proc/${space.pid}/task/${space.pid}/children`, 'utf8')).trim().split(' ')
        return child ? Number(child) : undefined
      },
      [space],
    )
  }

  async #connect(others: readonly LabNode[]): Promise<void> {
    const { network } = this.#options
    const cable = this.#cable
    await run('ip', ['link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(this.#init)])
    await run('ip', ['link', 'set', cable, 'master', network.bridge, 'up'])
    await this.#inside(['ip', 'link', 'set', 'lo', 'up'])
    await this.#inside(['ip', 'addr', 'add', `${this.address}/24`, 'dev', 'eth0'])
    await this.#inside(['ip', 'link', 'set', 'eth0', 'up'])
    // The node's own calls to services need a route before they are translated to an address that has one. There is no route to the outside.
    await this.#inside(['ip', 'route', 'add', SERVICES, 'dev', 'eth0'])
    await run('ip', ['route', 'replace', this.pods, 'via', this.address, 'dev', network.bridge])
    this.#connected = true
    for (const other of others) {
      if (other === this || !other.#connected) continue
      await this.#inside(['ip', 'route', 'replace', other.pods, 'via', other.address])
      await other.#inside(['ip', 'route', 'replace', this.pods, 'via', this.address])
    }
  }

  async #inside(command: readonly string[]): Promise<string> {
    return await run('nsenter', ['-t', String(this.#init), '-m', '-n', '-p', '--', ...command], { env: this.#env() })
  }

  #serve(name: string, command: readonly string[]): void {
    const args = ['nsenter', '-t', String(this.#init), '-m', '-n', '-p', '--', ...command]
    this.#servers = this.#servers.filter((server) => server.name !== name)
    this.#servers.push(new Daemon(name, join(this.#options.folder, `${name}.log`), args, this.#env()))
  }

  #env(): NodeJS.ProcessEnv {
    return { PATH: `${this.#options.packages.bin}:${process.env['PATH']}`, ...FEWER_COLLECTIONS }
  }

  /** Processes of this node with this word in their command line. */
  async #pids(word: string): Promise<number[]> {
    const space = await namespaceOf(this.#init)
    const found: number[] = []
    for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)) {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      if (line.includes(word) && !line.startsWith('nsenter') && (await namespaceOf(pid)) === space) found.push(pid)
    }
    return found
  }
}

async function namespaceOf(pid: number): Promise<string> {
  return await readlink(`/proc/${pid}/ns/pid`).catch(() => '')
}
