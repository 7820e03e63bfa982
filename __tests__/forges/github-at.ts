/** GitHub as a forge, opened at its double. */
import type { Forge, ForgeContext } from '../../src/core/forge.ts'
import { github } from '../../src/forges/github/manifest.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { GithubDouble } from '../lab/github/double.ts'

/** For its repository `octo/hello`, with a token that may do everything, unless told otherwise. */
export async function openAt(double: GithubDouble, more: Partial<ForgeContext> = {}): Promise<Forge> {
  const { open } = await github.load()
  const env = { GITHUB_API_URL: double.url, GITHUB_REPOSITORY: 'octo/hello' }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  return open({ env, log, clock: systemClock, signal: new AbortController().signal, mask() {}, token: 'good', ...more })
}

/** Remembers what is said at this level. */
export function listening(level: 'info' | 'warn'): { readonly log: ForgeContext['log']; readonly said: string[] } {
  const said: string[] = []
  return { log: { debug() {}, info() {}, warn() {}, error() {}, [level]: (line: string) => void said.push(line) }, said }
}
