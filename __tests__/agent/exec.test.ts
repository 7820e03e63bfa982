/** A request whose command never runs is answered as well: somebody waits for the answer. */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { expect, test } from '@jest/globals'
import { type ExecParts, ExecRequests } from '../../src/agent/process/exec.ts'
import type { Container } from '../../src/agent/vm/container.ts'
import { tidyUp } from '../../src/lib/heap.ts'
import { findMarked } from '../../src/lib/process.ts'
import { type ExecAnswer, type ExecRequest, MOST_OUTPUT } from '../../src/wire/exec.ts'
import { layout } from '../../src/wire/layout.ts'
import { until } from '../setup/wait.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const request = (id: string, argv: readonly string[], machine = 'm1', seconds = 30): ExecRequest => ({
  id,
  at: '2030-01-01T00:00:00.000Z',
  slot: 0,
  machine,
  argv,
  seconds,
})

/** The agent of machine m1, which holds slot 0, and its answers. */
function bench({ execs = true, container }: { execs?: boolean; container?: Pick<Container, 'beside'> } = {}) {
  const store = memoryStore()
  const keys = layout('tpi-a', 'i')
  const said: string[] = []
  const over = new AbortController()
  const context = {
    config: { machine: 'm1', execs },
    store,
    keys,
    say: (line: string) => said.push(line),
  } as unknown as ExecParts['context']
  const guard = { watch: () => undefined, release: () => undefined }
  const place = { env: { PATH: '/usr/bin:/bin' }, cwd: tmpdir(), container: container as Container | undefined }
  const beside = new ExecRequests({ context, guard, slot: () => 0, place: () => place, over: over.signal })
  const answer = async (id: string): Promise<unknown> => {
    await new Promise((resolve) => setImmediate(resolve))
    const object = await store.read(keys.answer(id))
    return object && JSON.parse(Buffer.from(object.bytes).toString())
  }
  return { beside, answer, said, store, keys }
}

test.each([
  ['an argument is longer than the system takes', 'x'.repeat(200_000)],
  ['an argument no program can get', 'a\0b'],
])('%s: answered at once', async (_, word) => {
  const { beside, answer, said } = bench()
  beside.heed([])
  beside.heed([request('one', ['true', word])])
  await until('it is answered', async () => (await answer('one')) !== undefined)
  expect(await answer('one')).toEqual({ v: 2, problem: expect.stringMatching(/^it could not be started: /), out: '', err: '' })
  expect(said).toEqual([])
})

test('an agent that has started again runs no earlier request, and answers it', async () => {
  const { beside, answer, said, store, keys } = bench()
  await store.write(keys.answer('done'), Buffer.from('{"of":"its predecessor"}'))
  beside.heed([request('cut', ['true']), request('done', ['true']), request('other', ['true'], 'm2')])
  expect(await answer('cut')).toMatchObject({ problem: expect.stringContaining('was restarted') })
  expect(await answer('done')).toEqual({ of: 'its predecessor' })
  expect(await answer('other')).toBeUndefined()
  expect(said).toEqual([])
})

test('where the cloud itself can run commands, requests in the store are ignored', async () => {
  const { beside, answer, said } = bench({ execs: false })
  beside.heed([request('early', ['true'])])
  beside.heed([request('one', ['true', 'a\0b'])])
  expect([await answer('early'), await answer('one'), said]).toEqual([undefined, undefined, []])
})

test('what does not fit into an answer is dropped at once, however much a command prints', async () => {
  const { beside, store, keys } = bench()
  tidyUp()
  let most = 0
  beside.heed([])
  beside.heed([request('loud', ['head', '-c', String(512 << 20), '/dev/zero'])])
  while (!(await store.read(keys.answer('loud')))) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }
  const { code, cut, out } = JSON.parse(Buffer.from((await store.read(keys.answer('loud')))!.bytes).toString()) as ExecAnswer
  expect({ code, cut, kept: Buffer.from(out, 'base64').length }).toEqual({ code: 0, cut: true, kept: MOST_OUTPUT })
  // What was read a moment ago, and is not collected yet, is a small part of it.
  expect(most).toBeLessThan(256 << 20)
})

/** An engine whose daemon starts the command a moment after the request. The client waits for its end, but does not take it along. */
const ENGINE = 'setsid sh -c \'sleep 0.3; exec env "$0" "$@"\' "$@" & wait'

test('a command in a container is killed though it is no process of its client, even if its engine is only about to start it', async () => {
  const id = `late-${randomUUID()}`
  const beside: Container['beside'] = (argv, _cwd, mark) => ({
    argv: ['sh', '-c', ENGINE, 'client', mark, ...argv],
    env: { PATH: process.env['PATH'] ?? '' },
  })
  const on = bench({ container: { beside } })
  on.beside.heed([])
  on.beside.heed([request(id, ['env', `TPI_TEST=${id}`, 'sleep', '1000'], 'm1', 0.1)])
  await until('it was killed', async () => (await on.answer(id)) !== undefined)
  expect(await on.answer(id)).toMatchObject({ problem: 'it ran for longer than 0.1 s, and was killed' })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([findMarked('TPI_TEST', id), on.said]).toEqual([[], []])
})
