/** Pipelines of GitLab, run by gitlab-ci-local in its shell executor, with the templates as a project includes them. */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export interface PipelineEnd {
  readonly code: number | null
  readonly text: string
}

export interface PipelineLab {
  /** Programs in its `bin/` come first on PATH. */
  readonly root: string
  /** The project, with tpi's templates. */
  readonly folder: string
  /** A component as in the documents, with the one reference that exists before there is a tag. */
  component(name: string): string
  /** Commits everything, with this pipeline; without one, with the existing file. */
  commit(pipeline?: object): void
  run(variables: Readonly<Record<string, string>>, ...jobs: readonly string[]): Promise<PipelineEnd>
  remove(): void
}

export function pipelineLab(): PipelineLab {
  const root = mkdtempSync(join(tmpdir(), 'tpi-gitlab-'))
  const folder = join(root, 'project')
  for (const path of [folder, join(root, 'user')]) mkdirSync(path)
  cpSync(join(ROOT, 'templates'), join(folder, 'templates'), { recursive: true })
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.email=t@example.org', '-c', 'user.name=t', ...args], { cwd: folder, stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  git('remote', 'add', 'origin', 'https://gitlab.example.org/group/project.git')
  return {
    root,
    folder,
    // Files are found at their paths in the repository.
    component: (name) => `$CI_SERVER_FQDN/$CI_PROJECT_PATH/${name}@$CI_COMMIT_SHA`,
    commit(pipeline) {
      writeFileSync(join(folder, '.gitignore'), '.gitlab-ci-local\n')
      // JSON is YAML.
      if (pipeline) writeFileSync(join(folder, '.gitlab-ci.yml'), JSON.stringify(pipeline))
      git('add', '-A')
      git('commit', '-q', '-m', 'test')
    },
    async run(variables, ...jobs) {
      const all = Object.entries({ GITLAB_CI: 'true', CI_PIPELINE_ID: '5', ...variables })
      const given = all.flatMap(([name, value]) => ['--variable', `${name}=${value}`])
      const args = [join(ROOT, 'node_modules/.bin/gitlab-ci-local'), '--force-shell-executor', ...given, ...jobs]
      const child = spawn(process.execPath, args, {
        cwd: folder,
        env: { PATH: `${join(root, 'bin')}:${process.env['PATH']}`, HOME: join(root, 'user') },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let text = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (text += chunk.toString('utf8')))
      return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })))
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
