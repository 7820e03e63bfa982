/** Lists that a vendor gives page by page, each with a token for the one after it. */

/** `next`: the token; empty or absent: it was the last page. */
export async function* pagesOf<P>(
  ask: (token: string | undefined) => Promise<P>,
  next: (page: P) => string | null | undefined,
): AsyncGenerator<P> {
  let token: string | undefined
  do {
    const page = await ask(token)
    yield page
    token = next(page) || undefined
  } while (token !== undefined)
}
