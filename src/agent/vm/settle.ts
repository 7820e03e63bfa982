/**
 * `settle FOLDER MACHINE ADDRESS`: the next step after a new machine has fetched runtime and agent. It writes the machine's configuration, and makes the agent a unit
 * of systemd. It waits for nothing: the machine is still booting.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MACHINE, type MachineConfig } from '../../wire/machine.ts'
import { parseRecord } from '../../wire/parse.ts'
import { AGENT_UNIT } from './script-user.ts'
import { startNew, UNITS } from './systemd-units.ts'

/** `units`: only for this boot; the next one settles again. */
export async function settle(argv: readonly string[], units = UNITS, systemctl = 'systemctl'): Promise<number> {
  const [folder, machine, address] = argv
  if (folder === undefined || machine === undefined) throw new Error('settle: give the folder, the name of this machine and its address')
  const { machine: alike } = JSON.parse(await readFile(join(folder, 'boot.json'), 'utf8')) as { machine: MachineConfig }
  const config = JSON.stringify({ ...alike, machine, ...(address && { address }), home: join(folder, 'machine') })
  parseRecord(MACHINE, Buffer.from(config), 'what user-data says of this machine')
  await mkdir(units, { recursive: true })
  await put(join(folder, 'machine.json'), config)
  await put(join(units, AGENT_UNIT), agentUnit(folder))
  await startNew(['--no-block', AGENT_UNIT], systemctl)
  return 0
}

async function put(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text, { mode: 0o600 })
  await rename(`${path}.part`, path)
}

/**
 * The agent outlives what the script does to memory, is killed when it hangs, and is started again; one that has ended by itself has taken the
 * machine out of its group, so the machine may go. It waits for nothing of the boot but what it ends before; `prepare` has the script wait for the rest. (Not by `SuccessAction`: before systemd 254 that is done between a crash and the new start as
 * well, https://github.com/systemd/systemd/issues/27722.) It ends its script itself (`KillMode=mixed`), also when the system goes down, for which it has
 * its time and the network.
 */
export const agentUnit = (folder: string): string => `[Unit]
Description=tpi agent
DefaultDependencies=no
Wants=network-online.target
After=network.target
Conflicts=shutdown.target
Before=shutdown.target
StartLimitIntervalSec=600
StartLimitBurst=5
StartLimitAction=poweroff
[Service]
Type=notify
NotifyAccess=all
ExecStart=${folder}/node ${folder}/agent.mjs run ${folder}/machine.json
SuccessExitStatus=75
Restart=on-failure
ExecStopPost=/bin/sh -c '[ "$$SERVICE_RESULT" != success ] || exec systemctl --no-block poweroff'
KillMode=mixed
TimeoutStopSec=150
WatchdogSec=60
WatchdogSignal=SIGKILL
OOMPolicy=continue
OOMScoreAdjust=-900
`
