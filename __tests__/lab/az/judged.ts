/** What a command of tpi has made in an emulated subscription, for clients of Microsoft to judge: a run of two spot machines, with all that belongs to it. */
import { expect } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import { world } from '../../setup/world.ts'
import { shareRuntime } from '../vm/runtime.ts'
import { type AzLab, REGION, startAzLab } from './lab.ts'

const HOUR = 3_600_000

export interface Judged {
  readonly lab: AzLab
  /** Of its resource group and everything in that. */
  readonly name: string
  /** Ids of machines that are up. */
  up(): readonly string[]
  /** What the judge has left is given back by our command, record and all, and nothing stays. */
  over(): Promise<void>
  stop(): Promise<void>
}

/** `undefined`: there can be no such subscription here. */
export async function startJudged(): Promise<Judged | undefined> {
  // What keeps the number of machines would take a change back within seconds, and is not looking now.
  const lab = await startAzLab({ pace: [HOUR, HOUR] })
  if (!lab) return undefined
  const { env, front, world: cloud } = lab
  const w = await world()
  await shareRuntime(w.home)
  await w.write('p/data', 'one\n')
  const before = await lab.inventory()
  const words = 'task --cloud az --machine Standard_D2s_v5 --spot --name judged --parallelism 2 --workdir p --detach --script true --json'
  expect(await w.tpi(words.split(' '), { env })).toMatchObject({ code: 0 })
  const up = (): readonly string[] => cloud.fleet.present(REGION).flatMap(({ id, state }) => (state === 'up' ? [id] : []))
  await until('its machines are up', () => up().length === 2)
  return {
    lab,
    name: front.sets.all()[0]?.name ?? '',
    up,
    async over() {
      expect(await w.tpi('destroy judged --discard --json', { env })).toMatchObject({ code: 0 })
      await untilSame('the subscription is as before', async () => lab.inventory(), before)
    },
    async stop() {
      await w.end()
      await lab.stop()
    },
  }
}
