/** Waits that a signal can end. */
import { inTime, pause } from './clock.ts'

/** Aborts when this process is told to end, which then does not end it. */
export function untilToldToEnd(): AbortSignal {
  const told = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => told.abort())
  return told.signal
}

/** Calls `act` once, when the signal aborts: now, if it has already. */
export function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}

/** Settles as the work does, or rejects with the signal's reason, whichever comes first. What becomes of the work after that is ignored. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    // Always handled, so that a rejection after the signal does not end the process.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
    onAbort(signal, abort)
  })
}

/** Settles as the work does. After the signal, the work has so many milliseconds left; then this rejects with the signal's reason. */
export async function orLate<T>(work: Promise<T>, signal: AbortSignal | undefined, milliseconds: number): Promise<T> {
  if (signal === undefined) return work
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => {
    timer = setTimeout(() => late.abort(signal.reason), milliseconds)
  }
  onAbort(signal, begin)
  try {
    return await orAborted(work, late.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', begin)
  }
}

/** Whether the work ends in time, however it ends. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  )
  return (await inTime({ sleep: pause }, milliseconds, ended)) ?? false
}

/** Resolves when the function that `listen` gets is called, the signal aborts, or the time is over (`undefined`: no limit). */
export async function untilWoken(milliseconds: number | undefined, signal: AbortSignal, listen: (wake: () => void) => void): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const timer = milliseconds === undefined ? undefined : setTimeout(done, milliseconds)
    signal.addEventListener('abort', done, { once: true })
    listen(done)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
