import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { deploymentTags } from '../../src/core/tags.ts'
import type { Shape } from '../../src/lib/shape.ts'
import { recordedRequest } from '../../src/runner/recorded-request.ts'
import { EXEC_ANSWER } from '../../src/wire/exec.ts'
import { decodeSegment, encodeSegment } from '../../src/wire/log.ts'
import { MACHINE } from '../../src/wire/machine.ts'
import { parseRecord, type RecordKind, recordBytes, VERSION } from '../../src/wire/parse.ts'
import { COLLECTED, CONTROL, CURRENT, REGISTRATION, SECRETS, SETTLED } from '../../src/wire/records.ts'
import { SLOT } from '../../src/wire/slot.ts'
import { SPEC } from '../../src/wire/spec.ts'
import { COMMON, ENDED_SLOT as slot, TASK } from './specs.ts'

const AT = '2030-01-01T00:00:00.000Z'
const SUM = 'a'.repeat(64)
const KEY = 'tpi-x-0123456789/inc/slots/0/slot.json'

const bytes = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

function said(kind: RecordKind<unknown>, value: unknown, key = KEY): string {
  try {
    parseRecord(kind, bytes(value), key)
    return 'read'
  } catch (error) {
    return `${(error as { kind?: string }).kind}: ${(error as Error).message}`
  }
}

test('a record comes back as it was written', () => {
  expect(parseRecord(SLOT, recordBytes(SLOT, slot), KEY)).toEqual(slot)
})

test('a torn record, and one of something else, is one error that names it', () => {
  const whole = JSON.stringify(slot)
  const torn = `corrupt: record "${KEY}" is cut off, or was not written by this program: it is not JSON, and should be the record of a slot`
  expect(said(SLOT, whole.slice(0, -1))).toBe(torn)
  expect(said(SLOT, '')).toBe(torn)
  expect(() => parseRecord(SLOT, Buffer.from([0x22, 0xff, 0x22]), KEY)).toThrow('it is not JSON')
  for (const other of ['null', '[]', '"x"', '7']) expect(said(SLOT, other)).toMatch(/is not the record of a slot: it must be an object$/)
})

test('a record of another version says what to do', () => {
  expect(said(SLOT, { ...slot, v: VERSION + 1 })).toBe(
    `corrupt: record "${KEY}" was written by a newer version of tpi (its version is ${VERSION + 1}, and this program reads ${VERSION}): update tpi`,
  )
  expect(said(SLOT, { ...slot, v: 1 })).toContain(
    'an older version of tpi (its version is 1, and this program reads 2): use the version that wrote it',
  )
  expect(said(SLOT, { ...slot, v: '2' })).toContain('"v" must be 2')
})

describe('what a released version has written', () => {
  const golden = JSON.parse(readFileSync(join(import.meta.dirname, '../golden/records.json'), 'utf8')) as Record<string, object[]>
  const kinds = { current: CURRENT, spec: SPEC, slot: SLOT, control: CONTROL, collected: COLLECTED, machine: MACHINE }
  const shapes: Record<string, Shape<unknown>> = { tags: deploymentTags, request: recordedRequest }
  for (const [name, { shape }] of Object.entries(kinds)) shapes[name] = shape

  /** From the first release on, records are only added: a new field is optional, or `VERSION` increases and these are replaced. */
  test.each(Object.entries(golden))('is read, and nothing of it is dropped: %s', (name, records) => {
    for (const record of records) expect(shapes[name]?.(record)).toEqual(record)
  })
})

test("a record that is larger than any of tpi's is not even parsed", () => {
  expect(said(SLOT, ' '.repeat(SLOT.most + 1))).toContain(`has ${SLOT.most + 1} bytes, and the record of a slot has at most ${SLOT.most}`)
  expect(() => recordBytes(SLOT, { ...slot, summary: 'x'.repeat(SLOT.most) })).toThrow('cannot be written')
})

