/** What clouds keep as text: the tags of a deployment, and events of its group. */
import { count, dictionary, flag, json, line, maybe, object, oneOf, text, time } from '../lib/shape.ts'
import { lifetime } from '../wire/lifetime.ts'
import { storePlace } from '../wire/machine.ts'
import { label, otherVersion, parseShape, VERSION } from '../wire/parse.ts'
import { MODES, origin } from '../wire/records.ts'
import type { CloudEvent, DeploymentTags, EventKind, Log, Lost } from './cloud.ts'
import { RemoteError } from './errors.ts'

/** Limits of the user's own tags: characters of a name and of a value, and how many there may be. Clouds may have narrower ones. */
export const USER_TAGS = { name: 65_536, value: 65_536, most: 1000 } as const
const TEXT = text(65_536)

export const deploymentTags = object<DeploymentTags>({
  id: label,
  name: label,
  incarnation: label,
  mode: oneOf(...MODES),
  createdAt: time,
  origin,
  count: count(1_000_000),
  lifetime,
  store: storePlace,
  promise: maybe(line(4096)),
  user: dictionary(line(USER_TAGS.name), text(USER_TAGS.value), USER_TAGS.most),
})

/** All tags as one text, for a cloud to keep. Of the store, only its place: a credential must never get in here. */
export function tagsText(tags: DeploymentTags): string {
  const { url, settings } = tags.store
  return JSON.stringify({ v: VERSION, ...tags, store: { url, ...(settings && { settings }) } })
}

/** The tags in such a text. `undefined`: somebody has edited it, or another version of tpi has written it; `tell` hears of the second case. */
export function tagsIn(text: () => string, tell?: (why: string) => void): DeploymentTags | undefined {
  try {
    const said = parseShape(json(), text())
    const other = otherVersion(said)
    if (other === undefined) return deploymentTags(said)
    tell?.(`it ${other}`)
  } catch {
    // It was edited.
  }
  return undefined
}

/** Called for a deployment that a list leaves out, with the reason. */
export type LeftOut = (id: string | undefined, why: string) => void

/** A list has left out a deployment, and has all others. */
export class LeftOutError extends RemoteError {}

/**
 * For `Cloud.list`, whose parameters it takes: what is left out is told to `lost`, once for each list, or else is a warning, once for each cloud. A
 * search for one deployment (`only`) tells nothing of others.
 */
export function leftOut(log: Pick<Log, 'warn'>): (lost?: Lost, only?: string) => LeftOut {
  const warned = new Set<string>()
  return (lost, only) => {
    const told = lost ? new Set<string>() : warned
    return (id = '', why) => {
      if (told.has(id) || (only !== undefined && id !== only)) return
      told.add(id)
      if (lost) lost(id, new LeftOutError(why))
      else log.warn(`${id} is left out: ${why}`)
    }
  }
}

/** Not in `cloud.ts`, where their type is: machines load this file, and would load that one, too. The compiler sees to it that none is missing. */
const EVENTS: Record<EventKind, true> = { info: true, advice: true, notice: true, capacity: true, quota: true, denied: true, failure: true }

export const cloudEvent = object<CloudEvent>({
  at: time,
  kind: oneOf(...(Object.keys(EVENTS) as EventKind[])),
  text: TEXT,
  index: maybe(count()),
  machine: maybe(line(256)),
  hopeless: maybe(flag),
  option: maybe(line(256)),
})
