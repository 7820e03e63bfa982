/** Options that belong to no mode: where to look, what to show, and the action's own inputs. */
import type { Rows } from '../../core/option.ts'
import { NAMED, ON_CLOUDS, REPORTING, STARTING } from '../../core/verb-groups.ts'
import { YEAR } from '../../lib/duration.ts'
import { listed } from '../../lib/text.ts'
import { TOPICS } from './topics.ts'

const TALKING = [...ON_CLOUDS, 'comment'] as const

/** For options that are meant for one call, never for a project: a `discard` in a file would be a trap. */
const CALL = ['flag', 'input', 'variable'] as const

/** Filled in from the registry of clouds by `optionTable`. */
const CLOUDS: readonly string[] = []

const where = {
  cloud: {
    kind: 'choice',
    group: 'where',
    verbs: ON_CLOUDS,
    oneOf: CLOUDS,
    placeholder: 'CLOUD',
    default: '',
    variables: ['CML_RUNNER_CLOUD'],
    help: 'Where the machines are.',
  },
  place: {
    kind: 'string',
    group: 'where',
    sources: CALL,
    verbs: ['doctor', 'permissions'],
    placeholder: 'PLACE',
    defaultText: 'the cloud',
    help: 'What to check, or to print permissions for: a cloud or a forge.',
  },
  region: {
    kind: 'list',
    group: 'where',
    verbs: ON_CLOUDS,
    aliases: ['cloud-region', 'instance-region'],
    variables: ['CML_RUNNER_CLOUD_REGION'],
    placeholder: 'REGION',
    defaultText: 'that of a variable of the cloud, such as AWS_REGION; otherwise us-east-1, us-central1 or eastus',
    help: "Region or zone, by the cloud's own name or a general one: us-east, us-west, eu-west, eu-north. If you name several, a task may run in any of them: if one has no capacity, the task moves to the next (--region-wait). Its storage stays in the first one. On AWS, a task on spot machines starts in the region with the best spot placement score; any other starts in the first.",
  },
  name: {
    kind: 'string',
    group: 'what',
    verbs: [...STARTING, ...NAMED, 'comment'],
    placeholder: 'NAME',
    pattern: {
      test: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
      says: 'a name of up to 100 letters, digits, ".", "_" and "-" that starts with a letter or digit',
    },
    defaultText: 'in CI, one made of run, job, matrix leg and step; otherwise a new one, which is printed',
    help: 'Name of the run. The same name in the same repository is the same run. A name that is longer than 40 characters, or contains anything but lower-case letters, digits and dashes, is changed and gets a hash; the command prints the resulting name.',
  },
} as const satisfies Rows

const results = {
  to: {
    kind: 'path',
    group: 'results',
    sources: CALL,
    verbs: ['collect', 'pull'],
    placeholder: 'DIR',
    defaultText: 'where the task puts its outputs',
    help: 'Folder to put the files in. With finished or mine, each run gets a folder NAME inside it.',
  },
  glob: {
    kind: 'list',
    group: 'results',
    sources: CALL,
    verbs: ['pull'],
    placeholder: 'GLOB',
    defaultText: 'everything',
    help: 'Files to fetch, below the work directory.',
  },
  slot: {
    kind: 'int',
    group: 'results',
    sources: CALL,
    verbs: ['logs', 'pull', 'exec', 'interrupt'],
    min: 0,
    max: 999,
    placeholder: 'N',
    help: 'Only this machine of a parallel task, counted from 0.',
  },
  follow: { kind: 'bool', group: 'results', sources: CALL, verbs: ['logs'], short: 'f', help: 'Keep printing until the task ends.' },
  timestamps: { kind: 'bool', group: 'results', sources: CALL, verbs: ['logs'], help: 'Put the time before each line.' },
  tail: {
    kind: 'int',
    group: 'results',
    sources: CALL,
    verbs: ['logs'],
    min: 0,
    max: 1_000_000,
    placeholder: 'N',
    help: 'Print only the last N lines of each machine and, with follow, what comes after them.',
  },
  since: {
    kind: 'duration',
    group: 'results',
    sources: CALL,
    verbs: ['logs'],
    min: 0,
    max: 10 * YEAR,
    placeholder: 'TIME',
    help: 'Print only what the program printed in the last TIME, such as 10m.',
  },
  raw: {
    kind: 'bool',
    group: 'results',
    sources: CALL,
    verbs: ['logs'],
    excludes: ['json'],
    help: 'Print the stored bytes as they are, terminal controls included.',
  },
  probe: {
    kind: 'bool',
    group: 'results',
    sources: CALL,
    verbs: ['doctor'],
    help: 'Cloud k8s: also start one machine as requested, with its storage, for a few seconds, and remove both. This finds problems that only the cluster itself can show: with images, nodes, network policies, DNS, proxy or clock.',
  },
  finished: {
    kind: 'bool',
    group: 'results',
    sources: CALL,
    verbs: ['list', 'collect'],
    excludes: ['name'],
    help: 'Every run that has ended and was not collected yet.',
  },
  all: {
    kind: 'bool',
    group: 'results',
    sources: CALL,
    verbs: ['list'],
    excludes: ['finished'],
    help: 'Also runs that are gone: the last 200 in the history of this TPI_HOME.',
  },
  mine: {
    kind: 'bool',
    group: 'results',
    sources: CALL,
    verbs: ['list', 'stop', 'collect', 'destroy'],
    excludes: ['name'],
    help: 'Every run that this CI job or, outside CI, this user on this host has started. In a matrix of GitHub, only those of this leg. A command in a job of GitHub, unlike a step of the action, finds only what was started on the same runner, not what an earlier attempt of the job has started elsewhere.',
  },
  discard: {
    kind: 'bool',
    group: 'results',
    sources: CALL,
    verbs: ['destroy'],
    help: 'Also destroy what is still running or was never collected. Its results are lost.',
  },
} as const satisfies Rows

