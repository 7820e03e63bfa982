/** How late a line of the script reaches the user, and the cost of a large log. */
import { isTerminal } from '../src/wire/slot.ts'
import type { StoreAccess } from '../src/wire/store.ts'
import { type Bench, type Ground, poll, tpi } from './ground.ts'
import { atMost, mebibytes, median, milliseconds, NO_SERVER, quantile, type Row, shown, times } from './measure.ts'
import { peakOf } from './peak.ts'
import { storageOptions } from './remote.ts'
import { ROUND_TRIP, withDistant } from './servers.ts'
import { agentOf, watch } from './store.ts'

/** Prints lines with the time of printing: twenty a second, and an occasional burst. */
function talker(seconds: number): string {
  return `let at = 0
const turn = () => {
  for (let n = ++at % 50 === 0 ? 200 : 1; n > 0; n--) console.log('said ' + Date.now())
  if (at < ${seconds * 20}) setTimeout(turn, 50)
}
turn()`
}

async function latencies(ground: Ground, name: string, seconds: number, access?: StoreAccess): Promise<readonly number[]> {
  const script = `#!/bin/sh\nexec '${process.execPath}' -e '${talker(seconds).replaceAll("'", `'\\''`)}'`
  const { options, env } = storageOptions(access)
  const task = tpi(ground, ['task', '--name', name, ...options, '--script', script], env)
  await task.ended
  const late = task.lines.flatMap(({ at, text }) => (/^said \d+$/.test(text) ? [at - Number(text.slice(5))] : []))
  if (late.length < seconds * 10) throw new Error(`only ${late.length} lines came`)
  return late
}

function latencyRow(where: string, late: readonly number[]): Row {
  const seen = quantile(late, 0.99)
  const p50 = milliseconds.show(median(late))
  const most = milliseconds.show(Math.max(...late))
  const row = atMost({ what: `line printed → line shown, for 99 of 100 lines, ${where}`, samples: [seen], limit: 3000, unit: milliseconds })
  return { ...row, seen: `${row.seen} (${late.length} lines, half of them within ${p50}, all within ${most})` }
}

async function volume(ground: Ground, bytes: number): Promise<readonly Row[]> {
  const line = 'epoch 12 step 3456 loss 0.12345 accuracy 0.98765 rate 0.001 elapsed 1234.5 s'
  const script = `#!/bin/sh\nyes '${line}' | head -c ${bytes}`
  const began = Date.now()
  await tpi(ground, ['task', '--name', 'volume', '--detach', '--script', script]).ended
  const watched = await watch(ground, 'volume')
  const agent = await agentOf(watched)
  const peak = peakOf(agent.pid)
  await poll('the end of the log', async () => (isTerminal((await watched.record())?.state ?? 'waiting') ? true : undefined), 100)
  const took = Date.now() - began
  let shipped = 0
  let segments = 0
  for await (const { size } of watched.store.list(watched.slot.log)) {
    shipped += size
    segments++
  }
  const most = await peak.end()
  await tpi(ground, ['destroy', 'volume', '--discard']).ended
  const name = `${(bytes / 1e9).toString()} GB`
  return [
    atMost({ what: `bytes stored for ${name} of log, divided by bytes printed`, samples: [shipped / bytes], limit: 1.05, unit: times }),
    shown(
      'the same, from the command to the end of the slot',
      milliseconds.show(took),
      `${(bytes / took / 1000).toFixed(0)} MB/s in ${segments} segments`,
    ),
    atMost({ what: 'peak memory of the agent meanwhile', samples: [most], limit: 150 * 2 ** 20, unit: mebibytes }),
  ]
}

export const logs: Bench = {
  name: 'logs',
  title: 'Logs',
  notes: [
    'The script prints the time, in twenty lines a second and a burst of 200 lines every 2.5 s. This is compared with the time at which each line appears in the output of the attached command.',
    'Bytes stored: all segments of the log in the store, with their headers.',
  ],
  async run(ground): Promise<readonly Row[]> {
    const seconds = ground.quick ? 3 : 45
    const here = latencyRow('folder store', await latencies(ground, 'talk-here', seconds))
    const there = await withDistant(async (distant) => {
      const access = await distant.access('logs', distant.records)
      return latencyRow(`S3 store ${ROUND_TRIP} ms away`, await latencies(ground, 'talk-there', seconds, access))
    })
    return [here, there ?? NO_SERVER, ...(await volume(ground, ground.quick ? 2e7 : 1e9))]
  },
}
