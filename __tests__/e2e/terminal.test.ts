/** The command line in a real terminal (tmux), also over ssh, and the same output in a pipe. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { startDelayProxy } from '../lab/delay-proxy.ts'
import { nodeProgram } from '../lab/npm-package.ts'
import { startVersitygw } from '../lab/versitygw.ts'
import { until } from '../setup/wait.ts'
import { overSsh } from './ssh.ts'

const CLI = join(import.meta.dirname, '../../dist/cli.js')
/** A tmux server of our own: these tests may run twice on a host at the same time. */
const SOCKET = `tpi-test-${process.pid}`
const root = mkdtempSync(join(tmpdir(), 'tpi-terminal-'))
let home: string
let count = 0

// Commands run here: they must not upload this repository, in which other suites mount things.
beforeAll(() => mkdirSync(join(root, 'work')))
beforeEach(() => {
  home = join(root, `home-${(count += 1)}`)
})
afterAll(() => {
  spawnSync('tmux', ['-L', SOCKET, 'kill-server'])
  for (const folder of [root, sshKeys]) rmSync(folder, { recursive: true, force: true })
})

function tmux(...words: string[]): string {
  return execFileSync('tmux', ['-L', SOCKET, ...words], { encoding: 'utf8' })
}

interface Sitting {
  screen(): string
  /** Everything that was ever sent to it. */
  recorded(): string
  keys(...keys: string[]): void
}

/** Starts `tpi …` in a terminal of its own; its exit code is printed afterwards. `way`: words before the shell, which lead to another host. */
function start(command: string, { environment = '', node = process.execPath, way = '' } = {}): Sitting {
  const name = `s${count}`
  const script = join(root, `${name}.sh`)
  writeFileSync(
    script,
    `trap : INT\nunset CI\nexport TPI_HOME=${home}\n${environment}${node} ${CLI} ${command}\necho "exit code <$?>"\nsleep 600\n`,
  )
  const record = join(root, `${name}.out`)
  tmux('new-session', '-d', '-c', join(root, 'work'), '-s', name, '-x', '100', '-y', '40', `${way} sh ${script}`)
  tmux('pipe-pane', '-t', name, `cat > ${record}`)
  return {
    screen: () => tmux('capture-pane', '-p', '-t', name),
    recorded: () => (existsSync(record) ? readFileSync(record, 'utf8') : ''),
    keys: (...keys) => void tmux('send-keys', '-t', name, ...keys),
  }
}

function tpi(...words: string[]): { code: number | null; out: string } {
  const ran = spawnSync(process.execPath, [CLI, ...words], {
    cwd: join(root, 'work'),
    encoding: 'utf8',
    env: { ...process.env, TPI_HOME: home },
  })
  return { code: ran.status, out: ran.stdout }
}

/** Over ssh its process is no child of ours. */
function commandRuns(name: string): boolean {
  return spawnSync('pgrep', ['-f', '--', `--name ${name} `]).status === 0
}

const DRAWN = '\\u001b\\[\\?7l.*?\\u001b\\[\\?7h'
const ERASED = '\\r?(?:\\u001b\\[\\d+A)?\\u001b\\[J|\\u001b7\\u001b\\[\\d+;1H\\u001b\\[2K\\u001b8'

/** Gaps without a status line: how many characters a terminal gets each time from erasing the line to drawing it again. */
function withoutLine(stream: string): number[] {
  const gaps: number[] = []
  let gone: number | undefined
  for (const { 0: act, index } of stream.matchAll(new RegExp(`${DRAWN}|${ERASED}`, 'gs'))) {
    if (!act.endsWith('h')) gone ??= index
    else if (gone !== undefined) {
      gaps.push(index - gone)
      gone = undefined
    }
  }
  return gaps
}

const BAR = join(root, 'bar.sh')
writeFileSync(BAR, 'for i in $(seq 1 200); do printf "\\rprogress %d%%" $i; sleep 0.1; done; echo; echo finished\n')

const sshKeys = mkdtempSync(join(tmpdir(), 'tpi-ssh-'))
const ssh = overSsh(sshKeys)
/** Where a user may be: at this host, or over ssh, where a command starts in its user's home without our environment variables. */
const WAYS: readonly (readonly [string, string])[] = [['at this host', ''], ...(ssh === undefined ? [] : [['over ssh', ssh] as const])]

