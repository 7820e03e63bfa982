/** The pages of the clouds, as somebody follows them: every command line that they have, in an emulated account whose machines are records. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, jest, test } from '@jest/globals'
import { EXIT } from '../../../src/core/exit-codes.ts'
import { shownIn, spokenIn, verbOf } from '../../setup/documents.ts'
import { untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { commonCli } from '../../storm/program.ts'
import { LABS, type RunningLab } from './labs.ts'
import { onLab } from './on-lab.ts'

jest.setTimeout(180_000)

/** As one who reads them would come to need them. */
const ORDER = ['permissions', 'doctor', 'plan', 'task', 'list', 'status', 'exec', 'stop', 'collect', 'destroy', 'sweep']
/** Nothing works in a machine that is a record; then `exec` finds none. */
const ENDS: Readonly<Record<string, number>> = { exec: EXIT.invalid }

/** That the documents' stand-in for one is, too. */
const SUBSCRIPTION = '11111111-1111-1111-1111-111111111111'

const PAGES = { aws: 'aws', gcp: 'gcp', az: 'azure' } as const

describe.each(Object.values(LABS))('$cloud', ({ cloud, start }) => {
  let lab: RunningLab | undefined
  let w: World
  onLab(
    async () => start(),
    (ground) => {
      ;({ lab, w } = ground)
    },
  )

  /** A shell whose `tpi` is ours, in a folder with what the page trains. */
  async function give(line: string): Promise<{ readonly status: number; readonly said: string }> {
    const { PATH, TPI_AGENT_BUNDLE } = process.env
    const own = { PATH: `${bin()}:${PATH}`, TPI_AGENT_BUNDLE, HOME: w.work, TPI_HOME: w.home, P: 'tpi-lab', S: SUBSCRIPTION }
    const child = execFile('bash', ['-o', 'pipefail', '-c', line], { cwd: join(w.work, 'p'), env: { ...own, ...lab?.env } })
    child.stdin?.end()
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
    return new Promise((resolve) => child.once('close', (status) => resolve({ status: status ?? -1, said })))
  }

  function bin(): string {
    const folder = join(w.work, 'bin')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'tpi'), `#!/bin/sh\nexec "${process.execPath}" "${commonCli()}" "$@"\n`, { mode: 0o755 })
    return folder
  }

  test('every line of its page works, in order, and then nothing of the run is left', async () => {
    if (!lab) return expect(process.env['CI']).toBeUndefined()
    await w.write('p/train.py', 'print(1)\n')
    const page = readFileSync(join(import.meta.dirname, '../../../docs', `${PAGES[cloud]}.md`), 'utf8')
    const lines = [...new Set([...shownIn(page), ...spokenIn(page, { NAME: 'fit', PROJECT: 'tpi-lab' })])]
      // These leave out what their sentences say.
      .filter((line) => !line.includes('…') && line !== 'tpi task --resume')
      .sort((a, b) => ORDER.indexOf(verbOf(a)) - ORDER.indexOf(verbOf(b)))
    expect(lines.filter((line) => !ORDER.includes(verbOf(line)))).toEqual([])
    expect(lines.map(verbOf)).toEqual(expect.arrayContaining(['permissions', 'doctor', 'task']))
    let before: readonly string[] = []
    const wrong: string[] = []
    for (const line of lines) {
      // The permissions that it gives out stay.
      if (verbOf(line) === 'task') before = await lab.inventory()
      const { status, said } = await give(line.replace(' --machine ', ' --detach --machine '))
      if (status !== (ENDS[verbOf(line)] ?? EXIT.ok)) wrong.push(`${line}: ${status}: ${said}`)
    }
    expect(wrong).toEqual([])
    const { status, said } = await give(`tpi destroy fit --cloud ${cloud} --discard`)
    expect({ status, said }).toEqual({ status: EXIT.ok, said: expect.stringContaining('fit') })
    await untilSame('the account is as before', async () => lab?.inventory(), before)
  })
})
