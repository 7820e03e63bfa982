/** Whether this host is gone once the CI job ends, and with it machines that are processes on it, or a storage that is a folder on it. */
import { existsSync } from 'node:fs'
import type { Status } from '../../engine/follow/status.ts'
import { forgeAround, forges } from '../../forges/registry.ts'
import { formatDuration } from '../../lib/duration.ts'
import type { Env } from '../../lib/env.ts'
import { wayBelow } from '../../lib/paths.ts'
import { hasCheckpoint, onResume, waysOn } from '../../report/kept.ts'
import { storeFolder } from '../../stores/registry.ts'
import type { VerbContext } from './context.ts'

/** What this host is, if it is gone at the end of the CI job, in words for people; `undefined`: it stays. */
export function fleetingHost(env: Env, exists: (path: string) => boolean = existsSync): string | undefined {
  if (forges.some(({ ci }) => ci.hosted?.(env))) return 'hosted machine'
  const container = env['KUBERNETES_SERVICE_HOST'] !== undefined || ['/.dockerenv', '/run/.containerenv'].some(exists)
  return forgeAround(env) && container ? 'container' : undefined
}

type Here = Pick<VerbContext, 'env' | 'engine'>

/**
 * The same, if the store at `url` is gone with it. In a container, a store outside the home folder, or a `TPI_HOME`, may be a volume that
 * stays.
 */
export function fleetingStore({ env, engine }: Here, url: string): string | undefined {
  const folder = storeFolder(url)
  const fleeting = folder === undefined ? undefined : fleetingHost(env)
  if (folder === undefined || fleeting !== 'container') return fleeting
  return env['TPI_HOME'] || wayBelow(engine.home, folder) === undefined ? undefined : fleeting
}

/** What people can do with a run that was stopped, and until when. */
export function keptWords(context: Here, run: Pick<Status, 'name' | 'store' | 'slots'>, retention: number): string {
  const { name } = run
  const fleeting = fleetingStore(context, run.store)
  const saved = hasCheckpoint(run)
  const kept = saved ? 'the last checkpoint and the log are kept' : 'the log is kept'
  if (fleeting !== undefined) return `${kept} until this ${fleeting} ends with its job`
  return `${kept} for ${formatDuration(retention)}: ${waysOn(name, { resuming: onResume(run), saved, them: saved ? 'them' : 'it' })}`
}
