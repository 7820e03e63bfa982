/** Records `npm run demo` and draws it as a moving picture, at twice its speed: `node scripts/demo-picture.ts > docs/demo.svg`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = join(import.meta.dirname, '..')
const ROWS = 22
const COLUMNS = 100
const LINE = 18
const CHARACTER = 7.83
const MARGIN = 14
const SPEED = 2
/** Seconds that the last frame stays. */
const REST = 6

interface Line {
  /** Seconds from the start. */
  readonly at: number
  readonly text: string
  readonly colour: string
}

const PROMPT = '#e5c07b'

/** The first pattern that matches decides; output of the script itself matches none. */
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^>>>|was interrupted|reclaimed/, PROMPT],
  [/^(?:succeeded|── penguins: success|outcome: success|all as it should)/, '#98c379'],
  [/^(?:epoch|learning|resuming|done)/, '#e6e6e6'],
  [/./, '#8b95a5'],
]

async function record(): Promise<Line[]> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/demo.ts')], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const began = performance.now()
  const lines: Line[] = [{ at: 0, text: '$ npm run demo', colour: PROMPT }]
  for await (const text of createInterface({ input: child.stdout })) {
    const plain = text.replaceAll(ROOT, '.')
    const colour = COLOURS.find(([pattern]) => pattern.test(plain))?.[1] ?? '#e6e6e6'
    // Breaks lines like a terminal.
    for (let from = 0; from < plain.length; from += COLUMNS)
      lines.push({ at: (performance.now() - began) / 1000 / SPEED, text: plain.slice(from, from + COLUMNS), colour })
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`the demo ended with ${String(code)}`)
  return lines
}

function draw(lines: readonly Line[]): string {
  const whole = (lines.at(-1)?.at ?? 0) + REST
  const percent = (at: number): string => `${((at / whole) * 100).toFixed(2)}%`
  const width = Math.ceil(COLUMNS * CHARACTER + 2 * MARGIN)
  const height = ROWS * LINE + 2 * MARGIN
  const scrolls = lines
    .map(({ at }, index) => ({ at, up: Math.max(0, index + 1 - ROWS) * LINE }))
    .filter(({ up }) => up > 0)
    .map(({ at, up }) => `${percent(at)}{transform:translateY(-${up}px)}`)
  const appear = lines.map(
    ({ at }, index) => `@keyframes l${index}{0%{opacity:0}${percent(at)}{opacity:1}}#l${index}{animation-name:l${index}}`,
  )
  const texts = lines.map(
    ({ text, colour }, index) => `<text id="l${index}" y="${(index + 1) * LINE - 4}" fill="${colour}">${escaped(text)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img">
<title>npm run demo: a training whose machine is taken away half-way goes on on another one</title>
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;animation:${whole.toFixed(1)}s step-end infinite}
#all{animation:all ${whole.toFixed(1)}s step-end infinite}
@keyframes all{0%{transform:none}${scrolls.join('')}}
${appear.join('\n')}
</style>
<rect width="100%" height="100%" rx="8" fill="#1e222a"/>
<svg x="${MARGIN}" y="${MARGIN}" width="${width - 2 * MARGIN}" height="${ROWS * LINE}"><g id="all">
${texts.join('\n')}
</g></svg>
</svg>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

process.stdout.write(draw(await record()))
