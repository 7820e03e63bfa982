/** The least rights on a real cluster: a whole run with exactly what `tpi permissions k8s` prints, and each right is needed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { parseAllDocuments } from 'yaml'
import { open } from '../../src/clouds/k8s/index.ts'
import type { Cloud, MachineSpec, Reference } from '../../src/core/cloud.ts'
import type { Resource } from '../../src/core/resource.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openStore } from '../../src/stores/registry.ts'
import { exitOf } from '../../src/verbs/shared/error-exit.ts'
import type { Store } from '../../src/wire/store.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { SLOWNESS } from '../setup/patience.ts'
import { lasting, tagsOf } from '../setup/tags.ts'
import type { CommandLine } from './command-line.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { commandsOf } from './k8s/command.ts'
import { needed } from './k8s/needed.ts'
import { STORAGE_CLASS } from './k8s/provisioner.ts'
import { halted, retried, worked } from './k8s/rights/whole-run.ts'
import { until } from './shell.ts'

const cluster: Cluster | undefined = await startCluster()
const place = mkdtempSync(join(tmpdir(), 'tpi-k8s-rights-'))
const NAMESPACE = 'rights'
const FAST = { TPI_LEASE_BEAT: '1s', TPI_LEASE_TTL: '6s', TPI_RESERVE: '5s', TPI_STORAGE_SIZE: '1GB' }
const ON = ['--cloud', 'k8s', '--image', 'lab.test/bare:1', '--timeout', '10m'] as const
/** A right that Kubernetes requires only since this minor version. */
const LATER = { right: 'create pods/exec', since: 35 }

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/** A kubeconfig of the service account, without any other credential. */
async function kubeconfigOf(on: Cluster): Promise<string> {
  const token = (await on.kubectl('-n', NAMESPACE, 'create', 'token', 'tpi')).trim()
  const admin = JSON.parse(readFileSync(on.kubeconfig, 'utf8')) as { users: unknown; contexts: unknown }
  const config = {
    ...admin,
    users: [{ name: 'tpi', user: { token } }],
    contexts: [{ name: 'lab', context: { cluster: 'lab', user: 'tpi', namespace: NAMESPACE } }],
  }
  const file = join(place, 'kubeconfig')
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  return file
}

