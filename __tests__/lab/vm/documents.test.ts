/** Follows the documents like a reader: runs every command line that names a cloud, in an emulated account whose machines are records. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { bucketName as awsBucket } from '../../../src/clouds/aws/names.ts'
import { CONTAINER } from '../../../src/clouds/az/names.ts'
import { bucketName as gcpBucket } from '../../../src/clouds/gcp/names.ts'
import { EXIT } from '../../../src/core/exit-codes.ts'
import { shownIn, spokenIn, verbOf } from '../../setup/documents.ts'
import { untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { commonCli } from '../../storm/program.ts'
import { ACCOUNT as AWS_ACCOUNT } from '../aws/resources.ts'
import { ACCOUNT } from '../az/azurite.ts'
import { LABS } from './labs.ts'
import { onLab } from './on-lab.ts'
import type { RunningLab } from './running-lab.ts'

/** The order in which a reader would need them. */
const ORDER = ['permissions', 'doctor', 'plan', 'task', 'list', 'status', 'exec', 'stop', 'collect', 'destroy', 'sweep']
/** A machine that is a record runs nothing, so `exec` finds no machine at work. */
const ENDS: Readonly<Record<string, number>> = { exec: EXIT.invalid }

/** The documents use the same stand-in for a subscription. */
const SUBSCRIPTION = '11111111-1111-1111-1111-111111111111'

const ROOT = join(import.meta.dirname, '../../..')
const PAGES = { aws: 'docs/aws.md', gcp: 'docs/gcp.md', az: 'docs/azure.md' } as const
const ALL = ['README.md', ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))]

const inPage = (page: string): string[] => {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...shownIn(text), ...spokenIn(text, { NAME: 'fit', PROJECT: 'tpi-lab' })]
}

/** Lines of other pages that use the cloud or its storage. */
const NAMED = { aws: /\baws\b|\bs3:/, gcp: /\bgcp\b|\bgs:/, az: /\baz\b/ } as const
/** Lines that are not run here, and why. */
const NOT_HERE: readonly (readonly [RegExp, string])[] = [
  [/…/, 'leaves out what its sentence says'],
  [/ --storage-endpoint /, 'its server is an example'],
  [/ destroy .* --storage /, 'is for a start that was killed before there was anything else of it'],
]
const whyNot = (line: string): string | undefined => NOT_HERE.find(([pattern]) => pattern.test(line))?.[1]

const inOrder = (lines: readonly string[]): string[] =>
  [...new Set(lines)].sort((a, b) => ORDER.indexOf(verbOf(a)) - ORDER.indexOf(verbOf(b)))

/** The account's storage stands for the reader's. */
const PLACES = {
  aws: `s3://${awsBucket(AWS_ACCOUNT, 'us-east-1')}`,
  gcp: `gs://${gcpBucket('tpi-lab', 'us-central1')}`,
  az: `az://${ACCOUNT}/${CONTAINER}`,
}
const inOurs = (line: string, cloud: keyof typeof PLACES): string =>
  line.replace(/ --storage \S+/, ` --storage ${PLACES[cloud]}/experiments`)

/** A record never finishes, so commands do not wait for it; with only a storage, this computer is the machine. */
const detached = (line: string): string => (line.includes(' --storage ') ? line : line.replace(/^tpi task /, 'tpi task --detach '))

describe.each(Object.values(LABS))('$cloud', ({ cloud, start }) => {
  let lab: RunningLab | undefined
  let w: World
  onLab(
    async () => start(),
    (ground) => {
      ;({ lab, w } = ground)
    },
  )

  /** Runs the line in a shell whose `tpi` is the one under test, in a folder with the page's training script. */
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

  /** Lines that did not end as they should, and the account as it was before the first task: what earlier lines made stays. */
  async function giveAll(lines: readonly string[]): Promise<{ readonly wrong: readonly string[]; readonly before: readonly string[] }> {
    const wrong: string[] = []
    let before: readonly string[] | undefined
    for (const line of lines) {
      if (verbOf(line) === 'task') before ??= await lab?.inventory()
      const { status, said } = await give(inOurs(detached(line), cloud))
      if (status !== (ENDS[verbOf(line)] ?? EXIT.ok)) wrong.push(`${line}: ${status}: ${said}`)
    }
    return { wrong, before: before ?? (await lab?.inventory()) ?? [] }
  }

  test('every line of its page works, in order, and then nothing of the run is left', async () => {
    if (!lab) return expect(process.env['CI']).toBeUndefined()
    await w.write('p/train.py', 'print(1)\n')
    // Lines with an ellipsis leave out what the text around them says.
    const lines = inOrder(inPage(PAGES[cloud])).filter((line) => !line.includes('…') && line !== 'tpi task --resume')
    expect(lines.filter((line) => !ORDER.includes(verbOf(line)))).toEqual([])
    expect(lines.map(verbOf)).toEqual(expect.arrayContaining(['permissions', 'doctor', 'task']))
    const { wrong, before } = await giveAll(lines)
    expect(wrong).toEqual([])
    const { status, said } = await give(`tpi destroy fit --cloud ${cloud} --discard`)
    expect({ status, said }).toEqual({ status: EXIT.ok, said: expect.stringContaining('fit') })
    await untilSame('the account is as before', async () => lab?.inventory(), before)
  })

  test('so does every line of the other pages that names it, but for a few', async () => {
    if (!lab) return expect(process.env['CI']).toBeUndefined()
    await w.write('p/train.py', 'print(1)\n')
    await w.write('p/train.sh', '#!/bin/sh\npython3 train.py\n')
    chmodSync(join(w.work, 'p/train.sh'), 0o755)
    const stored = await lab.stored()
    const own = new Set(inPage(PAGES[cloud]))
    const lines = inOrder(ALL.flatMap(inPage)).filter((line) => NAMED[cloud].test(line) && !own.has(line))
    const left = lines.filter(whyNot)
    console.info([`${cloud}: not given here:`, ...left.map((line) => `${line}: ${whyNot(line)}`)].join('\n  '))
    const given = lines.filter((line) => !whyNot(line))
    expect(given.filter((line) => !ORDER.includes(verbOf(line)))).toEqual([])
    expect(given.length).toBeGreaterThan(0)
    const { wrong, before } = await giveAll(given)
    expect(wrong).toEqual([])
    if (given.some((line) => line.includes(` --cloud ${cloud} `))) {
      const { status, said } = await give(`tpi destroy --mine --cloud ${cloud} --discard`)
      expect({ status, said: status === EXIT.ok ? '' : said }).toEqual({ status: EXIT.ok, said: '' })
    }
    await untilSame('the account is as before', async () => [await lab?.inventory(), await lab?.stored()], [before, stored])
  })
})
