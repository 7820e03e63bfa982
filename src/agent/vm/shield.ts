/**
 * Keeps the script from services of the machine's own (the metadata service gives whoever asks the agent's credentials): by the control group of its
 * slice, so that sudo changes nothing about it, and for what the machine forwards (containers behind a bridge). Never port 53: the same address may
 * resolve names. Root, and whoever may use docker, can take it away again.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { messageOf } from '../../lib/text.ts'
import { SCRIPT_CGROUP, SCRIPT_USER } from './script-user.ts'

const TABLE = 'tpi'

/** By what a packet of the script is known, best first. The second is for systems without control groups of version 2 (or a kernel before 5.13). */
const SENDERS = [
  { match: `socket cgroupv2 level 2 "${SCRIPT_CGROUP}"`, weaker: '' },
  { match: `meta skuid "${SCRIPT_USER}"`, weaker: 'by its user only: what it starts as root reaches them' },
]

export async function shield(closed: readonly string[], say: (line: string) => void): Promise<void> {
  let problem = ''
  for (const { match, weaker } of SENDERS) {
    try {
      await nft(rulesOf(closed, match))
      if (weaker) say(`the script is kept from ${closed.join(', ')} ${weaker} (${problem})`)
      return
    } catch (error) {
      problem = messageOf(error)
    }
  }
  say(`the script can reach ${closed.join(', ')}: there is no firewall on this machine (${problem})`)
}

/** For `nft -f`: the whole table at once, whatever was in it. */
export function rulesOf(closed: readonly string[], match: string): string {
  const rule = (address: string): string => {
    const [, host = '', port = ''] = /^\[?([0-9a-fA-F:.]+?)\]?:(\d+)$/.exec(address) ?? []
    if (host === '' || port === '53') throw new Error(`config: "${address}" is no service that can be closed`)
    return `${host.includes(':') ? 'ip6' : 'ip'} daddr ${host} tcp dport ${port}`
  }
  const rules = closed.map(rule)
  return `table inet ${TABLE}
delete table inet ${TABLE}
table inet ${TABLE} {
  chain output {
    type filter hook output priority 0; policy accept;
${rules.map((one) => `    ${match} ${one} reject with tcp reset\n`).join('')}  }
  chain forward {
    type filter hook forward priority 0; policy accept;
${rules.map((one) => `    ${one} reject with tcp reset\n`).join('')}  }
}
`
}

async function nft(rules: string): Promise<void> {
  const child = spawn('/usr/sbin/nft', ['-f', '-'], { stdio: ['pipe', 'ignore', 'pipe'] })
  const gone = once(child, 'close')
  child.stdin.on('error', () => undefined)
  child.stdin.end(rules)
  const [[code], said] = await Promise.all([gone, text(child.stderr)])
  if (code !== 0) throw new Error(`nft: ${said.trim().split('\n')[0] ?? `ended with ${String(code)}`}`)
}
