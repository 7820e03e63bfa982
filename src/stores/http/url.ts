/** `http://host:port/path` or `https://…`: a store behind our own server. */

/** What is wrong with the URL, for people; `undefined` when nothing is. */
export function httpFault(url: URL): string | undefined {
  return url.host === '' ? 'names no host' : undefined
}
