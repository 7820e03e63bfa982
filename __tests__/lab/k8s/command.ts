/** Commands on a cluster of the lab. */
import { join } from 'node:path'
import { CommandLine } from '../command-line.ts'

export interface Caller {
  readonly kubeconfig: string | undefined
  /** Home and working directory. */
  readonly place: string
  readonly env?: Readonly<Record<string, string>>
}

export function commandsOf({ kubeconfig, place, env }: Caller): CommandLine {
  const home = { HOME: place, TPI_HOME: join(place, 'home') }
  return new CommandLine({ cwd: place, env: { ...home, TPI_RUNTIME_IMAGE: 'lab.test/tpi-runtime:1', KUBECONFIG: kubeconfig, ...env } })
}
