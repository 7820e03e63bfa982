/** Runners whose jobs have their own pods in another namespace, made by hooks in their image that do what GitHub's do. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { parseAllDocuments } from 'yaml'
import { JOB_ACCOUNT, jobRoleText } from '../../../src/clouds/k8s/job-pods.ts'
import { type DoubleJob, GithubDouble } from '../github/double.ts'
import { until } from '../shell.ts'
import type { KubernetesObject } from './api.ts'
import { type Image, nodeImage } from './images.ts'
import type { Room } from './room.ts'

export async function hooksImage(): Promise<Image> {
  const hooks = readFileSync(join(import.meta.dirname, 'container-hooks.cjs'), 'utf8')
  return await nodeImage('hooks', { '/home/runner/k8s-novolume/index.js': hooks })
}

const settled = (job: DoubleJob | undefined): true | undefined => (job?.status === 'completed' ? true : undefined)

/** Like `kubectl apply`. */
async function apply({ cluster: { api } }: Room, text: string): Promise<void> {
  for (const document of parseAllDocuments(text)) {
    const made = document.toJS() as (KubernetesObject & { kind: string; apiVersion: string }) | null
    if (!made) continue
    const base = made.apiVersion === 'v1' ? '/api/v1' : `/apis/${made.apiVersion}`
    await api.create(`${base}/namespaces/${made.metadata.namespace}/${made.kind.toLowerCase()}s`, made)
  }
}

/** Jobs run in pods of the other namespace, and none of these stays: after a job, after a machine that dies in mid-job, or at the end. */
export async function withJobPods(room: Room): Promise<void> {
  const { cluster, namespace } = room
  const jobs = `${namespace}-jobs`
  const forge = await new GithubDouble().start(cluster.host)
  await cluster.kubectl('create', 'namespace', jobs)
  try {
    await apply(room, jobRoleText(namespace, jobs))
    const pods = async (): Promise<readonly KubernetesObject[]> => cluster.api.list(`/api/v1/namespaces/${jobs}/pods`)
    const none = async (): Promise<unknown> => until('no pod of a job', 30, async () => ((await pods()).length === 0 ? true : undefined))
    const tpi = room.tpi.with({ GITHUB_API_URL: forge.url })
    const request = ['--image', 'lab.test/hooks:1', '--timeout', '10m', '--labels', 'gpu', '--repository', 'octo/hello', '--json']
    const modes = ['--container-mode', 'kubernetes', '--job-namespace', jobs, '--permission-set', JOB_ACCOUNT]
    const launched = await tpi.run('runner', '--name', 'p', ...request, ...modes, '--jobs', '4', '--idle-timeout', '2m')
    expect(launched).toMatchObject({ code: 0 })
    const { runsOn: labels } = JSON.parse(launched.out) as { runsOn: string[] }
    const inside = (script: string): string => `container:lab.test/bare:1 ${script}`

    const first = forge.push([{ labels, script: inside('hostname; ls /var/run/secrets 2>&1; exit 0') }])
    await until('the first job', 60, async () => settled(first.jobs[0]))
    expect(first.jobs[0]).toMatchObject({ conclusion: 'success' })
    await none()
    const bare = forge.push([{ labels, script: 'true' }])
    await until('a job without a container', 60, async () => settled(bare.jobs[0]))
    expect(bare.jobs[0]).toMatchObject({ conclusion: 'failure', annotation: expect.stringContaining('without a job container') })

    const lost = forge.push([{ labels, script: inside('echo long; sleep 300') }])
    const [left] = await until('a pod of a job', 60, async () => ((await pods()).length > 0 ? pods() : undefined))
    expect(left?.spec?.['activeDeadlineSeconds']).toBeGreaterThan(60)
    await until('its script', 60, async () => ((await tpi.run('logs', 'p')).out.includes('long\n') ? true : undefined))
    room.kill(await room.pod('task'))
    for (const job of lost.jobs) forge.end(job, 'failure', 'The self-hosted runner lost communication with the server.')
    const next = forge.push([{ labels, script: inside('hostname') }])
    await until('a job of the machine that takes its place', 120, async () => settled(next.jobs[0]))
    expect(next.jobs[0]).toMatchObject({ conclusion: 'success' })
    await none()

    const { out } = await tpi.run('logs', 'p', '--follow')
    expect(out).toMatch(/^tpi-[0-9a-f]+-0-workflow\nls: .*No such file/m)
    expect(await tpi.run('destroy', 'p', '--discard')).toMatchObject({ code: 0 })
    expect(forge.breaches).toEqual([])
    await room.kubectl('delete', 'serviceaccount', JOB_ACCOUNT)
  } finally {
    await forge.stop()
    await cluster.kubectl('delete', 'namespace', jobs, '--wait=false').catch(() => undefined)
  }
}
