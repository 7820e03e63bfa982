/** What a cloud keeps in texts of its own: the tags of a deployment, and what happened to its group. */
import { count, dictionary, flag, json, line, maybe, object, oneOf, text, time } from '../lib/shape.ts'
import { lifetime } from '../wire/lifetime.ts'
import { storePlace } from '../wire/machine.ts'
import { label, otherVersion, parseShape, VERSION } from '../wire/parse.ts'
import { MODES, origin } from '../wire/records.ts'
import type { Cloud, CloudEvent, DeploymentTags, EventKind, Log } from './cloud.ts'
import { RemoteError } from './errors.ts'

/** The user's own tags, as far as they can be read back; clouds may accept less. */
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

/** All of it, for a cloud to keep. Never a credential: what looks like one of a store stays here. */
export function tagsText(tags: DeploymentTags): string {
  const { url, settings } = tags.store
  return JSON.stringify({ v: VERSION, ...tags, store: { url, ...(settings && { settings }) } })
}

/** `undefined`: somebody has edited it, or another version of tpi has written it: only that is told. */
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

/** Told of a deployment that a list leaves out, and why. */
export type LeftOut = (id: string | undefined, why: string) => void

/** A deployment was left out of a list; the list has all others. */
export class LeftOutError extends RemoteError {}

type Listing = Parameters<Cloud['list']>

/** For each list: tells it once of each, or else warns once of each. A search for one deployment tells nothing of others. */
export function leftOut(log: Pick<Log, 'warn'>): (lost?: Listing[0], only?: Listing[1]) => LeftOut {
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

const EVENTS = ['info', 'advice', 'notice', 'capacity', 'quota', 'denied', 'failure'] as const satisfies readonly EventKind[]

export const cloudEvent = object<CloudEvent>({
  at: time,
  kind: oneOf(...EVENTS),
  text: TEXT,
  index: maybe(count()),
  machine: maybe(line(256)),
  hopeless: maybe(flag),
  option: maybe(line(256)),
})
