/** Pauses of the code that a test runs, on timers that are faster than real ones. */
import { afterEach, beforeEach, jest } from '@jest/globals'

/** In each test of the file, `times` as fast. Clocks, and timers inside of Node such as limits of requests, stay the real ones. */
export function hurryTimers(times: number): void {
  let spy: { mockRestore(): void }
  beforeEach(() => {
    const real = globalThis.setTimeout
    const hurried = (done: () => void, after = 0): NodeJS.Timeout => real(done, after / times)
    spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(hurried)
  })
  afterEach(() => spy.mockRestore())
}
