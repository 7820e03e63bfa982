/** Reasons why a store of cloud k8s does not come up, as they are reported. */
import { expect, test } from '@jest/globals'
import type { Api } from '../../src/clouds/k8s/api.ts'
import type { Pod } from '../../src/clouds/k8s/objects.ts'
import { storeEvents } from '../../src/clouds/k8s/store-events.ts'
import { StuckPods, whyStuck } from '../../src/clouds/k8s/stuck-pods.ts'

const ID = 'tpi-x-0123456789'
const NOW = '2026-11-22T10:00:00Z'

/** A cluster with the Job of a store, its claim in this phase, and one event. */
function cluster(
  phase: string,
  event: {
    readonly reason: string
    readonly message: string
    readonly kind?: string
    readonly name?: string
    readonly firstTimestamp?: string
  },
): Api {
  const { kind = 'PersistentVolumeClaim', name = ID, ...said } = event
  const happening = { metadata: { name: 'e' }, involvedObject: { kind, name }, lastTimestamp: NOW, type: 'Warning', ...said }
  const objects: Readonly<Record<string, object>> = {
    jobs: { metadata: { name: `${ID}-store` } },
    persistentvolumeclaims: { status: { phase } },
  }
  const lists: Readonly<Record<string, readonly object[]>> = { events: [happening], pods: [] }
  const api: Pick<Api, 'now'> & Record<'get' | 'list', (kind: string) => Promise<unknown>> = {
    now: Date.parse(NOW),
    get: async (kind) => objects[kind],
    list: async (kind) => lists[kind],
  }
  return api as unknown as Api
}

const seen = async (api: Api) => storeEvents(api, ID, new StuckPods())

const MISSING = { reason: 'ProvisioningFailed', message: 'storageclass.storage.k8s.io "fast" not found' }

test('waiting for a class that does not exist is hopeless, unless the claim has found a volume of that class', async () => {
  expect(await seen(cluster('Pending', MISSING))).toMatchObject([
    { kind: 'failure', text: 'no storage for the claim: storageclass.storage.k8s.io "fast" not found' },
    { option: 'storage-class', hopeless: true, text: expect.stringContaining('no storage class "fast"') },
  ])
  const bound = await seen(cluster('Bound', MISSING))
  expect(bound.map(({ hopeless }) => hopeless)).toEqual([undefined])
})

test('so is waiting without a class if the cluster has no default', async () => {
  const none = { reason: 'FailedBinding', message: 'no persistent volumes available for this claim and no storage class is set' }
  expect(await seen(cluster('Pending', none))).toContainEqual(
    expect.objectContaining({ option: 'storage-class', hopeless: true, text: expect.stringContaining('the cluster has no default') }),
  )
})

test('a provisioner that has failed may succeed later', async () => {
  const busy = { reason: 'ProvisioningFailed', message: 'rpc error: code = ResourceExhausted' }
  expect(await seen(cluster('Pending', busy))).toEqual([expect.not.objectContaining({ hopeless: true })])
})

test('a driver that makes no volume is worth a message once it takes long', async () => {
  const message =
    "Waiting for a volume to be created either by the external provisioner 'ebs.csi.aws.com' or manually by the system administrator."
  const waits = { reason: 'ExternalProvisioning', message, type: 'Normal' }
  expect(await seen(cluster('Pending', { ...waits, firstTimestamp: NOW }))).toEqual([])
  expect(await seen(cluster('Pending', { ...waits, firstTimestamp: '2026-11-22T09:58:30Z' }))).toMatchObject([
    { kind: 'failure', text: `no storage for the claim yet; is the driver of its storage class installed? ${message}` },
  ])
})

test('the store needs no DNS, so a node without DNS is reported only for machines', async () => {
  const nameless = { reason: 'MissingClusterDNS', message: 'kubelet does not have ClusterDNS IP configured', kind: 'Pod' }
  expect(await seen(cluster('Bound', { ...nameless, name: `${ID}-store-0-abcde` }))).toEqual([])
})

test('what is repeated has the time when it happened first, as events of machines have', async () => {
  const firstTimestamp = '2026-11-22T09:00:00Z'
  const [said] = await seen(cluster('Bound', { reason: 'FailedBinding', message: 'no room', firstTimestamp }))
  expect(said?.at).toBe(firstTimestamp)
})

