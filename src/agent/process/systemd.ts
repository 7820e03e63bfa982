/** What the agent tells systemd, and asks it, on machines where it is a unit of systemd. */
import { execFile } from 'node:child_process'
import type { Env } from '../../lib/env.ts'
import { run } from '../../lib/run.ts'

/** Whether this process was started as a unit of systemd (systemd.exec(5): every unit has an invocation id). */
export function isUnit(env: Env): boolean {
  return env['INVOCATION_ID'] !== undefined
}

/**
 * Reports that the agent is up, and then twice per `WatchdogSec=` that it is alive (sd_notify(3), sd_watchdog_enabled(3)): systemd kills an
 * agent that hangs, with everything that it has started. Node.js has no local datagram sockets, so this calls systemd's own program, and
 * the unit needs `Type=notify` and `NotifyAccess=all`. Without systemd it does nothing.
 */
export function reportToSystemd(env: Env): void {
  const socket = env['NOTIFY_SOCKET']
  if (socket === undefined) return
  const tell = (state: string): void => {
    execFile('systemd-notify', [state], { env: { PATH: env['PATH'], NOTIFY_SOCKET: socket } }, () => undefined)
  }
  tell('READY=1')
  const period = Number(env['WATCHDOG_USEC'] ?? 0) / 1000
  const meant = env['WATCHDOG_PID'] ?? String(process.pid)
  if (period > 0 && meant === String(process.pid)) setInterval(tell, period / 2, 'WATCHDOG=1').unref()
}

/** Milliseconds for systemd's answer: usually it comes at once. */
const PATIENCE = 2000

/** Whether the system is shutting down (systemctl(1), is-system-running: "stopping"). */
export async function isGoingDown(): Promise<boolean> {
  // For every state except "running", the exit code is not 0, so the answer is in the error.
  const said = await run('systemctl', ['is-system-running'], { timeout: PATIENCE }).catch((error: unknown) => error)
  return String((said as { readonly stdout?: string }).stdout).trim() === 'stopping'
}
