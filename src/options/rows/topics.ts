/** Subjects that `tpi help` explains, besides verbs and options. Tables in documents are made from the same rows. */
import { OUTCOMES, type OutcomeFacts } from '../../core/exit-codes.ts'
import type { OwnVariable } from '../../wire/variables.ts'

export interface Topic {
  readonly title: string
  /** Other words by which people ask for it. */
  readonly aliases: readonly string[]
  readonly text: string
  /** Cells in Markdown. */
  readonly rows: readonly (readonly string[])[]
}

export const WRITTEN: readonly (readonly [kind: string, written: string])[] = [
  ['true or false', '`true`, `false`. A flag alone is `true`, `--no-NAME` is `false`. `yes`, `on` and `1` are errors'],
  ['duration', 'with its unit: `90s`, `1h30m`, `2 days`, `PT1H`'],
  ['size', 'with its unit: `16GB`, `512MiB`; `GB` is 10⁹, `GiB` is 2³⁰ bytes'],
  ['list', 'by comma, by line, or by repeating the flag; `"a,b"` is one item, and so is `{a,b}`. In `tpi.yaml` also a YAML list'],
  ['list of KEY=VALUE', 'the same; in `tpi.yaml` also a YAML map'],
  ['list of variables', 'one per line or flag, because values may contain commas; bare names may share a line: `A, B`'],
  ['path', 'relative to the current folder; in `tpi.yaml` to the folder of that file'],
]

const VARIABLES: Readonly<Record<OwnVariable, string>> = {
  TPI_INDEX: 'number of this machine, from 0',
  TPI_COUNT: 'how many machines there are',
  TPI_ATTEMPT: '1 the first time, higher after every interruption and every retry; --resume starts at 1 again',
  TPI_PREVIOUS: 'why the previous attempt ended (`interrupted`, `lost`, `exit`, …); not set the first time',
  TPI_DEADLINE: 'when the run will be ended (`--timeout`), as an ISO time',
  TPI_PEERS: 'addresses of all machines, in the order of their numbers; without `gang`, the place of a machine that is not up yet is empty',
  TPI_PEERS_FILE: 'a file with the same, kept current',
  TPI_OUTPUT: 'a file for `name=value` lines: they become outputs',
  TPI_SUMMARY: 'a file for Markdown: it becomes a section of the summary',
  TPI_COMMIT: 'the commit that the run was started from',
  TPI_REF: 'its branch or tag',
  TPI_REPOSITORY: 'its repository',
  TPI_RUN_URL: 'the page of the CI run that started it',
  TPI_ID: 'id of this run',
  TPI_NAME: 'its name',
  TPI_MACHINE: 'name of this machine',
}

const facts = Object.entries<OutcomeFacts>(OUTCOMES)
const codeOf = ({ code }: OutcomeFacts): string => (code === 'n' ? "the program's own" : String(code))

/** The exit codes of tpi itself. */
const CODES: ReadonlySet<string> = new Set(facts.map(([, one]) => codeOf(one)))

/** For every outcome: name, exit code, what it means, what to do. */
export const OUTCOME_ROWS = facts.map(([name, one]) => [
  `\`${name}\``,
  `${codeOf(one)}${one.besides === undefined ? '' : `; ${one.besides}`}`,
  one.means,
  one.next ?? '',
])

export const VARIABLE_ROWS = Object.entries(VARIABLES).map(([name, means]) => [`\`${name}\``, means])

export const TOPICS = {
  'exit-codes': {
    title: 'How a run ends',
    aliases: ['exit-code', 'outcomes', 'outcome', 'codes', 'exit', ...facts.map(([name]) => name)],
    text: 'A script may itself exit with any of these codes, so go by the outcome: it is on the last line, and in --json.',
    rows: facts.map(([name, one]) => [codeOf(one), name, `${one.means}${one.besides === undefined ? '' : ` (${one.besides})`}`]),
  },
  variables: {
    title: 'What a program is given on its machine',
    aliases: ['variable', 'environment-variables', 'env-vars'],
    text: 'In addition to what --env and --secrets name.',
    rows: VARIABLE_ROWS,
  },
  values: {
    title: 'How values are written',
    aliases: ['value', 'durations', 'duration', 'sizes', 'size', 'lists', 'units'],
    text: 'As a flag (--disk-size 100GB), a variable (TPI_DISK_SIZE=100GB), in tpi.yaml or as an input of the action (disk-size: 100GB). The first of them wins.',
    rows: WRITTEN,
  },
} as const satisfies Readonly<Record<string, Topic>>

export type TopicName = keyof typeof TOPICS

const MEANT: ReadonlyMap<string, TopicName> = new Map(
  (Object.keys(TOPICS) as TopicName[]).flatMap((name) => [name, ...TOPICS[name].aliases].map((word) => [word, name] as const)),
)

/** All words that mean a subject, its name first. */
export const TOPIC_WORDS: readonly string[] = [...MEANT.keys()]

/** `exit-codes`, `Exit_Code`, or an exit code itself. */
export function topicMeant(word: string): TopicName | undefined {
  return MEANT.get(word.toLowerCase().replaceAll('_', '-')) ?? (CODES.has(word) ? 'exit-codes' : undefined)
}
