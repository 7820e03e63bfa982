/** Options for what a CI system gets besides an exit code: values for later steps and jobs, a summary, comments, artifacts. */
import type { Rows } from '../../core/option.ts'
import { TASKS } from '../../core/verb-groups.ts'

/** Verbs that end with results in hand. */
const RESULTS = [...TASKS, 'collect'] as const
/** Sources of options that only a step of the action heeds: a command line uploads no artifact. */
const WORKFLOW = ['input', 'variable', 'file'] as const

const files = {
  'outputs-file': {
    kind: 'path',
    group: 'results',
    sources: ['flag', 'variable'],
    verbs: [...RESULTS, 'runner'],
    placeholder: 'FILE',
    help: 'Write id, name, outcome, exit code and the other outputs to this file, as NAME=VALUE lines that GitLab takes as a dotenv report. A dollar sign is written twice, because GitLab expands variables there. Written before anything is created, and again at the end.',
  },
  report: {
    kind: 'path',
    group: 'results',
    sources: ['flag', 'variable'],
    verbs: RESULTS,
    placeholder: 'FILE',
    help: 'Write the report of the run to this file as Markdown: result, time line, charts, the end of the log, what the program wrote to TPI_SUMMARY, how to come back.',
  },
} as const satisfies Rows

const comments = {
  comment: {
    kind: 'bool',
    group: 'results',
    verbs: RESULTS,
    help: 'Put the result and what the program wrote to TPI_SUMMARY on the pull request (GitLab: merge request), as one comment per name that is updated in place. If that is not possible, a warning says why, and the run goes on.',
  },
  'pull-request': {
    kind: 'int',
    group: 'results',
    sources: ['flag', 'input', 'variable'],
    verbs: [...RESULTS, 'comment'],
    min: 1,
    max: 2_147_483_647,
    placeholder: 'N',
    defaultText: 'that of the CI job',
    help: 'Number of the pull request (GitLab: merge request) to comment on.',
  },
  file: {
    kind: 'path',
    group: 'results',
    sources: ['flag', 'variable'],
    verbs: ['comment'],
    placeholder: 'FILE',
    help: 'A file with Markdown.',
  },
} as const satisfies Rows

const artifacts = {
  artifact: {
    kind: 'string',
    group: 'results',
    sources: WORKFLOW,
    verbs: RESULTS,
    default: 'true',
    placeholder: 'NAME',
    pattern: { test: /^[^":<>|*?\r\n\\/]{1,256}$/, says: 'true, false, or a name without any of " : < > | * ? \\ /' },
    help: 'Upload the outputs as an artifact of the workflow run: true names it tpi-NAME, anything else is its name, false uploads none. A re-run replaces it, and so does any other job of the workflow run with the same name: give the legs of a matrix different names. With finished or mine, -NAME is added to the name that you give.',
  },
  'artifact-log': {
    kind: 'choice',
    group: 'results',
    sources: WORKFLOW,
    verbs: RESULTS,
    oneOf: ['auto', 'true', 'false'],
    default: 'auto',
    help: 'Upload the log and the record of the run as an artifact too, under the name of the results followed by .log. auto uploads this artifact in private repositories, for runs that the step itself has started or attached to. If you put its files into $TPI_HOME/history, tpi logs and tpi status can read it. GitHub does not mask anything in artifacts, so tpi masks the values of "secrets" and "secrets-file", values of "env" with at least eight characters, and what looks like a token in the script.',
  },
  'artifact-retention-days': {
    kind: 'int',
    group: 'results',
    sources: WORKFLOW,
    verbs: RESULTS,
    min: 1,
    max: 400,
    placeholder: 'DAYS',
    defaultText: 'as set for the repository',
    help: 'How long the artifact is kept.',
  },
  'artifact-compression': {
    kind: 'int',
    group: 'results',
    sources: WORKFLOW,
    verbs: RESULTS,
    default: '6',
    min: 0,
    max: 9,
    placeholder: 'LEVEL',
    help: 'Compression of the artifact, 0 (none, fast) to 9.',
  },
  'if-no-files-found': {
    kind: 'choice',
    group: 'results',
    sources: WORKFLOW,
    verbs: RESULTS,
    oneOf: ['warn', 'error', 'ignore'],
    default: 'warn',
    help: 'What to do if outputs were asked for and no file matched. With `ignore`, there is also no warning about files that a run without outputs has made.',
  },
} as const satisfies Rows

/** Verbs that a step of the action can run. */
const ANY = [...RESULTS, 'runner', 'list', 'status', 'logs', 'stop', 'destroy', 'sweep', 'retry', 'doctor'] as const

const workflow = {
  'log-commands': {
    kind: 'bool',
    group: 'follow',
    sources: WORKFLOW,
    verbs: [...RESULTS, 'logs'],
    help: 'Let the program print groups, errors, warnings and notices in the syntax of workflow commands. All other commands that it prints are always plain text.',
  },
  'allow-untrusted': {
    kind: 'bool',
    group: 'general',
    sources: ['input'],
    verbs: ANY,
    help: 'Run even if a stranger may have written the code. Without it the step refuses to run for "pull_request_target" or "workflow_run" of a fork, for a comment or review by anyone who is not an owner, member or collaborator, and for a comment on a pull request if its code comes from a fork or GitHub does not say whose code it is.',
  },
  'github-token': {
    kind: 'string',
    group: 'general',
    sources: ['input'],
    verbs: ANY,
    placeholder: 'TOKEN',
    defaultText: 'that of the job',
    help: 'Token with which the step reads from GitHub and writes to it. The commit status "tpi/NAME" needs "statuses: write" and is left out without it. "comment" needs "pull-requests: write". To find out whose code a pull request has when somebody comments on it, the step needs "pull-requests: read".',
  },
} as const satisfies Rows

export const ciOptions = { ...files, ...comments, ...artifacts, ...workflow } as const satisfies Rows
