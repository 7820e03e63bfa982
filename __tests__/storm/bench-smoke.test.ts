/** `npm run bench` works: every bench runs once, with small sizes, and prints a result. Speed is not judged here. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { sampledPart } from './random.ts'

const ROOT = join(import.meta.dirname, '../..')
const README = join(ROOT, 'bench/README.md')

const pageNow = (): string => (existsSync(README) ? readFileSync(README, 'utf8') : '')
const bench = (args: readonly string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'bench/run.ts'), ...args], { cwd: ROOT, encoding: 'utf8' })

/** All except those that start a cluster or machines of their own. */
const REHEARSED = ['start', 'action', 'files', 'large', 'logs', 'notice', 'memory', 'runner']

test('a rehearsal measures what it is told to and leaves the page alone', () => {
  const names = sampledPart(REHEARSED)
  const page = pageNow()
  const { status, stdout, stderr } = bench(['--quick', ...names])
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('could not be measured') })
  const said = stdout.split(/^── /m).slice(1)
  expect(said.map((section) => section.split(':')[0])).toEqual(names)
  for (const section of said) expect(section).toMatch(/ \| (met|missed)$|not measured/m)
  expect(stdout).not.toContain('NaN')
  expect(pageNow()).toBe(page)
}, 400_000)

test('an unknown name is refused with the known ones', () => {
  const { status, stderr } = bench(['speed'])
  expect(status).toBe(64)
  expect(stderr).toContain(`no bench "speed": there are ${[...REHEARSED, 'clouds', 'k8s'].join(', ')}`)
})
