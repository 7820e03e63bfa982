/** Real folders and repositories for tests. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { scanTree } from '../../../src/snapshot/folder/scan.ts'
import { selectWorkdir, type Workdir, type WorkdirOptions } from '../../../src/task/workdir/what-is-uploaded.ts'

export const env = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
}

export class TestFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'workdir-')))

  write(files: Readonly<Record<string, string | Buffer>>): this {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(`${this.path}/${name}`), { recursive: true })
      writeFileSync(`${this.path}/${name}`, content)
    }
    return this
  }

  git(...args: string[]): string {
    return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
      cwd: this.path,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  }

  select(options: Partial<WorkdirOptions> = {}): Promise<Workdir> {
    return selectWorkdir({ folder: this.path, output: [], exclude: [], git: false, env, ...options })
  }

  /** Paths that would be uploaded. */
  async sent(options: Partial<WorkdirOptions> = {}): Promise<readonly string[]> {
    const { select } = await this.select(options)
    return (await scanTree(this.path, select)).paths
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
