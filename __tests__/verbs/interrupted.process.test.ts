/** The user of a command goes away: by Ctrl-C, by a cancelled job while a run is being stopped, or because a connection broke. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { memoryHost } from '../setup/memory-host.ts'
import { pretended, signalledBy } from '../setup/signals.ts'
import { until } from '../setup/wait.ts'
import { shell } from '../setup/world.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')

test.each([
  ['a stop', 'stop old', 'old: the request to stop it is recorded: it saves its work and ends on its own'],
  ['a run that is to take its place', 'task --name old --if-exists replace --script true', 'replacing old'],
])('of %s', async (_, words, said) => {
  await w.write('p/x', 'x')
  const asked = join(w.work, 'asked')
  const script = `trap "touch ${asked}; until test -e ${join(w.work, 'go')}; do sleep 0.1; done; echo saved > r; exit 0" TERM; echo started; while :; do sleep 0.1; done`
  await w.tpi(shell('task --name old --detach --workdir p --output r', script))
  await until('it has started', async () => (await w.tpi('logs old')).host.scriptText().includes('started'))
  const first = new AbortController()
  const signals = signalledBy(first.signal)
  const ran = w.tpi(words, { signals })
  await until('the program is asked to end', () => existsSync(asked))
  first.abort(new Error('SIGINT'))
  const { code, host } = await ran
  expect(code).toBe(130)
  expect(host.lines.join('\n')).toContain(said)
  expect(host.annotations).toMatchObject([{ level: 'error', message: 'interrupted' }])
  await w.write('go', '')
  await until('it has ended', async () => (await w.tpi('status old --json')).facts.state === 'stopped')
  await w.deserted()
  expect((await w.tpi('destroy old')).host.annotations.at(-1)?.message).toContain('nobody collected')
  expect((await w.tpi('collect old')).code).toBe(130)
  expect(await w.read('p/r')).toBe('saved\n')
})

test.each([
  ['goes on, without a terminal too', {}, 75, 'running'],
  ['is stopped with its job, in CI', { CI: 'true' }, 130, 'stopped'],
] as const)('a run whose command is hung up on %s', async (_, env, exitCode, state) => {
  const first = new AbortController()
  // Whoever ends its session may send more than one signal.
  const signals = signalledBy(first.signal, 'SIGHUP', first.signal)
  const ran = w.tpi(['task', '--name', 'far', '--script', 'echo started; sleep 600'], { env, signals })
  await until('it has started', async () => (await w.tpi('logs far')).host.scriptText().includes('started'))
  first.abort(new Error('SIGHUP'))
  const { code, host } = await ran
  expect(code).toBe(exitCode)
  if (state === 'running') expect(host.lines.join('\n')).toContain('far goes on without this terminal.\n  follow')
  // One that is stopped may still be saving.
  await until(`it is ${state}`, async () => (await w.tpi('status far --json')).facts.state === state)
  expect((await w.tpi('destroy far --discard')).code).toBe(0)
})

test('a run whose user logs out, or shuts the computer down that follows it, goes on', async () => {
  const sent = pretended()
  const ran = w.tpi(['task', '--name', 'away', '--script', 'echo started; sleep 600'], { signals: sent.signals, interactive: true })
  await until('it has started', async () => (await w.tpi('logs away')).host.scriptText().includes('started'))
  for (const name of ['SIGTERM', 'SIGHUP'] as const) sent.send(name)
  expect((await ran).code).toBe(75)
  expect((await w.tpi('status away --json')).facts.state).toBe('running')
  expect((await w.tpi('destroy away --discard')).code).toBe(0)
})

test('a second Ctrl-C counts for 5 s after the message that asks for it, however late that was', async () => {
  const sent = pretended()
  const host = memoryHost()
  const ran = w.tpi(['task', '--name', 'late', '--script', 'echo started; sleep 600'], {
    signals: sent.signals,
    interactive: true,
    host,
  })
  await until('it has started', () => host.lines.includes('script: started'))
  sent.send('SIGINT')
  sent.now = 6000
  await until('the message is there', () => host.lines.some((line) => line.includes('Ctrl-C again within 5 s stops it')))
  sent.now = 7000
  sent.send('SIGINT')
  expect((await ran).code).toBe(130)
  expect((await w.tpi('status late --json')).facts.state).toBe('stopped')
  await w.tpi('destroy late --discard')
})
