/** A section around a piece of work. */
export async function within<T>(close: () => void, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } finally {
    close()
  }
}
