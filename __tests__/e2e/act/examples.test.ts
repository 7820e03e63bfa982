/** Every example is run unchanged, except those in ELSEWHERE. */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type ActLab, actLab } from '../../lab/act.ts'
import { leaks } from '../../lab/leaks.ts'
import { DIST, succeeded } from '../../lab/step-runner.ts'

const ROOT = join(import.meta.dirname, '../../..')
const EXAMPLES = join(ROOT, 'examples/workflows')

/** Output of each example's last step; in this order, since one collects what another started. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'train.yml': /accuracy 0\.93/,
  'resume-after-reclaim.yml': /epochs 24 in attempts \[(?:[2-9]|[1-9]\d)\]/,
  'matrix.yml': /leg 0\.001 had 0\.001/,
  'parallel.yml': /codes \[0,0,0,0\]/,
  'ignored-data.yml': /the data went along/,
  'metrics-comment.yml': /\| accuracy \| `0\.93` \|/,
  'nightly-start.yml': /nightly runs on its own now/,
  'nightly-collect.yml': /\{"nightly":\{"loss":"0\.2"\}\}/,
  'sweep.yml': /nothing is past its time/,
}

/** Checks that it runs in a copy of the repository, without the action. */
const TRAIN = `import os
os.makedirs('results')
open('results/model', 'w').write('x')
assert not os.path.exists('.tpi-action')
print('trained beside', *sorted(name for name in os.listdir() if name.endswith('.txt')))
`

let lab: ActLab | undefined

beforeAll(async () => {
  lab = await actLab()
  if (lab) cpSync(EXAMPLES, join(lab.repository, '.github/workflows'), { recursive: true })
})

afterAll(() => lab?.remove())

/** One is tested by itself, with a cache; two need an AWS account, and are only checked like every workflow (lab/workflows.test.ts). */
const ELSEWHERE = ['resume-from-cache.yml', 'runners-aws-spot.yml', 'runners-aws-spot-retry.yml']

describe('examples', () => {
  test('all are here', () => {
    expect(
      readdirSync(EXAMPLES)
        .filter((name) => name.endsWith('.yml'))
        .sort(),
    ).toEqual([...Object.keys(PRINTS), ...ELSEWHERE].sort())
  })

  test.each(Object.entries(PRINTS))('%s', async (file, printed) => {
    if (!lab) return
    // Without this, the sweep would look at a cluster.
    const end = await lab.run(file, { vars: { TPI_CLOUD: 'local' } })
    expect(end.printed()).toMatch(printed)
    expect(end.code).toBe(0)
    if (file !== 'nightly-start.yml') expect(await leaks(lab.home)).toEqual([])
    else await succeeded(lab.home, 'nightly')
  })

  test('the nightly collection is green also if nothing has finished', async () => {
    if (!lab) return
    const end = await lab.run('nightly-collect.yml')
    expect(end.printed()).toContain('nothing to collect')
    expect(end.code).toBe(0)
  })
})

test('the workflow of README runs as it is shown', async () => {
  if (!lab) return
  const [, workflow = ''] =
    /```yaml\n(# \.github\/workflows\/train\.yml\n[^]*?)```/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []
  // The runner can check out only this repository, so what that step fetches is put there beforehand.
  const fetches =
    / {6}- uses: actions\/checkout@\S+ # \S+\n {8}with: \{ repository: iterative\/tpi-action, ref: main, path: \.tpi-action \}\n/
  expect(workflow).toMatch(fetches)
  lab.write('.github/workflows/readme.yml', workflow.replace(fetches, ''))
  lab.write('train.py', TRAIN)
  lab.write('requirements.txt', '')
  cpSync(join(ROOT, 'action.yml'), join(lab.repository, '.tpi-action/action.yml'))
  cpSync(DIST, join(lab.repository, '.tpi-action/dist'), { recursive: true })
  const end = await lab.run('readme.yml')
  expect(end.printed()).toMatch(/trained beside requirements\.txt[^]*outcome: success/)
  expect(end.code).toBe(0)
  expect(await leaks(lab.home)).toEqual([])
})

test('our own workflow that uses the action from its checkout runs', async () => {
  if (!lab) return
  for (const path of ['action.yml', 'examples/penguins']) cpSync(join(ROOT, path), join(lab.repository, path), { recursive: true })
  cpSync(DIST, join(lab.repository, 'dist'), { recursive: true })
  cpSync(join(ROOT, '.github/workflows/action.yml'), join(lab.repository, '.github/workflows/action.yml'))
  const end = await lab.run('action.yml')
  expect(end.printed()).toMatch(/as it should be[\s\S]*failed as it should/)
  expect(end.code).toBe(0)
  expect((await leaks(lab.home)).filter((line) => line.startsWith('process'))).toEqual([])
})
