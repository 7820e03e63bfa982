import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { identify, killMarked } from '../../src/lib/process.ts'

const AGENT = join(import.meta.dirname, '../../src/agent/main.ts')

test('an agent that is killed in the middle of a message leaves nothing running', async () => {
  const machine = `torn-${process.pid}`
  // Not marked with the machine's name, so the guard can find it only by what it was told.
  const script = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' })
  const ended = once(script, 'exit')
  const guard = spawn(process.execPath, [AGENT, 'guard'], { stdio: ['pipe', 'pipe', 'ignore'] })
  try {
    const ready = once(guard.stdout, 'data')
    const tell = (message: unknown): string => `${JSON.stringify(message)}\n`
    guard.stdin.write(tell({ hello: { agent: { pid: 0, start: 'gone' }, machine, due: Number.MAX_SAFE_INTEGER } }))
    await ready
    guard.stdin.write(tell({ session: identify(script.pid ?? 0) }))
    const gone = once(guard, 'exit')
    guard.stdin.end(tell({ session: { pid: 1, start: 'x' } }).slice(0, 12))
    expect(await gone).toEqual([1, null])
    expect(await ended).toEqual([null, 'SIGKILL'])
  } finally {
    script.kill('SIGKILL')
    guard.kill('SIGKILL')
    await killMarked('TPI_MACHINE', machine)
  }
})
