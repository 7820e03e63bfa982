// Tests by kind. `npm test` runs the units and some processes; TPI_TEST names others ("process", "lab", "cluster", "storm", several by comma, or "all").
import { readdirSync } from 'node:fs'

const kind = {
  unit: '/__tests__/(?!e2e/|lab/|storm/)(?!.*\\.process\\.test\\.ts$).*\\.test\\.ts$',
  process: '/__tests__/(?!e2e/|lab/|storm/).*\\.process\\.test\\.ts$',
  lab: '/__tests__/(lab/(?!k8s-)|e2e/).*\\.test\\.ts$',
  cluster: '/__tests__/lab/k8s-.*\\.test\\.ts$',
  storm: '/__tests__/storm/.*\\.test\\.ts$',
}

/** Processes that every contributor's `npm test` starts: one whole run of each kind, in three minutes together with the units. */
const chosen = [
  'agent/(await-deployment|guard|metrics|run)',
  'clouds/local',
  'lib/remove',
  'runner/many-online',
  'snapshot/quiet',
  'stores/transport',
  'task/workdir/(git-folder|what-is-uploaded)',
  'verbs/(doctor|nothing-created|out-of-reach|task|unnamed-workdir)',
]
const everyTime = `/__tests__/(${chosen.join('|')})\\.process\\.test\\.ts$`
const here = readdirSync(new URL('__tests__', import.meta.url), { recursive: true, encoding: 'utf8' })
const gone = chosen.flatMap((pattern) => {
  const [, folder, names] = /^(.+)\/\(?([^()]+)\)?$/.exec(pattern) ?? []
  return (names ?? '').split('|').flatMap((name) => (here.includes(`${folder}/${name}.process.test.ts`) ? [] : [`${folder}/${name}`]))
})
if (gone.length > 0) throw new Error(`jest.config.mjs: no such process tests: ${gone.join(', ')}`)

const asked = process.env['TPI_TEST'] ?? 'unit'
const kinds = asked === 'all' ? Object.keys(kind) : asked.split(',')
const unknown = kinds.filter((name) => !(name in kind))
if (unknown.length > 0)
  throw new Error(`TPI_TEST: no such kind of tests: ${unknown.join(', ')}; there are ${Object.keys(kind).join(', ')}, and all`)
const slow = asked !== 'unit'

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/__tests__/setup/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/scripts/jest-transform.mjs' },
  globalSetup: '<rootDir>/__tests__/setup/programs.ts',
  testRunner: '<rootDir>/__tests__/setup/in-time.mjs',
  testSequencer: '<rootDir>/__tests__/setup/longest-first.mjs',
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/', '<rootDir>/.cache/'],
  testRegex: [...kinds.map((name) => kind[name]), ...(slow ? [] : [everyTime])],
  testPathIgnorePatterns: slow && asked !== 'all' ? [everyTime] : [],
  setupFilesAfterEnv: slow ? ['<rootDir>/__tests__/setup/slow.ts'] : [],
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts'],
  // Quick tests wait now and then, so four share two processors. Tests of a cluster share it; another slow suite needs about a processor.
  maxWorkers: asked === 'cluster' ? 1 : slow ? (Number(process.env['TPI_TEST_SLOWNESS'] ?? 1) > 2.2 ? 1 : 2) : 4,
  // Node keeps the modules of a file of tests for as long as the process lives: one that has grown to this is followed by a new one.
  workerIdleMemoryLimit: '300MB',
  forceExit: true,
  // On a calm machine; `environment.mjs` gives more on any other.
  testTimeout: slow ? 180_000 : 30_000,
}
