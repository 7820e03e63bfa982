/**
 * What is protected from whom in a pod: how far a hostile script gets with what it finds; and the machine itself, on a network that denies by
 * default.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { forward } from './k8s/forward.ts'
import { needed } from './k8s/needed.ts'
import { inRoom, type Room } from './k8s/room.ts'
import { startVersitygw } from './versitygw.ts'

const cluster: Cluster | undefined = await startCluster()

const WALK = ['--image', 'lab.test/bare:1', '--timeout', '10m', '--parallelism', '2']
/** The second machine is working while the first one attacks it, and has something to lose. */
const SCRIPT = `#!/bin/sh
if [ $TPI_INDEX = 0 ]; then /tpi/node attacker.mjs; else echo mine > kept; sleep 25; cat kept; fi`

/** Of a store's server. */
const PORT = 7070

interface Found {
  readonly uid: number
  readonly passes: number
  readonly own: number
  readonly opened: readonly string[]
  readonly callers: readonly string[]
  readonly read: readonly string[]
  readonly denied: readonly string[]
}

interface Attack {
  readonly words?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Resolves to what the attacker reports; its victim must have finished undisturbed. */
async function attacked({ tpi, place }: Room, { words = [], env = {} }: Attack = {}): Promise<Found> {
  const workdir = join(place, 'work')
  mkdirSync(workdir)
  copyFileSync(join(import.meta.dirname, 'k8s/attacker.mjs'), join(workdir, 'attacker.mjs'))
  const to = join(place, 'out')
  const request = ['task', ...WALK, '--name', 'walk', '--workdir', workdir, '--output', 'kept', '--output-dir', to, ...words]
  const ended = await tpi.with(env).run(...request, '--script', SCRIPT)
  const [, found] = /ATTACK (\{.*\})/.exec(ended.out) ?? []
  if (found === undefined) throw new Error(`the attacker has said nothing: ${ended.out}${ended.err}`)
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('mine\n') })
  expect(readFileSync(join(to, 'kept'), 'utf8')).toBe('mine\n')
  return JSON.parse(found) as Found
}

const ofAgent = (seen: readonly string[]): readonly string[] =>
  seen.filter((one) => /^\w+: \/tpi\/node \/tpi\/agent\.mjs (run|guard)/.test(one))

/** Each in its own namespace, all in parallel, and nothing is left there. */
function attack(title: string, name: string, body: (room: Room) => Promise<void>): void {
  test.concurrent(title, async () => cluster && (await inRoom(cluster, name, body)), 300_000)
}

describe('a pod', () => {
  needed(cluster)

  attack('a hostile script as root finds the pass of its own machine, which opens nothing but its own slot', 'root', async (room) => {
    const found = await attacked(room, { words: ['--run-as-user', '0'] })
    expect(found).toMatchObject({ uid: 0, opened: [] })
    // Otherwise it has not tried anything.
    expect(ofAgent(found.read)).not.toEqual([])
    expect(found.passes).toBeGreaterThan(0)
    expect(found.own).toBeGreaterThan(0)
  })

  attack(
    'a hostile script as another user finds nothing: neither memory nor environment of the agent can be read',
    'user',
    async (room) => {
      const found = await attacked(room)
      expect(found).toMatchObject({ uid: 1000, passes: 0, own: 0, opened: [] })
      expect(ofAgent(found.read)).toEqual([])
      expect(ofAgent(found.denied)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^memory: /), expect.stringMatching(/^environment: /)]),
      )
    },
  )

  attack(
    'a hostile script with a store outside, even as root, finds no key of the caller, and gets no further through its agent’s access',
    'outside',
    async (room) => {
      const s3 = await startVersitygw()
      if (!s3) return
      const { host } = room.cluster
      const near = await forward(host, s3.gate)
      try {
        const { url } = await s3.access('walls', 'team/x')
        const { accessKeyId, secretAccessKey } = s3.credentials
        const env = {
          AWS_ACCESS_KEY_ID: accessKeyId,
          AWS_SECRET_ACCESS_KEY: secretAccessKey,
          AWS_ENDPOINT_URL_S3: `http://${host}:${near.port}`,
          AWS_REGION: 'us-east-1',
        }
        // Encoded, so that the search does not find itself.
        const sought = `SOUGHT=${Buffer.from(secretAccessKey).toString('base64')}`
        const words = ['--storage', url, '--storage-insecure', '--run-as-user', '0', '--env', sought]
        const found = await attacked(room, { words, env })
        expect(found).toMatchObject({ uid: 0, opened: [], callers: [] })
        expect(found.own).toBeGreaterThan(0)
      } finally {
        await near.stop()
        await s3.stop()
      }
    },
  )

  // After the others, because it affects the whole node.
  test('a network that denies by default: the command reports what the machine says and what to allow, and the run goes on once allowed', async () => {
    const [node] = cluster?.nodes ?? []
    if (!cluster || !node) return
    await inRoom(cluster, 'denied', async ({ tpi }) => {
      await node.deny(PORT)
      const running = tpi.start(
        'task',
        '--image',
        'lab.test/bare:1',
        '--timeout',
        '10m',
        '--name',
        'denied',
        '--script',
        '#!/bin/sh\necho at last',
      )
      try {
        const probed = tpi.run('doctor', 'k8s', '--probe', '--image', 'lab.test/bare:1')
        await running.says(/has been running for 30 s without a sign of life: .*NetworkPolicy.* TCP port 7070/, 120)
        const reported = expect.stringMatching(
          /FAULT +machine +none has come up: .* without a sign of life: .*NetworkPolicy.* TCP port 7070/,
        )
        expect(await probed).toMatchObject({ code: 1, out: reported })
      } finally {
        await node.allow(PORT)
      }
      expect(await running.ended).toMatchObject({ code: 0, out: expect.stringContaining('at last\n') })
    })
  }, 300_000)
})
