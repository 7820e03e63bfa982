/** Options of task mode. Those that TPI's `iterative_task`, `leo` or CML knew under another name answer to that name too. */
import type { Rows } from '../../core/option.ts'
import { MOST_SLOTS } from '../../wire/spec.ts'

/** Verbs that describe a task from the start. */
const CREATE = ['task', 'plan'] as const
/** And those that any other machine has, too. */
const START = [...CREATE, 'runner'] as const

/** Anything else could never match, and the results would be lost with the machine. */
const below = { test: /^!?(?!(?:.*\/)?\.\.(?:\/|$))./, says: 'a glob below the work directory: it must not contain ".."' }

const what = {
  script: {
    kind: 'string',
    group: 'what',
    verbs: CREATE,
    placeholder: 'TEXT',
    excludes: ['script-file'],
    help: 'The program, as text. It runs in the work directory of each machine with its own shebang, or with "bash -e -o pipefail" when it has none ("sh -e" where there is no bash). Its exit code becomes that of tpi.',
  },
  'script-file': {
    kind: 'path',
    group: 'what',
    verbs: CREATE,
    placeholder: 'FILE',
    excludes: ['script'],
    help: 'A file with the program. It is read on this host, so it need not be part of the work directory.',
  },
  setup: {
    kind: 'string',
    group: 'what',
    verbs: START,
    placeholder: 'TEXT',
    excludes: ['setup-file'],
    help: 'Commands that run once per machine before the program. They have their own log group; when they fail the outcome is "setup-failed" and the program is not started.',
  },
  'setup-file': {
    kind: 'path',
    group: 'what',
    verbs: START,
    placeholder: 'FILE',
    excludes: ['setup'],
    help: 'A file with the setup commands.',
  },
  container: {
    kind: 'string',
    group: 'what',
    verbs: [...CREATE, 'permissions'],
    can: 'wholeSystem',
    otherwise: 'on Kubernetes the container that the program runs in is "image"',
    placeholder: 'IMAGE',
    pattern: { test: /^[A-Za-z0-9][\w.:@/-]{0,511}$/, says: 'an image, such as python:3.13 or ghcr.io/OWNER/NAME:TAG' },
    help: 'Run set-up and program in a container of this image on each machine, with the docker or podman that the machine image must have ("nvidia" has docker). The work folder is at the same path, GPUs and network are those of the machine, and the image\'s own entrypoint does not run. The registry of the cloud itself (ECR, Artifact Registry, ACR) is logged in to by the identity of the machine.',
  },
  parallelism: {
    kind: 'int',
    group: 'what',
    verbs: CREATE,
    default: '1',
    min: 1,
    max: MOST_SLOTS,
    placeholder: 'N',
    help: 'Machines that run the program side by side. Each has its number in TPI_INDEX (from 0) and the total in TPI_COUNT; outputs are merged at the end.',
  },
  gang: {
    kind: 'bool',
    group: 'what',
    verbs: CREATE,
    help: 'Start the programs only when all machines are there, so that TPI_PEERS has the address of each. Without it TPI_PEERS has an empty place for a machine that is not up yet; the file named by TPI_PEERS_FILE is kept current.',
  },
} as const satisfies Rows

