/** From user-data to the first line of a script, with no cloud but what a machine sees of one: metadata, a store in a bucket, the API by which it leaves. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from '@jest/globals'
import { bucketBirth } from '../../../src/boot/bucket.ts'
import { EC2 } from '../../../src/boot/ec2.ts'
import { runtimeFor } from '../../../src/boot/runtime.ts'
import { userData } from '../../../src/boot/user-data.ts'
import type { SlotRecord } from '../../../src/wire/slot.ts'
import type { StoreAccess } from '../../../src/wire/store.ts'
import { Deployment, type Wish } from '../../agent/kit.ts'
import { Missing, orMissing } from '../missing.ts'
import { until } from '../shell.ts'
import { type S3Server, startVersitygw } from '../versitygw.ts'
import { MachineHost } from './host/machine-host.ts'
import { runtimeHome } from './runtime.ts'

const AGENT = process.env['TPI_AGENT_BUNDLE'] ?? join(import.meta.dirname, '../../../build/agent/agent.mjs')
const ID = 'i-0fedcba9876543210'
const REGION = 'us-east-1'
let host: MachineHost | undefined
let server: S3Server | undefined
let api: Server | undefined
let deployment: Deployment | undefined
let asked: string[]

afterEach(async () => {
  await host?.stop()
  await deployment?.[Symbol.asyncDispose]()
  api?.close()
  await server?.stop()
  host = server = api = deployment = undefined
})

/** Auto Scaling, of which a machine that leaves hears no more than that it was understood. */
async function startApi(): Promise<number> {
  asked = []
  api = createServer((request, response) => {
    void buffer(request).then((body) => {
      asked.push(body.toString())
      response.end('<TerminateInstanceInAutoScalingGroupResponse/>')
    })
  })
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  return (api.address() as AddressInfo).port
}

interface Room {
  readonly d: Deployment
  readonly on: MachineHost
}

async function boot(wish: Wish, said: (path: string) => string | undefined = () => undefined): Promise<Room | undefined> {
  return await orMissing('machine of a cloud', async () => {
    server = await startVersitygw()
    if (!server) throw new Missing('there is no S3 server')
    host = await MachineHost.start()
    const [store, endpoint] = [await host.expose(server.gate), await host.expose(await startApi())]
    const access = await server.access('bucket')
    const place = { url: access.url, settings: { ...access.settings, endpoint: store } }
    deployment = await Deployment.make(
      { ...wish, lifetime: { deadline: new Date(Date.now() + 3_600_000).toISOString() } },
      { ...access, ...place },
    )
    const { id, incarnation } = deployment.spec
    const agent = await readFile(AGENT)
    const digest = createHash('sha256').update(agent).digest('hex')
    const { signal } = new AbortController()
    const runtime = await runtimeFor('x86_64', { home: await runtimeHome(), fetch, signal })
    for (const [name, bytes] of [
      [digest, agent],
      [runtime.digest, runtime.bytes],
    ] as const)
      await deployment.store.write(deployment.keys.agent(name), bytes)
    const text = userData({
      machine: {
        v: 2,
        cloud: 'aws',
        id,
        incarnation,
        side: { group: 'tpi-test', region: REGION, endpoint: `${endpoint}/` },
        system: { sudo: true, closed: ['169.254.169.254:80'] },
        hardDeadline: deployment.config().hardDeadline,
        store: place,
        credentials: 'machine',
      },
      dialect: EC2,
      store: bucketBirth(place, id, incarnation),
      agent: digest,
      runtimes: { x86_64: runtime.digest },
    })
    const where = { region: REGION, zone: `${REGION}a`, address: '10.0.0.9', spot: false } as const
    await host.boot({
      ...where,
      id: ID,
      vendor: 'aws',
      userData: Buffer.from(text),
      metadata: { get: (path) => said(path) ?? lent(access, path) },
    })
    return { d: deployment, on: host }
  })
}

