import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { renewing } from '../../src/wire/credentials.ts'
import { isStoreError, type Store, type StoreFault } from '../../src/wire/store.ts'
import { bytes, fault, keysOf } from '../conformance/store-lab.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { cutShort, error, reply, reset, type Scripted, SECRETS, startScripted } from './s3-server.ts'

let server: Scripted
let store: Store
beforeEach(async () => {
  server = await startScripted()
  store = await server.open()
})
afterEach(async () => {
  const { left } = server
  await server.stop()
  expect(left).toBe(0)
})

const write = () => store.write('id/x', bytes('x'))
const swap = () => store.write('id/x', bytes('x'), { version: '"old"' })

describe('calls that may be repeated are', () => {
  const passing = [
    ['500', reply(500, error('InternalError'))],
    ['503 without a body', reply(503)],
    ['429', reply(429)],
    ['SlowDown', reply(503, error('SlowDown'))],
    ['RequestTimeout', reply(400, error('RequestTimeout'))],
    ['a reset', reset],
    ['BadDigest', reply(400, error('BadDigest'))],
    ["a proxy's page", reply(502, '<html><br>Bad gateway</html>')],
  ] as const

  test.each(passing)('after %s', async (_, trouble) => {
    server.expect(trouble, reply(200))
    expect(await write()).toBe('"v"')
    server.expect(trouble, reply(200, 'body'))
    expect(Buffer.from((await store.read('id/x'))!.bytes).toString()).toBe('body')
    expect(server.seen).toHaveLength(4)
  })

  test('an answer that was cut short is not taken for whole', async () => {
    server.expect(cutShort('half of'), reply(200, 'the whole'))
    expect(Buffer.from((await store.read('id/x'))!.bytes).toString()).toBe('the whole')
    server.expect(cutShort('<ListBucketResult><Contents><Key>pre/a</Key>'), reply(200, '<ListBucketResult></ListBucketResult>'))
    expect(await keysOf(store, '')).toEqual([])
  })

  test('out of patience: the last error, as unavailable', async () => {
    store = await server.open({ settings: { endpoint: server.endpoint, tries: '3' } })
    server.expect(...Array.from({ length: 3 }, () => reply(500, error('InternalError'))))
    await expect(write()).rejects.toEqual(fault('unavailable'))
  })

  test('a server that hangs up each time: the error says what to check', async () => {
    store = await server.open({ settings: { endpoint: server.endpoint, tries: '2' } })
    server.expect(reset, reset)
    await expect(write()).rejects.toThrow(
      /^storage: .*the server hung up; if it always does, it may be refusing this: check the credentials, and what they are permitted in the storage\)$/,
    )
  })

  test('an abort ends the waiting between tries', async () => {
    const stop = new AbortController()
    server.expect((response, seen) => {
      reply(503, error('SlowDown'), { 'retry-after': '20' })(response, seen)
      setTimeout(() => stop.abort(new Error('enough')), 30)
    })
    await expect(store.read('id/x', undefined, stop.signal)).rejects.toThrow('enough')
  })
})

describe('conditional writes', () => {
  test('are repeated only if the first had no effect', async () => {
    for (const trouble of [reply(503, error('SlowDown')), reply(409, error('ConditionalRequestConflict')), reply(429)]) {
      server.expect(trouble, reply(200))
      expect(await swap()).toBe('"v"')
    }
    for (const trouble of [reset, reply(500, error('InternalError')), reply(502)]) {
      server.expect(trouble)
      await expect(swap()).rejects.toEqual(fault('unavailable'))
    }
    expect(new Set(server.seen.map((one) => one.headers['if-match']))).toEqual(new Set(['"old"']))
  })

  test('412, and 404 for a record that has gone, are conflicts', async () => {
    server.expect(reply(412, error('PreconditionFailed')), reply(404, error('NoSuchKey')), reply(412))
    await expect(swap()).rejects.toEqual(fault('conflict'))
    await expect(swap()).rejects.toEqual(fault('conflict'))
    await expect(store.write('id/x', bytes('x'), { absent: true })).rejects.toEqual(fault('conflict'))
    expect(server.seen.at(-1)!.headers['if-none-match']).toBe('*')
  })

  test('an upload that the server begins without naming it is a failure of the store', async () => {
    server.expect(reply(200, '<InitiateMultipartUploadResult></InitiateMultipartUploadResult>'))
    await expect(store.write('id/x', Buffer.alloc(17 * 1024 * 1024))).rejects.toEqual(fault('unavailable'))
  })

  test('a server without ETags is no store', async () => {
    server.expect((response) => response.writeHead(200).end())
    await expect(write()).rejects.toEqual(fault('invalid'))
  })
})

