/** The most memory that a process of this host ever has. */
import { readFileSync } from 'node:fs'

export interface Peak {
  /** Bytes; stops watching. */
  end(): Promise<number>
}

/** Looks repeatedly, because the system forgets the peak when the process ends. */
export function peakOf(pid: number): Peak {
  let most = 0
  const look = (): void => {
    try {
      const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
      most = Math.max(most, Number(kilobytes ?? 0) * 1024)
    } catch {
      // The process has ended.
    }
  }
  look()
  const timer = setInterval(look, 20)
  return {
    async end() {
      look()
      clearInterval(timer)
      return most
    },
  }
}
