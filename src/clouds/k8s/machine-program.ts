/** Programs inside pods: that of the init container, commands beside the script, and the probe. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EXIT } from '../../core/exit-codes.ts'
import { sha256 } from '../../lib/sha256.ts'
import { MACHINE, type MachineConfig } from '../../wire/machine.ts'
import { parseRecord, VERSION } from '../../wire/parse.ts'
import { passFor } from '../../wire/pass.ts'
import { runBeside } from '../exec.ts'
import { prepareJobPods } from './job-rights.ts'
import { PLACE } from './names.ts'
import type { PodFacts, PodInit } from './pod-config.ts'
import { findings } from './probe.ts'

const HANDOVER = join(PLACE.handover, 'box/credentials.json')

/**
 * `pod-init JSON`: copies runtime, agent and configuration to where the main container finds them. The main container may run as another
 * user, so everything that it must change or remove is writable for everybody: only this pod sees these volumes.
 */
export async function initPod(argv: readonly string[]): Promise<number> {
  const init = JSON.parse(argv[0] ?? '{}') as PodInit
  const agent = await readFile(process.argv[1] ?? '')
  const digest = sha256(agent)
  if (digest !== init.agent) throw new Error(`the agent has the digest ${digest}, not ${init.agent}`)
  await Promise.all([
    bringRuntime(PLACE.runtime, '/into'),
    writeFile('/into/agent.mjs', agent, { mode: 0o644 }),
    handOver(init),
    writeConfigs(init),
    init.jobs === undefined ? undefined : prepareJobPods(init.jobs, init.hardDeadline, process.env),
  ])
  return 0
}

/**
 * Executable, but readable only for the user of the init container. The agent of the main container runs as another user, who cannot read its
 * program: then the kernel hides its memory and environment from processes of the same user, too, such as the user's scripts (proc(5), "dumpable").
 */
const UNREADABLE = 0o711

/** Copies the files that the image lists, and checks each. */
export async function bringRuntime(image: string, into: string): Promise<void> {
  const said = await readFile(join(image, 'runtime.json'), 'utf8').catch(() => undefined)
  if (said === undefined) throw new Error('this is not a runtime image of tpi: it has no runtime.json; see --runtime-image')
  const { files } = JSON.parse(said) as { files: Record<string, string> }
  await Promise.all(
    Object.entries(files).map(async ([name, digest]) => {
      const [from, to] = [join(image, name), join(into, name)]
      await mkdir(dirname(to), { recursive: true })
      // Both at once, because the user's program waits for them: the kernel copies while this thread reads the same pages.
      const copied = copyFile(from, to)
      const same = digestOf(from) === digest
      await copied
      if (!same) throw new Error(`the runtime image is damaged: ${name} does not have the digest that runtime.json names`)
      if (name === 'node') await chmod(to, UNREADABLE)
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

/** The key stays here: the machine gets a pass for its own slot only. */
async function handOver(of: PodInit): Promise<void> {
  const key = (await readFile(join(PLACE.secret, 'token'), 'utf8')).trim()
  const token = passFor(key, { ...of, slot: Number(process.env['JOB_COMPLETION_INDEX']) })
  // A folder of its own: the volume itself is sticky, so only the owner of a file there could remove it.
  await mkdir(dirname(HANDOVER), { recursive: true })
  await chmod(dirname(HANDOVER), 0o777)
  await writeFile(HANDOVER, JSON.stringify({ token }), { mode: 0o666 })
  await chmod(HANDOVER, 0o666)
}

async function writeConfigs({ id, incarnation, store, ahead, notice, disk, hardDeadline }: PodInit): Promise<void> {
  const { POD_NAME, POD_ADDRESS, JOB_COMPLETION_INDEX } = process.env
  if (!POD_NAME || !JOB_COMPLETION_INDEX) throw new Error('this is not a pod of an indexed Job')
  const home = join(PLACE.home, 'machine')
  const config: MachineConfig = {
    v: VERSION,
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
  await writeFile(
    join(PLACE.home, 'pod.json'),
    JSON.stringify({ v: VERSION, notice, ...(disk !== undefined && { disk }) } satisfies PodFacts),
  )
  await writeFile(join(PLACE.home, 'machine.json'), JSON.stringify(config))
}

/** `pod-exec COMMAND …`: runs beside the program. Resolves to the exit code. */
export async function execBeside(argv: readonly string[]): Promise<number> {
  const [command, ...args] = argv
  if (command === undefined) throw new Error('no command to run')
  const { machine, home } = parseRecord(MACHINE, readFileSync(join(PLACE.home, 'machine.json')), 'machine.json')
  const code = await runBeside({ machine, folder: join(home, 'work'), env: process.env }, [command, ...args])
  if (code !== undefined) return code
  process.stderr.write(`pod ${machine} has no work directory yet: it is still starting; try again in a moment\n`)
  return EXIT.invalid
}

/** `pod-probe`: runs instead of the program, on a machine that is made only for a check. */
export async function probe(): Promise<number> {
  for (const finding of await findings(process.env)) process.stdout.write(`${JSON.stringify(finding)}\n`)
  return EXIT.ok
}
