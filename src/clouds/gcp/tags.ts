/** A deployment in the template of its group: all its facts in metadata that only tpi reads, and labels for bills and consoles. */
import type { DeploymentTags } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { limitFaults } from '../../core/tag-limits.ts'
import { type LeftOut, tagsText } from '../../core/tags.ts'
import { factsIn } from '../vm/facts.ts'
import { FACTS, LABEL } from './names.ts'
import type { InstanceTemplate } from './sdk.ts'

type Labels = Readonly<Record<string, string>>

/** Most labels of one resource, and most characters of a key or a value: https://cloud.google.com/compute/docs/labeling-resources#requirements */
const MOST = 64
const LENGTH = 63
const OURS = Object.keys(LABEL).length
/**
 * Most characters of all facts. A metadata value may have 262,144 bytes, and a character may take several of them:
 * https://cloud.google.com/compute/docs/metadata/setting-custom-metadata#limitations
 */
const FACTS_MOST = 200_000

/** On machines and disks. The vendor allows only lower case, digits, dashes and underscores; the facts have the user's exact text. */
export function labels({ id, incarnation, name, mode, user }: DeploymentTags): Labels {
  const theirs = Object.entries(user).flatMap(([key, value]) => {
    const plain = labelText(key).replace(/^[^a-z]+/, '')
    return plain === '' || plain.startsWith('tpi-') ? [] : [[plain, labelText(value)] as const]
  })
  return {
    ...Object.fromEntries(theirs),
    [LABEL.id]: id,
    [LABEL.incarnation]: incarnation,
    [LABEL.name]: labelText(name),
    [LABEL.mode]: mode,
  }
}

const labelText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '-')
    .slice(0, LENGTH)

/** `undefined`: tpi did not make it, or it was edited. */
export function tagsOf({ properties }: InstanceTemplate, tell?: LeftOut): DeploymentTags | undefined {
  const said = properties?.metadata?.items?.find(({ key }) => key === FACTS)?.value
  if (!said || said.length > FACTS_MOST) return undefined
  const label = properties?.labels ?? {}
  return factsIn(() => said, { id: label[LABEL.id], incarnation: label[LABEL.incarnation] }, tell)
}

/** Faults of tags that Google Cloud cannot keep. Labels are shortened if necessary, so only their number and the length of all facts matter. */
export function tagFaults(tags: DeploymentTags): Fault[] {
  const faults = limitFaults(tags.user, { title: 'Google Cloud', reserved: /^tpi[-:_]/i, most: MOST - OURS })
  if (tagsText(tags).length <= FACTS_MOST) return faults
  return [...faults, { option: 'tags', message: 'together they are longer than Google Cloud allows', hint: 'give fewer, or shorter ones' }]
}
