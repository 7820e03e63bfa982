/**
 * What a machine of a cloud gets at its birth. Nothing of it is secret: whoever runs there can read it. A hook of cloud-init, which runs before
 * most of the system is up and has no time limit: it only writes files, starts what waits and tries again, and ends.
 */
import type { MachineConfig } from '../wire/machine.ts'
import { type Dialect, fetcher } from './fetcher.ts'
import type { Architecture } from './runtime.ts'

/** What a room hands in. */
export interface Birth {
  /** What all machines of the group get alike; who it is, each finds out itself. */
  readonly machine: Omit<MachineConfig, 'machine' | 'address' | 'home' | 'index'>
  readonly dialect: Dialect
  readonly store: BirthStore
  /** SHA-256 (hex) of the agent. */
  readonly agent: string
  /** SHA-256 (hex) of the runtime (`RUNTIMES`) for each architecture that the group may have. */
  readonly runtimes: Partial<Readonly<Record<Architecture, string>>>
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

/** Does not wait for the rest of the boot, which goes on beside it: the network is there, for this text came over it. Powers off when it has given up: whoever watches the group sees a machine that went, and its console says why. */
const FETCH_UNIT = `[Unit]
DefaultDependencies=no
FailureAction=poweroff
[Service]
ExecStart=/usr/bin/python3 ${FOLDER}/fetch.py
LimitFSIZE=${LARGEST_FILE}
StandardOutput=journal+console
`

/** Text for cloud-init. The facts are one line of JSON, so no value can end its document. */
export function userData(birth: Birth): string {
  const { machine, store, agent, runtimes, metadata } = birth
  const facts = {
    ...store,
    agent,
    node: runtimes,
    ...(metadata !== undefined && { metadata }),
    until: Math.floor(Date.parse(machine.hardDeadline) / 1000),
    machine,
  }
  return HOOK(JSON.stringify(facts), fetcher(birth.dialect))
}

/** Timers and services of distributions that would take processor, disk and package locks away from the script at any moment, or reboot. */
const QUIET = ['apt-daily.timer', 'apt-daily-upgrade.timer', 'unattended-upgrades.service']

/** What is new is found without reading all units again, which takes a while; only an old systemd (before 246) has to do that first. */
const HOOK = (facts: string, program: string): string => `#cloud-boothook
#!/bin/sh
# tpi-action starts
mkdir /run/tpi 2>/dev/null || exit 0
umask 077
d=${FOLDER} u=/run/systemd/system
mkdir -p $d $u
cat >$d/boot.json <<'E'
${facts}
E
cat >$d/fetch.py <<'E'
${program}E
cat >$u/tpi-fetch.service <<'E'
${FETCH_UNIT}E
for n in ${QUIET.join(' ')}; do ln -sf /dev/null $u/$n; done
s='systemctl start --no-block tpi-fetch'
$s&&s=
systemctl daemon-reload
$s
`
