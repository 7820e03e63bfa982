import { expect, test } from '@jest/globals'
import { probe } from '../../src/wire/probe-conditions.ts'
import { type Condition, type StateCondition, type Store, StoreError } from '../../src/wire/store.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

type Lie = 'absent' | 'version' | 'removal' | 'refuses' | 'none'

/** A store that ignores conditions. */
function lying(lie: Lie): Store & { readonly asked: string[] } {
  const store = memoryStore()
  const asked: string[] = []
  return {
    ...store,
    asked,
    async write(key: string, body: Uint8Array, condition?: Condition) {
      asked.push(condition === undefined ? 'write' : 'absent' in condition ? 'absent' : 'version')
      if (lie === 'refuses' && condition && 'version' in condition) throw new StoreError('conflict', 'never')
      const ignored = condition && ((lie === 'absent' && 'absent' in condition) || (lie === 'version' && 'version' in condition))
      return store.write(key, body, ignored ? undefined : condition)
    },
    async remove(keys: readonly string[], condition?: StateCondition) {
      asked.push(condition ? 'removal' : 'remove')
      const there = store.objects.get(keys[0] ?? '')
      if (condition && there?.version !== condition.version && lie !== 'removal') throw new StoreError('conflict', 'it has changed')
      await store.remove(keys)
    },
  }
}

test('a store that keeps its conditions is recognized in four steps, and nothing is left in it', async () => {
  const store = lying('none')
  await probe(store)
  expect(store.asked).toEqual(['absent', 'absent', 'version', 'version', 'removal', 'remove'])
  expect((store as unknown as { objects: Map<string, unknown> }).objects.size).toBe(0)
})

test.each<readonly [Lie, string]>([
  ['absent', 'it ignores If-None-Match, so two machines could hold one slot'],
  ['version', 'it ignores If-Match, so'],
  ['removal', 'it ignores If-Match when it removes, so'],
  ['refuses', 'it refuses If-Match with the right version, so'],
])('one that lies about "%s" is refused after two looks, and nothing stays', async (lie, says) => {
  const store = lying(lie)
  const error: unknown = await probe(store).catch((problem: unknown) => problem)
  expect(error).toMatchObject({ kind: 'invalid', message: expect.stringContaining(`storage: memory:// cannot be used: ${says}`) })
  expect(store.asked.filter((call) => call === 'remove')).toHaveLength(2)
  expect((store as unknown as { objects: Map<string, unknown> }).objects.size).toBe(0)
})

test('if somebody removes the test object meanwhile, the store is probed again', async () => {
  const store = lying('none')
  const { write } = store
  let writes = 0
  const tidied = Object.assign(Object.create(store) as Store, {
    async write(...args: Parameters<Store['write']>) {
      const version = await write(...args)
      if (++writes === 1) await store.remove([args[0]])
      return version
    },
  })
  await expect(probe(tidied)).resolves.toBeUndefined()
})

test('a store that is away is not reported as breaking conditions', async () => {
  const store = memoryStore()
  store.fault = () => {
    throw new StoreError('unavailable', 'away')
  }
  await expect(probe(store)).rejects.toMatchObject({ kind: 'unavailable' })
})
