/**
 * The machine agent's program: `run <config.json>`, `guard`, `serve-store <config.json>`, `serve-gate <config.json>`, and
 * `<cloud> <program>` for programs that only one cloud has (`MachineSide.programs`).
 */
import { readFileSync } from 'node:fs'
import { systemClock } from '../lib/clock.ts'
import { keepHeapSmall } from '../lib/heap.ts'
import { MACHINE } from '../wire/machine.ts'
import type { MachineSide } from '../wire/machine-side.ts'
import { parseRecord } from '../wire/parse.ts'
import { isUnit, reportToSystemd } from './process/systemd.ts'

async function main(argv: string[]): Promise<number> {
  const [command = '', ...rest] = argv
  keepHeapSmall()
  // If the disk of its log is full, a line is lost. Without a listener, Node.js would end the process.
  process.stderr.on('error', () => undefined)
  // Each program loads only its own modules: the guard must start at once.
  if (command === 'guard') return await (await import('./process/guard.ts')).guard()
  if (command === 'run' && rest[0] !== undefined) return await run(rest[0])
  if (command === 'serve-gate') return await (await import('../stores/registry.ts')).serveGate(rest)
  if (command === 'serve-store') return await (await import('../stores/registry.ts')).serveStore(rest)
  const [name, ...args] = rest
  const program = name === undefined ? undefined : (await machineSide(command)).programs?.[name]
  if (program) return await program(args)
  process.stderr.write('usage: agent run CONFIG.json | guard | serve-store CONFIG.json | serve-gate CONFIG.json | CLOUD PROGRAM …\n')
  return 64
}

/** The bundler includes every file that this path can mean, so no list of clouds is needed here. Rejects for an unknown cloud. */
async function machineSide(cloud: string): Promise<MachineSide> {
  const { side } = (await import(`../clouds/${cloud}/machine.ts`)) as { readonly side: MachineSide }
  return side
}

async function run(file: string): Promise<number> {
  if (process.pid === 1) (await import('./process/process-one.ts')).yieldToReaper(process.argv.slice(1))
  const config = parseRecord(MACHINE, readFileSync(file), file)
  // Listen before anything slow happens: from now on, a signal means that the machine is being taken away.
  const reclaimed = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => reclaimed.abort())
  reportToSystemd(process.env)
  const [side, { openStore }, { runMachine }, { storeAccess }] = await Promise.all([
    machineSide(config.cloud),
    import('../stores/registry.ts'),
    import('./run.ts'),
    import('./store-access.ts'),
  ])
  const out = (line: string): void => void process.stderr.write(`${new Date().toISOString()} ${line}\n`)
  const givers = { side, clock: systemClock, stdin: process.stdin, out }
  return await runMachine({
    config,
    open: async () => openStore(await storeAccess(config, givers)),
    identity: {
      open: async (place) => openStore(await storeAccess({ ...config, store: place }, givers)),
      login: async (host) => side.registryLogin?.(config, host),
    },
    side,
    agentFile: process.argv[1] ?? '',
    out,
    reclaimed: reclaimed.signal,
    env: process.env,
    container: inContainer(),
  })
}

/** Whether the agent is the first process of a container, or the child of a first process that only reaps orphans (`process-one.ts`). */
function inContainer(): boolean {
  if (process.pid === 1 || process.env['KUBERNETES_SERVICE_HOST'] !== undefined) return true
  return process.ppid === 1 && !isUnit(process.env)
}

process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    return 70
  }),
)
