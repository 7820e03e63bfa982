/** A run that is moved to another region before anything of it has run: another incarnation takes its place, and is the same run for its followers. */
import type { CurrentRecord } from '../../wire/records.ts'
import { type Deployment, type Engine, recorded, wentOn } from '../deployment.ts'
import { destroy } from '../destroy/destroy.ts'
import { patiently } from '../outage.ts'
import { abandoned, currentOf } from '../owner/silence.ts'

export interface MoveWait {
  /** Milliseconds of silence after which the controller that moves it counts as dead. */
  readonly ttl: number
  /** A move that was cut off is undone, and it waits on where it was. Else that is left to others, and it counts as gone. */
  readonly undo: boolean
}

/** Where it is, once that is settled: here, elsewhere, or nowhere. */
export async function resolveMove(engine: Engine, d: Deployment, { ttl, undo }: MoveWait): Promise<Deployment | undefined> {
  for (;;) {
    const current = await currentOf(d)
    if (!current) return undefined
    const { incarnation, state } = current.value
    if (incarnation === d.incarnation) return state === 'open' ? d : undefined
    if (!wentOn(current.value, d)) return undefined
    const there = recorded(d, current.value)
    if (state === 'open') return there
    const judged = await abandoned(engine, d, current, ttl)
    if (judged && !undo) return undefined
    if (judged) await destroy(engine, there, { why: 'rollback', judged })
  }
}

/** Of a move that is under way: the run as it waits where it was. `undefined`: there is none. */
export async function beforeMove(d: Deployment): Promise<Deployment | undefined> {
  const current = (await currentOf(d))?.value
  const [before] = current?.former ?? []
  return current && before !== undefined && isMove(current) ? recorded(d, current, before) : undefined
}

/** That is under way, or being undone. */
export function isMove({ state, why, former: [before = ''] = [], moved }: CurrentRecord): boolean {
  return moved?.[before] !== undefined && (state === 'making' || (state === 'destroying' && why === 'rollback'))
}

/** The same run where it goes on, once it does. */
export async function movedTo(d: Deployment): Promise<Deployment | undefined> {
  const current = (await currentOf(d))?.value
  return current?.state === 'open' && wentOn(current, d) ? recorded(d, current) : undefined
}

/** The one that bears the name by now. */
export async function living(d: Deployment): Promise<Deployment> {
  const current = (await currentOf(d))?.value
  return current?.state === 'open' && current.incarnation !== d.incarnation ? recorded(d, current) : d
}

/** As it is once a move that is under way has come to its end, or was undone. */
export async function afterMove(engine: Engine, d: Deployment, ttl: number): Promise<Deployment> {
  const moving = await beforeMove(d)
  return (moving && (await resolveMove(engine, moving, { ttl, undo: true }))) ?? d
}

/** Where it has come from without that being cleared yet: nothing is to come there. A request to stop is on record, so the machines that come find nothing to do. */
export async function endBehind(engine: Engine, d: Deployment): Promise<void> {
  const current = (await currentOf(d))?.value
  if (current?.incarnation !== d.incarnation) return
  const left = (current.former ?? []).map((one) => recorded(d, current, one)).filter((one) => wentOn(current, one))
  await Promise.all(left.map(async (one) => patiently(engine, async () => one.cloud.scale(one, 0))))
}
