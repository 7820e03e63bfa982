import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { labelled } from '../../src/verbs/collect.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { asOrdinaryUser } from '../setup/ordinary.ts'
import { smallDisk } from '../setup/small-disk.ts'
import { until } from '../setup/wait.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('file')

const has = (name: string, text: string): Promise<void> =>
  until(`${name} says ${text}`, async () => (await w.tpi(`logs ${name}`)).host.scriptText().includes(text))

describe('without outputs', () => {
  const run = async (script: string, ...more: string[]) => {
    await w.write('n/old', 'old')
    await w.write('n/same', 'same')
    const ran = await w.tpi(['task', '--name', 'none', '--workdir', 'n', ...more, '--script', script])
    const said = ran.host.lines.join('\n')
    return { said, page: ran.host.summaries.join('\n'), warned: ran.host.lines.filter((line) => line.startsWith('warn')) }
  }

  test('the loss of files that the script makes is announced before the start, and reported with names at the end and on the page', async () => {
    const { said, page, warned } = await run('echo new > old; mkdir -p d; for i in 1 2 3 4; do echo $i > d/$i; done')
    expect(said).toContain('no `output` is given: no files will be brought back')
    expect(warned).toEqual([
      expect.stringMatching(/none was asked for, so 5 files that .* are lost with its machine: "d\/1", "d\/2", "d\/3", …$/),
    ])
    expect(said).toMatch(/outputs +none asked for; 5 files that the script made or changed were lost with the machines/)
    expect(page).toContain('none asked for; 5 files that the script made or changed were lost with the machines')
  })

  test('there is no warning if it made nothing, and a failed run is kept', async () => {
    const idle = await run('cat old')
    expect(idle.warned).toEqual([])
    expect(idle.said).toMatch(/outputs +none asked for$/m)
    const failed = await run('echo 1 > made; exit 3')
    expect(failed.warned).toEqual([])
    expect(failed.said).toMatch(/outputs +none asked for; 1 file that the script made or changed is kept$/m)
    await w.tpi(['pull', 'none', '--to', 'fetched'])
    expect(await w.read('fetched/made')).toBe('1\n')
    await w.tpi('destroy none --discard')
  })
})

test('collecting reports what the run has cost', async () => {
  const words = ['task', '--name', 'paid', '--detach', '--workdir', 'none', '--output', 'r', '--script', 'echo 1 > r']
  await w.tpi(words)
  const over = async (): Promise<boolean> => (await w.tpi('status paid --json')).facts.outcome === 'success'
  await until('it has ended', over)
  /** Local machines with a price. */
  const given = (context: VerbContext): VerbContext => ({
    ...context,
    billed: () => true,
    clouds: async () => (await context.clouds()).map(({ id, cloud }) => ({ id, cloud: Object.assign(cloud, { price: async () => 3600 }) })),
  })
  const { facts } = await w.tpi('collect paid --to paid --json', { given })
  expect(facts).toMatchObject({ price: 3600, cost: expect.any(Number), outcome: 'success' })
  expect(facts.cost).toBeGreaterThan(0)
  await w.tpi(words)
  await until('it has ended', over)
  const { host } = await w.tpi('collect paid --to paid', { given })
  expect(host.printed.join('\n')).toMatch(/^ {2}cost +about [\d.]+ USD, at 3600 USD per machine-hour/m)
})

