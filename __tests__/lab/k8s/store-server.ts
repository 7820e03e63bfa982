/** The server of a deployment's store, as a process of this host. */
import { readdirSync, readFileSync } from 'node:fs'

/** The pid of this deployment's server: there may be other clusters here. */
export function storeServer(id: string): number {
  const own = (name: string): boolean =>
    reported(name, 'cmdline').includes('\0serve-store\0') && reported(name, 'environ').includes(`HOSTNAME=${id}-store`)
  const found = readdirSync('/proc').find((name) => /^\d+$/.test(name) && own(name))
  if (found === undefined) throw new Error('the server of the store does not run')
  return Number(found)
}

function reported(pid: string, what: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}
