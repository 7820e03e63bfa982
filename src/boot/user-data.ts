/**
 * What a machine of a cloud gets at its birth. Nothing of it is secret: any program there can read it. A hook of cloud-init, which runs before
 * most of the system is up and has no time limit: it only writes files, starts what waits and tries again, and ends.
 */
import type { MachineConfig } from '../wire/machine.ts'
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

/** Of ours, on each machine. */
const FOLDER = '/var/lib/tpi'

/** Bytes of a file, of those that it fetches and unpacks before their digests are known: twice the largest. */
const LARGEST_FILE = '256M'

/**
 * Of the unit that fetches. It does not wait for the rest of the boot, which goes on beside it and yields the processor to it: the network is there, for this text came
 * over it. When it gives up the machine is powered off: a command that follows the group sees that it went, and its console says why.
 */
const FETCHES = [
  'DefaultDependencies=no',
  'FailureAction=poweroff',
  `LimitFSIZE=${LARGEST_FILE}`,
  'Nice=-9',
  'StandardOutput=journal+console',
]

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
 * systemd does not read all units again, which would take a while and hold up the boot: `systemd-run` hands it the unit that fetches, and `stop` takes the quiet ones
 * out of what the boot still means to start. Their masks count once the agent has the units read.
 */
const HOOK = (facts: string, program: string): string => `#cloud-boothook
#!/bin/sh
# tpi-action starts
mkdir /run/tpi 2>/dev/null || exit 0
umask 077
d=${FOLDER} u=/run/systemd/system q='${QUIET.join(' ')}'
mkdir -p $d $u
cat >$d/boot.json <<'E'
${facts}
E
cat >$d/fetch.py <<'E'
${program}E
systemd-run --no-block --unit=tpi-fetch ${FETCHES.map((one) => `-p ${one}`).join(' ')} /usr/bin/python3 $d/fetch.py
for n in $q; do ln -sf /dev/null $u/$n; done
systemctl --no-block stop $q
`
