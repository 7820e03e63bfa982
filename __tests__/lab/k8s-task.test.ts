/** Tasks on a real cluster, by the command line. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import type { Pod } from '../../src/clouds/k8s/objects.ts'
import { isLiving } from '../../src/clouds/k8s/pods.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { beyondDeadline, expectNeverSuspended, jobOf } from './k8s/jobs.ts'
import { predecessorDefects, predecessorLabels } from './k8s/predecessor.ts'
import { inRoom, type Room } from './k8s/room.ts'
import { until } from './shell.ts'

const cluster: Cluster | undefined = await startCluster()

const ON = ['--image', 'lab.test/bare:1', '--timeout', '10m'] as const
const script = (text: string): readonly string[] => ['--script', `#!/bin/sh\n${text}`]
/** A secret of the user. */
const CANARY = 'canary-in-a-pod-5f1e'
/**
 * How many calls a small task may make to the API server in its namespace, one less than 60 because it also asks for the version; plus some for each
 * second that it takes longer than on a quiet host, because it polls while it waits.
 */
const MOST_CALLS = 59
const QUIET_SECONDS = 8
const LOOKS_A_SECOND = 2
/** The default leases. */
const LEASES = { TPI_LEASE_BEAT: '15s', TPI_LEASE_TTL: '60s', TPI_RESERVE: '5m' }

function expectFewCalls(what: string, cluster: Cluster, namespace: string): void {
  const { calls, seconds } = callsIn(cluster, namespace)
  process.stdout.write(`${what}: ${calls.length} calls in ${seconds.toFixed(1)} s: ${tally(calls)}\n`)
  expect(calls.length).toBeLessThanOrEqual(MOST_CALLS + Math.ceil(Math.max(0, seconds - QUIET_SECONDS) * LOOKS_A_SECOND))
}

/** The calls of all commands in a namespace, by kind: `get jobs`, `update object` of a store. */
function callsIn({ control }: Cluster, namespace: string): { readonly calls: readonly string[]; readonly seconds: number } {
  const ours = control.requests().filter((one) => one.userAgent === 'tpi-action' && one.requestURI.includes(`/namespaces/${namespace}/`))
  const calls = ours.map(({ verb, requestURI }) => {
    const [path = ''] = requestURI.split('?')
    const [, kind, way] = /\/namespaces\/[^/]+\/(\w+)(?:\/[^/]+\/proxy\/(\w+))?/.exec(path) ?? []
    return `${verb} ${way ?? kind}`
  })
  const times = ours.map(({ requestReceivedTimestamp }) => Date.parse(requestReceivedTimestamp))
  return { calls, seconds: (Math.max(...times) - Math.min(...times)) / 1000 }
}