/** The server of the lab has no roles: its own keys stand for the role's. */
function lent({ credentials = {} }: StoreAccess, path: string): string | undefined {
  const folder = 'meta-data/iam/security-credentials/'
  if (path === folder) return 'tpi-role'
  if (path !== `${folder}tpi-role`) return undefined
  const { accessKeyId, secretAccessKey } = credentials
  const until = new Date(Date.now() + 3_600_000).toISOString()
  return JSON.stringify({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: 'session', Expiration: until })
}

/** The console tells more than a record that never came to it. */
async function ended({ d, on }: Room, what: string, is: (slot: SlotRecord) => boolean): Promise<SlotRecord> {
  return await until(what, 100, async () => d.slot().then((slot) => (is(slot) ? slot : undefined))).catch(async (error: unknown) => {
    throw new Error(`${String(error)}\n${(await on.console(ID)).slice(-4000)}`)
  })
}

test('a machine that is told nothing but user-data runs the script as a user of its own, leaves its group and is off', async () => {
  const script = `
id -un > user; echo "$HOME $USER $(pwd)" > place; sudo -n id -un > root
cat /proc/self/cgroup > group; date +%s.%N > first
python3 -c "import urllib.request as u;u.urlopen('http://169.254.169.254/latest/meta-data/',timeout=3)" 2> metadata || true
cat /var/lib/tpi/machine.json > secrets 2> refused || true
env | cut -d= -f1 | sort > names
echo result=1 >> "$TPI_OUTPUT"`
  const gone: string[] = []
  const room = await boot({ script })
  if (!room) return
  const { d, on } = room
  on.onExit((id) => gone.push(id))
  const slot = await ended(room, 'the script ends', ({ state }) => state === 'succeeded' || state === 'failed')
  expect(slot).toMatchObject({ state: 'succeeded', epoch: 1, exitCode: 0, outputs: { result: '1' } })
  const files = await d.head()
  expect(files).toMatchObject({ user: 'tpi\n', place: '/home/tpi tpi /var/lib/tpi/machine/work\n', root: 'root\n', secrets: '' })
  expect(files['group']).toContain('tpi-script.slice')
  expect(files['refused']).toContain('Permission denied')
  expect(files['metadata']).toContain('Connection refused')
  expect(files['names']).not.toMatch(/AWS|NOTIFY|WATCHDOG|INVOCATION|JOURNAL/)
  await until('the machine is off', 60, async () => (gone.length > 0 ? true : undefined))
  expect(asked.filter((body) => body.includes('TerminateInstance'))).toEqual([
    `Action=TerminateInstanceInAutoScalingGroup&Version=2011-01-01&InstanceId=${ID}&ShouldDecrementDesiredCapacity=true`,
  ])
})

test('a machine that is reclaimed saves what there is, frees its slot and asks for its successor', async () => {
  let notice: string | undefined
  const script = 'trap "echo last > last; exit 0" TERM; echo first > first; while :; do sleep 0.1; done'
  const room = await boot({ script }, (path) => (path === 'meta-data/spot/instance-action' ? notice : undefined))
  if (!room) return
  const { d, on } = room
  const gone: string[] = []
  on.onExit((id) => gone.push(id))
  await ended(room, 'the first snapshot', ({ phase, head }) => phase === 'script' && head !== undefined && head.at !== 'base/')
  notice = JSON.stringify({ action: 'terminate', time: new Date(Date.now() + 120_000).toISOString().replace(/\.\d+Z/, 'Z') })
  const slot = await ended(room, 'the slot is free', ({ state }) => state === 'interrupted')
  expect(slot).toMatchObject({ released: true, attempts: [{ cause: 'interrupted', announced: true, saved: true, holder: ID }] })
  expect(await d.head()).toMatchObject({ first: 'first\n', last: 'last\n' })
  await until('the machine is off', 60, async () => (gone.length > 0 ? true : undefined))
  expect(asked.join()).toContain(`InstanceId=${ID}&ShouldDecrementDesiredCapacity=false`)
})
