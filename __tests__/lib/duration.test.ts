import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { formatDuration, parseDuration, writeDuration } from '../../src/lib/duration.ts'

describe('parseDuration', () => {
  test.each([
    ['90s', 90],
    ['90 s', 90],
    ['90 sec', 90],
    ['90 seconds', 90],
    ['5 minutes', 300],
    ['5min', 300],
    ['5m', 300],
    ['1h30m', 5400],
    ['1h 30m', 5400],
    ['1 hour 30 minutes', 5400],
    ['1.5h', 5400],
    ['1.5 hrs', 5400],
    ['2 days', 172_800],
    ['1D', 86_400],
    ['1w2d', 777_600],
    ['500ms', 0.5],
    ['1s 250ms', 1.25],
    ['0', 0],
    ['0s', 0],
    [' 10s ', 10],
    ['PT1H30M', 5400],
    ['pt1h30m', 5400],
    ['P1DT12H', 129_600],
    ['P2W', 1_209_600],
    ['PT0.5S', 0.5],
  ])('%j is %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  test.each([
    '',
    ' ',
    '90',
    '1.5',
    '-1s',
    '+1s',
    's',
    '1x',
    '1h1h',
    '30m1h',
    '5M',
    '5 M',
    '1y',
    '1 month',
    'P',
    'PT',
    'P1M',
    'P1Y',
    'P1DT',
    '1h,30m',
    '1e3s',
    '1.s',
    '.5s',
    'never',
    '1h30',
    '∞',
    '١s',
  ])('%j is refused', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  test('amounts that no number holds exactly are refused', () => {
    expect(parseDuration('99999999999999999999d')).toBeUndefined()
  })
})

test('what was formatted parses to the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (milliseconds) => {
      expect(parseDuration(writeDuration(milliseconds / 1000))).toBe(milliseconds / 1000)
    }),
  )
})

describe('formatDuration', () => {
  test.each([
    [0, '0s'],
    [0.25, '250ms'],
    [1.24, '1.2s'],
    [9.96, '9.9s'],
    [10.9, '10s'],
    [60, '1m'],
    [330, '5m 30s'],
    [3600, '1h'],
    [3661, '1h 1m'],
    [93_600, '1d 2h'],
    [86_405, '1d'],
    [-90, '-1m 30s'],
  ])('%d seconds are %j', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })

  test('is valid input itself, never longer than what it shows', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 10 ** 8, noNaN: true }), (seconds) => {
        const shown = parseDuration(formatDuration(seconds))
        expect(shown).toBeDefined()
        expect(shown).toBeLessThanOrEqual(seconds + 0.0005)
      }),
    )
  })
})
