import { describe, expect, test } from '@jest/globals'
import { AuthError, RemoteError } from '../../src/core/errors.ts'
import { patiently } from '../../src/engine/outage.ts'
import { StoreError } from '../../src/wire/store.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'

const waiting = () => ({ clock: fakeClock(undefined, { auto: true }), host: memoryHost() })

const away = (): RemoteError => new RemoteError('nobody answers', { retryable: true })

describe('patience', () => {
  test('waits out what may be temporary, and says so once', async () => {
    const g = waiting()
    const troubles = [away(), new StoreError('unavailable', 'no store'), away()]
    const act = async (): Promise<string> => {
      const trouble = troubles.shift()
      if (trouble) throw trouble
      return 'done'
    }
    expect(await patiently(g, act)).toBe('done')
    expect(g.host.lines).toEqual(['info: trying again for a while: nobody answers'])
  })

  test('a refusal is final at once', async () => {
    const g = waiting()
    await expect(patiently(g, () => Promise.reject(new AuthError('no right')))).rejects.toThrow('no right')
    await expect(patiently(g, () => Promise.reject(new RemoteError('broken')))).rejects.toThrow('broken')
    expect([g.clock.now(), g.host.lines]).toEqual([0, []])
  })

  test('ends after some minutes with the last error', async () => {
    const g = waiting()
    await expect(patiently(g, () => Promise.reject(away()))).rejects.toThrow('nobody answers')
    expect(g.clock.now()).toBeGreaterThan(2 * 60_000)
    expect(g.clock.now()).toBeLessThan(5 * 60_000)
  })
})
