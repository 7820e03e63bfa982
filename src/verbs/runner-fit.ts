/** What a wish for runners does not fit to: a forge that has no such thing, or a host that is gone before a job comes. */
import { existsSync } from 'node:fs'
import { InputError } from '../core/errors.ts'
import type { ForgeManifest } from '../core/forge.ts'
import type { RunnerModeWish } from '../runner/wish.ts'

export function refuseWhatCannotBe(wish: RunnerModeWish, { title, can }: ForgeManifest): void {
  if (wish.containers !== undefined && !can.containers)
    throw new InputError(`docker-image: a job of ${title} names its own container`, { hint: 'write "container:" into the job' })
  if (wish.group !== undefined && !can.groups) throw new InputError(`runner-group: ${title} has none`)
}

type Env = Readonly<Record<string, string | undefined>>

/** What the end of a CI job takes away, for people; `undefined`: this host stays. */
export function fleetingHost(env: Env, exists: (path: string) => boolean = existsSync): string | undefined {
  if (env['RUNNER_ENVIRONMENT'] === 'github-hosted') return 'hosted machine'
  const job = env['GITHUB_ACTIONS'] === 'true' || env['GITLAB_CI'] === 'true'
  const container = env['KUBERNETES_SERVICE_HOST'] !== undefined || ['/.dockerenv', '/run/.containerenv'].some(exists)
  return job && container ? 'container' : undefined
}
