/** Snapshots and objects that a store makes up: what is delivered of them stays inside the output folder, or nothing is delivered. */
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sampledPart } from '../storm/random.ts'
import { NAME, NEIGHBOUR, type Prey, prey } from './kit.ts'

let p: Prey
beforeAll(async () => {
  p = await prey(['--output', '**', '--script', 'mkdir r; echo hello > r/f; echo made'])
})
afterAll(() => p.end())

const TIME = '1700000000000000000'
const SUM = hash('sha256', 'evil\n')
type Line = readonly unknown[]

const folder = (path: string, mode = 493): Line => ['d', path, mode, TIME]
const file = (path: string, mode = 420, mtime: unknown = TIME): Line => ['f', path, mode, mtime, 5, SUM, [0, '', 0, 5, 0, 5, 0]]
const link = (path: string, target: string): Line => ['l', path, 511, TIME, target]

const packed = (text: string | Buffer): Buffer => zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })

interface Forged {
  readonly lines?: readonly Line[]
  readonly header?: object
  /** The manifest as it is stored, in place of one made from the lines. */
  readonly manifest?: () => Buffer
  readonly pack?: () => Buffer
}

/** Puts it where the record of the slot points to. */
async function forge({ lines = [], header, manifest, pack }: Forged): Promise<void> {
  const keys = ['slots/0/snap/p-000000000000-0']
  const head = { v: 2, quiet: true, unquiet: [], keys, entries: lines.length, ...header }
  const bytes = manifest?.() ?? packed(`${[head, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`)
  const digest = hash('sha256', bytes)
  await p.write(`${p.keys.root}slots/0/snap/m-${digest}`, bytes)
  await p.write(`${p.keys.root}${keys[0]}`, pack?.() ?? Buffer.from('evil\n'))
  await p.forge(p.keys.slot(0).record, (slot) => ({ ...slot, head: { ...(slot['head'] as object), digest, at: 'slots/0/snap/' } }))
}

const repeated = (line: string, count: number): (() => Buffer) => {
  const header = JSON.stringify({ v: 2, quiet: true, unquiet: [], keys: [], entries: count })
  return () => packed(`${header}\n${line.repeat(count)}`)
}

/** Counts up, one number per line. */
function counted(count: number): () => Buffer {
  return () => {
    const lines = [JSON.stringify({ v: 2, quiet: true, unquiet: [], keys: [], entries: count })]
    for (let number = 0; number < count; number++) lines.push(`["d","${String(number).padStart(7, '0')}",493,"1"]`)
    return packed(`${lines.join('\n')}\n`)
  }
}

const SNAPSHOTS: readonly (readonly [string, Forged])[] = [
  ...['../victim/file', 'a/../../../victim/x', '/tmp/x', '', '.', 'a//b', 'nul\0', '../work/.git/hooks/pre-commit'].map(
    (path): readonly [string, Forged] => [`a path ${JSON.stringify(path)}`, { lines: [file(path)] }],
  ),
  ...['.git', '.GIT', 'git~1', '.g\u200cit', '.git ', '.git::$INDEX_ALLOCATION'].map((path): readonly [string, Forged] => [
    `a folder ${JSON.stringify(path)}`,
    { lines: [folder(path), folder(`${path}/hooks`), file(`${path}/hooks/pre-commit`, 0o755)] },
  ]),
  ['.git as a file', { lines: [file('.git')] }],
  ['a file below a link', { lines: [link('a', '../../victim'), file('a/file')] }],
  ['a file below a file', { lines: [file('a'), file('a/b')] }],
  ['the same path twice', { lines: [link('a', '../../victim/file'), file('a')] }],
  [
    'links out',
    { lines: [link('a', '/etc/shadow'), link('b', '../../me/.ssh/id_rsa'), link('c', '../.git/config'), link('d', '/proc/self/environ')] },
  ],
  [
    'links out by links',
    { lines: [folder('a'), link('a/up', '..'), link('b', 'a/up/../../me/.ssh/id_rsa'), link('c', 'a/up'), link('d', 'c/../.env')] },
  ],
  ['links in circles', { lines: [link('a', 'b'), link('b', 'a'), link('c', 'c')] }],
  ['a link to a link that comes later', { lines: [link('a', 'z/id_rsa'), link('z', '../../me/.ssh')] }],
  ['the link that other results go through', { lines: [link('out', '..'), link('r', '..')] }],
  ['names that act on terminals', { lines: [file('\u001b]52;c;eA==\u0007'), file('a\r\u001b[2J\nb'), link('c\u009b31m', '/x\u001b[6n')] }],
  ['a name of commands', { lines: [file('::set-output name=outcome::success'), link('::error::x', '/y\n::error::z')] }],
  ['a name that is no UTF-16', { lines: [file('\ud800'), file('\udc80')] }],
  ['names as long as can be', { lines: [file('n'.repeat(255)), file('o'.repeat(256))] }],
  ['set-id and strange modes', { lines: [file('a', 0o6755), folder('b', 0), file('b/c', 0), file('d', 2 ** 40)] }],
  ['times that are none', { lines: [file('a', 420, '9'.repeat(20)), file('b', 420, -1)] }],
  ['times at the end of all', { lines: [file('a', 420, '9223372036854775807'), file('b', 420, '-9223372036854775808')] }],
  ['a file of half a terabyte of nothing', { lines: [['f', 'a', 420, TIME, 5e11, SUM, [-1, '', 0, 0, 0, 5e11, 0]]] }],
  ['a piece of a neighbour', { lines: [file('a')], header: { keys: ['../../neighbour/p'] } }],
  ['a piece behind the end', { lines: [['f', 'a', 420, TIME, 5, SUM, [0, '', 1 << 25, 5, 0, 5, 0]]] }],
  [
    'a frame that unfolds',
    { lines: [['f', 'a', 420, TIME, 5, SUM, [0, '', 0, 98_000, 0, 5, 1]]], pack: () => packed(Buffer.alloc(1 << 30)) },
  ],
  ['a piece with another content', { lines: [file('a')], pack: () => Buffer.from('other') }],
  ['a pack that is cut off', { lines: [file('a')], pack: () => Buffer.from('ev') }],
  ['as many entries as may be, and no two of one path', { manifest: counted(1_490_000) }],
  ['entries without end', { manifest: repeated('["d","a",493,"1"]\n', 1_400_000) }],
  ['a line without end', { manifest: () => packed(Buffer.alloc(1 << 28, ' ')) }],
  ['lists in lists', { manifest: () => packed(`${'['.repeat(1 << 23)}\n`) }],
  ['a manifest that is none', { manifest: () => Buffer.from('x') }],
  ['__proto__', { lines: [folder('__proto__'), file('__proto__/toString'), file('constructor')] }],
]

