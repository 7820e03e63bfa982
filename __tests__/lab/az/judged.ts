/** A run of two spot machines that a command has made in an emulated subscription, for Microsoft's clients to judge. */
import { expect } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import { world } from '../../setup/world.ts'
import { shareRuntime } from '../vm/runtime.ts'
import { type AzLab, REGION, startAzLab } from './lab.ts'

const HOUR = 3_600_000

export interface Judged {
  readonly lab: AzLab
  /** The name of its resource group and everything in it. */
  readonly name: string
  /** Ids of machines that are up. */
  up(): readonly string[]
  /** A command removes what the judge has left, with the record; then nothing may be left. */
  over(): Promise<void>
  stop(): Promise<void>
}

/** `undefined`: there can be no such subscription here. */
export async function startJudged(): Promise<Judged | undefined> {
  // The autoscale engine would undo a change of size within seconds, so it does not look for an hour.
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
