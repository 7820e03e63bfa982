/** The lab's own cluster does what a cluster does, and leaves the host as it was. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { untilSame } from '../setup/wait.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { until } from './shell.ts'

const JOBS = '/apis/batch/v1/namespaces/default/jobs'
const PODS = '/api/v1/namespaces/default/pods'

/** What a host shows of clusters: networks, control groups, mounts, folders, processes. */
function traces(): string[] {
  const processes = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && /\0(--kubeconfig|--data-dir)=\/tmp\/tpi-k8s-/.test(commandOf(name)),
  )
  // Groups of other tests come and go meanwhile, which `find` tolerates.
  const { stdout } = spawnSync('find', ['/sys/fs/cgroup', '-path', '*tpi-lab*'], { encoding: 'utf8' })
  const groups = stdout.split('\n').filter(Boolean).toSorted()
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  return [
    ...readdirSync('/sys/class/net').filter((name) => name.startsWith('tpil')),
    ...readdirSync('/tmp').filter((name) => name.startsWith('tpi-k8s-')),
    ...mounts.filter((line) => line.includes('tpi-k8s-')),
    ...groups,
    ...processes,
  ]
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

describe('a cluster of the lab', () => {
  const before = traces()
  let cluster: Cluster | undefined
  beforeAll(async () => {
    cluster = await startCluster({ nodes: 2 })
  }, 900_000)
  afterAll(async () => {
    await cluster?.stop()
    await untilSame('the host is as before', async () => traces(), before)
  })

  const pod = (command: string, more: object = {}): object => ({
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 2,
    containers: [{ name: 'main', image: 'lab.test/bare:1', command: ['sh', '-c', command], ...more }],
  })

  test('a Job runs to its end, and its log can be read', async () => {
    if (!cluster) return
    await cluster.api.create(JOBS, { metadata: { name: 'hello' }, spec: { template: { spec: pod('id -u; echo hello') } } })
    await until('the job', 30, async () => ((await cluster?.api.get(`${JOBS}/hello`))?.status?.['succeeded'] === 1 ? true : undefined))
    expect(await cluster.kubectl('logs', 'job/hello')).toBe('1000\nhello\n')
    await cluster.kubectl('delete', 'job', 'hello')
    await until('nothing to be left', 30, async () => ((await cluster?.inventory('default'))?.length === 0 ? true : undefined))
  })

  test('a Service is reached from a pod of another node; a command runs in a pod', async () => {
    if (!cluster) return
    const server = { ...pod('mkdir /tmp/www; echo served > /tmp/www/file; exec busybox httpd -f -p 8080 -h /tmp/www'), nodeName: 'node-0' }
    await cluster.api.create(PODS, { metadata: { name: 'server', labels: { app: 'server' } }, spec: server })
    const service = { metadata: { name: 'web' }, spec: { selector: { app: 'server' }, ports: [{ port: 80, targetPort: 8080 }] } }
    const made = await cluster.api.create('/api/v1/namespaces/default/services', service)
    const address = String(made.spec?.['clusterIP'])
    for (const node of ['node-0', 'node-1']) {
      const name = `client-${node}`
      await cluster.api.create(PODS, { metadata: { name }, spec: { ...pod('exec sleep 100'), nodeName: node } })
      const answer = await until(`an answer on ${node}`, 30, () =>
        cluster!.kubectl('exec', name, '--', 'timeout', '2', 'wget', '-qO-', `http://${address}/file`),
      )
      expect(answer).toBe('served\n')
    }
    await cluster.kubectl('delete', '--wait=true', 'service/web', 'pod/server', 'pod/client-node-0', 'pod/client-node-1')
  })

  test('a claim is bound, belongs to the pod’s group, and its folder is removed with it', async () => {
    if (!cluster) return
    const claim = await cluster.api.create('/api/v1/namespaces/default/persistentvolumeclaims', {
      metadata: { name: 'disk' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    })
    const spec = {
      ...pod('echo kept > /disk/file; ls -l /disk/file', { volumeMounts: [{ name: 'disk', mountPath: '/disk' }] }),
      securityContext: { runAsUser: 2000, runAsNonRoot: true, fsGroup: 3000 },
      volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }],
    }
    await cluster.api.create(PODS, { metadata: { name: 'writer' }, spec })
    await until('the pod', 30, async () =>
      (await cluster?.api.get(`${PODS}/writer`))?.status?.['phase'] === 'Succeeded' ? true : undefined,
    )
    expect(readFileSync(`${cluster.storage.folderOf(claim)}/file`, 'utf8')).toBe('kept\n')
    await cluster.kubectl('delete', '--wait=true', 'pod/writer', 'pvc/disk')
    await until('the folder to go', 30, async () => (readdirSync(`${cluster!.folder}/volumes`).length === 0 ? true : undefined))
  })

  test('a node whose power is cut becomes not ready, and joins again', async () => {
    if (!cluster) return
    const [first, second] = cluster.nodes
    const ready = async (): Promise<string> =>
      await cluster!.kubectl('get', 'node', 'node-1', '-o', 'jsonpath={.status.conditions[?(@.type=="Ready")].status}')
    await second!.kill()
    await until('the node to be missed', 60, async () => ((await ready()) === 'Unknown' ? true : undefined))
    await second!.start([first!])
    await until('the node to be back', 60, async () => ((await ready()) === 'True' ? true : undefined))
  })

  test('another cluster runs at the same time', async () => {
    const other = await startCluster()
    try {
      expect(await other?.kubectl('get', 'nodes', '-o', 'name')).toBe(other && 'node/node-0\n')
    } finally {
      await other?.stop()
    }
  })
})
