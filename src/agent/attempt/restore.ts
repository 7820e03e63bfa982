/** Restores the work directory of a slot, at the start of an attempt. */
import { formatBytes } from '../../lib/bytes.ts'
import { restore } from '../../snapshot/restore/restore.ts'
import type { Restored } from '../../snapshot/types.ts'
import { BASE } from '../../wire/layout.ts'
import { generationsOf, type SlotRecord, type SnapshotRef } from '../../wire/slot.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import type { TaskContext } from '../machine-context.ts'
import type { Holder } from '../slot/holder.ts'
import { recordTransfer } from './record-transfer.ts'

/** The snapshots that a slot may start from: the best first, and the upload last. */
export function generations(record: SlotRecord, { base, createdAt }: Pick<TaskSpec, 'base' | 'createdAt'>): SnapshotRef[] {
  const own = generationsOf(record)
  if (base === undefined || own.some(({ digest }) => digest === base)) return own
  return [...own, { digest: base, at: BASE, epoch: 0, savedAt: createdAt, quiet: true, files: 0, bytes: 0 }]
}

export async function restoreTree(context: TaskContext, holder: Holder, signal: AbortSignal): Promise<Restored> {
  const { record } = holder
  const refs = generations(record, context.spec)
  const restored = await restore({
    store: context.store,
    root: context.keys.root,
    refs,
    folder: context.folders.work,
    warn: context.warn,
    progress: recordTransfer(holder),
    signal,
  })
  const from = restored.ref
  if (from && from.at !== BASE) {
    context.say(`restored the checkpoint of ${from.savedAt} (attempt ${from.epoch}, ${from.files} files, ${formatBytes(from.bytes)})`)
  }
  return restored
}
