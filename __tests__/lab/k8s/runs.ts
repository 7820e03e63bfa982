/** Several runs of the command line in parallel, in a separate folder. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Ended } from '../command-line.ts'
import type { Cluster } from './cluster.ts'
import { commandsOf } from './command.ts'

export interface RunOptions {
  /** Called with each line of standard output, or (`heard`) of both outputs, as it arrives. */
  readonly line?: (text: string) => void
  readonly heard?: (text: string) => void
  readonly env?: Readonly<Record<string, string>>
}

export interface Runs {
  /** Its folder: home and current directory. */
  readonly place: string
  /** Runs a command to its end. */
  tpi(...args: readonly string[]): Promise<Ended>
  start(args: readonly string[], options?: RunOptions): Promise<Ended>
  close(): void
}

export const ON = ['--cloud', 'k8s', '--image', 'lab.test/bare:1', '--timeout', '10m', '--storage-size', '1GB'] as const

/** A script for the lab's image. */
export const script = (text: string): readonly string[] => ['--script', `#!/bin/sh\n${text}`]

/** `cli`: replaces the program that all tests share. */
export function runsOn({ kubeconfig }: Cluster, cli?: string): Runs {
  const place = mkdtempSync(join(tmpdir(), 'tpi-k8s-runs-'))
  const children = new Set<ChildProcess>()
  const commands = commandsOf({ kubeconfig, place })
  const tpi = cli === undefined ? commands : commands.by(cli)
  const start: Runs['start'] = async (args, { line, heard, env = {} } = {}) => {
    const { child, ended } = tpi.with(env).start(...args)
    children.add(child)
    for (const [stream, tell] of [
      [child.stdout, line],
      [child.stdout, heard],
      [child.stderr, heard],
    ] as const)
      if (tell && stream) createInterface({ input: stream }).on('line', tell)
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
