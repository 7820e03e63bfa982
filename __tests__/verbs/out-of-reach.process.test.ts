import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, jest, test } from '@jest/globals'
import { worldPer } from '../setup/world-per.ts'

jest.setTimeout(60_000)

const w = worldPer('test')

describe('outputs in a GitLab job', () => {
  const warnings = async (
    words: string,
    project: string,
    env: Record<string, string> = { GITLAB_CI: 'true' },
  ): Promise<readonly string[]> =>
    (await w.tpi(`plan --name x --json ${words} -- true`, { env: { ...env, CI_PROJECT_DIR: project } })).host.lines.filter((line) =>
      line.startsWith('warn'),
    )

  test('outside the folder of the project: both are named before anything is made', async () => {
    const beside = join(w.work, '../work-2')
    await mkdir(beside)
    const said = [expect.stringMatching(new RegExp(`"${w.work}".*CI_PROJECT_DIR \\("${beside}"\\).*"output-dir"`))]
    expect(await warnings('--workdir . --output r/**', beside)).toEqual(said)
    const elsewhere = join(w.home, 'out')
    expect(await warnings(`--workdir . --output r/** --output-dir ${elsewhere}`, w.work)).toEqual([expect.stringContaining(elsewhere)])
    const ran = await w.tpi('task --name x --workdir . --output r/** -- false', { env: { GITLAB_CI: 'true', CI_PROJECT_DIR: beside } })
    const order = ['CI_PROJECT_DIR', 'Create'].map((word) => ran.host.lines.findIndex((line) => line.includes(word)))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(order).not.toContain(-1)
  })

  test('below it, also through a link, outside of jobs, without outputs or such a folder: no warning', async () => {
    await w.write('sub/data', 'x')
    await mkdir(w.home)
    await symlink(w.work, join(w.work, '../link'))
    expect(await warnings('--workdir . --output r/**', w.work)).toEqual([])
    expect(await warnings('--workdir sub --output r/**', join(w.work, '../link'))).toEqual([])
    expect(await warnings('--workdir . --output r/** --output-dir ..more', w.work)).toEqual([])
    expect(await warnings('--workdir . --output r/**', w.home, {})).toEqual([])
    expect(await warnings('--workdir .', w.home)).toEqual([])
    expect(await warnings('--workdir . --output r/**', join(w.work, '../none'))).toEqual([])
  })
})
