/** Every reader of what a machine or a store says, with random lies: each gives an answer that can be printed, or exactly one error. */
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { type Status, statusOf } from '../../src/engine/follow/status.ts'
import { render } from '../../src/host/outputs-file.ts'
import { closingReport } from '../../src/report/closing.ts'
import { outputsOf, ownOutputs } from '../../src/report/outputs.ts'
import type { RunReport } from '../../src/report/run.ts'
import { MOST_PAGE, summaryOf } from '../../src/report/summary.ts'
import { SnapshotError } from '../../src/snapshot/errors.ts'
import { decodeManifest } from '../../src/snapshot/format/manifest.ts'
import { framesIn } from '../../src/stores/http/frames.ts'
import { parseXml } from '../../src/stores/xml.ts'
import { EXEC_ANSWER } from '../../src/wire/exec.ts'
import { decodeSegment, encodeSegment } from '../../src/wire/log.ts'
import { parseRecord, type RecordKind, VERSION } from '../../src/wire/parse.ts'
import { COLLECTED, CONTROL, CURRENT, REGISTRATION, SECRETS, SETTLED } from '../../src/wire/records.ts'
import { decodeSamples } from '../../src/wire/sample.ts'
import { SLOT, type SlotRecord } from '../../src/wire/slot.ts'
import { SPEC, type Spec } from '../../src/wire/spec.ts'
import { isStoreError } from '../../src/wire/store.ts'
import { anyCharacter } from '../setup/character.ts'
import { ENDED_SLOT } from '../wire/specs.ts'

const HOW = { seed: 20_261_123, numRuns: 100 }
const AT = '2030-01-01T00:00:00.000Z'
const SUM = 'a'.repeat(64)
const KEY = 'tpi-x-0123456789/inc/record.json'

const slot: SlotRecord = {
  ...ENDED_SLOT,
  state: 'failed',
  address: 'host',
  previous: ENDED_SLOT.head!,
  attempts: ENDED_SLOT.attempts.map((attempt) => ({ ...attempt, reason: 'exit code 1', exitCode: 1, savedAt: AT })),
  cause: 'exit',
  reason: 'exit code 1',
  exitCode: 1,
  summary: 'text',
  jobs: [{ epoch: 1, start: AT, end: AT, facts: { repository: 'r', run: '1', job: 'j', attempt: '1' } }],
  served: 1,
}
const spec = {
  v: VERSION,
  id: 'tpi-x-0123456789',
  incarnation: 'inc',
  name: 'x',
  mode: 'task',
  createdAt: AT,
  origin: { repository: 'r', commit: 'c', runUrl: 'https://forge/run', user: 'ann@box' },
  count: 1,
  lifetime: { deadline: AT, grace: 1, reserve: 1, retention: 1 },
  lease: { beat: 1, ttl: 4, storeGrace: 9 },
  env: { A: 'b' },
  secretNames: ['S'],
  retry: { maxAttempts: 1, retries: 0, retryOn: ['exit'] },
  failFast: false,
  gang: false,
  agent: SUM,
  fingerprint: { script: 'x' },
  program: { script: 'true' },
  workingDirectory: '.',
  output: ['r'],
  checkpoint: { interval: 1, globs: [] },
  delivery: { outputLayout: 'merge', keepOnFailure: false },
}
const current = {
  v: VERSION,
  nonce: 'n',
  id: 'tpi-x-0123456789',
  name: 'x',
  incarnation: 'i',
  createdAt: AT,
  origin: {},
  state: 'open',
  registry: { forge: 'github', scope: { url: 'https://forge' } },
  relaunch: { since: AT, labels: ['l'], request: { a: [1, { b: 2 }] }, repositories: ['r'] },
}
const control = {
  v: VERSION,
  nonce: 'n',
  stop: { at: AT, by: 'stop', grace: 1 },
  interrupts: [{ id: 'a', at: AT, slot: 0 }],
  execs: [{ id: 'a', at: AT, slot: 0, machine: 'm', argv: ['ls'], seconds: 1 }],
  online: AT,
  price: 1,
}
const KINDS: readonly (readonly [string, RecordKind<object>, object])[] = [
  ['slot', SLOT, slot],
  ['spec', SPEC, spec],
  ['current', CURRENT, current],
  ['control', CONTROL, control],
  ['answer', EXEC_ANSWER, { v: VERSION, code: 0, problem: 'x', out: 'aGk=', err: '', cut: true }],
  ['collected', COLLECTED, { v: VERSION, at: AT, by: 'ann', heads: { 0: SUM } }],
  ['settled', SETTLED, { v: VERSION, nonce: 'n', jobs: { a: 'b' }, unharmed: ['m'] }],
  ['registration', REGISTRATION, { v: VERSION, files: { '.runner': '{}' } }],
  ['secrets', SECRETS, { v: VERSION, env: { A: 'b' } }],
]

