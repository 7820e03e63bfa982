/** A machine whose storage is permanently gone finishes its current job, and then leaves: no job dies of it. */
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { onStage, stages } from '../runner/stages.ts'
import { until } from '../setup/wait.ts'

const GRACE = 3000

describe.each(Object.keys(stages))('at %s', (id) => {
  const at = onStage(id)

  test('the storage disappears while a job runs', async () => {
    const storage = join(at.w.work, 'storage')
    const env = { ...at.stage.env, TPI_STORE_GRACE: `${GRACE / 1000}s` }
    const { code, facts } = await at.w.tpi(`runner --name r ${at.stage.options} --json --storage ${storage} --idle-timeout 20s`, { env })
    expect(code).toBe(0)
    const job = at.stage.push(facts.runsOn ?? facts.labels, `sleep ${(3 * GRACE) / 1000}`)
    await until('the job runs', () => job() === 'in_progress' || job() === 'running', 30_000)
    await rename(storage, `${storage}.away`)
    // A file in place of the folder, so that nothing can be written there.
    await writeFile(storage, '')
    await until('the job has ended', () => !['in_progress', 'running'].includes(job() ?? ''), 60_000)
    expect(job()).toBe('success')
    await until('the machine has left', async () => (await at.w.alive()).every((line) => !line.includes('agent.mjs run')), 60_000)
  })
})