describe('with the least rights', () => {
  let kubeconfig = ''
  let rules: readonly Rule[] = []
  let tpi: CommandLine
  beforeAll(async () => {
    if (!cluster) return
    await cluster.kubectl('create', 'namespace', NAMESPACE)
    await cluster.kubectl('-n', NAMESPACE, 'create', 'serviceaccount', 'tpi')
    const printed = await commandsOf({ kubeconfig: undefined, place }).run('permissions', 'k8s', '--namespace', NAMESPACE)
    writeFileSync(join(place, 'role.yaml'), printed.out)
    await cluster.kubectl('apply', '-f', join(place, 'role.yaml'))
    rules = (parseAllDocuments(printed.out)[0]!.toJS() as { rules: Rule[] }).rules
    kubeconfig = await kubeconfigOf(cluster)
    tpi = commandsOf({ kubeconfig, place, env: FAST })
  }, 120_000)
  needed(cluster)
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  test('doctor finds no fault, and says what it is not allowed to check', async () => {
    if (!cluster) return
    const { code, out } = await tpi.run('doctor', 'k8s', '--permission-set', 'tpi', '--json')
    expect(code).toBe(0)
    const { checks } = JSON.parse(out) as { checks: { what: string; state: string }[] }
    const states = Object.fromEntries(checks.map(({ what, state }) => [what, state]))
    expect(states).toEqual({
      version: 'ok',
      permissions: 'ok',
      namespace: 'warning',
      'storage class': 'warning',
      size: 'warning',
      quota: 'warning',
      'permission-set': 'warning',
    })
  })

  test('doctor --probe makes a machine that reaches its storage, reports what it found, and leaves nothing', async () => {
    if (!cluster) return
    const before = await cluster.inventory(NAMESPACE)
    const probed = async (...request: readonly string[]): Promise<{ code: number; machine: string; whats: string[] }> => {
      const { code, out } = await tpi.run('doctor', 'k8s', '--probe', '--json', ...request)
      const { checks } = JSON.parse(out) as { checks: { what: string; state: string; says: string }[] }
      const machine = checks.find(({ what }) => what === 'machine')
      // A finished pod goes a moment later.
      await until('nothing to be left', 30, async () => (String(await cluster.inventory(NAMESPACE)) === String(before) ? true : undefined))
      return { code, machine: `${machine?.state}: ${machine?.says}`, whats: checks.map(({ what }) => what) }
    }
    const fine = await probed('--image', 'lab.test/bare:1')
    expect(fine).toMatchObject({ code: 0, machine: expect.stringMatching(/^ok: one was made, reached its storage and has left again/) })
    // The lab has no DNS, which is a warning.
    expect(fine.whats).toEqual(expect.arrayContaining(['DNS', 'clock']))
    expect(await probed('--image', 'lab.test/none:1')).toMatchObject({
      code: 1,
      machine: expect.stringMatching(/^fault: none has come up: the image cannot be pulled: .*lab\.test\/none:1/),
    })
    expect(await probed('--image', 'lab.test/bare:1', '--node-selector', 'zone=nowhere')).toMatchObject({
      code: 1,
      machine: expect.stringMatching(/^fault: none has come up: none of 1 nodes can take the pod: 1 node\(s\) didn't match/),
    })
    expect(await probed('--image', 'lab.test/bare:1', '--storage-class', 'nowhere')).toMatchObject({
      code: 1,
      machine: expect.stringContaining('fault: storage-class: the cluster has no storage class "nowhere"'),
    })
  }, 180_000)

  test('what no check finds beforehand is reported within ten seconds of a start', async () => {
    if (!cluster) return
    const before = await cluster.inventory(NAMESPACE)
    const requests = [
      [/the image cannot be pulled: .*lab\.test\/none:1/, '--image', 'lab.test/none:1'],
      [/none of 1 nodes can take the pod: 1 node\(s\) didn't match/, '--image', 'lab.test/bare:1', '--node-selector', 'zone=nowhere'],
      [/none of 1 nodes can take the pod: 1 with too little cpu/, '--image', 'lab.test/bare:1', '--cpu', '900', '--memory', '100MB'],
    ] as const
    for (const [index, [words, ...request]] of requests.entries()) {
      const running = tpi.start('task', '--cloud', 'k8s', '--timeout', '10m', '--name', `told-${index}`, ...request, '--script', 'true')
      await running.says(/job tpi-told.*: created/, 60)
      const made = performance.now()
      await running.says(words, 60)
      expect(performance.now() - made).toBeLessThan(30_000 * SLOWNESS)
      running.child.kill('SIGTERM')
      await running.ended
      expect((await tpi.run('destroy', `told-${index}`, '--cloud', 'k8s', '--discard')).code).toBe(0)
    }
    await until('nothing to be left', 60, async () => (String(await cluster.inventory(NAMESPACE)) === String(before) ? true : undefined))
  }, 180_000)

  test('a whole run: every verb, with tasks that work and are stopped, and with runners', async () => {
    if (!cluster) return
    const before = await cluster.inventory(NAMESPACE)
    const caller = { tpi, place, host: cluster.host }
    await Promise.all([worked(caller), halted(caller), retried(caller)])
    await until('nothing to be left', 30, async () => {
      const now = await cluster.inventory(NAMESPACE)
      if (String(now) !== String(before)) throw new Error(`there is: ${now.join(', ')}`)
      return true
    })
  }, 300_000)

  test('without any one of the rights something fails, and says which right it needs', async () => {
    if (!cluster) return
    const started = await tpi.run('task', ...ON, '--name', 'kept', '--detach', '--json', '--script', 'sleep 1000')
    expect(started).toMatchObject({ code: 0 })
    const { id } = JSON.parse(started.out) as { id: string }
    await until('the machine', 60, async () =>
      (await tpi.run('exec', 'kept', '--cloud', 'k8s', '--', 'true')).code === 0 ? true : undefined,
    )
    const of = await referenceOf(cluster, id)
    await failedPod(cluster, of)
    const minor = Number((await cluster.api.get<{ minor: string }>('/version'))?.minor)
    const found: Record<string, unknown> = {}
    const wanted: Record<string, unknown> = {}
    for (const [at, { resources, verbs }] of rules.entries()) {
      for (const verb of verbs) {
        const right = `${verb} ${resources[0]}`
        const without = rules.map((rule, index) => (index === at ? { ...rule, verbs: verbs.filter((other) => other !== verb) } : rule))
        await grant(cluster, without)
        found[right] = await tried(right, await deployment(kubeconfig, of))
        const idle = right === LATER.right && minor < LATER.since
        wanted[right] = idle ? 'it went well without' : { exitCode: 77, outcome: 'denied', names: true }
      }
    }
    await grant(cluster, rules)
    await cluster.kubectl('-n', NAMESPACE, 'delete', 'pod', 'failed')
    expect(found).toEqual(wanted)
    expect(await tpi.run('doctor', 'k8s')).toMatchObject({ code: 0 })
    expect(await tpi.run('destroy', 'kept', '--cloud', 'k8s', '--discard')).toMatchObject({ code: 0 })
  }, 300_000)

  test('doctor with all rights: every fault of a request, each with a remedy', async () => {
    if (!cluster) return
    const admin = commandsOf({ kubeconfig: cluster.kubeconfig, place, env: { ...FAST, TPI_NAMESPACE: 'tight' } })
    await cluster.kubectl('create', 'namespace', 'tight')
    const checked = async (...request: readonly string[]): Promise<{ code: number; says: Record<string, string> }> => {
      const { code, out } = await admin.run('doctor', 'k8s', '--json', ...request)
      const { checks } = JSON.parse(out) as { checks: { what: string; state: string; says: string }[] }
      return { code, says: Object.fromEntries(checks.map(({ what, state, says }) => [what, `${state}: ${says}`])) }
    }
    expect(await checked('--cpu', '1', '--memory', '500MB')).toMatchObject({
      code: 0,
      says: {
        version: expect.stringMatching(/^ok: Kubernetes v1\./),
        'storage class': 'ok: lab',
      },
    })
    await cluster.kubectl('label', 'namespace', 'tight', 'pod-security.kubernetes.io/enforce=restricted')
    await cluster.kubectl('-n', 'tight', 'create', 'quota', 'small', '--hard=pods=1,requests.memory=1Gi')
    await cluster.kubectl('-n', 'tight', 'create', 'secret', 'generic', 'plain')
    const request = ['--memory', '2GB', '--gpu', '1', '--node-selector', 'zone=a', '--image', 'Python:3', '--permission-set', 'trainer']
    const found = await checked(...request, '--image-pull-secret', 'plain', '--storage-class', 'fast')
    expect(found.code).toBe(1)
    expect(found.says).toMatchObject({
      namespace: expect.stringContaining('fault: tight, pod security standard "restricted"'),
      'storage class': 'fault: "fast" does not exist',
      quota: expect.stringMatching(
        /fault: .*"small" has 1 of pods left, and 2 are needed.*1\.1 GB of requests\.memory left, and 2\.\d GB are needed/,
      ),
      'image-pull-secret': expect.stringContaining('fault: secret "plain" in namespace "tight" is of type Opaque'),
      'permission-set': expect.stringContaining('fault: there is no service account "trainer"'),
      image: expect.stringContaining('must be written in lower case'),
    })
    const shaped = await templated(cluster, checked)
    expect(shaped.before).toMatchObject({
      'runtime class': 'fault: the cluster has no runtime class "gvisor"',
      'priority class': 'fault: the cluster has no priority class "urgent"',
      claim: 'fault: there is no claim "datasets" in namespace "tight"',
      secret: 'fault: secret "plain" in namespace "tight" has no "word"',
    })
    expect(shaped.before).not.toHaveProperty('config map')
    expect(shaped.after).toMatchObject({
      'pod-template': 'ok: everything it names exists: runtime class "gvisor", priority class "urgent", claim "datasets", secret "plain"',
    })
    // A store outside needs nothing here: no class, no claim, no second pod.
    const bucket = await checked('--cpu', '0.1', '--memory', '100MB', '--run-as-user', '1000', '--storage', 's3://bucket/prefix')
    expect(bucket).toMatchObject({
      code: 77,
      says: { quota: 'ok: the namespace has room for one machine', storage: expect.stringMatching(/^denied: /) },
    })
    expect(bucket.says).not.toHaveProperty('storage class')
    expect(await cluster.inventory('tight')).toEqual(['secret/plain'])
    await cluster.kubectl('delete', 'namespace', 'tight', '--wait=false')
  })

  test('no storage class and no default one: found without the right to read classes, and nothing is left', async () => {
    if (!cluster) return
    const before = await cluster.inventory(NAMESPACE)
    const usual = async (value: string): Promise<void> => {
      const annotations = { 'storageclass.kubernetes.io/is-default-class': value }
      await cluster.api.patch(`/apis/storage.k8s.io/v1/storageclasses/${STORAGE_CLASS}`, { metadata: { annotations } })
    }
    await usual('false')
    try {
      const ended = await tpi.run('task', ...ON, '--name', 'classless', '--script', 'true')
      expect(ended).toMatchObject({
        code: 64,
        err: expect.stringContaining('storage-class: none is given, and the cluster has no default'),
      })
    } finally {
      await usual('true')
    }
    await until('nothing to be left', 30, async () => (String(await cluster.inventory(NAMESPACE)) === String(before) ? true : undefined))
  })

  test('doctor names each missing right, and its exit code shows it', async () => {
    if (!cluster) return
    await grant(
      cluster,
      rules.filter(({ resources }) => resources[0] !== 'secrets'),
    )
    const { code, out } = await tpi.run('doctor', 'k8s')
    await grant(cluster, rules)
    expect(code).toBe(77)
    expect(out).toMatch(/DENIED +permission +may not create, get, delete secrets in namespace "rights"/)
  })
})

type Checked = (...request: readonly string[]) => Promise<{ says: Record<string, string> }>

/** A pod template that names objects: checked before they exist, and afterwards. */
async function templated(on: Cluster, checked: Checked): Promise<Record<'before' | 'after', Record<string, string>>> {
  const file = join(place, 'pod.json')
  const volumes = [
    { name: 'data', persistentVolumeClaim: { claimName: 'datasets' } },
    { name: 'words', configMap: { name: 'words', optional: true } },
  ]
  const env = [{ name: 'WORD', valueFrom: { secretKeyRef: { name: 'plain', key: 'word' } } }]
  const named = { runtimeClassName: 'gvisor', priorityClassName: 'urgent', volumes }
  writeFileSync(file, JSON.stringify({ spec: { ...named, containers: [{ name: 'main', env }] } }))
  const look = async (): Promise<Record<string, string>> => (await checked('--cpu', '0.1', '--pod-template', file)).says
  const classes = '/apis/node.k8s.io/v1/runtimeclasses'
  const before = await look()
  await on.api.create(classes, { metadata: { name: 'gvisor' }, handler: 'runsc' })
  await on.api.create('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'urgent' }, value: 1000 })
  await on.api.create('/api/v1/namespaces/tight/persistentvolumeclaims', { metadata: { name: 'datasets' }, ...CLAIM })
  await on.api.patch('/api/v1/namespaces/tight/secrets/plain', { data: { word: 'eA==' } })
  const after = await look()
  await on.kubectl('-n', 'tight', 'delete', 'pvc', 'datasets')
  return { before, after }
}

/** Changes the role; resolves when the API server applies it. */
async function grant(on: Cluster, rules: readonly Rule[]): Promise<void> {
  const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/roles/tpi`
  // A rule without verbs is refused.
  await on.api.patch(path, { rules: rules.filter(({ verbs }) => verbs.length > 0) })
  const asked = rules.flatMap(({ resources, verbs, apiGroups }) =>
    verbs.map((verb) => ({ verb, resource: resources[0]!, group: apiGroups[0]! })),
  )
  const granted = new Set(asked.map(({ verb, resource }) => `${verb} ${resource}`))
  const every = [...new Set([...known, ...asked.map((one) => JSON.stringify(one))])]
  for (const one of every) known.add(one)
  await until('the API server to know the role', 20, async () => {
    for (const one of every) {
      const { verb, resource: full, group } = JSON.parse(one) as { verb: string; resource: string; group: string }
      const [resource, subresource] = full.split('/')
      const spec = {
        user: `system:serviceaccount:${NAMESPACE}:tpi`,
        resourceAttributes: { namespace: NAMESPACE, verb, group, resource, subresource },
      }
      const review = await on.api.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec })
      if ((review.status?.['allowed'] === true) !== granted.has(`${verb} ${full}`)) return undefined
    }
    return true
  })
}

const known = new Set<string>()

/** The tags of the deployment, from its Job. */
async function referenceOf(on: Cluster, id: string): Promise<Reference> {
  const path = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs?labelSelector=tpi.iterative.ai/id=${id},tpi.iterative.ai/role=task`
  const [job] = (await on.api.list(path)) as readonly { metadata: { labels: Readonly<Record<string, string>> } }[]
  return { id, incarnation: job?.metadata.labels['tpi.iterative.ai/incarnation'] ?? '' }
}

/** A machine that ended badly, so that its last words are read from its log. */
async function failedPod(on: Cluster, { id, incarnation }: Reference): Promise<void> {
  const path = `/api/v1/namespaces/${NAMESPACE}/pods`
  const container = { name: 'main', image: 'lab.test/bare:1', command: ['sh', '-c', 'echo last words; exit 3'] }
  const labels = { 'tpi.iterative.ai/id': id, 'tpi.iterative.ai/incarnation': incarnation, 'tpi.iterative.ai/role': 'task' }
  await on.api.create(path, { metadata: { name: 'failed', labels }, spec: { restartPolicy: 'Never', containers: [container] } })
  await until('the pod to fail', 30, async () => ((await on.api.get(`${path}/failed`))?.status?.['phase'] === 'Failed' ? true : undefined))
}

interface Deployment {
  readonly cloud: Cloud
  readonly of: Reference
  /** The store of the deployment, as the controller reaches it. */
  store(): Promise<Store>
}

/** With a new cloud object, which remembers nothing. */
async function deployment(kubeconfig: string, of: Reference): Promise<Deployment> {
  const cloud = await open({
    env: { KUBERNETES_CONFIGURATION: readFileSync(kubeconfig, 'utf8') },
    home: place,
    values: { 'runtime-image': 'lab.test/tpi-runtime:1', 'storage-size': 1_000_000_000 },
    log: memoryHost(),
    clock: systemClock,
    signal: new AbortController().signal,
    agent: async () => ({ digest: 'd'.repeat(64), bytes: Buffer.from('nothing') }),
  })
  return { cloud, of, store: async () => openStore(await cloud.store(of.id)) }
}

const OTHER = 'tpi-other-0123456789'
const LABELS = { 'tpi.iterative.ai/id': OTHER, 'tpi.iterative.ai/role': 'store' }
const CLAIM = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } } }
const POD = {
  spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'main', image: 'lab.test/bare:1', command: ['sleep', '1000'] }] },
}

