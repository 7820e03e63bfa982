/** Whole workflows, run by nektos/act on this host: checkout, matrix, the action by its release name, post steps. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { GO_TOOLS, goTool } from './go-tool.ts'
import { DIST } from './step-runner.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export interface WorkflowEnd {
  readonly code: number | null
  readonly text: string
  /** Lines that the steps of a job printed, without act's own. */
  printed(job?: string): string
}

export interface ActLab {
  readonly repository: string
  /** `$TPI_HOME` of every job. */
  readonly home: string
  /** `$HOME` of every job. */
  readonly user: string
  write(path: string, text: string): void
  /** Commits everything and runs one workflow file. */
  start(workflow: string, options?: ActOptions): { child: ChildProcess; text(): string; end: Promise<WorkflowEnd> }
  run(workflow: string, options?: ActOptions): Promise<WorkflowEnd>
  remove(): void
}

export interface ActOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly secrets?: Readonly<Record<string, string>>
  readonly vars?: Readonly<Record<string, string>>
  readonly run?: string
  /** Besides `ubuntu-latest`, a label whose jobs run here. */
  readonly label?: string
  /** `OWNER/REPO@REF` → the folder that replaces it. */
  readonly actions?: Readonly<Record<string, string>>
}

/** `undefined` if act cannot be built. */
export async function actLab(): Promise<ActLab | undefined> {
  const act = await goTool(GO_TOOLS.act)
  if (!act) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'tpi-act-'))
  const [repository, action, home, user] = ['repository', 'action', 'tpi-home', 'user'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const path of [repository, action, user]) mkdirSync(path)
  cpSync(DIST, join(action, 'dist'), { recursive: true })
  cpSync(join(ROOT, 'action.yml'), join(action, 'action.yml'))
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.email=t@example.org', '-c', 'user.name=t', ...args], { cwd: repository, stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  const lab: ActLab = {
    repository,
    home,
    user,
    write(path, text) {
      mkdirSync(dirname(join(repository, path)), { recursive: true })
      writeFileSync(join(repository, path), text)
    },
    start(workflow, { env = {}, secrets = {}, vars = {}, run = '1', label, actions = {} } = {}) {
      git('add', '-A')
      git('commit', '-q', '--allow-empty', '-m', 'test')
      const all = { TPI_HOME: home, GITHUB_RUN_ID: run, TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '3s', TPI_RUNNER_REST: '3s', ...env }
      const args = [
        '--platform=ubuntu-latest=-self-hosted',
        ...(label === undefined ? [] : [`--platform=${label}=-self-hosted`]),
        '--platform=ubuntu-24.04=-self-hosted',
        `--workflows=.github/workflows/${workflow}`,
        `--local-repository=iterative/tpi-action@v1=${action}`,
        ...Object.entries(actions).map(([name, path]) => `--local-repository=${name}=${path}`),
        '--action-offline-mode',
        '--artifact-server-addr=127.0.0.1',
        '--cache-server-addr=127.0.0.1',
        ...Object.entries(all).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
        ...Object.entries(secrets).flatMap(([name, value]) => ['-s', `${name}=${value}`]),
        ...Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}=${value}`]),
        'push',
      ]
      const child = spawn(act, args, { cwd: repository, env: { PATH: process.env['PATH'], HOME: user }, stdio: ['ignore', 'pipe', 'pipe'] })
      let text = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (text += chunk.toString('utf8')))
      const end = new Promise<WorkflowEnd>((resolve) => {
        child.on('close', (code) => resolve({ code, text, printed: (job) => printed(text, job) }))
      })
      return { child, text: () => text, end }
    },
    run: (workflow, options) => lab.start(workflow, options).end,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  return lab
}

function printed(text: string, job: string | undefined): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const match = /^\[[^\]/]*\/([^\]]+?)\s*\]\s+\| (.*)$/.exec(line)
      return match && (job === undefined || match[1] === job) ? [match[2] ?? ''] : []
    })
    .join('\n')
}
