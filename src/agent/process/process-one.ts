/** If the agent is the first process of a container: somebody must reap the processes that programs leave behind. */
import { constants } from 'node:fs'
import { mayAccess } from '../../lib/files.ts'

const SHELL = '/bin/sh'

/** Starts the agent, passes signals on to it, reaps every orphan, and ends with the agent's exit code. */
const PROGRAM = `
"$@" <&0 &
agent=$!
trap 'kill -TERM "$agent"' TERM INT HUP
while :; do
  wait "$agent"
  code=$?
  kill -0 "$agent" 2>/dev/null || exit "$code"
done
`

/**
 * Node reaps only its own children, so zombies would pile up if it were process 1. If there is a shell, this replaces the process by the
 * shell, which starts the agent again as its child, and does not return. A container without a shell keeps its zombies until it ends.
 */
export function yieldToReaper(argv: readonly string[]): void {
  if (process.pid !== 1 || process.platform !== 'linux' || process.execve === undefined) return
  if (!mayAccess(SHELL, constants.X_OK)) return
  const { PWD: _, ...env } = process.env
  process.execve(SHELL, ['sh', '-c', PROGRAM, 'sh', process.execPath, ...process.execArgv, ...argv], env)
}
