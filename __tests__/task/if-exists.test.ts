import { describe, expect, test } from '@jest/globals'
import { InputError } from '../../src/core/errors.ts'
import { differences, fingerprint } from '../../src/engine/create/fingerprint.ts'
import { type Comer, type Met, meet } from '../../src/task/if-exists.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import type { TaskSpec } from '../../src/wire/spec.ts'

const slot = (over: Partial<SlotRecord>): SlotRecord => ({ ...newSlot(0, 'n', ''), ...over })
const running = [slot({ state: 'running' })]
const failed = [slot({ state: 'failed', cause: 'exit', exitCode: 1 })]
const done = [slot({ state: 'succeeded' })]

function met(slots: SlotRecord[], collected = false, origin = {}): Met {
  const spec: Partial<TaskSpec> = {
    id: 'tpi-fit-0123456789',
    name: 'fit',
    createdAt: '2026-01-01T00:00:00Z',
    fingerprint: { script: 'a' },
    origin,
  }
  return { spec: spec as TaskSpec, slots, collected }
}
const comer = (over: Partial<Comer> = {}): Comer => ({
  fingerprint: { script: 'a' },
  origin: {},
  ifExists: undefined,
  resume: false,
  ...over,
})

describe('the same command again', () => {
  test('attaches to a run that is running or was not collected, if nothing differs', () => {
    expect(meet(met(running), comer())).toBe('attach')
    expect(meet(met(done), comer())).toBe('attach')
  })

  test('names what differs, and what to do', () => {
    expect(() => meet(met(running), comer({ fingerprint: { script: 'b', timeout: 'c' } }))).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/it differs in: script, timeout$/),
        hint: expect.stringContaining('if-exists: attach'),
      }),
    )
  })

  test('attaches to a running run if only the work directory differs, except to another CI job’s', () => {
    const edited = { fingerprint: { script: 'a', workdir: 'new' } }
    expect(meet(met(running), comer(edited))).toBe('attach')
    expect(() => meet(met(done), comer(edited))).toThrow(/it differs in: workdir$/)
    expect(() => meet(met(running), comer({ fingerprint: { script: 'b', workdir: 'new' } }))).toThrow(/script, workdir$/)
    const there = met(running, false, { run: '7', step: 'a' })
    expect(() => meet(there, comer({ ...edited, origin: { run: '8', step: 'b' } }))).toThrow(/it differs in: workdir$/)
    for (const slots of [running, done])
      expect(meet(met(slots, false, { run: '7', step: 'a' }), comer({ ...edited, origin: { run: '7', step: 'a' } }))).toBe('attach')
  })

  test('starts again when the former run was collected', () => {
    expect(meet(met(done, true), comer({ fingerprint: { script: 'other' } }))).toBe('anew')
  })

  test('resumes a failed run only when asked, collected or not', () => {
    expect(meet(met(failed, true), comer({ resume: true }))).toBe('resume')
    expect(meet(met(failed), comer({ resume: true }))).toBe('resume')
    expect(meet(met(failed, true), comer())).toBe('anew')
    expect(meet(met(done, true), comer({ resume: true }))).toBe('anew')
  })

  test('if-exists overrides', () => {
    expect(meet(met(running), comer({ ifExists: 'attach', fingerprint: { script: 'b' } }))).toBe('attach')
    expect(meet(met(running), comer({ ifExists: 'replace' }))).toBe('replace')
    expect(() => meet(met(running), comer({ ifExists: 'fail' }))).toThrow(InputError)
  })

  const other = { fingerprint: { script: 'b' } }
  test.each<[string, Partial<Comer>, readonly (string | typeof InputError)[]]>([
    ['the same command', {}, ['attach', 'attach', 'anew']],
    ['one with other files', { fingerprint: { script: 'a', workdir: 'new' } }, ['attach', InputError, 'anew']],
    ['one where other things differ', other, [InputError, InputError, 'anew']],
    ['--if-exists attach', { ...other, ifExists: 'attach' }, ['attach', 'attach', 'anew']],
    ['--if-exists fail', { ifExists: 'fail' }, [InputError, InputError, 'anew']],
    ['--if-exists replace', { ...other, ifExists: 'replace' }, ['replace', 'replace', 'replace']],
    ['--resume', { resume: true }, ['attach', 'resume', 'resume']],
  ])('%s treats an open run, an ended one and a collected one as docs/recovery.md says', (_, over, meetings) => {
    const found = [met(running), met(failed), met(failed, true)]
    for (const [at, meeting] of meetings.entries()) {
      if (typeof meeting === 'string') expect(meet(found[at]!, comer(over))).toBe(meeting)
      else expect(() => meet(found[at]!, comer(over))).toThrow(meeting)
    }
  })

  test('two steps of one run never meet; a re-run of the same step does', () => {
    const there = met(running, false, { run: '7', step: 'a' })
    expect(() => meet(there, comer({ origin: { run: '7', step: 'b' }, ifExists: 'attach' }))).toThrow(/another step or matrix leg/)
    expect(meet(there, comer({ origin: { run: '7', step: 'a' } }))).toBe('attach')
    expect(meet(there, comer({ origin: { run: '8', step: 'b' } }))).toBe('attach')
  })
})

test('two jobs of one attempt of a workflow run never meet, however similar, unless requested', () => {
  const origin = { run: '7', step: 'a', attempt: '1' }
  const there = met(running, false, origin)
  expect(() => meet(there, comer({ origin }))).toThrow(expect.objectContaining({ hint: expect.stringContaining('give each its own name') }))
  expect(meet(there, comer({ origin: { ...origin, attempt: '2' } }))).toBe('attach')
  expect(meet(there, comer({ origin, ifExists: 'attach' }))).toBe('attach')
  expect(meet(met(done, true, origin), comer({ origin }))).toBe('anew')
})

describe('fingerprint', () => {
  test('is keyed by the deployment, ignores absent fields, and finds every difference', () => {
    const one = fingerprint('id-1', { script: 'x', timeout: 1, image: undefined })
    expect(Object.keys(one)).toEqual(['script', 'timeout'])
    expect(fingerprint('id-2', { script: 'x', timeout: 1 })['script']).not.toBe(one['script'])
    expect(differences(one, fingerprint('id-1', { script: 'x', timeout: 2, image: 'u' }))).toEqual(['image', 'timeout'])
  })
})
