/**
 * What a run printed, kept in the history once its store is gone: gzip members one after another. In the unpacked bytes, a line of JSON stands
 * before each piece. Written synchronously: the follower of a program that prints much must not collect in memory what waits to be written.
 */
import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import { RemoteError } from '../core/errors.ts'
import { errorCode } from '../lib/error-code.ts'
import { count, Misfit, object, oneOf, time } from '../lib/shape.ts'
import { writerMark } from '../lib/temp-name.ts'
import { messageOf } from '../lib/text.ts'
import { STREAMS } from '../wire/log.ts'
import { parseShape } from '../wire/parse.ts'
import { logOf, type Run } from './history.ts'
import type { LogPiece } from './log-reader.ts'

/** Bytes that are compressed at once. */
const BATCH = 256 * 1024
/** Compressed bytes of one run: what it prints beyond that is not kept. */
const MOST_LOG = 100e6
/** Bytes of the line before a piece, at most. */
const MOST_HEADER = 1024

interface Header extends Omit<LogPiece, 'bytes'> {
  readonly size: number
}

const header = object<Header>({ slot: count(), epoch: count(), stream: oneOf(...STREAMS), at: time, size: count() })

/** Two keepers of one process may write the log of the same run: each has its own incomplete file. */
let files = 0

export class LogKeeper {
  readonly #path: string
  readonly #part: string
  readonly #most: number
  #file: number | undefined
  #batch: Uint8Array[] = []
  #waiting = 0
  #written = 0
  #last = ''
  /** Why nothing more is kept; `undefined`: it is. */
  #trouble: unknown

  constructor(home: string, run: Run, most = MOST_LOG) {
    this.#most = most
    this.#path = logOf(home, run)
    this.#part = `${this.#path}.${writerMark()}-${(files += 1)}.part`
  }

  push({ slot, epoch, stream, at, bytes }: LogPiece): void {
    this.#last = at
    if (this.#trouble !== undefined || this.#written > this.#most) return
    const head = Buffer.from(`${JSON.stringify({ slot, epoch, stream, at, size: bytes.length } satisfies Header)}\n`)
    this.#batch.push(head, bytes)
    this.#waiting += head.length + bytes.length
    if (this.#waiting >= BATCH) this.#flush()
  }

  /** Moves the file to its place; there is none if nothing was pushed. Throws if it could not be written. */
  async keep(): Promise<void> {
    if (this.#written > this.#most) {
      const bytes = Buffer.from('the rest of this log was not kept: it is too long\n')
      this.#written = 0
      this.push({ slot: 0, epoch: 0, stream: 'warning', at: this.#last, bytes })
    }
    this.#flush()
    if (this.#file === undefined && this.#trouble === undefined) return
    this.#close()
    if (this.#trouble === undefined) return rename(this.#part, this.#path)
    await rm(this.#part, { force: true })
    throw this.#trouble
  }

  /** Keeps nothing, and removes what was written. */
  async drop(): Promise<void> {
    this.#trouble ??= 'dropped'
    this.#close()
    await rm(this.#part, { force: true })
  }

  #flush(): void {
    if (this.#waiting === 0) return
    try {
      mkdirSync(dirname(this.#part), { recursive: true, mode: 0o700 })
      this.#file ??= openSync(this.#part, 'w', 0o600)
      const packed = gzipSync(Buffer.concat(this.#batch), { level: 1 })
      for (let at = 0; at < packed.length; ) at += writeSync(this.#file, packed, at)
      this.#written += packed.length
    } catch (error) {
      this.#trouble = error
    }
    this.#batch = []
    this.#waiting = 0
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}

export async function hasLog(home: string, run: Run): Promise<boolean> {
  return (await stat(logOf(home, run)).catch(() => undefined)) !== undefined
}

/**
 * The pieces in the order in which they were kept; those of one slot are in the order in which they were printed. Throws if the file is missing,
 * cut off or damaged.
 */
export async function* readKept(home: string, run: Run): AsyncGenerator<LogPiece> {
  try {
    yield* piecesIn(home, run)
  } catch (cause) {
    const isForeign = cause instanceof Misfit || cause instanceof SyntaxError || errorCode(cause)?.startsWith('Z_')
    if (!isForeign) throw cause
    throw new RemoteError(
      `the log that the history has of ${run.id} is damaged, or another version of tpi has written it: ${messageOf(cause)}`,
      {
        cause,
        hint: `\`tpi status ${run.id}\` shows how it went`,
      },
    )
  }
}

async function* piecesIn(home: string, run: Run): AsyncGenerator<LogPiece> {
  let rest: Buffer = Buffer.alloc(0)
  let head: Header | undefined
  // `pipeline`, not `pipe`: an error of the file reaches the loop, and a loop that ends early closes the file. So its callback has nothing to do.
  const unpacked = pipeline(createReadStream(logOf(home, run)), createGunzip(), () => undefined)
  for await (const chunk of unpacked) {
    rest = Buffer.concat([rest, chunk as Buffer])
    for (;;) {
      const end = head ? head.size : rest.indexOf(10)
      if (head ? rest.length < end : end < 0 && rest.length <= MOST_HEADER) break
      if (head) {
        const { size: _, ...piece } = head
        yield { ...piece, bytes: rest.subarray(0, end) }
        rest = rest.subarray(end)
        head = undefined
      } else {
        head = parseShape(header, rest.subarray(0, Math.max(0, end)).toString('utf8'))
        rest = rest.subarray(end + 1)
      }
    }
  }
}
