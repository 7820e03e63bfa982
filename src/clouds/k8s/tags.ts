/** A deployment's tags in the annotation of a Job. */
import type { DeploymentTags } from '../../core/cloud.ts'
import { ANNOTATION } from './names.ts'
import type { Thing } from './objects.ts'

/** Never a credential: what looks like one of a store stays here. */
export function tagsText(tags: DeploymentTags): string {
  const { url, settings } = tags.store
  return JSON.stringify({ ...tags, store: { url, ...(settings && { settings }) } })
}

/** `undefined`: no tags of ours. */
export function tagsOf({ metadata }: Thing): DeploymentTags | undefined {
  const text = metadata.annotations?.[ANNOTATION.tags]
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as DeploymentTags
  } catch {
    // Somebody has edited it.
    return undefined
  }
}
