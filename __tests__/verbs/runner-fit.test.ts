/** Requests for runners that would be gone before a job comes. */
import { expect, test } from '@jest/globals'
import { rootWarning } from '../../src/verbs/runner/fit.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
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
  const kept = (env: Record<string, string>, url: string): string | undefined =>
    fleetingStore({ env, engine: { home: '/h' } as VerbContext['engine'] }, url)
  const hosted = { GITHUB_ACTIONS: 'true', RUNNER_ENVIRONMENT: 'github-hosted', TPI_HOME: '/h' }
  expect(kept(hosted, 'dir:///h/store')).toBe('hosted machine')
  expect(kept(hosted, 's3://bucket')).toBeUndefined()
  // A home or a storage that was named for a container may be a volume.
  const pod = { GITLAB_CI: 'true', KUBERNETES_SERVICE_HOST: '10.0.0.1' }
  expect(kept(pod, 'dir:///h/store')).toBe('container')
  expect(kept({ ...pod, TPI_HOME: '/h' }, 'dir:///h/store')).toBeUndefined()
  expect(kept(pod, 'dir:///mnt/runs')).toBeUndefined()
})

test('root is told that jobs run as root, and how to avoid that', () => {
  expect(rootWarning(false, { SUDO_USER: 'ann' })).toEqual([])
  expect(rootWarning(true, { SUDO_USER: 'ann' })).toEqual([expect.stringMatching(/this is root, .* without sudo, as ann$/)])
  for (const env of [{}, { SUDO_USER: 'root' }])
    expect(rootWarning(true, env)).toEqual([expect.stringMatching(/the whole host; start them as an unprivileged user$/)])
})
