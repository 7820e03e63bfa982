/**
 * Where a configuration file may send credentials if nothing else names the address. The file may have come with the folder, so it cannot send
 * credentials or data in the clear, nor a token to another server than usual.
 */
import type { Fault } from '../../core/errors.ts'
import { isKnownForge, publicForges } from '../../forges/registry.ts'
import { isThisHost } from '../../lib/confidential.ts'
import type { Env } from '../../lib/env.ts'
import { quoted } from '../../lib/text.ts'
import { leaksToken } from '../../stores/registry.ts'
import { fault } from '../sources/assignment.ts'
import type { Chosen } from './checks.ts'
import type { VerbName } from './verbs.ts'

/** Verbs that end or collect what exists. A bad address in a file does not stop them: the record of the run says which forge they need. */
const ENDING: readonly VerbName[] = ['stop', 'destroy', 'sweep', 'collect']

/** Finds addresses that a file alone may not name. If the verb can do without, removes them from `chosen`: they are `ignored`, not faults. */
export function addressFaults(
  verb: VerbName,
  chosen: Map<string, Chosen>,
  env: Env,
): { readonly faults: readonly Fault[]; readonly ignored: readonly Fault[] } {
  const endpoint = endpointFaults(chosen.get('storage-endpoint'), chosen.get('storage'))
  const forge = sendsToken(verb, chosen) ? forgeFaults(chosen, env) : []
  if (!ENDING.includes(verb)) return { faults: [...endpoint, ...forge], ignored: [] }
  if (forge.length > 0) for (const name of PLACES) if (chosen.get(name)?.assignment.source === 'file') chosen.delete(name)
  return { faults: endpoint, ignored: forge }
}

/** A task calls a forge only for a comment. */
function sendsToken(verb: VerbName, chosen: ReadonlyMap<string, Chosen>): boolean {
  return verb !== 'task' || (chosen.has('comment') && chosen.get('comment')?.value !== false)
}

/** An address on another host, if only a file names it. */
function fromFileAlone(given: Chosen | undefined): URL | undefined {
  const address = String(given?.value)
  if (given?.assignment.source !== 'file' || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return isThisHost(url.hostname) ? undefined : url
}

/** `given`: how it is given if plain http is intended. */
function exposes(as: string, what: string, given: string): Fault {
  return fault(as, `${what} to the network`, `write https://, or if plain http is intended, ${given}`)
}

function endpointFaults(endpoint: Chosen | undefined, storage: Chosen | undefined): Fault[] {
  const url = fromFileAlone(endpoint)
  if (!endpoint || !url) return []
  const { as } = endpoint.assignment
  const address = quoted(String(endpoint.value))
  const given = 'give it as --storage-endpoint, TPI_STORAGE_ENDPOINT or an input of the action'
  if (url.protocol === 'http:') return [exposes(as, `${address} would expose credentials`, given)]
  const store = String(storage?.value)
  if (!leaksToken(store, url.hostname)) return []
  return [fault(as, `${address} would get the token that opens ${store.replace(/:.*/, '')}:// for you`, `if that is intended, ${given}`)]
}

/** Options that say where the forge is, the strongest first: a name may be written as an address. */
const PLACES = ['forge-url', 'repository', 'organization', 'enterprise']

function forgeFaults(chosen: ReadonlyMap<string, Chosen>, env: Env): Fault[] {
  const name = PLACES.find((option) => chosen.has(option)) ?? ''
  const place = chosen.get(name)
  const url = fromFileAlone(place)
  // Other protocols lead nowhere.
  if (!place || !url || !/^https?:$/.test(url.protocol) || isKnownForge(url, env)) return []
  const address = String(place.value)
  const forge = name === 'forge-url' ? address : url.origin
  const given = `set TPI_FORGE_URL=${forge}, or give --forge-url or the input "forge-url"`
  if (url.protocol === 'http:') return [exposes(place.assignment.as, `${quoted(address)} would expose your token for the forge`, given)]
  const allowed = `a file may name ${publicForges.join(', ')} and the forge of the CI job`
  const hint = `${allowed}; if that is your forge, ${given}`
  return [fault(place.assignment.as, `${quoted(address)} would get your token for the forge, and only this file says so`, hint)]
}