describe('in a terminal', () => {
  test('a progress bar is redrawn in one line, and the status line stays below it', async () => {
    const { screen } = start(`task --name bar -- sh ${BAR}`)
    await until('it has moved on', () => Number(/progress (\d+)%/.exec(screen())?.[1] ?? 0) > 30, 30_000)
    expect(screen().match(/progress/g)).toHaveLength(1)
    expect(screen().trimEnd().split('\n').at(-1)).toMatch(/^bar: running · /)
    expect(tpi('destroy', 'bar', '--discard').code).toBe(0)
  })

  test.each(WAYS)(
    '%s the status line stays visible while megabytes scroll above it, whatever happens to the window, and leaves no traces in them',
    async (_, way) => {
      const flood = join(root, 'flood.sh')
      writeFileSync(flood, `awk 'BEGIN { for (i = 1; i <= 400000; i++) printf "n %07d 模型 %060d\\n", i, 0 }'\n`)
      const { screen, recorded } = start(`task --name flood --workdir none -- sh ${flood}`, { way })
      await until('it floods', () => screen().includes('模型'), 60_000)
      tmux('resize-window', '-t', `s${count}`, '-x', '90', '-y', '20')
      await until('it has ended', () => screen().includes('exit code <0>'), 60_000)
      const history = tmux('capture-pane', '-p', '-S', '-', '-t', `s${count}`).split('\n')
      const numbers = history.flatMap((line) => /^n (\d{7}) 模型 0{60}$/.exec(line)?.[1] ?? [])
      expect(numbers.at(-1)).toBe('0400000')
      expect(numbers.map(Number)).toEqual(numbers.map((_, at) => 400_000 - numbers.length + 1 + at))
      expect(history.filter((line) => line.includes('flood: running'))).toEqual([])
      const missing = withoutLine(recorded())
      expect(missing.length).toBeGreaterThan(1)
      expect(Math.max(...missing)).toBeLessThan(10_000)
    },
  )

  test('the first Ctrl-C detaches, says what keeps running and how to stop it, and leaves no status line behind', async () => {
    const { screen, keys } = start(`task --name once --workdir none --script 'while :; do echo line; sleep 0.2; done'`)
    await until('it runs', () => screen().includes('once: running') && screen().includes('memory'))
    keys('C-c')
    await until('it has said so', () => screen().includes('tpi stop once'))
    await until('it has left', () => screen().includes('exit code <75>'))
    expect(screen()).not.toContain('once: running')
    expect(JSON.parse(tpi('status', 'once', '--json').out)).toMatchObject({ state: 'running' })
    expect(tpi('destroy', 'once', '--discard').code).toBe(0)
  })

  test.each(['2> log', '2>&1 | cat', '--quiet 2> log'])('so it does if our own lines go elsewhere: %s', async (elsewhere) => {
    const { screen, keys } = start(
      `task --name away --script 'while :; do echo line; sleep 0.2; done' ${elsewhere.replace('log', join(root, 'log'))}`,
    )
    await until('it runs', () => screen().includes('line'), 30_000)
    keys('C-c')
    await until('it has said so', () => screen().includes('tpi stop away'), 30_000)
    expect(screen()).toContain('Ctrl-C again within 5 s stops it')
    await until('it has left', () => screen().includes('exit code <'), 30_000)
    expect(JSON.parse(tpi('status', 'away', '--json').out)).toMatchObject({ state: 'running' })
    expect(tpi('destroy', 'away', '--discard').code).toBe(0)
  })

  test('in CI, Ctrl-C stops if our own lines go elsewhere, as nobody sits there', async () => {
    const { screen, keys } = start(`task --name ci --script 'while :; do echo line; sleep 0.2; done' 2> ${join(root, 'log')}`, {
      environment: 'CI=true ',
    })
    await until('it runs', () => screen().includes('line'), 30_000)
    keys('C-c')
    await until('it has left', () => screen().includes('exit code <130>'), 60_000)
    await until('its machine has ended', () => JSON.parse(tpi('status', 'ci', '--json').out).state === 'stopped')
    expect(tpi('destroy', 'ci', '--discard').code).toBe(0)
  })

  test('a second Ctrl-C within five seconds stops it', async () => {
    const { screen, recorded, keys } = start(`task --name twice -- sh ${BAR}`)
    await until('it runs', () => screen().includes('progress'))
    keys('C-c')
    // A look at the screen takes a process, and the five seconds go on.
    await until('it has said so', () => recorded().includes('within 5 s'))
    // As soon as a person could: what comes at once counts as an echo.
    await sleep(500)
    keys('C-c')
    await until('it has stopped', () => screen().includes('exit code <130>'))
    expect(JSON.parse(tpi('status', 'twice', '--json').out)).toMatchObject({ state: 'stopped', outcome: 'stopped', exitCode: 130 })
    expect(tpi('destroy', 'twice', '--discard').code).toBe(0)
  })

  test.each(WAYS)('%s a terminal that goes away leaves the task running', async (_, way) => {
    const name = `hup-${process.pid}`
    const { screen } = start(`task --name ${name} --workdir none --script 'while :; do echo progress; sleep 0.2; done'`, { way })
    await until('it runs', () => screen().includes('progress'))
    tmux('kill-session', '-t', `s${count}`)
    await until('the command has ended', () => !commandRuns(name))
    expect(JSON.parse(tpi('status', name, '--json').out)).toMatchObject({ state: 'running' })
    expect(tpi('destroy', name, '--discard').code).toBe(0)
  })
})

