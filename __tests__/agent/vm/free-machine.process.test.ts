/** Machines of groups that are not numbered, which look for work themselves. */
import { afterEach, describe, expect, test } from '@jest/globals'
import { AGENT_DONE } from '../../../src/wire/machine.ts'
import type { Leaving } from '../../../src/wire/machine-side.ts'
import { RUNNER } from '../../wire/specs.ts'
import { Deployment } from '../kit.ts'

let task: Deployment | undefined
afterEach(async () => {
  await task?.[Symbol.asyncDispose]()
  task = undefined
})

describe('a machine that is not numbered', () => {
  test('takes the next open slot after finishing one, with clean folders, and then leaves', async () => {
    task = await Deployment.make({
      count: 3,
      script: 'ls -A > seen; ls -A "$TMPDIR" >> seen; touch of-$TPI_INDEX "$TMPDIR/of-$TPI_INDEX"; sleep 300 &',
    })
    const machine = task.inProcess({ index: 'free' })
    expect(await machine.ended).toBe(AGENT_DONE)
    for (const index of [0, 1, 2]) {
      expect(await task.slot(index)).toMatchObject({ state: 'succeeded', epoch: 1, attempts: [{ holder: machine.name }] })
      expect(await task.head(index)).toEqual({ seen: 'seen\n', [`of-${index}`]: '' })
    }
  })

  test('serves one slot of runners, and leaves: a job may have changed the machine, and the next one may be somebody else’s', async () => {
    task = await Deployment.make({ count: 2 })
    // Its set-up fails, which closes the slot, as everything does that ends a runner.
    await task.put(task.keys.spec, { ...task.spec, mode: 'runner', setup: { script: 'exit 3' }, runner: { ...RUNNER, relaunch: {} } })
    const machine = task.inProcess({ index: 'free' })
    expect(await machine.ended).toBe(AGENT_DONE)
    const [served, open] = [await task.slot(0), await task.slot(1)].toSorted((a, b) => b.epoch - a.epoch)
    expect(served).toMatchObject({ state: 'failed', epoch: 1, attempts: [{ holder: machine.name }] })
    expect(open).toMatchObject({ state: 'waiting', epoch: 0, attempts: [] })
  })

  test('leaves slots that others hold', async () => {
    task = await Deployment.make({
      count: 2,
      script: 'while [ $TPI_INDEX = "$SLOW" ] && [ ! -e go ]; do sleep 0.05; done',
      env: { SLOW: '0' },
      lease: { ttl: 60_000 },
    })
    const held = task.inProcess({ index: 0 })
    await task.until(({ phase }) => phase === 'script', 0)
    const begun = performance.now()
    expect(await task.inProcess({ index: 'free' }).ended).toBe(AGENT_DONE)
    expect(performance.now() - begun).toBeLessThan(45_000)
    expect([(await task.slot(0)).state, (await task.slot(1)).state]).toEqual(['running', 'succeeded'])
    held.reclaim({ seconds: 1 })
    await held.ended
  })

  test('that could not leave ends one slot with the reason, before any script runs, and leaves the others to other machines', async () => {
    task = await Deployment.make({ count: 2, script: 'touch ran' })
    const left: Leaving[] = []
    const more = {
      mayLeave: async () => Promise.reject(new Error('the API is out of reach')),
      leave: async (_: unknown, why: Leaving) => void left.push(why),
    }
    const machine = task.inProcess({ index: 'free' }, undefined, {}, more)
    expect(await machine.ended).toBe(AGENT_DONE)
    const [ended, open] = [await task.slot(0), await task.slot(1)].toSorted((a, b) => b.epoch - a.epoch)
    expect(ended).toMatchObject({ state: 'failed', cause: 'setup', reason: 'the API is out of reach' })
    expect(open).toMatchObject({ state: 'waiting', epoch: 0 })
    expect(left).toEqual(['done'])
  }, 60_000)
})
