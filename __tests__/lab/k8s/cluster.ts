/**
 * A real Kubernetes cluster on this host, for tests: with its own network, namespaces and folder, and nothing outside of them. It starts within
 * seconds once its programs are built; several can run at the same time.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Missing, orMissing } from '../missing.ts'
import { run, until } from '../shell.ts'
import type { Api, KubernetesObject } from './api.ts'
import { removeCgroups } from './cgroups.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { bareImage, type Image, pauseImage, runtimeImage } from './images.ts'
import { makeNetwork, type Network } from './network.ts'
import { LabNode } from './node.ts'
import { debianPackages, type Packages } from './packages.ts'
import { kubernetesPrograms } from './programs.ts'
import { type Provisioner, startProvisioner } from './provisioner.ts'

export interface ClusterOptions {
  readonly nodes?: number
  /** In addition to the pause image. */
  images?(): Promise<readonly Image[]>
}

export interface Cluster {
  readonly folder: string
  /** Address of this host, as pods reach it. */
  readonly host: string
  readonly api: Api
  readonly control: ControlPlane
  readonly nodes: readonly LabNode[]
  readonly storage: Provisioner
  /** Folder of the programs of Kubernetes. */
  readonly programs: string
  /** Path of an administrator's kubeconfig. */
  readonly kubeconfig: string
  /** Runs kubectl as administrator; resolves to its output. */
  kubectl(...args: readonly string[]): Promise<string>
  /** Everything in a namespace, as `kind/name`, sorted; without what the cluster itself puts into each. */
  inventory(namespace: string): Promise<string[]>
  stop(): Promise<void>
}

interface Parts {
  readonly programs: string
  readonly packages: Packages
  readonly images: readonly Image[]
}

/** `undefined` (after one line that says why) if this host cannot do it; in CI that is an error. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster | undefined> {
  return await orMissing('no Kubernetes cluster', async () => {
    if (process.getuid?.() !== 0) throw new Missing('needs root, for namespaces and control groups')
    const [programs, packages] = await Promise.all([kubernetesPrograms(), debianPackages()])
    const images = [await pauseImage(), ...(await (options.images ?? usualImages)())]
    return await build({ programs, packages, images }, options.nodes ?? 1)
  })
}

const usualImages = async (): Promise<readonly Image[]> => [await bareImage(), await runtimeImage()]

async function build(parts: Parts, count: number): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-k8s-'))
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const network = await makeNetwork(folder)
    undo.push(
      () => network.remove(),
      () => removeCgroups(network.bridge),
    )
    const names = Array.from({ length: count }, (_, index) => `node-${index}`)
    const planning = startControlPlane({ folder, ...parts, host: network.host, nodes: names })
    const starting = startNodes({ folder, parts, network, control: planning, names }, undo)
    // Nothing may still be starting while everything is taken down.
    const [planned, started] = await Promise.allSettled([planning, starting])
    if (planned.status === 'fulfilled') undo.push(() => planned.value.stop())
    const [control, nodes] = [of(planned), of(started)]
    const kubeconfig = await control.kubeconfig('admin', join(folder, 'admin.kubeconfig'))
    const storage = await startProvisioner(control.api, join(folder, 'volumes'))
    undo.push(() => storage.stop())
    const kubectl = async (...args: readonly string[]): Promise<string> =>
      await run(join(parts.programs, 'kubectl'), ['--kubeconfig', kubeconfig, '--cache-dir', join(folder, 'kubectl'), ...args])
    return {
      folder,
      host: network.host,
      api: control.api,
      control,
      programs: parts.programs,
      nodes,
      storage,
      kubeconfig,
      kubectl,
      inventory: (namespace) => inventory(control.api, namespace),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

interface NodesOptions {
  readonly folder: string
  readonly parts: Parts
  readonly network: Network
  readonly control: Promise<ControlPlane>
  readonly names: readonly string[]
}

function of<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

async function startNodes(
  { folder, parts, network, control, names }: NodesOptions,
  undo: (() => Promise<unknown>)[],
): Promise<readonly LabNode[]> {
  const { programs, packages } = parts
  const images = parts.images.map((image) => image.archive)
  const kubeconfig = async (user: string, file: string): Promise<string> => (await control).kubeconfig(user, file)
  const nodes = names.map(
    (name, index) => new LabNode({ name, index, folder: join(folder, name), programs, packages, network, images, kubeconfig }),
  )
  undo.push(...nodes.map((node) => () => node.kill()))
  const starts = await Promise.allSettled(nodes.map((node) => node.start(nodes)))
  for (const start of starts) of(start)
  const { api } = await control
  for (const node of nodes) {
    await until(`${node.name} to be ready`, 60, () => isReady(api, node.name), node.servers)
    await until(`the services of ${node.name}`, 30, () => node.proxies(), node.servers)
  }
  // Without it no pod is admitted.
  await until('the default service account', 30, () => api.get('/api/v1/namespaces/default/serviceaccounts/default'))
  return nodes
}

async function isReady(api: Api, name: string): Promise<true | undefined> {
  const node = await api.get(`/api/v1/nodes/${name}`)
  const conditions = (node?.status?.['conditions'] ?? []) as { type: string; status: string }[]
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True') || undefined
}

const KINDS: Readonly<Record<string, string>> = {
  pod: '/api/v1/namespaces/NS/pods',
  service: '/api/v1/namespaces/NS/services',
  secret: '/api/v1/namespaces/NS/secrets',
  configmap: '/api/v1/namespaces/NS/configmaps',
  claim: '/api/v1/namespaces/NS/persistentvolumeclaims',
  account: '/api/v1/namespaces/NS/serviceaccounts',
  job: '/apis/batch/v1/namespaces/NS/jobs',
  role: '/apis/rbac.authorization.k8s.io/v1/namespaces/NS/roles',
  endpointslice: '/apis/discovery.k8s.io/v1/namespaces/NS/endpointslices',
}

/** Every namespace has these. */
const FURNITURE = new Set(['configmap/kube-root-ca.crt', 'account/default', 'service/kubernetes', 'endpointslice/kubernetes'])

async function inventory(api: Api, namespace: string): Promise<string[]> {
  const lists = await Promise.all(
    Object.entries(KINDS).map(async ([kind, path]) => {
      const found: readonly KubernetesObject[] = await api.list(path.replace('NS', namespace))
      return found.map((object) => `${kind}/${object.metadata.name}`)
    }),
  )
  return lists
    .flat()
    .filter((name) => !FURNITURE.has(name))
    .sort()
}
