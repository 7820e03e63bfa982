/** Whether nodes will have the images of a pod: from before, or from a registry that has them, for a processor like theirs. */
import { type Check, looked } from '../../../core/check.ts'
import { plural } from '../../../lib/text.ts'
import type { Api } from '../api.ts'
import { type ImageName, imageFault, imageName } from '../image-name.ts'
import type { Thing } from '../objects.ts'
import { type Login, loginFor } from './pull-login.ts'
import { type Answer, askRegistry } from './registry.ts'

interface Container {
  readonly image?: string
  readonly imagePullPolicy?: string
}

/** What of a pod brings images. */
export interface Pulling {
  readonly containers?: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly imagePullSecrets?: readonly { readonly name: string }[]
}

interface Node extends Thing {
  readonly status?: {
    readonly nodeInfo?: { readonly operatingSystem?: string; readonly architecture?: string }
    /** The largest ones only, 50 by default (kubelet's `nodeStatusMaxImages`). */
    readonly images?: readonly { readonly names?: readonly string[] }[]
  }
}

const WHAT = 'image'

/** One check for each image. Names that cannot be pulled anywhere are faults of their option already. */
export async function images(api: Api, pod: Pulling): Promise<readonly Check[]> {
  const containers = [...(pod.initContainers ?? []), ...(pod.containers ?? [])]
  const pulled = new Map(containers.flatMap(({ image, imagePullPolicy }) => (image === undefined ? [] : [[image, imagePullPolicy]])))
  const wanted = [...pulled].filter(([image]) => imageFault(image) === undefined)
  // Why they cannot be looked at is told where room on them is.
  const nodes = await nodesOf(api).catch(() => [])
  return Promise.all(wanted.map(async ([image, policy]) => looked(WHAT, async () => judge(api, { image, policy, nodes, pod }))))
}

async function nodesOf(api: Api): Promise<readonly Node[]> {
  return (await api.ask<{ items?: readonly Node[] }>('GET', '/api/v1/nodes'))?.items ?? []
}

interface Case {
  readonly image: string
  readonly policy: string | undefined
  readonly nodes: readonly Node[]
  readonly pod: Pulling
}

async function judge(api: Api, { image, policy, nodes, pod }: Case): Promise<Check> {
  const name = imageName(image)
  const full = fullName(image)
  // A name without a tag, or with "latest", is looked for again at each start: Kubernetes' rule.
  const kept = (policy ?? (name.version === ':latest' ? 'Always' : 'IfNotPresent')) !== 'Always'
  const holders = kept
    ? nodes.filter(({ status }) => status?.images?.some(({ names = [] }) => names.some((one) => fullName(one) === full)))
    : []
  const on = `on ${holders.length} of ${plural(nodes.length, 'node')}`
  if (holders.length > 0 && holders.length === nodes.length) return { what: WHAT, state: 'ok', says: `"${image}" is on every node` }
  if (policy === 'Never') {
    const says = `"${image}" is ${on}, and is never pulled`
    return { what: WHAT, state: holders.length > 0 ? 'ok' : 'warning', says }
  }
  const login = await loginFor(api, name.registry, pod.imagePullSecrets)
  const found = verdict({ image, name, login, platforms: platformsOf(nodes) }, await askRegistry(name, login))
  if (found.state === 'ok' || holders.length === 0) return found
  return { ...found, state: 'warning', says: `${found.says}; it is ${on}` }
}

function fullName(image: string): string {
  const { registry, path, version } = imageName(image)
  return `${registry}/${path}${version}`
}

function platformsOf(nodes: readonly Node[]): string[] {
  return [
    ...new Set(
      nodes.flatMap(({ status }) => (status?.nodeInfo ? [`${status.nodeInfo.operatingSystem}/${status.nodeInfo.architecture}`] : [])),
    ),
  ]
}

interface Asked {
  readonly image: string
  readonly name: ImageName
  readonly login: Login | undefined
  /** Of the nodes. */
  readonly platforms: readonly string[]
}

function verdict({ image, name: { registry }, login, platforms }: Asked, answer: Answer): Check {
  const check = (state: Check['state'], says: string, hint?: string): Check => ({
    what: WHAT,
    state,
    says,
    ...(hint !== undefined && { hint }),
  })
  if (answer.state === 'missing') return check('fault', `${registry} has no "${image}"`, 'check the spelling, the tag and the registry')
  if (answer.state === 'denied') {
    if (login)
      return check('warning', `${registry} does not show "${image}" to "${login.username}"`, 'check the spelling and --image-pull-secret')
    return check(
      'warning',
      `${registry} does not show "${image}" to everybody: it is private, or does not exist`,
      'check the spelling; give --image-pull-secret unless the nodes have a login of their own',
    )
  }
  if (answer.state === 'unknown') return check('warning', `${registry} could not be asked for "${image}" from here: ${answer.why}`)
  const made = answer.platforms.join(', ')
  if (made !== '' && platforms.length > 0 && !answer.platforms.some((one) => platforms.includes(one)))
    return check('fault', `"${image}" is built for ${made}, but the nodes are ${platforms.join(', ')}`, 'give an image built for them')
  return check('ok', `${registry} has "${image}"${made === '' ? '' : ` for ${made}`}`)
}
