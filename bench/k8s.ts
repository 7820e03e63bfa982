/** Tasks on a real Kubernetes cluster on this host, compared with a bare pod and with `kubectl cp`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, startCluster } from '../__tests__/lab/k8s/cluster.ts'
import { hourOf } from '../__tests__/lab/k8s/hour.ts'
import { storeServer } from '../__tests__/lab/k8s/store-server.ts'
import { silent } from '../__tests__/setup/silent-log.ts'
import { open } from '../src/clouds/k8s/index.ts'
import { systemClock } from '../src/lib/clock.ts'
import { run } from '../src/lib/run.ts'
import type { StoreAccess } from '../src/wire/store.ts'
import { type Bench, facts, type Ground, poll, settle, tpi } from './ground.ts'
import { atMost, mebibytes, median, milliseconds, plain, type Row, shown, spread, timed } from './measure.ts'
import { peakOf } from './peak.ts'
import { startEngine } from './servers.ts'
import { makeTree } from './tree.ts'

const IMAGE = 'lab.test/bare:1'
const PODS = '/api/v1/namespaces/default/pods'
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
const CLAIM = 'present'
const SIZE = 4096
/**
 * Seconds. `LEAD`: until looks at the cloud are as rare as they get. `QUIET`: counts requests for so long that every heartbeat of a follower occurs.
 */
const LEAD = 90
const QUIET = 120
const HASTY = 5

const environment = (cluster: Cluster): Record<string, string> => ({
  KUBECONFIG: cluster.kubeconfig,
  TPI_RUNTIME_IMAGE: 'lab.test/tpi-runtime:1',
})
const on = (name: string, storage = ['--storage-size', '10GB']): string[] => [
  'task',
  '--cloud',
  'k8s',
  '--image',
  IMAGE,
  '--name',
  name,
  ...storage,
  '--timeout',
  '1h',
]

/** Milliseconds until a bare pod's output can be read, by a reader that asks all the time. */
async function barePod(cluster: Cluster, number: number): Promise<number> {
  const name = `bare-${number}`
  const took = await timed(async () => {
    await cluster.kubectl('run', name, `--image=${IMAGE}`, '--restart=Never', '--image-pull-policy=Never', '--', 'sh', '-c', 'echo begin')
    await poll('its output', async () => (await cluster.api.get<unknown>(`${PODS}/${name}/log`).catch(() => '')) === 'begin\n' || undefined)
  })
  await cluster.kubectl('delete', 'pod', name, '--wait=true', '--grace-period=0', '--force')
  return took
}

interface Moments {
  readonly script: number
  readonly terminated: number
}

/** The end of the script is taken from the clock that host and pods share, the end of the container from the API server. */
async function round(ground: Ground, cluster: Cluster, number: number): Promise<Moments> {
  const name = `start-${number}`
  const task = tpi(
    ground,
    [...on(name, ['--storage-claim', CLAIM]), '--script', '#!/bin/sh\necho begin\nsleep 1\nread up rest < /proc/uptime\necho "end $up"'],
    environment(cluster),
  )
  const begin = await task.saw(/^begin$/)
  const ended = await poll('the end of the container', async () => {
    const [pod] = await cluster.api.list(`${PODS}?labelSelector=tpi.iterative.ai/role=task`)
    const [main] = (pod?.status?.['containerStatuses'] ?? []) as { state?: { terminated?: object } }[]
    return main?.state?.terminated ? uptime() : undefined
  })
  const { text } = await task.saw(/^end [\d.]+$/)
  await task.ended
  return { script: begin.at - task.began, terminated: (ended - Number(text.split(' ')[1])) * 1000 }
}

/** A claim with a volume, which the stores use one after the other. */
async function makeClaim({ api }: Cluster): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } }
  await api.create(CLAIMS, { metadata: { name: CLAIM }, spec })
  await poll('the claim', async () => ((await api.get(`${CLAIMS}/${CLAIM}`))?.status?.['phase'] === 'Bound' ? true : undefined))
}