const general = {
  yes: {
    kind: 'bool',
    group: 'general',
    sources: CALL,
    verbs: ['task', 'plan', 'collect', 'pull', 'sweep'],
    short: 'y',
    help: 'Confirm what tpi does not do unasked: remove what sweep finds, upload "/" or the home folder, or follow a link out of the current folder.',
  },
  json: {
    kind: 'bool',
    group: 'general',
    verbs: [...STARTING, 'doctor', 'list', ...REPORTING, 'comment', 'sweep', 'options', 'version'],
    sources: ['flag', 'variable'],
    help: 'Print the answer as JSON on standard output, and everything else on standard error.',
  },
  quiet: {
    kind: 'bool',
    group: 'general',
    verbs: TALKING,
    short: 'q',
    excludes: ['verbose'],
    help: 'Print only the output of the program, the answer, warnings and errors.',
  },
  verbose: { kind: 'bool', group: 'general', verbs: TALKING, short: 'v', excludes: ['quiet'], help: 'Print every request and decision.' },
  color: {
    kind: 'choice',
    group: 'general',
    verbs: TALKING,
    sources: ['flag', 'variable'],
    oneOf: ['auto', 'always', 'never'],
    default: 'auto',
    help: 'Colour the lines of tpi itself: on a terminal unless NO_COLOR or TERM=dumb is set (auto), always, or never. What the program prints keeps its own colours.',
  },
  config: {
    kind: 'path',
    group: 'general',
    verbs: TALKING,
    sources: ['flag', 'input', 'variable'],
    placeholder: 'FILE',
    defaultText: 'the nearest tpi.yaml, upwards to the root of the repository',
    help: 'File with options: the same names as here, at the top level.',
  },
  topic: {
    kind: 'string',
    group: 'general',
    verbs: ['help', 'options'],
    sources: [],
    placeholder: 'TOPIC',
    help: `What to explain: a verb or an option; "tpi help" also explains ${listed(Object.keys(TOPICS), 'and')}.`,
  },
  shell: {
    kind: 'choice',
    group: 'general',
    verbs: ['completion'],
    sources: [],
    oneOf: ['bash', 'zsh', 'fish'],
    help: 'The shell to complete for.',
  },
} as const satisfies Rows

/** Settings of tests, by environment only. */
const test = {
  'lease-beat': setting('15s', 'Time between two signs of life of a machine.'),
  'lease-ttl': setting('60s', 'Silence after which a machine counts as dead.'),
  'store-grace': setting('10m', 'Time without the storage after which a machine gives up.'),
  'runner-rest': setting('20s', 'Time a runner must have been idle before its machine leaves for lack of a job.'),
  reserve: setting('5m', 'Time kept for the last save, after deadline and grace.', 1),
} as const satisfies Rows

function setting<const D extends string>(value: D, help: string, min = 0.01) {
  return {
    kind: 'duration',
    group: 'test',
    verbs: STARTING,
    sources: ['variable'],
    hidden: true,
    min,
    max: YEAR,
    default: value,
    help,
  } as const
}

export const commonOptions = { ...where, ...results, ...general, ...test } as const satisfies Rows

/** Inputs of the action that no command line has. */
export const actionOptions = {
  mode: {
    kind: 'choice',
    group: 'what',
    verbs: STARTING,
    sources: ['input'],
    oneOf: ['task', 'runner'],
    default: 'task',
    help: 'What to do with the machines: run a program to its end (task), or serve later jobs of the workflow as self-hosted runners (runner).',
  },
  command: {
    kind: 'choice',
    group: 'what',
    verbs: ON_CLOUDS,
    sources: ['input'],
    oneOf: ['run', 'collect', 'status', 'logs', 'stop', 'destroy', 'sweep', 'retry', 'list', 'plan', 'doctor'],
    default: 'run',
    help: 'What to do: run starts (or attaches to) what the other inputs describe; the others act on what exists, as on the command line.',
  },
  matrix: {
    kind: 'string',
    group: 'test',
    verbs: ON_CLOUDS,
    sources: ['input'],
    hidden: true,
    help: 'Tells the legs of a matrix apart. Leave it as it is.',
  },
} as const satisfies Rows
