/** Prints what a workflow downloads: the size of every built file, raw and compressed, and the whole tracked tree as one archive. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

const kilobytes = (bytes: number): string => `${(bytes / 1e3).toFixed(1).padStart(9)} kB`

const names = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(DIST, name)).isFile())
const rows = names.map((name) => {
  const bytes = readFileSync(join(DIST, name))
  return { name, raw: bytes.length, packed: gzipSync(bytes).length }
})
for (const { name, raw, packed } of rows.sort((a, b) => b.raw - a.raw)) console.log(`${kilobytes(raw)}  ${kilobytes(packed)}  ${name}`)
const sum = (field: 'raw' | 'packed'): number => rows.reduce((total, row) => total + row[field], 0)
console.log(`${kilobytes(sum('raw'))}  ${kilobytes(sum('packed'))}  dist`)

const archive = spawnSync('git', ['archive', '--format=tar.gz', 'HEAD'], { cwd: ROOT, maxBuffer: 1 << 30 })
if (archive.status === 0) console.log(`${' '.repeat(14)}${kilobytes(archive.stdout.length)}  tracked tree (tar.gz)`)
