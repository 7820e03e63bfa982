/**
 * The rights that GitHub's container hooks need, and those that their account must not have. The pod itself asks the API server about them
 * before its runner starts.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import type { Env } from '../../lib/env.ts'
import { flag, object } from '../../lib/shape.ts'
import { parseShape } from '../../wire/parse.ts'
import { ACCOUNT, PLACE } from './names.ts'

/** In GitHub's image (images/Dockerfile of actions/runner): the hooks that copy the work directory, instead of sharing a claim with it. */
export const CONTAINER_HOOKS = '/home/runner/k8s-novolume/index.js'
/** Additional fields for the pods that the hooks make. */
export const JOB_POD = `${PLACE.home}/job-pod.json`

const REVIEW = object({ status: object({ allowed: flag }) })

interface JobRight {
  readonly resource: string
  readonly verbs: readonly string[]
}

/** `requiredPermissions` in packages/k8s/src/k8s/index.ts of actions/runner-container-hooks, 0.8.1. */
export const JOB_RIGHTS: readonly JobRight[] = [
  { resource: 'pods', verbs: ['get', 'list', 'create', 'delete'] },
  { resource: 'pods/exec', verbs: ['get', 'create'] },
  { resource: 'pods/log', verbs: ['get', 'list', 'watch'] },
  { resource: 'secrets', verbs: ['get', 'list', 'create', 'delete'] },
]
/** With any of these rights in the namespace of the runners, a job could get the key of their store, or of other stores. */
const OPENING: readonly JobRight[] = [
  { resource: 'secrets', verbs: ['get', 'list'] },
  { resource: 'pods', verbs: ['create'] },
  // Before Kubernetes 1.35, either of them is enough to open a stream.
  { resource: 'pods/exec', verbs: ['get', 'create'] },
]

export interface Asked {
  /** Namespace of the runners, and namespace of their jobs. */
  readonly own: string
  readonly jobs: string
  /** Whether the account of this pod has the right. */
  readonly may: (namespace: string, verb: string, resource: string) => Promise<boolean>
}

/** Throws if a right is missing, or if the account has a right that it must not have. */
export async function checkAccount({ own, jobs, may }: Asked): Promise<void> {
  const [lacks, opens] = await Promise.all([
    rightsThat(JOB_RIGHTS, async (verb, resource) => !(await may(jobs, verb, resource))),
    rightsThat(OPENING, async (verb, resource) => may(own, verb, resource)),
  ])
  if (opens.length > 0)
    throw new Error(
      `container-mode: the account of permission-set may ${opens.join(', ')} in namespace "${own}", which opens the store of these runners to every job: bind its Role in "${jobs}" alone`,
    )
  if (lacks.length > 0)
    throw new Error(
      `container-mode: the account of permission-set may not ${lacks.join(', ')} in namespace "${jobs}"; tpi permissions k8s --job-namespace ${jobs} prints what it needs`,
    )
}

async function rightsThat(rights: readonly JobRight[], holds: (verb: string, resource: string) => Promise<boolean>): Promise<string[]> {
  const all = rights.flatMap(({ resource, verbs }) => verbs.map((verb) => [verb, resource] as const))
  const found = await Promise.all(all.map(async ([verb, resource]) => ((await holds(verb, resource)) ? [`${verb} ${resource}`] : [])))
  return found.flat()
}

/** Runs once per machine. `until`: ISO; then the cluster itself ends the pods of jobs that are still there. */
export async function prepareJobPods(jobs: string, until: string, env: Env): Promise<void> {
  const own = (await readFile(join(ACCOUNT, 'namespace'), 'utf8')).trim()
  await checkAccount({ own, jobs, may: async (namespace, verb, resource) => may(env, namespace, verb, resource) })
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 1000))
  await writeFile(JOB_POD, JSON.stringify({ spec: { activeDeadlineSeconds: seconds, automountServiceAccountToken: false } }))
}

interface Asking {
  readonly namespace: string
  readonly verb: string
  readonly group: string
  /** A part follows after a slash: `pods/exec`. */
  readonly resource: string
}

/** The request by which a caller asks whether it has a right itself. */
export function accessReview({ resource: full, ...asked }: Asking): { readonly path: string; readonly body: object } {
  const [resource, subresource] = full.split('/')
  const resourceAttributes = { ...asked, resource, ...(subresource !== undefined && { subresource }) }
  return {
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
  }
}

async function may(env: Env, namespace: string, verb: string, resource: string): Promise<boolean> {
  const { path, body } = accessReview({ namespace, verb, group: '', resource })
  return parseShape(REVIEW, await post(path, JSON.stringify(body), env)).status.allowed
}

async function post(path: string, body: string, env: Env): Promise<string> {
  const [ca, token] = await Promise.all([readFile(join(ACCOUNT, 'ca.crt')), readFile(join(ACCOUNT, 'token'), 'utf8')])
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env
  const headers = { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json', 'user-agent': 'tpi-action' }
  return await new Promise((resolve, reject) => {
    const call = request({ host, port, path, method: 'POST', headers, ca, signal: AbortSignal.timeout(30_000) }, (message) => {
      let said = ''
      message.setEncoding('utf8')
      message.on('data', (chunk: string) => void (said += chunk))
      message.on('error', reject)
      message.on('end', () =>
        message.statusCode === 201 ? resolve(said) : reject(new Error(`the API server answers ${message.statusCode}: ${said}`)),
      )
    })
    call.on('error', reject)
    call.end(body)
  })
}
