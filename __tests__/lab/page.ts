/** A page of Markdown as a forge shows it: GitHub's flavour, with mermaid diagrams, in a headless Chromium. */
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmPackage } from './npm-package.ts'

export interface Diagram {
  readonly error?: string
  /** Size of the drawing in pixels. */
  readonly width: number
  readonly height: number
  /** All text in it. */
  readonly text: string
  /** What exceeds its edge. */
  readonly outside: readonly string[]
}

export interface Page {
  readonly diagrams: readonly Diagram[]
  readonly headings: readonly string[]
  /** First cell → second cell of the first table. */
  readonly facts: Readonly<Record<string, string>>
  /** Titles of folded sections; `open`: of those that are expanded. */
  readonly folded: readonly string[]
  readonly open: readonly string[]
  /** Elements that forges remove, or that could do harm. */
  readonly foreign: readonly string[]
}

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome']

/** `undefined` if there is no browser; in CI that is an error instead. */
export function browser(): string | undefined {
  const found = CHROMIUM.find((name) => spawnSync(name, ['--version']).status === 0)
  if (found) return found
  if (process.env['CI']) throw new Error('there is no Chromium on PATH')
  process.stderr.write('skipped: there is no Chromium on PATH\n')
  return undefined
}

/** Draws the page, and saves a picture of it as page.png in `folder`. */
export async function render(program: string, folder: string, markdown: string, mermaid: string): Promise<Page> {
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(await npmPackage('mermaid', mermaid), 'dist/mermaid.min.js'), join(folder, 'mermaid.js'))
  copyFileSync(join(await npmPackage('marked', '18.2.1'), 'lib/marked.umd.js'), join(folder, 'marked.js'))
  const file = join(folder, 'page.html')
  writeFileSync(
    file,
    HTML.replace('MARKDOWN', () => JSON.stringify(markdown).replaceAll('<', '\\u003c')),
  )
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${join(folder, 'user')}`]
  const wait = ['--virtual-time-budget=30000', '--window-size=1000,1600']
  const options: ExecFileSyncOptionsWithStringEncoding = {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
    env: { ...process.env, HOME: folder },
  }
  const dom = execFileSync(program, [...flags, ...wait, '--dump-dom', `file://${file}`], options)
  execFileSync(program, [...flags, ...wait, `--screenshot=${join(folder, 'page.png')}`, `file://${file}`], options)
  const [, result] = /<pre id="result">([^<]*)<\/pre>/.exec(dom) ?? []
  if (!result) throw new Error(`the page was not drawn: ${dom.slice(-2000)}`)
  return JSON.parse(Buffer.from(result, 'base64').toString()) as Page
}

const HTML = `<!doctype html>
<meta charset="utf-8">
<style>
  body { font: 14px/1.5 "DejaVu Sans", sans-serif; max-width: 880px; margin: 2em }
  table { border-collapse: collapse; margin-bottom: 16px } td, th { border: 1px solid #d1d9e0; padding: 6px 13px }
  pre { background: #f6f8fa; padding: 1em; overflow: auto } .mermaid { background: none } #result { display: none } ::-webkit-scrollbar { display: none }
</style>
<main></main>
<script src="marked.js"></script>
<script src="mermaid.js"></script>
<script type="module">
  const main = document.querySelector('main')
  main.innerHTML = marked.parse(MARKDOWN, { gfm: true })
  const of = (selector, read) => [...main.querySelectorAll(selector)].map(read)
  const folded = of('details > summary', (it) => it.textContent)
  const open = of('details[open] > summary', (it) => it.textContent)
  for (const it of main.querySelectorAll('details')) it.open = true
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict' })
  const diagrams = []
  for (const code of main.querySelectorAll('code.language-mermaid')) {
    const place = document.createElement('div')
    place.className = 'mermaid'
    code.parentElement.replaceWith(place)
    try {
      const { svg } = await mermaid.render('d' + diagrams.length, code.textContent)
      place.innerHTML = svg
      const drawn = place.querySelector('svg')
      const frame = drawn.getBoundingClientRect()
      const box = drawn.getBBox()
      const texts = [...drawn.querySelectorAll('text')].filter((it) => it.textContent.trim() !== '')
      const outside = texts.filter((it) => {
        const { left, right, top, bottom } = it.getBoundingClientRect()
        return left < frame.left - 2 || right > frame.right + 2 || top < frame.top - 2 || bottom > frame.bottom + 2
      })
      diagrams.push({ width: box.width, height: box.height, text: texts.map((it) => it.textContent).join(' | '), outside: outside.map((it) => it.textContent) })
    } catch (error) {
      diagrams.push({ error: String(error), width: 0, height: 0, text: '', outside: [] })
    }
  }
  const rows = of('table:first-of-type tr', (it) => [...it.cells].map((cell) => cell.textContent))
  const foreign = of('script, iframe, object, form, style:not(.mermaid *), img[onerror]', (it) => it.outerHTML.slice(0, 100))
  const result = { diagrams, headings: of('h1, h2, h3, h4', (it) => it.textContent), facts: Object.fromEntries(rows), folded, open, foreign }
  const pre = document.createElement('pre')
  pre.id = 'result'
  pre.textContent = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(result))))
  document.body.append(pre)
</script>
`
