/** A record of a folder store that is removed just while its next state is written, or while it is removed in one state. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { FolderSync } from '../../src/stores/dir/durable.ts'
import { type ObjectPaths, pathsOf } from '../../src/stores/dir/names.ts'
import { removeState } from '../../src/stores/dir/remove.ts'
import { writeObject } from '../../src/stores/dir/write.ts'
import { openStore } from '../../src/stores/registry.ts'

const KEY = 'tpi-x-0123456789/i/secrets/env.json'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-removed-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Change {
  readonly paths: ObjectPaths
  readonly version: string
  readonly syncs: FolderSync
}

test.each([
  ['write', async (of: Change) => writeObject({ ...of, body: { size: 4, pieces: [Buffer.from('next')] } }, of)],
  ['removal', async ({ paths, version, syncs }: Change) => removeState(paths, version, syncs)],
])('the %s is a conflict, and nothing of the record comes back', async (_, change) => {
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
  await expect(change({ paths: pathsOf(folder, KEY), version, syncs })).rejects.toMatchObject({ kind: 'conflict' })
  expect(await store.read(KEY)).toBeUndefined()
})
