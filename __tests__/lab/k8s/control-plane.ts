/** The control plane of a cluster: etcd, API server, controller manager, scheduler. Each is an ordinary process on the bridge's own address. */
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Daemon, until } from '../shell.ts'
import { type Api, apiOf } from './api.ts'
import { clientCertificate, makeClientCertificate } from './client-certificate.ts'
import type { Packages } from './packages.ts'
import { FEWER_COLLECTIONS } from './programs.ts'

export interface ControlPlane {
  readonly server: string
  /** As PEM. */
  readonly ca: string
  readonly api: Api
  /** Writes a kubeconfig for one of the users of `tokens`. */
  kubeconfig(user: string, file: string): Promise<string>
  /** Text of a kubeconfig of the administrator, with a certificate instead of a token. */
  certified(): string
  /** Requests of the administrator and of service accounts to the API server, oldest first. */
  requests(): SeenRequest[]
  /** Answered requests that made or changed a Job, with their content. */
  jobChanges(): JobChange[]
  /** Stops the API server; restarted, it still knows everything. */
  stopApiServer(): Promise<void>
  startApiServer(): Promise<void>
  /** Without the controller manager, nobody makes or removes dependent objects. When it is back it remembers nothing, like one that was restarted. */
  stopManager(): Promise<void>
  startManager(): void
  stop(): Promise<void>
}

export interface SeenRequest {
  readonly userAgent?: string
  readonly verb: string
  readonly requestURI: string
  /** In ISO format. */
  readonly requestReceivedTimestamp: string
}

export interface JobChange extends SeenRequest {
  /** The object, or the patch, as sent. */
  readonly requestObject?: { readonly metadata?: object; readonly spec?: Readonly<Record<string, unknown>> }
}

export interface ControlPlaneOptions {
  readonly folder: string
  readonly programs: string
  readonly packages: Packages
  readonly host: string
  /** Names of nodes that may join. */
  readonly nodes: readonly string[]
}

/** Addresses of the cluster's services, reached only inside nodes, so all clusters use the same. */
export const SERVICES = '10.96.0.0/16'
const PORT = 6443

interface User {
  readonly name: string
  readonly groups: readonly string[]
}

const ADMIN: User = { name: 'admin', groups: ['system:masters'] }

export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { folder, host } = options
  const users: readonly User[] = [
    ADMIN,
    { name: 'system:kube-controller-manager', groups: [] },
    { name: 'system:kube-scheduler', groups: [] },
    { name: 'system:kube-proxy', groups: [] },
    ...options.nodes.map((name) => ({ name: `system:node:${name}`, groups: ['system:nodes'] })),
  ]
  const keys = join(folder, 'keys')
  await mkdir(keys, { recursive: true })
  await writeKeys(folder, users)
  await makeClientCertificate(keys, ADMIN)
  const server = `https://${host}:${PORT}`
  const ca = join(folder, 'keys/apiserver.crt')
  const api = apiOf(server, () => readFileSync(ca, 'utf8'), tokenOf('admin'))
  const kubeconfig = async (user: string, file: string): Promise<string> => {
    await writeFile(file, kubeconfigText(server, readFileSync(ca, 'base64'), user, { token: tokenOf(user) }), { mode: 0o600 })
    return file
  }
  const etcd = startEtcd(options)
  let apiServer = startServer(options)
  await until('the API server', 60, () => ready(api), [etcd, apiServer])
  const { manager: startManager, scheduler } = await controllers(options, kubeconfig)
  let manager = startManager()
  const others = [scheduler()]
  return {
    server,
    ca: readFileSync(ca, 'utf8'),
    api,
    kubeconfig,
    certified: () => kubeconfigText(server, readFileSync(ca, 'base64'), 'certified', clientCertificate(keys)),
    requests: () => audited(folder, 'RequestReceived'),
    jobChanges: () => audited(folder, 'ResponseComplete'),
    // Killed, because it would keep serving open requests for another minute.
    stopApiServer: () => apiServer.stop('SIGKILL'),
    async startApiServer() {
      apiServer = startServer(options)
      await until('the API server', 60, () => ready(api), [apiServer])
    },
    stopManager: () => manager.stop('SIGKILL'),
    startManager: () => void (manager = startManager()),
    stop: async () => void (await Promise.all([etcd, apiServer, manager, ...others].map((daemon) => daemon.stop()))),
  }
}

function audited(folder: string, stage: 'RequestReceived' | 'ResponseComplete'): JobChange[] {
  const lines = readFileSync(join(folder, 'audit.log'), 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as JobChange & { stage: string }).filter((one) => one.stage === stage)
}

async function ready(api: Api): Promise<true | undefined> {
  return (await api.get<unknown>('/readyz')) === 'ok' ? true : undefined
}

