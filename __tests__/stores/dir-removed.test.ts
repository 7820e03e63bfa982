/** A record of a folder store that is removed just while its next state is written. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { FolderSync } from '../../src/stores/dir/durable.ts'
import { pathsOf } from '../../src/stores/dir/names.ts'
import { writeObject } from '../../src/stores/dir/write.ts'
import { openStore } from '../../src/stores/registry.ts'

const KEY = 'tpi-x-0123456789/i/secrets/env.json'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-removed-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('the write is a conflict, and nothing of the record comes back', async () => {
  const store = await openStore({ url: `dir://${folder}` })
  await store.init('tpi-x-0123456789/i/')
  const version = await store.write(KEY, Buffer.from('first'))
  const syncs = new FolderSync()
  const sync = syncs.sync.bind(syncs)
  // The removal comes between linking the state and syncing it to disk.
  const states = `${join(folder, KEY)}%v`
  syncs.sync = async (path) => {
    if ((await readdir(states)).length > 0) await store.remove([KEY])
    return sync(path)
  }
  const next = Buffer.from('next')
  const write = writeObject({ paths: pathsOf(folder, KEY), body: { size: next.length, pieces: [next] }, syncs }, { version })
  await expect(write).rejects.toMatchObject({ kind: 'conflict' })
  expect(await store.read(KEY)).toBeUndefined()
})
