/** What the predecessor did wrong on Kubernetes, and what tpi does instead; each with its number in the list of defects. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { until } from '../shell.ts'
import type { KubernetesObject } from './api.ts'
import type { Cluster } from './cluster.ts'
import { IMAGE, script } from './faults/kit.ts'
import type { Room } from './room.ts'

/** One test in a namespace of its own. */
type Task = (title: string, name: string, body: (room: Room) => Promise<void>) => void

const ON = [...IMAGE, '--timeout', '10m'] as const
const GPU = 'nvidia.com/gpu'

export function predecessorDefects(task: Task): void {
  task('defect 10: one vocabulary of clouds, so that what is made as "kubernetes" is removed as "k8s"', 'both-names', async ({ tpi }) => {
    const made = await tpi.run('task', '--cloud', 'kubernetes', ...ON, '--name', 'named', '--detach', ...script('sleep 1000'))
    expect(made).toMatchObject({ code: 0 })
    expect(await tpi.run('destroy', 'named', '--cloud', 'k8s', '--discard')).toMatchObject({ code: 0 })
  })

  task('defect 42: no pod but store and machine, whose GPU nobody needs to bring results home', 'gpu', async (room) => {
    const { tpi, place, namespace, cluster } = room
    await cluster.api.patch('/api/v1/nodes/node-0/status', { status: { capacity: { [GPU]: '1' } } })
    const [workdir, out] = [join(place, 'work'), join(place, 'out')]
    mkdirSync(workdir)
    for (const name of ['in.txt', 'left.skip']) writeFileSync(join(workdir, name), 'here\n')
    const work = ['--workdir', workdir, '--exclude', '*.skip', '--output', 'r/**', '--output-dir', join(place, 'brought')]
    const steps = 'test -e in.txt && test ! -e left.skip || exit 9; mkdir r; echo kept > r/x; exit 3'
    expect(await tpi.run('task', ...ON, '--name', 'first', '--gpu', '1', ...work, ...script(steps))).toMatchObject({ code: 3 })
    // The only GPU is in use while the results of the first task are fetched.
    const second = await tpi.run('task', ...ON, '--name', 'second', '--gpu', '1', '--detach', ...script('sleep 1000'))
    expect(second).toMatchObject({ code: 0 })
    expect(asksForGpu(await room.pod('task'))).toBe(true)
    expect(await tpi.run('pull', 'first', '--to', out)).toMatchObject({ code: 0 })
    expect(readFileSync(join(out, 'r/x'), 'utf8')).toBe('kept\n')
    expect(existsSync(join(out, 'left.skip'))).toBe(false)
    const pods = await cluster.api.list(`/api/v1/namespaces/${namespace}/pods`)
    const wanting = pods.filter(asksForGpu).map(({ metadata }) => metadata.labels?.['tpi.iterative.ai/role'])
    expect(new Set(wanting)).toEqual(new Set(['task']))
    expect(await tpi.run('stop', 'second')).toMatchObject({ code: 0 })
    await until('its machine to go', 60, async () => (await machinesOf(room)) === 0 || undefined)
    for (const name of ['first', 'second']) expect(await tpi.run('destroy', name, '--discard')).toMatchObject({ code: 0 })
    // Store and machines of each: no Job was made for moving files, or for removing.
    const made = cluster.control.requests().filter(({ verb, requestURI }) => verb === 'create' && requestURI.endsWith(`/${namespace}/jobs`))
    expect(made).toHaveLength(4)
  })

  task('defect 43: what is asked for is requested, so that room is made for it and it goes last', 'asked', async (room) => {
    const request = ['--cpu', '0.5', '--memory', '300MB', '--name', 'asked', '--detach']
    expect(await room.tpi.run('task', ...ON, ...request, ...script('sleep 1000'))).toMatchObject({ code: 0 })
    const { spec, status } = await room.pod('task')
    const amounts = { cpu: '500m', memory: '300M' }
    expect(spec).toMatchObject({ containers: [{ resources: { requests: amounts, limits: amounts } }] })
    expect(status).toMatchObject({ qosClass: 'Guaranteed' })
    expect(await room.tpi.run('destroy', 'asked', '--discard')).toMatchObject({ code: 0 })
  })
}

/** Call this after other tests have run on the cluster. */
export function predecessorLabels(cluster: Cluster): void {
  test("defect 40: pods are found only by tpi's own labels, whatever a version of Kubernetes calls its own", () => {
    const ours = cluster.control.requests().filter(({ userAgent }) => userAgent === 'tpi-action')
    const asked = ours.map(({ requestURI }) => new URL(requestURI, 'https://api')).filter(({ pathname }) => pathname.endsWith('/pods'))
    const selectors = new Set(asked.map(({ searchParams }) => (searchParams.get('labelSelector') ?? 'none').replace(/tpi-[\w-]+/, 'ID')))
    expect(selectors.size).toBeGreaterThan(1)
    for (const selector of selectors)
      expect(selector).toMatch(/^tpi\.iterative\.ai\/id=ID,tpi\.iterative\.ai\/role=\w+(,tpi\.iterative\.ai\/incarnation=\w+)?$/)
  })
}

function asksForGpu({ spec }: KubernetesObject): boolean {
  const containers = (spec?.['containers'] ?? []) as { resources?: { requests?: Record<string, string> } }[]
  return containers.some(({ resources }) => resources?.requests?.[GPU] !== undefined)
}

async function machinesOf({ cluster, namespace }: Room): Promise<number> {
  const pods = await cluster.api.list(`/api/v1/namespaces/${namespace}/pods?labelSelector=tpi.iterative.ai/role=task`)
  return pods.filter(({ status }) => status?.['phase'] === 'Running').length
}
