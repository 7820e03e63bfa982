/** Options of runner mode. Names that CML or its provider used for them are aliases. */
import type { Rows } from '../../core/option.ts'
import { TASKS } from '../../core/verb-groups.ts'
import { ADDRESS } from './machine.ts'

const RUNNER = ['runner'] as const
/** Verbs that talk to the forge about what exists. */
const FORGE = ['runner', 'stop', 'destroy', 'sweep', 'retry', 'doctor'] as const
/** What runners are to be. */
const PLANNED = [...RUNNER, 'doctor'] as const
/** Where runners are registered. */
const REGISTER = [...PLANNED, 'sweep'] as const
/** Verbs that may comment on a pull request. */
const COMMENT = [...TASKS, 'collect', 'comment'] as const
/** Sources of secrets: never a file of the project. */
const SECRET = ['flag', 'input', 'variable'] as const

const what = {
  labels: {
    kind: 'list',
    group: 'what',
    verbs: RUNNER,
    variables: ['CML_RUNNER_LABELS'],
    placeholder: 'LABEL',
    pattern: { test: /^[^,\s][^,]{0,99}$/, says: 'a label of up to 100 characters without a comma' },
    help: 'Labels of these runners, in addition to a unique one (the output "label"). A job that names the unique one never gets somebody else\'s runner.',
  },
  'default-labels': {
    kind: 'bool',
    group: 'what',
    verbs: RUNNER,
    default: 'true',
    help: 'Also set the labels that the forge\'s own set-up would set: on GitHub "self-hosted", the system and the architecture.',
  },
  jobs: {
    kind: 'string',
    group: 'what',
    verbs: PLANNED,
    default: '1',
    aliases: ['single'],
    variables: ['CML_RUNNER_SINGLE'],
    switches: { single: '1' },
    placeholder: 'N',
    pattern: { test: /^(?:[1-9]\d{0,2}|single|unlimited)$/, says: 'a number of jobs from 1 to 999, single, or unlimited' },
    help: 'Jobs that each machine serves, one after the other, before it leaves: a number, "single" (1), or "unlimited". With "unlimited" on GitHub, each machine registers itself, and its jobs can read that registration: use it only for jobs that you trust.',
  },
  count: {
    kind: 'int',
    group: 'what',
    verbs: RUNNER,
    counterpart: 'parallelism',
    default: '1',
    min: 1,
    max: 500,
    placeholder: 'N',
    help: 'Number of machines, each with its own runner.',
  },
  'setup-after': {
    kind: 'string',
    group: 'what',
    verbs: RUNNER,
    placeholder: 'TEXT',
    excludes: ['setup-after-file'],
    aliases: ['cloud-startup-script'],
    variables: ['CML_RUNNER_CLOUD_STARTUP_SCRIPT'],
    base64: ['cloud-startup-script'],
    help: 'Commands that run once per machine, after the forge\'s runner program is installed and before it starts. The program\'s folder is in TPI_RUNNER_FOLDER. "setup" runs earlier.',
  },
  'setup-after-file': {
    kind: 'path',
    group: 'what',
    verbs: RUNNER,
    placeholder: 'FILE',
    excludes: ['setup-after'],
    help: 'A file with the commands of setup-after.',
  },
  'docker-image': {
    kind: 'string',
    group: 'what',
    verbs: RUNNER,
    placeholder: 'IMAGE',
    help: 'GitLab: run jobs in containers. Jobs without an image of their own run in this one. The machine must have Docker. On GitHub a job names its own container.',
  },
  'docker-volumes': {
    kind: 'list',
    group: 'what',
    verbs: RUNNER,
    requires: ['docker-image'],
    variables: ['CML_RUNNER_DOCKER_VOLUMES'],
    placeholder: 'VOLUME',
    pattern: { test: /^[^\s,]+$/, says: 'a volume such as /cache or /data:/data:ro' },
    help: 'GitLab: volumes of the containers, such as /cache or /data:/data:ro.',
  },
  reuse: {
    kind: 'choice',
    group: 'what',
    verbs: RUNNER,
    oneOf: ['never', 'any', 'idle'],
    default: 'never',
    aliases: ['reuse-idle'],
    variables: ['CML_RUNNER_REUSE', 'CML_RUNNER_REUSE_IDLE'],
    switches: { reuse: 'any', 'reuse-idle': 'idle' },
    help: 'Start nothing if as many runners as "count" with all of "labels" are already online ("any"), or online without a job ("idle"). It does not matter who started them. They may still leave, or take another job first.',
  },
  'allow-public': {
    kind: 'bool',
    group: 'what',
    verbs: PLANNED,
    help: 'Let one machine serve several jobs of a public repository, one after the other. Anyone can propose code that runs there, and that code can leave something behind for the next job.',
  },
  'runner-version': {
    kind: 'string',
    group: 'what',
    verbs: PLANNED,
    default: 'latest',
    placeholder: 'VERSION',
    pattern: { test: /^(?:latest|v?\d+\.\d+\.\d+)$/, says: 'a version such as 2.336.0, or latest' },
    help: 'Version of the forge\'s own runner program: the one that the forge offers ("latest"), or a fixed one. With "jobs: unlimited" and no fixed version, GitHub\'s program updates itself; otherwise it does not. GitHub refuses versions that are older than about a month.',
  },
  architecture: {
    kind: 'choice',
    group: 'where',
    verbs: PLANNED,
    oneOf: ['x64', 'arm64'],
    defaultText: 'that of this host if the machines run on it, otherwise x64',
    help: 'Processor architecture of the machines, for the right runner program.',
  },
} as const satisfies Rows