const data = {
  workdir: {
    kind: 'path',
    group: 'data',
    verbs: CREATE,
    aliases: ['storage.workdir'],
    placeholder: 'DIR',
    words: ['none'],
    defaultText: 'the current folder, up to 500 MB; nothing where that is / or the home folder',
    help: 'Folder that is uploaded and in which the program runs; none: nothing is uploaded. Files that .gitignore names stay here, except tracked files and outputs; if there is a .tpiignore, only it counts.',
  },
  'working-directory': {
    kind: 'string',
    group: 'data',
    verbs: CREATE,
    placeholder: 'DIR',
    pattern: {
      test: /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$/,
      says: 'a folder inside the work directory, without a leading "/" and without ".."',
    },
    default: '.',
    help: 'Folder inside the work directory in which the program starts.',
  },
  exclude: {
    kind: 'list',
    group: 'data',
    verbs: CREATE,
    aliases: ['storage.exclude'],
    placeholder: 'GLOB',
    pattern: below,
    help: 'Files of the work directory that are not uploaded, besides those that the ignore files name.',
  },
  git: {
    kind: 'choice',
    group: 'data',
    verbs: CREATE,
    oneOf: ['auto', 'true', 'false'],
    default: 'auto',
    help: 'Upload the .git folder too; auto: up to 200 MB. Credentials, hooks and helpers in it stay here.',
  },
  output: {
    kind: 'list',
    group: 'data',
    verbs: CREATE,
    aliases: ['storage.output', 'outputs'],
    placeholder: 'GLOB',
    pattern: below,
    help: 'Files to bring back, as globs below the work directory, such as "results/**". Only files that differ from what was uploaded come back, and nothing below .git.',
  },
  'output-dir': {
    kind: 'path',
    group: 'data',
    verbs: CREATE,
    placeholder: 'DIR',
    defaultText: 'workdir, or tpi-NAME when there is none',
    help: "Where the outputs are put on this host. A file that has changed here in the meantime, or that the run does not know, is never overwritten: the run's version is put beside it as FILE~ (FILE~2 and so on where that is taken).",
  },
  'output-layout': {
    kind: 'choice',
    group: 'data',
    verbs: CREATE,
    oneOf: ['merge', 'index'],
    default: 'merge',
    help: 'How outputs of several machines are laid out: merged, with only the paths they changed differently under INDEX/, or always under INDEX/.',
  },
} as const satisfies Rows

const environment = {
  env: {
    kind: 'env',
    group: 'environment',
    verbs: START,
    aliases: ['environment', 'cloud-env'],
    short: 'e',
    placeholder: 'NAME[=VALUE]',
    help: 'Environment of the program. NAME=VALUE sets a value, NAME takes it from here and must exist, NAME? takes it if it exists, PREFIX_* takes every name that matches. One per line or flag; lists of bare names may use commas.',
  },
  'env-file': {
    kind: 'paths',
    group: 'environment',
    verbs: START,
    placeholder: 'FILE',
    help: 'Files with NAME=VALUE lines for the environment (dotenv). "env" wins over them.',
  },
  secrets: {
    kind: 'secret-list',
    group: 'environment',
    verbs: CREATE,
    aliases: ['secret'],
    placeholder: 'NAME',
    help: 'Names of secret variables that the program gets. Their values are taken from here, never from the command line, are masked in logs (from four bytes on), and are removed from the storage at the end.',
  },
  'secrets-file': {
    kind: 'paths',
    group: 'environment',
    verbs: CREATE,
    placeholder: 'FILE',
    help: 'Files with NAME=VALUE lines that are secret (dotenv). They are never uploaded with the work directory.',
  },
  'secrets-stdin': {
    kind: 'bool',
    group: 'environment',
    verbs: CREATE,
    sources: ['flag'],
    help: 'Read NAME=VALUE lines that are secret from standard input.',
  },
} as const satisfies Rows

const time = {
  timeout: {
    kind: 'duration',
    group: 'time',
    verbs: START,
    default: '24h',
    min: 1,
    max: 31_536_000,
    placeholder: 'TIME',
    help: 'The deadline, counted from creation. Then the program gets SIGTERM and everything ends, whether or not anybody is watching; neither a replaced machine nor a second run of the same command moves it.',
  },
  grace: {
    kind: 'duration',
    group: 'time',
    verbs: START,
    default: '30s',
    min: 0,
    max: 3600,
    placeholder: 'TIME',
    help: 'Time between SIGTERM and SIGKILL.',
  },
  retention: {
    kind: 'duration',
    group: 'time',
    verbs: START,
    default: '7d',
    min: 0,
    max: 31_536_000,
    placeholder: 'TIME',
    help: 'How long logs and the last checkpoint stay when they were not collected.',
  },
  'checkpoint-interval': {
    kind: 'duration',
    group: 'time',
    verbs: CREATE,
    default: '10s',
    min: 0.1,
    max: 86_400,
    placeholder: 'TIME',
    help: 'Longest time between a change in the work directory and its checkpoint: what a machine that dies without notice can lose.',
  },
  checkpoint: {
    kind: 'list',
    group: 'time',
    verbs: CREATE,
    placeholder: 'GLOB',
    pattern: below,
    defaultText: 'the whole work directory',
    help: 'Files that are checkpointed while the program runs. Outputs always are.',
  },
  rehearse: {
    kind: 'duration',
    group: 'time',
    verbs: CREATE,
    can: 'rehearse',
    min: 0.1,
    max: 86_400,
    placeholder: 'TIME',
    help: 'Reclaim machines at random, this long apart on average, to rehearse spot interruptions.',
  },
  'rehearse-seed': {
    kind: 'int',
    group: 'time',
    verbs: CREATE,
    hidden: true,
    requires: ['rehearse'],
    min: 0,
    placeholder: 'N',
    help: 'Makes rehearsed reclaims repeatable.',
  },
} as const satisfies Rows

