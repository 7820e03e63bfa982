/** The forge's runner program is in the store of the deployment, so later machines need no other source. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { processesOf } from '../storm/processes.ts'
import { onStage, stages } from './stages.ts'

const LONG = 60_000

describe.each(Object.keys(stages))('the runner program of %s', (id) => {
  const on = onStage(id)
  const slots = async () => (await on.w.tpi('status r --json')).facts.slots
  const agents = () => processesOf(on.w.home).filter(({ role }) => role === 'agent')

  test('is fetched once: without its download server, other machines and their replacements still register', async () => {
    const { code, facts } = await on.launch('--labels gpu --count 2 --jobs 3 --idle-timeout never')
    expect(code).toBe(0)
    expect(on.stage.forge.downloads).toBe(1)
    on.stage.forge.withheld = true
    await rm(join(on.w.home, 'cache'), { recursive: true })
    for (const { pid } of agents()) process.kill(-pid, 'SIGKILL')
    const replaced = async (): Promise<boolean> =>
      (await slots()).every(({ attempt, phase }: { attempt: number; phase?: string }) => attempt === 2 && phase === 'idle')
    await until('both machines were replaced', replaced, LONG)
    const served = [1, 2, 3].map(() => on.stage.push(facts.runsOn, 'true'))
    await until('all jobs are served', () => served.every((outcome) => outcome() === 'success'), LONG)
    expect(on.stage.forge.downloads).toBe(1)
    await on.tpi('destroy r --discard')
    expect(on.objects()).toBe(0)
  })
})
