/** `npm run bench [-- [--quick] NAME…]`: measures, prints, and (when everything was measured in full) writes bench/README.md. */
import { join } from 'node:path'
import { action } from './action.ts'
import { clouds } from './clouds.ts'
import { files } from './files.ts'
import { type Bench, openGround } from './ground.ts'
import { k8s } from './k8s.ts'
import { large } from './large.ts'
import { logs } from './logs.ts'
import { verdict } from './measure.ts'
import { memory } from './memory.ts'
import { notice } from './notice.ts'
import { load, machine, type Section, writePage } from './page.ts'
import { runner } from './runner.ts'
import { start } from './start.ts'

const BENCHES: readonly Bench[] = [start, action, files, large, logs, notice, memory, runner, clouds, k8s]

const given = process.argv.slice(2)
const quick = given.includes('--quick')
const wanted = given.filter((word) => word !== '--quick')
const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench.name === name))
if (unknown.length > 0) {
  console.error(`no bench "${unknown.join('", "')}": there are ${BENCHES.map(({ name }) => name).join(', ')}`)
  process.exit(64)
}

const before = load()
console.log(`${machine()}, load average ${before}${quick ? '; small sizes: the numbers mean nothing' : ''}`)
const sections: Section[] = []
let failed = 0
for (const bench of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue
  console.log(`── ${bench.name}: ${bench.title}`)
  const ground = await openGround(quick, (text) => console.log(`  … ${text}`))
  try {
    const rows = await bench.run(ground)
    for (const row of rows) console.log(`  ${[row.what, row.seen, row.limit, row.peer, verdict(row)].filter(Boolean).join(' | ')}`)
    sections.push({ title: bench.title, rows, notes: bench.notes })
  } catch (error) {
    failed++
    console.error(`  ${bench.name} could not be measured:`, error)
  } finally {
    await ground.close()
  }
}
if (wanted.length === 0 && !quick && failed === 0) await writePage(join(import.meta.dirname, 'README.md'), sections, { before })
// Times are only reported, and do not affect the exit code: a busy machine is no defect.
process.exit(failed === 0 ? 0 : 1)
