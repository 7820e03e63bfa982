/** What a cloud keeps in texts of its own: the tags of a deployment, and what happened to its group. */
import { count, dictionary, flag, line, maybe, object, oneOf, text, time } from '../lib/shape.ts'
import { lifetime } from '../wire/lifetime.ts'
import { storePlace } from '../wire/machine.ts'
import { label, parseShape } from '../wire/parse.ts'
import { MODES, origin } from '../wire/records.ts'
import type { CloudEvent, DeploymentTags, EventKind } from './cloud.ts'

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
  return JSON.stringify({ ...tags, store: { url, ...(settings && { settings }) } })
}

/** `undefined`: somebody has edited it. */
export function tagsIn(text: () => string): DeploymentTags | undefined {
  try {
    return parseShape(deploymentTags, text())
  } catch {
    return undefined
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
