/** The command line: parse, answer what the program knows of itself, or run a verb. */

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type AppParts, recoverHome, runVerb, userHere } from './app.ts'
import { clouds } from './clouds/registry.ts'
import { InputError } from './core/errors.ts'
import { EXIT } from './core/exit-codes.ts'
import { PROGRAM } from './core/product-version.ts'
import { forgeAround, forges } from './forges/registry.ts'
import { painter } from './host/colour.ts'
import { jobTimeLeft } from './host/job-limit.ts'
import { jobLog } from './host/job-log.ts'
import { proveOutputsFile } from './host/outputs-file.ts'
import { terminalHost, toTerminal } from './host/terminal.ts'
import { systemClock } from './lib/clock.ts'
import { plainJson, plainText } from './lib/control-characters.ts'
import type { Env } from './lib/env.ts'
import { hasCode } from './lib/error-code.ts'
import { ownersOf, ownNumber } from './lib/user.ts'
import { inFlags } from './options/derive/option-mentions.ts'
import { type Parsed, parseCommandLine, type Surroundings, wantsJson } from './options/parse.ts'
import { optionTable, type Table } from './options/rows/table.ts'
import { lastLine } from './report/closing.ts'
import { acts } from './verbs/index.ts'
import { answerInfo } from './verbs/info.ts'
import { exitOf } from './verbs/shared/error-exit.ts'
import { listenFor } from './verbs/shared/signals.ts'

export interface Process {
  readonly argv: readonly string[]
  readonly env: Env
  /** Throws if that folder has been removed. */
  readonly cwd: () => string
  readonly platform: string
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream & { readonly fd?: number }
  readonly stderr: NodeJS.WriteStream & { readonly fd?: number }
  readonly on: NodeJS.Process['on']
  readonly agentFile: string
}

/** Resolves to the exit code. */
export async function runCommandLine(process: Process): Promise<number> {
  const { argv, env, stdout, stderr } = process
  const table = optionTable(clouds)
  const there = { readFile: (path: string) => readFile(path, 'utf8'), ownersOf, user: ownNumber() }
  let surroundings: Surroundings
  let parsed: Parsed
  try {
    surroundings = { env, cwd: folderOf(process), ...there, readStdin: () => readAll(process.stdin) }
    parsed = await parseCommandLine(table, argv, surroundings)
    const outputs = atCwd(surroundings.cwd, parsed.values['outputs-file'])
    if (outputs !== undefined && acts(parsed.verb)) proveOutputsFile(outputs)
  } catch (error) {
    return refused(process, table, error)
  }
  const { cwd } = surroundings
  const { verb, values } = parsed
  const { json, quiet, verbose, color } = values
  const around = forgeAround(env)?.ci
  const files = { outputs: atCwd(cwd, values['outputs-file']), report: atCwd(cwd, values.report) }
  const host = terminalHost(
    { out: stdout, err: stderr },
    {
      json,
      quiet,
      verbose,
      colour: { color, env },
      ...systemClock,
      says: inFlags(table),
      sections: around?.sections === true,
      log: jobLog(around !== undefined || !!env['CI'], around?.commands === true, { out: stdout, err: stderr }),
      files,
    },
  )
  const cis = forges.map(({ ci }) => ci)
  const parts: AppParts = {
    host,
    surroundings,
    signals: listenFor({ on: (event, listener) => process.on(event, listener) }, systemClock.now, [stdout, stderr]),
    // Ctrl-C comes from a terminal, wherever our words go (`2>log`, `2>&1 | tee log`). In CI nobody sits there.
    interactive: stderr.isTTY || (!env['CI'] && (process.stdin.isTTY || stdout.isTTY)),
    ...(stderr.isTTY ? {} : { toTerminal }),
    user: userHere(env),
    agentFile: process.agentFile,
    platform: process.platform,
    ciJob: { timeLeft: () => jobTimeLeft(cis, env, systemClock.date()) },
  }
  const code = acts(verb) ? await runVerb(parts, verb, parsed) : EXIT.ok
  if (!acts(verb)) {
    await recoverHome(parts, parsed)
    stdout.write(`${answerInfo(table, verb, parsed, stdout.columns)}\n`)
  }
  // Once this has been flushed, it is known whether all of the output could be written.
  await new Promise<void>((resolve) => stdout.write('', () => resolve()))
  if (code !== EXIT.ok || parts.signals.kind() !== 'full') return code
  const { message, exitCode, outcome } = exitOf(parts.signals.first.reason)
  host.error(message)
  host.info(lastLine(outcome, exitCode))
  return exitCode
}

/** Reports a fault of the command line, before there is a host to print it. Returns the exit code. */
function refused({ argv, env, stdout, stderr }: Process, table: Table, error: unknown): number {
  const { message: said, exitCode, outcome, stack } = exitOf(error)
  const message = inFlags(table)(said)
  const paint = painter({ color: 'auto', env }, stderr)
  for (const line of plainText(message).split('\n')) stderr.write(`${paint('error:', 'bad')} ${line}\n`)
  if (stack !== undefined) stderr.write(plainText(`${PROGRAM}\n${stack}\n`))
  stderr.write(`${lastLine(outcome, exitCode)}\n`)
  if (wantsJson(table, argv, env)) stdout.write(`${plainJson({ outcome, exitCode, error: message })}\n`)
  return exitCode
}

function folderOf({ cwd }: Process): string {
  try {
    return cwd()
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT', 'EACCES', 'EPERM')) throw cause
    throw new InputError('the current folder has been removed, or cannot be read', { cause, hint: 'go to another one' })
  }
}

function atCwd(cwd: string, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(cwd, path)
}

async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString('utf8')
}
