/** Runners with a Docker daemon beside them, and an image whose daemon does what matters here: it takes its time, and answers on a socket. */
import { expect } from '@jest/globals'
import { type DoubleJob, GithubDouble } from '../github/double.ts'
import { until } from '../shell.ts'
import type { KubernetesObject } from './api.ts'
import { type Image, nodeImage } from './images.ts'
import type { Room } from './room.ts'

const DAEMON = `#!/bin/node
const { chmodSync, chownSync } = require('node:fs')
const [at, group] = ['host=unix://', 'group='].map((flag) => process.argv.find((word) => word.startsWith('--' + flag)).slice(flag.length + 2))
const server = require('node:http').createServer((_, answer) => answer.end('served by user ' + process.getuid() + '\\n'))
setTimeout(() => server.listen(at, () => { chownSync(at, 0, Number(group)); chmodSync(at, 0o660); console.log('listening ' + Date.now()) }), 3000)
process.on('SIGTERM', () => { console.log('told to go ' + Date.now()); process.exit(0) })
`

/** \`docker --host=unix://PATH info\`; without a host, that of the environment. */
const CLIENT = `#!/bin/node
const host = process.argv.find((word) => word.startsWith('--host='))?.slice(7) ?? process.env.DOCKER_HOST
const asked = require('node:http').get({ socketPath: host.slice('unix://'.length), path: '/' }, (answer) => answer.pipe(process.stdout))
asked.on('error', (error) => { console.error(error.message); process.exit(1) })
`

export async function dockerImage(): Promise<Image> {
  return await nodeImage('docker', { dockerd: DAEMON, docker: CLIENT })
}

const REQUEST = ['--image', 'lab.test/docker:1', '--timeout', '10m', '--labels', 'gpu', '--repository', 'octo/hello', '--json'] as const
const DOCKER = ['--container-mode', 'dind', '--dind-image', 'lab.test/docker:1'] as const

interface Ended {
  readonly name: string
  readonly state: { readonly terminated?: { readonly startedAt: string; readonly finishedAt: string } }
}

/** Start and end of each container of a pod, once all have ended. */
async function endsOf(room: Room): Promise<Record<string, { from: number; to: number }>> {
  const pod = await until('the end of all containers', 60, async () => {
    const path = `/api/v1/namespaces/${room.namespace}/pods?labelSelector=tpi.iterative.ai/role=task`
    const [found] = await room.cluster.api.list(path)
    return found && statuses(found).every(({ state }) => state.terminated) ? found : undefined
  })
  const times = statuses(pod).map(({ name, state: { terminated } }) => {
    return [name, { from: Date.parse(terminated?.startedAt ?? ''), to: Date.parse(terminated?.finishedAt ?? '') }] as const
  })
  return Object.fromEntries(times)
}

function statuses({ status }: KubernetesObject): readonly Ended[] {
  return ['initContainerStatuses', 'containerStatuses'].flatMap((kind) => (status?.[kind] ?? []) as Ended[])
}

/**
 * The runner's job reaches the daemon, which starts before the runner and ends after it; if a namespace admits no privileged pods, the start says so.
 */
export async function withDocker(room: Room): Promise<void> {
  const forge = await new GithubDouble().start(room.cluster.host)
  try {
    const tpi = room.tpi.with({ GITHUB_API_URL: forge.url })
    const launched = await tpi.run('runner', '--name', 'd', ...REQUEST, ...DOCKER)
    expect(launched).toMatchObject({ code: 0 })
    const { runsOn: labels } = JSON.parse(launched.out) as { runsOn: string[] }
    const run = forge.push([{ labels, script: 'id -u; docker info' }])
    const settled = (job: DoubleJob | undefined): true | undefined => (job?.status === 'completed' ? true : undefined)
    await until('the job', 60, async () => settled(run.jobs[0]))
    expect(run.jobs[0]).toMatchObject({ conclusion: 'success' })
    expect((await tpi.run('logs', 'd', '--follow')).out).toMatch(/^1001\nserved by user 0$/m)
    const { main, 'tpi-docker': docker } = await endsOf(room)
    // The cluster reports whole seconds; the daemon takes three to answer.
    expect(main!.from - docker!.from).toBeGreaterThanOrEqual(2000)
    expect(docker!.to).toBeGreaterThanOrEqual(main!.to)
    expect(await tpi.run('destroy', 'd', '--discard')).toMatchObject({ code: 0 })

    await room.cluster.kubectl('label', 'namespace', room.namespace, 'pod-security.kubernetes.io/enforce=baseline')
    const refused = await tpi.run('runner', '--name', 'refused', ...REQUEST, ...DOCKER)
    expect(refused).toMatchObject({ code: 77, err: expect.stringMatching(/forbids privileged containers, and container-mode needs one/) })
    expect([forge.runners.size, forge.breaches]).toEqual([0, []])
  } finally {
    await forge.stop()
  }
}
