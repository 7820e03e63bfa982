/** A deployment as a text that a cloud keeps with its group: all that is to be known of it, without any file of ours. */
import type { DeploymentTags } from '../../core/cloud.ts'
import { deploymentTags } from '../../core/tags.ts'
import { parseShape } from '../../wire/parse.ts'

export function factsOf(tags: DeploymentTags): string {
  const { url, settings } = tags.store
  return JSON.stringify({ ...tags, store: { url, ...(settings && { settings }) } })
}

/** `undefined`: somebody has edited it. `labelled`: as the plain tags beside it have it, by which it was found. */
export function factsIn(
  text: () => string,
  labelled: Readonly<Record<'id' | 'incarnation', string | undefined>>,
): DeploymentTags | undefined {
  try {
    const tags = parseShape(deploymentTags, text())
    return tags.id === labelled.id && tags.incarnation === labelled.incarnation ? tags : undefined
  } catch {
    return undefined
  }
}
