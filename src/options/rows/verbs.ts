/** The verbs of the command line: their help, their arguments and their exit codes. What they do is in `verbs/`. */

import { EXIT, OUTCOMES } from '../../core/exit-codes.ts'
import { TOPICS, type Topic } from './topics.ts'

export interface Argument {
  /** The option that it sets. */
  readonly option: string
  readonly required: boolean
  /** Options that make it unnecessary. */
  readonly unless?: readonly string[]
  /** It takes all remaining words, and joins them by hyphens. */
  readonly joined?: true
}

/** Where the overview lists a verb, in this order. */
export const SECTIONS = ['Start', 'See', 'End', 'About'] as const

export interface Verb {
  readonly section: (typeof SECTIONS)[number]
  /** One line. */
  readonly summary: string
  /** Paragraphs of its help. */
  readonly text: string
  readonly arguments: readonly Argument[]
  /** What `-- …` is to this verb; absent = it takes none. */
  readonly command?: 'program' | 'required'
  /** It describes a deployment from its start, like verbs that take a program, but takes none. */
  readonly describes?: true
  /** It neither runs nor shows anything that a stranger has proposed, so it does not need `allow-untrusted`. */
  readonly codeless?: true
  readonly examples: readonly string[]
  readonly exits?: Exits
}

/** What exit codes mean; `n` is the program's own. */
export type Exits = Partial<Readonly<Record<(typeof EXIT)[keyof typeof EXIT] | 'n', string>>>

/** Exit codes of every verb. */
export const ALWAYS: Exits = {
  [EXIT.ok]: 'done',
  [EXIT.invalid]: OUTCOMES.invalid.means,
  [EXIT.bug]: OUTCOMES.bug.means,
}

const NAME: Argument = { option: 'name', required: true }
const NAME_TEXT = 'NAME is the exact id of a run, or a name that only one run has.'

const REMOTE: Exits = {
  [EXIT.remote]: 'the cloud or the storage failed; try again',
  [EXIT.denied]: OUTCOMES.denied.means,
}

