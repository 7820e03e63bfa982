/**
 * Runs a test file, unless it can no longer end in time: `TPI_TEST_UNTIL` is the second (since 1970) by which all files should be done. A file that
 * is therefore not started counts as one skipped test, with this reason. Without the variable, every file is run. `TPI_TEST_SLOWNESS`: by
 * which factor this machine is slower than usual.
 */
import jestCircus from 'jest-circus/runner'
import { seconds } from './longest-first.mjs'

export default async function inTime(globalConfig, config, environment, runtime, path, sendMessageToJest) {
  const left = Number(process.env['TPI_TEST_UNTIL'] ?? Number.POSITIVE_INFINITY) - Date.now() / 1000
  const needed = seconds(path) * Number(process.env['TPI_TEST_SLOWNESS'] ?? 1)
  if (needed < left) return jestCircus.default(globalConfig, config, environment, runtime, path, sendMessageToJest)
  const now = Date.now()
  const title = `not begun: ${Math.max(0, Math.round(left))} s are left, and it needs about ${needed} s`
  return {
    leaks: false,
    numFailingTests: 0,
    numPassingTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    openHandles: [],
    perfStats: { start: now, end: now, runtime: 0, slow: false },
    skipped: true,
    snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
    testFilePath: path,
    testResults: [
      {
        ancestorTitles: [],
        duration: 0,
        failureDetails: [],
        failureMessages: [],
        fullName: title,
        location: null,
        numPassingAsserts: 0,
        retryReasons: [],
        status: 'pending',
        title,
      },
    ],
  }
}
