/** The template for GitLab, run by gitlab-ci-local in its shell executor with the built command line. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { GitlabDouble } from '../../lab/gitlab/double.ts'
import { type PipelineEnd, type PipelineLab, pipelineLab } from '../../lab/gitlab-ci.ts'
import { leaks } from '../../lab/leaks.ts'
import { DIST } from '../../lab/step-runner.ts'
import { until } from '../../setup/wait.ts'
import { processesOf } from '../../storm/processes.ts'

const ROOT = join(import.meta.dirname, '../../..')
let lab: PipelineLab

beforeEach(() => {
  lab = pipelineLab()
})
afterEach(() => lab.remove())

const home = (): string => join(lab.root, 'tpi-home')

/** `train`: what the project adds to the template's job. */
function write(script: string, options = '', more: { readonly inputs?: object; readonly train?: object } = {}): void {
  writeFileSync(join(lab.folder, 'train.sh'), script)
  const inputs = { job: 'train', tpi: `node ${join(DIST, 'cli.js')}`, 'script-file': 'train.sh', options, ...more.inputs }
  const use = { stage: 'deploy', needs: ['train'], script: ['echo "later $TPI_OUT_ACCURACY $TPI_OUT_OUTCOME $(cat results/a)"'] }
  lab.commit({ include: [{ component: lab.component('task'), inputs }], use, ...(more.train ? { train: more.train } : {}) })
}

const pipeline = async (...jobs: string[]): Promise<PipelineEnd> =>
  lab.run({ TPI_HOME: home(), TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '3s', TPI_RUNNER_REST: '3s' }, ...jobs)

/** Kills the command line once its program runs. */
async function killOnceItTicks(): Promise<void> {
  await until('the command runs its program', async () => {
    const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n')
    const mine = lines.find(
      (line) => line.includes(`${join(DIST, 'cli.js')} task`) && line.includes('--timeout 1h') && /^\s*\d+ node /.test(line),
    )
    const works = processesOf(home()).some(({ role }) => role === 'script')
    if (!mine || !works) return false
    process.kill(Number.parseInt(mine, 10), 'SIGKILL')
    return true
  })
}

describe('the template for runners', () => {
  test('starts them for the jobs that follow; a token without the right is refused at once, and nothing is left', async () => {
    const forge = await new GitlabDouble().start()
    const start = async (token: string): Promise<PipelineEnd> => {
      const inputs = {
        tpi: `env REPO_TOKEN=${token} GITLAB_RUNNER_DOWNLOADS=${forge.url}/downloads node ${join(DIST, 'cli.js')}`,
        cloud: 'local',
        labels: 'gpu',
        'idle-timeout': '5m',
        options: `--forge-url ${forge.url} --repository octo/hello`,
      }
      lab.commit({ include: [{ component: lab.component('runner'), inputs }] })
      return pipeline('start-runner')
    }
    try {
      const denied = await start('reader')
      expect(denied.code).not.toBe(0)
      expect(denied.text).toContain('lacks "create_runner"')
      expect(forge.made).toBe(0)
      const { code, text } = await start('good')
      expect(text).toContain('serves 1 job; further jobs with this label wait')
      expect(code).toBe(0)
      expect(readFileSync(join(lab.folder, 'tpi.env'), 'utf8')).toMatch(/^TPI_OUT_LABEL=tpi-[0-9a-f]{16}$/m)
      const job = forge.push(['gpu'], 'echo served')
      await until('the job is served', () => job.status === 'success', 30_000)
      await until('the last machine has removed the object', () => forge.runners.size === 0, 30_000)
    } finally {
      await forge.stop()
    }
  })
})

test('the example runs unchanged', async () => {
  cpSync(join(ROOT, 'examples/gitlab'), lab.folder, { recursive: true })
  // The example's npx call runs the built command line.
  mkdirSync(join(lab.root, 'bin'))
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes @iterative/tpi-action@1" ] || exit 9\nshift 2\nexec node ${join(DIST, 'cli.js')} "$@"\n`
  writeFileSync(join(lab.root, 'bin/npx'), npx, { mode: 0o755 })
  lab.commit()
  const { code, text } = await pipeline()
  expect(text).toContain('success with loss 0.9, 10 epochs')
  expect(code).toBe(0)
  expect(readFileSync(join(lab.folder, 'tpi.md'), 'utf8')).toContain('**10 epochs**')
  expect(await leaks(home())).toEqual([])
})

