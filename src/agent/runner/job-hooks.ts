/** The scripts that the forge's runner program runs at the beginning and at the end of each job. They report it, and run the user's own. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shellQuoted } from '../../lib/text.ts'
import type { OwnSystem } from '../../wire/machine.ts'
import type { RunnerHooks } from '../../wire/runner.ts'
import { hooksOfEnvFile, lineOf } from './own-hooks.ts'

interface HookPlace {
  /** Where the scripts are written. */
  readonly folder: string
  /** The program's own folder. */
  readonly program: string
  readonly journal: string
  /** ISO: when the runner starts. */
  readonly since: string
  /** The environment that the program gets otherwise: in it, the user's own hooks may be named. */
  readonly given: Readonly<Record<string, string>>
  /** Present if jobs have another user than the agent. */
  readonly system: OwnSystem | undefined
}

/**
 * A hook adds one line to the journal: `+ <time> name=value …` as a job starts, `- <time>` as it ends. Values come from the job, so all
 * characters that could make another field or line of them are replaced. A hook exits with the code of the user's own, otherwise with 0: anything
 * else fails the job. What it prints appears in the job's log. Resolves to the environment that names the hooks.
 */
export async function writeHooks(
  hooks: RunnerHooks,
  { folder, program, journal, since, given, system }: HookPlace,
): Promise<Record<string, string>> {
  const facts = Object.entries(hooks.facts).map(
    ([name, variable]) => ` ${name}=$(printf %s "\${${variable}:-}" | tr -c 'A-Za-z0-9._/@:-' _)`,
  )
  const started = join(folder, 'job-started.sh')
  const completed = join(folder, 'job-completed.sh')
  const now = '$(date -u +%Y-%m-%dT%H:%M:%SZ)'
  const note = (line: string): string => `printf '%s\\n' "${line}" >> ${shellQuoted(journal)}`
  const waited = `$(($(date +%s) - ${Math.floor(Date.parse(since) / 1000)}))s`
  const greeting = `echo "job started at ${now}, ${waited} after the runner: it had to register, to wait for the job, and to set it up"`
  // GitHub's runner starts it with `bash -e`.
  const script = (...lines: readonly string[]): string => `#!/bin/sh\nset +e\n${lines.join('\n')}\n`
  const ours = { [hooks.started]: started, [hooks.completed]: completed }
  const theirs = { ...given, ...(await hooksOfEnvFile(program, ours, system)) }
  const [before, after] = [hooks.started, hooks.completed].map((name) => theirs[name] && lineOf(theirs[name], program))
  await writeFile(started, script(note(`+ ${now}${facts.join('')}`), greeting, before || 'exit 0'), { mode: 0o755 })
  // The job lasts until the user's own hook has ended.
  await writeFile(completed, script(after || ':', 'code=$?', note(`- ${now}`), 'exit $code'), { mode: 0o755 })
  return ours
}
