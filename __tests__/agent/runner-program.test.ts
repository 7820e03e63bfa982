/** Where a machine gets the forge's runner program: from its image, otherwise from the forge. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { SlotContext } from '../../src/agent/machine-context.ts'
import { unpack } from '../../src/agent/runner/program.ts'
import { pause } from '../../src/lib/clock.ts'
import { agentPart, layout } from '../../src/wire/layout.ts'
import type { RunnerSpec } from '../../src/wire/spec.ts'
import { type Range, type Store, StoreError } from '../../src/wire/store.ts'
import { listening, portOf } from '../setup/listening.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const KEYS = layout('tpi-a', 'i')

let place: string
/** What the forge's server answers. */
let served: Buffer
const asked: string[] = []
const said: string[] = []
const server = createServer((request, answer) => {
  asked.push(`${request.url} ${String(request.headers.authorization)}`)
  answer.end(served)
})

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'tpi-program-'))
  await listening(server)
  asked.length = 0
  said.length = 0
})
afterEach(async () => {
  rmSync(place, { recursive: true, force: true })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const script = (version: string): string => `#!/bin/sh\necho "Version:      ${version}"\n`

/** An image with the program in a folder, and another file beside it. */
function imageWith(version: string): { path: string; version: string[] } {
  const path = join(place, 'image')
  mkdirSync(join(path, 'bin'), { recursive: true })
  writeFileSync(join(path, 'bin/listener'), script(version), { mode: 0o755 })
  writeFileSync(join(path, 'beside'), 'x')
  return { path, version: [join(path, 'bin/listener'), '--version'] }
}

async function unpacked(
  inImage: object | undefined,
  archive: object,
  store?: Pick<Store, 'read'>,
  signal = new AbortController().signal,
): Promise<string> {
  const url = `http://127.0.0.1:${portOf(server)}/program`
  const digest = createHash('sha256').update(served).digest('hex')
  const machine = { inImage, archive: { version: '2.0.0', digest, bytes: 0, parts: 0, url, ...archive } }
  const context = {
    config: { home: place },
    store,
    keys: KEYS,
    folders: { run: place },
    spec: { runner: { machine } },
    say: (text: string) => said.push(text),
  }
  await unpack(context as unknown as SlotContext<RunnerSpec>, signal)
  return join(place, 'runner')
}

test('the image’s program, if it has the wanted version, with everything beside it; nothing is fetched', async () => {
  served = Buffer.from('never')
  const folder = await unpacked(imageWith('2.0.0'), {})
  expect(readFileSync(join(folder, 'bin/listener'), 'utf8')).toBe(script('2.0.0'))
  expect(readFileSync(join(folder, 'beside'), 'utf8')).toBe('x')
  expect([asked, said]).toEqual([[], ['the image has runner program 2.0.0: nothing is downloaded']])
})

test('a single program in its image, under the forge’s name', async () => {
  served = Buffer.from('never')
  const path = join(place, 'gitlab-runner-of-the-image')
  writeFileSync(path, script('2.0.0'), { mode: 0o711 })
  const folder = await unpacked({ path, version: [path, '--version'] }, { file: 'gitlab-runner' })
  expect(statSync(join(folder, 'gitlab-runner')).mode & 0o777).toBe(0o755)
  expect(asked).toEqual([])
})

test('no version was asked for: the image’s program, also if the forge has a newer one by now', async () => {
  served = Buffer.from('newer')
  const path = join(place, 'gitlab-runner-of-the-image')
  writeFileSync(path, script('2.0.0'), { mode: 0o755 })
  const image = { path, version: [path, '--version'], from: '1.10' }
  const asWanted = { file: 'gitlab-runner', version: 'latest', digest: 'd'.repeat(64) }
  await unpacked(image, asWanted)
  expect([asked, said]).toEqual([[], ['the image has runner program 2.0.0: nothing is downloaded']])
  await expect(unpacked({ ...image, from: '2.1' }, asWanted)).rejects.toThrow(/is damaged/)
})

test.each([
  ['another version', () => imageWith('1.9.9')],
  ['none', () => ({ path: '/nowhere', version: ['/nowhere/program', '--version'] })],
])('the forge’s program, without a credential, if its image has %s', async (_, image) => {
  const source = join(place, 'source')
  mkdirSync(source)
  writeFileSync(join(source, 'fetched'), 'x')
  served = execFileSync('tar', ['-czf', '-', '-C', source, '.'])
  const folder = await unpacked(image(), {})
  expect(existsSync(join(folder, 'fetched'))).toBe(true)
  expect(asked).toEqual(['/program undefined'])
})

test('a fetched program must have the digest that the command was told', async () => {
  served = Buffer.from('forged')
  await expect(unpacked(imageWith('1.9.9'), { digest: 'd'.repeat(64), file: 'x' })).rejects.toThrow(/is damaged: its digest is/)
  expect(existsSync(join(place, 'runner'))).toBe(false)
})

/** Bytes of a second; a part takes minutes. */
const SLOW = 100_000
const PARTS = 2
const PART = 24 << 20

/** A store that many machines read at once: each byte takes its time, and a read that is cut off is lost. Time passes while somebody waits. */
function slowStore(fails: (read: number) => boolean = () => false): Pick<Store, 'read'> & { asked: number } {
  const store = memoryStore()
  const { digest } = archive()
  for (let part = 0; part < PARTS; part++) void store.write(agentPart(KEYS, digest, part), served.subarray(part * PART, (part + 1) * PART))
  let reads = 0
  const slow = {
    asked: 0,
    async read(key: string, range?: Range, signal?: AbortSignal) {
      const object = await store.read(key, range)
      const [length, lost] = [object?.bytes.length ?? 0, fails(reads++)]
      slow.asked += length
      await pause(((lost ? length / 2 : length) / SLOW) * 1000, signal)
      if (lost) throw new StoreError('unavailable', 'storage: the answer was cut short')
      return object
    },
  }
  return slow
}

const archive = () => ({
  digest: createHash('sha256').update(served).digest('hex'),
  bytes: served.length,
  parts: PARTS,
  file: 'program',
  url: undefined,
})

/** Time passes until it ends; `false`: it reads the same again and again. */
async function arrives(work: Promise<unknown>, store: { asked: number }): Promise<boolean> {
  const over = new AbortController()
  const end = (): void => over.abort()
  work.then(end, end)
  while (!over.signal.aborted && store.asked < 5 * served.length) {
    await jest.advanceTimersByTimeAsync(1000)
    // What it writes to the disk takes real time.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return over.signal.aborted
}

describe('from a store that is slow because many machines start', () => {
  let leave: AbortController
  beforeEach(() => {
    leave = new AbortController()
    served = Buffer.alloc(PART + 1_000_000, 'program')
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'hrtime', 'Date'] })
  })
  afterEach(() => {
    jest.useRealTimers()
    leave.abort()
  })

  test('it arrives, however long that takes, and the log says how far it is', async () => {
    const store = slowStore()
    const fetched = unpacked(undefined, archive(), store, leave.signal)
    expect(await arrives(fetched, store)).toBe(true)
    expect(readFileSync(join(await fetched, 'program')).equals(served)).toBe(true)
    expect(store.asked).toBe(served.length)
    expect(said).toContainEqual(expect.stringMatching(/^runner program: 8\.4 MB of 26 MB \(32 %\), .* left$/))
  })

  test('what has arrived before an interruption is not read again, and the log tells of it', async () => {
    const store = slowStore((read) => read % 3 === 0)
    const fetched = unpacked(undefined, archive(), store, leave.signal)
    expect(await arrives(fetched, store)).toBe(true)
    expect(readFileSync(join(await fetched, 'program')).equals(served)).toBe(true)
    expect(store.asked).toBeLessThan(2 * served.length)
    expect(said).toContain('store: storage: the answer was cut short; trying again')
  })
})
