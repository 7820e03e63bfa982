/**
 * What a machine of a cloud gets at its birth. Nothing of it is secret: any program there can read it. A hook of cloud-init, which runs before
 * most of the system is up and has no time limit: it only writes files, starts what waits and tries again, and ends.
 */
import { AGENT_UNIT, type MachineConfig } from '../wire/machine.ts'
import { type Dialect, fetcher } from './fetcher.ts'

/** What a room hands in. */
export interface Birth {
  /** What all machines of the group get alike; who it is, each finds out itself. */
  readonly machine: Omit<MachineConfig, 'machine' | 'address' | 'home' | 'index'>
  readonly dialect: Dialect
  readonly store: BirthStore
  /** SHA-256 (hex) of the agent. */
  readonly agent: string
  /** The same of the runtime (`RUNTIMES`) for the architecture that the group has. */
  readonly runtime: string
  /** Where the metadata service is, if not where the vendor has it. */
  readonly metadata?: string
}

/** Where the programs are. */
export interface BirthStore {
  /** Of the bucket, with a slash at its end. */
  readonly url: string
  /** Key of a program without its digest. */
  readonly at: string
  /** Where requests are signed for one. */
  readonly region?: string
  /** The account that the bucket must belong to. */
  readonly owner?: string
}

/** On each machine. */
const FOLDER = '/var/lib/tpi'

/**
 * First the fetcher, then the agent that it becomes. Of the boot it waits for nothing but the network, which is there already, for this text came over it; `prepare` has the script
 * wait for the rest. Until it is the agent it may take as long as it needs, and is more urgent than the boot beside it.
 *
 * The agent outlives what the script does to memory, is killed when it hangs, and is started again; one that has ended by itself has taken the
 * machine out of its group, so the machine may go. (Not by `SuccessAction`: before systemd 254 that is done between a crash and the new start as
 * well, https://github.com/systemd/systemd/issues/27722.) It ends its script itself (`KillMode=mixed`), also when the system goes down, for which it has
 * its time and the network.
 */
export const agentUnit = (start: string): string => `[Unit]
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
TimeoutStartSec=infinity
Nice=-9
StandardError=journal+console
ExecStart=${start}
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

/** Text for cloud-init. The facts are one line of JSON, so no value can end its document. */
export function userData(birth: Birth): string {
  const { machine, store, agent, runtime, metadata } = birth
  const facts = {
    ...store,
    agent,
    node: runtime,
    ...(metadata !== undefined && { metadata }),
    until: Math.floor(Date.parse(machine.hardDeadline) / 1000),
    machine,
  }
  return HOOK(JSON.stringify(facts), fetcher(birth.dialect))
}

/** Timers and services of distributions that would take processor, disk and package locks away from the script at any moment, or reboot. */
const QUIET = ['apt-daily.timer', 'apt-daily-upgrade.timer', 'unattended-upgrades.service']

/**
 * systemd finds a new unit by itself; only one before 246 has to read all units first, which takes a while and holds up the boot. `stop` takes the quiet ones
 * out of what the boot still means to start; their masks count once the agent has the units read.
 */
const HOOK = (facts: string, program: string): string => `#cloud-boothook
#!/bin/sh
# tpi-action starts
mkdir /run/tpi 2>/dev/null || exit 0
umask 077
d=${FOLDER} u=/run/systemd/system s='systemctl --no-block' q='${QUIET.join(' ')}'
mkdir -p $d $u
cat >$d/boot.json <<'E'
${facts}
E
cat >$d/fetch.py <<'E'
${program}E
cat >$u/${AGENT_UNIT} <<'E'
${agentUnit(`/usr/bin/python3 ${FOLDER}/fetch.py`)}E
a="$s start ${AGENT_UNIT}";$a||{ systemctl daemon-reload;$a;}
for n in $q;do ln -sf /dev/null $u/$n;done
$s stop $q
`
