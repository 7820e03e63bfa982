/**
 * Prepares a machine that has just booted for a script: makes its user, slice and firewall, waits for services that the image is still
 * starting, and then makes disks and file systems ready.
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
 * Units that the script waits for, if they are starting:
 * - `cloud-init.service` (until 24.2, and on Ubuntu until 24.04) or `cloud-init-network.service`: makes the default user, and grows the
 *   root file system.
 * - `cloud-config.service`: writes where packages come from. A script that installs packages before that would lose the lists that it has
 *   just fetched (https://docs.cloud-init.io/en/latest/explanation/boot.html).
 * - `dlami-nvme.service`: mounts local disks, on some images of AWS.
 * - `docker.service`, and those of NVIDIA: containers and scripts on a GPU need them.
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
/** Matches no disk. */
const NONE = /^$/
/** Milliseconds for these units to come up. */
const PATIENCE = 120_000
/** Milliseconds between two looks at them. */
const LOOK = 100
/** Milliseconds in which the script should have started: while systemd reads its units, it starts nothing. */
const READ_UNITS_AFTER = 5000

export interface PrepareParams {
  readonly config: MachineConfig
  readonly system: OwnSystem
  /** `MachineSide.localDisks`. */
  readonly disks: RegExp | undefined
  readonly say: (line: string) => void
}

/** Resolves to why no script may run here, for people, or to `undefined`. */
export async function prepare({ config, system, disks, say }: PrepareParams): Promise<string | undefined> {
  // The script may pass through this folder to its own, but may not list it: all else in it belongs to the agent.
  await chmod(dirname(config.home), 0o711)
  const inhabit = Promise.all([makeUser(system), makeUnits([config.home, ...(system.mounts ?? []).map(({ path }) => path)])])
  // After that, because the firewall's rules refer to the user and its slice.
  const enclose = inhabit.then(async () => blockServices(system.closed ?? [], say))
  await Promise.all([enclose, settled(say)])
  void readUnitsLater(say)
  await makeGpuFiles()
  // An image that mounts local disks by itself has done so by now.
  const unlaid = system.scratch ? await layScratch({ home: config.home, disks: disks ?? NONE, say }) : undefined
  return unlaid ?? mountAll(system.mounts ?? [], say)
}

/**
 * Makes the script's slice, and has systemd stop the agent before the services and file systems that the script needs, when the system
 * shuts down. (`After=` means that too. It is written only now, because at boot the agent must not wait for them.)
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

/** Starts new units. Only versions of systemd before 246 must read all units first, which takes a while and blocks everything else. */
export async function startNew(words: readonly string[], systemctl = 'systemctl'): Promise<void> {
  const start = async (): Promise<unknown> => run(systemctl, ['start', ...words])
  await start().catch(async () => {
    await readUnits(systemctl)
    await start()
  })
}

/** Makes systemd read all units: it does not notice by itself that one has changed which it knows. */
async function readUnits(systemctl = 'systemctl'): Promise<void> {
  await run(systemctl, ['daemon-reload'])
}

/** Makes systemd apply the drop-in of `makeUnits`, and the masks that user-data has put on services of the image. */
async function readUnitsLater(say: (line: string) => void): Promise<void> {
  await pause(READ_UNITS_AFTER)
  await readUnits().catch((error: unknown) => say(`systemd could not reload its units: ${messageOf(error)}`))
}

/** Waits until none of the units in `SETTLING` is starting, or about to. */
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

/** Names of those that are starting, or about to. */
export async function unsettled(systemctl = 'systemctl'): Promise<readonly string[]> {
  const { stdout } = await run(systemctl, ['show', '--property=Id,ActiveState,Job', ...SETTLING])
  return stdout.split('\n\n').flatMap((text) => {
    const about = new Map(text.split('\n').map((line) => line.split('=', 2) as [string, string]))
    const waits = about.get('ActiveState') === 'activating' || Number(about.get('Job') ?? 0) > 0
    return waits ? [about.get('Id') ?? ''] : []
  })
}
