/** Conditional writes: exactly one succeeds, and no version ever comes back. */
import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import type { Condition } from '../../src/wire/store.ts'
import { bytes, fault, type Lab, type StoreQuirks, textAt } from './store-lab.ts'
import { startWorker } from './store-worker.ts'

export function describeConditions(lab: Lab, quirks: StoreQuirks): void {
  test('absent: the first one writes, the second gets conflict and changes nothing', async () => {
    const key = `${await lab.fresh()}once`
    await lab.store.write(key, bytes('first'), { absent: true })
    await expect(lab.store.write(key, bytes('second'), { absent: true })).rejects.toEqual(fault('conflict'))
    expect(await textAt(lab.store, key)).toBe('first')
  })

  test('version: replaces exactly the state that it names', async () => {
    const key = `${await lab.fresh()}record`
    const one = await lab.store.write(key, bytes('1'), { absent: true })
    const two = await lab.store.write(key, bytes('2'), { version: one })
    expect(two).not.toBe(one)
    await expect(lab.store.write(key, bytes('3'), { version: one })).rejects.toEqual(fault('conflict'))
    expect(await textAt(lab.store, key)).toBe('2')
    const three = await lab.store.write(key, bytes('3'), { version: two })
    expect((await lab.store.read(key))!.version).toBe(three)
    for await (const entry of lab.store.list(key)) expect(entry).toEqual({ key, size: 1 })
  })

  test('version: conflict when the object does not exist, or no longer', async () => {
    const key = `${await lab.fresh()}record`
    const version = await lab.store.write(key, bytes('1'))
    await lab.store.remove([key])
    await expect(lab.store.write(key, bytes('2'), { version })).rejects.toEqual(fault('conflict'))
    await expect(lab.store.write(`${key}-never`, bytes('2'), { version })).rejects.toEqual(fault('conflict'))
    expect(await lab.store.read(key)).toBeUndefined()
  })

  test('a record that is replaced without a condition leaves its old versions behind', async () => {
    const key = `${await lab.fresh()}record`
    const one = await lab.store.write(key, bytes('1'))
    const two = await lab.store.write(key, bytes('2'), { version: one })
    const three = await lab.store.write(key, bytes('3'))
    await expect(lab.store.write(key, bytes('4'), { version: two })).rejects.toEqual(fault('conflict'))
    await lab.store.write(key, bytes('5'), { version: three })
    expect(await textAt(lab.store, key)).toBe('5')
  })

  test('a version never comes back: same bytes later, or removed and written again', async () => {
    const key = `${await lab.fresh()}record`
    // If versions are hashes, a nonce makes records differ.
    const body = () => bytes(quirks.contentVersions ? `same ${randomUUID()}` : 'same')
    const versions = [await lab.store.write(key, body(), { absent: true })]
    for (let round = 0; round < 3; round++) versions.push(await lab.store.write(key, body(), { version: versions.at(-1)! }))
    await lab.store.remove([key])
    versions.push(await lab.store.write(key, body(), { absent: true }))
    expect(new Set(versions).size).toBe(versions.length)
    for (const version of versions.slice(0, -1)) {
      await expect(lab.store.write(key, body(), { version })).rejects.toEqual(fault('conflict'))
    }
  })

  test('removal: of exactly the state that it names; what is gone is fine', async () => {
    const key = `${await lab.fresh()}record`
    const one = await lab.store.write(key, bytes('1'), { absent: true })
    const two = await lab.store.write(key, bytes('2'), { version: one })
    await expect(lab.store.remove([key], { version: one })).rejects.toEqual(fault('conflict'))
    expect(await textAt(lab.store, key)).toBe('2')
    await lab.store.remove([key], { version: two })
    expect(await lab.store.read(key)).toBeUndefined()
    await lab.store.remove([key], { version: two })
    for await (const entry of lab.store.list(key)) expect(entry).toBeUndefined()
    await expect(lab.store.write(key, bytes('3'), { version: two })).rejects.toEqual(fault('conflict'))
    await lab.store.write(key, bytes('4'), { absent: true })
    await expect(lab.store.remove([key], { version: two })).rejects.toEqual(fault('conflict'))
    expect(await textAt(lab.store, key)).toBe('4')
  })

  test('removal on a condition is of one object', async () => {
    const folder = await lab.fresh()
    const version = await lab.store.write(`${folder}a`, bytes('1'))
    await expect(lab.store.remove([`${folder}a`, `${folder}b`], { version })).rejects.toEqual(fault('invalid'))
    expect(await textAt(lab.store, `${folder}a`)).toBe('1')
  })

  test('of writers and removers that race for one state exactly one wins', async () => {
    const key = `${await lab.fresh()}race`
    for (let round = 0; round < 6; round++) {
      const version = await lab.store.write(key, bytes(`${round} ${randomUUID()}`), { absent: true })
      const racing = Array.from({ length: 16 }, async (_, racer) => {
        if (racer % 2 === 0) return lab.store.write(key, bytes(`${round} ${racer} ${randomUUID()}`), { version })
        // A late removal finds nothing.
        await lab.store.remove([key], { version })
        return undefined
      })
      const ends = await Promise.allSettled(racing)
      for (const end of ends) if (end.status === 'rejected') expect(end.reason).toEqual(fault('conflict'))
      const written = ends.flatMap((end) => (end.status === 'fulfilled' && end.value !== undefined ? [end.value] : []))
      const there = await lab.store.read(key)
      expect(written).toHaveLength(there ? 1 : 0)
      expect(there?.version).toBe(written[0])
      if (there) await lab.store.remove([key], { version: there.version })
    }
  }, 60_000)

  test('of 50 writers that race for one state exactly one wins, round after round', async () => {
    const key = `${await lab.fresh()}race`
    let condition: Condition = { absent: true }
    for (let round = 0; round < 4; round++) {
      const request: Condition = condition
      const racing: Promise<string>[] = Array.from({ length: 50 }, (_, writer) =>
        lab.store.write(key, bytes(`${round} ${writer}`), request),
      )
      const ends = await Promise.allSettled(racing)
      const winners = ends.flatMap((end, writer) => (end.status === 'fulfilled' ? [{ writer, version: end.value }] : []))
      expect(winners).toHaveLength(1)
      for (const end of ends) if (end.status === 'rejected') expect(end.reason).toEqual(fault('conflict'))
      expect(await textAt(lab.store, key)).toBe(`${round} ${winners[0]!.writer}`)
      condition = { version: winners[0]!.version }
    }
  }, 60_000)

  test('processes that add to one counter lose no step', async () => {
    const key = `${await lab.fresh()}counter`
    await lab.store.write(key, bytes(JSON.stringify({ value: 0, nonce: 'start' })))
    const workers = [1, 2, 3].map(() => startWorker(lab.access, 'count', key, '25'))
    const steps = await Promise.all(workers.map((worker) => worker.end))
    expect(steps.map((step) => step.code)).toEqual([0, 0, 0])
    expect(JSON.parse((await textAt(lab.store, key))!)).toMatchObject({ value: 75 })
  }, 60_000)
}
