/** What only a cluster can show of stores, pods and following: several deployments in parallel on one cluster. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, jest, test } from '@jest/globals'
import { SLOWNESS } from '../setup/patience.ts'
import { sampledBy } from '../storm/random.ts'
import { ACCOUNT, KEY, startAzurite } from './az/azurite.ts'
import { startFakeGcs, TOKEN } from './gs/fake-gcs.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { connectProxy } from './k8s/connect-proxy.ts'
import { forward } from './k8s/forward.ts'
import { hourOf } from './k8s/hour.ts'
import { alpineImage, bareImage, debianImage, emptyImage, type Image, runtimeImage } from './k8s/images.ts'
import { needed } from './k8s/needed.ts'
import { ON, runsOn, script } from './k8s/runs.ts'
import { run, until } from './shell.ts'
import { startVersitygw } from './versitygw.ts'

jest.setTimeout(300_000)

const images = async (): Promise<readonly Image[]> => Promise.all([alpineImage(), bareImage(), debianImage(), emptyImage(), runtimeImage()])
const cluster: Cluster | undefined = await startCluster({ images })
// The built program, because `dist/` loads another build of the vendor's client, with its logins and streams, than the sources do.
const runs = cluster && runsOn(cluster, join(import.meta.dirname, '../../dist/cli.js'))

/** Seconds of following; in the last `CALM` ones, the cloud is polled nearly as rarely as it gets. */
const FOLLOWED = 120
const CALM = 60

/** Seconds since boot: host and pods share this clock. */
const uptime = (): number => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])

/** The seconds within which this share of the lines arrived. */
function late(lines: readonly { readonly seconds: number }[], share: number): number {
  const sorted = lines.map(({ seconds }) => seconds).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] ?? Number.POSITIVE_INFINITY
}

/** Runs `body` with an address by which pods of the cluster reach the server at this port of the host; then stops the server. */
async function reached(
  { host }: Cluster,
  server: { stop(): Promise<void> },
  port: number,
  body: (address: string) => Promise<void>,
): Promise<void> {
  const near = await forward(host, port)
  try {
    await body(`http://${host}:${near.port}`)
    expect(near.connections()).toBeGreaterThan(0)
  } finally {
    await near.stop()
    await server.stop()
  }
}

/** Runs `body` with a separate volume of this size, and the options of a task whose store is on it. */
async function withSmallVolume(
  { api, folder, nodes }: Cluster,
  name: string,
  bytes: number,
  body: (options: readonly string[]) => Promise<void>,
): Promise<void> {
  const path = join(folder, 'volumes', name)
  mkdirSync(path, { recursive: true })
  await nodes[0]?.mountSmall(path, bytes)
  const terms = [{ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'Exists' }] }]
  await api.create('/api/v1/persistentvolumes', {
    metadata: { name },
    spec: {
      capacity: { storage: String(bytes) },
      accessModes: ['ReadWriteOnce'],
      storageClassName: name,
      persistentVolumeReclaimPolicy: 'Retain',
      local: { path },
      nodeAffinity: { required: { nodeSelectorTerms: terms } },
    },
  })
  try {
    await body(['--storage-class', name, '--storage-size', '20MB', '--checkpoint-interval', '1s'])
  } finally {
    await api.remove(`/api/v1/persistentvolumes/${name}`)
  }
}

const feature = sampledBy<() => Promise<void>>(test.concurrent)

