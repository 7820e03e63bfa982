/** A named storage is checked before anything is made in it. */
import { expect, test } from '@jest/globals'
import { worldPer } from '../setup/world-per.ts'
import { lyingS3 } from '../stores/lying-s3.ts'

const w = worldPer('test')
const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
const TASK = ['task', '--name', 'fit', '--storage', 's3://bucket/pre', '--workdir', 'none', '--script', 'true'] as const

const said = (ran: Awaited<ReturnType<typeof w.tpi>>): string | undefined => ran.host.annotations.at(-1)?.message

test('a server that ignores conditions is refused, and nothing is made', async () => {
  await using s3 = await lyingS3(false)
  const env = { ...KEYS, AWS_ENDPOINT_URL_S3: s3.endpoint }
  const ran = await w.tpi(TASK, { env })
  expect([ran.code, said(ran)]).toEqual([64, expect.stringContaining('s3://bucket/pre cannot be used: it ignores If-None-Match')])
  expect([...s3.objects.keys()]).toEqual([])
  expect(s3.asked.filter((one) => one.startsWith('PUT') && !one.includes('/tpi-probe/'))).toEqual([])
  expect(await w.remains()).toEqual([])
})

test('doctor reports that, and that another server keeps them; neither leaves anything there', async () => {
  for (const [keeps, code, state, says] of [
    [false, 1, 'fault', 'it ignores If-None-Match'],
    [true, 0, 'ok', 'honours conditions on writes and removals'],
  ] as const) {
    await using s3 = await lyingS3(keeps)
    const ran = await w.tpi('doctor local --storage s3://bucket/pre --json', { env: { ...KEYS, AWS_ENDPOINT_URL_S3: s3.endpoint } })
    expect([ran.code, ran.facts.checks.at(-1)]).toEqual([code, { what: 'storage', state, says: expect.stringContaining(says) }])
    expect(s3.objects.size).toBe(0)
  }
})

test('plain http to another host is refused before a byte is sent there, and options allow it', async () => {
  const env = { ...KEYS, AWS_SESSION_TOKEN: 'canary', AWS_ENDPOINT_URL_S3: 'http://storage.invalid:9000' }
  const ran = await w.tpi(TASK, { env })
  expect([ran.code, said(ran)]).toEqual([64, expect.stringMatching(/"http:\/\/storage\.invalid:9000" is plain http: .*storage-insecure/)])
  const allowed = await w.tpi(['doctor', 'local', '--storage', 's3://bucket', '--storage-insecure', '--json'], {
    env: { ...env, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' },
  })
  expect(allowed.facts.checks.at(-1).says).not.toContain('plain http')
})
