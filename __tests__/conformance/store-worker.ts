/**
 * Other processes for the tests of stores. As a module, it starts one. As a program, it opens the store that it reads from stdin and works on it.
 * `count KEY N` adds 1 to a record N times · `churn ROOT` writes objects and a record until it is killed, and prints what it has done ·
 * `die N KEY` removes a record and is killed before the N-th change to a file name · `try UID ROOT` switches to a user without rights and
 * prints how each operation ends
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { text } from 'node:stream/consumers'
import { openStore } from '../../src/stores/registry.ts'
import { isStoreError, type Store, type StoreAccess } from '../../src/wire/store.ts'

export interface Worker {
  kill(signal: NodeJS.Signals): void
  /** Resolves when its first line is printed. */
  readonly begun: Promise<void>
  readonly end: Promise<{ readonly code: number | null; readonly lines: readonly string[] }>
}

export function startWorker(access: StoreAccess, ...args: readonly string[]): Worker {
  const child = spawn(process.execPath, [import.meta.filename, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(access))
  let out = ''
  const begun = Promise.race([once(child.stdout, 'data'), once(child, 'exit')]).then(() => {})
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const end = once(child, 'close').then(() => ({ code: child.exitCode, lines: out.split('\n').filter(Boolean) }))
  return { kill: (signal) => void child.kill(signal), begun, end }
}

async function count(store: Store, key: string, times: number): Promise<void> {
  for (let done = 0; done < times; ) {
    const object = await store.read(key)
    if (!object) throw new Error('the counter is gone')
    const { value } = JSON.parse(Buffer.from(object.bytes).toString()) as { value: number }
    const body = Buffer.from(JSON.stringify({ value: value + 1, nonce: randomUUID() }))
    try {
      await store.write(key, body, { version: object.version })
      done++
    } catch (error) {
      if (!isStoreError(error, 'conflict')) throw error
    }
  }
}

/** Prints `object N` and `record N` once the write has resolved: from then on they must survive, even if this process is killed. */
async function churn(store: Store, root: string): Promise<void> {
  for (let step = 1; ; step++) {
    await store.write(`${root}packs/shared`, Buffer.alloc(3_000_000 + step, step % 256))
    await store.write(`${root}packs/${step}`, Buffer.alloc(100_000, step % 256), { absent: true })
    say(`object ${step}`)
    const before = await store.read(`${root}record`)
    await store.write(`${root}record`, Buffer.from(String(step)), before ? { version: before.version } : { absent: true })
    say(`record ${step}`)
  }
}

/** From now on, counts all changes of file names, and kills this process before change number `last`. */
function dieAt(last: number): void {
  let calls = 0
  const names = ['link', 'rename', 'rm', 'rmdir', 'mkdir', 'open'] as const
  for (const name of names) {
    const real = files[name] as (...args: unknown[]) => Promise<unknown>
    Object.assign(files, {
      [name]: async (...args: unknown[]) => {
        calls++
        if (calls === last) process.kill(process.pid, 'SIGKILL')
        return real(...args)
      },
    })
  }
  syncBuiltinESMExports()
}

async function removeAsSeen(store: Store, key: string): Promise<void> {
  const seen = await store.read(key)
  if (seen) await store.remove([key], { version: seen.version })
}

async function tryAll(store: Store, uid: number, root: string): Promise<void> {
  process.setgid?.(uid)
  process.setuid?.(uid)
  const end = async (name: string, action: () => Promise<unknown>) => {
    const how = await action().then(
      (value) => (value === undefined ? 'undefined' : 'done'),
      (error: unknown) => (isStoreError(error) ? error.kind : String(error)),
    )
    say(`${name} ${how}`)
  }
  await end('read', () => store.read(`${root}here`))
  await end('read-none', () => store.read(`${root}none`))
  await end('write', () => store.write(`${root}new`, Buffer.from('x')))
  await end('list', async () => await store.list(root)[Symbol.asyncIterator]().next())
  await end('remove', () => store.remove([`${root}here`]))
  await end('clear', () => store.clear(root))
  await end('init', () => store.init(`other/inc/`))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (process.argv[1] === import.meta.filename) {
  const [action, first = '', second = ''] = process.argv.slice(2)
  const store = await openStore(JSON.parse(await text(process.stdin)) as StoreAccess)
  if (action === 'count') await count(store, first, Number(second))
  if (action === 'churn') await churn(store, first)
  if (action === 'die') {
    dieAt(Number(first))
    await removeAsSeen(store, second)
  }
  if (action === 'try') await tryAll(store, Number(first), second)
  await store.close?.()
}
