/** GitHub as a forge, with its double as the server. */
import { afterEach, beforeEach, expect } from '@jest/globals'
import type { Forge, ForgeContext } from '../../src/core/forge.ts'
import { github } from '../../src/forges/github/descriptor.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { GithubDouble } from '../lab/github/double.ts'
import { silent } from '../setup/silent-log.ts'

/** For repository `octo/hello`, with a token that has all rights, unless told otherwise. */
export async function openAt(double: GithubDouble, more: Partial<ForgeContext> = {}): Promise<Forge> {
  const { open } = await github.load()
  const env = { GITHUB_API_URL: double.url, GITHUB_REPOSITORY: 'octo/hello' }
  return open({ env, log: silent, clock: systemClock, signal: new AbortController().signal, mask() {}, token: 'good', ...more })
}

/** Collects log lines of this level. */
export function listening(level: 'info' | 'warn'): { readonly log: ForgeContext['log']; readonly said: string[] } {
  const said: string[] = []
  return { log: { ...silent, [level]: (line: string) => void said.push(line) }, said }
}

export interface AtDouble {
  readonly double: GithubDouble
  readonly forge: Forge
  /** Its warnings. */
  readonly warned: readonly string[]
}

/** A new double for every test of the file; the test fails if it breaks a rule of GitHub. */
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

/** A new double and forge for every test of the file; the test fails if it breaks a rule of GitHub, or meets a limit. */
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
