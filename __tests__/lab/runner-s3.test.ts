/** Runners whose deployment has its store in S3: their jobs see nothing of its key, and nothing is left there. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { onStage, stages } from '../runner/stages.ts'
import { until } from '../setup/wait.ts'
import { processesOf } from '../storm/processes.ts'
import { type S3Server, startVersitygw } from './versitygw.ts'

jest.setTimeout(300_000)
const LONG = 60_000

let s3: S3Server | undefined
beforeAll(async () => {
  s3 = await startVersitygw()
})
afterAll(async () => s3?.stop())

/** Command lines and environments of all processes of this world's machines. */
function startedWith(home: string): string {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      // The process is gone.
      return ''
    }
  }
  return processesOf(home)
    .map(({ pid }) => `${read(`/proc/${pid}/cmdline`)}\0${read(`/proc/${pid}/environ`)}`)
    .join('\n')
}

describe.each(Object.keys(stages))('a runner of %s', (id) => {
  const on = onStage(id)

  test('serves with its store in S3; neither its job nor any process of its machine has the key in words or environment', async () => {
    if (!s3) return expect(process.env['CI']).toBeUndefined()
    const access = await s3.access('runners', id)
    const { accessKeyId, secretAccessKey } = s3.credentials
    const storage = {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_ENDPOINT_URL_S3: String(access.settings?.['endpoint']),
      AWS_REGION: 'us-east-1',
    }
    const env = { ...on.stage.env, ...storage }
    const options = `--storage ${access.url} --labels gpu --idle-timeout never`
    const { code, facts } = await on.w.tpi(`runner --name r ${on.stage.options} --json ${options}`, { env })
    expect(code).toBe(0)
    const seen = join(on.w.work, 'seen')
    const go = join(on.w.work, 'go')
    const script = `{ env; cat /proc/$PPID/environ; } > ${seen}.part; mv ${seen}.part ${seen}; while ! test -e ${go}; do sleep 0.1; done`
    const outcome = on.stage.push(facts.runsOn, script)
    await until('the job has looked', async () => (await on.w.read('seen').catch(() => '')) !== '', LONG)
    const words = startedWith(on.w.home)
    const looked = await on.w.read('seen')
    // Make sure that there was something to see.
    expect(looked).toContain('TPI_MACHINE=')
    expect(words).toContain('TPI_MACHINE=')
    for (const text of [looked, words]) for (const secret of [secretAccessKey, 'AWS_']) expect(text.includes(secret)).toBe(false)
    await on.w.write('go', '')
    await until('it is served', () => outcome() === 'success', LONG)
    await on.w.deserted()
    expect((await on.w.tpi('destroy r --discard', { env })).code).toBe(0)
    expect(on.objects()).toBe(0)
    const left = readdirSync(s3.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(left.map(({ name }) => name)).toEqual([])
    expect(await on.w.filesWith(secretAccessKey)).toEqual([])
  })
})
