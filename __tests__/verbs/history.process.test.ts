/** What can still be read of runs that are gone. */
import { expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')

test('status, logs and list answer after success as before, also for a former run of the name', async () => {
  await w.write('p/x', 'x')
  const task = (text: string): readonly string[] => ['task', '--name', 'fit', '--workdir', 'p', '--output', 'r', '--script', text]
  expect((await w.tpi(task('echo one > r; echo first'))).code).toBe(0)
  expect((await w.tpi('logs fit')).host.scriptText()).toBe('first\n')
  expect((await w.tpi('status fit')).host.printed.join('\n')).toMatch(
    /results +delivered, everything given back: 1 file \(4 B\) in .*\n[^]*attempt 1/,
  )
  const former = (await w.tpi('list --all --json')).facts[0]
  expect(former).toMatchObject({ name: 'fit', outcome: 'success', exitCode: 0, cost: 0, run: former.id })
  expect((await w.tpi(task('echo second; exit 3'))).code).toBe(3)
  expect((await w.tpi('logs fit')).host.scriptText()).toBe('second\n')
  const both = (await w.tpi('list --all --json')).facts
  expect(both).toMatchObject([
    { outcome: 'script-failed' },
    { outcome: 'success', run: `${former.id}.${former.createdAt.replace(/\D/g, '').slice(0, 14)}` },
  ])
  const shown = (await w.tpi('list --all')).host.printed.join('\n')
  expect(shown.split('\n').map((line) => line.split(' ')[0])).toEqual(['NAME', 'fit', both[1].run])
  expect(shown).toMatch(/^fit +local +m0-\S+ +script-failed +3 .* kept\n\S+ +local +m0-\S+ +success +0 .* none +collected$/m)
  expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  expect((await w.tpi(['logs', both[1].run])).host.scriptText()).toBe('first\n')
  expect((await w.tpi(['status', both[1].run, '--json'])).facts).toMatchObject({ outcome: 'success', exitCode: 0 })
  // A run in whose place there is another keeps nothing.
  expect((await w.tpi(task('true'))).code).toBe(0)
  expect((await w.tpi('list --all')).host.printed.join('\n')).toMatch(/ script-failed +3 .* collected$/m)
  expect((await w.tpi(task('echo second; exit 3'))).code).toBe(3)
  // Destroyed by another command. The log that was read from the store before is still there.
  expect((await w.tpi('destroy fit')).code).toBe(0)
  expect(await w.remains()).toEqual([])
  expect((await w.tpi('logs fit')).host.scriptText()).toBe('second\n')
})

test('a detached run that was discarded without being collected leaves its log; a running one has none in the history', async () => {
  await w.tpi(['task', '--name', 'left', '--detach', '--workdir', 'none', '--script', 'echo said; sleep 600'])
  await until('it spoke', async () => (await w.tpi('logs left')).host.scriptText() === 'said\n')
  expect((await w.tpi('list')).host.printed.join('\n')).toMatch(
    /^NAME +CLOUD +MACHINE +STATE +EXIT.{10,70}\nleft +local +m0-\S+ +running +-/,
  )
  expect(await w.filesWith('.log.gz')).toEqual([])
  expect((await w.tpi('destroy left --discard')).code).toBe(0)
  expect((await w.tpi('logs left')).host.scriptText()).toBe('said\n')
  expect((await w.tpi('list')).host.printed).toEqual([
    'no runs on local; not checked: k8s, aws, gcp, az (choose one with `cloud`); tpi list --all shows those that are gone',
  ])
  expect((await w.tpi('list --all')).host.printed.join('\n')).toMatch(/left +local +m0-\S+ +stopped +130 .* given up$/)
  const failing = ['task', '--name', 'unset', '--workdir', 'none', '--setup', 'exit 4', '--script', 'true']
  expect((await w.tpi(failing)).code).toBe(4)
  expect((await w.tpi('list --all')).host.printed.join('\n')).toMatch(/^unset +local +m0-\S+ +setup-failed +4 .* none /m)
})
