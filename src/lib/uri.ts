/** How names are escaped in the URLs of requests, as signatures need it too (RFC 3986: unreserved characters stay). */

/** For a path or a query: all but `A-Z a-z 0-9 - . _ ~` is escaped, slashes too. */
export function uriEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The same for each part of a path: its slashes stay. */
export const uriEncodedPath = (path: string): string => path.split('/').map(uriEncoded).join('/')