const failure = {
  'max-attempts': {
    kind: 'int',
    group: 'failure',
    verbs: CREATE,
    default: '5',
    min: 1,
    max: 1000,
    placeholder: 'N',
    help: 'How many machines may die without notice under one program before it counts as failed. Announced reclaims do not count.',
  },
  retries: {
    kind: 'int',
    group: 'failure',
    verbs: CREATE,
    default: '0',
    min: 0,
    max: 1000,
    placeholder: 'N',
    help: 'How often the program is started again after it failed by itself.',
  },
  'retry-on': {
    kind: 'list',
    group: 'failure',
    verbs: CREATE,
    placeholder: 'CODE|oom',
    pattern: { test: /^(?:oom|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/, says: 'an exit code from 1 to 255, or oom' },
    defaultText: 'any failure',
    help: 'Failures after which it is started again: exit codes, or oom for out of memory. Needs "retries".',
  },
  'fail-fast': { kind: 'bool', group: 'failure', verbs: CREATE, help: 'Stop all machines when the program fails on one of them.' },
  'keep-on-failure': {
    kind: 'bool',
    group: 'failure',
    verbs: CREATE,
    can: 'keep',
    otherwise:
      'leave it out: a failed run keeps its last checkpoint and log anyway (tpi pull, tpi logs); to look around on the machine, let the program wait where it fails ("… || sleep 1h") and use tpi exec',
    help: 'Leave the folder of a failed machine as the program left it, besides the last checkpoint and log that every failed run keeps.',
  },
  'if-exists': {
    kind: 'choice',
    group: 'failure',
    verbs: CREATE,
    oneOf: ['attach', 'replace', 'fail'],
    defaultText: 'attach when nothing differs, else fail and show the difference',
    help: 'What to do when the deployment already exists: attach to it as it is, stop and save it and start again, or fail.',
  },
  resume: {
    kind: 'bool',
    group: 'failure',
    verbs: CREATE,
    help: 'Start from the last checkpoint of a run that failed or was stopped, with what was edited here since.',
  },
} as const satisfies Rows

const follow = {
  wait: {
    kind: 'wait',
    group: 'follow',
    verbs: CREATE,
    default: 'true',
    excludes: ['detach'],
    min: 0,
    max: 31_536_000,
    placeholder: 'TIME',
    help: 'Wait for the end: true, false, or no longer than a time. Whatever still runs or waits for a machine then goes on, and the exit code is 75.',
  },
  detach: {
    kind: 'bool',
    group: 'follow',
    verbs: CREATE,
    short: 'd',
    excludes: ['wait'],
    help: 'Return as soon as the machines are on their way: the same as "wait: false". Exit code 0.',
  },
  'on-cancel': {
    kind: 'choice',
    group: 'follow',
    verbs: START,
    oneOf: ['stop', 'detach'],
    default: 'stop',
    help: 'What a cancelled CI job does to the machines. On a terminal Ctrl-C detaches, and a second one within 5 s stops.',
  },
} as const satisfies Rows

export const taskOptions = { ...what, ...data, ...environment, ...time, ...failure, ...follow } as const satisfies Rows
