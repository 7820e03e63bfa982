// "passed failed skipped" of a jest report. A suite that could not run, or a run that ended badly without a failed test, is a failure.
import { readFileSync } from 'node:fs'

const [, , file, code] = process.argv
const report = JSON.parse(readFileSync(file, 'utf8'))
const failed = report.numFailedTests + report.numRuntimeErrorTestSuites
const broken = failed === 0 && (code !== '0' || !report.success)
console.log(report.numPassedTests, broken ? 1 : failed, report.numPendingTests + report.numTodoTests)
