/** How machines of cloud k8s end: as the cluster reports it, and as the machine itself sees it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { side } from '../../src/clouds/k8s/machine.ts'
import { endOf, outgrewDisk } from '../../src/clouds/k8s/messages.ts'
import type { Pod } from '../../src/clouds/k8s/objects.ts'
import { replacedIn } from '../../src/clouds/k8s/replacement.ts'
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
