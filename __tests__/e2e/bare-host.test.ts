/** The built command line in a job in a small container: the oldest and the newest supported Node.js, a shell, and nothing else on PATH. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { leaks } from '../lab/leaks.ts'
import { nodeProgram } from '../lab/npm-package.ts'
import { DIST } from '../lab/step-runner.ts'
import { until } from '../setup/wait.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tpi-bare-'))
  for (const name of ['bin', 'project', 'user']) mkdirSync(join(root, name))
  symlinkSync('/bin/sh', join(root, 'bin/sh'))
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

const home = (): string => join(root, 'tpi-home')

function tpi(node: string, ...words: string[]) {
  const env = {
    PATH: join(root, 'bin'),
    HOME: join(root, 'user'),
    TPI_HOME: home(),
    TPI_LEASE_BEAT: '500ms',
    TPI_LEASE_TTL: '3s',
    GITLAB_CI: 'true',
    CI_PROJECT_PATH: 'group/project',
    CI_PIPELINE_ID: '7',
    CI_JOB_NAME: 'train',
    CI_SERVER_HOST: 'gitlab.example',
  }
  const { status, stdout, stderr } = spawnSync(node, [join(DIST, 'cli.js'), ...words], {
    cwd: join(root, 'project'),
    env,
    encoding: 'utf8',
  })
  return { status, text: stdout + stderr }
}

describe.each(['22.15.0', '24.9.0'])('Node.js %s, a shell, and nothing else', (version) => {
  test('runs a task in a checkout, with values, report and results', async () => {
    const node = await nodeProgram(version)
    expect(tpi(node, '--version').text).toContain(`Node.js ${version}`)
    // A checkout on a host without git: ignored files are still not uploaded.
    mkdirSync(join(root, 'project/.git'))
    writeFileSync(join(root, 'project/.git/HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(root, 'project/.gitignore'), 'big\n')
    writeFileSync(join(root, 'project/big'), 'stays')
    writeFileSync(join(root, 'project/train.sh'), '#!/bin/sh\n[ -e big ] && exit 3\necho "loss=0.5" >> "$TPI_OUTPUT"\necho x > result\n')
    const files = ['--outputs-file', 'tpi.env', '--report', 'tpi.md']
    const run = tpi(node, 'task', '--workdir', '.', '--output', 'result', '--script-file', 'train.sh', ...files)
    expect(run).toEqual({ status: 0, text: expect.stringContaining('success') })
    expect(readFileSync(join(root, 'project/result'), 'utf8')).toBe('x\n')
    expect(readFileSync(join(root, 'project/tpi.env'), 'utf8')).toContain('TPI_OUT_LOSS=0.5\n')
    expect(readFileSync(join(root, 'project/tpi.md'), 'utf8')).toContain('### ✅ ')
    expect(await leaks(home())).toEqual([])
  })

  test('stops, shows, collects and removes what a job left', async () => {
    const node = await nodeProgram(version)
    const script = 'echo 1 > kept; echo ready; while :; do :; read -r line < /dev/zero; done'
    const started = tpi(node, 'task', '--name', 'long', '--output', 'kept', '--output-dir', 'here', '--detach', '--', 'sh', '-c', script)
    expect(started.status).toBe(0)
    await until('it is at work', () => tpi(node, 'logs', 'long').text.includes('ready'))
    for (const words of [['list'], ['status', 'long'], ['plan', '--name', 'other', '--', 'sh'], ['doctor'], ['sweep'], ['stop', '--mine']])
      expect([words, tpi(node, ...words)]).toEqual([words, { status: 0, text: expect.any(String) }])
    expect(tpi(node, 'logs', 'long').text).toContain('ready')
    expect(tpi(node, 'status', 'long').text).toContain('stopped')
    expect(tpi(node, 'collect', 'long').status).toBe(130)
    expect(existsSync(join(root, 'project/here/kept'))).toBe(true)
    expect(tpi(node, 'destroy', 'long', '--discard').status).toBe(0)
    expect(await leaks(home())).toEqual([])
  })
})

test('the same job finds its run again, whatever the first one has written into the folder', async () => {
  const node = await nodeProgram('24.9.0')
  const words = ['--workdir', '.', '--outputs-file', 'tpi.env', '--report', 'tpi.md', '--', 'sh', '-c', 'read -r line < /dev/zero']
  for (const how of ['false', 'true']) {
    const { status, text } = tpi(node, 'task', '--wait', '1s', ...words)
    expect({ status, text }).toEqual({ status: 75, text: expect.stringMatching(/still (runs|has no machine)/) })
    expect(readFileSync(join(root, 'project/tpi.env'), 'utf8')).toContain(`TPI_OUT_ATTACHED=${how}\n`)
    expect(existsSync(join(root, 'project/tpi.md'))).toBe(true)
  }
  expect(tpi(node, 'destroy', '--mine', '--discard').status).toBe(0)
  expect(await leaks(home())).toEqual([])
})

test('a Node.js that is too old says so in one line', async () => {
  // As if no other Node.js were installed beside it.
  cpSync(DIST, join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  const { status, stdout, stderr } = spawnSync(await nodeProgram('20.18.0'), [join(root, 'dist/cli.js'), 'list'], {
    encoding: 'utf8',
    env: { HOME: root },
  })
  const text = stdout + stderr
  const remedy = '(a package "node" beside it will do: npm install node@24)'
  expect({ status, text }).toEqual({ status: 64, text: `tpi: needs Node.js 22.15 or newer, this is 20.18.0 ${remedy}\n` })
})

test('without the shell that a program needs, the program fails, not the command', async () => {
  const node = await nodeProgram('24.9.0')
  rmSync(join(root, 'bin/sh'))
  writeFileSync(join(root, 'project/train'), '#!/no/such/shell\n')
  chmodSync(join(root, 'project/train'), 0o755)
  expect(tpi(node, 'task', '--script-file', 'train').status).toBe(127)
})
