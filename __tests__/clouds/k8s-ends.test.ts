/** How machines of cloud k8s end: as the cluster reports it, and as the machine itself sees it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, jest, test } from '@jest/globals'
import type { Api } from '../../src/clouds/k8s/api.ts'
import { side } from '../../src/clouds/k8s/machine.ts'
import { endOf, outgrewDisk } from '../../src/clouds/k8s/messages.ts'
import { replacedIn } from '../../src/clouds/k8s/next-pod.ts'
import type { ContainerStatus, Pod } from '../../src/clouds/k8s/objects.ts'
import { Watch } from '../../src/clouds/k8s/observe.ts'
import { type JobParams, jobResource } from '../../src/clouds/k8s/resources/job.ts'
import type { MachineConfig } from '../../src/wire/machine.ts'

describe('the end of a pod', () => {
  const ended = (at: string, more: Pod['status'] = {}, failures?: string): Pod => ({
    metadata: { name: 'p', ...(failures !== undefined && { annotations: { 'batch.kubernetes.io/job-index-failure-count': failures } }) },
    spec: {},
    status: { phase: 'Failed', containerStatuses: [{ name: 'main', state: { terminated: { exitCode: 75, finishedAt: at } } }], ...more },
  })
  const at = '2026-11-22T10:00:00Z'
  const after = (seconds: number): number => Date.parse(at) + seconds * 1000

  test('names the container that failed, and what has used up its disk', () => {
    const terminated = { exitCode: 3, finishedAt: at }
    const waiting = { reason: 'PodInitializing' }
    const before = ended(at, {
      initContainerStatuses: [{ name: 'fetch', state: { terminated } }],
      containerStatuses: [{ name: 'main', state: { waiting } }],
    })
    expect(endOf(before)).toBe('container "fetch" ended with exit code 3')
    const killed = { name: 'fetch', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }
    const limited = (name: string, memory: string) => ({ name, resources: { limits: { memory } } })
    const spec = { containers: [limited('main', '16000000000')], initContainers: [limited('fetch', '256Mi')] }
    expect(endOf({ ...ended(at, { initContainerStatuses: [killed], containerStatuses: [] }), spec })).toBe(
      'container "fetch" ran out of memory (limit 256Mi)',
    )
    expect(endOf({ ...ended(at, { containerStatuses: [{ ...killed, name: 'main' }] }), spec })).toBe('out of memory (limit 16 GB)')
    expect(endOf(ended(at))).toBe('asked to be replaced (exit 75)')
    for (const message of [
      'Usage of EmptyDir volume "tpi-home" exceeds the limit "50M". ',
      'Pod ephemeral local storage usage exceeds the total limit of containers 50M. ',
      'Container main exceeded its local ephemeral storage limit "50M". ',
    ]) {
      const full = ended(at, { reason: 'Evicted', message })
      expect([outgrewDisk(full), endOf(full)]).toEqual([true, `it has used up its disk: ${message.trim()}`])
    }
    const node = ended(at, { reason: 'Evicted', message: 'The node was low on resource: ephemeral-storage. ' })
    expect([outgrewDisk(node), endOf(node)]).toEqual([false, expect.stringMatching(/^evicted: The node was low/)])
  })

  test('its replacement comes later with each failure, and for a pod that is told to end, the time counts from then on', () => {
    expect(replacedIn(ended(at), after(2))).toBe(8_000)
    expect(replacedIn(ended(at, {}, '3'), after(0))).toBe(80_000)
    expect(replacedIn(ended(at, {}, '12'), after(0))).toBe(600_000)
    expect(replacedIn(ended(at), after(10))).toBeUndefined()
    const running: Pod = {
      metadata: { name: 'p' },
      spec: {},
      status: { phase: 'Running', containerStatuses: [{ name: 'main', state: { running: {} } }] },
    }
    expect(replacedIn(running, after(0))).toBeUndefined()
    // Its work is done, but the pod does not say so yet.
    const done = { name: 'main', state: { terminated: { exitCode: 0, finishedAt: at } } }
    expect(replacedIn({ ...running, status: { phase: 'Running', containerStatuses: [done] } }, after(1))).toBeUndefined()
    const going = { ...running, metadata: { name: 'p', deletionTimestamp: '2026-11-22T10:02:00Z', deletionGracePeriodSeconds: 120 } }
    expect(replacedIn(going, after(1))).toBe(9_000)
    // A container that runs before the program has failed, so the program's container has no end of its own.
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: at }]
    expect(replacedIn(ended(at, { conditions, containerStatuses: [{ name: 'main', state: { waiting: {} } }] }), after(4))).toBe(6_000)
  })
})

describe('a program that has ended in a pod that another container keeps alive', () => {
  const proxy = { name: 'istio-proxy', state: { running: {} } }
  /** What a look at it finds, and which pods it removes. */
  async function seen(exitCode: number, more: Partial<Record<'containerStatuses' | 'initContainerStatuses', ContainerStatus[]>>) {
    const removed: unknown[] = []
    const main = { name: 'main', state: { terminated: { exitCode } } }
    const status = { phase: 'Running', ...more, containerStatuses: [main, ...(more.containerStatuses ?? [])] }
    const pod: Pod = { metadata: { name: 'p', annotations: { 'batch.kubernetes.io/job-completion-index': '0' } }, spec: {}, status }
    const api = {
      now: 0,
      list: async (kind: string) => (kind === 'pods' ? [pod] : []),
      get: async () => ({ metadata: { name: 'j' }, spec: { parallelism: 2, completions: 2 } }),
      log: async () => 'its log',
      removeAll: async (_: string, query: { fieldSelector?: string }) => removed.push(query.fieldSelector),
    } as unknown as Api
    const watch = new Watch(api, { id: 'tpi-a-0123456789', incarnation: 'one' })
    const { machines } = await watch.look()
    // Whoever only looks, as `tpi status` does, changes nothing, and may have no right to.
    expect(removed).toEqual([])
    await watch.clear()
    return { machines, removed }
  }

  test('is gone; if it failed, its pod is removed, because the cluster would never replace it', async () => {
    const failed = await seen(137, { containerStatuses: [proxy] })
    expect(failed.machines).toMatchObject([{ id: 'p', state: 'gone', reason: 'ended with exit code 137', bootLog: 'its log' }])
    expect(failed.removed).toEqual(['metadata.name=p'])
    const done = await seen(0, { containerStatuses: [proxy] })
    expect(done).toMatchObject({ machines: [{ state: 'gone', reason: 'its work is done' }], removed: [] })
  })

  test('is left to the cluster if that container is a sidecar, which Kubernetes ends itself', async () => {
    expect((await seen(137, { initContainerStatuses: [proxy] })).removed).toEqual([])
  })
})

