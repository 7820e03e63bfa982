/** How long Tab takes with the names of 200 runs, in each shell with completion. */
import { spawn, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { clouds } from '../src/clouds/registry.ts'
import { renderCompletion } from '../src/options/derive/completion.ts'
import { optionTable } from '../src/options/rows/table.ts'
import type { Ground } from './ground.ts'
import { atMost, milliseconds, type Row, shown } from './measure.ts'

const RUNS = 200
const ANSWERS = 10

/** Options that start a shell without its user's files. */
const ALONE = { bash: '--norc', zsh: '-f', fish: '--no-config' }
type Shell = keyof typeof ALONE

/** Completes ten times as Tab does, once the completion is loaded; prints the microseconds and the number of words offered. */
const AT_TAB: Readonly<Record<Shell, string>> = {
  bash: `COMP_WORDS=(tpi status run-); COMP_CWORD=2
for i in {1..${ANSWERS}}; do before=$EPOCHREALTIME; _tpi; after=$EPOCHREALTIME; echo $(( \${after/./} - \${before/./} )) \${#COMPREPLY[@]}; done`,
  zsh: `zmodload zsh/datetime
words=(tpi status run-); COMP_WORDS=($words); COMP_CWORD=2; CURRENT=3
for i in {1..${ANSWERS}}; do before=$EPOCHREALTIME; offered=(\${(f)"$(compgen -F _tpi -- run-)"}); after=$EPOCHREALTIME; printf '%.0f %d\\n' $(( (after - before) * 1e6 )) $#offered; done`,
  // fish has no clock of its own: `date` is started, and counted.
  fish: `for i in (seq ${ANSWERS}); set before (date +%s%6N); set offered (complete -C 'tpi status run-'); set after (date +%s%6N); echo (math $after - $before) (count $offered); end`,
}

export async function completion(ground: Ground): Promise<readonly Row[]> {
  const home = await ground.fresh('completing')
  await writeFile(join(home, 'names'), Array.from({ length: RUNS }, (_, number) => `run-${number}\n`).join(''))
  const rows: Row[] = []
  for (const shell of Object.keys(ALONE) as Shell[]) {
    const what = `completing a name out of ${RUNS} runs, in ${shell}`
    const missing = spawnSync(shell, ['--version']).error !== undefined
    rows.push(
      missing
        ? shown(what, `not measured: ${shell} is not installed`)
        : atMost({ what, samples: await inShell(shell, home), limit: 50, unit: milliseconds }),
    )
  }
  return rows
}

/** Milliseconds of each completion. */
async function inShell(shell: Shell, home: string): Promise<readonly number[]> {
  const prepared = shell === 'zsh' ? 'autoload -U compinit && compinit -D -u\n' : ''
  const script = `${prepared}${renderCompletion(optionTable(clouds), shell)}\n${AT_TAB[shell]}`
  const child = spawn(shell, [ALONE[shell], '-c', script], {
    env: { ...process.env, TPI_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = (await text(child.stdout)).trim().split('\n')
  if (lines.length !== ANSWERS || lines.some((line) => !line.endsWith(` ${RUNS}`)))
    throw new Error(`${shell} offered something else: ${lines.join(', ')}`)
  return lines.map((line) => Number.parseInt(line, 10) / 1000)
}
