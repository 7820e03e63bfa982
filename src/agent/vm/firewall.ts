/**
 * Keeps the script from services that are only for the machine: the metadata service gives the agent's credentials to anyone who asks.
 *
 * Rules match three things: the control group of the script's slice, so that sudo does not help; its user, who may leave that group (by
 * ssh to this machine); and packets that the machine forwards (of containers behind a bridge). They block every port, because vendors add
 * some: Google's service also listens on 443, and its certificate is a file that anyone on the machine may read. Only port 53 stays open,
 * because the same address may resolve names. Root, and members of the group docker, can remove the rules.
 */
import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { run } from '../../lib/run.ts'
import { succeeds } from '../../lib/settle-all.ts'
import { messageOf } from '../../lib/text.ts'
import { SCRIPT_CGROUP, SCRIPT_USER } from './script-user.ts'

const TABLE = 'tpi'
const BY_USER = 'as its own user only: what it starts as root can still reach them'
/** The number of our routing rules (ip-rule(8)): before those that lead to other machines. An earlier agent's are found by it. */
const PRIORITY = '7'
/** The number of the protocol: small images have no /etc/protocols to look up its name. */
const TCP = '6'
/** The port of name servers, and all other ports that a routing rule can have (kernel, include/net/fib_rules.h: none beyond 65534). */
const NAMES = '53'
const OTHERS = ['1-52', '54-65534']

/** One way to block these services. */
export interface Way {
  /** What it does not cover, for people; empty: nothing. */
  readonly weaker: string
  /** Rejects if the machine lacks what this way needs. */
  readonly close: (services: readonly Service[]) => Promise<void>
}

export interface Service {
  readonly host: string
  readonly version: 4 | 6
}

const NFT_USER = `meta skuid "${SCRIPT_USER}"`
const IPTABLES_USER = ['-m', 'owner', '--uid-owner', SCRIPT_USER]

/** The best first. Matching by control group needs version 2 of control groups, and for nft a kernel from 5.13 on. */
const WAYS: readonly Way[] = [
  { weaker: '', close: async (services) => nft(rulesOf(services, [`socket cgroupv2 level 2 "${SCRIPT_CGROUP}"`, NFT_USER])) },
  { weaker: BY_USER, close: async (services) => nft(rulesOf(services, [NFT_USER])) },
  { weaker: '', close: async (services) => iptables(services, [['-m', 'cgroup', '--path', SCRIPT_CGROUP], IPTABLES_USER]) },
  { weaker: BY_USER, close: async (services) => iptables(services, [IPTABLES_USER]) },
  { weaker: 'as its own user only: what it starts as root or in a container can still reach them', close: routes },
]

export async function blockServices(closed: readonly string[], say: (line: string) => void, ways = WAYS): Promise<void> {
  if (closed.length === 0) return
  const services = closed.map(serviceOf)
  const problems = new Set<string>()
  for (const { weaker, close } of ways) {
    try {
      await close(services)
      if (weaker) say(`the script is kept from ${closed.join(', ')} ${weaker} (${[...problems].join('; ')})`)
      return
    } catch (error) {
      problems.add(messageOf(error))
    }
  }
  say(`the script can reach ${closed.join(', ')}: nothing on this machine can prevent that (${[...problems].join('; ')})`)
}

/** The service at this address: `169.254.169.254`, `fd00:ec2::254`. Throws for anything else than an address. */
export function serviceOf(host: string): Service {
  const version = isIP(host)
  if (version !== 4 && version !== 6) throw new Error(`config: "${host}" is not a service that can be blocked`)
  return { host, version }
}

/** The text for `nft -f`: replaces our whole table. `senders`: expressions that match whose packets are blocked. */
export function rulesOf(services: readonly Service[], senders: readonly string[]): string {
  const rules = services.map(({ host, version }) => `${version === 6 ? 'ip6' : 'ip'} daddr ${host} tcp dport != ${NAMES}`)
  return `table inet ${TABLE}
delete table inet ${TABLE}
table inet ${TABLE} {
  chain output {
    type filter hook output priority 0; policy accept;
${senders.flatMap((sender) => rules.map((one) => `    ${sender} ${one} reject with tcp reset\n`)).join('')}  }
  chain forward {
    type filter hook forward priority 0; policy accept;
${rules.map((one) => `    ${one} reject with tcp reset\n`).join('')}  }
}
`
}

const nft = async (rules: string): Promise<void> => command('nft', ['-f', '-'], rules)

/** Puts the rules first into both chains, unless they are there already (iptables(8), iptables-extensions(8)). */
async function iptables(services: readonly Service[], senders: readonly (readonly string[])[]): Promise<void> {
  for (const { host, version } of services) {
    const program = version === 6 ? 'ip6tables' : 'iptables'
    const what = ['-p', 'tcp', '-d', host, '!', '--dport', NAMES, '-j', 'REJECT', '--reject-with', 'tcp-reset']
    for (const rule of [...senders.map((sender) => ['OUTPUT', ...sender, ...what]), ['FORWARD', ...what]])
      await command(program, ['-w', '-C', ...rule]).catch(async () => command(program, ['-w', '-I', ...rule]))
  }
}

/**
 * Works without a firewall: the system has no route to the services for the script's user (ip-rule(8); uidrange and dport: kernel 4.17).
 */
async function routes(services: readonly Service[]): Promise<void> {
  const user = (await run('id', ['-u', SCRIPT_USER])).stdout.trim()
  for (const version of [4, 6] as const) {
    const family = `-${version}`
    const removeOne = async (): Promise<boolean> => succeeds(command('ip', [family, 'rule', 'del', 'priority', PRIORITY]))
    while (await removeOne());
    for (const { host } of services.filter((one) => one.version === version))
      for (const ports of OTHERS)
        await command(
          'ip',
          `${family} rule add priority ${PRIORITY} to ${host} uidrange ${user}-${user} ipproto ${TCP} dport ${ports} prohibit`.split(' '),
        )
  }
}

/** Runs a program. Rejects with the first line of what it says about its failure. */
async function command(program: string, argv: readonly string[], input = ''): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
    const child = execFile(program, argv, { env, timeout: 10_000 }, (error, _, stderr) => {
      if (!error) resolve()
      else if (error.code === 'ENOENT') reject(new Error(`there is no ${program}`))
      else reject(new Error(`${program}: ${stderr.trim().split('\n')[0] || error.message}`))
    })
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
