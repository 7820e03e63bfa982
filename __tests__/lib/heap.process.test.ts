/** Effects of engine settings, in a separate process because they hold for the whole process. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const HEAP = join(import.meta.dirname, '../../src/lib/heap.ts')

/** How often such a process collects its young generation while forty megabytes of lasting objects pile up. */
async function looks(how: string): Promise<number> {
  const program = `
import { keepHeapSmall, loadedAtOnce } from ${JSON.stringify(HEAP)}
const kept = []
const pile = async () => { for (let n = 0; n < 400; n++) kept.push(Array.from({ length: 2000 }, (_, k) => ({ n, k }))) }
keepHeapSmall()
${how}`
  const argv = ['--trace-gc', '--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, argv)
  return stdout.match(/Scavenge/g)?.length ?? 0
}

test('while a large program is loaded the engine collects its young generation rarely; afterwards it keeps that small again', async () => {
  const [small, atOnce, afterwards] = await Promise.all([
    looks('await pile()'),
    looks('await loadedAtOnce(pile)'),
    looks('await loadedAtOnce(async () => undefined); await pile()'),
  ])
  expect({ atOnce: atOnce * 4 <= small, afterwards: afterwards >= small * 0.9 }).toEqual({ atOnce: true, afterwards: true })
})

test('a failed load leaves the young generation small, too', async () => {
  const [small, failed] = await Promise.all([
    looks('await pile()'),
    looks('await loadedAtOnce(async () => { throw new Error() }).catch(() => undefined); await pile()'),
  ])
  expect(failed).toBeGreaterThanOrEqual(small * 0.9)
})
