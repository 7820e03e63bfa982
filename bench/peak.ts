/** The most memory that a process of this host ever has. */
import { readFileSync } from 'node:fs'

/** Bytes that the process has had at most so far. Throws if there is no such process. https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
export function peakSoFar(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}

export interface Peak {
  /** Bytes; stops watching. */
  end(): Promise<number>
}

/** Looks repeatedly, because the system forgets the peak when the process ends. */
export function peakOf(pid: number): Peak {
  let most = 0
  const look = (): void => {
    try {
      most = Math.max(most, peakSoFar(pid))
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
