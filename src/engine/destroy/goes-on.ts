/** A run that goes on in another region before anything of it has run: another incarnation takes its place, and is the same run for whoever follows. */
import { type Deployment, type Engine, recorded, wentOn } from '../deployment.ts'
import { abandoned, currentOf } from '../owner/silence.ts'
import { destroy } from './destroy.ts'

export interface GoingOn {
  /** Milliseconds of silence after which whoever moves it counts as dead. */
  readonly ttl: number
  /** A move that was cut off is undone, and it waits on where it was. Else that is left to others, and it counts as gone. */
  readonly undo: boolean
}

/** Where it is, once that is settled: here, elsewhere, or nowhere. */
export async function whereItGoesOn(engine: Engine, d: Deployment, { ttl, undo }: GoingOn): Promise<Deployment | undefined> {
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
  if (!current || current.state === 'open' || before === undefined || current.moved?.[before] === undefined) return undefined
  return current.state === 'making' || current.why === 'rollback' ? recorded(d, current, before) : undefined
}
