/** The scripts that GitHub's runner program runs around each job: they report it, and run the user's own. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { RunnerContext } from '../../src/agent/machine-context.ts'
import { jobsIn } from '../../src/agent/runner/jobs.ts'
import { configureRunner } from '../../src/agent/runner/program.ts'
import { program } from '../../src/forges/github/program.ts'
import type { OwnSystem } from '../../src/wire/machine.ts'

const STARTED = 'ACTIONS_RUNNER_HOOK_JOB_STARTED'
const COMPLETED = 'ACTIONS_RUNNER_HOOK_JOB_COMPLETED'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "tpi-hooks-it's-"))
  mkdirSync(join(place, 'run'))
  mkdirSync(join(place, 'runner'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

/** The hooks of a runner whose environment names these. */
async function hooks(given: Readonly<Record<string, string>> = {}, system?: OwnSystem): Promise<Record<string, string>> {
  const machine = { ...program, files: [], stale: [] }
  const context = { config: { home: place, system }, folders: { run: join(place, 'run') }, spec: { runner: { machine } } }
  return configureRunner(context as unknown as RunnerContext, {}, new Date().toISOString(), given)
}

/** Runs one as GitHub's runner does. */
function ran(path: string | undefined, env: Readonly<Record<string, string>> = {}): { code: number | null; out: string } {
  const all = { PATH: process.env['PATH'] ?? '', GITHUB_RUN_ID: '7', ...env }
  const { status, stdout } = spawnSync('bash', ['-e', path ?? ''], { env: all, encoding: 'utf8' })
  return { code: status, out: stdout }
}

function own(name: string, text: string, mode = 0o644): string {
  const path = join(place, name)
  writeFileSync(path, text, { mode })
  return path
}

const reported = () => jobsIn(readFileSync(join(place, 'run/jobs'), 'utf8'), 1)

test('report the beginning and the end of a job, and never fail it', async () => {
  const all = await hooks({ [STARTED]: '' })
  expect(ran(all[STARTED])).toEqual({ code: 0, out: expect.stringMatching(/^job started at /) })
  expect(reported()).toMatchObject([{ facts: { run: '7' } }])
  expect(reported()[0]).not.toHaveProperty('end')
  expect(ran(all[COMPLETED])).toEqual({ code: 0, out: '' })
  expect(reported()).toMatchObject([{ end: expect.any(String) }])
})

describe('if the user has some of their own', () => {
  test('these run, too, with the environment of the job, and a failure of theirs is one', async () => {
    const journal = join(place, 'run/jobs')
    const all = await hooks({
      [STARTED]: own('before.sh', 'echo "own $GITHUB_RUN_ID"; false; echo not reached\n'),
      [COMPLETED]: own('after.sh', `grep -c '^-' "${journal}" || true; exit 3\n`),
    })
    expect(ran(all[STARTED])).toEqual({ code: 1, out: expect.stringMatching(/^job started at .*\nown 7\n$/) })
    expect(reported()).toHaveLength(1)
    // Until it has ended, so has the job not.
    expect(ran(all[COMPLETED])).toEqual({ code: 3, out: '0\n' })
    expect(reported()).toMatchObject([{ end: expect.any(String) }])
  })

  test('one that does not exist fails the job, as it would without tpi', async () => {
    const all = await hooks({ [STARTED]: join(place, 'nowhere.sh') })
    expect(ran(all[STARTED]).code).not.toBe(0)
    expect(reported()).toHaveLength(1)
  })

  test('a command that fails inside a pipe is a failure of theirs, as it is without tpi', async () => {
    const all = await hooks({ [STARTED]: own('before.sh', 'false | true\n') })
    expect(ran(all[STARTED]).code).toBe(1)
  })

  test('one of PowerShell is run by that', async () => {
    const path = own('before.ps1', '')
    mkdirSync(join(place, 'bin'))
    own('bin/pwsh', '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 5\n', 0o755)
    const { code, out } = ran((await hooks({ [STARTED]: path }))[STARTED], { PATH: `${join(place, 'bin')}:${process.env['PATH']}` })
    expect([code, out.split('\n').slice(1)]).toEqual([5, ['-command', `. '${path.replaceAll("'", "''")}'`, '']])
  })
  test('one of JavaScript is run by the newest Node of the runner program that is for its machine', async () => {
    const path = own("it's.js", '')
    for (const version of ['node20', 'node20_alpine', 'node24', 'node24_alpine']) {
      mkdirSync(join(place, 'runner/externals', version, 'bin'), { recursive: true })
      own(`runner/externals/${version}/bin/node`, `#!/bin/sh\nprintf "%s\\n" ${version} "$@"\nexit 5\n`, 0o755)
    }
    const { code, out } = ran((await hooks({ [COMPLETED]: path }))[COMPLETED])
    expect([code, out]).toEqual([5, `node24\n${path}\n`])
  })
})

