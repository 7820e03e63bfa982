/** A program that is stuck in the kernel, on a disk or a file system that no longer answers: no signal ends it, and its exit never comes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { type ProgramOptions, runProgram } from '../../src/agent/process/run-program.ts'
import { Ending } from '../../src/agent/slot/ending.ts'
import { type ProcessId, signalGroup } from '../../src/lib/process.ts'

/** It ignores SIGTERM, and this guard has as little success as the real one, which says so and goes on. */
const STUCK = "trap '' TERM; exec >&- 2>&-; while :; do sleep 1; done"
const UNKILLABLE = 'processes that could not be killed: 7'

async function stuck(name: 'setup' | 'script', end: (ending: Ending) => void): Promise<{ how: unknown; said: string[] }> {
  const run = await mkdtemp(join(tmpdir(), 'tpi-stuck-'))
  const said: string[] = []
  const ending = new Ending({ grace: 0, reserve: 1 })
  let id: ProcessId | undefined
  const guard = {
    watch: (leader: ProcessId) => {
      id = leader
      setTimeout(() => end(ending), 100)
    },
    clear: async () => Promise.reject(new Error(UNKILLABLE)),
    freeze: () => ({ stop: async () => undefined, resume: async () => undefined }),
  }
  const options = {
    context: { config: {}, folders: { run, work: run }, say: (line: string) => said.push(line) },
    ending,
    guard,
    name,
    program: { script: STUCK },
    env: { PATH: process.env['PATH'] },
    cwd: run,
    output: { write: () => undefined, full: false, room: async () => undefined },
  }
  try {
    const how = await runProgram(options as unknown as ProgramOptions).catch((error: unknown) => error)
    return { how, said }
  } finally {
    if (id) signalGroup(id.pid, 'SIGKILL')
    await rm(run, { recursive: true, force: true })
  }
}

const stop = (ending: Ending): void => ending.impose({ kind: 'stopped', by: 'ann@box' })

test.concurrent.each(['script', 'setup'] as const)('a stuck %s counts as killed: the attempt goes on to its last save', async (name) => {
  const { how, said } = await stuck(name, stop)
  expect(how).toEqual({ kind: 'imposed', cause: { kind: 'stopped', by: 'ann@box' }, exit: { code: 137, signal: 'SIGKILL' } })
  expect(said).toEqual([`Error: ${UNKILLABLE}`, expect.stringMatching(new RegExp(`^the ${name} does not end, although it was killed: `))])
})

test.concurrent('a slot that was lost meanwhile is left all the same', async () => {
  const { how } = await stuck('script', (ending) => ending.sever(new Error('taken by m2')))
  expect(how).toEqual(new Error('taken by m2'))
})
