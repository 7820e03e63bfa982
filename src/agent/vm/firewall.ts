/**
 * Keeps the script from services that are only for the machine (the metadata service gives the agent's credentials to anyone who asks).
 * Rules match the control group of its slice, so sudo does not help, its user, who may get out of that group (ssh to this machine), and packets
 * that the machine forwards (containers behind a bridge).
 * Whatever port: vendors add some (Google's service also listens on 443, and its certificate is a file that anyone on the machine may read). Only
 * names may be asked for, because the same address may resolve them. Root, and users of docker, can remove the rules.
 */
import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { run } from '../../lib/run.ts'
import { messageOf } from '../../lib/text.ts'
import { SCRIPT_CGROUP, SCRIPT_USER } from './script-user.ts'

const TABLE = 'tpi'
const BY_USER = 'as its own user only: what it starts as root can still reach them'
/** Before the first rule of every system (ip-rule(8)), with a number of its own, so that the rule of an earlier agent can be removed first. */
const PRIORITY = '7'
/** By its number: small images have no /etc/protocols. */
const TCP = '6'
/** The port of names, and all others that a rule may have (kernel, include/net/fib_rules.h: a range ends before the last one). */
const NAMES = '53'
const OTHERS = ['1-52', '54-65534']

/** One way to block these services, and its gaps. */
export interface Way {
  readonly weaker: string
  /** Throws if the machine lacks what is needed. */
  readonly close: (services: readonly Service[]) => Promise<void>
}

export interface Service {
  readonly host: string
  readonly version: 4 | 6
}

const NFT_USER = `meta skuid "${SCRIPT_USER}"`
const IPTABLES_USER = ['-m', 'owner', '--uid-owner', SCRIPT_USER]

/** The best first. Matching the sender by its control group needs version 2 of control groups (and for nft a kernel of 5.13). */
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

/** `169.254.169.254`, `fd00:ec2::254`. */
export function serviceOf(host: string): Service {
  const version = isIP(host)
  if (version !== 4 && version !== 6) throw new Error(`config: "${host}" is not a service that can be blocked`)
  return { host, version }
}

/** For `nft -f`: the whole table at once, whatever was in it. `senders`: whose packets. */
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

/** First in both chains, once (iptables(8), iptables-extensions(8)). */
async function iptables(services: readonly Service[], senders: readonly (readonly string[])[]): Promise<void> {
  for (const { host, version } of services) {
    const program = version === 6 ? 'ip6tables' : 'iptables'
    const what = ['-p', 'tcp', '-d', host, '!', '--dport', NAMES, '-j', 'REJECT', '--reject-with', 'tcp-reset']
    for (const rule of [...senders.map((sender) => ['OUTPUT', ...sender, ...what]), ['FORWARD', ...what]])
      await command(program, ['-w', '-C', ...rule]).catch(async () => command(program, ['-w', '-I', ...rule]))
  }
}

/** Without a firewall: the system has no route there for that user (ip-rule(8), uidrange and dport: kernel 4.17). */
async function routes(services: readonly Service[]): Promise<void> {
  const user = (await run('id', ['-u', SCRIPT_USER])).stdout.trim()
  for (const version of [4, 6] as const) {
    const family = `-${version}`
    while (
      await command('ip', [family, 'rule', 'del', 'priority', PRIORITY]).then(
        () => true,
        () => false,
      )
    );
    for (const { host } of services.filter((one) => one.version === version))
      for (const ports of OTHERS)
        await command(
          'ip',
          `${family} rule add priority ${PRIORITY} to ${host} uidrange ${user}-${user} ipproto ${TCP} dport ${ports} prohibit`.split(' '),
        )
  }
}

/** Throws an error with the first line of its output. */
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