describe('absent means absent', () => {
  test.each([
    [404, error('NoSuchBucket'), 'gone'],
    [404, '<html>not here</html>', 'gone'],
    [403, error('AccessDenied'), 'denied'],
    [400, error('Whatever'), 'invalid'],
    [501, error('NotImplemented'), 'invalid'],
    [507, '', 'full'],
    [403, error('QuotaExceeded'), 'full'],
  ] as const)('%d %s reads as %s', async (status, body, kind: StoreFault) => {
    server.expect(reply(status, body))
    await expect(store.read('id/x')).rejects.toEqual(fault(kind))
  })

  test('NoSuchKey is the only answer that means absent', async () => {
    server.expect(reply(404, error('NoSuchKey')))
    expect(await store.read('id/x')).toBeUndefined()
  })

  test('a page that announces more without a token does not count as the end', async () => {
    server.expect(reply(200, '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>'))
    await expect(keysOf(store, '')).rejects.toEqual(fault('unavailable'))
  })
})

describe('messages', () => {
  test('name operation, key, code and the permission, on one line', async () => {
    server.expect(reply(403, error('AccessDenied')))
    await expect(write()).rejects.toThrow(
      'storage: PutObject s3://bucket/pre/id/x failed: 403 AccessDenied: text of the server (needs s3:PutObject on bucket/pre/*)',
    )
    server.expect(reply(403, error('AccessDenied')))
    await expect(keysOf(store, 'id/')).rejects.toThrow('needs s3:ListBucket on bucket')
    server.expect(reply(200, `<DeleteResult><Error><Key>pre/a</Key><Code>AccessDenied</Code></Error></DeleteResult>`))
    await expect(store.remove(['a', 'b'])).rejects.toThrow('needs s3:DeleteObject on bucket/pre/*')
  })

  test('name the status that the server sent, also if an error follows an answer that had begun well', async () => {
    server.expect(reply(200, error('AccessDenied')))
    await expect(keysOf(store, 'id/')).rejects.toThrow(/ failed: 200 AccessDenied: text of the server /)
  })

  test('do not name another permission than the server does', async () => {
    const said =
      'User: arn:aws:iam::1:user/a is not authorized to perform: kms:GenerateDataKey on the resource associated with this ciphertext'
    server.expect(reply(403, error('AccessDenied', said)))
    await expect(write()).rejects.toThrow(new RegExp(`: ${said}$`))
    server.expect(reply(403, error('InvalidObjectState')))
    await expect(store.read('id/x')).rejects.toThrow('a life-cycle rule has archived the object')
  })

  test('never contain a credential, whatever the server echoes', async () => {
    const echo = `${SECRETS.accessKeyId} ${SECRETS.sessionToken}\n${SECRETS.secretAccessKey}`
    server.expect(reply(403, error('SignatureDoesNotMatch', echo, `<AWSAccessKeyId>${SECRETS.accessKeyId}</AWSAccessKeyId>`)))
    const caught: unknown = await write().catch((one: unknown) => one)
    const text = isStoreError(caught) ? `${caught.message} ${JSON.stringify(caught)} ${caught.stack}` : ''
    expect(text).toContain('*** *** ***')
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret)
  })
})

