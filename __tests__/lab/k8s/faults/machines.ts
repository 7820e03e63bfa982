/** What happens to working pods and nodes. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { until } from '../../shell.ts'
import type { SeenRequest } from '../control-plane.ts'
import { type Fault, factsOf, giveBack, IMAGE, prefer, RESUMED, reported, saved, script, underWay } from './kit.ts'

export function faultsOfMachines(fault: Fault): void {
  fault(
    'the node is short of something, and evicts; it recovers, and stops',
    async (room) => {
      const apart = room.cluster.nodes[2]!
      const evicted = await underWay(room, 'squeezed', ...prefer(room, 'apart'), ...RESUMED)
      expect((await room.pod('task')).spec).toMatchObject({ nodeName: apart.name })
      await saved(room, 'squeezed')
      try {
        // More processes than any node can have.
        await apart.configure({ evictionHard: { 'pid.available': '10M' } })
        const squeezed = await evicted.ended
        const why = /the node evicts the pod: The node (had condition: \[PIDPressure\]|was low on resource: pids)/
        expect(squeezed).toMatchObject({ code: 0, err: expect.stringMatching(why) })
        expect(squeezed.err).toMatch(/from [1-9]/)
        expect(squeezed.err).not.toContain('cannot be mounted')
        expect(factsOf(squeezed)).toMatchObject({ outcome: 'success', slots: [{ attempts: [{ announced: true }, {}] }] })
      } finally {
        // From here on it does not know the cluster's DNS.
        await apart.configure({ evictionHard: {}, clusterDNS: [] })
      }
      await until(
        'the node to recover',
        60,
        async () => !(await room.cluster.kubectl('describe', 'node', apart.name)).includes('pid-pressure') || undefined,
      )

      const running = await underWay(room, 'dark', '--grace', '1s', ...prefer(room, 'apart'), ...RESUMED)
      await saved(room, 'dark')
      const pod = await room.pod('task')
      expect(pod.spec).toMatchObject({ nodeName: apart.name })
      // The kubelet is away for a moment, which nobody notices.
      await apart.stopKubelet()
      apart.startKubelet()
      await until('the kubelet', 60, async () => (await room.tpi.run('exec', 'dark', '--', 'true')).code === 0 || undefined)
      expect((await room.pod('task')).metadata.uid).toBe(pod.metadata.uid)
      await apart.kill()
      await running.says(/attempt 2|from [1-9]/, 150)
      const ended = await running.ended
      expect(ended).toMatchObject({ code: 0 })
      expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempt: 2 }] })
      expect([...ended.err.matchAll(/is not configured with the DNS of the cluster \(MissingClusterDNS\)/g)]).toHaveLength(1)
      // Nothing else would report that its pods are gone.
      await room.cluster.kubectl('delete', 'node', 'node-2')
    },
    { long: true },
  )

  fault('a pod is deleted', async (room) => {
    const running = await underWay(room, 'deleted', ...RESUMED)
    const { metadata } = await room.pod('task')
    await saved(room, 'deleted')
    const fault = performance.now()
    await room.kubectl('delete', 'pod', metadata.name, '--wait=false')
    const pod = /tpi-deleted-\w+-\w+-0-\w+/.source
    const line = new RegExp(`attempt 1 on ${pod} was interrupted: .*; attempt 2 continues on ${pod} from the checkpoint of`)
    // Its last save, the pause of its Job (10 s) and the start of a pod come before that.
    const ended = await reported(running, line, fault + 30_000)
    // A change of machine is one line.
    expect(ended.err).not.toContain('replacement in')
    expect(ended).toMatchObject({ code: 0 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempts: [{ announced: true }, {}] }] })
    expect(ended.err).toMatch(/from [1-9]/)
  })

  // The lease is longer than the test, so only knowing that the pod is dead can be this quick.
  fault(
    'a container is killed',
    async (room) => {
      const running = await underWay(room, 'killed', ...RESUMED)
      await saved(room, 'killed')
      room.kill(await room.pod('task'))
      const ended = await running.ended
      expect(ended).toMatchObject({ code: 0 })
      expect(factsOf(ended).slots[0]?.attempts).toMatchObject([{ reason: expect.stringMatching(/died: ended with exit code 137/) }, {}])
    },
    { env: { TPI_LEASE_TTL: '10m', TPI_LEASE_BEAT: '2s' } },
  )

  // As the proxy of a service mesh does.
  fault(
    'a container is killed, and another one keeps its pod alive',
    async (room) => {
      const beside = { name: 'beside', image: IMAGE[1], command: ['sleep', '1000'] }
      const template = join(room.place, 'beside.json')
      writeFileSync(template, JSON.stringify({ spec: { containers: [beside] } }))
      const running = await underWay(room, 'kept-alive', '--pod-template', template, ...RESUMED)
      await saved(room, 'kept-alive')
      room.kill(await room.pod('task'), '/tpi/agent.mjs')
      const ended = await running.ended
      expect(ended).toMatchObject({ code: 0 })
      expect(factsOf(ended).slots[0]?.attempts).toMatchObject([{ reason: expect.stringMatching(/died: ended with exit code 137/) }, {}])
    },
    { env: { TPI_LEASE_TTL: '10m', TPI_LEASE_BEAT: '2s' } },
  )

  fault('the script runs out of memory', async ({ tpi, ...room }) => {
    const request = ['--timeout', '10m', '--name', 'hungry', '--memory', '300MB', '--json']
    const why = /out of memory \(limit 300 MB/
    const ended = await reported(tpi.start('task', ...IMAGE, ...request, ...script('exec tail /dev/zero')), why)
    expect(ended).toMatchObject({ code: 137 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'script-failed', slots: [{ attempt: 1, reason: expect.stringMatching(why) }] })
    await giveBack({ tpi, ...room }, 'hungry')
  })

  fault('a disruption budget forbids the interruption', async (room) => {
    const running = await underWay(room, 'guarded', ...RESUMED)
    await saved(room, 'guarded')
    // While a pod counts as Pending, no budget protects it, and a busy kubelet reports late: canIgnorePDB in Kubernetes'
    // pkg/registry/core/pod/storage/eviction.go
    await until(
      'a pod that the cluster counts as running',
      60,
      async () => (await room.pod('task')).status?.['phase'] === 'Running' || undefined,
    )
    await room.kubectl('create', 'poddisruptionbudget', 'always-one', '--selector=tpi.iterative.ai/role=task', '--min-available=1')
    const forbidden = await room.tpi.run('interrupt', 'guarded')
    expect(forbidden).toMatchObject({ code: 76, err: expect.stringMatching(/could not be evicted: .*always-one/) })
    // The eviction is repeated until the budget allows it.
    const pod = await room.pod('task')
    const asked = (): number => room.cluster.control.requests().filter((one) => evicts(one, pod.metadata.name)).length
    const before = asked()
    const patient = room.tpi.start('interrupt', 'guarded')
    await until('two refusals', 60, async () => (asked() > before + 1 ? true : undefined))
    await room.kubectl('delete', 'poddisruptionbudget', 'always-one')
    expect(await patient.ended).toMatchObject({ code: 0 })
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 0 })
    expect(factsOf(ended)).toMatchObject({ slots: [{ attempts: [{ announced: true }, {}] }] })
  })

  fault(
    'a node is short of memory, and then loses its network: what it still does no longer counts',
    async (room) => {
      const cut = room.cluster.nodes[3]!
      const evicted = await underWay(room, 'swapping', ...prefer(room, 'cut'), ...RESUMED)
      expect((await room.pod('task')).spec).toMatchObject({ nodeName: cut.name })
      await saved(room, 'swapping')
      try {
        // Pods cannot use the memory that must stay available, so a little must be left for them.
        await cut.configure({ evictionHard: { 'memory.available': '99%' } })
        await evicted.says(/the node evicts the pod: The node (had condition: \[MemoryPressure\]|was low on resource: memory)/, 120)
      } finally {
        await cut.configure({ evictionHard: {} })
      }
      const ended = await evicted.ended
      expect(ended).toMatchObject({ code: 0, err: expect.stringMatching(/from [1-9]/) })
      const [{ attempts } = { attempts: [] }] = factsOf(ended).slots
      expect(attempts.slice(0, -1).every(({ announced }) => announced)).toBe(true)
      await until(
        'the node to recover',
        60,
        async () => !(await room.cluster.kubectl('describe', 'node', cut.name)).includes('memory-pressure') || undefined,
      )

      // Each attempt keeps writing whose the file is.
      const whose = 'echo "from 0"; n=0; until [ -e /tmp/end ]; do n=$((n+1)); echo "attempt $TPI_ATTEMPT $n" > whose; sleep 0.5; done'
      const out = join(room.place, 'split')
      const running = await underWay(room, 'split', ...prefer(room, 'cut'), '--output', 'whose', '--output-dir', out, ...script(whose))
      const first = await room.pod('task')
      expect(first.spec).toMatchObject({ nodeName: cut.name })
      await saved(room, 'split')
      await cut.cut()
      try {
        await running.says(/attempt 2/, 150)
        await room.pod('task', first.metadata.name)
        expect(room.lives(first)).toBe(true)
      } finally {
        await cut.rejoin()
      }
      await until('the first machine to give up', 120, async () => !room.lives(first) || undefined)
      await until(
        'the second one',
        60,
        async () => (await room.tpi.run('exec', 'split', '--', 'touch', '/tmp/end')).code === 0 || undefined,
      )
      const over = await running.ended
      expect(over).toMatchObject({ code: 0 })
      expect(factsOf(over)).toMatchObject({ outcome: 'success', slots: [{ attempt: 2 }] })
      expect(readFileSync(join(out, 'whose'), 'utf8')).toMatch(/^attempt 2 /)
    },
    { long: true },
  )

  fault('the script writes more than its disk holds, and ignores SIGTERM', async (room) => {
    const request = ['--timeout', '10m', '--name', 'hoarder', '--disk-size', '20MB', '--json']
    const ended = await room.tpi.run(
      'task',
      ...IMAGE,
      ...request,
      ...script('trap "" TERM; dd if=/dev/urandom of=large bs=1000000 count=60 2>/dev/null; while :; do sleep 1; done'),
    )
    expect(ended).toMatchObject({ code: 1 })
    const reason = expect.stringMatching(/^(disk full: more was written than the 20 MB|it has used up its disk: .*exceeds)/)
    expect(factsOf(ended)).toMatchObject({ outcome: 'script-failed', slots: [{ reason, attempts: [{}] }] })
    expect(factsOf(ended).slots[0]?.attempts).toHaveLength(1)
    await giveBack(room, 'hoarder')
  })
}

function evicts({ verb, requestURI }: SeenRequest, pod: string): boolean {
  return verb === 'create' && requestURI.includes(`/pods/${pod}/eviction`)
}
