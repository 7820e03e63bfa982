/** Tasks on a real cluster, by the command line. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { CommandLine, type Ended } from './k8s/command.ts'
import { until } from './shell.ts'

const cluster: Cluster | undefined = await startCluster()
const place = mkdtempSync(join(tmpdir(), 'tpi-k8s-task-'))
const line = new CommandLine({ kubeconfig: cluster?.kubeconfig, place })
const tpi = (...args: readonly string[]): Promise<Ended> => line.run(...args)

const ON = ['--cloud', 'k8s', '--image', 'lab.test/bare:1', '--timeout', '10m', '--storage-size', '1GB'] as const

describe('a task on a cluster', () => {
  afterEach(async () => {
    await until('the namespace to be empty', 60, async () => ((await cluster?.inventory('default'))?.length === 0 ? true : undefined))
  })
  afterAll(async () => {
    await cluster?.stop()
    rmSync(place, { recursive: true, force: true })
  })
  const script = (text: string): readonly string[] => ['--script', `#!/bin/sh\n${text}`]

  test('runs in any image, delivers and leaves nothing', async () => {
    if (!cluster) return
    const workdir = join(place, 'work')
    mkdirSync(workdir)
    writeFileSync(join(workdir, 'in.txt'), 'from the caller\n')
    const work = ['--workdir', workdir, '--output', 'results/**', '--output-dir', join(place, 'out')]
    const ended = await tpi(
      'task',
      ...ON,
      '--name',
      'hello',
      ...work,
      ...script('mkdir results; cat in.txt > results/out.txt; echo $FROM_IMAGE'),
    )
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('bare\n') })
    expect(readFileSync(join(place, 'out/results/out.txt'), 'utf8')).toBe('from the caller\n')
  })

  test('the exit code of the script is the exit code of the command, after one attempt', async () => {
    if (!cluster) return
    const ended = await tpi('task', ...ON, '--name', 'fails', '--json', ...script('exit 7'))
    expect(ended.code).toBe(7)
    expect(JSON.parse(ended.out)).toMatchObject({ outcome: 'script-failed', exitCode: 7, slots: [{ attempt: 1 }] })
    await tpi('destroy', 'fails', '--cloud', 'k8s', '--discard')
  })

  test('an evicted pod is replaced, and its work goes on; a command runs beside it; no token of ours is near the script', async () => {
    if (!cluster) return
    const steps = 'n=$(cat n 2>/dev/null || echo 0); echo "from $n"; while [ $n -lt 25 ]; do n=$((n+1)); echo $n > n; sleep 1; done'
    const started = await tpi('task', ...ON, '--name', 'long', '--detach', ...script(steps))
    expect(started).toMatchObject({ code: 0 })
    const beside = await until('the script', 60, async () => {
      const ran = await tpi('exec', 'long', '--cloud', 'k8s', '--', 'sh', '-c', 'echo slot $TPI_INDEX; ls -R /tpi-handover; cat n')
      return ran.code === 0 ? ran.out : undefined
    })
    expect(beside).toContain('slot 0')
    expect(beside).not.toContain('credentials.json')
    await new Promise((resolve) => setTimeout(resolve, 5000))
    expect(await tpi('interrupt', 'long', '--cloud', 'k8s')).toMatchObject({ code: 0 })
    const followed = await tpi('logs', 'long', '--follow', '--cloud', 'k8s')
    const [first, second] = [...followed.out.matchAll(/from (\d+)/g)].map(([, count]) => Number(count))
    expect(first).toBe(0)
    expect(second).toBeGreaterThan(3)
    const status = JSON.parse((await tpi('status', 'long', '--cloud', 'k8s', '--json')).out) as object
    expect(status).toMatchObject({ outcome: 'success', slots: [{ attempt: 2 }] })
    expect(await tpi('destroy', 'long', '--cloud', 'k8s', '--discard')).toMatchObject({ code: 0 })
  })

  test('under the restricted pod security standard', async () => {
    if (!cluster) return
    await cluster.kubectl('label', 'namespace', 'default', 'pod-security.kubernetes.io/enforce=restricted')
    try {
      const ended = await tpi('task', ...ON, '--name', 'locked', '--run-as-user', '4321', ...script('id -u'))
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('4321\n') })
    } finally {
      await cluster.kubectl('label', 'namespace', 'default', 'pod-security.kubernetes.io/enforce-')
    }
  })
})
