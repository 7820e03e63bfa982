/** The parts of cloud k8s that need no cluster. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Api } from '../../src/clouds/k8s/api.ts'
import { storage, version } from '../../src/clouds/k8s/checks/namespace.ts'
import { errorOf } from '../../src/clouds/k8s/errors.ts'
import { faultsOf } from '../../src/clouds/k8s/faults.ts'
import { GATE_PLACE, gateConfig } from '../../src/clouds/k8s/gate.ts'
import { imageFault } from '../../src/clouds/k8s/image-name.ts'
import { loginOf } from '../../src/clouds/k8s/login.ts'
import { heldUp, wordsOf } from '../../src/clouds/k8s/messages.ts'
import { groupSelector, isOfGroup, LABEL, labelsOf, recordName, storeName, taskName } from '../../src/clouds/k8s/names.ts'
import type { Happening } from '../../src/clouds/k8s/objects.ts'
import { RIGHTS, roleText } from '../../src/clouds/k8s/permissions.ts'
import { amountOf, podSizes, type Sized } from '../../src/clouds/k8s/quantity.ts'
import { type Settings, settingsOf } from '../../src/clouds/k8s/settings.ts'
import { machineOf, quantities, resourcesOf, sizeFaults } from '../../src/clouds/k8s/sizes.ts'
import { claimBytes, storePodTemplate } from '../../src/clouds/k8s/store-pod.ts'
import { tagFaults, worn } from '../../src/clouds/k8s/tags.ts'
import { podTemplate } from '../../src/clouds/k8s/template.ts'
import { merge, podOf, templateFaults } from '../../src/clouds/k8s/user-pod.ts'
import type { DeploymentTags, MachineSpec } from '../../src/core/cloud.ts'
import { deploymentId, newIncarnation } from '../../src/core/identity.ts'
import { describeTags, LONGEST, many } from '../conformance/tags.ts'
import { tagsOf } from '../setup/tags.ts'

describe('requests for a machine', () => {
  test('generic sizes, and the notation of the predecessor', () => {
    expect(machineOf('m')).toEqual({ cpu: 8, memoryBytes: 32e9 })
    expect(machineOf('2-4000')).toEqual({ cpu: 2, memoryBytes: 4e9 })
    expect(machineOf('4-16000+nvidia-tesla-t4*2')).toEqual({ cpu: 4, memoryBytes: 16e9, accelerator: 'nvidia-tesla-t4', gpus: 2 })
    expect(machineOf('8-64000+v100')).toMatchObject({ gpus: 1 })
    for (const name of ['t2.micro', '4', '4-', 'x-1', '4-16000+', '']) expect(machineOf(name)).toBeUndefined()
  })

  test('the guide names all sizes, with their resources', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/kubernetes-reference.md'), 'utf8')
    const shown = [...guide.matchAll(/^\| `([a-z0-9+]+)` \| ([\d.]+) \| ([\d.]+) GB \| (?:(\d) × `([\w-]+)` )?\|$/gm)]
    for (const [, name = '', cpu, memory, gpus, accelerator] of shown)
      expect({ name, ...machineOf(name) }).toEqual({
        name,
        cpu: Number(cpu),
        memoryBytes: Number(memory) * 1e9,
        ...(accelerator && { gpus: Number(gpus), accelerator }),
      })
    const [fault] = sizeFaults({ machine: 'none' })
    expect(JSON.stringify(fault)).toContain(shown.map(([, name]) => name).join(', '))
  })

  test('a separate request wins over the machine', () => {
    expect(resourcesOf({ machine: 'm', cpu: 2 })).toEqual({ cpu: 2, memoryBytes: 32e9 })
    expect(resourcesOf({ gpu: { kind: 'nvidia-l4', count: 2 } })).toEqual({ gpus: 2, accelerator: 'nvidia-l4' })
  })

  test('quantities as Kubernetes writes them', () => {
    expect(quantities({ cpu: 0.5, memoryBytes: 16e9, gpus: 1 }, 5e9)).toEqual({
      cpu: '500m',
      memory: '16000000000',
      'ephemeral-storage': '5300000000',
      'nvidia.com/gpu': '1',
    })
    expect(quantities({}, undefined)).toEqual({})
  })

  test('a claim is as large as a machine’s disk, unless another size was requested', () => {
    const nothing = { storageBytes: undefined }
    expect([claimBytes(nothing, {}), claimBytes(nothing, { diskBytes: 1e9 }), claimBytes(nothing, { diskBytes: 1e11 })]).toEqual([
      1e10, 1e10, 1e11,
    ])
    expect(claimBytes({ storageBytes: 2e9 }, { diskBytes: 1e11 })).toBe(2e9)
  })

  test('an unknown machine is a fault that names what is known', () => {
    expect(sizeFaults({ machine: 'p3.2xlarge' })).toMatchObject([{ option: 'machine', message: expect.stringContaining('"p3.2xlarge"') }])
    expect(sizeFaults({ machine: 'l+t4' })).toEqual([])
  })
})

test('the longest name of a deployment leaves room for all names made from it, and for a pod’s number', () => {
  const id = deploymentId({ key: 'k', origin: {} }, 'x'.repeat(40))
  expect(id).toHaveLength(55)
  // https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names
  for (const job of [`${taskName({ id, incarnation: newIncarnation() })}-9999`, `${storeName(id)}-0`, `${recordName(id)}-0`])
    expect(job.length).toBeLessThanOrEqual(63)
})

test('parts of a group have its incarnation in name and selector, so another one is never meant', () => {
  const [one, other] = ['0123456789', 'abcdef0123'].map((incarnation) => ({ id: 'tpi-fit-0123456789', incarnation }))
  expect(taskName(one!)).toBe('tpi-fit-0123456789-0123456789')
  expect(isOfGroup(one!, { name: `${taskName(one!)}-3` })).toBe(true)
  expect(isOfGroup(one!, { name: `${taskName(other!)}-3` })).toBe(false)
  expect(labelsOf(one!, 'task')).toMatchObject({ [LABEL.id]: one!.id, [LABEL.incarnation]: one!.incarnation })
  const labels = Object.entries(labelsOf(one!, 'task')).map(([name, value]) => `${name}=${value}`)
  expect(groupSelector(one!).split(',')).toEqual(expect.arrayContaining([`${LABEL.incarnation}=${one!.incarnation}`]))
  expect(labels).toEqual(expect.arrayContaining(groupSelector(one!).split(',')))
})

describe('names of images', () => {
  test.each(['ubuntu', 'python:3.13', 'ghcr.io/o/r:1', 'host:5000/a/b', 'localhost/a', `a@sha256:${'0'.repeat(64)}`, 'a/b_c/d--e.f:V1'])(
    '%s',
    (name) => {
      expect(imageFault(name)).toBeUndefined()
    },
  )

  test.each([
    ['Python:3', /lower case/],
    ['a b', /"a b"/],
    ['a:', /tag/],
    ['a@sha256:12', /digest/],
    ['', /""/],
    ['a..b/c', /not a registry/],
    ['https://a/b', /"https:/],
  ])('%s', (name, wrong) => {
    expect(imageFault(name)).toMatch(wrong)
  })
})

test('quantities in Kubernetes’ notation become numbers', () => {
  expect(['500m', '2', '1Gi', '1e3', '16000000000', '1.5k'].map(amountOf)).toEqual([0.5, 2, 2 ** 30, 1000, 16e9, 1500])
  expect(['', 'x', '1Xi'].map(amountOf)).toEqual([Number.NaN, Number.NaN, Number.NaN])
})

test('the sizes of a pod: containers and sidecars together, or an init container with the sidecars before it', () => {
  const cpu = (name: string, amount: string, more = {}) => ({ name, resources: { requests: { cpu: amount } }, ...more })
  const sidecar = cpu('gate', '500m', { restartPolicy: 'Always' })
  const cpuOf = (...initContainers: Sized['containers'] & object): unknown =>
    podSizes({ containers: [cpu('main', '1')], initContainers })['requests.cpu']
  expect([cpuOf(), cpuOf(sidecar), cpuOf(cpu('fetch', '2'), sidecar), cpuOf(sidecar, cpu('fetch', '2'))]).toEqual([1, 1.5, 2, 2.5])
})

describe('the user of a pod', () => {
  const settings = {
    runtimeImage: 'r',
    nodeSelector: {},
    pullSecrets: [],
    runAsUser: undefined,
    storageClass: undefined,
    storageClaim: undefined,
    storageBytes: 1,
    template: undefined,
    docker: undefined,
    jobPods: undefined,
  }
  const tags = tagsOf({ mode: 'runner', store: { url: 's3://b/p' } })
  const userOf = (unprivileged: boolean, runAsUser?: number): unknown => {
    const spec = { tags, size: {}, spot: { want: 'never' as const }, agent: 'a', store: { url: 's3://b/p' }, unprivileged }
    const { spec: pod } = podTemplate({
      spec,
      settings: { ...settings, runAsUser },
      program: 'p',
      secret: 's',
      store: { url: 's3://b/p' },
      gate: false,
    }) as {
      spec: { securityContext: Record<string, unknown>; containers: { securityContext: object }[] }
    }
    return { ...pod.securityContext, ...pod.containers[0]?.securityContext }
  }

  test('its nodes can run tpi’s programs, and those of its store; a store is on no node for GPUs, and behind no proxy of a service mesh', () => {
    const spec = { tags, size: { gpu: { kind: 'a100', count: 1 } }, spot: { want: 'never' as const }, agent: 'a', store: tags.store }
    const selected = (nodeSelector: Record<string, string>) => {
      const own = { ...settings, nodeSelector }
      const machine = podTemplate({ spec, settings: own, program: 'p', secret: 's', store: tags.store, gate: false })
      return [machine, storePodTemplate(spec, own)].map((pod) => (pod as { spec: { nodeSelector: object } }).spec.nodeSelector)
    }
    const usual = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' }
    expect(selected({ pool: 'gpu' })).toEqual([{ ...usual, pool: 'gpu', accelerator: 'a100' }, usual])
    const other = { ...usual, 'kubernetes.io/arch': 'arm64' }
    expect(selected({ 'kubernetes.io/arch': 'arm64' })).toEqual([{ ...other, accelerator: 'a100' }, other])
    const store = storePodTemplate({ ...spec, tags: { ...tags, user: { team: 'x' } } }, settings)
    expect(store).toMatchObject({ metadata: { labels: { 'sidecar.istio.io/inject': 'false', team: 'x' } } })
  })

  test('works in a pod with the labels of its group', () => {
    const spec = { tags, size: {}, spot: { want: 'never' as const }, agent: 'a', store: tags.store }
    const { metadata } = podTemplate({ spec, settings, program: 'p', secret: 's', store: tags.store, gate: false }) as { metadata: object }
    expect(metadata).toMatchObject({ labels: labelsOf(tags, 'task') })
  })

  test.each([
    ['shares as much memory between processes as it has', {}, 'tpi-shm'],
    ['or as a template says', { containers: [{ name: 'main', volumeMounts: [{ name: 'dshm', mountPath: '/dev/shm' }] }] }, 'dshm'],
  ])('its program %s', (_, template, name) => {
    const spec = { tags, size: {}, spot: { want: 'never' as const }, agent: 'a', store: tags.store }
    const own = { ...settings, template: JSON.stringify({ spec: template }) }
    const { spec: pod } = podTemplate({ spec, settings: own, program: 'p', secret: 's', store: tags.store, gate: false }) as {
      spec: { volumes: object[]; containers: [{ volumeMounts: { mountPath: string }[] }] }
    }
    expect(pod.volumes).toContainEqual({ name: 'tpi-shm', emptyDir: { medium: 'Memory' } })
    const mounts = pod.containers[0].volumeMounts.filter(({ mountPath }) => mountPath === '/dev/shm')
    expect(mounts).toEqual([{ name, mountPath: '/dev/shm' }])
  })

  test('and its image: as requested, otherwise the defaults of that user', () => {
    const imageOf = (images: { readonly image?: string; readonly usualImage?: string }): unknown => {
      const spec = { tags, size: {}, spot: { want: 'never' as const }, agent: 'a', store: { url: 's3://b/p' }, ...images }
      const pod = podTemplate({ spec, settings, program: 'p', secret: 's', store: { url: 's3://b/p' }, gate: false }) as {
        spec: { containers: { image: string }[] }
      }
      return pod.spec.containers[0]?.image
    }
    expect(imageOf({ image: 'mine:1', usualImage: 'usual:1' })).toBe('mine:1')
    expect(imageOf({ usualImage: 'usual:1' })).toBe('usual:1')
    expect(imageOf({})).toBe('ubuntu:24.04')
  })

  test('requests equal limits in each container, so that a node evicts the pod last; too little for tpi’s own containers is refused', () => {
    const sizesOf = (size: MachineSpec['size']): unknown[] => {
      const spec = { tags, size, spot: { want: 'never' as const }, agent: 'a', store: { url: 's3://b/p' } }
      const pod = podTemplate({ spec, settings, program: 'p', secret: 's', store: { url: 's3://b/p' }, gate: false }) as {
        spec: Record<'initContainers' | 'containers', { resources: Record<'requests' | 'limits', object> }[]>
      }
      return [...pod.spec.initContainers, ...pod.spec.containers].map(({ resources }) => resources)
    }
    const amounts = { cpu: '4000m', memory: '16000000000' }
    const gpu = { ...amounts, 'nvidia.com/gpu': '1' }
    expect(sizesOf({ cpu: 4, memoryBytes: 16e9, gpu: { count: 1 } })).toEqual([
      { requests: amounts, limits: amounts },
      { requests: gpu, limits: gpu },
    ])
    const brief = { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } }
    for (const little of [{ cpu: 0.1, memoryBytes: 16e9 }, { cpu: 4, memoryBytes: 1e8 }, { cpu: 4 }, {}])
      expect(sizesOf(little)[0]).toEqual(brief)
  })

  test("an external store is reached through tpi's container beside the program: only that and the init containers have the secret, and its resources count", () => {
    const size = { cpu: 4, memoryBytes: 16e9 }
    const spec = { tags, size, spot: { want: 'never' as const }, agent: 'a', store: { url: 's3://b/p' } }
    const specOf = (gate: boolean) =>
      (podTemplate({ spec, settings, program: 'p', secret: 's', store: GATE_PLACE, gate }) as { spec: Sized & Record<Kind, Mounting[]> })
        .spec
    type Kind = 'initContainers' | 'containers'
    interface Mounting {
      readonly name: string
      readonly restartPolicy?: string
      readonly volumeMounts: readonly { readonly name: string }[]
    }
    const [before, gate, ...more] = specOf(true).initContainers
    expect(specOf(false).initContainers).toEqual([before])
    expect([gate?.name, gate?.restartPolicy, more]).toEqual(['tpi-gate', 'Always', []])
    const having = [...specOf(true).initContainers, ...specOf(true).containers].filter(({ volumeMounts }) =>
      volumeMounts.some(({ name }) => name === 'tpi-secret'),
    )
    expect(having).toEqual([before, gate])
    expect(podSizes(specOf(false))).toMatchObject({ 'requests.cpu': 4, 'requests.memory': 16e9 })
    expect(podSizes(specOf(true))).toMatchObject({ 'requests.cpu': 4.5, 'limits.cpu': 4.5, 'requests.memory': 16e9 + 2 ** 28 })
    expect(gateConfig({ url: 's3://b/p', credentials: { secretAccessKey: 'k' } })).not.toHaveProperty('store.credentials')
  })

  test("is the image's, unless nothing needs root or another was requested", () => {
    expect(userOf(false)).not.toHaveProperty('runAsUser')
    expect(userOf(true)).toMatchObject({ runAsUser: 1001, runAsNonRoot: true, fsGroup: 1001, capabilities: { drop: ['ALL'] } })
    expect(userOf(true, 2000)).toMatchObject({ runAsUser: 2000, runAsNonRoot: true })
    expect(userOf(true, 0)).toMatchObject({ runAsUser: 0 })
    expect(userOf(true, 0)).not.toHaveProperty('runAsNonRoot')
  })
})

describe('the tags of a user', () => {
  test('are labels, and annotations if the value cannot be a label', () => {
    expect(worn({ team: 'ml', 'example.com/cost': 'a-1', note: 'two words', empty: '' })).toEqual({
      labels: { team: 'ml', 'example.com/cost': 'a-1', empty: '' },
      annotations: { note: 'two words' },
    })
  })

  const tagged = (user: DeploymentTags['user']) => ({ store: { url: 'dir:///x' }, user }) as DeploymentTags

  test('cannot be invalid names, or labels that tpi selects by', () => {
    expect(tagFaults(tagged({ team: 'ml' }))).toEqual([])
    for (const key of ['two words', '-x', 'app.kubernetes.io/managed-by', 'tpi.iterative.ai/id', 'a/b/c'])
      expect(tagFaults(tagged({ [key]: 'x' }))).toMatchObject([{ option: 'tags', message: expect.stringContaining(key) }])
  })
})

describeTags('k8s', tagFaults, [
  ['a name', { ['k'.repeat(63)]: 'v' }, { ['k'.repeat(64)]: 'v' }, 'at most 63'],
  ['reserved', { 'example.com/id': 'v' }, { 'tpi.iterative.ai/id': 'v' }, 'reserved for Kubernetes'],
  ['all together', many(2, 60_000), many(3, 60_000), 'longer than Kubernetes allows'],
  ['how many', many(1000), many(1001), 'at most 1000'],
  LONGEST,
])

describe('a pod template', () => {
  const ours = {
    nodeSelector: { a: '1' },
    containers: [{ name: 'main', image: 'i', env: [{ name: 'A', value: '1' }], command: ['ours'] }],
    tolerations: [{ key: 'x', operator: 'Exists' }],
  }

  test('maps merge, lists with a key merge by it, the rest replaces', () => {
    const theirs = {
      nodeSelector: { b: '2' },
      runtimeClassName: 'nvidia',
      containers: [
        {
          name: 'main',
          env: [
            { name: 'A', value: '2' },
            { name: 'B', value: '3' },
          ],
          command: ['theirs'],
        },
        { name: 'side', image: 's' },
      ],
      tolerations: [{ key: 'spot', operator: 'Exists' }],
    }
    expect(merge(ours, theirs)).toEqual({
      nodeSelector: { a: '1', b: '2' },
      runtimeClassName: 'nvidia',
      containers: [
        {
          name: 'main',
          image: 'i',
          env: [
            { name: 'A', value: '2' },
            { name: 'B', value: '3' },
          ],
          command: ['theirs'],
        },
        { name: 'side', image: 's' },
      ],
      tolerations: [
        { key: 'x', operator: 'Exists' },
        { key: 'spot', operator: 'Exists' },
      ],
    })
    expect(ours.containers[0]?.env).toEqual([{ name: 'A', value: '1' }])
  })

  test('entries of a user’s own list are not merged with one another', () => {
    const ports = [
      { containerPort: 53, protocol: 'TCP' },
      { containerPort: 53, protocol: 'UDP' },
    ]
    const tolerations = ['a', 'b'].map((value) => ({ key: 'gpu', operator: 'Equal', value }))
    expect(merge({ tolerations: [], ports: [] }, { tolerations, ports })).toEqual({ tolerations, ports })
    const twice = ['NoExecute', 'NoSchedule'].map((effect) => ({ key: 'x', operator: 'Exists', effect }))
    expect(merge(ours, { tolerations: twice })).toMatchObject({ tolerations: twice })
  })

  test('a toleration of the user’s takes the place of tpi’s for the same taints, and stands beside it for others', () => {
    const mine = [{ key: 'gone', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 }]
    const theirs = (effect?: string) => [{ key: 'gone', operator: 'Exists', ...(effect && { effect }) }]
    expect(merge({ tolerations: mine }, { tolerations: theirs('NoSchedule') })).toEqual({ tolerations: [...mine, ...theirs('NoSchedule')] })
    for (const effect of ['NoExecute', undefined])
      expect(merge({ tolerations: mine }, { tolerations: theirs(effect) })).toEqual({ tolerations: theirs(effect) })
  })

  test('a whole Job is no pod', () => {
    expect(podOf({ kind: 'Job', spec: { template: { spec: {} } } })).toBeUndefined()
    expect(podOf({ kind: 'Pod', spec: { nodeSelector: {} } })).toEqual({ metadata: {}, spec: { nodeSelector: {} } })
  })

  test('fields that tpi sets are refused, each with what to do instead; the rest is the user’s', () => {
    const theirs = {
      metadata: { labels: { team: 'x' }, annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } },
      spec: {
        runtimeClassName: 'nvidia',
        securityContext: { fsGroup: 1 },
        containers: [
          { name: 'main', image: 'i', env: [{ name: 'A', value: '1' }], volumeMounts: [{ name: 'data', mountPath: '/data' }] },
          { name: 'side', command: ['x'], args: ['y'] },
        ],
        initContainers: [{ name: 'mine', image: 'i' }],
        volumes: [{ name: 'data', emptyDir: {} }],
      },
    }
    expect(templateFaults(theirs)).toEqual([])
    const wrong = {
      metadata: { labels: { 'tpi.iterative.ai/id': 'x' } },
      spec: {
        restartPolicy: 'Always',
        serviceAccountName: 'root',
        containers: [{ name: 'main', command: ['sh'], volumeMounts: [{ name: 'data', mountPath: '/tpi-home' }] }],
        initContainers: [
          { name: 'tpi', image: 'evil' },
          { name: 'fetch', volumeMounts: [{ name: 'data', mountPath: '/tpi' }] },
        ],
        volumes: [{ name: 'tpi-secret', emptyDir: {} }],
      },
    }
    expect(templateFaults(wrong)).toEqual([
      'spec.restartPolicy is set by tpi: the Job replaces pods itself',
      'spec.serviceAccountName is set by tpi: give --permission-set',
      'spec.initContainers[tpi] is set by tpi: use another name for yours',
      'spec.containers[main].command is set by tpi: give the command after "--", or --script',
      'spec.volumes[tpi-secret] is set by tpi: use another name for yours',
      'spec.containers[main].volumeMounts[/tpi-home] is set by tpi: use another name for yours',
      'spec.initContainers[fetch].volumeMounts[/tpi] is set by tpi: use another name for yours',
      'metadata.labels[tpi.iterative.ai/id] is set by tpi: use another name for yours',
    ])
  })

  test('fields that would expose the sidecar with the credentials are refused if there is one', () => {
    const fields = ['shareProcessNamespace', 'hostPID', 'hostNetwork']
    for (const field of fields) {
      const pod = { metadata: {}, spec: { [field]: true, containers: [] } }
      expect(templateFaults(pod)).toEqual([])
      expect(templateFaults(pod, true)).toEqual([expect.stringContaining(`spec.${field}`)])
      expect(templateFaults({ metadata: {}, spec: { [field]: false } }, true)).toEqual([])
    }
  })

  test('an external store brings a sidecar, so the template is checked for it', () => {
    const settings = settingsOf({ values: { 'pod-template': 'spec:\n  hostPID: true\n' } })
    const faults = (gated: boolean): unknown => faultsOf({ size: {}, spot: { want: 'never' } }, settings, 'default', gated)
    expect(faults(false)).toEqual([])
    expect(faults(true)).toEqual([{ option: 'pod-template', message: expect.stringContaining('spec.hostPID') }])
  })

  test.each([
    ['spec: [', 'the file is not valid YAML: '],
    ['kind: Job\nspec: { template: {} }\n', 'the file is not a pod: it needs the "spec" of a pod'],
  ])('%j is refused before anything is made', (template, message) => {
    const found = faultsOf({ size: {}, spot: { want: 'never' } }, settingsOf({ values: { 'pod-template': template } }), 'default')
    expect(found).toEqual([{ option: 'pod-template', message: expect.stringContaining(message) }])
  })

  test('a Pod, a template or a spec alone', () => {
    const spec = { containers: [] }
    expect(podOf({ apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b' } }, spec })).toEqual({
      metadata: { labels: { a: 'b' } },
      spec,
    })
    expect(podOf(spec)).toEqual({ metadata: {}, spec })
    for (const nothing of [undefined, null, 'text', [], { kind: 'Pod' }]) expect(podOf(nothing)).toBeUndefined()
  })
})

describe('events in plain words', () => {
  const ID = 'tpi-my-store-0123456789'
  test('tries whose messages differ only by an id give the same message, and so do those that the cluster combines', () => {
    const said = (id: string): string => `Failed to create pod sandbox: failed to setup network for sandbox "${id}": no address left`
    const texts = [said('a'.repeat(64)), said('b1'.repeat(32)), `(combined from similar events): ${said('c'.repeat(64))}`].map(
      (message) => wordsOf(event('FailedCreatePodSandBox', message), ID)?.text,
    )
    expect([...new Set(texts)]).toEqual([expect.stringContaining('for sandbox "…": no address left')])
  })

  test('every failed try to create the same pod gives the same message', () => {
    const tries = ['a', 'b'].map((name) =>
      wordsOf(event('FailedCreate', `Error creating: pods "${name}" is forbidden: an unknown reason`), ID),
    )
    expect(tries[0]).toEqual({ kind: 'denied', text: 'the pod is not allowed: an unknown reason' })
    expect(tries[1]).toEqual(tries[0])
  })

  const event = (reason: string, message: string): Happening => ({
    metadata: { name: 'e' },
    type: 'Warning',
    reason,
    message,
    involvedObject: { kind: 'Pod', name: 'p' },
  })

  test.each([
    [
      'FailedScheduling',
      '0/3 nodes are available: 2 Insufficient cpu, 1 Insufficient nvidia.com/gpu. preemption: none.',
      'capacity',
      /none of 3 nodes .* 2 with too little cpu, 1 with too little GPU/,
    ],
    [
      'FailedScheduling',
      "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
      'capacity',
      /^none of 3 nodes can take the pod: 1 with too little cpu, 2 node\(s\) didn't match Pod's node affinity\/selector$/,
    ],
    ['FailedCreate', 'pods "x" is forbidden: exceeded quota: q, requested: cpu=4', 'quota', /quota is used up/],
    ['FailedCreate', 'pods "x" is forbidden: status unknown for quota: q, resources: pods', 'info', /quota of the namespace is not ready/],
    ['FailedCreate', 'pods "x" is forbidden: violates PodSecurity "restricted:latest"', 'denied', /--run-as-user/],
    [
      'FailedCreate',
      'pods "x" is forbidden: violates PodSecurity "baseline:latest": privileged (container "tpi-docker" must not set securityContext.privileged=true)',
      'denied',
      /forbids privileged containers, and container-mode needs one/,
    ],
    [
      'FailedCreate',
      'Error creating: admission webhook "validate.kyverno.svc-fail" denied the request: resource Pod/ci/ was blocked',
      'denied',
      /^a policy of the cluster forbids the pod: admission webhook "validate\.kyverno/,
    ],
    [
      'FailedCreate',
      'Error creating: Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": context deadline exceeded',
      'failure',
      /could not be created/,
    ],
    [
      'FailedCreate',
      'Error creating: pods "x-0-" is forbidden: unable to validate against any security context constraint: [provider restricted-v2: .initContainers[0].runAsUser: Invalid value: 65532: must be in the ranges: [1000660000, 1000669999]]',
      'denied',
      /^OpenShift forbids .* add-scc-to-user nonroot-v2/,
    ],
    [
      'FailedCreate',
      'Error creating: pods "x-0-q7d2k" is forbidden: minimum memory usage per Container is 100Mi, but request is 64Mi',
      'quota',
      /^the namespace's LimitRange does not allow the size of the container "\S+" of tpi \(no option .*\): minimum memory usage per Container is 100Mi, but request is 64Mi$/,
    ],
    [
      'FailedCreate',
      'Error creating: pods "x-0-q7d2k" is forbidden: maximum memory usage per Container is 512Mi, but limit is 1Gi',
      'quota',
      /^the namespace's LimitRange does not allow the size: maximum/,
    ],
    [
      'FailedScheduling',
      '0/2 nodes are available: 2 node(s) had untolerated taint {sku: gpu}. preemption: none.',
      'capacity',
      /^none of 2 nodes can take the pod: 2 node\(s\) had untolerated taint \{sku: gpu\}$/,
    ],
    ['Failed', 'Failed to pull image "nope": not found', 'failure', /image cannot be pulled/],
    ['FailedMount', 'MountVolume.SetUp failed', 'failure', /volume cannot be mounted/],
    ['Evicted', 'The node was low on resource: memory', 'notice', /evicts.*memory$/],
    [
      'Evicted',
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 84240Ki. Container main was using 4052Ki, request is 0, has larger consumption of memory. ',
      'notice',
      /requested none, and such pods are evicted first: give --memory\)$/,
    ],
    [
      'Evicted',
      'The node was low on resource: memory. Container main was using 4Gi, request is 2Gi, has larger consumption of memory. ',
      'notice',
      /consumption of memory\.$/,
    ],
  ])('%s: %s', (reason, message, kind, words) => {
    expect(wordsOf(event(reason, message), ID)).toMatchObject({ kind, text: expect.stringMatching(words) })
  })

  test.each([
    ['had untolerated taint {sku: gpu}', /\(the store needs a node without taints/],
    [
      "didn't match Pod's node affinity/selector",
      /\(tpi's own programs need nodes with kubernetes\.io\/os=linux and kubernetes\.io\/arch=amd64\)$/,
    ],
  ])('a store is told what is special about it: %s', (why, words) => {
    const involvedObject = { kind: 'Pod', name: `${ID}-store-0-abcde` }
    const message = `0/2 nodes are available: 2 node(s) ${why}. preemption: none.`
    expect(wordsOf({ ...event('FailedScheduling', message), involvedObject }, ID)?.text).toMatch(words)
  })

  test("tpi's own image that cannot be pulled is reported with the option that names it", () => {
    const message = 'Failed to pull image "nope": not found'
    for (const container of ['spec.initContainers{tpi}', 'spec.containers{tpi-store}']) {
      const involvedObject = { kind: 'Pod', name: 'p', fieldPath: container }
      expect(wordsOf({ ...event('Failed', message), involvedObject }, ID)?.text).toMatch(
        /^the runtime image of tpi \(option runtime-image.*nope/,
      )
    }
    const theirs = { kind: 'Pod', name: 'p', fieldPath: 'spec.containers{main}' }
    expect(wordsOf({ ...event('Failed', message), involvedObject: theirs }, ID)?.text).toBe(`the image cannot be pulled: ${message}`)
    const waiting = { reason: 'ErrImageNeverPull', message: 'Container image "nope" is not present with pull policy of Never' }
    const pod = { metadata: { name: 'p' }, spec: {}, status: { initContainerStatuses: [{ name: 'tpi', state: { waiting } }] } }
    expect(heldUp(pod)?.why).toMatch(/^the runtime image of tpi \(option runtime-image.*\) cannot be pulled \(ErrImageNeverPull\): .*nope/)
    // CRI-O's own words: kubernetes, cri-api/pkg/errors
    const unsigned = { reason: 'SignatureValidationFailed', message: 'image pull failed for i because the signature validation failed' }
    const held = { ...pod, status: { containerStatuses: [{ name: 'main', state: { waiting: unsigned } }] } }
    expect(heldUp(held)?.why).toMatch(/^the image of container "main" cannot be pulled \(SignatureValidationFailed\): /)
  })

  test.each([
    ['persistentvolumeclaim "datasets" not found.', 'the claim "datasets" of the pod template, which does not exist'],
    ['pod has unbound immediate PersistentVolumeClaims. not found', 'a claim of the pod template, which is not bound'],
  ])('a claim that the user has named is waited for, with a message: %s', (message, what) => {
    const involvedObject = { kind: 'Pod', name: `${ID}-0-abcde` }
    expect(wordsOf({ ...event('FailedScheduling', message), involvedObject }, ID)).toMatchObject({
      kind: 'capacity',
      text: expect.stringContaining(`the pod waits for ${what}`),
    })
  })

  test('a node without the cluster’s DNS gives the same message for every pod, so that it is reported once', () => {
    const [one, other] = ['0', '1'].map((index) => {
      const message = `pod: "n/${ID}-${index}". kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy.`
      return wordsOf({ ...event('MissingClusterDNS', message), involvedObject: { kind: 'Pod', name: `${ID}-${index}-abcde` } }, ID)
    })
    expect(one).toMatchObject({ kind: 'advice', text: expect.stringMatching(/DNS of the cluster .*names of Services/) })
    expect(other).toEqual(one)
  })

  test('events about starting or ending pods are no news', () => {
    const involvedObject = { kind: 'Pod', name: `${ID}-store-0-abcde` }
    for (const coming of ['persistentvolumeclaim "tpi-x" not found.', 'pod has unbound immediate PersistentVolumeClaims.'])
      expect(wordsOf({ ...event('FailedScheduling', `0/1 nodes are available: ${coming}`), involvedObject }, ID)).toBeUndefined()
    expect(wordsOf(event('Pulled', 'ok'), ID)).toBeUndefined()
    const leaving = 'MountVolume.SetUp failed for volume "tpi-secret" : object "n"/"tpi-x" not registered'
    const busy = 'MountVolume.SetUp failed for volume "tpi-config" : failed to sync configmap cache: timed out waiting for the condition'
    for (const passing of [leaving, busy]) expect(wordsOf(event('FailedMount', passing), ID)).toBeUndefined()
    expect(wordsOf(event('BackOff', 'Back-off restarting failed container main'), ID)).toBeUndefined()
  })

  test('a container beside the program that fails again and again is reported, in the same words for every pod', () => {
    const [one, other] = ['a', 'b'].map((pod) =>
      wordsOf(event('BackOff', `Back-off restarting failed container dind in pod ${pod}_n(1-2)`), ID),
    )
    expect(one).toEqual({ kind: 'failure', text: 'container "dind" fails again and again' })
    expect(other).toEqual(one)
  })
})

test.each([
  ['1', '28+', 'fault'],
  ['1', '29', 'ok'],
  ['1', '34+', 'ok'],
  ['2', '0', 'ok'],
  ['', '', 'fault'],
])('a cluster of version %s.%s: %s', async (major, minor, state) => {
  // Like `/version` of a provider that marks its builds.
  const api: Pick<Api, 'ask'> = { ask: async <T>() => ({ major, minor, gitVersion: `v${major}.${minor}.0` }) as T }
  const check = await version(api)
  expect(check).toMatchObject({ state, says: expect.stringContaining(`v${major}.${minor}`) })
  expect(check.hint).toBe(state === 'ok' ? undefined : 'use a cluster of version 1.29 or later')
})

test.each(['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'])(
  'a default storage class is one by %s',
  async (annotation) => {
    const items = [{ metadata: { name: 'plain' } }, { metadata: { name: 'disk', annotations: { [annotation]: 'true' } } }]
    const api = { namespace: 'ci', ask: async () => ({ items }) } as unknown as Api
    expect(await storage(api, { storageClass: undefined, storageClaim: undefined } as Settings)).toMatchObject({
      state: 'ok',
      says: 'disk',
    })
  },
)

describe('refusals', () => {
  const tried = { verb: 'create', resource: 'jobs', name: 'tpi-x', namespace: 'ci' }

  test.each([
    [401, 'Unauthorized', 'denied'],
    [403, 'jobs.batch is forbidden: User "me" cannot create resource "jobs"', 'denied'],
    [403, '<html>Forbidden: log in first</html>', 'denied'],
    [403, 'exceeded quota: q', 'no-capacity'],
    [403, 'persistentvolumeclaims "x" is forbidden: status unknown for quota: q, resources: requests.storage', 'remote-error'],
    [
      403,
      'persistentvolumeclaims "x" is forbidden: maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 10G',
      'no-capacity',
    ],
    [403, 'admission webhook "validation.gatekeeper.sh" denied the request: [owner] give a label "owner"', 'invalid'],
    [403, "jobs.batch \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no", 'invalid'],
    [422, 'spec.x: Invalid value', 'invalid'],
    [503, 'no leader', 'remote-error'],
  ])('%d %s', (code, message, outcome) => {
    expect(errorOf({ code, message }, tried)).toMatchObject({ outcome })
  })

  test('a missing right is named with verb, resource and namespace', () => {
    const message = 'jobs.batch is forbidden: User "me" cannot create resource "jobs" in API group "batch" in the namespace "ci"'
    expect(errorOf({ code: 403, message }, tried)).toMatchObject({ hint: expect.stringMatching(/create jobs in namespace "ci"/) })
    const path = errorOf({ code: 403 }, { verb: 'get', resource: '/version', namespace: 'ci' })
    expect(path.message).toBe('k8s: could not get /version: status 403')
  })

  test('the Role grants each right of the list, and none in the whole cluster', () => {
    const text = roleText('ci')
    for (const { resource, verbs } of RIGHTS)
      expect(text).toContain(`resources: ["${resource}"]\n    verbs: [${verbs.map((verb) => `"${verb}"`).join(', ')}]`)
    // The reader must not wonder why nothing breaks without this right.
    expect(text).toMatch(/# tpi exec \(Kubernetes 1\.35 and later; older ones do not ask for it\)\n.*\n.*pods\/exec"\]\n.*\["create"\]/)
    expect(text).not.toContain('ClusterRole')
    expect(text).not.toContain('*')
  })
})

test('a kubeconfig that cannot be read is named in the error', () => {
  expect(() => loginOf({ KUBERNETES_CONFIGURATION: 'a: [' }, {})).toThrow(
    /^k8s: the kubeconfig \(in KUBERNETES_CONFIGURATION\) cannot be used: /,
  )
})

test('a kubeconfig that GitLab has put into a file is read from there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-kubeconfig-'))
  const path = join(folder, 'KUBERNETES_CONFIGURATION')
  const [clusters, contexts] = [[{ name: 'c', cluster: { server: 'https://10.0.0.1' } }], [{ name: 'x', context: { cluster: 'c' } }]]
  writeFileSync(path, JSON.stringify({ clusters, contexts, 'current-context': 'x' }))
  expect(loginOf({ KUBERNETES_CONFIGURATION: path }, {})).toMatchObject({ server: 'https://10.0.0.1', context: 'x' })
  rmSync(folder, { recursive: true })
})

test('one with a plain http server is refused, because the login would be sent over it', () => {
  const at = (server: string) =>
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      users: [{ name: 'u', user: { token: 'x' } }],
      'current-context': 'c',
    })
  const login = (server: string) => () => loginOf({ KUBERNETES_CONFIGURATION: at(server) }, {})
  expect(login('http://10.0.0.1:8080')).toThrow(/cannot be used: its server "http:\/\/10\.0\.0\.1:8080" is plain http/)
  expect(login('https://10.0.0.1:6443')).not.toThrow()
})
