/** Files of this host: small ones that readers see complete or not at all, and what else several rooms do with files. */
import { randomBytes } from 'node:crypto'
import { accessSync, type FSWatcher, lstatSync, readFileSync, rmSync, watch } from 'node:fs'
import { appendFile, type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode, ifForbidden, ifGone, isGone } from './error-code.ts'
import type { Shape } from './shape.ts'

export interface WriteOptions {
  /** Permission bits of the file; 0600 by default. */
  readonly mode?: number
  /** Also survives a power cut from the moment it resolves. */
  readonly durable?: boolean
}

/** Replaces a file as a whole. The folder must exist. */
export async function writeWhole(path: string, body: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
  const part = await writePart(path, body, options)
  try {
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  if (options.durable) await flush(dirname(path))
}

/** Makes a file as a whole. `false`: there is one already, and it stays as it is. */
async function createWhole(path: string, body: string | Uint8Array, options: WriteOptions = {}): Promise<boolean> {
  const part = await writePart(path, body, options)
  try {
    await link(part, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    return false
  } finally {
    await unlink(part)
  }
  if (options.durable) await flush(dirname(path))
  return true
}

export async function writeJson(path: string, value: unknown, options: WriteOptions = {}): Promise<void> {
  await writeWhole(path, `${JSON.stringify(value)}\n`, options)
}

export async function createJson(path: string, value: unknown, options: WriteOptions = {}): Promise<boolean> {
  return createWhole(path, `${JSON.stringify(value)}\n`, options)
}

/**
 * Removes a link, to be called before a file is written that a command line names. In a stranger's checkout, the link may lead to any file of the
 * user's. What is in /dev or /proc stays: the streams of this process are links there.
 */
export function dropLink(path: string): void {
  if (!/^\/(?:dev|proc)\//.test(path) && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path)
}

/** Empty when there is no such file. */
export async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(ifGone(''))
}

/**
 * A record that one of the above has written, or `undefined` if there is none. Anything else is left from a power cut in the middle
 * of the first write, or belongs to somebody else, and also counts as none. Every other failure throws, and never counts as "not there".
 */
export async function readJson<T>(path: string, shape: Shape<T>): Promise<T | undefined> {
  const text = await readText(path)
  try {
    return shape(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Adds one line of JSON; lines of several writers do not mix. */
export async function appendJson(path: string, value: unknown): Promise<void> {
  await appendFile(path, `${JSON.stringify(value)}\n`, { mode: 0o600 })
}

/** Every whole line of such a file, oldest first. */
export async function readJsonLines<T>(path: string, shape: Shape<T>): Promise<T[]> {
  const values: T[] = []
  for (const line of (await readText(path)).split('\n')) {
    try {
      values.push(shape(JSON.parse(line)))
    } catch {
      // The empty end, a line cut off by a full disk, or a foreign line.
    }
  }
  return values
}

/** Names in a folder, sorted; none when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ifGone<string[]>([]))).sort()
}

/** The records in a folder whose files are called like this. One that is torn, disappears meanwhile, or is another user's, does not hide the others. */
export async function recordsIn<T>(folder: string, called: RegExp, shape: Shape<T>): Promise<T[]> {
  const names = (await namesIn(folder)).filter((name) => called.test(name))
  const read = await Promise.all(names.map((name) => readJson(join(folder, name), shape).catch(ifForbidden)))
  return read.filter((one) => one !== undefined)
}

/** The last bytes of a text file, from a line start where there is one; empty when there is no such file. */
export async function tail(path: string, bytes: number): Promise<string> {
  try {
    await using file = await open(path, 'r')
    const { size } = await file.stat()
    const from = Math.max(0, size - bytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
    const text = buffer.subarray(0, bytesRead).toString('utf8')
    return from > 0 ? text.slice(text.indexOf('\n') + 1) : text
  } catch (error) {
    if (isGone(error)) return ''
    throw error
  }
}

async function writePart(path: string, body: string | Uint8Array, options: WriteOptions): Promise<string> {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    await using file = await open(part, 'wx', options.mode ?? 0o600)
    await file.writeFile(body)
    if (options.durable) await file.sync()
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return part
}

/** File systems that cannot flush a folder say so with one of these; nothing better can be done there. */
const UNFLUSHED = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'EISDIR']

/** All of the bytes, at this place of the file: a disk that is nearly full takes only a part of them at once, without an error. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten
}

/** A file, or the names in a folder, survives a power cut from the moment it resolves. */
export async function flush(path: string | Buffer): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync().catch((error: unknown) => {
    if (!hasCode(error, ...UNFLUSHED)) throw error
  })
}

/** A private folder, and its parents. */
export async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Reports changed names in a folder if the host can; the caller also looks now and then in any case. */
export function watchQuietly(folder: string, changed: (name: string) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, (_event, name) => changed(name ?? ''))
    return watcher.on('error', () => undefined)
  } catch {
    return undefined
  }
}

/** A file of the kernel, byte for byte. `undefined`: missing, not readable, gone in the middle of the read, or not this kind of system. */
export function readSystemFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}

/** Whether this user may do that with a file: `constants.X_OK` and so on; with `F_OK`, whether it is there. */
export function mayAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
