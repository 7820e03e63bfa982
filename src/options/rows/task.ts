/**
 * Options of task mode, some of which runners take too (`STARTING`). Names that TPI's `iterative_task`, `leo` or CML used for them are
 * aliases.
 */
import type { Rows } from '../../core/option.ts'
import { STARTING, TASKS } from '../../core/verb-groups.ts'
import { YEAR } from '../../lib/duration.ts'
import { MOST_SLOTS } from '../../wire/spec.ts'

/** A glob that leads out of the work directory could never match, and the results would be lost with the machine. */
const below = { test: /^!?(?!(?:.*\/)?\.\.(?:\/|$))./, says: 'a glob below the work directory: it must not contain ".."' }

const what = {
  script: {
    kind: 'string',
    group: 'what',
    verbs: TASKS,
    placeholder: 'TEXT',
    excludes: ['script-file'],
    help: 'The program, as text. It runs in the work directory of each machine, with its own shebang, or with "bash -e -o pipefail" if it has none ("sh -e" if there is no bash). tpi ends with its exit code.',
  },
  'script-file': {
    kind: 'path',
    group: 'what',
    verbs: TASKS,
    placeholder: 'FILE',
    excludes: ['script'],
    help: 'A file with the program. It is read on this host, so it does not have to be in the work directory.',
  },
  setup: {
    kind: 'string',
    group: 'what',
    verbs: STARTING,
    placeholder: 'TEXT',
    excludes: ['setup-file'],
    help: 'Commands that run once per machine before the program. They have their own log group. If they fail, the outcome is "setup-failed", and the program is not started.',
  },
  'setup-file': {
    kind: 'path',
    group: 'what',
    verbs: STARTING,
    placeholder: 'FILE',
    excludes: ['setup'],
    help: 'A file with the setup commands.',
  },
  container: {
    kind: 'string',
    group: 'what',
    verbs: [...TASKS, 'permissions'],
    can: 'wholeSystem',
    otherwise: 'on Kubernetes the container that the program runs in is "image"',
    placeholder: 'IMAGE',
    pattern: { test: /^[A-Za-z0-9][\w.:@/-]{0,511}$/, says: 'an image, such as python:3.13 or ghcr.io/OWNER/NAME:TAG' },
    help: 'Run set-up and program in a container of this image on each machine, with the docker or podman that the machine image must have ("nvidia" has docker). The work directory is at the same path, GPUs and network are those of the machine, and the image\'s own entrypoint does not run. The machine logs in to the registry of its own cloud (ECR, Artifact Registry, ACR) with its identity.',
  },
  parallelism: {
    kind: 'int',
    group: 'what',
    verbs: [...TASKS, 'doctor'],
    counterpart: 'count',
    default: '1',
    min: 1,
    max: MOST_SLOTS,
    placeholder: 'N',
    help: 'Machines that run the program side by side. Each has its number in TPI_INDEX (from 0) and the total in TPI_COUNT; outputs are merged at the end.',
  },
  gang: {
    kind: 'bool',
    group: 'what',
    verbs: TASKS,
    help: 'Start the programs only once all machines are up, so that TPI_PEERS has the address of each; after a failure, again only once all are up. Without it, TPI_PEERS has an empty place for a machine that is not up yet; the file named by TPI_PEERS_FILE is kept current. Machines that are up wait for the last one, and cost money meanwhile. On Azure, all machines start in one zone of the region. On AWS and Google Cloud, they are spread over its zones. Traffic between zones is slower and costs money: to have all machines in one zone, name it as `region`.',
  },
} as const satisfies Rows

