/**
 * The main use case on real input, with nothing but this checkout: a small network learns to tell penguins apart on a machine of the local cloud, the
 * machine is reclaimed in the middle, another one continues from the last checkpoint, and the results are delivered to `demo-output/`. Exits with an
 * error if any of this did not happen.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const CLI = join(ROOT, 'dist/cli.js')
const OUTPUT = join(ROOT, 'demo-output')
const NAME = 'penguins'
const EPOCHS = 40
/** The reclaim comes after this epoch. */
const RECLAIM_AFTER = 15

interface Ran {
  readonly code: number
  readonly output: string
}

const home = mkdtempSync(join(tmpdir(), 'tpi-demo-'))

/** Only what a shell would have: no TPI_ setting from outside changes the demo. */
function environment(): NodeJS.ProcessEnv {
  const foreign = Object.entries(process.env).filter(([name]) => !name.startsWith('TPI_') && !name.startsWith('CML_'))
  return { ...Object.fromEntries(foreign), TPI_HOME: home }
}

function tpi(args: readonly string[], onText?: (text: string) => void): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: ROOT,
      env: environment(),
      stdio: ['ignore', 'pipe', onText ? 'pipe' : 'inherit'],
    })
    let output = ''
    const hear = (chunk: string): void => {
      output += chunk
      onText?.(chunk)
    }
    child.stdout?.setEncoding('utf8').on('data', hear)
    child.stderr?.setEncoding('utf8').on('data', hear)
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? (signal ? 128 : 70), output }))
  })
}

/** Runs the training, and reclaims its machine once it has got far enough. */
async function train(): Promise<{ readonly ran: Ran; readonly reclaimed: Ran | undefined }> {
  let reclaim: Promise<Ran> | undefined
  let heard = ''
  const args = ['task', '--cloud', 'local', '--name', NAME, '--workdir', join(ROOT, 'examples/penguins'), '--output', 'results/**']
  const settings = [
    '--output-dir',
    OUTPUT,
    '--env',
    'SEED=7',
    '--env',
    `EPOCHS=${EPOCHS}`,
    '--checkpoint-interval',
    '1s',
    '--timeout',
    '10m',
  ]
  const ran = await tpi([...args, ...settings, '--', 'node', 'train.mjs'], (chunk) => {
    process.stdout.write(chunk)
    heard += chunk
    if (reclaim || !heard.includes(`epoch ${RECLAIM_AFTER}/`)) return
    process.stdout.write(`\n>>> tpi interrupt ${NAME}: the cloud wants its machine back\n\n`)
    reclaim = tpi(['interrupt', NAME])
  })
  return { ran, reclaimed: await reclaim }
}

const faults: string[] = []

function check(what: string, good: boolean, seen = ''): void {
  console.log(`  ${good ? 'ok  ' : 'FAIL'}  ${what}${seen ? `: ${seen}` : ''}`)
  if (!good) faults.push(what)
}

interface Facts {
  readonly outcome: string
  readonly exitCode: number | null
  readonly createdAt: string
  readonly endedAt: string | null
  readonly slots: readonly {
    readonly attempts: readonly { readonly start: string; readonly end?: string; readonly cause?: string; readonly holder: string }[]
    readonly outputs: Readonly<Record<string, string>>
  }[]
}

interface Metrics {
  readonly epochs: number
  readonly accuracy: number
  readonly heldOut: number
  readonly starts: readonly { readonly epoch: number; readonly attempt: number }[]
}

function read(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    check(`${what} is JSON`, false, text.slice(0, 200))
    return undefined
  }
}

/** Epochs that were trained more than once: the cost of the reclaim. */
function repeated(log: string): number {
  const trained = [...log.matchAll(/epoch (\d+)\/\d+ {2}loss/g)].map(([, epoch]) => epoch)
  return trained.length - new Set(trained).size
}

