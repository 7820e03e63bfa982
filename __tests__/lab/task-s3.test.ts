/** Cloud local with its store behind S3: what the clouds will do, on this host. */
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { type World, world } from '../setup/world.ts'
import { type S3Server, startVersitygw } from './versitygw.ts'

jest.setTimeout(300_000)

let s3: S3Server | undefined
let w: World
beforeAll(async () => {
  s3 = await startVersitygw()
  w = await world()
})
afterAll(async () => {
  await w?.end()
  await s3?.stop()
})

test('a task over S3: uploaded, interrupted, resumed, delivered, and nothing is left in the bucket', async () => {
  if (!s3) return expect(process.env['CI']).toBeUndefined()
  const access = await s3.access('tasks', 'team/x')
  const env = {
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    AWS_ENDPOINT_URL_S3: String(access.settings?.['endpoint']),
    AWS_REGION: 'us-east-1',
    KEY: 'canary-over-s3-41',
  }
  await w.write('p/data', 'one\n')
  const script =
    'n=$(cat n 2>/dev/null || echo 0); echo from $n with $KEY; cat data > r; while [ $n -lt 15 ]; do n=$((n+1)); echo $n > n; sleep 0.2; done; cat n >> r'
  const words = [
    'task',
    '--name',
    'far',
    '--storage',
    access.url,
    '--workdir',
    'p',
    '--output',
    'r',
    '--secret',
    'KEY',
    '--checkpoint-interval',
    '1s',
    '--json',
  ]
  const run = w.tpi([...words, '--parallelism', '2', '--script', script], { env })
  await until('it runs', async () => (await w.tpi('logs far', { env })).host.scriptText().includes('from 0'))
  // A command in another folder, without the option: it is known where this one keeps its things.
  expect((await w.tpi('status far --json', { env })).facts).toMatchObject({
    store: expect.stringContaining('s3://tasks/team/x'),
    outcome: 'running',
  })
  expect((await w.tpi('interrupt far --slot 1', { env })).code).toBe(0)
  const ran = await run
  expect(ran.code).toBe(0)
  expect(ran.facts.slots).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
  expect(ran.host.scriptText()).toContain('***')
  expect(await w.read('p/r')).toBe('one\n15\n')
  expect((await readdir(s3.folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())).toEqual([])
  expect(await w.filesWith('canary-over-s3-41')).toEqual([])
  expect(await w.remains()).toEqual([])
})

test('a key that is refused is exit 77, and nothing was created', async () => {
  if (!s3) return
  const access = await s3.access('tasks', 'team/x')
  const env = {
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'wrong',
    AWS_ENDPOINT_URL_S3: String(access.settings?.['endpoint']),
    AWS_REGION: 'us-east-1',
  }
  const ran = await w.tpi(['task', '--storage', access.url, '--script', 'true', '--json'], { env })
  expect(ran).toMatchObject({ code: 77, facts: { outcome: 'denied' } })
  expect(await w.remains()).toEqual([])
})