const data = {
  workdir: {
    kind: 'path',
    group: 'data',
    verbs: TASKS,
    aliases: ['storage.workdir'],
    placeholder: 'DIR',
    words: ['none'],
    defaultText: 'the current folder, up to 500 MB; none if that is / or the home folder',
    help: 'Folder to upload, in which the program runs; none uploads nothing. Files that .gitignore lists are not uploaded, except tracked files and outputs; if there is a .tpiignore, only its rules apply.',
  },
  'working-directory': {
    kind: 'string',
    group: 'data',
    verbs: TASKS,
    placeholder: 'DIR',
    pattern: {
      test: /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$/,
      says: 'a folder inside the work directory, without a leading "/" and without ".."',
    },
    default: '.',
    defaultText: 'the work directory itself',
    help: 'Folder inside the work directory in which the program starts.',
  },
  exclude: {
    kind: 'list',
    group: 'data',
    verbs: TASKS,
    aliases: ['storage.exclude'],
    placeholder: 'GLOB',
    pattern: below,
    help: 'Files of the work directory not to upload, in addition to those that the ignore files list.',
  },
  git: {
    kind: 'choice',
    group: 'data',
    verbs: TASKS,
    oneOf: ['auto', 'true', 'false'],
    default: 'auto',
    help: 'Upload the .git folder too (auto: if it is at most 200 MB). Credentials, hooks and helpers in it are not uploaded.',
  },
  output: {
    kind: 'list',
    group: 'data',
    verbs: TASKS,
    aliases: ['storage.output', 'outputs'],
    placeholder: 'GLOB',
    pattern: below,
    help: 'Files to bring back, as globs below the work directory, such as "results/**". Only files that differ from what was uploaded come back, and nothing below .git.',
  },
  'output-dir': {
    kind: 'path',
    group: 'data',
    verbs: TASKS,
    placeholder: 'DIR',
    defaultText: 'workdir, or tpi-NAME if there is none',
    help: "Where the outputs are put on this host. A file that has changed here in the meantime, or that did not come from this run, is never overwritten: the run's version is put beside it as FILE~ (FILE~2 and so on if that exists).",
  },
  'output-layout': {
    kind: 'choice',
    group: 'data',
    verbs: TASKS,
    oneOf: ['merge', 'index'],
    default: 'merge',
    help: 'Where to put the outputs of several machines: together, with only the files that differ between them under INDEX/ (merge), or always under INDEX/ (index).',
  },
} as const satisfies Rows

const environment = {
  env: {
    kind: 'env',
    group: 'environment',
    verbs: STARTING,
    aliases: ['environment', 'cloud-env'],
    short: 'e',
    placeholder: 'NAME[=VALUE]',
    help: 'Environment of the program. NAME=VALUE sets a value. NAME takes the value from the environment of this command, where it must be set; NAME? takes it if it is set; PREFIX_* takes every name that matches. One per line or flag; lists of bare names may use commas.',
  },
  'env-file': {
    kind: 'paths',
    group: 'environment',
    verbs: STARTING,
    placeholder: 'FILE',
    help: 'Files with NAME=VALUE lines for the environment (dotenv). "env" wins over them. Node.js reads the file of a flag before tpi does: if there is none, the message is its own ("not found", exit code 9).',
  },
  secrets: {
    kind: 'secret-list',
    group: 'environment',
    verbs: TASKS,
    aliases: ['secret'],
    placeholder: 'NAME',
    help: 'Names of secret variables that the program gets. Their values are taken from the environment of this command, never from the command line, are masked in logs (from four bytes on), and are removed from the storage at the end.',
  },
  'secrets-file': {
    kind: 'paths',
    group: 'environment',
    verbs: TASKS,
    placeholder: 'FILE',
    help: 'Files with NAME=VALUE lines that are secret (dotenv). They are never uploaded with the work directory.',
  },
  'secrets-stdin': {
    kind: 'bool',
    group: 'environment',
    verbs: TASKS,
    sources: ['flag'],
    help: 'Read NAME=VALUE lines that are secret from standard input.',
  },
} as const satisfies Rows

