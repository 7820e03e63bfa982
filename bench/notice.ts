/** From the notice of an interruption to the first snapshot on record. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreAccess } from '../src/wire/store.ts'
import { type Bench, type Ground, poll, tpi } from './ground.ts'
import { atMost, milliseconds, NO_SERVER, type Row } from './measure.ts'
import { storageOptions } from './remote.ts'
import { ROUND_TRIP, withDistant } from './servers.ts'
import { agentOf, watch } from './store.ts'

async function round(ground: Ground, name: string, dirty: number, access?: StoreAccess): Promise<number> {
  const { options, env } = storageOptions(access)
  const script = `#!/bin/sh\nhead -c ${dirty} /dev/urandom > dirty\necho ready\nexec sleep 600`
  const task = tpi(ground, ['task', '--name', name, '--checkpoint-interval', '10m', ...options, '--script', script], env)
  const watched = await watch(ground, name, access)
  await task.saw(/^ready$/)
  const { folder } = await agentOf(watched)
  const before = (await watched.record())?.head?.digest
  const notice = poll(
    'the notice',
    () => (['notice.json', 'exit.json'].some((name) => existsSync(join(folder, name))) ? performance.now() : undefined),
    2,
  )
  const saved = poll('a snapshot', async () => {
    const head = (await watched.record())?.head
    return head !== undefined && head.digest !== before && head.bytes >= dirty ? performance.now() : undefined
  })
  await tpi(ground, ['interrupt', name], env).ended
  const took = (await saved) - (await notice)
  await watched.store.close?.()
  await tpi(ground, ['destroy', name, '--discard'], env).ended
  await task.ended.catch(() => undefined)
  return took
}

export const notice: Bench = {
  name: 'notice',
  title: 'Interruptions',
  notes: [
    'The script has written 100 MB of random bytes since the last snapshot. Measured from the notice on the machine until a reader of the store sees the new snapshot in the slot’s record.',
  ],
  async run(ground): Promise<readonly Row[]> {
    const [dirty, rounds] = ground.quick ? [1e6, 1] : [1e8, 3]
    const here: number[] = []
    const there: number[] = []
    const both = await withDistant(async (distant) => {
      const access = await distant.access('notice', distant.records)
      for (let number = 0; number < rounds; number++) {
        here.push(await round(ground, `notice-here-${number}`, dirty))
        there.push(await round(ground, `notice-there-${number}`, dirty, access))
      }
      return true
    })
    if (!both) return [NO_SERVER]
    const what = `notice → first snapshot recorded, ${dirty / 1e6} MB changed`
    return [
      atMost({ what: `${what}, folder store`, samples: here, limit: 3000, unit: milliseconds }),
      atMost({ what: `${what}, S3 store ${ROUND_TRIP} ms away`, samples: there, limit: 3000, unit: milliseconds }),
    ]
  },
}
