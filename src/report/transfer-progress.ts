/** How far the files of a slot have come, behind what its machine does: ": 270 MB of 600 MB (45 %), 12 MB/s, 27s left". */
import { transferWords } from '../lib/transfer.ts'
import type { SlotTransfer } from '../wire/slot.ts'

export function transferText(transfer: SlotTransfer | undefined): string {
  if (!transfer) return ''
  const { since, at, ...sizes } = transfer
  return `: ${transferWords({ ...sizes, seconds: (Date.parse(at) - Date.parse(since)) / 1000 })}`
}
