/** GitHub as a forge, opened at its double. */
import { afterEach, beforeEach, expect } from '@jest/globals'
import type { Forge, ForgeContext } from '../../src/core/forge.ts'
import { github } from '../../src/forges/github/descriptor.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { silent } from '../setup/silent-log.ts'

/** For its repository `octo/hello`, with a token that may do everything, unless told otherwise. */
export async function openAt(double: GithubDouble, more: Partial<ForgeContext> = {}): Promise<Forge> {
  const { open } = await github.load()
  const env = { GITHUB_API_URL: double.url, GITHUB_REPOSITORY: 'octo/hello' }
  return open({ env, log: silent, clock: systemClock, signal: new AbortController().signal, mask() {}, token: 'good', ...more })
}

/** Remembers what is said at this level. */
export function listening(level: 'info' | 'warn'): { readonly log: ForgeContext['log']; readonly said: string[] } {
  const said: string[] = []
  return { log: { ...silent, [level]: (line: string) => void said.push(line) }, said }
}

export interface AtDouble {
  readonly double: GithubDouble
  readonly forge: Forge
  /** What it has warned of. */
  readonly warned: readonly string[]
}

/** A double of its own for every test of the file that calls it, which breaks no rule of GitHub's. */
export function doublePerTest(begin: (double: GithubDouble) => Promise<void> | void): void {
  let double: GithubDouble
  beforeEach(async () => {
    double = await new GithubDouble().start()
    await begin(double)
  })
  afterEach(async () => {
    await double.stop()
    expect(double.breaches).toEqual([])
  })
}

/** Both of their own for every test of the file that calls it, which breaks no rule of GitHub's and meets none of its limits. */
export function atDouble(): AtDouble {
  let at: AtDouble | undefined
  const now = (): AtDouble => {
    if (!at) throw new Error('only while a test runs')
    return at
  }
  doublePerTest(async (double) => {
    const { log, said: warned } = listening('warn')
    at = { double, forge: await openAt(double, { log }), warned }
  })
  afterEach(() => expect(now().double.limits.refused).toEqual([]))
  return {
    get double() {
      return now().double
    },
    get forge() {
      return now().forge
    },
    get warned() {
      return now().warned
    },
  }
}
