/** The failure table on a real cluster: exit code, outcome, plain words, and a namespace that is afterwards as it was before. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from '@jest/globals'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import type { Ended } from './k8s/command.ts'
import type { SeenRequest } from './k8s/control-plane.ts'
import { inRoom, type Room } from './k8s/room.ts'
import { until } from './shell.ts'
import { startVersitygw } from './versitygw.ts'

// The last node is for those alone that ask for it; what happens to a control plane happens to the second cluster.
const [cluster, second] = await both(startCluster({ nodes: 3 }), startCluster())
const WITHIN = 600_000
/** Milliseconds that the API server stays away. */
const AWAY = 120_000

const IMAGE = ['--image', 'lab.test/bare:1'] as const
const script = (text: string): readonly string[] => ['--script', `#!/bin/sh\n${text}`]
/** Counts seconds in a file, from where the attempt before was saved. */
const counting = (to: number): readonly string[] =>
  script(`n=$(cat n 2>/dev/null || echo 0); echo "from $n"; while [ $n -lt ${to} ]; do n=$((n+1)); echo $n > n; sleep 1; done; echo done`)

/** Goes on until it is taken away, however long that takes; the attempt after that is short. */
const RESUMED = script(
  'n=$(cat n 2>/dev/null || echo 0); echo "from $n"; to=1000; [ $n -eq 0 ] || to=$((n+5)); while [ $n -lt $to ]; do n=$((n+1)); echo $n > n; sleep 1; done',
)

interface Facts {
  readonly outcome: string
  readonly exitCode: number
  readonly slots: readonly {
    readonly reason: string
    readonly attempt: number
    readonly attempts: readonly { readonly start: string; readonly end: string; readonly reason?: string; readonly announced?: boolean }[]
  }[]
}

const factsOf = ({ out }: Ended): Facts => JSON.parse(out) as Facts

/** One of them alone would stay for ever. */
async function both(...starting: readonly Promise<Cluster | undefined>[]): Promise<readonly (Cluster | undefined)[]> {
  const started = await Promise.allSettled(starting)
  const failed = started.find(({ status }) => status === 'rejected')
  if (!failed) return started.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
  await Promise.all(started.map(async (one) => one.status === 'fulfilled' && one.value?.stop()))
  throw (failed as PromiseRejectedResult).reason
}

function fault(name: string, body: (room: Room) => Promise<void>, env: Readonly<Record<string, string>> = {}, place = cluster): void {
  test.concurrent(
    name,
    async () =>
      place &&
      inRoom(
        place,
        name
          .replace(/[^a-z0-9]+/gi, '-')
          .slice(0, 40)
          .toLowerCase(),
        body,
        env,
      ),
    WITHIN,
  )
}

/** A task that is under way: its script has said so. */
async function underWay({ tpi }: Room, name: string, ...more: readonly string[]) {
  const started = tpi.start('task', ...IMAGE, '--timeout', '10m', '--name', name, '--json', ...more)
  await started.says(/from 0/, 120)
  return started
}

/** On the node that is for those alone that ask for it, as long as that can be had. */
function preferApart({ place }: Room): readonly string[] {
  const template = join(place, 'apart.json')
  const preferred = [{ weight: 100, preference: { matchExpressions: [{ key: 'lab', operator: 'In', values: ['apart'] }] } }]
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferred }
  writeFileSync(template, JSON.stringify({ spec: { tolerations: [{ key: 'lab', operator: 'Exists' }], affinity: { nodeAffinity } } }))
  return ['--pod-template', template]
}

async function saved({ tpi }: Room, name: string): Promise<void> {
  await until('a snapshot', 30, async () => (await tpi.run('status', name, '--json')).out.includes('"savedAt": "') || undefined)
}

async function giveBack({ tpi }: Room, name: string): Promise<void> {
  expect(await tpi.run('destroy', name, '--discard')).toMatchObject({ code: 0 })
}

