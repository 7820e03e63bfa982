// Reads jest reports.
//   report.mjs failed REPORT             the test files that did not pass, a line each
//   report.mjs late REPORT               the files that were not begun because time was short (__tests__/setup/in-time.mjs), with the reason, a line each
//   report.mjs retried REPORT            the tests that passed only at their second try (__tests__/setup/slow.ts), a line each
//   report.mjs why REPORT                the same and those that failed, each with the errors of its tries
//   report.mjs count CODE REPORT         "passed failed skipped"; CODE is jest's exit code
//   report.mjs count CODE REPORT SECOND  the same, if the files that failed were run once more: for them, the second run counts
//   report.mjs minutes REPORT...         how long the files of each kind took, added up: "process 22 · lab 21 · ...", as the table in .ci/run has it
// A suite that could not run, or a run that ended badly without a failed test, is a failure.
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const [, , question, ...rest] = process.argv
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const inTests = (path) => path.replace(/^.*\/__tests__\//, '')
const badFiles = (report) => report.testResults.filter((file) => file.status === 'failed').map((file) => file.name)

function count(code, first, second) {
  const failed = first.numFailedTests + first.numRuntimeErrorTestSuites
  if (failed === 0) return [first.numPassedTests, code !== '0' || !first.success ? 1 : 0, first.numPendingTests + first.numTodoTests]
  if (!second) return [first.numPassedTests, failed, first.numPendingTests + first.numTodoTests]
  const kept = first.testResults.filter((file) => file.status !== 'failed').flatMap((file) => file.assertionResults)
  const of = (status) => kept.filter((test) => test.status === status).length
  return [
    of('passed') + second.numPassedTests,
    second.numFailedTests + second.numRuntimeErrorTestSuites,
    of('pending') + of('todo') + second.numPendingTests + second.numTodoTests,
  ]
}

function late(report) {
  const files = report.testResults.filter((file) => file.assertionResults.some(({ title }) => title.startsWith('not begun: ')))
  return files.map((file) => `skipped: ${inTests(file.name)}: ${file.assertionResults[0].title}`)
}

const testsOf = (report) =>
  report.testResults.flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ ...test, file: inTests(name) })))
const neededTwo = ({ status, invocations }) => status === 'passed' && invocations > 1

const retried = (report) =>
  testsOf(report)
    .filter(neededTwo)
    .map(({ file, fullName }) => `passed at the second try: ${file}: ${fullName}`)

/** Characters of each error. */
const MOST = 4000

function why(report) {
  const tests = testsOf(report).filter((test) => test.status === 'failed' || neededTwo(test))
  const broken = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
  return [
    ...tests.flatMap(({ file, fullName, retryReasons = [], failureMessages = [] }) => [
      `${file}: ${fullName}`,
      ...retryReasons,
      ...failureMessages,
    ]),
    ...broken.flatMap(({ name, message }) => [inTests(name), message]),
  ].map((text) => stripVTControlCharacters(text).slice(0, MOST))
}

/** Kinds of CONTRIBUTING.md, the clouds one by one. The first that fits counts. */
const KINDS = [
  ['cluster', /^lab\/k8s-/],
  ['aws', /^lab\/aws[/-]/],
  ['gcp', /^lab\/gcp[/-]/],
  ['az', /^lab\/az[/-]/],
  ['machines that boot', /^lab\/(vm\/|smoke-clouds)/],
  ['lab', /^(lab|e2e)\//],
  ['storm', /^storm\//],
  ['process', /\.process\.test\.ts$/],
  ['unit', /./],
]

function minutes(reports) {
  const took = new Map(KINDS.map(([name]) => [name, 0]))
  for (const { name, startTime, endTime } of reports.flatMap((report) => report.testResults)) {
    const [kind] = KINDS.find(([, files]) => files.test(inTests(name)))
    took.set(kind, took.get(kind) + (endTime - startTime) / 60_000)
  }
  return [...took].flatMap(([kind, sum]) => (sum === 0 ? [] : `${kind} ${Math.round(sum)}`)).join(' · ')
}

const ANSWERS = {
  failed: (report) => badFiles(read(report)),
  late: (report) => late(read(report)),
  retried: (report) => retried(read(report)),
  why: (report) => why(read(report)),
  count: (code, ...reports) => [count(code, ...reports.map(read)).join(' ')],
  minutes: (...reports) => [minutes(reports.map(read))],
}
for (const line of ANSWERS[question](...rest)) console.log(line)
