/** Nodes without machines, by kwok: pods on them run at once, for ever, and end when they are told to. Any number of pods is possible. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GO_TOOLS, goTool } from '../go-tool.ts'
import { Daemon, until } from '../shell.ts'
import type { Cluster } from './cluster.ts'

/** On every such node: as a label for pods that want it, and as a taint against others. */
export const PRETEND = 'lab.test/pretend'
/** Every kubelet sets these: https://kubernetes.io/docs/reference/labels-annotations-taints/ */
const KUBELET = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' }
const PODS_EACH = 110
const NODES = '/api/v1/nodes'

/** `undefined` (after one line that says why) if kwok cannot be built; in CI that is an error. */
export async function kwokNodes({ api, folder, kubeconfig }: Cluster, count: number): Promise<{ stop(): Promise<void> } | undefined> {
  const program = await goTool(GO_TOOLS.kwok)
  if (program === undefined) return undefined
  const stages = join(folder, 'kwok.yaml')
  await writeFile(stages, STAGES.map((stage) => JSON.stringify(stage)).join('\n---\n'))
  const flags = {
    kubeconfig,
    config: stages,
    'manage-nodes-with-label-selector': `${PRETEND}=true`,
    // The cluster waits for less than half a minute.
    'node-lease-duration-seconds': 12,
  }
  const kwok = new Daemon(
    'kwok',
    join(folder, 'kwok.log'),
    [program, ...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)],
    { HOME: folder },
  )
  const names = Array.from({ length: count }, (_, index) => `pretend-${index}`)
  const amounts = { cpu: '64', memory: '256Gi', pods: String(PODS_EACH), 'ephemeral-storage': '1Ti' }
  for (const name of names) {
    const spec = { taints: [{ key: PRETEND, value: 'true', effect: 'NoSchedule' }] }
    const status = { capacity: amounts, allocatable: amounts }
    await api.create(NODES, { metadata: { name, labels: { [PRETEND]: 'true', ...KUBELET } }, spec, status })
  }
  const ready = async (): Promise<true | undefined> => {
    const found = await api.list(`${NODES}?labelSelector=${PRETEND}%3Dtrue`)
    const all = found.map(({ status }) => (status?.['conditions'] ?? []) as { type: string; status: string }[])
    return all.every((conditions) => conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) || undefined
  }
  await until('the nodes of kwok', 60, ready, [kwok])
  return {
    async stop() {
      for (const name of names) await api.remove(`${NODES}/${name}`)
      await kwok.stop()
    },
  }
}

interface Rule {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values?: readonly string[]
}

const stage = (kind: 'Node' | 'Pod', name: string, when: readonly Rule[], next: object): object => ({
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name },
  spec: { resourceRef: { apiGroup: 'v1', kind }, selector: { matchExpressions: when }, next },
})

const READY = '.status.conditions.[] | select( .type == "Ready" ) | .status'
const DELETED = '.metadata.deletionTimestamp'

/** Like kwok's own stages for "fast" clusters, except that pods of a Job never end. https://kwok.sigs.k8s.io/docs/user/stages-configuration/ */
const STAGES = [
  stage('Node', 'node-ready', [{ key: READY, operator: 'NotIn', values: ['True'] }], {
    statusTemplate: `
conditions:
{{ range NodeConditions }}
- { type: {{ .type | Quote }}, status: {{ .status | Quote }}, reason: {{ .reason | Quote }}, message: {{ .message | Quote }}, lastHeartbeatTime: {{ Now | Quote }}, lastTransitionTime: {{ Now | Quote }} }
{{ end }}
phase: Running
`,
  }),
  stage(
    'Pod',
    'pod-runs',
    [
      { key: DELETED, operator: 'DoesNotExist' },
      { key: '.status.phase', operator: 'In', values: ['Pending'] },
    ],
    {
      statusTemplate: `
phase: Running
startTime: {{ Now | Quote }}
podIP: 192.0.2.9
containerStatuses:
{{ range .spec.containers }}
- { name: {{ .name | Quote }}, image: {{ .image | Quote }}, imageID: "", restartCount: 0, ready: true, state: { running: { startedAt: {{ Now | Quote }} } } }
{{ end }}
`,
    },
  ),
  stage('Pod', 'pod-goes', [{ key: DELETED, operator: 'Exists' }], { delete: true }),
]
