/** A home of its own, in which commands run like a user's: in this process, with a host that records output; machines are real. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { runBody } from '../../src/app.ts'
import { clouds } from '../../src/clouds/registry.ts'
import { ownersOf, ownNumber } from '../../src/lib/user.ts'
import { parseCommandLine } from '../../src/options/parse.ts'
import { optionTable } from '../../src/options/rows/table.ts'
import { act, acts } from '../../src/verbs/index.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { never, type Signals } from '../../src/verbs/shared/signals.ts'
import { processesOf, signal } from '../storm/processes.ts'
import { below } from './below.ts'
import { type MemoryHost, memoryHost } from './memory-host.ts'
import { until } from './wait.ts'

export interface Ran {
  readonly code: number
  readonly host: MemoryHost
  /** What `--json` printed. */
  // biome-ignore lint/suspicious/noExplicitAny: facts are read by the tests that know them
  readonly facts: any
}

export interface World {
  readonly home: string
  readonly work: string
  /** Runs `tpi …`; the words are given as an array, or as one text without quoting. */
  tpi(
    words: string | readonly string[],
    how?: {
      env?: Record<string, string>
      signals?: Signals
      interactive?: boolean
      stdin?: string
      /** One that the test can read while the command runs. */
      host?: MemoryHost
      /** Replaces what the verb would be given. */
      given?(context: VerbContext): VerbContext
    },
  ): Promise<Ran>
  write(path: string, text: string): Promise<void>
  read(path: string): Promise<string>
  /** Paths below the home that belong to deployments. */
  remains(): Promise<string[]>
  /** Files below the home whose content or name holds this text. */
  filesWith(text: string): Promise<string[]>
  /** Processes of this world's machines and supervisors. */
  alive(): Promise<string[]>
  /** Waits until its machines have left: commands do not wait for that if something is kept. */
  deserted(): Promise<void>
  end(): Promise<void>
}

/** The words of a command, followed by a script for the shell. */
export const shell = (words: string, script: string): string[] => [...words.split(' '), '--', 'sh', '-c', script]

const table = optionTable(clouds)
/** Short leases, so that takeovers do not take a minute. */
export const FAST = { TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '2s', TPI_RESERVE: '5s', TPI_STORE_GRACE: '20s', TPI_RUNNER_REST: '3s' }

export async function world(): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), 'tpi-world-'))
  const home = join(root, 'home')
  const work = join(root, 'work')
  await mkdir(work)
  const base = { PATH: process.env['PATH'] ?? '', HOME: root, TPI_HOME: home, ...FAST }
  const self: World = {
    home,
    work,
    async tpi(words, how = {}) {
      const argv = typeof words === 'string' ? words.split(' ') : words
      const host = how.host ?? memoryHost()
      const surroundings = {
        env: { ...base, ...how.env },
        cwd: work,
        readFile: (path: string) => readFile(path, 'utf8'),
        ownersOf,
        user: ownNumber(),
        readStdin: async () => how.stdin ?? '',
      }
      const parsed = await parseCommandLine(table, argv, surroundings)
      if (!acts(parsed.verb)) throw new Error(`${parsed.verb} does nothing that a world could see`)
      const signals = how.signals ?? never()
      const user = { name: 'ann', host: 'box', home: root }
      const agentFile = process.env['TPI_AGENT_BUNDLE'] ?? ''
      const { verb } = parsed
      const { platform } = process
      const parts = { host, surroundings, signals, interactive: how.interactive ?? false, platform, user, agentFile }
      const code = await runBody(parts, parsed, async (context) => act(verb, how.given?.(context) ?? context))
      return { code, host, facts: host.jsonFacts.at(-1) }
    },
    async write(path, text) {
      await mkdir(dirname(join(work, path)), { recursive: true })
      await writeFile(join(work, path), text)
    },
    read: (path) => readFile(join(work, path), 'utf8'),
    async remains() {
      const names = (await below(home)).map((entry) => relative(home, join(entry.parentPath, entry.name)))
      return names.filter((name) => !/^(store|local|names|deployments)?$/.test(name) && !/^(history|delivered|started)(\/|$)/.test(name))
    },
    async filesWith(text) {
      const files = (await below(home)).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      // Files that are removed meanwhile hold nothing any more.
      const hits = await Promise.all(
        files.map(async (path) => path.includes(text) || (await readFile(path).catch(() => '')).includes(text)),
      )
      return files.filter((_, at) => hits[at])
    },
    async alive() {
      return processesOf(root).flatMap(({ pid, command }) => (command.includes(root) ? [`${pid} ${command}`] : []))
    },
    deserted: () => until('machines and supervisors are gone', async () => (await self.alive()).length === 0),
    async end() {
      for (const line of await self.alive()) signal(Number.parseInt(line, 10), 'SIGKILL')
      await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
  return self
}
