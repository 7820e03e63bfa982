/** What is kept of runners that have left and whose store has ended itself: enough to start them anew for jobs that are run again. */
import type { Keepsake } from '../core/cloud.ts'
import type { Origin, Registry } from '../wire/records.ts'
import type { RunnerModeWish } from './wish.ts'

export interface KeptRunners {
  readonly v: 1
  readonly registry: Registry
  readonly labels: readonly string[]
  readonly wish: RunnerModeWish
}

export function keptText(kept: Omit<KeptRunners, 'v'>): string {
  return JSON.stringify({ v: 1, ...kept } satisfies KeptRunners)
}

/** `undefined`: it is of something else, or of a version that is not known here. */
export function keptRunners({ tags, text }: Keepsake): KeptRunners | undefined {
  if (tags.mode !== 'runner') return undefined
  try {
    const kept = JSON.parse(text) as KeptRunners
    return kept.v === 1 ? kept : undefined
  } catch {
    return undefined
  }
}

/** As the forge names it: without its host. */
export function repositoryOf({ repository }: Origin): string | undefined {
  return repository?.split('/').slice(1).join('/')
}
