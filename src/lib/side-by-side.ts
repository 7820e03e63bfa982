/** Does it for each of them, for at most so many at a time. Rejects with the first failure, while others may still be under way. */
export async function sideBySide<T>(most: number, items: Iterable<T>, each: (item: T) => Promise<unknown>): Promise<void> {
  const next = items[Symbol.iterator]()
  const lane = async (): Promise<void> => {
    for (let item = next.next(); !item.done; item = next.next()) await each(item.value)
  }
  await Promise.all(Array.from({ length: most }, lane))
}
