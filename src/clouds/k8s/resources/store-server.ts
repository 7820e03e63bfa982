/** The server of a store: its Job grows from 0 to 1 when everything that the pod needs exists, so the pod never waits for a volume. */
import { RemoteError } from '../../../core/errors.ts'
import type { Resource } from '../../../core/resource.ts'
import type { Api } from '../api.ts'
import { LABEL } from '../names.ts'
import type { Job } from '../objects.ts'
import { podsRemoval, scaleJob } from './job.ts'

/** Milliseconds between two looks at a pod that is being removed. */
const PACE = 500

export function startResource(api: Api, name: string, signal: AbortSignal): Resource {
  return {
    kind: 'store server',
    name,
    async ensure() {
      signal.throwIfAborted()
      const job = await api.made<Job>('jobs', name)
      if (job?.spec.parallelism === 1) return 'found'
      if (!job || !(await scaleJob(api, job, 1))) throw new RemoteError(`k8s: job ${name} is gone`)
      return 'created'
    },
    // It is removed with its Job.
    remove: async () => 'absent',
  }
}

/** The store's pods, to be removed after their Job. `seen`: that Job. */
export function started(api: Api, name: string, pods: string, seen: Job | undefined): Resource {
  const maker = seen?.metadata.labels?.[LABEL.incarnation]
  const own = maker === undefined ? pods : `${pods},${LABEL.incarnation}=${maker}`
  const clear = podsRemoval(api, own)
  return {
    kind: 'store server',
    name,
    ensure: async () => 'found',
    pace: PACE,
    async remove() {
      const there = seen && api.hasRemoved(seen.metadata) ? undefined : await api.get<Job>('jobs', name)
      // The store is still in use.
      if (there && !there.metadata.deletionTimestamp && (seen === undefined || there.metadata.uid === seen.metadata.uid)) return 'absent'
      return clear()
    },
  }
}
