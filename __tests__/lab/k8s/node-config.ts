/** Configuration of a node's servers. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NodeOptions } from './node.ts'

export const PAUSE_IMAGE = 'lab.test/pause:1'
/** A second runtime, configured like the usual one, for a RuntimeClass to name. */
export const RUNTIME_CLASS = 'lab'

/** Writes containerd's configuration, and resolves to its path. */
export async function containerdConfig(options: NodeOptions): Promise<string> {
  const { folder, index, network } = options
  await mkdir(join(folder, 'cni'), { recursive: true })
  await writeFile(join(folder, 'cni/10-lab.conflist'), JSON.stringify(podNetwork(network.node(index).pods)))
  await writeFile(join(folder, 'containerd.toml'), containerd(options))
  return join(folder, 'containerd.toml')
}

/** Writes the configurations of the kubelet and the proxy, once there is a control plane; resolves to the proxy's path. */
export async function clusterConfigs(options: NodeOptions, cgroups: string): Promise<string> {
  const { folder, name } = options
  await options.kubeconfig(`system:node:${name}`, join(folder, 'kubelet.kubeconfig'))
  const proxyConfig = await options.kubeconfig('system:kube-proxy', join(folder, 'kube-proxy.kubeconfig'))
  await writeFile(join(folder, 'kubelet.json'), JSON.stringify(kubelet(options, cgroups)))
  await writeFile(join(folder, 'proxy.json'), JSON.stringify(proxy(proxyConfig)))
  return join(folder, 'proxy.json')
}

/** Point to point instead of a bridge: if the kernel does not filter bridges, an answer from a pod of the same node would miss the translation. */
function podNetwork(pods: string): object {
  const ipam = { type: 'host-local', ranges: [[{ subnet: pods }]], routes: [{ dst: '0.0.0.0/0' }], dataDir: '/var/lib/cni/addresses' }
  return { cniVersion: '0.4.0', name: 'lab', plugins: [{ type: 'ptp', ipMasq: false, ipam }] }
}

function kubelet({ folder, network: { host } }: NodeOptions, cgroups: string): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: '0.0.0.0',
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    cgroupDriver: 'cgroupfs',
    cgroupRoot: cgroups,
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    // Nothing answers there: names fail at once, and tests use addresses.
    clusterDNS: [host],
    clusterDomain: 'cluster.local',
    // Test hosts may have nothing newer; from 1.35 on it must be set.
    failCgroupV1: false,
    failSwapOn: false,
    // Other work fills the disk of a test host, and must not lead to evictions on the lab's nodes.
    evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '1%', 'nodefs.inodesFree': '1%', 'imagefs.available': '1%' },
    // A node recovers as soon as it is no longer short of something.
    evictionPressureTransitionPeriod: '1s',
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    maxPods: 120,
    nodeStatusUpdateFrequency: '4s',
    nodeLeaseDurationSeconds: 12,
    protectKernelDefaults: false,
    volumePluginDir: join(folder, 'plugins'),
  }
}

function proxy(kubeconfig: string): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'iptables',
    clientConnection: { kubeconfig },
    conntrack: { maxPerCore: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    iptables: { minSyncPeriod: '0s' },
  }
}

function containerd({ folder, packages }: NodeOptions): string {
  const cri = 'io.containerd.grpc.v1.cri'
  return `version = 2
[debug]
  level = "warn"
[plugins."io.containerd.internal.v1.opt"]
  path = ${JSON.stringify(join(folder, 'opt'))}
[plugins."${cri}"]
  sandbox_image = ${JSON.stringify(PAUSE_IMAGE)}
  restrict_oom_score_adj = true
  [plugins."${cri}".cni]
    bin_dir = ${JSON.stringify(packages.cni)}
    conf_dir = ${JSON.stringify(join(folder, 'cni'))}
  [plugins."${cri}".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."${cri}".containerd.runtimes.${RUNTIME_CLASS}]
    runtime_type = "io.containerd.runc.v2"
`
}