function tally(calls: readonly string[]): string {
  const kinds = [...new Set(calls)].map((kind) => [kind, calls.filter((one) => one === kind).length] as const)
  return kinds
    .toSorted(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')
}

/** The script has no account with the cluster, and the right to call the API server alone does not open the store. */
async function expectNoAccount({ tpi, namespace, cluster: { api } }: Room): Promise<void> {
  const pods = await api.list(`/api/v1/namespaces/${namespace}/pods`)
  // One that has ended, or is being removed, may still be listed beside its successor.
  const living = pods.filter((pod) => isLiving(pod as unknown as Pod))
  expect(living.map(({ metadata }) => metadata.labels?.['tpi.iterative.ai/role']).toSorted()).toEqual(['store', 'task'])
  expect(pods.filter(({ spec }) => spec?.['automountServiceAccountToken'] !== false)).toEqual([])
  // What the API server adds to a pod that has an account.
  expect(JSON.stringify(pods)).not.toMatch(/"serviceAccountToken"|kube-api-access/)
  const look = 'ls -d /var/run/secrets /run/secrets 2>/dev/null; env | grep KUBERNETES; true'
  expect(await tpi.run('exec', 'long', '--', 'sh', '-c', look)).toMatchObject({ code: 0, out: '' })
  const [service] = await api.list(`/api/v1/namespaces/${namespace}/services`)
  const list = `/api/v1/namespaces/${namespace}/services/${service?.metadata.name}:store/proxy/list?prefix=`
  await expect(api.get(list)).rejects.toThrow(/this is not the token of this store/)
}

/** What the API server has logged of a whole run: every requested address, but no headers. */
function expectNoTokenAsked({ namespace, cluster }: Room, token: string): void {
  const seen = cluster.control.requests().filter(({ userAgent }) => userAgent === 'tpi-action')
  const ways = seen.filter(({ requestURI }) => requestURI.includes(`/namespaces/${namespace}/services/`) && requestURI.includes('/proxy/'))
  expect(ways.length).toBeGreaterThan(20)
  expect(JSON.stringify(seen)).not.toContain(token)
}

/**
 * Neither the store's token nor the caller's own is in anything that the script can read, or in the cluster outside the secret. Resolves to the
 * store's.
 */
async function expectNoToken({ tpi, kubectl, cluster }: Room): Promise<string> {
  const secrets = JSON.parse(await kubectl('get', 'secrets', '-o', 'json')) as { items: { data: { token?: string } }[] }
  const [token = ''] = secrets.items.flatMap(({ data }) => (data.token === undefined ? [] : [Buffer.from(data.token, 'base64').toString()]))
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  const own = (JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as { users: { user: { token: string } }[] }).users[0]?.user.token ?? ''
  const objects = await kubectl('get', 'jobs,pods,configmaps,services,persistentvolumeclaims,events', '-o', 'json')
  expect(objects).not.toContain(CANARY)
  expect((await tpi.run('exec', 'long', '--', 'sh', '-c', 'cat /proc/[0-9]*/cmdline')).out).not.toContain(CANARY)
  for (const secret of [token, own]) {
    expect(objects).not.toContain(secret)
    // In halves, so that the search does not find itself.
    const [head, tail] = [secret.slice(0, 8), secret.slice(8)]
    const look = `printf %s%s ${head} ${tail} > /tmp/sought; cp /tmp/sought /tmp/found
find / /tpi /tpi-home /tpi-handover -xdev -type f ! -name sought 2>/dev/null | xargs grep -slF -f /tmp/sought
grep -slF -f /tmp/sought /proc/[0-9]*/environ /proc/[0-9]*/cmdline
rm /tmp/sought /tmp/found`
    expect(await tpi.run('exec', 'long', '--', 'sh', '-c', look)).toMatchObject({ code: 0, out: '/tmp/found\n' })
  }
  return token
}

/** Each in its own namespace, all in parallel, and nothing is left there. */
function task(title: string, name: string, body: (room: Room) => Promise<void>): void {
  test.concurrent(title, async () => cluster && (await inRoom(cluster, name, body, LEASES)), 300_000)
}

describe('a task on a cluster', () => {
  afterAll(async () => {
    await cluster?.stop()
  })

  task(
    'runs in any image, delivers and leaves nothing, with few calls to the API server',
    'hello',
    async ({ tpi, place, namespace, cluster }) => {
      const workdir = join(place, 'work')
      mkdirSync(workdir)
      writeFileSync(join(workdir, 'in.txt'), 'from the caller\n')
      const work = ['--workdir', workdir, '--output', 'results/**', '--output-dir', join(place, 'out')]
      const ended = await tpi.run(
        'task',
        ...ON,
        '--name',
        'hello',
        ...work,
        ...script('mkdir results; cat in.txt > results/out.txt; echo $FROM_IMAGE'),
      )
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('bare\n') })
      expect(readFileSync(join(place, 'out/results/out.txt'), 'utf8')).toBe('from the caller\n')
      expectFewCalls('a small task with its files', cluster, namespace)
    },
  )

  task('defect 33: the exit code of the script is the exit code of the command, after one attempt', 'fails', async ({ tpi }) => {
    const ended = await tpi.run('task', ...ON, '--name', 'fails', '--json', ...script('exit 7'))
    expect(ended.code).toBe(7)
    expect(JSON.parse(ended.out)).toMatchObject({ outcome: 'script-failed', exitCode: 7, slots: [{ attempt: 1 }] })
    await tpi.run('destroy', 'fails', '--discard')
  })

  task(
    'an evicted pod is replaced, and its work goes on; a command runs beside it; defect 11: no token of tpi and no secret of the user is near the script or in the objects',
    'long',
    async (room) => {
      const { tpi } = room
      // Goes on until its machine is removed, however long that takes; the next attempt is short.
      const steps =
        'n=$(cat n 2>/dev/null || echo 0); echo "from $n"; to=1000; [ $n -eq 0 ] || to=$((n+3)); while [ $n -lt $to ]; do n=$((n+1)); echo $n > n; sleep 1; done'
      const secret = tpi.with({ KEY: CANARY })
      const started = await secret.run('task', ...ON, '--name', 'long', '--secret', 'KEY', '--detach', ...script(steps))
      expect(started).toMatchObject({ code: 0 })
      const beside = await until('the script', 60, async () => {
        const ran = await tpi.run('exec', 'long', '--', 'sh', '-c', 'echo slot $TPI_INDEX; ls -R /tpi-handover; cat n')
        return ran.code === 0 ? ran.out : undefined
      })
      expect(beside).toContain('slot 0')
      expect(beside).not.toContain('credentials.json')
      await expectNoAccount(room)
      const token = await expectNoToken(room)
      await until('some work', 60, async () => Number((await tpi.run('exec', 'long', '--', 'cat', 'n')).out) > 3 || undefined)
      expect(await tpi.run('interrupt', 'long')).toMatchObject({ code: 0 })
      const followed = await tpi.run('logs', 'long', '--follow')
      const [first, second] = [...followed.out.matchAll(/from (\d+)/g)].map(([, count]) => Number(count))
      expect(first).toBe(0)
      expect(second).toBeGreaterThan(3)
      const status = JSON.parse((await tpi.run('status', 'long', '--json')).out) as object
      expect(status).toMatchObject({ outcome: 'success', slots: [{ attempt: 2 }] })
      expect(await tpi.run('destroy', 'long', '--discard')).toMatchObject({ code: 0 })
      expectNoTokenAsked(room, token)
    },
  )

  task('under the restricted pod security standard', 'locked', async ({ tpi, namespace, ...room }) => {
    await room.cluster.kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted')
    const ended = await tpi.run('task', ...ON, '--name', 'locked', '--run-as-user', '4321', ...script('id -u'))
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('4321\n') })
    expectFewCalls('a small task without files', room.cluster, namespace)
  })

  task('two Jobs that the cluster itself ends: the root after the retention, the other one keeps its results', 'jobs', async (room) => {
    const request = ['task', ...ON, '--name', 'jobs', '--parallelism', '3', '--retention', '2h', '--detach']
    expect(await room.tpi.run(...request, ...script('sleep 1000'))).toMatchObject({ code: 0 })
    const [root, machines] = await Promise.all([jobOf(room, 'store'), jobOf(room, 'task')])
    const settings = { completionMode: 'Indexed', podReplacementPolicy: 'TerminatingOrFailed', backoffLimitPerIndex: 1000, suspend: false }
    expect(root).toMatchObject({
      spec: { ...settings, completions: 1, parallelism: 1, maxFailedIndexes: 1, ttlSecondsAfterFinished: 10 },
    })
    expect(machines).toMatchObject({ spec: { ...settings, completions: 3, parallelism: 3, maxFailedIndexes: 3 } })
    expect(machines.metadata).toMatchObject({ ownerReferences: [{ kind: 'Job', name: root.metadata.name, uid: root.metadata.uid }] })
    expect(root.metadata).not.toHaveProperty('ownerReferences')
    expect(machines.spec).not.toHaveProperty('ttlSecondsAfterFinished')
    for (const { spec } of [root, machines]) expect(spec).not.toHaveProperty('podFailurePolicy')
    expect(Math.abs(beyondDeadline(machines))).toBeLessThan(15)
    expect(Math.abs(beyondDeadline(root) - 2 * 60 * 60)).toBeLessThan(15)
    expect(await room.tpi.run('destroy', 'jobs', '--discard')).toMatchObject({ code: 0 })
  })

  predecessorDefects(task)
  if (!cluster) return
  predecessorLabels(cluster)

  test('no request ever suspended a Job, or gave it a failure policy', () => {
    expectNeverSuspended(cluster.control)
  })
})
