/** A separate namespace for one test: commands in it, by a caller with the printed Role; what runs in it; and a check that nothing is left. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signal } from '../../storm/processes.ts'
import type { CommandLine } from '../command-line.ts'
import { until } from '../shell.ts'
import type { KubernetesObject } from './api.ts'
import type { Cluster } from './cluster.ts'
import { commandsOf } from './command.ts'
import { callerIn } from './role.ts'

/** Leases as short as a loaded host allows. */
const FAST = {
  TPI_LEASE_BEAT: '1s',
  TPI_LEASE_TTL: '8s',
  TPI_RESERVE: '5s',
  TPI_RUNNER_REST: '3s',
  TPI_STORAGE_SIZE: '1GB',
  TPI_CLOUD: 'k8s',
}

export interface Room {
  readonly cluster: Cluster
  readonly namespace: string
  readonly place: string
  readonly tpi: CommandLine
  kubectl(...args: readonly string[]): Promise<string>
  /** The only running pod of a role. */
  pod(role: 'task' | 'store', but?: string): Promise<KubernetesObject>
  /** Kills every process of a pod, as the kernel or a runtime would; or only those with these words in their command. */
  kill(pod: KubernetesObject, words?: string): void
  /** Whether any of its processes still runs, whatever the cluster knows. */
  lives(pod: KubernetesObject): boolean
}

let rooms = 0

/** Fails if the namespace is not as it was before. */
export async function inRoom(
  cluster: Cluster,
  name: string,
  body: (room: Room) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), `tpi-k8s-${name}-`))
  rooms += 1
  const namespace = `room-${rooms}-${name}`
  await cluster.kubectl('create', 'namespace', namespace)
  await until('the service account', 30, () => cluster.api.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`))
  try {
    const kubeconfig = await callerIn(cluster, namespace, place)
    const before = await cluster.inventory(namespace)
    await body(roomOf(cluster, { namespace, place, kubeconfig }, env))
    await until(`nothing to be left in ${namespace}`, 150, async () => {
      const now = await cluster.inventory(namespace)
      if (String(now) === String(before)) return true
      throw new Error(`there is: ${now.join(', ')}`)
    })
  } finally {
    // An error of the test is the better message.
    await cluster.kubectl('delete', 'namespace', namespace, '--wait=false').catch(() => undefined)
    // After a failure, other commands may still be running there.
    rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

type Place = Pick<Room, 'namespace' | 'place'> & { readonly kubeconfig: string }

function roomOf(cluster: Cluster, { namespace, place, kubeconfig }: Place, env: Readonly<Record<string, string>>): Room {
  const tpi = commandsOf({ kubeconfig, place, env: { ...FAST, TPI_NAMESPACE: namespace, ...env } })
  return {
    cluster,
    namespace,
    place,
    tpi,
    kubectl: (...args) => cluster.kubectl('-n', namespace, ...args),
    pod: async (role, but) =>
      until(`the ${role} pod`, 120, async () => {
        const pods = await cluster.api.list(`/api/v1/namespaces/${namespace}/pods?labelSelector=tpi.iterative.ai/role=${role}`)
        return pods.find((one) => one.metadata.name !== but && runs(one))
      }),
    kill(pod, words) {
      for (const pid of processesOf(pod.metadata.uid ?? '', words)) signal(pid, 'SIGKILL')
    },
    lives: (pod) => processesOf(pod.metadata.uid ?? '').length > 0,
  }
}

function runs({ status }: KubernetesObject): boolean {
  const containers = (status?.['containerStatuses'] ?? []) as { state?: { running?: object } }[]
  return containers.some(({ state }) => state?.running !== undefined)
}

/** Processes of all containers of a pod, except that of its sandbox. */
function processesOf(uid: string, words = ''): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      const ours = readFileSync(`/proc/${name}/cgroup`, 'utf8').includes(uid) && command.includes(words) && !command.startsWith('/pause')
      return ours ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
