/** The scripts that GitHub's runner program runs around each job: they report it, and run the user's own. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { RunnerContext } from '../../src/agent/machine-context.ts'
import { jobsIn } from '../../src/agent/runner/jobs.ts'
import { configureRunner } from '../../src/agent/runner/program.ts'
import { program } from '../../src/forges/github/program.ts'

const STARTED = 'ACTIONS_RUNNER_HOOK_JOB_STARTED'
const COMPLETED = 'ACTIONS_RUNNER_HOOK_JOB_COMPLETED'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "tpi-hooks-it's-"))
  mkdirSync(join(place, 'run'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

/** The hooks of a runner whose environment names these. */
async function hooks(given: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const machine = { ...program, files: [], stale: [] }
  const context = { config: { home: place }, folders: { run: join(place, 'run') }, spec: { runner: { machine } } }
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

  test('one of PowerShell is run by that', async () => {
    const path = own('before.ps1', '')
    mkdirSync(join(place, 'bin'))
    own('bin/pwsh', '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 5\n', 0o755)
    const { code, out } = ran((await hooks({ [STARTED]: path }))[STARTED], { PATH: `${join(place, 'bin')}:${process.env['PATH']}` })
    expect([code, out.split('\n').slice(1)]).toEqual([5, ['-command', `. '${path.replaceAll("'", "''")}'`, '']])
  })
})
