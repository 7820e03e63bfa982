/** Starts programs that outlive this process: supervisors and agents. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { Duplex, Readable } from 'node:stream'
import { RemoteError } from '../../core/errors.ts'
import type { Env } from '../../lib/env.ts'
import { isGone } from '../../lib/error-code.ts'
import { writeJson } from '../../lib/files.ts'
import { identify } from '../../lib/process.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { VERSION } from '../../wire/parse.ts'
import { enterCgroup, makeCgroup } from './cgroup.ts'
import { hardDeadlineNow } from './deadline.ts'
import type { Group, GroupRecord, MachineFolder } from './folder.ts'
import { type HostedProcess, here } from './host-identity.ts'

/**
 * Variables in which the host tells its programs who and where they are, and how to reach the network. The agent makes the script's environment from
 * them; no other variables of the caller are passed on.
 */
const BASE =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TZ|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|SSL_CERT_(FILE|DIR)|(HTTPS?|NO|ALL)_PROXY)$/i

export function baseOf(env: Env): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => BASE.test(entry[0]) && entry[1] !== undefined))
}

/** Starts it in a session of its own, with output to a file and nothing inherited. Rejects if the system cannot start it. */
async function start(
  node: string,
  args: readonly string[],
  where: {
    readonly log: string
    readonly cwd: string
    readonly env: Record<string, string>
    readonly pipe: 'none' | 'stdin' | 'ready'
    readonly cgroup?: string | undefined
  },
): Promise<ChildProcess> {
  const log = openSync(where.log, 'a', 0o600)
  try {
    const input = where.pipe === 'stdin' ? 'pipe' : 'ignore'
    const child = spawn(node, args, {
      cwd: where.cwd,
      env: where.env,
      detached: true,
      stdio: where.pipe === 'ready' ? [input, log, log, 'pipe'] : [input, log, log],
    })
    if (where.cgroup !== undefined && child.pid !== undefined) enterCgroup(where.cgroup, child.pid)
    await once(child, 'spawn')
    return child
  } finally {
    closeSync(log)
  }
}

function nodeOf(group: Group): string {
  const own = group.path('node')
  return existsSync(own) ? own : process.execPath
}

/** Milliseconds of silence after which a new supervisor counts as failed. */
const SILENT = 20_000

/**
 * Starts a supervisor. `true`: one is in office, this or another; `false`: it has died or says nothing. Throws RemoteError if the
 * group was removed meanwhile.
 */
export async function launchSupervisor(group: Group, record: GroupRecord): Promise<boolean> {
  const where = { log: group.path('supervisor.log'), cwd: '/', env: record.base, pipe: 'ready' } as const
  const args = ['--', group.path('agent.mjs'), 'local', 'supervise', group.folder, 'ready']
  const child = await start(nodeOf(group), args, where).catch((cause: unknown) => {
    if (!isGone(cause) || existsSync(group.folder)) throw cause
    throw new RemoteError(`${record.tags.id} was removed while it was being started`, { cause, hint: 'run the same command again' })
  })
  const ready = child.stdio[3]
  const said = ready && 'read' in ready ? await firstWord(ready) : ''
  child.unref()
  return said.startsWith('ready')
}

/** Resolves to the first word in a pipe; empty if the pipe ends before (the supervisor has died), or after `SILENT`. */
async function firstWord(pipe: Duplex | Readable): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, SILENT, '')
    pipe.once('data', end).once('close', end).once('error', end)
    function end(word?: unknown): void {
      clearTimeout(timer)
      pipe.destroy()
      resolve(Buffer.isBuffer(word) ? word.toString('latin1') : '')
    }
  })
}

export interface Launched {
  readonly child: ChildProcess
  readonly placed: HostedProcess
}

/**
 * Keeps the agent's memory low, because it shares this host with the script: a small young generation, and large blocks that are given back at once
 * (measured on trees of 100 000 files). The script's environment has none of it.
 */
const FRUGAL = { args: ['--max-semi-space-size=2'], env: { MALLOC_MMAP_THRESHOLD_: '131072' } } as const

/** Makes a machine's folder and starts its agent. */
export async function launchMachine(
  group: Group,
  machine: MachineFolder,
  record: GroupRecord,
  place: { readonly index: number; readonly dead: readonly string[] },
): Promise<Launched> {
  const credentials = await group.credentials()
  // Not its parents: a group that was removed in the meantime must not come back.
  await mkdir(machine.folder, { mode: 0o700 })
  await writeJson(machine.path('machine.json'), machineConfig(machine, record, place, credentials !== undefined))
  const child = await start(nodeOf(group), [...FRUGAL.args, '--', group.path('agent.mjs'), 'run', machine.path('machine.json')], {
    log: machine.path('agent.log'),
    cwd: machine.folder,
    env: { ...record.base, ...FRUGAL.env, TPI_MACHINE: machine.name },
    pipe: credentials ? 'stdin' : 'none',
    cgroup: await makeCgroup(machine),
  })
  // If the agent dies before it has read them, the pipe breaks; the supervisor notices the death.
  child.stdin?.on('error', () => undefined).end(`${JSON.stringify(credentials)}\n`)
  const process_ = identify(child.pid ?? 0) ?? { pid: child.pid ?? 0, start: 'gone' }
  const placed: HostedProcess = { process: process_, place: here(), at: new Date().toISOString() }
  await writeJson(machine.path('process.json'), placed)
  return { child, placed }
}

function machineConfig(
  machine: MachineFolder,
  record: GroupRecord,
  { index, dead }: { readonly index: number; readonly dead: readonly string[] },
  credentials: boolean,
): MachineConfig {
  const { id, incarnation, store } = record.tags
  return {
    v: VERSION,
    cloud: 'local',
    id,
    incarnation,
    machine: machine.name,
    index,
    address: '127.0.0.1',
    home: machine.folder,
    dead,
    hardDeadline: hardDeadlineNow(record),
    store,
    credentials: credentials ? 'stdin' : 'none',
  }
}
