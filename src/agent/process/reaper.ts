/** First process of a container: somebody has to reap the processes that programs leave. */
import { accessSync, constants } from 'node:fs'

const SHELL = '/bin/sh'

/** Passes signals on, collects every child that falls to it, ends with the agent's own code. */
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
 * Node collects only children of its own, so as process 1 it would gather zombies. Where there is a shell, that takes our place and runs us
 * as its child; does not return then. A container without a shell has to live with its zombies until it ends.
 */
export function yieldToReaper(argv: readonly string[]): void {
  if (process.pid !== 1 || process.platform !== 'linux' || process.execve === undefined) return
  try {
    accessSync(SHELL, constants.X_OK)
  } catch {
    return
  }
  const { PWD: _, ...env } = process.env
  process.execve(SHELL, ['sh', '-c', PROGRAM, 'sh', process.execPath, ...process.execArgv, ...argv], env)
}
