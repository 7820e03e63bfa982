/**
 * One machine without a cloud, except for what it sees of one: metadata, a store in a bucket, the API by which it leaves. A scene has the
 * vendor's part of these.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from '@jest/globals'
import { programSource } from '../../../src/boot/bucket.ts'
import type { Dialect } from '../../../src/boot/fetcher.ts'
import { RUNTIMES, runtimeFor } from '../../../src/boot/runtime.ts'
import { userData } from '../../../src/boot/user-data.ts'
import type { SlotRecord } from '../../../src/wire/slot.ts'
import type { StoreAccess } from '../../../src/wire/store.ts'
import { Deployment, type Params } from '../../agent/kit.ts'
import { listening, portOf } from '../../setup/listening.ts'
import { Missing, orMissing } from '../missing.ts'
import { until } from '../shell.ts'
import { type BootParams, MachineHost } from './host/machine-host.ts'
import { runtimeHome } from './runtime.ts'

const AGENT = process.env['TPI_AGENT_BUNDLE'] ?? join(import.meta.dirname, '../../../build/agent/agent.mjs')

export interface BucketServer {
  readonly port: number
  access(bucket: string): Promise<StoreAccess>
  stop(): Promise<void>
}

export interface Scene {
  readonly vendor: BootParams['vendor']
  readonly system?: BootParams['system']
  readonly cloud: string
  readonly id: string
  readonly region: string
  readonly zone: string
  readonly dialect: Dialect
  store(): Promise<BucketServer | undefined>
  /** `api`: the address of the server that stands for the vendor's API. */
  side(api: string): Readonly<Record<string, string>>
  /** The vendor's answer to a request. */
  reply(request: string): string
  /** The metadata service's answers that belong to this scene; `access`: access to the store. */
  metadata(access: StoreAccess, path: string, boot: string): string | undefined
  /** Makes user-data from the boot text. */
  readonly userData?: (boot: string) => string
}

export interface Room {
  readonly d: Deployment
  readonly on: MachineHost
}

export class BootLab {
  /** Method, path and body of all requests to the vendor's API. */
  readonly asked: string[] = []
  readonly gone: string[] = []
  readonly #scene: Scene
  readonly #ends: (() => Promise<unknown>)[] = []

  constructor(scene: Scene) {
    this.#scene = scene
  }

  /** Stops everything, in reverse order. */
  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0).toReversed()) await end()
    this.asked.length = 0
    this.gone.length = 0
  }

  async boot(params: Params, said: (path: string) => string | undefined = () => undefined): Promise<Room | undefined> {
    return await orMissing('machine of a cloud', async () => {
      const { vendor, system, id, region, zone, metadata, userData: reported = (boot) => boot } = this.#scene
      const server = await this.#scene.store()
      if (!server) throw new Missing('there is no server for buckets')
      this.#ends.push(() => server.stop())
      const api = await this.#startApi()
      const on = await MachineHost.start()
      this.#ends.push(() => on.stop())
      const [store, endpoint] = [await on.expose(server.port), await on.expose(api)]
      const access = await server.access('bucket')
      const place = { url: access.url, settings: { ...access.settings, endpoint: store } }
      const lifetime = { deadline: new Date(Date.now() + 3_600_000).toISOString() }
      const d = await Deployment.make({ ...params, lifetime }, { ...access, ...place })
      this.#ends.splice(-1, 0, async () => d[Symbol.asyncDispose]())
      const boot = await this.#text(d, place, endpoint)
      on.onExit((one) => this.gone.push(one))
      await on.boot({
        id,
        vendor,
        system,
        region,
        zone,
        address: '10.0.0.9',
        spot: false,
        userData: Buffer.from(reported(boot)),
        metadata: { get: (path) => said(path) ?? metadata(access, path, boot) },
      })
      return { d, on }
    })
  }

  async #startApi(): Promise<number> {
    const api: Server = createServer((request, response) => {
      void text(request).then((body) => {
        const asked = `${request.method} ${request.url} ${body}`
        this.asked.push(asked)
        response.end(this.#scene.reply(asked))
      })
    })
    await listening(api)
    this.#ends.push(async () => {
      api.closeAllConnections()
      api.close()
    })
    return portOf(api)
  }

  async #text(d: Deployment, place: Pick<StoreAccess, 'url' | 'settings'>, endpoint: string): Promise<string> {
    const { cloud, dialect, side } = this.#scene
    const { id, incarnation } = d.spec
    const agent = await readFile(AGENT)
    const digest = createHash('sha256').update(agent).digest('hex')
    const { signal } = new AbortController()
    const runtime = await runtimeFor('x86_64', { home: await runtimeHome(), fetch, signal })
    await d.store.write(d.keys.agent(digest), agent)
    await d.store.write(d.keys.agent(RUNTIMES.x86_64.digest), runtime)
    return userData({
      machine: {
        v: 2,
        cloud,
        id,
        incarnation,
        side: side(endpoint),
        system: { sudo: true, closed: ['169.254.169.254'] },
        hardDeadline: d.config().hardDeadline,
        store: place,
        credentials: 'machine',
      },
      dialect,
      store: programSource(place, id, incarnation),
      agent: digest,
      runtime: RUNTIMES.x86_64.digest,
    })
  }

  /** If no record comes, the console shows why. */
  async ended({ d, on }: Room, what: string, is: (slot: SlotRecord) => boolean): Promise<SlotRecord> {
    return await until(what, 100, async () => d.slot().then((slot) => (is(slot) ? slot : undefined))).catch(async (error: unknown) => {
      throw new Error(`${String(error)}\n${(await on.console(this.#scene.id)).slice(-4000)}`)
    })
  }

  async off(): Promise<void> {
    await until('the machine is off', 60, async () => (this.gone.length > 0 ? true : undefined))
  }
}