describe('the template', () => {
  test('runs the program; a later job has its values and files', async () => {
    write('#!/bin/sh\nmkdir -p results; echo x > results/a; echo "accuracy=0.5" >> "$TPI_OUTPUT"; echo "## Scores" >> "$TPI_SUMMARY"\n')
    const { code, text } = await pipeline()
    expect(text).toContain('later 0.5 success x')
    expect(text).not.toContain('CI_PROJECT_DIR')
    expect(code).toBe(0)
    // gitlab-ci-local reads the markers of collapsible sections like GitLab.
    expect(text).toContain('tpi_1_started')
    const values = readFileSync(join(lab.folder, 'tpi.env'), 'utf8')
    expect(values).toMatch(/^TPI_OUT_ID=tpi-5-train-[0-9a-f-]+$/m)
    expect(readFileSync(join(lab.folder, 'tpi.md'), 'utf8')).toContain('## Scores')
    expect(await leaks(home())).toEqual([])
  })

  test('fails with the program; report and values are there all the same', async () => {
    write('#!/bin/sh\necho broken; exit 9\n')
    const { code, text } = await pipeline('train')
    expect(code).not.toBe(0)
    expect(text).toContain('exit code 9')
    expect(readFileSync(join(lab.folder, 'tpi.env'), 'utf8')).toContain('TPI_OUT_EXIT_CODE=9\n')
    expect(readFileSync(join(lab.folder, 'tpi.md'), 'utf8')).toContain('broken')
    expect((await leaks(home())).filter((line) => line.startsWith('process'))).toEqual([])
  })

  test('stops what a killed job left, if after_script finds no outcome', async () => {
    write('#!/bin/sh\nmkdir -p results; while :; do date > results/a; echo tick; sleep 0.2; done\n', '--timeout 1h')
    const killer = killOnceItTicks()
    const [{ text }] = await Promise.all([pipeline('train'), killer])
    expect(text).toMatch(/asked \S+ to stop/)
    expect((await leaks(home())).filter((line) => line.startsWith('process'))).toEqual([])
  })

  // There is no GitLab here to issue a token. It is given as a variable, which is how a job sees it.
  test('asks for an OpenID Connect token for the audience; a before_script gets it, but not the program, and no kept file contains it', async () => {
    const token = 'canary-of-the-identity'
    const login = { before_script: ['echo "logged in with a token of $(printf %s "$TPI_ID_TOKEN" | wc -c)"'] }
    const inputs = { audience: 'https://sts.example.org' }
    // It fails, so that all its files are kept.
    write('#!/bin/sh\nmkdir -p results; env > results/a; echo "saw ${TPI_ID_TOKEN:-no token}"; exit 9\n', '', { inputs, train: login })
    const shown = await pipeline('--preview')
    const { train } = parse(shown.text.slice(shown.text.indexOf('---'))) as { train: { id_tokens: object } }
    expect(train.id_tokens).toEqual({ TPI_ID_TOKEN: { aud: 'https://sts.example.org' } })

    const { text } = await pipeline('--variable', `TPI_ID_TOKEN=${token}`, 'train')
    for (const line of [`logged in with a token of ${token.length}`, 'saw no token', 'exit code 9']) expect(text).toContain(line)
    expect(readFileSync(join(lab.folder, 'results/a'), 'utf8')).toContain('TPI_INDEX=0')
    const keeps = spawnSync(
      'grep',
      ['-rl', token, home(), join(lab.folder, 'results'), join(lab.folder, 'tpi.md'), join(lab.folder, 'tpi.env')],
      {
        encoding: 'utf8',
      },
    )
    expect([keeps.status, keeps.stdout]).toEqual([1, ''])
  })
})