describe('a forged record of a slot', () => {
  test.each<readonly [string, object]>([
    ['"state" must be "waiting" or', { state: 'won' }],
    ['"cause" must be', { cause: 'x' }],
    ['"nonce" must be', { nonce: undefined }],
    ['"epoch" must be a whole number', { epoch: -1 }],
    ['"epoch" must be a whole number', { epoch: 1e300 }],
    ['"holder" must be a name', { holder: '\u001b]52;c;eA==\u0007' }],
    ['"holder" must be a name', { holder: '../../etc' }],
    ['"head.digest" must be a SHA-256', { head: { ...slot.head, digest: '../../../other/inc/base/m-x' } }],
    ['"head.at" must be a folder of snapshots', { head: { ...slot.head, at: '../../other/' } }],
    ['"head.at" must be a folder of snapshots', { head: { ...slot.head, at: 'slots/0/snap/../../../' } }],
    ['"attempts" must be a list', { attempts: {} }],
    ['"attempts[0].start" must be a time', { attempts: [{ epoch: 1, holder: 'm', start: 'yesterday' }] }],
    ['"exitCode" must be a whole number', { exitCode: '0' }],
    ['"outputs.a" must be text', { outputs: { a: 1 } }],
    ['"jobs[0].facts" must be an object', { jobs: [{ epoch: 1, start: AT, facts: null }] }],
    ['"at" must be a time', { at: '' }],
  ])('says: %s', (says, more) => {
    expect(said(SLOT, { ...slot, ...more })).toContain(`record "${KEY}" is not the record of a slot: ${says}`)
  })
})

const LIFE = { deadline: AT, grace: 1, reserve: 1, retention: 1 }
const common = {
  ...COMMON,
  v: VERSION,
  id: 'tpi-x-0123456789',
  incarnation: 'inc',
  name: 'x',
  createdAt: AT,
  origin: {},
  count: 1,
  lifetime: LIFE,
  agent: SUM,
}
const task = { ...common, ...TASK, mode: 'task' }

test.each<readonly [string, RecordKind<unknown>, unknown, string]>([
  ['spec.json', SPEC, { ...task, id: '../other' }, '"id" must be a name of lower-case letters'],
  ['spec.json', SPEC, { ...task, base: '../x' }, '"base" must be a SHA-256'],
  ['spec.json', SPEC, { ...task, program: {} }, '"program.argv" must be a list'],
  ['spec.json', SPEC, { ...task, count: 0 }, '"count" must be a whole number from 1'],
  ['spec.json', SPEC, { ...task, delivery: { outputLayout: 'mix', keepOnFailure: false } }, '"delivery.outputLayout" must be'],
  ['spec.json', SPEC, { ...common, mode: 'other' }, '"mode" must be "runner"'],
  ['current.json', CURRENT, { v: VERSION, nonce: 'n', id: 'a/b', name: 'x', incarnation: 'i', createdAt: AT, origin: {} }, '"id" must be'],
  ['control.json', CONTROL, { v: VERSION, nonce: 'n', stop: { at: 'now', by: 'x' } }, '"stop.at" must be a time'],
  ['control.json', CONTROL, { v: VERSION, nonce: 'n', interrupts: [{ id: 'a b', at: AT }] }, '"interrupts[0].id" must be'],
  ['control.json', CONTROL, { v: VERSION, nonce: 'n', execs: [{ id: '../x' }] }, '"execs[0].id" must be'],
  ['answers/a', EXEC_ANSWER, { v: VERSION, out: '\u001b[2J', err: '' }, '"out" must be base64'],
  ['answers/a', EXEC_ANSWER, { v: VERSION, code: 999, out: '', err: '' }, '"code" must be a whole number'],
  ['collected.json', COLLECTED, { v: VERSION, at: AT, by: '\u001b[2J', heads: {} }, '"by" must be one line'],
  ['settled.json', SETTLED, { v: VERSION, nonce: 'n', jobs: [], unharmed: [] }, '"jobs" must be an object'],
  ['secrets/registration/0', REGISTRATION, { v: VERSION, files: { a: 1 } }, '"files.a" must be text'],
  ['secrets/env.json', SECRETS, { v: VERSION }, '"env" must be an object'],
  ['machine.json', MACHINE, { v: VERSION, cloud: '../x' }, '"cloud" must be a name'],
])('a forged %s is refused', (key, kind, value, says) => {
  expect(said(kind, value, key)).toContain(`record "${key}" is not ${kind.what}: ${says}`)
})

test('a valid specification is read', () => {
  expect(said(SPEC, task)).toBe('read')
})

test('a log segment without its header, or with another one, is an error that names it', () => {
  const whole = encodeSegment({ v: VERSION, stream: 'script', at: AT, bytes: Buffer.from('a\nb') })
  expect(Buffer.from(decodeSegment(whole, 'key').bytes).toString()).toBe('a\nb')
  for (const [text, says] of [
    ['no header', 'record "key" is cut off'],
    ['{"v":3}\nx', 'a newer version of tpi'],
    [`{"v":2,"stream":"other","at":"${AT}"}\nx`, '"stream" must be "setup" or "script" or "agent"'],
  ] as const)
    expect(() => decodeSegment(Buffer.from(text), 'key')).toThrow(says)
})