const tokenOf = (user: string): string => `token-of-${user.replaceAll(':', '-')}`

async function writeKeys(folder: string, users: readonly User[]): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rows = users.map(({ name, groups }) => `${tokenOf(name)},${name},${name}${groups.length > 0 ? `,"${groups.join(',')}"` : ''}\n`)
  await writeFile(join(folder, 'keys/sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  await writeFile(join(folder, 'keys/sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
  // Logs one line for each request of the tests' users when it arrives; another one for a change of a Job, because its content is known only at the
  // end.
  const omitStages = ['ResponseStarted', 'Panic']
  const jobs = { resources: [{ group: 'batch', resources: ['jobs'] }], verbs: ['create', 'update', 'patch'] }
  const ours = [{ users: ['admin'] }, { userGroups: ['system:serviceaccounts'] }]
  const rules = [
    ...ours.map((who) => ({ level: 'Request', ...who, ...jobs })),
    ...ours.map((who) => ({ level: 'Metadata', ...who, omitStages: ['ResponseComplete'] })),
    { level: 'None' },
  ]
  await writeFile(join(folder, 'keys/audit.json'), JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages, rules }))
  await writeFile(join(folder, 'keys/tokens.csv'), rows.join(''), { mode: 0o600 })
}

function startEtcd({ folder, packages, host }: ControlPlaneOptions): Daemon {
  const [client, peer] = [`http://${host}:2379`, `http://${host}:2380`]
  const flags = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
  }
  const cluster = { name: 'lab', 'initial-advertise-peer-urls': peer, 'initial-cluster': `lab=${peer}`, 'log-level': 'warn' }
  return daemon('etcd', folder, join(packages.bin, 'etcd'), { ...flags, ...cluster })
}

function startServer({ folder, programs, host }: ControlPlaneOptions): Daemon {
  const keys = join(folder, 'keys')
  return daemon('kube-apiserver', folder, join(programs, 'kube-apiserver'), {
    'etcd-servers': `http://${host}:2379`,
    'bind-address': host,
    'advertise-address': host,
    'secure-port': PORT,
    'cert-dir': keys,
    'authorization-mode': 'Node,RBAC',
    'token-auth-file': join(keys, 'tokens.csv'),
    'client-ca-file': join(keys, 'clients.crt'),
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': join(keys, 'sa.pub'),
    'service-account-signing-key-file': join(keys, 'sa.key'),
    'service-cluster-ip-range': SERVICES,
    'allow-privileged': true,
    'audit-policy-file': join(keys, 'audit.json'),
    'audit-log-path': join(folder, 'audit.log'),
    // Otherwise `logs` and `exec` would try to resolve the node's name.
    'kubelet-preferred-address-types': 'InternalIP',
  })
}

async function controllers(
  { folder, programs }: ControlPlaneOptions,
  kubeconfig: (user: string, file: string) => Promise<string>,
): Promise<Readonly<Record<'manager' | 'scheduler', () => Daemon>>> {
  const config = (user: string): Promise<string> => kubeconfig(user, join(folder, `keys/${user.replaceAll(':', '-')}.kubeconfig`))
  const manager = {
    kubeconfig: await config('system:kube-controller-manager'),
    'use-service-account-credentials': true,
    'leader-elect': false,
    'service-account-private-key-file': join(folder, 'keys/sa.key'),
    'root-ca-file': join(folder, 'keys/apiserver.crt'),
    'secure-port': 0,
    // Short, so that tests of lost nodes need not wait for a minute.
    'node-monitor-grace-period': '16s',
  }
  // Fast, so that tests of many pods need not wait for rate limits.
  const hurry = { 'kube-api-qps': 300, 'kube-api-burst': 500 }
  const scheduler = { kubeconfig: await config('system:kube-scheduler'), 'leader-elect': false, 'secure-port': 0, ...hurry }
  return {
    manager: () => daemon('kube-controller-manager', folder, join(programs, 'kube-controller-manager'), { ...manager, ...hurry }),
    scheduler: () => daemon('kube-scheduler', folder, join(programs, 'kube-scheduler'), scheduler),
  }
}

function daemon(name: string, folder: string, program: string, flags: Readonly<Record<string, string | number | boolean>>): Daemon {
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)
  return new Daemon(name, join(folder, `${name}.log`), [program, ...args], FEWER_COLLECTIONS)
}

/** As JSON, which is YAML. */
function kubeconfigText(server: string, ca: string, name: string, user: object): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'lab', cluster: { server, 'certificate-authority-data': ca } }],
    users: [{ name, user }],
    contexts: [{ name: 'lab', context: { cluster: 'lab', user: name, namespace: 'default' } }],
    'current-context': 'lab',
  })
}
