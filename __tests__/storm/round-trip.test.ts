/**
 * A real, messy tree (the project's own node_modules) through a whole task and back, with both kinds of store; and the life of a task of cloud local
 * whose storage is S3.
 */
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { cp, lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { type S3Server, startVersitygw } from '../lab/versitygw.ts'
import { shell } from '../setup/world.ts'
import { comesTrue, House } from './house.ts'
import { buildProgram, type Program } from './program.ts'

const MODULES = join(import.meta.dirname, '../../node_modules')

/** Bytes. */
const LARGEST = 64 * 1024

let program: Program
let server: S3Server | undefined
beforeAll(async () => {
  program = await buildProgram()
  server = await startVersitygw()
})
afterAll(async () => {
  await server?.stop()
  await program.remove()
})

/** Path → what must be preserved: kind, mode, content, target, time in milliseconds. A folder's time changes with its contents. */
async function described(root: string): Promise<Map<string, string>> {
  const all = new Map<string, string>()
  for (const path of await readdir(root, { recursive: true })) {
    const full = join(root, path)
    const there = await lstat(full)
    if (there.isSymbolicLink()) all.set(path, `link ${await readlink(full)}`)
    else if (there.isDirectory()) all.set(path, `folder ${(there.mode & 0o7777).toString(8)}`)
    else {
      const hash = createHash('sha256')
        .update(await readFile(full))
        .digest('hex')
      all.set(path, `file ${(there.mode & 0o7777).toString(8)} ${Math.floor(there.mtimeMs)} ${hash}`)
    }
  }
  return all
}

interface Storage {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Remaining keys. */
  keys(): Promise<string[]>
}

async function bucket(name: string): Promise<Storage | undefined> {
  if (!server) return undefined
  const access = await server.access(name)
  const { endpoint = '', region = '' } = access.settings ?? {}
  const { accessKeyId, secretAccessKey } = server.credentials
  return {
    words: ['--storage', `${access.url}/runs`, '--storage-endpoint', endpoint, '--storage-region', region],
    env: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    async keys() {
      const store = await openStore(access)
      const keys: string[] = []
      for await (const { key } of store.list('')) keys.push(key)
      await store.close?.()
      return keys
    },
  }
}

const folder: Storage = { words: [], env: {}, keys: async () => [] }

/** What is wrong with a tree that went through a task and this storage. */
async function roundTrip(place: Storage): Promise<readonly string[]> {
  const house = await House.build(program, 'round-trip', place.env)
  const [tree, back] = [join(house.work, 'project/tree'), join(house.work, 'project/back')]
  await cp(await realpath(MODULES), tree, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    // Compilers and servers are large, but not messy.
    filter: (path) => lstatSync(path).size < LARGEST,
  })
  const before = await described(tree)
  expect(before.size).toBeGreaterThan(1000)
  const words = ['--name', 'messy', ...place.words, '--workdir', 'project', '--output', 'back', '--json', '--script', 'mv tree back']
  const ran = await house.tpi('task', ...words)
  expect({ code: ran.code, err: ran.code === 0 ? '' : ran.err.slice(-2000) }).toEqual({ code: 0, err: '' })
  const after = await described(back)
  const wrong = [...before]
    .filter(([path, what]) => after.get(path) !== what)
    .map(([path, what]) => `${path}: ${what} is ${after.get(path)}`)
  expect(after.size).toBe(before.size)
  expect(await place.keys()).toEqual([])
  expect(await house.remains()).toEqual([])
  house.clear()
  await house.leave(false)
  return wrong.slice(0, 10)
}

describe('node_modules through a task, stored in a folder and, at the same time, in S3', () => {
  test('comes back as it was: content, modes, times, links', async () => {
    const places = [folder, await bucket('messy')].filter((place) => place !== undefined)
    const outcomes = await Promise.allSettled(places.map(roundTrip))
    expect(outcomes).toEqual(places.map(() => ({ status: 'fulfilled', value: [] })))
  }, 600_000)
})

describe('cloud local with its storage on S3', () => {
  test('interrupt and resume, attach, pull, collect, destroy: the bucket is empty afterwards', async () => {
    const place = await bucket('life')
    if (!place) return
    const house = await House.build(program, 'local-s3', place.env)
    await house.write('project/in', 'x')
    // The first attempt ends only by its interruption, however slow this host is.
    const counting =
      'n=$(cat n 2>/dev/null || echo 0); echo from $n; while [ $n -lt 40 ]; do n=$((n+1)); echo $n > m; mv m n; while [ $n -ge 20 ] && [ $TPI_ATTEMPT -lt 2 ] && [ -z "$AGAIN" ]; do sleep 0.1; done; sleep 0.1; done; echo "$n $AGAIN" > r'
    const words = (...more: string[]): string[] => [
      'task',
      ...more,
      ...place.words,
      ...shell('--name far --workdir project --output r --checkpoint-interval 300ms --json', counting),
    ]
    expect(await house.tpi(...words('--detach'))).toMatchObject({ code: 0 })
    const slot = async () => {
      const status = await house.tpi('status', 'far', '--json')
      // Every answer reports the slot, even the very first.
      expect(status).toMatchObject({ code: 0, facts: { slots: [{ index: 0 }] } })
      return status.facts.slots[0]
    }
    expect(await comesTrue(async () => (await slot()).savedAt !== null, 20_000)).toBe(true)
    expect(await house.tpi('interrupt', 'far')).toMatchObject({ code: 0 })
    expect(await comesTrue(async () => (await slot()).attempt === 2, 20_000)).toBe(true)
    expect(await house.tpi('pull', 'far', 'n', '--to', 'pulled')).toMatchObject({ code: 0 })
    expect(Number(await readFile(join(house.work, 'pulled/n'), 'utf8'))).toBeGreaterThan(0)
    const attached = await house.tpi(...words())
    expect(attached).toMatchObject({ code: 0, facts: { attached: true, destroyed: true } })
    expect(attached.facts.slots[0].attempts).toMatchObject([{ cause: 'interrupted', announced: true, saved: true }, { cause: 'exit' }])
    expect(await readFile(join(house.work, 'project/r'), 'utf8')).toBe('40 \n')
    expect(await place.keys()).toEqual([])

    // A second run is collected by a separate command, and a third is discarded while it runs.
    expect(await house.tpi(...words('--detach', '--env', 'AGAIN=1'))).toMatchObject({ code: 0 })
    expect(await comesTrue(async () => (await slot()).state === 'succeeded', 30_000)).toBe(true)
    expect(await house.tpi('collect', 'far', '--to', 'collected')).toMatchObject({ code: 0 })
    expect(await readFile(join(house.work, 'collected/r'), 'utf8')).toBe('40 1\n')
    expect(await house.tpi(...words('--detach', '--env', 'AGAIN=2'))).toMatchObject({ code: 0 })
    expect((await place.keys()).length).toBeGreaterThan(0)
    expect(await house.tpi('destroy', 'far', '--discard')).toMatchObject({ code: 0 })
    expect(await place.keys()).toEqual([])
    expect(house.processes()).toEqual([])
    expect(await house.remains()).toEqual([])
    house.clear()
    await house.leave(false)
  }, 180_000)
})
