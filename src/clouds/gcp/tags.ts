/** A deployment in the template of its group: all of it in metadata that only we read, and beside that what a bill or a console can show. */
import type { DeploymentTags } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { limitFaults } from '../../core/tag-limits.ts'
import { tagsText } from '../../core/tags.ts'
import { factsIn } from '../vm/facts.ts'
import { FACTS, LABEL } from './names.ts'
import type { InstanceTemplate } from './sdk.ts'

type Labels = Readonly<Record<string, string>>

/** Labels of one thing: https://cloud.google.com/compute/docs/labeling-resources#requirements */
const MOST = 64
const LENGTH = 63
const OURS = Object.keys(LABEL).length
/** Characters of one value of metadata: https://cloud.google.com/compute/docs/metadata/setting-custom-metadata#limitations */
const FACTS_MOST = 200_000

/** On machines and disks. The vendor takes lower case, digits, dashes and underscores alone: what the user wrote is exact in the facts. */
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
export function tagsOf({ properties }: InstanceTemplate): DeploymentTags | undefined {
  const said = properties?.metadata?.items?.find(({ key }) => key === FACTS)?.value
  if (!said || said.length > FACTS_MOST) return undefined
  const label = properties?.labels ?? {}
  return factsIn(() => said, { id: label[LABEL.id], incarnation: label[LABEL.incarnation] })
}

/** Labels are made of them, shorter where they must be; the whole of each is in the facts. */
export function tagFaults(tags: DeploymentTags): Fault[] {
  const faults = limitFaults(tags.user, { title: 'Google Cloud', reserved: /^tpi[-:_]/i, most: MOST - OURS })
  if (tagsText(tags).length <= FACTS_MOST) return faults
  return [...faults, { option: 'tags', message: 'together they are longer than Google Cloud allows', hint: 'give fewer, or shorter ones' }]
}
