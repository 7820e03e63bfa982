import { describe, expect, test } from '@jest/globals'
import { sha256 } from '../../src/lib/sha256.ts'
import { uriEncoded } from '../../src/lib/uri.ts'
import { queryString, type Signable, sign, signingKey } from '../../src/vendors/aws/sigv4.ts'

// The examples that AWS publishes for S3: "Signature Calculations for the Authorization Header".
const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const scope = { region: 'us-east-1', service: 's3', date: new Date('2013-05-24T00:00:00Z') }
const empty = sha256('')
const get: Signable = { method: 'GET', host: 'examplebucket.s3.amazonaws.com', path: '/', query: {}, headers: {}, bodyHash: empty }

const put: Signable = {
  ...get,
  method: 'PUT',
  path: '/test%24file.text',
  headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
  bodyHash: sha256('Welcome to Amazon S3.'),
}

const published: readonly (readonly [string, Signable, string])[] = [
  [
    'object with a range',
    { ...get, path: '/test.txt', headers: { range: 'bytes=0-9' } },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  ['upload', put, '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd'],
  ['query without value', { ...get, query: { lifecycle: '' } }, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['list', { ...get, query: { prefix: 'J', 'max-keys': '2' } }, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
]

describe('signature version 4', () => {
  test.each(published)('published example: %s', (_, request, signature) => {
    expect(sign(request, credentials, scope)['authorization']).toMatch(new RegExp(`Signature=${signature}$`))
  })

  test('published example: get-vanilla of another service', () => {
    const vanilla = { ...get, host: 'example.amazonaws.com' }
    const who = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
    const signed = sign(vanilla, who, { region: 'us-east-1', service: 'service', date: new Date('2015-08-30T12:36:00Z') })
    expect(signed['authorization']).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
        'Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    )
    expect(signed).not.toHaveProperty('x-amz-content-sha256')
  })

  test('published example: the key of a day', () => {
    const key = signingKey('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', { region: 'us-east-1', service: 'iam' }, '20120215')
    expect(key.toString('hex')).toBe('f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d')
  })

  test('a session token is sent and signed', () => {
    const signed = sign(get, { ...credentials, sessionToken: 'token' }, scope)
    expect(signed['x-amz-security-token']).toBe('token')
    expect(signed['authorization']).toContain('x-amz-security-token')
  })

  test('escapes as the specification says, sorts by the escaped text', () => {
    expect(uriEncoded("a b+c/d~e'(1)!*é")).toBe('a%20b%2Bc%2Fd~e%27%281%29%21%2A%C3%A9')
    expect(queryString({ b: '2', a: '1', 'a-b': '', B: '/' })).toBe('B=%2F&a-b=&a=1&b=2')
  })
})
