/** Whether a second Ctrl-C counts. */
import { expect, test } from '@jest/globals'
import { listenFor } from '../../src/verbs/shared/signals.ts'
import { pretended } from '../setup/signals.ts'

test('a second Ctrl-C counts within 5 s of the first, and again from the time at which the user is told so; a later one ends everything', () => {
  const once = pretended()
  once.send('SIGINT')
  once.now = 5001
  once.send('SIGTERM')
  expect([once.signals.kind(), once.signals.first.aborted, once.signals.second.aborted]).toEqual(['SIGINT', true, false])
  once.signals.renew()
  once.now = 10_000
  once.send('SIGINT')
  expect(once.signals.second.aborted).toBe(true)
  const late = pretended()
  late.send('SIGINT')
  late.now = 6000
  late.signals.renew()
  late.now = 11_001
  expect(late.signals.last.aborted).toBe(false)
  late.send('SIGINT')
  expect([late.signals.second.aborted, late.signals.last.aborted]).toEqual([false, true])
})

test('two, one soon after the other, count before anything is said', () => {
  const both = pretended()
  both.send('SIGINT')
  both.now = 300
  both.send('SIGINT')
  both.signals.renew()
  expect(both.signals.second.aborted).toBe(true)
})

test('one that is pressed again and again is heard', () => {
  const often = pretended()
  for (const now of [0, 200, 400]) {
    often.now = now
    often.send('SIGINT')
  }
  expect(often.signals.second.aborted).toBe(true)
})

test('one Ctrl-C that npm passes on as well counts once', () => {
  const once = pretended()
  for (const now of [0, 2, 6000, 6002]) {
    once.now = now
    once.send('SIGINT')
    if (now === 2) once.signals.renew()
  }
  expect([once.signals.first.aborted, once.signals.second.aborted]).toEqual([true, false])
  once.now = 6500
  once.signals.renew()
  once.send('SIGINT')
  expect(once.signals.second.aborted).toBe(true)
})

test('a terminal that goes away is heard once, and is no second Ctrl-C', () => {
  for (const first of ['SIGHUP', 'SIGINT'] as const) {
    const gone = pretended()
    for (const [now, name] of [
      [0, first],
      [1000, 'SIGHUP'],
      [2000, 'SIGHUP'],
    ] as const) {
      gone.now = now
      gone.send(name)
    }
    expect([gone.signals.kind(), gone.signals.first.aborted, gone.signals.second.aborted]).toEqual([first, true, false])
  }
})

test('the SIGTERM of a session that ends is a hangup: both come at once, in any order', () => {
  for (const [second, kind] of [
    [1, 'SIGHUP'],
    [1000, 'SIGTERM'],
  ] as const) {
    const ended = pretended()
    ended.send('SIGTERM')
    ended.now = second
    ended.send('SIGHUP')
    expect([ended.signals.kind(), ended.signals.second.aborted]).toEqual([kind, false])
  }
})

test('only Ctrl-C is a second Ctrl-C', () => {
  const both = pretended()
  both.send('SIGINT')
  both.now = 1000
  both.send('SIGTERM')
  expect([both.signals.kind(), both.signals.second.aborted]).toEqual(['SIGINT', false])
})

test('each further line for a reader that has left changes nothing', () => {
  const fails: ((error: unknown) => void)[] = []
  const signals = listenFor({ on() {} }, () => 0, [{ on: (_, listener) => fails.push(listener) }])
  for (const fail of [...fails, ...fails]) fail(Object.assign(new Error('write'), { code: 'EPIPE' }))
  expect([signals.kind(), signals.first.aborted, signals.second.aborted]).toEqual(['unread', true, false])
})

test('a command that goes on without its reader is asked to end by the first Ctrl-C, and left as it is by the next', () => {
  const fails: ((error: unknown) => void)[] = []
  const once = pretended([{ on: (_, listener) => fails.push(listener) }])
  for (const fail of fails) fail(Object.assign(new Error('write'), { code: 'EPIPE' }))
  const heard = (): boolean[] => [once.signals.first, once.signals.asked, once.signals.last].map(({ aborted }) => aborted)
  expect(heard()).toEqual([true, false, false])
  once.now = 20_000
  once.send('SIGINT')
  expect(heard()).toEqual([true, true, false])
  expect(once.signals.asked.reason).toBe(once.signals.first.reason)
  once.now = 21_000
  once.send('SIGINT')
  expect(heard()).toEqual([true, true, true])
})

test('a terminal that goes away does not ask a command to end; SIGTERM after that does', () => {
  const gone = pretended()
  gone.send('SIGHUP')
  expect([gone.signals.first.aborted, gone.signals.asked.aborted]).toEqual([true, false])
  gone.now = 1000
  gone.send('SIGTERM')
  expect(gone.signals.asked.aborted).toBe(true)
})
