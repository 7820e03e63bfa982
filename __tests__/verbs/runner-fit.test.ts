/** Requests for runners that would be gone before a job comes. */
import { expect, test } from '@jest/globals'
import { rootWarning } from '../../src/verbs/runner/fit.ts'
import { fleetingHost, fleetingStore } from '../../src/verbs/shared/fleeting-host.ts'

const without = (): boolean => false
const docker = (path: string): boolean => path === '/.dockerenv'

test.each([
  ['a hosted machine', { GITHUB_ACTIONS: 'true', RUNNER_ENVIRONMENT: 'github-hosted' }, without, 'hosted machine'],
  ['a machine of your own', { GITHUB_ACTIONS: 'true', RUNNER_ENVIRONMENT: 'self-hosted' }, without, undefined],
  ['a container on it', { GITHUB_ACTIONS: 'true', RUNNER_ENVIRONMENT: 'self-hosted' }, docker, 'container'],
  ['a container of GitLab', { GITLAB_CI: 'true' }, docker, 'container'],
  ['a pod of GitLab', { GITLAB_CI: 'true', KUBERNETES_SERVICE_HOST: '10.0.0.1' }, without, 'container'],
  ['a shell of GitLab', { GITLAB_CI: 'true' }, without, undefined],
  ['a container that somebody keeps', {}, docker, undefined],
])('%s', (_, env, exists, expected) => {
  expect(fleetingHost(env, exists)).toBe(expected)
})

test('what is kept goes with a hosted machine if it is in a folder there', () => {
  const env = { GITHUB_ACTIONS: 'true', RUNNER_ENVIRONMENT: 'github-hosted', TPI_HOME: '/h' }
  expect(fleetingStore({ env }, 'dir:///h/store')).toBe('hosted machine')
  expect(fleetingStore({ env }, 's3://bucket')).toBeUndefined()
  // A home that was named for a container may be a volume.
  expect(
    fleetingStore({ env: { GITLAB_CI: 'true', KUBERNETES_SERVICE_HOST: '10.0.0.1', TPI_HOME: '/h' } }, 'dir:///h/store'),
  ).toBeUndefined()
})

test('root is told that jobs run as root, and how to avoid that', () => {
  expect(rootWarning(false, { SUDO_USER: 'ann' })).toEqual([])
  expect(rootWarning(true, { SUDO_USER: 'ann' })).toEqual([expect.stringMatching(/this is root, .* without sudo, as ann$/)])
  for (const env of [{}, { SUDO_USER: 'root' }])
    expect(rootWarning(true, env)).toEqual([expect.stringMatching(/the whole host; start them as an unprivileged user$/)])
})
