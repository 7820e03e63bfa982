/** Where a machine is placed, and what it gets, when a cluster admits it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { RUNTIME_CLASS } from '../node-config.ts'
import { type Fault, giveBack, script, underWay } from './kit.ts'

export function placesOnNodes(fault: Fault): void {
  fault('labels and a runtime class choose the place of the machine, and its disk the size of the claim', async (room) => {
    const { cluster, tpi, namespace } = room
    await cluster.kubectl('label', 'node', 'node-0', 'lab-a=1')
    await cluster.kubectl('label', 'node', 'node-1', 'lab-a=1', 'lab-b=2')
    const handler = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'lab' }, handler: RUNTIME_CLASS }
    const file = join(room.place, 'class.json')
    writeFileSync(file, JSON.stringify({ ...handler, overhead: { podFixed: { memory: '7Mi' } } }))
    await cluster.kubectl('apply', '-f', file)
    const template = join(room.place, 'classy.json')
    writeFileSync(template, JSON.stringify({ spec: { runtimeClassName: 'lab' } }))
    const request = ['--node-selector', 'lab-a=1,lab-b=2', '--pod-template', template]
    const running = await underWay(room, 'placed', ...request, ...script('echo from 0; until [ -e /tmp/end ]; do sleep 0.2; done'))
    // The API server adds the overhead to pods of this class; the kubelet would not start a pod whose handler the runtime does not know.
    const nodeSelector = { 'lab-a': '1', 'lab-b': '2' }
    expect((await room.pod('task')).spec).toMatchObject({
      nodeName: 'node-1',
      nodeSelector,
      runtimeClassName: 'lab',
      overhead: { memory: '7Mi' },
    })
    expect(await tpi.run('exec', 'placed', '--', 'touch', '/tmp/end')).toMatchObject({ code: 0 })
    expect(await running.ended).toMatchObject({ code: 0 })
    await cluster.kubectl('delete', 'runtimeclass', 'lab')

    const large = ['task', '--image', 'lab.test/bare:1', '--timeout', '10m', '--name', 'large', '--disk-size', '11GB', '--detach']
    expect(await tpi.with({ TPI_STORAGE_SIZE: '' }).run(...large, ...script('true'))).toMatchObject({ code: 0 })
    const [claim] = await cluster.api.list(`/api/v1/namespaces/${namespace}/persistentvolumeclaims`)
    expect(claim?.spec).toMatchObject({ resources: { requests: { storage: '11G' } } })
    const [pod] = await cluster.api.list(`/api/v1/namespaces/${namespace}/pods?labelSelector=tpi.iterative.ai/role=task`)
    const amounts = { 'ephemeral-storage': '11300M' }
    expect(pod?.spec).toMatchObject({ containers: [{ resources: { requests: amounts, limits: amounts } }] })
    await giveBack(room, 'large')
  })
}