export const VERBS = {
  task: {
    section: 'Start',
    summary: 'Run a program on one or more machines and bring its results back',
    text: `Uploads the work directory, starts the machines, prints what the program prints, and checkpoints its work directory as it runs: a machine that is reclaimed or dies is replaced, and the program starts again from the last checkpoint. At the end, the outputs are on this computer, the machines and everything else of the run are removed, and the exit code is that of the program.

The program is inline text (--script), a file (--script-file) or whatever follows "--". If you run the same command again, it finds the running task and attaches to it.

Ctrl-C leaves the machines running and says how to come back; a second Ctrl-C within 5 seconds stops them.`,
    arguments: [],
    command: 'program',
    examples: [
      `tpi task --name hello --script 'echo hi'`,
      `tpi task --name fit --workdir . --output 'results/**' --env SEED=7 --secrets WANDB_API_KEY \\\n    --script-file train.sh`,
      `tpi task --name many --parallelism 3 --detach -- python3 train.py --epochs 5`,
    ],
    exits: {
      n: 'the exit code of the program; 128+n when it was killed by signal n',
      [EXIT.noCapacity]: OUTCOMES['no-capacity'].means,
      [EXIT.running]: 'still running: come back with the command that is printed',
      [EXIT.remote]: 'the cloud or the storage failed, or results could not be delivered',
      [EXIT.denied]: OUTCOMES.denied.means,
      [EXIT.timedOut]: 'the deadline passed',
      [EXIT.stopped]: 'stopped or interrupted',
      [EXIT.terminated]: 'terminated',
    },
  },
  runner: {
    section: 'Start',
    summary: 'Start machines that serve GitHub or GitLab jobs as self-hosted runners',
    text: `Registers the runners, starts the machines, and returns as soon as the forge says that all are online. You do not have to stop anything by hand: a machine leaves after its jobs (--jobs) or after a time without one (--idle-timeout), and all machines leave at the deadline (--timeout). The token itself never reaches a machine. On GitHub every registration is good for one job only, except with --jobs unlimited.

Jobs ask for these runners with the label that is printed: no other runner has it. With --cloud local the runner is this very host, in a folder of its own.`,
    arguments: [],
    describes: true,
    examples: [
      'tpi runner --cloud local --repository octo/hello --labels gpu',
      'tpi runner --labels gpu --jobs 3 --count 2 --idle-timeout 10m --json | jq -r .label',
    ],
    exits: {
      [EXIT.noCapacity]: OUTCOMES['no-capacity'].means,
      [EXIT.remote]: 'the forge, the cloud or the storage failed; what was made was removed again',
      [EXIT.denied]: 'the token, or a permission of it, is missing',
      [EXIT.timedOut]: 'not every runner came online in time; what was made was removed again',
      [EXIT.stopped]: 'interrupted; what was made was removed again',
      [EXIT.terminated]: 'terminated; what was made was removed again',
    },
  },
  plan: {
    section: 'Start',
    summary: 'Show what "task" with the same options would do, and create nothing',
    text: 'Checks every option, the credentials and the machine type, and lists what would be uploaded and created. Exit code 0 means that "task" would start the run.',
    arguments: [],
    command: 'program',
    examples: ['tpi plan --workdir . --script-file train.sh'],
    exits: REMOTE,
  },
  doctor: {
    section: 'Start',
    summary: 'Find what could keep machines or runners from starting; create nothing unless asked',
    text: `PLACE is a cloud (local, k8s, aws, gcp, az) or a forge (github, gitlab). Without PLACE, the cloud of --cloud is checked. "doctor" checks credentials, each permission, versions, quotas, and whether the machines that you want are available: say which with the same options as for "task" or "runner". For every fault, it says what to do. With --probe, on Kubernetes, one machine is made for a few seconds and removed again.`,
    arguments: [{ option: 'place', required: false }],
    examples: ['tpi doctor', 'tpi doctor k8s --cpu 4 --memory 16GB', 'tpi doctor k8s --probe', 'tpi doctor github --repository octo/hello'],
    exits: { [EXIT.found]: 'something is wrong', ...REMOTE },
  },
  permissions: {
    section: 'Start',
    summary: 'Print the minimum rights that a cloud or a forge must grant',
    text: 'PLACE is a cloud or a forge. You can apply the text, or hand it to an administrator. Nothing is contacted or created, except with --apply on AWS, Google Cloud and Azure.',
    arguments: [{ option: 'place', required: true }],
    examples: ['tpi permissions k8s | kubectl apply -f -', 'tpi permissions github'],
    exits: { [EXIT.denied]: 'the credentials cannot be read, or may not make what --apply makes' },
  },
  list: {
    section: 'See',
    summary: 'List runs',
    text: 'One line per run: those at work first, then those that were not collected. With --all, runs that are gone follow, the newest first. NAME is what other verbs take: the id, if several runs have the same name. RESULTS is "kept" for a run that was collected but did not succeed: its last checkpoint and log stay until "destroy", or until the retention is over.',
    arguments: [],
    examples: ['tpi list', 'tpi list --all', 'tpi list --finished --json'],
    exits: REMOTE,
  },
  status: {
    section: 'See',
    summary: 'Show the state of a run',
    text: `Shows state, attempts, reasons, checkpoints and time left. For a run that was destroyed, the answer comes from the history in TPI_HOME. ${NAME_TEXT}

The exit code says whether there is an answer, not what it is: read "outcome" and "exitCode" of --json.`,
    arguments: [NAME],
    examples: ['tpi status fit', 'tpi status fit --json | jq -r .outcome'],
    exits: REMOTE,
  },
  logs: {
    section: 'See',
    summary: 'Print what the program printed',
    text: `Prints the log of every attempt, in order; that of a run that is gone comes from the history in TPI_HOME. With --follow it goes on until the task ends, and a line on standard error says when another machine takes over. With --json each line is an object: slot, attempt, stream, at, text. ${NAME_TEXT}`,
    arguments: [NAME],
    examples: ['tpi logs fit --follow --tail 20', 'tpi logs many --slot 2 --since 10m --timestamps', 'tpi logs fit --json | jq -r .text'],
    exits: { ...REMOTE, [EXIT.stopped]: 'interrupted; the run goes on', [EXIT.terminated]: 'terminated; the run goes on' },
  },
  stop: {
    section: 'End',
    summary: 'Stop a run, keeping its last checkpoint and log',
    text: `The program gets SIGTERM, and SIGKILL after the grace. Its work directory is saved, then the machines are removed. "collect" fetches the results; "task --resume" continues from what was saved. ${NAME_TEXT}`,
    arguments: [{ ...NAME, unless: ['mine'] }],
    examples: ['tpi stop fit', 'tpi stop --mine'],
    exits: { ...REMOTE, [EXIT.stopped]: 'interrupted: the request to stop is recorded; what runs saves its work and ends on its own' },
  },
  collect: {
    section: 'End',
    summary: 'Bring the results of a run back',
    text: `If the run has ended: downloads the outputs, checks them, puts them in place and destroys the rest, as an attached "task" does at its end. If it is still running: fetches the outputs of the last checkpoint, stops nothing, and ends with exit code 75; if you want just those files, use "pull", which ends with exit code 0. ${NAME_TEXT}

With --finished or --mine, each run gets a folder NAME below the output folder, even if it is the only one.

The exit code of an ended task is that of its program.`,
    arguments: [{ ...NAME, unless: ['finished', 'mine'] }],
    examples: ['tpi collect fit', 'tpi collect fit --to results-of-today', 'tpi collect --finished'],
    exits: {
      n: 'the exit code of the program, when it has ended',
      [EXIT.running]: 'still running: the files are those of its last checkpoint',
      ...REMOTE,
    },
  },
  pull: {
    section: 'See',
    summary: 'Fetch files from the last checkpoint, changing nothing',
    text: `Unlike "collect", this fetches any file that the program made or changed, and leaves the run as it is. ${NAME_TEXT}`,
    arguments: [NAME, { option: 'glob', required: false }],
    examples: ["tpi pull fit 'checkpoints/**' --to ./peek"],
    exits: REMOTE,
  },
  comment: {
    section: 'See',
    summary: 'Put a Markdown file on the pull or merge request, or update it there',
    text: `There is one comment per name: --name says which, and without it the name is "report". Posting again with the same name replaces the text. In a CI job of a pull request (GitHub) or merge request (GitLab) nothing else is needed; elsewhere give --repository and --pull-request. The token comes from --token, REPO_TOKEN or GITHUB_TOKEN.

Pictures that the file names by relative paths are uploaded on GitLab. GitHub does not let programs upload pictures: there the comment only names them, and a warning says so.`,
    arguments: [{ option: 'file', required: true }],
    examples: ['tpi comment report.md', 'tpi comment report.md --name accuracy --pull-request 7 --repository octo/hello'],
    exits: { [EXIT.remote]: 'the forge failed; try again', [EXIT.denied]: 'the token, or a permission of it, is missing' },
  },
  exec: {
    section: 'See',
    summary: 'Run a command on a machine, beside the program',
    text: `The command runs in the work directory of the running machine. On local, it uses this terminal. On Kubernetes, it can read what comes from a file or a pipe, but not what is typed, so an interactive shell ends at once. On clouds whose machines accept no connections (aws, az, gcp), it goes through the storage: it gets no input, runs for five minutes at most, and up to 1 MiB of each stream comes back at the end. Its exit code becomes that of tpi. ${NAME_TEXT}`,
    arguments: [NAME],
    command: 'required',
    examples: ['tpi exec fit -- nvidia-smi', 'tpi exec many --slot 1 -- tail -n 3 train.log'],
    exits: { n: 'the exit code of the command', ...REMOTE },
  },
  destroy: {
    section: 'End',
    summary: 'Remove a run and everything that belongs to it',
    text: `Refuses if the run is still going on or was not collected, unless you accept with --discard that its results are lost. Lists what could not be removed; to try again, run the same command again. The history in TPI_HOME keeps the record and the log of the run: "tpi status" and "tpi logs" still show them. ${NAME_TEXT}`,
    arguments: [{ ...NAME, unless: ['mine'] }],
    examples: ['tpi destroy fit', 'tpi destroy fit --discard'],
    exits: REMOTE,
  },
  sweep: {
    section: 'End',
    summary: 'Remove what is past its time',
    text: 'Finds, by their tags, machines past their deadline, stored results past their retention, and parts that a crash left behind. Lists them; with --yes, removes them. If a machine has worked on a run, its checkpoints, results and logs stay until its retention is over, and only its machines are removed at the deadline. Run it on a schedule.',
    arguments: [],
    codeless: true,
    examples: ['tpi sweep', 'tpi sweep --yes'],
    exits: { [EXIT.found]: 'something was found, and --yes was not given', ...REMOTE },
  },
  retry: {
    section: 'End',
    summary: 'Re-run jobs whose runner was taken away, and restart runners that jobs are waiting for',
    text: `Looks at the named runners, or at all runners of this repository. A job that was cut off because its machine was reclaimed or died is re-run, at most as often as "--retry" of "tpi runner" allows; a job that failed on its own never is. If a job waits for runners that have left, as after "Re-run failed jobs", the same runners are started again with the same labels.

GitHub cannot re-run anything before the whole workflow run has ended: run the command after that, from a workflow on "workflow_run: completed" or from a schedule. Running it several times does no harm.`,
    arguments: [{ option: 'name', required: false }],
    codeless: true,
    examples: ['tpi retry', 'tpi retry gpu-runners --json'],
    exits: {
      [EXIT.noCapacity]: `for runners that jobs wait for: ${OUTCOMES['no-capacity'].means}`,
      [EXIT.running]: 'a workflow run has not ended yet: try again later',
      [EXIT.timedOut]: 'not every runner that jobs wait for came online in time',
      ...REMOTE,
    },
  },
  interrupt: {
    section: 'End',
    summary: 'Rehearse a spot reclaim',
    text: `Gives each machine of the run (with --slot, only that one) the notice that a cloud gives before it takes a machine back: the program gets SIGTERM, its work is saved, and the machine is replaced. ${NAME_TEXT}`,
    arguments: [NAME],
    examples: ['tpi interrupt fit', 'tpi interrupt many --slot 0'],
    exits: REMOTE,
  },
  options: {
    section: 'About',
    summary: 'List all options with their meaning',
    text: 'Every option with its flag, action input, variable, default and help; if TOPIC names a verb, only the options of that verb; if it names an option, only that one. With --json, the same as data.',
    arguments: [{ option: 'topic', required: false }],
    examples: ['tpi options', 'tpi options timeout', 'tpi options task --json'],
  },
  completion: {
    section: 'About',
    summary: 'Print completions for a shell',
    text: 'Completes verbs, options, their values, and the names of runs that were started on this computer.',
    arguments: [{ option: 'shell', required: true }],
    examples: ['source <(tpi completion bash)', 'source <(tpi completion zsh)', 'tpi completion fish | source'],
  },
  help: {
    section: 'About',
    summary: 'Explain a verb, an option or a subject',
    text: `"tpi help VERB" is the same as "tpi VERB --help". Subjects are ${Object.entries<Topic>(TOPICS)
      .map(([name, { title }]) => `${name} (${title.charAt(0).toLowerCase()}${title.slice(1)})`)
      .join(', ')}.`,
    arguments: [{ option: 'topic', required: false, joined: true }],
    examples: ['tpi help task', 'tpi help timeout', 'tpi help exit codes'],
  },
  version: {
    section: 'About',
    summary: 'Print the version',
    text: 'The version of this program and of the Node that runs it.',
    arguments: [],
    examples: ['tpi version --json'],
  },
} as const satisfies Readonly<Record<string, Verb>>

/** What does the work of verbs that people look for, but that do not exist. */
export const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['resume', 'the same "tpi task" command with --resume goes on from the last checkpoint'],
  ['cost', '"tpi status NAME" and "tpi list" show what runs have cost, "tpi plan" what one would cost'],
])

export type VerbName = keyof typeof VERBS

export function isVerb(name: string): name is VerbName {
  return Object.hasOwn(VERBS, name)
}

export function verbOf(name: VerbName): Verb {
  return VERBS[name]
}

/** Whether a verb describes a deployment from its start. For such a verb, a fault in a configuration file is a fault, not a warning. */
export function describes(verb: VerbName): boolean {
  const { command, describes: own } = verbOf(verb)
  return command === 'program' || own === true
}
