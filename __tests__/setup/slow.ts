/** Suites on real servers, clusters and clocks: a test that fails on a busy machine gets a second chance, and the first failure is printed. */
import { jest } from '@jest/globals'

jest.retryTimes(1, { logErrorsBeforeRetry: true })
