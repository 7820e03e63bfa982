/**
 * What a machine must know before it looks for work. It waits until its deployment is on record as complete: whatever a killed command has
 * left half-made is removed by the next one, and nobody's work must be in it.
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

/** Milliseconds between two looks: at first the rest is only a moment away. */
const QUICK = 50
const SLOW = 1_000
const SOON = 10_000
/** Milliseconds without a sign of life of its maker: at least twice the longest beat. */
const PATIENCE = 5 * 60_000

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
