/** Files to save: the same bytes in every run. */
import { closeSync, ftruncateSync, mkdirSync, openSync, utimesSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A fast generator of incompressible output (xorshift with a multiplier). */
export function noise(buffer: Buffer, seed: number): void {
  const words = new Uint32Array(buffer.buffer, buffer.byteOffset, buffer.length >>> 2)
  let state = (Math.imul(seed + 1, 2654435761) | 1) >>> 0
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    words[at] = Math.imul(state, 0x9e3779b1)
  }
}

const WORDS = 'loss accuracy epoch batch step learning-rate gradient validation '

/** Half of every file is noise, half is compressible text. By their time stamps, the files were written a minute ago. */
export function makeTree(folder: string, files: number, size: number): void {
  const old = Date.now() / 1000 - 60
  const half = (size >>> 3) << 2
  const words = new Uint32Array(half >>> 2)
  const random = Buffer.from(words.buffer)
  for (let at = 0; at < files; at++) {
    const sub = join(folder, `part-${String(Math.floor(at / 500)).padStart(4, '0')}`)
    if (at % 500 === 0) mkdirSync(sub, { recursive: true })
    noise(random, at)
    const text = Buffer.alloc(size - half, `${at} ${WORDS}`)
    const file = join(sub, `file-${at}`)
    writeFileSync(file, Buffer.concat([random, text]))
    utimesSync(file, old, old)
  }
}

/** Noise from the first byte to the last, or only in the first part; the rest is a hole. */
export function makeFile(path: string, size: number, noisy = size): void {
  const block = Buffer.from(new ArrayBuffer(8 << 20))
  const fd = openSync(path, 'w')
  try {
    for (let at = 0; at < noisy; at += block.length) {
      noise(block, at / block.length)
      writeSync(fd, block, 0, Math.min(block.length, noisy - at))
    }
    if (size > noisy) ftruncateSync(fd, size)
  } finally {
    closeSync(fd)
  }
  const old = Date.now() / 1000 - 60
  utimesSync(path, old, old)
}
