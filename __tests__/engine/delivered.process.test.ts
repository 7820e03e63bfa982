/** Results that are already in the work directory do not count as changes of it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { shell } from '../setup/world.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')

const commandOf = (...more: string[]): string[] => [
  'task',
  ...more,
  ...shell('--name fit --workdir p --output out', 'mkdir -p out/deep; echo 1 > out/deep/a; sleep 2'),
]

test('a second controller, after a delivery that was cut off, attaches and delivers', async () => {
  await w.write('p/in', 'x')
  expect((await w.tpi(commandOf('--detach'))).code).toBe(0)
  await until('it has ended', async () => (await w.tpi('status fit --json')).facts.state === 'succeeded')
  // Left by a killed controller: some of the results, and its download.
  await w.write('p/out/deep/a', '1\n')
  await mkdir(join(w.work, 'p/.tpi-incoming-000000000000-1.000000000000-x/0'), { recursive: true })
  await writeFile(join(w.work, 'p/.tpi-incoming-000000000000-1.000000000000-x/0/b'), 'half')
  const again = await w.tpi(commandOf('--json'))
  expect(again.facts).toMatchObject({ attached: true, collected: true, destroyed: true })
  expect(await w.read('p/out/deep/a')).toBe('1\n')
  const late = await w.tpi('collect fit')
  expect(late.code).toBe(64)
  expect(late.host.lines.join('\n')).toMatch(/run "fit" is gone; it ended as success .*tpi status fit shows/)
  const { host } = await w.tpi('status fit')
  expect(host.printed.join('\n')).toMatch(/results +delivered, everything given back: .*\bp\b/)
  expect((await w.tpi('status fit --json')).facts).toMatchObject({ delivered: { by: 'ann@box', to: join(w.work, 'p') } })
})

test('a result that the user has changed since counts as a change', async () => {
  await w.write('p/in', 'x')
  await w.tpi(commandOf('--detach'))
  await until('it has ended', async () => (await w.tpi('status fit --json')).facts.state === 'succeeded')
  await w.write('p/out/deep/a', 'something else\n')
  expect(await w.tpi(commandOf())).toMatchObject({ code: 64 })
  await w.tpi('destroy fit --discard')
})

test('a copy of an uploaded file counts as a change, and a resumed run gets it', async () => {
  await w.write('p/in', 'x')
  await w.write('p/empty', '')
  const command = (...more: string[]): string[] => [
    'task',
    ...more,
    ...shell('--name copy --workdir p', 'echo 1 > saved; ls new/in && ls new/empty'),
  ]
  await w.tpi(command('--detach'))
  await until('it has ended', async () => (await w.tpi('status copy --json')).facts.state === 'failed')
  await w.write('p/new/in', 'x')
  await w.write('p/new/empty', '')
  const ran = await w.tpi(command('--resume'))
  expect([ran.code, ran.host.lines.join('\n')]).toEqual([0, expect.stringContaining('used as it is here: "new/empty", "new/in"')])
})

test('the size of a delivery is that of the files that it brings', async () => {
  await w.write('p/in', 'x')
  await w.tpi([
    'task',
    '--detach',
    ...shell('--name size --workdir p --output out', 'mkdir out; seq 100000 > out/large; echo 1 > out/small'),
  ])
  await until('it has ended', async () => (await w.tpi('status size --json')).facts.state === 'succeeded')
  const said = async (command: string): Promise<string> => [...(await w.tpi(command)).host.printed].join('\n')
  expect(await said('pull size out/large --to there')).toMatch(/1 file \(589 kB\) in .*there/)
  expect(await said('collect size --to there')).toMatch(/1 file \(2 B\) in .*there, 1 already there/)
})
