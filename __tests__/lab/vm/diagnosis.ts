/** What `tpi doctor` says of a cloud of whole machines: of each check its state and words. */
import type { World } from '../../setup/world.ts'

export interface Diagnosis {
  readonly code: number
  readonly checks: Readonly<Record<string, string>>
}

/** `words`: what is asked for besides the cloud, and spot machines unless they say which. */
export async function diagnosis(w: World, cloud: string, words: string, env: Readonly<Record<string, string>> = {}): Promise<Diagnosis> {
  const spot = words.includes('--spot') ? '' : '--spot '
  const { code, facts } = await w.tpi(`doctor --cloud ${cloud} ${spot}--json ${words}`.trim().split(' '), { env: { ...env } })
  const checks = (facts.checks as { what: string; state: string; says: string; hint?: string }[]).map(
    ({ what, state, says, hint = '' }) => [what, `${state}: ${says} ${hint}`.trim()] as const,
  )
  return { code, checks: Object.fromEntries(checks) }
}
