/** Whether it resolves; the error, if any, does not matter. */
export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

/** Waits until all have settled, then throws the first failure in their order: when the caller undoes things, nothing is in progress any more. */
export async function settleAll<const T extends readonly unknown[]>(works: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
