import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { readManifest } from '../../src/snapshot/format/manifest.ts'
import { PinWatch, pin } from '../../src/snapshot/pins.ts'
import { restore } from '../../src/snapshot/restore/restore.ts'
import { openSaver } from '../../src/snapshot/save/save.ts'
import type { Saved, Saver, SnapshotPlace } from '../../src/snapshot/types.ts'
import type { SnapshotRef } from '../../src/wire/slot.ts'
import { memoryStore } from './memory-store.ts'
import { newPlace, type Place } from './place.ts'
import { bytesOf, differences, Home, picture, type Seen } from './trees.ts'

let home: Home
let folder: string
let place: Place

beforeEach(() => {
  ;({ home, folder, place } = newPlace())
})
afterEach(() => home.remove())

function write(name: string, seed: number): void {
  writeFileSync(`${folder}/${name}`, bytesOf({ size: 3000, seed, style: 'noise' }))
}

/** Saves a generation with its own content, and publishes it. */
async function next(saver: Saver, seed: number, keep: readonly SnapshotRef[] = []): Promise<SnapshotRef> {
  write('a', seed)
  const saved = await saver.save({ final: true })
  saver.published(saved!, keep)
  return named(saved!)
}

const named = (saved: Saved): SnapshotRef => ({ ...saved.ref, epoch: 1 })

async function isWhole(ref: SnapshotRef): Promise<boolean> {
  return await restore({ ...place, refs: [ref], folder: `${home.path}/again` }).then(
    () => true,
    () => false,
  )
}

describe('prune', () => {
  test('of a full store keeps only the head, and the last quiet snapshot while the head is not quiet', async () => {
    const saver = await openSaver(place)
    const first = await next(saver, 1)
    const second = await next(saver, 2, [first])
    expect(await saver.prune(undefined, true)).toEqual({ removed: 2 })
    expect([await isWhole(first), await isWhole(second)]).toEqual([false, true])
    write('a', 3)
    const third = (await saver.save({ final: true }))!
    saver.published({ ...third, ref: { ...third.ref, quiet: false } }, [second, second])
    expect(await saver.prune(undefined, true)).toEqual({ removed: 0 })
    expect([await isWhole(second), await isWhole(named(third))]).toEqual([true, true])
  })

  test('of a full store keeps the last quiet snapshot, and not the older one that was restored, while the head is not quiet', async () => {
    const former = await openSaver(place)
    const first = await next(former, 1)
    const manifest = await readManifest(place.store, place.root, first)
    const saver = await openSaver({ ...place, restored: { ref: first, manifest } })
    const second = await next(saver, 2, [first])
    write('a', 3)
    const third = (await saver.save({ final: true }))!
    const torn = { ...third, ref: { ...third.ref, quiet: false } }
    saver.published(torn, [second, second, first])
    expect(await saver.prune(undefined, true)).toEqual({ removed: 2 })
    expect([await isWhole(first), await isWhole(second), await isWhole(named(torn))]).toEqual([false, true, true])
  })

  test('of a full store after a restore keeps what was restored', async () => {
    const former = await openSaver(place)
    const first = await next(former, 1)
    const second = await next(former, 2, [first])
    const manifest = await readManifest(place.store, place.root, second)
    const saver = await openSaver({ ...place, restored: { ref: second, manifest } })
    expect(await saver.prune(undefined, true)).toEqual({ removed: 2 })
    expect([await isWhole(first), await isWhole(second)]).toEqual([false, true])
  })

  test('of a full store after a restore also keeps the head, if that was not quiet and so not what was restored', async () => {
    const former = await openSaver(place)
    const quiet = await next(former, 1)
    write('a', 2)
    const torn = (await former.save({ final: true }))!
    former.published({ ...torn, ref: { ...torn.ref, quiet: false } }, [quiet])
    const manifest = await readManifest(place.store, place.root, quiet)
    const saver = await openSaver({ ...place, restored: { ref: quiet, manifest }, head: named(torn) })
    expect(await saver.prune(undefined, true)).toEqual({ removed: 0 })
    expect([await isWhole(quiet), await isWhole(named(torn))]).toEqual([true, true])
  })

  test('removes what no kept snapshot names, and nothing before something was published', async () => {
    const saver = await openSaver(place)
    write('a', 1)
    const unpublished = await saver.save({ final: true })
    expect(await saver.prune()).toEqual({ removed: 0 })
    saver.published(unpublished!, [])
    const first = named(unpublished!)
    const second = await next(saver, 2, [first])
    const third = await next(saver, 3, [second])
    expect(await saver.prune()).toEqual({ removed: 2 })
    expect([await isWhole(first), await isWhole(second), await isWhole(third)]).toEqual([false, true, true])
    expect(place.store.objects.size).toBe(4)
  })

  test('used pieces of a mostly unused pack move to a new one with the next save that has changes', async () => {
    for (let number = 0; number < 20; number++) write(`old ${number}`, number)
    const saver = await openSaver(place)
    saver.published((await saver.save({ final: true }))!, [])
    const packs = (): number => [...place.store.objects.keys()].filter((key) => key.includes('/p-')).length
    for (let number = 2; number < 20; number++) rmSync(`${folder}/old ${number}`)
    const second = await next(saver, 50)
    await saver.prune()
    expect(packs()).toBe(2)
    expect(await saver.save({ final: true })).toBeUndefined()
    const third = await next(saver, 51)
    await saver.prune()
    expect(await isWhole(second)).toBe(false)
    expect(await isWhole(third)).toBe(true)
    expect([...place.store.objects.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(4 * 3000)
  })

  test('content that was pruned is uploaded again when it comes back', async () => {
    const saver = await openSaver(place)
    await next(saver, 1)
    await next(saver, 2)
    expect((await saver.prune()).removed).toBe(2)
    expect(await isWhole(await next(saver, 1))).toBe(true)
  })

  test('keeps what was restored, what is about to be published, and everything of the base', async () => {
    write('a', 1)
    const base = await (await openSaver({ ...place, at: 'base/' })).save({ final: true })
    const restored = { ref: named(base!), manifest: base!.manifest }
    const saver = await openSaver({ ...place, restored })
    await next(saver, 2)
    write('a', 3)
    const pending = await saver.save({ final: true })
    await saver.prune()
    expect([await isWhole(restored.ref), await isWhole(named(pending!))]).toEqual([true, true])
    const baseSaver = await openSaver({ ...place, at: 'base/' })
    await next(baseSaver, 4)
    expect(await baseSaver.prune()).toEqual({ removed: 0 })
  })

  test('cleans up after former holders, but touches nothing of a successor', async () => {
    const former = await openSaver(place)
    await next(former, 1)
    const second = await next(former, 2)
    write('a', 3)
    await former.save({ final: true }) // never published: the holder died
    const restored = { ref: second, manifest: await readManifest(place.store, place.root, second) }
    const holder = await openSaver({ ...place, restored })
    const third = await next(holder, 4, [second])
    await former.prune()
    expect([await isWhole(second), await isWhole(third)]).toEqual([true, true])
    await holder.prune()
    expect([await isWhole(second), await isWhole(third)]).toEqual([true, true])
    expect(place.store.objects.size).toBe(4)
  })

  test('after any saves, publications and prunes, what is kept stays whole', async () => {
    const step = fc.record({
      write: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(6)), { maxLength: 4 }),
      publish: fc.boolean(),
      prune: fc.boolean(),
      takeOver: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        const round = new Home()
        const at = { ...place, store: memoryStore(), folder: `${round.path}/work` }
        mkdirSync(at.folder)
        const kept: { ref: SnapshotRef; saved: Saved; seen: Map<string, Seen> }[] = []
        let saver = await openSaver(at)
        for (const { write: writes, publish, prune, takeOver } of steps) {
          for (const [name, seed] of writes) writeFileSync(`${at.folder}/${name}`, bytesOf({ size: 100 + seed, seed, style: 'noise' }))
          const saved = await saver.save({ final: true })
          if (saved !== undefined && publish) {
            saver.published(
              saved,
              kept.slice(-1).map(({ ref }) => ref),
            )
            kept.push({ ref: named(saved), saved, seen: picture(at.folder) })
          }
          if (prune) await saver.prune()
          const head = kept.at(-1)
          if (takeOver)
            saver = await openSaver(head === undefined ? at : { ...at, restored: { ref: head.ref, manifest: head.saved.manifest } })
        }
        for (const { ref, seen } of kept.slice(-2)) {
          await restore({ ...at, refs: [ref], folder: `${round.path}/again` })
          expect(differences(picture(`${round.path}/again`), seen)).toEqual([])
        }
        await round.remove()
      }),
      { numRuns: 10 },
    )
  })
})