/** A test for every cloud whose machines boot. `id`: of the machine. */
export function testSwitchedOff(lab: BootLab, id: string): void {
  test.each([
    { ends: 'dies of it', trap: '' },
    { ends: 'ends in order', trap: 'trap "exit 0" TERM; ' },
  ])('a machine that is switched off without a word frees its slot: a script that $ends was interrupted', async ({ trap }) => {
    const room = await lab.boot({ script: `${trap}echo first > first; while :; do sleep 0.1; done` })
    if (!room) return
    await lab.ended(room, 'the first snapshot', ({ phase, head }) => phase === 'script' && head !== undefined && head.at !== 'base/')
    await room.on.fault(id, 'metadata-silent')
    void room.on.end(id, 'soft')
    const slot = await lab.ended(room, 'its attempt is over', ({ attempts }) => attempts[0]?.end !== undefined)
    expect(slot).toMatchObject({ state: 'interrupted', released: true, attempts: [{ cause: 'interrupted', saved: true }] })
    // Nothing announced that the cloud ended it, so the attempt counts.
    expect(slot.attempts[0]?.announced).toBeUndefined()
  })
}

/** A test for every cloud whose machines boot: `ubuntu` is the image of a run that names none. */
export function testOnUbuntu(scene: Scene): void {
  const lab = new BootLab({ ...scene, system: 'ubuntu' })
  afterEach(async () => lab.stop())

  test('a machine with Ubuntu runs the script as a user of its own with its cloud closed to it, leaves its group and is off', async () => {
    const script = `
id -un > user; . /etc/os-release; echo $ID > system; cat /proc/self/cgroup > group; getent hosts localhost > name
python3 -c "import socket;socket.create_connection(('169.254.169.254',80),3)" 2> metadata || true
systemctl show apt-daily.timer apt-daily-upgrade.timer -p ActiveState --value > timers`
    const room = await lab.boot({ script })
    if (!room) return
    const slot = await lab.ended(room, 'the script ends', ({ state }) => state === 'succeeded' || state === 'failed')
    expect(slot).toMatchObject({ state: 'succeeded', epoch: 1, exitCode: 0 })
    const files = await room.d.head()
    expect(files).toMatchObject({ user: 'tpi\n', system: 'ubuntu\n' })
    expect(files['group']).toContain('tpi-script.slice')
    expect(files['metadata']).toContain('Connection refused')
    expect(files['timers']).not.toMatch(/^active/m)
    await lab.off()
  })
}
