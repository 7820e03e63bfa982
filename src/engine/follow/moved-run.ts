/**
 * A run that moves to another region before it has begun to work: a new incarnation replaces the one there, and is the same run for its followers.
 */
import type { CurrentRecord } from '../../wire/records.ts'
import { type Deployment, type Engine, recorded, wentOn } from '../deployment.ts'
import { destroy } from '../destroy/destroy.ts'
import { patiently } from '../outage.ts'
import { abandoned, currentOf } from '../owner/silence.ts'

export interface MoveWait {
  /** Milliseconds of silence after which the controller that moves it counts as dead. */
  readonly ttl: number
  /**
   * If that controller is dead, its move is undone, and the run goes on waiting where it was. Otherwise others do that, and the run counts as gone.
   */
  readonly undo: boolean
}

/** Waits until a move, if there is one, is finished or undone. Resolves to the incarnation that the run has then; `undefined`: the run is gone. */
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

/** During a move: the incarnation in the region that the run leaves. `undefined`: there is no move. */
export async function beforeMove(d: Deployment): Promise<Deployment | undefined> {
  const current = (await currentOf(d))?.value
  const [before] = current?.former ?? []
  return current && before !== undefined && isMove(current) ? recorded(d, current, before) : undefined
}

/** The record says that a move is in progress, or being undone. */
export function isMove({ state, why, former: [before = ''] = [], moved }: CurrentRecord): boolean {
  return moved?.[before] !== undefined && (state === 'making' || (state === 'destroying' && why === 'rollback'))
}

/** The same run in the region to which it has moved; `undefined`: it has not, or not yet. */
export async function movedTo(d: Deployment): Promise<Deployment | undefined> {
  const current = (await currentOf(d))?.value
  return current?.state === 'open' && wentOn(current, d) ? recorded(d, current) : undefined
}

/** The incarnation that has the name by now, if it is open; otherwise this one. */
export async function living(d: Deployment): Promise<Deployment> {
  const current = (await currentOf(d))?.value
  return current?.state === 'open' && current.incarnation !== d.incarnation ? recorded(d, current) : d
}

/** The run, once a move that is in progress has finished or was undone. */
export async function afterMove(engine: Engine, d: Deployment, ttl: number): Promise<Deployment> {
  const moving = await beforeMove(d)
  return (moving && (await resolveMove(engine, moving, { ttl, undo: true }))) ?? d
}

/**
 * For a run that is being stopped: scales to 0 in the regions that it has left, as long as these are not cleared. Machines that still come there find
 * the request to stop, and begin nothing.
 */
export async function endBehind(engine: Engine, d: Deployment): Promise<void> {
  const current = (await currentOf(d))?.value
  if (current?.incarnation !== d.incarnation) return
  const left = (current.former ?? []).map((one) => recorded(d, current, one)).filter((one) => wentOn(current, one))
  await Promise.all(left.map(async (one) => patiently(engine, async () => one.cloud.end(one))))
}