const time = {
  timeout: {
    kind: 'duration',
    group: 'time',
    verbs: STARTING,
    default: '24h',
    min: 1,
    max: YEAR,
    placeholder: 'TIME',
    help: 'The deadline, counted from creation. At the deadline, the program gets SIGTERM and everything ends, even if no command is running. Neither replacing a machine nor running the same command again moves the deadline.',
  },
  grace: {
    kind: 'duration',
    group: 'time',
    verbs: STARTING,
    default: '30s',
    min: 0,
    max: 3600,
    placeholder: 'TIME',
    help: 'Time between SIGTERM and SIGKILL.',
  },
  retention: {
    kind: 'duration',
    group: 'time',
    verbs: STARTING,
    default: '7d',
    min: 0,
    max: YEAR,
    placeholder: 'TIME',
    help: 'How long to keep the log and the last checkpoint of a run that failed, was stopped or was not collected.',
  },
  'checkpoint-interval': {
    kind: 'duration',
    group: 'time',
    verbs: TASKS,
    default: '10s',
    min: 0.1,
    max: 86_400,
    placeholder: 'TIME',
    help: 'How often changes in the work directory are saved: the work of this time is lost if a machine dies without notice. If saving takes long, the pauses between saves grow, to 5 minutes at most.',
  },
  checkpoint: {
    kind: 'list',
    group: 'time',
    verbs: TASKS,
    placeholder: 'GLOB',
    pattern: below,
    defaultText: 'the whole work directory',
    help: 'Files to checkpoint while the program runs, and to save first if its machine is taken away within seconds. Outputs are checkpointed too. Changes to all other files are saved only when the program has ended.',
  },
  rehearse: {
    kind: 'duration',
    group: 'time',
    verbs: TASKS,
    can: 'rehearse',
    min: 0.1,
    max: 86_400,
    placeholder: 'TIME',
    help: 'Reclaim machines at random, this long apart on average, to rehearse spot interruptions.',
  },
  'rehearse-seed': {
    kind: 'int',
    group: 'time',
    verbs: TASKS,
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
    verbs: TASKS,
    default: '5',
    min: 1,
    max: 1000,
    placeholder: 'N',
    help: 'A slot fails once this many machines have died without notice while they held it. Announced reclaims do not count.',
  },
  retries: {
    kind: 'int',
    group: 'failure',
    verbs: TASKS,
    default: '0',
    min: 0,
    max: 1000,
    placeholder: 'N',
    help: 'How often to start the program again after it has failed on its own.',
  },
  'retry-on': {
    kind: 'list',
    group: 'failure',
    verbs: TASKS,
    placeholder: 'CODE|oom',
    pattern: { test: /^(?:oom|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/, says: 'an exit code from 1 to 255, or oom' },
    defaultText: 'any failure',
    help: 'Failures after which to start the program again: exit codes, or oom for out of memory. Needs "retries".',
  },
  'fail-fast': { kind: 'bool', group: 'failure', verbs: TASKS, help: 'Stop all machines as soon as the program fails on one of them.' },
  'keep-on-failure': {
    kind: 'bool',
    group: 'failure',
    verbs: TASKS,
    can: 'keep',
    otherwise:
      'leave it out: a failed run keeps its last checkpoint and log anyway (tpi pull, tpi logs); to look around on the machine, let the program wait where it fails ("… || sleep 1h") and use tpi exec',
    help: 'Keep the folder of a failed machine as the program left it, in addition to the last checkpoint and log, which every failed run keeps.',
  },
  'if-exists': {
    kind: 'choice',
    group: 'failure',
    verbs: TASKS,
    oneOf: ['attach', 'replace', 'fail'],
    defaultText: 'attach if nothing differs, otherwise fail and show the difference',
    help: 'What to do if the run already exists: attach to it as it is; stop it, save it and start again; or fail.',
  },
  resume: {
    kind: 'bool',
    group: 'failure',
    verbs: TASKS,
    help: 'Start from the last checkpoint of a run that failed, timed out or was stopped, with the files that you have edited here since.',
  },
} as const satisfies Rows

const follow = {
  wait: {
    kind: 'wait',
    group: 'follow',
    verbs: TASKS,
    default: 'true',
    excludes: ['detach'],
    min: 0,
    max: YEAR,
    placeholder: 'TIME',
    help: 'Wait for the end: true, false, or at most this long. A run that has not ended by then goes on, and the exit code is 75.',
  },
  detach: {
    kind: 'bool',
    group: 'follow',
    verbs: TASKS,
    short: 'd',
    excludes: ['wait'],
    help: 'Return as soon as the machines are on their way: the same as "wait: false". Exit code 0.',
  },
  'on-cancel': {
    kind: 'choice',
    group: 'follow',
    verbs: TASKS,
    oneOf: ['stop', 'detach'],
    default: 'stop',
    help: 'What happens to the run when its CI job is cancelled: it is stopped, or it goes on (detach). On a terminal, Ctrl-C detaches, and a second one within 5 s stops the run.',
  },
} as const satisfies Rows

export const taskOptions = { ...what, ...data, ...environment, ...time, ...failure, ...follow } as const satisfies Rows
