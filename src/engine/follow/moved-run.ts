/** A run that moves to another region before anything of it has run: another incarnation replaces it, and is the same run for its followers. */
import type { CurrentRecord } from '../../wire/records.ts'
import { type Deployment, type Engine, recorded, wentOn } from '../deployment.ts'
import { destroy } from '../destroy/destroy.ts'
import { patiently } from '../outage.ts'
import { abandoned, currentOf } from '../owner/silence.ts'

export interface MoveWait {
  /** Milliseconds of silence after which the controller that moves it counts as dead. */
  readonly ttl: number
  /** An interrupted move is undone, and the run keeps waiting where it was. Otherwise that is left to others, and the run counts as gone. */
  readonly undo: boolean
}

/** Where it is, once that is decided: here, elsewhere, or nowhere. */
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

/** During a move: the run as it waits in its former region. `undefined`: there is no move. */
export async function beforeMove(d: Deployment): Promise<Deployment | undefined> {
  const current = (await currentOf(d))?.value
  const [before] = current?.former ?? []
  return current && before !== undefined && isMove(current) ? recorded(d, current, before) : undefined
}

/** A move that is in progress, or being undone. */
export function isMove({ state, why, former: [before = ''] = [], moved }: CurrentRecord): boolean {
  return moved?.[before] !== undefined && (state === 'making' || (state === 'destroying' && why === 'rollback'))
}

/** The same run in its new region, once it goes on there. */
export async function movedTo(d: Deployment): Promise<Deployment | undefined> {
  const current = (await currentOf(d))?.value
  return current?.state === 'open' && wentOn(current, d) ? recorded(d, current) : undefined
}

/** The incarnation that has the name by now. */
export async function living(d: Deployment): Promise<Deployment> {
  const current = (await currentOf(d))?.value
  return current?.state === 'open' && current.incarnation !== d.incarnation ? recorded(d, current) : d
}

/** The run after a move in progress has finished, or was undone. */
export async function afterMove(engine: Engine, d: Deployment, ttl: number): Promise<Deployment> {
  const moving = await beforeMove(d)
  return (moving && (await resolveMove(engine, moving, { ttl, undo: true }))) ?? d
}

/**
 * Its former region, if that is not cleared yet: nothing may start there. A request to stop is on record, so machines that still come find
 * nothing to do.
 */
export async function endBehind(engine: Engine, d: Deployment): Promise<void> {
  const current = (await currentOf(d))?.value
  if (current?.incarnation !== d.incarnation) return
  const left = (current.former ?? []).map((one) => recorded(d, current, one)).filter((one) => wentOn(current, one))
  await Promise.all(left.map(async (one) => patiently(engine, async () => one.cloud.scale(one, 0))))
}
