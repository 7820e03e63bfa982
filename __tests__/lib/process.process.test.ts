import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from '@jest/globals'
import { ageOf, findMarked, identify, isAlive, killMarked, type ProcessId, signalGroup, signalProcess } from '../../src/lib/process.ts'

const started: ProcessId[] = []

/** Runs shell text that prints pids, one a line; resolves to their processes once `count` lines have come. */
async function shell(text: string, env: Record<string, string>, count = 1): Promise<ProcessId[]> {
  const child = spawn('/bin/sh', ['-c', text], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  let out = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    out += chunk
    if (out.split('\n').length > count) break
  }
  child.unref()
  const ids = out
    .trim()
    .split('\n')
    .map((pid) => identify(Number(pid)))
  for (const id of ids) if (id) started.push(id)
  return ids.map((id) => id!)
}

afterEach(() => {
  for (const id of started.splice(0)) signalProcess(id, 'SIGKILL')
})

const mark = (): string => `m-${process.pid}-${Math.random().toString(36).slice(2)}`

function stateOf(pid: number): string {
  try {
    return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? 'unknown'
  } catch {
    return 'none'
  }
}

describe('identity', () => {
  test('a living process is itself, with another start time it is not', () => {
    const me = identify(process.pid)!
    expect(isAlive(me)).toBe(true)
    expect(isAlive({ ...me, start: `${me.start}0` })).toBe(false)
  })

  test('no process, no identity', () => {
    expect(identify(0x7fffffff)).toBeUndefined()
  })

  test('a zombie is not alive', async () => {
    // The shell never waits for its child, so the killed child stays a zombie.
    const [zombie] = await shell('sleep 60 >&2 & echo $!; exec sleep 60 >&2', {})
    expect(signalProcess(zombie!, 'SIGKILL')).toBe(true)
    while (isAlive(zombie!)) await new Promise((resolve) => setTimeout(resolve, 5))
    // If the caller ignored SIGCHLD, as its children then do, the kernel leaves no zombie at all.
    expect(['Z', 'none']).toContain(stateOf(zombie!.pid))
    expect(identify(zombie!.pid)).toBeUndefined()
  })

  test('a command name full of parentheses and spaces causes no confusion', async () => {
    const child = spawn(process.execPath, ['-e', 'process.title = ") S 1 (x) 9 "; console.log(1); setInterval(() => {}, 1000)'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child.stdout, 'data')
    const id = identify(child.pid!)!
    started.push(id)
    expect(id.start).toMatch(/-\d+$/)
    expect(isAlive(id)).toBe(true)
  })

  test('it is as old as its start; one that is gone has no age', () => {
    expect(ageOf(process.pid)! / 1000).toBeCloseTo(process.uptime(), -1)
    expect(ageOf(0x7fffffff)).toBeUndefined()
  })

  test('signalling a group that is gone reports that', async () => {
    const [leader] = await shell('echo $$; exec sleep 60 >&2', {})
    expect(signalGroup(leader!.pid, 'SIGKILL')).toBe(true)
    while (isAlive(leader!)) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(() => signalGroup(1, 'SIGKILL')).toThrow(RangeError)
  })
})

describe('marks', () => {
  test('finds exactly the processes with the mark', async () => {
    const mine = mark()
    const [one] = await shell('echo $$; exec sleep 60 >&2', { TPI_TEST_MARK: mine })
    await shell('echo $$; exec sleep 60 >&2', { TPI_TEST_MARK: `${mine}x` })
    await shell('echo $$; exec sleep 60 >&2', { NOT_TPI_TEST_MARK: mine })
    expect(findMarked('TPI_TEST_MARK', mine)).toEqual([one])
    expect(findMarked('TPI_TEST_MARK', mark())).toEqual([])
  })

  test('kills marked processes, also those that left the session or emptied their environment, and nothing else', async () => {
    const mine = mark()
    const marked = await shell(
      `echo $$; env -i sh -c 'echo $$; exec sleep 60 >&2' & setsid sh -c 'echo $$; exec sleep 60 >&2' & (trap '' TERM; sleep 60 >&2) & exec sleep 60 >&2`,
      { TPI_TEST_MARK: mine },
      3,
    )
    const [other] = await shell('echo $$; exec sleep 60 >&2', { TPI_TEST_MARK: `${mine}x` })
    await killMarked('TPI_TEST_MARK', mine)
    expect(marked.map(isAlive)).toEqual([false, false, false])
    expect(findMarked('TPI_TEST_MARK', mine)).toEqual([])
    expect(isAlive(other!)).toBe(true)
  })

  test('wins against a program that keeps forking', async () => {
    const mine = mark()
    await shell(`echo $$; f() { sleep 0.01; f & }; f & f & wait; sleep 60`, { TPI_TEST_MARK: mine })
    await killMarked('TPI_TEST_MARK', mine)
    expect(findMarked('TPI_TEST_MARK', mine)).toEqual([])
  })

  test('wins against one whose processes live shorter than a look takes, many times over', async () => {
    for (let round = 0; round < 20; round++) {
      const mine = mark()
      await shell('echo $$; f() { f & }; f & sleep 60', { TPI_TEST_MARK: mine })
      await killMarked('TPI_TEST_MARK', mine)
      expect(findMarked('TPI_TEST_MARK', mine)).toEqual([])
    }
  })

  test('spares itself and its ancestors, unless ancestors are requested', async () => {
    const script = `
      const { killMarked, identify } = await import(process.argv[1])
      await killMarked('TPI_TEST_MARK', process.env.TPI_TEST_MARK, { ancestors: process.argv[2] === 'yes' })
      console.log(process.ppid, process.pid)
      setInterval(() => {}, 1000)`
    for (const ancestors of ['no', 'yes']) {
      const mine = mark()
      const module = new URL('../../src/lib/process.ts', import.meta.url).href
      const env = { TPI_TEST_MARK: mine, NODE: process.execPath, SCRIPT: script, MODULE: module, ANCESTORS: ancestors }
      const [shellPid] = await shell(`echo $$; "$NODE" --input-type=module -e "$SCRIPT" "$MODULE" "$ANCESTORS"; sleep 60 >&2`, env, 2)
      const left = findMarked('TPI_TEST_MARK', mine)
      started.push(...left)
      expect(left.some((id) => id.pid === shellPid?.pid)).toBe(ancestors === 'no')
      expect(left.length).toBe(ancestors === 'no' ? 2 : 1)
    }
  })
})
