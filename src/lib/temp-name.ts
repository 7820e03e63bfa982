/** Names of incomplete files that say which process makes them: if it is killed, the next process may remove them. */
import { hostname } from 'node:os'
import { bootId } from './clock.ts'
import { identify, processSpace } from './process.ts'
import { sha256 } from './sha256.ts'

let own: { readonly place: string; readonly mark: string } | undefined

const digest = (text: string): string => sha256(text).slice(0, 12)

function self(): { readonly place: string; readonly mark: string } {
  if (own) return own
  // The pid namespace.
  const place = digest(`${hostname()}\n${bootId()}\n${processSpace()}`)
  own = { place, mark: `${place}-${process.pid}.${digest(identify(process.pid)?.start ?? '')}` }
  return own
}

/** Of this process: 12 hex digits, `-`, pid, `.`, 12 hex digits. */
export function writerMark(): string {
  return self().mark
}

/** Whether it is certainly dead: for a process of another host, nobody here can tell. `text` begins with a mark. */
export function writerIsDead(text: string): boolean {
  const [, place, pid, start] = /^([0-9a-f]{12})-(\d+)\.([0-9a-f]{12})/.exec(text) ?? []
  if (place !== self().place) return false
  const living = identify(Number(pid))
  return living === undefined || digest(living.start) !== start
}
