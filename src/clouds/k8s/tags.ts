/** A deployment's tags in the annotation of a Job; the user's tags as labels and annotations of everything that costs money. */
import type { DeploymentTags } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { limitFaults } from '../../core/tag-limits.ts'
import { type LeftOut, tagsIn, tagsText } from '../../core/tags.ts'
import { ANNOTATION, LABEL } from './names.ts'
import type { Thing } from './objects.ts'

/** `undefined`: it has no tags of tpi, or they were edited. */
export function tagsOf({ metadata }: Thing, tell?: LeftOut): DeploymentTags | undefined {
  const text = metadata.annotations?.[ANNOTATION.tags]
  if (text === undefined) return undefined
  return tagsIn(
    () => text,
    (why) => tell?.(metadata.labels?.[LABEL.id], why),
  )
}

type Pairs = Readonly<Record<string, string>>

/**
 * Kubernetes' rules for keys (a name of at most 63 characters, with or without a domain before it), and for values of labels.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
 */
const KEY = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/
/** Keys of Kubernetes and of tpi. */
const TAKEN = /^(?:[a-z0-9.-]+\.)?(?:kubernetes\.io|k8s\.io|tpi\.iterative\.ai)\//

/** A tag becomes a label (for searches and cost reports) if its value is allowed there; otherwise an annotation, which takes any text. */
export function worn(user: Pairs): { readonly labels: Pairs; readonly annotations: Pairs } {
  const pairs = Object.entries(user)
  const isLabel = ([, value]: readonly [string, string]): boolean => LABEL_VALUE.test(value)
  return {
    labels: Object.fromEntries(pairs.filter(isLabel)),
    annotations: Object.fromEntries(pairs.filter((pair) => !isLabel(pair))),
  }
}

/** Labels and annotations of a Job: tpi's annotation has all facts of the deployment. */
export function jobTags(tags: DeploymentTags): { readonly labels: Pairs; readonly annotations: Pairs } {
  const { labels, annotations } = worn(tags.user)
  return { labels, annotations: { ...annotations, [ANNOTATION.tags]: tagsText(tags) } }
}

/**
 * Most bytes of all annotations of one object together: https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/,
 * `ValidateAnnotationsSize`.
 */
const ANNOTATIONS_MOST = 256 * 1024

export function tagFaults(tags: DeploymentTags): Fault[] {
  const hint = 'letters, digits, "-", "_" and ".", at most 63'
  const faults = limitFaults(tags.user, { title: 'Kubernetes', reserved: TAKEN, pattern: { name: KEY, hint } })
  const { annotations } = jobTags(tags)
  const bytes = Object.entries(annotations).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0)
  if (bytes <= ANNOTATIONS_MOST) return faults
  return [...faults, { option: 'tags', message: 'together they are longer than Kubernetes allows', hint: 'give fewer, or shorter ones' }]
}
