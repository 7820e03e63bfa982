import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { writerIsDead, writerMark } from '../../src/lib/temp-name.ts'

test('a living process is no dead writer; an ended one is; one on another host may be alive', () => {
  expect(writerIsDead(`${writerMark()}-more`)).toBe(false)
  const module = join(import.meta.dirname, '../../src/lib/temp-name.ts')
  const { stdout } = spawnSync(process.execPath, ['-e', `import(${JSON.stringify(module)}).then((m) => console.log(m.writerMark()))`], {
    encoding: 'utf8',
  })
  const mark = stdout.trim()
  expect(mark).toMatch(/^[0-9a-f]{12}-\d+\.[0-9a-f]{12}$/)
  expect(writerIsDead(mark)).toBe(true)
  expect(writerIsDead(mark.replace(/^.{12}/, '0'.repeat(12)))).toBe(false)
  expect(writerIsDead('anything')).toBe(false)
})

test('a pid that belongs to another process by now is not mistaken for the writer', () => {
  expect(writerIsDead(writerMark().replace(/.{12}$/, '0'.repeat(12)))).toBe(true)
})