type Kind = 'secrets' | 'configmaps' | 'services' | 'persistentvolumeclaims' | 'pods'

function specOf(url: string): MachineSpec {
  const tags = tagsOf({ ...lasting(600_000), id: OTHER, name: 'other', incarnation: 'i', store: { url } })
  const store = { url, credentials: { accessKeyId: 'lab', secretAccessKey: 'lab' } }
  return { tags, size: {}, image: 'lab.test/bare:1', spot: { want: 'never' }, agent: 'd'.repeat(64), store }
}

type Act = (d: Deployment) => Promise<unknown>

/** Makes another deployment's parts up to those of a kind, those as often as `times`, and removes what it made. */
function making(kind: string, own: boolean, times: number): Act {
  return async ({ cloud }) => {
    const spec = specOf(own ? 'http://own' : 's3://nowhere/x')
    const stages: Resource[][] = own ? (await cloud.storeSetup!(spec)).stages : await cloud.blueprint(spec)
    try {
      await stages[0]![0]!.ensure()
      const all = stages.flat().filter((resource) => resource.kind === kind)
      for (let time = 0; time < times; time += 1) for (const resource of all) await resource.ensure()
    } finally {
      await until('the root to go', 30, async () => ((await stages[0]![0]!.remove()) === 'pending' ? undefined : true)).catch(
        () => undefined,
      )
    }
  }
}

