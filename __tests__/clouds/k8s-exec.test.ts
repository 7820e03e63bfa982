/** A command in a pod: its output goes through the host, like all output of a machine, and it ends with a signal. */
import { expect, jest, test } from '@jest/globals'
import type { Api } from '../../src/clouds/k8s/api.ts'
import { podExec } from '../../src/clouds/k8s/exec.ts'
import type { Pod } from '../../src/clouds/k8s/objects.ts'
import type { Login } from '../../src/clouds/k8s/sdk.ts'
import { Interruption } from '../../src/core/errors.ts'

const of = { id: 'tpi-a-0123456789', incarnation: 'one' }
const pod = { metadata: { name: 'm-0' }, status: { phase: 'Running' } } as unknown as Pod
const api = { namespace: 'ns', list: async () => [pod] } as unknown as Api

test('both streams go to the host, in order, and nothing is written directly', async () => {
  const written = [jest.spyOn(process.stdout, 'write'), jest.spyOn(process.stderr, 'write')]
  const exec: Login['exec'] = async (_, __, { stdout, stderr }) => {
    stdout.write('\u001b[2J')
    stderr.write(Buffer.from([255]))
    stdout.write('out')
    return 3
  }
  const seen: (readonly [string, string])[] = []
  const output = (stream: 'out' | 'err', bytes: Uint8Array): void => void seen.push([stream, Buffer.from(bytes).toString('latin1')])
  try {
    expect(await podExec(api, { exec } as Login, { of, machine: 'm-0', argv: ['ls'], output, signal: new AbortController().signal })).toBe(
      3,
    )
    expect(seen).toEqual([
      ['out', '\u001b[2J'],
      ['err', '\u00ff'],
      ['out', 'out'],
    ])
    expect(written.flatMap((one) => one.mock.calls)).toEqual([])
  } finally {
    jest.restoreAllMocks()
  }
})

test('a signal ends it, and what it started may go on', async () => {
  const first = new AbortController()
  const exec: Login['exec'] = async () => {
    first.abort(new Error('SIGINT'))
    return new Promise(() => undefined)
  }
  const command = { of, machine: 'm-0', argv: ['sleep', '60'], output: () => undefined, signal: first.signal }
  const error = await podExec(api, { exec } as unknown as Login, command).catch((problem: unknown) => problem)
  expect(error).toBeInstanceOf(Interruption)
  expect((error as Interruption).message).toBe('interrupted; the command may go on in pod m-0')
})
