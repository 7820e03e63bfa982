/** The command line as a process of its own, which can be killed at any moment. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { ownerOf } from '../../../src/forges/registry.ts'
import type { VerbContext } from '../../../src/verbs/shared/context.ts'
import type { MemoryHost } from '../../setup/memory-host.ts'
import { signalledBy } from '../../setup/signals.ts'
import type { World } from '../../setup/world.ts'
import { buildProgram, type Program } from '../../storm/program.ts'

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly said: string
}

/** To be given to a command in this process: the deployments of those below are its own. */
export const asRealUser = (context: VerbContext): VerbContext => ({
  ...context,
  owner: ownerOf({}, { user: userInfo().username, host: hostname() }),
})

const programs = new WeakMap<World, Promise<Program>>()

/** In one bundle: reading all sources anew takes longer than most of what commands do here. It goes with the world. */
async function programOf(w: World): Promise<Program> {
  const program = programs.get(w) ?? buildProgram(dirname(w.home))
  programs.set(w, program)
  return program
}

/** All of one test are the same user's. */
export async function realCommand(
  w: World,
  given: readonly string[],
  env: Readonly<Record<string, string>>,
  begun: (child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const { cli } = await programOf(w)
  const surroundings = {
    PATH: process.env['PATH'],
    HOME: w.home,
    TPI_HOME: w.home,
    TPI_AGENT_BUNDLE: process.env['TPI_AGENT_BUNDLE'],
    TPI_LEASE_BEAT: '500ms',
    TPI_LEASE_TTL: '2s',
  }
  const child = spawn(process.execPath, [cli, ...given], {
    cwd: w.work,
    env: { ...surroundings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
  begun(child)
  const [code, signal] = await once(child, 'close')
  return { code, signal, said }
}

/** Follows with a command until it says `text` (a minute at most), and sends it Ctrl-C then. Resolves to all that it said. */
export async function untilSaid(w: World, given: readonly string[], env: Record<string, string>, text: string): Promise<string> {
  const first = new AbortController()
  const signals = signalledBy(AbortSignal.any([first.signal, AbortSignal.timeout(60_000)]))
  const { host } = await w.tpi(given, {
    env,
    signals,
    given(context) {
      // The host of a world remembers.
      const { lines } = context.host as MemoryHost
      const looking = setInterval(() => lines.some((line) => line.includes(text)) && first.abort(), 100)
      signals.first.addEventListener('abort', () => clearInterval(looking))
      return context
    },
  })
  first.abort()
  return host.lines.join('\n')
}
