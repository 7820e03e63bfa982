/** Options that were switches in CML, or in base64. */
import { describe, expect, test } from '@jest/globals'
import { run } from './world.ts'

describe('switches of cml runner', () => {
  const script = '#!/bin/sh\necho "ready: ✓"\n'
  const base64 = Buffer.from(script).toString('base64')
  const values = async (line: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    (await run(['runner', ...line], { env })).values

  test('as flags, with and without a value', async () => {
    expect(await values(['--single', '--reuse', '--no-retry'])).toMatchObject({ jobs: '1', reuse: 'any', retry: 0 })
    expect(await values(['--reuse-idle', '--no-retry=false', '--labels', 'gpu'])).toMatchObject({
      reuse: 'idle',
      retry: 2,
      labels: ['gpu'],
    })
    expect(await values(['--reuse', 'idle', '--single', 'true'])).toMatchObject({ jobs: '1', reuse: 'idle' })
    expect((await run(['runner', '--cloud-startup-script', base64])).setupAfter).toEqual({ script })
  })

  test('as variables: true sets it, false sets nothing, and tpi’s own variables take precedence', async () => {
    const all = {
      CML_RUNNER_SINGLE: 'true',
      CML_RUNNER_REUSE: 'true',
      CML_RUNNER_NO_RETRY: 'true',
      CML_RUNNER_CLOUD_STARTUP_SCRIPT: base64,
    }
    expect(await values([], all)).toMatchObject({ jobs: '1', reuse: 'any', retry: 0 })
    expect((await run(['runner'], { env: all })).setupAfter).toEqual({ script })
    expect(await values([], { CML_RUNNER_REUSE_IDLE: 'true', CML_RUNNER_REUSE: 'false' })).toMatchObject({ reuse: 'idle' })
    expect(await values([], { CML_RUNNER_SINGLE: 'false', CML_RUNNER_NO_RETRY: 'false' })).toMatchObject({ jobs: '1', retry: 2 })
    expect(await values(['--jobs', '3', '--retry', '1'], { ...all, TPI_REUSE: 'never' })).toMatchObject({
      jobs: '3',
      reuse: 'never',
      retry: 1,
    })
  })

  test('a value that they cannot have is a fault', async () => {
    await expect(run(['runner', '--single', '--jobs', '2'])).rejects.toThrow('--jobs: is given twice, also as --single')
    await expect(run(['runner', '--reuse', '--reuse-idle'])).rejects.toThrow('--reuse-idle: is given twice, also as --reuse')
    await expect(run(['runner'], { env: { CML_RUNNER_SINGLE: '1' } })).rejects.toThrow('CML_RUNNER_SINGLE: "1" is neither true nor false')
    await expect(run(['runner', '--cloud-startup-script', 'apt-get install -y jq'])).rejects.toThrow('is not base64')
    await expect(run(['runner', '--reuse', 'sometimes'])).rejects.toThrow('"sometimes" is not')
    await expect(run(['runner', '--setup-after', ''])).rejects.toThrow('is empty')
  })
})
