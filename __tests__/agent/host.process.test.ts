/** What needs a real host: its limits, and running as the first process of a container. Needs root on Linux. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { AGENT_DONE, AGENT_REPLACE } from '../../src/wire/machine.ts'
import { Deployment } from './kit.ts'

const root = process.platform === 'linux' && process.getuid?.() === 0
const group = root ? makeGroup() : undefined
const whereRoot = root ? test : test.skip
const whereGroups = group ? test : test.skip

afterAll(() => {
  if (group) rmdirSync(group)
})

describe('a machine that is too small', () => {
  whereGroups('in memory: the cause is named, with limit and peak; retried only if asked', async () => {
    const hungry = 'python3 -c "\nwhile True: x = (x if \'x\' in dir() else []) + [bytearray(10 << 20)]\n"'
    await using task = await Deployment.make({ script: hungry, retry: { retries: 1, retryOn: ['oom'] } })
    const agent = await task.agent({}, ['sh', '-c', 'echo $$ > "$0/cgroup.procs"; exec "$@"', group ?? ''])
    expect(await agent.ended).toBe(AGENT_DONE)
    const record = await task.slot()
    expect(record).toMatchObject({ state: 'failed', cause: 'out-of-memory', exitCode: 137, retried: 1 })
    expect(record.reason).toMatch(/^out of memory \(limit 210 MB, peak \d+ MB\)$/)
  })

  whereRoot('on disk: the cause is named, and what there is is saved', async () => {
    const disk = await mkdtemp(join(tmpdir(), 'tpi-small-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk])
    try {
      await using task = await Deployment.make({ script: 'echo some > keep; head -c 20000000 /dev/zero > big' })
      expect(await (await task.agent({ disk })).ended).toBe(AGENT_DONE)
      expect(await task.slot()).toMatchObject({ state: 'failed', cause: 'disk-full', reason: 'disk full (exit code 1)' })
      expect(await task.head()).toMatchObject({ keep: 'some\n' })
    } finally {
      execFileSync('umount', ['-l', disk])
      await rm(disk, { recursive: true })
    }
  })
})

describe('the first process of a container', () => {
  const unshare = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
  const ORPHANS =
    '(sleep 0.1 &); (sleep 0.1 &); sleep 0.5; while grep -qs "^State:.Z" /proc/[0-9]*/status; do sleep 0.1; done; echo no zombies'

  whereRoot('leaves no zombies, and ends with the agent’s own code', async () => {
    await using task = await Deployment.make({ script: ORPHANS })
    expect(await (await task.agent({}, unshare)).ended).toBe(AGENT_DONE)
    expect(await task.log('script')).toBe('no zombies\n')
  })

  whereRoot('takes SIGTERM for a reclaim', async () => {
    await using task = await Deployment.make({ script: 'trap "exit 0" TERM; echo ready; while :; do sleep 0.05; done' })
    const agent = await task.agent({}, unshare)
    await task.untilReady()
    const first = execFileSync('pgrep', ['-P', String(agent.child.pid)], { encoding: 'utf8' }).trim()
    process.kill(Number(first), 'SIGTERM')
    expect(await agent.ended).toBe(AGENT_REPLACE)
    expect(await task.slot()).toMatchObject({ state: 'interrupted', released: true })
  })
})

/** A cgroup with little memory, in the hierarchy that this host has. */
function makeGroup(): string | undefined {
  for (const [tree, limit] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ] as const) {
    const folder = join(tree, `tpi-test-${process.pid}`)
    if (!existsSync(join(tree, 'cgroup.procs'))) continue
    try {
      mkdirSync(folder)
      writeFileSync(join(folder, limit), '209715200')
      return folder
    } catch {
      if (existsSync(folder)) rmdirSync(folder)
    }
  }
  return undefined
}
