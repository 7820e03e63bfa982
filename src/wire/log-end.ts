/** How far the log of an interrupted attempt goes. Whoever ends the attempt records that, so that nothing that comes later counts. */
import { DIGITS, numbersOf, type SlotLayout } from './layout.ts'
import type { SlotRecord } from './slot.ts'
import type { Store, StoreEntry } from './store.ts'

/** Makes a call to the store, and waits out its outages in the way of the caller. */
type Ask = <T>(look: (signal?: AbortSignal) => Promise<T>) => Promise<T>

/** Segments that are looked at once: what most stores list in one call. */
const PAGE = 1000

/**
 * The number of the last segment of the open attempt; 0: it has none; `undefined`: no attempt is open. A day may have a hundred thousand segments, so
 * they are not all listed: after each look it skips twice as many as before, until it has skipped too many, and then halves what is left. After
 * months, that takes some twenty looks. If a look fails, what earlier ones have found still counts.
 */
export async function logEndOf(
  store: Pick<Store, 'list' | 'listsFromStart'>,
  slot: SlotLayout,
  record: Pick<SlotRecord, 'attempts'>,
  ask: Ask = async (look) => look(),
): Promise<number | undefined> {
  const open = record.attempts.at(-1)
  if (open === undefined || open.end !== undefined) return undefined
  let last = 0
  /** No segment has a higher number. */
  let most = Number.POSITIVE_INFINITY
  for (let skip = 0; last < most; skip = Math.max(PAGE, 2 * skip)) {
    const after = most - last <= PAGE ? last : Math.min(last + skip, Math.floor((last + most) / 2))
    const page = await ask(async (signal) => segmentsOf(open.epoch, store.list(slot.log, slot.segment(open.epoch, after), signal)))
    const found = page.at(-1) ?? after
    if (page.length > 0) last = found
    if (page.length < PAGE) most = found
    else if (store.listsFromStart)
      return await lastByDigits(async (prefix) => ask(async (signal) => hasAny(store.list(prefix, undefined, signal))), slot, open.epoch)
  }
  return last
}

/**
 * The same where lists always begin at the start, but can be narrowed to a prefix: finds the highest digit that exists, one place after the other.
 */
async function lastByDigits(isThere: (prefix: string) => Promise<boolean>, slot: SlotLayout, epoch: number): Promise<number> {
  const before = slot.segment(epoch, 0).slice(0, -DIGITS)
  let digits = ''
  while (digits.length < DIGITS) {
    let digit = 9
    while (digit > 0 && !(await isThere(`${before}${digits}${digit}`))) digit -= 1
    digits += digit
  }
  return Number(digits)
}

async function hasAny(listed: AsyncIterable<StoreEntry>): Promise<boolean> {
  for await (const _ of listed) return true
  return false
}

/** Numbers of this attempt's segments in a list, up to a page of them. */
async function segmentsOf(epoch: number, listed: AsyncIterable<StoreEntry>): Promise<readonly number[]> {
  const page: number[] = []
  for await (const { key } of listed) {
    const found = numbersOf(key)
    if (found?.epoch === epoch) page.push(found.seq)
    if (page.length === PAGE) break
  }
  return page
}
