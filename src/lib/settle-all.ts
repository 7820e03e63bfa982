/** Waits until all have settled, then throws the first failure in their order: nothing is under way any more when the caller undoes it. */
export async function settleAll<const T extends readonly unknown[]>(works: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
