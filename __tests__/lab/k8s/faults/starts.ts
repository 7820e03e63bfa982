/** What keeps a machine from starting. If no machine ever took a slot, the command itself leaves nothing, so nothing is destroyed here. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { startVersitygw } from '../../versitygw.ts'
import { type Fault, factsOf, giveBack, IMAGE, reported, script } from './kit.ts'

export function faultsOfStarts(fault: Fault): void {
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
    const ended = await reported(running, /the image cannot be pulled: .*lab\.test\/nowhere:1/)
    expect(ended).toMatchObject({ code: 76 })
    expect(factsOf(ended)).toMatchObject({
      slots: [{ attempt: 1, reason: expect.stringMatching(/machine does not start: the image of container "main" .*nowhere/) }],
    })
  })

  fault('the image is missing, and may not be pulled', async (room) => {
    const template = join(room.place, 'pod.json')
    writeFileSync(template, JSON.stringify({ spec: { containers: [{ name: 'main', imagePullPolicy: 'Never' }] } }))
    const request = ['--image', 'lab.test/nowhere:1', '--timeout', '10m', '--name', 'held', '--pod-template', template, '--json']
    const running = room.tpi.start('task', ...request, ...script('true'))
    const ended = await reported(running, /the image cannot be pulled: .*lab\.test\/nowhere:1.* is not present with pull policy of Never/)
    expect(ended).toMatchObject({ code: 76 })
    const reason = expect.stringMatching(/the image of container "main" cannot be pulled \(ErrImageNeverPull\): .*nowhere/)
    expect(factsOf(ended)).toMatchObject({ slots: [{ attempt: 1, reason }] })
  })

  fault('a volume names what does not exist yet', async (room) => {
    const template = join(room.place, 'pod.json')
    const volumes = [
      { name: 'keys', secret: { secretName: 'no-keys' } },
      { name: 'words', configMap: { name: 'no-words' } },
    ]
    const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }))
    writeFileSync(template, JSON.stringify({ spec: { containers: [{ name: 'main', volumeMounts }], volumes } }))
    const request = ['--image', 'lab.test/bare:1', '--timeout', '10m', '--name', 'unmounted', '--pod-template', template, '--json']
    const running = room.tpi.start('task', ...request, ...script('cat /keys/k /words/w'))
    const missing = [/a volume cannot be mounted: .*secret "no-keys" not found/, /a volume .*configmap "no-words" not found/]
    for (const one of missing) await running.says(one, 120)
    // The user reads that, and creates them: the same machine goes on.
    await room.kubectl('create', 'secret', 'generic', 'no-keys', '--from-literal=k=opened ')
    await room.kubectl('create', 'configmap', 'no-words', '--from-literal=w=and read')
    const ended = await reported(running, missing)
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('opened and read') })
    expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempt: 1 }] })
    await room.kubectl('delete', 'secret/no-keys', 'configmap/no-words')
  })

  fault('a volume names a claim that does not exist yet', async (room) => {
    const [template, claim] = [join(room.place, 'pod.json'), join(room.place, 'claim.json')]
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'datasets' } }]
    const containers = [{ name: 'main', volumeMounts: [{ name: 'data', mountPath: '/data' }] }]
    writeFileSync(template, JSON.stringify({ spec: { containers, volumes } }))
    const request = ['--image', 'lab.test/bare:1', '--timeout', '10m', '--name', 'claimless', '--pod-template', template, '--json']
    const running = room.tpi.start('task', ...request, ...script('test -d /data && echo mounted'))
    const waits = /the pod waits for the claim "datasets" of the pod template, which does not exist/
    await running.says(waits, 120)
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } }
    writeFileSync(claim, JSON.stringify({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'datasets' }, spec }))
    await room.kubectl('apply', '-f', claim)
    expect(await reported(running, waits)).toMatchObject({ code: 0, err: expect.stringContaining('mounted') })
    await room.kubectl('delete', 'persistentvolumeclaim/datasets')
  })

  fault('the cluster does not have the storage class', async (room) => {
    const request = ['--timeout', '10m', '--name', 'classless', '--storage-class', 'fast']
    const running = room.tpi.start('task', ...IMAGE, ...request, ...script('true'))
    // A command that still waits for the store to start is told after ten minutes, with exit code 76.
    expect(await reported(running, /storage-class: the cluster has no storage class "fast"/)).toMatchObject({ code: 64 })
  })

  fault('tpi’s own image is missing', async (room) => {
    const request = ['task', ...IMAGE, '--runtime-image', 'lab.test/nothing:1', '--timeout', '10m', ...script('true')]
    const why = /the store of "inside" does not start: the runtime image of tpi \(option runtime-image.* cannot be pulled .*nothing:1/
    const started = room.tpi.start(...request, '--name', 'inside')
    // The store is given up only after 40 s (`stuck-pods.ts`).
    const inside = reported(started, why, started.began + 40_000)
    const s3 = await startVersitygw()
    try {
      if (!s3) return
      const tpi = room.tpi.with({
        AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
        AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${s3.gate}`,
        AWS_REGION: 'us-east-1',
      })
      const { url } = await s3.access('images')
      const running = tpi.start(...request, '--name', 'outside', '--storage', url, '--json')
      const outside = await reported(running, /warning.*the runtime image of tpi \(option runtime-image.* cannot be pulled: .*nothing:1/i)
      expect(outside).toMatchObject({ code: 76 })
      expect(factsOf(outside)).toMatchObject({
        slots: [{ reason: expect.stringMatching(/machine does not start: the runtime image of tpi .*nothing:1/) }],
      })
      await giveBack({ ...room, tpi }, 'outside')
    } finally {
      expect(await inside).toMatchObject({ code: 76 })
      await s3?.stop()
    }
  })

  fault('no node is large enough, and the command does not wait for one', async (room) => {
    const words = ['--timeout', '10m', '--name', 'patient', '--cpu', '4000', '--wait', '15s', '--json', ...script('true')]
    const why = /patient still has no machine \(none of \d nodes can take the pod: .*too little cpu.*\), and the wait is over/
    const ended = await reported(room.tpi.start('task', ...IMAGE, ...words), why)
    // A node may still be added, so nothing has failed.
    expect(ended).toMatchObject({ code: 75 })
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
    const ended = await reported(running, /none of \d nodes can take the pod: .*[12] with too little cpu/)
    expect(ended).toMatchObject({ code: 69 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'no-capacity', slots: [{ reason: expect.stringContaining('too little cpu') }] })
  })

  fault('the quota has no room for the task', async (room) => {
    await room.kubectl('create', 'quota', 'small', '--hard=pods=1')
    const running = room.tpi.start('task', ...IMAGE, '--timeout', '10m', '--name', 'second', '--json', ...script('true'))
    const ended = await reported(running, /quota is used up: .*exceeded quota: small/)
    expect(ended).toMatchObject({ code: 69 })
    expect(factsOf(ended)).toMatchObject({
      outcome: 'no-capacity',
      slots: [{ reason: expect.stringMatching(/quota is used up: .*exceeded quota: small/) }],
    })
  })

  fault('the quota has no room for the store', async (room) => {
    await room.kubectl('create', 'quota', 'none', '--hard=pods=0')
    const running = room.tpi.start('task', ...IMAGE, '--timeout', '10m', '--name', 'first', ...script('true'))
    expect(await reported(running, /exceeded quota: none/)).toMatchObject({ code: 69 })
  })

  fault(
    'what runs before the program fails, every time',
    async (room) => {
      const template = join(room.place, 'pod.json')
      const fetch = { name: 'fetch', image: 'lab.test/bare:1', command: ['sh', '-c', 'echo the dataset does not exist; sleep 1; exit 3'] }
      // One nameserver more than a pod may have, together with the cluster's, so each pod gets a warning.
      const dnsConfig = { nameservers: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] }
      writeFileSync(template, JSON.stringify({ spec: { initContainers: [fetch], dnsConfig } }))
      const request = ['--timeout', '10m', '--name', 'unfed', '--pod-template', template, '--json']
      const ended = await reported(room.tpi.start('task', ...IMAGE, ...request, ...script('true')), /: replacement in \d+ s$/m)
      expect(ended).toMatchObject({ code: 76 })
      const reason = expect.stringMatching(
        /\(3 in a row; container "fetch" ended with exit code 3\); its boot log ends: the dataset does not exist\nDNSConfigForming: Nameserver limits were exceeded/,
      )
      expect(factsOf(ended)).toMatchObject({ slots: [{ reason }] })
    },
    { long: true },
  )

  fault('the namespace does not admit the pod', async (room) => {
    const request = ['task', ...IMAGE, '--timeout', '10m', '--json']
    const unknown = /the service account of permission-set does not exist: .*"trainer" not found/
    const serving = room.tpi.start(...request, '--name', 'nobody', '--permission-set', 'trainer', ...script('true'))
    const nobody = await reported(serving, unknown)
    expect(nobody).toMatchObject({ code: 77 })
    expect(factsOf(nobody)).toMatchObject({ outcome: 'denied', slots: [{ reason: expect.stringMatching(unknown) }] })
    await room.cluster.kubectl('label', 'namespace', room.namespace, 'pod-security.kubernetes.io/enforce=restricted')
    const forbidden = /pod security standard forbids the pod \(try --run-as-user 1000\): .*restricted/
    const root = await reported(room.tpi.start(...request, '--name', 'root', ...script('true')), forbidden)
    expect(root).toMatchObject({ code: 77 })
    expect(factsOf(root)).toMatchObject({ outcome: 'denied', slots: [{ reason: expect.stringMatching(forbidden) }] })
  })
}
