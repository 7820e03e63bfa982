/** Bundle entry: what the doors of `dist/` call, and nothing else. The only file that reads the process. */
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { isatty } from 'node:tty'

/** The agent's bundle is beside this one. If tpi was started from its sources, the variable says where the tests have put it. */
function agentFile(): string {
  return process.env['TPI_AGENT_BUNDLE'] || join(import.meta.dirname, 'agent/agent.mjs')
}

export async function runCli(): Promise<void> {
  // Asked at the start: a terminal that has been closed meanwhile does not count as one.
  const terminals = [0, 1, 2].filter((fd) => isatty(fd))
  const { runCommandLine } = await import('./cli.ts')
  const { env, platform, stdin, stdout, stderr } = process
  const on: NodeJS.Process['on'] = process.on.bind(process)
  const exitCode = await runCommandLine({
    argv: process.argv.slice(2),
    env,
    cwd: () => process.cwd(),
    platform,
    stdin,
    stdout,
    stderr,
    on,
    agentFile: agentFile(),
  })
  await leave(exitCode, terminals)
}

export async function runMain(): Promise<void> {
  const { runMainStep } = await import('./action.ts')
  await leave(await runMainStep(actionProcess()))
}

export async function runPost(): Promise<void> {
  const { runPostStep } = await import('./action.ts')
  await leave(await runPostStep(actionProcess()))
}

function actionProcess() {
  const { env, ppid, platform, stdout } = process
  const on: NodeJS.Process['on'] = process.on.bind(process)
  const workflow = async () => (await import('./host/workflow-event.ts')).workflowContext(env['GITHUB_EVENT_PATH'])
  return { env, ppid, platform, stdout, on, cwd: process.cwd(), agentFile: agentFile(), workflow }
}

async function leave(exitCode: number, terminals: readonly number[] = []): Promise<void> {
  process.exitCode = exitCode
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
  // When it exits, Node restores the settings of its terminals; before version 24 it aborts if one is gone. tpi has changed no settings.
  for (const fd of terminals) closeSync(fd)
  // Sockets kept open for reuse must not keep a finished command alive.
  process.exit()
}
