/** The job summary of real runs, drawn as a forge draws it. Set TPI_TEST_PICTURES to a folder to get the pictures. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { summaryOf } from '../../src/report/summary.ts'
import { at, report, status } from '../report/a-run.ts'
import { browser, type Page, render } from './page.ts'
import { startStep } from './step-runner.ts'

/** The mermaid versions that forges use, as far as is known: the last of one major version, and the next. */
const MERMAIDS = ['11.17.2', '12.3.0'] as const
const FAST = { TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '3s', TPI_RESERVE: '5s' }

const program = browser()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-page-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

async function summary(inputs: Readonly<Record<string, string>>): Promise<string> {
  const step = { folder, inputs: { mode: 'task', ...inputs }, env: FAST }
  return (await startStep('main', step).end).summary
}

async function draw(name: string, markdown: string, mermaid: string): Promise<Page> {
  const place = join(folder, `${name}-${mermaid}`)
  const page = await render(program ?? '', place, markdown, mermaid)
  const pictures = process.env['TPI_TEST_PICTURES']
  if (pictures) {
    mkdirSync(pictures, { recursive: true })
    copyFileSync(join(place, 'page.png'), join(pictures, `${name}-${mermaid}.png`))
  }
  return page
}

/** The charts exist, have a size, and nothing of them is cut off. */
function sound({ diagrams, foreign }: Page, count: number): void {
  expect(diagrams.map(({ error }) => error).filter(Boolean)).toEqual([])
  expect(diagrams).toHaveLength(count)
  for (const { width, height, outside } of diagrams) {
    expect(width).toBeGreaterThan(300)
    expect(height).toBeGreaterThan(40)
    expect(outside).toEqual([])
  }
  expect(foreign).toEqual([])
}

describe('the summary', () => {
  test('of a success: result, the words of the program, its attempts, the log', async () => {
    if (!program) return
    const script =
      'echo "accuracy=0.93" >> "$TPI_OUTPUT"; printf "## Scores\\n\\n| a | b |\\n| - | - |\\n| 1 | 2 |\\n" >> "$TPI_SUMMARY"; echo "a | b <b>x</b>"'
    const page = await draw('success', await summary({ name: 'good', script, parallelism: '2' }), MERMAIDS[0])
    sound(page, 0)
    expect(page.headings).toEqual(['✅ good: success', 'Slot 0', 'Scores', 'Slot 1', 'Scores'])
    expect(page.facts).toMatchObject({
      'exit code': '0',
      cost: 'none: the machines cost nothing',
      'lost work': 'no interruption',
    })
    expect(page.folded).toEqual(['Log of slot 0', 'Log of slot 1'])
    expect(page.open).toEqual([])
  }, 120_000)

  test('of a failure: the log open, what is kept, whatever the program printed', async () => {
    if (!program) return
    const hostile = 'printf "</details><script>alert(1)</script>\\n\\`\\`\\`\\n# big\\n%%{init: {}}%%\\n"'
    const page = await draw('failure', await summary({ name: 'bad', script: `${hostile}; exit 7`, retries: '1' }), MERMAIDS[0])
    sound(page, 0)
    expect(page.headings).toEqual(['❌ bad: script-failed'])
    expect(page.facts).toMatchObject({ 'exit code': '7' })
    // Each fact appears once.
    expect(page.facts).not.toHaveProperty('why')
    expect(page.folded).toEqual(['Log', 'What is kept, and how to use or remove it'])
    expect(page.open).toEqual(['Log'])
  }, 120_000)

  // No test waits for a minute: this run is made up, and drawn like any other.
  test.each(MERMAIDS)(
    'of a run over two minutes: time line and load, by mermaid %s',
    async (mermaid) => {
      if (!program) return
      const samples = Array.from({ length: 30 }, (_, n) => ({ at: at(n * 5), cpu: n / 30, cores: 4, memory: 5e8, memoryTotal: 1e9 }))
      const markdown = summaryOf(
        report({
          status: status({}, 2),
          samples: new Map([
            [0, samples],
            [1, samples],
          ]),
        }),
      )
      const page = await draw('charts', markdown, mermaid)
      sound(page, 3)
      expect(page.diagrams[0]?.text).toMatch(/attempt 1.*attempt 2.*slot 0.*slot 1/)
      expect(page.diagrams[1]?.text).toMatch(/slot 0 - CPU blue, memory red.*minutes/)
      expect(page.folded).toEqual(['Attempts', 'CPU and memory'])
    },
    120_000,
  )
})
