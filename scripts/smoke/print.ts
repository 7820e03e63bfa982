/** What the checks of a service saw, for a terminal and for a workflow's summary. Pure. */
import type { Outcome, Sight } from './check.ts'

const MARKS = { 'as assumed': 'ok  ', differs: 'DIFF', 'not tried': '--  ' } as const

export function textOf({ id, title, how, sights, why }: Outcome): string {
  const lines = sights.map(({ what, value, assumed, holds }) =>
    assumed === undefined ? `        ${what}: ${value}` : `   ${holds ? 'ok  ' : 'DIFF'} ${what}: ${value}; we assume: ${assumed}`,
  )
  return [`${MARKS[how]} ${id}: ${title}${why === undefined ? '' : ` (not tried: ${why})`}`, ...lines].join('\n')
}

export interface Occasion {
  readonly service: string
  readonly date: Date
  /** Of this program. */
  readonly version: string
}

/** Markdown, to be pasted where the documents call something unproven. */
export function recordOf({ service, date, version }: Occasion, outcomes: readonly Outcome[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, '<br>')
  const sight = ({ what, value, assumed, holds }: Sight): string =>
    cell(assumed === undefined ? `${what}: ${value}` : `${holds ? '' : '**differs** '}${what}: ${value} (we assume: ${assumed})`)
  const rows = outcomes.map(
    ({ title, how, sights, settles, why }) =>
      `| ${cell(title)} | ${how}${why === undefined ? '' : `: ${cell(why)}`} | ${sights.map(sight).join('<br>')} | ${cell(settles)} |`,
  )
  return [
    `### ${service}, ${date.toISOString().slice(0, 10)}: what it does, and what we assume (tpi ${version})`,
    '',
    '| check | | seen | settles |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
