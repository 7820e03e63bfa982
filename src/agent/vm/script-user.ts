/**
 * The script's own user and slice, by which the system tells it from the agent. Only on machines that run a whole operating system.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { retry } from '../../lib/backoff.ts'
import { run } from '../../lib/run.ts'
import { succeeds } from '../../lib/settle-all.ts'
import { messageOf } from '../../lib/text.ts'
import { AGENT_UNIT, type OwnSystem } from '../../wire/machine.ts'

export const SCRIPT_USER = 'tpi'
const SCRIPT_HOME = `/home/${SCRIPT_USER}`
export const SCRIPT_SLICE = 'tpi-script.slice'
/** The control group of that slice: the dash in its name puts it below another one (systemd.slice(5)). */
export const SCRIPT_CGROUP = `tpi.slice/${SCRIPT_SLICE}`

/** Groups of the user, so that it may use devices without being root. Members of `docker` can become root, so it needs `sudo`. */
export const groupsOf = ({ sudo }: Pick<OwnSystem, 'sudo'>): readonly string[] => [...(sudo ? ['docker'] : []), 'render', 'video']
/** Tries to make the user, which take five seconds or so; milliseconds between them. */
const TRIES = { tries: 11, first: 1000, longest: 1000 }

/** A command, and its environment. */
export interface Invocation {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export async function makeUser(system: OwnSystem): Promise<void> {
  const [known, groups] = await Promise.all([succeeds(run('id', [SCRIPT_USER])), present(groupsOf(system))])
  const member = groups.length > 0 ? ['--groups', groups.join(',')] : []
  if (!known)
    await persistently(async () => run('useradd', ['--create-home', '--user-group', '--shell', '/bin/bash', ...member, SCRIPT_USER]))
  else if (groups.length > 0) await persistently(async () => run('usermod', ['--append', ...member, SCRIPT_USER]))
  const rule = join('/etc/sudoers.d', SCRIPT_USER)
  await rm(rule, { force: true })
  if (!system.sudo) return
  await mkdir(dirname(rule), { recursive: true })
  await writeFile(rule, `${SCRIPT_USER} ALL=(ALL) NOPASSWD:ALL\n`, { mode: 0o440 })
}

/** Which of the groups this image has: `getent` prints those, and also fails if one is missing. */
async function present(groups: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run('getent', ['group', ...groups]).catch((error: { readonly stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }))
  return stdout.split('\n').flatMap((line) => line.split(':', 1).filter(Boolean))
}

/** Tries again for a while: another program (cloud-init) may be making users too, and lock their file. */
async function persistently(work: () => Promise<unknown>): Promise<void> {
  await retry(work, { ...TRIES, again: () => true }).catch((cause: unknown) => {
    throw new Error(`the user of the script could not be created: ${messageOf(cause)}`, { cause })
  })
}

/**
 * The command that runs the same program as the script's user, in its slice.
 *
 * It runs in a scope, because that keeps the process that it is given, with its pid, session and pipes. The scope is delegated, so systemd
 * does not end all of it when something in it runs out of memory (systemd.scope(5), OOMPolicy=). It is ordered before the agent's unit, so
 * at shutdown it is stopped after that (systemd.unit(5), Before=): the agent hears of the shutdown first, and ends the script in its own
 * way.
 *
 * Everything up to `setpriv` runs as root. So variables that name libraries, perhaps in the work directory, are set only behind it.
 */
export function asScriptUser({ argv, env }: Invocation, { sudo }: Pick<OwnSystem, 'sudo'>): Invocation {
  const properties = ['--property=Delegate=yes', `--property=Before=${AGENT_UNIT}`]
  const scope = ['/usr/bin/systemd-run', '--scope', '--quiet', '--collect', `--slice=${SCRIPT_SLICE}`, ...properties, '--']
  const libraries = Object.entries(env).flatMap(([name, value]) => (OF_LIBRARIES.test(name) ? [`${name}=${value}`] : []))
  const others = Object.entries(env).filter(([name]) => !OF_LIBRARIES.test(name))
  // Of the variables that systemd adds, this one could make a program believe that it is a service itself.
  const words = [...scope, ...userWords({ sudo }), '/usr/bin/env', '--unset=INVOCATION_ID', ...libraries, ...argv]
  return { argv: words, env: Object.fromEntries(others) }
}

/** Run the command that follows them as the script's user. */
const userWords = ({ sudo }: Pick<OwnSystem, 'sudo'>): readonly string[] => [
  '/usr/bin/setpriv',
  `--reuid=${SCRIPT_USER}`,
  `--regid=${SCRIPT_USER}`,
  '--init-groups',
  ...(sudo ? [] : ['--no-new-privs']),
  '--',
]

/** Milliseconds: what the user has put there may never end. */
const READING = 5000

/** A small file, read by the script's user, who may have put a link there. Rejects if that user may not read it. */
export async function readAsScriptUser(path: string): Promise<Buffer> {
  const [command, ...words] = [...userWords({ sudo: false }), '/bin/cat', '--', path]
  // Without the agent's environment, which that user could read then.
  const { stdout } = await run(command, words, { encoding: 'buffer', env: {}, timeout: READING, killSignal: 'SIGKILL' })
  return stdout
}

/**
 * Variables that tell the loader what to load, or where to write (ld.so(8), iconv(1)). They are named one by one, because they are set on a command
 * line, which everybody can read: others with such a name may be secrets, such as `LD_SDK_KEY` of LaunchDarkly.
 */
const OF_LIBRARIES =
  /^(?:LD_(?:ASSUME_KERNEL|AUDIT|BIND_NO[TW]|DEBUG|DEBUG_OUTPUT|DYNAMIC_WEAK|HWCAP_MASK|LIBRARY_PATH|ORIGIN_PATH|POINTER_GUARD|PREFER_MAP_32BIT_EXEC|PRELOAD|PROFILE|PROFILE_OUTPUT|SHOW_AUXV|TRACE_LOADED_OBJECTS|TRACE_PRELINKING|USE_LOAD_BIAS|VERBOSE|WARN)|GLIBC_TUNABLES|GCONV_PATH)$/

/**
 * Call it as soon as a program of the user was started. If memory runs out, the kernel kills the agent last (`OOMScoreAdjust=`), and
 * children inherit that (proc_pid_oom_score_adj(5)): without this, it would kill every service of the system before the script.
 */
export function makeEndable(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '0')
  } catch {
    // It has ended already.
  }
}

export const scriptUserEnvironment = {
  HOME: SCRIPT_HOME,
  USER: SCRIPT_USER,
  LOGNAME: SCRIPT_USER,
  SHELL: '/bin/bash',
} as const

/**
 * Changes the owner of files and folders, with everything in them. Missing ones are ignored, also those that a command beside the script
 * (`tpi exec`) removes meanwhile.
 */
export async function giveToScript(paths: readonly string[], owner = `${SCRIPT_USER}:${SCRIPT_USER}`): Promise<void> {
  const there = paths.filter((path) => existsSync(path))
  if (there.length === 0) return
  const env = { ...process.env, LC_ALL: 'C' }
  await run('chown', ['--recursive', '--no-dereference', owner, ...there], { env }).catch((error: { readonly stderr?: string }) => {
    const complaints = (error.stderr ?? '').split('\n').filter(Boolean)
    if (complaints.length === 0 || !complaints.every((line) => line.endsWith(': No such file or directory'))) throw error
  })
}
