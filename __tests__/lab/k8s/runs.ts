/** Several runs of the command line side by side, in a folder of their own. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Cluster } from './cluster.ts'
import { CommandLine, type Ended } from './command.ts'

export interface Runs {
  /** Folder of its own: home, current directory. */
  readonly place: string
  /** To its end. */
  tpi(...args: readonly string[]): Promise<Ended>
  /** `line`: called with each line of standard output as it comes. */
  start(args: readonly string[], options?: { line?: (text: string) => void; env?: Readonly<Record<string, string>> }): Promise<Ended>
  close(): void
}

export const ON = ['--cloud', 'k8s', '--image', 'lab.test/bare:1', '--timeout', '10m', '--storage-size', '1GB'] as const

/** A script for the lab's image. */
export const script = (text: string): readonly string[] => ['--script', `#!/bin/sh\n${text}`]

export function runsOn({ kubeconfig }: Cluster): Runs {
  const place = mkdtempSync(join(tmpdir(), 'tpi-k8s-runs-'))
  const children = new Set<ChildProcess>()
  const start: Runs['start'] = async (args, { line, env = {} } = {}) => {
    const { child, ended } = new CommandLine({ kubeconfig, place, env }).start(...args)
    children.add(child)
    if (line && child.stdout) createInterface({ input: child.stdout }).on('line', line)
    return await ended
  }
  return {
    place,
    start,
    tpi: (...args) => start(args),
    close() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(place, { recursive: true, force: true })
    },
  }
}
