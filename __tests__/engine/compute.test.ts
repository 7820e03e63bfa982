/** Groups that a cloud removes together with their machines in one call; and the fallback if it does not. */
import { expect, test } from '@jest/globals'
import type { Cloud, Observation } from '../../src/core/cloud.ts'
import type { Removed, Resource } from '../../src/core/resource.ts'
import type { Deployment, Engine } from '../../src/engine/deployment.ts'
import { again, removeCompute } from '../../src/engine/destroy/compute.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'

const engine = (): Engine => ({ host: memoryHost(), clock: fakeClock(undefined, { auto: true }), home: '/nowhere', actor: 'ann@box' })
const empty: Observation = { phase: 'stopped', wanted: 0, machines: [], events: [] }

/** The calls, in order; `answers`: to the removal of the whole group. */
async function removing(answers: readonly (Removed | Error)[], settled = true): Promise<readonly string[]> {
  const done: string[] = []
  const left = [...answers]
  const resource = (kind: string, says: () => Removed | Error | undefined): Resource => ({
    kind,
    name: 'tpi-a',
    ensure: async () => 'found',
    async remove() {
      done.push(kind)
      const answer = says() ?? 'removed'
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  const group = (): Resource => resource('group', () => left.shift())
  const cloud: Partial<Cloud> = {
    steadyLeftovers: () => true,
    wholeGroup: group,
    end: async () => void done.push('end'),
    observe: async () => (done.push('look'), empty),
    async leftovers() {
      done.push('find')
      return [[resource('template', () => undefined)], [group()]]
    },
  }
  const d = { id: 'tpi-a', name: 'a', incarnation: 'i', cloud } as unknown as Deployment
  const survivors = await removeCompute(engine(), d, settled, again(d)).catch((error: Error) => error.message)
  return [...done, String(survivors)]
}

test('a group that is removed with its machines is neither emptied first nor removed twice; its parts are removed after it', async () => {
  expect(await removing(['removed'])).toEqual(['find', 'group', 'template', 'false'])
})

test('if the removal takes long, machines are ended at once, and it is waited for', async () => {
  expect(await removing(['pending', 'pending', 'removed'])).toEqual(['find', 'group', 'end', 'group', 'group', 'template', 'false'])
})

test('a group that is absent, or refuses to be removed, is emptied, observed, and removed again', async () => {
  const emptied = ['end', 'look', 'find', 'group', 'template']
  expect(await removing(['absent', 'absent'])).toEqual(['find', 'group', ...emptied, 'false'])
  const stays = 'could not remove: group tpi-a: denied'
  expect(await removing([new Error('denied'), new Error('denied')])).toEqual(['find', 'group', ...emptied, stays])
})

test('machines that do not go are named with the way to go on: only a run that is being removed is named, as what it has left has the id of the run that goes on', async () => {
  const stuck: Partial<Cloud> = { end: async () => undefined, observe: async () => ({ ...empty, phase: 'up' }) }
  const d = { id: 'tpi-a', name: 'a', incarnation: 'i', cloud: stuck } as unknown as Deployment
  const message = 'run "a": its machines are still there after 10 minutes'
  await expect(removeCompute(engine(), d, false, again(d))).rejects.toMatchObject({ message, hint: 'run: `tpi destroy tpi-a`' })
  await expect(removeCompute(engine(), d, false, again(d, true))).rejects.toMatchObject({
    message,
    hint: expect.stringContaining('tpi retry'),
  })
})

test('a group that was only just made is emptied first: parts of it may not be visible yet', async () => {
  expect(await removing(['removed'], false)).toEqual(['end', 'look', 'find', 'group', 'template', 'false'])
})
