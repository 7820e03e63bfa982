/**
 * Clouds of whole machines, each in an emulated account on this host: the cost of a command, the number of its calls, and how soon its machines do
 * their work.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callsOfFollowing, onlySlot } from '../__tests__/lab/vm/followed.ts'
import { MachineHost } from '../__tests__/lab/vm/host/machine-host.ts'
import { killedAtEachCall } from '../__tests__/lab/vm/killed.ts'
import { LABS, type VmLab } from '../__tests__/lab/vm/labs.ts'
import type { RunningLab } from '../__tests__/lab/vm/running-lab.ts'
import { shareRuntime } from '../__tests__/lab/vm/runtime.ts'
import { besideUntil, lookedOnce, rounds } from '../__tests__/lab/vm/troubles.ts'
import { type Bench, type Command, FRESH, type Ground, poll, tpi } from './ground.ts'
import { atMost, median, megabytes, milliseconds, plain, type Row, shown } from './measure.ts'
import { peakSoFar } from './peak.ts'

/** Milliseconds there and back. */
const LATENCY = 80
/** Clock ticks of the processor per second: `getconf CLK_TCK`, the same on all Linux systems. */
const TICKS = 100

const task = ({ cloud, types }: VmLab, name: string, script: string, ...more: readonly string[]): string[] =>
  `task --cloud ${cloud} --machine ${types} --spot --name ${name} --timeout 8h`.split(' ').concat('--script', script, ...more)

interface Weight {
  /** Milliseconds of processor time. */
  readonly processor: number
  /** Bytes. */
  readonly memory: number
}

/** Of a living process. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function weigh(pid: number): Weight {
  const after = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return { processor: ((Number(after[11]) + Number(after[12])) / TICKS) * 1000, memory: peakSoFar(pid) }
}

/** The weight of a command when its first call arrives; then the command is killed. */
async function firstCall(ground: Ground, vm: VmLab, { front: { troubles }, env }: RunningLab, own = {}): Promise<Weight> {
  const begun: { command?: Command } = {}
  const weight = new Promise<Weight>((resolve) => {
    troubles.onCall = (call) => {
      // Calls to log in come earlier, and do not count.
      if (!vm.calls.waited.test(call)) return
      troubles.onCall = undefined
      const pid = begun.command?.child.pid ?? 0
      resolve(weigh(pid))
      begun.command?.child.kill('SIGKILL')
    }
  })
  begun.command = tpi(ground, task(vm, 'first', 'true', '--detach'), { ...env, ...own })
  const seen = await Promise.race([weight, begun.command.ended.then(() => Promise.reject(new Error('no call came')))])
  await begun.command.ended.catch(() => undefined)
  return seen
}

/** Rounds of calls that wait for each other: up to the call that starts machines, and for a whole removal. */
async function waits(ground: Ground, vm: VmLab, { front: { troubles }, env }: RunningLab): Promise<readonly [up: number, gone: number]> {
  const own = (seen: typeof troubles.seen): number => rounds(lookedOnce(seen.filter(({ call }) => vm.calls.waited.test(call))))
  troubles.latency = LATENCY
  troubles.seen.length = 0
  troubles.onCall = besideUntil(vm.calls.up, vm.calls.beside)
  await tpi(ground, task(vm, 'timed', 'true', '--detach'), env).ended
  troubles.onCall = undefined
  const up = own(troubles.seen.slice(0, troubles.seen.findIndex(({ call }) => call === vm.calls.up) + 1))
  troubles.seen.length = 0
  await tpi(ground, ['destroy', 'timed', '--discard', '--cloud', vm.cloud], env).ended
  const gone = own(troubles.seen)
  troubles.clear()
  return [up, gone]
}

/** The number of things that an account has in addition, including objects of runs. */
async function moreIn(lab: RunningLab, before: readonly string[]): Promise<number> {
  const had = new Set(before)
  return (await lab.inventory()).filter((one) => !had.has(one)).length + (await lab.stored()).length
}

/** The same, after waiting a little, because most things are removed in the vendor's own time. */
async function leftOf(lab: RunningLab, before: readonly string[]): Promise<number> {
  for (let tries = 0; tries < 20 && (await moreIn(lab, before)) > 0; tries++) await sleep(500)
  return moreIn(lab, before)
}

interface Leaked {
  /** Commands that were killed. */
  readonly killed: number
  /** The number of things that they had made before the sweep. */
  readonly made: number
  readonly left: number
}

/**
 * Commands are killed at each call of a creation. Then the time of their runs passes, and one sweep runs, in a separate account whose time moves
 * ahead.
 */
