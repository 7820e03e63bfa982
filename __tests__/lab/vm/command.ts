/** Commands with machines of the lab: in processes of their own, and in this one. */
import type { ChildProcess } from 'node:child_process'
import { hostname, userInfo } from 'node:os'
import { ownerOf } from '../../../src/forges/registry.ts'
import type { VerbContext } from '../../../src/verbs/shared/context.ts'
import { memoryHost } from '../../setup/memory-host.ts'
import { PATIENCE } from '../../setup/patience.ts'
import { signalledBy } from '../../setup/signals.ts'
import type { World } from '../../setup/world.ts'
import { CommandLine, type Ended } from '../command-line.ts'

/** For a command in this process: it is the same user as the commands below, so their deployments are its own. */
export const asRealUser = (context: VerbContext): VerbContext => ({
  ...context,
  owner: ownerOf({}, { user: userInfo().username, host: hostname() }),
})

/** Runs a command to its end. All commands of a test belong to the same user. */
export async function realCommand(
  { home, work }: World,
  given: readonly string[],
  env: Readonly<Record<string, string>>,
  begun: (child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const lease = { TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '2s' }
  const { child, ended } = new CommandLine({ cwd: work, env: { HOME: home, TPI_HOME: home, ...lease, ...env } }).start(...given)
  begun(child)
  return ended
}

/** Follows a run with a command until it prints `text` (a minute at most, on a calm machine), and then sends it Ctrl-C. Resolves to all output. */
export async function untilSaid(w: World, given: readonly string[], env: Record<string, string>, text: string): Promise<string> {
  const first = new AbortController()
  const signals = signalledBy(AbortSignal.any([first.signal, AbortSignal.timeout(60_000 * PATIENCE)]))
  const host = memoryHost()
  const looking = setInterval(() => host.lines.some((line) => line.includes(text)) && first.abort(), 100)
  try {
    await w.tpi(given, { env, signals, host })
  } finally {
    clearInterval(looking)
  }
  return host.lines.join('\n')
}
