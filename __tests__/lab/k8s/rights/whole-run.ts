/** Every verb that acts on something, by a caller who has the least rights and nothing else. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import type { CommandLine } from '../../command-line.ts'
import { GithubDouble } from '../../github/double.ts'
import { until } from '../../shell.ts'

export interface Caller {
  readonly tpi: CommandLine
  /** A folder of its own. */
  readonly place: string
  /** Address of this host, as pods reach it. */
  readonly host: string
}

const ON = ['--cloud', 'k8s', '--image', 'lab.test/bare:1', '--timeout', '10m'] as const
const script = (text: string): readonly string[] => ['--script', `#!/bin/sh\n${text}`]

/** Task with outputs, exec, interrupt, list, status, logs, sweep, destroy. */
export async function worked({ tpi, place }: Caller): Promise<void> {
  const workdir = join(place, 'work')
  mkdirSync(workdir)
  const steps =
    'mkdir -p out; n=$(cat out/n 2>/dev/null || echo 0); echo "from $n"; while [ ! -e go ]; do n=$((n+1)); echo $n > out/n; sleep 1; done'
  const request = ['task', ...ON, '--name', 'whole', '--workdir', workdir, '--output', 'out/**', ...script(steps)]
  expect(await tpi.run(...request, '--detach')).toMatchObject({ code: 0 })
  const beside = ['exec', 'whole', '--cloud', 'k8s', '--', 'sh', '-c'] as const
  await until('a snapshot', 60, async () => ((await tpi.run(...beside, 'test "$(cat out/n)" -gt 3')).code === 0 ? true : undefined))
  // The variables that the kubelet sets in every container must not reach a script without an account in the cluster.
  expect((await tpi.run(...beside, 'env')).out).not.toContain('KUBERNETES_')
  expect(await tpi.run('interrupt', 'whole', '--cloud', 'k8s')).toMatchObject({ code: 0 })
  const listed = JSON.parse((await tpi.run('list', '--cloud', 'k8s', '--json')).out) as unknown[]
  expect(listed).toContainEqual(expect.objectContaining({ name: 'whole' }))
  const second = async (): Promise<true | undefined> =>
    /"attempt": 2/.test((await tpi.run('status', 'whole', '--cloud', 'k8s', '--json')).out) || undefined
  await until('the replacement', 60, second)
  await until('the end', 60, async () => ((await tpi.run(...beside, 'touch go')).code === 0 ? true : undefined))
  const ended = await tpi.run(...request, '--json')
  expect(ended).toMatchObject({ code: 0 })
  expect(JSON.parse(ended.out)).toMatchObject({ outcome: 'success', attached: true, slots: [{ attempt: 2 }] })
  expect(Number(readFileSync(join(workdir, 'out/n'), 'utf8'))).toBeGreaterThan(3)
  const account = 'test -n "$KUBERNETES_SERVICE_HOST" && test -s /var/run/secrets/kubernetes.io/serviceaccount/token && exit 3'
  expect(await tpi.run('task', ...ON, '--name', 'left', '--permission-set', 'tpi', ...script(account))).toMatchObject({ code: 3 })
  expect((await tpi.run('logs', 'left', '--cloud', 'k8s')).code).toBe(0)
  expect(await tpi.run('sweep', '--cloud', 'k8s')).toMatchObject({ code: 0 })
  expect(await tpi.run('destroy', 'left', '--cloud', 'k8s', '--discard')).toMatchObject({ code: 0 })
}

/** Pull, stop, collect, destroy. */
export async function halted({ tpi, place }: Caller): Promise<void> {
  const by = ['halted', '--cloud', 'k8s'] as const
  const work = ['--name', 'halted', '--grace', '1s', '--output', 'kept', ...script('echo so far > kept; sleep 1000')]
  expect(await tpi.run('task', ...ON, ...work, '--detach')).toMatchObject({ code: 0 })
  const kept = (folder: string): string => readFileSync(join(place, folder, 'kept'), 'utf8')
  await until('something to pull', 60, async () => {
    expect(await tpi.run('pull', ...by, '--to', join(place, 'pulled'))).toMatchObject({ code: 0 })
    return kept('pulled') === 'so far\n' || undefined
  })
  expect(await tpi.run('stop', ...by)).toMatchObject({ code: 0 })
  expect(await tpi.run('collect', ...by, '--to', join(place, 'collected'))).toMatchObject({ code: 130 })
  expect(kept('collected')).toBe('so far\n')
  expect(await tpi.run('destroy', ...by)).toMatchObject({ code: 0 })
}

/** Runners that leave, are started again for a waiting job, and are destroyed. */
export async function retried({ tpi, host }: Caller): Promise<void> {
  const forge = await new GithubDouble().start(host)
  try {
    const by = tpi.with({ GITHUB_API_URL: forge.url, REPO_TOKEN: 'good' })
    const request = ['--name', 'runners', '--labels', 'gpu', '--repository', 'octo/hello', '--idle-timeout', '5s', '--json']
    const launched = await by.run('runner', ...ON, ...request)
    expect(launched).toMatchObject({ code: 0 })
    const { runsOn: labels } = JSON.parse(launched.out) as { runsOn: string[] }
    const left = async (): Promise<true | undefined> =>
      (await by.run('status', 'runners', '--cloud', 'k8s')).out.includes('succeeded') || undefined
    await until('the machine to leave', 90, left)
    const { jobs } = forge.push([{ labels, script: 'true' }])
    const again = await by.run('retry', 'runners', '--cloud', 'k8s', '--json')
    expect(again).toMatchObject({ code: 0 })
    expect(JSON.parse(again.out)).toMatchObject([{ waiting: 1, relaunched: true }])
    await until('the job that waited', 90, async () => jobs[0]?.conclusion === 'success' || undefined)
    expect(await by.run('destroy', 'runners', '--cloud', 'k8s')).toMatchObject({ code: 0 })
    expect([forge.runners.size, forge.breaches]).toEqual([0, []])
  } finally {
    await forge.stop()
  }
}
