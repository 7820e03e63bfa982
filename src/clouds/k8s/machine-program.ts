/** Programs inside of pods: what the init container does, and commands beside the script. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
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
  await Promise.all([bringRuntime('/into'), writeFile('/into/agent.mjs', agent, { mode: 0o644 }), handOver(), writeConfigs(furnishing)])
  return 0
}

/** File by file as the image itself names them, each checked. */
async function bringRuntime(into: string): Promise<void> {
  const said = await readFile(join(PLACE.runtime, 'runtime.json'), 'utf8').catch(() => undefined)
  if (said === undefined) throw new Error('this is no runtime image of tpi: it has no runtime.json; see --runtime-image')
  const { files } = JSON.parse(said) as { files: Record<string, string> }
  await Promise.all(
    Object.entries(files).map(async ([name, digest]) => {
      const [from, to] = [join(PLACE.runtime, name), join(into, name)]
      await mkdir(dirname(to), { recursive: true })
      // By the kernel, while this thread looks at the same pages: the program of the user waits for both.
      const copied = copyFile(from, to)
      const same = digestOf(from) === digest
      await copied
      if (!same) throw new Error(`the runtime image is damaged: ${name} does not have the digest that runtime.json names`)
    }),
  )
}

function digestOf(path: string): string {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(1 << 20)
  const file = openSync(path, 'r')
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

async function handOver(): Promise<void> {
  // The volume itself is sticky: only the owner of a file could remove it there.
  await mkdir(dirname(HANDOVER), { recursive: true })
  await chmod(dirname(HANDOVER), 0o777)
  await writeFile(HANDOVER, await readFile(join(PLACE.secret, 'credentials.json')), { mode: 0o666 })
  await chmod(HANDOVER, 0o666)
}

async function writeConfigs({ id, incarnation, store, ahead, notice, hardDeadline }: Furnishing): Promise<void> {
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
    ...(ahead && { ahead }),
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
