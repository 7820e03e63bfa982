/** Pods that talk to each other, a real training run, a whole workflow, and a large number of pods, on one cluster. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { type Peak, peakOf } from '../../bench/peak.ts'
import { sampled } from '../storm/random.ts'
import { actLab } from './act.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { bareImage, type Image, runtimeImage, trainerImage } from './k8s/images.ts'
import { kwokNodes, PRETEND } from './k8s/kwok.ts'
import { needed } from './k8s/needed.ts'
import { ON, runsOn, script } from './k8s/runs.ts'
import { storeServer } from './k8s/store-server.ts'
import { until } from './shell.ts'

const ROOT = join(import.meta.dirname, '../..')

const images = async (): Promise<readonly Image[]> => Promise.all([bareImage(), runtimeImage(), trainerImage()])
const cluster: Cluster | undefined = await startCluster({ images })
const runs = cluster && runsOn(cluster)

/** Milliseconds of training before its machine is reclaimed: more than may be lost. */
const WORK = 13_000

/** Milliseconds from the end of the first epoch to that of the last. */
function workedFor(epochs: ReadonlyMap<number, number>): number {
  const times = [...epochs.values()]
  return (times.at(-1) ?? 0) - (times[0] ?? 0)
}

describe('on one cluster', () => {
  afterAll(() => runs?.close())
  needed(cluster)

  if (!cluster || !runs) return
  const { tpi, start, place } = runs

  test.concurrent('three machines know their ranks and reach each other', async () => {
    const text = `mkdir -p www && echo "rank $TPI_INDEX of $TPI_COUNT" > www/rank && busybox httpd -p 8000 -h www
for peer in $(echo $TPI_PEERS | tr , ' '); do
  until wget -qO- "http://$peer:8000/rank" >> heard; do sleep 0.2; done
done
mkdir -p out && sort heard > out/$TPI_INDEX
touch www/done-$TPI_INDEX
n=0; for peer in $(echo $TPI_PEERS | tr , ' '); do until wget -qO /dev/null "http://$peer:8000/done-$n"; do sleep 0.2; done; n=$((n+1)); done; sleep 20`
    const out = join(place, 'ranks')
    const words = ['--parallelism', '3', '--gang', '--output', 'out/**', '--output-dir', out]
    expect(await tpi('task', ...ON, '--name', 'ranks', ...words, ...script(text))).toMatchObject({ code: 0 })
    for (const index of [0, 1, 2]) expect(readFileSync(join(out, `out/${index}`), 'utf8')).toBe('rank 0 of 3\nrank 1 of 3\nrank 2 of 3\n')
  })

  test.concurrent('a training run whose machine is reclaimed goes on, and ends as if nothing had happened', async () => {
    const work = join(place, 'penguins')
    cpSync(join(ROOT, 'examples/penguins'), work, { recursive: true })
    let reclaimed: Promise<unknown> | undefined
    /** Epoch of the first attempt → when it was printed (milliseconds). */
    const epochs = new Map<number, number>()
    let resumed: number | undefined
    const on = ON.map((word) => (word === 'lab.test/bare:1' ? 'lab.test/trainer:1' : word))
    const words = [
      '--workdir',
      work,
      '--output',
      'results/**',
      '--output-dir',
      join(place, 'trained'),
      '--env',
      'EPOCHS=160',
      '--env',
      'SEED=7',
    ]
    const ended = await start(['task', ...on, '--name', 'train', '--json', ...words, '--', 'node', 'train.mjs'], {
      heard(text) {
        const epoch = Number(/^epoch (\d+)\//.exec(text)?.[1] ?? 0)
        const after = /resuming after epoch (\d+)/.exec(text)?.[1]
        if (after !== undefined) resumed ??= Number(after)
        if (epoch === 0 || resumed !== undefined) return
        epochs.set(epoch, performance.now())
        if (workedFor(epochs) > WORK) reclaimed ??= tpi('interrupt', 'train', '--cloud', 'k8s')
      },
    })
    expect(await reclaimed).toMatchObject({ code: 0 })
    expect(ended.code).toBe(0)
    const facts = JSON.parse(ended.out) as {
      slots: { attempts: { start: string; savedAt?: string; end: string; announced?: boolean }[] }[]
    }
    const [first] = facts.slots[0]?.attempts ?? []
    expect(facts.slots[0]?.attempts).toHaveLength(2)
    expect(first).toMatchObject({ announced: true })
    // Only what was done after the last snapshot of the first attempt can be lost.
    expect(Date.parse(first?.end ?? '') - Date.parse(first?.savedAt ?? '')).toBeLessThanOrEqual(10_000)
    // Work done again: the epochs since the saved one, and the one that was running.
    const step = workedFor(epochs) / (epochs.size - 1)
    const [last] = [...epochs.keys()].slice(-1)
    const lost = ((last ?? 0) - (resumed ?? 0) + 1) * step
    process.stdout.write(`${(lost / 1000).toFixed(1)} s of ${(workedFor(epochs) / 1000).toFixed(1)} s of work were done again\n`)
    expect(workedFor(epochs)).toBeGreaterThan(WORK)
    expect(lost).toBeLessThanOrEqual(10_000)
    const metrics = JSON.parse(readFileSync(join(place, 'trained/results/metrics.json'), 'utf8')) as { accuracy: number }
    expect(metrics.accuracy).toBeGreaterThan(0.8)
  })

  test.concurrent('a workflow runs the built action against the cluster', async () => {
    const act = await actLab()
    if (!act) return
    try {
      act.write(
        'train.sh',
        '#!/bin/sh\nmkdir -p results\necho "in a pod of $FROM_IMAGE" > results/where\necho "accuracy=0.9" >> "$TPI_OUTPUT"\n',
      )
      const given = Object.entries({
        cloud: 'k8s',
        image: 'lab.test/bare:1',
        'runtime-image': 'lab.test/tpi-runtime:1',
        'storage-size': '1GB',
        timeout: '10m',
        workdir: '.',
        output: 'results/**',
        'script-file': 'train.sh',
      }).map(([name, value]) => `          ${name}: '${value}'`)
      act.write(
        '.github/workflows/k8s.yml',
        [
          'on: push',
          'jobs:',
          '  train:',
          '    runs-on: ubuntu-latest',
          '    steps:',
          '      - uses: actions/checkout@v4',
          '      - id: train',
          '        uses: iterative/tpi-action@v1',
          '        with:',
          ...given,
          '        env:',
          '          KUBERNETES_CONFIGURATION: ${{ secrets.KUBERNETES_CONFIGURATION }}',
          '      - run: echo "seen $(cat results/where) ${{ steps.train.outputs.accuracy }}"',
          '',
        ].join('\n'),
      )
      const secrets = { KUBERNETES_CONFIGURATION: readFileSync(cluster.kubeconfig, 'utf8') }
      const lease = { TPI_LEASE_BEAT: '5s', TPI_LEASE_TTL: '20s' }
      const end = await act.run('k8s.yml', { secrets, env: lease })
      expect([end.code, end.printed()]).toEqual([0, expect.stringContaining('seen in a pod of bare 0.9')])
      expect(end.text).not.toContain('token-of-admin')
    } finally {
      act.remove()
    }
  }, 180_000)

  const fiftySlots = async (): Promise<void> => {
    const out = join(place, 'fifty')
    // A gang starts only when it is complete, so all slots do run at once.
    const words = ['--parallelism', '50', '--gang', '--output', 'mine', '--output-layout', 'index', '--output-dir', out]
    let id = ''
    let memory: Peak | undefined
    const ended = await start(
      [
        'task',
        ...ON,
        '--name',
        'fifty',
        '--json',
        ...words,
        ...script('echo "begun $TPI_INDEX"; echo $TPI_INDEX > mine; dd if=/dev/urandom of=model bs=1000000 count=4 2>/dev/null'),
      ],
      {
        heard(text) {
          id = /^store (tpi-fifty-\w+)-store: created/.exec(text)?.[1] ?? id
          if (/begun \d+$/.test(text)) memory ??= peakOf(storeServer(id))
        },
      },
    )
    expect(ended).toMatchObject({ code: 0 })
    const all = Array.from({ length: 50 }, (_, index) => index)
    expect(all.map((index) => Number(readFileSync(join(out, `${index}/mine`), 'utf8')))).toEqual(all)
    const facts = JSON.parse(ended.out) as { slots: { state: string; attempt: number }[] }
    expect(facts.slots).toEqual(all.map(() => expect.objectContaining({ state: 'succeeded', attempt: 1 })))
    const most = (await memory?.end()) ?? Number.POSITIVE_INFINITY
    process.stdout.write(`the store of fifty: ${Math.round(most / 2 ** 20)} MiB at most\n`)
    // Its container may have 256 MiB.
    expect(most).toBeLessThanOrEqual(200 * 2 ** 20)
  }

  const thousandPods = async (): Promise<void> => {
    const nodes = await kwokNodes(cluster, 10)
    if (!nodes) return
    try {
      const file = join(place, 'thousand.yaml')
      writeFileSync(file, `spec: { nodeSelector: { ${PRETEND}: "true" }, tolerations: [{ key: ${PRETEND}, operator: Exists }] }`)
      const words = ['--parallelism', '1000', '--pod-template', file, '--timeout', '1h', '--storage-size', '1GB']
      const on = ['--cloud', 'k8s', '--image', 'lab.test/bare:1']
      expect(await tpi('task', ...on, '--name', 'thousand', '--detach', ...words, ...script('true'))).toMatchObject({ code: 0 })
      const role = 'labelSelector=tpi.iterative.ai/role=task'
      const pods = async (phase: string): Promise<number> =>
        (await cluster.api.list(`/api/v1/namespaces/default/pods?${role}&fieldSelector=status.phase=${phase}`)).length
      await until('all pods', 120, async () => ((await pods('Running')) === 1000 ? true : undefined))
      const [found] = JSON.parse((await tpi('list', '--cloud', 'k8s', '--json')).out) as { name: string; id: string }[]
      expect(found?.name).toBe('thousand')
      // Its deadline has passed: the deployment's clock is what its Job says.
      const path = `/apis/batch/v1/namespaces/default/jobs`
      const [job] = await cluster.api.list(`${path}?labelSelector=tpi.iterative.ai/id=${found?.id},tpi.iterative.ai/role=task`)
      const tags = JSON.parse(job?.metadata.annotations?.['tpi.iterative.ai/tags'] ?? '') as { lifetime: object }
      const past = { ...tags, lifetime: { ...tags.lifetime, deadline: '2026-01-01T00:00:00.000Z' } }
      await cluster.api.patch(`${path}/${job?.metadata.name}`, {
        metadata: { annotations: { 'tpi.iterative.ai/tags': JSON.stringify(past) } },
      })
      const shown = await tpi('sweep', '--cloud', 'k8s')
      expect(`${shown.out}${shown.err}`).toContain('machines past their deadline')
      expect(await tpi('sweep', '--cloud', 'k8s', '--yes')).toMatchObject({ code: 0 })
      expect(await pods('Running')).toBe(0)
    } finally {
      await nodes.stop()
    }
  }

  test.each(
    sampled([
      ['fifty slots at once on one node, each with its own result', fiftySlots],
      ['a thousand pods are observed, listed and swept', thousandPods],
    ] as const),
  )('%s', async (_, play) => play(), 600_000)

  test('nothing of all this is left', async () => {
    await until('the namespace to be empty', 60, async () => ((await cluster.inventory('default')).length === 0 ? true : undefined))
  })
})