const forge = {
  forge: {
    kind: 'string',
    group: 'where',
    verbs: [...REGISTER, ...COMMENT],
    aliases: ['driver'],
    variables: ['CML_DRIVER'],
    placeholder: 'FORGE',
    defaultText: 'the one in the address of forge-url or repository, else that of the CI job, else github',
    help: 'Whose jobs the runners serve: github or gitlab.',
  },
  'forge-url': {
    kind: 'string',
    group: 'where',
    verbs: [...FORGE, ...COMMENT],
    placeholder: 'URL',
    pattern: ADDRESS,
    defaultText: 'that of the CI job, else the public one',
    help: 'Address of the forge, such as a GitHub Enterprise Server or a self-managed GitLab. Tokens are never sent anywhere else, whatever the record of a run says. tpi.yaml alone may name only the public one or that of the CI job.',
  },
  repository: {
    kind: 'string',
    group: 'where',
    verbs: [...REGISTER, ...COMMENT],
    aliases: ['repo', 'project'],
    variables: ['CML_REPO'],
    placeholder: 'OWNER/NAME',
    excludes: ['organization', 'enterprise'],
    defaultText: 'that of the CI job',
    help: 'Repository (GitLab: project) whose jobs the runners serve, by name or by address.',
  },
  organization: {
    kind: 'string',
    group: 'where',
    verbs: REGISTER,
    aliases: ['org', 'group'],
    placeholder: 'NAME',
    excludes: ['enterprise'],
    help: 'Organization (GitLab: group) whose jobs the runners serve.',
  },
  enterprise: { kind: 'string', group: 'where', verbs: REGISTER, placeholder: 'NAME', help: 'Enterprise whose jobs the runners serve.' },
  'runner-group': {
    kind: 'string',
    group: 'where',
    verbs: PLANNED,
    placeholder: 'NAME',
    help: 'Name of the runner group that the runners join. Organizations and enterprises of GitHub have such groups.',
  },
  token: {
    kind: 'string',
    group: 'environment',
    verbs: [...FORGE, ...COMMENT],
    sources: SECRET,
    aliases: ['driver-token', 'cml-token'],
    variables: ['REPO_TOKEN', 'repo_token', 'CML_TOKEN'],
    placeholder: 'TOKEN',
    help: 'Token that may register and remove runners, or comment on a pull request. It stays here: machines get only registrations. Give it as a variable rather than as a flag, which others on this host can see.',
  },
  'app-id': {
    kind: 'string',
    group: 'environment',
    verbs: FORGE,
    sources: SECRET,
    excludes: ['token'],
    placeholder: 'ID',
    help: 'GitHub App to use instead of a token: its client id or app id. The installation is found automatically.',
  },
  'app-key': {
    kind: 'string',
    group: 'environment',
    verbs: FORGE,
    sources: ['input', 'variable'],
    placeholder: 'PEM',
    help: 'Private key of the App (PEM text).',
  },
} as const satisfies Rows

const time = {
  'idle-timeout': {
    kind: 'string',
    group: 'time',
    verbs: RUNNER,
    default: '5m',
    variables: ['CML_RUNNER_IDLE_TIMEOUT'],
    placeholder: 'TIME',
    help: 'Time without a job after which a machine leaves: "5m", or "never" (also "0"). A machine with a job leaves only at the deadline.',
  },
  'online-timeout': {
    kind: 'duration',
    group: 'time',
    verbs: RUNNER,
    default: '15m',
    min: 1,
    max: 86_400,
    placeholder: 'TIME',
    help: 'How long to wait for the forge to report all runners as online. If they are not online by then, everything is removed.',
  },
  retry: {
    kind: 'int',
    group: 'failure',
    verbs: RUNNER,
    default: '2',
    min: 0,
    max: 50,
    aliases: ['no-retry'],
    variables: ['CML_RUNNER_NO_RETRY'],
    switches: { 'no-retry': '0' },
    placeholder: 'N',
    help: 'How often "tpi retry" may re-run a job whose machine was taken away; on GitHub, the limit counts the attempts of its workflow run. Jobs that failed on their own are never re-run.',
  },
} as const satisfies Rows

export const runnerOptions = { ...what, ...forge, ...time } as const satisfies Rows