describe('pins', () => {
  test('keep a snapshot while somebody reads it', async () => {
    const saver = await openSaver(place)
    const first = await next(saver, 1)
    const held = await pin({ store: place.store, root: place.root, slot: 0, reader: 'me', head: async () => [first] })
    await next(saver, 2)
    await next(saver, 3)
    await saver.prune()
    expect(await isWhole(first)).toBe(true)
    await held.release()
    await saver.prune()
    expect(await isWhole(first)).toBe(false)
  })

  test('follow a head that changes while it is being pinned', async () => {
    const saver = await openSaver(place)
    let head = await next(saver, 1)
    let reads = 0
    const held = await pin({
      store: place.store,
      root: place.root,
      slot: 0,
      reader: 'me',
      head: async () => {
        if (++reads === 2) {
          head = await next(saver, 2)
          await saver.prune()
        }
        return [head]
      },
    })
    expect([reads, held.refs]).toEqual([3, [head]])
    await next(saver, 3)
    await saver.prune()
    expect(await isWhole(held.refs[0]!)).toBe(true)
    await held.release()
  })

  test('are not silent even while an answer is slow', async () => {
    let now = 0
    let takes = 0
    const slow: SnapshotPlace = {
      ...place,
      store: {
        ...place.store,
        async read(...of) {
          now += takes
          return place.store.read(...of)
        },
      },
    }
    const ref = { at: 'slots/0/snap/', digest: 'a'.repeat(64) }
    await place.store.write('id/one/slots/0/pins/me', Buffer.from(JSON.stringify({ v: 2, nonce: 'n', refs: [ref] })))
    const watch = new PinWatch(slow, () => now)
    expect(await watch.valid()).toEqual([ref])
    now = 400_000
    takes = 300_000
    expect(await watch.valid()).toEqual([ref])
  })

  test('expire after ten minutes without a change, by the reader’s own clock', async () => {
    let now = 0
    const watch = new PinWatch(place, () => now)
    const ref = { at: 'slots/0/snap/', digest: 'a'.repeat(64) }
    const write = (nonce: number): Promise<unknown> =>
      place.store.write('id/one/slots/0/pins/me', Buffer.from(JSON.stringify({ v: 2, nonce: String(nonce), refs: [ref] })))
    await write(1)
    await place.store.write('id/one/slots/0/pins/odd', Buffer.from('{"refs":[1,{}]} '))
    expect(await watch.valid()).toEqual([ref])
    now = 599_000
    expect(await watch.valid()).toEqual([ref])
    now = 601_000
    expect(await watch.valid()).toEqual([])
    await write(2)
    expect(await watch.valid()).toEqual([ref])
  })
})