/** The percentages of a transfer that the status line showed, in order. */
function percentages(recorded: string, what: string): number[] {
  const said = new RegExp(`${what}: [\\d.]+ k?M?B of 48 MB \\((\\d+) %\\), [\\d.]+ k?M?B/s, \\d+s left`, 'g')
  return [...recorded.matchAll(said)].map(([, percent]) => Number(percent))
}

test('over a slow connection each transfer is shown with total, rate and time left: upload, to the machine, from it, and results', async () => {
  const s3 = await startVersitygw()
  if (!s3) return expect(process.env['CI']).toBeUndefined()
  const line = await startDelayProxy(s3.gate, 10)
  try {
    const { url } = await s3.access('slow')
    line.setRate(6e6)
    mkdirSync(join(root, 'data'))
    writeFileSync(join(root, 'data/noise'), randomBytes(48e6))
    const { accessKeyId, secretAccessKey } = s3.credentials
    const environment = `export AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey} AWS_REGION=us-east-1 AWS_ENDPOINT_URL_S3=${line.endpoint}\n`
    const script = `'head -c 48000000 /dev/urandom > new'`
    const { screen, recorded } = start(
      `task --name slow --storage ${url} --workdir ${join(root, 'data')} --output new --script ${script}`,
      {
        environment,
      },
    )
    await until('it has ended', () => screen().includes('exit code <'), 110_000)
    expect(screen()).toContain('exit code <0>')
    for (const what of [
      'uploading the work directory',
      'the machine is fetching its files',
      'slow: saving its files',
      'fetching the results',
    ]) {
      const seen = percentages(recorded(), what)
      expect([what, seen]).toEqual([what, [...seen].sort((a, b) => a - b)])
      // What is in the system's own buffers counts as sent, and on this host that is a lot.
      expect([what, seen.some((percent) => percent > 20 && percent < 80)]).toEqual([what, true])
    }
  } finally {
    await line.stop()
    await s3.stop()
  }
})

test.each(['20.20.2', '22.15.0'])(
  'a terminal that goes away under an older Node.js (%s) leaves our last words as the last ones',
  async (version) => {
    const log = join(root, `log-${count}`)
    const name = `hup-${version.slice(0, 2)}-${process.pid}`
    start(`task --name ${name} --workdir none --script 'while :; do echo line; sleep 0.2; done' > ${log} 2>&1`, {
      node: await nodeProgram(version),
    })
    await until('it runs', () => existsSync(log) && readFileSync(log, 'utf8').includes('line'), 60_000)
    tmux('kill-session', '-t', `s${count}`)
    await until('all of it has ended', () => !commandRuns(name), 30_000)
    expect(readFileSync(log, 'utf8')).toMatch(/outcome: running, exit code 75\n$/)
    expect(tpi('destroy', name, '--discard').code).toBe(0)
  },
)

describe('in a pipe', () => {
  test('the same output is a handful of lines, the last state among them', () => {
    const begun = performance.now()
    const { code, out } = tpi('task', '--name', 'pipe', '--', 'sh', BAR)
    // One that is redrawn is shown now and then.
    const shown = Math.floor((performance.now() - begun) / 15_000)
    const lines = out.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(lines.length).toBeLessThanOrEqual(3 + shown)
    expect(lines.slice(-2)).toEqual(['progress 200%', 'finished'])
    expect(out).not.toContain('\r')
  })

  test('if its reader goes away, the task goes on without the command', async () => {
    const command = `task --name head -- sh -c "echo begins; sleep 1; while :; do echo more; sleep 0.1; done"`
    writeFileSync(
      join(root, 'head.sh'),
      `{ ${process.execPath} ${CLI} ${command}; echo "exit code $?" > ${root}/head.part; mv ${root}/head.part ${root}/head.code; } 2>&1 | grep -m1 begins\n`,
    )
    const ran = spawnSync('sh', [join(root, 'head.sh')], { encoding: 'utf8', env: { ...process.env, TPI_HOME: home } })
    expect(ran.stdout).toBe('begins\n')
    await until('the command has ended', () => existsSync(join(root, 'head.code')))
    expect(readFileSync(join(root, 'head.code'), 'utf8')).toBe('exit code 75\n')
    expect(JSON.parse(tpi('status', 'head', '--json').out)).toMatchObject({ state: 'running', slots: [{ attempt: 1 }] })
    expect(tpi('destroy', 'head', '--discard').code).toBe(0)
  })
})
