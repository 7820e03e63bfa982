/** Time that is not affected by jumps of the wall clock. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Correction of the process clock to the boot clock, milliseconds. */
let offset: number | undefined

/**
 * Milliseconds since the host booted, including suspend; never set by anybody. Comparable between processes of one host to
 * about 20 ms. On Linux Node's own clock stands still during suspend, so it is held against `/proc/uptime` (10 ms steps) at every call;
 * elsewhere it counts suspend by itself.
 */
export function bootNow(): number {
  if (process.platform !== 'linux') return tickingNow()
  // In this order: a process that is delayed between the two must not take that delay for a suspend, and be early ever after.
  const uptime = Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) * 1000
  const ticking = tickingNow()
  if (offset === undefined || uptime - (ticking + offset) > 50) offset = uptime - ticking
  return ticking + offset
}

const tickingNow = (): number => Number(process.hrtime.bigint() / 1000n) / 1000

let boot: string | undefined

/** Identifies this boot of the host: if a recorded one differs, none of the processes from that time is alive. */
export function bootId(): string {
  boot ??= readBootId()
  return boot
}

function readBootId(): string {
  if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  if (process.platform === 'darwin') return execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'latin1' }).trim()
  return 'unknown'
}

/** A wall-clock deadline (ISO) converted to a time on the boot clock. Do it once, early: after that, clock jumps change nothing. */
export function dueIn(iso: string, now: number = Date.now()): number {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) throw new RangeError(`"${iso}" is not a time`)
  return bootNow() + (at - now)
}

/** Resolves when the boot clock has reached `due`, at most a second late after a suspend. Rejects with the signal's reason. */
export async function untilDue(due: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const remaining = due - bootNow()
    if (remaining <= 0) return
    // Timers stand still during suspend and overflow at 24 days: sleep in short slices and look again.
    await pause(Math.min(remaining, 1000), signal)
  }
}

/** Node's timers fire at once for more than these milliseconds, which are 24 days. */
const LONGEST = 2 ** 31 - 1

/** Sleeps, for 24 days at most; rejects with the signal's reason. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, Math.min(milliseconds, LONGEST))
    signal?.addEventListener('abort', abort, { once: true })
    function done(): void {
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    function abort(): void {
      clearTimeout(timer)
      reject(signal?.reason)
    }
  })
}

/** The real clock, in the shape that all code here gets its time from. */
export const systemClock = {
  now: bootNow,
  date: (): Date => new Date(),
  sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => untilDue(bootNow() + milliseconds, signal),
}

export interface Limit extends Disposable {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal
}

/**
 * A limit of any length, even weeks: Node's timers, and so `AbortSignal.timeout`, fire at once for more than 24 days. Dispose of it
 * once it is no longer needed: until then it keeps the process alive.
 */
export function abortIn(clock: { sleep(milliseconds: number, signal?: AbortSignal): Promise<void> }, milliseconds: number): Limit {
  const over = new AbortController()
  const disposed = new AbortController()
  clock.sleep(milliseconds, disposed.signal).then(
    () => over.abort(new DOMException('the time is over', 'TimeoutError')),
    // Disposed of.
    () => undefined,
  )
  return { signal: over.signal, [Symbol.dispose]: () => disposed.abort() }
}

/** What the work resolves to; `undefined`: not in time, and the work goes on. */
export async function inTime<T>(clock: Parameters<typeof abortIn>[0], milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const over = new AbortController()
  const late = clock.sleep(milliseconds, over.signal).then(
    () => undefined,
    () => undefined,
  )
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