async function leaked(ground: Ground, vm: VmLab): Promise<Leaked | undefined> {
  const lab = await vm.start(undefined, 'ahead')
  if (!lab) return undefined
  try {
    const before = await lab.inventory()
    const env = { ...lab.env, TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '2s' }
    const killed = await killedAtEachCall(vm, lab, async (name, ofKind, begun) => {
      const { child, ended, lines } = tpi(ground, ofKind(task(vm, name, 'true', '--detach')), env)
      begun(child)
      await ended.catch(() => undefined)
      return { signal: child.signalCode, err: lines.map(({ text }) => text).join('\n') }
    })
    const made = await moreIn(lab, before)
    await tpi(ground, ['sweep', '--yes', '--cloud', vm.cloud], env).ended
    return { killed, made, left: await leftOf(lab, before) }
  } finally {
    await lab.stop()
  }
}

/** `left`: things in the account that were not there before. */
async function controlled(ground: Ground, vm: VmLab): Promise<{ readonly rows: readonly Row[]; readonly left: number }> {
  const lab = await vm.start()
  if (!lab) return { rows: [shown(`${vm.cloud}: not measured`, 'its emulated account cannot be had here')], left: 0 }
  try {
    // The account's own storage is created once, and stays.
    await tpi(ground, task(vm, 'made', 'true', '--detach'), lab.env).ended
    await tpi(ground, ['destroy', 'made', '--discard', '--cloud', vm.cloud], lab.env).ended
    const before = await lab.inventory()
    const weights: Weight[] = []
    const later: Weight[] = []
    for (let number = 0; number < (ground.quick ? 1 : 5); number++) {
      weights.push(await firstCall(ground, vm, lab, FRESH))
      later.push(await firstCall(ground, vm, lab))
    }
    const peer = `where one has run before: ${milliseconds.show(median(later.map(({ processor }) => processor)))}`
    const [up, gone] = await waits(ground, vm, lab)
    const hour = await callsOfFollowing(vm, lab, ground.quick ? 60 : 3600)
    const both = await callsOfFollowing(vm, lab, ground.quick ? 60 : 3600, 'prefer')
    const left = await leftOf(lab, before)
    const start = `${vm.cloud}: start of the command → first call`
    const rows = [
      atMost({ what: `${start}, processor`, samples: weights.map(({ processor }) => processor), limit: 350, unit: milliseconds, peer }),
      atMost({ what: `${start}, memory`, samples: weights.map(({ memory }) => memory), limit: 150e6, unit: megabytes }),
      atMost({ what: `${vm.cloud}: rounds of calls until machines are requested`, samples: [up], limit: 6, unit: plain }),
      atMost({ what: `${vm.cloud}: rounds of calls until everything is removed`, samples: [gone], limit: 5, unit: plain }),
      atMost({ what: `${vm.cloud}: calls to follow a task for an hour`, samples: [hour], limit: 400, unit: plain }),
      atMost({ what: `${vm.cloud}: the same with spot: prefer`, samples: [both], limit: 400, unit: plain }),
    ]
    return { rows, left }
  } finally {
    await lab.stop()
  }
}

/** One sum for all clouds, so that no leak hides behind another cloud. */
function leaks(all: readonly Leaked[]): Row {
  const sum = (of: (one: Leaked) => number): number => all.reduce((total, one) => total + of(one), 0)
  const what = `resources left in ${all.length} accounts after all of these, and after ${sum(({ killed }) => killed)} commands killed, one at each call of a creation`
  return atMost({
    what,
    samples: [sum(({ left }) => left)],
    limit: 0,
    unit: plain,
    peer: `the killed commands had left ${sum(({ made }) => made)}`,
  })
}

/** Parts of an image's boot that a script waits for: see `agent/vm/prepare.ts`. */
const IMAGE = ['basic.target', 'network-online.target', 'cloud-init.service']

/** Milliseconds from the first line of user-data to that of the script; `own`: from there or from when the image was ready, whichever is later. */
interface Boot {
  readonly all: number
  readonly own: number
}

/** Shell commands for the machine, which print what `bootOf` reads. */
const BEGIN = `now="$(date +%s%3N) $(cut -d' ' -f1 /proc/uptime)"
image=$(systemctl show --value -p ActiveEnterTimestampMonotonic -p ExecMainExitTimestampMonotonic ${IMAGE.join(' ')} | tr -s '\\n' ' ')
echo "begin $(sudo stat -c %.3Y /var/lib/tpi/boot.json | tr -d .) $now $image"`

function bootOf(line: string): Boot {
  const [birth = 0, first = 0, up = 0, ...ready] = line.split(' ').slice(1).filter(Boolean).map(Number)
  const since = up * 1000 - Math.max(...ready) / 1000
  return { all: first - birth, own: Math.min(first - birth, since) }
}

/** Only from the first line of user-data to that of the script. */
async function bootedOnly(ground: Ground, vm: VmLab, { env }: RunningLab, number: number): Promise<Boot> {
  const run = tpi(ground, task(vm, `boot-${number}`, `#!/bin/sh\n${BEGIN}`), env)
  const boot = bootOf((await run.saw(/^begin \d+ \d+/)).text)
  await run.ended
  return boot
}