test('a machine whose sidecar fails again and again is stuck, with the end of that container’s log', async () => {
  const state = { waiting: { reason: 'CrashLoopBackOff' } }
  const initContainerStatuses = [{ name: 'tpi-docker', restartCount: 4, state, lastState: { terminated: { exitCode: 1 } } }]
  const pod: Pod = { metadata: { name: 'p' }, spec: {}, status: { phase: 'Pending', initContainerStatuses } }
  let reads = 0
  const api = {
    now: 0,
    list: async (kind: string) => (kind === 'pods' ? [pod] : []),
    get: async () => ({ metadata: { name: 'j' }, spec: { parallelism: 1, completions: 1 } }),
    log: async (_: string, container: string) => `log of ${container}${'.'.repeat(reads++)}`,
  } as unknown as Api
  const watch = new Watch(api, { id: 'tpi-a-0123456789', incarnation: 'one' })
  const time = jest.spyOn(performance, 'now').mockReturnValue(0)
  try {
    expect((await watch.look()).machines).toMatchObject([{ state: 'starting' }])
    time.mockReturnValue(40_000)
    const stuck = 'container "tpi-docker" fails again and again (exit code 1); its log ends: log of tpi-docker'
    expect((await watch.look()).machines).toMatchObject([{ stuck, stuckFor: 40_000 }])
    time.mockReturnValue(42_000)
    expect((await watch.look()).machines).toMatchObject([{ stuck, stuckFor: 42_000 }])
    expect(reads).toBe(1)
  } finally {
    time.mockRestore()
  }
})

test.each(['Complete', 'Failed', 'SuccessCriteriaMet', 'FailureTarget'])(
  'a root that is over (%s) is removed, not used again',
  async (type) => {
    const removed: string[] = []
    const there = { metadata: { name: 'j', uid: 'u' }, spec: {}, status: { conditions: [{ type, status: 'True' }] } }
    const api = {
      create: async () => undefined,
      get: async () => there,
      remove: async (_: string, name: string) => removed.push(name),
    } as unknown as Api
    const root: JobParams = {
      of: { id: 'tpi-a-0123456789', incarnation: 'two' },
      role: 'store',
      name: 'j',
      labels: {},
      annotations: {},
      completions: 1,
      parallelism: 0,
      deadline: () => 60,
      template: async () => ({}),
      signal: new AbortController().signal,
    }
    await expect(jobResource(api, 'store', 'j', '', root).ensure()).rejects.toMatchObject({ retryable: true })
    expect(removed).toEqual(['j'])
  },
)

describe('a pod that is told to end', () => {
  test('treats it as a reclaim, or knows that it has written more than it may', async () => {
    const place = mkdtempSync(join(tmpdir(), 'tpi-pod-'))
    try {
      const home = join(place, 'machine')
      mkdirSync(join(home, 'work'), { recursive: true })
      const reported = async (): Promise<unknown> => side.endAsked?.({ home } as MachineConfig)
      expect(await reported()).toEqual({ kind: 'reclaim', seconds: 28, atMost: true })
      writeFileSync(join(place, 'pod.json'), JSON.stringify({ v: 2, notice: 62, disk: 1_000_000 }))
      expect(await reported()).toEqual({ kind: 'reclaim', seconds: 60, atMost: true })
      writeFileSync(join(home, 'work/large'), Buffer.alloc(1_200_000, 1))
      expect(await reported()).toEqual({ kind: 'reclaim', seconds: 1, diskFull: expect.stringMatching(/^more was written than the 1 MB/) })
      writeFileSync(join(place, 'pod.json'), JSON.stringify({ v: 2, notice: 62 }))
      expect(await reported()).toEqual({ kind: 'reclaim', seconds: 60, atMost: true })
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })
})
