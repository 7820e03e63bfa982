/**
 * The user-data of a machine. Nothing in it is secret, because any program on the machine can read it. It is a hook of cloud-init, which
 * runs before most of the system is up. The hook only writes files and starts the fetcher, which waits and tries again as long as it needs.
 */
import { AGENT_UNIT, type MachineConfig } from '../wire/machine.ts'
import { type Dialect, fetcher, URGENCY } from './fetcher.ts'

/** What user-data is made of. */
export interface UserDataParams {
  /** The part that is the same for all machines of the group; each machine finds out the rest. */
  readonly machine: Omit<MachineConfig, 'machine' | 'address' | 'home' | 'index'>
  readonly dialect: Dialect
  readonly store: ProgramSource
  /** SHA-256 (hex) of the agent. */
  readonly agent: string
  /** SHA-256 (hex) of the runtime (`RUNTIMES`) for the group's architecture. */
  readonly runtime: string
  /** The address of the metadata service, if it is not the vendor's usual one. */
  readonly metadata?: string
}

/** Where the programs are. */
export interface ProgramSource {
  /** URL of the bucket, with a trailing slash. */
  readonly url: string
  /** What the keys of programs begin with; the digest follows. */
  readonly at: string
  /** The region for signatures, if requests are signed for one. */
  readonly region?: string
  /** The account that the bucket must belong to. */
  readonly owner?: string
}

/** The folder on each machine. */
const FOLDER = '/var/lib/tpi'

/**
 * The unit that runs the fetcher, which becomes the agent.
 *
 * - Start: it waits for no part of the boot except the network, which is up already, because this text came over it. (`prepare` makes the
 *   script wait for the rest.) Until it becomes the agent, it has no time limit, and a higher priority than the rest of the boot.
 * - Failures: the agent survives if the script uses up the memory, is killed if it hangs, and is started again.
 * - Normal end: the agent has taken the machine out of its group, so the machine powers off. (Not by `SuccessAction`, which before
 *   systemd 254 also acts between a crash and the restart: https://github.com/systemd/systemd/issues/27722.)
 * - Console: the last lines of an agent that has failed go there. If the system cannot run a program, only they say why.
 * - Shutdown: the agent ends its script itself (`KillMode=mixed`). It has time for that, and the network stays up until then.
 * - Nothing else stops it (`RefuseManualStop`): after a library was updated, needrestart(1) on Ubuntu restarts every service that uses it,
 *   except those that refuse.
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
 * Starts the fetcher. Images of Red Hat 8 have Python only for the system's own programs, such as cloud-init:
 * https://github.com/Azure/azure-linux-extensions/pull/1461
 */
const FETCH = `/bin/sh -c 'p=/usr/bin/python3;[ -x $$p ]||p=/usr/libexec/platform-python;exec $$p ${FOLDER}/fetch.py'`

/** The text for cloud-init. The facts are one line of JSON, so no value can end the here-document that holds them. */
export function userData(params: UserDataParams): string {
  const { machine, store, agent, runtime, metadata } = params
  const facts = {
    ...store,
    agent,
    node: runtime,
    ...(metadata !== undefined && { metadata }),
    until: Math.floor(Date.parse(machine.hardDeadline) / 1000),
    machine,
  }
  return HOOK(JSON.stringify(facts), fetcher(params.dialect))
}

/** Units of distributions that could take CPU, disk and package locks away from the script at any moment, or reboot the machine. */
const QUIET = ['apt-daily.timer', 'apt-daily-upgrade.timer', 'unattended-upgrades.service']

/**
 * systemd finds a new unit by itself. Only versions before 246 have to read all units first, which takes a while and delays the boot.
 * `stop` cancels the start of the units in QUIET. Their masks take effect when the agent makes systemd read its units.
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
