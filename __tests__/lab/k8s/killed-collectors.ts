/** Commands that follow and collect are killed at their calls: the next one gets every line and every file. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from '@jest/globals'
import type { DeadlyServer } from './deadly-server.ts'
import { each, type Killed, killedAt, upwards } from './killed.ts'
import type { Room } from './room.ts'

/** Prints for a while, and makes files when it is told to end. */
const WORK = `n=0
while [ $n -lt 20 ]; do n=$((n+1)); echo "line $n"; sleep 0.2; done
until [ -e /tmp/end ]; do sleep 0.2; done
mkdir r; echo kept > r/small; dd if=/dev/urandom of=r/large bs=100000 count=30 2>/dev/null
echo "over after $n"; exit 3`

/** How many calls of a follower are tried, since it never stops asking: those until nothing new comes. */
const FOLLOWED = 12

export async function followedAndCollected(room: Room, deadly: DeadlyServer): Promise<void> {
  const { tpi } = room
  const request = ['--image', 'lab.test/bare:1', '--name', 'work', '--workdir', 'work', '--output', 'r/**', '--timeout', '10m']
  expect(await tpi.run('task', ...request, '--detach', '--script', WORK)).toMatchObject({ code: 0 })
  const pod = await room.pod('task')
  const killed = async (last: number, words: readonly string[], code = 0): Promise<Killed> =>
    killedAt(deadly, tpi, { counted: 'calls', last, after: false, words, code })
  const followed = ['logs', 'work', '--follow']
  await each(range(FOLLOWED), async (last) => expect(await killed(last, followed)).toMatchObject({ reached: true }))
  await forgetTheDead(room)
  const follower = tpi.start(...followed)
  await follower.says(/line 1/, 60)
  await room.kubectl('exec', pod.metadata.name, '-c', 'main', '--', 'touch', '/tmp/end')
  const { code, out } = await follower.ended
  const lines = [...out.matchAll(/^line (\d+)$/gm)].map(([, n]) => Number(n))
  expect([code, lines]).toEqual([0, range(Number(/^over after (\d+)$/m.exec(out)?.[1]))])
  // Each killed command leaves a trace that later ones ask about, so they never reach their last call: try as many as the first one makes.
  const { asked } = await killed(Number.POSITIVE_INFINITY, followed)
  const ends = range(asked.length)
  await each(ends, async (last) => expect(await killed(last, followed)).toMatchObject({ reached: true }))
  await forgetTheDead(room)
  // All before the first one that is not killed: what that marks as delivered would count for the others too.
  const cut: number[] = []
  // Each killed command leaves a trace that costs the next one a further call: in steps of two, every call of the first one has its turn.
  await upwards(1, 2, async (last) => {
    const one = await killed(last, ['collect', 'work', '--to', `to-${last}`], 3)
    if (one.reached) cut.push(last)
    return one
  })
  let large: Buffer | undefined
  await each(cut, async (last) => {
    const again = await tpi.run('collect', 'work', '--to', `to-${last}`)
    expect([last, again.code === 3 ? 'collected' : again.err]).toEqual([last, 'collected'])
    const folder = join(room.place, `to-${last}`)
    expect([last, readdirSync(folder), readdirSync(join(folder, 'r')).sort()]).toEqual([last, ['r'], ['large', 'small']])
    const one = readFileSync(join(folder, 'r/large'))
    large ??= one
    expect([last, one.length, one.equals(large)]).toEqual([last, 3_000_000, true])
  })
  process.stdout.write(
    `killed at ${FOLLOWED} calls of following, all ${ends.length} of following what is over, all ${cut.length} of collecting\n`,
  )
  expect([ends.length > 8, cut.length > 10]).toEqual([true, true])
  // It was collected, so nothing needs to be discarded.
  expect(await tpi.run('destroy', 'work')).toMatchObject({ code: 0 })
}

/** Later commands would ask about each of them, and be killed at that, which has been tested by then. */
async function forgetTheDead({ cluster, namespace }: Room): Promise<void> {
  const [claim] = await cluster.api.list(`/api/v1/namespaces/${namespace}/persistentvolumeclaims`)
  const folder = cluster.storage.folderOf(claim!)
  const readers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => basename(dirname(path)) === 'controllers')
  expect(readers.length).toBeGreaterThan(0)
  for (const path of readers) rmSync(join(folder, path), { recursive: true })
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
