/** Requests for runners that would be gone before a job comes. */
import { expect, test } from '@jest/globals'
import { fleetingHost, rootWarning } from '../../src/verbs/runner/fit.ts'

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

test('root is told that jobs run as root, and how to avoid that', () => {
  expect(rootWarning(false, { SUDO_USER: 'ann' })).toEqual([])
  expect(rootWarning(true, { SUDO_USER: 'ann' })).toEqual([expect.stringMatching(/this is root, .* without sudo, as ann$/)])
  for (const env of [{}, { SUDO_USER: 'root' }])
    expect(rootWarning(true, env)).toEqual([expect.stringMatching(/the whole host; start them as an unprivileged user$/)])
})
