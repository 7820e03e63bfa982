/** The snapshot engine in a separate process, which gets its orders and sends its answers as messages. */
import { restore } from '../src/snapshot/restore/restore.ts'
import { openSaver } from '../src/snapshot/save/save.ts'
import type { Saved, Saver } from '../src/snapshot/types.ts'
import { openStore } from '../src/stores/registry.ts'
import type { SnapshotRef } from '../src/wire/slot.ts'
import type { Store, StoreAccess } from '../src/wire/store.ts'
import { peakSoFar } from './peak.ts'

export interface Opening {
  readonly access: StoreAccess
  /** `<id>/<incarnation>/` */
  readonly root: string
  readonly folder: string
}

export type Order =
  | { readonly do: 'open'; readonly with: Opening }
  | { readonly do: 'save' }
  | { readonly do: 'restore'; readonly ref: SnapshotRef; readonly folder: string }

export interface Answer {
  readonly milliseconds: number
  /** Absent if nothing had changed. */
  readonly ref?: SnapshotRef
  readonly uploaded: number
  /** Bytes: the most memory that it ever had. */
  readonly peak: number
  readonly error?: string
}

let opening: Opening | undefined
let store: Store | undefined
let saver: Saver | undefined

const warn = (message: string): void => console.error(message)

async function open(with_: Opening): Promise<undefined> {
  opening = with_
  store = await openStore(opening.access)
  await store.init(opening.root)
  saver = await openSaver({ store, root: opening.root, at: 'base/', folder: opening.folder, warn })
}

async function follow(order: Order): Promise<Saved | undefined> {
  if (order.do === 'open') return open(order.with)
  if (store === undefined || saver === undefined || opening === undefined) throw new Error('nothing was opened')
  if (order.do === 'restore') {
    await restore({ store, root: opening.root, refs: [order.ref], folder: order.folder, warn })
    return undefined
  }
  const saved = await saver.save({})
  if (saved) saver.published(saved, [])
  return saved
}

process.on('message', (order: Order) => {
  const began = performance.now()
  void follow(order)
    .then((saved) => ({ ...(saved && { ref: { ...saved.ref, epoch: 1 } }), uploaded: saved?.uploadedBytes ?? 0 }))
    .catch((error: unknown) => ({ uploaded: 0, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }))
    .then((rest) => process.send?.({ milliseconds: performance.now() - began, peak: peakSoFar(process.pid), ...rest } satisfies Answer))
})
