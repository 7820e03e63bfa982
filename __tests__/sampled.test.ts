/** CI plays only a sample of the longest suites: the two machines of a commit play different ones, and first the clouds that it touched. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const ROOT = join(import.meta.dirname, '..')
const COMMIT = 0xc0c807
const FIRST = { TPI_STORM_SEED: String(COMMIT) }
/** As `.ci/run 2` sets it. */
const SECOND = { TPI_STORM_SEED: String(COMMIT + 2 ** 24 + 1) }

const LETTERS = 'abcdefghij'.split('')
const SAMPLES = `
import { sampled, sampledBy, sampledCloud, sampledPart } from './__tests__/storm/random.ts'
const letters = ${JSON.stringify(LETTERS)}
const declared = []
letters.forEach((letter) => sampledBy((title) => declared.push(title))(letter))
const clouds = sampledCloud({ aws: 'aws', gcp: 'gcp', az: 'az' })
console.log(JSON.stringify({ clouds, one: sampled(letters), part: sampledPart(letters), half: sampledPart(letters.slice(1), 2), alone: sampled(['a']), declared }))`

type Samples = Readonly<Record<'clouds' | 'one' | 'part' | 'half' | 'alone' | 'declared', readonly string[]>>

function samples(env: Readonly<Record<string, string>>): Samples {
  const words = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', SAMPLES]
  const { stdout } = spawnSync(process.execPath, words, { cwd: ROOT, env, encoding: 'utf8' })
  return JSON.parse(stdout) as Samples
}

test('the second machine plays another sample of the same size; two halves are the whole', () => {
  const first = samples(FIRST)
  const second = samples(SECOND)
  const sizes = ({ clouds, one, part, half }: Samples): readonly number[] => [clouds, one, part, half].map(({ length }) => length)
  expect([sizes(first), sizes(second)]).toEqual([
    [1, 1, 4, 5],
    [1, 1, 4, 4],
  ])
  const both = (kind: keyof Samples): readonly string[] => [...first[kind], ...second[kind]].toSorted()
  for (const kind of ['clouds', 'one', 'part', 'half', 'declared'] as const)
    expect([kind, new Set(both(kind)).size]).toEqual([kind, both(kind).length])
  expect([both('half'), both('declared')]).toEqual([LETTERS.slice(1), LETTERS])
  // What cannot be shared is played by both.
  expect(both('alone')).toEqual(['a', 'a'])
})

test.each(['aws', 'gcp', 'az'])('the first machine plays the cloud that the commit touched: %s', (cloud) => {
  expect(samples({ ...FIRST, TPI_STORM_CLOUDS: cloud }).clouds).toEqual([cloud])
})

test('two clouds that the commit touched are both played', () => {
  const clouds = [FIRST, SECOND].flatMap((env) => samples({ ...env, TPI_STORM_CLOUDS: 'aws az' }).clouds)
  expect(clouds.toSorted()).toEqual(['aws', 'az'])
})

test('all is played without a seed, and if the whole is asked for', () => {
  const all = { clouds: ['aws', 'gcp', 'az'], one: LETTERS, part: LETTERS, half: LETTERS.slice(1), alone: ['a'], declared: LETTERS }
  expect([samples({}), samples({ ...SECOND, TPI_STORM_WHOLE: 'true' })]).toEqual([all, all])
})

test('a part that CI does not have is refused before anything is played', () => {
  const { status, stderr, stdout } = spawnSync(join(ROOT, '.ci/run'), ['3'], { cwd: ROOT, encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([64, '', '.ci/run: there is no part "3"; give 1, 2, whole, or nothing\n'])
})
