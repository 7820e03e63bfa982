/** The machine agent's program: `run <config.json>`, `guard`, `serve-store <config.json>`, `serve-gate <config.json>`, and the programs that machine sides bring. */
import { readFileSync } from 'node:fs'
import { systemClock } from '../lib/clock.ts'
import { keepHeapSmall } from '../lib/heap.ts'
import { MACHINE } from '../wire/machine.ts'
import { parseRecord } from '../wire/parse.ts'
import { isUnit, reportToSystemd } from './process/systemd.ts'

async function main(argv: string[]): Promise<number> {
  const [command = '', ...rest] = argv
  keepHeapSmall()
  // Each program loads only its own modules: the guard must start at once.
  if (command === 'guard') return await (await import('./process/guard.ts')).guard()
  if (command === 'run' && rest[0] !== undefined) return await run(rest[0])
  if (command === 'serve-gate') return await (await import('../stores/registry.ts')).serveGate(rest)
  if (command === 'serve-store') return await (await import('../stores/registry.ts')).serveStore(rest)
  const { machineSides } = await import('../clouds/machines.ts')
  for (const load of Object.values(machineSides)) {
    const program = (await load()).programs?.[command]
    if (program) return await program(rest)
  }
  process.stderr.write('usage: agent run CONFIG.json | guard | serve-store CONFIG.json | serve-gate CONFIG.json | a program of a cloud\n')
  return 64
}

async function run(file: string): Promise<number> {
  if (process.pid === 1) (await import('./process/reaper.ts')).yieldToReaper(process.argv.slice(1))
  const config = parseRecord(MACHINE, readFileSync(file), file)
  // Before anything else: from now on a signal means that the machine is taken away.
  const reclaimed = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => reclaimed.abort())
  reportToSystemd(process.env)
  const [{ machineSides }, { openStore }, { runMachine }, { storeAccess }] = await Promise.all([
    import('../clouds/machines.ts'),
    import('../stores/registry.ts'),
    import('./run.ts'),
    import('./store-access.ts'),
  ])
  const load = Object.hasOwn(machineSides, config.cloud) ? machineSides[config.cloud] : undefined
  if (!load) throw new Error(`no machine side for "${config.cloud}"`)
  const out = (line: string): void => void process.stderr.write(`${new Date().toISOString()} ${line}\n`)
  const side = await load()
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

/** The first process of a container, or the child of one that reaps orphaned processes. */
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
