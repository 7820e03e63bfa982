/** How long a runner stays without a job, as users write it. */
import { describe, expect, test } from '@jest/globals'
import { InputError } from '../../src/core/errors.ts'
import { idleOf } from '../../src/verbs/runner/request-from-options.ts'

describe('the idle time', () => {
  test.each([
    ['5m', 300],
    ['90s', 90],
    ['1h 30m', 5400],
    ['1d', 86_400],
    ['PT10M', 600],
    ['500ms', 0.5],
  ])('%s is %d seconds', (text, seconds) => {
    expect(idleOf(text, '--idle-timeout')).toBe(seconds)
  })

  test.each(['never', ' never ', '0', '0s', '-1'])('%s is for ever', (text) => {
    expect(idleOf(text, '--idle-timeout')).toBeNull()
  })

  test.each(['300', '5', '-5m', 'soon', '', '5 fortnights'])('"%s" is refused: a number needs a unit', (text) => {
    expect(() => idleOf(text, '--idle-timeout')).toThrow(InputError)
    expect(() => idleOf(text, '--idle-timeout')).toThrow(`--idle-timeout: "${text}" is not a time`)
  })

  test('one that is longer than any run is refused', () => {
    expect(idleOf('365d', '--idle-timeout')).toBe(31_536_000)
    expect(() => idleOf('366d', '--idle-timeout')).toThrow('--idle-timeout: "366d" is too large (the maximum is "365d"; or write "never")')
  })

  test('bare seconds are accepted in the variables of CML, and only there', () => {
    expect(idleOf('300', 'CML_RUNNER_IDLE_TIMEOUT')).toBe(300)
    expect(idleOf('0', 'CML_RUNNER_IDLE_TIMEOUT')).toBeNull()
    expect(() => idleOf('300', 'TPI_IDLE_TIMEOUT')).toThrow('write "300s" for seconds')
  })
})