const odd = fc.oneof<fc.Arbitrary<unknown>[]>(
  fc.constantFrom<unknown>(
    null,
    '',
    '__proto__',
    '../../x',
    '/etc/shadow',
    '\u001b]52;c;eA==\u0007',
    '::error::x',
    'a\nb<<c',
    '\u0000',
    '\ud800',
    '9'.repeat(400),
    'x'.repeat(100_000),
    '2030-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-99-99T99:99:99Z',
    -1,
    0.5,
    70,
    2 ** 31,
    Number.MAX_SAFE_INTEGER,
    1e308,
    [],
    {},
    [[]],
    { length: -1 },
    { toString: 1, valueOf: 1, toJSON: 1 },
    true,
  ),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 3 }),
)
const name = fc.constantFrom('__proto__', 'constructor', 'toString', '\u001b[2J', 'outcome<<X', '', 'x'.repeat(1000), 'hasOwnProperty', '0')
const changes = fc.array(
  fc.record({ where: fc.nat(10_000), what: odd, how: fc.constantFrom('set', 'set', 'set', 'remove', 'add', 'many'), name }),
  {
    minLength: 1,
    maxLength: 3,
  },
)
type Changes = typeof changes extends fc.Arbitrary<infer T> ? T : never

type Holder = Record<string, unknown> | unknown[]
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

/** The JSON of `honest`, changed in some places. As text, because objects cannot have all of these names. */
function lie(honest: unknown, changes: Changes): string {
  const value: unknown = structuredClone(honest)
  for (const { where, what, how, name: called } of changes) {
    const places: { holder: Holder; key: string }[] = []
    const gather = (holder: unknown): void => {
      if (!isHolder(holder)) return
      for (const [key, child] of Object.entries(holder)) {
        places.push({ holder, key })
        gather(child)
      }
    }
    gather(value)
    const place = places[where % Math.max(1, places.length)]
    if (!place) continue
    const holder = place.holder as Record<string, unknown>
    if (how === 'set') holder[place.key] = what
    else if (how === 'remove') delete holder[place.key]
    else if (how === 'add') Object.defineProperty(holder, called, { value: what, enumerable: true, configurable: true, writable: true })
    else holder[place.key] = Array.from({ length: 2000 }, () => holder[place.key])
  }
  return JSON.stringify(value)
}

/** The error is of one of tpi's own kinds, and its message is a printable line. */
function plainError(error: unknown, kinds: readonly string[]): void {
  const { kind, message } = error as { kind?: string; message: string }
  expect([...kinds, 'not an error of tpi']).toContain(isStoreError(error) || error instanceof SnapshotError ? kind : String(error))
  expect(message.length).toBeLessThan(2000)
  expect(message).not.toMatch(/\p{Cc}|TypeError|RangeError|cannot read|undefined/iu)
}

const clean = Object.getOwnPropertyNames(Object.prototype).toSorted()
const unpolluted = (): void => expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(clean)

