/** Each cluster's own network: one bridge, one range of private addresses, nothing routed to the outside. */
import { readFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { Missing } from '../missing.ts'
import { run } from '../shell.ts'
import { removeCgroups } from './cgroups.ts'

const PREFIX = 'tpil'
const MOST = 100

export interface Network {
  /** Number of the cluster on this host. */
  readonly number: number
  readonly bridge: string
  /** This host's address, as nodes see it. */
  readonly host: string
  node(index: number): NodeAddresses
  remove(): Promise<void>
}

export interface NodeAddresses {
  readonly address: string
  /** The node's pods, as CIDR. */
  readonly pods: string
}

/** `folder`: what the next cluster on this host is to remove if this process dies without doing so. */
export async function makeNetwork(folder: string): Promise<Network> {
  await sweep()
  for (let number = 0; number < MOST; number++) {
    const bridge = `${PREFIX}${number}`
    if (!(await linkAdded(bridge))) continue
    await run('ip', ['link', 'set', bridge, 'alias', `${process.pid} ${startOf(process.pid)} ${folder}`])
    const host = `10.213.${number}.1`
    await run('ip', ['addr', 'add', `${host}/24`, 'dev', bridge])
    await run('ip', ['link', 'set', bridge, 'up'])
    const node = (index: number): NodeAddresses => ({ address: `10.213.${number}.${index + 10}`, pods: `10.${214 + index}.${number}.0/24` })
    return { number, bridge, host, node, remove: async () => void (await run('ip', ['link', 'del', bridge])) }
  }
  throw new Error(`there are ${MOST} clusters of the lab on this host already`)
}

async function linkAdded(bridge: string): Promise<boolean> {
  try {
    await run('ip', ['link', 'add', bridge, 'type', 'bridge'])
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (reason.includes('File exists')) return false
    throw new Missing(`no network of its own: ${reason}`, { cause: error })
  }
}

/** Removes what clusters of killed processes left. Their own processes died with those. */
async function sweep(): Promise<void> {
  for (const bridge of (await readdir('/sys/class/net')).filter((name) => name.startsWith(PREFIX))) {
    const alias = await readFile(`/sys/class/net/${bridge}/ifalias`, 'utf8').catch(() => '')
    const [pid = '', start = '', folder = ''] = alias.trim().split(' ')
    if (folder === '' || startOf(Number(pid)) === start) continue
    await run('ip', ['link', 'del', bridge]).catch(() => undefined)
    await removeCgroups(bridge)
    await rm(folder, { recursive: true, force: true })
  }
}

/** When a process started, in ticks since boot; empty if there is none. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