describe('on one cluster', () => {
  afterAll(() => runs?.close())
  needed(cluster)

  if (!cluster || !runs) return
  const { tpi, start } = runs

  feature(
    'an hour of following costs at most 500 requests to the API server, quiet or printing, and lines arrive within 3 s',
    async () => {
      const waits: { readonly at: number; readonly seconds: number }[] = []
      const printing = start(
        [
          'task',
          ...ON,
          '--grace',
          '1s',
          '--name',
          'printing',
          ...script('while :; do read now rest < /proc/uptime; echo "at $now"; sleep 0.3; done'),
        ],
        {
          line(text) {
            const [, at] = /^at ([\d.]+)$/.exec(text) ?? []
            if (at !== undefined) waits.push({ at: Number(at), seconds: uptime() - Number(at) })
          },
        },
      )
      const quiet = start(['task', ...ON, '--grace', '1s', '--name', 'quiet', ...script('echo begun; sleep 1000')])
      await sleep(FOLLOWED * 1000)
      const seen = cluster.control.requests().filter(({ userAgent }) => userAgent === 'tpi-action')
      for (const name of ['printing', 'quiet']) {
        const own = seen.filter(({ requestURI }) => decodeURIComponent(requestURI).includes(`tpi-${name}-`))
        const hour = hourOf(own, { lead: FOLLOWED - CALM, quiet: CALM })
        process.stdout.write(`${name}: ${Math.round(hour.requests)} requests in an hour (in ${CALM} s → in the hour: ${hour.kinds})\n`)
        expect(own.length).toBeGreaterThan(20)
        // On a slow machine, requests are repeated.
        expect(hour.requests).toBeLessThanOrEqual(500 * SLOWNESS)
      }
      // At first the host is busy starting the pods of all other tests, and nothing on it is quick.
      const calm = waits.filter(({ at }) => at > uptime() - CALM)
      expect(calm.length).toBeGreaterThan(100 / SLOWNESS)
      for (const [when, lines] of Object.entries({ all: waits, 'of the last minute': calm }))
        process.stdout.write(
          `${lines.length} lines, ${when}: ${[0.5, 0.9, 0.99].map((share) => late(lines, share).toFixed(1)).join(', ')} s\n`,
        )
      expect(late(waits, 0.9)).toBeLessThanOrEqual(3 * SLOWNESS)
      // If anything stands still for a few seconds, a twentieth of a minute is late.
      expect([late(calm, 0.95) <= 3 * SLOWNESS, late(calm, 0.999) <= 30 * SLOWNESS]).toEqual([true, true])
      for (const name of ['printing', 'quiet']) expect((await tpi('stop', name, '--cloud', 'k8s')).code).toBe(0)
      expect((await Promise.all([printing, quiet])).map(({ code }) => code)).toEqual([130, 130])
    },
    300_000,
  )

  feature(
    'a store that is full: the slot ends and says so, and what was saved before is kept',
    async () => {
      await withSmallVolume(cluster, 'small', 24_000_000, async (small) => {
        const text = `echo kept > first
sleep 12
dd if=/dev/urandom of=large bs=1000000 count=40 2>/dev/null
sleep 6`
        const ended = await tpi('task', ...ON.slice(0, -2), ...small, '--json', '--name', 'full', ...script(text))
        expect(JSON.parse(ended.out)).toMatchObject({
          outcome: 'remote-error',
          slots: [
            { state: 'failed', exitCode: 0, reason: expect.stringContaining('the store is full'), attempts: [{ cause: 'store-full' }] },
          ],
        })
        const out = join(runs.place, 'full-out')
        expect(await tpi('pull', 'full', '--cloud', 'k8s', '--to', out)).toMatchObject({ code: 0 })
        expect(readFileSync(join(out, 'first'), 'utf8')).toBe('kept\n')
        expect(await tpi('destroy', 'full', '--cloud', 'k8s', '--discard')).toMatchObject({ code: 0 })
      })
    },
    120_000,
  )

  feature(
    'a store with room for two generations gets four: it drops those that are only a fallback, and saves each',
    async () => {
      await withSmallVolume(cluster, 'tight', 30_000_000, async (small) => {
        const results = join(runs.place, 'tight-out')
        // One after the other, each replaces the previous one; the last one is saved by the final snapshot.
        const text = `for part in 1 2 3 4; do
  dd if=/dev/urandom of=next bs=1000000 count=11 2>/dev/null
  mv next part; sha256sum < part > sum; echo "$part is there"
  [ $part = 4 ] || sleep 7
done`
        const words = ['--json', '--name', 'tight', '--output', 'part', '--output', 'sum', '--output-dir', results]
        const ended = await tpi('task', ...ON.slice(0, -2), ...small, ...words, ...script(text))
        expect(ended).toMatchObject({ code: 0, err: expect.stringMatching(/checkpoint: .*no space left/) })
        expect(JSON.parse(ended.out)).toMatchObject({ outcome: 'success', slots: [{ state: 'succeeded', attempt: 1 }] })
        expect(await run('sh', ['-c', `sha256sum < ${join(results, 'part')}`])).toBe(readFileSync(join(results, 'sum'), 'utf8'))
      })
    },
    120_000,
  )

  feature('an existing claim has the store in its own folder, and nothing of tpi afterwards', async () => {
    const claim = await cluster.api.create('/api/v1/namespaces/default/persistentvolumeclaims', {
      metadata: { name: 'shared' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    })
    const claimed = ['--storage-claim', 'shared', '--storage-path', 'ci/runs']
    const started = await tpi('task', ...ON, ...claimed, '--name', 'claimed', '--detach', ...script('echo in a claim; sleep 3'))
    expect(started).toMatchObject({ code: 0 })
    expect(started.err + started.out).toContain('at the latest, and its machines cost money until then')
    const folder = cluster.storage.folderOf(claim)
    const [own] = readdirSync(join(folder, 'ci/runs'))
    expect(own).toMatch(/^tpi-claimed-/)
    expect(await tpi('logs', 'claimed', '--cloud', 'k8s', '--follow')).toMatchObject({ out: expect.stringContaining('in a claim\n') })
    expect(await tpi('destroy', 'claimed', '--cloud', 'k8s', '--discard')).toMatchObject({ code: 0 })
    await until('the folder to go', 60, async () => (readdirSync(join(folder, 'ci/runs')).length === 0 ? true : undefined))
    expect(await cluster.inventory('default')).toContain('claim/shared')
    const missing = await tpi('task', ...ON, '--storage-claim', 'nowhere', '--name', 'unclaimed', ...script('true'))
    expect(missing).toMatchObject({ code: 64, err: expect.stringContaining('there is no claim "nowhere" in namespace "default"') })
    await cluster.kubectl('delete', 'pvc', 'shared')
  })

  feature('an object store: reached from pods, the task’s Job owns what is made, nothing is left in the bucket', async () => {
    const s3 = await startVersitygw()
    if (!s3) return
    await reached(cluster, s3, s3.gate, async (address) => {
      const access = await s3.access('tasks', 'team/x')
      const env = {
        AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
        AWS_ENDPOINT_URL_S3: address,
        AWS_REGION: 'us-east-1',
      }
      const words = ['task', ...ON, '--storage', access.url, '--storage-insecure', '--output', 'r']
      const outside = [...words, '--name', 'outside', '--output-dir', join(runs.place, 's3-out')]
      const running = start([...outside, ...script('echo far away; env > r; sleep 5; cat /tpi-handover/box/* 2>/dev/null || true')], {
        env,
      })
      const owned = await until('the objects', 30, async () => {
        const lists = await Promise.all(['secrets', 'configmaps'].map((kind) => cluster.api.list(`/api/v1/namespaces/default/${kind}`)))
        const found = lists.flat().filter(({ metadata }) => metadata.name.startsWith('tpi-outside-'))
        return found.length === 2 ? found : undefined
      })
      for (const { metadata } of owned as readonly { metadata: { ownerReferences?: readonly { kind: string; name: string }[] } }[])
        expect(metadata.ownerReferences).toMatchObject([{ kind: 'Job', name: expect.not.stringMatching(/-store$/) }])
      expect((await cluster.inventory('default')).filter((name) => /outside.*store$|claim\/tpi-outside/.test(name))).toEqual([])
      const ended = await running
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('far away\n') })
      expect(`${ended.out}${readFileSync(join(runs.place, 's3-out/r'), 'utf8')}`).not.toContain(s3.credentials.secretAccessKey)
      // A run that nobody follows: the record of where its results are stays as long as they do.
      const alone = [...words, '--name', 'alone', '--retention', '2h', '--detach']
      expect(await start([...alone, ...script('echo kept > r')], { env })).toMatchObject({ code: 0 })
      const job = await until('its end', 60, async () => {
        const jobs = await cluster.api.list('/apis/batch/v1/namespaces/default/jobs')
        return jobs.find(({ metadata, status }) => metadata.name.startsWith('tpi-alone-') && status?.['succeeded'] === 1)
      })
      expect(job.spec?.['ttlSecondsAfterFinished']).toBe(7200)
      const to = join(runs.place, 'alone-out')
      const elsewhere = { ...env, TPI_HOME: join(runs.place, 'elsewhere') }
      expect(await start(['collect', 'alone', '--cloud', 'k8s', '--to', to], { env: elsewhere })).toMatchObject({ code: 0 })
      expect(readFileSync(join(to, 'r'), 'utf8')).toBe('kept\n')
      const left = readdirSync(s3.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      expect(left.map(({ name }) => name)).toEqual([])
    })
  })

  feature('a container of Azure: reached from pods through their gates, and nothing is left in it', async () => {
    const azurite = await startAzurite()
    if (!azurite) return
    await reached(cluster, azurite, azurite.port, async (address) => {
      const { url } = await azurite.access('tasks', 'team/x')
      const env = { AZURE_STORAGE_KEY: KEY, AZURE_STORAGE_SERVICE_ENDPOINT: `${address}/${ACCOUNT}` }
      const out = join(runs.place, 'az-out')
      const words = ['task', ...ON, '--storage', url, '--storage-insecure', '--name', 'blobs', '--output', 'r', '--output-dir', out]
      const ended = await start([...words, ...script('echo in blobs; env > r')], { env })
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('in blobs\n') })
      expect(`${ended.out}${readFileSync(join(out, 'r'), 'utf8')}`).not.toContain(KEY)
      expect(await azurite.names('tasks')).toEqual([])
    })
  })

  feature('a bucket of Google: reached from pods through their gates, also by a second attempt, and nothing is left in it', async () => {
    const gs = await startFakeGcs()
    if (!gs) return
    await reached(cluster, gs, gs.gate.port, async (address) => {
      const { url } = await gs.access('tasks', 'team/x')
      gs.gate.tokens.add(TOKEN)
      const env = { CLOUDSDK_AUTH_ACCESS_TOKEN: TOKEN, STORAGE_EMULATOR_HOST: address }
      const out = join(runs.place, 'gs-out')
      const words = ['task', ...ON, '--storage', url, '--storage-insecure', '--name', 'google', '--output', 'r', '--output', 'large']
      const text = `[ -e large ] || dd if=/dev/urandom of=large bs=1000000 count=20 2>/dev/null
env > r; echo "attempt $TPI_ATTEMPT has $(wc -c < large)"
[ "$TPI_ATTEMPT" = 2 ] || sleep 1000`
      const running = start([...words, '--output-dir', out, '--checkpoint-interval', '1s', ...script(text)], { env })
      const saved = async (): Promise<true | undefined> => {
        const { slots } = JSON.parse((await start(['status', 'google', '--cloud', 'k8s', '--json'], { env })).out || '{}') as {
          slots?: readonly { readonly savedAt?: string | null }[]
        }
        return slots?.[0]?.savedAt ? true : undefined
      }
      await until('a checkpoint', 90, saved)
      expect(await start(['interrupt', 'google', '--cloud', 'k8s'], { env })).toMatchObject({ code: 0 })
      const ended = await running
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('attempt 2 has 20000000\n') })
      expect(`${ended.out}${readFileSync(join(out, 'r'), 'utf8')}`).not.toContain(TOKEN)
      expect(readFileSync(join(out, 'large'))).toHaveLength(20_000_000)
      expect(await gs.names('tasks')).toEqual([])
    })
  })

  feature('an image without a shell runs the command after "--" unchanged', async () => {
    const on = ON.map((word) => (word === 'lab.test/bare:1' ? 'lab.test/empty:1' : word))
    const ended = await tpi('task', ...on, '--name', 'bare', '--', '/echo', 'no $SHELL', '*')
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('no $SHELL *\n') })
  })

  feature('an image with a newer C library than tpi’s: the script uses the image’s, and tpi’s runtime its own', async () => {
    const on = ON.map((word) => (word === 'lab.test/bare:1' ? 'lab.test/debian:1' : word))
    const text = `#!/bin/bash
library() { while read -r _ _ _ _ _ file; do [[ $file != */libc.so.6 ]] || echo "$1 has $file"; done < "$2/maps" | uniq; }
library script /proc/$$
for process in /proc/[0-9]*; do [ "$(readlink "$process/exe")" != /tpi/node ] || library agent "$process"; done | uniq
/lib64/ld-linux-x86-64.so.2 --version | head -n 1
echo "paths [$LD_LIBRARY_PATH$LD_PRELOAD]"`
    const ended = await tpi('task', ...on, '--name', 'debian', '--script', text)
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.out).toMatch(
      /^script has \/usr\/lib\/x86_64-linux-gnu\/libc\.so\.6\nagent has \/tpi\/lib\/libc\.so\.6\nld\.so \(Debian GLIBC 2\.41.*\npaths \[\]\n/m,
    )
  })

  feature('an image whose C library is musl: its own programs run, and so does tpi’s runtime', async () => {
    const on = ON.map((word) => (word === 'lab.test/bare:1' ? 'lab.test/alpine:1' : word))
    const text = `#!/bin/sh
node -e '
const { readFileSync, readdirSync, readlinkSync } = require("node:fs")
const libraries = (pid) => readFileSync("/proc/" + pid + "/maps", "utf8").match(/\\S+\\/(libc\\.so|ld-musl|ld-linux)\\S*/g) ?? []
const told = (who, pid) => console.log(who + " has " + [...new Set(libraries(pid))].sort().join(" "))
told("script", "self")
const agent = readdirSync("/proc").find((pid) => { try { return readlinkSync("/proc/" + pid + "/exe") === "/tpi/node" } catch {} })
if (agent) told("agent", agent)
else console.log("agent is out of sight")
require("node:fs").writeFileSync("r", "by node " + process.version)
'`
    const out = join(runs.place, 'alpine-out')
    const ended = await tpi('task', ...on, '--name', 'alpine', '--output', 'r', '--output-dir', out, '--script', text)
    expect(ended).toMatchObject({
      code: 0,
      // The image sets a user, who cannot see the agent's processes.
      out: expect.stringMatching(/^script has \/lib\/ld-musl-x86_64\.so\.1\nagent is out of sight$/m),
    })
    expect(readFileSync(join(out, 'r'), 'utf8')).toMatch(/^by node v24\./)
  })

  feature('with a client certificate, and without a token', async () => {
    const env = { KUBERNETES_CONFIGURATION: cluster.control.certified(), KUBECONFIG: '/nowhere' }
    expect(env.KUBERNETES_CONFIGURATION).toContain('client-certificate-data')
    expect(env.KUBERNETES_CONFIGURATION).not.toContain('token')
    const out = join(runs.place, 'certified-out')
    const text = 'echo kept > r; echo by certificate; until [ -e /tmp/end ]; do sleep 0.2; done'
    const running = start(['task', ...ON, '--name', 'certified', '--output', 'r', '--output-dir', out, ...script(text)], { env })
    // It is streamed by another client than everything else.
    const beside = ['exec', 'certified', '--cloud', 'k8s', '--', 'touch', '/tmp/end'] as const
    await until('a command beside it', 60, async () => ((await start(beside, { env })).code === 0 ? true : undefined))
    expect(await running).toMatchObject({ code: 0, out: expect.stringContaining('by certificate\n') })
    expect(readFileSync(join(out, 'r'), 'utf8')).toBe('kept\n')
  })

  feature('a pod template: the user’s fields are in the pod, fields that tpi sets are refused before anything is made', async () => {
    const file = join(runs.place, 'pod.yaml')
    const pod = `
metadata: { labels: { team: x } }
spec:
  tolerations: [{ key: spot, operator: Exists, effect: NoSchedule }]
  containers:
    - name: main
      env: [{ name: FROM_TEMPLATE, value: 'yes' }]
      volumeMounts: [{ name: data, mountPath: /data }]
  volumes: [{ name: data, emptyDir: {} }]
`
    writeFileSync(file, pod)
    const text = 'echo "template $FROM_TEMPLATE"; touch /data/x && sleep 4'
    const running = start(['task', ...ON, '--name', 'shaped', '--pod-template', file, ...script(text)])
    const made = await until('the pod', 60, async () => {
      const pods = await cluster.api.list('/api/v1/namespaces/default/pods?labelSelector=team%3Dx')
      return pods[0]
    })
    const keys = ((made.spec?.['tolerations'] ?? []) as { key: string }[]).map(({ key }) => key)
    expect(keys).toEqual(expect.arrayContaining(['spot', 'node.kubernetes.io/unreachable']))
    expect(await running).toMatchObject({ code: 0, out: expect.stringContaining('template yes\n') })
    writeFileSync(file, 'spec: { nodeSelectors: { spot: "true" } }')
    const misspelled = await tpi('task', ...ON, '--name', 'misspelled', '--pod-template', file, ...script('true'))
    expect(misspelled).toMatchObject({ code: 64, err: expect.stringContaining('unknown field "spec.template.spec.nodeSelectors"') })
    writeFileSync(file, 'spec: { restartPolicy: Always, containers: [{ name: main, command: [sh] }] }')
    const refused = await tpi('task', ...ON, '--name', 'misshaped', '--pod-template', file, ...script('true'))
    expect(refused).toMatchObject({ code: 64, err: expect.stringContaining('spec.restartPolicy is set by tpi') })
    expect(refused.err).toContain('spec.containers[main].command is set by tpi: give the command after "--"')
  })

  feature('a kubeconfig as text, whose server is reached only through its proxy, with a program that logs in', async () => {
    const proxy = await connectProxy(new URL(cluster.control.server))
    try {
      const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as {
        clusters: { cluster: Record<string, string> }[]
        users: { user: Record<string, unknown> }[]
      }
      Object.assign(config.clusters[0]?.cluster ?? {}, {
        // Nothing ever answers at this address.
        server: 'https://192.0.2.1:6443',
        'proxy-url': proxy.url,
        'tls-server-name': 'kubernetes.default.svc',
      })
      // Like the login programs of clouds (https://kubernetes.io/docs/reference/config-api/client-authentication.v1/).
      const kind = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' }
      const login = join(runs.place, 'login.json')
      writeFileSync(login, JSON.stringify({ ...kind, status: { token: config.users[0]?.user['token'] } }))
      const asked = join(runs.place, 'logins')
      const args = ['-c', `echo "$WHO" >> ${asked}; cat ${login}`]
      const exec = { apiVersion: kind.apiVersion, command: 'sh', args, env: [{ name: 'WHO', value: 'me' }], interactiveMode: 'Never' }
      Object.assign(config.users[0] ?? {}, { user: { exec } })
      const env = { KUBERNETES_CONFIGURATION: JSON.stringify(config), KUBECONFIG: '/nowhere' }
      const text = 'echo by proxy; until [ -e /tmp/end ]; do sleep 0.2; done'
      const running = start(['task', ...ON, '--name', 'proxied', ...script(text)], { env })
      const beside = ['exec', 'proxied', '--cloud', 'k8s', '--', 'sh', '-c', 'touch /tmp/end; echo beside; exit 5'] as const
      const ran = await until('a command beside it', 60, async () => {
        const one = await start(beside, { env })
        return one.code === 5 ? one : undefined
      })
      expect(ran.out).toBe('beside\n')
      expect(await running).toMatchObject({ code: 0, out: expect.stringContaining('by proxy\n') })
      expect([...proxy.asked]).toEqual(['192.0.2.1:6443'])
      expect(readFileSync(asked, 'utf8')).toMatch(/^(me\n)+$/)
    } finally {
      await proxy.stop()
    }
  })

  feature('the kubeconfig in the home folder, with the requested context', async () => {
    const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as { clusters: object[]; contexts: object[] }
    const other = { name: 'other', context: { cluster: 'other', user: 'lab', namespace: 'elsewhere' } }
    mkdirSync(join(runs.place, '.kube'))
    const away = { name: 'other', cluster: { server: 'https://127.0.0.1:1' } }
    const both = { ...config, clusters: [...config.clusters, away], contexts: [...config.contexts, other], 'current-context': 'other' }
    writeFileSync(join(runs.place, '.kube/config'), JSON.stringify(both))
    const env = { KUBECONFIG: '' }
    const found = await start(['doctor', 'k8s', '--context', 'lab', '--namespace', 'nowhere', '--json'], { env })
    expect(found).toMatchObject({ code: 1, out: expect.stringContaining('\\"nowhere\\" does not exist') })
    const gone = await start(['doctor', 'k8s', '--json'], { env })
    expect(gone).toMatchObject({ code: 1, out: expect.stringMatching(/"what": "cluster",\s+"state": "fault"/) })
    const unknown = await start(['list', '--cloud', 'k8s', '--context', 'prod'], { env })
    expect(unknown).toMatchObject({ code: 77, err: expect.stringContaining('no context "prod"') })
  })

  feature('a machine in the predecessor’s notation, with a GPU and a region that is a label, is placed where both are', async () => {
    await cluster.kubectl('label', 'node', 'node-0', 'accelerator=nvidia-tesla-t4', 'zone=a')
    await cluster.api.patch('/api/v1/nodes/node-0/status', { status: { capacity: { 'nvidia.com/gpu': '2' } } })
    const request = [
      '--machine',
      '0.1-200+nvidia-tesla-t4*2',
      '--region',
      'zone=a',
      '--image-pull-secret',
      'registry',
      '--disk-size',
      '50MB',
    ]
    const running = start([
      'task',
      ...ON,
      '--name',
      'gpu',
      ...request,
      ...script('echo on a GPU; until [ -e /tmp/end ]; do sleep 0.2; done'),
    ])
    const made = await until('the pod', 60, async () => {
      const pods = await cluster.api.list('/api/v1/namespaces/default/pods?labelSelector=tpi.iterative.ai/role=task')
      return pods.find(({ metadata, status }) => metadata.name.startsWith('tpi-gpu-') && status?.['phase'] === 'Running')
    })
    const amounts = { cpu: '100m', memory: '200M', 'nvidia.com/gpu': '2', 'ephemeral-storage': '350M' }
    expect(made.spec).toMatchObject({
      nodeSelector: { accelerator: 'nvidia-tesla-t4', zone: 'a' },
      imagePullSecrets: [{ name: 'registry' }],
      containers: [{ resources: { requests: amounts, limits: amounts } }],
    })
    // The pod may run before its agent has taken the slot.
    const beside = ['exec', 'gpu', '--cloud', 'k8s', '--', 'touch', '/tmp/end'] as const
    await until('a command beside it', 60, async () => ((await tpi(...beside)).code === 0 ? true : undefined))
    expect(await running).toMatchObject({ code: 0, out: expect.stringContaining('on a GPU\n') })
  })

  feature('from a pod, with its service account', async () => {
    const repository = join(import.meta.dirname, '../..')
    await cluster.api.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'caller' } })
    const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }
    await cluster.api.create('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      metadata: { name: 'caller' },
      roleRef: role,
      subjects: [{ kind: 'ServiceAccount', name: 'caller', namespace: 'default' }],
    })
    const program = `await (await import(${JSON.stringify(join(repository, 'src/entry.ts'))})).runCli()`
    const env = {
      HOME: '/tmp',
      TPI_HOME: '/tmp/home',
      TPI_AGENT_BUNDLE: process.env['TPI_AGENT_BUNDLE'],
      TPI_RUNTIME_IMAGE: 'lab.test/tpi-runtime:1',
    }
    await cluster.api.create('/api/v1/namespaces/default/pods', {
      metadata: { name: 'caller' },
      spec: {
        restartPolicy: 'Never',
        serviceAccountName: 'caller',
        containers: [
          {
            name: 'main',
            image: 'lab.test/tpi-runtime:1',
            command: [
              '/tpi/node',
              '--input-type=module',
              '-e',
              program,
              '--',
              'tpi',
              'task',
              ...ON,
              '--name',
              'within',
              ...script('echo from within'),
            ],
            env: Object.entries(env).map(([name, value]) => ({ name, value })),
            volumeMounts: [{ name: 'repository', mountPath: repository, readOnly: true }],
          },
        ],
        volumes: [{ name: 'repository', hostPath: { path: repository } }],
      },
    })
    const phase = await until('the pod', 180, async () => {
      const pod = await cluster.api.get('/api/v1/namespaces/default/pods/caller')
      return ['Succeeded', 'Failed'].find((one) => one === pod?.status?.['phase'])
    })
    const log = await cluster.kubectl('logs', 'caller')
    await cluster.kubectl('delete', 'pod/caller', 'rolebinding/caller', 'serviceaccount/caller')
    expect([phase, log]).toEqual(['Succeeded', expect.stringContaining('from within\n')])
  })

  test('nothing of all this is left', async () => {
    for (const name of ['printing', 'quiet']) await tpi('destroy', name, '--cloud', 'k8s', '--discard')
    await until('the namespace to be empty', 60, async () => ((await cluster.inventory('default')).length === 0 ? true : undefined))
  })
})
