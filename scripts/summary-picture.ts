/**
 * The summary of a step as a forge shows it: `node scripts/summary-picture.ts` runs the built action on the demo's training, reclaims its machine
 * once, and draws docs/summary.png.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browser, render } from '../__tests__/lab/page.ts'
import { startStep } from '../__tests__/lab/step-runner.ts'

const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'tpi-summary-'))
const program = browser()
if (program === undefined) throw new Error('a Chromium is needed')
try {
  const inputs = {
    name: 'penguins',
    workdir: join(ROOT, 'examples/penguins'),
    output: 'results/**',
    'output-dir': join(folder, 'results'),
    env: 'SEED=7\nEPOCHS=450',
    'checkpoint-interval': '1s',
    rehearse: '45s',
    artifact: 'false',
    script: "node train.mjs | grep --line-buffered -E 'learning|resuming|[05]0/'",
  }
  const { summary } = await startStep('main', { folder, inputs }).end
  await render(program, folder, summary, '11.17.2')
  copyFileSync(join(folder, 'page.png'), join(ROOT, 'docs/summary.png'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
