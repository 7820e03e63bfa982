/** What happens to the pod of the store. */
import { expect } from '@jest/globals'
import { counting, type Fault, factsOf, IMAGE, RESUMED, saved, underWay } from './kit.ts'

/** Milliseconds for destroying a run whose store is asked in vain a few times, and whose machine has half a minute to end. */
const WITHOUT = 120_000

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

  fault('store and machine are told to end at once, as when a node is drained: the last snapshot is still saved', async (room) => {
    const running = await underWay(room, 'drained', '--checkpoint-interval', '30s', ...RESUMED)
    await saved(room, 'drained')
    const pods = await Promise.all([room.pod('store'), room.pod('task')])
    const told = Date.now()
    await room.kubectl('delete', 'pod', ...pods.map(({ metadata }) => metadata.name), '--wait=false')
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 0, err: expect.stringMatching(/from [1-9]/) })
    expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempts: [{ announced: true }, {}] }] })
    const [first] = factsOf(ended).slots[0]?.attempts ?? []
    expect(Date.parse(first?.savedAt ?? '')).toBeGreaterThan(told)
  })

  fault('the node of the store is lost for good: a discard works without it, and mentions no forge', async (room) => {
    const request = ['task', ...IMAGE, '--timeout', '10m', '--grace', '1s', '--name', 'widowed', '--detach', ...counting(1000)]
    expect(await room.tpi.run(...request)).toMatchObject({ code: 0 })
    await room.pod('task')
    const { metadata, spec } = await room.pod('store')
    const briefly = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', tolerationSeconds: 30 }
    expect(spec?.['tolerations']).toContainEqual(expect.objectContaining(briefly))
    // Such a node leaves a pod whose end nobody confirms, and a claim that no other node can reach.
    await room.kubectl('patch', 'pod', metadata.name, '--patch', '{"metadata":{"finalizers":["lab.test/lost"]}}')
    await room.kubectl('create', 'quota', 'none', '--hard=pods=0')
    await room.kubectl('delete', 'pod', metadata.name, '--force', '--grace-period=0', '--wait=false')
    const begun = performance.now()
    const discarded = await room.tpi.run('destroy', 'widowed', '--discard')
    expect(discarded).toMatchObject({ code: 0, err: expect.not.stringMatching(/regist|forge|runner/) })
    expect(performance.now() - begun).toBeLessThan(WITHOUT)
    await room.kubectl('patch', 'pod', metadata.name, '--patch', '{"metadata":{"finalizers":null}}')
  })
}
