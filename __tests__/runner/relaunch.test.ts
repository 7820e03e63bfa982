/** Runners are started again where they were, or not at all. */
import { expect, test } from '@jest/globals'
import { clouds } from '../../src/clouds/registry.ts'
import type { Cloud } from '../../src/core/cloud.ts'
import type { Fault } from '../../src/core/errors.ts'
import { type Deployment, deploymentOf } from '../../src/engine/deployment.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { recordedRequest } from '../../src/runner/recorded-request.ts'
import { type RelaunchParams, relaunch } from '../../src/verbs/runner/relaunch.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { named } from '../engine/named.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const HOME = 's3://tpi-1-us-east-1'

test.each([
  {
    what: 'in another region',
    region: 'eu-west-1',
    url: HOME,
    message: 'region: the runners "fit" were in eu-west-1, and this command would start new ones in us-east-1',
    hint: 'give `region: eu-west-1`',
  },
  {
    what: 'with records in another storage',
    region: 'us-east-1',
    url: 's3://mine/tpi',
    message: `storage: the records of the runners "fit" are in s3://mine/tpi, and this command is for ${HOME}`,
    hint: 'give `storage: s3://mine/tpi`',
  },
])('runners $what are neither started at the place that this command names, nor removed', async ({ region, url, message, hint }) => {
  const asked: string[] = []
  const cloud = new Proxy({ region: 'us-east-1', store: async () => ({ url: HOME }) } as unknown as Cloud, {
    get: (own, key) => Reflect.get(own, key) ?? (key === 'isOwn' ? undefined : async () => void asked.push(String(key))),
  })
  const store = { ...memoryStore(), url }
  const parts = { cloudId: 'aws', cloud, store, id: 'tpi-fit-0123456789', name: 'fit', incarnation: 'a', region }
  const d: Deployment = deploymentOf(parts)
  await named(d)
  const before = [...store.objects.values()].map(({ version }) => version)
  const host = memoryHost()
  const context = { host, engine: { host }, storage: async () => undefined } as unknown as VerbContext
  const again = { d, facts: {}, registry: { forge: 'github', scope: 'octo/hello' }, waiting: 1 } as unknown as RelaunchParams
  await expect(relaunch(context, again)).rejects.toMatchObject({ message, hint })
  expect([...store.objects.values()].map(({ version }) => version)).toEqual(before)
  expect(asked).toEqual([])
})

/** A cloud in which runners of that record may be started again, and what it was asked. */
function startable(faults: readonly Fault[] = []): { readonly cloud: Cloud; readonly asked: string[]; readonly opened: unknown[] } {
  const asked: string[] = []
  const opened: unknown[] = []
  const own = {
    region: 'us-east-1',
    store: async () => ({ url: HOME }),
    faults: async () => faults,
    withOptions: (options: unknown) => {
      opened.push(options)
      return cloud
    },
  }
  const cloud = new Proxy(own as unknown as Cloud, {
    get: (target, key) => Reflect.get(target, key) ?? (key === 'isOwn' ? undefined : async () => void asked.push(String(key))),
  })
  return { cloud, asked, opened }
}

function contextOf(host = memoryHost()): VerbContext {
  const engine = { host, clock: systemClock }
  const parts = { host, engine, values: { token: 'good' }, owner: { origin: {} }, descriptors: clouds }
  return { ...parts, storage: async () => undefined, agent: async () => ({ digest: 'a', bytes: Buffer.of() }) } as unknown as VerbContext
}

const REGISTRY = { forge: 'github', scope: { repository: 'octo/hello' } }

test('the new machines get the options of the cloud that are on record; if those have become wrong, nothing is removed', async () => {
  const store = { ...memoryStore(), url: HOME }
  const { cloud, asked, opened } = startable([{ option: 'mount', message: 'fs-1 does not exist' }])
  const d = deploymentOf({ cloudId: 'aws', cloud, store, id: 'tpi-fit-0123456789', name: 'fit', incarnation: 'a', region: 'us-east-1' })
  await named(d)
  const before = [...store.objects]
  const ofCloud = { mount: ['fs-1:/data'], sudo: false, vpc: 'vpc-01234567' }
  const request = JSON.parse(JSON.stringify({ ...REQUEST, ofCloud })) as object
  const again = {
    d,
    facts: { request, labels: ['tpi-1', 'gpu'] },
    registry: REGISTRY,
    forge: { scope: REGISTRY.scope },
    waiting: 1,
  } as unknown as RelaunchParams
  await expect(relaunch(contextOf(), again)).rejects.toMatchObject({
    exitCode: 64,
    message: 'the runners "fit" cannot be started again as they were: mount: fs-1 does not exist',
    hint: 'start runners with other options, and add the label that the waiting jobs name: tpi-1',
  })
  // At its default, whatever this command or its home has.
  expect(opened).toMatchObject([{ ...ofCloud, reservation: undefined, subnet: [] }])
  expect([...store.objects]).toEqual(before)
  expect(asked).toEqual([])
})

test('a command whose record belongs to another incarnation by now changes nothing: another one has started them again', async () => {
  const store = { ...memoryStore(), url: HOME }
  const { cloud, asked } = startable()
  const d = deploymentOf({ cloudId: 'aws', cloud, store, id: 'tpi-fit-0123456789', name: 'fit', incarnation: 'a', region: 'us-east-1' })
  await named({ ...d, incarnation: 'b' })
  const before = [...store.objects]
  const host = memoryHost()
  const again = {
    d,
    facts: { request: REQUEST, labels: [] },
    registry: REGISTRY,
    forge: { scope: REGISTRY.scope },
    waiting: 1,
  } as unknown as RelaunchParams
  await relaunch(contextOf(host), again)
  expect(host.lines.at(-1)).toBe('info: fit: another command has started it again')
  expect([...store.objects]).toEqual(before)
  expect(asked).toEqual([])
})

const REQUEST = recordedRequest({
  name: 'fit',
  count: 1,
  size: {},
  spot: { want: 'never' },
  tags: {},
  env: {},
  timeout: 60,
  grace: 1,
  reserve: 1,
  retention: 1,
  lease: { beat: 1, ttl: 2, storeGrace: 3 },
  labels: [],
  defaultLabels: true,
  jobs: null,
  idle: null,
  platform: { os: 'linux', arch: 'x64' },
  retry: 0,
  onlineTimeout: 1,
})
