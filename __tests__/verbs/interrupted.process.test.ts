/** Ctrl-C, or a cancelled job, while a run is being stopped: its last work is saved all the same, and nobody says otherwise. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, jest, test } from '@jest/globals'
import { until } from '../setup/world.ts'
import { worldPer } from '../setup/world-per.ts'

jest.setTimeout(60_000)

const w = worldPer('test')

test.each([
  ['a stop', 'stop old', 'old: the wish to stop it is recorded'],
  ['a run that is to take its place', 'task --name old --if-exists replace --script true', 'replacing old'],
])('of %s', async (_, words, said) => {
  await w.write('p/x', 'x')
  const asked = join(w.work, 'asked')
  const script = `trap "touch ${asked}; sleep 3; echo saved > r; exit 0" TERM; echo started; while :; do sleep 0.1; done`
  await w.tpi(['task', '--name', 'old', '--detach', '--workdir', 'p', '--output', 'r', '--', 'sh', '-c', script])
  await until('it has started', async () => (await w.tpi('logs old')).host.scriptText().includes('started'))
  const first = new AbortController()
  const interrupts = { first: first.signal, second: new AbortController().signal, kind: () => 'SIGINT' as const }
  const ran = w.tpi(words, { interrupts })
  await until('the program is asked to end', () => existsSync(asked))
  first.abort(new Error('SIGINT'))
  const { code, host } = await ran
  expect(code).toBe(130)
  expect(host.lines.join('\n')).toContain(said)
  expect(host.annotations).toMatchObject([{ level: 'error', message: 'interrupted' }])
  await until('it has ended', async () => (await w.tpi('status old --json')).facts.state === 'stopped')
  await w.deserted()
  expect((await w.tpi('destroy old')).host.annotations.at(-1)?.message).toContain('nobody collected')
  expect((await w.tpi('collect old')).code).toBe(130)
  expect(await w.read('p/r')).toBe('saved\n')
})