/** Removes a part of another deployment whose root is gone already, so that the cluster does not remove it first. */
function removing(kind: string, resource: Kind): Act {
  return async ({ cloud }) => {
    const [found] = (await cloud.storeSetup!(specOf('http://own'))).stages.flat().filter((one) => one.kind === kind)
    const body = { secrets: {}, configmaps: {}, services: { spec: { ports: [{ port: 80 }] } }, persistentvolumeclaims: CLAIM, pods: POD }
    const path = `/api/v1/namespaces/${NAMESPACE}/${resource}`
    await cluster!.api.create(path, { metadata: { name: found!.name, labels: LABELS }, ...body[resource] })
    try {
      await found!.remove()
    } finally {
      await cluster!.api.remove(`${path}/${found!.name}`)
    }
  }
}

const first: (on: Parameters<Act>[0]) => Promise<string> = async ({ cloud, of }) =>
  (await cloud.observe(of)).machines.find(({ state }) => state !== 'gone')!.id
const executed: Act = async (on) => on.cloud.exec!(on.of, await first(on), ['true'], () => undefined)
const observe: Act = ({ cloud, of }) => cloud.observe(of)
/** Until the end: the API server reports the pod, or refuses to. */
const awaited: Act = async ({ cloud, of }) => {
  const spec = specOf('http://own')
  const { starting } = await cloud.storeSetup!({ ...spec, tags: { ...spec.tags, ...of } })
  while (starting!.runs() === false) await sleep(50)
}

