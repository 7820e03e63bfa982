/** Programs that machines fetch: uploaded once, and copied by the store from then on. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Program } from '../../src/core/cloud.ts'
import { bringPrograms } from '../../src/engine/create/programs.ts'
import type { Deployment } from '../../src/engine/deployment.ts'
import { openStore } from '../../src/stores/registry.ts'
import { layout, sharedProgramKey } from '../../src/wire/layout.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
import { textAt } from '../conformance/store-lab.ts'

const { signal } = new AbortController()
const digest = 'b'.repeat(64)
const shared = sharedProgramKey(digest)

let folder = ''
let behind: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-programs-'))
  behind = await openStore({ url: `dir://${folder}` })
  await behind.init('tpi-x/one/')
})
afterEach(async () => rm(folder, { recursive: true, force: true }))

const keys = layout('tpi-x', 'one')
const own = keys.agent(digest)

/** The store with a copy of its own; `refuses` gets each of its calls first. Resolves to the keys that were uploaded, and how often bytes were asked for. */
async function brought(program: Partial<Program>, refuses: (call: 'copy' | 'write', to: string) => void = () => undefined) {
  const uploaded: string[] = []
  let asked = 0
  const store = {
    ...({ read: behind.read.bind(behind) } as Store),
    async copy(from: string, to: string) {
      refuses('copy', to)
      const found = await behind.read(from)
      if (found) await behind.write(to, found.bytes)
      return found !== undefined
    },
    async write(key: string, body: Uint8Array) {
      refuses('write', key)
      uploaded.push(key)
      return behind.write(key, body)
    },
  } satisfies Partial<Store>
  const bytes = async (): Promise<Uint8Array> => {
    asked += 1
    return Buffer.from('runtime')
  }
  await bringPrograms({ store, keys } as unknown as Deployment, [{ digest, bytes, shared: true, ...program }], signal)
  return { uploaded, asked }
}

test('the first deployment uploads it for all, the others neither upload nor need the bytes', async () => {
  expect(await brought({})).toEqual({ uploaded: [shared], asked: 1 })
  expect(await textAt(behind, own)).toBe('runtime')
  await behind.remove([own])
  expect(await brought({})).toEqual({ uploaded: [], asked: 0 })
  expect(await textAt(behind, own)).toBe('runtime')
})

test('what is not shared is uploaded for each', async () => {
  expect(await brought({ shared: false })).toEqual({ uploaded: [own], asked: 1 })
  expect(await textAt(behind, shared)).toBeUndefined()
})

test('where nothing may be written for all, or nothing is copied, each deployment uploads it', async () => {
  const denied = new StoreError('denied', 'not yours')
  const outside = await brought({}, (call, to) => {
    if (call === 'write' && to === shared) throw denied
  })
  expect(outside.uploaded).toEqual([own])
  const uncopied = await brought({}, (call) => {
    if (call === 'copy') throw new StoreError('invalid', 'not implemented')
  })
  expect(uncopied.uploaded).toEqual([own])
  expect(await textAt(behind, own)).toBe('runtime')
})

test('an error that is none of the store’s, and that of the deployment’s own upload, end it', async () => {
  const bytes = () => Promise.reject(new Error('no registry'))
  await expect(brought({ bytes })).rejects.toThrow('no registry')
  const full = new StoreError('full', 'no space')
  const nowhere = (call: 'copy' | 'write'): void => {
    if (call === 'write') throw full
  }
  await expect(brought({}, nowhere)).rejects.toBe(full)
})
