/** Paths inside a snapshot: strings in which bytes that are not UTF-8 are kept as lone surrogates (U+DC80 … U+DCFF, one per byte). */

import { posix } from 'node:path'
import { printable } from '../lib/text.ts'

const REPLACEMENT = '\ufffd'

/** May stand for bytes that were lost in decoding: read the name again as bytes. */
export function isDoubtful(name: string): boolean {
  return name.includes(REPLACEMENT)
}

export function decodeName(bytes: Buffer): string {
  const plain = bytes.toString('utf8')
  if (!plain.includes(REPLACEMENT) || Buffer.from(plain).equals(bytes)) return plain
  let name = ''
  for (let at = 0; at < bytes.length; ) {
    const wanted = sequenceLength(bytes[at] ?? 0)
    const slice = bytes.subarray(at, at + wanted)
    const text = slice.toString('utf8')
    if (wanted > 0 && slice.length === wanted && Buffer.from(text).equals(slice)) {
      name += text
      at += wanted
    } else {
      name += String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
      at += 1
    }
  }
  return name
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1
  if (lead >= 0xc2 && lead < 0xe0) return 2
  if (lead >= 0xe0 && lead < 0xf0) return 3
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0
}

/** The path for file system calls. */
export function nativePath(path: string): string | Buffer {
  if (path.isWellFormed()) return path
  const parts: Buffer[] = []
  for (const char of path) {
    const code = char.codePointAt(0) ?? 0
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code - 0xdc00) : Buffer.from(char))
  }
  return Buffer.concat(parts)
}

/** The path for people: one line, nothing that a terminal would act on. */
export function showPath(path: string): string {
  return printable(JSON.stringify(path))
}

const NAMED = 5

/** A few of them for people, and how many more there are. */
export function nameSome(paths: readonly string[]): string {
  const named = paths.slice(0, NAMED).map(showPath).join(', ')
  return paths.length > NAMED ? `${named} and ${paths.length - NAMED} more` : named
}

/** Name by name: a folder comes right before what is in it. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const unit = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (unit === right) continue
    if (unit === 47) return -1
    return right === 47 || unit > right ? 1 : -1
  }
  return a.length - b.length
}

/** Stays inside whatever folder it is joined to. */
export function isConfined(path: string): boolean {
  if (path === '' || path.includes('\0')) return false
  for (const name of path.split('/')) if (name === '' || name === '.' || name === '..') return false
  return true
}

/** The relative form of `target`, an absolute path, for a link at `path` in the folder; `undefined`: as written, it is not below the folder. */
export function relativeLink(folder: string, path: string, target: string): string | undefined {
  if (target !== folder && !target.startsWith(`${folder}/`)) return undefined
  const names = target
    .slice(folder.length)
    .split('/')
    .filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) return undefined
  return posix.relative(`/${parentPath(path)}`, `/${names.join('/')}`) || '.'
}

/** `a/b` of `a/b/c`; empty at the top. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** `a/b/c` → `a`, `a/b` */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join('/'))
}

/** For each path its number among `others`, or -1. Both in the order of `comparePaths`. */
export function align(paths: readonly string[], others: readonly string[]): Int32Array {
  const numbers = new Int32Array(paths.length).fill(-1)
  let at = 0
  for (const [number, path] of paths.entries()) {
    let other = others[at]
    while (other !== undefined && other !== path && comparePaths(other, path) < 0) other = others[++at]
    if (other !== undefined && other === path) numbers[number] = at++
  }
  return numbers
}