describe('results', () => {
  test('never overwrite what changed here meanwhile: they are put beside it', async () => {
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

  test('of a run of the same name are replaced by the next ones if nobody changed them; other old files are not', async () => {
    await w.write('rerun/theirs', 'of somebody, and old')
    await utimes(join(w.work, 'rerun/theirs'), 1, 1)
    const words = ['task', '--name', 'rerun', '--workdir', 'none', '--output', '*', '--output-dir', 'rerun']
    const run = async (text: string) => w.tpi([...words, '--script', `echo ${text} > ours; echo ${text} > theirs`])
    await run('first')
    await run('second')
    expect([await w.read('rerun/ours'), await w.read('rerun/theirs'), await w.read('rerun/theirs~')]).toEqual([
      'second\n',
      'of somebody, and old',
      'second\n',
    ])
    await w.write('rerun/ours', 'edited')
    await run('third')
    expect([await w.read('rerun/ours'), await w.read('rerun/ours~')]).toEqual(['edited', 'third\n'])
  })

  test('of several slots all arrive, those that one slot made and those that two made differently', async () => {
    const script =
      'for each in $([ $TPI_INDEX = 0 ] && echo b m || echo a b x/m z); do mkdir -p "$(dirname $each)"; echo $TPI_INDEX > $each; done'
    const task = ['task', '--name', 'several', '--parallelism', '2', '--workdir', 'none', '--output', '**', '--output-dir', 'all']
    expect((await w.tpi([...task, '--script', script])).code).toBe(0)
    const found: Record<string, string> = {}
    for (const path of ['0/b', '1/b', 'a', 'm', 'x/m', 'z']) found[path] = (await w.read(`all/${path}`)).trim()
    expect(found).toEqual({ '0/b': '0', '1/b': '1', a: '1', m: '0', 'x/m': '1', z: '1' })
  })

  test.each([
    ['', 'home', 'home/'],
    ['--to there', 'home', 'there/'],
  ])('of several finished runs with equal paths all arrive, each in its folder: collect --finished %s', async (to, workdir, at) => {
    await w.write(`${workdir}/x`, 'x')
    // Older than the runs, and not a result of any.
    await w.write(`${workdir}/a/r`, 'mine')
    const names = ['a', 'b', 'c']
    const collect = (): ReturnType<typeof w.tpi> => w.tpi(`collect --finished ${to}`.trim())
    for (const name of names)
      await w.tpi([
        'task',
        '--name',
        name,
        '--detach',
        '--workdir',
        workdir,
        '--exclude',
        '*/',
        '--output',
        'r',
        '--script',
        `echo ${name} > r`,
      ])
    for (const name of names)
      await until(`${name} has ended`, async () => (await w.tpi(`status ${name} --json`)).facts.outcome === 'success')
    // One of them cannot be delivered at first. Repeating the command puts it where it would have been.
    await w.write(`${at}c`, 'in the way')
    expect((await collect()).code).toBe(76)
    rmSync(join(w.work, `${at}c`))
    expect((await collect()).code).toBe(0)
    const mine = to === ''
    expect(await w.read(`${at}a/${mine ? 'r~' : 'r'}`)).toBe('a\n')
    expect(await w.read(`${workdir}/a/r`)).toBe('mine')
    for (const name of ['b', 'c']) expect(await w.read(`${at}${name}/r`)).toBe(`${name}\n`)
    rmSync(join(w.work, at), { recursive: true })
  })

  test('that cannot be placed stay in the store, and the message names the command that fetches them', async () => {
    await w.tpi(['task', '--name', 'full', '--detach', '--output', 'r', '--output-dir', 'taken', '--script', 'echo 1 > r'])
    await until('it has ended', async () => (await w.tpi('status full --json')).facts.outcome === 'success')
    await w.write('taken', 'a file, not a folder')
    const ran = await w.tpi('collect full --json')
    expect(ran).toMatchObject({ code: 76, facts: { outcome: 'remote-error' } })
    expect(ran.facts.error).toMatch(/cannot write to .*taken.*nothing is lost.*tpi collect full --to DIR/)
    await w.deserted()
    expect((await w.tpi('list --json')).facts).toMatchObject([{ name: 'full', state: 'succeeded', collected: false }])
    expect((await w.tpi('collect full --to elsewhere')).code).toBe(0)
    expect(await w.read('elsewhere/r')).toBe('1\n')
  })

  test('that do not fit on the disk are not fetched at all, and stay in the store', async () => {
    const small = join(w.work, 'small')
    mkdirSync(small)
    const unmount = smallDisk(small, '1m')
    if (!unmount) return
    try {
      const words = ['--output', 'big', '--output-dir', 'small', '--script', 'head -c 3000000 /dev/urandom > big']
      const before = statSync(small).mtimeMs
      const ran = await w.tpi(['task', '--name', 'large', '--json', ...words])
      expect(ran).toMatchObject({ code: 76, facts: { outcome: 'remote-error' } })
      expect(ran.facts.error).toMatch(/need 3 MB, but .*small has 1 MB free.*nothing is lost.*tpi collect large,.*to: DIR/)
      // Not even a folder for the download was created.
      expect([readdirSync(small), statSync(small).mtimeMs]).toEqual([[], before])
      await w.deserted()
      expect((await w.tpi('list --json')).facts).toMatchObject([{ name: 'large', state: 'succeeded', collected: false }])
      expect((await w.tpi('collect large')).code).toBe(76)
      expect((await w.tpi('collect large --to roomy')).code).toBe(0)
      expect(statSync(join(w.work, 'roomy/big')).size).toBe(3_000_000)
      // A file that only looks large, as an image of a disk does.
      const sparse = ['--output', 'image', '--output-dir', 'small', '--script', 'truncate -s 3M image']
      expect((await w.tpi(['task', '--name', 'sparse', ...sparse])).code).toBe(0)
    } finally {
      unmount()
    }
  })

  test('are delivered, and parts of the machine that could not be removed are an error', async () => {
    const script = 'echo 1 > r; mkdir -p "$TMPDIR/stuck/x"; chattr +i "$TMPDIR/stuck" && echo "at=$TMPDIR/stuck" >> "$TPI_OUTPUT"'
    const ran = await w.tpi(['task', '--name', 'stuck', '--output', 'r', '--output-dir', 'here', '--json', '--script', script])
    const { slots } = (await w.tpi('status stuck --json')).facts
    const { at } = slots[0].outputs
    if (at === undefined) {
      process.stderr.write('skipped: what cannot be removed: no folder can be made immutable here\n')
      expect((await w.tpi('destroy stuck')).code).toBe(0)
      return
    }
    try {
      expect(ran).toMatchObject({ code: 76, facts: { outcome: 'remote-error' } })
      expect(ran.facts.error).toMatch(/could not remove: group .*EPERM.*tpi destroy tpi-stuck-/)
      expect(await w.read('here/r')).toBe('1\n')
    } finally {
      for (const name of await w.remains()) if (name.endsWith('/stuck')) execFileSync('chattr', ['-i', join(w.home, name)])
    }
    await w.deserted()
    expect((await w.tpi('destroy stuck')).code).toBe(0)
  })

  test('that could not be saved or parsed are named', async () => {
    const ran = await w.tpi([
      'task',
      '--name',
      'odd',
      '--output',
      '*',
      '--script',
      'mkfifo pipe; echo 1 > x; echo nonsense > "$TPI_OUTPUT"',
    ])
    expect(ran.code).toBe(0)
    expect(ran.host.lines).toEqual(
      expect.arrayContaining([
        'warn: not saved, as sockets, pipes, devices and file systems of the kernel never are: "pipe"',
        'warn: TPI_OUTPUT: line 1: should be "name=value" or "name<<DELIMITER"',
      ]),
    )
  })

  test('that fill the disk of this host end the run with a message, and do not block other runs', async () => {
    const tiny = join(w.work, 'tiny')
    mkdirSync(tiny)
    const unmount = smallDisk(tiny, '32m')
    if (!unmount) return
    const env = { TPI_HOME: join(tiny, 'home') }
    try {
      const script = 'echo begun; head -c 100000000 /dev/urandom > x'
      const ran = await w.tpi(['task', '--name', 'filler', '--json', '--script', script], { env })
      expect(ran).toMatchObject({ code: 1, facts: { outcome: 'script-failed' } })
      expect(ran.facts.slots[0].reason).toMatch(/^disk full.*results not saved/)
      expect(ran.host.scriptText()).toContain('begun')
      await w.deserted()
      expect((await w.tpi('destroy filler', { env })).code).toBe(0)
      expect((await w.tpi('list --json', { env })).facts).toEqual([])
    } finally {
      await w.deserted()
      unmount()
    }
  })

  test('whose names are not UTF-8 are delivered unchanged, also the second time', async () => {
    const script =
      'cd out; printf one > "$(printf "n\\377")"; mkdir "$(printf "d\\376")"; printf two > "$(printf "d\\376/x")"; ln -s "$(printf "to\\377")" link'
    await w.write('bytes/out/.keep', '')
    const words = ['task', '--name', 'bytes', '--workdir', 'bytes', '--output', 'out/**', '--retention', '1h', '--script', script]
    expect(await w.tpi([...words, '--detach'])).toMatchObject({ code: 0 })
    await until('it has ended', async () => (await w.tpi('status bytes --json')).facts.outcome === 'success')
    for (const to of ['first', 'first']) expect(await w.tpi(['pull', 'bytes', '--to', to])).toMatchObject({ code: 0 })
    expect(await w.tpi('collect bytes')).toMatchObject({ code: 0 })
    for (const folder of ['first/out', 'bytes/out']) {
      const at = (...bytes: number[]): Buffer => Buffer.concat([Buffer.from(`${join(w.work, folder)}/`), Buffer.from(bytes)])
      expect(readFileSync(at(0x6e, 0xff), 'utf8')).toBe('one')
      expect(readFileSync(at(0x64, 0xfe, 0x2f, 0x78), 'utf8')).toBe('two')
      expect(readlinkSync(join(w.work, folder, 'link'), { encoding: 'buffer' })).toEqual(Buffer.from([0x74, 0x6f, 0xff]))
      expect(readdirSync(join(w.work, folder))).not.toContain('link~')
    }
  })

  test('in read-only folders are delivered for any user, not only for root', async () => {
    const script = 'mkdir -p r/deep; echo 1 > r/deep/f; chmod 444 r/deep/f; chmod 555 r/deep r; echo made'
    await w.tpi(['task', '--name', 'closed', '--detach', '--output', 'r/**', '--output-dir', 'out', '--script', script])
    await until('it has ended', async () => (await w.tpi('status closed --json')).facts.outcome === 'success')
    await w.deserted()
    if (process.geteuid?.() === 0) execFileSync('chown', ['-R', 'nobody', dirname(w.home)])
    expect((await asOrdinaryUser([], async () => w.tpi('collect closed'))).code).toBe(0)
    expect(await w.read('out/r/deep/f')).toBe('1\n')
    expect(readdirSync(join(w.work, 'out'))).toEqual(['r'])
  })

  test('that match no glob are kept, because the glob may be wrong', async () => {
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
    const printed = async (glob: string) => (await w.tpi(['pull', 'typo', glob, '--to', 'found'])).host.printed.join()
    expect(await printed('reslut/**')).toBe('of what has been saved, no file matches "reslut/**"')
    expect(await printed('result/**')).toMatch(/^nothing new: 1 file already in .*found$/)
    // The run counts as collected: neither destroying it nor the next run is refused.
    expect((await w.tpi('destroy typo')).code).toBe(0)
    expect((await w.tpi('status typo')).host.printed.join()).toContain('delivered, everything given back')
  })

  test('that a program did not make cause a warning; there is nothing to keep', async () => {
    await w.write('p/there', '1')
    const ran = await w.tpi(['task', '--name', 'idle', '--workdir', 'p', '--output', 'reslut/**', '--output', 'there', '--script', 'true'])
    expect(ran.code).toBe(0)
    expect(ran.host.lines.filter((line) => line.startsWith('warn: output'))).toEqual(['warn: output: no file matches "reslut/**"'])
    expect(await w.remains()).toEqual([])
  })

  test('that are unchanged since the upload are reported as such', async () => {
    await w.write('p/there', '1')
    const stand = ['task', '--name', 'peek', '--detach', '--workdir', 'p', '--checkpoint-interval', '300ms']
    await w.tpi([...stand, '--script', 'while [ ! -e go ]; do sleep 0.1; done; echo 1 > made; sleep 600'])
    const pulled = async (glob: string) => (await w.tpi(['pull', 'peek', glob, '--to', 'found'])).host.printed.join()
    expect(await pulled('there')).toBe('nothing has been saved yet that differs from what was uploaded')
    await until('its machine is up', async () => (await w.tpi(['exec', 'peek', '--', 'touch', 'go'])).code === 0)
    await until('it is saved', async () => (await pulled('made')).startsWith('1 file'))
    expect(await pulled('there')).toBe('every file that matches is as it was uploaded')
    expect((await w.tpi('destroy peek --discard')).code).toBe(0)
  })

  test('that were discarded are reported as such', async () => {
    await w.tpi(['task', '--name', 'lost', '--detach', '--output', 'r', '--script', 'sleep 600'])
    await w.tpi('destroy lost --discard')
    expect((await w.tpi('status lost')).host.printed.join()).toContain('not collected, everything given back')
  })
})

test('several runs of the same name by owners of one repository have distinct labels', () => {
  const targets = [
    { name: 'fit', id: 'tpi-fit-1111111111' },
    { name: 'fit', id: 'tpi-fit-2222222222' },
    { name: 'eval', id: 'tpi-eval-3333333333' },
  ]
  expect(labelled(targets).map(([, label]) => label)).toEqual(['fit-1111111111', 'fit-2222222222', 'eval'])
})

test('a command that does not exist is 127, and the log says so', async () => {
  const ran = await w.tpi(['task', '--name', 'none', '--', 'no-such-program'])
  expect(ran.code).toBe(127)
  expect(ran.host.scriptText()).toBe('tpi: no-such-program: not found\n')
  await w.tpi('destroy none')
})

test('with every process dead, the status says how the run ended, and nothing runs past the deadline', async () => {
  const env = { TPI_RESERVE: '1s' }
  await w.tpi(
    [
      'task',
      '--name',
      'dead',
      '--detach',
      '--timeout',
      '30s',
      '--grace',
      '0s',
      '--output',
      'r',
      '--script',
      'echo 1 > r; echo up; sleep 600',
    ],
    { env },
  )
  await has('dead', 'up')
  for (const line of await w.alive()) process.kill(Number(line.split(' ')[0]), 'SIGKILL')
  const [listed] = (await w.tpi('list --json')).facts
  await until('the deadline', () => Date.now() > Date.parse(listed.deadline) + 1300)
  expect((await w.tpi('list --json')).facts).toMatchObject([{ name: 'dead', state: 'timed-out', outcome: 'timed-out', exitCode: 124 }])
  // Nothing runs any more. Only the missing collection keeps it from being destroyed.
  expect((await w.tpi('collect dead --to late')).code).toBe(124)
  await w.deserted()
  expect((await w.tpi('destroy dead')).code).toBe(0)
})
