/** Programs inside of pods: what the init container does, and commands beside the script. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { findMarked } from '../../lib/process.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { PLACE } from './names.ts'
import type { Furnishing, PodFacts } from './pod-config.ts'

const HANDOVER = join(PLACE.handover, 'box/credentials.json')

/**
 * `pod-init JSON`: brings runtime, agent and configuration to where the main container finds them. The main container may have another
 * user, so what it must be able to change or remove belongs to everybody: nobody else sees these volumes.
 */
export async function furnish(argv: readonly string[]): Promise<number> {
  const furnishing = JSON.parse(argv[0] ?? '{}') as Furnishing
  const agent = await readFile(process.argv[1] ?? '')
  const digest = createHash('sha256').update(agent).digest('hex')
  if (digest !== furnishing.agent) throw new Error(`the agent has the digest ${digest}, not ${furnishing.agent}`)
  await Promise.all([
    cp(PLACE.runtime, '/into', { recursive: true }),
    writeFile('/into/agent.mjs', agent, { mode: 0o644 }),
    handOver(),
    writeConfigs(furnishing),
  ])
  return 0
}

async function handOver(): Promise<void> {
  // The volume itself is sticky: only the owner of a file could remove it there.
  await mkdir(dirname(HANDOVER), { recursive: true })
  await chmod(dirname(HANDOVER), 0o777)
  await writeFile(HANDOVER, await readFile(join(PLACE.secret, 'credentials.json')), { mode: 0o666 })
  await chmod(HANDOVER, 0o666)
}

async function writeConfigs({ id, incarnation, store, notice, hardDeadline }: Furnishing): Promise<void> {
  const { POD_NAME, POD_ADDRESS, JOB_COMPLETION_INDEX } = process.env
  if (!POD_NAME || !JOB_COMPLETION_INDEX) throw new Error('this is no pod of an indexed Job')
  const home = join(PLACE.home, 'machine')
  const config: MachineConfig = {
    v: 1,
    cloud: 'k8s',
    id,
    incarnation,
    machine: POD_NAME,
    index: Number(JOB_COMPLETION_INDEX),
    ...(POD_ADDRESS && { address: POD_ADDRESS }),
    home,
    hardDeadline,
    store,
    credentials: 'file',
    credentialsFile: HANDOVER,
  }
  await mkdir(home, { recursive: true })
  await chmod(home, 0o777)
  await writeFile(join(PLACE.home, 'pod.json'), JSON.stringify({ v: 1, notice } satisfies PodFacts))
  await writeFile(join(PLACE.home, 'machine.json'), JSON.stringify(config))
}

/** `pod-exec COMMAND …`: in the script's folder, with its environment. Resolves to the exit code; 127 when there is no such command. */
export async function execBeside(argv: readonly string[]): Promise<number> {
  const [command, ...args] = argv
  if (command === undefined) throw new Error('no command to run')
  const { machine, home } = JSON.parse(readFileSync(join(PLACE.home, 'machine.json'), 'utf8')) as MachineConfig
  const env = scriptEnvironment(machine) ?? process.env
  const work = join(home, 'work')
  const child = spawn(command, args, { cwd: existsSync(work) ? work : PLACE.home, env, stdio: 'inherit' })
  return await new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve(127)
      else if (error.code === 'EACCES') resolve(126)
      else reject(error)
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
  })
}

/** Of the first process that the agent gave a slot's environment to. */
function scriptEnvironment(machine: string): NodeJS.ProcessEnv | undefined {
  for (const { pid } of findMarked('TPI_MACHINE', machine)) {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
    const env = Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]))
    if (env['TPI_INDEX'] !== undefined) return env
  }
  return undefined
}