function judgeRun(ran: Ran, facts: Facts | undefined): void {
  const attempts = facts?.slots[0]?.attempts ?? []
  check('the command ended well', ran.code === 0, `exit code ${ran.code}`)
  check('its outcome is success', facts?.outcome === 'success' && facts.exitCode === 0, `${facts?.outcome}, exit code ${facts?.exitCode}`)
  check(
    'a second machine took over',
    attempts.length >= 2,
    `${attempts.length} attempts on ${new Set(attempts.map(({ holder }) => holder)).size} machines`,
  )
  check('the first attempt ended by the reclaim', attempts[0]?.cause === 'interrupted', attempts[0]?.cause)
}

function judgeResults(metrics: Metrics | undefined, facts: Facts | undefined, log: string): void {
  const lost = repeated(log)
  const second = metrics?.starts[1]
  check(`all ${EPOCHS} epochs were trained`, metrics?.epochs === EPOCHS, `${metrics?.epochs}`)
  check(
    'the second machine resumed, it did not start over',
    (second?.epoch ?? 1) > 1,
    second ? `at epoch ${second.epoch}` : 'no second start',
  )
  check('hardly any work was lost', lost <= 3, `${lost} of ${EPOCHS} epochs trained twice`)
  check(
    'it learned',
    (metrics?.accuracy ?? 0) > 0.95,
    `${((metrics?.accuracy ?? 0) * 100).toFixed(1)} % of ${metrics?.heldOut} penguins it never saw`,
  )
  const reported = facts?.slots[0]?.outputs['accuracy']
  check('the output "accuracy" says the same', Number(reported) === Number(metrics?.accuracy.toFixed(4)), reported)
  for (const name of ['confusion.csv', 'accuracy.svg']) check(`results/${name} is there`, existsSync(join(OUTPUT, 'results', name)))
}

function timeLine(facts: Facts | undefined): void {
  const seconds = (from: string, to: string): string => `${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1)} s`
  for (const [at, { start, end, holder, cause }] of (facts?.slots[0]?.attempts ?? []).entries()) {
    const from = seconds(facts?.createdAt ?? start, start)
    console.log(
      `  attempt ${at + 1} on ${holder}: began after ${from}, took ${seconds(start, end ?? facts?.endedAt ?? start)}, ended: ${cause ?? 'exit'}`,
    )
  }
}

async function demo(): Promise<void> {
  const began = performance.now()
  rmSync(OUTPUT, { recursive: true, force: true })
  const { ran, reclaimed } = await train()
  console.log('\n── the demo, checked')
  const facts = read((await tpi(['status', NAME, '--json'])).output, 'status') as Facts | undefined
  timeLine(facts)
  check('the reclaim was delivered', reclaimed?.code === 0, reclaimed ? `exit code ${reclaimed.code}` : 'the training ended before')
  judgeRun(ran, facts)
  const file = join(OUTPUT, 'results/metrics.json')
  check('results came back', existsSync(file), OUTPUT)
  const metrics = existsSync(file) ? (read(readFileSync(file, 'utf8'), 'metrics.json') as Metrics | undefined) : undefined
  judgeResults(metrics, facts, ran.output)
  const left = read((await tpi(['list', '--json'])).output, 'list')
  check('nothing is left behind', Array.isArray(left) && left.length === 0, Array.isArray(left) ? `${left.length} runs` : '')
  console.log(
    `\n${faults.length === 0 ? 'all as it should be' : `${faults.length} things are wrong`}, ${((performance.now() - began) / 1000).toFixed(1)} s; see ${OUTPUT}`,
  )
}

if (!existsSync(CLI)) {
  console.error('dist/cli.js is missing: run "npm run build" first')
  process.exit(1)
}
// Ctrl-C reaches the command as well, which detaches; the code below then removes the run.
process.on('SIGINT', () => undefined)
try {
  await demo()
} finally {
  if (faults.length > 0) await tpi(['destroy', NAME, '--discard'], () => undefined).catch(() => undefined)
  rmSync(home, { recursive: true, force: true })
}
process.exitCode = faults.length === 0 ? 0 : 1
