/** Commands that a user requests through the store: they run beside the script, with its environment, and only while somebody waits for them. */
import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { commandOf, findMarked } from '../../src/lib/process.ts'
import type { ExecAnswer, ExecRequest } from '../../src/wire/exec.ts'
import { PATIENCE } from '../setup/patience.ts'
import { until } from '../setup/wait.ts'
import { Deployment, nap } from './kit.ts'

const SCRIPT = 'export OWN=x; echo 1 > n; while ! test -e go; do sleep 0.05; done'

interface Bench {
  readonly task: Deployment
  readonly machine: string
  /** Replaces the requests in control.json. */
  put(...requests: readonly ExecRequest[]): Promise<void>
  request(argv: readonly string[], more?: Partial<ExecRequest>): ExecRequest
  answer(of: ExecRequest): Promise<Omit<ExecAnswer, 'out' | 'err'> & { out: string; err: string }>
  read(of: ExecRequest): Promise<unknown>
}

async function bench(task: Deployment): Promise<Bench> {
  const agent = await task.agent()
  await task.until(({ phase, head }) => phase === 'script' && head !== undefined)
  await task.untilSaved('n', '1\n')
  const read = async (of: ExecRequest) => task.store.read(task.keys.answer(of.id))
  return {
    task,
    machine: agent.name,
    put: async (...execs) => task.put(task.keys.control, { v: 2, nonce: randomUUID(), execs }),
    request: (argv, more) => ({ id: randomUUID(), at: new Date().toISOString(), slot: 0, machine: agent.name, argv, seconds: 30, ...more }),
    read,
    async answer(of) {
      for (const end = Date.now() + 15_000 * PATIENCE; Date.now() < end; await nap(50)) {
        const object = await read(of)
        if (!object) continue
        const said = JSON.parse(Buffer.from(object.bytes).toString()) as ExecAnswer
        return { ...said, out: Buffer.from(said.out, 'base64').toString(), err: Buffer.from(said.err, 'base64').toString() }
      }
      throw new Error('nobody answered')
    },
  }
}

test('a command runs where the script does, with its environment; its exit code and both streams come back; the script goes on', async () => {
  await using task = await Deployment.make({ script: SCRIPT, env: { MINE: 'given' }, secrets: { HIDDEN: 'deep' } })
  const on = await bench(task)
  const here = on.request(['sh', '-c', 'pwd; cat n; echo "$MINE $HIDDEN $TPI_INDEX"; echo oops >&2; exit 7'])
  await on.put(here)
  const said = await on.answer(here)
  expect(said).toMatchObject({ code: 7, err: 'oops\n' })
  expect(said.out).toMatch(/\/work\n1\ngiven deep 0\n$/)
  const nothing = on.request(['no-such-command'])
  await on.put(here, nothing)
  expect(await on.answer(nothing)).toMatchObject({ code: 127, err: 'tpi: no-such-command: not found\n' })
  const last = on.request(['touch', 'go'])
  await on.put(last)
  expect(await task.until(({ state }) => state === 'succeeded')).toMatchObject({ exitCode: 0 })
})

test('a request for another machine or slot, or from before this agent started, is not run', async () => {
  await using task = await Deployment.make({ script: SCRIPT })
  const early = { id: 'early', at: new Date().toISOString(), slot: 0, machine: 'any', argv: ['touch', 'early'], seconds: 30 }
  await task.put(task.keys.control, { v: 2, nonce: 'a', execs: [early] })
  const on = await bench(task)
  const requests = [
    on.request(['touch', 'a'], { machine: 'm-other' }),
    on.request(['touch', 'b'], { slot: 1 }),
    { ...early, machine: on.machine },
  ]
  await on.put(...requests)
  const real = on.request(['ls'])
  await on.put(...requests, real)
  expect(await on.answer(real)).toMatchObject({ code: 0, out: 'n\n' })
  for (const request of requests) expect(await on.read(request)).toBeUndefined()
})

test('a command is killed with all its processes when its time is over or nobody waits for it any more; its output is bounded', async () => {
  await using task = await Deployment.make({ script: SCRIPT })
  const on = await bench(task)
  const late = on.request(['sh', '-c', 'echo begun; sleep 1000 & sleep 1000'], { seconds: 4 })
  // One of its processes has left its session.
  const left = on.request(['sh', '-c', 'setsid sleep 98765 & sleep 98765'])
  const running = (): number => findMarked('TPI_MACHINE', on.machine).filter(({ pid }) => commandOf(pid).join(' ') === 'sleep 98765').length
  const much = on.request(['sh', '-c', 'head -c 3000000 /dev/zero'])
  await on.put(late, left, much)
  const { out, ...cut } = await on.answer(much)
  expect([cut, out.length]).toMatchObject([{ code: 0, cut: true }, 1 << 20])
  await until('the other one runs', () => running() === 2)
  await on.put(late, much)
  expect(await on.answer(late)).toMatchObject({ problem: 'it ran for longer than 4 s, and was killed', out: 'begun\n' })
  await until('what nobody waits for is gone', () => running() === 0, 15_000)
  expect(await on.read(left)).toBeUndefined()
})
