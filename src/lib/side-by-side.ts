/**
 * Calls `each` for every item, for at most `most` of them at a time. Rejects with the first failure: others may still be under way then, but no more
 * are begun.
 */
export async function sideBySide<T>(most: number, items: Iterable<T>, each: (item: T) => Promise<unknown>): Promise<void> {
  const next = items[Symbol.iterator]()
  let failed = false
  const lane = async (): Promise<void> => {
    try {
      for (let item = next.next(); !item.done; item = next.next()) {
        if (failed) return
        await each(item.value)
      }
    } catch (error) {
      failed = true
      throw error
    }
  }
  await Promise.all(Array.from({ length: most }, lane))
}
