/** Runs the work inside an open section, and closes that afterwards in any case. */
export async function inSection<T>(close: () => void, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } finally {
    close()
  }
}
