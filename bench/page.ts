/** `bench/README.md`: what was measured, and on which machine. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { type Row, verdict } from './measure.ts'

export interface Section {
  readonly title: string
  readonly rows: readonly Row[]
  /** How it was measured, for readers who want to judge the numbers. */
  readonly notes: readonly string[]
}

/** The kind of machine, without anything that identifies it or its owner. */
export function machine(): string {
  const kernel = release().replace(/^(\d+\.\d+).*/, '$1')
  const system = process.platform === 'linux' ? `Linux ${kernel}` : process.platform
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory`
  return `${cpus().length} × ${model()}, ${memory}, ${system}, ${process.arch}, Node ${process.versions.node}`
}

function model(): string {
  const named = cpus()[0]?.model.trim()
  if (named !== undefined && named !== '' && named !== 'unknown') return named
  const line = /^(?:model name|Model)\s*:\s*(.*)$/m.exec(readIf('/proc/cpuinfo'))
  return line?.[1] ?? 'CPU cores'
}

function readIf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

export function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1)
}

export async function writePage(path: string, sections: readonly Section[], loads: { readonly before: string }): Promise<void> {
  const all = sections.flatMap(({ rows }) => rows)
  const missed = all.filter(({ met }) => met === false)
  const judged = all.filter(({ met }) => met !== undefined)
  const summary =
    missed.length === 0
      ? `All ${judged.length} limits are met.`
      : `${judged.length - missed.length} of ${judged.length} limits are met; missed: ${missed.map(({ what }) => what).join('; ')}.`
  const head = [
    '# Numbers',
    '',
    '`npm run bench` measures all of this and writes this page. `npm run bench -- NAME…` measures only some, and does not write; `--quick` tries everything with small sizes.',
    '',
    `Machine: ${machine()}. Load average when the run began: ${loads.before}. Of several runs, the median is shown. Programs that are`,
    'compared ran in turns, with the same files and the same server.',
    '',
    `**${summary}**`,
    '',
  ]
  await writeFile(path, [...head, ...sections.map(sectionText)].join('\n'))
}

function sectionText({ title, rows, notes }: Section): string {
  const table = ['| what | limit | measured | compared with | verdict |', '| --- | --- | --- | --- | --- |', ...rows.map(line)]
  return [`## ${title}`, '', ...table, '', ...notes.map((note) => `- ${note}`), ...(notes.length > 0 ? [''] : [])].join('\n')
}

function line(row: Row): string {
  const { what, limit, seen, peer } = row
  return `| ${[what, limit, seen, peer, verdict(row)].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
