/** What a machine of the local cloud does by itself: it notices reclaims, gives signs of life, and leaves. The supervisor is the same program. */
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pause } from '../../lib/clock.ts'
import { readJson, watchQuietly, writeJson } from '../../lib/files.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { type MachineSide, type Notice, noticeShape } from '../../wire/machine-side.ts'
import type { DepartureRecord } from './folder.ts'

/** Milliseconds between two looks, and between two beats. Without looks, a notice could be missed: `fs.watch` does not work everywhere. */
const LOOK = 1000

async function* notices(config: MachineConfig, signal: AbortSignal): AsyncGenerator<Notice> {
  keepBeating(join(config.home, 'beat'))
  let wake: () => void = () => undefined
  const watcher = watchQuietly(config.home, (name) => {
    if (name === 'notice.json') wake()
  })
  try {
    for (let yielded = false; !signal.aborted; ) {
      const news = new AbortController()
      wake = () => news.abort()
      const notice = yielded ? undefined : await readJson(join(config.home, 'notice.json'), noticeShape).catch(() => undefined)
      if (notice) {
        yielded = true
        yield notice
      }
      await pause(LOOK, AbortSignal.any([signal, news.signal])).catch(() => undefined)
    }
  } finally {
    watcher?.close()
  }
}

let beating: NodeJS.Timeout | undefined

/** Touches the file until this process ends: for the supervisor, a machine that stops doing so is hung. */
function keepBeating(path: string): void {
  beat(path)
  beating ??= setInterval(() => beat(path), LOOK).unref()
}

/** Synchronous, so that only a blocked event loop stops it, and not a thread pool that waits for a slow disk. */
function beat(path: string): void {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    try {
      writeFileSync(path, '', { mode: 0o600 })
    } catch {
      // The folder is gone or full: the supervisor decides.
    }
  }
}

async function leave(config: MachineConfig, why: DepartureRecord['why']): Promise<void> {
  // The exit code says the same, but only to a supervisor that is the parent of this process.
  await writeJson(join(config.home, 'departure.json'), { why } satisfies DepartureRecord).catch(() => undefined)
}

export const side: MachineSide = {
  notices,
  leave,
  programs: { supervise: async (argv) => (await import('./supervisor.ts')).supervise(argv) },
}
