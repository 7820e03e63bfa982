/**
 * The user-data of a machine. Nothing in it is secret: any program on the machine can read it. It is a hook of cloud-init, which runs before
 * most of the system is up and has no time limit: it only writes files, starts the program that waits and retries, and ends.
 */
import { AGENT_UNIT, type MachineConfig } from '../wire/machine.ts'
import { type Dialect, fetcher, URGENCY } from './fetcher.ts'

/** The input from a cloud. */
export interface Birth {
  /** The part that is the same for all machines of the group; each finds out its own identity. */
  readonly machine: Omit<MachineConfig, 'machine' | 'address' | 'home' | 'index'>
  readonly dialect: Dialect
  readonly store: BirthStore
  /** SHA-256 (hex) of the agent. */
  readonly agent: string
  /** SHA-256 (hex) of the runtime (`RUNTIMES`) for the group's architecture. */
  readonly runtime: string
  /** The address of the metadata service, if it is not the vendor's usual one. */
  readonly metadata?: string
}

/** Where the programs are. */
export interface BirthStore {
  /** URL of the bucket, with a trailing slash. */
  readonly url: string
  /** Key of a program without its digest. */
  readonly at: string
  /** The region for signatures, if requests are signed for one. */
  readonly region?: string
  /** The account that the bucket must belong to. */
  readonly owner?: string
}

/** The folder on each machine. */
const FOLDER = '/var/lib/tpi'

/**
 * Runs the fetcher, which becomes the agent. It waits for no part of the boot but the network, which is up already, because this text came
 * over it; `prepare` makes the script wait for the rest. Until it becomes the agent it may take as long as it needs, and has a higher
 * priority than the boot.
 *
 * The agent survives if the script uses up the memory, is killed if it hangs, and is restarted; an agent that has ended by itself has taken the
 * machine out of its group, so the machine powers off. (Not by `SuccessAction`: before systemd 254 it also acts between a crash and the restart,
 * https://github.com/systemd/systemd/issues/27722.) The last lines of one that has failed go to the console, because the reason why the system
 * cannot run a program is only among them. The agent ends its script itself (`KillMode=mixed`), also when the system shuts down:
 * for that it has its own time limit, and the network stays up. Nothing else stops it: after an update of a library, Ubuntu's package manager
 * restarts every service that uses it (needrestart(1)), and only leaves out those that refuse.
 */
export const agentUnit = (start: string): string => `[Unit]
DefaultDependencies=no
Wants=network-online.target
After=network.target
Conflicts=shutdown.target
Before=shutdown.target
RefuseManualStop=yes
StartLimitIntervalSec=600
StartLimitBurst=5
StartLimitAction=poweroff
[Service]
Type=notify
NotifyAccess=all
TimeoutStartSec=infinity
Nice=-${URGENCY}
SyslogIdentifier=tpi-agent
StandardError=journal+console
ExecStart=${start}
SuccessExitStatus=75
Restart=on-failure
ExecStopPost=/bin/sh -c '[ "$$SERVICE_RESULT" = success ]&&exec systemctl --no-block poweroff;journalctl -t tpi-agent -n9 -ocat>/dev/console'
KillMode=mixed
TimeoutStopSec=150
WatchdogSec=60
WatchdogSignal=SIGKILL
OOMPolicy=continue
OOMScoreAdjust=-900
`

/**
 * Images of Red Hat's release 8 have Python only for the system's own programs, cloud-init among them:
 * https://github.com/Azure/azure-linux-extensions/pull/1461
 */
const FETCH = `/bin/sh -c 'p=/usr/bin/python3;[ -x $$p ]||p=/usr/libexec/platform-python;exec $$p ${FOLDER}/fetch.py'`

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

/** Timers and services of distributions that would take CPU, disk and package locks away from the script at any moment, or reboot the machine. */
const QUIET = ['apt-daily.timer', 'apt-daily-upgrade.timer', 'unattended-upgrades.service']

/**
 * systemd finds a new unit by itself; only versions before 246 have to read all units first, which takes a while and delays the boot.
 * `stop` cancels the start of the units in QUIET; their masks work once the agent has made systemd read its units.
 */
const HOOK = (facts: string, program: string): string => `#cloud-boothook
#!/bin/sh
# tpi-action starts
mkdir /run/tpi 2>/dev/null || exit 0
umask 077
d=${FOLDER} u=/run/systemd/system s='systemctl --no-block' q='${QUIET.join(' ')}'
mkdir -p $d $u
rm -f $d/machine.json
cat >$d/boot.json <<'E'
${facts}
E
cat >$d/fetch.py <<'E'
${program}E
cat >$u/${AGENT_UNIT} <<'E'
${agentUnit(FETCH)}E
a="$s start ${AGENT_UNIT}";$a||{ systemctl daemon-reload;$a;}
for n in $q;do ln -sf /dev/null $u/$n;done
$s stop $q
`
