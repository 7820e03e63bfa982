// `npm test` runs everything under __tests__ but the slow suites; `npm run test:slow` runs those alone.
const SLOW = ['/__tests__/e2e/', '/__tests__/lab/', '/__tests__/storm/']
const slow = Boolean(process.env['TPI_TEST_SLOW'])

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/__tests__/setup/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/scripts/jest-transform.mjs' },
  globalSetup: '<rootDir>/__tests__/setup/agent.ts',
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/', '<rootDir>/.cache/'],
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  testPathIgnorePatterns: slow ? [] : SLOW,
  setupFilesAfterEnv: slow ? ['<rootDir>/__tests__/setup/slow.ts'] : [],
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts'],
  testTimeout: slow ? 120_000 : 20_000,
}
