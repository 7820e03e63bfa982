import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('file')

const warnings = ({ host }: { host: { lines: readonly string[] } }): string[] => host.lines.filter((line) => line.startsWith('warn'))

describe('results', () => {
  test("never reach a repository's own folder, with any command or name, and git executes none of them", async () => {
    const repository = join(w.work, 'repository')
    execFileSync('git', ['init', '-q', repository])
    writeFileSync(join(repository, 'file'), 'x')
    const script =
      'mkdir -p .git/hooks sub/.GIT git~1; for at in .git/hooks sub/.GIT git~1; do echo "#!/bin/sh\ntouch ../pwned" > $at/post-index-change; chmod +x $at/*; done; echo good > good'
    const words = ['task', '--name', 'hooked', '--detach', '--workdir', 'repository', '--output', '.', '--script', script]
    expect((await w.tpi(words)).code).toBe(0)
    await until('it has ended', async () => (await w.tpi('status hooked --json')).facts.outcome === 'success')
    for (const command of ['pull hooked --to repository', 'collect hooked']) {
      const ran = await w.tpi(command)
      expect([ran.code, warnings(ran)]).toEqual([0, [expect.stringContaining('3 files below .git are not delivered')]])
    }
    expect(readdirSync(repository).sort()).toEqual(['.git', 'file', 'good', 'sub'])
    execFileSync('git', ['add', '.'], { cwd: repository })
    expect(existsSync(join(w.work, 'pwned'))).toBe(false)
  })

  test('that are of no use cause no warning: an index that git status wrote, an environment of the set-up', async () => {
    execFileSync('git', ['init', '-q', join(w.work, 'quiet')])
    const words = ['task', '--name', 'quiet', '--workdir', 'quiet', '--setup', 'mkdir -p venv/lib; touch venv/pyvenv.cfg venv/lib/x']
    const ran = await w.tpi([...words, '--script', 'echo 1 >> .git/index; echo 1 > .git/x'])
    expect([ran.code, warnings(ran)]).toEqual([0, []])
  })

  test('that are links do not lead out of the folder; links to the machine’s folder lead to the local one', async () => {
    const script = [
      'mkdir -p r/deep data; echo 1 > r/deep/file; echo 2 > data/big',
      'cd r; ln -s "$PWD/deep/file" whole; ln -s deep/file part; ln -s /etc/hostname host; ln -s ../../outside up',
      'ln -s nothing dangling; ln -s ../data/big big; ln -s ../.env env; chmod 4755 deep/file',
      'echo 3 > deep/"$(printf "odd\\nerror: forged")"',
    ].join('\n')
    await w.write('out/.env', 'of the caller')
    await w.write('out/r/deep/odd\nerror: forged', 'of the caller')
    const ran = await w.tpi(['task', '--name', 'links', '--workdir', 'none', '--output', 'r', '--output-dir', 'out', '--script', script])
    expect(ran.code).toBe(0)
    expect(readdirSync(join(w.work, 'out/r')).sort()).toEqual(['big', 'dangling', 'deep', 'part', 'whole'])
    expect(readlinkSync(join(w.work, 'out/r/whole'))).toBe('deep/file')
    expect(readFileSync(join(w.work, 'out/r/whole'), 'utf8')).toBe('1\n')
    expect((statSync(join(w.work, 'out/r/deep/file')).mode & 0o7777).toString(8)).toBe('755')
    expect(warnings(ran)).toEqual([
      "warn: r/deep/odd error: forged is already here and is not from this run: the run's version was put beside it as r/deep/odd error: forged~",
      'warn: not delivered, because they are links that lead out of the output folder: "r/host", "r/up"',
      'warn: not delivered, because it is a link that leads to files here that are neither results nor were uploaded: "r/env"',
      'warn: "r/big" is a link to "data/big", which no "output" matches: add "data/big" to bring it back',
    ])
  })

  test('can be named by absolute paths, too; paths that cannot be delivered are reported before the start', async () => {
    const task = ['task', '--name', 'whole', '--workdir', '.', '--script', 'mkdir -p w; echo 1 > w/x']
    expect((await w.tpi([...task, '--output', `${w.work}/w/**`])).code).toBe(0)
    expect(await w.read('w/x')).toBe('1\n')
    await w.write('taken', 'a file')
    for (const [words, says] of [
      [['--output', '/elsewhere/**'], /output: "\/elsewhere\/\*\*" is not below the work directory/],
      [['--output', `${w.work}-more/x`], /is not below the work directory/],
      [['--output', '.git/refs'], /output: ".git\/refs" is below .git.*git bundle/],
      [['--output', 'w', '--output-dir', 'taken'], /output-dir: ".*\/taken" is not a folder/],
    ] as const) {
      const ran = await w.tpi([...task, ...words])
      expect([ran.code, ran.host.lines.join('\n')]).toEqual([64, expect.stringMatching(says)])
    }
    expect(await w.remains()).toEqual([])
  })

  test('go where a link in a checkout leads only with --yes, and never into a repository’s own folder', async () => {
    mkdirSync(join(w.work, 'checkout/.git/hooks'), { recursive: true })
    mkdirSync(join(w.home, '../elsewhere'))
    symlinkSync('checkout/.git/hooks', join(w.work, 'hooks'))
    symlinkSync('../elsewhere', join(w.work, 'away'))
    const start = ['task', '--name', 'away', '--workdir', 'none', '--output', 'x', '--script', 'echo 1 > x', '--output-dir']
    const refused = async (...words: readonly string[]) => {
      const ran = await w.tpi(words)
      expect(ran.code).toBe(64)
      return ran.host.lines.join('\n')
    }
    expect(await refused(...start, 'hooks', '--yes')).toMatch(
      /output-dir: ".*hooks" leads into a repository's own folder, ".*\.git\/hooks"/,
    )
    expect(await refused(...start, 'away/deep')).toMatch(
      /output-dir: a link .* out of the current folder, to ".*\/elsewhere\/deep".*yes: true/s,
    )
    expect((await w.tpi([...start, 'away/deep', '--yes'])).code).toBe(0)
    expect(await w.read('away/deep/x')).toBe('1\n')
    expect((await w.tpi(['task', '--name', 'kept', '--detach', '--workdir', 'none', '--output', 'x', '--script', 'echo 1 > x'])).code).toBe(
      0,
    )
    await until('it has ended', async () => (await w.tpi('status kept --json')).facts.outcome === 'success')
    symlinkSync('../elsewhere', join(w.work, 'tpi-fresh'))
    expect(await refused('task', '--name', 'fresh', '--workdir', 'none', '--output', 'x', '--script', 'true')).toContain('tpi-fresh')
    for (const verb of ['pull', 'collect']) {
      expect(await refused(verb, 'kept', '--to', 'hooks', '--yes')).toContain('own folder')
      expect(await refused(verb, 'kept', '--to', 'away')).toContain('out of the current folder')
      expect((await w.tpi([verb, 'kept', '--to', 'away', '--yes'])).code).toBe(0)
    }
  })

  test('of one run that several commands deliver into one folder at once are complete for each', async () => {
    const script = 'mkdir o; cd o; for d in $(seq 1 20); do mkdir d$d; for i in $(seq 1 10); do echo x > d$d/f$i; done; done'
    const task = ['task', '--name', 'both', '--output', 'o/**', '--output-dir', 'shared', '--script', script]
    expect((await w.tpi([...task, '--detach'])).code).toBe(0)
    await until('it has ended', async () => (await w.tpi('status both --json')).facts.outcome === 'success')
    const pulls = await Promise.all([1, 2, 3].map(() => w.tpi('pull both o/** --json')))
    for (const { code, facts } of pulls) {
      expect(code).toBe(0)
      expect([facts.delivery.files.length + facts.delivery.same, facts.delivery.beside]).toEqual([200, []])
    }
    expect(readdirSync(join(w.work, 'shared'))).toEqual(['o'])
    expect((await w.tpi('collect both')).code).toBe(0)
  })
})
