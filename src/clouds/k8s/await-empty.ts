/** Waits for the end of a group by watching its pods at the API server: one call instead of frequent looks. */
import type { Reference } from '../../core/cloud.ts'
import type { Api } from './api.ts'
import { groupSelector } from './names.ts'
import type { Pod } from './objects.ts'
import { isPresent } from './unreachable.ts'

/** Milliseconds without another report before a group counts as empty: the server reports existing pods one by one. */
const QUIET = 50

/**
 * Resolves when none of the reported pods is at work any more, or when the server closes the watch, so the caller has to look once more.
 * Rejects if the connection breaks, or with the signal.
 */
export async function untilEmpty(api: Api, of: Reference, signal: AbortSignal): Promise<void> {
  const present = new Map<string, boolean>()
  const done = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    const query = { labelSelector: groupSelector(of) }
    for await (const { type, object } of api.changes<Pod>('pods', query, AbortSignal.any([signal, done.signal]))) {
      clearTimeout(timer)
      if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED')
        present.set(object.metadata.name, type !== 'DELETED' && isPresent(object, api.now))
      if (![...present.values()].some(Boolean)) timer = setTimeout(() => done.abort(), QUIET)
    }
  } catch (error) {
    if (!done.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
  }
}
