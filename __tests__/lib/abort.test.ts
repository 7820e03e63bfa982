import { expect, test } from '@jest/globals'
import { onAbort, orAborted, orLate, untilWoken, within } from '../../src/lib/abort.ts'

test('once, at the abort or at once after it', () => {
  const over = new AbortController()
  let heard = 0
  onAbort(over.signal, () => (heard += 1))
  expect(heard).toBe(0)
  over.abort()
  expect(heard).toBe(1)
  onAbort(over.signal, () => (heard += 1))
  expect(heard).toBe(2)
})

test('work settles as it does, unless the signal comes first, and a late failure is not unhandled', async () => {
  const over = new AbortController()
  expect(await orAborted(Promise.resolve('done'), over.signal)).toBe('done')
  await expect(orAborted(Promise.reject(new Error('broken')), over.signal)).rejects.toThrow('broken')
  let fail: (error: Error) => void = () => undefined
  const waiting = orAborted(new Promise((_, reject) => (fail = reject)), over.signal)
  over.abort(new Error('no time left'))
  await expect(waiting).rejects.toThrow('no time left')
  fail(new Error('too late'))
  await expect(orAborted(Promise.resolve('done'), over.signal)).rejects.toThrow('no time left')
})

test('after the signal, work has only so much time left', async () => {
  const over = new AbortController()
  expect(await orLate(Promise.resolve('done'), undefined, 5)).toBe('done')
  let end: (value: string) => void = () => undefined
  const quick = orLate(new Promise<string>((resolve) => (end = resolve)), over.signal, 60_000)
  const slow = orLate(new Promise(() => undefined), over.signal, 5)
  over.abort(new Error('interrupted'))
  await expect(slow).rejects.toThrow('interrupted')
  end('done')
  expect(await quick).toBe('done')
  await expect(orLate(new Promise(() => undefined), over.signal, 5)).rejects.toThrow('interrupted')
})

test('whether it ends in time, however it ends', async () => {
  expect(await within(60_000, Promise.resolve())).toBe(true)
  expect(await within(60_000, Promise.reject(new Error('broken')))).toBe(true)
  expect(await within(5, new Promise(() => undefined))).toBe(false)
})

test('sleeps until it is woken, the signal aborts, or the time is over', async () => {
  const over = new AbortController()
  await untilWoken(60_000, over.signal, (wake) => void setImmediate(wake))
  await untilWoken(5, over.signal, () => undefined)
  await untilWoken(undefined, over.signal, () => void setImmediate(() => over.abort()))
  await untilWoken(undefined, over.signal, () => undefined)
})
