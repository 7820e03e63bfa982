/** What happens to the pod of the store. */
import { expect } from '@jest/globals'
import { counting, type Fault, factsOf, RESUMED, saved, underWay } from './kit.ts'

export function faultsOfStores(fault: Fault): void {
  fault('the store pod is killed, and moves to another node', async (room) => {
    const running = await underWay(room, 'moved', ...counting(40))
    room.kill(await room.pod('store'))
    const pod = await room.pod('store')
    await room.cluster.kubectl('cordon', String(pod.spec?.['nodeName']))
    await room.kubectl('delete', 'pod', pod.metadata.name, '--force', '--grace-period=0')
    const ended = await running.ended
    await room.cluster.kubectl('uncordon', String(pod.spec?.['nodeName']))
    expect(ended).toMatchObject({ code: 0 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempt: 1 }] })
  })

  fault('store and machine are told to go at once, as when a node is emptied: the last save is still taken', async (room) => {
    const running = await underWay(room, 'drained', ...RESUMED)
    await saved(room, 'drained')
    const pods = await Promise.all([room.pod('store'), room.pod('task')])
    await room.kubectl('delete', 'pod', ...pods.map(({ metadata }) => metadata.name), '--wait=false')
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 0, err: expect.stringMatching(/from [1-9]/) })
    expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempts: [{ announced: true }, {}] }] })
    const [first] = factsOf(ended).slots[0]?.attempts ?? []
    expect(Date.parse(first?.end ?? '') - Date.parse(first?.savedAt ?? '')).toBeLessThan(5_000)
  })
}
