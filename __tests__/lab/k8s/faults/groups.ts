/** What a cluster itself does to a group: it ends the Job, or a pod has to make room. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import type { Room } from '../room.ts'
import { counting, type Fault, factsOf, giveBack, RESUMED, reported, saved, underWay } from './kit.ts'

const SCARCE = 'lab.test/scarce'

export function faultsOfGroups(fault: Fault): void {
  fault('the deadline of the Job comes before that of the task', async (room) => {
    const running = await underWay(room, 'cut-short', ...counting(1000))
    await saved(room, 'cut-short')
    const patched = performance.now()
    await patchJob(room, { activeDeadlineSeconds: 1 })
    const ended = await reported(running, /^the deadline of the Job is reached$/m, patched)
    expect(ended).toMatchObject({ code: 76 })
    expect(ended.err).not.toContain('replacement in')
    const reason = 'machine lost, and none left to replace it: the deadline of the Job is reached'
    expect(factsOf(ended)).toMatchObject({ slots: [{ reason, attempts: [{ announced: true, savedAt: expect.any(String) }] }] })
    await giveBack(room, 'cut-short')
  })

  fault('the Job may have no further failures', async (room) => {
    const running = await underWay(room, 'spent', ...counting(1000))
    await saved(room, 'spent')
    await patchJob(room, { backoffLimit: 0 })
    const fault = performance.now()
    room.kill(await room.pod('task'))
    const why = 'no more replacements: Job has reached the specified backoff limit'
    const ended = await reported(running, new RegExp(`warning: ${why}\n`), fault)
    expect(ended).toMatchObject({ code: 76 })
    expect(factsOf(ended)).toMatchObject({ slots: [{ reason: `machine lost, and none left to replace it: ${why}` }] })
    await giveBack(room, 'spent')
  })

  fault('a pod of higher priority takes the place of the machine, and then leaves it', async (room) => {
    const [, node] = room.cluster.nodes
    await room.cluster.api.patch(`/api/v1/nodes/${node!.name}/status`, { status: { capacity: { [SCARCE]: '1' } } })
    await room.cluster.kubectl('create', 'priorityclass', 'lab-urgent', '--value=1000')
    const resources = { requests: { [SCARCE]: '1' }, limits: { [SCARCE]: '1' } }
    const template = join(room.place, 'scarce.json')
    writeFileSync(template, JSON.stringify({ spec: { containers: [{ name: 'main', resources }] } }))
    const running = await underWay(room, 'polite', '--pod-template', template, ...RESUMED)
    await saved(room, 'polite')
    const urgent = { name: 'main', image: 'lab.test/bare:1', command: ['sleep', '1000'], resources }
    const fault = performance.now()
    await room.cluster.api.create(`/api/v1/namespaces/${room.namespace}/pods`, {
      metadata: { name: 'urgent' },
      spec: { priorityClassName: 'lab-urgent', terminationGracePeriodSeconds: 1, containers: [urgent] },
    })
    const noRoom = new RegExp(`none of \\d nodes can take the pod: .*too little ${SCARCE}`)
    await running.says(noRoom, 120)
    await room.kubectl('delete', 'pod', 'urgent')
    const ended = await reported(running, /the pod gives way to one of higher priority: Preempted by pod/, fault)
    expect(ended).toMatchObject({ code: 0, err: expect.stringMatching(/from [1-9]/) })
    expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempts: [{ announced: true }, {}] }] })
    await room.cluster.kubectl('delete', 'priorityclass', 'lab-urgent')
  })
}

async function patchJob(room: Room, spec: object): Promise<void> {
  const jobs = `/apis/batch/v1/namespaces/${room.namespace}/jobs`
  const [job] = await room.cluster.api.list(`${jobs}?labelSelector=tpi.iterative.ai/role=task`)
  await room.cluster.api.patch(`${jobs}/${job?.metadata.name}`, { spec })
}
