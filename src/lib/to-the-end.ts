/** All to their end, whatever fails meanwhile; then the first failure, in their order: nothing of it is under way any more when it is taken back. */
export async function toTheEnd<const T extends readonly unknown[]>(works: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
