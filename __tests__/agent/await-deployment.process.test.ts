/** A machine that has booted before its deployment is complete. */
import { describe, expect, test } from '@jest/globals'
import { specOf } from '../../src/agent/slot/await-deployment.ts'
import { Gone } from '../../src/agent/slot/control.ts'
import { currentKey } from '../../src/wire/layout.ts'
import type { CurrentRecord } from '../../src/wire/records.ts'
import type { Spec } from '../../src/wire/spec.ts'
import type { Store } from '../../src/wire/store.ts'
import { Deployment } from './kit.ts'

const config = { id: 'tpi-test', incarnation: 'one' }
const { signal } = new AbortController()

/** Looks for the specification in this store; `looked` resolves once a read has found nothing. */
function looking(store: Store, more: { ahead?: boolean; patience?: number } = {}): { found: Promise<Spec>; looked: Promise<void> } {
  let tell: () => void = () => undefined
  const looked = new Promise<void>((resolve) => (tell = resolve))
  const seen = new Proxy(store, {
    get(target, name) {
      if (name !== 'read') return Reflect.get(target, name)
      return async (...args: Parameters<Store['read']>) => {
        const object = await target.read(...args)
        if (object === undefined) tell()
        return object
      }
    },
  })
  const { ahead = true, patience } = more
  return { found: specOf({ ...config, ahead }, seen, signal, () => undefined, patience), looked }
}

async function unmade(task: Deployment, ...keys: readonly string[]): Promise<() => Promise<void>> {
  const objects = await Promise.all(keys.map(async (key) => ({ key, object: await task.store.read(key) })))
  await task.store.remove(keys)
  return async () => {
    for (const { key, object } of objects) await task.store.write(key, object!.bytes)
  }
}

describe('a machine that is up ahead of its deployment', () => {
  test('waits for the record of the deployment, and then for its specification', async () => {
    await using task = await Deployment.make({ script: 'true' })
    const specify = await unmade(task, task.keys.spec)
    const name = await unmade(task, currentKey(config.id))
    const { found, looked } = looking(task.store)
    await looked
    await name()
    await specify()
    expect(await found).toEqual(task.spec)
  })

  test('leaves for good when the name belongs to another incarnation', async () => {
    await using task = await Deployment.make({ script: 'true' })
    await unmade(task, task.keys.spec, currentKey(config.id))
    const { found, looked } = looking(task.store)
    await looked
    const other = {
      v: 2,
      nonce: 'n',
      id: config.id,
      name: 'test',
      incarnation: 'two',
      createdAt: '2030-01-01T00:00:00Z',
      origin: {},
      state: 'open',
    } satisfies CurrentRecord
    await task.store.write(currentKey(config.id), Buffer.from(JSON.stringify(other)))
    await expect(found).rejects.toThrow(new Gone('the run was created again'))
  })

  test('leaves for good when its maker shows no sign of life', async () => {
    await using task = await Deployment.make({ script: 'true' })
    await unmade(task, task.keys.spec)
    await expect(looking(task.store, { patience: -1 }).found).rejects.toThrow(new Gone('the command that was creating the run is gone'))
  })
})

describe('any other machine', () => {
  const making = async (task: Deployment): Promise<() => Promise<void>> => {
    const key = currentKey(config.id)
    const { bytes } = (await task.store.read(key))!
    await task.store.write(key, Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(bytes).toString()), state: 'making' })))
    return async () => task.store.write(key, bytes).then(() => undefined)
  }

  test('begins nothing before its deployment is on record as complete', async () => {
    await using task = await Deployment.make({ script: 'true' })
    const open = await making(task)
    const seen = { spec: false }
    const { found } = looking(task.store, { ahead: false })
    void found.then(() => (seen.spec = true))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(seen.spec).toBe(false)
    await open()
    expect(await found).toEqual(task.spec)
  })

  test('leaves for good if the command that was making it is gone by then', async () => {
    await using task = await Deployment.make({ script: 'true' })
    await making(task)
    const { found } = looking(task.store, { ahead: false, patience: -1 })
    await expect(found).rejects.toThrow(new Gone('the command that was creating the run is gone'))
  })

  test('does not wait: what is missing was removed', async () => {
    await using task = await Deployment.make({ script: 'true' })
    await unmade(task, currentKey(config.id))
    await expect(looking(task.store, { ahead: false }).found).rejects.toThrow(new Gone('the run was removed'))
  })
})
