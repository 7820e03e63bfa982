/** `tpi list`: what there is. */

import { EXIT, told } from '../core/errors.ts'
import { readSpec } from '../engine/deployment.ts'
import { openSighting, type Sighting } from '../engine/find.ts'
import type { Status } from '../engine/follow/status.ts'
import { formatDuration } from '../lib/duration.ts'
import { columns } from '../lib/text.ts'
import type { VerbContext } from './shared/context.ts'
import { Losses } from './shared/losses.ts'
import { ownedBy } from './shared/mine.ts'
import { present } from './status.ts'

type Row = Pick<Status, 'id' | 'name' | 'cloud' | 'mode' | 'createdAt' | 'deadline'> &
  Partial<Omit<Status, 'state'>> & { readonly state: string }

export async function list(context: VerbContext): Promise<number> {
  const { values, host } = context
  const losses = new Losses(context, true)
  const all = (await losses.seen()).filter((sighting) => !values.mine || ownedBy(context.owner, sighting.found.tags.origin))
  const rows = (await Promise.all(all.map((sighting) => rowOf(context, sighting)))).filter(
    (row) => !values.finished || (row.mode === 'task' && row.outcome !== 'running' && row.collected === false),
  )
  if (values.json) host.facts(rows)
  else if (rows.length > 0) host.print(table(rows, context.engine.clock.date()))
  else if (losses.code === EXIT.ok) host.print('no deployments')
  return losses.code
}

async function rowOf(context: VerbContext, sighting: Sighting): Promise<Row> {
  const { tags } = sighting.found
  const { id, name, mode, createdAt } = tags
  const plain = { id, name, cloud: sighting.id, mode, createdAt, deadline: tags.lifetime.deadline }
  try {
    const d = await openSighting(sighting, context.access)
    return (await readSpec(d)) ? await present(context, d) : { ...plain, state: 'creating' }
  } catch (error) {
    // One unreadable deployment must not hide the others.
    context.host.warn(`${name}: ${told(error)}`)
    return { ...plain, state: 'unknown' }
  }
}

function table(rows: readonly Row[], now: Date): string {
  const age = (row: Row): string => formatDuration(Math.round((now.getTime() - Date.parse(row.createdAt)) / 1000))
  const left = (row: Row): string => {
    const seconds = Math.round((Date.parse(row.deadline) - now.getTime()) / 1000)
    return row.outcome !== 'running' ? '-' : seconds > 0 ? formatDuration(seconds) : 'past'
  }
  const head = ['NAME', 'CLOUD', 'STATE', 'SLOTS', 'AGE', 'DEADLINE IN', 'COLLECTED', 'ID']
  return columns([
    head,
    ...rows.map((row) => [
      row.name,
      row.cloud,
      row.state,
      String(row.slots?.length ?? '-'),
      age(row),
      left(row),
      row.mode === 'task' ? (row.collected ? 'yes' : 'no') : '-',
      row.id,
    ]),
  ]).join('\n')
}
