/** Taking registrations back, also those that the forge does not list yet. */
import type { Forge, RunnerInfo } from '../core/forge.ts'
import type { EnrolledRunner } from '../wire/runner.ts'

/** Milliseconds after which whatever was registered is taken to be in the forge's list; what is not in it then is gone. */
export const LISTED = 2 * 60_000

export interface Unregistered {
  readonly removed: number
  /** Names of runners that have a job, as far as the forge knows. */
  readonly busy: readonly string[]
}

/** All whose names start with the prefix, and those that were made only just now. */
export async function takeBack(
  forge: Pick<Forge, 'runners' | 'evict'>,
  prefix: string,
  recent: readonly Pick<EnrolledRunner, 'id' | 'name'>[],
): Promise<Unregistered> {
  const listed: readonly Pick<RunnerInfo, 'id' | 'name'>[] = await forge.runners(prefix)
  const all = new Map([...recent, ...listed].flatMap(({ id, name }) => (id === undefined ? [] : [[id, name] as const])))
  const busy: string[] = []
  let removed = 0
  for (const [id, name] of all) {
    const outcome = await forge.evict(id)
    if (outcome === 'busy') busy.push(name)
    if (outcome === 'removed') removed++
  }
  return { removed, busy }
}
