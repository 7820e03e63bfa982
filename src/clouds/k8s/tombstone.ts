/** The tombstone of a deployment whose store has ended itself: a Secret, and a Job without pods, which owns the Secret and ends in time. */
import type { MachineSpec, Reference, Tombstone } from '../../core/cloud.ts'
import type { Ensured, Resource } from '../../core/resource.ts'
import type { LeftOut } from '../../core/tags.ts'
import type { Api } from './api.ts'
import { untilForgotten } from './deadline.ts'
import { stillThere } from './errors.ts'
import { CONTAINER, LABEL, labelsOf, MANAGED, type Role, recordName, selectorOf } from './names.ts'
import { type Job, type Secret, secretText } from './objects.ts'
import { LOCKED } from './own-containers.ts'
import { type JobParams, jobResource, seenJob } from './resources/job.ts'
import { lentObject, ownedBy, uidOf } from './resources/object.ts'
import { type Means, rootOf } from './store.ts'
import { jobTags, tagsOf } from './tags.ts'

const ROLE: Role = 'record'
const KEY = 'tombstone'

/** Adds the tombstone to the stages of a store. The store does not own it, so it stays when the store ends. */
export function withTombstone(
  means: Means,
  spec: Omit<MachineSpec, 'store'>,
  [root = [], parts = [], start = []]: Resource[][],
): Resource[][] {
  const { tags, tombstone } = spec
  if (tombstone === undefined) return [root, parts, start]
  const { id } = tags
  const { api, signal } = means
  const name = recordName(id)
  return [
    root,
    [...parts, jobResource(api, 'record', name, selectorOf(id, ROLE), recordJob(means, tags))],
    [...start, textResource(api, tags, tombstone, signal)],
  ]
}

function recordJob({ settings, signal }: Means, tags: MachineSpec['tags']): JobParams {
  const { id, incarnation } = tags
  return {
    of: { id, incarnation },
    role: ROLE,
    name: recordName(id),
    shared: true,
    ...jobTags(tags),
    completions: 1,
    // It never runs anything.
    parallelism: 0,
    deadline: untilForgotten(tags.lifetime),
    template: async () => ({
      metadata: { labels: labelsOf(tags, ROLE) },
      spec: { restartPolicy: 'Never', containers: [{ name: CONTAINER.store, image: settings.runtimeImage, securityContext: LOCKED }] },
    }),
    signal,
  }
}

function textResource(api: Api, of: Reference, text: string, signal: AbortSignal): Resource {
  const name = recordName(of.id)
  return {
    kind: 'record text',
    name,
    async ensure(): Promise<Ensured> {
      signal.throwIfAborted()
      const owner = await rootOf(api, name)
      const object = { metadata: { name, labels: labelsOf(of, ROLE), ownerReferences: ownedBy(owner) }, stringData: { [KEY]: text } }
      if (await api.create('secrets', object)) return 'created'
      const there = await api.get<Secret>('secrets', name)
      if (there && secretText(there, KEY) === text && !there.metadata.deletionTimestamp) return 'found'
      // It belongs to an earlier deployment of this name.
      if (there) await api.remove('secrets', name, uidOf(there))
      throw stillThere(`secret ${name}`)
    },
    remove: async () => lentObject(api, 'secrets', 'record text', name).remove(),
  }
}

/** The last stage is removed first. Each part may be gone already. */
export function tombstoneLeftovers(api: Api, id: string, job: Job | undefined): Resource[][] {
  const name = recordName(id)
  // Without the Job, the cluster has removed the Secret, too.
  if (!job) return []
  return [[lentObject(api, 'secrets', 'record text', name)], [seenJob(api, 'record', job)]]
}

export async function tombstones(api: Api, tell: LeftOut): Promise<Tombstone[]> {
  const jobs = await api.list<Job>('jobs', { labelSelector: `${LABEL.managed}=${MANAGED},${LABEL.role}=${ROLE}` })
  const found = await Promise.all(
    jobs.map(async (job) => {
      const tags = tagsOf(job, tell)
      if (!tags || job.metadata.deletionTimestamp) return []
      const text = secretText(await api.get<Secret>('secrets', job.metadata.name), KEY)
      return text === undefined ? [] : [{ tags, text }]
    }),
  )
  return found.flat()
}