test('a pod is hopeless only if its image could not be pulled for long, however long it waited for its node', () => {
  const pod = (reason?: string) => ({
    metadata: { name: 'p', creationTimestamp: '2020-01-01T00:00:00Z' },
    spec: {},
    status: {
      containerStatuses: [{ name: 'tpi-store', state: { waiting: { reason: reason ?? 'ContainerCreating', message: 'no such host' } } }],
    },
  })
  const held = new StuckPods()
  expect(held.hopeless(pod('ErrImagePull'), 1_000)).toBeUndefined()
  expect(held.hopeless(pod('ImagePullBackOff'), 40_000)).toBeUndefined()
  expect(held.hopeless(pod('ImagePullBackOff'), 41_000)).toEqual({
    container: 'tpi-store',
    why: expect.stringMatching(/cannot be pulled \(ImagePullBackOff\): no such host/),
    ran: false,
    time: 40_000,
  })
  expect(held.hopeless(pod(), 50_000)).toBeUndefined()
  expect(held.hopeless(pod('ErrImagePull'), 89_000)).toBeUndefined()
})

test('a store that fails again and again is hopeless, and the end of its log says why', async () => {
  const crashing = (restartCount: number, waiting: object) => ({
    metadata: { name: `${ID}-store-0-abcde` },
    spec: {},
    status: {
      containerStatuses: [
        { name: 'tpi-store', restartCount, state: { waiting }, lastState: { terminated: { exitCode: 70, reason: 'Error' } } },
      ],
    },
  })
  const held = new StuckPods()
  expect(held.hopeless(crashing(2, { reason: 'CrashLoopBackOff' }), 0)).toBeUndefined()
  expect(held.hopeless(crashing(3, { reason: 'CrashLoopBackOff' }), 20_000)).toBeUndefined()
  // What a kubelet says changes, but the container still does not start.
  expect(held.hopeless(crashing(4, { reason: 'RunContainerError' }), 50_000)).toBeUndefined()
  const pod = crashing(4, { reason: 'CrashLoopBackOff' })
  const stuck = held.hopeless(pod, 60_000)!
  const log = async (_: string, container: string) => `log of ${container}: EACCES\n`
  expect(await whyStuck({ log }, pod, stuck)).toBe(
    'container "tpi-store" fails again and again (exit code 70, Error); its log ends: log of tpi-store: EACCES',
  )
})

/** A pod whose sidecar has failed three times, and is in this state. */
const failing = (sidecar: object): Pod => ({
  metadata: { name: 'p' },
  spec: {},
  status: {
    initContainerStatuses: [{ name: 'tpi-docker', restartCount: 3, ...sidecar }],
    containerStatuses: [{ name: 'main', state: { waiting: { reason: 'PodInitializing' } } }],
  },
})
const PAUSED = { state: { waiting: { reason: 'CrashLoopBackOff' } } }
const TRIED = { state: { running: {} }, started: false }
const ENDED = { state: { terminated: { exitCode: 1 } }, started: false }

test('each try of a container that fails again and again belongs to the same trouble', () => {
  const held = new StuckPods()
  let now = 0
  for (const pause of [80_000, 160_000, 300_000, 300_000]) {
    held.hopeless(failing(PAUSED), now)
    expect(held.hopeless(failing(PAUSED), (now += pause))).toMatchObject({ time: now, ran: true })
    for (const state of [TRIED, ENDED]) expect(held.hopeless(failing(state), (now += 1_000))).toBeUndefined()
  }
  expect(held.hopeless(failing(PAUSED), now)?.time).toBeGreaterThan(10 * 60_000)
})

test('once it works, what troubles the pod later has its own time', () => {
  const held = new StuckPods()
  held.hopeless(failing(PAUSED), 0)
  held.hopeless(failing({ ...TRIED, started: true }), 90_000)
  const image = { name: 'main', state: { waiting: { reason: 'ErrImagePull' } } }
  const later = failing({ ...TRIED, started: true })
  expect(held.hopeless({ ...later, status: { ...later.status, containerStatuses: [image] } }, 100_000)).toBeUndefined()
})

test('a store that another command has removed meanwhile is not waited for', async () => {
  const api = { now: Date.parse(NOW), get: async () => undefined } as unknown as Api
  expect(await seen(api)).toMatchObject([{ kind: 'failure', hopeless: true, text: expect.stringMatching(/has removed it; run .* again$/) }])
})
