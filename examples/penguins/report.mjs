// What is left behind when the training is over: numbers, a table, a chart, and a word to whoever started the run.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { SPECIES } from './data.mjs'

const percent = (share) => `${(share * 100).toFixed(1)} %`

export function report({ seed, history, starts, table, accuracy, heldOut }) {
  mkdirSync('results', { recursive: true })
  const last = history.at(-1)
  const metrics = { seed, epochs: history.length, accuracy, loss: last.loss, heldOut, starts }
  writeFileSync('results/metrics.json', `${JSON.stringify(metrics, null, 2)}\n`)
  const rows = [['truth', ...SPECIES], ...table.map((row, at) => [SPECIES[at], ...row])]
  writeFileSync('results/confusion.csv', `${rows.map((row) => row.join(',')).join('\n')}\n`)
  writeFileSync('results/accuracy.svg', chart(history, starts))
  tell(process.env.TPI_OUTPUT, `accuracy=${accuracy.toFixed(4)}\nepochs=${history.length}\n`)
  const lines = rows.map((row) => `| ${row.join(' | ')} |`)
  lines.splice(1, 0, '| --- | --: | --: | --: |')
  tell(
    process.env.TPI_SUMMARY,
    `### Penguins\n\n${percent(accuracy)} of ${heldOut} unseen penguins named rightly after ${history.length} epochs.\n\n${lines.join('\n')}\n`,
  )
}

/** The files exist when tpi runs this; alone on a desk there is nobody to tell. */
function tell(path, text) {
  if (path) appendFileSync(path, text)
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [640, 320, 56, 40, 24]

/** Accuracy on the held-out part by epoch; a dashed line wherever a machine took over. */
function chart(history, starts) {
  const x = (epoch) => LEFT + ((epoch - 1) / Math.max(history.length - 1, 1)) * (WIDTH - LEFT - 16)
  const floor = Math.min(0.9, ...history.map(({ accuracy }) => accuracy))
  const y = (share) => TOP + ((1 - share) / (1 - floor || 1)) * (HEIGHT - TOP - BOTTOM)
  const line = history.map(({ epoch, accuracy }) => `${x(epoch).toFixed(1)},${y(accuracy).toFixed(1)}`).join(' ')
  const ticks = [floor, (1 + floor) / 2, 1].map(
    (share) =>
      `<line x1="${LEFT}" x2="${WIDTH - 16}" y1="${y(share)}" y2="${y(share)}" stroke="#ddd"/><text x="${LEFT - 8}" y="${y(share) + 4}" text-anchor="end">${percent(share)}</text>`,
  )
  const resumed = starts
    .filter(({ epoch }) => epoch > 1)
    .map(
      ({ epoch }) =>
        `<line x1="${x(epoch)}" x2="${x(epoch)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#c60" stroke-dasharray="5 4"/><text x="${x(epoch) + 5}" y="${HEIGHT - BOTTOM - 6}" fill="#c60">resumed on a new machine</text>`,
    )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="16">Penguins named rightly, held-out part, by epoch</text>
${ticks.join('\n')}
${resumed.join('\n')}
<polyline points="${line}" fill="none" stroke="#06c" stroke-width="2"/>
<text x="${LEFT}" y="${HEIGHT - 14}">1</text><text x="${WIDTH - 16}" y="${HEIGHT - 14}" text-anchor="end">${history.length}</text>
</svg>
`
}
