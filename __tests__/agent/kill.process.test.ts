import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { findMarked, type ProcessId } from '../../src/lib/process.ts'
import { AGENT_DONE, AGENT_REPLACE } from '../../src/wire/machine.ts'
import { until } from '../setup/wait.ts'
import { faulty } from './faulty.ts'
import { Deployment } from './kit.ts'

/** Leaves a child in its own session, which a signal to the process group does not reach. */
const DAEMON = 'setsid sleep 300 & echo started > file; while :; do sleep 0.05; done'

describe('a process that dies', () => {
  test.concurrent('the agent: its script and the script’s daemons end, too; the slot is taken over', async () => {
    await using task = await Deployment.make({ script: `[ "$TPI_ATTEMPT" = 2 ] && { cat file; exit 0; }; ${DAEMON}` })
    const first = await task.agent()
    await task.untilSaved('file', 'started\n')
    first.child.kill('SIGKILL')
    await first.ended
    await until('all its processes have ended', () => processesOf(first.name).length === 0)
    const second = await task.agent()
    expect(await second.ended).toBe(AGENT_DONE)
    const record = await task.slot()
    expect(record).toMatchObject({ state: 'succeeded', epoch: 2 })
    expect(record.attempts).toMatchObject([{ cause: 'lost', reason: `machine ${first.name} went silent`, saved: true }, { cause: 'exit' }])
    expect(await task.log('script')).toBe('started\n')
  })

  test.concurrent('a machine known to be dead is not waited for', async () => {
    await using task = await Deployment.make({ script: '[ "$TPI_ATTEMPT" = 2 ] || sleep 600', lease: { ttl: 60_000 } })
    const first = await task.agent()
    await task.until((record) => record.phase === 'script')
    first.child.kill('SIGKILL')
    await first.ended
    expect(await task.inProcess({ dead: [first.name] }).ended).toBe(AGENT_DONE)
    expect((await task.slot()).attempts[0]).toMatchObject({ cause: 'lost', reason: `machine ${first.name} died` })
  })

  test.concurrent('the agent, started again under its name: no lease is waited for', async () => {
    await using task = await Deployment.make({ script: '[ "$TPI_ATTEMPT" = 2 ] || sleep 600', lease: { ttl: 60_000 } })
    const first = await task.agent()
    await task.until((record) => record.phase === 'script')
    first.child.kill('SIGKILL')
    await first.ended
    // Its guard would not tell the processes of the next one from those of the first.
    await until('all its processes have ended', () => processesOf(first.name).length === 0)
    expect(await task.inProcess({ name: first.name }).ended).toBe(AGENT_DONE)
    expect((await task.slot()).attempts).toMatchObject([{ cause: 'lost', reason: 'the agent was started again' }, { cause: 'exit' }])
  })

  test.concurrent('agent and guard: before anything is restored, the agent that is started again ends the earlier script and removes its files', async () => {
    const script = '[ "$TPI_ATTEMPT" = 2 ] && { cat file; exit 0; }; echo kept > file; : > "$TMPDIR/left"; while :; do sleep 0.05; done'
    await using task = await Deployment.make({ script, lease: { ttl: 60_000 } })
    const first = await task.agent()
    await task.untilSaved('file', 'kept\n')
    const left = join(first.home, 'tmp/left')
    await until('its temporary file is there', () => existsSync(left))
    // Stopped first, so that it does not see its guard die.
    first.child.kill('SIGSTOP')
    for (const guard of processesWith('guard', first.child.pid ?? 0)) process.kill(guard, 'SIGKILL')
    first.child.kill('SIGKILL')
    await first.ended
    expect(processesOf(first.name)).not.toEqual([])
    for (const copies of ['work.part', 'work.frozen']) await mkdir(join(first.home, copies))
    // The new tree itself is being made in one of them.
    const isWork = (name: string): boolean => name.startsWith('work') && name !== 'work.part'
    expect(existsSync(left)).toBe(true)
    const seen: unknown[] = []
    const store = faulty(task.store, ({ verb, key }) => {
      if (verb === 'read' && key.includes('/snap/'))
        seen.push([processesOf(first.name), readdirSync(first.home).filter(isWork), existsSync(left)])
      return undefined
    })
    expect(await task.inProcess({ name: first.name }, store).ended).toBe(AGENT_DONE)
    expect(seen[0]).toEqual([[], [], false])
    expect(await task.log('script')).toBe('kept\n')
  })

  test.concurrent('the guard: the agent kills the script, saves, and releases the slot', async () => {
    await using task = await Deployment.make({ script: DAEMON })
    const agent = await task.agent()
    await task.until((record) => record.head !== undefined)
    const guard = processesWith('guard', agent.child.pid ?? 0)
    expect(guard).toHaveLength(1)
    process.kill(guard[0]!, 'SIGKILL')
    expect(await agent.ended).toBe(AGENT_REPLACE)
    expect(processesOf(agent.name)).toEqual([])
    const record = await task.slot()
    expect(record).toMatchObject({ state: 'interrupted', released: true })
    expect(record.attempts).toMatchObject([{ cause: 'lost', reason: 'guard died' }])
    expect(record.attempts[0]?.announced).toBeUndefined()
  })

  test.concurrent('the script itself: the slot ends with its signal', async () => {
    await using task = await Deployment.make({ script: 'kill -SEGV $$' })
    expect(await (await task.agent()).ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'failed', cause: 'exit', exitCode: 139, reason: 'killed by SIGSEGV' })
  })

  test.concurrent('a script that ends leaves nothing behind', async () => {
    await using task = await Deployment.make({ script: 'setsid sleep 300 & sleep 301 & echo x' })
    const agent = await task.agent()
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(processesOf(agent.name)).toEqual([])
    expect(await task.slot()).toMatchObject({ state: 'succeeded' })
  })
})

