/**
 * Prepares a machine that has just booted for a script: user, slice, firewall, disks and file systems; then it waits for services that the
 * image is still starting.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pause } from '../../lib/clock.ts'
import { run } from '../../lib/run.ts'
import { messageOf } from '../../lib/text.ts'
import { AGENT_UNIT, type MachineConfig, type OwnSystem } from '../../wire/machine.ts'
import { blockServices } from './firewall.ts'
import { makeGpuFiles } from './gpu.ts'
import { mountUnit } from './mount-point.ts'
import { mountAll } from './mounts.ts'
import { layScratch } from './scratch.ts'
import { makeUser, SCRIPT_SLICE } from './script-user.ts'

const UNITS = '/run/systemd/system'
/**
 * cloud-init makes the default user and grows the root file system during the boot (its network stage; the first name is that of versions
 * before 24.3, and of Ubuntu until 24.04), and then writes where packages come from (its config stage): a script that installs packages before
 * would lose the lists that it has just fetched (https://docs.cloud-init.io/en/latest/explanation/boot.html). Some images of AWS mount local
 * disks by themselves; scripts on a GPU need the others.
 */
const SETTLING = [
  'basic.target',
  'network-online.target',
  'cloud-init.service',
  'cloud-init-network.service',
  'cloud-config.service',
  'dlami-nvme.service',
  'docker.service',
  'nvidia-persistenced.service',
  'nvidia-fabricmanager.service',
]
const NONE = /^$/
/** Milliseconds. */
const PATIENCE = 120_000
/** Milliseconds of pause, so that the script has started before: systemd starts nothing while it reads its units. */
const READ_UNITS_AFTER = 5000
const LOOK = 100

export interface PrepareParams {
  readonly config: MachineConfig
  readonly system: OwnSystem
  /** Which disks are local, by name. */
  readonly disks: RegExp | undefined
  readonly say: (line: string) => void
}

/** Resolves to why no script may run here. */
export async function prepare({ config, system, disks, say }: PrepareParams): Promise<string | undefined> {
  // Only the path to the work directory is opened: everything beside it belongs to the agent.
  await chmod(dirname(config.home), 0o711)
  const inhabit = Promise.all([makeUser(system), makeUnits([config.home, ...(system.mounts ?? []).map(({ path }) => path)])])
  // The firewall's rules refer to that user or its slice.
  const enclose = inhabit.then(async () => blockServices(system.closed ?? [], say))
  await Promise.all([enclose, settled(say)])
  void readUnitsLater(say)
  await makeGpuFiles()
  // An image that mounts local disks by itself has done so by now.
  const unlaid = system.scratch ? await layScratch({ home: config.home, disks: disks ?? NONE, say }) : undefined
  return unlaid ?? mountAll(system.mounts ?? [], say)
}

/**
 * The slice exists before the firewall refers to it. At shutdown, the services that containers of the script need, and the file systems
 * that it uses, must stop after the agent. But at boot the agent must not wait for them, so this is written only now.
 */
async function makeUnits(mounted: readonly string[]): Promise<void> {
  await writeFile(join(UNITS, SCRIPT_SLICE), '[Slice]\nMemoryAccounting=yes\n')
  await mkdir(join(UNITS, `${AGENT_UNIT}.d`), { recursive: true })
  await writeFile(
    join(UNITS, `${AGENT_UNIT}.d`, 'last.conf'),
    `[Unit]\nAfter=basic.target network-online.target docker.service containerd.service ${mounted.map(mountUnit).join(' ')}\n`,
  )
  await startNew([SCRIPT_SLICE])
}

/** systemd finds a new unit by itself; only versions before 246 have to read all units first, which takes a while and blocks everything else. */
export async function startNew(words: readonly string[], systemctl = 'systemctl'): Promise<void> {
  const start = async (): Promise<unknown> => run(systemctl, ['start', ...words])
  await start().catch(async () => {
    await readUnits(systemctl)
    await start()
  })
}

/** systemd reads changes of a unit that it already knows only with this. */
async function readUnits(systemctl = 'systemctl'): Promise<void> {
  await run(systemctl, ['daemon-reload'])
}

/** Makes systemd apply the drop-in above, and the masks that user-data has put on services of the image. */
async function readUnitsLater(say: (line: string) => void): Promise<void> {
  await pause(READ_UNITS_AFTER)
  await readUnits().catch((error: unknown) => say(`systemd could not reload its units: ${messageOf(error)}`))
}

/** Waits until none of them is starting, or about to. */
async function settled(say: (line: string) => void): Promise<void> {
  const begun = performance.now()
  for (;;) {
    const busy = await unsettled().catch(() => [])
    if (busy.length === 0) return
    if (performance.now() - begun > PATIENCE)
      return say(`${busy.join(', ')} did not come up in ${PATIENCE / 1000} s: the script starts without them`)
    await pause(LOOK)
  }
}

export async function unsettled(systemctl = 'systemctl'): Promise<readonly string[]> {
  const { stdout } = await run(systemctl, ['show', '--property=Id,ActiveState,Job', ...SETTLING])
  return stdout.split('\n\n').flatMap((text) => {
    const about = new Map(text.split('\n').map((line) => line.split('=', 2) as [string, string]))
    const waits = about.get('ActiveState') === 'activating' || Number(about.get('Job') ?? 0) > 0
    return waits ? [about.get('Id') ?? ''] : []
  })
}