/** What nobody can do without the right. */
const NEEDED: Readonly<Record<string, Act>> = {
  'create jobs': making('job', false, 1),
  'get jobs': observe,
  'list jobs': ({ cloud }) => cloud.list(),
  'patch jobs': ({ cloud, of }) => cloud.end(of),
  'delete jobs': async ({ cloud, of }) =>
    (await cloud.leftovers(of))
      .flat()
      .find(({ kind }) => kind === 'job')!
      .remove(),
  'list pods': observe,
  'watch pods': awaited,
  'deletecollection pods': removing('store', 'pods'),
  'get pods/log': observe,
  'get pods/exec': executed,
  'create pods/exec': executed,
  'create pods/eviction': async (on) => on.cloud.interrupt!(on.of, await first(on)),
  'list events': observe,
  'create secrets': making('store token', true, 1),
  'get secrets': async ({ cloud, of }) => (await cloud.store(of.id)).source!.get(),
  'delete secrets': removing('store token', 'secrets'),
  'create configmaps': making('agent', true, 1),
  'get configmaps': making('agent', true, 2),
  'delete configmaps': removing('agent', 'configmaps'),
  'create services': making('service', true, 1),
  'get services': making('service', true, 2),
  'delete services': removing('service', 'services'),
  'create services/proxy': async (d) => (await d.store()).remove(['nothing']),
  'get services/proxy': async (d) => (await d.store()).read('nothing'),
  'update services/proxy': async (d) => (await d.store()).write(`${d.of.id}/scratch`, Buffer.from('x')),
  'create persistentvolumeclaims': making('claim', true, 1),
  'get persistentvolumeclaims': making('claim', true, 2),
  'delete persistentvolumeclaims': removing('claim', 'persistentvolumeclaims'),
}

async function tried(right: string, d: Deployment): Promise<unknown> {
  const act = NEEDED[right]
  if (!act) return 'no test knows what this right is for'
  try {
    await act(d)
    return 'it went well without'
  } catch (error) {
    const { exitCode, outcome, message } = exitOf(error)
    const [verb, resource] = right.split(' ') as [string, string]
    const names = [verb, resource, NAMESPACE].every((word) => message.includes(word))
    return { exitCode, outcome, names: names || message }
  }
}