const uptime = (): number => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])

/** Runs a task that keeps its store up for a while. */
async function withStore<T>(ground: Ground, cluster: Cluster, body: (id: string, access: StoreAccess) => Promise<T>): Promise<T> {
  const env = environment(cluster)
  const { id } = await facts<{ id: string }>(ground, [...on('filled'), '--detach', '--script', '#!/bin/sh\nsleep 3000'], env)
  const context = { home: ground.home, values: {}, log: silent, clock: systemClock, signal: new AbortController().signal }
  const config = { KUBERNETES_CONFIGURATION: readFileSync(cluster.kubeconfig, 'utf8') }
  const cloud = await open({ ...context, env: config, agent: () => Promise.reject(new Error('nothing is made here')) })
  const { source, ...place } = await cloud.store(id)
  try {
    return await body(id, { ...place, credentials: (await source?.get()) ?? {} })
  } finally {
    await tpi(ground, ['destroy', 'filled', '--cloud', 'k8s', '--discard'], env).ended
  }
}

async function filled(ground: Ground, cluster: Cluster): Promise<readonly Row[]> {
  const [count, rounds] = ground.quick ? [2000, 1] : [50_000, 3]
  const tree = await ground.fresh('tree')
  makeTree(tree, count, SIZE)
  const [ours, theirs]: [number[], number[]] = [[], []]
  const peak = await withStore(ground, cluster, async (id, access) => {
    const memory = peakOf(storeServer(id))
    for (let number = 0; number < rounds; number++) {
      settle()
      const engine = await startEngine({ access, root: `${id}/bench-${number}/`, folder: tree })
      ours.push((await engine.ask({ do: 'save' })).milliseconds)
      engine.stop()
      settle()
      theirs.push(await copied(cluster, tree))
    }
    return await memory.end()
  })
  const unit = milliseconds
  const beside = `kubectl cp: ${spread(theirs, unit)}, ${(median(theirs) / median(ours)).toFixed(1)} × ours`
  return [
    atMost({ what: `${count} × 4 KiB into the store pod`, samples: ours, limit: 5000, unit, peer: beside }),
    atMost({ what: 'peak memory of the store’s server meanwhile', samples: [peak], limit: 150e6, unit: mebibytes }),
  ]
}

/** Machines that each write `rounds` large files, one replacing the other, and save each at once. */
const CROWD = { machines: 12, rounds: 4, megabytes: 96 }
const HASTY_CROWD = { machines: 4, rounds: 2, megabytes: 16 }

async function crowded(ground: Ground, cluster: Cluster): Promise<Row> {
  const { machines, rounds, megabytes } = ground.quick ? HASTY_CROWD : CROWD
  const env = environment(cluster)
  const script = `#!/bin/sh
for round in $(seq ${rounds}); do dd if=/dev/urandom of=large bs=1000000 count=${megabytes} 2>/dev/null; sleep 2; done`
  const many = ['--parallelism', String(machines), '--gang', '--checkpoint-interval', '1s', '--detach']
  const { id } = await facts<{ id: string }>(ground, [...on('crowded'), ...many, '--script', script], env)
  const memory = peakOf(storeServer(id))
  await tpi(ground, ['logs', 'crowded', '--cloud', 'k8s', '--follow'], env).ended
  const peak = await memory.end()
  const { slots } = await facts<{ slots: readonly { state: string }[] }>(ground, ['status', 'crowded', '--cloud', 'k8s'], env)
  if (slots.length !== machines || slots.some(({ state }) => state !== 'succeeded')) throw new Error('a machine of the crowd did not save')
  await tpi(ground, ['destroy', 'crowded', '--cloud', 'k8s', '--discard'], env).ended
  const what = `store pod's memory, ${machines} machines upload large packs at once`
  const peer = `each makes ${rounds} × ${megabytes} MB, saved while the next is made`
  return atMost({ what, samples: [peak], limit: 150e6, unit: mebibytes, peer })
}

