/** Cloud local with its store in S3: what the clouds do, on this host. */
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { type World, world } from '../setup/world.ts'
import { playStoredTask } from './stored-task.ts'
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
  await playStoredTask(w, access.url, env)
  expect((await readdir(s3.folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())).toEqual([])
})

test('a refused key is exit 77, and nothing is created', async () => {
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