describe('a record', () => {
  test.each(KINDS)('%s is read as it was written, whatever it claims', (_, kind, honest) => {
    expect(parseRecord(kind, Buffer.from(JSON.stringify(honest)), KEY)).toEqual(honest)
    fc.assert(
      fc.property(changes, (changes) => {
        const text = lie(honest, changes)
        try {
          const read = parseRecord(kind, Buffer.from(text), KEY)
          // Nothing else is taken over, and the result can be read again.
          expect(parseRecord(kind, Buffer.from(JSON.stringify(read)), KEY)).toEqual(read)
          expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
        } catch (error) {
          plainError(error, ['corrupt'])
        }
        unpolluted()
      }),
      HOW,
    )
  })

  const NONE: readonly (readonly [string, string | Buffer])[] = [
    ['null', 'null'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['nothing', ''],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['lists in lists', '['.repeat(1 << 17)],
    ['objects in objects', '{"v":'.repeat(1 << 15)],
    ['__proto__', '{"v":2,"__proto__":{"state":"succeeded","attempts":[]},"constructor":{"prototype":{}}}'],
    ['cut off', '{"v":2,"nonce":"n'],
    ['blanks', Buffer.alloc(40 << 20, ' ')],
  ]
  test.each(NONE)('that is not one (%s) is one error, for every kind of record', (_name, text) => {
    const bytes = Buffer.from(text)
    for (const [, kind] of KINDS) {
      let thrown: unknown
      try {
        parseRecord(kind, bytes, KEY)
      } catch (error) {
        thrown = error
      }
      plainError(thrown, ['corrupt'])
    }
    unpolluted()
  })

  test('of any bytes is one error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...KINDS), (bytes, [, kind]) => {
        try {
          parseRecord(kind, bytes, KEY)
        } catch (error) {
          plainError(error, ['corrupt'])
        }
      }),
      HOW,
    )
  })

  test('that passes can be reported: status, page, outputs, last lines', () => {
    let reported = 0
    fc.assert(
      fc.property(changes, (changes) => {
        let record: SlotRecord
        try {
          record = parseRecord(SLOT, Buffer.from(lie(slot, changes)), KEY)
        } catch {
          return
        }
        reported += 1
        const status: Status = statusOf({ cloud: 'local', spec: spec as unknown as Spec, store: 'dir:///s', slots: [record] })
        const run: RunReport = {
          status,
          attached: false,
          result: status.slots[0]?.outputs,
          keptUntil: undefined,
          artifact: undefined,
          tails: new Map(),
          samples: new Map([[0, decodeSamples(Buffer.from('{}'))]]),
          price: undefined,
          now: new Date(AT),
          delivery: undefined,
        }
        expect(Number.isInteger(status.exitCode ?? 0) && (status.exitCode ?? 0) >= 0).toBe(true)
        expect(Buffer.byteLength(summaryOf(run))).toBeLessThan(MOST_PAGE + 2048)
        expect(closingReport({ status, keptUntil: undefined, delivery: undefined })).toEqual(expect.any(String))
        const { values } = ownOutputs(run, Object.keys(outputsOf(run)))
        for (const each of Object.keys(values)) expect(each).toMatch(/^[A-Za-z_][\w.-]*$/)
        expect(render(new Map(Object.entries(values))).text).not.toMatch(/[^\P{Cc}\n\t]/u)
        unpolluted()
      }),
      { ...HOW, numRuns: 200 },
    )
    // Most lies are detected, but not all.
    expect(reported).toBeGreaterThan(5)
  })
})

describe('a log segment', () => {
  const whole = encodeSegment({ v: VERSION, stream: 'script', at: AT, bytes: Buffer.from('said\n') })
  test('is read as it was written, or not at all', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length), fc.nat(255)), { minLength: 1, maxLength: 6 }), (bites) => {
        const bytes = Buffer.from(whole)
        for (const [at, byte] of bites) bytes[at % whole.length] = byte
        try {
          expect(['setup', 'script', 'agent']).toContain(decodeSegment(bytes, KEY).stream)
        } catch (error) {
          plainError(error, ['corrupt'])
        }
      }),
      HOW,
    )
  })
})