describe('what the client learns from a refused request', () => {
  test('the time of the server', async () => {
    const date = new Date(Date.now() + 3_600_000)
    server.expect(reply(403, error('RequestTimeTooSkewed'), { date: date.toUTCString() }), reply(200))
    await swap()
    const [first, second] = server.seen.map((one) => String(one.headers['x-amz-date']))
    const stamp = date.toISOString().replace(/[-:]/g, '').slice(0, 11)
    expect(first!.startsWith(stamp)).toBe(false)
    expect(second!.startsWith(stamp)).toBe(true)
  })

  test('a wrong region is named if the endpoint was given', async () => {
    server.expect(reply(400, error('AuthorizationHeaderMalformed', 'expecting eu-west-1', '<Region>eu-west-1</Region>')))
    await expect(write()).rejects.toThrow('set AWS_REGION')
  })
})

describe('what goes over the wire', () => {
  test('escaped path, length, hash, token; the path of the endpoint is kept', async () => {
    const port = server.seen
    store = await server.open({ url: 's3://bucket/pre%20fix/deep' })
    server.expect(reply(200))
    await store.write("id/a b+c'ü", bytes('hello'))
    const [one] = port
    expect(one!.url).toBe('/bucket/pre%20fix/deep/id/a%20b%2Bc%27%C3%BC')
    expect(one!.headers).toMatchObject({ 'content-length': '5', 'x-amz-security-token': SECRETS.sessionToken })
    expect(one!.headers['x-amz-content-sha256']).toHaveLength(64)
    expect(one!.headers['authorization']).toContain('Credential=AKIDSECRET/')
  })

  test('the account that the bucket must belong to is named in each request, and signed', async () => {
    store = await server.open({ settings: { endpoint: server.endpoint, owner: '123456789012' } })
    server.expect(reply(200), reply(200, '<ListBucketResult></ListBucketResult>'))
    await write()
    await keysOf(store, 'id/')
    for (const { headers } of server.seen) {
      expect(headers['x-amz-expected-bucket-owner']).toBe('123456789012')
      expect(headers['authorization']).toContain('x-amz-expected-bucket-owner')
    }
  })

  test('a server that ignores ranges is tolerated', async () => {
    server.expect(reply(200, '0123456789'))
    expect(Buffer.from((await store.read('id/x', { from: 2, to: 5 }))!.bytes).toString()).toBe('234')
  })

  test('keys that the server failed to remove are requested again, alone', async () => {
    const failed = (code: string) => `<DeleteResult><Error><Key>pre/b</Key><Code>${code}</Code></Error></DeleteResult>`
    server.expect(reply(200, failed('InternalError')), reply(204), reply(200, failed('NoSuchKey')))
    await store.remove(['a', 'b', 'c'])
    expect(server.seen.map((one) => `${one.method} ${one.url}`)).toEqual(['POST /bucket/?delete=', 'DELETE /bucket/pre/b'])
    await store.remove(['a', 'b'])
    expect(server.seen[0]!.headers['content-md5']).toHaveLength(24)
  })

  test('a conditional removal: reads first, for servers without conditions, and sends the condition', async () => {
    server.expect(reply(200, '', { etag: '"other"' }))
    await expect(store.remove(['a'], { version: '"mine"' })).rejects.toEqual(fault('conflict'))
    server.expect(reply(200, '', { etag: '"mine"' }), reply(412, error('PreconditionFailed')))
    await expect(store.remove(['a'], { version: '"mine"' })).rejects.toEqual(fault('conflict'))
    server.expect(reply(200, '', { etag: '"mine"' }), reply(404, error('NoSuchKey')))
    await store.remove(['a'], { version: '"mine"' })
    server.expect(reply(404))
    await store.remove(['a'], { version: '"mine"' })
    const asked = server.seen.map(({ method, headers }) => `${method} ${headers['if-match'] ?? ''}`.trimEnd())
    expect(asked).toEqual(['HEAD', 'HEAD', 'DELETE "mine"', 'HEAD', 'DELETE "mine"', 'HEAD'])
  })

  test('large bodies: parts, the condition on the last step, and an upload that failed is aborted', async () => {
    const begun = reply(200, '<InitiateMultipartUploadResult><UploadId>u 1</UploadId></InitiateMultipartUploadResult>')
    const body = Buffer.alloc(17 * 1024 * 1024, 1)
    server.expect(begun, reply(200), reply(200), reply(200), reply(200, error('InternalError')), reply(204))
    await expect(store.write('id/x', body, { absent: true })).rejects.toEqual(fault('unavailable'))
    const calls = server.seen.map((one) => `${one.method} ${one.url.replace('/bucket/pre/id/x', '')} ${one.headers['if-none-match'] ?? ''}`)
    expect(calls.toSorted()).toEqual([
      'DELETE ?uploadId=u%201 ',
      'POST ?uploadId=u%201 *',
      'POST ?uploads= ',
      'PUT ?partNumber=1&uploadId=u%201 ',
      'PUT ?partNumber=2&uploadId=u%201 ',
      'PUT ?partNumber=3&uploadId=u%201 ',
    ])
  })

  test('an upload that lost a race starts again', async () => {
    const begun = reply(200, '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>')
    const done = reply(200, '<CompleteMultipartUploadResult><ETag>"m-3"</ETag></CompleteMultipartUploadResult>')
    const parts = [reply(200), reply(200), reply(200)]
    server.expect(begun, ...parts, reply(409, error('ConditionalRequestConflict')), reply(204), begun, ...parts, done)
    expect(await store.write('id/x', Buffer.alloc(17 * 1024 * 1024), { version: '"old"' })).toBe('"m-3"')
  })
})