const STEP = { command: 'collect', name: NAME, to: 'out' }
const DISCARD = ['destroy', NAME, '--discard']

describe('a forged snapshot', () => {
  test.each(sampledPart(SNAPSHOTS))('%s', async (_name, forged) => {
    const lie = (): Promise<void> => forge(forged)
    const pulled = await p.attack(lie, [
      ['pull', NAME, '**', '--to', 'out'],
      ['collect', NAME, '--to', 'out'],
    ])
    expect([...pulled, ...(await p.attack(lie, [STEP])), ...(await p.attack(lie, [DISCARD]))]).toEqual([])
  })
})

/** A folder store contains whatever its writers put there. */
const FOLDERS: readonly (readonly [string, (at: (path: string) => string) => void])[] = [
  ...['current.json', 'slots/0/slot.json', 'spec.json', 'control.json', 'slots/0/log/000001-0000000001'].flatMap(
    (key): (readonly [string, (at: (path: string) => string) => void])[] => [
      [`${key} is a link to a secret`, (at) => replaced(at(key), (path) => symlinkSync(join(p.root, 'me/.ssh/id_rsa'), path))],
      [`${key} is a pipe`, (at) => replaced(at(key), (path) => execFileSync('mkfifo', [path]))],
      [`${key} is a device without end`, (at) => replaced(at(key), (path) => symlinkSync('/dev/zero', path))],
      [`${key} is torn off in its first bytes`, (at) => truncateSync(at(key), 5)],
      [`${key} is a folder`, (at) => replaced(at(key), (path) => mkdirSync(path))],
    ],
  ),
  [
    'a pack is a link to a secret',
    (at) => {
      const [pack = ''] = readdirSync(at('slots/0/snap')).filter((name) => name.startsWith('p-'))
      replaced(at(`slots/0/snap/${pack}`), (path) => symlinkSync(join(p.root, 'me/.ssh/id_rsa'), path))
    },
  ],
  [
    "folders are links to what is somebody's",
    (at) => {
      for (const key of ['slots/0/log', 'slots/0/metrics', 'base', 'agent'])
        replaced(at(key), (path) => symlinkSync(join(p.root, 'victim'), path))
    },
  ],
  ["all of it is a link to what is somebody's", (at) => replaced(at('slots'), (path) => symlinkSync(join(p.root, 'victim'), path))],
  [
    'it is a link to the neighbour',
    (at) =>
      replaced(dirname(at('spec.json')), (path) => {
        const store = dirname(dirname(path))
        const [neighbour = ''] = readdirSync(store).filter((name) => name.startsWith(`tpi-${NEIGHBOUR}-`))
        const [incarnation = ''] = readdirSync(join(store, neighbour)).filter((name) => !name.startsWith('current'))
        symlinkSync(join(store, neighbour, incarnation), path)
      }),
  ],
]

function replaced(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true, force: true })
  make(path)
}

describe('a folder as store, in which', () => {
  test.each(sampledPart(FOLDERS))('%s', async (_name, replace) => {
    const lie = (): void => replace((path) => (path === 'current.json' ? join(dirname(p.folder), path) : join(p.folder, path)))
    const found = await p.attack(lie, [['status', NAME], ['list'], ['logs', NAME], ['collect', NAME, '--to', 'out']])
    expect([...found, ...(await p.attack(lie, [['sweep'], DISCARD]))]).toEqual([])
  })
})
