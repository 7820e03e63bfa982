/** The output of `tpi doctor` for a cloud of whole machines: state and words of each check. */
import type { World } from '../../setup/world.ts'

export interface Diagnosis {
  readonly code: number
  readonly checks: Readonly<Record<string, string>>
}

/** `words`: options besides the cloud; spot machines are requested unless the words say otherwise. */
export async function diagnosis(w: World, cloud: string, words: string, env: Readonly<Record<string, string>> = {}): Promise<Diagnosis> {
  const spot = words.includes('--spot') ? '' : '--spot '
  const { code, facts } = await w.tpi(`doctor --cloud ${cloud} ${spot}--json ${words}`.trim().split(' '), { env: { ...env } })
  const checks = (facts.checks as { what: string; state: string; says: string; hint?: string }[]).map(
    ({ what, state, says, hint = '' }) => [what, `${state}: ${says} ${hint}`.trim()] as const,
  )
  return { code, checks: Object.fromEntries(checks) }
}
