import { createVerify, generateKeyPairSync } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { appToken } from '../../src/forges/github/auth.ts'
import { github } from '../../src/forges/github/manifest.ts'
import { describeForge } from '../conformance/forge.ts'
import { GithubDouble } from '../lab/github/double.ts'

describeForge(github, { kind: 'repository', name: 'octo/hello' }, async () => {
  const double = await new GithubDouble().start()
  return {
    env: { GITHUB_API_URL: double.url },
    good: 'good',
    poor: 'reader',
    objects: () => double.runners.size,
    fail: () => double.faults.push({ path: /./, status: 502, times: 1 }),
    async close() {
      await double.stop()
      expect(double.breaches).toEqual([])
    },
  }
})

test('the token of an App is dated back a minute and good for less than ten', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const [head = '', body = '', signature = ''] = appToken({ id: 'Iv1.abc', key }, new Date(1_700_000_000_000)).split('.')
  expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toEqual({ iat: 1_699_999_940, exp: 1_700_000_540, iss: 'Iv1.abc' })
  expect(createVerify('RSA-SHA256').update(`${head}.${body}`).verify(publicKey, signature, 'base64url')).toBe(true)
  expect(() => appToken({ id: 'x', key: 'no key' }, new Date())).toThrow(/private key of the App cannot be read/)
})
