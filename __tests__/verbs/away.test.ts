/** A command that removes something waits for a cloud that does not answer for a while, from its first look on. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import { RemoteError } from '../../src/core/errors.ts'
import { destroy } from '../../src/verbs/destroy.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { stop } from '../../src/verbs/stop.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tpi-away-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** Each kind of look fails `times` times. */
function away(times: number) {
  const failing = <T>(answer: T) => {
    let left = times
    return async (): Promise<T> => {
      if (left-- > 0) throw new RemoteError('its API does not answer', { retryable: true })
      return answer
    }
  }
  const cloud = { list: failing([]), isOwn: () => true, tombstones: failing([]), store: async () => undefined } as unknown as Cloud
  const host = memoryHost()
  const context = {
    values: { name: 'fit', mine: false },
    host,
    owner: { origin: {} },
    signals: { first: new AbortController().signal },
    engine: { home, host, clock: fakeClock(undefined, { auto: true }) },
    clouds: async () => [{ id: 'x', cloud }],
    storage: async () => undefined,
  } as unknown as VerbContext
  return { context, host }
}

test.each([
  ['destroy', destroy],
  ['stop', stop],
] as const)('%s', async (_, verb) => {
  const { context, host } = away(3)
  await expect(verb(context)).rejects.toThrow('there is no run "fit"')
  expect(host.lines).toContainEqual(expect.stringContaining('trying again for a while: its API does not answer'))
  await expect(verb(away(1e6).context)).rejects.toThrow('its API does not answer')
})
