/**
 * The script's identity on a machine that runs a whole operating system: its own user, and its own slice, by which the system distinguishes it
 * from the agent.
 */
import { existsSync } from 'node:fs'
import { run } from '../../lib/run.ts'
import { AGENT_UNIT, type OwnSystem } from '../../wire/machine.ts'

export const SCRIPT_USER = 'tpi'
const SCRIPT_HOME = `/home/${SCRIPT_USER}`
export const SCRIPT_SLICE = 'tpi-script.slice'
/** The dashes in its name put the slice below another one. */
export const SCRIPT_CGROUP = `tpi.slice/${SCRIPT_SLICE}`

/**
 * Runs the same program as that user. A scope keeps the process that it is given, with the same pid, session and pipes; a delegated scope
 * is left alone if something in it runs out of memory (systemd.scope(5), OOMPolicy=). At shutdown, a unit that is ordered
 * before the agent is stopped after it (systemd.unit(5), Before=): the agent is told first, and ends the script in its own way.
 */
export function asScriptUser(argv: readonly string[], { sudo }: OwnSystem): readonly string[] {
  const properties = ['--property=Delegate=yes', `--property=Before=${AGENT_UNIT}`]
  const scope = ['/usr/bin/systemd-run', '--scope', '--quiet', '--collect', `--slice=${SCRIPT_SLICE}`, ...properties, '--']
  const rights = ['--init-groups', ...(sudo ? [] : ['--no-new-privs'])]
  const user = ['/usr/bin/setpriv', `--reuid=${SCRIPT_USER}`, `--regid=${SCRIPT_USER}`, ...rights, '--']
  // Of the variables that systemd adds, this one may make a program believe that it is a service.
  return [...scope, ...user, '/usr/bin/env', '--unset=INVOCATION_ID', ...argv]
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
