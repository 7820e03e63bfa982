/**
 * Runs a test file, unless it can no longer end in time, and not for ever. With these environment variables; without them, every file is run to its end:
 * - `TPI_TEST_UNTIL`: the second (since 1970) by which all files should be done. A file that is therefore not started counts as one skipped test, with
 *   this reason.
 * - `TPI_TEST_CUT`: the second at which a file that still runs counts as one failed test, with the name of the test that does not end, so that the
 *   results of all other files are reported.
 * - `TPI_TEST_SLOWNESS`: by which factor this machine is slower than usual.
 */
import jestCircus from 'jest-circus/runner'
import { seconds } from './longest-first.mjs'

const { TPI_TEST_UNTIL = 'Infinity', TPI_TEST_CUT = 'Infinity', TPI_TEST_SLOWNESS = '1' } = process.env
const secondsTo = (time) => Number(time) - Date.now() / 1000

export default async function inTime(globalConfig, config, environment, runtime, path, sendMessageToJest) {
  const left = secondsTo(TPI_TEST_UNTIL)
  const needed = seconds(path) * Number(TPI_TEST_SLOWNESS)
  if (needed >= left) return only(path, 'pending', `not begun: ${Math.max(0, Math.round(left))} s are left, and it needs about ${needed} s`)
  let running = 'before its first test'
  const tell = (event, [file, about]) => {
    if (event === 'test-case-start') running = about.fullName
    sendMessageToJest?.(event, [file, about])
  }
  const whole = jestCircus.default(globalConfig, config, environment, runtime, path, tell)
  if (TPI_TEST_CUT === 'Infinity') return await whole
  const cut = Promise.withResolvers()
  const timer = setTimeout(
    () => cut.resolve(only(path, 'failed', `given up, because it did not end: ${running}`)),
    1000 * Math.max(0, secondsTo(TPI_TEST_CUT)),
  )
  return await Promise.race([whole, cut.promise]).finally(() => clearTimeout(timer))
}

/** The result of a file with a single test. */
function only(path, status, title) {
  const now = Date.now()
  const isFailed = status === 'failed'
  return {
    leaks: false,
    numFailingTests: isFailed ? 1 : 0,
    numPassingTests: 0,
    numPendingTests: isFailed ? 0 : 1,
    numTodoTests: 0,
    openHandles: [],
    perfStats: { start: now, end: now, runtime: 0, slow: false },
    skipped: !isFailed,
    snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
    testFilePath: path,
    ...(isFailed && { failureMessage: title }),
    testResults: [
      {
        ancestorTitles: [],
        duration: 0,
        failureDetails: [],
        failureMessages: isFailed ? [title] : [],
        fullName: title,
        location: null,
        numPassingAsserts: 0,
        retryReasons: [],
        status,
        title,
      },
    ],
  }
}