/** Like `kubectl cp`: an archive is sent to `tar` in the pod. */
async function copied(cluster: Cluster, tree: string): Promise<number> {
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: IMAGE, command: ['sleep', '1000'] }] }
  await cluster.api.create(PODS, { metadata: { name: 'target' }, spec })
  await poll('the pod', async () => ((await cluster.api.get(`${PODS}/target`))?.status?.['phase'] === 'Running' ? true : undefined))
  const programs = join(cluster.programs, 'kubectl')
  const took = await timed(() => run(programs, ['--kubeconfig', cluster.kubeconfig, 'cp', tree, 'target:/tmp/tree']))
  await cluster.kubectl('delete', 'pod', 'target', '--wait=true', '--grace-period=0', '--force')
  return took
}

async function requests(ground: Ground, cluster: Cluster): Promise<Row> {
  const script = '#!/bin/sh\nwhile :; do echo line; sleep 1; done'
  const begun = Date.now()
  const task = tpi(ground, [...on('followed'), '--grace', '1s', '--script', script], environment(cluster))
  await task.saw(/^line$/)
  const followed = ground.quick ? { lead: HASTY, quiet: HASTY } : { lead: LEAD, quiet: QUIET }
  await sleep((followed.lead + followed.quiet) * 1000)
  // Counts all requests of tpi since then, because not all of them name the task, and nothing else is followed at this time.
  const own = cluster.control.requests().filter(({ userAgent, requestReceivedTimestamp }) => {
    return userAgent === 'tpi-action' && Date.parse(requestReceivedTimestamp) > begun
  })
  const hour = hourOf(own, followed)
  await tpi(ground, ['destroy', 'followed', '--cloud', 'k8s', '--discard'], environment(cluster)).ended.catch(() => undefined)
  await task.ended.catch(() => undefined)
  const what = 'requests to the API server in an hour of following a task that prints'
  const peer = `seen in ${followed.quiet} s → in the hour: ${hour.kinds}`
  return atMost({ what, samples: [hour.requests], limit: 500, unit: plain, peer })
}

export const k8s: Bench = {
  name: 'k8s',
  title: 'Kubernetes: a cluster of one node on this machine, with all images present',
  notes: [
    'The whole of Kubernetes 1.34 (API server, etcd, scheduler, controller manager, kubelet, containerd) runs on the same cores as what is measured.',
    'Bare pod: `kubectl run`, from the start of its process until the output of the pod can be read. tpi also makes a store pod with its Service, on an existing claim.',
    'Into the store pod: through the proxy of the API server, with every byte verified by its hash, and flushed. `kubectl cp`: into the file system of a bare pod.',
    'Memory of the store’s server: its peak resident memory (VmHWM). The twelve machines are pods that reach it through its Service.',
    'Requests in an hour: those of the first 90 s, and the rest of the hour at the rate of 120 quiet seconds. What happens less often (the open connection is renewed every ten minutes) counts as often as it happens.',
  ],
  async run(ground): Promise<readonly Row[]> {
    const cluster = await startCluster()
    if (!cluster) return [shown('not measured', 'there is no cluster here')]
    try {
      await makeClaim(cluster)
      const [ours, bare]: [Moments[], number[]] = [[], []]
      for (let number = 0; number < (ground.quick ? 1 : 5); number++) {
        bare.push(await barePod(cluster, number))
        ours.push(await round(ground, cluster, number))
      }
      const unit = milliseconds
      return [
        atMost({
          what: 'command → first line of the script, as seen by the user',
          samples: ours.map(({ script }) => script),
          limit: median(bare) + 1500,
          unit,
          peer: `bare pod: ${spread(bare, unit)}; the limit is that + 1.5 s`,
        }),
        atMost({ what: 'end of the script → container terminated', samples: ours.map(({ terminated }) => terminated), limit: 2000, unit }),
        ...(await filled(ground, cluster)),
        await crowded(ground, cluster),
        await requests(ground, cluster),
      ]
    } finally {
      await cluster.stop()
    }
  },
}