describe('if the file .env of the runner program names some, which replaces the environment', () => {
  const file = () => join(place, 'runner/.env')

  /** What GitHub's runner has in its environment when it has read the file: LoadAndSetEnv in its Program.cs. */
  function loaded(env: Readonly<Record<string, string>>): Record<string, string> {
    const pairs = readFileSync(file(), 'latin1')
      .split(/\r\n|\r|\n/)
      .filter((line) => line.indexOf('=') > 0)
    return { ...env, ...Object.fromEntries(pairs.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])) }
  }

  test('these run beside those of tpi, at each start, and everything else in it stays as it is', async () => {
    const before = Buffer.from(`LANG=C\r\n${STARTED}=${own('before.sh', 'echo own; exit 3\n')}\r\nODD=\xff=`, 'latin1')
    writeFileSync(file(), before, { mode: 0o640 })
    for (const start of [1, 2]) {
      const all = loaded(await hooks({ [STARTED]: '/replaced', [COMPLETED]: own('after.sh', 'exit 4\n') }))
      expect([start, ran(all[STARTED])]).toEqual([start, { code: 3, out: expect.stringMatching(/\nown\n$/) }])
      expect(ran(all[COMPLETED]).code).toBe(4)
      expect(reported()).toMatchObject([{ end: expect.any(String) }])
      expect(readFileSync(file(), 'latin1')).toBe(`${before.toString('latin1')}\n${STARTED}=${join(place, 'run/job-started.sh')}\n`)
    }
    expect(statSync(file()).mode & 0o777).toBe(0o640)
  })

  test('an empty value means none, and one that set-up has added since then counts', async () => {
    writeFileSync(file(), `${STARTED}=`)
    const given = { [STARTED]: '/replaced' }
    expect(ran(loaded(await hooks(given))[STARTED]).code).toBe(0)
    appendFileSync(file(), `${STARTED}=${own('later.sh', 'exit 7\n')}\n`)
    expect(ran(loaded(await hooks(given))[STARTED]).code).toBe(7)
    expect(reported()).toHaveLength(1)
  })

  test('a file without any, and what is no file, stay as they are', async () => {
    writeFileSync(file(), 'LANG=C')
    await hooks()
    expect(readFileSync(file(), 'utf8')).toBe('LANG=C')
    rmSync(file())
    spawnSync('mkfifo', [file()])
    await hooks()
    expect(statSync(file()).isFIFO()).toBe(true)
    for (const target of [join(place, 'runner/.env'), join(place, 'nowhere'), place]) {
      rmSync(file())
      symlinkSync(target, file())
      await hooks()
      expect(readlinkSync(file())).toBe(target)
    }
  })

  test('these count also if the file is a link, as they do for the program itself; what it leads to stays as it is', async () => {
    const text = `${STARTED}=${own('before.sh', 'echo own\n')}\n`
    const target = own('shared.env', text, 0o640)
    symlinkSync(target, file())
    const all = loaded(await hooks())
    expect(ran(all[STARTED])).toEqual({ code: 0, out: expect.stringMatching(/\nown\n$/) })
    expect(reported()).toHaveLength(1)
    expect([readFileSync(target, 'utf8'), lstatSync(file()).mode & 0o777]).toEqual([text, 0o640])
  })

  test('a link is not followed to what only the agent may read, if jobs have another user', async () => {
    const secret = own('secret', `${STARTED}=x\n`, 0o600)
    symlinkSync(secret, file())
    await hooks({}, { sudo: true })
    expect(readlinkSync(file())).toBe(secret)
  })
})
