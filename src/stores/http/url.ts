/** `http://host:port/path` or `https://…`: a store behind tpi's own server. */

/** What is wrong with the URL, for people; `undefined`: nothing. */
export function httpFault(url: URL): string | undefined {
  return url.host === '' ? 'names no host' : undefined
}
