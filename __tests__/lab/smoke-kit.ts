/** What tests of the checks of real services share. */
import { expect } from '@jest/globals'
import type { Outcome, Settings } from '../../scripts/smoke/check.ts'
import { recordOf, textOf } from '../../scripts/smoke/print.ts'
import { FAST } from '../setup/world.ts'
import { commonCli } from '../storm/program.ts'

export function settings(more: Readonly<Record<string, string>>, signal = new AbortController().signal): Settings {
  const { PATH = '', TPI_AGENT_BUNDLE = '' } = process.env
  const env = { PATH, TPI_AGENT_BUNDLE, ...FAST, ...more }
  return { env, tpi: [process.execPath, commonCli()], signal, say: () => undefined }
}

/** Compared as readable text, in case something differs. */
export function judged(outcomes: readonly Outcome[]): void {
  const wrong = outcomes.filter(({ how }) => how !== 'as assumed')
  expect(wrong.map(textOf).join('\n')).toBe('')
  expect(outcomes.at(-1)).toMatchObject({ id: 'nothing-left' })
  expect(recordOf({ service: 'it', date: new Date(0), version: '0.1.0' }, outcomes).split('\n')).toHaveLength(outcomes.length + 4)
}
