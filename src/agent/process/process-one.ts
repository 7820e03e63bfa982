/** First process of a container: it has to reap the processes that programs leave behind. */
import { constants } from 'node:fs'
import { mayAccess } from '../../lib/files.ts'

const SHELL = '/bin/sh'

/** Passes on signals, reaps every orphaned child, ends with the agent's exit code. */
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
 * Node reaps only its own children, so as process 1 it would collect zombies. If there is a shell, that replaces this process and runs it
 * as its child; then this does not return. A container without a shell keeps its zombies until it ends.
 */
export function yieldToReaper(argv: readonly string[]): void {
  if (process.pid !== 1 || process.platform !== 'linux' || process.execve === undefined) return
  if (!mayAccess(SHELL, constants.X_OK)) return
  const { PWD: _, ...env } = process.env
  process.execve(SHELL, ['sh', '-c', PROGRAM, 'sh', process.execPath, ...process.execArgv, ...argv], env)
}
