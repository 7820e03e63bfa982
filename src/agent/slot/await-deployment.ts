/**
 * What a machine must know before it looks for work. It waits until its deployment is on record as complete: if the command that creates it
 * is killed, the next command removes what is half-made, and no work may be lost with that.
 */
import { pause } from '../../lib/clock.ts'
import { Staleness } from '../../lib/staleness.ts'
import { removalOf } from '../../wire/incarnation.ts'
import { currentKey, layout } from '../../wire/layout.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { parseRecord } from '../../wire/parse.ts'
import { CURRENT } from '../../wire/records.ts'
import { SPEC, type Spec } from '../../wire/spec.ts'
import type { Store } from '../../wire/store.ts'
import { persist } from '../outage.ts'
import { Gone } from './control.ts'

/** Milliseconds between two looks: `QUICK` for the first `SOON` milliseconds, because the deployment is usually complete in a moment. */
const QUICK = 50
const SLOW = 1_000
const SOON = 10_000
/** Milliseconds without a sign of life of the maker after which it counts as gone: at least twice the time between its heartbeats. */
const PATIENCE = 5 * 60_000

/** Resolves once the deployment is complete. Rejects with `Gone` if it was replaced, is being removed, or its maker is gone. */
export async function specOf(
  config: Pick<MachineConfig, 'id' | 'incarnation' | 'ahead'>,
  store: Store,
  signal: AbortSignal,
  trouble: (error: unknown) => void,
  patience = PATIENCE,
): Promise<Spec> {
  const keys = layout(config.id, config.incarnation)
  const read = async (key: string) => persist(async (limit) => store.read(key, undefined, limit), signal, trouble)
  const begun = performance.now()
  const maker = new Staleness()
  for (;;) {
    const now = performance.now()
    const [spec, current] = await Promise.all([read(keys.spec), read(currentKey(config.id))])
    const record = current && parseRecord(CURRENT, current.bytes, currentKey(config.id))
    const fault = removalOf(record, config.incarnation)
    if (fault !== undefined && (current !== undefined || config.ahead !== true)) throw new Gone(fault)
    if (spec !== undefined && record?.state === 'open') return parseRecord(SPEC, spec.bytes, keys.spec)
    if (spec === undefined && config.ahead !== true) throw new Error(`store: there is no ${keys.spec}`)
    if (maker.for('current', current?.version, now) > patience) throw new Gone('the command that was creating the run is gone')
    await pause(now - begun < SOON ? QUICK : SLOW, signal)
  }
}
