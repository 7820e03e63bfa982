/** The login to a registry belongs to the agent alone, and exists only while an image is fetched. */
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, test } from '@jest/globals'
import { registryOf, withLogin } from '../../../src/agent/vm/registry-login.ts'

test.each([
  ['python:3.13', undefined],
  ['library/python', undefined],
  ['ghcr.io/owner/name:tag', 'ghcr.io'],
  ['localhost:5000/name', 'localhost:5000'],
  ['123456789012.dkr.ecr.us-east-1.amazonaws.com/a/b@sha256:0', '123456789012.dkr.ecr.us-east-1.amazonaws.com'],
])('%s belongs to the registry %s', (image, host) => {
  expect(registryOf(image)).toBe(host)
})

test('an engine finds it in a file that only root can read, which is gone afterwards, also after a failure', async () => {
  let file = ''
  const pulled = withLogin(
    'reg.test/name',
    async (host) => ({ user: `of ${host}`, password: 'secret' }),
    async (env) => {
      file = env['REGISTRY_AUTH_FILE'] ?? ''
      expect(env['DOCKER_CONFIG']).toBe(dirname(file))
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
        auths: { 'reg.test': { auth: Buffer.from('of reg.test:secret').toString('base64') } },
      })
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
      throw new Error('no such image')
    },
  )
  await expect(pulled).rejects.toThrow('no such image')
  expect(file).not.toBe('')
  expect(existsSync(dirname(file))).toBe(false)
})

test('other registries get no login, and a refusal says whose login was used', async () => {
  expect(
    await withLogin(
      'ghcr.io/a/b',
      async () => undefined,
      async (env) => env,
    ),
  ).toEqual({})
  expect(
    await withLogin(
      'python',
      async () => ({ user: 'u', password: 'p' }),
      async (env) => env,
    ),
  ).toEqual({})
  const refused = withLogin(
    'reg.test/a',
    async () => Promise.reject(new Error('403')),
    async (env) => env,
  )
  await expect(refused).rejects.toThrow('the identity of this machine does not log in to reg.test: 403')
})
