/**
 * The script's identity on a machine that runs a whole operating system: its own user, and its own slice, by which the system distinguishes it
 * from the agent.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { retry } from '../../lib/backoff.ts'
import { run } from '../../lib/run.ts'
import { messageOf } from '../../lib/text.ts'
import { AGENT_UNIT, type OwnSystem } from '../../wire/machine.ts'

export const SCRIPT_USER = 'tpi'
const SCRIPT_HOME = `/home/${SCRIPT_USER}`
export const SCRIPT_SLICE = 'tpi-script.slice'
/** The dashes in its name put the slice below another one. */
export const SCRIPT_CGROUP = `tpi.slice/${SCRIPT_SLICE}`

/** Groups whose members may use devices of the machine without being root. (Members of `docker` can become root.) */
export const groupsOf = ({ sudo }: Pick<OwnSystem, 'sudo'>): readonly string[] => [...(sudo ? ['docker'] : []), 'render', 'video']
/** To make the user, for five seconds or so; milliseconds between them. */
const TRIES = { tries: 11, first: 1000, longest: 1000 }

/** A command, and its environment. */
export interface Invocation {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export async function makeUser(system: OwnSystem): Promise<void> {
  const [known, groups] = await Promise.all([isThere(SCRIPT_USER), present(groupsOf(system))])
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

const isThere = async (user: string): Promise<boolean> =>
  run('id', [user]).then(
    () => true,
    () => false,
  )

/** The groups that this image has: `getent` prints them, and fails if one is missing. */
async function present(groups: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run('getent', ['group', ...groups]).catch((error: { readonly stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }))
  return stdout.split('\n').flatMap((line) => line.split(':', 1).filter(Boolean))
}

/** Another program (cloud-init) may be making users too, and hold the lock of their file. */
async function persistently(work: () => Promise<unknown>): Promise<void> {
  await retry(work, { ...TRIES, again: () => true }).catch((cause: unknown) => {
    throw new Error(`the user of the script could not be created: ${messageOf(cause)}`, { cause })
  })
}

/**
 * Runs the same program as that user. A scope keeps the process that it is given, with the same pid, session and pipes; a delegated scope
 * is left alone if something in it runs out of memory (systemd.scope(5), OOMPolicy=). At shutdown, a unit that is ordered
 * before the agent is stopped after it (systemd.unit(5), Before=): the agent is told first, and ends the script in its own way. Up to `setpriv`,
 * all of it is root's: libraries that the program's environment names, perhaps in its own work directory, are for the program alone.
 */
export function asScriptUser({ argv, env }: Invocation, { sudo }: Pick<OwnSystem, 'sudo'>): Invocation {
  const properties = ['--property=Delegate=yes', `--property=Before=${AGENT_UNIT}`]
  const scope = ['/usr/bin/systemd-run', '--scope', '--quiet', '--collect', `--slice=${SCRIPT_SLICE}`, ...properties, '--']
  const rights = ['--init-groups', ...(sudo ? [] : ['--no-new-privs'])]
  const user = ['/usr/bin/setpriv', `--reuid=${SCRIPT_USER}`, `--regid=${SCRIPT_USER}`, ...rights, '--']
  const libraries = Object.entries(env).flatMap(([name, value]) => (OF_LIBRARIES.test(name) ? [`${name}=${value}`] : []))
  const others = Object.entries(env).filter(([name]) => !OF_LIBRARIES.test(name))
  // Of the variables that systemd adds, this one may make a program believe that it is a service.
  const words = [...scope, ...user, '/usr/bin/env', '--unset=INVOCATION_ID', ...libraries, ...argv]
  return { argv: words, env: Object.fromEntries(others) }
}

/** What decides which libraries are loaded into a program (ld.so(8), iconv(1)). */
const OF_LIBRARIES = /^(?:LD_\w+|GLIBC_TUNABLES|GCONV_PATH)$/

/**
 * If memory runs out, the kernel ends the agent last (`OOMScoreAdjust=`), and its children inherit that (proc_pid_oom_score_adj(5)): it
 * would end every service of the system before the script. Called as soon as a program of the user has been started.
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

/** Files and folders, with everything in them. Missing ones are ignored. */
export async function giveToScript(paths: readonly string[], owner = `${SCRIPT_USER}:${SCRIPT_USER}`): Promise<void> {
  const there = paths.filter((path) => existsSync(path))
  if (there.length > 0) await run('chown', ['--recursive', '--no-dereference', owner, ...there])
}