test('samples are numbers that a chart can show', () => {
  const honest = { at: AT, cpu: 0.5, cores: 2, memory: 1, memoryTotal: 2, gpus: [{ busy: 1, memory: 1, memoryTotal: 2 }] }
  fc.assert(
    fc.property(changes, (changes) => {
      for (const sample of decodeSamples(Buffer.from(`${lie(honest, changes)}\n{}\nnull\n[`))) {
        expect(Number.isNaN(Date.parse(sample.at))).toBe(false)
        for (const { busy, memory, memoryTotal } of sample.gpus ?? []) expect([busy, memory, memoryTotal].every(Number.isFinite)).toBe(true)
        expect([sample.cpu, sample.memory, sample.memoryTotal].every(Number.isFinite)).toBe(true)
      }
    }),
    HOW,
  )
})

describe('a manifest', () => {
  const TIME = '1700000000000000000'
  const honest = [
    { v: 2, quiet: true, unquiet: [], keys: ['slots/0/snap/p-1'], entries: 4 },
    ['d', 'a', 493, TIME],
    ['f', 'a/b', 420, TIME, 5, SUM, [0, '', 0, 5, 0, 5, 0]],
    ['f', 'a/c', 420, TIME, 5, SUM, [0, '', 10, 7, 0, 5, 1]],
    ['l', 'd', 511, TIME, 'a/b'],
  ]
  const bytesOf = (lines: unknown): Buffer => zstdCompressSync(`${(lines as unknown[]).map((line) => JSON.stringify(line)).join('\n')}\n`)

  test('names only paths below its folder and its deployment', async () => {
    expect((await decodeManifest(bytesOf(honest))).entries.length).toBe(4)
    await fc.assert(
      fc.asyncProperty(changes, async (changes) => {
        const lines: unknown = JSON.parse(lie(honest, changes))
        if (!Array.isArray(lines)) return
        try {
          for (const entry of (await decodeManifest(bytesOf(lines))).entries) {
            expect(`/${entry.path}/`).not.toMatch(/\/(\.{0,2})\/|\0/)
            if (entry.type === 'file')
              for (const { key, sha256 } of entry.pieces) expect([`/${key}/`.includes('/../'), sha256.length]).toEqual([false, 64])
          }
        } catch (error) {
          plainError(error, ['corrupt', 'too-large'])
        }
        unpolluted()
      }),
      HOW,
    )
  })
})

describe('a server', () => {
  const frames = async (bytes: Uint8Array): Promise<void> => {
    const chunks = (async function* () {
      for (let at = 0; at < bytes.length; at += 7) yield Buffer.from(bytes.subarray(at, at + 7))
    })()
    for await (const reported of framesIn(chunks)) if (reported !== 'caught-up') expect(typeof reported.key).toBe('string')
  }

  test('that pushes anything is read, or is one error', async () => {
    const line = fc.oneof(
      odd.map((value) => JSON.stringify(value) ?? ''),
      fc.array(odd, { maxLength: 4 }).map((value) => JSON.stringify(value)),
      fc.constant('["a","v",3]\nabc'),
      fc.string({ unit: anyCharacter, maxLength: 40 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (lines) => {
        const error = await frames(Buffer.from(`${lines.join('\n')}\n`)).catch((thrown: unknown) => thrown)
        if (error !== undefined) plainError(error, ['corrupt'])
      }),
      HOW,
    )
  })

  test('that lists anything is read, or is one error', () => {
    const part = fc.constantFrom(
      '<a>',
      '</a>',
      '<a b="c">',
      '&lt;',
      '&#x1F600;',
      '&#99999999999;',
      '&x;',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?xml?>',
      '<!DOCTYPE a [<!ENTITY b "c">]>',
      '<',
      '>',
      'x',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 5 })), { maxLength: 20 }), (parts) => {
        try {
          parseXml(parts.join(''))
        } catch (error) {
          expect((error as Error).message).not.toMatch(/TypeError|RangeError|Invalid code point|cannot read/i)
        }
      }),
      HOW,
    )
  })
})
