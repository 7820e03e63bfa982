/** One pipe for everything a program prints. */
import { execFile } from 'node:child_process'
import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { Socket } from 'node:net'
import { promisify } from 'node:util'

export interface OutputPipe {
  /** For the program's stdout and stderr. Close it with `given` once the program has started. */
  readonly writeEnd: number
  readonly output: Socket
  given(): void
}

/**
 * A real pipe. What Node makes for a child is a pair of sockets: two of them (so the order of stdout and stderr is lost), and a program that
 * opens `/dev/stderr` by name fails on them. `undefined` where there is no mkfifo(1).
 */
export async function makePipe(path: string): Promise<OutputPipe | undefined> {
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', path])
  } catch {
    return undefined
  }
  try {
    // The reading end first and without blocking: then the writing end opens at once.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writeEnd = openSync(path, constants.O_WRONLY)
    const output = new Socket({ fd: readEnd, readable: true, writable: false })
    return { writeEnd, output, given: () => closeSync(writeEnd) }
  } finally {
    unlinkSync(path)
  }
}
