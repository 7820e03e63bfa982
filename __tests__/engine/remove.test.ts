import { describe, expect, test } from '@jest/globals'
import type { Removed, Resource } from '../../src/core/resource.ts'
import type { Engine } from '../../src/engine/deployment.ts'
import { removeStages } from '../../src/engine/destroy/stages.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'

const engine = (): Engine => ({ host: memoryHost(), clock: fakeClock(undefined, { auto: true }), home: '/nowhere', actor: 'ann@box' })

function resource(name: string, answers: readonly (Removed | Error)[], asked: string[]): Resource {
  const left = [...answers]
  return {
    kind: 'disk',
    name,
    ensure: async () => 'found',
    async remove() {
      asked.push(name)
      const answer = left.length > 1 ? left.shift() : left[0]
      if (answer instanceof Error) throw answer
      return answer ?? 'absent'
    },
  }
}

describe('removing', () => {
  test('goes stage by stage, asks again while something is pending, and accepts what is gone', async () => {
    const asked: string[] = []
    await removeStages(engine(), [[resource('a', ['pending', 'pending', 'removed'], asked)], [resource('b', ['absent'], asked)]])
    expect(asked).toEqual(['a', 'a', 'a', 'b'])
  })

  test('what the cloud ends by itself is reported, and not waited for', async () => {
    const [asked, by] = [[] as string[], engine()]
    await removeStages(by, [[resource('a', ['pending', 'going'], asked)]])
    expect(asked).toEqual(['a', 'a'])
    expect((by.host as ReturnType<typeof memoryHost>).lines).toEqual(['info: disk a: the cloud removes it in its own time'])
  })

  test('everything that cannot be removed is named, and everything else is removed', async () => {
    const asked: string[] = []
    const stages = [
      [resource('a', [new Error('in use')], asked), resource('b', ['removed'], asked)],
      [resource('c', [new Error('denied')], asked)],
    ]
    await expect(removeStages(engine(), stages)).rejects.toMatchObject({
      exitCode: 76,
      message: 'could not remove: disk a: in use; disk c: denied',
      hint: 'run the same command again',
    })
    expect(asked.sort()).toEqual(['a', 'b', 'c'])
  })

  test('a resource is asked again when it says, and shared ones stay', async () => {
    const [asked, by] = [[] as string[], engine()]
    await removeStages(by, [[{ ...resource('a', ['pending', 'removed'], asked), pace: 20_000 }], [resource('b', ['used'], asked)]])
    expect(asked).toEqual(['a', 'a', 'b'])
    expect(by.clock.now()).toBe(20_000)
    expect((by.host as ReturnType<typeof memoryHost>).lines).toContain('debug: disk b: stays, others use it')
  })

  test('what stays pending for ten minutes is named as well', async () => {
    await expect(removeStages(engine(), [[resource('a', ['pending'], [])]])).rejects.toThrow('disk a: still there after 10 minutes')
  })
})
