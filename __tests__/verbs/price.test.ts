import { describe, expect, test } from '@jest/globals'
import type { Cloud, Reference } from '../../src/core/cloud.ts'
import type { Deployment } from '../../src/engine/deployment.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { priceOf } from '../../src/verbs/shared/price.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'

const OF: Reference = { id: 'tpi-a', incarnation: 'i', region: 'far' }

/** A cloud that costs money (`billed`), with or without known prices. */
function priced(price?: Cloud['price'], billed = true) {
  const host = memoryHost()
  const context = { billed: () => billed, host, engine: { clock: fakeClock(undefined, { auto: true }) } } as unknown as VerbContext
  return { host, price: priceOf(context, { ...OF, cloudId: 'x', cloud: { price } as Cloud } as Deployment) }
}

describe('the price of a machine', () => {
  test('is the cloud’s price, nothing if machines cost nothing, and otherwise unknown', async () => {
    expect(await priced(async () => 0.25).price).toBe(0.25)
    expect(await priced(async () => 0.25, false).price).toBe(0)
    expect(await priced().price).toBeUndefined()
    expect(await priced(async () => undefined).price).toBeUndefined()
  })

  test('is that of its own incarnation, in its region', async () => {
    expect(await priced(async ({ id, incarnation, region }) => (`${id} ${incarnation} ${region}` === 'tpi-a i far' ? 0.25 : 7)).price).toBe(
      0.25,
    )
  })

  test('never fails a report, nor holds it up', async () => {
    const failed = priced(() => Promise.reject(new Error('throttled')))
    expect(await failed.price).toBeUndefined()
    expect(failed.host.lines).toEqual([expect.stringContaining('throttled')])
    expect(await priced(() => new Promise(() => undefined)).price).toBeUndefined()
  })
})