describe('a machine that was cut off', () => {
  test.concurrent('comes back, finds its slot taken, kills its script and writes nothing', async () => {
    const script = 'while :; do date +%N > file; echo $TPI_ATTEMPT >> out; [ -f ../go ] && exit 0; sleep 0.05; done'
    await using task = await Deployment.make({ script })
    const zombie = await task.agent()
    await task.until((record) => record.head !== undefined)
    zombie.child.kill('SIGSTOP')
    const second = task.inProcess()
    const taken = await task.until((record) => record.epoch === 2 && record.phase === 'script')
    expect(taken.holder).toBe(second.name)
    const logBefore = await task.log(undefined, 0, 1)
    zombie.child.kill('SIGCONT')
    expect(await zombie.ended).toBe(AGENT_REPLACE)
    expect(processesOf(zombie.name)).toEqual([])
    expect(await readdir(second.home)).toContain('work')
    await writeFile(`${second.home}/go`, '')
    expect(await second.ended).toBe(AGENT_DONE)
    const record = await task.slot()
    expect(record).toMatchObject({ state: 'succeeded', epoch: 2, holder: second.name })
    expect(record.attempts[0]).toMatchObject({ cause: 'lost' })
    expect(await task.log(undefined, 0, 1)).toBe(logBefore)
    expect((await task.head())['out']).toMatch(/2\n$/)
  })

  test.concurrent('finds its slot closed and leaves for good', async () => {
    await using task = await Deployment.make({ script: 'sleep 600' })
    const agent = task.inProcess()
    const record = await task.until((now) => now.phase === 'script')
    await task.put(task.keys.slot(0).record, { ...record, nonce: 'theirs', epoch: 2, state: 'stopped', holder: undefined })
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(agent.lines.at(-1)).toContain('this machine no longer holds the slot: it was closed as stopped')
    expect(await task.slot()).toMatchObject({ nonce: 'theirs' })
  })

  test.concurrent('finds its deployment removed and leaves for good', async () => {
    await using task = await Deployment.make({ script: 'sleep 600' })
    const agent = task.inProcess()
    await task.until((record) => record.phase === 'script')
    await task.store.clear(task.keys.root)
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(processesOf(agent.name)).toEqual([])
    for await (const entry of task.store.list(task.keys.root)) throw new Error(`there again: ${entry.key}`)
  })

  const other = {
    v: 2,
    nonce: 'x',
    id: 'tpi-test',
    incarnation: 'two',
    createdAt: '2030-01-01T00:00:00Z',
    name: 'test',
    origin: {},
    state: 'making',
  }

  test.concurrent('finds another incarnation at boot and takes nothing', async () => {
    await using task = await Deployment.make({ script: 'echo never' })
    await task.put('tpi-test/current.json', other)
    expect(await task.inProcess().ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'waiting' })
  })

  test.concurrent('finds another incarnation just after it has taken the slot, and does not start there', async () => {
    await using task = await Deployment.make({ script: 'echo never' })
    const { record } = task.keys.slot(0)
    const store = faulty(task.store, async ({ verb, key }) => {
      if (verb === 'write' && key === record) await task.put('tpi-test/current.json', other)
      return undefined
    })
    const agent = task.inProcess({}, store)
    expect(await agent.ended).toBe(AGENT_DONE)
    expect(agent.lines.at(-1)).toContain('created again')
    expect(await task.slot()).toMatchObject({ state: 'booting', epoch: 1, phase: 'restoring' })
  })
})

/** Living processes with the machine's mark. */
function processesOf(machine: string): ProcessId[] {
  return findMarked('TPI_MACHINE', machine)
}

function processesWith(word: string, parent: number): number[] {
  return all().filter((pid) => text(`/proc/${pid}/cmdline`).includes(`\0${word}\0`) && parentOf(pid) === parent)
}

/** The second field after the name, which may have blanks and brackets itself. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const parentOf = (pid: number): number => Number(text(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1])

function all(): number[] {
  return readdirSync('/proc').map(Number).filter(Boolean)
}

function text(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
