import { describe, expect, jest, test } from '@jest/globals'
import { until } from '../setup/world.ts'
import { worldPer } from '../setup/world-per.ts'

jest.setTimeout(60_000)

const w = worldPer('file')

const has = (name: string, text: string): Promise<void> =>
  until(`${name} says ${text}`, async () => (await w.tpi(`logs ${name}`)).host.scriptText().includes(text))

describe('results', () => {
  test('never write over what changed here meanwhile: they lie beside it', async () => {
    await w.write('p/x', 'as uploaded')
    await w.write('p/y', 'as uploaded')
    await w.tpi([
      'task',
      '--name',
      'both',
      '--detach',
      '--workdir',
      'p',
      '--output',
      '?',
      '--script',
      'echo theirs > x; echo theirs > y; echo made',
    ])
    await has('both', 'made')
    await w.write('p/x', 'mine')
    await until('it has ended', async () => (await w.tpi('status both --json')).facts.outcome === 'success')
    const ran = await w.tpi('collect both')
    expect(ran.code).toBe(0)
    expect(await w.read('p/x')).toBe('mine')
    expect(await w.read('p/x~')).toBe('theirs\n')
    expect(await w.read('p/y')).toBe('theirs\n')
    expect(ran.host.lines.filter((line) => line.startsWith('warn'))).toEqual([expect.stringContaining('x~')])
  })

  test('that find no place stay where they are, and the command that fetches them is told', async () => {
    await w.write('taken', 'a file, not a folder')
    const ran = await w.tpi(['task', '--name', 'full', '--output', 'r', '--output-dir', 'taken', '--json', '--script', 'echo 1 > r'])
    expect(ran).toMatchObject({ code: 76, facts: { outcome: 'remote-error' } })
    expect(ran.facts.error).toMatch(/cannot write to .*taken.*nothing is lost.*tpi collect full --to DIR/)
    await w.deserted()
    expect((await w.tpi('list --json')).facts).toMatchObject([{ name: 'full', state: 'succeeded', collected: false }])
    expect((await w.tpi('collect full --to elsewhere')).code).toBe(0)
    expect(await w.read('elsewhere/r')).toBe('1\n')
  })

  test('that no glob fits are kept, for the glob may be wrong', async () => {
    const ran = await w.tpi([
      'task',
      '--name',
      'typo',
      '--output',
      'reslut/**',
      '--output',
      '!x',
      '--script',
      'mkdir result; echo 1 > result/a',
    ])
    expect(ran.code).toBe(0)
    const said = ran.host.lines.join('\n')
    expect(said).toContain('warn: output: no file matches "reslut/**"')
    expect(said).toContain('tpi pull typo GLOB --to DIR')
    await w.deserted()
    expect((await w.tpi(['pull', 'typo', 'result/**', '--to', 'found'])).code).toBe(0)
    expect(await w.read('found/result/a')).toBe('1\n')
    // They count as collected: nothing stands in the way of giving them up, or of the next run.
    expect((await w.tpi('destroy typo')).code).toBe(0)
    expect((await w.tpi('status typo')).host.printed.join()).toContain('delivered, everything given back')
  })

  test('that were given up are called so', async () => {
    await w.tpi(['task', '--name', 'lost', '--detach', '--output', 'r', '--script', 'sleep 60'])
    await w.tpi('destroy lost --discard')
    expect((await w.tpi('status lost')).host.printed.join()).toContain('not collected, everything given back')
  })
})

test('a command that does not exist is 127, and the log says so', async () => {
  const ran = await w.tpi(['task', '--name', 'none', '--', 'no-such-program'])
  expect(ran.code).toBe(127)
  expect(ran.host.scriptText()).toBe('tpi: no-such-program: not found (it, or the interpreter that it names)\n')
  await w.tpi('destroy none')
})

test('with every process dead, status says what became of it, and nothing goes on past the deadline', async () => {
  const env = { TPI_RESERVE: '500ms' }
  await w.tpi(
    [
      'task',
      '--name',
      'dead',
      '--detach',
      '--timeout',
      '4s',
      '--grace',
      '0s',
      '--output',
      'r',
      '--script',
      'echo 1 > r; echo up; sleep 60',
    ],
    { env },
  )
  await has('dead', 'up')
  for (const line of await w.alive()) process.kill(Number(line.split(' ')[0]), 'SIGKILL')
  const [listed] = (await w.tpi('list --json')).facts
  await until('the deadline', () => Date.now() > Date.parse(listed.deadline) + 800)
  expect((await w.tpi('list --json')).facts).toMatchObject([{ name: 'dead', state: 'timed-out', outcome: 'timed-out', exitCode: 124 }])
  // Nobody runs it any more: that it was not collected is all that stands in the way.
  expect((await w.tpi('collect dead --to late')).code).toBe(124)
  await w.deserted()
  expect((await w.tpi('destroy dead')).code).toBe(0)
})
