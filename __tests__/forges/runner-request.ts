import type { RunnerRequest } from '../../src/core/forge.ts'

/** One runner for one job; `own`: what the test is about. */
export const runnerRequest = (own: Partial<RunnerRequest> = {}): RunnerRequest => ({
  places: [{ slot: 0, k: 0, name: 'tpi-x-0-0' }],
  labels: ['gpu'],
  jobs: 1,
  idle: null,
  env: {},
  platform: { os: 'linux', arch: 'x64' },
  deadline: '2030-01-02T00:00:00.000Z',
  ...own,
})