/** One task on a machine that boots and is reclaimed, and that ends on the next machine. */
async function booted(ground: Ground, vm: VmLab, host: MachineHost): Promise<readonly Row[]> {
  const lab = await vm.start(host)
  if (!lab) return []
  const dirty = ground.quick ? 1e6 : 1e8
  const script = `#!/bin/sh
if [ -e dirty ]; then sleep 1; echo "end $(date +%s%3N)"; exit 0; fi
${BEGIN}
sleep 1; head -c ${dirty} /dev/urandom > dirty; echo ready; exec sleep 600`
  const name = 'booted'
  try {
    const run = tpi(ground, task(vm, name, script, '--checkpoint-interval', '10m'), lab.env)
    const begun = bootOf((await run.saw(/^begin \d+ \d+/)).text)
    await run.saw(/^ready$/)
    const slot = await onlySlot(vm.cloud, lab.env)
    const [machine] = lab.world.fleet.present(vm.region)
    if (machine) lab.world.reclaim(machine, vm.notice * 1000)
    const noticed = performance.now()
    await poll('a safe snapshot', async () => ((await slot.read())?.value.head?.bytes ?? 0) >= dirty || undefined)
    const safe = performance.now() - noticed
    const end = run.saw(/^end \d+$/)
    await end
    const smaller = await poll(
      'a smaller group',
      () => (lab.world.groups(vm.region).every(({ sizes }) => sizes.wanted === 0) ? Date.now() : undefined),
      5,
    )
    const last = Number((await end).text.split(' ')[1])
    await run.ended
    const unit = milliseconds
    const boots = [begun]
    while (boots.length < (ground.quick ? 1 : 5)) boots.push(await bootedOnly(ground, vm, lab, boots.length))
    const all = unit.show(median(boots.map((boot) => boot.all)))
    return [
      shown(`${vm.cloud}: first line of user-data → first line of the script`, all),
      atMost({
        what: `${vm.cloud}: image ready → first line of the script`,
        samples: boots.map(({ own }) => own),
        limit: 1500,
        unit,
      }),
      atMost({ what: `${vm.cloud}: notice → snapshot saved, ${dirty / 1e6} MB changed`, samples: [safe], limit: 3000, unit }),
      atMost({ what: `${vm.cloud}: end of the script → its group is one machine smaller`, samples: [smaller - last], limit: 2000, unit }),
    ]
  } finally {
    await lab.stop()
  }
}

export const clouds: Bench = {
  name: 'clouds',
  title: 'AWS, Google Cloud and Azure, emulated on this host',
  notes: [
    'Accounts are emulated on the same cores. Machines are containers with their own init (systemd-nspawn), and boot through cloud-init. The lab keeps the programs that they download in memory, because a vendor’s storage does not use a machine’s processors either. These numbers do not contain the time that a vendor needs for its own part.',
    'First call: from the start of the built command until the call arrives, on a computer where no command has run before, as in CI; compared with one where Node has kept compiled code. Rounds: calls that wait for each other, when each takes 80 ms more. Calls to the store do not count, nor do questions about the progress of an operation on Azure; a question that is repeated until something has happened counts once.',
    'For comparison, `leo` of the predecessor TPI makes 25 calls one after the other until its machine starts, including those for its bucket, and 20 until everything is removed (`judge-leo.test.ts` with moto’s proxy, by hand, 24 November 2026).',
    'Resources left: things in the account and objects in its storage. Each killed command starts a run of its own in an empty account; then ten hours pass there, and one sweep follows.',
    'Following for an hour: a command follows a slot that a machine holds and that prints nothing, with a clock that runs 120 times as fast.',
    'First line of user-data: when our hook writes its first file. The image is ready when its own services for network, disks and users have started, because no script can run before (at the earliest, with the first line of user-data). Snapshot: until a reader of the store sees it in the slot’s record.',
  ],
  async run(ground): Promise<readonly Row[]> {
    process.env['TPI_AGENT_BUNDLE'] = join(ground.dist, 'agent/agent.mjs')
    await shareRuntime(ground.home)
    const rows: Row[] = []
    const all: Leaked[] = []
    for (const vm of Object.values<VmLab>(LABS)) {
      ground.say(`${vm.cloud}, whose machines are records`)
      const seen = await controlled(ground, vm)
      rows.push(...seen.rows)
      const storm = await leaked(ground, vm)
      if (storm) all.push({ ...storm, left: storm.left + seen.left })
    }
    if (all.length > 0) rows.push(leaks(all))
    const host = await MachineHost.start().catch(() => undefined)
    if (!host) return [...rows, shown('machines: not measured', 'no machine boots here')]
    try {
      for (const vm of Object.values<VmLab>(LABS)) {
        ground.say(`${vm.cloud}, whose machines boot`)
        rows.push(...(await booted(ground, vm, host)))
      }
    } finally {
      await host.stop()
    }
    return rows
  },
}
