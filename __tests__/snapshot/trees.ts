/** Trees on disk for tests, and how they are compared. */
import { createCipheriv, hash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import * as fc from 'fast-check'
import { wipe } from '../../src/snapshot/folder/disk.ts'
import { decodeName, nativePath } from '../../src/snapshot/path.ts'
import { anyCharacter } from '../setup/character.ts'
import { scratch } from '../setup/scratch.ts'

export class Home {
  readonly path = scratch('snapshot-')
  /** Also removes read-only files and folders. */
  remove(): Promise<void> {
    return wipe(this.path)
  }
}

/** Everything that a round trip must preserve: kind, mode, link target, content, and the time in nanoseconds. */
export interface Seen {
  readonly what: string
  readonly mtime: bigint
}

export function picture(folder: string): Map<string, Seen> {
  const found: [string, Seen][] = []
  const visit = (at: string): void => {
    for (const bytes of readdirSync(nativePath(`${folder}${at}`), { encoding: 'buffer' })) {
      const path = `${at}/${decodeName(bytes)}`
      const native = nativePath(`${folder}${path}`)
      const stat = lstatSync(native, { bigint: true })
      const mode = (stat.mode & 0o7777n).toString(8)
      const say = (what: string): void => void found.push([path, { what, mtime: stat.mtimeNs }])
      if (stat.isSymbolicLink()) say(`link ${readlinkSync(native, { encoding: 'buffer' }).toString('latin1')}`)
      else if (!stat.isDirectory()) say(`file ${mode} ${stat.size} ${hash('sha256', readFileSync(native))}`)
      else {
        say(`folder ${mode}`)
        visit(path)
      }
    }
  }
  visit('')
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The differences. Node sets times through a floating point number, so they are exact to a quarter of a microsecond. */
export function differences(one: ReadonlyMap<string, Seen>, other: ReadonlyMap<string, Seen>): readonly string[] {
  const paths = new Set([...one.keys(), ...other.keys()])
  return [...paths].flatMap((path) => {
    const [a, b] = [one.get(path), other.get(path)]
    const off = (a?.mtime ?? 0n) - (b?.mtime ?? 0n)
    return a?.what === b?.what && off < 500n && off > -500n
      ? []
      : [`${JSON.stringify(path)}: ${a?.what} ${a?.mtime} | ${b?.what} ${b?.mtime}`]
  })
}

export type Node =
  | { readonly kind: 'file'; readonly content: Content; readonly mode: number; readonly mtime: number }
  | { readonly kind: 'link'; readonly target: string; readonly mtime: number }
  | { readonly kind: 'folder'; readonly children: Readonly<Record<string, Node>>; readonly mode: number; readonly mtime: number }

/** Bytes from a seed; `sparse` are zeros with a few other bytes. */
export interface Content {
  readonly size: number
  readonly seed: number
  readonly style: 'noise' | 'text' | 'zeros' | 'sparse'
}

export function bytesOf({ size, seed, style }: Content): Buffer {
  if (style === 'noise') return createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16)).update(Buffer.alloc(size))
  const bytes = Buffer.alloc(size)
  if (style === 'text') bytes.fill(`line ${seed} of a text\n`)
  if (style === 'sparse' && size > 0) bytes.writeUInt8(1 + (seed % 255), (seed * 7919) % size)
  return bytes
}

const size = fc.oneof(
  { weight: 40, arbitrary: fc.integer({ min: 0, max: 5000 }) },
  { weight: 8, arbitrary: fc.constantFrom(0, 1, 4095, 4096, 524_288, 524_289, 1_048_575, 1_048_576) },
  { weight: 1, arbitrary: fc.constantFrom(4_194_303, 4_194_304, 4_194_305, 9_000_000) },
)
const content = fc.record({
  size,
  seed: fc.nat(1000),
  style: fc.constantFrom('noise' as const, 'text' as const, 'zeros' as const, 'sparse' as const),
})
/** Names of every kind that a Linux file system accepts, including bytes that are not UTF-8. */
const name = fc
  .oneof(
    fc.constantFrom(
      'a',
      'b',
      'a-b',
      'a.b',
      ' ',
      'new\nline',
      'ünï',
      '日本',
      '\u202e',
      '-rf',
      '~',
      '\\',
      '"',
      "'",
      'con',
      '.hidden',
      '..x',
      '\udcff\udc80x',
      'é',
      'é',
    ),
    fc.string({ minLength: 1, maxLength: 12, unit: anyCharacter }),
  )
  .map((text) => text.toWellFormed().replaceAll(/[/\0]/g, '_'))
  .filter((text) => text !== '.' && text !== '..' && Buffer.byteLength(text) < 200)
const seconds = fc.oneof(fc.integer({ min: 0, max: 4_000_000_000 }), fc.double({ min: 1, max: 1.8e9, noNaN: true }))
const mode = fc.constantFrom(0o644, 0o600, 0o444, 0o755, 0o000, 0o777, 0o4755, 0o2711)
const folderMode = fc.constantFrom(0o755, 0o700, 0o555, 0o1777, 0o2775)

export const anyTree = fc.letrec<{ node: Node; folder: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('file' as const), content, mode, mtime: seconds }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('link' as const),
        target: fc.oneof(name, fc.constantFrom('..', '/etc/passwd', '../../x', 'a/b')),
        mtime: seconds,
      }),
    },
    { weight: 2, arbitrary: tie('folder') },
  ),
  folder: fc.record({
    kind: fc.constant('folder' as const),
    children: fc.dictionary(name, tie('node'), { maxKeys: 6, noNullPrototype: true }),
    mode: folderMode,
    mtime: seconds,
  }),
})).folder

export function makeTree(path: string, node: Node): void {
  const native = nativePath(path)
  if (node.kind === 'link') {
    symlinkSync(nativePath(node.target), native)
    lutimesSync(native, node.mtime, node.mtime)
    return
  }
  if (node.kind === 'folder') {
    mkdirSync(native, { recursive: true })
    for (const [child, inner] of Object.entries(node.children)) makeTree(`${path}/${child}`, inner)
  } else if (node.content.style === 'noise' || node.content.style === 'text') writeFileSync(native, bytesOf(node.content))
  else {
    writeFileSync(native, '')
    truncateSync(native, node.content.size)
    if (node.content.style === 'sparse') writeFileSync(native, bytesOf(node.content), { flag: 'r+' })
  }
  chmodSync(native, node.mode)
  utimesSync(native, node.mtime, node.mtime)
}
