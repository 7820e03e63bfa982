/** What `tpi logs` shows of a log, and how it follows a log across machines. */
import { expect, test } from '@jest/globals'
import { memoryHost } from '../setup/memory-host.ts'
import { until } from '../setup/wait.ts'
import { type World } from '../setup/world.ts'
import { worldPer } from '../setup/world-per.ts'

const w: World = worldPer('test')

test('the last lines, what came since a time, and each line as data: while it runs, across a reclaim, and when the run is gone', async () => {
  const script = `if [ -f was ]; then echo three; until [ -f ../go ] || [ -f go ]; do sleep 0.1; done; printf 'fo\\033[1mur'; exit 0; fi
echo one; echo two; touch was; sleep 600`
  const run = ['task', '--name', 'tell', '--detach', '--workdir', 'none', '--script', script]
  expect((await w.tpi(run)).code).toBe(0)
  const text = async (options = ''): Promise<string> => (await w.tpi(`logs tell ${options}`.trim())).host.scriptText()
  await until('it spoke', async () => (await text()) === 'one\ntwo\n')
  expect([await text('--tail 1'), await text('--tail 0'), await text('--since 1h'), await text('--since 0s')]).toEqual([
    'two\n',
    '',
    'one\ntwo\n',
    '',
  ])
  await until('it saved', async () => (await w.tpi('status tell --json')).facts.slots[0].savedAt !== null)
  const reader = memoryHost()
  const following = w.tpi('logs tell --follow --tail 1', { host: reader })
  await until('it follows', () => reader.scriptText() === 'two\n')
  expect((await w.tpi('interrupt tell')).code).toBe(0)
  await until('another machine goes on', async () => (await text()).endsWith('three\n'))
  expect((await w.tpi(['exec', 'tell', '--', 'touch', 'go'])).code).toBe(0)
  const followed = await following
  expect(followed.host.scriptText()).toMatch(/^two\nthree\nfo\S*ur$/)
  expect(followed.host.lines.filter((line) => /^(?:info|warn): /.test(line))).toEqual([
    expect.stringMatching(
      /^info: ── attempt 1 on m0-\w+ was interrupted: machine reclaimed, .*; attempt 2 continues on m0-\w+ from the checkpoint of /,
    ),
    'info: tell: outcome: success, exit code 0; tpi collect tell brings the results',
  ])
  expect((await w.tpi('collect tell')).code).toBe(0)
  const data = (await w.tpi('logs tell --json --tail 2')).host.printed.map((line) => JSON.parse(line) as unknown)
  expect(data).toEqual([
    { slot: 0, attempt: 2, stream: 'script', at: expect.stringMatching(/^20.*Z$/), text: 'three' },
    { slot: 0, attempt: 2, stream: 'script', at: expect.any(String), text: 'fo\u001b[1mur' },
  ])
  expect(await text('--tail 1')).toMatch(/^fo\S*ur$/)
})