describe('temporary credentials', () => {
  const keys = (n: number) => ({ ...SECRETS, accessKeyId: `AKID${n}`, secretAccessKey: `very-secret-key-${n}` })

  test('are requested once, and again when the server says that they have expired', async () => {
    let lent = 0
    const source = renewing({ clock: fakeClock(), lend: async () => ({ credentials: keys(lent++) }) })
    store = await server.open({ source })
    server.expect(reply(200), reply(200), reply(400, error('ExpiredToken', 'very-secret-key-0')), reply(200))
    for (let at = 0; at < 3; at++) await write()
    const used = server.seen.map(({ headers }) => /AKID\d/.exec(headers['authorization'] ?? '')?.[0])
    expect(used).toEqual(['AKID0', 'AKID0', 'AKID0', 'AKID1'])
  })

  test('are requested again when the answer to a HEAD, which has no code, can only mean that', async () => {
    let lent = 0
    const source = renewing({ clock: fakeClock(), lend: async () => ({ credentials: keys(lent++) }) })
    store = await server.open({ source })
    server.expect(reply(400), reply(200))
    await store.read('id/x', { from: 0, to: 0 })
    expect(lent).toBe(2)
  })

  test('are not when another server refuses a request as no request of its own', async () => {
    let lent = 0
    const source = renewing({ clock: fakeClock(), lend: async () => ({ credentials: keys(lent++) }) })
    store = await server.open({ source })
    server.expect(reply(400, 'Client sent an HTTP request to an HTTPS server.\n'))
    await expect(store.read('id/x')).rejects.toEqual(fault('invalid'))
    expect(lent).toBe(1)
  })

  test('that the server keeps refusing count as a store out of reach, and no message shows them', async () => {
    const source = renewing({ clock: fakeClock(), lend: async () => ({ credentials: SECRETS }) })
    store = await server.open({ source, settings: { endpoint: server.endpoint, tries: '2' } })
    server.expect(...[1, 2].map(() => reply(400, error('ExpiredToken', SECRETS.secretAccessKey))))
    const thrown: unknown = await swap().catch((caught: unknown) => caught)
    expect(thrown).toEqual(fault('unavailable'))
    expect(String(thrown)).toContain('the temporary credentials have expired')
    expect(String(thrown)).not.toContain(SECRETS.secretAccessKey)
  })

  test('that are fixed are refused finally', async () => {
    server.expect(reply(400, error('ExpiredToken')))
    await expect(write()).rejects.toEqual(fault('denied'))
  })
})
