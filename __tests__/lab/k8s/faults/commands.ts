/** Commands that are late, early, concurrent or not allowed, or whose cluster is away. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@jest/globals'
import { until } from '../../shell.ts'
import type { SeenRequest } from '../control-plane.ts'
import { counting, type Fault, factsOf, giveBack, IMAGE, reported, script, underWay } from './kit.ts'

/** Milliseconds that the API server stays away. */
const AWAY = 80_000

export function faultsOfCommands(fault: Fault): void {
  fault(
    'the API server is away for more than a minute while a script, a creation and a destruction are in progress',
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
        ...script('mkdir made; n=0; until [ -e /tmp/end ]; do echo "from $n" | tee made/$n; n=$((n+1)); sleep 1; done; exit 3'),
      )
      expect(await other).toMatchObject({ code: 0 })
      const coming = room.tpi.start('task', ...IMAGE, '--name', 'coming', '--json', ...script('echo from 0'))
      await coming.says(/store token .*: created/, 120)
      const going = room.tpi.start('destroy', 'going', '--discard')
      // It was made with its final size, so the first change is its end.
      await until('the giving back', 120, async () => control.requests().some(resizesGoing) || undefined)
      await control.stopApiServer()
      await sleep(AWAY)
      await control.startApiServer()
      const told = async () => (await room.tpi.run('exec', 'steady', '--', 'touch', '/tmp/end')).code === 0 || undefined
      await until('the script to be told to end', 120, told)
      const [steady, made, gone] = await Promise.all([running.ended, coming.ended, going.ended])
      expect(steady).toMatchObject({ code: 3 })
      const { slots } = factsOf(steady)
      expect(slots).toMatchObject([{ attempt: 1, attempts: [{}] }])
      const printed = [...steady.err.matchAll(/^from (\d+)$/gm)].map(([, n]) => Number(n))
      expect(printed).toEqual(printed.map((_, n) => n))
      expect(printed.length).toBeGreaterThan(AWAY / 2000)
      expect(readdirSync(join(room.place, 'steady/made')).toSorted((a, b) => Number(a) - Number(b))).toEqual(printed.map(String))
      expect(steady.err).toMatch(/unreachable, trying again: [^]*reachable again after [12]m/)
      expect(gone).toMatchObject({ code: 0 })
      expect(made).toMatchObject({ code: 0, err: expect.stringContaining('from 0\n') })
      expect(factsOf(made)).toMatchObject({ outcome: 'success' })
      // Without it, nothing removes objects that have lost their owner.
      await control.stopManager()
      const discarded = await room.tpi.run('destroy', 'steady', '--discard')
      const left = (await room.cluster.inventory(room.namespace)).filter((name) => !/^(claim|endpointslice|pod|account|role)\//.test(name))
      control.startManager()
      expect(discarded).toMatchObject({ code: 0, err: expect.stringMatching(/claim .*: the cloud removes it in its own time/) })
      expect(left).toEqual([])
    },
    { second: true, long: true },
  )

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
    const running = room.tpi.with({ KUBECONFIG: config }).start(...tried)
    const missing = /right to get secrets in namespace "room-\d+-rights-are-missing" is missing/
    expect(await reported(running, missing)).toMatchObject({ code: 77 })
    await room.kubectl('delete', 'serviceaccount', 'nobody')
  })

  fault('the deadline comes', async (room) => {
    const request = ['--timeout', '60s', '--grace', '1s', '--name', 'late', '--json']
    const running = room.tpi.start('task', ...IMAGE, ...request, ...script('sleep 1000'))
    const ended = await reported(running, /"timed-out"/, running.began + 60_000)
    expect(ended).toMatchObject({ code: 124 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'timed-out' })
    await giveBack(room, 'late')
  })

  fault('two controllers at once', async (room) => {
    const request = ['task', ...IMAGE, '--timeout', '10m', '--name', 'both', '--json', ...counting(8)]
    const both = await Promise.all([room.tpi.run(...request), room.tpi.run(...request)])
    expect(both).toMatchObject([{ code: 0 }, { code: 0 }])
    expect(both.map((ended) => (JSON.parse(ended.out) as { attached: boolean }).attached).sort()).toEqual([false, true])
    for (const ended of both) expect(factsOf(ended)).toMatchObject({ outcome: 'success', slots: [{ attempt: 1 }] })
  })

  fault('a running task is replaced by another one, which fails and is resumed', async (room) => {
    const request = ['task', ...IMAGE, '--timeout', '10m', '--grace', '1s', '--name', 'again']
    expect(await room.tpi.run(...request, '--detach', ...script('sleep 1000'))).toMatchObject({ code: 0 })
    const root = async (): Promise<unknown> =>
      (await room.cluster.api.list(`/apis/batch/v1/namespaces/${room.namespace}/jobs?labelSelector=tpi.iterative.ai/role=store`))[0]
        ?.metadata.uid
    const before = await root()
    const replaced = await room.tpi.run(...request, '--if-exists', 'replace', ...script('echo kept > file; exit 3'))
    expect(replaced).toMatchObject({ code: 3, err: expect.stringMatching(/store tpi-again-\w+-store: (updated|found)/) })
    expect(await root()).toBe(before)
    const resumed = await room.tpi.run(...request, '--resume', ...script('cat file'))
    expect(resumed).toMatchObject({ code: 0, out: expect.stringContaining('kept\n') })
  })
}

function resizesGoing({ verb, requestURI }: SeenRequest): boolean {
  return verb === 'patch' && /\/jobs\/tpi-going-[0-9a-f]+-[0-9a-f]+$/.test(requestURI)
}
