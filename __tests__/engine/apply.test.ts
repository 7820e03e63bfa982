import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { RemoteError } from '../../src/core/errors.ts'
import type { Resource } from '../../src/core/resource.ts'
import { apply } from '../../src/engine/create/apply.ts'
import type { Engine } from '../../src/engine/deployment.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'

/** A cloud that consists only of its resources; `here` is what exists. */
function world() {
  const host = memoryHost()
  const clock = fakeClock(undefined, { auto: true })
  const engine: Engine = { host, clock, home: '/nowhere', actor: 'ann@box' }
  const here = new Set<string>()
  const calls: string[] = []
  const resource = (name: string, ensure?: () => Promise<unknown>, removal?: Error): Resource => ({
    kind: 'thing',
    name,
    async ensure() {
      calls.push(`+${name}`)
      if ((await ensure?.()) === 'pending') return 'pending'
      here.add(name)
      return 'created'
    },
    async remove() {
      calls.push(`-${name}`)
      if (removal) throw removal
      return here.delete(name) ? 'removed' : 'absent'
    },
  })
  const run = async (stages: Resource[][], signal?: AbortSignal): Promise<void> => apply(engine, stages, signal)
  return { host, here, calls, resource, run, clock }
}

const refuse = (message: string) => async (): Promise<void> => {
  throw new Error(message)
}

describe('applying a blueprint', () => {
  test('makes stages in order, members of a stage at the same time, and reports each', async () => {
    const { host, here, calls, resource, run } = world()
    await run([[resource('role'), resource('network')], [resource('group')]])
    expect([...here]).toEqual(['role', 'network', 'group'])
    expect(calls).toEqual(['+role', '+network', '+group'])
    expect(host.lines.filter((line) => line.includes('created'))).toHaveLength(3)
  })

  test('a failure removes what was made, newest stage first, and is the error that the caller gets', async () => {
    const { here, calls, resource, run } = world()
    await expect(run([[resource('role')], [resource('group', refuse('quota'))], [resource('switch')]])).rejects.toThrow('quota')
    expect([...here]).toEqual([])
    expect(calls).toEqual(['+role', '+group', '-group', '-role'])
  })

  test('a pending resource is asked again, until the caller gives up', async () => {
    const { here, calls, resource, run } = world()
    let looks = 0
    await run([[resource('group', async () => (++looks < 3 ? 'pending' : undefined))]])
    expect(calls).toEqual(['+group', '+group', '+group'])
    const unwanted = new AbortController()
    const never = resource('other', async () => {
      if (++looks > 5) unwanted.abort(new Error('the store does not come up'))
      return 'pending'
    })
    await expect(run([[never]], unwanted.signal)).rejects.toThrow('the store does not come up')
    expect([...here]).toEqual(['group'])
  })

  test('a slow member of the failed stage is waited for, so that it is not left behind', async () => {
    const { here, resource, run } = world()
    const made = Promise.withResolvers<void>()
    const slow = resource('slow', async () => {
      for (let turns = 0; turns < 20; turns++) await turn()
      made.resolve()
    })
    await expect(run([[resource('group', refuse('quota')), slow]])).rejects.toThrow('quota')
    await made.promise
    await turn()
    expect([...here]).toEqual([])
  })

  test('what others also use, or what existed before, is not removed; everything else is', async () => {
    const { here, resource, run } = world()
    const found = (name: string): Resource => ({ ...resource(name), ensure: async () => 'found' })
    const shared: Resource = { ...found('bucket'), shared: true }
    for (const name of ['bucket', 'network']) here.add(name)
    await expect(run([[resource('role'), shared, found('network')], [resource('group', refuse('quota'))]])).rejects.toThrow('quota')
    expect([...here]).toEqual(['bucket', 'network'])
  })

  test('what cannot be removed is named, and the first error stays the error', async () => {
    const { host, here, resource, run } = world()
    await expect(run([[resource('role', undefined, new Error('in use'))], [resource('group', refuse('quota'))]])).rejects.toThrow('quota')
    expect([...here]).toEqual(['role'])
    expect(host.lines.join('\n')).toContain('could not remove: thing role: in use')
    expect(host.lines.join('\n')).not.toContain('Error:')
  })
})

describe('removing what was made', () => {
  test.each(['found', 'updated'] as const)('leaves what was there before (%s), and what is shared', async (outcome) => {
    const { here, calls, resource, run } = world()
    here.add('theirs')
    const theirs: Resource = { ...resource('theirs'), ensure: async () => outcome }
    const shared: Resource = { ...resource('shared'), shared: true }
    await expect(run([[theirs, shared, resource('role')], [resource('group', refuse('quota'))]])).rejects.toThrow('quota')
    expect([...here].toSorted()).toEqual(['shared', 'theirs'])
    expect(calls.filter((call) => call.startsWith('-'))).toEqual(['-group', '-role'])
  })

  test('removes what was only found because the answer to its creation was lost', async () => {
    const { here, resource, run } = world()
    const role = resource('role')
    let tries = 0
    const lost: Resource = {
      ...role,
      async ensure() {
        tries += 1
        if (tries > 1) return 'found'
        here.add('role')
        throw new RemoteError('the connection broke', { retryable: true })
      },
    }
    await expect(run([[lost], [resource('group', refuse('quota'))]])).rejects.toThrow('quota')
    expect(tries).toBe(2)
    expect([...here]).toEqual([])
  })

  test('a slow resource is asked again when it says', async () => {
    const { calls, resource, run, clock } = world()
    let looks = 0
    await run([[{ ...resource('group', async () => (++looks < 3 ? 'pending' : undefined)), pace: 30_000 }]])
    expect(calls).toHaveLength(3)
    expect(clock.now()).toBe(60_000)
  })
})