if (cluster) {
  await cluster.kubectl('taint', 'node', 'node-2', 'lab=apart:NoSchedule')
  await cluster.kubectl('label', 'node', 'node-2', 'lab=apart')
}

describe('on a cluster', () => {
  afterAll(async () => {
    await Promise.all([cluster?.stop(), second?.stop()])
  })

  test('can be had here', () => {
    expect((cluster && second) !== undefined || !process.env['CI']).toBe(true)
  })

  // The longest first: all others happen meanwhile.
  fault(
    'the API server is away for two minutes while a script runs, a creation and a giving back are under way',
    async (room) => {
      const { control } = room.cluster
      const other = room.tpi.run('task', ...IMAGE, '--name', 'going', '--detach', ...script('sleep 1000'))
      const running = await underWay(
        room,
        'steady',
        '--output',
        'made/*',
        '--output-dir',
        join(room.place, 'steady'),
        ...script('mkdir made; n=0; while [ $n -lt 150 ]; do echo "from $n" | tee made/$n; n=$((n+1)); sleep 1; done; exit 3'),
      )
      expect(await other).toMatchObject({ code: 0 })
      const coming = room.tpi.start('task', ...IMAGE, '--name', 'coming', '--json', ...script('echo from 0'))
      await coming.says(/store token .*: created/, 120)
      const going = room.tpi.start('destroy', 'going', '--discard')
      // It was made at its size: the first change is its end.
      await until('the giving back', 120, async () => control.requests().some(resizesGoing) || undefined)
      await control.stopApiServer()
      await sleep(AWAY)
      await control.startApiServer()
      const [steady, made, gone] = await Promise.all([running.ended, coming.ended, going.ended])
      expect(steady).toMatchObject({ code: 3 })
      const { slots } = factsOf(steady)
      expect(slots).toMatchObject([{ attempt: 1, attempts: [{}] }])
      const printed = [...steady.err.matchAll(/^from (\d+)$/gm)].map(([, n]) => Number(n))
      expect(printed).toEqual(Array.from({ length: 150 }, (_, n) => n))
      expect(readdirSync(join(room.place, 'steady/made')).toSorted((a, b) => Number(a) - Number(b))).toEqual(printed.map(String))
      expect(steady.err).toMatch(/out of reach, trying again: [^]*within reach again after [12]m/)
      expect(gone).toMatchObject({ code: 0 })
      // Either it has come to its end, or it has given back what it had made.
      expect([0, 76]).toContain(made.code)
      // Nobody is there any more who would remove what has lost its owner.
      await control.stopManager()
      const discarded = await room.tpi.run('destroy', 'steady', '--discard')
      const left = (await room.cluster.inventory(room.namespace)).filter((name) => !/^(claim|endpointslice|pod)\//.test(name))
      control.startManager()
      expect(discarded).toMatchObject({ code: 0, err: expect.stringMatching(/claim .*: the cloud removes it in its own time/) })
      expect(left).toEqual([])
    },
    {},
    second,
  )

  fault('the node is short of something, and evicts; it recovers, and stops', async (room) => {
    const apart = room.cluster.nodes[2]!
    const evicted = await underWay(room, 'squeezed', ...preferApart(room), ...RESUMED)
    expect((await room.pod('task')).spec).toMatchObject({ nodeName: apart.name })
    await saved(room, 'squeezed')
    try {
      // More processes than any node may have.
      await apart.evictBelow({ 'pid.available': '10M' })
      const squeezed = await evicted.ended
      const why = /the node evicts the pod: The node (had condition: \[PIDPressure\]|was low on resource: pids)/
      expect(squeezed).toMatchObject({ code: 0, err: expect.stringMatching(why) })
      expect(squeezed.err).toMatch(/from [1-9]/)
      expect(squeezed.err).not.toContain('cannot be mounted')
      expect(factsOf(squeezed)).toMatchObject({ outcome: 'success', slots: [{ attempts: [{ announced: true }, {}] }] })
    } finally {
      await apart.evictBelow({})
    }
    await until(
      'the node to recover',
      60,
      async () => !(await room.cluster.kubectl('describe', 'node', apart.name)).includes('pid-pressure') || undefined,
    )

    const running = await underWay(room, 'dark', '--grace', '1s', ...preferApart(room), ...counting(15))
    const pod = await room.pod('task')
    expect(pod.spec).toMatchObject({ nodeName: apart.name })
    await apart.kill()
    await running.says(/attempt 2|from [1-9]/, 150)
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 0 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempt: 2 }] })
    // Nobody else will say that its pods are gone.
    await room.cluster.kubectl('delete', 'node', 'node-2')
  })

  fault('the store pod is killed, and moves to another node', async (room) => {
    const running = await underWay(room, 'moved', ...counting(40))
    room.kill(await room.pod('store'))
    const pod = await room.pod('store')
    await room.cluster.kubectl('cordon', String(pod.spec?.['nodeName']))
    await room.kubectl('delete', 'pod', pod.metadata.name, '--force', '--grace-period=0')
    const ended = await running.ended
    await room.cluster.kubectl('uncordon', String(pod.spec?.['nodeName']))
    expect(ended).toMatchObject({ code: 0 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempt: 1 }] })
  })

  fault('a pod is deleted', async (room) => {
    const running = await underWay(room, 'deleted', ...RESUMED)
    const { metadata } = await room.pod('task')
    await saved(room, 'deleted')
    await room.kubectl('delete', 'pod', metadata.name, '--wait=false')
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 0 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempts: [{ announced: true }, {}] }] })
    expect(ended.err).toMatch(/from [1-9]/)
  })

  // The lease is longer than the test: only who knows that the pod is dead can be this quick.
  fault(
    'a container is killed',
    async (room) => {
      const running = await underWay(room, 'killed', ...counting(15))
      room.kill(await room.pod('task'))
      const ended = await running.ended
      expect(ended).toMatchObject({ code: 0 })
      expect(factsOf(ended).slots[0]?.attempts).toMatchObject([{ reason: expect.stringMatching(/died: ended with exit code 137/) }, {}])
    },
    { TPI_LEASE_TTL: '10m', TPI_LEASE_BEAT: '2s' },
  )

  fault('the script runs out of memory', async ({ tpi, ...room }) => {
    const ended = await tpi.run(
      'task',
      ...IMAGE,
      '--timeout',
      '10m',
      '--name',
      'hungry',
      '--memory',
      '300MB',
      '--json',
      ...script('exec tail /dev/zero'),
    )
    expect(ended).toMatchObject({ code: 137 })
    expect(factsOf(ended)).toMatchObject({
      outcome: 'script-failed',
      slots: [{ attempt: 1, reason: expect.stringMatching(/out of memory \(limit 300 MB/) }],
    })
    await giveBack({ tpi, ...room }, 'hungry')
  })

  fault('the image is missing', async (room) => {
    const running = room.tpi.start(
      'task',
      '--image',
      'lab.test/nowhere:1',
      '--timeout',
      '10m',
      '--name',
      'blank',
      '--json',
      ...script('true'),
    )
    await running.says(/the image cannot be had: .*lab\.test\/nowhere:1/, 60)
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 76 })
    expect(factsOf(ended)).toMatchObject({
      slots: [{ attempt: 1, reason: expect.stringMatching(/machine does not start: the image of container "main" .*nowhere/) }],
    })
    await giveBack(room, 'blank')
  })

  fault('the image is missing, and may not be pulled', async (room) => {
    const template = join(room.place, 'pod.json')
    writeFileSync(template, JSON.stringify({ spec: { containers: [{ name: 'main', imagePullPolicy: 'Never' }] } }))
    const wish = ['--image', 'lab.test/nowhere:1', '--timeout', '10m', '--name', 'held', '--pod-template', template, '--json']
    const running = room.tpi.start('task', ...wish, ...script('true'))
    await running.says(/the image cannot be had: .*lab\.test\/nowhere:1.* is not present with pull policy of Never/, 60)
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 76 })
    const reason = expect.stringMatching(/the image of container "main" cannot be had \(ErrImageNeverPull\): .*nowhere/)
    expect(factsOf(ended)).toMatchObject({ slots: [{ attempt: 1, reason }] })
    await giveBack(room, 'held')
  })

  fault('a volume names what is not there yet', async (room) => {
    const template = join(room.place, 'pod.json')
    const volumes = [
      { name: 'keys', secret: { secretName: 'no-keys' } },
      { name: 'words', configMap: { name: 'no-words' } },
    ]
    const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }))
    writeFileSync(template, JSON.stringify({ spec: { containers: [{ name: 'main', volumeMounts }], volumes } }))
    const wish = ['--image', 'lab.test/bare:1', '--timeout', '10m', '--name', 'unmounted', '--pod-template', template, '--json']
    const running = room.tpi.start('task', ...wish, ...script('cat /keys/k /words/w'))
    for (const missing of [/a volume cannot be mounted: .*secret "no-keys" not found/, /a volume .*configmap "no-words" not found/])
      await running.says(missing, 60)
    // Somebody reads that, and makes them: the same machine goes on.
    await room.kubectl('create', 'secret', 'generic', 'no-keys', '--from-literal=k=opened ')
    await room.kubectl('create', 'configmap', 'no-words', '--from-literal=w=and read')
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('opened and read') })
    expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempt: 1 }] })
    await room.kubectl('delete', 'secret/no-keys', 'configmap/no-words')
  })

  fault('our own image is missing', async (room) => {
    const wish = ['task', ...IMAGE, '--runtime-image', 'lab.test/nothing:1', '--timeout', '10m', '--name', 'bare']
    const ended = await room.tpi.run(...wish, ...script('true'))
    expect(ended).toMatchObject({
      code: 76,
      err: expect.stringMatching(
        /the store of "bare" does not come up: our runtime image \(option runtime-image.* cannot be had .*nothing:1/,
      ),
    })
    const s3 = await startVersitygw()
    if (!s3) return
    try {
      const tpi = room.tpi.with({
        AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
        AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${s3.gate}`,
        AWS_REGION: 'us-east-1',
      })
      const { url } = await s3.access('images')
      const running = tpi.start(...wish, '--storage', url, '--json', ...script('true'))
      await running.says(/warning.*our runtime image \(option runtime-image.* cannot be had: .*nothing:1/i, 60)
      const outside = await running.ended
      expect(outside).toMatchObject({ code: 76 })
      expect(factsOf(outside)).toMatchObject({
        slots: [{ reason: expect.stringMatching(/machine does not start: our runtime image .*nothing:1/) }],
      })
      await giveBack({ ...room, tpi }, 'bare')
    } finally {
      await s3.stop()
    }
  })

  fault('no node is large enough, and nobody waits for one', async (room) => {
    const words = ['--timeout', '10m', '--name', 'patient', '--cpu', '4000', '--wait', '15s', '--json', ...script('true')]
    const ended = await room.tpi.run('task', ...IMAGE, ...words)
    // A node may still be added: nothing has failed.
    expect(ended).toMatchObject({
      code: 75,
      err: expect.stringMatching(
        /patient still has no machine \(none of \d nodes takes the pod: .*too little cpu.*\), and the wait is over/,
      ),
    })
    expect(factsOf(ended)).toMatchObject({ outcome: 'running', slots: [{ state: 'waiting', attempt: 0 }] })
    await giveBack(room, 'patient')
  })

  fault('no node is large enough', async (room) => {
    const running = room.tpi.start(
      'task',
      ...IMAGE,
      '--timeout',
      '20s',
      '--grace',
      '1s',
      '--name',
      'huge',
      '--cpu',
      '4000',
      '--json',
      ...script('true'),
    )
    await running.says(/none of \d nodes takes the pod: .*[12] with too little cpu/, 60)
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 69 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'no-capacity', slots: [{ reason: expect.stringContaining('too little cpu') }] })
    await giveBack(room, 'huge')
  })

  fault('the quota has no room for the task', async (room) => {
    await room.kubectl('create', 'quota', 'small', '--hard=pods=1')
    const ended = await room.tpi.run('task', ...IMAGE, '--timeout', '10m', '--name', 'second', '--json', ...script('true'))
    expect(ended).toMatchObject({ code: 69 })
    expect(factsOf(ended)).toMatchObject({
      outcome: 'no-capacity',
      slots: [{ reason: expect.stringMatching(/quota is used up: .*exceeded quota: small/) }],
    })
    await giveBack(room, 'second')
  })

  fault('the quota has no room for the store', async (room) => {
    await room.kubectl('create', 'quota', 'none', '--hard=pods=0')
    const ended = await room.tpi.run('task', ...IMAGE, '--timeout', '10m', '--name', 'first', ...script('true'))
    expect(ended).toMatchObject({ code: 69, err: expect.stringMatching(/exceeded quota: none/) })
  })

  fault('rights are missing', async (room) => {
    await room.kubectl('create', 'serviceaccount', 'nobody')
    const token = (await room.kubectl('create', 'token', 'nobody')).trim()
    const config = join(room.place, 'nobody')
    const cut = { user: 'nobody', cluster: 'lab', namespace: room.namespace }
    const server = {
      server: room.cluster.control.server,
      'certificate-authority-data': Buffer.from(room.cluster.control.ca).toString('base64'),
    }
    const users = [{ name: 'nobody', user: { token } }]
    writeFileSync(
      config,
      JSON.stringify({
        clusters: [{ name: 'lab', cluster: server }],
        users,
        contexts: [{ name: 'c', context: cut }],
        'current-context': 'c',
      }),
    )
    const tried = ['task', ...IMAGE, '--timeout', '10m', '--name', 'denied', ...script('true')]
    const ended = await room.tpi.with({ KUBECONFIG: config }).run(...tried)
    expect(ended).toMatchObject({
      code: 77,
      err: expect.stringMatching(/right to get secrets in namespace "room-\d+-rights-are-missing" is missing/),
    })
    await room.kubectl('delete', 'serviceaccount', 'nobody')
  })

  fault('a disruption budget forbids the interruption', async (room) => {
    const running = await underWay(room, 'guarded', ...counting(60))
    await room.kubectl('create', 'poddisruptionbudget', 'always-one', '--selector=tpi.iterative.ai/role=task', '--min-available=1')
    const forbidden = await room.tpi.run('interrupt', 'guarded')
    expect(forbidden).toMatchObject({ code: 76, err: expect.stringMatching(/could not be evicted: .*always-one/) })
    await room.kubectl('delete', 'poddisruptionbudget', 'always-one')
    expect(await room.tpi.run('interrupt', 'guarded')).toMatchObject({ code: 0 })
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 0 })
    expect(factsOf(ended)).toMatchObject({ slots: [{ attempts: [{ announced: true }, {}] }] })
  })

  fault('the deadline comes', async (room) => {
    const ended = await room.tpi.run(
      'task',
      ...IMAGE,
      '--timeout',
      '25s',
      '--grace',
      '1s',
      '--name',
      'late',
      '--json',
      ...script('sleep 1000'),
    )
    expect(ended).toMatchObject({ code: 124 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'timed-out' })
    await giveBack(room, 'late')
  })

  fault('two controllers at once', async (room) => {
    const wish = ['task', ...IMAGE, '--timeout', '10m', '--name', 'both', '--json', ...counting(8)]
    const both = await Promise.all([room.tpi.run(...wish), room.tpi.run(...wish)])
    expect(both).toMatchObject([{ code: 0 }, { code: 0 }])
    expect(both.map((ended) => (JSON.parse(ended.out) as { attached: boolean }).attached).sort()).toEqual([false, true])
    for (const ended of both) expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempt: 1 }] })
  })
})

function resizesGoing({ verb, requestURI }: SeenRequest): boolean {
  return verb === 'patch' && /\/jobs\/tpi-going-[0-9a-f]+$/.test(requestURI)
}
